/* vertex_fans.c - orders the triangles around each vertex, and sorts the fans into groups.
 *
 * Way in: wi_vertex_fans_make, linear but for fans of many triangles, which are odd anyway.
 * Vertices come in the order of their places, so that a group's positions are near each other; a
 * group is opened when its first fan comes. */
#include "tree/self/vertex_fans.h"

#include <string.h>

#include "base/check.h"
#include "mesh/incidence.h"
#include "tree/self/self_lists.h"
#include "tree/tree.h"

/* One fan while it is ordered: vertices by number. */
typedef struct fan {
    uint32_t centre;
    unsigned length;
    bool is_closed;
    uint32_t ring[WI_MAX_FAN + 1];
    uint32_t slots[WI_MAX_FAN];
} fan;

typedef struct fan_maker {
    wi_memory *memory;
    const wi_tree *h;
    wi_vertex_fans *fans;
    wi_incidence around;
    uint32_t open[2][WI_MAX_FAN + 1]; /* by closedness and length: a group with room, and one */
} fan_maker;

/* The two other vertices of a triangle at a vertex; false if there are not two others. */
static bool others(const uint32_t tri[3], uint32_t vertex, uint32_t out[2])
{
    unsigned count = 0;
    for (int i = 0; i < 3; i++)
        if (tri[i] != vertex && count < 2) out[count++] = tri[i];
    return count == 2 && out[0] != out[1] &&
           (tri[0] == vertex) + (tri[1] == vertex) + (tri[2] == vertex) == 1;
}

/* The sides of the triangles opposite the centre: what the ring is made of. */
typedef struct sides {
    uint32_t ends[WI_MAX_FAN][2];
    unsigned count;
} sides;

/* A side that is not in use yet and has this end; or -1. */
static int find_next(const sides *s, unsigned used, uint32_t end)
{
    WI_ASSERT(s->count <= WI_MAX_FAN);
    for (unsigned i = 0; i < s->count; i++)
        if ((used >> i & 1) == 0 && (s->ends[i][0] == end || s->ends[i][1] == end)) return (int)i;
    return -1;
}

static uint32_t other_end(const sides *s, int side, uint32_t end)
{
    WI_ASSERT(side >= 0 && side < (int)s->count);
    WI_ASSERT(s->ends[side][0] == end || s->ends[side][1] == end);
    return s->ends[side][s->ends[side][0] == end];
}

/* From the first side backwards to where the ring begins: round to itself if it is closed. */
static uint32_t find_start(const sides *s)
{
    uint32_t at = s->ends[0][0];
    unsigned used = 1;
    for (int side = find_next(s, used, at); side >= 0; side = find_next(s, used, at)) {
        used |= 1U << side;
        at = other_end(s, side, at);
    }
    return at;
}

static bool is_in(const uint32_t *list, unsigned count, uint32_t wanted)
{
    for (unsigned i = 0; i < count; i++)
        if (list[i] == wanted) return true;
    return false;
}

/* Lists the triangles one after the other; false if they are not one fan or one full turn, with
 * each vertex of the ring met once. */
static bool order_star(const sides *from, const uint32_t *slots, fan *s)
{
    WI_ASSERT(from->count > 0 && from->count <= WI_MAX_FAN);
    unsigned used = 0;
    s->length = from->count;
    s->ring[0] = find_start(from);
    for (unsigned i = 0; i < s->length; i++) {
        const int side = find_next(from, used, s->ring[i]);
        if (side < 0) return false;
        used |= 1U << side;
        s->slots[i] = slots[side];
        s->ring[i + 1] = other_end(from, side, s->ring[i]);
        if (i + 1 < s->length && is_in(s->ring, i + 1, s->ring[i + 1])) return false;
    }
    const uint32_t last = s->ring[s->length];
    s->is_closed = last == s->ring[0];
    /* Two triangles that form a full turn are one twice. */
    return s->is_closed ? s->length > 2 : !is_in(s->ring, s->length, last);
}

/* The triangles of a vertex that collide: how many, and the first WI_MAX_FAN of them. */
static uint32_t fans_list_colliding(const fan_maker *m, uint32_t vertex, uint32_t *slots)
{
    const uint32_t *first = m->around.tris + m->around.first[vertex];
    const uint32_t *last = m->around.tris + m->around.first[vertex + 1];
    uint32_t count = 0;
    for (; first < last; first++) {
        if (!wi_mesh_collides(m->h->mesh, *first)) continue;
        if (count < WI_MAX_FAN) slots[count] = *first;
        count++;
    }
    return count;
}

