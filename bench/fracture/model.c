/* model.c - the body that `splitting` splits: the triceratops of the paper, where its file is
 * there, and the scene's own body otherwise.
 *
 * The plane goes lengthwise and a bit aslant, so that it meets the body in one loop, as many
 * triangles long as the paper has it. */
#include "bench/fracture/model.h"
#include "bench/common/complain.h"
#include "bench/common/open_scene.h"
#include "bench/common/real_model.h"

#include <math.h>
#include <string.h>

/* Of the plane, in the file: its normal, where it is along that, and the middle of the loop across
 * and up. */
static const double plane_normal[3] = {0.22, 0.209, -0.953};
static const double plane_at[3] = {0.06, 1.17, 0.035};
#define MODEL_SCALE 0.185 /* the loop goes from -1 to 1 */

typedef struct frame_axes {
    double axis[3][3]; /* normal, across, up */
} frame_axes;

static void make_unit(double v[3])
{
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int k = 0; k < 3; k++) v[k] /= length;
}

static void find_axes(frame_axes *axes)
{
    double *n = axes->axis[0], *a = axes->axis[1], *u = axes->axis[2];
    memcpy(n, plane_normal, sizeof plane_normal);
    make_unit(n);
    a[0] = -n[1];
    a[1] = n[0];
    a[2] = 0;
    make_unit(a);
    for (int k = 0; k < 3; k++)
        u[k] = n[(k + 1) % 3] * a[(k + 2) % 3] - n[(k + 2) % 3] * a[(k + 1) % 3];
}

/* As the scene wants it: the plane is x = 0. */
static void place_model(real_model *model)
{
    frame_axes axes;
    find_axes(&axes);
    for (uint32_t i = 0; i < model->vertex_count; i++) {
        float *p = model->positions + 3 * (size_t)i;
        const double at[3] = {(double)p[0], (double)p[1], (double)p[2]};
        for (int k = 0; k < 3; k++) {
            const double *axis = axes.axis[k];
            const double along = axis[0] * at[0] + axis[1] * at[1] + axis[2] * at[2];
            p[k] = (float)(MODEL_SCALE * (along - plane_at[k]));
        }
    }
}

/* At the size that the scene would round to. */
static bool load_triceratops(real_model *model, uint32_t triangles)
{
    bool ok = real_model_load(model, "triceratops.off");
    if (ok) place_model(model);
    while (ok && 2 * model->triangle_count < triangles) ok = real_model_subdivide(model);
    return ok;
}

scene *fracture_scene_open(const char *spec, const char **body)
{
    const scene_kind *kind;
    scene_params params;
    real_model model = {.positions = NULL};
    char error[256];
    scene *s = NULL;
    *body = "built-in";
    if (scene_read(spec, &kind, &params, error, sizeof error) && kind->given != NULL &&
        load_triceratops(&model, params.triangles)) {
        const scene_mesh mesh = {model.positions, model.indices, model.vertex_count,
                                 model.triangle_count};
        s = scene_create_with(spec, &mesh, error, sizeof error);
        if (s == NULL) complain("bench", "%s", error);
        *body = "triceratops";
    } else {
        s = scene_open("bench", spec);
    }
    real_model_free(&model);
    return s;
}
