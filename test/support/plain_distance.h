/* plain_distance.h - distances in double, the plain way: to look at how near something is, and to
 * compare with a bound that is far above some roundings. */
#ifndef TEST_PLAIN_DISTANCE_H
#define TEST_PLAIN_DISTANCE_H

/* A vertex and three corners; two edges. */
double plain_vertex_face_distance(const double points[4][3]);
double plain_edge_edge_distance(const double points[4][3]);

/* Where points that go straight from `start` to `end` are at a time. */
void plain_points_at(const double start[4][3], const double end[4][3], double time,
                     double out[4][3]);

#endif
