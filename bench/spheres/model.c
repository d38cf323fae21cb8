/* model.c - the bunny of libigl, mirrored in z, which is nearly the surface of the paper, and a
 * dragon. Where there is no bunny, the body of scenes/bunnies.c stands in. */
#include "bench/common/complain.h"
#include "bench/common/real_model.h"
#include "bench/spheres/spheres.h"
#include "scenes/scenes.h"

#include <stdlib.h>
#include <string.h>

static bool take_room(spheres_model *model, uint32_t vertices, uint32_t triangles)
{
    model->vertex_count = vertices;
    model->triangle_count = triangles;
    model->positions = malloc(3 * sizeof(float) * vertices);
    model->indices = malloc(3 * sizeof(uint32_t) * triangles);
    return model->positions != NULL && model->indices != NULL;
}

/* The first body of a file. False if it is not there. */
static bool load_file(spheres_model *model, const char *file, const char *name)
{
    real_model found;
    if (!real_model_load(&found, file)) {
        real_model_free(&found);
        return false;
    }
    *model = (spheres_model){.name = name,
                             .positions = found.positions,
                             .indices = found.indices,
                             .vertex_count = found.vertex_count,
                             .triangle_count = found.triangle_count};
    return true;
}

static bool load_bunny(spheres_model *model)
{
    if (!load_file(model, "igl_bunny.off", "bunny")) return false;
    for (uint32_t i = 0; i < model->vertex_count; i++) model->positions[3 * i + 2] *= -1.0F;
    model->is_y_up = true;
    return true;
}

static bool load_hare(spheres_model *model)
{
    char reason[200];
    scene *s = scene_create("bunnies", reason, sizeof reason);
    if (s == NULL) return false;
    const scene_body *body = &s->bodies[0];
    const bool ok = take_room(model, body->vertex_count, body->triangle_count);
    if (ok) {
        scene_rest(s, 0, model->positions);
        memcpy(model->indices, body->indices, 3 * sizeof(uint32_t) * body->triangle_count);
        model->name = "hare";
    }
    scene_destroy(s);
    return ok;
}

static void make_unit(spheres_model *model)
{
    float longest = 0.0F, least[3];
    for (uint32_t axis = 0; axis < 3; axis++) {
        float most = model->positions[axis];
        least[axis] = most;
        for (uint32_t i = 0; i < model->vertex_count; i++) {
            const float x = model->positions[3 * i + axis];
            least[axis] = x < least[axis] ? x : least[axis];
            most = x > most ? x : most;
        }
        longest = most - least[axis] > longest ? most - least[axis] : longest;
    }
    for (uint32_t i = 0; i < 3 * model->vertex_count; i++)
        model->positions[i] = (model->positions[i] - least[i % 3]) / longest;
}

int spheres_load_bunny(spheres_model *model)
{
    *model = (spheres_model){.name = NULL};
    if (!load_bunny(model)) {
        spheres_unload(model);
        if (!load_hare(model)) return complain("bench", "the suite spheres: out of memory");
    }
    make_unit(model);
    return EXIT_FINE;
}

int spheres_load_dragon(spheres_model *model)
{
    *model = (spheres_model){.name = NULL};
    if (load_file(model, "dragon.obj", "dragon"))
        make_unit(model);
    else
        spheres_unload(model);
    return EXIT_FINE;
}

void spheres_unload(spheres_model *model)
{
    free(model->positions);
    free(model->indices);
    *model = (spheres_model){.name = NULL};
}

willow_result spheres_add(willow_world *world, const spheres_model *model, float extent,
                          const willow_tree_def *tree, const willow_pose *pose, willow_body_id *out)
{
    willow_body_def def = willow_body_def_default();
    float *positions = malloc(3 * sizeof(float) * model->vertex_count);
    if (positions == NULL) return WILLOW_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < 3 * model->vertex_count; i++)
        positions[i] = extent * model->positions[i];
    def.mesh = (willow_mesh_def){.positions = positions,
                                 .vertex_count = model->vertex_count,
                                 .indices = model->indices,
                                 .triangle_count = model->triangle_count};
    def.tree = *tree;
    def.pose = *pose;
    const willow_result result = willow_body_create(world, &def, out);
    free(positions);
    return result;
}

uint32_t spheres_depth(willow_cells cells, uint32_t extent, uint32_t level)
{
    enum { COARSE_BELOW = 768 }; /* all sizes are 513 to 1024 */
    return level - (cells == WILLOW_CELLS_BONO && extent < COARSE_BELOW);
}
