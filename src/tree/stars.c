/* stars.c - orders the triangles around each vertex, and sorts the stars into groups.
 *
 * Way in: wi_stars_make, linear but for stars of many triangles, which are odd anyway. Vertices
 * come in the order of their places, so that a group's positions are near each other. It is gone
 * through twice, to count and to write; a group is opened when its first star comes. */
#include "tree/stars.h"

#include <string.h>

#include "mesh/adjacency.h"
#include "tree/hierarchy.h"

/* One star while it is ordered: vertices by number. */
typedef struct star {
    uint32_t centre;
    unsigned length;
    bool is_closed;
    uint32_t ring[WI_MAX_STAR + 1];
    uint32_t slots[WI_MAX_STAR];
} star;

typedef struct star_maker {
    const wi_hierarchy *h;
    wi_stars *stars;
    wi_adjacency around;
    bool is_writing;
    uint32_t open[2][WI_MAX_STAR + 1]; /* by closedness and length: a group with room, and one */
} star_maker;

/* The two other vertices of a triangle at a vertex; false if there are not two others. */
static bool others(const uint32_t tri[3], uint32_t vertex, uint32_t out[2])
{
    unsigned count = 0;
    for (int i = 0; i < 3; i++)
        if (tri[i] != vertex && count < 2) out[count++] = tri[i];
    return count == 2 && out[0] != out[1] &&
           (tri[0] == vertex) + (tri[1] == vertex) + (tri[2] == vertex) == 1;
}

/* A triangle that is not in the star yet and has this vertex of the ring; or -1. */
static int find_next(uint32_t (*sides)[2], unsigned count, unsigned used, uint32_t vertex)
{
    for (unsigned i = 0; i < count; i++)
        if ((used >> i & 1) == 0 && (sides[i][0] == vertex || sides[i][1] == vertex)) return (int)i;
    return -1;
}

static unsigned count_at(uint32_t (*sides)[2], unsigned count, uint32_t vertex)
{
    unsigned at = 0;
    for (unsigned i = 0; i < count; i++) at += sides[i][0] == vertex || sides[i][1] == vertex;
    return at;
}

/* Where an open star begins: at a vertex that one triangle has; a closed one anywhere. False if a
 * vertex is in more than two. */
static bool find_start(uint32_t (*sides)[2], unsigned count, star *s)
{
    s->is_closed = true;
    s->ring[0] = sides[0][0];
    for (unsigned i = 0; i < count; i++)
        for (int k = 0; k < 2; k++) {
            const unsigned at = count_at(sides, count, sides[i][k]);
            if (at > 2) return false;
            if (at == 1 && s->is_closed) {
                s->is_closed = false;
                s->ring[0] = sides[i][k];
            }
        }
    return true;
}

/* Lists the triangles one after the other; false if they are not one fan or one full turn. */
static bool order_star(uint32_t (*sides)[2], const uint32_t *slots, unsigned count, star *s)
{
    unsigned used = 0;
    if (!find_start(sides, count, s)) return false;
    for (unsigned i = 0; i < count; i++) {
        const int next = find_next(sides, count, used, s->ring[i]);
        if (next < 0) return false;
        used |= 1U << next;
        s->slots[i] = slots[next];
        s->ring[i + 1] = sides[next][sides[next][0] == s->ring[i]];
    }
    s->length = count;
    /* Two triangles that form a full turn are one twice. */
    return !s->is_closed || (count > 2 && s->ring[count] == s->ring[0]);
}

/* The triangles of a vertex that collide: how many, and the first WI_MAX_STAR of them. */
static uint32_t list_colliding(const star_maker *m, uint32_t vertex, uint32_t *slots)
{
    const uint32_t *first = m->around.tris + m->around.first[vertex];
    const uint32_t *last = m->around.tris + m->around.first[vertex + 1];
    uint32_t count = 0;
    for (; first < last; first++) {
        if (!wi_mesh_collides(m->h->mesh, *first)) continue;
        if (count < WI_MAX_STAR) slots[count] = *first;
        count++;
    }
    return count;
}

