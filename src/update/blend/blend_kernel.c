/* blend_kernel.c - the boxes of a node of a morphing body: those of its shapes, summed up.
 *
 * Way in: wi_blend_open. Constant time for a node, eight children at once, and nothing for shapes
 * that have no weight or move nothing below it.
 *
 * A coordinate x of a vertex is 0 + w1 x1 + w2 x2 + ..., where every product and every sum is
 * rounded to the nearest double, and the end of it to the nearest float (mesh/motion/morph.h).
 * Rounding to the nearest never changes the order of two numbers, and neither does a product with a
 * weight that is not negative, nor a sum. So with lower ends in the place of all xi, or upper ends
 * where a weight is negative, the same operations in the same order give a number that is not above
 * x, to the last bit: the box is neither widened nor rounded outward. A vertex that a sparse shape
 * does not have has one term less, for which 0 would do as well, and boxes of sparse shapes contain
 * that.
 *
 * The second form (update/blend/shapes.h) sums up other numbers, so it has a slack, and rounds
 * outward. */
#include <float.h>

#include "base/check.h"
#include "base/kernel.h"
#include "tree/tree.h"
#include "update/blend/shapes.h"
#include "update/claim.h"
#include "update/outward_quad.h"

extern wi_refresh WI_KERNEL(blend_open);

/* The ends of eight boxes in double. */
typedef struct ends {
    wi_quad64 lower[3][2], upper[3][2];
} ends;

static inline ends no_ends(void)
{
    ends e;
    for (int axis = 0; axis < 3; axis++)
        for (int half = 0; half < 2; half++)
            e.lower[axis][half] = e.upper[axis][half] = wi_quad64_all(0.0);
    return e;
}

static inline void add_lanes(ends *e, double weight, const wi_lanes *lanes)
{
    const float(*low)[WI_LANES] = weight < 0.0 ? lanes->upper : lanes->lower;
    const float(*high)[WI_LANES] = weight < 0.0 ? lanes->lower : lanes->upper;
    const wi_quad64 w = wi_quad64_all(weight);
    for (int axis = 0; axis < 3; axis++)
        for (int half = 0; half < 2; half++) {
            e->lower[axis][half] = wi_add_term(e->lower[axis][half], w, low[axis] + 4 * half);
            e->upper[axis][half] = wi_add_term(e->upper[axis][half], w, high[axis] + 4 * half);
        }
}

static void blend_node(const wi_tree *h, uint32_t node, wi_node *view)
{
    const wi_morph *morph = wi_mesh_morph(h->mesh);
    ends e = no_ends();
    for (uint32_t i = 0; i < morph->term_count; i++) {
        const wi_term *term = &morph->terms[i];
        WI_ASSERT(term->shape < wi_blend_of(h)->shape_count);
        const wi_lanes *lanes = wi_blend_lanes(&wi_blend_of(h)->shapes[term->shape], node);
        if (lanes) add_lanes(&e, term->weight, lanes);
    }
    for (int axis = 0; axis < 3; axis++)
        for (int half = 0; half < 2; half++) {
            wi_quad_store(view->lower[axis] + 4 * half, wi_clamped_round(e.lower[axis][half]));
            wi_quad_store(view->upper[axis] + 4 * half, wi_clamped_round(e.upper[axis][half]));
        }
}

/* ---- the second form ---- */

/* Leaves what is in the boxes, widened, too. */
static inline void intersect(wi_node *view, const ends *e, double widen)
{
    const wi_quad64 slack = wi_quad64_all(widen);
    WI_ASSERT(widen >= 0.0);
    for (int axis = 0; axis < 3; axis++)
        for (int half = 0; half < 2; half++) {
            float *low = view->lower[axis] + 4 * half, *high = view->upper[axis] + 4 * half;
            const wi_quad lower = wi_quad_below(wi_quad64_sub(e->lower[axis][half], slack));
            const wi_quad upper = wi_quad_above(wi_quad64_add(e->upper[axis][half], slack));
            wi_quad_store(low, wi_quad_max(wi_quad_load(low), lower));
            wi_quad_store(high, wi_quad_min(wi_quad_load(high), upper));
        }
}

/* Between two targets alone; all of them have all nodes. */
static void narrow_between(const wi_tree *h, uint32_t node, wi_node *view)
{
    const wi_blend_span *span = &wi_blend_of(h)->span;
    WI_ASSERT(node < span->a->count && node < span->b->count && span->slack >= 0.0);
    ends e = no_ends();
    add_lanes(&e, span->weight_a, &span->a->lanes[node]);
    add_lanes(&e, span->weight_b, &span->b->lanes[node]);
    intersect(view, &e, span->slack);
}

/* Of a base and absolute boxes the weight of the base is what all that move something here leave of
 * 1; of a first target and offsets from it the weight of the first is that of all. */
static void blend_narrow(const wi_tree *h, uint32_t node, wi_node *view)
{
    const wi_morph *morph = wi_mesh_morph(h->mesh);
    double first = morph->has_base ? 1.0 : wi_blend_of(h)->sum;
    ends e = no_ends();
    for (uint32_t i = 0; i < morph->term_count; i++) {
        const wi_term *term = &morph->terms[i];
        if (term->shape == 0) continue;
        WI_ASSERT(term->shape < wi_blend_of(h)->shape_count);
        const wi_lanes *lanes = wi_blend_lanes(&wi_blend_of(h)->others[term->shape], node);
        if (lanes == NULL) continue;
        add_lanes(&e, term->weight, lanes);
        if (morph->has_base) first -= term->weight;
    }
    add_lanes(&e, first, wi_blend_lanes(&wi_blend_of(h)->shapes[0], node));
    intersect(view, &e, wi_blend_of(h)->slack);
}

