/* packed_boxes_kernel.c - refits the boxes of a narrow tree in one backward stream, and fills
 * nodes.
 *
 * Way in: wi_packed_boxes_kernels. Made for trees with one triangle in a leaf, where there are as
 * many nodes as triangles: per node two boxes are read and one is written, per triangle three
 * positions are read. Boxes of leaves are not stored: to compute one again costs less than to keep
 * it. */
#include "base/check.h"
#include "update/bounds.h"
#include "update/claim.h"
#include "update/refit/packed_update.h"

static inline wi_bounds packed_load_box(const wi_padded_box *box)
{
    return (wi_bounds){wi_quad_load(box->lower), wi_quad_load(box->upper)};
}

static inline void store_box(wi_padded_box *box, const wi_bounds *b)
{
    wi_quad_store(box->lower, b->lower);
    wi_quad_store(box->upper, b->upper);
}

/* ---- leaves ---- */

/* What bounding reads, copied from the tree: so the compiler need not fear that boxes are written
 * over it. */
typedef struct reading {
    const float *at; /* where vertices are, by place */
    uint32_t (*places)[3];
    const wi_leaf *leaves;
    const uint32_t *borders;
    const uint8_t *shapes;
    const uint32_t *last_node;
    wi_padded_box *boxes;
} reading;

static inline reading reading_of(const wi_tree *h, const wi_packed_boxes *c, const float *at,
                                 wi_padded_box *boxes)
{
    return (reading){at,           c->places, h->shape->leaves, h->shape->borders, c->shapes,
                     c->last_node, boxes};
}

/* Of stored positions. */
static inline reading reading_of_body(const wi_tree *h, const wi_packed_boxes *c)
{
    WI_ASSERT(h->mesh->positions && c->boxes && c->node_count == h->shape->node_count);
    return reading_of(h, c, h->mesh->positions->axis, c->boxes);
}

typedef wi_bounds leaf_bounds(const reading *r, uint32_t number);

static inline wi_bounds bound_tri_of(const reading *r, uint32_t number, size_t stride)
{
    const uint32_t *places = r->places[number];
    const wi_quad a = wi_quad_load(r->at + stride * places[0]);
    const wi_quad b = wi_quad_load(r->at + stride * places[1]);
    const wi_quad c = wi_quad_load(r->at + stride * places[2]);
    return (wi_bounds){wi_quad_min(wi_quad_min(a, b), c), wi_quad_max(wi_quad_max(a, b), c)};
}

static inline wi_bounds bound_tris_of(const reading *r, uint32_t number, size_t stride)
{
    const wi_leaf leaf = r->leaves[number];
    const float *owned = r->at + stride * leaf.first_place;
    const uint32_t *border = r->borders + (leaf.first_vertex - leaf.first_place);
    const unsigned border_count = (unsigned)leaf.vertex_count - leaf.owned_count;
    wi_bounds b = wi_bounds_none();
    for (unsigned i = 0; i < leaf.owned_count; i++)
        wi_bounds_add(&b, wi_quad_load(owned + stride * i));
    for (unsigned i = 0; i < border_count; i++)
        wi_bounds_add(&b, wi_quad_load(r->at + stride * border[i]));
    return b;
}

/* A stored position has four floats, one of a keyframe three. */
static inline wi_bounds bound_tri(const reading *r, uint32_t i) { return bound_tri_of(r, i, 4); }
static inline wi_bounds bound_tris(const reading *r, uint32_t i) { return bound_tris_of(r, i, 4); }
static inline wi_bounds bound_key_tri(const reading *r, uint32_t i)
{
    return bound_tri_of(r, i, 3);
}
static inline wi_bounds bound_key_tris(const reading *r, uint32_t i)
{
    return bound_tris_of(r, i, 3);
}

static inline wi_bounds packed_bound_leaf(const reading *r, uint32_t number)
{
    return r->places ? bound_tri(r, number) : bound_tris(r, number);
}

/* ---- nodes ---- */

