/* BLEND: boxes are sums of boxes of shapes, conservative for any weights; vertices are blended in
 * reached leaves only, once; reference shapes; both forms; from one method to another. */
#include <math.h>
#include <stdlib.h>
#include "support/chorus.h"
#include "support/fixture.h"
#include "support/morph_model.h"
#include "support/test.h"
#include "support/zoo_world.h"

static willow_tree_def blend_tree(uint32_t arity, uint32_t leaf_triangles)
{
    willow_tree_def tree = willow_tree_def_default();
    tree.method = WILLOW_METHOD_BLEND;
    tree.arity = arity;
    tree.leaf_triangles = leaf_triangles;
    return tree;
}

/* Every way to have such a tree. */
static void add_voices(chorus *c)
{
    static const uint32_t arities[] = {2, 4, 8, 8}, leaves[] = {1, 3, 2, 16};
    chorus_add_brute(c);
    for (willow_kernel kernel = WILLOW_KERNEL_SCALAR; kernel < WILLOW_KERNEL_COUNT; kernel++)
        for (uint32_t i = 0; i < 4 && zoo_has_kernel(kernel); i++) {
            willow_tree_def tree = blend_tree(arities[i], leaves[i]);
            tree.reference = (willow_reference)i;
            tree.reference_target = 1;
            tree.in_between = i;
            tree.volume = (willow_volume)((i + 1) % WILLOW_VOLUME_COUNT);
            chorus_add(c, tree, kernel, 1 + i % 2);
            tree.blend_both = true;
            tree.build = zoo_build(i);
            tree.volume = (willow_volume)(i % WILLOW_VOLUME_COUNT);
            chorus_add(c, tree, kernel, 2 - i % 2);
        }
}

typedef struct stage {
    chorus c;
    zoo_mesh meshes[2];
    morph_model model;
    uint64_t random;
    size_t pairs;
} stage;

static void open_stage(stage *s, zoo_kind kind, uint32_t size, willow_morph_kind morph,
                       uint32_t targets, uint64_t seed)
{
    memset(s, 0, sizeof *s);
    s->random = seed;
    chorus_open(&s->c, zoo_kind_name(kind), seed);
    add_voices(&s->c);
    zoo_mesh_create(&s->meshes[0], kind, size, seed);
    zoo_mesh_create(&s->meshes[1], ZOO_KIND_SPHERE, 80, seed + 1);
    for (uint32_t i = 0; i < 2; i++) {
        const zoo_mesh *mesh = &s->meshes[i];
        const willow_mesh_def def = {.positions = mesh->positions,
                                     .vertex_count = mesh->vertex_count,
                                     .indices = mesh->tris,
                                     .index_type = WILLOW_INDEX_U32,
                                     .triangle_count = mesh->triangle_count,
                                     .triangle_groups = mesh->groups,
                                     .weld_exact = mesh->weld};
        chorus_add_body(&s->c, &def, i == 0);
    }
    morph_model_create(&s->model, &s->meshes[0], morph, targets, seed + 2);
    const willow_morph def = morph_model_def(&s->model);
    chorus_set_morph(&s->c, 0, &def);
}

static void close_stage(stage *s)
{
    chorus_close(&s->c);
    morph_model_destroy(&s->model);
    for (uint32_t i = 0; i < 2; i++) zoo_mesh_destroy(&s->meshes[i]);
}

static bool see_node(void *context, const willow_node *node)
{
    (void)context;
    (void)node;
    return true;
}

/* Opens all nodes, and looks whether their boxes contain all below (I6). */
static void open_all(stage *s)
{
    for (uint32_t i = 1; i < s->c.voice_count; i++) {
        const chorus_voice *voice = &s->c.voices[i];
        char reason[200] = "";
        willow_body_visit_nodes(voice->world, voice->bodies[0], see_node, NULL);
        chorus_expect(&s->c, voice, willow_world_validate(voice->world, reason, sizeof reason),
                      reason);
    }
}

static void step(stage *s, morph_weights kind)
{
    morph_model_choose(&s->model, kind, &s->random);
    chorus_set_weights(&s->c, 0, s->model.weights, s->model.target_count);
    chorus_update(&s->c);
    s->pairs += chorus_compare(&s->c);
    open_all(s);
}

