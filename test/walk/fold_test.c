/* Where a surface is said not to fold around a cluster of leaves, none of its
 * triangles meets one that is within the rim: at every scale, with every
 * kernel, by a hair. Flat surfaces are said not to fold, so that it is worth
 * asking. */
#include <math.h>
#include <stdlib.h>
#include "base/kernel.h"
#include "prim/meet/tri_tri.h"
#include "support/fold_mesh.h"
#include "support/kept.h"
#include "support/self_lists.h"
#include "support/test.h"
#include "support/zoo_cases.h"
#include "support/zoo_pose.h"
#include "walk/self/folds.h"

extern wi_find_fold wi_find_fold_scalar;
#if defined(WILLOW_HAS_AVX2)
extern wi_find_fold wi_find_fold_avx2;
#endif

typedef struct fold_counts {
    size_t cannot, may;
} fold_counts;

/* ---- one surface, and what is said of it ---- */

typedef struct surface {
    uint32_t vertex_count, tri_count;
    float (*at)[3];
    uint32_t (*tris)[3];
} surface;

static void open_surface(surface *f, uint32_t vertices, uint32_t tris)
{
    f->vertex_count = vertices;
    f->tri_count = 0;
    f->at = calloc(vertices, sizeof *f->at);
    f->tris = calloc(tris, sizeof *f->tris);
}

static void close_surface(surface *f)
{
    free(f->at);
    free(f->tris);
}

static void add_tri(surface *f, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *tri = f->tris[f->tri_count++];
    tri[0] = a, tri[1] = b, tri[2] = c;
}

/* A tree over the surface as it is now, with the lists. */
static void open_tree(tree_site *s, const surface *f, uint64_t seed, bool borrow)
{
    static const willow_build builds[] = {WILLOW_BUILD_MEDIAN, WILLOW_BUILD_CONNECTIVITY,
                                          WILLOW_BUILD_SAH};
    static const uint32_t leaf_sizes[] = {6, 8, 16, 32, 3};
    willow_tree_def tree =
        zoo_tree(WILLOW_METHOD_BOTTOM_UP, zoo_arities[seed % 3], leaf_sizes[seed % 5]);
    tree.build = builds[seed / 3 % 3];
    tree_site_open(s, &(willow_mesh_def){.positions = f->at,
                                         .vertex_count = f->vertex_count,
                                         .indices = f->tris,
                                         .triangle_count = f->tri_count,
                                         .borrow = borrow});
    tree_site_build(s, WILLOW_KERNEL_SCALAR, &tree);
    self_lists_make(s);
    assert_non_null(kept_self(&s->h)->loops.items);
}

/* Moves the vertices of the tree to where the surface is now. */
static void follow(tree_site *s, const surface *f)
{
    static uint64_t placement;
    if (s->mesh.borrowed == NULL) {
        const wi_source source = {(const char *)f->at, sizeof *f->at};
        assert_ok(wi_mesh_take_all(&s->mesh, source, &s->message));
    }
    s->h.boxes.placement = ++placement;
}

static bool is_pair(const wi_mesh *mesh, uint32_t slot_a, uint32_t slot_b)
{
    const wi_tri a = wi_mesh_tri(mesh, slot_a), b = wi_mesh_tri(mesh, slot_b);
    for (int axis = 0; axis < 3; axis++) {
        float low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
        for (int i = 0; i < 3; i++) {
            low[0] = fminf(low[0], a.corner[i][axis]), high[0] = fmaxf(high[0], a.corner[i][axis]);
            low[1] = fminf(low[1], b.corner[i][axis]), high[1] = fmaxf(high[1], b.corner[i][axis]);
        }
        if (low[0] > high[1] || low[1] > high[0]) return false;
    }
    return wi_tris_are_pair(&a, mesh->tris[slot_a], &b, mesh->tris[slot_b]);
}

