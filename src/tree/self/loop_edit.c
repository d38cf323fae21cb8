/* loop_edit.c - boundary loops of a linked tree: off where it was edited, and made again one by
 * one.
 *
 * A loop is found from the triangles of its cluster and of the leaves around alone: what is on the
 * loop of one of these leaves, and not on that of another the other way round. */
#include <string.h>

#include "base/check.h"
#include "base/hash.h"
#include "tree/self/loop_way.h"
#include "tree/self/self_edit.h"

/* ---- room ---- */

/* Clusters of nodes come after those of leaves, of which there may be room for more now. */
static void move_clusters(wi_tree *h, wi_boundary_loop *items, uint32_t leaf_room)
{
    const wi_boundary_loops *loops = &h->shape->self->loops;
    const uint32_t nodes = loops->cluster_count - loops->leaf_count;
    const uint32_t more = leaf_room - loops->leaf_count;
    memcpy(items, loops->items, loops->leaf_count * sizeof *items);
    memcpy(items + leaf_room, loops->items + loops->leaf_count, nodes * sizeof *items);
    for (uint32_t leaf = 0; leaf < loops->leaf_count; leaf++) loops->nodes[leaf] += more;
}

/* Of a packed tree that was linked: the nodes are others, the leaves the same. */
static void begin_clusters(wi_tree *h, wi_boundary_loop *items)
{
    const wi_boundary_loops *loops = &h->shape->self->loops;
    for (uint32_t cluster = loops->leaf_count; cluster < loops->cluster_count; cluster++)
        wi_loop_edit_drop(h, cluster);
    memcpy(items, loops->items, loops->leaf_count * sizeof *items);
}

static void take_clusters(wi_tree *h, wi_boundary_loop *items, uint32_t *nodes, uint32_t leaf_room)
{
    const wi_boundary_loops *loops = &h->shape->self->loops;
    if (loops->items == NULL) return;
    if (h->shape->self->edit->node_room == 0)
        begin_clusters(h, items);
    else
        move_clusters(h, items, leaf_room);
    memcpy(nodes, loops->nodes, loops->leaf_count * sizeof *nodes);
}

bool wi_loop_edit_follow_room(wi_memory *memory, wi_tree *h)
{
    const wi_boundary_loops *loops = &h->shape->self->loops;
    const uint32_t clusters = h->shape->leaf_room + h->boxes.node_room;
    const bool is_same =
        h->shape->leaf_room == loops->leaf_count && clusters == loops->cluster_count;
    return loops->items == NULL || is_same || wi_loop_edit_begin(memory, h);
}

bool wi_loop_edit_begin(wi_memory *memory, wi_tree *h)
{
    wi_self_edit *e = h->shape->self->edit;
    wi_boundary_loops *loops = &h->shape->self->loops;
    const uint32_t leaves = h->shape->leaf_room, clusters = leaves + h->boxes.node_room;
    wi_boundary_loop *items = wi_alloc_array(memory, clusters, sizeof *items);
    uint32_t *nodes = wi_alloc_array(memory, leaves, sizeof *nodes);
    if (items == NULL || nodes == NULL) {
        wi_free_array(memory, items, clusters, sizeof *items);
        wi_free_array(memory, nodes, leaves, sizeof *nodes);
        return false;
    }
    memset(items, 0, clusters * sizeof *items);
    memset(nodes, 0, leaves * sizeof *nodes);
    take_clusters(h, items, nodes, leaves);
    wi_free_array(memory, loops->items, loops->cluster_count, sizeof *loops->items);
    wi_free_array(memory, loops->nodes, loops->leaf_count, sizeof *loops->nodes);
    loops->items = items;
    loops->nodes = nodes;
    loops->leaf_count = leaves;
    loops->cluster_count = clusters;
    e->node_room = h->boxes.node_room;
    return true;
}

/* ---- off ---- */

void wi_loop_edit_drop(wi_tree *h, uint32_t cluster)
{
    wi_boundary_loop *loop = &h->shape->self->loops.items[cluster];
    wi_self_edit *e = h->shape->self->edit;
    WI_ASSERT(cluster < h->shape->self->loops.cluster_count);
    if (loop->vertex_count == 0) return;
    e->lost_around += (size_t)loop->own_count + loop->around_count;
    e->lost_loop_vertices += loop->vertex_count;
    *loop = (wi_boundary_loop){0};
}

