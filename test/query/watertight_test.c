/* Rays find no gaps in closed meshes. Coordinates are whole numbers, so that rays go exactly
 * through vertices and edges, where two or six triangles meet: each has a hit. Rays that meet
 * triangles only in their insides cross a closed mesh an even number of times, and an odd one from
 * within. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include "scenes/icosphere.h"
#include "support/fixture.h"
#include "support/ray_scene.h"

/* Vertices are multiples of 8, so that eighths of edges are whole numbers. */
enum { UNIT = 8, BATCH = 5000 };

typedef struct closed_mesh {
    float (*at)[3];
    uint32_t (*tris)[3];
    uint32_t vertex_count, tri_count;
} closed_mesh;

static float rounded(double value) { return (float)(UNIT * floor(value + 0.5)); }

/* A sphere around the origin, with thorns. */
static void make_sphere(closed_mesh *m, uint32_t level, double radius, uint64_t seed)
{
    icosphere sphere;
    assert_true(icosphere_create(level, &sphere));
    *m =
        (closed_mesh){.vertex_count = sphere.vertex_count, .tri_count = icosphere_triangles(level)};
    m->at = calloc(m->vertex_count, sizeof *m->at);
    m->tris = calloc(m->tri_count, sizeof *m->tris);
    memcpy(m->tris, sphere.indices, m->tri_count * sizeof *m->tris);
    for (uint32_t i = 0; i < m->vertex_count; i++) {
        const double by = radius * test_random_between(&seed, 0.7, seed % 7 == 0 ? 1.5 : 1.0);
        for (int k = 0; k < 3; k++)
            m->at[i][k] = rounded(by * sphere.directions[3 * i + (uint32_t)k]);
    }
    icosphere_destroy(&sphere);
}

/* A cube around the origin, of squares that are cut in two: most of its triangles are coplanar with
 * others, and with rays. */
static void make_cube(closed_mesh *m, uint32_t cells)
{
    const uint32_t side = cells + 1, per_face = 2 * cells * cells;
    *m = (closed_mesh){.vertex_count = 6 * side * side, .tri_count = 6 * per_face};
    m->at = calloc(m->vertex_count, sizeof *m->at);
    m->tris = calloc(m->tri_count, sizeof *m->tris);
    for (uint32_t face = 0; face < 6; face++) {
        const uint32_t axis = face / 2, first = face * side * side;
        for (uint32_t i = 0; i < side * side; i++) {
            float *to = m->at[first + i];
            to[axis] = (float)(UNIT * cells) * (face % 2 == 0 ? -1.0F : 1.0F);
            to[(axis + 1) % 3] = (float)UNIT * ((float)(2 * (i % side)) - (float)cells);
            to[(axis + 2) % 3] = (float)UNIT * ((float)(2 * (i / side)) - (float)cells);
        }
        for (uint32_t i = 0; i < cells * cells; i++) {
            const uint32_t a = first + i / cells * side + i % cells, b = a + 1, c = b + side,
                           d = a + side;
            const uint32_t two[2][3] = {{a, b, c}, {a, c, d}};
            for (int k = 0; k < 2; k++)
                for (int j = 0; j < 3; j++)
                    m->tris[face * per_face + 2 * i + (uint32_t)k][face % 2 == 0 ? 2 - j : j] =
                        two[k][j];
        }
    }
}

static void free_mesh(closed_mesh *m)
{
    free(m->at);
    free(m->tris);
}

/* ---- rays ---- */

static uint32_t below(uint64_t *random, uint32_t limit)
{
    return (uint32_t)(test_random(random) % limit);
}

/* A vertex, or a point of an edge at an eighth of it. */
static void choose_aim(const closed_mesh *m, uint64_t *random, float out[3])
{
    const uint32_t *tri = m->tris[below(random, m->tri_count)], i = below(random, 3);
    const float share = (float)below(random, 9) / 8;
    const float *a = m->at[tri[i]], *b = m->at[tri[(i + 1) % 3]];
    for (int k = 0; k < 3; k++) out[k] = a[k] + share * (b[k] - a[k]);
}

static float whole(uint64_t *random, int32_t size)
{
    return (float)((int32_t)below(random, 2 * (uint32_t)size + 1) - size);
}

static void choose_origin(uint64_t *random, float out[3])
{
    const int32_t size = below(random, 2) == 0 ? 3 : 4000;
    for (int k = 0; k < 3; k++) out[k] = whole(random, size);
    if (below(random, 4) == 0) out[below(random, 3)] = 0;
}

