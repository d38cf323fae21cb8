/* What rays hit (C1): BRUTE against loops over all triangles, all methods and motions against
 * BRUTE, bit by bit; and what callers are told. */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include "support/bend.h"
#include "support/fixture.h"
#include "support/morph_model.h"
#include "support/ray_scene.h"
#include "support/zoo_world.h"

/* ---- BRUTE against loops ---- */

static bool pass_through_some(void *context, size_t ray, const willow_hit *hit)
{
    (void)context;
    return (ray + 2 * hit->at.tri + hit->at.body.index1) % 3 != 0;
}

typedef struct tally {
    size_t rays, hits, free, all;
} tally;

/* Everything that can be asked of these rays. */
typedef struct answers {
    willow_casts casts;
    willow_blocks blocks;
    willow_pierces pierces;
} answers;

static void expect_hit(const willow_hit *found, const willow_hit *expected, const char *words,
                       size_t ray)
{
    if (!ray_hits_are_equal(found, expected))
        fail_msg("%s: ray %zu hits triangle %u at %a instead of %u at %a, or other weights", words,
                 ray, found->at.tri, found->t, expected->at.tri, expected->t);
}

static void check_ray(const willow_ray_options *o, const answers *found, size_t ray,
                      const willow_hit *hits, size_t count)
{
    const willow_ray_state state = count > 0 ? WILLOW_RAY_HIT : WILLOW_RAY_FREE;
    const willow_pierce_run *run = &found->pierces.runs[ray];
    const size_t kept = o->max_hits != 0 && count > o->max_hits ? o->max_hits : count;
    const willow_hit nothing = {.t = 0};
    if (found->casts.states[ray] != state || found->blocks.states[ray] != state ||
        found->pierces.states[ray] != state)
        fail_msg("ray %zu hits %zu triangles; states are %u, %u and %u", ray, count,
                 found->casts.states[ray], found->blocks.states[ray], found->pierces.states[ray]);
    expect_hit(&found->casts.hits[ray], count > 0 ? &hits[0] : &nothing, "the closest", ray);
    if (run->count != kept || run->complete != (kept == count))
        fail_msg("ray %zu pierces %zu triangles instead of %zu", ray, run->count, kept);
    for (size_t i = 0; i < kept; i++)
        expect_hit(&found->pierces.items[run->first + i], &hits[i], "all", ray);
}

/* Asks a world, with three scratches since answers last until the next question. */
static void ask_all(const willow_world *world, willow_scratch *scratches[3], const willow_ray *rays,
                    size_t count, const willow_ray_options *o, answers *out)
{
    assert_ok(willow_cast_rays(world, scratches[0], rays, count, o, &out->casts));
    assert_ok(willow_block_rays(world, scratches[1], rays, count, o, &out->blocks));
    assert_ok(willow_pierce_rays(world, scratches[2], rays, count, o, &out->pierces));
    assert_int_equal(out->casts.count, count);
    assert_int_equal(out->blocks.count, count);
    assert_int_equal(out->pierces.ray_count, count);
    assert_true(out->casts.complete && out->blocks.complete);
}

static void make_scratches(const willow_world *world, willow_scratch *scratches[3])
{
    for (int i = 0; i < 3; i++) scratches[i] = fixture_scratch(world);
}

static void free_scratches(willow_scratch *scratches[3])
{
    for (int i = 0; i < 3; i++) willow_scratch_destroy(scratches[i]);
}

static void check_world(const willow_world *world, const ray_scene *scene, const willow_ray *rays,
                        size_t count, const willow_ray_options *o, tally *sum)
{
    willow_scratch *scratches[3];
    willow_hit *hits = calloc(scene->tri_count + 1, sizeof *hits);
    answers found;
    size_t first = 0;
    bool complete = true;
    make_scratches(world, scratches);
    ask_all(world, scratches, rays, count, o, &found);
    for (size_t i = 0; i < count; i++) {
        const size_t hit_count = ray_scene_hits(scene, o, rays, i, hits);
        check_ray(o, &found, i, hits, hit_count);
        assert_int_equal(found.pierces.runs[i].first, first);
        first += found.pierces.runs[i].count;
        complete = complete && found.pierces.runs[i].complete;
        sum->hits += hit_count > 0;
        sum->all += hit_count;
    }
    assert_int_equal(found.pierces.count, first);
    assert_int_equal(found.pierces.complete, complete);
    sum->rays += count;
    free_scratches(scratches);
    free(hits);
}

enum { VARIATIONS = 8 };

static willow_ray_options vary(uint32_t number, const willow_tri_ref *ignore,
                               const willow_body_id *ids)
{
    willow_ray_options o = willow_ray_options_default();
    o.one_sided = number == 1 || number == 6;
    o.ignore = number == 2 || number == 6 ? ignore : NULL;
    o.filter = number == 3 || number == 7 ? pass_through_some : NULL;
    o.max_hits = number == 4 || number == 6 ? 1 + number / 4 : 0;
    o.mask_bits = number == 5 ? 2 : UINT64_MAX;
    o.use_threads = number >= 4;
    if (number == 7) {
        o.bodies = ids;
        o.body_count = 1;
    }
    return o;
}

