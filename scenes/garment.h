/* garment.h - a shirt or a dress: the mesh, sewn from panels, and how it hangs on a figure. */
#ifndef SCENES_GARMENT_H
#define SCENES_GARMENT_H

#include "figure.h"

/* Squares of the mesh. A tube from the hem to the arms, of a front and a back half; from there on
 * two panels, sewn together at the sides up to the arms and over the shoulders, with a hole for the
 * neck between; and a sleeve around each armhole. */
typedef struct garment {
    bool is_dress;
    uint32_t across;   /* of a half */
    uint32_t tube;     /* rows from the hem to the arms */
    uint32_t panel;    /* rows from there to the shoulders */
    uint32_t shoulder; /* columns from a sleeve to the neck */
    uint32_t sleeve;   /* rows of a sleeve */
    double phases[4];  /* of folds */
    uint32_t vertex_count, triangle_count;
} garment;

/* Of about so many triangles. */
garment garment_make(bool is_dress, uint32_t triangles, uint64_t key);

/* False for want of memory. */
bool garment_fill_body(scene_body *body, const garment *g);

/* At a share of the figure's cycle. */
void garment_positions(const garment *g, double cycle, float *xyz_out);

#endif
