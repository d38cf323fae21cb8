/* rigid.c - two rigid bodies moved by poses: their meshes are given once, and a step costs two
 * calls, however many triangles there are.
 *
 * Build: cc rigid.c -lwillow -lm -lpthread */
#include "willow/willow.h"

#include <stdio.h>

/* A cube from -1 to 1. Vertex i is at the corner that the three bits of i name. */
static const float corners[8][3] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                    {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
static const uint16_t triangles[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6},
                                          {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                          {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};

static willow_result add_cube(willow_world *world, willow_body_id *body)
{
    willow_body_def def = willow_body_def_default();
    def.mesh.positions = corners;
    def.mesh.vertex_count = 8;
    def.mesh.indices = triangles;
    def.mesh.index_type = WILLOW_INDEX_U16;
    def.mesh.triangle_count = 12;
    return willow_body_create(world, &def, body);
}

/* Turns the one cube on its place, and moves the other towards it. A rotation need not have length
 * one: (0, 0, t, 1) turns around z by twice the arc tangent of t. */
static willow_result move(willow_world *world, willow_body_id turning, willow_body_id coming,
                          int step)
{
    willow_pose turn = willow_pose_identity(), come = willow_pose_identity();
    turn.rotation.z = 0.1F * (float)step;
    come.translation = (willow_vec3){2.9F - 0.125F * (float)step, 0.3F, 0.25F};
    willow_result result = willow_body_set_pose(world, turning, &turn);
    return result != WILLOW_OK ? result : willow_body_set_pose(world, coming, &come);
}

static willow_result ask(willow_world *world, willow_scratch *scratch, int step)
{
    willow_update_report report;
    willow_pairs pairs;
    willow_result result = willow_world_update(world, step, &report);
    if (result == WILLOW_OK) result = willow_find_pairs(world, scratch, NULL, &pairs);
    if (result != WILLOW_OK) return result;
    printf("step %d: %zu bodies moved, %zu trees built, %zu pairs\n", step, report.bodies_moved,
           report.bodies_built, pairs.count);
    return result;
}

/* The positions that queries see are the ones that willow_pose_apply gives, bit for bit. */
static void print_corner(const willow_world *world, willow_body_id body)
{
    willow_body_info info;
    willow_vec3 at;
    if (willow_body_get_info(world, body, &info) != WILLOW_OK) return;
    willow_pose_apply(&info.pose, corners[7], 0, 1, &at);
    printf("corner 7 of the turning cube is at (%g, %g, %g)\n", (double)at.x, (double)at.y,
           (double)at.z);
}

static willow_result run(willow_world *world, willow_scratch *scratch)
{
    willow_body_id turning, coming;
    willow_result result = add_cube(world, &turning);
    if (result == WILLOW_OK) result = add_cube(world, &coming);
    for (int step = 0; step < 8 && result == WILLOW_OK; step++) {
        result = move(world, turning, coming, step);
        if (result == WILLOW_OK) result = ask(world, scratch, step);
    }
    if (result == WILLOW_OK) print_corner(world, turning);
    return result;
}

int main(void)
{
    willow_world_def def = willow_world_def_default();
    willow_world *world = NULL;
    willow_scratch *scratch = NULL;
    willow_result result = willow_world_create(&def, &world);
    if (result == WILLOW_OK) result = willow_scratch_create(world, &scratch);
    if (result == WILLOW_OK) result = run(world, scratch);
    if (result != WILLOW_OK)
        fprintf(stderr, "%s: %s\n", willow_result_name(result),
                world ? willow_world_message(world) : "no world");
    willow_scratch_destroy(scratch);
    willow_world_destroy(world);
    return result == WILLOW_OK ? 0 : 1;
}
