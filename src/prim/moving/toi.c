/* toi.c - the time of impact of two moving primitives: a march through time that is never late.
 *
 * Way in: willow_vertex_face_toi, willow_edge_edge_toi; inside the library wi_vertex_face_toi and
 * wi_edge_edge_toi, which take bent paths too. Made for candidates whose swept boxes meet: nearly
 * all are cleared by the first span of time, which is the whole step.
 *
 * Derivation. u = 2^-53.
 *   1. At any time the two touch if and only if the hull of swept_hull.h comes within reach of the
 *      origin. On straight paths its corners move on straight lines.
 *   2. Places. A coordinate of w, u or v at the start and at the end is one difference of given
 *      numbers: off by u M, where M is the larger of the two in size (times a power of two, which
 *      changes no bit). At another time it is start + t (end - start): (end - start) is off by 2 u
 *      M + 2 u M, the product by 2 u M more, the sum by 1 u M, and start by u M: 8 u M in all. M
 *      may be short of the truth by a factor 1 - u.
 *   3. The march keeps this true: they do not touch at any time before s, nor at any time after
 *      `doubt` up to `resume`. A span from s on is certified as a whole, or from its start up to a
 *      share of it; swept_hull.c proves both. Ends of spans are numbers as they are; a time that
 *      comes from a share is moved by 2^-52 of itself to the safe side, more than the roundings of
 *      its product and its sum.
 *   4. So s is never later than the first contact, and WILLOW_TOI_NONE, which is said when s has
 *      come to the end, is never wrong. Whatever certificates fail to tell only costs time: a span
 *      that is not cleared is cut to at most half. Spans double again when they are cleared.
 *   5. An impact is said for a span that is no longer than the tolerance, or 2^-50, if
 *      - a contact in it is proven (swept_hull.c, steps 7 and 8); where its start is too near to
 *        the contact for that, in the span around its start, or
 *      - nothing tells the two apart at its start: no direction in double, and if reach is 0
 *        nothing in fine_hull.c either, which has twice as many digits, or
 *      - the span is a few last bits of the time long and is not clear.
 *      A miss by some last bits of a coordinate, or some 100 u of the size and the way if reach is
 *      positive, may thus be taken for an impact, and a contact that is that near all the while may
 *      be announced as early as that. This is the only way to be wrong, and it is the safe one.
 *      Before it comes to that, primitives that turn while they graze each other may take very many
 *      spans: those are what max_iterations is for.
 *   6. The start. Whether they touch there is decided exactly if reach is 0 (contact64.c). If reach
 *      is positive they do unless a direction tells them apart: a pair that is further apart than
 *      reach by roundings only, as in step 5, may be said to touch.
 *   7. A time of 0 means that they touch at the start. Where the march did not get away from 0 and
 *      they do not touch, a direction that tells them apart gives the time. If there is none either
 *      (reach is 0 then), let all coordinates at the start be multiples of g, and those of all
 *      differences at most Q. The closest point of the hull is
 *      - a corner, at least g away, or
 *      - on an edge, at |q x q'| / |q' - q| with q x q' a multiple of g^2 that is not 0, or
 *      - inside, at |w.(u x v)| / |u x v|, a multiple of g^3 by at most 12 Q^2.
 *      So they are at least g^3 / (12 Q^2) apart. No corner moves faster than 2 sqrt(3) Q if Q
 *      bounds the differences at the end too, so nothing touches before (g / Q)^3 / 64. Where that
 *      is less than the least number of double, which takes coordinates of very different sizes and
 *      a distance of 1e-160 of the largest, the time is 0.
 *   8. Bent paths. On a span of length h a difference leaves its chord by at most bend h^2, and is
 *      given within slack. So the chord comes within reach + bend h^2 + slack of the origin if the
 *      path comes within reach. Sizes are taken from the ends of each span. A proof that the chord
 *      meets the origin counts once bend h^2 is no more than reach and slack; what is not told
 *      apart is an impact once it is no more than slack, or 2^-40 of the sizes.
 *   9. Boxes. Along an axis the gap between the two, the least coordinate of one less the greatest
 *      of the other, is concave in time, so it is not less than what lies between its ends. Where
 *      that is beyond reach at both ends, or where one gap closes only after another has opened,
 *      nothing touches. Signs of differences are exact, with a reach within 2^-52 of it; g0 and g1
 *      have different signs where times are computed, so these are off by a few roundings. This is
 *      what walks ask of the boxes of trees, so no contact depends on who was asked first. Nothing
 *      touches before the last gap closes either, and no time returned is earlier than that: boxes
 *      of trees close no later, so what a walk leaves out since its boxes meet after an impact that
 *      it knows is not the first one, however early the tolerance would let it be.
 *  10. Lengths are scaled by a power of two where sizes are beyond 2^80 or below 2^-80, so that no
 *      product of up to six lengths overflows or vanishes. */
