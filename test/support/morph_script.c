/* morph_script.c - plays morphs in several worlds at once and compares them. */
#include "support/morph_script.h"

#include <stdio.h>
#include "support/script_words.h"
#include "support/zoo_mesh.h"
#include "willow/willow.h"

enum { BLEND, ANY, BRUTE, WORLDS, BODIES = 2, MOST_TARGETS = 4, MOST_VERTICES = 256 };

static const char *const world_names[WORLDS] = {"blend", "any method", "brute"};

typedef struct script {
    choices *c;
    morph_tally *tally;
    zoo_mesh meshes[BODIES];
    willow_world *worlds[WORLDS];
    willow_scratch *scratches[WORLDS];
    willow_body_id ids[WORLDS][BODIES];
    uint32_t target_count; /* of the first body; 0: it does not morph */
    bool has_offsets;
    float lift; /* of its deformation */
    willow_vec3 values[MOST_TARGETS][MOST_VERTICES];
    uint32_t listed[MOST_TARGETS][MOST_VERTICES];
} script;

static bool fail_in(int world, const char *what) { return script_fail(world_names[world], what); }

static bool check_result(const script *s, int world, willow_result result, const char *call)
{
    return script_check(world_names[world], s->worlds[world], result, call);
}

/* ---- worlds ---- */

static willow_tree_def choose_tree(choices *c, int world)
{
    static const uint32_t arities[] = {8, 2, 4}, leaves[] = {1, 2, 16, 0};
    willow_tree_def tree = willow_tree_def_default();
    tree.method = world == BRUTE ? WILLOW_METHOD_BRUTE
                  : world == ANY ? (willow_method)choose(c, WILLOW_METHOD_COUNT)
                                 : WILLOW_METHOD_BLEND;
    if (world == BRUTE) return tree;
    tree.arity = arities[choose(c, 3)];
    tree.leaf_triangles = leaves[choose(c, 4)];
    tree.build = (willow_build)choose(c, WILLOW_BUILD_COUNT);
    tree.reference = (willow_reference)choose(c, WILLOW_REFERENCE_COUNT);
    tree.volume = (willow_volume)choose(c, WILLOW_VOLUME_COUNT);
    tree.blend_both = choose(c, 2) == 1;
    tree.in_between = choose(c, 4);
    return tree;
}

static bool make_world(script *s, int world)
{
    willow_world_def def = willow_world_def_default();
    def.kernel = world == BRUTE ? WILLOW_KERNEL_SCALAR : WILLOW_KERNEL_AUTO;
    if (willow_world_create(&def, &s->worlds[world]) != WILLOW_OK ||
        willow_scratch_create(s->worlds[world], &s->scratches[world]) != WILLOW_OK)
        return fail_in(world, "no world");
    for (uint32_t i = 0; i < BODIES; i++) {
        willow_body_def body = willow_body_def_default();
        body.mesh = zoo_mesh_def(&s->meshes[i]);
        body.tree = choose_tree(s->c, world);
        if (!check_result(s, world, willow_body_create(s->worlds[world], &body, &s->ids[world][i]),
                          "willow_body_create"))
            return false;
    }
    return true;
}

/* ---- what is done ---- */

static float choose_float(script *s) { return (float)choose_number(s->c, choose(s->c, 2) == 0); }

static willow_morph_target choose_target(script *s, uint32_t number)
{
    const uint32_t vertices = s->meshes[0].vertex_count;
    willow_morph_target target = {.values = s->values[number]};
    uint32_t count = vertices;
    if (s->has_offsets && choose(s->c, 2) == 1) {
        const uint32_t step = 1 + choose(s->c, 8);
        for (count = 0; count * step < vertices; count++)
            s->listed[number][count] = vertices - 1 - count * step;
        target.vertices = s->listed[number];
        target.vertex_count = count;
    }
    /* A few numbers make all values, so that scripts are short. */
    const willow_vec3 a = {choose_float(s), choose_float(s), choose_float(s)};
    const uint32_t period = 1 + choose(s->c, 4);
    for (uint32_t i = 0; i < count; i++) {
        const float share = (float)(i % period) / (float)period;
        const float *p = s->meshes[0].positions[i];
        s->values[number][i] = (willow_vec3){a.x * share, a.y, a.z * share};
        if (s->has_offsets) continue;
        s->values[number][i] = (willow_vec3){p[0] + a.x * share, p[1] * a.y, p[2] + a.z};
    }
    return target;
}

