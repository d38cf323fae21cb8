/* clip_open.c - which reader takes a path. Way in: clip_open.
 *
 * A path is, in this order: a file or folder that is there, a pattern, "base+cache". Kinds that
 * nobody here reads are refused with what makes one of them that is read. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <string.h>
#include <strings.h>
#include "io/assimp.h"
#include "io/clip.h"
#include "io/gltf.h"
#include "io/mesh_clip.h"

/* ---- kinds that are not read ---- */

/* A path that can stand between quotes, in Python between quotes of the shell. */
static const char *quotable(const char *path)
{
    return strpbrk(path, "'\"\\$`") == NULL ? io_tail(path) : "FILE";
}

static bool refuse_blend(const char *path, io_error *error)
{
    return io_fail(error,
                   "%s: files of Blender are not read; Blender makes glTF of them: blender -b '%s' "
                   "--python-expr \"import bpy; bpy.ops.export_scene.gltf(filepath='clip.glb')\"",
                   io_tail(path), quotable(path));
}

/* Vertices that move in these files move in no glTF that Blender makes of them, but do in OBJ. */
static bool refuse_import(const char *path, const char *kind, const char *importer, io_error *error)
{
    return io_fail(error,
                   "%s: %s is not read; Blender makes OBJ files of it, for 'clip*.obj': blender -b "
                   "--python-expr \"import bpy; bpy.ops.wm.read_homefile(use_empty=True); "
                   "bpy.ops.wm.%s(filepath='%s'); s=bpy.context.scene; bpy.ops.wm.obj_export("
                   "filepath='clip.obj', export_animation=True, start_frame=s.frame_start, "
                   "end_frame=s.frame_end)\"",
                   io_tail(path), kind, importer, quotable(path));
}

static bool refuse_alone(const char *path, file_kind kind, io_error *error)
{
    return io_fail(error, "%s: %s has positions and no triangles: name its mesh, too: mesh.obj+%s",
                   io_tail(path), file_kind_name(kind), io_tail(path));
}

/* What Assimp would read; without it Blender does. */
static bool refuse_without_assimp(const char *path, const char *kind, const char *importer,
                                  io_error *error)
{
    return io_fail(
        error,
        "%s: %s is not read, since this willow was built without Assimp (Debian: "
        "libassimp-dev); Blender makes glTF of it: blender -b --python-expr \"import bpy; "
        "bpy.ops.wm.read_homefile(use_empty=True); bpy.ops.%s(filepath='%s'); "
        "bpy.ops.export_scene.gltf(filepath='clip.glb')\"",
        io_tail(path), kind, importer, quotable(path));
}

static bool refuse_packed(const char *path, io_error *error)
{
    return io_fail(error, "%s: is compressed, or an archive; unpack it first", io_tail(path));
}

static bool refuse_pointer(const char *path, io_error *error)
{
    return io_fail(error,
                   "%s: is a Git LFS pointer in place of the file; 'git lfs pull' fetches the file",
                   io_tail(path));
}

static bool refuse_other(const char *path, io_error *error)
{
    static const struct {
        const char *ending, *kind, *importer;
    } known[] = {{"fbx", "FBX", "import_scene.fbx"}, {"dae", "Collada", "wm.collada_import"}};
    for (size_t i = 0; !assimp_is_possible() && i < sizeof known / sizeof known[0]; i++)
        if (strcasecmp(file_ending(path), known[i].ending) == 0)
            return refuse_without_assimp(path, known[i].kind, known[i].importer, error);
    return io_fail(
        error,
        "%s: is not a kind of file that is read; these are glTF, OBJ, PLY, STL and OFF, and with "
        "a mesh PC2, MDD and .npy%s%s",
        io_tail(path), assimp_is_possible() ? "" : "; this willow was ",
        assimp_is_possible() ? "" : ASSIMP_LACKS);
}

/* ---- one path ---- */

static bool add_file(clip *c, const char *path, const clip_options *options, io_error *error)
{
    file_kind kind;
    if (!file_kind_find(path, &kind, error)) return false;
    switch (kind) {
    case FILE_GLTF:
    case FILE_GLB: return gltf_add(c, path, options, error);
    case FILE_FOLDER: return mesh_clip_add_sequence(c, path, options, error);
    case FILE_OBJ:
    case FILE_PLY:
    case FILE_STL:
    case FILE_OFF: return mesh_clip_add_file(c, path, kind, options, error);
    case FILE_PC2:
    case FILE_MDD:
    case FILE_NPY: return refuse_alone(path, kind, error);
    case FILE_BLEND: return refuse_blend(path, error);
    case FILE_ALEMBIC: return refuse_import(path, "Alembic", "alembic_import", error);
    case FILE_USD:
    case FILE_USDA:
    case FILE_USDC:
    case FILE_USDZ: return refuse_import(path, "USD", "usd_import", error);
    case FILE_POINTER: return refuse_pointer(path, error);
    case FILE_PACKED:
        return assimp_takes(path) ? assimp_add(c, path, options, error)
                                  : refuse_packed(path, error);
    default:
        return assimp_takes(path) ? assimp_add(c, path, options, error) : refuse_other(path, error);
    }
}

