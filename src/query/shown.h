/* shown.h - what a body shows to queries, beside where it is in the world.
 *
 * Most bodies have a tree of their own, under their pose. Others share one, or are kept in one
 * block (tree/small): who looks at them puts a tree together first, in a room of its own. What does
 * not depend on their pose is read where it is. */
#ifndef WI_QUERY_SHOWN_H
#define WI_QUERY_SHOWN_H

#include "tree/small/instance.h"

typedef enum wi_shown_kind {
    WI_SHOWN_OWN,  /* a tree that is seen under the pose of the body */
    WI_SHOWN_LENT, /* that of another body, which has no groups of its own, and no labels */
    WI_SHOWN_SMALL
} wi_shown_kind;

typedef struct wi_shown {
    union {
        const wi_tree *tree; /* its own, or the one that is lent */
        wi_small *small;
    };
    uint64_t placement; /* of a tree that is put together; 0: it was never placed */
    uint64_t user_data;
    uint64_t category_bits, mask_bits; /* which bodies want each other */
    willow_body_id id;
    willow_pose pose; /* as the user gave it */
    float thickness;  /* of the layer around it, for contacts */
    uint8_t kind;     /* a wi_shown_kind */
    bool self;        /* pairs within it are wanted, too */
} wi_shown;

/* The tree of a body that was placed, put together in the room if it has none. */
static inline const wi_tree *wi_shown_tree(const wi_shown *shown, wi_instance *room)
{
    if (shown->kind == WI_SHOWN_OWN) return shown->tree;
    WI_ASSERT(shown->placement >= WI_FIRST_REVISION);
    return shown->kind == WI_SHOWN_LENT
               ? wi_instance_of_tree(room, shown->tree, &shown->pose, shown->placement)
               : wi_instance_of_small(room, shown->small, &shown->pose, shown->placement);
}

/* The bounds of its tree, without the pose. */
static inline const wi_box *wi_shown_bounds(const wi_shown *shown)
{
    return shown->kind == WI_SHOWN_SMALL ? &shown->small->bounds : &shown->tree->boxes.bounds;
}

/* Two triangles are at the same crack: bodies without a tree of their own have no labels. */
static inline bool wi_shown_share_crack(const wi_shown *a, uint32_t slot_a, const wi_shown *b,
                                        uint32_t slot_b)
{
    return a->kind == WI_SHOWN_OWN && b->kind == WI_SHOWN_OWN &&
           wi_mesh_share_crack(a->tree->mesh, slot_a, b->tree->mesh, slot_b);
}

/* The state of a body that no other body, or state of it, has the number of. */
static inline uint64_t wi_shown_placement(const wi_shown *shown)
{
    return shown->kind == WI_SHOWN_OWN ? shown->tree->boxes.placement : shown->placement;
}

/* How often its group masks have changed. */
static inline uint32_t wi_shown_mask_changes(const wi_shown *shown)
{
    return shown->kind == WI_SHOWN_OWN ? shown->tree->mesh->masks.changes : 0;
}

#endif
