/* rebuild_subtrees.c - fresh subtrees in the place of decayed ones, while the rest of the tree
 * stays.
 *
 * Way in: wi_tree_rebuild_below. Made for bodies of which a part is stirred: building that
 * part costs what it is worth, and the rest is a few streams over memory, whatever the number of
 * subtrees.
 *
 * What is below a node is one run of every list (I1, I2). Its triangles stay and so do all leaves
 * before it, so the new leaves own the vertices that the old ones owned: only their order within
 * the run of places changes.
 *
 * 1. The code that builds whole trees builds the new subtrees, one behind the other, into a tree of
 *    their own. Vertices that the old leaves own have no place then and get those of the same run;
 *    the others have theirs and become border.
 * 2. There is room for the lists as they will be. Until here nothing has changed.
 * 3. The runs that stay move, and the new ones come between. Numbers of nodes and leaves follow
 *    from the order alone, so they are counted anew. Leaves behind a subtree may have vertices of
 *    it in their border; these are looked up by their old places. */
#include <string.h>

#include "base/check.h"
#include "base/containers/sort.h"
#include "tree/build/builder.h"

enum { NODES, LEAVES, TRIS, VERTICES, BORDERS, LISTS };

/* How much of every list is before a node. */
typedef struct cut {
    uint32_t at[LISTS];
} cut;

/* A run of every list, and where it goes. */
typedef struct run {
    cut first, last, to;
} run;

typedef struct graft {
    wi_builder b;          /* builds `fresh` */
    wi_tree fresh;         /* the new subtrees, one behind the other */
    wi_tree *h;            /* the tree they go to */
    const uint32_t *nodes; /* whose subtrees are replaced */
    uint32_t count;        /* of these */
    run *old, *grown;      /* the subtrees in `h` and in `fresh` */
    run *kept;             /* what is before, between and behind them, one more than there are */
    cut end;               /* where the lists will end */
    uint32_t *moved;       /* by place from first_place to last_place: the new one */
    uint32_t first_place, last_place;
} graft;

/* What the leaves before a cut own. */
static uint32_t rebuild_place_of(const cut *c)
{
    WI_ASSERT(c->at[BORDERS] <= c->at[VERTICES]);
    return c->at[VERTICES] - c->at[BORDERS];
}

static uint32_t rebuild_length(const run *r, int list)
{
    WI_ASSERT(r->first.at[list] <= r->last.at[list]);
    return r->last.at[list] - r->first.at[list];
}

static cut cut_behind(const cut *at, const run *r)
{
    cut c;
    for (int list = 0; list < LISTS; list++) c.at[list] = at->at[list] + rebuild_length(r, list);
    return c;
}

/* ---- what is below a node ---- */

static cut end_of(const wi_tree *h)
{
    return (cut){{h->shape->node_count, h->shape->leaf_count, h->shape->tri_count,
                  h->shape->leaf_vertex_count, h->shape->border_count}};
}

/* The first node from here on that has leaves has the first of them. */
static cut cut_before(const wi_tree *h, uint32_t node)
{
    uint32_t with_leaf = node;
    while (with_leaf < h->shape->node_count && h->boxes.nodes[with_leaf].leaf_mask == 0)
        with_leaf++;
    if (with_leaf == h->shape->node_count) return end_of(h);
    const wi_node *view = &h->boxes.nodes[with_leaf];
    const uint32_t number = view->child[__builtin_ctz(view->leaf_mask)];
    const wi_leaf *leaf = &h->shape->leaves[number];
    return (cut){{node, number, leaf->first_tri, leaf->first_vertex,
                  leaf->first_vertex - leaf->first_place}};
}

static uint32_t rebuild_node_behind(const wi_tree *h, uint32_t node)
{
    const wi_node *view = &h->boxes.nodes[node];
    wi_twig twig = {.node = view->parent, .lane = view->parent_lane + 1U};
    if (node == 0 || !wi_tree_next_twig(h, &twig)) return h->shape->node_count;
    return h->boxes.nodes[twig.node].child[twig.lane];
}

