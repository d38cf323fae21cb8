/* flight.c - finds the stops of a step, and how far vertices get from the straight way. */
#include "mesh/motion/flight.h"
#include "base/larger.h"

/* ---- stops ---- */

/* The keyframes after one time and before another: the first, and the one behind the last. */
static void keys_between(const wi_plan *plan, double from, double to, uint32_t *first,
                         uint32_t *last)
{
    const wi_moment at = wi_plan_moment(plan, from);
    *first = *last = 0;
    if (plan->key_count == 0) return;
    *first = from < plan->times[0] ? 0 : at.from + 1;
    for (*last = *first; *last < plan->key_count && plan->times[*last] < to;) ++*last;
}

/* Halves, so that no difference of two times overflows. */
static double share_of(double time, double from, double to)
{
    return (0.5 * time - 0.5 * from) / (0.5 * to - 0.5 * from);
}

bool wi_flight_make(wi_memory *memory, const wi_plan *plan, double from, double to,
                    wi_flight *flight)
{
    uint32_t first, last;
    keys_between(plan, from, to, &first, &last);
    const uint32_t count = last - first + 2;
    if (flight->room < count) {
        wi_flight_free(memory, flight);
        flight->stops = wi_alloc_array(memory, count, sizeof *flight->stops);
        if (flight->stops == NULL) return false;
        flight->room = count;
    }
    flight->count = count;
    flight->stops[0] = (wi_stop){wi_plan_moment(plan, from), 0.0};
    for (uint32_t i = 1; i + 1 < count; i++) {
        const double time = plan->times[first + i - 1];
        flight->stops[i] = (wi_stop){wi_plan_moment(plan, time), share_of(time, from, to)};
    }
    flight->stops[count - 1] = (wi_stop){wi_plan_moment(plan, to), 1.0};
    return true;
}

void wi_flight_free(wi_memory *memory, wi_flight *flight)
{
    wi_free_array(memory, flight->stops, flight->room, sizeof *flight->stops);
    *flight = (wi_flight){0};
}

void wi_flight_arrive(const wi_flight *flight, wi_end_state *room, wi_mesh *end)
{
    wi_plan *plan = room->block;
    WI_ASSERT(room->room >= sizeof *plan);
    *plan = *wi_mesh_plan(end);
    plan->now = flight->stops[flight->count - 1].moment;
    end->state.plan = plan;
}

bool wi_flight_stands(const wi_plan *plan, const wi_flight *flight)
{
    const double from = flight->stops[0].moment.time;
    const double to = flight->stops[flight->count - 1].moment.time;
    if (plan->paths && (plan->top_speed > 0.0 || plan->top_acceleration > 0.0)) return false;
    return plan->key_count == 0 || to <= plan->times[0] || from >= plan->times[plan->key_count - 1];
}

/* ---- parabolas ---- */

/* x + s v + s^2 / 2 a is below the line between its ends by a s (d - s) / 2 after s of d: by
 * a d^2 / 8 half-way. */
bool wi_flight_bulge(const wi_mesh *mesh, const wi_stop *stop, wi_spot spot, double out[3])
{
    const wi_plan *plan = wi_mesh_plan(mesh);
    const wi_pose *pose = wi_mesh_pose(mesh);
    double top[3] = {0.0, 0.0, 0.0};
    bool is_bent = false;
    for (int axis = 0; axis < 3; axis++) out[axis] = 0.0;
    if (plan->paths == NULL || !wi_plan_is_on_path(plan, spot)) return false;
    const double d = stop[1].moment.time - stop->moment.time;
    const double most = d < WI_PLAN_LONGEST ? d : WI_PLAN_LONGEST;
    for (int axis = 0; axis < 3; axis++) {
        top[axis] = -0.125 * most * most * (double)plan->paths[spot].acceleration[axis];
        is_bent = is_bent || top[axis] != 0.0;
    }
    for (int axis = 0; axis < 3; axis++)
        out[axis] = pose == NULL
                        ? top[axis]
                        : (pose->column[0][axis] * top[0] + pose->column[1][axis] * top[1]) +
                              pose->column[2][axis] * top[2];
    return is_bent;
}

/* ---- the straight way ---- */

static double length(const double v[3]) { return sqrt((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2]); }

/* How far a stop is from the straight line between both ends. */
static double detour(const float start[3], const float end[3], const float at[3], double share)
{
    double off[3];
    for (int axis = 0; axis < 3; axis++)
        off[axis] =
            (double)at[axis] - ((1.0 - share) * (double)start[axis] + share * (double)end[axis]);
    return length(off);
}

/* Between stops a path is no farther from the straight way than at one of them, and what it leaves
 * its own straight line by. Adds to *size the coordinates of stops. */
static double bend_of(const wi_mesh *mesh, const wi_flight *flight, wi_spot spot, double *size)
{
    const uint32_t last = flight->count - 1;
    float start[4], end[4], at[4];
    double off = 0.0, bulge = 0.0, top[3];
    wi_flight_at(mesh, &flight->stops[0], spot, start);
    wi_flight_at(mesh, &flight->stops[last], spot, end);
    for (uint32_t i = 0; i < last; i++) {
        const wi_stop *stop = &flight->stops[i];
        if (wi_flight_bulge(mesh, stop, spot, top)) bulge = wi_larger(bulge, length(top));
        wi_flight_at(mesh, stop, spot, at);
        if (i > 0) off = wi_larger(off, detour(start, end, at, stop->share));
        for (int axis = 0; axis < 3; axis++)
            *size = wi_larger(*size, wi_larger(fabs((double)at[axis]), fabs((double)end[axis])));
    }
    return off + bulge;
}

/* With room for the roundings of all this. A way with stops is never taken for a straight one. */
double wi_flight_bend(const wi_mesh *mesh, const wi_flight *flight)
{
    const wi_plan *plan = wi_mesh_plan(mesh);
    const bool has_stops = flight->count > 2;
    double bend = 0.0, size = 0.0;
    if (!has_stops && (plan->paths == NULL || !(plan->top_acceleration > 0.0))) return 0.0;
    for (uint32_t place = 0; place < mesh->vertex_count; place++)
        bend = wi_larger(bend, bend_of(mesh, flight, place, &size));
    if (!has_stops && bend == 0.0) return 0.0;
    return bend * (1.0 + 0x1p-40) + 0x1p-40 * size;
}
