/* fan_kernel.c - neighbours, a fan at a time: are any two triangles around a vertex a pair (C2)?
 *
 * Ways in: wi_run_fans; wi_run_swept_fans, for a step in which vertices move. Made for surfaces
 * that are smooth but for some creases: eight fans at once are looked at along a direction in
 * which their triangles, one after the other, go round the vertex once at most. That takes the work
 * of about two pairs of triangles for the fifteen pairs of a fan of six. Fans that do not pass,
 * and odd ones, are tested two by two; of large fans only those two whose arcs meet (walk/self/
 * arcs.h).
 *
 * Derivation. The vertex is the origin; triangle i has the corners 0, p[i], p[i+1].
 *   1. Let d be any vector with d.(p[i] x p[i+1]) > 0 for all i. Seen along d each triangle is
 *      nondegenerate and turns the same way, so the directions of p[0], p[1], ... turn from step to
 *      step by more than 0 and less than half a turn.
 *   2. If they turn by a full turn in all (closed fan) or less (open fan), the triangles lie in
 *      sectors with nothing in common but, for those that follow each other, a ray. What two
 *      triangles have in common is seen in what their sectors have in common: in the origin, or on
 *      the ray of p[i], which shows of either triangle only the edge to p[i]. So it is no more than
 *      the hull of the vertices they share: no pair.
 *   3. How far they turn is told by sides: q = p[0] + p[1] / 2 is seen between p[0] and p[1], and
 *      side[i] = d.(q x p[i]) is positive where p[i] is seen within half a turn after q. From p[1]
 *      on sides are positive, and where steps are less than half a turn they become negative in the
 *      second half turn and cannot become positive again but in the third. So: once negative,
 *      always negative. A closed fan then ends at p[0], which is seen before q, after one turn;
 *      an open one has turned less than that if its last side is positive, or else if p[0] is seen
 *      within half a turn after its last vertex.
 *
 * Why a sign is certain. u = 2^-24; m is the greatest coordinate of all p as computed, which are
 * exact but for a factor (1 + u). d is whatever the sum of the normals comes to: it is exact. |d|
 * is the sum of its absolute coordinates.
 *   4. A normal: two products of at most m^2, each through at most 4 roundings: off by 8 u m^2. Its
 *      product with d: three terms of at most 2 m^2 times a coordinate of d, and 3 roundings:
 *      14 u m^2 |d| in all.
 *   5. q is at most 1.5 m and off by 3 u m; d x q is at most 3 m |d| and off by 12 u m |d|; the
 *      product of that with p is at most 9 m^2 |d| and off by 72 u m^2 |d|: 36 for d x q, 9 for p,
 *      27 for its own roundings. 128 u m^2 |d| is safe for both.
 *   6. Underflow adds at most 2^-149 |d| for the products of two, and 2^-148 for those with d.
 *      Where m is at least 2^-60 the first is less than what 128 leaves over; below, |d| is at most
 *      2^-113, and no value exceeds 2^-200. 2^-115 is added to the bound, which covers the rest.
 *   7. No value or partial sum exceeds 9 m^2 |d|. The bound is a multiple of 16 m^2 |d|, so where
 *      anything overflows, it is infinite or not a number, and nothing is certain.
 *
 * Over a step. Vertices move on straight lines: at time t, from 0 to 1, p is p0 + t (p1 - p0). d is
 * fixed.
 *   8. The normal p x q at time t is (1 - t)^2 p0 x q0 + (1 - t) t (p0 x q1 + p1 x q0) +
 *      t^2 p1 x q1. No weight is negative, and they are not all 0: where all three are positive
 *      along d, so is the normal at all times, and step 1 holds at all times.
 *   9. By how much the directions turn in all then changes continuously. In a closed fan that is
 *      a number of full turns, so it stays one if it is one at the start. In an open fan it stays
 *      less than a full turn if it is less at the start and the last vertex is never seen on the
 *      ray of the first. That is so if the two are never seen in line, because d.(last x first) is
 *      positive at all times as in step 8, or negative; or if some line of the view through the
 *      origin is between them, at the start and at the end. It then is at all times: the line is
 *      along f, which is fixed, so that d.(f x p) changes evenly. The second is for borders, where
 *      fans turn by about half a turn. f is the mean of the ring, which is where such a fan is.
 *  10. So step 2 holds at all times: a point z that two triangles have in common is in the hull of
 *      the vertices that they share, and inside of one face s of it, a vertex or an edge. In a
 *      triangle that is not degenerate, vertices and edges with a point inside of s have the
 *      vertices of s. So whatever touches at z, a vertex and a face or two edges, has a vertex in
 *      common: nothing that the two triangles do not share touches.
 *  11. The sum of two normals is off by 16 u m^2 and by 4 u m^2 for its own rounding. Its product
 *      with d has terms of at most 4 m^2 times a coordinate of d: 32 u m^2 |d| in all. f is exact,
 *      as d is, and at most 1.5 m: sides of it are off by less than those of q. In step 6 underflow
 *      and d may be four times as great, which changes nothing there. With vertices that stand
 *      still all is as without a step, but for the factor of four. */
