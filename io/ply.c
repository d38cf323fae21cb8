/* ply.c - what follows the header of a PLY file. Ways in: ply_read, ply_file_read.
 * Made for large files in binary: vertices that have a fixed size are read with a stride. */
#include "io/ply.h"

#include <math.h>
#include <stdlib.h>
#include "io/bytes.h"
#include "io/ply_head.h"
#include "io/text.h"

typedef struct ply_reader {
    const mesh_input *input;
    ply_head head;
    text t;                  /* of ASCII: where to go on */
    const uint8_t *at, *end; /* of binary: the same */
    float *positions;        /* one of these, ... */
    double *positions64;     /* ... the other is NULL */
    uint32_t vertex_count;
    bool is_double;
    face_list faces;
    io_error *error;
} ply_reader;

static bool out_of_memory(const ply_reader *r)
{
    return io_memory_fail(r->input->memory, r->error, r->input->path);
}

/* With the line or the byte, whichever the file has. */
static bool fail_here(const ply_reader *r, const char *words)
{
    if (r->head.format == PLY_ASCII) return text_fail(&r->t, r->t.at, "%s", words);
    return mesh_fail_at(r->input, r->at, r->error, "%s", words);
}

/* ---- numbers ---- */

static inline uint64_t take_bits(const ply_reader *r, const uint8_t *at, uint32_t size)
{
    const bool is_big = r->head.format == PLY_BIG;
    if (size == 1) return at[0];
    if (size == 2) return is_big ? io_big16(at) : io_little16(at);
    if (size == 4) return is_big ? io_big32(at) : io_little32(at);
    return is_big ? io_big64(at) : io_little64(at);
}

static inline double binary_value(const ply_reader *r, const uint8_t *at, ply_type type)
{
    switch (type) {
    case PLY_INT8: return (int8_t)at[0];
    case PLY_UINT8: return at[0];
    case PLY_INT16: return (int16_t)take_bits(r, at, 2);
    case PLY_UINT16: return (double)take_bits(r, at, 2);
    case PLY_INT32: return (int32_t)take_bits(r, at, 4);
    case PLY_UINT32: return (double)take_bits(r, at, 4);
    case PLY_FLOAT32: return (double)io_float_of((uint32_t)take_bits(r, at, 4));
    case PLY_FLOAT64: return io_double_of(take_bits(r, at, 8));
    }
    return 0;
}

static inline int64_t binary_integer(const ply_reader *r, const uint8_t *at, ply_type type)
{
    switch (type) {
    case PLY_INT8: return (int8_t)at[0];
    case PLY_UINT8: return at[0];
    case PLY_INT16: return (int16_t)take_bits(r, at, 2);
    case PLY_UINT16: return (int64_t)take_bits(r, at, 2);
    case PLY_INT32: return (int32_t)take_bits(r, at, 4);
    case PLY_UINT32: return (int64_t)take_bits(r, at, 4);
    default: return 0; /* lists of corners are integers: the header was checked */
    }
}

/* The next integer, in ASCII or binary. */
static inline bool take_integer(ply_reader *r, ply_type type, int64_t *out)
{
    if (r->head.format == PLY_ASCII) {
        while (r->t.at < r->t.end && text_is_space(*r->t.at)) r->t.at++;
        return text_take_integer(&r->t, out) || fail_here(r, "expected an integer");
    }
    const uint32_t size = ply_type_size(type);
    if ((uint64_t)(r->end - r->at) < size) return fail_here(r, "the file ends too early");
    *out = binary_integer(r, r->at, type);
    r->at += size;
    return true;
}

/* ---- what is passed over ---- */

static bool skip_words(ply_reader *r, int64_t count)
{
    for (; count > 0; count--) {
        while (r->t.at < r->t.end && text_is_space(*r->t.at)) r->t.at++;
        if (r->t.at == r->t.end) return fail_here(r, "the file ends too early");
        r->t.at = text_word_end(&r->t);
    }
    return true;
}

