/* hierarchy.h - the tree over one body's triangles.
 *
 * Nodes are views, in preorder (I1); leaves are numbered in the order in which a forward sweep over
 * nodes and lanes meets them (I2). So what is below a node is one run of every list. A leaf names
 * its vertices once each, however many of its triangles use them: first those that it owns, that is
 * meets first, whose places are one run (I3), then those that an earlier leaf owns, its border. So
 * a sweep over the leaves writes all places in order, and a leaf is bounded over its unique
 * vertices. */
#ifndef WI_TREE_HIERARCHY_H
#define WI_TREE_HIERARCHY_H

#include "base/workspace.h"
#include "geom/relation.h"
#include "mesh/mesh.h"
#include "tree/blend.h"
#include "tree/compact.h"
#include "tree/group_sets.h"
#include "tree/kin.h"
#include "tree/kinetic.h"
#include "tree/patches.h"
#include "tree/rims.h"
#include "tree/stars.h"
#include "tree/touch.h"
#include "tree/view.h"

enum { WI_MAX_LEAF_TRIS = 32, WI_MAX_LEAF_VERTICES = 3 * WI_MAX_LEAF_TRIS };

typedef struct wi_leaf {
    uint32_t first_tri;    /* in `slots` and `corners` */
    uint32_t first_vertex; /* in `leaf_vertices` */
    uint32_t first_place;  /* of those it owns */
    uint8_t tri_count;
    uint8_t vertex_count;
    uint8_t owned_count;
} wi_leaf;

_Static_assert(sizeof(wi_leaf) == 16, "a quarter of a cache line");

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
} wi_openings;

/* Makes the boxes of a node true, unless another thread does: then waits for it. Neither allocates
 * nor fails. */
typedef void wi_refresh(const struct wi_hierarchy *h, uint32_t node, wi_openings *count);

/* Whether following a flight plan has paid, for AUTO: see update/payoff.h. */
typedef struct wi_payoff {
    bool has_begun;      /* it was tried before */
    int64_t credit;      /* what it may still lose against refitting */
    int64_t gain;        /* what it has saved since it was last begun, setting it up included */
    int64_t setup;       /* what that cost */
    uint32_t until_next; /* while refitting: updates until it is tried again */
    uint32_t calm, calm_needed; /* updates in a row that were calm, and how many are enough */
    uint32_t in_vain;           /* times in a row that it did not pay */
    uint32_t changes;    /* of paths: in the update in which it ended, or in a later one if more */
    uint32_t until_look; /* updates until what queries reached is looked at */
    int64_t asked;       /* vertices that they reached, at the last look */
    double time, step;   /* of the last update, and to the one in which it ended */
} wi_payoff;

/* Whether blending boxes has paid, for AUTO: see update/blend_payoff.h. */
typedef struct wi_blend_payoff {
    uint64_t number;     /* of the morph or the rest shape that it is about */
    bool is_spent;       /* it did not pay: the next update refits */
    uint32_t until_look; /* updates until what queries reached is looked at */
    uint32_t looks;      /* since it was last begun */
    uint32_t until_next; /* while refitting: updates until it is tried again */
    uint32_t in_vain;    /* times in a row that it did not pay for long */
    uint32_t open;       /* nodes that were open when a refit was first looked at; 0: it was not */
    double price;        /* of blending, in refits, at the last look */
} wi_blend_payoff;

/* What updates have learnt about a body; it outlives the tree. */
typedef struct wi_habits {
    uint32_t until_survey;      /* updates until decay is looked for */
    uint32_t in_vain;           /* renewals in a row that did not make the tree better */
    willow_method mode;         /* AUTO: what it stands for now */
    bool is_telling;            /* AUTO: nodes that are open now were opened by somebody */
    uint32_t calm, calm_needed; /* AUTO: looks in a row that found nothing opened */
    wi_payoff payoff;           /* AUTO */
    wi_blend_payoff blend_payoff;
} wi_habits;

