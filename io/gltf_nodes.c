/* gltf_nodes.c - nodes of one scene: a forest, checked before anything walks it.
 * Way in: gltf_nodes_read, then gltf_nodes_settle, then gltf_nodes_at for each frame. */
#include "io/gltf_scene.h"

#include <assert.h>
#include <math.h>

/* How far from one the length of a rotation may be, as gltf-validator has it: what is left of one
 * in bytes. */
static const double rotation_tolerance = 0.00769;

/* ---- reading ---- */

/* Columns in the file, rows here. */
static bool take_matrix(gltf_doc *d, const gltf_item *item, const double columns[16],
                        gltf_node *node)
{
    if (columns[3] != 0 || columns[7] != 0 || columns[11] != 0 || columns[15] != 1)
        return gltf_refuse(d, item, "its matrix has a last row other than 0, 0, 0, 1");
    node->is_matrix = true;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++) node->matrix[4 * i + k] = columns[4 * k + i];
    return true;
}

static bool read_transform(gltf_doc *d, const gltf_item *item, gltf_node *node)
{
    double columns[16];
    bool has_matrix, has_t, has_r, has_s;
    node->rotation[3] = node->scale[0] = node->scale[1] = node->scale[2] = 1;
    if (!gltf_numbers(d, item, "matrix", 16, columns, &has_matrix) ||
        !gltf_numbers(d, item, "translation", 3, node->translation, &has_t) ||
        !gltf_numbers(d, item, "rotation", 4, node->rotation, &has_r) ||
        !gltf_numbers(d, item, "scale", 3, node->scale, &has_s))
        return false;
    const double *q = node->rotation;
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (fabs(length - 1) > rotation_tolerance)
        return gltf_refuse(d, item, "its rotation has the length %g instead of 1", length);
    if (!has_matrix) return true;
    if (has_t || has_r || has_s)
        return gltf_refuse(d, item, "has a matrix, and translation, rotation or scale as well");
    return take_matrix(d, item, columns, node);
}

/* Weights of a node go before those of its mesh. */
static bool read_weights(gltf_doc *d, const gltf_item *item, gltf_node *node)
{
    const json_t *array;
    uint32_t count;
    if (!gltf_array(d, item, "weights", &array)) return false;
    if (array == NULL) return true;
    if (node->mesh == GLTF_NONE) return gltf_refuse(d, item, "has weights without a mesh");
    if (!gltf_mesh_targets(d, node->mesh, &count)) return false;
    if (json_array_size(array) != count)
        return gltf_refuse(d, item, "has %zu weights, and its mesh %u targets",
                           json_array_size(array), count);
    node->weights = io_alloc(d->memory, count, sizeof *node->weights);
    if (node->weights == NULL) return gltf_fail_memory(d);
    for (uint32_t i = 0; i < count; i++) {
        const json_t *json = json_array_get(array, i);
        node->weights[i] = (float)json_number_value(json);
        if (!json_is_number(json) || !isfinite(node->weights[i]))
            return gltf_refuse(d, item, "weight %u is not a finite number", i);
    }
    return true;
}

static bool read_node(gltf_doc *d, const gltf_item *item, gltf_node *node)
{
    for (int i = 0; i < GLTF_PATH_COUNT; i++) node->channels[i] = GLTF_NONE;
    if (!gltf_index(d, item, "mesh", GLTF_MESH, &node->mesh) ||
        !gltf_index(d, item, "skin", GLTF_SKIN, &node->skin))
        return false;
    if (node->skin != GLTF_NONE && node->mesh == GLTF_NONE)
        return gltf_refuse(d, item, "has a skin without a mesh");
    return read_transform(d, item, node) && read_weights(d, item, node);
}

/* Whom each node is below. */
static bool read_children(gltf_doc *d, const gltf_item *item, gltf_scene *s)
{
    const json_t *children;
    if (!gltf_array(d, item, "children", &children)) return false;
    s->nodes[item->index].has_children = children != NULL;
    for (size_t i = 0; i < json_array_size(children); i++) {
        uint32_t child;
        if (!gltf_index_at(d, item, children, i, GLTF_NODE, &child)) return false;
        if (s->nodes[child].parent != GLTF_NONE)
            return gltf_refuse(d, item, "has node %u as a child, which is below node %u already",
                               child, s->nodes[child].parent);
        s->nodes[child].parent = item->index;
    }
    return true;
}

/* ---- the scene ---- */

/* Appends the nodes below those that are in the order from `from` on. Each has one parent, so that
 * each is met once. */
