/* rational_ray.c - a triangle as cuts of a ray. See rational_ray.h.
 *
 * 1. Corners and origin are scaled by one power of two to integers, the direction by another; T is
 *    t in the unit that follows from both.
 * 2. With n = normal and e = edge, x is in a triangle that has a normal if and only if
 *        n . (x - a) = 0,  and (n x e) . (x - c) >= 0 for the edge e from each corner c.
 *    A triangle whose corners are on one line is the segment from the first corner to the last, in
 *    the order of coordinates, p to q with e = q - p:
 *        e x (x - p) = 0,  e . (x - p) >= 0,  e . (q - x) >= 0.
 *    One that is a point is x - p = 0.
 * 3. With x = origin + T direction each of these says alpha + beta T >= 0, or = 0, which is that
 *    and its negative. */
#include "rational_ray.h"

#include "rational_lp.h"

#include <math.h>

typedef mpz_t whole[3];

typedef struct ray_problem {
    whole origin, direction, corner[3];
    long unit;    /* t = T * 2^unit */
    mpq_t lo, hi; /* what is left of the ray, in T */
    bool is_endless, is_empty;
    mpz_t alpha, beta;
    mpq_t at;
    whole n, e, w, x; /* scratch */
} ray_problem;

/* ---- numbers ---- */

enum { HIGHEST_BIT = 128 };

static int ray_last_bit(float value, int highest)
{
    int exponent;
    if (value == 0) return highest;
    long digits = (long)ldexpf(frexpf(value, &exponent), 24);
    for (exponent -= 24; digits % 2 == 0; digits /= 2) exponent++;
    return exponent < highest ? exponent : highest;
}

static int ray_last_bit3(const willow_vec3 *v, int highest)
{
    return ray_last_bit(v->x, ray_last_bit(v->y, ray_last_bit(v->z, highest)));
}

/* At most 277 bits, so the quotients pass through a double. */
static void ray_set_scaled(whole out, const willow_vec3 *v, int last)
{
    mpz_set_d(out[0], ldexp((double)v->x, -last));
    mpz_set_d(out[1], ldexp((double)v->y, -last));
    mpz_set_d(out[2], ldexp((double)v->z, -last));
}

static void shift(mpq_t value, long by)
{
    if (by >= 0)
        mpq_mul_2exp(value, value, (mp_bitcnt_t)by);
    else
        mpq_div_2exp(value, value, (mp_bitcnt_t)-by);
}

static void whole_inits(whole v) { mpz_inits(v[0], v[1], v[2], NULL); }
static void whole_clears(whole v) { mpz_clears(v[0], v[1], v[2], NULL); }

static void subtract(whole out, whole a, whole b)
{
    for (int axis = 0; axis < 3; axis++) mpz_sub(out[axis], a[axis], b[axis]);
}

static void cross(whole out, whole a, whole b)
{
    for (int axis = 0; axis < 3; axis++) {
        const int next = (axis + 1) % 3, after = (axis + 2) % 3;
        mpz_mul(out[axis], a[next], b[after]);
        mpz_submul(out[axis], a[after], b[next]);
    }
}

static void dot(mpz_t out, whole a, whole b)
{
    mpz_mul(out, a[0], b[0]);
    mpz_addmul(out, a[1], b[1]);
    mpz_addmul(out, a[2], b[2]);
}

static bool is_zero(whole v)
{
    return mpz_sgn(v[0]) == 0 && mpz_sgn(v[1]) == 0 && mpz_sgn(v[2]) == 0;
}

static int compare_points(whole a, whole b)
{
    for (int axis = 0; axis < 3; axis++)
        if (mpz_cmp(a[axis], b[axis]) != 0) return mpz_cmp(a[axis], b[axis]);
    return 0;
}

/* ---- the problem ---- */

