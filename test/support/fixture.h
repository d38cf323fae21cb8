/* fixture.h - worlds, scratches and bodies that tests make, which must succeed.
 *
 *     willow_world *world = fixture_world(&def);
 *     willow_scratch *scratch = fixture_scratch(world);
 *     body.mesh = FIXTURE_MESH(positions, vertex_count, tris, triangle_count);
 *     willow_body_id id = fixture_body(world, &body);
 *     ...
 *     fixture_close(world, scratch);
 *
 * A call that is refused fails the test, with the words of the library. */
#ifndef TEST_FIXTURE_H
#define TEST_FIXTURE_H

#include "support/test.h"
#include "willow/willow.h"

/* NULL for the default. */
willow_world *fixture_world(const willow_world_def *def);
willow_scratch *fixture_scratch(const willow_world *world);
willow_body_id fixture_body(willow_world *world, const willow_body_def *def);

/* As named, "bumpy:triangles=320"; of scenes/scenes.h. */
struct scene *fixture_scene(const char *spec);

/* A willow_mesh_def of packed positions and indices of 32 bits; &FIXTURE_MESH(...) lives as long as
 * its block. */
#define FIXTURE_MESH(at, at_count, tris, tri_count)                                                \
    ((willow_mesh_def){.positions = (at),                                                          \
                       .vertex_count = (at_count),                                                 \
                       .indices = (tris),                                                          \
                       .triangle_count = (tri_count)})

/* Fails if the world is not sound at its end. The scratch may be NULL. */
void fixture_close(willow_world *world, willow_scratch *scratch);

#endif
