/* fold_turns.c - meshes around a vertex, an axis or an edge.
 *
 * More than a full turn is where flatness deceives: every part is level and the whole lies on
 * itself. */
#include <math.h>
#include "base/trig.h"
#include "support/fold_shapes.h"

/* Rings around a centre: rest is (column, ring). Ring 0 is one vertex if `has_centre`; the last
 * column is the first one if `is_closed`. */
static void add_rings(fold_mesh *mesh, bool has_centre, bool is_closed)
{
    uint32_t at[FOLD_GRID_ROOM];
    for (uint32_t j = 0; j <= mesh->ny; j++)
        for (uint32_t i = 0; i <= mesh->nx; i++) {
            const uint32_t row = j * (mesh->nx + 1);
            const bool is_same = i > 0 && ((j == 0 && has_centre) || (i == mesh->nx && is_closed));
            at[row + i] = is_same ? at[row] : fold_add_vertex(mesh, i, j, 0);
        }
    fold_add_cells(mesh, mesh->nx, mesh->ny, at);
}

static void choose_rings(fold_mesh *mesh, uint32_t dial, uint32_t most, uint32_t least_columns)
{
    mesh->ny = fold_choice(mesh, dial, 1, most);
    mesh->nx = mesh->size / (2 * mesh->ny);
    if (mesh->nx < least_columns) mesh->nx = least_columns;
}

/* ---- fan: part[0] turns ---- */

void fold_build_fan(fold_mesh *mesh)
{
    mesh->part[0] = mesh->seed % 4 == 3 ? fold_choice(mesh, 0, 2, 3) : 1;
    choose_rings(mesh, 1, mesh->size > 40 ? 3 : 1, 5 * mesh->part[0]);
    add_rings(mesh, mesh->dial[2] < 0.8, true);
}

/* Spokes are at random angles; in the end some go back. The rim is a saddle, a cone, or rough. */
void fold_place_fan(const fold_mesh *mesh, double amount, double (*out)[3])
{
    const double step = 2 * FOLD_PI * mesh->part[0] / mesh->nx,
                 slope = fold_between(mesh, 4, 0, 0.5);
    for (uint32_t i = 0; i < mesh->shape_count; i++) {
        const uint32_t column = (uint32_t)mesh->rest[i][0];
        const double ring = mesh->rest[i][1] + (mesh->dial[2] < 0.8 ? 0 : 1);
        const double angle = step * (column + 1.5 * amount * mesh->noise[column][0]);
        const double r = ring * (2 + 0.5 * mesh->noise[column][1]);
        const double saddle = wi_cos(2 * angle / mesh->part[0]);
        const double height[4] = {0, saddle, 1, 0.2 * mesh->noise[column][2]};
        fold_set(out[i], r * wi_cos(angle), r * wi_sin(angle),
                 slope * r * height[fold_choice(mesh, 3, 0, 3)]);
    }
}

/* ---- crossed: the edge from the last column to the first passes through the origin ---- */

/* The rim is hardly rough, so that it is seen whole from inside. In most meshes nothing is done
 * that would round positions out of their plane. */
void fold_build_crossed(fold_mesh *mesh)
{
    choose_rings(mesh, 0, 2, 4);
    add_rings(mesh, true, true);
    if (mesh->dial[1] < 0.1) return;
    mesh->finish.grid = 0;
    for (uint32_t axis = 0; axis < 3; axis++) {
        mesh->finish.stretch[axis] = 1;
        mesh->finish.offset[axis] = 0;
        for (uint32_t i = 0; i < 3; i++) mesh->finish.turn[axis][i] = (axis + i) % 3 == 2 ? 1 : 0;
    }
}

/* The middle goes through the origin, slower and slower, so that halving gets it to where only
 * exact arithmetic knows on which side of the edge it is. Heights keep all in one plane. */
void fold_place_crossed(const fold_mesh *mesh, double amount, double (*out)[3])
{
    const double turn = fold_between(mesh, 2, 0, 2 * FOLD_PI), c = wi_cos(turn), s = wi_sin(turn);
    const double off = 1 - 2 * amount, skew = fold_between(mesh, 3, -1, 1);
    const double slopes[4] = {0, 0.25, 1, -0x1p-9}, slope = slopes[fold_choice(mesh, 4, 0, 3)];
    for (uint32_t i = 0; i < mesh->shape_count; i++) {
        const uint32_t column = (uint32_t)mesh->rest[i][0];
        const double ring = mesh->rest[i][1], angle = FOLD_PI * column / (mesh->nx - 1);
        const bool is_end = column == 0 || column + 1 == mesh->nx;
        const double r = ring * (1 + 0.5 * mesh->noise[column][0] / mesh->nx);
        double along = ring > 0 ? r * wi_cos(angle) : off * off * off * skew * 0.3;
        double aside = ring > 0 ? r * wi_sin(angle) : off * off * off * 0.5;
        if (is_end && ring > 0) aside = 1 - ring;
        const double x = along * c - aside * s, y = along * s + aside * c;
        fold_set(out[i], x, y, slope * x);
    }
}

