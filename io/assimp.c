/* assimp.c - scenes of Assimp as clips. Way in: assimp_add; assimp.h says what is kept. */
#include "io/assimp.h"

#ifndef WILLOW_HAS_ASSIMP

bool assimp_is_possible(void) { return false; }

bool assimp_takes(const char *path)
{
    (void)path;
    return false;
}

bool assimp_add(clip *c, const char *path, const clip_options *options, io_error *error)
{
    (void)c;
    (void)options;
    return io_fail(error, "%s: %s", io_tail(path), ASSIMP_LACKS);
}

#else

#    include <assimp/cimport.h>
#    include <assimp/postprocess.h>
#    include <assimp/scene.h>
#    include <assimp/version.h>
#    include <math.h>
#    include <stdio.h>
#    include <stdlib.h>
#    include <string.h>
#    include <sys/stat.h>
#    include "io/file_kind.h"
#    include "io/mesh_file.h"
#    include "io/weld.h"

bool assimp_is_possible(void) { return true; }

bool assimp_takes(const char *path)
{
    char ending[32];
    const char *given = file_ending(path);
    if (given[0] == '\0' || strlen(given) + 2 > sizeof ending) return false;
    (void)snprintf(ending, sizeof ending, ".%s", given);
    return aiIsExtensionSupported(ending);
}

/* ---- what stays while the clip is open ---- */

#    define NONE UINT32_MAX

typedef struct assimp_node {
    const struct aiNode *node;
    uint32_t parent;
    const struct aiNodeAnim *channel; /* NULL: it stays */
    bool is_moving;                   /* it or one above it */
} assimp_node;

/* Where joints of a body are. */
typedef struct assimp_body {
    uint32_t *joints; /* nodes; NULL: the body is still */
    uint32_t joint_count;
} assimp_body;

typedef struct assimp_scene {
    const struct aiScene *scene;
    assimp_node *nodes; /* parents before children */
    uint32_t node_count, node_capacity;
    assimp_body *bodies;
    uint32_t body_count, body_capacity;
    double ticks_per_second;
} assimp_scene;

typedef struct assimp_reader {
    clip *c;
    assimp_scene *s;
    const char *path;
    const clip_options *options;
    io_error *error;
    uint32_t left_out;  /* faces that are points or lines */
    name_list *names;   /* of nodes, and of what was looked for among them */
    uint32_t *first_of; /* by name: the first node that has it */
} assimp_reader;

static bool out_of_memory(const assimp_reader *r)
{
    return io_memory_fail(r->c->memory, r->error, r->path);
}

/* ---- matrices: three rows of four ---- */

static void matrix_of(const struct aiMatrix4x4 *m, double out[12])
{
    const ai_real rows[12] = {m->a1, m->a2, m->a3, m->a4, m->b1, m->b2,
                              m->b3, m->b4, m->c1, m->c2, m->c3, m->c4};
    for (int i = 0; i < 12; i++) out[i] = (double)rows[i];
}

static void multiply(const double a[12], const double b[12], double out[12])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            out[4 * i + k] = a[4 * i] * b[k] + a[4 * i + 1] * b[4 + k] + a[4 * i + 2] * b[8 + k] +
                             (k == 3 ? a[4 * i + 3] : 0);
}

static void compose(const double t[3], const double q[4], const double s[3], double out[12])
{
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double d = 2 / (x * x + y * y + z * z + w * w);
    const double r[9] = {1 - d * (y * y + z * z), d * (x * y - z * w),     d * (x * z + y * w),
                         d * (x * y + z * w),     1 - d * (x * x + z * z), d * (y * z - x * w),
                         d * (x * z - y * w),     d * (y * z + x * w),     1 - d * (x * x + y * y)};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) out[4 * i + k] = r[3 * i + k] * s[k];
        out[4 * i + 3] = t[i];
    }
}

/* ---- animation ---- */

/* The key before a time, and how far it is to the next one. */
static uint32_t find_key(const void *keys, size_t stride, uint32_t count, double tick, double *part)
{
    const char *bytes = keys;
    double times[2];
    uint32_t low = 0, high = count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        memcpy(&times[0], bytes + middle * stride, sizeof times[0]);
        if (times[0] <= tick)
            low = middle;
        else
            high = middle;
    }
    *part = 0;
    if (low + 1 >= count) return low;
    memcpy(&times[0], bytes + low * stride, sizeof times[0]);
    memcpy(&times[1], bytes + (low + 1) * stride, sizeof times[1]);
    if (times[1] > times[0]) *part = fmin(fmax((tick - times[0]) / (times[1] - times[0]), 0), 1);
    return low;
}

