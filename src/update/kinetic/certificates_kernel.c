/* certificates_kernel.c - kinetic trees on keyframes: all ends against the next keyframe, and
 * boxes.
 *
 * Way in: wi_kinetic_choose, wi_kinetic_sweep, wi_kinetic_open. Paths are straight until the next
 * keyframe, so an end that is the end there, too, is so all the time: no certificate between has to
 * be made, and nothing divided. The boxes of that keyframe are computed as a refit computes them,
 * in one stream; only ends that are not at the end of them are handed on.
 *
 * Opening a node needs the coordinates of up to 48 vertices in two keyframes, anywhere in memory.
 * They stay the same for many updates, so they are kept, lane by lane. */
#include "base/check.h"
#include "base/kernel.h"
#include "update/bounds.h"
#include "update/claim.h"
#include "update/kinetic/certificates.h"
#include "update/kinetic/end_lanes.h"

extern wi_kinetic_with_key WI_KERNEL(kinetic_sweep), WI_KERNEL(kinetic_choose);
extern wi_refresh WI_KERNEL(kinetic_open);

/* ---- the sweep ---- */

/* Which of the ends are not where the box ends, a bit each. All vertices are in the box, so who is
 * not at its end is short of it. */
static inline unsigned stale_ends(const uint32_t *ends, const float *key, const wi_bounds *b)
{
    const wi_wide at = wi_wide_gather3((const float(*)[3])(const void *)key, ends);
    const wi_wide box = wi_wide_pack3(b->lower, b->upper);
    const unsigned level =
        wi_mask_bits(wi_mask_and(wi_wide_less_equal(at, box), wi_wide_less_equal(box, at)));
    return ~level & ((1U << WI_ENDS) - 1);
}

static inline void certificates_compare(wi_tree *h, uint32_t item, const float *key,
                                        const wi_bounds *b)
{
    const unsigned stale = stale_ends(wi_kinetic_of(h)->items[item].ends, key, b);
    wi_kinetic_of(h)->items[item].certain = (uint8_t)(stale ^ ((1U << WI_ENDS) - 1));
    if (stale != 0) wi_kinetic_add_pending(wi_kinetic_of(h), item, stale);
}

/* What is done with an item and its box in the keyframe. */
typedef void visit_item(wi_tree *h, uint32_t item, const float *key, const wi_bounds *b);

/* Children follow their parent (I1), so a backward sweep meets them first. */
static inline void certificates_visit_all(wi_tree *h, const float *key, visit_item *visit_leaf,
                                          visit_item *visit_node)
{
    WI_ASSERT(key && wi_kinetic_of(h)->node_count == h->shape->node_count);
    const wi_kinetic *k = wi_kinetic_of(h);
    float(*boxes)[8] = k->key_boxes;
    for (uint32_t node = h->shape->node_count; node-- > 0;) {
        const uint32_t *children = k->children + (size_t)k->arity * node;
        wi_bounds all = wi_bounds_none();
        for (unsigned i = 0; i < k->child_count[node]; i++) {
            const uint32_t item = children[i];
            WI_ASSERT(item > node && item < k->node_count + k->leaf_count);
            wi_bounds b;
            if (item >= h->shape->node_count) {
                b = wi_bounds_of_leaf(h, &h->shape->leaves[item - h->shape->node_count], key, 3);
                visit_leaf(h, item, key, &b);
            } else {
                b = (wi_bounds){wi_quad_load(boxes[item]), wi_quad_load(boxes[item] + 4)};
            }
            all = wi_bounds_join(&all, &b);
        }
        wi_quad_store(boxes[node], all.lower);
        wi_quad_store(boxes[node] + 4, all.upper);
        visit_node(h, node, key, &all);
    }
}

void WI_KERNEL(kinetic_sweep)(wi_tree *h, const float *key)
{
    certificates_visit_all(h, key, certificates_compare, certificates_compare);
}

/* ---- from nothing ---- */

/* The vertex at a place is the end of a box where its coordinates say so. */
static inline void claim_ends(uint32_t ends[WI_ENDS], const float *key, uint32_t place,
                              const wi_bounds *b)
{
    const wi_quad p = wi_quad_load(key + 3 * (size_t)place);
    unsigned is_end = wi_quad_same3(p, b->lower) | wi_quad_same3(p, b->upper) << 3;
    for (; is_end != 0; is_end &= is_end - 1) ends[__builtin_ctz(is_end)] = place;
}

