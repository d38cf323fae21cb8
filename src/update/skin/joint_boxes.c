/* joint_boxes.c - lists the joints below every child, leaves first.
 *
 * Way in: wi_skin_boxes_make. It is done once for a tree and a skin, in time and memory of what is
 * listed, and of nodes times shapes where there is a morph. */
#include "update/skin/joint_boxes.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "geom/outward.h"
#include "update/blend/shape.h"

/* ---- memory ---- */

void wi_skin_boxes_free(wi_memory *memory, wi_tree *h, wi_skin_boxes *boxes)
{
    if (h->boxes.points == &boxes->kept) h->boxes.points = NULL;
    wi_free_array(memory, boxes->lists, (size_t)boxes->node_count * WI_LANES, sizeof *boxes->lists);
    wi_array_free(memory, &boxes->boxes);
    wi_blend_shapes_free(memory, boxes->shapes, boxes->shape_count);
    wi_leaf_points_free(memory, &boxes->kept);
    *boxes = (wi_skin_boxes){0};
}

size_t wi_skin_boxes_bytes(const wi_skin_boxes *boxes)
{
    return (boxes->lists ? (size_t)boxes->node_count * WI_LANES * sizeof *boxes->lists : 0) +
           boxes->boxes.capacity * sizeof *boxes->boxes.items +
           wi_blend_shapes_bytes(boxes->shapes, boxes->shape_count) +
           wi_leaf_points_bytes(&boxes->kept);
}

/* ---- lists of one child ---- */

/* Where a list stands while it is made: which of its boxes is of a joint, and how many of those
 * that it is put together from have it. */
typedef struct lister {
    wi_memory *memory;
    const wi_tree *h;
    const wi_skin *skin;
    wi_skin_boxes *boxes;
    uint32_t *slots; /* by joint: its box in the list at hand; NO_SLOT: it has none yet */
    uint32_t *seen;  /* by box of the list */
    uint32_t first;  /* of the list at hand */
} lister;

#define NO_SLOT UINT32_MAX

static void grow_box(wi_joint_box *box, const wi_joint_box *other)
{
    for (int axis = 0; axis < 3; axis++) {
        if (other->lower[axis] < box->lower[axis]) box->lower[axis] = other->lower[axis];
        if (other->upper[axis] > box->upper[axis]) box->upper[axis] = other->upper[axis];
    }
    if (other->least < box->least) box->least = other->least;
}

/* False if there is no memory. */
static bool list_box(lister *l, const wi_joint_box *box)
{
    WI_ASSERT(box->joint < l->skin->joint_count);
    uint32_t *slot = &l->slots[box->joint];
    if (*slot != NO_SLOT) {
        grow_box(&l->boxes->boxes.items[l->first + *slot], box);
        l->seen[*slot]++;
        return true;
    }
    if (!wi_array_reserve(l->memory, &l->boxes->boxes, l->boxes->boxes.count + 1)) return false;
    *slot = (uint32_t)l->boxes->boxes.count - l->first;
    l->seen[*slot] = 1;
    l->boxes->boxes.items[l->boxes->boxes.count++] = *box;
    return true;
}

/* The list is whole: of `parts` vertices or children. Whoever is not in all of them may have no
 * weight. */
static wi_joint_list end_list(lister *l, uint32_t parts)
{
    const wi_joint_list list = {l->first, (uint32_t)l->boxes->boxes.count - l->first};
    for (uint32_t i = 0; i < list.count; i++) {
        wi_joint_box *box = &l->boxes->boxes.items[list.first + i];
        WI_ASSERT(l->seen[i] <= parts);
        if (l->seen[i] < parts) box->least = 0.0F;
        l->slots[box->joint] = NO_SLOT;
    }
    l->first += list.count;
    return list;
}

/* All that a vertex has of the joint of its influence `i`, or 0 if an earlier one is of the same.
 */
static double weight_of_joint(const wi_influence *influences, uint32_t count, uint32_t i)
{
    double weight = 0.0;
    for (uint32_t k = 0; k < count; k++) {
        if (influences[k].joint != influences[i].joint) continue;
        if (k < i) return 0.0;
        weight += influences[k].weight;
    }
    return weight;
}

