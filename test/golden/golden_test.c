/* The pairs of the scenes, as hashes that were written down once: every method, setting, builder,
 * kernel and number of threads finds them, by vertices, copied or borrowed, and by poses, today and
 * after every change, with any compiler (C10). They are lines of values.txt and what the rational
 * oracle says, which shares nothing with the library; a change of them is a change of the answers,
 * or of a scene. With --write the oracle's are written. */
#include <stdlib.h>
#include "base/hash.h"
#include "base/kernel.h"
#include "scenes/scenes.h"
#include "support/fixture.h"
#include "support/golden_file.h"
#include "support/rational_tri.h"
#include "support/test.h"
#include "support/zoo_world.h"

enum { MAX_FRAMES = 8, MAX_BODIES = 16 };

typedef struct golden {
    const char *scene;
    uint32_t frames[MAX_FRAMES];
    uint32_t frame_count;
    size_t pairs;  /* of all these frames: from values.txt */
    uint64_t hash; /* likewise */
} golden;

/* In an order of their own, which settings take turns by. */
static golden goldens[] = {
    {.scene = "bumpy:triangles=1280", .frames = {60, 90, 130, 199}, .frame_count = 4},
    {.scene = "bumpy:triangles=320,seed=7", .frames = {75, 100, 125, 199}, .frame_count = 4},
    {.scene = "soup:triangles=150,bodies=4", .frames = {0, 1, 2, 11, 39}, .frame_count = 5},
    {.scene = "soup:triangles=150,bodies=3,variant=strips", .frames = {0, 5, 20}, .frame_count = 3},
    {.scene = "many:triangles=320,bodies=8", .frames = {20, 120}, .frame_count = 2},
    {.scene = "many:triangles=320,bodies=8,variant=arms", .frames = {90, 140}, .frame_count = 2},
    {.scene = "many:triangles=320,bodies=8,variant=rigid", .frames = {60, 199}, .frame_count = 2},
    {.scene = "converge:triangles=320,bodies=4", .frames = {120, 199}, .frame_count = 2},
    {.scene = "tumble:triangles=320", .frames = {110, 130, 145}, .frame_count = 3},
    {.scene = "tablecloth:triangles=512", .frames = {20, 60}, .frame_count = 2},
    {.scene = "selfcloth:triangles=800", .frames = {45, 90}, .frame_count = 2},
    {.scene = "stir:triangles=600", .frames = {0, 199}, .frame_count = 2},
    {.scene = "twist:triangles=200,bodies=4", .frames = {60, 199}, .frame_count = 2},
    {.scene = "spheres:triangles=1280", .frames = {98, 103}, .frame_count = 2},
    {.scene = "morphing:triangles=320", .frames = {150, 220}, .frame_count = 2},
    {.scene = "dolphins:triangles=564,bodies=4", .frames = {150, 350}, .frame_count = 2},
    {.scene = "faces:triangles=320", .frames = {50, 150}, .frame_count = 2},
    {.scene = "avatar:triangles=1000", .frames = {60, 95}, .frame_count = 2},
    {.scene = "avatar:triangles=1000,variant=dress,inbetween=2",
     .frames = {25, 40},
     .frame_count = 2},
    {.scene = "rollers:triangles=800", .frames = {11}, .frame_count = 1},
    {.scene = "degenerate", .frames = {0, 1, 2, 3, 4, 5, 6, 7}, .frame_count = 8},
};

enum { GOLDENS = sizeof goldens / sizeof goldens[0] };

/* ---- what was written down ---- */

static bool writes; /* --write */

static void print_key(const golden *g, char *key, size_t size)
{
    snprintf(key, size, "oracle %s", g->scene);
}

static void read_values(const golden_file *file, golden *g)
{
    char key[300];
    unsigned long long hash = 0;
    print_key(g, key, sizeof key);
    const char *values = golden_find(file, key);
    if (values == NULL || sscanf(values, "pairs %zu %llX", &g->pairs, &hash) != 2)
        fail_msg("%s: no values", key);
    g->hash = hash;
}

static void read_all_values(void)
{
    golden_file file;
    golden_open(&file, "", false);
    for (int i = 0; i < GOLDENS; i++) read_values(&file, &goldens[i]);
    golden_close(&file);
}

/* ---- every way ---- */

/* One of the many ways to the same pairs. */
typedef struct way {
    willow_kernel kernel;
    willow_tree_def tree;
    willow_descend descend;
    uint32_t threads;
    bool by_poses; /* rigid bodies are moved by their poses */
    bool borrows;  /* the world reads the positions where they are */
} way;

/* A scene with the bodies of its own in a world. */
typedef struct player {
    const scene *scene;
    way way;
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id bodies[MAX_BODIES];
    float *positions[MAX_BODIES];
} player;

static scene *make_scene(const char *spec)
{
    scene *s = fixture_scene(spec);
    assert_true(s->body_count <= MAX_BODIES);
    return s;
}

static bool is_posed(const player *p, uint32_t body)
{
    return p->way.by_poses && p->scene->bodies[body].is_rigid;
}