/* Goes through the aim at t = 1, or at a power of two. */
static willow_ray ray_to(uint64_t *random, const float from[3], const float at[3])
{
    const float scale = ldexpf(1, (int)below(random, 41) - 20), end = 1 / scale;
    willow_ray ray = {.origin = {from[0], from[1], from[2]}, .t_min = 0, .t_max = INFINITY};
    ray.direction = (willow_vec3){scale * (at[0] - from[0]), scale * (at[1] - from[1]),
                                  scale * (at[2] - from[2])};
    if (from[0] == at[0] && from[1] == at[1] && from[2] == at[2])
        ray.direction = (willow_vec3){0, scale, 0};
    else if (below(random, 4) == 0) /* just up to it, or from it on, or it alone */
        ray.t_max = end;
    else if (below(random, 4) == 0)
        ray.t_min = end;
    else if (below(random, 8) == 0)
        ray.t_min = ray.t_max = end;
    return ray;
}

/* ---- worlds ---- */

typedef struct closed_world {
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id id;
} closed_world;

static closed_world open_world(const closed_mesh *m, willow_method method)
{
    willow_body_def body = willow_body_def_default();
    closed_world w = {.world = fixture_world(NULL)};
    body.mesh = FIXTURE_MESH(m->at, m->vertex_count, m->tris, m->tri_count);
    body.tree.method = method;
    w.id = fixture_body(w.world, &body);
    w.scratch = fixture_scratch(w.world);
    assert_ok(willow_world_update(w.world, 0, NULL));
    return w;
}

/* ---- each has a hit ---- */

static size_t check_aimed(const closed_mesh *m, willow_method method, size_t count, uint64_t seed)
{
    closed_world w = open_world(m, method);
    willow_ray *rays = calloc(BATCH, sizeof *rays);
    float from[3] = {0, 0, 0};
    for (size_t done = 0; done < count; done += BATCH) {
        willow_casts casts;
        willow_blocks blocks;
        for (size_t i = 0; i < BATCH; i++) {
            float at[3];
            choose_aim(m, &seed, at);
            /* Rays from one point may be followed together. */
            if (i / 64 % 2 == 0 || i % 8 == 0) choose_origin(&seed, from);
            rays[i] = ray_to(&seed, from, at);
        }
        assert_ok(willow_cast_rays(w.world, w.scratch, rays, BATCH, NULL, &casts));
        for (size_t i = 0; i < BATCH; i++)
            if (casts.states[i] != WILLOW_RAY_HIT)
                fail_msg("(%g, %g, %g) + t (%a, %a, %a), t from %g to %g, hits nothing",
                         (double)rays[i].origin.x, (double)rays[i].origin.y,
                         (double)rays[i].origin.z, (double)rays[i].direction.x,
                         (double)rays[i].direction.y, (double)rays[i].direction.z,
                         (double)rays[i].t_min, (double)rays[i].t_max);
        assert_ok(willow_block_rays(w.world, w.scratch, rays, BATCH, NULL, &blocks));
        assert_int_equal(ray_states_count(blocks.states, BATCH, WILLOW_RAY_HIT), BATCH);
    }
    free(rays);
    fixture_close(w.world, w.scratch);
    return count;
}

/* ---- an even number, or an odd one ---- */

static int64_t determinant(const int64_t a[3], const int64_t b[3], const int64_t c[3])
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* The line goes through the inside of the triangle, and not through its border or in its plane. */
static bool goes_through_inside(const closed_mesh *m, const willow_ray *ray, uint32_t tri)
{
    const int64_t d[3] = {(int64_t)ray->direction.x, (int64_t)ray->direction.y,
                          (int64_t)ray->direction.z};
    const float o[3] = {ray->origin.x, ray->origin.y, ray->origin.z};
    int64_t to[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) to[i][k] = (int64_t)m->at[m->tris[tri][i]][k] - (int64_t)o[k];
    const int64_t a = determinant(d, to[1], to[2]), b = determinant(d, to[2], to[0]),
                  c = determinant(d, to[0], to[1]);
    return (a > 0 && b > 0 && c > 0) || (a < 0 && b < 0 && c < 0);
}

typedef struct parity_tally {
    size_t rays, plain, odd, hits;
} parity_tally;