/* Two bodies of kinds that follow each other in the zoo, under poses of any kind. */
static void check_zoo(uint32_t kind, zoo_pose_kind pose, uint64_t seed, size_t count, tally *sum)
{
    zoo_scene zoo = {.body_count = 0};
    ray_scene scene = {.body_count = 0};
    zoo_setup setup = zoo_setup_with(WILLOW_KERNEL_AUTO, zoo_tree(WILLOW_METHOD_BRUTE, 8, 0));
    willow_ray *rays = calloc(count, sizeof *rays);
    willow_tri_ref *ignore = calloc(count, sizeof *ignore);
    zoo_world w;
    zoo_scene_add(&zoo, (zoo_kind)kind, 24, seed);
    zoo_scene_add(&zoo, (zoo_kind)((kind + 1) % ZOO_KIND_COUNT), 12, seed + 1);
    zoo.bodies[1].category_bits = 2;
    zoo_scene_pose_all(&zoo, pose, seed, seed);
    setup.world.thread_count = 2;
    zoo_world_create(&w, &zoo, &setup);
    for (uint32_t i = 0; i < zoo.body_count; i++)
        ray_scene_add(&scene, w.world, w.bodies[i].id, zoo.bodies[i].mesh.groups);
    for (uint32_t number = 0; number < VARIATIONS; number++) {
        const willow_ray_options o = vary(number, ignore, &w.bodies[seed % 2].id);
        ray_scene_aim(&scene, seed + number, count, rays);
        ray_scene_ignore(&scene, seed + number, rays, count, ignore);
        check_world(w.world, &scene, rays, count, &o, sum);
    }
    ray_scene_clear(&scene);
    zoo_world_destroy(&w);
    zoo_scene_destroy(&zoo);
    free(rays);
    free(ignore);
}

static void brute_hits_what_loops_over_all_triangles_hit(void **state)
{
    (void)state;
    tally sum = {0};
    const uint64_t seeds = test_is_slow() ? 12 : 1;
    for (uint64_t seed = 0; seed < seeds; seed++)
        for (uint32_t kind = 0; kind < ZOO_KIND_COUNT; kind++)
            for (uint32_t pose = 0; pose < ZOO_POSE_COUNT; pose++)
                check_zoo(kind, (zoo_pose_kind)pose, seed + (test_is_slow() ? 100 : 0),
                          TEST_HAS_ASAN ? 8 : 24, &sum);
    print_message("%zu rays, %zu of them hit %zu triangles\n", sum.rays, sum.hits, sum.all);
    assert_true(sum.hits > sum.rays / 8 && sum.hits < sum.rays && sum.all > sum.hits);
}

/* ---- all methods against BRUTE, on bodies that move in every way ---- */

/* X(enum, what moves it) */
enum { MOVERS = 6 };

/* One body of each motion. Two worlds hold the same ones. */
typedef struct movers {
    zoo_mesh meshes[MOVERS];
    morph_model model;
    bend bends[2];
    float (*velocities)[3];
    uint64_t random;
} movers;

typedef struct mover_world {
    willow_world *world;
    willow_scratch *scratches[3];
    willow_body_id ids[MOVERS];
} mover_world;

static const zoo_kind mover_kinds[MOVERS] = {ZOO_KIND_SPHERE,   ZOO_KIND_GRID, ZOO_KIND_CRUMPLED,
                                             ZOO_KIND_SEGMENTS, ZOO_KIND_SOUP, ZOO_KIND_LATTICE};

static void movers_create(movers *m, uint32_t size, uint64_t seed)
{
    *m = (movers){.random = seed};
    for (uint32_t i = 0; i < MOVERS; i++)
        zoo_mesh_create(&m->meshes[i], mover_kinds[(i + seed) % MOVERS], size, seed + i);
    morph_model_create(&m->model, &m->meshes[2], WILLOW_MORPH_OFFSETS, 4, seed);
    for (int i = 0; i < 2; i++) m->bends[i] = bend_straight();
    m->velocities = calloc(m->meshes[1].vertex_count + (size_t)1, sizeof *m->velocities);
    for (uint32_t i = 0; i < m->meshes[1].vertex_count; i++)
        for (int k = 0; k < 3; k++)
            m->velocities[i][k] = (float)test_random_between(&m->random, -0.2, 0.2);
}

static void movers_destroy(movers *m)
{
    morph_model_destroy(&m->model);
    for (uint32_t i = 0; i < MOVERS; i++) zoo_mesh_destroy(&m->meshes[i]);
    free(m->velocities);
}

static mover_world mover_world_create(movers *m, const willow_tree_def *tree, uint32_t threads,
                                      willow_kernel kernel, int number)
{
    willow_world_def def = willow_world_def_default();
    mover_world w;
    def.thread_count = threads;
    def.kernel = kernel;
    w.world = fixture_world(&def);
    for (uint32_t i = 0; i < MOVERS; i++) {
        willow_body_def body = willow_body_def_default();
        body.mesh = zoo_mesh_def(&m->meshes[i]);
        body.tree = *tree;
        body.user_data = 100 + i;
        w.ids[i] = fixture_body(w.world, &body);
    }
    const willow_morph morph = morph_model_def(&m->model);
    const willow_deformation deformation = bend_deformation(&m->bends[number]);
    assert_ok(willow_body_set_velocities(w.world, w.ids[1], 0, m->meshes[1].vertex_count,
                                         m->velocities, 0));
    assert_ok(willow_body_set_morph_targets(w.world, w.ids[2], &morph));
    assert_ok(willow_body_set_deformation(w.world, w.ids[3], &deformation));
    make_scratches(w.world, w.scratches);
    return w;
}

static void mover_world_close(mover_world *w)
{
    free_scratches(w->scratches);
    fixture_close(w->world, NULL);
}

/* The next frame of everything; worlds follow. */
static void movers_step(movers *m, uint32_t frame)
{
    zoo_mesh_move(&m->meshes[0], frame, 0, m->meshes[0].vertex_count);
    morph_model_choose(&m->model, (morph_weights)(frame % MORPH_WEIGHTS_COUNT), &m->random);
    for (int i = 0; i < 2; i++) {
        m->bends[i].shear = 0.125F * (float)(frame % 5);
        m->bends[i].curve = 0.0625F * (float)(frame % 3);
    }
}

