/* What splits and merges promise: every triangle is in one part, every vertex goes on as it would
 * have with every kind of motion, and what is refused changes nothing. */
#include <math.h>
#include <stdlib.h>
#include "support/bend.h"
#include "support/fixture.h"
#include "support/test.h"
#include "support/test_allocator.h"

enum {
    SIDE = 6,
    VERTICES = SIDE * SIDE,
    TRIS = 2 * (SIDE - 1) * (SIDE - 1),
    JOINTS = 2,
    PARTS = 3
};

typedef struct sheet {
    float at[VERTICES][3], other[VERTICES][3];
    uint32_t tris[TRIS][3], labels[TRIS];
    uint16_t groups[TRIS];
} sheet;

/* Columns of it are in parts 5, 9 and 1000000, so that some vertices are in two. */
static sheet make_sheet(void)
{
    static const uint32_t names[PARTS] = {9, 5, 1000000};
    sheet s;
    uint64_t seed = 7;
    uint32_t count = 0;
    for (uint32_t v = 0; v < VERTICES; v++)
        for (int k = 0; k < 3; k++) {
            const float wave = (float)(test_random(&seed) % 1000) * 1e-3F;
            s.at[v][k] = (k == 0 ? (float)(v % SIDE) : k == 1 ? (float)(v / SIDE) : 0) + wave;
            s.other[v][k] = (float)(test_random(&seed) % 1000) * 2e-3F - 1;
        }
    for (uint32_t v = 0; v + SIDE < VERTICES; v++) {
        if (v % SIDE + 1 == SIDE) continue;
        const uint32_t both[2][3] = {{v, v + 1, v + SIDE}, {v + 1, v + SIDE + 1, v + SIDE}};
        for (int i = 0; i < 2; i++, count++) {
            memcpy(s.tris[count], both[i], sizeof both[i]);
            s.labels[count] = names[v % SIDE / 2];
            s.groups[count] = (uint16_t)(1 + count % 3);
        }
    }
    assert_int_equal(count, TRIS);
    return s;
}

/* ---- motions ---- */

static void move_plainly(willow_world *world, willow_body_id id, const sheet *s)
{
    assert_ok(willow_body_set_vertices(world, id, 3, 9, s->other[4], 0));
}

static void move_on_paths(willow_world *world, willow_body_id id, const sheet *s)
{
    assert_ok(willow_body_set_velocities(world, id, 0, VERTICES, s->other, 0));
}

/* The new paths start where the old ones are, in double. */
static void change_paths(willow_world *world, willow_body_id id, const sheet *s)
{
    assert_ok(willow_body_set_accelerations(world, id, 5, 11, s->other[5], 0));
    assert_ok(willow_body_set_velocities(world, id, 14, 3, s->at[2], 0));
}

static void move_on_keyframes(willow_world *world, willow_body_id id, const sheet *s)
{
    static const double times[2] = {0, 3};
    float keys[2][VERTICES][3];
    willow_flightplan plan = willow_flightplan_default();
    memcpy(keys[0], s->at, sizeof s->at);
    memcpy(keys[1], s->other, sizeof s->other);
    plan.keyframe_count = 2;
    plan.times = times;
    plan.positions = keys;
    assert_ok(willow_body_set_flightplan(world, id, &plan));
}

static void leave_keyframes(willow_world *world, willow_body_id id, const sheet *s)
{
    assert_ok(willow_body_set_velocities(world, id, 1, 4, s->other, 0));
}

static void morph(willow_world *world, willow_body_id id, const sheet *s, willow_morph_kind kind)
{
    static const uint32_t few[3] = {2, 20, 30};
    static const float weights[2] = {0.375F, -1.5F};
    const bool is_absolute = kind == WILLOW_MORPH_ABSOLUTE;
    const willow_morph_target targets[2] = {{.values = s->other},
                                            {.values = s->at,
                                             .vertices = is_absolute ? NULL : few,
                                             .vertex_count = is_absolute ? 0 : 3}};
    willow_morph def = willow_morph_default();
    def.kind = kind;
    def.targets = targets;
    def.target_count = 2;
    def.weights = weights;
    assert_ok(willow_body_set_morph_targets(world, id, &def));
}

