/* features.c - decides contacts of vertices with faces and of edges with edges. */
#include "walk/features.h"

#include <string.h>

#include "mesh/owners.h"
#include "prim/distance.h"
#include "prim/toi.h"
#include "prim/tri_tri.h"

/* A triangle of one of the bodies at hand. */
typedef struct face {
    const wi_mesh *mesh;
    const uint32_t *vertices;
    uint8_t owned;
} face;

/* One feature: up to three vertices, of which an edge has two, the lower one first. */
typedef struct feature {
    const wi_side *side;
    uint32_t vertex[3];
    unsigned count;
} feature;

static feature corner_of(const wi_side *side, const face *f, unsigned i)
{
    return (feature){.side = side, .vertex = {f->vertices[i]}, .count = 1};
}

static feature whole_of(const wi_side *side, const face *f)
{
    return (feature){
        .side = side, .vertex = {f->vertices[0], f->vertices[1], f->vertices[2]}, .count = 3};
}

static feature edge_of(const wi_side *side, const face *f, unsigned i)
{
    const uint32_t u = f->vertices[i], v = f->vertices[(i + 1) % 3];
    return (feature){.side = side, .vertex = {u < v ? u : v, u < v ? v : u}, .count = 2};
}

static bool share_a_vertex(const feature *f, const feature *g)
{
    if (f->side->start != g->side->start) return false;
    for (unsigned i = 0; i < f->count; i++)
        for (unsigned k = 0; k < g->count; k++)
            if (f->vertex[i] == g->vertex[k]) return true;
    return false;
}

/* ---- when ---- */

/* Four points on bent paths. */
typedef struct bent {
    const feature *of[2]; /* one and three points, or two and two */
    const wi_paths *ends;
} bent;

static void bulge_at(const feature *f, unsigned i, double t, double out[3])
{
    const wi_mesh *start = f->side->start->mesh, *end = f->side->motion.end->mesh;
    const wi_spin *spin = f->side->motion.spin;
    out[0] = out[1] = out[2] = 0.0;
    if (spin)
        wi_spin_bulge(spin, wi_mesh_position(start, f->vertex[i]),
                      wi_mesh_position(end, f->vertex[i]), t, out);
}

static void bent_at(const void *context, double t, double out[4][3])
{
    const bent *b = context;
    unsigned point = 0;
    for (int side = 0; side < 2; side++)
        for (unsigned i = 0; i < b->of[side]->count; i++, point++) {
            double bulge[3];
            bulge_at(b->of[side], i, t, bulge);
            for (int axis = 0; axis < 3; axis++)
                out[point][axis] =
                    ((1.0 - t) * b->ends->start[point][axis] + t * b->ends->end[point][axis]) +
                    bulge[axis];
        }
}

static void put_points(const feature *f, unsigned first, wi_paths *paths)
{
    const wi_mesh *start = f->side->start->mesh, *end = f->side->motion.end->mesh;
    for (unsigned i = 0; i < f->count; i++) {
        float p[4], q[4];
        wi_mesh_world_position(start, f->vertex[i], p);
        wi_mesh_world_position(end, f->vertex[i], q);
        for (int axis = 0; axis < 3; axis++) {
            paths->start[first + i][axis] = (double)p[axis];
            paths->end[first + i][axis] = (double)q[axis];
        }
    }
}

/* The sums and products of bent_at are in double, each within 2^-53 of what it stands for: some
 * twenty of them, on numbers of the size of the bodies. */
static double rounding_of(const wi_side *side)
{
    const wi_hierarchy *start = side->start, *end = side->motion.end;
    return 0x1p-46 * (wi_box_size(&start->world_bounds) + wi_box_size(&end->world_bounds) +
                      start->size + end->size);
}

/* `f` is the vertex, or the edge of a. */
static willow_toi find_time(const wi_walk *walk, const feature *f, const feature *g, double *time)
{
    const wi_step *step = &walk->step;
    const wi_toi_limits limits = {.reach = step->reach,
                                  .tolerance = walk->rules.tolerance,
                                  .max_iterations = walk->rules.max_iterations,
                                  .until = step->until};
    wi_paths paths = {.at = NULL};
    const bent paths_between = {{f, g}, &paths};
    put_points(f, 0, &paths);
    put_points(g, f->count, &paths);
    if (step->is_bent) {
        paths.at = bent_at;
        paths.context = &paths_between;
        paths.bend = step->bend;
        paths.slack = rounding_of(&step->a) + rounding_of(&step->b);
    }
    return f->count == 1 ? wi_vertex_face_toi(&paths, &limits, time)
                         : wi_edge_edge_toi(&paths, &limits, time);
}

