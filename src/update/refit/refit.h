/* refit.h - makes the boxes of a tree true again, leaves first.
 *
 * The two halves are apart because setting vertices does the first: reading the user's array,
 * checking it, storing it in hierarchy order and bounding the leaves are one pass, and that pass is
 * the floor of every update that knows nothing of the motion. */
#ifndef WI_UPDATE_REFIT_REFIT_H
#define WI_UPDATE_REFIT_REFIT_H

#include "base/kernel.h"
#include "tree/tree.h"

/* How leaves [first_node, last_node) get their boxes, compiled per instruction set. */
typedef struct wi_refit_kernels {
    /* From the user's array, storing each vertex in its place of `stored` unless that is NULL;
     * false if a number is not finite. */
    bool (*leaves_from_source)(const wi_tree *h, uint32_t first_node, uint32_t last_node,
                               wi_source source, wi_point *stored);
    /* From the stored positions. */
    void (*leaves_from_places)(const wi_tree *h, uint32_t first_node, uint32_t last_node);
    /* From the leaves up; stamps all nodes and sets the bounds of the whole. */
    void (*merge)(wi_tree *h, uint64_t revision);
    /* The same for the leaves and nodes that are touched, from the stored positions; returns how
     * many nodes these are. */
    size_t (*merge_touched)(wi_tree *h, uint64_t revision);
} wi_refit_kernels;

const wi_refit_kernels *wi_refit_kernels_for(willow_kernel kernel);

/* Stages new positions for all vertices of the tree's mesh and bounds the leaves by them. False if
 * one is not finite: the leaves are then bounded by the current positions again. */
bool wi_refit_take(willow_kernel kernel, const willow_tasks *tasks, wi_tree *h, wi_mesh *mesh,
                   wi_source source);

/* The part of it that has nothing to do with leaves: stages the vertices that none has, and tests
 * those that were merged. False if one is not finite. */
bool wi_refit_stage_rest(const wi_tree *h, wi_mesh *mesh, wi_source source);

/* Bounds the leaves by the current positions, stored or borrowed. */
void wi_refit_leaves(const wi_refit_kernels *kernels, const willow_tasks *tasks, wi_tree *h);

#endif
