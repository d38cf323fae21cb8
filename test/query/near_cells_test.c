/* Pairs of cells, beside a search that shares nothing with the library: every cell of the level is
 * tried against every triangle, by planes in whole numbers, and every cell with every cell. */
#include <math.h>
#include <stdlib.h>
#include "support/contact_hash.h"
#include "support/fixture.h"
#include "support/test.h"
#include "willow/willow.h"

/* Corners are whole numbers from 0 to SIDE, a power of two, as are borders of cells: so separating
 * axes are decided exactly. */
enum { BODIES = 3, TRIS = 24, VERTICES = 3 * TRIS, SIDE = 64, MOST_CELLS = 16 * 16 * 16 };

typedef struct soup {
    float at[BODIES][VERTICES][3];
    uint32_t tris[TRIS][3];
    willow_pose poses[BODIES];
    double sides[3]; /* of the box of each body */
} soup;

static willow_pose pose_of(int body)
{
    static const willow_pose poses[BODIES] = {
        {{0, 0, 0}, {0, 0, 0, 1}},
        {{8, 5, -6}, {0.5F, 0.5F, 0.5F, 0.5F}}, /* axes change places */
        {{60, 50, 3}, {0, 0, 1, 0}}};
    return poses[body];
}

/* Small triangles in a box of these sides, two of which reach its corners. */
static void fill_soup(soup *s, uint64_t seed, const double sides[3])
{
    memcpy(s->sides, sides, sizeof s->sides);
    for (uint32_t i = 0; i < VERTICES; i++) s->tris[i / 3][i % 3] = i;
    for (int body = 0; body < BODIES; body++) {
        s->poses[body] = pose_of(body);
        for (uint32_t i = 0; i < VERTICES; i++)
            for (int axis = 0; axis < 3; axis++) {
                const uint64_t side = (uint64_t)sides[axis];
                const float first = i % 3 > 0 ? s->at[body][i - i % 3][axis] : 0.0F;
                const float some = (float)(test_random(&seed) % (side + 1));
                const float near = first + (float)(test_random(&seed) % 9) - 4.0F;
                const float kept = near < 0 ? 0 : near > (float)side ? (float)side : near;
                s->at[body][i][axis] = i % 3 == 0 ? some : kept;
                if (i == 0) s->at[body][i][axis] = 0.0F;
                if (i == 3) s->at[body][i][axis] = (float)side;
            }
    }
}

/* ---- the search that shares nothing ---- */

typedef struct oracle_cell {
    uint32_t place[3];
    double centre[3], radius;
} oracle_cell;

typedef struct oracle_body {
    oracle_cell cells[MOST_CELLS];
    size_t count;
    uint32_t level;
} oracle_body;

/* Whether some axis parts them: the numbers are small and whole, or halves. */
static bool parts(const double axis[3], double tri[3][3], const double middle[3],
                  const double half[3])
{
    double low = INFINITY, high = -INFINITY, reach = 0;
    for (int i = 0; i < 3; i++) {
        double at = 0;
        for (int k = 0; k < 3; k++) at += axis[k] * (tri[i][k] - middle[k]);
        low = at < low ? at : low;
        high = at > high ? at : high;
        reach += fabs(axis[i]) * half[i];
    }
    return low > reach || high < -reach;
}

static bool touches(const float at[3][3], const double lower[3], const double upper[3])
{
    double tri[3][3], edges[3][3], middle[3], half[3], axis[3];
    for (int k = 0; k < 3; k++) {
        middle[k] = (lower[k] + upper[k]) / 2;
        half[k] = (upper[k] - lower[k]) / 2;
        for (int i = 0; i < 3; i++) tri[i][k] = (double)at[i][k];
        for (int i = 0; i < 3; i++) edges[i][k] = (double)at[(i + 1) % 3][k] - (double)at[i][k];
    }
    for (int k = 0; k < 3; k++) {
        axis[k] = edges[0][(k + 1) % 3] * edges[1][(k + 2) % 3] -
                  edges[0][(k + 2) % 3] * edges[1][(k + 1) % 3];
    }
    if (parts(axis, tri, middle, half)) return false;
    for (int k = 0; k < 3; k++) {
        const double along[3] = {k == 0, k == 1, k == 2};
        if (parts(along, tri, middle, half)) return false;
        for (int i = 0; i < 3; i++) {
            const double cross[3] = {along[1] * edges[i][2] - along[2] * edges[i][1],
                                     along[2] * edges[i][0] - along[0] * edges[i][2],
                                     along[0] * edges[i][1] - along[1] * edges[i][0]};
            if (parts(cross, tri, middle, half)) return false;
        }
    }
    return true;
}

