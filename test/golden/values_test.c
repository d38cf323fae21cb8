/* Everything that the library computes and counts for some scenes, in lines that were written down
 * once (values.txt): answers, the reports of updates, the counts of queries, the trees, watches,
 * and bytes. All methods and settings, kernels and numbers of workers have to come to the same
 * lines. With --write they are written anew; golden_file.h says how they are compared. */
#include "golden/tally.h"
#include "support/fixture.h"
#include "support/test.h"

/* ---- scenes ---- */

static const struct {
    const char *scene;
    stage_play play; /* motion, steps, first frame, step, count */
    bool is_watched;
} scenes[] = {
    {"bumpy:triangles=1280", {STAGE_COPIED, false, 95, 3, 5}, true},
    {"bumpy:triangles=320", {STAGE_COPIED, true, 95, 3, 4}, false},
    {"stir:triangles=600", {STAGE_COPIED, false, 0, 12, 5}, false},
    {"soup:triangles=100,bodies=3", {STAGE_PARTIAL, true, 0, 1, 4}, false},
    {"tablecloth:triangles=512", {STAGE_PARTIAL, false, 20, 2, 4}, true},
    {"many:triangles=320,bodies=8,variant=arms", {STAGE_BORROWED, false, 90, 10, 4}, false},
    {"twist:triangles=200,bodies=4", {STAGE_BORROWED, true, 60, 5, 4}, false},
    {"tumble:triangles=320", {STAGE_POSED, true, 110, 7, 5}, true},
    {"converge:triangles=320,bodies=4", {STAGE_FLIGHT, true, 120, 3, 6}, false},
    {"bumpy:triangles=320,seed=7", {STAGE_FLIGHT, false, 75, 4, 8}, true},
    {"avatar:triangles=1000", {STAGE_PLANS, false, 60, 5, 5}, false},
    {"selfcloth:triangles=800", {STAGE_PLANS, true, 45, 3, 5}, true},
    {"spheres:triangles=320", {STAGE_PLANS, true, 96, 1, 7}, true},
    {"dolphins:triangles=564,bodies=4", {STAGE_MORPHS, false, 150, 20, 5}, true},
    {"morphing:triangles=320", {STAGE_MORPHS, true, 150, 10, 5}, false},
    {"faces:triangles=320", {STAGE_MORPHS, true, 50, 10, 4}, false},
    {"bumpy:triangles=320,seed=3", {STAGE_USER, true, 90, 1, 5}, true},
};

enum { SCENES = sizeof scenes / sizeof scenes[0], BRUTE_TRIANGLES = 900 };

/* ---- settings ---- */

/* Every method has these: X(name, what is set) */
#define SHAPES(X)                                                                                  \
    X("8", (void)tree)                                                                             \
    X("2 leaf=1", (tree->arity = 2, tree->leaf_triangles = 1))                                     \
    X("4 margin", (tree->arity = 4, tree->margin = 0.02F))

/* Only for motions that know paths, or morphs. */
enum { ANY, FLYING, MORPHING };

static bool suits(int who, stage_motion motion)
{
    if (who == FLYING) return motion == STAGE_FLIGHT || motion == STAGE_PLANS;
    if (who == MORPHING) return motion == STAGE_MORPHS;
    return true;
}

/* X(method, whose, name, what is set) */
#define EXTRAS(X)                                                                                  \
    X(BOTTOM_UP, ANY, "midpoint", tree->build = WILLOW_BUILD_MIDPOINT)                             \
    X(BOTTOM_UP, ANY, "mean", tree->build = WILLOW_BUILD_MEAN)                                     \
    X(BOTTOM_UP, ANY, "median", tree->build = WILLOW_BUILD_MEDIAN)                                 \
    X(BOTTOM_UP, ANY, "connectivity", tree->build = WILLOW_BUILD_CONNECTIVITY)                     \
    X(BOTTOM_UP, ANY, "sah", tree->build = WILLOW_BUILD_SAH)                                       \
    X(BOTTOM_UP, ANY, "ratio=1", tree->rebuild_ratio = 1.0F)                                       \
    X(AUTO, ANY, "ratio=1", tree->rebuild_ratio = 1.0F)                                            \
    X(HYBRID, ANY, "level=1", tree->hybrid_level = 1)                                              \
    X(HYBRID, ANY, "level=all", tree->hybrid_level = UINT32_MAX)                                   \
    X(KINETIC_AABB, FLYING, "batch", tree->events = WILLOW_EVENTS_BATCH)                           \
    X(KINETIC_AABB, FLYING, "stream", tree->events = WILLOW_EVENTS_STREAM)                         \
    X(KINETIC_AABB, FLYING, "search",                                                              \
      (tree->events = WILLOW_EVENTS_STREAM, tree->search_keyframes = true))                        \
    X(KINETIC_AABB, FLYING, "batch 2", (tree->events = WILLOW_EVENTS_BATCH, tree->arity = 2))      \
    X(KINETIC_BOXTREE, FLYING, "stream", tree->events = WILLOW_EVENTS_STREAM)                      \
    X(KINETIC_BOXTREE, FLYING, "exact", tree->exact_events = true)                                 \
    X(BLEND, MORPHING, "kdop18", tree->volume = WILLOW_VOLUME_KDOP18)                              \
    X(BLEND, MORPHING, "sphere", tree->volume = WILLOW_VOLUME_SPHERE)                              \
    X(BLEND, MORPHING, "base", tree->reference = WILLOW_REFERENCE_BASE)                            \
    X(BLEND, MORPHING, "target",                                                                   \
      (tree->reference = WILLOW_REFERENCE_TARGET, tree->reference_target = 1))                     \
    X(BLEND, MORPHING, "best", tree->reference = WILLOW_REFERENCE_BEST)                            \
    X(BLEND, MORPHING, "both", tree->blend_both = true)                                            \
    X(BLEND, MORPHING, "between", tree->in_between = 3)