static void mover_world_step(mover_world *w, const movers *m, uint32_t frame, uint64_t seed)
{
    const zoo_pose_kind kind = (zoo_pose_kind)((frame + seed) % ZOO_POSE_FAR);
    const willow_pose pose = zoo_pose_make(kind, 0, frame);
    const willow_pose far = zoo_pose_make(frame % 2 == 0 ? ZOO_POSE_FAR : ZOO_POSE_TURNED, 1, seed);
    assert_ok(willow_body_set_vertices(w->world, w->ids[0], 0, m->meshes[0].vertex_count,
                                       m->meshes[0].positions, 0));
    assert_ok(willow_body_set_morph_weights(w->world, w->ids[2], m->model.weights,
                                            m->model.target_count));
    assert_ok(willow_body_touch_deformation(w->world, w->ids[3]));
    assert_ok(willow_body_set_pose(w->world, w->ids[4], &pose));
    assert_ok(willow_body_set_pose(w->world, w->ids[5], &far));
    if (frame % 3 == 2) assert_ok(willow_body_set_pose(w->world, w->ids[2], &pose));
    assert_ok(willow_world_update(w->world, 0.25 * (double)frame, NULL));
}

/* All worlds of one step against that of BRUTE. */
static void check_step(const mover_world *brute, mover_world *others, uint32_t count,
                       const movers *m, uint64_t seed, size_t ray_count, tally *sum)
{
    ray_scene scene = {.body_count = 0};
    willow_ray *rays = calloc(ray_count, sizeof *rays);
    answers right, found;
    willow_ray_options o = willow_ray_options_default();
    for (uint32_t i = 0; i < MOVERS; i++)
        ray_scene_add(&scene, brute->world, brute->ids[i], m->meshes[i].groups);
    ray_scene_aim(&scene, seed, ray_count, rays);
    ask_all(brute->world, (willow_scratch **)(uintptr_t)brute->scratches, rays, ray_count, &o,
            &right);
    for (uint32_t i = 0; i < count; i++) {
        o.use_threads = (seed + i) % 2 == 0;
        ask_all(others[i].world, others[i].scratches, rays, ray_count, &o, &found);
        if (!ray_casts_are_equal(&found.casts, &right.casts) ||
            !ray_blocks_are_equal(&found.blocks, &right.blocks) ||
            !ray_pierces_are_equal(&found.pierces, &right.pierces))
            fail_msg("%s, seed %u: other hits than BRUTE", zoo_variant_name(i), (unsigned)seed);
        sum->rays += 3 * ray_count;
    }
    sum->hits += ray_states_count(right.casts.states, ray_count, WILLOW_RAY_HIT);
    sum->free += ray_states_count(right.casts.states, ray_count, WILLOW_RAY_FREE);
    sum->all += right.pierces.count;
    ray_scene_clear(&scene);
    free(rays);
}

static void check_movers(uint64_t seed, uint32_t size, uint32_t frames, size_t ray_count,
                         tally *sum)
{
    static const uint32_t arities[] = {8, 2, 4}, leaves[] = {0, 1, 3, 16};
    const willow_tree_def plain = zoo_tree(WILLOW_METHOD_BRUTE, 8, 0);
    mover_world others[ZOO_VARIANT_COUNT];
    movers m;
    movers_create(&m, size, seed);
    mover_world brute = mover_world_create(&m, &plain, 1, WILLOW_KERNEL_SCALAR, 0);
    for (uint32_t i = 0; i < ZOO_VARIANT_COUNT; i++) {
        willow_tree_def tree = zoo_variant_tree(i, arities[(i + seed) % 3], leaves[(i + seed) % 4]);
        tree.build = zoo_build(i + seed);
        others[i] = mover_world_create(&m, &tree, 1 + i % 3,
                                       i % 2 == 0 ? WILLOW_KERNEL_AUTO : WILLOW_KERNEL_SCALAR, 1);
    }
    for (uint32_t frame = 0; frame < frames; frame++) {
        movers_step(&m, frame);
        mover_world_step(&brute, &m, frame, seed);
        for (uint32_t i = 0; i < ZOO_VARIANT_COUNT; i++)
            mover_world_step(&others[i], &m, frame, seed);
        check_step(&brute, others, ZOO_VARIANT_COUNT, &m, seed << 8 | frame, ray_count, sum);
    }
    mover_world_close(&brute);
    for (uint32_t i = 0; i < ZOO_VARIANT_COUNT; i++) mover_world_close(&others[i]);
    movers_destroy(&m);
}

static void every_method_hits_what_brute_hits_on_everything_that_moves(void **state)
{
    (void)state;
    tally sum = {0};
    if (test_is_slow())
        for (uint64_t seed = 1; seed <= 4; seed++) check_movers(seed, 50, 6, 5000, &sum);
    else
        check_movers(0, 40, 4, 300, &sum);
    print_message("%zu rays asked; of those of BRUTE %zu hit %zu triangles, %zu none\n", sum.rays,
                  sum.hits, sum.all, sum.free);
    assert_true(sum.hits > 0 && sum.free > 0 && sum.all > sum.hits);
}

/* ---- many bodies ---- */

enum { CROWD = 300 };

/* Few triangles each: in a heap, in a row, all in one place, or with some very far away; some have
 * no triangles. */
