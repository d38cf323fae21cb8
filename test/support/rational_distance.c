/* rational_distance.c - see rational_distance.h. Points are three rationals; nothing is rounded
 * before the last root, which has 600 bits. */
#include "support/rational_distance.h"

#include <gmp.h>
#include <math.h>
#include <stdbool.h>

enum { BITS = 600 };

typedef struct point {
    mpq_t at[3];
} point;

static void init(point *p)
{
    for (int i = 0; i < 3; i++) mpq_init(p->at[i]);
}

static void clear(point *p)
{
    for (int i = 0; i < 3; i++) mpq_clear(p->at[i]);
}

static void set(point *p, const double from[3])
{
    for (int i = 0; i < 3; i++) mpq_set_d(p->at[i], from[i]);
}

static void set_floats(point *p, const float from[3])
{
    const double wide[3] = {(double)from[0], (double)from[1], (double)from[2]};
    set(p, wide);
}

static void sub(point *out, const point *a, const point *b)
{
    for (int i = 0; i < 3; i++) mpq_sub(out->at[i], a->at[i], b->at[i]);
}

/* out = from + share * along */
static void move(point *out, const point *from, const point *along, const mpq_t share)
{
    mpq_t step;
    mpq_init(step);
    for (int i = 0; i < 3; i++) {
        mpq_mul(step, along->at[i], share);
        mpq_add(out->at[i], from->at[i], step);
    }
    mpq_clear(step);
}

static void dot(mpq_t out, const point *a, const point *b)
{
    mpq_t product, sum;
    mpq_inits(product, sum, NULL);
    for (int i = 0; i < 3; i++) {
        mpq_mul(product, a->at[i], b->at[i]);
        mpq_add(sum, sum, product);
    }
    mpq_set(out, sum);
    mpq_clears(product, sum, NULL);
}

static void cross(point *out, const point *a, const point *b)
{
    mpq_t one, other;
    mpq_inits(one, other, NULL);
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3, l = (i + 2) % 3;
        mpq_mul(one, a->at[k], b->at[l]);
        mpq_mul(other, a->at[l], b->at[k]);
        mpq_sub(out->at[i], one, other);
    }
    mpq_clears(one, other, NULL);
}

static void keep_least(mpq_t least, const point *a, const point *b)
{
    point apart;
    mpq_t distance2;
    init(&apart);
    mpq_init(distance2);
    sub(&apart, a, b);
    dot(distance2, &apart, &apart);
    if (mpq_sgn(least) < 0 || mpq_cmp(distance2, least) < 0) mpq_set(least, distance2);
    clear(&apart);
    mpq_clear(distance2);
}

static bool is_share(const mpq_t share)
{
    return mpq_sgn(share) >= 0 && mpq_cmp_ui(share, 1, 1) <= 0;
}

/* `least` is negative while nothing is known. */
static void try_point_edge(mpq_t least, const point *p, const point *from, const point *to)
{
    point along, way, at;
    mpq_t length2, share;
    init(&along), init(&way), init(&at);
    mpq_inits(length2, share, NULL);
    sub(&along, to, from);
    sub(&way, p, from);
    dot(length2, &along, &along);
    dot(share, &way, &along);
    keep_least(least, p, from);
    keep_least(least, p, to);
    if (mpq_sgn(length2) > 0) {
        mpq_div(share, share, length2);
        move(&at, from, &along, share);
        if (is_share(share)) keep_least(least, p, &at);
    }
    clear(&along), clear(&way), clear(&at);
    mpq_clears(length2, share, NULL);
}

/* (a x b) . normal / area2: how much of a side of the triangle or edge is meant. */
static void find_share(mpq_t share, const point *a, const point *b, const point *normal,
                       const mpq_t area2)
{
    point turned;
    init(&turned);
    cross(&turned, a, b);
    dot(share, &turned, normal);
    mpq_div(share, share, area2);
    clear(&turned);
}

/* The foot of p on the plane, if it is in the triangle. */
static void try_foot(mpq_t least, const point *p, const point tri[3])
{
    point u, v, w, normal, at;
    mpq_t area2, s, t, sum;
    init(&u), init(&v), init(&w), init(&normal), init(&at);
    mpq_inits(area2, s, t, sum, NULL);
    sub(&u, &tri[1], &tri[0]);
    sub(&v, &tri[2], &tri[0]);
    sub(&w, p, &tri[0]);
    cross(&normal, &u, &v);
    dot(area2, &normal, &normal);
    if (mpq_sgn(area2) > 0) {
        find_share(s, &w, &v, &normal, area2);
        find_share(t, &u, &w, &normal, area2);
        mpq_add(sum, s, t);
        move(&at, &tri[0], &u, s);
        move(&at, &at, &v, t);
        if (is_share(s) && is_share(t) && is_share(sum)) keep_least(least, p, &at);
    }
    clear(&u), clear(&v), clear(&w), clear(&normal), clear(&at);
    mpq_clears(area2, s, t, sum, NULL);
}

