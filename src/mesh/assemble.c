/* assemble.c - see assemble.h. Linear in what is put together, and in groups and labels of nothing
 * else. */
#include "mesh/assemble.h"

#include <string.h>

#include "base/check.h"

/* ---- what cannot become one ---- */

/* Positions that are borrowed are copied, so that they are stored. */
static wi_motion_kind kind_of(const wi_mesh *mesh)
{
    return mesh->motion == WI_MOTION_BORROWED ? WI_MOTION_STORED : mesh->motion;
}

static bool has_same_masks(const wi_group_masks *a, const wi_group_masks *b)
{
    if ((a->rows != NULL) != (b->rows != NULL) || a->count != b->count) return false;
    return a->rows == NULL || memcmp(a->rows, b->rows, a->count * sizeof *a->rows) == 0;
}

const char *wi_mesh_assemble_refuses(const wi_mesh *a, const wi_mesh *b)
{
    const wi_motion_ops *ops = wi_motions[kind_of(a)];
    if (kind_of(a) != kind_of(b)) return "has another kind of motion";
    if (a->keeps_rest != b->keeps_rest)
        return a->keeps_rest ? "keeps no rest shape" : "keeps a rest shape";
    if (!has_same_masks(&a->masks, &b->masks)) return "has other group masks";
    return ops->differ ? ops->differ(a, b) : NULL;
}

/* ---- triangles and vertices ---- */

/* What some of the meshes have, the new one has. */
typedef struct needs {
    bool groups, labels, stand_ins, rest;
} needs;

static bool has_merged(const wi_piece *piece)
{
    for (uint32_t i = 0; i < piece->vertex_count; i++)
        if (!wi_piece_has(piece, i)) return true;
    return false;
}

static needs needs_of(const wi_assembly *a)
{
    needs n = {.rest = a->pieces[0].from->keeps_rest};
    for (uint32_t i = 0; i < a->piece_count; i++) {
        const wi_piece *piece = &a->pieces[i];
        n.groups = n.groups || piece->from->groups;
        n.labels = n.labels || piece->from->labels;
        n.stand_ins = n.stand_ins || (piece->from->stand_in && has_merged(piece));
    }
    return n;
}

static bool allocate_tris(wi_memory *memory, const needs *n, wi_mesh *out)
{
    const size_t count = out->tri_count;
    if (count == 0) return true;
    out->tris = wi_alloc_array(memory, count, sizeof *out->tris);
    if (n->groups) out->groups = wi_alloc_array(memory, count, sizeof *out->groups);
    if (n->labels) out->labels = wi_alloc_array(memory, count, sizeof *out->labels);
    return out->tris && (!n->groups || out->groups) && (!n->labels || out->labels);
}

/* Positions are 0 where nothing is copied to: at places that merged vertices leave. */
static bool allocate_vertices(wi_memory *memory, const needs *n, wi_mesh *out)
{
    const size_t count = out->vertex_count;
    if (count == 0) return true;
    out->positions = wi_alloc_array(memory, count, sizeof *out->positions);
    out->staged = wi_alloc_array(memory, count, sizeof *out->staged);
    out->place = wi_alloc_array(memory, count, sizeof *out->place);
    if (n->stand_ins) out->stand_in = wi_alloc_array(memory, count, sizeof *out->stand_in);
    if (n->rest) out->rest = wi_alloc_array(memory, count, sizeof *out->rest);
    if (out->positions) memset(out->positions, 0, count * sizeof *out->positions);
    return out->positions && out->staged && out->place && (!n->stand_ins || out->stand_in) &&
           (!n->rest || out->rest);
}

