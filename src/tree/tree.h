/* tree.h - the tree over one body's triangles.
 *
 * Nodes are in preorder (I1); leaves are numbered in the order in which a forward sweep over
 * nodes and lanes meets them (I2). So what is below a node is one run of every list. A leaf names
 * its vertices once each, however many of its triangles use them: first those that it owns, that is
 * meets first, whose places are one run (I3), then those that an earlier leaf owns, its border. So
 * a sweep over the leaves writes all places in order, and a leaf is bounded over its unique
 * vertices. */
#ifndef WI_TREE_TREE_H
#define WI_TREE_TREE_H

#include "base/backoff.h"
#include "base/check.h"
#include "base/threads.h"
#include "base/workspace.h"
#include "geom/relation.h"
#include "mesh/mesh.h"
#include "tree/keeper.h"
#include "tree/leaf_points.h"
#include "tree/moved_vertices.h"
#include "tree/node.h"
#include "tree/shape.h"
#include "tree/volumes.h"

/* Two leaves that meet, or one with itself: a == b. Of one body the lower one first. */
typedef struct wi_leaf_pair {
    uint32_t a, b;
} wi_leaf_pair;

static inline wi_leaf_pair wi_leaf_pair_of(uint32_t a, uint32_t b, bool is_within)
{
    return is_within && a > b ? (wi_leaf_pair){b, a} : (wi_leaf_pair){a, b};
}

/* What opening nodes came to, for one thread. */
typedef struct wi_openings {
    uint64_t refreshed; /* nodes whose boxes it computed */
    uint64_t lost;      /* nodes that another thread was about to compute, or had just computed */
    uint64_t blended;   /* vertices of leaves that it computed, of trees that keep these */
    bool use_occupancy; /* no count: nodes that grow may ask the user's backend */
} wi_openings;

/* Makes the boxes of a node true, unless another thread does: then waits for it. Neither allocates
 * nor fails. */
typedef void wi_refresh(const struct wi_tree *h, uint32_t node, wi_openings *count);

/* When decay is looked for, in updates. A failure is a renewal that did not make the tree better.
 * It outlives the tree. */
typedef wi_backoff wi_survey;

/* The boxes of a shape at one moment: one set for a body now, another for the end of its step. */
typedef struct wi_boxes {
    wi_node *nodes; /* NULL where there is no tree: BRUTE, or nothing collides */
    uint32_t node_room;

    /* The state of the body's vertices that the boxes are true for, and the state of what queries
     * see of them: a pose changes only the second. No two states of a world have the same number,
     * so caches need no other key. */
    uint64_t revision, placement;

    /* Boxes with a stamp from here on are true. Others are computed by `refresh` when their node is
     * opened first, which is never in a tree whose boxes are all computed in the update. */
    uint64_t valid_from;
    wi_refresh *refresh;
    wi_keeper acting;          /* who made the boxes: the tree's keeper, or its delegate */
    const wi_volumes *volumes; /* beyond boxes, while these are true; else NULL */
    wi_leaf_points *points;    /* of leaves, where these are kept; else NULL */

    wi_box bounds;       /* of all, in the frame of the tree, as all boxes are */
    wi_box world_bounds; /* under the pose: what the broad phase sees */
    double size;         /* the largest coordinate of `bounds`, and of boxes with a margin */
} wi_boxes;

typedef struct wi_tree {
    const wi_mesh *mesh;
    wi_shape *shape; /* never NULL */
    wi_boxes boxes;
    wi_keeper keeper;         /* of the method that the tree is kept by */
    wi_moved_vertices *moved; /* what was moved since the last update; NULL until it is a few */
    willow_tree_def def; /* resolved: no 0 but for hybrid_level and margin; may be of method AUTO */
    wi_survey survey;
    bool is_self; /* pairs within the body are asked for: the shape has lists for them */
} wi_tree;

/* One without a tree, which is nowhere. */
static inline wi_tree wi_tree_none(const wi_mesh *mesh)
{
    return (wi_tree){.mesh = mesh,
                     .shape = wi_shape_none(),
                     .boxes = {.bounds = wi_box_empty(), .world_bounds = wi_box_empty()}};
}

/* Who keeps the tree from now on. What another keeper knew is freed. */
void wi_tree_keep_by(wi_memory *memory, wi_tree *h, const wi_keeper_ops *ops);

/* The state of a keeper, made of zeros if there is none yet; NULL if there is no memory. */
void *wi_keeper_reserve(wi_memory *memory, wi_keeper *keeper, size_t size);
void wi_keeper_free(wi_memory *memory, wi_tree *h, wi_keeper *keeper);

/* The keeper's boxes are what queries see from now on: `refresh` opens nodes, or is NULL where all
 * are open. */