static bool skip_property(ply_reader *r, const ply_property *property)
{
    int64_t count = 1;
    if (property->is_list && !take_integer(r, property->count_type, &count)) return false;
    if (count < 0) return fail_here(r, "the length of a list is negative");
    if (r->head.format == PLY_ASCII) return skip_words(r, count);
    const uint32_t size = ply_type_size(property->type);
    if ((uint64_t)(r->end - r->at) / size < (uint64_t)count)
        return fail_here(r, "the file ends too early");
    r->at += (uint64_t)count * size;
    return true;
}

/* ---- vertices ---- */

static void set_number(ply_reader *r, uint32_t vertex, int axis, double number)
{
    if (r->is_double)
        r->positions64[3 * (size_t)vertex + (size_t)axis] = number;
    else
        r->positions[3 * (size_t)vertex + (size_t)axis] = (float)number;
}

static bool take_coordinate(ply_reader *r, const ply_property *property, uint32_t vertex, int axis)
{
    double number = 0;
    float rounded = 0;
    if (r->head.format != PLY_ASCII) {
        const uint32_t size = ply_type_size(property->type);
        if ((uint64_t)(r->end - r->at) < size) return fail_here(r, "the file ends too early");
        set_number(r, vertex, axis, binary_value(r, r->at, property->type));
        r->at += size;
        return true;
    }
    while (r->t.at < r->t.end && text_is_space(*r->t.at)) r->t.at++;
    const char *behind = r->is_double ? number_read_double(r->t.at, r->t.end, &number)
                                      : number_read_float(r->t.at, r->t.end, &rounded);
    if (behind == NULL || !text_ends_word(&r->t, behind))
        return fail_here(r, "a vertex needs finite numbers");
    set_number(r, vertex, axis, r->is_double ? number : (double)rounded);
    r->t.at = behind;
    return true;
}

/* One after the other, property by property. */
static bool take_vertices(ply_reader *r, const ply_element *element)
{
    const ply_property *properties = r->head.properties + element->first_property;
    for (uint32_t v = 0; v < element->count; v++)
        for (uint32_t i = 0; i < element->property_count; i++) {
            const ply_property *property = &properties[i];
            const bool is_used = property->use != PLY_UNUSED;
            if (is_used ? !take_coordinate(r, property, v, (int)property->use - (int)PLY_X)
                        : !skip_property(r, property))
                return false;
        }
    return true;
}

/* Where in a vertex of fixed size its coordinates are. */
static void find_offsets(const ply_reader *r, const ply_element *element, uint32_t offsets[3],
                         ply_type types[3])
{
    uint32_t offset = 0;
    for (uint32_t i = 0; i < element->property_count; i++) {
        const ply_property *property = &r->head.properties[element->first_property + i];
        if (property->use != PLY_UNUSED) {
            offsets[property->use - PLY_X] = offset;
            types[property->use - PLY_X] = property->type;
        }
        offset += ply_type_size(property->type);
    }
}

/* Binary, all of the same size; that they are in the file was checked. */
static void copy_vertices(ply_reader *r, const ply_element *element)
{
    uint32_t offsets[3] = {0};
    ply_type types[3] = {0};
    find_offsets(r, element, offsets, types);
    const bool is_plain = types[0] == PLY_FLOAT32 && types[1] == PLY_FLOAT32 &&
                          types[2] == PLY_FLOAT32 && !r->is_double;
    for (uint32_t v = 0; v < element->count; v++, r->at += element->least_bytes)
        for (int axis = 0; axis < 3; axis++) {
            const uint8_t *at = r->at + offsets[axis];
            if (is_plain)
                r->positions[3 * (size_t)v + (size_t)axis] =
                    io_float_of((uint32_t)take_bits(r, at, 4));
            else
                set_number(r, v, axis, binary_value(r, at, types[axis]));
        }
}

