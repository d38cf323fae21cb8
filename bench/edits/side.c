/* side.c - see side.h. What a simulation would have at hand is made before the clock starts. */
#include "bench/edits/side.h"
#include "bench/common/clock.h"
#include "bench/common/complain.h"

#include <stdlib.h>
#include <string.h>

static int fail_in_world(const edits_side *s)
{
    return complain("bench", "cutting: %s", willow_world_message(s->world));
}

/* ---- bodies ---- */

static uint32_t list_live(const edits_side *s)
{
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < s->cut.tri_count; slot++)
        if (s->cut.tris[slot][0] != UINT32_MAX)
            memcpy(s->live[count++], s->cut.tris[slot], sizeof *s->live);
    return count;
}

static willow_result create_slab(edits_side *s, uint32_t live_count)
{
    willow_body_def def = willow_body_def_default();
    def.mesh = (willow_mesh_def){.positions = s->positions,
                                 .vertex_count = s->cut.vertex_count,
                                 .indices = s->live,
                                 .triangle_count = live_count};
    def.tree = s->tree;
    return willow_body_create(s->world, &def, &s->slab);
}

static willow_result create_blade(edits_side *s)
{
    float positions[CUTTING_BLADE_VERTICES][3];
    uint32_t tris[CUTTING_BLADE_TRIS][3];
    willow_body_def def = willow_body_def_default();
    cutting_blade(&s->cut, positions, tris);
    def.mesh = (willow_mesh_def){.positions = positions,
                                 .vertex_count = CUTTING_BLADE_VERTICES,
                                 .indices = tris,
                                 .triangle_count = CUTTING_BLADE_TRIS};
    def.pose = cutting_blade_pose(&s->cut);
    def.tree = s->tree;
    return willow_body_create(s->world, &def, &s->blade);
}

static bool find_first(edits_side *s)
{
    willow_first_pair first;
    const bool is_fine = willow_find_first_pair(s->world, s->scratch, NULL, &first) == WILLOW_OK;
    s->found = s->found && is_fine && first.found;
    return is_fine;
}

static bool begin(edits_side *s)
{
    cutting_positions(&s->cut, s->positions);
    return create_slab(s, list_live(s)) == WILLOW_OK && create_blade(s) == WILLOW_OK &&
           willow_world_update(s->world, 0, NULL) == WILLOW_OK && find_first(s);
}

int edits_side_create(edits_side *s, edits_side_kind kind, const edits_def *def,
                      const engine_options *engine)
{
    const willow_world_def world = engine_world_def(engine);
    *s = (edits_side){.kind = kind, .tree = engine->tree, .found = true};
    if (!cutting_create(&s->cut, def->triangles, def->deforms))
        return complain("bench", "out of memory");
    s->first_vertices = s->cut.vertex_count;
    s->positions = calloc(s->cut.vertex_room, sizeof *s->positions);
    s->live = calloc(s->cut.tri_room, sizeof *s->live);
    if (s->positions == NULL || s->live == NULL ||
        willow_world_create(&world, &s->world) != WILLOW_OK ||
        willow_scratch_create(s->world, &s->scratch) != WILLOW_OK)
        return complain("bench", "out of memory");
    return begin(s) ? EXIT_FINE : fail_in_world(s);
}

void edits_side_destroy(edits_side *s)
{
    willow_scratch_destroy(s->scratch);
    willow_world_destroy(s->world);
    cutting_destroy(&s->cut);
    free(s->positions);
    free(s->live);
    *s = (edits_side){.found = false};
}

/* ---- a step ---- */

/* Numbers of their own, for those who do not edit. */
static void number_anew(cutting *c)
{
    for (uint32_t i = 0; i < c->add_vertex_count; i++) c->new_vertices[i] = c->vertex_count + i;
    for (uint32_t i = 0; i < c->add_tri_count; i++) c->new_tris[i] = c->tri_count + i;
    cutting_take_numbers(c);
}

/* What is handed over besides edits. */
static bool move(edits_side *s, uint32_t vertex_count)
{
    const willow_pose pose = cutting_blade_pose(&s->cut);
    if (s->cut.deforms &&
        willow_body_set_vertices(s->world, s->slab, 0, vertex_count, s->positions, 0) != WILLOW_OK)
        return false;
    return willow_body_set_pose(s->world, s->blade, &pose) == WILLOW_OK &&
           willow_world_update(s->world, s->cut.step, NULL) == WILLOW_OK && find_first(s);
}

/* New vertices come after all others, so the positions of the next step can be made before. */
static bool step_edited(edits_side *s)
{
    cutting *c = &s->cut;
    const uint32_t all = c->vertex_count + c->add_vertex_count;
    c->vertex_count = all;
    cutting_positions(c, s->positions);
    c->vertex_count -= c->add_vertex_count;
    const double start = now_ms();
    const bool is_fine =
        willow_body_edit(s->world, s->slab, &s->edit, c->new_tris, c->new_vertices) == WILLOW_OK &&
        move(s, all);
    s->ms += now_ms() - start;
    cutting_take_numbers(c);
    return is_fine;
}

