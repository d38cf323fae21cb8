/* What a star is cleared of over a step does not meet at any time of it: every two triangles with a
 * common vertex that are a pair at some time are handed out, once, with every kernel. Fans bend,
 * turn, are whirled round so that they fold on the way and are flat again at the end, and miss by a
 * hair. Stars of smooth motion are cleared, at borders too. The same holds within a reach, of what
 * has no vertex in common. */
#include <math.h>
#include <stdlib.h>
#include "base/kernel.h"
#include "prim/meet/tri_tri.h"
#include "support/kept.h"
#include "support/self_lists.h"
#include "support/swept_site.h"
#include "support/test.h"
#include "support/zoo_cases.h"
#include "walk/pairs/pair_walk.h"

extern wi_run_fans wi_run_fans_scalar;
extern wi_run_swept_fans wi_run_swept_fans_scalar, wi_run_swept_fans_avx2;

enum { FANS = 24, MOST_TRIS = 32, PER_FAN = MOST_TRIS + 4, VERTICES = FANS * PER_FAN };
enum { MOST_SLOTS = FANS * (MOST_TRIS + 2) };

/* How a fan is at the start, and what the step does with it. */
typedef enum step_kind {
    STEP_STILL,   /* goes round once, or a part of it, and stays as it is */
    STEP_SMOOTH,  /* bends, turns by up to a sixth of a turn, moves far */
    STEP_ANY,     /* every vertex anywhere near */
    STEP_WHIRL,   /* flat, and as flat at the end, but turned by up to half a turn and stretched
                     here and there, so that it folds on the way */
    STEP_TWICE,   /* goes round two or three times, and moves smoothly */
    STEP_CLOSING, /* open, and opens or closes: to nothing, or past it */
    STEP_FLIP,    /* a vertex of the ring goes through the fan, or past it */
    STEP_HAIR,    /* in a tilted plane, with triangles of next to no area on either side */
    STEP_MEETING, /* the same, open, and the last vertex next to the ray of the first */
    STEP_EDGE, /* the same, and the centre next to an edge of the ring: differences are rounded */
    STEP_KINDS
} step_kind;

typedef struct fans {
    step_kind kind;
    uint64_t random;
    float at[2][VERTICES][3]; /* at the start and at the end */
    uint32_t tris[MOST_SLOTS][3];
    uint32_t fan_of[MOST_SLOTS];
    uint32_t tri_count;
} fans;

static double between(fans *f, double low, double high)
{
    return test_random_between(&f->random, low, high);
}

static uint32_t below(fans *f, uint32_t limit)
{
    return (uint32_t)(test_random(&f->random) % limit);
}

static void add_tri(fans *f, uint32_t fan, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t tri[2][3] = {{a, b, c}, {c, b, a}};
    f->fan_of[f->tri_count] = fan;
    memcpy(f->tris[f->tri_count++], tri[below(f, 4) == 0], sizeof tri[0]);
}

/* A fan: which vertices, and how it goes round. */
typedef struct fan {
    uint32_t first, count, points; /* the centre, triangles, vertices of the ring */
    bool is_closed;
} fan;

static double turns_of(fans *f, const fan *n)
{
    if (f->kind == STEP_TWICE) return 2 + below(f, 2);
    if (n->is_closed) return 1;
    if (f->kind == STEP_CLOSING) return between(f, 0.7, 1);
    return f->kind == STEP_SMOOTH && below(f, 2) == 0 ? 0.5 : between(f, 0.2, 0.95);
}

/* ---- fans on a grid ---- */

/* To a coarse grid, so that times between are exact too. */
static void put(fans *f, int time, uint32_t vertex, const double p[3])
{
    for (int axis = 0; axis < 3; axis++)
        f->at[time][vertex][axis] = (float)(floor(1024 * p[axis] + 0.5) / 1024);
}

