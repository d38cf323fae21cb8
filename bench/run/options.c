/* options.c - options that `willow bench` and the probes have in common, and what they mean. */
#include "bench/run/options.h"
#include "bench/common/complain.h"
#include "bench/common/numbers.h"
#include "bench/play/engine.h"
#include "bench/run/question.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bench_options bench_options_default(void)
{
    bench_options options = {.repeat = 1, .engine = engine_options_default()};
    options.engine.poses = POSES_NONE; /* what peers get, so that all do the same work */
    return options;
}

int bench_add_scene(bench_options *options, const char *spec)
{
    for (uint32_t i = 0; i < options->scene_count; i++) {
        if (strcmp(options->scenes[i], spec) == 0) return EXIT_FINE;
    }
    if (options->scene_count == BENCH_SCENES_MAX) {
        return complain_usage("bench", "more than %d scenes", BENCH_SCENES_MAX);
    }
    options->scenes[options->scene_count++] = spec;
    return EXIT_FINE;
}

/* ---- values ---- */

/* 0 is the default, which is there already. */
static int take_number(const char *name, const char *text, uint32_t lowest, uint32_t *out)
{
    enum { HIGHEST = 1000000 };
    uint32_t nothing;
    if (parse_count(text, lowest, HIGHEST, out) || parse_count(text, 0, 0, &nothing))
        return EXIT_FINE;
    if (is_count(text)) {
        return complain_usage("bench", "--%s %s is out of range: it is %" PRIu32 " to %d", name,
                              text, lowest, HIGHEST);
    }
    return complain_usage("bench", "--%s %s: a number of at least %" PRIu32 " is needed", name,
                          text, lowest);
}

static int take_question(bench_options *options, const char *word)
{
    bench_question question;
    if (!bench_question_from_name(word, &question)) {
        return complain_unknown("bench", guess_from(word, bench_questions),
                                "there are pairs, first, self, impacts, toi, near, near_features, "
                                "distance, rays, picks, picks_1000, broad and none",
                                "there is no query '%s'", word);
    }
    for (uint32_t i = 0; i < options->question_count; i++) {
        if (options->questions[i] == question) return EXIT_FINE;
    }
    options->questions[options->question_count++] = question;
    return EXIT_FINE;
}

int bench_take_questions(bench_options *options, const char *list)
{
    int code = EXIT_FINE;
    options->question_count = 0;
    while (code == EXIT_FINE && list != NULL) {
        char word[32];
        size_t length = strcspn(list, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, list);
        code = take_question(options, word);
        list = list[length] == ',' ? list + length + 1 : NULL;
    }
    return code;
}

int bench_take_format(bench_options *options, bench_format format)
{
    if (options->has_format && options->format != format) {
        return complain_usage("bench", "--table and --csv exclude each other");
    }
    options->format = format;
    options->has_format = true;
    return EXIT_FINE;
}

int bench_take_option(bench_options *options, int option, const char *value)
{
    engine_options *engine = &options->engine;
    switch (option) {
    case BENCH_OPTION_SCENE: return bench_add_scene(options, value);
    case BENCH_OPTION_METHOD: options->methods = value; return EXIT_FINE;
    case BENCH_OPTION_QUERY: return bench_take_questions(options, value);
    case BENCH_OPTION_FRAMES: return take_number("frames", value, 2, &options->frames);
    case BENCH_OPTION_THREADS: return engine_take_threads(engine, "bench", value);
    case BENCH_OPTION_KERNEL: return engine_take_kernel(engine, "bench", value);
    case BENCH_OPTION_SET: return engine_take_set(engine, "bench", value);
    case BENCH_OPTION_REPEAT: return take_number("repeat", value, 1, &options->repeat);
    case BENCH_OPTION_PEERS: options->peers = true; return EXIT_FINE;
    case BENCH_OPTION_TABLE: return bench_take_format(options, FORMAT_TABLE);
    }
    return EXIT_FINE;
}

/* ---- motion ---- */

int bench_take_motion(bench_options *options, const char *word)
{
    if (strcmp(word, "own") == 0) {
        options->motion = MOTION_OWN;
    } else if (strcmp(word, "positions") == 0) {
        options->motion = MOTION_POSITIONS;
    } else {
        static const char *const words[] = {"own", "positions", NULL};
        return complain_unknown("bench", guess_from(word, words), "there are own and positions",
                                "there is no motion '%s'", word);
    }
    return EXIT_FINE;
}

/* Who says how some bodies are handed over says how all are: the others get positions. */
void bench_settle_motion(bench_options *options)
{
    engine_options *engine = &options->engine;
    const bool is_said = engine->plans || engine->morphs || engine->has_poses;
    const bool is_own =
        options->motion == MOTION_OWN || (options->motion == MOTION_AUTO && !is_said);
    if (!is_own && options->motion == MOTION_AUTO) return;
    engine->plans = engine->morphs = is_own;
    if (!engine->has_poses) engine->poses = is_own ? POSES_GIVEN : POSES_NONE;
}

/* ---- frames ---- */

uint32_t bench_frames(const bench_options *options, const scene *s)
{
    uint32_t most = s->frame_count - bench_question_is(options->question, ASKS_STEPS);
    return options->frames != 0 && options->frames < most ? options->frames : most;
}

int bench_check_frames(const bench_options *options, const char *spec, const scene *s)
{
    if (options->frames > s->frame_count) {
        return complain_usage("bench",
                              "--frames %" PRIu32 ": %s has %" PRIu32 "; --scene %s:frames=%" PRIu32
                              " makes it longer",
                              options->frames, spec, s->frame_count, s->kind->name,
                              options->frames);
    }
    if (s->frame_count < 2) {
        return complain_usage("bench", "%s has one frame, which would not be counted", spec);
    }
    if (bench_frames(options, s) < 2) {
        return complain_usage("bench", "%s has one step, which would not be counted", spec);
    }
    return EXIT_FINE;
}
