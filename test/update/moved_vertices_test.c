/* Vertices that move in ranges: whatever the order of moves, full sets, refusals, other trees,
 * poses and questions, all methods answer as BRUTE does, and compute no more boxes than they must.
 */
#include <math.h>
#include <stdlib.h>
#include "scenes/scenes.h"
#include "support/chorus.h"
#include "support/fixture.h"
#include "support/kept.h"
#include "support/test.h"
#include "support/tight_boxes.h"
#include "support/zoo_cases.h"

/* ---- random sequences ---- */

enum { BODIES = 2 };

typedef struct play {
    chorus c;
    zoo_mesh meshes[BODIES]; /* where the vertices are */
    uint64_t random;
    uint32_t frame;
} play;

typedef struct tally {
    size_t pairs, boxes, wider, partial, built, subtrees;
} tally;

static uint32_t below(play *p, uint32_t limit)
{
    return (uint32_t)(test_random(&p->random) % limit);
}

static willow_tree_def random_tree(play *p, willow_method method, float margin)
{
    willow_tree_def tree = zoo_tree(method, zoo_arities[below(p, ZOO_ARITIES)],
                                    zoo_leaf_sizes[below(p, ZOO_LEAF_SIZES)]);
    tree.build = zoo_build(below(p, 100));
    tree.hybrid_level = below(p, 4);
    tree.margin = margin;
    return tree;
}

static willow_kernel random_kernel(play *p)
{
    willow_kernel kernel = below(p, 2) == 0 ? WILLOW_KERNEL_SCALAR : WILLOW_KERNEL_AVX2;
    return zoo_has_kernel(kernel) ? kernel : WILLOW_KERNEL_SCALAR;
}

/* Every method, and those that know margins with one. */
static void open_play(play *p, zoo_kind kind, uint32_t size, uint64_t seed)
{
    *p = (play){.random = seed};
    chorus_open(&p->c, zoo_kind_name(kind), seed);
    chorus_add_brute(&p->c);
    for (int with_margin = 0; with_margin < 2; with_margin++)
        for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++) {
            const float margin = with_margin != 0 ? 0.05F : 0.0F;
            if (method == WILLOW_METHOD_BRUTE) continue;
            if (method == WILLOW_METHOD_REBUILD && with_margin != 0) continue;
            chorus_add(&p->c, random_tree(p, method, margin), random_kernel(p), 1 + below(p, 2));
        }
    zoo_mesh_create(&p->meshes[0], kind, size, seed);
    zoo_mesh_create(&p->meshes[1], ZOO_KIND_CRUMPLED, size / 2 + 1, seed + 1);
    for (int i = 0; i < BODIES; i++) {
        const willow_mesh_def mesh = zoo_mesh_def(&p->meshes[i]);
        chorus_add_body(&p->c, &mesh, true);
    }
    chorus_update(&p->c);
}

static void close_play(play *p)
{
    chorus_close(&p->c);
    for (int i = 0; i < BODIES; i++) zoo_mesh_destroy(&p->meshes[i]);
}

/* Somewhere else, near by, far away, or not at all. Few go far: long triangles meet everything. */
static void move(play *p, zoo_mesh *mesh, uint32_t first, uint32_t count)
{
    const uint32_t how = below(p, 16);
    if (how < 4) zoo_mesh_move(mesh, ++p->frame, first, count);
    if (how < 4 || how == 4) return;
    const double far = how == 5 && count < 4 ? 40.0 : how < 10 ? 0.1 : 0.01;
    for (uint32_t i = first; i < first + count; i++)
        for (int axis = 0; axis < 3; axis++)
            mesh->positions[i][axis] += (float)test_random_between(&p->random, -far, far);
}

static void move_range(play *p, uint32_t body, uint32_t first, uint32_t count)
{
    zoo_mesh *mesh = &p->meshes[body];
    move(p, mesh, first, count);
    chorus_set(&p->c, body, first, count, mesh->positions + first, WILLOW_OK);
}