static double edge_of(const soup *s) { return fmax(s->sides[0], fmax(s->sides[1], s->sides[2])); }

/* The rule of section 5.3: with 2^n < d <= 2^(n+1), the large cells of a branch-on-need tree take a
 * level more where d is nearer to 2^n. */
static uint32_t level_of(const soup *s, willow_cells cells, uint32_t depth, double *unit)
{
    const double edge = edge_of(s);
    *unit = edge;
    if (cells == WILLOW_CELLS_OCTREE) return depth;
    double above = 1;
    while (above < edge) above *= 2;
    *unit = above;
    return depth + (edge - above / 2 < above - edge);
}

static void find_cells(const soup *s, int body, willow_cells cells, uint32_t depth,
                       oracle_body *out)
{
    double unit;
    const double edge = edge_of(s);
    out->count = 0;
    out->level = level_of(s, cells, depth, &unit);
    const uint32_t per_axis = 1U << (out->level - 1);
    assert_true(per_axis * per_axis * per_axis <= MOST_CELLS);
    for (uint32_t i = 0; i < per_axis * per_axis * per_axis; i++) {
        oracle_cell cell = {
            .place = {i / per_axis / per_axis, i / per_axis % per_axis, i % per_axis}};
        double lower[3], upper[3];
        bool is_there = true, is_touched = false;
        for (int k = 0; k < 3; k++) {
            lower[k] = unit / per_axis * cell.place[k];
            upper[k] = fmin(unit / per_axis * (cell.place[k] + 1), edge);
            is_there = is_there && (lower[k] < edge);
        }
        for (uint32_t tri = 0; tri < TRIS && is_there && !is_touched; tri++)
            is_touched = touches(&s->at[body][3 * (size_t)tri], lower, upper);
        if (!is_touched) continue;
        double c[3], sum = 0;
        for (int k = 0; k < 3; k++) {
            c[k] = (lower[k] + upper[k]) / 2;
            sum += (upper[k] - lower[k]) * (upper[k] - lower[k]) / 4;
        }
        cell.radius = sqrt(sum);
        /* Of the poses above. */
        const double turned[BODIES][3] = {
            {c[0], c[1], c[2]}, {c[2], c[0], c[1]}, {-c[0], -c[1], c[2]}};
        const float *t = &s->poses[body].translation.x;
        for (int k = 0; k < 3; k++) cell.centre[k] = turned[body][k] + (double)t[k];
        out->cells[out->count++] = cell;
    }
}

static bool oracle_meets(const oracle_cell *a, const oracle_cell *b, double *distance)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += (a->centre[k] - b->centre[k]) * (a->centre[k] - b->centre[k]);
    *distance = sqrt(sum) + a->radius + b->radius;
    return sum <= (a->radius + b->radius) * (a->radius + b->radius);
}

/* ---- the comparison ---- */

static willow_world *open_soup(const soup *s, const willow_tree_def *tree, uint32_t threads,
                               willow_body_id ids[BODIES])
{
    willow_world_def world_def = willow_world_def_default();
    world_def.thread_count = threads;
    willow_world *world = fixture_world(&world_def);
    for (int body = 0; body < BODIES; body++) {
        willow_body_def def = willow_body_def_default();
        def.mesh = FIXTURE_MESH(s->at[body], VERTICES, s->tris, TRIS);
        def.tree = *tree;
        def.self = true; /* which does not matter */
        def.pose = s->poses[body];
        ids[body] = fixture_body(world, &def);
    }
    assert_ok(willow_world_update(world, 0, NULL));
    return world;
}

