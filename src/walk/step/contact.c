/* contact.c - the end of all walks over steps: a time, or a distance, in double. */
#include "walk/step/contact.h"

#include <string.h>

#include "base/check.h"
#include "prim/distance/distance.h"
#include "prim/meet/tri_tri.h"
#include "prim/moving/impact.h"
#include "walk/step/feature_toi.h"
#include "walk/step/features.h"

/* ---- how far ---- */

/* Of a vertex and a face, or of two edges: four points. */
static wi_closest_points closest_of(unsigned code, const float point[4][3])
{
    if (wi_are_edges(code)) return wi_edge_edge_closest(point, point + 2);
    wi_tri face;
    memcpy(face.corner, point + 1, sizeof face.corner);
    return wi_point_tri_closest(point[0], &face);
}

static wi_closest_points closest_now(const wi_feature_queue *queue, unsigned lane)
{
    float point[4][3];
    for (int i = 0; i < 4; i++) memcpy(point[i], queue->at.point[0][i][lane], sizeof point[i]);
    return closest_of(queue->code[lane], (const float(*)[3])point);
}

static bool asks_rest(const wi_step_walk *walk)
{
    const wi_step *step = &walk->step;
    return walk->down.rules.skip_rest && step->a.start == step->b.start &&
           step->a.start->mesh->rest;
}

static bool was_close_at_rest(const wi_step_walk *walk, const wi_feature_queue *queue,
                              unsigned lane)
{
    if (!asks_rest(walk)) return false;
    const wi_point *rest = walk->step.a.start->mesh->rest;
    float point[4][3];
    for (int i = 0; i < 4; i++)
        memcpy(point[i], rest[queue->vertex[lane][i]].axis, sizeof point[i]);
    return closest_of(queue->code[lane], (const float(*)[3])point).distance <= walk->step.reach;
}

/* Of the triangles that the two features belong to. */
static bool is_at_crack(const wi_step_walk *walk, wi_pair_key key)
{
    return walk->down.rules.skip_cracks &&
           wi_mesh_share_crack(walk->step.a.start->mesh, (uint32_t)(key >> 32),
                               walk->step.b.start->mesh, (uint32_t)key);
}

/* ---- contacts ---- */

static willow_contact contact_at(const wi_step_walk *walk, const wi_feature_queue *queue,
                                 unsigned lane, const double at[4][3])
{
    double start[4][3];
    for (int i = 0; i < 4; i++)
        for (int axis = 0; axis < 3; axis++)
            start[i][axis] = (double)queue->at.point[0][i][lane][axis];
    const willow_contact found =
        wi_are_edges(queue->code[lane])
            ? wi_edge_edge_contact((const double(*)[3])start, at, walk->step.reach)
            : wi_vertex_face_contact((const double(*)[3])start, at, walk->step.reach);
    return queue->is_b_first[lane] ? wi_contact_swapped(&found) : found;
}

static bool find_impact(const wi_step_walk *walk, const wi_feature_queue *queue, unsigned lane,
                        wi_contact *contact)
{
    double at[4][3];
    const willow_toi found = wi_when(walk, queue, lane, &contact->value, at);
    if (found == WILLOW_TOI_NONE) return false;
    contact->is_decided = found == WILLOW_TOI_IMPACT;
    contact->at = contact_at(walk, queue, lane, (const double(*)[3])at);
    return true;
}

static bool find_near(const wi_step_walk *walk, const wi_feature_queue *queue, unsigned lane,
                      wi_contact *contact)
{
    const wi_closest_points c = closest_now(queue, lane);
    if (!(c.distance <= walk->step.reach)) return false;
    contact->value = c.distance;
    contact->is_decided = true;
    contact->at = wi_contact_between(&c, queue->is_b_first[lane]);
    return true;
}