/* One of any shape; its leaves end at last_leaf. */
static inline __attribute__((always_inline)) wi_bounds
bound_any(const reading *r, uint32_t node, uint32_t last_leaf, leaf_bounds *bound)
{
    const uint8_t shape = r->shapes[node];
    WI_ASSERT(last_leaf >= wi_child_leaves(shape));
    wi_bounds all = wi_bounds_none();
    for (unsigned i = wi_child_leaves(shape); i > 0; i--) {
        const wi_bounds b = bound(r, --last_leaf);
        all = wi_bounds_join(&b, &all);
    }
    uint32_t child = node + 1;
    for (unsigned i = wi_child_nodes(shape); i > 0; i--, child = r->last_node[child]) {
        const wi_bounds b = packed_load_box(&r->boxes[child]);
        all = wi_bounds_join(&b, &all);
    }
    return all;
}

/* The three shapes of full binary nodes come first. The box of the next node, which is a child
 * unless there are only leaves, is still in registers. */
static inline __attribute__((always_inline)) void
sweep_with(const reading *from, const wi_packed_boxes_part *part, leaf_bounds *bound)
{
    const reading r = *from;
    const uint32_t first = part->first_node;
    uint32_t leaf = part->last_leaf;
    wi_bounds next = wi_bounds_none();
    for (uint32_t node = part->last_node; node-- > first;) {
        const uint8_t shape = r.shapes[node];
        WI_ASSERT(leaf >= wi_child_leaves(shape) &&
                  wi_child_leaves(shape) + wi_child_nodes(shape) > 0);
        wi_bounds other;
        if (shape == WI_CHILD_COUNTS(0, 2)) {
            other = packed_load_box(&r.boxes[r.last_node[node + 1]]);
        } else if (shape == WI_CHILD_COUNTS(2, 0)) {
            next = bound(&r, --leaf);
            other = bound(&r, --leaf);
        } else if (shape == WI_CHILD_COUNTS(1, 1)) {
            other = bound(&r, --leaf);
        } else {
            other = next = bound_any(&r, node, leaf, bound);
            leaf -= wi_child_leaves(shape);
        }
        next = wi_bounds_join(&other, &next);
        store_box(&r.boxes[node], &next);
    }
}

static void packed_sweep(const wi_tree *h, const wi_packed_boxes *c,
                         const wi_packed_boxes_part *part)
{
    const reading r = reading_of_body(h, c);
    WI_ASSERT(part->first_node < part->last_node && part->last_node <= c->node_count);
    WI_ASSERT(part->last_leaf <= c->leaf_count);
    if (r.places)
        sweep_with(&r, part, bound_tri);
    else
        sweep_with(&r, part, bound_tris);
}

static void sweep_at(const wi_tree *h, const wi_packed_boxes *c, const float *at, size_t stride,
                     wi_padded_box *boxes)
{
    WI_ASSERT((stride == 3 || stride == 4) && c->node_count == h->shape->node_count);
    const wi_packed_boxes_part whole = {0, h->shape->node_count, h->shape->leaf_count};
    const reading r = reading_of(h, c, at, boxes);
    if (stride == 3 && r.places)
        sweep_with(&r, &whole, bound_key_tri);
    else if (stride == 3)
        sweep_with(&r, &whole, bound_key_tris);
    else if (r.places)
        sweep_with(&r, &whole, bound_tri);
    else
        sweep_with(&r, &whole, bound_tris);
}

/* A node's leaves are numbered in the order of its lanes. */
static uint32_t last_leaf_of(const wi_node *view)
{
    return view->leaf_mask == 0 ? 0 : view->child[31 - __builtin_clz(view->leaf_mask)] + 1;
}

static void packed_bound_node(const wi_tree *h, const wi_packed_boxes *c, uint32_t node)
{
    const reading r = reading_of_body(h, c);
    const wi_bounds b = bound_any(&r, node, last_leaf_of(&h->boxes.nodes[node]), packed_bound_leaf);
    WI_ASSERT(node < c->node_count);
    store_box(&r.boxes[node], &b);
}

