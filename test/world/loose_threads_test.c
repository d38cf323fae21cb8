/* Bodies that promise to stay inside boxes answer as those that promise nothing: two worlds are
 * told the same, and one of them has loose boxes around where bodies will be. Whoever is far from
 * all others is left alone: nobody asks its functions before a ray does. */
#include <math.h>
#include <stdatomic.h>
#include <string.h>
#include "support/contact_hash.h"
#include "support/fixture.h"
#include "support/sheet.h"
#include "support/test.h"

enum { SIDE = 5, VERTICES = SHEET_VERTICES(SIDE), TRIS = SHEET_TRIS(SIDE), BODIES = 12 };
enum { PLAIN, LOOSE, WORLDS };
enum { PLAN, KEYED, MORPH, SKIN, USER, BORROWED, STORED, MOTIONS };

/* A deformation that counts who asks. */
typedef struct swelling {
    float by;
    atomic_uint asked;
} swelling;

typedef struct member {
    willow_body_id ids[WORLDS];
    uint32_t motion;
    float at[VERTICES][3]; /* where it began; read by who borrows */
    swelling swellings[WORLDS];
} member;

typedef struct pool {
    willow_world *worlds[WORLDS];
    willow_scratch *scratches[WORLDS];
    member members[BODIES];
    uint64_t random;
    double time;
    size_t left, woken, pairs, contacts, hits;
} pool;

static uint32_t tris[TRIS][3];

static uint32_t pick(pool *p, uint32_t below)
{
    return (uint32_t)(test_random(&p->random) % below);
}

static float number(pool *p, double low, double high)
{
    return (float)test_random_between(&p->random, low, high);
}

static void fill(pool *p, float (*out)[3], double size)
{
    for (uint32_t i = 0; i < 3 * VERTICES; i++) out[i / 3][i % 3] = number(p, -size, size);
}

static void make_sheet(pool *p, float (*at)[3])
{
    fill(p, at, 0.2);
    for (uint32_t i = 0; i < VERTICES; i++) {
        at[i][0] += (float)(i % SIDE) * 0.4F;
        at[i][2] += (float)(i / SIDE) * 0.4F;
    }
}

static willow_pose random_pose(pool *p)
{
    willow_pose pose = willow_pose_identity();
    pose.translation.x = number(p, -9, 9);
    pose.translation.y = number(p, -2, 2);
    pose.translation.z = number(p, -9, 9);
    if (pick(p, 3) > 0) pose.rotation.y = number(p, -1, 1);
    return pose;
}

/* ---- motions ---- */

static willow_vec3 swollen(void *context, uint32_t vertex, willow_vec3 rest)
{
    swelling *s = context;
    atomic_fetch_add(&s->asked, 1);
    return (willow_vec3){rest.x, rest.y + s->by * (float)(vertex % 3), rest.z};
}

static willow_affine moved(float by)
{
    return (willow_affine){.row = {{1, 0, 0, by}, {0, 1, 0, -by}, {0, 0, 1, 0.5F * by}}};
}

static void begin_morph(pool *p, const member *m)
{
    float values[2][VERTICES][3];
    willow_morph morph = willow_morph_default();
    fill(p, values[0], 0.2);
    fill(p, values[1], 0.2);
    const willow_morph_target targets[2] = {{.values = values[0]}, {.values = values[1]}};
    morph.targets = targets;
    morph.target_count = 2;
    for (int w = 0; w < WORLDS; w++)
        assert_ok(willow_body_set_morph_targets(p->worlds[w], m->ids[w], &morph));
}

static void begin_skin(pool *p, const member *m)
{
    uint32_t joints[VERTICES];
    float weights[VERTICES];
    const willow_affine matrices[2] = {moved(0), moved(0.1F)};
    willow_skin skin = willow_skin_default();
    for (uint32_t i = 0; i < VERTICES; i++) {
        joints[i] = i % 2;
        weights[i] = 1;
    }
    skin.joint_count = 2;
    skin.matrices = matrices;
    skin.joints = joints;
    skin.weights = weights;
    skin.weights_per_vertex = 1;
    for (int w = 0; w < WORLDS; w++)
        assert_ok(willow_body_set_skin(p->worlds[w], m->ids[w], &skin));
}

static void begin_swelling(pool *p, member *m)
{
    for (int w = 0; w < WORLDS; w++) {
        willow_deformation deformation = willow_deformation_default();
        deformation.context = &m->swellings[w];
        deformation.position = swollen;
        assert_ok(willow_body_set_deformation(p->worlds[w], m->ids[w], &deformation));
    }
}

