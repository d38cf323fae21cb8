/* link_account.h - whether AUTO packs the tree of a body that is not edited any more.
 *
 * A linked tree takes more to bound than a packed one, and has worn where parts of it are not worth
 * being made afresh. What that comes to is added up since the last edit, in the triangles that
 * could have been built instead; when it is as much as packing takes, the tree is packed. So no
 * body pays more than twice for not having known when its last edit was. Each time that a packed
 * tree was edited again, the next one waits for twice as much.
 *
 * All of it follows from counts, so it is the same with any number of threads (C10). */
#ifndef WI_UPDATE_AUTO_LINK_ACCOUNT_H
#define WI_UPDATE_AUTO_LINK_ACCOUNT_H

#include "update/method.h"

typedef struct wi_link_account {
    double extra;      /* work since the last edit, in triangles built */
    uint32_t patience; /* how many times what packing takes it has to be; 0: not linked yet */
} wi_link_account;

/* The body is edited; its tree may be linked or is about to be. */
void wi_link_account_edit(wi_link_account *a, const wi_tree *h);

/* An update without an edit, of a linked tree, before it bounds anything: what this update and the
 * questions since the last one cost beyond a packed tree. */
void wi_link_account_rest(wi_link_account *a, const wi_tree *h);

/* That has come to what packing takes. */
bool wi_link_account_packs(const wi_link_account *a, const wi_tree *h);

#endif
