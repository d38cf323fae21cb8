/* Patches: both sides of every cut hang together, or have whole pieces; cuts are as even as they
 * can be promised to be; and no mesh makes one dear. */
#include <stdlib.h>
#include "support/odd_mesh.h"
#include "support/pieces.h"
#include "support/test.h"
#include "tree/build/connected_cut.h"

typedef struct bench {
    tree_site site;
    wi_submesh submesh;
    uint32_t *slots; /* of the submesh, in order */
    uint32_t count;
    uint8_t *is_upper;
} bench;

/* A submesh of all triangles but those that `left_out` divides, unless it is 0. */
static void open_bench(bench *b, odd_kind kind, uint32_t tris, uint64_t seed, uint32_t left_out)
{
    tree_site *s = &b->site;
    odd_mesh_open(s, kind, tris, seed);
    b->slots = calloc(tris, sizeof *b->slots);
    b->is_upper = calloc(tris, sizeof *b->is_upper);
    b->count = 0;
    for (uint32_t slot = 0; slot < tris; slot++)
        if (left_out == 0 || slot % left_out != 0) b->slots[b->count++] = slot;
    assert_true(
        wi_workspace_reserve(&s->memory, &s->workspace, wi_submesh_size(&s->mesh, b->count)));
    b->submesh = wi_submesh_take(&s->workspace, &s->mesh, b->count);
    assert_true(s->workspace.used == wi_submesh_size(&s->mesh, b->count));
}

static void close_bench(bench *b)
{
    free(b->slots);
    free(b->is_upper);
    tree_site_close(&b->site);
}

static wi_submesh_cut cut(bench *b, uint32_t unit)
{
    wi_submesh_load(&b->submesh, &b->site.mesh, (wi_range_slots){b->slots, 1}, b->count);
    const wi_submesh_cut found = wi_submesh_find_cut(&b->submesh, unit);
    wi_submesh_mark(&b->submesh, &found, b->is_upper);
    return found;
}

/* The slots of one side; returns how many. */
static uint32_t side_of(const bench *b, uint8_t side, uint32_t *slots)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < b->count; i++)
        if (b->is_upper[i] == side) slots[count++] = b->slots[i];
    return count;
}

/* No piece of the whole is on both sides. */
static void check_whole_pieces(const bench *b, const uint32_t *piece)
{
    uint8_t *sides = calloc(b->count, sizeof *sides);
    for (uint32_t i = 0; i < b->count; i++)
        sides[piece[b->slots[i]]] |= (uint8_t)(1U << b->is_upper[i]);
    for (uint32_t i = 0; i < b->count; i++) assert_true(sides[piece[b->slots[i]]] != 3);
    free(sides);
}

static uint32_t units_for(uint32_t tris, uint32_t unit) { return (tris + unit - 1) / unit; }

static void check_sides(bench *b, const wi_submesh_cut *found, uint32_t unit)
{
    const uint32_t tris = b->site.mesh.tri_count;
    uint32_t *piece = calloc(tris, sizeof *piece), *side = calloc(tris, sizeof *side);
    piece_finder finder;
    piece_finder_open(&finder, &b->site.mesh);
    const uint32_t pieces = find_pieces(&finder, b->slots, b->count, piece);
    assert_int_equal(found->is_connected, pieces == 1);
    if (pieces > 1) check_whole_pieces(b, piece);
    for (uint8_t k = 0; k < 2; k++) {
        const uint32_t count = side_of(b, k, side);
        assert_true(count == (k == 1 ? found->upper : b->count - found->upper));
        assert_true(count > 0);
        if (pieces == 1) assert_int_equal(find_pieces(&finder, side, count, piece), 1);
    }
    const uint32_t upper = found->upper, lower = b->count - upper;
    const bool wastes = units_for(lower, unit) + units_for(upper, unit) > units_for(b->count, unit);
    assert_int_equal(found->miss >= WI_SUBMESH_WASTES, wastes);
    if (pieces == 1 && wastes) assert_true(lower + 1 >= b->count / 4 && upper + 1 >= b->count / 4);
    piece_finder_close(&finder);
    free(piece);
    free(side);
}

