/* gltf_write.c - GLB files from clips: samples are collected frame by frame, then written at once.
 * Way in: gltf_write. */
#include "io/gltf_write.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "io/gltf_decompose.h"
#include "io/io_memory.h"

/* Where one body is at all times. */
typedef struct body_samples {
    float *poses;         /* translation and rotation, seven each; NULL: none */
    float *weights;       /* by time, then target */
    double (*joints)[12]; /* by time, then joint */
    clip_mesh *meshes;    /* FRAMES: by time, with positions of their own; triangles only if they
                             are others than those of the body */
    bool has_changes;     /* of triangles */
} body_samples;

typedef struct writer {
    const clip *c;
    io_memory *memory;
    io_error *error;
    const char *path;
    const double *times;
    uint32_t time_count;
    body_samples *samples; /* by body */
    uint32_t time_accessor;

    uint8_t *bin;
    uint64_t bin_size, bin_room;
    bool has_lost; /* JSON, for want of memory */
    json_t *root, *nodes, *meshes, *skins, *accessors, *views, *channels, *samplers, *scene;
} writer;

static bool fail_memory(writer *w) { return io_memory_fail(w->memory, w->error, w->path); }

/* JSON that could not be made is noticed before the file is written. */
static void append(writer *w, json_t *list, json_t *value)
{
    if (json_array_append_new(list, value) != 0) w->has_lost = true;
}

static void set_member(writer *w, json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0) w->has_lost = true;
}

/* A name as JSON has it: of what is no UTF-8, as names of some formats are not, ASCII stays. */
static json_t *make_named(const char *name)
{
    char ascii[200] = "";
    json_t *text = json_string(name);
    for (size_t i = 0; text == NULL && i + 1 < sizeof ascii && name[i] != '\0'; i++)
        ascii[i] = (unsigned char)name[i] < 0x80 ? name[i] : '?';
    return json_pack("{s:o}", "name", text != NULL ? text : json_string(ascii));
}

/* ---- samples ---- */

static bool allocate_samples(writer *w, uint32_t body)
{
    const clip_body *b = &w->c->bodies[body];
    body_samples *s = &w->samples[body];
    const uint64_t n = w->time_count;
    if (b->motion == CLIP_RIGID || b->motion == CLIP_MORPH)
        if ((s->poses = io_alloc(w->memory, 7 * n, sizeof *s->poses)) == NULL) return false;
    if (b->morph.target_count > 0) {
        s->weights = io_alloc(w->memory, n * b->morph.target_count, sizeof *s->weights);
        if (s->weights == NULL) return false;
    }
    if (b->motion == CLIP_SKIN) {
        s->joints = io_alloc(w->memory, n * b->skin.joint_count, sizeof *s->joints);
        if (s->joints == NULL) return false;
    }
    if (b->motion == CLIP_FRAMES)
        if ((s->meshes = io_alloc(w->memory, n, sizeof *s->meshes)) == NULL) return false;
    return true;
}

static bool copy_frame(writer *w, const clip_body *b, const clip_state *state, body_samples *s,
                       clip_mesh *out)
{
    const clip_mesh *mesh = state->mesh;
    const uint64_t floats = 3 * (uint64_t)mesh->vertex_count;
    out->positions = io_alloc(w->memory, floats, sizeof *out->positions);
    if (out->positions == NULL) return false;
    if (floats > 0) memcpy(out->positions, state->positions, (size_t)floats * sizeof(float));
    out->vertex_count = mesh->vertex_count;
    out->triangle_count = mesh->triangle_count;
    if (mesh == &b->mesh) return true;
    s->has_changes = true;
    out->indices = io_alloc(w->memory, 3 * (uint64_t)mesh->triangle_count, sizeof *out->indices);
    if (out->indices == NULL) return false;
    if (mesh->triangle_count > 0)
        memcpy(out->indices, mesh->indices, 3 * sizeof(uint32_t) * mesh->triangle_count);
    return true;
}