/* ---- made again ---- */

/* Edges of all leaves at hand by their vertices, and vertices of the loop by number: tables with
 * open addresses, twice as large as what they may have. */
enum { MOST_EDGES = 1024, EDGE_TABLE = 2048, VERTEX_TABLE = 512 };

typedef struct loop_finder {
    const wi_tree *h;
    wi_loop_leaves leaves;
    wi_loop_edge edges[MOST_EDGES + WI_MOST_LEAF_EDGES];
    uint32_t edge_count, own_edge_count;
    uint16_t table[EDGE_TABLE];      /* 0: empty; else the number of an edge, and one */
    uint16_t vertices[VERTEX_TABLE]; /* the same for vertices of the way */
    wi_loop_way way;
} loop_finder;

static bool is_listed(const uint32_t *leaves, uint32_t count, uint32_t leaf)
{
    for (uint32_t i = 0; i < count; i++)
        if (leaves[i] == leaf) return true;
    return false;
}

/* Leaves that have vertices of this one; false if there are too many. */
static bool list_beside(loop_finder *f, uint32_t number)
{
    const wi_shape *s = f->h->shape;
    const wi_links *l = s->links;
    wi_loop_leaves *leaves = &f->leaves;
    const wi_leaf *leaf = &s->leaves[number];
    for (unsigned i = 0; i < leaf->vertex_count; i++) {
        uint32_t at = l->first_entry[s->leaf_vertices[leaf->first_vertex + i]];
        for (; at != WI_NO_LINK; at = l->next_entry[at]) {
            const uint32_t other = at / l->entries_per_leaf;
            if (is_listed(leaves->own, leaves->own_count, other) ||
                is_listed(leaves->around, leaves->around_count, other))
                continue;
            if (leaves->around_count == WI_MAX_AROUND) return false;
            leaves->around[leaves->around_count++] = other;
        }
    }
    return true;
}

/* False if there are too many, or one that is crowded. */
static bool list_edges(loop_finder *f, const uint32_t *leaves, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t first = f->edge_count;
        f->edge_count += wi_loop_of_leaf(f->h, leaves[i], f->edges + first);
        if (f->edge_count > MOST_EDGES) return false;
        for (uint32_t k = first; k < f->edge_count; k++)
            if (f->edges[k].behind == WI_LOOP_CROWDED) return false;
    }
    return true;
}

/* What is on the other side of each edge; false if some have several triangles there. */
static bool match_all(loop_finder *f)
{
    memset(f->table, 0, sizeof f->table);
    for (uint32_t i = 0; i < f->edge_count; i++) {
        wi_loop_edge *e = &f->edges[i];
        const uint64_t key = (uint64_t)wi_loop_lower(e) << 32 | wi_loop_upper(e);
        uint32_t at = (uint32_t)wi_hash_u64(WI_HASH_START, key) % EDGE_TABLE;
        for (; f->table[at] != 0; at = (at + 1) % EDGE_TABLE) {
            wi_loop_edge *other = &f->edges[f->table[at] - 1];
            if (wi_loop_lower(other) != wi_loop_lower(e) ||
                wi_loop_upper(other) != wi_loop_upper(e))
                continue;
            if (other->from != e->to || other->behind != WI_LOOP_BORDER) return false;
            other->behind = e->leaf;
            e->behind = other->leaf;
            break;
        }
        if (f->table[at] == 0) f->table[at] = (uint16_t)(i + 1);
    }
    return true;
}

static uint8_t number_of(loop_finder *f, uint32_t vertex)
{
    uint32_t at = (uint32_t)wi_hash_u64(WI_HASH_START, vertex) % VERTEX_TABLE;
    while (f->vertices[at] != 0 && f->way.vertices[f->vertices[at] - 1] != vertex)
        at = (at + 1) % VERTEX_TABLE;
    if (f->vertices[at] == 0) f->vertices[at] = (uint16_t)(wi_loop_way_add(&f->way, vertex) + 1);
    return (uint8_t)(f->vertices[at] - 1);
}