/* A triangle of one leaf is a pair with one of another, or of the same. */
static bool leaves_meet(const wi_tree *h, uint32_t leaf_a, uint32_t leaf_b)
{
    const wi_leaf *a = &h->shape->leaves[leaf_a], *b = &h->shape->leaves[leaf_b];
    for (uint32_t i = 0; i < a->tri_count; i++)
        for (uint32_t k = 0; k < b->tri_count; k++) {
            const uint32_t slot_a = h->shape->slots[a->first_tri + i],
                           slot_b = h->shape->slots[b->first_tri + k];
            if (slot_a != slot_b && is_pair(h->mesh, slot_a, slot_b)) return true;
        }
    return false;
}

static bool cluster_meets(const wi_tree *h, const wi_boundary_loop *rim)
{
    const uint32_t *leaves = KEPT_LEAVES(h, rim);
    for (uint32_t own = 0; own < rim->own_count; own++)
        for (uint32_t i = own; i < (uint32_t)rim->own_count + rim->around_count; i++)
            if (leaves_meet(h, leaves[own], leaves[i])) return true;
    return false;
}

/* What all kernels say of a cluster. */
static wi_fold ask(tree_site *s, wi_folds *folds, uint32_t cluster)
{
    const wi_fold said = wi_find_fold_scalar(&folds[0], &s->h, cluster);
#if defined(WILLOW_HAS_AVX2)
    if (wi_kernel_choose(WILLOW_KERNEL_AVX2) == WILLOW_KERNEL_AVX2)
        assert_int_equal(wi_find_fold_avx2(&folds[1], &s->h, cluster), said);
#endif
    assert_true(said == WI_MAY_FOLD || said == WI_CANNOT_FOLD);
    return said;
}

typedef struct cluster_visit {
    bool (*must_fold)(const tree_site *s, const wi_boundary_loop *rim); /* or NULL */
    fold_counts counts;
} cluster_visit;

/* Asks about all clusters with a rim. */
static void check_clusters(tree_site *s, cluster_visit *v)
{
    wi_folds folds[2] = {{0}};
    for (int i = 0; i < 2; i++)
        assert_true(wi_folds_start(&s->memory, &folds[i], &s->h, (wi_self_step){0}));
    for (uint32_t cluster = 0; cluster < kept_self(&s->h)->loops.cluster_count; cluster++) {
        const wi_boundary_loop *rim = &kept_self(&s->h)->loops.items[cluster];
        if (rim->vertex_count == 0) continue;
        const wi_fold said = ask(s, folds, cluster);
        if (said == WI_CANNOT_FOLD) assert_false(cluster_meets(&s->h, rim));
        if (v->must_fold && v->must_fold(s, rim)) assert_int_equal(said, WI_MAY_FOLD);
        *(said == WI_CANNOT_FOLD ? &v->counts.cannot : &v->counts.may) += 1;
    }
    for (int i = 0; i < 2; i++) wi_folds_free(&s->memory, &folds[i]);
}

static void print_counts(const char *words, const fold_counts *c)
{
    print_message("%s: %zu clusters cannot fold, %zu may\n", words, c->cannot, c->may);
}

/* ---- sheets ---- */

enum { CELLS = 14, LINE = CELLS + 1 };

static void open_sheet(surface *f)
{
    open_surface(f, LINE * LINE, 2 * CELLS * CELLS);
    for (uint32_t i = 0; i < CELLS; i++)
        for (uint32_t k = 0; k < CELLS; k++) {
            const uint32_t at = i * LINE + k;
            add_tri(f, at, at + LINE, at + LINE + 1);
            add_tri(f, at, at + LINE + 1, at + 1);
        }
    for (uint32_t i = 0; i < f->vertex_count; i++) {
        f->at[i][0] = (float)(i / LINE);
        f->at[i][1] = (float)(i % LINE);
    }
}

typedef void sheet_shape(double u, double v, double amount, uint64_t *random, double out[3]);

