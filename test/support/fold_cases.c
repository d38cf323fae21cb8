/* fold_cases.c - drives folding meshes to where they meet themselves.
 * Way in: fold_run_all. Amounts are found by halving: BRUTE says on which side of the border a
 * shape is, so all kinds get there without knowing where it is. */
#include "support/fold_cases.h"

#include <math.h>
#include <stdlib.h>
#include "base/hash.h"
#include "support/fold_report.h"
#include "support/fold_world.h"
#include "support/test.h"

enum { MAX_TREES = 8 };

typedef struct fold_tally {
    size_t meshes;
    size_t borders;    /* of these: clear in some shapes, and met in others */
    size_t clear, met; /* shapes without and with pairs */
    size_t checks;     /* answers of trees that were held against BRUTE's */
    size_t pairs;
} fold_tally;

typedef struct fold_run_state {
    fold_case c;
    fold_world brute, trees[MAX_TREES];
    fold_setup setups[MAX_TREES];
    uint32_t tree_count;
    bool found[2];    /* a shape without pairs, one with pairs; then: */
    double amount[2]; /* their amounts, nearer and nearer to each other */
    bool is_turning;  /* has another pose in every second shape */
    uint32_t met_tri; /* a triangle of a pair that BRUTE found */
    fold_tally *tally;
} fold_run_state;

static uint32_t random_below(uint64_t *random, uint32_t limit)
{
    return (uint32_t)((test_random(random) >> 32) * limit >> 32);
}

/* ---- how worlds are made ---- */

static willow_tree_def random_tree(uint64_t *random)
{
    static const willow_method methods[] = {WILLOW_METHOD_BOTTOM_UP, WILLOW_METHOD_TOP_DOWN,
                                            WILLOW_METHOD_HYBRID, WILLOW_METHOD_REBUILD,
                                            WILLOW_METHOD_AUTO};
    static const willow_build builds[] = {WILLOW_BUILD_AUTO, WILLOW_BUILD_MEDIAN,
                                          WILLOW_BUILD_CONNECTIVITY, WILLOW_BUILD_SAH};
    static const uint32_t leaves[] = {1, 4, 8, 16, 32}, arities[] = {2, 4, 8};
    willow_tree_def tree = willow_tree_def_default();
    tree.method = methods[random_below(random, 5)];
    tree.build = builds[random_below(random, 4)];
    tree.leaf_triangles = leaves[random_below(random, 5)];
    tree.arity = arities[random_below(random, 3)];
    if (random_below(random, 2) == 0) tree.rebuild_ratio = INFINITY;
    if (random_below(random, 8) == 0) tree.hybrid_level = 1 + random_below(random, 2);
    return tree;
}

static fold_setup random_setup(uint64_t *random)
{
    fold_setup setup = {.tree = random_tree(random)};
    setup.kernel = random_below(random, 2) == 0 ? WILLOW_KERNEL_SCALAR : WILLOW_KERNEL_AUTO;
    setup.thread_count = random_below(random, 16) == 0 ? 2 : 1;
    setup.is_narrow = random_below(random, 2) == 0;
    setup.borrows = random_below(random, 4) == 0;
    setup.is_sparing = random_below(random, 3) == 0;
    setup.descend = (willow_descend)random_below(random, WILLOW_DESCEND_COUNT);
    return setup;
}

static fold_setup brute_setup(void)
{
    fold_setup setup = {.tree = willow_tree_def_default(), .thread_count = 1};
    setup.tree.method = WILLOW_METHOD_BRUTE;
    setup.kernel = WILLOW_KERNEL_SCALAR;
    return setup;
}

/* Most meshes stand where they are; others as far away as their size allows. */
static willow_pose random_pose(double scale, uint64_t *random)
{
    static const zoo_pose_kind kinds[] = {ZOO_POSE_SHIFTED, ZOO_POSE_QUARTER, ZOO_POSE_TURNED,
                                          ZOO_POSE_HARDLY,  ZOO_POSE_NEAR,    ZOO_POSE_FAR};
    zoo_pose_kind kind = kinds[random_below(random, 6)];
    uint64_t seed = test_random(random);
    willow_pose pose = zoo_pose_make(kind, 0, seed);
    float *translation[3] = {&pose.translation.x, &pose.translation.y, &pose.translation.z};
    for (int i = 0; i < 3; i++) *translation[i] *= (float)scale;
    return random_below(random, 5) < 3 ? willow_pose_identity() : pose;
}

