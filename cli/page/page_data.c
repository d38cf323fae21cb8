/* page_data.c - meshes, positions and pairs as bytes that compress well.
 *
 * Way in: page_data_fill. Coordinates are whole numbers of the body's step, counted from the lowest
 * corner that the body has in a sample, so that 16 bits are enough wherever it moves. A coordinate
 * is then written as the difference to what is foretold of it: by the vertex before it, by the
 * sample before, or by a straight line through the two samples before; the one with the smallest
 * differences is chosen for each body and sample. Low and high bytes go apart, since most of the
 * high ones are zero. */
#include "cli/page/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What differences are taken from; the page has the same numbers. */
typedef enum foretold { BY_NEIGHBOUR, BY_SAMPLE, BY_LINE, FORETOLD_COUNT } foretold;

/* ---- meshes ---- */

static void put_mesh(byte_list *b, const page_mesh *mesh)
{
    int64_t before = 0;
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++) {
        byte_list_difference(b, (int64_t)mesh->indices[i] - before);
        before = mesh->indices[i];
    }
    before = -1;
    for (uint32_t i = 0; mesh->faces != NULL && i < mesh->triangle_count; i++) {
        byte_list_difference(b, (int64_t)mesh->faces[i] - before);
        before = mesh->faces[i];
    }
}

/* ---- steps ---- */

static double longest_side(const float *positions, uint32_t vertex_count)
{
    double longest = 0;
    for (size_t k = 0; k < 3 && vertex_count > 0; k++) {
        double lower = positions[k], upper = lower;
        for (size_t i = 0; i < vertex_count; i++) {
            lower = fmin(lower, positions[3 * i + k]);
            upper = fmax(upper, positions[3 * i + k]);
        }
        longest = fmax(longest, upper - lower);
    }
    return longest;
}

/* One less than 65,535, since both ends are rounded. */
static double step_for(double side) { return side > 0 ? side / 65534 : 1; }

static void set_steps(page_frames *f)
{
    for (uint32_t i = 0; i < f->body_count; i++) f->bodies[i].step = 0;
    for (uint32_t i = 0; i < f->mesh_count; i++) {
        const page_mesh *mesh = &f->meshes[i];
        if (mesh->positions == NULL) continue;
        const double side = longest_side(mesh->positions, mesh->vertex_count);
        f->bodies[mesh->body].step = fmax(f->bodies[mesh->body].step, side);
    }
    for (size_t i = 0; i < (size_t)f->shown_count * f->body_count; i++) {
        const page_place *place = &f->places[i];
        if (place->positions == NULL) continue;
        page_body *body = &f->bodies[i % f->body_count];
        const uint32_t vertices = f->meshes[place->mesh].vertex_count;
        body->step = fmax(body->step, longest_side(place->positions, vertices));
    }
    for (uint32_t i = 0; i < f->body_count; i++) f->bodies[i].step = step_for(f->bodies[i].step);
}

/* ---- positions ---- */

/* Whole numbers of steps, axis by axis, and where they count from. */
typedef struct grid {
    uint32_t vertex_count; /* 0: none is known */
    double origin[3];      /* in steps: a whole number */
    uint16_t *at;
} grid;

/* Three samples of a body: this one and the two before. */
typedef struct grid_history {
    grid now, last, before;
} grid_history;

static void fill_grid(grid *g, const float *positions, uint32_t vertex_count, double step)
{
    g->vertex_count = vertex_count;
    for (size_t k = 0; k < 3; k++) {
        double lowest = vertex_count > 0 ? INFINITY : 0;
        for (size_t i = 0; i < vertex_count; i++) lowest = fmin(lowest, positions[3 * i + k]);
        g->origin[k] = rint(lowest / step);
        uint16_t *at = g->at + k * vertex_count;
        for (size_t i = 0; i < vertex_count; i++) {
            const double steps = rint((double)positions[3 * i + k] / step) - g->origin[k];
            at[i] = (uint16_t)fmin(fmax(steps, 0), 65535);
        }
    }
}

