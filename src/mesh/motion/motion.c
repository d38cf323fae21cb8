/* motion.c - meshes whose vertices follow flight plans or joints, are sums of shapes, or where the
 * user says: how such motions begin and end, and what is the same for all of them. */
#include "mesh/motion/motion.h"

#include "base/check.h"
#include "base/kernel.h"
#include "mesh/mesh.h"

#define ENTRY(name, table) extern const wi_motion_ops wi_motion_##table;
WI_MOTIONS(ENTRY)
#undef ENTRY

const wi_motion_ops *const wi_motions[WI_MOTION_COUNT] = {
#define ENTRY(name, table) [WI_MOTION_##name] = &wi_motion_##table,
    WI_MOTIONS(ENTRY)
#undef ENTRY
};

extern wi_mesh_fill wi_mesh_fill_scalar, wi_mesh_fill_avx2;

wi_mesh_fill *wi_mesh_fill_for(willow_kernel kernel) { return WI_KERNELS_FOR(kernel, mesh_fill); }

void wi_mesh_store_plan(wi_mesh *mesh, willow_kernel kernel)
{
    wi_mesh_fill_for(kernel)(mesh, 0, mesh->vertex_count);
    mesh->stored = WI_STORED_NOW;
}

void wi_mesh_permute(wi_mesh *mesh, uint32_t first, uint32_t count, const uint32_t *moved,
                     void *scratch)
{
    const wi_motion_ops *ops = wi_mesh_motion(mesh);
    if (ops->permute) ops->permute(mesh, first, count, moved, scratch);
}

/* ---- begin and end ---- */

void wi_mesh_end_motion(wi_memory *memory, wi_mesh *mesh)
{
    if (!wi_mesh_is_computed(mesh)) return;
    wi_mesh_motion(mesh)->free(memory, mesh);
    wi_mesh_leave_motion(mesh);
}

void wi_mesh_leave_motion(wi_mesh *mesh)
{
    if (mesh->motion != WI_MOTION_BORROWED) mesh->motion = WI_MOTION_STORED;
    mesh->state.any = NULL;
    mesh->stored = WI_STORED_NOW;
}

/* A copy of a state in memory of its own; NULL if there is none. */
static void *copy_state(wi_memory *memory, const void *state, size_t size)
{
    void *copy = wi_alloc(memory, size);
    if (copy) memcpy(copy, state, size);
    return copy;
}

bool wi_mesh_begin_plan(wi_memory *memory, wi_mesh *mesh, wi_plan *plan, double now)
{
    WI_ASSERT(mesh->motion != WI_MOTION_BORROWED);
    plan->now = wi_plan_moment(plan, now);
    wi_plan *state = copy_state(memory, plan, sizeof *plan);
    if (state == NULL) {
        wi_plan_free(memory, plan);
        return false;
    }
    wi_mesh_end_motion(memory, mesh);
    mesh->state.plan = state;
    mesh->motion = WI_MOTION_PLAN;
    mesh->stored = WI_STORED_OLD;
    return true;
}

/* Paths that stand where vertices are, not rounded. */
static void stand(const wi_mesh *mesh, double now, wi_plan *plan)
{
    const wi_path nowhere = {.since = now}; /* places that merged vertices leave have no position */
    for (uint32_t place = 0; place < mesh->vertex_count; place++)
        wi_plan_set_path(plan, place, &nowhere);
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++) {
        if (!wi_mesh_stands_for_itself(mesh, vertex)) continue;
        wi_path path = {.since = now};
        wi_mesh_model64(mesh, vertex, path.start);
        wi_plan_set_path(plan, mesh->place[vertex], &path);
    }
}

bool wi_mesh_reserve_paths(wi_memory *memory, wi_mesh *mesh, double now)
{
    if (mesh->motion == WI_MOTION_PLAN)
        return wi_plan_reserve_paths(memory, mesh->vertex_count, mesh->state.plan);
    wi_plan plan = {0};
    if (!wi_plan_reserve_paths(memory, mesh->vertex_count, &plan)) {
        wi_plan_free(memory, &plan);
        return false;
    }
    stand(mesh, now, &plan);
    return wi_mesh_begin_plan(memory, mesh, &plan, now);
}

