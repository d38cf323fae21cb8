/* check.h - what `willow check` was asked for, and what it found.
 *
 *   check.c         options from the command line, and what the command ends with
 *   check_bodies.c  which bodies are checked, and which of them against each other
 *   check_run.c     plays the samples, and keeps what was found in each
 *   check_find.c    asks what meets in a sample: --strict, --rest, --distance
 *   check_step.c    the first impact on the way from a sample to the next one
 *   check_words.c   what was found, in words that all outputs have in common
 *   check_print.c   for people: summary, chart, table
 *   check_json.c    for programs: a line per sample and one for the whole
 *   check_csv.c     for tables: a line per pair
 *   kept.c          pairs of all samples, kept for files that are written at the end */
#ifndef CLI_CHECK_H
#define CLI_CHECK_H

#include <stdio.h>
#include "bench/play/clip_player.h"
#include "bench/play/engine.h"
#include "cli/samples.h"
#include "cli/target.h"

/* How what was found is printed. */
typedef enum check_output { CHECK_TEXT, CHECK_JSON, CHECK_CSV, CHECK_MESSAGES } check_output;

/* "A,B" behind --between or --ignore. */
enum { CHECK_RULE_MAX = 32, CHECK_WRITE_MAX = 16 };
typedef struct check_rule {
    const char *option, *text;
    bool is_ignored;
} check_rule;

typedef struct check_options {
    engine_options engine;
    clip_options clip;
    sample_options samples;
    const char *only; /* names; NULL: all bodies */
    check_rule rules[CHECK_RULE_MAX];
    uint32_t rule_count;
    double distance; /* pairs that are so near; 0: that meet */
    bool strict;     /* pairs that touch, or share a vertex, do not count */
    bool rest;       /* pairs that meet at rest are apart */
    bool continuous; /* look also at what happens between samples */
    bool first;      /* end with the first sample that has something */
    bool no_self;
    check_output output;
    bool pairs;     /* list them */
    uint32_t limit; /* of pairs listed per sample; 0: none */
    bool verbose;
    bool quiet;
    const char *report; /* the file of a page; NULL: none */
    const char *shell;  /* the page without what was found; NULL: the one beside the tool */
    const char *written[CHECK_WRITE_MAX]; /* files for other programs: --write */
    uint32_t written_count;
    const char *command; /* the words that all this was asked with */
} check_options;

/* ---- check_bodies.c ---- */

/* The part that each body of the clip plays, for the caller to free. An exit code. */
int check_choose_bodies(const clip *c, const check_options *options, clip_role **out);

/* ---- check_find.c ---- */

/* Two triangles that meet, or are near to each other. */
typedef struct check_pair {
    uint32_t body_a, body_b; /* numbers in the clip */
    uint32_t tri_a, tri_b;
    willow_vec3 at; /* a point that they have in common, or midway between them */
    double distance;
} check_pair;

/* Pairs of a sample, which stay until the next question. */
typedef struct check_found {
    const willow_pair_run *runs;
    size_t run_count, count;
    const willow_tri_pair *pairs; /* or, with a distance: */
    const willow_near_pair *near;
    const willow_vec3 *points; /* of pairs; NULL: not asked for */
    uint64_t at_rest;          /* further ones, which meet at rest too */
} check_found;

/* Pairs as they were found, to be recognised: runs sorted, and each of them. */
typedef struct check_known {
    willow_pair_run *runs;
    willow_tri_pair *pairs;
    size_t run_count, count;
} check_known;

/* Whoever asks: what a question needs beside the player. */
typedef struct check_asker {
    clip_player *play;
    const check_options *options;
    check_known rest; /* with --rest */
    uint64_t at_rest; /* pairs that the filter found there */
} check_asker;

/* What meets at rest is looked for first, with --rest. False on failure, with words in the player's
 * message; destroy it in any case. */
bool check_asker_create(check_asker *a, clip_player *play, const check_options *options);
void check_asker_destroy(check_asker *a);
bool check_ask(check_asker *a, check_found *out);

/* The triangles of pair i. */
willow_tri_pair check_found_tris(const check_found *found, size_t i);

/* Pair i, which is in that run. */
check_pair check_found_pair(const check_asker *a, const check_found *found,
                            const willow_pair_run *run, size_t i);

/* Whether the two go through each other, and do not only touch. */
bool check_pair_crosses(const check_asker *a, const check_pair *pair);

/* ---- check_step.c ---- */

/* The first impact of a step, bodies by their numbers in the clip. */
typedef struct check_impact {
    bool found;
    uint32_t body_a, body_b;
    willow_impact impact;
} check_impact;

