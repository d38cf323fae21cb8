/* plan.c - flight plans of bodies come and change. As everywhere here, the update does the rest.
 * Until then vertices are where the plan has them at the time of the last update: what is stored is
 * old after every change, whatever the method, so that they are computed by whoever asks (C1). */
#include "world/world.h"

#include <math.h>

#include "base/check.h"

willow_flightplan willow_flightplan_default(void)
{
    return (willow_flightplan){.struct_size = sizeof(willow_flightplan)};
}

/* The body, if it can have a plan; NULL with a message if not. */
static wi_body *get_body(willow_world *world, willow_body_id id, willow_result *result)
{
    wi_body *body;
    *result = wi_body_get_whole(world, id, &body);
    if (body == NULL || body->geometry->mesh.motion != WI_MOTION_BORROWED) return body;
    *result = wi_fail(&world->message, WILLOW_BAD_ARGUMENT,
                      "the body borrows its vertices: it cannot have a flight plan");
    return NULL;
}

/* BAD_MESH unless all of these numbers are finite. */
static willow_result check_vectors(willow_world *world, const wi_body *body, wi_source source,
                                   uint32_t first, uint32_t count, const char *what)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!wi_mesh_has_vertex(&body->geometry->mesh, first + i)) continue;
        const float *p = wi_source_at(source, i);
        if (wi_finite_test(p) != 0.0F)
            return wi_fail(&world->message, WILLOW_BAD_MESH,
                           "the %s of vertex %u is (%g, %g, %g): not finite", what, first + i,
                           (double)p[0], (double)p[1], (double)p[2]);
    }
    return WILLOW_OK;
}

/* What a call changes in the path of each of its vertices. */
typedef struct change {
    wi_source velocities;    /* NULL: as it is */
    wi_source accelerations; /* NULL: none */
} change;

static void change_path(wi_body *body, const wi_moment *now, uint32_t vertex, const float *velocity,
                        const float *acceleration)
{
    wi_mesh *mesh = &body->geometry->mesh;
    if (!wi_mesh_stands_for_itself(mesh, vertex)) return;
    const uint32_t place = mesh->place[vertex];
    WI_ASSERT(vertex < mesh->vertex_count && place < mesh->vertex_count);
    wi_path path = wi_plan_path_from(wi_mesh_plan(mesh), now, place);
    for (int axis = 0; axis < 3; axis++) {
        if (velocity) path.velocity[axis] = velocity[axis];
        path.acceleration[axis] = acceleration ? acceleration[axis] : 0.0F;
    }
    wi_plan_set_path(wi_mesh_plan(mesh), place, &path);
    wi_tree_note_path(&body->geometry->tree, place);
}

/* Before paths change: nothing can fail after it. */
static bool reserve(willow_world *world, wi_body *body)
{
    return wi_tree_reserve_path_changes(&world->memory, &body->geometry->tree) &&
           wi_mesh_reserve_paths(&world->memory, &body->geometry->mesh, world->time);
}

static willow_result change_own_paths(willow_world *world, wi_body *body, uint32_t first,
                                      uint32_t count, const change *c)
{
    if (!reserve(world, body)) return wi_fail_memory(&world->message, "flight plans");
    WI_ASSERT(first + count <= body->geometry->mesh.vertex_count);
    const wi_moment now = wi_plan_moment(wi_mesh_plan(&body->geometry->mesh), world->time);
    for (uint32_t i = 0; i < count; i++)
        change_path(body, &now, first + i,
                    c->velocities.positions ? wi_source_at(c->velocities, i) : NULL,
                    c->accelerations.positions ? wi_source_at(c->accelerations, i) : NULL);
    body->geometry->mesh.stored = WI_STORED_OLD;
    wi_body_touch(world, body);
    return WILLOW_OK;
}

static willow_result change_paths(willow_world *world, wi_body *body, uint32_t first,
                                  uint32_t count, const change *c)
{
    wi_owning own;
    if (!wi_body_begin_own(world, body, &own)) return WILLOW_OUT_OF_MEMORY;
    return wi_body_end_own(world, body, &own, change_own_paths(world, body, first, count, c));
}

