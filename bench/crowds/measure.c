/* measure.c - the rules of measuring: every contender plays every frame, in blocks of frames that
 * take turns, and the first frame of a block is not counted, as in bench/run/measure.c. Pairs of
 * every frame are compared with those of the first contender. */
#include "bench/common/complain.h"
#include "bench/common/open_scene.h"
#include "bench/common/progress.h"
#include "bench/common/stop.h"
#include "bench/crowds/contender.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_FRAMES = 10, FEWEST_BLOCK_FRAMES = 4 };

/* Frames of a block are kept in memory; blocks of large crowds are shorter. */
#define BLOCK_BYTES ((size_t)1 << 28)

/* A block of frames, which all contenders read. */
typedef struct crowd_stage {
    crowd *crowd;
    crowd_def def;
    uint32_t frame_count; /* in a block */
    uint32_t first, end;  /* the frames in it now */
    char *boxes;
    willow_box *wide; /* of the plane only; else boxes are these */
    uint32_t *changed, changed_count[BLOCK_FRAMES];
    uint64_t pairs[BLOCK_FRAMES], hash[BLOCK_FRAMES]; /* of the first contender */
} crowd_stage;

/* ---- frames ---- */

static size_t bytes_of_box(const crowd_def *def)
{
    return def->dimensions == 2 ? sizeof(willow_rect) : sizeof(willow_box);
}

static uint32_t frames_in_block(const crowd_def *def)
{
    const size_t bytes = def->count * (bytes_of_box(def) + sizeof(uint32_t));
    const size_t fit = bytes > 0 ? BLOCK_BYTES / bytes : BLOCK_FRAMES;
    if (fit >= BLOCK_FRAMES) return BLOCK_FRAMES;
    return fit > FEWEST_BLOCK_FRAMES ? (uint32_t)fit : FEWEST_BLOCK_FRAMES;
}

static bool stage_create(crowd_stage *s, const crowd_def *def)
{
    *s = (crowd_stage){.def = *def, .frame_count = frames_in_block(def)};
    const size_t boxes = (size_t)def->count * s->frame_count;
    s->crowd = crowd_create(def);
    s->boxes = malloc(boxes * bytes_of_box(def) + 1);
    s->changed = malloc(boxes * sizeof *s->changed + 1);
    if (def->dimensions == 2) s->wide = malloc(boxes * sizeof *s->wide + 1);
    return s->crowd != NULL && s->boxes != NULL && s->changed != NULL &&
           (def->dimensions == 3 || s->wide != NULL);
}

static void stage_free(crowd_stage *s)
{
    crowd_destroy(s->crowd);
    free(s->boxes);
    free(s->wide);
    free(s->changed);
}

static void widen(const willow_rect *from, uint32_t count, willow_box *to)
{
    for (uint32_t i = 0; i < count; i++)
        to[i] = (willow_box){{from[i].lower_x, from[i].lower_y, 0.0F},
                             {from[i].upper_x, from[i].upper_y, 0.0F}};
}

static void stage_take_frame(crowd_stage *s, uint32_t place, bool is_start)
{
    const size_t first = (size_t)place * s->def.count, bytes = bytes_of_box(&s->def);
    uint32_t count = 0;
    if (!is_start) crowd_step(s->crowd);
    memcpy(s->boxes + first * bytes, crowd_boxes(s->crowd), s->def.count * bytes);
    if (s->wide != NULL) widen(crowd_boxes(s->crowd), s->def.count, s->wide + first);
    const uint32_t *changed = crowd_changed(s->crowd, &count);
    s->changed_count[place] = changed == NULL || is_start ? UINT32_MAX : count;
    if (changed != NULL) memcpy(s->changed + first, changed, count * sizeof *changed);
}

/* The frames from `first` on, as many as a block has and there are. */
static void stage_fill(crowd_stage *s, uint32_t first, uint32_t frames)
{
    s->first = first;
    s->end = frames - first < s->frame_count ? frames : first + s->frame_count;
    for (uint32_t i = first; i < s->end; i++) stage_take_frame(s, i - first, i == 0);
}

static crowd_frame stage_frame(const crowd_stage *s, uint32_t frame)
{
    const uint32_t place = frame - s->first;
    const size_t first = (size_t)place * s->def.count;
    const bool is_all = s->changed_count[place] == UINT32_MAX;
    const char *boxes = s->boxes + first * bytes_of_box(&s->def);
    return (crowd_frame){.boxes = boxes,
                         .wide = s->wide != NULL ? s->wide + first : (const void *)boxes,
                         .count = s->def.count,
                         .changed = is_all ? NULL : s->changed + first,
                         .changed_count = is_all ? 0 : s->changed_count[place]};
}

/* ---- answers ---- */

/* The same for any order of pairs. */
static uint64_t hash_of_pairs(const willow_broad_pairs *pairs)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < pairs->count; i++) {
        uint64_t x = (uint64_t)pairs->items[i].a << 32 | pairs->items[i].b;
        x = (x ^ x >> 31) * UINT64_C(0x9E3779B97F4A7C15);
        x = (x ^ x >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
        sum += x ^ x >> 32;
    }
    return sum;
}

