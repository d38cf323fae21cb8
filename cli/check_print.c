/* check_print.c - what was found, for people: summary, who meets whom, chart, and a table of
 * frames.
 */
#include "bench/common/chart.h"
#include "bench/common/numbers.h"
#include "bench/play/engine.h"
#include "cli/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A table with more rows than this is for --verbose. */
enum { TABLE_ROWS = 16 };

/* ---- lists of pairs ---- */

static const char *body_name(const check_report *report, uint32_t body)
{
    return report->clip->bodies[body].name;
}

/* "Shirt face 17 meets Body face 912", "Shirt face 17 meets its own face 20". */
static void print_pair(const check_report *report, const check_pair *pair, uint32_t face_a,
                       uint32_t face_b)
{
    char verb[CHECK_VERB_MAX];
    printf("%s face %" PRIu32 " %s ", body_name(report, pair->body_a), face_a,
           check_verb(report->options, pair->distance, verb));
    if (pair->body_a == pair->body_b) {
        printf("its own face %" PRIu32, face_b);
    } else {
        printf("%s face %" PRIu32, body_name(report, pair->body_b), face_b);
    }
    printf(" at (%g, %g, %g)\n", (double)pair->at.x, (double)pair->at.y, (double)pair->at.z);
}

/* "frame 42: ", or as compilers print it, with the file first. */
static void print_place(const check_report *report, double number)
{
    if (report->options->output == CHECK_MESSAGES) printf("%s:", report->target->title);
    printf("frame %.10g: ", number);
}

static void check_print_run(const check_report *report, const check_sample *sample,
                            const willow_pair_run *run, size_t end)
{
    const clip_player *play = sample->asker->play;
    for (size_t i = run->first; i < end; i++) {
        const check_pair pair = check_found_pair(sample->asker, sample->found, run, i);
        print_place(report, sample->frame->number);
        print_pair(report, &pair, check_face(play, pair.body_a, pair.tri_a),
                   check_face(play, pair.body_b, pair.tri_b));
    }
}

void check_print_pairs(const check_report *report, const check_sample *sample)
{
    const check_found *found = sample->found;
    const uint32_t limit = report->options->limit;
    size_t listed = limit != 0 && limit < found->count ? limit : found->count;
    for (size_t i = 0; i < found->run_count && found->runs[i].first < listed; i++) {
        const willow_pair_run *run = &found->runs[i];
        size_t end = run->first + run->count;
        check_print_run(report, sample, run, end < listed ? end : listed);
    }
    if (listed < found->count) {
        print_place(report, sample->frame->number);
        printf("and %zu more\n", found->count - listed);
    }
}

/* ---- the summary ---- */

static bool has_between(const check_report *report)
{
    return report->body_count > 1 || report->options->no_self;
}

static void print_frames_word(const check_report *report)
{
    const check_frame *first = &report->frames[0], *last = &report->frames[report->frame_count - 1];
    if (report->frame_count == 1) {
        printf("frame %.10g", first->number);
    } else {
        printf("frames %.10g to %.10g", first->number, last->number);
    }
    if (!check_has_times(report)) return;
    if (report->frame_count == 1) {
        printf(" (%g s)", first->time);
    } else {
        printf(" (%g s to %g s)", first->time, last->time);
    }
}

/* Whether keys of a file that knows what is between them are farther apart than frames of a film.
 */
static bool has_wide_gaps(const check_report *report)
{
    const sample_list *s = report->samples;
    if (report->clip->is_sampled || s->has_fps) return false;
    for (uint32_t i = 1; i < s->count; i++) {
        if (s->times[i] - s->times[i - 1] > 1.0 / 8) return true;
    }
    return false;
}

static void check_print_head(const check_report *report)
{
    const engine_options *engine = &report->options->engine;
    const uint32_t bodies = report->body_count;
    printf("%s\n%" PRIu32 " bod%s, %" PRIu64 " triangle%s, ", report->target->title, bodies,
           bodies == 1 ? "y" : "ies", report->triangles, plural(report->triangles));
    print_frames_word(report);
    printf("; method %s, %" PRIu32 " thread%s, kernel %s\n", report->method, engine->threads,
           plural(engine->threads), report->kernel);
    for (uint32_t i = 0; i < report->clip->note_count; i++) {
        printf("note: %s\n", report->clip->notes[i]);
    }
    if (report->options->no_self && bodies == 1) {
        puts("note: there is one body, and --no-self leaves nothing to check");
    }
    if (has_wide_gaps(report)) {
        puts("note: some keys of the file are far apart; --fps 24 looks between them, too");
    }
    putchar('\n');
}