/* ---- stair: around a vertex, an axis or a shaft ---- */

void fold_build_stair(fold_mesh *mesh)
{
    choose_rings(mesh, 0, mesh->size > 60 ? 3 : 1, 12);
    add_rings(mesh, mesh->dial[1] < 0.3, false);
}

void fold_place_stair(const fold_mesh *mesh, double amount, double (*out)[3])
{
    const double turns = fold_between(mesh, 2, 1.1, mesh->nx < 24 ? 2 : 3.3);
    const double shaft = mesh->dial[1] < 0.6 ? 0 : fold_between(mesh, 3, 0.2, 2);
    const double floors = fold_between(mesh, 4, 0.02, 1), wave = fold_between(mesh, 5, 0.2, 0.9);
    for (uint32_t i = 0; i < mesh->shape_count; i++) {
        const double turn = turns * mesh->rest[i][0] / mesh->nx, angle = 2 * FOLD_PI * turn;
        const double r = shaft + mesh->rest[i][1];
        const double z = turn * (1 - 1.1 * amount) + amount * wave * wi_sin(0.7 * angle + r);
        const bool is_centre = r == 0 && mesh->dial[1] < 0.3;
        fold_set(out[i], 2 * r * wi_cos(angle), 2 * r * wi_sin(angle), is_centre ? 0 : floors * z);
    }
}

/* ---- sector ---- */

void fold_build_sector(fold_mesh *mesh)
{
    choose_rings(mesh, 0, mesh->size > 60 ? 3 : 1, 6);
    add_rings(mesh, mesh->dial[1] < 0.5, false);
}

void fold_place_sector(const fold_mesh *mesh, double amount, double (*out)[3])
{
    const double turns = fold_between(mesh, 2, 0.5, 0.9) + 0.5 * amount;
    const double shaft = mesh->dial[1] < 0.5 ? 0 : fold_between(mesh, 3, 0.2, 2);
    const double rise = mesh->dial[4] < 0.6 ? 0 : fold_between(mesh, 5, -0.05, 0.05);
    for (uint32_t i = 0; i < mesh->shape_count; i++) {
        const double turn = turns * mesh->rest[i][0] / mesh->nx, angle = 2 * FOLD_PI * turn;
        const double own = mesh->dial[6] < 0.5 ? 0 : 0.3 * mesh->noise[i][1];
        const double r = mesh->rest[i][1] + shaft > 0 ? 2 * (mesh->rest[i][1] + shaft) + own : 0;
        const double x = r * wi_cos(angle), y = r * wi_sin(angle);
        /* Higher at the outer end of one side only, so that the two may cut each other. */
        const double z = rise * r * (turn - 0.5) * (mesh->dial[7] < 0.5 ? 1 : r - 2);
        fold_set(out[i], x, y, z + fold_relief(mesh, 8, x, y));
    }
}

/* ---- moebius: part[0] half turns ---- */

void fold_build_moebius(fold_mesh *mesh)
{
    uint32_t at[FOLD_GRID_ROOM];
    mesh->part[0] = fold_choice(mesh, 0, 1, 3);
    choose_rings(mesh, 1, mesh->size > 60 ? 4 : 2, 9);
    for (uint32_t j = 0; j <= mesh->ny; j++)
        for (uint32_t i = 0; i < mesh->nx; i++)
            at[j * (mesh->nx + 1) + i] = fold_add_vertex(mesh, i, j, 0);
    for (uint32_t j = 0; j <= mesh->ny; j++) {
        const uint32_t other = mesh->part[0] % 2 == 0 ? j : mesh->ny - j;
        at[j * (mesh->nx + 1) + mesh->nx] = at[other * (mesh->nx + 1)];
    }
    fold_add_cells(mesh, mesh->nx, mesh->ny, at);
}

void fold_place_moebius(const fold_mesh *mesh, double amount, double (*out)[3])
{
    const double radius = mesh->nx / (2 * FOLD_PI), width = radius * (0.1 + 2.2 * amount);
    for (uint32_t i = 0; i < mesh->shape_count; i++) {
        const double angle = 2 * FOLD_PI * mesh->rest[i][0] / mesh->nx;
        const double across = width * (mesh->rest[i][1] / mesh->ny - 0.5);
        const double turn = 0.5 * mesh->part[0] * angle + 6 * mesh->dial[2];
        const double r = radius + across * wi_cos(turn);
        fold_set(out[i], r * wi_cos(angle), r * wi_sin(angle), across * wi_sin(turn));
    }
}

/* ---- bow tie: rest is (place in a patch, patch) ---- */

void fold_build_bow_tie(fold_mesh *mesh)
{
    const uint32_t patches = fold_choice(mesh, 0, 2, 3), centre = fold_add_vertex(mesh, 0, 0, 0);
    uint32_t at[FOLD_GRID_ROOM];
    mesh->nx = mesh->ny = (uint32_t)sqrt(mesh->size / (2.0 * patches)) + 1;
    for (uint32_t patch = 0; patch < patches; patch++) {
        for (uint32_t j = 0; j <= mesh->ny; j++)
            for (uint32_t i = 0; i <= mesh->nx; i++)
                at[j * (mesh->nx + 1) + i] =
                    i + j == 0 ? centre : fold_add_vertex(mesh, i, j, patch);
        fold_add_cells(mesh, mesh->nx, mesh->ny, at);
    }
}

