/* fold_solids.c - closed meshes that reach through themselves. */
#include <math.h>
#include <string.h>
#include "base/trig.h"
#include "support/fold_shapes.h"

/* ---- ball: rest is a place on the unit sphere ---- */

static uint32_t middle_of(fold_mesh *mesh, uint32_t a, uint32_t b)
{
    double p[3], length = 0;
    for (uint32_t axis = 0; axis < 3; axis++) {
        p[axis] = mesh->rest[a][axis] + mesh->rest[b][axis];
        length += p[axis] * p[axis];
    }
    length = sqrt(length);
    for (uint32_t axis = 0; axis < 3; axis++) p[axis] /= length;
    /* The sum is the same in either order, so is the vertex. */
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        if (memcmp(mesh->rest[i], p, sizeof p) == 0) return i;
    return fold_add_vertex(mesh, p[0], p[1], p[2]);
}

static void split_tris(fold_mesh *mesh)
{
    for (uint32_t i = mesh->triangle_count; i-- > 0;) {
        uint32_t *tri = mesh->tris[i], a = tri[0], b = tri[1], c = tri[2];
        uint32_t ab = middle_of(mesh, a, b), bc = middle_of(mesh, b, c), ca = middle_of(mesh, c, a);
        fold_add_tri(mesh, a, ab, ca);
        fold_add_tri(mesh, b, bc, ab);
        fold_add_tri(mesh, c, ca, bc);
        tri[0] = ab;
        tri[1] = bc;
        tri[2] = ca;
    }
}

/* From an octahedron or an icosahedron. */
static void add_octahedron(fold_mesh *mesh)
{
    for (uint32_t axis = 0; axis < 3; axis++)
        for (int side = -1; side <= 1; side += 2)
            fold_add_vertex(mesh, axis == 0 ? side : 0, axis == 1 ? side : 0, axis == 2 ? side : 0);
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t x = i % 2, y = 2 + i / 2 % 2, z = 4 + i / 4;
        const bool is_even = (x + y + z) % 2 == 1;
        fold_add_tri(mesh, x, is_even ? y : z, is_even ? z : y);
    }
}

static void add_icosahedron(fold_mesh *mesh)
{
    const double level = sqrt(0.2), ring = 2 * level;
    const uint32_t south = fold_add_vertex(mesh, 0, 0, -1), north = fold_add_vertex(mesh, 0, 0, 1);
    for (uint32_t i = 0; i < 10; i++) {
        const double angle = FOLD_PI * i / 5, up = i % 2 == 0 ? -level : level;
        fold_add_vertex(mesh, ring * wi_cos(angle), ring * wi_sin(angle), up);
    }
    for (uint32_t i = 0; i < 10; i += 2) {
        const uint32_t low = 2 + i, high = 3 + i, next = 2 + (i + 2) % 10, after = next + 1;
        fold_add_tri(mesh, south, next, low);
        fold_add_tri(mesh, low, next, high);
        fold_add_tri(mesh, next, after, high);
        fold_add_tri(mesh, high, after, north);
    }
}

void fold_build_ball(fold_mesh *mesh)
{
    if (mesh->dial[0] < 0.5)
        add_octahedron(mesh);
    else
        add_icosahedron(mesh);
    while (4 * mesh->triangle_count < 2 * mesh->size) split_tris(mesh);
}

void fold_place_ball(const fold_mesh *mesh, double amount, double (*out)[3])
{
    const double breadth = fold_between(mesh, 1, 0.3, 1), radius = 4;
    for (uint32_t i = 0; i < mesh->shape_count; i++) {
        const double *p = mesh->rest[i];
        const double off = (p[0] * p[0] + p[1] * p[1]) / (breadth * breadth);
        const double dent = p[2] > 0 && off < 1 ? (1 - off) * (1 - off) : 0;
        const double wave = 0.1 * amount * fold_wave_at(mesh, 0, 0.3 * p[0], 0.3 * p[1]);
        fold_set(out[i], radius * p[0] * (1 + wave), radius * p[1],
                 radius * (p[2] - 2.5 * amount * dent));
    }
}

/* ---- torus ---- */

void fold_build_torus(fold_mesh *mesh)
{
    uint32_t at[FOLD_GRID_ROOM];
    fold_choose_sides(mesh, 4);
    for (uint32_t j = 0; j <= mesh->ny; j++)
        for (uint32_t i = 0; i <= mesh->nx; i++) {
            const uint32_t from = (j == mesh->ny ? 0 : j) * (mesh->nx + 1) + i % mesh->nx;
            const bool is_new = i < mesh->nx && j < mesh->ny;
            at[j * (mesh->nx + 1) + i] = is_new ? fold_add_vertex(mesh, i, j, 0) : at[from];
        }
    fold_add_cells(mesh, mesh->nx, mesh->ny, at);
}

void fold_place_torus(const fold_mesh *mesh, double amount, double (*out)[3])
{
    const double radius = 4, tube = radius * (0.2 + 1.2 * amount),
                 tall = fold_between(mesh, 0, 0.2, 1);
    for (uint32_t i = 0; i < mesh->shape_count; i++) {
        const double angle = 2 * FOLD_PI * mesh->rest[i][0] / mesh->nx;
        const double around = 2 * FOLD_PI * (mesh->rest[i][1] + mesh->dial[1]) / mesh->ny;
        const double r = radius + tube * wi_cos(around);
        fold_set(out[i], r * wi_cos(angle), r * wi_sin(angle), tube * tall * wi_sin(around));
    }
}

/* ---- cube: rest is a place on a lattice of nx cells ---- */

static uint32_t lattice_vertex(fold_mesh *mesh, double x, double y, double z)
{
    const double p[3] = {x, y, z};
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        if (memcmp(mesh->rest[i], p, sizeof p) == 0) return i;
    return fold_add_vertex(mesh, x, y, z);
}

static void add_cube_side(fold_mesh *mesh, uint32_t axis, bool is_upper)
{
    uint32_t at[FOLD_GRID_ROOM];
    for (uint32_t j = 0; j <= mesh->nx; j++)
        for (uint32_t i = 0; i <= mesh->nx; i++) {
            double p[3];
            p[axis] = is_upper ? mesh->nx : 0;
            p[(axis + 1) % 3] = is_upper ? i : j;
            p[(axis + 2) % 3] = is_upper ? j : i;
            at[j * (mesh->nx + 1) + i] = lattice_vertex(mesh, p[0], p[1], p[2]);
        }
    fold_add_cells(mesh, mesh->nx, mesh->nx, at);
}

void fold_build_cube(fold_mesh *mesh)
{
    mesh->nx = mesh->ny = 2;
    while (12 * (mesh->nx + 1) * (mesh->nx + 1) <= mesh->size) mesh->ny = ++mesh->nx;
    for (uint32_t axis = 0; axis < 3; axis++) {
        add_cube_side(mesh, axis, false);
        add_cube_side(mesh, axis, true);
    }
}

/* Inner vertices of the top go down, all alike or one more than others. */
void fold_place_cube(const fold_mesh *mesh, double amount, double (*out)[3])
{
    const double side = mesh->nx, own = mesh->dial[0] < 0.5 ? 0 : 0.5;
    for (uint32_t i = 0; i < mesh->shape_count; i++) {
        const double *p = mesh->rest[i];
        const bool is_inner = p[0] > 0 && p[0] < side && p[1] > 0 && p[1] < side && p[2] == side;
        const double depth = amount * side * (1.4 + own * mesh->noise[i][0]);
        fold_set(out[i], p[0], p[1], is_inner ? p[2] - depth : p[2]);
    }
}
