/* fold_mesh.c - what all folding meshes have in common.
 * Way in: fold_mesh_create, fold_mesh_place. The kind makes a tidy mesh; here it is given what
 * meshes of users have: seams, duplicates, triangles without area, any order and orientation. */
#include "support/fold_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/hash.h"
#include "base/trig.h"
#include "support/fold_shapes.h"
#include "support/test.h"

typedef struct fold_functions {
    const char *name;
    void (*build)(fold_mesh *mesh);
    void (*place)(const fold_mesh *mesh, double amount, double (*out)[3]);
} fold_functions;

static const fold_functions kinds[FOLD_KIND_COUNT] = {
#define ENTRY(name, function, words)                                                               \
    [FOLD_KIND_##name] = {words, fold_build_##function, fold_place_##function},
    FOLD_KINDS(ENTRY)
#undef ENTRY
};

const char *fold_kind_name(fold_kind kind) { return kinds[kind].name; }

static uint32_t random_below(uint64_t *random, uint32_t limit)
{
    return (uint32_t)((test_random(random) >> 32) * limit >> 32);
}

/* ---- for the kinds ---- */

uint32_t fold_add_vertex(fold_mesh *mesh, double u, double v, double w)
{
    assert_true(mesh->vertex_count < mesh->capacity);
    fold_set(mesh->rest[mesh->vertex_count], u, v, w);
    return mesh->vertex_count++;
}

void fold_add_tri(fold_mesh *mesh, uint32_t a, uint32_t b, uint32_t c)
{
    if (a == b || b == c || c == a) return;
    assert_true(mesh->triangle_count < mesh->capacity);
    uint32_t *tri = mesh->tris[mesh->triangle_count++];
    tri[0] = a;
    tri[1] = b;
    tri[2] = c;
}

/* Diagonals all one way, all the other way, by turns or anyhow. */
static bool is_rising(const fold_mesh *mesh, uint32_t i, uint32_t j)
{
    switch (mesh->seed % 4) {
    case 0: return true;
    case 1: return false;
    case 2: return (i + j) % 2 == 0;
    default: return wi_hash_u64(mesh->seed, (uint64_t)j << 32 | i) % 2 == 0;
    }
}

void fold_add_cells(fold_mesh *mesh, uint32_t nx, uint32_t ny, const uint32_t *at)
{
    for (uint32_t j = 0; j < ny; j++)
        for (uint32_t i = 0; i < nx; i++) {
            const uint32_t *low = at + j * (nx + 1) + i, *high = low + nx + 1;
            if (is_rising(mesh, i, j)) {
                fold_add_tri(mesh, low[0], low[1], high[1]);
                fold_add_tri(mesh, low[0], high[1], high[0]);
            } else {
                fold_add_tri(mesh, low[0], low[1], high[0]);
                fold_add_tri(mesh, low[1], high[1], high[0]);
            }
        }
}

void fold_add_sheet(fold_mesh *mesh, uint32_t nx, uint32_t ny, fold_has_cell *has)
{
    uint32_t at[FOLD_GRID_ROOM];
    assert_true((nx + 1) * (ny + 1) <= FOLD_GRID_ROOM);
    memset(at, 0xFF, sizeof at);
    for (uint32_t j = 0; j < ny; j++)
        for (uint32_t i = 0; i < nx; i++) {
            if (has && !has(mesh, i, j)) continue;
            uint32_t corner[4];
            for (uint32_t k = 0; k < 4; k++) {
                uint32_t x = i + k % 2, y = j + k / 2, *vertex = &at[y * (nx + 1) + x];
                if (*vertex == UINT32_MAX) *vertex = fold_add_vertex(mesh, x, y, 0);
                corner[k] = *vertex;
            }
            fold_add_cells(mesh, 1, 1, corner);
        }
}

void fold_choose_sides(fold_mesh *mesh, uint32_t least)
{
    double cells = (mesh->size + 1) / 2, aspect = 1 + 2 * mesh->dial[FOLD_DIALS - 1];
    mesh->nx = (uint32_t)sqrt(cells * aspect);
    if (mesh->nx < least) mesh->nx = least;
    mesh->ny = (uint32_t)(cells / mesh->nx);
    if (mesh->ny < least) mesh->ny = least;
}

void fold_add_whole_sheet(fold_mesh *mesh, uint32_t least)
{
    fold_choose_sides(mesh, least);
    fold_add_sheet(mesh, mesh->nx, mesh->ny, NULL);
}

double fold_between(const fold_mesh *mesh, uint32_t dial, double low, double high)
{
    return low + (high - low) * mesh->dial[dial];
}

uint32_t fold_choice(const fold_mesh *mesh, uint32_t dial, uint32_t low, uint32_t high)
{
    return low + (uint32_t)((high - low + 1) * mesh->dial[dial]);
}

double fold_wave_at(const fold_mesh *mesh, uint32_t axis, double u, double v)
{
    double sum = 0;
    for (uint32_t i = 0; i < FOLD_WAVES; i++) {
        const fold_wave *wave = &mesh->waves[axis][i];
        sum += wave->height * wi_sin(wave->along_u * u + wave->along_v * v + wave->phase);
    }
    return sum / FOLD_WAVES;
}

void fold_set(double out[3], double x, double y, double z)
{
    out[0] = x;
    out[1] = y;
    out[2] = z;
}

double fold_relief(const fold_mesh *mesh, uint32_t dial, double x, double y)
{
    const double shallow = 0.01 * mesh->dial[dial];
    switch ((uint32_t)(64 * mesh->dial[dial]) % 8) {
    case 0: return 0x1p-4 * x; /* of floats, too, this is a plane */
    case 1: return -0x1p-9 * y;
    case 2: return shallow * (x * x - 0.25 * y * y);
    case 3: return 4 * shallow * wi_sin(x + 0.5 * y);
    default: return 0;
    }
}

/* ---- numbers of a mesh ---- */

static void draw_waves(fold_mesh *mesh, uint64_t *random)
{
    for (uint32_t axis = 0; axis < 3; axis++)
        for (uint32_t i = 0; i < FOLD_WAVES; i++) {
            fold_wave *wave = &mesh->waves[axis][i];
            wave->along_u = test_random_between(random, -8, 8);
            wave->along_v = test_random_between(random, -8, 8);
            wave->phase = test_random_between(random, 0, 2 * FOLD_PI);
            wave->height = test_random_between(random, 0.2, 1);
        }
}

/* A rotation from a random quaternion, or one that takes axes to axes, or none. */
static void draw_turn(double turn[3][3], uint64_t *random)
{
    uint32_t choice = random_below(random, 4), first = random_below(random, 3);
    double q[4], length = 0;
    for (uint32_t i = 0; i < 4; i++) {
        q[i] = test_random_between(random, -1, 1);
        length += q[i] * q[i];
    }
    memset(turn, 0, 9 * sizeof turn[0][0]);
    for (uint32_t i = 0; i < 3; i++) turn[i][choice == 1 ? (i + first) % 3 : i] = 1;
    if (choice < 2 || length < 0.01) return;
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
        turn[i][i] = 1 - 2 * (q[j] * q[j] + q[k] * q[k]) / length;
        turn[i][j] = 2 * (q[i] * q[j] - q[k] * q[3]) / length;
        turn[i][k] = 2 * (q[i] * q[k] + q[j] * q[3]) / length;
    }
}

