/* steps.c - one mesh out of all bodies, and lists of what may touch in a step.
 *
 * Candidates are what a broad phase would hand on: features that share no vertex and whose boxes
 * over the step overlap, between bodies and within those that are asked for pairs within. For the
 * yardstick they are triangles whose boxes overlap at the end of the step. Long lists are thinned
 * out evenly. */
#include "bench/probes/steps.h"
#include "bench/common/complain.h"
#include "bench/common/open_scene.h"
#include "bench/peers/plain.h"
#include "io/ply.h"

#include <stdlib.h>
#include <string.h>

enum { TIMED_MAX = 100000 };

static int complain_memory(void) { return complain("bench", "out of memory"); }

/* ---- lists ---- */

typedef struct collector {
    const probe_steps *steps;
    step_work work;
    step_list *list;
    size_t seen;
    bool is_counting;
} collector;

/* A vertex of each side tells its body. */
static bool may_touch(const probe_steps *s, step_work work, uint32_t a, uint32_t b)
{
    const candidate_mesh *m = &s->mesh;
    uint32_t vertex_a = work == STEP_EDGE_EDGE     ? m->edges[a][0]
                        : work == STEP_VERTEX_FACE ? a
                                                   : m->faces[a][0];
    uint32_t vertex_b = work == STEP_EDGE_EDGE ? m->edges[b][0] : m->faces[b][0];
    uint32_t body = s->body[vertex_a];
    return body != s->body[vertex_b] || s->self[body];
}

static void collect(void *context, uint32_t a, uint32_t b)
{
    collector *c = context;
    if (!may_touch(c->steps, c->work, a, b)) return;
    if (c->is_counting) {
        c->list->total++;
    } else if (c->seen++ % c->list->stride == 0) {
        c->list->items[c->list->count++] = (plain_pair){a, b};
    }
}

/* Twice: how many there are, then those that are kept. */
static bool visit_twice(collector *c, bool (*visit)(collector *c, const void *from),
                        const void *from)
{
    c->is_counting = true;
    if (!visit(c, from)) return false;
    c->list->stride = c->list->total / TIMED_MAX + 1;
    c->list->items = calloc(c->list->total / c->list->stride + 1, sizeof *c->list->items);
    c->is_counting = false;
    return c->list->items != NULL && visit(c, from);
}

typedef struct features_from {
    const probe_step *step;
    double reach;
} features_from;

static bool visit_features(collector *c, const void *context)
{
    const features_from *from = context;
    return candidates_visit(&c->steps->mesh, (const double(*)[3])from->step->start,
                            (const double(*)[3])from->step->end, from->reach,
                            (candidate_kind)c->work, collect, c);
}

static bool visit_triangles(collector *c, const void *context)
{
    const plain_pairs *pairs = context;
    for (size_t i = 0; i < pairs->count; i++) {
        collect(c, pairs->items[i].tri_a, pairs->items[i].tri_b);
    }
    return true;
}

static bool list_triangles(const probe_steps *s, probe_step *step)
{
    plain_mesh mesh = probe_step_plain(s, step);
    plain_tree *tree = plain_tree_create(mesh.triangle_count);
    plain_pairs pairs = {0};
    collector c = {.steps = s, .work = STEP_PLAIN, .list = &step->lists[STEP_PLAIN]};
    bool fine = tree != NULL;
    if (fine) plain_tree_build(tree, &mesh);
    fine =
        fine && plain_collect_self(tree, &mesh, &pairs) && visit_twice(&c, visit_triangles, &pairs);
    plain_tree_destroy(tree);
    free(pairs.items);
    return fine;
}

static bool list_features(const probe_steps *s, probe_step *step, step_work work, double reach)
{
    features_from from = {step, reach};
    collector c = {.steps = s, .work = work, .list = &step->lists[work]};
    return visit_twice(&c, visit_features, &from);
}

static int list_all(probe_steps *s, double reach)
{
    bool fine = true;
    for (uint32_t i = 0; fine && i < s->count; i++) {
        probe_step *step = &s->items[i];
        fine = list_features(s, step, STEP_VERTEX_FACE, reach) &&
               list_features(s, step, STEP_EDGE_EDGE, reach) && list_triangles(s, step);
    }
    return fine ? EXIT_FINE : complain_memory();
}

/* ---- the mesh ---- */

/* Room for a mesh of so many. False for want of memory. */
static bool create_mesh(probe_steps *s, uint32_t vertices, uint32_t faces, uint32_t bodies)
{
    s->mesh.vertex_count = vertices;
    s->mesh.face_count = faces;
    s->body_count = bodies;
    s->mesh.faces = calloc((size_t)faces + 1, sizeof *s->mesh.faces);
    s->body = calloc((size_t)vertices + 1, sizeof *s->body);
    s->self = calloc((size_t)bodies + 1, sizeof *s->self);
    return s->mesh.faces != NULL && s->body != NULL && s->self != NULL;
}

static bool create_edges(probe_steps *s)
{
    s->mesh.edges = candidate_edges((const uint32_t(*)[3])s->mesh.faces, s->mesh.face_count,
                                    &s->mesh.edge_count);
    return s->mesh.edges != NULL;
}

static bool create_step(probe_steps *s)
{
    probe_step *step = &s->items[s->count++];
    size_t count = (size_t)s->mesh.vertex_count + 1;
    step->start = calloc(count, sizeof *step->start);
    step->end = calloc(count, sizeof *step->end);
    step->plain = calloc(3 * count, sizeof *step->plain);
    return step->start != NULL && step->end != NULL && step->plain != NULL;
}