static void assemble_vertices(const wi_assembly *a, const wi_piece *piece, wi_mesh *out)
{
    const wi_mesh *from = piece->from;
    for (uint32_t i = 0; i < piece->vertex_count; i++) {
        const uint32_t old = piece->vertices[i], vertex = wi_piece_new(piece, i);
        WI_ASSERT(i == 0 || piece->vertices[i - 1] < old);
        a->new_vertices[old] = vertex;
        const uint32_t stand_in = a->new_vertices[wi_mesh_stand_in(from, old)];
        WI_ASSERT(stand_in <= vertex && stand_in >= piece->first_vertex);
        out->place[vertex] = stand_in;
        if (out->stand_in) out->stand_in[vertex] = stand_in;
        if (out->rest) out->rest[vertex] = from->rest[old];
        if (stand_in == vertex && !wi_mesh_is_computed(from))
            out->positions[vertex] = wi_point_of(wi_mesh_position(from, old));
    }
}

static void assemble_tris(const wi_assembly *a, const wi_piece *piece, wi_mesh *out)
{
    const wi_mesh *from = piece->from;
    for (uint32_t i = 0; i < piece->tri_count; i++) {
        const uint32_t old = piece->slots[i], slot = piece->first_slot + i;
        WI_ASSERT(wi_mesh_has_tri(from, old));
        for (int k = 0; k < 3; k++) out->tris[slot][k] = a->new_vertices[from->tris[old][k]];
        if (out->groups) out->groups[slot] = from->groups ? from->groups[old] : 1;
        if (out->labels) out->labels[slot] = from->labels ? from->labels[old] : 0;
    }
}

/* ---- all of it ---- */

/* Nobody has looked at what is borrowed, where it came after the last update. */
static willow_result check_borrowed(const wi_assembly *a, wi_message *message)
{
    willow_result result = WILLOW_OK;
    for (uint32_t i = 0; i < a->piece_count && result == WILLOW_OK; i++) {
        const wi_mesh *from = a->pieces[i].from;
        if (from->borrowed)
            result = wi_mesh_check_positions(from, wi_mesh_borrowed(from), 0, from->vertex_count,
                                             message);
    }
    return result;
}

static willow_result assemble_masks(wi_memory *memory, const wi_mesh *from, wi_message *message,
                                    wi_mesh *out)
{
    const wi_group_masks *masks = &from->masks;
    return wi_group_masks_copy(memory, out, masks->rows, masks->count, message, &out->masks);
}

static willow_result assemble_motion(wi_memory *memory, const wi_assembly *a, wi_message *message,
                                     wi_mesh *out)
{
    const wi_motion_kind kind = kind_of(a->pieces[0].from);
    if (!wi_motions[kind]->is_computed) return WILLOW_OK;
    void *state = wi_motions[kind]->assemble(memory, a);
    if (state == NULL) return wi_fail_memory(message, "the motion of a part");
    out->state.any = state;
    out->motion = kind;
    out->stored = WI_STORED_OLD;
    return WILLOW_OK;
}

static willow_result fill(wi_memory *memory, const wi_assembly *a, wi_message *message,
                          wi_mesh *out)
{
    const needs n = needs_of(a);
    willow_result result = check_borrowed(a, message);
    if (result != WILLOW_OK) return result;
    if (!allocate_tris(memory, &n, out) || !allocate_vertices(memory, &n, out))
        return wi_fail_memory(message, "a part");
    for (uint32_t i = 0; i < a->piece_count; i++) {
        assemble_vertices(a, &a->pieces[i], out);
        assemble_tris(a, &a->pieces[i], out);
    }
    result = assemble_masks(memory, a->pieces[0].from, message, out);
    return result == WILLOW_OK ? assemble_motion(memory, a, message, out) : result;
}

willow_result wi_mesh_assemble(wi_memory *memory, const wi_assembly *a, wi_message *message,
                               wi_mesh *out)
{
    WI_ASSERT(a->piece_count > 0);
    *out = (wi_mesh){.vertex_count = a->vertex_count,
                     .tri_count = a->tri_count,
                     .vertex_room = a->vertex_count,
                     .tri_room = a->tri_count,
                     .keeps_rest = a->pieces[0].from->keeps_rest};
    const willow_result result = fill(memory, a, message, out);
    if (result != WILLOW_OK) wi_mesh_destroy(memory, out);
    WI_ASSERT_SLOW(wi_mesh_validate(out) == NULL);
    return result;
}
