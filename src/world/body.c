/* body.c - bodies come, move, change and go. Everything here only notes what changed; the update
 * does the rest. */
#include "base/check.h"
#include "mesh/edits.h"
#include "mesh/owners.h"
#include "tree/linked/links.h"
#include "world/world.h"

willow_body_def willow_body_def_default(void)
{
    return (willow_body_def){.struct_size = sizeof(willow_body_def),
                             .pose = willow_pose_identity(),
                             .tree = willow_tree_def_default(),
                             .category_bits = 1,
                             .mask_bits = UINT64_MAX};
}

wi_body *wi_body_get(const willow_world *world, willow_body_id id, wi_message *message)
{
    wi_message_clear(message);
    if (id.index1 == 0)
        (void)wi_fail(message, WILLOW_BAD_HANDLE, "the null body");
    else if (id.world != world->number)
        (void)wi_fail(message, WILLOW_BAD_HANDLE, "body %u is of another world", id.index1);
    else if (!wi_id_pool_has(&world->ids, id.index1 - 1, id.generation))
        (void)wi_fail(message, WILLOW_BAD_HANDLE, "body %u is gone", id.index1);
    else {
        WI_ASSERT(id.index1 - 1 < world->bodies.count &&
                  world->bodies.items[id.index1 - 1] != NULL);
        return world->bodies.items[id.index1 - 1];
    }
    return NULL;
}

const wi_body *wi_body_find(const willow_world *world, willow_body_id id)
{
    wi_message silent = {0};
    return wi_body_get(world, id, &silent);
}

/* A trial step begins where the body is, so it ends when that changes. */
static void end_trial(willow_world *world, wi_body *body)
{
    wi_body_raise(body, WI_BODY_MOVED);
    if (wi_body_is_light(body)) return;
    wi_trial_end(&body->more->trial);
    if (body->more->step_end) wi_step_end_drop(&world->memory, body->more->step_end);
    body->needs_step_end = false;
}

static void touch_pose(willow_world *world, wi_body *body)
{
    end_trial(world, body);
    world->is_stale = true;
}

void wi_body_put(willow_world *world, wi_body *body, const willow_pose *pose)
{
    body->shown.pose = *pose;
    if (!wi_body_is_light(body)) wi_mesh_set_pose(&body->geometry->mesh, pose, &body->more->placed);
    end_trial(world, body);
}

/* The tree, but nothing that the user would see. */
static void touch_tree(willow_world *world, wi_body *body)
{
    wi_body_raise(body, WI_BODY_DIRTY);
    world->is_stale = true;
}

void wi_body_touch(willow_world *world, wi_body *body)
{
    wi_body_raise(body, WI_BODY_DIRTY);
    touch_pose(world, body);
}

static void free_more(willow_world *world, wi_body *body)
{
    wi_body_more *more = body->more;
    if (more == NULL) return; /* another body has it by now */
    wi_step_end_free(&world->memory, more->step_end);
    wi_trial_free(&world->memory, &more->trial);
    wi_loose_forget(world, body);
    wi_free(&world->memory, more, sizeof *more);
}

void wi_body_free(willow_world *world, wi_body *body)
{
    if (wi_body_is_light(body)) {
        wi_light_free(world, body);
    } else {
        free_more(world, body);
        wi_geometry_release(&world->memory, body->geometry);
    }
    wi_free(&world->memory, body, sizeof *body);
}

bool wi_bodies_reserve(willow_world *world, uint32_t count)
{
    return wi_id_pool_reserve(&world->memory, &world->ids, count) &&
           wi_array_reserve(&world->memory, &world->bodies, world->bodies.count + count);
}

void wi_body_enter(willow_world *world, wi_body *body)
{
    uint32_t index = wi_id_pool_take(&world->ids);
    if (index == world->bodies.count) world->bodies.items[world->bodies.count++] = NULL;
    WI_ASSERT(index < world->bodies.count && world->bodies.items[index] == NULL);
    body->shown.id =
        (willow_body_id){index + 1, world->number, wi_id_pool_generation(&world->ids, index)};
    world->bodies.items[index] = body;
    world->body_count++;
    wi_target_tree_note_others(world);
    touch_pose(world, body);
}

