/* Trees that take edits stay sound, balanced and good while most of their mesh is replaced. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/hash.h"
#include "support/choices.h"
#include "support/fixture.h"
#include "support/test.h"

enum { SIDE = 60, TRIS = 2 * SIDE * SIDE, MOST = 6 * TRIS, VERTICES = (SIDE + 1) * (SIDE + 1) };

typedef struct sheet {
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id body, wall;
    uint32_t (*tris)[3]; /* by slot; of those that are gone UINT32_MAX */
    uint32_t tri_count;
    float (*at)[3];
    bool *is_turned; /* by vertex: by a fold */
    uint32_t vertex_count;
} sheet;

static float height_at(float x, float y) { return 0.3F * sinf(0.5F * x) * cosf(0.4F * y); }

static void fill_sheet(sheet *s)
{
    s->tris = malloc(MOST * sizeof *s->tris);
    s->at = malloc(MOST * sizeof *s->at);
    s->is_turned = calloc(MOST, sizeof *s->is_turned);
    assert_true(s->tris && s->at && s->is_turned);
    for (uint32_t i = 0; i < VERTICES; i++) {
        const float x = (float)(i % (SIDE + 1)), y = (float)(i / (SIDE + 1));
        const float p[3] = {x, y, height_at(x, y)};
        memcpy(s->at[i], p, sizeof p);
    }
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const uint32_t a = i / SIDE * (SIDE + 1) + i % SIDE;
        const uint32_t two[2][3] = {{a, a + 1, a + SIDE + 1}, {a + 1, a + SIDE + 2, a + SIDE + 1}};
        memcpy(s->tris[2 * i], two, sizeof two);
    }
    s->tri_count = TRIS;
    s->vertex_count = VERTICES;
}

static sheet make_sheet_with(willow_method method, uint32_t arity, uint32_t leaf_triangles,
                             bool self)
{
    static const float corners[4][3] = {{-1, -1, 0.1F}, {61, -1, 0}, {-1, 61, 0}, {61, 61, 0.1F}};
    static const uint32_t two[2][3] = {{0, 1, 2}, {1, 3, 2}};
    sheet s = {.world = fixture_world(NULL)};
    willow_body_def def = willow_body_def_default();
    s.scratch = fixture_scratch(s.world);
    fill_sheet(&s);
    def.mesh = FIXTURE_MESH(s.at, s.vertex_count, s.tris, s.tri_count);
    def.tree.method = method;
    def.tree.arity = arity;
    def.tree.leaf_triangles = leaf_triangles;
    def.self = self;
    s.body = fixture_body(s.world, &def);
    def.self = false;
    def.mesh = FIXTURE_MESH(corners, 4, two, 2);
    s.wall = fixture_body(s.world, &def);
    assert_ok(willow_world_update(s.world, 0, NULL));
    return s;
}

static sheet make_sheet(willow_method method, uint32_t arity, uint32_t leaf_triangles)
{
    return make_sheet_with(method, arity, leaf_triangles, false);
}

static void free_sheet(sheet *s)
{
    fixture_close(s->world, s->scratch);
    free(s->tris);
    free(s->at);
    free(s->is_turned);
}

/* Around a place triangles are parted in three, or every third is taken away. */
static size_t cut(sheet *s, choices *c)
{
    enum { NEAR = 40 };
    const uint32_t middle = choose(c, s->tri_count);
    uint32_t gone[NEAR], added[3 * NEAR][3], slots[3 * NEAR], vertices[NEAR];
    willow_new_vertex news[NEAR];
    uint32_t count = 0, parted = 0;
    const bool is_hole = choose(c, 3) == 0;
    for (uint32_t i = 0; i < NEAR && middle + i < s->tri_count; i++) {
        const uint32_t *tri = s->tris[middle + i];
        if (tri[0] == UINT32_MAX) continue;
        gone[count++] = middle + i;
        if (is_hole || s->tri_count + 3 * NEAR > MOST) continue;
        news[parted] = (willow_new_vertex){.parent_count = 3,
                                           .parents = {tri[0], tri[1], tri[2]},
                                           .weights = {0.5F, 0.25F, 0.25F}};
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t one[3] = {tri[k], tri[(k + 1) % 3], WILLOW_NEW_VERTEX + parted};
            memcpy(added[3 * parted + k], one, sizeof one);
        }
        parted++;
    }
    willow_edit edit = willow_edit_default();
    edit.remove_triangles = gone;
    edit.remove_triangle_count = count;
    edit.add_vertices = news;
    edit.add_vertex_count = parted;
    edit.add_indices = added[0];
    edit.add_triangle_count = 3 * parted;
    assert_ok(willow_body_edit(s->world, s->body, &edit, slots, vertices));
    for (uint32_t i = 0; i < count; i++) s->tris[gone[i]][0] = UINT32_MAX;
    for (uint32_t i = 0; i < 3 * parted; i++) {
        for (int k = 0; k < 3; k++) {
            const uint32_t named = added[i][k];
            s->tris[slots[i]][k] =
                named >= WILLOW_NEW_VERTEX ? vertices[named - WILLOW_NEW_VERTEX] : named;
        }
        if (slots[i] >= s->tri_count) s->tri_count = slots[i] + 1;
    }
    return count + 3 * parted;
}

