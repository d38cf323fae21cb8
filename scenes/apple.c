/* apple.c - an apple is peeled, strip by strip, from above.
 *
 * Stands for progressive fracture with pairs within the body (Otaduy and others 2007, section 5.3):
 * 6,124 triangles grow to about 11,000 in 800 frames, and what is peeled off curls up until it
 * touches itself. The peel is thick; where it comes off, its inside and the flesh below come to
 * light. A peel that is off follows a spiral from the front of the cut on. */
#include "shell_cracks.h"
#include "vec.h"

#include <stdlib.h>

enum { STEPS = 800, STRIPS = 4, STRIP_STEPS = 170, NEXT_STRIP = 190, AROUND = 55, NO_STRIP = 99 };

#define PEEL_DEPTH 0.035
#define CURL 0.21      /* radius of the curl at the front */
#define CURL_LESS 0.02 /* of it for each radian */
#define FIRST_DOWN 0.1
#define LAST_DOWN 0.82
#define STRIP_WIDTH (0.093 * 2 * SCENE_PI)

typedef struct apple {
    shell_cracks shell;
    uint8_t *strip; /* by triangle of the mesh */
} apple;

/* With hollows above and below. */
static vec apple_point(double down, double around, double depth)
{
    const double polar = SCENE_PI * down, s = wi_sin(polar), c = wi_cos(polar);
    const double radius = 1 - depth * PEEL_DEPTH - 0.25 * c * c * c * c * c * c;
    return (vec){radius * s * wi_cos(around), radius * s * wi_sin(around), 0.92 * radius * c};
}

/* ---- strips ---- */

static double middle_around(uint32_t strip) { return (strip + 0.5) * 2 * SCENE_PI / STRIPS; }

static double wrapped(double angle)
{
    while (angle > SCENE_PI) angle -= 2 * SCENE_PI;
    while (angle < -SCENE_PI) angle += 2 * SCENE_PI;
    return angle;
}

/* Of a triangle: by its centre, with angles that do not jump. */
static uint32_t strip_of(const round_mesh *m, uint32_t tri)
{
    const uint32_t *v = m->tris[tri];
    const double first = m->around[v[0]];
    const double around =
        first + (wrapped(m->around[v[1]] - first) + wrapped(m->around[v[2]] - first)) / 3;
    const double down = (m->down[v[0]] + m->down[v[1]] + m->down[v[2]]) / 3;
    if (down < FIRST_DOWN || down > LAST_DOWN) return NO_STRIP;
    for (uint32_t strip = 0; strip < STRIPS; strip++)
        if (2 * fabs(wrapped(around - middle_around(strip))) < STRIP_WIDTH) return strip;
    return NO_STRIP;
}

/* How far down the front of a strip is. */
static double front_of(uint32_t strip, double step)
{
    const double done = (step - 10 - NEXT_STRIP * (double)strip) / STRIP_STEPS;
    return FIRST_DOWN + (LAST_DOWN - FIRST_DOWN) * (done < 0 ? 0 : done > 1 ? 1 : done);
}

static double step_of_front(uint32_t strip, double down)
{
    const double share = (down - FIRST_DOWN) / (LAST_DOWN - FIRST_DOWN);
    return 10 + NEXT_STRIP * (double)strip + STRIP_STEPS * (share < 0 ? 0 : share) + 1e-6;
}

/* A cell comes off when the front reaches its upper end, and so all that moves is off. */
static void plan_cell(const scene *s, apple *a, uint32_t tri)
{
    const round_mesh *m = &a->shell.mesh;
    double highest = 1;
    for (int k = 0; k < 3; k++) {
        const double down = m->down[m->tris[tri][k]];
        if (down < highest) highest = down;
    }
    const uint32_t frame = scene_frame_of_step(s, step_of_front(a->strip[tri], highest));
    a->shell.comes_off[tri] = frame;
    for (uint32_t e = 3 * tri; e < 3 * tri + 3; e++)
        if (a->strip[m->beside[e] / 3] != a->strip[tri]) shell_cracks_break(&a->shell, e, frame);
}

