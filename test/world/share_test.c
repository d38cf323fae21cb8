/* Bodies that share a geometry are as copies are: a world in which bodies are created from others
 * and one in which each has a copy are told the same, and have equal hashes, pairs, contacts and
 * rays after every update, whoever changes or goes first. Where memory is wanting nothing has
 * changed, and where a change is refused the body still shares. */
#include <math.h>
#include <string.h>
#include "support/contact_hash.h"
#include "support/fixture.h"
#include "support/sheet.h"
#include "support/test.h"
#include "support/test_allocator.h"

/* The smaller ones are kept in one block each until they lend, or change; of others there are trees
 * from the beginning. */
enum { SIDE = 4, SMALL_SIDE = 3, MOST = 8 };
enum { MOST_VERTICES = 4 * SHEET_VERTICES(SIDE), MOST_TRIS = 4 * SHEET_TRIS(SIDE) };
enum { SHARED, COPIED, WORLDS };

static uint32_t side; /* of all sheets */
static uint32_t tris[SHEET_TRIS(SIDE)][3];
static uint16_t all_in_group_1[MOST_TRIS];

/* What a body was told last. */
typedef struct model {
    willow_body_id ids[WORLDS];
    float at[MOST_VERTICES][3];
    uint32_t tris[MOST_TRIS][3];
    uint32_t vertex_count, tri_count;
    willow_pose pose;
    willow_tree_def tree;
    bool is_moving;  /* by a plan, so that it cannot be shared */
    bool has_holes;  /* the same */
    bool has_groups; /* all 1: from when there were holes on */
    bool self;
} model;

typedef struct twins {
    willow_world *worlds[WORLDS];
    willow_scratch *scratches[WORLDS];
    model models[MOST];
    uint32_t count;
    uint64_t random;
    size_t shared, unshared, refused, edited, split, merged, pairs, contacts;
} twins;

static void make_tris(uint32_t of_side)
{
    side = of_side;
    for (uint32_t i = 0; i < MOST_TRIS; i++) all_in_group_1[i] = 1;
    sheet_make_tris(side, tris);
}

static uint32_t pick(twins *t, uint32_t below)
{
    return (uint32_t)(test_random(&t->random) % below);
}

static void make_sheet(twins *t, uint32_t count, float (*at)[3])
{
    for (uint32_t i = 0; i < count; i++) {
        at[i][0] = (float)(i % side);
        at[i][1] = (float)test_random_between(&t->random, -0.7, 0.7);
        at[i][2] = (float)(i / side % side);
    }
}

static model make_model(twins *t, bool self)
{
    model m = {.vertex_count = SHEET_VERTICES(side),
               .tri_count = SHEET_TRIS(side),
               .pose = willow_pose_identity(),
               .tree = willow_tree_def_default(),
               .self = self};
    memcpy(m.tris, tris, m.tri_count * sizeof tris[0]);
    make_sheet(t, m.vertex_count, m.at);
    return m;
}

static willow_pose random_pose(twins *t)
{
    willow_pose pose = willow_pose_identity();
    pose.translation.x = (float)test_random_between(&t->random, -3, 3);
    pose.translation.y = (float)test_random_between(&t->random, -1, 1);
    pose.translation.z = (float)test_random_between(&t->random, -3, 3);
    if (pick(t, 3) > 0) pose.rotation.y = (float)test_random_between(&t->random, -1, 1);
    return pose;
}

static willow_body_def def_of(const model *m)
{
    willow_body_def def = willow_body_def_default();
    def.mesh = FIXTURE_MESH(m->at, m->vertex_count, m->tris, m->tri_count);
    if (m->has_groups) def.mesh.triangle_groups = all_in_group_1;
    def.pose = m->pose;
    def.tree = m->tree;
    def.self = m->self;
    def.keep_rest = true;
    return def;
}

