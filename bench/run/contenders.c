/* contenders.c - who takes part in a bench: methods with their settings, classics, peers. */
#include "bench/common/complain.h"
#include "bench/peers/peer.h"
#include "bench/peers/ray_peer.h"
#include "bench/play/engine.h"
#include "bench/play/morphs.h"
#include "bench/play/paths.h"
#include "bench/run/contender.h"
#include "bench/run/options.h"
#include "bench/run/question.h"
#include "bench/run/stage.h"

#include <stdio.h>
#include <string.h>

const bench_classic bench_classics[] = {
#define BENCH_CLASSIC_ENTRY(name, method, settings, what) {name, method, settings},
    BENCH_CLASSICS(BENCH_CLASSIC_ENTRY)
#undef BENCH_CLASSIC_ENTRY
        {NULL, NULL, NULL},
};

bool contender_skips_neighbours(const contender *c)
{
    return c->peer != NULL ? !c->peer->decides_neighbours : c->engine.skip_neighbours;
}

bool contender_is_near(const contender *c, const scene *s)
{
    const bool makes_positions = c->peer != NULL || c->engine.poses == POSES_APPLY;
    return c->engine.float_skins && makes_positions && c->engine.morphs && scene_has_skins(s);
}

static bool has_rigid(const scene *s)
{
    uint32_t i = 0;
    while (i < s->body_count && !s->bodies[i].is_rigid) i++;
    return i < s->body_count;
}

/* Vertices that are handed over go straight, whoever moved them. Those of a morph turn. */
uint32_t contender_way(const contender *c, const scene *s)
{
    enum { MORPHS = 16 }; /* more than there are ways with poses */
    engine_poses poses = c->engine.poses;
    const bool turns = c->engine.morphs && scene_has_morphs(s) && poses != POSES_APPLY;
    if (poses == POSES_APPLY || (poses == POSES_GIVEN && !has_rigid(s))) poses = POSES_NONE;
    return (uint32_t)poses + (turns ? MORPHS : 0);
}

void contender_motion(const contender *c, const scene *s, char *out, size_t size)
{
    const engine_options *e = &c->engine;
    const bool has_poses = has_rigid(s) && (e->poses == POSES_GIVEN || e->poses == POSES_ALL);
    const bool has_plans = e->plans && scene_has_paths(s);
    const bool has_morphs = e->morphs && scene_has_morphs(s) && e->poses != POSES_APPLY;
    snprintf(out, size, "%s%s%s", has_poses ? "+poses" : "", has_plans ? "+plans" : "",
             has_morphs ? "+morphs" : "");
    if (c->peer != NULL || out[0] == '\0') {
        snprintf(out, size, "positions");
    } else {
        memmove(out, out + 1, strlen(out));
    }
}

static int add_contender(bench_field *f, contender c, const char *name)
{
    if (strlen(name) >= sizeof c.name) return complain_usage("bench", "'%s' is too long", name);
    memcpy(c.name, name, strlen(name) + 1);
    for (uint32_t i = 0; i < f->count; i++) {
        if (strcmp(f->entries[i].name, c.name) == 0) return EXIT_FINE;
    }
    if (f->count == CONTENDER_MAX) return complain_usage("bench", "too many methods");
    f->entries[f->count++] = c;
    return EXIT_FINE;
}

static int add_peer(bench_field *f, const peer_def *peer, const char *name,
                    const engine_options *engine)
{
    const contender c = {.ops = &peer_contender_ops, .peer = peer, .engine = *engine};
    return add_contender(f, c, name);
}

static int add_method(bench_field *f, const char *name, willow_method method,
                      const engine_options *engine)
{
    contender c = {.ops = &willow_contender_ops, .engine = *engine};
    c.engine.tree.method = method;
    return add_contender(f, c, name);
}

/* How many pairs of triangles BRUTE would look at; those of their features count as so many. */
static double brute_work(const scene *s, const bench_options *options)
{
    double all = (double)scene_triangle_total(s);
    double each = bench_question_is(options->question, ASKS_DISTANCE) ? 10 : 1;
    return each * all * all / 2 * bench_frames(options, s);
}

/* Without flight plans a kinetic method refits as BOTTOM_UP does, as
 * BLEND does without morphs; BALANCED is HYBRID until something is edited; SPHERE is for bodies
 * that rest or are rigid; and BRUTE on a large scene takes minutes to days. */
static int add_all_methods(bench_field *f, const scene *s, const bench_options *options)
{
    int code = EXIT_FINE;
    bool has_plans = options->engine.plans && scene_has_paths(s);
    bool has_morphs = options->engine.morphs && scene_has_morphs(s);
    for (int i = 0; code == EXIT_FINE && i < WILLOW_METHOD_COUNT; i++) {
        willow_method method = (willow_method)i;
        bool is_kinetic =
            method == WILLOW_METHOD_KINETIC_AABB || method == WILLOW_METHOD_KINETIC_BOXTREE;
        if (is_kinetic && !has_plans) continue;
        if (method == WILLOW_METHOD_BLEND && !has_morphs) continue;
        if (method == WILLOW_METHOD_BALANCED || method == WILLOW_METHOD_SPHERE) continue;
        if (method == WILLOW_METHOD_SKIN && !(has_morphs && scene_has_skins(s))) continue;
        if (method == WILLOW_METHOD_BRUTE && brute_work(s, options) > 3e9) {
            fputs("brute is left out of 'all' here, since it would take long; name it to run it\n",
                  stderr);
            continue;
        }
        code = add_method(f, willow_method_name(method), method, &options->engine);
    }
    return code;
}