static inline void choose_in_leaf(wi_tree *h, uint32_t item, const float *key, const wi_bounds *b)
{
    uint32_t *ends = wi_kinetic_of(h)->items[item].ends;
    const wi_leaf *leaf = &h->shape->leaves[item - h->shape->node_count];
    const uint32_t *border = wi_leaf_border(h, leaf);
    const unsigned owned = leaf->owned_count, others = leaf->vertex_count - leaf->owned_count;
    WI_ASSERT(item >= h->shape->node_count);
    for (unsigned i = 0; i < owned; i++) claim_ends(ends, key, leaf->first_place + i, b);
    for (unsigned i = 0; i < others; i++) claim_ends(ends, key, border[i], b);
}

/* Children have their ends already; one of those of each kind is that of the node. */
static inline void certificates_choose_in_node(wi_tree *h, uint32_t node, const float *key,
                                               const wi_bounds *b)
{
    wi_kinetic *k = wi_kinetic_of(h);
    const uint32_t *children = k->children + (size_t)k->arity * node;
    for (unsigned i = 0; i < k->child_count[node]; i++) {
        const uint32_t *ends = k->items[children[i]].ends;
        const unsigned is_end = ~stale_ends(ends, key, b);
        for (unsigned end = 0; end < WI_ENDS; end++)
            if (is_end >> end & 1) k->items[node].ends[end] = ends[end];
    }
}

void WI_KERNEL(kinetic_choose)(wi_tree *h, const float *key)
{
    certificates_visit_all(h, key, choose_in_leaf, certificates_choose_in_node);
}

/* ---- opening ---- */

/* Where the ends of the children are in two keyframes. */
static void certificates_collect_lanes(const wi_tree *h, uint32_t node, wi_end_lanes *lanes)
{
    const wi_kinetic *k = wi_kinetic_of(h);
    const wi_moment *at = wi_mesh_moment(h->mesh);
    const float *from = wi_plan_key(wi_mesh_plan(h->mesh), at->from, 0);
    const float *to = wi_plan_key(wi_mesh_plan(h->mesh), at->to, 0);
    WI_ASSERT(from && to && k->arity == WI_LANES);
    const uint32_t *children = k->children + (size_t)k->arity * node;
    for (unsigned lane = 0; lane < k->child_count[node]; lane++)
        for (unsigned end = 0; end < WI_ENDS; end++) {
            const size_t place = 3 * (size_t)k->items[children[lane]].ends[end] + end % 3;
            lanes->from[end][lane] = from[place];
            lanes->to[end][lane] = to[place];
        }
    for (unsigned lane = k->child_count[node]; lane < WI_LANES; lane++)
        for (unsigned end = 0; end < WI_ENDS; end++)
            lanes->from[end][lane] = lanes->to[end][lane] = 0.0F;
}

/* Before the first keyframe and after the last one a moment is between that one and itself: both
 * keyframes together say which time it is. */
static inline uint32_t lanes_key_of(const wi_moment *at) { return at->from + at->to + 1; }

/* Of a tree of arity 8 whose vertices all follow keyframes. */
void WI_KERNEL(kinetic_open)(const wi_tree *h, uint32_t node, wi_openings *count)
{
    const wi_kinetic *k = wi_kinetic_of(h);
    const wi_moment *at = wi_mesh_moment(h->mesh);
    wi_node *view = &h->boxes.nodes[node];
    if (wi_claim(h, view) == WI_STAMP_CLAIMED) {
        count->lost++;
        return;
    }
    const uint32_t key = lanes_key_of(at);
    WI_ASSERT(key != 0 && k->lanes && node < k->node_count);
    if (k->lanes_key[node] != key) {
        certificates_collect_lanes(h, node, &k->lanes[node]);
        k->lanes_key[node] = key;
    }
    wi_show_lanes(&k->lanes[node], at->share, k->width, view);
    count->refreshed++;
    atomic_store_explicit(&view->stamp, h->boxes.revision, memory_order_release);
}
