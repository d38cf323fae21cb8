/* deformation.c - deformations of bodies that only their users know come, change and are checked.
 * As everywhere here, the update does the rest. */
#include <string.h>

#include "base/check.h"
#include "update/blend/user_bounds.h"
#include "world/world.h"

willow_deformation willow_deformation_default(void)
{
    return (willow_deformation){.struct_size = sizeof(willow_deformation)};
}

/* What is known of the vertices of now is of no use in the next update. */
static void note_change(willow_world *world, wi_body *body)
{
    body->geometry->known = WI_KNOWN_NOTHING;
    wi_body_touch(world, body);
}

static willow_result check_def(willow_world *world, const wi_body *body,
                               const willow_deformation *def)
{
    if (body->geometry->mesh.motion == WI_MOTION_BORROWED)
        return wi_fail(&world->message, WILLOW_BAD_ARGUMENT,
                       "the body borrows its vertices: it cannot be deformed");
    if (def->struct_size != sizeof *def)
        return wi_fail(&world->message, WILLOW_BAD_ARGUMENT,
                       "the deformation was not made by willow_deformation_default");
    if (def->position == NULL)
        return wi_fail(&world->message, WILLOW_BAD_ARGUMENT,
                       "the deformation has no function for positions");
    return WILLOW_OK;
}

static willow_result begin(willow_world *world, wi_body *body)
{
    wi_mesh *mesh = &body->geometry->mesh;
    wi_user_motion *user = wi_user_motion_make(&world->memory, mesh->vertex_count);
    if (user == NULL) return wi_fail_memory(&world->message, "a rest shape");
    if (wi_mesh_is_live(mesh)) wi_mesh_store_plan(mesh, world->kernel);
    user->number = ++body->geometry->morphs;
    wi_mesh_begin_user(&world->memory, mesh, user);
    wi_tree_forget_paths(&body->geometry->tree);
    return WILLOW_OK;
}

static void end(willow_world *world, wi_body *body)
{
    if (body->geometry->mesh.motion != WI_MOTION_USER) return;
    wi_mesh_store_plan(&body->geometry->mesh, world->kernel);
    wi_mesh_end_motion(&world->memory, &body->geometry->mesh);
    note_change(world, body);
}

static willow_result put_on(willow_world *world, wi_body *body, const willow_deformation *def)
{
    if (body->geometry->mesh.motion != WI_MOTION_USER) {
        const willow_result result = begin(world, body);
        if (result != WILLOW_OK) return result;
    }
    wi_mesh_user(&body->geometry->mesh)->hook = *def;
    body->geometry->mesh.stored = WI_STORED_OLD;
    note_change(world, body);
    return WILLOW_OK;
}

willow_result willow_body_set_deformation(willow_world *world, willow_body_id id,
                                          const willow_deformation *def)
{
    wi_body *body;
    willow_result result = wi_body_get_whole(world, id, &body);
    if (result != WILLOW_OK) return result;
    if (def == NULL) {
        end(world, body);
        return WILLOW_OK;
    }
    wi_owning own;
    result = check_def(world, body, def);
    if (result != WILLOW_OK) return result;
    if (!wi_body_begin_own(world, body, &own)) return WILLOW_OUT_OF_MEMORY;
    return wi_body_end_own(world, body, &own, put_on(world, body, def));
}

willow_result willow_body_touch_deformation(willow_world *world, willow_body_id id)
{
    wi_body *body;
    willow_result result = wi_body_get_whole(world, id, &body);
    if (result != WILLOW_OK) return result;
    if (body->geometry->mesh.motion != WI_MOTION_USER)
        return wi_fail(&world->message, WILLOW_BAD_ARGUMENT, "the body has no deformation");
    body->geometry->mesh.stored = WI_STORED_OLD;
    note_change(world, body);
    return WILLOW_OK;
}

/* ---- the checker ---- */

static willow_vec3 ask(const wi_mesh *mesh, uint32_t vertex)
{
    WI_ASSERT(vertex < mesh->vertex_count);
    const wi_user_motion *user = wi_mesh_user(mesh);
    const float *rest = user->rest[mesh->place[vertex]];
    return user->hook.position(user->hook.context, vertex,
                               (willow_vec3){rest[0], rest[1], rest[2]});
}

static bool is_same(willow_vec3 a, willow_vec3 b) { return memcmp(&a, &b, sizeof a) == 0; }

