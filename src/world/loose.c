/* loose.c - bodies that promise to stay inside a box, and are left alone while it meets nothing.
 *
 * Ways in: willow_body_set_loose_box; and from the update, after all other bodies are where they
 * are to be, wi_loose_find, which says of each promise whether its box meets that of another body
 * that it wants. Boxes are by the index of the body, in a broad phase of their own, which is kept
 * while there are promises: those of bodies that are left alone, or might be, are their promises.
 * What a query reaches of such a body is computed then (update/rest), so that answers do not depend
 * on any of this. */
#include <float.h>

#include "base/check.h"
#include "update/rest/rest.h"
#include "world/world.h"

/* ---- promises ---- */

static bool is_box(const willow_box *box)
{
    return box->lower.x <= box->upper.x && box->lower.y <= box->upper.y &&
           box->lower.z <= box->upper.z;
}

/* Whoever was left alone is looked at again. */
static void loose_note(willow_world *world, wi_body *body)
{
    if (body->rests) wi_body_raise(body, WI_BODY_DIRTY);
    world->is_stale = true;
}

void wi_loose_forget(willow_world *world, wi_body *body)
{
    if (body->more->loose == NULL) return;
    WI_ASSERT(world->loose.count > 0);
    wi_free(&world->memory, body->more->loose, sizeof *body->more->loose);
    body->more->loose = NULL;
    world->loose.count--;
}

willow_result willow_body_set_loose_box(willow_world *world, willow_body_id id,
                                        const willow_box *box)
{
    wi_body *body;
    willow_result result = wi_body_get_whole(world, id, &body);
    if (result != WILLOW_OK) return result;
    if (box && !is_box(box))
        return wi_fail(&world->message, WILLOW_BAD_ARGUMENT,
                       "the lower bound of a loose box is above the upper one, or no number");
    if (box && body->more->loose == NULL) {
        body->more->loose = wi_alloc(&world->memory, sizeof *body->more->loose);
        if (body->more->loose == NULL) return wi_fail_memory(&world->message, "a loose box");
        world->loose.count++;
    }
    loose_note(world, body);
    if (box == NULL)
        wi_loose_forget(world, body);
    else
        *body->more->loose = (wi_box){{box->lower.x, box->lower.y, box->lower.z},
                                      {box->upper.x, box->upper.y, box->upper.z}};
    return WILLOW_OK;
}

/* ---- who may be left alone ---- */

/* Watches ask in every step. */
static bool is_watched(const willow_world *world, const wi_body *body)
{
    for (size_t i = 0; i < world->watches.count; i++) {
        const willow_watch *watch = world->watches.items[i];
        if (willow_body_id_equal(watch->a, body->shown.id) ||
            willow_body_id_equal(watch->b, body->shown.id))
            return true;
    }
    return false;
}

static bool tries_a_step(const willow_world *world, const wi_body *body, double time)
{
    return wi_trial_is_set(&body->more->trial) ||
           (wi_mesh_has_paths(&body->geometry->mesh) && world->target_time > time);
}

bool wi_body_may_rest(const willow_world *world, const wi_body *body, double time)
{
    return !wi_body_is_light(body) && body->more->loose && body->state < WI_BODY_UNBUILT &&
           wi_box_size(body->more->loose) <= (double)FLT_MAX && !body->geometry->is_edited &&
           wi_rest_suits(&body->geometry->tree) && !tries_a_step(world, body, time) &&
           !is_watched(world, body);
}

/* ---- what promises meet ---- */

static wi_box light_box_of(const wi_body *body)
{
    wi_instance room;
    return wi_body_see_tree(body, &room)->boxes.world_bounds;
}

static wi_box box_of(const wi_body *body)
{
    if (body == NULL) return wi_box_empty();
    if (wi_body_is_light(body)) return light_box_of(body);
    return body->waits || body->rests ? *body->more->loose
                                      : body->geometry->tree.boxes.world_bounds;
}

static bool want_each_other(const wi_body *a, const wi_body *b)
{
    return (a->shown.category_bits & b->shown.mask_bits) != 0 &&
           (b->shown.category_bits & a->shown.mask_bits) != 0;
}

static bool promises(const wi_body *body) { return !wi_body_is_light(body) && body->more->loose; }

static void mark_met(willow_world *world)
{
    const wi_body_pairs *pairs = &world->loose.kept.pairs;
    for (size_t i = 0; i < pairs->count; i++) {
        wi_body *a = world->bodies.items[pairs->items[i].a];
        wi_body *b = world->bodies.items[pairs->items[i].b];
        if ((!promises(a) && !promises(b)) || !want_each_other(a, b)) continue;
        a->is_met = b->is_met = true;
    }
}

bool wi_loose_find(willow_world *world)
{
    wi_loose *loose = &world->loose;
    const size_t count = world->bodies.count;
    if (!loose->is_made)
        wi_kept_init(&loose->kept, &world->memory, WILLOW_BROAD_AUTO, world->kernel, 3);
    loose->is_made = true;
    if (!wi_array_reserve(&world->memory, &loose->boxes, count)) return false;
    loose->boxes.count = count;
    for (size_t i = 0; i < count; i++) {
        wi_body *body = world->bodies.items[i];
        loose->boxes.items[i] = box_of(body);
        if (body) body->is_met = false;
    }
    const wi_kept_input input = {.boxes = loose->boxes.items,
                                 .stride = sizeof *loose->boxes.items,
                                 .count = (uint32_t)count};
    if (!wi_kept_update(&loose->kept, &input)) return false;
    mark_met(world);
    return true;
}

void wi_loose_free(willow_world *world)
{
    wi_loose *loose = &world->loose;
    if (loose->is_made) wi_kept_free(&loose->kept);
    wi_array_free(&world->memory, &loose->boxes);
    loose->is_made = false;
}

/* ---- leaving alone ---- */

void wi_body_rest(willow_world *world, wi_body *body)
{
    wi_geometry *g = body->geometry;
    WI_ASSERT(body->waits && body->more->loose && !body->is_met);
    wi_rest_begin(&g->tree, &g->mesh, body->more->loose, ++world->revision);
    wi_rest_place(&g->tree, body->more->loose, ++world->revision);
    WI_ASSERT_SLOW(wi_loose_validate(body) == NULL);
    g->known = WI_KNOWN_NOTHING;
    body->state = WI_BODY_CURRENT;
    body->needs_step_end = true;
    body->rests = true;
}

/* Where triangles that collide are. */
static bool is_inside(const wi_mesh *mesh, const wi_box *box)
{
    for (uint32_t slot = 0; slot < mesh->tri_count; slot++)
        for (int i = 0; i < 3 && wi_mesh_collides(mesh, slot); i++) {
            wi_box point = wi_box_empty();
            float p[4];
            wi_mesh_world_position(mesh, mesh->tris[slot][i], p);
            wi_box_add_point(&point, p);
            if (!wi_box_contains(box, &point)) return false;
        }
    return true;
}

const char *wi_loose_validate(const wi_body *body)
{
    const wi_step_end *end = body->more->step_end;
    if (body->rests && body->more->loose == NULL)
        return "W11: a body is left alone without a promise";
    if (body->more->loose == NULL) return NULL;
    if (!is_inside(&body->geometry->mesh, body->more->loose))
        return "W11: a body is not inside its loose box";
    if (end && end->is_set && !body->needs_step_end && !is_inside(end->h.mesh, body->more->loose))
        return "W11: a body ends its step outside its loose box";
    return NULL;
}