static bool make_star(const star_maker *m, uint32_t vertex, const uint32_t *slots, uint32_t count,
                      star *s)
{
    uint32_t sides[WI_MAX_STAR][2];
    if (count > WI_MAX_STAR) return false;
    for (uint32_t i = 0; i < count; i++)
        if (!others(m->h->mesh->tris[slots[i]], vertex, sides[i])) return false;
    s->centre = vertex;
    return order_star(sides, slots, count, s);
}

/* A group that the star fits in, with room for it. */
static wi_star_group open_group(star_maker *m, const star *s, uint32_t *number)
{
    wi_stars *stars = m->stars;
    uint32_t *open = &m->open[s->is_closed][s->length];
    if (*open == 0) {
        const wi_star_group group = {
            .first = stars->number_count, .length = (uint8_t)s->length, .is_closed = s->is_closed};
        stars->number_count += (size_t)WI_LANES * (1 + wi_star_points(&group) + s->length);
        *open = ++stars->group_count;
        if (m->is_writing) stars->groups[*open - 1] = group;
    }
    *number = *open - 1;
    return m->is_writing ? stars->groups[*number] : (wi_star_group){0};
}

/* All lanes from this one on, so that those without a star repeat one. */
static void write_star(const wi_hierarchy *h, uint32_t *numbers, const wi_star_group *group,
                       unsigned lane, const star *s)
{
    const unsigned points = wi_star_points(group);
    for (; lane < WI_LANES; lane++) {
        uint32_t *at = numbers + group->first + lane;
        *at = wi_mesh_spot(h->mesh, s->centre);
        for (unsigned i = 0; i < points; i++) *(at += WI_LANES) = wi_mesh_spot(h->mesh, s->ring[i]);
        for (unsigned i = 0; i < s->length; i++) *(at += WI_LANES) = s->slots[i];
    }
}

/* Counting knows how full a group is by the count of stars of its kind. */
static void add_star(star_maker *m, const star *s, uint32_t *of_kind)
{
    uint32_t number;
    const wi_star_group group = open_group(m, s, &number);
    const unsigned lane = (*of_kind)++ % WI_LANES;
    if (m->is_writing) {
        write_star(m->h, m->stars->numbers, &group, lane, s);
        m->stars->groups[number].count = (uint8_t)(lane + 1);
    }
    if (lane + 1 == WI_LANES) m->open[s->is_closed][s->length] = 0;
}

static void add_odd(star_maker *m, uint32_t vertex)
{
    wi_stars *stars = m->stars;
    const uint32_t first = stars->odd_slot_count;
    for (uint32_t i = m->around.first[vertex]; i < m->around.first[vertex + 1]; i++) {
        const uint32_t slot = m->around.tris[i];
        if (!wi_mesh_collides(m->h->mesh, slot)) continue;
        if (m->is_writing) stars->odd_slots[stars->odd_slot_count] = slot;
        stars->odd_slot_count++;
    }
    if (m->is_writing)
        stars->odd[stars->odd_count] =
            (wi_odd_star){wi_mesh_spot(m->h->mesh, vertex), first, stars->odd_slot_count};
    stars->odd_count++;
}

/* Every vertex in the tree once, in the order of places: those that leaves own. */
static void go_through(star_maker *m)
{
    const wi_hierarchy *h = m->h;
    uint32_t of_kind[2][WI_MAX_STAR + 1] = {{0}};
    memset(m->open, 0, sizeof m->open);
    for (uint32_t number = 0; number < h->leaf_count; number++) {
        const wi_leaf *leaf = &h->leaves[number];
        for (unsigned i = 0; i < leaf->owned_count; i++) {
            const uint32_t vertex = h->leaf_vertices[leaf->first_vertex + i];
            uint32_t slots[WI_MAX_STAR];
            const uint32_t count = list_colliding(m, vertex, slots);
            star s;
            if (make_star(m, vertex, slots, count, &s)) {
                /* A triangle alone has no neighbours here. */
                if (count > 1) add_star(m, &s, &of_kind[s.is_closed][s.length]);
            } else {
                add_odd(m, vertex);
            }
        }
    }
}

static bool allocate(wi_memory *memory, wi_stars *stars)
{
    stars->groups = wi_alloc_array(memory, stars->group_count, sizeof *stars->groups);
    stars->numbers = wi_alloc_array(memory, stars->number_count, sizeof *stars->numbers);
    stars->odd = wi_alloc_array(memory, stars->odd_count, sizeof *stars->odd);
    stars->odd_slots = wi_alloc_array(memory, stars->odd_slot_count, sizeof *stars->odd_slots);
    return (stars->group_count == 0 || (stars->groups && stars->numbers)) &&
           (stars->odd_count == 0 || (stars->odd && stars->odd_slots));
}