static void compare_cell(const willow_near_cell *cell, willow_body_id body, const oracle_body *of,
                         const oracle_cell *right)
{
    assert_true(willow_body_id_equal(cell->body, body));
    assert_int_equal(cell->level, of->level);
    assert_memory_equal(cell->place, right->place, sizeof cell->place);
    assert_true(cell->radius == right->radius);
    for (int k = 0; k < 3; k++) assert_true(cell->centre[k] == right->centre[k]);
}

/* All pairs of the oracle come in the order of the answer. */
static size_t compare(const willow_near_cells *found, const willow_body_id ids[BODIES],
                      const oracle_body bodies[BODIES])
{
    size_t at = 0, runs = 0;
    for (int a = 0; a < BODIES; a++)
        for (int b = a + 1; b < BODIES; b++) {
            const size_t first = at;
            for (size_t i = 0; i < bodies[a].count; i++)
                for (size_t k = 0; k < bodies[b].count; k++) {
                    double distance;
                    const oracle_cell *x = &bodies[a].cells[i], *y = &bodies[b].cells[k];
                    if (!oracle_meets(x, y, &distance)) continue;
                    assert_true(at < found->count);
                    const willow_near_cell_pair *pair = &found->items[at++];
                    compare_cell(&found->cells[pair->a], ids[a], &bodies[a], x);
                    compare_cell(&found->cells[pair->b], ids[b], &bodies[b], y);
                    assert_true(pair->distance >= distance && pair->distance < distance + 1e-3);
                }
            if (at == first) continue;
            assert_int_equal(found->runs[runs].first, first);
            assert_int_equal(found->runs[runs++].count, at - first);
        }
    assert_int_equal(at, found->count);
    assert_int_equal(runs, found->run_count);
    return at;
}

static size_t ask_all(const soup *s, willow_cells cells, uint32_t depth,
                      const oracle_body bodies[BODIES])
{
    static const willow_method methods[] = {WILLOW_METHOD_BRUTE, WILLOW_METHOD_SPHERE,
                                            WILLOW_METHOD_AUTO};
    size_t found = 0;
    for (int i = 0; i < 3; i++)
        for (uint32_t threads = 1; threads <= 2; threads++) {
            willow_tree_def tree = willow_tree_def_default();
            willow_query_options options = willow_query_options_default();
            willow_body_id ids[BODIES];
            willow_near_cells near;
            tree.method = methods[i];
            tree.cells = cells;
            tree.leaf_triangles = 2;
            tree.collision_depth = 3; /* deeper cells are computed also for SPHERE */
            options.use_threads = threads > 1;
            willow_world *world = open_soup(s, &tree, threads, ids);
            willow_scratch *scratch = fixture_scratch(world);
            for (int again = 0; again < 2; again++) {
                assert_ok(willow_find_near_cells(world, scratch, depth, &options, &near));
                assert_true(near.complete && !near.nothing_asked);
                found = compare(&near, ids, bodies);
            }
            willow_scratch_destroy(scratch);
            willow_world_destroy(world);
        }
    return found;
}

static void cells_are_those_of_a_search_through_all(void **state)
{
    (void)state;
    static const double sides[][3] = {{64, 32, 16}, {48, 64, 40}, {40, 40, 40}, {48, 8, 0}};
    static soup s;
    static oracle_body bodies[BODIES];
    size_t found = 0;
    for (unsigned i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        fill_soup(&s, i, sides[i]);
        for (willow_cells cells = 0; cells < WILLOW_CELLS_COUNT; cells++)
            for (uint32_t depth = 1; depth <= 4; depth++) {
                for (int body = 0; body < BODIES; body++)
                    find_cells(&s, body, cells, depth, &bodies[body]);
                found += ask_all(&s, cells, depth, bodies);
            }
    }
    print_message("%zu pairs of cells\n", found);
    assert_true(found > 2000);
}

