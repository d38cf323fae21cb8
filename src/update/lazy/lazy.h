/* lazy.h - trees whose boxes are computed when a query opens them: TOP_DOWN and HYBRID.
 *
 * An update bounds the patches of the tree (update/lazy/patches.h), that is the runs of places that
 * they own, in the pass that reads the positions, and the whole. The first query that opens the
 * root adds the outlines of the patches, which is little work but none where bodies are apart, and
 * bounds the nodes above them; every other node waits for the first query that opens it. */
#ifndef WI_UPDATE_LAZY_LAZY_H
#define WI_UPDATE_LAZY_LAZY_H

#include "update/lazy/patches.h"
#include "update/method.h"

/* Compiled per instruction set. */
typedef struct wi_lazy_kernels {
    /* Bounds the runs of patches [first, last) by the user's array, storing each vertex in its
     * place of `stored`; false if a number is not finite. */
    bool (*take)(wi_tree *h, uint32_t first, uint32_t last, wi_source source, wi_point *stored);

    /* Bounds them by the current positions, stored or borrowed. */
    void (*bound)(wi_tree *h, uint32_t first, uint32_t last);

    wi_refresh *refresh;
} wi_lazy_kernels;

const wi_lazy_kernels *wi_lazy_kernels_for(willow_kernel kernel);

/* Stages new positions for all vertices of the tree's mesh and bounds the patches by them. False if
 * one is not finite: the patches are then bounded by the current positions again. */
bool wi_lazy_take(willow_kernel kernel, const willow_tasks *tasks, wi_tree *h, wi_mesh *mesh,
                  wi_source source);

/* The same for the patches of `keeper`, which need not be the one that acts. */
bool wi_lazy_take_kept(willow_kernel kernel, const willow_tasks *tasks, wi_tree *h, wi_mesh *mesh,
                       wi_source source, const wi_keeper *keeper);

/* Whether there are patches that wi_lazy_take_kept may bound. */
bool wi_lazy_has_patches(const wi_keeper *keeper);

/* After wi_update_build_or_renew: bounds the patches at this level (see wi_patches_make), which are
 * the state of `keeper`, and the whole. */
willow_result wi_lazy_bound(wi_update *u, wi_keeper *keeper, uint32_t level);

/* The same for the nodes that are touched. */
void wi_lazy_bound_touched(wi_update *u);

/* All of that, for a method whose trees are kept by patches. */
willow_result wi_lazy_update(wi_update *u, uint32_t level);

/* Opens all nodes; after an update of a few vertices those that these touch. */
void wi_lazy_open_all(wi_update *u);

/* The level of HYBRID. */
uint32_t wi_hybrid_level(const willow_tree_def *def);

#endif
