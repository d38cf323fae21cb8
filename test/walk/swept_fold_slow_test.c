/* Where a surface is said not to fold in a step, nothing of a cluster meets what is within its rim
 * at any time of it, with every kernel: sheets that wave, are whirled round so that they fold on
 * the way and are flat again at the end, strips that grow round until they lie on themselves, and a
 * vertex pushed over an edge by a hair. Smooth motion is said not to fold, as sheets that stand
 * still are. With a reach nothing comes within it that has no vertex in common. */
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
#include "walk/self/folds.h"

extern wi_find_fold wi_find_fold_scalar;
extern wi_run_fans wi_run_fans_scalar;
extern wi_run_swept_fans wi_run_swept_fans_scalar;
#if defined(WILLOW_HAS_AVX2)
extern wi_find_fold wi_find_fold_avx2;
#endif

/* ---- surfaces with a step ---- */

enum { CELLS = 14, LINE = CELLS + 1, BENDS = 4, TONGUE = 8 };
enum { MOST_VERTICES = LINE * LINE + 2 * TONGUE, MOST_TRIS = 2 * (CELLS * CELLS + TONGUE) };

typedef struct surface {
    uint32_t vertex_count, tri_count;
    float at[2][MOST_VERTICES][3]; /* at the start and at the end */
    uint32_t tris[MOST_TRIS][3];
    int time_step; /* which times are looked at */
    bool is_flat;  /* at all times */
    bool is_fine;  /* some coordinates are tiny: a pose would round them */
} surface;

static void add_tri(surface *f, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *tri = f->tris[f->tri_count++];
    tri[0] = a, tri[1] = b, tri[2] = c;
}

/* Rows and columns of vertices. */
static void make_grid(surface *f, uint32_t rows, uint32_t columns)
{
    memset(f, 0, sizeof *f);
    f->vertex_count = rows * columns;
    f->time_step = 4;
    assert_true(f->vertex_count <= MOST_VERTICES);
    for (uint32_t i = 0; i + 1 < rows; i++)
        for (uint32_t k = 0; k + 1 < columns; k++) {
            const uint32_t at = i * columns + k;
            add_tri(f, at, at + columns, at + columns + 1);
            add_tri(f, at, at + columns + 1, at + 1);
        }
}

/* To a coarse grid, so that times between are exact too. */
static void put(surface *f, int time, uint32_t vertex, const double p[3])
{
    for (int axis = 0; axis < 3; axis++)
        f->at[time][vertex][axis] = (float)(floor(1024 * p[axis] + 0.5) / 1024);
}

static void open_tree(tree_site *s, const surface *f, uint64_t seed)
{
    static const willow_build builds[] = {WILLOW_BUILD_MEDIAN, WILLOW_BUILD_CONNECTIVITY,
                                          WILLOW_BUILD_SAH};
    static const uint32_t leaf_sizes[] = {6, 8, 16, 32, 3};
    willow_tree_def tree =
        zoo_tree(WILLOW_METHOD_BOTTOM_UP, zoo_arities[seed % 3], leaf_sizes[seed % 5]);
    tree.build = builds[seed / 3 % 3];
    tree_site_open(s, &(willow_mesh_def){.positions = f->at[0],
                                         .vertex_count = f->vertex_count,
                                         .indices = f->tris,
                                         .triangle_count = f->tri_count,
                                         .borrow = seed % 4 == 0});
    tree_site_build(s, WILLOW_KERNEL_SCALAR, &tree);
    self_lists_make(s);
    assert_non_null(kept_self(&s->h)->loops.items);
    s->h.boxes.placement = 1;
}

/* ---- what meets, and what is said ---- */

/* By two slots: the first time at which they are a pair, and one; or 0. */
typedef struct meetings {
    uint8_t first[MOST_TRIS][MOST_TRIS];
    size_t pairs, between; /* between: neither at the start nor at the end */
} meetings;