#include "prim/moving/toi.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include "base/check.h"
#include "base/larger.h"
#include "prim/moving/contact64.h"
#include "prim/moving/fine_hull.h"
#include "prim/moving/swept_hull.h"

/* Spans of time are not asked to be shorter than this. */
static const double shortest = 0x1p-50;

/* What is known while time goes on. */
typedef struct march {
    const wi_paths *paths;
    const wi_toi_limits *limits;
    wi_hull start, end;   /* of the whole step */
    wi_swept_hull swept;  /* over the span that is looked at */
    double size;          /* of all that is given */
    double scale;         /* of lengths: step 10 */
    double reach;         /* with slack, scaled */
    double bend, slack;   /* scaled; 0 if paths are straight */
    double doubt, resume; /* step 3 */
    double closing;       /* step 9: nothing touches before */
    bool is_bent;
    bool knows_start; /* that they do not touch there */
} march;

/* ---- places ---- */

static void read_hull(const double at[4][3], bool is_quad, double scale, wi_hull *out)
{
    const double *other = at[is_quad ? 2 : 1], *back = at[is_quad ? 0 : 2];
    for (int i = 0; i < 3; i++) {
        out->w[i] = (at[0][i] - other[i]) * scale;
        out->u[i] = (at[1][i] - back[i]) * scale;
        out->v[i] = (other[i] - at[3][i]) * scale;
    }
}

static double greatest_size(const wi_swept_hull *h)
{
    double size = 0.0;
    for (int i = 0; i < 3; i++) size = wi_larger(size, h->size_w[i] + 2.0 * h->size_uv[i]);
    return size;
}

/* What places are off by (step 2), where these are the sizes of all that they come from. */
static void set_errors(wi_swept_hull *h)
{
    for (int i = 0; i < 3; i++) {
        h->off_w[i] = 10.0 * h->unit * h->size_w[i];
        h->off_uv[i] = 10.0 * h->unit * h->size_uv[i];
    }
}

static void hull_at(const march *m, double t, wi_hull *out)
{
    WI_ASSERT(t >= 0.0 && t <= 1.0);
    const wi_hull *a = &m->start, *b = &m->end;
    if (t == 0.0 || t == 1.0) {
        *out = t == 0.0 ? *a : *b;
    } else if (m->is_bent) {
        double at[4][3];
        m->paths->at(m->paths->context, t, at);
        read_hull((const double(*)[3])at, m->swept.is_quad, m->scale, out);
    } else {
        for (int i = 0; i < 3; i++) {
            out->w[i] = a->w[i] + t * (b->w[i] - a->w[i]);
            out->u[i] = a->u[i] + t * (b->u[i] - a->u[i]);
            out->v[i] = a->v[i] + t * (b->v[i] - a->v[i]);
        }
    }
}

