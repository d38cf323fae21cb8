/* splitting.c - a body is split by a plane in 11 steps, while a ball touches it beside the crack.
 *
 * Stands for progressive fracture (Otaduy and others 2007, section 5.2 and table 1): bodies of
 * 5,660, 22,640 and 90,560 triangles. The section of the plane is one loop, whose points are where
 * the plane meets edges. The crack comes from below: its front goes from one point of the loop to
 * another, with points of its own between them. What it has passed is cut, and gets a cap on either
 * side; both caps share the front. A triangle beside an end of the front, which is still whole, is
 * parted in two, so that the surface is closed. */
#include "ear_clip.h"
#include "icosphere.h"
#include "lives.h"
#include "round.h"
#include "vec.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS = 11, AROUND = 70, COARSE = 5660, BALL_LEVEL = 5 };

#define BALL_RADIUS 0.2
#define BALL_DEPTH 0.004
#define FRONT_POINTS 0.6 /* for each triangle that a step cuts */

typedef struct splitting {
    round_mesh mesh;
    vec *points;            /* by vertex of the mesh */
    vec normal, across, up; /* of the plane, which goes through the origin */
    uint32_t *loop;         /* edges that the plane meets, counterclockwise from below */
    uint32_t loop_count;
    double (*flat)[2]; /* across and up: of the loop, and then of fronts */
    uint32_t flat_count;
    uint32_t right[STEPS + 1], left[STEPS + 1]; /* by step: ends of the front, in the loop */
    uint32_t first_point[STEPS + 1];            /* and its own points, from left to right */
    uint32_t first_cap[STEPS + 2], (*caps)[3];  /* triangles of a cap, by step */
    uint32_t *place;                            /* by edge: in the loop, or ROUND_RIM */
    uint8_t *mark;                              /* by vertex of the body: see side_of_vertex */
    double *heights;                            /* and how high it is */
    float *rest;
    lives lives;
    icosphere ball;
    bool deforms, is_given;
} splitting;

/* ---- the body ---- */

static vec body_point(double down, double around)
{
    const double polar = SCENE_PI * down, s = wi_sin(polar), c = wi_cos(polar);
    const double bump = 1 + 0.06 * wi_cos(2 * polar + 0.4);
    return (vec){1.45 * c, s * bump * wi_cos(around), 0.95 * s * bump * wi_sin(around)};
}

static double side_of(const splitting *d, vec p) { return vec_dot(d->normal, p); }

static bool make_mesh(scene *s, splitting *d)
{
    uint32_t count = COARSE;
    if (!round_create(&d->mesh, COARSE, AROUND, false)) return false;
    for (; 2 * count < s->asked.triangles; count *= 4)
        if (!round_subdivide(&d->mesh)) return false;
    s->params.triangles = count;
    d->points = malloc(d->mesh.vertex_count * sizeof *d->points);
    if (d->points == NULL) return false;
    for (uint32_t v = 0; v < d->mesh.vertex_count; v++)
        d->points[v] = body_point(d->mesh.down[v], d->mesh.around[v]);
    return true;
}

static bool take_mesh(scene *s, splitting *d)
{
    const scene_mesh *given = s->given;
    d->is_given = true;
    s->params.triangles = given->triangle_count;
    d->points = malloc(given->vertex_count * sizeof *d->points);
    if (d->points == NULL ||
        !round_take(&d->mesh, given->indices, given->triangle_count, given->vertex_count))
        return false;
    for (uint32_t v = 0; v < given->vertex_count; v++) {
        const float *p = given->positions + 3 * (size_t)v;
        const vec in_plane = vec_along(vec_scale((double)p[1], d->across), (double)p[2], d->up);
        d->points[v] = vec_along(in_plane, (double)p[0], d->normal);
    }
    return true;
}

static void place_plane(splitting *d)
{
    d->normal = vec_unit((vec){1, 0.21, 0.13});
    d->across = vec_unit(vec_cross((vec){0, 0, 1}, d->normal));
    d->up = vec_cross(d->normal, d->across);
}

/* ---- the loop ---- */

static bool is_met(const splitting *d, uint32_t e)
{
    const uint32_t *v = d->mesh.tris[e / 3];
    const double from = side_of(d, d->points[v[e % 3]]);
    const double to = side_of(d, d->points[v[(e + 1) % 3]]);
    return from < 0 && to >= 0;
}

