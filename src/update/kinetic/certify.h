/* certify.h - certificates: which vertex is an end of an item, and until when.
 *
 * Way in: wi_certify. An end is chosen among rivals: the vertices of a leaf, or those that are the
 * same end of the children of a node. Times are rounded and so are positions, and of two vertices
 * that meet the one that was behind may still seem so. Therefore whoever is within the slack of the
 * plan of the foremost counts as level with it, and among those that are level the fastest leads,
 * then the one that accelerates most. So an event, once it has come, always changes hands, and the
 * next one is later by more than a rounding of time: a rival that is faster than the leader is
 * behind it by more than the slack, which no rival can make up in less.
 *
 * An end may thus be behind the true one by the slack, and by as much again after the roundings of
 * its certificate, on every level of the tree: boxes are wider by that (wi_kinetic.width). */
#ifndef WI_UPDATE_KINETIC_CERTIFY_H
#define WI_UPDATE_KINETIC_CERTIFY_H

#include <math.h>

#include "base/check.h"
#include "tree/tree.h"
#include "update/kinetic/kinetic.h"

/* What certificates are made for: a moment, and how far they look. */
typedef struct wi_outlook {
    const wi_tree *h;
    wi_moment at;
    double slack;
    double until;           /* later failures are of no interest: infinity, or the next keyframe */
    bool searches_keys;     /* failures are looked for beyond the next keyframe */
    const float *from, *to; /* keyframes, if there are any */
} wi_outlook;

wi_outlook wi_outlook_at(const wi_tree *h, const wi_moment *at, bool searches_keys);

typedef struct wi_certificate {
    uint32_t place;  /* the end */
    double failure;  /* when another overtakes it; infinity if that is not before `until` */
    uint32_t heir;   /* who does, if nobody overtakes that one before `until`; else WI_NO_HEIR */
    uint32_t rivals; /* how many were looked at, itself included */
} wi_certificate;

_Static_assert((int)WI_LANES <= (int)WI_MAX_LEAF_VERTICES,
               "there is room for the rivals of a node");

/* Those who may be an end of an item: the vertices of a leaf, or those that are the same end of the
 * children of a node, of which neighbours often share one. Returns how many; one at least. */
static inline unsigned wi_list_rivals(const wi_tree *h, uint32_t item, unsigned end,
                                      uint32_t places[WI_MAX_LEAF_VERTICES])
{
    const wi_kinetic *k = wi_kinetic_of(h);
    WI_ASSERT(end < WI_ENDS && item < k->node_count + k->leaf_count);
    if (item >= h->shape->node_count) {
        const wi_leaf *leaf = &h->shape->leaves[item - h->shape->node_count];
        const uint32_t *border = wi_leaf_border(h, leaf);
        const unsigned owned = leaf->owned_count;
        for (unsigned i = 0; i < owned; i++) places[i] = leaf->first_place + i;
        for (unsigned i = owned; i < leaf->vertex_count; i++) places[i] = border[i - owned];
        return leaf->vertex_count;
    }
    const uint32_t *children = k->children + (size_t)k->arity * item;
    WI_ASSERT(k->child_count[item] > 0 && k->child_count[item] <= k->arity);
    unsigned count = 1;
    places[0] = k->items[children[0]].ends[end];
    for (unsigned i = 1; i < k->child_count[item]; i++) {
        places[count] = k->items[children[i]].ends[end];
        count += places[count] != places[count - 1];
    }
    return count;
}

/* `now` is the end that it is, which stays where it is level with others; UINT32_MAX if none. */
wi_certificate wi_certify(const wi_outlook *out, uint32_t item, unsigned end, uint32_t now);

/* The same where all vertices follow keyframes. */
wi_certificate wi_certify_on_keys(const wi_outlook *out, uint32_t item, unsigned end, uint32_t now);

/* How long until a rival that is behind by `gap` is ahead: it gains `v` per unit of time, and `a`
 * of that speed. Who only draws level, and falls behind again, is never ahead. */
static inline double wi_time_to_overtake(double gap, double v, double a)
{
    if (gap < 0.0) gap = 0.0; /* level, and slower */
    if (a == 0.0) return v > 0.0 ? gap / v : (double)INFINITY;
    const double square = v * v + 2.0 * a * gap;
    if (a > 0.0) {
        const double root = sqrt(square);
        return v > 0.0 ? 2.0 * gap / (v + root) : (root - v) / a;
    }
    if (!(v > 0.0) || !(square > 0.0)) return (double)INFINITY;
    return 2.0 * gap / (v + sqrt(square));
}

/* A time that is later than `now`, if only by a rounding. */
static inline double wi_later(double now, double when)
{
    const double least = now + (fabs(now) * 0x1p-52 + DBL_MIN);
    WI_ASSERT(least > now);
    return when > least ? when : least;
}

#endif