static bool fail_infinite(const ply_reader *r, uint64_t vertex)
{
    return io_fail(r->error, "%s: vertex %llu: a coordinate is not a finite number",
                   io_tail(r->input->path), (unsigned long long)vertex);
}

/* Of text each number was looked at. */
static bool check_finite(const ply_reader *r)
{
    const uint64_t count = 3 * (uint64_t)r->vertex_count;
    uint64_t bad = 0;
    if (r->head.format == PLY_ASCII) return true;
    if (!r->is_double)
        return mesh_are_finite(r->positions, count, &bad) || fail_infinite(r, bad / 3);
    for (uint64_t i = 0; i < count; i++)
        if (!isfinite(r->positions64[i])) return fail_infinite(r, i / 3);
    return true;
}

static bool read_vertices(ply_reader *r, const ply_element *element)
{
    const uint64_t count = 3 * (uint64_t)element->count;
    r->vertex_count = element->count;
    if (r->is_double)
        r->positions64 = io_alloc(r->input->memory, count, sizeof *r->positions64);
    else
        r->positions = io_alloc(r->input->memory, count, sizeof *r->positions);
    if (r->positions == NULL && r->positions64 == NULL) return out_of_memory(r);
    if (r->head.format != PLY_ASCII && !element->has_lists)
        copy_vertices(r, element);
    else if (!take_vertices(r, element))
        return false;
    return check_finite(r);
}

/* ---- faces ---- */

static uint32_t total_vertices(const ply_head *h)
{
    for (uint32_t i = 0; i < h->element_count; i++)
        if (h->elements[i].kind == PLY_VERTICES) return h->elements[i].count;
    return 0;
}

/* How many numbers the next list has, for which the file is long enough. */
static bool begin_list(ply_reader *r, const ply_property *property, uint32_t *count)
{
    int64_t number;
    if (!take_integer(r, property->count_type, &number)) return false;
    const uint64_t left = r->head.format == PLY_ASCII
                              ? (uint64_t)(r->t.end - r->t.at) / 2
                              : (uint64_t)(r->end - r->at) / ply_type_size(property->type);
    if (number < 0) return fail_here(r, "the length of a list is negative");
    if ((uint64_t)number > left) return fail_here(r, "a list is longer than the rest of the file");
    *count = (uint32_t)number;
    return true;
}

static inline bool take_corner(ply_reader *r, ply_type type, uint32_t vertex_count, uint32_t *out)
{
    int64_t number;
    if (!take_integer(r, type, &number)) return false;
    if (number < 0 || number >= vertex_count)
        return fail_here(r, "a corner before this place names a vertex that does not exist");
    *out = (uint32_t)number;
    return true;
}

static bool take_face(ply_reader *r, const ply_property *property, uint32_t vertex_count)
{
    uint32_t count = 0;
    if (!begin_list(r, property, &count)) return false;
    if (count < 3) return fail_here(r, "a face needs three corners");
    if (!face_list_reserve(r->input->memory, &r->faces, count)) return out_of_memory(r);
    uint32_t *corners = r->faces.corners + r->faces.corner_count;
    for (uint32_t i = 0; i < count; i++)
        if (!take_corner(r, property->type, vertex_count, &corners[i])) return false;
    return face_list_end_face(r->input->memory, &r->faces, count) || out_of_memory(r);
}

/* Each corner makes a triangle with the two before it, every other one turned around; -1 begins
 * anew. Triangles with a corner twice only lead from strip to strip. */
