/* fold_sheets.c - sheets that are bent out of their plane until they meet themselves. */
#include <math.h>
#include "base/trig.h"
#include "support/fold_shapes.h"

/* ---- hinged: one fold, or two that close to a triangle ---- */

void fold_build_hinged(fold_mesh *mesh) { fold_add_whole_sheet(mesh, 3); }

/* Where a line of length s ends that turns by `angle` after each of two lengths. */
static void walk_hinges(double s, const double hinge[2], const double angle[2], double *x,
                        double *z)
{
    double first = s < hinge[0] ? s : hinge[0];
    double second = (s < hinge[1] ? s : hinge[1]) - first, third = s - first - second;
    double both = angle[0] + angle[1];
    *x = first + second * wi_cos(angle[0]) + third * wi_cos(both);
    *z = second * wi_sin(angle[0]) + third * wi_sin(both);
}

/* The fold runs along columns, or along diagonals of the cells. */
void fold_place_hinged(const fold_mesh *mesh, double amount, double (*out)[3])
{
    const bool is_double = mesh->dial[0] < 0.6, is_diagonal = mesh->dial[1] < 0.3;
    const double length = is_diagonal ? mesh->nx + mesh->ny : mesh->nx;
    const double first = floor(fold_between(mesh, 2, 1, length / 2));
    const double second = first + floor(fold_between(mesh, 3, 1, length / 3 + 1));
    const double hinge[2] = {first, second};
    const double single = amount < 0.8 ? FOLD_PI * amount / 0.8 : FOLD_PI;
    const double angle[2] = {is_double ? FOLD_PI * amount * 0.9 : single,
                             is_double ? FOLD_PI * amount * fold_between(mesh, 4, 0.6, 1) : 0};
    for (uint32_t i = 0; i < mesh->shape_count; i++) {
        const double u = mesh->rest[i][0], v = mesh->rest[i][1];
        double x, z;
        walk_hinges(is_diagonal ? u + v : u, hinge, angle, &x, &z);
        fold_set(out[i], x, is_diagonal ? u - v : v, z);
    }
}

/* ---- pleated ---- */

void fold_build_pleated(fold_mesh *mesh) { fold_add_whole_sheet(mesh, 3); }

/* To and fro every few columns; from some amount on the layers are in one plane. */
void fold_place_pleated(const fold_mesh *mesh, double amount, double (*out)[3])
{
    const double width = fold_choice(mesh, 0, 1, mesh->nx / 2);
    const double gap = amount < 0.8 ? 1 - amount / 0.8 : 0;
    const double skew = mesh->dial[1] < 0.5 ? 0 : fold_between(mesh, 2, -0.5, 0.5);
    for (uint32_t i = 0; i < mesh->shape_count; i++) {
        const double u = mesh->rest[i][0], layer = floor(u / width), within = u - layer * width;
        const double x = fmod(layer, 2) == 0 ? within : width - within;
        fold_set(out[i], x, mesh->rest[i][1] + skew * layer, gap * u / width);
    }
}

/* ---- rolled ---- */

void fold_build_rolled(fold_mesh *mesh) { fold_add_whole_sheet(mesh, 6); }

void fold_place_rolled(const fold_mesh *mesh, double amount, double (*out)[3])
{
    const double turns = fold_between(mesh, 0, 1.2, mesh->nx / 4.0);
    const double radius = mesh->nx / (2 * FOLD_PI * turns), gap = 0.5 * (1 - 1.25 * amount);
    for (uint32_t i = 0; i < mesh->shape_count; i++) {
        const double turn = turns * mesh->rest[i][0] / mesh->nx, v = mesh->rest[i][1];
        const double wobble = 0.05 * wi_sin(2.3 * v + 7 * turn + 6 * mesh->dial[1]);
        const double r = radius + gap * turn + (mesh->dial[2] < 0.5 ? wobble : 0);
        const double angle = 2 * FOLD_PI * turn;
        fold_set(out[i], r * wi_cos(angle), r * wi_sin(angle), v);
    }
}

/* ---- crumpled and wavy ---- */

void fold_build_crumpled(fold_mesh *mesh) { fold_add_whole_sheet(mesh, 2); }

