/* swept_boxes.c - sorts boxes along an axis and compares each with those that begin inside it.
 * Way in: swept_visit_between, swept_visit_within. */
#include "swept_boxes.h"

#include <stdlib.h>

typedef struct numbered_box {
    swept_box box; /* the axis of the sweep comes first */
    uint32_t number;
} numbered_box;

swept_box swept_box_of(const double (*start)[3], const double (*end)[3], const uint32_t *vertices,
                       int vertex_count)
{
    swept_box box;
    for (int axis = 0; axis < 3; axis++) {
        box.lower[axis] = box.upper[axis] = start[vertices[0]][axis];
        for (int i = 0; i < vertex_count; i++) {
            const double at[2] = {start[vertices[i]][axis], end[vertices[i]][axis]};
            for (int k = 0; k < 2; k++) {
                if (at[k] < box.lower[axis]) box.lower[axis] = at[k];
                if (at[k] > box.upper[axis]) box.upper[axis] = at[k];
            }
        }
    }
    return box;
}

/* Where boxes are short against the whole. */
static int best_axis(const swept_box *boxes, uint32_t count)
{
    double shares[3];
    for (int axis = 0; axis < 3; axis++) {
        double lower = boxes[0].lower[axis], upper = boxes[0].upper[axis], sum = 0;
        for (uint32_t i = 0; i < count; i++) {
            if (boxes[i].lower[axis] < lower) lower = boxes[i].lower[axis];
            if (boxes[i].upper[axis] > upper) upper = boxes[i].upper[axis];
            sum += boxes[i].upper[axis] - boxes[i].lower[axis];
        }
        shares[axis] = upper > lower ? sum / (upper - lower) : count;
    }
    const int best = shares[1] < shares[0] ? 1 : 0;
    return shares[2] < shares[best] ? 2 : best;
}

static int compare_boxes(const void *a, const void *b)
{
    const double x = ((const numbered_box *)a)->box.lower[0],
                 y = ((const numbered_box *)b)->box.lower[0];
    return (x > y) - (x < y);
}

/* Sorted copies, with the axis first; NULL for want of memory. */
static numbered_box *sort_boxes(const swept_box *boxes, uint32_t count, int axis)
{
    numbered_box *sorted = calloc((size_t)count + 1, sizeof *sorted);
    if (sorted == NULL) return NULL;
    for (uint32_t i = 0; i < count; i++) {
        sorted[i].number = i;
        for (int k = 0; k < 3; k++) {
            sorted[i].box.lower[k] = boxes[i].lower[(axis + k) % 3];
            sorted[i].box.upper[k] = boxes[i].upper[(axis + k) % 3];
        }
    }
    qsort(sorted, count, sizeof *sorted, compare_boxes);
    return sorted;
}

static bool overlap_across(const swept_box *a, const swept_box *b)
{
    return a->lower[1] <= b->upper[1] && b->lower[1] <= a->upper[1] && a->lower[2] <= b->upper[2] &&
           b->lower[2] <= a->upper[2];
}

/* The first that begins at `from`, or only behind it, among those from `first` on. */
static uint32_t skip_before(const numbered_box *boxes, uint32_t first, uint32_t count, double from,
                            bool only_behind)
{
    while (first < count &&
           (boxes[first].box.lower[0] < from || (only_behind && boxes[first].box.lower[0] == from)))
        first++;
    return first;
}

typedef struct sides {
    const numbered_box *boxes, *others;
    uint32_t count, other_count;
    bool are_swapped; /* `boxes` are b */
} sides;

/* Each box with the others that begin inside it. Two that begin together are met once, from one of
 * the two sides. */
static void visit_side(const sides *s, swept_visitor *visit, void *context)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        const swept_box *box = &s->boxes[i].box;
        first = skip_before(s->others, first, s->other_count, box->lower[0], s->are_swapped);
        for (uint32_t k = first; k < s->other_count && s->others[k].box.lower[0] <= box->upper[0];
             k++) {
            if (!overlap_across(box, &s->others[k].box)) continue;
            const uint32_t one = s->boxes[i].number, other = s->others[k].number;
            visit(context, s->are_swapped ? other : one, s->are_swapped ? one : other);
        }
    }
}

bool swept_visit_between(const swept_box *a, uint32_t a_count, const swept_box *b, uint32_t b_count,
                         swept_visitor *visit, void *context)
{
    if (a_count == 0 || b_count == 0) return true;
    const int axis = best_axis(b, b_count);
    numbered_box *sorted_a = sort_boxes(a, a_count, axis), *sorted_b = sort_boxes(b, b_count, axis);
    const bool is_fine = sorted_a != NULL && sorted_b != NULL;
    if (is_fine) {
        visit_side(&(sides){sorted_a, sorted_b, a_count, b_count, false}, visit, context);
        visit_side(&(sides){sorted_b, sorted_a, b_count, a_count, true}, visit, context);
    }
    free(sorted_a);
    free(sorted_b);
    return is_fine;
}

bool swept_visit_within(const swept_box *boxes, uint32_t count, swept_visitor *visit, void *context)
{
    if (count == 0) return true;
    numbered_box *sorted = sort_boxes(boxes, count, best_axis(boxes, count));
    if (sorted == NULL) return false;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = i + 1; k < count && sorted[k].box.lower[0] <= sorted[i].box.upper[0];
             k++) {
            const uint32_t a = sorted[i].number, b = sorted[k].number;
            if (overlap_across(&sorted[i].box, &sorted[k].box))
                visit(context, a < b ? a : b, a < b ? b : a);
        }
    free(sorted);
    return true;
}