/* Does what row number `row` of a table says. */
static void set_shape(willow_tree_def *tree, uint32_t row)
{
    uint32_t at = 0;
#define SHAPE_ENTRY(name, set)                                                                     \
    if (at++ == row) set;
    SHAPES(SHAPE_ENTRY)
#undef SHAPE_ENTRY
}

static void set_extra(willow_tree_def *tree, uint32_t row)
{
    uint32_t at = 0;
#define EXTRA_ENTRY(method, whose, name, set)                                                      \
    if (at++ == row) set;
    EXTRAS(EXTRA_ENTRY)
#undef EXTRA_ENTRY
}

static const char *const shape_names[] = {
#define SHAPE_ENTRY(name, set) name,
    SHAPES(SHAPE_ENTRY)
#undef SHAPE_ENTRY
};

static const struct {
    willow_method method;
    int whose;
    const char *name;
} extras[] = {
#define EXTRA_ENTRY(method, whose, name, set) {WILLOW_METHOD_##method, whose, name},
    EXTRAS(EXTRA_ENTRY)
#undef EXTRA_ENTRY
};

enum {
    SHAPE_COUNT = sizeof shape_names / sizeof shape_names[0],
    EXTRA_COUNT = sizeof extras / sizeof extras[0],
    SETTINGS = WILLOW_METHOD_COUNT * SHAPE_COUNT + EXTRA_COUNT
};

/* False if the setting means nothing to the motion. */
static bool make_setting(uint32_t number, stage_motion motion, willow_tree_def *tree, char *name,
                         size_t name_size)
{
    const uint32_t shaped = WILLOW_METHOD_COUNT * SHAPE_COUNT;
    *tree = willow_tree_def_default();
    if (number < shaped) {
        tree->method = (willow_method)(number / SHAPE_COUNT);
        /* What it grows may depend on the number of threads: the one exception to C10. */
        if (tree->method == WILLOW_METHOD_SPHERE) return false;
        set_shape(tree, number % SHAPE_COUNT);
    } else {
        tree->method = extras[number - shaped].method;
        set_extra(tree, number - shaped);
        if (!suits(extras[number - shaped].whose, motion)) return false;
    }
    snprintf(name, name_size, "%s %s", willow_method_name(tree->method),
             number < shaped ? shape_names[number % SHAPE_COUNT] : extras[number - shaped].name);
    return true;
}

/* ---- all of them ---- */

/* The worlds in which all is played. */
static const struct {
    willow_kernel kernel;
    uint32_t threads;
} ways[] = {{WILLOW_KERNEL_AUTO, 1}, {WILLOW_KERNEL_SCALAR, 4}};

/* BRUTE takes long and has no tree: once, in small scenes. In the second world every second setting
 * is enough, since the ways of both are the same. */
static bool is_played(const scene *s, uint32_t setting, const tally_case *c)
{
    if (c->setup.tree.method == WILLOW_METHOD_BRUTE)
        return setting % SHAPE_COUNT == 0 && c->setup.threads == 1 &&
               scene_triangle_total(s) <= BRUTE_TRIANGLES;
    return c->setup.threads == 1 || (setting + s->body_count) % 2 == 0;
}

static void play_settings(golden_file *file, const scene *s, bool is_watched, tally_case c)
{
    char setting[60];
    c.setting = setting;
    for (uint32_t i = 0; i < SETTINGS; i++) {
        if (!make_setting(i, c.play.motion, &c.setup.tree, setting, sizeof setting)) continue;
        if (!is_played(s, i, &c)) continue;
        tally_play(file, s, &c);
        if (is_watched && i % SHAPE_COUNT == 0) tally_watch(file, s, &c);
    }
}

static void play_scene(golden_file *file, uint32_t number)
{
    char name[200];
    const stage_play *play = &scenes[number].play;
    scene *s = fixture_scene(scenes[number].scene);
    snprintf(name, sizeof name, "%s %s%s", scenes[number].scene, stage_motion_name(play->motion),
             play->has_steps ? " steps" : "");
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        tally_case c = {.name = name, .play = *play};
        c.setup.kernel = ways[i].kernel;
        c.setup.threads = ways[i].threads;
        play_settings(file, s, scenes[number].is_watched, c);
    }
    scene_destroy(s);
}

static bool writes; /* --write */

static void all_values_are_those_that_were_written_down(void **state)
{
    (void)state;
    golden_file file;
    golden_open(&file, TALLY_SECTIONS, writes);
    for (uint32_t i = 0; i < SCENES; i++) play_scene(&file, i);
    const size_t differences = golden_close(&file);
    if (differences > 0) fail_msg("%zu lines differ from values.txt", differences);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_values_are_those_that_were_written_down),
    };
    writes = argc > 1 && strcmp(argv[1], "--write") == 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