/* Turned about an axis through the origin by Rodrigues' formula. */
static void turn_about(const double axis[3], double angle, const double p[3], double out[3])
{
    const double c = cos(angle), s = sin(angle);
    const double along = axis[0] * p[0] + axis[1] * p[1] + axis[2] * p[2];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = c * p[i] + s * (axis[j] * p[k] - axis[k] * p[j]) + (1 - c) * along * axis[i];
    }
}

typedef struct motion {
    double axis[3], angle, move[3], stretch, noise, bend[2];
} motion;

static motion draw_motion(fans *f)
{
    motion m = {.stretch = 0, .noise = 0};
    double size = 0;
    for (int i = 0; i < 3; i++) {
        m.axis[i] = between(f, -1, 1);
        size += m.axis[i] * m.axis[i];
    }
    for (int i = 0; i < 3; i++) m.axis[i] /= sqrt(size);
    for (int i = 0; i < 3; i++) m.move[i] = between(f, -3, 3);
    switch (f->kind) {
    case STEP_STILL: return (motion){.axis = {1, 0, 0}};
    case STEP_SMOOTH:
    case STEP_TWICE:
        m.angle = between(f, 0, 1), m.stretch = 0.1, m.noise = 0.05;
        m.bend[0] = between(f, -0.2, 0.2), m.bend[1] = between(f, -0.2, 0.2);
        break;
    case STEP_ANY: m.noise = between(f, 0, 2); break;
    case STEP_WHIRL:
        m.axis[0] = m.axis[1] = 0, m.axis[2] = 1;
        m.angle = between(f, 0.5, 3.1), m.stretch = 1;
        break;
    default: break;
    }
    return m;
}

static void move_point(fans *f, const motion *m, const double p[3], double out[3])
{
    const double by = pow(2, m->stretch * between(f, -1, 1));
    const double bent[3] = {by * p[0], by * p[1],
                            by * p[2] + m->bend[0] * p[0] * p[0] + m->bend[1] * p[1] * p[1]};
    turn_about(m->axis, m->angle, bent, out);
    for (int i = 0; i < 3; i++) out[i] += m->move[i] + m->noise * between(f, -1, 1);
}

/* The ring as it is at the start: even steps, with some relief. */
static void shape_ring(fans *f, const fan *n, double turns, double (*ring)[3])
{
    const bool is_flat = f->kind == STEP_WHIRL || below(f, 2) == 0;
    const double relief = is_flat ? 0 : pow(2, between(f, -8, -1));
    double angle = between(f, 0, 6);
    for (uint32_t i = 0; i < n->points; i++) {
        const double r = between(f, 0.7, 1.5),
                     step = f->kind == STEP_CLOSING ? 1 : between(f, 0.8, 1.2);
        ring[i][0] = r * cos(angle), ring[i][1] = r * sin(angle);
        ring[i][2] = relief * between(f, -1, 1);
        angle += step * 6.283185307179586 * turns / n->count;
    }
}

/* The ring goes on to the ray of its first vertex, or not so far, or past it. */
static void close_ring(fans *f, const fan *n, double turns, double (*ring)[3])
{
    const double more = between(f, -0.1, 0.3) * 6.283185307179586 / n->count;
    const double axis[3] = {0, 0, 1}, relief = below(f, 2) == 0 ? 0 : 0.2 * (turns > 0.8);
    for (uint32_t i = 1; i < n->points; i++) {
        double p[3];
        turn_about(axis, more * i, ring[i], p);
        for (int k = 0; k < 3; k++) ring[i][k] = p[k] + relief * between(f, -1, 1);
    }
}

/* One vertex of the ring goes to the other side of the fan. */
static void flip_vertex(fans *f, const fan *n, double (*ring)[3])
{
    double *p = ring[below(f, n->points)];
    const double by = between(f, -2, 0.5);
    for (int axis = 0; axis < 3; axis++) p[axis] = by * p[axis] + between(f, -0.3, 0.3);
}