/* ---- the worlds of one mesh ---- */

static void create_run(fold_run_state *run, uint64_t *random)
{
    fold_case *c = &run->c;
    const uint32_t count = c->mesh.vertex_count;
    c->born = calloc(count, sizeof *c->born);
    c->now = calloc(count, sizeof *c->now);
    c->pose = random_pose(c->mesh.finish.scale, random);
    run->is_turning = random_below(random, 16) == 0;
    c->skip_neighbours = random_below(random, 5) == 0;
    /* Most are made flat, some folded. */
    bool is_folded = random_below(random, 5) == 0;
    double amount = test_random_between(random, 0, 1);
    c->amount = is_folded ? amount : 0;
    fold_mesh_place(&c->mesh, c->amount, c->born);
    memcpy(c->now, c->born, count * sizeof *c->now);
    fold_setup brute = brute_setup();
    fold_world_create(&run->brute, c, &brute);
    for (uint32_t i = 0; i < run->tree_count; i++) {
        run->setups[i] = random_setup(random);
        fold_world_create(&run->trees[i], c, &run->setups[i]);
    }
}

static void destroy_run(fold_run_state *run)
{
    fold_world_destroy(&run->brute);
    for (uint32_t i = 0; i < run->tree_count; i++) fold_world_destroy(&run->trees[i]);
    free(run->c.born);
    free(run->c.now);
    fold_mesh_destroy(&run->c.mesh);
}

/* Asks all worlds about the shape that they have; true if it meets itself. */
static bool check_shape(fold_run_state *run, uint64_t *random)
{
    willow_pairs expected, got;
    fold_world_ask(&run->brute, &run->c, FOLD_ASK_SELF_PAIRS, &expected);
    for (uint32_t i = 0; i < run->tree_count; i++) {
        fold_ask ask = (fold_ask)random_below(random, FOLD_ASK_COUNT);
        fold_world_ask(&run->trees[i], &run->c, ask, &got);
        if (!fold_answers_agree(&expected, &got, ask))
            fold_report(&run->c, &run->setups[i], ask, &expected, &got);
        run->tally->checks++;
    }
    run->tally->pairs += expected.count;
    *(expected.count > 0 ? &run->tally->met : &run->tally->clear) += 1;
    return expected.count > 0;
}

static bool has_border(const fold_run_state *run) { return run->found[0] && run->found[1]; }

/* Halves the interval in which the border is; by turns goes anywhere, or back to one end of it. Who
 * has not found both sides yet goes anywhere, too. */
static double choose_amount(const fold_run_state *run, uint64_t *random)
{
    double anywhere = test_random_between(random, 0, 1);
    if (!has_border(run)) return anywhere;
    switch (random_below(random, 8)) {
    case 0: return anywhere;
    case 1: return run->amount[0];
    case 2: return run->amount[1];
    default: return 0.5 * (run->amount[0] + run->amount[1]);
    }
}

/* Keeps the amounts of both sides that are nearest to each other. */
static void note_side(fold_run_state *run, double amount, bool met)
{
    const double other = run->amount[!met], now = fabs(run->amount[met] - other);
    if (has_border(run) && fabs(amount - other) >= now) return;
    run->found[met] = true;
    run->amount[met] = amount;
}

static void move_to(fold_run_state *run, double amount)
{
    run->c.amount = amount;
    fold_mesh_place(&run->c.mesh, amount, run->c.now);
    fold_world_follow(&run->brute, &run->c);
    for (uint32_t i = 0; i < run->tree_count; i++) fold_world_follow(&run->trees[i], &run->c);
}

static void try_amount(fold_run_state *run, double amount, uint64_t *random)
{
    if (run->is_turning && run->c.shape % 2 == 0)
        run->c.pose = random_pose(run->c.mesh.finish.scale, random);
    move_to(run, amount);
    note_side(run, amount, check_shape(run, random));
    run->c.shape++;
}

/* ---- the border, by BRUTE alone ---- */

static void ask_brute(fold_run_state *run, double amount)
{
    willow_pairs pairs;
    fold_mesh_place(&run->c.mesh, amount, run->c.now);
    fold_world_follow(&run->brute, &run->c);
    fold_world_ask(&run->brute, &run->c, FOLD_ASK_SELF_PAIRS, &pairs);
    if (pairs.count > 0) run->met_tri = pairs.items[0].tri_a;
    note_side(run, amount, pairs.count > 0);
}