willow_result wi_check_pose(wi_message *message, const willow_pose *pose)
{
    const willow_quat *q = &pose->rotation;
    if (wi_pose_is_valid(pose)) return WILLOW_OK;
    bool is_zero = q->x == 0.0F && q->y == 0.0F && q->z == 0.0F && q->w == 0.0F;
    return wi_fail(message, WILLOW_BAD_ARGUMENT,
                   is_zero ? "the rotation of the pose is zero; without one it is (0, 0, 0, 1)"
                           : "the pose is not finite");
}

/* Takes the geometry over, also where there is no memory. */
static willow_result give_geometry(willow_world *world, wi_body *body, wi_geometry *geometry,
                                   wi_message *message)
{
    wi_body_more *more = wi_alloc(&world->memory, sizeof *more);
    if (more == NULL) {
        wi_geometry_release(&world->memory, geometry);
        return wi_fail_memory(message, "a body");
    }
    wi_body_give_geometry(body, geometry, more);
    return WILLOW_OK;
}

/* A body whose geometry is to be that of another. Pairs within a body need lists that the other may
 * not have: then it is a copy from the beginning. */
static willow_result share_geometry(willow_world *world, const willow_body_def *def,
                                    wi_message *message, wi_body *body)
{
    wi_body *from = wi_body_get(world, def->share, message);
    if (from == NULL) return WILLOW_BAD_HANDLE;
    if (wi_body_lender(from) == NULL && !wi_body_make_whole(world, from))
        return wi_fail_memory(message, "a geometry to share");
    wi_geometry *geometry = wi_body_lender(from) ? wi_body_lender(from) : from->geometry;
    if (!wi_geometry_can_lend(geometry))
        return wi_fail(
            message, WILLOW_UNSUPPORTED,
            "body %u cannot be shared: its vertices are not simply set, or some are removed",
            def->share.index1);
    const bool is_copy = def->self && !geometry->tree.is_self;
    const wi_body_state state =
        !is_copy && from->state < WI_BODY_DIRTY ? WI_BODY_MOVED : WI_BODY_UNBUILT;
    if (!def->self && wi_geometry_can_lend_lightly(geometry)) {
        wi_body_become_lent(body, geometry, state);
        return WILLOW_OK;
    }
    wi_geometry *own = is_copy ? wi_geometry_copy(&world->memory, geometry)
                               : wi_geometry_borrow(&world->memory, geometry);
    if (own == NULL) return wi_fail_memory(message, "a body");
    if (is_copy) own->tree.is_self = true;
    body->state = (uint8_t)state;
    return give_geometry(world, body, own, message);
}

static willow_result make_geometry(willow_world *world, const willow_body_def *def,
                                   wi_message *message, wi_body *body)
{
    wi_geometry *geometry;
    if (def->share.index1 != 0) return share_geometry(world, def, message, body);
    willow_result result = wi_body_become_small(world, body, def);
    if (result == WILLOW_OUT_OF_MEMORY) return wi_fail_memory(message, "a body");
    if (result == WILLOW_OK) return WILLOW_OK;
    result = wi_geometry_create(&world->memory, def, message, &geometry);
    return result == WILLOW_OK ? give_geometry(world, body, geometry, message) : result;
}

static willow_result fill_body(willow_world *world, const willow_body_def *def, wi_message *message,
                               wi_body *body)
{
    *body = (wi_body){.shown = {.pose = def->pose,
                                .category_bits = def->category_bits,
                                .mask_bits = def->mask_bits,
                                .user_data = def->user_data,
                                .thickness = def->thickness,
                                .self = def->self},
                      .state = WI_BODY_UNBUILT};
    willow_result result = wi_check_pose(message, &def->pose);
    if (result == WILLOW_OK) result = wi_check_thickness(message, def->thickness);
    return result == WILLOW_OK ? make_geometry(world, def, message, body) : result;
}

willow_result wi_body_make(willow_world *world, const willow_body_def *def, wi_message *message,
                           wi_body **out)
{
    *out = NULL;
    if (def == NULL || def->struct_size != sizeof *def || def->tree.struct_size != sizeof def->tree)
        return wi_fail(message, WILLOW_BAD_ARGUMENT,
                       "the body def was not made by willow_body_def_default");
    wi_body *body = wi_alloc(&world->memory, sizeof *body);
    if (body == NULL) return wi_fail_memory(message, "a body");
    const willow_result result = fill_body(world, def, message, body);
    if (result == WILLOW_OK)
        *out = body;
    else
        wi_free(&world->memory, body, sizeof *body);
    return result;
}