static void place_on_grid(fans *f, const fan *n)
{
    const double turns = turns_of(f, n), origin[3] = {0, 0, 0};
    const motion m = draw_motion(f);
    double ring[MOST_TRIS + 1][3], end[3];
    shape_ring(f, n, turns, ring);
    put(f, 0, n->first, origin);
    for (uint32_t i = 0; i < n->points; i++) put(f, 0, n->first + 1 + i, ring[i]);
    if (f->kind == STEP_CLOSING && !n->is_closed) close_ring(f, n, turns, ring);
    if (f->kind == STEP_FLIP) flip_vertex(f, n, ring);
    move_point(f, &m, origin, end);
    put(f, 1, n->first, end);
    for (uint32_t i = 0; i < n->points; i++) {
        move_point(f, &m, ring[i], end);
        put(f, 1, n->first + 1 + i, end);
    }
    if (f->kind == STEP_STILL)
        memcpy(f->at[1] + n->first, f->at[0] + n->first, PER_FAN * sizeof f->at[0][0]);
}

/* ---- fans by a hair ---- */

/* A tilted plane through the origin, of whole multiples of two vectors: all points of it are exact,
 * so that triangles in it that overlap are pairs. */
typedef struct lattice {
    int along[2][3];
} lattice;

static lattice draw_lattice(fans *f)
{
    lattice l = {{{0}}};
    for (int i = 0; i < 6; i++) l.along[i / 3][i % 3] = (int)below(f, 19) - 9;
    const int *a = l.along[0], *b = l.along[1];
    const bool is_plane =
        a[0] * b[1] != a[1] * b[0] || a[1] * b[2] != a[2] * b[1] || a[2] * b[0] != a[0] * b[2];
    return is_plane ? l : (lattice){{{1, 2, 3}, {-2, 1, 1}}};
}

static void put_in_lattice(fans *f, const lattice *l, int time, uint32_t vertex, const double p[2])
{
    for (int axis = 0; axis < 3; axis++)
        f->at[time][vertex][axis] = (float)(p[0] * l->along[0][axis] + p[1] * l->along[1][axis]);
}

/* The last whole point before (u, v) on the way of Euclid's algorithm: with it the two span an area
 * of as little as whole numbers do. */
static void find_nearest_ray(int u, int v, int out[2])
{
    int step[2] = {1, 0}, before[2] = {0, 1};
    while (v != 0) {
        const int times = u / v, rest = u - times * v;
        for (int i = 0; i < 2; i++) {
            const int kept = step[i];
            step[i] = before[i];
            before[i] = kept - times * before[i];
        }
        u = v, v = rest;
    }
    out[0] = -step[1], out[1] = step[0];
}

/* A vertex on the ray of another or next to it, on either side. */
static void put_near_ray(fans *f, const double from[2], double out[2])
{
    int near[2];
    find_nearest_ray((int)from[0], (int)from[1], near);
    const int side = (int)below(f, 3) - 1;
    const double x = side * near[0], y = side * near[1];
    const bool is_behind = x * from[0] + y * from[1] <= 0;
    out[0] = x + (is_behind ? from[0] : 0), out[1] = y + (is_behind ? from[1] : 0);
}

/* As it is at one time. Where a vertex is near a ray it is so at both times. */
static void shape_hair(fans *f, const fan *n, unsigned near, double turn, double (*ring)[2])
{
    const double turns = n->is_closed ? 1 : f->kind == STEP_MEETING ? 1 : 0.8;
    for (uint32_t i = 0; i < n->points; i++) {
        const double angle = turn + 6.283185307179586 * turns * i / n->count;
        const double r = between(f, 2000, 8000);
        ring[i][0] = floor(r * cos(angle)), ring[i][1] = floor(r * sin(angle));
        if (i > 0 && i == near) put_near_ray(f, ring[i - 1], ring[i]);
    }
    if (f->kind == STEP_MEETING && !n->is_closed) put_near_ray(f, ring[0], ring[n->points - 1]);
}

