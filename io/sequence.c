/* sequence.c - one file of meshes for each frame. Way in: mesh_clip_add_sequence.
 *
 * Only the first file is read when the clip is opened. Each other one is read when its frame is
 * asked for, whole, and stays with that frame until another is read into it; so several threads
 * read several files at once, and memory is that of the frames in use. Triangles are compared with
 * those of the first file: where they are the same the body's mesh serves, and else the frame has
 * its own. */
#include <assert.h>
#include <string.h>
#include "io/mesh_clip.h"

typedef struct sequence {
    file_names files;
    double *times; /* by file */
    mesh_reader *reader;
    char **part_names; /* of the first file, by part; NULL: it has none of its own */
    uint32_t part_count;
    name_list materials;        /* of the first file */
    uint16_t *material_numbers; /* of these in the clip */
    bool no_weld;
} sequence;

/* What a frame keeps: the file that was read last. */
typedef struct sequence_room {
    mesh_file file;
    uint32_t number; /* of that file, plus one; 0: none */
} sequence_room;

/* ---- frames ---- */

static bool has_same_triangles(const clip_mesh *a, const clip_mesh *b)
{
    return a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count &&
           memcmp(a->indices, b->indices, 3 * sizeof *a->indices * (size_t)a->triangle_count) == 0;
}

static bool has_name(const mesh_part *part, const char *name)
{
    if (part->name == NULL || name == NULL) return part->name == name;
    return strcmp(part->name, name) == 0;
}

/* The part that belongs to a body: where it was in the first file, or elsewhere with its name. */
static mesh_part *find_part(const sequence *s, mesh_file *file, uint32_t number)
{
    assert(number < s->part_count && s->part_count == file->part_count);
    const char *name = s->part_names[number];
    if (file->part_count == 1 || has_name(&file->parts[number], name)) return &file->parts[number];
    for (uint32_t i = 0; i < file->part_count; i++)
        if (has_name(&file->parts[i], name)) return &file->parts[i];
    return NULL;
}

/* Numbers of materials become those of the clip, if the file names the same ones as the first. */
static void renumber_materials(const clip *c, const sequence *s, mesh_file *file)
{
    bool is_same = file->materials.count == s->materials.count;
    for (uint32_t i = 0; is_same && i < s->materials.count; i++)
        is_same = strcmp(file->materials.texts[i], s->materials.texts[i]) == 0;
    for (uint32_t i = 0; i < file->part_count; i++) {
        clip_mesh *mesh = &file->parts[i].mesh;
        for (uint32_t k = 0; is_same && mesh->materials != NULL && k < mesh->triangle_count; k++)
            mesh->materials[k] = s->material_numbers[mesh->materials[k]];
        if (is_same) continue;
        io_free(c->memory, mesh->materials);
        mesh->materials = NULL;
    }
}

static bool show_file(const clip *c, const sequence *s, uint32_t number, uint32_t first_body,
                      mesh_file *file, clip_frame *frame, io_error *error)
{
    assert(number < s->files.count);
    const char *path = s->files.paths[number];
    if (file->part_count != s->part_count)
        return io_fail(error,
                       "%s: has %u bod%s, and the first frame has %u; all frames of a sequence "
                       "need the same objects",
                       io_tail(path), file->part_count, file->part_count == 1 ? "y" : "ies",
                       s->part_count);
    for (uint32_t i = 0; i < s->part_count; i++) {
        mesh_part *part = find_part(s, file, i);
        if (part == NULL)
            return io_fail(error, "%s: has no body '%.60s', which the first frame has",
                           io_tail(path), s->part_names[i] != NULL ? s->part_names[i] : "");
        const clip_mesh *mesh = &c->bodies[first_body + i].mesh;
        clip_state *state = &frame->bodies[first_body + i];
        const bool is_same = has_same_triangles(mesh, &part->mesh);
        state->mesh = is_same ? mesh : &part->mesh;
        state->positions = part->mesh.positions;
    }
    return true;
}

/* The first file was read when the clip was opened. */
static void show_first(const clip *c, const sequence *s, uint32_t first_body, clip_frame *frame)
{
    for (uint32_t i = 0; i < s->part_count; i++) {
        const clip_mesh *mesh = &c->bodies[first_body + i].mesh;
        frame->bodies[first_body + i].mesh = mesh;
        frame->bodies[first_body + i].positions = mesh->positions;
    }
}

