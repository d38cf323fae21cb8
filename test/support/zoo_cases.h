/* zoo_cases.h - many worlds of the zoo against the answers that they must give.
 *
 * A case is one question, in several forms (pairs, self pairs, first, visit, box), to one world in
 * one frame. The quick and the slow oracle run the same cases, in other numbers and sizes. */
#ifndef TEST_ZOO_CASES_H
#define TEST_ZOO_CASES_H

#include "support/zoo_world.h"

typedef struct zoo_tally {
    size_t cases;
    size_t pairs; /* found, all in all */
    size_t posed; /* of these, without limits: with a body that its pose moves */
} zoo_tally;

/* Fails the test if nothing was found. */
void zoo_tally_print(const char *what, const zoo_tally *tally);
void zoo_tally_add(zoo_tally *sum, const zoo_tally *tally);

/* The leaf sizes and arities that every method is tried with. */
enum { ZOO_LEAF_SIZES = 8, ZOO_ARITIES = 3 };
extern const uint32_t zoo_leaf_sizes[ZOO_LEAF_SIZES];
extern const uint32_t zoo_arities[ZOO_ARITIES];

/* Two bodies of the kind and a third one, in worlds of every method, leaf size, arity and kernel,
 * builders and settings by turns, over some frames in which vertices move, poses change, or both.
 * Of all these worlds every `share`-th, other ones with another seed. */
void zoo_run_every_tree(zoo_kind kind, uint32_t size, uint32_t frames, uint32_t share,
                        uint64_t seed, zoo_tally *tally);

/* Two bodies of the kind, by turns of the same mesh, and a lattice, under poses of the kind; a
 * world of BRUTE and a few of random trees; every frame has other poses and some have other
 * vertices. */
void zoo_run_poses(zoo_kind kind, zoo_pose_kind pose, uint32_t size, uint32_t frames, uint64_t seed,
                   zoo_tally *tally);

/* One to five bodies of any kind with up to `size` triangles, categories and masks, posed or not;
 * worlds of random trees, formats, kernels and one to five threads; random questions; some frames.
 */
void zoo_run_random(uint32_t size, uint32_t frames, uint64_t seed, zoo_tally *tally);

#endif