static bool copy_state(writer *w, uint32_t body, uint32_t time, const clip_state *state)
{
    const clip_body *b = &w->c->bodies[body];
    body_samples *s = &w->samples[body];
    if (s->poses != NULL) {
        const willow_vec3 *t = &state->pose.translation;
        const willow_quat *q = &state->pose.rotation;
        const float pose[7] = {t->x, t->y, t->z, q->x, q->y, q->z, q->w};
        memcpy(s->poses + 7 * (size_t)time, pose, sizeof pose);
    }
    if (s->weights != NULL)
        memcpy(s->weights + (size_t)time * b->morph.target_count, state->weights,
               b->morph.target_count * sizeof *s->weights);
    if (s->joints != NULL)
        memcpy(s->joints + (size_t)time * b->skin.joint_count, state->joints,
               b->skin.joint_count * sizeof *s->joints);
    return s->meshes == NULL || copy_frame(w, b, state, s, &s->meshes[time]);
}

static bool read_samples(writer *w, clip_frame *frame)
{
    for (uint32_t t = 0; t < w->time_count; t++) {
        if (!clip_frame_read(w->c, w->times[t], frame, w->error)) return false;
        for (uint32_t i = 0; i < w->c->body_count; i++)
            if (!copy_state(w, i, t, &frame->bodies[i])) return fail_memory(w);
    }
    return true;
}

static bool collect_samples(writer *w)
{
    clip_frame *frame = clip_frame_create(w->c);
    w->samples = io_alloc(w->memory, w->c->body_count, sizeof *w->samples);
    bool is_read = frame != NULL && w->samples != NULL;
    for (uint32_t i = 0; is_read && i < w->c->body_count; i++) is_read = allocate_samples(w, i);
    is_read = is_read ? read_samples(w, frame) : fail_memory(w);
    clip_frame_destroy(w->c, frame);
    return is_read;
}

static void free_samples(writer *w)
{
    for (uint32_t i = 0; w->samples != NULL && i < w->c->body_count; i++) {
        body_samples *s = &w->samples[i];
        for (uint32_t t = 0; s->meshes != NULL && t < w->time_count; t++) {
            io_free(w->memory, s->meshes[t].positions);
            io_free(w->memory, s->meshes[t].indices);
        }
        io_free(w->memory, s->poses);
        io_free(w->memory, s->weights);
        io_free(w->memory, s->joints);
        io_free(w->memory, s->meshes);
    }
    io_free(w->memory, w->samples);
}

/* ---- accessors ---- */

/* Room for bytes at the end of the binary chunk, at a multiple of four. */
static uint8_t *add_bytes(writer *w, uint64_t size)
{
    const uint64_t at = w->bin_size, end = at + (size + 3) / 4 * 4;
    if (end > w->bin_room) {
        const uint64_t room = end + end / 2;
        uint8_t *grown = io_grow(w->memory, w->bin, room, 1);
        if (grown == NULL) return NULL;
        w->bin = grown;
        w->bin_room = room;
    }
    w->bin_size = end;
    return w->bin + at;
}

static void put_little(uint8_t *at, uint32_t bits, int bytes)
{
    for (int i = 0; i < bytes; i++) at[i] = (uint8_t)(bits >> 8 * i);
}

/* Describes the last `size` bytes that were added; the accessor's number. */
static uint32_t add_accessor(writer *w, uint64_t size, int component, uint64_t count,
                             const char *type)
{
    const uint64_t offset = w->bin_size - (size + 3) / 4 * 4;
    append(w, w->views,
           json_pack("{s:i,s:I,s:I}", "buffer", 0, "byteOffset", (json_int_t)offset, "byteLength",
                     (json_int_t)size));
    append(w, w->accessors,
           json_pack("{s:I,s:i,s:I,s:s}", "bufferView", (json_int_t)json_array_size(w->views) - 1,
                     "componentType", component, "count", (json_int_t)count, "type", type));
    return (uint32_t)json_array_size(w->accessors) - 1;
}

enum { NONE = -1, U16 = 5123, U32 = 5125, F32 = 5126 };

static bool add_floats(writer *w, const float *values, uint64_t count, uint32_t width,
                       uint32_t *number)
{
    static const char *const types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    const uint64_t size = count * width * sizeof *values;
    uint8_t *at = add_bytes(w, size);
    if (at == NULL) return fail_memory(w);
    for (uint64_t i = 0; i < count * width; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        put_little(at + 4 * i, bits, 4);
    }
    *number = add_accessor(w, size, F32, count, width == 16 ? "MAT4" : types[width]);
    return true;
}

/* The same with the least and the greatest of each number of an element, which positions and times
 * must have. */
