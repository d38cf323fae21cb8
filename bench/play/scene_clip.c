/* scene_clip.c - fills a clip from a scene. Way in: scene_clip_create.
 *
 * Scenes are functions of the frame number, so that frames can be read in any order by any thread,
 * and a frame of the clip needs room for positions only. */
#include "bench/play/scene_clip.h"
#include "io/clip_build.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What a frame keeps: by body of the scene, positions of those that have no other motion, and the
 * triangles that are there, of those that come and go. */
typedef struct scene_frame {
    float **positions;
    clip_mesh *meshes;
} scene_frame;

/* ---- frames ---- */

static uint32_t scene_frame_number(const scene *s, double time)
{
    const double frame = floor(time * SCENE_CLIP_FPS + 0.5);
    return frame < s->frame_count ? (uint32_t)frame : s->frame_count - 1;
}

static void scene_clip_forget(const clip *c, const void *data, void *kept)
{
    const scene *s = data;
    scene_frame *frame = kept;
    for (uint32_t i = 0; frame->positions != NULL && i < s->body_count; i++) {
        io_free(c->memory, frame->positions[i]);
    }
    for (uint32_t i = 0; frame->meshes != NULL && i < s->body_count; i++) {
        io_free(c->memory, frame->meshes[i].indices);
        io_free(c->memory, frame->meshes[i].faces);
    }
    io_free(c->memory, frame->positions);
    io_free(c->memory, frame->meshes);
    io_free(c->memory, frame);
}

static bool make_kept_mesh(const clip *c, const scene_body *body, clip_mesh *mesh)
{
    if (body->lives == NULL) return true;
    mesh->vertex_count = body->vertex_count;
    mesh->indices = io_alloc(c->memory, 3 * (uint64_t)body->triangle_count, sizeof *mesh->indices);
    mesh->faces = io_alloc(c->memory, body->triangle_count, sizeof *mesh->faces);
    return mesh->indices != NULL && mesh->faces != NULL;
}

static scene_frame *make_kept(const clip *c, const scene *s)
{
    scene_frame *frame = io_alloc(c->memory, 1, sizeof *frame);
    if (frame == NULL) return NULL;
    frame->positions = io_alloc(c->memory, s->body_count, sizeof *frame->positions);
    frame->meshes = io_alloc(c->memory, s->body_count, sizeof *frame->meshes);
    bool fine = frame->positions != NULL && frame->meshes != NULL;
    for (uint32_t i = 0; fine && i < s->body_count; i++) {
        fine = make_kept_mesh(c, &s->bodies[i], &frame->meshes[i]);
        if (!fine) break;
        if (c->bodies[i].motion != CLIP_FRAMES) continue;
        frame->positions[i] =
            io_alloc(c->memory, 3 * (uint64_t)s->bodies[i].vertex_count, sizeof(float));
        fine = frame->positions[i] != NULL;
    }
    if (fine) return frame;
    scene_clip_forget(c, s, frame);
    return NULL;
}

/* All references but the first, which is the mesh. */
static void read_weights(const scene *s, uint32_t number, uint32_t body, float *out)
{
    float weights[SCENE_REFERENCE_MAX];
    scene_weights(s, number, body, weights);
    memcpy(out, weights + 1, (scene_reference_count(s) - 1) * sizeof *out);
}

/* Three rows of four, as the library has them. */
_Static_assert(sizeof(willow_affine) == sizeof(double[12]), "a joint is an affine matrix");

static void read_joints(const scene *s, uint32_t number, uint32_t body, uint32_t count,
                        double (*out)[12])
{
    willow_affine joints[SCENE_JOINT_MAX];
    assert(count <= SCENE_JOINT_MAX);
    scene_joints(s, number, body, joints);
    memcpy(out, joints, count * sizeof *out);
}

/* The triangles of a frame, and which of the scene's they are. */
static void list_there(const scene_body *body, uint32_t number, clip_mesh *out)
{
    out->triangle_count = 0;
    for (uint32_t t = 0; t < body->triangle_count; t++) {
        if (!scene_has_triangle(body, t, number)) continue;
        memcpy(out->indices + 3 * (size_t)out->triangle_count, body->indices + 3 * (size_t)t,
               3 * sizeof *out->indices);
        out->faces[out->triangle_count++] = t;
    }
}