/* Of all triangles, those that were not found at an earlier time. */
static void find_meetings_at(const swept_site *e, uint32_t tri_count, int time, meetings *m)
{
    static wi_tri tris[MOST_TRIS];
    static wi_box boxes[MOST_TRIS];
    for (uint32_t slot = 0; slot < tri_count; slot++) {
        tris[slot] = swept_tri_at(e, slot, time);
        boxes[slot] = wi_box_empty();
        for (int i = 0; i < 3; i++) wi_box_add_point(&boxes[slot], tris[slot].corner[i]);
    }
    for (uint32_t a = 0; a < tri_count; a++)
        for (uint32_t b = a + 1; b < tri_count; b++) {
            if (!wi_boxes_meet(&boxes[a], &boxes[b]) || m->first[a][b] != 0) continue;
            if (!wi_tris_are_pair(&tris[a], e->mesh.tris[a], &tris[b], e->mesh.tris[b])) continue;
            m->first[a][b] = m->first[b][a] = (uint8_t)(time + 1);
            m->pairs++;
            m->between += time > 0 && !swept_pair_at(e, a, b, SWEPT_TIMES);
        }
}

static void find_meetings(const swept_site *e, const surface *f, meetings *m)
{
    memset(m, 0, sizeof *m);
    for (int time = 0; time <= SWEPT_TIMES; time += f->time_step)
        find_meetings_at(e, f->tri_count, time, m);
}

/* Fails the test if a triangle of one leaf meets one of another, or of the same. */
static void check_leaves(const wi_tree *h, const meetings *m, uint32_t leaf_a, uint32_t leaf_b)
{
    const wi_leaf *a = &h->shape->leaves[leaf_a], *b = &h->shape->leaves[leaf_b];
    for (uint32_t i = 0; i < a->tri_count; i++)
        for (uint32_t k = 0; k < b->tri_count; k++) {
            const uint32_t slot_a = h->shape->slots[a->first_tri + i],
                           slot_b = h->shape->slots[b->first_tri + k];
            if (m->first[slot_a][slot_b] != 0)
                fail_msg("triangles %u and %u meet at %d of %d", slot_a, slot_b,
                         m->first[slot_a][slot_b] - 1, SWEPT_TIMES);
        }
}

static void check_cluster(const wi_tree *h, const meetings *m, const wi_boundary_loop *rim)
{
    const uint32_t *leaves = KEPT_LEAVES(h, rim);
    for (uint32_t own = 0; own < rim->own_count; own++)
        for (uint32_t i = own; i < (uint32_t)rim->own_count + rim->around_count; i++)
            check_leaves(h, m, leaves[own], leaves[i]);
}

static void find_normal(const swept_site *e, uint32_t slot, int time, double out[3])
{
    const wi_tri tri = swept_tri_at(e, slot, time);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const float *a = tri.corner[0], *b = tri.corner[1], *c = tri.corner[2];
        out[i] = ((double)b[j] - a[j]) * ((double)c[k] - a[k]) -
                 ((double)b[k] - a[k]) * ((double)c[j] - a[j]);
    }
}

/* Of a surface that is flat at all times: what cannot fold faces one way at all times, also where
 * nothing of the cluster meets. */
static void check_facing(const swept_site *e, uint32_t leaf)
{
    const wi_tree *h = &e->end;
    double up[3], normal[3];
    find_normal(e, 0, 0, up);
    for (uint32_t i = 0; i < h->shape->leaves[leaf].tri_count; i++)
        for (int time = 0; time <= SWEPT_TIMES; time += 2) {
            find_normal(e, h->shape->slots[h->shape->leaves[leaf].first_tri + i], time, normal);
            assert_true(up[0] * normal[0] + up[1] * normal[1] + up[2] * normal[2] > 0);
        }
}

static void check_all_facing(const swept_site *e, const wi_boundary_loop *rim)
{
    for (uint32_t i = 0; i < (uint32_t)rim->own_count + rim->around_count; i++)
        check_facing(e, KEPT_LEAVES(&e->end, rim)[i]);
}

/* What both kernels say of a cluster, which is the same. */
typedef struct asker {
    wi_folds folds[2];
} asker;

static void open_asker(asker *a, tree_site *s, const wi_tree *h, const wi_tree *end, float reach)
{
    const wi_self_step step = {end, reach};
    memset(a, 0, sizeof *a);
    for (int i = 0; i < 2; i++) assert_true(wi_folds_start(&s->memory, &a->folds[i], h, step));
}

static void close_asker(asker *a, tree_site *s)
{
    for (int i = 0; i < 2; i++) wi_folds_free(&s->memory, &a->folds[i]);
}

static bool cannot_fold(asker *a, const wi_tree *h, uint32_t cluster)
{
    const wi_fold said = wi_find_fold_scalar(&a->folds[0], h, cluster);
#if defined(WILLOW_HAS_AVX2)
    if (wi_kernel_choose(WILLOW_KERNEL_AVX2) == WILLOW_KERNEL_AVX2)
        assert_int_equal(wi_find_fold_avx2(&a->folds[1], h, cluster), said);
#endif
    assert_true(said == WI_MAY_FOLD || said == WI_CANNOT_FOLD);
    return said == WI_CANNOT_FOLD;
}

