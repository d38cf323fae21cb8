/* check_run.c - plays the samples of a clip and keeps what was found in each.
 *
 * Way in: check_run. One question per sample gives both kinds of pairs: runs of one body with
 * itself are the pairs within. Lists are printed as they come, since all of them may not fit in
 * memory. The next sample is read while this one is checked. */
#include "bench/common/clock.h"
#include "bench/common/complain.h"
#include "bench/common/progress.h"
#include "bench/common/terminal.h"
#include "bench/play/clip_reader.h"
#include "cli/check.h"
#include "cli/kept.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* All that is at work while samples are played. */
typedef struct check_work {
    check_report *report;
    const clip_role *roles;
    clip_reader *reader;
    clip_player play;
    check_asker asker;
} check_work;

/* ---- notes ---- */

static void note_contact(check_contact *contact, const check_asker *a, const check_found *found,
                         const willow_pair_run *run, const check_frame *frame)
{
    if (contact->found) return;
    *contact = (check_contact){.found = true, .frame = frame->number, .time = frame->time};
    contact->pair = check_found_pair(a, found, run, run->first);
    contact->face_a = check_face(a->play, contact->pair.body_a, contact->pair.tri_a);
    contact->face_b = check_face(a->play, contact->pair.body_b, contact->pair.tri_b);
    contact->is_crossing = check_pair_crosses(a, &contact->pair);
}