static void problem_init(ray_problem *p, const willow_ray *ray, const willow_vec3 tri[3])
{
    int last = ray_last_bit3(&ray->origin, HIGHEST_BIT);
    const int last_direction = ray_last_bit3(&ray->direction, HIGHEST_BIT);
    for (int i = 0; i < 3; i++) last = ray_last_bit3(&tri[i], last);
    whole_inits(p->origin), whole_inits(p->direction);
    whole_inits(p->n), whole_inits(p->e), whole_inits(p->w), whole_inits(p->x);
    mpz_inits(p->alpha, p->beta, NULL);
    mpq_inits(p->lo, p->hi, p->at, NULL);
    ray_set_scaled(p->origin, &ray->origin, last);
    ray_set_scaled(p->direction, &ray->direction, last_direction);
    for (int i = 0; i < 3; i++) {
        whole_inits(p->corner[i]);
        ray_set_scaled(p->corner[i], &tri[i], last);
    }
    p->unit = last - last_direction;
    p->is_endless = isinf(ray->t_max);
    p->is_empty = false;
    mpq_set_d(p->lo, (double)ray->t_min);
    shift(p->lo, -p->unit);
    if (p->is_endless) return;
    mpq_set_d(p->hi, (double)ray->t_max);
    shift(p->hi, -p->unit);
}

static void problem_clear(ray_problem *p)
{
    whole_clears(p->origin), whole_clears(p->direction);
    whole_clears(p->n), whole_clears(p->e), whole_clears(p->w), whole_clears(p->x);
    for (int i = 0; i < 3; i++) whole_clears(p->corner[i]);
    mpz_clears(p->alpha, p->beta, NULL);
    mpq_clears(p->lo, p->hi, p->at, NULL);
}

/* ---- cuts ---- */

/* Leaves what has alpha + beta T >= 0. */
static void cut(ray_problem *p)
{
    const int sign = mpz_sgn(p->beta);
    if (sign == 0) {
        p->is_empty = p->is_empty || mpz_sgn(p->alpha) < 0;
        return;
    }
    mpz_neg(mpq_numref(p->at), p->alpha);
    mpz_set(mpq_denref(p->at), p->beta);
    mpq_canonicalize(p->at);
    if (sign > 0 && mpq_cmp(p->at, p->lo) > 0) mpq_set(p->lo, p->at);
    if (sign < 0 && (p->is_endless || mpq_cmp(p->at, p->hi) < 0)) {
        mpq_set(p->hi, p->at);
        p->is_endless = false;
    }
    p->is_empty = p->is_empty || (!p->is_endless && mpq_cmp(p->lo, p->hi) > 0);
}

/* Leaves what has alpha + beta T = 0. */
static void pin(ray_problem *p)
{
    cut(p);
    mpz_neg(p->alpha, p->alpha);
    mpz_neg(p->beta, p->beta);
    cut(p);
}

/* normal . (x - from), as alpha and beta; uses p->x. */
static void write_plane(ray_problem *p, whole normal, whole from)
{
    subtract(p->x, p->origin, from);
    dot(p->alpha, normal, p->x);
    dot(p->beta, normal, p->direction);
}

static void cut_by_triangle(ray_problem *p)
{
    write_plane(p, p->n, p->corner[0]);
    pin(p);
    for (int i = 0; i < 3 && !p->is_empty; i++) {
        subtract(p->e, p->corner[(i + 1) % 3], p->corner[i]);
        cross(p->w, p->n, p->e);
        write_plane(p, p->w, p->corner[i]);
        cut(p);
    }
}

static void cut_by_segment(ray_problem *p, whole from, whole to)
{
    subtract(p->e, to, from);
    for (int axis = 0; axis < 3 && !p->is_empty; axis++) {
        const int next = (axis + 1) % 3, after = (axis + 2) % 3;
        mpz_set_ui(p->w[axis], 0); /* w . x is coordinate `axis` of e x x */
        mpz_neg(p->w[next], p->e[after]);
        mpz_set(p->w[after], p->e[next]);
        write_plane(p, p->w, from);
        pin(p);
    }
    write_plane(p, p->e, from);
    cut(p);
    write_plane(p, p->e, to);
    mpz_neg(p->alpha, p->alpha);
    mpz_neg(p->beta, p->beta);
    cut(p);
}