/* What was looked for. */
static void print_what(const check_report *report, const char *few, const char *none)
{
    if (report->options->distance > 0) {
        printf("%s within %g", few, report->options->distance);
    } else {
        printf("%s", none);
    }
}

static void print_verdict(const check_report *report)
{
    uint32_t count = report->frame_count;
    if (report->hit == 0) {
        print_what(report, "Nothing comes", "No collisions");
        printf(" in %" PRIu32 " frame%s%s.\n", count, plural(count),
               report->steps_hit > 0 ? ", but between them" : "");
    } else {
        print_what(report, "Bodies come", "Collisions");
        printf(" in %" PRIu32 " of %" PRIu32 " frame%s.\n", report->hit, count, plural(count));
    }
    if (report->options->first && count < report->samples->count) {
        printf("Ended there: %" PRIu32 " of %" PRIu32 " frames were looked at.\n", count,
               report->samples->count);
    }
    putchar('\n');
}

static void print_when(const check_report *report, double frame, double time)
{
    printf("frame %.10g", frame);
    if (check_has_times(report)) printf(" (%.4g s)", time);
    printf(": ");
}

static void print_contact(const check_report *report, const char *title,
                          const check_contact *contact, bool was_asked)
{
    if (!was_asked) return;
    printf("%-20s", title);
    if (!contact->found) {
        puts("none");
        return;
    }
    print_when(report, contact->frame, contact->time);
    print_pair(report, &contact->pair, contact->face_a, contact->face_b);
}

static void print_counts(const check_report *report, uint64_t pairs, uint64_t self_pairs)
{
    if (!has_between(report)) {
        printf("%" PRIu64 " pair%s\n", self_pairs, plural(self_pairs));
        return;
    }
    printf("%" PRIu64 " pair%s between bodies", pairs, plural(pairs));
    if (!report->options->no_self) printf(", %" PRIu64 " within", self_pairs);
    putchar('\n');
}

static void print_findings(const check_report *report)
{
    const check_frame *worst = &report->frames[report->worst];
    print_contact(report, "first contact", &report->first, has_between(report));
    print_contact(report, "first self contact", &report->first_self, !report->options->no_self);
    printf("%-20s", "worst frame");
    print_when(report, worst->number, worst->time);
    print_counts(report, worst->pairs, worst->self_pairs);
    printf("%-20s", "in all frames");
    print_counts(report, report->pairs, report->self_pairs);
}

static void print_rest(const check_report *report)
{
    printf("%-20s", "at rest");
    if (report->rest_pairs == 0) {
        puts("nothing meets in the rest pose");
        return;
    }
    printf("%" PRIu64 " pair%s meet%s in the rest pose; not counted above, %" PRIu64
           " times in all frames\n",
           report->rest_pairs, plural(report->rest_pairs), report->rest_pairs == 1 ? "s" : "",
           report->at_rest);
}

/* The face is that of the file; vertices are those that Willow has. */
static void print_feature(const check_report *report, uint32_t body, const willow_feature *feature)
{
    char number[CHECK_FEATURE_MAX];
    printf("%s %s %s", body_name(report, body), check_feature_kind(feature),
           check_feature_number(feature, number));
}

static void print_impacts(const check_report *report)
{
    const check_frame *frame = &report->first_step_hit;
    const check_impact *impact = &frame->impact;
    printf("%-20s", "first impact");
    if (report->steps_hit == 0) {
        printf("none in %" PRIu32 " step%s\n", report->steps, plural(report->steps));
    } else {
        printf("frame %.10g + %.6f: ", frame->number,
               impact->impact.time * (frame->next_number - frame->number));
        print_feature(report, impact->body_a, &impact->impact.a);
        printf(" %s ", impact->impact.is_decided ? "touches" : "may touch");
        print_feature(report, impact->body_b, &impact->impact.b);
        printf("\n%-20s%" PRIu32 " of %" PRIu32 "\n", "steps with impacts", report->steps_hit,
               report->steps);
    }
    printf("%-20s%s\n", "between frames", "vertices go straight; rigid bodies turn about one axis");
    if (report->steps_without == 0) return;
    printf("%-20s%" PRIu32 " step%s, since triangles change there\n", "not looked at",
           report->steps_without, plural(report->steps_without));
}

