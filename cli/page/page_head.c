/* page_head.c - what a page says beside positions and pairs, as one JSON object: names, counts by
 * sample, first contacts, who meets whom. Way in: page_head_create.
 *
 * Bodies are told by their place among those of the page, samples by their place in the run. */
#define _POSIX_C_SOURCE 200809L
#include "bench/common/json_line.h"
#include "bench/common/numbers.h"
#include "cli/page/page.h"

#include <stdlib.h>
#include <string.h>

/* ---- words ---- */

/* Names of files may be no UTF-8, which JSON is: what is not ASCII then becomes a question mark. */
static json_t *words_json(const char *words)
{
    json_t *text = json_string(words);
    if (text != NULL) return text;
    char *copy = strdup(words);
    for (char *c = copy; c != NULL && *c != '\0'; c++)
        if ((unsigned char)*c >= 0x80) *c = '?';
    text = copy != NULL ? json_string(copy) : NULL;
    free(copy);
    return text;
}

static const char *motion_words(clip_motion motion)
{
    static const char *const words[] = {[CLIP_STILL] = "still",
                                        [CLIP_RIGID] = "rigid",
                                        [CLIP_MORPH] = "morph",
                                        [CLIP_SKIN] = "skin",
                                        [CLIP_FRAMES] = "positions"};
    return words[motion];
}

/* ---- lists ---- */

static void append(json_line *line, json_t *list, json_t *value)
{
    if (list == NULL || value == NULL || json_array_append_new(list, value) != 0)
        line->fine = false;
}

static void add_bodies(json_line *line, const page_frames *f)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < f->body_count; i++) {
        const clip_body *body = &f->def->target->clip->bodies[f->bodies[i].number];
        json_line inner = json_line_begin();
        json_line_text(&inner, "name", body->name);
        json_line_count(&inner, "number", f->bodies[i].number);
        json_line_text(&inner, "motion", motion_words(body->motion));
        json_line_flag(&inner, "posed", f->bodies[i].is_posed);
        json_line_real(&inner, "step", f->bodies[i].step);
        json_line_append(line, list, &inner);
    }
    json_line_value(line, "bodies", list);
}

static void add_meshes(json_line *line, const page_frames *f)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < f->mesh_count; i++) {
        const page_mesh *mesh = &f->meshes[i];
        json_line inner = json_line_begin();
        json_line_count(&inner, "body", mesh->body);
        json_line_count(&inner, "vertices", mesh->vertex_count);
        json_line_count(&inner, "triangles", mesh->triangle_count);
        json_line_flag(&inner, "faces", mesh->faces != NULL);
        json_line_append(line, list, &inner);
    }
    json_line_value(line, "meshes", list);
}

static void add_notes(json_line *line, const clip *c)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < c->note_count; i++) append(line, list, words_json(c->notes[i]));
    json_line_value(line, "notes", list);
}

/* ---- samples ---- */

static void add_samples(json_line *line, const page_frames *f)
{
    const sample_list *s = f->def->samples;
    json_t *numbers = json_array(), *seconds = json_array(), *shown = json_array();
    for (uint32_t i = 0; i < page_sample_count(f->def); i++) {
        append(line, numbers, json_real(s->numbers[i]));
        append(line, seconds, json_real(s->times[i]));
    }
    for (uint32_t i = 0; i < f->shown_count; i++)
        append(line, shown, json_integer((json_int_t)f->shown[i]));
    json_line_value(line, "numbers", numbers);
    json_line_value(line, "seconds", seconds);
    json_line_value(line, "shown", shown);
    json_line_count(line, "stride", f->stride);
}

static void add_counts(json_line *line, const check_report *report, const check_kept *kept)
{
    json_t *pairs = json_array(), *self = json_array(), *listed = json_array();
    for (uint32_t i = 0; i < report->frame_count; i++) {
        append(line, pairs, json_integer((json_int_t)report->frames[i].pairs));
        append(line, self, json_integer((json_int_t)report->frames[i].self_pairs));
        append(line, listed, json_integer((json_int_t)kept->frames[i].kept));
    }
    json_line_value(line, "pairs", pairs);
    json_line_value(line, "self_pairs", self);
    json_line_value(line, "listed", listed);
}

/* ---- what was found ---- */

static uint32_t body_of(const page_frames *f, uint32_t number)
{
    uint32_t i = 0;
    while (f->bodies[i].number != number) i++;
    return i;
}

