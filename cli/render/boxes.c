/* boxes.c - the boxes of the hierarchies as lines over the picture.
 *
 * The colour says how deep a box is. Lines are whole where the box is fresh, that is true now since
 * the update or a query made it so, and grey and dashed where nobody needed it in this frame.
 * Behind what is seen they are faint. */
#include "cli/render/render.h"

#include <math.h>
#include <stdlib.h>

/* ---- collecting ---- */

typedef struct box_visit {
    shown_boxes *out;
    willow_pose pose;
    uint32_t from, to;
    bool out_of_memory;
} box_visit;

/* Room for one more of `size` bytes; NULL for want of memory. */
static void *boxes_grow(void *items, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity) return items;
    const size_t wanted = *capacity > 0 ? 2 * *capacity : 256;
    void *grown = realloc(items, wanted * size);
    if (grown != NULL) *capacity = wanted;
    return grown;
}

/* Inner nodes come in the order of their numbers. */
static bool note_open(shown_boxes *b, const willow_node *node)
{
    if (node->is_leaf) return true;
    uint8_t *grown = boxes_grow(b->open, b->open_count, &b->open_capacity, 1);
    if (grown == NULL) return false;
    b->open = grown;
    b->open[b->open_count++] = node->was_open;
    return true;
}

/* The box of a node is known where its parent was open; that of the root always is. */
static bool is_fresh(const shown_boxes *b, const willow_node *node)
{
    if (node->depth == 0) return true;
    return node->is_leaf ? node->was_open : b->open[node->parent] != 0;
}

static bool is_wanted(const box_visit *v, const willow_node *node)
{
    if (node->depth > v->to) return false;
    return node->depth >= v->from || node->is_leaf;
}

static bool add_box(box_visit *v, const willow_node *node)
{
    shown_boxes *b = v->out;
    shown_box *grown = boxes_grow(b->boxes, b->count, &b->capacity, sizeof *grown);
    if (grown == NULL) return false;
    b->boxes = grown;
    shown_box *box = &b->boxes[b->count++];
    box->depth = node->depth;
    box->fresh = is_fresh(b, node);
    b->fresh_count += box->fresh;
    for (unsigned i = 0; i < 8; i++) {
        box->corners[i] = (willow_vec3){(i & 1) != 0 ? node->box.upper.x : node->box.lower.x,
                                        (i & 2) != 0 ? node->box.upper.y : node->box.lower.y,
                                        (i & 4) != 0 ? node->box.upper.z : node->box.lower.z};
    }
    willow_pose_apply(&v->pose, box->corners, 0, 8, box->corners);
    return true;
}

static bool boxes_visit(void *context, const willow_node *node)
{
    box_visit *v = context;
    v->out_of_memory = !note_open(v->out, node) || (is_wanted(v, node) && !add_box(v, node));
    return !v->out_of_memory;
}

bool shown_boxes_collect(shown_boxes *b, player *p, uint32_t from, uint32_t to)
{
    b->count = b->fresh_count = 0;
    for (uint32_t i = 0; i < p->scene->body_count; i++) {
        willow_body_info info;
        willow_result result = willow_body_get_info(p->world, p->bodies[i], &info);
        if (result != WILLOW_OK) return player_fail_asking(p, result);
        box_visit v = {.out = b, .pose = info.pose, .from = from, .to = to};
        b->open_count = 0;
        result = willow_body_visit_nodes(p->world, p->bodies[i], boxes_visit, &v);
        if (v.out_of_memory) result = WILLOW_OUT_OF_MEMORY;
        if (result != WILLOW_OK) return player_fail_asking(p, result);
    }
    return true;
}

void shown_boxes_destroy(shown_boxes *b)
{
    free(b->boxes);
    free(b->open);
}

/* ---- drawing ---- */

typedef struct seen_point {
    double x, y, z; /* dots from the upper left corner, and how far ahead */
} seen_point;

typedef struct brush {
    const samples *samples;
    const ray_picture *picture;
    image *out;
    colour paint;
    int width;
    bool dashed;
} brush;

static const float behind_share = 0.16F;

/* By depth, round again behind the last: those of the first levels are far apart. */
static const colour depth_colours[] = {
    {0.02F, 0.06F, 0.30F}, {0.00F, 0.20F, 0.75F}, {0.00F, 0.42F, 0.30F}, {0.55F, 0.22F, 0.00F},
    {0.40F, 0.02F, 0.45F}, {0.00F, 0.38F, 0.60F}, {0.25F, 0.40F, 0.02F}, {0.60F, 0.05F, 0.20F},
};
static const colour stale_colour = {0.30F, 0.30F, 0.30F};

static float depth_at(const brush *b, uint32_t x, uint32_t y)
{
    uint32_t column = x / b->picture->sampling, row = y / b->picture->sampling;
    const uint32_t columns = ray_picture_columns(b->picture), rows = ray_picture_rows(b->picture);
    if (column >= columns) column = columns - 1;
    if (row >= rows) row = rows - 1;
    return b->samples->depths[(size_t)row * columns + column];
}

