/* feature_toi.c - follows four points from corner to corner of their paths.
 *
 * What is known here is of single vertices, not of their bodies: no answer may depend on the boxes
 * of trees (C1).
 *
 * Way in: wi_when. Made for paths without corners, which are one span with the times that it gives.
 * Where there are corners:
 *   1. A body passes its stops (mesh/motion/flight.h) one by one; one without a plan has two, its
 * ends. A span ends at the next stop of either body, so no path has a corner in it.
 *   2. Where a span begins and ends at stops of both bodies, or a point does not move, its ends are
 *      numbers as they are. Else they are computed, as all that is between stops is, and are off by
 *      roundings in double, which the slack of prim/moving/toi.h allows for. The end of a span and
 * the start of the next are the same numbers, so nothing is lost between them.
 *   3. Spans are looked at in order, and the first that is not clear tells. What is not decided
 *      there is not decided: what comes later is later.
 *   4. A time t of a span is s + t (e - s) of the whole step. All this has a few roundings, with
 *      those of the shares of stops, and a time is moved by 2^-50 of itself to the safe side.
 *      Shares of a step are rounded to double: bodies meet as if their corners were there. */
#include "walk/step/feature_toi.h"

#include <math.h>

#include "base/check.h"
#include "base/larger.h"
#include "walk/step/features.h"

enum { POINTS = 4 };

/* How far a body has come. */
typedef struct progress {
    const wi_side *side;
    const wi_stop *stops; /* behind it and before it; NULL: the start and the end of the step */
    double share[2];      /* of the step, at these */
    double from, to;      /* where the span is between them */
} progress;

/* One of the four. */
typedef struct traveller {
    progress *body;
    uint32_t vertex;
    double at[2][3];    /* at the two stops */
    double model[2][3]; /* the same in the frame of a body that turns */
    double bulge[3];    /* half-way between them; of a body that flies */
    double bend;        /* how far it is from the straight line between them at most */
} traveller;

typedef struct crossing {
    progress body[2];
    traveller point[POINTS];
} crossing;

static double toi_length(const double v[3])
{
    return sqrt((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2]);
}

static double greatest(double size, const double p[3])
{
    for (int axis = 0; axis < 3; axis++) size = wi_larger(size, fabs(p[axis]));
    return size;
}

/* ---- paths ---- */

static bool is_moving(const traveller *p)
{
    for (int axis = 0; axis < 3; axis++)
        if (p->at[0][axis] != p->at[1][axis]) return true;
    return p->bend > 0.0;
}

/* At a share v of the way between two stops. */
static void find_place(const traveller *p, double v, double out[3])
{
    const wi_spin *spin = p->body->side->motion.spin;
    double bulge[3];
    for (int axis = 0; axis < 3; axis++) bulge[axis] = 4.0 * v * (1.0 - v) * p->bulge[axis];
    if (spin) wi_spin_bulge(spin, p->model[0], p->model[1], v, bulge);
    for (int axis = 0; axis < 3; axis++)
        out[axis] = ((1.0 - v) * p->at[0][axis] + v * p->at[1][axis]) + bulge[axis];
}

/* Where a span begins or ends. */
static void find_end(const traveller *p, double v, double out[3])
{
    if (v == 0.0 || v == 1.0 || !is_moving(p))
        memcpy(out, p->at[v == 1.0], sizeof p->at[0]);
    else
        find_place(p, v, out);
}

/* At a share t of the span. */
static void find_places(const void *context, double t, double out[4][3])
{
    const crossing *c = context;
    for (int i = 0; i < POINTS; i++) {
        const progress *body = c->point[i].body;
        find_place(&c->point[i], body->from + t * (body->to - body->from), out[i]);
    }
}

/* Before the pose, but within floats, as the size of the body is that its bend comes from. */
static void toi_model(const wi_mesh *mesh, uint32_t vertex, double out[3])
{
    wi_mesh_model64(mesh, vertex, out);
    for (int axis = 0; axis < 3; axis++)
        out[axis] = wi_larger(wi_smaller(out[axis], (double)FLT_MAX), (double)-FLT_MAX);
}