static void make_flat(double u, double v, double amount, uint64_t *random, double out[3])
{
    (void)amount, (void)random;
    out[0] = u, out[1] = v, out[2] = 0;
}

static void make_wavy(double u, double v, double amount, uint64_t *random, double out[3])
{
    (void)random;
    out[0] = u + amount * 2 * sin(v), out[1] = v + amount * 2 * cos(0.8 * u + 1);
    out[2] = 6 * amount * sin(0.7 * u + 0.3 * v) + 2 * amount * cos(0.5 * v);
}

static void make_rough(double u, double v, double amount, uint64_t *random, double out[3])
{
    out[0] = u + test_random_between(random, -amount, amount);
    out[1] = v + test_random_between(random, -amount, amount);
    out[2] = test_random_between(random, -amount, amount);
}

/* Turned round and round within the plane, most in the middle. */
static void make_swirled(double u, double v, double amount, uint64_t *random, double out[3])
{
    (void)random;
    const double x = u - CELLS / 2.0, y = v - CELLS / 2.0;
    const double angle = 12 * amount * exp(-0.08 * (x * x + y * y));
    out[0] = x * cos(angle) - y * sin(angle), out[1] = x * sin(angle) + y * cos(angle);
    out[2] = 0.1 * amount * x;
}

/* A high narrow pleat along the middle, pinched at its foot until its sides
 * cross by a hair: they overhang hardly. */
static void make_pleated(double u, double v, double amount, uint64_t *random, double out[3])
{
    (void)random;
    const double x = u - CELLS / 2.0, width = 0.05 * (0.25 - amount);
    out[0] = x == 0 ? 0 : x < 0 ? x + 1 - width : x - 1 + width;
    out[1] = v, out[2] = x == 0 ? 4 : 0;
}

/* The same pinched at one point, as a spike: its sides face all ways, their
 * mean is up. */
static void make_spiked(double u, double v, double amount, uint64_t *random, double out[3])
{
    (void)random;
    const double x = u - CELLS / 2.0, y = v - CELLS / 2.0, r = sqrt(x * x + y * y);
    const double foot = 0.4 - amount, near = r < 1.5 ? foot : r - 1.4 + foot;
    out[0] = r == 0 ? 0 : near * x / r, out[1] = r == 0 ? 0 : near * y / r;
    out[2] = r == 0 ? 3 : 0;
}

/* A turn of space, by a random quaternion. */
static void make_turn(double turn[3][3], uint64_t *random)
{
    double q[4], size = 0;
    for (int i = 0; i < 4; i++) q[i] = test_random_between(random, -1, 1);
    for (int i = 0; i < 4; i++) size += q[i] * q[i];
    const double w = q[3], s = 2 / size;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const int l = 3 - i - k;
            const double sign = (k - i + 3) % 3 == 1 ? -1 : 1;
            turn[i][k] = i == k ? 1 - s * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - q[i] * q[i])
                                : s * (q[i] * q[k] + sign * w * q[l]);
        }
}

typedef struct finish {
    double turn[3][3], scale, offset[3];
} finish;

static finish plain_finish(double scale)
{
    return (finish){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, scale, {0, 0, 0}};
}

static finish random_finish(double scale, uint64_t *random)
{
    finish f = plain_finish(scale);
    if (test_random(random) % 4 != 0) make_turn(f.turn, random);
    for (int axis = 0; axis < 3; axis++)
        if (test_random(random) % 4 == 0)
            f.offset[axis] = scale * test_random_between(random, -1000, 1000);
    return f;
}

static void finish_point(const finish *f, const double p[3], float out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const double *row = f->turn[axis];
        const double at = f->scale * (row[0] * p[0] + row[1] * p[1] + row[2] * p[2]);
        const double moved = at + f->offset[axis];
        out[axis] = (float)fmin(fmax(moved, -3e38), 3e38);
    }
}