static run run_below(const wi_tree *h, uint32_t node)
{
    return (run){.first = cut_before(h, node), .last = cut_before(h, rebuild_node_behind(h, node))};
}

/* ---- 1. building ---- */

static bool rebuild_take_working(graft *g, wi_workspace *workspace, uint32_t tris)
{
    const size_t vertices = g->b.mesh->vertex_count, places = g->last_place - g->first_place;
    const size_t corners = 3 * (size_t)tris, runs = 3 * (size_t)g->count + 1;
    const size_t size =
        wi_workspace_size(runs, sizeof(run)) + wi_workspace_size(places, sizeof *g->moved) +
        wi_workspace_size(vertices, sizeof *g->b.place) +
        wi_workspace_size(vertices, sizeof *g->b.stamps) +
        wi_workspace_size(corners, sizeof *g->b.leaf_vertices) +
        wi_workspace_size(tris, sizeof *g->b.slots) +
        2 * wi_workspace_size(tris, sizeof(uint64_t)) + g->b.ops->work_size(g->b.mesh, tris);
    if (!wi_workspace_reserve(g->b.memory, workspace, size)) return false;
    g->old = wi_workspace_take(workspace, runs, sizeof(run));
    g->grown = g->old + g->count;
    g->kept = g->grown + g->count;
    g->moved = wi_workspace_take(workspace, places, sizeof *g->moved);
    g->b.place = wi_workspace_take(workspace, vertices, sizeof *g->b.place);
    g->b.stamps = wi_workspace_take(workspace, vertices, sizeof *g->b.stamps);
    g->b.leaf_vertices = wi_workspace_take(workspace, corners, sizeof *g->b.leaf_vertices);
    return true;
}

/* The slots of each subtree in ascending order, so that the new one does not depend on the old. */
static const uint32_t *list_slots(const graft *g, wi_workspace *workspace, uint32_t tris)
{
    uint32_t *slots = wi_workspace_take(workspace, tris, sizeof *slots), at = 0;
    uint64_t *keys = wi_workspace_take(workspace, tris, sizeof *keys);
    uint64_t *spare = wi_workspace_take(workspace, tris, sizeof *spare);
    for (uint32_t i = 0; i < g->count; i++)
        for (uint32_t tri = g->old[i].first.at[TRIS]; tri < g->old[i].last.at[TRIS]; tri++)
            keys[at++] = (uint64_t)i << 32 | g->h->shape->slots[tri];
    WI_ASSERT(at == tris);
    wi_sort_u64(keys, spare, tris);
    for (uint32_t i = 0; i < tris; i++) slots[i] = (uint32_t)keys[i];
    return slots;
}

/* Gives the borders of a subtree's leaves the places that they have. */
static void place_borders(graft *g, const run *r)
{
    for (uint32_t i = r->first.at[LEAVES]; i < r->last.at[LEAVES]; i++) {
        const wi_leaf *leaf = &g->h->shape->leaves[i];
        const uint32_t *vertices =
            g->h->shape->leaf_vertices + leaf->first_vertex + leaf->owned_count;
        const uint32_t *border = wi_leaf_border(g->h, leaf);
        const unsigned count = (unsigned)leaf->vertex_count - leaf->owned_count;
        for (unsigned k = 0; k < count; k++) {
            g->b.place[vertices[k]] = border[k];
            g->b.stamps[vertices[k]] = 0;
        }
    }
}

/* Takes their places from the vertices that a subtree owns. */
static void unplace_owned(graft *g, const run *r)
{
    for (uint32_t i = r->first.at[LEAVES]; i < r->last.at[LEAVES]; i++) {
        const wi_leaf *leaf = &g->h->shape->leaves[i];
        const uint32_t *vertices = g->h->shape->leaf_vertices + leaf->first_vertex;
        for (unsigned k = 0; k < leaf->owned_count; k++) {
            g->b.place[vertices[k]] = WI_NO_PLACE;
            g->b.stamps[vertices[k]] = 0;
        }
    }
}

/* Of other vertices no place is asked for. Owned ones come last: they may be border of a later
 * subtree, which is to see the new place. */