/* What has nothing behind it is the loop; false if the cluster itself is on it, or if it is too
 * long. */
static bool collect_loop(loop_finder *f)
{
    memset(f->vertices, 0, sizeof f->vertices);
    wi_loop_way_clear(&f->way);
    for (uint32_t i = 0; i < f->edge_count; i++) {
        const wi_loop_edge *e = &f->edges[i];
        if (e->behind != WI_LOOP_BORDER) continue;
        if (i < f->own_edge_count || !wi_loop_way_has_room(&f->way)) return false;
        const uint8_t from = number_of(f, e->from);
        wi_loop_way_join(&f->way, from, number_of(f, e->to));
    }
    return f->way.edge_count > 0;
}

static bool find_loop(loop_finder *f)
{
    for (uint32_t i = 0; i < f->leaves.own_count; i++)
        if (!list_beside(f, f->leaves.own[i])) return false;
    if (!list_edges(f, f->leaves.own, f->leaves.own_count)) return false;
    f->own_edge_count = f->edge_count;
    return list_edges(f, f->leaves.around, f->leaves.around_count) && match_all(f) &&
           collect_loop(f);
}

static void take_own(loop_finder *f, uint32_t cluster)
{
    const uint32_t leaf_room = f->h->shape->self->loops.leaf_count;
    if (cluster < leaf_room) {
        f->leaves.own[f->leaves.own_count++] = cluster;
        return;
    }
    const wi_node *view = &f->h->boxes.nodes[cluster - leaf_room];
    for (unsigned lane = 0; lane < view->count && view->leaf_mask != 0; lane++)
        f->leaves.own[f->leaves.own_count++] = view->child[lane];
}

/* What loops that are off had gives room to those that are there, in arrays of their own. */
static bool gather_loops(wi_memory *memory, wi_tree *h)
{
    wi_boundary_loops *loops = &h->shape->self->loops, fresh = *loops;
    wi_self_edit *e = h->shape->self->edit;
    memset(&fresh.around, 0, sizeof fresh.around);
    memset(&fresh.vertices, 0, sizeof fresh.vertices);
    if (!wi_array_reserve(memory, &fresh.around, loops->around.count - e->lost_around + 1) ||
        !wi_array_reserve(memory, &fresh.vertices,
                          loops->vertices.count - e->lost_loop_vertices + 1)) {
        wi_array_free(memory, &fresh.around);
        return false;
    }
    for (uint32_t cluster = 0; cluster < loops->cluster_count; cluster++) {
        wi_boundary_loop *loop = &loops->items[cluster];
        const size_t leaves = (size_t)loop->own_count + loop->around_count;
        if (loop->vertex_count == 0) continue;
        memcpy(fresh.around.items + fresh.around.count, loops->around.items + loop->first_around,
               leaves * sizeof *fresh.around.items);
        memcpy(fresh.vertices.items + fresh.vertices.count,
               loops->vertices.items + loop->first_vertex,
               loop->vertex_count * sizeof *fresh.vertices.items);
        loop->first_around = fresh.around.count;
        loop->first_vertex = fresh.vertices.count;
        fresh.around.count += leaves;
        fresh.vertices.count += loop->vertex_count;
    }
    wi_array_free(memory, &loops->around);
    wi_array_free(memory, &loops->vertices);
    *loops = fresh;
    e->lost_around = e->lost_loop_vertices = 0;
    return true;
}

bool wi_loop_edit_make(wi_memory *memory, wi_tree *h, uint32_t cluster)
{
    wi_boundary_loops *loops = &h->shape->self->loops;
    loop_finder f = {.h = h};
    if (loops->items[cluster].vertex_count > 0) return true;
    if (2 * h->shape->self->edit->lost_loop_vertices > loops->vertices.count &&
        !gather_loops(memory, h))
        return false;
    if (!wi_loop_reserve(memory, loops)) return false;
    take_own(&f, cluster);
    if (find_loop(&f)) wi_loop_write(h, cluster, &f.leaves, &f.way);
    return true;
}
