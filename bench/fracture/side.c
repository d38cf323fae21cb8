/* side.c - see side.h. Edits are made before the clock starts. */
#include "bench/fracture/side.h"
#include "bench/common/clock.h"
#include "bench/common/complain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The label of whatever comes with an edit. */
static const uint32_t CRACK = 1;

static int fail_in_world(const fracture_side *s)
{
    return complain("bench", "fracture: %s", willow_world_message(s->world));
}

int fracture_take_method(engine_options *engine, const char *text)
{
    char word[FRACTURE_WORD];
    snprintf(word, sizeof word, "%s", text);
    char *settings = strchr(word, ':');
    if (settings != NULL) *settings++ = '\0';
    int code = engine_take_method(engine, "bench", word);
    while (code == EXIT_FINE && settings != NULL) {
        char *next = strchr(settings, ':');
        if (next != NULL) *next++ = '\0';
        code = engine_take_setting(engine, "bench", "--method: ", settings);
        settings = next;
    }
    return code;
}

/* ---- the beginning ---- */

static bool side_allocate(fracture_side *s)
{
    const scene_body *body = &s->scene->bodies[0];
    const size_t tris = (size_t)body->triangle_count + 1;
    s->slots = calloc(tris, sizeof *s->slots);
    s->add_vertices = calloc((size_t)body->vertex_count + 1, sizeof *s->add_vertices);
    s->add_tris = calloc(tris, sizeof *s->add_tris);
    s->replacements = calloc(tris, sizeof *s->replacements);
    s->replaced = calloc(tris, sizeof *s->replaced);
    s->removed = calloc(tris, sizeof *s->removed);
    s->new_slots = calloc(tris, sizeof *s->new_slots);
    s->added = calloc(tris, sizeof *s->added);
    s->heirs = calloc(tris, sizeof *s->heirs);
    s->labels = malloc(tris * sizeof *s->labels);
    for (size_t i = 0; i < tris && s->labels != NULL; i++) s->labels[i] = CRACK;
    bool fine = s->slots && s->add_vertices && s->add_tris && s->replacements && s->replaced &&
                s->removed && s->new_slots && s->added && s->heirs && s->labels;
    for (uint32_t i = 0; i < s->scene->body_count && i < 2; i++) {
        s->xyz[i] = calloc(3 * (size_t)s->scene->bodies[i].vertex_count + 1, sizeof(float));
        fine = fine && s->xyz[i];
    }
    return fine;
}

void fracture_side_destroy(fracture_side *s)
{
    willow_scratch_destroy(s->scratch);
    willow_world_destroy(s->world);
    for (int i = 0; i < 2; i++) free(s->xyz[i]);
    free(s->slots);
    free(s->add_vertices);
    free(s->add_tris);
    free(s->replacements);
    free(s->replaced);
    free(s->removed);
    free(s->new_slots);
    free(s->added);
    free(s->heirs);
    free(s->labels);
    *s = (fracture_side){.scene = NULL};
}

/* Up to the first that comes later. */
static void take_first(fracture_side *s)
{
    const scene_body *body = &s->scene->bodies[0];
    while (s->next_tri < body->triangle_count && body->lives[s->next_tri].born == 0) {
        s->slots[s->next_tri] = s->next_tri;
        for (int k = 0; k < 3; k++) {
            const uint32_t v = body->indices[3 * (size_t)s->next_tri + (size_t)k];
            if (v >= s->vertex_count) s->vertex_count = v + 1;
        }
        s->next_tri++;
    }
    s->live_count = s->next_tri;
}

static willow_result create_bodies(fracture_side *s)
{
    willow_result result = WILLOW_OK;
    for (uint32_t i = 0; i < s->scene->body_count && result == WILLOW_OK; i++) {
        const scene_body *body = &s->scene->bodies[i];
        willow_body_def def = willow_body_def_default();
        if (i == 0)
            scene_positions(s->scene, 0, i, s->xyz[i]);
        else
            scene_rest(s->scene, i, s->xyz[i]);
        def.mesh = (willow_mesh_def){.positions = s->xyz[i],
                                     .vertex_count = i == 0 ? s->vertex_count : body->vertex_count,
                                     .indices = body->indices,
                                     .triangle_count = i == 0 ? s->next_tri : body->triangle_count};
        if (i > 0) scene_pose(s->scene, 0, i, &def.pose);
        def.tree = s->tree;
        def.self = body->self && s->scene->kind->break_frame == NULL; /* pieces are rigid */
        result = willow_body_create(s->world, &def, &s->bodies[i]);
    }
    return result;
}