static bool add_bounded(writer *w, const float *values, uint64_t count, uint32_t width,
                        uint32_t *number)
{
    if (!add_floats(w, values, count, width, number)) return false;
    json_t *accessor = json_array_get(w->accessors, *number);
    json_t *min = json_array(), *max = json_array();
    for (uint32_t k = 0; k < width; k++) {
        float lower = values[k], upper = values[k];
        for (uint64_t i = 1; i < count; i++) {
            lower = fminf(lower, values[i * width + k]);
            upper = fmaxf(upper, values[i * width + k]);
        }
        append(w, min, json_real(lower));
        append(w, max, json_real(upper));
    }
    set_member(w, accessor, "min", min);
    set_member(w, accessor, "max", max);
    return true;
}

/* ---- meshes ---- */

/* Corners of the triangles of one material, or of all where `material` is NONE. */
static bool add_indices(writer *w, const clip_mesh *mesh, const uint32_t *indices, int material,
                        uint32_t *number)
{
    uint64_t count = 0;
    const bool is_small = mesh->vertex_count < UINT16_MAX;
    const int bytes = is_small ? 2 : 4;
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        if (material == NONE || mesh->materials[t] == material) count += 3;
    uint8_t *at = add_bytes(w, count * (uint64_t)bytes);
    if (at == NULL) return fail_memory(w);
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        if (material != NONE && mesh->materials[t] != material) continue;
        for (int k = 0; k < 3; k++, at += bytes)
            put_little(at, indices[3 * (size_t)t + (size_t)k], bytes);
    }
    *number = add_accessor(w, count * (uint64_t)bytes, is_small ? U16 : U32, count, "SCALAR");
    return true;
}

static bool add_primitive(writer *w, const clip_mesh *mesh, const uint32_t *indices, int material,
                          json_t *attributes, json_t *targets, json_t *list)
{
    uint32_t number = 0;
    if (!add_indices(w, mesh, indices, material, &number)) return false;
    json_t *primitive =
        json_pack("{s:O,s:I}", "attributes", attributes, "indices", (json_int_t)number);
    if (material != NONE) set_member(w, primitive, "material", json_integer(material));
    if (targets != NULL) set_member(w, primitive, "targets", json_incref(targets));
    append(w, list, primitive);
    return true;
}

/* One primitive for each material that has triangles. They share attributes and targets, which are
 * taken; the mesh's number. */
static bool add_mesh(writer *w, const clip_mesh *mesh, const uint32_t *indices, json_t *attributes,
                     json_t *targets, uint32_t *number)
{
    bool is_added = true;
    json_t *list = json_array();
    if (mesh->materials == NULL)
        is_added = add_primitive(w, mesh, indices, NONE, attributes, targets, list);
    for (uint32_t m = 0; is_added && mesh->materials != NULL && m < w->c->material_count; m++) {
        bool is_used = false;
        for (uint32_t t = 0; !is_used && t < mesh->triangle_count; t++)
            is_used = mesh->materials[t] == m;
        if (is_used) is_added = add_primitive(w, mesh, indices, (int)m, attributes, targets, list);
    }
    json_decref(attributes);
    json_decref(targets);
    *number = (uint32_t)json_array_size(w->meshes);
    append(w, w->meshes, json_pack("{s:o}", "primitives", list));
    return is_added;
}

static bool add_target(writer *w, const float *offsets, uint32_t vertex_count, json_t *targets)
{
    uint32_t number = 0;
    if (!add_bounded(w, offsets, vertex_count, 3, &number)) return false;
    append(w, targets, json_pack("{s:I}", "POSITION", (json_int_t)number));
    return true;
}

/* ---- nodes and channels ---- */

static uint32_t add_node(writer *w, const char *name, json_t *parent_list)
{
    const uint32_t number = (uint32_t)json_array_size(w->nodes);
    append(w, w->nodes, make_named(name));
    append(w, parent_list, json_integer(number));
    return number;
}

static bool is_constant(const float *values, uint32_t count, uint32_t width)
{
    for (size_t i = width; i < (size_t)count * width; i++)
        if (values[i] != values[i % width]) return false;
    return true;
}

