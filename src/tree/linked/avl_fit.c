/* avl_fit.c - boxes of an AVL tree from the leaves up, and the views that traversals see. */
#include "base/check.h"
#include "tree/linked/avl.h"

/* Levels of nodes in a view: two to the power of these are its lanes. */
enum { VIEW_LEVELS = 3 };

_Static_assert(1 << VIEW_LEVELS == WI_LANES, "a view is full where its nodes are");

/* ---- quality ---- */

static double squared_volume_of_both(const wi_box *a, const wi_box *b)
{
    wi_box both = *a;
    wi_box_add_box(&both, b);
    return wi_box_squared_volume(&both);
}

double wi_avl_quality(const wi_tree *h)
{
    const wi_avl *avl = wi_avl_of(h);
    const double root = wi_box_squared_volume(wi_avl_box(avl, avl->root));
    double sum = root;
    WI_ASSERT(avl->is_ordered);
    for (uint32_t i = 0; i < avl->node_count; i++) {
        const wi_avl_node *node = &avl->nodes[avl->order[i]];
        sum += wi_box_squared_volume(wi_avl_box(avl, node->child[0])) +
               wi_box_squared_volume(wi_avl_box(avl, node->child[1]));
    }
    return root > 0.0 ? sum / root : 0.0;
}

/* ---- permutations ---- */

/* The second grandchild of the first child and one of the second child change places. */
static void swap_grandchildren(wi_avl *avl, uint32_t left, uint32_t right, int side)
{
    const wi_avl_ref goes = avl->nodes[left].child[1], comes = avl->nodes[right].child[side];
    wi_avl_set_child(avl, left, 1, comes);
    wi_avl_set_child(avl, right, side, goes);
    wi_avl_settle(avl, left);
    wi_avl_settle(avl, right);
    avl->nodes[left].is_due = avl->nodes[right].is_due = true;
}

static bool are_close(uint32_t a, uint32_t b) { return a > b ? a - b <= 1 : b - a <= 1; }

/* The two of the three ways to pair four grandchildren that are not there are tried. If a node is
 * balanced, it is so afterwards where its children are (the paper, section 3.3.2), and as high. */
static void permute(wi_avl *avl, wi_avl_node *node)
{
    if (wi_avl_is_leaf(node->child[0]) || wi_avl_is_leaf(node->child[1])) return;
    wi_avl_node *left = &avl->nodes[node->child[0]], *right = &avl->nodes[node->child[1]];
    const wi_box *stays = wi_avl_box(avl, left->child[0]), *goes = wi_avl_box(avl, left->child[1]);
    const uint32_t stay_height = wi_avl_height(avl, left->child[0]);
    const uint32_t go_height = wi_avl_height(avl, left->child[1]);
    double least = wi_box_squared_volume(&left->box) + wi_box_squared_volume(&right->box);
    int best = -1;
    for (int side = 0; side < 2; side++) {
        const wi_avl_ref comes = right->child[side], other = right->child[1 - side];
        if (!are_close(stay_height, wi_avl_height(avl, comes)) ||
            !are_close(go_height, wi_avl_height(avl, other)))
            continue;
        const double q = squared_volume_of_both(stays, wi_avl_box(avl, comes)) +
                         squared_volume_of_both(goes, wi_avl_box(avl, other));
        if (!(q < least)) continue;
        least = q;
        best = side;
    }
    if (best < 0) return;
    swap_grandchildren(avl, node->child[0], node->child[1], best);
    node->is_changed = true;
}

/* ---- sweeps ---- */

/* Level by level: the list is also what waits. Exchanges leave all on their levels, so it stays
 * true until nodes come, go or are turned. */
static void list_order(wi_avl *avl)
{
    uint32_t count = 0;
    if (avl->is_ordered) return;
    if (!wi_avl_is_leaf(avl->root)) avl->order[count++] = avl->root;
    for (uint32_t i = 0; i < count; i++)
        for (int side = 0; side < 2; side++) {
            const wi_avl_ref child = avl->nodes[avl->order[i]].child[side];
            if (!wi_avl_is_leaf(child)) avl->order[count++] = child;
        }
    WI_ASSERT(count == avl->node_count);
    avl->is_ordered = true;
}

/* What has changed is known to all above it. Where nothing has, exchanges would do nothing either.
 */
static void bound_nodes(wi_avl *avl, bool is_all, bool permutes)
{
    for (uint32_t i = avl->node_count; i-- > 0;) {
        wi_avl_node *node = &avl->nodes[avl->order[i]];
        for (int side = 0; side < 2; side++) {
            const wi_avl_ref child = node->child[side];
            if (!wi_avl_is_leaf(child) && avl->nodes[child].is_changed) node->is_changed = true;
        }
        if (!node->is_changed && !node->is_due && !is_all) continue;
        node->is_due = false;
        node->box = *wi_avl_box(avl, node->child[0]);
        wi_box_add_box(&node->box, wi_avl_box(avl, node->child[1]));
        if (permutes) permute(avl, node);
    }
}

/* ---- views ---- */

