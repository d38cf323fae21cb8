/* cloth.c - position-based cloth on a net of knots, and smooth meshes from the net.
 *
 * Way in: cloth_create, cloth_positions. The simulation is the one of Muller and others 2007
 * ("Position based dynamics") with many small steps and one round of corrections in each: knots
 * fall, lengths along threads, across squares and over two squares are put right one after the
 * other, and what is in the way pushes knots out. The cloth does not feel itself, so folds go
 * through folds. The mesh follows the net as a Catmull-Rom surface: smooth, through all knots. */
#include "cloth.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = CLOTH_KNOTS, KNOTS = SIDE * SIDE, PARTS = 8 };

#define PART_TIME (CLOTH_KEY_TIME / PARTS)
#define GRAVITY 9.81
#define DRAG 1.5 /* a knot alone in the air would lose its speed at this rate per second */

/* Two knots, numbered from the knot that they belong to, and how strictly they keep apart. */
typedef struct thread_kind {
    int to_x, to_y;       /* the second */
    int from_x;           /* the first; its y is 0 */
    double length, share; /* times the width of a square; of the error that one round corrects */
} thread_kind;

static const thread_kind thread_kinds[] = {
    {1, 0, 0, 1, 1.0},           {0, 1, 0, 1, 1.0},           /* threads */
    {1, 1, 0, 1.41421356, 0.05}, {0, 1, 1, 1.41421356, 0.05}, /* across a square */
    {2, 0, 0, 2, 0.002},         {0, 2, 0, 2, 0.002},         /* over two: bending */
};

typedef struct net {
    vec now[KNOTS], before[KNOTS];
    double square;
} net;

static void correct(vec *a, vec *b, double length, double share)
{
    vec between = vec_sub(*b, *a);
    double found = vec_length(between);
    double by = 0.5 * share * (found - length) / (found > 1e-9 ? found : 1e-9);
    *a = vec_along(*a, by, between);
    *b = vec_along(*b, -by, between);
}

/* Every second one of a row, then the others: neighbours do not wait for each other. */
static void correct_all(net *n, const thread_kind *kind)
{
    int reach = kind->to_x > kind->from_x ? kind->to_x : kind->from_x;
    double length = kind->length * n->square;
    for (int y = 0; y + kind->to_y < SIDE; y++) {
        vec *from = n->now + y * SIDE + kind->from_x;
        vec *to = n->now + (y + kind->to_y) * SIDE + kind->to_x;
        for (int odd = 0; odd < 2; odd++) {
            for (int x = odd; x + reach < SIDE; x += 2) {
                correct(&from[x], &to[x], length, kind->share);
            }
        }
    }
}

/* Every knot goes on as it went, and falls. */
static void move_on(net *n)
{
    for (int i = 0; i < KNOTS; i++) {
        vec way = vec_scale(1 - DRAG * PART_TIME, vec_sub(n->now[i], n->before[i]));
        way.z -= GRAVITY * PART_TIME * PART_TIME;
        n->before[i] = n->now[i];
        n->now[i] = vec_add(n->now[i], way);
    }
}

static void run_part(net *n, const cloth_def *def, double time)
{
    move_on(n);
    for (size_t i = 0; i < sizeof thread_kinds / sizeof thread_kinds[0]; i++) {
        correct_all(n, &thread_kinds[i]);
    }
    for (int i = 0; i < KNOTS; i++) {
        n->now[i] = def->stop(&(cloth_move){time, PART_TIME, n->before[i], n->now[i]});
    }
}

/* Level, turned by a random angle, with ripples that decide where folds will be. */
static void start(net *n, const cloth_def *def)
{
    turn about = turn_about((vec){0, 0, 1}, random_between(def->key, 0, 0, 2 * SCENE_PI));
    double phase_x = random_between(def->key, 1, 0, 2 * SCENE_PI);
    double phase_y = random_between(def->key, 2, 0, 2 * SCENE_PI);
    n->square = def->side / (SIDE - 1);
    for (int i = 0; i < KNOTS; i++) {
        vec own = {(i % SIDE) * n->square - 0.5 * def->side,
                   (i / SIDE) * n->square - 0.5 * def->side, 0};
        own.z = 0.01 * def->side * (wi_sin(3.1 * own.x + phase_x) + wi_sin(2.3 * own.y + phase_y));
        n->now[i] = vec_add(def->centre, turn_apply(&about, own));
        n->before[i] = n->now[i];
    }
}