static void vector_at(const struct aiVectorKey *keys, uint32_t count, double tick, double missing,
                      double out[3])
{
    double part;
    out[0] = out[1] = out[2] = missing;
    if (count == 0) return;
    const uint32_t i = find_key(keys, sizeof *keys, count, tick, &part);
    const struct aiVector3D *a = &keys[i].mValue, *b = i + 1 < count ? &keys[i + 1].mValue : a;
    out[0] = (double)a->x + part * ((double)b->x - (double)a->x);
    out[1] = (double)a->y + part * ((double)b->y - (double)a->y);
    out[2] = (double)a->z + part * ((double)b->z - (double)a->z);
}

/* Along the shorter arc. */
static void slerp(const double a[4], const double b[4], double part, double out[4])
{
    double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    const double sign = dot < 0 ? -1 : 1;
    double wa = 1 - part, wb = part;
    dot *= sign;
    if (dot < 0.9999) {
        const double angle = acos(fmin(dot, 1)), s = sin(angle);
        wa = sin((1 - part) * angle) / s;
        wb = sin(part * angle) / s;
    }
    for (int i = 0; i < 4; i++) out[i] = wa * a[i] + sign * wb * b[i];
}

static void rotation_at(const struct aiNodeAnim *channel, double tick, double out[4])
{
    double part;
    const double none[4] = {0, 0, 0, 1};
    memcpy(out, none, sizeof none);
    if (channel->mNumRotationKeys == 0) return;
    const struct aiQuatKey *keys = channel->mRotationKeys;
    const uint32_t i = find_key(keys, sizeof *keys, channel->mNumRotationKeys, tick, &part);
    const struct aiQuaternion *a = &keys[i].mValue;
    const struct aiQuaternion *b = i + 1 < channel->mNumRotationKeys ? &keys[i + 1].mValue : a;
    const double qa[4] = {(double)a->x, (double)a->y, (double)a->z, (double)a->w};
    const double qb[4] = {(double)b->x, (double)b->y, (double)b->z, (double)b->w};
    slerp(qa, qb, part, out);
}

static void local_at(const assimp_node *node, double tick, double out[12])
{
    double t[3], q[4], s[3];
    if (node->channel == NULL) {
        matrix_of(&node->node->mTransformation, out);
        return;
    }
    vector_at(node->channel->mPositionKeys, node->channel->mNumPositionKeys, tick, 0, t);
    vector_at(node->channel->mScalingKeys, node->channel->mNumScalingKeys, tick, 1, s);
    rotation_at(node->channel, tick, q);
    compose(t, q, s, out);
}

/* Where all nodes are. */
static void place_nodes(const assimp_scene *s, double time, double (*world)[12])
{
    for (uint32_t i = 0; i < s->node_count; i++) {
        double local[12];
        local_at(&s->nodes[i], time * s->ticks_per_second, local);
        if (s->nodes[i].parent == NONE)
            memcpy(world[i], local, sizeof local);
        else
            multiply(world[s->nodes[i].parent], local, world[i]);
    }
}

/* ---- frames ---- */

static bool read_frame(const clip *c, uint32_t first_body, const void *data, clip_frame *frame,
                       void **kept, io_error *error)
{
    const assimp_scene *s = data;
    if (*kept == NULL) *kept = io_alloc(c->memory, s->node_count, sizeof(double[12]));
    double(*world)[12] = *kept;
    if (world == NULL) return io_fail_memory(error);
    place_nodes(s, frame->time, world);
    for (uint32_t i = 0; i < s->body_count; i++)
        for (uint32_t k = 0; k < s->bodies[i].joint_count; k++)
            memcpy(frame->bodies[first_body + i].joints[k], world[s->bodies[i].joints[k]],
                   sizeof world[0]);
    return true;
}

static void forget_frame(const clip *c, const void *data, void *kept)
{
    (void)data;
    io_free(c->memory, kept);
}