static bool add_below(gltf_doc *d, gltf_scene *s, uint32_t from)
{
    for (uint32_t i = from; i < s->order_count; i++) {
        gltf_item item;
        const json_t *children;
        if (!s->nodes[s->order[i]].has_children) continue;
        if (!gltf_item_get(d, GLTF_NODE, s->order[i], &item) ||
            !gltf_array(d, &item, "children", &children))
            return false;
        for (size_t k = 0; k < json_array_size(children); k++) {
            uint32_t child;
            if (!gltf_index_at(d, &item, children, k, GLTF_NODE, &child)) return false;
            s->order[s->order_count++] = child;
        }
    }
    return true;
}

/* Nodes that are below no root are below themselves. */
static bool check_loops(gltf_doc *d, gltf_scene *s)
{
    gltf_item item;
    s->order_count = 0;
    for (uint32_t i = 0; i < s->node_count; i++)
        if (s->nodes[i].parent == GLTF_NONE) s->order[s->order_count++] = i;
    if (!add_below(d, s, 0)) return false;
    if (s->order_count == s->node_count) return true;
    for (uint32_t i = 0; i < s->order_count; i++) s->nodes[s->order[i]].is_in_scene = true;
    uint32_t lost = 0;
    while (s->nodes[lost].is_in_scene) lost++;
    return gltf_item_get(d, GLTF_NODE, lost, &item) && gltf_refuse(d, &item, "is below itself");
}

static bool add_roots(gltf_doc *d, const gltf_item *scene, gltf_scene *s)
{
    const json_t *roots;
    if (!gltf_array(d, scene, "nodes", &roots)) return false;
    for (size_t i = 0; i < json_array_size(roots); i++) {
        uint32_t root;
        if (!gltf_index_at(d, scene, roots, i, GLTF_NODE, &root)) return false;
        if (s->nodes[root].parent != GLTF_NONE)
            return gltf_refuse(d, scene, "has node %u, which is below node %u", root,
                               s->nodes[root].parent);
        if (s->nodes[root].is_in_scene) return gltf_refuse(d, scene, "has node %u twice", root);
        s->nodes[root].is_in_scene = true;
        s->order[s->order_count++] = root;
    }
    return true;
}

/* Which scene: the one that is asked for, that of the file, or the first. */
static bool choose_scene(gltf_doc *d, uint32_t *out)
{
    const gltf_item top = {.json = d->root, .kind = GLTF_SCENE};
    *out = GLTF_NONE;
    if (d->options->scene != NULL) return gltf_find(d, GLTF_SCENE, d->options->scene, out);
    if (!gltf_index(d, &top, "scene", GLTF_SCENE, out)) return false;
    if (*out == GLTF_NONE && d->counts[GLTF_SCENE] > 0) *out = 0;
    return *out == GLTF_NONE || gltf_note_choice(d, GLTF_SCENE, *out);
}

static bool order_scene(gltf_doc *d, gltf_scene *s)
{
    uint32_t number;
    gltf_item scene;
    if (!check_loops(d, s) || !choose_scene(d, &number)) return false;
    if (number != GLTF_NONE) { /* a file without scenes: all nodes, in the order that is there */
        s->order_count = 0;
        if (!gltf_item_get(d, GLTF_SCENE, number, &scene) || !add_roots(d, &scene, s) ||
            !add_below(d, s, 0))
            return false;
    }
    for (uint32_t i = 0; i < s->order_count; i++) s->nodes[s->order[i]].is_in_scene = true;
    return true;
}

bool gltf_nodes_read(gltf_doc *d, gltf_scene *s)
{
    gltf_item item;
    const uint32_t count = d->counts[GLTF_NODE];
    s->nodes = io_alloc(d->memory, count, sizeof *s->nodes);
    if (s->nodes == NULL) return gltf_fail_memory(d);
    s->node_count = count;
    s->order = io_alloc(d->memory, count, sizeof *s->order);
    if (s->order == NULL) return gltf_fail_memory(d);
    for (uint32_t i = 0; i < count; i++) s->nodes[i].parent = GLTF_NONE;
    for (uint32_t i = 0; i < count; i++)
        if (!gltf_item_get(d, GLTF_NODE, i, &item) || !read_node(d, &item, &s->nodes[i]) ||
            !read_children(d, &item, s))
            return false;
    return order_scene(d, s);
}

/* ---- where they are ---- */

static const double *value_at(const gltf_scene *s, const gltf_node *node, gltf_path path,
                              double time, const double *rest, double out[4])
{
    float value[4];
    if (node->channels[path] == GLTF_NONE) return rest;
    gltf_channel_at(&s->channels[node->channels[path]], time, value);
    for (int k = 0; k < (path == GLTF_ROTATION ? 4 : 3); k++) out[k] = value[k];
    return out;
}

