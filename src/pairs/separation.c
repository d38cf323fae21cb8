/* separation.c - keeps separation lists: when their pairs are looked at.
 *
 * Ways in: wi_separation_run_out, then wi_separation_follow, in every update. Events are taken in
 * the order of their times only if somebody wants to hear of them; else each pair that has one is
 * looked at once, as it is at the end of the step. */
#include "pairs/separation.h"

#include <float.h>
#include <math.h>

#include "base/check.h"
#include "base/larger.h"
#include "pairs/separation_keeper.h"
#include "update/kinetic/straight_spans.h"

/* ---- time ---- */

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
        list->counts.events++;
        if (list->logs) list->at = (float)event.time;
        if (!wi_sep_look_down(keep, event.slot)) return false;
    }
    list->at = until;
    return true;
}

static bool has_chords(const wi_tree *h)
{
    const wi_kinetic *k = wi_kinetic_found(h);
    return k && k->straight.from;
}

/* Where there are no chords a body stands until it is another state. */
static uint64_t separation_course_of(const wi_tree *h)
{
    return has_chords(h) ? wi_kinetic_of(h)->straight.course : h->boxes.revision;
}

/* The largest coordinate of a tree while its boxes go straight. What is in them is rounded where it
 * comes to, which may be far from where it is now. */
static double size_of_course(const wi_tree *h)
{
    if (!has_chords(h)) return h->boxes.size;
    const wi_straight_boxes *c = &wi_kinetic_of(h)->straight;
    return wi_larger(h->boxes.size,
                     wi_larger(wi_padded_box_size(&c->from[0]), wi_padded_box_size(&c->to[0])));
}

/* Boxes of a body that stands are the same as before. */
static void set_side(wi_sep_keeper *keep, int side)
{
    wi_separation *list = keep->list;
    const wi_tree *h = keep->h[side];
    const double first = has_chords(h) ? wi_straight_boxes_share(h, list->since) : 0.0;
    const double last = has_chords(h) ? wi_straight_boxes_share(h, list->until) : 1.0;
    double *shares = list->shares[side];
    if (list->course[side] != separation_course_of(h) || shares[0] != first || shares[1] != last)
        list->range[side]++;
    list->course[side] = separation_course_of(h);
    shares[0] = first;
    shares[1] = last;
}

/* The time that the boxes of both go straight for. */
static void set_range(wi_sep_keeper *keep)
{
    wi_separation *list = keep->list;
    double width = 0.0, size = 0.0;
    list->since = -(double)INFINITY;
    list->until = (double)INFINITY;
    for (int side = 0; side < 2; side++) {
        const wi_tree *h = keep->h[side];
        size = wi_larger(size, size_of_course(h));
        if (!has_chords(h)) continue;
        double since, until;
        wi_straight_boxes_range(h, &since, &until);
        width += wi_straight_boxes_width(h);
        if (!(until > since)) continue; /* it stands */
        list->since = wi_larger(list->since, since);
        list->until = until < list->until ? until : list->until;
    }
    if (!(list->until - list->since <= DBL_MAX)) list->since = list->until = 0.0;
    for (int side = 0; side < 2; side++) set_side(keep, side);
    const double widen = width + 0x1p-20 * size;
    WI_ASSERT(list->since <= list->until && widen >= 0.0);
    list->widen =
        widen < (double)FLT_MAX / 4.0 ? (float)widen * (1.0F + 0x1p-20F) + FLT_MIN : FLT_MAX / 4.0F;
}

/* ---- the whole ---- */

bool wi_separation_suits(const wi_tree *a, const wi_tree *b)
{
    const wi_tree *const both[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        const wi_mesh *mesh = both[i]->mesh;
        if (both[i]->boxes.nodes == NULL || wi_mesh_pose(mesh)) return false;
        if (wi_mesh_has_paths(mesh) && !has_chords(both[i])) return false;
    }
    return has_chords(a) || has_chords(b);
}

/* Whether it is about these trees, if not as they are now. */
static bool is_about(const wi_separation *list, const wi_tree *a, const wi_tree *b)
{
    return list->structure[0] != 0 && list->structure[0] == a->shape->structure &&
           list->structure[1] == b->shape->structure;
}

bool wi_separation_is_true(const wi_separation *list, const wi_tree *a, const wi_tree *b)
{
    return is_about(list, a, b) && list->course[0] == separation_course_of(a) &&
           list->course[1] == separation_course_of(b);
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

/* No path has changed, and what the chords were made of is there. */
static bool is_steady(const wi_tree *h)
{
    if (!has_chords(h)) return !wi_mesh_has_paths(h->mesh);
    return wi_mesh_has_paths(h->mesh) && wi_kinetic_of(h)->is_set_up &&
           wi_kinetic_of(h)->changes.count == 0;
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
    list->log_until = list->seen = time < list->until ? time : list->until;
    return run_until(&keep, wi_separation_at(list, list->seen)) || separation_fail(&keep);
}

/* Boxes have another course from the time on that it was true for last, or from a later one. */
static bool separation_renew(wi_sep_keeper *keep)
{
    wi_separation *list = keep->list;
    set_range(keep);
    list->counts.renewals++;
    const bool goes = list->until > list->since;
    list->has_gap = list->has_gap || !goes || list->since > list->seen;
    list->at = wi_separation_at(list, goes ? wi_larger(list->since, list->seen) : list->since);
    /* A search leaves what belongs together side by side, but says nothing of what was before. */
    if (!list->logs) return wi_sep_search(keep);
    wi_queue_clear(&list->queue);
    return wi_sep_look_at_all(keep);
}

bool wi_separation_follow(wi_memory *memory, willow_kernel kernel, wi_separation *list,
                          const wi_tree *a, const wi_tree *b)
{
    wi_sep_keeper keep = wi_sep_keeper_of(memory, kernel, list, a, b);
    const double time =
        wi_mesh_has_paths(a->mesh) ? wi_mesh_moment(a->mesh)->time : wi_mesh_moment(b->mesh)->time;
    bool ok = true;
    list->is_under_way = list->is_ahead = false;
    list->log_since = list->seen;
    list->log_until = time;
    if (!is_about(list, a, b) || time < list->seen) {
        /* What meets, begins to meet now: nothing is known of the time before. */
        list->log.count = 0;
        list->log_since = time;
        set_range(&keep);
        list->at = wi_separation_at(list, time);
        list->seen = time;
        ok = separation_start(&keep);
    } else if (!wi_separation_is_true(list, a, b)) {
        ok = separation_renew(&keep);
    }
    if (ok && time > list->seen) ok = run_until(&keep, wi_separation_at(list, time));
    if (!ok) return separation_fail(&keep);
    list->structure[0] = a->shape->structure;
    list->structure[1] = b->shape->structure;
    list->seen = time;
    WI_ASSERT_SLOW(wi_separation_validate(list, kernel, a, b) == NULL);
    return true;
}