willow_result willow_body_create(willow_world *world, const willow_body_def *def,
                                 willow_body_id *out)
{
    wi_body *body;
    wi_message_clear(&world->message);
    if (out == NULL) return wi_fail(&world->message, WILLOW_BAD_ARGUMENT, "no place for the id");
    *out = (willow_body_id){0};
    if (!wi_bodies_reserve(world, 1)) return wi_fail_memory(&world->message, "a body");
    const willow_result result = wi_body_make(world, def, &world->message, &body);
    if (result != WILLOW_OK) return result;
    wi_body_enter(world, body);
    *out = body->shown.id;
    return WILLOW_OK;
}

/* Others have the geometry of a body that goes, which one of them may have to look after. */
static void leave_lent(willow_world *world, wi_body *body)
{
    wi_geometry *geometry = body->geometry;
    wi_body_more *more = body->more;
    wi_step_end_free(&world->memory, more->step_end); /* which is about this geometry */
    wi_trial_free(&world->memory, &more->trial);
    wi_loose_forget(world, body);
    more->step_end = NULL;
    geometry->users++; /* until the body is freed */
    wi_body_leave_geometry(world, body, geometry, (wi_body_state)body->state, &body->more);
}

void wi_body_leave(willow_world *world, wi_body *body)
{
    const uint32_t index = body->shown.id.index1 - 1;
    WI_ASSERT(world->body_count > 0 && world->bodies.items[index] == body);
    wi_id_pool_give(&world->ids, index);
    world->bodies.items[index] = NULL;
    world->body_count--;
    world->is_stale = true;
    wi_target_tree_note_others(world);
    if (!wi_body_is_light(body) && body->geometry->lender == NULL && body->geometry->users > 1)
        leave_lent(world, body);
    wi_body_free(world, body);
}

willow_result willow_body_destroy(willow_world *world, willow_body_id id)
{
    wi_body *body = wi_body_get(world, id, &world->message);
    if (body == NULL) return WILLOW_BAD_HANDLE;
    wi_body_leave(world, body);
    return WILLOW_OK;
}

bool willow_body_is_alive(const willow_world *world, willow_body_id id)
{
    return wi_body_find(world, id) != NULL;
}

void wi_body_drop_tree(willow_world *world, wi_body *body)
{
    wi_keeper_free(&world->memory, &body->geometry->tree, &body->geometry->tree.keeper);
    body->geometry->tree.survey = (wi_survey){0};
    wi_geometry_forget_edits(body->geometry);
    wi_inherited_free(&world->memory, &body->geometry->inherited);
    wi_body_raise(body, WI_BODY_UNBUILT);
    touch_tree(world, body);
}

willow_result willow_body_set_tree(willow_world *world, willow_body_id id,
                                   const willow_tree_def *tree)
{
    wi_body *body;
    willow_result result = wi_body_get_whole(world, id, &body);
    if (result != WILLOW_OK) return result;
    if (tree == NULL || tree->struct_size != sizeof *tree)
        return wi_fail(&world->message, WILLOW_BAD_ARGUMENT,
                       "the tree def was not made by willow_tree_def_default");
    willow_tree_def resolved = *tree;
    result = wi_tree_def_resolve(&resolved, &world->message);
    if (result != WILLOW_OK) return result;
    wi_owning own;
    if (!wi_body_begin_own(world, body, &own)) return WILLOW_OUT_OF_MEMORY;
    body->geometry->wanted = resolved;
    wi_body_drop_tree(world, body);
    return wi_body_end_own(world, body, &own, WILLOW_OK);
}

willow_result willow_body_set_pose(willow_world *world, willow_body_id id, const willow_pose *pose)
{
    wi_body *body = wi_body_get(world, id, &world->message);
    if (body == NULL) return WILLOW_BAD_HANDLE;
    if (pose == NULL) return wi_fail(&world->message, WILLOW_BAD_ARGUMENT, "there is no pose");
    willow_result result = wi_check_pose(&world->message, pose);
    if (result != WILLOW_OK) return result;
    wi_body_put(world, body, pose);
    world->is_stale = true;
    return WILLOW_OK;
}