static void add_body(player *p, uint32_t i)
{
    const scene_body *from = &p->scene->bodies[i];
    willow_body_def body = willow_body_def_default();
    p->positions[i] = calloc(3 * (size_t)from->vertex_count + 1, sizeof *p->positions[i]);
    if (is_posed(p, i))
        scene_rest(p->scene, i, p->positions[i]);
    else
        scene_positions(p->scene, 0, i, p->positions[i]);
    body.mesh = (willow_mesh_def){.positions = p->positions[i],
                                  .vertex_count = from->vertex_count,
                                  .indices = from->indices,
                                  .triangle_count = from->triangle_count,
                                  .borrow = p->way.borrows};
    body.self = from->self;
    body.tree = p->way.tree;
    p->bodies[i] = fixture_body(p->world, &body);
}

static void open_player(player *p, const scene *s, const way *w)
{
    *p = (player){.scene = s, .way = *w};
    willow_world_def def = willow_world_def_default();
    def.kernel = w->kernel;
    def.thread_count = w->threads;
    p->world = fixture_world(&def);
    for (uint32_t i = 0; i < p->scene->body_count; i++) add_body(p, i);
    p->scratch = fixture_scratch(p->world);
}

static void close_player(player *p)
{
    fixture_close(p->world, p->scratch);
    for (uint32_t i = 0; i < p->scene->body_count; i++) free(p->positions[i]);
}

static willow_result move_body(player *p, uint32_t i, uint32_t frame)
{
    if (is_posed(p, i)) {
        willow_pose pose;
        scene_pose(p->scene, frame, i, &pose);
        return willow_body_set_pose(p->world, p->bodies[i], &pose);
    }
    willow_result result =
        p->way.borrows ? willow_body_begin_vertices(p->world, p->bodies[i]) : WILLOW_OK;
    scene_positions(p->scene, frame, i, p->positions[i]);
    if (p->way.borrows) return result;
    return willow_body_set_vertices(p->world, p->bodies[i], 0, p->scene->bodies[i].vertex_count,
                                    p->positions[i], 0);
}

static void go_to_frame(player *p, uint32_t frame)
{
    for (uint32_t i = 0; i < p->scene->body_count; i++) assert_ok(move_body(p, i, frame));
    assert_ok(willow_world_update(p->world, frame, NULL));
}

/* The pairs of all frames, found in one way. */
static golden play(const golden *g, const scene *s, const way *w)
{
    golden found = {.scene = g->scene, .hash = WI_HASH_START};
    willow_query_options options = willow_query_options_default();
    player p;
    options.use_threads = w->threads > 1;
    options.descend = w->descend;
    open_player(&p, s, w);
    for (uint32_t i = 0; i < g->frame_count; i++) {
        willow_pairs pairs;
        go_to_frame(&p, g->frames[i]);
        assert_ok(willow_find_pairs(p.world, p.scratch, &options, &pairs));
        found.pairs += pairs.count;
        found.hash = wi_hash_u64(found.hash, willow_pairs_hash(&pairs));
    }
    close_player(&p);
    return found;
}

static void check_golden(const golden *g, const scene *s, const way *w)
{
    golden found = play(g, s, w);
    if (found.pairs == g->pairs && found.hash == g->hash) return;
    fail_msg("%s with %s, level %u, %s, %s, descend %d, %u threads, by %s, %s: %zu pairs, hash "
             "0x%016llX",
             g->scene, willow_method_name(w->tree.method), w->tree.hybrid_level,
             willow_build_name(w->tree.build), willow_kernel_name(w->kernel), (int)w->descend,
             w->threads, w->by_poses ? "poses" : "vertices", w->borrows ? "borrowed" : "copied",
             found.pairs, (unsigned long long)found.hash);
}

/* Builders, settings and ways to descend take turns with the number of threads, and so all meet
 * all. Leaves are smaller than usual by turns, for trees with some levels. */
static bool next_way(way *w, willow_method method, size_t turn)
{
    w->tree = zoo_tree(method, 2U << (turn / 3 % 3), turn / 4 % 2 == 0 ? 0 : 2);
    zoo_tree_vary(&w->tree, turn);
    w->descend = (willow_descend)(turn / 2 % WILLOW_DESCEND_COUNT);
    w->by_poses = turn % 2 == 0;
    w->borrows = turn % 7 < 3;
    /* Workers do not share one pair of bodies of BRUTE, which takes long; AUTO is one of the
     * others. */
    return method > WILLOW_METHOD_BRUTE || w->threads % 2 == 1;
}

