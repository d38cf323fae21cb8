/* kinetic.c - the memory of a kinetic tree. */
#include "update/kinetic/kinetic.h"

#include <string.h>

#include "base/check.h"
#include "tree/leaf_incidence.h"
#include "update/kinetic/locality.h"

static size_t kinetic_item_count(const wi_kinetic *k)
{
    return (size_t)k->node_count + k->leaf_count;
}

static size_t children(const wi_kinetic *k) { return (size_t)k->node_count * k->arity; }

static size_t kinetic_words(uint32_t count) { return ((size_t)count + 63) / 64; }

static void free_changes(wi_memory *memory, wi_path_changes *c)
{
    if (c->first_leaf)
        wi_free_array(memory, c->first_leaf, (size_t)c->place_count + 1, sizeof *c->first_leaf);
    wi_free_array(memory, c->leaves, c->leaf_entries, sizeof *c->leaves);
    wi_free_array(memory, c->is_changed, kinetic_words(c->place_count), sizeof *c->is_changed);
    wi_free_array(memory, c->places, c->place_count, sizeof *c->places);
    *c = (wi_path_changes){0};
}

void wi_kinetic_free(wi_memory *memory, wi_kinetic *k)
{
    wi_free_array(memory, k->items, kinetic_item_count(k), sizeof *k->items);
    wi_free_array(memory, k->lanes, k->node_count, sizeof *k->lanes);
    wi_free_array(memory, k->lanes_key, k->node_count, sizeof *k->lanes_key);
    wi_free_array(memory, k->children, children(k), sizeof *k->children);
    wi_free_array(memory, k->child_count, k->node_count, sizeof *k->child_count);
    wi_free_array(memory, k->ranks, kinetic_item_count(k), sizeof *k->ranks);
    wi_free_array(memory, k->key_boxes, k->node_count, sizeof *k->key_boxes);
    wi_queue_free(memory, &k->queue);
    wi_straight_boxes_free(memory, &k->straight);
    wi_boxtree_free(memory, &k->box);
    wi_packed_boxes_free(memory, &k->packed);
    free_changes(memory, &k->changes);
    wi_free_array(memory, k->boxes.items, k->boxes.room, sizeof *k->boxes.items);
    *k = (wi_kinetic){0};
}

size_t wi_kinetic_bytes(const wi_kinetic *k)
{
    const wi_path_changes *c = &k->changes;
    size_t bytes = wi_queue_bytes(&k->queue) + wi_straight_boxes_bytes(&k->straight) +
                   wi_boxtree_bytes(&k->box) + k->boxes.room * sizeof *k->boxes.items;
    if (k->items)
        bytes += kinetic_item_count(k) * (sizeof *k->items + sizeof *k->ranks) +
                 children(k) * sizeof *k->children +
                 k->node_count * (sizeof *k->child_count + sizeof *k->key_boxes);
    if (k->lanes) bytes += k->node_count * (sizeof *k->lanes + sizeof *k->lanes_key);
    if (c->places)
        bytes += kinetic_words(c->place_count) * sizeof *c->is_changed +
                 c->place_count * sizeof *c->places;
    if (c->leaves)
        bytes += ((size_t)c->place_count + 1) * sizeof *c->first_leaf +
                 c->leaf_entries * sizeof *c->leaves;
    return bytes;
}

static bool allocate_lanes(wi_memory *memory, wi_kinetic *k)
{
    if (k->arity != WI_LANES) return true;
    k->lanes = wi_alloc_array(memory, k->node_count, sizeof *k->lanes);
    k->lanes_key = wi_alloc_array(memory, k->node_count, sizeof *k->lanes_key);
    if (k->lanes_key) memset(k->lanes_key, 0, k->node_count * sizeof *k->lanes_key);
    return k->lanes && k->lanes_key;
}

static bool kinetic_allocate(wi_memory *memory, wi_kinetic *k)
{
    k->items = wi_alloc_array(memory, kinetic_item_count(k), sizeof *k->items);
    k->children = wi_alloc_array(memory, children(k), sizeof *k->children);
    k->child_count = wi_alloc_array(memory, k->node_count, sizeof *k->child_count);
    k->ranks = wi_alloc_array(memory, kinetic_item_count(k), sizeof *k->ranks);
    k->key_boxes = wi_alloc_array(memory, k->node_count, sizeof *k->key_boxes);
    return k->items && k->children && k->child_count && k->ranks && k->key_boxes;
}

