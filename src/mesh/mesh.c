/* mesh.c - takes meshes and positions in, and refuses bad ones with a reason (C7).
 *
 * Way in: wi_mesh_create, wi_mesh_take_all. Creation reads positions up to three times; taking
 * positions is one pass that copies and checks. The hierarchy has a faster pass of its own for the
 * methods that refit (update/refit/refit_kernel.c); this one serves the others. */
#include "mesh/mesh.h"

#include "base/check.h"
#include "base/hash.h"
#include "mesh/edits.h"
#include "mesh/owners.h"

static bool is_finite_point(const float *p) { return wi_finite_test(p) == 0.0F; }

/* Before vertices are welded, all of them are there. */
static bool is_hole(const wi_mesh *mesh, uint32_t vertex)
{
    return mesh->edits && !wi_mesh_has_vertex(mesh, vertex);
}

willow_result wi_mesh_fail_position(const wi_mesh *mesh, wi_source source, uint32_t first,
                                    uint32_t count, wi_message *message)
{
    uint32_t i = 0;
    WI_ASSERT(count > 0);
    while (i + 1 < count && (is_hole(mesh, first + i) || is_finite_point(wi_source_at(source, i))))
        i++;
    const float *p = wi_source_at(source, i);
    return wi_fail(message, WILLOW_BAD_MESH, "vertex %u is at (%g, %g, %g): not finite", first + i,
                   (double)p[0], (double)p[1], (double)p[2]);
}

/* How arrays are handed over is BAD_ARGUMENT everywhere; what is in them is BAD_MESH. */
static willow_result check_def(const willow_mesh_def *def, wi_message *message)
{
    if (def->positions == NULL && def->vertex_count > 0)
        return wi_fail(message, WILLOW_BAD_ARGUMENT, "the mesh has %u vertices and no positions",
                       def->vertex_count);
    if (def->indices == NULL && def->triangle_count > 0)
        return wi_fail(message, WILLOW_BAD_ARGUMENT, "the mesh has %u triangles and no indices",
                       def->triangle_count);
    if (def->triangle_count > UINT32_MAX / 3) /* so that their corners can be counted */
        return wi_fail(message, WILLOW_BAD_MESH, "the mesh has %u triangles; %u is the most",
                       def->triangle_count, UINT32_MAX / 3);
    if (def->stride != 0 && (def->stride < 12 || def->stride % sizeof(float) != 0))
        return wi_fail(message, WILLOW_BAD_ARGUMENT,
                       "a stride of %zu bytes: it must be a multiple of 4 and at least 12",
                       def->stride);
    if ((uintptr_t)def->positions % sizeof(float) != 0)
        return wi_fail(message, WILLOW_BAD_ARGUMENT, "positions are not aligned to 4 bytes");
    if ((uintptr_t)def->indices % (def->index_type == WILLOW_INDEX_U16 ? 2 : 4) != 0)
        return wi_fail(message, WILLOW_BAD_ARGUMENT, "indices are not aligned to their own size");
    if (def->index_type != WILLOW_INDEX_U16 && def->index_type != WILLOW_INDEX_U32)
        return wi_fail(message, WILLOW_BAD_ARGUMENT, "%d is no index type", (int)def->index_type);
    return WILLOW_OK;
}

static wi_source def_source(const willow_mesh_def *def)
{
    return (wi_source){def->positions, def->stride != 0 ? def->stride : 3 * sizeof(float)};
}

static willow_result allocate(wi_memory *memory, const willow_mesh_def *def, wi_message *message,
                              wi_mesh *mesh)
{
    size_t tris = def->triangle_count, vertices = def->vertex_count;
    mesh->tris = wi_alloc_array(memory, tris, sizeof *mesh->tris);
    if (tris > 0 && mesh->tris == NULL) return wi_fail_memory(message, "triangles");
    if (def->triangle_groups && tris > 0) {
        mesh->groups = wi_alloc_array(memory, tris, sizeof *mesh->groups);
        if (mesh->groups == NULL) return wi_fail_memory(message, "triangle groups");
    }
    if (vertices == 0) return WILLOW_OK;
    if (def->weld_exact) {
        mesh->stand_in = wi_alloc_array(memory, vertices, sizeof *mesh->stand_in);
        if (mesh->stand_in == NULL) return wi_fail_memory(message, "welding");
    }
    if (def->borrow) return WILLOW_OK;
    mesh->positions = wi_alloc_array(memory, vertices, sizeof *mesh->positions);
    mesh->staged = wi_alloc_array(memory, vertices, sizeof *mesh->staged);
    mesh->place = wi_alloc_array(memory, vertices, sizeof *mesh->place);
    if (mesh->positions == NULL || mesh->staged == NULL || mesh->place == NULL)
        return wi_fail_memory(message, "positions");
    return WILLOW_OK;
}

