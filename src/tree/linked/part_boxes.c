/* part_boxes.c - tries all places along all three axes. */
#include "tree/linked/part_boxes.h"

#include <string.h>

#include "base/check.h"

static void sort_along(const wi_box *boxes, const uint32_t *keys, unsigned count, int axis,
                       uint8_t *order)
{
    double centre[WI_MOST_PARTED];
    for (unsigned i = 0; i < count; i++) {
        const double c = (double)boxes[i].lower[axis] + (double)boxes[i].upper[axis];
        unsigned at = i;
        for (; at > 0; at--) {
            const uint8_t before = order[at - 1];
            if (centre[before] < c || (centre[before] == c && keys[before] < keys[i])) break;
            order[at] = before;
        }
        centre[i] = c;
        order[at] = (uint8_t)i;
    }
}

/* The work of the last boxes from each place on. */
static void sum_behind(const wi_box *boxes, const uint8_t *order, unsigned count, double *behind)
{
    wi_box box = wi_box_empty();
    for (unsigned i = count; i-- > 0;) {
        wi_box_add_box(&box, &boxes[order[i]]);
        behind[i] = wi_box_half_area(&box) * (count - i);
    }
}

unsigned wi_part_boxes(const wi_box *boxes, const uint32_t *keys, unsigned count, unsigned least,
                       uint8_t *order)
{
    uint8_t along[WI_MOST_PARTED];
    double behind[WI_MOST_PARTED], best_work = INFINITY;
    unsigned best = 0;
    WI_ASSERT(count <= WI_MOST_PARTED && least > 0 && 2 * least <= count);
    for (int axis = 0; axis < 3; axis++) {
        wi_box box = wi_box_empty();
        sort_along(boxes, keys, count, axis, along);
        sum_behind(boxes, along, count, behind);
        for (unsigned i = 1; i <= count - least; i++) {
            wi_box_add_box(&box, &boxes[along[i - 1]]);
            if (i < least) continue;
            const double work = wi_box_half_area(&box) * i + behind[i];
            if (best != 0 && !(work < best_work)) continue;
            best_work = work;
            best = i;
            memcpy(order, along, count);
        }
    }
    return best;
}
