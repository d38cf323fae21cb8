/* gltf.c - which motion each mesh of a scene has, and where it is at a time.
 * Way in: gltf_add. Nodes and channels stay with the clip; JSON and buffers are gone once it is
 * open. */
#include "io/gltf.h"

#include <assert.h>
#include <math.h>
#include "io/gltf_scene.h"
#include "io/weld.h"

/* What is needed while bodies are made. */
typedef struct gltf_reader {
    gltf_doc *d;
    gltf_scene *s;
    gltf_shape *shapes; /* by mesh */
    uint32_t *uses;     /* by mesh: nodes of the scene that still want it */
    uint32_t skipped;   /* primitives of points and lines */
    uint32_t sizeless;  /* bodies that have no size at any time */
} gltf_reader;

/* ---- skins ---- */

static bool read_inverse_bind(gltf_doc *d, const gltf_item *item, gltf_skin *skin)
{
    uint32_t index;
    gltf_accessor a;
    if (!gltf_index(d, item, "inverseBindMatrices", GLTF_ACCESSOR, &index)) return false;
    for (uint32_t i = 0; i < skin->joint_count; i++)
        for (int k = 0; k < 3; k++) skin->inverse_bind[i][5 * k] = 1;
    if (index == GLTF_NONE) return true;
    if (!gltf_accessor_get(d, index, &a)) return false;
    if (a.width != 16 || a.has_stride || a.count < skin->joint_count)
        return gltf_refuse(d, item, "accessor %u does not hold %u packed matrices", index,
                           skin->joint_count);
    float *columns = io_alloc(d->memory, 16 * (uint64_t)a.count, sizeof *columns);
    if (columns == NULL) return gltf_fail_memory(d);
    bool is_read = gltf_accessor_floats(d, &a, columns);
    for (uint32_t i = 0; is_read && i < skin->joint_count; i++) {
        const float *m = columns + 16 * (size_t)i;
        if (m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1)
            is_read = gltf_refuse(d, &a.item, "matrix %u has a last row other than 0, 0, 0, 1", i);
        for (int k = 0; k < 12; k++) skin->inverse_bind[i][k] = m[4 * (k % 4) + k / 4];
    }
    io_free(d->memory, columns);
    return is_read;
}

static bool read_joints(gltf_doc *d, const gltf_scene *s, const gltf_item *item,
                        const json_t *joints, gltf_skin *skin)
{
    const uint32_t count = (uint32_t)json_array_size(joints);
    skin->joints = io_alloc(d->memory, count, sizeof *skin->joints);
    skin->inverse_bind = io_alloc(d->memory, count, sizeof *skin->inverse_bind);
    if (skin->joints == NULL || skin->inverse_bind == NULL) return gltf_fail_memory(d);
    skin->joint_count = count;
    for (uint32_t i = 0; i < count; i++) {
        if (!gltf_index_at(d, item, joints, i, GLTF_NODE, &skin->joints[i])) return false;
        if (!s->nodes[skin->joints[i]].is_in_scene)
            return gltf_refuse(d, item, "its joint %u, node %u, is not in the scene", i,
                               skin->joints[i]);
    }
    return read_inverse_bind(d, item, skin);
}

/* Reads a skin when the first body needs it. */
static bool get_skin(gltf_reader *r, uint32_t index, gltf_skin **out)
{
    gltf_item item;
    const json_t *joints;
    *out = &r->s->skins[index];
    if ((*out)->joint_count > 0) return true;
    if (!gltf_item_get(r->d, GLTF_SKIN, index, &item) ||
        !gltf_array(r->d, &item, "joints", &joints))
        return false;
    if (joints == NULL) return gltf_refuse(r->d, &item, "joints is missing");
    return read_joints(r->d, r->s, &item, joints, *out);
}

/* ---- copies of meshes ---- */

static void *copy_array(io_memory *m, const void *from, uint64_t count, size_t size)
{
    void *to = from == NULL ? NULL : io_alloc(m, count, size);
    if (to != NULL && count > 0) memcpy(to, from, (size_t)count * size);
    return to;
}