/* A member of the node from the first of the values and, if they change, a channel. */
static bool animate(writer *w, uint32_t node, const char *path, const float *values, uint32_t width,
                    const char *way)
{
    uint32_t output = 0;
    const bool is_weights = strcmp(path, "weights") == 0;
    json_t *rest = json_array();
    for (uint32_t k = 0; k < width; k++) append(w, rest, json_real(values[k]));
    set_member(w, json_array_get(w->nodes, node), path, rest);
    if (is_constant(values, w->time_count, width)) return true;
    const uint64_t count = (uint64_t)w->time_count * (is_weights ? width : 1);
    if (!add_floats(w, values, count, is_weights ? 1 : width, &output)) return false;
    append(w, w->channels,
           json_pack("{s:I,s:{s:I,s:s}}", "sampler", (json_int_t)json_array_size(w->samplers),
                     "target", "node", (json_int_t)node, "path", path));
    append(w, w->samplers,
           json_pack("{s:I,s:I,s:s}", "input", (json_int_t)w->time_accessor, "output",
                     (json_int_t)output, "interpolation", way));
    return true;
}

/* `width` numbers of every time, out of records of `stride`. */
static bool animate_part(writer *w, uint32_t node, const char *path, const float *records,
                         uint32_t stride, uint32_t width)
{
    float *values = io_alloc(w->memory, (uint64_t)w->time_count * width, sizeof *values);
    if (values == NULL) return fail_memory(w);
    for (uint32_t t = 0; t < w->time_count; t++)
        memcpy(values + (size_t)t * width, records + (size_t)t * stride, width * sizeof *values);
    const bool is_added = animate(w, node, path, values, width, "LINEAR");
    io_free(w->memory, values);
    return is_added;
}

/* ---- bodies of one mesh ---- */

static bool add_positions(writer *w, const clip_body *b, json_t **attributes)
{
    uint32_t number = 0;
    if (!add_bounded(w, b->mesh.positions, b->mesh.vertex_count, 3, &number)) return false;
    *attributes = json_pack("{s:I}", "POSITION", (json_int_t)number);
    return true;
}

static bool add_targets(writer *w, const clip_body *b, json_t **targets)
{
    *targets = b->morph.target_count > 0 ? json_array() : NULL;
    for (uint32_t i = 0; i < b->morph.target_count; i++)
        if (!add_target(w, b->morph.offsets[i], b->mesh.vertex_count, *targets)) return false;
    return true;
}

/* Four joints and weights of every vertex, the set-th four that it has. */
static bool add_joint_set(writer *w, const clip_body *b, uint32_t set, json_t *attributes)
{
    const clip_skin *s = &b->skin;
    const uint64_t count = b->mesh.vertex_count;
    char name[32];
    float *weights = io_alloc(w->memory, 4 * count, sizeof *weights);
    uint8_t *joints = weights == NULL ? NULL : add_bytes(w, 8 * count);
    if (joints == NULL) {
        io_free(w->memory, weights);
        return fail_memory(w);
    }
    for (uint32_t v = 0; v < count; v++) {
        double sum = 0;
        for (uint32_t i = s->first[v]; i < s->first[v + 1]; i++) sum += s->weights[i];
        for (uint32_t k = 0; k < 4; k++) {
            const uint32_t i = s->first[v] + 4 * set + k;
            const bool is_there = i < s->first[v + 1];
            put_little(joints + 8 * (size_t)v + 2 * k, is_there ? s->joints[i] : 0, 2);
            weights[4 * (size_t)v + k] = is_there ? (float)(s->weights[i] / sum) : 0;
        }
    }
    const uint32_t joint_accessor = add_accessor(w, 8 * count, U16, count, "VEC4");
    uint32_t weight_accessor = 0;
    const bool is_added = add_floats(w, weights, count, 4, &weight_accessor);
    io_free(w->memory, weights);
    if (!is_added) return false;
    (void)snprintf(name, sizeof name, "JOINTS_%u", set);
    set_member(w, attributes, name, json_integer(joint_accessor));
    (void)snprintf(name, sizeof name, "WEIGHTS_%u", set);
    set_member(w, attributes, name, json_integer(weight_accessor));
    return true;
}

static bool add_joint_sets(writer *w, const clip_body *b, json_t *attributes)
{
    uint32_t most = 0;
    for (uint32_t v = 0; v < b->mesh.vertex_count; v++) {
        const uint32_t count = b->skin.first[v + 1] - b->skin.first[v];
        if (count > most) most = count;
    }
    for (uint32_t set = 0; 4 * set < most; set++)
        if (!add_joint_set(w, b, set, attributes)) return false;
    return true;
}

