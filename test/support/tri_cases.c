/* tri_cases.c - the families of tri_cases.h.
 *
 * The lattice: point (i, j, k) is (origin + i * step 0 + j * step 1 + k * step 2) * 2^exponent,
 * with origin and steps integers so small that every coordinate has at most 24 bits. Triangles with
 * k = 0 are then exactly coplanar and (i, 0, 0) lies exactly on the edge from (0, 0, 0) to
 * (SIDE, 0, 0), in a skewed plane, far from the origin and at any magnitude. */
#include "tri_cases.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- random numbers: one call per argument list, since C leaves the order of others open ---- */

uint64_t tri_random_next(tri_random *random)
{
    uint64_t z = random->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

int tri_random_int(tri_random *random, int least, int greatest)
{
    uint64_t span = (uint64_t)((int64_t)greatest - least + 1);
    return least + (int)(tri_random_next(random) % span);
}

float tri_random_float(tri_random *random, float least, float greatest)
{
    double unit = (double)(tri_random_next(random) >> 11) * 0x1p-53;
    return (float)((double)least + unit * ((double)greatest - (double)least));
}

static bool one_in(tri_random *random, int n) { return tri_random_int(random, 1, n) == 1; }

/* ---- lattices ---- */

enum { SIDE = 8 }; /* the side of triangle A in the families that touch */

typedef struct lattice {
    int origin[3];
    int step[3][3];
    int exponent;
} lattice;

static void make_lattice(lattice *l, tri_random *random, int origin_size, int step_size)
{
    for (int axis = 0; axis < 3; axis++) {
        l->origin[axis] = tri_random_int(random, -origin_size, origin_size);
        for (int s = 0; s < 3; s++)
            l->step[s][axis] = tri_random_int(random, -step_size, step_size);
    }
    l->exponent = 0;
}

/* The plain grid, a small skewed one, or one whose coordinates need nearly all bits. Coordinates
 * |i|, |j|, |k| up to 3 * SIDE are safe. */
static void make_any_lattice(lattice *l, tri_random *random)
{
    int kind = tri_random_int(random, 0, 4);
    if (kind <= 1) make_lattice(l, random, kind == 0 ? 0 : 9, 3);
    if (kind == 2) make_lattice(l, random, 1 << 12, 1 << 9);
    if (kind >= 3) make_lattice(l, random, 1 << 22, 1 << 16);
    if (kind == 0) {
        memset(l->step, 0, sizeof l->step);
        for (int axis = 0; axis < 3; axis++) l->step[axis][axis] = 1;
    }
    if (one_in(random, 3)) l->exponent = tri_random_int(random, -149, 100);
    if (one_in(random, 2)) l->exponent = tri_random_int(random, -30, 0);
}

static void place(const lattice *l, int i, int j, int k, float out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        int x =
            l->origin[axis] + i * l->step[0][axis] + j * l->step[1][axis] + k * l->step[2][axis];
        out[axis] = ldexpf((float)x, l->exponent);
    }
}

/* The triangle that the touching families touch: (0,0), (SIDE,0), (0,SIDE) in the plane k = 0. */
static void place_standard(const lattice *l, float out[3][3])
{
    place(l, 0, 0, 0, out[0]);
    place(l, SIDE, 0, 0, out[1]);
    place(l, 0, SIDE, 0, out[2]);
}

static void place_random(const lattice *l, tri_random *random, int least, int greatest, bool flat,
                         float out[3])
{
    int i = tri_random_int(random, least, greatest);
    int j = tri_random_int(random, least, greatest);
    int k = flat ? 0 : tri_random_int(random, least, greatest);
    place(l, i, j, k, out);
}

static void copy_vertex(float out[3], const float in[3]) { memcpy(out, in, 3 * sizeof(float)); }

/* ---- numbers and finish ---- */

static const float *corner_of(const tri_case *c, unsigned v)
{
    return v < 3 ? c->a[v] : c->b[v - 3];
}

static uint32_t *number_of(tri_case *c, unsigned v) { return v < 3 ? &c->ia[v] : &c->ib[v - 3]; }

