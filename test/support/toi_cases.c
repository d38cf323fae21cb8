/* toi_cases.c - contacts by design on small grids, and what is next to them. See toi_cases.h.
 *
 * Most cases are made backwards: places at the time of contact and velocities are multiples of 1/8,
 * the time of 1/16. Then the points at the start and the end are exact, and so is the contact, be
 * it on a corner, on an edge or inside. Half of them are then moved by some last bits. */
#include "support/toi_cases.h"

#include <math.h>
#include "support/test.h"

static const char *const names[TOI_FAMILIES] = {
    "anything",
    "contact by design",
    "contact in one plane",
    "contact of points and of edges without length",
    "contact far from the origin",
    "contact of very large or very small ones",
    "hardly any motion",
    "small relative motion",
};

const char *toi_family_name(int family) { return names[family]; }

static double grid(uint64_t *random, int most)
{
    return (double)((int)(test_random(random) % (uint64_t)(2 * most + 1)) - most) / 8.0;
}

static bool one_in(uint64_t *random, unsigned n) { return test_random(random) % n == 0; }

static void fill_grid(uint64_t *random, int most, double out[4][3])
{
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) out[i][k] = grid(random, most);
}

/* Moves point 0 so that a point of one primitive, at shares of eighths, is one of the other. */
static void bring_together(uint64_t *random, bool is_edges, double at[4][3])
{
    const double a = (double)(test_random(random) % 9) / 8.0;
    const double b = (double)(test_random(random) % 9) / 8.0 * (is_edges ? 1.0 : 1.0 - a);
    for (int k = 0; k < 3; k++) {
        if (is_edges) {
            const double way = at[1][k] - at[0][k]; /* kept */
            at[0][k] = at[2][k] + b * (at[3][k] - at[2][k]) - a * way;
            at[1][k] = at[0][k] + way;
        } else {
            at[0][k] = at[1][k] + a * (at[2][k] - at[1][k]) + b * (at[3][k] - at[1][k]);
        }
    }
}

static void make_flat(double a[4][3], double b[4][3])
{
    for (int i = 0; i < 4; i++) a[i][2] = b[i][2] = 0.0;
}

/* Some points become others, with their motion. */
static void merge_points(uint64_t *random, bool is_edges, double at[4][3], double by[4][3])
{
    const int pairs[2][3][2] = {{{2, 1}, {3, 1}, {3, 2}}, {{1, 0}, {3, 2}, {3, 2}}};
    const unsigned which = 1 + (unsigned)(test_random(random) % 7);
    for (int i = 0; i < 3; i++) {
        if (!(which >> i & 1U)) continue;
        const int *p = pairs[is_edges][i];
        memcpy(at[p[0]], at[p[1]], sizeof at[0]);
        memcpy(by[p[0]], by[p[1]], sizeof by[0]);
    }
}

static void make_parallel(double at[4][3], double by[4][3])
{
    for (int k = 0; k < 3; k++) {
        at[3][k] = at[2][k] + 2.0 * (at[1][k] - at[0][k]);
        by[3][k] = by[2][k];
        by[1][k] = by[0][k];
    }
}

/* Some coordinates by some last bits. */
static void nudge(uint64_t *random, toi_case *c)
{
    for (unsigned count = 1 + (unsigned)(test_random(random) % 3); count > 0; count--) {
        const uint64_t which = test_random(random) % 24;
        double *x =
            which < 12 ? &c->start[which / 3][which % 3] : &c->end[which / 3 - 4][which % 3];
        const double to = one_in(random, 2) ? 1e300 : -1e300;
        if (*x == 0.0) continue; /* the next one would be too small */
        for (unsigned bits = 1 + (unsigned)(test_random(random) % 4); bits > 0; bits--)
            *x = nextafter(*x, to);
    }
}

static void map_all(toi_case *c, double scale, double offset)
{
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            c->start[i][k] = c->start[i][k] * scale + offset;
            c->end[i][k] = c->end[i][k] * scale + offset;
        }
}

static void make_contact(toi_case *c, int family, uint64_t *random)
{
    double at[4][3], by[4][3], t = (double)(test_random(random) % 17) / 16.0;
    fill_grid(random, 8, at);
    fill_grid(random, one_in(random, 4) ? 64 : 8, by);
    if (family == 2) make_flat(at, by);
    if (family == 3) merge_points(random, c->is_edges, at, by);
    if (c->is_edges && one_in(random, 6)) make_parallel(at, by);
    bring_together(random, c->is_edges, at);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            c->start[i][k] = at[i][k] - t * by[i][k];
            c->end[i][k] = at[i][k] + (1.0 - t) * by[i][k];
        }
    if (family == 4) map_all(c, 0x1p-20, 1048576.0);
    if (family == 5) map_all(c, ldexp(1.0, (int)(test_random(random) % 560) - 280), 0.0);
    if (one_in(random, 2)) nudge(random, c);
}

static void make_anything(toi_case *c, uint64_t *random, double motion)
{
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            c->start[i][k] = test_random_between(random, -1.0, 1.0);
            c->end[i][k] = c->start[i][k] + motion * test_random_between(random, -1.0, 1.0);
        }
}

static void choose_limits(toi_case *c, uint64_t *random)
{
    static const double tolerances[] = {1e-16, 1e-12, 1e-6, 1e-6, 1e-3};
    double size = 0.0;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) size = fmax(size, fabs(c->start[i][k] - c->start[3][k]));
    c->tolerance = tolerances[test_random(random) % 5];
    c->max_iterations = 10000;
    c->min_distance = 0.0;
    if (one_in(random, 4)) c->min_distance = size * ldexp(1.0, -(int)(test_random(random) % 30));
}

toi_case toi_make_case(int family, uint64_t *random)
{
    toi_case c = {.is_edges = one_in(random, 2)};
    switch (family) {
    case 0: make_anything(&c, random, 1.0); break;
    case 6: make_anything(&c, random, 0x1p-40); break;
    case 7: make_anything(&c, random, 0.125); break;
    default: make_contact(&c, family, random); break;
    }
    if (family == 6)
        for (int k = 0; k < 3; k++) /* and touching nearly */
            c.end[0][k] = c.start[0][k] = 0.5 * (c.start[1][k] + c.start[2][k]);
    choose_limits(&c, random);
    return c;
}

/* ---- all at once ---- */

void toi_check_families(uint64_t seed, uint64_t cases_per_family)
{
    size_t count[3] = {0}, unproven = 0, zero = 0;
    for (int family = 0; family < TOI_FAMILIES; family++) {
        uint64_t random = seed + (uint64_t)family;
        for (uint64_t i = 0; i < cases_per_family; i++) {
            const toi_case c = toi_make_case(family, &random);
            const toi_answer a = toi_check(toi_family_name(family), i, &c);
            count[a.verdict]++;
            unproven += !a.is_proven;
            zero += a.toi == 0.0;
        }
    }
    print_message("%zu without impact, %zu impacts, %zu of them at the start, %zu undecided; the "
                  "oracle could not tell in %zu cases\n",
                  count[WILLOW_TOI_NONE], count[WILLOW_TOI_IMPACT], zero,
                  count[WILLOW_TOI_UNDECIDED], unproven);
    assert_true(count[WILLOW_TOI_NONE] > 0 && count[WILLOW_TOI_IMPACT] > 0 && zero > 0);
    /* Some that turn in one plane and graze each other take forever: toi.c, step 5. */
    assert_true(count[WILLOW_TOI_UNDECIDED] * 5000 <= TOI_FAMILIES * cases_per_family);
    assert_true(unproven < TOI_FAMILIES * cases_per_family / 20);
}
