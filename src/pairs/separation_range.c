/* separation_range.c - for which time the boxes of a list go straight, and how.
 *
 * Way in: wi_sep_set_range. Straight boxes do so until the end of their span. Ends of boxes do
 * until the next keyframe; without keyframes for as long as what is far away can be told in floats,
 * and parabolas are next to straight. That an end becomes another vertex meanwhile is a change of
 * one box (separation_changes.c). */
#include <float.h>
#include <math.h>

#include "base/check.h"
#include "base/larger.h"
#include "pairs/separation_keeper.h"
#include "update/kinetic/certificates.h"
#include "update/kinetic/straight_spans.h"

static bool has_chords(const wi_tree *h)
{
    const wi_kinetic *k = wi_kinetic_found(h);
    return k && k->straight.from;
}

static bool has_ends(const wi_tree *h)
{
    const wi_kinetic *k = wi_kinetic_found(h);
    return k && k->items && !k->straight.from;
}

wi_sep_way wi_separation_way_of(const wi_tree *h)
{
    if (has_chords(h)) return WI_SEP_STRAIGHT;
    return has_ends(h) ? WI_SEP_ENDS : WI_SEP_STANDS;
}

bool wi_separation_suits(const wi_tree *a, const wi_tree *b)
{
    const wi_tree *const both[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        const wi_mesh *mesh = both[i]->mesh;
        if (both[i]->boxes.nodes == NULL || wi_mesh_pose(mesh)) return false;
        if (wi_shape_is_grown(both[i]->shape)) return false; /* its nodes change between updates */
        if (wi_mesh_has_paths(mesh) && wi_separation_way_of(both[i]) == WI_SEP_STANDS) return false;
    }
    return wi_separation_way_of(a) != WI_SEP_STANDS || wi_separation_way_of(b) != WI_SEP_STANDS;
}

/* What does not follow a plan stands until it is another state. */
uint64_t wi_sep_state_of(const wi_tree *h)
{
    return wi_separation_way_of(h) == WI_SEP_STANDS ? h->boxes.revision
                                                    : wi_kinetic_of(h)->boxes.course;
}

uint32_t wi_sep_changes_of(const wi_tree *h)
{
    return wi_separation_way_of(h) == WI_SEP_STANDS ? 0 : wi_kinetic_of(h)->boxes.count;
}

/* ---- each way ---- */

/* The time that boxes go straight for, how much wider they are, and the largest coordinate: what is
 * in them is rounded where it comes to, which may be far from where it is now. */
typedef struct reach {
    double since, until, width, size;
    bool has_ends; /* of one side, whose courses begin now */
} reach;

static void meet_range(reach *r, double since, double until)
{
    r->since = wi_larger(r->since, since);
    r->until = until < r->until ? until : r->until;
}

static double straight_size(const wi_tree *h)
{
    const wi_straight_boxes *c = &wi_kinetic_of(h)->straight;
    const double ends = wi_larger(wi_padded_box_size(&c->from[0]), wi_padded_box_size(&c->to[0]));
    return wi_larger(h->boxes.size, ends);
}

/* For its own inexactness, and for rounding in looks (geom/gaps8.h). */
static double straight_need(const wi_tree *h)
{
    return wi_straight_boxes_width(h) + 0x1p-20 * straight_size(h);
}

static void reach_straight(const wi_tree *h, wi_sep_course *course, reach *r)
{
    double since, until;
    wi_straight_boxes_range(h, &since, &until);
    course->need = straight_need(h);
    r->width += wi_straight_boxes_width(h);
    r->size = wi_larger(r->size, straight_size(h));
    if (until > since) meet_range(r, since, until); /* else it stands */
}

/* Far from its start a path stands, which is no straight line. */
static bool may_stand(const wi_plan *plan, double time)
{
    const double most = WI_PLAN_LONGEST / 4.0;
    return plan->paths &&
           !(fabs(time - plan->first_since) < most && fabs(time - plan->last_since) < most);
}

/* Until the fastest vertex has gone some times as far as the largest coordinate is, so that floats
 * tell where boxes are at both ends; and no longer than parabolas are next to straight. */
