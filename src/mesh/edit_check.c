/* edit_check.c - refuses bad edits, with words that name the triangle or the vertex (C7).
 *
 * Way in: wi_editing_check_arrays, then wi_editing_check. It takes time of what the edit names, not
 * of the mesh: bits say what was named before, and uses of vertices are counted on and back. */
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "mesh/editing.h"

/* How far the weights of parents may sum up beside 1. */
static const double WEIGHTS_OFF = 0x1p-10;

/* ---- how arrays are handed over ---- */

static willow_result check_array(const wi_editing *e, const void *array, size_t unit,
                                 uint32_t count, const char *what)
{
    if (count == 0) return WILLOW_OK;
    if (array == NULL)
        return wi_fail(e->message, WILLOW_BAD_ARGUMENT, "%u %s, which are NULL", count, what);
    if ((uintptr_t)array % unit != 0)
        return wi_fail(e->message, WILLOW_BAD_ARGUMENT, "%s are not aligned to %zu bytes", what,
                       unit);
    return WILLOW_OK;
}

/* One that may be missing. */
static willow_result check_optional(const wi_editing *e, const void *array, size_t unit,
                                    uint32_t count, const char *what)
{
    return array ? check_array(e, array, unit, count, what) : WILLOW_OK;
}

static willow_result check_borrowed(const wi_editing *e)
{
    const willow_edit *edit = e->edit;
    const size_t unit = sizeof(float);
    if (edit->positions && e->mesh->borrowed == NULL)
        return wi_fail(e->message, WILLOW_BAD_ARGUMENT,
                       "positions for a body that does not borrow its vertices");
    if (edit->positions == NULL && e->mesh->borrowed && edit->add_vertex_count > 0)
        return wi_fail(e->message, WILLOW_BAD_ARGUMENT,
                       "the body borrows its vertices: %u new ones and no positions",
                       edit->add_vertex_count);
    if ((uintptr_t)edit->positions % unit != 0)
        return wi_fail(e->message, WILLOW_BAD_ARGUMENT, "positions are not aligned to 4 bytes");
    if (edit->stride != 0 && (edit->stride < 3 * unit || edit->stride % unit != 0))
        return wi_fail(e->message, WILLOW_BAD_ARGUMENT,
                       "a stride of %zu bytes: it must be a multiple of 4 and at least 12",
                       edit->stride);
    return WILLOW_OK;
}

willow_result wi_editing_check_arrays(const wi_editing *e)
{
    const willow_edit *edit = e->edit;
    const struct {
        const void *array;
        size_t unit;
        uint32_t count;
        bool is_optional;
        const char *what;
    } arrays[] = {
        {edit->add_vertices, 4, edit->add_vertex_count, false, "vertices to add"},
        {edit->remove_vertices, 4, edit->remove_vertex_count, false, "vertices to remove"},
        {edit->add_indices, 4, edit->add_triangle_count, false, "triangles to add"},
        {edit->add_groups, 2, edit->add_triangle_count, true, "groups to add"},
        {edit->add_labels, 4, edit->add_triangle_count, true, "labels to add"},
        {edit->label_triangles, 4, edit->label_count, false, "triangles to label"},
        {edit->labels, 4, edit->label_count, false, "labels"},
        {edit->replace_triangles, 4, edit->replace_triangle_count, false, "triangles to replace"},
        {edit->replace_indices, 4, edit->replace_triangle_count, false, "indices to replace"},
        {edit->replace_groups, 2, edit->replace_triangle_count, true, "groups to replace"},
        {edit->remove_triangles, 4, edit->remove_triangle_count, false, "triangles to remove"},
    };
    willow_result result = check_borrowed(e);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays && result == WILLOW_OK; i++)
        result = (arrays[i].is_optional ? check_optional : check_array)(
            e, arrays[i].array, arrays[i].unit, arrays[i].count, arrays[i].what);
    return result;
}

/* ---- numbers ---- */

static bool is_marked(const uint64_t *bits, uint32_t number)
{
    return (bits[number / 64] >> number % 64 & 1) != 0;
}

static void mark(uint64_t *bits, uint32_t number)
{
    bits[number / 64] |= UINT64_C(1) << number % 64;
}

static void unmark(uint64_t *bits, uint32_t number)
{
    bits[number / 64] &= ~(UINT64_C(1) << number % 64);
}

