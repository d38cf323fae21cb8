/* group_masks.h - which groups of triangles are tested against each other within one body.
 *
 * A symmetric matrix of bits, a row for each group: the layers of a garment, of which some may lie
 * in each other. Most bodies have none. Bits that have no meaning are 0 here: those of group 0,
 * which collides with nothing, and those of groups that are not there. */
#ifndef WI_MESH_GROUP_MASKS_H
#define WI_MESH_GROUP_MASKS_H

#include "base/memory.h"
#include "base/message.h"

/* As many as a row has bits. */
enum { WI_MAX_MASKED_GROUPS = 64 };

typedef struct wi_group_masks {
    uint64_t *rows; /* by group: those that it is tested against; NULL: all are, against all */
    uint32_t count;
} wi_group_masks;

struct wi_mesh;

/* A copy of the user's matrix for the groups of this mesh; BAD_ARGUMENT or BAD_MESH with a reason,
 * or OUT_OF_MEMORY, and *out is then none. No rows are no matrix, which is fine. */
willow_result wi_group_masks_copy(wi_memory *memory, const struct wi_mesh *mesh,
                                  const uint64_t *rows, uint32_t count, wi_message *message,
                                  wi_group_masks *out);
void wi_group_masks_free(wi_memory *memory, wi_group_masks *masks);

/* NULL, or the words for what is broken in those of a mesh. */
const char *wi_group_masks_validate(const struct wi_mesh *mesh);

#endif