static bool copy_morph(io_memory *m, const clip_morph *from, uint32_t vertex_count, clip_morph *to)
{
    if (from->target_count == 0) return true;
    to->offsets = io_alloc(m, from->target_count, sizeof *to->offsets);
    if (to->offsets == NULL) return false;
    for (; to->target_count < from->target_count; to->target_count++) {
        float *copy = copy_array(m, from->offsets[to->target_count], 3 * (uint64_t)vertex_count,
                                 sizeof(float));
        if (copy == NULL) return false;
        to->offsets[to->target_count] = copy;
    }
    return true;
}

static bool copy_skin(io_memory *m, const clip_skin *from, uint32_t vertex_count, clip_skin *to)
{
    if (from->first == NULL) return true;
    const uint32_t count = from->first[vertex_count];
    to->joint_count = from->joint_count;
    to->first = copy_array(m, from->first, (uint64_t)vertex_count + 1, sizeof *to->first);
    to->joints = copy_array(m, from->joints, count, sizeof *to->joints);
    to->weights = copy_array(m, from->weights, count, sizeof *to->weights);
    return to->first != NULL && to->joints != NULL && to->weights != NULL;
}

static bool copy_shape(io_memory *m, const clip_body *from, clip_body *to)
{
    const clip_mesh *mesh = &from->mesh;
    to->mesh.positions =
        copy_array(m, mesh->positions, 3 * (uint64_t)mesh->vertex_count, sizeof(float));
    to->mesh.indices =
        copy_array(m, mesh->indices, 3 * (uint64_t)mesh->triangle_count, sizeof(uint32_t));
    to->mesh.materials =
        copy_array(m, mesh->materials, mesh->triangle_count, sizeof *mesh->materials);
    if (to->mesh.positions == NULL || to->mesh.indices == NULL ||
        (mesh->materials != NULL && to->mesh.materials == NULL))
        return false;
    to->mesh.vertex_count = mesh->vertex_count;
    to->mesh.triangle_count = mesh->triangle_count;
    return copy_morph(m, &from->morph, mesh->vertex_count, &to->morph) &&
           copy_skin(m, &from->skin, mesh->vertex_count, &to->skin);
}

/* The last one that wants a mesh takes it. */
static bool take_shape(gltf_reader *r, uint32_t mesh, clip_body *to)
{
    clip_body *from = &r->shapes[mesh].body;
    assert(r->shapes[mesh].is_made && r->uses[mesh] > 0);
    if (--r->uses[mesh] > 0) return copy_shape(r->d->memory, from, to);
    to->mesh = from->mesh;
    to->morph = from->morph;
    to->skin = from->skin;
    *from = (clip_body){0};
    return true;
}

static void free_morph(io_memory *m, clip_morph *morph)
{
    for (uint32_t i = 0; morph->offsets != NULL && i < morph->target_count; i++)
        io_free(m, morph->offsets[i]);
    io_free(m, morph->offsets);
    *morph = (clip_morph){0};
}

static void free_skin(io_memory *m, clip_skin *skin)
{
    io_free(m, skin->first);
    io_free(m, skin->joints);
    io_free(m, skin->weights);
    io_free(m, skin->inverse_bind);
    io_free(m, skin->rest);
    *skin = (clip_skin){0};
}

/* ---- what does not change goes into the mesh ---- */

/* Weights that are not animated: the mesh is what they make of it. */
static void bake_weights(io_memory *m, const float *weights, clip_body *body)
{
    for (size_t i = 0; i < 3 * (size_t)body->mesh.vertex_count; i++) {
        double sum = body->mesh.positions[i];
        for (uint32_t t = 0; t < body->morph.target_count; t++)
            sum += (double)weights[t] * body->morph.offsets[t][i];
        body->mesh.positions[i] = (float)sum;
    }
    free_morph(m, &body->morph);
}

/* One rounding of each coordinate. */
static void apply(const double linear[9], const double shift[3], float *xyz, uint32_t count)
{
    for (uint32_t v = 0; v < count; v++) {
        float *p = xyz + 3 * (size_t)v;
        const double x = p[0], y = p[1], z = p[2];
        for (int i = 0; i < 3; i++)
            p[i] = (float)(linear[3 * i] * x + linear[3 * i + 1] * y + linear[3 * i + 2] * z +
                           shift[i]);
    }
}