static bool make_star(const fan_maker *m, uint32_t vertex, const uint32_t *slots, uint32_t count,
                      fan *s)
{
    sides from = {.count = count};
    if (count > WI_MAX_FAN) return false;
    for (uint32_t i = 0; i < count; i++)
        if (!others(m->h->mesh->tris[slots[i]], vertex, from.ends[i])) return false;
    s->centre = vertex;
    return order_star(&from, slots, s);
}

/* A group that the fan fits in, with room for it; NULL if there is no memory. */
static wi_fan_group *open_group(fan_maker *m, const fan *s)
{
    wi_vertex_fans *fans = m->fans;
    WI_ASSERT(s->length > 0 && s->length <= WI_MAX_FAN);
    uint32_t *open = &m->open[s->is_closed][s->length];
    if (*open == 0) {
        const wi_fan_group group = {
            .first = fans->numbers.count, .length = (uint8_t)s->length, .is_closed = s->is_closed};
        const size_t size = (size_t)WI_LANES * (1 + wi_fan_points(&group) + s->length);
        if (!wi_array_reserve(m->memory, &fans->numbers, group.first + size) ||
            !wi_array_push(m->memory, &fans->groups, group))
            return NULL;
        fans->numbers.count += size;
        *open = (uint32_t)fans->groups.count;
    }
    return &fans->groups.items[*open - 1];
}

/* In one lane. */
static void write_lane(const wi_mesh *mesh, uint32_t *at, const wi_fan_group *group, const fan *s)
{
    const unsigned points = wi_fan_points(group);
    *at = wi_mesh_spot(mesh, s->centre);
    for (unsigned i = 0; i < points; i++) *(at += WI_LANES) = wi_mesh_spot(mesh, s->ring[i]);
    for (unsigned i = 0; i < s->length; i++) *(at += WI_LANES) = s->slots[i];
}

/* The first fan of a group is written to all lanes, so that those without one repeat it. */
static bool add_star(fan_maker *m, const fan *s)
{
    wi_fan_group *group = open_group(m, s);
    if (group == NULL) return false;
    const unsigned last = group->count == 0 ? WI_LANES : group->count + 1U;
    WI_ASSERT(group->count < WI_LANES && group->length == s->length);
    for (unsigned lane = group->count; lane < last; lane++)
        write_lane(m->h->mesh, m->fans->numbers.items + group->first + lane, group, s);
    if (++group->count == WI_LANES) m->open[s->is_closed][s->length] = 0;
    return true;
}

static bool add_odd(fan_maker *m, uint32_t vertex)
{
    wi_vertex_fans *fans = m->fans;
    wi_odd_fan odd = {.centre = wi_mesh_spot(m->h->mesh, vertex),
                      .first = (uint32_t)fans->odd_slots.count};
    for (uint32_t i = m->around.first[vertex]; i < m->around.first[vertex + 1]; i++) {
        const uint32_t slot = m->around.tris[i];
        if (wi_mesh_collides(m->h->mesh, slot) && !wi_array_push(m->memory, &fans->odd_slots, slot))
            return false;
    }
    odd.last = (uint32_t)fans->odd_slots.count;
    return wi_array_push(m->memory, &fans->odd, odd);
}

static bool add_vertex(fan_maker *m, uint32_t vertex)
{
    uint32_t slots[WI_MAX_FAN];
    const uint32_t count = fans_list_colliding(m, vertex, slots);
    fan s;
    if (!make_star(m, vertex, slots, count, &s)) return add_odd(m, vertex);
    return count == 1 || add_star(m, &s); /* a triangle alone has no neighbours here */
}

/* Every vertex in the tree once, in the order of places: those that leaves own. */
static bool add_vertices(fan_maker *m)
{
    const wi_tree *h = m->h;
    for (uint32_t number = 0; number < h->shape->leaf_count; number++) {
        const wi_leaf *leaf = &h->shape->leaves[number];
        for (unsigned i = 0; i < leaf->owned_count; i++)
            if (!add_vertex(m, h->shape->leaf_vertices[leaf->first_vertex + i])) return false;
    }
    return true;
}

