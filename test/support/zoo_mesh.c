/* zoo_mesh.c - how the meshes of the zoo look and move.
 * Way in: zoo_mesh_create. A kind is two functions: triangles once, positions per frame. All of
 * them stay near the cube [-1, 1]^3, so that two of a kind meet. */
#include "support/zoo_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/hash.h"
#include "base/trig.h"

typedef struct random_numbers {
    uint64_t key, count;
} random_numbers;

static uint64_t random_next(random_numbers *r) { return wi_hash_u64(r->key, r->count++); }

static uint32_t random_below(random_numbers *r, uint32_t limit)
{
    return (uint32_t)((random_next(r) >> 32) * limit >> 32);
}

static double random_in(random_numbers *r, double low, double high)
{
    return low + (high - low) * ((double)(random_next(r) >> 11) * 0x1p-53);
}

/* An eighth from [-1, 1]. */
static float random_eighth(random_numbers *r) { return (float)random_below(r, 17) / 8.0F - 1.0F; }

/* Positions in another frame come from other numbers, triangles from the same. */
static random_numbers numbers_for(const zoo_mesh *mesh, uint64_t frame)
{
    return (random_numbers){wi_hash_u64(wi_hash_u64(WI_HASH_START, mesh->seed), frame), 0};
}

static random_numbers numbers_for_tris(const zoo_mesh *mesh)
{
    return numbers_for(mesh, UINT64_MAX);
}

static void set_tri(zoo_mesh *mesh, uint32_t tri, uint32_t a, uint32_t b, uint32_t c)
{
    mesh->tris[tri][0] = a;
    mesh->tris[tri][1] = b;
    mesh->tris[tri][2] = c;
}

static void set_point(float out[3], double x, double y, double z)
{
    out[0] = (float)x;
    out[1] = (float)y;
    out[2] = (float)z;
}

/* A point up to `spread` from another. One number per statement, here as everywhere: in one list of
 * arguments the compiler would choose their order. */
static void set_point_near(random_numbers *r, float out[3], double x, double y, double z,
                           double spread)
{
    z += random_in(r, -spread, spread);
    y += random_in(r, -spread, spread);
    x += random_in(r, -spread, spread);
    set_point(out, x, y, z);
}

/* Room for a mesh; zero vertices or triangles have room for one. */
static void allocate(zoo_mesh *mesh, uint32_t vertices, uint32_t tris)
{
    mesh->vertex_count = vertices;
    mesh->triangle_count = tris;
    mesh->positions = calloc(vertices + 1, sizeof *mesh->positions);
    mesh->next = calloc(vertices + 1, sizeof *mesh->next);
    mesh->tris = calloc(tris + 1, sizeof *mesh->tris);
}

static void allocate_groups(zoo_mesh *mesh)
{
    mesh->groups = calloc(mesh->triangle_count + 1, sizeof *mesh->groups);
}

/* Vertices come in clusters that lie together. */
enum { CLUSTER = 6, PER_TIP = 12 };

/* Corners are of one cluster or of the next: every `step`-th vertex from `first` on. */
static void random_tris(zoo_mesh *mesh, uint32_t step, uint32_t first)
{
    random_numbers r = numbers_for_tris(mesh);
    uint32_t used = mesh->vertex_count / step;
    for (uint32_t tri = 0; tri < mesh->triangle_count; tri++) {
        uint32_t cluster = random_below(&r, used / CLUSTER) * CLUSTER;
        for (int i = 0; i < 3; i++) {
            uint32_t reach = random_below(&r, 16) == 0 ? 2 * CLUSTER : CLUSTER;
            mesh->tris[tri][i] = (cluster + random_below(&r, reach)) % used * step + first;
        }
    }
}

static void own_tris(zoo_mesh *mesh)
{
    for (uint32_t tri = 0; tri < mesh->triangle_count; tri++)
        set_tri(mesh, tri, 3 * tri, 3 * tri + 1, 3 * tri + 2);
}

