/* gltf_mesh.c - primitives of a mesh, put together: one body each.
 * Way in: gltf_mesh_read. First all primitives are measured, then memory is taken once, then it is
 * filled. */
#include "io/gltf_scene.h"

#include <math.h>
#include <stdio.h>

enum { TRIANGLES = 4, STRIP = 5, FAN = 6 };

/* One primitive: where its vertices and triangles go, and what they are read from. */
typedef struct primitive {
    gltf_item item;
    bool is_skipped; /* points or lines */
    uint32_t mode, material, position, indices;
    uint32_t vertex_count, triangle_count, corner_count;
    uint32_t first_vertex, first_triangle;
    bool shares; /* its vertices are those of the one before */
    uint32_t joint_sets;
} primitive;

typedef struct mesh_reader {
    gltf_doc *d;
    gltf_item item;
    primitive *primitives;
    uint32_t primitive_count, target_count;
    uint64_t vertex_count, triangle_count;
    bool has_materials;
    uint32_t joint_sets; /* JOINTS_n and WEIGHTS_n of each vertex */
    clip_body *out;
} mesh_reader;

/* ---- measuring ---- */

static bool get_attributes(mesh_reader *r, const primitive *p, gltf_item *out)
{
    *out = p->item;
    if (!gltf_object(r->d, &p->item, "attributes", &out->json)) return false;
    if (out->json == NULL) return gltf_refuse(r->d, &p->item, "attributes is missing");
    return true;
}

/* Positions and offsets: floats, or integers where the file says that it has such. */
static bool check_position(gltf_doc *d, const gltf_accessor *a, bool is_offset)
{
    const bool is_small = a->component != GLTF_F32 && a->component != GLTF_U32;
    const bool is_unsigned = a->component == GLTF_U8 || a->component == GLTF_U16;
    if (a->width != 3) return gltf_refuse(d, &a->item, "is for positions, and is not VEC3");
    if (a->component == GLTF_F32) return true;
    if (!is_small || !d->is_quantized || (is_offset && is_unsigned))
        return gltf_refuse(d, &a->item, "has integers that positions cannot be made of");
    return true;
}

/* Attributes begin and follow each other at multiples of four bytes. */
static bool check_alignment(gltf_doc *d, const gltf_accessor *a)
{
    if (a->data == NULL || (a->offset % 4 == 0 && (a->stride % 4 == 0 || a->count == 1)))
        return true;
    return gltf_refuse(d, &a->item, "its elements are not at multiples of 4 bytes");
}

/* An attribute of a primitive, by its accessor. */
static bool get_attribute(mesh_reader *r, const gltf_item *attributes, const char *name,
                          gltf_accessor *out)
{
    uint32_t index;
    return gltf_need_index(r->d, attributes, name, GLTF_ACCESSOR, &index) &&
           gltf_accessor_get(r->d, index, out) && check_alignment(r->d, out);
}

/* Positions and corners that the file has no bytes for are all 0, so they are cheap to write down
 * and all in one spot, where each triangle meets each other one. */
static bool check_filled(gltf_doc *d, const gltf_accessor *a)
{
    enum { MOST_EMPTY = 1 << 16 };
    if (a->data != NULL || a->count - a->sparse_count <= MOST_EMPTY) return true;
    return gltf_refuse(d, &a->item, "has %u elements, and bytes for %u of them", a->count,
                       a->sparse_count);
}

static bool check_count(mesh_reader *r, const primitive *p, const gltf_accessor *a)
{
    if (a->count == p->vertex_count) return true;
    return gltf_refuse(r->d, &p->item, "has %u positions, and %u of accessor %u", p->vertex_count,
                       a->count, a->item.index);
}

static void set_name(const char *word, uint32_t number, char out[32])
{
    (void)snprintf(out, 32, "%s_%u", word, number);
}

/* JOINTS_0 and WEIGHTS_0, then those of 1, and so on. */
static bool count_joint_sets(mesh_reader *r, primitive *p, const gltf_item *attributes)
{
    for (uint32_t i = 0; i < 64; i++) {
        char joints[32], weights[32];
        set_name("JOINTS", i, joints);
        set_name("WEIGHTS", i, weights);
        const bool has_joints = json_object_get(attributes->json, joints) != NULL;
        const bool has_weights = json_object_get(attributes->json, weights) != NULL;
        if (has_joints != has_weights)
            return gltf_refuse(r->d, &p->item, "has %s alone", has_joints ? joints : weights);
        if (!has_joints) break;
        p->joint_sets = i + 1;
    }
    return true;
}

