/* polygon.c - cuts polygons into triangles. Way in: polygon_cut. Made for quads and small polygons,
 * of which files have many, and for caps with some thousand corners, of which they have few: ears
 * are found in O(corners * reflex corners). After Meisters 1975, "Polygons have ears". */
#include "io/polygon.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* A file of some megabytes could ask for hours of cutting. This many steps are seconds. */
static const uint64_t most_steps = UINT64_C(2000000000);

static const float *corner_at(const float *positions, const uint32_t *corners, uint32_t i)
{
    return positions + 3 * (size_t)corners[i];
}

/* ---- the plane ---- */

/* Newell's normal: twice the area in each of the three planes. */
static void find_normal(const float *positions, const uint32_t *corners, uint32_t count,
                        double normal[3])
{
    /* Relative to a corner, so that polygons far away do not lose their areas to rounding. */
    const float *origin = corner_at(positions, corners, 0);
    double last[3] = {0, 0, 0};
    normal[0] = normal[1] = normal[2] = 0;
    for (uint32_t i = 1; i < count; i++) {
        const float *at = corner_at(positions, corners, i);
        double next[3];
        for (int k = 0; k < 3; k++) next[k] = (double)at[k] - (double)origin[k];
        for (int k = 0; k < 3; k++) {
            const int u = (k + 1) % 3, v = (k + 2) % 3;
            normal[k] += last[u] * next[v] - last[v] * next[u];
        }
        memcpy(last, next, sizeof last);
    }
}

static int largest_axis(const double normal[3])
{
    int axis = fabs(normal[1]) > fabs(normal[0]) ? 1 : 0;
    return fabs(normal[2]) > fabs(normal[axis]) ? 2 : axis;
}

/* Drops an axis; what is seen from behind is mirrored, so that the outline is counterclockwise. */
static void flatten(polygon_room *room, const float *positions, const uint32_t *corners,
                    uint32_t count, int axis, bool is_behind)
{
    const int u = (axis + (is_behind ? 2 : 1)) % 3, v = (axis + (is_behind ? 1 : 2)) % 3;
    for (uint32_t i = 0; i < count; i++) {
        const float *at = corner_at(positions, corners, i);
        room->flat[i][0] = (double)at[u];
        room->flat[i][1] = (double)at[v];
    }
}

/* Twice the area of a, b, c: positive if they turn left. */
static double turn(const double a[2], const double b[2], const double c[2])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* ---- fans ---- */

static void cut_fan(const uint32_t *corners, uint32_t count, uint32_t *out)
{
    for (uint32_t i = 2; i < count; i++) {
        *out++ = corners[0];
        *out++ = corners[i - 1];
        *out++ = corners[i];
    }
}

/* Whether all triangles of the fan turn left, and all corners do. */
static bool is_fan_fine(const polygon_room *room, uint32_t count)
{
    for (uint32_t i = 2; i < count; i++)
        if (turn(room->flat[0], room->flat[i - 1], room->flat[i]) < 0) return false;
    for (uint32_t i = 1; i + 1 < count; i++)
        if (turn(room->flat[i - 1], room->flat[i], room->flat[i + 1]) < 0) return false;
    return true;
}

/* ---- ears ---- */

static bool is_same_place(const double a[2], const double b[2])
{
    return a[0] == b[0] && a[1] == b[1];
}

/* Corners at the place of a corner of the ear do not count: bridges to holes go there and back. */
static bool is_in_ear(const double at[2], const double *const ear[3])
{
    for (int k = 0; k < 3; k++)
        if (is_same_place(at, ear[k])) return false;
    return turn(ear[0], ear[1], at) >= 0 && turn(ear[1], ear[2], at) >= 0 &&
           turn(ear[2], ear[0], at) >= 0;
}

static double corner_turn(const polygon_room *room, uint32_t corner)
{
    return turn(room->flat[room->links[corner][0]], room->flat[corner],
                room->flat[room->links[corner][1]]);
}

/* The corners that do not turn left, which are all that can lie in an ear. Those that do by now are
 * left out. */
static uint32_t keep_reflex(polygon_room *room, uint32_t reflex_count)
{
    uint32_t kept = 0;
    room->steps += reflex_count;
    for (uint32_t i = 0; i < reflex_count; i++)
        if (room->is_reflex[room->reflex[i]]) room->reflex[kept++] = room->reflex[i];
    return kept;
}

