/* gltf_doc.h - a glTF file while it is read: its JSON, its buffers, and words for places in it. */
#ifndef IO_GLTF_DOC_H
#define IO_GLTF_DOC_H

#include <jansson.h>
#include "io/bytes.h"
#include "io/clip_build.h"

/* The arrays at the top of a file: the member, and what one of it is called in messages. */
#define GLTF_KINDS(X)                                                                              \
    X(ACCESSOR, "accessors", "accessor")                                                           \
    X(VIEW, "bufferViews", "buffer view")                                                          \
    X(BUFFER, "buffers", "buffer")                                                                 \
    X(MESH, "meshes", "mesh")                                                                      \
    X(NODE, "nodes", "node")                                                                       \
    X(SKIN, "skins", "skin")                                                                       \
    X(ANIMATION, "animations", "animation")                                                        \
    X(SCENE, "scenes", "scene")                                                                    \
    X(MATERIAL, "materials", "material")

#define GLTF_KIND(name, member, word) GLTF_##name,
typedef enum gltf_kind { GLTF_KINDS(GLTF_KIND) GLTF_KIND_COUNT } gltf_kind;
#undef GLTF_KIND

/* No index. */
#define GLTF_NONE UINT32_MAX

/* An object of the file, and where it is: "mesh 2", or "mesh 2, primitive 0". */
typedef struct gltf_item {
    const json_t *json;
    gltf_kind kind;
    uint32_t index;
    const char *part; /* NULL: the object itself */
    uint32_t part_index;
} gltf_item;

typedef struct gltf_doc {
    clip *clip;
    io_memory *memory;
    const char *path;
    const clip_options *options;
    io_error *error;

    json_t *root;
    uint64_t json_reserved;
    const json_t *arrays[GLTF_KIND_COUNT]; /* NULL: none */
    uint32_t counts[GLTF_KIND_COUNT];
    bool is_quantized; /* KHR_mesh_quantization is used */

    const uint8_t *chunk; /* the binary chunk of a GLB; NULL: none */
    uint64_t chunk_size;
    struct gltf_buffer *buffers; /* of gltf_buffer.c, made when they are needed */
    uint8_t **decoded;           /* by view: what was compressed; NULL: it was not, or not yet */
} gltf_doc;

/* Takes the container apart and reads its JSON. The bytes stay where they are until it is closed,
 * also after a failure. */
bool gltf_doc_open(gltf_doc *d, const uint8_t *bytes, uint64_t size);
void gltf_doc_close(gltf_doc *d);

/* Notes "path: place: reason", and is false. */
bool gltf_refuse(gltf_doc *d, const gltf_item *item, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;
bool gltf_fail_memory(gltf_doc *d);

/* ---- members ---- */

/* Object `index` of a kind, which is below its count; refused if it is none. */
bool gltf_item_get(gltf_doc *d, gltf_kind kind, uint32_t index, gltf_item *out);

/* Element `index` of an array that is a member of an item. */
bool gltf_part_get(gltf_doc *d, const gltf_item *of, const json_t *array, const char *word,
                   uint32_t index, gltf_item *out);

/* The array that is a member; NULL in `out` if there is none, refused if it is something else or
 * empty. */
bool gltf_array(gltf_doc *d, const gltf_item *item, const char *key, const json_t **out);

/* The object that is a member; the same. */
bool gltf_object(gltf_doc *d, const gltf_item *item, const char *key, const json_t **out);

/* A whole number that is a member, at most `max`; *out stays as it is if there is none. */
bool gltf_uint(gltf_doc *d, const gltf_item *item, const char *key, uint64_t max, uint64_t *out);
bool gltf_need_uint(gltf_doc *d, const gltf_item *item, const char *key, uint64_t max,
                    uint64_t *out);

/* The number of an object of that kind; GLTF_NONE if there is no such member. */
bool gltf_index(gltf_doc *d, const gltf_item *item, const char *key, gltf_kind kind, uint32_t *out);
bool gltf_need_index(gltf_doc *d, const gltf_item *item, const char *key, gltf_kind kind,
                     uint32_t *out);

/* The same for an element of an array. */
bool gltf_index_at(gltf_doc *d, const gltf_item *item, const json_t *array, size_t at,
                   gltf_kind kind, uint32_t *out);

bool gltf_bool(gltf_doc *d, const gltf_item *item, const char *key, bool *out);

/* `count` numbers that are finite as float32; *is_there says whether there is such a member. */
bool gltf_numbers(gltf_doc *d, const gltf_item *item, const char *key, uint32_t count, double *out,
                  bool *is_there);

/* The text that is a member; NULL if there is none. */
const char *gltf_text(const gltf_item *item, const char *key);

/* The name of an object without what would break a line, and not endless; or else `word` and its
 * number. In memory of the caller. NULL for want of memory. */
char *gltf_name(gltf_doc *d, const gltf_item *item, const char *word);

/* The object whose name or number this is; refused if there is none. */
bool gltf_find(gltf_doc *d, gltf_kind kind, const char *wanted, uint32_t *out);

/* Tells people that only this one of several is read, and what the others are called. */
bool gltf_note_choice(gltf_doc *d, gltf_kind kind, uint32_t chosen);

/* ---- bytes ---- */

typedef struct gltf_view {
    const uint8_t *data;
    uint64_t size;
    uint64_t offset; /* where it begins in its buffer: what alignment is about */
    uint32_t stride; /* 0: it says none */
} gltf_view;

bool gltf_view_get(gltf_doc *d, uint32_t index, gltf_view *out);
void gltf_buffers_free(gltf_doc *d);

/* Bytes of a buffer, for views. */
bool gltf_buffer_range(gltf_doc *d, const gltf_item *view, uint32_t buffer, uint64_t offset,
                       uint64_t size, const uint8_t **out);

/* Fills `out`, which has count * stride bytes, with what `item`, an extension of a view, holds
 * compressed. */
bool gltf_meshopt_decode(gltf_doc *d, const gltf_item *item, const uint8_t *packed, uint64_t size,
                         uint64_t count, uint64_t stride, uint8_t *out);

/* ---- numbers ---- */

typedef enum gltf_component {
    GLTF_I8 = 5120,
    GLTF_U8 = 5121,
    GLTF_I16 = 5122,
    GLTF_U16 = 5123,
    GLTF_U32 = 5125,
    GLTF_F32 = 5126,
} gltf_component;

typedef struct gltf_accessor {
    gltf_item item;
    gltf_component component;
    uint32_t count, width; /* width: numbers of one element */
    bool is_normalized;
    const uint8_t *data; /* NULL: zeros */
    uint64_t stride, offset;
    bool has_stride;
    uint32_t sparse_count; /* elements that are replaced */
    gltf_component sparse_component;
    const uint8_t *sparse_indices, *sparse_values;
} gltf_accessor;

/* Checks an accessor against its views. */
bool gltf_accessor_get(gltf_doc *d, uint32_t index, gltf_accessor *out);

/* All its numbers, count * width of them: floats are finite. Integers become floats by the rule of
 * the file. */
bool gltf_accessor_floats(gltf_doc *d, const gltf_accessor *a, float *out);
bool gltf_accessor_uints(gltf_doc *d, const gltf_accessor *a, uint32_t *out);

#endif