static void paint_dot(const brush *b, int x, int y, double z)
{
    if (x < 0 || y < 0 || x >= (int)b->out->width || y >= (int)b->out->height) return;
    const bool behind = z > 1.002 * (double)depth_at(b, (uint32_t)x, (uint32_t)y);
    const float share = (behind ? behind_share : 0.9F) * (b->dashed ? 0.6F : 1);
    colour *dot = &b->out->dots[(size_t)y * b->out->width + (size_t)x];
    dot->r += share * (b->paint.r - dot->r);
    dot->g += share * (b->paint.g - dot->g);
    dot->b += share * (b->paint.b - dot->b);
}

/* Steps of one dot along the longer axis; the brush is wide across it, so that no dot is painted
 * twice. 1 / z is straight in the picture. */
static void paint_line(const brush *b, seen_point from, seen_point to)
{
    const double dx = to.x - from.x, dy = to.y - from.y;
    const bool is_steep = fabs(dy) > fabs(dx);
    const int steps = (int)ceil(is_steep ? fabs(dy) : fabs(dx));
    const int dash = 4 * b->width;
    for (int i = 0; i <= steps; i++) {
        if (b->dashed && i / dash % 2 == 1) continue;
        const double share = steps > 0 ? (double)i / steps : 0;
        const double z = 1 / ((1 - share) / from.z + share / to.z);
        const int x = (int)floor(from.x + share * dx), y = (int)floor(from.y + share * dy);
        for (int k = -(b->width / 2); k < b->width - b->width / 2; k++) {
            paint_dot(b, is_steep ? x + k : x, is_steep ? y : y + k, z);
        }
    }
}

static seen_point see(const lens *l, const double at[3])
{
    double x = 0, y = 0, z = 0;
    for (int k = 0; k < 3; k++) {
        x += l->right[k] * (at[k] - l->eye[k]);
        y += l->down[k] * (at[k] - l->eye[k]);
        z += l->ahead[k] * (at[k] - l->eye[k]);
    }
    return (seen_point){x, y, z};
}

static seen_point in_picture(const lens *l, seen_point p)
{
    return (seen_point){l->middle_x + l->pixels * p.x / p.z, l->middle_y + l->pixels * p.y / p.z,
                        p.z};
}

/* The part of it that is ahead of the eye, and not so near that it would be endless. */
static bool clip_near(seen_point *a, seen_point *b, double near)
{
    if (a->z < near && b->z < near) return false;
    seen_point *hidden = a->z < near ? a : b, *seen = a->z < near ? b : a;
    if (hidden->z >= near) return true;
    const double share = (near - hidden->z) / (seen->z - hidden->z);
    *hidden = (seen_point){hidden->x + share * (seen->x - hidden->x),
                           hidden->y + share * (seen->y - hidden->y), near};
    return true;
}

/* Lines that end far outside would take long, and none of a box around the eye is worth it. */
static bool is_beside(const brush *b, seen_point p)
{
    const double most = 16.0 * (b->out->width + b->out->height);
    return !(fabs(p.x) < most && fabs(p.y) < most);
}

static void paint_edge(const brush *with, const lens *l, willow_vec3 a, willow_vec3 b)
{
    const double from[3] = {(double)a.x, (double)a.y, (double)a.z};
    const double to[3] = {(double)b.x, (double)b.y, (double)b.z};
    seen_point p = see(l, from), q = see(l, to);
    const double far = p.z > q.z ? p.z : q.z;
    if (!(far > 0) || !clip_near(&p, &q, 1e-3 * far)) return;
    p = in_picture(l, p);
    q = in_picture(l, q);
    if (is_beside(with, p) || is_beside(with, q)) return;
    paint_line(with, p, q);
}

static void paint_box(const brush *b, const lens *l, const shown_box *box)
{
    for (unsigned i = 0; i < 8; i++) {
        for (unsigned axis = 1; axis < 8; axis *= 2) {
            if ((i & axis) == 0) paint_edge(b, l, box->corners[i], box->corners[i | axis]);
        }
    }
}

static void paint_boxes(const shown_boxes *b, brush *with, const lens *l, bool fresh)
{
    const size_t colours = sizeof depth_colours / sizeof depth_colours[0];
    for (size_t i = 0; i < b->count; i++) {
        const shown_box *box = &b->boxes[i];
        if (box->fresh != fresh) continue;
        with->paint = fresh ? depth_colours[box->depth % colours] : stale_colour;
        with->dashed = !fresh;
        paint_box(with, l, box);
    }
}

/* Fresh ones over the others. */
void shown_boxes_draw(const shown_boxes *b, const lens *l, const samples *s,
                      const ray_picture *picture, uint32_t line_width, image *out)
{
    brush with = {.samples = s, .picture = picture, .out = out, .width = (int)line_width};
    paint_boxes(b, &with, l, false);
    paint_boxes(b, &with, l, true);
}