static vec point_of_edge(const splitting *d, uint32_t e)
{
    const uint32_t *v = d->mesh.tris[e / 3];
    const vec a = d->points[v[e % 3]], b = d->points[v[(e + 1) % 3]];
    const double from = side_of(d, a), to = side_of(d, b);
    return vec_mix(a, b, from / (from - to));
}

static double height_of_edge(const splitting *d, uint32_t e)
{
    return vec_dot(d->up, point_of_edge(d, e));
}

/* Of a triangle that the plane enters through an edge that goes to its upper side: on to the next
 * such edge, of the triangle beside the one through which the plane leaves. */
static uint32_t next_in_loop(const splitting *d, uint32_t e)
{
    uint32_t other = 3 * (e / 3);
    for (; is_met(d, other) || !is_met(d, d->mesh.beside[other]); other++) {
    }
    return d->mesh.beside[other];
}

static uint32_t lowest_edge(const splitting *d)
{
    uint32_t best = ROUND_RIM;
    for (uint32_t e = 0; e < 3 * d->mesh.tri_count; e++)
        if (is_met(d, e) && (best == ROUND_RIM || height_of_edge(d, e) < height_of_edge(d, best)))
            best = e;
    return best;
}

static void add_flat(splitting *d, double across, double up)
{
    d->flat[d->flat_count][0] = across;
    d->flat[d->flat_count++][1] = up;
}

/* Triangles turn left seen from outside, so the loop does seen along the normal, or the other way
 * round: then it is turned. */
static bool find_loop(splitting *d)
{
    const uint32_t first = lowest_edge(d), most = 3 * d->mesh.tri_count;
    d->loop = malloc((size_t)most * sizeof *d->loop);
    d->place = malloc((size_t)most * sizeof *d->place);
    if (d->loop == NULL || d->place == NULL) return false;
    memset(d->place, 0xFF, (size_t)most * sizeof *d->place);
    uint32_t e = first;
    do {
        d->loop[d->loop_count++] = e;
        e = next_in_loop(d, e);
    } while (e != first);
    const vec one = point_of_edge(d, d->loop[1]),
              last = point_of_edge(d, d->loop[d->loop_count - 1]);
    if (vec_dot(d->across, vec_sub(one, last)) < 0)
        for (uint32_t i = 1, k = d->loop_count - 1; i < k; i++, k--) {
            const uint32_t kept = d->loop[i];
            d->loop[i] = d->loop[k];
            d->loop[k] = kept;
        }
    for (uint32_t i = 0; i < d->loop_count; i++)
        d->place[d->loop[i]] = d->place[d->mesh.beside[d->loop[i]]] = i;
    return true;
}

/* ---- fronts and caps ---- */

static bool is_passed(const splitting *d, uint32_t place, uint32_t step)
{
    return step > 0 && (place <= d->right[step] || place >= d->left[step]);
}

/* The loop is cut from its lowest point on, on both sides alike, by height. */
static void place_fronts(splitting *d)
{
    const uint32_t n = d->loop_count;
    uint32_t right = 0, left = n;
    for (uint32_t step = 1; step <= STEPS; step++) {
        while (right + n - left + 1 < n * step / STEPS && right + 1 < left) {
            const bool is_right =
                left == right + 2 || d->flat[right + 1][1] <= d->flat[left - 1][1];
            if (is_right)
                right++;
            else
                left--;
        }
        d->right[step] = right;
        d->left[step] = left;
    }
    d->right[STEPS] = n - 1;
    d->left[STEPS] = n;
}

/* A front is a bit higher in its middle, so that no three points of it are on a line. */
static void add_front(splitting *d, uint32_t step)
{
    const double *l = d->flat[d->left[step] % d->loop_count], *r = d->flat[d->right[step]];
    const uint32_t count = (uint32_t)(FRONT_POINTS * d->loop_count / STEPS);
    const double left[2] = {l[0], l[1]}, right[2] = {r[0], r[1]};
    const double bulge = 0.02 * (right[0] - left[0]);
    d->first_point[step] = d->flat_count;
    for (uint32_t i = 1; i <= count && step < STEPS; i++) {
        const double share = (double)i / (count + 1);
        add_flat(d, left[0] + share * (right[0] - left[0]),
                 left[1] + share * (right[1] - left[1]) + 4 * bulge * share * (1 - share));
    }
}

