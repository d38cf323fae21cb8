/* brute.h - all pairs of triangles without a tree: the oracle. */
#ifndef WI_WALK_BRUTE_H
#define WI_WALK_BRUTE_H

#include "walk/box/box_walk.h"
#include "walk/pairs/pair_walk.h"
#include "walk/step/step_walk.h"

/* Where a brute walk goes on after a pause; start with {0}. */
typedef struct wi_brute_at {
    uint32_t a, b; /* slots; b counts from the first one after a within one body */
} wi_brute_at;

/* Pushes the keys of all pairs, until pause_at; *at says where to go on. True in *done if there is
 * no more. False if there is no memory. */
bool wi_brute_run(wi_pair_walk *walk, const wi_mesh *a, const wi_mesh *b, wi_brute_at *at,
                  bool *done);

/* Whether two triangles are one of these pairs; within one body the lower slot first. */
bool wi_brute_are_pair(wi_pair_walk *walk, const wi_mesh *a, uint32_t slot_a, const wi_mesh *b,
                       uint32_t slot_b);

/* The contacts of all pairs of triangles of the two bodies at hand (walk->step). False if there is
 * no memory. */
bool wi_brute_run_step(wi_step_walk *walk);

/* The slots of the triangles that meet the box, in the same way. */
bool wi_brute_run_box(wi_box_walk *walk, const wi_mesh *mesh, const wi_box *box, wi_brute_at *at,
                      bool *done);

#endif
