/* bulk.c - many bodies in one call. Elements are checked first, or made apart from the world, so
 * that nothing has changed if one is refused; then nothing can fail.
 *
 * Made for hundreds of thousands of bodies: what each of them takes is shared out to the workers in
 * chunks, and nothing depends on who did it. */
#include "willow/bulk.h"

#include "base/check.h"
#include "world/world.h"

enum { CHUNK = 256 };

static uint32_t count_chunks(size_t count) { return (uint32_t)((count + CHUNK - 1) / CHUNK); }

static size_t end_of_chunk(uint32_t chunk, size_t count)
{
    const size_t end = ((size_t)chunk + 1) * CHUNK;
    return end < count ? end : count;
}

static willow_result check_arrays(willow_world *world, bool are_there, size_t count)
{
    wi_message_clear(&world->message);
    if (count > UINT32_MAX)
        return wi_fail(&world->message, WILLOW_BAD_ARGUMENT, "%zu bodies: too many", count);
    if (count > 0 && !are_there)
        return wi_fail(&world->message, WILLOW_BAD_ARGUMENT, "%zu bodies, and an array is missing",
                       count);
    return WILLOW_OK;
}

/* The words of a message with the number of the element. */
static willow_result fail_at(willow_world *world, size_t at, const wi_message *why,
                             willow_result result)
{
    return wi_fail(&world->message, result, "%zu: %s", at, why->text);
}

/* ---- creating ---- */

typedef struct making {
    willow_world *world;
    const willow_body_def *defs;
    wi_body **bodies; /* NULL where one could not be made, or not yet */
    size_t count;
} making;

static void make_chunk(void *arg, uint32_t chunk, uint32_t worker)
{
    const making *m = arg;
    (void)worker;
    for (size_t i = (size_t)chunk * CHUNK; i < end_of_chunk(chunk, m->count); i++) {
        wi_message silent = {0};
        if (m->defs[i].share.index1 == 0)
            (void)wi_body_make(m->world, &m->defs[i], &silent, &m->bodies[i]);
    }
}

/* Sharing counts users of what is shared, so that one worker does it. */
static void make_all(making *m)
{
    const willow_tasks *tasks = &m->world->tasks;
    for (size_t i = 0; i < m->count; i++) m->bodies[i] = NULL;
    tasks->parallel_for(tasks->context, count_chunks(m->count), make_chunk, m);
    for (size_t i = 0; i < m->count; i++) {
        wi_message silent = {0};
        if (m->defs[i].share.index1 == 0) continue;
        if (wi_body_make(m->world, &m->defs[i], &silent, &m->bodies[i]) != WILLOW_OK) return;
    }
}

/* Says why the first that is missing could not be made; OK if none is. */
static willow_result find_fault(const making *m)
{
    wi_message why = {0};
    wi_body *body = NULL;
    size_t at = 0;
    while (at < m->count && m->bodies[at]) at++;
    if (at == m->count) return WILLOW_OK;
    const willow_result result = wi_body_make(m->world, &m->defs[at], &why, &body);
    if (result != WILLOW_OK) return fail_at(m->world, at, &why, result);
    wi_body_free(m->world, body); /* there is memory again */
    return wi_fail_memory(&m->world->message, "bodies");
}

static willow_result make_and_enter(making *m, willow_body_id *out)
{
    make_all(m);
    const willow_result result = find_fault(m);
    if (result != WILLOW_OK) {
        for (size_t i = 0; i < m->count; i++)
            if (m->bodies[i]) wi_body_free(m->world, m->bodies[i]);
        return result;
    }
    for (size_t i = 0; i < m->count; i++) {
        wi_body_enter(m->world, m->bodies[i]);
        out[i] = m->bodies[i]->shown.id;
    }
    return WILLOW_OK;
}