static void shape_sheet(surface *f, sheet_shape *shape, double amount, const finish *end,
                        uint64_t *random)
{
    for (uint32_t i = 0; i < f->vertex_count; i++) {
        double p[3];
        shape(i / LINE, i % LINE, amount, random, p);
        finish_point(end, p, f->at[i]);
    }
}

static void flat_sheets_cannot_fold(void **state)
{
    (void)state;
    cluster_visit v = {0};
    for (uint64_t seed = 0; seed < 90; seed++) {
        uint64_t random = seed;
        surface f;
        tree_site s;
        open_sheet(&f);
        open_tree(&s, &f, seed, seed % 2 == 0);
        const finish end = random_finish(ldexp(1, (int)(seed % 40) - 20), &random);
        shape_sheet(&f, make_flat, 0, &end, &random);
        follow(&s, &f);
        check_clusters(&s, &v);
        tree_site_close(&s);
        close_surface(&f);
    }
    print_counts("flat", &v.counts);
    assert_true(v.counts.cannot > 1000 && v.counts.cannot > 4 * v.counts.may);
}

/* From hardly at all to far too much; the last shapes are the worst. */
static void sheets_that_are_said_not_to_fold_do_not(void **state)
{
    (void)state;
    static const struct {
        sheet_shape *shape;
        const char *words;
    } shapes[] = {{make_wavy, "waves"},
                  {make_rough, "noise"},
                  {make_swirled, "swirls"},
                  {make_pleated, "pleats"},
                  {make_spiked, "spikes"}};
    size_t all = 0;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        cluster_visit v = {0};
        for (uint64_t seed = 0; seed < 60; seed++) {
            uint64_t random = seed;
            surface f;
            tree_site s;
            open_sheet(&f);
            open_tree(&s, &f, seed, seed % 4 == 0);
            for (int round = 0; round < 4; round++) {
                const double amount = pow(test_random_between(&random, 0, 1), 1 + round % 2 * 3);
                const finish end = random_finish(ldexp(1, (int)(seed % 30) - 15), &random);
                shape_sheet(&f, shapes[i].shape, amount, &end, &random);
                if (seed % 3 == 0) {
                    const willow_pose pose = zoo_pose_make(ZOO_POSE_TURNED, 0, seed);
                    wi_mesh_set_pose(&s.mesh, &pose, &s.pose);
                }
                follow(&s, &f);
                check_clusters(&s, &v);
            }
            tree_site_close(&s);
            close_surface(&f);
        }
        print_counts(shapes[i].words, &v.counts);
        assert_true(v.counts.cannot > 1000 && v.counts.may > 1000);
        all += v.counts.cannot + v.counts.may;
    }
    assert_true(all > 30000);
}

/* ---- a vertex across an edge ---- */

enum { PUSHED = CELLS / 2 * LINE + CELLS / 2 };

static double pushed_to;

static void place_in_sheet(uint32_t vertex, double out[2])
{
    out[0] = vertex == PUSHED ? pushed_to : vertex / LINE;
    out[1] = vertex % LINE;
}

/* A triangle of the leaf that is turned over. */
static bool has_turned(const tree_site *s, uint32_t leaf)
{
    for (uint32_t i = 0; i < s->h.shape->leaves[leaf].tri_count; i++) {
        const uint32_t *tri =
            s->mesh.tris[s->h.shape->slots[s->h.shape->leaves[leaf].first_tri + i]];
        double p[3][2];
        for (int c = 0; c < 3; c++) place_in_sheet(tri[c], p[c]);
        if ((p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) < (p[1][1] - p[0][1]) * (p[2][0] - p[0][0]))
            return true;
    }
    return false;
}

static bool has_turned_within(const tree_site *s, const wi_boundary_loop *rim)
{
    bool has = false;
    for (uint32_t i = 0; i < (uint32_t)rim->own_count + rim->around_count; i++)
        has = has || has_turned(s, KEPT_LEAVES(&s->h, rim)[i]);
    return has;
}

