/* edit.c - edits of bodies come in. As everywhere here, the update does the rest: it builds the
 * hierarchy afresh, whatever the method. */
#include "base/check.h"
#include "mesh/edits.h"
#include "mesh/parts.h"
#include "world/world.h"

willow_edit willow_edit_default(void) { return (willow_edit){.struct_size = sizeof(willow_edit)}; }

/* Beside labels, which no hierarchy knows of. */
static bool changes_mesh(const willow_edit *edit)
{
    return edit->add_vertex_count > 0 || edit->remove_vertex_count > 0 ||
           edit->add_triangle_count > 0 || edit->replace_triangle_count > 0 ||
           edit->remove_triangle_count > 0 || edit->positions;
}

/* Nothing that is known of the tree or of the end of a step is about this mesh. The trial itself
 * goes on. */
static void note_edit(willow_world *world, wi_body *body)
{
    wi_geometry *g = body->geometry;
    WI_ASSERT(g->users == 1);
    wi_geometry_renumber_shapes(g);
    g->known = WI_KNOWN_NOTHING;
    if (body->step_end) wi_step_end_drop(&world->memory, body->step_end);
    body->needs_step_end = true;
    wi_body_drop_tree(world, body);
}

willow_result willow_body_edit(willow_world *world, willow_body_id id, const willow_edit *edit,
                               willow_tri *triangles, uint32_t *vertices)
{
    wi_body *body = wi_body_get(world, id, &world->message);
    if (body == NULL) return WILLOW_BAD_HANDLE;
    if (edit == NULL || edit->struct_size != sizeof *edit)
        return wi_fail(&world->message, WILLOW_BAD_ARGUMENT,
                       "the edit was not made by willow_edit_default");
    wi_owning own;
    if (!wi_body_begin_own(world, body, &own)) return WILLOW_OUT_OF_MEMORY;
    const willow_result result =
        wi_mesh_edit(&world->memory, &body->geometry->mesh, &body->trial, edit, world->update_count,
                     &world->message, triangles, vertices);
    if (result == WILLOW_OK && changes_mesh(edit)) note_edit(world, body);
    if (result == WILLOW_OK && edit->label_count > 0) world->is_stale = true;
    return wi_body_end_own(world, body, &own, result);
}

/* Into memory of its own where the caller has no place for it. */
static bool find_parts(wi_memory *memory, const wi_mesh *mesh, uint32_t *part_of_tri,
                       uint32_t *part_count)
{
    if (part_of_tri || mesh->tri_count == 0)
        return wi_mesh_find_parts(memory, mesh, part_of_tri, part_count);
    uint32_t *own = wi_alloc_array(memory, mesh->tri_count, sizeof *own);
    const bool ok = own && wi_mesh_find_parts(memory, mesh, own, part_count);
    wi_free_array(memory, own, mesh->tri_count, sizeof *own);
    return ok;
}

willow_result willow_body_find_parts(willow_world *world, willow_body_id id,
                                     uint32_t *part_of_triangle, uint32_t *part_count)
{
    const wi_body *body = wi_body_get(world, id, &world->message);
    if (body == NULL) return WILLOW_BAD_HANDLE;
    if (part_count == NULL)
        return wi_fail(&world->message, WILLOW_BAD_ARGUMENT, "no place for the count of parts");
    const bool ok = find_parts(&world->memory, &body->geometry->mesh, part_of_triangle, part_count);
    return ok ? WILLOW_OK : wi_fail_memory(&world->message, "parts");
}
