/* complete.c - `willow complete WORD...`: what the last of these words may become, for shells.
 *
 * The words are those behind `willow`, up to the one under the cursor, which may be empty. Each
 * line is a whole word that begins like it; one that ends with = : or , is to be gone on with, so
 * that a shell should not put a space behind it. The scripts in completions/ are a few lines each,
 * since everything that is known is known here. */
#include "bench/common/command.h"
#include "bench/common/complain.h"
#include "bench/peers/peer.h"
#include "bench/play/engine.h"
#include "bench/run/contender.h"
#include "bench/run/question.h"
#include "bench/suites/suites.h"
#include "cli/commands.h"
#include "cli/scene_keys.h"

#include <stdio.h>
#include <string.h>

/* ---- offers ---- */

/* Prints what is offered if it begins with `typed`, behind what was typed before it. */
typedef struct offers {
    const char *before;
    int before_length;
    const char *typed;
} offers;

static void offer(const offers *o, const char *word, const char *end)
{
    if (strncmp(word, o->typed, strlen(o->typed)) != 0) return;
    printf("%.*s%s%s\n", o->before_length, o->before, word, end);
}

static void offer_list(const offers *o, const char *const *list, const char *end)
{
    for (; *list != NULL; list++) offer(o, *list, end);
}

/* Goes on behind the last of the signs that was typed, if there is one. */
static void go_behind(offers *o, const char *signs)
{
    size_t length = 0;
    for (size_t i = 0; o->typed[i] != '\0'; i++) {
        if (strchr(signs, o->typed[i]) != NULL) length = i + 1;
    }
    o->before_length += (int)length;
    o->typed += length;
}

/* ---- scenes ---- */

static const scene_kind *kind_named(const char *spec)
{
    char name[64];
    size_t length = strcspn(spec, ":");
    if (length >= sizeof name) return NULL;
    snprintf(name, sizeof name, "%.*s", (int)length, spec);
    return scene_kind_find(name);
}

static void offer_variants(const offers *o, const scene_kind *kind)
{
    char word[SCENE_VARIANT_MAX];
    for (const char *rest = kind->variants; (rest = next_variant(rest, word)) != NULL;) {
        offer(o, word, "");
    }
}

static void offer_keys(const offers *o, const scene_kind *kind)
{
    scene_key keys[SCENE_KEY_MAX];
    int count = scene_keys(kind, keys);
    for (int i = 0; i < count; i++) offer(o, keys[i].name, "=");
    if (kind->variants[0] != '\0') offer(o, "variant", "=");
}

/* The names of scenes, behind `prefix`. The only one that fits may also be gone on with, so that a
 * shell does not take it for done. */
static void offer_names(const offers *o, const char *prefix)
{
    char word[64], last[64];
    int count = 0;
    for (const scene_kind *const *kind = scene_kinds; *kind != NULL; kind++) {
        snprintf(word, sizeof word, "%s%s", prefix, (*kind)->name);
        offer(o, word, "");
        if (strncmp(word, o->typed, strlen(o->typed)) != 0) continue;
        memcpy(last, word, sizeof last);
        count++;
    }
    if (count == 1) offer(o, last, ":");
}

/* "bumpy", "bumpy:", "bumpy:triangles=80,fr", "soup:variant=st". */
static void offer_scene(offers o)
{
    const scene_kind *kind = kind_named(o.typed);
    if (strchr(o.typed, ':') == NULL) {
        offer_names(&o, "");
        return;
    }
    if (kind == NULL) return;
    go_behind(&o, ":,");
    if (strncmp(o.typed, "variant=", 8) == 0) {
        go_behind(&o, "=");
        offer_variants(&o, kind);
    } else if (strchr(o.typed, '=') == NULL) {
        offer_keys(&o, kind);
    }
}

/* "scene:" and a scene. */
static void offer_target(offers o)
{
    if (strncmp(o.typed, "scene:", 6) != 0) {
        offer_names(&o, "scene:");
        return;
    }
    o.before_length += 6;
    o.typed += 6;
    offer_scene(o);
}

static void offer_scene_names(offers o)
{
    for (const scene_kind *const *kind = scene_kinds; *kind != NULL; kind++) {
        offer(&o, (*kind)->name, "");
    }
}

/* ---- values of options ---- */

static void offer_method(offers o) { offer_list(&o, engine_methods, ""); }
static void offer_kernel(offers o) { offer_list(&o, engine_kernels, ""); }

/* Several, separated by commas. */
static void offer_query(offers o)
{
    go_behind(&o, ",");
    offer_list(&o, bench_questions, "");
}

static void offer_suite(offers o)
{
    for (const bench_suite *suite = bench_suites; suite->name != NULL; suite++) {
        offer(&o, suite->name, "");
    }
}

