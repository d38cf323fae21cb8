/* check_json.c - what was found, for programs: a line per frame and one for the whole.
 *
 * Lines of frames are printed by hand: they hold numbers and plain words, and a list of a million
 * should not be built in memory first. */
#include "bench/common/json_line.h"
#include "cli/check.h"

#include <inttypes.h>
#include <stdio.h>

static void check_json_print_run(const willow_pair_run *run, const willow_pairs *pairs, size_t end)
{
    uint32_t a = run->body_a.index1, b = run->body_b.index1;
    for (size_t i = run->first; i < end; i++) {
        willow_vec3 at = pairs->witnesses[i];
        printf("%s{\"body_a\":%" PRIu32 ",\"body_b\":%" PRIu32 ",\"tri_a\":%" PRIu32
               ",\"tri_b\":%" PRIu32 ",\"at\":[%.9g,%.9g,%.9g]}",
               i > 0 ? "," : "", a, b, pairs->items[i].tri_a, pairs->items[i].tri_b, (double)at.x,
               (double)at.y, (double)at.z);
    }
}

static void print_list(const willow_pairs *pairs, uint32_t limit)
{
    size_t listed = limit != 0 && limit < pairs->count ? limit : pairs->count;
    printf(",\"listed\":%zu,\"list\":[", listed);
    for (size_t i = 0; i < pairs->run_count && pairs->runs[i].first < listed; i++) {
        const willow_pair_run *run = &pairs->runs[i];
        size_t end = run->first + run->count;
        check_json_print_run(run, pairs, end < listed ? end : listed);
    }
    putchar(']');
}

/* null if nothing touches in the step. */
static void print_impact(const check_frame *frame)
{
    const check_impact *impact = &frame->impact;
    char a[CHECK_FEATURE_MAX], b[CHECK_FEATURE_MAX];
    if (!impact->found) {
        printf(",\"impact\":null");
        return;
    }
    printf(",\"impact\":{\"time\":%.17g,\"body_a\":%" PRIu32 ",\"body_b\":%" PRIu32,
           impact->impact.time, impact->body_a, impact->body_b);
    printf(",\"a\":\"%s\",\"b\":\"%s\",\"decided\":%s}", check_feature_text(&impact->impact.a, a),
           check_feature_text(&impact->impact.b, b), impact->impact.is_decided ? "true" : "false");
}

void check_json_frame(const check_frame *frame, const willow_pairs *pairs,
                      const check_options *options)
{
    printf("{\"frame\":%" PRIu32 ",\"pairs\":%" PRIu64 ",\"self_pairs\":%" PRIu64
           ",\"update_ms\":%.6g,\"query_ms\":%.6g",
           frame->number, frame->pairs, frame->self_pairs, frame->update_ms, frame->query_ms);
    if (frame->has_step) print_impact(frame);
    if (options->pairs) print_list(pairs, options->limit);
    puts("}");
}

/* ---- the summary ---- */

static void add_subject(json_line *line, const check_report *report)
{
    const check_options *options = report->options;
    json_line_text(line, "target", options->target);
    json_line_text(line, "scene", report->scene->kind->name);
    json_line_count(line, "bodies", report->scene->body_count);
    json_line_count(line, "triangles", scene_triangle_total(report->scene));
    json_line_count(line, "first_frame", report->frames[0].number);
    json_line_count(line, "frames", report->frame_count);
    json_line_text(line, "method", report->method);
    json_line_count(line, "threads", options->engine.threads);
    json_line_text(line, "kernel", report->kernel);
}

/* null if there was none. */
static void add_contact(json_line *line, const char *key, const check_contact *contact)
{
    if (!contact->found) {
        json_line_value(line, key, json_null());
        return;
    }
    json_line inner = json_line_begin();
    json_line_count(&inner, "frame", contact->frame);
    json_line_count(&inner, "body_a", contact->body_a);
    json_line_count(&inner, "body_b", contact->body_b);
    json_line_count(&inner, "tri_a", contact->tri_a);
    json_line_count(&inner, "tri_b", contact->tri_b);
    json_line_nest(line, key, &inner);
}

static json_t *feature_json(const willow_feature *feature)
{
    char text[CHECK_FEATURE_MAX];
    return json_string(check_feature_text(feature, text));
}

/* null if there was none. The time counts from the frame to the next one, 0 to 1. */
static void add_impact(json_line *line, const check_report *report)
{
    if (report->steps_hit == 0) {
        json_line_value(line, "first_impact", json_null());
        return;
    }
    const check_frame *frame = &report->first_step_hit;
    const check_impact *impact = &frame->impact;
    json_line inner = json_line_begin();
    json_line_count(&inner, "frame", frame->number);
    json_line_real(&inner, "time", impact->impact.time);
    json_line_count(&inner, "body_a", impact->body_a);
    json_line_count(&inner, "body_b", impact->body_b);
    json_line_value(&inner, "a", feature_json(&impact->impact.a));
    json_line_value(&inner, "b", feature_json(&impact->impact.b));
    json_line_flag(&inner, "decided", impact->impact.is_decided);
    json_line_nest(line, "first_impact", &inner);
}

static void add_worst(json_line *line, const check_report *report)
{
    if (report->hit == 0) {
        json_line_value(line, "worst_frame", json_null());
        return;
    }
    const check_frame *worst = &report->frames[report->worst];
    json_line inner = json_line_begin();
    json_line_count(&inner, "frame", worst->number);
    json_line_count(&inner, "pairs", worst->pairs);
    json_line_count(&inner, "self_pairs", worst->self_pairs);
    json_line_nest(line, "worst_frame", &inner);
}

int check_json_summary(const check_report *report)
{
    json_line inner = json_line_begin(), line = json_line_begin();
    add_subject(&inner, report);
    json_line_count(&inner, "pairs", report->pairs);
    json_line_count(&inner, "self_pairs", report->self_pairs);
    json_line_count(&inner, "frames_with_collisions", report->hit);
    add_contact(&inner, "first_contact", &report->first);
    add_contact(&inner, "first_self_contact", &report->first_self);
    add_worst(&inner, report);
    if (report->options->impacts) {
        json_line_count(&inner, "steps", report->steps);
        json_line_count(&inner, "steps_with_impacts", report->steps_hit);
        add_impact(&inner, report);
    }
    json_line_real(&inner, "update_ms", check_update_mean(report));
    json_line_real(&inner, "query_ms", check_query_mean(report));
    json_line_real(&inner, "setup_ms", report->setup_ms);
    json_line_nest(&line, "summary", &inner);
    return json_line_print(&line, "check");
}
