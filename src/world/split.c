/* split.c - a body falls apart: bodies of its parts take its place, or nothing happens (C6). */
#include "mesh/split.h"

#include "base/check.h"
#include "world/world.h"

void wi_parts_forget(willow_world *world)
{
    wi_merge *merge = &world->merge;
    wi_split_free(&world->memory, &world->split);
    wi_free_array(&world->memory, merge->bodies, merge->body_count, sizeof *merge->bodies);
    wi_free_array(&world->memory, merge->numbers, merge->number_count, sizeof *merge->numbers);
    *merge = (wi_merge){0};
}

/* Takes the mesh over, also where there is no memory. */
static willow_result give_assembled(willow_world *world, wi_body *body, const wi_body *like,
                                    wi_mesh *mesh)
{
    wi_geometry *geometry =
        wi_geometry_like(&world->memory, like->geometry, like->shown.self, mesh);
    wi_body_more *more = geometry ? wi_alloc(&world->memory, sizeof *more) : NULL;
    if (more) {
        wi_body_give_geometry(body, geometry, more);
        return WILLOW_OK;
    }
    if (geometry) wi_geometry_release(&world->memory, geometry);
    return wi_fail_memory(&world->message, "a body");
}

willow_result wi_body_assemble(willow_world *world, const wi_body *like,
                               const wi_assembly *assembly, wi_body **out)
{
    wi_mesh mesh;
    wi_body *body = wi_alloc(&world->memory, sizeof *body);
    *out = NULL;
    if (body == NULL) return wi_fail_memory(&world->message, "a body");
    *body = (wi_body){.shown = {.pose = like->shown.pose,
                                .category_bits = like->shown.category_bits,
                                .mask_bits = like->shown.mask_bits,
                                .user_data = like->shown.user_data,
                                .thickness = like->shown.thickness,
                                .self = like->shown.self},
                      .state = WI_BODY_UNBUILT};
    willow_result result = wi_mesh_assemble(&world->memory, assembly, &world->message, &mesh);
    if (result == WILLOW_OK) result = give_assembled(world, body, like, &mesh);
    if (result == WILLOW_OK)
        *out = body;
    else
        wi_free(&world->memory, body, sizeof *body);
    return result;
}

/* ---- a split ---- */

static willow_result check_labels(willow_world *world, const wi_mesh *mesh, const uint32_t *labels)
{
    uint32_t live = 0;
    for (uint32_t slot = 0; slot < mesh->tri_count; slot++) {
        if (!wi_mesh_has_tri(mesh, slot)) continue;
        live++;
        if (labels && labels[slot] == WILLOW_NO_PART)
            return wi_fail(&world->message, WILLOW_BAD_ARGUMENT, "triangle %u has no label", slot);
    }
    if (live > 0) return WILLOW_OK;
    return wi_fail(&world->message, WILLOW_BAD_ARGUMENT,
                   "the body has no triangles, so it has no parts");
}

/* One part after the other; those that were made are in `made` whatever happens. */
static willow_result make_parts(willow_world *world, const wi_body *whole, uint32_t *new_vertices,
                                wi_body **made)
{
    const wi_split *split = &world->split;
    willow_result result = WILLOW_OK;
    for (uint32_t i = 0; i < split->part_count && result == WILLOW_OK; i++) {
        const willow_split_part *part = &split->parts[i];
        const wi_piece piece = {.from = &whole->geometry->mesh,
                                .vertices = part->old_vertices,
                                .slots = part->old_triangles,
                                .vertex_count = part->vertex_count,
                                .tri_count = part->triangle_count};
        const wi_assembly assembly = {.pieces = &piece,
                                      .piece_count = 1,
                                      .vertex_count = part->vertex_count,
                                      .tri_count = part->triangle_count,
                                      .new_vertices = new_vertices};
        result = wi_body_assemble(world, whole, &assembly, &made[i]);
    }
    if (result == WILLOW_OK && !wi_bodies_reserve(world, split->part_count))
        result = wi_fail_memory(&world->message, "parts");
    for (uint32_t i = 0; i < split->part_count && result != WILLOW_OK; i++)
        if (made[i]) wi_body_free(world, made[i]);
    return result;
}

/* Ids are handed out upwards, so that bodies are in the order of labels. */
static void replace_by_parts(willow_world *world, wi_body *whole, wi_body *const *made)
{
    wi_split *split = &world->split;
    wi_body_leave(world, whole);
    for (uint32_t i = 0; i < split->part_count; i++) {
        wi_body_enter(world, made[i]);
        split->parts[i].body = made[i]->shown.id;
        WI_ASSERT(i == 0 || made[i - 1]->shown.id.index1 < made[i]->shown.id.index1);
    }
}

/* With rooms for what is only needed on the way. */
static willow_result split_body(willow_world *world, wi_body *whole)
{
    const uint32_t parts = world->split.part_count;
    const uint32_t vertices = whole->geometry->mesh.vertex_count;
    wi_body **made = wi_alloc_array(&world->memory, parts, sizeof *made);
    uint32_t *new_vertices = wi_alloc_array(&world->memory, vertices, sizeof *new_vertices);
    willow_result result =
        made && new_vertices ? WILLOW_OK : wi_fail_memory(&world->message, "parts");
    for (uint32_t i = 0; i < parts && made; i++) made[i] = NULL;
    if (result == WILLOW_OK) result = make_parts(world, whole, new_vertices, made);
    if (result == WILLOW_OK) {
        wi_split_keep_trees(world, whole, made);
        replace_by_parts(world, whole, made);
    }
    wi_free_array(&world->memory, made, parts, sizeof *made);
    wi_free_array(&world->memory, new_vertices, vertices, sizeof *new_vertices);
    return result;
}

static willow_split split_public(const wi_split *split)
{
    return (willow_split){.parts = split->parts,
                          .part_count = split->part_count,
                          .triangle_count = split->tri_count,
                          .vertex_count = split->vertex_count,
                          .triangles = split->tris,
                          .vertices = split->copies,
                          .first_copy = split->first_copy};
}

willow_result willow_body_split(willow_world *world, willow_body_id id,
                                const uint32_t *label_of_triangle, willow_split *out)
{
    wi_body *whole;
    willow_result result = wi_body_get_whole(world, id, &whole);
    if (out == NULL) return wi_fail(&world->message, WILLOW_BAD_ARGUMENT, "no place for the parts");
    *out = (willow_split){0};
    if (result != WILLOW_OK) return result;
    const wi_mesh *mesh = &whole->geometry->mesh;
    result = check_labels(world, mesh, label_of_triangle);
    if (result != WILLOW_OK) return result;
    wi_parts_forget(world);
    if (!wi_split_make(&world->memory, mesh, label_of_triangle, &world->split))
        return wi_fail_memory(&world->message, "parts");
    result = split_body(world, whole);
    if (result == WILLOW_OK)
        *out = split_public(&world->split);
    else
        wi_parts_forget(world);
    return result;
}
