/* clip.c - frames of a clip: where its bodies are at a time, and the formulas of their motions.
 * Way in: clip_frame_read, clip_positions. */
#include "io/clip.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "io/clip_build.h"

clip_options clip_options_default(void)
{
    return (clip_options){.memory_limit = UINT64_C(4) << 30};
}

double clip_first_time(const clip *c)
{
    assert(c->key_count > 0); /* it is finished */
    return c->keys[0];
}

double clip_last_time(const clip *c)
{
    assert(c->key_count > 0);
    return c->keys[c->key_count - 1];
}

/* ---- frames ---- */

static bool make_state(const clip *c, const clip_body *body, clip_state *state)
{
    state->mesh = &body->mesh;
    state->pose = (willow_pose){.rotation = {0, 0, 0, 1}};
    if (body->morph.target_count > 0) {
        state->weights = io_alloc(c->memory, body->morph.target_count, sizeof *state->weights);
        if (state->weights == NULL) return false;
    }
    if (body->motion == CLIP_SKIN) {
        state->joints = io_alloc(c->memory, body->skin.joint_count, sizeof *state->joints);
        if (state->joints == NULL) return false;
    }
    return true;
}

static bool make_states(const clip *c, clip_frame *frame)
{
    frame->kept = io_alloc(c->memory, c->part_count, sizeof *frame->kept);
    frame->bodies = io_alloc(c->memory, c->body_count, sizeof *frame->bodies);
    if (frame->kept == NULL || frame->bodies == NULL) return false;
    for (uint32_t i = 0; i < c->body_count; i++)
        if (!make_state(c, &c->bodies[i], &frame->bodies[i])) return false;
    return true;
}

clip_frame *clip_frame_create(const clip *c)
{
    clip_frame *frame = io_alloc(c->memory, 1, sizeof *frame);
    if (frame == NULL || make_states(c, frame)) return frame;
    clip_frame_destroy(c, frame);
    return NULL;
}

static void forget(const clip *c, clip_frame *frame)
{
    for (uint32_t i = 0; i < c->part_count; i++) {
        const clip_part *part = &c->parts[i];
        if (frame->kept[i] != NULL && part->source->forget != NULL)
            part->source->forget(c, part->data, frame->kept[i]);
    }
}

void clip_frame_destroy(const clip *c, clip_frame *frame)
{
    if (frame == NULL) return;
    if (frame->kept != NULL) forget(c, frame);
    for (uint32_t i = 0; frame->bodies != NULL && i < c->body_count; i++) {
        io_free(c->memory, frame->bodies[i].weights);
        io_free(c->memory, frame->bodies[i].joints);
    }
    io_free(c->memory, frame->bodies);
    io_free(c->memory, frame->kept);
    io_free(c->memory, frame);
}

bool clip_frame_read(const clip *c, double time, clip_frame *frame, io_error *error)
{
    assert(!isnan(time));
    frame->time = fmin(fmax(time, clip_first_time(c)), clip_last_time(c));
    for (uint32_t i = 0; i < c->part_count; i++) {
        const clip_part *part = &c->parts[i];
        if (part->source->read == NULL) continue;
        if (!part->source->read(c, part->first_body, part->data, frame, &frame->kept[i], error))
            return false;
    }
    return true;
}

/* ---- positions ---- */

void clip_pose_matrix(const willow_pose *pose, double m[12])
{
    const willow_quat *q = &pose->rotation;
    const double x = q->x, y = q->y, z = q->z, w = q->w;
    const double s = 2 / (x * x + y * y + z * z + w * w);
    const double rows[12] = {
        1 - s * (y * y + z * z), s * (x * y - z * w),     s * (x * z + y * w),
        pose->translation.x,     s * (x * y + z * w),     1 - s * (x * x + z * z),
        s * (y * z - x * w),     pose->translation.y,     s * (x * z - y * w),
        s * (y * z + x * w),     1 - s * (x * x + y * y), pose->translation.z};
    memcpy(m, rows, sizeof rows);
}