static willow_result mark_tris(const wi_editing *e, const uint32_t *slots, uint32_t count,
                               const char *what)
{
    const wi_mesh *mesh = e->mesh;
    for (uint32_t i = 0; i < count; i++) {
        if (slots[i] >= mesh->tri_count)
            return wi_fail(e->message, WILLOW_BAD_ARGUMENT,
                           "triangle %u is to be %s; the mesh has %u", slots[i], what,
                           mesh->tri_count);
        if (!wi_mesh_has_tri(mesh, slots[i]))
            return wi_fail(e->message, WILLOW_BAD_ARGUMENT,
                           "triangle %u is to be %s, and was removed", slots[i], what);
        if (is_marked(mesh->edits->marked_tris, slots[i]))
            return wi_fail(e->message, WILLOW_BAD_ARGUMENT,
                           "triangle %u is to be %s, and named before", slots[i], what);
        mark(mesh->edits->marked_tris, slots[i]);
    }
    return WILLOW_OK;
}

/* After those that are removed are marked, and before any others. Twice is fine: the last counts.
 */
static willow_result check_labelled(const wi_editing *e)
{
    const wi_mesh *mesh = e->mesh;
    for (uint32_t i = 0; i < e->edit->label_count; i++) {
        const uint32_t slot = e->edit->label_triangles[i];
        if (slot >= mesh->tri_count)
            return wi_fail(e->message, WILLOW_BAD_ARGUMENT,
                           "triangle %u is to be labelled; the mesh has %u", slot, mesh->tri_count);
        if (!wi_mesh_has_tri(mesh, slot) || is_marked(mesh->edits->marked_tris, slot))
            return wi_fail(e->message, WILLOW_BAD_ARGUMENT,
                           "triangle %u is to be labelled, and %s removed", slot,
                           wi_mesh_has_tri(mesh, slot) ? "is to be" : "was");
    }
    return WILLOW_OK;
}

static willow_result mark_vertices(const wi_editing *e)
{
    const wi_mesh *mesh = e->mesh;
    for (uint32_t i = 0; i < e->edit->remove_vertex_count; i++) {
        const uint32_t vertex = e->edit->remove_vertices[i];
        if (vertex >= mesh->vertex_count)
            return wi_fail(e->message, WILLOW_BAD_ARGUMENT,
                           "vertex %u is to be removed; the mesh has %u", vertex,
                           mesh->vertex_count);
        if (!wi_mesh_has_vertex(mesh, vertex))
            return wi_fail(e->message, WILLOW_BAD_ARGUMENT,
                           "vertex %u is to be removed, and was before", vertex);
        if (is_marked(mesh->edits->marked_vertices, vertex))
            return wi_fail(e->message, WILLOW_BAD_ARGUMENT, "vertex %u is to be removed twice",
                           vertex);
        mark(mesh->edits->marked_vertices, vertex);
    }
    return WILLOW_OK;
}

/* Numbers that are out of range were never marked. */
static void clear_marks(const wi_editing *e)
{
    const wi_mesh *mesh = e->mesh;
    const willow_edit *edit = e->edit;
    for (uint32_t i = 0; i < edit->remove_triangle_count; i++)
        if (edit->remove_triangles[i] < mesh->tri_count)
            unmark(mesh->edits->marked_tris, edit->remove_triangles[i]);
    for (uint32_t i = 0; i < edit->replace_triangle_count; i++)
        if (edit->replace_triangles[i] < mesh->tri_count)
            unmark(mesh->edits->marked_tris, edit->replace_triangles[i]);
    for (uint32_t i = 0; i < edit->remove_vertex_count; i++)
        if (edit->remove_vertices[i] < mesh->vertex_count)
            unmark(mesh->edits->marked_vertices, edit->remove_vertices[i]);
}

/* ---- new vertices ---- */

static willow_result check_weights(const wi_editing *e, uint32_t number)
{
    const willow_new_vertex *v = &e->edit->add_vertices[number];
    double sum = 0.0;
    for (uint32_t i = 0; i < v->parent_count; i++) {
        if (!(v->weights[i] - v->weights[i] == 0.0F))
            return wi_fail(e->message, WILLOW_BAD_MESH,
                           "the weight of parent %u of new vertex %u is %g", v->parents[i], number,
                           (double)v->weights[i]);
        sum += (double)v->weights[i];
    }
    if (v->parent_count > 0 && fabs(sum - 1.0) > WEIGHTS_OFF)
        return wi_fail(e->message, WILLOW_BAD_MESH, "the weights of new vertex %u sum up to %g",
                       number, sum);
    return WILLOW_OK;
}