static uint16_t line_through(const grid_history *h, size_t i, const double shift[3])
{
    const size_t axis = i / h->now.vertex_count;
    const double at = 2.0 * h->last.at[i] - h->before.at[i] + shift[axis];
    return (uint16_t)(int64_t)fmin(fmax(at, 0), 65535);
}

/* Where origins moved, all coordinates of a sample move with them. */
static void foretell(const grid_history *h, foretold by, uint16_t *out)
{
    double shift[3];
    const size_t count = h->now.vertex_count;
    for (int k = 0; k < 3; k++) {
        const double now = h->now.origin[k], last = h->last.origin[k], before = h->before.origin[k];
        shift[k] = by == BY_LINE ? 2 * last - before - now : last - now;
    }
    for (size_t i = 0; i < 3 * count; i++) {
        switch (by) {
        case BY_NEIGHBOUR: out[i] = i % count > 0 ? h->now.at[i - 1] : 0; break;
        case BY_SAMPLE:
            out[i] = (uint16_t)(int64_t)fmin(fmax(h->last.at[i] + shift[i / count], 0), 65535);
            break;
        default: out[i] = line_through(h, i, shift); break;
        }
    }
}

/* Differences wrap around 16 bits, and small ones of either sign become small numbers. */
static uint16_t folded(uint16_t value, uint16_t guess)
{
    const uint16_t apart = (uint16_t)(value - guess);
    return (uint16_t)(apart < 0x8000 ? 2 * apart : 2 * (0xFFFF - apart) + 1);
}

static uint64_t fold(const grid_history *h, foretold by, uint16_t *out)
{
    uint64_t sum = 0;
    const size_t count = 3 * (size_t)h->now.vertex_count;
    foretell(h, by, out);
    for (size_t i = 0; i < count; i++) {
        out[i] = folded(h->now.at[i], out[i]);
        sum += out[i];
    }
    return sum;
}

static bool is_possible(const grid_history *h, foretold by)
{
    const uint32_t count = h->now.vertex_count;
    return by == BY_NEIGHBOUR ||
           (h->last.vertex_count == count && (by == BY_SAMPLE || h->before.vertex_count == count));
}

static void put_planes(byte_list *b, const uint16_t *values, size_t count)
{
    uint8_t *place = byte_list_add(b, 2 * count);
    for (size_t i = 0; place != NULL && i < count; i++) {
        place[i] = (uint8_t)values[i];
        place[count + i] = (uint8_t)(values[i] >> 8);
    }
}

static bool put_grid(byte_list *b, const grid_history *h)
{
    const size_t count = 3 * (size_t)h->now.vertex_count;
    uint16_t *best = malloc((2 * count + 1) * sizeof *best), *other = best + count;
    if (best == NULL) return false;
    foretold chosen = BY_NEIGHBOUR;
    uint64_t least = fold(h, BY_NEIGHBOUR, best);
    for (foretold by = BY_SAMPLE; by < FORETOLD_COUNT; by++) {
        const uint64_t sum = is_possible(h, by) ? fold(h, by, other) : UINT64_MAX;
        if (sum >= least) continue;
        least = sum;
        chosen = by;
        memcpy(best, other, count * sizeof *best);
    }
    byte_list_byte(b, (uint8_t)chosen);
    for (int k = 0; k < 3; k++) byte_list_double(b, h->now.origin[k]);
    put_planes(b, best, count);
    free(best);
    return true;
}

/* Makes room for the next sample: what was now is the last one. */
static bool advance(grid_history *h, uint32_t vertex_count)
{
    free(h->before.at);
    h->before = h->last;
    h->last = h->now;
    h->now = (grid){.at = malloc((3 * (size_t)vertex_count + 1) * sizeof *h->now.at)};
    return h->now.at != NULL;
}

static bool put_positions(byte_list *b, grid_history *h, const float *positions,
                          uint32_t vertex_count, double step)
{
    if (!advance(h, vertex_count)) return false;
    fill_grid(&h->now, positions, vertex_count, step);
    return put_grid(b, h);
}