static uint32_t vertex_count_of(const sheet *s)
{
    willow_body_info info;
    assert_ok(willow_body_get_info(s->world, s->body, &info));
    return info.vertex_count;
}

static uint32_t live_count_of(const sheet *s)
{
    willow_body_info info;
    assert_ok(willow_body_get_info(s->world, s->body, &info));
    return info.triangle_count - info.removed_triangle_count;
}

static willow_body_stats stats_of(const sheet *s)
{
    willow_body_stats stats;
    assert_ok(willow_body_get_stats(s->world, s->body, &stats));
    return stats;
}

static void assert_sound(const sheet *s)
{
    char reason[200];
    if (!willow_world_validate(s->world, reason, sizeof reason)) fail_msg("%s", reason);
}

static uint64_t hash_of_pairs(const sheet *s, size_t *count)
{
    willow_pairs pairs;
    assert_ok(willow_find_pairs(s->world, s->scratch, NULL, &pairs));
    *count = pairs.count;
    return willow_pairs_hash(&pairs);
}

/* An AVL tree of n leaves is at most 1.45 lg n high, one as a B-tree is log3 n and the root. */
static void assert_balanced(const sheet *s)
{
    const willow_body_stats stats = stats_of(s);
    willow_body_info info;
    assert_ok(willow_body_get_info(s->world, s->body, &info));
    if (info.tree.arity == 2 && info.tree.leaf_triangles == 1) {
        assert_true(stats.depth <= 1.45 * log2(stats.leaf_count) + 1e-9);
        return;
    }
    uint32_t height = 0;
    for (uint64_t leaves = 1; leaves < stats.leaf_count; leaves *= 3) height++;
    assert_true(stats.height <= height + 1);
}

/* The tree that the same body would have if it were made now; the answers are the same. */
static double cost_afresh(sheet *s)
{
    size_t before, after;
    const uint64_t hash = hash_of_pairs(s, &before);
    willow_body_info info;
    assert_ok(willow_body_get_info(s->world, s->body, &info));
    willow_tree_def tree = info.tree;
    tree.method = WILLOW_METHOD_HYBRID;
    assert_ok(willow_body_set_tree(s->world, s->body, &tree));
    assert_ok(willow_world_update(s->world, 1, NULL));
    assert_true(hash_of_pairs(s, &after) == hash && before == after && before > 0);
    tree.method = WILLOW_METHOD_BRUTE;
    const double cost = stats_of(s).cost;
    assert_ok(willow_body_set_tree(s->world, s->body, &tree));
    assert_ok(willow_world_update(s->world, 1, NULL));
    assert_true(hash_of_pairs(s, &after) == hash && before == after);
    return cost;
}