static void add_crowd(willow_world *world, ray_scene *scene, zoo_mesh meshes[2], uint32_t kind,
                      willow_body_id ids[CROWD])
{
    uint64_t random = kind;
    for (uint32_t i = 0; i < CROWD; i++) {
        willow_body_def def = willow_body_def_default();
        def.mesh = zoo_mesh_def(&meshes[i % 7 == 0 ? 1 : 0]);
        def.category_bits = 1 + i % 3;
        def.tree.method = (willow_method)(i % WILLOW_METHOD_COUNT);
        def.user_data = i;
        float *at = &def.pose.translation.x;
        for (int k = 0; k < 3 && kind != 2; k++)
            at[k] = (float)test_random_between(&random, -9, 9) * (kind == 1 && k > 0 ? 0 : 1);
        if (kind == 3 && i % 20 == 0) at[i % 3] = i % 40 == 0 ? 1e20F : -1e6F;
        if (i % 11 == 5) def.mesh = (willow_mesh_def){.positions = NULL};
        ids[i] = fixture_body(world, &def);
    }
    assert_ok(willow_world_update(world, 0, NULL));
    for (uint32_t i = 0; i < CROWD; i++)
        ray_scene_add(scene, world, ids[i], i % 11 == 5 ? NULL : meshes[i % 7 == 0 ? 1 : 0].groups);
}

static void check_crowd(uint32_t kind, willow_broad broad, tally *sum)
{
    enum { RAYS = TEST_HAS_ASAN ? 12 : 28 };
    static ray_scene scene;
    zoo_mesh meshes[2];
    willow_body_id ids[CROWD];
    willow_ray rays[RAYS];
    willow_world_def def = willow_world_def_default();
    def.broad = broad;
    willow_world *world = fixture_world(&def);
    zoo_mesh_create(&meshes[0], ZOO_KIND_SPHERE, 8, 1);
    zoo_mesh_create(&meshes[1], ZOO_KIND_GROUPS, 4, 2);
    add_crowd(world, &scene, meshes, kind, ids);
    ray_scene_aim(&scene, kind, RAYS, rays);
    for (int i = 0; i < RAYS; i++) /* across all of them */
        if (i % 4 == 0) rays[i].origin = (willow_vec3){-40, 0.125F * (float)i, 1};
    for (uint32_t number = 0; number < 4; number++) {
        willow_ray_options o = willow_ray_options_default();
        if (number % 2 == 1) o.mask_bits = 2;
        if (number >= 2) {
            o.bodies = ids + 20;
            o.body_count = number == 2 ? 200 : 3;
        }
        check_world(world, &scene, rays, RAYS, &o, sum);
    }
    ray_scene_clear(&scene);
    fixture_close(world, NULL);
    for (int i = 0; i < 2; i++) zoo_mesh_destroy(&meshes[i]);
}

static void rays_find_their_bodies_among_hundreds(void **state)
{
    (void)state;
    tally sum = {0};
    for (uint32_t kind = 0; kind < 4; kind++)
        for (willow_broad broad = 0; broad < WILLOW_BROAD_COUNT; broad++)
            check_crowd(kind, broad, &sum);
    print_message("%zu rays, %zu of them hit %zu triangles\n", sum.rays, sum.hits, sum.all);
    assert_true(sum.hits > 0 && sum.hits < sum.rays);
}

/* ---- what callers are told ---- */

/* Three squares above each other, at z = 0, 1 and 2, two triangles each, seen from above from the
 * front; the second is of group 0. */
enum { SQUARES = 3 };

static const float square_at[4 * SQUARES][3] = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0},
                                                {0, 0, 1}, {4, 0, 1}, {4, 4, 1}, {0, 4, 1},
                                                {0, 0, 2}, {4, 0, 2}, {4, 4, 2}, {0, 4, 2}};
static const uint32_t square_tris[2 * SQUARES][3] = {{0, 1, 2}, {0, 2, 3},  {4, 5, 6},
                                                     {4, 6, 7}, {8, 9, 10}, {8, 10, 11}};
static const uint16_t square_groups[2 * SQUARES] = {1, 1, 0, 0, 2, 1};

static const willow_ray down = {{3, 1, 5}, 0, {0, 0, -1}, INFINITY};

typedef struct squares {
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id id;
} squares;

static squares open_squares(willow_method method, uint32_t threads)
{
    willow_world_def def = willow_world_def_default();
    willow_body_def body = willow_body_def_default();
    def.thread_count = threads;
    body.mesh = FIXTURE_MESH(square_at, 4 * SQUARES, square_tris, 2 * SQUARES);
    body.mesh.triangle_groups = square_groups;
    body.tree.method = method;
    body.tree.leaf_triangles = 1;
    body.user_data = 77;
    squares s = {.world = fixture_world(&def)};
    s.id = fixture_body(s.world, &body);
    s.scratch = fixture_scratch(s.world);
    assert_ok(willow_world_update(s.world, 0, NULL));
    return s;
}

static void close_squares(squares *s) { fixture_close(s->world, s->scratch); }

static willow_hit cast_one(const squares *s, const willow_ray *ray, const willow_ray_options *o)
{
    willow_casts casts;
    assert_ok(willow_cast_rays(s->world, s->scratch, ray, 1, o, &casts));
    assert_int_equal(casts.count, 1);
    assert_int_equal(casts.states[0],
                     casts.hits[0].at.body.index1 != 0 ? WILLOW_RAY_HIT : WILLOW_RAY_FREE);
    return casts.hits[0];
}

static void a_hit_says_where_and_group_0_is_not_hit(void **state)
{
    (void)state;
    for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++) {
        squares s = open_squares(method, 1);
        const willow_ray low = {{3, 1, 1.5F}, 0, {0, 0, -0.5F}, INFINITY};
        const willow_hit hit = cast_one(&s, &down, NULL), next = cast_one(&s, &low, NULL);
        assert_true(willow_body_id_equal(hit.at.body, s.id) && hit.at.tri == 4);
        assert_true(hit.user_data == 77 && hit.t == 3 && hit.u == 0.5F && hit.v == 0.25F);
        assert_true(hit.normal.x == 0 && hit.normal.y == 0 && hit.normal.z == 1);
        assert_true(next.at.tri == 0 && next.t == 3); /* through the second */
        close_squares(&s);
    }
}

