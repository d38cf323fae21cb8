/* brute.c - BRUTE: no tree. An update only bounds the body, for the broad phase. */
#include "update/method.h"

static willow_result brute_update(wi_update *u)
{
    wi_keeper_free(u->memory, u->h, &u->h->keeper);
    wi_tree_destroy(u->memory, u->h);
    u->h->def = *u->def;
    u->h->boxes.bounds = wi_mesh_bounds(u->mesh);
    u->h->boxes.revision = u->revision;
    return WILLOW_OK;
}

extern const wi_method_ops wi_brute_ops;
const wi_method_ops wi_brute_ops = {.update = brute_update};