static bool take_strip(ply_reader *r, const ply_property *property, uint32_t vertex_count)
{
    uint32_t count = 0, before[2] = {0, 0}, length = 0;
    if (!begin_list(r, property, &count)) return false;
    if (count > UINT32_MAX / 3 || !face_list_reserve(r->input->memory, &r->faces, 3 * count))
        return out_of_memory(r);
    for (uint32_t i = 0; i < count; i++) {
        int64_t number;
        if (!take_integer(r, property->type, &number)) return false;
        if (number < -1 || number >= (int64_t)vertex_count)
            return fail_here(r, "a strip before this place names a vertex that does not exist");
        const uint32_t corner = (uint32_t)number;
        length = number < 0 ? 0 : length + 1;
        if (length >= 3 && corner != before[0] && corner != before[1] && before[0] != before[1]) {
            uint32_t *out = r->faces.corners + r->faces.corner_count;
            out[0] = before[length % 2 == 1 ? 0 : 1];
            out[1] = before[length % 2 == 1 ? 1 : 0];
            out[2] = corner;
            if (!face_list_end_face(r->input->memory, &r->faces, 3)) return out_of_memory(r);
        }
        before[0] = before[1];
        before[1] = corner;
    }
    return true;
}

/* Triangles as nearly all binary files have them: a byte that is 3, then three numbers of 32 bits.
 * Stops at the first face that is something else; what follows goes through take_face. */
static uint32_t copy_triangles(ply_reader *r, const ply_element *element, uint32_t vertex_count)
{
    enum { BYTES = 13 };
    const ply_property *property = &r->head.properties[element->first_property];
    uint32_t *out = r->faces.corners + r->faces.corner_count, face = 0;
    if (r->head.format == PLY_ASCII || element->property_count != 1 || r->faces.ends != NULL ||
        ply_type_size(property->count_type) != 1 || ply_type_size(property->type) != 4)
        return 0;
    for (; face < element->count && r->end - r->at >= BYTES && r->at[0] == 3; face++) {
        uint32_t corners[3];
        for (int k = 0; k < 3; k++) corners[k] = (uint32_t)take_bits(r, r->at + 1 + 4 * k, 4);
        if (corners[0] >= vertex_count || corners[1] >= vertex_count || corners[2] >= vertex_count)
            break;
        memcpy(out, corners, sizeof corners);
        out += 3;
        r->at += BYTES;
    }
    r->faces.corner_count += 3 * face;
    r->faces.face_count += face;
    return face;
}

static bool read_faces(ply_reader *r, const ply_element *element)
{
    const ply_property *properties = r->head.properties + element->first_property;
    const uint32_t vertex_count = total_vertices(&r->head);
    /* Nearly all faces have three corners or more; that the file is long enough was checked. */
    if (element->kind == PLY_FACES && element->count < UINT32_MAX / 3 &&
        !face_list_reserve(r->input->memory, &r->faces, 3 * element->count))
        return out_of_memory(r);
    uint32_t face = 0;
    if (element->kind == PLY_FACES && element->count < UINT32_MAX / 3)
        face = copy_triangles(r, element, vertex_count);
    for (; face < element->count; face++)
        for (uint32_t i = 0; i < element->property_count; i++) {
            const bool is_face = element->kind == PLY_FACES;
            if (properties[i].use != PLY_CORNERS ? !skip_property(r, &properties[i])
                : is_face                        ? !take_face(r, &properties[i], vertex_count)
                                                 : !take_strip(r, &properties[i], vertex_count))
                return false;
        }
    return true;
}

/* ---- elements ---- */

static bool skip_element(ply_reader *r, const ply_element *element)
{
    for (uint32_t i = 0; i < element->count; i++)
        for (uint32_t k = 0; k < element->property_count; k++)
            if (!skip_property(r, &r->head.properties[element->first_property + k])) return false;
    return true;
}

/* What the header claims is held against the bytes that are left, before memory is taken for it. */
static bool check_size(const ply_reader *r, const ply_element *element)
{
    const bool is_ascii = r->head.format == PLY_ASCII;
    const uint64_t left =
        is_ascii ? (uint64_t)(r->t.end - r->t.at) + 1 : (uint64_t)(r->end - r->at);
    const uint64_t least = is_ascii ? 2 * (uint64_t)element->property_count : element->least_bytes;
    if (least == 0 || left / least >= element->count) return true;
    return fail_here(r, "the file is too short for what its header says");
}

