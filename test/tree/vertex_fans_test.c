/* Every vertex with neighbours is the centre of one star, which has all triangles there: in order
 * around it if they follow each other, or else as an odd one; and whatever of the stars is changed,
 * the validator says so (I13). */
#include <stdlib.h>
#include "support/fixture.h"
#include "support/kept.h"
#include "support/self_lists.h"
#include "support/test.h"
#include "support/zoo_cases.h"

static void visit_stars(tree_site *s, const char *words, void *context)
{
    (void)words;
    assert_true(make_shared(&s->memory, &s->workspace, &s->h));
    if (kept_self(&s->h)->shared.first_tie)
        assert_true(make_vertex_fans(&s->memory, &s->workspace, &s->h));
    self_check_stars(&s->h, context);
    assert_null(wi_vertex_fans_validate(&s->h));
    assert_null(wi_tree_validate_lists(&s->h));
    assert_int_equal(wi_mesh_bytes(&s->mesh) + kept_tree_bytes(&s->h) + s->workspace.size,
                     atomic_load(&s->allocator.bytes));
}

static void every_vertex_with_neighbours_is_the_centre_of_one_star(void **state)
{
    (void)state;
    self_tally t = {0};
    self_trees_visit(visit_stars, &t);
    print_message("%zu trees; stars: %zu open, %zu closed, %zu odd\n", t.trees, t.open_stars,
                  t.closed_stars, t.odd_stars);
    assert_true(t.trees > 600 && t.open_stars > 10000 && t.closed_stars > 10000);
    assert_true(t.odd_stars > 3000);
}

/* ---- fans of every length ---- */

enum { MOST = WI_MAX_FAN + 3 };

/* One fan, or full turn, or two fans that meet in a vertex, of so many triangles in all. */
static void open_fan(tree_site *s, uint32_t count, bool is_closed, uint32_t second)
{
    float positions[2 * MOST + 4][3] = {{0}};
    uint32_t tris[MOST][3];
    for (uint32_t i = 1; i < 2 * MOST + 4; i++) {
        positions[i][0] = (float)(i % 5);
        positions[i][1] = (float)(i % 7);
        positions[i][2] = (float)i;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t from = i < second ? i + 1 : i + 2;
        const uint32_t to = is_closed && i + 1 == count ? 1 : from + 1;
        const uint32_t tri[2][3] = {{0, from, to}, {to, from, 0}}; /* it may be turned over */
        memcpy(tris[i], tri[i % 3 == 1], sizeof tris[i]);
    }
    for (uint32_t i = 0; i + 2 < count; i += 2) { /* not in order */
        uint32_t kept[3];
        memcpy(kept, tris[i], sizeof kept);
        memcpy(tris[i], tris[count - 1 - i / 2], sizeof kept);
        memcpy(tris[count - 1 - i / 2], kept, sizeof kept);
    }
    tree_site_open(s, &FIXTURE_MESH(positions, 2 * MOST + 4, tris, count));
    willow_tree_def tree = zoo_tree(WILLOW_METHOD_BOTTOM_UP, 4, 2);
    tree.build = WILLOW_BUILD_MEDIAN;
    tree_site_build(s, WILLOW_KERNEL_SCALAR, &tree);
    self_lists_make(s);
}

/* Of the star around vertex 0. */
static void expect_star(const tree_site *s, uint32_t count, bool is_closed, bool is_odd)
{
    const wi_vertex_fans *stars = &kept_self(&s->h)->fans;
    const wi_spot spot = wi_mesh_spot(&s->mesh, 0);
    size_t found = 0;
    for (size_t i = 0; i < stars->groups.count; i++)
        for (unsigned lane = 0; lane < stars->groups.items[i].count; lane++)
            if (wi_fan_centres(stars, &stars->groups.items[i])[lane] == spot) {
                assert_false(is_odd);
                assert_int_equal(stars->groups.items[i].is_closed, is_closed);
                assert_int_equal(stars->groups.items[i].length, count);
                found++;
            }
    for (size_t i = 0; i < stars->odd.count; i++)
        if (stars->odd.items[i].centre == spot) {
            assert_true(is_odd);
            assert_int_equal(stars->odd.items[i].last - stars->odd.items[i].first, count);
            found++;
        }
    assert_int_equal(found, 1);
}

static void fans_are_ordered_up_to_sixteen_triangles(void **state)
{
    (void)state;
    self_tally t = {0};
    for (uint32_t count = 2; count <= MOST; count++)
        for (int is_closed = 0; is_closed < 2; is_closed++) {
            tree_site s;
            const bool is_odd = count > WI_MAX_FAN || (is_closed && count < 3);
            open_fan(&s, count, is_closed != 0, count);
            self_check_stars(&s.h, &t);
            expect_star(&s, count, is_closed != 0, is_odd);
            tree_site_close(&s);
        }
    assert_true(t.odd_stars > 5 && t.closed_stars > 10 && t.open_stars > 10);
}

static void bow_ties_are_odd(void **state)
{
    (void)state;
    self_tally t = {0};
    for (uint32_t count = 2; count <= WI_MAX_FAN; count++)
        for (uint32_t second = 1; second < count; second++) {
            tree_site s;
            open_fan(&s, count, false, second);
            self_check_stars(&s.h, &t);
            expect_star(&s, count, false, true);
            tree_site_close(&s);
        }
    assert_true(t.odd_stars > 100);
}

/* ---- without memory ---- */

