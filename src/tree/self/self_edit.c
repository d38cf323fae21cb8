/* self_edit.c - what an edit says of leaves and vertices, and what follows for their lists. */
#include "tree/self/self_edit.h"

#include <string.h>

#include "base/check.h"
#include "base/containers/columns.h"

/* A leaf's ties are to be found anew; it has another node, or other leaves beside it there; its
 * loop or that of its node is off, and waits to be made. */
enum { TIES_STALE = 1, NODE_STALE = 2, LOOP_DUE = 4 };

/* Updates without a change until a loop is made again, and how many leaves get theirs at once: what
 * an update does for loops is bounded by that. */
enum { QUIET_UPDATES = 8, MOST_MADE = 512 };

/* In the list for either reason. */
static void mark_stale(wi_self_edit *e, uint32_t leaf, uint8_t why)
{
    if ((e->marks[leaf] & (TIES_STALE | NODE_STALE)) == 0) e->stale[e->stale_count++] = leaf;
    e->marks[leaf] |= why;
}

/* ---- room ---- */

enum { LEAF_COLUMNS = 6, VERTEX_COLUMNS = 3 };

/* With those of the lists themselves. */
static void list_leaf_columns(const wi_shape *s, wi_self_edit *e, wi_column out[LEAF_COLUMNS])
{
    wi_shared_vertices *kin = &s->self->shared;
    const wi_column columns[LEAF_COLUMNS] = {
        {(void **)&e->marks, sizeof *e->marks, 1, true},
        {(void **)&e->stale, sizeof *e->stale, 1, false},
        {(void **)&e->touched_at, sizeof *e->touched_at, 1, true},
        {(void **)&kin->first_tie, sizeof *kin->first_tie, 1, true},
        {(void **)&kin->last_tie, sizeof *kin->last_tie, 1, true},
        {(void **)&kin->within, sizeof *kin->within, s->links->tris_per_leaf, false}};
    memcpy(out, columns, sizeof columns);
}

static void list_vertex_columns(wi_self_edit *e, wi_column out[VERTEX_COLUMNS])
{
    const wi_column columns[VERTEX_COLUMNS] = {
        {(void **)&e->fan_of, sizeof *e->fan_of, 1, false},
        {(void **)&e->touched, sizeof *e->touched, 1, false},
        {(void **)&e->is_touched, sizeof *e->is_touched, 1, true}};
    memcpy(out, columns, sizeof columns);
}

static bool grow_leaves(wi_memory *memory, wi_tree *h)
{
    wi_self_edit *e = h->shape->self->edit;
    wi_shared_vertices *kin = &h->shape->self->shared;
    wi_column columns[LEAF_COLUMNS];
    const uint32_t room = h->shape->leaf_room;
    if (room == e->leaf_room) return true;
    list_leaf_columns(h->shape, e, columns);
    if (!wi_columns_grow(memory, columns, LEAF_COLUMNS, e->leaf_room, room)) return false;
    e->leaf_room = kin->leaf_count = room;
    kin->tri_count = h->shape->tri_room;
    return true;
}

static bool grow_vertices(wi_memory *memory, wi_tree *h)
{
    wi_self_edit *e = h->shape->self->edit;
    wi_column columns[VERTEX_COLUMNS];
    const uint32_t room = h->shape->links->vertex_room;
    if (room == e->vertex_room) return true;
    list_vertex_columns(e, columns);
    if (!wi_columns_grow(memory, columns, VERTEX_COLUMNS, e->vertex_room, room)) return false;
    memset(e->fan_of + e->vertex_room, 0xFF, (room - e->vertex_room) * sizeof *e->fan_of);
    e->vertex_room = room;
    return true;
}

bool wi_self_edit_follow_room(wi_memory *memory, wi_tree *h)
{
    if (!wi_has_self_edit(h)) return true;
    return grow_leaves(memory, h) && grow_vertices(memory, h) &&
           wi_loop_edit_follow_room(memory, h);
}

