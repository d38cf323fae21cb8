/* leaf_incidence.h - which leaves have each place (incidence lists), one list behind the other.
 *
 * A vertex is owned by one leaf and may be on the borders of others. The leaves of a place p are
 * leaves[first[p]] to leaves[first[p + 1] - 1], in order. */
#ifndef WI_TREE_LEAF_INCIDENCE_H
#define WI_TREE_LEAF_INCIDENCE_H

#include <stdint.h>

struct wi_tree;

/* The leaves that have a place on their border. `first` has room for place_count + 1, `leaves` for
 * h->border_count; all places are below `place_count`. */
void wi_leaves_by_border(const struct wi_tree *h, uint32_t place_count, uint32_t *first,
                         uint32_t *leaves);

/* The same with the leaf that owns it: `leaves` has room for h->leaf_vertex_count. */
void wi_leaves_by_place(const struct wi_tree *h, uint32_t place_count, uint32_t *first,
                        uint32_t *leaves);

#endif