/* ---- soups ---- */

static void build_soup(zoo_mesh *mesh)
{
    allocate(mesh, 3 * mesh->size, mesh->size);
    own_tris(mesh);
}

static void place_near(random_numbers *r, float (*out)[3], uint32_t count, double spread)
{
    double x = random_in(r, -1, 1), y = random_in(r, -1, 1), z = random_in(r, -1, 1);
    for (uint32_t i = 0; i < count; i++) set_point_near(r, out[i], x, y, z, spread);
}

/* How large triangles are such that each meets some others, however many there are. */
static double spread_of(const zoo_mesh *mesh)
{
    double spread = 0.5;
    while (spread * spread * spread * mesh->size > 0.5) spread *= 0.875;
    return spread;
}

static void place_soup(const zoo_mesh *mesh, uint32_t frame, float (*out)[3])
{
    random_numbers r = numbers_for(mesh, frame);
    for (uint32_t tri = 0; tri < mesh->triangle_count; tri++)
        place_near(&r, out + 3 * (size_t)tri, 3, spread_of(mesh));
}

static void build_web(zoo_mesh *mesh)
{
    uint32_t clusters = mesh->size / 12 + 1;
    allocate(mesh, clusters * CLUSTER, mesh->size);
    random_tris(mesh, 1, 0);
}

static void place_web(const zoo_mesh *mesh, uint32_t frame, float (*out)[3])
{
    random_numbers r = numbers_for(mesh, frame);
    for (uint32_t i = 0; i < mesh->vertex_count; i += CLUSTER)
        place_near(&r, out + i, CLUSTER, 2 * spread_of(mesh));
}

/* ---- sheets: (side + 1)^2 vertices, two triangles per cell ---- */

static uint32_t side_of(const zoo_mesh *mesh)
{
    uint32_t side = 1;
    while (2 * (side + 1) * (side + 1) <= mesh->size) side++;
    return side;
}

/* A sheet whose first vertex and triangle are these. */
static void sheet_tris(zoo_mesh *mesh, uint32_t side, uint32_t vertex, uint32_t tri)
{
    for (uint32_t j = 0; j < side; j++)
        for (uint32_t i = 0; i < side; i++) {
            uint32_t at = vertex + j * (side + 1) + i;
            set_tri(mesh, tri++, at, at + 1, at + side + 1);
            set_tri(mesh, tri++, at + 1, at + side + 2, at + side + 1);
        }
}

static void build_grid(zoo_mesh *mesh)
{
    uint32_t side = side_of(mesh);
    allocate(mesh, (side + 1) * (side + 1), 2 * side * side);
    sheet_tris(mesh, side, 0, 0);
}

static void build_folded(zoo_mesh *mesh) { build_grid(mesh); }
static void build_rolled(zoo_mesh *mesh) { build_grid(mesh); }
static void build_crumpled(zoo_mesh *mesh) { build_grid(mesh); }

static void place_grid(const zoo_mesh *mesh, uint32_t frame, float (*out)[3])
{
    uint32_t side = side_of(mesh);
    double phase = 0.7 * frame + (double)(mesh->seed % 7);
    for (uint32_t j = 0, at = 0; j <= side; j++)
        for (uint32_t i = 0; i <= side; i++, at++) {
            double u = (double)i / side, v = (double)j / side;
            set_point(out[at], 2 * u - 1, 2 * v - 1, 0.3 * wi_sin(5 * u + 4 * v + phase));
        }
}

/* Four layers; flat in every third frame, so that they lie on each other exactly. */
static void place_folded(const zoo_mesh *mesh, uint32_t frame, float (*out)[3])
{
    uint32_t side = side_of(mesh);
    random_numbers r = numbers_for(mesh, frame);
    double height = frame % 3 == 0 ? 0.0 : 0.125, shift = (double)(mesh->seed % 5) / 8;
    for (uint32_t j = 0, at = 0; j <= side; j++)
        for (uint32_t i = 0; i <= side; i++, at++) {
            double along = 4.0 * i / side, within = fmod(along, 2.0);
            double x = within < 1 ? within : 2 - within;
            set_point(out[at], 2 * x - 1 + shift, 2.0 * j / side - 1,
                      random_in(&r, -height, height));
        }
}

