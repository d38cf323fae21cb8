/* gltf_doc.c - containers, JSON, and members of objects with words for what is wrong with them.
 * Way in: gltf_doc_open. */
#include "io/gltf_doc.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "io/names.h"

#define GLTF_MEMBER(name, member, word) member,
static const char *const members[] = {GLTF_KINDS(GLTF_MEMBER)};
#undef GLTF_MEMBER
#define GLTF_WORD(name, member, word) word,
static const char *const words[] = {GLTF_KINDS(GLTF_WORD)};
#undef GLTF_WORD

/* ---- refusing ---- */

static void say_place(const gltf_item *item, char *out, size_t size)
{
    if (item->part == NULL)
        (void)snprintf(out, size, "%s %u", words[item->kind], item->index);
    else
        (void)snprintf(out, size, "%s %u, %s %u", words[item->kind], item->index, item->part,
                       item->part_index);
}

bool gltf_refuse(gltf_doc *d, const gltf_item *item, const char *format, ...)
{
    char place[100] = "", reason[200];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    if (item == NULL) return io_fail(d->error, "%s: %s", io_tail(d->path), reason);
    say_place(item, place, sizeof place);
    return io_fail(d->error, "%s: %s: %s", io_tail(d->path), place, reason);
}

bool gltf_fail_memory(gltf_doc *d) { return io_memory_fail(d->memory, d->error, d->path); }

/* ---- members ---- */

bool gltf_item_get(gltf_doc *d, gltf_kind kind, uint32_t index, gltf_item *out)
{
    *out = (gltf_item){.kind = kind, .index = index};
    out->json = json_array_get(d->arrays[kind], index);
    if (!json_is_object(out->json)) return gltf_refuse(d, out, "is not an object");
    return true;
}

bool gltf_part_get(gltf_doc *d, const gltf_item *of, const json_t *array, const char *word,
                   uint32_t index, gltf_item *out)
{
    *out = (gltf_item){.json = json_array_get(array, index),
                       .kind = of->kind,
                       .index = of->index,
                       .part = word,
                       .part_index = index};
    if (!json_is_object(out->json)) return gltf_refuse(d, out, "is not an object");
    return true;
}

bool gltf_array(gltf_doc *d, const gltf_item *item, const char *key, const json_t **out)
{
    *out = json_object_get(item->json, key);
    if (*out == NULL) return true;
    if (!json_is_array(*out)) return gltf_refuse(d, item, "%s is not an array", key);
    if (json_array_size(*out) == 0) return gltf_refuse(d, item, "%s is empty", key);
    if (json_array_size(*out) >= GLTF_NONE) return gltf_refuse(d, item, "%s is too long", key);
    return true;
}

bool gltf_object(gltf_doc *d, const gltf_item *item, const char *key, const json_t **out)
{
    *out = json_object_get(item->json, key);
    if (*out == NULL || json_is_object(*out)) return true;
    return gltf_refuse(d, item, "%s is not an object", key);
}

/* A number without a fraction, also where it is written with a point. */
static bool is_whole(const json_t *json, uint64_t *out)
{
    const double exact = 9007199254740992.0; /* 2^53 */
    if (json_is_integer(json)) {
        const json_int_t number = json_integer_value(json);
        *out = (uint64_t)number;
        return number >= 0;
    }
    if (!json_is_real(json)) return false;
    const double number = json_real_value(json);
    if (!(number >= 0 && number <= exact) || number != floor(number)) return false;
    *out = (uint64_t)number;
    return true;
}

bool gltf_uint(gltf_doc *d, const gltf_item *item, const char *key, uint64_t max, uint64_t *out)
{
    uint64_t number;
    const json_t *json = json_object_get(item->json, key);
    if (json == NULL) return true;
    if (!is_whole(json, &number)) return gltf_refuse(d, item, "%s is not a whole number", key);
    if (number > max)
        return gltf_refuse(d, item, "%s is %llu, which is more than %llu", key,
                           (unsigned long long)number, (unsigned long long)max);
    *out = number;
    return true;
}

bool gltf_need_uint(gltf_doc *d, const gltf_item *item, const char *key, uint64_t max,
                    uint64_t *out)
{
    if (json_object_get(item->json, key) == NULL) return gltf_refuse(d, item, "%s is missing", key);
    return gltf_uint(d, item, key, max, out);
}

static bool check_index(gltf_doc *d, const gltf_item *item, const json_t *json, gltf_kind kind,
                        uint32_t *out)
{
    uint64_t number;
    if (!is_whole(json, &number))
        return gltf_refuse(d, item, "the number of a %s is not a whole number", words[kind]);
    if (number >= d->counts[kind])
        return gltf_refuse(d, item, "names %s %llu; there are %u", words[kind],
                           (unsigned long long)number, d->counts[kind]);
    *out = (uint32_t)number;
    return true;
}

