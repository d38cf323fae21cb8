/* closest.c - a ball comes down on a waving sheet: how far is it, and where is the sheet closest?
 *
 * Build: cc closest.c -lwillow -lm -lpthread */
#include "willow/willow.h"

#include <math.h>
#include <stdio.h>

enum { SIDE = 24, VERTICES = (SIDE + 1) * (SIDE + 1), TRIANGLES = 2 * SIDE * SIDE };

static willow_vec3 sheet[VERTICES];
static uint32_t faces[TRIANGLES][3];
static const float corners[6][3] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1},
                                    {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
static const uint32_t octahedron[8][3] = {{0, 1, 2}, {1, 3, 2}, {3, 4, 2}, {4, 0, 2},
                                          {1, 0, 5}, {3, 1, 5}, {4, 3, 5}, {0, 4, 5}};

static void wave(float time)
{
    for (int i = 0; i < VERTICES; i++) {
        float x = (float)(i % (SIDE + 1)) * 0.25f, y = (float)(i / (SIDE + 1)) * 0.25f;
        sheet[i] = (willow_vec3){x, y, 0.3f * sinf(2 * x + time) * cosf(1.5f * y)};
    }
}

static void connect(void)
{
    for (uint32_t i = 0; i < TRIANGLES; i++) {
        uint32_t corner = i / 2 % SIDE + i / 2 / SIDE * (SIDE + 1);
        faces[i][0] = corner;
        faces[i][1] = i % 2 == 0 ? corner + 1 : corner + SIDE + 2;
        faces[i][2] = i % 2 == 0 ? corner + SIDE + 2 : corner + SIDE + 1;
    }
}

static int add_body(willow_world *world, const void *positions, uint32_t vertex_count,
                    const void *indices, uint32_t triangle_count, willow_body_id *body)
{
    willow_body_def def = willow_body_def_default();
    def.mesh.positions = positions;
    def.mesh.vertex_count = vertex_count;
    def.mesh.indices = indices;
    def.mesh.triangle_count = triangle_count;
    return willow_body_create(world, &def, body) == WILLOW_OK;
}

/* The sheet deforms, the ball moves as a whole, and one update makes both visible. */
static int move(willow_world *world, willow_body_id cloth, willow_body_id ball, float time)
{
    willow_pose pose = willow_pose_identity();
    pose.translation = (willow_vec3){3, 3, 3.5f - 0.5f * time};
    wave(time);
    return willow_body_set_vertices(world, cloth, 0, VERTICES, sheet, 0) == WILLOW_OK &&
           willow_body_set_pose(world, ball, &pose) == WILLOW_OK &&
           willow_world_update(world, (double)time, NULL) == WILLOW_OK;
}

static int print_distance(const willow_world *world, willow_scratch *scratch, willow_body_id cloth,
                          willow_body_id ball)
{
    const willow_body_set of_cloth = {&cloth, 1}, of_ball = {&ball, 1};
    willow_closest_pair pair;
    if (willow_distance(world, scratch, &of_cloth, &of_ball, NULL, &pair) != WILLOW_OK) return 0;
    printf("%.3f apart: triangle %u of the sheet at (%.2f, %.2f, %.2f)%s\n", pair.distance,
           (unsigned)pair.a.tri, (double)pair.contact.point_a.x, (double)pair.contact.point_a.y,
           (double)pair.contact.point_a.z, pair.distance == 0 ? ", where they meet" : "");
    return 1;
}

int main(void)
{
    willow_world_def def = willow_world_def_default();
    willow_world *world = NULL;
    willow_scratch *scratch = NULL;
    willow_body_id cloth, ball;
    wave(0);
    connect();
    int fine = willow_world_create(&def, &world) == WILLOW_OK &&
               willow_scratch_create(world, &scratch) == WILLOW_OK &&
               add_body(world, sheet, VERTICES, faces, TRIANGLES, &cloth) &&
               add_body(world, corners, 6, octahedron, 8, &ball);
    for (int i = 0; fine && i <= 5; i++)
        fine = move(world, cloth, ball, (float)i) && print_distance(world, scratch, cloth, ball);
    if (!fine && world) fprintf(stderr, "%s\n", willow_world_message(world));
    willow_scratch_destroy(scratch);
    willow_world_destroy(world);
    return fine ? 0 : 1;
}
