/* pieces.c - a body that breaks all at once: it has its cut faces already, and becomes as many
 * bodies as it has pieces, in three ways. Which way is first changes from time to time.
 *
 * The two sides of each crack coincide, so most pairs of the first question are between them. So
 * splitting and recreating are measured twice: with all pairs, and without those of cracks, where
 * the body has its labels already and bodies that are created get them by an edit. */
#include "bench/common/clock.h"
#include "bench/common/complain.h"
#include "bench/common/progress.h"
#include "bench/common/stop.h"
#include "bench/fracture/side.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 9, MOST_ROUNDS = 31, MOST_PIECES = 64, LATER_FRAMES = 30 };

/* What is done with the body. */
typedef enum way {
    WAY_SPLIT,
    WAY_RECREATE,
    WAY_CLONE,
    WAY_SPLIT_LABELLED, /* pairs of cracks are left out */
    WAY_RECREATE_LABELLED,
    WAYS
} way;

static bool is_labelled(way how) { return how >= WAY_SPLIT_LABELLED; }
static bool recreates(way how) { return how == WAY_RECREATE || how == WAY_RECREATE_LABELLED; }

/* Of all cut faces. */
static const uint32_t CRACK = 1;

typedef struct breaking {
    const scene *scene;
    const engine_options *engine;
    fracture_pieces *row;
    fracture_side side;
    uint32_t frame;   /* in which it breaks */
    uint32_t *labels; /* by slot: the piece */
    way how;
    uint32_t slot_count, pieces;
    willow_body_id bodies[MOST_PIECES];
    double edit_ms;
} breaking;

static int fail_breaking(const breaking *b)
{
    return complain("bench", "fracture: %s", willow_world_message(b->side.world));
}

/* ---- before ---- */

static bool list_labels(breaking *b)
{
    const scene_body *body = &b->scene->bodies[0];
    b->labels = malloc(((size_t)body->triangle_count + 1) * sizeof *b->labels);
    if (b->labels == NULL) return false;
    for (uint32_t t = 0; t < body->triangle_count; t++) b->labels[t] = 0;
    for (uint32_t t = 0; t < body->triangle_count; t++) {
        if (!scene_has_triangle(body, t, b->frame)) continue;
        const uint32_t slot = b->side.slots[t];
        b->labels[slot] = b->scene->kind->piece(b->scene, 0, t);
        if (slot >= b->slot_count) b->slot_count = slot + 1;
    }
    return true;
}

static bool is_cut_face(const breaking *b, uint32_t tri)
{
    return b->scene->bodies[0].lives[tri].born == b->frame;
}

/* Labels of some triangles of a body. */
static willow_result label_cracks(const breaking *b, willow_body_id body, const willow_tri *tris,
                                  uint32_t count)
{
    willow_edit edit = willow_edit_default();
    uint32_t *labels = malloc(((size_t)count + 1) * sizeof *labels);
    if (labels == NULL) return WILLOW_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < count; i++) labels[i] = CRACK;
    edit.label_triangles = tris;
    edit.labels = labels;
    edit.label_count = count;
    const willow_result result = willow_body_edit(b->side.world, body, &edit, NULL, NULL);
    free(labels);
    return result;
}

static willow_result label_whole(const breaking *b)
{
    const scene_body *body = &b->scene->bodies[0];
    willow_tri *tris = malloc(((size_t)body->triangle_count + 1) * sizeof *tris);
    uint32_t count = 0;
    if (tris == NULL) return WILLOW_OUT_OF_MEMORY;
    for (uint32_t t = 0; t < body->triangle_count; t++)
        if (scene_has_triangle(body, t, b->frame) && is_cut_face(b, t))
            tris[count++] = b->side.slots[t];
    const willow_result result = label_cracks(b, b->side.bodies[0], tris, count);
    free(tris);
    return result;
}

/* The faces of the cracks are there, and the update is done. Positions are those of frame 0, which
 * pieces have their poses from. */