/* Bodies of one kind and other seeds move apart a little, by eighths. */
static double shift_of(const zoo_mesh *mesh) { return (double)(mesh->seed % 5) / 8 - 0.25; }

static void place_rolled(const zoo_mesh *mesh, uint32_t frame, float (*out)[3])
{
    uint32_t side = side_of(mesh);
    for (uint32_t j = 0, at = 0; j <= side; j++)
        for (uint32_t i = 0; i <= side; i++, at++) {
            double turn = 3 * 6.283185307179586 * i / side, v = (double)j / side;
            double radius = 0.75 + 0.125 * wi_sin(4 * v + 0.37 * turn + frame + shift_of(mesh));
            set_point(out[at], radius * wi_cos(turn) + shift_of(mesh), radius * wi_sin(turn),
                      2 * v - 1);
        }
}

static void place_crumpled(const zoo_mesh *mesh, uint32_t frame, float (*out)[3])
{
    uint32_t side = side_of(mesh);
    random_numbers r = numbers_for(mesh, frame);
    for (uint32_t j = 0, at = 0; j <= side; j++)
        for (uint32_t i = 0; i <= side; i++, at++)
            set_point_near(&r, out[at], 2.0 * i / side - 1, 2.0 * j / side - 1, 0.0, 0.3);
}

/* Rings of vertices between two poles. */
static void build_sphere(zoo_mesh *mesh)
{
    uint32_t side = side_of(mesh) + 2, tri = 0;
    allocate(mesh, side * side + 2, 2 * side * side);
    uint32_t south = side * side, north = south + 1;
    for (uint32_t i = 0; i < side; i++) {
        uint32_t next = (i + 1) % side;
        set_tri(mesh, tri++, south, next, i);
        for (uint32_t j = 0; j + 1 < side; j++) {
            set_tri(mesh, tri++, j * side + i, j * side + next, (j + 1) * side + i);
            set_tri(mesh, tri++, j * side + next, (j + 1) * side + next, (j + 1) * side + i);
        }
        set_tri(mesh, tri++, (side - 1) * side + i, (side - 1) * side + next, north);
    }
}

static void place_sphere(const zoo_mesh *mesh, uint32_t frame, float (*out)[3])
{
    uint32_t side = side_of(mesh) + 2;
    for (uint32_t j = 0, at = 0; j < side; j++)
        for (uint32_t i = 0; i < side; i++, at++) {
            double down = 3.141592653589793 * (j + 1) / (side + 1);
            double around = 6.283185307179586 * i / side;
            double radius = 0.8 + 0.15 * wi_sin(3 * around + 2 * down + 0.9 * frame);
            set_point(out[at], radius * wi_sin(down) * wi_cos(around) + shift_of(mesh),
                      radius * wi_sin(down) * wi_sin(around), -radius * wi_cos(down));
        }
    set_point(out[side * side], shift_of(mesh), 0, -0.9);
    set_point(out[side * side + 1], shift_of(mesh), 0, 0.9);
}

/* ---- hardly meshes ---- */

static void build_points(zoo_mesh *mesh) { build_soup(mesh); }
static void build_segments(zoo_mesh *mesh) { build_soup(mesh); }
static void build_coplanar(zoo_mesh *mesh) { build_soup(mesh); }

/* On few places, so that points meet points. */
static void place_points(const zoo_mesh *mesh, uint32_t frame, float (*out)[3])
{
    random_numbers r = numbers_for(mesh, frame);
    for (uint32_t tri = 0; tri < mesh->triangle_count; tri++) {
        float *p = out[3 * tri];
        for (int axis = 0; axis < 3; axis++) p[axis] = (float)random_below(&r, 3) / 2.0F - 0.5F;
        memcpy(out[3 * tri + 1], p, 3 * sizeof *p);
        memcpy(out[3 * tri + 2], p, 3 * sizeof *p);
    }
}