/* The vertex is pushed along a row, to a hair before the next one or behind it:
 * then some of its triangles lie on others. */
static void a_sheet_folded_over_by_a_hair_may_fold(void **state)
{
    (void)state;
    cluster_visit before = {0}, behind = {.must_fold = has_turned_within};
    for (uint64_t seed = 0; seed < 20; seed++)
        for (int bits = 2; bits <= 24; bits += 2)
            for (int is_behind = 0; is_behind < 2; is_behind++) {
                uint64_t random = seed;
                surface f;
                tree_site s;
                open_sheet(&f);
                open_tree(&s, &f, seed, seed % 2 == 0);
                const finish end = seed % 2 == 0 ? plain_finish(1) : random_finish(1, &random);
                double p[3] = {PUSHED / LINE, PUSHED % LINE, 0};
                shape_sheet(&f, make_flat, 0, &end, &random);
                p[0] += 1 + (is_behind ? ldexp(1, -bits) : -ldexp(1, -bits));
                pushed_to = p[0];
                finish_point(&end, p, f.at[PUSHED]);
                follow(&s, &f);
                /* Rounding may have moved it back, by so much. */
                const bool is_certain = is_behind && (bits <= 8 || seed % 2 == 0);
                check_clusters(&s, is_certain ? &behind : &before);
                tree_site_close(&s);
                close_surface(&f);
            }
    print_counts("before", &before.counts);
    print_counts("behind", &behind.counts);
    assert_true(before.counts.cannot > 1000 && behind.counts.may > 1000);
}

/* A tilted plane through the origin, of whole multiples of two vectors: all points of it are exact,
 * at every scale that is a power of two, so what overlaps is a pair. */
typedef struct lattice {
    int along[2][3];
} lattice;

static lattice random_lattice(uint64_t *random)
{
    lattice l = {{{0}}};
    for (int i = 0; i < 6; i++) l.along[i / 3][i % 3] = (int)(test_random(random) % 19) - 9;
    const int *a = l.along[0], *b = l.along[1];
    const bool is_plane =
        a[0] * b[1] != a[1] * b[0] || a[1] * b[2] != a[2] * b[1] || a[2] * b[0] != a[0] * b[2];
    return is_plane ? l : (lattice){{{1, 2, 3}, {-2, 1, 1}}};
}

static void put_in_lattice(const lattice *l, double u, double v, double scale, float out[3])
{
    for (int axis = 0; axis < 3; axis++)
        out[axis] = (float)(scale * (u * l->along[0][axis] + v * l->along[1][axis]));
}

/* The vertex is next to the middle of the far edge of a triangle, which is at the origin: there it
 * may be nearer to the edge than the rounding of differences. */
static void shape_near_edge(surface *f, const lattice *l, double scale, uint64_t *random)
{
    for (uint32_t i = 0; i < f->vertex_count; i++)
        put_in_lattice(l, (double)(i / LINE) - CELLS / 2 - 1, (double)(i % LINE) - CELLS / 2 - 0.5,
                       scale, f->at[i]);
    const double near = ldexp(scale, -12 - (int)(test_random(random) % 16));
    const double u = (double)(test_random(random) % 31) - 15,
                 v = (double)(test_random(random) % 31);
    put_in_lattice(l, u / 64, (v - 15) / 64, near, f->at[PUSHED]);
}

/* Rounding decides how its triangles seem to face: that of differences at any scale, and that of
 * products where these are next to the least number there is. */
static void a_vertex_next_to_an_edge_is_on_the_side_where_it_is(void **state)
{
    (void)state;
    cluster_visit v = {0};
    for (uint64_t seed = 0; seed < 15; seed++) {
        uint64_t random = seed;
        surface f;
        tree_site s;
        open_sheet(&f);
        open_tree(&s, &f, seed, seed % 4 == 0);
        for (int round = 0; round < 60; round++) {
            const lattice l = random_lattice(&random);
            const int bits = round % 6 == 0 ? 65 + round / 6 : 0;
            shape_near_edge(&f, &l, ldexp(1, -bits), &random);
            follow(&s, &f);
            check_clusters(&s, &v);
        }
        tree_site_close(&s);
        close_surface(&f);
    }
    print_counts("next to an edge", &v.counts);
    assert_true(v.counts.cannot > 1000 && v.counts.may > 1000);
}