static void draw_finish(fold_finish *finish, uint64_t *random)
{
    static const double grids[] = {0, 0, 0, 0, 0.5, 0.25, 0.125, 0x1p-8};
    static const double scales[] = {1, 1, 1, 1, 1, 0x1p-3, 1e-3, 1e3, 1e-20, 0x1p-66, 1e12, 0x1p60};
    finish->grid = grids[random_below(random, 8)];
    finish->scale = scales[random_below(random, 12)];
    bool is_stretched = random_below(random, 4) == 0, is_far = random_below(random, 4) == 0;
    for (uint32_t axis = 0; axis < 3; axis++) {
        double stretch = random_below(random, 2) == 0 ? 0x1p-6 : 16;
        double offset = test_random_between(random, -1e4, 1e4) * finish->scale;
        finish->stretch[axis] = is_stretched && random_below(random, 2) == 0 ? stretch : 1;
        finish->offset[axis] = is_far ? offset : 0;
    }
    draw_turn(finish->turn, random);
}

static void draw_numbers(fold_mesh *mesh, uint64_t *random)
{
    for (uint32_t i = 0; i < FOLD_DIALS; i++) mesh->dial[i] = test_random_between(random, 0, 1);
    for (uint32_t i = 0; i < mesh->capacity; i++)
        for (uint32_t axis = 0; axis < 3; axis++)
            mesh->noise[i][axis] = test_random_between(random, -1, 1);
    draw_waves(mesh, random);
    draw_finish(&mesh->finish, random);
}

