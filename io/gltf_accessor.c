/* gltf_accessor.c - arrays of numbers: any component, stride and sparse replacement.
 * Way in: gltf_accessor_get checks all that decides where bytes are; what reads them cannot fail
 * but for the numbers themselves. */
#include "io/gltf_doc.h"

#include <assert.h>
#include <math.h>

static uint32_t component_size(gltf_component component)
{
    if (component == GLTF_I8 || component == GLTF_U8) return 1;
    if (component == GLTF_I16 || component == GLTF_U16) return 2;
    return 4;
}

static bool is_component(uint64_t number)
{
    return number >= GLTF_I8 && number <= GLTF_F32 && number != 5124;
}

/* Numbers of one element; 0 for what nothing here is made of. */
static uint32_t width_of(const char *type)
{
    static const char *const types[] = {"SCALAR", "VEC2", "VEC3", "VEC4", "MAT4"};
    static const uint32_t widths[] = {1, 2, 3, 4, 16};
    for (size_t i = 0; type != NULL && i < sizeof types / sizeof types[0]; i++)
        if (strcmp(type, types[i]) == 0) return widths[i];
    return 0;
}

static bool get_shape(gltf_doc *d, gltf_accessor *a)
{
    uint64_t component = 0, count = 0;
    const char *type = gltf_text(&a->item, "type");
    if (!gltf_need_uint(d, &a->item, "componentType", UINT32_MAX, &component) ||
        !gltf_need_uint(d, &a->item, "count", UINT32_MAX - 1, &count) ||
        !gltf_bool(d, &a->item, "normalized", &a->is_normalized))
        return false;
    if (!is_component(component))
        return gltf_refuse(d, &a->item, "componentType %llu is not known",
                           (unsigned long long)component);
    a->component = (gltf_component)component;
    a->width = width_of(type);
    a->count = (uint32_t)count;
    if (a->width == 0) return gltf_refuse(d, &a->item, "has no type that can be used here");
    if (count == 0) return gltf_refuse(d, &a->item, "count is 0");
    if (a->is_normalized && (a->component == GLTF_F32 || a->component == GLTF_U32))
        return gltf_refuse(d, &a->item, "is normalized, and has no small integers");
    if (a->width == 16 && a->component != GLTF_F32)
        return gltf_refuse(d, &a->item, "has matrices of integers");
    return true;
}

/* Whether `count` elements from `offset` on, so far from each other, are within the view. */
static bool check_range(gltf_doc *d, const gltf_item *item, const gltf_view *view, uint64_t offset,
                        uint64_t count, uint64_t stride, uint64_t size, uint32_t alignment)
{
    if (offset % alignment != 0 || (view->offset + offset) % alignment != 0)
        return gltf_refuse(d, item, "begins at byte %llu, which is not a multiple of %u",
                           (unsigned long long)(view->offset + offset), alignment);
    const uint64_t needed = (count - 1) * stride + size;
    if (offset > view->size || needed > view->size - offset)
        return gltf_refuse(d, item, "ends at byte %llu of a view of %llu",
                           (unsigned long long)(offset + needed), (unsigned long long)view->size);
    return true;
}

static bool get_data(gltf_doc *d, gltf_accessor *a)
{
    gltf_view view;
    uint32_t index;
    uint64_t offset = 0;
    const uint64_t size = (uint64_t)a->width * component_size(a->component);
    a->stride = size;
    if (!gltf_index(d, &a->item, "bufferView", GLTF_VIEW, &index) ||
        !gltf_uint(d, &a->item, "byteOffset", UINT64_MAX / 4, &offset))
        return false;
    if (index == GLTF_NONE) return true;
    if (!gltf_view_get(d, index, &view)) return false;
    a->has_stride = view.stride != 0;
    if (a->has_stride) a->stride = view.stride;
    if (a->stride < size)
        return gltf_refuse(d, &a->item, "has %llu bytes for one element of %llu",
                           (unsigned long long)a->stride, (unsigned long long)size);
    a->offset = view.offset + offset;
    a->data = view.data + (offset <= view.size ? offset : 0);
    return check_range(d, &a->item, &view, offset, a->count, a->stride, size,
                       component_size(a->component));
}

/* ---- sparse ---- */

/* The view of one half of a sparse accessor, checked. */
static bool get_sparse_half(gltf_doc *d, const gltf_accessor *a, const gltf_item *sparse,
                            const char *key, gltf_component component, uint32_t width,
                            const uint8_t **out)
{
    gltf_view view;
    gltf_item half = *sparse;
    uint32_t index;
    uint64_t offset = 0;
    const uint64_t size = (uint64_t)width * component_size(component);
    if (!gltf_object(d, sparse, key, &half.json)) return false;
    if (half.json == NULL) return gltf_refuse(d, sparse, "sparse.%s is missing", key);
    if (!gltf_need_index(d, &half, "bufferView", GLTF_VIEW, &index) ||
        !gltf_uint(d, &half, "byteOffset", UINT64_MAX / 4, &offset) ||
        !gltf_view_get(d, index, &view))
        return false;
    if (view.stride != 0) return gltf_refuse(d, sparse, "its sparse view has a byteStride");
    if (!check_range(d, sparse, &view, offset, a->sparse_count, size, size,
                     component_size(component)))
        return false;
    *out = view.data + offset;
    return true;
}

static uint32_t read_uint(const uint8_t *at, gltf_component component)
{
    if (component == GLTF_U8) return *at;
    return component == GLTF_U16 ? io_little16(at) : io_little32(at);
}

