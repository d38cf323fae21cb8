/* clip_scene.c - a scene_kind whose positions come from a clip. Way in: clip_scene_create. */
#include "cli/render/clip_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct clip_scene {
    const clip *clip;
    const double *times;
    bool is_y_up;
    clip_frame *frame; /* the sample that was read last: */
    uint32_t number;   /* its number; UINT32_MAX: none */
    io_error error;    /* "": all is well */
} clip_scene;

void clip_scene_turn(float point[3])
{
    const float y = point[1];
    point[1] = -point[2];
    point[2] = y;
}

static bool read_number(clip_scene *data, uint32_t number)
{
    if (data->number == number) return true;
    data->number = UINT32_MAX;
    if (!clip_frame_read(data->clip, data->times[number], data->frame, &data->error)) return false;
    data->number = number;
    return true;
}

static bool has_mesh_of_body(clip_scene *data, uint32_t number, uint32_t body)
{
    const clip_mesh *now = data->frame->bodies[body].mesh, *first = &data->clip->bodies[body].mesh;
    const size_t corners = 3 * (size_t)first->triangle_count;
    if (now == first ||
        (now->vertex_count == first->vertex_count && now->triangle_count == first->triangle_count &&
         memcmp(now->indices, first->indices, corners * sizeof *now->indices) == 0)) {
        return true;
    }
    return io_fail(&data->error,
                   "%s: triangles change in frame %u, and pictures are made of bodies "
                   "that keep theirs",
                   data->clip->bodies[body].name, number);
}

/* Without positions bodies are where the file has them first, and whoever asked finds an error. */
static void clip_scene_positions(const scene *s, uint32_t frame, uint32_t body, float *xyz_out)
{
    clip_scene *data = s->data;
    const clip_mesh *mesh = &data->clip->bodies[body].mesh;
    if (read_number(data, frame) && has_mesh_of_body(data, frame, body)) {
        clip_positions(data->clip, data->frame, body, xyz_out);
    } else if (mesh->vertex_count > 0) {
        memcpy(xyz_out, mesh->positions, 3 * (size_t)mesh->vertex_count * sizeof *xyz_out);
    }
    for (size_t i = 0; data->is_y_up && i < mesh->vertex_count; i++)
        clip_scene_turn(xyz_out + 3 * i);
}

static void clip_scene_destroy(scene *s)
{
    clip_scene *data = s->data;
    clip_frame_destroy(data->clip, data->frame);
    free(data);
}

static const scene_kind clip_scene_kind = {.name = "file",
                                           .summary = "a file",
                                           .stands_for = "",
                                           .variants = "",
                                           .defaults = {.frames = 1},
                                           .destroy = clip_scene_destroy,
                                           .positions = clip_scene_positions};

static bool copy_body(const clip_mesh *mesh, scene_body *out)
{
    const size_t corners = 3 * (size_t)mesh->triangle_count;
    *out = (scene_body){.vertex_count = mesh->vertex_count,
                        .triangle_count = mesh->triangle_count,
                        .indices = malloc((corners + 1) * sizeof *out->indices),
                        .self = true};
    if (out->indices == NULL) return false;
    if (corners > 0) memcpy(out->indices, mesh->indices, corners * sizeof *out->indices);
    return true;
}

static bool fill_scene(scene *s, const clip *c)
{
    clip_scene *data = s->data;
    if (s->view == NULL || data == NULL) return false;
    data->frame = clip_frame_create(c);
    s->bodies = calloc((size_t)c->body_count + 1, sizeof *s->bodies);
    if (data->frame == NULL || s->bodies == NULL) return false;
    for (; s->body_count < c->body_count; s->body_count++) {
        if (!copy_body(&c->bodies[s->body_count].mesh, &s->bodies[s->body_count])) return false;
    }
    return true;
}

scene *clip_scene_create(const clip *c, const double *times, uint32_t count, bool is_y_up)
{
    scene *s = calloc(1, sizeof *s);
    if (s == NULL) return NULL;
    clip_scene *data = calloc(1, sizeof *data);
    *s = (scene){.kind = &clip_scene_kind,
                 .asked = {.frames = count},
                 .params = {.frames = count},
                 .frame_count = count,
                 .data = data,
                 .view = scene_view_create()};
    if (data != NULL) {
        *data = (clip_scene){.clip = c, .times = times, .is_y_up = is_y_up, .number = UINT32_MAX};
    }
    if (fill_scene(s, c)) return s;
    scene_destroy(s);
    return NULL;
}

const char *clip_scene_error(const scene *s)
{
    const clip_scene *data = s->data;
    return data->error.text[0] != '\0' ? data->error.text : NULL;
}
