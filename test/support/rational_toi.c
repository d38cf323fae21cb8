/* rational_toi.c - exact distances, and times between them. See rational_toi.h.
 *
 * 1. The primitives are as far apart as the hull of the corners w, w + u, w + v, and of two edges
 *    w + u + v, is from the origin. The closest point of the hull is a corner, or the foot of the
 *    perpendicular on an edge, or that on its plane.
 * 2. In the time h the distance changes by at most speed * h. So if it is more than speed * h at
 * the middle of a span of length 2 h, the two do not touch in it. Else both halves are looked at,
 * the earlier one first, until they are too short. */
#include "support/rational_toi.h"

#include "support/test.h"

enum { W, U, V, DEPTH = 110, SPANS = 3000 };

typedef mpq_t vec[3];

static void vec_init(vec a)
{
    for (int i = 0; i < 3; i++) mpq_init(a[i]);
}

static void vec_clear(vec a)
{
    for (int i = 0; i < 3; i++) mpq_clear(a[i]);
}

static void dot(mpq_t out, vec a, vec b)
{
    mpq_t product;
    mpq_init(product);
    mpq_mul(out, a[0], b[0]);
    for (int i = 1; i < 3; i++) {
        mpq_mul(product, a[i], b[i]);
        mpq_add(out, out, product);
    }
    mpq_clear(product);
}

static void cross(vec out, vec a, vec b)
{
    mpq_t product;
    mpq_init(product);
    for (int i = 0; i < 3; i++) {
        const int k = (i + 1) % 3, l = (i + 2) % 3;
        mpq_mul(out[i], a[k], b[l]);
        mpq_mul(product, a[l], b[k]);
        mpq_sub(out[i], out[i], product);
    }
    mpq_clear(product);
}

static void add(vec out, vec a, vec b)
{
    for (int i = 0; i < 3; i++) mpq_add(out[i], a[i], b[i]);
}

static void negate(vec out, vec a)
{
    for (int i = 0; i < 3; i++) mpq_neg(out[i], a[i]);
}

/* ---- motion ---- */

static void read_places(vec hull[3], bool is_quad, const double at[4][3])
{
    const int from[3] = {0, 1, is_quad ? 2 : 1}, to[3] = {is_quad ? 2 : 1, is_quad ? 0 : 2, 3};
    mpq_t other;
    mpq_init(other);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) {
            mpq_set_d(hull[k][i], at[from[k]][i]);
            mpq_set_d(other, at[to[k]][i]);
            mpq_sub(hull[k][i], hull[k][i], other);
        }
    mpq_clear(other);
}

static void raise_to(mpq_t most, const mpq_t x)
{
    mpq_t size;
    mpq_init(size);
    mpq_abs(size, x);
    if (mpq_cmp(size, most) > 0) mpq_set(most, size);
    mpq_clear(size);
}

/* Corner `k`: bit 0 takes u, bit 1 takes v. */
static void corner(vec out, const mpq_t hull[3][3], int k)
{
    for (int i = 0; i < 3; i++) {
        mpq_set(out[i], hull[W][i]);
        if (k & 1) mpq_add(out[i], out[i], hull[U][i]);
        if (k & 2) mpq_add(out[i], out[i], hull[V][i]);
    }
}

/* Twice the greatest coordinate is more than the length, by a factor that does no harm. */
static void find_bounds(rational_motion *m)
{
    vec a, b;
    vec_init(a);
    vec_init(b);
    for (int k = 0; k < (m->is_quad ? 4 : 3); k++) {
        corner(a, (const mpq_t(*)[3])m->start, k);
        corner(b, (const mpq_t(*)[3])m->step, k);
        for (int i = 0; i < 3; i++) {
            raise_to(m->speed, b[i]);
            raise_to(m->size, a[i]);
        }
        add(b, a, b);
        for (int i = 0; i < 3; i++) raise_to(m->size, b[i]);
    }
    mpq_add(m->speed, m->speed, m->speed);
    vec_clear(a);
    vec_clear(b);
}

