/* connectivity.c - CONNECTIVITY: parts that are connected patches of the mesh.
 *
 * The mesh connectivity tree of Larsson and Akenine-Moeller 2001: triangles that are neighbours in
 * the mesh stay near each other however a body deforms, and others that happen to be near when the
 * tree is built, as two arms or two layers of a cloth, may not. So what is below a node is one
 * connected patch (submesh.c), or, where the mesh has several pieces, some whole ones of them.
 *
 * The paper leaves open which patches. Here a part grows along the longest axis, as far as the mesh
 * lets it, so that boxes are small at the beginning too: growing breadth-first from a far end gave
 * 14 to 37 % more box tests on `many` with arms, `tablecloth` and `twist`. Parts have the sizes
 * that MEDIAN gives them wherever that is possible, so nodes and leaves come out as full as there.
 *
 * Where no cut of a part has such sizes, its sides are a quarter of it at least, or it has several
 * pieces, which are halved by the order of their middles. So trees stay shallow whatever the mesh
 * is. */
#include "base/check.h"
#include "base/containers/sort.h"
#include "base/larger.h"
#include "tree/build/builder.h"
#include "tree/build/connected_cut.h"

/* Where a triangle is, which is a quarter of the sum of its bounds, so that no difference of two
 * overflows; and its slot. */
typedef struct item {
    float at[3];
    uint32_t slot;
} item;

enum { ITEM_STEP = sizeof(item) / sizeof(uint32_t) };

/* Ranges are those of `items`; all else is for one cut. */
typedef struct connectivity {
    item *items;
    item *sorted;
    uint64_t *keys, *spare_keys;
    uint8_t *is_upper;
    wi_submesh submesh;
} connectivity;

/* As full as those of MEDIAN, nearly. */
static void connectivity_count_all(uint32_t tris, const willow_tree_def *def, uint32_t *nodes,
                                   uint32_t *leaves)
{
    const uint32_t full = tris / def->leaf_triangles;
    *leaves = wi_smaller_u32(tris, full + full / 16 + 16);
    *nodes = wi_smaller_u32(*leaves, *leaves / (def->arity - 1) + 16);
}

static size_t connectivity_work_size(const wi_mesh *mesh, size_t tris)
{
    return wi_workspace_size(1, sizeof(connectivity)) + 2 * wi_workspace_size(tris, sizeof(item)) +
           2 * wi_workspace_size(tris, sizeof(uint64_t)) +
           wi_workspace_size(tris, sizeof(uint8_t)) + wi_submesh_size(mesh, tris);
}

static item item_of(const wi_mesh *mesh, uint32_t slot)
{
    item made = {.slot = slot};
    wi_box box = wi_box_empty();
    for (int i = 0; i < 3; i++) wi_box_add_point(&box, wi_mesh_position(mesh, mesh->tris[slot][i]));
    for (int axis = 0; axis < 3; axis++)
        made.at[axis] = 0.25F * box.lower[axis] + 0.25F * box.upper[axis];
    return made;
}

static void connectivity_begin(wi_builder *b, wi_workspace *workspace, uint32_t tris)
{
    const wi_mesh *mesh = b->mesh;
    connectivity *c = wi_workspace_take(workspace, 1, sizeof *c);
    c->items = wi_workspace_take(workspace, tris, sizeof *c->items);
    c->sorted = wi_workspace_take(workspace, tris, sizeof *c->sorted);
    c->keys = wi_workspace_take(workspace, tris, sizeof *c->keys);
    c->spare_keys = wi_workspace_take(workspace, tris, sizeof *c->spare_keys);
    c->is_upper = wi_workspace_take(workspace, tris, sizeof *c->is_upper);
    c->submesh = wi_submesh_take(workspace, mesh, tris);
    for (uint32_t i = 0; i < tris; i++) c->items[i] = item_of(mesh, b->slots ? b->slots[i] : i);
    b->work = c;
}

static wi_range_slots connectivity_slots(const wi_builder *b, const wi_range *r)
{
    const connectivity *c = b->work;
    return (wi_range_slots){&c->items[r->first].slot, ITEM_STEP};
}

/* Along an axis, upwards or downwards. */
typedef struct way {
    int axis;
    bool is_down;
} way;

enum { WAYS = 6 };