static uint32_t sparse_index(const gltf_accessor *a, uint32_t i)
{
    assert(i < a->sparse_count);
    return read_uint(a->sparse_indices + (uint64_t)i * component_size(a->sparse_component),
                     a->sparse_component);
}

static bool check_sparse_indices(gltf_doc *d, const gltf_accessor *a)
{
    for (uint32_t i = 0; i < a->sparse_count; i++) {
        const uint32_t index = sparse_index(a, i);
        if (index >= a->count)
            return gltf_refuse(d, &a->item, "replaces element %u of %u", index, a->count);
        if (i > 0 && index <= sparse_index(a, i - 1))
            return gltf_refuse(d, &a->item, "its sparse indices do not increase at %u", i);
    }
    return true;
}

static bool get_sparse(gltf_doc *d, gltf_accessor *a)
{
    uint64_t count = 0, component = 0;
    gltf_item sparse = a->item, indices = a->item;
    if (!gltf_object(d, &a->item, "sparse", &sparse.json)) return false;
    if (sparse.json == NULL) return true;
    if (!gltf_need_uint(d, &sparse, "count", a->count, &count) ||
        !gltf_object(d, &sparse, "indices", &indices.json))
        return false;
    if (count == 0) return gltf_refuse(d, &sparse, "sparse.count is 0");
    if (indices.json == NULL) return gltf_refuse(d, &sparse, "sparse.indices is missing");
    if (!gltf_need_uint(d, &indices, "componentType", UINT32_MAX, &component)) return false;
    if (component != GLTF_U8 && component != GLTF_U16 && component != GLTF_U32)
        return gltf_refuse(d, &sparse, "its sparse indices are not unsigned integers");
    a->sparse_count = (uint32_t)count;
    a->sparse_component = (gltf_component)component;
    return get_sparse_half(d, a, &sparse, "indices", a->sparse_component, 1, &a->sparse_indices) &&
           get_sparse_half(d, a, &sparse, "values", a->component, a->width, &a->sparse_values) &&
           check_sparse_indices(d, a);
}

bool gltf_accessor_get(gltf_doc *d, uint32_t index, gltf_accessor *out)
{
    *out = (gltf_accessor){0};
    return gltf_item_get(d, GLTF_ACCESSOR, index, &out->item) && get_shape(d, out) &&
           get_data(d, out) && get_sparse(d, out);
}

/* ---- numbers ---- */

/* One number as the file means it: integers stand for themselves or for fractions. */
static float read_float(const uint8_t *at, gltf_component component, bool is_normalized)
{
    switch (component) {
    case GLTF_F32: return io_float_of(io_little32(at));
    case GLTF_U8: return is_normalized ? (float)*at / 255 : (float)*at;
    case GLTF_U16: return is_normalized ? (float)io_little16(at) / 65535 : (float)io_little16(at);
    case GLTF_U32: return (float)io_little32(at);
    case GLTF_I8: {
        const float number = (int8_t)*at;
        return is_normalized ? fmaxf(number / 127, -1) : number;
    }
    case GLTF_I16: {
        const float number = (int16_t)io_little16(at);
        return is_normalized ? fmaxf(number / 32767, -1) : number;
    }
    }
    return 0;
}

static bool read_element(gltf_doc *d, const gltf_accessor *a, const uint8_t *at, uint32_t element,
                         float *out)
{
    const uint32_t size = component_size(a->component);
    for (uint32_t k = 0; k < a->width; k++) {
        out[k] = read_float(at + (size_t)k * size, a->component, a->is_normalized);
        if (!isfinite(out[k])) return gltf_refuse(d, &a->item, "element %u is not finite", element);
    }
    return true;
}

bool gltf_accessor_floats(gltf_doc *d, const gltf_accessor *a, float *out)
{
    const uint64_t value_size = (uint64_t)a->width * component_size(a->component);
    if (a->data == NULL) memset(out, 0, (size_t)a->count * a->width * sizeof *out);
    for (uint32_t i = 0; a->data != NULL && i < a->count; i++)
        if (!read_element(d, a, a->data + i * a->stride, i, out + (size_t)i * a->width))
            return false;
    for (uint32_t i = 0; i < a->sparse_count; i++) {
        const uint32_t at = sparse_index(a, i);
        if (!read_element(d, a, a->sparse_values + i * value_size, at, out + (size_t)at * a->width))
            return false;
    }
    return true;
}

static bool is_unsigned(gltf_component component)
{
    return component == GLTF_U8 || component == GLTF_U16 || component == GLTF_U32;
}

bool gltf_accessor_uints(gltf_doc *d, const gltf_accessor *a, uint32_t *out)
{
    const uint32_t size = component_size(a->component);
    if (!is_unsigned(a->component) || a->is_normalized)
        return gltf_refuse(d, &a->item, "has no unsigned integers");
    if (a->data == NULL) memset(out, 0, (size_t)a->count * a->width * sizeof *out);
    for (uint32_t i = 0; a->data != NULL && i < a->count; i++)
        for (uint32_t k = 0; k < a->width; k++)
            out[(size_t)i * a->width + k] =
                read_uint(a->data + i * a->stride + (size_t)k * size, a->component);
    for (uint32_t i = 0; i < a->sparse_count; i++)
        for (uint32_t k = 0; k < a->width; k++)
            out[(size_t)sparse_index(a, i) * a->width + k] =
                read_uint(a->sparse_values + ((uint64_t)i * a->width + k) * size, a->component);
    return true;
}