static void place_by_hair(fans *f, const fan *n)
{
    const lattice l = draw_lattice(f);
    const unsigned near = f->kind == STEP_HAIR ? 1 + below(f, n->points - 1) : 0;
    const bool is_still = below(f, 4) == 0;
    double ring[MOST_TRIS + 1][2], turn = between(f, 0, 6);
    for (int time = 0; time < 2; time++) {
        const double move[2] = {(int)below(f, 200) - 100, (int)below(f, 200) - 100};
        if (time == 0 || !is_still) shape_hair(f, n, near, turn, ring);
        put_in_lattice(f, &l, time, n->first, move);
        for (uint32_t i = 0; i < n->points; i++) {
            const double p[2] = {ring[i][0] + move[0], ring[i][1] + move[1]};
            put_in_lattice(f, &l, time, n->first + 1 + i, p);
        }
        turn += between(f, -0.1, 0.1);
    }
}

/* The last and the first vertex of the ring are on one line with the origin, on either side of it,
 * and stay on that line; the others are on its left. */
static void place_next_to_edge(fans *f, const fan *n)
{
    const lattice l = draw_lattice(f);
    const double line[2] = {(int)below(f, 63) - 31, (int)below(f, 63) - 31};
    const double angle = atan2(line[1], line[0]), near = ldexp(1, -8 - (int)below(f, 10));
    for (int time = 0; time < 2; time++) {
        const double centre[2] = {near * ((int)below(f, 31) - 15), near * ((int)below(f, 31) - 15)};
        put_in_lattice(f, &l, time, n->first, centre);
        for (uint32_t i = 0; i < n->points; i++) {
            const double turn = angle + 3.141592653589793 * i / (n->points - 1);
            const double r = between(f, 500, 2000), far = 16 + below(f, 48);
            const double left[2] = {floor(r * cos(turn)), floor(r * sin(turn))};
            const double on_line = i == 0 ? far : i + 1 == n->points ? -far : 0;
            const double p[2] = {on_line * line[0], on_line * line[1]};
            put_in_lattice(f, &l, time, n->first + 1 + i, on_line != 0 ? p : left);
        }
    }
}

/* ---- meshes of fans ---- */

/* Some have other triangles at their vertices, which make these odd: alone, on an edge, or the same
 * once more. */
static void add_odd(fans *f, uint32_t number, const fan *n)
{
    const uint32_t extra = n->first + n->points + 1;
    for (int time = 0; time < 2; time++)
        for (uint32_t i = 0; i < 6; i++)
            f->at[time][extra + i / 3][i % 3] = (float)((int)below(f, 64) - 32) / 16;
    switch (below(f, 12)) {
    case 0: add_tri(f, number, n->first + 1 + below(f, n->points), extra, extra + 1); break;
    case 1: add_tri(f, number, n->first, n->first + 1 + below(f, n->points), extra); break;
    case 2: add_tri(f, number, n->first, n->first + 1, n->first + 2); break;
    default: break;
    }
}

static void make_fans(fans *f, step_kind kind, uint64_t seed)
{
    f->kind = kind;
    f->random = seed * STEP_KINDS + kind;
    f->tri_count = 0;
    memset(f->at, 0, sizeof f->at);
    for (uint32_t i = 0; i < FANS; i++) {
        fan n = {.first = i * PER_FAN, .count = 1 + below(f, below(f, 4) == 0 ? MOST_TRIS : 8)};
        n.is_closed = n.count > 2 && below(f, 2) == 0;
        n.points = n.is_closed ? n.count : n.count + 1;
        if (kind == STEP_HAIR || kind == STEP_MEETING)
            place_by_hair(f, &n);
        else if (kind == STEP_EDGE)
            place_next_to_edge(f, &n);
        else
            place_on_grid(f, &n);
        for (uint32_t k = 0; k < n.count; k++)
            add_tri(f, i, n.first, n.first + 1 + k, n.first + 1 + (k + 1) % n.points);
        if (kind != STEP_STILL && kind != STEP_SMOOTH) add_odd(f, i, &n);
    }
}

