/* rational_tri.h - exact answers about two triangles, or a triangle and a box, from GMP.
 *
 * The oracle for prim. It knows no orientation, no projection and no case: two hulls meet if and
 * only if a linear program has a solution, and every degeneracy is just another program. Each
 * question is answered in two ways that share no code with each other either: by the simplex
 * method on integers (fast: some ten microseconds), and by trying every basic solution in
 * rationals (slow and obviously right), which checks the first.
 *
 * All input is finite. Triangles may be segments or points. Vertices with equal numbers have equal
 * positions; a triangle may have a number twice. */
#ifndef TEST_RATIONAL_TRI_H
#define TEST_RATIONAL_TRI_H

#include <stdbool.h>
#include <stdint.h>

/* Do the closed triangles have a point in common? (C1) */
bool rational_tris_meet(const float a[3][3], const float b[3][3]);
bool rational_tris_meet_slow(const float a[3][3], const float b[3][3]);

/* Are the triangles a pair by the rule for neighbours? (C2) */
bool rational_tris_pair(const float a[3][3], const uint32_t ia[3], const float b[3][3],
                        const uint32_t ib[3]);
bool rational_tris_pair_slow(const float a[3][3], const uint32_t ia[3], const float b[3][3],
                             const uint32_t ib[3]);

/* Do the closed triangle and the closed box have a point in common? A box is empty where a lower
 * bound exceeds the upper one. */
bool rational_tri_box_meet(const float t[3][3], const float lower[3], const float upper[3]);
bool rational_tri_box_meet_slow(const float t[3][3], const float lower[3], const float upper[3]);

/* How many different numbers are in both; corner[0 .. count) are the corners of the first that
 * have them, each number once. */
unsigned rational_shared_corners(const uint32_t ia[3], const uint32_t ib[3], unsigned corner[3]);

#endif
