/* impacts.c - a sheet falls so fast that it would be through a plate at the end of a step. Each
 * step is tried first, and as much of it is taken as is safe.
 *
 * Build: cc impacts.c -lwillow -lm -lpthread */
#include "willow/willow.h"

#include <math.h>
#include <stdio.h>

enum { SIDE = 12, VERTICES = (SIDE + 1) * (SIDE + 1), TRIANGLES = 2 * SIDE * SIDE };

static willow_vec3 sheet[VERTICES];
static uint32_t faces[TRIANGLES][3];
static const float plate[4][3] = {{0, 0, 0}, {3, 0, 0}, {3, 3, 0}, {0, 3, 0}};
static const uint32_t halves[2][3] = {{0, 1, 2}, {0, 2, 3}};

static void make_sheet(void)
{
    for (int i = 0; i < VERTICES; i++) {
        float x = (float)(i % (SIDE + 1)) * 0.25f, y = (float)(i / (SIDE + 1)) * 0.25f;
        sheet[i] = (willow_vec3){x, y, 3 + 0.2f * sinf(2 * x) * cosf(2 * y)};
    }
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
    def.thickness = 0.005f; /* so that roundings on the way do no harm */
    return willow_body_create(world, &def, body) == WILLOW_OK;
}

static void print_impact(const willow_impact *impact)
{
    static const char *const kinds[] = {"vertex", "edge from vertex", "face"};
    printf(", where %s %u of the sheet would touch %s %u of the plate", kinds[impact->a.kind],
           (unsigned)impact->a.number[0], kinds[impact->b.kind], (unsigned)impact->b.number[0]);
}

/* Nothing is committed by this: the sheet is where it was. */
static int try_step(willow_world *world, willow_scratch *scratch, willow_body_id cloth, float down,
                    willow_first_impact *first)
{
    willow_vec3 target[VERTICES];
    for (int i = 0; i < VERTICES; i++)
        target[i] = (willow_vec3){sheet[i].x, sheet[i].y, sheet[i].z - down};
    return willow_body_set_target(world, cloth, 0, VERTICES, target, 0) == WILLOW_OK &&
           willow_world_update(world, 0, NULL) == WILLOW_OK &&
           willow_time_of_impact(world, scratch, NULL, first) == WILLOW_OK;
}

/* Goes nine tenths of the way to the first impact, and bounces there. 0 if a call fails, or if the
 * sheet is not above the plate. */
static int take_step(willow_world *world, willow_scratch *scratch, willow_body_id cloth,
                     float *down)
{
    willow_first_impact first;
    if (!try_step(world, scratch, cloth, *down, &first)) return 0;
    float part = first.found ? 0.9f * (float)first.impact.time : 1, lowest = INFINITY;
    for (int i = 0; i < VERTICES; i++) {
        sheet[i].z -= part * *down;
        lowest = fminf(lowest, sheet[i].z);
    }
    printf("%5.2f down: %.2f of it, to %.3f", (double)*down, (double)part, (double)lowest);
    if (first.found) print_impact(&first.impact);
    printf("\n");
    *down = first.found ? -0.5f * *down : *down + 0.5f;
    return willow_body_set_vertices(world, cloth, 0, VERTICES, sheet, 0) == WILLOW_OK && lowest > 0;
}

int main(void)
{
    willow_world_def def = willow_world_def_default();
    willow_world *world = NULL;
    willow_scratch *scratch = NULL;
    willow_body_id cloth, table;
    float down = 1;
    make_sheet();
    int fine = willow_world_create(&def, &world) == WILLOW_OK &&
               willow_scratch_create(world, &scratch) == WILLOW_OK &&
               add_body(world, sheet, VERTICES, faces, TRIANGLES, &cloth) &&
               add_body(world, plate, 4, halves, 2, &table);
    for (int i = 0; fine && i < 11; i++) fine = take_step(world, scratch, cloth, &down);
    if (!fine && world) fprintf(stderr, "%s\n", willow_world_message(world));
    willow_scratch_destroy(scratch);
    willow_world_destroy(world);
    return fine ? 0 : 1;
}