static void close_scene(const clip *c, void *data)
{
    assimp_scene *s = data;
    for (uint32_t i = 0; i < s->body_count; i++) io_free(c->memory, s->bodies[i].joints);
    io_free(c->memory, s->bodies);
    io_free(c->memory, s->nodes);
    if (s->scene != NULL) aiReleaseImport(s->scene);
    io_free(c->memory, s);
}

static const clip_source scene_source = {
    .read = read_frame, .forget = forget_frame, .close = close_scene};

/* ---- nodes ---- */

static bool list_nodes(assimp_reader *r)
{
    assimp_scene *s = r->s;
    if (!IO_RESERVE_ONE(r->c->memory, s->nodes, s->node_count, s->node_capacity))
        return out_of_memory(r);
    s->nodes[s->node_count++] = (assimp_node){.node = s->scene->mRootNode, .parent = NONE};
    for (uint32_t i = 0; i < s->node_count; i++)
        for (uint32_t k = 0; k < s->nodes[i].node->mNumChildren; k++) {
            if (!IO_RESERVE_ONE(r->c->memory, s->nodes, s->node_count, s->node_capacity))
                return out_of_memory(r);
            s->nodes[s->node_count++] =
                (assimp_node){.node = s->nodes[i].node->mChildren[k], .parent = i};
        }
    return true;
}

/* The number of the node of each name; of those with the same the first. */
static bool name_nodes(assimp_reader *r)
{
    for (uint32_t i = r->s->node_count; i-- > 0;) {
        const struct aiString *name = &r->s->nodes[i].node->mName;
        uint32_t number;
        if (!names_add(r->c->memory, r->names, name->data, name->length, &number)) return false;
        r->first_of[number] = i;
    }
    return true;
}

/* The node of that name, or NONE. False for want of memory. */
static bool find_node(const assimp_reader *r, const struct aiString *name, uint32_t *out)
{
    const uint32_t before = r->names->count;
    uint32_t number;
    if (!names_add(r->c->memory, r->names, name->data, name->length, &number))
        return out_of_memory(r);
    *out = number < before ? r->first_of[number] : NONE;
    return true;
}

static const struct aiAnimation *choose_animation(const assimp_reader *r)
{
    const struct aiScene *scene = r->s->scene;
    const char *wanted = r->options->animation;
    if (scene->mNumAnimations == 0) return NULL;
    if (wanted == NULL) return scene->mAnimations[0];
    for (uint32_t i = 0; i < scene->mNumAnimations; i++)
        if (strcmp(scene->mAnimations[i]->mName.data, wanted) == 0) return scene->mAnimations[i];
    char *end;
    const unsigned long number = strtoul(wanted, &end, 10);
    return *end == '\0' && number < scene->mNumAnimations ? scene->mAnimations[number] : NULL;
}

static bool add_key(assimp_reader *r, double tick)
{
    const double time = tick / r->s->ticks_per_second;
    if (!isfinite(time))
        return io_fail(r->error, "%s: the time of a key is not a finite number", io_tail(r->path));
    return clip_add_keys(r->c, &time, 1) || out_of_memory(r);
}

static bool add_keys(assimp_reader *r, const struct aiNodeAnim *channel)
{
    for (uint32_t i = 0; i < channel->mNumPositionKeys; i++)
        if (!add_key(r, channel->mPositionKeys[i].mTime)) return false;
    for (uint32_t i = 0; i < channel->mNumRotationKeys; i++)
        if (!add_key(r, channel->mRotationKeys[i].mTime)) return false;
    for (uint32_t i = 0; i < channel->mNumScalingKeys; i++)
        if (!add_key(r, channel->mScalingKeys[i].mTime)) return false;
    return true;
}

static bool take_animation(assimp_reader *r)
{
    assimp_scene *s = r->s;
    const struct aiAnimation *animation = choose_animation(r);
    s->ticks_per_second = 25; /* where a file does not say it */
    if (animation == NULL && r->options->animation != NULL)
        return io_fail(r->error, "%s: has no animation '%.60s'", io_tail(r->path),
                       r->options->animation);
    if (animation == NULL) return true;
    if (animation->mTicksPerSecond > 0) s->ticks_per_second = animation->mTicksPerSecond;
    for (uint32_t i = 0; i < animation->mNumChannels; i++) {
        const struct aiNodeAnim *channel = animation->mChannels[i];
        uint32_t node = NONE;
        if (!find_node(r, &channel->mNodeName, &node)) return false;
        if (node == NONE) continue;
        s->nodes[node].channel = channel;
        if (!add_keys(r, channel)) return false;
    }
    for (uint32_t i = 0; i < s->node_count; i++)
        s->nodes[i].is_moving =
            s->nodes[i].channel != NULL ||
            (s->nodes[i].parent != NONE && s->nodes[s->nodes[i].parent].is_moving);
    return true;
}