/* ---- a fresh tree ---- */

static inline double packed_half_area(const wi_bounds *b)
{
    float side[4];
    wi_quad_store(side, wi_quad_sub(b->upper, b->lower));
    const double x = (double)side[0], y = (double)side[1], z = (double)side[2];
    return x * y + y * z + z * x;
}

/* The same for all children of a node, whose leaves end at last_leaf, together. */
static inline double half_areas_below(const reading *r, uint32_t node, uint32_t last_leaf)
{
    double sum = 0.0;
    for (unsigned i = wi_child_leaves(r->shapes[node]); i > 0; i--) {
        const wi_bounds b = packed_bound_leaf(r, --last_leaf);
        sum += packed_half_area(&b);
    }
    uint32_t child = node + 1;
    for (unsigned i = wi_child_nodes(r->shapes[node]); i > 0; i--, child = r->last_node[child]) {
        const wi_bounds b = packed_load_box(&r->boxes[child]);
        sum += packed_half_area(&b);
    }
    return sum;
}

static void note_spreads(wi_tree *h, const wi_packed_boxes *c)
{
    const reading r = reading_of_body(h, c);
    uint32_t leaf = h->shape->leaf_count;
    for (uint32_t node = h->shape->node_count; node-- > 0;) {
        const wi_bounds all = packed_load_box(&r.boxes[node]);
        h->boxes.nodes[node].spread =
            wi_spread(half_areas_below(&r, node, leaf), packed_half_area(&all));
        WI_ASSERT(leaf >= wi_child_leaves(r.shapes[node]));
        leaf -= wi_child_leaves(r.shapes[node]);
    }
}

/* ---- opening ---- */

static void fill_node(const wi_tree *h, const wi_packed_boxes *c, uint32_t node)
{
    const reading r = reading_of_body(h, c);
    wi_node *view = &h->boxes.nodes[node];
    WI_ASSERT(node < c->node_count);
    for (unsigned lane = 0; lane < view->count; lane++) {
        const uint32_t child = view->child[lane];
        const wi_bounds b = (view->leaf_mask >> lane & 1) != 0 ? packed_bound_leaf(&r, child)
                                                               : packed_load_box(&r.boxes[child]);
        wi_node_set_bounds(view, lane, &b);
    }
}

static void packed_refresh(const wi_tree *h, uint32_t node, wi_openings *count)
{
    wi_node *view = &h->boxes.nodes[node];
    if (wi_claim(h, view) == WI_STAMP_CLAIMED) {
        count->lost++;
        return;
    }
    fill_node(h, wi_packed_boxes_of(h), node);
    count->refreshed++;
    atomic_store_explicit(&view->stamp, h->boxes.revision, memory_order_release);
}

/* ---- new positions ---- */

/* How many places ahead of their use positions are asked for, as in refit_kernel.c. */
enum { AHEAD = 64 };

static bool stage(const wi_tree *h, const wi_packed_boxes *c, uint32_t first, uint32_t last,
                  wi_source source, wi_point *stored)
{
    const wi_vertices from = wi_vertices_of(h->mesh, source);
    const uint32_t *vertex_at = c->vertex_at;
    const uint32_t end = c->place_count;
    WI_ASSERT(first <= last && last <= end && stored);
    wi_flaws flaws = wi_flaws_none();
    for (uint32_t place = first; place < last; place++) {
        if (end - place > AHEAD) wi_vertices_fetch(&from, vertex_at[place + AHEAD]);
        const wi_quad p = wi_vertices_load(&from, vertex_at[place]);
        wi_flaws_add(&flaws, p);
        wi_quad_store(stored[place].axis, p);
    }
    return !wi_flaws_any(flaws);
}

extern const wi_packed_boxes_kernels WI_KERNEL(packed_boxes_kernels);
const wi_packed_boxes_kernels WI_KERNEL(packed_boxes_kernels) = {
    packed_sweep, sweep_at, note_spreads, packed_bound_node, fill_node, packed_refresh, stage};