static void move_tiny(play *p, uint32_t body)
{
    const uint32_t has = p->meshes[body].vertex_count, first = below(p, has);
    const uint32_t rest = has - first, count = 1 + below(p, 3);
    move_range(p, body, first, count < rest ? count : rest);
}

static void move_scattered(play *p, uint32_t body)
{
    for (int i = 0; i < 6; i++) move_range(p, body, below(p, p->meshes[body].vertex_count), 1);
}

static void move_overlapping(play *p, uint32_t body)
{
    const uint32_t has = p->meshes[body].vertex_count, first = below(p, has);
    const uint32_t count = below(p, (has - first + 7) / 8 + 1);
    move_range(p, body, first, count);
    move_range(p, body, first + count / 2, count - count / 2);
    move_range(p, body, first, count / 2 + 1 < has - first ? count / 2 + 1 : has - first);
}

static void move_any(play *p, uint32_t body)
{
    const uint32_t has = p->meshes[body].vertex_count, first = below(p, has + 1);
    move_range(p, body, first, below(p, has - first + 1));
}

/* Nothing has moved, whatever is far away in what was given. */
static void refuse(play *p, uint32_t body, uint32_t first, uint32_t count)
{
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    const uint32_t at = below(p, count);
    float(*to)[3] = malloc(count * sizeof *to);
    for (uint32_t i = 0; i < count; i++)
        for (int axis = 0; axis < 3; axis++) to[i][axis] = 1e6F * (float)axis;
    to[at][below(p, 3)] = bad[below(p, 3)];
    chorus_set(&p->c, body, first, count, to, WILLOW_BAD_MESH);
    free(to);
}

static void refuse_some(play *p, uint32_t body)
{
    const uint32_t has = p->meshes[body].vertex_count, first = below(p, has);
    refuse(p, body, first, 1 + below(p, has - first));
}

/* Another tree, of the same method in the end. */
static void change_tree(play *p, uint32_t body)
{
    chorus_voice *voice = &p->c.voices[1 + below(p, p->c.voice_count - 1)];
    const willow_method method = voice->tree.method;
    const float margin = voice->tree.margin;
    willow_tree_def tree = random_tree(p, below(p, WILLOW_METHOD_COUNT), margin);
    chorus_set_tree(&p->c, voice, body, &tree);
    if (below(p, 2) == 0) move_tiny(p, body);
    if (below(p, 2) == 0) chorus_update(&p->c);
    if (below(p, 2) == 0) move_tiny(p, body);
    tree = random_tree(p, method, margin);
    chorus_set_tree(&p->c, voice, body, &tree);
}

static void pose(play *p, uint32_t body)
{
    willow_pose turned = zoo_pose_make(ZOO_POSE_TURNED, 0, p->random);
    chorus_pose(&p->c, body, below(p, 3) == 0 ? &(willow_pose){{0}, {0, 0, 0, 1}} : &turned);
}

static void act(play *p)
{
    const uint32_t body = below(p, 3) == 0;
    const uint32_t has = p->meshes[body].vertex_count, choice = below(p, 24);
    if (has == 0) return;
    if (choice < 9)
        move_tiny(p, body);
    else if (choice < 13)
        move_scattered(p, body);
    else if (choice < 16)
        move_overlapping(p, body);
    else if (choice < 18)
        move_any(p, body);
    else if (choice < 20)
        move_range(p, body, 0, has);
    else if (choice == 20)
        refuse_some(p, body);
    else if (choice == 21)
        refuse(p, body, 0, has);
    else if (choice == 22)
        pose(p, body);
    else if (below(p, 3) == 0)
        change_tree(p, body);
}

/* Nobody has a flight plan, a morph or a skin here, and so kinetic methods, BLEND and SKIN refit.
 */
static bool is_refitted(const chorus_voice *voice)
{
    return voice->tree.method == WILLOW_METHOD_BOTTOM_UP ||
           voice->tree.method == WILLOW_METHOD_KINETIC_AABB ||
           voice->tree.method == WILLOW_METHOD_KINETIC_BOXTREE ||
           voice->tree.method == WILLOW_METHOD_BLEND || voice->tree.method == WILLOW_METHOD_SKIN;
}

