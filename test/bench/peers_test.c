/* Every peer that this build has answers as Willow does, by the rule for neighbours that it says it
 * has, or is known to lose pairs and then does nothing worse. Without any of the libraries that is
 * the yardstick alone. */
#include <stdlib.h>
#include "bench/peers/peer.h"
#include "scenes/scenes.h"
#include "support/test.h"
#include "support/zoo_mesh.h"
#include "willow/willow.h"

/* Meshes that peers read in place: a scene in one of its frames, or others. */
typedef struct stage {
    const peer_mesh *meshes;
    uint32_t count;
    scene *scene; /* of a scene only, with the arrays that its meshes read */
    float **xyz;
} stage;

static void show_frame(stage *s, uint32_t frame)
{
    for (uint32_t i = 0; i < s->count; i++) {
        scene_positions(s->scene, frame, i, s->xyz[i]);
    }
}

static void open_stage(stage *s, const char *spec)
{
    char error[512];
    s->scene = scene_create(spec, error, sizeof error);
    if (s->scene == NULL) fail_msg("%s: %s", spec, error);
    s->count = s->scene->body_count;
    s->xyz = calloc(s->count, sizeof *s->xyz);
    peer_mesh *meshes = calloc(s->count, sizeof *meshes);
    assert_true(s->xyz != NULL && meshes != NULL);
    for (uint32_t i = 0; i < s->count; i++) {
        const scene_body *body = &s->scene->bodies[i];
        s->xyz[i] = malloc(12 * (size_t)body->vertex_count + 1);
        assert_non_null(s->xyz[i]);
        meshes[i] = (peer_mesh){s->xyz[i], body->vertex_count, body->indices, body->triangle_count,
                                body->self};
    }
    s->meshes = meshes;
    show_frame(s, 0);
}

static void close_stage(stage *s)
{
    for (uint32_t i = 0; i < s->count; i++) free(s->xyz[i]);
    free(s->xyz);
    free((void *)s->meshes);
    scene_destroy(s->scene);
}

/* ---- what Willow says ---- */

typedef struct answer {
    peer_pair *items; /* sorted */
    size_t count;
} answer;

static int compare_numbers(uint32_t a, uint32_t b) { return (a > b) - (a < b); }

static int compare_pairs(const void *a, const void *b)
{
    const peer_pair *p = a, *q = b;
    int order = compare_numbers(p->body_a, q->body_a);
    if (order == 0) order = compare_numbers(p->body_b, q->body_b);
    if (order == 0) order = compare_numbers(p->tri_a, q->tri_a);
    return order != 0 ? order : compare_numbers(p->tri_b, q->tri_b);
}

static answer make_answer(size_t count)
{
    answer out = {calloc(count + 1, sizeof *out.items), 0};
    assert_non_null(out.items);
    return out;
}

static willow_world *make_world(const stage *s)
{
    willow_world *world = NULL;
    willow_world_def world_def = willow_world_def_default();
    assert_ok(willow_world_create(&world_def, &world));
    for (uint32_t i = 0; i < s->count; i++) {
        willow_body_def def = willow_body_def_default();
        willow_body_id id;
        def.mesh.positions = s->meshes[i].positions;
        def.mesh.vertex_count = s->meshes[i].vertex_count;
        def.mesh.indices = s->meshes[i].indices;
        def.mesh.triangle_count = s->meshes[i].triangle_count;
        def.self = s->meshes[i].self;
        assert_ok(willow_body_create(world, &def, &id));
    }
    assert_ok(willow_world_update(world, 0, NULL));
    return world;
}

static bool is_asked_for(const peer_pair *pair, peer_question question)
{
    return question != PEER_SELF || pair->body_a == pair->body_b;
}

/* By the same rule for neighbours as the peer. Willow's results are sorted (C3). */
static answer ask_willow(const stage *s, peer_question question, const peer_def *def)
{
    willow_world *world = make_world(s);
    willow_scratch *scratch = NULL;
    willow_pairs pairs;
    willow_query_options options = willow_query_options_default();
    options.skip_neighbours = !def->decides_neighbours;
    assert_ok(willow_scratch_create(world, &scratch));
    assert_ok(willow_find_pairs(world, scratch, &options, &pairs));
    answer out = make_answer(pairs.count);
    for (size_t r = 0; r < pairs.run_count; r++) {
        const willow_pair_run *run = &pairs.runs[r];
        for (size_t i = run->first; i < run->first + run->count; i++) {
            peer_pair pair = {run->body_a.index1 - 1, run->body_b.index1 - 1, pairs.items[i].tri_a,
                              pairs.items[i].tri_b};
            if (is_asked_for(&pair, question)) out.items[out.count++] = pair;
        }
    }
    willow_scratch_destroy(scratch);
    willow_world_destroy(world);
    return out;
}

