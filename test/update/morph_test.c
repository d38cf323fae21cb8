/* Morphing meshes of every kind with every method, against BRUTE and against an evaluation of its
 * own: where vertices are, bit for bit, and what meets. */
#include "geom/pose.h"
#include "mesh/motion/plan.h"
#include "support/chorus.h"
#include "support/morph_model.h"
#include "support/test.h"
#include "support/zoo_pose.h"
#include "support/zoo_world.h"

typedef struct play {
    chorus c;
    zoo_mesh meshes[2];
    morph_model models[2];
    willow_pose poses[2];
    uint64_t random;
    size_t pairs;
} play;

/* Of the first vertex at the same place if the mesh is welded. */
static uint32_t stand_in(const zoo_mesh *mesh, const morph_model *m, uint32_t vertex)
{
    for (uint32_t i = 0; i < vertex && mesh->weld; i++)
        if (m->base[i][0] == m->base[vertex][0] && m->base[i][1] == m->base[vertex][1] &&
            m->base[i][2] == m->base[vertex][2])
            return i;
    return vertex;
}

static void check_positions(play *p, uint32_t body)
{
    const morph_model *m = &p->models[body];
    const wi_pose pose = wi_pose_from(&p->poses[body]);
    const chorus_voice *voice = &p->c.voices[0];
    for (uint32_t vertex = 0; vertex < m->mesh->vertex_count; vertex++) {
        double x[3];
        float expected[4];
        willow_vec3 at;
        morph_model_at(m, stand_in(m->mesh, m, vertex), x);
        if (wi_pose_is_identity(&pose))
            for (int axis = 0; axis < 3; axis++) expected[axis] = wi_plan_round(x[axis]);
        else
            wi_pose_apply64(&pose, x, expected);
        willow_body_copy_vertices(voice->world, voice->bodies[body], vertex, 1, &at);
        assert_memory_equal(&at, expected, sizeof at);
    }
}

static void open_play(play *p, const char *name, zoo_kind kind, willow_morph_kind morph,
                      uint32_t targets, uint64_t seed)
{
    memset(p, 0, sizeof *p);
    p->random = seed;
    chorus_open(&p->c, name, seed);
    chorus_add_brute(&p->c);
    chorus_add_methods(&p->c);
    zoo_mesh_create(&p->meshes[0], kind, 120, seed);
    zoo_mesh_create(&p->meshes[1], ZOO_KIND_SPHERE, 60, seed + 1);
    for (uint32_t i = 0; i < 2; i++) {
        p->poses[i] = willow_pose_identity();
        const willow_mesh_def def = zoo_mesh_def(&p->meshes[i]);
        chorus_add_body(&p->c, &def, i == 0);
        morph_model_create(&p->models[i], &p->meshes[i], i == 0 ? morph : WILLOW_MORPH_OFFSETS,
                           i == 0 ? targets : 3, seed + 2 + i);
        const willow_morph def_of = morph_model_def(&p->models[i]);
        chorus_set_morph(&p->c, i, &def_of);
    }
}

static void close_play(play *p)
{
    chorus_close(&p->c);
    for (uint32_t i = 0; i < 2; i++) {
        morph_model_destroy(&p->models[i]);
        zoo_mesh_destroy(&p->meshes[i]);
    }
}

static void step(play *p, morph_weights kind, bool turns)
{
    for (uint32_t i = 0; i < 2; i++) {
        morph_model *m = &p->models[i];
        morph_model_choose(m, i == 0 ? kind : MORPH_WEIGHTS_NEGATIVE, &p->random);
        chorus_set_weights(&p->c, i, m->weights, m->target_count);
        if (!turns) continue;
        p->poses[i].translation.x = (float)test_random_between(&p->random, -0.25, 0.25);
        p->poses[i].rotation.y = (float)test_random_between(&p->random, -1.0, 1.0);
        chorus_pose(&p->c, i, &p->poses[i]);
    }
    chorus_update(&p->c);
    check_positions(p, 0);
    check_positions(p, 1);
    p->pairs += chorus_compare(&p->c);
}

static void play_kind(zoo_kind kind, willow_morph_kind morph, uint32_t targets, size_t *pairs)
{
    play *p = test_calloc(1, sizeof *p);
    open_play(p, zoo_kind_name(kind), kind, morph, targets, 7 * (uint64_t)kind + targets);
    chorus_update(&p->c);
    check_positions(p, 0);
    p->pairs += chorus_compare(&p->c);
    for (morph_weights weights = 0; weights < MORPH_WEIGHTS_COUNT; weights++) {
        step(p, weights, false);
        if (weights % 3 == 0) step(p, weights, true);
    }
    *pairs += p->pairs;
    close_play(p);
    test_free(p);
}

static const zoo_kind kinds[] = {ZOO_KIND_SPHERE,   ZOO_KIND_CRUMPLED, ZOO_KIND_SEAMS,
                                 ZOO_KIND_LOOSE,    ZOO_KIND_GROUPS,   ZOO_KIND_EXTREME,
                                 ZOO_KIND_REPEATED, ZOO_KIND_SINGLE,   ZOO_KIND_EMPTY,
                                 ZOO_KIND_IGNORED,  ZOO_KIND_LAYERS};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void all_methods_see_offsets_where_they_are(void **state)
{
    size_t pairs = 0;
    (void)state;
    for (int i = 0; i < KINDS; i++) play_kind(kinds[i], WILLOW_MORPH_OFFSETS, 5, &pairs);
    play_kind(ZOO_KIND_SPHERE, WILLOW_MORPH_OFFSETS, 0, &pairs);
    play_kind(ZOO_KIND_SPHERE, WILLOW_MORPH_OFFSETS, 1, &pairs);
    print_message("%zu pairs\n", pairs);
    assert_true(pairs > 0);
}

static void all_methods_see_absolute_targets_where_they_are(void **state)
{
    size_t pairs = 0;
    (void)state;
    for (int i = 0; i < KINDS; i++) play_kind(kinds[i], WILLOW_MORPH_ABSOLUTE, 3, &pairs);
    play_kind(ZOO_KIND_SPHERE, WILLOW_MORPH_ABSOLUTE, 1, &pairs);
    play_kind(ZOO_KIND_SPHERE, WILLOW_MORPH_ABSOLUTE, 10, &pairs);
    print_message("%zu pairs\n", pairs);
    assert_true(pairs > 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(all_methods_see_offsets_where_they_are),
    cmocka_unit_test(all_methods_see_absolute_targets_where_they_are),
};

TEST_GROUP(morph, tests);