/* The mesh of a body in its frame, with targets and joints where it has them. */
static bool add_body_mesh(writer *w, const clip_body *b, uint32_t *number)
{
    json_t *attributes = NULL, *targets = NULL;
    if (add_positions(w, b, &attributes) && add_targets(w, b, &targets) &&
        (b->motion != CLIP_SKIN || add_joint_sets(w, b, attributes)))
        return add_mesh(w, &b->mesh, b->mesh.indices, attributes, targets, number);
    json_decref(attributes);
    json_decref(targets);
    return false;
}

/* ---- skins ---- */

/* What one joint does at all times, as nodes can: an outer one that shifts, turns and scales, and
 * an inner one that turns before that. */
typedef struct joint_tracks {
    float *translation, *rotation, *scale, *inner;
    bool has_inner;
} joint_tracks;

static void fill_tracks(writer *w, const clip_body *b, const body_samples *s, uint32_t joint,
                        joint_tracks *out)
{
    out->has_inner = false;
    for (uint32_t t = 0; t < w->time_count; t++) {
        const double *m = s->joints[(size_t)t * b->skin.joint_count + joint];
        out->has_inner = out->has_inner || gltf_is_sheared(m);
    }
    for (uint32_t t = 0; t < w->time_count; t++) {
        gltf_transform parts;
        gltf_decompose(s->joints[(size_t)t * b->skin.joint_count + joint], out->has_inner, &parts);
        for (int k = 0; k < 3; k++) {
            out->translation[3 * (size_t)t + (size_t)k] = (float)parts.translation[k];
            out->scale[3 * (size_t)t + (size_t)k] = (float)parts.scale[k];
        }
        for (int k = 0; k < 4; k++) {
            out->rotation[4 * (size_t)t + (size_t)k] = (float)parts.rotation[k];
            out->inner[4 * (size_t)t + (size_t)k] = (float)parts.inner[k];
        }
    }
}

static bool add_joint(writer *w, const clip_body *b, const joint_tracks *tracks, uint32_t joint,
                      json_t *children, json_t *joints)
{
    char name[160];
    (void)snprintf(name, sizeof name, "%.120s joint %u", b->name, joint);
    const uint32_t outer = add_node(w, name, children);
    uint32_t node = outer;
    if (!animate(w, outer, "translation", tracks->translation, 3, "LINEAR") ||
        !animate(w, outer, "rotation", tracks->rotation, 4, "LINEAR") ||
        !animate(w, outer, "scale", tracks->scale, 3, "LINEAR"))
        return false;
    if (tracks->has_inner) {
        json_t *list = json_array();
        node = add_node(w, name, list);
        set_member(w, json_array_get(w->nodes, outer), "children", list);
        if (!animate(w, node, "rotation", tracks->inner, 4, "LINEAR")) return false;
    }
    append(w, joints, json_integer(node));
    return true;
}

static bool add_joints(writer *w, const clip_body *b, const body_samples *s, json_t *children,
                       json_t *joints)
{
    const uint64_t n = w->time_count;
    float *all = io_alloc(w->memory, 14 * n, sizeof *all);
    if (all == NULL) return fail_memory(w);
    joint_tracks tracks = {all, all + 3 * n, all + 7 * n, all + 10 * n, false};
    bool is_added = true;
    for (uint32_t j = 0; is_added && j < b->skin.joint_count; j++) {
        fill_tracks(w, b, s, j, &tracks);
        is_added = add_joint(w, b, &tracks, j, children, joints);
    }
    io_free(w->memory, all);
    return is_added;
}

static bool add_inverse_bind(writer *w, const clip_skin *s, uint32_t *number)
{
    float *columns = io_alloc(w->memory, 16 * (uint64_t)s->joint_count, sizeof *columns);
    if (columns == NULL) return fail_memory(w);
    for (uint32_t j = 0; j < s->joint_count; j++) {
        float *m = columns + 16 * (size_t)j;
        for (int k = 0; k < 12; k++) m[4 * (k % 4) + k / 4] = (float)s->inverse_bind[j][k];
        m[15] = 1;
    }
    const bool is_added = add_floats(w, columns, s->joint_count, 16, number);
    io_free(w->memory, columns);
    return is_added;
}