void fold_place_crumpled(const fold_mesh *mesh, double amount, double (*out)[3])
{
    const double reach = fold_between(mesh, 0, 0.8, 2) * amount;
    for (uint32_t i = 0; i < mesh->shape_count; i++)
        for (uint32_t axis = 0; axis < 3; axis++)
            out[i][axis] = mesh->rest[i][axis] + reach * mesh->noise[i][axis];
}

void fold_build_wavy(fold_mesh *mesh) { fold_add_whole_sheet(mesh, 2); }

void fold_place_wavy(const fold_mesh *mesh, double amount, double (*out)[3])
{
    const double height[3] = {mesh->nx * fold_between(mesh, 0, 0.2, 1.5),
                              mesh->ny * fold_between(mesh, 1, 0.2, 1.5),
                              mesh->nx * fold_between(mesh, 2, 0.01, 0.7)};
    for (uint32_t i = 0; i < mesh->shape_count; i++) {
        const double *rest = mesh->rest[i];
        for (uint32_t axis = 0; axis < 3; axis++)
            out[i][axis] =
                rest[axis] + amount * height[axis] *
                                 fold_wave_at(mesh, axis, rest[0] / mesh->nx, rest[1] / mesh->ny);
    }
}

/* ---- tipped: a floor, a wall of two cells, a ceiling back over the floor ---- */

void fold_build_tipped(fold_mesh *mesh)
{
    fold_choose_sides(mesh, 2);
    if (mesh->nx < 6) mesh->nx = 6;
    mesh->part[0] = (mesh->nx - 2) / 2 + 1; /* length of the floor */
    fold_add_sheet(mesh, mesh->nx, mesh->ny, NULL);
}

/* One vertex of the ceiling's end comes down, or all of them do: on faces, edges or vertices of the
 * floor, by a shift. */
void fold_place_tipped(const fold_mesh *mesh, double amount, double (*out)[3])
{
    const double floor_length = mesh->part[0], tip = fold_choice(mesh, 0, 0, mesh->ny);
    const double shift = fold_choice(mesh, 1, 0, 2) * 0.25, height = 2;
    const bool is_edge = mesh->dial[2] < 0.4;
    for (uint32_t i = 0; i < mesh->shape_count; i++) {
        const double u = mesh->rest[i][0], v = mesh->rest[i][1];
        const double up = u < floor_length ? 0 : u < floor_length + height ? u - floor_length : 2;
        const double back = u - up - (u < floor_length ? u : floor_length);
        const bool comes_down = u == mesh->nx && (is_edge || v == tip);
        const double x = u < floor_length ? u : floor_length - back;
        fold_set(out[i], comes_down ? x + shift : x, comes_down ? v + shift * 0.5 : v,
                 comes_down ? up - amount * 1.5 * height : up);
    }
}

/* ---- spiked ---- */

void fold_build_spiked(fold_mesh *mesh) { fold_add_whole_sheet(mesh, 5); }

/* The foot stands on a little hill, so that the spike goes through the sheet in the end. */
void fold_place_spiked(const fold_mesh *mesh, double amount, double (*out)[3])
{
    const double foot[2] = {fold_choice(mesh, 0, 1, mesh->nx - 1),
                            fold_choice(mesh, 1, 1, mesh->ny - 1)};
    const double reach = fold_between(mesh, 2, 2.5, 4), angle = fold_between(mesh, 3, -0.7, 0.7);
    const double away = 2 * foot[0] < mesh->nx ? reach : -reach;
    const double height = fold_between(mesh, 5, 0.2, 1);
    for (uint32_t i = 0; i < mesh->shape_count; i++) {
        const double u = mesh->rest[i][0], v = mesh->rest[i][1];
        const double du = fabs(u - foot[0]), dv = fabs(v - foot[1]);
        fold_set(out[i], u, v, du < 1.5 && dv < 1.5 ? height : fold_relief(mesh, 4, u, v));
        if (du + dv > 0) continue;
        fold_set(out[i], u + away * wi_cos(angle), v + away * wi_sin(angle),
                 height * (2 - 4 * amount));
    }
}

/* ---- pinched: columns part[0] and part[0] + 2 are the feet of the ridge between them ---- */

void fold_build_pinched(fold_mesh *mesh)
{
    fold_add_whole_sheet(mesh, 4);
    mesh->part[0] = fold_choice(mesh, 0, 1, mesh->nx - 3);
}

/* All rows but the outer ones have the ridge, or one of them. The sides grow steep, upright and
 * turn over by a hair where the feet change places, and there the floor comes to lie on itself. */