/* From the front before, around what this step cuts. */
static uint32_t list_polygon(const splitting *d, uint32_t step, uint32_t *out)
{
    uint32_t count = 0;
    if (step == 1)
        out[count++] = 0;
    else {
        out[count++] = d->left[step - 1] % d->loop_count;
        for (uint32_t p = d->first_point[step - 1]; p < d->first_point[step]; p++) out[count++] = p;
        if (d->right[step - 1] != d->left[step - 1] % d->loop_count)
            out[count++] = d->right[step - 1];
    }
    for (uint32_t i = step == 1 ? 1 : d->right[step - 1] + 1; i <= d->right[step]; i++)
        if (i < (step == STEPS ? d->left[step - 1] : d->loop_count)) out[count++] = i;
    if (step == STEPS) return count;
    const uint32_t end = step + 1 <= STEPS ? d->first_point[step + 1] : d->flat_count;
    for (uint32_t p = end; p-- > d->first_point[step];) out[count++] = p;
    const uint32_t last = step == 1 ? d->loop_count : d->left[step - 1];
    for (uint32_t i = d->left[step]; i < last; i++) out[count++] = i;
    return count;
}

static bool make_caps(splitting *d)
{
    const uint32_t most = 2 * d->loop_count + 16;
    uint32_t *polygon = malloc((size_t)most * sizeof *polygon);
    d->flat = calloc(most, sizeof *d->flat);
    d->caps = calloc(2 * (size_t)most, sizeof *d->caps);
    const bool fine = polygon && d->flat && d->caps;
    for (uint32_t i = 0; fine && i < d->loop_count; i++) {
        const vec p = point_of_edge(d, d->loop[i]);
        add_flat(d, vec_dot(d->across, p), vec_dot(d->up, p));
    }
    if (fine) place_fronts(d);
    for (uint32_t step = 1; fine && step <= STEPS; step++) add_front(d, step);
    for (uint32_t step = 1; fine && step <= STEPS; step++) {
        const uint32_t count = list_polygon(d, step, polygon);
        ear_clip((const double(*)[2])d->flat, polygon, count, d->caps + d->first_cap[step]);
        d->first_cap[step + 1] = d->first_cap[step] + count - 2;
    }
    free(polygon);
    return fine;
}

/* ---- stages ---- */

/* Names: vertices of the mesh, points of the plane on its lower side, and on its upper side. */
static uint32_t name_of_point(const splitting *d, uint32_t point, bool is_upper, uint32_t step)
{
    const uint32_t own = d->mesh.vertex_count + point;
    const uint32_t end = step < STEPS ? d->first_point[step + 1] : 0;
    const bool is_front =
        step < STEPS && (point == d->right[step] || point == d->left[step] % d->loop_count ||
                         (point >= d->first_point[step] && point < end));
    return is_upper && !is_front ? own + d->flat_count : own;
}

/* The triangle whose corner k is alone on its side of the plane is parted in three. */
static void put_parted(splitting *d, uint32_t tri, uint32_t k, uint32_t step)
{
    const uint32_t *v = d->mesh.tris[tri];
    const uint32_t e = 3 * tri + k, back = 3 * tri + (k + 2) % 3;
    const uint32_t next = v[(k + 1) % 3], last = v[(k + 2) % 3];
    const bool is_upper = side_of(d, d->points[v[k]]) >= 0;
    const uint32_t p = d->place[e], q = d->place[back];
    const uint32_t own[2] = {name_of_point(d, p, is_upper, step),
                             name_of_point(d, q, is_upper, step)};
    const uint32_t far[2] = {name_of_point(d, p, !is_upper, step),
                             name_of_point(d, q, !is_upper, step)};
    lives_put(&d->lives, v[k], own[0], own[1], tri);
    lives_put(&d->lives, far[0], next, last, tri);
    lives_put(&d->lives, far[0], last, far[1], tri);
}

/* The front has come to one of its edges. */
static void put_fan(splitting *d, uint32_t tri, uint32_t k, uint32_t step)
{
    const uint32_t *v = d->mesh.tris[tri];
    const uint32_t p = name_of_point(d, d->place[3 * tri + k], false, step);
    lives_put(&d->lives, v[k], p, v[(k + 2) % 3], tri);
    lives_put(&d->lives, p, v[(k + 1) % 3], v[(k + 2) % 3], tri);
}

