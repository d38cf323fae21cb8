/* stl.c - STL, ASCII and binary. Way in: stl_read.
 *
 * Triangles come with corners of their own: corners at the same place are made one vertex. Solids
 * of a text are bodies, if there are several; a binary file is one. Normals are not read: whoever
 * needs them has the corners. */
#include <stddef.h>
#include "io/bytes.h"
#include "io/text.h"

/* A header that means nothing, a count, and triangles: a normal, three corners, two bytes. */
enum { HEAD_BYTES = 80, BEGIN_BYTES = 84, TRIANGLE_BYTES = 50, NORMAL_BYTES = 12 };

/* ---- binary ---- */

static bool check_corners(const mesh_input *input, const float *positions, uint64_t count,
                          io_error *error)
{
    uint64_t bad = 0;
    if (mesh_are_finite(positions, 3 * count, &bad)) return true;
    const uint64_t triangle = bad / 9;
    return mesh_fail_at(input, input->data + BEGIN_BYTES + triangle * TRIANGLE_BYTES, error,
                        "a corner of triangle %llu is not a finite number",
                        (unsigned long long)triangle);
}

static bool read_binary(const mesh_input *input, mesh_file *out, io_error *error)
{
    const uint64_t count = io_little32(input->data + HEAD_BYTES), corners = 3 * count;
    if (count > UINT32_MAX / 3)
        return mesh_fail_at(input, input->data + HEAD_BYTES, error, "too many triangles");
    if (count == 0) return true;
    mesh_part part = {.mesh.vertex_count = (uint32_t)corners};
    face_list faces = {0};
    float *positions = io_alloc(input->memory, 3 * corners, sizeof *positions);
    const bool has_room =
        positions != NULL && face_list_reserve(input->memory, &faces, (uint32_t)corners);
    if (!has_room) {
        io_free(input->memory, positions);
        return io_memory_fail(input->memory, error, input->path);
    }
    const uint8_t *at = input->data + BEGIN_BYTES + NORMAL_BYTES;
    for (uint64_t i = 0; i < count; i++, at += TRIANGLE_BYTES)
        for (size_t k = 0; k < 9; k++) positions[9 * i + k] = io_float_of(io_little32(at + 4 * k));
    for (uint32_t i = 0; i < (uint32_t)corners; i++) faces.corners[i] = i;
    faces.corner_count = (uint32_t)corners;
    faces.face_count = (uint32_t)count;
    part.mesh.positions = positions;
    out->vertex_count = (uint32_t)corners;
    if (!check_corners(input, positions, corners, error)) {
        io_free(input->memory, positions);
        face_list_free(input->memory, &faces);
        return false;
    }
    return mesh_file_add(input, out, &part, &faces, true, error);
}

/* ---- text ---- */

typedef struct stl_reader {
    const mesh_input *input;
    text t;
    mesh_file *out;
    mesh_part part; /* of the solid that is being read */
    face_list faces;
    uint32_t position_capacity;
} stl_reader;

static bool out_of_memory(const stl_reader *r)
{
    return io_memory_fail(r->input->memory, r->t.error, r->input->path);
}

/* Writers do not agree about capitals. */
static bool take_word(text *t, const char *word)
{
    const char *at = t->at;
    for (; *word != '\0'; word++, at++)
        if (at == t->end || (*at | 0x20) != *word) return false;
    if (!text_ends_word(t, at)) return false;
    t->at = at;
    return true;
}

static void skip_spaces(text *t)
{
    while (t->at < t->end && text_is_space(*t->at)) t->at++;
}

static bool take_vertex(stl_reader *r)
{
    clip_mesh *mesh = &r->part.mesh;
    io_memory *m = r->input->memory;
    if (mesh->vertex_count >= UINT32_MAX - 1 ||
        !IO_RESERVE_ONE(m, mesh->positions, 3 * (uint64_t)mesh->vertex_count + 2,
                        r->position_capacity) ||
        !face_list_reserve(m, &r->faces, mesh->vertex_count - r->faces.corner_count + 1))
        return out_of_memory(r);
    for (size_t axis = 0; axis < 3; axis++) {
        skip_spaces(&r->t);
        if (!text_take_float(&r->t, &mesh->positions[3 * (size_t)mesh->vertex_count + axis]))
            return text_fail(&r->t, r->t.at, "a vertex needs three finite numbers, not '%s'",
                             text_word_at(&r->t, r->t.at).text);
    }
    r->faces.corners[mesh->vertex_count] = mesh->vertex_count;
    mesh->vertex_count++;
    return true;
}

/* The vertices since the last face are the next one. */
static bool end_facet(stl_reader *r)
{
    const uint32_t count = r->part.mesh.vertex_count - r->faces.corner_count;
    if (count < 3)
        return text_fail(&r->t, r->t.at, "a facet needs three vertices, and has %u", count);
    return face_list_end_face(r->input->memory, &r->faces, count) || out_of_memory(r);
}

