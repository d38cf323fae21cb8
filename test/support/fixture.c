/* fixture.c - see fixture.h. */
#include "support/fixture.h"

#include "scenes/scenes.h"

willow_world *fixture_world(const willow_world_def *def)
{
    const willow_world_def usual = willow_world_def_default();
    willow_world *world = NULL;
    assert_ok(willow_world_create(def != NULL ? def : &usual, &world));
    return world;
}

willow_scratch *fixture_scratch(const willow_world *world)
{
    willow_scratch *scratch = NULL;
    assert_ok(willow_scratch_create(world, &scratch));
    return scratch;
}

willow_body_id fixture_body(willow_world *world, const willow_body_def *def)
{
    willow_body_id id = {0};
    if (willow_body_create(world, def, &id) != WILLOW_OK)
        fail_msg("%s", willow_world_message(world));
    return id;
}

scene *fixture_scene(const char *spec)
{
    char error[512] = "";
    scene *s = scene_create(spec, error, sizeof error);
    if (s == NULL) fail_msg("%s: %s", spec, error);
    return s;
}

void fixture_close(willow_world *world, willow_scratch *scratch)
{
    char reason[200] = "";
    if (!willow_world_validate(world, reason, sizeof reason)) fail_msg("%s", reason);
    willow_scratch_destroy(scratch);
    willow_world_destroy(world);
}