static void equal_times_go_to_the_lower_triangle(void **state)
{
    (void)state;
    for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++) {
        squares s = open_squares(method, 1);
        const willow_ray diagonal = {{2, 2, 5}, 0, {0, 0, -1}, INFINITY};
        willow_pierces all;
        assert_int_equal(cast_one(&s, &diagonal, NULL).at.tri, 4);
        assert_ok(willow_pierce_rays(s.world, s.scratch, &diagonal, 1, NULL, &all));
        static const willow_tri expected[] = {4, 5, 0, 1};
        assert_int_equal(all.count, 4);
        for (int i = 0; i < 4; i++) assert_int_equal(all.items[i].at.tri, expected[i]);
        close_squares(&s);
    }
}

static void one_sided_rays_pass_through_backs(void **state)
{
    (void)state;
    willow_ray_options o = willow_ray_options_default();
    const willow_ray up = {{3, 1, -1}, 0, {0, 0, 1}, INFINITY};
    const willow_ray along = {{-1, 1, 2}, 0, {1, 0, 0}, INFINITY};
    squares s = open_squares(WILLOW_METHOD_AUTO, 1);
    assert_int_equal(cast_one(&s, &up, NULL).at.body.index1, s.id.index1);
    o.one_sided = true;
    assert_int_equal(cast_one(&s, &up, &o).at.body.index1, 0);
    assert_int_equal(cast_one(&s, &down, &o).at.tri, 4);
    assert_int_equal(cast_one(&s, &along, &o).at.tri, 5); /* edge-on counts */
    close_squares(&s);
}

static void a_ray_may_ignore_where_it_starts(void **state)
{
    (void)state;
    willow_ray_options o = willow_ray_options_default();
    const willow_ray rays[3] = {{{3, 1, 2}, 0, {0, 0, -1}, INFINITY},
                                {{3, 1, 2}, 0, {0, 0, -1}, INFINITY},
                                {{3, 1, 2}, 0, {0, 0, -1}, INFINITY}};
    squares s = open_squares(WILLOW_METHOD_AUTO, 1);
    const willow_tri_ref ignore[3] = {{s.id, 4}, {{0, 0, 0}, 4}, {s.id, 5}};
    willow_casts casts;
    o.ignore = ignore;
    assert_ok(willow_cast_rays(s.world, s.scratch, rays, 3, &o, &casts));
    assert_true(casts.hits[0].at.tri == 0 && casts.hits[0].t == 2);
    assert_true(casts.hits[1].at.tri == 4 && casts.hits[1].t == 0);
    assert_true(casts.hits[2].at.tri == 4 && casts.hits[2].t == 0);
    close_squares(&s);
}

static void a_limit_of_hits_is_reported(void **state)
{
    (void)state;
    willow_ray_options o = willow_ray_options_default();
    const willow_ray rays[2] = {down, {{3, 1, 1.5F}, 0, {0, 0, -1}, INFINITY}};
    squares s = open_squares(WILLOW_METHOD_AUTO, 1);
    willow_pierces all;
    o.max_hits = 1;
    assert_ok(willow_pierce_rays(s.world, s.scratch, rays, 2, &o, &all));
    assert_true(all.count == 2 && !all.complete && !all.runs[0].complete && all.runs[1].complete);
    assert_true(all.items[0].at.tri == 4 && all.items[1].at.tri == 0);
    assert_int_equal(all.states[0], WILLOW_RAY_HIT);
    o.max_hits = 2;
    assert_ok(willow_pierce_rays(s.world, s.scratch, rays, 2, &o, &all));
    assert_true(all.count == 3 && all.complete && all.runs[0].complete && all.runs[0].count == 2);
    close_squares(&s);
}

static void categories_choose_bodies_and_masks_of_bodies_do_not_matter(void **state)
{
    (void)state;
    willow_ray_options o = willow_ray_options_default();
    squares s = open_squares(WILLOW_METHOD_AUTO, 1);
    assert_ok(willow_body_set_category_bits(s.world, s.id, 4));
    assert_ok(willow_body_set_mask_bits(s.world, s.id, 0));
    assert_ok(willow_world_update(s.world, 0, NULL));
    assert_int_equal(cast_one(&s, &down, NULL).at.tri, 4);
    o.mask_bits = 3;
    assert_int_equal(cast_one(&s, &down, &o).at.body.index1, 0);
    o.mask_bits = 6;
    assert_int_equal(cast_one(&s, &down, &o).at.tri, 4);
    close_squares(&s);
}

/* Origins so far away that boxes say nothing of them. */
static void rays_from_very_far_away_enter_no_bodies_but_those_asked_about(void **state)
{
    (void)state;
    const float far = 0x1p+110F;
    const willow_ray ray = {{far, far, far}, 0, {-far, -far, -far}, INFINITY};
    const willow_ray past = {{far, far, -far}, 0, {-far, -far, -far}, INFINITY};
    willow_ray_options o = willow_ray_options_default();
    squares s = open_squares(WILLOW_METHOD_AUTO, 1);
    const willow_hit hit = cast_one(&s, &ray, NULL);
    /* All have the same t, as doubles: the lowest triangle counts. */
    assert_true(willow_body_id_equal(hit.at.body, s.id) && hit.at.tri == 0 && hit.t == 1);
    assert_int_equal(cast_one(&s, &past, NULL).at.body.index1, 0);
    o.mask_bits = 0;
    assert_int_equal(cast_one(&s, &ray, &o).at.body.index1, 0);
    close_squares(&s);
}

/* ---- what is refused ---- */