static void place_segments(const zoo_mesh *mesh, uint32_t frame, float (*out)[3])
{
    random_numbers r = numbers_for(mesh, frame);
    for (uint32_t tri = 0; tri < mesh->triangle_count; tri++) {
        float *a = out[3 * tri], *b = out[3 * tri + 1], *c = out[3 * tri + 2];
        float share = (float)random_below(&r, 5) / 4.0F;
        for (int axis = 0; axis < 3; axis++) {
            a[axis] = (float)random_below(&r, 5) / 2.0F - 1.0F;
            b[axis] = a[axis] + (float)random_below(&r, 3) / 2.0F - 0.5F;
            c[axis] = a[axis] + share * (b[axis] - a[axis]);
        }
    }
}

/* Axis-parallel and slanted planes by turns. */
static void place_coplanar(const zoo_mesh *mesh, uint32_t frame, float (*out)[3])
{
    random_numbers r = numbers_for(mesh, frame);
    float centre[2] = {0.0F, 0.0F};
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        if (i % 3 == 0)
            for (int axis = 0; axis < 2; axis++) centre[axis] = random_eighth(&r);
        float x = centre[0] + 0.25F * random_eighth(&r), y = centre[1] + 0.25F * random_eighth(&r);
        set_point(out[i], x, y, frame % 2 == 0 ? 0.25F : 0.5F * x - 0.25F * y);
    }
}

/* Triangles 0, 1 and 2 are one: by number, and by place in another order. */
static void build_duplicates(zoo_mesh *mesh)
{
    uint32_t originals = mesh->size / 3 + 1;
    allocate(mesh, 6 * originals, 3 * originals);
    for (uint32_t i = 0; i < originals; i++) {
        set_tri(mesh, 3 * i, 6 * i, 6 * i + 1, 6 * i + 2);
        set_tri(mesh, 3 * i + 1, 6 * i + 1, 6 * i + 2, 6 * i);
        set_tri(mesh, 3 * i + 2, 6 * i + 5, 6 * i + 4, 6 * i + 3);
    }
}

static void place_duplicates(const zoo_mesh *mesh, uint32_t frame, float (*out)[3])
{
    random_numbers r = numbers_for(mesh, frame);
    for (uint32_t i = 0; i < mesh->vertex_count; i += 6) {
        place_near(&r, out + i, 3, 0.5);
        memcpy(out + i + 3, out + i, 3 * sizeof *out);
    }
}

static void build_lattice(zoo_mesh *mesh) { build_web(mesh); }

static void place_lattice(const zoo_mesh *mesh, uint32_t frame, float (*out)[3])
{
    random_numbers r = numbers_for(mesh, frame);
    float centre[3] = {0.0F, 0.0F, 0.0F};
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        for (int axis = 0; axis < 3; axis++) {
            if (i % CLUSTER == 0) centre[axis] = (float)random_below(&r, 5) / 2.0F - 1.0F;
            out[i][axis] = centre[axis] + (float)random_below(&r, 3) / 4.0F;
        }
}

static void build_repeated(zoo_mesh *mesh)
{
    build_web(mesh);
    for (uint32_t tri = 0; tri < mesh->triangle_count; tri++) {
        uint32_t *t = mesh->tris[tri];
        if (tri % 2 == 0) t[tri / 2 % 3] = t[(tri / 2 + 1) % 3];
        if (tri % 8 == 0) t[0] = t[1] = t[2];
    }
}

static void place_repeated(const zoo_mesh *mesh, uint32_t frame, float (*out)[3])
{
    place_lattice(mesh, frame, out);
}

