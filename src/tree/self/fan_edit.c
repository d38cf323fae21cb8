/* fan_edit.c - the fan of one vertex goes and comes, in the groups of a linked tree.
 *
 * Groups stay full but for one of each length: the last fan of that one takes the lane of a fan
 * that goes. What groups of a length that are gone had for room waits in a list, whose links are
 * the first numbers of each. */
#include <string.h>

#include "base/check.h"
#include "tree/self/fan_order.h"
#include "tree/self/self_edit.h"

static size_t numbers_of(const wi_fan_group *group)
{
    return (size_t)WI_LANES * (1 + wi_fan_points(group) + group->length);
}

/* ---- which vertex has which fan ---- */

/* Of those at one spot the first stands for the others. Some may be removed already, in the edit
 * that is to follow. */
static uint32_t *list_vertices_at(wi_memory *memory, const wi_mesh *mesh)
{
    uint32_t *at = wi_alloc_array(memory, mesh->vertex_count, sizeof *at);
    for (uint32_t vertex = mesh->vertex_count; at && vertex-- > 0;)
        at[wi_mesh_spot(mesh, vertex)] = vertex;
    return at;
}

static void index_fans(wi_tree *h, const uint32_t *vertex_at)
{
    const wi_vertex_fans *fans = &h->shape->self->fans;
    wi_self_edit *e = h->shape->self->edit;
    for (uint32_t i = 0; i < fans->groups.count; i++) {
        const wi_fan_group *group = &fans->groups.items[i];
        for (unsigned lane = 0; lane < group->count; lane++) {
            const uint32_t vertex = vertex_at[wi_fan_centres(fans, group)[lane]];
            e->fan_of[vertex] = i * WI_LANES + lane;
            e->fan_vertices.items[i * WI_LANES + lane] = vertex;
        }
        if (group->count < WI_LANES) e->open_group[group->is_closed][group->length] = i + 1;
    }
    for (uint32_t i = 0; i < fans->odd.count; i++) {
        const uint32_t vertex = vertex_at[fans->odd.items[i].centre];
        e->fan_of[vertex] = i | WI_ODD_FAN;
        e->odd_vertices.items[i] = vertex;
    }
}

bool wi_fan_edit_begin(wi_memory *memory, wi_tree *h)
{
    const wi_vertex_fans *fans = &h->shape->self->fans;
    wi_self_edit *e = h->shape->self->edit;
    uint32_t *vertex_at = list_vertices_at(memory, h->mesh);
    const bool ok =
        vertex_at &&
        wi_array_reserve(memory, &e->fan_vertices, fans->groups.capacity * WI_LANES + WI_LANES) &&
        wi_array_reserve(memory, &e->odd_vertices, fans->odd.capacity + 1);
    if (ok) {
        e->fan_vertices.count = fans->groups.count * WI_LANES;
        e->odd_vertices.count = fans->odd.count;
        e->live_odd_slots = fans->odd_slots.count;
        index_fans(h, vertex_at);
    }
    wi_free_array(memory, vertex_at, h->mesh->vertex_count, sizeof *vertex_at);
    return ok;
}

/* ---- a fan goes ---- */

static void move_group(wi_tree *h, uint32_t from, uint32_t to)
{
    wi_vertex_fans *fans = &h->shape->self->fans;
    wi_self_edit *e = h->shape->self->edit;
    const wi_fan_group group = fans->groups.items[from];
    uint32_t *open = &e->open_group[group.is_closed][group.length];
    fans->groups.items[to] = group;
    for (unsigned lane = 0; lane < group.count; lane++) {
        const uint32_t vertex = e->fan_vertices.items[from * WI_LANES + lane];
        e->fan_vertices.items[to * WI_LANES + lane] = vertex;
        e->fan_of[vertex] = to * WI_LANES + lane;
    }
    if (*open == from + 1) *open = to + 1;
}

