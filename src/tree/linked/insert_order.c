/* insert_order.c - neighbours among new triangles are found in a table of their vertices.
 *
 * After Otaduy and others 2007, section 4.1. Neighbours share a vertex; those that share an edge
 * with what is there already come first, since they are wanted beside it. */
#include "tree/linked/insert_order.h"

#include <string.h>

#include "base/check.h"

/* Corners of new triangles by vertex: lists in a table with open addressing. */
typedef struct new_corners {
    wi_insert_order *order;
    const wi_tree *h;
    uint32_t *slots; /* new triangles, each once */
    uint32_t *first; /* by place in the table: a corner */
    uint32_t *next;  /* by corner */
    bool *is_listed; /* by new triangle */
    uint32_t count, table_room;
} new_corners;

static uint32_t vertex_of(const new_corners *n, uint32_t corner)
{
    return n->h->mesh->tris[n->slots[corner / 3]][corner % 3];
}

static uint32_t place_of(const new_corners *n, uint32_t vertex)
{
    uint32_t at = (uint32_t)((vertex * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & (n->table_room - 1);
    while (n->first[at] != WI_NO_LINK && vertex_of(n, n->first[at]) != vertex)
        at = (at + 1) & (n->table_room - 1);
    return at;
}

static bool is_new(const wi_tree *h, uint32_t slot)
{
    return wi_mesh_has_tri(h->mesh, slot) && wi_mesh_collides(h->mesh, slot) &&
           h->shape->links->leaf_of[slot] == WI_NO_LINK;
}

/* Some slots are named several times: a triangle whose corner is listed already is known. */
static bool is_known(const new_corners *n, uint32_t slot)
{
    const uint32_t place = place_of(n, n->h->mesh->tris[slot][0]);
    for (uint32_t c = n->first[place]; c != WI_NO_LINK; c = n->next[c])
        if (n->slots[c / 3] == slot) return true;
    return false;
}

static void add_slot(new_corners *n, uint32_t slot)
{
    const uint32_t number = n->count++;
    n->slots[number] = slot;
    n->is_listed[number] = false;
    for (uint32_t c = 3 * number; c < 3 * number + 3; c++) {
        const uint32_t place = place_of(n, vertex_of(n, c));
        n->next[c] = n->first[place];
        n->first[place] = c;
    }
}

static void list_one(new_corners *n, uint32_t number)
{
    if (n->is_listed[number]) return;
    n->is_listed[number] = true;
    n->order->slots[n->order->count++] = n->slots[number];
}

/* How many of its vertices leaves have. */
static int count_there(const new_corners *n, uint32_t number)
{
    int count = 0;
    for (uint32_t c = 3 * number; c < 3 * number + 3; c++)
        count += n->h->shape->links->first_entry[vertex_of(n, c)] != WI_NO_LINK;
    return count;
}

static uint32_t find_number(const new_corners *n, uint32_t slot)
{
    uint32_t c = n->first[place_of(n, n->h->mesh->tris[slot][0])];
    while (n->slots[c / 3] != slot) c = n->next[c];
    return c / 3;
}

/* On from what is listed and was not looked at yet. */
static void list_reached(new_corners *n, size_t from)
{
    for (size_t i = from; i < n->order->count; i++) {
        const uint32_t number = find_number(n, n->order->slots[i]);
        for (uint32_t corner = 3 * number; corner < 3 * number + 3; corner++) {
            uint32_t c = n->first[place_of(n, vertex_of(n, corner))];
            for (; c != WI_NO_LINK; c = n->next[c]) list_one(n, c / 3);
        }
    }
}

static void search(new_corners *n)
{
    for (int shared = 3; shared > 0; shared--)
        for (uint32_t i = 0; i < n->count; i++)
            if (count_there(n, i) == shared) list_one(n, i);
    list_reached(n, 0);
    for (uint32_t i = 0; i < n->count; i++) {
        const size_t from = n->order->count;
        list_one(n, i);
        list_reached(n, from);
    }
    WI_ASSERT(n->order->count == n->count);
}

bool wi_insert_order_make(wi_memory *memory, const wi_tree *h, const uint32_t *slots, size_t count,
                          wi_insert_order *out)
{
    new_corners n = {.order = out, .h = h, .table_room = 16};
    uint64_t room = 16;
    size_t wanted = 0;
    *out = (wi_insert_order){.slots = NULL};
    for (size_t i = 0; i < count; i++) wanted += is_new(h, slots[i]);
    if (wanted == 0) return true;
    while (room < 6 * (uint64_t)wanted) room *= 2;
    if (room > UINT32_MAX / 2) return false;
    n.table_room = (uint32_t)room;
    out->room = wanted;
    out->slots = wi_alloc_array(memory, wanted, sizeof *out->slots);
    n.slots = wi_alloc_array(memory, wanted, sizeof *n.slots);
    n.next = wi_alloc_array(memory, 3 * wanted, sizeof *n.next);
    n.is_listed = wi_alloc_array(memory, wanted, sizeof *n.is_listed);
    n.first = wi_alloc_array(memory, n.table_room, sizeof *n.first);
    const bool fine = out->slots && n.slots && n.next && n.is_listed && n.first;
    if (fine) memset(n.first, 0xFF, n.table_room * sizeof *n.first);
    for (size_t i = 0; fine && i < count; i++)
        if (is_new(h, slots[i]) && !is_known(&n, slots[i])) add_slot(&n, slots[i]);
    if (fine) search(&n);
    wi_free_array(memory, n.slots, wanted, sizeof *n.slots);
    wi_free_array(memory, n.next, 3 * wanted, sizeof *n.next);
    wi_free_array(memory, n.is_listed, wanted, sizeof *n.is_listed);
    wi_free_array(memory, n.first, n.table_room, sizeof *n.first);
    return fine;
}

void wi_insert_order_free(wi_memory *memory, wi_insert_order *order)
{
    wi_free_array(memory, order->slots, order->room, sizeof *order->slots);
    *order = (wi_insert_order){.slots = NULL};
}
