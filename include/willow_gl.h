/* willow_gl.h - finds with OpenGL which cells of a sphere-tree a surface touches: the backend of
 * Rodriguez and Franquesa 2005 (Algorithm 1), with occlusion queries and without a window.
 *
 *     willow_gl *gl;
 *     willow_gl_create(NULL, &gl, NULL, 0);
 *     body_def.tree.method = WILLOW_METHOD_SPHERE;
 *     body_def.tree.occupancy = willow_gl_occupancy(gl);
 *     query_options.use_occupancy = true;
 *
 * The surface is drawn along an axis, in a view that is limited to the cell. If any sample is
 * drawn, the surface touches the cell. Up to three axes are tried, and the occlusion queries of all
 * cells of a question run together. A raster misses what lies between its samples, so a count of
 * zero says nothing (willow/occupancy.h).
 *
 * This is a library of its own, `willow_gl`; Willow does not need it. The library needs OpenGL 3.3,
 * and EGL 1.5 or EGL_MESA_platform_surfaceless. Mesa's software renderer is enough. */
#ifndef WILLOW_GL_H
#define WILLOW_GL_H

#include "willow/occupancy.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct willow_gl willow_gl;

typedef struct willow_gl_def {
    size_t struct_size;
    uint32_t pixels; /* along each side of the view of a cell: 1 to 4096; 64 by default */
} willow_gl_def;

WILLOW_API willow_gl_def willow_gl_def_default(void);

/* Creates a backend with an OpenGL context of its own. `def` may be NULL for the default. Fails
 * with UNSUPPORTED where there is no such OpenGL, OUT_OF_MEMORY or BAD_ARGUMENT; *out is then NULL,
 * and `reason`, if not NULL, says why. May be called from any thread. */
WILLOW_API willow_result willow_gl_create(const willow_gl_def *def, willow_gl **out, char *reason,
                                          size_t reason_size);

/* Call it after destroying the bodies that use the backend, or when no query uses it any more. NULL
 * is fine. The connection to the display stays open, since EGL does not count its users. */
WILLOW_API void willow_gl_destroy(willow_gl *gl);

/* For willow_tree_def.occupancy; its `context` is `gl`. During `count` the OpenGL context of `gl`
 * is current on the querying thread; afterwards the previous one is current again. `count` returns
 * false when OpenGL fails or memory is short. Several threads may use one `gl` one after the other;
 * threads with a willow_gl each may use them at the same time. */
WILLOW_API willow_occupancy willow_gl_occupancy(willow_gl *gl);

typedef struct willow_gl_stats {
    uint64_t questions; /* calls of `count` */
    uint64_t queries;   /* occlusion queries: one for each cell and axis tried */
    uint64_t triangles; /* drawn */
} willow_gl_stats;

/* All counts since `gl` was created. Must not run during a query that uses `gl`. */
WILLOW_API willow_gl_stats willow_gl_get_stats(const willow_gl *gl);

/* The name of the renderer, as OpenGL reports it. Valid as long as `gl`. */
WILLOW_API const char *willow_gl_renderer(const willow_gl *gl);

#ifdef __cplusplus
}
#endif
#endif
