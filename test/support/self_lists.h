/* self_lists.h - what the lists for pairs within a body must be, by loops over all triangles.
 *
 * Nothing of src/tree/self/shared_vertices.c, stars.c and rims.c is used: what shares a vertex,
 * follows around one or lies on a boundary is told by vertex numbers alone. */
#ifndef TEST_SELF_LISTS_H
#define TEST_SELF_LISTS_H

#include "support/tree_site.h"

/* What was found, so that no check is empty. */
typedef struct self_tally {
    size_t trees, unlisted;                     /* of trees: with so many meetings that none is */
    size_t within, across, strangers;           /* pairs of triangles */
    size_t by_hub;                              /* of those across, that share one */
    size_t open_stars, closed_stars, odd_stars; /* vertices */
    size_t leaf_rims, node_rims, rim_edges, twisted_rims;     /* twisted: pass a vertex twice */
    size_t at_border, crowded, parted, no_boundary, too_long; /* why there is no rim */
} self_tally;

/* Each fails the test if a list lacks something, has too much or has it twice. Trees without lists
 * of kin are counted and have no others. */
void self_check_kin(const wi_tree *h, self_tally *tally);
void self_check_stars(const wi_tree *h, self_tally *tally);
void self_check_rims(const wi_tree *h, self_tally *tally);

/* Makes all three lists, as updates do. */
void self_lists_make(tree_site *s);

/* Calls `visit` with trees over meshes of every kind of zoo_mesh.h and odd_mesh.h, builders, leaf
 * sizes and arities by turns, some of them borrowing; none has lists yet. */
typedef void self_visit(tree_site *s, const char *words, void *context);
void self_trees_visit(self_visit *visit, void *context);

/* Fails the test unless validation says this. */
void self_expect_broken(const wi_tree *h, const char *words);

#endif