static void open_tree(tree_site *s, swept_site *e, const fans *f, uint64_t seed)
{
    willow_tree_def tree = zoo_tree(WILLOW_METHOD_BOTTOM_UP, 4, 8);
    tree.build = WILLOW_BUILD_MEDIAN;
    tree_site_open(s, &(willow_mesh_def){.positions = f->at[0],
                                         .vertex_count = VERTICES,
                                         .indices = f->tris,
                                         .triangle_count = f->tri_count,
                                         .borrow = seed % 3 == 2});
    tree_site_build(s, WILLOW_KERNEL_SCALAR, &tree);
    self_lists_make(s);
    assert_true(kept_self(&s->h)->fans.are_made);
    swept_site_open(e, s, f->at[1]);
    if (seed % 4 == 3) {
        const willow_pose from = swept_pose((float[3]){1, 0.5F, -2});
        const willow_pose to = swept_pose((float[3]){-1, 2, 0.25F});
        wi_mesh_set_pose(&s->mesh, &from, &s->pose);
        wi_mesh_set_pose(&e->mesh, &to, &e->pose);
    }
}

/* ---- what is handed out ---- */

/* By two slots, the lower one first: how often. */
typedef struct visits {
    uint8_t times[MOST_SLOTS][MOST_SLOTS];
    size_t count, stop_at;
} visits;

static bool note_visit(void *context, uint32_t slot_a, uint32_t slot_b)
{
    visits *v = context;
    assert_true(slot_a < slot_b && slot_b < MOST_SLOTS);
    v->times[slot_a][slot_b]++;
    return ++v->count < v->stop_at;
}

/* A walk with a reader of its own. */
typedef struct own_walk {
    wi_reader reader;
    wi_pair_walk walk;
} own_walk;

static wi_descent *begin_walk(own_walk *own, tree_site *s, willow_kernel kernel)
{
    assert_true(wi_reader_init(&own->reader, &s->memory, kernel));
    wi_pair_walk_init(&own->walk, &own->reader);
    wi_pair_walk_start(&own->walk, &(wi_walk_rules){0}, SIZE_MAX);
    assert_true(wi_pair_walk_begin(&own->walk, &s->h, &s->h));
    return &own->walk.down;
}

static void end_walk(own_walk *own)
{
    wi_pair_walk_free(&own->walk);
    wi_reader_free(&own->reader);
}

static uint32_t lots_of(const tree_site *s)
{
    const size_t stars = kept_self(&s->h)->fans.groups.count + kept_self(&s->h)->fans.odd.count;
    return (uint32_t)((stars + WI_FANS_PER_LOT - 1) / WI_FANS_PER_LOT);
}

static void visit_all(wi_run_swept_fans *run, willow_kernel kernel, tree_site *s, wi_self_step step,
                      visits *v, willow_query_stats *stats)
{
    own_walk own;
    memset(v, 0, sizeof *v);
    v->stop_at = SIZE_MAX;
    wi_descent *down = begin_walk(&own, s, kernel);
    for (uint32_t lot = 0; lot < lots_of(s); lot++)
        assert_true(run(down, &s->h, step, lot, (wi_sharing_visitor){note_visit, v}));
    assert_int_equal(own.walk.keys.count, 0);
    wi_reader_add_stats(&own.reader, stats);
    end_walk(&own);
}

static size_t count_left_without_step(tree_site *s)
{
    own_walk own;
    willow_query_stats stats = {0};
    wi_descent *down = begin_walk(&own, s, WILLOW_KERNEL_SCALAR);
    for (uint32_t lot = 0; lot < lots_of(s); lot++)
        assert_true(wi_run_fans_scalar(down, &s->h, lot));
    wi_reader_add_stats(&own.reader, &stats);
    end_walk(&own);
    return stats.stars_left;
}