static void play(zoo_kind kind, uint32_t size, willow_morph_kind morph, uint32_t targets,
                 size_t *pairs)
{
    stage *s = test_calloc(1, sizeof *s);
    open_stage(s, kind, size, morph, targets, 3 * (uint64_t)kind + targets);
    for (int round = 0; round < 2; round++)
        for (morph_weights weights = 0; weights < MORPH_WEIGHTS_COUNT; weights++) {
            const willow_pose pose = {{0.125F * (float)weights, 0, 0}, {0.5F, 0.25F, 0, 1}};
            if (round == 1) chorus_pose(&s->c, 0, &pose);
            step(s, weights);
        }
    *pairs += s->pairs;
    close_stage(s);
    test_free(s);
}

static void every_opened_box_contains_what_is_below_for_any_weights(void **state)
{
    size_t pairs = 0;
    (void)state;
    for (int i = 0; i < 2; i++) {
        const willow_morph_kind morph = i == 0 ? WILLOW_MORPH_OFFSETS : WILLOW_MORPH_ABSOLUTE;
        play(ZOO_KIND_SPHERE, 200, morph, 4, &pairs);
        play(ZOO_KIND_CRUMPLED, 100, morph, 12, &pairs);
        play(ZOO_KIND_SEAMS, 60, morph, 3, &pairs);
        play(ZOO_KIND_GROUPS, 60, morph, 2, &pairs);
        play(ZOO_KIND_EXTREME, 40, morph, 3, &pairs);
        play(ZOO_KIND_LOOSE, 12, morph, 1, &pairs);
        play(ZOO_KIND_SINGLE, 1, morph, 5, &pairs);
        play(ZOO_KIND_IGNORED, 12, morph, 2, &pairs);
        play(ZOO_KIND_EMPTY, 0, morph, 2, &pairs);
    }
    print_message("%zu pairs\n", pairs);
    assert_true(pairs > 0);
}

/* ---- mixed volumes ---- */

/* Two bodies that morph, in every way to have volumes, a refitted tree among them. */
static void add_every_pair_of_volumes(chorus *c, willow_tree_def second[CHORUS_VOICES])
{
    enum { KINDS = WILLOW_VOLUME_COUNT + 1 };
    chorus_add_brute(c);
    for (willow_kernel kernel = WILLOW_KERNEL_SCALAR; kernel < WILLOW_KERNEL_COUNT; kernel++)
        for (int i = 0; i < KINDS * KINDS && zoo_has_kernel(kernel); i++) {
            willow_tree_def tree[2];
            for (int k = 0; k < 2; k++) {
                const int kind = k == 0 ? i / KINDS : i % KINDS;
                tree[k] = blend_tree(8, 4);
                if (kind == WILLOW_VOLUME_COUNT)
                    tree[k].method = WILLOW_METHOD_HYBRID;
                else
                    tree[k].volume = (willow_volume)kind;
            }
            second[c->voice_count] = tree[1];
            chorus_add(c, tree[0], kernel, 1);
        }
}

typedef struct duet {
    chorus c;
    zoo_mesh meshes[2];
    morph_model models[2];
    willow_tree_def second[CHORUS_VOICES];
} duet;

static void open_duet(duet *d, uint64_t seed)
{
    memset(d, 0, sizeof *d);
    chorus_open(&d->c, "volumes", seed);
    add_every_pair_of_volumes(&d->c, d->second);
    for (uint32_t i = 0; i < 2; i++) {
        zoo_mesh_create(&d->meshes[i], i == 0 ? ZOO_KIND_SPHERE : ZOO_KIND_CRUMPLED, 150, seed + i);
        const willow_mesh_def def = {.positions = d->meshes[i].positions,
                                     .vertex_count = d->meshes[i].vertex_count,
                                     .indices = d->meshes[i].tris,
                                     .index_type = WILLOW_INDEX_U32,
                                     .triangle_count = d->meshes[i].triangle_count};
        chorus_add_body(&d->c, &def, false);
        morph_model_create(&d->models[i], &d->meshes[i], WILLOW_MORPH_ABSOLUTE, 3, seed + i);
        const willow_morph morph = morph_model_def(&d->models[i]);
        chorus_set_morph(&d->c, i, &morph);
    }
    for (uint32_t i = 1; i < d->c.voice_count; i++)
        chorus_set_tree(&d->c, &d->c.voices[i], 1, &d->second[i]);
}

