/* clip_build.c - bodies, names and keys of a clip while readers fill it.
 * Way in: clip_create, then what readers call, then clip_finish. */
#include "io/clip_build.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

/* A hash table of texts with a number each, which grows. Texts are not its own. */
typedef struct name_table {
    struct name_entry {
        const char *text; /* NULL: free */
        uint32_t number;
    } * entries;
    uint32_t size, count; /* size: a power of two */
} name_table;

/* What clip_add_* need and nobody else: room of the arrays, and who is where. */
typedef struct clip_names {
    name_table bodies;    /* number: how often this name was asked for */
    name_table materials; /* number: of the material */
    uint32_t body_capacity, material_capacity, note_capacity, part_capacity, key_capacity;
} clip_names;

static uint64_t hash_text(const char *text)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325); /* FNV-1a */
    for (; *text != '\0'; text++) hash = (hash ^ (uint8_t)*text) * UINT64_C(0x100000001B3);
    return hash ^ hash >> 29;
}

/* Where the text is, or the free entry where it belongs. */
static struct name_entry *find_name(const name_table *t, const char *text)
{
    assert(t->count < t->size); /* one entry at least is free */
    uint32_t at = (uint32_t)hash_text(text) & (t->size - 1);
    while (t->entries[at].text != NULL && strcmp(t->entries[at].text, text) != 0)
        at = (at + 1) & (t->size - 1);
    return &t->entries[at];
}

/* Room for one more, a quarter of the entries staying free. */
static bool reserve_name(io_memory *m, name_table *t)
{
    if (t->size > 0 && t->count < t->size / 4 * 3) return true;
    if (t->size > UINT32_MAX / 2) return false;
    name_table grown = {.size = t->size == 0 ? 16 : t->size * 2, .count = t->count};
    grown.entries = io_alloc(m, grown.size, sizeof *grown.entries);
    if (grown.entries == NULL) return false;
    for (uint32_t i = 0; i < t->size; i++)
        if (t->entries[i].text != NULL) *find_name(&grown, t->entries[i].text) = t->entries[i];
    io_free(m, t->entries);
    *t = grown;
    return true;
}

static void add_name(name_table *t, struct name_entry *entry, const char *text, uint32_t number)
{
    *entry = (struct name_entry){.text = text, .number = number};
    t->count++;
}

/* ---- adding ---- */

clip *clip_create(const clip_options *options)
{
    io_memory *m = io_memory_create(options->memory_limit, options->failing_allocation);
    clip *c = m != NULL ? io_alloc(m, 1, sizeof *c) : NULL;
    clip_names *names = c != NULL ? io_alloc(m, 1, sizeof *names) : NULL;
    if (names == NULL) {
        if (c != NULL) io_free(m, c);
        io_memory_destroy(m);
        return NULL;
    }
    c->memory = m;
    c->names = names;
    return c;
}

/* The name, or the name with the first number behind it that nobody has. */
static char *make_unique(clip *c, const char *name)
{
    enum { DIGITS = 16 };
    name_table *t = &c->names->bodies;
    struct name_entry *entry = find_name(t, name);
    char *text = io_alloc(c->memory, strlen(name) + DIGITS, 1);
    if (text == NULL) return NULL;
    memcpy(text, name, strlen(name));
    while (find_name(t, text)->text != NULL)
        (void)snprintf(text, strlen(name) + DIGITS, "%s.%u", name, ++entry->number);
    return text;
}

clip_body *clip_add_body(clip *c, const char *name)
{
    clip_names *names = c->names;
    if (!IO_RESERVE_ONE(c->memory, c->bodies, c->body_count, names->body_capacity)) return NULL;
    if (!reserve_name(c->memory, &names->bodies)) return NULL;
    char *text = make_unique(c, name);
    if (text == NULL) return NULL;
    add_name(&names->bodies, find_name(&names->bodies, text), text, 1);
    clip_body *body = &c->bodies[c->body_count++];
    *body = (clip_body){.name = text};
    return body;
}

bool clip_add_material(clip *c, const char *name, uint16_t *number)
{
    clip_names *names = c->names;
    if (!reserve_name(c->memory, &names->materials)) return false;
    struct name_entry *entry = find_name(&names->materials, name);
    *number = (uint16_t)entry->number;
    if (entry->text != NULL) return true;
    if (c->material_count == UINT16_MAX) return false;
    if (!IO_RESERVE_ONE(c->memory, c->materials, c->material_count, names->material_capacity))
        return false;
    char *text = io_copy_text(c->memory, name);
    if (text == NULL) return false;
    *number = (uint16_t)c->material_count;
    c->materials[c->material_count++] = text;
    add_name(&names->materials, entry, text, *number);
    return true;
}

