/* What the fuzzers begin with, and all that they have found, played again without them. */
#include <dirent.h>
#include <stdlib.h>
#include "support/api_script.h"
#include "support/box_script.h"
#include "support/edit_script.h"
#include "support/gltf_script.h"
#include "support/mesh_script.h"
#include "support/morph_script.h"
#include "support/plan_script.h"
#include "support/ray_script.h"
#include "support/test.h"
#include "support/watch_script.h"

enum { LONGEST = 1 << 16 };

/* The folder of a corpus. */
static void find_folder(char *path, size_t size, const char *name)
{
    (void)snprintf(path, size, "%s/fuzz/corpus/%s", TEST_SOURCES, name);
}

static size_t read_case(const char *folder, const char *name, uint8_t *bytes)
{
    char path[1400];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) fail_msg("%s is not there", path);
    const size_t size = fread(bytes, 1, LONGEST, file);
    (void)fclose(file);
    return size;
}

/* Plays one script; NULL, or words for what went wrong. */
typedef const char *play(choices *c, void *tally);

static void play_corpus(const char *name, play *run, void *tally)
{
    char folder[1000];
    uint8_t *bytes = malloc(LONGEST);
    find_folder(folder, sizeof folder, name);
    DIR *dir = opendir(folder);
    if (dir == NULL) fail_msg("%s is not there", folder);
    for (const struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        if (entry->d_name[0] == '.') continue;
        choices c = choices_of_bytes(bytes, read_case(folder, entry->d_name, bytes));
        const char *wrong = run(&c, tally);
        if (wrong) fail_msg("%s: %s", entry->d_name, wrong);
    }
    (void)closedir(dir);
    free(bytes);
}

/* With the sizes of the fuzzers. */
static const char *play_plans(choices *c, void *tally)
{
    return plan_script_run(c, 2, 8, 16, tally);
}

static const char *play_watches(choices *c, void *tally)
{
    return watch_script_run(c, 3, 16, 16, tally);
}

static const char *play_lists(choices *c, void *tally)
{
    return watch_script_run_plans(c, 3, 16, 16, tally);
}

static const char *play_morphs(choices *c, void *tally)
{
    return morph_script_run(c, 32, 8, tally);
}

static const char *play_edits(choices *c, void *tally) { return edit_script_run(c, 24, 1, tally); }

static const char *play_rays(choices *c, void *tally) { return ray_script_run(c, 6, tally); }

static const char *play_boxes(choices *c, void *tally)
{
    return box_script_of_any_kind(c, 8, 40, tally);
}

static const char *play_api(choices *c, void *tally) { return api_script_run(c, 12, 48, tally); }

static const char *play_gltf(choices *c, void *tally) { return gltf_script_run(c, tally); }

/* ---- files ---- */

/* As they are, cut off anywhere, and with each byte changed to some that mean something. */
typedef const char *play_bytes(const uint8_t *data, size_t size, mesh_tally *tally);

static const char *play_damaged(choices *c, play_bytes *run, mesh_tally *tally)
{
    static const uint8_t values[] = {0, 0xFF, '-', '9', '\n', ' '};
    uint8_t bytes[4096];
    const size_t size = c->left < sizeof bytes ? c->left : sizeof bytes;
    const char *wrong = run(c->bytes, size, tally);
    for (size_t i = 0; wrong == NULL && i < size; i++) {
        memcpy(bytes, c->bytes, size);
        for (size_t k = 0; wrong == NULL && k < sizeof values; k++) {
            bytes[i] = values[k];
            wrong = run(bytes, size, tally);
        }
        if (wrong == NULL) wrong = run(c->bytes, i, tally);
    }
    return wrong;
}