static void play(willow_method method, uint32_t arity, uint32_t leaf_triangles, bool moves)
{
    sheet s = make_sheet(method, arity, leaf_triangles);
    choices c = choices_of_seed(leaf_triangles + 7);
    enum { STEPS = 120 };
    size_t changed = 0, pairs;
    for (uint32_t step = 0; step < STEPS; step++) {
        willow_update_report report;
        changed += cut(&s, &c);
        if (step % 3 == 0) changed += cut(&s, &c);
        if (moves && step % 2 == 0) {
            const float p[3] = {0, 0, 0.001F * (float)step};
            assert_ok(willow_body_set_vertices(s.world, s.body, 0, 1, p, 0));
        }
        assert_ok(willow_world_update(s.world, 0, &report));
        assert_int_equal(report.bodies_built, 0);
        if (step % 16 == 0) {
            assert_sound(&s);
            (void)hash_of_pairs(&s, &pairs);
            assert_balanced(&s);
        }
    }
    assert_sound(&s);
    const double cost = stats_of(&s).cost, afresh = cost_afresh(&s);
    print_message("%s, %u children, %u in a leaf: %zu triangles changed, cost %.2f, afresh %.2f\n",
                  willow_method_name(method), arity, leaf_triangles, changed, cost, afresh);
    assert_true(cost < (arity == 2 ? 1.5 : 1.25) * afresh);
    free_sheet(&s);
}

static void edited_trees_stay_balanced_and_good(void **state)
{
    (void)state;
    play(WILLOW_METHOD_BALANCED, 8, 16, false);
    play(WILLOW_METHOD_BALANCED, 8, 1, false);
    play(WILLOW_METHOD_BALANCED, 8, 5, true);
    play(WILLOW_METHOD_BALANCED, 2, 1, false);
    play(WILLOW_METHOD_BALANCED, 2, 1, true);
    play(WILLOW_METHOD_AUTO, 8, 16, true);
}

/* Everything goes but a few triangles, a little each time, and the tree shrinks with them. */
static void shrink(uint32_t arity, uint32_t leaf_triangles)
{
    enum { AT_ONCE = 50 };
    sheet s = make_sheet(WILLOW_METHOD_BALANCED, arity, leaf_triangles);
    for (uint32_t first = 0; first + AT_ONCE < TRIS; first += AT_ONCE) {
        uint32_t gone[AT_ONCE];
        willow_edit edit = willow_edit_default();
        for (uint32_t i = 0; i < AT_ONCE; i++) gone[i] = (first + i) * 7 % TRIS;
        edit.remove_triangles = gone;
        edit.remove_triangle_count = AT_ONCE;
        assert_ok(willow_body_edit(s.world, s.body, &edit, NULL, NULL));
        assert_ok(willow_world_update(s.world, 0, NULL));
        if (first % (8 * AT_ONCE) == 0) assert_sound(&s);
        assert_balanced(&s);
    }
    assert_sound(&s);
    assert_true(stats_of(&s).leaf_count < 64);
    free_sheet(&s);
}

static void a_tree_shrinks_with_its_mesh(void **state)
{
    (void)state;
    shrink(8, 4);
    shrink(2, 1);
}

/* ---- one at a time ---- */

enum { MOST_SINGLE = 250, SINGLE_VERTICES = 60 };

typedef struct single {
    willow_tri live[MOST_SINGLE];
    uint32_t live_count;
} single;

static void choose_corners(choices *c, uint32_t vertices, uint32_t tri[3])
{
    for (int k = 0; k < 3; k++) tri[k] = choose(c, vertices);
}

/* The body, and one of BRUTE to which the same is done. */
typedef struct twins {
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id bodies[2];
    single tris;
    uint32_t vertices; /* that triangles name which come */
    uint64_t builds;
    size_t pairs; /* that both have found */
} twins;

/* A triangle comes, goes, or gets other corners, and sometimes a vertex moves. Of few triangles a
 * single one is a large edit, and the tree would be built afresh. */
static void change_one(twins *t, choices *c)
{
    uint32_t tri[3];
    willow_tri added;
    single *s = &t->tris;
    willow_edit edit = willow_edit_default();
    const uint32_t what = choose(c, s->live_count < 20 ? 2 : 5);
    const uint32_t at = choose(c, s->live_count);
    choose_corners(c, t->vertices, tri);
    if (what <= 1 && s->live_count < MOST_SINGLE) {
        edit.add_indices = tri;
        edit.add_triangle_count = 1;
    } else if (what == 2) {
        edit.replace_triangles = &s->live[at];
        edit.replace_indices = tri;
        edit.replace_triangle_count = 1;
    } else {
        edit.remove_triangles = &s->live[at];
        edit.remove_triangle_count = 1;
    }
    for (int i = 0; i < 2; i++)
        assert_ok(willow_body_edit(t->world, t->bodies[i], &edit, &added, NULL));
    if (edit.add_triangle_count == 1) s->live[s->live_count++] = added;
    if (edit.remove_triangle_count == 1) s->live[at] = s->live[--s->live_count];
    if (choose(c, 8) != 0) return;
    const float p[3] = {0.01F * (float)choose(c, 100), 0.01F * (float)choose(c, 100), 0.5F};
    const uint32_t vertex = choose(c, t->vertices);
    for (int i = 0; i < 2; i++)
        assert_ok(willow_body_set_vertices(t->world, t->bodies[i], vertex, 1, p, 0));
}

