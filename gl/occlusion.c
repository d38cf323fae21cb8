/* occlusion.c - see occlusion.h. */
#include "gl/occlusion.h"

/* The axis that is looked along becomes depth, which is clipped at both ends of the cell. */
static const char vertex_text[] = "#version 330 core\n"
                                  "layout(location = 0) in vec3 at;\n"
                                  "uniform vec3 centre, scale;\n"
                                  "uniform int axis;\n"
                                  "void main()\n"
                                  "{\n"
                                  "    vec3 p = (at - centre) * scale;\n"
                                  "    vec3 seen = axis == 0 ? p.yzx : axis == 1 ? p.zxy : p;\n"
                                  "    gl_Position = vec4(seen, 1.0);\n"
                                  "}\n";

static const char fragment_text[] = "#version 330 core\n"
                                    "out vec4 colour;\n"
                                    "void main() { colour = vec4(1.0); }\n";

static void add_shader(const gl_functions *f, GLuint program, GLenum kind, const char *text)
{
    const GLuint shader = f->CreateShader(kind);
    f->ShaderSource(shader, 1, &text, NULL);
    f->CompileShader(shader);
    f->AttachShader(program, shader);
    f->DeleteShader(shader); /* when the program goes */
}

static bool make_program(gl_occlusion *o)
{
    const gl_functions *f = &o->f;
    const GLuint program = f->CreateProgram();
    GLint is_linked = GL_FALSE;
    add_shader(f, program, GL_VERTEX_SHADER, vertex_text);
    add_shader(f, program, GL_FRAGMENT_SHADER, fragment_text);
    f->LinkProgram(program);
    f->GetProgramiv(program, GL_LINK_STATUS, &is_linked);
    if (is_linked != GL_TRUE) return false;
    f->UseProgram(program);
    o->centre = f->GetUniformLocation(program, "centre");
    o->scale = f->GetUniformLocation(program, "scale");
    o->axis = f->GetUniformLocation(program, "axis");
    return true;
}

static bool make_frame(const gl_functions *f, uint32_t pixels)
{
    GLuint frame, store;
    const GLsizei size = (GLsizei)pixels;
    f->GenFramebuffers(1, &frame);
    f->GenRenderbuffers(1, &store);
    f->BindFramebuffer(GL_FRAMEBUFFER, frame);
    f->BindRenderbuffer(GL_RENDERBUFFER, store);
    f->RenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, size, size);
    f->FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, store);
    f->Viewport(0, 0, size, size);
    return f->CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

static void make_buffer(const gl_functions *f)
{
    GLuint buffer, layout;
    f->GenVertexArrays(1, &layout);
    f->BindVertexArray(layout);
    f->GenBuffers(1, &buffer);
    f->BindBuffer(GL_ARRAY_BUFFER, buffer);
    f->VertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 3 * sizeof(float), NULL);
    f->EnableVertexAttribArray(0);
}

const char *gl_occlusion_begin(gl_occlusion *o, uint32_t pixels)
{
    const char *missing = gl_find_functions(&o->f);
    if (missing != NULL) return missing;
    if (!make_program(o)) return "OpenGL does not take the shader";
    if (!make_frame(&o->f, pixels)) return "OpenGL cannot draw to so many pixels";
    make_buffer(&o->f);
    o->f.ColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    o->f.Disable(GL_DEPTH_TEST);
    o->f.Disable(GL_CULL_FACE);
    o->f.GenQueries(GL_CELLS, o->queries);
    return gl_occlusion_is_fine(o) ? NULL : "OpenGL failed";
}

void gl_occlusion_load(const gl_occlusion *o, const float (*corners)[3], size_t count)
{
    o->f.BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * sizeof *corners), corners,
                    GL_STREAM_DRAW);
}

/* A query that was one of GL_ANY_SAMPLES_PASSED can never be one of GL_SAMPLES_PASSED: all of them
 * are of this kind. */
void gl_occlusion_look(const gl_occlusion *o, uint32_t cell, const gl_view *view, int axis,
                       size_t corner_count)
{
    o->f.Uniform3fv(o->centre, 1, view->centre);
    o->f.Uniform3fv(o->scale, 1, view->scale);
    o->f.Uniform1i(o->axis, axis);
    o->f.BeginQuery(GL_SAMPLES_PASSED, o->queries[cell]);
    o->f.DrawArrays(GL_TRIANGLES, 0, (GLsizei)corner_count);
    o->f.EndQuery(GL_SAMPLES_PASSED);
}

uint32_t gl_occlusion_seen(const gl_occlusion *o, uint32_t cell)
{
    GLuint samples = 0;
    o->f.GetQueryObjectuiv(o->queries[cell], GL_QUERY_RESULT, &samples);
    return samples;
}

bool gl_occlusion_is_fine(const gl_occlusion *o)
{
    bool is_fine = true;
    /* There may be one for each part of a driver; a lost context has no end of them. */
    for (int i = 0; i < 16 && o->f.GetError() != GL_NO_ERROR; i++) is_fine = false;
    return is_fine;
}
