/* sequences.c - see sequences.h. All bodies are in one world, and meet a triangle that stands but
 * not each other. Every sequence starts from the same positions, at a later time. */
#include "matrix/sequences.h"

#include "matrix/settings.h"
#include "support/bend.h"
#include "support/contact_hash.h"
#include "support/fixture.h"
#include "support/test.h"

enum { MOST_METHODS = 24, VERTICES = 6, TRIANGLES = 4, RANGE = 2, FIRST = 3 };

typedef struct stage {
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id bodies[MOST_METHODS], wall;
    uint32_t body_count;
    bend now, end;
    double time;
    uint32_t changes;
    char words[200]; /* what was called since the start */
} stage;

static const float rest[VERTICES][3] = {{0, 0, 0},         {1, 0, 0.25F},   {0, 1, 0.5F},
                                        {1.25F, 1, -0.0F}, {2, 0.5F, 0.1F}, {0.3F, -1, 0.7F}};

/* Numbers that no rounding hides, another set for every call. */
static float number(const stage *s, uint32_t i)
{
    uint64_t state = 977 * (uint64_t)s->changes + i;
    return (float)test_random_between(&state, -1.0, 1.0);
}

static void fill(const stage *s, float (*out)[3], uint32_t count)
{
    for (uint32_t i = 0; i < 3 * count; i++) out[i / 3][i % 3] = number(s, i);
}

/* ---- the setters ---- */

static willow_result set_all(stage *s, willow_body_id body)
{
    float at[VERTICES][3];
    fill(s, at, VERTICES);
    at[0][0] = -0.0F;
    return willow_body_set_vertices(s->world, body, 0, VERTICES, at, 0);
}

static willow_result set_some(stage *s, willow_body_id body)
{
    float at[RANGE][3];
    fill(s, at, RANGE);
    at[1][1] = -0.0F;
    return willow_body_set_vertices(s->world, body, FIRST, RANGE, at, 0);
}

static willow_result set_velocities(stage *s, willow_body_id body)
{
    float v[VERTICES][3];
    fill(s, v, VERTICES);
    return willow_body_set_velocities(s->world, body, 0, VERTICES, v, 0);
}

static willow_result set_some_velocities(stage *s, willow_body_id body)
{
    float v[RANGE][3];
    fill(s, v, RANGE);
    return willow_body_set_velocities(s->world, body, FIRST, RANGE, v, 0);
}

static willow_result set_accelerations(stage *s, willow_body_id body)
{
    float a[RANGE][3];
    fill(s, a, RANGE);
    return willow_body_set_accelerations(s->world, body, FIRST - 1, RANGE, a, 0);
}

static willow_result set_vertex_plan(stage *s, willow_body_id body)
{
    const willow_vertex_plan plan = {{number(s, 0), number(s, 1), number(s, 2)},
                                     {number(s, 3), number(s, 4), number(s, 5)}};
    return willow_body_set_vertex_plan(s->world, body, FIRST, &plan);
}

/* Of which some are past, and some to come. */
static willow_result set_flightplan(stage *s, willow_body_id body)
{
    enum { KEYS = 3 };
    const double times[KEYS] = {s->time - 0.75, s->time + 0.25, s->time + 2.0};
    float keys[KEYS * VERTICES][3];
    willow_flightplan plan = willow_flightplan_default();
    fill(s, keys, KEYS * VERTICES);
    plan.positions = keys;
    plan.times = times;
    plan.keyframe_count = KEYS;
    return willow_body_set_flightplan(s->world, body, &plan);
}

static willow_result set_morph(stage *s, willow_body_id body, willow_morph_kind kind)
{
    static const float weights[2] = {0.3F, -0.7F};
    float values[2][VERTICES][3];
    willow_morph morph = willow_morph_default();
    fill(s, values[0], 2 * VERTICES);
    const willow_morph_target targets[2] = {{.values = values[0]}, {.values = values[1]}};
    morph.kind = kind;
    morph.targets = targets;
    morph.target_count = 2;
    morph.weights = weights;
    return willow_body_set_morph_targets(s->world, body, &morph);
}

static willow_result set_offsets(stage *s, willow_body_id body)
{
    return set_morph(s, body, WILLOW_MORPH_OFFSETS);
}

static willow_result set_absolute(stage *s, willow_body_id body)
{
    return set_morph(s, body, WILLOW_MORPH_ABSOLUTE);
}

static willow_result set_weights(stage *s, willow_body_id body)
{
    const float weights[2] = {number(s, 0), number(s, 1)};
    return willow_body_set_morph_weights(s->world, body, weights, 2);
}

static willow_result set_deformation(stage *s, willow_body_id body)
{
    const willow_deformation deformation = bend_deformation(&s->now);
    return willow_body_set_deformation(s->world, body, &deformation);
}

static willow_result end_deformation(stage *s, willow_body_id body)
{
    return willow_body_set_deformation(s->world, body, NULL);
}

/* Matrices that no rounding hides. */
static void fill_joints(const stage *s, willow_affine joints[2])
{
    for (uint32_t i = 0; i < 24; i++)
        joints[i / 12].row[i % 12 / 4][i % 4] =
            (double)number(s, i) + (i % 12 % 5 == 0 ? 1.0 : 0.0);
}

