/* plan.h - flight plans: where vertices are at any time, and where they are going.
 *
 * A vertex follows the keyframes of its body, or a path of its own: a start, since a time, with a
 * velocity and an acceleration. A path is computed in double, always by wi_plan_read, and rounded
 * once by whoever needs floats (C1). All arrays are in the order of places, as positions are: the
 * mesh reorders both together.
 *
 * A moment is a time, and where that is among the keyframes: what reading needs to know. */
#ifndef WI_MESH_MOTION_PLAN_H
#define WI_MESH_MOTION_PLAN_H

#include <float.h>
#include <math.h>
#include "base/memory.h"
#include "base/message.h"
#include "willow/world.h"

/* One cache line. At `since` + s the vertex is at (start + s * velocity) + s^2 / 2 * acceleration.
 */
typedef struct wi_path {
    _Alignas(64) double start[3];
    double since;
    float velocity[3], acceleration[3];
    float spare[2]; /* 0, for those who read four at once (mesh/motion/plan_quad.h) */
} wi_path;

_Static_assert(sizeof(wi_path) == 64, "a cache line");

static inline wi_path wi_path_standing(const float p[3], double since)
{
    return (wi_path){.start = {(double)p[0], (double)p[1], (double)p[2]}, .since = since};
}

typedef struct wi_moment {
    double time;
    uint32_t from, to; /* keyframes; the same where nothing moves on them */
    double share;      /* of the time between them */
} wi_moment;

typedef struct wi_plan {
    wi_moment now; /* of the mesh that follows it */
    uint32_t vertex_count;
    uint32_t room;      /* of the arrays: as many places */
    wi_path *paths;     /* NULL while all vertices follow keyframes */
    uint64_t *off_keys; /* where there are keyframes and paths: a bit for each vertex on a path */
    float *keys;        /* x, y, z of all vertices, keyframe after keyframe, and a float to spare;
                           NULL if there are none */
    double *times;      /* of keyframes */
    uint32_t key_count;
    double key_size; /* no coordinate of a keyframe is larger */

    /* Of all paths that there ever were; they only grow. */
    double path_size, top_speed, top_acceleration, first_since, last_since;
} wi_plan;

/* Beyond this a path is where it is after so long: no sum or product of it overflows. */
#define WI_PLAN_LONGEST 0x1p400

static inline double wi_plan_since(const wi_path *path, double time)
{
    const double s = time - path->since;
    return s > WI_PLAN_LONGEST ? WI_PLAN_LONGEST : s < -WI_PLAN_LONGEST ? -WI_PLAN_LONGEST : s;
}

static inline bool wi_plan_is_on_path(const wi_plan *plan, uint32_t place)
{
    return plan->keys == NULL ||
           (plan->off_keys && (plan->off_keys[place / 64] >> place % 64 & 1) != 0);
}

/* True if the vertex is on a path so long before or after its start that it stands. */
static inline bool wi_plan_stands(const wi_plan *plan, const wi_moment *at, uint32_t place)
{
    return wi_plan_is_on_path(plan, place) &&
           fabs(at->time - plan->paths[place].since) > WI_PLAN_LONGEST;
}

/* True if there may be one that stands now, and will not later. */
static inline bool wi_plan_waits(const wi_plan *plan, double time)
{
    return plan->paths && plan->last_since - time > WI_PLAN_LONGEST;
}

/* The position of a vertex in a keyframe. */
static inline const float *wi_plan_key(const wi_plan *plan, uint32_t key, uint32_t place)
{
    return plan->keys + 3 * ((size_t)key * plan->room + place);
}

/* Where the vertex at a place is: the definition of its path. */
static inline void wi_plan_read(const wi_plan *plan, const wi_moment *at, uint32_t place,
                                double out[3])
{
    if (wi_plan_is_on_path(plan, place)) {
        const wi_path *path = &plan->paths[place];
        const double s = wi_plan_since(path, at->time), half = 0.5 * s * s;
        for (int axis = 0; axis < 3; axis++)
            out[axis] = (path->start[axis] + s * (double)path->velocity[axis]) +
                        half * (double)path->acceleration[axis];
        return;
    }
    const float *a = wi_plan_key(plan, at->from, place), *b = wi_plan_key(plan, at->to, place);
    for (int axis = 0; axis < 3; axis++)
        out[axis] = (double)a[axis] + at->share * ((double)b[axis] - (double)a[axis]);
}