/* What leaves have beside the lists themselves, which are given back with these. */
void wi_self_edit_free(wi_memory *memory, wi_self_edit *e)
{
    wi_column columns[VERTEX_COLUMNS];
    if (e == NULL) return;
    wi_free_array(memory, e->marks, e->leaf_room, sizeof *e->marks);
    wi_free_array(memory, e->stale, e->leaf_room, sizeof *e->stale);
    wi_free_array(memory, e->touched_at, e->leaf_room, sizeof *e->touched_at);
    list_vertex_columns(e, columns);
    wi_columns_free(memory, columns, VERTEX_COLUMNS, e->vertex_room);
    wi_array_free(memory, &e->fan_vertices);
    wi_array_free(memory, &e->odd_vertices);
    wi_array_free(memory, &e->due);
    wi_array_free(memory, &e->gathered);
    wi_free(memory, e, sizeof *e);
}

size_t wi_self_edit_bytes(const wi_self_edit *e)
{
    if (e == NULL) return 0;
    return sizeof *e +
           e->leaf_room * (sizeof *e->marks + sizeof *e->stale + sizeof *e->touched_at) +
           e->vertex_room * (sizeof *e->fan_of + sizeof *e->touched + sizeof *e->is_touched) +
           (e->fan_vertices.capacity + e->odd_vertices.capacity) * sizeof(uint32_t) +
           e->due.capacity * sizeof(wi_due_loop) + e->gathered.capacity * sizeof(wi_gathered_tie);
}

/* ---- the lists of a packed tree are taken over ---- */

bool wi_self_edit_can_follow(const wi_tree *packed)
{
    const wi_self_lists *self = packed->shape->self;
    return self && self->shared.first_tie && self->shared.hubs.items == NULL && self->fans.are_made;
}

/* In the rooms of leaves; ties and rows stay where they are. */
static void take_leaves(const wi_shape *from, const wi_shared_vertices *old, wi_shape *to)
{
    wi_shared_vertices *kin = &to->self->shared;
    for (uint32_t leaf = 0; leaf < from->leaf_count; leaf++) {
        const wi_leaf *at = &from->leaves[leaf];
        WI_ASSERT(at->tri_count == to->leaves[leaf].tri_count);
        memcpy(kin->within + to->leaves[leaf].first_tri, old->within + at->first_tri,
               at->tri_count * sizeof *kin->within);
        kin->first_tie[leaf] = old->first_tie[leaf];
        kin->last_tie[leaf] = old->last_tie[leaf];
    }
}

/* All nodes are new. */
static void take_nodes(wi_tree *h)
{
    const wi_links *l = h->shape->links;
    for (uint32_t leaf = 0; leaf < h->shape->leaf_count && h->shape->self->loops.items; leaf++) {
        h->shape->self->loops.nodes[leaf] = h->shape->self->loops.leaf_count + l->leaf_node[leaf];
        mark_stale(h->shape->self->edit, leaf, NODE_STALE);
    }
}

bool wi_self_edit_take(wi_memory *memory, wi_tree *packed, wi_tree *linked)
{
    wi_self_lists *self = packed->shape->self;
    WI_ASSERT(wi_self_edit_can_follow(packed) && linked->shape->self == NULL);
    wi_self_edit *e = wi_alloc(memory, sizeof *e);
    if (e == NULL) return false;
    *e = (wi_self_edit){.live_ties = self->shared.ties.count, .live_rows = self->shared.rows.count};
    wi_shared_vertices old = self->shared;
    self->shared = (wi_shared_vertices){0};
    self->shared.ties = old.ties;
    self->shared.rows = old.rows;
    old.ties.items = NULL, old.rows.items = NULL;
    old.ties.capacity = old.rows.capacity = 0;
    self->edit = e;
    linked->shape->self = self;
    packed->shape->self = NULL;
    const bool has_leaves = grow_leaves(memory, linked);
    if (has_leaves) take_leaves(packed->shape, &old, linked->shape);
    wi_shared_vertices_free(memory, &old);
    if (!has_leaves || !grow_vertices(memory, linked) || !wi_fan_edit_begin(memory, linked) ||
        !wi_loop_edit_follow_room(memory, linked))
        return false;
    take_nodes(linked);
    return true;
}

/* ---- what an edit tells ---- */

void wi_self_edit_touch_vertex(wi_tree *h, uint32_t vertex)
{
    if (!wi_has_self_edit(h)) return;
    wi_self_edit *e = h->shape->self->edit;
    WI_ASSERT(vertex < e->vertex_room);
    if (e->is_touched[vertex]) return;
    e->is_touched[vertex] = true;
    e->touched[e->touched_count++] = vertex;
}

