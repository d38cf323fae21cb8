/* check_json.c - what was found, for programs: a line per sample and one for the whole.
 *
 * Lines of samples are printed by hand: they hold numbers, plain words and names, and a list of a
 * million should not be built in memory first. */
#include "bench/common/json_line.h"
#include "cli/check.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- samples ---- */

/* A name in quotes, with what JSON wants written otherwise. */
static void print_name(const clip *c, uint32_t body)
{
    putchar('"');
    for (const char *at = c->bodies[body].name; *at != '\0'; at++) {
        const unsigned char letter = (unsigned char)*at;
        if (letter == '"' || letter == '\\') {
            printf("\\%c", letter);
        } else if (letter < 0x20) {
            printf("\\u%04x", letter);
        } else {
            putchar(letter);
        }
    }
    putchar('"');
}

static void print_json_pair(const check_report *report, const check_sample *sample,
                            const willow_pair_run *run, size_t i)
{
    const check_pair pair = check_found_pair(sample->asker, sample->found, run, i);
    const clip_player *play = sample->asker->play;
    printf("%s{\"body_a\":%" PRIu32 ",\"body_b\":%" PRIu32 ",\"name_a\":", i > 0 ? "," : "",
           pair.body_a + 1, pair.body_b + 1);
    print_name(report->clip, pair.body_a);
    printf(",\"name_b\":");
    print_name(report->clip, pair.body_b);
    printf(",\"face_a\":%" PRIu32 ",\"face_b\":%" PRIu32 ",\"tri_a\":%" PRIu32 ",\"tri_b\":%" PRIu32
           ",\"at\":[%.9g,%.9g,%.9g]",
           check_face(play, pair.body_a, pair.tri_a), check_face(play, pair.body_b, pair.tri_b),
           pair.tri_a, pair.tri_b, (double)pair.at.x, (double)pair.at.y, (double)pair.at.z);
    if (report->options->distance > 0) printf(",\"distance\":%.9g", pair.distance);
    putchar('}');
}

static void print_list(const check_report *report, const check_sample *sample)
{
    const check_found *found = sample->found;
    const uint32_t limit = report->options->limit;
    size_t listed = limit != 0 && limit < found->count ? limit : found->count;
    printf(",\"listed\":%zu,\"list\":[", listed);
    for (size_t k = 0; k < found->run_count; k++) {
        const willow_pair_run *run = &found->runs[k];
        for (size_t i = run->first; i < run->first + run->count && i < listed; i++) {
            print_json_pair(report, sample, run, i);
        }
    }
    putchar(']');
}

/* null if nothing touches in the step. */
static void print_impact(const check_report *report, const check_frame *frame)
{
    const check_impact *impact = &frame->impact;
    char a[CHECK_FEATURE_MAX], b[CHECK_FEATURE_MAX];
    if (!impact->found) {
        printf(",\"impact\":null");
        return;
    }
    printf(",\"impact\":{\"time\":%.17g,\"body_a\":%" PRIu32 ",\"body_b\":%" PRIu32 ",\"name_a\":",
           impact->impact.time, impact->body_a + 1, impact->body_b + 1);
    print_name(report->clip, impact->body_a);
    printf(",\"name_b\":");
    print_name(report->clip, impact->body_b);
    printf(",\"a\":\"%s %s\",\"b\":\"%s %s\",\"decided\":%s}",
           check_feature_kind(&impact->impact.a), check_feature_number(&impact->impact.a, a),
           check_feature_kind(&impact->impact.b), check_feature_number(&impact->impact.b, b),
           impact->impact.is_decided ? "true" : "false");
}

void check_json_frame(const check_report *report, const check_sample *sample)
{
    const check_frame *frame = sample->frame;
    printf("{\"frame\":%.9g,\"time\":%.9g,\"pairs\":%" PRIu64 ",\"self_pairs\":%" PRIu64,
           frame->number, frame->time, frame->pairs, frame->self_pairs);
    if (report->options->rest) printf(",\"rest_pairs\":%" PRIu64, frame->at_rest);
    printf(",\"update_ms\":%.6g,\"query_ms\":%.6g", frame->update_ms, frame->query_ms);
    if (frame->has_step) print_impact(report, frame);
    if (report->options->pairs) print_list(report, sample);
    puts("}");
}

/* ---- the summary ---- */

static void add_names(json_line *line, const clip *c)
{
    json_t *names = json_array(), *notes = json_array();
    for (uint32_t i = 0; i < c->body_count; i++) {
        if (json_array_append_new(names, json_string(c->bodies[i].name)) != 0) line->fine = false;
    }
    for (uint32_t i = 0; i < c->note_count; i++) {
        if (json_array_append_new(notes, json_string(c->notes[i])) != 0) line->fine = false;
    }
    json_line_value(line, "names", names);
    json_line_value(line, "notes", notes);
}

/* Frames have whole numbers, but those of --substeps. */
static void add_frame_number(json_line *line, const char *key, double number)
{
    if (number == (double)(uint64_t)number) {
        json_line_count(line, key, (uint64_t)number);
    } else {
        json_line_real(line, key, number);
    }
}