typedef struct tally {
    size_t clusters, cannot, cannot_at_ends; /* the last: without a step, at either end */
    size_t pairs, between;
} tally;

/* Asks about all clusters with a rim. `m` may be NULL: then it is only counted. */
static void check_clusters(tree_site *s, swept_site *e, const meetings *m, bool is_flat, tally *t)
{
    asker over, start, end;
    open_asker(&over, s, &s->h, &e->end, 0);
    open_asker(&start, s, &s->h, NULL, 0);
    open_asker(&end, s, &e->end, NULL, 0);
    for (uint32_t cluster = 0; cluster < kept_self(&s->h)->loops.cluster_count; cluster++) {
        const wi_boundary_loop *rim = &kept_self(&s->h)->loops.items[cluster];
        if (rim->vertex_count == 0) continue;
        const bool cannot = cannot_fold(&over, &s->h, cluster);
        const bool at_ends =
            cannot_fold(&start, &s->h, cluster) && cannot_fold(&end, &e->end, cluster);
        if (cannot && m) check_cluster(&s->h, m, rim);
        if (cannot && is_flat) check_all_facing(e, rim);
        t->clusters++;
        t->cannot += cannot;
        t->cannot_at_ends += at_ends;
    }
    close_asker(&over, s);
    close_asker(&start, s);
    close_asker(&end, s);
}

static void print_tally(const char *words, const tally *t)
{
    print_message("%s: %zu of %zu clusters cannot fold, %zu at both ends; %zu pairs meet, %zu of "
                  "them on the way only\n",
                  words, t->cannot, t->clusters, t->cannot_at_ends, t->pairs, t->between);
}

static void check_surface(const surface *f, uint64_t seed, bool is_checked, tally *t)
{
    static meetings m;
    tree_site s;
    swept_site e;
    open_tree(&s, f, seed);
    swept_site_open(&e, &s, f->at[1]);
    if (seed % 5 == 2 && !f->is_fine) {
        const willow_pose from = swept_pose((float[3]){1, 0.5F, -2});
        const willow_pose to = swept_pose((float[3]){-1, 2, 0.25F});
        wi_mesh_set_pose(&s.mesh, &from, &s.pose);
        wi_mesh_set_pose(&e.mesh, &to, &e.pose);
    }
    if (is_checked) {
        find_meetings(&e, f, &m);
        t->pairs += m.pairs;
        t->between += m.between;
    }
    check_clusters(&s, &e, is_checked ? &m : NULL, f->is_flat, t);
    swept_site_close(&e);
    tree_site_close(&s);
}

/* ---- sheets ---- */

typedef struct wave {
    double height, along[2], phase;
} wave;

static wave draw_wave(uint64_t *random, double height)
{
    return (wave){height,
                  {test_random_between(random, -1, 1), test_random_between(random, -1, 1)},
                  test_random_between(random, 0, 6)};
}

static double wave_at(const wave *w, double x, double y)
{
    return w->height * sin(w->along[0] * x + w->along[1] * y + w->phase);
}

/* Turned about the vertical by one angle, tilted by another. */
static void turn_point(double turn, double tilt, double p[3])
{
    const double x = cos(turn) * p[0] - sin(turn) * p[1], y = sin(turn) * p[0] + cos(turn) * p[1];
    const double z = p[2];
    p[0] = x, p[1] = cos(tilt) * y - sin(tilt) * z, p[2] = sin(tilt) * y + cos(tilt) * z;
}

typedef void sheet_step(surface *f, double amount, uint64_t *random);

/* Waves that become others while the sheet turns, tilts and moves on. */
static void wave_sheet(surface *f, double amount, uint64_t *random)
{
    for (int time = 0; time < 2; time++) {
        const wave w[3] = {draw_wave(random, amount), draw_wave(random, amount),
                           draw_wave(random, 3 * amount)};
        const double turn = time * amount * test_random_between(random, -2, 2);
        const double tilt = time * amount * test_random_between(random, -2, 2);
        for (uint32_t i = 0; i < f->vertex_count; i++) {
            const double x = (double)(i / LINE) - CELLS / 2, y = (double)(i % LINE) - CELLS / 2;
            double p[3] = {x + wave_at(&w[0], x, y), y + wave_at(&w[1], x, y),
                           wave_at(&w[2], x, y)};
            turn_point(turn, tilt, p);
            p[2] += 5 * time;
            put(f, time, i, p);
        }
    }
}