static bool step_recreated(edits_side *s)
{
    number_anew(&s->cut);
    cutting_positions(&s->cut, s->positions);
    const uint32_t live_count = list_live(s);
    const willow_pose pose = cutting_blade_pose(&s->cut);
    const double start = now_ms();
    const bool is_fine = willow_body_destroy(s->world, s->slab) == WILLOW_OK &&
                         create_slab(s, live_count) == WILLOW_OK &&
                         willow_body_set_pose(s->world, s->blade, &pose) == WILLOW_OK &&
                         willow_world_update(s->world, s->cut.step, NULL) == WILLOW_OK &&
                         find_first(s);
    s->ms += now_ms() - start;
    return is_fine;
}

static bool step_plain(edits_side *s)
{
    number_anew(&s->cut);
    cutting_positions(&s->cut, s->positions);
    const double start = now_ms();
    const bool is_fine = move(s, s->first_vertices);
    s->ms += now_ms() - start;
    return is_fine;
}

int edits_side_step(edits_side *s, bool *goes_on)
{
    *goes_on = cutting_next(&s->cut, &s->edit);
    if (!*goes_on) return EXIT_FINE;
    s->removed += s->cut.removed_count;
    s->added += s->cut.add_tri_count;
    const bool is_fine = s->kind == EDITS_EDITED      ? step_edited(s)
                         : s->kind == EDITS_RECREATED ? step_recreated(s)
                                                      : step_plain(s);
    return is_fine ? EXIT_FINE : fail_in_world(s);
}

/* ---- after the last step ---- */

/* At one place of the blade. */
static int count_at(edits_side *s, double share, uint64_t *pairs)
{
    willow_pairs found;
    const willow_pose pose = cutting_blade_pose_at(&s->cut, share);
    if (willow_body_set_pose(s->world, s->blade, &pose) != WILLOW_OK ||
        willow_world_update(s->world, s->cut.step, NULL) != WILLOW_OK)
        return fail_in_world(s);
    if (willow_find_pairs(s->world, s->scratch, NULL, &found) != WILLOW_OK)
        return complain("bench", "cutting: %s", willow_scratch_message(s->scratch));
    *pairs += found.count;
    return EXIT_FINE;
}

int edits_side_count(edits_side *s, uint64_t *pairs, double *tests)
{
    enum { PLACES = 32 };
    const willow_query_stats before = willow_scratch_stats(s->scratch);
    int code = EXIT_FINE;
    *pairs = 0;
    for (int i = 1; i <= PLACES && code == EXIT_FINE; i++)
        code = count_at(s, (double)i / PLACES, pairs);
    const willow_query_stats after = willow_scratch_stats(s->scratch);
    *tests = (double)(after.volume_tests - before.volume_tests) +
             (double)(after.triangle_tests - before.triangle_tests);
    return code;
}

int edits_side_halve(edits_side *s, double *ms)
{
    willow_tri *half = calloc(s->cut.tri_count, sizeof *half);
    willow_edit edit = willow_edit_default();
    if (half == NULL) return complain("bench", "out of memory");
    for (uint32_t slot = 0; slot < s->cut.tri_count; slot++)
        if (s->cut.tris[slot][0] != UINT32_MAX && slot % 2 == 0)
            half[edit.remove_triangle_count++] = slot;
    edit.remove_triangles = half;
    const double start = now_ms();
    const bool is_fine = willow_body_edit(s->world, s->slab, &edit, NULL, NULL) == WILLOW_OK &&
                         willow_world_update(s->world, s->cut.step, NULL) == WILLOW_OK &&
                         find_first(s);
    *ms = now_ms() - start;
    free(half);
    return is_fine ? EXIT_FINE : fail_in_world(s);
}

/* Those on the left and those on the right of the middle. */
static void choose_halves(const cutting *c, uint32_t *labels)
{
    for (uint32_t slot = 0; slot < c->tri_count; slot++)
        labels[slot] = c->tris[slot][0] != UINT32_MAX && c->rest[c->tris[slot][0]][0] > 0.5F;
}

int edits_side_split(edits_side *s, double *split_ms, double *merge_ms)
{
    uint32_t *labels = calloc(s->cut.tri_count, sizeof *labels);
    willow_split split;
    willow_merge merge;
    if (labels == NULL) return complain("bench", "out of memory");
    choose_halves(&s->cut, labels);
    double start = now_ms();
    bool is_fine = willow_body_split(s->world, s->slab, labels, &split) == WILLOW_OK &&
                   willow_world_update(s->world, s->cut.step, NULL) == WILLOW_OK;
    *split_ms = now_ms() - start;
    free(labels);
    if (!is_fine || split.part_count != 2) return fail_in_world(s);
    const willow_body_id halves[2] = {split.parts[0].body, split.parts[1].body};
    start = now_ms();
    is_fine = willow_body_merge(s->world, halves, 2, &merge) == WILLOW_OK &&
              willow_world_update(s->world, s->cut.step, NULL) == WILLOW_OK && find_first(s);
    *merge_ms = now_ms() - start;
    s->slab = merge.body;
    return is_fine ? EXIT_FINE : fail_in_world(s);
}