#define PLAY_FILES(kind, call)                                                                     \
    static const char *run_##kind(const uint8_t *data, size_t size, mesh_tally *tally)             \
    {                                                                                              \
        return call;                                                                               \
    }                                                                                              \
    static const char *play_##kind(choices *c, void *tally)                                        \
    {                                                                                              \
        return play_damaged(c, run_##kind, tally);                                                 \
    }
PLAY_FILES(obj, mesh_script_run(obj_read, data, size, tally))
PLAY_FILES(ply, mesh_script_run(ply_read, data, size, tally))
PLAY_FILES(stl, mesh_script_run(stl_read, data, size, tally))
PLAY_FILES(off, mesh_script_run(off_read, data, size, tally))
PLAY_FILES(cache, cache_script_run(data, size, tally))

static void files_of_the_corpus_are_read_or_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        play *run;
    } kinds[] = {{"obj", play_obj},
                 {"ply", play_ply},
                 {"stl", play_stl},
                 {"off", play_off},
                 {"cache", play_cache}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        mesh_tally tally = {0};
        play_corpus(kinds[i].name, kinds[i].run, &tally);
        print_message("%s: %zu files taken, %zu refused, %zu triangles\n", kinds[i].name,
                      tally.taken, tally.refused, tally.triangles);
        assert_true(tally.taken > 0 && tally.refused > 0 && tally.triangles > 0);
    }
}

/* ---- scripts ---- */

static void plans_of_the_corpus_give_the_right_answers(void **state)
{
    (void)state;
    plan_tally tally = {0};
    play_corpus("plans", play_plans, &tally);
    print_message("%zu scripts, %zu updates, %zu pairs, %zu events\n", tally.scripts, tally.updates,
                  tally.pairs, tally.events);
    assert_true(tally.scripts > 0 && tally.pairs > 0 && tally.events > 0);
}

static void watches_of_the_corpus_give_the_right_answers(void **state)
{
    (void)state;
    watch_tally tally = {0};
    play_corpus("watch", play_watches, &tally);
    print_message("%zu scripts, %zu questions, %zu pairs\n", tally.scripts, tally.questions,
                  tally.pairs + tally.self_pairs);
    assert_true(tally.scripts > 0 && tally.pairs + tally.self_pairs > 0);
}

static void lists_of_the_corpus_give_the_right_answers(void **state)
{
    (void)state;
    watch_tally tally = {0};
    play_corpus("list", play_lists, &tally);
    print_message("%zu scripts, %zu questions, %zu of lists, %zu events\n", tally.scripts,
                  tally.questions, tally.lists, tally.begun + tally.ceased);
    assert_true(tally.scripts > 0 && tally.lists > 0 && tally.begun + tally.ceased > 0);
}

static void morphs_of_the_corpus_give_the_right_answers(void **state)
{
    morph_tally tally = {0};
    (void)state;
    play_corpus("morph", play_morphs, &tally);
    print_message("%zu scripts, %zu updates, %zu pairs, %zu impacts, %zu vertices blended\n",
                  tally.scripts, tally.updates, tally.pairs, tally.impacts, tally.blended);
    assert_true(tally.scripts > 0 && tally.pairs > 0 && tally.impacts > 0 && tally.blended > 0);
}

static void morphs_of_seeds_give_the_right_answers(void **state)
{
    morph_tally tally = {0};
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        choices c = choices_of_seed(seed);
        const char *wrong = morph_script_run(&c, 32, 6, &tally);
        if (wrong) fail_msg("seed %u: %s", (unsigned)seed, wrong);
    }
    print_message("%zu updates, %zu pairs, %zu impacts, %zu vertices blended\n", tally.updates,
                  tally.pairs, tally.impacts, tally.blended);
    assert_true(tally.pairs > 0 && tally.impacts > 0 && tally.blended > 0);
}

static void boxes_of_the_corpus_give_the_right_pairs(void **state)
{
    box_tally tally = {0};
    (void)state;
    play_corpus("broad", play_boxes, &tally);
    print_message("%zu scripts, %zu steps, %zu pairs, %zu events\n", tally.scripts, tally.steps,
                  tally.pairs, tally.begun + tally.ended);
    assert_true(tally.scripts > 0 && tally.pairs > 0 && tally.ended > 0);
}

static void edits_of_the_corpus_give_the_right_answers(void **state)
{
    (void)state;
    edit_tally tally = {0};
    play_corpus("edits", play_edits, &tally);
    print_message("%zu scripts, %zu edits, %zu refused, %zu updates, %zu pairs\n", tally.scripts,
                  tally.edits, tally.refused, tally.updates, tally.pairs);
    assert_true(tally.edits > 0 && tally.updates > 0);
}

