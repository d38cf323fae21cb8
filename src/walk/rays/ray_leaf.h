/* ray_leaf.h - a leaf as rays see it: corners of eight triangles side by side. For kernels.
 *
 * Neighbouring rays meet the same leaves, so the last ones are kept, keyed by the placement (which
 * no two states share) and the leaf. */
#ifndef WI_WALK_RAYS_RAY_LEAF_H
#define WI_WALK_RAYS_RAY_LEAF_H

#include "walk/reader/leaf_block.h"

enum { WI_RAY_LEAVES = 256 }; /* a power of two */

typedef struct wi_ray_leaf {
    uint64_t placement; /* 0: empty */
    uint32_t leaf;
    uint32_t tri_count;
    const uint32_t *slots;
    alignas(32) float corner[WI_MAX_LEAF_GROUPS][3][3][WI_LANES]; /* by group, corner, axis */
} wi_ray_leaf;

static inline void wi_ray_leaf_read(wi_ray_leaf *own, const wi_tree *h, const wi_leaf *leaf,
                                    uint64_t *blended)
{
    alignas(16) float points[WI_MAX_LEAF_VERTICES][4];
    const uint8_t(*corners)[3] = wi_leaf_corners(h, leaf);
    wi_leaf_read_positions(h, leaf, points, blended);
    for (unsigned first = 0, group = 0; first < leaf->tri_count; first += WI_LANES, group++) {
        const unsigned count = leaf->tri_count - first;
        for (int i = 0; i < 3; i++) {
            unsigned number[WI_LANES];
            wi_wide axes[3];
            for (unsigned lane = 0; lane < WI_LANES; lane++)
                number[lane] = corners[first + (lane < count ? lane : 0)][i];
            wi_wide_gather((const float(*)[4])points, number, axes);
            for (int axis = 0; axis < 3; axis++)
                wi_wide_store(own->corner[group][i][axis], axes[axis]);
        }
    }
}

static inline const wi_ray_leaf *wi_ray_leaf_get(wi_ray_leaf *leaves, const wi_tree *h,
                                                 uint32_t number, wi_openings *count)
{
    const uint32_t mixed = (number ^ (uint32_t)h->boxes.placement * 0x9E3779B1U);
    wi_ray_leaf *own = &leaves[mixed % WI_RAY_LEAVES];
    if (own->placement == h->boxes.placement && own->leaf == number) return own;
    const wi_leaf *leaf = &h->shape->leaves[number];
    own->placement = h->boxes.placement;
    own->leaf = number;
    own->tri_count = leaf->tri_count;
    own->slots = h->shape->slots + leaf->first_tri;
    wi_ray_leaf_read(own, h, leaf, &count->blended);
    return own;
}

/* Asks for what a leaf that will be read soon names: corners, its own positions, and the list of
 * those on its border. These positions are not asked for: that would wait for the list. */
static inline void wi_ray_leaf_fetch(const wi_tree *h, uint32_t number)
{
    const wi_leaf *leaf = &h->shape->leaves[number];
    WI_ASSERT(wi_mesh_is_plain(h->mesh));
    if (wi_shape_is_grown(h->shape)) {
        __builtin_prefetch(h->shape->slots + leaf->first_tri);
        return;
    }
    const uint32_t *border = wi_leaf_border(h, leaf);
    for (unsigned i = 0; i < leaf->owned_count; i += 64 / sizeof(wi_point))
        __builtin_prefetch(&h->mesh->positions[leaf->first_place + i]);
    __builtin_prefetch(border);
    __builtin_prefetch(h->shape->corners + leaf->first_tri);
}

static inline wi_tri wi_ray_leaf_tri(const wi_ray_leaf *own, unsigned number)
{
    WI_ASSERT(number < own->tri_count);
    const unsigned group = number / WI_LANES, lane = number % WI_LANES;
    wi_tri tri;
    for (int i = 0; i < 3; i++)
        for (int axis = 0; axis < 3; axis++)
            tri.corner[i][axis] = own->corner[group][i][axis][lane];
    return tri;
}

#endif
