/* ray_walk_kernel.c - rays against a tree.
 *
 * Way in: wi_ray_kernels. A ray, or the joint aim of several, meets eight children at once. The
 * nearest of those that it enters is next, the others go on the stack. Triangles are tested eight
 * at a time by a filter that leaves over some one or two, which prim decides exactly.
 *
 * The filter. Seen along the ray, with the longest axis of the direction as z, the corner A - o of
 * a triangle is at x = Ax - sx Az, y = Ay - sy Az, where sx and sy, at most 1, are the slopes of
 * the direction. The ray is at the origin there, and misses the triangle if two edges turn around
 * it in opposite ways: the signs of Bx Ay - By Ax and so on. Let u = 2^-24, Z the greatest |Az| and
 * M the greatest |x| or |y|:
 * 1. Differences, slope, product and sum are rounded, so x is off by at most
 *    u |Ax| + 3 u |sx Az| + u |x|, and |Ax| is at most |x| + |sx Az|: 2 u M + 4 u Z.
 * 2. So a product difference is off by at most 4 M (2 u M + 4 u Z) + 4 u M M, and terms of u u:
 *    less than 13 u M (M + 2 Z). 32 u are allowed for, and 2^-140 for what underflows: `off`.
 * 3. These turns a, b, c are the shares of the corners in the point that the ray meets, times their
 *    sum D. If it is met before the ray starts, at z0, then a (Az - z0) + b (Bz - z0) + c (Cz - z0)
 *    has not the sign of D, if the ray goes up. Rays that start on a surface, as those to lights
 * do, meet the triangle there. With S the sum of |a|, |b|, |c|, R the greatest |Az - z0|, each of
 * which is off by at most 4 u (Z + |z0|), the sum is off by 3 off R + 4 u S (Z + |z0|) + 4 u S R,
 * and D by 3 off + 2 u S. 16 u are allowed for. What overflows is infinite or no number, and is
 * left over. */
#include <math.h>

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

/* Eight triangles as a ray sees them. */
typedef struct ray_view {
    wi_wide z[3], turn[3]; /* by corner; turns are of the edges across from them */
    wi_wide depth, off;    /* Z, and by how much turns may be off */
} ray_view;