static bool plan(const scene *s, apple *a)
{
    const uint32_t tris = a->shell.mesh.tri_count;
    a->strip = malloc(tris * sizeof *a->strip);
    if (a->strip == NULL) return false;
    for (uint32_t tri = 0; tri < tris; tri++)
        a->strip[tri] = (uint8_t)strip_of(&a->shell.mesh, tri);
    for (uint32_t tri = 0; tri < tris; tri++)
        if (a->strip[tri] != NO_STRIP) plan_cell(s, a, tri);
    return true;
}

static bool create(scene *s)
{
    apple *a = calloc(1, sizeof *a);
    s->data = a;
    s->bodies = calloc(1, sizeof *s->bodies);
    if (a == NULL || s->bodies == NULL) return false;
    s->body_count = 1;
    s->params.triangles = s->asked.triangles & ~1U;
    const double around = sqrt((double)s->params.triangles) * AROUND / 78;
    if (!round_create(&a->shell.mesh, s->params.triangles, (uint32_t)around, false) ||
        !shell_cracks_begin(&a->shell, 1, true) || !plan(s, a) ||
        !shell_cracks_play(&a->shell, s->frame_count))
        return false;
    s->bodies[0].self = true;
    return lives_fill_body(&a->shell.lives, &s->bodies[0]);
}

static void destroy(scene *s)
{
    apple *a = s->data;
    shell_cracks_destroy(&a->shell);
    free(a->strip);
    free(a);
}

/* ---- where it is ---- */

/* What is off goes out and over: along a spiral that turns away from the apple. */
static vec curl(const round_mesh *m, const shell_vertex *v, uint32_t strip, double front)
{
    const double middle = middle_around(strip), step = 1e-4;
    const double across = wrapped(m->around[v->vertex] - middle);
    const double length = SCENE_PI * (front - m->down[v->vertex]);
    const vec at = apple_point(front, middle, 0);
    const vec up = vec_unit(vec_sub(apple_point(front - step, middle, 0), at));
    const vec side = {-wi_sin(middle), wi_cos(middle), 0};
    const vec out = vec_cross(side, up);
    const vec base = apple_point(front, m->around[v->vertex], v->depth);
    const double angle = length / CURL, radius = CURL * (1 - CURL_LESS * angle);
    const double sine = wi_sin(angle), cosine = wi_cos(angle);
    const double thick = v->depth * PEEL_DEPTH;
    const double wider = wi_sin(SCENE_PI * m->down[v->vertex]) - wi_sin(SCENE_PI * front);
    vec p = vec_along(base, radius * sine + thick * sine, up);
    p = vec_along(p, CURL - radius * cosine + thick * (1 - cosine), out);
    return vec_along(p, across * wider, side);
}

static void positions(const scene *s, uint32_t frame, uint32_t body, float *xyz_out)
{
    const apple *a = s->data;
    const round_mesh *m = &a->shell.mesh;
    const double step = scene_step(s, frame);
    for (uint32_t i = 0; i < s->bodies[body].vertex_count; i++) {
        const shell_vertex v = shell_cracks_vertex(&a->shell, i);
        const uint32_t strip = v.cell == ROUND_RIM ? NO_STRIP : a->strip[v.cell];
        const double front = strip == NO_STRIP ? 0 : front_of(strip, step);
        const bool is_off = m->down[v.vertex] < front;
        vec_store(is_off ? curl(m, &v, strip, front)
                         : apple_point(m->down[v.vertex], m->around[v.vertex], v.depth),
                  xyz_out, i);
    }
}

extern const scene_kind scene_apple;
const scene_kind scene_apple = {
    .name = "apple",
    .summary = "an apple is peeled in four strips, which curl up and touch themselves",
    .stands_for = "progressive fracture: Otaduy and others 2007, section 5.3",
    .defaults = {.triangles = 6124, .frames = STEPS},
    .lowest = {.triangles = 1000, .frames = 1},
    .highest = {.triangles = 50000, .frames = 100000},
    .variants = "",
    .create = create,
    .destroy = destroy,
    .positions = positions,
};
