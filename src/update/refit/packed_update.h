/* packed_update.h - BOTTOM_UP on narrow trees: boxes are refitted side by side, and nodes are
 * filled from them where a query looks. */
#ifndef WI_UPDATE_REFIT_PACKED_UPDATE_H
#define WI_UPDATE_REFIT_PACKED_UPDATE_H

#include "update/method.h"
#include "update/refit/packed_boxes.h"

typedef struct wi_packed_boxes_kernels {
    /* Bounds the nodes of a subtree, children first, from the stored positions. */
    void (*sweep)(const wi_tree *h, const wi_packed_boxes *packed,
                  const wi_packed_boxes_part *part);
    /* Bounds all nodes in another list of boxes, by where vertices are: 3 or 4 floats for each
     * place, and one to spare behind the last. */
    void (*sweep_at)(const wi_tree *h, const wi_packed_boxes *packed, const float *at,
                     size_t stride, wi_padded_box *boxes);
    /* Notes in all nodes of a fresh tree how far their children are spread:
     * update/auto/tree_quality.h. */
    void (*note_spreads)(wi_tree *h, const wi_packed_boxes *packed);
    /* Bounds one node by its children. */
    void (*bound_node)(const wi_tree *h, const wi_packed_boxes *packed, uint32_t node);
    /* Fills the boxes of a node that is open already. */
    void (*fill_node)(const wi_tree *h, const wi_packed_boxes *packed, uint32_t node);
    wi_refresh *refresh;
    /* Stores the positions of places [first, last); false if one is not finite. */
    bool (*stage)(const wi_tree *h, const wi_packed_boxes *packed, uint32_t first, uint32_t last,
                  wi_source source, wi_point *stored);
} wi_packed_boxes_kernels;

const wi_packed_boxes_kernels *wi_packed_boxes_kernels_for(willow_kernel kernel);

/* Whether trees of this kind over this mesh are kept so. */
bool wi_packed_boxes_suits(const willow_tree_def *def, const wi_mesh *mesh);

/* Makes and bounds all that is kept of a tree that was built now, in u->packed, and notes its
 * spreads. Nodes are filled when they are opened. */
willow_result wi_packed_boxes_begin(wi_update *u);

willow_result wi_packed_boxes_update(wi_update *u);

/* Stages new positions; they are bounded in the update. */
bool wi_packed_boxes_take(willow_kernel kernel, const willow_tasks *tasks, wi_tree *h,
                          wi_mesh *mesh, wi_source source);

#endif