static void close_duet(duet *d)
{
    chorus_close(&d->c);
    for (uint32_t i = 0; i < 2; i++) {
        morph_model_destroy(&d->models[i]);
        zoo_mesh_destroy(&d->meshes[i]);
    }
}

/* Voices with one kernel and the same volumes; their counts of leaves that met. */
static void count_leaf_pairs(const duet *d, uint64_t leaves[3])
{
    for (uint32_t i = 1; i < d->c.voice_count; i++) {
        const chorus_voice *voice = &d->c.voices[i];
        willow_body_info info[2];
        for (int k = 0; k < 2; k++) willow_body_get_info(voice->world, voice->bodies[k], &info[k]);
        if (info[0].tree.method != WILLOW_METHOD_BLEND ||
            info[1].tree.method != WILLOW_METHOD_BLEND ||
            info[0].tree.volume != info[1].tree.volume || voice->kernel != WILLOW_KERNEL_SCALAR)
            continue;
        leaves[info[0].tree.volume] += voice->stats.leaf_pairs;
    }
}

static void every_pair_of_volumes_finds_what_brute_finds(void **state)
{
    duet *d = test_calloc(1, sizeof *d);
    uint64_t random = 9, leaves[3] = {0}, posed[3] = {0};
    size_t pairs = 0;
    (void)state;
    open_duet(d, 21);
    for (int step = 0; step < 24; step++) {
        for (uint32_t i = 0; i < 2; i++) {
            morph_model *m = &d->models[i];
            morph_model_choose(m, (morph_weights)(step % MORPH_WEIGHTS_COUNT), &random);
            chorus_set_weights(&d->c, i, m->weights, m->target_count);
            if (step < 12 || (step + (int)i) % 3 == 0) continue;
            const willow_pose pose = {{(float)test_random_between(&random, -0.5, 0.5), 0.25F, 0},
                                      {0.5F, (float)test_random_between(&random, -1, 1), 0.25F, 1}};
            chorus_pose(&d->c, i, &pose);
        }
        chorus_update(&d->c);
        pairs += chorus_compare(&d->c);
        count_leaf_pairs(d, step < 12 ? leaves : posed);
    }
    print_message("%zu pairs; leaves met with boxes, k-DOPs and spheres %u, %u, %u; posed %u, %u, "
                  "%u\n",
                  pairs, (unsigned)leaves[0], (unsigned)leaves[1], (unsigned)leaves[2],
                  (unsigned)posed[0], (unsigned)posed[1], (unsigned)posed[2]);
    assert_true(pairs > 0);
    assert_true(leaves[1] < leaves[0]); /* or they would be of no use */
    assert_true(leaves[2] < leaves[0]);
    assert_int_equal(posed[1] <= posed[0], true);
    assert_true(posed[2] < posed[0]);
    close_duet(d);
    test_free(d);
}

/* ---- the naive form ---- */

/* How many vertices of the body are outside of the box that is blended of the boxes of its shapes
 * in a way. */
typedef float blend_end(const float lower, const float upper, float weight, bool is_lower);

/* As the paper has it, whose weights are convex. */
static float as_it_stands(const float lower, const float upper, float weight, bool is_lower)
{
    return weight * (is_lower ? lower : upper);
}

static float with_ends_swapped(const float lower, const float upper, float weight, bool is_lower)
{
    return weight * (is_lower == (weight >= 0.0F) ? lower : upper);
}

static uint32_t count_outside(const morph_model *m, blend_end *end)
{
    uint32_t outside = 0;
    for (int axis = 0; axis < 3; axis++) {
        float low = 0.0F, high = 0.0F;
        for (uint32_t i = 0; i < m->target_count; i++) {
            float lower = INFINITY, upper = -INFINITY;
            for (uint32_t v = 0; v < m->mesh->vertex_count; v++) {
                lower = fminf(lower, m->values[i][v][axis]);
                upper = fmaxf(upper, m->values[i][v][axis]);
            }
            low += end(lower, upper, m->weights[i], true);
            high += end(lower, upper, m->weights[i], false);
        }
        for (uint32_t v = 0; v < m->mesh->vertex_count; v++) {
            double x[3];
            morph_model_at(m, v, x);
            outside += x[axis] < (double)low - 1e-5 || x[axis] > (double)high + 1e-5;
        }
    }
    return outside;
}