/* ---- less tidy ---- */

static void flip(uint32_t tri[3])
{
    uint32_t first = tri[0];
    tri[0] = tri[1];
    tri[1] = first;
}

/* So that all normals are upwards at some amount, whatever way the mesh is folded then. */
static void orient_upwards(fold_mesh *mesh, double amount)
{
    kinds[mesh->kind].place(mesh, amount, mesh->shape);
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        uint32_t *tri = mesh->tris[i];
        const double *a = mesh->shape[tri[0]], *b = mesh->shape[tri[1]], *c = mesh->shape[tri[2]];
        double up = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        if (up < 0) flip(tri);
    }
}

static void orient(fold_mesh *mesh, uint64_t *random)
{
    uint32_t choice = random_below(random, 8), every = choice == 0 ? 2 : 16;
    double amount = test_random_between(random, 0, 1);
    if (choice < 2)
        for (uint32_t i = 0; i < mesh->triangle_count; i++)
            if (random_below(random, every) == 0) flip(mesh->tris[i]);
    if (choice == 2 || choice == 3) orient_upwards(mesh, amount);
}

/* A vertex in the middle between two, or where both are if they are one. */
static uint32_t add_between(fold_mesh *mesh, uint32_t a, uint32_t b)
{
    uint32_t vertex = fold_add_vertex(mesh, 0, 0, 0);
    mesh->between[vertex][0] = a;
    mesh->between[vertex][1] = b;
    return vertex;
}

/* Triangles with corners of their own, where their neighbours' are. */
static void add_seams(fold_mesh *mesh, uint64_t *random)
{
    uint32_t count = 1 + random_below(random, 6);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *tri = mesh->tris[random_below(random, mesh->triangle_count)];
        for (uint32_t corner = 0; corner < 3; corner++)
            if (tri[corner] < mesh->shape_count && random_below(random, 2) == 0)
                tri[corner] = add_between(mesh, tri[corner], tri[corner]);
    }
    mesh->weld = random_below(random, 4) != 0;
}

static void add_duplicates(fold_mesh *mesh, uint64_t *random)
{
    uint32_t count = 1 + random_below(random, 3);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *tri = mesh->tris[random_below(random, mesh->triangle_count)];
        fold_add_tri(mesh, tri[1], tri[2], tri[0]);
        if (random_below(random, 2) == 0) flip(mesh->tris[mesh->triangle_count - 1]);
    }
}

/* On edges of triangles: with a vertex twice, or one that is between the two as far as rounding
 * allows, so that it sticks out by a hair on either side. */
static void add_thin(fold_mesh *mesh, uint64_t *random)
{
    uint32_t count = 1 + random_below(random, 4);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *tri = mesh->tris[random_below(random, mesh->triangle_count)];
        uint32_t a = tri[0], b = tri[1];
        bool is_double = random_below(random, 2) == 0;
        uint32_t c = is_double ? a : add_between(mesh, a, b);
        fold_add_tri(mesh, a, b, is_double ? UINT32_MAX : c);
        mesh->tris[mesh->triangle_count - 1][2] = c;
    }
}

static void add_groups(fold_mesh *mesh, uint64_t *random)
{
    mesh->groups = calloc(mesh->triangle_count, sizeof *mesh->groups);
    for (uint32_t i = 0; i < mesh->triangle_count; i++)
        mesh->groups[i] = random_below(random, 6) == 0 ? 0 : 1;
}

