/* willow_gl.h - OpenGL looks which cells of a sphere-tree a surface touches: the backend of
 * Rodriguez and Franquesa 2005 (Algorithm 1), with occlusion queries and without a window.
 *
 *     willow_gl *gl;
 *     willow_gl_create(NULL, &gl, NULL, 0);
 *     body_def.tree.method = WILLOW_METHOD_SPHERE;
 *     body_def.tree.occupancy = willow_gl_occupancy(gl);
 *     query_options.use_occupancy = true;
 *
 * The surface is drawn as it is seen along an axis, in a view that is limited to the cell; if
 * anything is seen, the surface touches the cell. Up to three axes are tried, and all cells of a
 * question are in flight together. A raster cannot see what lies between its samples, so zero says
 * nothing (willow/occupancy.h).
 *
 * It is a library of its own, `willow_gl`, beside Willow, which does not need it; it needs EGL 1.5
 * or EGL_MESA_platform_surfaceless, and OpenGL 3.3. Mesa's software renderer is enough. */
#ifndef WILLOW_GL_H
#define WILLOW_GL_H

#include "willow/occupancy.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct willow_gl willow_gl;

typedef struct willow_gl_def {
    size_t struct_size;
    uint32_t pixels; /* across and down a cell: 1 to 4096; 64 by default */
} willow_gl_def;

WILLOW_API willow_gl_def willow_gl_def_default(void);

/* Makes an OpenGL context of its own. `def` may be NULL for the default. UNSUPPORTED where there is
 * no such OpenGL, OUT_OF_MEMORY, BAD_ARGUMENT; *out is then NULL, and `reason` has the words, if it
 * is not NULL. From any thread. */
WILLOW_API willow_result willow_gl_create(const willow_gl_def *def, willow_gl **out, char *reason,
                                          size_t reason_size);

/* After the bodies that have it, or when no query asks any more. NULL is fine. The connection to
 * the display stays, since EGL does not count who uses it. */
WILLOW_API void willow_gl_destroy(willow_gl *gl);

/* For willow_tree_def.occupancy; its context is `gl`. While it looks, the context of `gl` is
 * current on the asking thread; then that of before is again. It refuses where OpenGL fails or
 * memory is short. Several threads may ask one after the other, and each at any time with a
 * willow_gl of its own. */
WILLOW_API willow_occupancy willow_gl_occupancy(willow_gl *gl);

typedef struct willow_gl_stats {
    uint64_t questions; /* see willow_occupancy */
    uint64_t queries;   /* of occlusion: one for each cell and axis that was looked along */
    uint64_t triangles; /* drawn */
} willow_gl_stats;

/* Since it was made. Not beside a question. */
WILLOW_API willow_gl_stats willow_gl_get_stats(const willow_gl *gl);

/* Who draws, as OpenGL says. It stays as long as `gl`. */
WILLOW_API const char *willow_gl_renderer(const willow_gl *gl);

#ifdef __cplusplus
}
#endif
#endif