/* Meshes whose vertices were split, and things that lie on each other, touch all the time. */
static void print_hint(const check_report *report)
{
    const check_contact *first = &report->first, *self = &report->first_self;
    const bool is_touching =
        (first->found && !first->is_crossing) || (self->found && !self->is_crossing);
    if (!is_touching || report->options->strict || report->options->distance > 0) return;
    printf("%-20s%s\n", "hint",
           "some of these only touch; --strict leaves out what does not go through");
}

/* Of a wall whose pieces were taken for frames, say. */
static void print_remade(const check_report *report)
{
    if (report->remade == 0) return;
    printf("%-20s%" PRIu32 " time%s a body was made anew, since its triangles changed\n",
           "other meshes", report->remade, plural(report->remade));
}

/* By an animated scale of 0, say. */
static void print_hidden(const check_report *report)
{
    if (report->hidden == 0) return;
    printf("%-20s%" PRIu32 " time%s a body was left out, since the file hides it in that frame\n",
           "hidden", report->hidden, plural(report->hidden));
}

/* The first frame has no update. */
static void print_times(const check_report *report)
{
    printf("%-20s", "time per frame");
    if (report->frame_count > 1) printf("%.3f ms update, ", check_update_mean(report));
    printf("%.3f ms query; %.1f ms to set up\n", check_query_mean(report), report->setup_ms);
    if (report->target->scene != NULL || report->frame_count < 2) return;
    const double speed = check_frames_per_second(report);
    printf("%-20s%.*f frames per second, reading included\n", "speed", speed < 100 ? 1 : 0, speed);
}

/* ---- who meets whom ---- */

enum { LISTED_MEETINGS = 12 };

static void print_meeting(const check_report *report, const check_meeting *m)
{
    const char *a = body_name(report, m->body_a), *b = body_name(report, m->body_b);
    char who[64];
    if (m->body_a == m->body_b) {
        snprintf(who, sizeof who, "%.40s itself", a);
    } else {
        snprintf(who, sizeof who, "%.28s, %.28s", a, b);
    }
    char most[48];
    snprintf(most, sizeof most, "%" PRIu64 " in frame %.10g", m->most, m->most_frame);
    printf("%-32s %8" PRIu32 " %8.10g  %s\n", who, m->frames, m->first, most);
}

/* Puts the worst of those from `first` on there, the others staying in their order, which is that
 * of bodies. */
static void bring_worst(check_report *report, uint32_t first)
{
    check_meeting *all = report->meetings;
    uint32_t worst = first;
    for (uint32_t i = first; i < report->meeting_count; i++) {
        if (all[i].most > all[worst].most) worst = i;
    }
    const check_meeting found = all[worst];
    memmove(&all[first + 1], &all[first], (worst - first) * sizeof *all);
    all[first] = found;
}

static void print_meetings(check_report *report)
{
    uint32_t listed = report->meeting_count;
    if (!report->options->verbose && listed > LISTED_MEETINGS) listed = LISTED_MEETINGS;
    printf("\n%-32s %8s %8s  %s\n", "who meets", "frames", "first", "most pairs");
    for (uint32_t i = 0; i < listed; i++) {
        bring_worst(report, i);
        print_meeting(report, &report->meetings[i]);
    }
    if (listed < report->meeting_count) {
        printf("%" PRIu32 " more; --verbose lists them all.\n", report->meeting_count - listed);
    }
}

/* ---- the chart ---- */

enum { LABEL_WIDTH = 20, MOST_WIDTH = 18 };

static uint64_t pairs_of(const void *frames, uint32_t i)
{
    return ((const check_frame *)frames)[i].pairs;
}

static uint64_t self_pairs_of(const void *frames, uint32_t i)
{
    return ((const check_frame *)frames)[i].self_pairs;
}

static void print_chart_line(const char *label, const chart_series *series, uint32_t width)
{
    uint64_t highest = chart_highest(series);
    printf("%-*s", LABEL_WIDTH, label);
    if (highest == 0) {
        puts("none");
        return;
    }
    chart_print(series, width);
    printf("  most %" PRIu64 "\n", highest);
}

/* The numbers of the first and the last frame under the ends of the chart. */
static void print_axis(const check_report *report, uint32_t width)
{
    char first[32], last[32];
    int used = snprintf(first, sizeof first, "%.10g", report->frames[0].number);
    used += snprintf(last, sizeof last, "%.10g", report->frames[report->frame_count - 1].number);
    int gap = (int)width - used;
    printf("%-*s%s%*s%s\n", LABEL_WIDTH, "frame", first, gap > 1 ? gap : 1, "", last);
}

