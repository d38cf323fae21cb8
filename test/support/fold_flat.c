/* fold_flat.c - patches in the plane, or nearly, that come to lie on themselves without leaving it.
 *
 * All normals stay along z as long as no triangle is turned over, so only the outline, with its
 * holes, tells. */
#include <math.h>
#include "base/trig.h"
#include "support/fold_shapes.h"

/* ---- smeared ---- */

void fold_build_smeared(fold_mesh *mesh) { fold_add_whole_sheet(mesh, 2); }

void fold_place_smeared(const fold_mesh *mesh, double amount, double (*out)[3])
{
    const double reach = fold_between(mesh, 0, 0.2, 0.8);
    for (uint32_t i = 0; i < mesh->shape_count; i++) {
        const double u = mesh->rest[i][0], v = mesh->rest[i][1];
        const double a = u / mesh->nx, b = v / mesh->ny;
        const double x = u + amount * reach * mesh->nx * fold_wave_at(mesh, 0, a, b);
        const double y = v + amount * reach * mesh->ny * fold_wave_at(mesh, 1, a, b);
        fold_set(out[i], x, y, fold_relief(mesh, 1, x, y));
    }
}

/* ---- pushed ---- */

void fold_build_pushed(fold_mesh *mesh) { fold_add_whole_sheet(mesh, 2); }

/* The others are off their grid, a little. */
void fold_place_pushed(const fold_mesh *mesh, double amount, double (*out)[3])
{
    const uint32_t edge = mesh->dial[5] < 0.7 ? 1 : 0; /* not on the outline; there, too */
    const double at[2] = {fold_choice(mesh, 0, edge, mesh->nx - edge),
                          fold_choice(mesh, 1, edge, mesh->ny - edge)};
    const double angle = fold_between(mesh, 2, 0, 2 * FOLD_PI), reach = 2.5 * amount;
    const double jitter = mesh->dial[3] < 0.5 ? 0 : 0.2;
    for (uint32_t i = 0; i < mesh->shape_count; i++) {
        const double u = mesh->rest[i][0], v = mesh->rest[i][1];
        const bool is_pushed = u == at[0] && v == at[1];
        const double x = u + jitter * mesh->noise[i][0] + (is_pushed ? reach * wi_cos(angle) : 0);
        const double y = v + jitter * mesh->noise[i][1] + (is_pushed ? reach * wi_sin(angle) : 0);
        fold_set(out[i], x, y, fold_relief(mesh, 4, x, y));
    }
}

/* ---- slit: rest[2] is -1 on the left lip, 1 on the right one ---- */

/* The lips of a slit are in the middle column, from row 2 to the last but two, so that all around
 * is whole; a notch goes on to the lower side. */
void fold_build_slit(fold_mesh *mesh)
{
    uint32_t at[FOLD_GRID_ROOM], middle, first = mesh->dial[0] < 0.7 ? 2 : 0;
    fold_choose_sides(mesh, 4);
    middle = mesh->nx / 2;
    uint32_t wide = mesh->nx - middle, column[FOLD_GRID_ROOM];
    for (uint32_t j = 0; j <= mesh->ny; j++)
        for (uint32_t i = 0; i <= middle; i++) {
            const bool is_lip = i == middle && j >= first && j + 1 < mesh->ny;
            at[j * (middle + 1) + i] = column[j] = fold_add_vertex(mesh, i, j, is_lip ? -1 : 0);
        }
    fold_add_cells(mesh, middle, mesh->ny, at);
    for (uint32_t j = 0; j <= mesh->ny; j++)
        for (uint32_t i = 0; i <= wide; i++) {
            const bool is_lip = i == 0 && mesh->rest[column[j]][2] < 0;
            at[j * (wide + 1) + i] = i == 0 && !is_lip
                                         ? column[j]
                                         : fold_add_vertex(mesh, middle + i, j, is_lip ? 1 : 0);
        }
    fold_add_cells(mesh, wide, mesh->ny, at);
}

/* How far apart two sides are in height: not at all, a little, or more to one end, with the other
 * sign at the other end, so that they cut each other. */
static double rise_of(const fold_mesh *mesh, uint32_t dial, double along)
{
    const double rise = fold_between(mesh, dial + 1, 0.001, 0.1);
    switch (fold_choice(mesh, dial, 0, 3)) {
    case 0: return rise;
    case 1: return rise * (along - fold_between(mesh, dial + 2, 0, 1));
    default: return 0;
    }
}