static void build_groups(zoo_mesh *mesh)
{
    random_numbers r = numbers_for_tris(mesh);
    build_web(mesh);
    allocate_groups(mesh);
    for (uint32_t tri = 0; tri < mesh->triangle_count; tri++)
        mesh->groups[tri] = (uint16_t)(random_below(&r, 3) * 32767);
}

static void place_groups(const zoo_mesh *mesh, uint32_t frame, float (*out)[3])
{
    place_web(mesh, frame, out);
}

static void build_ignored(zoo_mesh *mesh)
{
    build_web(mesh);
    allocate_groups(mesh);
}

static void place_ignored(const zoo_mesh *mesh, uint32_t frame, float (*out)[3])
{
    place_web(mesh, frame, out);
}

/* Triangles use every third vertex only, and neither the first nor the last. */
static void build_loose(zoo_mesh *mesh)
{
    uint32_t clusters = mesh->size / 12 + 1;
    allocate(mesh, 3 * clusters * CLUSTER, mesh->size);
    random_tris(mesh, 3, 1);
}

/* The loose ones are far out, where they would spoil boxes. */
static void place_loose(const zoo_mesh *mesh, uint32_t frame, float (*out)[3])
{
    random_numbers r = numbers_for(mesh, frame);
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        if (i % (3 * CLUSTER) == 0) place_near(&r, out + i, 3 * CLUSTER, 2 * spread_of(mesh));
        if (i % 3 != 1) set_point(out[i], -1e30, 1e30, 1e30);
    }
}

/* A crumpled sheet whose cells each have four corners. */
static void build_seams(zoo_mesh *mesh)
{
    uint32_t side = side_of(mesh), cells = side * side;
    allocate(mesh, 4 * cells, 2 * cells);
    for (uint32_t cell = 0; cell < cells; cell++) {
        set_tri(mesh, 2 * cell, 4 * cell, 4 * cell + 1, 4 * cell + 2);
        set_tri(mesh, 2 * cell + 1, 4 * cell + 1, 4 * cell + 3, 4 * cell + 2);
    }
    mesh->weld = true;
}

/* Corners coincide in frame 0, with zeros of either sign. Later the merged ones go astray, which
 * must not matter. */
static void place_seams(const zoo_mesh *mesh, uint32_t frame, float (*out)[3])
{
    uint32_t side = side_of(mesh);
    for (uint32_t at = 0; at < mesh->vertex_count; at++) {
        uint32_t cell = at / 4, i = cell % side + at % 2, j = cell / side + at % 4 / 2;
        random_numbers r = numbers_for(mesh, frame);
        r.count = 3 * ((uint64_t)j * (side + 1) + i);
        bool is_astray = frame > 0 && at % 4 != 0 && i > 0 && j > 0;
        double stray = is_astray ? random_in(&r, -1, 1) : 0.0;
        set_point(out[at], 2.0 * i / side - 1 + stray, 2.0 * j / side - 1,
                  random_below(&r, 4) == 0 ? 0.0 : random_in(&r, -0.4, 0.4));
        if (out[at][2] == 0.0F && at % 3 == 0) out[at][2] = -0.0F;
    }
}

static void build_needles(zoo_mesh *mesh)
{
    uint32_t tips = mesh->size / PER_TIP + 1;
    allocate(mesh, 2 * mesh->size + tips, mesh->size);
    for (uint32_t tri = 0; tri < mesh->size; tri++)
        set_tri(mesh, tri, tri / PER_TIP, tips + 2 * tri, tips + 2 * tri + 1);
}

static void place_needles(const zoo_mesh *mesh, uint32_t frame, float (*out)[3])
{
    random_numbers r = numbers_for(mesh, frame);
    uint32_t tips = mesh->size / PER_TIP + 1;
    for (uint32_t i = 0; i < tips; i++) {
        float y = random_eighth(&r), x = random_eighth(&r);
        set_point(out[i], (double)x, (double)y, 0.125);
    }
    for (uint32_t i = tips; i + 1 < mesh->vertex_count; i += 2) {
        double x = random_in(&r, -1, 1), y = random_in(&r, -1, 1);
        double z = i % 3 == 0 ? 0.125 : random_in(&r, -1, 1);
        set_point(out[i], x, y, z);
        set_point(out[i + 1], x + 0x1p-20, y, z - (i % 4 == 1 ? 0x1p-20 : 0.0));
    }
}