/* A body that breaks step by step was edited before: one triangle gets the corners that it has. */
static willow_result edit_before(fracture_side *s)
{
    const willow_tri first = 0;
    willow_edit edit = willow_edit_default();
    edit.replace_triangles = &first;
    edit.replace_indices = s->scene->bodies[0].indices;
    edit.replace_triangle_count = 1;
    const willow_result result = willow_body_edit(s->world, s->bodies[0], &edit, NULL, NULL);
    return result == WILLOW_OK ? willow_world_update(s->world, 0, NULL) : result;
}

int fracture_side_create(fracture_side *s, const scene *sc, const engine_options *engine,
                         fracture_part part)
{
    const willow_world_def world = engine_world_def(engine);
    *s = (fracture_side){.scene = sc, .part = part, .tree = engine->tree};
    s->still = strcmp(sc->params.variant, "still") == 0 ||
               (strcmp(sc->kind->name, "splitting") == 0 && sc->params.variant[0] == '\0');
    if (!side_allocate(s) || willow_world_create(&world, &s->world) != WILLOW_OK ||
        willow_scratch_create(s->world, &s->scratch) != WILLOW_OK)
        return complain("bench", "out of memory");
    take_first(s);
    if (create_bodies(s) != WILLOW_OK || willow_world_update(s->world, 0, NULL) != WILLOW_OK ||
        edit_before(s) != WILLOW_OK)
        return fail_in_world(s);
    return EXIT_FINE;
}

/* ---- an edit ---- */

/* A vertex that comes with this edit has no number yet. */
static void name_corners(const fracture_side *s, uint32_t tri, uint32_t out[3])
{
    for (int k = 0; k < 3; k++) {
        const uint32_t v = s->scene->bodies[0].indices[3 * (size_t)tri + (size_t)k];
        out[k] = v < s->vertex_count ? v : WILLOW_NEW_VERTEX + (v - s->vertex_count);
    }
}

static void add_new_vertices(fracture_side *s, uint32_t tri)
{
    for (int k = 0; k < 3; k++) {
        const uint32_t v = s->scene->bodies[0].indices[3 * (size_t)tri + (size_t)k];
        if (v < s->vertex_count + s->edit.add_vertex_count) continue;
        for (uint32_t i = s->edit.add_vertex_count; s->vertex_count + i <= v; i++) {
            const float *p = s->xyz[0] + 3 * (size_t)(s->vertex_count + i);
            s->add_vertices[i] = (willow_new_vertex){.position = {p[0], p[1], p[2]}};
        }
        s->edit.add_vertex_count = v - s->vertex_count + 1;
    }
}

/* What of all that came before goes in this frame, but for what is replaced. */
static void list_removed(fracture_side *s, uint32_t frame, uint32_t first_new)
{
    const scene_life *lives = s->scene->bodies[0].lives;
    for (uint32_t i = 0; i < s->edit.replace_triangle_count; i++)
        s->slots[lives[s->heirs[i]].replaces] = UINT32_MAX;
    for (uint32_t t = 0; t < first_new; t++)
        if (lives[t].dies == frame && s->slots[t] != UINT32_MAX)
            s->removed[s->edit.remove_triangle_count++] = s->slots[t];
}

/* All that comes is beside a crack, whose sides coincide at first. */
static void label_cracks(fracture_side *s)
{
    s->edit.add_labels = s->edit.labels = s->labels;
    s->edit.label_triangles = s->replaced;
    s->edit.label_count = s->edit.replace_triangle_count;
}

/* All but what is replaced. What was not added is not there to be replaced later. */
static void leave_out(fracture_side *s)
{
    for (uint32_t i = 0; i < s->edit.add_triangle_count; i++) s->slots[s->added[i]] = UINT32_MAX;
    s->edit.add_triangle_count = s->edit.remove_triangle_count = 0;
}

static void make_edit(fracture_side *s, uint32_t frame)
{
    const scene_body *body = &s->scene->bodies[0];
    const uint32_t first_new = s->next_tri;
    s->edit = willow_edit_default();
    s->edit.add_vertices = s->add_vertices;
    s->edit.add_indices = s->add_tris[0];
    s->edit.replace_triangles = s->replaced;
    s->edit.replace_indices = s->replacements[0];
    s->edit.remove_triangles = s->removed;
    for (; s->next_tri < body->triangle_count && body->lives[s->next_tri].born <= frame;
         s->next_tri++) {
        const uint32_t t = s->next_tri, old = body->lives[t].replaces;
        add_new_vertices(s, t);
        if (old != UINT32_MAX && s->slots[old] != UINT32_MAX) {
            const uint32_t at = s->edit.replace_triangle_count++;
            s->replaced[at] = s->slots[t] = s->slots[old];
            s->heirs[at] = t;
            name_corners(s, t, s->replacements[at]);
        } else {
            const uint32_t at = s->edit.add_triangle_count++;
            s->added[at] = t;
            name_corners(s, t, s->add_tris[at]);
        }
    }
    list_removed(s, frame, first_new);
    if (s->is_within) label_cracks(s);
    if (s->part == FRACTURE_REPLACED) leave_out(s);
}