static bool is_eager(const chorus_voice *voice)
{
    return is_refitted(voice) || voice->tree.method == WILLOW_METHOD_REBUILD;
}

/* The box over places [first_place, last_place), and an outline if that was added. */
static wi_box box_of_patch(const wi_tree *h, const wi_patch *patch)
{
    const uint32_t *vertex_at = kept_patches(h)->vertex_at,
                   *outline = wi_patch_outline(h, kept_patches(h), patch);
    const wi_below *own = &patch->below;
    wi_box box = wi_box_empty();
    for (uint32_t i = own->first_place; i < own->last_place; i++)
        wi_box_add_point(&box, wi_mesh_position(h->mesh, vertex_at[i]));
    for (uint32_t i = 0; i < own->last_outline - own->first_outline && patch->has_outline; i++)
        wi_box_add_point(&box, wi_mesh_position(h->mesh, vertex_at[outline[i]]));
    return box;
}

/* A patch is tight unless vertices of it were moved one by one since, fewer than it has. */
static void check_patches(const chorus *c, const chorus_voice *voice, const wi_tree *h)
{
    for (uint32_t i = 0; i < kept_patches(h)->count && h->boxes.refresh; i++) {
        const wi_patch *patch = &kept_patches(h)->items[i];
        const wi_box tight = box_of_patch(h, patch);
        chorus_expect(c, voice,
                      patch->touched <= patch->below.last_place - patch->below.first_place,
                      "a patch has grown for too long");
        chorus_expect(c, voice, wi_box_contains(&patch->box, &tight), "a patch is too small");
        chorus_expect(c, voice, patch->touched > 0 || wi_box_contains(&tight, &patch->box),
                      "a patch that was not touched is not tight");
    }
}

static void check_boxes(play *p, tally *t)
{
    for (uint32_t i = 1; i < p->c.voice_count; i++)
        for (uint32_t body = 0; body < p->c.body_count; body++) {
            const chorus_voice *voice = &p->c.voices[i];
            const wi_tree *h = chorus_hierarchy(voice, body);
            const box_count count = count_boxes(h);
            chorus_expect(&p->c, voice, count.too_small == 0, "a box is too small");
            check_patches(&p->c, voice, h);
            t->boxes += count.tight + count.wider;
            if (voice->tree.margin > 0.0F) continue;
            t->wider += count.wider;
            chorus_expect(&p->c, voice, count.wider_below == 0, "a box below the cut is wider");
            if (is_eager(voice))
                chorus_expect(&p->c, voice,
                              (count.closed == 0 || kept_packed(h)->boxes) && count.wider == 0,
                              "a box is not tight");
        }
}

static void count_partial(const play *p, tally *t)
{
    for (uint32_t i = 1; i < p->c.voice_count; i++) {
        const wi_tree *h = chorus_hierarchy(&p->c.voices[i], 0);
        t->partial += kept_moved(h)->touched > 0 && !kept_moved(h)->is_all;
    }
}

static void run_sequence(zoo_kind kind, uint32_t size, uint32_t steps, uint64_t seed, tally *t)
{
    play p;
    open_play(&p, kind, size, seed);
    for (uint32_t step = 0; step < steps; step++) {
        for (uint32_t i = below(&p, 4); i > 0; i--) act(&p);
        count_partial(&p, t);
        chorus_update(&p.c);
        check_boxes(&p, t);
        const uint32_t asks = below(&p, 4);
        if (asks == 0) continue;
        if (asks < 3) t->pairs += chorus_compare(&p.c);
        if (asks > 1) {
            const zoo_question question = zoo_question_plain();
            (void)chorus_compare_box(&p.c, &question.box);
        }
        check_boxes(&p, t);
    }
    for (uint32_t i = 1; i < p.c.voice_count; i++) {
        if (p.c.voices[i].tree.method == WILLOW_METHOD_REBUILD) continue;
        t->built += p.c.voices[i].built;
        t->subtrees += p.c.voices[i].subtrees_built;
    }
    close_play(&p);
}