static willow_body_stats twin_stats(const twins *t)
{
    willow_body_stats stats;
    assert_ok(willow_body_get_stats(t->world, t->bodies[0], &stats));
    return stats;
}

/* Parts have copies of vertices that they share. What comes names as many as there were in the
 * beginning, so that there are always some of many triangles. */
static void part_and_merge(twins *t, choices *c)
{
    enum { MOST_SLOTS = 4 * MOST_SINGLE };
    static uint32_t labels[MOST_SLOTS];
    willow_body_info info;
    willow_split split;
    willow_merge merge;
    assert_ok(willow_body_get_info(t->world, t->bodies[0], &info));
    assert_true(info.triangle_count <= MOST_SLOTS);
    const uint32_t stripe = 1 + choose(c, 40), parts = 2 + choose(c, 3);
    for (uint32_t slot = 0; slot < info.triangle_count; slot++)
        labels[slot] = slot / stripe % parts;
    for (int i = 0; i < 2; i++) {
        willow_body_id ids[8];
        assert_ok(willow_body_split(t->world, t->bodies[i], labels, &split));
        const uint32_t count = split.part_count;
        for (uint32_t k = 0; k < count; k++) ids[k] = split.parts[k].body;
        assert_ok(willow_body_merge(t->world, ids, count, &merge));
        t->bodies[i] = merge.body;
    }
    assert_ok(willow_body_get_info(t->world, t->bodies[0], &info));
    t->tris.live_count = info.triangle_count;
    t->vertices = info.vertex_count < SINGLE_VERTICES ? info.vertex_count : SINGLE_VERTICES;
    for (uint32_t i = 0; i < info.triangle_count; i++) t->tris.live[i] = i;
    assert_ok(willow_world_update(t->world, 0, NULL));
    t->builds = twin_stats(t).builds;
}

static void assert_alike(twins *t)
{
    willow_query_options options = willow_query_options_default();
    willow_pairs pairs;
    uint64_t hashes[2];
    options.body_count = 1;
    for (int i = 0; i < 2; i++) {
        options.bodies = &t->bodies[i];
        assert_ok(willow_find_self_pairs(t->world, t->scratch, &options, &pairs));
        hashes[i] = wi_hash_bytes(pairs.count, pairs.items, pairs.count * sizeof *pairs.items);
    }
    assert_true(hashes[0] == hashes[1]);
    t->pairs += pairs.count;
}

static twins make_twins(uint32_t arity, uint32_t leaf_triangles, bool self, choices *c)
{
    float at[SINGLE_VERTICES][3];
    uint32_t tris[60][3];
    willow_body_def def = willow_body_def_default();
    twins t = {.world = fixture_world(NULL),
               .tris.live_count = 60,
               .vertices = SINGLE_VERTICES,
               .builds = 1};
    t.scratch = fixture_scratch(t.world);
    for (uint32_t v = 0; v < SINGLE_VERTICES; v++)
        for (int k = 0; k < 3; k++) at[v][k] = 0.01F * (float)choose(c, 100);
    for (uint32_t i = 0; i < 60; i++) {
        choose_corners(c, SINGLE_VERTICES, tris[i]);
        t.tris.live[i] = i;
    }
    def.mesh = FIXTURE_MESH(at, SINGLE_VERTICES, tris, 60);
    def.tree.method = WILLOW_METHOD_BALANCED;
    def.tree.arity = arity;
    def.tree.leaf_triangles = leaf_triangles;
    def.self = self;
    t.bodies[0] = fixture_body(t.world, &def);
    def.tree.method = WILLOW_METHOD_BRUTE;
    t.bodies[1] = fixture_body(t.world, &def);
    assert_ok(willow_world_update(t.world, 0, NULL));
    return t;
}

