/* share.c - bodies that share a geometry, until one of them changes it.
 *
 * Ways in: wi_body_begin_own and wi_body_end_own, around the part of a setter that changes what is
 * shared. The body that the geometry was made with is its owner, as long as it is there and changes
 * nothing; all others borrow (world/geometry.h). Who changes something, owner or not, goes on with
 * a copy, so nobody waits for another and answers are those of copies. An owner may leave before
 * the update that builds the tree, or while that tree grows, which takes updates, too: then the
 * first who borrows becomes the owner. */
#include "base/check.h"
#include "world/world.h"

bool wi_body_begin_own(willow_world *world, wi_body *body, wi_owning *own)
{
    wi_geometry *shared = body->geometry;
    *own = (wi_owning){0};
    if (shared->lender == NULL && shared->users == 1) return true;
    wi_geometry *copy = wi_geometry_copy(&world->memory, shared);
    if (copy == NULL) {
        (void)wi_fail_memory(&world->message, "a geometry of its own");
        return false;
    }
    *own = (wi_owning){shared, body->state, body->needs_step_end, world->is_stale};
    body->geometry = copy;
    wi_mesh_set_pose(&copy->mesh, &body->pose, &body->placed);
    wi_body_raise(body, WI_BODY_UNBUILT);
    world->is_stale = true;
    return true;
}

/* The first body that borrows from a geometry which updates look after gets it. */
static void hand_over(willow_world *world, wi_geometry *lender, wi_body_state state)
{
    size_t i = 0;
    while (world->bodies.items[i] == NULL || world->bodies.items[i]->geometry->lender != lender)
        i++;
    WI_ASSERT(i < world->bodies.count);
    wi_body *heir = world->bodies.items[i];
    wi_geometry *borrowed = heir->geometry;
    lender->users++; /* the heir, before what it borrowed is given back */
    wi_geometry_release(&world->memory, borrowed);
    heir->geometry = lender;
    if (heir->step_end) wi_step_end_drop(&world->memory, heir->step_end);
    heir->needs_step_end = true;
    heir->state = state > WI_BODY_MOVED ? state : WI_BODY_MOVED;
    wi_mesh_set_pose(&lender->mesh, &heir->pose, &heir->placed);
}

void wi_body_leave_geometry(willow_world *world, wi_body *leaving, wi_geometry *shared,
                            wi_body_state state)
{
    if (shared->lender == NULL && shared->users > 1) {
        WI_ASSERT(leaving->geometry != shared ||
                  world->bodies.items[leaving->id.index1 - 1] == NULL);
        shared->mesh.pose = NULL;
        if (state >= WI_BODY_DIRTY || wi_shape_is_grown(shared->tree.shape))
            hand_over(world, shared, state);
    }
    wi_geometry_release(&world->memory, shared);
}

willow_result wi_body_end_own(willow_world *world, wi_body *body, const wi_owning *own,
                              willow_result result)
{
    if (own->shared == NULL) return result;
    if (result != WILLOW_OK) {
        wi_geometry_release(&world->memory, body->geometry);
        body->geometry = own->shared;
        body->state = own->state;
        body->needs_step_end = own->needs_step_end;
        world->is_stale = own->was_stale;
        return result;
    }
    /* It is about arrays that are no longer the body's. */
    if (body->step_end) wi_step_end_drop(&world->memory, body->step_end);
    body->needs_step_end = true;
    wi_body_leave_geometry(world, body, own->shared, own->state);
    return WILLOW_OK;
}

void wi_bodies_follow_lenders(willow_world *world)
{
    for (size_t i = 0; i < world->bodies.count; i++) {
        wi_body *body = world->bodies.items[i];
        if (body == NULL || body->geometry->lender == NULL) continue;
        wi_geometry *g = body->geometry;
        if (g->changes == g->lender->changes) continue;
        if (body->step_end) wi_step_end_drop(&world->memory, body->step_end);
        body->needs_step_end = true;
        const bool was_placed = body->state == WI_BODY_CURRENT && !g->is_pending;
        wi_geometry_follow(g);
        body->state = g->is_pending ? WI_BODY_UNBUILT : WI_BODY_MOVED;
        if (was_placed && !g->is_pending) wi_body_place(world, body); /* it did not move */
    }
}

const char *wi_body_validate_sharing(const wi_body *body)
{
    const wi_geometry *g = body->geometry, *lender = g->lender;
    if (lender == NULL)
        return g->mesh.pose && g->mesh.pose != &body->placed
                   ? "W7: a geometry is seen under the pose of another body"
                   : NULL;
    if (lender->lender || lender->users < 1 || g->users != 1)
        return "W7: a geometry is lent by one that borrows, or by one that nobody has";
    if (g->mesh.positions != lender->mesh.positions || g->mesh.tris != lender->mesh.tris ||
        g->mesh.place != lender->mesh.place || g->tree.shape != lender->tree.shape ||
        g->tree.boxes.nodes != lender->tree.boxes.nodes)
        return "W7: a body that shares sees something else than the lender";
    if (g->is_pending != lender->is_pending)
        return "W7: a body that shares has not followed its lender";
    return NULL;
}