bool wi_contact_decide(wi_step_walk *walk, const wi_feature_queue *queue, unsigned lane)
{
    WI_ASSERT(lane < WI_LANES && queue->code[lane] < WI_FACE_FACE);
    wi_contact contact = {.key = queue->key[lane], .pair = walk->pair, .code = queue->code[lane]};
    const bool is_near_asked = walk->down.rules.wanted == WI_NEAR_FEATURES;
    if (walk->is_over || is_at_crack(walk, contact.key)) return true;
    walk->down.reader->stats.exact_tests++;
    const bool is_contact = is_near_asked ? find_near(walk, queue, lane, &contact)
                                          : find_impact(walk, queue, lane, &contact);
    if (!is_contact || was_close_at_rest(walk, queue, lane)) return true;
    if (walk->down.rules.wanted == WI_FIRST_IMPACT) {
        walk->is_over = contact.is_decided && contact.value == 0.0;
        if (contact.value < walk->step.until) wi_step_limit(&walk->step, contact.value);
    }
    return wi_array_push(walk->down.reader->memory, &walk->contacts, contact);
}

/* ---- whole triangles ---- */

static wi_tri tri_at_rest(const wi_mesh *mesh, uint32_t slot)
{
    wi_tri tri;
    for (int i = 0; i < 3; i++)
        memcpy(tri.corner[i], mesh->rest[mesh->tris[slot][i]].axis, sizeof tri.corner[i]);
    return tri;
}

/* Triangles that share a vertex touch there: it is corner i of the one, and corner k of the other.
 */
static willow_contact shared_contact(const wi_tri *a, unsigned i, unsigned k)
{
    const float *p = a->corner[i];
    willow_contact out = {.point_a = {p[0], p[1], p[2]}, .point_b = {p[0], p[1], p[2]}};
    out.weights_a[i] = out.weights_b[k] = 1.0F;
    return out;
}

static bool are_faces_near(const wi_step_walk *walk, const wi_tri *a, const wi_tri *b,
                           wi_contact *contact)
{
    wi_closest_points c;
    if (!wi_tri_tri_closest_within(a, b, walk->step.reach, &c)) return false;
    contact->value = c.distance;
    contact->at = wi_contact_between(&c, false);
    return true;
}

static bool were_faces_close_at_rest(const wi_step_walk *walk, const wi_mesh *mesh, uint32_t slot_a,
                                     uint32_t slot_b)
{
    if (!asks_rest(walk)) return false;
    const wi_tri a = tri_at_rest(mesh, slot_a), b = tri_at_rest(mesh, slot_b);
    return wi_tri_tri_distance_within(&a, &b, walk->step.reach) <= walk->step.reach;
}

bool wi_contact_decide_faces(wi_step_walk *walk, uint32_t slot_a, uint32_t slot_b)
{
    const wi_mesh *a = walk->step.a.start->mesh, *b = walk->step.b.start->mesh;
    WI_ASSERT(slot_a < a->tri_count && slot_b < b->tri_count && (a != b || slot_a < slot_b));
    wi_contact contact = {.key = wi_pair_key_of(slot_a, slot_b),
                          .pair = walk->pair,
                          .code = WI_FACE_FACE,
                          .is_decided = true};
    uint8_t order_a[3], order_b[3];
    const unsigned shared =
        a == b ? wi_share_order(a->tris[slot_a], b->tris[slot_b], order_a, order_b) : 0;
    if (shared > 0 && walk->down.rules.skip_neighbours) return true;
    if (is_at_crack(walk, contact.key)) return true;
    walk->down.reader->stats.exact_tests++;
    const wi_tri tri_a = wi_mesh_tri(a, slot_a), tri_b = wi_mesh_tri(b, slot_b);
    if (shared > 0)
        contact.at = shared_contact(&tri_a, order_a[0], order_b[0]); /* at distance 0 */
    else if (!are_faces_near(walk, &tri_a, &tri_b, &contact))
        return true;
    if (were_faces_close_at_rest(walk, a, slot_a, slot_b)) return true;
    return wi_array_push(walk->down.reader->memory, &walk->contacts, contact);
}