bool wi_mesh_begin_morph(wi_memory *memory, wi_mesh *mesh, wi_morph *morph)
{
    WI_ASSERT(mesh->motion != WI_MOTION_BORROWED);
    wi_morph *state = copy_state(memory, morph, sizeof *morph);
    if (state == NULL) {
        wi_morph_free(memory, morph);
        return false;
    }
    wi_mesh_end_motion(memory, mesh);
    mesh->state.morph = state;
    mesh->motion = WI_MOTION_MORPH;
    mesh->stored = WI_STORED_OLD;
    return true;
}

/* What the skin moves passes from one state to the other. */
static wi_morph *leave_source(wi_memory *memory, wi_mesh *mesh)
{
    wi_morph *source = wi_mesh_morph(mesh);
    if (mesh->motion == WI_MOTION_SKIN) {
        mesh->state.skin->source = NULL;
        wi_mesh_end_motion(memory, mesh);
    }
    return source;
}

bool wi_mesh_begin_skin(wi_memory *memory, wi_mesh *mesh, wi_morph *source, wi_skin *skin)
{
    WI_ASSERT((source != NULL) == (mesh->motion == WI_MOTION_STORED));
    wi_skin *state = copy_state(memory, skin, sizeof *skin);
    wi_morph *kept = source && state ? copy_state(memory, source, sizeof *source) : NULL;
    if (state == NULL || (source && kept == NULL)) {
        if (state) wi_free(memory, state, sizeof *state);
        if (source) wi_morph_free(memory, source);
        wi_skin_free(memory, skin);
        return false;
    }
    state->has_morph = wi_mesh_has_morph(mesh);
    state->source = source ? kept : leave_source(memory, mesh);
    mesh->state.skin = state;
    mesh->motion = WI_MOTION_SKIN;
    mesh->stored = WI_STORED_OLD;
    return true;
}

/* The base of a morph without targets. */
static void store_source(wi_mesh *mesh, const wi_morph *source)
{
    WI_ASSERT(source->shape_count == 1 && source->has_base);
    for (uint32_t place = 0; place < mesh->vertex_count; place++)
        mesh->positions[place] = wi_point_of(source->shapes[0].values + 3 * (size_t)place);
}

void wi_mesh_end_skin(wi_memory *memory, wi_mesh *mesh)
{
    const bool has_morph = wi_mesh_skin(mesh)->has_morph;
    wi_morph *source = leave_source(memory, mesh);
    if (has_morph) {
        mesh->state.morph = source;
        mesh->motion = WI_MOTION_MORPH;
        mesh->stored = WI_STORED_OLD;
        return;
    }
    store_source(mesh, source);
    wi_morph_free(memory, source);
    wi_free(memory, source, sizeof *source);
}

void wi_mesh_begin_user(wi_memory *memory, wi_mesh *mesh, wi_user_motion *user)
{
    WI_ASSERT(mesh->motion != WI_MOTION_BORROWED);
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++) {
        if (!wi_mesh_stands_for_itself(mesh, vertex)) continue;
        const uint32_t place = mesh->place[vertex];
        user->vertex_at[place] = vertex;
        memcpy(user->rest[place], mesh->positions[place].axis, sizeof *user->rest);
    }
    wi_mesh_end_motion(memory, mesh);
    mesh->state.user = user;
    mesh->motion = WI_MOTION_USER;
    mesh->stored = WI_STORED_OLD;
}

/* ---- the end of a step ---- */

bool wi_mesh_reserve_end(wi_memory *memory, const wi_mesh *mesh, wi_end_state *end)
{
    const wi_motion_ops *ops = wi_mesh_motion(mesh);
    const size_t bytes = ops->end_bytes ? ops->end_bytes(mesh) : 0;
    if (end->room >= bytes) return true;
    wi_end_state_free(memory, end);
    end->block = wi_alloc(memory, bytes);
    if (end->block == NULL) return false;
    end->room = bytes;
    return true;
}

void wi_end_state_free(wi_memory *memory, wi_end_state *end)
{
    wi_free(memory, end->block, end->room);
    *end = (wi_end_state){0};
}

/* ---- soundness ---- */

const char *wi_mesh_validate_motion(const wi_mesh *mesh)
{
    const wi_motion_ops *ops = wi_mesh_motion(mesh);
    if (ops->is_computed != (mesh->state.any != NULL) ||
        (mesh->motion == WI_MOTION_BORROWED) != (mesh->borrowed != NULL))
        return "M14: a mesh has not what its motion needs";
    if (mesh->stored == WI_STORED_OLD && !ops->is_computed)
        return "M14: what is stored is old, and nothing computes it";
    return ops->validate ? ops->validate(mesh) : NULL;
}
