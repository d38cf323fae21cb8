/* features.c - which vertices, faces and edges of two triangles are to be asked about? */
#include "walk/features.h"

#include <string.h>

#include "mesh/owners.h"
#include "walk/bits.h"
#include "walk/contact.h"

/* A triangle of one of the bodies at hand. */
typedef struct face {
    const wi_side *side;
    uint32_t slot;
    const uint32_t *vertices;
    const wi_owners *owners;
    float at[2][3][4]; /* its corners at both ends of the step */
    uint8_t owned;     /* what is asked of it */
    bool is_grouped;   /* by its group: these may belong to triangles of other groups */
} face;

/* A vertex, an edge (the lower vertex first) or all of it. */
typedef struct feature {
    const face *of;
    uint8_t corner[3];
    unsigned count;
    uint32_t slot;  /* the triangle that it belongs to */
    unsigned index; /* which of its corners or edges it is */
} feature;

static uint32_t vertex_of(const feature *f, unsigned i) { return f->of->vertices[f->corner[i]]; }

static feature whole_of(const face *f)
{
    return (feature){.of = f, .corner = {0, 1, 2}, .count = 3, .slot = f->slot};
}

static feature corner_of(const face *f, unsigned i)
{
    const wi_mesh *mesh = f->side->start->mesh;
    feature c = {.of = f, .corner = {(uint8_t)i}, .count = 1, .slot = f->slot, .index = i};
    if (!f->is_grouped) return c;
    c.slot = f->owners->corner[f->slot][i];
    for (c.index = 0; mesh->tris[c.slot][c.index] != f->vertices[i];) c.index++;
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
    const unsigned next = (i + 1) % 3;
    const bool is_up = f->vertices[i] < f->vertices[next];
    feature e = {.of = f,
                 .corner = {(uint8_t)(is_up ? i : next), (uint8_t)(is_up ? next : i)},
                 .count = 2,
                 .slot = f->slot,
                 .index = i};
    if (!f->is_grouped) return e;
    uint32_t other[2];
    e.slot = f->owners->edge[f->slot][i];
    for (e.index = 0;; e.index++) {
        set_edge(f->side->start->mesh->tris[e.slot], e.index, other);
        if (other[0] == vertex_of(&e, 0) && other[1] == vertex_of(&e, 1)) return e;
    }
}

static bool are_within(const feature *f, const feature *g)
{
    return f->of->side->start == g->of->side->start;
}

static bool share_a_vertex(const feature *f, const feature *g)
{
    if (!are_within(f, g)) return false;
    for (unsigned i = 0; i < f->count; i++)
        for (unsigned k = 0; k < g->count; k++)
            if (vertex_of(f, i) == vertex_of(g, k)) return true;
    return false;
}

/* ---- waiting ---- */

static bool decide(wi_walk *walk, bool are_edges)
{
    wi_feature_queue *queue = &walk->queues[are_edges];
    const wi_step *step = &walk->step;
    unsigned open = (1U << queue->count) - 1;
    if (!walk->is_brute)
        open &= ~walk->kernels->features_apart(&queue->at, are_edges, step->widen, step->is_moving,
                                               open);
    queue->count = 0;
    while (open != 0)
        if (!wi_contact_decide(walk, queue, wi_take_lowest(&open))) return false;
    return true;
}

bool wi_decide_features(wi_walk *walk) { return decide(walk, false) && decide(walk, true); }

static unsigned code_of(const feature *f, const feature *g)
{
    if (f->count == 2) return WI_EDGE_EDGE + 3 * f->index + g->index;
    return f->count == 1 ? f->index : WI_FACE_VERTEX + g->index;
}

static void put_points(wi_feature_queue *queue, unsigned lane, unsigned first, const feature *f,
                       bool is_moving)
{
    for (unsigned i = 0; i < f->count; i++) {
        queue->vertex[lane][first + i] = vertex_of(f, i);
        for (int end = 0; end < (is_moving ? 2 : 1); end++)
            memcpy(queue->at.point[end][first + i][lane], f->of->at[end][f->corner[i]],
                   sizeof f->of->at[end][0]);
    }
}

