/* gltf_buffer.c - bytes of buffers: in the binary chunk, in texts (base64), in files beside it.
 * Way in: gltf_view_get. A buffer is read when the first view of it is needed. */
#include "io/gltf_doc.h"

#include <ctype.h>

typedef struct gltf_buffer {
    const uint8_t *data; /* NULL: not read yet */
    uint64_t size;
    io_bytes own; /* what it is in, unless that is the chunk */
} gltf_buffer;

/* ---- base64 ---- */

static int base64_value(unsigned char c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Bytes of four characters, or fewer at the end; false if they are none. */
static bool decode_four(const char *text, int count, uint8_t *out)
{
    uint32_t bits = 0;
    for (int i = 0; i < 4; i++) {
        const int value = i < count ? base64_value((unsigned char)text[i]) : 0;
        if (value < 0) return false;
        bits = bits << 6 | (uint32_t)value;
    }
    for (int i = 0; i < count - 1; i++) out[i] = (uint8_t)(bits >> (16 - 8 * i));
    return true;
}

static bool decode_base64(gltf_doc *d, const gltf_item *item, const char *text, io_bytes *out)
{
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '=') length--;
    if (length % 4 == 1) return gltf_refuse(d, item, "its base64 text is cut off");
    out->data = io_alloc(d->memory, length / 4 * 3 + 3, 1);
    if (out->data == NULL) return gltf_fail_memory(d);
    for (size_t i = 0; i < length; i += 4) {
        const int count = length - i < 4 ? (int)(length - i) : 4;
        if (!decode_four(text + i, count, out->data + out->size))
            return gltf_refuse(d, item, "its base64 text has a wrong character near %zu", i);
        out->size += (uint64_t)count - 1;
    }
    return true;
}

/* ---- files ---- */

