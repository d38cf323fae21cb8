/* cut.c - a sheet is cut while it falls, a vertex in every step; behind the cut its halves collide.
 * Build: cc cut.c -lwillow -lm -lpthread */
#include <stdio.h>
#include "willow/willow.h"

enum { SIDE = 16, ROW = SIDE + 1, VERTICES = ROW * ROW, TRIANGLES = 2 * SIDE * SIDE };
enum { MIDDLE = SIDE / 2, AROUND = 6 };

static willow_vec3 sheet[VERTICES + ROW]; /* with room for the second side of the cut */
static uint32_t faces[TRIANGLES][3], vertex_count = VERTICES;

static void make_sheet(void)
{
    for (uint32_t i = 0; i < VERTICES; i++)
        sheet[i] = (willow_vec3){(float)(i % ROW) / SIDE, (float)(i / ROW) / SIDE, 0.4F};
    for (uint32_t i = 0; i < TRIANGLES; i++) {
        const uint32_t a = i / 2 % SIDE + i / 2 / SIDE * ROW, c = a + ROW + 1;
        faces[i][0] = a;
        faces[i][1] = i % 2 == 0 ? a + 1 : c;
        faces[i][2] = i % 2 == 0 ? c : a + ROW;
    }
}

/* Doubles a vertex of the middle column: triangles to the right of it get the twin. The two sides
 * coincide until they move apart, so all that have the vertex get the label of the crack. */
static int cut(willow_world *world, willow_body_id body, uint32_t row)
{
    static const uint32_t crack[AROUND] = {1, 1, 1, 1, 1, 1};
    const uint32_t old = row * ROW + MIDDLE;
    const willow_new_vertex twin = {.parent_count = 1, .parents = {old}, .weights = {1}};
    uint32_t right[AROUND], around[AROUND], corners[AROUND][3];
    willow_edit edit = willow_edit_default();
    for (uint32_t i = 0; i < TRIANGLES; i++) {
        uint32_t k = 0;
        while (k < 3 && faces[i][k] != old) k++;
        if (k == 3) continue;
        around[edit.label_count++] = i;
        if (i / 2 % SIDE < MIDDLE) continue;
        faces[i][k] = WILLOW_NEW_VERTEX;
        for (int c = 0; c < 3; c++) corners[edit.replace_triangle_count][c] = faces[i][c];
        right[edit.replace_triangle_count++] = i;
        faces[i][k] = vertex_count; /* the next number, since no vertex was removed */
    }
    edit.add_vertices = &twin;
    edit.add_vertex_count = 1;
    edit.replace_triangles = right;
    edit.replace_indices = corners[0];
    edit.label_triangles = around;
    edit.labels = crack;
    sheet[vertex_count++] = sheet[old];
    return willow_body_edit(world, body, &edit, NULL, NULL) == WILLOW_OK;
}

/* All falls; behind the cut the halves tilt and slide through each other. */
static void fall(uint32_t step)
{
    for (uint32_t i = 0; i < vertex_count; i++) {
        const float side = i >= VERTICES || i % ROW > MIDDLE ? -1 : 1;
        const float share = sheet[i].y * SIDE < (float)step ? 0.01F : 0;
        sheet[i].z -= 0.02F - share * side * (sheet[i].x - 0.5F);
        sheet[i].x += side * share;
    }
}

int main(void)
{
    const willow_world_def world_def = willow_world_def_default();
    willow_query_options options = willow_query_options_default();
    willow_body_def def = willow_body_def_default();
    willow_scratch *scratch = NULL;
    willow_world *world;
    willow_body_id body;
    if (willow_world_create(&world_def, &world) != WILLOW_OK) return 1;
    make_sheet();
    def.self = true;
    def.mesh = (willow_mesh_def){.positions = sheet,
                                 .vertex_count = VERTICES,
                                 .indices = faces,
                                 .triangle_count = TRIANGLES};
    int ok = willow_body_create(world, &def, &body) == WILLOW_OK &&
             willow_scratch_create(world, &scratch) == WILLOW_OK;
    options.skip_cracks = true;
    for (uint32_t step = 0; ok && step <= SIDE; step++) {
        willow_pairs pairs;
        uint32_t parts;
        fall(step);
        ok = willow_body_set_vertices(world, body, 0, vertex_count, sheet, 0) == WILLOW_OK &&
             cut(world, body, step) &&
             willow_body_find_parts(world, body, NULL, &parts) == WILLOW_OK &&
             willow_world_update(world, step, NULL) == WILLOW_OK &&
             willow_find_self_pairs(world, scratch, &options, &pairs) == WILLOW_OK;
        if (ok && step % 4 == 0)
            printf("step %2u: %u part(s), %zu pairs\n", step, parts, pairs.count);
    }
    if (!ok) fprintf(stderr, "%s\n", willow_world_message(world));
    willow_scratch_destroy(scratch);
    willow_world_destroy(world);
    return ok ? 0 : 1;
}
