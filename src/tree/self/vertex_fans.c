/* vertex_fans.c - sorts the fans of all vertices into groups (fan_order.c orders each).
 *
 * Way in: wi_vertex_fans_make, linear but for fans of many triangles, which are odd anyway.
 * Vertices come in the order of their places, so that a group's positions are near each other; a
 * group is opened when its first fan comes. */
#include "tree/self/vertex_fans.h"

#include <string.h>

#include "base/check.h"
#include "mesh/incidence.h"
#include "tree/self/fan_order.h"
#include "tree/self/self_lists.h"
#include "tree/tree.h"

typedef struct fan_maker {
    wi_memory *memory;
    const wi_tree *h;
    wi_vertex_fans *fans;
    wi_incidence around;
    uint32_t open[2][WI_MAX_FAN + 1]; /* by closedness and length: a group with room, and one */
} fan_maker;

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

/* A group that the fan fits in, with room for it; NULL if there is no memory. */
static wi_fan_group *open_group(fan_maker *m, const wi_fan *s)
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

/* The first fan of a group is written to all lanes, so that those without one repeat it. */
static bool add_star(fan_maker *m, const wi_fan *s)
{
    wi_fan_group *group = open_group(m, s);
    if (group == NULL) return false;
    const unsigned last = group->count == 0 ? WI_LANES : group->count + 1U;
    WI_ASSERT(group->count < WI_LANES && group->length == s->length);
    for (unsigned lane = group->count; lane < last; lane++)
        wi_fan_write(m->h->mesh, m->fans->numbers.items + group->first + lane, group, s);
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
    wi_fan s;
    if (!wi_fan_order(m->h->mesh, vertex, slots, count, &s)) return add_odd(m, vertex);
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
