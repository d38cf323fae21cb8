/* leaf_block.h - a leaf as a query sees it: positions, and triangle boxes eight at a time.
 *
 * Only leaves that a query reaches are read, and have triangle boxes. A leaf is met by several
 * others in a row, so blocks are kept in a small cache per side of a walk, keyed by the placement
 * (which no two states share) and the leaf. Positions are the world's, whatever the frame of the
 * hierarchy. */
#ifndef WI_WALK_READER_LEAF_BLOCK_H
#define WI_WALK_READER_LEAF_BLOCK_H

#include "base/check.h"
#include "base/kernel.h"
#include "base/threads.h"
#include "base/wide.h"
#include "prim/meet/tri_filter.h"
#include "tree/tree.h"

enum { WI_MAX_LEAF_GROUPS = WI_MAX_LEAF_TRIS / WI_LANES };

/* The boxes of eight triangles. */
typedef struct wi_box8 {
    alignas(32) float lower[3][WI_LANES];
    float upper[3][WI_LANES];
} wi_box8;

typedef struct wi_leaf_block {
    uint64_t placement; /* 0: empty */
    uint32_t leaf;
    uint32_t tri_count;
    wi_box box; /* of all triangles, if has_box */
    bool has_box, has_slabs;
    const uint32_t *slots;
    const uint32_t *vertices;                    /* vertex numbers */
    const uint8_t (*corners)[3];                 /* which of the vertices */
    uint32_t own_vertices[WI_MAX_LEAF_VERTICES]; /* of leaves that do not list theirs */
    alignas(32) float slab_lower[WI_LANES];      /* if has_slabs: see walk/reader/leaf_slabs.h */
    float slab_upper[WI_LANES];
    wi_box8 boxes[WI_MAX_LEAF_GROUPS];
    alignas(16) float points[WI_MAX_LEAF_VERTICES][4]; /* positions, one per vertex */
} wi_leaf_block;

enum { WI_CACHED_BLOCKS = 64 };

typedef struct wi_leaf_cache {
    wi_leaf_block blocks[WI_CACHED_BLOCKS];
} wi_leaf_cache;

static inline unsigned wi_lanes_mask(unsigned count) { return (1U << count) - 1; }

/* Which of eight boxes meet a ninth, given as six wide numbers. */
static inline unsigned wi_boxes_met_by(const float lower[3][WI_LANES],
                                       const float upper[3][WI_LANES], const wi_wide low[3],
                                       const wi_wide high[3])
{
    wi_mask met = wi_mask_and(wi_wide_less_equal(wi_wide_load(lower[0]), high[0]),
                              wi_wide_less_equal(low[0], wi_wide_load(upper[0])));
    for (int axis = 1; axis < 3; axis++) {
        met = wi_mask_and(met, wi_wide_less_equal(wi_wide_load(lower[axis]), high[axis]));
        met = wi_mask_and(met, wi_wide_less_equal(low[axis], wi_wide_load(upper[axis])));
    }
    return wi_mask_bits(met);
}

static inline unsigned wi_boxes_met(const float lower[3][WI_LANES], const float upper[3][WI_LANES],
                                    const wi_box *box)
{
    wi_wide low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = wi_wide_all(box->lower[axis]);
        high[axis] = wi_wide_all(box->upper[axis]);
    }
    return wi_boxes_met_by(lower, upper, low, high);
}

/* The positions of the leaf's vertices, each once, of a mesh that queries see as it is stored. */
static inline void wi_leaf_read_stored(const wi_tree *h, const wi_leaf *leaf,
                                       float out[WI_MAX_LEAF_VERTICES][4])
{
    const unsigned owned_count = leaf->owned_count, count = leaf->vertex_count;
    const wi_point *positions = h->mesh->positions, *owned = positions + leaf->first_place;
    const uint32_t *border = wi_leaf_border(h, leaf);
    for (unsigned i = 0; i < owned_count; i++) wi_quad_store(out[i], wi_quad_load(owned[i].axis));
    for (unsigned i = owned_count; i < count; i++)
        wi_quad_store(out[i], wi_quad_load(positions[border[i - owned_count]].axis));
}