/* ---- what there is ---- */

typedef struct tally {
    willow_query_stats stats;
    size_t left_at_start; /* stars that are not cleared without a step, where the step starts */
    size_t pairs;         /* pairs at any time */
    size_t between;       /* of these, those that are neither at the start nor at the end */
    size_t visited;
} tally;

/* The first time at which two triangles are a pair; or -1. */
static int find_time(const swept_site *e, uint32_t slot_a, uint32_t slot_b)
{
    for (int time = 0; time <= SWEPT_TIMES; time++)
        if (swept_pair_at(e, slot_a, slot_b, time)) return time;
    return -1;
}

/* Pairs of a fan are handed out once; no two that share nothing, or all, are. */
static void check_two(const swept_site *e, const fans *f, const visits *v, uint32_t a, uint32_t b,
                      tally *t)
{
    uint8_t order_a[3], order_b[3];
    const unsigned shared = wi_share_order(f->tris[a], f->tris[b], order_a, order_b);
    const unsigned times = v->times[a][b];
    assert_true(times <= (shared == 1 || shared == 2));
    if (shared == 0 || shared == 3) return;
    const int time = find_time(e, a, b);
    if (time >= 0 && times == 0)
        fail_msg("triangles %u and %u meet at %d of %d and are left out", a, b, time, SWEPT_TIMES);
    t->pairs += time >= 0;
    t->between += time > 0 && !swept_pair_at(e, a, b, SWEPT_TIMES);
    t->visited += times;
}

static void check_fans(fans *f, step_kind kind, uint64_t seed, tally *t)
{
    static visits v;
    tree_site s;
    swept_site e;
    willow_query_stats stats = {0};
    make_fans(f, kind, seed);
    open_tree(&s, &e, f, seed);
    visit_all(wi_run_swept_fans_scalar, WILLOW_KERNEL_SCALAR, &s, (wi_self_step){.end = &e.end}, &v,
              &stats);
#if defined(WILLOW_HAS_AVX2)
    if (wi_kernel_choose(WILLOW_KERNEL_AVX2) == WILLOW_KERNEL_AVX2) {
        static visits same;
        willow_query_stats again = {0};
        visit_all(wi_run_swept_fans_avx2, WILLOW_KERNEL_AVX2, &s, (wi_self_step){.end = &e.end},
                  &same, &again);
        assert_memory_equal(&v, &same, sizeof v);
        assert_int_equal(again.stars_left, stats.stars_left);
    }
#endif
    for (uint32_t a = 0; a < f->tri_count; a++)
        for (uint32_t b = a + 1; b < f->tri_count && f->fan_of[b] == f->fan_of[a]; b++)
            check_two(&e, f, &v, a, b, t);
    t->left_at_start += count_left_without_step(&s);
    t->stats.stars += stats.stars;
    t->stats.stars_left += stats.stars_left;
    swept_site_close(&e);
    tree_site_close(&s);
}

static tally check_kind(step_kind kind, uint64_t seeds, const char *words)
{
    static fans f;
    tally t = {0};
    for (uint64_t seed = 0; seed < seeds; seed++) check_fans(&f, kind, seed, &t);
    print_message("%s: %zu of %zu stars cleared, %zu at the start; of %zu pairs handed out %zu "
                  "meet, %zu of them on the way only\n",
                  words, (size_t)(t.stats.stars - t.stats.stars_left), (size_t)t.stats.stars,
                  (size_t)t.stats.stars - t.left_at_start, t.visited, t.pairs, t.between);
    return t;
}