/* Joints below one node of their own, beside the body. */
static bool add_skin(writer *w, uint32_t body, uint32_t node)
{
    const clip_body *b = &w->c->bodies[body];
    char name[160];
    uint32_t accessor = 0;
    json_t *joints = json_array(), *children = json_array();
    (void)snprintf(name, sizeof name, "%.120s joints", b->name);
    const uint32_t root = add_node(w, name, w->scene);
    const bool is_added = add_joints(w, b, &w->samples[body], children, joints) &&
                          add_inverse_bind(w, &b->skin, &accessor);
    set_member(w, json_array_get(w->nodes, root), "children", children);
    if (!is_added) {
        json_decref(joints);
        return false;
    }
    set_member(w, json_array_get(w->nodes, node), "skin",
               json_integer((json_int_t)json_array_size(w->skins)));
    append(w, w->skins,
           json_pack("{s:o,s:I}", "joints", joints, "inverseBindMatrices", (json_int_t)accessor));
    return true;
}

static bool add_moving_body(writer *w, uint32_t body)
{
    uint32_t mesh = 0;
    const clip_body *b = &w->c->bodies[body];
    const body_samples *s = &w->samples[body];
    if (b->motion == CLIP_SKIN && b->skin.joint_count > UINT16_MAX)
        return io_fail(w->error, "%s: %.100s has more than 65,535 joints", io_tail(w->path),
                       b->name);
    if (!add_body_mesh(w, b, &mesh)) return false;
    const uint32_t node = add_node(w, b->name, w->scene);
    set_member(w, json_array_get(w->nodes, node), "mesh", json_integer(mesh));
    if (s->poses != NULL && (!animate_part(w, node, "translation", s->poses, 7, 3) ||
                             !animate_part(w, node, "rotation", s->poses + 3, 7, 4)))
        return false;
    if (s->weights != NULL &&
        !animate(w, node, "weights", s->weights, b->morph.target_count, "LINEAR"))
        return false;
    return b->motion != CLIP_SKIN || add_skin(w, body, node);
}

/* ---- bodies of frames ---- */

/* Offsets of one time from the first. */
static bool add_frame_target(writer *w, const body_samples *s, uint32_t time, float *room,
                             json_t *targets)
{
    const clip_mesh *first = &s->meshes[0], *mesh = &s->meshes[time];
    for (size_t i = 0; i < 3 * (size_t)first->vertex_count; i++)
        room[i] = mesh->positions[i] - first->positions[i];
    return add_target(w, room, first->vertex_count, targets);
}

/* At each time the weight of its own target is one; none is for the first. */
static bool animate_frames(writer *w, uint32_t node)
{
    const uint32_t count = w->time_count - 1;
    if (count == 0) return true;
    float *weights = io_alloc(w->memory, (uint64_t)w->time_count * count, sizeof *weights);
    if (weights == NULL) return fail_memory(w);
    for (uint32_t t = 1; t < w->time_count; t++) weights[(size_t)t * count + t - 1] = 1;
    const bool is_added = animate(w, node, "weights", weights, count, "LINEAR");
    io_free(w->memory, weights);
    return is_added;
}

static bool add_frame_targets(writer *w, const body_samples *s, json_t *targets)
{
    float *room = io_alloc(w->memory, 3 * (uint64_t)s->meshes[0].vertex_count, sizeof *room);
    bool is_added = room != NULL || fail_memory(w);
    for (uint32_t t = 1; is_added && t < w->time_count; t++)
        is_added = add_frame_target(w, s, t, room, targets);
    io_free(w->memory, room);
    return is_added;
}

static bool add_frames(writer *w, uint32_t body)
{
    uint32_t number = 0, mesh = 0;
    const clip_body *b = &w->c->bodies[body];
    const body_samples *s = &w->samples[body];
    json_t *targets = w->time_count > 1 ? json_array() : NULL;
    if (!add_bounded(w, s->meshes[0].positions, b->mesh.vertex_count, 3, &number) ||
        !add_frame_targets(w, s, targets)) {
        json_decref(targets);
        return false;
    }
    json_t *attributes = json_pack("{s:I}", "POSITION", (json_int_t)number);
    if (!add_mesh(w, &b->mesh, b->mesh.indices, attributes, targets, &mesh)) return false;
    const uint32_t node = add_node(w, b->name, w->scene);
    set_member(w, json_array_get(w->nodes, node), "mesh", json_integer(mesh));
    return animate_frames(w, node);
}