static int hex_value(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    c = (char)tolower((unsigned char)c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Writes the text with its %41s as characters; false if one of them is none, or is the end. */
static bool decode_percents(const char *text, char *out)
{
    for (; *text != '\0'; text++, out++) {
        *out = *text;
        if (*text != '%') continue;
        const int high = hex_value(text[1]), low = high < 0 ? -1 : hex_value(text[2]);
        if (low < 0 || high * 16 + low == 0) return false;
        *out = (char)(high * 16 + low);
        text += 2;
    }
    *out = '\0';
    return true;
}

/* A file in this folder or below it: no path from the root, no scheme, and never above here. */
static bool is_below(const char *path)
{
    int depth = 0;
    if (*path == '/' || *path == '\\' || *path == '\0' || strchr(path, ':') != NULL) return false;
    while (*path != '\0') {
        const size_t length = strcspn(path, "/\\");
        if (length == 2 && path[0] == '.' && path[1] == '.')
            depth--;
        else if (length > 0 && !(length == 1 && path[0] == '.'))
            depth++;
        if (depth < 0) return false;
        path += length;
        if (*path != '\0') path++;
    }
    return true;
}

/* The path of a file beside this one. */
static char *join_path(gltf_doc *d, const char *uri)
{
    const char *slash = strrchr(d->path, '/');
    const size_t folder = slash == NULL ? 0 : (size_t)(slash - d->path) + 1;
    char *path = io_alloc(d->memory, folder + strlen(uri) + 1, 1);
    if (path != NULL) memcpy(path, d->path, folder);
    return path;
}

static bool read_file(gltf_doc *d, const gltf_item *item, const char *uri, io_bytes *out)
{
    io_error error;
    char *path = join_path(d, uri);
    if (path == NULL) return gltf_fail_memory(d);
    char *name = path + (strlen(path));
    bool is_read = false;
    if (!decode_percents(uri, name) || !is_below(name))
        (void)gltf_refuse(d, item, "\"%.80s\" is not a file in the folder of this file or below it",
                          uri);
    else if (!io_bytes_read(d->memory, path, out, &error))
        (void)gltf_refuse(d, item, "%.180s", error.text);
    else
        is_read = true;
    io_free(d->memory, path);
    return is_read;
}

/* ---- buffers ---- */

static bool read_uri(gltf_doc *d, const gltf_item *item, const char *uri, gltf_buffer *b)
{
    const char *comma = strchr(uri, ',');
    bool is_read = false;
    if (strncmp(uri, "data:", 5) != 0)
        is_read = read_file(d, item, uri, &b->own);
    else if (comma != NULL && comma - uri >= 12 && strncmp(comma - 7, ";base64", 7) == 0)
        is_read = decode_base64(d, item, comma + 1, &b->own);
    else
        return gltf_refuse(d, item, "its text is not base64");
    b->data = b->own.data;
    b->size = b->own.size;
    return is_read;
}

static bool read_buffer(gltf_doc *d, const gltf_item *item, gltf_buffer *b)
{
    uint64_t size = 0;
    const char *uri = gltf_text(item, "uri");
    if (!gltf_need_uint(d, item, "byteLength", UINT64_MAX, &size)) return false;
    if (uri != NULL) {
        if (!read_uri(d, item, uri, b)) return false;
    } else if (item->index == 0 && d->chunk != NULL) {
        b->data = d->chunk;
        b->size = d->chunk_size;
    } else
        return gltf_refuse(d, item, "has neither a uri nor a binary chunk");
    if (b->size < size)
        return gltf_refuse(d, item, "has %llu bytes, and byteLength is %llu",
                           (unsigned long long)b->size, (unsigned long long)size);
    b->size = size;
    return true;
}

static bool get_buffer(gltf_doc *d, uint32_t index, gltf_buffer **out)
{
    gltf_item item;
    if (d->buffers == NULL) {
        d->buffers = io_alloc(d->memory, d->counts[GLTF_BUFFER], sizeof *d->buffers);
        if (d->buffers == NULL) return gltf_fail_memory(d);
    }
    *out = &d->buffers[index];
    if ((*out)->data != NULL) return true;
    return gltf_item_get(d, GLTF_BUFFER, index, &item) && read_buffer(d, &item, *out);
}

bool gltf_buffer_range(gltf_doc *d, const gltf_item *view, uint32_t buffer, uint64_t offset,
                       uint64_t size, const uint8_t **out)
{
    gltf_buffer *b = NULL;
    if (!get_buffer(d, buffer, &b)) return false;
    if (offset > b->size || size > b->size - offset)
        return gltf_refuse(d, view, "ends at byte %llu of %llu",
                           (unsigned long long)(offset + size), (unsigned long long)b->size);
    *out = b->data + offset;
    return true;
}

/* ---- views ---- */

/* The extension by which a view is compressed; NULL in `out->json` if it is not. */
static bool find_packing(gltf_doc *d, const gltf_item *view, gltf_item *out)
{
    const json_t *extensions;
    *out = *view;
    if (!gltf_object(d, view, "extensions", &extensions)) return false;
    out->json = json_object_get(extensions, "EXT_meshopt_compression");
    if (out->json == NULL) out->json = json_object_get(extensions, "KHR_meshopt_compression");
    if (out->json == NULL || json_is_object(out->json)) return true;
    return gltf_refuse(d, view, "its compression is not an object");
}

/* Unpacks a view into memory that stays until the file is closed. */
static bool unpack(gltf_doc *d, const gltf_item *item, uint64_t size, uint8_t **out)
{
    uint64_t offset = 0, packed_size = 0, stride = 0, count = 0;
    uint32_t buffer;
    const uint8_t *packed;
    if (!gltf_need_index(d, item, "buffer", GLTF_BUFFER, &buffer) ||
        !gltf_uint(d, item, "byteOffset", UINT64_MAX / 2, &offset) ||
        !gltf_need_uint(d, item, "byteLength", UINT64_MAX / 2, &packed_size) ||
        !gltf_need_uint(d, item, "byteStride", 256, &stride) ||
        !gltf_need_uint(d, item, "count", UINT32_MAX, &count))
        return false;
    if (count * stride != size)
        return gltf_refuse(d, item, "its compressed elements are %llu bytes instead of %llu",
                           (unsigned long long)(count * stride), (unsigned long long)size);
    if (!gltf_buffer_range(d, item, buffer, offset, packed_size, &packed)) return false;
    *out = io_alloc(d->memory, size, 1);
    if (*out == NULL) return gltf_fail_memory(d);
    return gltf_meshopt_decode(d, item, packed, packed_size, count, stride, *out);
}

static bool get_unpacked(gltf_doc *d, const gltf_item *item, gltf_view *out)
{
    if (d->decoded == NULL) {
        d->decoded = io_alloc(d->memory, d->counts[GLTF_VIEW], sizeof *d->decoded);
        if (d->decoded == NULL) return gltf_fail_memory(d);
    }
    uint8_t **decoded = &d->decoded[item->index];
    if (*decoded == NULL && !unpack(d, item, out->size, decoded)) return false;
    out->data = *decoded;
    return true;
}

bool gltf_view_get(gltf_doc *d, uint32_t index, gltf_view *out)
{
    gltf_item item, packing;
    uint32_t buffer;
    uint64_t stride = 0;
    *out = (gltf_view){0};
    if (!gltf_item_get(d, GLTF_VIEW, index, &item) ||
        !gltf_need_index(d, &item, "buffer", GLTF_BUFFER, &buffer) ||
        !gltf_uint(d, &item, "byteOffset", UINT64_MAX / 2, &out->offset) ||
        !gltf_need_uint(d, &item, "byteLength", UINT64_MAX / 2, &out->size) ||
        !gltf_uint(d, &item, "byteStride", 252, &stride) || !find_packing(d, &item, &packing))
        return false;
    if (stride % 4 != 0 || (stride == 0 && json_object_get(item.json, "byteStride") != NULL))
        return gltf_refuse(d, &item, "byteStride is %llu, which is not a positive multiple of 4",
                           (unsigned long long)stride);
    out->stride = (uint32_t)stride;
    if (packing.json != NULL) return get_unpacked(d, &packing, out);
    return gltf_buffer_range(d, &item, buffer, out->offset, out->size, &out->data);
}

void gltf_buffers_free(gltf_doc *d)
{
    for (uint32_t i = 0; d->buffers != NULL && i < d->counts[GLTF_BUFFER]; i++)
        io_bytes_free(d->memory, &d->buffers[i].own);
    for (uint32_t i = 0; d->decoded != NULL && i < d->counts[GLTF_VIEW]; i++)
        io_free(d->memory, d->decoded[i]);
    io_free(d->memory, d->buffers);
    io_free(d->memory, d->decoded);
}
