/* vertex_fans.h - the triangles around each vertex, in order: what decides neighbours many at a
 * time.
 *
 * Triangles that share a vertex are its fan. Where they follow each other around it, each sharing
 * an edge with the next, one look along a direction may show that no two of them are a pair (C2),
 * instead of a test for each of the fifteen pairs of six. Eight fans with the same number of
 * triangles are a group. Vertices of any other kind are odd: their triangles are tested two by two.
 * Two triangles that share several vertices belong to the fan of the one with the lowest spot.
 * Only bodies that ask for pairs within themselves have fans. */
#ifndef WI_TREE_SELF_VERTEX_FANS_H
#define WI_TREE_SELF_VERTEX_FANS_H

#include <stdbool.h>
#include <stdint.h>
#include "base/check.h"
#include "base/containers/array.h"
#include "base/wide.h"
#include "base/workspace.h"
#include "mesh/mesh.h"

struct wi_tree;

/* Triangles of a fan that is not odd. */
enum { WI_MAX_FAN = 16 };

_Static_assert((int)WI_MAX_FAN <= 32, "sides of a fan are bits of a word");

/* Triangle i of a fan has the centre and the ring's vertices i and i + 1; if closed, the last ends
 * at the first. All are lists of eight lanes in `numbers`, from `first` on: the spots of the
 * centres, those of each step of the ring, and the slots of each triangle. Lanes past `count`
 * repeat the first. */
typedef struct wi_fan_group {
    size_t first;
    uint8_t length; /* triangles */
    uint8_t count;  /* fans */
    bool is_closed;
} wi_fan_group;

typedef struct wi_odd_fan {
    wi_spot centre;
    uint32_t first, last; /* the slots of its triangles, in `odd_slots` */
} wi_odd_fan;

typedef struct wi_vertex_fans {
    WI_ARRAY(wi_fan_group) groups;
    WI_ARRAY(uint32_t) numbers;
    WI_ARRAY(wi_odd_fan) odd;
    WI_ARRAY(uint32_t) odd_slots;
    bool are_made;
} wi_vertex_fans;

/* How many vertices the ring of a fan has. */
static inline unsigned wi_fan_points(const wi_fan_group *group)
{
    return group->length + (group->is_closed ? 0U : 1U);
}

static inline const uint32_t *wi_fan_centres(const wi_vertex_fans *fans, const wi_fan_group *group)
{
    WI_ASSERT(group->first < fans->numbers.count);
    return fans->numbers.items + group->first;
}

static inline const uint32_t *wi_fan_ring(const wi_vertex_fans *fans, const wi_fan_group *group)
{
    WI_ASSERT(group->first < fans->numbers.count);
    return fans->numbers.items + group->first + WI_LANES;
}

static inline const uint32_t *wi_fan_slots(const wi_vertex_fans *fans, const wi_fan_group *group)
{
    WI_ASSERT(group->first < fans->numbers.count);
    return fans->numbers.items + group->first + (size_t)WI_LANES * (1 + wi_fan_points(group));
}

/* Of the triangles in the tree. False if there is no memory. Uses the workspace. */
bool wi_vertex_fans_make(wi_memory *memory, wi_workspace *workspace, struct wi_tree *h);
void wi_vertex_fans_free(wi_memory *memory, wi_vertex_fans *fans);
size_t wi_vertex_fans_bytes(const wi_vertex_fans *fans);

/* NULL, or the words for the invariant that is broken (I13). */
const char *wi_vertex_fans_validate(const struct wi_tree *h);

#endif