static void what_meets_at_any_time_is_handed_out(void **state)
{
    (void)state;
    static const struct {
        step_kind kind;
        const char *words;
        size_t pairs, between; /* at least so many are to be found */
    } kinds[] = {{STEP_ANY, "any motion", 1000, 300},     {STEP_WHIRL, "whirls", 1000, 300},
                 {STEP_TWICE, "twice", 1000, 0},          {STEP_CLOSING, "closing", 200, 50},
                 {STEP_FLIP, "flips", 200, 100},          {STEP_HAIR, "by a hair", 300, 0},
                 {STEP_MEETING, "ends by a hair", 70, 0}, {STEP_EDGE, "next to an edge", 500, 0}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const bool is_slow = kinds[i].kind == STEP_HAIR || kinds[i].kind == STEP_MEETING;
        const tally t = check_kind(kinds[i].kind, is_slow ? 8 : 50, kinds[i].words);
        assert_true(t.pairs > kinds[i].pairs && t.between >= kinds[i].between);
        assert_true(t.stats.stars - t.stats.stars_left > 500);
    }
}

static void stars_that_stand_still_are_cleared_as_without_a_step(void **state)
{
    (void)state;
    const tally t = check_kind(STEP_STILL, 60, "still");
    assert_true(t.stats.stars > 1000 &&
                t.stats.stars_left <= t.left_at_start + t.stats.stars / 1000);
}

static void stars_that_move_smoothly_are_cleared(void **state)
{
    (void)state;
    const tally t = check_kind(STEP_SMOOTH, 60, "smooth");
    assert_true(t.stats.stars > 1000 && t.stats.stars_left < t.stats.stars / 20);
}

/* ---- within a reach ---- */

typedef struct near_tally {
    size_t stars, left, near, handed_out;
} near_tally;

static void visit_same(tree_site *s, wi_self_step step, visits *v, willow_query_stats *stats)
{
    visit_all(wi_run_swept_fans_scalar, WILLOW_KERNEL_SCALAR, s, step, v, stats);
#if defined(WILLOW_HAS_AVX2)
    if (wi_kernel_choose(WILLOW_KERNEL_AVX2) == WILLOW_KERNEL_AVX2) {
        static visits same;
        willow_query_stats again = {0};
        visit_all(wi_run_swept_fans_avx2, WILLOW_KERNEL_AVX2, s, step, &same, &again);
        assert_memory_equal(v, &same, sizeof *v);
        assert_int_equal(again.stars_left, stats->stars_left);
    }
#endif
}

static bool are_near(const swept_site *e, uint32_t a, uint32_t b, wi_self_step step)
{
    const double reach = (double)step.reach;
    for (int time = 0; time <= (step.end ? SWEPT_TIMES : 0); time += 2)
        if (swept_gap_at(e, a, b, time, reach) <= reach) return true;
    return false;
}

static void check_near(fans *f, step_kind kind, uint64_t seed, bool is_moving, float reach,
                       near_tally *t)
{
    static visits v;
    tree_site s;
    swept_site e;
    willow_query_stats stats = {0};
    make_fans(f, kind, seed);
    open_tree(&s, &e, f, seed);
    const wi_self_step step = {is_moving ? &e.end : NULL, reach};
    visit_same(&s, step, &v, &stats);
    for (uint32_t a = 0; a < f->tri_count; a++)
        for (uint32_t b = a + 1; b < f->tri_count && f->fan_of[b] == f->fan_of[a]; b++) {
            uint8_t order_a[3], order_b[3];
            const unsigned shared = wi_share_order(f->tris[a], f->tris[b], order_a, order_b);
            if (shared == 0 || shared == 3) continue;
            const bool is_near = are_near(&e, a, b, step);
            if (is_near && v.times[a][b] == 0)
                fail_msg("triangles %u and %u come within %g and are left out", a, b,
                         (double)reach);
            t->near += is_near;
            t->handed_out += v.times[a][b];
        }
    t->stars += stats.stars;
    t->left += stats.stars_left;
    swept_site_close(&e);
    tree_site_close(&s);
}

