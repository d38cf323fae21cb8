/* side.h - one contender of a row: a world in which the slab is cut, step by step. */
#ifndef BENCH_EDITS_SIDE_H
#define BENCH_EDITS_SIDE_H

#include "bench/edits/edits.h"
#include "scenes/cutting.h"

typedef struct edits_side {
    edits_side_kind kind;
    cutting cut;
    willow_edit edit;
    willow_tree_def tree;
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id slab, blade;
    float (*positions)[3];   /* of this step */
    uint32_t (*live)[3];     /* triangles that are there, for those who recreate */
    uint32_t first_vertices; /* of the plain side, whose mesh stays as it was */
    double ms;               /* of all steps */
    uint64_t removed, added;
    bool found; /* a pair, in every step */
} edits_side;

/* An exit code; destroy it in any case. */
int edits_side_create(edits_side *s, edits_side_kind kind, const edits_def *def,
                      const engine_options *engine);
void edits_side_destroy(edits_side *s);

/* One step, timed. False in *goes_on if all is cut. An exit code. */
int edits_side_step(edits_side *s, bool *goes_on);

/* All pairs of slab and blade at 32 places along the cut, the last one where it ends, and what was
 * looked at for them. An exit code. */
int edits_side_count(edits_side *s, uint64_t *pairs, double *tests);

/* After the last step: half of the triangles go; the slab is split in two, and merged again. Each
 * is timed. Exit codes. */
int edits_side_halve(edits_side *s, double *ms);
int edits_side_split(edits_side *s, double *split_ms, double *merge_ms);

#endif
