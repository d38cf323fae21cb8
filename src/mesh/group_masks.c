/* group_masks.c - takes a matrix of groups in, and refuses one that does not fit (C7). */
#include "mesh/group_masks.h"

#include "base/check.h"
#include "mesh/mesh.h"

static bool has_bit(const uint64_t *rows, uint32_t row, uint32_t bit)
{
    WI_ASSERT(bit < WI_MAX_MASKED_GROUPS);
    return (rows[row] >> bit & 1) != 0;
}

static willow_result check_counts(const wi_mesh *mesh, const uint64_t *rows, uint32_t count,
                                  wi_message *message)
{
    if (rows == NULL)
        return wi_fail(message, WILLOW_BAD_ARGUMENT, "the mesh has %u groups and no group masks",
                       count);
    if (count == 0)
        return wi_fail(message, WILLOW_BAD_ARGUMENT, "the mesh has group masks for none");
    if (count > WI_MAX_MASKED_GROUPS)
        return wi_fail(message, WILLOW_BAD_ARGUMENT,
                       "the mesh has group masks for %u; %d is the most", count,
                       WI_MAX_MASKED_GROUPS);
    if (mesh->groups == NULL && mesh->tri_count > 0)
        return wi_fail(message, WILLOW_BAD_MESH, "the mesh has group masks and no triangle groups");
    return WILLOW_OK;
}

static willow_result check_groups(const wi_mesh *mesh, uint32_t count, wi_message *message)
{
    for (uint32_t slot = 0; slot < mesh->tri_count; slot++)
        if (mesh->groups[slot] >= count)
            return wi_fail(message, WILLOW_BAD_MESH,
                           "triangle %u is in group %u; the mesh has group masks for %u", slot,
                           mesh->groups[slot], count);
    return WILLOW_OK;
}

/* What is tested against what must not depend on who comes first. The two bits are compared as they
 * lie: with its thread sanitizer gcc 12.2 forgets the second of two results of has_bit. */
static willow_result check_symmetry(const uint64_t *rows, uint32_t count, wi_message *message)
{
    for (uint32_t a = 1; a < count; a++)
        for (uint32_t b = a + 1; b < count; b++) {
            if (((rows[a] >> b ^ rows[b] >> a) & 1) == 0) continue;
            const bool is_tested = has_bit(rows, a, b);
            return wi_fail(message, WILLOW_BAD_MESH,
                           "group %u is tested against group %u, and that one not against it",
                           is_tested ? a : b, is_tested ? b : a);
        }
    return WILLOW_OK;
}

/* The bits of groups that are there and collide. */
static uint64_t bits_with_meaning(uint32_t count)
{
    WI_ASSERT(count > 0 && count <= WI_MAX_MASKED_GROUPS);
    return (UINT64_MAX >> (WI_MAX_MASKED_GROUPS - count)) & ~UINT64_C(1);
}

willow_result wi_group_masks_copy(wi_memory *memory, const wi_mesh *mesh, const uint64_t *rows,
                                  uint32_t count, wi_message *message, wi_group_masks *out)
{
    *out = (wi_group_masks){0};
    if (rows == NULL && count == 0) return WILLOW_OK;
    willow_result result = check_counts(mesh, rows, count, message);
    if (result == WILLOW_OK) result = check_groups(mesh, count, message);
    if (result == WILLOW_OK) result = check_symmetry(rows, count, message);
    if (result != WILLOW_OK) return result;
    uint64_t *kept = wi_alloc_array(memory, count, sizeof *kept);
    if (kept == NULL) return wi_fail_memory(message, "group masks");
    kept[0] = 0;
    for (uint32_t group = 1; group < count; group++)
        kept[group] = rows[group] & bits_with_meaning(count);
    *out = (wi_group_masks){kept, count};
    return WILLOW_OK;
}

void wi_group_masks_free(wi_memory *memory, wi_group_masks *masks)
{
    wi_free_array(memory, masks->rows, masks->count, sizeof *masks->rows);
    *masks = (wi_group_masks){0};
}

const char *wi_group_masks_validate(const wi_mesh *mesh)
{
    const wi_group_masks *masks = &mesh->masks;
    if (masks->rows == NULL) return NULL;
    for (uint32_t slot = 0; slot < mesh->tri_count; slot++)
        if (mesh->groups[slot] >= masks->count) return "M6: a triangle's group has no mask";
    for (uint32_t a = 0; a < masks->count; a++)
        for (uint32_t b = 0; b < WI_MAX_MASKED_GROUPS; b++) {
            if (!has_bit(masks->rows, a, b)) continue;
            if (a == 0 || b == 0 || b >= masks->count)
                return "M6: a group is tested against one that is not there";
            if (!has_bit(masks->rows, b, a)) return "M6: group masks are not symmetric";
        }
    return NULL;
}