static willow_result read_indices(const willow_mesh_def *def, wi_message *message, wi_mesh *mesh)
{
    const uint16_t *narrow = def->indices;
    const uint32_t *wide = def->indices;
    bool is_narrow = def->index_type == WILLOW_INDEX_U16;
    for (uint32_t slot = 0; slot < mesh->tri_count; slot++)
        for (int i = 0; i < 3; i++) {
            size_t at = 3 * (size_t)slot + (size_t)i;
            uint32_t vertex = is_narrow ? narrow[at] : wide[at];
            if (vertex >= mesh->vertex_count)
                return wi_fail(message, WILLOW_BAD_MESH,
                               "triangle %u names vertex %u; the mesh has %u", slot, vertex,
                               mesh->vertex_count);
            mesh->tris[slot][i] = vertex;
        }
    if (mesh->groups)
        memcpy(mesh->groups, def->triangle_groups, mesh->tri_count * sizeof *mesh->groups);
    return WILLOW_OK;
}

static bool points_equal(const float *a, const float *b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static size_t hash_point(const float *p)
{
    /* Adding 0 makes -0 and 0, which are equal, the same bits. */
    float normal[3] = {p[0] + 0.0F, p[1] + 0.0F, p[2] + 0.0F};
    uint32_t bits[3];
    memcpy(bits, normal, sizeof bits);
    return (size_t)wi_hash_u64(wi_hash_u64(bits[2], bits[1]), bits[0]);
}

/* Open addressing; the table holds vertex + 1, 0 is free. */
static willow_result weld(wi_memory *memory, wi_source source, wi_message *message, wi_mesh *mesh)
{
    size_t size = 4;
    while (size < 2 * (size_t)mesh->vertex_count) size *= 2;
    WI_ASSERT((size & (size - 1)) == 0);
    uint32_t *table = wi_alloc_array(memory, size, sizeof *table);
    if (table == NULL) return wi_fail_memory(message, "welding");
    memset(table, 0, size * sizeof *table);
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++) {
        const float *p = wi_source_at(source, vertex);
        size_t at = hash_point(p) & (size - 1);
        while (table[at] != 0 && !points_equal(p, wi_source_at(source, table[at] - 1)))
            at = (at + 1) & (size - 1);
        if (table[at] == 0) table[at] = vertex + 1;
        mesh->stand_in[vertex] = table[at] - 1;
        WI_ASSERT(mesh->stand_in[vertex] <= vertex);
    }
    wi_free_array(memory, table, size, sizeof *table);
    for (uint32_t slot = 0; slot < mesh->tri_count; slot++)
        for (int i = 0; i < 3; i++) mesh->tris[slot][i] = mesh->stand_in[mesh->tris[slot][i]];
    return WILLOW_OK;
}

willow_result wi_mesh_check_positions(const wi_mesh *mesh, wi_source source, uint32_t first,
                                      uint32_t count, wi_message *message)
{
    float sum = 0.0F;
    for (uint32_t i = 0; i < count; i++) {
        if (is_hole(mesh, first + i)) continue;
        const float *p = wi_source_at(source, i);
        sum += wi_finite_test(p);
    }
    return sum == 0.0F ? WILLOW_OK : wi_mesh_fail_position(mesh, source, first, count, message);
}

/* Places in the order of the vertices; merged ones have their stand-in's. */
static void place_in_order(wi_mesh *mesh)
{
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++)
        mesh->place[vertex] = mesh->stand_in ? mesh->stand_in[vertex] : vertex;
}