static bool set_morph(script *s)
{
    willow_morph_target targets[MOST_TARGETS];
    willow_morph morph = willow_morph_default();
    s->has_offsets = choose(s->c, 2) == 0;
    s->target_count = 1 + choose(s->c, MOST_TARGETS);
    for (uint32_t i = 0; i < s->target_count; i++) targets[i] = choose_target(s, i);
    morph.kind = s->has_offsets ? WILLOW_MORPH_OFFSETS : WILLOW_MORPH_ABSOLUTE;
    morph.targets = targets;
    morph.target_count = s->target_count;
    for (int world = 0; world < WORLDS; world++)
        if (!check_result(s, world,
                          willow_body_set_morph_targets(s->worlds[world], s->ids[world][0], &morph),
                          "set_morph_targets"))
            return false;
    return true;
}

static bool set_weights(script *s, bool is_target)
{
    static const float usual[] = {0.0F, 1.0F, 0.5F, -1.0F, 2.0F, 0.7F};
    float weights[MOST_TARGETS];
    if (s->target_count == 0) return true;
    for (uint32_t i = 0; i < s->target_count; i++) {
        const uint32_t kind = choose(s->c, 8);
        weights[i] = kind < 6 ? usual[kind] : choose_float(s);
    }
    for (int world = 0; world < WORLDS; world++)
        if (!check_result(
                s, world,
                (is_target ? willow_body_set_target_weights : willow_body_set_morph_weights)(
                    s->worlds[world], s->ids[world][0], weights, s->target_count),
                "weights"))
            return false;
    return true;
}

static willow_vec3 lifted(void *context, uint32_t vertex, willow_vec3 rest)
{
    const script *s = context;
    (void)vertex;
    return (willow_vec3){rest.x + s->lift, rest.y, rest.z - s->lift};
}

static willow_box lifted_box(void *context, const willow_part *part)
{
    return (willow_box){lifted(context, 0, part->rest.lower), lifted(context, 0, part->rest.upper)};
}

static bool set_deformation(script *s)
{
    willow_deformation def = willow_deformation_default();
    def.context = s;
    def.position = lifted;
    if (choose(s->c, 4) != 3) def.bound = lifted_box;
    s->target_count = 0;
    for (int world = 0; world < WORLDS; world++)
        if (!check_result(s, world,
                          willow_body_set_deformation(s->worlds[world], s->ids[world][0], &def),
                          "set_deformation"))
            return false;
    s->lift = choose_float(s); /* all have been told */
    return true;
}

static bool set_pose(script *s)
{
    const willow_pose pose = {{choose_float(s), choose_float(s), choose_float(s)},
                              {choose_float(s), 0.5F, 0, 1}};
    const uint32_t body = choose(s->c, BODIES);
    for (int world = 0; world < WORLDS; world++)
        if (!check_result(s, world,
                          willow_body_set_pose(s->worlds[world], s->ids[world][body], &pose),
                          "set_pose"))
            return false;
    return true;
}

/* Which ends all motion. */
static bool set_vertex(script *s)
{
    const willow_vec3 at = {choose_float(s), choose_float(s), choose_float(s)};
    if (s->meshes[0].vertex_count == 0) return true;
    const uint32_t vertex = choose(s->c, s->meshes[0].vertex_count);
    s->target_count = 0;
    for (int world = 0; world < WORLDS; world++)
        if (!check_result(
                s, world,
                willow_body_set_vertices(s->worlds[world], s->ids[world][0], vertex, 1, &at, 0),
                "set_vertices"))
            return false;
    return true;
}

static bool set_trees(script *s)
{
    for (int world = 0; world < BRUTE; world++) {
        const willow_tree_def tree = choose_tree(s->c, world);
        if (!check_result(s, world, willow_body_set_tree(s->worlds[world], s->ids[world][0], &tree),
                          "set_tree"))
            return false;
    }
    return true;
}

static bool do_something(script *s)
{
    switch (choose(s->c, 8)) {
    case 0: return set_morph(s);
    case 1: return set_pose(s);
    case 2: return set_weights(s, true);
    case 3: return choose(s->c, 4) != 0 || set_vertex(s);
    case 4: return choose(s->c, 2) != 0 || set_trees(s);
    case 5: return set_deformation(s);
    default: return set_weights(s, false);
    }
}

/* ---- what must hold ---- */