/* Balance, heights, links, boxes and free lists after each of very many edits; answers now and
 * then. */
static void edit_one_by_one(uint32_t arity, uint32_t leaf_triangles, bool self, uint32_t count)
{
    choices c = choices_of_seed(arity);
    twins t = make_twins(arity, leaf_triangles, self, &c);
    uint32_t highest = 0;
    for (uint32_t i = 1; i <= count; i++) {
        char reason[200];
        if (i % 1000 == 0)
            part_and_merge(&t, &c);
        else
            change_one(&t, &c);
        assert_ok(willow_world_update(t.world, 0, NULL));
        if (!willow_world_validate(t.world, reason, sizeof reason)) fail_msg("%u: %s", i, reason);
        const willow_body_stats stats = twin_stats(&t);
        assert_true(stats.builds == t.builds || self); /* lists may end at a hub */
        if (arity == 2) assert_true(stats.depth <= 1.45 * log2(stats.leaf_count) + 1e-9);
        if (stats.depth > highest) highest = stats.depth;
        if (i % (test_is_slow() ? 400 : 50) == 0) assert_alike(&t);
    }
    print_message("%u operations, %u children: at most %u deep, %zu pairs\n", count, arity, highest,
                  t.pairs);
    assert_true(t.pairs > count / 4);
    fixture_close(t.world, t.scratch);
}

static void every_single_edit_leaves_a_sound_and_balanced_tree(void **state)
{
    const uint32_t count = test_is_slow() ? 1000000 : 3000;
    (void)state;
    edit_one_by_one(2, 1, false, count);
    edit_one_by_one(8, 4, false, count);
    edit_one_by_one(2, 1, true, count / 4);
}

/* AUTO packs the tree of a body that moves and is not cut any more, and links it again. */
static void a_quiet_body_gets_a_packed_tree_again(void **state)
{
    (void)state;
    sheet s = make_sheet(WILLOW_METHOD_AUTO, 0, 16);
    choices c = choices_of_seed(3);
    for (uint32_t round = 0; round < 2; round++) {
        size_t built = 0;
        (void)cut(&s, &c);
        assert_ok(willow_world_update(s.world, 0, NULL));
        assert_int_equal(stats_of(&s).method, WILLOW_METHOD_BALANCED);
        for (uint32_t step = 0; step < 80; step++) {
            willow_update_report report;
            const float p[3] = {0, 0, 0.001F * (float)step};
            assert_ok(willow_body_set_vertices(s.world, s.body, 0, 1, p, 0));
            assert_ok(willow_world_update(s.world, 0, &report));
            built += report.bodies_built;
        }
        assert_true(built >= 1);
        assert_true(stats_of(&s).method != WILLOW_METHOD_BALANCED);
    }
    free_sheet(&s);
}

/* ---- pairs within the body ---- */

/* What a search for pairs within the body comes to. */
typedef struct search {
    size_t pairs, leaf_pairs, culled;
} search;

static search search_within(willow_world *world, willow_scratch *scratch)
{
    willow_pairs pairs;
    const willow_query_stats before = willow_scratch_stats(scratch);
    assert_ok(willow_find_self_pairs(world, scratch, NULL, &pairs));
    const willow_query_stats after = willow_scratch_stats(scratch);
    return (search){pairs.count, after.leaf_pairs - before.leaf_pairs,
                    after.leaf_pairs_culled - before.leaf_pairs_culled};
}

/* The same of a body that is made of what is there now. */
static search search_afresh(const sheet *s)
{
    willow_world *world = fixture_world(NULL);
    willow_scratch *scratch = fixture_scratch(world);
    willow_body_def def = willow_body_def_default();
    willow_vec3 *at = malloc(s->vertex_count * sizeof *at);
    uint32_t(*tris)[3] = malloc(s->tri_count * sizeof *tris), count = 0;
    willow_body_info info;
    assert_true(at && tris);
    assert_ok(willow_body_copy_vertices(s->world, s->body, 0, s->vertex_count, at));
    assert_ok(willow_body_get_info(s->world, s->body, &info));
    for (uint32_t slot = 0; slot < s->tri_count; slot++)
        if (s->tris[slot][0] != UINT32_MAX) memcpy(tris[count++], s->tris[slot], sizeof *tris);
    def.mesh = FIXTURE_MESH(at, s->vertex_count, tris, count);
    def.tree.leaf_triangles = info.tree.leaf_triangles;
    def.self = true;
    (void)fixture_body(world, &def);
    assert_ok(willow_world_update(world, 0, NULL));
    const search found = search_within(world, scratch);
    fixture_close(world, scratch);
    free(at);
    free(tris);
    return found;
}