static void morph_by_offsets(willow_world *world, willow_body_id id, const sheet *s)
{
    morph(world, id, s, WILLOW_MORPH_OFFSETS);
}

static void morph_to_targets(willow_world *world, willow_body_id id, const sheet *s)
{
    morph(world, id, s, WILLOW_MORPH_ABSOLUTE);
}

static const willow_affine poses[2][JOINTS] = {
    {{{{1, 0, 0.125, 0}, {0, 1, 0, 0.3}, {0, 0.5, 1, 0}}},
     {{{0.75, 0, 0, 2}, {0, 1, 0.25, 0}, {0.1, 0, 1, 4}}}},
    {{{{1, 0, 0, 1}, {0.3, 1, 0, 0}, {0, 0, 1, 0}}},
     {{{1, 0.2, 0, 0}, {0, 1, 0, 5}, {0, 0, 1, 1}}}}};

static void follow_joints(willow_world *world, willow_body_id id, const sheet *s)
{
    uint32_t joints[VERTICES][JOINTS];
    float weights[VERTICES][JOINTS];
    willow_skin skin = willow_skin_default();
    (void)s;
    for (uint32_t v = 0; v < VERTICES; v++)
        for (uint32_t k = 0; k < JOINTS; k++) {
            joints[v][k] = k;
            weights[v][k] = (float)((v + 2 * k) % 3);
            if (v % 3 == 1 && k == 0) weights[v][k] = 0.5F;
        }
    skin.joint_count = skin.weights_per_vertex = JOINTS;
    skin.matrices = poses[0];
    skin.joints = joints[0];
    skin.weights = weights[0];
    assert_ok(willow_body_set_skin(world, id, &skin));
}

static void morph_and_follow_joints(willow_world *world, willow_body_id id, const sheet *s)
{
    morph_by_offsets(world, id, s);
    follow_joints(world, id, s);
}

static bend shared_bend;

static void deform(willow_world *world, willow_body_id id, const sheet *s)
{
    (void)s;
    shared_bend = bend_straight();
    shared_bend.shear = 0.25F;
    const willow_deformation deformation = bend_deformation(&shared_bend);
    assert_ok(willow_body_set_deformation(world, id, &deformation));
}

/* What goes on after the split. */
static void go_on(willow_world *world, willow_body_id id)
{
    static const float weights[2] = {-0.75F, 0.625F};
    willow_body_info info;
    assert_ok(willow_body_get_info(world, id, &info));
    if (info.has_morph) assert_ok(willow_body_set_morph_weights(world, id, weights, 2));
    if (info.has_skin) assert_ok(willow_body_set_joints(world, id, poses[1], JOINTS));
    if (info.has_deformation) assert_ok(willow_body_touch_deformation(world, id));
}

static const struct {
    const char *name;
    void (*begin)(willow_world *world, willow_body_id id, const sheet *s);
    void (*change)(willow_world *world, willow_body_id id, const sheet *s); /* after an update */
    bool borrows;
} motions[] = {
    {"stored", move_plainly, NULL, false},
    {"borrowed", NULL, NULL, true},
    {"paths", move_on_paths, change_paths, false},
    {"keyframes", move_on_keyframes, NULL, false},
    {"keyframes and paths", move_on_keyframes, leave_keyframes, false},
    {"offsets", morph_by_offsets, NULL, false},
    {"targets", morph_to_targets, NULL, false},
    {"skin", follow_joints, NULL, false},
    {"skin on a morph", morph_and_follow_joints, NULL, false},
    {"deformation", deform, NULL, false},
};

enum { MOTIONS = sizeof motions / sizeof motions[0] };

