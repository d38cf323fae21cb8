/* gltf_meshopt.c - views that are compressed with EXT_meshopt_compression, through meshoptimizer.
 * Way in: gltf_meshopt_decode. */
#include "io/gltf_doc.h"

#ifdef WILLOW_HAS_MESHOPT

#    include <meshoptimizer.h>

static bool is_mode(const gltf_item *item, const char *word)
{
    const char *mode = gltf_text(item, "mode");
    return mode != NULL && strcmp(mode, word) == 0;
}

/* Filters work on what was decoded, in place; the library has asserts for what is checked here. */
static bool run_filter(gltf_doc *d, const gltf_item *item, uint64_t count, uint64_t stride,
                       uint8_t *out)
{
    const char *filter = gltf_text(item, "filter");
    if (filter == NULL || strcmp(filter, "NONE") == 0) return true;
    if (strcmp(filter, "OCTAHEDRAL") == 0 && (stride == 4 || stride == 8))
        meshopt_decodeFilterOct(out, (size_t)count, (size_t)stride);
    else if (strcmp(filter, "QUATERNION") == 0 && stride == 8)
        meshopt_decodeFilterQuat(out, (size_t)count, (size_t)stride);
    else if (strcmp(filter, "EXPONENTIAL") == 0 && stride % 4 == 0)
        meshopt_decodeFilterExp(out, (size_t)count, (size_t)stride);
    else
        return gltf_refuse(d, item, "filter %.40s is not known for %llu bytes", filter,
                           (unsigned long long)stride);
    return true;
}

bool gltf_meshopt_decode(gltf_doc *d, const gltf_item *item, const uint8_t *packed, uint64_t size,
                         uint64_t count, uint64_t stride, uint8_t *out)
{
    const bool is_index = stride == 2 || stride == 4;
    int result;
    if (is_mode(item, "ATTRIBUTES") && stride > 0 && stride % 4 == 0)
        result =
            meshopt_decodeVertexBuffer(out, (size_t)count, (size_t)stride, packed, (size_t)size);
    else if (is_mode(item, "TRIANGLES") && is_index && count % 3 == 0)
        result =
            meshopt_decodeIndexBuffer(out, (size_t)count, (size_t)stride, packed, (size_t)size);
    else if (is_mode(item, "INDICES") && is_index)
        result =
            meshopt_decodeIndexSequence(out, (size_t)count, (size_t)stride, packed, (size_t)size);
    else
        return gltf_refuse(d, item,
                           "its compression has a mode, count or stride that is not known");
    if (result != 0) return gltf_refuse(d, item, "its compressed bytes are damaged");
    return run_filter(d, item, count, stride, out);
}

#else

bool gltf_meshopt_decode(gltf_doc *d, const gltf_item *item, const uint8_t *packed, uint64_t size,
                         uint64_t count, uint64_t stride, uint8_t *out)
{
    (void)packed, (void)size, (void)count, (void)stride, (void)out;
    return gltf_refuse(d, item,
                       "is compressed with meshopt, and this was built without meshoptimizer "
                       "(Debian: libmeshoptimizer-dev)");
}

#endif
