/* wear.h - how much worse a linked tree has become since it, or a part of it, was fresh.
 *
 * The work of a node is how many boxes below it are met by what meets its own, about: by the
 * surfaces of its children's boxes against that of all of them, and the work of these. A fresh node
 * notes it. Where its own work has grown, as it would be with children that are as good as they
 * once were, what is below it is due to be made afresh (renew.h).
 *
 * Boxes that are not computed are not looked at: a node that nobody opened costs nobody anything.
 */
#ifndef WI_TREE_LINKED_WEAR_H
#define WI_TREE_LINKED_WEAR_H

#include "tree/linked/links.h"

/* The highest level whose nodes are renewed: above it boxes of a body that folds overlap in a fresh
 * tree, too. And how many are renewed at a time. */
enum { WI_MOST_WORN_LEVEL = 2, WI_MOST_WORN = 64 };

typedef struct wi_worn {
    uint32_t nodes[WI_MOST_WORN]; /* none of them below another */
    uint32_t count, tris;         /* below them */
} wi_worn;

/* Finds the work of a node by boxes that are true, its children's being known; a fresh one notes
 * it. */
void wi_wear_note(wi_tree *h, uint32_t node);

/* The same for all nodes that are open, children first. */
void wi_wear_note_open(wi_tree *h);

/* A node was made of another one, and is as fresh. */
void wi_wear_inherit(wi_tree *h, uint32_t node, const wi_tree *from, uint32_t old);

/* Its work is that of a fresh one from the next note on. */
void wi_wear_forget(wi_tree *h, uint32_t node);

/* How many times as much work the whole tree is as when it was fresh, as far as that is known. */
double wi_wear_of(const wi_tree *h);

/* The nodes of a list that are open and have become worse than the tree's def says, but for those
 * below others; NULL: all nodes, of which there are so many numbers. */
void wi_wear_find(const wi_tree *h, const uint32_t *nodes, uint32_t count, wi_worn *out);

/* So much of a high tree that all of it should be made afresh: what is above is of no use either.
 */
bool wi_wear_is_all(const wi_tree *h, const wi_worn *worn);

/* NULL, or the words for the invariant that is broken. */
const char *wi_wear_validate(const wi_tree *h, uint32_t node);

#endif
