/* leaf_block.h - a leaf as a query sees it: positions, and triangle boxes eight at a time.
 *
 * Only leaves that a query reaches are read, and have triangle boxes. A leaf is met by several
 * others in a row, so blocks are kept in a small cache per side of a walk, keyed by the placement
 * (which no two states share) and the leaf. Positions are the world's, whatever the frame of the
 * hierarchy. */
#ifndef WI_WALK_READER_LEAF_BLOCK_H
#define WI_WALK_READER_LEAF_BLOCK_H

#include "base/threads.h"
#include "geom/pose_quad.h"
#include "mesh/motion/morph_quad.h"
#include "mesh/motion/plan_quad.h"
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
    bool has_box;
    const uint32_t *slots;
    const uint32_t *vertices;    /* vertex numbers */
    const uint8_t (*corners)[3]; /* which of the vertices */
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

/* The stored positions of the leaf's vertices, each once. */
static inline void wi_leaf_read_stored(const wi_tree *h, const wi_leaf *leaf,
                                       float out[WI_MAX_LEAF_VERTICES][4])
{
    const wi_mesh *mesh = h->mesh;
    const unsigned owned_count = leaf->owned_count, count = leaf->vertex_count;
    if (mesh->borrowed) {
        const uint32_t *vertices = h->leaf_vertices + leaf->first_vertex;
        for (unsigned i = 0; i < count; i++)
            wi_quad_store(out[i], wi_quad_load3(wi_mesh_position(mesh, vertices[i])));
        return;
    }
    const wi_point *positions = mesh->positions, *owned = positions + leaf->first_place;
    const uint32_t *border = wi_leaf_border(h, leaf);
    for (unsigned i = 0; i < owned_count; i++) wi_quad_store(out[i], wi_quad_load(owned[i].axis));
    for (unsigned i = owned_count; i < count; i++)
        wi_quad_store(out[i], wi_quad_load(positions[border[i - owned_count]].axis));
}

/* The bits of wi_plan_point. */
static inline void wi_leaf_read_between_keys(const wi_tree *h, const wi_leaf *leaf,
                                             float out[WI_MAX_LEAF_VERTICES][4])
{
    const wi_moment *at = &h->mesh->moment;
    const float *from = wi_plan_key(&h->mesh->plan, at->from, 0);
    const float *to = wi_plan_key(&h->mesh->plan, at->to, 0);
    const uint32_t *border = wi_leaf_border(h, leaf);
    const wi_quad64 share = wi_quad64_all(at->share);
    const unsigned owned = leaf->owned_count, others = leaf->vertex_count - leaf->owned_count;
    const float *own_from = from + 3 * (size_t)leaf->first_place;
    const float *own_to = to + 3 * (size_t)leaf->first_place;
    for (unsigned i = 0; i < owned; i++, own_from += 3, own_to += 3)
        wi_quad_store(out[i], wi_quad64_round(wi_between_keys(own_from, own_to, share)));
    for (unsigned i = 0; i < others; i++) {
        const size_t place = 3 * (size_t)border[i];
        wi_quad_store(out[owned + i],
                      wi_quad64_round(wi_between_keys(from + place, to + place, share)));
    }
}

/* A pose in registers. */
typedef struct wi_pose8 {
    wi_quad64 columns[3], translation;
} wi_pose8;

static inline wi_pose8 wi_pose8_of(const wi_pose *pose)
{
    return (wi_pose8){{wi_quad64_load(pose->column[0]), wi_quad64_load(pose->column[1]),
                       wi_quad64_load(pose->column[2])},
                      wi_quad64_load(pose->translation)};
}

/* The same for a mesh that is morphed: the vertices of the leaf, term by term. */
static inline void wi_leaf_sum_terms(const wi_tree *h, const wi_leaf *leaf, wi_quad64 *sums)
{
    const wi_morph *morph = &h->mesh->morph;
    const uint32_t *border = wi_leaf_border(h, leaf);
    const uint32_t first = leaf->first_place, owned = leaf->owned_count;
    for (unsigned i = 0; i < leaf->vertex_count; i++) sums[i] = wi_quad64_all(0.0);
    for (uint32_t i = 0; i < morph->term_count; i++) {
        const wi_morph_shape *shape = &morph->shapes[morph->terms[i].shape];
        const wi_quad64 weight = wi_quad64_all(morph->terms[i].weight);
        wi_add_run(sums, weight, shape, first, first + owned);
        wi_add_places(sums + owned, weight, shape, border, leaf->vertex_count - owned);
    }
}

static inline void wi_leaf_read_morphed(const wi_tree *h, const wi_leaf *leaf, float (*out)[4])
{
    const wi_pose8 pose = wi_pose8_of(&h->mesh->pose);
    wi_quad64 sums[WI_MAX_LEAF_VERTICES];
    wi_leaf_sum_terms(h, leaf, sums);
    for (unsigned i = 0; i < leaf->vertex_count && !h->mesh->is_posed; i++)
        wi_quad_store(out[i], wi_clamped_round(sums[i]));
    for (unsigned i = 0; i < leaf->vertex_count && h->mesh->is_posed; i++) {
        double p[4];
        wi_quad64_store(p, sums[i]);
        wi_quad_store(out[i], wi_pose_quad64(pose.columns, pose.translation, p));
    }
}

