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

/* Whether somebody else has to look after a geometry in updates if its owner, in this state, leaves
 * it. */
static bool needs_owner(const wi_geometry *shared, wi_body_state state)
{
    return shared->lender == NULL &&
           (state >= WI_BODY_DIRTY || wi_shape_is_grown(shared->tree.shape));
}

bool wi_body_begin_own(willow_world *world, wi_body *body, wi_owning *own)
{
    wi_geometry *shared = body->geometry;
    *own = (wi_owning){0};
    if (shared->lender == NULL && shared->users == 1) return true;
    const bool may_leave = needs_owner(shared, (wi_body_state)body->state);
    wi_body_more *more = may_leave ? wi_alloc(&world->memory, sizeof *more) : NULL;
    wi_geometry *copy = more || !may_leave ? wi_geometry_copy(&world->memory, shared) : NULL;
    if (copy == NULL) {
        wi_free(&world->memory, more, sizeof *more);
        (void)wi_fail_memory(&world->message, "a geometry of its own");
        return false;
    }
    *own = (wi_owning){shared, more, (wi_body_state)body->state, body->needs_step_end,
                       world->is_stale};
    body->geometry = copy;
    body->shown.tree = &copy->tree;
    wi_mesh_set_pose(&copy->mesh, &body->shown.pose, &body->more->placed);
    wi_body_raise(body, WI_BODY_UNBUILT);
    world->is_stale = true;
    return true;
}

/* What was borrowed becomes the body's own. */
static void inherit(willow_world *world, wi_body *heir, wi_geometry *lender)
{
    wi_geometry *borrowed = heir->geometry;
    lender->users++; /* the heir, before what it borrowed is given back */
    wi_geometry_release(&world->memory, borrowed);
    heir->geometry = lender;
    heir->shown.tree = &lender->tree;
    if (heir->more->step_end) wi_step_end_drop(&world->memory, heir->more->step_end);
    wi_mesh_set_pose(&lender->mesh, &heir->shown.pose, &heir->more->placed);
}

/* The first body that borrows from a geometry which updates look after gets it. */
static void hand_over(willow_world *world, wi_geometry *lender, wi_body_state state,
                      wi_body_more **more)
{
    size_t i = 0;
    while (world->bodies.items[i] == NULL || wi_body_lender(world->bodies.items[i]) != lender) i++;
    WI_ASSERT(i < world->bodies.count && *more);
    wi_body *heir = world->bodies.items[i];
    if (wi_body_is_light(heir)) {
        wi_body_give_geometry(heir, lender, *more);
        *more = NULL;
    } else {
        inherit(world, heir, lender);
    }
    heir->needs_step_end = true;
    heir->state = (uint8_t)(state > WI_BODY_MOVED ? state : WI_BODY_MOVED);
}

void wi_body_leave_geometry(willow_world *world, const wi_body *leaving, wi_geometry *shared,
                            wi_body_state state, wi_body_more **more)
{
    if (shared->lender == NULL && shared->users > 1) {
        WI_ASSERT(leaving->geometry != shared ||
                  world->bodies.items[leaving->shown.id.index1 - 1] == NULL);
        shared->mesh.pose = NULL;
        if (needs_owner(shared, state)) hand_over(world, shared, state, more);
    }
    wi_geometry_release(&world->memory, shared);
}

willow_result wi_body_end_own(willow_world *world, wi_body *body, const wi_owning *own,
                              willow_result result)
{
    wi_body_more *more = own->more;
    if (own->shared == NULL) return result;
    if (result != WILLOW_OK) {
        wi_free(&world->memory, more, sizeof *more);
        wi_geometry_release(&world->memory, body->geometry);
        body->geometry = own->shared;
        body->shown.tree = &own->shared->tree;
        body->state = (uint8_t)own->state;
        body->needs_step_end = own->needs_step_end;
        world->is_stale = own->was_stale;
        return result;
    }
    /* It is about arrays that are no longer the body's. */
    if (body->more->step_end) wi_step_end_drop(&world->memory, body->more->step_end);
    body->needs_step_end = true;
    wi_body_leave_geometry(world, body, own->shared, own->state, &more);
    wi_free(&world->memory, more, sizeof *more);
    return WILLOW_OK;
}

static void follow_lightly(wi_body *body, const wi_geometry *lender)
{
    if (body->followed == lender->changes) return;
    body->followed = lender->changes;
    body->state = lender->is_pending ? WI_BODY_UNBUILT : WI_BODY_MOVED;
}

void wi_bodies_follow_lenders(willow_world *world)
{
    for (size_t i = 0; i < world->bodies.count; i++) {
        wi_body *body = world->bodies.items[i];
        const wi_geometry *lender = body ? wi_body_lender(body) : NULL;
        if (lender == NULL) continue;
        if (wi_body_is_light(body)) {
            follow_lightly(body, lender);
            continue;
        }
        wi_geometry *g = body->geometry;
        if (g->changes == lender->changes) continue;
        if (body->more->step_end) wi_step_end_drop(&world->memory, body->more->step_end);
        body->needs_step_end = true;
        const bool was_placed = body->state == WI_BODY_CURRENT && !g->is_pending;
        wi_geometry_follow(g);
        body->state = g->is_pending ? WI_BODY_UNBUILT : WI_BODY_MOVED;
        if (was_placed && !g->is_pending) wi_body_place(world, body); /* it did not move */
    }
}

static const char *validate_light(const wi_body *body)
{
    const wi_geometry *lender = wi_body_lender(body);
    if (body->shown.self) return "W7: a body without lists asks for pairs within it";
    if (lender == NULL) return NULL;
    if (lender->lender || lender->users < 1 || body->shown.tree != &lender->tree ||
        !wi_geometry_can_lend_lightly(lender))
        return "W7: a tree is lent by a geometry that cannot lend it";
    if (body->state < WI_BODY_UNBUILT && lender->is_pending)
        return "W7: a light body has not followed its lender";
    return NULL;
}

const char *wi_body_validate_sharing(const wi_body *body)
{
    if (wi_body_is_light(body)) return validate_light(body);
    const wi_geometry *g = body->geometry, *lender = g->lender;
    if (lender == NULL)
        return g->mesh.pose && g->mesh.pose != &body->more->placed
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