static void local_at(const gltf_scene *s, const gltf_node *node, double time, double out[12])
{
    double t[4], q[4], k[4];
    if (node->is_matrix) {
        memcpy(out, node->matrix, sizeof node->matrix);
        return;
    }
    gltf_compose(value_at(s, node, GLTF_TRANSLATION, time, node->translation, t),
                 value_at(s, node, GLTF_ROTATION, time, node->rotation, q),
                 value_at(s, node, GLTF_SCALE, time, node->scale, k), out);
}

static void local_at_rest(const gltf_node *node, double out[12])
{
    if (node->is_matrix)
        memcpy(out, node->matrix, sizeof node->matrix);
    else
        gltf_compose(node->translation, node->rotation, node->scale, out);
}

/* Parents come before their children. */
static void put_below(const gltf_scene *s, uint32_t node, const double local[12],
                      double (*world)[12])
{
    const uint32_t parent = s->nodes[node].parent;
    if (parent == GLTF_NONE)
        memcpy(world[node], local, sizeof world[node]);
    else
        gltf_multiply(world[parent], local, world[node]);
}

void gltf_nodes_at(const gltf_scene *s, double time, double (*world)[12])
{
    double local[12];
    for (uint32_t i = 0; i < s->order_count; i++) {
        if (!s->nodes[s->order[i]].is_moving) continue;
        local_at(s, &s->nodes[s->order[i]], time, local);
        put_below(s, s->order[i], local, world);
    }
}

static bool is_animated(const gltf_node *node)
{
    return node->channels[GLTF_TRANSLATION] != GLTF_NONE ||
           node->channels[GLTF_ROTATION] != GLTF_NONE || node->channels[GLTF_SCALE] != GLTF_NONE;
}

/* ---- rigid or not ---- */

/* The factor of a matrix that only turns and scales evenly; 0 if it does something else. */
static double even_scale(const double linear[9])
{
    const double factor = cbrt(gltf_determinant(linear));
    double square[9], transposed[9];
    for (int i = 0; i < 9; i++) transposed[i] = linear[i % 3 * 3 + i / 3];
    gltf_multiply3(transposed, linear, square);
    for (int i = 0; i < 9; i++)
        if (!(fabs(square[i] - (i % 4 == 0 ? factor * factor : 0)) <= 4e-6 * factor * factor))
            return 0;
    return factor;
}

/* Whether a node turns over time by true rotations, or not at all. */
static bool turns_truly(const gltf_scene *s, const gltf_node *node)
{
    const uint32_t channel = node->channels[GLTF_ROTATION];
    return channel == GLTF_NONE || s->channels[channel].is_unit;
}

/* From the root down: as long as nothing turns over time, all matrices are one constant. At a node
 * that turns it begins anew, since only even scales can be taken past a rotation.
 *
 *   root ... R(t) S ... leaf:   even * rotations(t) * (S * ... * leaf)
 */
static void settle_constant(const gltf_scene *s, gltf_node *node)
{
    static const gltf_node top = {
        .turns_truly = true, .even = 1, .constant = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    const gltf_node *above = node->parent == GLTF_NONE ? &top : &s->nodes[node->parent];
    double local[12], linear[9];
    local_at(s, node, 0, local);
    gltf_linear(local, linear);
    node->turns_truly =
        above->turns_truly && node->channels[GLTF_SCALE] == GLTF_NONE && turns_truly(s, node);
    node->even = above->even * even_scale(linear);
    if (node->channels[GLTF_ROTATION] == GLTF_NONE) {
        gltf_multiply3(above->constant, linear, node->constant);
        return;
    }
    for (int k = 0; k < 3; k++) node->constant[4 * k] = above->even * node->scale[k];
}

bool gltf_node_is_rigid(const gltf_scene *s, uint32_t node, double constant[9])
{
    double inverse[9];
    assert(s->nodes[node].is_in_scene);
    memcpy(constant, s->nodes[node].constant, sizeof s->nodes[node].constant);
    return s->nodes[node].turns_truly && gltf_invert(constant, inverse);
}

/* ---- settling ---- */

bool gltf_nodes_settle(gltf_doc *d, gltf_scene *s)
{
    double local[12];
    s->still = io_alloc(d->memory, s->node_count, sizeof *s->still);
    if (s->still == NULL) return gltf_fail_memory(d);
    for (uint32_t i = 0; i < s->order_count; i++) {
        gltf_node *node = &s->nodes[s->order[i]];
        node->is_moving =
            is_animated(node) || (node->parent != GLTF_NONE && s->nodes[node->parent].is_moving);
        local_at_rest(node, local);
        put_below(s, s->order[i], local, s->still);
        settle_constant(s, node);
    }
    return true;
}
