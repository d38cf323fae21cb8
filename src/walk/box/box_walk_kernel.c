/* box_walk_kernel.c - tree against box.
 *
 * Way in: wi_run_box. A posed body is in another frame than the box, but only above the leaves:
 * blocks of leaves are in the world. */
#include "base/kernel.h"
#include "prim/meet/tri_box.h"
#include "walk/box/box_walk.h"
#include "walk/reader/bits.h"
#include "walk/reader/sight.h"

extern wi_run_box WI_KERNEL(run_box);

/* Which triangles of the block have boxes that meet the box, a bit each. */
static inline uint32_t box_tris_met(const wi_leaf_block *block, const wi_box *box)
{
    uint32_t met = 0;
    const wi_box8 *group = block->boxes;
    for (unsigned first = 0; first < block->tri_count; first += WI_LANES, group++)
        met |= (uint32_t)wi_boxes_met(group->lower, group->upper, box) << first;
    return met;
}

static bool box_meet_leaf(wi_box_walk *walk, const wi_tree *h, uint32_t leaf, const wi_box *box)
{
    wi_reader *reader = walk->reader;
    WI_ASSERT(leaf < h->shape->leaf_count);
    const wi_leaf_block *block = wi_leaf_cache_get(&reader->caches[0], h, leaf, &reader->openings);
    uint32_t met = box_tris_met(block, box);
    reader->stats.volume_tests += block->tri_count;
    while (met != 0) {
        unsigned number = wi_take_lowest(&met);
        wi_box own = wi_box_empty();
        wi_tri tri;
        for (int i = 0; i < 3; i++) {
            const float *corner = block->points[block->corners[number][i]];
            memcpy(tri.corner[i], corner, sizeof tri.corner[i]);
            wi_box_add_point(&own, corner);
        }
        reader->stats.triangle_tests++;
        if (!wi_box_contains(box, &own) && !wi_tri_meets_box(&tri, box->lower, box->upper))
            continue;
        if (!wi_array_push(reader->memory, &walk->slots, block->slots[number])) return false;
    }
    return true;
}

WI_IN_ALL_LOOPS bool box_open_until_pause(wi_box_walk *walk, const wi_tree *h,
                                          const wi_relation *relation, const wi_target *t,
                                          wi_frames in)
{
    wi_reader *reader = walk->reader;
    while (walk->stack.count > 0 && walk->slots.count < walk->pause_at) {
        wi_sight s;
        wi_see(reader, &s, h, walk->stack.items[--walk->stack.count], &relation->a_to_b, in);
        unsigned met = wi_children_met(&s, t, in);
        reader->stats.volume_tests += s.view->count;
        while (met != 0) {
            const unsigned lane = wi_take_lowest(&met);
            const uint32_t child = s.view->child[lane];
            const bool is_leaf = (s.view->leaf_mask >> lane & 1) != 0;
            if (!(is_leaf ? box_meet_leaf(walk, h, child, &t->own)
                          : wi_array_push(reader->memory, &walk->stack, child)))
                return false;
        }
    }
    return true;
}

bool WI_KERNEL(run_box)(wi_box_walk *walk, const wi_tree *h, const wi_box *box)
{
    const wi_frame frame = wi_tree_frame(h), world = {NULL, wi_box_size(box), false};
    wi_relation relation;
    if (wi_relate(&frame, &world, &relation) == WI_ONE_FRAME) {
        const wi_target t = wi_aim_at(box, NULL, WI_ONE_FRAME);
        return box_open_until_pause(walk, h, &relation, &t, WI_ONE_FRAME);
    }
    const wi_target t = wi_aim_at(box, &relation.b_to_a, WI_TWO_FRAMES);
    return box_open_until_pause(walk, h, &relation, &t, WI_TWO_FRAMES);
}
