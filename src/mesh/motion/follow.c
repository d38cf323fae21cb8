/* follow.c - meshes whose vertices follow flight plans, are sums of shapes, or where the user
 * says. */
#include "base/kernel.h"
#include "mesh/mesh.h"

extern wi_mesh_fill wi_mesh_fill_scalar, wi_mesh_fill_avx2;

wi_mesh_fill *wi_mesh_fill_for(willow_kernel kernel) { return WI_KERNELS_FOR(kernel, mesh_fill); }

void wi_mesh_store_plan(wi_mesh *mesh, willow_kernel kernel)
{
    wi_mesh_fill_for(kernel)(mesh, 0, mesh->vertex_count);
    mesh->is_live = false;
}

void wi_mesh_follow(wi_memory *memory, wi_mesh *mesh, wi_plan *plan)
{
    const bool is_live = mesh->is_live; /* what is stored is as old as it was */
    wi_mesh_end_motion(memory, mesh);
    mesh->is_live = is_live;
    mesh->plan = *plan;
    mesh->is_planned = true;
    mesh->moment = wi_plan_moment(&mesh->plan, mesh->moment.time);
}

bool wi_mesh_reserve_paths(wi_memory *memory, wi_mesh *mesh, double now)
{
    wi_plan *plan = &mesh->plan;
    if (!wi_plan_reserve_paths(memory, mesh->vertex_count, plan)) return false;
    if (mesh->is_planned) return true;
    const wi_path nowhere = {.since = now}; /* places that merged vertices leave have no position */
    for (uint32_t place = 0; place < mesh->vertex_count; place++)
        wi_plan_set_path(plan, place, &nowhere);
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++) {
        if (!wi_mesh_stands_for_itself(mesh, vertex)) continue;
        wi_path path = {.since = now};
        wi_mesh_model64(mesh, vertex, path.start);
        wi_plan_set_path(plan, mesh->place[vertex], &path);
    }
    wi_morph_free(memory, &mesh->morph);
    wi_deform_free(memory, &mesh->deform);
    mesh->is_morphed = mesh->is_deformed = false;
    mesh->moment = wi_plan_moment(plan, now);
    mesh->is_planned = true;
    return true;
}

void wi_mesh_morph(wi_memory *memory, wi_mesh *mesh, wi_morph *morph)
{
    wi_mesh_end_motion(memory, mesh);
    mesh->morph = *morph;
    mesh->is_morphed = mesh->is_live = true;
}

void wi_mesh_deform(wi_memory *memory, wi_mesh *mesh, wi_deform *deform)
{
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++) {
        if (!wi_mesh_stands_for_itself(mesh, vertex)) continue;
        const uint32_t place = mesh->place[vertex];
        deform->vertex_at[place] = vertex;
        memcpy(deform->rest[place], mesh->positions[place].axis, sizeof *deform->rest);
    }
    wi_mesh_end_motion(memory, mesh);
    mesh->deform = *deform;
    mesh->is_deformed = mesh->is_live = true;
}

void wi_mesh_end_motion(wi_memory *memory, wi_mesh *mesh)
{
    wi_plan_free(memory, &mesh->plan);
    wi_morph_free(memory, &mesh->morph);
    wi_deform_free(memory, &mesh->deform);
    mesh->is_planned = mesh->is_morphed = mesh->is_deformed = mesh->is_live = false;
}

void wi_mesh_permute(wi_mesh *mesh, uint32_t first, uint32_t count, const uint32_t *moved,
                     void *scratch)
{
    if (mesh->is_planned) wi_plan_permute(&mesh->plan, first, count, moved, scratch);
    if (mesh->is_morphed) wi_morph_permute(&mesh->morph, first, count, moved, scratch);
    if (mesh->is_deformed) wi_deform_permute(&mesh->deform, first, count, moved, scratch);
}