/* Every vertex a little off, in any direction. */
static void shake_sheet(surface *f, double amount, uint64_t *random)
{
    for (int time = 0; time < 2; time++)
        for (uint32_t i = 0; i < f->vertex_count; i++) {
            double p[3] = {i / LINE, i % LINE, 0};
            for (int axis = 0; axis < 3; axis++)
                p[axis] += test_random_between(random, -amount, amount);
            put(f, time, i, p);
        }
}

/* Flat, and flat at the end, turned by up to half a turn; on the way what is stretched gets through
 * the middle at another time than the rest. */
static void whirl_sheet(surface *f, double amount, uint64_t *random)
{
    f->is_flat = true;
    const bool is_wild = amount > 0.5;
    const double turn = is_wild ? 3.1 * amount : amount;
    const double stretch = test_random_between(random, 0, is_wild ? 0.7 : 0.2);
    for (uint32_t i = 0; i < f->vertex_count; i++) {
        const double x = (double)(i / LINE) - CELLS / 2, y = (double)(i % LINE) - CELLS / 2;
        const double by = 1 + stretch * sin(0.5 * sqrt(x * x + y * y));
        double p[3] = {x, y, 0}, end[3] = {by * x, by * y, 0};
        turn_point(turn, 0, end);
        put(f, 0, i, p);
        put(f, 1, i, end);
    }
}

/* Half of the sheet is a flap that goes over to the other side; or as far as it was on this side,
 * so that it is in the plane of the rest in the middle of the step, and may lie on it. */
static void flap_sheet(surface *f, double amount, uint64_t *random)
{
    const double part = test_random_between(random, 0, 2);
    const double from = 3 * amount, to = part < 1 ? -part * from : -from;
    for (int time = 0; time < 2; time++)
        for (uint32_t i = 0; i < f->vertex_count; i++) {
            double p[3] = {(double)(i / LINE) - CELLS / 2, (double)(i % LINE) - CELLS / 2, 0};
            if (p[1] > 0) turn_point(0, time == 0 ? from : to, p);
            put(f, time, i, p);
        }
}

/* The ring of one vertex is drawn together and turned, from one side to the other, while its
 * vertices come nearer or go away: it is in order at both ends, and what is around it too. */
static void spin_ring(surface *f, double amount, uint64_t *random)
{
    static const int ring[6][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 0}, {-1, -1}, {0, -1}};
    const int x = CELLS / 2 + (int)(test_random(random) % 3) - 1, y = CELLS / 2;
    const double spread = test_random_between(random, 0.02, 0.07);
    f->is_flat = true;
    for (int time = 0; time < 2; time++) {
        for (uint32_t i = 0; i < f->vertex_count; i++)
            put(f, time, i, (const double[3]){i / LINE, i % LINE, 0});
        for (int i = 0; i < 6; i++) {
            const double r = (i + time) % 2 == 0 ? 0.05 : 0.05 + spread;
            double p[3] = {r * ring[i][0], r * ring[i][1], 0};
            turn_point((time == 0 ? -1 : 1) * (0.7 + 0.7 * amount), 0, p);
            p[0] += x, p[1] += y;
            put(f, time, (uint32_t)((x + ring[i][0]) * LINE + y + ring[i][1]), p);
        }
    }
}

static void sheets_that_are_said_not_to_fold_do_not(void **state)
{
    (void)state;
    static const struct {
        sheet_step *step;
        const char *words;
        size_t between;
    } steps[] = {{wave_sheet, "waves", 50},
                 {shake_sheet, "noise", 100},
                 {whirl_sheet, "whirls", 100},
                 {flap_sheet, "flaps", 100},
                 {spin_ring, "a ring", 100}};
    static surface f;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        tally t = {0};
        for (uint64_t seed = 0; seed < 30; seed++) {
            uint64_t random = seed;
            make_grid(&f, LINE, LINE);
            steps[i].step(&f, test_random_between(&random, 0, 1), &random);
            check_surface(&f, seed, true, &t);
        }
        print_tally(steps[i].words, &t);
        assert_true(t.cannot > 100 && t.clusters - t.cannot > 100);
        assert_true(t.between > steps[i].between);
    }
}

/* ---- a tongue ---- */

