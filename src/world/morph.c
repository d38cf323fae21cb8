/* morph.c - morphs of bodies come, and their weights change. As everywhere here, the update does
 * the rest. */
#include "world/world.h"

#include "base/check.h"

willow_morph willow_morph_default(void)
{
    return (willow_morph){.struct_size = sizeof(willow_morph)};
}

void wi_body_note_shapes(willow_world *world, wi_body *body)
{
    body->geometry->mesh.stored = WI_STORED_OLD;
    body->geometry->known = WI_KNOWN_NOTHING;
    wi_body_touch(world, body);
}

/* The base may be where vertices are now, which then has to be stored. */
static willow_result make_morph(willow_world *world, wi_body *body, const willow_morph *def,
                                wi_morph *morph)
{
    wi_mesh *mesh = &body->geometry->mesh;
    const wi_morph_vertices vertices = {mesh->vertex_count, mesh->place, mesh->stand_in,
                                        mesh->positions, sizeof *mesh->positions};
    if (wi_mesh_is_live(mesh) && def->base == NULL)
        wi_mesh_fill_for(world->kernel)(mesh, 0, mesh->vertex_count);
    return wi_morph_make(&world->memory, def, &vertices, &world->message, morph);
}

static willow_result begin_morph(willow_world *world, wi_body *body, const willow_morph *def)
{
    wi_morph morph;
    const willow_result result = make_morph(world, body, def, &morph);
    if (result != WILLOW_OK) return result;
    morph.number = body->geometry->morphs + 1;
    if (!wi_mesh_begin_morph(&world->memory, &body->geometry->mesh, &morph))
        return wi_fail_memory(&world->message, "a morph");
    body->geometry->morphs++;
    wi_tree_forget_paths(&body->geometry->tree);
    wi_body_note_shapes(world, body);
    return WILLOW_OK;
}

willow_result willow_body_set_morph_targets(willow_world *world, willow_body_id id,
                                            const willow_morph *def)
{
    wi_owning own;
    wi_body *body;
    willow_result result = wi_body_get_whole(world, id, &body);
    if (result != WILLOW_OK) return result;
    if (body->geometry->mesh.motion == WI_MOTION_BORROWED)
        return wi_fail(&world->message, WILLOW_BAD_ARGUMENT,
                       "the body borrows its vertices: it cannot morph");
    if (def == NULL || def->struct_size != sizeof *def)
        return wi_fail(&world->message, WILLOW_BAD_ARGUMENT,
                       "the morph was not made by willow_morph_default");
    if (!wi_body_begin_own(world, body, &own)) return WILLOW_OUT_OF_MEMORY;
    return wi_body_end_own(world, body, &own, begin_morph(world, body, def));
}

bool wi_body_morphs(willow_world *world, const wi_body *body)
{
    if (wi_mesh_has_morph(&body->geometry->mesh)) return true;
    (void)wi_fail(&world->message, WILLOW_BAD_ARGUMENT,
                  "the body does not morph: it has no targets");
    return false;
}

willow_result willow_body_set_morph_weights(willow_world *world, willow_body_id id,
                                            const float *weights, uint32_t count)
{
    wi_body *body;
    willow_result result = wi_body_get_whole(world, id, &body);
    if (result != WILLOW_OK) return result;
    if (!wi_body_morphs(world, body)) return WILLOW_BAD_ARGUMENT;
    result =
        wi_morph_set_weights(wi_mesh_morph(&body->geometry->mesh), weights, count, &world->message);
    if (result == WILLOW_OK) wi_body_note_shapes(world, body);
    return result;
}

willow_result wi_body_leave_morph(willow_world *world, wi_body *body, uint32_t first,
                                  uint32_t count, wi_source source)
{
    wi_mesh *mesh = &body->geometry->mesh;
    willow_result result = wi_mesh_check_positions(mesh, source, first, count, &world->message);
    if (result != WILLOW_OK) return result;
    WI_ASSERT(wi_mesh_has_shapes(mesh));
    wi_mesh_store_plan(mesh, world->kernel);
    wi_mesh_end_motion(&world->memory, mesh);
    body->geometry->known = WI_KNOWN_NOTHING;
    return wi_mesh_take_range(mesh, first, count, source, &world->message);
}