static void set_span(march *m, double s, double e)
{
    WI_ASSERT(s <= e);
    hull_at(m, s, &m->swept.start);
    hull_at(m, e, &m->swept.end);
    wi_swept_measure(&m->swept);
    if (!m->is_bent) return;
    m->swept.reach = m->reach + m->bend * ((e - s) * (e - s)) * (1.0 + 0x1p-40);
    set_errors(&m->swept);
}

/* The whole step. */
static void read_whole(march *m)
{
    read_hull(m->paths->start, m->swept.is_quad, m->scale, &m->start);
    read_hull(m->paths->end, m->swept.is_quad, m->scale, &m->end);
    m->swept.start = m->start;
    m->swept.end = m->end;
    wi_swept_measure(&m->swept);
    set_errors(&m->swept);
}

static void begin(march *m, const wi_paths *paths, const wi_toi_limits *limits, bool is_quad)
{
    m->paths = paths;
    m->limits = limits;
    m->swept.is_quad = is_quad;
    m->swept.unit = 0x1p-53;
    m->scale = 1.0;
    m->is_bent = paths->at != NULL;
    m->knows_start = false;
    m->doubt = m->resume = 1.0;
    read_whole(m);
    m->size = greatest_size(&m->swept);
    if (!(m->size >= 0x1p-80 && m->size <= 0x1p80) && m->size > 0.0) {
        m->scale = 1.0 / wi_power_in(m->size);
        read_whole(m);
    }
    m->reach = limits->reach * m->scale;
    m->bend = m->slack = 0.0;
    if (m->is_bent) {
        m->slack = paths->slack * m->scale;
        m->reach = (m->reach + m->slack) * (1.0 + 0x1p-50);
        m->bend = paths->bend * m->scale;
    }
    m->swept.reach = m->reach;
}

/* ---- times ---- */

/* Some last bits of t. */
static double instant(double t) { return 0x1p-51 * t + 0x1p-120; }

/* No later than that share of the span, and no sooner than s. */
static double not_after(double s, double e, double share)
{
    WI_ASSERT(s <= e && share >= 0.0 && share <= 1.0);
    double t = s + share * (e - s);
    t -= t * 0x1p-52;
    return t > s ? t : s;
}

/* No sooner than that share of the span, and no later than e. */
static double not_before(double s, double e, double share)
{
    WI_ASSERT(s <= e && share >= 0.0 && share <= 1.0);
    double t = s + share * (e - s);
    t += t * 0x1p-52;
    return t < e ? t : e;
}

/* Straight paths and a reach of 0, which fine_hull.c is for. */
static bool is_plain(const march *m) { return !m->is_bent && m->reach == 0.0; }

/* With twice as many digits. */
static double clear_finely(const march *m, double s, double e)
{
    const wi_fine_motion motion = {m->paths->start, m->paths->end, m->scale, s, e};
    wi_swept_hull fine = m->swept;
    for (int i = 0; i < 3; i++) { /* what was off before may have been too small */
        fine.size_w[i] += fine.off_w[i];
        fine.size_uv[i] += fine.off_uv[i];
        fine.off_w[i] *= WI_FINE_UNIT / fine.unit;
        fine.off_uv[i] *= WI_FINE_UNIT / fine.unit;
    }
    fine.unit = WI_FINE_UNIT;
    return wi_fine_clear(&motion, &fine);
}

/* How much of the span is clear from its start on; *last is the share from which on it is too. By
 * what is quickly found, and in the place of that by directions. */
static double clear_at_once(march *m, bool asks_axes, double *last)
{
    *last = 1.0;
    if (asks_axes && wi_swept_clear_on_axis(&m->swept)) return 1.0;
    return wi_swept_volume(&m->swept, last);
}