/* Rays from the origin, which is inside, in every second place; else lines through anywhere. */
static willow_ray any_line(uint64_t *random, size_t number)
{
    willow_ray ray = {.t_min = number % 2 == 0 ? 0 : -FLT_MAX, .t_max = INFINITY};
    do {
        float from[3] = {0, 0, 0}, at[3];
        for (int k = 0; k < 3; k++) at[k] = whole(random, 600);
        if (number % 2 != 0) choose_origin(random, from);
        ray.origin = (willow_vec3){from[0], from[1], from[2]};
        ray.direction = (willow_vec3){at[0] - from[0], at[1] - from[1], at[2] - from[2]};
    } while (ray.direction.x == 0 && ray.direction.y == 0 && ray.direction.z == 0);
    return ray;
}

static void check_parity_of(const closed_mesh *m, const willow_ray *rays, const willow_pierces *all,
                            parity_tally *sum)
{
    for (size_t i = 0; i < all->ray_count; i++) {
        const willow_pierce_run *run = &all->runs[i];
        bool is_plain = true;
        for (size_t k = run->first; k < run->first + run->count && is_plain; k++)
            is_plain = goes_through_inside(m, &rays[i], all->items[k].at.tri);
        sum->rays++;
        sum->hits += run->count;
        sum->plain += is_plain;
        if (is_plain && run->count % 2 != (i % 2 == 0 ? 1 : 0))
            fail_msg("(%g, %g, %g) + t (%g, %g, %g), t from %g on, has %zu hits",
                     (double)rays[i].origin.x, (double)rays[i].origin.y, (double)rays[i].origin.z,
                     (double)rays[i].direction.x, (double)rays[i].direction.y,
                     (double)rays[i].direction.z, (double)rays[i].t_min, run->count);
    }
}

static void check_parity(const closed_mesh *m, willow_method method, size_t count, uint64_t seed,
                         parity_tally *sum)
{
    closed_world w = open_world(m, method);
    willow_ray *rays = calloc(BATCH, sizeof *rays);
    for (size_t done = 0; done < count; done += BATCH) {
        willow_pierces all;
        for (size_t i = 0; i < BATCH; i++) rays[i] = any_line(&seed, i);
        assert_ok(willow_pierce_rays(w.world, w.scratch, rays, BATCH, NULL, &all));
        check_parity_of(m, rays, &all, sum);
    }
    free(rays);
    fixture_close(w.world, w.scratch);
}

/* ---- meshes ---- */

static const willow_method methods[] = {WILLOW_METHOD_AUTO, WILLOW_METHOD_TOP_DOWN,
                                        WILLOW_METHOD_REBUILD};
enum { METHODS = sizeof methods / sizeof methods[0], MESHES = 4 };

static void make_mesh(closed_mesh *m, int number)
{
    switch (number) {
    case 0: make_sphere(m, 1, 3, 1); break; /* with many faces that are flat or nothing at all */
    case 1: make_sphere(m, 3, 60, 2); break;
    case 2: make_sphere(m, 4, 100, 3); break;
    default: make_cube(m, 6);
    }
}

static size_t rays_each(void) { return test_is_slow() ? 90000 : BATCH; }

static void rays_through_vertices_and_edges_of_closed_meshes_hit(void **state)
{
    (void)state;
    size_t count = 0;
    for (int i = 0; i < MESHES; i++) {
        closed_mesh m;
        make_mesh(&m, i);
        for (int k = 0; k < METHODS; k++)
            count += check_aimed(&m, methods[k], rays_each(), (uint64_t)(10 * i + k));
        free_mesh(&m);
    }
    print_message("%zu rays, each with a hit\n", count);
}

static void lines_cross_closed_meshes_an_even_number_of_times(void **state)
{
    (void)state;
    parity_tally sum = {0};
    for (int i = 0; i < MESHES; i++) {
        closed_mesh m;
        make_mesh(&m, i);
        for (int k = 0; k < METHODS; k++)
            check_parity(&m, methods[k], rays_each() / 2, (uint64_t)(10 * i + k), &sum);
        free_mesh(&m);
    }
    print_message("%zu rays with %zu hits, %zu through insides only\n", sum.rays, sum.hits,
                  sum.plain);
    assert_true(sum.plain > sum.rays / 2 && sum.plain < sum.rays && sum.hits > sum.rays);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(rays_through_vertices_and_edges_of_closed_meshes_hit),
    cmocka_unit_test(lines_cross_closed_meshes_an_even_number_of_times),
};

TEST_GROUP_WITH_SLOW(watertight, tests, tests);