/* Heights 1 to 3, 4 to 6, and so on. */
static uint32_t band_of(const wi_avl_node *node) { return (node->height - 1U) / VIEW_LEVELS; }

static bool begins_view(const wi_avl *avl, const wi_avl_node *node)
{
    return node->parent == WI_NO_LINK || band_of(node) != band_of(&avl->nodes[node->parent]);
}

static void add_lane(wi_tree *h, uint32_t number, wi_avl_ref ref)
{
    wi_links *l = h->shape->links;
    wi_node *view = &h->boxes.nodes[number];
    const unsigned lane = view->count++;
    WI_ASSERT(lane < WI_LANES);
    wi_node_set_box(view, lane, wi_avl_box(l->avl, ref));
    view->child[lane] = ref & ~WI_IS_LEAF;
    if (wi_avl_is_leaf(ref)) {
        view->leaf_mask = (uint8_t)(view->leaf_mask | 1U << lane);
        l->leaf_node[ref & ~WI_IS_LEAF] = number;
        l->leaf_lane[ref & ~WI_IS_LEAF] = (uint8_t)lane;
    } else {
        h->boxes.nodes[ref].parent = number;
        h->boxes.nodes[ref].parent_lane = (uint8_t)lane;
    }
}

static void clear_lanes(wi_node *view, unsigned from)
{
    const wi_box empty = wi_box_empty();
    for (unsigned lane = from; lane < WI_LANES; lane++) {
        wi_node_set_box(view, lane, &empty);
        view->child[lane] = 0;
    }
}

/* A node gets a view of its own, or loses it. */
static void own_view(wi_tree *h, uint32_t number, bool is_wanted)
{
    wi_avl *avl = wi_avl_of(h);
    wi_avl_node *node = &avl->nodes[number];
    if (node->is_view == is_wanted) return;
    node->is_view = is_wanted;
    avl->view_count += is_wanted ? 1U : UINT32_MAX;
    if (is_wanted) return;
    h->boxes.nodes[number].count = h->boxes.nodes[number].leaf_mask = 0;
    clear_lanes(&h->boxes.nodes[number], 0);
}

/* Everything below a node that is in its band, in order. */
static void fill_view(wi_tree *h, uint32_t number, wi_avl_ref top, uint64_t revision)
{
    wi_avl *avl = wi_avl_of(h);
    wi_avl_ref stack[2 * VIEW_LEVELS];
    unsigned count = 0;
    wi_node *view = &h->boxes.nodes[number];
    view->count = view->leaf_mask = 0;
    h->shape->links->level[number] = wi_avl_is_leaf(top) ? 0 : (uint8_t)band_of(&avl->nodes[top]);
    stack[count++] = top;
    while (count > 0) {
        const wi_avl_ref at = stack[--count];
        if (wi_avl_is_leaf(at) || (at != top && begins_view(avl, &avl->nodes[at]))) {
            add_lane(h, number, at);
            continue;
        }
        avl->nodes[at].is_changed = false;
        if (at != number) own_view(h, at, false);
        stack[count++] = avl->nodes[at].child[1];
        stack[count++] = avl->nodes[at].child[0];
    }
    clear_lanes(view, view->count);
    atomic_store_explicit(&view->stamp, revision, memory_order_relaxed);
}

/* From the root down to where nothing has changed. */
static size_t fill_views(wi_tree *h, uint64_t revision, bool is_all)
{
    enum { MOST_BANDS = WI_AVL_MOST_HEIGHT / VIEW_LEVELS + 1 };
    const wi_avl *avl = wi_avl_of(h);
    uint32_t stack[MOST_BANDS * WI_LANES];
    unsigned count = 0;
    size_t filled = 0;
    h->boxes.nodes[0].parent = h->boxes.nodes[0].parent_lane = 0;
    stack[count++] = 0;
    while (count > 0) {
        const uint32_t number = stack[--count];
        const wi_node *view = &h->boxes.nodes[number];
        if (number > 0) own_view(h, number, true);
        fill_view(h, number, number == 0 ? avl->root : number, revision);
        filled++;
        WI_ASSERT(count + view->count <= MOST_BANDS * WI_LANES);
        for (unsigned lanes = wi_node_inner_lanes(view); lanes != 0; lanes &= lanes - 1) {
            const uint32_t child = view->child[__builtin_ctz(lanes)];
            const wi_avl_node *node = &avl->nodes[child];
            if (is_all || node->is_changed || !node->is_view) stack[count++] = child;
        }
    }
    return filled;
}

size_t wi_avl_fit(wi_tree *h, uint64_t revision, bool is_all, bool permutes)
{
    wi_avl *avl = wi_avl_of(h);
    list_order(avl);
    bound_nodes(avl, is_all, permutes);
    const size_t filled = fill_views(h, revision, is_all);
    h->shape->height = h->shape->links->level[0] + 1U;
    h->boxes.bounds = *wi_avl_box(avl, avl->root);
    avl->fitted = revision;
    if (is_all) h->boxes.valid_from = revision;
    if (h->shape->sets.nodes) wi_group_sets_fill(h);
    return filled;
}