void rational_motion_init(rational_motion *m, bool is_quad, const double start[4][3],
                          const double end[4][3])
{
    m->is_quad = is_quad;
    mpq_inits(m->speed, m->size, NULL);
    for (int k = 0; k < 3; k++) {
        vec_init(m->start[k]);
        vec_init(m->step[k]);
    }
    read_places(m->start, is_quad, start);
    read_places(m->step, is_quad, end);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) mpq_sub(m->step[k][i], m->step[k][i], m->start[k][i]);
    find_bounds(m);
}

void rational_motion_clear(rational_motion *m)
{
    for (int k = 0; k < 3; k++) {
        vec_clear(m->start[k]);
        vec_clear(m->step[k]);
    }
    mpq_clears(m->speed, m->size, NULL);
}

/* ---- distance ---- */

static void keep_less(mpq_t least, const mpq_t x)
{
    if (mpq_cmp(x, least) < 0) mpq_set(least, x);
}

/* The foot on the edge from q along d, if it is inside. */
static void try_edge(mpq_t least, vec q, vec d)
{
    mpq_t length2, along, d2;
    mpq_inits(length2, along, d2, NULL);
    dot(length2, d, d);
    dot(along, q, d);
    mpq_neg(along, along);
    if (mpq_sgn(along) > 0 && mpq_cmp(along, length2) < 0) {
        dot(d2, q, q);
        mpq_mul(along, along, along);
        mpq_div(along, along, length2);
        mpq_sub(d2, d2, along);
        keep_less(least, d2);
    }
    mpq_clears(length2, along, d2, NULL);
}

/* The foot on the plane, if it is inside: at the shares a and b of u and v, times |u x v|^2. */
static void try_plane(mpq_t least, vec w, vec u, vec v, bool is_quad)
{
    vec n, other;
    mpq_t area2, a, b, sum;
    vec_init(n);
    vec_init(other);
    mpq_inits(area2, a, b, sum, NULL);
    cross(n, u, v);
    dot(area2, n, n);
    cross(other, v, w);
    dot(a, other, n);
    cross(other, w, u);
    dot(b, other, n);
    mpq_add(sum, a, b);
    const bool is_inside =
        mpq_sgn(a) >= 0 && mpq_sgn(b) >= 0 &&
        (is_quad ? mpq_cmp(a, area2) <= 0 && mpq_cmp(b, area2) <= 0 : mpq_cmp(sum, area2) <= 0);
    if (mpq_sgn(area2) > 0 && is_inside) {
        dot(sum, w, n);
        mpq_mul(sum, sum, sum);
        mpq_div(sum, sum, area2);
        keep_less(least, sum);
    }
    mpq_clears(area2, a, b, sum, NULL);
    vec_clear(n);
    vec_clear(other);
}

static void try_edges(mpq_t least, const mpq_t hull[3][3], bool is_quad)
{
    vec q, d, back;
    vec_init(q);
    vec_init(d);
    vec_init(back);
    for (int way = 0; way < 2; way++) { /* along u, along v */
        for (int i = 0; i < 3; i++) mpq_set(d[i], hull[U + way][i]);
        corner(q, hull, 0);
        try_edge(least, q, d);
        corner(q, hull, way == 0 ? 2 : 1);
        if (is_quad) try_edge(least, q, d);
    }
    if (!is_quad) {
        for (int i = 0; i < 3; i++) mpq_set(back[i], hull[U][i]);
        negate(back, back);
        add(d, d, back); /* v - u, from the corner w + u that q still is */
        try_edge(least, q, d);
    }
    vec_clear(q);
    vec_clear(d);
    vec_clear(back);
}