static void add_fresh(twins *t)
{
    static const willow_method methods[] = {WILLOW_METHOD_AUTO,     WILLOW_METHOD_BRUTE,
                                            WILLOW_METHOD_REBUILD,  WILLOW_METHOD_BOTTOM_UP,
                                            WILLOW_METHOD_TOP_DOWN, WILLOW_METHOD_HYBRID,
                                            WILLOW_METHOD_BALANCED, WILLOW_METHOD_SPHERE};
    model *m = &t->models[t->count++];
    *m = make_model(t, pick(t, 4) == 0);
    m->tree.method = methods[pick(t, sizeof methods / sizeof *methods)];
    m->tree.leaf_triangles = 1 + pick(t, 4);
    m->tree.arity = pick(t, 2) == 0 ? 8 : 2;
    m->pose = random_pose(t);
    const willow_body_def def = def_of(m);
    for (int w = 0; w < WORLDS; w++) m->ids[w] = fixture_body(t->worlds[w], &def);
}

static void add_shared(twins *t)
{
    const model *from = &t->models[pick(t, t->count)];
    willow_body_def def = def_of(from), share = willow_body_def_default();
    model m = *from;
    share.share = from->ids[SHARED];
    share.self = def.self = m.self = from->self && pick(t, 2) == 0;
    share.pose = def.pose = m.pose = pick(t, 3) > 0 ? random_pose(t) : from->pose;
    if (from->is_moving || from->has_holes) {
        assert_int_equal(willow_body_create(t->worlds[SHARED], &share, &m.ids[SHARED]),
                         WILLOW_UNSUPPORTED);
        t->refused++;
        return;
    }
    m.ids[SHARED] = fixture_body(t->worlds[SHARED], &share);
    m.ids[COPIED] = fixture_body(t->worlds[COPIED], &def);
    t->models[t->count++] = m;
    t->shared++;
}

static void destroy(twins *t)
{
    const uint32_t which = pick(t, t->count);
    for (int w = 0; w < WORLDS; w++)
        assert_ok(willow_body_destroy(t->worlds[w], t->models[which].ids[w]));
    t->models[which] = t->models[--t->count];
}

/* Some vertices, all, or a position that is refused. */
static void set_vertices(twins *t, model *m)
{
    const bool is_bad = pick(t, 4) == 0;
    const uint32_t first = pick(t, 3) == 0 ? 0 : pick(t, m->vertex_count);
    const uint32_t count = m->vertex_count - first;
    float at[MOST_VERTICES][3];
    make_sheet(t, count, at);
    if (is_bad) at[count / 2][1] = NAN;
    for (int w = 0; w < WORLDS; w++) {
        const uint64_t before = willow_world_hash(t->worlds[w]);
        const willow_result result =
            willow_body_set_vertices(t->worlds[w], m->ids[w], first, count, at, 0);
        assert_int_equal(result, is_bad ? WILLOW_BAD_MESH : WILLOW_OK);
        if (is_bad) assert_true(willow_world_hash(t->worlds[w]) == before);
    }
    if (is_bad) return;
    memcpy(m->at[first], at, count * sizeof at[0]);
    if (first == 0) m->is_moving = false;
    t->unshared++;
}

static bool is_removed(const model *m, uint32_t slot) { return m->tris[slot][0] == UINT32_MAX; }

/* One triangle goes, gets other corners, or comes; or it names a vertex that is not there. */
static void edit(twins *t, model *m)
{
    const uint32_t corners[3] = {pick(t, m->vertex_count), pick(t, m->vertex_count),
                                 pick(t, 4) == 0 ? m->vertex_count : pick(t, m->vertex_count)};
    const uint32_t slot = pick(t, m->tri_count), what = pick(t, 4);
    const bool is_bad = what != 0 && corners[2] == m->vertex_count;
    const bool comes = what == 1 && m->tri_count < MOST_TRIS;
    uint32_t number = slot;
    willow_edit change = willow_edit_default();
    if (is_removed(m, slot) && !comes) return;
    change.remove_triangles = change.replace_triangles = &slot;
    change.add_indices = change.replace_indices = corners;
    change.remove_triangle_count = what == 0;
    change.add_triangle_count = comes;
    change.replace_triangle_count = what != 0 && !comes;
    for (int w = 0; w < WORLDS; w++) {
        const uint64_t before = willow_world_hash(t->worlds[w]);
        const willow_result result =
            willow_body_edit(t->worlds[w], m->ids[w], &change, comes ? &number : NULL, NULL);
        assert_int_equal(result, is_bad ? WILLOW_BAD_MESH : WILLOW_OK);
        if (is_bad) assert_true(willow_world_hash(t->worlds[w]) == before);
    }
    if (is_bad) return;
    if (number == m->tri_count) m->tri_count++;
    memcpy(m->tris[number], corners, sizeof corners);
    if (what == 0) m->tris[slot][0] = UINT32_MAX;
    m->has_groups = m->has_groups || what == 0;
    m->has_holes = false;
    for (uint32_t i = 0; i < m->tri_count; i++) m->has_holes = m->has_holes || is_removed(m, i);
    t->edited++;
}

