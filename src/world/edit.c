/* edit.c - edits of bodies come in. As everywhere here, the update does the rest: it takes the edit
 * over into the hierarchy where the method follows edits, and builds it afresh where not. */
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

/* The slots that an edit names or gets: behind those of edits before, where `tris` may go. */
static size_t named_slots(const willow_edit *edit)
{
    return (size_t)edit->remove_triangle_count + edit->replace_triangle_count +
           edit->add_triangle_count;
}

/* The tree is kept, and the next update will take the edit over. */
static bool follows(const wi_body *body)
{
    const wi_geometry *g = body->geometry;
    return body->state < WI_BODY_UNBUILT && g->tree.boxes.nodes &&
           wi_method_ops_for(g->wanted.method)->follows_edits;
}

static void note_slots(wi_geometry *g, const willow_edit *edit, const uint32_t *added)
{
    const struct {
        const uint32_t *slots;
        uint32_t count;
    } lists[] = {{added, edit->add_triangle_count},
                 {edit->remove_triangles, edit->remove_triangle_count},
                 {edit->replace_triangles, edit->replace_triangle_count}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (uint32_t k = 0; k < lists[i].count; k++)
            g->edited.items[g->edited.count++] = lists[i].slots[k];
    WI_ASSERT(g->edited.count <= g->edited.capacity);
    g->is_edited = true;
}

/* Where vertices that were there before are known to be where they were. */
static wi_known known_after(const wi_body *body, const willow_edit *edit)
{
    const bool was_true = body->state < WI_BODY_DIRTY && !body->rests;
    const bool was_still = was_true || body->geometry->known == WI_KNOWN_EDITED;
    return was_still && edit->positions == NULL ? WI_KNOWN_EDITED : WI_KNOWN_NOTHING;
}

/* What is known of the end of a step is not of this mesh, nor is the tree, unless it follows. The
 * trial itself goes on. */
static void note_edit(willow_world *world, wi_body *body, const willow_edit *edit,
                      const uint32_t *added, bool tree_follows)
{
    wi_geometry *g = body->geometry;
    WI_ASSERT(g->users == 1);
    wi_geometry_renumber_shapes(g);
    g->known = known_after(body, edit);
    if (body->more->step_end) wi_step_end_drop(&world->memory, body->more->step_end);
    body->needs_step_end = true;
    if (tree_follows) {
        note_slots(g, edit, added);
        wi_body_raise(body, WI_BODY_DIRTY);
        world->is_stale = true;
    } else {
        wi_body_drop_tree(world, body);
    }
}

/* Of a body that shares its geometry with no other one. */
static willow_result edit_own(willow_world *world, wi_body *body, const willow_edit *edit,
                              willow_tri *triangles, uint32_t *vertices)
{
    wi_geometry *g = body->geometry;
    const bool tree_follows = changes_mesh(edit) && follows(body);
    uint32_t *added = triangles;
    if (tree_follows &&
        !wi_array_reserve(&world->memory, &g->edited, g->edited.count + named_slots(edit)))
        return wi_fail_memory(&world->message, "an edit");
    if (added == NULL && tree_follows) added = g->edited.items + g->edited.count;
    const willow_result result =
        wi_mesh_edit(&world->memory, &g->mesh, &body->more->trial, edit, world->update_count,
                     &world->message, added, vertices);
    if (result != WILLOW_OK) return result;
    if (changes_mesh(edit)) note_edit(world, body, edit, added, tree_follows);
    if (edit->label_count > 0) world->is_stale = true;
    return result;
}

willow_result willow_body_edit(willow_world *world, willow_body_id id, const willow_edit *edit,
                               willow_tri *triangles, uint32_t *vertices)
{
    wi_body *body;
    willow_result result = wi_body_get_whole(world, id, &body);
    if (result != WILLOW_OK) return result;
    if (edit == NULL || edit->struct_size != sizeof *edit)
        return wi_fail(&world->message, WILLOW_BAD_ARGUMENT,
                       "the edit was not made by willow_edit_default");
    wi_owning own;
    if (!wi_body_begin_own(world, body, &own)) return WILLOW_OUT_OF_MEMORY;
    return wi_body_end_own(world, body, &own, edit_own(world, body, edit, triangles, vertices));
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
    wi_instance room;
    const wi_mesh *mesh = wi_body_see_tree(body, &room)->mesh;
    const bool ok = find_parts(&world->memory, mesh, part_of_triangle, part_count);
    return ok ? WILLOW_OK : wi_fail_memory(&world->message, "parts");
}
