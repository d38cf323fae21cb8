/* check.h - what `willow check` was asked for, and what it found.
 *
 *   check.c        options from the command line, and what the command ends with
 *   check_run.c    plays the frames, and keeps what was found in each
 *   check_step.c   the first impact on the way from a frame to the next one
 *   check_print.c  for people: summary, chart, table
 *   check_json.c   for programs: a line per frame and one for the whole */
#ifndef CLI_CHECK_H
#define CLI_CHECK_H

#include "bench/play/engine.h"
#include "bench/play/player.h"
#include "scenes/scenes.h"

typedef struct check_options {
    const char *target;
    engine_options engine;
    const char *frames; /* as on the command line; NULL for all */
    uint32_t limit;     /* of pairs listed per frame; 0: none */
    bool no_self;
    bool impacts; /* look also at what happens between frames */
    bool json;
    bool pairs; /* list them */
    bool verbose;
    bool quiet;
} check_options;

/* The first impact of a step, bodies by their numbers in the world, from 1 on, as everywhere. */
typedef struct check_impact {
    bool found;
    uint32_t body_a, body_b;
    willow_impact impact;
} check_impact;

/* What one frame has. The first one is there when the world is made, so its update takes no time.
 */
typedef struct check_frame {
    uint32_t number;
    uint64_t pairs, self_pairs; /* between bodies, within bodies */
    double update_ms, query_ms;
    bool has_step; /* to the next frame, and it was looked at */
    check_impact impact;
} check_frame;

/* The first pair in order of the first frame that has one. */
typedef struct check_contact {
    bool found;
    uint32_t frame, body_a, body_b, tri_a, tri_b;
} check_contact;

typedef struct check_report {
    const check_options *options;
    const scene *scene;
    const char *method, *kernel; /* in use */
    check_frame *frames;
    uint32_t frame_count;
    check_contact first, first_self;
    uint32_t
        worst;    /* its place in `frames`: the first of those with the most pairs of both kinds */
    uint32_t hit; /* frames with pairs of any kind */
    uint32_t steps, steps_hit;  /* that were looked at, and those with impacts */
    check_frame first_step_hit; /* if there are any */
    uint64_t pairs, self_pairs;
    double update_ms, query_ms; /* of all frames */
    double setup_ms;
} check_report;

/* Frames from `first` to `last` of the scene. False on failure, which has then been said on
 * standard error; destroy the report in any case. */
bool check_run(check_report *report, const scene *s, const check_options *options, uint32_t first,
               uint32_t last);
void check_report_destroy(check_report *report);

/* Looks at the step from this frame, in which the player stands, to the next one: what it finds is
 * noted in the frame. `targets` is room for positions, which the player keeps. False on failure,
 * with words in the player's message. */
bool check_step(player *p, float **targets, check_frame *frame);

/* "vertex 12", "edge 3-7" or "face 5". */
enum { CHECK_FEATURE_MAX = 48 };
const char *check_feature_text(const willow_feature *feature, char out[CHECK_FEATURE_MAX]);

/* Means per frame; the first frame has no update. */
double check_update_mean(const check_report *report);
double check_query_mean(const check_report *report);

/* For people. */
void check_print_pairs(const check_frame *frame, const willow_pairs *pairs, uint32_t limit);
void check_print(const check_report *report);

/* For programs. The frame's line is printed at once; the summary is an exit code. */
void check_json_frame(const check_frame *frame, const willow_pairs *pairs,
                      const check_options *options);
int check_json_summary(const check_report *report);

#endif