/* A coordinate as float32; beyond its range it stays at the border. */
static inline float wi_plan_round(double x)
{
    x = x < (double)FLT_MAX ? x : (double)FLT_MAX;
    return (float)(x > (double)-FLT_MAX ? x : (double)-FLT_MAX);
}

/* The same without a pose, as it is stored. */
static inline void wi_plan_point(const wi_plan *plan, const wi_moment *at, uint32_t place,
                                 float out[3])
{
    double x[3];
    wi_plan_read(plan, at, place, x);
    for (int axis = 0; axis < 3; axis++) out[axis] = wi_plan_round(x[axis]);
}

/* One coordinate of a path from a moment on, until wi_plan_until: x + s * v + s^2 / 2 * a. */
typedef struct wi_course {
    double x, v, a;
} wi_course;

static inline wi_course wi_plan_course(const wi_plan *plan, const wi_moment *at, uint32_t place,
                                       int axis)
{
    if (wi_plan_is_on_path(plan, place)) {
        const wi_path *path = &plan->paths[place];
        const double s = wi_plan_since(path, at->time), half = 0.5 * s * s;
        const double v = (double)path->velocity[axis], a = (double)path->acceleration[axis];
        return (wi_course){(path->start[axis] + s * v) + half * a, v + s * a, a};
    }
    const double from = (double)wi_plan_key(plan, at->from, place)[axis];
    const double way = (double)wi_plan_key(plan, at->to, place)[axis] - from;
    const double span = plan->times[at->to] - plan->times[at->from];
    return (wi_course){from + at->share * way, span > 0.0 ? way / span : 0.0, 0.0};
}

wi_moment wi_plan_moment(const wi_plan *plan, double time);

/* When paths have their next corner, all at once; infinity if never. */
static inline double wi_plan_until(const wi_plan *plan, const wi_moment *at)
{
    if (plan->key_count == 0) return (double)INFINITY;
    if (at->time < plan->times[0]) return plan->times[0];
    return at->from + 1 < plan->key_count ? plan->times[at->from + 1] : (double)INFINITY;
}

/* Two courses that are computed to meet at a time next to `time` are no further apart then, and no
 * path is further from where wi_plan_read says: some tens of roundings of all terms of a path, and
 * what a path moves while time goes on by as many of its own. */
double wi_plan_slack(const wi_plan *plan, double time);

void wi_plan_free(wi_memory *memory, wi_plan *plan);
size_t wi_plan_bytes(const wi_plan *plan);

/* A plan of keyframes for so many vertices, whose numbers `place` takes to places; `stand_in` as in
 * the mesh. BAD_ARGUMENT, BAD_MESH or OUT_OF_MEMORY; there is no plan then. */
willow_result wi_plan_make(wi_memory *memory, const willow_flightplan *def, uint32_t vertex_count,
                           const uint32_t *place, const uint32_t *stand_in, wi_message *message,
                           wi_plan *plan);

/* Room for paths. Where there are neither paths nor keyframes yet, all have to be set. False if
 * there is no memory. */
bool wi_plan_reserve_paths(wi_memory *memory, uint32_t vertex_count, wi_plan *plan);

/* After wi_plan_reserve_paths: the vertex at a place leaves what it followed. */
void wi_plan_set_path(wi_plan *plan, uint32_t place, const wi_path *path);

/* Where the vertex is at a moment, how fast and with which acceleration, as the start of a path. */
wi_path wi_plan_path_from(const wi_plan *plan, const wi_moment *at, uint32_t place);

/* Moves what is at the places [first, first + count) to where `moved` says, a permutation of them;
 * moved[0] is of `first`. `scratch` is room for three floats and a bit for each of them. */
void wi_plan_permute(wi_plan *plan, uint32_t first, uint32_t count, const uint32_t *moved,
                     void *scratch);

/* NULL, or the words for what is broken. */
const char *wi_plan_validate(const wi_plan *plan);

#endif
