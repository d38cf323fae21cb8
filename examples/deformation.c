/* deformation.c - a rod that bends as a circle does, by a procedure that Willow does not know. Two
 * functions say where a vertex is and what contains a part of the rod; only what a query reaches is
 * ever computed.
 *
 * Build: cc deformation.c -lwillow -lm -lpthread */
#include "willow/willow.h"

#include <math.h>
#include <stdio.h>

enum { LONG = 512, ROUND = 16, VERTICES = (LONG + 1) * ROUND, TRIANGLES = 2 * LONG * ROUND };

static willow_vec3 rod[VERTICES], wall[4] = {{9, -9, 4}, {9, 9, 4}, {-9, 9, 4}, {-9, -9, 4}};
static uint32_t faces[TRIANGLES][3], wall_faces[2][3] = {{0, 1, 2}, {0, 2, 3}};
static const float thick = 0.05F;

static void make_rod(void)
{
    for (uint32_t i = 0; i < VERTICES; i++) {
        float turn = 6.2831853F * (float)(i % ROUND) / ROUND;
        rod[i] =
            (willow_vec3){8 * (float)(i / ROUND) / LONG, thick * cosf(turn), thick * sinf(turn)};
    }
    for (uint32_t i = 0; i < TRIANGLES; i++) {
        uint32_t at = i / 2, ring = at / ROUND * ROUND, next = ring + (at + 1) % ROUND;
        faces[i][0] = at;
        faces[i][1] = i % 2 == 0 ? next : next + ROUND;
        faces[i][2] = i % 2 == 0 ? next + ROUND : at + ROUND;
    }
}

/* Rolled up: x becomes an angle, and z the distance from the circle. */
static willow_vec3 position(void *context, uint32_t vertex, willow_vec3 rest)
{
    const float bend = *(const float *)context, angle = bend * rest.x, r = 1 / bend - rest.z;
    (void)vertex;
    return (willow_vec3){r * sinf(angle), rest.y, 1 / bend - r * cosf(angle)};
}

/* Around the middle of a part, nothing is farther away than along the rod and across it. A little
 * is added for rounding. */
static willow_box bound(void *context, const willow_part *part)
{
    const willow_box *box = &part->rest;
    const willow_vec3 middle = {0.5F * (box->lower.x + box->upper.x), 0, 0};
    const willow_vec3 p = position(context, 0, middle);
    const float r = 0.5F * (box->upper.x - box->lower.x) + thick + 1e-4F;
    return (willow_box){{p.x - r, box->lower.y, p.z - r}, {p.x + r, box->upper.y, p.z + r}};
}

static willow_result add_body(willow_world *world, const willow_mesh_def *mesh,
                              willow_body_id *body)
{
    willow_body_def def = willow_body_def_default();
    def.mesh = *mesh;
    return willow_body_create(world, &def, body);
}

int main(void)
{
    float bend = 0.01F;
    const willow_mesh_def meshes[] = {
        {.positions = rod, .vertex_count = VERTICES, .indices = faces, .triangle_count = TRIANGLES},
        {.positions = wall, .vertex_count = 4, .indices = wall_faces, .triangle_count = 2}};
    willow_world_def def = willow_world_def_default();
    willow_deformation deformation = willow_deformation_default();
    willow_deformation_report report = {0};
    willow_world *world = NULL;
    willow_scratch *scratch = NULL;
    willow_body_id body, other;
    deformation.context = &bend;
    deformation.position = position;
    deformation.bound = bound;
    make_rod();
    if (willow_world_create(&def, &world) != WILLOW_OK) return 1;
    bool ok = add_body(world, &meshes[0], &body) == WILLOW_OK &&
              add_body(world, &meshes[1], &other) == WILLOW_OK &&
              willow_body_set_deformation(world, body, &deformation) == WILLOW_OK &&
              willow_scratch_create(world, &scratch) == WILLOW_OK;
    for (int i = 0; ok && i < 8; i++) {
        willow_pairs pairs = {0};
        ok = willow_body_touch_deformation(world, body) == WILLOW_OK; /* it may change now */
        bend += 0.04F;
        ok = ok && willow_world_update(world, i, NULL) == WILLOW_OK;
        if (ok) willow_scratch_reset_stats(scratch);
        ok = ok && willow_find_pairs(world, scratch, NULL, &pairs) == WILLOW_OK;
        if (ok)
            printf("bend %.2f: %zu pairs, %d of %d vertices computed\n", (double)bend, pairs.count,
                   (int)willow_scratch_stats(scratch).vertices_blended, VERTICES);
        ok = ok && willow_body_check_deformation(world, body, &report) == WILLOW_OK &&
             report.fault == WILLOW_DEFORMATION_KEPT; /* in tests; it asks for everything */
    }
    if (!ok) fprintf(stderr, "%s (fault %d)\n", willow_world_message(world), (int)report.fault);
    willow_scratch_destroy(scratch);
    willow_world_destroy(world);
    return ok ? 0 : 1;
}