static willow_result ask_each(const squares *s, int question, const willow_ray *rays, size_t count,
                              const willow_ray_options *o)
{
    willow_casts casts = {.count = 99};
    willow_blocks blocks = {.count = 99};
    willow_pierces pierces = {.count = 99};
    willow_result result;
    switch (question) {
    case 0: result = willow_cast_rays(s->world, s->scratch, rays, count, o, &casts); break;
    case 1: result = willow_block_rays(s->world, s->scratch, rays, count, o, &blocks); break;
    default: result = willow_pierce_rays(s->world, s->scratch, rays, count, o, &pierces); break;
    }
    if (result != WILLOW_OK)
        assert_true(casts.count == 0 || blocks.count == 0 || pierces.count == 0);
    return result;
}

static void expect_refused(const squares *s, const willow_ray *rays, size_t count,
                           const willow_ray_options *o, willow_result expected, const char *words)
{
    for (int question = 0; question < 3; question++) {
        assert_int_equal(ask_each(s, question, rays, count, o), expected);
        if (strstr(willow_scratch_message(s->scratch), words) == NULL)
            fail_msg("\"%s\" does not say \"%s\"", willow_scratch_message(s->scratch), words);
    }
}

static void bad_rays_are_refused_with_their_number(void **state)
{
    (void)state;
    enum { RAYS = 20, BAD = 13 };
    willow_ray rays[RAYS];
    squares s = open_squares(WILLOW_METHOD_AUTO, 1);
    const float odd[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < RAYS; i++) rays[i] = down;
    willow_ray *bad = &rays[BAD];
    float *const numbers[] = {&bad->origin.x,    &bad->origin.y,    &bad->origin.z,
                              &bad->direction.x, &bad->direction.y, &bad->direction.z,
                              &bad->t_min};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 7; k++) {
            *bad = down;
            *numbers[k] = odd[i];
            expect_refused(&s, rays, RAYS, NULL, WILLOW_BAD_ARGUMENT, "ray 13");
        }
    *bad = down;
    bad->t_max = NAN;
    expect_refused(&s, rays, RAYS, NULL, WILLOW_BAD_ARGUMENT, "ray 13: its t_max is not a number");
    bad->t_max = -1;
    expect_refused(&s, rays, RAYS, NULL, WILLOW_BAD_ARGUMENT, "ray 13: its t_min is above");
    *bad = down;
    bad->direction = (willow_vec3){0, -0.0F, 0};
    expect_refused(&s, rays, RAYS, NULL, WILLOW_BAD_ARGUMENT, "ray 13");
    *bad = down;
    for (int question = 0; question < 3; question++)
        assert_ok(ask_each(&s, question, rays, RAYS, NULL));
    close_squares(&s);
}

static void other_bad_arguments_are_refused(void **state)
{
    (void)state;
    squares s = open_squares(WILLOW_METHOD_AUTO, 1);
    willow_ray_options o = willow_ray_options_default();
    const willow_body_id dead = {9, 1, 1};
    o.struct_size = 3;
    expect_refused(&s, &down, 1, &o, WILLOW_BAD_ARGUMENT, "options");
    o = willow_ray_options_default();
    expect_refused(&s, NULL, 1, NULL, WILLOW_BAD_ARGUMENT, "rays");
    o.bodies = &dead;
    o.body_count = 1;
    expect_refused(&s, &down, 1, &o, WILLOW_BAD_HANDLE, "");
    assert_int_equal(willow_cast_rays(s.world, s.scratch, &down, 1, NULL, NULL),
                     WILLOW_BAD_ARGUMENT);
    assert_int_equal(willow_block_rays(s.world, s.scratch, &down, 1, NULL, NULL),
                     WILLOW_BAD_ARGUMENT);
    assert_int_equal(willow_pierce_rays(s.world, s.scratch, &down, 1, NULL, NULL),
                     WILLOW_BAD_ARGUMENT);
    const willow_pose pose = {{1, 0, 0}, {0, 0, 0, 1}};
    assert_ok(willow_body_set_pose(s.world, s.id, &pose));
    expect_refused(&s, &down, 1, NULL, WILLOW_STALE, "");
    assert_ok(willow_world_update(s.world, 0, NULL));
    assert_true(cast_one(&s, &down, NULL).u == 0.25F);
    close_squares(&s);
}

static void no_rays_and_no_bodies_are_no_trouble(void **state)
{
    (void)state;
    willow_world *world = fixture_world(NULL);
    willow_scratch *scratch = fixture_scratch(world);
    willow_casts casts;
    willow_blocks blocks;
    willow_pierces pierces;
    assert_ok(willow_world_update(world, 0, NULL));
    assert_ok(willow_cast_rays(world, scratch, NULL, 0, NULL, &casts));
    assert_true(casts.count == 0 && casts.complete);
    assert_ok(willow_cast_rays(world, scratch, &down, 1, NULL, &casts));
    assert_true(casts.count == 1 && casts.complete && casts.states[0] == WILLOW_RAY_FREE);
    assert_ok(willow_block_rays(world, scratch, &down, 1, NULL, &blocks));
    assert_true(blocks.count == 1 && blocks.complete && blocks.states[0] == WILLOW_RAY_FREE);
    assert_ok(willow_pierce_rays(world, scratch, &down, 1, NULL, &pierces));
    assert_true(pierces.ray_count == 1 && pierces.count == 0 && pierces.complete &&
                pierces.runs[0].complete && pierces.states[0] == WILLOW_RAY_FREE);
    assert_ok(willow_pierce_rays(world, scratch, NULL, 0, NULL, &pierces));
    assert_true(pierces.ray_count == 0 && pierces.count == 0 && pierces.complete);
    fixture_close(world, scratch);
}

/* ---- stopping ---- */

