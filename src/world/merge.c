/* merge.c - several bodies become one, or nothing happens (C6). */
#include <string.h>

#include "base/check.h"
#include "world/world.h"

/* ---- what is refused ---- */

static bool is_named_before(const willow_body_id *ids, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (willow_body_id_equal(ids[k], ids[i])) return true;
    return false;
}

static willow_result check_body(willow_world *world, const wi_body *first, const wi_body *body)
{
    const uint32_t number = body->shown.id.index1;
    if (memcmp(&first->shown.pose, &body->shown.pose, sizeof body->shown.pose) != 0)
        return wi_fail(&world->message, WILLOW_BAD_ARGUMENT,
                       "body %u has another pose than body %u", number, first->shown.id.index1);
    const char *why = wi_mesh_assemble_refuses(&first->geometry->mesh, &body->geometry->mesh);
    if (why == NULL) return WILLOW_OK;
    return wi_fail(&world->message, WILLOW_BAD_ARGUMENT,
                   "body %u %s: it cannot become one with body %u", number, why,
                   first->shown.id.index1);
}

static uint32_t count_live_tris(const wi_mesh *mesh)
{
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < mesh->tri_count; slot++) count += wi_mesh_has_tri(mesh, slot);
    return count;
}

static uint32_t count_live_vertices(const wi_mesh *mesh)
{
    uint32_t count = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) count += wi_mesh_has_vertex(mesh, v);
    return count;
}

/* ---- a merge ---- */

typedef struct merging {
    willow_world *world;
    wi_body **bodies;
    wi_piece *pieces;
    uint32_t *vertices, *slots; /* that the pieces list */
    uint32_t *new_vertices;     /* by old vertex, of one body after the other */
    uint32_t count, vertex_count, tri_count;
    uint32_t most_vertices; /* numbers of vertices of one body */
} merging;

/* How many there are, in pieces without lists yet. */
static willow_result count_pieces(merging *m)
{
    uint64_t vertices = 0, tris = 0;
    for (uint32_t i = 0; i < m->count; i++) {
        const wi_mesh *mesh = &m->bodies[i]->geometry->mesh;
        m->pieces[i] = (wi_piece){.from = mesh,
                                  .vertex_count = count_live_vertices(mesh),
                                  .tri_count = count_live_tris(mesh),
                                  .first_vertex = (uint32_t)vertices,
                                  .first_slot = (uint32_t)tris};
        vertices += m->pieces[i].vertex_count;
        tris += m->pieces[i].tri_count;
        if (vertices >= WILLOW_NEW_VERTEX || tris > UINT32_MAX / 3)
            return wi_fail(&m->world->message, WILLOW_BAD_MESH,
                           "body %u brings too many triangles or vertices for one body",
                           m->bodies[i]->shown.id.index1);
        if (mesh->vertex_count > m->most_vertices) m->most_vertices = mesh->vertex_count;
    }
    m->vertex_count = (uint32_t)vertices;
    m->tri_count = (uint32_t)tris;
    return WILLOW_OK;
}

/* What is there, and for the caller what becomes of it. `numbers` has room for all of the body;
 * returns what is left. */
static uint32_t *list_piece(const merging *m, uint32_t i, uint32_t *numbers)
{
    wi_piece *piece = &m->pieces[i];
    const wi_mesh *mesh = piece->from;
    willow_merged_body *told = &m->world->merge.bodies[i];
    uint32_t *tris = numbers, *vertices = numbers + mesh->tri_count;
    uint32_t *slot_list = m->slots + piece->first_slot, tri_next = 0, vertex_next = 0;
    uint32_t *vertex_list = m->vertices + piece->first_vertex;
    for (uint32_t slot = 0; slot < mesh->tri_count; slot++) {
        tris[slot] = wi_mesh_has_tri(mesh, slot) ? piece->first_slot + tri_next : UINT32_MAX;
        if (tris[slot] != UINT32_MAX) slot_list[tri_next++] = slot;
    }
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        vertices[v] = wi_mesh_has_vertex(mesh, v) ? piece->first_vertex + vertex_next : UINT32_MAX;
        if (vertices[v] != UINT32_MAX) vertex_list[vertex_next++] = v;
    }
    piece->slots = slot_list;
    piece->vertices = vertex_list;
    *told = (willow_merged_body){.body = m->bodies[i]->shown.id,
                                 .triangle_count = mesh->tri_count,
                                 .vertex_count = mesh->vertex_count,
                                 .new_triangles = tris,
                                 .new_vertices = vertices};
    return vertices + mesh->vertex_count;
}