static void bake_matrix(const double linear[9], const double shift[3], clip_body *body)
{
    static const double none[3] = {0};
    apply(linear, shift, body->mesh.positions, body->mesh.vertex_count);
    for (uint32_t t = 0; t < body->morph.target_count; t++)
        apply(linear, none, body->morph.offsets[t], body->mesh.vertex_count);
}

static bool is_finite(const clip_body *body)
{
    for (size_t i = 0; i < 3 * (size_t)body->mesh.vertex_count; i++) {
        if (!isfinite(body->mesh.positions[i])) return false;
        for (uint32_t t = 0; t < body->morph.target_count; t++)
            if (!isfinite(body->morph.offsets[t][i])) return false;
    }
    return true;
}

/* ---- motions ---- */

/* All vertices hang on the one joint. */
static bool hang_on_node(gltf_doc *d, clip_body *body)
{
    const uint32_t count = body->mesh.vertex_count;
    clip_skin *skin = &body->skin;
    body->motion = CLIP_SKIN;
    skin->joint_count = 1;
    skin->first = io_alloc(d->memory, (uint64_t)count + 1, sizeof *skin->first);
    skin->joints = io_alloc(d->memory, count, sizeof *skin->joints);
    skin->weights = io_alloc(d->memory, count, sizeof *skin->weights);
    skin->inverse_bind = io_alloc(d->memory, 1, sizeof *skin->inverse_bind);
    if (skin->first == NULL || skin->joints == NULL || skin->weights == NULL ||
        skin->inverse_bind == NULL)
        return gltf_fail_memory(d);
    for (uint32_t v = 0; v < count; v++) {
        skin->first[v + 1] = v + 1;
        skin->weights[v] = 1;
    }
    for (int k = 0; k < 3; k++) skin->inverse_bind[0][5 * k] = 1;
    return true;
}

/* Under a node: still, rigid, or hanging on it. */
static bool settle_on_node(gltf_doc *d, const gltf_scene *s, gltf_body *b, clip_body *body)
{
    double linear[9];
    const bool is_morph = body->morph.target_count > 0;
    const double *m = s->still[b->node];
    if (!s->nodes[b->node].is_moving) {
        const double shift[3] = {m[3], m[7], m[11]};
        gltf_linear(m, linear);
        bake_matrix(linear, shift, body);
        body->motion = is_morph ? CLIP_MORPH : CLIP_STILL;
        return true;
    }
    if (!gltf_node_is_rigid(s, b->node, linear)) return hang_on_node(d, body);
    static const double none[3] = {0};
    bake_matrix(linear, none, body);
    (void)gltf_invert(linear, b->unbake); /* it was found to be possible */
    b->is_posed = true;
    body->motion = is_morph ? CLIP_MORPH : CLIP_RIGID;
    return true;
}

/* As it was bound, put where the first joint has it without animation. */
static bool put_at_rest(gltf_reader *r, const gltf_skin *skin, clip_skin *out)
{
    out->rest = io_alloc(r->d->memory, 1, sizeof *out->rest);
    if (out->rest == NULL) return false;
    gltf_multiply(r->s->still[skin->joints[0]], skin->inverse_bind[0], *out->rest);
    return true;
}

/* On joints; where the node itself is does not matter. */
static bool settle_on_skin(gltf_reader *r, const gltf_item *node, uint32_t index, clip_body *body)
{
    gltf_skin *skin;
    if (!get_skin(r, index, &skin)) return false;
    if (body->skin.first == NULL)
        return gltf_refuse(r->d, node, "has a skin, but its mesh has no joints");
    if (body->skin.joint_count > skin->joint_count)
        return gltf_refuse(r->d, node, "its mesh names joint %u; skin %u has %u",
                           body->skin.joint_count - 1, index, skin->joint_count);
    body->motion = CLIP_SKIN;
    body->skin.joint_count = skin->joint_count;
    body->skin.inverse_bind =
        copy_array(r->d->memory, skin->inverse_bind, skin->joint_count, sizeof *skin->inverse_bind);
    return (body->skin.inverse_bind != NULL && put_at_rest(r, skin, &body->skin)) ||
           gltf_fail_memory(r->d);
}