static double clear_by_directions(const march *m, double share)
{
    const wi_swept_hull *h = &m->swept;
    wi_hull middle;
    double n[3];
    for (int i = 0; i < 3; i++) {
        middle.w[i] = 0.5 * (h->start.w[i] + h->end.w[i]);
        middle.u[i] = 0.5 * (h->start.u[i] + h->end.u[i]);
        middle.v[i] = 0.5 * (h->start.v[i] + h->end.v[i]);
    }
    wi_hull_direction(&middle, h->is_quad, n);
    share = wi_larger(share, wi_swept_clear_along(h, n));
    if (share >= 1.0) return 1.0;
    wi_hull_direction(&h->start, h->is_quad, n);
    share = wi_larger(share, wi_swept_clear_along(h, n));
    if (share < 0x1p-10) share = wi_larger(share, wi_swept_clear_seen(h));
    return share > 0.0 ? share : wi_swept_clear_along_any(h);
}

/* After a span that is clear. False at the end of time. */
static bool go_on(march *m, double *s, double *e)
{
    WI_ASSERT(*s <= *e && m->doubt <= m->resume);
    if (*e >= m->doubt) {
        *s = m->resume;
        *e = m->doubt = m->resume = 1.0;
        return *s < 1.0;
    }
    const double longer = *e + wi_larger(2.0 * (*e - *s), shortest);
    *s = *e;
    *e = longer < m->doubt ? longer : m->doubt;
    return true;
}

/* After a span that may have a contact between `from` and `to`, and nowhere else. */
static void narrow(march *m, double *s, double *e, double from, double to)
{
    WI_ASSERT(*s <= from && from <= to && to <= *e);
    const double half = 0.5 * (*e - *s), gained = from - *s;
    if (to < *e) {
        if (*e < m->doubt) m->resume = *e;
        m->doubt = to;
    }
    double next = to - from > half ? 0.5 * (to - from) : to - from;
    if (gained == 0.0 && 2.0 * half <= m->limits->tolerance) next *= 0x1p-5;
    if (gained > 0.0) next = wi_smaller(next, wi_larger(4.0 * gained, m->limits->tolerance));
    next = wi_larger(next, instant(from));
    *s = from;
    *e = next < to - from ? from + next : to;
}

/* ---- the start ---- */

static bool is_start_exact(const march *m) { return m->reach == 0.0; }

static bool touches_exactly(const march *m)
{
    const double(*at)[3] = m->paths->start;
    return m->swept.is_quad ? wi_edges_touch(at, at + 2) : wi_point_touches_tri(at[0], at + 1);
}

/* A time before which they do not touch, by a direction that tells them apart at the start; else 0.
 */
static double first_free(march *m)
{
    for (double h = 1.0; h >= 0x1p-300; h *= 0x1p-12) {
        set_span(m, 0.0, h);
        const double share = wi_swept_clear_along_any(&m->swept);
        if (share > 0.0) return not_after(0.0, h, share);
        if (!m->is_bent) break;
    }
    return 0.0;
}

/* Step 7. */
static double free_by_grid(const march *m)
{
    double least = 1e90;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            const double x = fabs(m->paths->start[i][k]);
            if (x > 0.0 && x < least) least = x;
        }
    const double ratio = wi_power_in(least) * 0x1p-52 / m->size;
    return ratio * ratio * ratio * (1.0 / 64.0);
}

/* Do they touch at the start? If not, *from is raised to a time before which they do not. */
static bool touches_at_start(march *m, double *from)
{
    if (is_start_exact(m) && touches_exactly(m)) return true;
    *from = wi_larger(*from, first_free(m));
    return *from == 0.0 && !is_start_exact(m);
}

/* ---- the end ---- */

/* Is the span, of which nothing before *from is left, to be called an impact? Raises *from where it
 * is not. */
