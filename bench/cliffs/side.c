/* side.c - a question to one frame of a scene, or to the step from there.
 *
 * Way in: side_create, then side_ask as often as wanted. The update before a question is not
 * counted, as little as positions are; boxes that are computed when a query opens them are. */
#include "bench/cliffs/side.h"
#include "bench/common/clock.h"
#include "bench/common/complain.h"
#include "bench/common/open_scene.h"
#include "bench/run/contender.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The settings of --set and of the method, then those of the question. */
static int side_settings(engine_options *engine, const cliff_question *question)
{
    int code = EXIT_FINE;
    char text[128];
    snprintf(text, sizeof text, "%s", question->settings);
    for (char *word = text; code == EXIT_FINE && word != NULL && *word != '\0';) {
        char *next = strchr(word, ':');
        if (next != NULL) *next++ = '\0';
        code = engine_take_setting(engine, "bench", "", word);
        word = next;
    }
    return code;
}

/* Who answers: one method, by default the one that is the default. */
static int side_engine(const side *d, const bench_options *options, engine_options *out)
{
    bench_options with = *options;
    bench_field field = {.count = 0};
    if (with.methods == NULL) with.methods = "auto";
    with.question = d->question->question;
    int code = bench_choose(&field, &with, d->scene);
    if (code != EXIT_FINE) return code;
    if (field.count != 1 || field.entries[0].peer != NULL) {
        return complain_usage("bench", "--suite cliffs takes one method, and no peers");
    }
    *out = field.entries[0].engine;
    return side_settings(out, d->question);
}

static bool side_arrays(side *d)
{
    const scene *s = d->scene;
    d->now = scene_arrays_create(s);
    d->next = scene_arrays_create(s);
    d->self = calloc((size_t)s->body_count + 1, sizeof *d->self);
    if (d->now == NULL || d->next == NULL || d->self == NULL) return false;
    for (uint32_t i = 0; i < s->body_count; i++) d->self[i] = s->bodies[i].self;
    scene_arrays_fill(s, d->question->frame, d->now);
    scene_arrays_fill(s, d->question->frame + 1, d->next);
    return true;
}

int side_create(side *d, const cliff_question *question, const bench_options *options)
{
    engine_options engine;
    *d = (side){.question = question, .scene = scene_open("bench", question->spec)};
    if (d->scene == NULL) return EXIT_ERROR;
    int code = side_engine(d, options, &engine);
    if (code != EXIT_FINE) return code;
    if (!side_arrays(d)) return complain("bench", "out of memory");
    d->outcome.triangles = scene_triangle_total(d->scene);
    d->outcome.bodies = d->scene->body_count;
    if (!player_create(&d->player, d->scene, question->frame, d->now, d->self, &engine) ||
        !bench_get_ready(&d->player, question->question, &engine, d->next)) {
        return complain("bench", "%s: %s", question->spec, d->player.message);
    }
    player_prepare(&d->player, question->frame);
    return EXIT_FINE;
}

void side_destroy(side *d)
{
    player_destroy(&d->player);
    if (d->scene != NULL) {
        scene_arrays_destroy(d->scene, d->now);
        scene_arrays_destroy(d->scene, d->next);
    }
    free(d->self);
    scene_destroy(d->scene);
}

static void note_best(double *best, uint32_t repeats, double ms)
{
    if (repeats == 0 || ms < *best) *best = ms;
}

static int side_question(side *d, double update_ms, cliff_side *out)
{
    willow_scratch_reset_stats(d->player.scratch);
    double start = now_ms();
    if (!bench_ask(&d->player, d->question->question, &d->answer)) {
        return complain("bench", "%s: %s", d->question->spec, d->player.message);
    }
    double ms = now_ms() - start;
    d->spent_ms += ms;
    note_best(&out->ms, out->repeats, ms);
    note_best(&out->update_ms, out->repeats, update_ms);
    out->repeats++;
    out->found = bench_answer_count(&d->answer);
    out->stats = willow_scratch_stats(d->player.scratch);
    return EXIT_FINE;
}

int side_ask(side *d)
{
    double start = now_ms();
    if (!bench_go(&d->player, d->question->question, d->question->frame, NULL)) {
        return complain("bench", "%s: %s", d->question->spec, d->player.message);
    }
    return side_question(d, now_ms() - start, &d->outcome);
}

int side_ask_again(side *d, cliff_side *out)
{
    double start = now_ms();
    willow_result result = willow_world_update(d->player.world, d->question->frame, NULL);
    if (result != WILLOW_OK) {
        return complain("bench", "%s: %s", d->question->spec, willow_result_name(result));
    }
    return side_question(d, now_ms() - start, out);
}
