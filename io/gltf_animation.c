/* gltf_animation.c - channels of one animation: read once, looked up at any time.
 * Way in: gltf_animation_read, gltf_channel_at. An accessor that many channels share is decoded and
 * checked once. */
#include "io/gltf_scene.h"

#include <assert.h>
#include <math.h>

/* What is known of the numbers of an accessor. */
enum {
    CHECKED_TIMES = 1,
    CHECKED_TURNS = 2,       /* rotations one after the other */
    CHECKED_CUBIC_TURNS = 4, /* rotations with tangents */
    CHECKED_SAME = 8,
    IS_SAME = 16,
    CHECKED_CUBIC_SAME = 32,
    IS_CUBIC_SAME = 64,
    HAS_KEYS = 128, /* its times are keys of the clip */
    IS_UNIT = 256,  /* rotations one after the other have the length one */
};

/* ---- numbers of samplers ---- */

static bool get_floats(gltf_doc *d, gltf_scene *s, const gltf_accessor *a, const float **out)
{
    float **kept = &s->floats[a->item.index];
    if (*kept == NULL) {
        float *floats = io_alloc(d->memory, (uint64_t)a->count * a->width, sizeof *floats);
        if (floats == NULL) return gltf_fail_memory(d);
        *kept = floats;
        if (!gltf_accessor_floats(d, a, floats)) return false;
    }
    *out = *kept;
    return true;
}

static bool check_times(gltf_doc *d, gltf_scene *s, const gltf_accessor *a, const float *times)
{
    uint16_t *checks = &s->checks[a->item.index];
    if (*checks & CHECKED_TIMES) return true;
    if (a->width != 1 || a->component != GLTF_F32)
        return gltf_refuse(d, &a->item, "has no float scalars, and is for times");
    for (uint32_t i = 0; i < a->count; i++) {
        if (times[i] < 0) return gltf_refuse(d, &a->item, "time %u is before 0", i);
        if (i > 0 && times[i] <= times[i - 1])
            return gltf_refuse(d, &a->item, "time %u is not later than the one before", i);
    }
    *checks |= CHECKED_TIMES;
    return true;
}

static bool check_turns(gltf_doc *d, gltf_scene *s, const gltf_accessor *a, bool is_cubic,
                        const float *values)
{
    const uint16_t check = is_cubic ? CHECKED_CUBIC_TURNS : CHECKED_TURNS;
    uint16_t *checks = &s->checks[a->item.index];
    double worst = 0;
    if (*checks & check) return true;
    for (uint32_t i = is_cubic ? 1 : 0; i < a->count; i += is_cubic ? 3 : 1) {
        const float *q = &values[4 * (size_t)i];
        const double length = sqrt((double)q[0] * q[0] + (double)q[1] * q[1] + (double)q[2] * q[2] +
                                   (double)q[3] * q[3]);
        if (!(fabs(length - 1) <= 0.00769))
            return gltf_refuse(d, &a->item, "rotation %u has the length %g instead of 1", i,
                               length);
        worst = fmax(worst, fabs(length - 1));
    }
    *checks |= check;
    if (!is_cubic && worst <= 2e-6) *checks |= IS_UNIT;
    return true;
}

/* Equal, or as good as equal in float32: what exporters write for what does not change. */
static bool is_near(float a, float b)
{
    return fabs((double)a - b) <= 5e-7 * fmax(fabs((double)a), fabs((double)b));
}

/* Whether a channel never leaves its first value. */
static bool find_same(const gltf_channel *c)
{
    const bool is_cubic = c->interpolation == GLTF_CUBIC;
    const size_t step = (size_t)c->width * (is_cubic ? 3 : 1), at = is_cubic ? c->width : 0;
    for (size_t i = 0; i < c->key_count; i++)
        for (size_t k = 0; k < step; k++) {
            const float value = c->values[i * step + k];
            const bool is_value = k >= at && k < at + c->width;
            if (is_value ? !is_near(value, c->values[k]) : value != 0) return false;
        }
    return true;
}

static bool is_same(gltf_scene *s, const gltf_accessor *a, const gltf_channel *c)
{
    const bool is_cubic = c->interpolation == GLTF_CUBIC;
    const uint16_t check = is_cubic ? CHECKED_CUBIC_SAME : CHECKED_SAME;
    const uint16_t answer = is_cubic ? IS_CUBIC_SAME : IS_SAME;
    uint16_t *checks = &s->checks[a->item.index];
    /* Weights of different numbers of targets see the same numbers in other rows. */
    if (a->width == 1) return find_same(c);
    if (!(*checks & check)) *checks |= (uint16_t)(check | (find_same(c) ? answer : 0));
    return (*checks & answer) != 0;
}