static inline wi_places wi_leaf_places(const wi_tree *h, const wi_leaf *leaf)
{
    if (h->mesh->motion == WI_MOTION_BORROWED)
        return (wi_places){.listed = h->shape->leaf_vertices + leaf->first_vertex,
                           .count = leaf->vertex_count};
    return (wi_places){.listed = wi_leaf_border(h, leaf),
                       .first = leaf->first_place,
                       .run_count = leaf->owned_count,
                       .count = leaf->vertex_count};
}

_Static_assert((int)WI_MAX_LEAF_VERTICES <= (int)WI_MAX_PLACES, "see wi_motion_kernels");

/* As queries see them, of any mesh. */
static inline void wi_leaf_read_moved(const wi_tree *h, const wi_leaf *leaf,
                                      float out[WI_MAX_LEAF_VERTICES][4])
{
    const wi_places places = wi_leaf_places(h, leaf);
    WI_KERNEL(motion_kernels)[h->mesh->motion]->read_leaf(h->mesh, &places, out);
}

/* The same of a tree that keeps them: computed once, by whoever comes first, while others wait for
 * it (C9); these are counted. */
static inline void wi_leaf_read_kept(const wi_tree *h, const wi_leaf *leaf,
                                     float out[WI_MAX_LEAF_VERTICES][4], uint64_t *blended)
{
    _Atomic uint64_t *stamp = &h->boxes.points->stamps[leaf - h->shape->leaves];
    wi_point *points = h->boxes.points->points + leaf->first_vertex;
    uint64_t seen = atomic_load_explicit(stamp, memory_order_acquire);
    while (seen != h->boxes.placement) {
        if (seen == WI_STAMP_CLAIMED) {
            wi_thread_yield();
            seen = atomic_load_explicit(stamp, memory_order_acquire);
        } else if (atomic_compare_exchange_weak_explicit(stamp, &seen, WI_STAMP_CLAIMED,
                                                         memory_order_acquire,
                                                         memory_order_acquire)) {
            wi_leaf_read_moved(h, leaf, (float(*)[4])(void *)points);
            *blended += leaf->vertex_count;
            atomic_store_explicit(stamp, h->boxes.placement, memory_order_release);
            break;
        }
    }
    for (unsigned i = 0; i < leaf->vertex_count; i++)
        wi_quad_store(out[i], wi_quad_load(points[i].axis));
}

/* Of a leaf that lists triangles only: the corners of these, one after the other. */
static inline void wi_leaf_read_grown(const wi_tree *h, const wi_leaf *leaf,
                                      float out[WI_MAX_LEAF_VERTICES][4])
{
    wi_spot spots[WI_MAX_LEAF_VERTICES];
    for (unsigned i = 0; i < leaf->vertex_count; i++)
        spots[i] = wi_mesh_spot(h->mesh, wi_leaf_vertex(h, leaf, i));
    if (wi_mesh_is_plain(h->mesh)) {
        for (unsigned i = 0; i < leaf->vertex_count; i++)
            wi_quad_store(out[i], wi_quad_load(h->mesh->positions[spots[i]].axis));
        return;
    }
    const wi_places places = {.listed = spots, .count = leaf->vertex_count};
    WI_KERNEL(motion_kernels)[h->mesh->motion]->read_leaf(h->mesh, &places, out);
}

/* The positions of the leaf's vertices as queries see them. Adds to *blended those that were
 * computed for a tree that keeps them. */
static inline void wi_leaf_read_positions(const wi_tree *h, const wi_leaf *leaf,
                                          float out[WI_MAX_LEAF_VERTICES][4], uint64_t *blended)
{
    if (wi_shape_is_grown(h->shape))
        wi_leaf_read_grown(h, leaf, out);
    else if (wi_mesh_is_plain(h->mesh))
        wi_leaf_read_stored(h, leaf, out);
    else if (h->boxes.points && wi_mesh_computes(h->mesh))
        wi_leaf_read_kept(h, leaf, out, blended);
    else
        wi_leaf_read_moved(h, leaf, out);
}

