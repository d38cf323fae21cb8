/* moving_points.h - two small things that move, of all sizes, for tests of filters.
 *
 * The two are a vertex and a face, two edges or two triangles. A filter that says they stay apart
 * is held to it where that is hardest: the second is brought as near to the first as the filter
 * lets it come. */
#ifndef TEST_MOVING_POINTS_H
#define TEST_MOVING_POINTS_H

#include <stdbool.h>
#include <stdint.h>

enum { MOVING_FAMILIES = 10, MOVING_TINY_OR_HUGE = 8, MOVING_MOST = 6 };

/* The first `first` points are one thing, those up to `count` the other. */
typedef struct moving_points {
    unsigned first, count;
    float at[2][MOVING_MOST][3]; /* at the start and at the end of the step */
    double size;                 /* about that of the larger one, and of how they move */
    double towards[3];           /* the second, taken so far, touches the first: about */
} moving_points;

const char *moving_family_name(int family);
moving_points moving_points_make(int family, unsigned first, unsigned count, uint64_t *random);

/* The same with the second thing taken by a part of the way towards the first, at both ends; 1 is
 * all of it. Coordinates stay finite. */
moving_points moving_points_nearer(const moving_points *from, double part);

/* A distance that is none, or any part or multiple of what moves. */
float moving_reach(double size, uint64_t *random);

/* Exactly: does a vertex with a face, or an edge with an edge, come as near as `reach`? If the
 * points do not move, at the start. `undecided` counts those that come so near that this is not
 * known. Points of the first come first: 1 and 3 of them, or 2 and 2. */
bool moving_features_touch(const float at[2][4][3], bool are_edges, bool is_moving, float reach,
                           unsigned *undecided);

#endif