/* ---- meshes ---- */

/* Polygons are cut as those of other files. */
static bool make_mesh(assimp_reader *r, const struct aiMesh *from, clip_mesh *out)
{
    io_memory *m = r->c->memory;
    const mesh_input input = {.memory = m, .path = r->path, .no_weld = true};
    mesh_file file = {0};
    mesh_part part = {.mesh.vertex_count = from->mNumVertices};
    face_list faces = {0};
    part.mesh.positions = io_alloc(m, 3 * (uint64_t)from->mNumVertices, sizeof(float));
    bool is_made = part.mesh.positions != NULL;
    for (uint32_t i = 0; is_made && i < from->mNumVertices; i++) {
        const struct aiVector3D *p = &from->mVertices[i];
        const float xyz[3] = {(float)p->x, (float)p->y, (float)p->z};
        memcpy(part.mesh.positions + 3 * (size_t)i, xyz, sizeof xyz);
    }
    for (uint32_t i = 0; is_made && i < from->mNumFaces; i++) {
        const struct aiFace *face = &from->mFaces[i];
        bool is_whole = face->mNumIndices >= 3;
        for (uint32_t k = 0; k < face->mNumIndices; k++)
            is_whole = is_whole && face->mIndices[k] < from->mNumVertices;
        r->left_out += !is_whole;
        if (!is_whole) continue;
        is_made = face_list_reserve(m, &faces, face->mNumIndices);
        if (!is_made) break;
        memcpy(faces.corners + faces.corner_count, face->mIndices,
               face->mNumIndices * sizeof *faces.corners);
        is_made = face_list_end_face(m, &faces, face->mNumIndices);
    }
    uint64_t bad = 0;
    if (!is_made) {
        io_free(m, part.mesh.positions);
        face_list_free(m, &faces);
        return out_of_memory(r);
    }
    if (!mesh_are_finite(part.mesh.positions, 3 * (uint64_t)from->mNumVertices, &bad)) {
        io_free(m, part.mesh.positions);
        face_list_free(m, &faces);
        return io_fail(r->error,
                       "%s: vertex %llu of mesh '%.60s' has a position that is not finite",
                       io_tail(r->path), (unsigned long long)(bad / 3), from->mName.data);
    }
    is_made = mesh_file_add(&input, &file, &part, &faces, false, r->error);
    if (is_made) {
        *out = file.parts[0].mesh;
        file.parts[0].mesh = (clip_mesh){0};
    }
    mesh_file_free(m, &file);
    return is_made;
}

static bool set_material(assimp_reader *r, const struct aiMesh *from, clip_mesh *mesh)
{
    struct aiString name;
    uint16_t number;
    if (from->mMaterialIndex >= r->s->scene->mNumMaterials ||
        aiGetMaterialString(r->s->scene->mMaterials[from->mMaterialIndex], AI_MATKEY_NAME, &name) !=
            aiReturn_SUCCESS)
        return true;
    char *text = names_copy(r->c->memory, name.data, name.length);
    const bool is_added = text != NULL && clip_add_material(r->c, text, &number);
    io_free(r->c->memory, text);
    mesh->materials = is_added ? io_alloc(r->c->memory, mesh->triangle_count, sizeof number) : NULL;
    if (mesh->materials == NULL) return out_of_memory(r);
    for (uint32_t i = 0; i < mesh->triangle_count; i++) mesh->materials[i] = number;
    return true;
}

/* ---- skins ---- */

static bool is_weight(const struct aiVertexWeight *w, uint32_t vertex_count)
{
    return w->mVertexId < vertex_count && isfinite(w->mWeight) && w->mWeight > 0;
}