/* One without fans: the last takes its number, and its room waits. */
static void end_group(wi_tree *h, uint32_t number)
{
    wi_vertex_fans *fans = &h->shape->self->fans;
    wi_self_edit *e = h->shape->self->edit;
    const wi_fan_group gone = fans->groups.items[number];
    size_t *room = &e->free_numbers[gone.is_closed][gone.length];
    WI_ASSERT(gone.count == 0);
    memcpy(fans->numbers.items + gone.first, room, sizeof *room);
    *room = gone.first + 1;
    e->open_group[gone.is_closed][gone.length] = 0;
    const uint32_t last = (uint32_t)--fans->groups.count;
    e->fan_vertices.count -= WI_LANES;
    if (number != last) move_group(h, last, number);
}

static void copy_lane(wi_vertex_fans *fans, const wi_fan_group *from, unsigned lane,
                      const wi_fan_group *to, unsigned to_lane)
{
    const size_t rows = numbers_of(from) / WI_LANES;
    WI_ASSERT(numbers_of(to) == numbers_of(from));
    for (size_t row = 0; row < rows; row++)
        fans->numbers.items[to->first + row * WI_LANES + to_lane] =
            fans->numbers.items[from->first + row * WI_LANES + lane];
}

/* Lanes past the last repeat the first. */
static void fill_lanes(wi_vertex_fans *fans, const wi_fan_group *group)
{
    for (unsigned lane = group->count; lane < WI_LANES && group->count > 0; lane++)
        copy_lane(fans, group, 0, group, lane);
}

static void remove_lane(wi_tree *h, uint32_t at)
{
    wi_vertex_fans *fans = &h->shape->self->fans;
    wi_self_edit *e = h->shape->self->edit;
    const uint32_t number = at / WI_LANES;
    wi_fan_group *group = &fans->groups.items[number];
    uint32_t *open = &e->open_group[group->is_closed][group->length];
    if (*open == 0) *open = number + 1;
    const uint32_t giver_number = *open - 1;
    wi_fan_group *giver = &fans->groups.items[giver_number];
    const unsigned last = --giver->count;
    const uint32_t from = giver_number * WI_LANES + last;
    if (from != at) {
        const uint32_t vertex = e->fan_vertices.items[from];
        copy_lane(fans, giver, last, group, at % WI_LANES);
        e->fan_vertices.items[at] = vertex;
        e->fan_of[vertex] = at;
    }
    fill_lanes(fans, giver);
    if (giver->count == 0) end_group(h, giver_number);
}

static void remove_odd(wi_tree *h, uint32_t number)
{
    wi_vertex_fans *fans = &h->shape->self->fans;
    wi_self_edit *e = h->shape->self->edit;
    const uint32_t last = (uint32_t)--fans->odd.count;
    const wi_odd_fan *gone = &fans->odd.items[number];
    e->live_odd_slots -= gone->last - gone->first;
    e->odd_vertices.count--;
    if (number == last) return;
    fans->odd.items[number] = fans->odd.items[last];
    e->odd_vertices.items[number] = e->odd_vertices.items[last];
    e->fan_of[e->odd_vertices.items[number]] = number | WI_ODD_FAN;
}

static void remove_fan(wi_tree *h, uint32_t vertex)
{
    wi_self_edit *e = h->shape->self->edit;
    const uint32_t at = e->fan_of[vertex];
    e->fan_of[vertex] = WI_NO_FAN;
    if (at == WI_NO_FAN) return;
    if ((at & WI_ODD_FAN) != 0)
        remove_odd(h, at & ~WI_ODD_FAN);
    else
        remove_lane(h, at);
}

/* ---- a fan comes ---- */