static bool measure_vertices(mesh_reader *r, primitive *p)
{
    gltf_item attributes;
    gltf_accessor a;
    if (!get_attributes(r, p, &attributes) ||
        !gltf_need_index(r->d, &attributes, "POSITION", GLTF_ACCESSOR, &p->position) ||
        !get_attribute(r, &attributes, "POSITION", &a) || !check_filled(r->d, &a) ||
        !check_position(r->d, &a, false))
        return false;
    p->vertex_count = p->corner_count = a.count;
    return count_joint_sets(r, p, &attributes);
}

static bool measure_triangles(mesh_reader *r, primitive *p)
{
    if (p->indices != GLTF_NONE) {
        gltf_accessor a;
        if (!gltf_accessor_get(r->d, p->indices, &a) || !check_filled(r->d, &a)) return false;
        if (a.width != 1 || a.has_stride)
            return gltf_refuse(r->d, &a.item, "is for indices, and is not a plain list of scalars");
        p->corner_count = a.count;
    }
    p->triangle_count = p->mode == TRIANGLES  ? p->corner_count / 3
                        : p->corner_count < 3 ? 0
                                              : p->corner_count - 2;
    return true;
}

/* Primitives often differ by material alone, and have the same vertices. */
static bool has_same_vertices(const primitive *a, const primitive *b)
{
    return json_equal(json_object_get(a->item.json, "attributes"),
                      json_object_get(b->item.json, "attributes")) &&
           (json_object_get(a->item.json, "targets") == json_object_get(b->item.json, "targets") ||
            json_equal(json_object_get(a->item.json, "targets"),
                       json_object_get(b->item.json, "targets")));
}

static bool measure_targets(mesh_reader *r, primitive *p)
{
    const json_t *targets;
    if (!gltf_array(r->d, &p->item, "targets", &targets)) return false;
    if (json_array_size(targets) == r->target_count) return true;
    return gltf_refuse(r->d, &p->item, "has %zu morph targets, and the first primitive %u",
                       json_array_size(targets), r->target_count);
}

static bool measure_primitive(mesh_reader *r, primitive *p, const primitive *before)
{
    uint64_t mode = TRIANGLES;
    if (!gltf_uint(r->d, &p->item, "mode", FAN, &mode) ||
        !gltf_index(r->d, &p->item, "material", GLTF_MATERIAL, &p->material) ||
        !gltf_index(r->d, &p->item, "indices", GLTF_ACCESSOR, &p->indices) ||
        !measure_targets(r, p))
        return false;
    p->mode = (uint32_t)mode;
    p->is_skipped = mode < TRIANGLES;
    if (p->is_skipped) return true;
    if (!measure_vertices(r, p) || !measure_triangles(r, p)) return false;
    p->shares = before != NULL && has_same_vertices(p, before);
    p->first_vertex = p->shares ? before->first_vertex : (uint32_t)r->vertex_count;
    p->first_triangle = (uint32_t)r->triangle_count;
    if (!p->shares) r->vertex_count += p->vertex_count;
    r->triangle_count += p->triangle_count;
    if (r->vertex_count >= UINT32_MAX / 3 || r->triangle_count >= UINT32_MAX / 3)
        return gltf_refuse(r->d, &p->item, "has too many vertices or triangles");
    if (p->material != GLTF_NONE) r->has_materials = true;
    return true;
}

static bool measure(mesh_reader *r, const json_t *list, uint32_t *skipped)
{
    const primitive *before = NULL;
    for (uint32_t i = 0; i < r->primitive_count; i++) {
        primitive *p = &r->primitives[i];
        if (!gltf_part_get(r->d, &r->item, list, "primitive", i, &p->item) ||
            !measure_primitive(r, p, before))
            return false;
        if (p->is_skipped) {
            *skipped += 1;
            continue;
        }
        if (before == NULL) r->joint_sets = p->joint_sets;
        if ((p->joint_sets == 0) != (r->joint_sets == 0))
            return gltf_refuse(r->d, &p->item, "%s joints, unlike the first primitive",
                               p->joint_sets == 0 ? "has no" : "has");
        before = p;
    }
    return true;
}

/* ---- vertices ---- */