/* ---- bodies ---- */

/* The mesh of a node, read and welded once. */
static bool get_shape(gltf_reader *r, uint32_t mesh)
{
    gltf_shape *shape = &r->shapes[mesh];
    if (shape->is_made) return true;
    if (!gltf_mesh_read(r->d, mesh, shape, &r->skipped)) return false;
    if (r->d->options->no_weld || weld_body(r->d->memory, &shape->body)) return true;
    return gltf_fail_memory(r->d);
}

/* The name of a node; that of its mesh where it has none. */
static char *name_body(gltf_doc *d, const gltf_item *node, uint32_t mesh)
{
    gltf_item item;
    const char *name = gltf_text(node, "name");
    if ((name == NULL || *name == '\0') && gltf_item_get(d, GLTF_MESH, mesh, &item)) {
        name = gltf_text(&item, "name");
        if (name != NULL && *name != '\0') return gltf_name(d, &item, "mesh");
    }
    return gltf_name(d, node, "node");
}

static clip_body *add_body(gltf_doc *d, const gltf_item *node, uint32_t mesh)
{
    char *name = name_body(d, node, mesh);
    clip_body *body = name == NULL ? NULL : clip_add_body(d->clip, name);
    io_free(d->memory, name);
    return body;
}

static bool make_body(gltf_reader *r, uint32_t index, const gltf_item *item)
{
    gltf_doc *d = r->d;
    const gltf_node *node = &r->s->nodes[index];
    clip_body *body = add_body(d, item, node->mesh);
    if (body == NULL || !take_shape(r, node->mesh, body)) return gltf_fail_memory(d);
    gltf_body *b = &r->s->bodies[r->s->body_count++];
    *b = (gltf_body){.node = index, .skin = node->skin, .weights = node->channels[GLTF_WEIGHTS]};
    const gltf_shape *shape = &r->shapes[node->mesh];
    if (b->weights == GLTF_NONE && body->morph.target_count > 0)
        bake_weights(d->memory, node->weights != NULL ? node->weights : shape->weights, body);
    if (b->skin == GLTF_NONE) free_skin(d->memory, &body->skin);
    const bool is_settled = b->skin != GLTF_NONE ? settle_on_skin(r, item, b->skin, body)
                                                 : settle_on_node(d, r->s, b, body);
    if (!is_settled || is_finite(body)) return is_settled;
    return gltf_refuse(d, item, "its vertices are beyond float32");
}

/* What scales all to nothing. */
static bool has_no_size(const double m[12])
{
    for (int k = 0; k < 12; k++)
        if (k % 4 != 3 && m[k] != 0) return false;
    return true;
}

/* Whether nothing of it is there at any time. */
static bool is_never_there(const gltf_scene *s, uint32_t node)
{
    return s->nodes[node].skin == GLTF_NONE && !s->nodes[node].is_moving &&
           has_no_size(s->still[node]);
}

static bool note_left_out(const gltf_reader *r)
{
    clip *c = r->d->clip;
    const char *file = io_tail(r->d->path);
    if (r->s->body_count == 0 && r->sizeless > 0)
        return io_fail(r->d->error, "%s: has no triangles but those that it hides by a scale of 0",
                       file);
    return ((r->skipped == 0 || clip_add_note(c, "%s: %u primitive%s of points or lines left out",
                                              file, r->skipped, r->skipped == 1 ? "" : "s")) &&
            (r->sizeless == 0 ||
             clip_add_note(c, "%s: %u bod%s left out that the file hides by a scale of 0", file,
                           r->sizeless, r->sizeless == 1 ? "y" : "ies"))) ||
           gltf_fail_memory(r->d);
}

