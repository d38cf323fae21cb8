/* ask_occupancy.h - asks a user's backend which children of a cell the surface touches, and holds
 * what it says against the exact test, which decides (willow/occupancy.h). */
#ifndef WI_TREE_CELLS_ASK_OCCUPANCY_H
#define WI_TREE_CELLS_ASK_OCCUPANCY_H

#include "tree/cells/cell_touch.h"
#include "willow/occupancy.h"

/* What a backend has said of the children of a cell, a bit each in the order of wi_cell_touch. */
typedef struct wi_occupancy_answer {
    bool is_asked;
    bool is_refused; /* it could not look */
    uint8_t seen;
} wi_occupancy_answer;

/* The cell has `count` triangles, whose slots these are. There is a backend. */
wi_occupancy_answer wi_occupancy_ask(const willow_occupancy *backend, const wi_cell_touch *touch,
                                     const wi_mesh *mesh, const uint32_t *slots, uint32_t count);

/* How right it was; `touched` has a bit for each child that a triangle touches. */
willow_occupancy_stats wi_occupancy_compare(const wi_occupancy_answer *answer, unsigned touched,
                                            unsigned cell_count);

#endif