/* Steps 1 and 2: which of eight triangles the line meets, a bit each. */
static inline unsigned ray_may_meet(const wi_ray_state *state, const float corner[3][3][WI_LANES],
                                    ray_view *view)
{
    const wi_ray_shear *shear = &state->shear;
    wi_wide at[3][2], depth = wi_wide_all(0.0F), size = wi_wide_all(0.0F);
    for (int i = 0; i < 3; i++) {
        const int longest = shear->axis[2];
        const wi_wide z =
            wi_wide_sub(wi_wide_load(corner[i][longest]), wi_wide_all(state->ray.origin[longest]));
        depth = greater_abs(z, depth);
        view->z[i] = z;
        for (int k = 0; k < 2; k++) {
            const int axis = shear->axis[k];
            const wi_wide from =
                wi_wide_sub(wi_wide_load(corner[i][axis]), wi_wide_all(state->ray.origin[axis]));
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
    view->turn[0] = a, view->turn[1] = b, view->turn[2] = c;
    view->depth = depth, view->off = off;
    return ~wi_mask_bits(misses) & 0xFF;
}

/* Step 3: which of them the line meets before the ray starts. */
static inline unsigned ray_is_before(const wi_ray_state *state, const ray_view *view)
{
    const wi_wide start = wi_wide_all(state->shear.start), bit = wi_wide_all(0x1p-20F);
    wi_wide sum = wi_wide_all(0.0F), total = sum, sizes = sum, far = sum;
    for (int i = 0; i < 3; i++) {
        const wi_wide from = wi_wide_sub(view->z[i], start);
        far = greater_abs(from, far);
        sum = wi_wide_add(sum, wi_wide_mul(view->turn[i], from));
        total = wi_wide_add(total, view->turn[i]);
        sizes = wi_wide_add(sizes, wi_wide_abs(view->turn[i]));
    }
    const wi_wide off3 = wi_wide_add(view->off, wi_wide_add(view->off, view->off));
    const wi_wide underflow = wi_wide_all(0x1p-120F); /* of the start */
    const wi_wide depths =
        wi_wide_add(wi_wide_add(far, view->depth), wi_wide_add(wi_wide_abs(start), underflow));
    const wi_wide sum_off = wi_wide_add(wi_wide_add(wi_wide_mul(off3, far), wi_wide_all(0x1p-140F)),
                                        wi_wide_mul(wi_wide_mul(sizes, bit), depths));
    const wi_wide total_off = wi_wide_add(off3, wi_wide_mul(sizes, bit));
    const wi_wide up = wi_wide_all(state->shear.is_up ? 1.0F : -1.0F);
    const wi_wide rise = wi_wide_mul(sum, up);
    const wi_wide most = wi_wide_all(FLT_MAX); /* where terms overflow, signs mean nothing */
    const wi_mask sum_down = wi_mask_and(wi_wide_less(rise, wi_wide_negate(sum_off)),
                                         wi_wide_less_equal(wi_wide_negate(most), rise));
    const wi_mask sum_up = wi_mask_and(wi_wide_less(sum_off, rise), wi_wide_less_equal(rise, most));
    const wi_mask total_up = wi_wide_less(total_off, total);
    const wi_mask total_down = wi_wide_less(total, wi_wide_negate(total_off));
    return wi_mask_bits(
        wi_mask_or(wi_mask_and(sum_down, total_up), wi_mask_and(sum_up, total_down)));
}

static wi_ray_shear shear_along(const wi_ray *ray)
{
    int longest = 0;
    for (int i = 1; i < 3; i++)
        if (fabsf(ray->direction[i]) > fabsf(ray->direction[longest])) longest = i;
    const int x = (longest + 1) % 3, y = (longest + 2) % 3;
    const float along = ray->direction[longest];
    return (wi_ray_shear){
        .axis = {x, y, longest},
        .slope = {ray->direction[x] / along, ray->direction[y] / along},
        .start = ray->t_min * along,
        .is_up = along > 0.0F,
    };
}

static bool ray_meet_leaf(wi_ray_walk *walk, unsigned lane, const wi_ray_leaf *leaf)
{
    wi_ray_state *state = &walk->rays[lane];
    if (!state->has_shear) {
        state->shear = shear_along(&state->ray);
        state->has_shear = true;
    }
    walk->reader->stats.triangle_tests += leaf->tri_count;
    for (unsigned first = 0, group = 0; first < leaf->tri_count; first += WI_LANES, group++) {
        const unsigned count = leaf->tri_count - first;
        ray_view view;
        unsigned may = ray_may_meet(state, leaf->corner[group], &view);
        if (count < WI_LANES) may &= wi_lanes_mask(count);
        if (may != 0) may &= ~ray_is_before(state, &view);
        while (may != 0 && (walk->open >> lane & 1) != 0) {
            const unsigned tri_number = first + wi_take_lowest(&may);
            const wi_tri tri = wi_ray_leaf_tri(leaf, tri_number);
            if (!wi_ray_walk_test(walk, lane, &tri, leaf->slots[tri_number])) return false;
        }
    }
    return true;
}

/* The rays of a pack against a leaf that they enter. */
static bool ray_meet_leaf_of(wi_ray_walk *walk, unsigned lanes, const wi_tree *h, uint32_t number)
{
    WI_ASSERT(number < h->shape->leaf_count);
    const wi_ray_leaf *leaf = wi_ray_leaf_get(walk->leaves, h, number, &walk->reader->openings);
    bool has_memory = true;
    while (lanes != 0 && has_memory) has_memory = ray_meet_leaf(walk, wi_take_lowest(&lanes), leaf);
    return has_memory;
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
    float near[WI_LANES];     /* where rays enter them */
    uint32_t lanes[WI_LANES]; /* which rays do */
} ray_children;

static inline wi_ray_item ray_child(const ray_children *children, unsigned lane)
{
    const uint32_t leaf = (uint32_t)(children->leaf_mask >> lane) << 31; /* WI_IS_LEAF */
    return (wi_ray_item){children->near[lane], children->number[lane] | leaf,
                         children->lanes[lane]};
}

/* The nearest of the children that the ray enters, of which there is one; the others go on the
 * stack, where there is room. The order of hits does not depend on it. Moves the top of the stack.
 */
static inline wi_ray_item ray_next_child(wi_ray_item **top, const ray_children *children,
                                         unsigned entered, bool is_sorted)
{
    wi_ray_item next = ray_child(children, wi_take_lowest(&entered));
    if (entered == 0) return next;
    wi_ray_item *const pushed = *top;
    unsigned count = 0;
    while (entered != 0) {
        const wi_ray_item item = ray_child(children, wi_take_lowest(&entered));
        const bool is_nearer = item.near < next.near; /* no branch: it cannot be foreseen */
        pushed[count++] = is_nearer ? next : item;
        next = is_nearer ? item : next;
    }
    if (count > 1 && is_sorted) ray_sort_pushed(pushed, count);
    *top = pushed + count;
    return next;
}

/* Takes an item that the ray enters before its limit from the stack; false if there is none. */
static inline bool ray_pop(const wi_ray_item *bottom, wi_ray_item **top, float limit,
                           wi_ray_item *out)
{
    while (*top != bottom) {
        *out = *--*top;
        if (out->near <= limit) return true;
    }
    return false;
}

/* What a tree is looked at with. */
typedef struct ray_sweep {
    wi_ray_walk *walk;
    const wi_ray_pack *pack;
    const wi_tree *h;
    const wi_ray_item *end; /* of the room on the stack */
    bool is_sorted, is_plain;
    uint64_t nodes_opened, volume_tests;
} ray_sweep;

/* Asks for what a tree knows of the leaves of a node, which have numbers in a row (I2), or nearly.
 */
static inline void ray_fetch_leaf_records(const wi_tree *h, const wi_node *view)
{
    if (view->leaf_mask == 0) return;
    const uint32_t first = view->child[__builtin_ctz(view->leaf_mask)];
    const uint32_t last = view->child[31 - __builtin_clz(view->leaf_mask)];
    WI_ASSERT(first < h->shape->leaf_count && last < h->shape->leaf_count);
    __builtin_prefetch(&h->shape->leaves[first]);
    __builtin_prefetch(&h->shape->leaves[last]);
}

/* Leaves that are entered are on their way while their order is found out, and the farther ones
 * while the nearest is looked at. */
static inline void ray_fetch_leaves(const ray_sweep *sweep, const ray_children *children,
                                    unsigned entered)
{
    unsigned leaves = entered & children->leaf_mask;
    if (!sweep->is_plain) return;
    while (leaves != 0) wi_ray_leaf_fetch(sweep->h, children->number[wi_take_lowest(&leaves)]);
}

/* One ray, from a node on. There is room behind the bottom of the stack. */
static bool ray_run_one(ray_sweep *sweep, unsigned lane, wi_ray_item item, wi_ray_item *bottom)
{
    wi_ray_walk *walk = sweep->walk;
    const wi_tree *h = sweep->h;
    const wi_ray_aim8 all = wi_ray_pack_aim(sweep->pack, lane);
    const float *limit = &sweep->pack->limit[lane];
    wi_ray_item *top = bottom;
    bool goes_on = true;
    while (goes_on) {
        unsigned entered = 0;
        if ((item.node & WI_IS_LEAF) != 0) {
            if (!ray_meet_leaf_of(walk, 1U << lane, h, item.node & ~WI_IS_LEAF)) return false;
            if ((walk->open >> lane & 1) == 0) return true;
        } else {
            const wi_node *view = wi_open(h, item.node, &walk->reader->openings);
            ray_children children = {.number = view->child, .leaf_mask = view->leaf_mask};
            ray_fetch_leaf_records(h, view);
            sweep->nodes_opened++;
            sweep->volume_tests += view->count;
            entered = wi_ray_enter8(&all, *limit, (const float *)(const void *)view->lower,
                                    children.near) &
                      wi_lanes_mask(view->count);
            ray_fetch_leaves(sweep, &children, entered);
            WI_ASSERT(top + WI_LANES - 1 <= sweep->end);
            if (entered != 0) item = ray_next_child(&top, &children, entered, sweep->is_sorted);
        }
        if (entered == 0) goes_on = ray_pop(bottom, &top, *limit, &item);
    }
    return true;
}

/* Of the children that the joint aim enters those that a ray does. */
static inline unsigned ray_ask_lanes(const ray_sweep *sweep, const float *rows, unsigned entered,
                                     unsigned lanes, ray_children *children)
{
    unsigned met = 0;
    while (entered != 0) {
        const unsigned child = wi_take_lowest(&entered);
        children->lanes[child] = wi_ray_pack_enter(sweep->pack, rows, child) & lanes;
        met |= (unsigned)(children->lanes[child] != 0) << child;
    }
    return met;
}

/* Several rays that are joined. Where few of them are left they go on alone. */
static bool ray_run_joined(ray_sweep *sweep, wi_ray_item item, wi_ray_item *bottom)
{
    wi_ray_walk *walk = sweep->walk;
    const wi_tree *h = sweep->h;
    const wi_ray_aim8 all = wi_ray_aim_all(&sweep->pack->joint);
    const float *limit = &sweep->pack->joint.limit;
    wi_ray_item *top = bottom;
    bool goes_on = true;
    while (goes_on) {
        unsigned entered = 0, lanes = item.lanes & walk->open;
        if ((item.node & WI_IS_LEAF) != 0) {
            if (!ray_meet_leaf_of(walk, lanes, h, item.node & ~WI_IS_LEAF)) return false;
        } else if ((lanes & (lanes - 1)) == 0) {
            if (lanes != 0 && !ray_run_one(sweep, wi_take_lowest(&lanes), item, top)) return false;
        } else {
            const wi_node *view = wi_open(h, item.node, &walk->reader->openings);
            const float *rows = (const float *)(const void *)view->lower;
            ray_children children = {.number = view->child, .leaf_mask = view->leaf_mask};
            ray_fetch_leaf_records(h, view);
            sweep->nodes_opened++;
            sweep->volume_tests += view->count;
            entered = wi_ray_enter8(&all, *limit, rows, children.near) & wi_lanes_mask(view->count);
            entered = ray_ask_lanes(sweep, rows, entered, lanes, &children);
            ray_fetch_leaves(sweep, &children, entered);
            WI_ASSERT(top + WI_LANES - 1 <= sweep->end);
            if (entered != 0) item = ray_next_child(&top, &children, entered, sweep->is_sorted);
        }
        if (entered == 0) goes_on = ray_pop(bottom, &top, *limit, &item);
    }
    return true;
}

static bool ray_run(wi_ray_walk *walk, const wi_tree *h)
{
    wi_reader *reader = walk->reader;
    /* All children of nodes on the way down wait, but for one each; twice, if one ray leaves the
     * others. */
    const size_t room = 2 * ((size_t)h->shape->height * (WI_LANES - 1) + 1);
    if (!wi_array_reserve(reader->memory, &walk->stack, room)) return false;
    wi_ray_item *const bottom = walk->stack.items;
    const wi_ray_item root = {0.0F, 0, walk->open};
    ray_sweep sweep = {.walk = walk,
                       .pack = wi_ray_walk_aim(walk, h),
                       .h = h,
                       .end = bottom + room,
                       .is_sorted = walk->rules.wanted == WI_RAY_CLOSEST,
                       .is_plain = wi_mesh_is_plain(h->mesh)};
    bool has_memory = true;
    if (sweep.pack->is_joined)
        has_memory = ray_run_joined(&sweep, root, bottom);
    else
        for (unsigned lanes = walk->open; lanes != 0 && has_memory;)
            has_memory = ray_run_one(&sweep, wi_take_lowest(&lanes), root, bottom);
    reader->stats.nodes_opened += sweep.nodes_opened;
    reader->stats.volume_tests += sweep.volume_tests;
    return has_memory;
}

static bool ray_next_body(wi_ray_walk *walk, const wi_body_tree *tree, uint32_t *body)
{
    const wi_ray_pack *pack = &walk->world;
    const wi_ray_aim8 all =
        pack->is_joined ? wi_ray_aim_all(&pack->joint) : wi_ray_pack_aim(pack, 0);
    const float limit = pack->is_joined ? pack->joint.limit : pack->limit[0];
    wi_ray_item *const bottom = walk->bodies.items, *top = bottom + walk->bodies.count, item;
    bool is_found = false;
    while (!is_found && ray_pop(bottom, &top, limit, &item)) {
        unsigned entered = 1;
        while ((item.node & WI_IS_LEAF) == 0 && entered != 0) {
            const wi_body_node *node = &tree->nodes[item.node];
            ray_children children = {.number = node->child, .leaf_mask = node->leaf_mask};
            const float *rows = (const float *)(const void *)node->lower;
            entered = wi_ray_enter8(&all, limit, rows, children.near) & wi_lanes_mask(node->count);
            walk->reader->stats.volume_tests += node->count;
            if (entered != 0) item = ray_next_child(&top, &children, entered, true);
        }
        is_found = entered != 0;
    }
    walk->bodies.count = (size_t)(top - bottom);
    WI_ASSERT(walk->bodies.count <= walk->bodies.capacity);
    if (is_found) *body = item.node & ~WI_IS_LEAF;
    return is_found;
}

extern wi_join_rays WI_KERNEL(join_rays);
extern const wi_ray_kernels WI_KERNEL(ray_kernels);
const wi_ray_kernels WI_KERNEL(ray_kernels) = {WI_KERNEL(join_rays), ray_run, ray_next_body};