static willow_result set_skin(stage *s, willow_body_id body)
{
    static const uint32_t first[VERTICES + 1] = {0, 2, 3, 5, 8, 10, 11};
    static const uint32_t joints[] = {0, 1, 1, 1, 0, 0, 1, 0, 1, 0, 1};
    static const float weights[] = {1, 0.5F, 3, 0, 0.25F, 0.1F, 0.2F, 0.4F, 1, 1, 0.7F};
    willow_affine matrices[2], binds[2];
    willow_skin skin = willow_skin_default();
    fill_joints(s, matrices);
    for (int i = 0; i < 2; i++) binds[i] = matrices[1 - i];
    skin.joint_count = 2;
    skin.matrices = matrices;
    skin.inverse_bind = binds;
    skin.first = first;
    skin.joints = joints;
    skin.weights = weights;
    return willow_body_set_skin(s->world, body, &skin);
}

static willow_result end_skin(stage *s, willow_body_id body)
{
    return willow_body_set_skin(s->world, body, NULL);
}

static willow_result set_joints(stage *s, willow_body_id body)
{
    willow_affine matrices[2];
    fill_joints(s, matrices);
    return willow_body_set_joints(s->world, body, matrices, 2);
}

static willow_result set_pose(stage *s, willow_body_id body)
{
    const willow_pose pose = {{number(s, 0), number(s, 1), number(s, 2)},
                              {number(s, 3), number(s, 4), number(s, 5), 1}};
    return willow_body_set_pose(s->world, body, &pose);
}

static willow_result set_target(stage *s, willow_body_id body)
{
    float at[RANGE][3];
    fill(s, at, RANGE);
    return willow_body_set_target(s->world, body, FIRST, RANGE, at, 0);
}

static willow_result set_target_weights(stage *s, willow_body_id body)
{
    const float weights[2] = {number(s, 0), number(s, 1)};
    return willow_body_set_target_weights(s->world, body, weights, 2);
}

static willow_result set_target_joints(stage *s, willow_body_id body)
{
    willow_affine matrices[2];
    fill_joints(s, matrices);
    return willow_body_set_target_joints(s->world, body, matrices, 2);
}

static willow_result set_target_deformation(stage *s, willow_body_id body)
{
    return willow_body_set_target_deformation(s->world, body, &s->end);
}

static willow_result set_target_pose(stage *s, willow_body_id body)
{
    const willow_pose pose = {{number(s, 0), number(s, 1), number(s, 2)},
                              {number(s, 3), number(s, 4), number(s, 5), 1}};
    return willow_body_set_target_pose(s->world, body, &pose);
}

/* A triangle that gets other corners, by turns. */
static willow_result edit(stage *s, willow_body_id body)
{
    static const uint32_t corners[2][3] = {{5, 0, 2}, {0, 5, 1}};
    const willow_tri slot = TRIANGLES - 1;
    willow_edit change = willow_edit_default();
    change.replace_triangles = &slot;
    change.replace_indices = corners[s->changes % 2];
    change.replace_triangle_count = 1;
    return willow_body_edit(s->world, body, &change, NULL, NULL);
}

static const struct {
    const char *name;
    willow_result (*set)(stage *s, willow_body_id body);
} setters[] = {
    {"vertices", set_all},
    {"some vertices", set_some},
    {"velocities", set_velocities},
    {"some velocities", set_some_velocities},
    {"accelerations", set_accelerations},
    {"vertex plan", set_vertex_plan},
    {"flightplan", set_flightplan},
    {"offsets", set_offsets},
    {"absolute targets", set_absolute},
    {"weights", set_weights},
    {"deformation", set_deformation},
    {"no deformation", end_deformation},
    {"skin", set_skin},
    {"no skin", end_skin},
    {"joints", set_joints},
    {"pose", set_pose},
    {"target", set_target},
    {"target weights", set_target_weights},
    {"target joints", set_target_joints},
    {"target deformation", set_target_deformation},
    {"target pose", set_target_pose},
    {"edit", edit},
};

enum { SETTERS = sizeof setters / sizeof setters[0] };

/* ---- what is compared ---- */

static void compare_positions(const stage *s)
{
    willow_vec3 first[VERTICES], at[VERTICES];
    assert_ok(willow_body_copy_vertices(s->world, s->bodies[0], 0, VERTICES, first));
    for (uint32_t i = 1; i < s->body_count; i++) {
        assert_ok(willow_body_copy_vertices(s->world, s->bodies[i], 0, VERTICES, at));
        for (uint32_t k = 0; k < VERTICES; k++)
            if (memcmp(&at[k], &first[k], sizeof at[k]) != 0)
                fail_msg("%s: vertex %u is at (%g, %g, %g) with %s and (%g, %g, %g) with %s",
                         s->words, k, (double)first[k].x, (double)first[k].y, (double)first[k].z,
                         matrix_method_name(0), (double)at[k].x, (double)at[k].y, (double)at[k].z,
                         matrix_method_name(i));
    }
}

