/* skin.c - skins of bodies come and go, and their joints move. As everywhere here, the update does
 * the rest. */
#include <string.h>

#include "base/check.h"
#include "world/world.h"

willow_skin willow_skin_default(void) { return (willow_skin){.struct_size = sizeof(willow_skin)}; }

bool wi_body_has_skin(willow_world *world, const wi_body *body)
{
    if (body->geometry->mesh.motion == WI_MOTION_SKIN) return true;
    (void)wi_fail(&world->message, WILLOW_BAD_ARGUMENT, "the body has no skin");
    return false;
}

static willow_result check_body(willow_world *world, const wi_body *body, const willow_skin *def)
{
    const wi_motion_kind motion = body->geometry->mesh.motion;
    if (def->struct_size != sizeof *def)
        return wi_fail(&world->message, WILLOW_BAD_ARGUMENT,
                       "the skin was not made by willow_skin_default");
    if (motion == WI_MOTION_BORROWED)
        return wi_fail(&world->message, WILLOW_BAD_ARGUMENT,
                       "the body borrows its vertices: it cannot have a skin");
    if (motion == WI_MOTION_PLAN || motion == WI_MOTION_USER)
        return wi_fail(&world->message, WILLOW_BAD_ARGUMENT,
                       "the body %s: set its vertices, and then the skin",
                       motion == WI_MOTION_PLAN ? "follows flight plans" : "has a deformation");
    return WILLOW_OK;
}

static wi_morph_vertices vertices_of(const wi_mesh *mesh)
{
    return (wi_morph_vertices){mesh->vertex_count, mesh->place, mesh->stand_in, mesh->positions,
                               sizeof *mesh->positions};
}

/* What is stored becomes the base of a morph without targets. */
static willow_result make_source(willow_world *world, const wi_mesh *mesh, wi_morph *source)
{
    const willow_morph def = willow_morph_default();
    const wi_morph_vertices vertices = vertices_of(mesh);
    return wi_morph_make(&world->memory, &def, &vertices, &world->message, source);
}

static willow_result put_on(willow_world *world, wi_body *body, const willow_skin *def)
{
    wi_mesh *mesh = &body->geometry->mesh;
    const bool is_stored = mesh->motion == WI_MOTION_STORED;
    wi_morph source = {0};
    wi_skin skin;
    willow_result result = is_stored ? make_source(world, mesh, &source) : WILLOW_OK;
    if (result != WILLOW_OK) return result;
    const wi_morph_vertices vertices = vertices_of(mesh);
    result = wi_skin_make(&world->memory, def, &vertices, &world->message, &skin);
    if (result != WILLOW_OK) {
        wi_morph_free(&world->memory, &source);
        return result;
    }
    skin.number = body->geometry->morphs + 1;
    if (!wi_mesh_begin_skin(&world->memory, mesh, is_stored ? &source : NULL, &skin))
        return wi_fail_memory(&world->message, "a skin");
    body->geometry->morphs++;
    wi_body_note_shapes(world, body);
    return WILLOW_OK;
}

/* What is stored then is what the source says, unless that is a morph. */
static void take_off(willow_world *world, wi_body *body)
{
    wi_mesh *mesh = &body->geometry->mesh;
    if (mesh->motion != WI_MOTION_SKIN) return;
    wi_mesh_end_skin(&world->memory, mesh);
    body->geometry->known = WI_KNOWN_NOTHING;
    wi_body_touch(world, body);
}

willow_result willow_body_set_skin(willow_world *world, willow_body_id id, const willow_skin *def)
{
    wi_body *body;
    willow_result result = wi_body_get_whole(world, id, &body);
    if (result != WILLOW_OK) return result;
    if (def == NULL) {
        take_off(world, body);
        return WILLOW_OK;
    }
    wi_owning own;
    result = check_body(world, body, def);
    if (result != WILLOW_OK) return result;
    if (!wi_body_begin_own(world, body, &own)) return WILLOW_OUT_OF_MEMORY;
    return wi_body_end_own(world, body, &own, put_on(world, body, def));
}

willow_result willow_body_set_joints(willow_world *world, willow_body_id id,
                                     const willow_affine *matrices, uint32_t count)
{
    wi_body *body;
    willow_result result = wi_body_get_whole(world, id, &body);
    if (result != WILLOW_OK) return result;
    if (!wi_body_has_skin(world, body)) return WILLOW_BAD_ARGUMENT;
    wi_skin *skin = wi_mesh_skin(&body->geometry->mesh);
    result = wi_skin_check_joints(skin, matrices, count, &world->message);
    if (result != WILLOW_OK) return result;
    memcpy(skin->joints, matrices, count * sizeof *matrices);
    wi_skin_place_joints(skin, skin->joints, skin->frames, skin->moves);
    wi_body_note_shapes(world, body);
    return WILLOW_OK;
}