static void open_sphere(tree_site *s, zoo_kind kind, uint32_t size)
{
    zoo_mesh mesh;
    willow_tree_def tree = zoo_tree(WILLOW_METHOD_BOTTOM_UP, 4, 3);
    tree.build = WILLOW_BUILD_MEDIAN;
    zoo_mesh_create(&mesh, kind, size, 1);
    tree_site_open(
        s, &FIXTURE_MESH(mesh.positions, mesh.vertex_count, mesh.tris, mesh.triangle_count));
    tree_site_build(s, WILLOW_KERNEL_SCALAR, &tree);
    assert_true(make_shared(&s->memory, &s->workspace, &s->h));
    zoo_mesh_destroy(&mesh);
}

static void stars_that_do_not_fit_into_memory_are_none(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        size_t failures = 0;
        bool made = false;
        while (!made) {
            tree_site s;
            open_sphere(&s, kind == 0 ? ZOO_KIND_SPHERE : ZOO_KIND_DUPLICATES, 100);
            assert_non_null(kept_self(&s.h)->shared.first_tie);
            if (failures % 2 == 0) /* in the place of others, or not */
                assert_true(make_vertex_fans(&s.memory, &s.workspace, &s.h));
            wi_workspace_free(&s.memory, &s.workspace);
            s.allocator.fail_at = atomic_load(&s.allocator.calls) + 1 + failures / 2;
            made = make_vertex_fans(&s.memory, &s.workspace, &s.h);
            assert_int_equal(kept_self(&s.h)->fans.are_made, made);
            assert_int_equal(wi_vertex_fans_bytes(&kept_self(&s.h)->fans) > 0, made);
            assert_null(wi_tree_validate_lists(&s.h));
            assert_int_equal(wi_mesh_bytes(&s.mesh) + kept_tree_bytes(&s.h) + s.workspace.size,
                             atomic_load(&s.allocator.bytes));
            failures += !made;
            tree_site_close(&s);
        }
        print_message("%zu failures\n", failures);
        assert_true(failures >= 2 * 3); /* adjacency, groups, numbers; odd ones too, if there are */
    }
}

/* ---- validation ---- */

static void validation_names_what_is_broken_in_stars(void **state)
{
    (void)state;
    static const char another[] = "I13: a fan has another triangle than the mesh";
    static const char too_many[] = "I13: a group has no fans or too many";
    tree_site s;
    open_sphere(&s, ZOO_KIND_SPHERE, 100);
    assert_true(make_vertex_fans(&s.memory, &s.workspace, &s.h));
    assert_null(wi_tree_validate_lists(&s.h));
    const wi_vertex_fans *stars = &kept_self(&s.h)->fans;
    size_t spoilt = 0;
    for (size_t i = 0; i < stars->groups.count; i++) {
        wi_fan_group *group = &stars->groups.items[i], kept = *group;
        const unsigned rows = 1U + wi_fan_points(group) + group->length;
        for (unsigned row = 0; row < rows; row++)
            for (unsigned lane = 0; lane < group->count; lane++) {
                uint32_t *at = stars->numbers.items + group->first + row * WI_LANES + lane;
                const uint32_t number = *at, others[] = {number + 1, number ^ 1, UINT32_MAX};
                for (int k = 0; k < 3; k++, spoilt++) {
                    *at = others[k];
                    self_expect_broken(&s.h, another);
                }
                *at = number;
            }
        group->count = 0;
        self_expect_broken(&s.h, too_many);
        group->count = WI_LANES + 1;
        self_expect_broken(&s.h, too_many);
        group->count = kept.count;
        group->length = 1;
        self_expect_broken(&s.h, too_many);
        group->length = kept.length;
    }
    assert_null(wi_tree_validate_lists(&s.h));
    assert_true(spoilt > 1000);
    tree_site_close(&s);
}

static void validation_names_what_is_broken_in_odd_stars(void **state)
{
    (void)state;
    static const char words[] = "I13: an odd fan has a triangle that is not at its centre";
    tree_site s;
    open_sphere(&s, ZOO_KIND_DUPLICATES, 60);
    assert_true(make_vertex_fans(&s.memory, &s.workspace, &s.h));
    assert_null(wi_tree_validate_lists(&s.h));
    const wi_vertex_fans *stars = &kept_self(&s.h)->fans;
    assert_true(stars->odd.count > 5);
    for (size_t i = 0; i < stars->odd.count; i++) {
        wi_odd_fan *odd = &stars->odd.items[i];
        const wi_odd_fan kept = *odd;
        odd->centre = UINT32_MAX;
        self_expect_broken(&s.h, words);
        *odd = kept;
        odd->last = (uint32_t)stars->odd_slots.count + 1;
        self_expect_broken(&s.h, words);
        *odd = kept;
        stars->odd_slots.items[odd->first] = UINT32_MAX;
        self_expect_broken(&s.h, words);
        assert_true(make_vertex_fans(&s.memory, &s.workspace, &s.h));
    }
    assert_null(wi_tree_validate_lists(&s.h));
    tree_site_close(&s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_vertex_with_neighbours_is_the_centre_of_one_star),
    cmocka_unit_test(fans_are_ordered_up_to_sixteen_triangles),
    cmocka_unit_test(bow_ties_are_odd),
    cmocka_unit_test(stars_that_do_not_fit_into_memory_are_none),
    cmocka_unit_test(validation_names_what_is_broken_in_stars),
    cmocka_unit_test(validation_names_what_is_broken_in_odd_stars),
};

TEST_GROUP(vertex_fans, tests);