void wi_tree_act(wi_tree *h, const wi_keeper *keeper, wi_refresh *refresh);

/* Vertices [first, first + count), whose positions are stored, have been moved. There are lists
 * (wi_moved_vertices_make). */
void wi_tree_move_vertices(wi_tree *h, uint32_t first, uint32_t count);

/* For those who keep paths: see wi_keeper_ops. */
bool wi_tree_reserve_path_changes(wi_memory *memory, const wi_tree *h);
void wi_tree_note_path(const wi_tree *h, uint32_t place);
void wi_tree_forget_paths(const wi_tree *h);

/* What all keepers know of the tree is no longer true. */
void wi_tree_forget_kept(wi_memory *memory, wi_tree *h);

/* Leaves none. */
void wi_tree_destroy(wi_memory *memory, wi_tree *h);

size_t wi_tree_bytes(const wi_tree *h);

/* The bytes that bounding everything anew reads (leaves, their vertex numbers, the boxes of nodes)
 * and writes (boxes, and stored positions). */
size_t wi_tree_refit_read(const wi_tree *h);
size_t wi_tree_refit_written(const wi_tree *h);

/* Replaces the tree by a fresh one over the triangles of the mesh that collide, without boxes, and
 * reorders the mesh's positions. `def` is resolved. OUT_OF_MEMORY leaves no tree: the old one is
 * given back first, or its blocks are used again, so there are never two of them. */
willow_result wi_tree_build(wi_memory *memory, wi_workspace *workspace, willow_kernel kernel,
                            wi_mesh *mesh, const willow_tree_def *def, wi_tree *h);

/* Replaces what is below each of `nodes` by a fresh subtree over the same triangles, without boxes:
 * as the builder of the tree makes it of where they are now, whatever was there before. The nodes
 * are in ascending order, none of them below another, and not in the workspace. All other nodes
 * keep their boxes and stamps, if not their numbers, and all vertices their positions, if not their
 * places. OUT_OF_MEMORY leaves all as it was. */
willow_result wi_tree_rebuild_below(wi_memory *memory, wi_workspace *workspace,
                                    willow_kernel kernel, wi_mesh *mesh, wi_tree *h,
                                    const uint32_t *nodes, uint32_t count);

/* Says where the body is now that its boxes or its pose have changed. */
void wi_tree_place(wi_tree *h, uint64_t placement);

/* Surface area of all nodes and leaves over that of the root: the expected work of a query that
 * meets the root's box. Leaves count once per triangle. */
double wi_tree_cost(const wi_tree *h);

/* NULL, or the words for the invariant that is broken (docs/invariants.md). */
const char *wi_tree_validate(const wi_tree *h);

/* The same for what is listed for pairs within a body, which motion does not change. */
const char *wi_tree_validate_lists(const wi_tree *h);

/* The same for what wi_tree_place says. */
const char *wi_tree_validate_place(const wi_tree *h);

static inline wi_frame wi_tree_frame(const wi_tree *h)
{
    return (wi_frame){wi_mesh_pose(h->mesh), h->boxes.size, wi_mesh_is_computed(h->mesh)};
}

/* How many nodes are above this one; that of the root is 0. */
static inline uint32_t wi_tree_depth(const wi_tree *h, uint32_t node)
{
    uint32_t depth = 0;
    WI_ASSERT(node < h->shape->node_count);
    for (; node != 0; node = h->boxes.nodes[node].parent) depth++;
    return depth;
}

/* The leaves below a node are one run (I2): its own, then those of its children. */
static inline uint32_t wi_tree_first_leaf(const wi_tree *h, uint32_t node)
{
    WI_ASSERT(node < h->shape->node_count);
    while (h->boxes.nodes[node].leaf_mask == 0) node = h->boxes.nodes[node].child[0];
    return h->boxes.nodes[node].child[__builtin_ctz(h->boxes.nodes[node].leaf_mask)];
}

static inline uint32_t wi_tree_last_leaf(const wi_tree *h, uint32_t node)
{
    const wi_node *view = &h->boxes.nodes[node];
    WI_ASSERT(node < h->shape->node_count);
    for (unsigned nodes; (nodes = wi_node_inner_lanes(view)) != 0;)
        view = &h->boxes.nodes[view->child[31 - __builtin_clz(nodes)]];
    return view->child[view->count - 1];
}

/* A lane of a node, and one more than the depth of the node; that of the root is 1. */
typedef struct wi_twig {
    uint32_t node, depth;
    unsigned lane;
} wi_twig;

/* Moves on from a lane, itself included, to the next one that holds a node: in this node or in one
 * above. So nodes are met in the order of a packed tree. False if there is none. */