static void the_naive_form_loses_vertices_and_intervals_do_not(void **state)
{
    zoo_mesh mesh;
    morph_model m;
    uint64_t random = 4;
    uint32_t naive = 0, convex = 0;
    (void)state;
    zoo_mesh_create(&mesh, ZOO_KIND_SPHERE, 100, 1);
    morph_model_create(&m, &mesh, WILLOW_MORPH_ABSOLUTE, 3, 2);
    for (int i = 0; i < 100; i++) {
        morph_model_choose(&m, i % 2 == 0 ? MORPH_WEIGHTS_WILD : MORPH_WEIGHTS_CONVEX, &random);
        if (i % 2 == 0)
            naive += count_outside(&m, as_it_stands);
        else
            convex += count_outside(&m, as_it_stands);
        assert_int_equal(count_outside(&m, with_ends_swapped), 0);
    }
    print_message("%u vertices are lost, %u with convex weights\n", naive, convex);
    assert_true(naive > 0);
    assert_int_equal(convex, 0);
    morph_model_destroy(&m);
    zoo_mesh_destroy(&mesh);
}

/* ---- a body of its own ---- */

enum {
    RINGS = 48,
    AROUND = 48,
    TUBE_VERTICES = RINGS * AROUND,
    TUBE_TRIS = 2 * (RINGS - 1) * AROUND
};

/* A tube along x; the first target bends it, the others lift few vertices each. */
enum { TUBE_TARGETS = 11, LIFTED = 60 };

typedef struct tube {
    float at[TUBE_VERTICES][3], bent[TUBE_VERTICES][3], lifts[TUBE_TARGETS][LIFTED][3];
    uint32_t lifted[TUBE_TARGETS][LIFTED];
    uint32_t tris[TUBE_TRIS][3];
    willow_morph_target targets[TUBE_TARGETS];
} tube;

static void make_tube(tube *t)
{
    uint32_t(*out)[3] = t->tris;
    for (uint32_t ring = 0; ring < RINGS; ring++)
        for (uint32_t i = 0; i < AROUND; i++) {
            const double angle = 6.283185307179586 * i / AROUND, x = 0.1 * ring;
            float *at = t->at[ring * AROUND + i], *bent = t->bent[ring * AROUND + i];
            at[0] = (float)x;
            at[1] = (float)cos(angle);
            at[2] = (float)sin(angle);
            bent[2] = (float)(0.1 * x * x);
            if (ring + 1 == RINGS) continue;
            const uint32_t a = ring * AROUND + i, b = ring * AROUND + (i + 1) % AROUND;
            memcpy(out++, (uint32_t[3]){a, b, a + AROUND}, 3 * sizeof(uint32_t));
            memcpy(out++, (uint32_t[3]){b, b + AROUND, a + AROUND}, 3 * sizeof(uint32_t));
        }
    t->targets[0] = (willow_morph_target){.values = t->bent};
    for (uint32_t k = 1; k < TUBE_TARGETS; k++) {
        for (uint32_t i = 0; i < LIFTED; i++) {
            t->lifted[k][i] = 200 * k + i;
            t->lifts[k][i][2] = 0.02F * (float)(i % 7);
        }
        t->targets[k] = (willow_morph_target){
            .values = t->lifts[k], .vertices = t->lifted[k], .vertex_count = LIFTED};
    }
}

typedef struct solo {
    tube t;
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id body, probe;
    float weights[TUBE_TARGETS];
} solo;

static willow_result weigh(solo *s)
{
    return willow_body_set_morph_weights(s->world, s->body, s->weights, TUBE_TARGETS);
}

static willow_update_report update(solo *s)
{
    willow_update_report report;
    char reason[200] = "";
    assert_ok(willow_world_update(s->world, 0.0, &report));
    if (!willow_world_validate(s->world, reason, sizeof reason)) fail_msg("%s", reason);
    return report;
}

