/* clip_sound.c - what readers promise, looked at. */
#include "support/clip_sound.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *mesh_unsound(const clip *c, const clip_mesh *mesh)
{
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++)
        if (mesh->indices[i] >= mesh->vertex_count) return "an index out of range";
    for (uint32_t i = 0; mesh->materials != NULL && i < mesh->triangle_count; i++)
        if (mesh->materials[i] >= c->material_count) return "a material out of range";
    return NULL;
}

static const char *numbers_unsound(const float *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(numbers[i])) return "a number that is none";
    return NULL;
}

static const char *vertex_unsound(const clip_skin *s, uint32_t v)
{
    if (s->first[v + 1] <= s->first[v]) return "a vertex without joints";
    for (uint32_t i = s->first[v]; i < s->first[v + 1]; i++) {
        if (s->joints[i] >= s->joint_count) return "a joint out of range";
        if (i > s->first[v] && s->joints[i] <= s->joints[i - 1]) return "joints that do not rise";
        if (!(s->weights[i] > 0) || !isfinite(s->weights[i])) return "a weight that is none";
    }
    return NULL;
}

static const char *skin_unsound(const clip_skin *s, uint32_t vertex_count)
{
    const char *wrong = s->joint_count == 0 || s->first[0] != 0 ? "a skin without joints" : NULL;
    for (uint32_t v = 0; wrong == NULL && v < vertex_count; v++) wrong = vertex_unsound(s, v);
    for (uint32_t j = 0; j < s->joint_count; j++)
        for (int k = 0; k < 12; k++)
            if (!isfinite(s->inverse_bind[j][k])) return "an inverse bind matrix that is none";
    return wrong;
}

static const char *body_unsound(const clip *c, const clip_body *b)
{
    const size_t floats = 3 * (size_t)b->mesh.vertex_count;
    const char *wrong = mesh_unsound(c, &b->mesh);
    if (wrong == NULL && b->motion != CLIP_FRAMES)
        wrong = numbers_unsound(b->mesh.positions, floats);
    for (uint32_t i = 0; wrong == NULL && i < b->morph.target_count; i++)
        wrong = numbers_unsound(b->morph.offsets[i], floats);
    if (wrong != NULL) return wrong;
    if (b->name == NULL) return "a body without a name";
    if (b->motion == CLIP_MORPH && b->morph.target_count == 0) return "a morph without targets";
    if (b->morph.target_count > 0 && b->motion != CLIP_MORPH && b->motion != CLIP_SKIN)
        return "targets without a morph";
    return b->motion == CLIP_SKIN ? skin_unsound(&b->skin, b->mesh.vertex_count) : NULL;
}

static bool has_name_twice(const clip *c)
{
    for (uint32_t i = 0; i < c->body_count && i < 100; i++)
        for (uint32_t k = 0; k < i; k++)
            if (strcmp(c->bodies[i].name, c->bodies[k].name) == 0) return true;
    return false;
}

const char *clip_unsound(const clip *c)
{
    if (c->body_count == 0 || c->key_count == 0) return "a clip of nothing";
    for (uint32_t i = 0; i < c->body_count; i++) {
        const char *wrong = body_unsound(c, &c->bodies[i]);
        if (wrong != NULL) return wrong;
    }
    if (has_name_twice(c)) return "a name twice";
    for (uint32_t i = 0; i < c->key_count; i++)
        if (!isfinite(c->keys[i]) || (i > 0 && c->keys[i] <= c->keys[i - 1]))
            return "keys that do not rise";
    return NULL;
}

static const char *state_unsound(const clip *c, const clip_body *b, const clip_state *s)
{
    const float pose[7] = {s->pose.translation.x, s->pose.translation.y, s->pose.translation.z,
                           s->pose.rotation.x,    s->pose.rotation.y,    s->pose.rotation.z,
                           s->pose.rotation.w};
    if (b->motion == CLIP_FRAMES) {
        const char *wrong = mesh_unsound(c, s->mesh);
        return wrong ? wrong : numbers_unsound(s->positions, 3 * (size_t)s->mesh->vertex_count);
    }
    if (s->mesh != &b->mesh) return "another mesh";
    if (b->morph.target_count > 0 && numbers_unsound(s->weights, b->morph.target_count) != NULL)
        return "a weight of a target that is none";
    for (uint32_t j = 0; b->motion == CLIP_SKIN && j < b->skin.joint_count; j++)
        for (int k = 0; k < 12; k++)
            if (!isfinite(s->joints[j][k])) return "a joint that is none";
    return numbers_unsound(pose, 7);
}

const char *clip_frame_unsound(const clip *c, const clip_frame *frame)
{
    if (!(frame->time >= clip_first_time(c) && frame->time <= clip_last_time(c)))
        return "a time beyond the clip";
    for (uint32_t i = 0; i < c->body_count; i++) {
        const char *wrong = state_unsound(c, &c->bodies[i], &frame->bodies[i]);
        if (wrong != NULL) return wrong;
        float *xyz = malloc(3 * sizeof *xyz * (frame->bodies[i].mesh->vertex_count + 1));
        clip_positions(c, frame, i, xyz);
        free(xyz);
    }
    return NULL;
}