/* Half of the sheet is turned over and comes to lie in the other half, or back. */
static void fold(sheet *s, bool is_folded)
{
    willow_vec3 *at = malloc(s->vertex_count * sizeof *at);
    assert_true(at != NULL);
    assert_ok(willow_body_copy_vertices(s->world, s->body, 0, s->vertex_count, at));
    for (uint32_t i = 0; i < s->vertex_count; i++) {
        if (s->is_turned[i] == is_folded || (is_folded && at[i].x < 30)) continue;
        at[i].x = 60.2F - at[i].x;
        s->is_turned[i] = is_folded;
    }
    assert_ok(willow_body_set_vertices(s->world, s->body, 0, s->vertex_count, at, 0));
    assert_ok(willow_world_update(s->world, 0, NULL));
    free(at);
}

/* Lists follow cuts, so answers are those of a body made afresh; and when all has been quiet for
 * some updates, no more leaves are looked into. */
static void play_within(willow_method method, uint32_t arity, uint32_t leaf_triangles)
{
    sheet s = make_sheet_with(method, arity, leaf_triangles, true);
    choices c = choices_of_seed(leaf_triangles);
    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < 12; i++) {
            willow_update_report report;
            (void)cut(&s, &c);
            s.vertex_count = vertex_count_of(&s);
            assert_ok(willow_world_update(s.world, 0, &report));
            assert_int_equal(report.bodies_built, 0);
            if (i % 4 == 3) assert_sound(&s);
        }
        fold(&s, true);
        const search folded = search_within(s.world, s.scratch);
        assert_true(folded.pairs > 0 && folded.pairs == search_afresh(&s).pairs);
        fold(&s, false);
        for (uint32_t i = 0; i < 20; i++) {
            const float p[3] = {0, 0, 0.001F * (float)i};
            assert_ok(willow_body_set_vertices(s.world, s.body, 0, 1, p, 0));
            assert_ok(willow_world_update(s.world, 0, NULL));
        }
        assert_sound(&s);
        assert_int_equal(stats_of(&s).method, WILLOW_METHOD_BALANCED);
        const search flat = search_within(s.world, s.scratch), afresh = search_afresh(&s);
        assert_int_equal(flat.pairs, afresh.pairs);
        print_message("%zu of %zu pairs of leaves culled; afresh %zu of %zu; folded %zu pairs\n",
                      flat.culled, flat.leaf_pairs, afresh.culled, afresh.leaf_pairs, folded.pairs);
        if (leaf_triangles >= 6)
            assert_true((double)flat.culled / (double)flat.leaf_pairs >
                        0.9 * (double)afresh.culled / (double)afresh.leaf_pairs);
    }
    free_sheet(&s);
}

static void lists_for_pairs_within_follow_cuts(void **state)
{
    (void)state;
    play_within(WILLOW_METHOD_BALANCED, 8, 16);
    play_within(WILLOW_METHOD_BALANCED, 8, 2);
    play_within(WILLOW_METHOD_BALANCED, 2, 1);
    play_within(WILLOW_METHOD_AUTO, 8, 8);
}

/* ---- bodies that fall apart, and become one ---- */

/* The same pairs with a tree that is built, and then with that of before, which is built, too. */
static void assert_as_built(sheet *s)
{
    willow_body_info info;
    size_t count, built;
    const uint64_t hash = hash_of_pairs(s, &count);
    assert_ok(willow_body_get_info(s->world, s->body, &info));
    willow_tree_def tree = info.tree;
    tree.method = WILLOW_METHOD_HYBRID;
    assert_ok(willow_body_set_tree(s->world, s->body, &tree));
    assert_ok(willow_world_update(s->world, 3, NULL));
    assert_true(hash_of_pairs(s, &built) == hash && built == count && count > 0);
    assert_ok(willow_body_set_tree(s->world, s->body, &info.tree));
    assert_ok(willow_world_update(s->world, 3, NULL));
}