/* ---- what follows from them ---- */

static void bounds_hold_and_triangles_that_meet_are_in_pairs(void **state)
{
    (void)state;
    static const double sides[3] = {64, 48, 40};
    static soup s;
    willow_tree_def tree = willow_tree_def_default();
    willow_body_id ids[BODIES];
    willow_near_cells near;
    willow_closest_pair closest;
    fill_soup(&s, 7, sides);
    for (int body = 0; body < BODIES; body++)
        s.poses[body] = (willow_pose){{3.0F * (float)body, 0.3F, 0}, {0.1F, 0.2F, 0.3F, 0.9F}};
    willow_world *world = open_soup(&s, &tree, 1, ids);
    willow_scratch *scratch = fixture_scratch(world);
    double before = INFINITY;
    for (uint32_t depth = 1; depth <= 8; depth++) {
        double most = 0;
        assert_ok(willow_find_near_cells(world, scratch, depth, NULL, &near));
        for (size_t i = 0; i < near.count; i++) most = fmax(most, near.items[i].distance);
        assert_true(near.count > 0 && most < before); /* deeper is closer */
        before = most;
        const willow_pair_run run = near.runs[0];
        const double bound = near.items[run.first].distance;
        const willow_body_set a = {&run.body_a, 1}, b = {&run.body_b, 1};
        assert_ok(willow_distance(world, scratch, &a, &b, NULL, &closest));
        assert_true(closest.found && closest.distance <= bound);
    }
    willow_scratch_destroy(scratch);
    willow_world_destroy(world);
}

static void limits_cut_the_list_and_its_cells(void **state)
{
    (void)state;
    static const double sides[3] = {64, 48, 40};
    static soup s;
    willow_tree_def tree = willow_tree_def_default();
    willow_query_options options = willow_query_options_default();
    willow_body_id ids[BODIES];
    willow_near_cells near;
    fill_soup(&s, 8, sides);
    willow_world *world = open_soup(&s, &tree, 1, ids);
    willow_scratch *scratch = fixture_scratch(world);
    assert_ok(willow_find_near_cells(world, scratch, 4, NULL, &near));
    const size_t all = near.count;
    assert_true(all > 10);
    for (size_t limit = 1; limit < 10; limit += 4) {
        options.max_results = limit;
        assert_ok(willow_find_near_cells(world, scratch, 4, &options, &near));
        assert_true(!near.complete && near.count == limit && near.cell_count <= 2 * limit);
        for (size_t i = 0; i < near.count; i++)
            assert_true(near.items[i].a < near.cell_count && near.items[i].b < near.cell_count);
    }
    options = willow_query_options_default();
    options.bodies = ids;
    options.body_count = 1;
    assert_ok(willow_find_near_cells(world, scratch, 4, &options, &near));
    assert_true(near.nothing_asked && near.complete && near.count == 0);
    willow_scratch_destroy(scratch);
    willow_world_destroy(world);
}

/* Far out, huge, tiny and flat ones: BRUTE and SPHERE agree, and nothing is out of range. */
static void sizes_of_all_kinds_are_answered_alike(void **state)
{
    (void)state;
    static const float scales[] = {1e-38F, 1e-30F, 1.0F, 1e30F, 5e36F},
                       offsets[] = {0, 1e6F, 3e38F};
    static const double sides[3] = {64, 64, 64};
    static soup s;
    for (unsigned i = 0; i < 15; i++) {
        uint64_t hash[2];
        for (int which = 0; which < 2; which++) {
            willow_tree_def tree = willow_tree_def_default();
            willow_body_id ids[BODIES];
            willow_near_cells near;
            tree.method = which == 0 ? WILLOW_METHOD_BRUTE : WILLOW_METHOD_SPHERE;
            fill_soup(&s, i, sides);
            for (int body = 0; body < BODIES; body++) {
                s.poses[body].translation.x = offsets[i % 3];
                for (int k = 0; k < VERTICES; k++)
                    for (int axis = 0; axis < 3; axis++)
                        s.at[body][k][axis] = s.at[body][k][axis] * scales[i / 3];
            }
            willow_world *world = open_soup(&s, &tree, 1, ids);
            willow_scratch *scratch = fixture_scratch(world);
            assert_ok(willow_find_near_cells(world, scratch, 3, NULL, &near));
            hash[which] = hash_near_cells(&near);
            for (size_t k = 0; k < near.count; k++) assert_true(near.items[k].distance >= 0);
            willow_scratch_destroy(scratch);
            willow_world_destroy(world);
        }
        assert_int_equal(hash[0], hash[1]);
    }
}