static bool scene_clip_read(const clip *c, uint32_t first_body, const void *data, clip_frame *frame,
                            void **kept, io_error *error)
{
    const scene *s = data;
    const uint32_t number = scene_frame_number(s, frame->time);
    if (*kept == NULL) *kept = make_kept(c, s);
    if (*kept == NULL) return io_fail_memory(error);
    for (uint32_t i = 0; i < s->body_count; i++) {
        const clip_motion motion = c->bodies[first_body + i].motion;
        clip_state *state = &frame->bodies[first_body + i];
        if (motion == CLIP_RIGID || motion == CLIP_MORPH) scene_pose(s, number, i, &state->pose);
        if (motion == CLIP_MORPH) read_weights(s, number, i, state->weights);
        if (motion == CLIP_SKIN) {
            const uint32_t joints = c->bodies[first_body + i].skin.joint_count;
            read_joints(s, number, i, joints, state->joints);
        }
        if (motion != CLIP_FRAMES) continue;
        float *positions = ((scene_frame *)*kept)->positions[i];
        scene_positions(s, number, i, positions);
        state->positions = positions;
        if (s->bodies[i].lives == NULL) continue;
        clip_mesh *mesh = &((scene_frame *)*kept)->meshes[i];
        list_there(&s->bodies[i], number, mesh);
        mesh->positions = positions;
        state->mesh = mesh;
    }
    return true;
}

static const clip_source scene_source = {.read = scene_clip_read, .forget = scene_clip_forget};

/* ---- bodies ---- */

static clip_motion motion_of(const scene *s, uint32_t body)
{
    if (s->bodies[body].is_rigid) return s->kind->pose != NULL ? CLIP_RIGID : CLIP_STILL;
    if (s->bodies[body].motion == SCENE_SKIN) return CLIP_SKIN;
    const bool morphs = s->bodies[body].motion == SCENE_MORPH && scene_has_offsets(s);
    return morphs && scene_reference_count(s) > 1 ? CLIP_MORPH : CLIP_FRAMES;
}

static bool fill_mesh(clip *c, const scene *s, uint32_t number, clip_body *body)
{
    const scene_body *from = &s->bodies[number];
    clip_mesh *mesh = &body->mesh;
    const uint64_t corners = 3 * (uint64_t)from->triangle_count;
    const uint64_t values = 3 * (uint64_t)from->vertex_count;
    mesh->vertex_count = from->vertex_count;
    mesh->triangle_count = from->triangle_count;
    mesh->positions = io_alloc(c->memory, values, sizeof *mesh->positions);
    mesh->indices = io_alloc(c->memory, corners, sizeof *mesh->indices);
    if (mesh->positions == NULL || mesh->indices == NULL) return false;
    if (from->lives != NULL) {
        mesh->faces = io_alloc(c->memory, from->triangle_count, sizeof *mesh->faces);
        if (mesh->faces == NULL) return false;
        list_there(from, 0, mesh);
    } else if (corners > 0) {
        memcpy(mesh->indices, from->indices, corners * sizeof *mesh->indices);
    }
    if (values == 0) return true;
    if (body->motion == CLIP_MORPH || body->motion == CLIP_SKIN) {
        memcpy(mesh->positions, scene_reference(s, number, 0), values * sizeof *mesh->positions);
    } else {
        scene_rest(s, number, mesh->positions);
    }
    return true;
}

static bool fill_morph(clip *c, const scene *s, uint32_t number, clip_body *body)
{
    const uint64_t values = 3 * (uint64_t)body->mesh.vertex_count;
    clip_morph *morph = &body->morph;
    const uint32_t count = scene_reference_count(s) - 1;
    morph->offsets = io_alloc(c->memory, count, sizeof *morph->offsets);
    if (morph->offsets == NULL) return false;
    morph->target_count = count;
    for (uint32_t t = 0; t < count; t++) {
        morph->offsets[t] = io_alloc(c->memory, values, sizeof **morph->offsets);
        if (morph->offsets[t] == NULL) return false;
        memcpy(morph->offsets[t], scene_reference(s, number, t + 1),
               values * sizeof **morph->offsets);
    }
    return true;
}