/* The hierarchy has sets of groups of its own: with them or not at all. Queries wait for the next
 * update, so what they see does not change before it. */
static willow_result set_masks(willow_world *world, wi_body *body, const uint64_t *masks,
                               uint32_t count)
{
    wi_group_masks old = body->geometry->mesh.masks, next;
    willow_result result = wi_group_masks_copy(&world->memory, &body->geometry->mesh, masks, count,
                                               &world->message, &next);
    if (result != WILLOW_OK) return result;
    next.changes = old.changes + 1;
    body->geometry->mesh.masks = next;
    if (!wi_group_sets_make(&world->memory, &body->geometry->tree)) {
        body->geometry->mesh.masks = old;
        wi_group_masks_free(&world->memory, &next);
        return wi_fail_memory(&world->message, "sets of groups");
    }
    wi_group_masks_free(&world->memory, &old);
    wi_owners_forget(&world->memory, &body->geometry->mesh);
    if (body->more->step_end) wi_step_end_drop(&world->memory, body->more->step_end);
    body->needs_step_end = true; /* one has the masks and sets of its body */
    world->is_stale = true;
    return WILLOW_OK;
}

willow_result willow_body_set_group_masks(willow_world *world, willow_body_id id,
                                          const uint64_t *masks, uint32_t count)
{
    wi_owning own;
    wi_body *body;
    willow_result result = wi_body_get_whole(world, id, &body);
    if (result != WILLOW_OK) return result;
    if (!wi_body_begin_own(world, body, &own)) return WILLOW_OUT_OF_MEMORY;
    return wi_body_end_own(world, body, &own, set_masks(world, body, masks, count));
}

willow_result wi_body_check_vertices(willow_world *world, const wi_body *body, uint32_t first,
                                     uint32_t count, const void *positions, size_t stride)
{
    uint32_t has = body->geometry->mesh.vertex_count;
    if (first > has || count > has - first)
        return wi_fail(&world->message, WILLOW_BAD_ARGUMENT,
                       "%u vertices from %u on; the mesh has %u", count, first, has);
    if (count > 0 && (positions == NULL || (uintptr_t)positions % sizeof(float) != 0))
        return wi_fail(&world->message, WILLOW_BAD_ARGUMENT, "positions are %s",
                       positions ? "not aligned to 4 bytes" : "NULL");
    if (stride != 0 && (stride < 3 * sizeof(float) || stride % sizeof(float) != 0))
        return wi_fail(&world->message, WILLOW_BAD_ARGUMENT,
                       "a stride of %zu bytes: it must be a multiple of 4 and at least 12", stride);
    return WILLOW_OK;
}

/* In the order of the tree, bounding it on the way. */
static willow_result take_in_tree_order(willow_world *world, wi_body *body, wi_source source)
{
    const wi_method_ops *ops = wi_method_ops_for(body->geometry->wanted.method);
    if (!ops->take(world->kernel, &world->tasks, &body->geometry->tree, &body->geometry->mesh,
                   source))
        return wi_mesh_fail_position(&body->geometry->mesh, source, 0,
                                     body->geometry->mesh.vertex_count, &world->message);
    wi_mesh_commit_staged(&body->geometry->mesh);
    return WILLOW_OK;
}

/* The tree will be kept in the next update as it is, so what is known of it now is of use then: a
 * linked tree is bounded in the order of its leaves, which have no order of places. What is
 * stored of a live mesh is old: where positions are refused, its boxes could not be computed again.
 */
static bool keeps_tree(const wi_body *body)
{
    return body->state < WI_BODY_UNBUILT && body->geometry->tree.boxes.nodes &&
           !wi_shape_is_linked(body->geometry->tree.shape) &&
           !wi_shape_is_grown(body->geometry->tree.shape) && !body->geometry->is_edited &&
           !wi_mesh_is_live(&body->geometry->mesh) &&
           wi_method_ops_for(body->geometry->wanted.method)->take;
}