/* ---- channels ---- */

/* The target of a channel. The node is GLTF_NONE if there is none, or nothing that is read here. */
typedef struct target {
    uint32_t node;
    gltf_path path;
    uint32_t width;
} target;

static bool find_path(gltf_doc *d, const gltf_item *item, const char *text, target *out)
{
    static const char *const paths[] = {"translation", "rotation", "scale", "weights"};
    for (int i = 0; text != NULL && i < GLTF_PATH_COUNT; i++)
        if (strcmp(text, paths[i]) == 0) {
            out->path = (gltf_path)i;
            return true;
        }
    if (text == NULL || strcmp(text, "pointer") != 0)
        return gltf_refuse(d, item, "its target has no path that is known");
    out->node = GLTF_NONE; /* of KHR_animation_pointer: mostly materials and cameras */
    return clip_add_note(d->clip, "%s: an animated pointer (KHR_animation_pointer) is left out",
                         io_tail(d->path)) ||
           gltf_fail_memory(d);
}

static bool read_target(gltf_doc *d, const gltf_item *channel, const gltf_scene *s, target *out)
{
    gltf_item item = *channel;
    if (!gltf_object(d, channel, "target", &item.json)) return false;
    if (item.json == NULL) return gltf_refuse(d, channel, "target is missing");
    if (!gltf_index(d, &item, "node", GLTF_NODE, &out->node) ||
        !find_path(d, channel, gltf_text(&item, "path"), out))
        return false;
    if (out->node == GLTF_NONE) return true;
    const gltf_node *node = &s->nodes[out->node];
    out->width = out->path == GLTF_ROTATION ? 4 : 3;
    if (out->path != GLTF_WEIGHTS && node->is_matrix)
        return gltf_refuse(d, channel, "moves node %u, which has a matrix", out->node);
    if (out->path == GLTF_WEIGHTS) {
        out->width = 0;
        if (node->mesh != GLTF_NONE && !gltf_mesh_targets(d, node->mesh, &out->width)) return false;
        if (out->width == 0)
            return gltf_refuse(d, channel, "has weights for node %u, which has no morph targets",
                               out->node);
    }
    return true;
}

static bool read_interpolation(gltf_doc *d, const gltf_item *sampler, gltf_interpolation *out)
{
    const char *text = gltf_text(sampler, "interpolation");
    *out = GLTF_LINEAR;
    if (text == NULL || strcmp(text, "LINEAR") == 0) return true;
    *out = strcmp(text, "STEP") == 0 ? GLTF_STEP : GLTF_CUBIC;
    if (*out == GLTF_STEP || strcmp(text, "CUBICSPLINE") == 0) return true;
    return gltf_refuse(d, sampler, "interpolation %.40s is not known", text);
}

static bool check_output(gltf_doc *d, const gltf_item *sampler, const target *t,
                         const gltf_channel *c, const gltf_accessor *output)
{
    const uint32_t width = t->path == GLTF_WEIGHTS ? 1 : t->width;
    const bool may_be_small = t->path == GLTF_ROTATION || t->path == GLTF_WEIGHTS;
    const uint64_t wanted =
        (uint64_t)c->key_count * (c->interpolation == GLTF_CUBIC ? 3 : 1) * (t->width / width);
    if (output->width != width ||
        (output->component != GLTF_F32 && !(may_be_small && output->is_normalized)))
        return gltf_refuse(d, &output->item, "has another format than its channel needs");
    if (output->count != wanted)
        return gltf_refuse(d, sampler, "has %u values for %u keys; %llu are needed", output->count,
                           c->key_count, (unsigned long long)wanted);
    if (c->interpolation == GLTF_CUBIC && c->key_count < 2)
        return gltf_refuse(d, sampler, "is CUBICSPLINE, and has one key alone");
    return true;
}

/* Times become keys of the clip, once. */
static bool add_keys(gltf_doc *d, gltf_scene *s, const gltf_accessor *input, const float *times)
{
    uint16_t *checks = &s->checks[input->item.index];
    if (*checks & HAS_KEYS) return true;
    *checks |= HAS_KEYS;
    for (uint32_t i = 0; i < input->count; i++) {
        const double time = times[i];
        if (!clip_add_keys(d->clip, &time, 1)) return gltf_fail_memory(d);
    }
    return true;
}