/* Against itself, and against what the update has stored, if it has. */
static willow_deformation_fault check_vertex(const wi_mesh *mesh, uint32_t vertex, willow_vec3 *at)
{
    const willow_vec3 p = *at = ask(mesh, vertex);
    const float axes[3] = {p.x, p.y, p.z};
    if (wi_finite_test(axes) != 0.0F) return WILLOW_DEFORMATION_NOT_FINITE;
    if (!is_same(p, ask(mesh, vertex))) return WILLOW_DEFORMATION_CHANGES;
    const float *stored = wi_mesh_is_live(mesh) ? axes : wi_mesh_position(mesh, vertex);
    return memcmp(stored, axes, sizeof axes) == 0 ? WILLOW_DEFORMATION_KEPT
                                                  : WILLOW_DEFORMATION_CHANGES;
}

static void check_vertices(const wi_mesh *mesh, willow_deformation_report *out)
{
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++) {
        if (!wi_mesh_stands_for_itself(mesh, vertex)) continue;
        out->vertices_checked++;
        out->fault = check_vertex(mesh, vertex, &out->position);
        out->vertex = vertex;
        if (out->fault != WILLOW_DEFORMATION_KEPT) return;
    }
}

static bool is_box(const willow_box *b)
{
    return b->lower.x <= b->upper.x && b->lower.y <= b->upper.y && b->lower.z <= b->upper.z;
}

static bool is_inside(const willow_box *b, willow_vec3 p)
{
    return b->lower.x <= p.x && p.x <= b->upper.x && b->lower.y <= p.y && p.y <= b->upper.y &&
           b->lower.z <= p.z && p.z <= b->upper.z;
}

static void check_part(const wi_tree *h, uint32_t number, willow_deformation_report *out)
{
    WI_ASSERT(number > 0 && number < h->shape->node_count + h->shape->leaf_count);
    const willow_deformation *hook = &wi_mesh_user(h->mesh)->hook;
    const willow_part part = wi_user_bounds_part(h, number);
    out->parts_checked++;
    out->node = number;
    out->vertex = UINT32_MAX;
    out->box = hook->bound(hook->context, &part);
    if (!is_box(&out->box)) out->fault = WILLOW_DEFORMATION_NOT_A_BOX;
    for (uint32_t i = 0; i < part.vertex_count && out->fault == WILLOW_DEFORMATION_KEPT; i++) {
        out->vertex = part.vertices[i];
        out->position = ask(h->mesh, out->vertex);
        if (!is_inside(&out->box, out->position)) out->fault = WILLOW_DEFORMATION_NOT_INSIDE;
    }
}

/* The root is not asked for: its box is that of its children. */
static void check_parts(const wi_tree *h, willow_deformation_report *out)
{
    const uint32_t count = wi_user_bounds_part_count(h);
    for (uint32_t i = 1; i < count && out->fault == WILLOW_DEFORMATION_KEPT; i++)
        check_part(h, i, out);
}

/* Now, or at the end of the step. */
static void check_state(const wi_mesh *mesh, const wi_tree *h, willow_deformation_report *out)
{
    check_vertices(mesh, out);
    if (out->fault == WILLOW_DEFORMATION_KEPT && wi_user_bounds_part_count(h) > 0)
        check_parts(h, out);
}

willow_result willow_body_check_deformation(const willow_world *world, willow_body_id id,
                                            willow_deformation_report *out)
{
    const wi_body *body = wi_body_find(world, id);
    if (body == NULL) return WILLOW_BAD_HANDLE;
    if (out == NULL || wi_body_is_light(body) || body->geometry->mesh.motion != WI_MOTION_USER)
        return WILLOW_BAD_ARGUMENT;
    if (body->state >= WI_BODY_DIRTY || body->needs_step_end) return WILLOW_STALE;
    willow_deformation_report report = {.vertex = UINT32_MAX, .node = UINT32_MAX};
    check_state(&body->geometry->mesh, &body->geometry->tree, &report);
    if (report.fault == WILLOW_DEFORMATION_KEPT && body->more->trial.bend == WI_BEND_CONTEXT) {
        report.is_target = true;
        check_state(&body->more->step_end->mesh, &body->more->step_end->h, &report);
    }
    if (report.fault == WILLOW_DEFORMATION_KEPT) {
        report.is_target = false;
        report.vertex = report.node = UINT32_MAX;
        report.position = (willow_vec3){0};
        report.box = (willow_box){0};
    }
    *out = report;
    return WILLOW_OK;
}
