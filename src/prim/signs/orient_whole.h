/* orient_whole.h - orient.h in whole numbers: exact and fast, where coordinates allow it.
 *
 * For what the filters of orient.c leave over: most of these are exactly degenerate, such as the
 * triangles of a flat sheet, and their coordinates are of about one size. */
#ifndef WI_PRIM_SIGNS_ORIENT_WHOLE_H
#define WI_PRIM_SIGNS_ORIENT_WHOLE_H

#include <stdbool.h>

/* `size` is the greatest of all differences of coordinates in size, but for roundings, and not 0.
 * False if the coordinates need more digits than there are. */
bool wi_orient3d_whole(const float a[3], const float b[3], const float c[3], const float d[3],
                       double size, int *sign);
bool wi_orient2d_whole(const float a[3], const float b[3], const float c[3], int axis, double size,
                       int *sign);

#endif
