/* view.h - the views of cells, made smaller so that roundings show nothing that is not there.
 *
 * Coordinates are taken relative to the box around the cells of a question: its centre is the
 * origin, and along each axis it reaches from -1 to 1. They are computed in double and rounded to
 * float32 once. A view maps its cell, made smaller by the part `shrink`, to the same: that is what
 * OpenGL draws.
 *
 * Why what is drawn is in the cell. u = 2^-24, R >= 1 bounds all coordinates, k is the largest
 * scale of the view, n the pixels across.
 *   1. A coordinate is off by u R, the centre of the cell by u, the difference by another u (R +
 * 1), and scale and product by 2 u of the result: 9 u k R at most in the view.
 *   2. Where a triangle is clipped at the near or the far plane, a few roundings of numbers up to
 *      k (R + 1) are added, 6 u k R taken. So a point that is drawn is that of the surface which is
 *      at most 15 u k R away, but for what the raster adds across and down.
 *   3. With a shrink of 16 u k R nothing outside of the cell can come into the depth of the view.
 *   4. Across and down, samples are in the middle of pixels, half a pixel or 1 / n away from the
 *      border. Corners are moved to a grid of a sixteenth of a pixel or finer. A shrink of at most
 *      1 / (4 n) keeps 1 and 2 below a quarter of that: what a sample sees is in the cell.
 *   5. Where 3 and 4 leave no shrink, the cell is not looked at. */
#ifndef WILLOW_GL_VIEW_H
#define WILLOW_GL_VIEW_H

#include "willow/occupancy.h"

/* The box around the cells of a question. */
typedef struct gl_space {
    double centre[3], half[3];
} gl_space;

gl_space gl_space_of(const willow_occupancy_question *question);

/* Of `count` points, three coordinates each; the largest coordinate, at least 1. Infinity where
 * they are beyond float32. */
double gl_space_take(const gl_space *space, const float (*points)[3], size_t count,
                     float (*out)[3]);

typedef struct gl_view {
    float centre[3], scale[3]; /* relative to a space: (x - centre) * scale is from -1 to 1 */
} gl_view;

/* False if the cell cannot be looked at with so many pixels. */
bool gl_view_of(const gl_space *space, const willow_box *cell, double reach, uint32_t pixels,
                gl_view *out);

#endif