static void sides_hang_together_or_have_whole_pieces(void **state)
{
    (void)state;
    static const uint32_t counts[] = {2, 3, 5, 17, 64, 65, 200};
    size_t cuts = 0, connected = 0, wasteful = 0;
    for (odd_kind kind = 0; kind < ODD_KIND_COUNT; kind++)
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
            for (uint64_t seed = 0; seed < 8; seed++) {
                bench b;
                open_bench(&b, kind, counts[c], seed, seed % 4 == 3 && counts[c] > 5 ? 5 : 0);
                for (uint32_t unit = 1; unit < b.count; unit += 1 + unit / 6, cuts++) {
                    const wi_submesh_cut found = cut(&b, unit);
                    check_sides(&b, &found, unit);
                    connected += found.is_connected;
                    wasteful += found.is_connected && found.miss >= WI_SUBMESH_WASTES;
                }
                close_bench(&b);
            }
    print_message("%zu cuts, %zu of connected submeshes, %zu of these not into units\n", cuts,
                  connected, wasteful);
    assert_true(connected > 1000 && wasteful > 0 && wasteful < connected / 4);
}

/* From an end on: the k-th triangle of a strip begins with vertex k. */
static void a_strip_is_cut_at_any_size(void **state)
{
    (void)state;
    enum { TRIS = 96 };
    for (uint32_t unit = TRIS / 2; unit < TRIS; unit++) {
        bench b;
        open_bench(&b, ODD_KIND_STRIP, TRIS, unit, 0);
        for (uint32_t slot = 0; slot < TRIS; slot++) b.slots[b.site.mesh.tris[slot][0]] = slot;
        const wi_submesh_cut found = cut(&b, unit);
        assert_true(found.miss == 0 && found.upper == TRIS - unit);
        close_bench(&b);
    }
}

/* Pieces in a row, in the order of the submesh, are cut where the row is. */
static void pieces_are_cut_in_the_order_of_their_middles(void **state)
{
    (void)state;
    enum { TRIS = 40 };
    bench b;
    open_bench(&b, ODD_KIND_SOUP, TRIS, 0, 0);
    for (uint32_t i = 0; i < TRIS; i++) b.slots[i] = (i * 7 + 3) % TRIS;
    const wi_submesh_cut found = cut(&b, 16);
    assert_int_equal(found.upper, 24);
    for (uint32_t i = 0; i < TRIS; i++) assert_int_equal(b.is_upper[i], i >= 16);
    close_bench(&b);
}

/* Looks, not time: a vertex of all triangles that were looked at once per neighbour would give ten
 * billions of them. */
static void a_cut_looks_at_a_triangle_a_few_times_in_any_mesh(void **state)
{
    (void)state;
    enum { TRIS = 100000 };
    for (odd_kind kind = 0; kind < ODD_KIND_COUNT; kind++)
        for (uint64_t seed = 0; seed < 2; seed++) {
            bench b;
            open_bench(&b, kind, TRIS, seed, 0);
            const wi_submesh_cut found = cut(&b, TRIS / 2);
            print_message("%s: %u of %u, %.1f looks each\n", odd_kind_name(kind), found.upper, TRIS,
                          (double)b.submesh.looks / TRIS);
            assert_true(found.upper > 0 && found.upper < TRIS);
            assert_true(b.submesh.looks < 24 * (uint64_t)TRIS);
            close_bench(&b);
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(sides_hang_together_or_have_whole_pieces),
    cmocka_unit_test(a_strip_is_cut_at_any_size),
    cmocka_unit_test(pieces_are_cut_in_the_order_of_their_middles),
    cmocka_unit_test(a_cut_looks_at_a_triangle_a_few_times_in_any_mesh),
};

TEST_GROUP(connected_cut, tests);
