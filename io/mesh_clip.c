/* mesh_clip.c - files of meshes as bodies that stand still. Way in: mesh_clip_add_file. */
#include "io/mesh_clip.h"

#include <assert.h>
#include <math.h>
#include "io/bytes.h"

mesh_reader *mesh_reader_of(file_kind kind)
{
    switch (kind) {
    case FILE_OBJ: return obj_read;
    case FILE_PLY: return ply_read;
    case FILE_STL: return stl_read;
    case FILE_OFF: return off_read;
    default: return NULL;
    }
}

bool mesh_file_open(io_memory *m, const char *path, mesh_reader *reader, bool no_weld,
                    mesh_file *out, io_error *error)
{
    io_bytes bytes;
    *out = (mesh_file){0};
    if (!io_bytes_read(m, path, &bytes, error)) return false;
    const mesh_input input = {
        .memory = m, .path = path, .data = bytes.data, .size = bytes.size, .no_weld = no_weld};
    bool is_read = reader(&input, out, error);
    io_bytes_free(m, &bytes);
    if (is_read && out->part_count == 0)
        is_read = io_fail(error, "%s: has no triangles", io_tail(path));
    if (!is_read) mesh_file_free(m, out);
    return is_read;
}

/* Materials of the file become those of the clip. */
static bool add_materials(clip *c, const mesh_file *file, clip_mesh *mesh)
{
    const uint32_t count = file->materials.count;
    if (mesh->materials == NULL) return true;
    uint16_t *numbers = io_alloc(c->memory, count, sizeof *numbers);
    bool is_added = numbers != NULL;
    for (uint32_t i = 0; is_added && i < count; i++)
        is_added = clip_add_material(c, file->materials.texts[i], &numbers[i]);
    for (uint32_t i = 0; is_added && i < mesh->triangle_count; i++)
        mesh->materials[i] = numbers[mesh->materials[i]];
    io_free(c->memory, numbers);
    return is_added;
}

bool mesh_clip_add_bodies(clip *c, const char *path, const char *name, mesh_file *file,
                          clip_motion motion, io_error *error)
{
    for (uint32_t i = 0; i < file->part_count; i++) {
        mesh_part *part = &file->parts[i];
        clip_body *body = clip_add_body(c, part->name != NULL ? part->name : name);
        if (body == NULL) return io_memory_fail(c->memory, error, path);
        body->motion = motion;
        body->mesh = part->mesh;
        part->mesh = (clip_mesh){0};
        if (!add_materials(c, file, &body->mesh)) return io_memory_fail(c->memory, error, path);
    }
    if (file->note != NULL && !clip_add_note(c, "%s: %s", io_tail(path), file->note))
        return io_memory_fail(c->memory, error, path);
    return true;
}

bool mesh_clip_add_file(clip *c, const char *path, file_kind kind, const clip_options *options,
                        io_error *error)
{
    static const clip_source still = {.read = NULL};
    assert(mesh_reader_of(kind) != NULL);
    const uint32_t first_body = c->body_count;
    mesh_file file;
    if (!mesh_file_open(c->memory, path, mesh_reader_of(kind), options->no_weld, &file, error))
        return false;
    char *name = file_stem(c->memory, path);
    bool is_added = name != NULL || io_memory_fail(c->memory, error, path);
    is_added = is_added && mesh_clip_add_bodies(c, path, name, &file, CLIP_STILL, error);
    io_free(c->memory, name);
    mesh_file_free(c->memory, &file);
    if (!is_added) return false;
    return clip_add_part(c, first_body, &still, NULL) || io_memory_fail(c->memory, error, path);
}

double mesh_clip_fps(const clip_options *options) { return options->fps > 0 ? options->fps : 24; }

uint32_t mesh_clip_find_sample(const double *times, uint32_t count, double time)
{
    assert(count > 0);
    /* A time that was computed from a number of frames may be a little early. */
    const double late = time + 1e-9 * (1 + fabs(time));
    uint32_t low = 0, high = count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (times[middle] <= late)
            low = middle;
        else
            high = middle;
    }
    return low;
}
