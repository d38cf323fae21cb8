/* separation.c - keeps separation lists: when their pairs are looked at.
 *
 * Ways in: wi_separation_run_out, then wi_separation_follow, in every update. Events are taken in
 * the order of their times only if somebody wants to hear of them; else each pair that has one is
 * looked at once, as it is at the end of the step. */
#include "pairs/separation.h"

#include "base/check.h"
#include "base/larger.h"
#include "pairs/separation_keeper.h"
#include "update/kinetic/certificates.h"

/* ---- time ---- */

static void count_entries(wi_separation_counts *counts, uint64_t looked_at)
{
    counts->event_entries += looked_at;
    if (looked_at > counts->most_entries) counts->most_entries = looked_at;
}

/* One after the other, or all at the end. In checked builds a small list is compared with a search
 * after every event, before the next one at a later time. */
static bool run_until(wi_sep_keeper *keep, float until)
{
    WI_ASSERT(keep->list->todo.count == 0);
    enum { FEW_PAIRS = 64 };
    wi_separation *list = keep->list;
    wi_event event;
    if (!list->logs) list->at = until;
    while (list->logs ? wi_queue_take(&list->queue, (double)until, &event)
                      : wi_queue_take_any(&list->queue, (double)until, &event)) {
        WI_ASSERT_SLOW(!list->logs || (float)event.time == list->at ||
                       list->pair_count > FEW_PAIRS ||
                       wi_separation_validate_pairs(list, keep->kernel, keep->h[0], keep->h[1],
                                                    event.slot) == NULL);
        const uint64_t before = list->counts.entries;
        list->counts.events++;
        if (list->logs) list->at = (float)event.time;
        if (!wi_sep_look_down(keep, event.slot)) return false;
        count_entries(&list->counts, list->counts.entries - before);
    }
    list->at = until;
    return true;
}

/* ---- the whole ---- */

/* Whether it is about these trees, if not as they are now. */
static bool is_about(const wi_separation *list, const wi_tree *a, const wi_tree *b)
{
    return list->structure[0] != 0 && list->structure[0] == a->shape->structure &&
           list->structure[1] == b->shape->structure;
}

/* But for single boxes. */
static bool goes_as_before(const wi_sep_course *course, const wi_tree *h)
{
    return course->way == wi_separation_way_of(h) && course->state == wi_sep_state_of(h);
}

bool wi_separation_is_true(const wi_separation *list, const wi_tree *a, const wi_tree *b)
{
    return is_about(list, a, b) && goes_as_before(&list->courses[0], a) &&
           goes_as_before(&list->courses[1], b) && list->courses[0].seen == wi_sep_changes_of(a) &&
           list->courses[1].seen == wi_sep_changes_of(b);
}

static bool separation_start(wi_sep_keeper *keep)
{
    keep->list->counts.starts++;
    keep->list->is_within = keep->h[0] == keep->h[1];
    return wi_sep_start_broods(keep) && wi_sep_search(keep);
}

static bool separation_fail(wi_sep_keeper *keep)
{
    wi_separation_free(keep->memory, keep->list);
    keep->list->has_gap = true;
    return false;
}

/* No path has changed, and what boxes follow is there. */
static bool is_steady(const wi_tree *h)
{
    if (wi_separation_way_of(h) == WI_SEP_STANDS) return !wi_mesh_has_paths(h->mesh);
    return wi_mesh_has_paths(h->mesh) && wi_kinetic_of(h)->is_set_up &&
           wi_kinetic_of(h)->changes.count == 0;
}

/* When a box takes another course next, for all that is known now, or a time before that. */
static double first_change(const wi_separation *list, const wi_tree *a, const wi_tree *b,
                           double time)
{
    const wi_tree *const both[2] = {a, b};
    double next = time;
    if (list->until > list->since) next = wi_smaller(next, list->until);
    for (int side = 0; side < 2; side++)
        if (list->courses[side].way == WI_SEP_ENDS)
            next = wi_smaller(next, wi_kinetic_next_event(both[side]));
    return wi_larger(next, list->seen);
}

static bool follows_ends(const wi_separation *list)
{
    return list->courses[0].way == WI_SEP_ENDS || list->courses[1].way == WI_SEP_ENDS;
}

bool wi_separation_makes_stops(const wi_separation *list, const wi_tree *a, const wi_tree *b,
                               double time)
{
    return list->logs && time > list->seen && wi_separation_is_true(list, a, b);
}

/* So many times the time that boxes go straight for that nobody wants to stop after each. */
static bool is_long_way(const wi_separation *list, double time)
{
    const double most_stops = 4096.0;
    return !(time - list->seen <= most_stops * (list->until - list->since));
}

