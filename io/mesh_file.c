/* mesh_file.c - lists of faces, and meshes made of them. Way in: mesh_file_add. */
#include "io/mesh_file.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "io/polygon.h"
#include "io/weld.h"

/* ---- lists of faces ---- */

bool face_list_reserve(io_memory *m, face_list *faces, uint32_t corner_count)
{
    const uint64_t wanted = (uint64_t)faces->corner_count + corner_count;
    uint64_t capacity = faces->corner_capacity;
    if (wanted <= capacity) return true;
    if (wanted > UINT32_MAX) return false;
    capacity = wanted > 2 * capacity ? wanted : 2 * capacity;
    if (capacity < 64) capacity = 64;
    if (capacity > UINT32_MAX) capacity = UINT32_MAX;
    void *grown = io_grow(m, faces->corners, capacity, sizeof *faces->corners);
    if (grown == NULL) return false;
    faces->corners = grown;
    faces->corner_capacity = (uint32_t)capacity;
    return true;
}

/* The first face that is no triangle: from now on ends are written down. */
static bool begin_ends(io_memory *m, face_list *faces)
{
    const uint64_t capacity = (uint64_t)faces->face_count + 1024;
    faces->ends = io_alloc(m, capacity, sizeof *faces->ends);
    if (faces->ends == NULL) return false;
    faces->end_capacity = capacity > UINT32_MAX ? UINT32_MAX : (uint32_t)capacity;
    for (uint32_t i = 0; i < faces->face_count; i++) faces->ends[i] = 3 * i + 3;
    return true;
}

bool face_list_end_face(io_memory *m, face_list *faces, uint32_t corner_count)
{
    if (faces->ends == NULL && corner_count != 3 && !begin_ends(m, faces)) return false;
    if (faces->ends != NULL) {
        if (!IO_RESERVE_ONE(m, faces->ends, faces->face_count, faces->end_capacity)) return false;
        faces->ends[faces->face_count] = faces->corner_count + corner_count;
    }
    faces->corner_count += corner_count;
    faces->face_count++;
    return true;
}

void face_list_free(io_memory *m, face_list *faces)
{
    io_free(m, faces->corners);
    io_free(m, faces->ends);
    io_free(m, faces->materials);
    *faces = (face_list){0};
}

/* ---- triangles ---- */

/* Each face has two triangles less than corners. */
static bool make_triangles(io_memory *m, const face_list *faces, clip_mesh *mesh,
                           polygon_room *room)
{
    uint32_t *out = mesh->indices;
    for (uint32_t face = 0; face < faces->face_count; face++) {
        const uint32_t first = face_first(faces, face), count = face_end(faces, face) - first;
        if (!polygon_cut(m, room, mesh->positions, faces->corners + first, count, out))
            return false;
        const size_t before = (size_t)(out - mesh->indices) / 3;
        for (uint32_t i = 0; i + 2 < count; i++) {
            mesh->faces[before + i] = face;
            if (mesh->materials != NULL) mesh->materials[before + i] = faces->materials[face];
        }
        out += 3 * (size_t)(count - 2);
    }
    return true;
}

static bool cut_polygons(io_memory *m, face_list *faces, clip_mesh *mesh, uint32_t *given_up)
{
    polygon_room room = {0};
    mesh->triangle_count = faces->corner_count - 2 * faces->face_count;
    mesh->indices = io_alloc(m, 3 * (uint64_t)mesh->triangle_count, sizeof *mesh->indices);
    mesh->faces = io_alloc(m, mesh->triangle_count, sizeof *mesh->faces);
    if (faces->materials != NULL)
        mesh->materials = io_alloc(m, mesh->triangle_count, sizeof *mesh->materials);
    const bool has_room = mesh->indices != NULL && mesh->faces != NULL &&
                          (faces->materials == NULL || mesh->materials != NULL);
    const bool is_made = has_room && make_triangles(m, faces, mesh, &room);
    *given_up = room.given_up;
    polygon_room_free(m, &room);
    return is_made;
}

/* Faces that are triangles are handed on as they are. */
static bool fill_triangles(io_memory *m, face_list *faces, clip_mesh *mesh, uint32_t *given_up)
{
    *given_up = 0;
    if (faces->ends != NULL) return cut_polygons(m, faces, mesh, given_up);
    mesh->triangle_count = faces->face_count;
    mesh->indices = faces->corners;
    mesh->materials = faces->materials;
    faces->corners = NULL;
    faces->materials = NULL;
    return true;
}

/* ---- welding ---- */

/* Whether no vertex has two triangles. False, too, for want of memory: then nothing is welded, and
 * the next allocation says so. */