/* At an edge of the border, outwards. */
static void add_tongue(surface *f, uint32_t edge)
{
    uint32_t low = CELLS * LINE + edge, high = low + 1;
    for (uint32_t i = 0; i < TONGUE; i++) {
        const uint32_t next = f->vertex_count;
        add_tri(f, low, next, next + 1);
        add_tri(f, low, next + 1, high);
        low = next, high = next + 1;
        f->vertex_count += 2;
    }
}

/* It bends to its left by an angle in all, and goes straight on from there. */
static void place_tongue(surface *f, int time, uint32_t edge, double bend, double bend_length)
{
    double x = CELLS, y = edge + 1, angle = 0; /* of its left side */
    for (uint32_t i = 0; i < TONGUE; i++) {
        const double length = i < BENDS ? bend_length : 2.2;
        angle += i < BENDS ? bend / BENDS : 0;
        x += length * cos(angle), y += length * sin(angle);
        const double left[3] = {x, y, 0}, right[3] = {x + sin(angle), y - cos(angle), 0};
        put(f, time, LINE * LINE + 2 * i, right);
        put(f, time, LINE * LINE + 2 * i + 1, left);
    }
}

/* A flat sheet with a tongue, which is beside it and bends until it lies on it, or sweeps over it.
 * All is seen from above at all times: only the rim shows it. Its bends are short, or about as long
 * as squares. */
static void bend_tongue(surface *f, double amount, uint64_t *random)
{
    const double length = amount > 0 ? 0.8 : 0.3;
    const uint32_t edge = (uint32_t)(test_random(random) % (CELLS - 4));
    const int is_back = (int)(test_random(random) % 2);
    f->is_flat = true;
    add_tongue(f, edge);
    for (int time = 0; time < 2; time++)
        for (uint32_t i = 0; i < LINE * LINE; i++)
            put(f, time, i, (const double[3]){i / LINE, i % LINE, 0});
    const double bend = test_random_between(random, 1.6, 3.2);
    place_tongue(f, is_back, edge, bend, length);
    place_tongue(f, 1 - is_back, edge, bend + test_random_between(random, 0.3, 1.4), length);
}

/* ---- with a reach ---- */

/* Squares become rhombi of the same area, with sides along x as before. */
static void shear_sheet(surface *f, double amount, uint64_t *random)
{
    const int time_of_squares = (int)(test_random(random) % 2);
    f->is_flat = true;
    for (int time = 0; time < 2; time++)
        for (uint32_t i = 0; i < f->vertex_count; i++) {
            const double x = i / LINE, y = i % LINE;
            const double by = time == time_of_squares ? 0 : 5 * amount;
            put(f, time, i, (const double[3]){x + by * y, y, 0});
        }
}

typedef struct near_tally {
    size_t clusters, cannot, cannot_touch; /* the last: with a reach of 0 */
    size_t near;                           /* clusters that come within the reach */
} near_tally;

/* Does anything of the two leaves come within reach at a time, without a common vertex? */
static bool are_leaves_near(const swept_site *e, uint32_t leaf_a, uint32_t leaf_b, int time,
                            double reach)
{
    const wi_shape *shape = e->end.shape;
    const wi_leaf *a = &shape->leaves[leaf_a], *b = &shape->leaves[leaf_b];
    for (uint32_t i = 0; i < a->tri_count; i++)
        for (uint32_t k = 0; k < b->tri_count; k++) {
            const uint32_t slot_a = shape->slots[a->first_tri + i],
                           slot_b = shape->slots[b->first_tri + k];
            if (slot_a != slot_b && swept_gap_at(e, slot_a, slot_b, time, reach) <= reach)
                return true;
        }
    return false;
}

static bool is_cluster_near(const swept_site *e, const wi_boundary_loop *rim, int time,
                            double reach)
{
    const uint32_t *leaves = KEPT_LEAVES(&e->end, rim);
    for (uint32_t own = 0; own < rim->own_count; own++)
        for (uint32_t i = own; i < (uint32_t)rim->own_count + rim->around_count; i++)
            if (are_leaves_near(e, leaves[own], leaves[i], time, reach)) return true;
    return false;
}

/* At a few times: in a step, or at its start if there is none. */
static bool is_near_in_step(const swept_site *e, const wi_boundary_loop *rim, bool is_moving,
                            double reach)
{
    for (int time = 0; time <= (is_moving ? SWEPT_TIMES : 0); time += SWEPT_TIMES / 4)
        if (is_cluster_near(e, rim, time, reach)) return true;
    return false;
}