/* What is left of a model in a part of it. */
static model part_of(const model *whole, const willow_split *split, uint32_t part)
{
    const willow_split_part *p = &split->parts[part];
    model m = *whole;
    m.vertex_count = p->vertex_count;
    m.tri_count = p->triangle_count;
    m.has_holes = false;
    for (uint32_t v = 0; v < p->vertex_count; v++)
        memcpy(m.at[v], whole->at[p->old_vertices[v]], sizeof m.at[v]);
    for (uint32_t i = 0; i < p->triangle_count; i++)
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t old = whole->tris[p->old_triangles[i]][k];
            m.tris[i][k] = 0;
            while (p->old_vertices[m.tris[i][k]] != old) m.tris[i][k]++;
        }
    return m;
}

/* Into two parts, if there are places for them. */
static void split(twins *t, uint32_t which)
{
    const model whole = t->models[which];
    uint32_t labels[MOST_TRIS];
    uint32_t live = 0, count = 0;
    model parts[2];
    for (uint32_t i = 0; i < whole.tri_count; i++) live += !is_removed(&whole, i);
    if (t->count == MOST || live == 0) return;
    for (uint32_t i = 0; i < whole.tri_count; i++) labels[i] = i < whole.tri_count / 2;
    for (int w = 0; w < WORLDS; w++) {
        willow_split out;
        assert_ok(willow_body_split(t->worlds[w], whole.ids[w], labels, &out));
        count = out.part_count;
        assert_in_range(count, 1, 2);
        for (uint32_t i = 0; i < count; i++) {
            if (w == SHARED) parts[i] = part_of(&whole, &out, i);
            parts[i].ids[w] = out.parts[i].body;
        }
    }
    t->models[which] = parts[0];
    if (count == 2) t->models[t->count++] = parts[1];
    t->split++;
}

/* Without holes, behind what is there. */
static void add_tris(model *m, uint32_t first_vertex, const model *from)
{
    for (uint32_t i = 0; i < from->tri_count; i++) {
        if (is_removed(from, i)) continue;
        for (uint32_t k = 0; k < 3; k++) m->tris[m->tri_count][k] = first_vertex + from->tris[i][k];
        m->tri_count++;
    }
}

static model sum_of(const model *a, const model *b)
{
    model m = *a;
    m.tri_count = 0;
    add_tris(&m, 0, a);
    add_tris(&m, a->vertex_count, b);
    memcpy(m.at[a->vertex_count], b->at, b->vertex_count * sizeof b->at[0]);
    m.vertex_count += b->vertex_count;
    m.has_holes = false;
    m.has_groups = a->has_groups || b->has_groups;
    return m;
}

/* One in the same place, where there is one. */
static uint32_t neighbour_of(const twins *t, uint32_t a)
{
    uint32_t b = (a + 1) % t->count;
    while (b != a && memcmp(&t->models[a].pose, &t->models[b].pose, sizeof(willow_pose)) != 0)
        b = (b + 1) % t->count;
    return b;
}

