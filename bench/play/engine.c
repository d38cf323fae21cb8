/* engine.c - --threads, --kernel, --method and --set, for every command that takes them. */
#include "bench/play/engine.h"
#include "bench/common/complain.h"
#include "bench/common/numbers.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEAF_TRIANGLES_MAX = 32, IN_BETWEEN_MAX = 15 };

#define ENGINE_WORD(name, words, what) words,
const char *const engine_methods[] = {WILLOW_METHODS(ENGINE_WORD) NULL};
const char *const engine_builds[] = {WILLOW_BUILDS(ENGINE_WORD) NULL};
const char *const engine_kernels[] = {WILLOW_KERNELS(ENGINE_WORD) NULL};
const char *const engine_broads[] = {WILLOW_BROADS(ENGINE_WORD) NULL};
const char *const engine_descends[] = {WILLOW_DESCENDS(ENGINE_WORD) NULL};
const char *const engine_pose_words[] = {ENGINE_POSES(ENGINE_WORD) NULL};
const char *const engine_events[] = {WILLOW_EVENTS(ENGINE_WORD) NULL};
const char *const engine_watches[] = {"off", WILLOW_WATCHES(ENGINE_WORD) NULL};
const char *const engine_references[] = {WILLOW_REFERENCES(ENGINE_WORD) NULL};
const char *const engine_volumes[] = {WILLOW_VOLUMES(ENGINE_WORD) NULL};
#undef ENGINE_WORD

engine_options engine_options_default(void)
{
    return (engine_options){.threads = 1, .tree = willow_tree_def_default()};
}

int engine_take_threads(engine_options *e, const char *command_name, const char *text)
{
    uint32_t threads;
    if (!parse_count(text, 0, WILLOW_MAX_THREADS, &threads)) {
        if (is_count(text)) {
            return complain_usage(command_name, "--threads %s is out of range: it is 0 to %d", text,
                                  WILLOW_MAX_THREADS);
        }
        return complain_usage(command_name, "--threads %s: a number up to %d is needed; 0 is 1",
                              text, WILLOW_MAX_THREADS);
    }
    e->threads = threads > 0 ? threads : 1;
    return EXIT_FINE;
}

int engine_take_kernel(engine_options *e, const char *command_name, const char *text)
{
    if (willow_kernel_from_name(text, &e->kernel)) return EXIT_FINE;
    return complain_unknown(command_name, guess_from(text, engine_kernels),
                            "there are auto, scalar and avx2", "there is no kernel '%s'", text);
}

int engine_take_method(engine_options *e, const char *command_name, const char *text)
{
    if (willow_method_from_name(text, &e->tree.method)) return EXIT_FINE;
    return complain_unknown(command_name, guess_from(text, engine_methods),
                            "'willow info' lists them", "there is no method '%s'", text);
}

/* ---- --set ---- */

static bool set_arity(engine_options *e, const char *value)
{
    uint32_t arity;
    if (!parse_count(value, 0, 8, &arity) || arity % 2 != 0 || arity == 6) return false;
    e->tree.arity = arity;
    return true;
}

static bool set_leaf_triangles(engine_options *e, const char *value)
{
    return parse_count(value, 0, LEAF_TRIANGLES_MAX, &e->tree.leaf_triangles);
}

static bool set_hybrid_level(engine_options *e, const char *value)
{
    return parse_count(value, 0, UINT32_MAX, &e->tree.hybrid_level);
}

static bool set_margin(engine_options *e, const char *value)
{
    float margin;
    if (!parse_number(value, 0.0F, &margin) || isinf(margin)) return false;
    e->tree.margin = margin;
    return true;
}

static bool set_rebuild_ratio(engine_options *e, const char *value)
{
    float ratio;
    if (!parse_number(value, 0.0F, &ratio) || (ratio > 0.0F && ratio < 1.0F)) return false;
    e->tree.rebuild_ratio = ratio;
    return true;
}

static bool set_build(engine_options *e, const char *value)
{
    return willow_build_from_name(value, &e->tree.build);
}

/* The number of a word in a list, or -1. */
static int number_of(const char *const *words, const char *word)
{
    for (int i = 0; words[i] != NULL; i++) {
        if (strcmp(words[i], word) == 0) return i;
    }
    return -1;
}

static bool set_broad(engine_options *e, const char *value)
{
    int number = number_of(engine_broads, value);
    if (number >= 0) e->broad = (willow_broad)number;
    return number >= 0;
}