static bool allocate(mesh_reader *r)
{
    io_memory *m = r->d->memory;
    clip_mesh *mesh = &r->out->mesh;
    clip_morph *morph = &r->out->morph;
    mesh->positions = io_alloc(m, 3 * r->vertex_count, sizeof *mesh->positions);
    mesh->indices = io_alloc(m, 3 * r->triangle_count, sizeof *mesh->indices);
    if (mesh->positions == NULL || mesh->indices == NULL) return false;
    if (r->has_materials) {
        mesh->materials = io_alloc(m, r->triangle_count, sizeof *mesh->materials);
        if (mesh->materials == NULL) return false;
    }
    mesh->vertex_count = (uint32_t)r->vertex_count;
    mesh->triangle_count = (uint32_t)r->triangle_count;
    if (r->target_count == 0) return true;
    morph->offsets = io_alloc(m, r->target_count, sizeof *morph->offsets);
    if (morph->offsets == NULL) return false;
    for (; morph->target_count < r->target_count; morph->target_count++) {
        float *offsets = io_alloc(m, 3 * r->vertex_count, sizeof *offsets);
        if (offsets == NULL) return false;
        morph->offsets[morph->target_count] = offsets;
    }
    return true;
}

static bool fill_positions(mesh_reader *r, const primitive *p)
{
    gltf_accessor a;
    return gltf_accessor_get(r->d, p->position, &a) &&
           gltf_accessor_floats(r->d, &a, r->out->mesh.positions + 3 * (size_t)p->first_vertex);
}

static bool fill_targets(mesh_reader *r, const primitive *p)
{
    const json_t *targets;
    if (!gltf_array(r->d, &p->item, "targets", &targets)) return false;
    for (uint32_t i = 0; i < r->target_count; i++) {
        gltf_accessor a;
        gltf_item target = p->item;
        target.json = json_array_get(targets, i);
        if (!json_is_object(target.json))
            return gltf_refuse(r->d, &p->item, "target %u is not an object", i);
        if (json_object_get(target.json, "POSITION") == NULL) continue;
        if (!get_attribute(r, &target, "POSITION", &a) || !check_position(r->d, &a, true) ||
            !check_count(r, p, &a) ||
            !gltf_accessor_floats(r->d, &a, r->out->morph.offsets[i] + 3 * (size_t)p->first_vertex))
            return false;
    }
    return true;
}

/* ---- triangles ---- */

/* Corner k of triangle t in a list of indices, as the specification numbers them. */
static uint32_t corner_at(uint32_t mode, uint32_t t, uint32_t k)
{
    if (mode == TRIANGLES) return 3 * t + k;
    if (mode == FAN) return k == 2 ? 0 : t + k + 1;
    return k == 0 ? t : k == 1 ? t + 1 + t % 2 : t + 2 - t % 2;
}

static bool check_indices(mesh_reader *r, const primitive *p, const uint32_t *list)
{
    for (uint32_t i = 0; i < p->corner_count; i++)
        if (list[i] >= p->vertex_count)
            return gltf_refuse(r->d, &p->item, "index %u names vertex %u of %u", i, list[i],
                               p->vertex_count);
    return true;
}

/* The indices of a primitive; NULL in `out` if it has none. In memory of the caller. */
static bool read_indices(mesh_reader *r, const primitive *p, uint32_t **out)
{
    gltf_accessor a;
    *out = NULL;
    if (p->indices == GLTF_NONE) return true;
    if (!gltf_accessor_get(r->d, p->indices, &a)) return false;
    *out = io_alloc(r->d->memory, p->corner_count, sizeof **out);
    if (*out == NULL) return gltf_fail_memory(r->d);
    return gltf_accessor_uints(r->d, &a, *out) && check_indices(r, p, *out);
}

static void put_triangles(mesh_reader *r, const primitive *p, const uint32_t *list)
{
    uint32_t *out = r->out->mesh.indices + 3 * (size_t)p->first_triangle;
    for (uint32_t t = 0; t < p->triangle_count; t++)
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t corner = corner_at(p->mode, t, k);
            out[3 * (size_t)t + k] = p->first_vertex + (list == NULL ? corner : list[corner]);
        }
}

static bool fill_triangles(mesh_reader *r, const primitive *p)
{
    uint32_t *list;
    const bool is_read = read_indices(r, p, &list);
    if (is_read) put_triangles(r, p, list);
    io_free(r->d->memory, list);
    return is_read;
}

static bool fill_materials(mesh_reader *r, const primitive *p)
{
    gltf_item item;
    uint16_t number = 0;
    char *name = NULL;
    if (!r->has_materials) return true;
    if (p->material != GLTF_NONE) {
        if (!gltf_item_get(r->d, GLTF_MATERIAL, p->material, &item)) return false;
        name = gltf_name(r->d, &item, "material");
        if (name == NULL) return gltf_fail_memory(r->d);
    }
    const bool is_added = clip_add_material(r->d->clip, name ? name : "default material", &number);
    io_free(r->d->memory, name);
    if (!is_added && r->d->clip->material_count == UINT16_MAX)
        return gltf_refuse(r->d, &p->item, "is beyond 65,535 materials");
    if (!is_added) return gltf_fail_memory(r->d);
    for (uint32_t t = 0; t < p->triangle_count; t++)
        r->out->mesh.materials[p->first_triangle + t] = number;
    return true;
}