static willow_result fill(wi_memory *memory, const willow_mesh_def *def, wi_message *message,
                          wi_mesh *mesh)
{
    wi_source source = def_source(def);
    willow_result result = allocate(memory, def, message, mesh);
    if (result == WILLOW_OK) result = read_indices(def, message, mesh);
    if (result == WILLOW_OK)
        result = wi_group_masks_copy(memory, mesh, def->group_masks, def->group_count, message,
                                     &mesh->masks);
    if (result == WILLOW_OK)
        result = wi_mesh_check_positions(mesh, source, 0, mesh->vertex_count, message);
    if (result == WILLOW_OK && mesh->stand_in) result = weld(memory, source, message, mesh);
    if (result != WILLOW_OK) return result;
    if (def->borrow) {
        /* An array of no vertices may be NULL, which would say that nothing is borrowed. */
        wi_mesh_borrow(mesh, (wi_source){source.positions ? source.positions : "", source.stride});
        return WILLOW_OK;
    }
    place_in_order(mesh);
    return wi_mesh_take_all(mesh, source, message);
}

willow_result wi_mesh_create(wi_memory *memory, const willow_mesh_def *def, wi_message *message,
                             wi_mesh *mesh)
{
    *mesh = (wi_mesh){.vertex_count = def->vertex_count,
                      .tri_count = def->triangle_count,
                      .vertex_room = def->vertex_count,
                      .tri_room = def->triangle_count};
    willow_result result = check_def(def, message);
    if (result == WILLOW_OK) result = fill(memory, def, message, mesh);
    if (result != WILLOW_OK) wi_mesh_destroy(memory, mesh);
    WI_ASSERT_SLOW(wi_mesh_validate(mesh) == NULL);
    return result;
}

void wi_mesh_destroy(wi_memory *memory, wi_mesh *mesh)
{
    size_t tris = mesh->tri_room, vertices = mesh->vertex_room;
    wi_owners_forget(memory, mesh);
    wi_mesh_end_motion(memory, mesh);
    wi_edits_free(memory, mesh);
    wi_free_array(memory, mesh->tris, tris, sizeof *mesh->tris);
    wi_free_array(memory, mesh->groups, tris, sizeof *mesh->groups);
    wi_free_array(memory, mesh->labels, tris, sizeof *mesh->labels);
    wi_group_masks_free(memory, &mesh->masks);
    wi_free_array(memory, mesh->stand_in, vertices, sizeof *mesh->stand_in);
    wi_free_array(memory, mesh->positions, vertices, sizeof *mesh->positions);
    wi_free_array(memory, mesh->staged, vertices, sizeof *mesh->staged);
    wi_free_array(memory, mesh->place, vertices, sizeof *mesh->place);
    wi_free_array(memory, mesh->rest, vertices, sizeof *mesh->rest);
    *mesh = (wi_mesh){0};
}

/* A copy of an array, or NULL for none; *ok becomes false if there is no memory. */
static void *copy_array(wi_memory *memory, const void *from, size_t count, size_t size, bool *ok)
{
    if (from == NULL || count == 0) return NULL;
    void *to = wi_alloc_array(memory, count, size);
    *ok = *ok && to;
    if (to) memcpy(to, from, count * size);
    return to;
}

bool wi_mesh_copy(wi_memory *memory, const wi_mesh *mesh, wi_mesh *out)
{
    WI_ASSERT(mesh->motion == WI_MOTION_STORED && mesh->state.any == NULL);
    WI_ASSERT(wi_mesh_removed_vertices(mesh) == 0 && wi_mesh_removed_tris(mesh) == 0);
    const size_t tris = mesh->tri_count, vertices = mesh->vertex_count;
    bool ok = true;
    *out = (wi_mesh){.vertex_count = mesh->vertex_count,
                     .tri_count = mesh->tri_count,
                     .vertex_room = mesh->vertex_count,
                     .tri_room = mesh->tri_count,
                     .masks = {.count = mesh->masks.count, .changes = mesh->masks.changes},
                     .stored = mesh->stored,
                     .keeps_rest = mesh->keeps_rest};
    out->tris = copy_array(memory, mesh->tris, tris, sizeof *out->tris, &ok);
    out->groups = copy_array(memory, mesh->groups, tris, sizeof *out->groups, &ok);
    out->labels = copy_array(memory, mesh->labels, tris, sizeof *out->labels, &ok);
    out->masks.rows =
        copy_array(memory, mesh->masks.rows, mesh->masks.count, sizeof *out->masks.rows, &ok);
    out->stand_in = copy_array(memory, mesh->stand_in, vertices, sizeof *out->stand_in, &ok);
    out->positions = copy_array(memory, mesh->positions, vertices, sizeof *out->positions, &ok);
    out->staged = copy_array(memory, mesh->positions, vertices, sizeof *out->staged, &ok);
    out->place = copy_array(memory, mesh->place, vertices, sizeof *out->place, &ok);
    out->rest = copy_array(memory, mesh->rest, vertices, sizeof *out->rest, &ok);
    if (!ok) wi_mesh_destroy(memory, out);
    return ok;
}

