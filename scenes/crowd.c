/* crowd.c - boxes that move, without meshes. Way in: crowd_create, crowd_step. */
#include "crowd.h"

#include <math.h>
#include <stdlib.h>
#include "random.h"

typedef struct member {
    double at[3], size[3], velocity[3], speed;
} member;

struct crowd {
    crowd_def def;
    uint64_t key, drawn;
    double room; /* edge of the cube */
    uint32_t frame;
    member *members;
    float *boxes;
    uint32_t *changed;
    uint32_t changed_count;
};

static double between(crowd *c, double low, double high)
{
    return random_between(c->key, c->drawn++, low, high);
}

static double cube_root(double x)
{
    double root = x > 1.0 ? x : 1.0;
    for (int i = 0; i < 200; i++) root = (2.0 * root + x / (root * root)) / 3.0;
    return root;
}

/* Edges differ by a fifth, so that no two boxes are alike. */
static void make_size(crowd *c, member *m)
{
    double edge = 1.0;
    if (c->def.sizes == CROWD_HEAVY) {
        const double u = between(c, 1e-12, 1.0);
        edge = 0.3 / sqrt(u);
        edge = edge < 50.0 ? edge : 50.0;
    }
    for (uint32_t axis = 0; axis < 3; axis++)
        m->size[axis] = axis < c->def.dimensions ? edge * between(c, 0.8, 1.2) : 0.0;
}

static void make_member(crowd *c, member *m)
{
    make_size(c, m);
    m->speed = between(c, 0.2, 1.0);
    for (uint32_t axis = 0; axis < c->def.dimensions; axis++) {
        m->at[axis] = between(c, 0.0, c->room);
        m->velocity[axis] = between(c, -0.01, 0.01) * m->size[axis];
    }
}

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
        make_member(c, &c->members[i]);
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

/* Walls throw boxes back. */
static void move_drifting(crowd *c, member *m)
{
    for (uint32_t axis = 0; axis < c->def.dimensions; axis++) {
        m->at[axis] += m->velocity[axis];
        if ((m->at[axis] < 0.0 && m->velocity[axis] < 0.0) ||
            (m->at[axis] > c->room && m->velocity[axis] > 0.0))
            m->velocity[axis] = -m->velocity[axis];
    }
}

static void move_brownian(crowd *c, member *m)
{
    for (uint32_t axis = 0; axis < c->def.dimensions; axis++) {
        m->at[axis] += between(c, -0.01, 0.01) * m->size[axis];
        m->at[axis] = m->at[axis] < 0.0 ? 0.0 : m->at[axis] > c->room ? c->room : m->at[axis];
    }
}

static void move_falling(crowd *c, member *m)
{
    const uint32_t down = c->def.dimensions - 1;
    m->at[down] -= 0.1 * m->speed;
    if (m->at[down] < 0.0) m->at[down] += c->room;
}

/* In for fifty steps, to half of all lengths, then out again. */
static void move_pressed(crowd *c, member *m)
{
    enum { HALF = 50 };
    const double factor = c->frame % (2 * HALF) < HALF ? 0.986 : 1.0 / 0.986;
    for (uint32_t axis = 0; axis < c->def.dimensions; axis++)
        m->at[axis] = 0.5 * c->room + factor * (m->at[axis] - 0.5 * c->room);
}

void crowd_step(crowd *c)
{
    c->changed_count = 0;
    for (uint32_t i = 0; i < c->def.count; i++) {
        if (c->def.moving < 1.0 && between(c, 0.0, 1.0) >= c->def.moving) continue;
        switch (c->def.motion) {
        case CROWD_DRIFTING: move_drifting(c, &c->members[i]); break;
        case CROWD_FALLING: move_falling(c, &c->members[i]); break;
        case CROWD_PRESSED: move_pressed(c, &c->members[i]); break;
        default: move_brownian(c, &c->members[i]); break;
        }
        write_box(c, i);
        c->changed[c->changed_count++] = i;
    }
    c->frame++;
}

const void *crowd_boxes(const crowd *c) { return c->boxes; }

const uint32_t *crowd_changed(const crowd *c, uint32_t *count)
{
    *count = c->changed_count;
    return c->def.moving < 1.0 ? c->changed : NULL;
}
