/* edits.c - carries out edits of meshes: room first, and then what cannot fail (C6).
 *
 * Way in: wi_mesh_edit. Made for cuts that touch some hundred of many thousand triangles, step by
 * step: the first edit counts the uses of all vertices, later ones take time of what they name, but
 * where arrays have to grow, and for morphs whose targets have few vertices. */
#include "mesh/edits.h"

#include <string.h>

#include "base/check.h"
#include "base/larger.h"
#include "mesh/editing.h"
#include "mesh/motion/birth.h"
#include "mesh/owners.h"

/* ---- holes ---- */

/* Updates until a number may be used again. */
enum { HOLE_WAITS = 2 };

uint32_t wi_holes_ready(const wi_holes *holes, uint64_t updates, uint32_t wanted)
{
    uint32_t count = 0;
    while (count < wanted && holes->head + count < holes->queue.count &&
           holes->queue.items[holes->head + count].updates + HOLE_WAITS <= updates)
        count++;
    return count;
}

/* Those that are gone give their room to `more` that come. */
static bool reserve_holes(wi_memory *memory, wi_holes *holes, uint32_t more)
{
    const size_t left = holes->queue.count - holes->head;
    if (holes->head > left) {
        memmove(holes->queue.items, holes->queue.items + holes->head,
                left * sizeof *holes->queue.items);
        holes->queue.count = left;
        holes->head = 0;
    }
    return wi_array_reserve(memory, &holes->queue, holes->queue.count + more);
}

static void add_hole(wi_holes *holes, uint32_t number, uint64_t updates)
{
    WI_ASSERT(holes->queue.count < holes->queue.capacity);
    holes->queue.items[holes->queue.count++] = (wi_hole){number, updates};
}

/* ---- what edits know of a mesh ---- */

static size_t words(uint32_t count) { return ((size_t)count + 63) / 64; }

static void free_known(wi_memory *memory, wi_edits *edits)
{
    wi_free_array(memory, edits->uses, edits->vertex_room, sizeof *edits->uses);
    wi_free_array(memory, edits->marked_vertices, words(edits->vertex_room), sizeof(uint64_t));
    wi_free_array(memory, edits->marked_tris, words(edits->tri_room), sizeof(uint64_t));
}

/* Room for so many; what is known of the vertices so far is copied. */
static bool grow_known(wi_memory *memory, uint32_t vertices, uint32_t tris, wi_edits *edits)
{
    wi_edits larger = *edits;
    if (vertices <= edits->vertex_room && tris <= edits->tri_room) return true;
    larger.vertex_room = vertices;
    larger.tri_room = tris;
    larger.uses = wi_alloc_array(memory, vertices, sizeof *larger.uses);
    larger.marked_vertices = wi_alloc_array(memory, words(vertices), sizeof(uint64_t));
    larger.marked_tris = wi_alloc_array(memory, words(tris), sizeof(uint64_t));
    if ((vertices > 0 && (larger.uses == NULL || larger.marked_vertices == NULL)) ||
        (tris > 0 && larger.marked_tris == NULL)) {
        free_known(memory, &larger);
        return false;
    }
    if (vertices > 0) {
        memset(larger.uses, 0, vertices * sizeof *larger.uses);
        memset(larger.marked_vertices, 0, words(vertices) * sizeof(uint64_t));
    }
    if (tris > 0) memset(larger.marked_tris, 0, words(tris) * sizeof(uint64_t));
    if (edits->vertex_room > 0)
        memcpy(larger.uses, edits->uses, edits->vertex_room * sizeof *larger.uses);
    free_known(memory, edits);
    *edits = larger;
    return true;
}

