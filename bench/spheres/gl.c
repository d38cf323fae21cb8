/* gl.c - see gl.h. */
#include "bench/spheres/gl.h"

#ifdef WILLOW_HAS_GL
#    include "willow_gl.h"

spheres_gl *spheres_gl_open(uint32_t pixels)
{
    willow_gl_def def = willow_gl_def_default();
    willow_gl *gl;
    def.pixels = pixels;
    return willow_gl_create(&def, &gl, NULL, 0) == WILLOW_OK ? (spheres_gl *)gl : NULL;
}

void spheres_gl_close(spheres_gl *gl) { willow_gl_destroy((willow_gl *)gl); }

willow_occupancy spheres_gl_backend(spheres_gl *gl) { return willow_gl_occupancy((willow_gl *)gl); }

uint64_t spheres_gl_queries(const spheres_gl *gl)
{
    return willow_gl_get_stats((const willow_gl *)gl).queries;
}

const char *spheres_gl_renderer(const spheres_gl *gl)
{
    return willow_gl_renderer((const willow_gl *)gl);
}
#else
spheres_gl *spheres_gl_open(uint32_t pixels)
{
    (void)pixels;
    return NULL;
}

void spheres_gl_close(spheres_gl *gl) { (void)gl; }

willow_occupancy spheres_gl_backend(spheres_gl *gl)
{
    (void)gl;
    return (willow_occupancy){.count = NULL};
}

uint64_t spheres_gl_queries(const spheres_gl *gl)
{
    (void)gl;
    return 0;
}

const char *spheres_gl_renderer(const spheres_gl *gl)
{
    (void)gl;
    return "";
}
#endif