static void offer_set(offers o)
{
    char key[32];
    snprintf(key, sizeof key, "%.*s", (int)strcspn(o.typed, "="), o.typed);
    const char *const *words = strchr(o.typed, '=') != NULL ? engine_set_words(key) : NULL;
    if (words == NULL) {
        offer_list(&o, engine_set_keys, "=");
        return;
    }
    go_behind(&o, "=");
    offer_list(&o, words, "");
}

/* Bench takes several too. */
static void offer_methods(offers o)
{
    go_behind(&o, ",");
    offer_method(o);
    for (int i = 0; bench_classics[i].name != NULL; i++) offer(&o, bench_classics[i].name, "");
    for (const peer_def *const *peer = peer_list; *peer != NULL; peer++) {
        offer(&o, (*peer)->name, "");
    }
    offer(&o, "all", "");
}

/* What an option takes, for the command or for all of them (NULL). The first that fits counts. */
static const struct {
    const char *command, *option;
    void (*offer)(offers o);
} values[] = {
    {"bench", "method", offer_methods}, {NULL, "method", offer_method},
    {NULL, "kernel", offer_kernel},     {NULL, "set", offer_set},
    {"bench", "scene", offer_scene},    {NULL, "query", offer_query},
    {NULL, "suite", offer_suite},
};

static void offer_value(const command *c, const char *option, offers o)
{
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        if (values[i].command != NULL && strcmp(values[i].command, c->name) != 0) continue;
        if (strcmp(values[i].option, option) != 0) continue;
        values[i].offer(o);
        return;
    }
}

/* ---- words ---- */

/* "--method" alone, if the word is an option that takes a value in the next one; else NULL. */
static const char *option_before(const command *c, const char *word)
{
    if (strncmp(word, "--", 2) != 0) return NULL;
    for (const struct option *o = c->options; o->name != NULL; o++) {
        if (o->has_arg == required_argument && strcmp(o->name, word + 2) == 0) return o->name;
    }
    return NULL;
}

static void offer_options(const command *c, offers o)
{
    for (const struct option *option = c->options; option->name != NULL; option++) {
        char word[64];
        snprintf(word, sizeof word, "--%s", option->name);
        offer(&o, word, "");
    }
}

/* "--method=bott": what is behind the sign. */
static bool offer_joined_value(const command *c, offers o)
{
    char name[64];
    size_t length = strcspn(o.typed, "=");
    if (o.typed[length] == '\0' || length < 2 || length - 2 >= sizeof name) return false;
    snprintf(name, sizeof name, "%.*s", (int)length - 2, o.typed + 2);
    o.before_length += (int)length + 1;
    o.typed += length + 1;
    offer_value(c, name, o);
    return true;
}

/* The words of a command that are no options. */
static void offer_word(const command *c, const char *before, offers o)
{
    static const char *const deeds[] = {"list", "show", "export", NULL};
    if (strcmp(c->name, "check") == 0 || strcmp(c->name, "info") == 0 ||
        strcmp(c->name, "render") == 0) {
        offer_target(o);
    } else if (strcmp(c->name, "scene") == 0 && strcmp(before, "show") == 0) {
        offer_scene_names(o);
    } else if (strcmp(c->name, "scene") == 0 && strcmp(before, "export") == 0) {
        offer_scene(o);
    } else if (strcmp(c->name, "scene") == 0 && strcmp(before, "scene") == 0) {
        offer_list(&o, deeds, "");
    }
}

static void offer_for_command(const command *c, const char *before, offers o)
{
    const char *option = option_before(c, before);
    if (option != NULL) {
        offer_value(c, option, o);
    } else if (strncmp(o.typed, "--", 2) != 0 || !offer_joined_value(c, o)) {
        if (o.typed[0] == '-') {
            offer_options(c, o);
        } else {
            offer_word(c, before, o);
        }
    }
}

static void offer_commands(offers o, bool is_first)
{
    for (const command *const *c = commands; *c != NULL; c++) {
        if ((*c)->summary != NULL) offer(&o, (*c)->name, "");
    }
    if (!is_first) return;
    offer(&o, "help", "");
    if (o.typed[0] != '-') return;
    offer(&o, "--help", "");
    offer(&o, "--version", "");
}

/* Its words are not its own, so none of them is read as an option. */
static int run_complete(int argc, char **argv)
{
    if (argc < 2) return complain("complete", "needs the words behind 'willow'");
    const char *typed = argv[argc - 1];
    offers o = {.before = typed, .typed = typed};
    const command *c = command_find(argv[1]);
    if (argc == 2) {
        offer_commands(o, true);
    } else if (argc == 3 && strcmp(argv[1], "help") == 0) {
        offer_commands(o, false);
    } else if (c != NULL) {
        offer_for_command(c, argv[argc - 2], o);
    }
    return EXIT_FINE;
}

static const struct option no_options[] = {{0}};

const command command_complete = {
    "complete",
    NULL,
    "What the last of some words may become: for the scripts that teach shells to complete.\n\n"
    "Usage: willow complete WORD...\n",
    "",
    no_options,
    run_complete};