static void mark_leaves_of(wi_tree *h, uint32_t vertex)
{
    const wi_links *l = h->shape->links;
    for (uint32_t at = l->first_entry[vertex]; at != WI_NO_LINK; at = l->next_entry[at])
        mark_stale(h->shape->self->edit, at / l->entries_per_leaf, TIES_STALE);
}

void wi_self_edit_leave_vertex(wi_tree *h, uint32_t vertex)
{
    if (wi_has_self_edit(h)) mark_leaves_of(h, vertex);
}

void wi_self_edit_change_leaf(wi_tree *h, uint32_t number)
{
    if (!wi_has_self_edit(h)) return;
    const wi_leaf *leaf = &h->shape->leaves[number];
    wi_shared_vertices_within(h, leaf, h->shape->self->shared.within);
    for (unsigned i = 0; i < leaf->vertex_count; i++)
        mark_leaves_of(h, h->shape->leaf_vertices[leaf->first_vertex + i]);
}

void wi_self_edit_change_node(wi_tree *h, uint32_t node)
{
    if (!wi_has_self_edit(h) || h->shape->self->loops.items == NULL) return;
    const wi_node *view = &h->boxes.nodes[node];
    wi_boundary_loops *loops = &h->shape->self->loops;
    wi_loop_edit_drop(h, loops->leaf_count + node);
    if (view->leaf_mask == 0) return;
    for (unsigned lane = 0; lane < view->count; lane++) {
        loops->nodes[view->child[lane]] = loops->leaf_count + node;
        mark_stale(h->shape->self->edit, view->child[lane], NODE_STALE);
    }
}

void wi_self_edit_give_leaf(wi_tree *h, uint32_t leaf)
{
    if (!wi_has_self_edit(h)) return;
    wi_kin_edit_forget(h, leaf);
    if (h->shape->self->loops.items) wi_loop_edit_drop(h, leaf);
}

void wi_self_edit_give_node(wi_tree *h, uint32_t node)
{
    if (wi_has_self_edit(h) && h->shape->self->loops.items)
        wi_loop_edit_drop(h, h->shape->self->loops.leaf_count + node);
}

/* ---- what follows ---- */

/* The loop of a leaf that changed is off, and that of its node. False if there is no memory to note
 * it. */
static bool drop_loops(wi_memory *memory, wi_tree *h, uint32_t leaf, bool is_changed)
{
    wi_self_edit *e = h->shape->self->edit;
    const wi_boundary_loops *loops = &h->shape->self->loops;
    if (loops->items == NULL) return true;
    if (is_changed) wi_loop_edit_drop(h, leaf);
    wi_loop_edit_drop(h, loops->nodes[leaf]);
    e->touched_at[leaf] = e->update;
    if ((e->marks[leaf] & LOOP_DUE) != 0) return true;
    e->marks[leaf] |= LOOP_DUE;
    return wi_array_push(memory, &e->due, ((wi_due_loop){leaf, e->update}));
}

/* Lists that would be much longer than the tree are not kept. */
static void lose_lists(wi_memory *memory, wi_tree *h)
{
    wi_self_lists_free(memory, h->shape->self);
    wi_free(memory, h->shape->self, sizeof *h->shape->self);
    h->shape->self = NULL;
}

static bool find_stale(wi_memory *memory, wi_tree *h, bool *has_hub)
{
    wi_self_edit *e = h->shape->self->edit;
    *has_hub = false;
    for (uint32_t i = 0; i < e->stale_count && !*has_hub; i++) {
        const uint32_t leaf = e->stale[i];
        const bool is_changed = (e->marks[leaf] & TIES_STALE) != 0;
        e->marks[leaf] = (uint8_t)(e->marks[leaf] & ~(TIES_STALE | NODE_STALE));
        if (!wi_links_have_leaf(h->shape->links, leaf)) continue;
        const wi_kin_outcome outcome =
            is_changed ? wi_kin_edit_leaf(memory, h, leaf) : WI_KIN_FOUND;
        *has_hub = outcome == WI_KIN_HUB;
        if (outcome == WI_KIN_NO_MEMORY || !drop_loops(memory, h, leaf, is_changed)) return false;
    }
    e->stale_count = 0;
    return true;
}

