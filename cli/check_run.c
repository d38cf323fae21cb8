/* check_run.c - plays the frames of a scene and keeps what was found in each.
 *
 * Way in: check_run. One question per frame gives both kinds of pairs: runs of one body with itself
 * are the pairs within. Lists are printed as they come, since all of them may not fit in memory. */
#include "bench/common/clock.h"
#include "bench/common/complain.h"
#include "bench/common/terminal.h"
#include "bench/play/engine.h"
#include "bench/play/player.h"
#include "cli/check.h"

#include <inttypes.h>
#include <stdlib.h>

static bool is_self(const willow_pair_run *run) { return run->body_a.index1 == run->body_b.index1; }

static void note_contact(check_contact *contact, const willow_pair_run *run,
                         const willow_pairs *pairs, uint32_t frame)
{
    if (contact->found) return;
    willow_tri_pair first = pairs->items[run->first];
    *contact = (check_contact){.found = true,
                               .frame = frame,
                               .body_a = run->body_a.index1,
                               .body_b = run->body_b.index1,
                               .tri_a = first.tri_a,
                               .tri_b = first.tri_b};
}

static void note_runs(check_report *report, check_frame *frame, const willow_pairs *pairs)
{
    for (size_t i = 0; i < pairs->run_count; i++) {
        const willow_pair_run *run = &pairs->runs[i];
        bool self = is_self(run);
        *(self ? &frame->self_pairs : &frame->pairs) += run->count;
        note_contact(self ? &report->first_self : &report->first, run, pairs, frame->number);
    }
}

static uint64_t weight(const check_frame *frame) { return frame->pairs + frame->self_pairs; }

static void add_frame(check_report *report, const check_frame *frame)
{
    uint32_t place = report->frame_count++;
    report->frames[place] = *frame;
    report->pairs += frame->pairs;
    report->self_pairs += frame->self_pairs;
    report->update_ms += frame->update_ms;
    report->query_ms += frame->query_ms;
    report->hit += weight(frame) > 0;
    if (weight(frame) > weight(&report->frames[report->worst])) report->worst = place;
    report->steps += frame->has_step;
    if (!frame->impact.found) return;
    if (report->steps_hit++ == 0) report->first_step_hit = *frame;
}

/* Room for positions: those of a frame and, for --impacts, of the next one. */
typedef struct check_arrays {
    float **now, **next;
} check_arrays;

/* Positions are made before the clock starts: they are the caller's work, not the library's. */
static bool check_run_go(player *p, float **positions, check_frame *frame)
{
    scene_arrays_fill(p->scene, frame->number, positions);
    player_prepare(p, frame->number);
    double start = now_ms();
    if (!player_go(p, frame->number, NULL)) return false;
    frame->update_ms = now_ms() - start;
    return true;
}

/* The step comes first, since the pairs must stay until they are printed; they do not see it. */
static bool look(player *p, check_arrays arrays, bool has_step, check_frame *frame,
                 willow_pairs *pairs)
{
    if (has_step && !check_step(p, arrays.next, frame)) return false;
    double start = now_ms();
    if (!player_find_pairs(p, pairs)) return false;
    frame->query_ms = now_ms() - start;
    return true;
}

static void print_frame(const check_options *options, const check_frame *frame,
                        const willow_pairs *pairs)
{
    if (!options->json && !options->pairs) return;
    if (terminal_columns() > 0) progress_clear();
    if (options->json) {
        check_json_frame(frame, pairs, options);
    } else {
        check_print_pairs(frame, pairs, options->limit);
    }
}

static bool check_run_play(check_report *report, player *p, check_arrays arrays, uint32_t first,
                           uint32_t last)
{
    const check_options *options = report->options;
    for (uint32_t number = first; number <= last; number++) {
        check_frame frame = {.number = number};
        willow_pairs pairs;
        if (!options->quiet) progress_show(number - first, last - first + 1);
        bool has_step = options->impacts && number < last;
        if ((number > first && !check_run_go(p, arrays.now, &frame)) ||
            !look(p, arrays, has_step, &frame, &pairs)) {
            complain("check", "frame %" PRIu32 ": %s", number, p->message);
            return false;
        }
        note_runs(report, &frame, &pairs);
        add_frame(report, &frame);
        print_frame(options, &frame, &pairs);
        if (options->quiet && report->hit + report->steps_hit > 0) break;
    }
    progress_clear();
    return true;
}

/* What AUTO became, if it became the same for all bodies. */
static const char *method_in_use(const player *p, const engine_options *engine)
{
    willow_method method = engine->tree.method;
    for (uint32_t i = 0; i < p->scene->body_count; i++) {
        willow_body_info info;
        if (willow_body_get_info(p->world, p->bodies[i], &info) != WILLOW_OK) break;
        if (i > 0 && info.tree.method != method) return willow_method_name(WILLOW_METHOD_AUTO);
        method = info.tree.method;
    }
    return willow_method_name(method);
}

static bool check_run_create_player(check_report *report, player *p, uint32_t frame,
                                    float **positions, const bool *self)
{
    double start = now_ms();
    if (!player_create(p, report->scene, frame, positions, self, &report->options->engine)) {
        complain("check", "%s", p->message);
        return false;
    }
    p->query.witness = report->options->pairs;
    report->setup_ms = now_ms() - start;
    report->method = method_in_use(p, &report->options->engine);
    report->kernel = willow_kernel_name(willow_world_kernel(p->world));
    return true;
}

static bool play_with(check_report *report, check_arrays arrays, bool *self, uint32_t first,
                      uint32_t last)
{
    player p = {0};
    for (uint32_t i = 0; i < report->scene->body_count; i++) self[i] = !report->options->no_self;
    scene_arrays_fill(report->scene, first, arrays.now);
    bool fine = check_run_create_player(report, &p, first, arrays.now, self) &&
                check_run_play(report, &p, arrays, first, last);
    player_destroy(&p);
    return fine;
}

bool check_run(check_report *report, const scene *s, const check_options *options, uint32_t first,
               uint32_t last)
{
    *report = (check_report){.options = options, .scene = s};
    report->frames = calloc((size_t)(last - first) + 1, sizeof *report->frames);
    check_arrays arrays = {.now = scene_arrays_create(s),
                           .next = options->impacts ? scene_arrays_create(s) : NULL};
    bool *self = calloc((size_t)s->body_count + 1, sizeof *self);
    bool fine = report->frames != NULL && arrays.now != NULL && self != NULL &&
                (arrays.next != NULL || !options->impacts);
    if (fine) {
        fine = play_with(report, arrays, self, first, last);
    } else {
        complain("check", "out of memory");
    }
    scene_arrays_destroy(s, arrays.now);
    scene_arrays_destroy(s, arrays.next);
    free(self);
    return fine;
}

void check_report_destroy(check_report *report) { free(report->frames); }

double check_update_mean(const check_report *report)
{
    return report->frame_count > 1 ? report->update_ms / (report->frame_count - 1) : 0;
}

double check_query_mean(const check_report *report)
{
    return report->frame_count > 0 ? report->query_ms / report->frame_count : 0;
}
