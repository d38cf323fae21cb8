/* file_kind.h - what kind of file a path leads to. */
#ifndef IO_FILE_KIND_H
#define IO_FILE_KIND_H

#include "io/io_error.h"

/* Kind, what people call it, and the ending of its names. */
#define FILE_KINDS(X)                                                                              \
    X(GLTF, "glTF", "gltf")                                                                        \
    X(GLB, "glTF", "glb")                                                                          \
    X(OBJ, "OBJ", "obj")                                                                           \
    X(PLY, "PLY", "ply")                                                                           \
    X(STL, "STL", "stl")                                                                           \
    X(OFF, "OFF", "off")                                                                           \
    X(PC2, "PC2", "pc2")                                                                           \
    X(MDD, "MDD", "mdd")                                                                           \
    X(NPY, "NumPy", "npy")                                                                         \
    X(ALEMBIC, "Alembic", "abc")                                                                   \
    X(USD, "USD", "usd")                                                                           \
    X(USDA, "USD", "usda")                                                                         \
    X(USDC, "USD", "usdc")                                                                         \
    X(USDZ, "USD", "usdz")                                                                         \
    X(BLEND, "Blender", "blend")

typedef enum file_kind {
#define FILE_KIND(name, words, ending) FILE_##name,
    FILE_KINDS(FILE_KIND)
#undef FILE_KIND
        FILE_OTHER, /* one that this table does not have */
    FILE_PACKED,    /* an archive, or one file that is compressed */
    FILE_POINTER,   /* what Git LFS has in place of a file that was not fetched */
    FILE_FOLDER,
} file_kind;

const char *file_kind_name(file_kind kind);

/* By how the file begins, and where that says nothing, by how its name ends. False if there is no
 * such file, it cannot be read or is empty: each with words of its own. */
bool file_kind_find(const char *path, file_kind *out, io_error *error);

/* By the name alone. */
file_kind file_kind_of_name(const char *path);

/* What is behind the last dot of the name, or "" . */
const char *file_ending(const char *path);

/* Whether anything is there, file or folder. */
bool file_is_there(const char *path);

#endif