static bool is_ear(polygon_room *room, uint32_t corner, uint32_t reflex_count)
{
    const uint32_t *link = room->links[corner];
    const double *const ear[3] = {room->flat[link[0]], room->flat[corner], room->flat[link[1]]};
    if (room->is_reflex[corner]) return false;
    room->steps += reflex_count;
    for (uint32_t i = 0; i < reflex_count; i++) {
        const uint32_t other = room->reflex[i];
        if (other != link[0] && other != link[1] && is_in_ear(room->flat[other], ear)) return false;
    }
    return true;
}

static uint32_t link_corners(polygon_room *room, uint32_t count)
{
    uint32_t reflex_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        room->links[i][0] = i == 0 ? count - 1 : i - 1;
        room->links[i][1] = i == count - 1 ? 0 : i + 1;
    }
    for (uint32_t i = 0; i < count; i++) {
        room->is_reflex[i] = corner_turn(room, i) <= 0;
        if (room->is_reflex[i]) room->reflex[reflex_count++] = i;
    }
    return reflex_count;
}

/* A corner that turned left before turns left after an ear beside it was cut, but for rounding. */
static void look_again(polygon_room *room, uint32_t corner)
{
    room->is_reflex[corner] = room->is_reflex[corner] && corner_turn(room, corner) <= 0;
}

/* Cuts the corner off. */
static void cut_ear(polygon_room *room, const uint32_t *corners, uint32_t corner, uint32_t *out)
{
    const uint32_t before = room->links[corner][0], after = room->links[corner][1];
    out[0] = corners[before];
    out[1] = corners[corner];
    out[2] = corners[after];
    room->links[before][1] = after;
    room->links[after][0] = before;
    room->is_reflex[corner] = 0;
    look_again(room, before);
    look_again(room, after);
}

/* Goes around until only a triangle is left. A round without an ear, which outlines that cross
 * themselves and rounding can bring about, cuts the corner that it began with. */
static void cut_ears(polygon_room *room, const uint32_t *corners, uint32_t count, uint32_t *out)
{
    uint32_t reflex_count = link_corners(room, count);
    uint32_t at = 1, tried = 0;
    for (uint32_t left = count; left > 2;) {
        const bool is_out_of_ears = tried >= left || room->steps > most_steps;
        if (!is_out_of_ears && !is_ear(room, at, reflex_count)) {
            at = room->links[at][1];
            tried++;
            continue;
        }
        cut_ear(room, corners, at, out);
        if (room->steps <= most_steps) reflex_count = keep_reflex(room, reflex_count);
        out += 3;
        left--;
        tried = 0;
        /* On with the corner behind it: long strips are then not cut into one fan of needles. */
        at = room->links[at][1];
    }
}

/* ---- all of it ---- */

static bool make_room(io_memory *m, polygon_room *room, uint32_t count)
{
    if (count <= room->capacity) return true;
    const uint64_t wanted = count < 32 ? 32 : (uint64_t)count + count / 2;
    if (wanted > UINT32_MAX) return false;
    void *flat = io_grow(m, room->flat, wanted, sizeof *room->flat);
    if (flat != NULL) room->flat = flat;
    void *links = io_grow(m, room->links, wanted, sizeof *room->links);
    if (links != NULL) room->links = links;
    void *is_reflex = io_grow(m, room->is_reflex, wanted, sizeof *room->is_reflex);
    if (is_reflex != NULL) room->is_reflex = is_reflex;
    void *reflex = io_grow(m, room->reflex, wanted, sizeof *room->reflex);
    if (reflex != NULL) room->reflex = reflex;
    if (flat == NULL || links == NULL || is_reflex == NULL || reflex == NULL) return false;
    room->capacity = (uint32_t)wanted;
    return true;
}

bool polygon_cut(io_memory *m, polygon_room *room, const float *positions, const uint32_t *corners,
                 uint32_t corner_count, uint32_t *out)
{
    assert(corner_count >= 3);
    double normal[3];
    find_normal(positions, corners, corner_count, normal);
    const int axis = largest_axis(normal);
    if (corner_count == 3 || !(fabs(normal[axis]) > 0)) {
        cut_fan(corners, corner_count, out);
        return true;
    }
    if (!make_room(m, room, corner_count)) return false;
    flatten(room, positions, corners, corner_count, axis, normal[axis] < 0);
    if (is_fan_fine(room, corner_count)) {
        cut_fan(corners, corner_count, out);
    } else if (room->steps > most_steps) {
        cut_fan(corners, corner_count, out);
        room->given_up++;
    } else {
        cut_ears(room, corners, corner_count, out);
    }
    return true;
}

void polygon_room_free(io_memory *m, polygon_room *room)
{
    io_free(m, room->flat);
    io_free(m, room->links);
    io_free(m, room->is_reflex);
    io_free(m, room->reflex);
    *room = (polygon_room){0};
}