/* A tube with a small triangle across its side. */
static solo *open_solo(willow_tree_def tree, uint32_t threads)
{
    static const float probe[3][3] = {{2, 0, 0.875F}, {2.1F, 0, 1.25F}, {2.1F, 0.05F, 1.25F}};
    static const uint32_t tri[3] = {0, 1, 2};
    solo *s = test_calloc(1, sizeof *s);
    willow_world_def world = willow_world_def_default();
    willow_body_def body = willow_body_def_default();
    willow_morph morph = willow_morph_default();
    make_tube(&s->t);
    world.thread_count = threads;
    s->world = fixture_world(&world);
    s->scratch = fixture_scratch(s->world);
    body.mesh = FIXTURE_MESH(s->t.at, TUBE_VERTICES, s->t.tris, TUBE_TRIS);
    body.tree = tree;
    s->body = fixture_body(s->world, &body);
    body.mesh = FIXTURE_MESH(probe, 3, tri, 1);
    body.tree = willow_tree_def_default();
    s->probe = fixture_body(s->world, &body);
    morph.targets = s->t.targets;
    morph.target_count = TUBE_TARGETS;
    assert_ok(willow_body_set_morph_targets(s->world, s->body, &morph));
    update(s);
    return s;
}

static void close_solo(solo *s)
{
    fixture_close(s->world, s->scratch);
    test_free(s);
}

static willow_query_stats ask(solo *s, size_t *pairs)
{
    willow_query_options options = willow_query_options_default();
    willow_pairs found;
    options.use_threads = true;
    willow_scratch_reset_stats(s->scratch);
    assert_ok(willow_find_pairs(s->world, s->scratch, &options, &found));
    *pairs = found.count;
    return willow_scratch_stats(s->scratch);
}

/* ---- what it costs ---- */

static void an_update_opens_the_root_and_computes_no_vertex(void **state)
{
    solo *s = open_solo(blend_tree(8, 16), 1);
    (void)state;
    for (int i = 0; i < 3; i++) {
        s->weights[0] = 0.1F * (float)i;
        assert_ok(weigh(s));
        const willow_update_report report = update(s);
        assert_int_equal(report.vertices_evaluated, 0);
        assert_int_equal(report.nodes_updated, 1);
        assert_int_equal(report.bodies_built, 0);
    }
    close_solo(s);
}

static void only_vertices_of_reached_leaves_are_blended_and_once(void **state)
{
    const willow_pose pose = {{0, 0, 0.001F}, {0, 0, 0, 1}};
    uint64_t with_one = 0;
    (void)state;
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
        solo *s = open_solo(blend_tree(8, 16), threads);
        size_t pairs = 0, again = 0;
        s->weights[0] = 0.01F;
        s->weights[3] = -0.5F;
        assert_ok(weigh(s));
        update(s);
        willow_query_stats stats = ask(s, &pairs);
        print_message("%u vertices of %u are blended, %u nodes opened, %zu pairs\n",
                      (unsigned)stats.vertices_blended, TUBE_VERTICES,
                      (unsigned)stats.nodes_refreshed, pairs);
        assert_true(pairs > 0 && stats.vertices_blended > 0);
        assert_true(stats.vertices_blended < TUBE_VERTICES / 20);
        if (threads == 1) with_one = stats.vertices_blended;
        assert_int_equal(stats.vertices_blended, with_one);
        stats = ask(s, &again); /* all is there */
        assert_int_equal(again, pairs);
        assert_int_equal(stats.vertices_blended, 0);
        assert_int_equal(stats.nodes_refreshed, 0);
        assert_ok(willow_body_set_pose(s->world, s->body, &pose));
        update(s); /* boxes stay, positions do not */
        stats = ask(s, &again);
        assert_true(stats.vertices_blended > 0);
        close_solo(s);
    }
}

/* ---- how tight ---- */

typedef struct sums {
    double area;
} sums;

static bool add_area(void *context, const willow_node *node)
{
    sums *s = context;
    const double x = (double)node->box.upper.x - (double)node->box.lower.x;
    const double y = (double)node->box.upper.y - (double)node->box.lower.y;
    const double z = (double)node->box.upper.z - (double)node->box.lower.z;
    if (node->is_leaf) s->area += (x * y + y * z) + z * x;
    return true;
}

static double area_of(solo *s)
{
    sums sum = {0};
    update(s);
    assert_ok(willow_body_visit_nodes(s->world, s->body, add_area, &sum));
    return sum.area;
}

static double area_with(willow_tree_def tree, void (*set)(solo *s))
{
    solo *s = open_solo(tree, 1);
    set(s);
    assert_ok(weigh(s));
    const double area = area_of(s);
    close_solo(s);
    return area;
}