/* Weights bone by bone, so joints of a vertex rise. Vertices without any go with the node. */
static bool fill_weights(assimp_reader *r, const struct aiMesh *from, clip_body *body)
{
    clip_skin *skin = &body->skin;
    const uint32_t vertex_count = body->mesh.vertex_count, own = from->mNumBones;
    uint64_t total = vertex_count;
    for (uint32_t b = 0; b < from->mNumBones; b++) total += from->mBones[b]->mNumWeights;
    if (total >= UINT32_MAX) return io_fail(r->error, "%s: too many weights", io_tail(r->path));
    skin->first = io_alloc(r->c->memory, (uint64_t)vertex_count + 2, sizeof *skin->first);
    skin->joints = io_alloc(r->c->memory, total, sizeof *skin->joints);
    skin->weights = io_alloc(r->c->memory, total, sizeof *skin->weights);
    if (skin->first == NULL || skin->joints == NULL || skin->weights == NULL)
        return out_of_memory(r);
    uint32_t *next = skin->first + 1; /* counts, then places, then ends: first[v + 1] */
    for (uint32_t b = 0; b < from->mNumBones; b++)
        for (uint32_t i = 0; i < from->mBones[b]->mNumWeights; i++) {
            const struct aiVertexWeight *w = &from->mBones[b]->mWeights[i];
            if (is_weight(w, vertex_count)) next[w->mVertexId]++;
        }
    uint32_t place = 0;
    for (uint32_t v = 0; v < vertex_count; v++) {
        const uint32_t count = next[v] > 0 ? next[v] : 1;
        const bool is_free = next[v] == 0;
        skin->joints[place] = own;
        skin->weights[place] = 1;
        next[v] = is_free ? place + 1 : place;
        place += count;
    }
    for (uint32_t b = 0; b < from->mNumBones; b++)
        for (uint32_t i = 0; i < from->mBones[b]->mNumWeights; i++) {
            const struct aiVertexWeight *w = &from->mBones[b]->mWeights[i];
            if (!is_weight(w, vertex_count)) continue;
            skin->joints[next[w->mVertexId]] = b;
            skin->weights[next[w->mVertexId]++] = w->mWeight;
        }
    for (uint32_t v = 0; v < vertex_count; v++)
        for (uint32_t i = skin->first[v] + 1; i < skin->first[v + 1]; i++)
            if (skin->joints[i] <= skin->joints[i - 1])
                return io_fail(r->error, "%s: a bone of mesh '%.60s' names vertex %u twice",
                               io_tail(r->path), from->mName.data, v);
    return true;
}

/* A joint for each bone, and one for the node itself, which moves what no bone does. */
static bool make_skin(assimp_reader *r, const struct aiMesh *from, uint32_t node, clip_body *body,
                      assimp_body *out)
{
    io_memory *m = r->c->memory;
    const uint32_t count = from->mNumBones + 1;
    body->motion = CLIP_SKIN;
    body->skin.inverse_bind = io_alloc(m, count, sizeof *body->skin.inverse_bind);
    out->joints = io_alloc(m, count, sizeof *out->joints);
    if (body->skin.inverse_bind == NULL || out->joints == NULL) return out_of_memory(r);
    body->skin.joint_count = out->joint_count = count;
    for (uint32_t i = 0; i < from->mNumBones; i++) {
        if (!find_node(r, &from->mBones[i]->mName, &out->joints[i])) return false;
        if (out->joints[i] == NONE) out->joints[i] = node;
        matrix_of(&from->mBones[i]->mOffsetMatrix, body->skin.inverse_bind[i]);
    }
    out->joints[count - 1] = node;
    for (int k = 0; k < 3; k++) body->skin.inverse_bind[count - 1][5 * k] = 1;
    return fill_weights(r, from, body);
}

/* What nothing moves is where its node is. */
static void bake(clip_mesh *mesh, const double m[12])
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        float *p = mesh->positions + 3 * (size_t)v;
        const double at[3] = {(double)p[0], (double)p[1], (double)p[2]};
        for (int i = 0; i < 3; i++)
            p[i] = (float)(m[4 * i] * at[0] + m[4 * i + 1] * at[1] + m[4 * i + 2] * at[2] +
                           m[4 * i + 3]);
    }
}

/* ---- bodies ---- */