/* With another one, if they go together. */
static void merge(twins *t, uint32_t a)
{
    const uint32_t b = neighbour_of(t, a);
    const model *from[2] = {&t->models[a], &t->models[b]};
    if (a == b || from[0]->vertex_count + from[1]->vertex_count > MOST_VERTICES ||
        from[0]->tri_count + from[1]->tri_count > MOST_TRIS)
        return;
    model sum = sum_of(from[0], from[1]);
    willow_result results[WORLDS];
    for (int w = 0; w < WORLDS; w++) {
        const willow_body_id ids[2] = {from[0]->ids[w], from[1]->ids[w]};
        willow_merge out;
        results[w] = willow_body_merge(t->worlds[w], ids, 2, &out);
        sum.ids[w] = out.body;
    }
    assert_int_equal(results[SHARED], results[COPIED]);
    if (results[SHARED] != WILLOW_OK) return;
    t->models[a] = sum;
    t->models[b] = t->models[--t->count];
    t->merged++;
}

static void change(twins *t)
{
    static const float speed[MOST_VERTICES][3];
    const uint32_t which = pick(t, t->count);
    model *m = &t->models[which];
    const willow_pose pose = random_pose(t);
    const uint32_t what = pick(t, 13), level = 1 + pick(t, 4);
    switch (what) {
    case 0: set_vertices(t, m); return;
    case 10: edit(t, m); return;
    case 11: split(t, which); return;
    case 12: merge(t, which); return;
    default: break;
    }
    if (what == 1) m->tree.leaf_triangles = level;
    if (what == 2) m->self = !m->self;
    if (what == 3) m->is_moving = true;
    if (what >= 8) m->pose = pose;
    for (int w = 0; w < WORLDS; w++) {
        willow_world *world = t->worlds[w];
        switch (what) {
        case 1: assert_ok(willow_body_set_tree(world, m->ids[w], &m->tree)); break;
        case 2: assert_ok(willow_body_set_self(world, m->ids[w], m->self)); break;
        case 3:
            assert_ok(willow_body_set_velocities(world, m->ids[w], 0, m->vertex_count, speed, 0));
            break;
        case 4: assert_ok(willow_body_set_target_pose(world, m->ids[w], &pose)); break;
        case 5:
            assert_ok(
                willow_body_set_target(world, m->ids[w], 0, m->vertex_count, t->models[0].at, 0));
            break;
        case 6: assert_ok(willow_body_set_thickness(world, m->ids[w], 0.02F)); break;
        case 7: assert_ok(willow_body_set_category_bits(world, m->ids[w], level)); break;
        default: assert_ok(willow_body_set_pose(world, m->ids[w], &pose)); break;
        }
    }
}

/* ---- comparing ---- */

typedef struct answers {
    uint64_t world, pairs, impacts, near;
    size_t pair_count, contact_count;
    double t;
    willow_box boxes[MOST];
} answers;

static answers ask(const twins *t, int w)
{
    const willow_world *world = t->worlds[w];
    const willow_ray ray = {{-9, 0.1F, 0.2F}, 0.0F, {1, 0.01F, 0}, 20.0F};
    answers a = {.world = willow_world_hash(world)};
    willow_query_options options = willow_query_options_default();
    willow_pairs pairs;
    willow_impacts impacts;
    willow_near near;
    willow_casts casts;
    options.near_distance = 0.1;
    options.tolerance = 0.1;
    options.max_iterations = 20;
    assert_ok(willow_find_pairs(world, t->scratches[w], &options, &pairs));
    a.pairs = willow_pairs_hash(&pairs);
    a.pair_count = pairs.count;
    assert_ok(willow_find_impacts(world, t->scratches[w], &options, &impacts));
    a.impacts = hash_impacts(&impacts);
    a.contact_count = impacts.count;
    options.features = true;
    assert_ok(willow_find_near(world, t->scratches[w], &options, &near));
    a.near = hash_near(&near);
    a.contact_count += near.count;
    assert_ok(willow_cast_rays(world, t->scratches[w], &ray, 1, NULL, &casts));
    a.t = casts.states[0] == WILLOW_RAY_HIT ? (double)casts.hits[0].t : -1.0;
    for (uint32_t i = 0; i < t->count; i++) {
        willow_body_info info;
        assert_ok(willow_body_get_info(world, t->models[i].ids[w], &info));
        a.boxes[i] = info.box;
    }
    return a;
}

