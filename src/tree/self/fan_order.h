/* fan_order.h - the triangles around one vertex while they are put in order (vertex_fans.h). */
#ifndef WI_TREE_SELF_FAN_ORDER_H
#define WI_TREE_SELF_FAN_ORDER_H

#include "tree/self/vertex_fans.h"

/* Vertices by number. */
typedef struct wi_fan {
    uint32_t centre;
    unsigned length;
    bool is_closed;
    uint32_t ring[WI_MAX_FAN + 1];
    uint32_t slots[WI_MAX_FAN];
} wi_fan;

/* Of the triangles in these slots, which have the vertex. False if they are odd: too many, or not
 * one fan or one full turn. */
bool wi_fan_order(const wi_mesh *mesh, uint32_t vertex, const uint32_t *slots, uint32_t count,
                  wi_fan *out);

/* Into the lane of a group that `at` is the first number of. */
void wi_fan_write(const wi_mesh *mesh, uint32_t *at, const wi_fan_group *group, const wi_fan *fan);

#endif
