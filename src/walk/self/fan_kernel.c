/* fan_kernel.c - neighbours, a fan at a time: are any two triangles around a vertex a pair (C2)?
 *
 * Ways in: wi_run_fans; wi_run_swept_fans, for a step in which vertices move, and where to be near
 * is to touch. Made for surfaces that are smooth but for some creases: eight fans at once are
 * looked at along a direction in which their triangles, one after the other, go round the vertex
 * once at most. That takes the work of about two pairs of triangles for the fifteen pairs of a fan
 * of six. Fans that do not pass, and odd ones, are tested two by two; of large fans only those two
 * whose arcs meet (walk/self/arcs.h).
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
 *      still all is as without a step, but for the factor of four.
 *
 * Within a reach r > 0. What is seen along d is no farther apart than it is, so it is enough that
 * what has no vertex in common is seen to be farther than r apart. Let each triangle have heights
 * above r on all of its sides, as seen: twice its area, d.(p[i] x p[i+1]) / |d|, is more than r
 * times the longest side (of which no more is seen than its length).
 *  12. Ray i is seen from the origin through p[i]. By the heights on the sides to the origin, p[i]
 *      is farther than r from the rays i - 1 and i + 1. Whatever is in a sector that has not the
 *      ray i is, as seen from the origin, at an angle to p[i] that is not less than that of one of
 *      these rays, to the same side: so it is as far from p[i] as that ray, or farther, since the
 *      distance of p[i] from a ray grows with the angle, up to a right one, and stays.
 *  13. Two edges that are seen not to meet are nearest at an end of one of them. Of what has no
 *      vertex in common, in two triangles, that end is a p[i] with the other in a sector without
 *      ray i, which is farther than r (step 12), or the origin with an edge from p[i] to p[i+1],
 *      which is farther by the height on it. The same holds for a p[i] and a triangle.
 *  14. At the ends of an open fan there is no ray to one side of the first and of the last vertex.
 *      What comes there, after a gap, is the ray of the other of the two. It is farther than r if
 *      the gap is more than half a turn, so that there are others at a lesser angle to the other
 *      side; or if the line along f, of step 9, has the two on its sides and each farther than r
 *      from it. The gap is more than half a turn if d.(last x first) is negative.
 *  15. Over a step all this holds at all times if it does with the least of the three parts of the
 *      area (step 8) and with the longest of the side at both ends: lengths are convex in time.
 *  16. Lengths and their products with r are within 2^-19 of their size, or 2^-70 where squares
 *      underflow, and are made larger by more than that: 2^-17 with r, and 2^-20 and 2^-148 in
 *      wi_vec8_length_above. */
#include "base/check.h"
#include "base/kernel.h"
#include "prim/meet/tri_tri.h"
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

/* Constants where they are inlined: whether vertices move, and how near is to touch. */
typedef struct fan_rule {
    bool is_moving;
    bool has_reach;
    float reach;
} fan_rule;

#define FOR_EACH_RULE static inline __attribute__((always_inline))

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

/* ---- how high triangles are ---- */

static inline wi_wide longest2_at(const wi_vec8 *p, unsigned i)
{
    const wi_vec8 side = wi_vec8_sub(p[i + 1], p[i]);
    return wi_wide_max(wi_vec8_dot(side, side),
                       wi_wide_max(wi_vec8_dot(p[i], p[i]), wi_vec8_dot(p[i + 1], p[i + 1])));
}

/* Steps 15 and 16: what d.(p[i] x p[i+1]) must exceed, given |d| times the reach; 0 if that is. */
FOR_EACH_RULE wi_wide least_area(const ring8 *r, wi_wide reach_of_d, unsigned i, fan_rule rule)
{
    if (!rule.has_reach) return wi_wide_all(0.0F);
    wi_wide longest2 = longest2_at(r->p, i);
    if (rule.is_moving) longest2 = wi_wide_max(longest2, longest2_at(r->end, i));
    return wi_wide_mul(reach_of_d, wi_wide_sqrt(wi_wide_add(longest2, wi_wide_all(0x1p-140F))));
}

FOR_EACH_RULE wi_wide reach_along(wi_vec8 d, fan_rule rule)
{
    if (!rule.has_reach) return wi_wide_all(0.0F);
    return wi_wide_mul(wi_vec8_length_above(d), wi_wide_all(rule.reach * (1.0F + 0x1p-17F)));
}

/* ---- how they turn ---- */