static void add_point(json_line *line, const willow_vec3 *at)
{
    json_line_value(line, "at", json_pack("[f,f,f]", (double)at->x, (double)at->y, (double)at->z));
}

static uint32_t sample_of(const check_report *report, double number)
{
    uint32_t i = 0;
    while (report->frames[i].number != number) i++;
    return i;
}

/* null if there was none. */
static void add_contact(json_line *line, const char *key, const page_frames *f,
                        const check_contact *contact)
{
    if (!contact->found) {
        json_line_value(line, key, json_null());
        return;
    }
    json_line inner = json_line_begin();
    json_line_count(&inner, "sample", sample_of(f->def->report, contact->frame));
    json_line_count(&inner, "a", body_of(f, contact->pair.body_a));
    json_line_count(&inner, "b", body_of(f, contact->pair.body_b));
    json_line_count(&inner, "face_a", contact->face_a);
    json_line_count(&inner, "face_b", contact->face_b);
    add_point(&inner, &contact->pair.at);
    json_line_nest(line, key, &inner);
}

static void add_meetings(json_line *line, const page_frames *f)
{
    const check_report *report = f->def->report;
    json_t *list = json_array();
    for (uint32_t i = 0; i < report->meeting_count; i++) {
        const check_meeting *m = &report->meetings[i];
        json_line inner = json_line_begin();
        json_line_count(&inner, "a", body_of(f, m->body_a));
        json_line_count(&inner, "b", body_of(f, m->body_b));
        json_line_count(&inner, "frames", m->frames);
        json_line_count(&inner, "first", sample_of(report, m->first));
        json_line_count(&inner, "most", m->most);
        json_line_count(&inner, "worst", sample_of(report, m->most_frame));
        json_line_append(line, list, &inner);
    }
    json_line_value(line, "meetings", list);
}

/* Of the step from a sample to the next one; `share` of that way is gone. */
static void add_impacts(json_line *line, const page_frames *f)
{
    const check_report *report = f->def->report;
    json_t *list = json_array();
    char words[2 * CHECK_FEATURE_MAX];
    for (uint32_t i = 0; i < report->frame_count; i++) {
        const check_impact *impact = &report->frames[i].impact;
        if (!impact->found) continue;
        json_line inner = json_line_begin();
        json_line_count(&inner, "sample", i);
        json_line_real(&inner, "share", impact->impact.time);
        json_line_count(&inner, "a", body_of(f, impact->body_a));
        json_line_count(&inner, "b", body_of(f, impact->body_b));
        json_line_text(&inner, "feature_a", check_feature_words(&impact->impact.a, words));
        json_line_text(&inner, "feature_b", check_feature_words(&impact->impact.b, words));
        add_point(&inner, &impact->impact.contact.point_a);
        json_line_append(line, list, &inner);
    }
    json_line_value(line, "impacts", list);
}

static void add_findings(json_line *line, const page_frames *f)
{
    const check_report *report = f->def->report;
    const check_options *options = report->options;
    json_line inner = json_line_begin();
    json_line_real(&inner, "distance", options->distance);
    json_line_flag(&inner, "strict", options->strict);
    json_line_flag(&inner, "rest", options->rest);
    json_line_flag(&inner, "self", !options->no_self);
    json_line_flag(&inner, "continuous", options->continuous);
    json_line_count(&inner, "looked_at", report->frame_count);
    json_line_count(&inner, "wanted", report->samples->count);
    add_counts(&inner, report, f->def->kept);
    add_contact(&inner, "first", f, &report->first);
    add_contact(&inner, "first_self", f, &report->first_self);
    add_meetings(&inner, f);
    add_impacts(&inner, f);
    json_line_nest(line, "found", &inner);
}

/* ---- all ---- */

json_t *page_head_create(const page_frames *f, size_t byte_count)
{
    const target *t = f->def->target;
    json_line line = json_line_begin();
    json_line_text(&line, "willow", version_text());
    json_line_value(&line, "title", words_json(t->title));
    json_line_value(&line, "command", words_json(f->def->command));
    json_line_text(&line, "up", t->scene != NULL ? "z" : "y");
    json_line_flag(&line, "has_times", t->scene == NULL && t->clip->key_count > 1);
    json_line_count(&line, "bytes", byte_count);
    add_notes(&line, t->clip);
    add_bodies(&line, f);
    add_meshes(&line, f);
    add_samples(&line, f);
    if (f->def->report != NULL) add_findings(&line, f);
    if (line.fine) return line.object;
    json_decref(line.object);
    return NULL;
}