bool gltf_index(gltf_doc *d, const gltf_item *item, const char *key, gltf_kind kind, uint32_t *out)
{
    const json_t *json = json_object_get(item->json, key);
    *out = GLTF_NONE;
    return json == NULL || check_index(d, item, json, kind, out);
}

bool gltf_need_index(gltf_doc *d, const gltf_item *item, const char *key, gltf_kind kind,
                     uint32_t *out)
{
    if (json_object_get(item->json, key) == NULL) return gltf_refuse(d, item, "%s is missing", key);
    return gltf_index(d, item, key, kind, out);
}

bool gltf_index_at(gltf_doc *d, const gltf_item *item, const json_t *array, size_t at,
                   gltf_kind kind, uint32_t *out)
{
    return check_index(d, item, json_array_get(array, at), kind, out);
}

bool gltf_bool(gltf_doc *d, const gltf_item *item, const char *key, bool *out)
{
    const json_t *json = json_object_get(item->json, key);
    *out = json_is_true(json);
    if (json == NULL || json_is_boolean(json)) return true;
    return gltf_refuse(d, item, "%s is neither true nor false", key);
}

bool gltf_numbers(gltf_doc *d, const gltf_item *item, const char *key, uint32_t count, double *out,
                  bool *is_there)
{
    const json_t *array;
    if (!gltf_array(d, item, key, &array)) return false;
    *is_there = array != NULL;
    if (array == NULL) return true;
    if (json_array_size(array) != count)
        return gltf_refuse(d, item, "%s has %zu numbers instead of %u", key, json_array_size(array),
                           count);
    for (uint32_t i = 0; i < count; i++) {
        const json_t *json = json_array_get(array, i);
        out[i] = json_number_value(json);
        if (!json_is_number(json) || !isfinite((float)out[i]))
            return gltf_refuse(d, item, "%s has an element that is not a finite number", key);
    }
    return true;
}

const char *gltf_text(const gltf_item *item, const char *key)
{
    return json_string_value(json_object_get(item->json, key));
}

/* How much of a text that is too long is kept, without a torn character (UTF-8). */
static size_t short_length(const char *text)
{
    enum { LONGEST = 120 };
    size_t length = strlen(text);
    if (length <= LONGEST) return length;
    for (length = LONGEST; length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80;) length--;
    return length;
}

char *gltf_name(gltf_doc *d, const gltf_item *item, const char *word)
{
    char made[60];
    const char *name = gltf_text(item, "name");
    (void)snprintf(made, sizeof made, "%.40s %u", word, item->index);
    if (name == NULL || *name == '\0') name = made;
    return names_copy(d->memory, name, short_length(name));
}

/* A number that is written as nothing else. */
static bool is_number(const char *text, uint32_t *out)
{
    char *end;
    if (!isdigit((unsigned char)*text) || strlen(text) > 9) return false;
    *out = (uint32_t)strtoul(text, &end, 10);
    return *end == '\0';
}

/* All of a kind but one, for people who choose: 0 "Walk", 1 "Run", 2 and 5 more. */
enum { CHOICES_MAX = 600 };
static bool list_choices(gltf_doc *d, gltf_kind kind, uint32_t left_out, char out[CHOICES_MAX])
{
    enum { LISTED = 6 };
    uint32_t listed = 0, wanted = d->counts[kind] - (left_out != GLTF_NONE);
    size_t used = 0;
    for (uint32_t i = 0; i < d->counts[kind] && listed < LISTED; i++) {
        gltf_item item;
        if (i == left_out) continue;
        if (!gltf_item_get(d, kind, i, &item)) return false;
        const char *name = gltf_text(&item, "name");
        char *copy = name == NULL ? NULL : names_copy(d->memory, name, short_length(name));
        if (name != NULL && copy == NULL) return gltf_fail_memory(d);
        const char *quote = copy == NULL ? "" : "\"", *space = copy == NULL ? "" : " ";
        used += (size_t)snprintf(out + used, CHOICES_MAX - used, "%s%u%s%s%.60s%s",
                                 listed++ > 0 ? ", " : "", i, space, quote,
                                 copy == NULL ? "" : copy, quote);
        io_free(d->memory, copy);
    }
    if (listed < wanted)
        (void)snprintf(out + used, CHOICES_MAX - used, " and %u more", wanted - listed);
    return true;
}

