/* morph.c - a face of sorts: a sheet with three expressions, blended by weights. A ball comes from
 * the front; only what it touches is ever blended.
 *
 * Build: cc morph.c -lwillow -lm -lpthread */
#include "willow/willow.h"

#include <math.h>
#include <stdio.h>

enum { SIDE = 64, ROW = SIDE + 1, VERTICES = ROW * ROW, TRIANGLES = 2 * SIDE * SIDE, TARGETS = 3 };

static willow_vec3 sheet[VERTICES], ball[VERTICES], smile[VERTICES], puff[VERTICES], nose[VERTICES];
static uint32_t faces[TRIANGLES][3];

static float bump(float x, float y, float width)
{
    return expf(-(x * x + y * y) / (width * width));
}

static void make_shapes(void)
{
    for (int i = 0; i < VERTICES; i++) {
        float s = (float)(i % ROW) / SIDE, t = (float)(i / ROW) / SIDE;
        float x = 2 * s - 1, y = 2 * t - 1, r = 0.3F * sinf(3.1415927F * t);
        sheet[i] = (willow_vec3){x, y, 0};
        ball[i] = (willow_vec3){r * cosf(6.2831853F * s), r * sinf(6.2831853F * s),
                                0.3F * cosf(3.1415927F * t)};
        smile[i].y = 0.2F * x * x * bump(0, y + 0.5F, 0.3F); /* offsets from the sheet */
        puff[i].z = 0.3F * bump(fabsf(x) - 0.5F, y + 0.2F, 0.25F);
        float tip = bump(x, y, 0.1F);
        nose[i].z = tip > 0.01F ? 0.5F * tip : 0; /* zero for most: stored for the others only */
    }
    for (uint32_t i = 0; i < TRIANGLES; i++) {
        uint32_t a = i / 2 % SIDE + i / 2 / SIDE * ROW, c = a + ROW + 1;
        faces[i][0] = a;
        faces[i][1] = i % 2 == 0 ? a + 1 : c;
        faces[i][2] = i % 2 == 0 ? c : a + ROW;
    }
}

static willow_result add_body(willow_world *world, const willow_vec3 *at, willow_body_id *body)
{
    willow_body_def def = willow_body_def_default();
    def.mesh = (willow_mesh_def){
        .positions = at, .vertex_count = VERTICES, .indices = faces, .triangle_count = TRIANGLES};
    return willow_body_create(world, &def, body);
}

static willow_result give_targets(willow_world *world, willow_body_id body)
{
    const willow_morph_target targets[TARGETS] = {
        {.values = smile}, {.values = puff}, {.values = nose}};
    willow_morph morph = willow_morph_default(); /* offsets from where the sheet is */
    morph.targets = targets;
    morph.target_count = TARGETS;
    return willow_body_set_morph_targets(world, body, &morph);
}

static willow_result step(willow_world *world, willow_body_id face, willow_body_id body, int i)
{
    const float weights[TARGETS] = {sinf((float)i), 0.1F * (float)i, 1.2F - 0.1F * (float)i};
    const willow_pose pose = {{0, 0, 1.1F - 0.15F * (float)i}, {0, 0, 0, 1}};
    willow_result result = willow_body_set_morph_weights(world, face, weights, TARGETS);
    if (result == WILLOW_OK) result = willow_body_set_pose(world, body, &pose);
    return result == WILLOW_OK ? willow_world_update(world, i, NULL) : result;
}

int main(void)
{
    willow_world_def def = willow_world_def_default();
    willow_world *world = NULL;
    willow_scratch *scratch = NULL;
    willow_body_id face, body;
    make_shapes();
    if (willow_world_create(&def, &world) != WILLOW_OK) return 1;
    bool ok = add_body(world, sheet, &face) == WILLOW_OK &&
              add_body(world, ball, &body) == WILLOW_OK && give_targets(world, face) == WILLOW_OK &&
              willow_scratch_create(world, &scratch) == WILLOW_OK;
    for (int i = 0; ok && i < 8; i++) {
        willow_pairs pairs = {0};
        ok = step(world, face, body, i) == WILLOW_OK;
        if (ok) willow_scratch_reset_stats(scratch);
        ok = ok && willow_find_pairs(world, scratch, NULL, &pairs) == WILLOW_OK;
        if (ok)
            printf("step %d: %zu pairs, %d of %d vertices blended\n", i, pairs.count,
                   (int)willow_scratch_stats(scratch).vertices_blended, VERTICES);
    }
    if (!ok) fprintf(stderr, "%s\n", willow_world_message(world));
    willow_scratch_destroy(scratch);
    willow_world_destroy(world);
    return ok ? 0 : 1;
}