static int complain_method(const char *name)
{
    guess g = guess_for(name);
    for (int i = 0; engine_methods[i] != NULL; i++) guess_offer(&g, engine_methods[i]);
    for (int i = 0; bench_classics[i].name != NULL; i++) guess_offer(&g, bench_classics[i].name);
    for (const peer_def *const *peer = peer_list; *peer != NULL; peer++) {
        guess_offer(&g, (*peer)->name);
    }
    guess_offer(&g, "all");
    return complain_unknown("bench", g.best, "'willow info' lists them", "there is no method '%s'",
                            name);
}

/* "key=value:key=value" of the method that was called `word`; the text is cut up. */
static int take_settings(engine_options *engine, const char *word, char *settings)
{
    int code = EXIT_FINE;
    char where[CONTENDER_NAME_MAX];
    snprintf(where, sizeof where, "--method %s: ", word);
    while (code == EXIT_FINE && settings != NULL) {
        char *next = strchr(settings, ':');
        if (next != NULL) *next++ = '\0';
        code = engine_take_setting(engine, "bench", where, settings);
        settings = next;
    }
    return code;
}

/* A method or a classic under `name`, with settings of its own or NULL; these are cut up. */
static int add_with_settings(bench_field *f, const char *name, const char *word, char *settings,
                             const engine_options *common, bench_question asked)
{
    engine_options engine = *common;
    willow_method method;
    const char *method_name = word;
    int code = EXIT_FINE;
    for (int i = 0; bench_classics[i].name != NULL; i++) {
        if (strcmp(word, bench_classics[i].name) != 0) continue;
        char own[128];
        snprintf(own, sizeof own, "%s", bench_classics[i].settings);
        method_name = bench_classics[i].method;
        code = take_settings(&engine, word, own);
        break;
    }
    if (!willow_method_from_name(method_name, &method)) return complain_method(word);
    if (code == EXIT_FINE) code = take_settings(&engine, word, settings);
    if (code == EXIT_FINE && engine.trees > 1 && !bench_question_is(asked, ASKS_RAYS)) {
        return complain_usage("bench", "--method %s: the key trees needs a ray query", word);
    }
    return code == EXIT_FINE ? add_method(f, name, method, &engine) : code;
}

/* "peer:name", or "peer:name:float_skins=1": no other setting is about peers. */
static int add_named_peer(bench_field *f, const char *name, const bench_options *options)
{
    char word[BENCH_METHODS_MAX];
    engine_options engine = options->engine;
    memcpy(word, name, strlen(name) + 1);
    char *settings = strchr(word + strlen("peer:"), ':');
    if (settings != NULL) *settings++ = '\0';
    const peer_def *peer = peer_find(word);
    if (peer == NULL) return options->skips_missing_peers ? EXIT_FINE : complain_method(word);
    if (settings != NULL && strncmp(settings, "float_skins=", strlen("float_skins=")) != 0) {
        return complain_usage("bench", "--method %s: peers take no key but float_skins", name);
    }
    const int code = take_settings(&engine, word, settings);
    return code == EXIT_FINE ? add_peer(f, peer, name, &engine) : code;
}

static int add_named(bench_field *f, const char *name, const scene *s, const bench_options *options)
{
    char word[BENCH_METHODS_MAX];
    if (strcmp(name, "all") == 0) return add_all_methods(f, s, options);
    if (strncmp(name, "peer:", strlen("peer:")) == 0) return add_named_peer(f, name, options);
    memcpy(word, name, strlen(name) + 1);
    char *settings = strchr(word, ':');
    if (settings != NULL) *settings++ = '\0';
    return add_with_settings(f, name, word, settings, &options->engine, options->question);
}

/* The list is cut at its commas. */
static int add_list(bench_field *f, char *list, const scene *s, const bench_options *options)
{
    int code = EXIT_FINE;
    while (code == EXIT_FINE && list != NULL) {
        char *next = strchr(list, ',');
        if (next != NULL) *next++ = '\0';
        code = add_named(f, list, s, options);
        list = next;
    }
    return code;
}

int bench_choose(bench_field *f, const bench_options *options, const scene *s)
{
    char list[BENCH_METHODS_MAX];
    const char *methods = options->methods != NULL ? options->methods : "all";
    if (strlen(methods) >= sizeof list) return complain_usage("bench", "--method is too long");
    memcpy(list, methods, strlen(methods) + 1);
    int code = add_list(f, list, s, options);
    for (const peer_def *const *peer = peer_list; options->peers && *peer != NULL; peer++) {
        if (code == EXIT_FINE) code = add_peer(f, *peer, (*peer)->name, &options->engine);
    }
    return code;
}

/* NULL: a Willow method, or a peer that can answer. */
static const char *lacks(const contender *c, const bench_options *options, const bench_stage *stage)
{
    if (c->peer == NULL || options->question == QUESTION_NONE) return NULL;
    if (bench_question_is(options->question, ASKS_STEPS)) return "impacts";
    if (bench_question_is(options->question, ASKS_DISTANCE)) return "what is near";
    if (bench_question_is(options->question, ASKS_RAYS)) {
        return ray_peer_find(c->peer->name) != NULL ? NULL : "what rays hit";
    }
    return peer_lacks(c->peer, bench_peer_question(options->question), stage->scene->body_count,
                      bench_stage_has_self(stage));
}

int bench_leave_out(bench_field *f, const bench_options *options, const bench_stage *stage)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        const char *words = lacks(&f->entries[i], options, stage);
        if (words == NULL) {
            f->entries[kept++] = f->entries[i];
        } else {
            fprintf(stderr, "%s is left out: it does not find %s\n", f->entries[i].name, words);
        }
    }
    f->count = kept;
    return kept > 0 ? EXIT_FINE : complain("bench", "no method is left to measure");
}
