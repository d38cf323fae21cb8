/* rest.h - a body that is left alone: nothing of it is computed in an update, and what a query
 * reaches is when it does.
 *
 * For bodies of any method whose positions follow from something that is there (a plan, a morph, a
 * skin, a deformation, the user's array). The next update that is about the body is that of its
 * method, which must take nothing for known. */
#ifndef WI_UPDATE_REST_REST_H
#define WI_UPDATE_REST_REST_H

#include "tree/tree.h"

/* Whether the body can be left alone: there are nodes to open, which do not grow, and positions are
 * computed or borrowed. */
bool wi_rest_suits(const wi_tree *h);

/* The body is somewhere in `world_box` and is left alone in this state of it; `mesh` is that of the
 * tree. Needs no memory. */
void wi_rest_begin(wi_tree *h, wi_mesh *mesh, const wi_box *world_box, uint64_t revision);

/* After that: it is where the box is, under the pose that it has by now. */
void wi_rest_place(wi_tree *h, const wi_box *world_box, uint64_t placement);

#endif