static bool read_sampler(gltf_doc *d, gltf_scene *s, const gltf_item *sampler, const target *t,
                         gltf_channel *c, gltf_accessor *output)
{
    gltf_accessor input;
    uint32_t in, out;
    if (!gltf_need_index(d, sampler, "input", GLTF_ACCESSOR, &in) ||
        !gltf_need_index(d, sampler, "output", GLTF_ACCESSOR, &out) ||
        !read_interpolation(d, sampler, &c->interpolation) || !gltf_accessor_get(d, in, &input) ||
        !gltf_accessor_get(d, out, output) || !get_floats(d, s, &input, &c->times) ||
        !check_times(d, s, &input, c->times))
        return false;
    c->key_count = input.count;
    c->width = t->width;
    c->is_rotation = t->path == GLTF_ROTATION;
    const bool is_cubic = c->interpolation == GLTF_CUBIC;
    if (!check_output(d, sampler, t, c, output) || !get_floats(d, s, output, &c->values) ||
        (c->is_rotation && !check_turns(d, s, output, is_cubic, c->values)))
        return false;
    /* Cubics are made that long. */
    c->is_unit = c->is_rotation && (is_cubic || (s->checks[out] & IS_UNIT) != 0);
    return !s->nodes[t->node].is_in_scene || add_keys(d, s, &input, c->times);
}

/* What never changes is the node's own from now on. */
static bool make_rest(gltf_doc *d, gltf_node *node, const target *t, const gltf_channel *c)
{
    const float *value = c->values + (c->interpolation == GLTF_CUBIC ? c->width : 0);
    double *rest = t->path == GLTF_TRANSLATION ? node->translation
                   : t->path == GLTF_ROTATION  ? node->rotation
                                               : node->scale;
    if (t->path != GLTF_WEIGHTS) {
        for (uint32_t k = 0; k < c->width; k++) rest[k] = value[k];
        return true;
    }
    if (node->weights == NULL) {
        node->weights = io_alloc(d->memory, c->width, sizeof *node->weights);
        if (node->weights == NULL) return gltf_fail_memory(d);
    }
    memcpy(node->weights, value, c->width * sizeof *value);
    return true;
}

/* `taken` has a bit for each path of each node that a channel has. */
static bool read_channel(gltf_doc *d, gltf_scene *s, const gltf_item *channel,
                         const gltf_item *animation, const json_t *samplers, uint8_t *taken)
{
    target t;
    gltf_item sampler;
    gltf_accessor output;
    gltf_channel c = {0};
    uint64_t number = 0;
    if (!read_target(d, channel, s, &t) ||
        !gltf_need_uint(d, channel, "sampler", json_array_size(samplers) - 1, &number))
        return false;
    if (t.node == GLTF_NONE) return true;
    if (taken[t.node] & 1u << t.path)
        return gltf_refuse(d, channel, "moves what another channel of node %u moves", t.node);
    taken[t.node] |= (uint8_t)(1u << t.path);
    if (!gltf_part_get(d, animation, samplers, "sampler", (uint32_t)number, &sampler) ||
        !read_sampler(d, s, &sampler, &t, &c, &output))
        return false;
    if (is_same(s, &output, &c)) return make_rest(d, &s->nodes[t.node], &t, &c);
    s->nodes[t.node].channels[t.path] = s->channel_count;
    s->channels[s->channel_count++] = c;
    return true;
}

static bool read_channels(gltf_doc *d, gltf_scene *s, const gltf_item *animation,
                          const json_t *channels, const json_t *samplers)
{
    const uint32_t count = (uint32_t)json_array_size(channels);
    bool is_read = true;
    s->accessor_count = d->counts[GLTF_ACCESSOR];
    s->floats = io_alloc(d->memory, s->accessor_count, sizeof *s->floats);
    s->checks = io_alloc(d->memory, s->accessor_count, sizeof *s->checks);
    s->channels = io_alloc(d->memory, count, sizeof *s->channels);
    uint8_t *taken = io_alloc(d->memory, s->node_count, sizeof *taken);
    if (s->floats == NULL || s->checks == NULL || s->channels == NULL || taken == NULL)
        is_read = gltf_fail_memory(d);
    for (uint32_t i = 0; is_read && i < count; i++) {
        gltf_item channel;
        is_read = gltf_part_get(d, animation, channels, "channel", i, &channel) &&
                  read_channel(d, s, &channel, animation, samplers, taken);
    }
    io_free(d->memory, taken);
    return is_read;
}