/* "base+cache", divided so that both are there; names may have a plus themselves. */
static const char *find_plus(io_memory *m, const char *path, char **base)
{
    const char *best = NULL;
    for (const char *plus = strchr(path, '+'); plus != NULL; plus = strchr(plus + 1, '+')) {
        if (plus == path || plus[1] == '\0') continue;
        if (best == NULL || file_is_there(plus + 1)) best = plus;
        if (file_is_there(plus + 1)) break;
    }
    if (best == NULL) return NULL;
    *base = io_alloc(m, (uint64_t)(best - path) + 1, 1);
    if (*base != NULL) memcpy(*base, path, (size_t)(best - path));
    return best + 1;
}

static bool add_path(clip *c, const char *path, const clip_options *options, io_error *error)
{
    char *base = NULL;
    if (file_is_there(path)) return add_file(c, path, options, error);
    if (file_names_is_pattern(path)) return mesh_clip_add_sequence(c, path, options, error);
    const char *cache = find_plus(c->memory, path, &base);
    if (cache == NULL) return add_file(c, path, options, error); /* which says what is missing */
    if (base == NULL) return io_memory_fail(c->memory, error, path);
    const bool is_added = mesh_clip_add_cached(c, base, cache, options, error);
    io_free(c->memory, base);
    return is_added;
}

/* ---- all paths ---- */

/* Whether this is the next file of a sequence, which a shell made many paths of. */
static bool are_numbered(const char *a, const char *b)
{
    size_t i = 0;
    while (a[i] != '\0' && a[i] == b[i]) i++;
    const char *rest_a = a + i + strspn(a + i, "0123456789");
    const char *rest_b = b + i + strspn(b + i, "0123456789");
    return rest_a > a + i && rest_b > b + i && strcmp(rest_a, rest_b) == 0;
}

/* Whoever forgets quotes around a pattern gets many bodies instead of a clip, and should know. */
static bool note_sequences(clip *c, const char *const *paths, uint32_t count)
{
    enum { MANY = 3 };
    uint32_t alike = 1;
    while (alike < count && are_numbered(paths[0], paths[alike])) alike++;
    if (alike < MANY) return true;
    return clip_add_note(c,
                         "%u files with numbers, %s and so on, are bodies against each other; for "
                         "frames of a sequence put a pattern in quotes",
                         alike, io_tail(paths[0]));
}

/* How large what one path named is: the longest side of the box around its meshes at rest. */
static double size_of_bodies(const clip *c, uint32_t first_body)
{
    double size = 0;
    float lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = first_body; i < c->body_count; i++) {
        const clip_mesh *mesh = &c->bodies[i].mesh;
        for (size_t k = 0; k < 3 * (size_t)mesh->vertex_count; k++) {
            lower[k % 3] = fminf(lower[k % 3], mesh->positions[k]);
            upper[k % 3] = fmaxf(upper[k % 3], mesh->positions[k]);
        }
    }
    for (int k = 0; k < 3; k++) size = fmax(size, (double)upper[k] - (double)lower[k]);
    return size;
}

/* The smallest and the largest of the paths so far. */
typedef struct path_sizes {
    const char *small, *large;
    double least, most;
} path_sizes;

static void note_size(path_sizes *s, const char *path, double size)
{
    if (size <= 0) return;
    if (s->small == NULL || size < s->least) {
        s->small = path;
        s->least = size;
    }
    if (s->large == NULL || size > s->most) {
        s->large = path;
        s->most = size;
    }
}

/* Whoever mixes metres with millimetres finds that nothing meets, and should know why. */
static bool note_units(clip *c, const path_sizes *s)
{
    enum { SUSPICIOUS = 100 }; /* centimetres to a metre */
    if (s->small == NULL || s->most < SUSPICIOUS * s->least) return true;
    return clip_add_note(c, "%s is %.0f times as large as %s: are both in the same unit?",
                         io_tail(s->large), s->most / s->least, io_tail(s->small));
}

static bool add_all(clip *c, const char *const *paths, uint32_t count, const clip_options *options,
                    io_error *error)
{
    path_sizes sizes = {0};
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t first_body = c->body_count;
        if (!add_path(c, paths[i], options, error)) return false;
        note_size(&sizes, paths[i], size_of_bodies(c, first_body));
    }
    if ((options->animation != NULL || options->scene != NULL) && !c->has_choices)
        return io_fail(error, "%s: has no %s to choose from; glTF files do", io_tail(paths[0]),
                       options->animation != NULL ? "animations" : "scenes");
    if (!note_sequences(c, paths, count) || !note_units(c, &sizes))
        return io_memory_fail(c->memory, error, paths[0]);
    return clip_finish(c, paths[0], error);
}

clip *clip_open(const char *const *paths, uint32_t path_count, const clip_options *options,
                io_error *error)
{
    const clip_options defaults = clip_options_default();
    if (options == NULL) options = &defaults;
    if (path_count == 0) {
        (void)io_fail(error, "no file is named");
        return NULL;
    }
    clip *c = clip_create(options);
    if (c == NULL) {
        (void)io_fail_memory(error);
        return NULL;
    }
    if (add_all(c, paths, path_count, options, error)) return c;
    clip_close(c);
    return NULL;
}