static bool begin_edits(wi_memory *memory, wi_mesh *mesh)
{
    if (mesh->edits) return true;
    wi_edits *edits = wi_alloc(memory, sizeof *edits);
    if (edits == NULL) return false;
    *edits = (wi_edits){0};
    if (!grow_known(memory, mesh->vertex_room, mesh->tri_room, edits)) {
        wi_free(memory, edits, sizeof *edits);
        return false;
    }
    for (uint32_t slot = 0; slot < mesh->tri_count; slot++)
        for (int i = 0; i < 3; i++) edits->uses[mesh->tris[slot][i]]++;
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++)
        if (!wi_mesh_stands_for_itself(mesh, vertex)) edits->uses[mesh->stand_in[vertex]]++;
    mesh->edits = edits;
    return true;
}

void wi_edits_free(wi_memory *memory, wi_mesh *mesh)
{
    wi_edits *edits = mesh->edits;
    if (edits == NULL) return;
    free_known(memory, edits);
    wi_array_free(memory, &edits->vertex_holes.queue);
    wi_array_free(memory, &edits->tri_holes.queue);
    wi_free(memory, edits, sizeof *edits);
    mesh->edits = NULL;
}

size_t wi_edits_bytes(const wi_mesh *mesh)
{
    const wi_edits *edits = mesh->edits;
    if (edits == NULL) return 0;
    return sizeof *edits + edits->vertex_room * sizeof *edits->uses +
           (words(edits->vertex_room) + words(edits->tri_room)) * sizeof(uint64_t) +
           (edits->vertex_holes.queue.capacity + edits->tri_holes.queue.capacity) * sizeof(wi_hole);
}

/* ---- room ---- */

/* The arrays of a mesh, of which those that it does not have are NULL. */
typedef struct arrays {
    wi_point *positions, *staged, *rest;
    uint32_t *place, *stand_in;
    uint32_t (*tris)[3];
    uint16_t *groups;
    uint32_t *labels;
    uint32_t vertex_room, tri_room;
} arrays;

static void free_arrays(wi_memory *memory, const arrays *a)
{
    wi_free_array(memory, a->positions, a->vertex_room, sizeof *a->positions);
    wi_free_array(memory, a->staged, a->vertex_room, sizeof *a->staged);
    wi_free_array(memory, a->rest, a->vertex_room, sizeof *a->rest);
    wi_free_array(memory, a->place, a->vertex_room, sizeof *a->place);
    wi_free_array(memory, a->stand_in, a->vertex_room, sizeof *a->stand_in);
    wi_free_array(memory, a->tris, a->tri_room, sizeof *a->tris);
    wi_free_array(memory, a->groups, a->tri_room, sizeof *a->groups);
    wi_free_array(memory, a->labels, a->tri_room, sizeof *a->labels);
}

/* What is 1 for triangles that nobody put into a group. */
static bool needs_groups(const wi_editing *e)
{
    const willow_edit *edit = e->edit;
    return e->mesh->groups || e->mesh->masks.rows || edit->remove_triangle_count > 0 ||
           (edit->add_groups && edit->add_triangle_count > 0) ||
           (edit->replace_groups && edit->replace_triangle_count > 0);
}

static bool needs_labels(const wi_editing *e)
{
    const willow_edit *edit = e->edit;
    return e->mesh->labels || edit->label_count > 0 ||
           (edit->add_labels && edit->add_triangle_count > 0);
}

static bool needs_stand_ins(const wi_editing *e)
{
    return e->mesh->stand_in || e->edit->remove_vertex_count > 0;
}

static bool allocate_vertices(const wi_editing *e, uint32_t room, arrays *a)
{
    const bool owns = e->mesh->borrowed == NULL;
    a->vertex_room = room;
    if (room == 0) return true;
    if (owns) {
        a->positions = wi_alloc_array(e->memory, room, sizeof *a->positions);
        a->staged = wi_alloc_array(e->memory, room, sizeof *a->staged);
        a->place = wi_alloc_array(e->memory, room, sizeof *a->place);
    }
    if (e->mesh->keeps_rest) a->rest = wi_alloc_array(e->memory, room, sizeof *a->rest);
    if (needs_stand_ins(e)) a->stand_in = wi_alloc_array(e->memory, room, sizeof *a->stand_in);
    return (!owns || (a->positions && a->staged && a->place)) &&
           (!e->mesh->keeps_rest || a->rest) && (!needs_stand_ins(e) || a->stand_in);
}