static bool is_any(const willow_edit *edit)
{
    return edit->add_triangle_count + edit->replace_triangle_count + edit->remove_triangle_count >
           0;
}

static void take_numbers(fracture_side *s)
{
    for (uint32_t i = 0; i < s->edit.add_triangle_count; i++)
        s->slots[s->added[i]] = s->new_slots[i];
    s->vertex_count += s->edit.add_vertex_count;
    s->live_count += s->edit.add_triangle_count - s->edit.remove_triangle_count;
}

static willow_result carry_out(fracture_side *s)
{
    if (s->part == FRACTURE_UNEDITED || !is_any(&s->edit)) return WILLOW_OK;
    return willow_body_edit(s->world, s->bodies[0], &s->edit, s->new_slots, NULL);
}

willow_result fracture_side_edit(fracture_side *s, uint32_t frame)
{
    scene_positions(s->scene, frame, 0, s->xyz[0]);
    make_edit(s, frame);
    const willow_result result = carry_out(s);
    take_numbers(s);
    return result;
}

/* ---- a step ---- */

static willow_result move_bodies(fracture_side *s, const willow_pose *pose, uint32_t vertices)
{
    willow_result result = WILLOW_OK;
    if (!s->still)
        result = willow_body_set_vertices(s->world, s->bodies[0], 0, vertices, s->xyz[0], 0);
    if (result == WILLOW_OK && s->scene->body_count > 1)
        result = willow_body_set_pose(s->world, s->bodies[1], pose);
    return result;
}

int fracture_side_step(fracture_side *s, uint32_t frame, fracture_frame *out)
{
    willow_pose pose;
    scene_positions(s->scene, frame, 0, s->xyz[0]);
    if (s->scene->body_count > 1) scene_pose(s->scene, frame, 1, &pose);
    const uint32_t had = s->vertex_count;
    make_edit(s, frame);
    const double start = now_ms();
    willow_result result = carry_out(s);
    if (result == WILLOW_OK && s->wants_build) {
        result = willow_body_set_tree(s->world, s->bodies[0], &s->tree);
        s->wants_build = false;
    }
    const bool has_new = s->part != FRACTURE_UNEDITED && is_any(&s->edit);
    if (result == WILLOW_OK)
        result = move_bodies(s, &pose, had + (has_new ? s->edit.add_vertex_count : 0));
    if (result == WILLOW_OK) result = willow_world_update(s->world, frame, NULL);
    out->update_ms = now_ms() - start;
    out->removed = s->edit.remove_triangle_count + s->edit.replace_triangle_count;
    out->added = s->edit.add_triangle_count + s->edit.replace_triangle_count;
    if (s->part == FRACTURE_UNEDITED) return result == WILLOW_OK ? EXIT_FINE : fail_in_world(s);
    take_numbers(s);
    out->triangles = s->live_count;
    return result == WILLOW_OK ? EXIT_FINE : fail_in_world(s);
}

double fracture_tests(const willow_scratch *scratch)
{
    const willow_query_stats stats = willow_scratch_stats(scratch);
    return (double)stats.volume_tests + (double)stats.triangle_tests;
}

static willow_result find_pairs(const fracture_side *s, willow_pairs *out)
{
    willow_query_options options = willow_query_options_default();
    if (!s->is_within) return willow_find_pairs(s->world, s->scratch, &options, out);
    options.bodies = s->bodies;
    options.body_count = 1;
    options.skip_cracks = true;
    return willow_find_self_pairs(s->world, s->scratch, &options, out);
}

int fracture_side_ask(fracture_side *s, fracture_frame *out)
{
    willow_pairs pairs;
    willow_body_stats stats;
    const double before = fracture_tests(s->scratch), start = now_ms();
    if (find_pairs(s, &pairs) != WILLOW_OK)
        return complain("bench", "fracture: %s", willow_scratch_message(s->scratch));
    out->query_ms = now_ms() - start;
    out->tests = fracture_tests(s->scratch) - before;
    out->pairs = pairs.count;
    out->hash = willow_pairs_hash(&pairs);
    if (willow_body_get_stats(s->world, s->bodies[0], &stats) != WILLOW_OK) return fail_in_world(s);
    out->quality = stats.volume_quality;
    out->depth = stats.depth;
    out->is_built = stats.builds != s->builds;
    s->builds = stats.builds;
    return EXIT_FINE;
}
