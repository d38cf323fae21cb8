/* features.c - which vertices, faces and edges of two triangles are to be asked about?
 *
 * Ways in: wi_test_features, wi_test_movers, and wi_decide_features at the end. */
#include "walk/step/features.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/larger.h"
#include "mesh/owners.h"
#include "walk/reader/bits.h"
#include "walk/step/contact.h"

/* A triangle of one of the bodies at hand. */
typedef struct face {
    const wi_mesh *mesh;
    const wi_owners *owners;
    const uint32_t *vertices;
    uint32_t slot;
    bool is_b;
    bool is_grouped;   /* what is asked of it may belong to triangles of other groups */
    uint8_t owned;     /* what is asked of it */
    float at[2][3][4]; /* its corners at both ends of the step */
} face;

/* Where a corner or an edge belongs: to which triangle, and as which of its own. */
typedef struct home {
    uint32_t slot;
    unsigned index;
} home;

static home home_of_corner(const face *f, unsigned i)
{
    home h = {f->slot, i};
    if (!f->is_grouped) return h;
    h.slot = f->owners->corner[f->slot][i];
    for (h.index = 0; f->mesh->tris[h.slot][h.index] != f->vertices[i];) h.index++;
    return h;
}

/* The lower vertex first. */
static void set_edge(const uint32_t tri[3], unsigned i, uint32_t edge[2])
{
    const uint32_t u = tri[i], v = tri[(i + 1) % 3];
    edge[0] = u < v ? u : v;
    edge[1] = u < v ? v : u;
}

static home home_of_edge(const face *f, unsigned i)
{
    home h = {f->slot, i};
    uint32_t edge[2], other[2];
    if (!f->is_grouped) return h;
    set_edge(f->vertices, i, edge);
    h.slot = f->owners->edge[f->slot][i];
    for (h.index = 0;; h.index++) {
        set_edge(f->mesh->tris[h.slot], h.index, other);
        if (other[0] == edge[0] && other[1] == edge[1]) return h;
    }
}

/* ---- waiting ---- */

static double raise_size(double size, const float p[4], const float q[4])
{
    for (int axis = 0; axis < 3; axis++)
        size = wi_larger(size, fabs((double)p[axis] - (double)q[axis]));
    return size;
}

/* Whether two features are of very different sizes, or their distance is: what decides them in
 * double takes a miss for an impact there that filters tell apart, which go by products of the
 * three differences (prim/moving/features8.h) and not by the largest. */
static bool is_of_mixed_sizes(const wi_feature_queue *queue, unsigned lane, bool are_edges,
                              bool is_moving)
{
    enum { DIFFERENCES = 3 };
    static const uint8_t ends_of[2][DIFFERENCES][2] = {{{0, 1}, {1, 2}, {1, 3}},
                                                       {{0, 2}, {1, 0}, {2, 3}}};
    const double ratio = 0x1p20;
    double most = 0.0, least = DBL_MAX;
    for (int i = 0; i < DIFFERENCES; i++) {
        const uint8_t *ends = ends_of[are_edges][i];
        double size = 0.0;
        for (int end = 0; end <= is_moving; end++)
            size = raise_size(size, queue->at.point[end][ends[0]][lane],
                              queue->at.point[end][ends[1]][lane]);
        most = wi_larger(most, size);
        if (size > 0.0) least = wi_smaller(least, size);
    }
    return most > ratio * least;
}

/* Of BRUTE, which leaves nothing else to filters: features of mixed sizes that these tell apart, so
 * that no answer depends on the method. */
static unsigned tell_mixed_apart(const wi_step_walk *walk, const wi_feature_queue *queue,
                                 bool are_edges, unsigned lanes)
{
    const bool is_moving = walk->step.is_moving;
    wi_features_apart *apart = walk->kernels->features_apart;
    unsigned mixed = 0;
    for (unsigned lane = 0; lanes >> lane != 0; lane++)
        if (is_of_mixed_sizes(queue, lane, are_edges, is_moving)) mixed |= 1U << lane;
    if (mixed == 0) return 0;
    if (!is_moving) return apart(&queue->at, are_edges, walk->step.widen, WI_LOOK_STILL, mixed);
    return apart(&queue->at, are_edges, walk->step.widen, WI_LOOK_WHOLE, mixed) |
           apart(&queue->at, are_edges, walk->step.widen, WI_LOOK_PARTS, mixed);
}