static void move_point(const double m[12], const double p[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = m[4 * i] * p[0] + m[4 * i + 1] * p[1] + m[4 * i + 2] * p[2] + m[4 * i + 3];
}

/* The vertex of the mesh plus offsets times weights. */
static void blend(const clip_body *body, const float *weights, uint32_t v, double out[3])
{
    for (int k = 0; k < 3; k++) out[k] = body->mesh.positions[3 * (size_t)v + (size_t)k];
    for (uint32_t t = 0; t < body->morph.target_count; t++) {
        const float *offset = &body->morph.offsets[t][3 * (size_t)v];
        for (int k = 0; k < 3; k++) out[k] += (double)weights[t] * offset[k];
    }
}

static void skin(const clip_skin *s, double (*const joints)[12], uint32_t v, double p[3])
{
    double sum[3] = {0}, total = 0;
    for (uint32_t i = s->first[v]; i < s->first[v + 1]; i++) {
        double bound[3], moved[3];
        move_point(s->inverse_bind[s->joints[i]], p, bound);
        move_point(joints[s->joints[i]], bound, moved);
        for (int k = 0; k < 3; k++) sum[k] += (double)s->weights[i] * moved[k];
        total += s->weights[i];
    }
    assert(total > 0);
    for (int k = 0; k < 3; k++) p[k] = sum[k] / total;
}

static void put(const double p[3], float *out)
{
    for (int k = 0; k < 3; k++) out[k] = (float)p[k];
}

static void move_morph(const clip_body *body, const clip_state *state, float *out)
{
    double m[12], p[3], moved[3];
    clip_pose_matrix(&state->pose, m);
    for (uint32_t v = 0; v < body->mesh.vertex_count; v++) {
        blend(body, state->weights, v, p);
        move_point(m, p, moved);
        put(moved, out + 3 * (size_t)v);
    }
}

static void move_skin(const clip_body *body, const clip_state *state, float *out)
{
    double p[3];
    for (uint32_t v = 0; v < body->mesh.vertex_count; v++) {
        blend(body, state->weights, v, p);
        skin(&body->skin, state->joints, v, p);
        put(p, out + 3 * (size_t)v);
    }
}

void clip_skin_at_rest(const clip *c, const clip_frame *frame, uint32_t body, float *xyz_out)
{
    static const double one[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    assert(body < c->body_count && c->bodies[body].motion == CLIP_SKIN);
    const clip_body *b = &c->bodies[body];
    const bool is_single = b->skin.joint_count == 1;
    const double *bind = is_single ? b->skin.inverse_bind[0] : one;
    const double *move =
        is_single ? frame->bodies[body].joints[0] : (b->skin.rest != NULL ? *b->skin.rest : one);
    for (size_t i = 0; i < 3 * (size_t)b->mesh.vertex_count; i += 3) {
        const float *from = b->mesh.positions + i;
        const double p[3] = {(double)from[0], (double)from[1], (double)from[2]};
        double bound[3], moved[3];
        move_point(bind, p, bound);
        move_point(move, bound, moved);
        put(moved, xyz_out + i);
    }
}

void clip_positions(const clip *c, const clip_frame *frame, uint32_t body, float *xyz_out)
{
    assert(body < c->body_count);
    const clip_body *b = &c->bodies[body];
    const clip_state *state = &frame->bodies[body];
    assert(state->mesh == &b->mesh || b->motion == CLIP_FRAMES);
    const size_t bytes = (size_t)state->mesh->vertex_count * 3 * sizeof(float);
    switch (b->motion) {
    case CLIP_STILL:
        if (bytes > 0) memcpy(xyz_out, b->mesh.positions, bytes);
        break;
    case CLIP_FRAMES:
        if (bytes > 0) memcpy(xyz_out, state->positions, bytes);
        break;
    case CLIP_RIGID: /* no offsets, so that it is the pose alone */
    case CLIP_MORPH: move_morph(b, state, xyz_out); break;
    case CLIP_SKIN: move_skin(b, state, xyz_out); break;
    }
}