static void history_free(grid_history *h)
{
    free(h->now.at);
    free(h->last.at);
    free(h->before.at);
    *h = (grid_history){0};
}

/* ---- places ---- */

static bool put_place(byte_list *b, const page_frames *f, uint32_t shown, uint32_t body,
                      grid_history *h)
{
    const page_place *place = &f->places[(size_t)shown * f->body_count + body];
    const page_mesh *mesh = &f->meshes[place->mesh];
    byte_list_count(b, place->mesh);
    if (place->positions != NULL) {
        return put_positions(b, h, place->positions, mesh->vertex_count, f->bodies[body].step);
    }
    for (int i = 0; i < 12; i++) byte_list_double(b, place->matrix[i]);
    return true;
}

/* ---- pairs ---- */

static uint32_t shown_number(const page_frames *f, uint32_t body)
{
    uint32_t i = 0;
    while (f->bodies[i].number != body) i++;
    return i;
}

/* Distances in 65,535ths of the longest there may be. */
static void put_distance(byte_list *b, float distance, double longest)
{
    const double share = fmin(fmax((double)distance / longest, 0), 1);
    const uint16_t value = (uint16_t)rint(65535 * share);
    byte_list_byte(b, (uint8_t)value);
    byte_list_byte(b, (uint8_t)(value >> 8));
}

static void put_run(byte_list *b, const page_frames *f, const kept_run *run)
{
    const check_kept *kept = f->def->kept;
    int64_t before_a = 0, before_b = 0;
    byte_list_count(b, shown_number(f, run->body_a));
    byte_list_count(b, shown_number(f, run->body_b));
    byte_list_count(b, run->count);
    for (size_t i = run->first; i < run->first + run->count; i++) {
        const kept_pair *pair = &kept->pairs[i];
        byte_list_difference(b, pair->tri_a - before_a);
        byte_list_difference(b, pair->tri_b - before_b);
        before_a = pair->tri_a;
        before_b = pair->tri_b;
    }
    for (size_t i = run->first; kept->has_distances && i < run->first + run->count; i++)
        put_distance(b, kept->distances[i], f->def->report->options->distance);
}

static void put_pairs(byte_list *b, const page_frames *f, uint32_t shown)
{
    const check_kept *kept = f->def->kept;
    if (kept == NULL) return;
    const kept_frame *frame = &kept->frames[f->shown[shown]];
    byte_list_count(b, frame->run_count);
    for (uint32_t i = 0; i < frame->run_count; i++)
        put_run(b, f, &kept->runs[frame->first_run + i]);
}

/* ---- all ---- */

static bool put_rest_positions(byte_list *b, const page_frames *f)
{
    bool fine = true;
    for (uint32_t i = 0; fine && i < f->mesh_count; i++) {
        const page_mesh *mesh = &f->meshes[i];
        grid_history none = {0};
        if (mesh->positions == NULL) continue;
        const double step = f->bodies[mesh->body].step;
        fine = put_positions(b, &none, mesh->positions, mesh->vertex_count, step);
        history_free(&none);
    }
    return fine;
}

static bool put_samples(byte_list *b, const page_frames *f, grid_history *histories)
{
    for (uint32_t shown = 0; shown < f->shown_count; shown++) {
        for (uint32_t body = 0; body < f->body_count; body++)
            if (!put_place(b, f, shown, body, &histories[body])) return false;
        put_pairs(b, f, shown);
    }
    return true;
}

bool page_data_fill(byte_list *bytes, page_frames *f)
{
    grid_history *histories = calloc((size_t)f->body_count + 1, sizeof *histories);
    set_steps(f);
    for (uint32_t i = 0; i < f->mesh_count; i++) put_mesh(bytes, &f->meshes[i]);
    const bool fine = histories != NULL && put_rest_positions(bytes, f) &&
                      put_samples(bytes, f, histories) && !bytes->failed;
    for (uint32_t i = 0; histories != NULL && i < f->body_count; i++) history_free(&histories[i]);
    free(histories);
    return fine;
}
