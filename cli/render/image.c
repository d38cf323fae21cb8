/* image.c - light to bytes: between samples, over squares of dots, into few colours. */
#include "cli/render/render.h"
#include "io/png_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool image_create(image *out, uint32_t width, uint32_t height)
{
    *out = (image){.width = width, .height = height};
    out->dots = calloc((size_t)width * height + 1, sizeof *out->dots);
    return out->dots != NULL;
}

void image_destroy(image *i) { free(i->dots); }

/* ---- samples ---- */

static colour blend2(colour a, float s, colour b, float t)
{
    return (colour){a.r * s + b.r * t, a.g * s + b.g * t, a.b * s + b.b * t};
}

/* The corners of a cell, and the place in it, both shares from 0 to 1. The cell is four triangles
 * around its middle; the one that the place is in has two of the corners, `a` at share 0 and `b` at
 * share 1 along one axis, and the weight of the middle falls along the other. */
static colour blend_cell(const colour corner[2][2], float x, float y)
{
    const float far_x = fabsf(x - 0.5F), far_y = fabsf(y - 0.5F);
    const bool is_level = far_y >= far_x; /* `a` and `b` are in one row */
    const float far = is_level ? far_y : far_x, along = is_level ? x : y;
    const bool upper = is_level ? y > 0.5F : x > 0.5F;
    const colour a = is_level ? corner[upper][0] : corner[0][upper];
    const colour b = is_level ? corner[upper][1] : corner[1][upper];
    const colour top = blend2(corner[0][0], 0.25F, corner[0][1], 0.25F);
    const colour bottom = blend2(corner[1][0], 0.25F, corner[1][1], 0.25F);
    const float middle = 1 - 2 * far, share_b = along - 0.5F * middle;
    const colour edge = blend2(a, 1 - middle - share_b, b, share_b);
    return blend2(edge, 1, blend2(top, 1, bottom, 1), middle);
}

typedef struct cell_place {
    uint32_t first, next;
    float share;
} cell_place;

/* Beyond the first and the last sample nothing changes. */
static cell_place place_of(float at, uint32_t count)
{
    if (!(at > 0)) at = 0;
    if (at > (float)(count - 1)) at = (float)(count - 1);
    const uint32_t first = (uint32_t)at;
    return (cell_place){first, first + 1 < count ? first + 1 : first, at - (float)first};
}

colour image_between(const colour *known, const ray_picture *picture, float x, float y)
{
    const uint32_t columns = ray_picture_columns(picture), rows = ray_picture_rows(picture);
    const cell_place h = place_of(x / (float)picture->sampling - 0.5F, columns);
    const cell_place v = place_of(y / (float)picture->sampling - 0.5F, rows);
    const colour *upper = known + (size_t)v.first * columns;
    const colour *lower = known + (size_t)v.next * columns;
    const colour corner[2][2] = {{upper[h.first], upper[h.next]}, {lower[h.first], lower[h.next]}};
    return blend_cell(corner, h.share, v.share);
}

void image_interpolate(image *out, const colour *known, const ray_picture *picture)
{
    for (uint32_t y = 0; y < out->height; y++) {
        for (uint32_t x = 0; x < out->width; x++) {
            out->dots[(size_t)y * out->width + x] =
                image_between(known, picture, (float)x + 0.5F, (float)y + 0.5F);
        }
    }
}

static colour mean_of_square(const image *dots, uint32_t left, uint32_t top, uint32_t square)
{
    colour sum = {0, 0, 0};
    for (uint32_t y = top; y < top + square; y++) {
        for (uint32_t x = left; x < left + square; x++) {
            sum = blend2(sum, 1, dots->dots[(size_t)y * dots->width + x], 1);
        }
    }
    return blend2(sum, 1 / (float)(square * square), sum, 0);
}