/* Its place among the meetings, or where it belongs. */
static uint32_t meeting_place(const check_report *report, uint32_t a, uint32_t b)
{
    uint32_t low = 0, high = report->meeting_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const check_meeting *m = &report->meetings[middle];
        if (m->body_a < a || (m->body_a == a && m->body_b < b)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool add_meeting(check_report *report, uint32_t place, uint32_t a, uint32_t b)
{
    if (report->meeting_count == report->meeting_capacity) {
        const uint32_t capacity = 2 * report->meeting_capacity + 16;
        check_meeting *grown = realloc(report->meetings, capacity * sizeof *grown);
        if (grown == NULL) return false;
        report->meetings = grown;
        report->meeting_capacity = capacity;
    }
    check_meeting *at = &report->meetings[place];
    memmove(at + 1, at, (report->meeting_count - place) * sizeof *at);
    *at = (check_meeting){.body_a = a, .body_b = b};
    report->meeting_count++;
    return true;
}

static bool note_meeting(check_report *report, const willow_pair_run *run, double number)
{
    const uint32_t a = (uint32_t)run->user_data_a, b = (uint32_t)run->user_data_b;
    const uint32_t place = meeting_place(report, a, b);
    const check_meeting *there = &report->meetings[place];
    const bool is_there = place < report->meeting_count && there->body_a == a && there->body_b == b;
    if (!is_there && !add_meeting(report, place, a, b)) return false;
    check_meeting *m = &report->meetings[place];
    if (m->frames++ == 0) m->first = number;
    if (run->count > m->most) {
        m->most = run->count;
        m->most_frame = number;
    }
    return true;
}

static bool note_runs(check_work *w, check_frame *frame, const check_found *found)
{
    check_report *report = w->report;
    frame->at_rest = found->at_rest;
    for (size_t i = 0; i < found->run_count; i++) {
        const willow_pair_run *run = &found->runs[i];
        const bool self = run->user_data_a == run->user_data_b;
        *(self ? &frame->self_pairs : &frame->pairs) += run->count;
        note_contact(self ? &report->first_self : &report->first, &w->asker, found, run, frame);
        if (!note_meeting(report, run, frame->number)) return false;
    }
    return report->kept == NULL || check_kept_add(report->kept, &w->asker, found);
}

static uint64_t weight(const check_frame *frame) { return frame->pairs + frame->self_pairs; }

static void add_frame(check_report *report, const check_frame *frame)
{
    uint32_t place = report->frame_count++;
    report->frames[place] = *frame;
    report->pairs += frame->pairs;
    report->self_pairs += frame->self_pairs;
    report->at_rest += frame->at_rest;
    report->update_ms += frame->update_ms;
    report->query_ms += frame->query_ms;
    report->hit += weight(frame) > 0;
    if (weight(frame) > weight(&report->frames[report->worst])) report->worst = place;
    report->steps += frame->has_step;
    if (!frame->impact.found) return;
    if (report->steps_hit++ == 0) report->first_step_hit = *frame;
}

/* ---- a sample ---- */

/* Positions are made before the clock starts: they are the caller's work, not the library's. */
static bool check_go(clip_player *p, const clip_frame *to, check_frame *frame)
{
    clip_player_prepare(p, to);
    double start = now_ms();
    if (!clip_player_go(p, to)) return false;
    frame->update_ms = now_ms() - start;
    return true;
}

/* The step comes first, since the pairs must stay until they are printed; they do not see it. */
static bool check_look(check_work *w, const clip_frame *next, check_frame *frame,
                       check_found *found)
{
    if (next != NULL) {
        if (!check_step(&w->play, next, frame)) return false;
        w->report->steps_without += !frame->has_step;
    }
    double start = now_ms();
    if (!check_ask(&w->asker, found)) return false;
    frame->query_ms = now_ms() - start;
    return true;
}

static void print_sample(const check_work *w, const check_frame *frame, const check_found *found)
{
    const check_options *options = w->report->options;
    const check_sample sample = {frame, &w->asker, found};
    if (options->output == CHECK_TEXT && !options->pairs) return;
    if (terminal_columns() > 0) progress_clear();
    switch (options->output) {
    case CHECK_TEXT:
    case CHECK_MESSAGES: check_print_pairs(w->report, &sample); break;
    case CHECK_JSON: check_json_frame(w->report, &sample); break;
    case CHECK_CSV: check_csv_frame(w->report, &sample); break;
    }
}

/* What was wrong with the file, or with the work. */
static bool complain_sample(const check_frame *frame, const char *words)
{
    progress_clear();
    complain("check", "frame %.10g: %s", frame->number, words);
    return false;
}

static bool check_sample_at(check_work *w, uint32_t i)
{
    check_report *report = w->report;
    const sample_list *s = report->samples;
    const bool is_last = i + 1 == s->count;
    check_frame frame = {.number = s->numbers[i],
                         .time = s->times[i],
                         .next_number = s->numbers[is_last ? i : i + 1],
                         .next_time = s->times[is_last ? i : i + 1]};
    check_found found;
    io_error error;
    const clip_frame *next = NULL, *now = clip_reader_get(w->reader, i, &error);
    if (now == NULL) return complain_sample(&frame, error.text);
    if (report->options->continuous && !is_last) {
        next = clip_reader_get(w->reader, i + 1, &error);
        if (next == NULL) return complain_sample(&frame, error.text);
    }
    if ((i > 0 && !check_go(&w->play, now, &frame)) || !check_look(w, next, &frame, &found)) {
        return complain_sample(&frame, w->play.message);
    }
    if (!note_runs(w, &frame, &found)) return complain_sample(&frame, "out of memory");
    add_frame(report, &frame);
    print_sample(w, &frame, &found);
    clip_reader_release(w->reader, i + 1);
    return true;
}

/* ---- all of them ---- */

static bool check_play(check_work *w)
{
    check_report *report = w->report;
    const check_options *options = report->options;
    const uint32_t count = report->samples->count;
    const double start = now_ms();
    const bool ends_early = options->quiet || options->first;
    for (uint32_t i = 0; i < count; i++) {
        if (!options->quiet) progress_show(i, count);
        if (!check_sample_at(w, i)) return false;
        if (ends_early && report->hit + report->steps_hit > 0) break;
    }
    progress_clear();
    report->play_ms = now_ms() - start;
    report->remade = w->play.remade;
    report->hidden = w->play.hidden;
    return true;
}

/* What AUTO became, if it became the same for all bodies. */
static const char *method_in_use(const clip_player *p)
{
    willow_method method = p->engine.tree.method;
    bool is_first = true;
    for (uint32_t i = 0; i < p->clip->body_count; i++) {
        willow_body_info info;
        if (!p->roles[i].is_played) continue;
        if (willow_body_get_info(p->world, p->bodies[i], &info) != WILLOW_OK) break;
        if (!is_first && info.tree.method != method) return willow_method_name(WILLOW_METHOD_AUTO);
        method = info.tree.method;
        is_first = false;
    }
    return willow_method_name(method);
}

static void count_bodies(check_report *report, const clip_role *roles)
{
    for (uint32_t i = 0; i < report->clip->body_count; i++) {
        if (!roles[i].is_played) continue;
        report->body_count++;
        report->triangles += report->clip->bodies[i].mesh.triangle_count;
    }
}

static bool check_begin(check_work *w)
{
    check_report *report = w->report;
    const check_options *options = report->options;
    const clip_player_def def = {.clip = report->clip,
                                 .roles = w->roles,
                                 .engine = &options->engine,
                                 .keeps_rest = options->distance > 0};
    io_error error;
    const clip_frame *first = clip_reader_get(w->reader, 0, &error);
    if (first == NULL) {
        complain("check", "%s", error.text);
        return false;
    }
    const double start = now_ms();
    if (!clip_player_create(&w->play, &def, first) ||
        !check_asker_create(&w->asker, &w->play, options)) {
        complain("check", "%s", w->play.message);
        return false;
    }
    report->setup_ms = now_ms() - start;
    report->rest_pairs = w->asker.rest.count;
    report->method = method_in_use(&w->play);
    report->kernel = willow_kernel_name(willow_world_kernel(w->play.world));
    return true;
}

bool check_run(check_report *report, const target *t, const check_options *options,
               const sample_list *s, const clip_role *roles, check_kept *kept)
{
    check_work w = {.report = report, .roles = roles};
    *report = (check_report){
        .options = options, .target = t, .clip = t->clip, .samples = s, .kept = kept};
    count_bodies(report, roles);
    report->frames = calloc(s->count, sizeof *report->frames);
    w.reader = clip_reader_create(t->clip, s->times, s->count, options->continuous ? 2 : 1);
    bool fine = report->frames != NULL && w.reader != NULL;
    if (!fine) complain("check", "out of memory");
    fine = fine && check_begin(&w) && check_play(&w);
    check_asker_destroy(&w.asker);
    clip_player_destroy(&w.play);
    clip_reader_destroy(w.reader);
    return fine;
}

void check_report_destroy(check_report *report)
{
    free(report->frames);
    free(report->meetings);
}

double check_update_mean(const check_report *report)
{
    return report->frame_count > 1 ? report->update_ms / (report->frame_count - 1) : 0;
}

double check_query_mean(const check_report *report)
{
    return report->frame_count > 0 ? report->query_ms / report->frame_count : 0;
}

double check_frames_per_second(const check_report *report)
{
    return report->play_ms > 0 ? 1000 * report->frame_count / report->play_ms : 0;
}