/* ---- slabs and spheres ---- */

/* Vertices are rounded to floats, each coordinate by 2^-24 of it at most, and so are centres; sums
 * of doubles are closer by far. In all a vertex is off by less than 2^-22 of the size, and 2^-21 is
 * allowed for, with the rounding of what comes out. */
static inline wi_quad64 room_for_rounding(const wi_tree *h)
{
    return wi_quad64_all(wi_blend_of(h)->size * 0x1p-21 + 0x1p-140);
}

/* Beyond it sums of floats may overflow: such volumes meet everything. */
static inline bool is_too_large(const wi_tree *h) { return !(wi_blend_of(h)->size < 0x1p120); }

static void blend_slabs(const wi_tree *h, uint32_t node, wi_slabs *out)
{
    const wi_morph *morph = wi_mesh_morph(h->mesh);
    const wi_quad64 room = room_for_rounding(h);
    for (int i = 0; i < WI_DIAGONALS; i++)
        for (int half = 0; half < WI_LANES; half += 4) {
            wi_quad64 low = wi_quad64_all(0.0), high = low;
            for (uint32_t k = 0; k < morph->term_count; k++) {
                const double weight = morph->terms[k].weight;
                const wi_blend_shape *shape = &wi_blend_of(h)->shapes[morph->terms[k].shape];
                const wi_lanes *lanes = wi_blend_lanes(shape, node);
                if (lanes == NULL) continue;
                const wi_slabs *slabs = &shape->slabs[lanes - shape->lanes];
                const wi_quad64 w = wi_quad64_all(weight);
                const float *lower = slabs->lower[i] + half, *upper = slabs->upper[i] + half;
                low = wi_add_term(low, w, weight < 0.0 ? upper : lower);
                high = wi_add_term(high, w, weight < 0.0 ? lower : upper);
            }
            wi_quad_store(out->lower[i] + half, wi_quad_below(wi_quad64_sub(low, room)));
            wi_quad_store(out->upper[i] + half, wi_quad_above(wi_quad64_add(high, room)));
        }
}

/* A sum of vertices is from the sum of centres no farther than the sum of radii, each times its
 * weight, whatever its sign. */
static void blend_spheres(const wi_tree *h, uint32_t node, wi_spheres *out)
{
    const wi_morph *morph = wi_mesh_morph(h->mesh);
    for (int half = 0; half < WI_LANES; half += 4) {
        wi_quad64 centre[3], radius = room_for_rounding(h);
        for (int axis = 0; axis < 3; axis++) centre[axis] = wi_quad64_all(0.0);
        for (uint32_t k = 0; k < morph->term_count; k++) {
            const double weight = morph->terms[k].weight;
            const wi_blend_shape *shape = &wi_blend_of(h)->shapes[morph->terms[k].shape];
            const wi_lanes *lanes = wi_blend_lanes(shape, node);
            if (lanes == NULL) continue;
            const wi_spheres *spheres = &shape->spheres[lanes - shape->lanes];
            const wi_quad64 w = wi_quad64_all(weight);
            for (int axis = 0; axis < 3; axis++)
                centre[axis] = wi_add_term(centre[axis], w, spheres->centre[axis] + half);
            radius = wi_add_term(radius, wi_quad64_all(weight < 0.0 ? -weight : weight),
                                 spheres->radius + half);
        }
        for (int axis = 0; axis < 3; axis++)
            wi_quad_store(out->centre[axis] + half, wi_clamped_round(centre[axis]));
        wi_quad_store(out->radius + half, wi_quad_above(radius));
    }
}

static void open_up(wi_slabs *slabs)
{
    for (int i = 0; i < WI_DIAGONALS; i++)
        for (int lane = 0; lane < WI_LANES; lane++) {
            slabs->lower[i][lane] = -INFINITY;
            slabs->upper[i][lane] = INFINITY;
        }
}

static void blend_volumes(const wi_tree *h, uint32_t node)
{
    if (wi_blend_of(h)->volumes.slabs) {
        blend_slabs(h, node, &wi_blend_of(h)->volumes.slabs[node]);
        if (is_too_large(h)) open_up(&wi_blend_of(h)->volumes.slabs[node]);
        return;
    }
    wi_spheres *spheres = &wi_blend_of(h)->volumes.spheres[node];
    blend_spheres(h, node, spheres);
    for (int lane = 0; lane < WI_LANES && is_too_large(h); lane++) spheres->radius[lane] = INFINITY;
}

void WI_KERNEL(blend_open)(const wi_tree *h, uint32_t node, wi_openings *count)
{
    const wi_box nowhere = wi_box_empty();
    wi_node *view = &h->boxes.nodes[node];
    if (wi_claim(h, view) == WI_STAMP_CLAIMED) {
        count->lost++;
        return;
    }
    WI_ASSERT(node < wi_blend_of(h)->node_count && view->count <= WI_LANES);
    blend_node(h, node, view);
    if (wi_blend_of(h)->others) blend_narrow(h, node, view);
    if (wi_blend_of(h)->span.a) narrow_between(h, node, view);
    if (wi_blend_of(h)->volumes.slabs || wi_blend_of(h)->volumes.spheres) blend_volumes(h, node);
    for (unsigned lane = 0; lane < view->count; lane++)
        WI_ASSERT(view->lower[0][lane] <= view->upper[0][lane]);
    for (unsigned lane = view->count; lane < WI_LANES; lane++)
        wi_node_set_box(view, lane, &nowhere);
    count->refreshed++;
    atomic_store_explicit(&view->stamp, h->boxes.revision, memory_order_release);
}
