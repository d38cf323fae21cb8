/* parallel_pass.h - one look at all positions of a body, shared out among workers.
 *
 * The parts of a tree, nodes or patches, are in the order of places, so a run of them reads and
 * writes a run of memory and tasks touch nothing of each other's. */
#ifndef WI_UPDATE_PARALLEL_PASS_H
#define WI_UPDATE_PARALLEL_PASS_H

#include "tree/tree.h"

typedef struct wi_parallel_pass {
    wi_tree *h;
    const void *kernels; /* of whoever runs it */
    wi_source source;    /* positions NULL: from those in place */
    wi_point *stored;    /* where they go, or NULL */
    wi_mesh *planned;    /* not NULL: its plan is stored on the way */
    wi_mesh_fill *fill;  /* for it */

    /* Looks at parts [first, last); false if a number is not finite. */
    bool (*run)(const struct wi_parallel_pass *pass, uint32_t first, uint32_t last);
} wi_parallel_pass;

/* Over all `part_count` parts, with tasks for `work` units of which `work_per_task` are about a
 * microsecond's. False if a number is not finite. */
bool wi_parallel_pass_run(const wi_parallel_pass *pass, const willow_tasks *tasks,
                          uint32_t part_count, uint32_t work, uint32_t work_per_task);

#endif
