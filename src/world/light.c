/* light.c - bodies without a geometry: most of a world of very many.
 *
 * A body that was made of a few triangles with the default tree is kept in one block
 * (tree/small/small.h); one that shares sees the tree of its lender under its own pose. Poses,
 * masks, settings, updates and questions need no more. Whoever wants more of a body gets it with
 * wi_body_get_whole: it has a geometry from then on, which is true for what the block said, so that
 * nobody sees a difference. */
#include "base/check.h"
#include "mesh/edits.h"
#include "tree/grown/grown.h"
#include "update/method.h"
#include "world/world.h"

/* ---- small ones ---- */

/* With the default tree, by whatever words. */
static bool has_small_def(const willow_world *world, const willow_tree_def *tree)
{
    wi_message silent = {0};
    willow_tree_def resolved;
    memcpy(&resolved, tree, sizeof resolved);
    return wi_tree_def_resolve(&resolved, &silent) == WILLOW_OK &&
           memcmp(&resolved, &world->small_def, sizeof resolved) == 0;
}

static size_t small_bytes(const wi_small *small)
{
    return wi_small_size(small->vertex_count, small->tri_count);
}

willow_result wi_body_become_small(willow_world *world, wi_body *body, const willow_body_def *def)
{
    const willow_mesh_def *mesh = &def->mesh;
    if (def->self || def->keep_rest || !wi_small_suits(mesh, &world->small_def) ||
        !has_small_def(world, &def->tree))
        return WILLOW_UNSUPPORTED;
    const size_t size = wi_small_size(mesh->vertex_count, mesh->triangle_count);
    wi_small *small = wi_alloc(&world->memory, size);
    if (small == NULL) return WILLOW_OUT_OF_MEMORY;
    if (!wi_small_fill(small, mesh, &world->small_def)) {
        wi_free(&world->memory, small, size);
        return WILLOW_UNSUPPORTED;
    }
    body->shown.kind = WI_SHOWN_SMALL;
    body->shown.small = small;
    body->state = WI_BODY_UNBUILT;
    return WILLOW_OK;
}

void wi_small_take_in(wi_body *body, uint64_t revision)
{
    WI_ASSERT(body->shown.kind == WI_SHOWN_SMALL && body->state == WI_BODY_UNBUILT);
    body->shown.small->revision = revision;
    body->state = WI_BODY_MOVED;
}

/* ---- those whose tree is lent ---- */

bool wi_geometry_can_lend_lightly(const wi_geometry *lender)
{
    const wi_mesh *mesh = &lender->mesh;
    return wi_geometry_can_lend(lender) && mesh->masks.rows == NULL && mesh->labels == NULL &&
           lender->wanted.method != WILLOW_METHOD_SPHERE &&
           !wi_shape_is_grown(lender->tree.shape) && lender->users < UINT32_MAX;
}

void wi_body_become_lent(wi_body *body, wi_geometry *lender, wi_body_state state)
{
    WI_ASSERT(wi_geometry_can_lend_lightly(lender) && lender->lender == NULL);
    lender->users++;
    body->lender = lender;
    body->followed = lender->changes;
    body->shown.kind = WI_SHOWN_LENT;
    body->shown.tree = &lender->tree;
    body->state = (uint8_t)state;
}

wi_geometry *wi_body_lender(const wi_body *body)
{
    if (!wi_body_is_light(body)) return body->geometry->lender;
    return body->shown.kind == WI_SHOWN_LENT ? body->lender : NULL;
}

/* ---- either kind ---- */

const willow_tree_def *wi_body_wanted(const wi_body *body)
{
    if (!wi_body_is_light(body)) return &body->geometry->wanted;
    return body->shown.kind == WI_SHOWN_LENT ? &body->lender->wanted : body->shown.small->def;
}

