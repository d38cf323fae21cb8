/* target_pairs.c - the pairs of bodies whose boxes meet, kept from update to update by the world's
 * broad phase (broad/kept.h).
 *
 * Ways in: wi_target_pairs_ask in queries, wi_target_pairs_follow once in an update. Questions
 * about all pairs of where bodies are read them off. A world that is not asked for them keeps none:
 * the first question finds its own, and from the next update on pairs are there. Boxes are by the
 * index of the body, and empty where there is none, so bodies that come and go change no others'
 * numbers. Masks are left to questions. */
#include <string.h>

#include "base/check.h"
#include "world/world.h"

const wi_body_pairs *wi_target_pairs_get(const willow_world *world)
{
    return world->pairs.is_true ? &world->pairs.kept.pairs : NULL;
}

const wi_body_pairs *wi_target_pairs_ask(const willow_world *world)
{
    /* No answer depends on this; it is atomic. */
    wi_asked_note((wi_asked *)&world->pairs.asked);
    return wi_target_pairs_get(world);
}

static bool is_wanted(const willow_world *world)
{
    return world->body_count > 1 && wi_asked_is_wanted(&world->pairs.asked);
}

/* The boxes of all indices. False if there is no memory. */
static bool list_boxes(willow_world *world)
{
    wi_target_pairs *p = &world->pairs;
    if (!wi_array_reserve(&world->memory, &p->boxes, world->bodies.count)) return false;
    p->boxes.count = world->bodies.count;
    size_t index = 0;
    for (size_t i = 0; i < world->targets.count; i++) {
        const wi_query_body *target = &world->targets.items[i];
        while (index + 1 < target->shown->id.index1) p->boxes.items[index++] = wi_box_empty();
        p->boxes.items[index++] = target->bounds;
    }
    while (index < p->boxes.count) p->boxes.items[index++] = wi_box_empty();
    return true;
}

bool wi_target_pairs_follow(willow_world *world)
{
    wi_target_pairs *p = &world->pairs;
    p->is_true = false;
    wi_asked_count(&p->asked);
    if (!is_wanted(world)) {
        wi_target_pairs_free(world);
        return true;
    }
    if (!p->is_made) wi_kept_init(&p->kept, &world->memory, world->broad, world->kernel, 3);
    p->is_made = true;
    if (!list_boxes(world)) return false;
    const wi_kept_input input = {.boxes = p->boxes.items,
                                 .stride = sizeof *p->boxes.items,
                                 .count = (uint32_t)p->boxes.count};
    if (!wi_kept_update(&p->kept, &input)) return false;
    p->is_true = p->kept.pairs.count < UINT32_MAX;
    return true;
}

void wi_target_pairs_free(willow_world *world)
{
    wi_target_pairs *p = &world->pairs;
    if (p->is_made) wi_kept_free(&p->kept);
    wi_array_free(&world->memory, &p->boxes);
    p->is_made = p->is_true = false;
}

/* What is kept is what a phase that is made now would keep. Of fewer boxes wi_kept_validate has
 * compared all pairs. */
static const char *compare_with_fresh(const willow_world *world)
{
    enum { FEW = 1000 };
    const wi_target_pairs *p = &world->pairs;
    if (p->boxes.count <= FEW) return NULL;
    wi_memory *memory =
        (wi_memory *)&world->memory; /* its count of bytes is as it was in the end */
    wi_kept fresh;
    const wi_kept_input input = {.boxes = p->boxes.items,
                                 .stride = sizeof *p->boxes.items,
                                 .count = (uint32_t)p->boxes.count};
    wi_kept_init(&fresh, memory, world->broad, world->kernel, 3);
    const bool ok = wi_kept_update(&fresh, &input);
    const size_t count = fresh.pairs.count;
    const bool is_same = !ok || (count == p->kept.pairs.count &&
                                 (count == 0 || memcmp(fresh.pairs.items, p->kept.pairs.items,
                                                       count * sizeof *fresh.pairs.items) == 0));
    wi_kept_free(&fresh);
    return is_same ? NULL : "W10: other pairs of bodies are kept than a fresh broad phase finds";
}

const char *wi_target_pairs_validate(const willow_world *world)
{
    const wi_target_pairs *p = &world->pairs;
    if (!p->is_true) return NULL;
    if (p->boxes.count != world->bodies.count)
        return "W10: the broad phase has boxes for more or fewer bodies";
    for (size_t i = 0, target = 0; i < p->boxes.count; i++) {
        const bool lives = world->bodies.items[i] != NULL;
        const wi_box box = lives ? world->targets.items[target++].bounds : wi_box_empty();
        if (memcmp(&box, &p->kept.boxes[i], sizeof box) != 0)
            return "W10: the broad phase has another box of a body";
    }
    const char *broken = wi_kept_validate(&p->kept);
    return broken ? broken : compare_with_fresh(world);
}
