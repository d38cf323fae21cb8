/* nearest.c - the heap and the best of a search by distance, and the search without trees.
 *
 * Why nothing is missed that could be the answer. Distances of triangles are never less than those
 * of their boxes, as wi_box_distance2 finds them; that one is no greater for larger boxes, and a
 * pair is passed over only if the root of its square is greater than the best distance, roundings
 * included. So without poses no slack is needed anywhere. Under poses boxes are compared in the
 * frame of one body: relation.c widens them for what turning rounds, and here they are widened for
 * what distances may be off (WI_DISTANCE_ERROR) and for rotations that are not quite of length one.
 */
#include "walk/nearest/nearest.h"

#include <math.h>

#include "base/check.h"
#include "base/kernel.h"
#include "prim/distance/distance.h"
#include "prim/meet/tri_tri.h"

extern const wi_nearest_kernels wi_nearest_kernels_scalar, wi_nearest_kernels_avx2;

const wi_nearest_kernels *wi_nearest_kernels_for(willow_kernel kernel)
{
    return WI_KERNELS_FOR(kernel, nearest_kernels);
}

/* The square, rounded up: what is greater has a root that is greater, in double too. */
static double reach2_of(double distance) { return distance * distance * (1.0 + 0x1p-48); }

wi_nearest_best wi_nearest_within(double limit)
{
    WI_ASSERT(limit >= 0.0);
    return (wi_nearest_best){.distance = limit, .reach2 = reach2_of(limit)};
}

void wi_nearest_start(wi_nearest *nearest, wi_reader *reader, wi_nearest_kind kind,
                      const wi_walk_rules *rules, const wi_nearest_best *best)
{
    nearest->reader = reader;
    nearest->kind = kind;
    nearest->descend_larger = rules->descend_larger;
    nearest->heap.count = 0;
    nearest->next_age = 0;
    nearest->best = *best;
    nearest->related_a = nearest->related_b = NULL;
}

void wi_nearest_start_part(wi_nearest *nearest, wi_reader *reader, const wi_nearest *whole)
{
    const wi_walk_rules rules = {.descend_larger = whole->descend_larger};
    wi_nearest_start(nearest, reader, whole->kind, &rules, &whole->best);
}

void wi_nearest_free(wi_memory *memory, wi_nearest *nearest)
{
    wi_array_free(memory, &nearest->heap);
}

/* ---- the best ---- */

static bool comes_first(const wi_nearest_key *a, const wi_nearest_key *b)
{
    if (a->body_a != b->body_a) return a->body_a < b->body_a;
    if (a->tri_a != b->tri_a) return a->tri_a < b->tri_a;
    if (a->body_b != b->body_b) return a->body_b < b->body_b;
    return a->tri_b < b->tri_b;
}

void wi_nearest_offer(wi_nearest_best *best, double distance, const wi_nearest_key *key)
{
    WI_ASSERT(distance >= 0.0 && best->distance >= 0.0);
    if (distance > best->distance) return;
    if (distance == best->distance && best->found && !comes_first(key, &best->key)) return;
    *best = (wi_nearest_best){true, distance, reach2_of(distance), *key};
}

bool wi_nearest_is_wanted(const wi_nearest_best *best, const wi_nearest_key *key)
{
    return best->distance > 0.0 || !best->found || comes_first(key, &best->key);
}

void wi_nearest_test(wi_nearest *nearest, const wi_tri *a, const wi_tri *b,
                     const wi_nearest_key *key)
{
    wi_nearest_best *best = &nearest->best;
    if (!wi_nearest_is_wanted(best, key)) return;
    nearest->reader->stats.triangle_tests++;
    if (best->distance == 0.0 && !wi_tris_meet(a, b)) return;
    wi_nearest_offer(best, wi_tri_tri_distance_within(a, b, best->distance), key);
}

void wi_nearest_test_point(wi_nearest *nearest, const wi_tri *tri, const float p[3],
                           const wi_nearest_key *key)
{
    wi_nearest_best *best = &nearest->best;
    if (!wi_nearest_is_wanted(best, key)) return;
    nearest->reader->stats.triangle_tests++;
    wi_nearest_offer(best, wi_point_tri_distance_within(p, tri, best->distance), key);
}

/* ---- the heap ---- */

static bool goes_before(const wi_nearest_item *a, const wi_nearest_item *b)
{
    return a->lower2 != b->lower2 ? a->lower2 < b->lower2 : a->age > b->age;
}

/* Pairs that meet are found in any number of bodies: of later ones none is the first. */
static bool holds_no_answer(const wi_nearest_best *best, const wi_nearest_item *item)
{
    if (item->lower2 > best->reach2) return true;
    return best->found && best->distance == 0.0 && item->body_a > best->key.body_a;
}

bool wi_nearest_push(wi_nearest *nearest, const wi_nearest_item *item)
{
    WI_ASSERT(item->lower2 >= 0.0 && (item->hb == NULL) == (nearest->kind == WI_NEAREST_POINT));
    if (holds_no_answer(&nearest->best, item)) return true;
    wi_nearest_items *heap = &nearest->heap;
    if (!wi_array_reserve(nearest->reader->memory, heap, heap->count + 1)) return false;
    wi_nearest_item added = *item;
    added.age = nearest->next_age++;
    size_t at = heap->count++;
    for (; at > 0 && goes_before(&added, &heap->items[(at - 1) / 2]); at = (at - 1) / 2)
        heap->items[at] = heap->items[(at - 1) / 2];
    heap->items[at] = added;
    return true;
}