bool gltf_find(gltf_doc *d, gltf_kind kind, const char *wanted, uint32_t *out)
{
    for (uint32_t i = 0; i < d->counts[kind]; i++) {
        gltf_item item;
        if (!gltf_item_get(d, kind, i, &item)) return false;
        const char *name = gltf_text(&item, "name");
        *out = i;
        if (name != NULL && strcmp(name, wanted) == 0) return true;
    }
    if (is_number(wanted, out) && *out < d->counts[kind]) return true;
    if (d->counts[kind] == 0) return gltf_refuse(d, NULL, "has no %ss", words[kind]);
    char there[CHOICES_MAX];
    return list_choices(d, kind, GLTF_NONE, there) &&
           gltf_refuse(d, NULL, "has no %s \"%.60s\", but %s", words[kind], wanted, there);
}

bool gltf_note_choice(gltf_doc *d, gltf_kind kind, uint32_t chosen)
{
    char others[CHOICES_MAX];
    if (d->counts[kind] < 2) return true;
    return list_choices(d, kind, chosen, others) &&
           (clip_add_note(d->clip, "%s: only %s %u is read; --%s chooses another: %s",
                          io_tail(d->path), words[kind], chosen, words[kind], others) ||
            gltf_fail_memory(d));
}

/* ---- the container ---- */

enum { GLB_MAGIC = 0x46546C67, GLB_JSON = 0x4E4F534A, GLB_BIN = 0x004E4942 };

/* One chunk of a GLB; `at` goes on to the next. */
typedef struct glb_chunk {
    uint32_t type;
    const uint8_t *data;
    uint64_t size;
} glb_chunk;

static bool next_chunk(gltf_doc *d, const uint8_t *bytes, uint64_t size, uint64_t *at,
                       glb_chunk *out)
{
    if (size - *at < 8)
        return gltf_refuse(d, NULL, "a chunk is cut off at byte %llu", (unsigned long long)*at);
    const uint64_t length = io_little32(bytes + *at);
    if (length > size - *at - 8)
        return gltf_refuse(d, NULL, "the chunk at byte %llu has %llu bytes, %llu are there",
                           (unsigned long long)*at, (unsigned long long)length,
                           (unsigned long long)(size - *at - 8));
    if (length % 4 != 0)
        return gltf_refuse(d, NULL,
                           "the chunk at byte %llu has a length that is not a multiple of 4",
                           (unsigned long long)*at);
    *out = (glb_chunk){io_little32(bytes + *at + 4), bytes + *at + 8, length};
    *at += 8 + length;
    return true;
}

/* The JSON comes first, then the binary chunk, then what this version does not know. */
static bool open_glb(gltf_doc *d, const uint8_t *bytes, uint64_t size, glb_chunk *json)
{
    uint64_t at = 12;
    if (size < 12) return gltf_refuse(d, NULL, "is cut off in its header");
    if (io_little32(bytes + 4) != 2)
        return gltf_refuse(d, NULL, "is GLB version %u; 2 is read", io_little32(bytes + 4));
    if (io_little32(bytes + 8) != size)
        return gltf_refuse(d, NULL, "%s: it has %llu bytes, and its header says %u",
                           io_little32(bytes + 8) > size ? "is cut off" : "is too long",
                           (unsigned long long)size, io_little32(bytes + 8));
    if (!next_chunk(d, bytes, size, &at, json)) return false;
    if (json->type != GLB_JSON) return gltf_refuse(d, NULL, "its first chunk is not JSON");
    for (uint32_t i = 1; at < size; i++) {
        glb_chunk chunk;
        if (!next_chunk(d, bytes, size, &at, &chunk)) return false;
        if (chunk.type == GLB_JSON || (chunk.type == GLB_BIN && i > 1))
            return gltf_refuse(d, NULL, "chunk %u repeats an earlier one, or comes too late", i);
        if (chunk.type != GLB_BIN) continue;
        d->chunk = chunk.data;
        d->chunk_size = chunk.size;
    }
    return true;
}

/* ---- JSON ---- */

/* What the parser will take at most: objects, arrays and what is in them, each with its header, and
 * texts that are copied while they grow. Texts themselves may be long: buffers can be in them. */
static uint64_t parser_bytes(const uint8_t *text, uint64_t size)
{
    uint64_t bytes = 4 * size;
    bool in_text = false;
    for (uint64_t i = 0; i < size; i++) {
        if (in_text && text[i] == '\\')
            i++;
        else if (text[i] == '"')
            in_text = !in_text;
        else if (!in_text)
            bytes += text[i] == '{' ? 320 : text[i] == '[' ? 160 : text[i] == ',' ? 112 : 0;
    }
    return bytes;
}