/* Chooses d, and returns the lanes in which all triangles turn the same way along it. */
FOR_EACH_RULE unsigned turns_one_way(ring8 *r, fan_rule rule)
{
    wi_vec8 normal[WI_MAX_FAN];
    wi_wide m = wi_vec8_greatest(r->p[0]);
    for (unsigned i = 0; i < r->length; i++) {
        normal[i] = wi_vec8_cross(r->p[i], r->p[i + 1]);
        r->d = i == 0 ? normal[0] : wi_vec8_add(r->d, normal[i]);
        m = wi_wide_max(m, wi_vec8_greatest(r->p[i + 1]));
    }
    r->error = fan_error_along(r->d, m);
    const wi_wide reach_of_d = reach_along(r->d, rule);
    unsigned lanes = WI_ALL_LANES;
    for (unsigned i = 0; i < r->length; i++) {
        wi_wide bound = r->error;
        if (rule.has_reach) bound = wi_wide_add(bound, least_area(r, reach_of_d, i, rule));
        lanes &= wi_mask_bits(wi_wide_less(bound, wi_vec8_dot(normal[i], r->d)));
    }
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

/* The lanes in which it is so at all times, and by more than `least`. */
static inline unsigned exceeds_throughout(const ring8 *r, const normals8 *n, wi_wide least)
{
    const wi_wide bound = wi_wide_add(r->error, least), twice = wi_wide_add(bound, least);
    return wi_mask_bits(wi_wide_less(bound, wi_vec8_dot(n->at_start, r->d))) &
           wi_mask_bits(wi_wide_less(twice, wi_vec8_dot(n->between, r->d))) &
           wi_mask_bits(wi_wide_less(bound, wi_vec8_dot(n->at_end, r->d)));
}

/* Chooses d, which is four times the normals in the middle of the step, and returns the lanes in
 * which all triangles turn the same way along it at all times. */
FOR_EACH_RULE unsigned turns_one_way_throughout(ring8 *r, fan_rule rule)
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
    const wi_wide reach_of_d = reach_along(r->d, rule);
    unsigned lanes = WI_ALL_LANES;
    for (unsigned i = 0; i < r->length && lanes != 0; i++)
        lanes &= rule.has_reach
                     ? exceeds_throughout(r, &normals[i], least_area(r, reach_of_d, i, rule))
                     : signs_throughout(r, &normals[i]).positive;
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

FOR_EACH_RULE wi_vec8 mean_of_ring(const ring8 *r, fan_rule rule)
{
    const wi_wide part = wi_wide_all(0.5F / (float)(r->length + 1));
    const wi_vec8 *end = rule.is_moving ? r->end : r->p;
    wi_vec8 sum = wi_vec8_add(r->p[0], end[0]);
    for (unsigned i = 1; i <= r->length; i++) sum = wi_vec8_add(sum, wi_vec8_add(r->p[i], end[i]));
    return (wi_vec8){wi_wide_mul(sum.x, part), wi_wide_mul(sum.y, part), wi_wide_mul(sum.z, part)};
}

/* Of open fans: the lanes in which the line along the mean of the ring is between the first vertex
 * and the last, each farther than the reach from it. */
FOR_EACH_RULE unsigned is_parted(const ring8 *r, fan_rule rule)
{
    const wi_vec8 mean = mean_of_ring(r, rule), across = wi_vec8_cross(r->d, mean);
    wi_wide bound = r->error;
    if (rule.has_reach)
        bound =
            wi_wide_add(bound, wi_wide_mul(reach_along(r->d, rule), wi_vec8_length_above(mean)));
    unsigned lanes = WI_ALL_LANES;
    for (int end = 0; end < (rule.is_moving ? 2 : 1); end++) {
        const wi_vec8 *p = end == 0 ? r->p : r->end;
        lanes &= wi_certain8(wi_vec8_dot(across, p[0]), bound).negative &
                 wi_certain8(wi_vec8_dot(across, p[r->length]), bound).positive;
    }
    return lanes;
}

/* Step 9, of open fans: the lanes in which the last vertex is never seen on the ray of the first,
 * or step 14. */
FOR_EACH_RULE unsigned stays_open(const ring8 *r, fan_rule rule)
{
    const normals8 n = normals_of(r, r->length, 0);
    const wi_signs8 turn = signs_throughout(r, &n);
    return (rule.has_reach ? 0 : turn.positive) | turn.negative | is_parted(r, rule);
}

/* Without a step: it is open (step 3). */
FOR_EACH_RULE unsigned is_wide_open(const ring8 *r, fan_rule rule)
{
    if (!rule.has_reach) return WI_ALL_LANES;
    return fan_side_of(r, r->p[r->length], r->p[0]).negative | is_parted(r, rule);
}

/* The lanes in which no two triangles are a pair, for certain; or have nothing within the reach
 * that has no vertex in common. */
FOR_EACH_RULE unsigned clear_lanes(const wi_mesh *mesh, const wi_vertex_fans *fans,
                                   const wi_fan_group *group, fan_rule rule)
{
    ring8 r;
    r.length = group->length;
    r.is_closed = group->is_closed;
    read_points(mesh, fans, group, r.p);
    const unsigned lanes = turns_one_way(&r, rule);
    if (lanes == 0) return 0;
    return lanes & turns_once(&r) & (r.is_closed ? WI_ALL_LANES : is_wide_open(&r, rule));
}

/* The same at all times of a step. */
FOR_EACH_RULE unsigned clear_lanes_throughout(const wi_mesh *start, const wi_mesh *end,
                                              const wi_vertex_fans *fans, const wi_fan_group *group,
                                              fan_rule rule)
{
    ring8 r;
    r.length = group->length;
    r.is_closed = group->is_closed;
    read_points(start, fans, group, r.p);
    read_points(end, fans, group, r.end);
    const unsigned lanes = turns_one_way_throughout(&r, rule);
    if (lanes == 0) return 0;
    return lanes & turns_once(&r) & (r.is_closed ? WI_ALL_LANES : stays_open(&r, rule));
}

/* A function for each rule, of which only the reach is not a constant. */

static unsigned clear_lanes_still(const wi_mesh *mesh, const wi_vertex_fans *fans,
                                  const wi_fan_group *group)
{
    return clear_lanes(mesh, fans, group, (fan_rule){false, false, 0.0F});
}

static unsigned clear_lanes_near(const wi_mesh *mesh, const wi_vertex_fans *fans,
                                 const wi_fan_group *group, float reach)
{
    return clear_lanes(mesh, fans, group, (fan_rule){false, true, reach});
}

static unsigned clear_lanes_swept(const wi_mesh *start, const wi_mesh *end,
                                  const wi_vertex_fans *fans, const wi_fan_group *group)
{
    return clear_lanes_throughout(start, end, fans, group, (fan_rule){true, false, 0.0F});
}

static unsigned clear_lanes_near_swept(const wi_mesh *start, const wi_mesh *end,
                                       const wi_vertex_fans *fans, const wi_fan_group *group,
                                       float reach)
{
    return clear_lanes_throughout(start, end, fans, group, (fan_rule){true, true, reach});
}

static unsigned clear_lanes_in_step(const wi_mesh *mesh, wi_self_step step,
                                    const wi_vertex_fans *fans, const wi_fan_group *group)
{
    if (step.end == NULL)
        return step.reach > 0.0F ? clear_lanes_near(mesh, fans, group, step.reach)
                                 : clear_lanes_still(mesh, fans, group);
    return step.reach > 0.0F ? clear_lanes_near_swept(mesh, step.end->mesh, fans, group, step.reach)
                             : clear_lanes_swept(mesh, step.end->mesh, fans, group);
}

/* ---- two by two ---- */

/* Each of these exists twice: `step` is NULL where there is no step, which is known where it is
 * inlined. */
#define STILL_AND_SWEPT static inline __attribute__((always_inline))

/* A step, and who is told of the pairs that may touch in it. */
typedef struct fan_step {
    wi_self_step step;
    wi_sharing_visitor visitor;
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
    const wi_sharing_visitor *visitor = &step->visitor;
    return slot_a < slot_b ? visitor->visit(visitor->context, slot_a, slot_b)
                           : visitor->visit(visitor->context, slot_b, slot_a);
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
    const wi_arc_fan arcs = {.start = h->mesh,
                             .end = step && step->step.end ? step->step.end->mesh : NULL,
                             .is_contact = step != NULL,
                             .reach = step ? step->step.reach : 0.0F,
                             .centre = centre_of(h->mesh, fan, slots[0]),
                             .slots = slots,
                             .count = count};
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
    const unsigned clear = step ? clear_lanes_in_step(h->mesh, step->step, wi_fans_of(h), group)
                                : clear_lanes_still(h->mesh, wi_fans_of(h), group);
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
bool WI_KERNEL(run_swept_fans)(wi_descent *down, const wi_tree *h, wi_self_step step, uint32_t lot,
                               wi_sharing_visitor visitor)
{
    WI_ASSERT(step.reach >= 0.0F);
    const fan_step told = {step, visitor};
    return run_lot(down, h, &told, lot);
}