/* Joints of a vertex rise in clips; weights of 0 are none there. */
static void add_influence(clip_skin *skin, uint32_t begin, uint32_t *used, uint32_t joint,
                          float weight)
{
    if (weight == 0) return;
    uint32_t at = (*used)++;
    for (; at > begin && skin->joints[at - 1] > joint; at--) {
        skin->joints[at] = skin->joints[at - 1];
        skin->weights[at] = skin->weights[at - 1];
    }
    assert(at == begin || skin->joints[at - 1] < joint);
    skin->joints[at] = joint;
    skin->weights[at] = weight;
}

static bool fill_skin(clip *c, const scene *s, uint32_t number, clip_body *body)
{
    const willow_skin from = scene_skin(s, number);
    const uint32_t vertices = body->mesh.vertex_count, each = from.weights_per_vertex;
    clip_skin *skin = &body->skin;
    uint32_t used = 0;
    skin->joint_count = from.joint_count;
    skin->first = io_alloc(c->memory, (uint64_t)vertices + 1, sizeof *skin->first);
    skin->joints = io_alloc(c->memory, (uint64_t)vertices * each, sizeof *skin->joints);
    skin->weights = io_alloc(c->memory, (uint64_t)vertices * each, sizeof *skin->weights);
    skin->inverse_bind = io_alloc(c->memory, from.joint_count, sizeof *skin->inverse_bind);
    if (skin->first == NULL || skin->joints == NULL || skin->weights == NULL ||
        skin->inverse_bind == NULL) {
        return false;
    }
    memcpy(skin->inverse_bind, from.inverse_bind, from.joint_count * sizeof *skin->inverse_bind);
    for (uint32_t v = 0; v < vertices; v++) {
        for (size_t i = (size_t)v * each; i < ((size_t)v + 1) * each; i++) {
            add_influence(skin, skin->first[v], &used, from.joints[i], from.weights[i]);
        }
        skin->first[v + 1] = used;
    }
    return true;
}

/* "body 7", unless the scene has a name for it. */
static clip_body *add_named(clip *c, const scene *s, uint32_t number)
{
    char name[24];
    const char *const *names = s->kind->body_names;
    for (uint32_t i = 0; names != NULL && names[i] != NULL; i++) {
        if (i == number) return clip_add_body(c, names[i]);
    }
    snprintf(name, sizeof name, "body %u", number + 1);
    return clip_add_body(c, name);
}

static bool fill_bodies(clip *c, const scene *s)
{
    for (uint32_t i = 0; i < s->body_count; i++) {
        clip_body *body = add_named(c, s, i);
        if (body == NULL) return false;
        body->motion = motion_of(s, i);
        if (!fill_mesh(c, s, i, body)) return false;
        if (body->motion == CLIP_MORPH && !fill_morph(c, s, i, body)) return false;
        if (body->motion == CLIP_SKIN && !fill_skin(c, s, i, body)) return false;
    }
    return true;
}

static bool fill_keys(clip *c, const scene *s)
{
    double *times = io_alloc(c->memory, s->frame_count, sizeof *times);
    if (times == NULL) return false;
    for (uint32_t i = 0; i < s->frame_count; i++) times[i] = (double)i / SCENE_CLIP_FPS;
    const bool fine = clip_add_keys(c, times, s->frame_count);
    io_free(c->memory, times);
    return fine;
}

clip *scene_clip_create(const scene *s, io_error *error)
{
    clip_options options = clip_options_default();
    options.memory_limit = UINT64_MAX; /* nobody else wrote it */
    clip *c = clip_create(&options);
    if (c == NULL) {
        io_fail_memory(error);
        return NULL;
    }
    c->fps = SCENE_CLIP_FPS;
    c->is_sampled = true;
    if (!fill_bodies(c, s) || !fill_keys(c, s) || !clip_add_part(c, 0, &scene_source, (void *)s)) {
        io_fail_memory(error);
    } else if (clip_finish(c, s->kind->name, error)) {
        return c;
    }
    clip_close(c);
    return NULL;
}
