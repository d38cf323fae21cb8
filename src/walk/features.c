/* features.c - decides contacts of vertices with faces and of edges with edges. */
#include "walk/features.h"

#include <string.h>

#include "mesh/owners.h"
#include "prim/distance.h"
#include "prim/toi.h"
#include "prim/tri_tri.h"

/* A vertex, an edge (the lower vertex first) or a face of one of the bodies at hand. */
typedef struct feature {
    const wi_side *side;
    uint32_t vertex[3];
    unsigned count;
    uint32_t slot;  /* the triangle that it belongs to */
    unsigned index; /* which of its corners or edges it is */
} feature;

/* A triangle of one of the bodies at hand. */
typedef struct face {
    const wi_side *side;
    uint32_t slot;
    const uint32_t *vertices;
    const wi_owners *owners;
    uint8_t owned;   /* what is asked of it */
    bool is_grouped; /* by its group: these may belong to triangles of other groups */
} face;

static feature whole_of(const face *f)
{
    return (feature){.side = f->side,
                     .vertex = {f->vertices[0], f->vertices[1], f->vertices[2]},
                     .count = 3,
                     .slot = f->slot};
}

static feature corner_of(const face *f, unsigned i)
{
    const wi_mesh *mesh = f->side->start->mesh;
    feature c = {
        .side = f->side, .vertex = {f->vertices[i]}, .count = 1, .slot = f->slot, .index = i};
    if (!f->is_grouped) return c;
    c.slot = f->owners->corner[f->slot][i];
    for (c.index = 0; mesh->tris[c.slot][c.index] != c.vertex[0];) c.index++;
    return c;
}

static void set_edge(const uint32_t tri[3], unsigned i, uint32_t edge[2])
{
    const uint32_t u = tri[i], v = tri[(i + 1) % 3];
    edge[0] = u < v ? u : v;
    edge[1] = u < v ? v : u;
}