#include "base/check.h"
#include "base/kernel.h"
#include "prim/tri_tri.h"
#include "prim/vec8.h"
#include "walk/pairs/pair_walk.h"
#include "walk/reader/gather_vertices.h"
#include "walk/self/arcs.h"

/* ---- eight fans at once ---- */

typedef struct ring8 {
    wi_vec8 p[WI_MAX_FAN + 1];   /* a closed one's first vertex again at the end */
    wi_vec8 end[WI_MAX_FAN + 1]; /* the same at the end of the step, if there is one */
    wi_vec8 d;
    wi_wide error;
    unsigned length;
    bool is_closed;
} ring8;

static inline void read_points(const wi_mesh *mesh, const wi_vertex_fans *fans,
                               const wi_fan_group *group, wi_vec8 *p)
{
    const uint32_t *spots = wi_fan_ring(fans, group);
    const wi_vec8 centre = wi_gather_spots(mesh, wi_fan_centres(fans, group));
    const unsigned points = wi_fan_points(group);
    WI_ASSERT(points > 0);
    for (unsigned i = 0; i < points; i++)
        p[i] = wi_vec8_sub(wi_gather_spots(mesh, spots + (size_t)i * WI_LANES), centre);
    if (group->is_closed) p[points] = p[0];
}

/* Of what comes from vectors of at most m, along d. */
static inline wi_wide fan_error_along(wi_vec8 d, wi_wide m)
{
    const wi_wide length_of_d =
        wi_wide_add(wi_wide_add(wi_wide_abs(d.x), wi_wide_abs(d.y)), wi_wide_abs(d.z));
    const wi_wide m4 = wi_wide_mul(wi_wide_all(4.0F), m);
    const wi_wide most = wi_wide_mul(wi_wide_mul(m4, m4), length_of_d); /* step 7 */
    return wi_wide_add(wi_wide_mul(most, wi_wide_all(0x1p-21F)), wi_wide_all(0x1p-115F));
}

/* Chooses d, and returns the lanes in which all triangles turn the same way along it. */
static unsigned turns_one_way(ring8 *r)
{
    wi_vec8 normal[WI_MAX_FAN];
    wi_wide m = wi_vec8_greatest(r->p[0]);
    for (unsigned i = 0; i < r->length; i++) {
        normal[i] = wi_vec8_cross(r->p[i], r->p[i + 1]);
        r->d = i == 0 ? normal[0] : wi_vec8_add(r->d, normal[i]);
        m = wi_wide_max(m, wi_vec8_greatest(r->p[i + 1]));
    }
    r->error = fan_error_along(r->d, m);
    unsigned lanes = WI_ALL_LANES;
    for (unsigned i = 0; i < r->length; i++)
        lanes &= wi_mask_bits(wi_wide_less(r->error, wi_vec8_dot(normal[i], r->d)));
    return lanes;
}

