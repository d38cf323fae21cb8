/* ray_walk_kernel.c - a ray against a tree.
 *
 * Way in: wi_ray_kernels. The ray meets eight children at once. The nearest of those that it enters
 * is next, the others go on the stack. Triangles are tested eight at a time by a filter that leaves
 * over some one or two, which prim decides exactly.
 *
 * The filter. Seen along the ray, with the longest axis of the direction as z, the corner A - o of
 * a triangle is at x = Ax - sx Az, y = Ay - sy Az, where sx and sy, at most 1, are the slopes of
 * the direction. The ray is at the origin there, and misses the triangle if two edges turn around
 * it in opposite ways: the signs of Bx Ay - By Ax and so on. Let u = 2^-24, Z the greatest |Az| and
 * M the greatest |x| or |y|:
 * 1. Differences, slope, product and sum are rounded, so x is off by at most
 *    u |Ax| + 3 u |sx Az| + u |x|, and |Ax| is at most |x| + |sx Az|: 2 u M + 4 u Z.
 * 2. So a product difference is off by at most 4 M (2 u M + 4 u Z) + 4 u M M, and terms of u u:
 *    less than 13 u M (M + 2 Z). 32 u are allowed for, and 2^-140 for what underflows.
 * What overflows is infinite or no number, and is left over. */
#include "base/kernel.h"
#include "walk/rays/ray_leaf.h"
#include "walk/rays/ray_walk.h"
#include "walk/reader/bits.h"
#include "walk/reader/sight.h"

static inline wi_wide greater_abs(wi_wide a, wi_wide b) { return wi_wide_max(wi_wide_abs(a), b); }

/* x y' - y x' */
static inline wi_wide turns(const wi_wide a[2], const wi_wide b[2])
{
    return wi_wide_sub(wi_wide_mul(a[0], b[1]), wi_wide_mul(a[1], b[0]));
}

/* Which of eight triangles may be met, a bit each. */
static inline unsigned ray_may_meet(const wi_ray_walk *walk, const float corner[3][3][WI_LANES])
{
    const wi_ray_shear *shear = &walk->shear;
    wi_wide at[3][2], depth = wi_wide_all(0.0F), size = wi_wide_all(0.0F);
    for (int i = 0; i < 3; i++) {
        const int longest = shear->axis[2];
        const wi_wide z =
            wi_wide_sub(wi_wide_load(corner[i][longest]), wi_wide_all(walk->ray.origin[longest]));
        depth = greater_abs(z, depth);
        for (int k = 0; k < 2; k++) {
            const int axis = shear->axis[k];
            const wi_wide from =
                wi_wide_sub(wi_wide_load(corner[i][axis]), wi_wide_all(walk->ray.origin[axis]));
            at[i][k] = wi_wide_sub(from, wi_wide_mul(wi_wide_all(shear->slope[k]), z));
            size = greater_abs(at[i][k], size);
        }
    }
    const wi_wide a = turns(at[1], at[2]), b = turns(at[2], at[0]), c = turns(at[0], at[1]);
    const wi_wide least = wi_wide_min(wi_wide_min(a, b), c);
    const wi_wide most = wi_wide_max(wi_wide_max(a, b), c);
    const wi_wide reach = wi_wide_add(size, wi_wide_add(depth, depth));
    const wi_wide off = wi_wide_add(wi_wide_mul(wi_wide_mul(size, reach), wi_wide_all(0x1p-19F)),
                                    wi_wide_all(0x1p-140F));
    const wi_mask misses =
        wi_mask_and(wi_wide_less(least, wi_wide_negate(off)), wi_wide_less(off, most));
    return ~wi_mask_bits(misses) & 0xFF;
}

static bool ray_meet_leaf(wi_ray_walk *walk, const wi_tree *h, uint32_t number)
{
    wi_reader *reader = walk->reader;
    WI_ASSERT(number < h->shape->leaf_count);
    const wi_ray_leaf *leaf = wi_ray_leaf_get(walk->leaves, h, number, &reader->openings);
    reader->stats.triangle_tests += leaf->tri_count;
    for (unsigned first = 0, group = 0; first < leaf->tri_count; first += WI_LANES, group++) {
        const unsigned count = leaf->tri_count - first;
        unsigned may = ray_may_meet(walk, leaf->corner[group]);
        if (count < WI_LANES) may &= wi_lanes_mask(count);
        while (may != 0 && !walk->is_over) {
            const unsigned tri_number = first + wi_take_lowest(&may);
            const wi_tri tri = wi_ray_leaf_tri(leaf, tri_number);
            if (!wi_ray_walk_test(walk, &tri, leaf->slots[tri_number])) return false;
        }
    }
    return true;
}