void wi_light_free(willow_world *world, wi_body *body)
{
    WI_ASSERT(wi_body_is_light(body));
    if (body->shown.kind == WI_SHOWN_LENT) {
        wi_geometry_release(&world->memory, body->lender);
    } else if (body->shown.small) {
        wi_small_forget(&world->memory, body->shown.small);
        wi_free(&world->memory, body->shown.small, small_bytes(body->shown.small));
    }
}

/* Of a small one that no update has taken in. */
static const wi_tree *tree_to_come(const wi_body *body, wi_instance *room)
{
    (void)wi_instance_mesh(room, body->shown.small);
    wi_mesh_set_pose(&room->mesh, &body->shown.pose, &room->placed);
    room->tree = wi_tree_none(&room->mesh);
    return &room->tree;
}

const wi_tree *wi_body_see_tree(const wi_body *body, wi_instance *room)
{
    const wi_shown *shown = &body->shown;
    if (!wi_body_is_light(body)) return &body->geometry->tree;
    if (shown->kind == WI_SHOWN_SMALL && shown->small->revision == 0)
        return tree_to_come(body, room);
    const uint64_t revision =
        shown->kind == WI_SHOWN_LENT ? shown->tree->boxes.revision : shown->small->revision;
    const uint64_t placement = shown->placement > revision ? shown->placement : revision;
    return shown->kind == WI_SHOWN_LENT
               ? wi_instance_of_tree(room, shown->tree, &shown->pose, placement)
               : wi_instance_of_small(room, shown->small, &shown->pose, placement);
}

/* ---- a geometry for it ---- */

static bool unpack(willow_world *world, const wi_small *small, wi_geometry *g)
{
    const bool is_built = small->revision > 0;
    *g = (wi_geometry){.wanted = *small->def,
                       .users = 1,
                       .changes = is_built,
                       .builds = is_built,
                       .is_pending = !is_built};
    if (!wi_small_unpack(&world->memory, small, &g->mesh, &g->tree)) return false;
    if (is_built) wi_update_note_built(&g->tree);
    return true;
}

/* NULL if there is no memory. The body still has what it had. */
static wi_geometry *make_geometry(willow_world *world, const wi_body *body)
{
    if (body->shown.kind == WI_SHOWN_LENT) {
        wi_geometry *borrowed = wi_geometry_borrow(&world->memory, body->lender);
        if (borrowed) borrowed->changes = body->followed;
        return borrowed;
    }
    wi_geometry *g = wi_alloc(&world->memory, sizeof *g);
    if (g == NULL || unpack(world, body->shown.small, g)) return g;
    wi_free(&world->memory, g, sizeof *g);
    return NULL;
}

void wi_body_give_geometry(wi_body *body, wi_geometry *geometry, wi_body_more *more)
{
    *more = (wi_body_more){0};
    wi_mesh_set_pose(&geometry->mesh, &body->shown.pose, &more->placed);
    body->geometry = geometry;
    body->more = more;
    body->shown.kind = WI_SHOWN_OWN;
    body->shown.tree = &geometry->tree;
}

bool wi_body_make_whole(willow_world *world, wi_body *body)
{
    if (!wi_body_is_light(body)) return true;
    wi_body_more *more = wi_alloc(&world->memory, sizeof *more);
    wi_geometry *geometry = more ? make_geometry(world, body) : NULL;
    if (geometry == NULL) {
        wi_free(&world->memory, more, sizeof *more);
        return false;
    }
    wi_light_free(world, body);
    wi_body_give_geometry(body, geometry, more);
    /* It is where it was placed, but what scratches know of it points to where it was kept. */
    if (body->state == WI_BODY_CURRENT) wi_tree_place(&geometry->tree, ++world->revision);
    return true;
}

willow_result wi_body_get_whole(willow_world *world, willow_body_id id, wi_body **out)
{
    *out = wi_body_get(world, id, &world->message);
    if (*out == NULL) return WILLOW_BAD_HANDLE;
    if (wi_body_make_whole(world, *out)) return WILLOW_OK;
    *out = NULL;
    return wi_fail_memory(&world->message, "a geometry of its own");
}
