/* plan.c - takes flight plans in, and says what a time means to them. */
#include "mesh/motion/plan.h"

#include <string.h>

#include "base/check.h"
#include "base/hash.h"
#include "base/larger.h"
#include "mesh/assemble.h"
#include "mesh/motion/birth.h"

/* ---- moments ---- */

/* The last keyframe at or before a time that is not before the first. */
static uint32_t key_before(const wi_plan *plan, double time)
{
    uint32_t low = 0, high = plan->key_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (plan->times[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

wi_moment wi_plan_moment(const wi_plan *plan, double time)
{
    wi_moment at = {.time = time};
    if (plan->key_count == 0 || time < plan->times[0]) return at;
    at.from = at.to = key_before(plan, time);
    if (at.from + 1 == plan->key_count) return at;
    at.to = at.from + 1;
    at.share = (time - plan->times[at.from]) / (plan->times[at.to] - plan->times[at.from]);
    return at;
}

/* How far a vertex goes on keyframes between two of them in so much time, at most. A speed could be
 * less than any double. */
static double way_between(const wi_plan *plan, uint32_t from, uint32_t to, double time)
{
    const double span = plan->times[to] - plan->times[from];
    return span > 0.0 ? 2.0 * plan->key_size * (time / span) : 0.0;
}

/* The same around a moment: events at a keyframe are of the time before it, too. */
static double way_on_keys(const wi_plan *plan, const wi_moment *at, double time)
{
    const double way = way_between(plan, at->from, at->to, time);
    return at->from > 0 ? wi_larger(way, way_between(plan, at->from - 1, at->from, time)) : way;
}

/* How far those may be from where they are taken to be whose velocity is next to none in double:
 * that goes far between keyframes at 0 and 1e300. Nothing is known of who is faster than any
 * double. Who follows keyframes is compared by velocities only where others are on paths. */
static double lost_way(const wi_plan *plan, const wi_moment *at)
{
    const double span = plan->times[at->to] - plan->times[at->from];
    if (plan->paths == NULL || !(span > 0.0)) return 0.0;
    return 2.0 * plan->key_size / span <= DBL_MAX ? 0x1p-1020 * span : DBL_MAX;
}

double wi_plan_slack(const wi_plan *plan, double time)
{
    /* Next to 0 times are no finer than there: see wi_later. */
    const double age = fabs(time) + 0x1p52 * DBL_MIN;
    double size = 0.0, way = 0.0;
    if (plan->key_count > 0) {
        const wi_moment at = wi_plan_moment(plan, time);
        size = 2.0 * plan->key_size + lost_way(plan, &at);
        way = way_on_keys(plan, &at, age);
    }
    if (plan->first_since <= plan->last_since &&
        plan->paths) { /* there may be room for paths only */
        const double s = wi_larger(fabs(time - plan->first_since), fabs(time - plan->last_since));
        const double fastest = plan->top_speed + s * plan->top_acceleration;
        size = wi_larger(size, plan->path_size + s * fastest);
        way = wi_larger(way, fastest * age);
    }
    const double slack = 0x1p-47 * (size + way) + 0x1p-1000;
    return slack < 0x1p1000 ? slack : 0x1p1000; /* a path may leave the range of float */
}

/* ---- memory ---- */

static size_t key_floats(uint32_t vertex_count, uint32_t key_count)
{
    return 3 * (size_t)vertex_count * key_count + 1;
}

static size_t words(uint32_t vertex_count) { return ((size_t)vertex_count + 63) / 64; }

/* All but the times. */
static void free_rooms(wi_memory *memory, wi_plan *plan)
{
    wi_free_array(memory, plan->paths, plan->room, sizeof *plan->paths);
    wi_free_array(memory, plan->off_keys, words(plan->room), sizeof *plan->off_keys);
    if (plan->keys)
        wi_free_array(memory, plan->keys, key_floats(plan->room, plan->key_count),
                      sizeof *plan->keys);
}

void wi_plan_free(wi_memory *memory, wi_plan *plan)
{
    free_rooms(memory, plan);
    wi_free_array(memory, plan->times, plan->key_count, sizeof *plan->times);
    *plan = (wi_plan){0};
}

size_t wi_plan_bytes(const wi_plan *plan)
{
    return (plan->paths ? plan->room * sizeof *plan->paths : 0) +
           (plan->off_keys ? words(plan->room) * sizeof *plan->off_keys : 0) +
           (plan->keys ? key_floats(plan->room, plan->key_count) * sizeof *plan->keys : 0) +
           plan->key_count * sizeof *plan->times;
}

/* ---- keyframes ---- */

static willow_result check_times(const willow_flightplan *def, wi_message *message)
{
    if (def->keyframe_count == 0 || def->times == NULL)
        return wi_fail(message, WILLOW_BAD_ARGUMENT, "a flight plan of no keyframes");
    for (uint32_t i = 0; i < def->keyframe_count; i++) {
        if (!(fabs(def->times[i]) <= DBL_MAX))
            return wi_fail(message, WILLOW_BAD_ARGUMENT, "keyframe %u is at time %g", i,
                           def->times[i]);
        if (i > 0 && !(def->times[i] > def->times[i - 1]))
            return wi_fail(message, WILLOW_BAD_ARGUMENT,
                           "keyframe %u is at time %g, which is not after %g", i, def->times[i],
                           def->times[i - 1]);
        if (i > 0 && !(def->times[i] - def->times[i - 1] <= DBL_MAX))
            return wi_fail(message, WILLOW_BAD_ARGUMENT,
                           "keyframe %u is at time %g, too long after %g", i, def->times[i],
                           def->times[i - 1]);
    }
    return WILLOW_OK;
}

static willow_result check_layout(const willow_flightplan *def, uint32_t vertex_count,
                                  wi_message *message)
{
    const size_t unit = sizeof(float);
    if (vertex_count > 0 && (def->positions == NULL || (uintptr_t)def->positions % unit != 0))
        return wi_fail(message, WILLOW_BAD_ARGUMENT, "positions are %s",
                       def->positions ? "not aligned to 4 bytes" : "NULL");
    if (def->stride != 0 && (def->stride < 3 * unit || def->stride % unit != 0))
        return wi_fail(message, WILLOW_BAD_ARGUMENT,
                       "a stride of %zu bytes: it must be a multiple of 4 and at least 12",
                       def->stride);
    if (def->keyframe_stride % unit != 0)
        return wi_fail(message, WILLOW_BAD_ARGUMENT,
                       "a stride of %zu bytes between keyframes: it must be a multiple of 4",
                       def->keyframe_stride);
    return WILLOW_OK;
}

/* A keyframe, checked; adds to the size of the plan. */
static willow_result take_key(const willow_flightplan *def, uint32_t key, const uint32_t *place,
                              const uint32_t *stand_in, wi_message *message, wi_plan *plan)
{
    const size_t stride = def->stride != 0 ? def->stride : 3 * sizeof(float);
    const size_t between =
        def->keyframe_stride != 0 ? def->keyframe_stride : stride * plan->vertex_count;
    const char *positions = (const char *)def->positions + between * key;
    float *out = plan->keys + 3 * (size_t)plan->room * key;
    for (uint32_t vertex = 0; vertex < plan->vertex_count; vertex++) {
        if (stand_in && stand_in[vertex] == WI_NO_VERTEX) continue;
        const float *p = (const float *)(const void *)(positions + stride * vertex);
        for (int axis = 0; axis < 3; axis++) {
            const double size = fabs((double)p[axis]);
            if (!(size <= (double)FLT_MAX))
                return wi_fail(message, WILLOW_BAD_MESH,
                               "vertex %u of keyframe %u is at (%g, %g, %g): not finite", vertex,
                               key, (double)p[0], (double)p[1], (double)p[2]);
            plan->key_size = wi_larger(plan->key_size, size);
        }
        if (stand_in == NULL || stand_in[vertex] == vertex)
            memcpy(out + 3 * (size_t)place[vertex], p, 3 * sizeof *p);
    }
    return WILLOW_OK;
}

willow_result wi_plan_make(wi_memory *memory, const willow_flightplan *def, uint32_t vertex_count,
                           const uint32_t *place, const uint32_t *stand_in, wi_message *message,
                           wi_plan *plan)
{
    *plan = (wi_plan){.vertex_count = vertex_count, .room = vertex_count};
    willow_result result = check_times(def, message);
    if (result == WILLOW_OK) result = check_layout(def, vertex_count, message);
    if (result != WILLOW_OK) return result;
    const size_t floats = key_floats(vertex_count, def->keyframe_count);
    plan->keys = wi_alloc_array(memory, floats, sizeof *plan->keys);
    plan->times = wi_alloc_array(memory, def->keyframe_count, sizeof *plan->times);
    plan->key_count = def->keyframe_count;
    if (plan->keys == NULL || plan->times == NULL) {
        wi_plan_free(memory, plan);
        return wi_fail_memory(message, "keyframes");
    }
    memcpy(plan->times, def->times, plan->key_count * sizeof *plan->times);
    memset(plan->keys, 0, floats * sizeof *plan->keys); /* merged vertices leave places empty */
    for (uint32_t key = 0; key < plan->key_count && result == WILLOW_OK; key++)
        result = take_key(def, key, place, stand_in, message, plan);
    if (result != WILLOW_OK) wi_plan_free(memory, plan);
    return result;
}

/* ---- paths ---- */

bool wi_plan_reserve_paths(wi_memory *memory, uint32_t vertex_count, wi_plan *plan)
{
    const bool needs_bits = plan->keys && plan->off_keys == NULL;
    if (vertex_count == 0 || (plan->paths && !needs_bits)) return true;
    const uint32_t room = plan->room > vertex_count ? plan->room : vertex_count;
    wi_path *paths = plan->paths;
    WI_ASSERT(plan->room == room || (plan->paths == NULL && plan->keys == NULL));
    if (paths == NULL) paths = wi_alloc_array(memory, room, sizeof *paths);
    if (paths == NULL) return false;
    if (needs_bits) {
        plan->off_keys = wi_alloc_array(memory, words(room), sizeof *plan->off_keys);
        if (plan->off_keys == NULL) {
            if (plan->paths == NULL) wi_free_array(memory, paths, room, sizeof *paths);
            return false;
        }
        memset(plan->off_keys, 0, words(room) * sizeof *plan->off_keys);
    }
    plan->room = room;
    if (plan->paths == NULL) {
        memset(paths, 0, room * sizeof *paths);
        plan->first_since = (double)INFINITY;
        plan->last_since = -(double)INFINITY;
    }
    plan->paths = paths;
    plan->vertex_count = vertex_count;
    return true;
}

static void measure_ray(wi_plan *plan, const wi_path *path)
{
    for (int axis = 0; axis < 3; axis++) {
        plan->path_size = wi_larger(plan->path_size, fabs(path->start[axis]));
        plan->top_speed = wi_larger(plan->top_speed, fabs((double)path->velocity[axis]));
        plan->top_acceleration =
            wi_larger(plan->top_acceleration, fabs((double)path->acceleration[axis]));
    }
    if (path->since < plan->first_since) plan->first_since = path->since;
    if (path->since > plan->last_since) plan->last_since = path->since;
}

void wi_plan_set_path(wi_plan *plan, uint32_t place, const wi_path *path)
{
    plan->paths[place] = *path;
    if (plan->off_keys) plan->off_keys[place / 64] |= UINT64_C(1) << place % 64;
    measure_ray(plan, path);
}

wi_path wi_plan_path_from(const wi_plan *plan, const wi_moment *at, uint32_t place)
{
    wi_path path = {.since = at->time};
    for (int axis = 0; axis < 3; axis++) {
        const wi_course course = wi_plan_course(plan, at, place, axis);
        path.velocity[axis] = wi_plan_round(course.v);
        path.acceleration[axis] = wi_plan_round(course.a);
    }
    wi_plan_read(plan, at, place, path.start);
    return path;
}

/* ---- another order ---- */

static void permute_keys(wi_plan *plan, uint32_t first, uint32_t count, const uint32_t *moved,
                         float (*scratch)[3])
{
    for (uint32_t key = 0; key < plan->key_count; key++) {
        float *at = plan->keys + 3 * ((size_t)key * plan->room + first);
        for (uint32_t i = 0; i < count; i++)
            memcpy(scratch[moved[i] - first], at + 3 * (size_t)i, sizeof *scratch);
        memcpy(at, scratch, count * sizeof *scratch);
    }
}

typedef struct mover {
    wi_path path;
    bool is_off_keys;
} mover;

/* Leaves a path at a place and returns the one that was there. */
static mover exchange(wi_plan *plan, uint32_t place, const mover *next)
{
    const mover old = {plan->paths[place],
                       plan->off_keys && (plan->off_keys[place / 64] >> place % 64 & 1) != 0};
    plan->paths[place] = next->path;
    if (plan->off_keys && old.is_off_keys != next->is_off_keys)
        plan->off_keys[place / 64] ^= UINT64_C(1) << place % 64;
    return old;
}

/* Round by round, with a bit for each place that is done. */
static void permute_rays(wi_plan *plan, uint32_t first, uint32_t count, const uint32_t *moved,
                         uint8_t *done)
{
    memset(done, 0, ((size_t)count + 7) / 8);
    for (uint32_t i = 0; i < count; i++) {
        mover hand = {plan->paths[first + i], wi_plan_is_on_path(plan, first + i)};
        for (uint32_t k = i; (done[k / 8] >> k % 8 & 1) == 0; k = moved[k] - first) {
            done[k / 8] = (uint8_t)(done[k / 8] | 1U << k % 8);
            hand = exchange(plan, moved[k], &hand);
        }
    }
}

void wi_plan_permute(wi_plan *plan, uint32_t first, uint32_t count, const uint32_t *moved,
                     void *scratch)
{
    if (count == 0) return;
    permute_keys(plan, first, count, moved, scratch);
    if (plan->paths) permute_rays(plan, first, count, moved, scratch);
}

const char *wi_plan_validate(const wi_plan *plan)
{
    for (uint32_t i = 1; i < plan->key_count; i++)
        if (!(plan->times[i] > plan->times[i - 1])) return "M7: keyframes are not in order";
    if (plan->keys == NULL && plan->paths == NULL && plan->vertex_count > 0)
        return "M8: a plan without paths";
    for (uint32_t place = 0; place < plan->vertex_count; place++) {
        if (!wi_plan_is_on_path(plan, place)) continue;
        const wi_path *path = &plan->paths[place];
        for (int axis = 0; axis < 3; axis++)
            if (!(fabs(path->start[axis]) <= plan->path_size) ||
                !(fabs((double)path->velocity[axis]) <= plan->top_speed) ||
                !(fabs((double)path->acceleration[axis]) <= plan->top_acceleration))
                return "M9: a path is larger or faster than its plan says";
        if (!(plan->first_since <= path->since && path->since <= plan->last_since))
            return "M9: a path began at a time that its plan does not know";
    }
    return NULL;
}

/* ---- vertices come ---- */

static bool allocate_larger(wi_memory *memory, const wi_plan *plan, wi_plan *larger)
{
    const size_t floats = key_floats(larger->room, plan->key_count);
    if (plan->paths) larger->paths = wi_alloc_array(memory, larger->room, sizeof *plan->paths);
    if (plan->off_keys)
        larger->off_keys = wi_alloc_array(memory, words(larger->room), sizeof *plan->off_keys);
    if (plan->keys) larger->keys = wi_alloc_array(memory, floats, sizeof *plan->keys);
    return (plan->paths == NULL || larger->paths) && (plan->off_keys == NULL || larger->off_keys) &&
           (plan->keys == NULL || larger->keys);
}

static void copy_to_larger(const wi_plan *plan, wi_plan *larger)
{
    const size_t count = plan->vertex_count;
    if (plan->paths) memcpy(larger->paths, plan->paths, count * sizeof *plan->paths);
    if (plan->off_keys) {
        memset(larger->off_keys, 0, words(larger->room) * sizeof *plan->off_keys);
        memcpy(larger->off_keys, plan->off_keys, words(plan->vertex_count) * sizeof(uint64_t));
    }
    if (plan->keys == NULL) return;
    memset(larger->keys, 0, key_floats(larger->room, plan->key_count) * sizeof *plan->keys);
    for (uint32_t key = 0; key < plan->key_count; key++)
        memcpy(larger->keys + 3 * (size_t)key * larger->room, wi_plan_key(plan, key, 0),
               3 * count * sizeof *plan->keys);
}

static bool plan_grow(wi_memory *memory, wi_mesh *mesh, uint32_t count, uint32_t added)
{
    wi_plan *plan = wi_mesh_plan(mesh), larger = *plan;
    (void)added;
    WI_ASSERT(plan->keys || plan->paths);
    if (count <= plan->room) return true;
    larger.room = count;
    larger.paths = NULL;
    larger.off_keys = NULL;
    larger.keys = NULL;
    if (!allocate_larger(memory, plan, &larger)) {
        free_rooms(memory, &larger);
        return false;
    }
    copy_to_larger(plan, &larger);
    free_rooms(memory, plan);
    *plan = larger;
    return true;
}

/* All parents do, or it has none and stands there: then it needs no path. */
static bool plan_follows_keys(const wi_mesh *mesh, const wi_birth *birth)
{
    const wi_plan *plan = wi_mesh_plan(mesh);
    if (plan->keys == NULL) return false;
    for (uint32_t i = 0; i < birth->parent_count; i++)
        if (wi_plan_is_on_path(plan, mesh->place[birth->parents[i]])) return false;
    return true;
}

static void plan_add_keys(const wi_mesh *mesh, const wi_birth *birth, wi_plan *plan)
{
    const uint32_t place = mesh->place[birth->vertex];
    for (uint32_t key = 0; key < plan->key_count; key++) {
        const float *of[WI_MAX_PARENTS] = {0};
        for (uint32_t i = 0; i < birth->parent_count; i++)
            of[i] = wi_plan_key(plan, key, mesh->place[birth->parents[i]]);
        float *out = plan->keys + 3 * ((size_t)key * plan->room + place);
        wi_birth_value(birth, of, out);
        for (int axis = 0; axis < 3; axis++)
            plan->key_size = wi_larger(plan->key_size, fabs((double)out[axis]));
    }
    if (plan->off_keys) plan->off_keys[place / 64] &= ~(UINT64_C(1) << place % 64);
}

/* The sum of the paths of parents from now on, each as if it were set now. */
static wi_path plan_path_of(const wi_mesh *mesh, const wi_birth *birth, const wi_plan *plan)
{
    wi_path sum = wi_path_standing(birth->position, plan->now.time);
    double start[3] = {0}, velocity[3] = {0}, acceleration[3] = {0};
    if (birth->parent_count == 0) return sum;
    for (uint32_t i = 0; i < birth->parent_count; i++) {
        const wi_path path = wi_plan_path_from(plan, &plan->now, mesh->place[birth->parents[i]]);
        for (int axis = 0; axis < 3; axis++) {
            start[axis] += birth->weights[i] * path.start[axis];
            velocity[axis] += birth->weights[i] * (double)path.velocity[axis];
            acceleration[axis] += birth->weights[i] * (double)path.acceleration[axis];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        sum.start[axis] = start[axis];
        sum.velocity[axis] = wi_plan_round(velocity[axis]);
        sum.acceleration[axis] = wi_plan_round(acceleration[axis]);
    }
    return sum;
}

static void plan_add(wi_mesh *mesh, const wi_birth *birth)
{
    wi_plan *plan = wi_mesh_plan(mesh);
    WI_ASSERT(mesh->vertex_count <= plan->room);
    plan->vertex_count = mesh->vertex_count;
    if (plan_follows_keys(mesh, birth)) {
        plan_add_keys(mesh, birth, plan);
        return;
    }
    const wi_path path = plan_path_of(mesh, birth, plan);
    wi_plan_set_path(plan, mesh->place[birth->vertex], &path);
}

/* ---- pieces of several ---- */

static const wi_plan *plan_of(const wi_piece *piece) { return wi_mesh_plan(piece->from); }

/* The first piece whose vertices follow keyframes, or follow paths: NULL if there is none. */
static const wi_plan *plan_with_keys(const wi_assembly *a)
{
    for (uint32_t i = 0; i < a->piece_count; i++)
        if (plan_of(&a->pieces[i])->keys) return plan_of(&a->pieces[i]);
    return NULL;
}

static bool plan_has_paths(const wi_assembly *a)
{
    for (uint32_t i = 0; i < a->piece_count; i++)
        for (uint32_t k = 0; k < a->pieces[i].vertex_count; k++)
            if (wi_piece_has(&a->pieces[i], k) &&
                wi_plan_is_on_path(plan_of(&a->pieces[i]), wi_piece_place(&a->pieces[i], k)))
                return true;
    return false;
}

/* With keyframes of zeros, which nobody follows yet, and paths that stand nowhere. */
static bool plan_reserve_pieces(wi_memory *memory, const wi_assembly *a, wi_plan *plan)
{
    const wi_plan *keyed = plan_with_keys(a);
    const wi_path nowhere = {.since = plan_of(&a->pieces[0])->now.time};
    if (keyed) {
        const size_t floats = key_floats(plan->room, keyed->key_count);
        plan->key_count = keyed->key_count;
        plan->keys = wi_alloc_array(memory, floats, sizeof *plan->keys);
        plan->times = wi_alloc_array(memory, keyed->key_count, sizeof *plan->times);
        if (plan->keys == NULL || plan->times == NULL) return false;
        memset(plan->keys, 0, floats * sizeof *plan->keys);
        memcpy(plan->times, keyed->times, keyed->key_count * sizeof *plan->times);
    }
    if (keyed && !plan_has_paths(a)) return true;
    if (!wi_plan_reserve_paths(memory, plan->vertex_count, plan)) return false;
    for (uint32_t place = 0; place < plan->vertex_count && keyed == NULL; place++)
        wi_plan_set_path(plan, place, &nowhere);
    return true;
}

static void plan_assemble_keys(const wi_plan *from, uint32_t from_place, uint32_t place,
                               wi_plan *plan)
{
    for (uint32_t key = 0; key < plan->key_count; key++) {
        const float *p = wi_plan_key(from, key, from_place);
        memcpy(plan->keys + 3 * ((size_t)key * plan->room + place), p, 3 * sizeof *p);
        for (int axis = 0; axis < 3; axis++)
            plan->key_size = wi_larger(plan->key_size, fabs((double)p[axis]));
    }
}

static void plan_assemble_piece(const wi_piece *piece, wi_plan *plan)
{
    const wi_plan *from = plan_of(piece);
    for (uint32_t i = 0; i < piece->vertex_count; i++) {
        if (!wi_piece_has(piece, i)) continue;
        const uint32_t place = wi_piece_place(piece, i);
        if (wi_plan_is_on_path(from, place))
            wi_plan_set_path(plan, wi_piece_new(piece, i), &from->paths[place]);
        else
            plan_assemble_keys(from, place, wi_piece_new(piece, i), plan);
    }
}

static void *plan_assemble(wi_memory *memory, const wi_assembly *a)
{
    wi_plan plan = {.vertex_count = a->vertex_count, .room = a->vertex_count};
    wi_plan *state = wi_alloc(memory, sizeof *state);
    if (state == NULL || !plan_reserve_pieces(memory, a, &plan)) {
        wi_plan_free(memory, &plan);
        if (state) wi_free(memory, state, sizeof *state);
        return NULL;
    }
    for (uint32_t i = 0; i < a->piece_count; i++) plan_assemble_piece(&a->pieces[i], &plan);
    plan.now = wi_plan_moment(&plan, plan_of(&a->pieces[0])->now.time);
    *state = plan;
    return state;
}

/* Vertices that follow keyframes go together only at the same times; paths go with anything. */
static const char *plan_differ(const wi_mesh *a, const wi_mesh *b)
{
    const wi_plan *p = wi_mesh_plan(a), *q = wi_mesh_plan(b);
    if (p->keys == NULL || q->keys == NULL) return NULL;
    const bool is_same = p->key_count == q->key_count &&
                         memcmp(p->times, q->times, p->key_count * sizeof *p->times) == 0;
    return is_same ? NULL : "has keyframes at other times";
}

/* ---- as a motion ---- */

static void plan_read64(const wi_mesh *mesh, wi_spot spot, double out[3])
{
    const wi_plan *plan = wi_mesh_plan(mesh);
    wi_plan_read(plan, &plan->now, spot, out);
}

static uint64_t hash_path(uint64_t hash, const wi_plan *plan, uint32_t place)
{
    if (wi_plan_is_on_path(plan, place)) {
        const wi_path *path = &plan->paths[place];
        hash = wi_hash_bytes(hash, path->start, sizeof path->start);
        hash = wi_hash_bytes(hash, &path->since, sizeof path->since);
        hash = wi_hash_bytes(hash, path->velocity, sizeof path->velocity);
        return wi_hash_bytes(hash, path->acceleration, sizeof path->acceleration);
    }
    for (uint32_t key = 0; key < plan->key_count; key++)
        hash = wi_hash_bytes(hash, wi_plan_key(plan, key, place), 3 * sizeof(float));
    return hash;
}

/* Where vertices are follows from their paths and the time. */
static uint64_t plan_hash(uint64_t hash, const wi_mesh *mesh)
{
    const wi_plan *plan = wi_mesh_plan(mesh);
    hash = wi_hash_u64(hash, plan->key_count);
    if (plan->key_count > 0)
        hash = wi_hash_bytes(hash, plan->times, plan->key_count * sizeof *plan->times);
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++)
        if (wi_mesh_stands_for_itself(mesh, vertex))
            hash = hash_path(hash, plan, mesh->place[vertex]);
    return hash;
}

static void plan_free(wi_memory *memory, wi_mesh *mesh)
{
    wi_plan_free(memory, wi_mesh_plan(mesh));
    wi_free(memory, mesh->state.plan, sizeof *mesh->state.plan);
}

static size_t plan_bytes(const wi_mesh *mesh)
{
    return sizeof(wi_plan) + wi_plan_bytes(wi_mesh_plan(mesh));
}

static void plan_permute(wi_mesh *mesh, uint32_t first, uint32_t count, const uint32_t *moved,
                         void *scratch)
{
    wi_plan_permute(wi_mesh_plan(mesh), first, count, moved, scratch);
}

static const char *plan_validate(const wi_mesh *mesh)
{
    return wi_plan_validate(wi_mesh_plan(mesh));
}

static size_t plan_end_bytes(const wi_mesh *mesh)
{
    (void)mesh;
    return sizeof(wi_plan);
}

extern const wi_motion_ops wi_motion_plan;

/* No trial changes a plan: its vertices go to goals, or along it (wi_flight_arrive). */
const wi_motion_ops wi_motion_plan = {.is_computed = true,
                                      .is_finer = true,
                                      .has_paths = true,
                                      .read64 = plan_read64,
                                      .hash = plan_hash,
                                      .free = plan_free,
                                      .bytes = plan_bytes,
                                      .permute = plan_permute,
                                      .grow = plan_grow,
                                      .add = plan_add,
                                      .differ = plan_differ,
                                      .assemble = plan_assemble,
                                      .validate = plan_validate,
                                      .end_bytes = plan_end_bytes};