/* Few, since almost all of them meet and are decided by long numbers. */
static void build_extreme(zoo_mesh *mesh)
{
    mesh->size = mesh->size / 4 + 1;
    build_web(mesh);
}

static void place_extreme(const zoo_mesh *mesh, uint32_t frame, float (*out)[3])
{
    static const float scales[] = {0x1p-149F, 0x1p-130F, 0x1p-60F, 1.0F, 1.0F, 0x1p60F, 0x1p100F};
    random_numbers r = numbers_for(mesh, frame);
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        float scale = scales[random_below(&r, sizeof scales / sizeof scales[0])];
        for (int axis = 0; axis < 3; axis++)
            out[i][axis] = scale * ((float)random_below(&r, 9) - 4.0F);
    }
}

static void build_single(zoo_mesh *mesh)
{
    allocate(mesh, 3, 1);
    own_tris(mesh);
}

static void place_single(const zoo_mesh *mesh, uint32_t frame, float (*out)[3])
{
    random_numbers r = numbers_for(mesh, frame);
    for (int i = 0; i < 3; i++)
        for (int axis = 0; axis < 3; axis++) out[i][axis] = random_eighth(&r);
}

static void build_empty(zoo_mesh *mesh) { allocate(mesh, 0, 0); }

static void place_empty(const zoo_mesh *mesh, uint32_t frame, float (*out)[3])
{
    (void)mesh;
    (void)frame;
    (void)out;
}

static void build_alone(zoo_mesh *mesh) { allocate(mesh, 5, 0); }

static void place_alone(const zoo_mesh *mesh, uint32_t frame, float (*out)[3])
{
    place_web(mesh, frame, out);
}

/* ---- groups ---- */

enum { MOST_MASKED = 64 };

void zoo_mesh_mask(zoo_mesh *mesh, uint64_t seed)
{
    random_numbers r = {wi_hash_u64(WI_HASH_START, seed), 0};
    uint32_t density = 1 + random_below(&r, 3); /* of four */
    free(mesh->masks);
    mesh->masks = NULL;
    mesh->mask_count = 0;
    if (mesh->group_count == 0 || random_below(&r, 6) == 0) return;
    uint32_t count = mesh->group_count + random_below(&r, MOST_MASKED + 1 - mesh->group_count);
    mesh->mask_count = random_below(&r, 2) == 0 ? mesh->group_count : count;
    mesh->masks = calloc(mesh->mask_count, sizeof *mesh->masks);
    for (uint32_t a = 0; a < mesh->mask_count; a++)
        for (uint32_t b = 0; b < MOST_MASKED; b++) {
            const bool has_meaning = a > 0 && b > 0 && b < mesh->mask_count;
            if (has_meaning && b < a)
                mesh->masks[a] |= (mesh->masks[b] >> a & 1) << b;
            else if (random_below(&r, 4) < density)
                mesh->masks[a] |= UINT64_C(1) << b;
        }
}

void zoo_mesh_group(zoo_mesh *mesh, uint64_t seed)
{
    random_numbers r = {wi_hash_u64(WI_HASH_START + 1, seed), 0};
    mesh->group_count = random_below(&r, 4) == 0 ? MOST_MASKED : 2 + random_below(&r, 6);
    const uint32_t run = random_below(&r, 2) == 0 ? 1 : 1 + mesh->triangle_count / 8;
    uint32_t group = 0;
    if (mesh->groups == NULL) allocate_groups(mesh);
    for (uint32_t tri = 0; tri < mesh->triangle_count; tri++) {
        if (tri % run == 0) group = random_below(&r, mesh->group_count);
        mesh->groups[tri] = (uint16_t)group;
    }
    zoo_mesh_mask(mesh, seed);
}