bool cloth_create(const cloth_def *def, cloth *out)
{
    net *n = malloc(sizeof *n);
    *out = (cloth){def->key_count, malloc((size_t)def->key_count * KNOTS * sizeof *out->knots)};
    bool fine = n != NULL && out->knots != NULL;
    if (fine) {
        start(n, def);
    }
    for (uint32_t key = 0; fine && key < def->key_count; key++) {
        memcpy(out->knots + (size_t)key * KNOTS, n->now, sizeof n->now);
        for (int part = 0; part < PARTS; part++) {
            run_part(n, def, key * CLOTH_KEY_TIME + part * PART_TIME);
        }
    }
    free(n);
    return fine;
}

void cloth_destroy(cloth *c)
{
    free(c->knots);
    c->knots = NULL;
}

vec cloth_rub(vec before, vec now, vec normal, vec drift, double friction)
{
    vec slide = vec_sub(vec_sub(now, before), drift);
    slide = vec_along(slide, -vec_dot(slide, normal), normal);
    return vec_along(now, -friction, slide);
}

/* ---- meshes ---- */

uint32_t cloth_squares(uint32_t triangles)
{
    double squares = floor(sqrt(0.5 * triangles) + 0.5);
    return squares < 1 ? 1 : (uint32_t)squares;
}

/* The net with one more knot on every side, where the surface would go on straight. */
enum { WIDE = SIDE + 2 };

typedef struct wide_net {
    vec knots[WIDE * WIDE];
} wide_net;

static vec beyond(vec inner, vec edge) { return vec_sub(vec_scale(2, edge), inner); }

static void widen(const cloth *c, double key, wide_net *out)
{
    uint32_t last = c->key_count - 1, before = (uint32_t)floor(key);
    before = before < last ? before : last;
    const vec *from = c->knots + (size_t)before * KNOTS;
    const vec *to = before < last ? from + KNOTS : from;
    vec *knots = out->knots;
    for (int i = 0; i < KNOTS; i++) {
        knots[(i / SIDE + 1) * WIDE + i % SIDE + 1] = vec_mix(from[i], to[i], key - before);
    }
    for (int y = 1; y <= SIDE; y++) {
        vec *row = knots + y * WIDE;
        row[0] = beyond(row[2], row[1]);
        row[SIDE + 1] = beyond(row[SIDE - 1], row[SIDE]);
    }
    for (int x = 0; x < WIDE; x++) {
        vec *column = knots + x;
        column[0] = beyond(column[2 * WIDE], column[WIDE]);
        column[(SIDE + 1) * WIDE] = beyond(column[(SIDE - 1) * WIDE], column[SIDE * WIDE]);
    }
}

/* Where a vertex lies on one side of the net: four knots and their weights. */
typedef struct stretch {
    int first;
    double weights[4];
} stretch;

static stretch stretch_at(uint32_t vertex, uint32_t squares)
{
    double at = (double)vertex * (SIDE - 1) / squares;
    int first = (int)floor(at);
    first = first < SIDE - 2 ? first : SIDE - 2;
    double t = at - first;
    return (stretch){first,
                     {0.5 * (-t + t * t * (2 - t)), 0.5 * (2 + t * t * (3 * t - 5)),
                      0.5 * (t + t * t * (4 - 3 * t)), 0.5 * t * t * (t - 1)}};
}

static vec blend(const wide_net *wide, const stretch *x, const stretch *y)
{
    vec sum = {0, 0, 0};
    for (int j = 0; j < 4; j++) {
        const vec *row = wide->knots + (y->first + j) * WIDE + x->first;
        vec part = {0, 0, 0};
        for (int i = 0; i < 4; i++) {
            part = vec_along(part, x->weights[i], row[i]);
        }
        sum = vec_along(sum, y->weights[j], part);
    }
    return sum;
}

void cloth_positions(const cloth *c, double key, const cloth_part *part, float *xyz_out)
{
    wide_net wide;
    double last = c->key_count - 1;
    uint32_t row = part->squares + 1;
    widen(c, key < last ? key : last, &wide);
    for (uint32_t i = 0; i < part->count; i++) {
        uint32_t vertex = part->first + i;
        stretch x = stretch_at(vertex % row, part->squares);
        stretch y = stretch_at(vertex / row, part->squares);
        vec_store(blend(&wide, &x, &y), xyz_out, i);
    }
}