static void cut_by_point(ray_problem *p, whole at)
{
    for (int axis = 0; axis < 3 && !p->is_empty; axis++) {
        mpz_sub(p->alpha, p->origin[axis], at[axis]);
        mpz_set(p->beta, p->direction[axis]);
        pin(p);
    }
}

static void set_normal(ray_problem *p)
{
    subtract(p->e, p->corner[1], p->corner[0]);
    subtract(p->w, p->corner[2], p->corner[0]);
    cross(p->n, p->e, p->w);
}

static void cut_by_corners(ray_problem *p)
{
    int first = 0, last = 0;
    set_normal(p);
    if (!is_zero(p->n)) {
        cut_by_triangle(p);
        return;
    }
    for (int i = 1; i < 3; i++) {
        if (compare_points(p->corner[i], p->corner[first]) < 0) first = i;
        if (compare_points(p->corner[i], p->corner[last]) > 0) last = i;
    }
    if (compare_points(p->corner[first], p->corner[last]) == 0)
        cut_by_point(p, p->corner[first]);
    else
        cut_by_segment(p, p->corner[first], p->corner[last]);
}

bool rational_ray_tri(const willow_ray *ray, const willow_vec3 tri[3], mpq_t t)
{
    ray_problem p;
    problem_init(&p, ray, tri);
    cut_by_corners(&p);
    mpq_set(t, p.lo);
    shift(t, p.unit);
    const bool meets = !p.is_empty;
    problem_clear(&p);
    return meets;
}

int rational_ray_side(const willow_ray *ray, const willow_vec3 tri[3])
{
    ray_problem p;
    problem_init(&p, ray, tri);
    set_normal(&p);
    dot(p.alpha, p.n, p.direction);
    const int sign = mpz_sgn(p.alpha);
    problem_clear(&p);
    return sign;
}

/* ---- the second way ---- */

/* With weights g >= 0 that add up to 1 and w = t - t_min >= 0 the question is
 *     sum g[i] corner[i] - w direction = origin + t_min direction,   w + rest = t_max - t_min.
 * Columns 0..2 are g, 3 is w in its own unit 2^last_t, 4 is rest. */
bool rational_ray_tri_slow(const willow_ray *ray, const willow_vec3 tri[3])
{
    const bool is_endless = isinf(ray->t_max);
    const float d[3] = {ray->direction.x, ray->direction.y, ray->direction.z};
    const float o[3] = {ray->origin.x, ray->origin.y, ray->origin.z};
    const float c[3][3] = {{tri[0].x, tri[0].y, tri[0].z},
                           {tri[1].x, tri[1].y, tri[1].z},
                           {tri[2].x, tri[2].y, tri[2].z}};
    const int last_t =
        ray_last_bit(ray->t_min, is_endless ? 0 : ray_last_bit(ray->t_max, HIGHEST_BIT));
    int last = ray_last_bit3(&ray->origin, HIGHEST_BIT), along;
    mpz_t t_min, t_max;
    rational_lp lp;
    for (int i = 0; i < 3; i++) last = ray_last_bit3(&tri[i], last);
    along = last_t + ray_last_bit3(&ray->direction, HIGHEST_BIT);
    const int row_last = along < last ? along : last;
    mpz_init_set_d(t_min, ldexp((double)ray->t_min, -last_t));
    mpz_init_set_d(t_max, is_endless ? 0.0 : ldexp((double)ray->t_max, -last_t));
    rational_lp_init(&lp, is_endless ? 4 : 5, is_endless ? 4 : 5);
    for (int axis = 0; axis < 3; axis++) {
        const int last_axis = ray_last_bit(d[axis], HIGHEST_BIT); /* of whole numbers, shifted */
        for (int i = 0; i < 3; i++) {
            const int last_c = ray_last_bit(c[i][axis], HIGHEST_BIT);
            mpz_set_d(lp.cell[axis][i], ldexp((double)c[i][axis], -last_c));
            mpz_mul_2exp(lp.cell[axis][i], lp.cell[axis][i], (mp_bitcnt_t)(last_c - row_last));
        }
        mpz_set_d(lp.cell[axis][3], -ldexp((double)d[axis], -last_axis));
        mpz_mul_2exp(lp.cell[axis][3], lp.cell[axis][3],
                     (mp_bitcnt_t)(last_axis + last_t - row_last));
        const int last_o = ray_last_bit(o[axis], HIGHEST_BIT);
        mpz_set_d(lp.right[axis], ldexp((double)o[axis], -last_o));
        mpz_mul_2exp(lp.right[axis], lp.right[axis], (mp_bitcnt_t)(last_o - row_last));
        mpz_submul(lp.right[axis], lp.cell[axis][3], t_min);
    }
    for (int i = 0; i < 3; i++) mpz_set_ui(lp.cell[3][i], 1);
    mpz_set_ui(lp.right[3], 1);
    if (!is_endless) {
        mpz_set_ui(lp.cell[4][3], 1);
        mpz_set_ui(lp.cell[4][4], 1);
        mpz_sub(lp.right[4], t_max, t_min);
    }
    const bool meets = rational_lp_find_feasible(&lp);
    rational_lp_clear(&lp);
    mpz_clears(t_min, t_max, NULL);
    return meets;
}