static wi_joint_box vertex_box(const wi_skin *skin, uint32_t place, uint32_t joint, double weight)
{
    wi_joint_box box = {.joint = joint, .least = wi_float_below(weight)};
    if (!skin->source->has_base) return box;
    const float *base = wi_morph_shape_at(&skin->source->shapes[0], place);
    for (int axis = 0; axis < 3; axis++) {
        const double at = wi_skin_bind_row(&skin->binds[joint], axis, base);
        box.lower[axis] = wi_float_below(at);
        box.upper[axis] = wi_float_above(at);
    }
    return box;
}

static bool list_vertex(lister *l, uint32_t place)
{
    const wi_influence_span span = l->skin->spans[place];
    const wi_influence *influences = l->skin->influences + span.first;
    for (uint32_t i = 0; i < span.count; i++) {
        const double weight = weight_of_joint(influences, span.count, i);
        if (!(weight > 0.0)) continue;
        const wi_joint_box box = vertex_box(l->skin, place, influences[i].joint, weight);
        if (!list_box(l, &box)) return false;
    }
    return true;
}

static bool list_leaf(lister *l, const wi_leaf *leaf, wi_joint_list *list)
{
    for (unsigned i = 0; i < leaf->vertex_count; i++)
        if (!list_vertex(l, wi_leaf_place(l->h, leaf, i))) return false;
    *list = end_list(l, leaf->vertex_count);
    return true;
}

static bool list_node(lister *l, uint32_t node, wi_joint_list *list)
{
    const unsigned count = l->h->boxes.nodes[node].count;
    for (unsigned lane = 0; lane < count; lane++) {
        const wi_joint_list below = *wi_joint_list_at(l->boxes, node, lane);
        for (uint32_t i = 0; i < below.count; i++) {
            const wi_joint_box box = l->boxes->boxes.items[below.first + i];
            if (!list_box(l, &box)) return false;
        }
    }
    *list = end_list(l, count);
    return true;
}

/* Children follow their parent (I1), so a backward sweep meets them first. */
static bool list_all(lister *l)
{
    const wi_tree *h = l->h;
    memset(l->boxes->lists, 0, (size_t)h->shape->node_count * WI_LANES * sizeof *l->boxes->lists);
    for (uint32_t i = 0; i < l->skin->joint_count; i++) l->slots[i] = NO_SLOT;
    for (uint32_t node = h->shape->node_count; node-- > 0;) {
        const wi_node *view = &h->boxes.nodes[node];
        for (unsigned lane = 0; lane < view->count; lane++) {
            wi_joint_list *list = &l->boxes->lists[(size_t)node * WI_LANES + lane];
            const uint32_t child = view->child[lane];
            const bool is_leaf = (view->leaf_mask >> lane & 1) != 0;
            if (!(is_leaf ? list_leaf(l, &h->shape->leaves[child], list)
                          : list_node(l, child, list)))
                return false;
        }
    }
    return true;
}

/* ---- making it ---- */

static bool make_lists(wi_memory *memory, const wi_tree *h, wi_skin_boxes *boxes)
{
    const wi_skin *skin = wi_mesh_skin(h->mesh);
    boxes->lists =
        wi_alloc_array(memory, (size_t)h->shape->node_count * WI_LANES, sizeof *boxes->lists);
    if (boxes->lists == NULL) return false;
    boxes->node_count = h->shape->node_count;
    lister l = {.memory = memory, .h = h, .skin = skin, .boxes = boxes};
    l.slots = wi_alloc_array(memory, skin->joint_count, sizeof *l.slots);
    l.seen = wi_alloc_array(memory, skin->joint_count, sizeof *l.seen);
    const bool ok = l.slots && l.seen && list_all(&l);
    wi_free_array(memory, l.slots, skin->joint_count, sizeof *l.slots);
    wi_free_array(memory, l.seen, skin->joint_count, sizeof *l.seen);
    return ok;
}

/* What targets add, or are where there is no base. */
static bool make_shapes(wi_memory *memory, const wi_tree *h, wi_skin_boxes *boxes)
{
    const wi_morph *source = wi_mesh_skin(h->mesh)->source;
    if (source->target_count == 0) return true;
    boxes->shapes = wi_blend_shapes_allocate(memory, source->shape_count);
    if (boxes->shapes == NULL) return false;
    boxes->shape_count = source->shape_count;
    for (uint32_t i = source->has_base; i < source->shape_count; i++) {
        const wi_subject s = {.h = h, .morph = source, .shape = i};
        if (!wi_blend_shape_make(memory, &s, &boxes->shapes[i])) return false;
    }
    return true;
}

