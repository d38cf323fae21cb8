/* found_mesh.c - a sample as one mesh. Way in: found_reader_read. */
#include "bench/common/complain.h"
#include "cli/found/found.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const clip *clip_of(const found_reader *r) { return r->def->report->clip; }

bool found_reader_create(found_reader *r, const found_def *def)
{
    *r = (found_reader){.def = def, .frame = clip_frame_create(def->report->clip)};
    r->first_triangles = calloc((size_t)clip_of(r)->body_count + 1, sizeof *r->first_triangles);
    return r->frame != NULL && r->first_triangles != NULL;
}

static void found_mesh_free(found_mesh *m)
{
    free(m->positions);
    free(m->corners);
    free(m->bodies);
    free(m->faces);
    free(m->partners);
    free(m->distances);
    *m = (found_mesh){0};
}

void found_reader_destroy(found_reader *r)
{
    found_mesh_free(&r->mesh);
    free(r->first_triangles);
    clip_frame_destroy(clip_of(r), r->frame);
    *r = (found_reader){0};
}

/* ---- one sample ---- */

/* More than 32 bits count is more than any of these files is made for. */
static bool count_all(found_reader *r)
{
    uint64_t vertices = 0, triangles = 0;
    for (uint32_t i = 0; i < clip_of(r)->body_count; i++) {
        if (!r->def->roles[i].is_played) continue;
        vertices += r->frame->bodies[i].mesh->vertex_count;
        triangles += r->frame->bodies[i].mesh->triangle_count;
    }
    r->mesh.vertex_count = (uint32_t)vertices;
    r->mesh.triangle_count = (uint32_t)triangles;
    return vertices <= UINT32_MAX && triangles <= UINT32_MAX / 3;
}

static bool make_room(found_mesh *m)
{
    const size_t triangles = m->triangle_count + (size_t)1;
    m->positions = malloc((3 * (size_t)m->vertex_count + 1) * sizeof *m->positions);
    m->corners = malloc(3 * triangles * sizeof *m->corners);
    m->bodies = malloc(triangles * sizeof *m->bodies);
    m->faces = malloc(triangles * sizeof *m->faces);
    m->partners = calloc(triangles, sizeof *m->partners);
    m->distances = malloc(triangles * sizeof *m->distances);
    return m->positions != NULL && m->corners != NULL && m->bodies != NULL && m->faces != NULL &&
           m->partners != NULL && m->distances != NULL;
}

static void fill_body(found_reader *r, uint32_t body, uint32_t vertex, uint32_t triangle)
{
    found_mesh *m = &r->mesh;
    const clip_mesh *from = r->frame->bodies[body].mesh;
    r->first_triangles[body] = triangle;
    clip_positions(clip_of(r), r->frame, body, m->positions + 3 * (size_t)vertex);
    for (uint32_t t = 0; t < from->triangle_count; t++) {
        const size_t at = triangle + (size_t)t;
        for (size_t k = 0; k < 3; k++)
            m->corners[3 * at + k] = vertex + from->indices[3 * (size_t)t + k];
        m->bodies[at] = body;
        m->faces[at] = from->faces != NULL ? from->faces[t] : t;
        m->distances[at] = -1;
    }
}

static void note_pair(found_mesh *m, uint32_t triangle, float distance)
{
    assert(triangle < m->triangle_count);
    const bool is_first = m->partners[triangle]++ == 0;
    if (is_first || distance < m->distances[triangle]) m->distances[triangle] = distance;
}

static void note_pairs(found_reader *r, uint32_t sample)
{
    const check_kept *kept = r->def->report->kept;
    const kept_frame *frame = &kept->frames[sample];
    for (uint32_t k = 0; k < frame->run_count; k++) {
        const kept_run *run = &kept->runs[frame->first_run + k];
        for (size_t i = run->first; i < run->first + run->count; i++) {
            const float distance = kept->has_distances ? kept->distances[i] : 0;
            const kept_pair *pair = &kept->pairs[i];
            note_pair(&r->mesh, r->first_triangles[run->body_a] + pair->tri_a, distance);
            note_pair(&r->mesh, r->first_triangles[run->body_b] + pair->tri_b, distance);
        }
    }
}

bool found_reader_read(found_reader *r, uint32_t sample)
{
    io_error error;
    uint32_t vertex = 0, triangle = 0;
    assert(sample < r->def->report->frame_count);
    found_mesh_free(&r->mesh);
    if (!clip_frame_read(clip_of(r), r->def->report->samples->times[sample], r->frame, &error))
        return found_complain(error.text);
    if (!count_all(r)) return found_complain("these are too many triangles for such a file");
    if (!make_room(&r->mesh)) return found_complain("out of memory");
    for (uint32_t i = 0; i < clip_of(r)->body_count; i++) {
        if (!r->def->roles[i].is_played) continue;
        fill_body(r, i, vertex, triangle);
        vertex += r->frame->bodies[i].mesh->vertex_count;
        triangle += r->frame->bodies[i].mesh->triangle_count;
    }
    note_pairs(r, sample);
    return true;
}
