/* willow_gl.c - the public functions of willow_gl, and Algorithm 1 of the paper.
 *
 * The triangles of a question are loaded once, relative to the box around its cells. Then the
 * surface is looked at along one axis in all cells together, so that OpenGL has all of these
 * queries before the first answer is asked for; then along the next one in the cells in which
 * nothing was seen. */
#include "willow_gl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "gl/context.h"
#include "gl/occlusion.h"

enum { DEFAULT_PIXELS = 64, MOST_PIXELS = 4096, MOST_TRIANGLES = INT32_MAX / 3 };

struct willow_gl {
    gl_context context;
    gl_occlusion occlusion;
    uint32_t pixels;
    float (*corners)[3]; /* room for those of a question */
    size_t corner_room;
    willow_gl_stats stats;
    char renderer[128];
};

willow_gl_def willow_gl_def_default(void)
{
    return (willow_gl_def){.struct_size = sizeof(willow_gl_def), .pixels = DEFAULT_PIXELS};
}

/* ---- making one ---- */

static const char *begin_drawing(willow_gl *gl)
{
    gl_before before;
    if (!gl_context_enter(&gl->context, &before)) return "the context cannot be made current";
    const char *missing = gl_occlusion_begin(&gl->occlusion, gl->pixels);
    if (missing == NULL)
        snprintf(gl->renderer, sizeof gl->renderer, "%s",
                 (const char *)gl->occlusion.f.GetString(GL_RENDERER));
    gl_context_leave(&gl->context, &before);
    return missing;
}

static willow_result fail(willow_result result, const char *words, char *reason, size_t size)
{
    if (reason != NULL && size > 0) snprintf(reason, size, "%s", words);
    return result;
}

willow_result willow_gl_create(const willow_gl_def *def, willow_gl **out, char *reason,
                               size_t reason_size)
{
    const willow_gl_def own = def ? *def : willow_gl_def_default();
    if (out == NULL) return fail(WILLOW_BAD_ARGUMENT, "no place for it", reason, reason_size);
    *out = NULL;
    if (own.struct_size != sizeof own)
        return fail(WILLOW_BAD_ARGUMENT, "the def was not made by willow_gl_def_default", reason,
                    reason_size);
    if (own.pixels < 1 || own.pixels > MOST_PIXELS)
        return fail(WILLOW_BAD_ARGUMENT, "pixels are 1 to 4096", reason, reason_size);
    willow_gl *gl = calloc(1, sizeof *gl);
    if (gl == NULL) return fail(WILLOW_OUT_OF_MEMORY, "out of memory", reason, reason_size);
    gl->pixels = own.pixels;
    const char *missing = gl_context_open(&gl->context);
    if (missing == NULL) missing = begin_drawing(gl);
    if (missing != NULL) {
        willow_gl_destroy(gl);
        return fail(WILLOW_UNSUPPORTED, missing, reason, reason_size);
    }
    *out = gl;
    return WILLOW_OK;
}

void willow_gl_destroy(willow_gl *gl)
{
    if (gl == NULL) return;
    gl_context_close(&gl->context); /* with all that was made in it */
    free(gl->corners);
    free(gl);
}

/* ---- a question ---- */

/* False if there is no memory. */
static bool reserve_corners(willow_gl *gl, size_t count)
{
    if (count <= gl->corner_room) return true;
    float(*corners)[3] = realloc(gl->corners, count * sizeof *corners);
    if (corners == NULL) return false;
    gl->corners = corners;
    gl->corner_room = count;
    return true;
}

/* The corners relative to the space; how far they reach. */
static double take_corners(willow_gl *gl, const willow_occupancy_question *question,
                           const gl_space *space)
{
    double reach = 1.0;
    for (uint32_t i = 0; i < question->triangle_count; i++) {
        float corners[3][3];
        question->corners(question, i, corners);
        const double own =
            gl_space_take(space, (const float(*)[3])corners, 3, gl->corners + 3 * (size_t)i);
        if (own > reach) reach = own;
    }
    return reach;
}

/* Along one axis, in the cells in which nothing was seen. */
static void look_along(willow_gl *gl, const gl_view *views, unsigned cells, int axis,
                       size_t corner_count, uint32_t *counts)
{
    unsigned asked = 0;
    for (uint32_t i = 0; i < GL_CELLS; i++) {
        if ((cells >> i & 1) == 0 || counts[i] > 0) continue;
        gl_occlusion_look(&gl->occlusion, i, &views[i], axis, corner_count);
        asked |= 1U << i;
        gl->stats.queries++;
        gl->stats.triangles += corner_count / 3;
    }
    for (uint32_t i = 0; i < GL_CELLS; i++)
        if ((asked >> i & 1) != 0) counts[i] = gl_occlusion_seen(&gl->occlusion, i);
}

static void look(willow_gl *gl, const willow_occupancy_question *question, const gl_space *space,
                 double reach, uint32_t *counts)
{
    const size_t corner_count = 3 * (size_t)question->triangle_count;
    gl_view views[GL_CELLS];
    unsigned cells = 0;
    for (uint32_t i = 0; i < question->cell_count; i++)
        if (gl_view_of(space, &question->cells[i], reach, gl->pixels, &views[i])) cells |= 1U << i;
    if (cells == 0) return;
    gl_occlusion_load(&gl->occlusion, (const float(*)[3])gl->corners, corner_count);
    for (int axis = 0; axis < 3; axis++) look_along(gl, views, cells, axis, corner_count, counts);
}

static bool gl_count(void *context, const willow_occupancy_question *question, uint32_t *counts)
{
    willow_gl *gl = context;
    const gl_space space = gl_space_of(question);
    uint32_t seen[GL_CELLS] = {0};
    gl_before before;
    gl->stats.questions++;
    if (question->triangle_count > MOST_TRIANGLES) return false;
    if (!reserve_corners(gl, 3 * (size_t)question->triangle_count)) return false;
    const double reach = take_corners(gl, question, &space);
    if (!(reach < (double)INFINITY)) return false;
    if (!gl_context_enter(&gl->context, &before)) return false;
    look(gl, question, &space, reach, seen);
    const bool is_fine = gl_occlusion_is_fine(&gl->occlusion);
    gl_context_leave(&gl->context, &before);
    for (uint32_t i = 0; i < question->cell_count; i++) counts[i] = seen[i];
    return is_fine;
}

willow_occupancy willow_gl_occupancy(willow_gl *gl)
{
    return (willow_occupancy){.count = gl_count, .context = gl};
}

willow_gl_stats willow_gl_get_stats(const willow_gl *gl) { return gl->stats; }

const char *willow_gl_renderer(const willow_gl *gl) { return gl->renderer; }