static void try_point_tri(mpq_t least, const point *p, const point tri[3])
{
    for (int i = 0; i < 3; i++) try_point_edge(least, p, &tri[i], &tri[(i + 1) % 3]);
    try_foot(least, p, tri);
}

static void try_edges(mpq_t least, const point *a0, const point *a1, const point *b0,
                      const point *b1)
{
    point u, v, w, normal, at, other;
    mpq_t area2, s, t;
    init(&u), init(&v), init(&w), init(&normal), init(&at), init(&other);
    mpq_inits(area2, s, t, NULL);
    try_point_edge(least, a0, b0, b1);
    try_point_edge(least, a1, b0, b1);
    try_point_edge(least, b0, a0, a1);
    try_point_edge(least, b1, a0, a1);
    sub(&u, a1, a0);
    sub(&v, b1, b0);
    sub(&w, b0, a0);
    cross(&normal, &u, &v);
    dot(area2, &normal, &normal);
    if (mpq_sgn(area2) > 0) {
        find_share(s, &w, &v, &normal, area2);
        find_share(t, &w, &u, &normal, area2);
        move(&at, a0, &u, s);
        move(&other, b0, &v, t);
        if (is_share(s) && is_share(t)) keep_least(least, &at, &other);
    }
    clear(&u), clear(&v), clear(&w), clear(&normal), clear(&at), clear(&other);
    mpq_clears(area2, s, t, NULL);
}

static rational_distance compare(const mpq_t least, double found)
{
    mpf_t root, given;
    rational_distance out;
    mpf_init2(root, BITS);
    mpf_init2(given, BITS);
    mpf_set_q(root, least);
    mpf_sqrt(root, root);
    mpf_set_d(given, found);
    out.exact = mpf_get_d(root);
    mpf_sub(given, given, root);
    out.error = fabs(mpf_get_d(given));
    mpf_clears(root, given, NULL);
    return out;
}

rational_distance rational_point_tri(const double p[3], const float tri[3][3], double found)
{
    point corner[3], at;
    mpq_t least;
    mpq_init(least);
    mpq_set_si(least, -1, 1);
    init(&at);
    set(&at, p);
    for (int i = 0; i < 3; i++) init(&corner[i]), set_floats(&corner[i], tri[i]);
    try_point_tri(least, &at, corner);
    rational_distance out = compare(least, found);
    for (int i = 0; i < 3; i++) clear(&corner[i]);
    clear(&at);
    mpq_clear(least);
    return out;
}

rational_distance rational_edge_edge(const float a[2][3], const float b[2][3], double found)
{
    point end[4];
    mpq_t least;
    mpq_init(least);
    mpq_set_si(least, -1, 1);
    for (int i = 0; i < 4; i++) init(&end[i]), set_floats(&end[i], i < 2 ? a[i] : b[i - 2]);
    try_edges(least, &end[0], &end[1], &end[2], &end[3]);
    rational_distance out = compare(least, found);
    for (int i = 0; i < 4; i++) clear(&end[i]);
    mpq_clear(least);
    return out;
}

rational_distance rational_tri_tri(const float a[3][3], const float b[3][3], double found)
{
    point ta[3], tb[3];
    mpq_t least;
    mpq_init(least);
    mpq_set_si(least, -1, 1);
    for (int i = 0; i < 3; i++) {
        init(&ta[i]), set_floats(&ta[i], a[i]);
        init(&tb[i]), set_floats(&tb[i], b[i]);
    }
    for (int i = 0; i < 3; i++) {
        try_point_tri(least, &ta[i], tb);
        try_point_tri(least, &tb[i], ta);
        for (int k = 0; k < 3; k++)
            try_edges(least, &ta[i], &ta[(i + 1) % 3], &tb[k], &tb[(k + 1) % 3]);
    }
    rational_distance out = compare(least, found);
    for (int i = 0; i < 3; i++) clear(&ta[i]), clear(&tb[i]);
    mpq_clear(least);
    return out;
}
