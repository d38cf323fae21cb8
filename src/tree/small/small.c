/* small.c - fills blocks that hold a mesh of one leaf. */
#include "tree/small/small.h"

#include "mesh/owners.h"

_Static_assert((int)WI_MAX_LEAF_VERTICES <= (int)UINT8_MAX, "counts are bytes");

/* What a def says that is refused is left to wi_mesh_create, which has the words for it. */
static bool is_plain(const willow_mesh_def *mesh)
{
    const bool is_simple = !mesh->borrow && !mesh->weld_exact && mesh->triangle_groups == NULL &&
                           mesh->group_masks == NULL && mesh->group_count == 0;
    const bool is_there = mesh->positions && mesh->indices;
    const bool is_aligned =
        (uintptr_t)mesh->positions % sizeof(float) == 0 &&
        (uintptr_t)mesh->indices % (mesh->index_type == WILLOW_INDEX_U16 ? 2 : 4) == 0 &&
        (mesh->stride == 0 ||
         (mesh->stride >= 3 * sizeof(float) && mesh->stride % sizeof(float) == 0));
    const bool is_known =
        mesh->index_type == WILLOW_INDEX_U16 || mesh->index_type == WILLOW_INDEX_U32;
    return is_simple && is_there && is_aligned && is_known;
}

bool wi_small_suits(const willow_mesh_def *mesh, const willow_tree_def *def)
{
    return mesh->triangle_count > 0 && mesh->triangle_count <= def->leaf_triangles &&
           mesh->vertex_count <= 3 * mesh->triangle_count && is_plain(mesh);
}

size_t wi_small_size(uint32_t vertex_count, uint32_t tri_count)
{
    WI_ASSERT(tri_count <= WI_MAX_LEAF_TRIS && vertex_count <= WI_MAX_LEAF_VERTICES);
    const size_t size = sizeof(wi_small) +
                        vertex_count * (sizeof(wi_point) + 2 * sizeof(uint32_t)) +
                        tri_count * (3 * sizeof(uint32_t) + 3 * sizeof(uint8_t));
    return (size + sizeof(wi_point) - 1) / sizeof(wi_point) * sizeof(wi_point);
}

/* Triangles, and places for their vertices. False if a vertex is not there, or has no triangle. */
static bool small_read_tris(wi_small *small, const willow_mesh_def *mesh)
{
    const uint16_t *narrow = mesh->indices;
    const uint32_t *wide = mesh->indices;
    uint32_t(*tris)[3] = wi_small_tris(small), *place = wi_small_places(small);
    uint32_t *leaf_vertices = wi_small_leaf_vertices(small), count = 0;
    uint8_t(*corners)[3] = wi_small_corners(small);
    for (uint32_t vertex = 0; vertex < small->vertex_count; vertex++) place[vertex] = UINT32_MAX;
    for (uint32_t slot = 0; slot < small->tri_count; slot++)
        for (uint32_t i = 0; i < 3; i++) {
            const uint32_t at = 3 * slot + i;
            const uint32_t vertex = mesh->index_type == WILLOW_INDEX_U16 ? narrow[at] : wide[at];
            if (vertex >= small->vertex_count) return false;
            if (place[vertex] == UINT32_MAX) {
                leaf_vertices[count] = vertex;
                place[vertex] = count++;
            }
            tris[slot][i] = vertex;
            corners[slot][i] = (uint8_t)place[vertex];
        }
    return count == small->vertex_count;
}

/* False if one is not finite. */
static bool small_read_positions(wi_small *small, const willow_mesh_def *mesh)
{
    const size_t stride = mesh->stride != 0 ? mesh->stride : 3 * sizeof(float);
    const wi_source source = {(const char *)mesh->positions, stride};
    const uint32_t *place = wi_small_places(small);
    float sum = 0.0F;
    small->bounds = wi_box_empty();
    for (uint32_t vertex = 0; vertex < small->vertex_count; vertex++) {
        const float *p = wi_source_at(source, vertex);
        sum += wi_finite_test(p);
        small->positions[place[vertex]] = wi_point_of(p);
        wi_box_add_point(&small->bounds, p);
    }
    return sum == 0.0F;
}

bool wi_small_fill(wi_small *small, const willow_mesh_def *mesh, const willow_tree_def *def)
{
    WI_ASSERT(wi_small_suits(mesh, def));
    small->owners = NULL;
    small->def = def;
    small->revision = 0;
    small->vertex_count = (uint8_t)mesh->vertex_count;
    small->tri_count = (uint8_t)mesh->triangle_count;
    return small_read_tris(small, mesh) && small_read_positions(small, mesh);
}

void wi_small_forget(wi_memory *memory, wi_small *small)
{
    wi_owners_forget_at(memory, &small->owners);
}