static void compare(twins *t)
{
    for (int w = 0; w < WORLDS; w++) {
        assert_ok(willow_world_update(t->worlds[w], 0, NULL));
        char reason[200];
        if (!willow_world_validate(t->worlds[w], reason, sizeof reason)) fail_msg("%s", reason);
    }
    const answers shared = ask(t, SHARED), copied = ask(t, COPIED);
    assert_true(shared.world == copied.world);
    assert_int_equal(shared.pair_count, copied.pair_count);
    assert_true(shared.pairs == copied.pairs && shared.impacts == copied.impacts);
    assert_true(shared.near == copied.near && shared.t == copied.t);
    assert_memory_equal(shared.boxes, copied.boxes, sizeof shared.boxes);
    t->pairs += shared.pair_count;
    t->contacts += shared.contact_count;
}

static twins open_twins(uint64_t seed)
{
    twins t = {.random = seed};
    willow_world_def def = willow_world_def_default();
    def.thread_count = seed % 2 == 0 ? 3 : 1;
    make_tris(seed % 4 < 2 ? SMALL_SIDE : SIDE);
    for (int w = 0; w < WORLDS; w++) {
        t.worlds[w] = fixture_world(&def);
        t.scratches[w] = fixture_scratch(t.worlds[w]);
    }
    return t;
}

static void bodies_that_share_are_as_copies_are(void **state)
{
    (void)state;
    twins all = {0};
    for (uint64_t seed = 1; seed <= 20; seed++) {
        twins t = open_twins(seed);
        for (int step = 0; step < 12; step++) {
            while (t.count < MOST && pick(&t, 3) > 0)
                if (t.count == 0 || pick(&t, 3) == 0)
                    add_fresh(&t);
                else
                    add_shared(&t);
            for (uint32_t i = pick(&t, 6); i-- > 0 && t.count > 0;) change(&t);
            while (t.count > 0 && pick(&t, 4) == 0) destroy(&t);
            if (pick(&t, 4) > 0) compare(&t);
        }
        all.shared += t.shared;
        all.unshared += t.unshared;
        all.refused += t.refused;
        all.edited += t.edited;
        all.split += t.split;
        all.merged += t.merged;
        all.pairs += t.pairs;
        all.contacts += t.contacts;
        for (int w = 0; w < WORLDS; w++) fixture_close(t.worlds[w], t.scratches[w]);
    }
    print_message("%zu shared, %zu given vertices, %zu refused, %zu edited, %zu split, %zu merged, "
                  "%zu pairs, %zu contacts\n",
                  all.shared, all.unshared, all.refused, all.edited, all.split, all.merged,
                  all.pairs, all.contacts);
    assert_true(all.shared > 50 && all.unshared > 20 && all.refused > 0 && all.edited > 10);
    assert_true(all.split > 10 && all.merged > 5 && all.pairs > 100 && all.contacts > 100);
}

/* ---- what it costs ---- */

static void a_thousand_that_share_have_one_mesh(void **state)
{
    (void)state;
    enum { MANY = 1000 };
    twins t = open_twins(1);
    const model m = make_model(&t, false);
    const willow_body_def def = def_of(&m);
    willow_body_def share = willow_body_def_default();
    share.share = fixture_body(t.worlds[SHARED], &def);
    assert_ok(willow_world_update(t.worlds[SHARED], 0, NULL));
    const size_t before = willow_world_bytes(t.worlds[SHARED]);
    willow_body_id last = {0};
    for (int i = 0; i < MANY; i++) last = fixture_body(t.worlds[SHARED], &share);
    assert_ok(willow_body_destroy(t.worlds[SHARED], share.share));
    willow_update_report report;
    assert_ok(willow_world_update(t.worlds[SHARED], 0, &report));
    assert_int_equal(report.bodies_built, 0);
    assert_int_equal(report.bodies_moved, MANY);
    print_message("%zu bytes each\n", (willow_world_bytes(t.worlds[SHARED]) - before) / MANY);
    willow_body_stats stats;
    assert_ok(willow_body_get_stats(t.worlds[SHARED], last, &stats));
    assert_int_equal(stats.leaf_count > 0, 1);
    for (int w = 0; w < WORLDS; w++) fixture_close(t.worlds[w], t.scratches[w]);
}