double wi_separation_next_stop(const wi_separation *list, const wi_tree *a, const wi_tree *b,
                               bool is_put, double time)
{
    if (!wi_separation_makes_stops(list, a, b, time)) return time;
    const double next = first_change(list, a, b, time);
    const bool waits = is_put || !is_steady(a) || !is_steady(b);
    if (waits) return next < time || follows_ends(list) ? list->seen : time;
    if (next >= list->until && is_long_way(list, time)) return time;
    return next > list->seen ? next : time;
}

bool wi_separation_run_out(wi_memory *memory, willow_kernel kernel, wi_separation *list,
                           const wi_tree *a, const wi_tree *b, bool is_put, double time)
{
    wi_sep_keeper keep = wi_sep_keeper_of(memory, kernel, list, a, b);
    const bool goes_on = !is_put && is_steady(a) && is_steady(b);
    if (list->is_ahead && !goes_on) return separation_fail(&keep);
    if (!list->is_under_way) {
        list->log.count = 0;
        list->has_gap = false;
    }
    list->is_under_way = true;
    if (!list->logs || !goes_on || !wi_separation_is_true(list, a, b)) return true;
    if (!(list->until > list->since) || !(time > list->seen)) return true;
    list->is_ahead = true;
    list->log_since = list->seen;
    list->log_until = list->seen = first_change(list, a, b, time);
    return run_until(&keep, wi_separation_at(list, list->seen)) || separation_fail(&keep);
}

/* Boxes have another course from the time on that it was true for last, or from a later one. */
static bool separation_renew(wi_sep_keeper *keep)
{
    wi_separation *list = keep->list;
    wi_sep_set_range(keep);
    list->counts.renewals++;
    const bool goes = list->until > list->since;
    list->has_gap = list->has_gap || !goes || list->since > list->seen;
    list->at = wi_separation_at(list, goes ? wi_larger(list->since, list->seen) : list->since);
    /* A search leaves what belongs together side by side, but says nothing of what was before. */
    if (!list->logs) return wi_sep_search(keep);
    wi_queue_clear(&list->queue);
    return wi_sep_look_at_all(keep);
}

/* It is about other boxes: all have another course, or end where they were known to go. */
static bool is_past(const wi_separation *list, const wi_tree *a, const wi_tree *b, double time)
{
    if (!goes_as_before(&list->courses[0], a) || !goes_as_before(&list->courses[1], b)) return true;
    return follows_ends(list) && time >= list->until && time > list->since;
}

/* Some boxes have another course: chords from the time on that it was true for last, ends from now
 * on, or from a time in between that is not known. */
static bool separation_catch_up(wi_sep_keeper *keep, double time)
{
    wi_separation *list = keep->list;
    for (int side = 0; side < 2; side++) {
        const wi_sep_course *course = &list->courses[side];
        if (course->seen == wi_sep_changes_of(keep->h[side])) continue;
        const bool is_late = list->logs && course->way == WI_SEP_ENDS && time > list->seen;
        if (is_late || !wi_sep_widen_course(keep, side)) return separation_renew(keep);
    }
    list->at = wi_separation_at(list, list->logs ? list->seen : time);
    return wi_sep_look_at_changes(keep);
}

bool wi_separation_follow(wi_memory *memory, willow_kernel kernel, wi_separation *list,
                          const wi_tree *a, const wi_tree *b, bool is_stop)
{
    wi_sep_keeper keep = wi_sep_keeper_of(memory, kernel, list, a, b);
    const double time =
        wi_mesh_has_paths(a->mesh) ? wi_mesh_moment(a->mesh)->time : wi_mesh_moment(b->mesh)->time;
    bool ok = true;
    list->is_under_way = is_stop;
    list->is_ahead = false;
    list->log_since = list->seen;
    list->log_until = time;
    if (!is_about(list, a, b) || time < list->seen) {
        /* What meets, begins to meet now: nothing is known of the time before. */
        list->log.count = 0;
        list->log_since = time;
        wi_sep_set_range(&keep);
        list->at = wi_separation_at(list, time);
        list->seen = time;
        ok = separation_start(&keep);
    } else if (is_past(list, a, b, time)) {
        ok = separation_renew(&keep);
    } else if (!wi_separation_is_true(list, a, b)) {
        ok = separation_catch_up(&keep, time);
    }
    if (ok && time > list->seen) ok = run_until(&keep, wi_separation_at(list, time));
    if (!ok) return separation_fail(&keep);
    list->structure[0] = a->shape->structure;
    list->structure[1] = b->shape->structure;
    list->seen = time;
    WI_ASSERT_SLOW(wi_separation_validate(list, kernel, a, b) == NULL);
    return true;
}