static bool add_body(assimp_reader *r, uint32_t node, const struct aiMesh *from,
                     const double world[12])
{
    assimp_scene *s = r->s;
    io_memory *m = r->c->memory;
    const struct aiString *name = &s->nodes[node].node->mName;
    if (!IO_RESERVE_ONE(m, s->bodies, s->body_count, s->body_capacity)) return out_of_memory(r);
    char *text = name->length > 0 ? names_copy(m, name->data, name->length)
                                  : names_copy(m, from->mName.data, from->mName.length);
    clip_body *body = text != NULL ? clip_add_body(r->c, text) : NULL;
    io_free(m, text);
    if (body == NULL) return out_of_memory(r);
    assimp_body *made = &s->bodies[s->body_count++];
    *made = (assimp_body){0};
    if (!make_mesh(r, from, &body->mesh) || !set_material(r, from, &body->mesh)) return false;
    if (s->nodes[node].is_moving || from->mNumBones > 0) {
        if (!make_skin(r, from, node, body, made)) return false;
    } else {
        bake(&body->mesh, world);
    }
    return r->options->no_weld || weld_body(m, body) || out_of_memory(r);
}

static bool add_bodies(assimp_reader *r, double (*world)[12])
{
    const assimp_scene *s = r->s;
    place_nodes(s, 0, world);
    for (uint32_t i = 0; i < s->node_count; i++)
        for (uint32_t k = 0; k < s->nodes[i].node->mNumMeshes; k++) {
            const uint32_t mesh = s->nodes[i].node->mMeshes[k];
            if (mesh < s->scene->mNumMeshes && !add_body(r, i, s->scene->mMeshes[mesh], world[i]))
                return false;
        }
    return true;
}

static bool has_morphs(const struct aiScene *scene)
{
    for (uint32_t i = 0; i < scene->mNumMeshes; i++)
        if (scene->mMeshes[i]->mNumAnimMeshes > 0) return true;
    return false;
}

static bool add_notes(assimp_reader *r)
{
    bool is_added =
        clip_add_note(r->c, "%s: read through Assimp %u.%u, which makes cubic keys linear%s",
                      io_tail(r->path), aiGetVersionMajor(), aiGetVersionMinor(),
                      has_morphs(r->s->scene) ? "; morph targets were left at rest" : "");
    if (is_added && r->left_out > 0)
        is_added = clip_add_note(r->c, "%s: %u points and lines were left out", io_tail(r->path),
                                 r->left_out);
    return is_added || out_of_memory(r);
}

static bool read_scene(assimp_reader *r)
{
    io_memory *m = r->c->memory;
    name_list names = {0};
    if (!list_nodes(r)) return false;
    double(*world)[12] = io_alloc(m, r->s->node_count, sizeof *world);
    r->names = &names;
    r->first_of = io_alloc(m, r->s->node_count, sizeof *r->first_of);
    bool is_read = r->first_of != NULL && world != NULL && name_nodes(r);
    if (!is_read) (void)out_of_memory(r);
    is_read = is_read && take_animation(r) && add_bodies(r, world) && add_notes(r);
    names_free(m, &names);
    io_free(m, r->first_of);
    io_free(m, world);
    return is_read;
}

/* Assimp has memory of its own, of which only an estimate can be held against the limit. */
static bool import(assimp_reader *r)
{
    struct stat about;
    const uint64_t size = stat(r->path, &about) == 0 ? (uint64_t)about.st_size : 0;
    if (!io_reserve(r->c->memory, 10 * size)) return out_of_memory(r);
    r->s->scene = aiImportFile(r->path, aiProcess_ValidateDataStructure);
    io_unreserve(r->c->memory, 10 * size);
    if (r->s->scene != NULL && r->s->scene->mRootNode != NULL) return true;
    char words[200];
    (void)snprintf(words, sizeof words, "%s", aiGetErrorString());
    for (char *at = words; *at != '\0'; at++)
        if (*at < ' ' || *at > '~') *at = ' ';
    return io_fail(r->error, "%s: Assimp cannot read it: %s", io_tail(r->path), words);
}

bool assimp_add(clip *c, const char *path, const clip_options *options, io_error *error)
{
    assimp_reader r = {.c = c, .path = path, .options = options, .error = error};
    const uint32_t first_body = c->body_count;
    r.s = io_alloc(c->memory, 1, sizeof *r.s);
    if (r.s == NULL) return out_of_memory(&r);
    c->has_choices = true;
    if (!import(&r) || !read_scene(&r)) {
        close_scene(c, r.s);
        return false;
    }
    return clip_add_part(c, first_body, &scene_source, r.s) || out_of_memory(&r);
}

#endif
