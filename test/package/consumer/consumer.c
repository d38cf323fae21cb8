/* consumer.c - a program of someone else, in C: made by test/package/install.sh from what was
 * installed. Three upright triangles stand in a large flat one, a fourth beside it. */
#include <stdio.h>
#include <willow/willow.h>

static const willow_vec3 ground_vertices[] = {{-10, -10, 0}, {10, -10, 0}, {0, 10, 0}};
static const willow_vec3 post_vertices[] = {
    {-1, 0, -1}, {-1, 1, 1}, {-1, -1, 1}, /* through the ground */
    {0, 0, -1},  {0, 1, 1},  {0, -1, 1},  /* and this */
    {1, 0, -1},  {1, 1, 1},  {1, -1, 1},  /* and this */
    {50, 0, -1}, {50, 1, 1}, {50, -1, 1}, /* beside it */
};
static const uint32_t numbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

static willow_result add_triangles(willow_world *world, const willow_vec3 *vertices, uint32_t count,
                                   willow_body_id *body)
{
    willow_body_def def = willow_body_def_default();
    def.mesh.positions = vertices;
    def.mesh.vertex_count = 3 * count;
    def.mesh.indices = numbers;
    def.mesh.triangle_count = count;
    return willow_body_create(world, &def, body);
}

/* True if as many pairs are found as expected. */
static bool has_pairs(willow_world *world, willow_scratch *scratch, size_t expected)
{
    willow_pairs pairs;
    if (willow_world_update(world, 0.0, NULL) != WILLOW_OK) return false;
    if (willow_find_pairs(world, scratch, NULL, &pairs) != WILLOW_OK) return false;
    printf("%zu pairs\n", pairs.count);
    return pairs.count == expected;
}

static bool check_world(willow_world *world, willow_scratch *scratch)
{
    static const willow_vec3 far_away[] = {{0, 0, 100}, {1, 0, 100}, {0, 1, 100}};
    willow_body_id ground, posts;
    return add_triangles(world, ground_vertices, 1, &ground) == WILLOW_OK &&
           add_triangles(world, post_vertices, 4, &posts) == WILLOW_OK &&
           has_pairs(world, scratch, 3) &&
           willow_body_set_vertices(world, ground, 0, 3, far_away, 0) == WILLOW_OK &&
           has_pairs(world, scratch, 0);
}

static bool is_version_of_header(void)
{
    return willow_version() ==
           WILLOW_VERSION_MAJOR * 10000 + WILLOW_VERSION_MINOR * 100 + WILLOW_VERSION_PATCH;
}

int main(void)
{
    willow_world *world = NULL;
    willow_scratch *scratch = NULL;
    willow_world_def def = willow_world_def_default();
    def.thread_count = 2; /* so that a build without threads would be noticed */
    bool is_fine = is_version_of_header() && willow_world_create(&def, &world) == WILLOW_OK &&
                   willow_scratch_create(world, &scratch) == WILLOW_OK &&
                   check_world(world, scratch);
    willow_scratch_destroy(scratch);
    willow_world_destroy(world);
    return is_fine ? 0 : 1;
}
