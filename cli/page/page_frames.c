/* page_frames.c - which samples a page shows, and where bodies are in these.
 *
 * Way in: page_frames_read. The clip is read a second time, after it was checked: then it is known
 * which samples stand out (the worst, the first contacts), and these are shown in any case. */
#include "bench/common/complain.h"
#include "bench/play/clip_reader.h"
#include "cli/page/page.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- bodies ---- */

static bool is_shown(const page_def *def, uint32_t body)
{
    return def->roles == NULL || def->roles[body].is_played;
}

static bool choose_bodies(page_frames *f)
{
    const clip *c = f->def->target->clip;
    f->bodies = calloc((size_t)c->body_count + 1, sizeof *f->bodies);
    if (f->bodies == NULL) return false;
    for (uint32_t i = 0; i < c->body_count; i++) {
        if (!is_shown(f->def, i)) continue;
        const clip_motion motion = c->bodies[i].motion;
        f->bodies[f->body_count++] =
            (page_body){.number = i, .is_posed = motion == CLIP_STILL || motion == CLIP_RIGID};
    }
    return true;
}

/* ---- samples ---- */

uint32_t page_sample_count(const page_def *def)
{
    return def->report != NULL ? def->report->frame_count : def->samples->count;
}

/* Coordinates that one sample adds. */
static uint64_t values_per_sample(const page_frames *f)
{
    uint64_t values = 0;
    for (uint32_t i = 0; i < f->body_count; i++) {
        const clip_body *body = &f->def->target->clip->bodies[f->bodies[i].number];
        values += f->bodies[i].is_posed ? 12 : 3 * (uint64_t)body->mesh.vertex_count;
    }
    return values;
}

static uint32_t divide_up(uint64_t a, uint64_t b) { return (uint32_t)((a + b - 1) / b); }

static uint32_t stride_for(const page_frames *f)
{
    const uint32_t count = page_sample_count(f->def);
    const uint32_t by_frames = divide_up(count, PAGE_FRAMES);
    const uint32_t by_values = divide_up(count * values_per_sample(f), PAGE_VALUES);
    const uint32_t stride = by_frames > by_values ? by_frames : by_values;
    return stride > 1 ? stride : 1;
}

static bool has_number(const check_contact *contact, double number)
{
    return contact->found && contact->frame == number;
}

static bool stands_out(const check_report *report, uint32_t sample)
{
    if (report == NULL) return false;
    const double number = report->frames[sample].number;
    return (report->hit > 0 && sample == report->worst) || has_number(&report->first, number) ||
           has_number(&report->first_self, number) ||
           (report->steps_hit > 0 && report->first_step_hit.number == number);
}

static bool choose_samples(page_frames *f)
{
    const uint32_t count = page_sample_count(f->def);
    f->stride = stride_for(f);
    f->shown = calloc(count, sizeof *f->shown);
    if (f->shown == NULL) return false;
    for (uint32_t i = 0; i < count; i++) {
        if (i % f->stride == 0 || stands_out(f->def->report, i)) f->shown[f->shown_count++] = i;
    }
    return true;
}

/* ---- meshes ---- */

static void *copy_of(const void *from, size_t size)
{
    void *copy = malloc(size > 0 ? size : 1);
    if (copy != NULL && size > 0) memcpy(copy, from, size);
    return copy;
}

static bool is_same_mesh(const page_mesh *mesh, const clip_mesh *other)
{
    const size_t corners = 3 * (size_t)other->triangle_count;
    return mesh->vertex_count == other->vertex_count &&
           mesh->triangle_count == other->triangle_count &&
           (corners == 0 ||
            memcmp(mesh->indices, other->indices, corners * sizeof *other->indices) == 0);
}

static bool room_for_mesh(page_frames *f)
{
    if (f->mesh_count < f->mesh_capacity) return true;
    const uint32_t capacity = 2 * f->mesh_capacity + 16;
    page_mesh *grown = realloc(f->meshes, capacity * sizeof *grown);
    if (grown == NULL) return false;
    f->meshes = grown;
    f->mesh_capacity = capacity;
    return true;
}

