/* orient.h - the signs of two determinants, exact for every finite float32 input.
 *
 * All exact tests of this room rest on these two and on comparing coordinates. */
#ifndef WI_PRIM_SIGNS_ORIENT_H
#define WI_PRIM_SIGNS_ORIENT_H

/* The sign (-1, 0, 1) of the volume spanned by a - d, b - d, c - d: on which side of the plane
 * through a, b, c the point d lies; 0 if the four are coplanar. */
int wi_orient3d(const float a[3], const float b[3], const float c[3], const float d[3]);

/* The sign of the area of a, b, c seen along `axis`, that is without that coordinate: 1 where
 * they turn from axis + 1 to axis + 2 (cyclically), 0 where they lie on one line. */
int wi_orient2d(const float a[3], const float b[3], const float c[3], int axis);

#endif