/* ---- how far spheres are from the surface ---- */

enum { SHELLS = 3, TURNS = 16, DOTS = 24, MOST_DOTS = TRIS * (DOTS + 1) * (DOTS + 1) + 1 };

typedef struct dots {
    double at[MOST_DOTS][3];
    size_t count;
} dots;

/* Points of triangles that are in the box. */
static void fill_dots(const soup *s, int body, const willow_box *box, dots *d)
{
    d->count = 0;
    for (int i = 0; i < TRIS * (DOTS + 1) * (DOTS + 1); i++) {
        const int u = i / TRIS / (DOTS + 1), v = i / TRIS % (DOTS + 1);
        const float(*c)[3] = (const float(*)[3])s->at[body] + 3 * (i % TRIS);
        bool is_in = u + v <= DOTS;
        for (int k = 0; k < 3 && is_in; k++) {
            const double a = (double)c[0][k], by = (double)c[1][k] - a, on = (double)c[2][k] - a;
            const double at = a + by * u / DOTS + on * v / DOTS;
            d->at[d->count][k] = at;
            is_in = at >= (double)(&box->lower.x)[k] && at <= (double)(&box->upper.x)[k];
        }
        d->count += is_in;
    }
}

static double sampled_distance(const dots *d, const double p[3])
{
    double least = INFINITY;
    for (size_t i = 0; i < d->count; i++) {
        double sum = 0;
        for (int k = 0; k < 3; k++) sum += (d->at[i][k] - p[k]) * (d->at[i][k] - p[k]);
        least = fmin(least, sum);
    }
    return sqrt(least);
}

/* The farthest of points on and in the sphere around the box. */
static double sampled_error(const soup *s, int body, const willow_box *box)
{
    static dots d;
    fill_dots(s, body, box, &d);
    double middle[3], radius = 0, most = 0;
    for (int k = 0; k < 3; k++) {
        const double low = (double)(&box->lower.x)[k], high = (double)(&box->upper.x)[k];
        middle[k] = (low + high) / 2;
        radius += (high - low) * (high - low) / 4;
    }
    radius = sqrt(radius);
    for (int shell = 0; shell <= SHELLS; shell++)
        for (int turn = 0; turn < TURNS; turn++)
            for (int up = 0; up <= TURNS / 2; up++) {
                const double a = 6.283185307 * turn / TURNS, b = 6.283185307 * up / TURNS;
                const double r = radius * shell / SHELLS;
                const double p[3] = {middle[0] + r * cos(a) * sin(b),
                                     middle[1] + r * sin(a) * sin(b), middle[2] + r * cos(b)};
                most = fmax(most, sampled_distance(&d, p));
            }
    return most;
}