void fold_place_pinched(const fold_mesh *mesh, double amount, double (*out)[3])
{
    const double middle = mesh->part[0] + 1.0, apart = 1 - 1.3 * amount;
    const double height = fold_between(mesh, 1, 0.2, 4),
                 tooth = fold_choice(mesh, 2, 1, mesh->ny - 1);
    const double lean = mesh->dial[3] < 0.3 ? fold_between(mesh, 4, -0.5, 0.5) : 0;
    for (uint32_t i = 0; i < mesh->shape_count; i++) {
        const double u = mesh->rest[i][0], v = mesh->rest[i][1], side = u - middle;
        const bool is_inner = v > 0 && v < mesh->ny && (mesh->dial[5] < 0.5 || v == tooth);
        fold_set(out[i], u, v, fold_relief(mesh, 6, u, v));
        if (!is_inner || fabs(side) > 1) continue;
        fold_set(out[i], side == 0 ? middle + lean * apart : middle + side * apart, v,
                 side == 0 ? height : out[i][2]);
    }
}

/* ---- doubled ---- */

void fold_build_doubled(fold_mesh *mesh)
{
    mesh->size /= 2;
    fold_add_whole_sheet(mesh, 1);
    uint32_t at[FOLD_GRID_ROOM];
    for (uint32_t j = 0; j <= mesh->ny; j++)
        for (uint32_t i = 0; i <= mesh->nx; i++)
            at[j * (mesh->nx + 1) + i] = fold_add_vertex(mesh, i, j, 1);
    fold_add_cells(mesh, mesh->nx, mesh->ny, at);
}

/* The second sheet comes down on the first, in place or moved by half a cell, level or not. */
void fold_place_doubled(const fold_mesh *mesh, double amount, double (*out)[3])
{
    const double gap = amount < 0.75 ? 0.75 - amount : 0;
    const double shift = fold_choice(mesh, 0, 0, 2) * 0.5;
    const double tilt = mesh->dial[1] < 0.6 ? 0 : fold_between(mesh, 2, -0.1, 0.1);
    for (uint32_t i = 0; i < mesh->shape_count; i++) {
        const double u = mesh->rest[i][0], v = mesh->rest[i][1];
        const bool is_upper = mesh->rest[i][2] > 0;
        const double relief = fold_relief(mesh, 3, u, v);
        fold_set(out[i], is_upper ? u + shift : u, v, is_upper ? relief + gap + tilt * u : relief);
    }
}

/* ---- pillow: two discs with one rim; rest is (column, ring), with 1 above and -1 below ---- */

void fold_build_pillow(fold_mesh *mesh)
{
    uint32_t at[FOLD_GRID_ROOM];
    mesh->ny = fold_choice(mesh, 0, 2, mesh->size > 60 ? 3 : 2);
    mesh->nx = mesh->size / (4 * mesh->ny) + 3;
    for (int side = 1; side >= -1; side -= 2) {
        for (uint32_t j = 0; j <= mesh->ny; j++)
            for (uint32_t i = 0; i <= mesh->nx; i++) {
                const uint32_t row = j * (mesh->nx + 1);
                if (j == mesh->ny && side < 0) continue; /* there already */
                const bool is_same = i > 0 && (j == 0 || i == mesh->nx);
                at[row + i] = is_same ? at[row] : fold_add_vertex(mesh, i, j, side);
            }
        fold_add_cells(mesh, mesh->nx, mesh->ny, at);
    }
}

void fold_place_pillow(const fold_mesh *mesh, double amount, double (*out)[3])
{
    const double thickness = fold_between(mesh, 1, 0.05, 1);
    for (uint32_t i = 0; i < mesh->shape_count; i++) {
        const double angle = 2 * FOLD_PI * mesh->rest[i][0] / mesh->nx, r = mesh->rest[i][1];
        const double side = mesh->rest[i][2], bump = 1 - r * r / (mesh->ny * mesh->ny);
        const double x = r * wi_cos(angle), y = r * wi_sin(angle);
        const double wave = fold_wave_at(mesh, 0, 0.2 * x, 0.2 * y);
        const double upper = thickness * bump * (1 - amount * (1.1 + 1.2 * wave));
        fold_set(out[i], 2 * x, 2 * y, side > 0 ? upper : thickness * -0.125 * bump);
    }
}
