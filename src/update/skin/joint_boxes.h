/* joint_boxes.h - what the tree of a skinned body knows of its joints: for every child of a node,
 * and every joint that moves something below it, the box of these vertices in the frame of the
 * joint, and the least weight that any vertex below has of it.
 *
 * A vertex is between the places to which its joints take it, so the hull of the boxes that are
 * moved by their joints contains it (update/skin/skin_kernel.c), wherever joints are, and no vertex
 * has to be computed until a leaf is reached. Where all vertices below follow a joint for a part of
 * the way, the hull is needed for the rest only: that is what least weights are for.
 *
 * Only what moves below a child is listed, so the list is as long as the part of the skeleton that
 * reaches there: one or two joints in most leaves, all of them at the root.
 *
 * Under a skin that moves a morph boxes of joints are those of the base, and what the targets add
 * is bounded as BLEND does it (update/blend/shape.h), for all joints of a child alike; absolute
 * targets have no base, and all of it is bounded so.
 *
 * Positions of leaves that a query has reached are kept until the body is somewhere else. */
#ifndef WI_UPDATE_SKIN_JOINT_BOXES_H
#define WI_UPDATE_SKIN_JOINT_BOXES_H

#include "base/check.h"
#include "base/containers/array.h"
#include "tree/tree.h"
#include "update/blend/shapes.h"

/* Of one child and one joint. Four floats are read at both ends, so what follows them is a number
 * of no meaning there. */
typedef struct wi_joint_box {
    float lower[3]; /* 0 where there is no base */
    uint32_t joint;
    float upper[3];
    float least; /* no vertex below has a smaller weight of this joint */
} wi_joint_box;

_Static_assert(sizeof(wi_joint_box) == 32, "half a cache line");

/* Of one child: [first, first + count) of the boxes. */
typedef struct wi_joint_list {
    uint32_t first, count;
} wi_joint_list;

typedef struct wi_skin_boxes {
    wi_joint_list *lists; /* by node and lane; NULL: none were made */
    WI_ARRAY(wi_joint_box) boxes;
    wi_blend_shape *shapes; /* of the source, as BLEND has them; that of a base has nothing */
    uint32_t shape_count, node_count;
    uint64_t number; /* of the skin */
    double slack;    /* for the joints of now: see wi_skin_boxes_measure */
    wi_leaf_points kept;
} wi_skin_boxes;

extern const wi_keeper_ops wi_skin_keeper;

/* Of a tree whose boxes are those of joints now. */
static inline wi_skin_boxes *wi_skin_boxes_of(const wi_tree *h)
{
    WI_ASSERT(h->boxes.acting.ops == &wi_skin_keeper && h->boxes.acting.state);
    return h->boxes.acting.state;
}

static inline const wi_joint_list *wi_joint_list_at(const wi_skin_boxes *boxes, uint32_t node,
                                                    unsigned lane)
{
    WI_ASSERT(node < boxes->node_count && lane < WI_LANES);
    return &boxes->lists[(size_t)node * WI_LANES + lane];
}

/* For a tree that is there, of a mesh that is skinned, in place of what there was. False if there
 * is no memory: there is then none. */
bool wi_skin_boxes_make(wi_memory *memory, wi_tree *h, wi_skin_boxes *boxes);
void wi_skin_boxes_free(wi_memory *memory, wi_tree *h, wi_skin_boxes *boxes);
size_t wi_skin_boxes_bytes(const wi_skin_boxes *boxes);

/* After joints or weights have changed. */
void wi_skin_boxes_measure(const wi_tree *h, wi_skin_boxes *boxes);

/* NULL, or the words for what is broken. */
const char *wi_skin_boxes_validate(const wi_tree *h, const wi_skin_boxes *boxes);

#endif
