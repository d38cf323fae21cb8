/* real_model.c - see real_model.h. */
#include "bench/common/real_model.h"
#include "io/clip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the folder of data that CMake named (WILLOW_DATA), unless the variable of the environment of
 * this name says otherwise. */
static void find_model(const char *name, char *path, size_t size)
{
    const char *folder = getenv("WILLOW_DATA");
    snprintf(path, size, "%s/meshes/%s", folder != NULL ? folder : WILLOW_DATA, name);
}

static bool take_room(real_model *model, uint32_t vertices, uint32_t triangles)
{
    *model = (real_model){.vertex_count = vertices, .triangle_count = triangles};
    model->positions = malloc(3 * sizeof(float) * (size_t)vertices + 1);
    model->indices = malloc(3 * sizeof(uint32_t) * (size_t)triangles + 1);
    return model->positions != NULL && model->indices != NULL;
}

void real_model_free(real_model *model)
{
    free(model->positions);
    free(model->indices);
    *model = (real_model){.positions = NULL};
}

bool real_model_load(real_model *model, const char *name)
{
    const clip_options options = clip_options_default();
    char room[4096];
    const char *path = room;
    io_error error;
    *model = (real_model){.positions = NULL};
    find_model(name, room, sizeof room);
    clip *c = clip_open(&path, 1, &options, &error);
    if (c == NULL) return false;
    const clip_mesh *mesh = &c->bodies[0].mesh;
    const bool ok = take_room(model, mesh->vertex_count, mesh->triangle_count);
    if (ok) {
        memcpy(model->positions, mesh->positions, 3 * sizeof(float) * mesh->vertex_count);
        memcpy(model->indices, mesh->indices, 3 * sizeof(uint32_t) * mesh->triangle_count);
    }
    clip_close(c);
    return ok;
}

/* ---- subdivided ---- */

/* An edge, seen from one of its triangles. */
typedef struct half_edge {
    uint32_t low, high, at; /* vertices; from corner at % 3 of triangle at / 3 to the next */
} half_edge;

static int compare_edges(const void *a, const void *b)
{
    const half_edge *x = a, *y = b;
    if (x->low != y->low) return x->low < y->low ? -1 : 1;
    if (x->high != y->high) return x->high < y->high ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* One entry for each corner, those of the same edge beside each other. NULL for want of memory. */
static half_edge *sort_edges(const real_model *model)
{
    const uint32_t count = 3 * model->triangle_count;
    half_edge *edges = malloc((size_t)count * sizeof *edges + 1);
    for (uint32_t i = 0; i < count && edges != NULL; i++) {
        const uint32_t a = model->indices[i], b = model->indices[i % 3 == 2 ? i - 2 : i + 1];
        edges[i] = (half_edge){a < b ? a : b, a < b ? b : a, i};
    }
    if (edges != NULL) qsort(edges, count, sizeof *edges, compare_edges);
    return edges;
}

static uint32_t add_middle(real_model *fine, uint32_t a, uint32_t b)
{
    for (uint32_t k = 0; k < 3; k++)
        fine->positions[3 * (size_t)fine->vertex_count + k] =
            0.5F * (fine->positions[3 * (size_t)a + k] + fine->positions[3 * (size_t)b + k]);
    return fine->vertex_count++;
}

static void add_triangle(real_model *fine, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *out = fine->indices + 3 * (size_t)fine->triangle_count++;
    out[0] = a;
    out[1] = b;
    out[2] = c;
}

/* `middles`: by corner, of the edge that begins there. */
static void refine(const real_model *model, const half_edge *edges, uint32_t *middles,
                   real_model *fine)
{
    const uint32_t corners = 3 * model->triangle_count;
    memcpy(fine->positions, model->positions, 3 * sizeof(float) * (size_t)model->vertex_count);
    fine->vertex_count = model->vertex_count;
    fine->triangle_count = 0;
    for (uint32_t i = 0; i < corners; i++) {
        const bool is_same =
            i > 0 && edges[i].low == edges[i - 1].low && edges[i].high == edges[i - 1].high;
        middles[edges[i].at] =
            is_same ? middles[edges[i - 1].at] : add_middle(fine, edges[i].low, edges[i].high);
    }
    for (uint32_t i = 0; i < corners; i += 3) {
        const uint32_t *v = model->indices + i, *m = middles + i;
        add_triangle(fine, v[0], m[0], m[2]);
        add_triangle(fine, m[0], v[1], m[1]);
        add_triangle(fine, m[2], m[1], v[2]);
        add_triangle(fine, m[0], m[1], m[2]);
    }
}

bool real_model_subdivide(real_model *model)
{
    const uint32_t corners = 3 * model->triangle_count;
    real_model fine;
    half_edge *edges = sort_edges(model);
    uint32_t *middles = malloc((size_t)corners * sizeof *middles + 1);
    bool ok = take_room(&fine, model->vertex_count + corners, 4 * model->triangle_count);
    ok = ok && edges != NULL && middles != NULL;
    if (ok) {
        refine(model, edges, middles, &fine);
        real_model_free(model);
        *model = fine;
    } else {
        real_model_free(&fine);
    }
    free(edges);
    free(middles);
    return ok;
}