static willow_result set_vectors(willow_world *world, willow_body_id id, uint32_t first,
                                 uint32_t count, const void *vectors, size_t stride,
                                 bool are_velocities)
{
    willow_result result;
    wi_body *body = get_body(world, id, &result);
    if (body == NULL) return result;
    result = wi_body_check_vertices(world, body, first, count, vectors, stride);
    if (result != WILLOW_OK || count == 0) return result;
    const wi_source source = {vectors, stride != 0 ? stride : 3 * sizeof(float)};
    result = check_vectors(world, body, source, first, count,
                           are_velocities ? "velocity" : "acceleration");
    if (result != WILLOW_OK) return result;
    change c = {{NULL, 0}, {NULL, 0}};
    *(are_velocities ? &c.velocities : &c.accelerations) = source;
    return change_paths(world, body, first, count, &c);
}

willow_result willow_body_set_velocities(willow_world *world, willow_body_id id, uint32_t first,
                                         uint32_t count, const void *velocities, size_t stride)
{
    return set_vectors(world, id, first, count, velocities, stride, true);
}

willow_result willow_body_set_accelerations(willow_world *world, willow_body_id id, uint32_t first,
                                            uint32_t count, const void *accelerations,
                                            size_t stride)
{
    return set_vectors(world, id, first, count, accelerations, stride, false);
}

willow_result willow_body_set_vertex_plan(willow_world *world, willow_body_id id, uint32_t vertex,
                                          const willow_vertex_plan *plan)
{
    willow_result result;
    wi_body *body = get_body(world, id, &result);
    if (body == NULL) return result;
    if (plan == NULL) return wi_fail(&world->message, WILLOW_BAD_ARGUMENT, "there is no plan");
    const change c = {{(const char *)&plan->velocity, 0}, {(const char *)&plan->acceleration, 0}};
    result = wi_body_check_vertices(world, body, vertex, 1, plan, 0);
    if (result == WILLOW_OK)
        result = check_vectors(world, body, c.velocities, vertex, 1, "velocity");
    if (result == WILLOW_OK)
        result = check_vectors(world, body, c.accelerations, vertex, 1, "acceleration");
    return result == WILLOW_OK ? change_paths(world, body, vertex, 1, &c) : result;
}

willow_result wi_body_put_vertices(willow_world *world, wi_body *body, uint32_t first,
                                   uint32_t count, wi_source source)
{
    wi_mesh *mesh = &body->geometry->mesh;
    willow_result result = wi_mesh_check_positions(mesh, source, first, count, &world->message);
    if (result != WILLOW_OK) return result;
    if (!reserve(world, body)) return wi_fail_memory(&world->message, "flight plans");
    for (uint32_t i = 0; i < count; i++) {
        if (!wi_mesh_stands_for_itself(mesh, first + i)) continue;
        const uint32_t place = mesh->place[first + i];
        WI_ASSERT(wi_mesh_has_paths(mesh) && place < mesh->vertex_count);
        const wi_path path = wi_path_standing(wi_source_at(source, i), world->time);
        wi_plan_set_path(wi_mesh_plan(mesh), place, &path);
        wi_tree_note_path(&body->geometry->tree, place);
    }
    mesh->stored = WI_STORED_OLD;
    return WILLOW_OK;
}

static willow_result begin_plan(willow_world *world, wi_body *body, const willow_flightplan *def)
{
    wi_plan plan;
    const willow_result result = wi_plan_make(
        &world->memory, def, body->geometry->mesh.vertex_count, body->geometry->mesh.place,
        body->geometry->mesh.stand_in, &world->message, &plan);
    if (result != WILLOW_OK) return result;
    if (!wi_mesh_begin_plan(&world->memory, &body->geometry->mesh, &plan, world->time))
        return wi_fail_memory(&world->message, "flight plans");
    wi_tree_forget_paths(&body->geometry->tree);
    wi_body_touch(world, body);
    return WILLOW_OK;
}

willow_result willow_body_set_flightplan(willow_world *world, willow_body_id id,
                                         const willow_flightplan *def)
{
    willow_result result;
    wi_owning own;
    wi_body *body = get_body(world, id, &result);
    if (body == NULL) return result;
    if (def == NULL || def->struct_size != sizeof *def)
        return wi_fail(&world->message, WILLOW_BAD_ARGUMENT,
                       "the flight plan was not made by willow_flightplan_default");
    if (!wi_body_begin_own(world, body, &own)) return WILLOW_OUT_OF_MEMORY;
    return wi_body_end_own(world, body, &own, begin_plan(world, body, def));
}