/* ---- what a peer says ---- */

static answer ask_peer(const peer_def *def, void *peer, peer_question question)
{
    peer_pairs pairs;
    assert_true(def->query(peer, question, &pairs));
    answer out = make_answer(pairs.count);
    for (; out.count < pairs.count; out.count++) out.items[out.count] = pairs.items[out.count];
    qsort(out.items, out.count, sizeof *out.items, compare_pairs);
    return out;
}

typedef struct tally {
    size_t found, lost, extra;
} tally;

static void report_extra(const peer_def *def, const peer_pair *pair)
{
    print_message("%s: no pair, or twice: body %u triangle %u, body %u triangle %u\n", def->name,
                  pair->body_a, pair->tri_a, pair->body_b, pair->tri_b);
}

static void compare(const peer_def *def, const answer *wanted, const answer *got, tally *t)
{
    size_t i = 0, j = 0;
    while (i < wanted->count || j < got->count) {
        int order = i == wanted->count ? 1
                    : j == got->count  ? -1
                                       : compare_pairs(&wanted->items[i], &got->items[j]);
        if (order > 0 && t->extra < 5) report_extra(def, &got->items[j]);
        t->found += order == 0;
        t->lost += order < 0;
        t->extra += order > 0;
        i += order <= 0;
        j += order >= 0;
    }
}

static bool has_self(const stage *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->meshes[i].self) return true;
    }
    return false;
}

static bool can_answer(const peer_def *def, const stage *s, peer_question question)
{
    return peer_lacks(def, question, s->count, has_self(s)) == NULL;
}

/* One of all pairs, or none if there are none. */
static void check_first(const peer_def *def, void *peer, const answer *all)
{
    answer first = ask_peer(def, peer, PEER_FIRST);
    assert_int_equal(first.count, all->count > 0);
    if (first.count > 0) {
        assert_non_null(
            bsearch(first.items, all->items, all->count, sizeof *all->items, compare_pairs));
    }
    free(first.items);
}

static void ask(const peer_def *def, void *peer, const stage *s, peer_question question, tally *t)
{
    if (!can_answer(def, s, question)) return;
    answer wanted = ask_willow(s, question, def), got = ask_peer(def, peer, question);
    compare(def, &wanted, &got, t);
    if (question == PEER_PAIRS) check_first(def, peer, &got);
    free(wanted.items);
    free(got.items);
}

/* All questions of one frame. */
static void ask_all(const peer_def *def, void *peer, const stage *s, tally *t)
{
    ask(def, peer, s, PEER_PAIRS, t);
    ask(def, peer, s, PEER_SELF, t);
}

/* ---- the peers, one after the other ---- */

static tally run_peer(const peer_def *def, stage *s, uint32_t first, uint32_t step)
{
    tally t = {0};
    show_frame(s, first);
    void *peer = def->create(s->meshes, s->count);
    assert_non_null(peer);
    ask_all(def, peer, s, &t);
    for (uint32_t frame = first + step; frame < s->scene->frame_count; frame += step) {
        show_frame(s, frame);
        assert_true(def->update(peer));
        ask_all(def, peer, s, &t);
    }
    assert_true(def->bytes(peer) > 0);
    def->destroy(peer);
    return t;
}

static void run_peers(const char *spec, uint32_t first, uint32_t step)
{
    stage s;
    open_stage(&s, spec);
    for (const peer_def *const *peer = peer_list; *peer != NULL; peer++) {
        bool is_within = has_self(&s) && can_answer(*peer, &s, PEER_SELF);
        if (!is_within && !can_answer(*peer, &s, PEER_PAIRS)) continue;
        tally t = run_peer(*peer, &s, first, step);
        print_message("%s: %s finds %zu pairs, loses %zu, invents %zu\n", spec, (*peer)->name,
                      t.found, t.lost, t.extra);
        assert_int_equal(t.extra, 0);
        assert_true((*peer)->loses || t.lost == 0);
        assert_true(t.found + t.lost > 0);
    }
    close_stage(&s);
}

/* Frames from the first one on, so many apart: where they are far apart, leaves end up far from
 * where they were built. */
static const struct {
    const char *spec;
    uint32_t first, step;
} scenes[] = {
    {"bumpy:triangles=1280", 60, 9},       {"many:triangles=320,bodies=8", 0, 25},
    {"tablecloth:triangles=2000", 50, 10}, {"selfcloth:triangles=2000", 40, 20},
    {"soup:triangles=60,bodies=3", 0, 7},  {"soup:triangles=60,bodies=1,variant=strips", 0, 7},
    {"stir:triangles=800", 0, 60},
};

static void peers_find_the_pairs_of_every_scene(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++)
        run_peers(scenes[i].spec, scenes[i].first, scenes[i].step);
}