/* The longest axis first. */
static void list_ways(const item *items, uint32_t count, way ways[WAYS])
{
    wi_box places = wi_box_empty();
    int axes[3];
    for (uint32_t i = 0; i < count; i++) wi_box_add_point(&places, items[i].at);
    wi_box_sort_axes(&places, axes);
    for (int i = 0; i < WAYS; i++) ways[i] = (way){axes[i / 2], i % 2 != 0};
}

/* Of those at one place the earlier one of the range stays the earlier one; at first that is the
 * one with the lower slot. */
static void sort_items(connectivity *c, const item *items, uint32_t count, way w)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t key = wi_float_key(items[i].at[w.axis]);
        c->keys[i] = (uint64_t)(w.is_down ? ~key : key) << 32 | i;
    }
    wi_sort_u64(c->keys, c->spare_keys, count);
    for (uint32_t i = 0; i < count; i++) c->sorted[i] = items[(uint32_t)c->keys[i]];
}

static wi_submesh_cut find_cut(wi_builder *b, const wi_range *r, uint32_t unit, way w)
{
    connectivity *c = b->work;
    sort_items(c, c->items + r->first, r->count, w);
    wi_submesh_load(&c->submesh, b->mesh, (wi_range_slots){&c->sorted->slot, ITEM_STEP}, r->count);
    return wi_submesh_find_cut(&c->submesh, unit);
}

/* The first way that wastes nothing, or else the best; the submesh is then as that way left it.
 * Pieces are cut along the longest axis only, since what is far apart should not be together. */
static wi_submesh_cut find_best_cut(wi_builder *b, const wi_range *r, uint32_t unit)
{
    const connectivity *c = b->work;
    way ways[WAYS];
    int best_way = 0, last = 0;
    list_ways(c->items + r->first, r->count, ways);
    wi_submesh_cut best = find_cut(b, r, unit, ways[0]);
    while (best.is_connected && best.miss >= WI_SUBMESH_WASTES && last + 1 < WAYS) {
        const wi_submesh_cut other = find_cut(b, r, unit, ways[++last]);
        if (other.miss >= best.miss) continue;
        best = other;
        best_way = last;
    }
    return best_way == last ? best : find_cut(b, r, unit, ways[best_way]);
}

static unsigned connectivity_cut(wi_builder *b, wi_range *parts, unsigned count, unsigned at,
                                 uint32_t unit)
{
    connectivity *c = b->work;
    const wi_range *r = &parts[at];
    const wi_submesh_cut best = find_best_cut(b, r, unit);
    const uint32_t lower = r->count - best.upper;
    WI_ASSERT(best.upper > 0 && best.upper < r->count); /* no side is empty */
    item *next[2] = {c->items + r->first, c->items + r->first + lower};
    wi_submesh_mark(&c->submesh, &best, c->is_upper);
    for (uint32_t i = 0; i < r->count; i++) *next[c->is_upper[i]]++ = c->sorted[i];
    WI_ASSERT(next[0] == c->items + r->first + lower);
    return wi_range_cut(parts, count, at, lower);
}

/* The largest part of those that are too large, or none. */
static int connectivity_next_to_cut(const wi_range *parts, unsigned count, uint32_t unit)
{
    int next = -1;
    for (int i = 0; i < (int)count; i++) {
        if (parts[i].count <= unit) continue;
        if (next < 0 || parts[i].count > parts[next].count) next = i;
    }
    return next;
}

static unsigned connectivity_part(wi_builder *b, const wi_range *whole, wi_range parts[WI_LANES])
{
    const willow_tree_def *def = &b->tree->def;
    const uint32_t unit = wi_full_part(def, whole->count);
    unsigned count = 1;
    parts[0] = *whole;
    for (int at = 0; at >= 0 && count < def->arity;
         at = connectivity_next_to_cut(parts, count, unit))
        count = connectivity_cut(b, parts, count, (unsigned)at, unit);
    return count;
}

const wi_build_ops wi_connectivity_ops = {.build = WILLOW_BUILD_CONNECTIVITY,
                                          .count = connectivity_count_all,
                                          .work_size = connectivity_work_size,
                                          .begin = connectivity_begin,
                                          .part = connectivity_part,
                                          .slots = connectivity_slots};