/* What the normal of two vertices of the ring is made of over the step, by step 8. */
typedef struct normals8 {
    wi_vec8 at_start, between, at_end;
} normals8;

static inline normals8 normals_of(const ring8 *r, unsigned from, unsigned to)
{
    return (normals8){
        wi_vec8_cross(r->p[from], r->p[to]),
        wi_vec8_add(wi_vec8_cross(r->p[from], r->end[to]), wi_vec8_cross(r->end[from], r->p[to])),
        wi_vec8_cross(r->end[from], r->end[to])};
}

/* The lanes in which the normal is certainly along d at all times, and against d. */
static inline wi_signs8 signs_throughout(const ring8 *r, const normals8 *n)
{
    const wi_signs8 start = wi_certain8(wi_vec8_dot(n->at_start, r->d), r->error);
    const wi_signs8 between = wi_certain8(wi_vec8_dot(n->between, r->d), r->error);
    const wi_signs8 end = wi_certain8(wi_vec8_dot(n->at_end, r->d), r->error);
    return (wi_signs8){start.positive & between.positive & end.positive,
                       start.negative & between.negative & end.negative};
}

/* Chooses d, which is four times the normals in the middle of the step, and returns the lanes in
 * which all triangles turn the same way along it at all times. */
static unsigned turns_one_way_throughout(ring8 *r)
{
    normals8 normals[WI_MAX_FAN];
    wi_wide m = wi_wide_max(wi_vec8_greatest(r->p[0]), wi_vec8_greatest(r->end[0]));
    for (unsigned i = 0; i < r->length; i++) {
        const normals8 n = normals[i] = normals_of(r, i, i + 1);
        const wi_vec8 sum = wi_vec8_add(wi_vec8_add(n.at_start, n.at_end), n.between);
        r->d = i == 0 ? sum : wi_vec8_add(r->d, sum);
        m = wi_wide_max(m, wi_vec8_greatest(r->p[i + 1]));
        m = wi_wide_max(m, wi_vec8_greatest(r->end[i + 1]));
    }
    r->error = fan_error_along(r->d, m);
    unsigned lanes = WI_ALL_LANES;
    for (unsigned i = 0; i < r->length && lanes != 0; i++)
        lanes &= signs_throughout(r, &normals[i]).positive;
    return lanes;
}

static inline wi_signs8 fan_side_of(const ring8 *r, wi_vec8 from, wi_vec8 to)
{
    return wi_certain8(wi_vec8_dot(r->d, wi_vec8_cross(from, to)), r->error);
}

/* Steps 2 and 3: the lanes that turn once at most. */
static inline unsigned turns_once(const ring8 *r)
{
    const wi_vec8 q = {wi_wide_add(r->p[0].x, wi_wide_mul(r->p[1].x, wi_wide_all(0.5F))),
                       wi_wide_add(r->p[0].y, wi_wide_mul(r->p[1].y, wi_wide_all(0.5F))),
                       wi_wide_add(r->p[0].z, wi_wide_mul(r->p[1].z, wi_wide_all(0.5F)))};
    const wi_vec8 across = wi_vec8_cross(r->d, q);
    unsigned lanes = WI_ALL_LANES, was_negative = 0;
    wi_signs8 side = {0, 0};
    for (unsigned i = 1; i <= r->length; i++) {
        side = wi_certain8(wi_vec8_dot(across, r->p[i]), r->error);
        lanes &= (side.positive & ~was_negative) | side.negative;
        was_negative |= side.negative;
    }
    if (r->is_closed) return lanes & side.negative;
    return lanes & (side.positive | fan_side_of(r, r->p[r->length], r->p[0]).positive);
}

static wi_vec8 mean_of_ring(const ring8 *r)
{
    const wi_wide part = wi_wide_all(0.5F / (float)(r->length + 1));
    wi_vec8 sum = wi_vec8_add(r->p[0], r->end[0]);
    for (unsigned i = 1; i <= r->length; i++)
        sum = wi_vec8_add(sum, wi_vec8_add(r->p[i], r->end[i]));
    return (wi_vec8){wi_wide_mul(sum.x, part), wi_wide_mul(sum.y, part), wi_wide_mul(sum.z, part)};
}