static void print_chart(const check_report *report)
{
    uint32_t width = chart_width(report->frame_count, LABEL_WIDTH + MOST_WIDTH);
    chart_series between = {pairs_of, report->frames, report->frame_count};
    chart_series within = {self_pairs_of, report->frames, report->frame_count};
    putchar('\n');
    if (has_between(report)) print_chart_line("between bodies", &between, width);
    if (!report->options->no_self) print_chart_line("within bodies", &within, width);
    print_axis(report, width);
}

/* ---- the table ---- */

/* One row: frames [first, end) of the report. */
typedef struct table_row {
    uint32_t first, end;
} table_row;

static void check_print_row(const check_report *report, table_row row)
{
    uint64_t pairs = 0, self_pairs = 0;
    for (uint32_t i = row.first; i < row.end; i++) {
        const check_frame *frame = &report->frames[i];
        if (frame->pairs > pairs) pairs = frame->pairs;
        if (frame->self_pairs > self_pairs) self_pairs = frame->self_pairs;
    }
    char frames[48];
    double first = report->frames[row.first].number, last = report->frames[row.end - 1].number;
    if (row.end - row.first == 1) {
        snprintf(frames, sizeof frames, "%.10g", first);
    } else {
        snprintf(frames, sizeof frames, "%.10g-%.10g", first, last);
    }
    printf("%-12s", frames);
    if (has_between(report)) printf(" %14" PRIu64, pairs);
    if (!report->options->no_self) printf(" %14" PRIu64, self_pairs);
    putchar('\n');
}

static uint32_t equal_end(const check_report *report, uint32_t first)
{
    const check_frame *frames = report->frames;
    uint32_t end = first + 1;
    while (end < report->frame_count && frames[end].pairs == frames[first].pairs &&
           frames[end].self_pairs == frames[first].self_pairs) {
        end++;
    }
    return end;
}

/* The row that begins here: frames with equal counts if these are many, else `step` frames. */
static table_row check_row_at(const check_report *report, uint32_t first, uint32_t step)
{
    uint32_t end = equal_end(report, first), left = report->frame_count - first;
    if (end - first < step) end = first + (left < step ? left : step);
    return (table_row){first, end};
}

static uint32_t count_rows(const check_report *report, uint32_t step)
{
    uint32_t rows = 0;
    for (uint32_t i = 0; i < report->frame_count; i = check_row_at(report, i, step).end) rows++;
    return rows;
}

/* 1, 2, 5, 10, 20, 50 and so on: the least of these with which the table is short. */
static uint32_t short_step(const check_report *report)
{
    uint32_t step = 1;
    for (uint32_t i = 0; count_rows(report, step) > TABLE_ROWS; i++) {
        step = i % 3 == 1 ? step / 2 * 5 : step * 2;
    }
    return step;
}

static void print_table_head(const check_report *report)
{
    printf("\n%-12s", "frame");
    if (has_between(report)) printf(" %14s", "between bodies");
    if (!report->options->no_self) printf(" %14s", "within bodies");
    putchar('\n');
}

static void print_short_table(const check_report *report)
{
    uint32_t step = short_step(report);
    for (table_row row = {0}; row.end < report->frame_count;) {
        row = check_row_at(report, row.end, step);
        check_print_row(report, row);
    }
    if (step > 1) puts("Each row has the most of any of its frames; --verbose lists every frame.");
}

static void check_print_table(const check_report *report)
{
    print_table_head(report);
    if (!report->options->verbose) {
        print_short_table(report);
        return;
    }
    for (uint32_t i = 0; i < report->frame_count; i++)
        check_print_row(report, (table_row){i, i + 1});
}

/* Of one frame the findings say all that a chart and a table could. */
void check_print(check_report *report)
{
    bool found = report->hit > 0, has_course = found && report->frame_count > 1;
    if (found && report->options->pairs) putchar('\n');
    check_print_head(report);
    print_verdict(report);
    if (found) print_findings(report);
    if (found) print_hint(report);
    if (report->options->rest) print_rest(report);
    if (report->options->continuous) print_impacts(report);
    print_remade(report);
    print_hidden(report);
    print_times(report);
    if (report->meeting_count > 1) print_meetings(report);
    if (has_course) print_chart(report);
    if (has_course || report->options->verbose) check_print_table(report);
}