bool zoo_mesh_tests(const zoo_mesh *mesh, uint32_t tri_a, uint32_t tri_b)
{
    if (mesh->masks == NULL) return true;
    return (mesh->masks[mesh->groups[tri_a]] >> mesh->groups[tri_b] & 1) != 0;
}

enum { LAYERS = 3 };

static uint32_t layer_side(const zoo_mesh *mesh)
{
    const zoo_mesh layer = {.size = mesh->size / LAYERS};
    return side_of(&layer);
}

static void build_layers(zoo_mesh *mesh)
{
    const uint32_t side = layer_side(mesh), vertices = (side + 1) * (side + 1);
    const uint32_t tris = 2 * side * side;
    allocate(mesh, LAYERS * vertices, LAYERS * tris);
    allocate_groups(mesh);
    for (uint32_t layer = 0; layer < LAYERS; layer++) {
        sheet_tris(mesh, side, layer * vertices, layer * tris);
        for (uint32_t tri = 0; tri < tris; tri++)
            mesh->groups[layer * tris + tri] = (uint16_t)(layer + 1);
    }
    mesh->group_count = LAYERS + 1;
    zoo_mesh_mask(mesh, mesh->seed);
}

static void place_layers(const zoo_mesh *mesh, uint32_t frame, float (*out)[3])
{
    const uint32_t side = layer_side(mesh), vertices = (side + 1) * (side + 1);
    random_numbers r = numbers_for(mesh, frame);
    for (uint32_t at = 0; at < mesh->vertex_count; at++) {
        const uint32_t i = at % vertices % (side + 1), j = at % vertices / (side + 1);
        const double height = 0.1 * (double)(at / vertices);
        set_point_near(&r, out[at], 2.0 * i / side - 1, 2.0 * j / side - 1, height, 0.2);
    }
}

/* ---- all of them ---- */

typedef struct zoo_functions {
    const char *name;
    void (*build)(zoo_mesh *mesh);
    void (*place)(const zoo_mesh *mesh, uint32_t frame, float (*out)[3]);
} zoo_functions;

static const zoo_functions kinds[ZOO_KIND_COUNT] = {
#define ENTRY(name, function, words)                                                               \
    [ZOO_KIND_##name] = {words, build_##function, place_##function},
    ZOO_KINDS(ENTRY)
#undef ENTRY
};

const char *zoo_kind_name(zoo_kind kind) { return kinds[kind].name; }

void zoo_mesh_create(zoo_mesh *mesh, zoo_kind kind, uint32_t size, uint64_t seed)
{
    *mesh = (zoo_mesh){.kind = kind, .size = size, .seed = seed};
    kinds[kind].build(mesh);
    kinds[kind].place(mesh, 0, mesh->positions);
}

void zoo_mesh_destroy(zoo_mesh *mesh)
{
    free(mesh->positions);
    free(mesh->next);
    free(mesh->tris);
    free(mesh->groups);
    free(mesh->masks);
    *mesh = (zoo_mesh){0};
}

void zoo_mesh_move(zoo_mesh *mesh, uint32_t frame, uint32_t first, uint32_t count)
{
    kinds[mesh->kind].place(mesh, frame, mesh->next);
    memcpy(mesh->positions + first, mesh->next + first, count * sizeof *mesh->positions);
}

willow_mesh_def zoo_mesh_def(const zoo_mesh *mesh)
{
    return (willow_mesh_def){.positions = mesh->positions,
                             .vertex_count = mesh->vertex_count,
                             .indices = mesh->tris,
                             .index_type = WILLOW_INDEX_U32,
                             .triangle_count = mesh->triangle_count,
                             .triangle_groups = mesh->groups,
                             .group_masks = mesh->masks,
                             .group_count = mesh->mask_count,
                             .weld_exact = mesh->weld};
}