static void add_member(pool *p, member *m, uint32_t motion, willow_method method)
{
    willow_body_def def = willow_body_def_default();
    memset(m, 0, sizeof *m);
    m->motion = motion;
    make_sheet(p, m->at);
    def.mesh = FIXTURE_MESH(m->at, VERTICES, tris, TRIS);
    def.mesh.borrow = motion == BORROWED;
    def.pose = random_pose(p);
    def.tree.method = method;
    def.tree.leaf_triangles = 1 + pick(p, 3);
    def.tree.arity = pick(p, 2) == 0 ? 8 : 2;
    def.self = pick(p, 4) == 0;
    for (int w = 0; w < WORLDS; w++) m->ids[w] = fixture_body(p->worlds[w], &def);
    if (motion == MORPH) begin_morph(p, m);
    if (motion == SKIN) begin_skin(p, m);
    if (motion == USER) begin_swelling(p, m);
}

static willow_result set_keyframes(pool *p, willow_world *world, const member *m, float (*keys)[3])
{
    const double times[2] = {p->time - 0.5, p->time + 3.0};
    willow_flightplan plan = willow_flightplan_default();
    plan.positions = keys;
    plan.times = times;
    plan.keyframe_count = 2;
    return willow_body_set_flightplan(world, m->ids[world == p->worlds[LOOSE]], &plan);
}

static void move(pool *p, member *m)
{
    float values[2 * VERTICES][3];
    const float weights[2] = {number(p, 0, 1), number(p, -1, 1)}, by = number(p, -0.3, 0.3);
    const willow_affine matrices[2] = {moved(by), moved(-by)};
    fill(p, values, 0.1);
    fill(p, values + VERTICES, 0.1);
    if (m->motion == BORROWED)
        for (uint32_t i = 0; i < VERTICES; i++) m->at[i][1] = values[i][1];
    for (int w = 0; w < WORLDS; w++) {
        willow_world *world = p->worlds[w];
        m->swellings[w].by = by;
        switch (m->motion) {
        case PLAN:
            assert_ok(willow_body_set_velocities(world, m->ids[w], 0, VERTICES, values, 0));
            break;
        case KEYED: assert_ok(set_keyframes(p, world, m, values)); break;
        case MORPH: assert_ok(willow_body_set_morph_weights(world, m->ids[w], weights, 2)); break;
        case SKIN: assert_ok(willow_body_set_joints(world, m->ids[w], matrices, 2)); break;
        case USER: assert_ok(willow_body_touch_deformation(world, m->ids[w])); break;
        case BORROWED: assert_ok(willow_body_begin_vertices(world, m->ids[w])); break;
        default: assert_ok(willow_body_set_vertices(world, m->ids[w], 0, 4, values, 0)); break;
        }
    }
}

/* A trial step, another pose, or an edit that a tree may follow. */
static void disturb(pool *p, const member *m)
{
    const willow_pose pose = random_pose(p), goal = random_pose(p);
    const uint32_t what = pick(p, 8), slot = pick(p, TRIS);
    willow_edit change = willow_edit_default();
    change.replace_triangles = &slot;
    change.replace_indices = tris[pick(p, TRIS)];
    change.replace_triangle_count = 1;
    for (int w = 0; w < WORLDS; w++) {
        if (what < 2) assert_ok(willow_body_set_pose(p->worlds[w], m->ids[w], &pose));
        if (what == 2) assert_ok(willow_body_set_target_pose(p->worlds[w], m->ids[w], &goal));
        if (what == 3) assert_ok(willow_body_edit(p->worlds[w], m->ids[w], &change, NULL, NULL));
    }
}

/* ---- promises ---- */

static void widen(willow_box *box, float by)
{
    *box = (willow_box){{box->lower.x - by, box->lower.y - by, box->lower.z - by},
                        {box->upper.x + by, box->upper.y + by, box->upper.z + by}};
}

/* Around where the other world says that the body is by now, and goes. */
static void promise(pool *p, const member *m)
{
    willow_body_info info;
    assert_ok(willow_body_get_info(p->worlds[PLAIN], m->ids[PLAIN], &info));
    const bool is_anywhere = info.has_target || pick(p, 8) == 0;
    widen(&info.box, number(p, 0, 0.5));
    assert_ok(
        willow_body_set_loose_box(p->worlds[LOOSE], m->ids[LOOSE], is_anywhere ? NULL : &info.box));
}