/* Has two features, of side a and of side b, wait. Within one body they may have to change sides,
 * since those that they belong to are the ones that are in order. */
static bool ask(wi_walk *walk, const feature *f, const feature *g)
{
    const bool is_swapped = are_within(f, g) && f->slot > g->slot;
    const feature *a = is_swapped ? g : f, *b = is_swapped ? f : g;
    const bool are_edges = a->count == 2, is_b_first = a->count == 3;
    wi_feature_queue *queue = &walk->queues[are_edges];
    const unsigned lane = queue->count++;
    queue->key[lane] = wi_pair_key_of(a->slot, b->slot);
    queue->code[lane] = (uint8_t)code_of(a, b);
    queue->is_b_first[lane] = is_b_first;
    const feature *first = is_b_first ? b : a, *second = is_b_first ? a : b;
    put_points(queue, lane, 0, first, walk->step.is_moving);
    put_points(queue, lane, first->count, second, walk->step.is_moving);
    walk->stats.feature_tests++;
    return queue->count < WI_LANES || decide(walk, are_edges);
}

/* ---- two triangles ---- */

static bool owns(const face *f, unsigned bit) { return (f->owned >> bit & 1) != 0; }

static bool ask_corners(wi_walk *walk, const face *a, const face *b)
{
    const feature face_a = whole_of(a), face_b = whole_of(b);
    for (unsigned i = 0; i < 3; i++) {
        if (!owns(a, i)) continue;
        const feature f = corner_of(a, i);
        if (!share_a_vertex(&f, &face_b) && !ask(walk, &f, &face_b)) return false;
    }
    for (unsigned i = 0; i < 3; i++) {
        if (!owns(b, i)) continue;
        const feature g = corner_of(b, i);
        if (!share_a_vertex(&face_a, &g) && !ask(walk, &face_a, &g)) return false;
    }
    return true;
}

static bool ask_edges(wi_walk *walk, const face *a, const face *b)
{
    for (unsigned i = 0; i < 3; i++) {
        if (!owns(a, WI_OWNED_EDGES + i)) continue;
        const feature f = edge_of(a, i);
        for (unsigned k = 0; k < 3; k++) {
            if (!owns(b, WI_OWNED_EDGES + k)) continue;
            const feature g = edge_of(b, k);
            if (!share_a_vertex(&f, &g) && !ask(walk, &f, &g)) return false;
        }
    }
    return true;
}

/* False if there is no memory. */
static bool read_face(const wi_walk *walk, const wi_side *side, uint32_t slot, face *f)
{
    const wi_mesh *start = side->start->mesh, *end = side->motion.end->mesh;
    const wi_owners *owners = wi_mesh_owners(walk->memory, start);
    if (owners == NULL) return false;
    f->side = side;
    f->slot = slot;
    f->vertices = start->tris[slot];
    f->owners = owners;
    f->is_grouped = walk->step.a.start == walk->step.b.start && owners->owned_in_group;
    f->owned = (f->is_grouped ? owners->owned_in_group : owners->owned)[slot];
    for (int i = 0; i < 3; i++) {
        const wi_spot spot = wi_mesh_spot(start, f->vertices[i]);
        wi_mesh_world_at(start, spot, f->at[0][i]);
        f->at[0][i][3] = f->at[1][i][3] = 0.0F;
        if (walk->step.is_moving) wi_mesh_world_position(end, f->vertices[i], f->at[1][i]);
    }
    return true;
}

bool wi_test_features(wi_walk *walk, uint32_t slot_a, uint32_t slot_b)
{
    face a, b;
    if (walk->rules.wanted == WI_NEAR_TRIS) return wi_contact_decide_faces(walk, slot_a, slot_b);
    return read_face(walk, &walk->step.a, slot_a, &a) &&
           read_face(walk, &walk->step.b, slot_b, &b) && ask_corners(walk, &a, &b) &&
           ask_edges(walk, &a, &b);
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