/* ---- how far ---- */

static void put_corners(const feature *f, bool at_rest, float out[3][3])
{
    const wi_mesh *mesh = f->side->start->mesh;
    for (unsigned i = 0; i < f->count; i++) {
        float p[4];
        if (at_rest)
            memcpy(p, mesh->rest[f->vertex[i]].axis, sizeof p);
        else
            wi_mesh_world_position(mesh, f->vertex[i], p);
        memcpy(out[i], p, 3 * sizeof *p);
    }
}

static wi_closest_points find_closest(const feature *f, const feature *g, bool at_rest)
{
    float p[3][3];
    wi_tri tri;
    put_corners(f, at_rest, p);
    put_corners(g, at_rest, tri.corner);
    if (f->count == 3)
        return wi_tri_tri_closest(&(wi_tri){{{p[0][0], p[0][1], p[0][2]},
                                             {p[1][0], p[1][1], p[1][2]},
                                             {p[2][0], p[2][1], p[2][2]}}},
                                  &tri);
    return f->count == 1
               ? wi_point_tri_closest(p[0], &tri)
               : wi_edge_edge_closest((const float(*)[3])p, (const float(*)[3])tri.corner);
}

static bool was_close_at_rest(const wi_walk *walk, const feature *f, const feature *g)
{
    if (!walk->rules.skip_rest || f->side->start != g->side->start) return false;
    return f->side->start->mesh->rest && find_closest(f, g, true).distance <= walk->step.reach;
}

/* ---- contacts ---- */

/* Adds the contact of two features, if there is one; `f` is the vertex, or the edge or face of a.
 */
static bool test(wi_walk *walk, wi_pair_key key, unsigned code, const feature *f, const feature *g)
{
    wi_contact contact = {.key = key, .pair = walk->pair, .code = (uint8_t)code};
    walk->stats.feature_tests++;
    if (walk->rules.wanted == WI_IMPACTS || walk->rules.wanted == WI_FIRST_IMPACT) {
        const willow_toi found = find_time(walk, f, g, &contact.value);
        if (found == WILLOW_TOI_NONE) return true;
        contact.is_decided = found == WILLOW_TOI_IMPACT;
    } else {
        const wi_closest_points c = find_closest(f, g, false);
        const bool is_swapped = code >= WI_FACE_VERTEX && code < WI_EDGE_EDGE;
        if (!(c.distance <= walk->step.reach)) return true;
        contact.value = c.distance;
        contact.is_decided = true;
        for (int axis = 0; axis < 3; axis++) {
            contact.point_a[axis] = (float)(is_swapped ? c.on_b : c.on_a)[axis];
            contact.point_b[axis] = (float)(is_swapped ? c.on_a : c.on_b)[axis];
        }
    }
    if (was_close_at_rest(walk, f, g)) return true;
    if (walk->rules.wanted == WI_FIRST_IMPACT && contact.value < walk->step.until)
        wi_step_limit(&walk->step, contact.value);
    return wi_array_push(walk->memory, &walk->contacts, contact);
}

static bool test_corners(wi_walk *walk, wi_pair_key key, const face *a, const face *b)
{
    const wi_side *side_a = &walk->step.a, *side_b = &walk->step.b;
    const feature face_a = whole_of(side_a, a), face_b = whole_of(side_b, b);
    for (unsigned i = 0; i < 3; i++) {
        const feature f = corner_of(side_a, a, i);
        const bool is_asked = (a->owned >> i & 1) != 0 && !share_a_vertex(&f, &face_b);
        if (is_asked && !test(walk, key, i, &f, &face_b)) return false;
    }
    for (unsigned i = 0; i < 3; i++) {
        const feature f = corner_of(side_b, b, i);
        const bool is_asked = (b->owned >> i & 1) != 0 && !share_a_vertex(&f, &face_a);
        if (is_asked && !test(walk, key, WI_FACE_VERTEX + i, &f, &face_a)) return false;
    }
    return true;
}