/* What is left of a queue, which is empty then. */
static unsigned filter_queue(const wi_step_walk *walk, wi_feature_queue *queue, bool are_edges,
                             wi_look look)
{
    WI_ASSERT(queue->count <= WI_LANES);
    const unsigned lanes = (1U << queue->count) - 1;
    queue->count = 0;
    if (lanes == 0) return lanes;
    if (walk->filter == WI_FILTER_NONE)
        return lanes & ~tell_mixed_apart(walk, queue, are_edges, lanes);
    return lanes &
           ~walk->kernels->features_apart(&queue->at, are_edges, walk->step.widen, look, lanes);
}

static bool decide_late(wi_step_walk *walk, bool are_edges)
{
    wi_feature_queue *queue = &walk->late[are_edges];
    unsigned open = filter_queue(walk, queue, are_edges, WI_LOOK_PARTS);
    while (open != 0)
        if (!wi_contact_decide(walk, queue, wi_take_lowest(&open))) return false;
    return true;
}

static bool wait_again(wi_step_walk *walk, const wi_feature_queue *from, unsigned lane,
                       bool are_edges)
{
    wi_feature_queue *queue = &walk->late[are_edges];
    const unsigned to = queue->count;
    WI_ASSERT(to < WI_LANES && lane < WI_LANES);
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < 4; i++)
            memcpy(queue->at.point[end][i][to], from->at.point[end][i][lane],
                   sizeof queue->at.point[end][i][to]);
    memcpy(queue->vertex[to], from->vertex[lane], sizeof queue->vertex[to]);
    queue->key[to] = from->key[lane];
    queue->code[to] = from->code[lane];
    queue->is_b_first[to] = from->is_b_first[lane];
    return ++queue->count < WI_LANES || decide_late(walk, are_edges);
}

/* Most are told apart by a look at the whole step, so the rest waits for others before parts of the
 * step are looked at. */
static bool decide_queue(wi_step_walk *walk, bool are_edges)
{
    wi_feature_queue *queue = &walk->queues[are_edges];
    const bool waits = walk->filter == WI_FILTER_MOVING;
    unsigned open = filter_queue(walk, queue, are_edges, waits ? WI_LOOK_WHOLE : WI_LOOK_STILL);
    while (open != 0) {
        const unsigned lane = wi_take_lowest(&open);
        if (!(waits ? wait_again(walk, queue, lane, are_edges)
                    : wi_contact_decide(walk, queue, lane)))
            return false;
    }
    return true;
}

bool wi_decide_features(wi_step_walk *walk)
{
    return decide_queue(walk, false) && decide_queue(walk, true) && decide_late(walk, false) &&
           decide_late(walk, true);
}

static inline void put_point(wi_feature_queue *queue, unsigned lane, unsigned point, const face *f,
                             unsigned corner)
{
    queue->vertex[lane][point] = f->vertices[corner];
    for (int end = 0; end < 2; end++) /* the second has no meaning where nothing moves */
        memcpy(queue->at.point[end][point][lane], f->at[end][corner], sizeof f->at[end][corner]);
}

static bool count_lane(wi_step_walk *walk, bool are_edges)
{
    wi_feature_queue *queue = &walk->queues[are_edges];
    walk->down.reader->stats.feature_tests++;
    return ++queue->count < WI_LANES || decide_queue(walk, are_edges);
}

/* Within one body the triangles that features belong to are in order, whatever those at hand. */
static bool are_swapped(const wi_step_walk *walk, uint32_t slot_a, uint32_t slot_b)
{
    return walk->step.a.start == walk->step.b.start && slot_a > slot_b;
}