enum { TILE = 256, TILES = 9, MANY = TILE * TILES - 100 };

typedef struct patience {
    atomic_uint left;
} patience;

static bool is_out_of_patience(void *context)
{
    patience *p = context;
    unsigned left = atomic_load(&p->left);
    while (left > 0 && !atomic_compare_exchange_weak(&p->left, &left, left - 1)) {
    }
    return left == 0;
}

/* Every third one beside the squares. */
static willow_ray *many_rays(void)
{
    willow_ray *rays = calloc(MANY, sizeof *rays);
    for (size_t i = 0; i < MANY; i++) {
        rays[i] = down;
        if (i % 3 == 0) rays[i].origin.x = 9;
    }
    return rays;
}

/* Rays that are done are right; returns how many are. */
static size_t check_stopped(const willow_casts *casts, const willow_blocks *blocks,
                            const willow_pierces *all)
{
    size_t done = 0;
    for (size_t i = 0; i < MANY; i++) {
        const uint8_t state = casts->states[i],
                      right = i % 3 == 0 ? WILLOW_RAY_FREE : WILLOW_RAY_HIT;
        assert_true(state == WILLOW_RAY_UNFINISHED || state == right);
        assert_true(blocks->states[i] == WILLOW_RAY_UNFINISHED || blocks->states[i] == right);
        assert_true(all->states[i] == WILLOW_RAY_UNFINISHED || all->states[i] == right);
        assert_int_equal(casts->hits[i].at.body.index1 != 0, state == WILLOW_RAY_HIT);
        assert_int_equal(all->runs[i].complete, all->states[i] != WILLOW_RAY_UNFINISHED);
        assert_int_equal(all->runs[i].count, all->states[i] == WILLOW_RAY_HIT ? 2 : 0);
        done += state != WILLOW_RAY_UNFINISHED;
    }
    return done;
}

static void check_patience(uint32_t threads, uint32_t tiles)
{
    squares s = open_squares(WILLOW_METHOD_AUTO, threads);
    willow_scratch *scratches[3];
    willow_ray *rays = many_rays();
    willow_ray_options o = willow_ray_options_default();
    patience patiences[3];
    willow_casts casts;
    willow_blocks blocks;
    willow_pierces all;
    make_scratches(s.world, scratches);
    o.use_threads = threads > 1;
    o.stop = is_out_of_patience;
    for (int i = 0; i < 3; i++) atomic_init(&patiences[i].left, tiles);
    o.stop_context = &patiences[0];
    assert_ok(willow_cast_rays(s.world, scratches[0], rays, MANY, &o, &casts));
    o.stop_context = &patiences[1];
    assert_ok(willow_block_rays(s.world, scratches[1], rays, MANY, &o, &blocks));
    o.stop_context = &patiences[2];
    assert_ok(willow_pierce_rays(s.world, scratches[2], rays, MANY, &o, &all));
    const size_t done = check_stopped(&casts, &blocks, &all);
    assert_int_equal(casts.complete, done == MANY);
    assert_int_equal(blocks.complete, done == MANY);
    assert_int_equal(all.complete, done == MANY);
    assert_true(done >= (tiles < TILES ? tiles * TILE - (tiles > 0 ? 100 : 0) : MANY));
    assert_true(done <= tiles * TILE);
    for (size_t i = 0; i < MANY && threads == 1; i++)
        assert_int_equal(casts.states[i] != WILLOW_RAY_UNFINISHED, i < (size_t)tiles * TILE);
    free(rays);
    free_scratches(scratches);
    close_squares(&s);
}

static void a_batch_that_is_stopped_marks_what_is_done(void **state)
{
    (void)state;
    for (uint32_t threads = 1; threads <= 4; threads += 3)
        for (uint32_t tiles = 0; tiles <= TILES; tiles += 3) check_patience(threads, tiles);
}

/* ---- filters ---- */

typedef struct witness_of_hits {
    const squares *s;
    atomic_uint asked, wrong;
} witness_of_hits;

/* Only the lowest square counts. */
static bool only_the_lowest(void *context, size_t ray, const willow_hit *hit)
{
    witness_of_hits *w = context;
    atomic_fetch_add(&w->asked, 1);
    if (!willow_body_id_equal(hit->at.body, w->s->id) || hit->user_data != 77 || ray % 3 == 0 ||
        hit->normal.z != 1 || hit->t != (hit->at.tri < 2 ? 5 : 3))
        atomic_fetch_add(&w->wrong, 1);
    return hit->at.tri < 2;
}

static void a_filter_sees_whole_hits_on_any_worker(void **state)
{
    (void)state;
    willow_ray *rays = many_rays();
    for (uint32_t threads = 1; threads <= 4; threads += 3) {
        squares s = open_squares(WILLOW_METHOD_AUTO, threads);
        witness_of_hits w = {.s = &s};
        willow_ray_options o = willow_ray_options_default();
        willow_casts casts;
        willow_pierces all;
        o.filter = only_the_lowest;
        o.filter_context = &w;
        o.use_threads = threads > 1;
        assert_ok(willow_cast_rays(s.world, s.scratch, rays, MANY, &o, &casts));
        for (size_t i = 0; i < MANY; i++)
            assert_true(i % 3 == 0 ? casts.states[i] == WILLOW_RAY_FREE
                                   : casts.hits[i].at.tri == 0 && casts.hits[i].t == 5);
        assert_ok(willow_pierce_rays(s.world, s.scratch, rays, MANY, &o, &all));
        assert_true(all.count == ray_states_count(all.states, MANY, WILLOW_RAY_HIT));
        assert_true(atomic_load(&w.asked) >= 4 * all.count - 2 && atomic_load(&w.wrong) == 0);
        close_squares(&s);
    }
    free(rays);
}