static bool set_descend(engine_options *e, const char *value)
{
    int number = number_of(engine_descends, value);
    if (number >= 0) e->descend = (willow_descend)number;
    return number >= 0;
}

static bool set_watch(engine_options *e, const char *value)
{
    e->has_watches = strcmp(value, "off") != 0;
    return !e->has_watches || willow_watch_kind_from_name(value, &e->watch);
}

static bool set_poses(engine_options *e, const char *value)
{
    int number = number_of(engine_pose_words, value);
    if (number < 0) return false;
    e->poses = (engine_poses)number;
    e->has_poses = true;
    return true;
}

static bool parse_flag(const char *value, bool *out)
{
    uint32_t number;
    if (!parse_count(value, 0, 1, &number)) return false;
    *out = number == 1;
    return true;
}

static bool set_events(engine_options *e, const char *value)
{
    return willow_events_from_name(value, &e->tree.events);
}

static bool set_search_keyframes(engine_options *e, const char *value)
{
    return parse_flag(value, &e->tree.search_keyframes);
}

static bool set_exact_events(engine_options *e, const char *value)
{
    return parse_flag(value, &e->tree.exact_events);
}

static bool set_keep_siblings(engine_options *e, const char *value)
{
    return parse_flag(value, &e->tree.keep_siblings);
}

static bool set_quality_limit(engine_options *e, const char *value)
{
    return parse_number(value, 0.0F, &e->tree.quality_limit);
}

static bool set_reference(engine_options *e, const char *value)
{
    return willow_reference_from_name(value, &e->tree.reference);
}

static bool set_reference_target(engine_options *e, const char *value)
{
    return parse_count(value, 0, UINT32_MAX, &e->tree.reference_target);
}

static bool set_blend_both(engine_options *e, const char *value)
{
    return parse_flag(value, &e->tree.blend_both);
}

static bool set_in_between(engine_options *e, const char *value)
{
    return parse_count(value, 0, IN_BETWEEN_MAX, &e->tree.in_between);
}

static bool set_volume(engine_options *e, const char *value)
{
    return willow_volume_from_name(value, &e->tree.volume);
}

static bool set_float_skins(engine_options *e, const char *value)
{
    return parse_flag(value, &e->float_skins);
}

static bool set_skip_neighbours(engine_options *e, const char *value)
{
    return parse_flag(value, &e->skip_neighbours);
}

static bool set_test_flat(engine_options *e, const char *value)
{
    return parse_flag(value, &e->test_flat);
}

static bool set_near_distance(engine_options *e, const char *value)
{
    return parse_real(value, 0.0, &e->near_distance);
}

static bool set_touch_distance(engine_options *e, const char *value)
{
    return parse_real(value, 0.0, &e->touch_distance);
}

static bool set_tolerance(engine_options *e, const char *value)
{
    double tolerance;
    if (!parse_real(value, 0.0, &tolerance) || tolerance > 1.0) return false;
    e->tolerance = tolerance;
    return true;
}

static bool set_max_iterations(engine_options *e, const char *value)
{
    return parse_count(value, 0, UINT32_MAX, &e->max_iterations);
}

static bool set_skip_close_at_rest(engine_options *e, const char *value)
{
    return parse_flag(value, &e->skip_close_at_rest);
}

static bool set_trees(engine_options *e, const char *value)
{
    return parse_count(value, 0, ENGINE_TREES_MAX, &e->trees);
}

static bool set_threads(engine_options *e, const char *value)
{
    return parse_count(value, 1, WILLOW_MAX_THREADS, &e->threads);
}