bool clip_add_note(clip *c, const char *format, ...)
{
    char text[IO_ERROR_MAX];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (c->note_count > 0 && strcmp(c->notes[c->note_count - 1], text) == 0) return true;
    if (!IO_RESERVE_ONE(c->memory, c->notes, c->note_count, c->names->note_capacity)) return false;
    char *copy = io_copy_text(c->memory, text);
    if (copy == NULL) return false;
    c->notes[c->note_count++] = copy;
    return true;
}

bool clip_add_keys(clip *c, const double *times, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        assert(isfinite(times[i]));
        if (!IO_RESERVE_ONE(c->memory, c->keys, c->key_count, c->names->key_capacity)) return false;
        c->keys[c->key_count++] = times[i];
    }
    return true;
}

bool clip_add_part(clip *c, uint32_t first_body, const clip_source *source, void *data)
{
    assert(first_body <= c->body_count && source != NULL);
    if (!IO_RESERVE_ONE(c->memory, c->parts, c->part_count, c->names->part_capacity)) {
        if (source->close != NULL) source->close(c, data);
        return false;
    }
    c->parts[c->part_count++] = (clip_part){.first_body = first_body,
                                            .body_count = c->body_count - first_body,
                                            .source = source,
                                            .data = data};
    return true;
}

/* ---- the end ---- */

/* Sorts by heap: in place, and no order of equals to care for. */
static void sift_down(double *keys, uint32_t at, uint32_t count)
{
    const double key = keys[at];
    for (uint64_t child; (child = 2 * (uint64_t)at + 1) < count; at = (uint32_t)child) {
        if (child + 1 < count && keys[child + 1] > keys[child]) child++;
        if (keys[child] <= key) break;
        keys[at] = keys[child];
    }
    keys[at] = key;
}

static void sort_keys(double *keys, uint32_t count)
{
    for (uint32_t i = count / 2; i-- > 0;) sift_down(keys, i, count);
    for (uint32_t end = count; end-- > 1;) {
        const double last = keys[end];
        keys[end] = keys[0];
        keys[0] = last;
        sift_down(keys, 0, end);
    }
}

static bool is_sorted(const double *keys, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (!(keys[i - 1] <= keys[i])) return false;
    return true;
}

static uint32_t drop_equals(double *keys, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (kept == 0 || keys[i] != keys[kept - 1]) keys[kept++] = keys[i];
    return kept;
}

static bool has_triangles(const clip *c)
{
    for (uint32_t i = 0; i < c->body_count; i++)
        if (c->bodies[i].mesh.triangle_count > 0) return true;
    return false;
}

bool clip_finish(clip *c, const char *path, io_error *error)
{
    static const double begin = 0;
    if (!has_triangles(c)) return io_fail(error, "%s: has no triangles", io_tail(path));
    if (c->key_count == 0 && !clip_add_keys(c, &begin, 1))
        return io_memory_fail(c->memory, error, path);
    if (!is_sorted(c->keys, c->key_count)) sort_keys(c->keys, c->key_count);
    c->key_count = drop_equals(c->keys, c->key_count);
    return true;
}

/* ---- closing ---- */

void clip_mesh_free(const clip *c, clip_mesh *mesh)
{
    io_free(c->memory, mesh->positions);
    io_free(c->memory, mesh->indices);
    io_free(c->memory, mesh->faces);
    io_free(c->memory, mesh->materials);
    *mesh = (clip_mesh){0};
}

static void free_body(const clip *c, clip_body *body)
{
    io_memory *m = c->memory;
    clip_mesh_free(c, &body->mesh);
    for (uint32_t i = 0; body->morph.offsets != NULL && i < body->morph.target_count; i++)
        io_free(m, body->morph.offsets[i]);
    io_free(m, body->morph.offsets);
    io_free(m, body->skin.first);
    io_free(m, body->skin.joints);
    io_free(m, body->skin.weights);
    io_free(m, body->skin.inverse_bind);
    io_free(m, body->skin.rest);
    io_free(m, body->name);
}

static void free_texts(io_memory *m, char **texts, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) io_free(m, texts[i]);
    io_free(m, texts);
}

void clip_close(clip *c)
{
    if (c == NULL) return;
    io_memory *m = c->memory;
    for (uint32_t i = 0; i < c->part_count; i++)
        if (c->parts[i].source->close != NULL) c->parts[i].source->close(c, c->parts[i].data);
    for (uint32_t i = 0; i < c->body_count; i++) free_body(c, &c->bodies[i]);
    free_texts(m, c->materials, c->material_count);
    free_texts(m, c->notes, c->note_count);
    io_free(m, c->names->bodies.entries);
    io_free(m, c->names->materials.entries);
    io_free(m, c->names);
    io_free(m, c->bodies);
    io_free(m, c->keys);
    io_free(m, c->parts);
    io_free(m, c);
    io_memory_destroy(m);
}