/* ---- only what rays reach ---- */

/* What one ray after the other opens, and what they open together; both hit the same. */
static void rays_that_go_the_same_way_open_nodes_together(void **state)
{
    enum { SIDE = 16, ALL = SIDE * SIDE };
    (void)state;
    zoo_scene zoo = {.body_count = 0};
    zoo_setup setup = zoo_setup_with(WILLOW_KERNEL_AUTO, zoo_tree(WILLOW_METHOD_HYBRID, 8, 4));
    zoo_world w;
    willow_ray rays[ALL];
    willow_hit alone[ALL];
    willow_casts casts;
    size_t hits = 0;
    zoo_scene_add(&zoo, ZOO_KIND_SPHERE, 4000, 1);
    zoo_world_create(&w, &zoo, &setup);
    for (size_t i = 0; i < ALL; i++)
        rays[i] = (willow_ray){{3, 4, 5},
                               0,
                               {-3 + 0.02F * (float)(i % SIDE), -4 + 0.02F * (float)(i / SIDE), -5},
                               INFINITY};
    willow_scratch_reset_stats(w.scratch);
    for (size_t i = 0; i < ALL; i++) {
        assert_ok(willow_cast_rays(w.world, w.scratch, &rays[i], 1, NULL, &casts));
        alone[i] = casts.hits[0];
    }
    const uint64_t opened_alone = willow_scratch_stats(w.scratch).nodes_opened;
    willow_scratch_reset_stats(w.scratch);
    assert_ok(willow_cast_rays(w.world, w.scratch, rays, ALL, NULL, &casts));
    const uint64_t opened = willow_scratch_stats(w.scratch).nodes_opened;
    for (size_t i = 0; i < ALL; i++) {
        expect_hit(&casts.hits[i], &alone[i], "together", i);
        hits += casts.states[i] == WILLOW_RAY_HIT;
    }
    print_message("%d rays, %zu hits: %u nodes opened alone, %u together\n", (int)ALL, hits,
                  (unsigned)opened_alone, (unsigned)opened);
    assert_true(hits > ALL / 4 && opened < opened_alone / 2);
    zoo_world_destroy(&w);
    zoo_scene_destroy(&zoo);
}

static void one_ray_computes_few_nodes(void **state)
{
    (void)state;
    zoo_scene zoo = {.body_count = 0};
    zoo_setup setup = zoo_setup_with(WILLOW_KERNEL_AUTO, zoo_tree(WILLOW_METHOD_HYBRID, 8, 4));
    zoo_world w;
    zoo_scene_add(&zoo, ZOO_KIND_SPHERE, 4000, 1);
    zoo_world_create(&w, &zoo, &setup);
    zoo_scene_move_all(&zoo, 1);
    zoo_world_follow(&w, 0);
    ray_scene scene = {.body_count = 0};
    willow_ray ray;
    willow_casts casts;
    ray_scene_add(&scene, w.world, w.bodies[0].id, NULL);
    const willow_vec3 *tri = scene.bodies[0].corners + 3 * 1234;
    ray = (willow_ray){
        {3 * tri->x, 3 * tri->y, 3 * tri->z}, 0, {-tri->x, -tri->y, -tri->z}, INFINITY};
    willow_scratch_reset_stats(w.scratch);
    assert_ok(willow_cast_rays(w.world, w.scratch, &ray, 1, NULL, &casts));
    const willow_query_stats stats = willow_scratch_stats(w.scratch);
    print_message("%u triangles: %u nodes opened, %u of them computed, %u triangles tested\n",
                  scene.bodies[0].tri_count, (unsigned)stats.nodes_opened,
                  (unsigned)stats.nodes_refreshed, (unsigned)stats.triangle_tests);
    assert_int_equal(casts.states[0], WILLOW_RAY_HIT);
    assert_true(stats.nodes_refreshed > 0 && stats.nodes_refreshed < 60);
    assert_true(stats.triangle_tests > 0 && stats.triangle_tests < 200);
    ray_scene_clear(&scene);
    zoo_world_destroy(&w);
    zoo_scene_destroy(&zoo);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(brute_hits_what_loops_over_all_triangles_hit),
    cmocka_unit_test(every_method_hits_what_brute_hits_on_everything_that_moves),
    cmocka_unit_test(rays_find_their_bodies_among_hundreds),
    cmocka_unit_test(a_hit_says_where_and_group_0_is_not_hit),
    cmocka_unit_test(equal_times_go_to_the_lower_triangle),
    cmocka_unit_test(one_sided_rays_pass_through_backs),
    cmocka_unit_test(a_ray_may_ignore_where_it_starts),
    cmocka_unit_test(a_limit_of_hits_is_reported),
    cmocka_unit_test(categories_choose_bodies_and_masks_of_bodies_do_not_matter),
    cmocka_unit_test(rays_from_very_far_away_enter_no_bodies_but_those_asked_about),
    cmocka_unit_test(bad_rays_are_refused_with_their_number),
    cmocka_unit_test(other_bad_arguments_are_refused),
    cmocka_unit_test(no_rays_and_no_bodies_are_no_trouble),
    cmocka_unit_test(a_batch_that_is_stopped_marks_what_is_done),
    cmocka_unit_test(a_filter_sees_whole_hits_on_any_worker),
    cmocka_unit_test(one_ray_computes_few_nodes),
    cmocka_unit_test(rays_that_go_the_same_way_open_nodes_together),
};

static const struct CMUnitTest slow_tests[] = {
    cmocka_unit_test(brute_hits_what_loops_over_all_triangles_hit),
    cmocka_unit_test(every_method_hits_what_brute_hits_on_everything_that_moves),
};

TEST_GROUP_WITH_SLOW(rays, tests, slow_tests);