static void toi_turn(traveller *p)
{
    const wi_motion *motion = &p->body->side->motion;
    double way[3];
    toi_model(p->body->side->start->mesh, p->vertex, p->model[0]);
    toi_model(motion->end->mesh, p->vertex, p->model[1]);
    for (int axis = 0; axis < 3; axis++) way[axis] = p->model[1][axis] - p->model[0][axis];
    p->bend = wi_spin_bend(
        motion->spin, wi_larger(toi_length(p->model[0]), toi_length(p->model[1])), toi_length(way));
}

/* Between the stops that its body is between. */
static void fly(traveller *p)
{
    const wi_mesh *mesh = p->body->side->start->mesh;
    const wi_spot spot = wi_mesh_spot(mesh, p->vertex);
    for (int end = 0; end < 2; end++) {
        float at[4];
        wi_flight_at(mesh, &p->body->stops[end], spot, at);
        for (int axis = 0; axis < 3; axis++) p->at[end][axis] = (double)at[axis];
    }
    if (wi_flight_bulge(mesh, p->body->stops, spot, p->bulge))
        p->bend = toi_length(p->bulge) * (1.0 + 0x1p-40);
    else
        p->bend = 0.0;
}

/* ---- spans ---- */

/* Of the four points the first so many are of the first feature. */
static int points_of_first(unsigned code) { return wi_are_edges(code) ? 2 : 1; }

/* Bends are of both features; a span that is a part of the way between two stops is bent less. The
 * sums and products of find_place are in double, each within 2^-53 of what it stands for: some
 * twenty of them, of up to three times the greatest coordinate, for each of two points. */
static void bound_paths(const crossing *c, int first, wi_paths *paths)
{
    double bend[2] = {0.0, 0.0}, size = 0.0;
    bool is_exact = true;
    for (int i = 0; i < POINTS; i++) {
        const traveller *p = &c->point[i];
        const double part = p->body->to - p->body->from;
        const bool is_whole = p->body->from == 0.0 && p->body->to == 1.0;
        bend[i < first] = wi_larger(bend[i < first], p->bend * part * part);
        size = greatest(greatest(greatest(size, p->bulge), p->at[0]), p->at[1]);
        if (p->body->side->motion.spin) size = greatest(greatest(size, p->model[0]), p->model[1]);
        is_exact = is_exact && (is_whole || !is_moving(p));
    }
    paths->bend = bend[0] + bend[1];
    paths->slack = 0x1p-44 * size;
    paths->at = is_exact && paths->bend == 0.0 ? NULL : find_places;
}

/* As find_places, where paths are straight: the same numbers for less. */
static void go_straight(const wi_paths *paths, double t, double out[4][3])
{
    WI_ASSERT(t >= 0.0 && t <= 1.0);
    for (int i = 0; i < POINTS; i++)
        for (int axis = 0; axis < 3; axis++)
            out[i][axis] = (1.0 - t) * paths->start[i][axis] + t * paths->end[i][axis];
}

/* The span at hand, as a step of its own; where it ends with a contact, `at` gets the points. */
static willow_toi look_at_span(const crossing *c, unsigned code, const wi_toi_limits *limits,
                               double *time, double at[4][3])
{
    wi_paths paths = {.context = c};
    for (int i = 0; i < POINTS; i++) {
        const traveller *p = &c->point[i];
        find_end(p, p->body->from, paths.start[i]);
        find_end(p, p->body->to, paths.end[i]);
    }
    bound_paths(c, points_of_first(code), &paths);
    const willow_toi found = wi_are_edges(code) ? wi_edge_edge_toi(&paths, limits, time)
                                                : wi_vertex_face_toi(&paths, limits, time);
    if (found == WILLOW_TOI_NONE) return found;
    if (paths.at)
        find_places(c, *time, at);
    else
        go_straight(&paths, *time, at);
    return found;
}

/* Where a share of the step is on the way of a body from stop to stop. */
static double place_between(const progress *body, double share)
{
    if (share >= body->share[1]) return 1.0;
    return (share - body->share[0]) / (body->share[1] - body->share[0]);
}

/* The next stop becomes the last one. */
static void pass_stop(crossing *c, progress *body)
{
    body->stops++;
    body->share[0] = body->share[1];
    body->share[1] = body->stops[1].share;
    body->from = 0.0;
    for (int i = 0; i < POINTS; i++)
        if (c->point[i].body == body) fly(&c->point[i]);
}