static double horizon_of(const wi_tree *h, double now)
{
    const double close_to_straight = 1.0 / 128.0; /* of the body, for 8 times the bulge */
    const wi_plan *plan = wi_mesh_plan(h->mesh);
    const wi_box *box = &h->boxes.bounds;
    double extent = 0.0;
    for (int axis = 0; axis < 3; axis++)
        extent = wi_larger(extent, (double)box->upper[axis] - (double)box->lower[axis]);
    const double a = plan->top_acceleration;
    const double v = plan->top_speed + a * wi_larger(0.0, now - plan->first_since);
    const double far = v > 0.0 ? 8.0 * wi_box_size(box) / v : (double)INFINITY;
    const double bent = a > 0.0 ? sqrt(close_to_straight * extent / a) : (double)INFINITY;
    const double least = far < bent ? far : bent;
    return now + (least < (double)INFINITY ? least : 1.0 + fabs(now));
}

static void reach_ends(const wi_tree *h, wi_sep_course *course, reach *r)
{
    const wi_plan *plan = wi_mesh_plan(h->mesh);
    const wi_moment *now = wi_mesh_moment(h->mesh);
    const double corner = wi_plan_until(plan, now);
    const double horizon =
        plan->paths || !(corner < (double)INFINITY) ? horizon_of(h, now->time) : (double)INFINITY;
    const double until = corner < horizon ? corner : horizon;
    course->need = 0.0;
    r->has_ends = true;
    meet_range(r, now->time, may_stand(plan, now->time) ? now->time : until);
}

/* ---- all ---- */

/* Half as much again, and more: changes of paths need not make all boxes wider. */
static double margin_of(const wi_tree *h, double since, double until)
{
    const double width = wi_larger(wi_kinetic_width(h, since), wi_kinetic_width(h, until));
    return 2.0 * width + 0x1p-22 * h->boxes.size;
}

/* Boxes of a body that stands are the same as before. */
static void set_course(wi_sep_keeper *keep, int side)
{
    const wi_separation *list = keep->list;
    wi_sep_course *course = &keep->list->courses[side];
    const wi_tree *h = keep->h[side];
    const bool is_straight = course->way == WI_SEP_STRAIGHT;
    const double first = is_straight ? wi_straight_boxes_share(h, list->since) : 0.0;
    const double last = is_straight ? wi_straight_boxes_share(h, list->until) : 1.0;
    if (course->way == WI_SEP_ENDS || course->state != wi_sep_state_of(h) ||
        course->seen != wi_sep_changes_of(h) || course->shares[0] != first ||
        course->shares[1] != last)
        course->range++;
    course->state = wi_sep_state_of(h);
    course->seen = wi_sep_changes_of(h);
    course->shares[0] = first;
    course->shares[1] = last;
    course->margin = 0.0;
    if (course->way != WI_SEP_ENDS) return;
    course->first = wi_plan_moment(wi_mesh_plan(h->mesh), list->since);
    course->last = wi_plan_moment(wi_mesh_plan(h->mesh), list->until);
    course->margin = margin_of(h, list->since, list->until);
}

void wi_sep_set_range(wi_sep_keeper *keep)
{
    wi_separation *list = keep->list;
    reach r = {.since = -(double)INFINITY, .until = (double)INFINITY};
    for (int side = 0; side < 2; side++) {
        const wi_tree *h = keep->h[side];
        wi_sep_course *course = &list->courses[side];
        course->way = wi_separation_way_of(h);
        if (course->way == WI_SEP_STANDS) r.size = wi_larger(r.size, h->boxes.size);
        if (course->way == WI_SEP_STRAIGHT) reach_straight(h, course, &r);
        if (course->way == WI_SEP_ENDS) reach_ends(h, course, &r);
    }
    list->since = r.since;
    list->until = r.until;
    if (!(list->until - list->since <= DBL_MAX))
        list->since = list->until = r.has_ends ? r.since : 0.0;
    for (int side = 0; side < 2; side++) set_course(keep, side);
    const double widen = r.width + 0x1p-20 * r.size;
    WI_ASSERT(list->since <= list->until && widen >= 0.0);
    list->widen =
        widen < (double)FLT_MAX / 4.0 ? (float)widen * (1.0F + 0x1p-20F) + FLT_MIN : FLT_MAX / 4.0F;
}

/* ---- changes ---- */

bool wi_sep_widen_course(wi_sep_keeper *keep, int side)
{
    const wi_separation *list = keep->list;
    const wi_tree *h = keep->h[side];
    wi_sep_course *course = &keep->list->courses[side];
    if (course->way == WI_SEP_ENDS)
        return wi_larger(wi_kinetic_width(h, list->since), wi_kinetic_width(h, list->until)) <=
               course->margin;
    course->margin = wi_larger(course->margin, straight_need(h) - course->need);
    return course->margin < (double)FLT_MAX / 4.0;
}
