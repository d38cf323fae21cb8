/* watch_list.c - separation lists of watches: kept in updates, told about by events.
 *
 * Ways in: wi_watches_run_out and wi_watches_follow, from the update. A list needs boxes of which
 * it is known where they go, in one frame: bodies of KINETIC_AABB without a pose, or beside them
 * bodies that stand. Where it cannot be kept, the watch has none, and answers as others do.
 *
 * Whoever wants to hear of events wants to hear when they were. So bodies go to the time of an
 * update by stops then (wi_watches_find_stop): all of a watch to the first time at which boxes of
 * one of them take another course, and from there to the next.
 *
 * AUTO has one for two bodies while that pays: while fewer pairs of nodes are looked at in updates
 * than queries would have looked at, had they begun at the roots. Within a body it does not: there
 * searches pass over what cannot fold. All of this follows from counts (C10). */
#include <math.h>

#include "base/check.h"
#include "base/larger.h"
#include "world/world.h"

/* Updates between two looks at whether a list pays; those without it after it did not, or had no
 * room within the limit, for the first time. */
enum { UPDATES_PER_LOOK = 16, UPDATES_WITHOUT = 16 };

typedef struct two_trees {
    const wi_tree *a, *b;
    bool is_put;     /* one of them is to be elsewhere, and that at once */
    bool is_unbuilt; /* one of them is to be another tree */
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
    *out = (two_trees){&a->geometry->tree, &b->geometry->tree, is_put(a) || is_put(b),
                       a->state == WI_BODY_UNBUILT || b->state == WI_BODY_UNBUILT};
    return true;
}

/* ---- stops ---- */

static void clear_stops(willow_world *world)
{
    for (size_t i = 0; i < world->bodies.count; i++)
        if (world->bodies.items[i]) world->bodies.items[i]->makes_stops = false;
}

/* The bodies of a watch that tells events, and has a list, stop where boxes take another course. */
static void join_stops(willow_watch *watch, double time)
{
    willow_world *world = watch->world;
    two_trees of;
    watch->makes_stops = watch->def.events && find_trees(watch, &of) && !of.is_unbuilt &&
                         wi_separation_makes_stops(&watch->list, of.a, of.b, time);
    if (!watch->makes_stops) return;
    wi_body_get(world, watch->a, &world->message)->makes_stops = true;
    wi_body_get(world, watch->b, &world->message)->makes_stops = true;
}

/* The first stop may be now, where paths have changed: what changes later depends on them. */
static double earliest_stop(const willow_world *world, double time)
{
    double stop = time;
    for (size_t i = 0; i < world->watches.count; i++) {
        const willow_watch *watch = world->watches.items[i];
        two_trees of;
        if (!watch->makes_stops || !find_trees(watch, &of)) continue;
        stop = wi_smaller(stop, wi_separation_next_stop(&watch->list, of.a, of.b, of.is_put, time));
    }
    return stop;
}

bool wi_watches_find_stop(willow_world *world, double time, double *last)
{
    const bool is_first = !(*last > -(double)INFINITY);
    if (world->watches.count == 0) return false;
    if (is_first) {
        clear_stops(world);
        for (size_t i = 0; i < world->watches.count; i++) join_stops(world->watches.items[i], time);
    }
    const double stop = earliest_stop(world, time);
    if (!(stop < time) || !(stop > *last)) return false;
    *last = stop;
    return true;
}

void wi_watches_run_out(willow_world *world, double time, bool is_stop)
{
    for (size_t i = 0; i < world->watches.count; i++) {
        willow_watch *watch = world->watches.items[i];
        two_trees of;
        if ((is_stop && !watch->makes_stops) || !find_trees(watch, &of)) continue;
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

static void listen(willow_world *world, const wi_tree *h)
{
    if (wi_separation_way_of(h) != WI_SEP_STANDS) wi_kinetic_report_boxes(&world->memory, h);
}

/* All lists have seen which boxes changed: those that are listed next are the first again. */
static void forget_changes(willow_watch *watch)
{
    two_trees of;
    if (!find_trees(watch, &of)) return;
    const wi_tree *const both[2] = {of.a, of.b};
    for (int side = 0; side < 2; side++) {
        watch->list.courses[side].seen = 0;
        if (wi_separation_way_of(both[side]) != WI_SEP_STANDS)
            wi_kinetic_of(both[side])->boxes.count = 0;
    }
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
    if (wi_separation_follow(&world->memory, world->kernel, list, of->a, of->b, false)) {
        listen(world, of->a);
        listen(world, of->b);
        wi_front_drop(&world->memory, &watch->front);
        look_at_list(watch);
    } else if (list->is_over) {
        pause(watch);
    }
}

void wi_watches_follow_stop(willow_world *world)
{
    for (size_t i = 0; i < world->watches.count; i++) {
        willow_watch *watch = world->watches.items[i];
        two_trees of;
        if (!watch->makes_stops || !find_trees(watch, &of)) continue;
        if (wi_separation_suits(of.a, of.b))
            (void)wi_separation_follow(&world->memory, world->kernel, &watch->list, of.a, of.b,
                                       true);
        else
            wi_separation_free(&world->memory, &watch->list);
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
    for (size_t i = 0; i < world->watches.count; i++) forget_changes(world->watches.items[i]);
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