static int break_begin(breaking *b)
{
    fracture_side *s = &b->side;
    int code = fracture_side_create(s, b->scene, b->engine, FRACTURE_WHOLE);
    if (code != EXIT_FINE) return code;
    const double start = now_ms();
    if (fracture_side_edit(s, b->frame) != WILLOW_OK) return fail_breaking(b);
    scene_positions(b->scene, 0, 0, s->xyz[0]);
    if (willow_body_set_vertices(s->world, s->bodies[0], 0, s->vertex_count, s->xyz[0], 0) !=
            WILLOW_OK ||
        willow_world_update(s->world, 1, NULL) != WILLOW_OK)
        return fail_breaking(b);
    b->edit_ms = now_ms() - start;
    if (is_labelled(b->how) &&
        (label_whole(b) != WILLOW_OK || willow_world_update(s->world, 1, NULL) != WILLOW_OK))
        return fail_breaking(b);
    return list_labels(b) ? EXIT_FINE : complain("bench", "out of memory");
}

static void break_end(breaking *b)
{
    free(b->labels);
    fracture_side_destroy(&b->side);
}

/* ---- ways ---- */

static willow_result split_into_pieces(breaking *b)
{
    willow_split split;
    const willow_result result =
        willow_body_split(b->side.world, b->side.bodies[0], b->labels, &split);
    b->pieces = result == WILLOW_OK ? split.part_count : 0;
    for (uint32_t i = 0; i < b->pieces; i++) b->bodies[i] = split.parts[i].body;
    return result;
}

/* A piece as whoever recreates has it at hand. */
typedef struct piece_mesh {
    float *xyz;
    uint32_t *indices, *cut_faces;
    uint32_t vertex_count, tri_count, cut_face_count;
} piece_mesh;

static bool piece_make(const breaking *b, uint32_t piece, piece_mesh *out)
{
    const scene_body *body = &b->scene->bodies[0];
    uint32_t *number = malloc((size_t)body->vertex_count * sizeof *number);
    out->indices = malloc(3 * (size_t)body->triangle_count * sizeof *out->indices);
    out->xyz = malloc(3 * (size_t)body->vertex_count * sizeof *out->xyz);
    out->cut_faces = malloc((size_t)body->triangle_count * sizeof *out->cut_faces);
    if (number == NULL || out->indices == NULL || out->xyz == NULL || out->cut_faces == NULL)
        return false;
    memset(number, 0xFF, (size_t)body->vertex_count * sizeof *number);
    for (uint32_t t = 0; t < body->triangle_count; t++) {
        if (!scene_has_triangle(body, t, b->frame) ||
            b->scene->kind->piece(b->scene, 0, t) != piece)
            continue;
        for (int k = 0; k < 3; k++) {
            const uint32_t v = body->indices[3 * (size_t)t + (size_t)k];
            if (number[v] == UINT32_MAX) {
                memcpy(out->xyz + 3 * (size_t)out->vertex_count, b->side.xyz[0] + 3 * (size_t)v,
                       3 * sizeof *out->xyz);
                number[v] = out->vertex_count++;
            }
            out->indices[3 * (size_t)out->tri_count + (size_t)k] = number[v];
        }
        if (is_cut_face(b, t)) out->cut_faces[out->cut_face_count++] = out->tri_count;
        out->tri_count++;
    }
    free(number);
    return true;
}

static willow_result recreate_pieces(breaking *b, const piece_mesh *meshes)
{
    willow_result result = willow_body_destroy(b->side.world, b->side.bodies[0]);
    b->pieces = b->scene->params.parts;
    for (uint32_t i = 0; i < b->pieces && result == WILLOW_OK; i++) {
        willow_body_def def = willow_body_def_default();
        def.mesh = (willow_mesh_def){.positions = meshes[i].xyz,
                                     .vertex_count = meshes[i].vertex_count,
                                     .indices = meshes[i].indices,
                                     .triangle_count = meshes[i].tri_count};
        def.tree = b->side.tree;
        result = willow_body_create(b->side.world, &def, &b->bodies[i]);
        if (result == WILLOW_OK && is_labelled(b->how))
            result = label_cracks(b, b->bodies[i], meshes[i].cut_faces, meshes[i].cut_face_count);
    }
    return result;
}

