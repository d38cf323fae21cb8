/* tree_site.h - one mesh, its hierarchy and all that building it takes, without a world around it.
 */
#ifndef TEST_TREE_SITE_H
#define TEST_TREE_SITE_H

#include "support/test_allocator.h"
#include "tree/tree.h"

typedef struct tree_site {
    test_allocator allocator;
    wi_memory memory;
    wi_message message;
    wi_workspace workspace;
    wi_mesh mesh;
    wi_pose pose; /* of the mesh */
    wi_tree h;
} tree_site;

/* With a mesh, or with one of triangles that have three corners of their own each; every third of
 * these is ignored if `groups`. */
void tree_site_open(tree_site *s, const willow_mesh_def *def);
void tree_site_open_tris(tree_site *s, const float (*corners)[3], uint32_t count, bool groups);

/* Fails the test if something is not given back. */
void tree_site_close(tree_site *s);

/* Builds and bounds the tree, as BOTTOM_UP does in an update. */
void tree_site_build(tree_site *s, willow_kernel kernel, const willow_tree_def *def);

/* The leaves have the triangles that collide, each once. */
void tree_site_check_slots(const tree_site *s);

/* Both trees are the same to the last bit. */
void tree_site_check_equal(const tree_site *a, const tree_site *b);

#endif
