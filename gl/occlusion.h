/* occlusion.h - what OpenGL draws: a shader, a buffer of triangles, a frame that nobody sees, and
 * queries of occlusion. All with the context current. */
#ifndef WILLOW_GL_OCCLUSION_H
#define WILLOW_GL_OCCLUSION_H

#include "gl/functions.h"
#include "gl/view.h"

enum { GL_CELLS = 8 };

typedef struct gl_occlusion {
    gl_functions f;
    GLint centre, scale, axis; /* of the shader */
    GLuint queries[GL_CELLS];
} gl_occlusion;

/* NULL, or why it cannot be. What it makes goes with the context. */
const char *gl_occlusion_begin(gl_occlusion *o, uint32_t pixels);

/* What is drawn from now on: corners in the space of the views. */
void gl_occlusion_load(const gl_occlusion *o, const float (*corners)[3], size_t count);

/* Looks along an axis into a cell; the answer comes when it is asked for. */
void gl_occlusion_look(const gl_occlusion *o, uint32_t cell, const gl_view *view, int axis,
                       size_t corner_count);
uint32_t gl_occlusion_seen(const gl_occlusion *o, uint32_t cell);

/* Whether all calls since the last time succeeded. */
bool gl_occlusion_is_fine(const gl_occlusion *o);

#endif