/* In a mesh that borrows it is where the new array says. */
static willow_result check_position(const wi_editing *e, uint32_t number)
{
    const willow_new_vertex *v = &e->edit->add_vertices[number];
    const float own[3] = {v->position.x, v->position.y, v->position.z}, *p = own;
    if (e->mesh->borrowed)
        p = wi_source_at(wi_editing_source(e), wi_editing_vertex(e, number));
    else if (v->parent_count > 0)
        return WILLOW_OK;
    if (wi_finite_test(p) == 0.0F) return WILLOW_OK;
    return wi_fail(e->message, WILLOW_BAD_MESH, "new vertex %u is at (%g, %g, %g): not finite",
                   number, (double)p[0], (double)p[1], (double)p[2]);
}

static willow_result check_motion(const wi_editing *e, uint32_t number)
{
    const wi_motion_ops *ops = wi_mesh_motion(e->mesh);
    if (ops->refuse == NULL) return WILLOW_OK;
    const wi_birth birth = wi_editing_birth(e, number);
    const char *words = ops->refuse(e->mesh, &birth);
    if (words == NULL) return WILLOW_OK;
    return wi_fail(e->message, WILLOW_BAD_MESH, "new vertex %u %s", number, words);
}

static willow_result check_new_vertex(const wi_editing *e, uint32_t number)
{
    const willow_new_vertex *v = &e->edit->add_vertices[number];
    if (v->parent_count > WI_MAX_PARENTS)
        return wi_fail(e->message, WILLOW_BAD_ARGUMENT,
                       "new vertex %u has %u parents; %d is the most", number, v->parent_count,
                       WI_MAX_PARENTS);
    for (uint32_t i = 0; i < v->parent_count; i++) {
        if (v->parents[i] >= e->mesh->vertex_count)
            return wi_fail(e->message, WILLOW_BAD_ARGUMENT,
                           "new vertex %u has parent %u; the mesh has %u", number, v->parents[i],
                           e->mesh->vertex_count);
        if (!wi_mesh_has_vertex(e->mesh, v->parents[i]))
            return wi_fail(e->message, WILLOW_BAD_ARGUMENT,
                           "new vertex %u has parent %u, which was removed", number, v->parents[i]);
    }
    willow_result result = check_weights(e, number);
    if (result == WILLOW_OK) result = check_position(e, number);
    return result == WILLOW_OK ? check_motion(e, number) : result;
}

/* ---- new corners ---- */

/* `what` is "triangle", or "new triangle". */
static willow_result check_corners(const wi_editing *e, const uint32_t *corners, const char *what,
                                   uint32_t number)
{
    const wi_mesh *mesh = e->mesh;
    for (int i = 0; i < 3; i++) {
        const uint32_t vertex = corners[i];
        if (vertex >= WILLOW_NEW_VERTEX) {
            if (vertex - WILLOW_NEW_VERTEX < e->edit->add_vertex_count) continue;
            return wi_fail(e->message, WILLOW_BAD_MESH, "%s %u names new vertex %u of %u", what,
                           number, vertex - WILLOW_NEW_VERTEX, e->edit->add_vertex_count);
        }
        if (vertex >= mesh->vertex_count)
            return wi_fail(e->message, WILLOW_BAD_MESH, "%s %u names vertex %u; the mesh has %u",
                           what, number, vertex, mesh->vertex_count);
        if (!wi_mesh_has_vertex(mesh, vertex) || is_marked(mesh->edits->marked_vertices, vertex))
            return wi_fail(e->message, WILLOW_BAD_MESH, "%s %u names vertex %u, which %s removed",
                           what, number, vertex,
                           wi_mesh_has_vertex(mesh, vertex) ? "is to be" : "was");
    }
    return WILLOW_OK;
}

static willow_result check_group(const wi_editing *e, const uint16_t *groups, uint32_t i,
                                 const char *what, uint32_t number)
{
    const wi_group_masks *masks = &e->mesh->masks;
    const uint32_t group = groups ? groups[i] : 1;
    if (masks->rows == NULL || group < masks->count) return WILLOW_OK;
    return wi_fail(e->message, WILLOW_BAD_MESH,
                   "%s %u is in group %u; the mesh has group masks for %u", what, number, group,
                   masks->count);
}