willow_result willow_bodies_create(willow_world *world, const willow_body_def *defs, size_t count,
                                   willow_body_id *out)
{
    willow_result result = check_arrays(world, defs && out, count);
    if (result != WILLOW_OK || count == 0) return result;
    for (size_t i = 0; i < count; i++) out[i] = (willow_body_id){0};
    making m = {world, defs, wi_alloc_array(&world->memory, count, sizeof *m.bodies), count};
    if (m.bodies == NULL || !wi_bodies_reserve(world, (uint32_t)count))
        result = wi_fail_memory(&world->message, "bodies");
    else
        result = make_and_enter(&m, out);
    wi_free_array(&world->memory, m.bodies, count, sizeof *m.bodies);
    return result;
}

/* ---- destroying ---- */

/* Names bodies until one cannot be; returns how many were. */
static size_t name_bodies(willow_world *world, const willow_body_id *bodies, size_t count,
                          wi_message *why)
{
    for (size_t i = 0; i < count; i++) {
        wi_body *body = wi_body_get(world, bodies[i], why);
        if (body == NULL) return i;
        if (body->is_named) {
            (void)wi_fail(why, WILLOW_BAD_HANDLE, "body %u is named twice", bodies[i].index1);
            return i;
        }
        body->is_named = true;
    }
    return count;
}

willow_result willow_bodies_destroy(willow_world *world, const willow_body_id *bodies, size_t count)
{
    wi_message why = {0};
    const willow_result result = check_arrays(world, bodies != NULL, count);
    if (result != WILLOW_OK) return result;
    const size_t named = name_bodies(world, bodies, count, &why);
    for (size_t i = 0; i < named; i++) world->bodies.items[bodies[i].index1 - 1]->is_named = false;
    if (named < count) return fail_at(world, named, &why, WILLOW_BAD_HANDLE);
    for (size_t i = 0; i < count; i++)
        wi_body_leave(world, world->bodies.items[bodies[i].index1 - 1]);
    return WILLOW_OK;
}

/* ---- poses ---- */

typedef struct posing {
    willow_world *world;
    const willow_body_id *ids;
    const willow_pose *poses;
    size_t count;
} posing;

static willow_result check_poses(const posing *p)
{
    wi_message why = {0};
    for (size_t i = 0; i < p->count; i++) {
        if (wi_body_get(p->world, p->ids[i], &why) == NULL)
            return fail_at(p->world, i, &why, WILLOW_BAD_HANDLE);
        const willow_result result = wi_check_pose(&why, &p->poses[i]);
        if (result != WILLOW_OK) return fail_at(p->world, i, &why, result);
    }
    return WILLOW_OK;
}

/* Whether no body is named twice, and none has what others may share. */
static bool are_apart(const posing *p)
{
    for (size_t i = 0; i < p->count; i++) {
        if (i > 0 && p->ids[i - 1].index1 >= p->ids[i].index1) return false;
        const wi_body *body = p->world->bodies.items[p->ids[i].index1 - 1];
        if (!wi_body_is_light(body) && body->more->step_end) return false;
    }
    return true;
}

static void pose_range(const posing *p, size_t first, size_t last)
{
    for (size_t i = first; i < last; i++)
        wi_body_put(p->world, p->world->bodies.items[p->ids[i].index1 - 1], &p->poses[i]);
}

static void pose_chunk(void *arg, uint32_t chunk, uint32_t worker)
{
    const posing *p = arg;
    (void)worker;
    pose_range(p, (size_t)chunk * CHUNK, end_of_chunk(chunk, p->count));
}

willow_result willow_bodies_set_poses(willow_world *world, const willow_body_id *bodies,
                                      const willow_pose *poses, size_t count)
{
    posing p = {world, bodies, poses, count};
    willow_result result = check_arrays(world, bodies && poses, count);
    if (result == WILLOW_OK) result = check_poses(&p);
    if (result != WILLOW_OK || count == 0) return result;
    const willow_tasks *tasks = &world->tasks;
    if (tasks->worker_count > 1 && are_apart(&p))
        tasks->parallel_for(tasks->context, count_chunks(count), pose_chunk, &p);
    else
        pose_range(&p, 0, count);
    world->is_stale = true;
    return WILLOW_OK;
}
