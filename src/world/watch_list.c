/* watch_list.c - separation lists of watches: kept in updates, told about by events.
 *
 * Ways in: wi_watches_run_out and wi_watches_follow, from the update. A list needs boxes that go
 * straight in one frame: bodies of KINETIC_AABB without events and without a pose, or beside them
 * bodies that stand. Where it cannot be kept, the watch has none, and answers as others do.
 *
 * AUTO has one for two bodies while that pays: while fewer pairs of nodes are looked at in updates
 * than queries would have looked at, had they begun at the roots. Within a body it does not: there
 * searches pass over what cannot fold. All of this follows from counts (C10). */
#include "base/check.h"
#include "world/world.h"

/* Updates between two looks at whether a list pays; those without it after it did not, or had no
 * room within the limit, for the first time. */
enum { UPDATES_PER_LOOK = 16, UPDATES_WITHOUT = 16 };

typedef struct two_trees {
    const wi_tree *a, *b;
    bool is_put; /* one of them is to be elsewhere, and that at once */
} two_trees;

static bool is_put(const wi_body *body)
{
    return !wi_mesh_has_paths(&body->geometry->mesh) && body->state >= WI_BODY_DIRTY;
}

static bool wants_list(const willow_watch *watch)
{
    const bool is_of_two = watch->a.index1 != watch->b.index1;
    return watch->def.kind == WILLOW_WATCH_LIST ||
           (watch->def.kind == WILLOW_WATCH_AUTO && is_of_two);
}

/* False if one of them is gone, or if the watch wants no list. */
static bool find_trees(const willow_watch *watch, two_trees *out)
{
    const wi_body *a = wi_body_find(watch->world, watch->a);
    const wi_body *b = wi_body_find(watch->world, watch->b);
    if (a == NULL || b == NULL || !wants_list(watch)) return false;
    *out = (two_trees){&a->geometry->tree, &b->geometry->tree, is_put(a) || is_put(b)};
    return true;
}

void wi_watches_run_out(willow_world *world, double time)
{
    for (size_t i = 0; i < world->watches.count; i++) {
        willow_watch *watch = world->watches.items[i];
        two_trees of;
        if (!find_trees(watch, &of)) continue;
        (void)wi_separation_run_out(&world->memory, world->kernel, &watch->list, of.a, of.b,
                                    of.is_put, time);
    }
}

/* Goes on without a list for a while. */
static void pause(willow_watch *watch)
{
    WI_ASSERT(wi_backoff_is_due(&watch->list_tries));
    wi_backoff_failed(&watch->list_tries, UPDATES_WITHOUT);
    wi_separation_free(&watch->world->memory, &watch->list);
}

/* After every few updates of a list of AUTO: does it pay? */
static void look_at_list(willow_watch *watch)
{
    const wi_separation *list = &watch->list;
    if (watch->def.kind != WILLOW_WATCH_AUTO || ++watch->list_updates < UPDATES_PER_LOOK) return;
    WI_ASSERT(list->counts.looks >= watch->list_looks && watch->searched >= watch->list_queries);
    const uint64_t spent = list->counts.looks - watch->list_looks;
    const uint64_t saved = (watch->searched - watch->list_queries) * list->pair_count;
    watch->list_updates = 0;
    watch->list_looks = list->counts.looks;
    watch->list_queries = watch->searched;
    if (spent > saved)
        pause(watch);
    else
        wi_backoff_succeeded(&watch->list_tries);
}

/* A list replaces a front. They share a limit; one that was too low for a list is tried again some
 * updates later. */
static void follow(willow_world *world, willow_watch *watch, const two_trees *of)
{
    wi_separation *list = &watch->list;
    if (!wi_backoff_is_due(&watch->list_tries)) {
        (void)wi_backoff_step(&watch->list_tries);
        return;
    }
    if (watch->def.max_bytes > 0) wi_front_drop(&world->memory, &watch->front);
    if (wi_separation_follow(&world->memory, world->kernel, list, of->a, of->b)) {
        wi_front_drop(&world->memory, &watch->front);
        look_at_list(watch);
    } else if (list->is_over) {
        pause(watch);
    }
}

void wi_watches_follow(willow_world *world)
{
    for (size_t i = 0; i < world->watches.count; i++) {
        willow_watch *watch = world->watches.items[i];
        two_trees of;
        if (find_trees(watch, &of) && wi_separation_suits(of.a, of.b))
            follow(world, watch, &of);
        else
            wi_separation_free(&world->memory, &watch->list);
    }
}

bool wi_watch_has_list(const willow_watch *watch)
{
    two_trees of;
    return find_trees(watch, &of) && wi_separation_is_true(&watch->list, of.a, of.b);
}

const char *wi_watch_validate_list(const willow_watch *watch)
{
    two_trees of;
    if (!wi_watch_has_list(watch) || !find_trees(watch, &of)) return NULL;
    return wi_separation_validate(&watch->list, watch->world->kernel, of.a, of.b);
}

willow_result willow_watch_events(const willow_watch *watch, willow_leaf_events *out)
{
    if (out == NULL) return WILLOW_BAD_ARGUMENT;
    *out = (willow_leaf_events){0};
    const wi_separation *list = &watch->list;
    if (watch->world->is_stale) return WILLOW_STALE;
    if (!watch->def.events || !wi_watch_has_list(watch)) return WILLOW_UNSUPPORTED;
    *out = (willow_leaf_events){
        .items = list->log.items, .count = list->log.count, .complete = !list->has_gap};
    return WILLOW_OK;
}