bool wi_tree_next_twig(const wi_tree *h, wi_twig *twig);

/* Moves on from a node, `lane` being 0, to the next one: parents come first, in trees of both kinds
 * of shape. False if there is none. */
static inline bool wi_tree_next_node(const wi_tree *h, wi_twig *twig)
{
    if (!wi_tree_next_twig(h, twig)) return false;
    *twig = (wi_twig){h->boxes.nodes[twig->node].child[twig->lane], twig->depth + 1, 0};
    return true;
}

/* True if the boxes of the node are computed already. */
static inline bool wi_is_open(const wi_tree *h, uint32_t node)
{
    WI_ASSERT(h->boxes.nodes && node < h->shape->node_count);
    return atomic_load_explicit(&h->boxes.nodes[node].stamp, memory_order_acquire) >=
           h->boxes.valid_from;
}

/* The boxes of the children of `node`, now. Cannot fail. */
static inline const wi_node *wi_open(const wi_tree *h, uint32_t node, wi_openings *count)
{
    WI_ASSERT(wi_is_open(h, node) || h->boxes.refresh);
    if (!wi_is_open(h, node)) h->boxes.refresh(h, node, count);
    WI_ASSERT(wi_is_open(h, node));
    return &h->boxes.nodes[node];
}

/* The same for who only wants to see: nothing of a grown tree grows, nor counts as asked for. Its
 * buds have no children. May run beside queries. */
static inline const wi_node *wi_tree_look(const wi_tree *h, uint32_t node, wi_openings *count)
{
    const wi_node *view = &h->boxes.nodes[node];
    if (!wi_shape_is_grown(h->shape)) return wi_open(h, node, count);
    while (atomic_load_explicit(&view->stamp, memory_order_acquire) == WI_STAMP_CLAIMED)
        wi_thread_yield();
    return view;
}

/* The places of a leaf's border. Leaves before it have first_vertex vertices and own first_place of
 * them, so the rest is where its border begins. */
static inline const uint32_t *wi_leaf_border(const wi_tree *h, const wi_leaf *leaf)
{
    WI_ASSERT(leaf->first_vertex >= leaf->first_place);
    WI_ASSERT(leaf->first_vertex - leaf->first_place <= h->shape->border_count);
    return h->shape->borders + (leaf->first_vertex - leaf->first_place);
}

/* The place of a leaf's vertex: in its own run, or in its border. */
static inline uint32_t wi_leaf_place(const wi_tree *h, const wi_leaf *leaf, unsigned i)
{
    WI_ASSERT(i < leaf->vertex_count && leaf->owned_count <= leaf->vertex_count);
    return i < leaf->owned_count ? leaf->first_place + i
                                 : wi_leaf_border(h, leaf)[i - leaf->owned_count];
}

/* The vertices below a node or a leaf. */
typedef struct wi_below {
    uint32_t first_place, last_place;     /* of those that it owns: up to and without the last */
    uint32_t first_outline, last_outline; /* the places of the others: for a leaf in `borders`, for
                                             a node where its keeper has them */
} wi_below;

static inline wi_below wi_leaf_below(const wi_leaf *leaf)
{
    const uint32_t first = leaf->first_vertex - leaf->first_place;
    WI_ASSERT(leaf->owned_count <= leaf->vertex_count);
    return (wi_below){leaf->first_place, leaf->first_place + leaf->owned_count, first,
                      first + leaf->vertex_count - leaf->owned_count};
}

/* A vertex of a leaf. Leaves of grown trees have the corners of their triangles, one after the
 * other. */
static inline uint32_t wi_leaf_vertex(const wi_tree *h, const wi_leaf *leaf, unsigned i)
{
    WI_ASSERT(i < leaf->vertex_count);
    return wi_shape_is_grown(h->shape)
               ? h->mesh->tris[h->shape->slots[leaf->first_tri + i / 3]][i % 3]
               : h->shape->leaf_vertices[leaf->first_vertex + i];
}

/* Which of the leaf's vertices the corners of its triangles are. */
static inline const uint8_t (*wi_leaf_corners(const wi_tree *h, const wi_leaf *leaf))[3]
{
    return wi_shape_is_grown(h->shape) ? wi_corners_in_order
                                       : (const uint8_t(*)[3])(h->shape->corners + leaf->first_tri);
}

static inline wi_box wi_leaf_box(const wi_tree *h, const wi_leaf *leaf)
{
    wi_box box = wi_box_empty();
    for (unsigned i = 0; i < leaf->vertex_count; i++) {
        float p[3];
        wi_mesh_model_position(h->mesh, wi_leaf_vertex(h, leaf, i), p);
        wi_box_add_point(&box, p);
    }
    return box;
}

#endif