willow_result wi_mesh_keep_rest(wi_memory *memory, wi_mesh *mesh, wi_message *message)
{
    mesh->keeps_rest = true;
    if (mesh->vertex_count == 0) return WILLOW_OK;
    mesh->rest = wi_alloc_array(memory, mesh->vertex_count, sizeof *mesh->rest);
    if (mesh->rest == NULL) return wi_fail_memory(message, "a rest shape");
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++)
        mesh->rest[vertex] = wi_point_of(wi_mesh_position(mesh, wi_mesh_stand_in(mesh, vertex)));
    return WILLOW_OK;
}

willow_result wi_mesh_take_all(wi_mesh *mesh, wi_source source, wi_message *message)
{
    float sum = 0.0F;
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++) {
        if (is_hole(mesh, vertex)) continue;
        const float *p = wi_source_at(source, vertex);
        sum += wi_finite_test(p);
        if (wi_mesh_stands_for_itself(mesh, vertex))
            mesh->staged[mesh->place[vertex]] = wi_point_of(p);
    }
    if (sum != 0.0F) return wi_mesh_fail_position(mesh, source, 0, mesh->vertex_count, message);
    wi_mesh_commit_staged(mesh);
    return WILLOW_OK;
}

willow_result wi_mesh_take_range(wi_mesh *mesh, uint32_t first, uint32_t count, wi_source source,
                                 wi_message *message)
{
    WI_ASSERT(first <= mesh->vertex_count && count <= mesh->vertex_count - first);
    WI_ASSERT(mesh->borrowed == NULL);
    willow_result result = wi_mesh_check_positions(mesh, source, first, count, message);
    if (result != WILLOW_OK) return result;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t vertex = first + i;
        if (wi_mesh_stands_for_itself(mesh, vertex))
            mesh->positions[mesh->place[vertex]] = wi_point_of(wi_source_at(source, i));
    }
    return WILLOW_OK;
}

void wi_mesh_borrow(wi_mesh *mesh, wi_source source)
{
    WI_ASSERT(source.positions && !wi_mesh_is_computed(mesh));
    mesh->borrowed = source.positions;
    mesh->borrowed_stride = source.stride;
    mesh->motion = WI_MOTION_BORROWED;
    mesh->positions = NULL;
}

void wi_mesh_set_pose(wi_mesh *mesh, const willow_pose *pose, wi_pose *room)
{
    *room = wi_pose_from(pose);
    mesh->pose = wi_pose_is_identity(room) ? NULL : room;
}

void wi_mesh_commit_staged(wi_mesh *mesh)
{
    WI_ASSERT(mesh->borrowed == NULL);
    wi_point *positions = mesh->positions;
    mesh->positions = mesh->staged;
    mesh->staged = positions;
}

/* Places that nobody goes to are given to those that have none, in order. */
static void fill_permutation(uint32_t *moved, uint32_t count, uint8_t *taken)
{
    memset(taken, 0, ((size_t)count + 7) / 8);
    for (uint32_t i = 0; i < count; i++)
        if (moved[i] != UINT32_MAX)
            taken[moved[i] / 8] = (uint8_t)(taken[moved[i] / 8] | 1U << moved[i] % 8);
    for (uint32_t i = 0, next = 0; i < count; i++) {
        if (moved[i] != UINT32_MAX) continue;
        while (taken[next / 8] >> next % 8 & 1) next++;
        WI_ASSERT(next < count);
        moved[i] = next++;
    }
}