/* ---- what was rounded ---- */

double rational_error(double rounded, const mpq_t exact)
{
    double error = HUGE_VAL;
    if (!isfinite(rounded)) return error;
    mpq_t difference;
    mpq_init(difference);
    mpq_set_d(difference, rounded);
    mpq_sub(difference, difference, exact);
    if (mpq_sgn(exact) != 0) mpq_div(difference, difference, exact);
    if (mpq_sgn(exact) != 0 || mpq_sgn(difference) == 0) error = fabs(mpq_get_d(difference));
    mpq_clear(difference);
    return error;
}

/* of `axis`: out = a + u (b - a) + v (c - a) - (o + t d) */
static void point_error(mpq_t out, const float abc[3], float o, float d, const mpq_t t, double u,
                        double v)
{
    const double weight[2] = {u, v};
    mpq_t term, a;
    mpq_inits(term, a, NULL);
    mpq_set_d(a, (double)abc[0]);
    mpq_set_d(out, -(double)o);
    mpq_add(out, out, a);
    for (int i = 0; i < 2; i++) {
        mpq_t share;
        mpq_init(share);
        mpq_set_d(share, weight[i]);
        mpq_set_d(term, (double)abc[1 + i]);
        mpq_sub(term, term, a);
        mpq_mul(term, term, share);
        mpq_add(out, out, term);
        mpq_clear(share);
    }
    mpq_set_d(term, (double)d);
    mpq_mul(term, term, t);
    mpq_sub(out, out, term);
    mpq_clears(term, a, NULL);
}

double rational_weight_error(const willow_ray *ray, const willow_vec3 tri[3], const mpq_t t,
                             double u, double v)
{
    const float of[3][5] = {
        {tri[0].x, tri[1].x, tri[2].x, ray->origin.x, ray->direction.x},
        {tri[0].y, tri[1].y, tri[2].y, ray->origin.y, ray->direction.y},
        {tri[0].z, tri[1].z, tri[2].z, ray->origin.z, ray->direction.z},
    };
    const double way = fabs(mpq_get_d(t)) * 0x1p-32;
    double most = 0, length = 0;
    mpq_t error;
    mpq_init(error);
    for (int axis = 0; axis < 3; axis++) {
        const double a = (double)of[axis][0], b = (double)of[axis][1], c = (double)of[axis][2];
        length = fmax(length, fmax(fabs(b - a), fmax(fabs(c - a), fabs(c - b))));
        length = fmax(length, way * fabs((double)of[axis][4]));
        point_error(error, of[axis], of[axis][3], of[axis][4], t, u, v);
        most = fmax(most, fabs(mpq_get_d(error)));
    }
    mpq_clear(error);
    return most == 0 ? 0 : most / length; /* infinite where a point is missed */
}