static void every_way_finds_the_pairs_that_were_written_down(void **state)
{
    (void)state;
    read_all_values();
    for (int i = 0; i < GOLDENS; i++) {
        scene *s = make_scene(goldens[i].scene);
        size_t ways = 0;
        for (willow_kernel kernel = WILLOW_KERNEL_SCALAR; kernel < WILLOW_KERNEL_COUNT; kernel++) {
            if (wi_kernel_choose(kernel) != kernel) continue;
            for (willow_method method = WILLOW_METHOD_AUTO; method < WILLOW_METHOD_COUNT; method++)
                for (uint32_t threads = 1; threads <= 5; threads++) {
                    way w = {.kernel = kernel, .threads = threads};
                    if (!next_way(&w, method, ways + (size_t)i)) continue;
                    check_golden(&goldens[i], s, &w);
                    ways++;
                }
        }
        print_message("%-45s %zu ways, %zu pairs found\n", goldens[i].scene, ways,
                      goldens[i].pairs);
        assert_true(goldens[i].pairs > 0);
        scene_destroy(s);
    }
}

/* ---- the oracle ---- */

typedef struct oracle {
    const scene *scene;
    float *positions[MAX_BODIES];
    size_t pairs, asked;
    uint64_t hash; /* of a frame, made as willow_pairs_hash makes it */
} oracle;

static void copy_tri(const oracle *o, uint32_t body, uint32_t tri, float out[3][3])
{
    const uint32_t *indices = o->scene->bodies[body].indices + 3 * (size_t)tri;
    for (int i = 0; i < 3; i++)
        memcpy(out[i], o->positions[body] + 3 * (size_t)indices[i], sizeof out[i]);
}

/* Apart along an axis: not worth a question. */
static bool are_apart(const float a[3][3], const float b[3][3])
{
    for (int axis = 0; axis < 3; axis++) {
        bool a_below = true, b_below = true;
        for (int i = 0; i < 9; i++) {
            a_below = a_below && a[i / 3][axis] < b[i % 3][axis];
            b_below = b_below && b[i / 3][axis] < a[i % 3][axis];
        }
        if (a_below || b_below) return true;
    }
    return false;
}

static void ask_about_bodies(oracle *o, uint32_t a, uint32_t b)
{
    const scene_body *bodies = o->scene->bodies;
    uint64_t hash = wi_hash_u64(o->hash, (uint64_t)(a + 1) << 32 | (b + 1));
    size_t before = o->pairs;
    for (uint32_t s = 0; s < bodies[a].triangle_count; s++)
        for (uint32_t t = a == b ? s + 1 : 0; t < bodies[b].triangle_count; t++) {
            float x[3][3], y[3][3];
            copy_tri(o, a, s, x);
            copy_tri(o, b, t, y);
            if (are_apart((const float(*)[3])x, (const float(*)[3])y)) continue;
            o->asked++;
            bool is_pair =
                a == b ? rational_tris_pair((const float(*)[3])x, bodies[a].indices + 3 * (size_t)s,
                                            (const float(*)[3])y, bodies[b].indices + 3 * (size_t)t)
                       : rational_tris_meet((const float(*)[3])x, (const float(*)[3])y);
            if (!is_pair) continue;
            hash = wi_hash_u64(hash, (uint64_t)s << 32 | t);
            o->pairs++;
        }
    if (o->pairs > before) o->hash = hash; /* there are no empty runs */
}

static void ask_about_frame(oracle *o, uint32_t frame)
{
    uint32_t count = o->scene->body_count;
    o->hash = WI_HASH_START;
    for (uint32_t i = 0; i < count; i++) {
        size_t vertices = o->scene->bodies[i].vertex_count;
        o->positions[i] = calloc(3 * vertices + 1, sizeof *o->positions[i]);
        scene_positions(o->scene, frame, i, o->positions[i]);
    }
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = a; b < count; b++)
            if (a != b || o->scene->bodies[a].self) ask_about_bodies(o, a, b);
    for (uint32_t i = 0; i < count; i++) free(o->positions[i]);
}

static golden ask_about_scene(const golden *g)
{
    scene *s = make_scene(g->scene);
    oracle o = {.scene = s};
    golden found = {.scene = g->scene, .hash = WI_HASH_START};
    for (uint32_t i = 0; i < g->frame_count; i++) {
        ask_about_frame(&o, g->frames[i]);
        found.hash = wi_hash_u64(found.hash, o.hash);
    }
    print_message("%-45s %zu questions, %zu pairs found\n", g->scene, o.asked, o.pairs);
    assert_true(o.pairs > 0);
    found.pairs = o.pairs;
    scene_destroy(s);
    return found;
}

static void what_was_written_down_is_what_the_rational_oracle_says(void **state)
{
    (void)state;
    golden_file file;
    golden_open(&file, "oracle", writes);
    for (int i = 0; i < GOLDENS; i++) {
        char key[300], values[100];
        const golden found = ask_about_scene(&goldens[i]);
        print_key(&goldens[i], key, sizeof key);
        snprintf(values, sizeof values, "pairs %zu %016llX", found.pairs,
                 (unsigned long long)found.hash);
        golden_value(&file, key, values);
    }
    if (golden_close(&file) > 0) fail_msg("values.txt says something else");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_down_is_what_the_rational_oracle_says),
        cmocka_unit_test(every_way_finds_the_pairs_that_were_written_down),
    };
    writes = argc > 1 && strcmp(argv[1], "--write") == 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