void image_shrink(const image *dots, uint32_t square, image *out, uint32_t left)
{
    for (uint32_t y = 0; y < dots->height / square; y++) {
        for (uint32_t x = 0; x < dots->width / square; x++) {
            out->dots[(size_t)y * out->width + left + x] =
                mean_of_square(dots, x * square, y * square, square);
        }
    }
}

/* ---- bytes ---- */

/* sRGB, from light between 0 and 1. */
static uint8_t byte_of(float light)
{
    if (!(light > 0)) return 0;
    if (light >= 1) return 255;
    const double value =
        light <= 0.0031308F ? 12.92 * (double)light : 1.055 * pow((double)light, 1 / 2.4) - 0.055;
    return (uint8_t)(value * 255 + 0.5);
}

static void image_bytes(const image *i, uint8_t *out)
{
    for (size_t dot = 0; dot < (size_t)i->width * i->height; dot++) {
        out[3 * dot] = byte_of(i->dots[dot].r);
        out[3 * dot + 1] = byte_of(i->dots[dot].g);
        out[3 * dot + 2] = byte_of(i->dots[dot].b);
    }
}

/* ---- few colours ----
 *
 * Colours of 5 bits per channel are counted. The box of all of them is cut where it is longest, at
 * the median of the dots in it, then the box with the most dots times length, and so on until there
 * are enough (median cut, Heckbert 1982). A colour is the mean of the dots in its box. */

enum { CELL_BITS = 5, CELLS = 1 << 3 * CELL_BITS, COLOURS_MAX = 256 };

typedef struct colour_cell {
    uint64_t sum[3];
    uint32_t count, number; /* its colour in the end */
} colour_cell;

typedef struct colour_box {
    uint32_t first, last; /* cells in the order, `last` not included */
} colour_box;

typedef struct palette {
    colour_cell cells[CELLS];
    uint32_t order[CELLS]; /* cells that have dots, box by box */
    colour_box boxes[COLOURS_MAX];
    uint8_t colours[COLOURS_MAX][3];
    uint32_t count;
} palette;

static uint32_t cell_of(const uint8_t *rgb)
{
    const unsigned drop = 8 - CELL_BITS;
    return (uint32_t)(rgb[0] >> drop) << 2 * CELL_BITS | (uint32_t)(rgb[1] >> drop) << CELL_BITS |
           (uint32_t)(rgb[2] >> drop);
}

static uint32_t level_of(uint32_t cell, int axis)
{
    return cell >> (2 - axis) * CELL_BITS & ((1U << CELL_BITS) - 1);
}

/* The axis along which the box is longest. */
static int longest_axis(const palette *p, const colour_box *box, uint32_t *length)
{
    int best = 0;
    *length = 0;
    for (int axis = 0; axis < 3; axis++) {
        uint32_t low = UINT32_MAX, high = 0;
        for (uint32_t i = box->first; i < box->last; i++) {
            const uint32_t level = level_of(p->order[i], axis);
            if (level < low) low = level;
            if (level > high) high = level;
        }
        if (high - low > *length) *length = high - low, best = axis;
    }
    return best;
}

static uint64_t dots_in(const palette *p, const colour_box *box)
{
    uint64_t dots = 0;
    for (uint32_t i = box->first; i < box->last; i++) dots += p->cells[p->order[i]].count;
    return dots;
}

/* By the level along the axis; cells that are level stay in their order. */
static void sort_along(palette *p, const colour_box *box, int axis)
{
    uint32_t starts[(1 << CELL_BITS) + 1] = {0}, *sorted = malloc(sizeof p->order);
    if (sorted == NULL) return;
    for (uint32_t i = box->first; i < box->last; i++) starts[level_of(p->order[i], axis) + 1]++;
    for (int i = 0; i < 1 << CELL_BITS; i++) starts[i + 1] += starts[i];
    for (uint32_t i = box->first; i < box->last; i++) {
        sorted[starts[level_of(p->order[i], axis)]++] = p->order[i];
    }
    memcpy(p->order + box->first, sorted, (box->last - box->first) * sizeof *sorted);
    free(sorted);
}