static void compare_frame(crowd_stage *s, uint32_t place, bool is_first,
                          const willow_broad_pairs *pairs, crowd_row *row)
{
    const uint64_t hash = hash_of_pairs(pairs);
    row->pairs += pairs->count;
    row->hash = (row->hash ^ hash) * UINT64_C(0x100000001B3);
    if (is_first) {
        s->pairs[place] = pairs->count;
        s->hash[place] = hash;
        return;
    }
    row->is_checked = true;
    row->is_wrong = row->is_wrong || hash != s->hash[place];
    if (pairs->count < s->pairs[place]) row->lost += s->pairs[place] - pairs->count;
}

/* ---- measuring ---- */

static int play_block(crowd_stage *s, crowd_contender *c, bool is_first)
{
    int code = EXIT_FINE;
    for (uint32_t i = s->first; i < s->end && code == EXIT_FINE; i++) {
        const crowd_frame frame = stage_frame(s, i);
        willow_broad_pairs pairs = {NULL, 0};
        code = contender_play(c, &frame, i > s->first, &pairs);
        if (code == EXIT_FINE) compare_frame(s, i - s->first, is_first, &pairs, c->row);
    }
    return code;
}

static int play_all(crowd_stage *s, crowd_contender *contenders, uint32_t count, uint32_t frames)
{
    int code = EXIT_FINE;
    for (uint32_t first = 0; first < frames && code == EXIT_FINE; first = s->end) {
        stage_fill(s, first, frames);
        for (uint32_t i = 0; i < count && code == EXIT_FINE; i++) {
            progress_worker(contenders[i].row->method.name);
            progress_show(first, frames);
            code = stop_was_asked() ? EXIT_ERROR : play_block(s, &contenders[i], i == 0);
        }
    }
    progress_clear();
    progress_worker("");
    return code;
}

/* Beyond so many, a search for every corner takes longer than the frames. */
enum { DENSITY_BOXES = 20000 };

/* Of the last frame, which the stage still has. */
static bool measure_density(const crowd_stage *s, uint32_t frames, crowd_row *row)
{
    const bool is_tree =
        row->method.peer == NULL && row->stats.acting == WILLOW_BROAD_COMPRESSED_TREE;
    if (!is_tree || s->def.count > DENSITY_BOXES) return true;
    const crowd_frame last = stage_frame(s, frames - 1);
    return crowd_density_measure(last.wide, last.count, s->def.dimensions, row->stats.cell,
                                 &row->density);
}

static bool reserve_rows(crowd_rows *rows, uint32_t more)
{
    const uint32_t count = rows->count + more;
    if (count <= rows->capacity) return true;
    crowd_row *larger = realloc(rows->items, 2 * (size_t)count * sizeof *larger);
    if (larger == NULL) return false;
    rows->items = larger;
    rows->capacity = 2 * count;
    return true;
}

void crowd_rows_free(crowd_rows *rows) { free(rows->items); }

static void end_rows(crowd_row *rows, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const double counted = rows[i].counted > 0 ? rows[i].counted : 1.0;
        rows[i].update_ms /= counted;
        rows[i].pairs_ms /= counted;
        rows[0].is_checked = rows[0].is_checked || rows[i].is_checked;
    }
}

double crowd_row_ns(const crowd_row *row)
{
    return (row->update_ms + row->pairs_ms) * 1e6 / (row->def.count > 0 ? row->def.count : 1);
}

int crowd_open(const char *spec, const bench_options *options, crowd_def *def, uint32_t *frames)
{
    char error[512];
    const scene_kind *kind;
    scene_params params;
    if (!scene_read(spec, &kind, &params, error, sizeof error))
        return complain_unknown("bench", scene_guess(spec), "", "%s", error);
    if (!crowd_def_of_scene(kind, &params, def))
        return complain_usage("bench", "--query broad is for crowds of boxes: crowd2d, crowd3d");
    *frames = options->frames != 0 ? options->frames : params.frames;
    return *frames >= 2 ? EXIT_FINE
                        : complain_usage("bench", "%s has one frame, which is not counted", spec);
}

int crowd_measure(const char *spec, const crowd_field *field, const bench_options *options,
                  crowd_rows *rows)
{
    crowd_def def;
    uint32_t frames;
    crowd_stage stage = {.crowd = NULL};
    crowd_contender contenders[CROWD_CONTENDERS_MAX];
    int code = crowd_open(spec, options, &def, &frames);
    if (code != EXIT_FINE) return code;
    if (!reserve_rows(rows, field->count)) return complain("bench", "out of memory");
    crowd_row *own = rows->items + rows->count;
    for (uint32_t i = 0; i < field->count; i++) {
        own[i] =
            (crowd_row){.scene = spec, .def = def, .method = field->methods[i], .frames = frames};
        contender_init(&contenders[i], &field->methods[i], &own[i]);
    }
    code = stage_create(&stage, &def) ? play_all(&stage, contenders, field->count, frames)
                                      : complain("bench", "out of memory");
    for (uint32_t i = 0; i < field->count; i++) {
        if (code == EXIT_FINE && !measure_density(&stage, frames, &own[i]))
            code = complain("bench", "out of memory");
        contender_free(&contenders[i]);
    }
    stage_free(&stage);
    end_rows(own, field->count);
    if (code == EXIT_FINE) rows->count += field->count;
    return code;
}