/* The paper's way (section 4.2): each piece is a copy without the triangles of all others. */
static willow_result clone_pieces(breaking *b, willow_tri *gone)
{
    const scene_body *body = &b->scene->bodies[0];
    willow_result result = WILLOW_OK;
    b->pieces = b->scene->params.parts;
    for (uint32_t i = 0; i < b->pieces && result == WILLOW_OK; i++) {
        willow_body_def def = willow_body_def_default();
        willow_edit edit = willow_edit_default();
        def.share = b->side.bodies[0];
        for (uint32_t t = 0; t < body->triangle_count; t++)
            if (scene_has_triangle(body, t, b->frame) && b->scene->kind->piece(b->scene, 0, t) != i)
                gone[edit.remove_triangle_count++] = b->side.slots[t];
        edit.remove_triangles = gone;
        result = willow_body_create(b->side.world, &def, &b->bodies[i]);
        if (result == WILLOW_OK)
            result = willow_body_edit(b->side.world, b->bodies[i], &edit, NULL, NULL);
    }
    if (result == WILLOW_OK) result = willow_body_destroy(b->side.world, b->side.bodies[0]);
    return result;
}

/* ---- measuring ---- */

static willow_result find_pairs(const breaking *b, willow_pairs *out)
{
    willow_query_options options = willow_query_options_default();
    options.skip_cracks = is_labelled(b->how);
    return willow_find_pairs(b->side.world, b->side.scratch, &options, out);
}

/* While the pieces fly apart. */
static int count_tests(breaking *b, double *tests, uint64_t *pairs)
{
    *tests = 0;
    for (uint32_t k = 0; k < LATER_FRAMES && b->frame + 4 * k < b->scene->frame_count; k++) {
        willow_pairs found;
        const uint32_t frame = b->frame + 4 * k;
        for (uint32_t i = 0; i < b->pieces; i++) {
            const willow_pose first = b->scene->kind->piece_pose(b->scene, 0, 0, i);
            willow_pose pose = b->scene->kind->piece_pose(b->scene, frame, 0, i);
            pose.translation.z -= first.translation.z;
            if (willow_body_set_pose(b->side.world, b->bodies[i], &pose) != WILLOW_OK)
                return fail_breaking(b);
        }
        if (willow_world_update(b->side.world, 2 + k, NULL) != WILLOW_OK) return fail_breaking(b);
        const double before = fracture_tests(b->side.scratch);
        if (find_pairs(b, &found) != WILLOW_OK)
            return complain("bench", "fracture: %s", willow_scratch_message(b->side.scratch));
        *tests += fracture_tests(b->side.scratch) - before;
        if (k > 0) *pairs += found.count;
    }
    return EXIT_FINE;
}

static double mean_quality(const breaking *b)
{
    double sum = 0;
    for (uint32_t i = 0; i < b->pieces; i++) {
        willow_body_stats stats;
        if (willow_body_get_stats(b->side.world, b->bodies[i], &stats) == WILLOW_OK)
            sum += stats.volume_quality;
    }
    return b->pieces > 0 ? sum / b->pieces : 0;
}

static willow_result go_way(breaking *b, const piece_mesh *meshes, willow_tri *gone)
{
    if (b->how == WAY_SPLIT || b->how == WAY_SPLIT_LABELLED) return split_into_pieces(b);
    return recreates(b->how) ? recreate_pieces(b, meshes) : clone_pieces(b, gone);
}

/* Pairs within pieces are counted with those between them in all ways alike. */
static int measure_way(breaking *b, const piece_mesh *meshes, willow_tri *gone, double *ms,
                       uint64_t *pairs)
{
    willow_pairs found;
    const double start = now_ms();
    if (go_way(b, meshes, gone) != WILLOW_OK ||
        willow_world_update(b->side.world, 1.5, NULL) != WILLOW_OK)
        return fail_breaking(b);
    if (find_pairs(b, &found) != WILLOW_OK)
        return complain("bench", "fracture: %s", willow_scratch_message(b->side.scratch));
    *ms = now_ms() - start;
    *pairs = found.count;
    return EXIT_FINE;
}