/* Corner i of eight triangles from number `first` on; lanes past the last repeat the first. */
static inline void wi_block_gather_corners(const wi_leaf_block *block, unsigned first, int i,
                                           wi_wide axes[3])
{
    WI_ASSERT(first < block->tri_count && i >= 0 && i < 3);
    const unsigned count = block->tri_count - first;
    unsigned number[WI_LANES];
    for (unsigned lane = 0; lane < WI_LANES; lane++)
        number[lane] = block->corners[first + (lane < count ? lane : 0)][i];
    wi_wide_gather((const float(*)[4])block->points, number, axes);
}

/* Bounds eight triangles from number `first` on; lanes past the last are empty. */
static inline void wi_block_bound_group(wi_leaf_block *block, unsigned first)
{
    wi_box8 *box = &block->boxes[first / WI_LANES];
    const unsigned count = block->tri_count - first;
    wi_wide corner[3][3];
    for (int i = 0; i < 3; i++) wi_block_gather_corners(block, first, i, corner[i]);
    for (int axis = 0; axis < 3; axis++) {
        wi_wide_store(box->lower[axis],
                      wi_wide_min(wi_wide_min(corner[0][axis], corner[1][axis]), corner[2][axis]));
        wi_wide_store(box->upper[axis],
                      wi_wide_max(wi_wide_max(corner[0][axis], corner[1][axis]), corner[2][axis]));
        for (unsigned lane = count; lane < WI_LANES; lane++) {
            box->lower[axis][lane] = INFINITY;
            box->upper[axis][lane] = -INFINITY;
        }
    }
}

/* Their numbers. */
static inline const uint32_t *wi_block_vertices(wi_leaf_block *block, const wi_tree *h,
                                                const wi_leaf *leaf)
{
    if (!wi_shape_is_grown(h->shape)) return h->shape->leaf_vertices + leaf->first_vertex;
    for (unsigned i = 0; i < leaf->vertex_count; i++)
        block->own_vertices[i] = wi_leaf_vertex(h, leaf, i);
    return block->own_vertices;
}

static inline wi_leaf_block *wi_leaf_cache_get(wi_leaf_cache *cache, const wi_tree *h,
                                               uint32_t number, wi_openings *count)
{
    wi_leaf_block *block = &cache->blocks[number % WI_CACHED_BLOCKS];
    if (block->placement == h->boxes.placement && block->leaf == number) return block;
    block->has_box = block->has_slabs = false;
    const wi_leaf *leaf = &h->shape->leaves[number];
    block->placement = h->boxes.placement;
    block->leaf = number;
    block->tri_count = leaf->tri_count;
    block->slots = h->shape->slots + leaf->first_tri;
    block->corners = wi_leaf_corners(h, leaf);
    block->vertices = wi_block_vertices(block, h, leaf);
    wi_leaf_read_positions(h, leaf, block->points, &count->blended);
    for (unsigned first = 0; first < block->tri_count; first += WI_LANES)
        wi_block_bound_group(block, first);
    return block;
}

/* The box of all triangles of a block, in the world; found when it is first asked for. */
static inline const wi_box *wi_block_box(wi_leaf_block *block)
{
    if (block->has_box) return &block->box;
    for (int axis = 0; axis < 3; axis++) {
        wi_wide lower = wi_wide_load(block->boxes[0].lower[axis]);
        wi_wide upper = wi_wide_load(block->boxes[0].upper[axis]);
        for (unsigned group = 1; group * WI_LANES < block->tri_count; group++) {
            lower = wi_wide_min(lower, wi_wide_load(block->boxes[group].lower[axis]));
            upper = wi_wide_max(upper, wi_wide_load(block->boxes[group].upper[axis]));
        }
        block->box.lower[axis] = wi_wide_least(lower);
        block->box.upper[axis] = wi_wide_greatest(upper);
    }
    block->has_box = true;
    return &block->box;
}

/* The corners of one triangle, as a lane of eight. */
static inline void wi_block_copy_corners(const wi_leaf_block *block, unsigned tri, wi_tri8 *out,
                                         unsigned lane)
{
    const uint8_t *corners = block->corners[tri];
    for (int i = 0; i < 3; i++)
        wi_quad_store(out->corner[i][lane], wi_quad_load(block->points[corners[i]]));
}

#endif
