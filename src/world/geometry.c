/* geometry.c - geometries come and go. */
#include "world/geometry.h"

#include "base/check.h"
#include "mesh/edits.h"
#include "mesh/owners.h"

static willow_result fill(wi_memory *memory, const willow_body_def *def, wi_message *message,
                          wi_geometry *g)
{
    *g = (wi_geometry){.wanted = def->tree, .users = 1, .is_pending = true};
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
    *g = (wi_geometry){.mesh = *mesh,
                       .wanted = like->wanted,
                       .users = 1,
                       .morphs = like->morphs,
                       .is_pending = true};
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

/* ---- lending ---- */

bool wi_geometry_can_lend(const wi_geometry *g)
{
    return g->mesh.motion == WI_MOTION_STORED && wi_mesh_removed_vertices(&g->mesh) == 0 &&
           wi_mesh_removed_tris(&g->mesh) == 0;
}

/* All but the pose, and what questions about features make when they are asked first. */
static void follow_mesh(wi_mesh *mesh, const wi_mesh *lender)
{
    const wi_pose *pose = mesh->pose;
    struct wi_owners *owners = mesh->owners;
    *mesh = *lender;
    mesh->pose = pose;
    mesh->owners = owners;
}

void wi_geometry_follow(wi_geometry *g)
{
    const wi_geometry *lender = g->lender;
    WI_ASSERT(lender && lender->lender == NULL && lender->users > 0);
    follow_mesh(&g->mesh, &lender->mesh);
    g->tree = lender->tree;
    g->tree.mesh = &g->mesh;
    g->tree.moved = NULL;
    g->tree.boxes.points = NULL; /* of one placement alone */
    g->wanted = lender->wanted;
    g->known = WI_KNOWN_NOTHING;
    g->changes = lender->changes;
    g->is_pending = lender->is_pending;
}

wi_geometry *wi_geometry_borrow(wi_memory *memory, wi_geometry *from)
{
    wi_geometry *lender = from->lender ? from->lender : from;
    WI_ASSERT(wi_geometry_can_lend(lender));
    wi_geometry *g = lender->users < UINT32_MAX ? wi_alloc(memory, sizeof *g) : NULL;
    if (g == NULL) return NULL;
    *g = (wi_geometry){.users = 1, .morphs = lender->morphs, .lender = lender};
    lender->users++;
    wi_geometry_follow(g);
    return g;
}

wi_geometry *wi_geometry_copy(wi_memory *memory, const wi_geometry *from)
{
    wi_geometry *g = wi_alloc(memory, sizeof *g);
    if (g == NULL) return NULL;
    *g = (wi_geometry){.wanted = from->wanted,
                       .users = 1,
                       .is_pending = true,
                       .builds = from->builds,
                       .subtree_builds = from->subtree_builds,
                       .morphs = from->morphs,
                       .kinetic = from->kinetic};
    g->tree = wi_tree_none(&g->mesh);
    g->tree.is_self = from->tree.is_self;
    if (wi_mesh_copy(memory, &from->mesh, &g->mesh)) return g;
    wi_free(memory, g, sizeof *g);
    return NULL;
}

/* ---- the end ---- */

static void free_parts(wi_memory *memory, wi_geometry *g)
{
    if (g->lender) {
        wi_owners_forget(memory, &g->mesh);
        wi_geometry_release(memory, g->lender);
        return;
    }
    wi_keeper_free(memory, &g->tree, &g->tree.keeper);
    wi_tree_destroy(memory, &g->tree);
    wi_mesh_destroy(memory, &g->mesh);
    wi_array_free(memory, &g->edited);
    wi_inherited_free(memory, &g->inherited);
}

void wi_geometry_release(wi_memory *memory, wi_geometry *g)
{
    WI_ASSERT(g->users > 0);
    if (--g->users > 0) return;
    free_parts(memory, g);
    wi_free(memory, g, sizeof *g);
}