static void update(pool *p)
{
    char reason[200];
    willow_update_report report;
    assert_ok(willow_world_update(p->worlds[PLAIN], p->time, NULL));
    for (uint32_t i = 0; i < BODIES; i++) promise(p, &p->members[i]);
    assert_ok(willow_world_update(p->worlds[LOOSE], p->time, &report));
    p->left += report.bodies_left;
    p->woken += report.bodies_updated;
    if (!willow_world_validate(p->worlds[LOOSE], reason, sizeof reason)) fail_msg("%s", reason);
}

/* ---- answers ---- */

typedef struct answers {
    uint64_t pairs, near, impacts;
    size_t counts[3];
    double t[2];
    willow_vec3 vertices[BODIES][VERTICES];
} answers;

static void ask(const pool *p, int w, answers *a)
{
    const willow_world *world = p->worlds[w];
    willow_scratch *scratch = p->scratches[w];
    const willow_ray rays[2] = {{{-20, 0.1F, 1}, 0, {1, 0, 0.05F}, 50},
                                {{0.3F, 20, 0.2F}, 0, {0, -1, 0}, 50}};
    willow_query_options options = willow_query_options_default();
    willow_pairs pairs;
    willow_near near;
    willow_impacts impacts;
    willow_casts casts;
    memset(a, 0, sizeof *a);
    options.use_threads = true; /* some of the worlds have several */
    options.near_distance = 0.2;
    options.tolerance = 0.1;
    options.max_iterations = 20;
    assert_ok(willow_cast_rays(world, scratch, rays, 2, NULL, &casts));
    for (int i = 0; i < 2; i++)
        a->t[i] = casts.states[i] == WILLOW_RAY_HIT ? (double)casts.hits[i].t : -1.0;
    assert_ok(willow_find_pairs(world, scratch, &options, &pairs));
    a->pairs = willow_pairs_hash(&pairs);
    a->counts[0] = pairs.count;
    assert_ok(willow_find_near(world, scratch, &options, &near));
    a->near = hash_near(&near);
    a->counts[1] = near.count;
    assert_ok(willow_find_impacts(world, scratch, &options, &impacts));
    a->impacts = hash_impacts(&impacts);
    a->counts[2] = impacts.count;
    for (uint32_t i = 0; i < BODIES; i++)
        assert_ok(
            willow_body_copy_vertices(world, p->members[i].ids[w], 0, VERTICES, a->vertices[i]));
}

static void compare(pool *p)
{
    static answers plain, loose;
    ask(p, PLAIN, &plain);
    ask(p, LOOSE, &loose);
    assert_memory_equal(&plain, &loose, sizeof plain);
    p->pairs += plain.counts[0];
    p->contacts += plain.counts[1] + plain.counts[2];
    p->hits += (size_t)(plain.t[0] >= 0.0) + (size_t)(plain.t[1] >= 0.0);
}

static void open_pool(pool *p, uint64_t seed)
{
    willow_world_def def = willow_world_def_default();
    memset(p, 0, sizeof *p);
    p->random = seed;
    def.thread_count = seed % 3 == 0 ? 3 : 1;
    sheet_make_tris(SIDE, tris);
    for (int w = 0; w < WORLDS; w++) {
        p->worlds[w] = fixture_world(&def);
        p->scratches[w] = fixture_scratch(p->worlds[w]);
    }
}

static void close_pool(const pool *p)
{
    for (int w = 0; w < WORLDS; w++) fixture_close(p->worlds[w], p->scratches[w]);
}

static void promises_change_no_answers(void **state)
{
    (void)state;
    static pool p;
    size_t left = 0, woken = 0, pairs = 0, contacts = 0, hits = 0;
    for (uint64_t seed = 1; seed <= test_seeds(24); seed++) {
        open_pool(&p, seed);
        for (uint32_t i = 0; i < BODIES; i++)
            add_member(&p, &p.members[i], pick(&p, MOTIONS),
                       (willow_method)pick(&p, WILLOW_METHOD_COUNT));
        for (int step = 0; step < 8; step++, p.time += 0.5) {
            for (uint32_t i = 0; i < BODIES; i++) {
                if (pick(&p, 3) > 0) move(&p, &p.members[i]);
                disturb(&p, &p.members[i]);
            }
            update(&p);
            if (pick(&p, 3) > 0) compare(&p);
        }
        left += p.left;
        woken += p.woken;
        pairs += p.pairs;
        contacts += p.contacts;
        hits += p.hits;
        close_pool(&p);
    }
    print_message("%zu left alone, %zu updated, %zu pairs, %zu contacts, %zu hits\n", left, woken,
                  pairs, contacts, hits);
    assert_true(left > 100 && woken > 100 && pairs > 100 && contacts > 100 && hits > 0);
}