static void a_body_to_share_has_to_be_there(void **state)
{
    (void)state;
    twins t = open_twins(1);
    const model m = make_model(&t, false);
    willow_body_def def = def_of(&m), share = willow_body_def_default();
    willow_body_id id, other = fixture_body(t.worlds[COPIED], &def);
    share.share = other;
    assert_int_equal(willow_body_create(t.worlds[SHARED], &share, &id), WILLOW_BAD_HANDLE);
    def.mesh.borrow = true;
    share.share = fixture_body(t.worlds[SHARED], &def);
    assert_int_equal(willow_body_create(t.worlds[SHARED], &share, &id), WILLOW_UNSUPPORTED);
    assert_int_equal(id.index1, 0);
    assert_ok(willow_body_destroy(t.worlds[SHARED], share.share));
    assert_int_equal(willow_body_create(t.worlds[SHARED], &share, &id), WILLOW_BAD_HANDLE);
    for (int w = 0; w < WORLDS; w++) fixture_close(t.worlds[w], t.scratches[w]);
}

/* ---- where memory is wanting ---- */

/* A body is shared, both are seen, and one of them is given other vertices. The n-th allocation
 * fails: true if there was one. */
static bool share_and_change(size_t fail_at, bool is_first)
{
    test_allocator allocator = {.fail_at = 0};
    willow_world_def def = willow_world_def_default();
    def.allocator = test_allocator_functions(&allocator);
    willow_world *world = fixture_world(&def);
    twins t = {.random = 3};
    model m = make_model(&t, false);
    m.tree.leaf_triangles = 2;
    willow_body_def body = def_of(&m), share = willow_body_def_default();
    willow_body_id ids[2] = {fixture_body(world, &body), {0}};
    share.share = ids[0];
    allocator.fail_at = atomic_load(&allocator.calls) + fail_at;
    while (willow_body_create(world, &share, &ids[1]) != WILLOW_OK) continue;
    while (willow_world_update(world, 0, NULL) != WILLOW_OK)
        assert_true(willow_world_validate(world, NULL, 0));
    const uint64_t before = willow_world_hash(world);
    willow_result result;
    while ((result = willow_body_set_vertices(world, ids[is_first ? 0 : 1], 3,
                                              SHEET_VERTICES(side) - 3, m.at, 0)) != WILLOW_OK) {
        assert_int_equal(result, WILLOW_OUT_OF_MEMORY);
        assert_true(willow_world_hash(world) == before);
        assert_true(willow_world_validate(world, NULL, 0));
        willow_vec3 at;
        assert_ok(willow_body_copy_vertices(world, ids[1], 0, 1, &at));
    }
    while (willow_world_update(world, 0, NULL) != WILLOW_OK) continue;
    const bool has_failed = atomic_load(&allocator.calls) >= allocator.fail_at;
    fixture_close(world, NULL);
    assert_true(test_allocator_is_clean(&allocator));
    return has_failed;
}

static void a_failed_allocation_leaves_bodies_sharing(void **state)
{
    (void)state;
    size_t failures = 0;
    for (int i = 0; i < 4; i++) {
        make_tris(i < 2 ? SIDE : SMALL_SIDE);
        for (size_t n = 1; share_and_change(n, i % 2 == 1); n++) failures++;
    }
    print_message("%zu allocations failed\n", failures);
    assert_true(failures > 20);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(bodies_that_share_are_as_copies_are),
    cmocka_unit_test(a_thousand_that_share_have_one_mesh),
    cmocka_unit_test(a_body_to_share_has_to_be_there),
    cmocka_unit_test(a_failed_allocation_leaves_bodies_sharing),
};

TEST_GROUP(share, tests);