/* Of this length: room of one that is gone, or behind all others. */
static bool begin_group(wi_memory *memory, wi_tree *h, const wi_fan *fan)
{
    wi_vertex_fans *fans = &h->shape->self->fans;
    wi_self_edit *e = h->shape->self->edit;
    size_t *room = &e->free_numbers[fan->is_closed][fan->length];
    wi_fan_group group = {.first = *room > 0 ? *room - 1 : fans->numbers.count,
                          .length = (uint8_t)fan->length,
                          .is_closed = fan->is_closed};
    const size_t size = numbers_of(&group);
    if (!wi_array_reserve(memory, &fans->numbers, fans->numbers.count + size) ||
        !wi_array_reserve(memory, &e->fan_vertices, e->fan_vertices.count + WI_LANES) ||
        !wi_array_push(memory, &fans->groups, group))
        return false;
    if (*room > 0)
        memcpy(room, fans->numbers.items + group.first, sizeof *room);
    else
        fans->numbers.count += size;
    e->fan_vertices.count += WI_LANES;
    e->open_group[fan->is_closed][fan->length] = (uint32_t)fans->groups.count;
    return true;
}

static bool add_fan(wi_memory *memory, wi_tree *h, const wi_fan *fan)
{
    wi_vertex_fans *fans = &h->shape->self->fans;
    wi_self_edit *e = h->shape->self->edit;
    uint32_t *open = &e->open_group[fan->is_closed][fan->length];
    if (*open == 0 && !begin_group(memory, h, fan)) return false;
    const uint32_t number = *open - 1;
    wi_fan_group *group = &fans->groups.items[number];
    const unsigned lane = group->count++;
    WI_ASSERT(lane < WI_LANES && group->length == fan->length);
    wi_fan_write(h->mesh, fans->numbers.items + group->first + lane, group, fan);
    if (lane == 0) fill_lanes(fans, group);
    e->fan_of[fan->centre] = number * WI_LANES + lane;
    e->fan_vertices.items[number * WI_LANES + lane] = fan->centre;
    if (group->count == WI_LANES) *open = 0;
    return true;
}

/* Slots of fans that are gone give their room to those that are there. */
static bool gather_odd_slots(wi_memory *memory, wi_tree *h)
{
    wi_vertex_fans *fans = &h->shape->self->fans;
    wi_vertex_fans fresh = {0};
    if (!wi_array_reserve(memory, &fresh.odd_slots, h->shape->self->edit->live_odd_slots + 1))
        return false;
    for (uint32_t i = 0; i < fans->odd.count; i++) {
        wi_odd_fan *odd = &fans->odd.items[i];
        const uint32_t first = (uint32_t)fresh.odd_slots.count, count = odd->last - odd->first;
        memcpy(fresh.odd_slots.items + first, fans->odd_slots.items + odd->first,
               count * sizeof *fresh.odd_slots.items);
        fresh.odd_slots.count += count;
        odd->first = first;
        odd->last = first + count;
    }
    wi_array_free(memory, &fans->odd_slots);
    fans->odd_slots = fresh.odd_slots;
    return true;
}

/* Calls for each triangle of the tree that has a vertex: how many there are, and up to so many of
 * their slots. */
static uint32_t list_slots_at(const wi_tree *h, uint32_t vertex, uint32_t *slots, uint32_t most)
{
    const wi_shape *s = h->shape;
    const wi_links *l = s->links;
    uint32_t count = 0;
    for (uint32_t at = l->first_entry[vertex]; at != WI_NO_LINK; at = l->next_entry[at]) {
        const wi_leaf *leaf = &s->leaves[at / l->entries_per_leaf];
        const uint8_t number = (uint8_t)(at % l->entries_per_leaf);
        for (unsigned tri = 0; tri < leaf->tri_count; tri++) {
            const uint8_t *corner = s->corners[leaf->first_tri + tri];
            if (corner[0] != number && corner[1] != number && corner[2] != number) continue;
            if (count < most) slots[count] = s->slots[leaf->first_tri + tri];
            count++;
        }
    }
    return count;
}

