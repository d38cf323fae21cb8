/* patches.h - what is below the nodes of a tree, so that any of them can be bounded on its own.
 *
 * The vertices that the leaves below a node own are one run of places, since leaves are numbered in
 * the order of nodes (I2, I3). The other vertices below it are owned by earlier leaves: a short
 * list, its outline. A cut through the tree parts it into patches, which an update bounds, and the
 * few nodes above them. What is below a patch is bounded when a query opens it. */
#ifndef WI_UPDATE_LAZY_PATCHES_H
#define WI_UPDATE_LAZY_PATCHES_H

#include <stdbool.h>
#include <stdint.h>
#include "base/check.h"
#include "base/containers/array.h"
#include "base/workspace.h"
#include "tree/tree.h"

typedef struct wi_patch {
    wi_box box; /* over what it owns, and with has_outline over all that is below */
    wi_below below;
    double drift;        /* the sum of how far its vertices may have moved from update to update */
    float moved;         /* how far they may have in the last set of positions */
    uint32_t touched;    /* vertices that the box has grown to contain since it was tight */
    uint32_t parent;     /* the node whose lane shows it; none if the patch is the whole tree */
    uint8_t parent_lane; /* our lane there */
    bool is_leaf;
    bool has_outline;
} wi_patch;

typedef struct wi_patches {
    uint32_t level;      /* patches are the nodes at this depth, and leaves above it */
    wi_below *below;     /* by node */
    uint32_t *last_node; /* by node: the nodes below it are those between */
    WI_ARRAY(uint32_t) outlines;
    uint32_t *vertex_at; /* by place; some more at the end, so that one may look ahead */
    wi_patch *items;     /* in the order of places */
    uint32_t *above;     /* the nodes above all patches, parents first */
    uint32_t *of_node;   /* by node: its patch, or WI_ABOVE */
    uint32_t *of_leaf;   /* by leaf: its patch */
    double *drift_at;    /* by node: its patch's drift when its boxes were computed; with margins */
    uint64_t keep_from;  /* boxes with a stamp from here on have a margin */
    uint32_t node_count, leaf_count, place_count, count, above_count;
    bool is_in_order; /* places are vertices: the user's array is in the order of the tree */
} wi_patches;

#define WI_ABOVE UINT32_MAX

/* How far beyond its end vertex_at may be read. */
enum { WI_VERTEX_AHEAD = 64 };

/* For a tree that was just built: cuts it at `level`, or at half of its height if that is
 * WI_HALF_HEIGHT. False if there is no memory; there are then no patches. */
#define WI_HALF_HEIGHT UINT32_MAX
bool wi_patches_make(wi_memory *memory, wi_workspace *workspace, const wi_tree *h, uint32_t level,
                     wi_patches *patches);

/* Cuts the same tree at another level. False if there is no memory: there are then no patches. */
bool wi_patches_cut(wi_memory *memory, wi_workspace *workspace, const wi_tree *h, uint32_t level,
                    wi_patches *patches);

/* The level that a request stands for in this tree. */
uint32_t wi_patches_level(const wi_tree *h, uint32_t level);

void wi_patches_free(wi_memory *memory, wi_patches *patches);

size_t wi_patches_bytes(const wi_patches *patches);

/* The keeper whose state these are. */
extern const wi_keeper_ops wi_lazy_keeper;

/* Of a tree that is kept by patches now. */
static inline wi_patches *wi_patches_of(const wi_tree *h)
{
    WI_ASSERT(h->boxes.acting.ops == &wi_lazy_keeper && h->boxes.acting.state);
    return h->boxes.acting.state;
}

/* The places below a patch that it does not own. */
static inline const uint32_t *wi_patch_outline(const wi_tree *h, const wi_patches *patches,
                                               const wi_patch *patch)
{
    WI_ASSERT(patch->below.first_outline <= patch->below.last_outline);
    WI_ASSERT(patch->below.last_outline <=
              (patch->is_leaf ? h->shape->border_count : patches->outlines.count));
    return (patch->is_leaf ? h->shape->borders : patches->outlines.items) +
           patch->below.first_outline;
}

/* NULL, or the words for what of I10 is broken; the tree itself is sound. Boxes are not looked at.
 */
const char *wi_patches_validate(const wi_tree *h, const wi_patches *patches);

#endif