static void print_tally(const tally *t)
{
    print_message("%zu pairs, %zu boxes, %zu of them wider, %zu partial updates, %zu builds, %zu "
                  "subtrees\n",
                  t->pairs, t->boxes, t->wider, t->partial, t->built, t->subtrees);
    assert_true(t->pairs > 0 && t->boxes > 0 && t->wider > 0 && t->partial > 0);
}

static void all_kinds_of_meshes_moved_in_ranges_give_the_answers_of_brute(void **state)
{
    (void)state;
    tally t = {0};
    for (zoo_kind kind = 0; kind < ZOO_KIND_COUNT; kind++)
        run_sequence(kind, 60, 34, 100 + kind, &t);
    print_tally(&t);
}

/* With more leaves, so that fewer updates become full ones. */
static void larger_meshes_moved_in_ranges_give_the_answers_of_brute(void **state)
{
    (void)state;
    static const zoo_kind kinds[] = {ZOO_KIND_GRID, ZOO_KIND_SPHERE, ZOO_KIND_SEAMS, ZOO_KIND_SOUP};
    tally t = {0};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        run_sequence(kinds[i], 300, 18, 7 + i, &t);
    print_tally(&t);
    assert_true(t.built > 0 && t.subtrees > 0);
}

/* ---- what is computed ---- */

/* One body of a scene, alone, in worlds of all methods but BRUTE, and SPHERE, of which a move
 * leaves the root alone. */
typedef struct solo {
    chorus c;
    scene *s;
    float (*at)[3];
    uint32_t vertex_count;
} solo;

static chorus_voice *solo_voice(solo *s, willow_method method)
{
    for (uint32_t i = 0; i < s->c.voice_count; i++)
        if (s->c.voices[i].tree.method == method) return &s->c.voices[i];
    return NULL;
}

static void open_solo(solo *s, const char *spec)
{
    chorus_open(&s->c, spec, 0);
    s->s = fixture_scene(spec);
    s->vertex_count = s->s->bodies[0].vertex_count;
    s->at = malloc(s->vertex_count * sizeof *s->at);
    scene_positions(s->s, 0, 0, s->at[0]);
    for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++) {
        willow_tree_def tree = willow_tree_def_default();
        tree.method = method;
        tree.rebuild_ratio = INFINITY;
        if (method != WILLOW_METHOD_BRUTE && method != WILLOW_METHOD_SPHERE)
            chorus_add(&s->c, tree, WILLOW_KERNEL_AUTO, 1);
    }
    chorus_add_body(&s->c,
                    &FIXTURE_MESH(s->at, s->vertex_count, s->s->bodies[0].indices,
                                  s->s->bodies[0].triangle_count),
                    true);
    chorus_update(&s->c);
}

static void close_solo(solo *s)
{
    chorus_close(&s->c);
    scene_destroy(s->s);
    free(s->at);
}

/* Also leaves all nodes open that are not. */
static const willow_box everywhere = {{-100, -100, -100}, {100, 100, 100}};

static void move_vertex(solo *s, uint32_t vertex, float by)
{
    s->at[vertex][vertex % 3] += by;
    chorus_set(&s->c, 0, vertex, 1, s->at + vertex, WILLOW_OK);
}

/* How many leaves have the vertex. */
static size_t leaves_of(const wi_tree *h, uint32_t vertex)
{
    size_t count = 0;
    for (uint32_t i = 0; i < h->shape->leaf_vertex_count; i++)
        count += h->shape->leaf_vertices[i] == vertex;
    return count;
}

/* After some vertices were moved, with all nodes open before: `ways` of the voice is the most nodes
 * that these can be in. */