/* Step 9, of open fans: the lanes in which the last vertex is never seen on the ray of the first.
 */
static unsigned stays_open(const ring8 *r)
{
    const unsigned last = r->length;
    const normals8 n = normals_of(r, last, 0);
    const wi_signs8 turn = signs_throughout(r, &n);
    const wi_vec8 across = wi_vec8_cross(r->d, mean_of_ring(r));
    const unsigned first_is_right = wi_certain8(wi_vec8_dot(across, r->p[0]), r->error).negative &
                                    wi_certain8(wi_vec8_dot(across, r->end[0]), r->error).negative;
    const unsigned last_is_left = wi_certain8(wi_vec8_dot(across, r->p[last]), r->error).positive &
                                  wi_certain8(wi_vec8_dot(across, r->end[last]), r->error).positive;
    return turn.positive | turn.negative | (first_is_right & last_is_left);
}

/* The lanes in which no two triangles are a pair, for certain. */
static unsigned clear_lanes(const wi_mesh *mesh, const wi_vertex_fans *fans,
                            const wi_fan_group *group)
{
    ring8 r;
    r.length = group->length;
    r.is_closed = group->is_closed;
    read_points(mesh, fans, group, r.p);
    const unsigned lanes = turns_one_way(&r);
    return lanes == 0 ? 0 : lanes & turns_once(&r);
}

/* The same at all times of a step. */
static unsigned clear_lanes_throughout(const wi_mesh *start, const wi_mesh *end,
                                       const wi_vertex_fans *fans, const wi_fan_group *group)
{
    ring8 r;
    r.length = group->length;
    r.is_closed = group->is_closed;
    read_points(start, fans, group, r.p);
    read_points(end, fans, group, r.end);
    const unsigned lanes = turns_one_way_throughout(&r);
    if (lanes == 0) return 0;
    return lanes & turns_once(&r) & (r.is_closed ? WI_ALL_LANES : stays_open(&r));
}

/* ---- two by two ---- */

/* Each of these exists twice: `step` is NULL where there is no step, which is known where it is
 * inlined. */
#define STILL_AND_SWEPT static inline __attribute__((always_inline))

/* A step, and who is told of the pairs that may touch in it. */
typedef struct fan_step {
    const wi_tree *end;
    wi_sharing_visitor *visit;
    void *context;
} fan_step;

/* Two triangles as candidates for the test of pairs, shared corners first. */
static bool add_candidates(wi_descent *down, const wi_mesh *mesh, unsigned shared,
                           const wi_spot a[3], const wi_spot b[3], uint32_t slot_a, uint32_t slot_b)
{
    wi_pair_walk *walk = wi_pair_walk_of(down);
    wi_candidates *c = &walk->candidates[shared];
    WI_ASSERT(shared < 3 && c->count < WI_LANES);
    const unsigned lane = c->count++;
    for (int i = 0; i < 3; i++) {
        wi_mesh_world_at(mesh, a[i], c->a.corner[i][lane]);
        wi_mesh_world_at(mesh, b[i], c->b.corner[i][lane]);
    }
    c->key[lane] = wi_pair_key_within(slot_a, slot_b);
    return c->count < WI_LANES || wi_pair_walk_decide(walk, shared);
}

/* Two triangles that share less than three corners, these first. */
STILL_AND_SWEPT bool add_neighbours(wi_descent *down, const wi_mesh *mesh, const fan_step *step,
                                    unsigned shared, const wi_spot a[3], const wi_spot b[3],
                                    uint32_t slot_a, uint32_t slot_b)
{
    WI_ASSERT(slot_a != slot_b);
    if (!wi_descent_tests(down, slot_a, slot_b)) return true;
    if (step == NULL) return add_candidates(down, mesh, shared, a, b, slot_a, slot_b);
    return slot_a < slot_b ? step->visit(step->context, slot_a, slot_b)
                           : step->visit(step->context, slot_b, slot_a);
}