static void one_target(solo *s) { s->weights[0] = 1.0F; }

static void ten_of_few_vertices(solo *s)
{
    for (uint32_t i = 1; i < TUBE_TARGETS; i++) s->weights[i] = 0.7F;
}

static void many_sparse_targets_are_nearly_as_tight_as_a_refit(void **state)
{
    willow_tree_def refit = blend_tree(8, 16), both = blend_tree(8, 16);
    (void)state;
    refit.method = WILLOW_METHOD_BOTTOM_UP;
    both.blend_both = true;
    const double tight = area_with(refit, ten_of_few_vertices);
    const double blended = area_with(blend_tree(8, 16), ten_of_few_vertices);
    print_message("area of leaves with ten targets at 0.7: %.3f of tight ones, %.3f with both\n",
                  blended / tight, area_with(both, ten_of_few_vertices) / tight);
    assert_true(blended < 1.2 * tight);
}

static void both_forms_together_are_never_wider_and_often_tighter(void **state)
{
    willow_tree_def both = blend_tree(8, 16), refit = blend_tree(8, 16);
    (void)state;
    both.blend_both = true;
    refit.method = WILLOW_METHOD_BOTTOM_UP;
    const double offsets = area_with(blend_tree(8, 16), one_target);
    const double together = area_with(both, one_target);
    const double tight = area_with(refit, one_target);
    print_message("area of leaves with one target: %.3f of tight ones, %.3f with both\n",
                  offsets / tight, together / tight);
    assert_true(together < 0.99 * offsets);
    assert_true(together < 1.05 * tight);
}

/* From a tube to the same one rolled by a right angle, half-way: so many shapes between. */
static double area_half_way(willow_tree_def tree, uint32_t in_between)
{
    static float rolled[TUBE_VERTICES][3];
    solo *s = open_solo(tree, 1);
    const willow_morph_target targets[2] = {{.values = s->t.at}, {.values = rolled}};
    const float weights[2] = {0.6F, 0.4F};
    willow_morph morph = willow_morph_default();
    for (int i = 0; i < TUBE_VERTICES; i++) {
        rolled[i][0] = s->t.at[i][0];
        rolled[i][1] = -s->t.at[i][2];
        rolled[i][2] = s->t.at[i][1];
    }
    tree.in_between = in_between;
    morph.kind = WILLOW_MORPH_ABSOLUTE;
    morph.targets = targets;
    morph.target_count = 2;
    morph.weights = weights;
    assert_ok(willow_body_set_morph_targets(s->world, s->body, &morph));
    assert_ok(willow_body_set_tree(s->world, s->body, &tree));
    const double area = area_of(s);
    close_solo(s);
    return area;
}

static void shapes_between_two_targets_make_boxes_tighter(void **state)
{
    willow_tree_def refit = blend_tree(8, 16);
    (void)state;
    refit.method = WILLOW_METHOD_BOTTOM_UP;
    const double tight = area_half_way(refit, 0), none = area_half_way(blend_tree(8, 16), 0);
    const double one = area_half_way(blend_tree(8, 16), 1);
    const double many = area_half_way(blend_tree(8, 16), 15);
    print_message("area of leaves between two targets: %.3f of tight ones, %.3f with one shape "
                  "between, %.3f with 15\n",
                  none / tight, one / tight, many / tight);
    assert_true(one < 0.98 * none && many < one && many < 1.1 * tight);
}

/* ---- reference shapes ---- */

static double cost_in(willow_reference reference)
{
    willow_tree_def tree = blend_tree(8, 4);
    willow_body_stats stats;
    double cost = 0.0;
    tree.reference = reference;
    solo *s = open_solo(tree, 1);
    for (int i = 0; i < 2; i++) {
        s->weights[0] = (float)i;
        assert_ok(weigh(s));
        update(s);
        assert_ok(willow_body_get_stats(s->world, s->body, &stats));
        cost += stats.cost;
    }
    close_solo(s);
    return cost;
}

