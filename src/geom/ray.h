/* ray.h - a ray as a value: the exact closed segment from origin + t_min d to origin + t_max d. */
#ifndef WI_GEOM_RAY_H
#define WI_GEOM_RAY_H

typedef struct wi_ray {
    float origin[3];
    float direction[3]; /* not zero, of any length */
    float t_min, t_max; /* in lengths of it, in order; the second may be infinite */
} wi_ray;

#endif