bool wi_stars_make(wi_memory *memory, wi_workspace *workspace, wi_hierarchy *h)
{
    wi_stars_free(memory, &h->stars);
    star_maker m = {.h = h, .stars = &h->stars};
    if (!wi_adjacency_build(memory, workspace, h->mesh, &m.around)) return false;
    go_through(&m);
    if (!allocate(memory, &h->stars)) {
        wi_stars_free(memory, &h->stars);
        return false;
    }
    const wi_stars blocks = h->stars;
    h->stars = (wi_stars){.groups = blocks.groups,
                          .numbers = blocks.numbers,
                          .odd = blocks.odd,
                          .odd_slots = blocks.odd_slots,
                          .are_made = true};
    m.is_writing = true;
    go_through(&m);
    return true;
}

void wi_stars_free(wi_memory *memory, wi_stars *stars)
{
    wi_free_array(memory, stars->groups, stars->group_count, sizeof *stars->groups);
    wi_free_array(memory, stars->numbers, stars->number_count, sizeof *stars->numbers);
    wi_free_array(memory, stars->odd, stars->odd_count, sizeof *stars->odd);
    wi_free_array(memory, stars->odd_slots, stars->odd_slot_count, sizeof *stars->odd_slots);
    *stars = (wi_stars){0};
}

size_t wi_stars_bytes(const wi_stars *stars)
{
    return stars->group_count * sizeof *stars->groups +
           stars->number_count * sizeof *stars->numbers + stars->odd_count * sizeof *stars->odd +
           stars->odd_slot_count * sizeof *stars->odd_slots;
}

/* Is the triangle in this slot the one with these three vertices? */
static bool is_tri(const wi_mesh *mesh, uint32_t slot, const wi_spot spots[3])
{
    if (slot >= mesh->tri_count || !wi_mesh_collides(mesh, slot)) return false;
    for (int i = 0; i < 3; i++) {
        bool is_there = false;
        for (int k = 0; k < 3; k++)
            is_there = is_there || wi_mesh_spot(mesh, mesh->tris[slot][k]) == spots[i];
        if (!is_there) return false;
    }
    return true;
}

static const char *validate_group(const wi_hierarchy *h, const wi_star_group *group)
{
    const wi_stars *stars = &h->stars;
    const uint32_t *centres = wi_star_centres(stars, group), *ring = wi_star_ring(stars, group);
    const uint32_t *slots = wi_star_slots(stars, group);
    const unsigned points = wi_star_points(group);
    if (group->count == 0 || group->count > WI_LANES || group->length < 2)
        return "I13: a group has no stars or too many";
    for (unsigned lane = 0; lane < group->count; lane++)
        for (unsigned i = 0; i < group->length; i++) {
            const wi_spot spots[3] = {centres[lane], ring[i * WI_LANES + lane],
                                      ring[(i + 1) % points * WI_LANES + lane]};
            if (!is_tri(h->mesh, slots[i * WI_LANES + lane], spots))
                return "I13: a star has another triangle than the mesh";
        }
    return NULL;
}

const char *wi_stars_validate(const wi_hierarchy *h)
{
    const wi_stars *stars = &h->stars;
    if (!stars->are_made) return NULL;
    for (uint32_t i = 0; i < stars->group_count; i++) {
        const char *broken = validate_group(h, &stars->groups[i]);
        if (broken) return broken;
    }
    for (uint32_t i = 0; i < stars->odd_count; i++)
        for (uint32_t k = stars->odd[i].first; k < stars->odd[i].last; k++) {
            const uint32_t slot = stars->odd_slots[k];
            const uint32_t *tri = h->mesh->tris[slot];
            const wi_spot centre = stars->odd[i].centre;
            if (wi_mesh_spot(h->mesh, tri[0]) != centre &&
                wi_mesh_spot(h->mesh, tri[1]) != centre && wi_mesh_spot(h->mesh, tri[2]) != centre)
                return "I13: an odd star has a triangle that is not at its centre";
        }
    return NULL;
}
