/* functions.c - see functions.h. */
#include "gl/functions.h"

#include <EGL/egl.h>
#include <stddef.h>

const char *gl_find_functions(gl_functions *out)
{
#define GL_FUNCTION_FIND(type, name)                                                               \
    out->name = (type)eglGetProcAddress("gl" #name);                                               \
    if (out->name == NULL) return "gl" #name;
    GL_FUNCTIONS(GL_FUNCTION_FIND)
#undef GL_FUNCTION_FIND
    return NULL;
}