/* A triangle of a fan: of the ring it has an edge. */
typedef struct fan_tri {
    wi_spot from, to;
    uint32_t slot;
} fan_tri;

/* Triangles that follow each other share an edge, and belong to this fan if its centre has the
 * lower spot of the two; others share the centre only. */
STILL_AND_SWEPT bool add_two(wi_descent *down, const wi_mesh *mesh, const fan_step *step,
                             wi_spot centre, const fan_tri *s, const fan_tri *t)
{
    if (s->to != t->from && t->to != s->from) {
        const wi_spot a[3] = {centre, s->from, s->to}, b[3] = {centre, t->from, t->to};
        return add_neighbours(down, mesh, step, 1, a, b, s->slot, t->slot);
    }
    const bool s_first = s->to == t->from;
    const wi_spot edge = s_first ? s->to : s->from;
    const wi_spot a[3] = {centre, edge, s_first ? s->from : s->to};
    const wi_spot b[3] = {centre, edge, s_first ? t->to : t->from};
    return edge < centre || add_neighbours(down, mesh, step, 2, a, b, s->slot, t->slot);
}

STILL_AND_SWEPT bool test_fan(wi_descent *down, const wi_tree *h, const fan_step *step,
                              const wi_fan_group *group, unsigned lane)
{
    const uint32_t *ring = wi_fan_ring(wi_fans_of(h), group) + lane;
    WI_ASSERT(lane < group->count && group->length <= WI_MAX_FAN);
    const uint32_t *slots = wi_fan_slots(wi_fans_of(h), group) + lane;
    const wi_spot centre = wi_fan_centres(wi_fans_of(h), group)[lane];
    const unsigned points = wi_fan_points(group);
    fan_tri tris[WI_MAX_FAN];
    for (unsigned i = 0; i < group->length; i++)
        tris[i] = (fan_tri){ring[(size_t)i * WI_LANES], ring[(size_t)((i + 1) % points) * WI_LANES],
                            slots[(size_t)i * WI_LANES]};
    for (unsigned i = 0; i < group->length; i++)
        for (unsigned k = i + 1; k < group->length; k++)
            if (!add_two(down, h->mesh, step, centre, &tris[i], &tris[k])) return false;
    return true;
}

/* Two triangles with the same three vertices are a pair; but all their edges share vertices, so
 * that nothing of them can touch in a step. */
STILL_AND_SWEPT bool add_twins(wi_descent *down, const fan_step *step, uint32_t slot_a,
                               uint32_t slot_b)
{
    if (step != NULL || !wi_descent_tests(down, slot_a, slot_b)) return true;
    down->reader->stats.triangle_tests++;
    return wi_array_push(down->reader->memory, &wi_pair_walk_of(down)->keys,
                         wi_pair_key_within(slot_a, slot_b));
}

/* Any two triangles at an odd vertex, if that is the lowest of those they share. */
STILL_AND_SWEPT bool add_odd_two(wi_descent *down, const wi_mesh *mesh, const fan_step *step,
                                 wi_spot centre, uint32_t slot_a, uint32_t slot_b)
{
    uint8_t order_a[3], order_b[3];
    wi_spot a[3], b[3];
    const unsigned shared =
        wi_share_order(mesh->tris[slot_a], mesh->tris[slot_b], order_a, order_b);
    for (int i = 0; i < 3; i++) {
        a[i] = wi_mesh_spot(mesh, mesh->tris[slot_a][order_a[i]]);
        b[i] = wi_mesh_spot(mesh, mesh->tris[slot_b][order_b[i]]);
    }
    for (unsigned i = 0; i < shared; i++)
        if (a[i] < centre) return true;
    return shared < 3 ? add_neighbours(down, mesh, step, shared, a, b, slot_a, slot_b)
                      : add_twins(down, step, slot_a, slot_b);
}