/* What came of a way that was gone. */
static void note_way(breaking *b, double tests, uint64_t pairs)
{
    fracture_pieces *row = b->row;
    uint64_t *expected = is_labelled(b->how) ? &row->other_pairs : &row->pairs;
    row->is_wrong = row->is_wrong || (*expected != 0 && *expected != pairs);
    *expected = pairs;
    row->triangles = b->side.live_count;
    if (is_labelled(b->how)) return;
    *(recreates(b->how) ? &row->fresh_tests : &row->tests) = tests;
    if (b->how != WAY_CLONE)
        *(recreates(b->how) ? &row->fresh_quality : &row->quality) = mean_quality(b);
}

static void free_pieces(piece_mesh *meshes)
{
    for (uint32_t i = 0; i < MOST_PIECES; i++) {
        free(meshes[i].xyz);
        free(meshes[i].indices);
        free(meshes[i].cut_faces);
    }
}

static int play_way(breaking *b, double ms[WAYS], double *edit_ms)
{
    piece_mesh meshes[MOST_PIECES] = {{0}};
    uint64_t later = 0, pairs = 0;
    double tests = 0;
    int code = break_begin(b);
    willow_tri *gone = malloc(((size_t)b->scene->bodies[0].triangle_count + 1) * sizeof *gone);
    bool fine = code == EXIT_FINE && gone != NULL;
    for (uint32_t i = 0; i < b->scene->params.parts && fine && recreates(b->how); i++)
        fine = piece_make(b, i, &meshes[i]);
    if (fine) code = measure_way(b, meshes, gone, &ms[b->how], &pairs);
    if (fine && code == EXIT_FINE) code = count_tests(b, &tests, &later);
    if (fine && code == EXIT_FINE) note_way(b, tests, pairs + later);
    *edit_ms = b->edit_ms;
    free_pieces(meshes);
    free(gone);
    break_end(b);
    return fine ? code : complain("bench", "out of memory");
}

static int play_rounds(const scene *s, const engine_options *engine, fracture_pieces *row)
{
    double ms[WAYS][MOST_ROUNDS], edits[WAYS * MOST_ROUNDS];
    int code = EXIT_FINE;
    for (uint32_t round = 0; round < row->repeats && code == EXIT_FINE; round++) {
        double now[WAYS] = {0};
        progress_show_of("round", round, row->repeats);
        for (uint32_t k = 0; k < WAYS && code == EXIT_FINE; k++) {
            const way how = (way)((k + round) % WAYS);
            breaking b = {.scene = s, .engine = engine, .row = row, .how = how};
            b.frame = s->kind->break_frame(s, 0);
            code = stop_was_asked() ? EXIT_ERROR : play_way(&b, now, &edits[round * WAYS + k]);
        }
        for (int how = 0; how < WAYS; how++) ms[how][round] = now[how];
    }
    progress_clear();
    if (code != EXIT_FINE) return code;
    row->edit_ms = median_of(edits, row->repeats * WAYS);
    row->split_ms = median_of(ms[WAY_SPLIT], row->repeats);
    row->recreate_ms = median_of(ms[WAY_RECREATE], row->repeats);
    row->clone_ms = median_of(ms[WAY_CLONE], row->repeats);
    row->other_split_ms = median_of(ms[WAY_SPLIT_LABELLED], row->repeats);
    row->other_recreate_ms = median_of(ms[WAY_RECREATE_LABELLED], row->repeats);
    return code;
}

int fracture_measure_pieces(const char *spec, const char *method, const bench_options *options,
                            fracture_pieces *out)
{
    char error[256];
    engine_options engine = options->engine;
    *out = (fracture_pieces){.repeats = options->repeat > 1 ? options->repeat : ROUNDS};
    if (out->repeats > MOST_ROUNDS) out->repeats = MOST_ROUNDS;
    snprintf(out->method, sizeof out->method, "%s", method);
    int code = fracture_take_method(&engine, method);
    if (code != EXIT_FINE) return code;
    scene *s = scene_create(spec, error, sizeof error);
    if (s == NULL) return complain("bench", "%s", error);
    out->pieces = s->params.parts;
    code = play_rounds(s, &engine, out);
    scene_destroy(s);
    return code;
}