/* Fills the hole at the top with the last item. */
static void sink_last(wi_nearest_items *heap)
{
    WI_ASSERT(heap->count > 0);
    const wi_nearest_item *last = &heap->items[--heap->count];
    size_t at = 0;
    for (size_t child = 1; child < heap->count; child = 2 * at + 1) {
        if (child + 1 < heap->count && goes_before(&heap->items[child + 1], &heap->items[child]))
            child++;
        if (!goes_before(&heap->items[child], last)) break;
        heap->items[at] = heap->items[child];
        at = child;
    }
    heap->items[at] = *last;
}

bool wi_nearest_pop(wi_nearest *nearest, wi_nearest_item *item)
{
    wi_nearest_items *heap = &nearest->heap;
    while (heap->count > 0) {
        *item = heap->items[0];
        if (item->lower2 > nearest->best.reach2) {
            heap->count = 0; /* all others are as far */
            return false;
        }
        sink_last(heap);
        if (!holds_no_answer(&nearest->best, item)) return true;
    }
    return false;
}

wi_nearest_item wi_nearest_root(const wi_tree *ha, uint32_t body_a, const wi_tree *hb,
                                uint32_t body_b)
{
    return (wi_nearest_item){.lower2 =
                                 wi_box_distance2(&ha->boxes.world_bounds, &hb->boxes.world_bounds),
                             .ha = ha,
                             .hb = hb,
                             .body_a = body_a,
                             .body_b = body_b,
                             .box_a = ha->boxes.bounds,
                             .box_b = hb->boxes.bounds};
}

wi_nearest_item wi_nearest_root_point(const wi_tree *h, uint32_t body, const float p[3])
{
    const wi_box box = {{p[0], p[1], p[2]}, {p[0], p[1], p[2]}};
    return (wi_nearest_item){.lower2 = wi_box_distance2(&h->boxes.world_bounds, &box),
                             .ha = h,
                             .body_a = body,
                             .box_a = h->boxes.bounds,
                             .box_b = box};
}

/* ---- poses ---- */

/* No two corners differ by more than some sizes and the shift between the frames, of which the
 * slack has 16 roundings of float: far more than a distance may be off, and so is what is added. */
static void nearest_widen(wi_turn *turn, double sizes)
{
    WI_ASSERT(turn->slack >= 0.0F && sizes >= 0.0);
    turn->slack = (float)(1.0001 * (double)turn->slack + 1e-11 * sizes);
}

void wi_nearest_relate(wi_nearest *nearest, const wi_nearest_item *item)
{
    WI_ASSERT(item->ha && (item->hb == NULL) == (nearest->kind == WI_NEAREST_POINT));
    if (nearest->related_a == item->ha && nearest->related_b == item->hb) return;
    const wi_frame frame_a = wi_tree_frame(item->ha);
    const wi_frame frame_b =
        item->hb ? wi_tree_frame(item->hb) : (wi_frame){NULL, wi_box_size(&item->box_b), false};
    nearest->related_a = item->ha;
    nearest->related_b = item->hb;
    nearest->frames = wi_relate(&frame_a, &frame_b, &nearest->relation);
    if (nearest->frames == WI_ONE_FRAME) return;
    nearest_widen(&nearest->relation.a_to_b, frame_a.size + frame_b.size);
    nearest_widen(&nearest->relation.b_to_a, frame_a.size + frame_b.size);
}

/* ---- without trees ---- */

static wi_box nearest_box_of(const wi_tri *tri)
{
    wi_box box = wi_box_empty();
    for (int i = 0; i < 3; i++) wi_box_add_point(&box, tri->corner[i]);
    return box;
}

static void nearest_run_brute_point(wi_nearest *nearest, const wi_nearest_item *item)
{
    const wi_mesh *mesh = item->ha->mesh;
    wi_nearest_key key = {.body_a = item->body_a};
    for (uint32_t slot = 0; slot < mesh->tri_count; slot++) {
        if (!wi_mesh_collides(mesh, slot)) continue;
        const wi_tri tri = wi_mesh_tri(mesh, slot);
        key.tri_a = slot;
        wi_nearest_test_point(nearest, &tri, item->box_b.lower, &key);
    }
}

static void nearest_run_brute(wi_nearest *nearest, const wi_nearest_item *item)
{
    const wi_mesh *a = item->ha->mesh, *b = item->hb->mesh;
    wi_nearest_key key = {.body_a = item->body_a, .body_b = item->body_b};
    for (key.tri_a = 0; key.tri_a < a->tri_count; key.tri_a++) {
        if (!wi_mesh_collides(a, key.tri_a)) continue;
        const wi_tri tri_a = wi_mesh_tri(a, key.tri_a);
        const wi_box box_a = nearest_box_of(&tri_a);
        for (key.tri_b = 0; key.tri_b < b->tri_count; key.tri_b++) {
            if (!wi_mesh_collides(b, key.tri_b)) continue;
            const wi_tri tri_b = wi_mesh_tri(b, key.tri_b);
            const wi_box box_b = nearest_box_of(&tri_b);
            nearest->reader->stats.volume_tests++;
            if (wi_box_distance2(&box_a, &box_b) <= nearest->best.reach2)
                wi_nearest_test(nearest, &tri_a, &tri_b, &key);
        }
    }
}

bool wi_nearest_run(wi_nearest *nearest, const wi_nearest_kernels *kernels, uint64_t most)
{
    wi_nearest_item item;
    for (; most > 0 && wi_nearest_pop(nearest, &item); most--) {
        const bool is_point = nearest->kind == WI_NEAREST_POINT;
        const bool has_trees = item.ha->boxes.nodes && (is_point || item.hb->boxes.nodes);
        if (has_trees && !kernels->open(nearest, &item)) return false;
        if (!has_trees && !is_point) nearest_run_brute(nearest, &item);
        if (!has_trees && is_point) nearest_run_brute_point(nearest, &item);
    }
    return true;
}