void rational_distance2(const rational_motion *m, const mpq_t t, mpq_t out)
{
    vec hull[3], q;
    mpq_t d2;
    vec_init(q);
    mpq_init(d2);
    for (int k = 0; k < 3; k++) {
        vec_init(hull[k]);
        for (int i = 0; i < 3; i++) {
            mpq_mul(hull[k][i], t, m->step[k][i]);
            mpq_add(hull[k][i], hull[k][i], m->start[k][i]);
        }
    }
    dot(out, hull[W], hull[W]);
    for (int k = 1; k < (m->is_quad ? 4 : 3); k++) {
        corner(q, (const mpq_t(*)[3])hull, k);
        dot(d2, q, q);
        keep_less(out, d2);
    }
    try_edges(out, (const mpq_t(*)[3])hull, m->is_quad);
    try_plane(out, hull[W], hull[U], hull[V], m->is_quad);
    for (int k = 0; k < 3; k++) vec_clear(hull[k]);
    mpq_clear(d2);
    vec_clear(q);
}

/* ---- times ---- */

typedef struct look {
    const rational_motion *m;
    mpq_t distance, middle, half, d2, bound;
    int spans; /* looked at so far */
} look;

/* Is it touching at `middle`, or clear as far as `half` from there? */
static rational_answer look_at_middle(look *l)
{
    rational_distance2(l->m, l->middle, l->d2);
    mpq_mul(l->bound, l->distance, l->distance);
    if (mpq_cmp(l->d2, l->bound) <= 0) return RATIONAL_TOUCHING;
    mpq_mul(l->bound, l->m->speed, l->half);
    mpq_add(l->bound, l->bound, l->distance);
    mpq_mul(l->bound, l->bound, l->bound);
    return mpq_cmp(l->d2, l->bound) > 0 ? RATIONAL_APART : RATIONAL_UNKNOWN;
}

/* Spans are numbered as in a binary tree: at `depth` the one with this number. A span that is done
 * is followed by its sibling, or by that of the first parent that was a left half. */
static rational_answer look_through(look *l, const mpq_t from, const mpq_t length)
{
    rational_answer all = RATIONAL_APART;
    mpz_t number;
    int depth = 0;
    mpz_init(number);
    for (;;) {
        mpq_set(l->half, length);
        mpq_div_2exp(l->half, l->half, (mp_bitcnt_t)depth + 1);
        mpq_set_z(l->middle, number);
        mpq_add(l->middle, l->middle, l->middle);
        mpq_set_ui(l->bound, 1, 1);
        mpq_add(l->middle, l->middle, l->bound);
        mpq_mul(l->middle, l->middle, l->half);
        mpq_add(l->middle, l->middle, from);
        rational_answer answer = look_at_middle(l);
        if (answer == RATIONAL_TOUCHING || ++l->spans == SPANS) {
            all = answer == RATIONAL_TOUCHING ? answer : RATIONAL_UNKNOWN;
            break;
        }
        if (answer == RATIONAL_UNKNOWN && depth < DEPTH) {
            depth++;
            mpz_mul_2exp(number, number, 1);
            continue;
        }
        if (answer == RATIONAL_UNKNOWN) all = RATIONAL_UNKNOWN;
        for (; depth > 0 && mpz_odd_p(number); depth--) mpz_fdiv_q_2exp(number, number, 1);
        if (depth == 0) break;
        mpz_add_ui(number, number, 1);
    }
    mpz_clear(number);
    return all;
}

static bool touches_at(look *l, const mpq_t t)
{
    mpq_set(l->middle, t);
    mpq_set_ui(l->half, 0, 1);
    return look_at_middle(l) == RATIONAL_TOUCHING;
}

rational_answer rational_look(const rational_motion *m, double from, double to, bool with_ends,
                              const mpq_t distance)
{
    look l = {.m = m};
    mpq_t first, length;
    mpq_inits(l.distance, l.middle, l.half, l.d2, l.bound, first, length, NULL);
    mpq_set(l.distance, distance);
    mpq_set_d(first, from);
    mpq_set_d(length, to);
    rational_answer answer = RATIONAL_APART;
    if (with_ends && (touches_at(&l, first) || touches_at(&l, length))) answer = RATIONAL_TOUCHING;
    mpq_sub(length, length, first);
    if (answer == RATIONAL_APART && from < to) answer = look_through(&l, first, length);
    mpq_clears(l.distance, l.middle, l.half, l.d2, l.bound, first, length, NULL);
    return answer;
}