static bool ask_corner(wi_step_walk *walk, const face *p, unsigned i, const face *f)
{
    wi_feature_queue *queue = &walk->queues[0];
    const unsigned lane = queue->count;
    WI_ASSERT(lane < WI_LANES && i < 3);
    const home at = home_of_corner(p, i);
    const uint32_t slot_a = p->is_b ? f->slot : at.slot, slot_b = p->is_b ? at.slot : f->slot;
    const bool is_swapped = are_swapped(walk, slot_a, slot_b);
    const bool is_b_first = p->is_b != is_swapped;
    queue->key[lane] = is_swapped ? wi_pair_key_of(slot_b, slot_a) : wi_pair_key_of(slot_a, slot_b);
    queue->code[lane] = (uint8_t)(is_b_first ? WI_FACE_VERTEX + at.index : at.index);
    queue->is_b_first[lane] = is_b_first;
    put_point(queue, lane, 0, p, i);
    for (unsigned k = 0; k < 3; k++) put_point(queue, lane, 1 + k, f, k);
    return count_lane(walk, false);
}

static inline void put_edge(wi_feature_queue *queue, unsigned lane, unsigned point, const face *f,
                            unsigned i)
{
    const unsigned next = i < 2 ? i + 1 : 0;
    const bool is_up = f->vertices[i] < f->vertices[next];
    put_point(queue, lane, point, f, is_up ? i : next);
    put_point(queue, lane, point + 1, f, is_up ? next : i);
}

static bool ask_edge(wi_step_walk *walk, const face *a, unsigned i, const face *b, unsigned k)
{
    wi_feature_queue *queue = &walk->queues[1];
    const unsigned lane = queue->count;
    WI_ASSERT(lane < WI_LANES && i < 3 && k < 3);
    const home at_a = home_of_edge(a, i), at_b = home_of_edge(b, k);
    const bool is_swapped = are_swapped(walk, at_a.slot, at_b.slot);
    const home first = is_swapped ? at_b : at_a, second = is_swapped ? at_a : at_b;
    queue->key[lane] = wi_pair_key_of(first.slot, second.slot);
    queue->code[lane] = (uint8_t)(WI_EDGE_EDGE + 3 * first.index + second.index);
    queue->is_b_first[lane] = false;
    put_edge(queue, lane, 0, is_swapped ? b : a, is_swapped ? k : i);
    put_edge(queue, lane, 2, is_swapped ? a : b, is_swapped ? i : k);
    return count_lane(walk, true);
}

/* ---- two triangles ---- */

/* For each corner of a which corners of b are the same vertex, a bit each. */
typedef struct shared_corners {
    unsigned of_a[3];
} shared_corners;

static shared_corners find_shared(const face *a, const face *b)
{
    shared_corners shared = {{0, 0, 0}};
    if (a->mesh != b->mesh) return shared;
    for (unsigned i = 0; i < 3; i++)
        for (unsigned k = 0; k < 3; k++)
            shared.of_a[i] |= (unsigned)(a->vertices[i] == b->vertices[k]) << k;
    return shared;
}

static bool ask_corners(wi_step_walk *walk, const face *a, const face *b,
                        const shared_corners *shared)
{
    const unsigned of_b = shared->of_a[0] | shared->of_a[1] | shared->of_a[2];
    for (unsigned i = 0; i < 3; i++)
        if ((a->owned >> i & 1) != 0 && shared->of_a[i] == 0 && !ask_corner(walk, a, i, b))
            return false;
    for (unsigned i = 0; i < 3; i++)
        if (((b->owned & ~of_b) >> i & 1) != 0 && !ask_corner(walk, b, i, a)) return false;
    return true;
}