static bool parse(gltf_doc *d, const uint8_t *text, uint64_t size)
{
    json_error_t error;
    const uint64_t bytes = parser_bytes(text, size);
    if (!io_reserve(d->memory, bytes)) return gltf_fail_memory(d);
    d->json_reserved = bytes;
    d->root = json_loadb((const char *)text, (size_t)size, 0, &error);
    if (d->root == NULL) {
        if (json_error_code(&error) == json_error_out_of_memory) return gltf_fail_memory(d);
        for (char *c = error.text; *c != '\0'; c++)
            if ((unsigned char)*c < 0x20) *c = ' ';
        return gltf_refuse(d, NULL, "JSON line %d, column %d: %.120s", error.line, error.column,
                           error.text);
    }
    if (!json_is_object(d->root)) return gltf_refuse(d, NULL, "its JSON is not an object");
    return true;
}

static bool find_arrays(gltf_doc *d)
{
    for (int kind = 0; kind < GLTF_KIND_COUNT; kind++) {
        const json_t *array = json_object_get(d->root, members[kind]);
        if (array == NULL) continue;
        if (!json_is_array(array) || json_array_size(array) >= GLTF_NONE)
            return gltf_refuse(d, NULL, "%s is not an array", members[kind]);
        d->arrays[kind] = array;
        d->counts[kind] = (uint32_t)json_array_size(array);
    }
    return true;
}

static bool check_version(gltf_doc *d)
{
    const json_t *asset = json_object_get(d->root, "asset");
    const char *version = json_string_value(json_object_get(asset, "version"));
    const char *least = json_string_value(json_object_get(asset, "minVersion"));
    if (version == NULL) return gltf_refuse(d, NULL, "is not glTF: asset.version is missing");
    if (strncmp(version, "2.", 2) != 0)
        return gltf_refuse(d, NULL, "is glTF %.20s; 2.0 is read", version);
    if (least != NULL && strcmp(least, "2.0") != 0)
        return gltf_refuse(d, NULL, "needs glTF %.20s; 2.0 is read", least);
    return true;
}

/* ---- extensions ---- */

/* What says nothing about where triangles are, or is read here. A star stands for any ending. */
static bool is_known(const char *name)
{
    static const char *const known[] = {"KHR_mesh_quantization",
                                        "EXT_meshopt_compression",
                                        "KHR_meshopt_compression",
                                        "KHR_materials_*",
                                        "KHR_texture_*",
                                        "KHR_lights_*",
                                        "KHR_xmp*",
                                        "EXT_texture_*",
                                        "EXT_lights_*",
                                        "MSFT_texture_dds",
                                        "KHR_techniques_webgl"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const size_t length = strlen(known[i]);
        const bool is_open = known[i][length - 1] == '*';
        if (is_open ? strncmp(name, known[i], length - 1) == 0 : strcmp(name, known[i]) == 0)
            return true;
    }
    return false;
}

static bool check_required(gltf_doc *d, const char *name)
{
    if (is_known(name)) return true;
    if (strcmp(name, "KHR_draco_mesh_compression") == 0)
        return gltf_refuse(d, NULL,
                           "is compressed with Draco, which is not read here; convert it with "
                           "'npx @gltf-transform/cli copy IN.glb OUT.glb'");
    return gltf_refuse(d, NULL, "requires the extension %.100s, which is not read here", name);
}

static bool note_used(gltf_doc *d, const char *name)
{
    if (strcmp(name, "KHR_mesh_quantization") == 0) d->is_quantized = true;
    if (strcmp(name, "EXT_mesh_gpu_instancing") == 0)
        return clip_add_note(d->clip, "%s: instances (EXT_mesh_gpu_instancing) are left out",
                             io_tail(d->path)) ||
               gltf_fail_memory(d);
    return true;
}

static bool check_extensions(gltf_doc *d)
{
    const json_t *required = json_object_get(d->root, "extensionsRequired");
    const json_t *used = json_object_get(d->root, "extensionsUsed");
    for (size_t i = 0; i < json_array_size(required); i++) {
        const char *name = json_string_value(json_array_get(required, i));
        if (name == NULL) return gltf_refuse(d, NULL, "extensionsRequired has no names");
        if (!check_required(d, name)) return false;
    }
    for (size_t i = 0; i < json_array_size(used); i++) {
        const char *name = json_string_value(json_array_get(used, i));
        if (name == NULL) return gltf_refuse(d, NULL, "extensionsUsed has no names");
        if (!note_used(d, name)) return false;
    }
    return true;
}

/* ---- the way in ---- */

bool gltf_doc_open(gltf_doc *d, const uint8_t *bytes, uint64_t size)
{
    glb_chunk json = {GLB_JSON, bytes, size};
    if (size >= 4 && io_little32(bytes) == GLB_MAGIC && !open_glb(d, bytes, size, &json))
        return false;
    return parse(d, json.data, json.size) && check_version(d) && find_arrays(d) &&
           check_extensions(d);
}

void gltf_doc_close(gltf_doc *d)
{
    gltf_buffers_free(d);
    json_decref(d->root);
    io_unreserve(d->memory, d->json_reserved);
}
