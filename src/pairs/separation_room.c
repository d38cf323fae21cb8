/* separation_room.c - the memory of a separation list, and its limit.
 *
 * Ways in: wi_sep_grow, wi_sep_get_brood. A list whose user set a limit is given up before it holds
 * more than that, at whatever it grows (wi_separation.is_over). */
#include <string.h>

#include "base/check.h"
#include "base/kernel.h"
#include "pairs/separation_keeper.h"

extern wi_sep_fill wi_sep_fill_scalar, wi_sep_fill_avx2;
extern wi_sep_look wi_sep_look_scalar, wi_sep_look_avx2;

wi_sep_keeper wi_sep_keeper_of(wi_memory *memory, willow_kernel kernel, wi_separation *list,
                               const wi_tree *a, const wi_tree *b)
{
    return (wi_sep_keeper){.memory = memory,
                           .list = list,
                           .h = {a, b},
                           .kernel = kernel,
                           .fill = WI_KERNELS_FOR(kernel, sep_fill),
                           .look = WI_KERNELS_FOR(kernel, sep_look)};
}

void wi_separation_free(wi_memory *memory, wi_separation *list)
{
    for (int side = 0; side < 2; side++) {
        wi_array_free(memory, &list->broods[side]);
        wi_array_free(memory, &list->boxes[side]);
        wi_free_array(memory, list->brood_of[side], list->node_count[side],
                      sizeof *list->brood_of[side]);
        wi_free_array(memory, list->lane_of[side], list->item_count[side],
                      sizeof *list->lane_of[side]);
        list->brood_of[side] = list->lane_of[side] = NULL;
        list->node_count[side] = list->item_count[side] = 0;
    }
    wi_array_free(memory, &list->pairs);
    wi_array_free(memory, &list->todo);
    wi_array_free(memory, &list->due);
    wi_array_free(memory, &list->log);
    wi_queue_free(memory, &list->queue);
    list->structure[0] = list->structure[1] = 0;
    list->is_ahead = false;
    list->free_pair = WI_NO_PAIR;
    list->leaf_pairs = list->pair_count = list->entry_count = 0;
}

static size_t brood_bytes(const wi_separation *list, int side)
{
    return list->broods[side].capacity * sizeof(wi_brood) +
           list->boxes[side].capacity * sizeof(wi_brood_boxes) +
           list->node_count[side] * sizeof *list->brood_of[side] +
           list->item_count[side] * sizeof *list->lane_of[side];
}

size_t wi_separation_bytes(const wi_separation *list)
{
    return brood_bytes(list, 0) + brood_bytes(list, 1) +
           list->pairs.capacity * sizeof *list->pairs.items +
           list->todo.capacity * sizeof *list->todo.items +
           list->due.capacity * sizeof *list->due.items +
           list->log.capacity * sizeof *list->log.items + wi_queue_bytes(&list->queue);
}

/* Whether so many bytes more may be had. */
static bool room_is_within_limit(wi_separation *list, size_t bytes)
{
    const size_t held = wi_separation_bytes(list);
    list->is_over =
        list->max_bytes > 0 && (held > list->max_bytes || bytes > list->max_bytes - held);
    return !list->is_over;
}

/* Growing holds the old block until the new one is filled. */
bool wi_sep_may_push(wi_separation *list, size_t count, size_t capacity, size_t item_bytes)
{
    if (count < capacity) return true;
    return room_is_within_limit(list, (capacity < 8 ? 8 : capacity + capacity / 2) * item_bytes);
}

bool wi_sep_grow(wi_sep_keeper *keep)
{
    wi_separation *list = keep->list;
    const size_t room = list->pairs.capacity < 64 ? 64 : 2 * list->pairs.capacity;
    const size_t per_pair = sizeof(wi_sep_pair) + 3 * sizeof(uint32_t) + sizeof(wi_event_cell);
    if (room >= UINT32_MAX / 2 || !room_is_within_limit(list, room * per_pair)) return false;
    if (!wi_array_reserve(keep->memory, &list->pairs, room)) return false;
    const uint32_t slots = (uint32_t)list->pairs.capacity;
    return wi_queue_widen(keep->memory, &list->queue, slots) &&
           wi_queue_reserve(keep->memory, &list->queue, slots - list->queue.count);
}

/* ---- broods ---- */

/* Whose lanes the boxes of a brood are: each box is one of one brood. */
static void note_lanes(wi_separation *list, int at, uint32_t number)
{
    const wi_brood *brood = &list->broods[at].items[number];
    for (unsigned lane = 0; lane < brood->count; lane++) {
        const uint32_t first = brood->leaf_mask >> lane & 1 ? list->node_count[at] : 0;
        const uint32_t item = first + brood->child[lane];
        WI_ASSERT(item < list->item_count[at] && list->lane_of[at][item] == 0);
        list->lane_of[at][item] = number * WI_LANES + lane + 1;
    }
}

bool wi_sep_get_brood(wi_sep_keeper *keep, int side, uint32_t node, uint32_t *number)
{
    wi_separation *list = keep->list;
    const int at = list->is_within ? 0 : side;
    WI_ASSERT(node < list->node_count[at]);
    uint32_t *known = &list->brood_of[at][node];
    if (*known == 0) {
        const wi_brood brood = wi_brood_below(keep->h[side], node);
        const wi_brood_boxes unknown = {.range = 0, .first_pair = {WI_NO_PAIR, WI_NO_PAIR}};
        if (!wi_sep_may_push(list, list->broods[at].count, list->broods[at].capacity,
                             sizeof brood + sizeof unknown))
            return false;
        if (!wi_array_push(keep->memory, &list->broods[at], brood) ||
            !wi_array_push(keep->memory, &list->boxes[at], unknown))
            return false;
        *known = (uint32_t)list->broods[at].count;
        note_lanes(list, at, *known - 1);
    }
    *number = *known - 1;
    return true;
}

/* An array of so many numbers, all 0; it may be there, with as many or others. */
static bool start_numbers(wi_sep_keeper *keep, uint32_t **numbers, uint32_t *has, uint32_t count)
{
    if (*has != count) {
        wi_free_array(keep->memory, *numbers, *has, sizeof **numbers);
        *numbers = NULL;
        *has = 0;
        if (!room_is_within_limit(keep->list, count * sizeof **numbers)) return false;
        *numbers = wi_alloc_array(keep->memory, count, sizeof **numbers);
        if (*numbers == NULL) return false;
        *has = count;
    }
    memset(*numbers, 0, count * sizeof **numbers);
    return true;
}

bool wi_sep_start_broods(wi_sep_keeper *keep)
{
    wi_separation *list = keep->list;
    for (int side = 0; side < (list->is_within ? 1 : 2); side++) {
        const wi_shape *shape = keep->h[side]->shape;
        list->broods[side].count = list->boxes[side].count = 0;
        if (!start_numbers(keep, &list->brood_of[side], &list->node_count[side],
                           shape->node_count) ||
            !start_numbers(keep, &list->lane_of[side], &list->item_count[side],
                           shape->node_count + shape->leaf_count))
            return false;
    }
    return true;
}
