/* mesh_script.h - any bytes as a file of meshes or a point cache: they are read or refused, and
 * what was read can be relied on. */
#ifndef TEST_MESH_SCRIPT_H
#define TEST_MESH_SCRIPT_H

#include "io/mesh_file.h"

typedef struct mesh_tally {
    size_t scripts, taken, refused, triangles;
} mesh_tally;

/* Reads the bytes with this reader. NULL, or words for what went wrong. */
const char *mesh_script_run(mesh_reader *reader, const uint8_t *data, size_t size,
                            mesh_tally *tally);

/* The first byte says which kind of cache the others are: PC2, MDD or .npy. It is opened with a
 * mesh of four vertices in a temporary folder, and all samples are read. */
const char *cache_script_run(const uint8_t *data, size_t size, mesh_tally *tally);

#endif