/* ---- meshes that fold, or are hardly a mesh ---- */

/* One body, and how many pairs it has with neighbours and without them. */
typedef struct small_mesh {
    const char *name;
    float xyz[8][3];
    uint32_t tris[5][3];
    uint32_t triangle_count;
    size_t with, without;
} small_mesh;

static const small_mesh small_meshes[] = {
    TEST_ROW("an edge, flat", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}}, {{0, 1, 2}, {1, 0, 3}},
             2, 0, 0),
    TEST_ROW("an edge, folded together", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {.5f, .5f, 0}},
             {{0, 1, 2}, {1, 0, 3}}, 2, 1, 0),
    TEST_ROW("an edge that both run along in one direction",
             {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {.5f, .5f, .01f}, {.5f, .5f, 0}},
             {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}}, 3, 1, 0),
    TEST_ROW("a vertex, the triangles apart",
             {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}}, {{0, 1, 2}, {0, 3, 4}}, 2,
             0, 0),
    TEST_ROW("a vertex, one through the other",
             {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {.5f, .5f, -1}, {.5f, .5f, 1}},
             {{0, 1, 2}, {0, 3, 4}}, 2, 1, 0),
    TEST_ROW("a vertex, one in the other",
             {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, .5f, 0}, {.5f, 1, 0}}, {{0, 1, 2}, {0, 3, 4}}, 2,
             1, 0),
    TEST_ROW("copies, turned round and not", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
             {{0, 1, 2}, {0, 1, 2}, {2, 1, 0}}, 3, 3, 0),
    TEST_ROW("copies with vertices of their own",
             {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
             {{0, 1, 2}, {3, 4, 5}}, 2, 1, 1),
    TEST_ROW("a book of three pages, and a triangle through all of them",
             {{0, 0, -1},
              {0, 0, 1},
              {1, 0, 0},
              {1, .5f, 0},
              {1, 1, 0},
              {.5f, -1, 0},
              {.5f, 2, .01f},
              {.5f, 2, -.01f}},
             {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}, {5, 6, 7}}, 4, 3, 3),
    TEST_ROW("segments: through a triangle, away from it, and along an edge of it",
             {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {.25f, .25f, -1}, {.25f, .25f, 1}, {-1, -1, 0}},
             {{0, 1, 2}, {3, 4, 4}, {0, 5, 5}, {0, 1, 1}}, 4, 1, 1),
    TEST_ROW("a segment of three points that runs from a corner into a triangle",
             {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {.125f, .125f, 0}, {.25f, .25f, 0}},
             {{0, 1, 2}, {0, 3, 4}}, 2, 1, 0),
    TEST_ROW("points: in a triangle, at its corner, on each other",
             {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {.25f, .25f, 0}, {.25f, .25f, 0}},
             {{0, 1, 2}, {3, 3, 3}, {0, 0, 0}, {4, 4, 4}}, 4, 3, 3),
    TEST_ROW("fans at one vertex, one of them closed: Surface_mesh then makes edge 0 4 twice",
             {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 1}, {0, 0, 1}, {-1, -1, -1}, {-1, -2, -1}},
             {{0, 1, 2}, {0, 3, 4}, {0, 5, 6}, {6, 5, 0}, {0, 2, 4}}, 5, 1, 0),
};

static void check_small_mesh(const small_mesh *small, const peer_def *def)
{
    const peer_mesh mesh = {small->xyz[0], 8, small->tris[0], small->triangle_count, true};
    const stage s = {.meshes = &mesh, .count = 1};
    tally t = {0};
    void *made = def->create(&mesh, 1);
    assert_non_null(made);
    assert_true(def->update(made));
    ask_all(def, made, &s, &t);
    def->destroy(made);
    size_t wanted = 2 * (def->decides_neighbours ? small->with : small->without);
    if (t.lost + t.extra == 0 && t.found == wanted) return;
    fail_msg("%s, %s: finds %zu of %zu pairs, loses %zu, invents %zu", def->name, small->name,
             t.found, wanted, t.lost, t.extra);
}

static void small_meshes_that_fold_or_are_no_surface(void **state)
{
    (void)state;
    size_t count = sizeof small_meshes / sizeof small_meshes[0];
    for (const peer_def *const *peer = peer_list; *peer != NULL; peer++) {
        if (((*peer)->lacks & PEER_LACKS_SELF) != 0) continue;
        for (size_t i = 0; i < count; i++) check_small_mesh(&small_meshes[i], *peer);
    }
}