/* The number of the vertex that is at the spot of a fan. */
static uint32_t centre_of(const wi_mesh *mesh, const wi_odd_fan *fan, uint32_t slot)
{
    const uint32_t *tri = mesh->tris[slot];
    for (int i = 0; i < 2; i++)
        if (wi_mesh_spot(mesh, tri[i]) == fan->centre) return tri[i];
    WI_ASSERT(wi_mesh_spot(mesh, tri[2]) == fan->centre);
    return tri[2];
}

/* Any two triangles whose arcs meet, found by a sweep. */
STILL_AND_SWEPT bool test_large(wi_descent *down, const wi_tree *h, const fan_step *step,
                                const wi_odd_fan *fan)
{
    wi_reader *reader = down->reader;
    const uint32_t *slots = wi_fans_of(h)->odd_slots.items + fan->first;
    const uint32_t count = fan->last - fan->first;
    const wi_arc_fan arcs = {h->mesh, step ? step->end->mesh : NULL,
                             centre_of(h->mesh, fan, slots[0]), slots, count};
    if (!wi_arcs_find(reader->memory, &reader->arcs, &arcs)) return false;
    const wi_arc *items = reader->arcs.items.items;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = i + 1;
        for (; k < count && items[k].lower[0] <= items[i].upper[0]; k++)
            if (wi_arcs_meet_beside(&items[i], &items[k]) &&
                !add_odd_two(down, h->mesh, step, fan->centre, items[i].slot, items[k].slot))
                return false;
        reader->stats.volume_tests += k - i - 1;
    }
    return true;
}

STILL_AND_SWEPT bool test_odd(wi_descent *down, const wi_tree *h, const fan_step *step,
                              const wi_odd_fan *fan)
{
    if (fan->last - fan->first > WI_MAX_FAN) return test_large(down, h, step, fan);
    const uint32_t *slots = wi_fans_of(h)->odd_slots.items;
    for (uint32_t i = fan->first; i < fan->last; i++)
        for (uint32_t k = i + 1; k < fan->last; k++)
            if (!add_odd_two(down, h->mesh, step, fan->centre, slots[i], slots[k])) return false;
    return true;
}

STILL_AND_SWEPT bool run_group(wi_descent *down, const wi_tree *h, const fan_step *step,
                               const wi_fan_group *group)
{
    const unsigned clear =
        step ? clear_lanes_throughout(h->mesh, step->end->mesh, wi_fans_of(h), group)
             : clear_lanes(h->mesh, wi_fans_of(h), group);
    unsigned left = ~clear & ((1U << group->count) - 1);
    down->reader->stats.stars += group->count;
    for (; left != 0; left &= left - 1) {
        down->reader->stats.stars_left++;
        if (!test_fan(down, h, step, group, (unsigned)__builtin_ctz(left))) return false;
    }
    return true;
}

STILL_AND_SWEPT bool run_lot(wi_descent *down, const wi_tree *h, const fan_step *step, uint32_t lot)
{
    const wi_vertex_fans *fans = wi_fans_of(h);
    const uint32_t first = lot * WI_FANS_PER_LOT, last = first + WI_FANS_PER_LOT;
    const uint32_t group_count = (uint32_t)fans->groups.count;
    for (uint32_t i = first; i < last && i < group_count; i++)
        if (!run_group(down, h, step, &fans->groups.items[i])) return false;
    for (uint32_t i = first > group_count ? first : group_count;
         i < last && i - group_count < fans->odd.count; i++) {
        down->reader->stats.stars++;
        down->reader->stats.stars_left++;
        if (!test_odd(down, h, step, &fans->odd.items[i - group_count])) return false;
    }
    return true;
}

extern wi_run_fans WI_KERNEL(run_fans);
bool WI_KERNEL(run_fans)(wi_descent *down, const wi_tree *h, uint32_t lot)
{
    return run_lot(down, h, NULL, lot);
}

extern wi_run_swept_fans WI_KERNEL(run_swept_fans);
bool WI_KERNEL(run_swept_fans)(wi_descent *down, const wi_tree *h, const wi_tree *end, uint32_t lot,
                               wi_sharing_visitor *visit, void *context)
{
    const fan_step step = {end, visit, context};
    return run_lot(down, h, &step, lot);
}
