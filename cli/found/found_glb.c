/* found_glb.c - the clip as GLB, in which faces that collide have a material of their own, red:
 * in any of the frames that were checked. Way in: found_write_glb.
 *
 * The clip is written as it is, by io/gltf_write, but for the materials of its triangles: a shallow
 * copy of it has others. Bodies whose triangles change keep those of their frames, which a note
 * says. */
#include "bench/common/new_file.h"
#include "cli/colours.h"
#include "cli/found/found.h"
#include "io/gltf_write.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static char colliding_name[] = "colliding";

/* A clip with materials of its own. */
typedef struct marked_clip {
    clip copy;
    clip_body *bodies;
    char **names;
    float (*colours)[3];
    uint16_t **materials; /* by body */
} marked_clip;

static void put_colour(float out[3], const uint8_t *rgb)
{
    for (int k = 0; k < 3; k++) out[k] = light_of_byte(rgb[k]);
}

/* Materials of the clip, then one for each body that has none, then that of collisions. */
static bool make_materials(marked_clip *m, const clip *c)
{
    const uint32_t all = c->material_count + c->body_count + 1;
    m->names = calloc(all, sizeof *m->names);
    m->colours = calloc(all, sizeof *m->colours);
    if (m->names == NULL || m->colours == NULL) return false;
    for (uint32_t i = 0; i < c->material_count; i++) {
        m->names[i] = c->materials[i];
        put_colour(m->colours[i], body_colour(i));
    }
    for (uint32_t i = 0; i < c->body_count; i++) {
        m->names[c->material_count + i] = c->bodies[i].name;
        put_colour(m->colours[c->material_count + i], body_colour(i));
    }
    m->names[all - 1] = colliding_name;
    put_colour(m->colours[all - 1], collision_colour());
    m->copy.materials = m->names;
    m->copy.material_count = all;
    m->copy.material_colours = (const float(*)[3])m->colours;
    return true;
}

/* Numbers of triangles mean others where a body was made anew, so that only the first sample counts
 * there. `room` has a byte for each triangle, as `marks` has. */
static void mark_all_samples(uint8_t *marks, const found_def *def, uint32_t body, uint8_t *room)
{
    const check_report *report = def->report;
    const clip_body *b = &report->clip->bodies[body];
    const bool may_change = b->motion == CLIP_FRAMES && report->remade > 0;
    for (uint32_t i = 0; i < (may_change ? 1 : report->frame_count); i++) {
        check_kept_mark(report->kept, i, body, room, b->mesh.triangle_count);
        for (uint32_t t = 0; t < b->mesh.triangle_count; t++) marks[t] |= room[t];
    }
}

static bool mark_body(marked_clip *m, const found_def *def, uint32_t body)
{
    const clip *c = def->report->clip;
    const clip_mesh *mesh = &c->bodies[body].mesh;
    const uint32_t count = mesh->triangle_count;
    uint16_t *materials = malloc((count + (size_t)1) * sizeof *materials);
    uint8_t *marks = calloc(2 * ((size_t)count + 1), 1);
    m->materials[body] = materials;
    if (materials == NULL || marks == NULL) {
        free(marks);
        return false;
    }
    mark_all_samples(marks, def, body, marks + count + 1);
    for (uint32_t t = 0; t < count; t++) {
        const uint32_t own =
            mesh->materials != NULL ? mesh->materials[t] : c->material_count + body;
        materials[t] = (uint16_t)(marks[t] != 0 ? m->copy.material_count - 1 : own);
    }
    free(marks);
    m->bodies[body].mesh.materials = materials;
    return true;
}

static bool marked_create(marked_clip *m, const found_def *def)
{
    const clip *c = def->report->clip;
    *m = (marked_clip){.copy = *c};
    m->bodies = calloc((size_t)c->body_count + 1, sizeof *m->bodies);
    m->materials = calloc((size_t)c->body_count + 1, sizeof *m->materials);
    if (m->bodies == NULL || m->materials == NULL || !make_materials(m, c)) return false;
    memcpy(m->bodies, c->bodies, c->body_count * sizeof *m->bodies);
    m->copy.bodies = m->bodies;
    for (uint32_t i = 0; i < c->body_count; i++)
        if (!mark_body(m, def, i)) return false;
    return true;
}

static void marked_destroy(marked_clip *m)
{
    for (uint32_t i = 0; m->materials != NULL && i < m->copy.body_count; i++) free(m->materials[i]);
    free(m->materials);
    free(m->bodies);
    free(m->names);
    free(m->colours);
}

/* The writer opens its file itself: that beside the place, which is then renamed. */
static bool write_marked(const marked_clip *m, const found_def *def, const char *path)
{
    new_file f;
    io_error error;
    if (!new_file_open(&f, path)) return false;
    if (gltf_write(&m->copy, def->report->samples->times, def->report->frame_count, f.part, &error))
        return new_file_keep(&f);
    new_file_drop(&f);
    return found_complain(error.text);
}

bool found_write_glb(const found_def *def, const char *path)
{
    marked_clip m;
    const clip *c = def->report->clip;
    if ((uint64_t)c->material_count + c->body_count + 1 > UINT16_MAX)
        return found_complain("a GLB with the faces that collide has up to 65,535 materials");
    if (def->report->remade > 0)
        fprintf(stderr,
                "willow check: triangles change in this clip; in %s only those of the first "
                "frame are marked\n",
                path);
    const bool fine =
        marked_create(&m, def) ? write_marked(&m, def, path) : found_complain("out of memory");
    const int reason = errno;
    marked_destroy(&m);
    errno = reason;
    return fine;
}