static tally run_zoo_mesh(const peer_def *def, zoo_mesh *zoo)
{
    enum { FRAMES = 4 };
    const peer_mesh mesh = {zoo->positions[0], zoo->vertex_count, zoo->tris[0], zoo->triangle_count,
                            true};
    const stage s = {.meshes = &mesh, .count = 1};
    tally t = {0};
    void *made = def->create(&mesh, 1);
    assert_non_null(made);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        zoo_mesh_move(zoo, frame, 0, zoo->vertex_count);
        assert_true(def->update(made));
        ask_all(def, made, &s, &t);
    }
    def->destroy(made);
    return t;
}

/* Some hundred meshes of all kinds; whoever decides neighbours must do so on all of them. */
static void every_mesh_of_the_zoo_has_the_same_neighbours(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {6, 24, 150};
    uint32_t deciding = 0;
    for (const peer_def *const *peer = peer_list; *peer != NULL; peer++) {
        if (!(*peer)->decides_neighbours) continue;
        tally all = {0};
        for (uint32_t i = 0; i < 8 * 3 * ZOO_KIND_COUNT; i++) {
            zoo_mesh zoo;
            zoo_mesh_create(&zoo, (zoo_kind)(i % ZOO_KIND_COUNT), sizes[i % 3], i);
            tally t = run_zoo_mesh(*peer, &zoo);
            if (t.lost + t.extra > 0) {
                fail_msg("%s, %u triangles, seed %u: loses %zu, invents %zu",
                         zoo_kind_name(zoo.kind), zoo.triangle_count, i, t.lost, t.extra);
            }
            all.found += t.found;
            zoo_mesh_destroy(&zoo);
        }
        print_message("%s finds %zu pairs\n", (*peer)->name, all.found);
        assert_true(all.found > 0);
        deciding++;
    }
    if (deciding == 0) skip();
}

static void a_body_without_triangles_and_one_with_one(void **state)
{
    (void)state;
    static const float flat[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const float upright[] = {.1f, .1f, -1, .1f, .2f, 1, .2f, .1f, 1};
    static const uint32_t indices[] = {0, 1, 2};
    const peer_mesh meshes[] = {{flat, 3, indices, 0, true},
                                {flat, 3, indices, 1, true},
                                {NULL, 0, NULL, 0, true},
                                {upright, 3, indices, 1, true}};
    for (const peer_def *const *peer = peer_list; *peer != NULL; peer++) {
        void *made = (*peer)->create(meshes, 4);
        assert_non_null(made);
        assert_true((*peer)->update(made));
        answer got = ask_peer(*peer, made, PEER_PAIRS);
        bool is_between = ((*peer)->lacks & PEER_LACKS_BETWEEN) == 0;
        assert_int_equal(got.count, is_between);
        if (is_between) assert_true(got.items[0].body_a == 1 && got.items[0].body_b == 3);
        free(got.items);
        (*peer)->destroy(made);
    }
}

/* ---- the list ---- */

static void every_peer_explains_itself_and_is_found_by_name(void **state)
{
    (void)state;
    for (const peer_def *const *peer = peer_list; *peer != NULL; peer++) {
        assert_int_equal(strncmp((*peer)->name, "peer:", 5), 0);
        assert_ptr_equal(peer_find((*peer)->name), *peer);
        assert_true(strlen((*peer)->summary) > 0);
        bool is_ours = strcmp((*peer)->name, "peer:plain") == 0;
        assert_true(((*peer)->version == NULL) == is_ours);
        assert_true(is_ours || strchr((*peer)->version, '.') != NULL);
    }
    assert_null(peer_find("peer:none"));
}

static void a_peer_says_what_it_cannot_answer(void **state)
{
    (void)state;
    const peer_def all = {.lacks = 0}, no_self = {.lacks = PEER_LACKS_SELF},
                   no_pairs = {.lacks = PEER_LACKS_BETWEEN};
    assert_null(peer_lacks(&all, PEER_PAIRS, 2, true));
    assert_non_null(peer_lacks(&no_self, PEER_PAIRS, 2, true));
    assert_non_null(peer_lacks(&no_self, PEER_SELF, 2, true));
    assert_null(peer_lacks(&no_self, PEER_FIRST, 2, false));
    assert_non_null(peer_lacks(&no_pairs, PEER_PAIRS, 2, true));
    assert_non_null(peer_lacks(&no_pairs, PEER_FIRST, 2, false));
    assert_null(peer_lacks(&no_pairs, PEER_SELF, 2, true));
    assert_null(peer_lacks(&no_pairs, PEER_PAIRS, 1, true));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(peers_find_the_pairs_of_every_scene),
    cmocka_unit_test(small_meshes_that_fold_or_are_no_surface),
    cmocka_unit_test(every_mesh_of_the_zoo_has_the_same_neighbours),
    cmocka_unit_test(a_body_without_triangles_and_one_with_one),
    cmocka_unit_test(every_peer_explains_itself_and_is_found_by_name),
    cmocka_unit_test(a_peer_says_what_it_cannot_answer),
};

TEST_GROUP(peers, tests);