static bool read_frame(const clip *c, uint32_t first_body, const void *data, clip_frame *frame,
                       void **kept, io_error *error)
{
    const sequence *s = data;
    const uint32_t number = mesh_clip_find_sample(s->times, s->files.count, frame->time);
    show_first(c, s, first_body, frame);
    if (number == 0) return true;
    if (*kept == NULL) *kept = io_alloc(c->memory, 1, sizeof(sequence_room));
    sequence_room *room = *kept;
    if (room == NULL) return io_memory_fail(c->memory, error, s->files.paths[number]);
    if (room->number != number + 1) {
        room->number = 0;
        mesh_file_free(c->memory, &room->file);
        if (!mesh_file_open(c->memory, s->files.paths[number], s->reader, s->no_weld, &room->file,
                            error))
            return false;
        renumber_materials(c, s, &room->file);
        room->number = number + 1;
    }
    return show_file(c, s, number, first_body, &room->file, frame, error);
}

static void forget_room(const clip *c, const void *data, void *kept)
{
    (void)data;
    sequence_room *room = kept;
    mesh_file_free(c->memory, &room->file);
    io_free(c->memory, room);
}

static void close_sequence(const clip *c, void *data)
{
    sequence *s = data;
    file_names_free(c->memory, &s->files);
    names_free(c->memory, &s->materials);
    io_free(c->memory, s->material_numbers);
    for (uint32_t i = 0; s->part_names != NULL && i < s->part_count; i++)
        io_free(c->memory, s->part_names[i]);
    io_free(c->memory, s->part_names);
    io_free(c->memory, s->times);
    io_free(c->memory, s);
}

static const clip_source frames = {
    .read = read_frame, .forget = forget_room, .close = close_sequence};

/* ---- opening ---- */

/* Frames that are not there leave a gap: those behind it stay where they are. */
static bool fill_times(clip *c, sequence *s, const char *path, double fps)
{
    const file_names *f = &s->files;
    s->times = io_alloc(c->memory, f->count, sizeof *s->times);
    if (s->times == NULL) return false;
    for (uint32_t i = 0; i < f->count; i++)
        s->times[i] = (f->numbers != NULL ? (double)(f->numbers[i] - f->numbers[0]) : i) / fps;
    if (!clip_add_keys(c, s->times, f->count)) return false;
    if (f->numbers == NULL) return true;
    const int64_t missing = f->numbers[f->count - 1] - f->numbers[0] + 1 - (int64_t)f->count;
    uint32_t at = 1;
    while (at < f->count && f->numbers[at] == f->numbers[at - 1] + 1) at++;
    return missing == 0 ||
           clip_add_note(c, "%s: %lld number%s missing, the first after %lld", io_tail(path),
                         (long long)missing, missing == 1 ? " is" : "s are",
                         (long long)f->numbers[at - 1]);
}

/* Names and materials of the first file, which later ones are held against. */
static bool keep_names(clip *c, sequence *s, mesh_file *file)
{
    s->part_names = io_alloc(c->memory, file->part_count, sizeof *s->part_names);
    if (s->part_names == NULL) return false;
    s->part_count = file->part_count;
    for (uint32_t i = 0; i < file->part_count; i++) {
        s->part_names[i] = file->parts[i].name;
        file->parts[i].name = NULL;
    }
    s->materials = file->materials;
    file->materials = (name_list){0};
    s->material_numbers = io_alloc(c->memory, s->materials.count, sizeof *s->material_numbers);
    if (s->material_numbers == NULL) return false;
    for (uint32_t i = 0; i < s->materials.count; i++)
        if (!clip_add_material(c, s->materials.texts[i], &s->material_numbers[i])) return false;
    return true;
}

static bool open_first(clip *c, sequence *s, const char *path, const clip_options *options,
                       io_error *error)
{
    const char *first = s->files.paths[0];
    file_kind kind;
    mesh_file file;
    if (!file_kind_find(first, &kind, error)) return false;
    s->reader = mesh_reader_of(kind);
    s->no_weld = options->no_weld;
    if (s->reader == NULL)
        return io_fail(error, "%s: sequences are of OBJ, PLY, STL or OFF, and this is %s",
                       io_tail(first), file_kind_name(kind));
    if (!mesh_file_open(c->memory, first, s->reader, s->no_weld, &file, error)) return false;
    bool is_added = mesh_clip_add_bodies(c, first, s->files.name, &file, CLIP_FRAMES, error);
    if (is_added && (!keep_names(c, s, &file) || !fill_times(c, s, path, mesh_clip_fps(options))))
        is_added = io_memory_fail(c->memory, error, path);
    mesh_file_free(c->memory, &file);
    return is_added;
}

bool mesh_clip_add_sequence(clip *c, const char *path, const clip_options *options, io_error *error)
{
    const uint32_t first_body = c->body_count;
    sequence *s = io_alloc(c->memory, 1, sizeof *s);
    if (s == NULL) return io_memory_fail(c->memory, error, path);
    if (!file_names_find(c->memory, path, &s->files, error) ||
        !open_first(c, s, path, options, error)) {
        close_sequence(c, s);
        return false;
    }
    c->is_sampled = true;
    return clip_add_part(c, first_body, &frames, s) || io_memory_fail(c->memory, error, path);
}
