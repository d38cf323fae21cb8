/* view.c - see view.h. */
#include "gl/view.h"

#include <float.h>
#include <math.h>

static void read_cell(const willow_box *cell, double lower[3], double upper[3])
{
    const willow_vec3 a = cell->lower, b = cell->upper;
    const double from[3] = {(double)a.x, (double)a.y, (double)a.z};
    const double to[3] = {(double)b.x, (double)b.y, (double)b.z};
    for (int axis = 0; axis < 3; axis++) {
        lower[axis] = from[axis];
        upper[axis] = to[axis];
    }
}

gl_space gl_space_of(const willow_occupancy_question *question)
{
    double least[3] = {DBL_MAX, DBL_MAX, DBL_MAX}, most[3] = {-DBL_MAX, -DBL_MAX, -DBL_MAX};
    gl_space space;
    for (uint32_t i = 0; i < question->cell_count; i++) {
        double lower[3], upper[3];
        read_cell(&question->cells[i], lower, upper);
        for (int axis = 0; axis < 3; axis++) {
            if (lower[axis] < least[axis]) least[axis] = lower[axis];
            if (upper[axis] > most[axis]) most[axis] = upper[axis];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        space.centre[axis] = 0.5 * (least[axis] + most[axis]);
        space.half[axis] = 0.5 * (most[axis] - least[axis]);
    }
    return space;
}

double gl_space_take(const gl_space *space, const float (*points)[3], size_t count, float (*out)[3])
{
    double reach = 1.0;
    for (size_t i = 0; i < count; i++)
        for (int axis = 0; axis < 3; axis++) {
            const double x = ((double)points[i][axis] - space->centre[axis]) / space->half[axis];
            const double size = fabs(x);
            if (!(size <= (double)FLT_MAX)) return (double)INFINITY;
            if (size > reach) reach = size;
            out[i][axis] = (float)x;
        }
    return reach;
}

bool gl_view_of(const gl_space *space, const willow_box *cell, double reach, uint32_t pixels,
                gl_view *out)
{
    double lower[3], upper[3], scale[3], largest = 0.0;
    read_cell(cell, lower, upper);
    for (int axis = 0; axis < 3; axis++) {
        const double half = 0.5 * (upper[axis] - lower[axis]) / space->half[axis];
        const double centre =
            (0.5 * (lower[axis] + upper[axis]) - space->centre[axis]) / space->half[axis];
        out->centre[axis] = (float)centre;
        scale[axis] = 1.0 / half;
        if (!(half > 0.0) || !(scale[axis] <= (double)FLT_MAX)) return false;
        if (scale[axis] > largest) largest = scale[axis];
    }
    const double shrink = 0x1p-20 * largest * reach;
    if (!(shrink <= 0.25 / pixels)) return false;
    for (int axis = 0; axis < 3; axis++) out->scale[axis] = (float)(scale[axis] / (1.0 - shrink));
    return true;
}
