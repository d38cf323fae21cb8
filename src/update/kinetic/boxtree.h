/* boxtree.h - keeps a BoxTree (update/kinetic/boxtree_parts.h) true while vertices follow known
 * paths.
 *
 * Way in: wi_boxtree_advance. The certificate of a plane is about the rivals of its part: the
 * vertices that hold planes at the same end below it, and of what is below no such plane all
 * vertices. That may be many, so they are searched for as seldom as possible. An event is a time
 * before which nobody is beyond the plane, and may be early: whoever becomes a rival later, or has
 * a new path, is compared with the holder alone, and makes the event earlier if need be. Who takes
 * over leaves the others behind for as long as the one before it would have. As in the other
 * kinetic tree (update/kinetic/certify.h), whoever is within the slack of the foremost is level
 * with it, and of those the fastest leads. After Zachmann and Weller 2006, section 6. */
#ifndef WI_UPDATE_KINETIC_BOXTREE_H
#define WI_UPDATE_KINETIC_BOXTREE_H

#include "update/kinetic/certify.h"
#include "update/kinetic/kinetic.h"
#include "update/method.h"

/* Makes all planes true for the moment of the mesh: from what they were at an earlier one, or from
 * nothing. Boxes are computed when queries open them. There is a tree. */
willow_result wi_boxtree_advance(wi_update *u);

/* ---- rivals ---- */

/* A vertex on its way along an axis, mirrored for lower ends, so that the greatest leads. Where all
 * vertices are on keyframes `v` is where it is in the next one, which serves as well for who is
 * faster, and `a` is 0. */
typedef struct wi_rider {
    double x, v, a;
    uint32_t place;
} wi_rider;

wi_rider wi_rider_of(const wi_outlook *out, unsigned end, uint32_t place);

/* Of two that are level. `now` holds the plane, and keeps it unless another is faster. */
bool wi_rider_leads(const wi_rider *a, const wi_rider *b, uint32_t now);

/* When a rival that is behind overtakes: infinity if that is not before the next keyframe. */
double wi_rider_overtakes(const wi_outlook *out, const wi_rider *rival, const wi_rider *lead);

/* What a search comes to. */
typedef struct wi_found {
    uint32_t place; /* who holds the plane */
    double failure; /* when it is overtaken, or infinity */
    uint32_t heir;  /* by whom, if that one stays ahead of it from then on; else WI_NO_HEIR */
    double second;  /* nobody else overtakes it before */
    bool is_certain, is_heir_certain; /* on keyframes: see WI_PART_CERTAIN */
    size_t seen;
} wi_found;

/* Looks at all rivals. `now` holds the plane, or UINT32_MAX; if `is_true`, nobody is known to be
 * beyond it. */
wi_found wi_boxtree_search(const wi_outlook *out, uint32_t part, uint32_t now, bool is_true);

/* ---- all parts ---- */

/* Chooses which ends are cut, by where vertices are at a moment. Needs room for boxes. */
void wi_boxtree_choose_ends(wi_tree *h, const wi_moment *at);

/* Computes the boxes of all nodes in a keyframe, and finds out which parts are certain until then.
 * All planes are true now, and nothing waits. Needs room for boxes. */
typedef void wi_boxtree_with_key(wi_tree *h, uint32_t key);
extern wi_boxtree_with_key wi_boxtree_compare_scalar, wi_boxtree_compare_avx2;

/* ---- boxes ---- */

/* Where the vertices of a leaf are at a moment. */
wi_box wi_boxtree_leaf_box(const wi_tree *h, const wi_moment *at, const wi_leaf *leaf);

/* By how much planes are further out than their vertices. */
double wi_boxtree_width(const wi_tree *h, double time);

/* The box of the whole body, now. */
wi_box wi_boxtree_bounds(const wi_tree *h);

extern wi_refresh wi_boxtree_refresh;

/* NULL, or the words for the plane that somebody is beyond at a moment. */
const char *wi_boxtree_check(const wi_tree *h, const wi_moment *at);

#endif
