/* gltf_cases.h - small glTF files, good and bad ones: one that has everything, and changes of it.
 *
 * Readers are held against them, gltf-validator and three.js are (test/real/gltf_test.c), and
 * fuzzers begin with them. */
#ifndef TEST_GLTF_CASES_H
#define TEST_GLTF_CASES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A change: a member or element by its path, such as "accessors/0/count", and its JSON; "-" takes
 * it away, and "+" as the last word of a path adds to an array. "bin/3/0" is number 0 of the floats
 * of view 3. */
typedef struct gltf_edit {
    const char *path, *value;
} gltf_edit;

typedef struct gltf_case {
    const char *name;
    gltf_edit edits[6];
    const char *refused;   /* words of the message; NULL: it is read */
    const char *validator; /* the code of the only kind of error that gltf-validator may find in
                              what is read, or must not find in what is refused; NULL: they agree */
} gltf_case;

extern const gltf_case gltf_cases[];
extern const size_t gltf_case_count;

typedef struct gltf_bytes {
    uint8_t *data;
    size_t size;
} gltf_bytes;

/* A GLB of the file with everything after these changes, up to the first without a path. The caller
 * frees the bytes. */
gltf_bytes gltf_case_make(const gltf_edit *edits, size_t count);

/* Its two halves, and how they are put together; the caller frees them. */
json_t *gltf_case_make_json(const gltf_edit *edits, size_t count, gltf_bytes *bin);
gltf_bytes gltf_case_make_glb(const json_t *root, const gltf_bytes *bin);

/* The same as JSON with a data URI or, if `uri` is given, with that and its bytes apart in `bin`.
 */
gltf_bytes gltf_case_make_text(const char *uri, gltf_bytes *bin);

/* The file with everything, but a view of it is compressed: `packed` holds so many elements of so
 * many bytes, by the mode and filter of an extension of that name. */
typedef struct gltf_packing {
    const char *extension, *mode, *filter;
    int view, count, stride;
} gltf_packing;
gltf_bytes gltf_case_make_packed(const gltf_packing *how, const gltf_bytes *packed);

/* Where a view of the file with everything begins in its binary chunk. */
size_t gltf_case_view(int view);

#endif