static bool allocate_tris(const wi_editing *e, uint32_t room, arrays *a)
{
    a->tri_room = room;
    if (room == 0) return true;
    a->tris = wi_alloc_array(e->memory, room, sizeof *a->tris);
    if (needs_groups(e)) a->groups = wi_alloc_array(e->memory, room, sizeof *a->groups);
    if (needs_labels(e)) a->labels = wi_alloc_array(e->memory, room, sizeof *a->labels);
    return a->tris && (!needs_groups(e) || a->groups) && (!needs_labels(e) || a->labels);
}

static arrays arrays_of(const wi_mesh *mesh)
{
    return (arrays){.positions = mesh->positions,
                    .staged = mesh->staged,
                    .rest = mesh->rest,
                    .place = mesh->place,
                    .stand_in = mesh->stand_in,
                    .tris = mesh->tris,
                    .groups = mesh->groups,
                    .labels = mesh->labels,
                    .vertex_room = mesh->vertex_room,
                    .tri_room = mesh->tri_room};
}

/* The mesh gets larger arrays, and gives back its own. */
static void move_to(const wi_editing *e, const arrays *a)
{
    wi_mesh *mesh = e->mesh;
    const arrays old = arrays_of(mesh);
    const size_t vertices = mesh->vertex_count, tris = mesh->tri_count;
    if (old.positions) {
        memcpy(a->positions, old.positions, vertices * sizeof *a->positions);
        memcpy(a->place, old.place, vertices * sizeof *a->place);
    }
    if (old.rest) memcpy(a->rest, old.rest, vertices * sizeof *a->rest);
    for (uint32_t i = 0; a->stand_in && i < vertices; i++)
        a->stand_in[i] = old.stand_in ? old.stand_in[i] : i;
    if (tris > 0) memcpy(a->tris, old.tris, tris * sizeof *a->tris);
    for (uint32_t i = 0; a->groups && i < tris; i++) a->groups[i] = old.groups ? old.groups[i] : 1;
    for (uint32_t i = 0; a->labels && i < tris; i++) a->labels[i] = old.labels ? old.labels[i] : 0;
    free_arrays(e->memory, &old);
    mesh->positions = a->positions;
    mesh->staged = a->staged;
    mesh->rest = a->rest;
    mesh->place = a->place;
    mesh->stand_in = a->stand_in;
    mesh->tris = a->tris;
    mesh->groups = a->groups;
    mesh->labels = a->labels;
    mesh->vertex_room = a->vertex_room;
    mesh->tri_room = a->tri_room;
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

static uint32_t vertex_room_of(const wi_editing *e)
{
    const uint32_t wanted =
        e->mesh->vertex_count + (e->edit->add_vertex_count - e->reused_vertices);
    const uint32_t room = e->mesh->vertex_room;
    return larger(wanted > room ? wi_grown_room(room, wanted) : room, e->edit->reserve_vertices);
}

static uint32_t tri_room_of(const wi_editing *e)
{
    const uint32_t wanted = e->mesh->tri_count + (e->edit->add_triangle_count - e->reused_tris);
    const uint32_t room = e->mesh->tri_room;
    return larger(wanted > room ? wi_grown_room(room, wanted) : room, e->edit->reserve_triangles);
}

/* Arrays that are as large as that and no other are needed. */
static bool has_arrays(const wi_editing *e, uint32_t vertices, uint32_t tris)
{
    const wi_mesh *mesh = e->mesh;
    return vertices == mesh->vertex_room && tris == mesh->tri_room &&
           (mesh->groups || tris == 0 || !needs_groups(e)) &&
           (mesh->labels || tris == 0 || !needs_labels(e)) &&
           (mesh->stand_in || vertices == 0 || !needs_stand_ins(e));
}

/* False if there is no memory. Nothing has changed then that a user could see; the last step that
 * may fail comes before the first that changes the mesh. */
static bool reserve(const wi_editing *e)
{
    wi_mesh *mesh = e->mesh;
    const uint32_t vertices = vertex_room_of(e), tris = tri_room_of(e);
    const wi_motion_ops *ops = wi_mesh_motion(mesh);
    arrays a = {0};
    if (!grow_known(e->memory, vertices, tris, mesh->edits) ||
        !reserve_holes(e->memory, &mesh->edits->vertex_holes, e->edit->remove_vertex_count) ||
        !reserve_holes(e->memory, &mesh->edits->tri_holes, e->edit->remove_triangle_count) ||
        (ops->grow && !ops->grow(e->memory, mesh, vertices, e->edit->add_vertex_count)) ||
        (e->trial->goals && !wi_trial_reserve_goals(e->memory, vertices, e->trial)))
        return false;
    if (has_arrays(e, vertices, tris)) return true;
    if (!allocate_vertices(e, vertices, &a) || !allocate_tris(e, tris, &a)) {
        free_arrays(e->memory, &a);
        return false;
    }
    move_to(e, &a);
    return true;
}

/* ---- vertices ---- */

wi_birth wi_editing_birth(const wi_editing *e, uint32_t i)
{
    const willow_new_vertex *v = &e->edit->add_vertices[i];
    const uint32_t vertex = wi_editing_vertex(e, i);
    wi_birth birth = {.vertex = vertex,
                      .parent_count = v->parent_count,
                      .position = {v->position.x, v->position.y, v->position.z}};
    for (uint32_t k = 0; k < v->parent_count; k++) {
        birth.parents[k] = wi_mesh_stand_in(e->mesh, v->parents[k]);
        birth.weights[k] = (double)v->weights[k];
    }
    if (e->mesh->borrowed)
        memcpy(birth.position, wi_source_at(wi_editing_source(e), vertex), sizeof birth.position);
    return birth;
}

static void set_position(wi_mesh *mesh, const wi_birth *birth)
{
    const float *of[WI_MAX_PARENTS] = {0};
    wi_point *at = &mesh->positions[mesh->place[birth->vertex]];
    *at = (wi_point){{0.0F, 0.0F, 0.0F, 0.0F}}; /* where positions are computed, until they are */
    if (wi_mesh_is_computed(mesh)) return;
    for (uint32_t i = 0; i < birth->parent_count; i++)
        of[i] = wi_mesh_position(mesh, birth->parents[i]);
    wi_birth_value(birth, of, at->axis);
}

static void set_rest(wi_mesh *mesh, const wi_birth *birth)
{
    const float *of[WI_MAX_PARENTS] = {0};
    for (uint32_t i = 0; i < birth->parent_count; i++) of[i] = mesh->rest[birth->parents[i]].axis;
    mesh->rest[birth->vertex] = (wi_point){{0.0F, 0.0F, 0.0F, 0.0F}};
    wi_birth_value(birth, of, mesh->rest[birth->vertex].axis);
}

/* A number that was used before has a place. */
static void number_vertex(wi_mesh *mesh, uint32_t vertex, bool is_fresh)
{
    mesh->edits->uses[vertex] = 0;
    if (mesh->stand_in) mesh->stand_in[vertex] = vertex;
    if (is_fresh && mesh->place) mesh->place[vertex] = vertex;
}

static void add_vertices(const wi_editing *e)
{
    wi_mesh *mesh = e->mesh;
    const wi_motion_ops *ops = wi_mesh_motion(mesh);
    const uint32_t count = e->edit->add_vertex_count;
    mesh->vertex_count += count - e->reused_vertices;
    mesh->edits->removed_vertices -= e->reused_vertices;
    for (uint32_t i = 0; i < count; i++)
        number_vertex(mesh, wi_editing_vertex(e, i), i >= e->reused_vertices);
    for (uint32_t i = 0; i < count; i++) {
        const wi_birth birth = wi_editing_birth(e, i);
        if (mesh->positions) set_position(mesh, &birth);
        if (mesh->rest) set_rest(mesh, &birth);
        if (e->trial->goals) wi_trial_add(&birth, e->trial);
        if (ops->add) ops->add(mesh, &birth);
    }
}

/* The place of a merged vertex is its stand-in's, so its number cannot be used again. */
static void remove_vertices(const wi_editing *e)
{
    wi_mesh *mesh = e->mesh;
    const wi_motion_ops *ops = wi_mesh_motion(mesh);
    for (uint32_t i = 0; i < e->edit->remove_vertex_count; i++) {
        const uint32_t vertex = e->edit->remove_vertices[i];
        if (ops->remove) ops->remove(mesh, vertex);
        if (wi_mesh_stands_for_itself(mesh, vertex))
            add_hole(&mesh->edits->vertex_holes, vertex, e->updates);
        mesh->stand_in[vertex] = WI_NO_VERTEX;
        mesh->edits->removed_vertices++;
    }
}

/* ---- triangles ---- */

/* Uses of vertices that were there are counted already: wi_editing_check. */
static void set_corners(const wi_editing *e, uint32_t slot, const uint32_t *corners)
{
    wi_mesh *mesh = e->mesh;
    for (int i = 0; i < 3; i++) {
        const bool is_new = corners[i] >= WILLOW_NEW_VERTEX;
        const uint32_t vertex = is_new ? wi_editing_vertex(e, corners[i] - WILLOW_NEW_VERTEX)
                                       : wi_mesh_stand_in(mesh, corners[i]);
        if (is_new) mesh->edits->uses[vertex]++;
        mesh->tris[slot][i] = vertex;
    }
}

static void add_tris(const wi_editing *e)
{
    const willow_edit *edit = e->edit;
    wi_mesh *mesh = e->mesh;
    mesh->tri_count += edit->add_triangle_count - e->reused_tris;
    mesh->edits->removed_tris -= e->reused_tris;
    for (uint32_t i = 0; i < edit->add_triangle_count; i++) {
        const uint32_t slot = wi_editing_tri(e, i);
        set_corners(e, slot, edit->add_indices + 3 * (size_t)i);
        if (mesh->groups) mesh->groups[slot] = edit->add_groups ? edit->add_groups[i] : 1;
        if (mesh->labels) mesh->labels[slot] = edit->add_labels ? edit->add_labels[i] : 0;
    }
}

static void replace_tris(const wi_editing *e)
{
    const willow_edit *edit = e->edit;
    for (uint32_t i = 0; i < edit->replace_triangle_count; i++) {
        const uint32_t slot = edit->replace_triangles[i];
        set_corners(e, slot, edit->replace_indices + 3 * (size_t)i);
        if (edit->replace_groups) e->mesh->groups[slot] = edit->replace_groups[i];
    }
}

static void label_tris(const wi_editing *e)
{
    for (uint32_t i = 0; i < e->edit->label_count; i++)
        e->mesh->labels[e->edit->label_triangles[i]] = e->edit->labels[i];
}

static void remove_tris(const wi_editing *e)
{
    wi_mesh *mesh = e->mesh;
    for (uint32_t i = 0; i < e->edit->remove_triangle_count; i++) {
        const uint32_t slot = e->edit->remove_triangles[i];
        for (int k = 0; k < 3; k++) mesh->tris[slot][k] = WI_NO_VERTEX;
        mesh->groups[slot] = 0;
        if (mesh->labels) mesh->labels[slot] = 0;
        add_hole(&mesh->edits->tri_holes, slot, e->updates);
        mesh->edits->removed_tris++;
    }
}

/* ---- all of it ---- */

static void commit(const wi_editing *e)
{
    wi_mesh *mesh = e->mesh;
    add_vertices(e); /* before parents are removed */
    replace_tris(e);
    add_tris(e);
    label_tris(e);
    remove_tris(e);
    remove_vertices(e);
    mesh->edits->vertex_holes.head += e->reused_vertices;
    mesh->edits->tri_holes.head += e->reused_tris;
    if (wi_mesh_is_computed(mesh)) mesh->stored = WI_STORED_OLD;
    if (e->edit->positions) wi_mesh_borrow(mesh, wi_editing_source(e));
    wi_owners_forget(e->memory, mesh);
}

willow_result wi_mesh_edit(wi_memory *memory, wi_mesh *mesh, wi_trial *trial,
                           const willow_edit *edit, uint64_t updates, wi_message *message,
                           uint32_t *tris, uint32_t *vertices)
{
    wi_editing e = {.memory = memory,
                    .mesh = mesh,
                    .trial = trial,
                    .edit = edit,
                    .updates = updates,
                    .message = message,
                    .vertex_count = mesh->vertex_count,
                    .tri_count = mesh->tri_count};
    willow_result result = wi_editing_check_arrays(&e);
    if (result != WILLOW_OK) return result;
    if (!begin_edits(memory, mesh)) return wi_fail_memory(message, "an edit");
    e.reused_vertices = wi_holes_ready(&mesh->edits->vertex_holes, updates, edit->add_vertex_count);
    e.reused_tris = wi_holes_ready(&mesh->edits->tri_holes, updates, edit->add_triangle_count);
    result = wi_editing_check(&e);
    if (result != WILLOW_OK) return result;
    if (!reserve(&e)) {
        wi_editing_undo(&e);
        return wi_fail_memory(message, "an edit");
    }
    for (uint32_t i = 0; vertices && i < edit->add_vertex_count; i++)
        vertices[i] = wi_editing_vertex(&e, i);
    for (uint32_t i = 0; tris && i < edit->add_triangle_count; i++) tris[i] = wi_editing_tri(&e, i);
    commit(&e);
    WI_ASSERT_SLOW(wi_mesh_validate(mesh) == NULL);
    return WILLOW_OK;
}

/* ---- soundness ---- */

static bool is_whole_hole(const wi_mesh *mesh, uint32_t slot)
{
    const uint32_t *tri = mesh->tris[slot];
    return tri[0] == WI_NO_VERTEX && tri[1] == WI_NO_VERTEX && tri[2] == WI_NO_VERTEX &&
           mesh->groups && mesh->groups[slot] == 0;
}

const char *wi_edits_validate(const wi_mesh *mesh)
{
    const wi_edits *edits = mesh->edits;
    if (edits == NULL) return NULL;
    uint64_t uses = 0, named = 0;
    uint32_t removed_tris = 0, removed_vertices = 0;
    for (uint32_t slot = 0; slot < mesh->tri_count; slot++) {
        if (!wi_mesh_has_tri(mesh, slot)) {
            removed_tris++;
            if (!is_whole_hole(mesh, slot)) return "M17: a removed triangle is not gone";
            continue;
        }
        named += 3;
        for (int i = 0; i < 3; i++)
            if (edits->uses[mesh->tris[slot][i]] == 0) return "M18: a use was not counted";
    }
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++) {
        uses += edits->uses[vertex];
        removed_vertices += !wi_mesh_has_vertex(mesh, vertex);
        if (!wi_mesh_has_vertex(mesh, vertex) && edits->uses[vertex] > 0)
            return "M17: a removed vertex is used";
        named += wi_mesh_has_vertex(mesh, vertex) && !wi_mesh_stands_for_itself(mesh, vertex);
    }
    if (uses != named) return "M18: a use was counted that is none";
    if (removed_tris != edits->removed_tris || removed_vertices != edits->removed_vertices)
        return "M18: other numbers are holes";
    return NULL;
}