/* ---- joints and weights ---- */

/* What one vertex has: joints in rising order, none twice. */
typedef struct influences {
    uint32_t count;
    uint32_t joints[4 * 64];
    double weights[4 * 64];
} influences;

static void add_influence(influences *f, uint32_t joint, double weight)
{
    uint32_t at = f->count;
    while (at > 0 && f->joints[at - 1] > joint) at--;
    if (at > 0 && f->joints[at - 1] == joint) {
        f->weights[at - 1] += weight;
        return;
    }
    for (uint32_t i = f->count++; i > at; i--) {
        f->joints[i] = f->joints[i - 1];
        f->weights[i] = f->weights[i - 1];
    }
    f->joints[at] = joint;
    f->weights[at] = weight;
}

/* Sets of four joints and weights of all vertices of a primitive, one set after the other. */
typedef struct joint_sets {
    uint32_t *joints;
    float *weights;
} joint_sets;

static bool read_joint_set(mesh_reader *r, const primitive *p, const gltf_item *attributes,
                           uint32_t set, const joint_sets *out)
{
    gltf_accessor joints, weights;
    char name[32];
    const size_t first = 4 * (size_t)set * p->vertex_count;
    set_name("JOINTS", set, name);
    if (!get_attribute(r, attributes, name, &joints) || !check_count(r, p, &joints)) return false;
    set_name("WEIGHTS", set, name);
    if (!get_attribute(r, attributes, name, &weights) || !check_count(r, p, &weights)) return false;
    if (joints.width != 4 || joints.component == GLTF_U32)
        return gltf_refuse(r->d, &joints.item, "is for joints, and has another format");
    const bool is_unsigned = weights.component == GLTF_U8 || weights.component == GLTF_U16;
    if (weights.width != 4 ||
        !(weights.component == GLTF_F32 || (is_unsigned && weights.is_normalized)))
        return gltf_refuse(r->d, &weights.item, "is for weights, and has another format");
    return gltf_accessor_uints(r->d, &joints, out->joints + first) &&
           gltf_accessor_floats(r->d, &weights, out->weights + first);
}

static bool gather(mesh_reader *r, const primitive *p, const joint_sets *sets, uint32_t v,
                   influences *f)
{
    f->count = 0;
    for (uint32_t set = 0; set < p->joint_sets; set++)
        for (uint32_t k = 0; k < 4; k++) {
            const size_t at = 4 * ((size_t)set * p->vertex_count + v) + k;
            if (sets->weights[at] < 0)
                return gltf_refuse(r->d, &p->item, "vertex %u has a weight below 0", v);
            if (sets->weights[at] > 0) add_influence(f, sets->joints[at], sets->weights[at]);
        }
    if (f->count == 0) return gltf_refuse(r->d, &p->item, "vertex %u has no weight above 0", v);
    return true;
}

static bool put_influences(mesh_reader *r, const primitive *p, const joint_sets *sets,
                           bool *is_uneven)
{
    influences f;
    clip_skin *s = &r->out->skin;
    for (uint32_t v = 0; v < p->vertex_count; v++) {
        double sum = 0;
        const uint32_t first = s->first[p->first_vertex + v];
        if (!gather(r, p, sets, v, &f)) return false;
        for (uint32_t i = 0; i < f.count; i++) {
            s->joints[first + i] = f.joints[i];
            s->weights[first + i] = (float)f.weights[i];
            sum += f.weights[i];
            if (f.joints[i] >= s->joint_count) s->joint_count = f.joints[i] + 1;
        }
        s->first[p->first_vertex + v + 1] = first + f.count;
        if (fabs(sum - 1) > 0.02) *is_uneven = true;
    }
    return true;
}

