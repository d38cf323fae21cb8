/* gltf_script.c - damage by choice, and what must hold all the same. */
#include "support/gltf_script.h"

#include <math.h>
#include <stdlib.h>
#include "support/clip_sound.h"
#include "support/gltf_cases.h"
#include "support/gltf_clip.h"

/* ---- damage ---- */

/* A value that files should not have there. */
static json_t *choose_value(choices *c)
{
    static const json_int_t odd[] = {-1,         255,  256,  65535, 65536, 2147483647, 4294967295,
                                     4294967296, 5120, 5121, 5122,  5123,  5125,       5126};
    static const char *const texts[] = {"",     "SCALAR", "VEC3",        "VEC4",    "MAT4",
                                        "STEP", "LINEAR", "CUBICSPLINE", "weights", "scale"};
    switch (choose(c, 8)) {
    case 0: return json_integer(choose(c, 16));
    case 1: return json_integer(odd[choose(c, sizeof odd / sizeof odd[0])]);
    case 2: return json_real(choose_number(c, true) * 1e38 * choose(c, 8));
    case 3: return json_string(texts[choose(c, sizeof texts / sizeof texts[0])]);
    case 4: return json_array();
    case 5: return json_object();
    case 6: return json_integer(choose(c, 1000));
    default: return json_null();
    }
}

/* The child of a container that is chosen, and where it is; NULL if there is none. */
typedef struct json_place {
    json_t *parent;
    size_t at;       /* in an array */
    const char *key; /* in an object */
} json_place;

static json_t *choose_child(choices *c, json_t *json, json_place *place)
{
    place->parent = json;
    if (json_is_array(json) && json_array_size(json) > 0) {
        place->at = choose(c, (uint32_t)json_array_size(json));
        return json_array_get(json, place->at);
    }
    if (!json_is_object(json) || json_object_size(json) == 0) return NULL;
    void *member = json_object_iter(json);
    for (uint32_t skip = choose(c, (uint32_t)json_object_size(json)); skip > 0; skip--)
        member = json_object_iter_next(json, member);
    place->key = json_object_iter_key(member);
    return json_object_iter_value(member);
}

static void replace(const json_place *place, json_t *value)
{
    if (json_is_array(place->parent))
        (void)json_array_set_new(place->parent, place->at, value);
    else
        (void)json_object_set_new(place->parent, place->key, value);
}

static void take_away(const json_place *place)
{
    if (json_is_array(place->parent))
        (void)json_array_remove(place->parent, place->at);
    else
        (void)json_object_del(place->parent, place->key);
}

static void damage_json(choices *c, json_t *root)
{
    json_place place = {0}, other = {0};
    json_t *at = choose_child(c, root, &place);
    while (at != NULL && !choose_one_in(c, 5)) {
        json_place below = {0};
        json_t *child = choose_child(c, at, &below);
        if (child == NULL) break;
        place = below;
        at = child;
    }
    if (at == NULL) return;
    switch (choose(c, 4)) {
    case 0: take_away(&place); break;
    case 1: { /* what a neighbour has */
        json_t *copy = json_deep_copy(choose_child(c, place.parent, &other));
        replace(&place, copy);
        break;
    }
    default: replace(&place, choose_value(c)); break;
    }
}

static void damage_numbers(choices *c, const gltf_bytes *bin)
{
    static const float odd[] = {0, -1, 1, 0.5f, 1e30f, -3e38f, 1e-40f, INFINITY, NAN, 2};
    const size_t at = 4 * (size_t)choose(c, (uint32_t)(bin->size / 4));
    const float value = odd[choose(c, sizeof odd / sizeof odd[0])];
    memcpy(bin->data + at, &value, sizeof value);
}

static gltf_bytes make_damaged(choices *c)
{
    const gltf_case *begin = &gltf_cases[choose(c, (uint32_t)gltf_case_count)];
    gltf_bytes bin;
    json_t *root = gltf_case_make_json(begin->edits, 6, &bin);
    for (uint32_t i = choose(c, 5); i > 0; i--)
        if (choose_one_in(c, 3))
            damage_numbers(c, &bin);
        else
            damage_json(c, root);
    gltf_bytes glb = gltf_case_make_glb(root, &bin);
    for (uint32_t i = choose_one_in(c, 4) ? choose(c, 4) : 0; i > 0; i--)
        glb.data[choose(c, (uint32_t)glb.size)] ^= (uint8_t)(1u << choose(c, 8));
    json_decref(root);
    free(bin.data);
    return glb;
}

static gltf_bytes copy_bytes(choices *c)
{
    gltf_bytes bytes = {.size = c->left};
    bytes.data = malloc(c->left + 1);
    memcpy(bytes.data, c->bytes, c->left);
    c->left = 0;
    return bytes;
}

/* ---- playing ---- */

static const char *play(const clip *c, gltf_tally *tally)
{
    io_error error = {""};
    const char *wrong = clip_unsound(c);
    clip_frame *frame = wrong == NULL ? clip_frame_create(c) : NULL;
    for (int i = 0; frame != NULL && wrong == NULL && i < 4; i++) {
        const double first = clip_first_time(c), last = clip_last_time(c);
        if (!clip_frame_read(c, first + (last - first) * i / 3, frame, &error))
            wrong = error.text[0] == '\0' ? "a frame without a reason" : NULL;
        else
            wrong = clip_frame_unsound(c, frame);
        tally->frames++;
    }
    clip_frame_destroy(c, frame);
    return wrong;
}

const char *gltf_script_run(choices *c, gltf_tally *tally)
{
    static const char *const names[] = {NULL, "0", "1", "rest"};
    io_error error = {""};
    clip_options options = {.memory_limit = UINT64_C(1) << 24};
    options.no_weld = choose_one_in(c, 4);
    options.animation = names[choose_one_in(c, 4) ? choose(c, 4) : 0];
    options.scene = names[choose_one_in(c, 4) ? choose(c, 3) : 0];
    options.failing_allocation = choose_one_in(c, 8) ? choose(c, 128) : 0;
    gltf_bytes bytes = c->bytes != NULL && choose_one_in(c, 4) ? copy_bytes(c) : make_damaged(c);
    clip *read = gltf_clip_of_bytes(bytes.data, bytes.size, &options, &error);
    const char *wrong = NULL;
    if (read != NULL)
        wrong = play(read, tally);
    else if (error.text[0] == '\0' || strchr(error.text, '\n') != NULL)
        wrong = "refused without a reason of one line";
    tally->scripts++;
    tally->read += read != NULL;
    tally->refused += read == NULL;
    clip_close(read);
    free(bytes.data);
    return wrong;
}
