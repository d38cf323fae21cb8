/* toy_method.c - TOY: a method that only tests have, and the shortest example of one with a keeper.
 *
 * An update bounds every leaf and keeps the boxes in an array of its own. A node is bounded by the
 * leaves below it, which are one run (I2), when a query opens it first. Nothing is done for speed:
 * who opens all nodes reads every box once per level. What every method has to take care of is
 * here: trees that are fresh, renewed or without nodes, allocations that fail, and threads that
 * open the same node. */
#include "base/check.h"
#include "update/claim.h"
#include "update/method.h"

/* What the keeper keeps of one tree. */
typedef struct toy {
    wi_box *leaf_boxes; /* by leaf; NULL before the first update, and when the tree is no more */
    uint32_t leaf_count;
} toy;

/* ---- opening a node ---- */

static wi_box toy_box_of_leaves(const toy *t, uint32_t first, uint32_t last)
{
    wi_box box = wi_box_empty();
    WI_ASSERT(first <= last && last < t->leaf_count);
    for (uint32_t leaf = first; leaf <= last; leaf++) wi_box_add_box(&box, &t->leaf_boxes[leaf]);
    return box;
}

static wi_box toy_box_of_node(const wi_tree *h, const toy *t, uint32_t node)
{
    return toy_box_of_leaves(t, wi_tree_first_leaf(h, node), wi_tree_last_leaf(h, node));
}

/* Several threads may be here at once: one claims the node and computes its boxes. It reads only
 * what nobody writes between two updates, and stores the stamp last. */
static void toy_open_node(const wi_tree *h, uint32_t node, wi_openings *count)
{
    const toy *t = h->boxes.acting.state;
    wi_node *view = &h->boxes.nodes[node];
    if (wi_claim(h, view) == WI_STAMP_CLAIMED) {
        count->lost++;
        return;
    }
    for (unsigned lane = 0; lane < view->count; lane++) {
        const bool is_leaf = (view->leaf_mask >> lane & 1) != 0;
        const uint32_t child = view->child[lane];
        const wi_box box = is_leaf ? t->leaf_boxes[child] : toy_box_of_node(h, t, child);
        wi_node_set_box(view, lane, &box);
    }
    count->refreshed++;
    atomic_store_explicit(&view->stamp, h->boxes.revision, memory_order_release);
}

/* ---- the keeper ---- */

static void toy_forget(wi_memory *memory, wi_tree *h, void *state)
{
    toy *t = state;
    (void)h;
    wi_free_array(memory, t->leaf_boxes, t->leaf_count, sizeof *t->leaf_boxes);
    *t = (toy){0};
}

static void toy_free(wi_memory *memory, wi_tree *h, void *state)
{
    toy_forget(memory, h, state);
    wi_free(memory, state, sizeof(toy));
}

static size_t toy_bytes(const void *state)
{
    const toy *t = state;
    return t->leaf_count * sizeof *t->leaf_boxes;
}

static const char *toy_validate(const wi_tree *h, const void *state)
{
    const toy *t = state;
    if (t->leaf_boxes == NULL) return NULL;
    if (t->leaf_count != h->shape->leaf_count) return "I6: boxes of leaves are of another tree";
    for (uint32_t leaf = 0; leaf < h->shape->leaf_count; leaf++) {
        const wi_box tight = wi_leaf_box(h, &h->shape->leaves[leaf]);
        if (!wi_box_contains(&t->leaf_boxes[leaf], &tight)) return "I6: a leaf sticks out";
    }
    return NULL;
}

/* By the leaves, since the boxes stored in a node that nobody has opened are old. */
static const char *toy_validate_node(const wi_tree *h, const void *state, uint32_t node,
                                     const wi_box *box)
{
    const wi_box inner = toy_box_of_node(h, state, node);
    return wi_box_contains(box, &inner) ? NULL : "I6: a node sticks out of its box";
}

static const wi_keeper_ops toy_keeper = {.name = "toy",
                                         .free = toy_free,
                                         .forget = toy_forget,
                                         .bytes = toy_bytes,
                                         .validate = toy_validate,
                                         .validate_node = toy_validate_node};

/* ---- the update ---- */

/* The state, with room for the leaves of this tree; NULL if there is no memory. */
static toy *toy_reserve(wi_update *u)
{
    toy *t = wi_keeper_reserve(u->memory, &u->h->keeper, sizeof *t);
    if (t == NULL || t->leaf_boxes) return t;
    t->leaf_boxes = wi_alloc_array(u->memory, u->h->shape->leaf_count, sizeof *t->leaf_boxes);
    if (t->leaf_boxes == NULL) return NULL;
    t->leaf_count = u->h->shape->leaf_count;
    return t;
}

/* All leaves are bounded anew, however few vertices have moved. A tree that is fresh, wholly or in
 * parts, has its boxes and their stamps already, and the keeper was told to forget the old one. */
static willow_result toy_update(wi_update *u)
{
    wi_tree *h = u->h;
    wi_tree_keep_by(u->memory, h, &toy_keeper);
    willow_result result = wi_update_build_or_renew(u);
    if (result != WILLOW_OK || h->boxes.nodes == NULL) return result;
    const toy *t = toy_reserve(u);
    if (t == NULL) return WILLOW_OUT_OF_MEMORY;
    for (uint32_t leaf = 0; leaf < h->shape->leaf_count; leaf++)
        t->leaf_boxes[leaf] = wi_leaf_box(h, &h->shape->leaves[leaf]);
    h->boxes.bounds = toy_box_of_leaves(t, 0, h->shape->leaf_count - 1);
    h->boxes.valid_from = u->revision; /* the boxes of before are no longer true */
    wi_tree_act(h, &h->keeper, toy_open_node);
    WI_ASSERT_SLOW(wi_tree_validate(h) == NULL);
    return WILLOW_OK;
}

extern const wi_method_ops wi_toy_ops;
const wi_method_ops wi_toy_ops = {.update = toy_update};
