/* context.c - see context.h. */
#include "gl/context.h"

#include <EGL/eglext.h>
#include <stddef.h>
#include <string.h>

/* Whether a list of extensions has this one. */
static bool has_extension(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = list; at != NULL && (at = strstr(at, name)) != NULL; at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) return true;
    return false;
}

/* One that needs no window system, or the usual one. */
static EGLDisplay find_display(void)
{
    const char *extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    const PFNEGLGETPLATFORMDISPLAYEXTPROC get =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    if (get != NULL && has_extension(extensions, "EGL_MESA_platform_surfaceless")) {
        const EGLDisplay display = get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
        if (display != EGL_NO_DISPLAY) return display;
    }
    return eglGetDisplay(EGL_DEFAULT_DISPLAY);
}

static EGLContext make_context(EGLDisplay display, EGLConfig config)
{
    static const EGLint wanted[] = {EGL_CONTEXT_MAJOR_VERSION,
                                    3,
                                    EGL_CONTEXT_MINOR_VERSION,
                                    3,
                                    EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                    EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                    EGL_NONE};
    return eglCreateContext(display, config, EGL_NO_CONTEXT, wanted);
}

/* Draws to a surface of one pixel, which is never looked at. */
static const char *open_with_surface(gl_context *out)
{
    static const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                    EGL_OPENGL_BIT, EGL_NONE};
    static const EGLint small[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    if (!eglChooseConfig(out->display, wanted, &config, 1, &count) || count == 0)
        return "EGL can draw neither without a surface nor to one of its own";
    out->surface = eglCreatePbufferSurface(out->display, config, small);
    if (out->surface == EGL_NO_SURFACE) return "EGL has no surface to draw to";
    out->context = make_context(out->display, config);
    return out->context != EGL_NO_CONTEXT ? NULL : "EGL has no context of OpenGL 3.3";
}

static const char *open_on_display(gl_context *out)
{
    const char *extensions = eglQueryString(out->display, EGL_EXTENSIONS);
    if (has_extension(extensions, "EGL_KHR_surfaceless_context") &&
        has_extension(extensions, "EGL_KHR_no_config_context"))
        out->context = make_context(out->display, EGL_NO_CONFIG_KHR);
    return out->context != EGL_NO_CONTEXT ? NULL : open_with_surface(out);
}

const char *gl_context_open(gl_context *out)
{
    const EGLenum api = eglQueryAPI();
    *out = (gl_context){EGL_NO_DISPLAY, EGL_NO_CONTEXT, EGL_NO_SURFACE};
    out->display = find_display();
    if (out->display == EGL_NO_DISPLAY) return "EGL has no display";
    if (!eglInitialize(out->display, NULL, NULL)) return "EGL cannot be used on this display";
    if (!eglBindAPI(EGL_OPENGL_API)) return "EGL has no OpenGL";
    const char *missing = open_on_display(out);
    (void)eglBindAPI(api);
    return missing;
}

void gl_context_close(gl_context *c)
{
    if (c->context != EGL_NO_CONTEXT) (void)eglDestroyContext(c->display, c->context);
    if (c->surface != EGL_NO_SURFACE) (void)eglDestroySurface(c->display, c->surface);
    *c = (gl_context){EGL_NO_DISPLAY, EGL_NO_CONTEXT, EGL_NO_SURFACE};
}

bool gl_context_enter(const gl_context *c, gl_before *before)
{
    *before = (gl_before){.api = eglQueryAPI()};
    if (!eglBindAPI(EGL_OPENGL_API)) return false;
    before->display = eglGetCurrentDisplay();
    before->context = eglGetCurrentContext();
    before->draw = eglGetCurrentSurface(EGL_DRAW);
    before->read = eglGetCurrentSurface(EGL_READ);
    if (eglMakeCurrent(c->display, c->surface, c->surface, c->context)) return true;
    (void)eglBindAPI(before->api);
    return false;
}

void gl_context_leave(const gl_context *c, const gl_before *before)
{
    if (before->context != EGL_NO_CONTEXT)
        (void)eglMakeCurrent(before->display, before->draw, before->read, before->context);
    else
        (void)eglMakeCurrent(c->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    (void)eglBindAPI(before->api);
}
