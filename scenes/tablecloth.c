/* tablecloth.c - a square cloth falls onto a round table and drapes over it, folds included.
 *
 * Stands for the cloth clips of the field, as they come out of a simulation: a mesh that no rule
 * describes, wide flat contact, an edge at which the cloth cuts a little into the table, and folds
 * that go through each other in some frames. The table stands still and is rigid. The cloth is
 * clear of it at first. */
#include "cloth.h"
#include "scenes.h"
#include "sheet.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS = 120, RING = 64, RIM = 9, TOP = 8 };

/* The table is all that is within HALF of a disc of radius CORE: its edge is round. The top is at
 * z = 0, the leg goes down to FLOOR. The cloth keeps a small distance at its knots. */
#define HALF 0.07
#define CORE 0.93
#define LEG 0.12
#define FLOOR (-1.8)
#define DISTANCE 0.007

typedef struct tablecloth {
    cloth cloth;
    uint32_t squares;
} tablecloth;

/* ---- the table ---- */

/* How far a ring of vertices is from the axis, and how high. */
typedef struct ring {
    double radius, height;
} ring;

/* From the middle of the top over the edge to the foot of the leg. */
enum { RING_COUNT = TOP + RIM + 2 };

static void fill_rings(ring rings[RING_COUNT])
{
    for (int i = 0; i < TOP; i++) {
        rings[i] = (ring){CORE * (i + 1) / (TOP + 1), 0};
    }
    for (int i = 0; i < RIM; i++) {
        double angle = SCENE_PI * i / (RIM - 1);
        rings[TOP + i] = (ring){CORE + HALF * wi_sin(angle), HALF * (wi_cos(angle) - 1)};
    }
    rings[TOP + RIM] = (ring){LEG, -2 * HALF};
    rings[TOP + RIM + 1] = (ring){LEG, FLOOR};
}

/* The middle of the top, the rings, the middle of the foot. */
static void table_positions(float *xyz_out)
{
    ring rings[RING_COUNT];
    fill_rings(rings);
    vec_store((vec){0, 0, 0}, xyz_out, 0);
    for (uint32_t i = 0; i < RING_COUNT * RING; i++) {
        ring r = rings[i / RING];
        double angle = 2 * SCENE_PI * (i % RING) / RING;
        vec_store((vec){r.radius * wi_cos(angle), r.radius * wi_sin(angle), r.height}, xyz_out,
                  i + 1);
    }
    vec_store((vec){0, 0, FLOOR}, xyz_out, RING_COUNT * RING + 1);
}

static bool fill_table(scene_body *body)
{
    body->motion = SCENE_RIGID;
    body->vertex_count = RING_COUNT * RING + 2;
    body->triangle_count = 2 * RING_COUNT * RING;
    body->indices = malloc(3 * (size_t)body->triangle_count * sizeof *body->indices);
    if (body->indices == NULL) {
        return false;
    }
    uint32_t *out = body->indices, last = body->vertex_count - 1;
    for (uint32_t i = 0; i < RING; i++) {
        uint32_t next = (i + 1) % RING;
        *out++ = 0, *out++ = 1 + i, *out++ = 1 + next;
        for (uint32_t at = 1; at + RING < last; at += RING) {
            const uint32_t square[6] = {at + i,    at + RING + i, at + next,
                                        at + next, at + RING + i, at + RING + next};
            memcpy(out, square, sizeof square);
            out += 6;
        }
        *out++ = last, *out++ = last - RING + next, *out++ = last - RING + i;
    }
    return true;
}

/* ---- the cloth ---- */

static vec stop(const cloth_move *move)
{
    vec at = move->now;
    double across = sqrt(at.x * at.x + at.y * at.y);
    double inward = across > CORE ? CORE / across : 1;
    vec core = {at.x * inward, at.y * inward, -HALF};
    vec off = vec_sub(at, core);
    double distance = vec_length(off);
    if (distance >= HALF + DISTANCE || distance < 1e-9) {
        return at;
    }
    vec normal = vec_scale(1 / distance, off);
    vec outside = vec_along(core, HALF + DISTANCE, normal);
    return cloth_rub(move->before, outside, normal, (vec){0, 0, 0}, 0.2);
}

static bool create(scene *s)
{
    tablecloth *data = calloc(1, sizeof *data);
    s->data = data;
    s->bodies = calloc(2, sizeof *s->bodies);
    if (data == NULL || s->bodies == NULL) {
        return false;
    }
    cloth_def def = {.side = 3.4,
                     .centre = {0, 0, 0.4},
                     .key_count = STEPS + 1,
                     .key = random_key(WI_HASH_START, s->params.seed),
                     .stop = stop};
    data->squares = cloth_squares(s->asked.triangles);
    s->body_count = 2;
    s->params.triangles = 2 * data->squares * data->squares;
    s->bodies[0].self = strcmp(s->params.variant, "self") == 0;
    s->bodies[0].motion = SCENE_KEYFRAMES;
    return sheet_fill_body(&s->bodies[0], data->squares, data->squares) &&
           fill_table(&s->bodies[1]) && cloth_create(&def, &data->cloth);
}

static void destroy(scene *s)
{
    tablecloth *data = s->data;
    cloth_destroy(&data->cloth);
    free(data);
}

static void key(const scene *s, uint32_t key, uint32_t body, uint32_t first, uint32_t count,
                float *xyz_out)
{
    const tablecloth *data = s->data;
    cloth_part part = {data->squares, first, count};
    (void)body; /* the other one is rigid */
    cloth_positions(&data->cloth, scene_step(s, scene_key_frame(s, key)), &part, xyz_out);
}

static void rest(const scene *s, uint32_t body, float *xyz_out)
{
    (void)s, (void)body;
    table_positions(xyz_out);
}

static const char *const body_names[] = {"cloth", "table", NULL};

extern const scene_kind scene_tablecloth;
const scene_kind scene_tablecloth = {
    .name = "tablecloth",
    .body_names = body_names,
    .summary = "a cloth falls onto a round table and drapes over it; folds go through folds",
    .stands_for = "cloth clips, as a simulation writes them",
    .defaults = {.triangles = 10000, .frames = STEPS, .seed = 1, .variant = "self"},
    .lowest = {.triangles = 2, .frames = 1},
    .highest = {.triangles = 2000000, .frames = 1000000, .inbetween = 10000, .seed = UINT32_MAX},
    .variants = "self apart",
    .create = create,
    .destroy = destroy,
    .key = key,
    .rest = rest,
};
