/* tri.h - a triangle as a value. */
#ifndef WI_GEOM_TRI_H
#define WI_GEOM_TRI_H

typedef struct wi_tri {
    float corner[3][3];
} wi_tri;

#endif