static willow_body_def sheet_def(const sheet *s, bool borrows)
{
    static const uint64_t masks[4] = {0, 10, 12, 14};
    willow_body_def def = willow_body_def_default();
    def.mesh = FIXTURE_MESH(s->at, VERTICES, s->tris, TRIS);
    def.mesh.triangle_groups = s->groups;
    def.mesh.group_masks = masks;
    def.mesh.group_count = 4;
    def.mesh.borrow = borrows;
    def.pose = (willow_pose){{1, 2, 3}, {0.5F, 0, 0.25F, 1}};
    def.keep_rest = !borrows;
    def.self = true;
    def.category_bits = 6;
    def.mask_bits = 9;
    def.thickness = 0.25F;
    def.user_data = 77;
    def.tree.leaf_triangles = 2;
    return def;
}

/* ---- where vertices are ---- */

static void copy_all(willow_world *world, willow_body_id id, willow_vec3 *out)
{
    willow_body_info info;
    assert_ok(willow_body_get_info(world, id, &info));
    assert_ok(willow_body_copy_vertices(world, id, 0, info.vertex_count, out));
}

/* Parts and whole, a twin of the body that was split, have equal bits. */
static void assert_parts_are_where(willow_world *world, const willow_split *split,
                                   willow_body_id twin, const char *name)
{
    willow_vec3 all[2 * VERTICES], at[VERTICES];
    copy_all(world, twin, all);
    for (uint32_t p = 0; p < split->part_count; p++) {
        const willow_split_part *part = &split->parts[p];
        copy_all(world, part->body, at);
        for (uint32_t v = 0; v < part->vertex_count; v++)
            if (memcmp(&at[v], &all[part->old_vertices[v]], sizeof at[v]) != 0)
                fail_msg("%s: vertex %u of part %u is elsewhere", name, v, p);
    }
}

static void assert_like(willow_world *world, willow_body_id id, willow_body_id like)
{
    willow_body_info a, b;
    assert_ok(willow_body_get_info(world, id, &a));
    assert_ok(willow_body_get_info(world, like, &b));
    assert_true(a.user_data == b.user_data && a.category_bits == b.category_bits &&
                a.mask_bits == b.mask_bits && a.group_count == b.group_count &&
                a.thickness == b.thickness && a.self == b.self && a.has_plan == b.has_plan &&
                a.has_morph == b.has_morph && a.has_skin == b.has_skin &&
                a.has_deformation == b.has_deformation && a.tree.method == b.tree.method);
    assert_memory_equal(&a.pose, &b.pose, sizeof a.pose);
    assert_true(!a.has_target && !a.borrows);
}

static void assert_merged_is_where(willow_world *world, const willow_merge *merge,
                                   const willow_split *split, willow_body_id twin, const char *name)
{
    willow_vec3 all[VERTICES], at[2 * VERTICES];
    copy_all(world, twin, all);
    copy_all(world, merge->body, at);
    for (uint32_t p = 0; p < merge->body_count; p++)
        for (uint32_t v = 0; v < merge->bodies[p].vertex_count; v++)
            if (memcmp(&at[merge->bodies[p].new_vertices[v]], &all[split->parts[p].old_vertices[v]],
                       sizeof *at) != 0)
                fail_msg("%s: a merged vertex is elsewhere", name);
}

