/* candidates.c - boxes around all features over a step, and which of these overlap.
 * Way in: candidates_visit. */
#include "candidates.h"
#include "swept_boxes.h"

#include <stdlib.h>
#include <string.h>

/* ---- edges ---- */

static int compare_edges(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    if (x[1] != y[1]) return (x[1] > y[1]) - (x[1] < y[1]);
    return (x[0] > y[0]) - (x[0] < y[0]);
}

uint32_t (*candidate_edges(const uint32_t (*faces)[3], uint32_t face_count, uint32_t *count))[2]
{
    const size_t corners = 3 * (size_t)face_count;
    uint32_t(*edges)[2] = calloc(corners + 1, sizeof *edges);
    uint32_t last = 0;
    if (edges == NULL) return NULL;
    for (size_t i = 0; i < corners; i++) {
        const uint32_t from = faces[i / 3][i % 3], to = faces[i / 3][(i + 1) % 3];
        edges[i][0] = from < to ? from : to;
        edges[i][1] = from < to ? to : from;
    }
    qsort(edges, corners, sizeof *edges, compare_edges);
    for (size_t i = 1; i < corners; i++) {
        if (compare_edges(edges[i], edges[last]) != 0) {
            memcpy(edges[++last], edges[i], sizeof edges[i]);
        }
    }
    *count = face_count > 0 ? last + 1 : 0;
    return edges;
}

/* ---- pairs ---- */

typedef struct search {
    const candidate_mesh *mesh;
    candidate_visitor *visit;
    void *context;
} search;

static void meet_vertex_and_face(void *context, uint32_t vertex, uint32_t face)
{
    const search *found = context;
    const uint32_t *corners = found->mesh->faces[face];
    if (vertex != corners[0] && vertex != corners[1] && vertex != corners[2]) {
        found->visit(found->context, vertex, face);
    }
}

static void meet_edges(void *context, uint32_t a, uint32_t b)
{
    const search *found = context;
    const uint32_t *x = found->mesh->edges[a], *y = found->mesh->edges[b];
    if (x[0] != y[0] && x[0] != y[1] && x[1] != y[0] && x[1] != y[1]) {
        found->visit(found->context, a, b);
    }
}

typedef struct step {
    const double (*start)[3], (*end)[3];
    double more; /* on all sides */
} step;

/* One box for every `size` numbers; without numbers, one for every vertex. */
static swept_box *make_boxes(const step *s, const uint32_t *numbers, int size, uint32_t count)
{
    swept_box *boxes = calloc((size_t)count + 1, sizeof *boxes);
    for (uint32_t i = 0; boxes != NULL && i < count; i++) {
        boxes[i] = swept_box_of(s->start, s->end,
                                numbers == NULL ? &i : numbers + (size_t)i * (size_t)size, size);
        for (int axis = 0; axis < 3; axis++) {
            boxes[i].lower[axis] -= s->more;
            boxes[i].upper[axis] += s->more;
        }
    }
    return boxes;
}

static bool visit_edges(const step *s, search *found)
{
    const candidate_mesh *mesh = found->mesh;
    swept_box *edges = make_boxes(s, &mesh->edges[0][0], 2, mesh->edge_count);
    const bool is_fine =
        edges != NULL && swept_visit_within(edges, mesh->edge_count, meet_edges, found);
    free(edges);
    return is_fine;
}

static bool visit_faces(const step *s, search *found)
{
    const candidate_mesh *mesh = found->mesh;
    swept_box *vertices = make_boxes(s, NULL, 1, mesh->vertex_count);
    swept_box *faces = make_boxes(s, &mesh->faces[0][0], 3, mesh->face_count);
    const bool is_fine = vertices != NULL && faces != NULL &&
                         swept_visit_between(vertices, mesh->vertex_count, faces, mesh->face_count,
                                             meet_vertex_and_face, found);
    free(vertices);
    free(faces);
    return is_fine;
}

/* Each of two boxes is wider by half of the reach. */
bool candidates_visit(const candidate_mesh *mesh, const double (*start)[3], const double (*end)[3],
                      double reach, candidate_kind kind, candidate_visitor *visit, void *context)
{
    search found = {mesh, visit, context};
    const step s = {start, end, reach / 2};
    return kind == CANDIDATE_EDGE_EDGE ? visit_edges(&s, &found) : visit_faces(&s, &found);
}

void candidate_points(const candidate_mesh *mesh, const double (*positions)[3], candidate_kind kind,
                      uint32_t a, uint32_t b, double out[4][3])
{
    uint32_t vertices[4];
    if (kind == CANDIDATE_VERTEX_FACE) {
        vertices[0] = a;
        memcpy(&vertices[1], mesh->faces[b], sizeof mesh->faces[b]);
    } else {
        memcpy(&vertices[0], mesh->edges[a], sizeof mesh->edges[a]);
        memcpy(&vertices[2], mesh->edges[b], sizeof mesh->edges[b]);
    }
    for (int i = 0; i < 4; i++) memcpy(out[i], positions[vertices[i]], sizeof out[i]);
}
