/* fan_order.c - orders the triangles around one vertex, each sharing an edge with the next. */
#include "tree/self/fan_order.h"

#include "base/check.h"

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
static bool order_star(const sides *from, const uint32_t *slots, wi_fan *s)
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

bool wi_fan_order(const wi_mesh *mesh, uint32_t vertex, const uint32_t *slots, uint32_t count,
                  wi_fan *s)
{
    sides from = {.count = count};
    if (count > WI_MAX_FAN) return false;
    for (uint32_t i = 0; i < count; i++)
        if (!others(mesh->tris[slots[i]], vertex, from.ends[i])) return false;
    s->centre = vertex;
    return order_star(&from, slots, s);
}

void wi_fan_write(const wi_mesh *mesh, uint32_t *at, const wi_fan_group *group, const wi_fan *s)
{
    const unsigned points = wi_fan_points(group);
    *at = wi_mesh_spot(mesh, s->centre);
    for (unsigned i = 0; i < points; i++) *(at += WI_LANES) = wi_mesh_spot(mesh, s->ring[i]);
    for (unsigned i = 0; i < s->length; i++) *(at += WI_LANES) = s->slots[i];
}