static bool make_bodies(gltf_reader *r)
{
    gltf_scene *s = r->s;
    for (uint32_t i = 0; i < s->order_count; i++) {
        gltf_item item;
        const uint32_t index = s->order[i], mesh = s->nodes[index].mesh;
        if (mesh == GLTF_NONE) continue;
        if (!gltf_item_get(r->d, GLTF_NODE, index, &item) || !get_shape(r, mesh)) return false;
        if (r->shapes[mesh].body.mesh.triangle_count == 0) continue;
        if (is_never_there(s, index))
            r->sizeless++;
        else if (!make_body(r, index, &item))
            return false;
    }
    return note_left_out(r);
}

/* How often each mesh is in the scene, and room for as many bodies. */
static bool prepare_bodies(gltf_reader *r)
{
    gltf_scene *s = r->s;
    io_memory *m = r->d->memory;
    uint32_t count = 0;
    r->uses = io_alloc(m, r->d->counts[GLTF_MESH], sizeof *r->uses);
    r->shapes = io_alloc(m, r->d->counts[GLTF_MESH], sizeof *r->shapes);
    s->skins = io_alloc(m, r->d->counts[GLTF_SKIN], sizeof *s->skins);
    if (r->uses == NULL || r->shapes == NULL || s->skins == NULL) return gltf_fail_memory(r->d);
    s->skin_count = r->d->counts[GLTF_SKIN];
    for (uint32_t i = 0; i < s->order_count; i++) {
        const uint32_t mesh = s->nodes[s->order[i]].mesh;
        if (mesh == GLTF_NONE) continue;
        r->uses[mesh]++;
        count++;
    }
    s->bodies = io_alloc(m, count, sizeof *s->bodies);
    return s->bodies != NULL || gltf_fail_memory(r->d);
}

static void free_reader(gltf_reader *r)
{
    io_memory *m = r->d->memory;
    for (uint32_t i = 0; r->shapes != NULL && i < r->d->counts[GLTF_MESH]; i++) {
        clip_body *body = &r->shapes[i].body;
        clip_mesh_free(r->d->clip, &body->mesh);
        free_morph(m, &body->morph);
        free_skin(m, &body->skin);
        io_free(m, r->shapes[i].weights);
    }
    io_free(m, r->shapes);
    io_free(m, r->uses);
}

static bool read_bodies(gltf_doc *d, gltf_scene *s)
{
    gltf_reader r = {.d = d, .s = s};
    const bool is_read = prepare_bodies(&r) && make_bodies(&r);
    free_reader(&r);
    return is_read;
}

/* ---- frames ---- */