/* ---- scales ---- */

static void no_scale_makes_it_wrong(void **state)
{
    (void)state;
    static const double scales[] = {1e-45, 1e-40, 1e-38, 1e-30, 1e-20, 1e-15, 1e-12,
                                    1e-8,  1e8,   1e12,  1e17,  1e18,  1e19,  1e25,
                                    1e30,  1e35,  1e36,  1e37,  5e37,  1e38};
    static sheet_shape *const shapes[] = {make_flat, make_wavy, make_rough, make_swirled,
                                          make_pleated};
    cluster_visit v = {0};
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++)
        for (uint64_t seed = 0; seed < 15; seed++) {
            uint64_t random = seed;
            surface f;
            tree_site s;
            open_sheet(&f);
            open_tree(&s, &f, seed, seed % 4 == 0);
            const finish end =
                seed % 2 == 0 ? plain_finish(scales[i]) : random_finish(scales[i], &random);
            const double amount = test_random_between(&random, 0, 0.5);
            shape_sheet(&f, shapes[seed % 5], amount, &end, &random);
            follow(&s, &f);
            check_clusters(&s, &v);
            tree_site_close(&s);
            close_surface(&f);
        }
    print_counts("scales", &v.counts);
    assert_true(v.counts.cannot > 1000 && v.counts.may > 1000);
}

/* ---- round and round ---- */

enum { RINGS = 9, HUB = 0 };

/* Rings of `steps` vertices around a hub, which go round it `turns` times; or
 * without the hub, and open, as a winding stair. */
static void open_disc(surface *f, uint32_t steps, bool is_open)
{
    const uint32_t across = is_open ? steps + 1 : steps;
    open_surface(f, 1 + RINGS * across, (2 * RINGS - 1) * steps);
    for (uint32_t step = 0; step < steps; step++) {
        const uint32_t next = is_open ? step + 1 : (step + 1) % steps;
        if (!is_open) add_tri(f, HUB, 1 + step, 1 + next);
        for (uint32_t ring = 0; ring + 1 < RINGS; ring++) {
            const uint32_t a = 1 + ring * across + step, b = 1 + ring * across + next;
            add_tri(f, a, a + across, b + across);
            add_tri(f, a, b + across, b);
        }
    }
}

/* Heights rise with the angle, up to `rise` in all, and come back in the last
 * steps if the disc is closed. */
static void place_disc(surface *f, uint32_t steps, bool is_open, double turns, double rise,
                       const finish *end)
{
    const uint32_t across = is_open ? steps + 1 : steps;
    for (uint32_t i = 1; i < f->vertex_count; i++) {
        const uint32_t ring = (i - 1) / across, step = (i - 1) % across;
        const double part = (double)step / steps, angle = 6.283185307179586 * turns * part;
        const double r = ring + 1 + 0.1 * sin(3 * angle);
        const double height = is_open ? part : 1 - fabs(2 * part - 1);
        const double p[3] = {r * cos(angle), r * sin(angle), rise * height};
        finish_point(end, p, f->at[i]);
    }
    finish_point(end, (const double[3]){0, 0, is_open ? -1 : 0.5 * rise}, f->at[HUB]);
}

static bool has_hub(const tree_site *s, const wi_boundary_loop *rim)
{
    for (uint32_t own = 0; own < rim->own_count; own++) {
        const wi_leaf *leaf = &s->h.shape->leaves[KEPT_LEAVES(&s->h, rim)[own]];
        for (uint32_t i = 0; i < leaf->vertex_count; i++)
            if (s->h.shape->leaf_vertices[leaf->first_vertex + i] == HUB) return true;
    }
    return false;
}