typedef struct wi_hierarchy {
    const wi_mesh *mesh;
    willow_tree_def def; /* resolved: no 0 but for hybrid_level and margin; may be of method AUTO */
    wi_view *views;      /* NULL where there is no tree: BRUTE, or nothing collides */
    wi_leaf *leaves;
    uint32_t *leaf_vertices; /* vertex numbers, leaf by leaf */
    uint32_t *borders;       /* the places of those that a leaf does not own, leaf by leaf */
    uint8_t (*corners)[3];   /* by triangle of a leaf: which of the leaf's vertices */
    uint32_t *slots;         /* by triangle of a leaf: its slot */
    uint32_t *loose;         /* vertices that no leaf has, which own the last places */
    uint32_t node_count, leaf_count, tri_count, leaf_vertex_count, border_count, loose_count;
    uint32_t node_room, leaf_room, tri_room; /* what the blocks have room for */
    uint32_t height;                         /* nodes on the longest way down */
    wi_box bounds;                           /* in the frame of the hierarchy, as all boxes are */
    wi_box world_bounds;                     /* under the pose: what the broad phase sees */
    double size; /* the largest coordinate of `bounds`, and of boxes with a margin */

    /* The state of the body's vertices that the boxes are true for, and the state of what queries
     * see of them: a pose changes only the second. No two states of a world have the same number,
     * so caches need no other key. */
    uint64_t revision, placement;

    /* The revision since which nodes and leaves have had the numbers that they have: it changes
     * when the tree, or a part of it, is built afresh. Who keeps numbers of nodes compares it. */
    uint64_t structure;

    /* Boxes with a stamp from here on are true. Others are computed by `refresh` when their node is
     * opened first, which is never in a tree whose boxes are all computed in the update. */
    uint64_t valid_from;
    wi_refresh *refresh;
    wi_patches patches; /* of a tree whose nodes are bounded when they are opened; else none */
    wi_touch touch;     /* what was moved since the last update, if it was not all */
    wi_group_sets sets; /* of the groups below, where the mesh has group masks; else none */
    wi_kinetic kinetic; /* of a tree that follows plans; else none */
    wi_blend blend;     /* of a tree that blends shapes; else none */
    wi_compact compact; /* of a narrow tree that is refitted; else none */
    uint64_t keep_from; /* boxes with a stamp from here on have a margin */
    wi_habits habits;

    bool is_self; /* pairs within the body are asked for: the tree has the lists below */
    wi_kin kin;
    wi_stars stars;
    wi_rims rims;
} wi_hierarchy;

/* One without a tree, which is nowhere. */
static inline wi_hierarchy wi_hierarchy_none(const wi_mesh *mesh)
{
    return (wi_hierarchy){.mesh = mesh, .bounds = wi_box_empty(), .world_bounds = wi_box_empty()};
}

/* Leaves none. */
void wi_hierarchy_destroy(wi_memory *memory, wi_hierarchy *h);

size_t wi_hierarchy_bytes(const wi_hierarchy *h);

/* The bytes that bounding everything anew reads (leaves, their vertex numbers, the boxes of nodes)
 * and writes (boxes, and stored positions). */
size_t wi_hierarchy_refit_read(const wi_hierarchy *h);
size_t wi_hierarchy_refit_written(const wi_hierarchy *h);

/* Replaces the tree by a fresh one over the triangles of the mesh that collide, without boxes, and
 * reorders the mesh's positions. `def` is resolved. OUT_OF_MEMORY leaves no tree: the old one is
 * given back first, or its blocks are used again, so there are never two of them. */
willow_result wi_hierarchy_build(wi_memory *memory, wi_workspace *workspace, willow_kernel kernel,
                                 wi_mesh *mesh, const willow_tree_def *def, wi_hierarchy *h);

/* Replaces what is below each of `nodes` by a fresh subtree over the same triangles, without boxes:
 * as the builder of the tree makes it of where they are now, whatever was there before. The nodes
 * are in ascending order, none of them below another, and not in the workspace. All other nodes
 * keep their boxes and stamps, if not their numbers, and all vertices their positions, if not their
 * places. OUT_OF_MEMORY leaves all as it was. */
willow_result wi_hierarchy_rebuild_below(wi_memory *memory, wi_workspace *workspace,
                                         willow_kernel kernel, wi_mesh *mesh, wi_hierarchy *h,
                                         const uint32_t *nodes, uint32_t count);

/* Says where the body is now that its boxes or its pose have changed. */
void wi_hierarchy_place(wi_hierarchy *h, uint64_t placement);

/* Surface area of all nodes and leaves over that of the root: the expected work of a query that
 * meets the root's box. Leaves count once per triangle. */