/* All of a body that is alone: its cells, each beside dense samples. */
static void check_error(const soup *s, willow_world *world, willow_scratch *scratch,
                        willow_body_id id, uint32_t depth)
{
    willow_cell_error error;
    double unit, largest = 0, smallest = INFINITY, sum = 0;
    size_t count = 0;
    const double edge = edge_of(s), diameter = edge * sqrt(3.0);
    const uint32_t per_axis = 1U << (level_of(s, WILLOW_CELLS_OCTREE, depth, &unit) - 1);
    assert_ok(willow_body_measure_cells(world, scratch, id, depth, &error));
    for (uint32_t i = 0; i < per_axis * per_axis * per_axis; i++) {
        const uint32_t place[3] = {i / per_axis / per_axis, i / per_axis % per_axis, i % per_axis};
        double lower[3], upper[3];
        willow_box box;
        bool is_touched = false;
        for (int k = 0; k < 3; k++) {
            lower[k] = edge / per_axis * place[k];
            upper[k] = edge / per_axis * (place[k] + 1);
            (&box.lower.x)[k] = (float)lower[k];
            (&box.upper.x)[k] = (float)upper[k];
        }
        for (uint32_t tri = 0; tri < TRIS && !is_touched; tri++)
            is_touched = touches((const float(*)[3])s->at[0][3 * (size_t)tri], lower, upper);
        if (!is_touched) continue;
        const double of_cell = sampled_error(s, 0, &box) / diameter;
        largest = fmax(largest, of_cell);
        smallest = fmin(smallest, of_cell);
        sum += of_cell;
        count++;
    }
    const double coarse = 0.15 / per_axis; /* of the samples: a part of the radius */
    assert_int_equal(error.cells, count);
    assert_true(fabs(error.largest - largest) < coarse);
    assert_true(fabs(error.smallest - smallest) < coarse);
    assert_true(fabs(error.mean - sum / (double)count) < coarse / 2);
    assert_true(error.smallest <= error.mean && error.mean <= error.largest);
    assert_true(error.largest <= 1.0);
}

static void errors_are_those_of_dense_samples(void **state)
{
    (void)state;
    static const double sides[3] = {64, 64, 64};
    static soup s;
    willow_tree_def tree = willow_tree_def_default();
    willow_body_id ids[BODIES];
    willow_body_stats before, after;
    tree.method = WILLOW_METHOD_SPHERE;
    fill_soup(&s, 9, sides);
    willow_world *world = open_soup(&s, &tree, 1, ids);
    willow_scratch *scratch = fixture_scratch(world);
    assert_ok(willow_body_get_stats(world, ids[0], &before));
    for (uint32_t depth = 1; depth <= 2; depth++) check_error(&s, world, scratch, ids[0], depth);
    assert_ok(willow_body_get_stats(world, ids[0], &after));
    assert_int_equal(before.sphere.bytes_live, after.sphere.bytes_live); /* nothing grew */
    willow_scratch_destroy(scratch);
    willow_world_destroy(world);
}

/* A square in the middle of its cube: from the top of the sphere to the square. */
static void the_error_of_a_square_is_known(void **state)
{
    (void)state;
    static const float at[4][3] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {2, 2, 0}};
    static const uint32_t tris[2][3] = {{0, 1, 2}, {1, 3, 2}};
    willow_body_def def = willow_body_def_default();
    willow_world_def world_def = willow_world_def_default();
    willow_world *world = fixture_world(&world_def);
    willow_cell_error error;
    def.mesh = FIXTURE_MESH(at, 4, tris, 2);
    const willow_body_id body = fixture_body(world, &def);
    assert_ok(willow_world_update(world, 0, NULL));
    willow_scratch *scratch = fixture_scratch(world);
    assert_ok(willow_body_measure_cells(world, scratch, body, 1, &error));
    const double radius = sqrt(3.0), right = (1.0 + radius) / (2.0 * radius);
    assert_int_equal(error.cells, 1);
    assert_true(error.largest <= right + 1e-12 && error.largest > right - 1.0 / 512.0);
    assert_true(error.mean == error.largest && error.smallest == error.largest);
    willow_scratch_destroy(scratch);
    willow_world_destroy(world);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(errors_are_those_of_dense_samples),
    cmocka_unit_test(the_error_of_a_square_is_known),
    cmocka_unit_test(cells_are_those_of_a_search_through_all),
    cmocka_unit_test(bounds_hold_and_triangles_that_meet_are_in_pairs),
    cmocka_unit_test(limits_cut_the_list_and_its_cells),
    cmocka_unit_test(sizes_of_all_kinds_are_answered_alike),
};

TEST_GROUP(near_cells, tests);
