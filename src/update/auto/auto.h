/* auto.h - what AUTO has learnt about a body, and the keepers that it delegates to. */
#ifndef WI_UPDATE_AUTO_AUTO_H
#define WI_UPDATE_AUTO_AUTO_H

#include "update/auto/blend_account.h"
#include "update/auto/link_account.h"
#include "update/auto/plan_account.h"

typedef struct wi_auto {
    willow_method mode;         /* what it stands for now; AUTO: nothing yet */
    bool is_telling;            /* nodes that are open now were opened by somebody */
    uint32_t calm, calm_needed; /* looks in a row that found nothing opened */
    uint32_t
        new_paths; /* that vertices got since the last update; UINT32_MAX if it was all at once */
    wi_link_account link_account;
    wi_plan_account plan_account;
    wi_blend_account blend_account;

    /* One of these acts, or none where all boxes are refitted. The others are kept where they may
     * soon be wanted again, and took longer to make than a refit. */
    wi_keeper lazy, kinetic, blend;
} wi_auto;

/* The method that AUTO stands for in this tree; it begins with HYBRID. */
willow_method wi_auto_mode(const wi_tree *h);

#endif