static bool is_soup(io_memory *m, const clip_mesh *mesh, bool *is_known)
{
    const uint64_t corner_count = 3 * (uint64_t)mesh->triangle_count;
    bool is_apart = mesh->triangle_count > 1 && mesh->vertex_count >= corner_count;
    *is_known = true;
    if (!is_apart) return false;
    uint8_t *is_used = io_alloc(m, mesh->vertex_count, 1);
    *is_known = is_used != NULL;
    if (is_used == NULL) return false;
    for (uint64_t i = 0; i < corner_count && is_apart; i++) {
        is_apart = is_used[mesh->indices[i]] == 0;
        is_used[mesh->indices[i]] = 1;
    }
    io_free(m, is_used);
    return is_apart;
}

static bool weld_part(const mesh_input *input, mesh_file *file, mesh_part *part, bool is_split,
                      io_error *error)
{
    bool is_known = true;
    if (input->no_weld || (!is_split && !is_soup(input->memory, &part->mesh, &is_known)))
        return is_known || io_memory_fail(input->memory, error, input->path);
    clip_body body = {.mesh = part->mesh};
    if (!weld_body(input->memory, &body)) return io_memory_fail(input->memory, error, input->path);
    const uint32_t merged = part->mesh.vertex_count - body.mesh.vertex_count;
    part->mesh = body.mesh;
    io_free(input->memory, part->sources);
    part->sources = NULL;
    if (is_split || merged == 0) return true;
    return mesh_file_note(input, file, error,
                          "its triangles share no vertices: those at the same place were made one");
}

/* ---- files ---- */

static void free_part(io_memory *m, mesh_part *part)
{
    io_free(m, part->name);
    io_free(m, part->sources);
    io_free(m, part->mesh.positions);
    io_free(m, part->mesh.indices);
    io_free(m, part->mesh.faces);
    io_free(m, part->mesh.materials);
}

void mesh_file_free(io_memory *m, mesh_file *file)
{
    for (uint32_t i = 0; i < file->part_count; i++) free_part(m, &file->parts[i]);
    io_free(m, file->parts);
    names_free(m, &file->materials);
    io_free(m, file->note);
    *file = (mesh_file){0};
}

bool mesh_file_add(const mesh_input *input, mesh_file *file, mesh_part *part, face_list *faces,
                   bool is_split, io_error *error)
{
    io_memory *m = input->memory;
    uint32_t given_up = 0;
    const bool has_room = IO_RESERVE_ONE(m, file->parts, file->part_count, file->part_capacity);
    const bool is_filled = has_room && fill_triangles(m, faces, &part->mesh, &given_up);
    face_list_free(m, faces);
    if (!has_room) free_part(m, part);
    if (!has_room) return io_memory_fail(m, error, input->path);
    mesh_part *added = &file->parts[file->part_count++];
    *added = *part;
    if (!is_filled) return io_memory_fail(m, error, input->path);
    if (given_up > 0 &&
        !mesh_file_note(input, file, error, "%u polygons with very many corners were cut as fans",
                        given_up))
        return false;
    return weld_part(input, file, added, is_split, error);
}

bool mesh_file_note(const mesh_input *input, mesh_file *file, io_error *error, const char *format,
                    ...)
{
    char words[IO_ERROR_MAX];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    const size_t before = file->note != NULL ? strlen(file->note) : 0;
    if (before > IO_ERROR_MAX) return true; /* hundreds of parts need not say the same */
    char *note = io_grow(input->memory, file->note, before + strlen(words) + 3, 1);
    if (note == NULL) return io_memory_fail(input->memory, error, input->path);
    file->note = note;
    (void)sprintf(note + before, "%s%s", before > 0 ? "; " : "", words);
    return true;
}

bool mesh_fail_at(const mesh_input *input, const uint8_t *place, io_error *error,
                  const char *format, ...)
{
    char words[IO_ERROR_MAX];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    return io_fail(error, "%s: byte %llu: %s", io_tail(input->path),
                   (unsigned long long)(place - input->data), words);
}

/* Without branches in the loop: a number that is not finite minus itself is not zero. */
bool mesh_are_finite(const float *numbers, uint64_t count, uint64_t *bad)
{
    enum { BLOCK = 256 };
    for (uint64_t first = 0; first < count; first += BLOCK) {
        const uint64_t end = count - first < BLOCK ? count : first + BLOCK;
        int is_bad = 0;
        for (uint64_t i = first; i < end; i++) is_bad |= !(numbers[i] - numbers[i] == 0);
        for (uint64_t i = first; is_bad && i < end; i++) {
            *bad = i;
            if (!isfinite(numbers[i])) return false;
        }
    }
    return true;
}