/* What is staged is of no use between two sets of positions: room for the permutation, and for what
 * is permuted. Places that only merged or removed vertices would have are anywhere: the rest of
 * them. */
static void reorder_motion(wi_mesh *mesh, const uint32_t *place)
{
    const uint32_t count = mesh->vertex_count;
    uint32_t *moved = (uint32_t *)(void *)mesh->staged;
    uint8_t *scratch = (uint8_t *)(moved + count);
    memset(moved, 0xFF, count * sizeof *moved);
    for (uint32_t vertex = 0; vertex < count; vertex++)
        if (wi_mesh_has_vertex(mesh, vertex)) moved[mesh->place[vertex]] = place[vertex];
    if (mesh->stand_in) fill_permutation(moved, count, scratch);
    wi_mesh_permute(mesh, 0, count, moved, scratch);
}

void wi_mesh_reorder(wi_memory *memory, wi_mesh *mesh, uint32_t *place)
{
    WI_ASSERT(mesh->borrowed == NULL && place != mesh->place);
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++)
        mesh->staged[place[vertex]] = mesh->positions[mesh->place[vertex]];
    wi_mesh_commit_staged(mesh);
    if (wi_mesh_is_computed(mesh) && mesh->vertex_count > 0) reorder_motion(mesh, place);
    wi_free_array(memory, mesh->place, mesh->vertex_room, sizeof *mesh->place);
    mesh->place = place;
    if (wi_mesh_motion(mesh)->settle) wi_mesh_motion(mesh)->settle(memory, mesh);
}

wi_box wi_mesh_bounds(const wi_mesh *mesh)
{
    wi_box box = wi_box_empty();
    for (uint32_t slot = 0; slot < mesh->tri_count; slot++)
        for (int i = 0; i < 3 && wi_mesh_collides(mesh, slot); i++)
            wi_box_add_point(&box, wi_mesh_position(mesh, mesh->tris[slot][i]));
    return box;
}

size_t wi_mesh_bytes(const wi_mesh *mesh)
{
    const wi_motion_ops *ops = wi_mesh_motion(mesh);
    size_t per_tri = sizeof *mesh->tris + (mesh->groups ? sizeof *mesh->groups : 0) +
                     (mesh->labels ? sizeof *mesh->labels : 0);
    size_t per_vertex = (mesh->stand_in ? sizeof *mesh->stand_in : 0) +
                        (mesh->rest ? sizeof *mesh->rest : 0) +
                        (mesh->positions ? 2 * sizeof *mesh->positions + sizeof *mesh->place : 0);
    return per_tri * mesh->tri_room + per_vertex * mesh->vertex_room +
           mesh->masks.count * sizeof *mesh->masks.rows + wi_owners_bytes(mesh) +
           wi_edits_bytes(mesh) + (ops->bytes ? ops->bytes(mesh) : 0);
}

const char *wi_mesh_validate(const wi_mesh *mesh)
{
    for (uint32_t slot = 0; slot < mesh->tri_count; slot++)
        for (int i = 0; i < 3; i++) {
            uint32_t vertex = mesh->tris[slot][i];
            if (mesh->edits && vertex == WI_NO_VERTEX) continue; /* see wi_edits_validate */
            if (vertex >= mesh->vertex_count)
                return "M1: a triangle names a vertex that is not there";
            if (!wi_mesh_stands_for_itself(mesh, vertex))
                return "M2: a triangle names a merged vertex";
        }
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++) {
        if (mesh->place && mesh->place[vertex] >= mesh->vertex_count)
            return "M3: a vertex has no place";
        if (is_hole(mesh, vertex)) continue;
        if (mesh->place && mesh->stand_in &&
            mesh->place[vertex] != mesh->place[mesh->stand_in[vertex]])
            return "M4: a merged vertex is not where its stand-in is";
        if (!is_finite_point(wi_mesh_position(mesh, vertex))) return "M5: a position is not finite";
    }
    const char *broken = wi_mesh_validate_motion(mesh);
    if (broken == NULL) broken = wi_edits_validate(mesh);
    return broken ? broken : wi_group_masks_validate(mesh);
}
