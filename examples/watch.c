/* watch.c - a sheet lies on a wavy ground, and only one corner of it is lifted and dropped. A watch
 * remembers what met in the part that rests, and looks only where something has moved.
 *
 * Build: cc watch.c -lwillow -lm -lpthread */
#include "willow/willow.h"

#include <math.h>
#include <stdio.h>

enum { SIDE = 64, ROW = SIDE + 1, VERTICES = ROW * ROW, TRIANGLES = 2 * SIDE * SIDE, STEPS = 20 };

static willow_vec3 ground[VERTICES], sheet[VERTICES];
static uint32_t faces[TRIANGLES][3];

static void make_meshes(void)
{
    for (int i = 0; i < VERTICES; i++) {
        float x = (float)(i % ROW) / SIDE, y = (float)(i / ROW) / SIDE;
        ground[i] = (willow_vec3){x, y, 0.02F * sinf(40 * x) * cosf(35 * y)};
        sheet[i] = (willow_vec3){x + 0.003F, y + 0.002F, 0.01F};
    }
    for (uint32_t i = 0; i < TRIANGLES; i++) {
        uint32_t a = i / 2 % SIDE + i / 2 / SIDE * ROW, c = a + ROW + 1;
        faces[i][0] = a;
        faces[i][1] = i % 2 == 0 ? a + 1 : c;
        faces[i][2] = i % 2 == 0 ? c : a + ROW;
    }
}

/* The corner near the origin, higher and lower as time goes by; all other vertices stay. */
static void lift_corner(int step)
{
    for (int i = 0; i < VERTICES; i++) {
        float share = 0.25F - sheet[i].x - sheet[i].y;
        if (share > 0) sheet[i].z = 0.01F + 0.4F * share * sinf(0.5F * (float)step);
    }
}

static willow_result add_body(willow_world *world, const willow_vec3 *at, willow_body_id *body)
{
    willow_body_def def = willow_body_def_default();
    def.mesh = (willow_mesh_def){
        .positions = at, .vertex_count = VERTICES, .indices = faces, .triangle_count = TRIANGLES};
    return willow_body_create(world, &def, body);
}

/* Moves, updates and asks; false on failure. The answer is that of willow_find_pairs. */
static int play(willow_world *world, willow_body_id body, willow_watch *watch,
                willow_scratch *scratch)
{
    for (int step = 0; step < STEPS; step++) {
        willow_pairs pairs;
        lift_corner(step);
        if (willow_body_set_vertices(world, body, 0, VERTICES, sheet, 0) != WILLOW_OK ||
            willow_world_update(world, step, NULL) != WILLOW_OK ||
            willow_watch_find_pairs(watch, scratch, NULL, &pairs) != WILLOW_OK)
            return 0;
        if (step % 5 == 4) printf("step %2d: %zu pairs\n", step, pairs.count);
    }
    return 1;
}

int main(void)
{
    willow_world_def def = willow_world_def_default();
    willow_world *world;
    willow_scratch *scratch;
    willow_watch *watch;
    willow_watch_info info;
    willow_body_id bodies[2];
    make_meshes();
    if (willow_world_create(&def, &world) != WILLOW_OK) return 1;
    if (add_body(world, ground, &bodies[0]) != WILLOW_OK ||
        add_body(world, sheet, &bodies[1]) != WILLOW_OK ||
        willow_watch_create(world, NULL, bodies[0], bodies[1], &watch) != WILLOW_OK ||
        willow_scratch_create(world, &scratch) != WILLOW_OK)
        return 1;
    int fine =
        play(world, bodies[1], watch, scratch) && willow_watch_get_info(watch, &info) == WILLOW_OK;
    if (fine)
        printf("of %.0f pairs of leaves that met, %.0f were not looked into\n",
               (double)(info.kept + info.looked_into), (double)info.kept);
    willow_scratch_destroy(scratch);
    willow_world_destroy(world); /* and its watch */
    return fine && info.kept > info.looked_into ? 0 : 1;
}