/* ---- check_run.c ---- */

/* What one sample has. The first one is there when the world is made, so its update takes no time.
 */
typedef struct check_frame {
    double number, time;
    double next_number, next_time; /* of the sample behind it; of the last one its own */
    uint64_t pairs, self_pairs;    /* between bodies, within bodies */
    uint64_t at_rest;              /* not among these */
    double update_ms, query_ms;
    bool has_step; /* to the next sample, and it was looked at */
    check_impact impact;
} check_frame;

/* The first pair in order of the first sample that has one. */
typedef struct check_contact {
    bool found;
    double frame, time;
    check_pair pair;
    uint32_t face_a, face_b;
    bool is_crossing; /* they go through each other, and do not only touch */
} check_contact;

/* Two bodies that meet, or one that meets itself. */
typedef struct check_meeting {
    uint32_t body_a, body_b;
    uint32_t frames; /* with pairs */
    double first;    /* of these */
    uint64_t most;   /* pairs in one of them: */
    double most_frame;
} check_meeting;

typedef struct check_report {
    const check_options *options;
    const target *target;
    const clip *clip;
    const sample_list *samples;
    const char *method, *kernel; /* in use */
    uint32_t body_count;         /* that were played */
    uint64_t triangles;
    check_frame *frames;
    uint32_t frame_count;
    check_contact first, first_self;
    check_meeting *meetings; /* sorted by the two bodies */
    uint32_t meeting_count, meeting_capacity;
    uint32_t
        worst;    /* its place in `frames`: the first of those with the most pairs of both kinds */
    uint32_t hit; /* samples with pairs of any kind */
    uint32_t steps, steps_hit;  /* that were looked at, and those with impacts */
    uint32_t steps_without;     /* that could not be, since triangles changed */
    check_frame first_step_hit; /* if there are any */
    uint64_t pairs, self_pairs, at_rest;
    uint64_t rest_pairs;        /* that meet at rest */
    uint32_t remade;            /* bodies that were made anew */
    uint32_t hidden;            /* how often one was left out, since it is hidden in a frame */
    double update_ms, query_ms; /* of all samples */
    double setup_ms, play_ms;   /* the second with all that there is, reading included */
    struct check_kept *kept;    /* pairs of all samples; NULL: nobody needs them */
} check_report;

/* Pairs are kept in `kept`, unless it is NULL. False on failure, which has then been said on
 * standard error; destroy the report in any case. */
bool check_run(check_report *report, const target *t, const check_options *options,
               const sample_list *s, const clip_role *roles, struct check_kept *kept);
void check_report_destroy(check_report *report);

/* Looks at the step from where the player stands to that frame: what it finds is noted. False on
 * failure, with words in the player's message. */
bool check_step(clip_player *p, const clip_frame *to, check_frame *frame);

/* Means per sample; the first one has no update. */
double check_update_mean(const check_report *report);
double check_query_mean(const check_report *report);
double check_frames_per_second(const check_report *report);

/* ---- check_words.c ---- */

/* The face of the file that a triangle is of. */
uint32_t check_face(const clip_player *p, uint32_t body, uint32_t tri);

/* "vertex 12", "edge 3-7" or "face 5", in two parts and whole. */
enum { CHECK_FEATURE_MAX = 48 };
const char *check_feature_kind(const willow_feature *feature);
const char *check_feature_number(const willow_feature *feature, char out[CHECK_FEATURE_MAX]);
const char *check_feature_words(const willow_feature *feature, char out[2 * CHECK_FEATURE_MAX]);

/* "meets", "touches" or "is 0.01 from", as pairs are. */
enum { CHECK_VERB_MAX = 48 };
const char *check_verb(const check_options *options, double distance, char out[CHECK_VERB_MAX]);

/* Whether times in seconds mean something to who asked. */
bool check_has_times(const check_report *report);

/* ---- outputs ---- */

typedef struct check_sample {
    const check_frame *frame;
    const check_asker *asker;
    const check_found *found;
} check_sample;

/* For people. */
void check_print_pairs(const check_report *report, const check_sample *sample);
void check_print(check_report *report); /* sorts the meetings, the worst first */

/* For programs. The line of a sample is printed at once; the summary is an exit code. */
void check_json_frame(const check_report *report, const check_sample *sample);
int check_json_summary(const check_report *report);

/* For tables. */
void check_csv_head(void);
void check_csv_frame(const check_report *report, const check_sample *sample);

#endif
