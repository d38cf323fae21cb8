/* crowd.c - boxes that move, without meshes. Way in: crowd_create, crowd_step.
 *
 * What a box does in a step is drawn from its number and the frame alone, so that any box can be
 * followed through the frames without the others. */
#include "crowd.h"

#include <math.h>
#include <stdlib.h>
#include "random.h"

#define CROWD_WORD(name, word, what) word,
const char *const crowd_size_words[CROWD_SIZES_COUNT] = {CROWD_SIZES(CROWD_WORD)};
const char *const crowd_motion_words[CROWD_MOTION_COUNT] = {CROWD_MOTIONS(CROWD_WORD)};
#undef CROWD_WORD

typedef struct member {
    double at[3], size[3], velocity[3], speed;
} member;

struct crowd {
    crowd_def def;
    uint64_t key;
    double room; /* edge of the cube */
    uint32_t frame;
    member *members;
    float *boxes;
    uint32_t *changed;
    uint32_t changed_count;
};

/* ---- the start ---- */

/* Numbers that are drawn one after the other. */
typedef struct draws {
    uint64_t key, drawn;
} draws;

static double between(draws *d, double low, double high)
{
    return random_between(d->key, d->drawn++, low, high);
}

static draws draws_of(const crowd *c, uint32_t number, uint32_t frame)
{
    return (draws){.key = random_key(random_key(c->key, frame), number)};
}

static double cube_root(double x)
{
    double root = x > 1.0 ? x : 1.0;
    for (int i = 0; i < 200; i++) root = (2.0 * root + x / (root * root)) / 3.0;
    return root;
}

/* Edges differ by a fifth, so that no two boxes are alike. */
static void make_size(const crowd *c, draws *d, member *m)
{
    double edge = 1.0;
    if (c->def.sizes == CROWD_HEAVY) {
        const double u = between(d, 1e-12, 1.0);
        edge = 0.3 / sqrt(u);
        edge = edge < 50.0 ? edge : 50.0;
    }
    for (uint32_t axis = 0; axis < 3; axis++)
        m->size[axis] = axis < c->def.dimensions ? edge * between(d, 0.8, 1.2) : 0.0;
}

static member make_member(const crowd *c, uint32_t number)
{
    draws d = draws_of(c, number, 0);
    member m = {.speed = 0.0};
    make_size(c, &d, &m);
    m.speed = between(&d, 0.2, 1.0);
    for (uint32_t axis = 0; axis < c->def.dimensions; axis++) {
        m.at[axis] = between(&d, 0.0, c->room);
        m.velocity[axis] = between(&d, -0.01, 0.01) * m.size[axis];
    }
    return m;
}

/* ---- steps ---- */

/* Walls throw boxes back. */
static void move_drifting(const crowd *c, member *m)
{
    for (uint32_t axis = 0; axis < c->def.dimensions; axis++) {
        m->at[axis] += m->velocity[axis];
        if ((m->at[axis] < 0.0 && m->velocity[axis] < 0.0) ||
            (m->at[axis] > c->room && m->velocity[axis] > 0.0))
            m->velocity[axis] = -m->velocity[axis];
    }
}

static void move_brownian(const crowd *c, draws *d, member *m)
{
    for (uint32_t axis = 0; axis < c->def.dimensions; axis++) {
        m->at[axis] += between(d, -0.01, 0.01) * m->size[axis];
        m->at[axis] = m->at[axis] < 0.0 ? 0.0 : m->at[axis] > c->room ? c->room : m->at[axis];
    }
}

static void move_falling(const crowd *c, member *m)
{
    const uint32_t down = c->def.dimensions - 1;
    m->at[down] -= 0.1 * m->speed;
    if (m->at[down] < 0.0) m->at[down] += c->room;
}

/* In for fifty steps, to half of all lengths, then out again. */
static void move_pressed(const crowd *c, uint32_t frame, member *m)
{
    enum { HALF = 50 };
    const double factor = (frame - 1) % (2 * HALF) < HALF ? 0.986 : 1.0 / 0.986;
    for (uint32_t axis = 0; axis < c->def.dimensions; axis++)
        m->at[axis] = 0.5 * c->room + factor * (m->at[axis] - 0.5 * c->room);
}

/* From the frame before to this one; false if it stays where it is. */
static bool move(const crowd *c, uint32_t frame, uint32_t number, member *m)
{
    draws d = draws_of(c, number, frame);
    if (c->def.moving < 1.0 && between(&d, 0.0, 1.0) >= c->def.moving) return false;
    switch (c->def.motion) {
    case CROWD_DRIFTING: move_drifting(c, m); break;
    case CROWD_FALLING: move_falling(c, m); break;
    case CROWD_PRESSED: move_pressed(c, frame, m); break;
    default: move_brownian(c, &d, m); break;
    }
    return true;
}

/* ---- crowds ---- */

static void write_box(crowd *c, uint32_t number)
{
    const member *m = &c->members[number];
    const uint32_t dimensions = c->def.dimensions;
    float *box = &c->boxes[2 * (size_t)dimensions * number];
    for (uint32_t axis = 0; axis < dimensions; axis++) {
        box[axis] = (float)(m->at[axis] - 0.5 * m->size[axis]);
        box[dimensions + axis] = (float)(m->at[axis] + 0.5 * m->size[axis]);
    }
}

crowd *crowd_create(const crowd_def *def)
{
    crowd *c = calloc(1, sizeof *c);
    if (c == NULL) return NULL;
    const size_t count = def->count > 0 ? def->count : 1;
    c->def = *def;
    c->key = random_key(WI_HASH_START, def->seed);
    c->room = def->dimensions == 2 ? sqrt(4.0 * def->count) : cube_root(4.0 * def->count);
    c->members = calloc(count, sizeof *c->members);
    c->boxes = calloc(count, 2 * sizeof *c->boxes * def->dimensions);
    c->changed = calloc(count, sizeof *c->changed);
    if (c->members == NULL || c->boxes == NULL || c->changed == NULL) {
        crowd_destroy(c);
        return NULL;
    }
    for (uint32_t i = 0; i < def->count; i++) {
        c->members[i] = make_member(c, i);
        write_box(c, i);
    }
    return c;
}

void crowd_destroy(crowd *c)
{
    if (c == NULL) return;
    free(c->members);
    free(c->boxes);
    free(c->changed);
    free(c);
}

void crowd_step(crowd *c)
{
    c->frame++;
    c->changed_count = 0;
    for (uint32_t i = 0; i < c->def.count; i++) {
        if (!move(c, c->frame, i, &c->members[i])) continue;
        write_box(c, i);
        c->changed[c->changed_count++] = i;
    }
}

const void *crowd_boxes(const crowd *c) { return c->boxes; }

const uint32_t *crowd_changed(const crowd *c, uint32_t *count)
{
    *count = c->changed_count;
    return c->def.moving < 1.0 ? c->changed : NULL;
}

void crowd_middle(const crowd *c, uint32_t frame, uint32_t number, double out[3])
{
    member m = make_member(c, number);
    for (uint32_t i = 1; i <= frame; i++) (void)move(c, i, number, &m);
    for (int axis = 0; axis < 3; axis++) out[axis] = m.at[axis];
}

void crowd_edges(const crowd *c, uint32_t number, double out[3])
{
    const member m = make_member(c, number);
    for (int axis = 0; axis < 3; axis++) out[axis] = m.size[axis];
}
