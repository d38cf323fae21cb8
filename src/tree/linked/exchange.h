/* exchange.h - siblings exchange children where that makes their boxes smaller. */
#ifndef WI_TREE_LINKED_EXCHANGE_H
#define WI_TREE_LINKED_EXCHANGE_H

#include "tree/linked/tree_edit.h"

/* Of the children of a node above nodes, those that have changed: each shares what it has and what
 * the one beside it has that it overlaps most with that one anew, where the surface is least,
 * unless that takes little off it. Their boxes are true, or hints; all that takes part is marked.
 * Numbers stay: what changes is who has whom. Returns how many pairs did. */
unsigned wi_exchange_children(wi_tree *h, const wi_tree_changes *c, uint32_t node);

#endif