/* Nodes follow their parents (I1). */
static void kinetic_find_family(const wi_tree *h, wi_kinetic *k)
{
    for (uint32_t node = 0; node < h->shape->node_count; node++) {
        const wi_node *view = &h->boxes.nodes[node];
        k->child_count[node] = view->count;
        for (unsigned lane = 0; lane < view->count; lane++) {
            const uint32_t first = view->leaf_mask >> lane & 1 ? h->shape->node_count : 0;
            const uint32_t item = first + view->child[lane];
            WI_ASSERT(lane < k->arity && item > node && item < kinetic_item_count(k));
            k->children[(size_t)k->arity * node + lane] = item;
            k->items[item].parent = node;
            k->items[item].depth = (uint8_t)(k->items[node].depth + 1);
            WI_ASSERT(k->items[item].depth < WI_MOST_DEPTH);
        }
    }
}

/* Numbers a kind of items, the deepest first, from `next` on; counts[depth] of them there are. */
static void kinetic_spread(uint32_t counts[WI_MOST_DEPTH], uint32_t next)
{
    for (unsigned depth = WI_MOST_DEPTH; depth-- > 0;) {
        const uint32_t count = counts[depth];
        counts[depth] = next;
        next += count;
    }
}

static void find_ranks(wi_kinetic *k)
{
    uint32_t leaves[WI_MOST_DEPTH] = {0}, nodes[WI_MOST_DEPTH] = {0};
    for (uint32_t item = 0; item < kinetic_item_count(k); item++)
        (item < k->node_count ? nodes : leaves)[k->items[item].depth]++;
    kinetic_spread(leaves, 0);
    kinetic_spread(nodes, k->leaf_count);
    for (uint32_t item = 0; item < kinetic_item_count(k); item++)
        k->ranks[item] = (item < k->node_count ? nodes : leaves)[k->items[item].depth]++;
}

bool wi_kinetic_make(wi_memory *memory, const wi_tree *h, wi_kinetic *k)
{
    wi_kinetic_free(memory, k);
    WI_ASSERT(h->shape->height + 1 < WI_MOST_DEPTH);
    k->node_count = h->shape->node_count;
    k->leaf_count = h->shape->leaf_count;
    k->arity = h->def.arity;
    if (!kinetic_allocate(memory, k) || !allocate_lanes(memory, k) ||
        !wi_queue_make(memory, &k->queue, (uint32_t)(WI_ENDS * kinetic_item_count(k)), k->ranks)) {
        wi_kinetic_free(memory, k);
        return false;
    }
    memset(k->items, 0, kinetic_item_count(k) * sizeof *k->items);
    kinetic_find_family(h, k);
    find_ranks(k);
    return true;
}

/* ---- changes ---- */

static bool allocate_leaves(wi_memory *memory, const wi_tree *h, wi_path_changes *c)
{
    c->leaf_entries = h->shape->leaf_vertex_count;
    c->first_leaf = wi_alloc_array(memory, (size_t)c->place_count + 1, sizeof *c->first_leaf);
    c->leaves = wi_alloc_array(memory, c->leaf_entries, sizeof *c->leaves);
    return c->first_leaf && c->leaves;
}

bool wi_kinetic_listen(wi_memory *memory, const wi_tree *h, wi_kinetic *k)
{
    wi_path_changes *c = &k->changes;
    const uint32_t places = h->mesh->vertex_count;
    if (!k->is_set_up || c->places || places == 0) return true;
    c->place_count = places;
    c->is_changed = wi_alloc_array(memory, kinetic_words(places), sizeof *c->is_changed);
    c->places = wi_alloc_array(memory, places, sizeof *c->places);
    bool ok = c->is_changed && c->places;
    if (ok && !k->straight.from) ok = allocate_leaves(memory, h, c);
    if (!ok) {
        free_changes(memory, c);
        return false;
    }
    memset(c->is_changed, 0, kinetic_words(places) * sizeof *c->is_changed);
    if (c->leaves) wi_leaves_by_place(h, c->place_count, c->first_leaf, c->leaves);
    return true;
}

/* Half as many as there are boxes: to look at more of them one by one is no cheaper than to look at
 * all. */