bool wi_self_edit_finish(wi_memory *memory, wi_tree *h)
{
    if (!wi_has_self_edit(h)) return true;
    wi_self_edit *e = h->shape->self->edit;
    bool has_hub;
    if (!find_stale(memory, h, &has_hub)) return false;
    if (has_hub) {
        lose_lists(memory, h);
        return true;
    }
    for (uint32_t i = 0; i < e->touched_count; i++) {
        e->is_touched[e->touched[i]] = false;
        if (!wi_fan_edit_vertex(memory, h, e->touched[i])) return false;
    }
    e->touched_count = 0;
    return true;
}

/* Of a leaf, and of its node if none of its leaves waits. */
static bool make_loops(wi_memory *memory, wi_tree *h, uint32_t leaf)
{
    const wi_self_edit *e = h->shape->self->edit;
    const uint32_t node = h->shape->links->leaf_node[leaf];
    const wi_node *view = &h->boxes.nodes[node];
    if (!wi_loop_edit_make(memory, h, leaf)) return false;
    for (unsigned lane = 0; lane < view->count; lane++)
        if ((e->marks[view->child[lane]] & LOOP_DUE) != 0) return true;
    return wi_loop_edit_make(memory, h, h->shape->self->loops.leaf_count + node);
}

static bool make_some(wi_memory *memory, wi_tree *h)
{
    wi_self_edit *e = h->shape->self->edit;
    for (unsigned made = 0; e->first_due < e->due.count && made < MOST_MADE; made++) {
        const wi_due_loop due = e->due.items[e->first_due];
        if (due.update + QUIET_UPDATES > e->update) break;
        e->first_due++;
        const uint32_t touched_at = e->touched_at[due.leaf];
        if (!wi_links_have_leaf(h->shape->links, due.leaf)) {
            e->marks[due.leaf] = (uint8_t)(e->marks[due.leaf] & ~LOOP_DUE);
        } else if (touched_at + QUIET_UPDATES > e->update) {
            if (!wi_array_push(memory, &e->due, ((wi_due_loop){due.leaf, e->update}))) return false;
        } else {
            e->marks[due.leaf] = (uint8_t)(e->marks[due.leaf] & ~LOOP_DUE);
            if (!make_loops(memory, h, due.leaf)) return false;
        }
    }
    return true;
}

bool wi_self_edit_make_due(wi_memory *memory, wi_tree *h)
{
    if (!wi_has_self_edit(h) || h->shape->self->loops.items == NULL) return true;
    wi_self_edit *e = h->shape->self->edit;
    e->update++;
    if (!make_some(memory, h)) return false;
    if (e->first_due > e->due.count / 2) {
        e->due.count -= e->first_due;
        memmove(e->due.items, e->due.items + e->first_due, e->due.count * sizeof *e->due.items);
        e->first_due = 0;
    }
    return true;
}

/* ---- from nothing ---- */

static void touch_all(wi_tree *h)
{
    const wi_links *l = h->shape->links;
    for (uint32_t number = 0; number < h->shape->leaf_count; number++) {
        if (!wi_links_have_leaf(l, number)) continue;
        const wi_leaf *leaf = &h->shape->leaves[number];
        wi_shared_vertices_within(h, leaf, h->shape->self->shared.within);
        mark_stale(h->shape->self->edit, number, TIES_STALE);
        for (unsigned i = 0; i < leaf->vertex_count; i++)
            wi_self_edit_touch_vertex(h, h->shape->leaf_vertices[leaf->first_vertex + i]);
    }
}

bool wi_self_edit_make(wi_memory *memory, wi_tree *h)
{
    if (!wi_self_lists_reserve(memory, h)) return false;
    wi_self_lists *self = h->shape->self;
    WI_ASSERT(self->edit == NULL && self->shared.first_tie == NULL);
    self->edit = wi_alloc(memory, sizeof *self->edit);
    if (self->edit == NULL) return false;
    *self->edit = (wi_self_edit){0};
    if (!grow_leaves(memory, h) || !grow_vertices(memory, h)) return false;
    if (wi_self_lists_want_loops(&h->def)) {
        if (!wi_loop_edit_begin(memory, h)) return false;
        take_nodes(h);
    }
    self->fans.are_made = true;
    touch_all(h);
    return wi_self_edit_finish(memory, h);
}