static bool read_element(ply_reader *r, const ply_element *element)
{
    if (element->property_count == 0) return true;
    if (!check_size(r, element)) return false;
    switch (element->kind) {
    case PLY_VERTICES: return read_vertices(r, element);
    case PLY_FACES:
    case PLY_STRIPS: return read_faces(r, element);
    case PLY_OTHER: return skip_element(r, element);
    }
    return true;
}

static bool read_all(ply_reader *r)
{
    if (!ply_head_read(r->input, &r->head, r->error)) return false;
    r->t = (text){.start = (const char *)r->input->data,
                  .at = (const char *)r->input->data + r->head.body_begin,
                  .end = (const char *)r->input->data + r->input->size,
                  .path = r->input->path,
                  .error = r->error};
    r->at = r->input->data + r->head.body_begin;
    r->end = r->input->data + r->input->size;
    for (uint32_t i = 0; i < r->head.element_count; i++)
        if (!read_element(r, &r->head.elements[i])) return false;
    return true;
}

static void free_reader(ply_reader *r)
{
    io_memory *m = r->input->memory;
    ply_head_free(m, &r->head);
    io_free(m, r->positions);
    io_free(m, r->positions64);
    face_list_free(m, &r->faces);
}

bool ply_read(const mesh_input *input, mesh_file *out, io_error *error)
{
    ply_reader r = {.input = input, .error = error};
    *out = (mesh_file){0};
    bool is_read = read_all(&r);
    if (is_read && r.faces.face_count > 0) {
        mesh_part part = {.mesh = {.vertex_count = r.vertex_count, .positions = r.positions}};
        r.positions = NULL;
        out->vertex_count = r.vertex_count;
        is_read = mesh_file_add(input, out, &part, &r.faces, r.head.is_split, error);
    }
    free_reader(&r);
    if (!is_read) mesh_file_free(input->memory, out);
    return is_read;
}

/* ---- in double ---- */

static bool copy_mesh(const ply_reader *r, ply_mesh *out)
{
    const size_t vertex_count = r->vertex_count, face_count = r->faces.face_count;
    out->positions = malloc((vertex_count + 1) * sizeof *out->positions);
    out->tris = malloc((face_count + 1) * sizeof *out->tris);
    if (out->positions == NULL || out->tris == NULL) return io_fail_memory(r->error);
    if (vertex_count > 0)
        memcpy(out->positions, r->positions64, vertex_count * sizeof *out->positions);
    if (face_count > 0) memcpy(out->tris, r->faces.corners, face_count * sizeof *out->tris);
    out->vertex_count = r->vertex_count;
    out->triangle_count = r->faces.face_count;
    return true;
}

static bool read_double(const mesh_input *input, ply_mesh *out, io_error *error)
{
    ply_reader r = {.input = input, .is_double = true, .error = error};
    bool is_read = read_all(&r);
    if (is_read && r.faces.ends != NULL)
        is_read = io_fail(error, "%s: a face is no triangle", io_tail(input->path));
    is_read = is_read && copy_mesh(&r, out);
    free_reader(&r);
    return is_read;
}

bool ply_file_read(const char *path, ply_mesh *out, io_error *error)
{
    io_bytes bytes = {0};
    io_memory *m = io_memory_create(clip_options_default().memory_limit, 0);
    *out = (ply_mesh){0};
    if (m == NULL) return io_fail_memory(error);
    bool is_read = io_bytes_read(m, path, &bytes, error);
    if (is_read) {
        const mesh_input input = {
            .memory = m, .path = path, .data = bytes.data, .size = bytes.size};
        is_read = read_double(&input, out, error);
    }
    io_bytes_free(m, &bytes);
    io_memory_destroy(m);
    if (!is_read) ply_mesh_free(out);
    return is_read;
}

void ply_mesh_free(ply_mesh *mesh)
{
    free(mesh->positions);
    free(mesh->tris);
    *mesh = (ply_mesh){0};
}
