/* brute.c - every triangle against every other, with boxes and the exact test and nothing else.
 *
 * Way in: wi_brute_run. This is what all other methods are tested against, so it shares no tree,
 * no filter and no wide code with them; but for features of very different sizes over steps, where
 * what decides in double is not fine enough (walk/step/features.c). */
#include "walk/brute.h"

#include "base/check.h"
#include "prim/meet/tri_box.h"
#include "prim/meet/tri_tri.h"
#include "walk/step/features.h"

static wi_box brute_box_of(const wi_tri *tri)
{
    wi_box box = wi_box_empty();
    for (int i = 0; i < 3; i++) wi_box_add_point(&box, tri->corner[i]);
    return box;
}

static unsigned count_shared(const uint32_t a[3], const uint32_t b[3])
{
    uint8_t order_a[3], order_b[3];
    return wi_share_order(a, b, order_a, order_b);
}

static bool are_pair(wi_pair_walk *walk, const wi_mesh *a, uint32_t slot_a, const wi_tri *tri_a,
                     const wi_mesh *b, uint32_t slot_b, const wi_tri *tri_b)
{
    walk->down.reader->stats.triangle_tests++;
    walk->down.reader->stats.exact_tests++;
    if (a != b) return wi_tris_meet(tri_a, tri_b);
    if (walk->down.rules.skip_neighbours && count_shared(a->tris[slot_a], b->tris[slot_b]) > 0)
        return false;
    return wi_tris_are_pair(tri_a, a->tris[slot_a], tri_b, b->tris[slot_b]);
}

bool wi_brute_are_pair(wi_pair_walk *walk, const wi_mesh *a, uint32_t slot_a, const wi_mesh *b,
                       uint32_t slot_b)
{
    WI_ASSERT(slot_a < a->tri_count && slot_b < b->tri_count && (a != b || slot_a < slot_b));
    if (!wi_mesh_collides(a, slot_a) || !wi_mesh_collides(b, slot_b)) return false;
    if (a == b && !wi_mesh_groups_meet(a, slot_a, slot_b)) return false;
    const wi_tri tri_a = wi_mesh_tri(a, slot_a), tri_b = wi_mesh_tri(b, slot_b);
    return are_pair(walk, a, slot_a, &tri_a, b, slot_b, &tri_b);
}

bool wi_brute_run(wi_pair_walk *walk, const wi_mesh *a, const wi_mesh *b, wi_brute_at *at,
                  bool *done)
{
    WI_ASSERT(at->a <= a->tri_count && at->b <= b->tri_count);
    for (; at->a < a->tri_count; at->a++, at->b = 0) {
        if (!wi_mesh_collides(a, at->a)) continue;
        wi_tri tri_a = wi_mesh_tri(a, at->a);
        wi_box box_a = brute_box_of(&tri_a);
        uint32_t first = a == b ? at->a + 1 : 0;
        for (; first + at->b < b->tri_count; at->b++) {
            uint32_t slot_b = first + at->b;
            *done = false;
            if (walk->keys.count >= walk->pause_at) return true;
            if (!wi_mesh_collides(b, slot_b)) continue;
            if (a == b && !wi_mesh_groups_meet(a, at->a, slot_b)) continue;
            wi_tri tri_b = wi_mesh_tri(b, slot_b);
            wi_box box_b = brute_box_of(&tri_b);
            walk->down.reader->stats.volume_tests++;
            if (!wi_boxes_meet(&box_a, &box_b) ||
                !are_pair(walk, a, at->a, &tri_a, b, slot_b, &tri_b))
                continue;
            if (!wi_array_push(walk->down.reader->memory, &walk->keys,
                               (wi_pair_key)at->a << 32 | slot_b))
                return false;
        }
    }
    *done = true;
    return true;
}

/* Where a triangle is in the course of its step, and a little more on all sides. */
static wi_box swept_box(const wi_side *side, uint32_t slot, double more)
{
    wi_tri start = wi_mesh_tri(side->start->mesh, slot);
    wi_tri end = wi_mesh_tri(side->motion.end->mesh, slot);
    wi_box box = brute_box_of(&start), box_end = brute_box_of(&end);
    wi_box_add_box(&box, &box_end);
    return wi_box_widened(&box, more);
}

bool wi_brute_run_step(wi_step_walk *walk)
{
    const wi_side *side_a = &walk->step.a, *side_b = &walk->step.b;
    const wi_mesh *a = side_a->start->mesh, *b = side_b->start->mesh;
    /* As wide as trees have them: what features are decided by has roundings, so that boxes which
     * are exactly too far apart may hold what is said to touch. */
    const double more = (double)walk->step.widen;
    for (uint32_t slot_a = 0; slot_a < a->tri_count; slot_a++) {
        if (!wi_mesh_collides(a, slot_a)) continue;
        const wi_box box_a = swept_box(side_a, slot_a, more);
        for (uint32_t slot_b = a == b ? slot_a + 1 : 0; slot_b < b->tri_count; slot_b++) {
            if (!wi_mesh_collides(b, slot_b)) continue;
            if (a == b && !wi_mesh_groups_meet(a, slot_a, slot_b)) continue;
            const wi_box box_b = swept_box(side_b, slot_b, 0.0);
            walk->down.reader->stats.volume_tests++;
            if (!wi_boxes_meet(&box_a, &box_b)) continue;
            walk->down.reader->stats.triangle_tests++;
            if (!wi_test_features(walk, slot_a, slot_b)) return false;
            if (walk->is_over) break;
        }
        if (walk->is_over) break;
    }
    const bool ok = walk->is_over || wi_decide_features(walk);
    if (walk->is_over) wi_step_walk_drop(walk);
    return ok;
}

bool wi_brute_run_box(wi_box_walk *walk, const wi_mesh *mesh, const wi_box *box, wi_brute_at *at,
                      bool *done)
{
    WI_ASSERT(at->a <= mesh->tri_count);
    *done = false;
    for (; at->a < mesh->tri_count; at->a++) {
        if (walk->slots.count >= walk->pause_at) return true;
        if (!wi_mesh_collides(mesh, at->a)) continue;
        wi_tri tri = wi_mesh_tri(mesh, at->a);
        walk->reader->stats.triangle_tests++;
        if (!wi_tri_meets_box(&tri, box->lower, box->upper)) continue;
        if (!wi_array_push(walk->reader->memory, &walk->slots, at->a)) return false;
    }
    *done = true;
    return true;
}
