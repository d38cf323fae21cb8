/* gltf_node.h - programs in Node that judge glTF files: three.js and gltf-validator, from npm.
 *
 * They are in test/gltf; npm installs what package-lock.json there names into the build folder, the
 * first time they are needed. */
#ifndef TEST_GLTF_NODE_H
#define TEST_GLTF_NODE_H

#include <stdbool.h>
#include <stddef.h>

/* Whether they can be run; says what is missing where not. */
bool gltf_node_is_possible(void);

/* Runs a script with these arguments, and fails the test if that fails. */
void gltf_node_run(const char *script, const char *const *arguments, size_t count);

#endif