/* So many that a smooth surface needs no more: six triangles at a vertex. */
static bool fans_reserve_usual(fan_maker *m)
{
    const size_t groups = m->h->mesh->vertex_count / WI_LANES;
    return wi_array_reserve(m->memory, &m->fans->groups, groups + WI_MAX_FAN) &&
           wi_array_reserve(m->memory, &m->fans->numbers, (groups + WI_MAX_FAN) * WI_LANES * 13);
}

bool wi_vertex_fans_make(wi_memory *memory, wi_workspace *workspace, wi_tree *h)
{
    wi_vertex_fans_free(memory, &h->shape->self->fans);
    fan_maker m = {.memory = memory, .h = h, .fans = &h->shape->self->fans};
    if (!wi_incidence_build(memory, workspace, h->mesh, &m.around)) return false;
    h->shape->self->fans.are_made = fans_reserve_usual(&m) && add_vertices(&m);
    if (!h->shape->self->fans.are_made) wi_vertex_fans_free(memory, &h->shape->self->fans);
    return h->shape->self->fans.are_made;
}

void wi_vertex_fans_free(wi_memory *memory, wi_vertex_fans *fans)
{
    wi_array_free(memory, &fans->groups);
    wi_array_free(memory, &fans->numbers);
    wi_array_free(memory, &fans->odd);
    wi_array_free(memory, &fans->odd_slots);
    fans->are_made = false;
}

size_t wi_vertex_fans_bytes(const wi_vertex_fans *fans)
{
    return fans->groups.capacity * sizeof *fans->groups.items +
           fans->numbers.capacity * sizeof *fans->numbers.items +
           fans->odd.capacity * sizeof *fans->odd.items +
           fans->odd_slots.capacity * sizeof *fans->odd_slots.items;
}

/* Does the triangle in this slot collide, and have this vertex? */
static bool is_at(const wi_mesh *mesh, uint32_t slot, wi_spot centre)
{
    if (slot >= mesh->tri_count || !wi_mesh_collides(mesh, slot)) return false;
    const uint32_t *tri = mesh->tris[slot];
    return wi_mesh_spot(mesh, tri[0]) == centre || wi_mesh_spot(mesh, tri[1]) == centre ||
           wi_mesh_spot(mesh, tri[2]) == centre;
}

/* Is it the one with these three vertices? */
static bool is_tri(const wi_mesh *mesh, uint32_t slot, const wi_spot spots[3])
{
    return is_at(mesh, slot, spots[0]) && is_at(mesh, slot, spots[1]) &&
           is_at(mesh, slot, spots[2]) && spots[0] != spots[1] && spots[1] != spots[2] &&
           spots[2] != spots[0];
}

static const char *validate_group(const wi_tree *h, const wi_fan_group *group)
{
    const wi_vertex_fans *fans = &h->shape->self->fans;
    const uint32_t *centres = wi_fan_centres(fans, group), *ring = wi_fan_ring(fans, group);
    const uint32_t *slots = wi_fan_slots(fans, group);
    const unsigned points = wi_fan_points(group);
    if (group->count == 0 || group->count > WI_LANES || group->length < 2)
        return "I13: a group has no fans or too many";
    for (unsigned lane = 0; lane < group->count; lane++)
        for (unsigned i = 0; i < group->length; i++) {
            const wi_spot spots[3] = {centres[lane], ring[i * WI_LANES + lane],
                                      ring[(i + 1) % points * WI_LANES + lane]};
            if (!is_tri(h->mesh, slots[i * WI_LANES + lane], spots))
                return "I13: a fan has another triangle than the mesh";
        }
    return NULL;
}

static const char *validate_odd(const wi_tree *h, const wi_odd_fan *odd)
{
    bool is_right = odd->first <= odd->last && odd->last <= h->shape->self->fans.odd_slots.count;
    for (uint32_t i = odd->first; is_right && i < odd->last; i++)
        is_right = is_at(h->mesh, h->shape->self->fans.odd_slots.items[i], odd->centre);
    return is_right ? NULL : "I13: an odd fan has a triangle that is not at its centre";
}

const char *wi_vertex_fans_validate(const wi_tree *h)
{
    const wi_vertex_fans *fans = &h->shape->self->fans;
    const char *broken = NULL;
    if (!fans->are_made) return NULL;
    for (uint32_t i = 0; broken == NULL && i < fans->groups.count; i++)
        broken = validate_group(h, &fans->groups.items[i]);
    for (uint32_t i = 0; broken == NULL && i < fans->odd.count; i++)
        broken = validate_odd(h, &fans->odd.items[i]);
    return broken;
}