/* In the place of those of the whole step; `until` is not before it. */
static wi_toi_limits limits_of_span(const wi_toi_limits *whole, double s, double e)
{
    wi_toi_limits limits = *whole;
    const double tolerance = whole->tolerance / (e - s);
    const double until = (whole->until - s) / (e - s) * (1.0 + 0x1p-40);
    limits.tolerance = tolerance < 1.0 ? tolerance : 1.0;
    limits.until = until < 1.0 ? until : 1.0;
    return limits;
}

/* Goes on to the next span. False if there is none. */
static bool leave_span(crossing *c, double e)
{
    bool goes_on = false;
    for (int i = 0; i < 2; i++) {
        progress *body = &c->body[i];
        const wi_flight *flight = body->side->motion.flight;
        body->from = body->to;
        if (flight == NULL || body->share[1] > e) continue;
        if (body->stops + 2 == flight->stops + flight->count) continue;
        pass_stop(c, body);
        goes_on = true;
    }
    return goes_on;
}

static willow_toi look_at_spans(crossing *c, unsigned code, const wi_toi_limits *limits,
                                double *time, double at[4][3])
{
    wi_toi_limits whole = *limits;
    double s = 0.0;
    whole.until *= 1.0 + 0x1p-48; /* times that step 4 moves back to it are of interest */
    for (bool goes_on = true; goes_on && s <= whole.until;) {
        const double e = wi_smaller(c->body[0].share[1], c->body[1].share[1]);
        const wi_toi_limits part = limits_of_span(&whole, s, e);
        for (int i = 0; i < 2; i++) c->body[i].to = place_between(&c->body[i], e);
        const willow_toi found = look_at_span(c, code, &part, time, at);
        if (found != WILLOW_TOI_NONE) {
            *time = s + *time * (e - s);
            *time -= *time * 0x1p-50;
            return found;
        }
        goes_on = leave_span(c, e);
        s = e;
    }
    *time = 1.0;
    return WILLOW_TOI_NONE;
}

/* ---- the whole step ---- */

/* Before its first span. */
static progress progress_of(const wi_side *side)
{
    progress body = {.side = side, .share = {0.0, 1.0}, .from = 0.0, .to = 1.0};
    if (side->motion.flight == NULL) return body;
    body.stops = side->motion.flight->stops;
    body.share[1] = body.stops[1].share;
    return body;
}

static void toi_start(const wi_step *step, const wi_feature_queue *queue, unsigned lane,
                      crossing *c)
{
    const int first = points_of_first(queue->code[lane]);
    c->body[0] = progress_of(&step->a);
    c->body[1] = progress_of(&step->b);
    for (int i = 0; i < POINTS; i++) {
        traveller *p = &c->point[i];
        const bool is_of_b = (i < first) == queue->is_b_first[lane];
        *p = (traveller){.body = &c->body[is_of_b], .vertex = queue->vertex[lane][i]};
        for (int axis = 0; axis < 3; axis++) {
            p->at[0][axis] = (double)queue->at.point[0][i][lane][axis];
            p->at[1][axis] = (double)queue->at.point[step->is_moving][i][lane][axis];
        }
        if (step->is_bent && p->body->side->motion.spin) toi_turn(p);
        if (step->is_bent && p->body->stops) fly(p);
    }
}

static bool has_corners(const wi_motion *motion)
{
    return motion->flight && motion->flight->count > 2;
}

willow_toi wi_when(const wi_step_walk *walk, const wi_feature_queue *queue, unsigned lane,
                   double *time, double at[4][3])
{
    const wi_step *step = &walk->step;
    const unsigned code = queue->code[lane];
    WI_ASSERT(lane < WI_LANES && code < WI_FACE_FACE);
    const wi_toi_limits limits = {.reach = step->reach,
                                  .tolerance = walk->down.rules.tolerance,
                                  .max_iterations = walk->down.rules.max_iterations,
                                  .until = step->until};
    crossing c;
    toi_start(step, queue, lane, &c);
    if (!has_corners(&step->a.motion) && !has_corners(&step->b.motion))
        return look_at_span(&c, code, &limits, time, at);
    return look_at_spans(&c, code, &limits, time, at);
}