static void put_tri(splitting *d, uint32_t tri, uint32_t step)
{
    const uint32_t *v = d->mesh.tris[tri];
    uint32_t passed = 0, one = 0, whole = 0;
    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t place = d->place[3 * tri + k];
        if (place != ROUND_RIM && is_passed(d, place, step)) {
            passed++;
            one = k;
        } else {
            whole = k;
        }
    }
    if (passed == 2)
        put_parted(d, tri, (whole + 2) % 3, step);
    else if (passed == 1)
        put_fan(d, tri, one, step);
    else
        lives_put(&d->lives, v[0], v[1], v[2], tri);
}

static void put_stage(splitting *d, uint32_t step)
{
    const uint32_t tris = d->mesh.tri_count, caps = d->first_cap[STEPS + 1];
    for (uint32_t tri = 0; tri < tris; tri++) put_tri(d, tri, step);
    for (uint32_t i = 0; step > 0 && i < d->first_cap[step + 1]; i++) {
        const uint32_t *c = d->caps[i];
        uint32_t own[3], far[3];
        for (int k = 0; k < 3; k++) {
            own[k] = name_of_point(d, c[k], false, step);
            far[k] = name_of_point(d, c[k], true, step);
        }
        lives_put(&d->lives, own[0], own[1], own[2], tris + i);
        lives_put(&d->lives, far[0], far[2], far[1], tris + caps + i);
    }
}

static bool play(const scene *s, splitting *d)
{
    const uint32_t caps = d->first_cap[STEPS + 1];
    const uint32_t room = d->mesh.tri_count + 12 * d->loop_count + 6 * caps + 64;
    if (!lives_create(&d->lives, room, d->mesh.vertex_count + 2 * d->flat_count,
                      d->mesh.tri_count + 2 * caps))
        return false;
    for (uint32_t step = 0; step <= STEPS; step++) {
        const uint32_t frame = scene_frame_of_step(s, step);
        if (frame >= s->frame_count) break;
        const bool is_last = step == STEPS || scene_frame_of_step(s, step + 1) > frame;
        if (!is_last) continue; /* its triangles would come and go in one frame */
        put_stage(d, step);
        lives_end_stage(&d->lives, frame);
    }
    return true;
}

/* ---- vertices of the body ---- */

/* On which side of the crack a vertex goes: 0 below, 1 above. */
static bool mark_vertices(splitting *d)
{
    const uint32_t count = d->lives.vertex_count, mesh = d->mesh.vertex_count;
    d->mark = malloc(count);
    d->heights = malloc(count * sizeof *d->heights);
    d->rest = malloc(3 * (size_t)count * sizeof *d->rest);
    if (d->mark == NULL || d->heights == NULL || d->rest == NULL) return false;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t name = d->lives.names[i];
        vec p;
        if (name < mesh) {
            p = d->points[name];
            d->mark[i] = side_of(d, p) >= 0;
        } else {
            const double *flat = d->flat[(name - mesh) % d->flat_count];
            p = vec_add(vec_scale(flat[0], d->across), vec_scale(flat[1], d->up));
            d->mark[i] = name - mesh >= d->flat_count;
        }
        d->heights[i] = vec_dot(d->up, p);
        vec_store(p, d->rest, i);
    }
    return true;
}

static bool create(scene *s)
{
    splitting *d = calloc(1, sizeof *d);
    s->data = d;
    s->bodies = calloc(2, sizeof *s->bodies);
    if (d == NULL || s->bodies == NULL) return false;
    s->body_count = 2;
    d->deforms = strcmp(s->params.variant, "deforming") == 0;
    s->bodies[1].motion = SCENE_RIGID;
    place_plane(d);
    return (s->given != NULL ? take_mesh(s, d) : make_mesh(s, d)) && find_loop(d) && make_caps(d) &&
           play(s, d) && mark_vertices(d) && icosphere_create(BALL_LEVEL, &d->ball) &&
           lives_fill_body(&d->lives, &s->bodies[0]) &&
           icosphere_fill_body(&s->bodies[1], &d->ball);
}

static void destroy(scene *s)
{
    splitting *d = s->data;
    round_destroy(&d->mesh);
    lives_destroy(&d->lives);
    icosphere_destroy(&d->ball);
    free(d->points);
    free(d->loop);
    free(d->place);
    free(d->flat);
    free(d->caps);
    free(d->mark);
    free(d->heights);
    free(d->rest);
    free(d);
}