static willow_result set_all(willow_world *world, wi_body *body, wi_source source)
{
    WI_ASSERT(body->geometry->mesh.borrowed == NULL);
    const bool in_tree_order = keeps_tree(body);
    willow_result result = in_tree_order
                               ? take_in_tree_order(world, body, source)
                               : wi_mesh_take_all(&body->geometry->mesh, source, &world->message);
    if (result != WILLOW_OK) return result;
    /* From where the call before left the vertices: it must have been measured, too. */
    const bool is_measured =
        body->state < WI_BODY_DIRTY || body->geometry->known == WI_KNOWN_MEASURED;
    body->geometry->known = !in_tree_order ? WI_KNOWN_NOTHING
                            : is_measured  ? WI_KNOWN_MEASURED
                                           : WI_KNOWN_BOUNDED;
    wi_mesh_end_motion(&world->memory, &body->geometry->mesh);
    wi_tree_forget_paths(
        &body->geometry->tree); /* a plan that comes before the update is another one */
    return WILLOW_OK;
}

/* A few vertices are noted one by one, unless more has changed already. */
static willow_result set_some(willow_world *world, wi_body *body, uint32_t first, uint32_t count,
                              wi_source source)
{
    enum { FEW = 4 }; /* part of all */
    WI_ASSERT(!wi_mesh_is_computed(&body->geometry->mesh) &&
              count < body->geometry->mesh.vertex_count);
    const bool is_partial =
        keeps_tree(body) &&
        (body->state < WI_BODY_DIRTY || body->geometry->known == WI_KNOWN_PARTIAL) &&
        count <= body->geometry->mesh.vertex_count / FEW;
    if (is_partial && !wi_moved_vertices_make(&world->memory, &body->geometry->tree))
        return wi_fail_memory(&world->message, "the vertices moved");
    willow_result result =
        wi_mesh_take_range(&body->geometry->mesh, first, count, source, &world->message);
    if (result != WILLOW_OK) return result;
    if (is_partial) wi_tree_move_vertices(&body->geometry->tree, first, count);
    body->geometry->known = is_partial ? WI_KNOWN_PARTIAL : WI_KNOWN_NOTHING;
    return WILLOW_OK;
}

willow_result willow_body_set_vertices(willow_world *world, willow_body_id id, uint32_t first,
                                       uint32_t count, const void *positions, size_t stride)
{
    wi_body *body;
    willow_result result = wi_body_get_whole(world, id, &body);
    if (result != WILLOW_OK) return result;
    if (body->geometry->mesh.motion == WI_MOTION_BORROWED)
        return wi_fail(&world->message, WILLOW_BAD_ARGUMENT,
                       "the body borrows its vertices: write there, after begin_vertices");
    result = wi_body_check_vertices(world, body, first, count, positions, stride);
    const bool is_all = count == body->geometry->mesh.vertex_count; /* also where there are none */
    if (result != WILLOW_OK || (count == 0 && !is_all)) return result;
    wi_source source = {positions, stride != 0 ? stride : 3 * sizeof(float)};
    wi_owning own;
    if (!wi_body_begin_own(world, body, &own)) return WILLOW_OUT_OF_MEMORY;
    if (is_all)
        result = set_all(world, body, source);
    else if (wi_mesh_has_shapes(&body->geometry->mesh))
        result = wi_body_leave_morph(world, body, first, count, source);
    else if (wi_mesh_has_paths(&body->geometry->mesh))
        result = wi_body_put_vertices(world, body, first, count, source);
    else
        result = set_some(world, body, first, count, source);
    if (result == WILLOW_OK) wi_body_touch(world, body);
    return wi_body_end_own(world, body, &own, result);
}

willow_result willow_body_begin_vertices(willow_world *world, willow_body_id id)
{
    wi_body *body;
    willow_result result = wi_body_get_whole(world, id, &body);
    if (result != WILLOW_OK) return result;
    if (body->geometry->mesh.motion != WI_MOTION_BORROWED)
        return wi_fail(&world->message, WILLOW_BAD_ARGUMENT,
                       "the body does not borrow its vertices: use set_vertices");
    body->geometry->known = WI_KNOWN_NOTHING;
    wi_body_touch(world, body);
    return WILLOW_OK;
}

