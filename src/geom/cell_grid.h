/* cell_grid.h - the cells of a sphere-tree: a cube that is halved level by level, and how.
 *
 * After Rodriguez and Franquesa 2005 (BOCST), section 4. The cube stands at the lower corner of the
 * box of a body and is as long as the longest side of it. A cell is where it is on its level: level
 * 1 is the root, and the cell (x, y, z) of a level begins x, y and z units of that level from the
 * corner. In an octree the unit of level 1 is the cube; in a branch-on-need tree (Wilhelms and van
 * Gelder 1992) it is the least power of two that is no shorter, and what is beyond the cube is cut
 * off. So in both a half is there if it begins within the cube: an axis that is no longer than the
 * unit of the next level does not branch.
 *
 * Borders are computed in double and rounded to float32 once. A border of a level is one of the
 * next level, to the bit, so that children cover their parent. */
#ifndef WI_GEOM_CELL_GRID_H
#define WI_GEOM_CELL_GRID_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include "base/check.h"
#include "geom/box.h"
#include "willow/tree.h"

/* Places on an axis are 16 bits. */
enum { WI_MAX_CELL_LEVEL = WILLOW_MAX_CELL_DEPTH + 1 };

typedef struct wi_cell_grid {
    double lower[3], upper[3]; /* of the body */
    double edge;               /* of the cube */
    double unit;               /* of level 1 */
    willow_cells cells;
} wi_cell_grid;

typedef struct wi_cell {
    uint16_t at[3];
    uint16_t level;
} wi_cell;

_Static_assert(WI_MAX_CELL_LEVEL <= 17, "a place on an axis is below 2^(level - 1)");

static inline wi_cell wi_cell_root(void) { return (wi_cell){{0, 0, 0}, 1}; }

/* The least power of two that is not below x, which is a normal number above 0. */
static inline double wi_power_of_two_above(double x)
{
    uint64_t bits;
    double power;
    memcpy(&bits, &x, sizeof bits);
    bits &= UINT64_C(0x7FF) << 52;
    memcpy(&power, &bits, sizeof power);
    WI_ASSERT(power > 0.0 && power <= x);
    return power < x ? 2.0 * power : power;
}

/* Of a body in this box, which is not empty. */
static inline wi_cell_grid wi_cell_grid_of(const wi_box *box, willow_cells cells)
{
    wi_cell_grid grid = {.edge = 0.0, .cells = cells};
    for (int axis = 0; axis < 3; axis++) {
        const double side = (double)box->upper[axis] - (double)box->lower[axis];
        WI_ASSERT(side >= 0.0);
        grid.lower[axis] = (double)box->lower[axis];
        grid.upper[axis] = (double)box->upper[axis];
        if (side > grid.edge) grid.edge = side;
    }
    grid.unit = grid.edge;
    if (cells == WILLOW_CELLS_BONO && grid.edge > 0.0) grid.unit = wi_power_of_two_above(grid.edge);
    return grid;
}

static inline double wi_cell_unit(const wi_cell_grid *grid, unsigned level)
{
    WI_ASSERT(level >= 1 && level <= WI_MAX_CELL_LEVEL);
    return grid->unit / (double)(UINT32_C(1) << (level - 1));
}

/* The border that is `at` units of a level from the corner. The last one is not below the body's
 * own, which its length may be too coarse to reach. */
static inline float wi_cell_border(const wi_cell_grid *grid, int axis, double unit, uint32_t at)
{
    const double away = unit * (double)at, end = grid->lower[axis] + grid->edge;
    const double last = end > grid->upper[axis] ? end : grid->upper[axis];
    const double border = away < grid->edge ? grid->lower[axis] + away : last;
    return border < (double)FLT_MAX ? (float)border : FLT_MAX;
}

/* The part of a cell that is within the cube: its actual region. */
static inline wi_box wi_cell_box(const wi_cell_grid *grid, wi_cell cell)
{
    const double unit = wi_cell_unit(grid, cell.level);
    wi_box box;
    for (int axis = 0; axis < 3; axis++) {
        box.lower[axis] = wi_cell_border(grid, axis, unit, cell.at[axis]);
        box.upper[axis] = wi_cell_border(grid, axis, unit, cell.at[axis] + UINT32_C(1));
    }
    return box;
}

/* The child of a cell in this octant: bit k is set in the upper half of axis k. */
static inline wi_cell wi_cell_child(wi_cell cell, unsigned octant)
{
    WI_ASSERT(octant < 8 && cell.level < WI_MAX_CELL_LEVEL);
    wi_cell child = {.level = (uint16_t)(cell.level + 1)};
    for (int axis = 0; axis < 3; axis++)
        child.at[axis] = (uint16_t)(2U * cell.at[axis] + (octant >> axis & 1U));
    return child;
}

/* The octants in which a cell has a child, a bit each. */
static inline unsigned wi_cell_octants(const wi_cell_grid *grid, wi_cell cell)
{
    const double unit = wi_cell_unit(grid, cell.level + 1U);
    unsigned octants = 0xFF;
    static const unsigned upper[3] = {0xAA, 0xCC, 0xF0};
    for (int axis = 0; axis < 3; axis++) {
        const double middle = unit * (double)(2U * cell.at[axis] + 1U);
        if (!(middle < grid->edge)) octants &= ~upper[axis];
    }
    return octants;
}

/* The sphere around the actual region of a cell. */
typedef struct wi_sphere {
    double centre[3];
    double radius;
} wi_sphere;

static inline wi_sphere wi_sphere_around(const wi_box *box)
{
    wi_sphere sphere;
    double sum = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double lower = (double)box->lower[axis], upper = (double)box->upper[axis];
        const double half = 0.5 * (upper - lower);
        sphere.centre[axis] = 0.5 * (lower + upper);
        sum += half * half;
    }
    sphere.radius = sqrt(sum);
    return sphere;
}

/* The level that a depth stands for: the root's is 1. Where the longest side is nearer to its lower
 * power of two, branch-on-need cells are large, and one level more makes up for it (section 5.3; a
 * power of two is the upper end of those below it). */
static inline unsigned wi_cell_level(const wi_cell_grid *grid, unsigned depth)
{
    const bool is_coarse = grid->cells == WILLOW_CELLS_BONO && grid->edge < 0.75 * grid->unit;
    WI_ASSERT(depth >= 1 && depth <= WILLOW_MAX_CELL_DEPTH);
    return depth + is_coarse;
}

#endif