void wi_kinetic_report_boxes(wi_memory *memory, const wi_tree *h)
{
    wi_kinetic *k = wi_kinetic_of(h);
    const uint32_t room = (h->shape->node_count + h->shape->leaf_count) / 2 + 1;
    WI_ASSERT(k->is_set_up);
    if (k->boxes.items) return;
    k->boxes.items = wi_alloc_array(memory, room, sizeof *k->boxes.items);
    if (k->boxes.items) k->boxes.room = room;
}

void wi_kinetic_note(wi_kinetic *k, uint32_t place)
{
    wi_path_changes *c = &k->changes;
    if (!k->is_set_up || wi_kinetic_has_changed(k, place)) return;
    WI_ASSERT(c->places && place < c->place_count && c->count < c->place_count);
    c->is_changed[place / 64] |= UINT64_C(1) << place % 64;
    c->places[c->count++] = place;
}

void wi_kinetic_clear_changes(wi_kinetic *k)
{
    wi_path_changes *c = &k->changes;
    WI_ASSERT(c->count <= c->place_count);
    for (uint32_t i = 0; i < c->count; i++) c->is_changed[c->places[i] / 64] = 0;
    c->count = 0;
}

void wi_kinetic_forget(wi_kinetic *k)
{
    wi_kinetic_clear_changes(k);
    k->is_set_up = false;
}

const char *wi_kinetic_validate(const wi_tree *h, const wi_kinetic *k)
{
    if (!k->is_set_up) return NULL;
    if (k->straight.from) return wi_straight_boxes_validate(&k->straight, h);
    if (k->box.parts) return wi_boxtree_validate(h, k);
    if (k->node_count != h->shape->node_count || k->leaf_count != h->shape->leaf_count)
        return "K1: a kinetic tree is of another tree";
    for (size_t item = 0; item < kinetic_item_count(k); item++)
        if (k->items[item].check != 0 || k->items[item].due != 0)
            return "K2: an item is still to be looked at";
    return wi_queue_validate(&k->queue);
}

/* ---- the keeper ---- */

static void kinetic_free(wi_memory *memory, wi_tree *h, void *state)
{
    (void)h;
    wi_kinetic_free(memory, state);
    wi_free(memory, state, sizeof(wi_kinetic));
}

static void kinetic_forget(wi_memory *memory, wi_tree *h, void *state)
{
    (void)h;
    wi_kinetic_free(memory, state);
}

static size_t kinetic_bytes(const void *state)
{
    const wi_kinetic *k = state;
    return wi_kinetic_bytes(k) + wi_packed_boxes_bytes(&k->packed);
}

static const char *kinetic_validate(const wi_tree *h, const void *state)
{
    return wi_kinetic_validate(h, state);
}

static bool kinetic_reserve_path_changes(wi_memory *memory, const wi_tree *h, void *state)
{
    return wi_kinetic_listen(memory, h, state);
}

static void kinetic_note_path(void *state, uint32_t place) { wi_kinetic_note(state, place); }

static void kinetic_forget_paths(void *state) { wi_kinetic_forget(state); }

static wi_survey_hints kinetic_survey_hints(const void *state)
{
    const wi_kinetic *k = state;
    return (wi_survey_hints){.last_node = k->packed.last_node, .margin_since = UINT64_MAX};
}

static bool kinetic_stats(wi_memory *memory, const wi_tree *h, const void *state,
                          willow_kinetic_stats *out)
{
    const wi_kinetic *k = state;
    wi_locality locality;
    if (!wi_kinetic_locality(memory, h, k, &locality)) return false;
    out->certificates = k->is_set_up ? k->queue.count : 0;
    out->bytes = wi_kinetic_bytes(k);
    out->certificates_per_vertex = locality.mean;
    out->certificates_per_vertex_most = locality.most;
    return true;
}

const wi_keeper_ops wi_kinetic_keeper = {.name = "kinetic",
                                         .free = kinetic_free,
                                         .forget = kinetic_forget,
                                         .bytes = kinetic_bytes,
                                         .validate = kinetic_validate,
                                         .checks_nodes = true,
                                         .reserve_path_changes = kinetic_reserve_path_changes,
                                         .note_path = kinetic_note_path,
                                         .forget_paths = kinetic_forget_paths,
                                         .survey_hints = kinetic_survey_hints,
                                         .kinetic_stats = kinetic_stats};