static bool add_mesh(page_frames *f, uint32_t body, const clip_mesh *from)
{
    if (!room_for_mesh(f)) return false;
    const size_t corners = 3 * (size_t)from->triangle_count * sizeof *from->indices;
    page_mesh *mesh = &f->meshes[f->mesh_count++];
    *mesh = (page_mesh){.body = body,
                        .vertex_count = from->vertex_count,
                        .triangle_count = from->triangle_count,
                        .indices = copy_of(from->indices, corners)};
    bool fine = mesh->indices != NULL;
    if (from->faces != NULL) {
        mesh->faces = copy_of(from->faces, corners / 3);
        fine = fine && mesh->faces != NULL;
    }
    if (f->bodies[body].is_posed) {
        mesh->positions =
            copy_of(from->positions, 3 * (size_t)from->vertex_count * sizeof *from->positions);
        fine = fine && mesh->positions != NULL;
    }
    return fine;
}

/* The mesh that a body had in the shown sample before, if it has not changed. */
static bool find_mesh(page_frames *f, uint32_t shown, uint32_t body, const clip_mesh *now,
                      uint32_t *mesh)
{
    if (shown > 0) {
        *mesh = f->places[(size_t)(shown - 1) * f->body_count + body].mesh;
        if (is_same_mesh(&f->meshes[*mesh], now)) return true;
    }
    *mesh = f->mesh_count;
    return add_mesh(f, body, now);
}

/* ---- places ---- */

static bool read_place(page_frames *f, const clip_frame *frame, uint32_t shown, uint32_t body)
{
    const clip *c = f->def->target->clip;
    const page_body *b = &f->bodies[body];
    const clip_state *state = &frame->bodies[b->number];
    page_place *place = &f->places[(size_t)shown * f->body_count + body];
    if (!find_mesh(f, shown, body, state->mesh, &place->mesh)) return false;
    if (b->is_posed) {
        const bool is_still = c->bodies[b->number].motion == CLIP_STILL;
        const willow_pose none = willow_pose_identity();
        clip_pose_matrix(is_still ? &none : &state->pose, place->matrix);
        return true;
    }
    place->positions = malloc((3 * (size_t)state->mesh->vertex_count + 1) * sizeof(float));
    if (place->positions == NULL) return false;
    clip_positions(c, frame, b->number, place->positions);
    return true;
}

static bool read_places(page_frames *f, const clip_frame *frame, uint32_t shown)
{
    for (uint32_t i = 0; i < f->body_count; i++)
        if (!read_place(f, frame, shown, i)) return false;
    return true;
}

static bool read_shown(page_frames *f, clip_reader *reader, const char *command_name)
{
    for (uint32_t i = 0; i < f->shown_count; i++) {
        io_error error;
        const clip_frame *frame = clip_reader_get(reader, i, &error);
        if (frame == NULL) {
            complain(command_name, "%s", error.text);
            return false;
        }
        if (!read_places(f, frame, i)) {
            complain(command_name, "out of memory");
            return false;
        }
        clip_reader_release(reader, i + 1);
    }
    return true;
}

/* ---- all ---- */

bool page_frames_read(page_frames *f, const char *command_name, const page_def *def)
{
    *f = (page_frames){.def = def};
    assert(page_sample_count(def) > 0);
    bool fine = choose_bodies(f) && choose_samples(f);
    double *times = fine ? calloc(f->shown_count, sizeof *times) : NULL;
    f->places = fine ? calloc((size_t)f->shown_count * f->body_count + 1, sizeof *f->places) : NULL;
    clip_reader *reader = NULL;
    if (times != NULL && f->places != NULL) {
        for (uint32_t i = 0; i < f->shown_count; i++) times[i] = def->samples->times[f->shown[i]];
        reader = clip_reader_create(def->target->clip, times, f->shown_count, 1);
    }
    if (reader == NULL) complain(command_name, "out of memory");
    fine = reader != NULL && read_shown(f, reader, command_name);
    clip_reader_destroy(reader);
    free(times);
    return fine;
}

void page_frames_destroy(page_frames *f)
{
    const size_t places = f->places != NULL ? (size_t)f->shown_count * f->body_count : 0;
    for (size_t i = 0; i < places; i++) free(f->places[i].positions);
    for (uint32_t i = 0; i < f->mesh_count; i++) {
        free(f->meshes[i].indices);
        free(f->meshes[i].faces);
        free(f->meshes[i].positions);
    }
    free(f->places);
    free(f->meshes);
    free(f->shown);
    free(f->bodies);
    *f = (page_frames){0};
}