static bool are_equal(const float a[3], const float b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static void number_apart(tri_case *c)
{
    for (unsigned v = 0; v < 6; v++) *number_of(c, v) = v;
}

/* Half of the cases have six numbers; in the others, equal positions get equal numbers always or
 * as a coin falls. */
static void number_by_position(tri_case *c, tri_random *random)
{
    number_apart(c);
    int mode = tri_random_int(random, 0, 3);
    if (mode < 2) return;
    for (unsigned v = 1; v < 6; v++)
        for (unsigned w = 0; w < v; w++)
            if (are_equal(corner_of(c, v), corner_of(c, w)) && (mode == 2 || one_in(random, 2)))
                *number_of(c, v) = *number_of(c, w);
}

static void swap_corners(float p[3][3], uint32_t ip[3], int i, int j)
{
    float vertex[3];
    copy_vertex(vertex, p[i]);
    copy_vertex(p[i], p[j]);
    copy_vertex(p[j], vertex);
    uint32_t number = ip[i];
    ip[i] = ip[j];
    ip[j] = number;
}

static void shuffle(float p[3][3], uint32_t ip[3], tri_random *random)
{
    swap_corners(p, ip, 0, tri_random_int(random, 0, 2));
    swap_corners(p, ip, 1, tri_random_int(random, 1, 2));
}

static void swap_triangles(tri_case *c)
{
    tri_case old = *c;
    memcpy(c->a, old.b, sizeof c->a);
    memcpy(c->b, old.a, sizeof c->b);
    memcpy(c->ia, old.ib, sizeof c->ia);
    memcpy(c->ib, old.ia, sizeof c->ib);
}

/* Zeros of vertices that are nobody else's get random signs. */
static void sign_zeros(tri_case *c, tri_random *random)
{
    for (unsigned v = 0; v < 6; v++) {
        bool is_alone = true;
        for (unsigned w = 0; w < 6; w++)
            is_alone = is_alone && (w == v || *number_of(c, w) != *number_of(c, v));
        float *p = v < 3 ? c->a[v] : c->b[v - 3];
        for (int axis = 0; axis < 3 && is_alone; axis++)
            if (p[axis] == 0 && one_in(random, 2)) p[axis] = -p[axis];
    }
}

static void finish(tri_case *c, tri_random *random)
{
    shuffle(c->a, c->ia, random);
    shuffle(c->b, c->ib, random);
    if (one_in(random, 2)) swap_triangles(c);
    if (one_in(random, 4)) sign_zeros(c, random);
}

/* ---- families: random ---- */

static void fill_random(float p[3][3], tri_random *random, const float center[3], float size)
{
    for (int i = 0; i < 3; i++)
        for (int axis = 0; axis < 3; axis++)
            p[i][axis] = center[axis] + tri_random_float(random, -size, size);
}

static void make_random(tri_case *c, tri_random *random)
{
    static const float zero[3] = {0, 0, 0};
    fill_random(c->a, random, zero, 1);
    fill_random(c->b, random, zero, 1);
    number_apart(c);
}

/* Only a few bits are left for the shape: coincidences are common. */
static void make_random_far(tri_case *c, tri_random *random)
{
    float size = ldexpf(1, tri_random_int(random, -8, 8));
    float center[3];
    for (int axis = 0; axis < 3; axis++) {
        float distance = ldexpf(size, tri_random_int(random, 4, 22));
        center[axis] = tri_random_float(random, -distance, distance);
    }
    fill_random(c->a, random, center, size);
    fill_random(c->b, random, center, size);
    number_by_position(c, random);
}

static void make_grid(tri_case *c, tri_random *random)
{
    int size = tri_random_int(random, 1, 4);
    for (int i = 0; i < 3; i++)
        for (int axis = 0; axis < 3; axis++) {
            c->a[i][axis] = (float)tri_random_int(random, 0, size);
            c->b[i][axis] = (float)tri_random_int(random, 0, size);
        }
    number_by_position(c, random);
}

/* ---- families: neighbours ---- */

static void make_grid_numbered(tri_case *c, tri_random *random)
{
    lattice l;
    make_any_lattice(&l, random);
    int size = tri_random_int(random, 1, 4);
    int pool_count = tri_random_int(random, 3, 6);
    bool flat = one_in(random, 3);
    float pool[6][3];
    for (int v = 0; v < pool_count; v++) place_random(&l, random, 0, size, flat, pool[v]);
    for (int i = 0; i < 3; i++) {
        c->ia[i] = (uint32_t)tri_random_int(random, 0, pool_count - 1);
        c->ib[i] = (uint32_t)tri_random_int(random, 0, pool_count - 1);
        copy_vertex(c->a[i], pool[c->ia[i]]);
        copy_vertex(c->b[i], pool[c->ib[i]]);
    }
}

static void share(tri_case *c, int corner)
{
    copy_vertex(c->b[corner], c->a[corner]);
    c->ib[corner] = c->ia[corner];
}

static void make_shared_vertex(tri_case *c, tri_random *random)
{
    if (one_in(random, 2))
        make_random(c, random);
    else
        make_random_far(c, random);
    number_apart(c);
    share(c, 0);
}

/* Coplanar ones, crossings of opposite edges and overlaps of edges are all common here. */
static void make_shared_vertex_grid(tri_case *c, tri_random *random)
{
    lattice l;
    make_any_lattice(&l, random);
    bool flat = one_in(random, 2);
    int size = tri_random_int(random, 1, 3);
    for (int i = 0; i < 3; i++) {
        place_random(&l, random, -size, size, flat, c->a[i]);
        place_random(&l, random, -size, size, flat && !one_in(random, 4), c->b[i]);
    }
    number_apart(c);
    share(c, 0);
}

static void make_shared_edge(tri_case *c, tri_random *random)
{
    lattice l;
    make_any_lattice(&l, random);
    for (int i = 0; i < 3; i++) {
        bool flat = i < 2 || one_in(random, 2);
        place_random(&l, random, -4, 4, flat, c->a[i]);
        place_random(&l, random, -4, 4, flat, c->b[i]);
    }
    if (one_in(random, 3)) make_random(c, random);
    number_apart(c);
    share(c, 0);
    share(c, 1);
}

static void make_all_shared(tri_case *c, tri_random *random)
{
    make_shared_vertex_grid(c, random);
    for (int i = 0; i < 3; i++) share(c, i);
}

/* Two triangles of a bumpy sheet of 4 x 4 vertices, as self-collision meets them. */
static void make_sheet(tri_case *c, tri_random *random)
{
    float bump = one_in(random, 2) ? 0.05F : 3.0F;
    float sheet[16][3];
    for (int v = 0; v < 16; v++) {
        sheet[v][0] = (float)(v % 4) + tri_random_float(random, -bump, bump);
        sheet[v][1] = (float)(v / 4) + tri_random_float(random, -bump, bump);
        sheet[v][2] = tri_random_float(random, -bump, bump);
    }
    for (int t = 0; t < 2; t++) {
        int column = tri_random_int(random, 0, 2);
        int at = column + 4 * tri_random_int(random, 0, 2);
        bool is_upper = one_in(random, 2);
        int corner[3] = {at + 1, at + 4, is_upper ? at + 5 : at};
        for (int i = 0; i < 3; i++) {
            copy_vertex(t == 0 ? c->a[i] : c->b[i], sheet[corner[i]]);
            *(t == 0 ? &c->ia[i] : &c->ib[i]) = (uint32_t)corner[i];
        }
    }
}

static void make_equal(tri_case *c, tri_random *random)
{
    make_shared_vertex_grid(c, random);
    if (one_in(random, 3)) copy_vertex(c->a[1], c->a[0]);
    if (one_in(random, 3)) copy_vertex(c->a[2], c->a[0]);
    memcpy(c->b, c->a, sizeof c->b);
    number_by_position(c, random);
}

/* ---- families: coplanar ---- */

static void make_coplanar(tri_case *c, tri_random *random)
{
    lattice l;
    make_any_lattice(&l, random);
    int size = tri_random_int(random, 2, 10);
    for (int i = 0; i < 3; i++) {
        place_random(&l, random, 0, size, true, c->a[i]);
        place_random(&l, random, 0, size, true, c->b[i]);
    }
    number_by_position(c, random);
}

static void make_coplanar_inside(tri_case *c, tri_random *random)
{
    lattice l;
    make_any_lattice(&l, random);
    place_standard(&l, c->a);
    int margin = tri_random_int(random, 0, 1);
    for (int i = 0; i < 3; i++) {
        int x = tri_random_int(random, margin, SIDE - 2 * margin);
        int y = tri_random_int(random, margin, SIDE - margin - x);
        place(&l, x, y, 0, c->b[i]);
    }
    number_by_position(c, random);
}

/* B has a vertex on the line of A's lower edge and is below it else. */
static void make_coplanar_vertex(tri_case *c, tri_random *random)
{
    lattice l;
    make_any_lattice(&l, random);
    place_standard(&l, c->a);
    place(&l, tri_random_int(random, -2, SIDE + 2), 0, 0, c->b[0]);
    for (int i = 1; i < 3; i++) {
        int x = tri_random_int(random, -SIDE, 2 * SIDE);
        place(&l, x, tri_random_int(random, -SIDE, -1), 0, c->b[i]);
    }
    number_by_position(c, random);
}

/* B has an edge on the line of A's lower edge, and its tip above or below. */
static void make_coplanar_edge(tri_case *c, tri_random *random)
{
    lattice l;
    make_any_lattice(&l, random);
    place_standard(&l, c->a);
    place(&l, tri_random_int(random, -SIDE, 2 * SIDE), 0, 0, c->b[0]);
    place(&l, tri_random_int(random, -SIDE, 2 * SIDE), 0, 0, c->b[1]);
    int x = tri_random_int(random, -SIDE, 2 * SIDE);
    place(&l, x, tri_random_int(random, -SIDE, SIDE), 0, c->b[2]);
    number_by_position(c, random);
}

/* No corner of B is inside A: stars, corners cut off, edges through corners, and misses. */
static void make_coplanar_crossing(tri_case *c, tri_random *random)
{
    lattice l;
    make_any_lattice(&l, random);
    place_standard(&l, c->a);
    for (int i = 0; i < 3; i++) {
        int x, y;
        do {
            x = tri_random_int(random, -SIDE, 2 * SIDE);
            y = tri_random_int(random, -SIDE, 2 * SIDE);
        } while (x >= 0 && y >= 0 && x + y <= SIDE);
        place(&l, x, y, 0, c->b[i]);
    }
    number_by_position(c, random);
}

/* ---- families: touching ---- */

static void make_vertex_on_face(tri_case *c, tri_random *random)
{
    lattice l;
    make_any_lattice(&l, random);
    place_standard(&l, c->a);
    place_random(&l, random, -1, SIDE, true, c->b[0]);
    for (int i = 1; i < 3; i++) {
        int x = tri_random_int(random, -SIDE, SIDE), y = tri_random_int(random, -SIDE, SIDE);
        place(&l, x, y, tri_random_int(random, 1, SIDE), c->b[i]);
    }
    number_by_position(c, random);
}

/* B has a vertex on A's lower edge or its extension, and its others beyond that edge. */
static void make_vertex_on_edge(tri_case *c, tri_random *random)
{
    lattice l;
    make_any_lattice(&l, random);
    place_standard(&l, c->a);
    place(&l, tri_random_int(random, -1, SIDE + 1), 0, 0, c->b[0]);
    for (int i = 1; i < 3; i++) {
        int x = tri_random_int(random, -SIDE, SIDE), y = tri_random_int(random, -SIDE, 0);
        place(&l, x, y, tri_random_int(random, -SIDE, SIDE), c->b[i]);
    }
    number_by_position(c, random);
}

/* Equal positions, whose numbers are mostly not equal. */
static void make_vertex_on_vertex(tri_case *c, tri_random *random)
{
    lattice l;
    make_any_lattice(&l, random);
    place_standard(&l, c->a);
    copy_vertex(c->b[0], c->a[tri_random_int(random, 0, 2)]);
    for (int i = 1; i < 3; i++) place_random(&l, random, -SIDE, SIDE, one_in(random, 4), c->b[i]);
    number_by_position(c, random);
}

/* An edge of B passes through (x, 0, 0) from in front to behind; its tip is beyond A's edge. */
static void make_edge_on_edge(tri_case *c, tri_random *random)
{
    lattice l;
    make_any_lattice(&l, random);
    place_standard(&l, c->a);
    int x = tri_random_int(random, -1, SIDE + 1);
    int di = tri_random_int(random, -4, 4), dj = tri_random_int(random, -1, 4);
    int dk = tri_random_int(random, 1, 4);
    int ahead = tri_random_int(random, 1, 3), back = tri_random_int(random, 0, 3);
    place(&l, x + ahead * di, ahead * dj, ahead * dk, c->b[0]);
    place(&l, x - back * di, -back * dj, -back * dk, c->b[1]);
    int ti = x + tri_random_int(random, -4, 4), tj = tri_random_int(random, -SIDE, -1);
    place(&l, ti, tj, tri_random_int(random, -SIDE, SIDE), c->b[2]);
    number_by_position(c, random);
}

/* An edge of B goes through the plane of A at a lattice point in, on or out of A. */
static void make_edge_through_face(tri_case *c, tri_random *random)
{
    lattice l;
    make_any_lattice(&l, random);
    place_standard(&l, c->a);
    int x = tri_random_int(random, -1, SIDE), y = tri_random_int(random, -1, SIDE);
    int di = tri_random_int(random, -4, 4), dj = tri_random_int(random, -4, 4);
    int dk = tri_random_int(random, 1, 4);
    int ahead = tri_random_int(random, 1, 3), back = tri_random_int(random, 1, 3);
    place(&l, x + ahead * di, y + ahead * dj, ahead * dk, c->b[0]);
    place(&l, x - back * di, y - back * dj, -back * dk, c->b[1]);
    place_random(&l, random, -SIDE, SIDE, false, c->b[2]);
    number_by_position(c, random);
}

/* An edge of B lies in A's plane, its tip does not. */
static void make_edge_in_plane(tri_case *c, tri_random *random)
{
    lattice l;
    make_any_lattice(&l, random);
    place_standard(&l, c->a);
    place_random(&l, random, -SIDE, SIDE, true, c->b[0]);
    place_random(&l, random, -SIDE, SIDE, true, c->b[1]);
    int x = tri_random_int(random, -SIDE, SIDE), y = tri_random_int(random, -SIDE, SIDE);
    place(&l, x, y, tri_random_int(random, 1, SIDE), c->b[2]);
    number_by_position(c, random);
}

/* ---- families: nearly ---- */

/* Moves one to three coordinates by one ulp. */
static void nudge(tri_case *c, tri_random *random)
{
    for (int count = tri_random_int(random, 1, 3); count > 0; count--) {
        float *p = one_in(random, 2) ? c->a[tri_random_int(random, 0, 2)]
                                     : c->b[tri_random_int(random, 0, 2)];
        int axis = tri_random_int(random, 0, 2);
        p[axis] = nextafterf(p[axis], one_in(random, 2) ? FLT_MAX : -FLT_MAX);
    }
    number_by_position(c, random);
}

static void make_nearly_touching(tri_case *c, tri_random *random)
{
    switch (tri_random_int(random, 0, 4)) {
    case 0: make_vertex_on_face(c, random); break;
    case 1: make_vertex_on_edge(c, random); break;
    case 2: make_edge_on_edge(c, random); break;
    case 3: make_edge_in_plane(c, random); break;
    default: make_vertex_on_vertex(c, random); break;
    }
    nudge(c, random);
}

static void make_nearly_coplanar(tri_case *c, tri_random *random)
{
    switch (tri_random_int(random, 0, 3)) {
    case 0: make_coplanar_edge(c, random); break;
    case 1: make_coplanar_vertex(c, random); break;
    case 2: make_coplanar_crossing(c, random); break;
    default: make_coplanar(c, random); break;
    }
    nudge(c, random);
}

/* a + s (b - a) + t (c - a), rounded. */
static void blend(float out[3], float p[3][3], float s, float t)
{
    for (int axis = 0; axis < 3; axis++) {
        double x = (double)p[0][axis], y = (double)p[1][axis], z = (double)p[2][axis];
        out[axis] = (float)(x + (double)s * (y - x) + (double)t * (z - x));
    }
}

static void make_rounded_plane(tri_case *c, tri_random *random)
{
    make_random(c, random);
    float reach = one_in(random, 2) ? 1.0F : 0.01F;
    float s = tri_random_float(random, -0.5F, 1), t = tri_random_float(random, -0.5F, 1);
    for (int i = 0; i < 3; i++) {
        float ds = tri_random_float(random, -reach, reach);
        blend(c->b[i], c->a, s + ds, t + tri_random_float(random, -reach, reach));
    }
    for (int axis = 0; axis < 3 && one_in(random, 2); axis++)
        c->b[2][axis] = tri_random_float(random, -1, 1);
    number_by_position(c, random);
}

/* A corner or an edge of B goes through a point of A, of an edge of A or of a corner of A, as well
 * as floats can say. */
static void make_rounded_touch(tri_case *c, tri_random *random)
{
    if (one_in(random, 2))
        make_random(c, random);
    else
        make_random_far(c, random);
    float s = one_in(random, 8) ? 0 : tri_random_float(random, 0, 1);
    float t = one_in(random, 2) ? 0 : tri_random_float(random, 0, 1 - s);
    float at[3];
    blend(at, c->a, s, t);
    copy_vertex(c->b[0], at);
    if (one_in(random, 2)) {
        float ahead = tri_random_float(random, 0, 2), back = tri_random_float(random, 0, 2);
        for (int axis = 0; axis < 3; axis++) {
            float d = c->b[1][axis] - at[axis];
            c->b[0][axis] = at[axis] + ahead * d;
            c->b[1][axis] = at[axis] - back * d;
        }
    }
    number_by_position(c, random);
}

static void make_rounded_shared(tri_case *c, tri_random *random)
{
    make_rounded_touch(c, random);
    number_apart(c);
    int from = tri_random_int(random, 0, 2);
    copy_vertex(c->b[2], c->a[from]);
    c->ib[2] = c->ia[from];
}

/* Neighbours that are flat or folded flat, but for the last bit. */
static void make_nearly_shared(tri_case *c, tri_random *random)
{
    switch (tri_random_int(random, 0, 2)) {
    case 0: make_coplanar(c, random); break;
    case 1: make_shared_vertex_grid(c, random); break;
    default: make_rounded_plane(c, random); break;
    }
    nudge(c, random);
    number_apart(c);
    share(c, 0);
    if (one_in(random, 2)) share(c, 1);
}

/* All six corners are integer points of nx x + ny y + z = distance, but for a unit here and there:
 * determinants of 60 bits whose value is zero or nearly so. */
static void make_off_origin_plane(tri_case *c, tri_random *random)
{
    int nx = tri_random_int(random, -3, 3), ny = tri_random_int(random, -3, 3);
    int center = 1 << tri_random_int(random, 4, 20);
    int size = tri_random_int(random, 2, center - 1);
    int cx = tri_random_int(random, -center, center), cy = tri_random_int(random, -center, center);
    int distance = tri_random_int(random, -center, center);
    for (int v = 0; v < 6; v++) {
        float *p = v < 3 ? c->a[v] : c->b[v - 3];
        int x = cx + tri_random_int(random, -size, size);
        int y = cy + tri_random_int(random, -size, size);
        int off = one_in(random, 3) ? tri_random_int(random, -1, 1) : 0;
        p[0] = (float)x;
        p[1] = (float)y;
        p[2] = (float)(distance - nx * x - ny * y + off);
    }
    number_by_position(c, random);
}

/* ---- families: thin ---- */

/* Its long edge goes through a given point, but for rounding; the last corner is very near. */
static void make_needle(float p[3][3], tri_random *random, const float through[3])
{
    float length = ldexpf(1, tri_random_int(random, -2, 12));
    float width = ldexpf(length, tri_random_int(random, -30, -8));
    for (int axis = 0; axis < 3; axis++) {
        float d = tri_random_float(random, -length, length);
        p[0][axis] = through[axis] - d;
        p[1][axis] = through[axis] + d * 0.75F;
        p[2][axis] = p[1][axis] + tri_random_float(random, -width, width);
    }
}

static void make_needles(tri_case *c, tri_random *random)
{
    float through[3];
    for (int axis = 0; axis < 3; axis++) through[axis] = tri_random_float(random, -1, 1);
    make_needle(c->a, random, through);
    if (one_in(random, 2))
        fill_random(c->b, random, through, 2);
    else
        make_needle(c->b, random, through);
    number_by_position(c, random);
}

/* The third corner is a point of the first edge, as well as floats can say. */
static void make_sliver(float p[3][3], tri_random *random, const float center[3])
{
    fill_random(p, random, center, 1);
    blend(p[2], p, tri_random_float(random, -0.5F, 1.5F), 0);
}

static void make_slivers(tri_case *c, tri_random *random)
{
    static const float zero[3] = {0, 0, 0};
    make_sliver(c->a, random, zero);
    int kind = tri_random_int(random, 0, 3);
    if (kind == 0) fill_random(c->b, random, zero, 1);
    if (kind == 1) make_sliver(c->b, random, zero);
    if (kind >= 2) { /* a corner or an edge of B on A's long edge */
        fill_random(c->b, random, zero, 1);
        blend(c->b[0], c->a, tri_random_float(random, 0, 1), 0);
        if (kind == 3) blend(c->b[1], c->a, tri_random_float(random, -1, 2), 0);
    }
    number_by_position(c, random);
}

/* Any of the exact families, to make one of its triangles degenerate. */
static void make_any_exact(tri_case *c, tri_random *random)
{
    switch (tri_random_int(random, 0, 7)) {
    case 0: make_vertex_on_face(c, random); break;
    case 1: make_vertex_on_edge(c, random); break;
    case 2: make_vertex_on_vertex(c, random); break;
    case 3: make_edge_on_edge(c, random); break;
    case 4: make_edge_through_face(c, random); break;
    case 5: make_coplanar(c, random); break;
    case 6: make_coplanar_edge(c, random); break;
    default: make_grid(c, random); break;
    }
}

static void make_points(tri_case *c, tri_random *random)
{
    make_any_exact(c, random);
    copy_vertex(c->b[1], c->b[0]);
    copy_vertex(c->b[2], c->b[0]);
    if (one_in(random, 8)) copy_vertex(c->a[1], c->a[0]);
    if (one_in(random, 8)) copy_vertex(c->a[2], c->a[0]);
    if (one_in(random, 8)) copy_vertex(c->b[2], c->a[2]);
    number_by_position(c, random);
}

static void make_segments(tri_case *c, tri_random *random)
{
    make_any_exact(c, random);
    copy_vertex(c->b[2], c->b[tri_random_int(random, 0, 1)]);
    if (one_in(random, 3)) copy_vertex(c->a[2], c->a[tri_random_int(random, 0, 1)]);
    number_by_position(c, random);
}

/* Segments on one line, whose corners are three different points as a rule, and points. */
static void make_collinear(tri_case *c, tri_random *random)
{
    lattice l;
    make_any_lattice(&l, random);
    int size = tri_random_int(random, 1, 2 * SIDE);
    bool is_off = one_in(random, 8);
    for (int i = 0; i < 3; i++) {
        place(&l, tri_random_int(random, 0, size), 0, 0, c->a[i]);
        place(&l, tri_random_int(random, 0, size), is_off && i == 0, 0, c->b[i]);
    }
    number_by_position(c, random);
}

/* ---- families: magnitudes ---- */

static void scale_to(tri_case *c, int exponent)
{
    for (int i = 0; i < 3; i++)
        for (int axis = 0; axis < 3; axis++) {
            c->a[i][axis] = ldexpf(c->a[i][axis], exponent);
            c->b[i][axis] = ldexpf(c->b[i][axis], exponent);
        }
}

/* Few bits: sums and products underflow, and rounding to denormals makes new coincidences. */
static void make_denormals(tri_case *c, tri_random *random)
{
    make_random(c, random);
    scale_to(c, tri_random_int(random, -147, -127));
    number_by_position(c, random);
}

static void make_smallest_normals(tri_case *c, tri_random *random)
{
    lattice l;
    if (one_in(random, 2))
        make_lattice(&l, random, 1 << 22, 1 << 16);
    else
        make_lattice(&l, random, 1 << 10, 1 << 21);
    l.exponent = -149;
    bool flat = one_in(random, 2);
    for (int i = 0; i < 3; i++) {
        place_random(&l, random, -2, 2, flat, c->a[i]);
        place_random(&l, random, -2, 2, flat, c->b[i]);
    }
    number_by_position(c, random);
}

/* A hard case whose greatest coordinate has the given exponent. */
static void make_of_magnitude(tri_case *c, tri_random *random, int exponent)
{
    switch (tri_random_int(random, 0, 4)) {
    case 0: make_nearly_touching(c, random); break;
    case 1: make_nearly_shared(c, random); break;
    case 2: make_rounded_touch(c, random); break;
    case 3: make_rounded_shared(c, random); break;
    default: make_shared_vertex_grid(c, random); break;
    }
    float greatest = 0;
    for (unsigned v = 0; v < 6; v++)
        for (int axis = 0; axis < 3; axis++)
            greatest = fmaxf(greatest, fabsf(corner_of(c, v)[axis]));
    int old;
    (void)frexpf(greatest, &old);
    scale_to(c, exponent - old);
}

/* Products of two or three differences are around the smallest floats; the coordinates are not. */
static void make_underflow(tri_case *c, tri_random *random)
{
    make_of_magnitude(c, random, tri_random_int(random, -80, -28));
}

static void make_overflow(tri_case *c, tri_random *random)
{
    make_of_magnitude(c, random, tri_random_int(random, 36, 120));
}

/* The sum of a few products of two or three differences is around the largest float: some of the
 * products are finite, and some are not. Fat triangles, so that wrong signs would be believed. */
static void make_overflow_edge(tri_case *c, tri_random *random)
{
    switch (tri_random_int(random, 0, 3)) {
    case 0: make_random(c, random); break;
    case 1: make_edge_through_face(c, random); break;
    case 2: make_shared_vertex(c, random); break;
    default: make_shared_edge(c, random); break;
    }
    float greatest = 0;
    for (unsigned v = 0; v < 6; v++)
        for (int axis = 0; axis < 3; axis++)
            greatest = fmaxf(greatest, fabsf(corner_of(c, v)[axis]));
    int exponent =
        one_in(random, 2) ? tri_random_int(random, 40, 44) : tri_random_int(random, 61, 65);
    float wanted = ldexpf(tri_random_float(random, 1, 2), exponent), scale = wanted / greatest;
    for (int i = 0; i < 3 && scale <= FLT_MAX; i++)
        for (int axis = 0; axis < 3; axis++) {
            c->a[i][axis] *= scale;
            c->b[i][axis] *= scale;
        }
}

static void make_huge(tri_case *c, tri_random *random)
{
    if (one_in(random, 2)) {
        make_random(c, random);
        for (int i = 0; i < 3; i++)
            for (int axis = 0; axis < 3; axis++) {
                c->a[i][axis] *= 1e30F;
                c->b[i][axis] *= 1e30F;
            }
    } else {
        lattice l;
        make_lattice(&l, random, 1 << 22, 1 << 16);
        l.exponent = 77;
        place_standard(&l, c->a);
        for (int i = 0; i < 3; i++)
            place_random(&l, random, -SIDE, SIDE, i > 0 && one_in(random, 2), c->b[i]);
    }
    number_by_position(c, random);
}

/* Differences of these overflow in float; their products do in double as well, from the third. */
static void make_largest(tri_case *c, tri_random *random)
{
    static const float values[] = {FLT_MAX, FLT_MAX / 2, FLT_MAX / 4, 1e38F, 1e30F, 1, 0};
    for (int v = 0; v < 6; v++)
        for (int axis = 0; axis < 3; axis++) {
            float value = values[tri_random_int(random, 0, 6)];
            if (one_in(random, 4)) value = tri_random_float(random, -FLT_MAX, FLT_MAX);
            float *p = v < 3 ? c->a[v] : c->b[v - 3];
            p[axis] = one_in(random, 2) ? value : -value;
        }
    number_by_position(c, random);
}

static void make_mixed(tri_case *c, tri_random *random)
{
    static const float sizes[] = {1e30F, 1e-30F, 1, 0};
    int kinds = tri_random_int(random, 1, 3);
    for (int v = 0; v < 6; v++)
        for (int axis = 0; axis < 3; axis++) {
            float size = sizes[tri_random_int(random, 0, kinds)];
            float *p = v < 3 ? c->a[v] : c->b[v - 3];
            p[axis] = size * (one_in(random, 2) ? tri_random_float(random, -1, 1)
                                                : (float)tri_random_int(random, -2, 2));
        }
    number_by_position(c, random);
}

static void make_wide(tri_case *c, tri_random *random)
{
    int spread = tri_random_int(random, 4, 40);
    make_random(c, random);
    for (int i = 0; i < 3; i++)
        for (int axis = 0; axis < 3; axis++) {
            c->a[i][axis] = ldexpf(c->a[i][axis], tri_random_int(random, -spread, 0));
            c->b[i][axis] = ldexpf(c->b[i][axis], tri_random_int(random, -spread, 0));
        }
    number_apart(c);
}

/* A point of the plane z = s x + t y, or of a line in it, and of a magnitude of its own: the
 * difference of two such points is too long for a double, though all of them are short. */
static void place_wide(float out[3], tri_random *random, const int slope[3], bool on_line)
{
    int x = tri_random_int(random, -(1 << 18), 1 << 18);
    int y = on_line ? slope[2] * x : tri_random_int(random, -(1 << 20), 1 << 20);
    int z = slope[0] * x + slope[1] * y;
    int exponent = tri_random_int(random, -60, -18);
    out[0] = ldexpf((float)x, exponent);
    out[1] = ldexpf((float)y, exponent);
    out[2] = ldexpf((float)z, exponent);
}

static void finish_wide(tri_case *c, tri_random *random)
{
    number_by_position(c, random);
    if (one_in(random, 2)) nudge(c, random);
    if (!one_in(random, 3)) return;
    number_apart(c);
    share(c, 0);
    if (one_in(random, 2)) share(c, 1);
}

static void make_wide_plane(tri_case *c, tri_random *random)
{
    int slope[3];
    for (int i = 0; i < 3; i++) slope[i] = tri_random_int(random, -3, 3);
    for (int i = 0; i < 3; i++) {
        place_wide(c->a[i], random, slope, false);
        place_wide(c->b[i], random, slope, false);
    }
    finish_wide(c, random);
}

/* Edges, or all corners, lie on one line. */
static void make_wide_line(tri_case *c, tri_random *random)
{
    int slope[3];
    for (int i = 0; i < 3; i++) slope[i] = tri_random_int(random, -3, 3);
    for (int i = 0; i < 3; i++) {
        place_wide(c->a[i], random, slope, i < 2 || one_in(random, 4));
        place_wide(c->b[i], random, slope, i < 1 || one_in(random, 2));
    }
    finish_wide(c, random);
}

/* A is huge and its plane goes through the origin or within 1e-30 of it; B is around the origin. */
static void make_tiny_on_huge(tri_case *c, tri_random *random)
{
    for (int i = 0; i < 3; i++) {
        int x = tri_random_int(random, -4, 4), y = tri_random_int(random, -4, 4);
        c->a[i][0] = (float)x * 0x1p99F;
        c->a[i][1] = (float)y * 0x1p99F;
        c->a[i][2] = (float)(x + 2 * y) * (one_in(random, 8) ? 0x1p-99F : 0x1p99F);
        for (int axis = 0; axis < 3; axis++)
            c->b[i][axis] = (float)tri_random_int(random, -3, 3) * 0x1p-100F;
        if (one_in(random, 2)) c->b[i][2] = c->b[i][0] + 2 * c->b[i][1];
    }
    number_by_position(c, random);
}

/* ---- the table ---- */

typedef void make_function(tri_case *c, tri_random *random);

static const struct {
    const char *name;
    make_function *make;
    bool can_miss;
} families[TRI_FAMILY_COUNT] = {
#define TRI_FAMILY_ROW(name, function, words, can_miss) {words, make_##function, can_miss},
    TRI_FAMILIES(TRI_FAMILY_ROW)
#undef TRI_FAMILY_ROW
};

const char *tri_family_name(tri_family family) { return families[family].name; }

bool tri_family_can_miss(tri_family family) { return families[family].can_miss; }

void tri_case_make(tri_case *out, tri_family family, uint64_t number)
{
    tri_random random = {number << 8 | (uint64_t)family};
    random.state = tri_random_next(&random);
    families[family].make(out, &random);
    finish(out, &random);
}