/* Where leaves have one triangle each, all of them are whole whatever the parts are. */
static bool has_single_leaves(const sheet *s)
{
    willow_body_info info;
    assert_ok(willow_body_get_info(s->world, s->body, &info));
    return info.tree.leaf_triangles == 1;
}

/* Trees are not built: what of them is whole is kept. Parts are stripes, or what chance says. */
static void check_parts(sheet *s, uint32_t parts, bool by_chance)
{
    const bool is_built = by_chance && !has_single_leaves(s);
    willow_update_report report;
    willow_split split;
    willow_merge merge;
    choices c = choices_of_seed(parts);
    uint32_t *labels = calloc(s->tri_count, sizeof *labels);
    willow_body_id bodies[8];
    size_t before, after;
    (void)hash_of_pairs(s, &before);
    assert_true(labels && parts <= 8);
    for (uint32_t slot = 0; slot < s->tri_count; slot++)
        labels[slot] = by_chance ? choose(&c, parts) : slot * parts / s->tri_count;
    assert_ok(willow_body_split(s->world, s->body, labels, &split));
    free(labels);
    assert_int_equal(split.part_count, parts);
    for (uint32_t i = 0; i < parts; i++) bodies[i] = split.parts[i].body;
    assert_ok(willow_world_update(s->world, 2, &report));
    assert_sound(s);
    assert_true(report.bodies_built == 0 || by_chance); /* leaves of a linked tree fall apart */
    (void)hash_of_pairs(s, &after);
    assert_true(after >= before); /* what shared a vertex across parts may meet now */
    for (uint32_t i = 0; i < parts; i++) {
        s->body = bodies[i];
        if (!is_built) assert_balanced(s);
    }
    assert_ok(willow_body_merge(s->world, bodies, parts, &merge));
    s->body = merge.body;
    assert_ok(willow_world_update(s->world, 3, &report));
    assert_sound(s);
    assert_int_equal(report.bodies_built, 0);
    assert_balanced(s);
    assert_as_built(s);
}

static void parts_and_merged_bodies_keep_trees(void **state)
{
    (void)state;
    static const struct {
        willow_method method;
        uint32_t arity, leaf_triangles;
        bool self;
    } rows[] = {{WILLOW_METHOD_BALANCED, 8, 16, true}, {WILLOW_METHOD_AUTO, 8, 16, false},
                {WILLOW_METHOD_BALANCED, 8, 3, true},  {WILLOW_METHOD_AUTO, 8, 3, false},
                {WILLOW_METHOD_BALANCED, 2, 1, false}, {WILLOW_METHOD_BALANCED, 2, 1, true}};
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t leaf_triangles = rows[i].leaf_triangles;
        sheet s = make_sheet_with(rows[i].method, rows[i].arity, leaf_triangles, rows[i].self);
        choices c = choices_of_seed(i);
        check_parts(&s, 2 + i, false); /* of a body that was never edited */
        free_sheet(&s);
        s = make_sheet_with(rows[i].method, rows[i].arity, leaf_triangles, rows[i].self);
        for (uint32_t k = 0; k < 4; k++) {
            (void)cut(&s, &c);
            s.vertex_count = vertex_count_of(&s);
            if (k < 3) assert_ok(willow_world_update(s.world, 0, NULL));
        }
        fold(&s, true);
        check_parts(&s, 3, false);
        s.tri_count = live_count_of(&s);
        check_parts(&s, 2, true);
        free_sheet(&s);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(parts_and_merged_bodies_keep_trees),
    cmocka_unit_test(lists_for_pairs_within_follow_cuts),
    cmocka_unit_test(edited_trees_stay_balanced_and_good),
    cmocka_unit_test(a_tree_shrinks_with_its_mesh),
    cmocka_unit_test(every_single_edit_leaves_a_sound_and_balanced_tree),
    cmocka_unit_test(a_quiet_body_gets_a_packed_tree_again),
};

static const struct CMUnitTest slow_tests[] = {
    cmocka_unit_test(every_single_edit_leaves_a_sound_and_balanced_tree),
};

TEST_GROUP_WITH_SLOW(balanced, tests, slow_tests);
