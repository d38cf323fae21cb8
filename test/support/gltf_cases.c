/* gltf_cases.c - the file with everything, and the table of its changes. */
#include "support/gltf_cases.h"

#include <stdlib.h>
#include "support/test.h"

/* ---- the file with everything ---- */

/* Four corners of a square. */
static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
static const uint16_t indices[] = {0, 1, 2, 2, 1, 3};
static const uint8_t joints[] = {0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
static const float weights[] = {1, 0, 0, 0, 0.5f, 0.5f, 0, 0, 0.25f, 0.75f, 0, 0, 1, 0, 0, 0};
static const float inverse_bind[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0,  0, 1,
                                     1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1};
static const float offsets[] = {0, 0, 1, 0, 0, 0, 0.5f, 0, 0, 0, 0, -1};
static const float times[] = {0, 1, 2};
static const float translations[] = {0, 0, 0, 1, 2, 3, -1, 0, 2};
static const float rotations[] = {0, 0, 0, 1, 0.6f, 0, 0, 0.8f, 0, 0.8f, 0, -0.6f};
static const float scales[] = {1, 1, 1, 2, 1, 0.5f, 1, 3, 1};
static const float morph_weights[] = {0, 1, -0.5f};
static const float cubic[] = {0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 2,
                              1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0};
static const uint16_t sparse_indices[] = {1, 3};
static const float sparse_values[] = {1, 0, 0.5f, 1, 1, -0.5f};
static const float half_turns[] = {0, 0, 0, 1, 0, 0, 0.6f, 0.8f, 0, 0, 1, 0};

static const struct {
    const void *data;
    size_t size;
} views[] = {
    {positions, sizeof positions},
    {indices, sizeof indices},
    {joints, sizeof joints},
    {weights, sizeof weights},
    {inverse_bind, sizeof inverse_bind},
    {offsets, sizeof offsets},
    {times, sizeof times},
    {translations, sizeof translations},
    {rotations, sizeof rotations},
    {scales, sizeof scales},
    {morph_weights, sizeof morph_weights},
    {cubic, sizeof cubic},
    {sparse_indices, sizeof sparse_indices},
    {sparse_values, sizeof sparse_values},
    {half_turns, sizeof half_turns},
};
enum { VIEW_COUNT = sizeof views / sizeof views[0] };

#define ACCESSOR(view, component, count, type)                                                     \
    "{\"bufferView\":" #view ",\"componentType\":" #component ",\"count\":" #count                 \
    ",\"type\":\"" type "\"}"
#define BOUNDED(view, count, type, min, max)                                                       \
    "{\"bufferView\":" #view ",\"componentType\":5126,\"count\":" #count ",\"type\":\"" type       \
    "\",\"min\":" min ",\"max\":" max "}"
#define CHANNEL(sampler, node, path)                                                               \
    "{\"sampler\":" #sampler ",\"target\":{\"node\":" #node ",\"path\":\"" path "\"}}"
#define SAMPLER(output, way) "{\"input\":6,\"output\":" #output ",\"interpolation\":\"" way "\"}"

static const char everything[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,"
    "\"scenes\":[{\"name\":\"stage\",\"nodes\":[0,5]},{\"name\":\"alone\",\"nodes\":[6]}],"
    "\"nodes\":[{\"name\":\"root\",\"children\":[1,2,3],\"scale\":[2,2,2]},"
    "{\"name\":\"Shirt\",\"mesh\":0,\"scale\":[1,2,3]},"
    "{\"name\":\"Body\",\"mesh\":1,\"skin\":0},"
    "{\"name\":\"hip\",\"children\":[4]},"
    "{\"name\":\"knee\",\"translation\":[0,1,0]},"
    "{\"mesh\":2,\"rotation\":[0,0,0.6,0.8]},"
    "{\"name\":\"Ball\",\"mesh\":2,\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,5,6,7,1]}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1,\"material\":0,"
    "\"targets\":[{\"POSITION\":5}]}],\"weights\":[0.5]},"
    "{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":2,\"WEIGHTS_0\":3},"
    "\"indices\":1}]},"
    "{\"name\":\"Ball mesh\",\"primitives\":[{\"attributes\":{\"POSITION\":12},\"mode\":4,"
    "\"indices\":1}]}],"
    "\"materials\":[{\"name\":\"wool\"},{}],"
    "\"skins\":[{\"joints\":[3,4],\"inverseBindMatrices\":4}],"
    "\"animations\":[{\"name\":\"walk\",\"channels\":["
    /* clang-format off */
    CHANNEL(0, 0, "translation") "," CHANNEL(1, 0, "rotation") "," CHANNEL(2, 1, "weights") ","
    CHANNEL(3, 4, "translation") "," CHANNEL(4, 5, "scale")
    "],\"samplers\":[" SAMPLER(7, "LINEAR") "," SAMPLER(8, "LINEAR") "," SAMPLER(10, "LINEAR") ","
    SAMPLER(11, "CUBICSPLINE") "," SAMPLER(9, "STEP") "," SAMPLER(13, "LINEAR") "]},"
    "{\"name\":\"rest\",\"channels\":[" CHANNEL(0, 0, "translation") "],\"samplers\":["
    SAMPLER(7, "STEP") "]}],"
    "\"accessors\":["
    BOUNDED(0, 4, "VEC3", "[0,0,0]", "[1,1,0]") "," ACCESSOR(1, 5123, 6, "SCALAR") ","
    ACCESSOR(2, 5121, 4, "VEC4") "," ACCESSOR(3, 5126, 4, "VEC4") ","
    ACCESSOR(4, 5126, 2, "MAT4") "," BOUNDED(5, 4, "VEC3", "[0,0,-1]", "[0.5,0,1]") ","
    BOUNDED(6, 3, "SCALAR", "[0]", "[2]") "," ACCESSOR(7, 5126, 3, "VEC3") ","
    ACCESSOR(8, 5126, 3, "VEC4") "," ACCESSOR(9, 5126, 3, "VEC3") ","
    ACCESSOR(10, 5126, 3, "SCALAR") "," ACCESSOR(11, 5126, 9, "VEC3") ","
    "{\"bufferView\":5,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"min\":[0,0,-0.5],"
    "\"max\":[1,1,1],\"sparse\":{\"count\":2,\"indices\":{\"bufferView\":12,"
    "\"componentType\":5123},\"values\":{\"bufferView\":13}}},"
    ACCESSOR(14, 5126, 3, "VEC4")
    /* clang-format on */
    "]}";

size_t gltf_case_view(int view)
{
    size_t at = 0;
    for (int i = 0; i < view; i++) at += (views[i].size + 3) / 4 * 4;
    return at;
}

static gltf_bytes make_bin(void)
{
    gltf_bytes bin = {.size = gltf_case_view(VIEW_COUNT)};
    bin.data = calloc(1, bin.size);
    for (int i = 0; i < VIEW_COUNT; i++)
        memcpy(bin.data + gltf_case_view(i), views[i].data, views[i].size);
    return bin;
}

/* The JSON, with buffer and views. */
static json_t *make_json(size_t bin_size)
{
    json_error_t error;
    json_t *root = json_loads(everything, 0, &error);
    if (root == NULL) fail_msg("%s at %d", error.text, error.position);
    json_object_set_new(root, "buffers", json_pack("[{s:I}]", "byteLength", (json_int_t)bin_size));
    json_t *list = json_array();
    for (int i = 0; i < VIEW_COUNT; i++)
        json_array_append_new(list, json_pack("{s:i,s:I,s:I}", "buffer", 0, "byteOffset",
                                              (json_int_t)gltf_case_view(i), "byteLength",
                                              (json_int_t)views[i].size));
    /* Two accessors of vertices have it, which must say how far these are apart. */
    json_object_set_new(json_array_get(list, 5), "byteStride", json_integer(12));
    json_object_set_new(root, "bufferViews", list);
    return root;
}

/* ---- changes ---- */

/* The value before the last word of a path, and that word. */
static json_t *walk(json_t *at, const char *path, char last[100])
{
    for (;;) {
        const size_t length = strcspn(path, "/");
        assert_true(length < 100);
        memcpy(last, path, length);
        last[length] = '\0';
        if (path[length] == '\0') return at;
        at = json_is_array(at) ? json_array_get(at, (size_t)atoi(last)) : json_object_get(at, last);
        if (at == NULL) fail_msg("no %s", path);
        path += length + 1;
    }
}

static void edit_json(json_t *root, const gltf_edit *edit)
{
    char last[100];
    json_error_t error;
    json_t *at = walk(root, edit->path, last);
    const bool is_taken = strcmp(edit->value, "-") == 0;
    json_t *value = is_taken ? NULL : json_loads(edit->value, JSON_DECODE_ANY, &error);
    if (!is_taken && value == NULL) fail_msg("%s: %s", edit->value, error.text);
    if (strcmp(last, "+") == 0)
        json_array_append_new(at, value);
    else if (json_is_array(at) && is_taken)
        json_array_remove(at, (size_t)atoi(last));
    else if (json_is_array(at))
        json_array_set_new(at, (size_t)atoi(last), value);
    else if (is_taken)
        assert_int_equal(json_object_del(at, last), 0);
    else
        json_object_set_new(at, last, value);
}

static void edit_bin(gltf_bytes *bin, const gltf_edit *edit)
{
    int view, number;
    const float value = strtof(edit->value, NULL);
    assert_int_equal(sscanf(edit->path, "bin/%d/%d", &view, &number), 2);
    memcpy(bin->data + gltf_case_view(view) + 4 * number, &value, sizeof value);
}

static void put_u32(uint8_t *at, size_t number)
{
    for (int i = 0; i < 4; i++) at[i] = (uint8_t)(number >> 8 * i);
}

/* Header, JSON, binary chunk. */
gltf_bytes gltf_case_make_glb(const json_t *root, const gltf_bytes *bin)
{
    char *text = json_dumps(root, JSON_COMPACT);
    const size_t length = strlen(text), padded = (length + 3) / 4 * 4;
    gltf_bytes glb = {.size = 12 + 8 + padded + 8 + bin->size};
    glb.data = malloc(glb.size);
    memcpy(glb.data, "glTF", 4);
    put_u32(glb.data + 4, 2);
    put_u32(glb.data + 8, glb.size);
    put_u32(glb.data + 12, padded);
    memcpy(glb.data + 16, "JSON", 4);
    memset(glb.data + 20, ' ', padded);
    memcpy(glb.data + 20, text, length);
    put_u32(glb.data + 20 + padded, bin->size);
    memcpy(glb.data + 24 + padded, "BIN", 4);
    memcpy(glb.data + 28 + padded, bin->data, bin->size);
    free(text);
    return glb;
}

json_t *gltf_case_make_json(const gltf_edit *edits, size_t count, gltf_bytes *bin)
{
    *bin = make_bin();
    json_t *root = make_json(bin->size);
    for (size_t i = 0; i < count && edits[i].path != NULL; i++)
        if (strncmp(edits[i].path, "bin/", 4) == 0)
            edit_bin(bin, &edits[i]);
        else
            edit_json(root, &edits[i]);
    return root;
}

gltf_bytes gltf_case_make(const gltf_edit *edits, size_t count)
{
    gltf_bytes bin;
    json_t *root = gltf_case_make_json(edits, count, &bin);
    gltf_bytes glb = gltf_case_make_glb(root, &bin);
    json_decref(root);
    free(bin.data);
    return glb;
}

static char *base64_uri(const gltf_bytes *bin)
{
    static const char head[] = "data:application/octet-stream;base64,";
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *text = malloc(sizeof head + bin->size * 2), *at = text + sizeof head - 1;
    memcpy(text, head, sizeof head);
    for (size_t i = 0; i < bin->size; i += 3) {
        uint32_t bits = 0;
        for (size_t k = 0; k < 3; k++)
            bits = bits << 8 | (i + k < bin->size ? bin->data[i + k] : 0);
        for (int k = 0; k < 4; k++) *at++ = digits[bits >> (18 - 6 * k) & 63];
        for (size_t k = bin->size - i; k < 3; k++) at[(int)k - 3] = '=';
    }
    *at = '\0';
    return text;
}

gltf_bytes gltf_case_make_text(const char *uri, gltf_bytes *bin)
{
    gltf_bytes own = make_bin();
    json_t *root = make_json(own.size);
    char *text = uri == NULL ? base64_uri(&own) : NULL;
    json_object_set_new(json_array_get(json_object_get(root, "buffers"), 0), "uri",
                        json_string(uri != NULL ? uri : text));
    gltf_bytes out = {.data = (uint8_t *)json_dumps(root, JSON_INDENT(1))};
    out.size = strlen((char *)out.data);
    json_decref(root);
    free(text);
    if (bin != NULL)
        *bin = own;
    else
        free(own.data);
    return out;
}

gltf_bytes gltf_case_make_packed(const gltf_packing *how, const gltf_bytes *packed)
{
    gltf_bytes bin = make_bin();
    json_t *root = make_json(bin.size);
    char *uri = base64_uri(packed);
    json_array_append_new(
        json_object_get(root, "buffers"),
        json_pack("{s:I,s:s}", "byteLength", (json_int_t)packed->size, "uri", uri));
    json_t *view = json_array_get(json_object_get(root, "bufferViews"), (size_t)how->view);
    json_object_set_new(view, "byteLength", json_integer(how->count * how->stride));
    json_object_set_new(view, "extensions",
                        json_pack("{s:{s:i,s:I,s:i,s:i,s:s,s:s}}", how->extension, "buffer", 1,
                                  "byteLength", (json_int_t)packed->size, "byteStride", how->stride,
                                  "count", how->count, "mode", how->mode, "filter", how->filter));
    json_object_set_new(root, "extensionsUsed", json_pack("[s]", how->extension));
    json_object_set_new(root, "extensionsRequired", json_pack("[s]", how->extension));
    gltf_bytes glb = gltf_case_make_glb(root, &bin);
    json_decref(root);
    free(uri);
    free(bin.data);
    return glb;
}

/* ---- the table ---- */

#define READ(name, ...)                                                                            \
    {                                                                                              \
        name, {__VA_ARGS__}, NULL, NULL                                                            \
    }
#define REFUSED(name, words, ...)                                                                  \
    {                                                                                              \
        name, {__VA_ARGS__}, words, NULL                                                           \
    }
/* They differ from gltf-validator: with its code if that is an error that does not matter here. */
#define READ_THOUGH(name, code, ...)                                                               \
    {                                                                                              \
        name, {__VA_ARGS__}, NULL, code                                                            \
    }
#define REFUSED_THOUGH(name, words, ...)                                                           \
    {                                                                                              \
        name, {__VA_ARGS__}, words, "none"                                                         \
    }

/* clang-format off */
const gltf_case gltf_cases[] = {
    READ("as_it_is", {NULL, NULL}),

    /* Numbers, views and buffers. */
    REFUSED("accessor_too_long", "accessor 0: ends at byte 60 of a view of 48", {"accessors/0/count", "5"}),
    REFUSED("accessor_of_billions", "accessor 0: ends at byte", {"accessors/0/count", "4294967294"}),
    REFUSED("accessor_beyond_counts", "count is 4294967296, which is more than", {"accessors/0/count", "4294967296"}),
    REFUSED("accessor_of_none", "accessor 0: count is 0", {"accessors/0/count", "0"}),
    REFUSED("count_below_zero", "accessor 0: count is not a whole number", {"accessors/0/count", "-1"}),
    REFUSED("count_with_a_fraction", "accessor 0: count is not a whole number", {"accessors/0/count", "3.5"}),
    READ("count_with_a_point", {"accessors/0/count", "4.0"}),
    REFUSED("count_is_text", "accessor 0: count is not a whole number", {"accessors/0/count", "\"4\""}),
    REFUSED("no_count", "accessor 0: count is missing", {"accessors/0/count", "-"}),
    REFUSED("component_not_known", "componentType 5124 is not known", {"accessors/0/componentType", "5124"}),
    REFUSED("type_not_known", "accessor 0: has no type", {"accessors/0/type", "\"VEC5\""}),
    REFUSED("accessor_misaligned", "which is not a multiple of 4", {"accessors/0/byteOffset", "2"}, {"accessors/0/count", "3"}),
    REFUSED("view_misaligned", "which is not a multiple of 4", {"bufferViews/0/byteOffset", "2"}),
    REFUSED("view_beyond_its_buffer", "buffer view 0: ends at byte", {"bufferViews/0/byteLength", "100000"}),
    REFUSED("view_begins_beyond", "buffer view 0: ends at byte", {"bufferViews/0/byteOffset", "9007199254740992"}),
    REFUSED("view_without_length", "byteLength is missing", {"bufferViews/0/byteLength", "-"}),
    REFUSED("view_of_another_buffer", "buffer view 0: names buffer 1; there are 1", {"bufferViews/0/buffer", "1"}),
    REFUSED("stride_of_five", "byteStride is 5", {"bufferViews/0/byteStride", "5"}),
    REFUSED("stride_too_small", "accessor 0: has 8 bytes for one element of 12", {"bufferViews/0/byteStride", "8"}),
    REFUSED("stride_too_large", "byteStride is 256, which is more than 252", {"bufferViews/0/byteStride", "256"}),
    READ("stride_as_packed", {"bufferViews/0/byteStride", "12"}),
    REFUSED("buffer_longer_than_its_bytes", "buffer 0: has", {"buffers/0/byteLength", "1000000"}),
    REFUSED("no_buffers", "names buffer 0; there are 0", {"buffers", "-"}),
    REFUSED("buffers_is_a_number", "buffers is not an array", {"buffers", "7"}),
    REFUSED("accessor_is_text", "accessor 0: is not an object", {"accessors/0", "\"x\""}),
    REFUSED("position_not_finite", "accessor 0: element 0 is not finite", {"bin/0/1", "nan"}),
    REFUSED("offset_not_finite", "element 1 is not finite", {"bin/5/3", "inf"}),
    REFUSED("value_not_finite", "accessor 7: element 2 is not finite", {"bin/7/8", "-inf"}),

    /* Sparse. */
    READ("sparse_without_a_base", {"accessors/12/bufferView", "-"}, {"accessors/12/max", "[1,1,0.5]"}),
    READ("zeros", {"accessors/5/bufferView", "-"}, {"accessors/5/min", "[0,0,0]"}, {"accessors/5/max", "[0,0,0]"}),
    REFUSED("sparse_beyond_its_count", "accessor 12: count is 5, which is more than 4", {"accessors/12/sparse/count", "5"}),
    REFUSED("sparse_of_none", "sparse.count is 0", {"accessors/12/sparse/count", "0"}),
    REFUSED_THOUGH("sparse_indices_of_floats", "sparse indices are not unsigned", {"accessors/12/sparse/indices/componentType", "5126"}),
    REFUSED("sparse_indices_cut_off", "accessor 12: ends at byte 4 of a view of 2", {"bufferViews/12/byteLength", "2"}),
    REFUSED("sparse_values_cut_off", "accessor 12: ends at byte 24 of a view of 20", {"bufferViews/13/byteLength", "20"}),
    REFUSED("sparse_out_of_range", "accessor 12: replaces element 48896 of 4", {"bin/12/0", "-0.5"}),
    REFUSED("sparse_twice_the_same", "sparse indices do not increase", {"bin/12/0", "0"}),
    REFUSED("sparse_without_values", "sparse.values is missing", {"accessors/12/sparse/values", "-"}),

    /* Primitives. */
    REFUSED("index_out_of_range", "primitive 0: index 1 names vertex 16256 of 4", {"bin/1/0", "1"}),
    REFUSED("indices_of_floats", "accessor 0: ", {"meshes/0/primitives/0/indices", "0"}),
    READ("strip", {"meshes/2/primitives/0/mode", "5"}, {"meshes/2/primitives/0/indices", "-"}),
    READ("fan", {"meshes/2/primitives/0/mode", "6"}, {"meshes/2/primitives/0/indices", "-"}),
    READ("points_beside", {"meshes/2/primitives/+", "{\"attributes\":{\"POSITION\":12},\"mode\":0}"}),
    REFUSED("mode_seven", "mode is 7, which is more than 6", {"meshes/2/primitives/0/mode", "7"}),
    REFUSED("no_positions", "primitive 0: POSITION is missing", {"meshes/2/primitives/0/attributes", "{\"NORMAL\":0}"}),
    REFUSED("no_attributes", "attributes is missing", {"meshes/2/primitives/0/attributes", "-"}),
    REFUSED("no_primitives", "mesh 2: primitives is missing", {"meshes/2/primitives", "-"}),
    REFUSED("primitives_empty", "mesh 2: primitives is empty", {"meshes/2/primitives", "[]"}),
    REFUSED("positions_of_pairs", "accessor 0: is for positions, and is not VEC3", {"accessors/0/type", "\"VEC2\""}),
    REFUSED("integers_without_the_extension", "accessor 0: has integers", {"accessors/0/componentType", "5122"}, {"bufferViews/0/byteStride", "8"}),
    READ_THOUGH("integers", "ACCESSOR_", {"accessors/0/componentType", "5122"}, {"bufferViews/0/byteStride", "8"}, {"extensionsUsed", "[\"KHR_mesh_quantization\"]"}, {"extensionsRequired", "[\"KHR_mesh_quantization\"]"}),
    READ_THOUGH("integers_for_fractions", "ACCESSOR_", {"accessors/0/componentType", "5121"}, {"accessors/0/normalized", "true"}, {"bufferViews/0/byteStride", "12"}, {"extensionsUsed", "[\"KHR_mesh_quantization\"]"}, {"extensionsRequired", "[\"KHR_mesh_quantization\"]"}),
    REFUSED("fractions_of_floats", "is normalized", {"accessors/0/normalized", "true"}),
    REFUSED("tight_bytes", "not at multiples of 4", {"accessors/0/componentType", "5121"}, {"extensionsUsed", "[\"KHR_mesh_quantization\"]"}, {"extensionsRequired", "[\"KHR_mesh_quantization\"]"}),
    READ("two_primitives_and_materials", {"meshes/2/primitives/+", "{\"attributes\":{\"POSITION\":0},\"indices\":1,\"material\":1}"}),
    READ("two_primitives_of_the_same_vertices", {"meshes/2/primitives/+", "{\"attributes\":{\"POSITION\":12},\"indices\":1,\"material\":1}"}),
    REFUSED("material_out_of_range", "names material 2; there are 2", {"meshes/0/primitives/0/material", "2"}),

    /* Morph targets. */
    REFUSED("targets_of_another_length", "has 4 positions, and 3 of accessor 5", {"accessors/5/count", "3"}),
    REFUSED("target_is_no_object", "target 0 is not an object", {"meshes/0/primitives/0/targets/0", "1"}),
    REFUSED("weights_of_another_length", "weights has 2 numbers instead of 1", {"meshes/0/weights", "[1,2]"}),
    REFUSED("node_weights_of_another_length", "node 1: has 2 weights", {"nodes/1/weights", "[1,2]"}),
    REFUSED("weights_without_targets", "node 5, which has no morph targets", {"animations/0/channels/2/target/node", "5"}),
    READ("weights_of_the_node", {"animations/0/channels/2", "-"}, {"nodes/1/weights", "[-1]"}),
    READ("weights_of_the_mesh", {"animations/0/channels/2", "-"}),
    REFUSED("targets_in_one_primitive", "primitive 1: has 0 morph targets", {"meshes/0/primitives/+", "{\"attributes\":{\"POSITION\":0},\"indices\":1}"}),
    READ_THOUGH("target_without_positions", "MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR", {"meshes/0/primitives/0/targets/+", "{\"NORMAL\":5}"}, {"meshes/0/weights", "[0.5,1]"}, {"animations/0/channels/2", "-"}),

    /* Skins. */
    REFUSED("joint_out_of_range", "node 2: its mesh names joint 1; skin 0 has 1", {"skins/0/joints", "[3]"}),
    REFUSED("joint_not_in_the_scene", "skin 0: its joint 1, node 6, is not in the scene", {"skins/0/joints", "[3,6]"}),
    REFUSED("joints_missing", "skin 0: joints is missing", {"skins/0/joints", "-"}),
    REFUSED("skin_out_of_range", "node 2: names skin 1; there are 1", {"nodes/2/skin", "1"}),
    READ("skin_without_matrices", {"skins/0/inverseBindMatrices", "-"}),
    REFUSED("too_few_matrices", "does not hold 2 packed matrices", {"accessors/4/count", "1"}),
    REFUSED("matrix_with_a_last_row", "matrix 1 has a last row other than", {"bin/4/19", "1"}),
    REFUSED("weight_below_zero", "vertex 1 has a weight below 0", {"bin/3/5", "-0.5"}),
    REFUSED("no_weight", "vertex 0 has no weight above 0", {"bin/3/0", "0"}),
    READ_THOUGH("weights_that_sum_to_two", "ACCESSOR_WEIGHTS_NON_NORMALIZED", {"bin/3/0", "2"}),
    REFUSED("joints_without_weights", "has JOINTS_0 alone", {"meshes/1/primitives/0/attributes/WEIGHTS_0", "-"}),
    REFUSED("skin_without_joints", "node 1: has a skin, but its mesh has no joints", {"nodes/1/skin", "0"}),
    READ("joints_without_a_skin", {"nodes/2/skin", "-"}),
    REFUSED("joints_of_floats", "has no unsigned integers", {"meshes/1/primitives/0/attributes/JOINTS_0", "3"}),
    READ("skinned_node_somewhere", {"nodes/2/translation", "[5,5,5]"}),

    /* Nodes. */
    REFUSED("node_below_itself", "node 0: is below itself", {"nodes/0/children", "[0,1,2,3]"}, {"scenes/0/nodes", "[5]"}),
    REFUSED("nodes_in_a_circle", "node 3: is below itself", {"nodes/4/children", "[3]"}, {"nodes/0/children", "[1,2]"}),
    REFUSED("node_below_two", "has node 4 as a child, which is below node 3 already", {"nodes/5/children", "[4]"}),
    REFUSED("child_out_of_range", "names node 9; there are 7", {"nodes/5/children", "[9]"}),
    REFUSED("root_is_a_child", "scene 0: has node 4, which is below node 3", {"scenes/0/nodes", "[0,4]"}),
    REFUSED("root_twice", "scene 0: has node 5 twice", {"scenes/0/nodes", "[0,5,5]"}),
    REFUSED("scene_out_of_range", "names scene 7; there are 2", {"scene", "7"}),
    REFUSED("rotation_of_length_two", "its rotation has the length 2", {"nodes/5/rotation", "[0,0,0,2]"}),
    REFUSED("matrix_and_scale", "node 6: has a matrix, and", {"nodes/6/scale", "[1,1,1]"}),
    REFUSED("projective_matrix", "last row", {"nodes/6/matrix", "[1,0,0,1,0,1,0,0,0,0,1,0,5,6,7,1]"}),
    READ("shearing_matrix", {"nodes/6/matrix", "[1,0,0,0,1,1,0,0,0,0,1,0,5,6,7,1]"}),
    REFUSED("scale_of_two_numbers", "scale has 2 numbers instead of 3", {"nodes/1/scale", "[1,2]"}),
    REFUSED_THOUGH("scale_beyond_floats", "scale has an element that is not a finite number", {"nodes/1/scale", "[1,2,1e300]"}),
    REFUSED("translation_of_text", "translation has an element that is not a finite number", {"nodes/5/translation", "[1,2,\"3\"]"}),
    REFUSED("mesh_out_of_range", "names mesh 3; there are 3", {"nodes/1/mesh", "3"}),
    READ("no_scene_chosen", {"scene", "-"}),
    READ("no_scenes", {"scene", "-"}, {"scenes", "-"}),
    REFUSED_THOUGH("vertices_beyond_floats", "node 5: its vertices are beyond float32", {"animations/0/channels/4", "-"}, {"nodes/5/scale", "[3e38,3e38,1]"}),

    /* Which motion: what turns below what scales. */
    READ("uneven_scale_above_a_turn", {"nodes/0/scale", "[2,1,1]"}, {"animations/0/channels/1/target/node", "1"}),
    READ("even_scale_above_a_turn", {"animations/0/channels/1/target/node", "1"}, {"nodes/0/rotation", "[0.6,0,0,0.8]"}),
    READ("mirror_above_a_turn", {"nodes/0/scale", "[-2,-2,-2]"}, {"animations/0/channels/1/target/node", "1"}),
    READ("mirror_of_one_axis_above_a_turn", {"nodes/0/scale", "[-2,2,2]"}, {"animations/0/channels/1/target/node", "1"}),
    READ("mirror_below_a_turn", {"nodes/1/scale", "[-1,2,2]"}),
    READ("nothing_left_of_one_axis", {"nodes/1/scale", "[1,0,1]"}),
    READ("turning_twice", {"animations/0/channels/+", CHANNEL(5, 1, "rotation")}),
    READ("matrix_above_a_turn", {"nodes/0/scale", "-"}, {"animations/0/channels/0", "-"}, {"animations/0/channels/0/target/node", "1"}, {"animations/1/channels/0/target/node", "5"}, {"nodes/0/matrix", "[0,2,0,0,-2,0,0,0,0,0,2,0,5,6,7,1]"}),
    READ("uneven_matrix_above_a_turn", {"nodes/0/scale", "-"}, {"animations/0/channels/0", "-"}, {"animations/0/channels/0/target/node", "1"}, {"animations/1/channels/0/target/node", "5"}, {"nodes/0/matrix", "[0,2,0,0,-3,0,0,0,0,0,2,0,5,6,7,1]"}),
    READ("only_shifted", {"animations/0/channels/1", "-"}),
    READ("scaled_and_morphed", {"animations/0/channels/4/target/node", "1"}),
    READ("hidden_in_the_middle", {"bin/9/3", "0"}, {"bin/9/4", "0"}, {"bin/9/5", "0"}),
    READ("hidden_skin", {"nodes/0/scale", "[0,0,0]"}),
    READ("hidden_for_good", {"animations/0/channels/4", "-"}, {"nodes/5/scale", "[0,0,0]"}),
    REFUSED_THOUGH("nothing_but_hidden", "has no triangles but those that it hides by a scale of 0", {"animations", "-"}, {"nodes/0/scale", "[0,0,0]"}, {"nodes/2/skin", "-"}, {"nodes/5/scale", "[0,0,0]"}),
    READ("scale_that_stays", {"bin/9/3", "1"}, {"bin/9/5", "1"}, {"bin/9/7", "1.0000001"}),

    /* Animations. */
    READ("no_animation", {"animations", "-"}),
    REFUSED("time_before_zero", "accessor 6: time 0 is before 0", {"bin/6/0", "-1"}, {"accessors/6/min", "[-1]"}),
    REFUSED("times_that_do_not_rise", "accessor 6: time 1 is not later", {"bin/6/1", "0"}),
    REFUSED("times_of_integers", "has no float scalars", {"animations/0/samplers/0/input", "1"}, {"animations/0/samplers/0/output", "11"}),
    REFUSED("too_few_values", "sampler 0: has 2 values for 3 keys; 3 are needed", {"accessors/7/count", "2"}),
    REFUSED("cubic_without_tangents", "has 3 values for 3 keys; 9 are needed", {"animations/0/samplers/0/interpolation", "\"CUBICSPLINE\""}),
    REFUSED_THOUGH("interpolation_not_known", "interpolation MAGIC is not known", {"animations/0/samplers/0/interpolation", "\"MAGIC\""}),
    REFUSED_THOUGH("path_not_known", "its target has no path that is known", {"animations/0/channels/0/target/path", "\"colour\""}),
    REFUSED("sampler_out_of_range", "sampler is 6, which is more than 5", {"animations/0/channels/0/sampler", "6"}),
    REFUSED("two_channels_for_one", "channel 5: moves what another channel", {"animations/0/channels/+", CHANNEL(0, 0, "translation")}),
    REFUSED("matrix_is_animated", "moves node 6, which has a matrix", {"animations/0/channels/4/target/node", "6"}),
    REFUSED("rotations_of_three", "accessor 7: has another format", {"animations/0/samplers/1/output", "7"}),
    REFUSED("rotation_too_short", "rotation 1 has the length 0.8", {"bin/8/4", "0"}),
    READ("channel_without_a_node", {"animations/0/channels/0/target/node", "-"}),
    REFUSED("animation_without_channels", "animation 0: channels is missing", {"animations/0/channels", "-"}),
    READ("step_for_all", {"animations/0/samplers/0/interpolation", "\"STEP\""}, {"animations/0/samplers/1/interpolation", "\"STEP\""}, {"animations/0/samplers/2/interpolation", "\"STEP\""}),
    READ("linear_by_default", {"animations/0/samplers/0/interpolation", "-"}),

    /* The file itself. */
    REFUSED("no_version", "asset.version is missing", {"asset/version", "-"}),
    REFUSED("version_one", "is glTF 1.0; 2.0 is read", {"asset/version", "\"1.0\""}),
    REFUSED_THOUGH("needs_a_later_version", "needs glTF 2.1", {"asset/version", "\"2.1\""}, {"asset/minVersion", "\"2.1\""}),
    REFUSED_THOUGH("draco", "convert it with 'npx @gltf-transform/cli copy", {"extensionsRequired", "[\"KHR_draco_mesh_compression\"]"}, {"extensionsUsed", "[\"KHR_draco_mesh_compression\"]"}),
    REFUSED_THOUGH("extension_not_known", "requires the extension ACME_shapes", {"extensionsRequired", "[\"ACME_shapes\"]"}, {"extensionsUsed", "[\"ACME_shapes\"]"}),
    READ("extension_not_needed", {"extensionsUsed", "[\"ACME_shapes\"]"}),
    READ("materials_that_are_required", {"extensionsRequired", "[\"KHR_materials_unlit\"]"}, {"extensionsUsed", "[\"KHR_materials_unlit\"]"}),
};
/* clang-format on */

const size_t gltf_case_count = sizeof gltf_cases / sizeof gltf_cases[0];