/* Patches lie between two directions each; the second is turned towards the first and onto it. */
void fold_place_bow_tie(const fold_mesh *mesh, double amount, double (*out)[3])
{
    const double first = fold_between(mesh, 1, 0.4, 1.5), width = fold_between(mesh, 2, 0.4, 1.5);
    const double from[3] = {0, first + 0.8 - 1.5 * amount, 4};
    const double to[3] = {first, from[1] + width, 5};
    const uint32_t relief = fold_choice(mesh, 3, 0, 3);
    for (uint32_t i = 0; i < mesh->shape_count; i++) {
        const double s = mesh->rest[i][0], t = mesh->rest[i][1];
        const uint32_t patch = (uint32_t)mesh->rest[i][2];
        const double x = s * wi_cos(from[patch]) + t * wi_cos(to[patch]);
        const double y = s * wi_sin(from[patch]) + t * wi_sin(to[patch]);
        const double slope = 0.2 * mesh->noise[patch][0], other = 0.2 * mesh->noise[patch][1];
        const double height[4] = {0, 0, slope * x + other * y, slope * (x * x + y * y) * 0.2};
        fold_set(out[i], x, y, height[relief]);
    }
}

/* ---- book: rest is (place on a page, page) ---- */

void fold_build_book(fold_mesh *mesh)
{
    const uint32_t pages = fold_choice(mesh, 0, 3, 5);
    uint32_t at[FOLD_GRID_ROOM], spine[FOLD_GRID_ROOM];
    mesh->part[0] = pages;
    mesh->size /= pages;
    fold_choose_sides(mesh, 1);
    for (uint32_t page = 0; page < pages; page++) {
        for (uint32_t j = 0; j <= mesh->ny; j++)
            for (uint32_t i = 0; i <= mesh->nx; i++) {
                if (i == 0 && page == 0) spine[j] = fold_add_vertex(mesh, 0, j, 0);
                at[j * (mesh->nx + 1) + i] = i == 0 ? spine[j] : fold_add_vertex(mesh, i, j, page);
            }
        fold_add_cells(mesh, mesh->nx, mesh->ny, at);
    }
}

/* The second page comes down on the first, from some amount on exactly; flat or bent ones. */
void fold_place_book(const fold_mesh *mesh, double amount, double (*out)[3])
{
    const double apart = 2 * FOLD_PI / mesh->part[0], bent = mesh->dial[1] < 0.5 ? 0 : 0.2;
    for (uint32_t i = 0; i < mesh->shape_count; i++) {
        const double r = mesh->rest[i][0], page = mesh->rest[i][2];
        const double bend = bent * mesh->noise[(uint32_t)page][0] * r * r / mesh->nx;
        const double moved = amount < 0.7 ? apart * (1 - amount / 0.7) : 0;
        const double angle = page == 1 ? moved : apart * page;
        fold_set(out[i], r * wi_cos(angle) - bend * wi_sin(angle), mesh->rest[i][1],
                 r * wi_sin(angle) + bend * wi_cos(angle));
    }
}

/* ---- petals: rest is (petal, corner) ---- */

void fold_build_petals(fold_mesh *mesh)
{
    const uint32_t centre = fold_add_vertex(mesh, 0, 0, 0);
    mesh->part[0] = mesh->size < 32 ? mesh->size : 32;
    for (uint32_t i = 0; i < mesh->part[0]; i++) {
        const uint32_t left = fold_add_vertex(mesh, i, 1, 0);
        fold_add_tri(mesh, centre, left, fold_add_vertex(mesh, i, 2, 0));
    }
}

/* In directions that are spread evenly over a sphere, or over a circle. */
void fold_place_petals(const fold_mesh *mesh, double amount, double (*out)[3])
{
    const double count = mesh->part[0], width = amount * 20 / sqrt(count);
    const bool is_flat = mesh->dial[0] < 0.3;
    for (uint32_t i = 0; i < mesh->shape_count; i++) {
        const double petal = mesh->rest[i][0], corner = mesh->rest[i][1];
        const double side = corner == 1 ? -0.5 * width : 0.5 * width;
        const double angle = is_flat ? 2 * FOLD_PI * petal / count : 2.399963229728653 * petal;
        const double up = is_flat ? 0 : 2 * (petal + 0.5) / count - 1, level = sqrt(1 - up * up);
        const double lean = is_flat ? 0 : mesh->noise[(uint32_t)petal][0];
        fold_set(out[i], 4 * level * wi_cos(angle) - side * wi_sin(angle),
                 4 * level * wi_sin(angle) + side * wi_cos(angle), 4 * up + side * lean);
        if (corner == 0) fold_set(out[i], 0, 0, 0);
    }
}