static bool is_impact(march *m, double s, double e, double *from)
{
    if (s == 0.0 && *from == 0.0 && !m->knows_start) {
        if (touches_at_start(m, from)) return true;
        m->knows_start = true;
        set_span(m, s, e);
    }
    const double span = e - s;
    if (span > wi_larger(m->limits->tolerance, shortest)) return false;
    const wi_swept_hull *h = &m->swept;
    const double bent_by = m->bend * (span * span);
    const double small = wi_larger(m->slack, 0x1p-40 * greatest_size(h));
    if (bent_by <= wi_larger(m->reach, small) && wi_swept_surely_meets(h)) return true;
    if (m->reach > 0.0 && wi_swept_surely_within_reach(h, &h->end, m->reach)) return true;
    if (*from > s || (bent_by > small && span > shortest)) return false;
    double share = wi_swept_clear_along_any(h);
    if (is_plain(m)) share = wi_larger(share, clear_finely(m, s, e));
    return !(share > 0.0) || span <= 2.0 * instant(s);
}

/* The time may be 0 where it should not. */
static willow_toi finish(march *m, willow_toi verdict, double s, double *toi)
{
    *toi = wi_larger(s, m->closing);
    WI_ASSERT(*toi >= 0.0 && *toi <= 1.0);
    if (*toi > 0.0) return verdict;
    if (!m->knows_start && touches_at_start(m, toi)) return WILLOW_TOI_IMPACT;
    if (*toi > 0.0 || m->is_bent) return verdict;
    if (memcmp(m->paths->start, m->paths->end, sizeof m->paths->start) == 0) {
        *toi = 1.0;
        return WILLOW_TOI_NONE;
    }
    *toi = free_by_grid(m);
    return verdict;
}

/* The march has come so near to s that double cannot tell the two apart there. A contact in the
 * span around s would be one after s, since there is none before: step 5. */
static bool surely_meets_around(march *m, double s)
{
    const double half = 0.5 * m->limits->tolerance;
    double last;
    if (!(s > 0.0 && half > shortest)) return false;
    set_span(m, wi_larger(s - half, 0.0), wi_smaller(s + half, 1.0));
    (void)wi_swept_volume(&m->swept, &last);
    return wi_swept_surely_meets(&m->swept);
}

/* Where the march is stuck, finer numbers help it on. */
static double clear_share_finely(march *m, double s, double e, double share)
{
    double last;
    set_span(m, s, e);
    (void)wi_swept_volume(&m->swept, &last);
    return wi_larger(share, clear_finely(m, s, e));
}

/* ---- boxes ---- */

/* How far a set of points is beyond another along an axis, and a reach: `first` of four are the one
 * set, the rest the other. */
static double gap_between(const double at[4][3], int axis, int first, bool is_above)
{
    WI_ASSERT(axis >= 0 && axis < 3 && (first == 1 || first == 2));
    double one = at[0][axis], other = at[3][axis];
    for (int i = 1; i < first; i++)
        one = is_above ? wi_smaller(one, at[i][axis]) : wi_larger(one, at[i][axis]);
    for (int i = first; i < 3; i++)
        other = is_above ? wi_larger(other, at[i][axis]) : wi_smaller(other, at[i][axis]);
    return is_above ? one - other : other - one;
}

/* Step 9: true only if their boxes, which move as they do, do not meet at any time. Else they do
 * not before *meeting. */
static bool boxes_stay_apart(const wi_paths *paths, const wi_toi_limits *limits, bool is_quad,
                             double *meeting)
{
    const int first = is_quad ? 2 : 1;
    double reach = limits->reach, closing = 0.0, opening = 1.0;
    if (paths->at) reach += paths->bend + paths->slack;
    reach *= 1.0 + 0x1p-50;
    for (int i = 0; i < 6; i++) {
        const double start = gap_between(paths->start, i / 2, first, i % 2) - reach;
        const double end = gap_between(paths->end, i / 2, first, i % 2) - reach;
        if (start > 0.0 && end > 0.0) return true;
        if (start > 0.0) closing = wi_larger(closing, start / (start - end));
        if (end > 0.0) opening = wi_smaller(opening, start / (start - end));
    }
    *meeting = closing * (1.0 - 0x1p-45);
    return *meeting > opening * (1.0 + 0x1p-45);
}

