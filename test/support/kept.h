/* kept.h - what the keeper of a tree knows, for tests that look inside: of a tree that is kept in
 * another way, nothing. */
#ifndef TEST_SUPPORT_KEPT_H
#define TEST_SUPPORT_KEPT_H

#include "update/auto/auto.h"
#include "update/kinetic/kinetic.h"
#include "update/lazy/patches.h"

/* AUTO keeps patches while others act. */
static inline wi_patches *kept_patches(const wi_tree *h)
{
    static wi_patches none;
    const wi_keeper *keeper = &h->keeper;
    if (keeper->ops && strcmp(keeper->ops->name, "auto") == 0 && keeper->state)
        keeper = &((const wi_auto *)keeper->state)->lazy;
    return keeper->ops == &wi_lazy_keeper && keeper->state ? keeper->state : &none;
}

static inline wi_packed_boxes *kept_packed(const wi_tree *h)
{
    static wi_packed_boxes none;
    if (h->acting.ops == &wi_packed_keeper) return h->acting.state;
    return h->acting.ops == &wi_kinetic_keeper ? &wi_kinetic_of(h)->packed : &none;
}

static inline wi_moved_vertices *kept_moved(const wi_tree *h)
{
    static wi_moved_vertices none;
    return h->moved ? h->moved : &none;
}

static inline wi_kinetic *kept_kinetic(const wi_tree *h)
{
    static wi_kinetic none;
    return h->acting.ops == &wi_kinetic_keeper ? h->acting.state : &none;
}

#endif