bool wi_skin_boxes_make(wi_memory *memory, wi_tree *h, wi_skin_boxes *boxes)
{
    wi_skin_boxes_free(memory, h, boxes);
    boxes->number = wi_mesh_skin(h->mesh)->number;
    if (make_lists(memory, h, boxes) && make_shapes(memory, h, boxes) &&
        wi_leaf_points_make(memory, h, &boxes->kept)) {
        h->boxes.points = &boxes->kept;
        return true;
    }
    wi_skin_boxes_free(memory, h, boxes);
    return false;
}

/* ---- slack ---- */

/* No coordinate of what the source says is larger, but for rounding. */
static double source_size(const wi_morph *source)
{
    double size = 0.0;
    for (uint32_t i = 0; i < source->term_count; i++)
        size += fabs(source->terms[i].weight) * source->shapes[source->terms[i].shape].size;
    return size;
}

/* No coordinate that a joint takes something to is larger. Infinite where boxes of floats may not
 * contain what is in the frame of the joint: its boxes are all of space then. */
static double joint_size(const willow_affine *joint, const willow_affine *bind, double size)
{
    double local[3], most = 0.0;
    for (int row = 0; row < 3; row++) {
        const double *b = bind->row[row];
        local[row] = (fabs(b[0]) + fabs(b[1]) + fabs(b[2])) * size + fabs(b[3]);
        if (!(local[row] < (double)FLT_MAX)) return (double)INFINITY;
    }
    for (int row = 0; row < 3; row++) {
        const double *j = joint->row[row];
        const double far =
            fabs(j[0]) * local[0] + fabs(j[1]) * local[1] + fabs(j[2]) * local[2] + fabs(j[3]);
        if (far > most) most = far;
    }
    return most;
}

/* How far a vertex may be from where boxes are computed to be. Let u = 2^-53, k the most influences
 * of a vertex, n the terms of the source, and T the largest of
 *     |J| (|B| P + |b|) + |j|, over all joints: J, B their matrices, j, b the last columns of
 *     these, P the sum over all terms of |weight| times the size of their shape.
 * T is as large as any coordinate and any sum of sizes of products that lead to one. Then
 * 1. J B is rounded five times at most, J B p four times more, and p itself n + 1 times: where a
 *    joint takes a vertex is within (n + 10) u T of the exact place.
 * 2. Weights are quotients of a sum: their sum is within (k + 1) u of one, so that the vertex is
 *    within (k + 1) u T of a point of the hull; k products and k sums are 2 k u T more.
 * 3. Boxes are of B p, rounded four times, moved by J, rounded four times; what targets add is n
 *    products and sums, moved by J B: (n + 20) u T.
 * 4. Least weights are floats below the weights, and exact from there; k products and k sums of
 *    these, and the rest, are (2 k + 2) u T.
 * So 5 k + 2 n + 33 of these are enough, and 8 k + 8 n + 64 are there. What underflows is less than
 * 2^-1000. */
void wi_skin_boxes_measure(const wi_tree *h, wi_skin_boxes *boxes)
{
    const wi_skin *skin = wi_mesh_skin(h->mesh);
    const double size = source_size(skin->source);
    double most = 0.0;
    WI_ASSERT(skin->number == boxes->number);
    for (uint32_t i = 0; i < skin->joint_count; i++) {
        const double far = joint_size(&skin->joints[i], &skin->binds[i], size);
        if (far > most) most = far;
    }
    boxes->slack = (8.0 * (double)skin->span_most + 8.0 * (double)skin->source->term_count + 64.0) *
                       0x1p-53 * most +
                   0x1p-1000;
}

/* ---- soundness ---- */

static const wi_joint_box *find_joint(const wi_skin_boxes *boxes, const wi_joint_list *list,
                                      uint32_t joint)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (boxes->boxes.items[list->first + i].joint == joint)
            return &boxes->boxes.items[list->first + i];
    return NULL;
}

static bool joint_box_contains(const wi_joint_box *box, const wi_joint_box *other)
{
    for (int axis = 0; axis < 3; axis++)
        if (!(box->lower[axis] <= other->lower[axis] && other->upper[axis] <= box->upper[axis]))
            return false;
    return box->least <= other->least;
}