/* Where a cubic in Bernstein form with different signs at 0 and 1 is 0, or about there. */
static double root_of(const double d[4])
{
    const double linear = 3.0 * (d[1] - d[0]), square = 3.0 * ((d[0] + d[2]) - 2.0 * d[1]);
    const double cube = (d[3] - d[0]) - 3.0 * (d[2] - d[1]);
    double low = 0.0, high = 1.0, t = d[0] / (d[0] - d[3]);
    WI_ASSERT((d[0] > 0.0) != (d[3] > 0.0));
    for (int i = 0; i < 8; i++) {
        const double value = d[0] + t * (linear + t * (square + t * cube));
        const double slope = linear + t * (2.0 * square + t * (3.0 * cube));
        if ((value > 0.0) == (d[0] > 0.0))
            low = t;
        else
            high = t;
        const double next = t - value / slope;
        if (fabs(next - t) < 0x1p-40) return t;
        t = next > low && next < high ? next : 0.5 * (low + high);
    }
    return t;
}

/* The span from *s to *e surely has a contact, since the hull goes round the origin all the while
 * and the volume changes its sign: the root of the volume is looked at first. If nothing is before
 * it, and the sign changes around it, that is the contact. */
static bool locate_root(march *m, double *s, double e)
{
    const double reach = 0.25 * m->limits->tolerance;
    const double root = *s + root_of(m->swept.volume) * (e - *s);
    const double from = wi_larger(*s, root - reach), to = wi_smaller(e, root + reach);
    double last;
    if (!(reach > shortest && from < to)) return false;
    if (from > *s) {
        set_span(m, *s, from);
        if (wi_swept_volume(&m->swept, &last) < 1.0) return false;
        *s = from;
    }
    set_span(m, from, to);
    (void)wi_swept_volume(&m->swept, &last);
    return wi_swept_changes_side(&m->swept);
}

/* The same contact: the volume tells what may be cut off at both ends of the span, and the rest
 * still has it. True once that is no longer than the tolerance; false if cutting is too slow. */
static bool locate(march *m, double *s, double *e, uint32_t *iteration)
{
    for (; *iteration < m->limits->max_iterations; ++*iteration) {
        double last;
        set_span(m, *s, *e);
        const double share = wi_swept_volume(&m->swept, &last);
        const double from = not_after(*s, *e, share), to = not_before(*s, *e, last);
        const bool is_slow = to - from > 0.25 * (*e - *s);
        if (!(from < to)) return false;
        *s = from;
        *e = to;
        if (to - from <= m->limits->tolerance) return true;
        if (is_slow) return false;
    }
    return false;
}

/* Spans do not depend on `until`, so neither do times that are not later. */
static willow_toi find_toi(const wi_paths *paths, const wi_toi_limits *limits, bool is_quad,
                           double *toi)
{
    march m;
    double s = 0.0, e = 1.0, last;
    if (boxes_stay_apart(paths, limits, is_quad, &m.closing)) {
        *toi = 1.0;
        return WILLOW_TOI_NONE;
    }
    begin(&m, paths, limits, is_quad);
    if (m.reach > 0.0 && wi_swept_surely_within_reach(&m.swept, &m.swept.start, m.reach)) {
        WI_ASSERT(m.closing == 0.0);
        *toi = 0.0; /* where no direction can tell them apart: step 6 */
        return WILLOW_TOI_IMPACT;
    }
    for (uint32_t i = 0; i < limits->max_iterations && s <= limits->until; i++) {
        if (i > 0 || m.is_bent) set_span(&m, s, e);
        double share = clear_at_once(&m, i > 0, &last); /* boxes have told about the whole step */
        if (share < 1.0 && is_plain(&m) && wi_swept_surely_meets(&m.swept)) {
            const bool is_located = locate_root(&m, &s, e) || locate(&m, &s, &e, &i);
            if (s > limits->until) break;
            if (is_located) return finish(&m, WILLOW_TOI_IMPACT, s, toi);
            m.doubt = m.resume = e; /* it is not later */
            set_span(&m, s, e);
            share = clear_at_once(&m, true, &last);
        }
        if (share < 1.0) share = clear_by_directions(&m, share);
        if (share < 1.0 && is_plain(&m) && !(not_after(s, e, share) > s)) {
            if (surely_meets_around(&m, s)) return finish(&m, WILLOW_TOI_IMPACT, s, toi);
            share = clear_share_finely(&m, s, e, share);
        }
        if (share >= 1.0 || share > last) {
            if (!go_on(&m, &s, &e)) s = INFINITY;
            continue;
        }
        double from = not_after(s, e, share), to = not_before(s, e, last);
        if (is_impact(&m, s, e, &from)) return finish(&m, WILLOW_TOI_IMPACT, from, toi);
        narrow(&m, &s, &e, from, from < to ? to : from);
    }
    if (s <= limits->until) return finish(&m, WILLOW_TOI_UNDECIDED, s, toi);
    *toi = 1.0;
    return WILLOW_TOI_NONE;
}

