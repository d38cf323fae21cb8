/* avl.h - the other way to keep a linked tree balanced: binary, as Otaduy and others 2007 have it.
 *
 * Every leaf has one triangle, every node two children whose heights differ by one at most
 * (Adelson-Velsky and Landis 1962). Siblings have no order, so a rotation may choose which of them
 * goes up (the paper's pre-swap), and any two trees can be joined in time of the difference of
 * their heights.
 *
 * Traversals do not see these nodes but views of up to three levels of them: a view is what is
 * below a node within a band of three heights. So views change only where heights or links do. The
 * view of the root has number 0, all others that of their node (I26, I27). */
#ifndef WI_TREE_LINKED_AVL_H
#define WI_TREE_LINKED_AVL_H

#include "tree/linked/tree_edit.h"

/* More than 1.45 times the binary logarithm of all leaves that can be numbered. */
enum { WI_AVL_MOST_HEIGHT = 48 };

/* A node by its number, a leaf with WI_IS_LEAF, or WI_NO_LINK. */
typedef uint32_t wi_avl_ref;

typedef struct wi_avl_node {
    uint32_t parent;
    wi_avl_ref child[2];
    uint8_t height; /* leaves have 0 */
    bool is_changed;
    bool is_due;  /* the one above exchanged a child of it, after it was looked at */
    bool is_view; /* it has a view of its own, with its number */
    wi_box box;
} wi_avl_node;

typedef struct wi_avl {
    wi_avl_node *nodes;    /* number 0 is never one: it is the view of the root */
    uint32_t *order;       /* nodes, parents first, if is_ordered */
    wi_box *leaf_boxes;    /* by leaf */
    uint32_t *leaf_parent; /* by leaf: a node, or WI_NO_LINK */
    wi_avl_ref root;
    uint32_t node_count, view_count; /* in use */
    bool is_ordered;
    uint64_t fitted; /* the revision for which its own boxes were true; views may be newer, where
                        somebody else opens them (update/rest) */
    double fresh_quality; /* of the packed tree that it was made of */
} wi_avl;

static inline bool wi_tree_is_avl(const wi_tree *h)
{
    return wi_shape_is_linked(h->shape) && h->shape->links->avl != NULL;
}

/* Trees of these settings are, once they are edited. */
static inline bool wi_def_wants_avl(const willow_tree_def *def)
{
    return def->arity == 2 && def->leaf_triangles == 1;
}

static inline wi_avl *wi_avl_of(const wi_tree *h)
{
    WI_ASSERT(wi_tree_is_avl(h));
    return h->shape->links->avl;
}

static inline bool wi_avl_is_leaf(wi_avl_ref ref) { return (ref & WI_IS_LEAF) != 0; }

static inline uint32_t wi_avl_height(const wi_avl *avl, wi_avl_ref ref)
{
    WI_ASSERT(ref != WI_NO_LINK);
    return wi_avl_is_leaf(ref) ? 0 : avl->nodes[ref].height;
}

static inline const wi_box *wi_avl_box(const wi_avl *avl, wi_avl_ref ref)
{
    WI_ASSERT(ref != WI_NO_LINK);
    return wi_avl_is_leaf(ref) ? &avl->leaf_boxes[ref & ~WI_IS_LEAF] : &avl->nodes[ref].box;
}

/* ---- avl.c: its shape. There is room for a node more wherever one is needed. ---- */

bool wi_avl_begin(wi_memory *memory, wi_tree *h);
void wi_avl_free(wi_memory *memory, wi_shape *shape);
size_t wi_avl_bytes(const wi_shape *shape);

/* A leaf that has its box is put beside another one, or goes. */
void wi_avl_insert(wi_tree *h, uint32_t leaf, uint32_t beside);
void wi_avl_remove(wi_tree *h, uint32_t leaf);

/* Two trees, neither of which has a parent, become one; each may be WI_NO_LINK. The taller one is
 * gone down, where it grows least, and what is there and the lower one become a pair. */
wi_avl_ref wi_avl_join(wi_tree *h, wi_avl_ref a, wi_avl_ref b);

/* A node gets a child; and its height and box, from its children, which are balanced. */
void wi_avl_set_child(wi_avl *avl, uint32_t node, int side, wi_avl_ref ref);
void wi_avl_settle(wi_avl *avl, uint32_t number);

/* The box of a leaf has changed. */
void wi_avl_mark(wi_tree *h, uint32_t leaf);

/* The leaf whose box is nearest to a box: the lowest of equals. There is one. */
uint32_t wi_avl_nearest(const wi_tree *h, const wi_box *box);

/* NULL, or the words for the invariant that is broken. */
const char *wi_avl_validate(const wi_tree *h);

/* ---- avl_fit.c: its boxes and views ---- */

/* How well the boxes fit: the squared volumes of all nodes and leaves over that of the root (the
 * paper's Q, about 2 for the best). 0 where the root has no volume. */
double wi_avl_quality(const wi_tree *h);

/* Bounds all nodes by their children, from the leaves up; exchanges grandchildren on the way where
 * this makes two children smaller and leaves them balanced, if `permutes`; and makes views of what
 * has changed, or of all. Returns how many. */
size_t wi_avl_fit(wi_tree *h, uint64_t revision, bool is_all, bool permutes);

/* ---- avl_join.c ---- */

struct wi_join;

/* wi_tree_join, for such trees. New ones have no views yet. */
bool wi_avl_join_trees(wi_memory *memory, const struct wi_join *join);

/* ---- avl_edit.c ---- */

/* wi_tree_edit, for such a tree; boxes and views wait for wi_avl_fit. */
willow_result wi_avl_edit(wi_memory *memory, wi_tree *h, wi_tree_changes *changes);

/* Makes one of the leaves of a packed tree of at most two children, of which `h` has copies. False
 * if there is no memory. */
bool wi_avl_gather(wi_memory *memory, const wi_tree *packed, wi_tree *h);

#endif