static bool set_pose(const gltf_body *b, const double world[12], willow_pose *out)
{
    double linear[9], turned[9], q[4];
    gltf_linear(world, linear);
    gltf_multiply3(linear, b->unbake, turned);
    if (!gltf_rotation(turned, q)) return false;
    out->translation = (willow_vec3){(float)world[3], (float)world[7], (float)world[11]};
    out->rotation = (willow_quat){(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
    return isfinite(out->translation.x) && isfinite(out->translation.y) &&
           isfinite(out->translation.z);
}

static bool set_joints(const gltf_scene *s, const gltf_body *b, double (*const world)[12],
                       double (*out)[12])
{
    const gltf_skin *skin = b->skin == GLTF_NONE ? NULL : &s->skins[b->skin];
    const uint32_t count = skin == NULL ? 1 : skin->joint_count;
    for (uint32_t i = 0; i < count; i++) {
        const double *from = world[skin == NULL ? b->node : skin->joints[i]];
        memcpy(out[i], from, sizeof out[i]);
        for (int k = 0; k < 12; k++)
            if (!isfinite(from[k])) return false;
    }
    return true;
}

/* By a scale of 0, as glTF has it; of a skin if all its joints have. */
static bool is_hidden(const gltf_scene *s, const gltf_body *b, double (*const world)[12])
{
    if (b->skin == GLTF_NONE) return has_no_size(world[b->node]);
    const gltf_skin *skin = &s->skins[b->skin];
    for (uint32_t i = 0; i < skin->joint_count; i++)
        if (!has_no_size(world[skin->joints[i]])) return false;
    return true;
}

static bool set_weights(const gltf_channel *channel, double time, float *out)
{
    gltf_channel_at(channel, time, out);
    for (uint32_t i = 0; i < channel->width; i++)
        if (!isfinite(out[i])) return false;
    return true;
}

static bool set_state(const gltf_scene *s, const gltf_body *b, double (*const world)[12],
                      double time, clip_state *state)
{
    state->is_hidden = is_hidden(s, b, world);
    if (state->weights != NULL && !set_weights(&s->channels[b->weights], time, state->weights))
        return false;
    if (state->joints != NULL) return set_joints(s, b, world, state->joints);
    return !b->is_posed || set_pose(b, world[b->node], &state->pose);
}

static bool gltf_read(const clip *c, uint32_t first_body, const void *data, clip_frame *frame,
                      void **kept, io_error *error)
{
    const gltf_scene *s = data;
    assert(first_body + s->body_count <= c->body_count);
    (void)c;
    if (*kept == NULL) {
        *kept = copy_array(s->memory, s->still, s->node_count, sizeof *s->still);
        if (*kept == NULL) return io_memory_fail(s->memory, error, s->path);
    }
    double(*world)[12] = *kept;
    gltf_nodes_at(s, frame->time, world);
    for (uint32_t i = 0; i < s->body_count; i++)
        if (!set_state(s, &s->bodies[i], world, frame->time, &frame->bodies[first_body + i]))
            return io_fail(error, "%s: node %u: has a place that is not finite at %g s",
                           io_tail(s->path), s->bodies[i].node, frame->time);
    return true;
}

static void gltf_forget(const clip *c, const void *data, void *kept)
{
    (void)data;
    io_free(c->memory, kept);
}

static void gltf_close(const clip *c, void *data)
{
    gltf_scene *s = data;
    io_memory *m = c->memory;
    for (uint32_t i = 0; i < s->node_count; i++) io_free(m, s->nodes[i].weights);
    for (uint32_t i = 0; s->floats != NULL && i < s->accessor_count; i++) io_free(m, s->floats[i]);
    for (uint32_t i = 0; i < s->skin_count; i++) {
        io_free(m, s->skins[i].joints);
        io_free(m, s->skins[i].inverse_bind);
    }
    io_free(m, s->nodes);
    io_free(m, s->order);
    io_free(m, s->still);
    io_free(m, s->channels);
    io_free(m, s->floats);
    io_free(m, s->checks);
    io_free(m, s->skins);
    io_free(m, s->bodies);
    io_free(m, s->path);
    io_free(m, s);
}

static const clip_source gltf_source = {
    .read = gltf_read, .forget = gltf_forget, .close = gltf_close};

/* ---- the way in ---- */

static bool read_scene(gltf_doc *d, gltf_scene *s)
{
    return gltf_nodes_read(d, s) && gltf_animation_read(d, s) && gltf_nodes_settle(d, s) &&
           read_bodies(d, s);
}

static gltf_scene *make_scene(gltf_doc *d)
{
    gltf_scene *s = io_alloc(d->memory, 1, sizeof *s);
    if (s == NULL) return NULL;
    s->memory = d->memory;
    s->path = io_copy_text(d->memory, d->path);
    if (s->path != NULL) return s;
    io_free(d->memory, s);
    return NULL;
}

bool gltf_add_bytes(clip *c, const char *path, const uint8_t *bytes, uint64_t size,
                    const clip_options *options, io_error *error)
{
    gltf_doc d = {.clip = c, .memory = c->memory, .path = path, .options = options, .error = error};
    const uint32_t first_body = c->body_count;
    gltf_scene *s = make_scene(&d);
    if (s == NULL) return gltf_fail_memory(&d);
    c->has_choices = true;
    const bool is_read = gltf_doc_open(&d, bytes, size) && read_scene(&d, s);
    gltf_doc_close(&d);
    if (!is_read) gltf_close(c, s);
    if (!is_read) return false;
    return clip_add_part(c, first_body, &gltf_source, s) || io_memory_fail(c->memory, error, path);
}

bool gltf_add(clip *c, const char *path, const clip_options *options, io_error *error)
{
    io_bytes bytes;
    if (!io_bytes_read(c->memory, path, &bytes, error)) return false;
    const bool is_read = gltf_add_bytes(c, path, bytes.data, bytes.size, options, error);
    io_bytes_free(c->memory, &bytes);
    return is_read;
}
