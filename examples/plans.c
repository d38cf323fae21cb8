/* plans.c - a sheet on keyframes falls over a ball that flies on a parabola. Nobody sets positions:
 * an update moves both to its time, and does the work of what has changed in the trees.
 *
 * Build: cc plans.c -lwillow -lm -lpthread */
#include "willow/willow.h"

#include <math.h>
#include <stdio.h>

enum { SIDE = 24, ROW = SIDE + 1, VERTICES = ROW * ROW, TRIANGLES = 2 * SIDE * SIDE, KEYS = 4 };

static willow_vec3 keys[KEYS][VERTICES], ball_at[VERTICES];
static uint32_t faces[TRIANGLES][3];

/* The faces of a grid, for the sheet and for the ball, of which the grid is rolled up. */
static void make_faces(void)
{
    for (uint32_t i = 0; i < TRIANGLES; i++) {
        uint32_t a = i / 2 % SIDE + i / 2 / SIDE * ROW, c = a + ROW + 1;
        faces[i][0] = a;
        faces[i][1] = i % 2 == 0 ? a + 1 : c;
        faces[i][2] = i % 2 == 0 ? c : a + ROW;
    }
}

/* The sheet falls and bends, and waves go over it; the ball is where it starts. */
static void make_positions(void)
{
    for (int i = 0; i < VERTICES; i++) {
        float s = (float)(i % ROW) / SIDE, t = (float)(i / ROW) / SIDE;
        float x = 4 * s - 2, y = 4 * t - 2, r = 0.7F * sinf(3.1415927F * t);
        for (int key = 0; key < KEYS; key++) {
            float k = (float)key, down = 0.4F * k + 0.1F * (k * y * y + sinf(2 * (x + k)));
            keys[key][i] = (willow_vec3){x, y, 2 - down};
        }
        ball_at[i] = (willow_vec3){r * cosf(6.2831853F * s) - 1.5F, r * sinf(6.2831853F * s),
                                   0.7F * cosf(3.1415927F * t) - 1};
    }
}

static willow_result add_body(willow_world *world, const willow_vec3 *at, willow_body_id *body)
{
    willow_body_def def = willow_body_def_default();
    def.mesh = (willow_mesh_def){
        .positions = at, .vertex_count = VERTICES, .indices = faces, .triangle_count = TRIANGLES};
    def.tree.method = WILLOW_METHOD_KINETIC_AABB;
    return willow_body_create(world, &def, body);
}

static willow_result hang_sheet(willow_world *world, willow_body_id sheet)
{
    static const double times[KEYS] = {0, 1, 2, 3};
    willow_flightplan plan = willow_flightplan_default();
    plan.positions = keys;
    plan.times = times;
    plan.keyframe_count = KEYS;
    return willow_body_set_flightplan(world, sheet, &plan);
}

/* All of its vertices have the same velocity, and the same pull downwards. */
static willow_result throw_ball(willow_world *world, willow_body_id ball)
{
    const willow_vertex_plan plan = {{1.0F, 0.2F, 2.8F}, {0, 0, -1.6F}};
    willow_result result = WILLOW_OK;
    for (uint32_t i = 0; i < VERTICES && result == WILLOW_OK; i++)
        result = willow_body_set_vertex_plan(world, ball, i, &plan);
    return result;
}

static bool show(willow_world *world, willow_scratch *scratch, double time)
{
    willow_update_report report;
    willow_pairs pairs;
    if (willow_world_update(world, time, &report) != WILLOW_OK ||
        willow_find_pairs(world, scratch, NULL, &pairs) != WILLOW_OK)
        return false;
    printf("time %.2f: %3zu pairs; %3zu events changed %3zu ends of boxes\n", time, pairs.count,
           report.events, report.values_updated);
    return true;
}

int main(void)
{
    willow_world_def def = willow_world_def_default();
    willow_world *world = NULL;
    willow_scratch *scratch = NULL;
    willow_body_id sheet, ball;
    make_faces();
    make_positions();
    bool fine = willow_world_create(&def, &world) == WILLOW_OK &&
                willow_scratch_create(world, &scratch) == WILLOW_OK &&
                add_body(world, keys[0], &sheet) == WILLOW_OK &&
                add_body(world, ball_at, &ball) == WILLOW_OK &&
                hang_sheet(world, sheet) == WILLOW_OK && throw_ball(world, ball) == WILLOW_OK;
    for (int frame = 0; frame <= 12 && fine; frame++) fine = show(world, scratch, 0.25 * frame);
    willow_scratch_destroy(scratch);
    willow_world_destroy(world);
    return fine ? 0 : 1;
}