static void add_subject(json_line *line, const check_report *report)
{
    const check_options *options = report->options;
    const target *t = report->target;
    json_line_text(line, "target", t->words);
    if (t->scene != NULL) json_line_text(line, "scene", t->scene->kind->name);
    add_names(line, report->clip);
    json_line_count(line, "bodies", report->body_count);
    json_line_count(line, "triangles", report->triangles);
    add_frame_number(line, "first_frame", report->frames[0].number);
    json_line_count(line, "frames", report->frame_count);
    json_line_text(line, "method", report->method);
    json_line_count(line, "threads", options->engine.threads);
    json_line_text(line, "kernel", report->kernel);
}

static void add_bodies(json_line *line, const clip *c, uint32_t a, uint32_t b)
{
    json_line_count(line, "body_a", a + 1);
    json_line_count(line, "body_b", b + 1);
    json_line_text(line, "name_a", c->bodies[a].name);
    json_line_text(line, "name_b", c->bodies[b].name);
}

static void add_point(json_line *line, const willow_vec3 *at)
{
    json_line_value(line, "at", json_pack("[f,f,f]", (double)at->x, (double)at->y, (double)at->z));
}

/* null if there was none. */
static void add_contact(json_line *line, const char *key, const clip *c,
                        const check_contact *contact)
{
    if (!contact->found) {
        json_line_value(line, key, json_null());
        return;
    }
    json_line inner = json_line_begin();
    add_frame_number(&inner, "frame", contact->frame);
    json_line_real(&inner, "time", contact->time);
    add_bodies(&inner, c, contact->pair.body_a, contact->pair.body_b);
    json_line_count(&inner, "face_a", contact->face_a);
    json_line_count(&inner, "face_b", contact->face_b);
    json_line_count(&inner, "tri_a", contact->pair.tri_a);
    json_line_count(&inner, "tri_b", contact->pair.tri_b);
    add_point(&inner, &contact->pair.at);
    json_line_nest(line, key, &inner);
}

/* null if there was none. The time counts from the sample to the next one, 0 to 1. */
static void add_impact(json_line *line, const check_report *report)
{
    if (report->steps_hit == 0) {
        json_line_value(line, "first_impact", json_null());
        return;
    }
    const check_frame *frame = &report->first_step_hit;
    const check_impact *impact = &frame->impact;
    char words[2 * CHECK_FEATURE_MAX];
    json_line inner = json_line_begin();
    add_frame_number(&inner, "frame", frame->number);
    json_line_real(&inner, "time", impact->impact.time);
    add_bodies(&inner, report->clip, impact->body_a, impact->body_b);
    json_line_text(&inner, "a", check_feature_words(&impact->impact.a, words));
    json_line_text(&inner, "b", check_feature_words(&impact->impact.b, words));
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
    add_frame_number(&inner, "frame", worst->number);
    json_line_real(&inner, "time", worst->time);
    json_line_count(&inner, "pairs", worst->pairs);
    json_line_count(&inner, "self_pairs", worst->self_pairs);
    json_line_nest(line, "worst_frame", &inner);
}

static void add_meetings(json_line *line, const check_report *report)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < report->meeting_count; i++) {
        const check_meeting *m = &report->meetings[i];
        json_line inner = json_line_begin();
        add_bodies(&inner, report->clip, m->body_a, m->body_b);
        json_line_count(&inner, "frames", m->frames);
        add_frame_number(&inner, "first_frame", m->first);
        json_line_count(&inner, "most", m->most);
        add_frame_number(&inner, "most_frame", m->most_frame);
        json_line_append(line, list, &inner);
    }
    json_line_value(line, "meetings", list);
}

int check_json_summary(const check_report *report)
{
    json_line inner = json_line_begin(), line = json_line_begin();
    add_subject(&inner, report);
    json_line_count(&inner, "pairs", report->pairs);
    json_line_count(&inner, "self_pairs", report->self_pairs);
    json_line_count(&inner, "frames_with_collisions", report->hit);
    if (report->options->rest) json_line_count(&inner, "rest_pairs", report->rest_pairs);
    json_line_count(&inner, "hidden", report->hidden);
    add_contact(&inner, "first_contact", report->clip, &report->first);
    add_contact(&inner, "first_self_contact", report->clip, &report->first_self);
    add_worst(&inner, report);
    add_meetings(&inner, report);
    if (report->options->continuous) {
        json_line_count(&inner, "steps", report->steps);
        json_line_count(&inner, "steps_with_impacts", report->steps_hit);
        json_line_count(&inner, "steps_not_looked_at", report->steps_without);
        add_impact(&inner, report);
    }
    json_line_real(&inner, "update_ms", check_update_mean(report));
    json_line_real(&inner, "query_ms", check_query_mean(report));
    json_line_real(&inner, "setup_ms", report->setup_ms);
    json_line_real(&inner, "frames_per_second", check_frames_per_second(report));
    json_line_nest(&line, "summary", &inner);
    return json_line_print(&line, "check");
}