/* ---- what is left alone ---- */

static void functions_of_a_body_that_is_far_are_not_asked(void **state)
{
    (void)state;
    static pool p;
    open_pool(&p, 1);
    const willow_box far = {{-100, -100, -100}, {-50, 100, 100}},
                     near = {{-20, -20, -20}, {20, 20, 20}};
    const willow_ray ray = {{-80, 50, 0.4F}, 0, {0.001F, -1, 0}, 100};
    const willow_pose here = willow_pose_identity();
    willow_pose there = here;
    there.translation.x = -80;
    willow_world *world = p.worlds[LOOSE];
    willow_update_report report;
    willow_body_info info;
    willow_casts casts;
    for (uint32_t i = 0; i < 2; i++)
        add_member(&p, &p.members[i], i == 0 ? USER : STORED, WILLOW_METHOD_BOTTOM_UP);
    const willow_body_id id = p.members[0].ids[LOOSE];
    swelling *s = &p.members[0].swellings[LOOSE];
    assert_ok(willow_body_set_pose(world, id, &there));
    assert_ok(willow_body_set_pose(world, p.members[1].ids[LOOSE], &here));
    assert_ok(willow_body_set_loose_box(world, id, &far));
    assert_ok(willow_world_update(world, 0, &report)); /* builds the tree */
    atomic_store(&s->asked, 0);
    s->by = 0.25F;
    assert_ok(willow_body_touch_deformation(world, id));
    assert_ok(willow_world_update(world, 1, &report));
    assert_int_equal(report.bodies_left, 1);
#ifdef NDEBUG
    assert_int_equal(atomic_load(&s->asked), 0);
#endif
    assert_ok(willow_body_get_info(world, id, &info));
    assert_true(info.is_left && info.has_loose_box && info.box.lower.x == -100.0F);
    assert_ok(willow_cast_rays(world, p.scratches[LOOSE], &ray, 1, NULL, &casts));
    assert_int_equal(casts.states[0], WILLOW_RAY_HIT);
    assert_true(atomic_load(&s->asked) > 0);
    assert_ok(willow_body_set_pose(world, id, &here)); /* and now it meets the other one */
    assert_ok(willow_body_set_loose_box(world, id, &near));
    assert_ok(willow_world_update(world, 2, &report));
    assert_int_equal(report.bodies_left, 0);
    assert_int_equal(report.bodies_updated, 1);
    close_pool(&p);
}

static void boxes_that_are_none_are_refused(void **state)
{
    (void)state;
    static pool p;
    open_pool(&p, 2);
    add_member(&p, &p.members[0], PLAN, WILLOW_METHOD_AUTO);
    const willow_box bad[2] = {{{1, 0, 0}, {0, 1, 1}}, {{0, 0, 0}, {1, NAN, 1}}};
    const willow_box fine = {{-30, -30, -30}, {30, 30, 30}};
    const willow_body_id id = p.members[0].ids[LOOSE];
    assert_ok(willow_body_set_loose_box(p.worlds[LOOSE], id, &fine));
    const uint64_t before = willow_world_hash(p.worlds[LOOSE]);
    for (int i = 0; i < 2; i++)
        assert_int_equal(willow_body_set_loose_box(p.worlds[LOOSE], id, &bad[i]),
                         WILLOW_BAD_ARGUMENT);
    assert_int_equal(willow_body_set_loose_box(p.worlds[LOOSE], p.members[0].ids[PLAIN], &fine),
                     WILLOW_BAD_HANDLE);
    assert_true(willow_world_hash(p.worlds[LOOSE]) == before);
    assert_ok(willow_body_set_loose_box(p.worlds[LOOSE], id, NULL));
    assert_true(willow_world_hash(p.worlds[LOOSE]) != before);
    close_pool(&p);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(promises_change_no_answers),
    cmocka_unit_test(functions_of_a_body_that_is_far_are_not_asked),
    cmocka_unit_test(boxes_that_are_none_are_refused),
};

TEST_GROUP(loose_threads, tests);
