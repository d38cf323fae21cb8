/* odd_mesh.c - a kind is one function, from the number of a triangle to its vertices. */
#include "support/odd_mesh.h"

#include <stdlib.h>
#include "support/fixture.h"
#include "support/test.h"

typedef void tri_maker(uint32_t tri, uint32_t tris, uint32_t out[3]);

static void set_tri(uint32_t out[3], uint32_t a, uint32_t b, uint32_t c)
{
    out[0] = a;
    out[1] = b;
    out[2] = c;
}

static void make_strip(uint32_t tri, uint32_t tris, uint32_t out[3])
{
    (void)tris;
    set_tri(out, tri, tri + 1, tri + 2);
}

static void make_fan(uint32_t tri, uint32_t tris, uint32_t out[3])
{
    (void)tris;
    set_tri(out, 0, tri + 1, tri + 2);
}

static void make_pinwheel(uint32_t tri, uint32_t tris, uint32_t out[3])
{
    (void)tris;
    set_tri(out, 2 * tri + 1, 0, 2 * tri + 2);
}

static void make_book(uint32_t tri, uint32_t tris, uint32_t out[3])
{
    (void)tris;
    set_tri(out, 0, 1, tri + 2);
}

static void make_bow_ties(uint32_t tri, uint32_t tris, uint32_t out[3])
{
    (void)tris;
    set_tri(out, 2 * tri, 2 * tri + 1, 2 * tri + 2);
}

/* Every vertex but the last ones is where one later triangle begins. */
static void make_cactus(uint32_t tri, uint32_t tris, uint32_t out[3])
{
    (void)tris;
    set_tri(out, tri == 0 ? 0 : tri - 1, 2 * tri + 1, 2 * tri + 2);
}

/* Seven triangles per leg. */
static void make_legs(uint32_t tri, uint32_t tris, uint32_t out[3])
{
    const uint32_t in_leg = tri % 7, leg = 1 + tri / 7 * 8;
    (void)tris;
    set_tri(out, in_leg == 0 ? 0 : leg + in_leg - 1, leg + in_leg, leg + in_leg + 1);
}

static void make_caterpillar(uint32_t tri, uint32_t tris, uint32_t out[3])
{
    const uint32_t at = tri / 2;
    if (tri % 2 == 0)
        set_tri(out, at, at + 1, at + 2);
    else
        set_tri(out, at, tris + 3 + tri, 2 * tris + 3 + tri);
}

/* Cells of two triangles; the missing ones are left out of the count. */
static void make_lace(uint32_t tri, uint32_t tris, uint32_t out[3])
{
    uint32_t side = 1;
    while (3 * side * side < tris) side++;
    const uint32_t present = tri / 2, cell = present + present / 2;
    const uint32_t corner = cell / side * (side + 1) + cell % side, above = corner + side + 1;
    if (tri % 2 == 0)
        set_tri(out, corner, corner + 1, above);
    else
        set_tri(out, corner + 1, above + 1, above);
}

static void make_pieces(uint32_t tri, uint32_t tris, uint32_t out[3])
{
    uint32_t fan = 1, first = 0;
    (void)tris;
    for (; first + fan <= tri; fan++) first += fan;
    set_tri(out, first + 2 * fan, tri + 2 * fan + 1, tri + 2 * fan + 2);
}

static void make_doubling(uint32_t tri, uint32_t tris, uint32_t out[3])
{
    uint32_t strip = 0;
    while (tri + 1 >= UINT32_C(2) << strip) strip++;
    make_strip(tri + 2 * strip, tris, out);
}

static void make_dust(uint32_t tri, uint32_t tris, uint32_t out[3])
{
    const uint32_t apart = tris + 2 + tri / 2 * 3;
    if (tri % 2 == 0)
        make_strip(tri / 2, tris, out);
    else
        set_tri(out, apart, apart + 1, apart + 2);
}

static void make_soup(uint32_t tri, uint32_t tris, uint32_t out[3])
{
    (void)tris;
    set_tri(out, 3 * tri, 3 * tri + 1, 3 * tri + 2);
}

static void make_repeated(uint32_t tri, uint32_t tris, uint32_t out[3])
{
    (void)tris;
    set_tri(out, tri, tri + (tri % 4 != 0), tri + (tri % 8 != 0));
    if (tri % 4 == 3) out[2] = tri;
}

static const struct {
    tri_maker *make;
    const char *name;
} kinds[] = {
#define ODD_KIND_ENTRY(name, function, words) {make_##function, words},
    ODD_KINDS(ODD_KIND_ENTRY)
#undef ODD_KIND_ENTRY
};

const char *odd_kind_name(odd_kind kind) { return kinds[kind].name; }

/* Anywhere, or along a wave by number. */
static void place(float (*positions)[3], uint32_t count, uint64_t seed)
{
    uint64_t random = seed;
    for (uint32_t i = 0; i < count; i++)
        for (int axis = 0; axis < 3; axis++) {
            const double anywhere = test_random_between(&random, -1, 1);
            const double wave = (i >> (4 * axis) & 15) / 16.0 + 0.001 * anywhere;
            positions[i][axis] = (float)(seed % 2 == 0 ? wave : anywhere);
        }
}

static void shuffle(uint32_t (*tris)[3], uint32_t count, uint64_t seed)
{
    uint64_t random = seed + 1;
    for (uint32_t i = count; i > 1; i--) {
        const uint32_t other = (uint32_t)(test_random(&random) % i);
        uint32_t kept[3];
        memcpy(kept, tris[i - 1], sizeof kept);
        memcpy(tris[i - 1], tris[other], sizeof kept);
        memcpy(tris[other], kept, sizeof kept);
    }
}

void odd_mesh_open(tree_site *s, odd_kind kind, uint32_t tris, uint64_t seed)
{
    uint32_t(*made)[3] = calloc(tris, sizeof *made);
    uint32_t vertices = 0;
    for (uint32_t tri = 0; tri < tris; tri++) {
        kinds[kind].make(tri, tris, made[tri]);
        for (int i = 0; i < 3; i++)
            vertices = made[tri][i] < vertices ? vertices : made[tri][i] + 1;
    }
    float(*positions)[3] = calloc(vertices, sizeof *positions);
    place(positions, vertices, seed);
    shuffle(made, tris, seed);
    tree_site_open(s, &FIXTURE_MESH(positions, vertices, made, tris));
    free(made);
    free(positions);
}
