/* gl.h - OpenGL for the suite, where Willow was built with it; else there is none. */
#ifndef BENCH_SPHERES_GL_H
#define BENCH_SPHERES_GL_H

#include "willow/occupancy.h"

typedef struct spheres_gl spheres_gl;

/* NULL where there is no OpenGL. */
spheres_gl *spheres_gl_open(uint32_t pixels);
void spheres_gl_close(spheres_gl *gl);

willow_occupancy spheres_gl_backend(spheres_gl *gl);
uint64_t spheres_gl_queries(const spheres_gl *gl);
const char *spheres_gl_renderer(const spheres_gl *gl);

#endif