static bool fill_joints(mesh_reader *r, const primitive *p)
{
    io_memory *m = r->d->memory;
    gltf_item attributes;
    bool is_uneven = false, is_read = false;
    const uint64_t count = 4 * (uint64_t)p->joint_sets * p->vertex_count;
    joint_sets sets = {.joints = io_alloc(m, count, sizeof *sets.joints)};
    if (sets.joints != NULL) sets.weights = io_alloc(m, count, sizeof *sets.weights);
    if (sets.weights == NULL)
        (void)gltf_fail_memory(r->d);
    else
        is_read = get_attributes(r, p, &attributes);
    for (uint32_t i = 0; is_read && i < p->joint_sets; i++)
        is_read = read_joint_set(r, p, &attributes, i, &sets);
    is_read = is_read && put_influences(r, p, &sets, &is_uneven);
    io_free(m, sets.joints);
    io_free(m, sets.weights);
    if (!is_read || !is_uneven) return is_read;
    return clip_add_note(r->d->clip, "%s: mesh %u: weights that do not sum to 1 are normalised",
                         io_tail(r->d->path), r->item.index) ||
           gltf_fail_memory(r->d);
}

static bool allocate_joints(mesh_reader *r)
{
    uint64_t count = 0;
    io_memory *m = r->d->memory;
    clip_skin *s = &r->out->skin;
    for (uint32_t i = 0; i < r->primitive_count; i++)
        if (!r->primitives[i].shares)
            count += 4 * (uint64_t)r->primitives[i].joint_sets * r->primitives[i].vertex_count;
    if (count > UINT32_MAX) return gltf_refuse(r->d, &r->item, "has too many joints and weights");
    s->first = io_alloc(m, r->vertex_count + 1, sizeof *s->first);
    s->joints = io_alloc(m, count, sizeof *s->joints);
    s->weights = io_alloc(m, count, sizeof *s->weights);
    if (s->first == NULL || s->joints == NULL || s->weights == NULL) return gltf_fail_memory(r->d);
    return true;
}

/* ---- all of it ---- */

static bool fill(mesh_reader *r)
{
    if (!allocate(r)) return gltf_fail_memory(r->d);
    if (r->joint_sets > 0 && !allocate_joints(r)) return false;
    for (uint32_t i = 0; i < r->primitive_count; i++) {
        const primitive *p = &r->primitives[i];
        if (p->is_skipped) continue;
        if (!p->shares && (!fill_positions(r, p) || !fill_targets(r, p) ||
                           (r->joint_sets > 0 && !fill_joints(r, p))))
            return false;
        if (!fill_triangles(r, p) || !fill_materials(r, p)) return false;
    }
    return true;
}

bool gltf_mesh_targets(gltf_doc *d, uint32_t mesh, uint32_t *out)
{
    gltf_item item, first;
    const json_t *list, *targets;
    *out = 0;
    if (!gltf_item_get(d, GLTF_MESH, mesh, &item) || !gltf_array(d, &item, "primitives", &list))
        return false;
    if (list == NULL) return gltf_refuse(d, &item, "primitives is missing");
    if (!gltf_part_get(d, &item, list, "primitive", 0, &first) ||
        !gltf_array(d, &first, "targets", &targets))
        return false;
    *out = (uint32_t)json_array_size(targets);
    return true;
}

/* Weights of the mesh; zeros where it says none. */
static bool read_mesh_weights(gltf_doc *d, const gltf_item *item, uint32_t count, gltf_shape *out)
{
    bool is_there;
    if (count == 0) return true;
    double *numbers = io_alloc(d->memory, count, sizeof *numbers);
    out->weights = io_alloc(d->memory, count, sizeof *out->weights);
    bool is_read = numbers != NULL && out->weights != NULL;
    if (!is_read)
        (void)gltf_fail_memory(d);
    else
        is_read = gltf_numbers(d, item, "weights", count, numbers, &is_there);
    for (uint32_t i = 0; is_read && is_there && i < count; i++) out->weights[i] = (float)numbers[i];
    io_free(d->memory, numbers);
    return is_read;
}

bool gltf_mesh_read(gltf_doc *d, uint32_t mesh, gltf_shape *out, uint32_t *skipped)
{
    const json_t *list;
    mesh_reader r = {.d = d, .out = &out->body};
    out->is_made = true;
    if (!gltf_mesh_targets(d, mesh, &r.target_count) ||
        !gltf_item_get(d, GLTF_MESH, mesh, &r.item) ||
        !gltf_array(d, &r.item, "primitives", &list) ||
        !read_mesh_weights(d, &r.item, r.target_count, out))
        return false;
    r.primitive_count = (uint32_t)json_array_size(list);
    r.primitives = io_alloc(d->memory, r.primitive_count, sizeof *r.primitives);
    if (r.primitives == NULL) return gltf_fail_memory(d);
    const bool is_read = measure(&r, list, skipped) && fill(&r);
    io_free(d->memory, r.primitives);
    return is_read;
}
