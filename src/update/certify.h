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
#ifndef WI_UPDATE_CERTIFY_H
#define WI_UPDATE_CERTIFY_H

#include "tree/hierarchy.h"

/* What certificates are made for: a moment, and how far they look. */
typedef struct wi_outlook {
    const wi_hierarchy *h;
    wi_moment at;
    double slack;
    double until;           /* later failures are of no interest: infinity, or the next keyframe */
    bool searches_keys;     /* failures are looked for beyond the next keyframe */
    const float *from, *to; /* keyframes, if there are any */
} wi_outlook;

wi_outlook wi_outlook_at(const wi_hierarchy *h, const wi_moment *at, bool searches_keys);

typedef struct wi_certificate {
    uint32_t place;  /* the end */
    double failure;  /* when another overtakes it; infinity if that is not before `until` */
    uint32_t heir;   /* who does, if nobody overtakes that one before `until`; else WI_NO_HEIR */
    uint32_t rivals; /* how many were looked at, itself included */
} wi_certificate;

/* `now` is the end that it is, which stays where it is level with others; UINT32_MAX if none. */
wi_certificate wi_certify(const wi_outlook *out, uint32_t item, unsigned end, uint32_t now);

/* The same where all vertices follow keyframes. */
wi_certificate wi_certify_on_keys(const wi_outlook *out, uint32_t item, unsigned end, uint32_t now);

/* A time that is later than `now`, if only by a rounding. */
static inline double wi_later(double now, double when)
{
    const double least = now + (fabs(now) * 0x1p-52 + DBL_MIN);
    return when > least ? when : least;
}

#endif
