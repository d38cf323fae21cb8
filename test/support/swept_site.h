/* swept_site.h - a tree with a step: where its vertices are at the end, and at any time between.
 *
 * What is proved for all times is tested at many. So that a position at such a time is a float, and
 * the exact tests of triangles tell the truth about it, coordinates must be multiples of something
 * coarse: a time in 1/32 takes five bits. */
#ifndef TEST_SWEPT_SITE_H
#define TEST_SWEPT_SITE_H

#include "support/tree_site.h"

/* Times are multiples of this part of the step. */
enum { SWEPT_TIMES = 32 };

typedef struct swept_site {
    const tree_site *start;
    wi_mesh mesh;
    wi_pose pose; /* of the mesh */ /* that of `start`, but for positions and pose */
    wi_tree end;                    /* that of `start`, but for the mesh */
} swept_site;

/* Vertices go from where `start` has them to `at`, by vertex number. A mesh that borrows borrows
 * this array too. The placement is new with every call. */
void swept_site_open(swept_site *s, const tree_site *start, const float (*at)[3]);
void swept_site_close(swept_site *s);

/* A pose that takes axes to axes and moves by so many units, so that what it gives is exact. */
willow_pose swept_pose(const float move[3]);

/* The triangle in a slot at a time; fails the test if it is not one of floats. */
wi_tri swept_tri_at(const swept_site *s, uint32_t slot, int time);

/* Whether two triangles of the mesh are a pair (C2) at a time. */
bool swept_pair_at(const swept_site *s, uint32_t slot_a, uint32_t slot_b, int time);

/* How far apart two triangles of the mesh are at a time, but for what shares a vertex: the least
 * distance of a vertex of one and the other, or of two edges, that have none in common. INFINITY if
 * their boxes are more than `limit` apart, or if all have one. */
double swept_gap_at(const swept_site *s, uint32_t slot_a, uint32_t slot_b, int time, double limit);

#endif