static void what_comes_within_a_reach_is_handed_out(void **state)
{
    (void)state;
    static const step_kind kinds[] = {STEP_STILL, STEP_SMOOTH, STEP_ANY,
                                      STEP_WHIRL, STEP_TWICE,  STEP_CLOSING};
    static const float reaches[] = {0.001F, 0.01F, 0.05F, 0.2F};
    static fans f;
    for (int is_moving = 0; is_moving < 2; is_moving++) {
        near_tally t = {0};
        for (uint64_t seed = 0; seed < 96; seed++)
            check_near(&f, kinds[seed % 6], seed, is_moving, reaches[seed / 6 % 4], &t);
        print_message("%s: %zu of %zu stars cleared; of %zu pairs handed out %zu come near\n",
                      is_moving ? "moving" : "still", t.stars - t.left, t.stars, t.handed_out,
                      t.near);
        assert_true(t.stars - t.left > t.stars / 5 && t.near > 1000 && t.handed_out < 30 * t.near);
    }
}

/* ---- what is asked for ---- */

static void the_visitor_may_stop(void **state)
{
    (void)state;
    static fans f;
    static visits v;
    tree_site s;
    swept_site e;
    own_walk own;
    make_fans(&f, STEP_ANY, 5);
    open_tree(&s, &e, &f, 5);
    memset(&v, 0, sizeof v);
    v.stop_at = 7;
    wi_descent *down = begin_walk(&own, &s, WILLOW_KERNEL_SCALAR);
    assert_false(wi_run_swept_fans_scalar(down, &s.h, (wi_self_step){.end = &e.end}, 0,
                                          (wi_sharing_visitor){note_visit, &v}));
    assert_int_equal(v.count, 7);
    end_walk(&own);
    swept_site_close(&e);
    tree_site_close(&s);
}

static void groups_that_are_not_tested_are_left_out(void **state)
{
    (void)state;
    static fans f;
    static visits all, some;
    static uint16_t groups[MOST_SLOTS];
    uint64_t rows[3] = {0, 1 << 2, 1 << 1}; /* 1 against 2, and none against itself */
    tree_site s;
    swept_site e;
    willow_query_stats stats = {0};
    size_t left_out = 0;
    make_fans(&f, STEP_ANY, 5);
    open_tree(&s, &e, &f, 5);
    visit_all(wi_run_swept_fans_scalar, WILLOW_KERNEL_SCALAR, &s, (wi_self_step){.end = &e.end},
              &all, &stats);
    for (uint32_t i = 0; i < f.tri_count; i++) groups[i] = (uint16_t)(1 + i % 2);
    s.mesh.groups = groups, s.mesh.masks.rows = rows;
    memset(&some, 0, sizeof some);
    some.stop_at = SIZE_MAX;
    own_walk own;
    wi_descent *down = begin_walk(&own, &s, WILLOW_KERNEL_SCALAR);
    down->masked = &s.mesh;
    for (uint32_t lot = 0; lot < lots_of(&s); lot++)
        assert_true(wi_run_swept_fans_scalar(down, &s.h, (wi_self_step){.end = &e.end}, lot,
                                             (wi_sharing_visitor){note_visit, &some}));
    for (uint32_t a = 0; a < f.tri_count; a++)
        for (uint32_t b = a + 1; b < f.tri_count; b++) {
            assert_int_equal(some.times[a][b], groups[a] != groups[b] ? all.times[a][b] : 0);
            left_out += all.times[a][b] > some.times[a][b];
        }
    assert_true(left_out > 100 && some.count > 100);
    s.mesh.groups = NULL, s.mesh.masks.rows = NULL;
    end_walk(&own);
    swept_site_close(&e);
    tree_site_close(&s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_meets_at_any_time_is_handed_out),
    cmocka_unit_test(stars_that_stand_still_are_cleared_as_without_a_step),
    cmocka_unit_test(stars_that_move_smoothly_are_cleared),
    cmocka_unit_test(what_comes_within_a_reach_is_handed_out),
    cmocka_unit_test(the_visitor_may_stop),
    cmocka_unit_test(groups_that_are_not_tested_are_left_out),
};

TEST_GROUP(swept_fan_slow, tests);