static void play_motion(uint32_t motion, willow_method method)
{
    static uint32_t old_vertices[PARTS][VERTICES];
    sheet s = make_sheet();
    const char *name = motions[motion].name;
    willow_world *world = fixture_world(NULL);
    willow_body_def def = sheet_def(&s, motions[motion].borrows);
    willow_split split;
    willow_merge merge;
    def.tree.method = method;
    const willow_body_id whole = fixture_body(world, &def), twin = fixture_body(world, &def);
    assert_ok(willow_world_update(world, 0, NULL));
    for (int i = 0; i < 2 && motions[motion].begin; i++)
        motions[motion].begin(world, i == 0 ? whole : twin, &s);
    assert_ok(willow_world_update(world, 0.3, NULL));
    for (int i = 0; i < 2 && motions[motion].change; i++)
        motions[motion].change(world, i == 0 ? whole : twin, &s);
    assert_ok(willow_body_set_target_pose(world, whole, &def.pose)); /* trial steps end */
    assert_ok(willow_body_split(world, whole, s.labels, &split));
    assert_int_equal(split.part_count, PARTS);
    assert_parts_are_where(world, &split, twin, name);
    assert_ok(willow_world_update(world, 0.75, NULL));
    for (uint32_t p = 0; p < PARTS; p++) {
        go_on(world, split.parts[p].body);
        if (!motions[motion].borrows) assert_like(world, split.parts[p].body, twin);
    }
    go_on(world, twin);
    assert_ok(willow_world_update(world, 1.5, NULL));
    assert_parts_are_where(world, &split, twin, name);

    willow_split_part parts[PARTS];
    willow_body_id ids[PARTS];
    memcpy(parts, split.parts, sizeof parts);
    for (uint32_t p = 0; p < PARTS; p++) {
        ids[p] = parts[p].body;
        memcpy(old_vertices[p], parts[p].old_vertices, parts[p].vertex_count * sizeof(uint32_t));
        parts[p].old_vertices = old_vertices[p];
    }
    split.parts = parts;
    assert_ok(willow_body_merge(world, ids, PARTS, &merge));
    assert_merged_is_where(world, &merge, &split, twin, name);
    assert_ok(willow_world_update(world, 2.25, NULL));
    assert_merged_is_where(world, &merge, &split, twin, name);
    fixture_close(world, NULL);
}

static void parts_go_on_as_the_whole_would_have(void **state)
{
    (void)state;
    for (uint32_t motion = 0; motion < MOTIONS; motion++)
        for (uint32_t method = 0; method < WILLOW_METHOD_COUNT; method++)
            play_motion(motion, (willow_method)method);
}

/* ---- maps ---- */

static void split_keeps_every_triangle_exactly_once(void **state)
{
    const sheet s = make_sheet();
    static const willow_tri gone[2] = {4, 17};
    willow_edit edit = willow_edit_default();
    willow_split split;
    uint32_t seen[TRIS] = {0}, copies = 0;
    (void)state;
    willow_world *world = fixture_world(NULL);
    const willow_body_def def = sheet_def(&s, false);
    const willow_body_id whole = fixture_body(world, &def);
    edit.remove_triangles = gone;
    edit.remove_triangle_count = 2;
    assert_ok(willow_body_edit(world, whole, &edit, NULL, NULL));
    assert_ok(willow_body_split(world, whole, s.labels, &split));
    assert_true(!willow_body_is_alive(world, whole) && split.triangle_count == TRIS);
    assert_true(split.parts[0].label == 5 && split.parts[1].label == 9 &&
                split.parts[2].label == 1000000);
    for (uint32_t p = 0; p < split.part_count; p++) {
        const willow_split_part *part = &split.parts[p];
        assert_true(p == 0 || part[-1].body.index1 < part->body.index1);
        for (uint32_t t = 0; t < part->triangle_count; t++) {
            const uint32_t old = part->old_triangles[t];
            assert_true(s.labels[old] == part->label && seen[old]++ == 0);
            assert_true(split.triangles[old].part == p && split.triangles[old].triangle == t);
            assert_true(t == 0 || part->old_triangles[t - 1] < old);
            willow_vec3 corners[3], at;
            assert_ok(willow_body_copy_triangles(world, part->body, &t, 1, corners));
            for (int k = 0; k < 3; k++) { /* by way of the map of vertices */
                size_t i = split.first_copy[s.tris[old][k]];
                while (split.vertices[i].part != p) i++;
                assert_true(i < split.first_copy[s.tris[old][k] + 1]);
                assert_ok(
                    willow_body_copy_vertices(world, part->body, split.vertices[i].vertex, 1, &at));
                assert_memory_equal(&at, &corners[k], sizeof at);
            }
        }
        for (uint32_t v = 1; v < part->vertex_count; v++)
            assert_true(part->old_vertices[v - 1] < part->old_vertices[v]);
        copies += part->vertex_count;
    }
    for (uint32_t t = 0; t < TRIS; t++) {
        const bool is_gone = t == gone[0] || t == gone[1];
        assert_int_equal(seen[t], is_gone ? 0 : 1);
        if (is_gone) assert_int_equal(split.triangles[t].part, WILLOW_NO_PART);
    }
    assert_int_equal(split.first_copy[VERTICES], copies);
    assert_true(copies > VERTICES);
    assert_ok(willow_world_update(world, 0, NULL));
    fixture_close(world, NULL);
}