static bool test_edges(wi_walk *walk, wi_pair_key key, const face *a, const face *b)
{
    for (unsigned i = 0; i < 3; i++) {
        const feature f = edge_of(&walk->step.a, a, i);
        if ((a->owned >> (WI_OWNED_EDGES + i) & 1) == 0) continue;
        for (unsigned k = 0; k < 3; k++) {
            const feature g = edge_of(&walk->step.b, b, k);
            if ((b->owned >> (WI_OWNED_EDGES + k) & 1) == 0 || share_a_vertex(&f, &g)) continue;
            if (!test(walk, key, WI_EDGE_EDGE + 3 * i + k, &f, &g)) return false;
        }
    }
    return true;
}

static face face_of(const wi_side *side, uint32_t slot)
{
    const wi_mesh *mesh = side->start->mesh;
    return (face){.mesh = mesh, .vertices = mesh->tris[slot]};
}

bool wi_test_features(wi_walk *walk, uint32_t slot_a, uint32_t slot_b)
{
    const wi_side *side_a = &walk->step.a, *side_b = &walk->step.b;
    const wi_pair_key key = wi_pair_key_of(slot_a, slot_b);
    face a = face_of(side_a, slot_a), b = face_of(side_b, slot_b);
    if (walk->rules.wanted == WI_NEAR_TRIS) {
        const feature f = whole_of(side_a, &a), g = whole_of(side_b, &b);
        if (walk->rules.skip_neighbours && share_a_vertex(&f, &g)) return true;
        return test(walk, key, WI_FACE_FACE, &f, &g);
    }
    const uint8_t *owners_a = wi_mesh_owners(walk->memory, a.mesh);
    const uint8_t *owners_b = wi_mesh_owners(walk->memory, b.mesh);
    if (owners_a == NULL || owners_b == NULL) return false;
    a.owned = owners_a[slot_a];
    b.owned = owners_b[slot_b];
    return test_corners(walk, key, &a, &b) && test_edges(walk, key, &a, &b);
}

/* ---- as users see them ---- */

static willow_feature public_vertex(const wi_mesh *mesh, uint32_t slot, unsigned i)
{
    const uint32_t vertex = mesh->tris[slot][i];
    return (willow_feature){WILLOW_FEATURE_VERTEX, {vertex, vertex}};
}

static willow_feature public_edge(const wi_mesh *mesh, uint32_t slot, unsigned i)
{
    const uint32_t u = mesh->tris[slot][i], v = mesh->tris[slot][(i + 1) % 3];
    return (willow_feature){WILLOW_FEATURE_EDGE, {u < v ? u : v, u < v ? v : u}};
}

static willow_feature public_face(uint32_t slot)
{
    return (willow_feature){WILLOW_FEATURE_FACE, {slot, slot}};
}

static willow_feature feature_of_a(const wi_mesh *a, const wi_contact *contact)
{
    const uint32_t slot = (uint32_t)(contact->key >> 32);
    const unsigned code = contact->code;
    if (code < WI_FACE_VERTEX) return public_vertex(a, slot, code);
    if (code < WI_EDGE_EDGE || code == WI_FACE_FACE) return public_face(slot);
    return public_edge(a, slot, (code - WI_EDGE_EDGE) / 3);
}

static willow_feature feature_of_b(const wi_mesh *b, const wi_contact *contact)
{
    const uint32_t slot = (uint32_t)contact->key;
    const unsigned code = contact->code;
    if (code < WI_FACE_VERTEX || code == WI_FACE_FACE) return public_face(slot);
    if (code < WI_EDGE_EDGE) return public_vertex(b, slot, code - WI_FACE_VERTEX);
    return public_edge(b, slot, (code - WI_EDGE_EDGE) % 3);
}

willow_impact wi_contact_impact(const wi_mesh *a, const wi_mesh *b, const wi_contact *contact)
{
    return (willow_impact){.a = feature_of_a(a, contact),
                           .b = feature_of_b(b, contact),
                           .time = contact->value,
                           .is_decided = contact->is_decided};
}