double wi_hierarchy_cost(const wi_hierarchy *h);

/* NULL, or the words for the invariant that is broken (docs/invariants.md). */
const char *wi_hierarchy_validate(const wi_hierarchy *h);

/* The same for what is listed for pairs within a body, which motion does not change. */
const char *wi_hierarchy_validate_lists(const wi_hierarchy *h);

/* The same for what wi_hierarchy_place says. */
const char *wi_hierarchy_validate_place(const wi_hierarchy *h);

static inline wi_frame wi_hierarchy_frame(const wi_hierarchy *h)
{
    return (wi_frame){h->mesh->is_posed ? &h->mesh->pose : NULL, h->size,
                      wi_mesh_is_computed(h->mesh)};
}

/* How many nodes are above this one; that of the root is 0. */
static inline uint32_t wi_hierarchy_depth(const wi_hierarchy *h, uint32_t node)
{
    uint32_t depth = 0;
    for (; node != 0; node = h->views[node].parent) depth++;
    return depth;
}

/* The leaves below a node are one run (I2): its own, then those of its children. */
static inline uint32_t wi_hierarchy_first_leaf(const wi_hierarchy *h, uint32_t node)
{
    while (h->views[node].leaf_mask == 0) node = h->views[node].child[0];
    return h->views[node].child[__builtin_ctz(h->views[node].leaf_mask)];
}

static inline uint32_t wi_hierarchy_last_leaf(const wi_hierarchy *h, uint32_t node)
{
    const wi_view *view = &h->views[node];
    for (unsigned nodes; (nodes = wi_view_nodes(view)) != 0;)
        view = &h->views[view->child[31 - __builtin_clz(nodes)]];
    return view->child[view->count - 1];
}

/* A lane of a node, and one more than the depth of the node; that of the root is 1. */
typedef struct wi_twig {
    uint32_t node, depth;
    unsigned lane;
} wi_twig;

/* Moves on from a lane, itself included, to the next one that holds a node: in this node or in one
 * above, since nodes are in preorder. False if there is none. */
bool wi_hierarchy_next_twig(const wi_hierarchy *h, wi_twig *twig);

/* True if the boxes of the node are computed already. */
static inline bool wi_is_open(const wi_hierarchy *h, uint32_t node)
{
    return atomic_load_explicit(&h->views[node].stamp, memory_order_acquire) >= h->valid_from;
}

/* The boxes of the children of `node`, now. Cannot fail. */
static inline const wi_view *wi_open(const wi_hierarchy *h, uint32_t node, wi_openings *count)
{
    if (!wi_is_open(h, node)) h->refresh(h, node, count);
    return &h->views[node];
}

/* The places of a leaf's border. Leaves before it have first_vertex vertices and own first_place of
 * them, so the rest is where its border begins. */
static inline const uint32_t *wi_leaf_border(const wi_hierarchy *h, const wi_leaf *leaf)
{
    return h->borders + (leaf->first_vertex - leaf->first_place);
}

/* The place of a leaf's vertex: in its own run, or in its border. */
static inline uint32_t wi_leaf_place(const wi_hierarchy *h, const wi_leaf *leaf, unsigned i)
{
    return i < leaf->owned_count ? leaf->first_place + i
                                 : wi_leaf_border(h, leaf)[i - leaf->owned_count];
}

static inline wi_below wi_leaf_below(const wi_leaf *leaf)
{
    const uint32_t first = leaf->first_vertex - leaf->first_place;
    return (wi_below){leaf->first_place, leaf->first_place + leaf->owned_count, first,
                      first + leaf->vertex_count - leaf->owned_count};
}

/* The places below a patch that it does not own. */
static inline const uint32_t *wi_patch_outline(const wi_hierarchy *h, const wi_patch *patch)
{
    return (patch->is_leaf ? h->borders : h->patches.outlines.items) + patch->below.first_outline;
}

static inline wi_box wi_leaf_box(const wi_hierarchy *h, const wi_leaf *leaf)
{
    wi_box box = wi_box_empty();
    for (unsigned i = 0; i < leaf->vertex_count; i++) {
        float p[3];
        wi_mesh_model_position(h->mesh, h->leaf_vertices[leaf->first_vertex + i], p);
        wi_box_add_point(&box, p);
    }
    return box;
}

#endif