static bool ask_edges(wi_step_walk *walk, const face *a, const face *b,
                      const shared_corners *shared)
{
    static const unsigned ends[3] = {1 | 2, 2 | 4, 4 | 1};
    const unsigned edges_a = a->owned >> WI_OWNED_EDGES, edges_b = b->owned >> WI_OWNED_EDGES;
    for (unsigned i = 0; i < 3 && edges_b != 0; i++) {
        const unsigned met = shared->of_a[i] | shared->of_a[(i + 1) % 3];
        for (unsigned k = 0; k < 3 && (edges_a >> i & 1) != 0; k++)
            if ((edges_b >> k & 1) != 0 && (met & ends[k]) == 0 && !ask_edge(walk, a, i, b, k))
                return false;
    }
    return true;
}

/* False if there is no memory. */
static bool know_face(const wi_step_walk *walk, uint32_t slot, bool is_b, face *f)
{
    const wi_mesh *start = (is_b ? &walk->step.b : &walk->step.a)->start->mesh;
    WI_ASSERT(slot < start->tri_count);
    const wi_owners *owners = wi_mesh_owners(walk->down.reader->memory, start);
    if (owners == NULL) return false;
    f->mesh = start;
    f->is_b = is_b;
    f->owners = owners;
    f->vertices = start->tris[slot];
    f->slot = slot;
    f->is_grouped = walk->step.a.start == walk->step.b.start && owners->owned_in_group;
    f->owned = (f->is_grouped ? owners->owned_in_group : owners->owned)[slot];
    return true;
}

static void read_face(const wi_side *side, bool is_moving, face *f)
{
    const wi_mesh *ends[2] = {side->start->mesh, side->motion.end->mesh};
    for (int end = 0; end < (is_moving ? 2 : 1); end++)
        for (int i = 0; i < 3; i++) {
            f->at[end][i][3] = 0.0F;
            wi_mesh_world_position(ends[end], f->vertices[i], f->at[end][i]);
        }
}

static void take_face(const wi_tri8 at[2], unsigned lane, bool is_moving, face *f)
{
    for (int end = 0; end < (is_moving ? 2 : 1); end++)
        for (int i = 0; i < 3; i++)
            memcpy(f->at[end][i], at[end].corner[i][lane], sizeof f->at[end][i]);
}

static bool ask_faces(wi_step_walk *walk, const face *a, const face *b)
{
    const shared_corners shared = find_shared(a, b);
    return ask_corners(walk, a, b, &shared) && ask_edges(walk, a, b, &shared);
}

bool wi_test_features(wi_step_walk *walk, uint32_t slot_a, uint32_t slot_b)
{
    const wi_step *step = &walk->step;
    WI_ASSERT(step->a.start != step->b.start || slot_a < slot_b);
    if (walk->down.rules.wanted == WI_NEAR_TRIS)
        return wi_contact_decide_faces(walk, slot_a, slot_b);
    face a, b;
    if (!know_face(walk, slot_a, false, &a) || !know_face(walk, slot_b, true, &b)) return false;
    read_face(&step->a, step->is_moving, &a);
    read_face(&step->b, step->is_moving, &b);
    return ask_faces(walk, &a, &b);
}

bool wi_test_movers(wi_step_walk *walk, unsigned lane)
{
    const wi_step *step = &walk->step;
    const wi_movers *m = &walk->movers;
    WI_ASSERT(lane < WI_LANES);
    const uint32_t slot_a = (uint32_t)(m->key[lane] >> 32), slot_b = (uint32_t)m->key[lane];
    if (walk->down.rules.wanted == WI_NEAR_TRIS)
        return wi_contact_decide_faces(walk, slot_a, slot_b);
    face a, b;
    if (!know_face(walk, slot_a, false, &a) || !know_face(walk, slot_b, true, &b)) return false;
    take_face(m->a, lane, step->is_moving, &a);
    take_face(m->b, lane, step->is_moving, &b);
    return ask_faces(walk, &a, &b);
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
    WI_ASSERT(contact->code <= WI_FACE_FACE && contact->key >> 32 < a->tri_count);
    WI_ASSERT((uint32_t)contact->key < b->tri_count);
    return (willow_impact){.a = feature_of_a(a, contact),
                           .b = feature_of_b(b, contact),
                           .time = contact->value,
                           .is_decided = contact->is_decided,
                           .contact = contact->at};
}