static void rebuild_begin(graft *g, wi_workspace *workspace, uint32_t tris)
{
    for (uint32_t i = 0; i < g->count; i++) g->old[i] = run_below(g->h, g->nodes[i]);
    for (uint32_t i = 0; i < g->count; i++) place_borders(g, &g->old[i]);
    for (uint32_t i = 0; i < g->count; i++) unplace_owned(g, &g->old[i]);
    g->b.slots = list_slots(g, workspace, tris);
    g->b.ops->begin(&g->b, workspace, tris);
}

static bool allocate_fresh(graft *g, uint32_t tris)
{
    wi_tree *fresh = &g->fresh;
    fresh->shape->tri_room = tris;
    for (uint32_t i = 0; i < g->count; i++) {
        uint32_t nodes, leaves;
        g->b.ops->count(rebuild_length(&g->old[i], TRIS), &fresh->def, &nodes, &leaves);
        fresh->boxes.node_room += nodes;
        fresh->shape->leaf_room += leaves;
    }
    return wi_builder_allocate(&g->b);
}

static bool rebuild_grow(graft *g)
{
    cut at = {{0}};
    for (uint32_t i = 0; i < g->count; i++) {
        const uint32_t first_place = rebuild_place_of(&g->old[i].first);
        const wi_range r = {.first = at.at[TRIS],
                            .count = rebuild_length(&g->old[i], TRIS),
                            .depth = 1 + wi_tree_depth(g->h, g->nodes[i])};
        g->b.place_count = first_place;
        if (!wi_builder_add(&g->b, r)) return false;
        WI_ASSERT(g->b.place_count == rebuild_place_of(&g->old[i].last)); /* the same vertices */
        cut end = end_of(&g->fresh);
        end.at[BORDERS] =
            end.at[VERTICES] - rebuild_place_of(&at) - (g->b.place_count - first_place);
        g->grown[i] = (run){.first = at, .last = end};
        at = end;
    }
    return true;
}

static bool rebuild_parts(graft *g, wi_workspace *workspace)
{
    uint32_t tris = 0, behind = 0;
    for (uint32_t i = 0; i < g->count; i++) {
        WI_ASSERT(g->nodes[i] >= behind && g->nodes[i] < g->h->shape->node_count);
        const run r = run_below(g->h, g->nodes[i]);
        if (i == 0) g->first_place = rebuild_place_of(&r.first);
        g->last_place = rebuild_place_of(&r.last);
        behind = r.last.at[NODES];
        tris += rebuild_length(&r, TRIS);
    }
    if (!rebuild_take_working(g, workspace, tris)) return false;
    rebuild_begin(g, workspace, tris);
    return allocate_fresh(g, tris) && rebuild_grow(g);
}

/* ---- 2. room ---- */

static void lay_out(graft *g)
{
    cut from = {{0}}, to = {{0}};
    for (uint32_t i = 0; i < g->count; i++) {
        g->kept[i] = (run){from, g->old[i].first, to};
        g->grown[i].to = cut_behind(&to, &g->kept[i]);
        to = cut_behind(&g->grown[i].to, &g->grown[i]);
        from = g->old[i].last;
    }
    g->kept[g->count] = (run){from, end_of(g->h), to};
    g->end = cut_behind(&to, &g->kept[g->count]);
}

/* The block itself where its room is right. */
static void *block_with(wi_memory *memory, void *items, uint32_t room, uint32_t wanted, size_t size)
{
    return wanted == room ? items : wi_alloc_array(memory, wanted, size);
}

static void free_other(wi_memory *memory, void *items, const void *but, uint32_t room, size_t size)
{
    if (items != but) wi_free_array(memory, items, room, size);
}

