/* deform.c - room for the rest shape of a deformation, and its order. */
#include "mesh/motion/deform.h"

#include <string.h>

bool wi_deform_make(wi_memory *memory, uint32_t vertex_count, wi_deform *deform)
{
    *deform = (wi_deform){.vertex_count = vertex_count};
    if (vertex_count == 0) return true;
    deform->vertex_at = wi_alloc_array(memory, vertex_count, sizeof *deform->vertex_at);
    deform->rest = wi_alloc_array(memory, vertex_count, sizeof *deform->rest);
    if (deform->vertex_at == NULL || deform->rest == NULL) {
        wi_deform_free(memory, deform);
        return false;
    }
    memset(deform->vertex_at, 0xFF, vertex_count * sizeof *deform->vertex_at);
    memset(deform->rest, 0, vertex_count * sizeof *deform->rest);
    return true;
}

void wi_deform_free(wi_memory *memory, wi_deform *deform)
{
    const size_t count = deform->vertex_count;
    wi_free_array(memory, deform->vertex_at, count, sizeof *deform->vertex_at);
    wi_free_array(memory, deform->rest, count, sizeof *deform->rest);
    *deform = (wi_deform){0};
}

size_t wi_deform_bytes(const wi_deform *deform)
{
    return deform->vertex_count * (sizeof *deform->vertex_at + sizeof *deform->rest);
}

void wi_deform_permute(wi_deform *deform, uint32_t first, uint32_t count, const uint32_t *moved,
                       void *scratch)
{
    uint32_t *vertices = scratch;
    float(*rest)[3] = scratch;
    for (uint32_t i = 0; i < count; i++) vertices[moved[i] - first] = deform->vertex_at[first + i];
    memcpy(deform->vertex_at + first, vertices, count * sizeof *vertices);
    for (uint32_t i = 0; i < count; i++)
        memcpy(rest[moved[i] - first], deform->rest[first + i], sizeof *rest);
    memcpy(deform->rest + first, rest, count * sizeof *rest);
}
