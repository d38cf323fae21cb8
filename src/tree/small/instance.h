/* instance.h - a mesh and a tree put together for the time of a question.
 *
 * Bodies that share a geometry, and those that are kept in one block (tree/small/small.h), have a
 * pose and no mesh or tree of their own to be seen under it. Who looks at one fills an instance,
 * which takes less time than the first node that is opened. Nothing in it is to be freed. What
 * questions keep of a body they keep by its placement, which is that of the instance, too; owners
 * of vertices and edges stay with whoever lends the mesh. */
#ifndef WI_TREE_SMALL_INSTANCE_H
#define WI_TREE_SMALL_INSTANCE_H

#include "tree/small/small.h"

typedef struct wi_instance {
    wi_node node; /* of a small one, with its leaf and shape */
    wi_pose placed;
    wi_mesh mesh;
    wi_tree tree;
    wi_shape shape;
    wi_leaf leaf;
} wi_instance;

/* The tree of another body, under this pose. */
const wi_tree *wi_instance_of_tree(wi_instance *instance, const wi_tree *lender,
                                   const willow_pose *pose, uint64_t placement);

/* That of a small one. The second is without a pose, as it is before the first update, too. */
const wi_tree *wi_instance_of_small(wi_instance *instance, const wi_small *small,
                                    const willow_pose *pose, uint64_t placement);
const wi_mesh *wi_instance_mesh(wi_instance *instance, const wi_small *small);

/* Where one with these bounds is under a pose: what the broad phase sees. */
wi_box wi_instance_bounds(const wi_box *bounds, const willow_pose *pose);

/* A mesh and a tree of their own, which are true for the same revision. False if there is no
 * memory; both are then empty. */
bool wi_small_unpack(wi_memory *memory, const wi_small *small, wi_mesh *mesh, wi_tree *tree);

#endif
