/* rational_distance.h - exact squared distances of points, edges and triangles, from GMP.
 *
 * Every feature that closest points may lie on is looked at, in rationals, and the least counts.
 * Edges and triangles may be points. Two triangles are looked at as if they were apart: if an edge
 * of one passes through the other, the answer is that of their features, and not 0. */
#ifndef TEST_RATIONAL_DISTANCE_H
#define TEST_RATIONAL_DISTANCE_H

/* How far `found` is from the exact distance, and the exact distance itself, both in double. */
typedef struct rational_distance {
    double exact, error;
} rational_distance;

rational_distance rational_point_tri(const double p[3], const float tri[3][3], double found);
rational_distance rational_edge_edge(const float a[2][3], const float b[2][3], double found);
rational_distance rational_tri_tri(const float a[3][3], const float b[3][3], double found);

#endif