static feature edge_of(const face *f, unsigned i)
{
    const wi_mesh *mesh = f->side->start->mesh;
    feature e = {.side = f->side, .count = 2, .slot = f->slot, .index = i};
    uint32_t other[2];
    set_edge(f->vertices, i, e.vertex);
    if (!f->is_grouped) return e;
    e.slot = f->owners->edge[f->slot][i];
    e.index = 0;
    for (;; e.index++) {
        set_edge(mesh->tris[e.slot], e.index, other);
        if (other[0] == e.vertex[0] && other[1] == e.vertex[1]) return e;
    }
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

/* on_a is on `f`, on_b on `g`. */
static wi_closest_points find_closest(const feature *f, const feature *g, bool at_rest)
{
    wi_tri p, q;
    put_corners(f, at_rest, p.corner);
    put_corners(g, at_rest, q.corner);
    if (f->count == 2)
        return wi_edge_edge_closest((const float(*)[3])p.corner, (const float(*)[3])q.corner);
    if (f->count == 1) return wi_point_tri_closest(p.corner[0], &q);
    if (g->count == 3) return wi_tri_tri_closest(&p, &q);
    const wi_closest_points c = wi_point_tri_closest(q.corner[0], &p);
    return (wi_closest_points){.distance = c.distance,
                               .on_a = {c.on_b[0], c.on_b[1], c.on_b[2]},
                               .on_b = {c.on_a[0], c.on_a[1], c.on_a[2]}};
}

static bool was_close_at_rest(const wi_walk *walk, const feature *f, const feature *g)
{
    if (!walk->rules.skip_rest || f->side->start != g->side->start) return false;
    return f->side->start->mesh->rest && find_closest(f, g, true).distance <= walk->step.reach;
}

/* ---- contacts ---- */

static unsigned code_of(const feature *f, const feature *g)
{
    if (f->count == 2) return WI_EDGE_EDGE + 3 * f->index + g->index;
    if (f->count == 1) return f->index;
    return g->count == 1 ? WI_FACE_VERTEX + g->index : WI_FACE_FACE;
}

static bool find_impact(const wi_walk *walk, const feature *f, const feature *g,
                        wi_contact *contact)
{
    const bool is_face_first = f->count == 3;
    const willow_toi found =
        find_time(walk, is_face_first ? g : f, is_face_first ? f : g, &contact->value);
    contact->is_decided = found == WILLOW_TOI_IMPACT;
    return found != WILLOW_TOI_NONE;
}

static bool find_near(const wi_walk *walk, const feature *f, const feature *g, wi_contact *contact)
{
    const wi_closest_points c = find_closest(f, g, false);
    contact->value = c.distance;
    contact->is_decided = true;
    for (int axis = 0; axis < 3; axis++) {
        contact->point_a[axis] = (float)c.on_a[axis];
        contact->point_b[axis] = (float)c.on_b[axis];
    }
    return c.distance <= walk->step.reach;
}

static bool is_about_steps(const wi_walk *walk)
{
    return walk->rules.wanted == WI_IMPACTS || walk->rules.wanted == WI_FIRST_IMPACT;
}

/* Adds the contact of two features, of side a and of side b, if there is one. Within one body they
 * may have to change sides, since those that they belong to are the ones that are in order. */
static bool test(wi_walk *walk, const feature *f, const feature *g)
{
    const bool is_within = f->side->start == g->side->start;
    if (is_within && f->slot > g->slot) {
        const feature *first = g;
        g = f;
        f = first;
    }
    wi_contact contact = {.key = wi_pair_key_of(f->slot, g->slot),
                          .pair = walk->pair,
                          .code = (uint8_t)code_of(f, g)};
    walk->stats.feature_tests++;
    if (!(is_about_steps(walk) ? find_impact(walk, f, g, &contact)
                               : find_near(walk, f, g, &contact)))
        return true;
    if (was_close_at_rest(walk, f, g)) return true;
    if (walk->rules.wanted == WI_FIRST_IMPACT && contact.value < walk->step.until)
        wi_step_limit(&walk->step, contact.value);
    return wi_array_push(walk->memory, &walk->contacts, contact);
}

static bool owns(const face *f, unsigned bit) { return (f->owned >> bit & 1) != 0; }

static bool test_corners(wi_walk *walk, const face *a, const face *b)
{
    const feature face_a = whole_of(a), face_b = whole_of(b);
    for (unsigned i = 0; i < 3; i++) {
        const feature f = corner_of(a, i);
        if (owns(a, i) && !share_a_vertex(&f, &face_b) && !test(walk, &f, &face_b)) return false;
    }
    for (unsigned i = 0; i < 3; i++) {
        const feature g = corner_of(b, i);
        if (owns(b, i) && !share_a_vertex(&face_a, &g) && !test(walk, &face_a, &g)) return false;
    }
    return true;
}

static bool test_edges(wi_walk *walk, const face *a, const face *b)
{
    for (unsigned i = 0; i < 3; i++) {
        if (!owns(a, WI_OWNED_EDGES + i)) continue;
        const feature f = edge_of(a, i);
        for (unsigned k = 0; k < 3; k++) {
            if (!owns(b, WI_OWNED_EDGES + k)) continue;
            const feature g = edge_of(b, k);
            if (!share_a_vertex(&f, &g) && !test(walk, &f, &g)) return false;
        }
    }
    return true;
}

/* False if there is no memory. */
static bool find_owned(const wi_walk *walk, face *f)
{
    const bool is_within = walk->step.a.start == walk->step.b.start;
    f->owners = wi_mesh_owners(walk->memory, f->side->start->mesh);
    if (f->owners == NULL) return false;
    f->is_grouped = is_within && f->owners->owned_in_group;
    f->owned = (f->is_grouped ? f->owners->owned_in_group : f->owners->owned)[f->slot];
    return true;
}

bool wi_test_features(wi_walk *walk, uint32_t slot_a, uint32_t slot_b)
{
    const wi_side *side_a = &walk->step.a, *side_b = &walk->step.b;
    face a = {.side = side_a, .slot = slot_a, .vertices = side_a->start->mesh->tris[slot_a]};
    face b = {.side = side_b, .slot = slot_b, .vertices = side_b->start->mesh->tris[slot_b]};
    if (walk->rules.wanted == WI_NEAR_TRIS) {
        const feature f = whole_of(&a), g = whole_of(&b);
        if (walk->rules.skip_neighbours && share_a_vertex(&f, &g)) return true;
        return test(walk, &f, &g);
    }
    if (!find_owned(walk, &a) || !find_owned(walk, &b)) return false;
    return test_corners(walk, &a, &b) && test_edges(walk, &a, &b);
}

/* ---- as users see them ---- */

static willow_feature public_vertex(const wi_mesh *mesh, uint32_t slot, unsigned i)
{
    const uint32_t vertex = mesh->tris[slot][i];
    return (willow_feature){WILLOW_FEATURE_VERTEX, {vertex, vertex}};
}

static willow_feature public_edge(const wi_mesh *mesh, uint32_t slot, unsigned i)
{
    willow_feature edge = {.kind = WILLOW_FEATURE_EDGE};
    set_edge(mesh->tris[slot], i, edge.number);
    return edge;
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