static void the_reference_decides_about_the_tree_and_the_best_is_good(void **state)
{
    const double base = cost_in(WILLOW_REFERENCE_BASE), best = cost_in(WILLOW_REFERENCE_BEST);
    const double average = cost_in(WILLOW_REFERENCE_AVERAGE);
    const double target = cost_in(WILLOW_REFERENCE_TARGET);
    (void)state;
    print_message("expected work: average %.2f, base %.2f, target %.2f, best %.2f\n", average, base,
                  target, best);
    assert_true(base != target);
    assert_true(best <= 1.1 * average && best <= 1.1 * base && best <= 1.1 * target);
}

/* ---- from one to another ---- */

static void methods_and_morphs_may_change_at_any_time(void **state)
{
    stage *s = test_calloc(1, sizeof *s);
    (void)state;
    open_stage(s, ZOO_KIND_SPHERE, 150, WILLOW_MORPH_OFFSETS, 3, 11);
    step(s, MORPH_WEIGHTS_NEGATIVE);
    for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++)
        for (int turn = 0; turn < 2; turn++) {
            willow_tree_def tree = blend_tree(8, 2);
            tree.method = turn == 0 ? method : WILLOW_METHOD_BLEND;
            for (uint32_t i = 1; i < s->c.voice_count; i++)
                chorus_set_tree(&s->c, &s->c.voices[i], 0, &tree);
            step(s, MORPH_WEIGHTS_WILD);
            step(s, MORPH_WEIGHTS_BETWEEN);
        }
    const willow_morph def = morph_model_def(&s->model); /* from where it is now */
    chorus_set_morph(&s->c, 0, &def);
    s->pairs += (chorus_update(&s->c), chorus_compare(&s->c));
    step(s, MORPH_WEIGHTS_SEVENTH);
    for (uint32_t i = 0; i < s->meshes[0].vertex_count; i++) s->model.base[i][2] += 0.0625F;
    chorus_set(&s->c, 0, 0, s->meshes[0].vertex_count, s->model.base, WILLOW_OK);
    chorus_update(&s->c); /* BLEND without a morph */
    s->pairs += chorus_compare(&s->c);
    chorus_set_morph(&s->c, 0, &def);
    step(s, MORPH_WEIGHTS_NEGATIVE);
    print_message("%zu pairs\n", s->pairs);
    assert_true(s->pairs > 0);
    close_stage(s);
    test_free(s);
}

/* ---- AUTO ---- */

static willow_method stands_for(const solo *s)
{
    willow_body_stats stats;
    assert_ok(willow_body_get_stats(s->world, s->body, &stats));
    return stats.method;
}

static void auto_blends_while_there_is_a_morph(void **state)
{
    willow_tree_def tree = willow_tree_def_default();
    solo *s = open_solo(tree, 1);
    size_t pairs;
    (void)state;
    assert_int_equal(stands_for(s), WILLOW_METHOD_BLEND);
    assert_true(ask(s, &pairs).vertices_blended > 0 && pairs > 0);
    assert_ok(willow_body_set_vertices(s->world, s->body, 0, 1, s->t.at, 0));
    update(s);
    assert_int_equal(stands_for(s), WILLOW_METHOD_HYBRID);
    for (int i = 0; i < 20; i++) { /* it goes on from there */
        s->t.at[7][2] += 0.001F;
        assert_ok(willow_body_set_vertices(s->world, s->body, 0, TUBE_VERTICES, s->t.at, 0));
        update(s);
        assert_int_equal(ask(s, &pairs).vertices_blended, 0);
        assert_true(pairs > 0);
    }
    close_solo(s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_opened_box_contains_what_is_below_for_any_weights),
    cmocka_unit_test(every_pair_of_volumes_finds_what_brute_finds),
    cmocka_unit_test(the_naive_form_loses_vertices_and_intervals_do_not),
    cmocka_unit_test(an_update_opens_the_root_and_computes_no_vertex),
    cmocka_unit_test(only_vertices_of_reached_leaves_are_blended_and_once),
    cmocka_unit_test(many_sparse_targets_are_nearly_as_tight_as_a_refit),
    cmocka_unit_test(both_forms_together_are_never_wider_and_often_tighter),
    cmocka_unit_test(shapes_between_two_targets_make_boxes_tighter),
    cmocka_unit_test(the_reference_decides_about_the_tree_and_the_best_is_good),
    cmocka_unit_test(methods_and_morphs_may_change_at_any_time),
    cmocka_unit_test(auto_blends_while_there_is_a_morph),
};

TEST_GROUP(blend, tests);
