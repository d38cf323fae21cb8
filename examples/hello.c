/* hello.c - two bodies, one of them moves into the other: which triangles meet?
 *
 * Build: cc hello.c -lwillow -lm -lpthread */
#include "willow/willow.h"

#include <stdio.h>

/* A tetrahedron: four corners, four triangles that name them. */
static const float corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const uint32_t triangles[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

/* Every call that can fail says so; the world keeps the reason in words. */
static int is_fine(willow_result result, const char *words)
{
    if (result != WILLOW_OK) fprintf(stderr, "%s: %s\n", willow_result_name(result), words);
    return result == WILLOW_OK;
}

static int add_tetrahedron(willow_world *world, willow_body_id *body)
{
    willow_body_def def = willow_body_def_default();
    def.mesh.positions = corners;
    def.mesh.stride = sizeof corners[0];
    def.mesh.vertex_count = 4;
    def.mesh.indices = triangles;
    def.mesh.index_type = WILLOW_INDEX_U32;
    def.mesh.triangle_count = 4;
    return is_fine(willow_body_create(world, &def, body), willow_world_message(world));
}

/* Moves all vertices. Any motion will do: they need not keep the shape, and here they do not. */
static int move_away(willow_world *world, willow_body_id body, float distance)
{
    float moved[4][3];
    for (int i = 0; i < 4; i++) {
        moved[i][0] = corners[i][0] + distance;
        moved[i][1] = corners[i][1] + 0.1f;
        moved[i][2] = corners[i][2] * (1 + distance) + 0.1f;
    }
    return is_fine(willow_body_set_vertices(world, body, 0, 4, moved, sizeof moved[0]),
                   willow_world_message(world));
}

/* Results belong to the scratch and stay until its next query. */
static int print_pairs(const willow_world *world, willow_scratch *scratch, float distance)
{
    willow_pairs pairs;
    if (!is_fine(willow_find_pairs(world, scratch, NULL, &pairs), willow_scratch_message(scratch)))
        return 0;
    printf("distance %.2f: %zu pairs", (double)distance, pairs.count);
    for (size_t i = 0; i < pairs.count; i++)
        printf("  %u-%u", (unsigned)pairs.items[i].tri_a, (unsigned)pairs.items[i].tri_b);
    printf("\n");
    return 1;
}

/* One step of a simulation: set what moved, update once, ask. */
static int step(willow_world *world, willow_scratch *scratch, willow_body_id body, float distance)
{
    return move_away(world, body, distance) &&
           is_fine(willow_world_update(world, (double)distance, NULL),
                   willow_world_message(world)) &&
           print_pairs(world, scratch, distance);
}

int main(void)
{
    willow_world_def def = willow_world_def_default();
    willow_world *world = NULL;
    willow_scratch *scratch = NULL; /* one per thread that asks */
    willow_body_id still, moving;
    int fine = is_fine(willow_world_create(&def, &world), "no world") &&
               is_fine(willow_scratch_create(world, &scratch), "no scratch") &&
               add_tetrahedron(world, &still) && add_tetrahedron(world, &moving);
    for (int i = 4; fine && i >= 0; i--) fine = step(world, scratch, moving, 0.25f * (float)i);
    willow_scratch_destroy(scratch);
    willow_world_destroy(world);
    return fine ? 0 : 1;
}
