/* camera.c - cameras and lights, of kinds that have their own and of all others. */
#include "camera.h"
#include "vec.h"

#include <stdlib.h>

/* Frames whose bounds the camera of any scene is made for. */
enum { LOOKED_AT = 5 };

#define VERTICAL_DEGREES 36

/* Tangent of half of these. */
#define VERTICAL_SLOPE 0.324919696232906

/* What is remembered of a scene: where everything is in all of its frames. */
struct scene_view {
    bool is_known;
    vec centre;
    double radius;
    vec half; /* of the box around it, from the centre to its upper corner */
};

scene_view *scene_view_create(void) { return calloc(1, sizeof(scene_view)); }

void scene_view_destroy(scene_view *view) { free(view); }

/* ---- bounds ---- */

/* Farther out nothing is looked at, and an eye that sees it would be too far away for floats. */
#define SEEN_MOST 1e9F

/* Of three numbers, those beyond that are left out, one by one. */
static void widen(float lower[3], float upper[3], const float *xyz, uint32_t count)
{
    for (size_t i = 0; i < 3 * (size_t)count; i++) {
        size_t k = i % 3;
        if (!(xyz[i] > -SEEN_MOST && xyz[i] < SEEN_MOST)) continue;
        if (xyz[i] < lower[k]) lower[k] = xyz[i];
        if (xyz[i] > upper[k]) upper[k] = xyz[i];
    }
}

static uint32_t most_vertices(const scene *s)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < s->body_count; i++) {
        if (s->bodies[i].vertex_count > most) most = s->bodies[i].vertex_count;
    }
    return most;
}

/* Bounds begin as they are. */
static bool widen_by_frame(const scene *s, uint32_t frame, float lower[3], float upper[3])
{
    float *xyz = malloc((3 * (size_t)most_vertices(s) + 1) * sizeof *xyz);
    if (xyz == NULL) return false;
    for (uint32_t i = 0; i < s->body_count; i++) {
        scene_positions(s, frame, i, xyz);
        widen(lower, upper, xyz, s->bodies[i].vertex_count);
    }
    free(xyz);
    return lower[0] <= upper[0];
}

bool scene_frame_bounds(const scene *s, uint32_t frame, float lower[3], float upper[3])
{
    for (int k = 0; k < 3; k++) lower[k] = HUGE_VALF, upper[k] = -HUGE_VALF;
    return widen_by_frame(s, frame, lower, upper);
}

/* ---- the view of any scene ---- */

static void look_at_frames(const scene *s, scene_view *view)
{
    float lower[3], upper[3];
    for (int k = 0; k < 3; k++) lower[k] = HUGE_VALF, upper[k] = -HUGE_VALF;
    bool is_seen = false;
    for (uint32_t i = 0; i < LOOKED_AT; i++) {
        uint32_t frame = (uint32_t)((uint64_t)(s->frame_count - 1) * i / (LOOKED_AT - 1));
        is_seen = widen_by_frame(s, frame, lower, upper) || is_seen;
    }
    vec low = {(double)lower[0], (double)lower[1], (double)lower[2]};
    vec high = {(double)upper[0], (double)upper[1], (double)upper[2]};
    *view = (scene_view){.is_known = true, .radius = 1, .half = {1, 1, 1}};
    if (!is_seen) return;
    view->centre = vec_mix(low, high, 0.5);
    view->half = vec_scale(0.5, vec_sub(high, low));
    view->radius = vec_length(view->half);
    if (!(view->radius > 1e-6)) view->radius = 1e-6;
}

static const scene_view *view_of(const scene *s)
{
    if (!s->view->is_known) look_at_frames(s, s->view);
    return s->view;
}

/* From the side and a little above; z is up, as in scenes that know it. */
static const vec outward = {0.5, -0.75, 0.42};

/* Of pictures, width over height; and what is left free around the scene. */
static const double wide = 4.0 / 3, margin = 1.04;

/* How far away the eye sees the whole box, from the direction `from`, of length one. A corner that
 * is x to the side, y up and z nearer than the centre is seen from the distance d if
 * y <= slope * (d - z), and so for x. */
static double distance_to_see(const scene_view *view, vec from)
{
    const vec right = vec_unit(vec_cross((vec){0, 0, 1}, from)), up = vec_cross(from, right);
    double distance = 0;
    for (int corner = 0; corner < 8; corner++) {
        const vec at = {(corner & 1) != 0 ? view->half.x : -view->half.x,
                        (corner & 2) != 0 ? view->half.y : -view->half.y,
                        (corner & 4) != 0 ? view->half.z : -view->half.z};
        const double across = fabs(vec_dot(at, right)) / wide, high = fabs(vec_dot(at, up));
        const double side = across > high ? across : high;
        const double needed = side * margin / VERTICAL_SLOPE + vec_dot(at, from);
        if (needed > distance) distance = needed;
    }
    return distance > 1e-6 ? distance : 1e-6;
}

void scene_get_camera(const scene *s, uint32_t frame, scene_camera *out)
{
    *out = (scene_camera){.up = {0, 0, 1}, .vertical_degrees = VERTICAL_DEGREES};
    if (s->kind->camera != NULL) {
        s->kind->camera(s, frame, out);
        return;
    }
    const scene_view *view = view_of(s);
    const vec from = vec_unit(outward);
    vec eye = vec_along(view->centre, distance_to_see(view, from), from);
    vec_store(eye, out->eye, 0);
    vec_store(view->centre, out->look_at, 0);
}

uint32_t scene_get_lights(const scene *s, uint32_t frame, scene_light out[SCENE_LIGHTS])
{
    if (s->kind->lights != NULL) return s->kind->lights(s, frame, out);
    const scene_view *view = view_of(s);
    out[0] = (scene_light){.strength = 0.65F};
    out[1] = (scene_light){.strength = 0.35F};
    vec_store(vec_along(view->centre, 3 * view->radius, (vec){-0.55, -0.5, 1.3}), out[0].position,
              0);
    vec_store(vec_along(view->centre, 3 * view->radius, (vec){0.9, 0.1, 1.0}), out[1].position, 0);
    return SCENE_LIGHTS;
}

float scene_lowest(const scene *s)
{
    const scene_view *view = view_of(s);
    return (float)(view->centre.z - view->half.z);
}

bool scene_is_reflective(const scene *s, uint32_t body)
{
    return s->kind->is_reflective != NULL && s->kind->is_reflective(s, body);
}
