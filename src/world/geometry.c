/* geometry.c - geometries come and go. */
#include "world/geometry.h"

#include "base/check.h"

static willow_result fill(wi_memory *memory, const willow_body_def *def, wi_message *message,
                          wi_geometry *g)
{
    *g = (wi_geometry){.wanted = def->tree, .users = 1};
    g->tree = wi_tree_none(&g->mesh);
    g->tree.is_self = def->self;
    willow_result result = wi_tree_def_resolve(&g->wanted, message);
    if (result == WILLOW_OK) result = wi_mesh_create(memory, &def->mesh, message, &g->mesh);
    if (result != WILLOW_OK) return result;
    if (def->keep_rest) result = wi_mesh_keep_rest(memory, &g->mesh, message);
    if (result != WILLOW_OK) wi_mesh_destroy(memory, &g->mesh);
    return result;
}

willow_result wi_geometry_create(wi_memory *memory, const willow_body_def *def, wi_message *message,
                                 wi_geometry **out)
{
    wi_geometry *g = wi_alloc(memory, sizeof *g);
    *out = NULL;
    if (g == NULL) return wi_fail_memory(message, "a body");
    const willow_result result = fill(memory, def, message, g);
    if (result == WILLOW_OK)
        *out = g;
    else
        wi_free(memory, g, sizeof *g);
    return result;
}

wi_geometry *wi_geometry_like(wi_memory *memory, const wi_geometry *like, bool self, wi_mesh *mesh)
{
    wi_geometry *g = wi_alloc(memory, sizeof *g);
    if (g == NULL) {
        wi_mesh_destroy(memory, mesh);
        return NULL;
    }
    *g = (wi_geometry){.mesh = *mesh, .wanted = like->wanted, .users = 1, .morphs = like->morphs};
    g->tree = wi_tree_none(&g->mesh);
    g->tree.is_self = self;
    wi_geometry_renumber_shapes(g);
    return g;
}

void wi_geometry_renumber_shapes(wi_geometry *g)
{
    if (g->mesh.motion == WI_MOTION_MORPH) wi_mesh_morph(&g->mesh)->number = ++g->morphs;
    if (g->mesh.motion == WI_MOTION_SKIN) wi_mesh_skin(&g->mesh)->number = ++g->morphs;
    if (g->mesh.motion == WI_MOTION_USER) wi_mesh_user(&g->mesh)->number = ++g->morphs;
}

void wi_geometry_release(wi_memory *memory, wi_geometry *g)
{
    WI_ASSERT(g->users > 0);
    if (--g->users > 0) return;
    wi_keeper_free(memory, &g->tree, &g->tree.keeper);
    wi_tree_destroy(memory, &g->tree);
    wi_mesh_destroy(memory, &g->mesh);
    wi_array_free(memory, &g->edited);
    wi_free(memory, g, sizeof *g);
}