willow_result willow_body_get_info(const willow_world *world, willow_body_id id,
                                   willow_body_info *out)
{
    const wi_body *body = wi_body_find(world, id);
    if (body == NULL) return WILLOW_BAD_HANDLE;
    if (out == NULL) return WILLOW_BAD_ARGUMENT;
    wi_instance room;
    const wi_tree *h = wi_body_see_tree(body, &room);
    const wi_mesh *mesh = h->mesh;
    const bool is_light = wi_body_is_light(body);
    const bool has_morph = wi_mesh_has_morph(mesh);
    const bool has_skin = mesh->motion == WI_MOTION_SKIN;
    const wi_box bounds = is_light ? wi_target_bounds(world, body) : h->boxes.world_bounds;
    *out =
        (willow_body_info){.vertex_count = mesh->vertex_count,
                           .triangle_count = mesh->tri_count,
                           .removed_vertex_count = wi_mesh_removed_vertices(mesh),
                           .removed_triangle_count = wi_mesh_removed_tris(mesh),
                           .structure = h->shape->structure,
                           .user_data = body->shown.user_data,
                           .category_bits = body->shown.category_bits,
                           .mask_bits = body->shown.mask_bits,
                           .group_count = mesh->masks.count,
                           .tree = *wi_body_wanted(body),
                           .pose = body->shown.pose,
                           .box = wi_box_public(&bounds),
                           .thickness = body->shown.thickness,
                           .self = body->shown.self,
                           .borrows = mesh->motion == WI_MOTION_BORROWED,
                           .has_target = !is_light && wi_trial_is_set(&body->more->trial),
                           .has_loose_box = !is_light && body->more->loose != NULL,
                           .is_left = body->rests,
                           .has_plan = wi_mesh_has_paths(mesh),
                           .has_morph = has_morph,
                           .morph_target_count = has_morph ? wi_mesh_morph(mesh)->target_count : 0,
                           .has_deformation = mesh->motion == WI_MOTION_USER,
                           .has_skin = has_skin,
                           .joint_count = has_skin ? wi_mesh_skin(mesh)->joint_count : 0};
    return WILLOW_OK;
}

willow_result willow_body_copy_vertices(const willow_world *world, willow_body_id id,
                                        uint32_t first, uint32_t count, willow_vec3 *out)
{
    const wi_body *body = wi_body_find(world, id);
    if (body == NULL) return WILLOW_BAD_HANDLE;
    wi_instance room;
    const wi_mesh *mesh = wi_body_see_tree(body, &room)->mesh;
    const uint32_t has = mesh->vertex_count;
    if (first > has || count > has - first || (count > 0 && out == NULL))
        return WILLOW_BAD_ARGUMENT;
    for (uint32_t i = 0; i < count; i++) {
        float p[4] = {0};
        if (wi_mesh_has_vertex(mesh, first + i))
            wi_mesh_world_position(mesh, wi_mesh_stand_in(mesh, first + i), p);
        out[i] = (willow_vec3){p[0], p[1], p[2]};
    }
    return WILLOW_OK;
}

willow_result willow_body_copy_triangles(const willow_world *world, willow_body_id id,
                                         const willow_tri *tris, uint32_t count, willow_vec3 *out)
{
    const wi_body *body = wi_body_find(world, id);
    if (body == NULL) return WILLOW_BAD_HANDLE;
    wi_instance room;
    const wi_mesh *mesh = wi_body_see_tree(body, &room)->mesh;
    if (count > 0 && (out == NULL || (tris == NULL && count > mesh->tri_count)))
        return WILLOW_BAD_ARGUMENT;
    for (uint32_t i = 0; i < count && tris; i++)
        if (tris[i] >= mesh->tri_count || !wi_mesh_has_tri(mesh, tris[i]))
            return WILLOW_BAD_ARGUMENT;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t slot = tris ? tris[i] : i;
        const wi_tri tri = wi_mesh_has_tri(mesh, slot) ? wi_mesh_tri(mesh, slot) : (wi_tri){0};
        for (int k = 0; k < 3; k++)
            out[3 * (size_t)i + (size_t)k] =
                (willow_vec3){tri.corner[k][0], tri.corner[k][1], tri.corner[k][2]};
    }
    return WILLOW_OK;
}

size_t willow_world_copy_bodies(const willow_world *world, willow_body_id *out, size_t capacity)
{
    size_t count = 0;
    for (size_t i = 0; i < world->bodies.count; i++) {
        if (world->bodies.items[i] == NULL) continue;
        if (count < capacity) out[count] = world->bodies.items[i]->shown.id;
        count++;
    }
    return count;
}
