/* context.h - a context of OpenGL without a window, and making it current for a while. */
#ifndef WILLOW_GL_CONTEXT_H
#define WILLOW_GL_CONTEXT_H

#include <EGL/egl.h>
#include <stdbool.h>

typedef struct gl_context {
    EGLDisplay display;
    EGLContext context;
    EGLSurface surface; /* EGL_NO_SURFACE where the display needs none */
} gl_context;

/* NULL, or why there is none. gl_context_close may follow all the same. */
const char *gl_context_open(gl_context *out);
void gl_context_close(gl_context *c);

/* What was current on the thread before. */
typedef struct gl_before {
    EGLenum api;
    EGLDisplay display;
    EGLContext context;
    EGLSurface draw, read;
} gl_before;

/* False if it cannot be made current here; all is as before then. */
bool gl_context_enter(const gl_context *c, gl_before *before);
void gl_context_leave(const gl_context *c, const gl_before *before);

#endif
