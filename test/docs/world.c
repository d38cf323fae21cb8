/* world.c - what samples of the pages are put into (test/docs/samples.sh): a world that is up to
 * date, with two bodies that meet.
 *
 *   cloth   a deforming sheet of 2 * 8 * 8 triangles at z = 0, from (0, 0) to (8, 8), with `self`;
 *           its positions are in `positions`, `vertex_count` of them, its indices in `faces`
 *   ball    an octahedron of radius 1 under a pose; its lowest corner is just below the sheet
 *   scratch to ask with
 *
 * The sample ends well if every call does (or, where the page says so, one does not) and the world
 * is sound after it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <willow/willow.h>

enum { SIDE = 8 };

willow_world *world;
willow_scratch *scratch;
willow_body_id cloth, ball;
willow_vec3 positions[(SIDE + 1) * (SIDE + 1)];
uint32_t faces[2 * SIDE * SIDE][3];
uint32_t vertex_count = (SIDE + 1) * (SIDE + 1);
uint32_t triangle_count = 2 * SIDE * SIDE;
static int calls_failed;

/* DEFINITIONS */

static int sample(void)
{
    /* STATEMENTS */
    return 0;
}

static void count_failure(void *context, const char *line)
{
    (void)context;
    fprintf(stderr, "log: %s\n", line);
    calls_failed++;
}

static void make_sheet(void)
{
    for (uint32_t i = 0; i < vertex_count; i++)
        positions[i] = (willow_vec3){(float)(i % (SIDE + 1)), (float)(i / (SIDE + 1)), 0.0F};
    for (uint32_t i = 0; i < triangle_count; i++) {
        uint32_t corner = i / 2 % SIDE + i / 2 / SIDE * (SIDE + 1);
        uint32_t upper[3] = {corner, corner + 1, corner + SIDE + 2};
        uint32_t lower[3] = {corner, corner + SIDE + 2, corner + SIDE + 1};
        memcpy(faces[i], i % 2 == 0 ? upper : lower, sizeof faces[i]);
    }
}

static void add_cloth(void)
{
    willow_body_def def = willow_body_def_default();
    make_sheet();
    def.mesh.positions = positions;
    def.mesh.vertex_count = vertex_count;
    def.mesh.indices = faces;
    def.mesh.triangle_count = triangle_count;
    def.self = true;
    willow_body_create(world, &def, &cloth);
}

static void add_ball(void)
{
    static const float corners[6][3] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1},
                                        {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    static const uint16_t octahedron[8][3] = {{0, 1, 2}, {1, 3, 2}, {3, 4, 2}, {4, 0, 2},
                                              {1, 0, 5}, {3, 1, 5}, {4, 3, 5}, {0, 4, 5}};
    willow_body_def def = willow_body_def_default();
    def.mesh.positions = corners;
    def.mesh.vertex_count = 6;
    def.mesh.indices = octahedron;
    def.mesh.index_type = WILLOW_INDEX_U16;
    def.mesh.triangle_count = 8;
    def.pose.translation = (willow_vec3){4.5F, 4.2F, 0.9F};
    willow_body_create(world, &def, &ball);
}

static int report(int result)
{
    char reason[200] = "";
    bool may_fail = strcmp(getenv("SAMPLE_FAILS"), "1") == 0;
    bool is_sound = willow_world_validate(world, reason, sizeof reason);
    if (result != 0) fprintf(stderr, "the sample returns %d\n", result);
    if (!is_sound) fprintf(stderr, "the world is broken: %s\n", reason);
    if (may_fail != (calls_failed > 0)) fprintf(stderr, "%d calls failed\n", calls_failed);
    return result != 0 || !is_sound || may_fail != (calls_failed > 0);
}

int main(void)
{
    willow_world_def def = willow_world_def_default();
    def.thread_count = 2;
    def.log.write = count_failure;
    if (willow_world_create(&def, &world) != WILLOW_OK) return 1;
    if (willow_scratch_create(world, &scratch) != WILLOW_OK) return 1;
    add_cloth();
    add_ball();
    willow_world_update(world, 0.0, NULL);
    int result = report(sample());
    willow_scratch_destroy(scratch);
    willow_world_destroy(world);
    return result;
}