/* Sorts what was put on the stack: the nearest on top. */
static inline void ray_sort_pushed(wi_ray_item *pushed, unsigned count)
{
    for (unsigned i = 1; i < count; i++) {
        const wi_ray_item item = pushed[i];
        unsigned at = i;
        for (; at > 0 && pushed[at - 1].near < item.near; at--) pushed[at] = pushed[at - 1];
        pushed[at] = item;
    }
}

/* The children of a node of either kind of tree. */
typedef struct ray_children {
    const uint32_t *number;
    unsigned leaf_mask;
    float near[WI_LANES]; /* where the ray enters them */
} ray_children;

static inline wi_ray_item ray_child(const ray_children *children, unsigned lane)
{
    const uint32_t leaf = (uint32_t)(children->leaf_mask >> lane) << 31; /* WI_IS_LEAF */
    return (wi_ray_item){children->near[lane], children->number[lane] | leaf};
}

/* The nearest of the children that the ray enters, of which there is one; the others go on the
 * stack, where there is room. The order of hits does not depend on it. */
static inline wi_ray_item ray_next_child(wi_ray_items *stack, const ray_children *children,
                                         unsigned entered, bool is_sorted)
{
    wi_ray_item next = ray_child(children, wi_take_lowest(&entered));
    if (entered == 0) return next;
    wi_ray_item *const pushed = stack->items + stack->count;
    unsigned count = 0;
    while (entered != 0) {
        const wi_ray_item item = ray_child(children, wi_take_lowest(&entered));
        const bool is_nearer = item.near < next.near; /* no branch: it cannot be foreseen */
        pushed[count++] = is_nearer ? next : item;
        next = is_nearer ? item : next;
    }
    if (count > 1 && is_sorted) ray_sort_pushed(pushed, count);
    stack->count += count;
    WI_ASSERT(stack->count <= stack->capacity);
    return next;
}

/* Takes an item that the ray enters before its limit from the stack; false if there is none. */
static inline bool ray_pop(wi_ray_items *stack, float limit, wi_ray_item *out)
{
    while (stack->count > 0) {
        *out = stack->items[--stack->count];
        if (out->near <= limit) return true;
    }
    return false;
}

static bool ray_run(wi_ray_walk *walk, const wi_tree *h)
{
    wi_reader *reader = walk->reader;
    const wi_ray_aim *aim = wi_ray_walk_aim(walk, h);
    const bool is_sorted = walk->rules.wanted == WI_RAY_CLOSEST;
    wi_ray_item item = {aim->t_min, 0};
    bool goes_on = true;
    while (goes_on) {
        if ((item.node & WI_IS_LEAF) != 0) {
            if (!ray_meet_leaf(walk, h, item.node & ~WI_IS_LEAF)) return false;
            goes_on = !walk->is_over && ray_pop(&walk->stack, aim->limit, &item);
            continue;
        }
        const wi_node *view = wi_open_counted(reader, h, item.node);
        ray_children children = {.number = view->child, .leaf_mask = view->leaf_mask};
        reader->stats.volume_tests += view->count;
        const unsigned entered =
            wi_ray_enter8(aim, (const float *)(const void *)view->lower, children.near) &
            wi_lanes_mask(view->count);
        if (!wi_array_reserve(reader->memory, &walk->stack, walk->stack.count + WI_LANES))
            return false;
        if (entered != 0)
            item = ray_next_child(&walk->stack, &children, entered, is_sorted);
        else
            goes_on = ray_pop(&walk->stack, aim->limit, &item);
    }
    return true;
}

static bool ray_next_body(wi_ray_walk *walk, const wi_body_tree *tree, uint32_t *body)
{
    wi_ray_item item;
    while (ray_pop(&walk->bodies, walk->world.limit, &item)) {
        unsigned entered = 1;
        while ((item.node & WI_IS_LEAF) == 0 && entered != 0) {
            const wi_body_node *node = &tree->nodes[item.node];
            ray_children children = {.number = node->child, .leaf_mask = node->leaf_mask};
            const float *rows = (const float *)(const void *)node->lower;
            entered = wi_ray_enter8(&walk->world, rows, children.near) & wi_lanes_mask(node->count);
            walk->reader->stats.volume_tests += node->count;
            if (entered != 0) item = ray_next_child(&walk->bodies, &children, entered, true);
        }
        if (entered == 0) continue;
        *body = item.node & ~WI_IS_LEAF;
        return true;
    }
    return false;
}

extern const wi_ray_kernels WI_KERNEL(ray_kernels);
const wi_ray_kernels WI_KERNEL(ray_kernels) = {ray_run, ray_next_body};