static void say_rays(const ray_tally *t)
{
    print_message("%zu scripts, %zu updates, %zu rays, %zu hits, %zu tests of single triangles, "
                  "%zu batches refused\n",
                  t->scripts, t->updates, t->rays, t->hits, t->tested, t->refused);
    assert_true(t->scripts > 0 && t->hits > 0 && t->tested > 0 && t->refused > 0);
}

static void rays_of_the_corpus_hit_what_they_meet(void **state)
{
    ray_tally tally = {0};
    (void)state;
    play_corpus("rays", play_rays, &tally);
    say_rays(&tally);
}

static void rays_of_seeds_hit_what_they_meet(void **state)
{
    ray_tally tally = {0};
    const uint64_t seeds = test_seeds(400);
    (void)state;
    for (uint64_t seed = 0; seed < seeds; seed++) {
        choices c = choices_of_seed(seed);
        const char *wrong = ray_script_run(&c, 6, &tally);
        if (wrong) fail_msg("seed %u: %s", (unsigned)seed, wrong);
    }
    say_rays(&tally);
}

static void say_calls(const api_tally *t)
{
    print_message("%zu scripts, %zu calls, %zu refused, %zu failures, %zu updates, %zu questions, "
                  "%zu found\n",
                  t->scripts, t->calls, t->refused, t->failures, t->updates, t->questions,
                  t->found);
    assert_true(t->calls > 0 && t->refused > 0 && t->failures > 0 && t->found > 0);
}

static void calls_of_the_corpus_mean_the_same_with_every_method(void **state)
{
    api_tally tally = {0};
    (void)state;
    play_corpus("api", play_api, &tally);
    say_calls(&tally);
}

static void calls_of_seeds_mean_the_same_with_every_method(void **state)
{
    api_tally tally = {0};
    const uint64_t seeds = test_seeds(400);
    (void)state;
    for (uint64_t seed = 0; seed < seeds; seed++) {
        choices c = choices_of_seed(seed);
        const char *wrong = api_script_run(&c, 12, 48, &tally);
        if (wrong) fail_msg("seed %u: %s", (unsigned)seed, wrong);
    }
    say_calls(&tally);
}

static void say_files(const gltf_tally *t)
{
    print_message("%zu scripts, %zu read, %zu refused, %zu frames\n", t->scripts, t->read,
                  t->refused, t->frames);
    assert_true(t->read > 0 && t->refused > 0 && t->frames > 0);
}

static void gltf_files_of_the_corpus_are_sound_or_refused(void **state)
{
    gltf_tally tally = {0};
    (void)state;
    play_corpus("gltf", play_gltf, &tally);
    say_files(&tally);
}

static void gltf_files_of_seeds_are_sound_or_refused(void **state)
{
    gltf_tally tally = {0};
    const uint64_t seeds = test_seeds(4000);
    (void)state;
    for (uint64_t seed = 0; seed < seeds; seed++) {
        choices c = choices_of_seed(seed);
        const char *wrong = gltf_script_run(&c, &tally);
        if (wrong) fail_msg("seed %u: %s", (unsigned)seed, wrong);
    }
    say_files(&tally);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(files_of_the_corpus_are_read_or_refused),
    cmocka_unit_test(plans_of_the_corpus_give_the_right_answers),
    cmocka_unit_test(watches_of_the_corpus_give_the_right_answers),
    cmocka_unit_test(lists_of_the_corpus_give_the_right_answers),
    cmocka_unit_test(morphs_of_the_corpus_give_the_right_answers),
    cmocka_unit_test(morphs_of_seeds_give_the_right_answers),
    cmocka_unit_test(boxes_of_the_corpus_give_the_right_pairs),
    cmocka_unit_test(edits_of_the_corpus_give_the_right_answers),
    cmocka_unit_test(rays_of_the_corpus_hit_what_they_meet),
    cmocka_unit_test(rays_of_seeds_hit_what_they_meet),
    cmocka_unit_test(calls_of_the_corpus_mean_the_same_with_every_method),
    cmocka_unit_test(calls_of_seeds_mean_the_same_with_every_method),
    cmocka_unit_test(gltf_files_of_the_corpus_are_sound_or_refused),
    cmocka_unit_test(gltf_files_of_seeds_are_sound_or_refused),
};

TEST_GROUP(corpus, tests);