static void check_near(const surface *f, uint64_t seed, bool is_moving, float reach, near_tally *t)
{
    tree_site s;
    swept_site e;
    asker near, touching;
    open_tree(&s, f, seed);
    swept_site_open(&e, &s, f->at[1]);
    open_asker(&near, &s, &s.h, is_moving ? &e.end : NULL, reach);
    open_asker(&touching, &s, &s.h, is_moving ? &e.end : NULL, 0);
    for (uint32_t cluster = 0; cluster < kept_self(&s.h)->loops.cluster_count; cluster++) {
        const wi_boundary_loop *rim = &kept_self(&s.h)->loops.items[cluster];
        if (rim->vertex_count == 0) continue;
        const bool cannot = cannot_fold(&near, &s.h, cluster);
        const bool is_near = is_near_in_step(&e, rim, is_moving, (double)reach);
        if (cannot && is_near) fail_msg("cluster %u comes within %g", cluster, (double)reach);
        t->clusters++;
        t->cannot += cannot;
        t->cannot_touch += cannot_fold(&touching, &s.h, cluster);
        t->near += is_near;
    }
    close_asker(&near, &s);
    close_asker(&touching, &s);
    swept_site_close(&e);
    tree_site_close(&s);
}

/* Squares have sides of about 1. */
static void what_is_said_not_to_fold_within_a_reach_is_farther_apart(void **state)
{
    (void)state;
    static sheet_step *const steps[] = {wave_sheet, shake_sheet, whirl_sheet,
                                        flap_sheet, bend_tongue, shear_sheet};
    static const float reaches[] = {0.01F, 0.1F, 0.3F, 0.5F, 0.65F, 0.7F};
    static surface f;
    for (int is_moving = 0; is_moving < 2; is_moving++) {
        near_tally t = {0};
        for (uint64_t seed = 0; seed < 72; seed++) {
            uint64_t random = seed;
            make_grid(&f, LINE, LINE);
            steps[seed % 6](&f, test_random_between(&random, 0, 0.5), &random);
            check_near(&f, seed, is_moving, reaches[seed / 6 % 6], &t);
        }
        print_message("%s: %zu of %zu clusters cannot fold within the reach, %zu at no distance; "
                      "%zu come within it\n",
                      is_moving ? "moving" : "still", t.cannot, t.clusters, t.cannot_touch, t.near);
        assert_true(t.cannot > t.clusters / 10 && t.cannot < t.cannot_touch && t.near > 100);
    }
}

/* Or a part of it lies on what is around a cluster, next to it: only the rim shows that, too. */
static void a_tongue_that_lies_beside_a_cluster_is_near_it(void **state)
{
    (void)state;
    static surface f;
    near_tally t = {0};
    for (uint64_t seed = 0; seed < 300; seed++) {
        uint64_t random = seed;
        make_grid(&f, LINE, LINE);
        bend_tongue(&f, 1, &random);
        check_near(&f, seed, false, 0.25F + 0.001F * (float)seed, &t);
    }
    print_message("beside: %zu of %zu clusters cannot fold within the reach, %zu at no distance; "
                  "%zu come within it\n",
                  t.cannot, t.clusters, t.cannot_touch, t.near);
    assert_true(t.cannot > 1000 && t.cannot < t.cannot_touch && t.near > 50);
}