static willow_result check_new_tris(const wi_editing *e)
{
    const willow_edit *edit = e->edit;
    willow_result result = WILLOW_OK;
    for (uint32_t i = 0; i < edit->add_triangle_count && result == WILLOW_OK; i++) {
        result = check_corners(e, edit->add_indices + 3 * (size_t)i, "new triangle", i);
        if (result == WILLOW_OK) result = check_group(e, edit->add_groups, i, "new triangle", i);
    }
    for (uint32_t i = 0; i < edit->replace_triangle_count && result == WILLOW_OK; i++) {
        const uint32_t slot = edit->replace_triangles[i];
        result = check_corners(e, edit->replace_indices + 3 * (size_t)i, "triangle", slot);
        if (result == WILLOW_OK && edit->replace_groups)
            result = check_group(e, edit->replace_groups, i, "triangle", slot);
    }
    return result;
}

/* ---- vertices that go ---- */

static void count_corners(const wi_editing *e, const uint32_t *corners, uint32_t more)
{
    for (int i = 0; i < 3; i++)
        if (corners[i] < WILLOW_NEW_VERTEX)
            e->mesh->edits->uses[wi_mesh_stand_in(e->mesh, corners[i])] += more;
}

/* Uses after the edit; with UINT32_MAX, which is -1, those before it. */
static void count_uses(const wi_editing *e, uint32_t one)
{
    const willow_edit *edit = e->edit;
    const wi_mesh *mesh = e->mesh;
    for (uint32_t i = 0; i < edit->add_triangle_count; i++)
        count_corners(e, edit->add_indices + 3 * (size_t)i, one);
    for (uint32_t i = 0; i < edit->replace_triangle_count; i++) {
        count_corners(e, edit->replace_indices + 3 * (size_t)i, one);
        count_corners(e, mesh->tris[edit->replace_triangles[i]], 0 - one);
    }
    for (uint32_t i = 0; i < edit->remove_triangle_count; i++)
        count_corners(e, mesh->tris[edit->remove_triangles[i]], 0 - one);
    for (uint32_t i = 0; i < edit->remove_vertex_count; i++) {
        const uint32_t vertex = edit->remove_vertices[i];
        if (!wi_mesh_stands_for_itself(mesh, vertex))
            mesh->edits->uses[mesh->stand_in[vertex]] -= one;
    }
}

void wi_editing_undo(const wi_editing *e) { count_uses(e, UINT32_MAX); }

static willow_result check_unused(const wi_editing *e)
{
    for (uint32_t i = 0; i < e->edit->remove_vertex_count; i++) {
        const uint32_t vertex = e->edit->remove_vertices[i];
        const uint32_t uses = e->mesh->edits->uses[vertex];
        if (uses > 0 && wi_mesh_stands_for_itself(e->mesh, vertex))
            return wi_fail(e->message, WILLOW_BAD_ARGUMENT,
                           "vertex %u is to be removed, and used %u times", vertex, uses);
    }
    return WILLOW_OK;
}

/* ---- all of it ---- */

static willow_result check_counts(const wi_editing *e)
{
    const willow_edit *edit = e->edit;
    const uint64_t vertices =
        (uint64_t)e->mesh->vertex_count + edit->add_vertex_count - e->reused_vertices;
    const uint64_t tris = (uint64_t)e->mesh->tri_count + edit->add_triangle_count - e->reused_tris;
    const uint32_t most = UINT32_MAX / 3;
    if (vertices > WILLOW_NEW_VERTEX || edit->reserve_vertices > WILLOW_NEW_VERTEX)
        return wi_fail(e->message, WILLOW_BAD_MESH, "too many vertices: %u is the most",
                       WILLOW_NEW_VERTEX);
    if (tris > most || edit->reserve_triangles > most)
        return wi_fail(e->message, WILLOW_BAD_MESH, "too many triangles: %u is the most", most);
    return WILLOW_OK;
}

static willow_result check_content(const wi_editing *e)
{
    const willow_edit *edit = e->edit;
    willow_result result = check_counts(e);
    if (result == WILLOW_OK)
        result = mark_tris(e, edit->remove_triangles, edit->remove_triangle_count, "removed");
    if (result == WILLOW_OK) result = check_labelled(e);
    if (result == WILLOW_OK)
        result = mark_tris(e, edit->replace_triangles, edit->replace_triangle_count, "replaced");
    for (uint32_t i = 0; i < edit->add_vertex_count && result == WILLOW_OK; i++)
        result = check_new_vertex(e, i);
    if (result == WILLOW_OK) result = mark_vertices(e);
    return result == WILLOW_OK ? check_new_tris(e) : result;
}

willow_result wi_editing_check(const wi_editing *e)
{
    willow_result result = check_content(e);
    if (result == WILLOW_OK) {
        count_uses(e, 1);
        result = check_unused(e);
        if (result != WILLOW_OK) wi_editing_undo(e);
    }
    clear_marks(e);
    return result;
}
