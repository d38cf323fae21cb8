/* cloth.c - a sheet that folds over itself while a body under a pose sinks through it: pairs
 * between bodies and within one, each with a point where the triangles meet.
 *
 * Build: cc cloth.c -lwillow -lm -lpthread */
#include "willow/willow.h"

#include <stdio.h>

enum { SIDE = 16, ROW = SIDE + 1, VERTICES = ROW * ROW, TRIANGLES = 2 * SIDE * SIDE };

static const float corners[6][3] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1},
                                    {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
static const uint32_t octahedron[8][3] = {{0, 1, 2}, {1, 3, 2}, {3, 4, 2}, {4, 0, 2},
                                          {1, 0, 5}, {3, 1, 5}, {4, 3, 5}, {0, 4, 5}};

/* Where the sheet is. Its left half is wavy; its right half turns around the middle by twice the
 * angle of (q, p). */
static void fold(int step, willow_vec3 out[VERTICES])
{
    float p = (float)step, q = 4.5F - p, length = p * p + q * q;
    for (int i = 0; i < VERTICES; i++) {
        float u = 4.0F * (float)(i % ROW) / SIDE - 2.0F, v = 4.0F * (float)(i / ROW) / SIDE - 2.0F;
        out[i] = (willow_vec3){u, v, u * (u + 0.5F)};
        if (u > 0) out[i] = (willow_vec3){u * (q * q - p * p) / length, v, u * 2 * p * q / length};
    }
}

static willow_result add_sheet(willow_world *world, willow_body_id *body)
{
    static willow_vec3 at[VERTICES];
    static uint32_t faces[TRIANGLES][3];
    willow_body_def def = willow_body_def_default();
    fold(0, at);
    for (uint32_t i = 0; i < TRIANGLES; i++) {
        uint32_t a = i / 2 % SIDE + i / 2 / SIDE * ROW, c = a + ROW + 1;
        faces[i][0] = a;
        faces[i][1] = i % 2 == 0 ? a + 1 : c;
        faces[i][2] = i % 2 == 0 ? c : a + ROW;
    }
    def.mesh = (willow_mesh_def){
        .positions = at, .vertex_count = VERTICES, .indices = faces, .triangle_count = TRIANGLES};
    def.self = true; /* pairs within the sheet are wanted too */
    return willow_body_create(world, &def, body);
}

static willow_result add_ball(willow_world *world, willow_body_id *body)
{
    willow_body_def def = willow_body_def_default();
    def.mesh = (willow_mesh_def){
        .positions = corners, .vertex_count = 6, .indices = octahedron, .triangle_count = 8};
    return willow_body_create(world, &def, body);
}

/* A run is all pairs of two bodies, or of one with itself. */
static willow_result ask(const willow_world *world, willow_scratch *scratch, int step)
{
    willow_query_options options = willow_query_options_default();
    willow_pairs pairs;
    options.witness = true;
    willow_result result = willow_find_pairs(world, scratch, &options, &pairs);
    if (result != WILLOW_OK) return result;
    printf("step %d: %zu pairs\n", step, pairs.count);
    for (size_t i = 0; i < pairs.run_count; i++) {
        const willow_pair_run *run = &pairs.runs[i];
        const willow_tri_pair *first = &pairs.items[run->first];
        const willow_vec3 *at = &pairs.witnesses[run->first];
        bool is_self = run->body_a.index1 == run->body_b.index1;
        printf("  %3zu %s, first %u and %u at (%.3f, %.3f, %.3f)\n", run->count,
               is_self ? "within the sheet" : "sheet and ball", (unsigned)first->tri_a,
               (unsigned)first->tri_b, (double)at->x, (double)at->y, (double)at->z);
    }
    return WILLOW_OK;
}

int main(void)
{
    static willow_vec3 at[VERTICES];
    willow_world_def def = willow_world_def_default();
    willow_pose pose = willow_pose_identity();
    willow_world *world = NULL;
    willow_scratch *scratch = NULL;
    willow_body_id sheet, ball;
    bool fine = willow_world_create(&def, &world) == WILLOW_OK &&
                willow_scratch_create(world, &scratch) == WILLOW_OK &&
                add_sheet(world, &sheet) == WILLOW_OK && add_ball(world, &ball) == WILLOW_OK;
    for (int step = 0; step < 6 && fine; step++) {
        fold(step, at);
        pose.translation = (willow_vec3){-1.03F, 0.04F, 2.9F - (float)step};
        fine = willow_body_set_vertices(world, sheet, 0, VERTICES, at, 0) == WILLOW_OK &&
               willow_body_set_pose(world, ball, &pose) == WILLOW_OK &&
               willow_world_update(world, step, NULL) == WILLOW_OK &&
               ask(world, scratch, step) == WILLOW_OK;
    }
    willow_scratch_destroy(scratch);
    willow_world_destroy(world);
    return fine ? 0 : 1;
}