/* A mesh that is seen from its time until the next. */
static bool add_changing_frame(writer *w, const clip_body *b, const clip_mesh *mesh, uint32_t time,
                               float *room)
{
    uint32_t number = 0, index = 0;
    char name[160];
    const uint32_t *indices = mesh->indices != NULL ? mesh->indices : b->mesh.indices;
    if (mesh->triangle_count == 0) return true;
    if (!add_bounded(w, mesh->positions, mesh->vertex_count, 3, &number)) return false;
    json_t *attributes = json_pack("{s:I}", "POSITION", (json_int_t)number);
    if (!add_mesh(w, mesh, indices, attributes, NULL, &index)) return false;
    (void)snprintf(name, sizeof name, "%.120s at %u", b->name, time);
    const uint32_t node = add_node(w, name, w->scene);
    set_member(w, json_array_get(w->nodes, node), "mesh", json_integer(index));
    for (uint32_t t = 0; t < w->time_count; t++)
        for (int k = 0; k < 3; k++) room[3 * (size_t)t + (size_t)k] = t == time ? 1 : 0;
    return animate(w, node, "scale", room, 3, "STEP");
}

static bool add_changing_frames(writer *w, uint32_t body)
{
    float *room = io_alloc(w->memory, 3 * (uint64_t)w->time_count, sizeof *room);
    bool is_added = room != NULL || fail_memory(w);
    for (uint32_t t = 0; is_added && t < w->time_count; t++)
        is_added = add_changing_frame(w, &w->c->bodies[body], &w->samples[body].meshes[t], t, room);
    io_free(w->memory, room);
    return is_added;
}

/* ---- the file ---- */

/* Times as float32 that rise from zero on, or the first at least. */
static bool add_times(writer *w)
{
    float *times = io_alloc(w->memory, w->time_count, sizeof *times);
    if (times == NULL) return fail_memory(w);
    const double shift = fmin(w->times[0], 0);
    bool is_added = true;
    for (uint32_t t = 0; is_added && t < w->time_count; t++) {
        times[t] = (float)(w->times[t] - shift);
        if (!isfinite(times[t]) || (t > 0 && times[t] <= times[t - 1]))
            is_added = io_fail(w->error, "%s: time %u is not later than the one before in float32",
                               io_tail(w->path), t);
    }
    is_added = is_added && add_bounded(w, times, w->time_count, 1, &w->time_accessor);
    io_free(w->memory, times);
    return is_added;
}

static bool add_bodies(writer *w)
{
    for (uint32_t i = 0; i < w->c->body_count; i++) {
        const clip_body *b = &w->c->bodies[i];
        if (b->mesh.triangle_count == 0 && !w->samples[i].has_changes) continue;
        const bool is_added = b->motion != CLIP_FRAMES    ? add_moving_body(w, i)
                              : w->samples[i].has_changes ? add_changing_frames(w, i)
                                                          : add_frames(w, i);
        if (!is_added) return false;
    }
    return true;
}

/* Members of the file that are empty are not there at all. */
static void set_list(writer *w, const char *key, json_t *list)
{
    if (json_array_size(list) > 0) set_member(w, w->root, key, json_incref(list));
}

static json_t *make_material(const writer *w, uint32_t number)
{
    json_t *material = make_named(w->c->materials[number]);
    if (w->c->material_colours == NULL || material == NULL) return material;
    const float *rgb = w->c->material_colours[number];
    json_t *look =
        json_pack("{s:[f,f,f,i],s:i,s:f}", "baseColorFactor", (double)rgb[0], (double)rgb[1],
                  (double)rgb[2], 1, "metallicFactor", 0, "roughnessFactor", 0.8);
    if (json_object_set_new(material, "pbrMetallicRoughness", look) == 0 &&
        json_object_set_new(material, "doubleSided", json_true()) == 0) {
        return material;
    }
    json_decref(material);
    return NULL;
}

static void finish_json(writer *w)
{
    json_t *materials = json_array();
    for (uint32_t i = 0; i < w->c->material_count; i++) append(w, materials, make_material(w, i));
    set_member(w, w->root, "asset",
               json_pack("{s:s,s:s}", "version", "2.0", "generator", "Willow"));
    set_member(w, w->root, "scene", json_integer(0));
    set_member(w, w->root, "scenes", json_pack("[{s:O}]", "nodes", w->scene));
    set_list(w, "nodes", w->nodes);
    set_list(w, "meshes", w->meshes);
    set_list(w, "skins", w->skins);
    set_list(w, "materials", materials);
    set_list(w, "accessors", w->accessors);
    set_list(w, "bufferViews", w->views);
    set_member(w, w->root, "buffers", json_pack("[{s:I}]", "byteLength", (json_int_t)w->bin_size));
    if (json_array_size(w->channels) > 0)
        set_member(w, w->root, "animations",
                   json_pack("[{s:s,s:O,s:O}]", "name", "clip", "channels", w->channels, "samplers",
                             w->samplers));
    json_decref(materials);
}

