/* The slab that is cut: watertight in every step, with as many triangles as it says, and with the
 * answers of a world made afresh. */
#include <stdlib.h>
#include "cutting.h"
#include "support/fixture.h"
#include "support/test.h"

typedef struct site {
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id slab, blade;
} site;

static uint32_t list_live(const cutting *c, uint32_t (*out)[3], uint32_t *slots)
{
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < c->tri_count; slot++) {
        if (c->tris[slot][0] == UINT32_MAX) continue;
        memcpy(out[count], c->tris[slot], sizeof *out);
        slots[count++] = slot;
    }
    assert_int_equal(count, c->live_count);
    return count;
}

/* The triangles that are there; `slots` gets which. */
static site open_site(const cutting *c, willow_method method, uint32_t *slots)
{
    site s = {.world = fixture_world(NULL)};
    float(*at)[3] = calloc(c->vertex_count, sizeof *at), blade[CUTTING_BLADE_VERTICES][3];
    uint32_t(*tris)[3] = calloc(c->tri_count, sizeof *tris), faces[CUTTING_BLADE_TRIS][3];
    willow_body_def def = willow_body_def_default();
    assert_true(at && tris);
    s.scratch = fixture_scratch(s.world);
    cutting_positions(c, at);
    const uint32_t count = list_live(c, tris, slots);
    def.mesh = FIXTURE_MESH(at, c->vertex_count, tris, count);
    def.tree.method = method;
    s.slab = fixture_body(s.world, &def);
    cutting_blade(c, blade, faces);
    def.mesh = FIXTURE_MESH(blade, CUTTING_BLADE_VERTICES, faces, CUTTING_BLADE_TRIS);
    def.pose = cutting_blade_pose(c);
    s.blade = fixture_body(s.world, &def);
    assert_ok(willow_world_update(s.world, 0, NULL));
    free(at);
    free(tris);
    return s;
}

static void step(const site *s, cutting *c, const willow_edit *edit)
{
    const willow_pose pose = cutting_blade_pose(c);
    assert_ok(willow_body_edit(s->world, s->slab, edit, c->new_tris, c->new_vertices));
    cutting_take_numbers(c);
    if (c->deforms) {
        float(*at)[3] = calloc(c->vertex_count, sizeof *at);
        assert_non_null(at);
        cutting_positions(c, at);
        assert_ok(willow_body_set_vertices(s->world, s->slab, 0, c->vertex_count, at, 0));
        free(at);
    }
    assert_ok(willow_body_set_pose(s->world, s->blade, &pose));
    assert_ok(willow_world_update(s->world, c->step, NULL));
}

static void assert_watertight(const site *s, const cutting *c)
{
    willow_body_topology topology;
    assert_ok(willow_body_get_topology(s->world, s->slab, &topology));
    assert_int_equal(topology.border_edges, 0);
    assert_int_equal(topology.crowded_edges, 0);
    assert_int_equal(topology.pieces, 1);
    assert_int_equal(topology.edges, 3 * c->live_count / 2);
}

static void assert_answers_as_fresh(const site *s, const cutting *c, size_t *found)
{
    uint32_t *slots = calloc(c->tri_count, sizeof *slots);
    willow_pairs here, there;
    assert_non_null(slots);
    site fresh = open_site(c, WILLOW_METHOD_BRUTE, slots);
    assert_ok(willow_find_pairs(s->world, s->scratch, NULL, &here));
    assert_ok(willow_find_pairs(fresh.world, fresh.scratch, NULL, &there));
    assert_int_equal(here.count, there.count);
    assert_true(here.count > 0);
    for (size_t i = 0; i < here.count; i++)
        assert_true(here.items[i].tri_a == slots[there.items[i].tri_a] &&
                    here.items[i].tri_b == there.items[i].tri_b);
    *found += here.count;
    fixture_close(fresh.world, fresh.scratch);
    free(slots);
}

static void play(uint32_t triangles, bool deforms, willow_method method, uint32_t fresh_every)
{
    cutting c;
    willow_edit edit;
    size_t found = 0;
    assert_true(cutting_create(&c, triangles, deforms));
    uint32_t *slots = calloc(c.tri_room, sizeof *slots);
    assert_non_null(slots);
    site s = open_site(&c, method, slots);
    assert_watertight(&s, &c);
    while (cutting_next(&c, &edit)) {
        step(&s, &c, &edit);
        assert_watertight(&s, &c);
        if (c.step % fresh_every == 0) assert_answers_as_fresh(&s, &c, &found);
    }
    print_message("%u triangles after %u steps, %zu pairs\n", c.live_count, c.step, found);
    assert_true(c.step >= 100);
    fixture_close(s.world, s.scratch);
    cutting_destroy(&c);
    free(slots);
}

static void the_slab_is_watertight_while_it_is_cut(void **state)
{
    (void)state;
    play(3000, false, WILLOW_METHOD_AUTO, 20);
    play(3000, true, WILLOW_METHOD_HYBRID, 40);
}

static void steps_grow_with_the_square_root_of_the_triangles(void **state)
{
    static const struct {
        uint32_t triangles, removed, added;
    } rows[] = {{90560, 58, 422}, {1000000, 182, 1414}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cutting c;
        willow_edit edit;
        assert_true(cutting_create(&c, rows[i].triangles, false));
        assert_in_range(c.live_count, rows[i].triangles / 100 * 98, rows[i].triangles / 100 * 102);
        assert_true(cutting_next(&c, &edit));
        assert_int_equal(edit.remove_triangle_count, rows[i].removed);
        assert_int_equal(edit.add_triangle_count, rows[i].added);
        cutting_destroy(&c);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_slab_is_watertight_while_it_is_cut),
    cmocka_unit_test(steps_grow_with_the_square_root_of_the_triangles),
};

TEST_GROUP(cutting, tests);
