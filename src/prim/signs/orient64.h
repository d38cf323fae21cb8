/* orient64.h - orient.h for coordinates in double that are 0 or between 1e-90 and 1e90 in size.
 *
 * Every finite float32 may come here too, widened to double. */
#ifndef WI_PRIM_SIGNS_ORIENT64_H
#define WI_PRIM_SIGNS_ORIENT64_H

int wi_orient3d64(const double a[3], const double b[3], const double c[3], const double d[3]);
int wi_orient2d64(const double a[3], const double b[3], const double c[3], int axis);

/* The same without the filter, for those who have one of their own. */
int wi_orient3d_exact(const double a[3], const double b[3], const double c[3], const double d[3]);
int wi_orient2d_exact(const double a[3], const double b[3], const double c[3], int axis);

#endif