bool gltf_animation_read(gltf_doc *d, gltf_scene *s)
{
    uint32_t number = 0;
    gltf_item item;
    const json_t *channels, *samplers;
    if (d->options->animation != NULL) {
        if (!gltf_find(d, GLTF_ANIMATION, d->options->animation, &number)) return false;
    } else if (d->counts[GLTF_ANIMATION] == 0)
        return true;
    else if (!gltf_note_choice(d, GLTF_ANIMATION, 0))
        return false;
    if (!gltf_item_get(d, GLTF_ANIMATION, number, &item) ||
        !gltf_array(d, &item, "channels", &channels) ||
        !gltf_array(d, &item, "samplers", &samplers))
        return false;
    if (channels == NULL || samplers == NULL)
        return gltf_refuse(d, &item, "%s is missing", channels == NULL ? "channels" : "samplers");
    return read_channels(d, s, &item, channels, samplers);
}

/* ---- at a time ---- */

/* The last key that is not later than `time`, which is after the first. */
static uint32_t find_key(const gltf_channel *c, double time)
{
    assert(c->key_count > 0 && c->times[0] < time);
    uint32_t low = 0, high = c->key_count; /* times[low] <= time < times[high] */
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (c->times[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Along the shorter arc, at even speed (slerp). Rotations of files are not always of length one,
 * and what is near one is taken as it is, but for keys so near to each other that their angle would
 * come from what they lack: there it comes from how far they are apart. */
static void turn(const float *a, const float *b, double u, float *out)
{
    double dot = 0, apart = 0;
    for (int k = 0; k < 4; k++) dot += (double)a[k] * b[k];
    const double sign = dot < 0 ? -1 : 1;
    for (int k = 0; k < 4; k++) apart += (a[k] - sign * b[k]) * (a[k] - sign * b[k]);
    dot = fabs(dot);
    /* Of unit rotations |a - b| is twice the sine of half the angle. */
    const double near_angle = 2 * asin(fmin(sqrt(apart) / 2, 1));
    const double angle = dot < 0.9995 ? acos(dot) : near_angle, sine = sin(angle);
    const bool is_arc = sine > 1e-6;
    const double wa = is_arc ? sin((1 - u) * angle) / sine : 1 - u;
    const double wb = is_arc ? sin(u * angle) / sine : u;
    for (int k = 0; k < 4; k++) out[k] = (float)(wa * a[k] + sign * wb * b[k]);
}

/* Hermite's cubic between two keys `span` apart. */
static double cubic(const float *p, uint32_t width, double span, double u)
{
    const double v0 = p[width], m0 = span * p[2 * width], m1 = span * p[3 * width],
                 v1 = p[4 * width];
    const double u2 = u * u, u3 = u2 * u;
    return (2 * u3 - 3 * u2 + 1) * v0 + (u3 - 2 * u2 + u) * m0 + (3 * u2 - 2 * u3) * v1 +
           (u3 - u2) * m1;
}

/* A rotation of length one; that of the key where nothing is left of it. */
static void normalize(const float *key, float q[4])
{
    const double length =
        sqrt((double)q[0] * q[0] + (double)q[1] * q[1] + (double)q[2] * q[2] + (double)q[3] * q[3]);
    for (int k = 0; k < 4; k++)
        q[k] = length > 1e-12 && isfinite(length) ? (float)(q[k] / length) : key[k];
}

static void between(const gltf_channel *c, uint32_t key, double time, float *out)
{
    assert(key + 1 < c->key_count && c->times[key] <= time && time <= c->times[key + 1]);
    assert(!c->is_rotation || c->width == 4);
    const double span = (double)c->times[key + 1] - c->times[key];
    const double u = (time - c->times[key]) / span;
    if (c->interpolation == GLTF_CUBIC) {
        const float *p = c->values + (size_t)key * 3 * c->width;
        for (uint32_t k = 0; k < c->width; k++) out[k] = (float)cubic(p + k, c->width, span, u);
        if (c->is_rotation) normalize(p + c->width, out);
        return;
    }
    const float *a = c->values + (size_t)key * c->width, *b = a + c->width;
    if (c->is_rotation)
        turn(a, b, u, out);
    else
        for (uint32_t k = 0; k < c->width; k++) out[k] = (float)(a[k] + u * ((double)b[k] - a[k]));
}

void gltf_channel_at(const gltf_channel *c, double time, float *out)
{
    const bool is_cubic = c->interpolation == GLTF_CUBIC;
    uint32_t key = time > c->times[0] ? find_key(c, time) : 0;
    if (time > c->times[0] && key + 1 < c->key_count && c->interpolation != GLTF_STEP) {
        between(c, key, time, out);
        return;
    }
    const float *value =
        c->values + (size_t)key * c->width * (is_cubic ? 3 : 1) + (is_cubic ? c->width : 0);
    memcpy(out, value, c->width * sizeof *value);
}