static void check_discs(uint32_t turns, bool is_open, uint64_t seeds, cluster_visit *v)
{
    for (uint64_t seed = 0; seed < seeds; seed++) {
        uint64_t random = seed;
        surface f;
        tree_site s;
        const uint32_t steps = turns * (uint32_t)(5 + test_random(&random) % 8);
        const double rise = turns == 1 ? 0 : ldexp(1, -(int)(test_random(&random) % 12));
        const finish wide = plain_finish(1), end = random_finish(1, &random);
        open_disc(&f, steps, is_open);
        /* Floors far from each other, so that leaves are patches of one; then near.
         */
        place_disc(&f, steps, is_open, turns, is_open ? 40 : 1, &wide);
        open_tree(&s, &f, seed, seed % 4 == 0);
        place_disc(&f, steps, is_open, is_open ? turns + 0.3 : turns, rise, &end);
        follow(&s, &f);
        check_clusters(&s, v);
        tree_site_close(&s);
        close_surface(&f);
    }
}

/* All triangles are seen from the front, and no edge of the rim near the hub:
 * only how often the rim goes round tells these apart. */
static void a_surface_that_goes_round_twice_may_fold(void **state)
{
    (void)state;
    cluster_visit once = {0}, twice = {.must_fold = has_hub}, thrice = {.must_fold = has_hub};
    cluster_visit stair = {0};
    check_discs(1, false, 60, &once);
    check_discs(2, false, 60, &twice);
    check_discs(3, false, 30, &thrice);
    check_discs(2, true, 60, &stair);
    print_counts("once", &once.counts);
    print_counts("twice", &twice.counts);
    print_counts("thrice", &thrice.counts);
    print_counts("a winding stair", &stair.counts);
    assert_true(once.counts.cannot > 200 && once.counts.cannot > once.counts.may);
    assert_true(twice.counts.may > 200 && thrice.counts.may > 100);
    assert_true(stair.counts.cannot > 100 && stair.counts.may > 100);
}

/* ---- folding meshes ---- */

static void folding_meshes_that_are_said_not_to_fold_do_not(void **state)
{
    (void)state;
    cluster_visit v = {0};
    for (fold_kind kind = 0; kind < FOLD_KIND_COUNT; kind++)
        for (uint64_t seed = 0; seed < 25; seed++) {
            uint64_t random = seed;
            fold_mesh mesh;
            tree_site s;
            fold_mesh_create(&mesh, kind, 200, seed);
            surface f = {mesh.vertex_count, mesh.triangle_count,
                         calloc(mesh.vertex_count, sizeof *f.at), mesh.tris};
            fold_mesh_place(&mesh, 0, f.at);
            open_tree(&s, &f, seed, seed % 4 == 0);
            for (int round = 0; round < 3; round++) {
                fold_mesh_place(&mesh, test_random_between(&random, 0, 1), f.at);
                follow(&s, &f);
                check_clusters(&s, &v);
            }
            tree_site_close(&s);
            free(f.at);
            fold_mesh_destroy(&mesh);
        }
    print_counts("folding meshes", &v.counts);
    assert_true(v.counts.cannot > 1000 && v.counts.may > 1000);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(flat_sheets_cannot_fold),
    cmocka_unit_test(sheets_that_are_said_not_to_fold_do_not),
    cmocka_unit_test(a_sheet_folded_over_by_a_hair_may_fold),
    cmocka_unit_test(a_vertex_next_to_an_edge_is_on_the_side_where_it_is),
    cmocka_unit_test(no_scale_makes_it_wrong),
    cmocka_unit_test(a_surface_that_goes_round_twice_may_fold),
    cmocka_unit_test(folding_meshes_that_are_said_not_to_fold_do_not),
};

TEST_GROUP(fold, tests);