/* Gives back the blocks of lists that move, but for those of `but`. */
static void free_blocks(wi_memory *memory, const wi_tree *h, const wi_tree *but)
{
    free_other(memory, h->boxes.nodes, but->boxes.nodes, h->boxes.node_room,
               sizeof *h->boxes.nodes);
    free_other(memory, h->shape->leaves, but->shape->leaves, h->shape->leaf_room,
               sizeof *h->shape->leaves);
    free_other(memory, h->shape->leaf_vertices, but->shape->leaf_vertices,
               h->shape->leaf_vertex_count, sizeof *h->shape->leaf_vertices);
    free_other(memory, h->shape->borders, but->shape->borders, h->shape->border_count,
               sizeof *h->shape->borders);
    wi_group_sets sets = h->shape->sets; /* which are never those of `but` */
    wi_group_sets_free(memory, &sets);
}

static uint32_t room_for(uint32_t wanted, uint32_t room)
{
    return wanted <= room ? room : wi_grown_room(room, wanted);
}

/* Makes `next` the tree as it will be, as yet without contents. False if there is no memory. */
static bool make_room(const graft *g, wi_tree *next)
{
    const wi_tree *h = g->h;
    wi_memory *memory = g->b.memory;
    *next->shape = *h->shape;
    next->shape->sets = (wi_group_sets){0};
    next->shape->node_count = g->end.at[NODES];
    next->shape->leaf_count = g->end.at[LEAVES];
    next->shape->leaf_vertex_count = g->end.at[VERTICES];
    next->shape->border_count = g->end.at[BORDERS];
    next->boxes.node_room = room_for(next->shape->node_count, h->boxes.node_room);
    next->shape->leaf_room = room_for(next->shape->leaf_count, h->shape->leaf_room);
    next->boxes.nodes = block_with(memory, h->boxes.nodes, h->boxes.node_room,
                                   next->boxes.node_room, sizeof *h->boxes.nodes);
    next->shape->leaves = block_with(memory, h->shape->leaves, h->shape->leaf_room,
                                     next->shape->leaf_room, sizeof *h->shape->leaves);
    next->shape->leaf_vertices =
        block_with(memory, h->shape->leaf_vertices, h->shape->leaf_vertex_count,
                   next->shape->leaf_vertex_count, sizeof *h->shape->leaf_vertices);
    next->shape->borders = block_with(memory, h->shape->borders, h->shape->border_count,
                                      next->shape->border_count, sizeof *h->shape->borders);
    if (next->boxes.nodes && next->shape->leaves && next->shape->leaf_vertices &&
        (next->shape->borders || next->shape->border_count == 0) &&
        (h->shape->sets.nodes == NULL || wi_group_sets_reserve(memory, next)))
        return true;
    free_blocks(memory, next, h);
    return false;
}

/* ---- 3. splicing ---- */

static void move_run(const run *r, int list, const void *from, void *to, size_t size)
{
    if (rebuild_length(r, list) == 0) return;
    const char *source = (const char *)from + r->first.at[list] * size;
    char *target = (char *)to + r->to.at[list] * size;
    if (source != target) memmove(target, source, rebuild_length(r, list) * size);
}

/* Also within one block: those that move down go first, from the first on, then those that move up,
 * from the last on. So none is written to where another one still is. */
static void move_runs(const run *runs, uint32_t count, int list, const void *from, void *to,
                      size_t size)
{
    for (uint32_t i = 0; i < count; i++)
        if (runs[i].to.at[list] <= runs[i].first.at[list]) move_run(&runs[i], list, from, to, size);
    for (uint32_t i = count; i-- > 0;)
        if (runs[i].to.at[list] > runs[i].first.at[list]) move_run(&runs[i], list, from, to, size);
}

static void move_kept(const graft *g, wi_tree *next)
{
    const wi_tree *h = g->h;
    const uint32_t count = g->count + 1;
    move_runs(g->kept, count, NODES, h->boxes.nodes, next->boxes.nodes, sizeof *h->boxes.nodes);
    move_runs(g->kept, count, LEAVES, h->shape->leaves, next->shape->leaves,
              sizeof *h->shape->leaves);
    move_runs(g->kept, count, VERTICES, h->shape->leaf_vertices, next->shape->leaf_vertices,
              sizeof *h->shape->leaf_vertices);
    move_runs(g->kept, count, BORDERS, h->shape->borders, next->shape->borders,
              sizeof *h->shape->borders);
}

