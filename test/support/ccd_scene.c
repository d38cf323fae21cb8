/* ccd_scene.c - reads the files of a step and numbers what they name. See ccd_scene.h.
 *
 * In the files all things are counted on: vertices, then edges, then faces. */
#include "support/ccd_scene.h"

#include <stdlib.h>
#include "io/ply.h"
#include "scenes/candidates.h"
#include "support/real_data.h"
#include "support/test.h"

/* ---- lists in text ---- */

static const char *skip_spaces(const char *at)
{
    while (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n') at++;
    return at;
}

/* Goes behind the sign, or to NULL, where it stays. */
static const char *take_sign(const char *at, char sign)
{
    if (at == NULL) return NULL;
    at = skip_spaces(at);
    return *at == sign ? at + 1 : NULL;
}

static const char *take_number(const char *at, uint32_t *out)
{
    uint64_t number = 0;
    if (at == NULL) return NULL;
    at = skip_spaces(at);
    if (*at < '0' || *at > '9') return NULL;
    for (; *at >= '0' && *at <= '9'; at++) {
        number = 10 * number + (uint64_t)(*at - '0');
        if (number > UINT32_MAX) return NULL;
    }
    *out = (uint32_t)number;
    return at;
}

static const char *take_pair(const char *at, uint32_t out[2])
{
    at = take_number(take_sign(at, '['), &out[0]);
    at = take_number(take_sign(at, ','), &out[1]);
    return take_sign(at, ']');
}

static const char *take_boolean(const char *at, bool *out)
{
    if (at == NULL) return NULL;
    at = skip_spaces(at);
    *out = strncmp(at, "true", 4) == 0;
    if (*out) return at + 4;
    return strncmp(at, "false", 5) == 0 ? at + 5 : NULL;
}

/* Behind an item: where the next one begins, or where the text ends. */
static bool goes_on(const char **at)
{
    const char *comma = take_sign(*at, ',');
    if (comma != NULL) {
        *at = comma;
        return true;
    }
    *at = take_sign(*at, ']');
    return false;
}

static bool is_at_end(const char *at) { return at != NULL && *skip_spaces(at) == '\0'; }

/* True, and behind it, if the list has nothing in it. */
static bool is_empty(const char *at) { return is_at_end(take_sign(at, ']')); }

bool ccd_scan_pairs(const char *text, uint32_t (*out)[2], size_t *count)
{
    const char *at = take_sign(text, '[');
    *count = 0;
    if (is_empty(at)) return true;
    do {
        uint32_t pair[2];
        at = take_pair(at, pair);
        if (at == NULL) return false;
        if (out != NULL) memcpy(out[*count], pair, sizeof pair);
        ++*count;
    } while (goes_on(&at));
    return is_at_end(at);
}

bool ccd_scan_booleans(const char *text, bool *out, size_t *count)
{
    const char *at = take_sign(text, '[');
    *count = 0;
    if (is_empty(at)) return true;
    do {
        bool item;
        at = take_boolean(at, &item);
        if (at == NULL) return false;
        if (out != NULL) out[*count] = item;
        ++*count;
    } while (goes_on(&at));
    return is_at_end(at);
}

/* ---- files ---- */

static char *read_text(const char *folder, const char *format, int frame, const char *kind)
{
    char file[100], name[200], path[REAL_DATA_PATH];
    size_t size;
    snprintf(file, sizeof file, format, frame, kind);
    snprintf(name, sizeof name, "%s/%s", folder, file);
    real_data_path(name, path);
    return real_data_read(path, &size);
}

static void read_frame(ply_mesh *out, const char *folder, int frame)
{
    char name[200], path[REAL_DATA_PATH];
    io_error error;
    snprintf(name, sizeof name, "%s/frames/%d.ply", folder, frame);
    real_data_path(name, path);
    if (!ply_file_read(path, out, &error)) fail_msg("%s", error.text);
}

static int compare_pairs(const void *a, const void *b)
{
    const ccd_pair *x = a, *y = b;
    if (x->a != y->a) return (x->a > y->a) - (x->a < y->a);
    return (x->b > y->b) - (x->b < y->b);
}

/* From numbers that count all things on to those of its kind. */
static ccd_pair number_pair(const ccd_scene *s, ccd_kind kind, const uint32_t named[2])
{
    const uint32_t low = named[0] < named[1] ? named[0] : named[1];
    const uint32_t high = named[0] < named[1] ? named[1] : named[0];
    const uint32_t edges = s->vertex_count, faces = edges + s->edge_count;
    if (kind == CCD_VERTEX_FACE) {
        assert_true(low < edges && high >= faces && high - faces < s->face_count);
        return (ccd_pair){.a = low, .b = high - faces};
    }
    assert_true(low >= edges && high < faces);
    return (ccd_pair){.a = low - edges, .b = high - edges};
}

static void read_given(ccd_scene *s, ccd_kind kind, const char *folder, int frame)
{
    const char *name = kind == CCD_VERTEX_FACE ? "vf" : "ee";
    char *boxes = read_text(folder, "boxes/%d%s.json", frame, name);
    char *truth = read_text(folder, "mma_bool/%d%s_mma_bool.json", frame, name);
    ccd_list *list = &s->given[kind];
    size_t decided = 0;
    if (!ccd_scan_pairs(boxes, NULL, &list->count)) fail_msg("%s: no list of pairs", folder);
    if (!ccd_scan_booleans(truth, NULL, &decided) || decided != list->count)
        fail_msg("%s: not a truth for every pair", folder);
    uint32_t(*named)[2] = calloc(list->count + 1, sizeof *named);
    bool *collide = calloc(list->count + 1, sizeof *collide);
    list->items = calloc(list->count + 1, sizeof *list->items);
    assert_true(named != NULL && collide != NULL && list->items != NULL);
    (void)ccd_scan_pairs(boxes, named, &list->count);
    (void)ccd_scan_booleans(truth, collide, &decided);
    for (size_t i = 0; i < list->count; i++) {
        list->items[i] = number_pair(s, kind, named[i]);
        list->items[i].collide = collide[i];
        list->colliding_count += collide[i];
    }
    qsort(list->items, list->count, sizeof *list->items, compare_pairs);
    free(boxes);
    free(truth);
    free(named);
    free(collide);
}

void ccd_scene_open(ccd_scene *s, const char *folder, int first)
{
    ply_mesh frames[2];
    *s = (ccd_scene){0};
    for (int i = 0; i < 2; i++) read_frame(&frames[i], folder, first + i);
    assert_int_equal(frames[0].vertex_count, frames[1].vertex_count);
    assert_int_equal(frames[0].triangle_count, frames[1].triangle_count);
    assert_memory_equal(frames[0].tris, frames[1].tris,
                        frames[0].triangle_count * sizeof *frames[0].tris);
    s->vertex_count = frames[0].vertex_count;
    s->face_count = frames[0].triangle_count;
    s->faces = frames[0].tris;
    free(frames[1].tris);
    for (int i = 0; i < 2; i++) s->frames[i] = frames[i].positions;
    s->edges = candidate_edges((const uint32_t(*)[3])s->faces, s->face_count, &s->edge_count);
    assert_non_null(s->edges);
    for (ccd_kind kind = 0; kind < CCD_KINDS; kind++) read_given(s, kind, folder, first);
}

void ccd_scene_close(ccd_scene *s)
{
    for (int i = 0; i < 2; i++) free(s->frames[i]);
    for (int i = 0; i < CCD_KINDS; i++) free(s->given[i].items);
    free(s->edges);
    free(s->faces);
    *s = (ccd_scene){0};
}

const ccd_pair *ccd_find(const ccd_list *list, uint32_t a, uint32_t b)
{
    const ccd_pair wanted = {.a = a, .b = b};
    if (list->count == 0) return NULL;
    return bsearch(&wanted, list->items, list->count, sizeof *list->items, compare_pairs);
}

/* ---- candidates ---- */

static candidate_mesh mesh_of(const ccd_scene *s)
{
    return (candidate_mesh){.vertex_count = s->vertex_count,
                            .edge_count = s->edge_count,
                            .face_count = s->face_count,
                            .edges = s->edges,
                            .faces = s->faces};
}

void ccd_visit_candidates(const ccd_scene *s, const double (*start)[3], const double (*end)[3],
                          ccd_kind kind, ccd_visitor *visit, void *context)
{
    const candidate_mesh mesh = mesh_of(s);
    assert_true(candidates_visit(&mesh, start, end, 0, (candidate_kind)kind, visit, context));
}

void ccd_points(const ccd_scene *s, const double (*positions)[3], ccd_kind kind, uint32_t a,
                uint32_t b, double out[4][3])
{
    const candidate_mesh mesh = mesh_of(s);
    candidate_points(&mesh, positions, (candidate_kind)kind, a, b, out);
}