void fold_place_slit(const fold_mesh *mesh, double amount, double (*out)[3])
{
    const double apart = 0.35 - amount * fold_between(mesh, 1, 0.5, 0.95);
    for (uint32_t i = 0; i < mesh->shape_count; i++) {
        const double v = mesh->rest[i][1], side = mesh->rest[i][2];
        const double own = mesh->dial[2] < 0.5 ? 0.2 * mesh->noise[i][0] : 0;
        const double x = mesh->rest[i][0] + side * (apart + own);
        const double z = side * rise_of(mesh, 3, v / mesh->ny);
        fold_set(out[i], x, v, z + fold_relief(mesh, 6, x, v));
    }
}

/* ---- holed: a frame of cells ---- */

static bool is_frame(const fold_mesh *mesh, uint32_t i, uint32_t j)
{
    return i == 0 || j == 0 || i + 1 == mesh->nx || j + 1 == mesh->ny;
}

void fold_build_holed(fold_mesh *mesh)
{
    const uint32_t most = mesh->size < 200 ? mesh->size / 8 + 4 : 28;
    mesh->nx = fold_choice(mesh, 0, 4, most);
    mesh->ny = fold_choice(mesh, 1, 4, most);
    fold_add_sheet(mesh, mesh->nx, mesh->ny, is_frame);
}

/* The left and the right side of the hole reach over it, corners and outline stay. */
void fold_place_holed(const fold_mesh *mesh, double amount, double (*out)[3])
{
    const double width = mesh->nx - 2.0, reach = amount * width * 0.9;
    for (uint32_t i = 0; i < mesh->shape_count; i++) {
        const double u = mesh->rest[i][0], v = mesh->rest[i][1];
        const bool moves = v > 1 && v < mesh->ny - 1.0;
        const double side = moves && u == 1 ? 1 : moves && u == mesh->nx - 1.0 ? -1 : 0;
        const double own = 1 - fold_between(mesh, 2, 0, 0.5) * fabs(mesh->noise[i][0]);
        const double x = u + side * reach * own, z = side * rise_of(mesh, 3, v / mesh->ny);
        fold_set(out[i], x, v, z + fold_relief(mesh, 6, x, v));
    }
}

/* ---- comb: a spine and arms, part[0] rows broad, every part[1] rows ---- */

static bool is_comb(const fold_mesh *mesh, uint32_t i, uint32_t j)
{
    return i == 0 || j % mesh->part[1] < mesh->part[0];
}

void fold_build_comb(fold_mesh *mesh)
{
    const uint32_t arms = fold_choice(mesh, 0, 2, mesh->size < 40 ? 2 : 4);
    mesh->part[0] = fold_choice(mesh, 1, 1, mesh->size < 60 ? 1 : 2);
    mesh->part[1] = mesh->part[0] + fold_choice(mesh, 2, 1, 2);
    mesh->ny = (arms - 1) * mesh->part[1] + mesh->part[0];
    mesh->nx = mesh->size / (2 * arms * mesh->part[0]) + 2;
    fold_add_sheet(mesh, mesh->nx, mesh->ny, is_comb);
}

/* Arms are bent up and down by turns, more towards their ends: sheared, so no triangle turns. */
void fold_place_comb(const fold_mesh *mesh, double amount, double (*out)[3])
{
    const double gap = mesh->part[1] - mesh->part[0], reach = amount * gap * 0.8;
    for (uint32_t i = 0; i < mesh->shape_count; i++) {
        const double u = mesh->rest[i][0], v = mesh->rest[i][1];
        const double arm = floor(v / mesh->part[1]), side = fmod(arm, 2) == 0 ? 1 : -1;
        const double along = u > 1 ? (u - 1) / (mesh->nx - 1) : 0;
        const double y = v + side * reach * along * (mesh->dial[3] < 0.5 ? 1 : along);
        const double z = side * along * rise_of(mesh, 4, along);
        fold_set(out[i], u, y, z + fold_relief(mesh, 7, u, y));
    }
}

/* ---- spiral ---- */

void fold_build_spiral(fold_mesh *mesh)
{
    mesh->ny = fold_choice(mesh, 0, 1, 2);
    mesh->nx = mesh->size / (2 * mesh->ny) + 8;
    fold_add_sheet(mesh, mesh->nx, mesh->ny, NULL);
}

void fold_place_spiral(const fold_mesh *mesh, double amount, double (*out)[3])
{
    const double turns = fold_between(mesh, 1, 1.1, mesh->nx < 40 ? 2 : 3.5), inner = 1;
    const double growth = mesh->ny * (1.3 - 0.6 * amount);
    for (uint32_t i = 0; i < mesh->shape_count; i++) {
        const double turn = turns * mesh->rest[i][0] / mesh->nx, angle = 2 * FOLD_PI * turn;
        const double r = inner + growth * turn + mesh->rest[i][1];
        const double x = r * wi_cos(angle), y = r * wi_sin(angle);
        const double z = turn * rise_of(mesh, 2, turn);
        fold_set(out[i], x, y, z + fold_relief(mesh, 5, x, y));
    }
}