static uint64_t hash_of_body(const stage *s, uint32_t i, size_t *found)
{
    const willow_body_id both[2] = {s->bodies[i], s->wall};
    willow_query_options options = willow_query_options_default();
    willow_impacts impacts;
    willow_pairs pairs;
    options.bodies = both;
    options.body_count = 2;
    assert_ok(willow_find_pairs(s->world, s->scratch, &options, &pairs));
    uint64_t hash = pairs.count;
    for (size_t k = 0; k < pairs.count; k++)
        hash = 31 * hash + 7 * pairs.items[k].tri_a + pairs.items[k].tri_b;
    assert_ok(willow_find_impacts(s->world, s->scratch, &options, &impacts));
    *found += pairs.count + impacts.count;
    for (size_t k = 0; k < impacts.count; k++) {
        uint64_t bits;
        memcpy(&bits, &impacts.items[k].time, sizeof bits);
        hash = 31 * hash + bits + impacts.items[k].a.number[0] + 8 * impacts.items[k].b.number[1];
    }
    return hash;
}

static size_t compare_answers(const stage *s)
{
    size_t found = 0;
    const uint64_t first = hash_of_body(s, 0, &found);
    for (uint32_t i = 1; i < s->body_count; i++)
        if (hash_of_body(s, i, &found) != first)
            fail_msg("%s: other answers with %s", s->words, matrix_method_name(i));
    return found;
}

/* ---- sequences ---- */

static void say(stage *s, const char *word)
{
    const size_t length = strlen(s->words);
    (void)snprintf(s->words + length, sizeof s->words - length, "%s%s", length > 0 ? ", " : "",
                   word);
}

/* One that is refused is refused with every method. */
static void call(stage *s, uint32_t setter)
{
    s->changes++;
    say(s, setters[setter].name);
    const willow_result result = setters[setter].set(s, s->bodies[0]);
    for (uint32_t i = 1; i < s->body_count; i++)
        if (setters[setter].set(s, s->bodies[i]) != result)
            fail_msg("%s: another result with %s", s->words, matrix_method_name(i));
    assert_true(result == WILLOW_OK || result == WILLOW_BAD_ARGUMENT);
    compare_positions(s);
}

static void update(stage *s, double step)
{
    char reason[200] = "";
    s->time += step;
    say(s, "update");
    assert_ok(willow_world_update(s->world, s->time, NULL));
    if (!willow_world_validate(s->world, reason, sizeof reason))
        fail_msg("%s: %s", s->words, reason);
    compare_positions(s);
}

static void start(stage *s)
{
    const willow_pose still = willow_pose_identity();
    for (uint32_t i = 0; i < s->body_count; i++) {
        assert_ok(willow_body_set_vertices(s->world, s->bodies[i], 0, VERTICES, rest, 0));
        assert_ok(willow_body_set_pose(s->world, s->bodies[i], &still));
    }
    update(s, 0.25);
    s->words[0] = '\0';
}

static void add_bodies(stage *s)
{
    static const uint32_t tris[TRIANGLES][3] = {{0, 1, 2}, {1, 3, 2}, {1, 4, 3}, {0, 5, 1}};
    static const float wall[3][3] = {{-3, -3, 0.125F}, {3, -3, 0.25F}, {0, 4, 0}};
    willow_body_def def = willow_body_def_default();
    def.mesh = FIXTURE_MESH(rest, VERTICES, tris, TRIANGLES);
    def.tree.leaf_triangles = 1;
    def.mask_bits = 2;
    for (; matrix_method_name(s->body_count) != NULL; s->body_count++) {
        assert_true(s->body_count < MOST_METHODS);
        def.tree.method = (willow_method)s->body_count;
        s->bodies[s->body_count] = fixture_body(s->world, &def);
    }
    def.mesh = FIXTURE_MESH(wall, 3, tris, 1);
    def.tree.method = WILLOW_METHOD_BOTTOM_UP;
    def.category_bits = 2;
    def.mask_bits = 1;
    s->wall = fixture_body(s->world, &def);
}

/* Three without an update, and one with an update behind it before two. */
void matrix_sequences(void **state)
{
    (void)state;
    stage s = {.now = bend_straight(), .end = bend_straight(), .time = 1.0};
    size_t found = 0;
    s.now.shear = 0.25F;
    s.end.curve = 0.125F;
    s.world = fixture_world(NULL);
    s.scratch = fixture_scratch(s.world);
    add_bodies(&s);
    for (uint32_t i = 0; i < SETTERS * SETTERS * SETTERS; i++)
        for (uint32_t is_updated = 0; is_updated < 2; is_updated++) {
            start(&s);
            call(&s, i / SETTERS / SETTERS);
            if (is_updated) update(&s, 0.5);
            call(&s, i / SETTERS % SETTERS);
            call(&s, i % SETTERS);
            update(&s, i % 4 == 0 ? 0.0 : 0.5);
            if (i % 4 == is_updated) found += compare_answers(&s);
        }
    print_message("%u sequences, %zu pairs and impacts\n", 2 * SETTERS * SETTERS * SETTERS, found);
    assert_true(found > 0);
    fixture_close(s.world, s.scratch);
}