static void copy_grown(const graft *g, wi_tree *next)
{
    const wi_tree *fresh = &g->fresh;
    move_runs(g->grown, g->count, NODES, fresh->boxes.nodes, next->boxes.nodes,
              sizeof *fresh->boxes.nodes);
    move_runs(g->grown, g->count, LEAVES, fresh->shape->leaves, next->shape->leaves,
              sizeof *fresh->shape->leaves);
    move_runs(g->grown, g->count, TRIS, fresh->shape->corners, next->shape->corners,
              sizeof *fresh->shape->corners);
    move_runs(g->grown, g->count, TRIS, fresh->shape->slots, next->shape->slots,
              sizeof *fresh->shape->slots);
    move_runs(g->grown, g->count, VERTICES, g->b.leaf_vertices, next->shape->leaf_vertices,
              sizeof *next->shape->leaf_vertices);
}

/* In preorder a node hangs from the next lane that holds a node, so counts and masks tell all. */
static void number_nodes(wi_tree *h)
{
    wi_twig twig = {.depth = 1};
    uint32_t leaf = 0;
    h->shape->height = 1;
    for (uint32_t node = 0; node < h->shape->node_count; node++) {
        wi_node *view = &h->boxes.nodes[node];
        if (node > 0) {
            wi_tree_next_twig(h, &twig);
            view->parent = twig.node;
            view->parent_lane = (uint8_t)twig.lane;
            h->boxes.nodes[twig.node].child[twig.lane] = node;
            twig = (wi_twig){.node = node, .depth = twig.depth + 1};
            h->shape->height = twig.depth > h->shape->height ? twig.depth : h->shape->height;
        }
        for (unsigned leaves = view->leaf_mask; leaves != 0; leaves &= leaves - 1)
            view->child[__builtin_ctz(leaves)] = leaf++;
    }
    WI_ASSERT(leaf == h->shape->leaf_count);
}

/* Leaves follow each other from a cut on (I2). */
static void number_leaves(wi_tree *h, const cut *from)
{
    uint32_t tri = from->at[TRIS], vertex = from->at[VERTICES], place = rebuild_place_of(from);
    for (uint32_t i = from->at[LEAVES]; i < h->shape->leaf_count; i++) {
        wi_leaf *leaf = &h->shape->leaves[i];
        leaf->first_tri = tri;
        leaf->first_vertex = vertex;
        leaf->first_place = place;
        tri += leaf->tri_count;
        vertex += leaf->vertex_count;
        place += leaf->owned_count;
    }
    WI_ASSERT(tri == h->shape->tri_count && vertex == h->shape->leaf_vertex_count);
}

/* Notes where the places of the old subtrees go; those between them stay. */
static void rebuild_note_moved(graft *g)
{
    for (uint32_t place = g->first_place; place < g->last_place; place++)
        g->moved[place - g->first_place] = place;
    for (uint32_t i = 0; i < g->count; i++)
        for (uint32_t k = g->old[i].first.at[LEAVES]; k < g->old[i].last.at[LEAVES]; k++) {
            const wi_leaf *leaf = &g->h->shape->leaves[k];
            uint32_t *moved = g->moved + (leaf->first_place - g->first_place);
            WI_ASSERT(leaf->first_place >= g->first_place && leaf->first_place <= g->last_place);
            for (unsigned j = 0; j < leaf->owned_count; j++)
                moved[j] = g->b.place[g->h->shape->leaf_vertices[leaf->first_vertex + j]];
        }
}

/* New leaves get their borders; those that stay may have vertices of the new ones in theirs. */
static void renew_borders(const graft *g, wi_tree *h)
{
    const uint32_t places = g->last_place - g->first_place;
    for (uint32_t i = 0; i < g->count; i++) {
        const run *grown = &g->grown[i], *behind = &g->kept[i + 1];
        const uint32_t first_leaf = grown->to.at[LEAVES];
        wi_builder_list_borders(&g->b, h, first_leaf, first_leaf + rebuild_length(grown, LEAVES));
        uint32_t *border = h->shape->borders + behind->to.at[BORDERS];
        for (uint32_t k = 0; k < rebuild_length(behind, BORDERS); k++)
            if (border[k] - g->first_place < places)
                border[k] = g->moved[border[k] - g->first_place];
    }
}

