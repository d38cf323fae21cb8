/* contender.c - who takes part, read from the command line, and played frame by frame. */
#include "bench/crowds/contender.h"
#include "bench/common/clock.h"
#include "bench/common/complain.h"
#include "bench/common/numbers.h"

#include <stdio.h>
#include <string.h>

/* ---- names ---- */

static int complain_of_method(const char *word)
{
    guess g = guess_for(word);
    for (int i = 0; i < WILLOW_BROAD_COUNT; i++)
        guess_offer(&g, willow_broad_name((willow_broad)i));
    return complain_unknown("bench", g.best,
                            "there are auto, all_pairs, one_axis, sweep_and_prune, linear_bvh, "
                            "grid, compressed_tree and peers",
                            "there is no broad phase '%s'", word);
}

static int complain_of_peer(const char *word)
{
    guess g = guess_for(word);
    for (const box_peer_def *const *peer = box_peer_list; *peer != NULL; peer++)
        guess_offer(&g, (*peer)->name);
    return complain_unknown("bench", g.best, "this build may be without it",
                            "no peer '%s' finds pairs of boxes", word);
}

/* "key=value" behind the name of a kind. */
static int take_setting(crowd_method *method, const char *text)
{
    const char *value = strchr(text, '=');
    if (value != NULL && strncmp(text, "cell=", 5) == 0 &&
        parse_real(value + 1, 0.0, &method->def.cell))
        return EXIT_FINE;
    if (value != NULL && strncmp(text, "upkeep=", 7) == 0 &&
        willow_upkeep_from_name(value + 1, &method->def.upkeep))
        return EXIT_FINE;
    return complain_usage("bench",
                          "'%s': a broad phase takes cell=LENGTH and "
                          "upkeep=in_place|literal|fresh",
                          text);
}

static int take_kind(crowd_method *method, char *text)
{
    char *settings = strchr(text, ':');
    if (settings != NULL) *settings++ = '\0';
    if (!willow_broad_from_name(text, &method->def.broad)) return complain_of_method(text);
    int code = EXIT_FINE;
    while (code == EXIT_FINE && settings != NULL) {
        char *next = strchr(settings, ':');
        if (next != NULL) *next++ = '\0';
        code = take_setting(method, settings);
        settings = next;
    }
    return code;
}

static int add_method(crowd_field *field, const char *word, size_t length,
                      const bench_options *options)
{
    char text[CROWD_METHOD_MAX];
    if (field->count == CROWD_CONTENDERS_MAX)
        return complain_usage("bench", "more than %d methods", CROWD_CONTENDERS_MAX);
    if (length >= CROWD_METHOD_MAX)
        return complain_usage("bench", "'%.*s' is not a method", (int)length, word);
    snprintf(text, sizeof text, "%.*s", (int)length, word);
    crowd_method *method = &field->methods[field->count++];
    *method = (crowd_method){.def = willow_broad_def_default()};
    method->def.kernel = options->engine.kernel;
    memcpy(method->name, text, sizeof text);
    if (strncmp(text, "peer:", 5) != 0) return take_kind(method, text);
    method->peer = box_peer_find(text + 5);
    if (method->peer == NULL && options->skips_missing_peers) field->count--;
    return method->peer != NULL || options->skips_missing_peers ? EXIT_FINE
                                                                : complain_of_peer(text + 5);
}

/* But for all_pairs, whose time grows with the square of the boxes: who wants it names it. */
static int add_all_kinds(crowd_field *field, const bench_options *options)
{
    int code = EXIT_FINE;
    for (int i = 0; i < WILLOW_BROAD_COUNT && code == EXIT_FINE; i++) {
        const char *name = willow_broad_name((willow_broad)i);
        if (i != WILLOW_BROAD_ALL_PAIRS) code = add_method(field, name, strlen(name), options);
    }
    return code;
}

static int add_all_peers(crowd_field *field, const bench_options *options)
{
    int code = EXIT_FINE;
    for (const box_peer_def *const *peer = box_peer_list; *peer != NULL && code == EXIT_FINE;
         peer++) {
        char name[CROWD_METHOD_MAX];
        snprintf(name, sizeof name, "peer:%s", (*peer)->name);
        code = add_method(field, name, strlen(name), options);
    }
    return code;
}

int crowd_choose(const char *methods, const bench_options *options, crowd_field *out)
{
    int code = EXIT_FINE;
    out->count = 0;
    for (const char *list = methods != NULL ? methods : "auto"; code == EXIT_FINE && list;) {
        const size_t length = strcspn(list, ",");
        code = length == 3 && memcmp(list, "all", 3) == 0 ? add_all_kinds(out, options)
                                                          : add_method(out, list, length, options);
        list = list[length] == ',' ? list + length + 1 : NULL;
    }
    return code == EXIT_FINE && options->peers ? add_all_peers(out, options) : code;
}

/* ---- playing ---- */

void contender_init(crowd_contender *c, const crowd_method *method, crowd_row *row)
{
    *c = (crowd_contender){.method = method, .row = row};
}

void contender_free(crowd_contender *c)
{
    willow_broad_destroy(c->phase);
    if (c->peer != NULL) c->method->peer->destroy(c->peer);
}

static bool update_phase(crowd_contender *c, const crowd_frame *frame)
{
    if (c->phase == NULL) {
        willow_broad_def def = c->method->def;
        def.dimensions = c->row->def.dimensions;
        if (willow_broad_create(&def, &c->phase) != WILLOW_OK) return false;
    }
    const willow_broad_boxes boxes = {.boxes = frame->boxes,
                                      .count = frame->count,
                                      .changed = frame->changed,
                                      .changed_count = frame->changed_count};
    return willow_broad_update(c->phase, &boxes) == WILLOW_OK;
}

static bool update_peer(crowd_contender *c, const crowd_frame *frame)
{
    const box_peer_def *peer = c->method->peer;
    if (c->peer != NULL)
        return peer->update(c->peer, frame->wide, frame->changed, frame->changed_count);
    c->peer = peer->create(frame->wide, frame->count);
    return c->peer != NULL;
}

static bool find_pairs(crowd_contender *c, willow_broad_pairs *pairs)
{
    if (c->method->peer != NULL) return c->method->peer->pairs(c->peer, pairs);
    return willow_broad_find_pairs(c->phase, pairs) == WILLOW_OK;
}

static void count_frame(crowd_contender *c, double update_ms, double pairs_ms)
{
    crowd_row *row = c->row;
    row->counted++;
    row->update_ms += update_ms;
    row->pairs_ms += pairs_ms;
    row->candidates += row->stats.candidates;
    row->swaps += row->stats.swaps;
}

int contender_play(crowd_contender *c, const crowd_frame *frame, bool is_counted,
                   willow_broad_pairs *pairs)
{
    const bool is_first = c->phase == NULL && c->peer == NULL;
    const double start = now_ms();
    const bool is_updated =
        c->method->peer != NULL ? update_peer(c, frame) : update_phase(c, frame);
    const double middle = now_ms();
    if (!is_updated || !find_pairs(c, pairs))
        return complain("bench", "%s failed: out of memory, or not in this build", c->method->name);
    const double end = now_ms();
    if (c->phase != NULL) c->row->stats = willow_broad_get_stats(c->phase);
    if (is_first) c->row->setup_ms = end - start;
    if (is_counted) count_frame(c, middle - start, end - middle);
    return EXIT_FINE;
}