static void merged_vertices_go_along_and_loose_ones_stay_behind(void **state)
{
    static const float at[8][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {9, 9, 9},
                                   {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {5, 5, 5}};
    static const uint32_t tris[3][3] = {{0, 1, 2}, {4, 6, 5}, {7, 7, 7}};
    willow_split split;
    willow_merge merge;
    (void)state;
    willow_world *world = fixture_world(NULL);
    willow_body_def def = willow_body_def_default();
    def.mesh = FIXTURE_MESH(at, 8, tris, 3);
    def.mesh.weld_exact = true;
    assert_ok(willow_body_split(world, fixture_body(world, &def), NULL, &split));
    assert_int_equal(split.part_count, 2);
    assert_true(split.parts[0].vertex_count == 6 && split.parts[0].triangle_count == 2);
    assert_true(split.parts[1].vertex_count == 1 && split.parts[1].old_vertices[0] == 7);
    assert_true(split.first_copy[3] == split.first_copy[4]); /* nobody names it */
    assert_int_equal(split.parts[0].old_vertices[3], 4);
    const willow_body_id ids[2] = {split.parts[1].body, split.parts[0].body};
    assert_ok(willow_body_merge(world, ids, 2, &merge));
    assert_true(merge.bodies[0].vertex_count == 1 && merge.bodies[1].vertex_count == 6);
    assert_true(merge.bodies[0].new_vertices[0] == 0 && merge.bodies[1].new_vertices[5] == 6);
    assert_true(merge.bodies[1].new_triangles[1] == 2);
    assert_ok(willow_world_update(world, 0, NULL));
    fixture_close(world, NULL);
}

/* ---- answers ---- */

static int order_of_keys(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Pairs within the whole of triangles of one part are those within its parts. */
static void pairs_within_parts_are_those_within_the_whole(void **state)
{
    static uint64_t before[4096], after[4096];
    sheet s = make_sheet();
    willow_split split;
    willow_pairs pairs;
    size_t count = 0, parts_count = 0;
    (void)state;
    for (uint32_t v = 0; v < VERTICES; v++)
        for (int k = 0; k < 3; k++) s.at[v][k] += 1.5F * s.other[v][k]; /* crumpled */
    willow_world *world = fixture_world(NULL);
    willow_scratch *scratch = fixture_scratch(world);
    willow_body_def def = sheet_def(&s, false);
    def.mesh.group_masks = NULL;
    def.mesh.group_count = 0;
    const willow_body_id whole = fixture_body(world, &def);
    assert_ok(willow_world_update(world, 0, NULL));
    assert_ok(willow_find_self_pairs(world, scratch, NULL, &pairs));
    for (size_t i = 0; i < pairs.count; i++)
        if (s.labels[pairs.items[i].tri_a] == s.labels[pairs.items[i].tri_b])
            before[count++] = (uint64_t)pairs.items[i].tri_a << 32 | pairs.items[i].tri_b;
    assert_ok(willow_body_split(world, whole, s.labels, &split));
    assert_ok(willow_world_update(world, 0, NULL));
    assert_ok(willow_find_self_pairs(world, scratch, NULL, &pairs));
    for (size_t run = 0; run < pairs.run_count; run++) {
        uint32_t p = 0;
        while (!willow_body_id_equal(split.parts[p].body, pairs.runs[run].body_a)) p++;
        for (size_t i = 0; i < pairs.runs[run].count; i++) {
            const willow_tri_pair pair = pairs.items[pairs.runs[run].first + i];
            after[parts_count++] = (uint64_t)split.parts[p].old_triangles[pair.tri_a] << 32 |
                                   split.parts[p].old_triangles[pair.tri_b];
        }
    }
    qsort(after, parts_count, sizeof *after, order_of_keys);
    assert_true(count > 20 && count < 4096);
    assert_int_equal(count, parts_count);
    assert_memory_equal(before, after, count * sizeof *after);
    fixture_close(world, scratch);
}

static void two_sides_of_a_crack_are_known_after_a_split(void **state)
{
    static const float at[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    static const uint32_t tris[2][3] = {{0, 1, 2}, {1, 3, 2}}, labels[2] = {0, 1},
                          crack[2] = {8, 8};
    static const willow_tri both[2] = {0, 1};
    willow_edit edit = willow_edit_default();
    willow_query_options options = willow_query_options_default();
    willow_split split;
    willow_pairs pairs;
    (void)state;
    willow_world *world = fixture_world(NULL);
    willow_scratch *scratch = fixture_scratch(world);
    willow_body_def def = willow_body_def_default();
    def.mesh = FIXTURE_MESH(at, 4, tris, 2);
    const willow_body_id whole = fixture_body(world, &def);
    edit.label_triangles = both;
    edit.labels = crack;
    edit.label_count = 2;
    assert_ok(willow_body_edit(world, whole, &edit, NULL, NULL));
    assert_ok(willow_body_split(world, whole, labels, &split));
    assert_ok(willow_world_update(world, 0, NULL));
    assert_ok(willow_find_pairs(world, scratch, &options, &pairs));
    assert_int_equal(pairs.count, 1);
    options.skip_cracks = true;
    assert_ok(willow_find_pairs(world, scratch, &options, &pairs));
    assert_int_equal(pairs.count, 0);
    fixture_close(world, scratch);
}

static void watches_on_a_body_that_was_split_answer_bad_handle(void **state)
{
    const sheet s = make_sheet();
    willow_watch *watch;
    willow_pairs pairs;
    willow_split split;
    (void)state;
    willow_world *world = fixture_world(NULL);
    willow_scratch *scratch = fixture_scratch(world);
    const willow_body_def def = sheet_def(&s, false);
    const willow_body_id whole = fixture_body(world, &def), other = fixture_body(world, &def);

    assert_ok(willow_watch_create(world, NULL, whole, other, &watch));
    assert_ok(willow_world_update(world, 0, NULL));
    assert_ok(willow_watch_find_pairs(watch, scratch, NULL, &pairs));
    assert_ok(willow_body_split(world, whole, s.labels, &split));
    assert_ok(willow_world_update(world, 0, NULL));
    assert_int_equal(willow_watch_find_pairs(watch, scratch, NULL, &pairs), WILLOW_BAD_HANDLE);
    willow_watch_destroy(watch);
    fixture_close(world, scratch);
}

/* ---- refusals ---- */

static void assert_refused(willow_world *world, willow_result result, willow_result wanted,
                           const char *words, uint64_t hash)
{
    assert_int_equal(result, wanted);
    if (strstr(willow_world_message(world), words) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", willow_world_message(world), words);
    assert_true(willow_world_hash(world) == hash);
}

static void bad_splits_are_refused_with_words_and_change_nothing(void **state)
{
    sheet s = make_sheet();
    willow_split split;
    (void)state;
    willow_world *world = fixture_world(NULL);
    willow_body_def def = sheet_def(&s, true);
    const willow_body_id whole = fixture_body(world, &def);
    def.mesh = (willow_mesh_def){0};
    const willow_body_id empty = fixture_body(world, &def);
    assert_ok(willow_world_update(world, 0, NULL));
    const uint64_t hash = willow_world_hash(world);
    assert_int_equal(willow_body_split(world, (willow_body_id){0}, NULL, &split),
                     WILLOW_BAD_HANDLE);
    assert_refused(world, willow_body_split(world, whole, NULL, NULL), WILLOW_BAD_ARGUMENT,
                   "no place for the parts", hash);
    assert_refused(world, willow_body_split(world, empty, NULL, &split), WILLOW_BAD_ARGUMENT,
                   "no triangles", hash);
    assert_true(split.part_count == 0 && split.parts == NULL);
    s.labels[11] = WILLOW_NO_PART;
    assert_refused(world, willow_body_split(world, whole, s.labels, &split), WILLOW_BAD_ARGUMENT,
                   "triangle 11 has no label", hash);
    s.labels[11] = 5;
    assert_ok(willow_body_begin_vertices(world, whole));
    const float kept = s.at[7][1];
    s.at[7][1] = NAN;
    assert_int_equal(willow_body_split(world, whole, s.labels, &split), WILLOW_BAD_MESH);
    assert_non_null(strstr(willow_world_message(world), "vertex 7"));
    s.at[7][1] = kept;
    assert_ok(willow_body_split(world, whole, s.labels, &split));
    assert_ok(willow_world_update(world, 0, NULL));
    fixture_close(world, NULL);
}

static willow_body_id body_with(willow_world *world, const sheet *s, uint32_t motion)
{
    willow_body_def def = sheet_def(s, motions[motion].borrows);
    const willow_body_id id = fixture_body(world, &def);
    if (motions[motion].begin) motions[motion].begin(world, id, s);
    return id;
}

static void bodies_that_do_not_go_together_are_refused_with_words(void **state)
{
    const sheet s = make_sheet();
    (void)state;
    willow_merge merge;
    willow_world *world = fixture_world(NULL);
    const willow_body_id plan = body_with(world, &s, 3), morphed = body_with(world, &s, 5),
                         skinned = body_with(world, &s, 7), deformed = body_with(world, &s, 9);
    willow_body_def def = sheet_def(&s, false);
    const willow_body_id plain = fixture_body(world, &def);
    def.mesh.group_masks = NULL;
    def.mesh.group_count = 0;
    const willow_body_id unmasked = fixture_body(world, &def);
    def.keep_rest = false;
    const willow_body_id restless = fixture_body(world, &def);
    def.pose.translation.x = 9;
    const willow_body_id far = fixture_body(world, &def);
    const willow_body_id later = body_with(world, &s, 3), heavier = body_with(world, &s, 5),
                         bent = body_with(world, &s, 7), other = body_with(world, &s, 9);
    static const double times[2] = {0, 4};
    static const float weights[2] = {1, 1};
    willow_flightplan keys = willow_flightplan_default();
    static float twice[2 * VERTICES][3];
    keys.keyframe_count = 2;
    keys.times = times;
    keys.positions = twice;
    bend curve = bend_straight();
    const willow_deformation deformation = bend_deformation(&curve);
    assert_ok(willow_body_set_flightplan(world, later, &keys));
    assert_ok(willow_body_set_morph_weights(world, heavier, weights, 2));
    assert_ok(willow_body_set_joints(world, bent, poses[1], JOINTS));
    assert_ok(willow_body_set_deformation(world, other, &deformation));
    assert_ok(willow_world_update(world, 1, NULL));
    const uint64_t hash = willow_world_hash(world);
    const struct {
        willow_body_id a, b;
        const char *words;
    } rows[] = {
        {plain, plain, "is named twice"},
        {plain, far, "has another pose than body"},
        {plain, restless, "keeps no rest shape: it cannot become one with body"},
        {plain, unmasked, "has other group masks"},
        {plain, plan, "has another kind of motion"},
        {plan, later, "has keyframes at other times"},
        {morphed, heavier, "has other weights"},
        {skinned, bent, "has other joints"},
        {deformed, other, "has a deformation with another context"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const willow_body_id both[2] = {rows[i].a, rows[i].b};
        assert_refused(world, willow_body_merge(world, both, 2, &merge), WILLOW_BAD_ARGUMENT,
                       rows[i].words, hash);
    }
    assert_refused(world, willow_body_merge(world, &plain, 0, &merge), WILLOW_BAD_ARGUMENT,
                   "no bodies", hash);
    assert_refused(world, willow_body_merge(world, &plain, 1, NULL), WILLOW_BAD_ARGUMENT,
                   "no place", hash);
    const willow_body_id dead[2] = {plain, {0}};
    assert_int_equal(willow_body_merge(world, dead, 2, &merge), WILLOW_BAD_HANDLE);
    fixture_close(world, NULL);
}

/* ---- memory ---- */

/* The n-th allocation of a split, or of the merge after it, fails; everything before works. Returns
 * false if there was no n-th. */
static bool fail_at(uint32_t motion, size_t n, bool in_merge, bool is_avl, const sheet *s)
{
    test_allocator allocator = {0};
    willow_world_def def = willow_world_def_default();
    willow_split split;
    willow_merge merge;
    willow_body_id ids[PARTS];
    bool has_failed = false;
    def.allocator = test_allocator_functions(&allocator);
    willow_world *world = fixture_world(&def);
    const willow_body_id whole = body_with(world, s, motion);
    if (is_avl) {
        willow_tree_def tree = willow_tree_def_default();
        tree.method = WILLOW_METHOD_BALANCED;
        tree.arity = 2;
        tree.leaf_triangles = 1;
        assert_ok(willow_body_set_tree(world, whole, &tree));
        assert_ok(willow_world_update(world, 0, NULL));
    }
    for (int i = 0; i < 2; i++) {
        const bool is_merge = i == 1;
        const uint64_t hash = willow_world_hash(world);
        if (is_merge == in_merge) allocator.fail_at = atomic_load(&allocator.calls) + n;
        willow_result result = is_merge ? willow_body_merge(world, ids, PARTS, &merge)
                                        : willow_body_split(world, whole, s->labels, &split);
        has_failed = has_failed || result != WILLOW_OK;
        allocator.fail_at = 0;
        if (result != WILLOW_OK) {
            assert_true(is_merge == in_merge && result == WILLOW_OUT_OF_MEMORY);
            assert_non_null(strstr(willow_world_message(world), "no memory for "));
            assert_true(willow_world_hash(world) == hash &&
                        willow_body_is_alive(world, whole) != is_merge);
            result = is_merge ? willow_body_merge(world, ids, PARTS, &merge)
                              : willow_body_split(world, whole, s->labels, &split);
        }
        assert_ok(result);
        for (uint32_t p = 0; p < PARTS && !is_merge; p++) ids[p] = split.parts[p].body;
    }
    assert_ok(willow_world_update(world, 1, NULL));
    fixture_close(world, NULL);
    assert_true(test_allocator_is_clean(&allocator));
    return has_failed;
}

static void any_allocation_of_splits_and_merges_may_fail(void **state)
{
    const sheet s = make_sheet();
    size_t failures = 0;
    (void)state;
    for (uint32_t motion = 0; motion < MOTIONS; motion++)
        for (int in_merge = 0; in_merge < 2; in_merge++)
            for (size_t n = 1; fail_at(motion, n, in_merge == 1, false, &s); n++) failures++;
    for (int in_merge = 0; in_merge < 2; in_merge++)
        for (size_t n = 1; fail_at(0, n, in_merge == 1, true, &s); n++) failures++;
    print_message("%zu failures\n", failures);
    assert_true(failures > 200);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(split_keeps_every_triangle_exactly_once),
    cmocka_unit_test(parts_go_on_as_the_whole_would_have),
    cmocka_unit_test(merged_vertices_go_along_and_loose_ones_stay_behind),
    cmocka_unit_test(pairs_within_parts_are_those_within_the_whole),
    cmocka_unit_test(two_sides_of_a_crack_are_known_after_a_split),
    cmocka_unit_test(watches_on_a_body_that_was_split_answer_bad_handle),
    cmocka_unit_test(bad_splits_are_refused_with_words_and_change_nothing),
    cmocka_unit_test(bodies_that_do_not_go_together_are_refused_with_words),
    cmocka_unit_test(any_allocation_of_splits_and_merges_may_fail),
};

TEST_GROUP(split, tests);