static void check_counts(solo *s, uint32_t count, const uint32_t *vertices)
{
    chorus_update(&s->c);
    chorus_compare_box(&s->c, &everywhere);
    for (uint32_t i = 0; i < s->c.voice_count; i++) {
        const chorus_voice *voice = &s->c.voices[i];
        const wi_tree *h = chorus_hierarchy(voice, 0);
        const size_t updated = voice->report.nodes_updated,
                     refreshed = voice->stats.nodes_refreshed;
        size_t ways = 0;
        for (uint32_t k = 0; k < count; k++) ways += leaves_of(h, vertices[k]) * h->shape->height;
        if (voice->tree.method == WILLOW_METHOD_REBUILD) continue;
        chorus_expect(&s->c, voice, updated <= h->shape->node_count, "more nodes than there are");
        chorus_expect(&s->c, voice, updated + refreshed > 0, "nothing is computed");
        if (is_refitted(voice)) {
            chorus_expect(&s->c, voice, updated <= ways, "too many nodes are updated");
            chorus_expect(&s->c, voice, refreshed == 0, "a node was not updated");
        } else {
            chorus_expect(&s->c, voice, updated == 0, "an update computes nodes");
            chorus_expect(&s->c, voice, refreshed <= ways + kept_patches(h)->above_count,
                          "too many nodes are refreshed");
            chorus_expect(&s->c, voice, count_boxes(h).closed == 0, "a node was not refreshed");
        }
    }
}

static void few_moved_vertices_cost_the_ways_to_the_root(void **state)
{
    (void)state;
    enum { MOST = 64 };
    solo s;
    uint64_t random = 1;
    uint32_t vertices[MOST];
    open_solo(&s, "bumpy:triangles=20480");
    const wi_tree *h = chorus_hierarchy(solo_voice(&s, WILLOW_METHOD_BOTTOM_UP), 0);
    assert_true(h->shape->node_count > 150 && h->shape->height > 2);
    assert_true(chorus_compare_box(&s.c, &everywhere) == 20480);
    for (uint32_t count = 1; count <= MOST; count *= 2)
        for (int turn = 0; turn < 3; turn++) {
            for (uint32_t i = 0; i < count; i++) {
                vertices[i] = (uint32_t)(test_random(&random) % s.vertex_count);
                move_vertex(&s, vertices[i], turn == 1 ? 0.5F : 0.01F);
            }
            check_counts(&s, count, vertices);
        }
    close_solo(&s);
}

/* In a binary tree with small leaves a vertex concerns a few nodes of thousands. */
static void one_moved_vertex_of_a_deep_tree_costs_a_few_heights(void **state)
{
    (void)state;
    solo s;
    open_solo(&s, "bumpy:triangles=20480");
    for (uint32_t i = 0; i < s.c.voice_count; i++) {
        willow_tree_def tree = s.c.voices[i].tree;
        tree.arity = 2;
        tree.leaf_triangles = 1;
        chorus_set_tree(&s.c, &s.c.voices[i], 0, &tree);
    }
    chorus_update(&s.c);
    chorus_compare_box(&s.c, &everywhere);
    const chorus_voice *eager = solo_voice(&s, WILLOW_METHOD_BOTTOM_UP);
    const uint32_t height = chorus_hierarchy(eager, 0)->shape->height;
    for (uint32_t vertex = 0; vertex < s.vertex_count; vertex += 3001) {
        move_vertex(&s, vertex, 0.1F);
        check_counts(&s, 1, &vertex);
        assert_true(eager->report.nodes_updated <= 7 * (size_t)height);
        assert_true(solo_voice(&s, WILLOW_METHOD_HYBRID)->stats.nodes_refreshed <=
                    7 * (size_t)height);
    }
    close_solo(&s);
}

/* Nothing else is asked for, so a question after a move opens what it opens, and computes of that
 * only what the move concerns. */