/* A sheet as it lies on a table is not near to itself, unless the reach is that of its squares. */
static void flat_sheets_are_near_themselves_from_a_height_on(void **state)
{
    (void)state;
    static surface f;
    static const struct {
        float reach;
        bool is_near;
    } cases[] = {{0.2F, false}, {0.7F, false}, {0.71F, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        near_tally t = {0};
        for (uint64_t seed = 0; seed < 30; seed++) {
            uint64_t random = seed;
            make_grid(&f, LINE, LINE);
            wave_sheet(&f, 0, &random);
            check_near(&f, seed, seed % 2 == 0, cases[i].reach, &t);
        }
        assert_int_equal(t.near, cases[i].is_near ? t.clusters : 0);
        assert_true(cases[i].is_near ? t.cannot == 0 : t.cannot > t.cannot_touch / 2);
    }
}

/* ---- smooth motion ---- */

/* How many stars of the sheet are left to be tested two by two, over the step and at its start. */
typedef struct star_tally {
    size_t stars, left, left_at_start;
} star_tally;

static bool ignore(void *context, uint32_t slot_a, uint32_t slot_b)
{
    (void)context, (void)slot_a, (void)slot_b;
    return true;
}

static void count_stars(const surface *f, uint64_t seed, star_tally *t)
{
    tree_site s;
    swept_site e;
    open_tree(&s, f, seed);
    swept_site_open(&e, &s, f->at[1]);
    for (int is_swept = 0; is_swept < 2; is_swept++) {
        wi_reader reader;
        wi_pair_walk walk;
        willow_query_stats stats = {0};
        assert_true(wi_reader_init(&reader, &s.memory, WILLOW_KERNEL_SCALAR));
        wi_pair_walk_init(&walk, &reader);
        wi_pair_walk_start(&walk, &(wi_walk_rules){0}, SIZE_MAX);
        assert_true(wi_pair_walk_begin(&walk, &s.h, &s.h));
        for (uint32_t lot = 0; lot < 8; lot++)
            assert_true(is_swept ? wi_run_swept_fans_scalar(&walk.down, &s.h,
                                                            (wi_self_step){.end = &e.end}, lot,
                                                            (wi_sharing_visitor){ignore, NULL})
                                 : wi_run_fans_scalar(&walk.down, &s.h, lot));
        wi_reader_add_stats(&reader, &stats);
        t->stars += is_swept ? stats.stars : 0;
        *(is_swept ? &t->left : &t->left_at_start) += stats.stars_left;
        wi_pair_walk_free(&walk);
        wi_reader_free(&reader);
    }
    swept_site_close(&e);
    tree_site_close(&s);
}

static void check_smooth(const char *words, double amount, bool is_still)
{
    static surface f;
    tally t = {0};
    star_tally stars = {0};
    for (uint64_t seed = 0; seed < 45; seed++) {
        uint64_t random = seed;
        make_grid(&f, LINE, LINE);
        wave_sheet(&f, amount, &random);
        if (is_still) memcpy(f.at[1], f.at[0], sizeof f.at[0]);
        check_surface(&f, seed, false, &t);
        count_stars(&f, seed, &stars);
    }
    print_tally(words, &t);
    print_message("%s: %zu of %zu stars cleared, %zu at the start\n", words,
                  stars.stars - stars.left, stars.stars, stars.stars - stars.left_at_start);
    assert_int_equal(stars.stars, 45 * (LINE * LINE - 2)); /* two have but one triangle */
    if (is_still) {
        assert_int_equal(t.cannot, t.cannot_at_ends);
        assert_int_equal(stars.left, stars.left_at_start);
    }
    assert_true(t.cannot > 1000 && t.cannot > t.cannot_at_ends - t.cannot_at_ends / 20);
    assert_true(stars.left < stars.stars / 50);
}

static void sheets_that_stand_still_are_as_without_a_step(void **state)
{
    (void)state;
    check_smooth("still", 0.1, true);
}

static void sheets_that_move_smoothly_cannot_fold(void **state)
{
    (void)state;
    check_smooth("smooth", 0.05, false);
    check_smooth("less smooth", 0.15, false);
}

static void a_tongue_that_bends_over_a_sheet_lies_on_it(void **state)
{
    (void)state;
    static surface f;
    tally t = {0};
    for (uint64_t seed = 0; seed < 45; seed++) {
        uint64_t random = seed;
        make_grid(&f, LINE, LINE);
        bend_tongue(&f, 0, &random);
        check_surface(&f, seed, true, &t);
    }
    print_tally("tongues", &t);
    assert_true(t.cannot > 100 && t.clusters - t.cannot > 100 && t.pairs > 1000);
}

/* ---- by a hair ---- */

/* A tilted plane through the origin, of whole multiples of two vectors: all points of it are exact,
 * so that triangles in it that overlap are pairs. */
static void put_in_plane(surface *f, int (*along)[3], int time, uint32_t vertex, double u, double v)
{
    for (int axis = 0; axis < 3; axis++)
        f->at[time][vertex][axis] = (float)(u * along[0][axis] + v * along[1][axis]);
}

enum { PUSHED = CELLS / 2 * LINE + CELLS / 2 };

/* The vertex is next to the middle of the far edge of a triangle, which is at the origin, at the
 * start or at the end or both: there it may be nearer to the edge than the rounding of differences.
 */
static void shape_near_edge(surface *f, int (*along)[3], uint64_t *random)
{
    const unsigned when = 1 + (unsigned)(test_random(random) % 3);
    const double near = ldexp(1, -18 - (int)(test_random(random) % 14));
    for (int time = 0; time < 2; time++) {
        for (uint32_t i = 0; i < f->vertex_count; i++)
            put_in_plane(f, along, time, i, (double)(i / LINE) - CELLS / 2 - 1,
                         (double)(i % LINE) - CELLS / 2 - 0.5);
        const double u = (double)(test_random(random) % 31) - 15;
        const double v = (double)(test_random(random) % 31) - 15;
        const bool is_near = (when >> time & 1) != 0;
        put_in_plane(f, along, time, PUSHED, is_near ? near * u : -1024 * near,
                     is_near ? near * v : 0);
    }
}

static bool is_plane(int (*a)[3])
{
    return a[0][0] * a[1][1] != a[0][1] * a[1][0] || a[0][1] * a[1][2] != a[0][2] * a[1][1] ||
           a[0][2] * a[1][0] != a[0][0] * a[1][2];
}

static void a_vertex_next_to_an_edge_is_on_the_side_where_it_is(void **state)
{
    (void)state;
    static surface f;
    tally t = {0};
    for (uint64_t seed = 0; seed < 150; seed++) {
        uint64_t random = seed;
        int along[2][3] = {{0}};
        while (!is_plane(along))
            for (int i = 0; i < 6; i++) along[i / 3][i % 3] = (int)(test_random(&random) % 19) - 9;
        make_grid(&f, LINE, LINE);
        f.is_fine = true;
        f.time_step = SWEPT_TIMES / 2;
        shape_near_edge(&f, along, &random);
        check_surface(&f, seed, true, &t);
    }
    print_tally("next to an edge", &t);
    assert_true(t.cannot > 1000 && t.clusters - t.cannot > 100 && t.pairs > 100);
}

/* ---- memory ---- */

/* What was found without a step, or in another one, or with another reach, is forgotten. */
static void each_step_is_asked_about_anew(void **state)
{
    (void)state;
    static surface f;
    tree_site s;
    swept_site still, away;
    wi_folds folds = {0};
    uint64_t random = 3;
    make_grid(&f, LINE, LINE);
    whirl_sheet(&f, 1, &random);
    open_tree(&s, &f, 1);
    swept_site_open(&still, &s, (const float(*)[3])f.at[0]);
    swept_site_open(&away, &s, (const float(*)[3])f.at[1]);
    const struct {
        const wi_tree *end;
        float reach;
    } asked[] = {{NULL, 0}, {&away.end, 0}, {&still.end, 0}, {&still.end, 0.5F}, {&still.end, 2},
                 {&s.h, 2}, {&s.h, 0},      {&away.end, 0},  {NULL, 0},          {NULL, 2}};
    uint32_t cluster = 0;
    while (kept_self(&s.h)->loops.items[cluster].vertex_count == 0) cluster++;
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        const wi_self_step step = {asked[i].end, asked[i].reach};
        const bool may_fold = step.end == &away.end || step.reach > 1;
        assert_true(wi_folds_start(&s.memory, &folds, &s.h, step));
        assert_int_equal(folds.folds.items[cluster], WI_FOLD_UNKNOWN);
        const wi_fold said = wi_find_fold_scalar(&folds, &s.h, cluster);
        assert_int_equal(said, may_fold ? WI_MAY_FOLD : WI_CANNOT_FOLD);
        folds.folds.items[cluster] = (uint8_t)said;
        assert_true(wi_folds_start(&s.memory, &folds, &s.h, step));
        assert_int_equal(folds.folds.items[cluster], said);
    }
    wi_folds_free(&s.memory, &folds);
    swept_site_close(&still);
    swept_site_close(&away);
    tree_site_close(&s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(sheets_that_are_said_not_to_fold_do_not),
    cmocka_unit_test(what_is_said_not_to_fold_within_a_reach_is_farther_apart),
    cmocka_unit_test(a_tongue_that_lies_beside_a_cluster_is_near_it),
    cmocka_unit_test(flat_sheets_are_near_themselves_from_a_height_on),
    cmocka_unit_test(sheets_that_stand_still_are_as_without_a_step),
    cmocka_unit_test(sheets_that_move_smoothly_cannot_fold),
    cmocka_unit_test(a_tongue_that_bends_over_a_sheet_lies_on_it),
    cmocka_unit_test(a_vertex_next_to_an_edge_is_on_the_side_where_it_is),
    cmocka_unit_test(each_step_is_asked_about_anew),
};

TEST_GROUP(swept_fold_slow, tests);