static bool check_vertices(const script *s, int world)
{
    willow_vec3 own[MOST_VERTICES], expected[MOST_VERTICES];
    const uint32_t count = s->meshes[0].vertex_count;
    (void)willow_body_copy_vertices(s->worlds[world], s->ids[world][0], 0, count, own);
    (void)willow_body_copy_vertices(s->worlds[BRUTE], s->ids[BRUTE][0], 0, count, expected);
    return memcmp(own, expected, count * sizeof *own) == 0 ||
           fail_in(world, "vertices are somewhere else");
}

static bool check_pairs(const script *s, int world, const willow_pairs *expected)
{
    willow_pairs pairs;
    if (willow_find_pairs(s->worlds[world], s->scratches[world], NULL, &pairs) != WILLOW_OK)
        return fail_in(world, "no pairs");
    s->tally->pairs += pairs.count;
    s->tally->blended += willow_scratch_stats(s->scratches[world]).vertices_blended;
    if (pairs.count != expected->count) return fail_in(world, "another number of pairs");
    for (size_t i = 0; i < pairs.count; i++)
        if (pairs.items[i].tri_a != expected->items[i].tri_a ||
            pairs.items[i].tri_b != expected->items[i].tri_b)
            return fail_in(world, "other pairs");
    return true;
}

static bool check_impacts(const script *s, int world, const willow_impacts *expected)
{
    willow_impacts impacts;
    if (willow_find_impacts(s->worlds[world], s->scratches[world], NULL, &impacts) != WILLOW_OK)
        return fail_in(world, "no impacts");
    s->tally->impacts += impacts.count;
    return impacts.count == expected->count || fail_in(world, "another number of impacts");
}

static bool check_all(const script *s)
{
    willow_pairs pairs;
    willow_impacts impacts;
    char reason[200] = "";
    if (willow_find_pairs(s->worlds[BRUTE], s->scratches[BRUTE], NULL, &pairs) != WILLOW_OK)
        return fail_in(BRUTE, "no pairs");
    for (int world = 0; world < BRUTE; world++) {
        if (!check_vertices(s, world) || !check_pairs(s, world, &pairs)) return false;
        if (!willow_world_validate(s->worlds[world], reason, sizeof reason))
            return fail_in(world, reason);
    }
    if (willow_find_impacts(s->worlds[BRUTE], s->scratches[BRUTE], NULL, &impacts) != WILLOW_OK)
        return fail_in(BRUTE, "no impacts");
    for (int world = 0; world < BRUTE; world++)
        if (!check_impacts(s, world, &impacts)) return false;
    return true;
}

static bool step(script *s, uint32_t number)
{
    for (uint32_t i = 1 + choose(s->c, 3); i > 0; i--)
        if (!do_something(s)) return false;
    for (int world = 0; world < WORLDS; world++)
        if (!check_result(s, world, willow_world_update(s->worlds[world], number, NULL), "update"))
            return false;
    s->tally->updates++;
    return check_all(s);
}

static void play(script *s, uint32_t size, uint32_t updates)
{
    static const zoo_kind kinds[] = {ZOO_KIND_SPHERE, ZOO_KIND_CRUMPLED, ZOO_KIND_SEAMS,
                                     ZOO_KIND_GROUPS};
    for (uint32_t i = 0; i < BODIES; i++)
        zoo_mesh_create(&s->meshes[i], kinds[choose(s->c, 4)], 1 + choose(s->c, size),
                        choose(s->c, 256));
    bool ok = s->meshes[0].vertex_count <= MOST_VERTICES; /* else there is nothing to play */
    for (int world = 0; world < WORLDS && ok; world++) ok = make_world(s, world);
    ok = ok && set_morph(s);
    for (uint32_t i = 0; i < updates && ok && !choices_are_over(s->c); i++) ok = step(s, i);
    for (int world = 0; world < WORLDS; world++) {
        willow_scratch_destroy(s->scratches[world]);
        willow_world_destroy(s->worlds[world]);
    }
    for (uint32_t i = 0; i < BODIES; i++) zoo_mesh_destroy(&s->meshes[i]);
}

const char *morph_script_run(choices *c, uint32_t size, uint32_t updates, morph_tally *tally)
{
    script *s = test_calloc(1, sizeof *s);
    s->c = c;
    s->tally = tally;
    script_words_clear();
    play(s, size, updates);
    tally->scripts++;
    test_free(s);
    return script_words(true);
}
