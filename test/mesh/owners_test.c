/* owners_test.c - every vertex and every edge belongs to the lowest triangle that has it, once. */
#include "mesh/owners.h"

#include "support/mesh_features.h"
#include "support/test.h"
#include "support/test_allocator.h"

enum { VERTICES = 24, MOST_TRIS = 60, GROUPS = 5 };

typedef struct fixture {
    test_allocator allocator;
    wi_memory memory;
    wi_mesh mesh;
    uint32_t tris[MOST_TRIS][3];
    uint16_t groups[MOST_TRIS];
    uint32_t tri_count;
    bool has_groups;
} fixture;

/* Corners out of few vertices, so that many are shared and some triangles name one twice. */
static void make(fixture *f, uint64_t seed, bool has_groups, bool has_masks)
{
    static const float positions[VERTICES][3];
    static const uint64_t masks[GROUPS] = {0, 0x1E, 0x1E, 0x1E, 0x1E};
    uint64_t random = seed;
    wi_message message;
    memset(f, 0, sizeof *f);
    willow_allocator functions = test_allocator_functions(&f->allocator);
    wi_memory_init(&f->memory, &functions);
    f->tri_count = 1 + (uint32_t)(test_random(&random) % MOST_TRIS);
    f->has_groups = has_groups;
    const uint64_t vertices = 1 + test_random(&random) % VERTICES;
    for (uint32_t slot = 0; slot < f->tri_count; slot++) {
        for (int i = 0; i < 3; i++) f->tris[slot][i] = (uint32_t)(test_random(&random) % vertices);
        f->groups[slot] = (uint16_t)(test_random(&random) % GROUPS);
    }
    const willow_mesh_def def = {.positions = positions,
                                 .vertex_count = VERTICES,
                                 .indices = f->tris,
                                 .triangle_count = f->tri_count,
                                 .triangle_groups = has_groups ? f->groups : NULL,
                                 .group_masks = has_masks ? masks : NULL,
                                 .group_count = has_masks ? GROUPS : 0};
    assert_ok(wi_mesh_create(&f->memory, &def, &message, &f->mesh));
}

static void unmake(fixture *f)
{
    wi_mesh_destroy(&f->memory, &f->mesh);
    assert_true(test_allocator_is_clean(&f->allocator));
}

/* The bits that triangles should have, by the definition. */
static void find_owned(const fixture *f, const uint16_t *groups, uint8_t owned[MOST_TRIS])
{
    mesh_features features;
    memset(owned, 0, MOST_TRIS);
    mesh_features_make(&features, (const uint32_t(*)[3])f->tris, groups, f->tri_count);
    for (uint32_t i = 0; i < features.vertex_count; i++)
        owned[features.vertices[i].tri] |= (uint8_t)(1U << features.vertices[i].corner);
    for (uint32_t i = 0; i < features.edge_count; i++)
        owned[features.edges[i].tri] |=
            (uint8_t)(1U << (WI_OWNED_EDGES + features.edges[i].corner));
    mesh_features_free(&features);
}

static bool has_both(const uint32_t tri[3], uint32_t u, uint32_t v)
{
    return (tri[0] == u || tri[1] == u || tri[2] == u) &&
           (tri[0] == v || tri[1] == v || tri[2] == v);
}

static uint32_t lowest_with(const fixture *f, uint32_t u, uint32_t v)
{
    uint32_t slot = 0;
    while (f->groups[slot] == 0 || !has_both(f->tris[slot], u, v)) slot++;
    return slot;
}

/* Group by group, as if there were no others; and whose each corner and edge is in all of them. */
static void check_groups(const fixture *f, const wi_owners *owners)
{
    for (uint16_t group = 1; group < GROUPS; group++) {
        uint16_t alone[MOST_TRIS];
        uint8_t owned[MOST_TRIS];
        for (uint32_t slot = 0; slot < f->tri_count; slot++)
            alone[slot] = f->groups[slot] == group ? group : 0;
        find_owned(f, alone, owned);
        for (uint32_t slot = 0; slot < f->tri_count; slot++)
            if (alone[slot] != 0) assert_int_equal(owners->owned_in_group[slot], owned[slot]);
    }
    for (uint32_t slot = 0; slot < f->tri_count; slot++) {
        if (f->groups[slot] == 0) assert_int_equal(owners->owned_in_group[slot], 0);
        for (int i = 0; i < 3 && f->groups[slot] != 0; i++) {
            const uint32_t u = f->tris[slot][i], v = f->tris[slot][(i + 1) % 3];
            assert_int_equal(owners->corner[slot][i], lowest_with(f, u, u));
            assert_int_equal(owners->edge[slot][i], lowest_with(f, u, v));
        }
    }
}

static void check_owners(const fixture *f, const wi_owners *owners)
{
    uint8_t owned[MOST_TRIS];
    find_owned(f, f->has_groups ? f->groups : NULL, owned);
    assert_non_null(owners);
    for (uint32_t slot = 0; slot < f->tri_count; slot++)
        assert_int_equal(owners->owned[slot], owned[slot]);
}

static void the_lowest_triangle_owns_what_it_has(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 600; seed++) {
        fixture f;
        make(&f, seed, seed % 3 > 0, seed % 3 == 2);
        const wi_owners *owners = wi_mesh_owners(&f.memory, &f.mesh);
        check_owners(&f, owners);
        assert_int_equal(owners->owned_in_group != NULL, seed % 3 == 2);
        if (owners->owned_in_group) check_groups(&f, owners);
        assert_ptr_equal(wi_mesh_owners(&f.memory, &f.mesh), owners);
        unmake(&f);
    }
}

static void owners_are_counted_and_forgotten(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        fixture f;
        make(&f, seed, true, seed % 2 == 0);
        const size_t before = atomic_load(&f.allocator.bytes);
        assert_int_equal(wi_owners_bytes(&f.mesh), 0);
        wi_owners_forget(&f.memory, &f.mesh); /* there are none */
        check_owners(&f, wi_mesh_owners(&f.memory, &f.mesh));
        assert_int_equal(atomic_load(&f.allocator.bytes), before + wi_owners_bytes(&f.mesh));
        wi_owners_forget(&f.memory, &f.mesh);
        assert_int_equal(atomic_load(&f.allocator.bytes), before);
        check_owners(&f, wi_mesh_owners(&f.memory, &f.mesh));
        unmake(&f);
    }
}

static void without_memory_there_are_none_and_later_there_are(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        fixture f;
        make(&f, seed, true, seed % 2 == 0);
        const size_t before = atomic_load(&f.allocator.bytes);
        const size_t calls = atomic_load(&f.allocator.calls);
        size_t n = 1;
        for (;; n++) {
            f.allocator.fail_at = atomic_load(&f.allocator.calls) + n;
            if (wi_mesh_owners(&f.memory, &f.mesh) != NULL) break;
            assert_int_equal(atomic_load(&f.allocator.bytes), before);
        }
        assert_true(n > 3);
        assert_true(atomic_load(&f.allocator.calls) > calls);
        f.allocator.fail_at = 0;
        check_owners(&f, wi_mesh_owners(&f.memory, &f.mesh));
        unmake(&f);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_lowest_triangle_owns_what_it_has),
    cmocka_unit_test(owners_are_counted_and_forgotten),
    cmocka_unit_test(without_memory_there_are_none_and_later_there_are),
};

TEST_GROUP(owners, tests);
