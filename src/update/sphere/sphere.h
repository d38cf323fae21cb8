/* sphere.h - SPHERE: a tree of cells that grows where queries come, and is cut where none do.
 *
 * After Rodriguez and Franquesa 2005. An update of a body whose vertices moved, or that was edited,
 * leaves its root; any other one cuts the branches that nobody has asked for in a while, and
 * enlarges the pool where growing had to stop (tree/grown/grown.h). */
#ifndef WI_UPDATE_SPHERE_SPHERE_H
#define WI_UPDATE_SPHERE_SPHERE_H

#include "tree/grown/grown.h"
#include "update/method.h"

/* Opens a node: a bud grows. */
wi_refresh wi_sphere_open;

/* Grows all that can be grown. False if the pool is used up before that. */
bool wi_sphere_grow_all(wi_tree *h);

/* The tree is the end of a step, at positions that are stored: its nodes get boxes of their own
 * when they are opened, after those of *start, which stays where it is. */
void wi_sphere_act_at_end(wi_tree *end, const wi_tree **start, uint64_t revision);

extern const wi_keeper_ops wi_sphere_keeper;

#endif
