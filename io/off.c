/* off.c - OFF, the object file format of Geomview: counts, vertices, faces. Way in: off_read.
 *
 * The first word may have letters before OFF that say what vertices have besides a place: ST, C and
 * N, which is passed over. Comments and empty lines may be anywhere; what a vertex or a face has
 * behind its numbers ends with its line. */
#include "io/text.h"

typedef struct off_reader {
    const mesh_input *input;
    text t;
    mesh_file *out;
    mesh_part part;
    face_list faces;
    uint32_t face_count;
    bool is_split; /* vertices have normals or places in textures */
} off_reader;

static bool out_of_memory(const off_reader *r)
{
    return io_memory_fail(r->input->memory, r->t.error, r->input->path);
}

static bool take_letters(text *t, const char *letters)
{
    const size_t length = strlen(letters);
    if ((size_t)(t->end - t->at) < length || memcmp(t->at, letters, length) != 0) return false;
    t->at += length;
    return true;
}

/* [ST][C][N][4][n]OFF [BINARY]; without it a file begins with the counts. */
static bool take_keyword(off_reader *r)
{
    text *t = &r->t;
    text_skip_spaces(t);
    const char *word = t->at;
    if (t->at < t->end && *t->at >= '0' && *t->at <= '9') {
        int64_t number;
        text look = *t;
        if (text_take_integer(&look, &number)) return true;
    }
    const bool has_texture = take_letters(t, "ST"), has_colours = take_letters(t, "C"),
               has_normals = take_letters(t, "N");
    (void)has_colours;
    r->is_split = has_texture || has_normals;
    if (take_letters(t, "4") || take_letters(t, "n"))
        return text_fail(t, word, "only vertices in three dimensions are read");
    if (!text_take_word(t, "OFF"))
        return text_fail(t, word, "the first word must be OFF, not '%s'",
                         text_word_at(t, word).text);
    text_skip_blanks(t);
    if (text_take_word(t, "BINARY"))
        return text_fail(t, word, "binary OFF is not read; save it as text");
    return true;
}

static bool take_count(off_reader *r, const char *of_what, uint32_t *out)
{
    int64_t number;
    text_skip_spaces(&r->t);
    const char *word = r->t.at;
    if (!text_take_integer(&r->t, &number) || number < 0 || number >= UINT32_MAX)
        return text_fail(&r->t, word, "expected the number of %s, not '%s'", of_what,
                         text_word_at(&r->t, word).text);
    *out = (uint32_t)number;
    return true;
}

/* Vertices, faces and, which nobody needs, edges. A vertex takes six bytes or more, a face eight.
 */
static bool take_counts(off_reader *r)
{
    if (!take_count(r, "vertices", &r->part.mesh.vertex_count)) return false;
    if (!take_count(r, "faces", &r->face_count)) return false;
    text_skip_line(&r->t);
    const uint64_t left = (uint64_t)(r->t.end - r->t.at) + 1;
    if (6 * (uint64_t)r->part.mesh.vertex_count + 8 * (uint64_t)r->face_count <= left) return true;
    return text_fail(&r->t, r->t.at, "the file is too short for %u vertices and %u faces",
                     r->part.mesh.vertex_count, r->face_count);
}

static bool take_vertices(off_reader *r)
{
    clip_mesh *mesh = &r->part.mesh;
    mesh->positions =
        io_alloc(r->input->memory, 3 * (uint64_t)mesh->vertex_count, sizeof *mesh->positions);
    if (mesh->positions == NULL) return out_of_memory(r);
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        for (size_t axis = 0; axis < 3; axis++) {
            text_skip_spaces(&r->t);
            if (!text_take_float(&r->t, &mesh->positions[3 * i + axis]))
                return text_fail(&r->t, r->t.at, "a vertex needs three finite numbers, not '%s'",
                                 text_word_at(&r->t, r->t.at).text);
        }
        text_skip_line(&r->t);
    }
    return true;
}

static bool take_corner(off_reader *r, uint32_t *out)
{
    int64_t number;
    text_skip_spaces(&r->t);
    const char *word = r->t.at;
    if (!text_take_integer(&r->t, &number) || number < 0 || number >= r->part.mesh.vertex_count)
        return text_fail(&r->t, word, "a corner names vertex '%s' of %u",
                         text_word_at(&r->t, word).text, r->part.mesh.vertex_count);
    *out = (uint32_t)number;
    return true;
}

static bool take_face(off_reader *r)
{
    uint32_t count;
    const char *line = r->t.at;
    if (!take_count(r, "corners", &count)) return false;
    if (count < 3) return text_fail(&r->t, line, "a face needs three corners, and has %u", count);
    if ((uint64_t)(r->t.end - r->t.at) < 2 * (uint64_t)count)
        return text_fail(&r->t, line, "the file is too short for %u corners", count);
    if (!face_list_reserve(r->input->memory, &r->faces, count)) return out_of_memory(r);
    uint32_t *corners = r->faces.corners + r->faces.corner_count;
    for (uint32_t i = 0; i < count; i++)
        if (!take_corner(r, &corners[i])) return false;
    text_skip_line(&r->t); /* colours may follow */
    return face_list_end_face(r->input->memory, &r->faces, count) || out_of_memory(r);
}

static bool take_faces(off_reader *r)
{
    for (uint32_t i = 0; i < r->face_count; i++)
        if (!take_face(r)) return false;
    return true;
}

static bool read_all(off_reader *r)
{
    if (!take_keyword(r) || !take_counts(r) || !take_vertices(r) || !take_faces(r)) return false;
    r->out->vertex_count = r->part.mesh.vertex_count;
    if (r->faces.face_count == 0) return true;
    mesh_part part = r->part;
    r->part = (mesh_part){0};
    return mesh_file_add(r->input, r->out, &part, &r->faces, r->is_split, r->t.error);
}

bool off_read(const mesh_input *input, mesh_file *out, io_error *error)
{
    off_reader r = {.input = input, .t = text_begin(input, error), .out = out};
    *out = (mesh_file){0};
    const bool is_read = read_all(&r);
    io_free(input->memory, r.part.mesh.positions);
    face_list_free(input->memory, &r.faces);
    if (!is_read) mesh_file_free(input->memory, out);
    return is_read;
}