/* Halves often, so that the shapes which trees are asked about differ by some roundings only. */
static void rush_to_border(fold_run_state *run, uint32_t steps)
{
    for (uint32_t i = 0; i < steps && has_border(run); i++)
        ask_brute(run, 0.5 * (run->amount[0] + run->amount[1]));
}

/* Moves the mesh so that a vertex of a triangle that is met lies at the origin: there floats are
 * finest, and differences to all that lies around are rounded. The border moves by some roundings,
 * so a wider interval is tried. */
static void move_border_to_origin(fold_run_state *run, uint32_t corner)
{
    fold_mesh *mesh = &run->c.mesh;
    if (!has_border(run)) return;
    const double ends[2] = {3 * run->amount[0] - 2 * run->amount[1],
                            3 * run->amount[1] - 2 * run->amount[0]};
    fold_mesh_place(mesh, run->amount[1], run->c.now);
    const float *at = run->c.now[mesh->tris[run->met_tri][corner]];
    for (int axis = 0; axis < 3; axis++) mesh->finish.offset[axis] -= (double)at[axis];
    run->found[0] = run->found[1] = false;
    for (int i = 0; i < 2; i++) ask_brute(run, ends[i] < 0 ? 0 : ends[i] > 1 ? 1 : ends[i]);
}

static void find_border(fold_run_state *run, uint64_t *random)
{
    rush_to_border(run, 8);
    const uint32_t corner = random_below(random, 6);
    if (corner < 3) move_border_to_origin(run, corner);
    rush_to_border(run, corner < 3 ? 16 : 10);
}

/* ---- one mesh ---- */

static void run_mesh(fold_kind kind, uint32_t size, uint64_t seed, const fold_numbers *numbers,
                     fold_tally *tally)
{
    uint64_t random = wi_hash_u64(seed, kind);
    fold_run_state run = {.tree_count = numbers->trees, .tally = tally};
    assert_true(numbers->trees <= MAX_TREES);
    fold_mesh_create(&run.c.mesh, kind, size, seed);
    create_run(&run, &random);
    note_side(&run, run.c.amount, check_shape(&run, &random));
    run.c.shape = 1;
    try_amount(&run, 1, &random);
    if (random_below(&random, 2) == 0) find_border(&run, &random);
    while (run.c.shape < (has_border(&run) ? numbers->shapes : numbers->shapes / 3))
        try_amount(&run, choose_amount(&run, &random), &random);
    tally->meshes++;
    tally->borders += has_border(&run);
    destroy_run(&run);
}

/* ---- all meshes ---- */

static uint32_t size_for(const fold_numbers *numbers, uint64_t seed)
{
    const double part = (double)(wi_hash_u64(1, seed) >> 11) * 0x1p-53;
    return numbers->smallest + (uint32_t)((numbers->largest - numbers->smallest) * part * part);
}

static void print_tally(const char *what, const fold_tally *tally)
{
    print_message("%s: %zu meshes, %zu with a border; %zu shapes clear, %zu met; %zu checks, "
                  "%zu pairs found\n",
                  what, tally->meshes, tally->borders, tally->clear, tally->met, tally->checks,
                  tally->pairs);
}

static void add_tally(fold_tally *sum, const fold_tally *tally)
{
    sum->meshes += tally->meshes;
    sum->borders += tally->borders;
    sum->clear += tally->clear;
    sum->met += tally->met;
    sum->checks += tally->checks;
    sum->pairs += tally->pairs;
}

static fold_tally run_kind(fold_kind kind, const fold_numbers *numbers)
{
    fold_tally tally = {0};
    for (uint32_t i = 0; i < numbers->meshes; i++)
        run_mesh(kind, size_for(numbers, numbers->seed + i), numbers->seed + i, numbers, &tally);
    print_tally(fold_kind_name(kind), &tally);
    assert_true(8 * tally.borders >= tally.meshes);
    assert_true(8 * tally.clear >= tally.clear + tally.met);
    assert_true(8 * tally.met >= tally.clear + tally.met);
    return tally;
}

void fold_run_kind(fold_kind kind, const fold_numbers *numbers) { (void)run_kind(kind, numbers); }

void fold_run_all(const fold_numbers *numbers)
{
    fold_tally sum = {0};
    for (fold_kind kind = 0; kind < FOLD_KIND_COUNT; kind++) {
        fold_tally tally = run_kind(kind, numbers);
        add_tally(&sum, &tally);
    }
    print_tally("all kinds", &sum);
}