/* X(key, what it may be, its words or NULL) */
#define ENGINE_SET_KEYS(X)                                                                         \
    X(arity, "0 (the default: 8), 2, 4 or 8", NULL)                                                \
    X(leaf_triangles, "0 (the default) to 32", NULL)                                               \
    X(build, "one of those that 'willow info' lists", engine_builds)                               \
    X(hybrid_level, "0 (the default: half of the height) or a depth", NULL)                        \
    X(margin, "0 or a distance", NULL)                                                             \
    X(rebuild_ratio, "0 (the default), 1 or more, or inf for never", NULL)                         \
    X(events, "batch or stream", engine_events)                                                    \
    X(search_keyframes, "0 or 1", NULL)                                                            \
    X(exact_events, "0 or 1", NULL)                                                                \
    X(keep_siblings, "0 or 1", NULL)                                                               \
    X(quality_limit, "0 (the default: none) or a quality", NULL)                                   \
    X(reference, "average, base, target or best", engine_references)                               \
    X(reference_target, "the number of a target", NULL)                                            \
    X(blend_both, "0 or 1", NULL)                                                                  \
    X(in_between, "0 to 15", NULL)                                                                 \
    X(volume, "aabb, kdop18 or sphere", engine_volumes)                                            \
    X(broad, "one of those that 'willow info' lists", engine_broads)                               \
    X(descend, "auto, both or larger", engine_descends)                                            \
    X(watch, "off, auto, roots, front or list", engine_watches)                                    \
    X(poses, "given, apply, none or all", engine_pose_words)                                       \
    X(float_skins, "0 or 1", NULL)                                                                 \
    X(skip_neighbours, "0 or 1", NULL)                                                             \
    X(test_flat, "0 or 1", NULL)                                                                   \
    X(near_distance, "0 (the default: a fifth of the mean edge) or more", NULL)                    \
    X(touch_distance, "0 (the default: where things meet) or more", NULL)                          \
    X(tolerance, "0 (the default: 1e-6) to 1", NULL)                                               \
    X(max_iterations, "0 (the default: 10000) or a number", NULL)                                  \
    X(skip_close_at_rest, "0 or 1", NULL)                                                          \
    X(trees, "0 (the default: one) to 8", NULL)                                                    \
    X(threads, "1 or more", NULL)

const char *const engine_set_keys[] = {
#define ENGINE_SET_ENTRY(key, values, words) #key,
    ENGINE_SET_KEYS(ENGINE_SET_ENTRY)
#undef ENGINE_SET_ENTRY
        NULL};

static const struct {
    bool (*set)(engine_options *e, const char *value);
    const char *values;
    const char *const *words;
} set_entries[] = {
#define ENGINE_SET_ENTRY(key, values, words) {set_##key, values, words},
    ENGINE_SET_KEYS(ENGINE_SET_ENTRY)
#undef ENGINE_SET_ENTRY
};

const char *const *engine_set_words(const char *key)
{
    int number = number_of(engine_set_keys, key);
    return number >= 0 ? set_entries[number].words : NULL;
}

static int complain_key(const char *command_name, const char *where, const char *text,
                        const char *key)
{
    char all[1024];
    size_t length = (size_t)snprintf(all, sizeof all, "there are %s", engine_set_keys[0]);
    for (size_t i = 1; engine_set_keys[i] != NULL; i++) {
        const char *between = engine_set_keys[i + 1] != NULL ? ", " : " and ";
        length += (size_t)snprintf(all + length, sizeof all - length, "%s%s", between,
                                   engine_set_keys[i]);
        assert(length < sizeof all);
    }
    return complain_unknown(command_name, guess_from(key, engine_set_keys), all,
                            "%s%s: there is no key '%s'", where, text, key);
}

int engine_take_setting(engine_options *e, const char *command_name, const char *where,
                        const char *text)
{
    char key[32];
    size_t length = strcspn(text, "=");
    snprintf(key, sizeof key, "%.*s", (int)length, text);
    int number = number_of(engine_set_keys, key);
    if (number < 0) return complain_key(command_name, where, text, key);
    if (text[length] == '\0') {
        return complain_usage(command_name, "%s%s has no value; write %s=..., which is %s", where,
                              text, key, set_entries[number].values);
    }
    if (set_entries[number].set(e, text + length + 1)) return EXIT_FINE;
    const bool is_beyond = set_entries[number].words == NULL && is_real(text + length + 1);
    return complain_usage(command_name, "%s%s is %s: %s is %s", where, text,
                          is_beyond ? "out of range" : "not possible", key,
                          set_entries[number].values);
}

int engine_take_set(engine_options *e, const char *command_name, const char *text)
{
    return engine_take_setting(e, command_name, "--set ", text);
}

/* ---- what they come to ---- */

willow_world_def engine_world_def(const engine_options *e)
{
    willow_world_def def = willow_world_def_default();
    def.thread_count = e->threads;
    def.kernel = e->kernel;
    def.broad = e->broad;
    return def;
}

willow_query_options engine_query_options(const engine_options *e)
{
    willow_query_options options = willow_query_options_default();
    options.skip_neighbours = e->skip_neighbours;
    options.test_flat = e->test_flat;
    options.descend = e->descend;
    options.use_threads = e->threads > 1;
    options.near_distance = e->near_distance;
    options.touch_distance = e->touch_distance;
    options.tolerance = e->tolerance;
    options.max_iterations = e->max_iterations;
    options.skip_close_at_rest = e->skip_close_at_rest;
    return options;
}