/* Stores the positions of a subtree in their new order. */
static void move_positions(const graft *g, const run *r)
{
    const uint32_t first = rebuild_place_of(&r->first), last = rebuild_place_of(&r->last);
    wi_mesh *mesh = g->b.mesh;
    for (uint32_t place = first; place < last; place++)
        mesh->staged[g->moved[place - g->first_place]] = mesh->positions[place];
    if (first < last)
        memcpy(mesh->positions + first, mesh->staged + first,
               (last - first) * sizeof *mesh->positions);
    wi_mesh_permute(mesh, first, last - first, g->moved + (first - g->first_place), mesh->staged);
}

static void note_places(const graft *g, const wi_tree *h, const run *grown)
{
    const uint32_t first = grown->to.at[LEAVES], last = first + rebuild_length(grown, LEAVES);
    for (const wi_leaf *leaf = h->shape->leaves + first; leaf < h->shape->leaves + last; leaf++)
        for (uint32_t k = 0; k < leaf->owned_count; k++)
            g->b.mesh->place[h->shape->leaf_vertices[leaf->first_vertex + k]] =
                leaf->first_place + k;
}

static void reorder_mesh(const graft *g, const wi_tree *h)
{
    wi_mesh *mesh = g->b.mesh;
    for (uint32_t i = 0; i < g->count; i++) {
        move_positions(g, &g->old[i]);
        note_places(g, h, &g->grown[i]);
    }
    for (uint32_t vertex = 0; mesh->stand_in && vertex < mesh->vertex_count; vertex++)
        if (wi_mesh_has_vertex(mesh, vertex))
            mesh->place[vertex] = mesh->place[mesh->stand_in[vertex]];
}

static void splice(graft *g, wi_tree *next)
{
    WI_ASSERT(next->shape->node_count <= next->boxes.node_room &&
              next->shape->leaf_count <= next->shape->leaf_room);
    rebuild_note_moved(g);
    move_kept(g, next);
    copy_grown(g, next);
    number_nodes(next);
    number_leaves(next, &g->old[0].first);
    renew_borders(g, next);
    wi_group_sets_fill(next);
    if (g->b.mesh->positions) reorder_mesh(g, next);
    free_blocks(g->b.memory, g->h, next);
    *g->h->shape = *next->shape;
    g->h->boxes.nodes = next->boxes.nodes;
    g->h->boxes.node_room = next->boxes.node_room;
}

static bool run_graft(graft *g, wi_workspace *workspace)
{
    wi_shape shape;
    wi_tree next = wi_tree_none(g->b.mesh);
    next.shape = &shape;
    next.def = g->h->def;
    if (!rebuild_parts(g, workspace)) return false;
    lay_out(g);
    if (!make_room(g, &next)) return false;
    splice(g, &next);
    return true;
}

willow_result wi_tree_rebuild_below(wi_memory *memory, wi_workspace *workspace,
                                    willow_kernel kernel, wi_mesh *mesh, wi_tree *h,
                                    const uint32_t *nodes, uint32_t count)
{
    if (count == 0) return WILLOW_OK;
    graft g = {.h = h, .nodes = nodes, .count = count, .fresh = wi_tree_none(mesh)};
    WI_ASSERT(h->shape->users == 1);
    g.fresh.def = h->def;
    g.fresh.shape = wi_shape_make(memory);
    if (g.fresh.shape == NULL) return WILLOW_OUT_OF_MEMORY;
    g.b = (wi_builder){.memory = memory,
                       .kernel = kernel,
                       .mesh = mesh,
                       .tree = &g.fresh,
                       .ops = wi_build_ops_for(h->def.build)};
    const bool ok = run_graft(&g, workspace);
    wi_array_free(memory, &g.b.stack);
    wi_tree_destroy(memory, &g.fresh);
    return ok ? WILLOW_OK : WILLOW_OUT_OF_MEMORY;
}