/* As queries see them, of a mesh whose positions they compute. */
static inline void wi_leaf_read_computed(const wi_tree *h, const wi_leaf *leaf,
                                         float out[WI_MAX_LEAF_VERTICES][4])
{
    const wi_mesh *mesh = h->mesh;
    if (mesh->is_morphed) {
        wi_leaf_read_morphed(h, leaf, out);
        return;
    }
    if (mesh->is_planned && mesh->plan.paths == NULL && !mesh->is_posed) {
        wi_leaf_read_between_keys(h, leaf, out);
        return;
    }
    for (unsigned i = 0; i < leaf->vertex_count; i++) {
        const uint32_t place = wi_leaf_place(h, leaf, i);
        if (mesh->is_planned && !mesh->is_posed)
            wi_quad_store(out[i], wi_plan_quad(&mesh->plan, &mesh->moment, place));
        else
            wi_mesh_computed_at(mesh, place, out[i]);
    }
}

/* The same of a tree that keeps them: computed once, by whoever comes first, while others wait for
 * it (C9); these are counted. */
static inline void wi_leaf_read_kept(const wi_tree *h, const wi_leaf *leaf,
                                     float out[WI_MAX_LEAF_VERTICES][4], uint64_t *blended)
{
    _Atomic uint64_t *stamp = &h->points->stamps[leaf - h->leaves];
    wi_point *points = h->points->points + leaf->first_vertex;
    uint64_t seen = atomic_load_explicit(stamp, memory_order_acquire);
    while (seen != h->placement) {
        if (seen == WI_STAMP_CLAIMED) {
            wi_thread_yield();
            seen = atomic_load_explicit(stamp, memory_order_acquire);
        } else if (atomic_compare_exchange_weak_explicit(stamp, &seen, WI_STAMP_CLAIMED,
                                                         memory_order_acquire,
                                                         memory_order_acquire)) {
            wi_leaf_read_computed(h, leaf, (float(*)[4])(void *)points);
            *blended += leaf->vertex_count;
            atomic_store_explicit(stamp, h->placement, memory_order_release);
            break;
        }
    }
    for (unsigned i = 0; i < leaf->vertex_count; i++)
        wi_quad_store(out[i], wi_quad_load(points[i].axis));
}

/* The positions of the leaf's vertices as queries see them. Adds to *blended those that were
 * computed for a tree that keeps them. */
static inline void wi_leaf_read_positions(const wi_tree *h, const wi_leaf *leaf,
                                          float out[WI_MAX_LEAF_VERTICES][4], uint64_t *blended)
{
    if (h->points && wi_mesh_computes(h->mesh)) {
        wi_leaf_read_kept(h, leaf, out, blended);
        return;
    }
    if (wi_mesh_computes(h->mesh)) {
        wi_leaf_read_computed(h, leaf, out);
        return;
    }
    wi_leaf_read_stored(h, leaf, out);
    if (!h->mesh->is_posed) return;
    const wi_pose8 pose = wi_pose8_of(&h->mesh->pose);
    for (unsigned i = 0; i < leaf->vertex_count; i++)
        wi_quad_store(out[i], wi_pose_quad(pose.columns, pose.translation, out[i]));
}

/* Bounds eight triangles from number `first` on; lanes past the last are empty. */
static inline void wi_block_bound_group(wi_leaf_block *block, unsigned first)
{
    wi_box8 *box = &block->boxes[first / WI_LANES];
    const unsigned count = block->tri_count - first;
    wi_wide corner[3][3];
    for (unsigned i = 0; i < 3; i++) {
        unsigned number[WI_LANES];
        for (unsigned lane = 0; lane < WI_LANES; lane++)
            number[lane] = block->corners[first + (lane < count ? lane : 0)][i];
        wi_wide_gather((const float(*)[4])block->points, number, corner[i]);
    }
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

static inline wi_leaf_block *wi_leaf_cache_get(wi_leaf_cache *cache, const wi_tree *h,
                                               uint32_t number, wi_openings *count)
{
    wi_leaf_block *block = &cache->blocks[number % WI_CACHED_BLOCKS];
    if (block->placement == h->placement && block->leaf == number) return block;
    block->has_box = false;
    const wi_leaf *leaf = &h->leaves[number];
    block->placement = h->placement;
    block->leaf = number;
    block->tri_count = leaf->tri_count;
    block->slots = h->slots + leaf->first_tri;
    block->corners = (const uint8_t(*)[3])(h->corners + leaf->first_tri);
    block->vertices = h->leaf_vertices + leaf->first_vertex;
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

#endif
