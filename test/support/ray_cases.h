/* ray_cases.h - rays that are hard to decide, made by kinds from a number.
 *
 * The triangle of a case is one of a hard pair (tri_cases.h); the ray is aimed at its corners,
 * edges, face or plane, from corners of the other one. Where a family puts corners on a lattice the
 * aim is exact. A case is a pure function of (family, kind, number). */
#ifndef TEST_RAY_CASES_H
#define TEST_RAY_CASES_H

#include "support/tri_cases.h"
#include "willow/types.h"

/* X(enum, function, name) */
#define RAY_KINDS(X)                                                                               \
    X(EDGE, edge, "edge of the other triangle")                                                    \
    X(CORNER, corner, "to a corner")                                                               \
    X(MIDDLE, middle, "to the middle of an edge")                                                  \
    X(FACE, face, "to a point of the face")                                                        \
    X(ALONG, along, "along an edge")                                                               \
    X(IN_PLANE, in_plane, "in the plane")                                                          \
    X(FROM_HERE, from_here, "from a point of the triangle")                                        \
    X(AXIS, axis, "along an axis, past a corner")                                                  \
    X(ANYWHERE, anywhere, "direction of another case")                                             \
    X(NUDGED, nudged, "one ulp off one of these")                                                  \
    X(MIXED, mixed, "one of these, of another length")                                             \
    X(SPREAD, spread, "a magnitude for each number")

typedef enum ray_kind {
#define RAY_KIND_ENTRY(name, function, words) RAY_KIND_##name,
    RAY_KINDS(RAY_KIND_ENTRY)
#undef RAY_KIND_ENTRY
        RAY_KIND_COUNT
} ray_kind;

typedef struct ray_case {
    willow_ray ray;
    willow_vec3 tri[3];
} ray_case;

const char *ray_kind_name(ray_kind kind);

void ray_case_make(ray_case *out, tri_family family, ray_kind kind, uint64_t number);

#endif