static void fill_plain(const probe_steps *s, probe_step *step)
{
    for (size_t i = 0; i < 3 * (size_t)s->mesh.vertex_count; i++) {
        step->plain[i] = (float)step->end[i / 3][i % 3];
    }
}

plain_mesh probe_step_plain(const probe_steps *s, const probe_step *step)
{
    return (plain_mesh){.positions = step->plain,
                        .stride = 3,
                        .indices = &s->mesh.faces[0][0],
                        .triangle_count = s->mesh.face_count};
}

void probe_steps_destroy(probe_steps *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        free(s->items[i].start);
        free(s->items[i].end);
        free(s->items[i].plain);
        for (int k = 0; k < STEP_WORKS; k++) free(s->items[i].lists[k].items);
    }
    free(s->mesh.faces);
    free(s->mesh.edges);
    free(s->body);
    free(s->self);
}

/* ---- of a scene ---- */

static uint64_t steps_vertex_total(const scene *s)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < s->body_count; i++) total += s->bodies[i].vertex_count;
    return total;
}

/* Body by body, vertices counted on. */
static void fill_mesh(probe_steps *s, const scene *from)
{
    uint32_t first_vertex = 0, face = 0;
    for (uint32_t i = 0; i < from->body_count; i++) {
        const scene_body *body = &from->bodies[i];
        s->self[i] = body->self;
        for (uint32_t k = 0; k < body->vertex_count; k++) s->body[first_vertex + k] = i;
        for (uint32_t k = 0; k < body->triangle_count; k++, face++) {
            for (uint32_t corner = 0; corner < 3; corner++) {
                s->mesh.faces[face][corner] = first_vertex + body->indices[3 * (size_t)k + corner];
            }
        }
        first_vertex += body->vertex_count;
    }
}

/* `room` takes all vertices. */
static void fill_positions(const scene *from, uint32_t frame, float *room, double (*out)[3])
{
    size_t first = 0, total = (size_t)steps_vertex_total(from);
    for (uint32_t i = 0; i < from->body_count; i++) {
        scene_positions(from, frame, i, room + 3 * first);
        first += from->bodies[i].vertex_count;
    }
    for (size_t i = 0; i < 3 * total; i++) out[i / 3][i % 3] = (double)room[i];
}

static bool fill_steps(probe_steps *s, const scene *from)
{
    uint32_t steps = from->frame_count - 1;
    uint32_t wanted = steps < PROBE_STEPS_MAX ? steps : PROBE_STEPS_MAX;
    for (uint32_t i = 0; i < wanted; i++) {
        uint32_t frame = (uint32_t)((uint64_t)(2 * i + 1) * steps / (2 * wanted));
        if (!create_step(s)) return false;
        probe_step *step = &s->items[i];
        fill_positions(from, frame, step->plain, step->start);
        fill_positions(from, frame + 1, step->plain, step->end);
    }
    return true;
}

static int take_scene(probe_steps *s, const scene *from, double reach)
{
    uint64_t vertices = steps_vertex_total(from), faces = scene_triangle_total(from);
    if (vertices > UINT32_MAX / 4 || faces > UINT32_MAX / 4) return complain_memory();
    if (!create_mesh(s, (uint32_t)vertices, (uint32_t)faces, from->body_count)) {
        return complain_memory();
    }
    fill_mesh(s, from);
    if (!create_edges(s) || !fill_steps(s, from)) return complain_memory();
    return list_all(s, reach);
}

int probe_steps_of_scene(probe_steps *s, const char *spec, double reach)
{
    *s = (probe_steps){.count = 0};
    scene *from = scene_open("bench", spec);
    if (from == NULL) return EXIT_ERROR;
    int code = from->frame_count >= 2
                   ? take_scene(s, from, reach)
                   : complain_usage("bench", "%s has one frame, and so no step", spec);
    scene_destroy(from);
    return code;
}

/* ---- of files ---- */

static int read_file(const char *path, ply_mesh *out)
{
    io_error error;
    return ply_file_read(path, out, &error) ? EXIT_FINE : complain("bench", "%s", error.text);
}

static bool have_same_faces(const ply_mesh *a, const ply_mesh *b)
{
    return a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count &&
           memcmp(a->tris, b->tris, a->triangle_count * sizeof *a->tris) == 0;
}

static int take_frames(probe_steps *s, const ply_mesh frames[2], double reach)
{
    uint32_t vertices = frames[0].vertex_count, faces = frames[0].triangle_count;
    if (!create_mesh(s, vertices, faces, 1) || !create_step(s)) return complain_memory();
    s->self[0] = true;
    memcpy(s->mesh.faces, frames[0].tris, faces * sizeof *s->mesh.faces);
    memcpy(s->items[0].start, frames[0].positions, vertices * sizeof *s->items[0].start);
    memcpy(s->items[0].end, frames[1].positions, vertices * sizeof *s->items[0].end);
    fill_plain(s, &s->items[0]);
    return create_edges(s) ? list_all(s, reach) : complain_memory();
}

int probe_steps_of_files(probe_steps *s, const char *const files[2], double reach)
{
    ply_mesh frames[2] = {{0}, {0}};
    *s = (probe_steps){.count = 0};
    int code = read_file(files[0], &frames[0]);
    if (code == EXIT_FINE) code = read_file(files[1], &frames[1]);
    if (code == EXIT_FINE && !have_same_faces(&frames[0], &frames[1])) {
        code = complain("bench", "%s and %s are not two frames of one mesh", files[0], files[1]);
    }
    if (code == EXIT_FINE) code = take_frames(s, frames, reach);
    for (int i = 0; i < 2; i++) ply_mesh_free(&frames[i]);
    return code;
}