/* The list of a leaf has all that its vertices follow. */
static const char *validate_leaf_list(const wi_tree *h, const wi_skin_boxes *boxes,
                                      const wi_leaf *leaf, const wi_joint_list *list)
{
    const wi_skin *skin = wi_mesh_skin(h->mesh);
    for (unsigned v = 0; v < leaf->vertex_count; v++) {
        const uint32_t place = wi_leaf_place(h, leaf, v);
        const wi_influence_span span = skin->spans[place];
        const wi_influence *influences = skin->influences + span.first;
        double known = 0.0;
        for (uint32_t i = 0; i < span.count; i++) {
            const double weight = weight_of_joint(influences, span.count, i);
            if (!(weight > 0.0)) continue;
            const wi_joint_box *box = find_joint(boxes, list, influences[i].joint);
            const wi_joint_box own = vertex_box(skin, place, influences[i].joint, weight);
            if (box == NULL || !joint_box_contains(box, &own))
                return "I21: a leaf does not know a joint that moves it";
            known += (double)box->least;
        }
        for (uint32_t i = 0; i < list->count; i++)
            known -= (double)boxes->boxes.items[list->first + i].least;
        if (!(fabs(known) <= 0x1p-20))
            return "I21: a vertex has less of a joint than its leaf knows";
    }
    return NULL;
}

/* The list of a child that is a node has all of the lists there. */
static const char *validate_node_list(const wi_tree *h, const wi_skin_boxes *boxes, uint32_t child,
                                      const wi_joint_list *list)
{
    for (unsigned lane = 0; lane < h->boxes.nodes[child].count; lane++) {
        const wi_joint_list *below = wi_joint_list_at(boxes, child, lane);
        for (uint32_t i = 0; i < list->count; i++) {
            const wi_joint_box *box = &boxes->boxes.items[list->first + i];
            if (box->least > 0.0F && find_joint(boxes, below, box->joint) == NULL)
                return "I21: a node knows more of a joint than its children";
        }
        for (uint32_t i = 0; i < below->count; i++) {
            const wi_joint_box *own = &boxes->boxes.items[below->first + i];
            const wi_joint_box *box = find_joint(boxes, list, own->joint);
            if (box == NULL || !joint_box_contains(box, own))
                return "I21: a node does not know a joint that its children do";
        }
    }
    return NULL;
}

/* All boxes on the way to a leaf that are open contain it. */
static const char *skin_validate_way(const wi_tree *h, uint32_t node, unsigned lane)
{
    const wi_box tight = wi_leaf_box(h, &h->shape->leaves[h->boxes.nodes[node].child[lane]]);
    for (;;) {
        const wi_node *view = &h->boxes.nodes[node];
        const wi_box box = wi_node_box(view, lane);
        if (wi_is_open(h, node) && !wi_box_contains(&box, &tight))
            return "I6: a leaf sticks out of a box above it";
        if (node == 0) return NULL;
        lane = view->parent_lane;
        node = view->parent;
    }
}

static const char *validate_child(const wi_tree *h, const wi_skin_boxes *boxes, uint32_t node,
                                  unsigned lane)
{
    const wi_node *view = &h->boxes.nodes[node];
    const wi_joint_list *list = wi_joint_list_at(boxes, node, lane);
    if ((view->leaf_mask >> lane & 1) == 0)
        return validate_node_list(h, boxes, view->child[lane], list);
    const char *broken = validate_leaf_list(h, boxes, &h->shape->leaves[view->child[lane]], list);
    return broken ? broken : skin_validate_way(h, node, lane);
}

const char *wi_skin_boxes_validate(const wi_tree *h, const wi_skin_boxes *boxes)
{
    const char *broken = NULL;
    if (boxes->lists == NULL || h->mesh->motion != WI_MOTION_SKIN || !wi_mesh_is_live(h->mesh) ||
        boxes->number != wi_mesh_skin(h->mesh)->number) /* until the next update */
        return NULL;
    if (boxes->node_count != h->shape->node_count)
        return "I21: lists of joints are of another tree";
    for (uint32_t i = 0; i < boxes->shape_count && broken == NULL; i++) {
        const wi_subject s = {.h = h, .morph = wi_mesh_morph(h->mesh), .shape = i};
        if (i >= s.morph->has_base) broken = wi_blend_shape_validate(&s, &boxes->shapes[i]);
    }
    for (uint32_t node = 0; node < h->shape->node_count && broken == NULL; node++)
        for (unsigned lane = 0; lane < h->boxes.nodes[node].count && broken == NULL; lane++)
            broken = validate_child(h, boxes, node, lane);
    return broken;
}
