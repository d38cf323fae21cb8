/* link_account.c - see link_account.h. */
#include "update/auto/link_account.h"

#include "base/check.h"
#include "tree/linked/wear.h"
#include "update/balanced/balanced.h"

/* Bounding a triangle of a linked tree takes longer than of a packed one, by this share of what
 * building it takes (estimated from times of `cutting` with moving vertices). */
static const double LONGER_BOUND = 1.0 / 30.0;

enum { MOST_PATIENCE = 32 };

void wi_link_account_edit(wi_link_account *a, const wi_tree *h)
{
    a->extra = 0.0;
    if (a->patience == 0)
        a->patience = 1;
    else if (!wi_shape_is_linked(h->shape) && a->patience < MOST_PATIENCE)
        a->patience *= 2;
}

/* What questions opened they bounded, and asked: about as much for each triangle as building it. */
void wi_link_account_rest(wi_link_account *a, const wi_tree *h)
{
    const double opened = (double)wi_balanced_opened_tris(h);
    const double worn = wi_wear_of(h) - 1.0;
    WI_ASSERT(wi_shape_is_linked(h->shape));
    if (a->patience == 0) a->patience = 1; /* handed on by a body that fell apart */
    a->extra += LONGER_BOUND * ((double)h->shape->tri_count + opened);
    if (worn > 0.0) a->extra += worn * opened;
}

bool wi_link_account_packs(const wi_link_account *a, const wi_tree *h)
{
    return a->extra >= (double)a->patience * (double)h->shape->tri_count;
}