/* Room for what the caller will read. */
static bool reserve_told(const merging *m)
{
    wi_merge *merge = &m->world->merge;
    size_t numbers = 0;
    for (uint32_t i = 0; i < m->count; i++)
        numbers += (size_t)m->pieces[i].from->tri_count + m->pieces[i].from->vertex_count;
    *merge = (wi_merge){.body_count = m->count, .number_count = numbers};
    merge->bodies = wi_alloc_array(&m->world->memory, m->count, sizeof *merge->bodies);
    merge->numbers = wi_alloc_array(&m->world->memory, numbers, sizeof *merge->numbers);
    return merge->bodies && (numbers == 0 || merge->numbers);
}

static bool reserve_lists(merging *m)
{
    wi_memory *memory = &m->world->memory;
    m->vertices = wi_alloc_array(memory, m->vertex_count, sizeof *m->vertices);
    m->slots = wi_alloc_array(memory, m->tri_count, sizeof *m->slots);
    m->new_vertices = wi_alloc_array(memory, m->most_vertices, sizeof *m->new_vertices);
    return (m->vertex_count == 0 || m->vertices) && (m->tri_count == 0 || m->slots) &&
           (m->most_vertices == 0 || m->new_vertices) && reserve_told(m);
}

static void free_lists(merging *m)
{
    wi_memory *memory = &m->world->memory;
    wi_free_array(memory, m->bodies, m->count, sizeof *m->bodies);
    wi_free_array(memory, m->pieces, m->count, sizeof *m->pieces);
    wi_free_array(memory, m->vertices, m->vertex_count, sizeof *m->vertices);
    wi_free_array(memory, m->slots, m->tri_count, sizeof *m->slots);
    wi_free_array(memory, m->new_vertices, m->most_vertices, sizeof *m->new_vertices);
}

static willow_result merge_pieces(merging *m, willow_body_id *id)
{
    willow_world *world = m->world;
    wi_body *whole;
    willow_result result = count_pieces(m);
    if (result != WILLOW_OK) return result;
    if (!reserve_lists(m)) return wi_fail_memory(&world->message, "a merge");
    uint32_t *numbers = world->merge.numbers;
    for (uint32_t i = 0; i < m->count; i++) numbers = list_piece(m, i, numbers);
    const wi_assembly assembly = {.pieces = m->pieces,
                                  .piece_count = m->count,
                                  .vertex_count = m->vertex_count,
                                  .tri_count = m->tri_count,
                                  .new_vertices = m->new_vertices};
    result = wi_body_assemble(world, m->bodies[0], &assembly, &whole);
    if (result != WILLOW_OK) return result;
    if (!wi_bodies_reserve(world, 1)) {
        wi_body_free(world, whole);
        return wi_fail_memory(&world->message, "a body");
    }
    wi_merge_keep_trees(world, m->bodies, m->count, whole);
    for (uint32_t i = 0; i < m->count; i++) wi_body_leave(world, m->bodies[i]);
    wi_body_enter(world, whole);
    *id = whole->shown.id;
    return WILLOW_OK;
}

static willow_result find_bodies(willow_world *world, const willow_body_id *ids, merging *m)
{
    for (uint32_t i = 0; i < m->count; i++) {
        willow_result result = wi_body_get_whole(world, ids[i], &m->bodies[i]);
        if (result != WILLOW_OK) return result;
        if (is_named_before(ids, i))
            return wi_fail(&world->message, WILLOW_BAD_ARGUMENT, "body %u is named twice",
                           ids[i].index1);
        result = check_body(world, m->bodies[0], m->bodies[i]);
        if (result != WILLOW_OK) return result;
    }
    return WILLOW_OK;
}

willow_result willow_body_merge(willow_world *world, const willow_body_id *bodies, uint32_t count,
                                willow_merge *out)
{
    merging m = {.world = world, .count = count};
    willow_body_id id = {0};
    wi_message_clear(&world->message);
    if (out == NULL)
        return wi_fail(&world->message, WILLOW_BAD_ARGUMENT, "no place for the merged body");
    *out = (willow_merge){0};
    if (bodies == NULL || count == 0)
        return wi_fail(&world->message, WILLOW_BAD_ARGUMENT, "there are no bodies to merge");
    wi_parts_forget(world);
    m.bodies = wi_alloc_array(&world->memory, count, sizeof *m.bodies);
    m.pieces = wi_alloc_array(&world->memory, count, sizeof *m.pieces);
    willow_result result = m.bodies && m.pieces ? find_bodies(world, bodies, &m)
                                                : wi_fail_memory(&world->message, "a merge");
    if (result == WILLOW_OK) result = merge_pieces(&m, &id);
    free_lists(&m);
    if (result != WILLOW_OK) {
        wi_parts_forget(world);
        return result;
    }
    *out = (willow_merge){.body = id, .bodies = world->merge.bodies, .body_count = count};
    return WILLOW_OK;
}
