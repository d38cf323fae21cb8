/* mesh_script.c - see mesh_script.h. */
#include "support/mesh_script.h"

#include <math.h>
#include <stdlib.h>
#include "support/mesh_bytes.h"
#include "support/test.h"

static const uint64_t script_limit = UINT64_C(1) << 26;

/* ---- what holds for every mesh ---- */

static const char *check_mesh(const clip_mesh *mesh, uint32_t material_count)
{
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++)
        if (mesh->indices[i] >= mesh->vertex_count) return "a corner is no vertex";
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i++)
        if (!isfinite(mesh->positions[i])) return "a position is not finite";
    for (uint32_t i = 0; i < mesh->triangle_count && mesh->faces != NULL; i++)
        if (mesh->faces[i] > (i == 0 ? 0 : mesh->faces[i - 1] + 1)) return "faces are not in order";
    for (uint32_t i = 0; i < mesh->triangle_count && mesh->materials != NULL; i++)
        if (mesh->materials[i] >= material_count) return "a material has no name";
    return NULL;
}

static const char *check_part(const mesh_file *file, const mesh_part *part)
{
    if (part->mesh.triangle_count == 0) return "a part has no triangles";
    for (uint32_t i = 0; i < part->mesh.vertex_count && part->sources != NULL; i++)
        if (part->sources[i] >= file->vertex_count) return "a source is no vertex";
    return check_mesh(&part->mesh, file->materials.count);
}

static const char *check_file(const mesh_file *file, mesh_tally *tally)
{
    const char *wrong = NULL;
    for (uint32_t i = 0; wrong == NULL && i < file->part_count; i++) {
        wrong = check_part(file, &file->parts[i]);
        tally->triangles += file->parts[i].mesh.triangle_count;
    }
    return wrong;
}

static const char *check_reason(const io_error *error)
{
    if (error->text[0] == '\0') return "refused without a reason";
    for (const char *at = error->text; *at != '\0'; at++)
        if (*at < ' ') return "the reason is more than a line";
    return NULL;
}

const char *mesh_script_run(mesh_reader *reader, const uint8_t *data, size_t size,
                            mesh_tally *tally)
{
    io_memory *m = io_memory_create(script_limit, 0);
    mesh_file file;
    io_error error = {""};
    if (m == NULL) return NULL;
    const bool is_read = test_mesh_read(m, reader, data, size, size % 2 == 1, &file, &error);
    const char *wrong = is_read ? check_file(&file, tally) : check_reason(&error);
    tally->scripts++;
    tally->taken += is_read;
    tally->refused += !is_read;
    mesh_file_free(m, &file);
    if (wrong == NULL && io_memory_used(m) != 0) wrong = "memory was not given back";
    io_memory_destroy(m);
    return wrong;
}

/* ---- caches ---- */

static test_folder script_folder;

static void remove_script_folder(void) { test_folder_remove(&script_folder); }

static const char *read_samples(const clip *c, mesh_tally *tally)
{
    clip_frame *frame = clip_frame_create(c);
    io_error error = {""};
    const char *wrong = NULL;
    for (uint32_t i = 0; frame != NULL && wrong == NULL && i < c->key_count && i < 20; i++) {
        if (!clip_frame_read(c, c->keys[i], frame, &error)) {
            wrong = check_reason(&error);
            continue;
        }
        for (int k = 0; k < 12; k++)
            if (!isfinite(frame->bodies[0].positions[k])) wrong = "a position is not finite";
        tally->triangles += 2;
    }
    clip_frame_destroy(c, frame);
    return wrong;
}

const char *cache_script_run(const uint8_t *data, size_t size, mesh_tally *tally)
{
    static const char *const names[] = {"cache.pc2", "cache.mdd", "cache.npy"};
    clip_options options = clip_options_default();
    io_error error = {""};
    char path[1300];
    options.memory_limit = script_limit;
    if (size == 0) return NULL;
    if (script_folder.path[0] == '\0') {
        test_folder_make(&script_folder);
        (void)atexit(remove_script_folder);
        test_folder_write_text(&script_folder, "base.off",
                               "OFF\n4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n");
    }
    const char *name = names[data[0] % 3];
    test_folder_write(&script_folder, name, data + 1, size - 1);
    (void)snprintf(path, sizeof path, "%s/base.off+%s/%s", script_folder.path, script_folder.path,
                   name);
    const char *paths = path;
    clip *c = clip_open(&paths, 1, &options, &error);
    const char *wrong = c != NULL ? read_samples(c, tally) : check_reason(&error);
    tally->scripts++;
    tally->taken += c != NULL;
    tally->refused += c == NULL;
    clip_close(c);
    return wrong;
}