/* The JSON as text. */
typedef struct json_text {
    writer *w;
    char *bytes;
    uint64_t size, room;
} json_text;

/* What jansson calls with each piece. It does not hear of every failure, but the writer does. */
static int add_text(const char *piece, size_t size, void *data)
{
    json_text *t = data;
    if (t->size + size > t->room) {
        const uint64_t room = 2 * (t->size + size);
        char *grown = io_grow(t->w->memory, t->bytes, room, 1);
        if (grown == NULL) {
            t->w->has_lost = true;
            return -1;
        }
        t->bytes = grown;
        t->room = room;
    }
    memcpy(t->bytes + t->size, piece, size);
    t->size += size;
    return 0;
}

static bool fail_writing(const writer *w)
{
    return io_fail(w->error, "%s: cannot be written: %s", io_tail(w->path), strerror(errno));
}

/* Header, JSON with spaces behind it, and the binary chunk. */
static bool put_file(writer *w, FILE *file, const json_text *text)
{
    const uint64_t length = text->size, padded = (length + 3) / 4 * 4;
    const uint64_t size = 12 + 8 + padded + 8 + w->bin_size;
    uint8_t head[20] = "glTF", bin_head[8] = {0};
    if (size > UINT32_MAX)
        return io_fail(w->error, "%s: would be longer than 4 GB, the limit of GLB",
                       io_tail(w->path));
    put_little(head + 4, 2, 4);
    put_little(head + 8, (uint32_t)size, 4);
    put_little(head + 12, (uint32_t)padded, 4);
    memcpy(head + 16, "JSON", 4);
    put_little(bin_head, (uint32_t)w->bin_size, 4);
    memcpy(bin_head + 4, "BIN", 4);
    const bool is_written = fwrite(head, 1, 20, file) == 20 &&
                            fwrite(text->bytes, 1, (size_t)length, file) == length &&
                            fwrite("   ", 1, (size_t)(padded - length), file) == padded - length &&
                            fwrite(bin_head, 1, 8, file) == 8 &&
                            fwrite(w->bin, 1, (size_t)w->bin_size, file) == w->bin_size;
    return is_written || fail_writing(w);
}

/* All of it, or no file. */
static bool write_text(writer *w, const json_text *text)
{
    FILE *file = fopen(w->path, "wb");
    if (file == NULL) return fail_writing(w);
    bool is_written = put_file(w, file, text);
    if (fclose(file) != 0 && is_written) is_written = fail_writing(w);
    if (!is_written) (void)remove(w->path);
    return is_written;
}

static bool write_file(writer *w)
{
    json_text text = {.w = w};
    const int flags = JSON_COMPACT | JSON_REAL_PRECISION(17);
    if (json_dump_callback(w->root, add_text, &text, flags) != 0) w->has_lost = true;
    const bool is_written = w->has_lost ? io_fail_memory(w->error) : write_text(w, &text);
    io_free(w->memory, text.bytes);
    return is_written;
}

static bool write_all(writer *w)
{
    if (!collect_samples(w) || !add_times(w) || !add_bodies(w)) return false;
    if (json_array_size(w->meshes) == 0)
        return io_fail(w->error, "%s: there are no triangles to write", io_tail(w->path));
    finish_json(w);
    return write_file(w);
}

bool gltf_write(const clip *c, const double *times, uint32_t time_count, const char *path,
                io_error *error)
{
    writer w = {.c = c, .memory = c->memory, .error = error, .path = path};
    json_t **const lists[] = {&w.nodes, &w.meshes,   &w.skins,    &w.accessors,
                              &w.views, &w.channels, &w.samplers, &w.scene};
    bool has_lists = (w.root = json_object()) != NULL;
    w.times = times != NULL ? times : c->keys;
    w.time_count = times != NULL ? time_count : c->key_count;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        if ((*lists[i] = json_array()) == NULL) has_lists = false;
    const bool is_written = has_lists ? write_all(&w) : io_fail_memory(error);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) json_decref(*lists[i]);
    json_decref(w.root);
    free_samples(&w);
    io_free(w.memory, w.bin);
    return is_written;
}