/* Between two cells, with about half of the dots on either side. */
static uint32_t median_cut(const palette *p, const colour_box *box)
{
    uint64_t half = dots_in(p, box) / 2, dots = 0;
    uint32_t cut = box->first;
    while (cut + 1 < box->last - 1 && dots + p->cells[p->order[cut]].count < half) {
        dots += p->cells[p->order[cut++]].count;
    }
    return cut + 1;
}

/* The box that has most to gain; the root of the dots, so that small bright things get colours. */
static uint32_t box_to_cut(const palette *p)
{
    uint32_t best = UINT32_MAX;
    double most = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t length;
        longest_axis(p, &p->boxes[i], &length);
        const double gain = sqrt((double)dots_in(p, &p->boxes[i])) * length * length;
        if (gain > most) most = gain, best = i;
    }
    return best;
}

static void cut_boxes(palette *p, uint32_t wanted)
{
    while (p->count < wanted) {
        const uint32_t which = box_to_cut(p);
        if (which == UINT32_MAX) return;
        colour_box *box = &p->boxes[which];
        uint32_t length;
        sort_along(p, box, longest_axis(p, box, &length));
        const uint32_t cut = median_cut(p, box);
        p->boxes[p->count++] = (colour_box){cut, box->last};
        box->last = cut;
    }
}

static void name_colour(palette *p, uint32_t number)
{
    const colour_box *box = &p->boxes[number];
    uint64_t sum[3] = {0, 0, 0}, dots = dots_in(p, box);
    for (uint32_t i = box->first; i < box->last; i++) {
        colour_cell *cell = &p->cells[p->order[i]];
        for (int k = 0; k < 3; k++) sum[k] += cell->sum[k];
        cell->number = number;
    }
    for (int k = 0; k < 3; k++) p->colours[number][k] = (uint8_t)((sum[k] + dots / 2) / dots);
}

static void palette_make(palette *p, const uint8_t *rgb, size_t dots, uint32_t wanted)
{
    for (size_t i = 0; i < dots; i++) {
        colour_cell *cell = &p->cells[cell_of(rgb + 3 * i)];
        if (cell->count++ == 0) p->order[p->boxes[0].last++] = cell_of(rgb + 3 * i);
        for (int k = 0; k < 3; k++) cell->sum[k] += rgb[3 * i + (size_t)k];
    }
    p->count = 1;
    cut_boxes(p, wanted);
    for (uint32_t i = 0; i < p->count; i++) name_colour(p, i);
}

static bool write_indexed(const image *i, uint8_t *rgb, const char *path, uint32_t colours,
                          char reason[PNG_FILE_REASON])
{
    const size_t dots = (size_t)i->width * i->height;
    palette *p = calloc(1, sizeof *p);
    if (p == NULL) {
        snprintf(reason, PNG_FILE_REASON, "out of memory");
        return false;
    }
    palette_make(p, rgb, dots, colours);
    /* In place: a number is never behind the colour that it replaces. */
    for (size_t dot = 0; dot < dots; dot++) {
        rgb[dot] = (uint8_t)p->cells[cell_of(rgb + 3 * dot)].number;
    }
    const bool fine = png_file_write_indexed(path, rgb, i->width, i->height,
                                             (const uint8_t(*)[3])p->colours, p->count, reason);
    free(p);
    return fine;
}

bool image_write(const image *i, const char *path, uint32_t colours, char reason[IMAGE_REASON])
{
    char words[PNG_FILE_REASON] = "out of memory";
    uint8_t *rgb = malloc((size_t)i->width * i->height * 3 + 1);
    bool fine = rgb != NULL;
    if (fine) {
        image_bytes(i, rgb);
        fine = colours > 0 ? write_indexed(i, rgb, path, colours, words)
                           : png_file_write(path, rgb, i->width, i->height, words);
    }
    if (!fine) snprintf(reason, IMAGE_REASON, "%s", words);
    free(rgb);
    return fine;
}