willow_toi wi_vertex_face_toi(const wi_paths *paths, const wi_toi_limits *limits, double *toi)
{
    WI_ASSERT(limits->reach >= 0.0 && limits->tolerance >= 0.0);
    WI_ASSERT(paths->at == NULL || (paths->bend >= 0.0 && paths->slack >= 0.0));
    return find_toi(paths, limits, false, toi);
}

willow_toi wi_edge_edge_toi(const wi_paths *paths, const wi_toi_limits *limits, double *toi)
{
    WI_ASSERT(limits->reach >= 0.0 && limits->tolerance >= 0.0);
    WI_ASSERT(paths->at == NULL || (paths->bend >= 0.0 && paths->slack >= 0.0));
    return find_toi(paths, limits, true, toi);
}

/* ---- straight paths, for everyone ---- */

static bool takes_points(const double at[4][3])
{
    for (int i = 0; i < 4; i++)
        for (int axis = 0; axis < 3; axis++) {
            const double size = fabs(at[i][axis]);
            if (!(size == 0.0 || (size >= 1e-90 && size <= 1e90))) return false;
        }
    return true;
}

bool wi_toi_takes(const double start[4][3], const double end[4][3], double reach)
{
    return takes_points(start) && takes_points(end) && reach >= 0.0 && reach <= DBL_MAX;
}

static willow_toi find_straight(const double start[4][3], const double end[4][3],
                                const wi_toi_limits *asked, bool is_quad, double *toi)
{
    wi_toi_limits limits = *asked;
    wi_paths paths;
    *toi = 0.0;
    if (!wi_toi_takes(start, end, limits.reach)) return WILLOW_TOI_REFUSED;
    if (!(limits.tolerance >= 0.0 && limits.tolerance <= 1.0)) return WILLOW_TOI_REFUSED;
    if (limits.tolerance == 0.0) limits.tolerance = WI_DEFAULT_TOLERANCE;
    if (limits.max_iterations == 0) limits.max_iterations = WI_DEFAULT_ITERATIONS;
    memcpy(paths.start, start, sizeof paths.start);
    memcpy(paths.end, end, sizeof paths.end);
    paths.at = NULL;
    return find_toi(&paths, &limits, is_quad, toi);
}

/* In parentheses, since the names are macros, too. */
willow_toi(willow_vertex_face_toi)(const double start[4][3], const double end[4][3],
                                   double touch_distance, double tolerance, uint32_t max_iterations,
                                   double *toi)
{
    const wi_toi_limits limits = {touch_distance, tolerance, 1.0, max_iterations};
    return find_straight(start, end, &limits, false, toi);
}

willow_toi(willow_edge_edge_toi)(const double start[4][3], const double end[4][3],
                                 double touch_distance, double tolerance, uint32_t max_iterations,
                                 double *toi)
{
    const wi_toi_limits limits = {touch_distance, tolerance, 1.0, max_iterations};
    return find_straight(start, end, &limits, true, toi);
}