static void a_question_after_a_move_refreshes_what_was_moved(void **state)
{
    (void)state;
    solo s;
    open_solo(&s, "bumpy:triangles=20480");
    chorus_compare_box(&s.c, &everywhere);
    chorus_compare_box(&s.c, &everywhere);
    for (uint32_t i = 0; i < s.c.voice_count; i++)
        assert_int_equal(s.c.voices[i].stats.nodes_refreshed, 0);
    move_vertex(&s, 5, 0.1F);
    chorus_update(&s.c);
    const float *p = s.at[5];
    const willow_box here = {{p[0], p[1], p[2]}, {p[0], p[1], p[2]}};
    assert_true(chorus_compare_box(&s.c, &here) > 0);
    for (uint32_t i = 0; i < s.c.voice_count; i++) {
        const chorus_voice *voice = &s.c.voices[i];
        const wi_tree *h = chorus_hierarchy(voice, 0);
        const bool is_eager_one = is_eager(voice);
        chorus_expect(&s.c, voice, (voice->stats.nodes_refreshed > 0) == !is_eager_one,
                      "moved vertices are refreshed by the wrong one");
        chorus_expect(&s.c, voice,
                      voice->stats.nodes_refreshed <= leaves_of(h, 5) * h->shape->height,
                      "too much is refreshed");
    }
    close_solo(&s);
}

/* ---- growth has an end ---- */

/* Patches that have been given positions one by one as often as they have vertices are made tight,
 * so what was three rounds ago is forgotten: each round moves every vertex of a patch, two rounds
 * more often than it has vertices, and what a patch is then made tight to has been there since the
 * round before at most. */
static void boxes_that_grow_are_made_tight_in_time(void **state)
{
    (void)state;
    enum { ROUNDS = 10, STILL = 2, KEPT = 4, PER_UPDATE = 8 };
    solo s;
    size_t wider = 0;
    willow_box kept[KEPT];
    open_solo(&s, "bumpy:triangles=320");
    for (uint32_t round = 0; round < ROUNDS + STILL; round++) {
        const float by = round < ROUNDS ? 3.0F : 0.0F;
        willow_box now = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
        for (uint32_t i = 0; i < s.vertex_count; i++) {
            /* In another order than the tree's. */
            const uint32_t vertex = (uint32_t)((uint64_t)i * 101 % s.vertex_count);
            s.at[vertex][0] += by;
            now.lower.x = fminf(now.lower.x, s.at[vertex][0]);
            chorus_set(&s.c, 0, vertex, 1, s.at + vertex, WILLOW_OK);
            if (i % PER_UPDATE != 0 && i + 1 < s.vertex_count) continue;
            chorus_update(&s.c);
            for (uint32_t k = 0; k < s.c.voice_count; k++) {
                const wi_tree *h = chorus_hierarchy(&s.c.voices[k], 0);
                wider += count_boxes(h).wider;
                check_patches(&s.c, &s.c.voices[k], h);
                if (round >= KEPT)
                    chorus_expect(&s.c, &s.c.voices[k],
                                  h->boxes.bounds.lower[0] >= kept[round % KEPT].lower.x,
                                  "a box is as large as it was long ago");
            }
        }
        kept[round % KEPT] = now;
    }
    assert_true(s.vertex_count % 101 != 0);
    assert_true(wider > 0); /* or nothing was seen here */
    for (uint32_t k = 0; k < s.c.voice_count; k++)
        chorus_expect(&s.c, &s.c.voices[k],
                      count_boxes(chorus_hierarchy(&s.c.voices[k], 0)).wider == 0,
                      "a box is not tight in the end");
    close_solo(&s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(all_kinds_of_meshes_moved_in_ranges_give_the_answers_of_brute),
    cmocka_unit_test(larger_meshes_moved_in_ranges_give_the_answers_of_brute),
    cmocka_unit_test(few_moved_vertices_cost_the_ways_to_the_root),
    cmocka_unit_test(one_moved_vertex_of_a_deep_tree_costs_a_few_heights),
    cmocka_unit_test(a_question_after_a_move_refreshes_what_was_moved),
    cmocka_unit_test(boxes_that_grow_are_made_tight_in_time),
};

TEST_GROUP(moved_vertices, tests);
