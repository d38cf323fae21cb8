/* steps.h - steps whose single decisions are timed: all bodies as one mesh, at the start and
 * at the end of each step, with what may touch there. */
#ifndef BENCH_PROBES_STEPS_H
#define BENCH_PROBES_STEPS_H

#include "bench/peers/plain.h"
#include "scenes/candidates.h"

/* What is decided: both kinds of moving features, and triangles that stand still. */
typedef enum step_work {
    STEP_VERTEX_FACE = CANDIDATE_VERTEX_FACE,
    STEP_EDGE_EDGE = CANDIDATE_EDGE_EDGE,
    STEP_PLAIN,
    STEP_WORKS
} step_work;

/* Pairs that are timed: all, or one of `stride` if there are many. Triangles as plain_test_pairs
 * takes them. */
typedef struct step_list {
    plain_pair *items;
    size_t count;
    size_t total; /* of which these are a part */
    size_t stride;
} step_list;

typedef struct probe_step {
    double (*start)[3], (*end)[3];
    float *plain; /* the end, as the yardstick reads it */
    step_list lists[STEP_WORKS];
} probe_step;

enum { PROBE_STEPS_MAX = 4 };

typedef struct probe_steps {
    candidate_mesh mesh;
    uint32_t *body; /* by vertex */
    bool *self;     /* by body: things within it may touch */
    uint32_t body_count;
    probe_step items[PROBE_STEPS_MAX];
    uint32_t count;
} probe_steps;

/* Some steps of a scene, spread evenly over it; or the one between two files in PLY, of one body
 * that may touch itself. `reach` is how near is to touch. An exit code; destroy them in any case.
 */
int probe_steps_of_scene(probe_steps *s, const char *spec, double reach);
int probe_steps_of_files(probe_steps *s, const char *const files[2], double reach);
void probe_steps_destroy(probe_steps *s);

/* The yardstick's view of the end of a step. */
plain_mesh probe_step_plain(const probe_steps *s, const probe_step *step);

#endif