static bool add_odd_fan(wi_memory *memory, wi_tree *h, uint32_t vertex, uint32_t count)
{
    enum { FEW = 1024 };
    wi_vertex_fans *fans = &h->shape->self->fans;
    wi_self_edit *e = h->shape->self->edit;
    if (fans->odd_slots.count > 2 * e->live_odd_slots + FEW && !gather_odd_slots(memory, h))
        return false;
    const uint32_t first = (uint32_t)fans->odd_slots.count;
    if (!wi_array_reserve(memory, &fans->odd_slots, (size_t)first + count) ||
        !wi_array_push(memory, &e->odd_vertices, vertex))
        return false;
    (void)list_slots_at(h, vertex, fans->odd_slots.items + first, count);
    fans->odd_slots.count += count;
    e->live_odd_slots += count;
    e->fan_of[vertex] = (uint32_t)fans->odd.count | WI_ODD_FAN;
    const wi_odd_fan odd = {wi_mesh_spot(h->mesh, vertex), first, first + count};
    return wi_array_push(memory, &fans->odd, odd);
}

/* So that a fan does not depend on which leaf has which of its triangles. */
static void sort_slots(uint32_t *slots, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const uint32_t slot = slots[i];
        uint32_t at = i;
        for (; at > 0 && slots[at - 1] > slot; at--) slots[at] = slots[at - 1];
        slots[at] = slot;
    }
}

bool wi_fan_edit_vertex(wi_memory *memory, wi_tree *h, uint32_t vertex)
{
    uint32_t slots[WI_MAX_FAN];
    wi_fan fan;
    WI_ASSERT(vertex < h->shape->self->edit->vertex_room);
    remove_fan(h, vertex);
    const uint32_t count = list_slots_at(h, vertex, slots, WI_MAX_FAN);
    if (count == 0) return true;
    if (count > WI_MAX_FAN) return add_odd_fan(memory, h, vertex, count);
    sort_slots(slots, count);
    if (!wi_fan_order(h->mesh, vertex, slots, count, &fan))
        return add_odd_fan(memory, h, vertex, count);
    return count == 1 || add_fan(memory, h, &fan); /* a triangle alone has no neighbours here */
}

/* ---- is it all true? ---- */

static const char *validate_vertex(const wi_tree *h, uint32_t vertex)
{
    const wi_vertex_fans *fans = &h->shape->self->fans;
    const wi_self_edit *e = h->shape->self->edit;
    const uint32_t at = e->fan_of[vertex], count = list_slots_at(h, vertex, NULL, 0);
    if (at == WI_NO_FAN) return count < 2 ? NULL : "I13: a vertex has no fan";
    const bool is_odd = (at & WI_ODD_FAN) != 0;
    const uint32_t number = is_odd ? at & ~WI_ODD_FAN : at / WI_LANES;
    if (number >= (is_odd ? fans->odd.count : fans->groups.count) ||
        (is_odd ? e->odd_vertices.items[number] : e->fan_vertices.items[at]) != vertex)
        return "I13: a vertex has the fan of another";
    const wi_odd_fan *odd = &fans->odd.items[number];
    const wi_fan_group *group = &fans->groups.items[number];
    const uint32_t length = is_odd ? odd->last - odd->first : group->length;
    const wi_spot centre = is_odd ? odd->centre : wi_fan_centres(fans, group)[at % WI_LANES];
    return length == count && centre == wi_mesh_spot(h->mesh, vertex)
               ? NULL
               : "I13: a fan has other triangles than its vertex";
}

const char *wi_fan_edit_validate(const wi_tree *h)
{
    const wi_vertex_fans *fans = &h->shape->self->fans;
    const wi_self_edit *e = h->shape->self->edit;
    const char *broken = NULL;
    size_t fan_count = fans->odd.count, found = 0;
    for (uint32_t i = 0; i < fans->groups.count; i++) fan_count += fans->groups.items[i].count;
    for (uint32_t vertex = 0; vertex < h->mesh->vertex_count && broken == NULL; vertex++) {
        broken = validate_vertex(h, vertex);
        found += e->fan_of[vertex] != WI_NO_FAN;
    }
    if (broken == NULL && found != fan_count) broken = "I13: a fan is of no vertex";
    return broken;
}