/* What was read since the last solid becomes a part. */
static bool end_solid(stl_reader *r)
{
    mesh_part part = r->part;
    r->part = (mesh_part){0};
    r->position_capacity = 0;
    if (part.mesh.vertex_count != r->faces.corner_count) {
        io_free(r->input->memory, part.name);
        io_free(r->input->memory, part.mesh.positions);
        return text_fail(&r->t, r->t.at, "a facet without endfacet");
    }
    if (r->faces.face_count == 0) {
        io_free(r->input->memory, part.name);
        io_free(r->input->memory, part.mesh.positions);
        return true;
    }
    r->out->vertex_count += part.mesh.vertex_count;
    return mesh_file_add(r->input, r->out, &part, &r->faces, true, r->t.error);
}

/* The rest of the line is its name. */
static bool begin_solid(stl_reader *r)
{
    if (!end_solid(r)) return false;
    text_skip_blanks(&r->t);
    const char *first = r->t.at;
    text_skip_line(&r->t);
    const char *last = r->t.at;
    while (last > first && text_is_space(last[-1])) last--;
    if (last == first) return true;
    r->part.name = names_copy(r->input->memory, first, (size_t)(last - first));
    return r->part.name != NULL || out_of_memory(r);
}

static bool skip_words(text *t, int count)
{
    for (; count > 0; count--) {
        skip_spaces(t);
        t->at = text_word_end(t);
    }
    return true;
}

static bool take_statement(stl_reader *r)
{
    text *t = &r->t;
    if (take_word(t, "vertex")) return take_vertex(r);
    if (take_word(t, "facet")) return skip_words(t, 4); /* normal x y z */
    if (take_word(t, "outer")) return skip_words(t, 1); /* loop */
    if (take_word(t, "endloop")) return true;
    if (take_word(t, "endfacet")) return end_facet(r);
    if (take_word(t, "solid")) return begin_solid(r);
    if (take_word(t, "endsolid")) {
        text_skip_line(t);
        return true;
    }
    return text_fail(t, t->at, "'%s' is not a word of STL", text_word_at(t, t->at).text);
}

static bool read_statements(stl_reader *r)
{
    for (skip_spaces(&r->t); r->t.at < r->t.end; skip_spaces(&r->t))
        if (!take_statement(r)) return false;
    return end_solid(r);
}

/* The only solid of a file has the name of the file: what writers put there is mostly their own. */
static void drop_only_name(io_memory *m, mesh_file *out)
{
    if (out->part_count != 1) return;
    io_free(m, out->parts[0].name);
    out->parts[0].name = NULL;
}

static bool read_text(const mesh_input *input, mesh_file *out, io_error *error)
{
    stl_reader r = {.input = input, .t = text_begin(input, error), .out = out};
    const bool is_read = read_statements(&r);
    io_free(input->memory, r.part.name);
    io_free(input->memory, r.part.mesh.positions);
    face_list_free(input->memory, &r.faces);
    drop_only_name(input->memory, out);
    return is_read;
}

/* ---- which of the two ---- */

/* Binary files may begin with "solid", too; but text has no zeros. */
static bool is_text(const mesh_input *input)
{
    enum { LOOK = 1024 };
    text t = {.at = (const char *)input->data, .end = (const char *)input->data + input->size};
    skip_spaces(&t);
    const size_t size = input->size < LOOK ? (size_t)input->size : LOOK;
    return take_word(&t, "solid") && memchr(input->data, 0, size) == NULL;
}

static uint64_t binary_size(const mesh_input *input)
{
    return BEGIN_BYTES + (uint64_t)TRIANGLE_BYTES * io_little32(input->data + HEAD_BYTES);
}

static bool read_either(const mesh_input *input, mesh_file *out, io_error *error)
{
    const bool has_head = input->size >= BEGIN_BYTES;
    if (has_head && binary_size(input) == input->size) return read_binary(input, out, error);
    if (is_text(input)) return read_text(input, out, error);
    if (has_head && binary_size(input) < input->size) return read_binary(input, out, error);
    if (!has_head)
        return io_fail(error, "%s: is not STL: neither 84 bytes nor a text that begins with solid",
                       io_tail(input->path));
    return mesh_fail_at(input, input->data + HEAD_BYTES, error,
                        "%u triangles take %llu bytes, and the file has %llu",
                        io_little32(input->data + HEAD_BYTES),
                        (unsigned long long)binary_size(input), (unsigned long long)input->size);
}

bool stl_read(const mesh_input *input, mesh_file *out, io_error *error)
{
    *out = (mesh_file){0};
    const bool is_read = read_either(input, out, error);
    if (!is_read) mesh_file_free(input->memory, out);
    return is_read;
}
