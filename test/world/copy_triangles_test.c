/* Corners of triangles are copied out where willow_body_copy_vertices has the vertices: under
 * poses, on plans, of morphs and deformations, before and after an update, group 0 included. */
#include <stdlib.h>
#include "support/bend.h"
#include "support/fixture.h"
#include "support/morph_model.h"
#include "support/zoo_pose.h"

/* All triangles, and some of them by number. */
static size_t compare(const willow_world *world, willow_body_id id, const zoo_mesh *mesh)
{
    const uint32_t count = mesh->triangle_count;
    willow_vec3 *vertices = calloc(mesh->vertex_count + (size_t)1, sizeof *vertices);
    willow_vec3 *corners = calloc(3 * (size_t)count + 3, sizeof *corners), one[3];
    assert_ok(willow_body_copy_vertices(world, id, 0, mesh->vertex_count, vertices));
    assert_ok(willow_body_copy_triangles(world, id, NULL, count, corners));
    for (uint32_t i = 0; i < 3 * count; i++)
        assert_memory_equal(&corners[i], &vertices[mesh->tris[i / 3][i % 3]], sizeof *corners);
    for (uint32_t i = count; i-- > 0;) {
        const willow_tri tri = (i * 7) % count;
        assert_ok(willow_body_copy_triangles(world, id, &tri, 1, one));
        assert_memory_equal(one, corners + 3 * (size_t)tri, sizeof one);
    }
    free(vertices);
    free(corners);
    return count;
}

static void corners_are_where_vertices_are(void **state)
{
    (void)state;
    size_t count = 0;
    for (uint32_t kind = 0; kind < ZOO_KIND_COUNT; kind++)
        for (uint32_t pose = 0; pose < ZOO_POSE_COUNT; pose++) {
            willow_world *world = fixture_world(NULL);
            willow_body_def def = willow_body_def_default();
            zoo_mesh mesh;
            zoo_mesh_create(&mesh, (zoo_kind)kind, 20, pose);
            def.mesh = zoo_mesh_def(&mesh);
            def.pose = zoo_pose_make((zoo_pose_kind)pose, 1, kind);
            const willow_body_id id = fixture_body(world, &def);
            count += compare(world, id, &mesh);
            assert_ok(willow_world_update(world, 0, NULL));
            count += compare(world, id, &mesh);
            zoo_mesh_destroy(&mesh);
            fixture_close(world, NULL);
        }
    print_message("%zu triangles\n", count);
    assert_true(count > 0);
}

static void corners_follow_every_motion(void **state)
{
    (void)state;
    willow_world *world = fixture_world(NULL);
    willow_body_def def = willow_body_def_default();
    zoo_mesh mesh;
    morph_model model;
    bend b = bend_straight();
    uint64_t random = 4;
    zoo_mesh_create(&mesh, ZOO_KIND_CRUMPLED, 50, 1);
    def.mesh = zoo_mesh_def(&mesh);
    def.keep_rest = true;
    const willow_body_id id = fixture_body(world, &def);
    assert_ok(willow_world_update(world, 0, NULL));
    zoo_mesh_move(&mesh, 3, 0, mesh.vertex_count);
    assert_ok(willow_body_set_vertices(world, id, 0, mesh.vertex_count, mesh.positions, 0));
    (void)compare(world, id, &mesh); /* not updated yet */
    assert_ok(willow_body_set_velocities(world, id, 0, mesh.vertex_count, mesh.positions, 0));
    assert_ok(willow_world_update(world, 0.375, NULL));
    (void)compare(world, id, &mesh);
    morph_model_create(&model, &mesh, WILLOW_MORPH_OFFSETS, 3, 5);
    morph_model_choose(&model, MORPH_WEIGHTS_WILD, &random);
    const willow_morph morph = morph_model_def(&model);
    assert_ok(willow_body_set_morph_targets(world, id, &morph));
    (void)compare(world, id, &mesh);
    assert_ok(willow_world_update(world, 1, NULL));
    (void)compare(world, id, &mesh);
    const willow_deformation deformation = bend_deformation(&b);
    b.shear = 0.25F;
    assert_ok(willow_body_set_deformation(world, id, &deformation));
    assert_ok(willow_world_update(world, 1, NULL));
    (void)compare(world, id, &mesh);
    morph_model_destroy(&model);
    fixture_close(world, NULL);
    zoo_mesh_destroy(&mesh);
}

static void what_is_not_there_is_refused(void **state)
{
    (void)state;
    static const float at[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const uint32_t tris[2][3] = {{0, 1, 2}, {3, 1, 2}};
    static const uint16_t groups[2] = {1, 0};
    const willow_tri named[3] = {1, 1, 0}, beyond[2] = {0, 2};
    willow_world *world = fixture_world(NULL);
    willow_body_def def = willow_body_def_default();
    def.mesh = FIXTURE_MESH(at, 4, tris, 2);
    def.mesh.triangle_groups = groups;
    const willow_body_id id = fixture_body(world, &def);
    willow_vec3 out[9] = {{9, 9, 9}};
    assert_int_equal(willow_body_copy_triangles(world, id, beyond, 2, out), WILLOW_BAD_ARGUMENT);
    assert_int_equal(willow_body_copy_triangles(world, id, NULL, 3, out), WILLOW_BAD_ARGUMENT);
    assert_int_equal(willow_body_copy_triangles(world, id, named, 1, NULL), WILLOW_BAD_ARGUMENT);
    assert_true(out[0].x == 9);
    assert_ok(willow_body_copy_triangles(world, id, NULL, 0, NULL));
    assert_ok(willow_body_copy_triangles(world, id, named, 3, out));
    assert_true(out[0].z == 1 && out[3].z == 1 && out[6].z == 0 && out[7].x == 1 && out[8].y == 1);
    assert_ok(willow_body_destroy(world, id));
    assert_int_equal(willow_body_copy_triangles(world, id, named, 1, out), WILLOW_BAD_HANDLE);
    fixture_close(world, NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(corners_are_where_vertices_are),
    cmocka_unit_test(corners_follow_every_motion),
    cmocka_unit_test(what_is_not_there_is_refused),
};

TEST_GROUP(copy_triangles, tests);
