/* settings.c - what the def of a body said, changed later: layer, self, categories, user data.
 *
 * The world is stale until the next update; but for user data, on which no answer depends. */
#include "base/check.h"
#include "world/world.h"

bool willow_body_id_equal(willow_body_id a, willow_body_id b)
{
    return a.index1 == b.index1 && a.world == b.world && a.generation == b.generation;
}

willow_result wi_check_thickness(wi_message *message, float thickness)
{
    if (thickness >= 0.0F && thickness <= FLT_MAX) return WILLOW_OK;
    return wi_fail(message, WILLOW_BAD_ARGUMENT, "a thickness of %g", (double)thickness);
}

willow_result willow_body_set_thickness(willow_world *world, willow_body_id id, float thickness)
{
    wi_body *body = wi_body_get(world, id, &world->message);
    if (body == NULL) return WILLOW_BAD_HANDLE;
    const willow_result result = wi_check_thickness(&world->message, thickness);
    if (result != WILLOW_OK) return result;
    body->shown.thickness = thickness;
    world->is_stale = true;
    return WILLOW_OK;
}

/* Lists that are there stay, so that to and fro costs them once. */
willow_result willow_body_set_self(willow_world *world, willow_body_id id, bool self)
{
    wi_body *body = wi_body_get(world, id, &world->message);
    if (body == NULL) return WILLOW_BAD_HANDLE;
    if (self && !wi_body_make_whole(world, body))
        return wi_fail_memory(&world->message, "a geometry of its own");
    if (self && !body->geometry->tree.is_self) {
        wi_owning own;
        if (!wi_body_begin_own(world, body, &own)) return WILLOW_OUT_OF_MEMORY;
        body->geometry->tree.is_self = true;
        wi_body_drop_tree(world, body);
        (void)wi_body_end_own(world, body, &own, WILLOW_OK);
    }
    body->shown.self = self;
    world->is_stale = true;
    return WILLOW_OK;
}

/* A body of which something changes that queries see after the next update; NULL if there is none.
 */
static wi_body *begin_change(willow_world *world, willow_body_id id)
{
    wi_body *body = wi_body_get(world, id, &world->message);
    if (body) world->is_stale = true;
    return body;
}

willow_result willow_body_set_category_bits(willow_world *world, willow_body_id id,
                                            uint64_t category_bits)
{
    wi_body *body = begin_change(world, id);
    if (body) body->shown.category_bits = category_bits;
    return body ? WILLOW_OK : WILLOW_BAD_HANDLE;
}

willow_result willow_body_set_mask_bits(willow_world *world, willow_body_id id, uint64_t mask_bits)
{
    wi_body *body = begin_change(world, id);
    if (body) body->shown.mask_bits = mask_bits;
    return body ? WILLOW_OK : WILLOW_BAD_HANDLE;
}

willow_result willow_body_set_user_data(willow_world *world, willow_body_id id, uint64_t user_data)
{
    wi_body *body = wi_body_get(world, id, &world->message);
    if (body == NULL) return WILLOW_BAD_HANDLE;
    body->shown.user_data = user_data;
    return WILLOW_OK;
}
