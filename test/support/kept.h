/* kept.h - what the keeper of a tree knows, for tests that look inside: of a tree that is kept in
 * another way, nothing. */
#ifndef TEST_SUPPORT_KEPT_H
#define TEST_SUPPORT_KEPT_H

#include <string.h>
#include "tree/self/self_lists.h"
#include "update/auto/auto.h"
#include "update/kinetic/kinetic.h"
#include "update/lazy/patches.h"

/* The leaves of a cluster, then those around it. */
#define KEPT_LEAVES(h, rim) ((h)->shape->self->loops.around.items + (rim)->first_around)

/* AUTO keeps patches while others act. */
static inline wi_patches *kept_patches(const wi_tree *h)
{
    static wi_patches none;
    const wi_keeper *keeper = &h->keeper;
    if (keeper->ops && strcmp(keeper->ops->name, "auto") == 0 && keeper->state)
        keeper = &((const wi_auto *)keeper->state)->lazy;
    return keeper->ops == &wi_lazy_keeper && keeper->state ? keeper->state : &none;
}

/* What AUTO stands for, as far as it has learnt; AUTO: nothing. */
static inline willow_method kept_mode(const wi_tree *h)
{
    const wi_keeper *keeper = &h->keeper;
    const bool is_auto = keeper->ops && strcmp(keeper->ops->name, "auto") == 0 && keeper->state;
    return is_auto ? ((const wi_auto *)keeper->state)->mode : WILLOW_METHOD_AUTO;
}

/* Patches of a tree that nobody has kept yet. */
static inline bool make_patches(wi_memory *memory, wi_workspace *workspace, wi_tree *h,
                                uint32_t level)
{
    wi_tree_keep_by(memory, h, &wi_lazy_keeper);
    wi_patches *patches = wi_keeper_reserve(memory, &h->keeper, sizeof *patches);
    wi_tree_act(h, &(wi_keeper){0}, NULL);
    if (patches == NULL || !wi_patches_make(memory, workspace, h, level, patches)) return false;
    h->boxes.acting = h->keeper;
    return true;
}

static inline wi_packed_boxes *kept_packed(const wi_tree *h)
{
    static wi_packed_boxes none;
    if (h->boxes.acting.ops == &wi_packed_keeper) return h->boxes.acting.state;
    return h->boxes.acting.ops == &wi_kinetic_keeper ? &wi_kinetic_of(h)->packed : &none;
}

/* All that a tree has from its allocator. */
static inline size_t kept_tree_bytes(const wi_tree *h)
{
    return wi_tree_bytes(h) + (h->shape->users > 0 ? sizeof *h->shape : 0) +
           (h->shape->self ? sizeof *h->shape->self : 0) +
           (h->keeper.state ? sizeof(wi_patches) : 0); /* of these tests */
}

/* Lists for pairs within a body. */
static inline wi_self_lists *kept_self(const wi_tree *h)
{
    static wi_self_lists none;
    return h->shape->self ? h->shape->self : &none;
}

static inline bool make_shared(wi_memory *memory, wi_workspace *workspace, wi_tree *h)
{
    return wi_self_lists_reserve(memory, h) && wi_shared_vertices_make(memory, workspace, h);
}

static inline bool make_vertex_fans(wi_memory *memory, wi_workspace *workspace, wi_tree *h)
{
    return wi_self_lists_reserve(memory, h) && wi_vertex_fans_make(memory, workspace, h);
}

static inline wi_moved_vertices *kept_moved(const wi_tree *h)
{
    static wi_moved_vertices none;
    return h->moved ? h->moved : &none;
}

static inline wi_kinetic *kept_kinetic(const wi_tree *h)
{
    static wi_kinetic none;
    return h->boxes.acting.ops == &wi_kinetic_keeper ? h->boxes.acting.state : &none;
}

#endif