static void swap_tris(uint32_t a[3], uint32_t b[3])
{
    uint32_t kept[3];
    memcpy(kept, a, sizeof kept);
    memcpy(a, b, sizeof kept);
    memcpy(b, kept, sizeof kept);
}

/* Any order of triangles, and of their corners without turning them over. */
static void shuffle(fold_mesh *mesh, uint64_t *random)
{
    for (uint32_t i = mesh->triangle_count; i > 1; i--)
        swap_tris(mesh->tris[i - 1], mesh->tris[random_below(random, i)]);
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        uint32_t *tri = mesh->tris[i], by = random_below(random, 3);
        uint32_t turned[3] = {tri[by], tri[(by + 1) % 3], tri[(by + 2) % 3]};
        memcpy(tri, turned, sizeof turned);
    }
}

static void make_untidy(fold_mesh *mesh, uint64_t *random)
{
    orient(mesh, random);
    if (random_below(random, 12) == 0) add_seams(mesh, random);
    if (random_below(random, 32) == 0) add_duplicates(mesh, random);
    if (random_below(random, 12) == 0) add_thin(mesh, random);
    if (random_below(random, 4) != 0) shuffle(mesh, random);
    if (random_below(random, 16) == 0) add_groups(mesh, random);
    if (random_below(random, 24) == 0) mesh->weld = true;
}

/* ---- a mesh ---- */

static void allocate(fold_mesh *mesh)
{
    mesh->capacity = 2 * mesh->size + 400;
    mesh->rest = calloc(mesh->capacity, sizeof *mesh->rest);
    mesh->noise = calloc(mesh->capacity, sizeof *mesh->noise);
    mesh->shape = calloc(mesh->capacity, sizeof *mesh->shape);
    mesh->between = calloc(mesh->capacity, sizeof *mesh->between);
    mesh->tris = calloc(mesh->capacity, sizeof *mesh->tris);
}

void fold_mesh_create(fold_mesh *mesh, fold_kind kind, uint32_t size, uint64_t seed)
{
    *mesh = (fold_mesh){.kind = kind, .size = size, .seed = seed};
    uint64_t random = wi_hash_u64(wi_hash_u64(WI_HASH_START, seed), kind);
    allocate(mesh);
    draw_numbers(mesh, &random);
    kinds[kind].build(mesh);
    mesh->shape_count = mesh->vertex_count;
    make_untidy(mesh, &random);
}

void fold_mesh_destroy(fold_mesh *mesh)
{
    free(mesh->rest);
    free(mesh->noise);
    free(mesh->shape);
    free(mesh->between);
    free(mesh->tris);
    free(mesh->groups);
    *mesh = (fold_mesh){0};
}

static void finish_point(const fold_finish *finish, const double from[3], double out[3])
{
    double p[3];
    for (uint32_t axis = 0; axis < 3; axis++) {
        p[axis] = from[axis];
        if (finish->grid > 0) p[axis] = floor(p[axis] / finish->grid + 0.5) * finish->grid;
        p[axis] *= finish->stretch[axis];
    }
    for (uint32_t axis = 0; axis < 3; axis++) {
        const double *row = finish->turn[axis];
        double turned = row[0] * p[0] + row[1] * p[1] + row[2] * p[2];
        out[axis] = turned * finish->scale + finish->offset[axis];
    }
}

void fold_mesh_place(fold_mesh *mesh, double amount, float (*out)[3])
{
    kinds[mesh->kind].place(mesh, amount, mesh->shape);
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        const uint32_t *between = mesh->between[i];
        if (i < mesh->shape_count) finish_point(&mesh->finish, mesh->shape[i], mesh->shape[i]);
        for (uint32_t axis = 0; axis < 3; axis++) {
            double *at = &mesh->shape[i][axis];
            if (i >= mesh->shape_count)
                *at = 0.5 * (mesh->shape[between[0]][axis] + mesh->shape[between[1]][axis]);
            out[i][axis] = (float)*at;
            *at = (double)out[i][axis];
        }
    }
}