/* ---- where it is ---- */

static uint32_t step_of(const scene *s, uint32_t frame)
{
    const double step = scene_step(s, frame);
    return step < STEPS ? (uint32_t)step : STEPS;
}

/* As high as the lower end of the front: nothing below is whole. In the end it is above all. */
static double front_height(const splitting *d, uint32_t step)
{
    if (step == 0) return -INFINITY;
    if (step == STEPS) return 1.2;
    const double left = d->flat[d->left[step]][1], right = d->flat[d->right[step]][1];
    return left < right ? left : right;
}

/* A wave goes through it, and the crack opens. */
static vec deformed(const splitting *d, vec p, double opening, double step)
{
    const double wave = 0.03 * wi_sin(4 * p.x + 3 * p.y + 0.5 * step);
    return vec_along((vec){p.x, p.y, p.z + wave}, opening, d->normal);
}

static double opening_of(const splitting *d, double front, double height, bool is_upper)
{
    const double below = front - height;
    if (!d->deforms || !(below > 0) || front == -INFINITY) return 0;
    return (is_upper ? 0.05 : -0.05) * below;
}

static void positions(const scene *s, uint32_t frame, uint32_t body, float *xyz_out)
{
    const splitting *d = s->data;
    const uint32_t count = s->bodies[body].vertex_count;
    memcpy(xyz_out, d->rest, 3 * (size_t)count * sizeof *xyz_out);
    if (!d->deforms) return;
    const double front = front_height(d, step_of(s, frame)), step = scene_step(s, frame);
    for (uint32_t i = 0; i < count; i++) {
        const float *r = d->rest + 3 * (size_t)i;
        const vec p = {(double)r[0], (double)r[1], (double)r[2]};
        const double opening = opening_of(d, front, d->heights[i], d->mark[i] == 1);
        vec_store(deformed(d, p, opening, step), xyz_out, i);
    }
}

static void rest(const scene *s, uint32_t body, float *xyz_out)
{
    const splitting *d = s->data;
    (void)body;
    for (uint32_t i = 0; i < d->ball.vertex_count; i++)
        vec_store(vec_scale(BALL_RADIUS, vec_load(d->ball.directions + 3 * (size_t)i)), xyz_out, i);
}

/* Out of the body, at a point of the loop; of a body of its own, roughly. */
static vec outward(const splitting *d, uint32_t place, vec p)
{
    if (!d->is_given) return vec_unit(vec_along(p, 0.5, d->normal));
    const uint32_t *v = d->mesh.tris[d->loop[place] / 3];
    const vec a = d->points[v[0]];
    return vec_unit(vec_cross(vec_sub(d->points[v[1]], a), vec_sub(d->points[v[2]], a)));
}

/* Where the crack has come to on its right side, a bit into the body. */
static willow_pose pose(const scene *s, uint32_t frame, uint32_t body)
{
    const splitting *d = s->data;
    const uint32_t step = step_of(s, frame),
                   at = step < STEPS ? d->right[step] : d->right[STEPS - 1];
    const double *flat = d->flat[at];
    const vec p = vec_add(vec_scale(flat[0], d->across), vec_scale(flat[1], d->up));
    const vec touched = d->deforms ? deformed(d, p, 0, scene_step(s, frame)) : p;
    const vec out = outward(d, at, p);
    const turn none = turn_about((vec){0, 0, 1}, 0);
    (void)body;
    return turn_pose(&none, vec_along(touched, BALL_RADIUS - BALL_DEPTH, out));
}

extern const scene_kind scene_splitting;
const scene_kind scene_splitting = {
    .name = "splitting",
    .summary = "a body is split by a plane in 11 steps, and a ball touches it beside the crack",
    .stands_for = "progressive fracture: Otaduy and others 2007, section 5.2, table 1",
    .defaults = {.triangles = 22640, .frames = STEPS + 1},
    .lowest = {.triangles = 1000, .frames = 1},
    .highest = {.triangles = 400000, .frames = 1000},
    .variants = "still deforming",
    .given = "across the plane x = 0, which meets it in one loop, up in z within 1 of the origin",
    .create = create,
    .destroy = destroy,
    .positions = positions,
    .rest = rest,
    .pose = pose,
};
