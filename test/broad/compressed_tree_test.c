/* A compressed tree that follows boxes in place, one that is refined and pruned as in the paper,
 * and one that is built afresh are the same in every step, cell for cell, corner for corner, list
 * for list; and canonical, as the validator says. */
#include "broad/compressed/cells.h"
#include "broad/compressed/literal.h"
#include "support/choices.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

enum { BOXES = 48 };

typedef struct course {
    wi_memory memory;
    choices c;
    uint32_t axes, room; /* units in which boxes are put, from `first` on */
    uint32_t first, longest;
    wi_cell_range ranges[BOXES];
    bool is_alive[BOXES];
    wi_ctree place, literal, next, fresh;
    willow_broad_refinement counts;
} course;

/* ---- boxes ---- */

static void put_box(course *k, uint32_t box)
{
    k->ranges[box] = (wi_cell_range){{{0}}, {{0}}};
    for (uint32_t axis = 0; axis < k->axes; axis++) {
        const uint32_t low = k->first + choose(&k->c, k->room);
        k->ranges[box].low.x[axis] = low;
        k->ranges[box].high.x[axis] = low + choose(&k->c, k->longest);
    }
}

/* A unit along each axis at most; ends may come nearer to each other, or part. */
static void move_box(course *k, uint32_t box)
{
    wi_cell_range *r = &k->ranges[box];
    const uint32_t last = (UINT32_C(1) << wi_ctree_bits(&k->place)) - 1;
    for (uint32_t axis = 0; axis < k->axes; axis++) {
        const uint32_t by = choose(&k->c, 3), longer = choose(&k->c, 12);
        if (by == 0 && r->low.x[axis] > 0) r->low.x[axis]--, r->high.x[axis]--;
        if (by == 2 && r->high.x[axis] < last) r->low.x[axis]++, r->high.x[axis]++;
        if (longer == 0 && by == 1 && r->high.x[axis] < last) r->high.x[axis]++;
        if (longer == 1 && by == 1 && r->high.x[axis] > r->low.x[axis]) r->high.x[axis]--;
    }
}

/* ---- trees ---- */

static uint64_t hash_list(const wi_ctree *t, const wi_ctree_node *n)
{
    uint64_t sum = 0;
    for (uint32_t e = n->entry; e != UINT32_MAX; e = t->entries.items[e].next)
        sum += (t->entries.items[e].box + 1) * UINT64_C(0x9E3779B97F4A7C15);
    return sum;
}

/* Nodes in the order of cells, without the numbers that they happen to have. */
static void compare_nodes(const wi_ctree *a, const wi_ctree *b, uint32_t at_a, uint32_t at_b)
{
    const wi_ctree_node *na = &a->nodes.items[at_a], *nb = &b->nodes.items[at_b];
    assert_int_equal(na->kind, nb->kind);
    assert_int_equal(na->bits, nb->bits);
    assert_memory_equal(&na->at, &nb->at, sizeof na->at);
    if (wi_ctree_is_leaf(na)) {
        assert_int_equal(na->points, nb->points);
        if (na->points > 0) assert_memory_equal(&na->point, &nb->point, sizeof na->point);
        assert_true(hash_list(a, na) == hash_list(b, nb));
    }
}

static void compare_trees(const wi_ctree *a, const wi_ctree *b)
{
    uint32_t(*stack)[2] = malloc((a->node_count + 1) * sizeof *stack);
    size_t count = 0;
    assert_non_null(stack);
    assert_int_equal(a->node_count, b->node_count);
    assert_int_equal(a->entry_count, b->entry_count);
    stack[count][0] = stack[count][1] = 0;
    count++;
    while (count > 0) {
        const uint32_t at_a = stack[--count][0], at_b = stack[count][1];
        compare_nodes(a, b, at_a, at_b);
        const wi_ctree_node *na = &a->nodes.items[at_a], *nb = &b->nodes.items[at_b];
        for (uint32_t i = 0; i < wi_ctree_child_count(a, na); i++, count++) {
            stack[count][0] = na->child + i;
            stack[count][1] = nb->child + i;
        }
    }
    free(stack);
}

static void follow_in_place(course *k, const wi_cell_range *before)
{
    for (uint32_t i = 0; i < BOXES; i++)
        if (k->is_alive[i]) assert_true(wi_ctree_take_out(&k->memory, &k->place, i));
    for (uint32_t i = 0; i < BOXES; i++)
        for (uint32_t corner = 0; k->is_alive[i] && corner < 1U << k->axes; corner++) {
            const wi_cell_at from = wi_cell_corner(&before[i], corner);
            const wi_cell_at to = wi_cell_corner(&k->ranges[i], corner);
            assert_true(wi_ctree_move_point(&k->memory, &k->place, &from, &to));
        }
    for (uint32_t i = 0; i < BOXES; i++)
        if (k->is_alive[i]) assert_true(wi_ctree_put_in(&k->memory, &k->place, i, &k->ranges[i]));
}

static void follow_literally(course *k)
{
    assert_true(wi_ctree_reserve(&k->memory, &k->next, BOXES));
    assert_true(wi_literal_step(&k->memory, &k->literal, k->ranges, &k->next, &k->counts));
    const wi_ctree before = k->literal;
    k->literal = k->next;
    k->next = before;
}

static void build(course *k, wi_ctree *tree)
{
    assert_true(wi_ctree_build(&k->memory, tree, k->ranges, k->is_alive, BOXES));
}

/* What the paper says of T1: all cells of T are in it, and each leaf looks at few. */
static void check_counts(const course *k)
{
    size_t sum = 0;
    for (int i = 0; i < WILLOW_REFINE_COUNT; i++) sum += k->counts.cases[i];
    assert_true(k->counts.nodes_refined >= k->counts.nodes);
    assert_int_equal(sum + k->counts.cases[WILLOW_REFINE_2C], k->counts.nodes_refined);
    assert_int_equal(k->counts.leaves, k->counts.cases[WILLOW_REFINE_2A] +
                                           k->counts.cases[WILLOW_REFINE_2C] +
                                           k->counts.cases[WILLOW_REFINE_3]);
    assert_true(k->counts.leaves_looked >= k->counts.leaves);
    assert_true(k->axes == 3 || k->counts.most_leaves_looked <= 11);
}

static void step(course *k)
{
    wi_cell_range before[BOXES];
    memcpy(before, k->ranges, sizeof before);
    const uint32_t share = choose(&k->c, 4);
    for (uint32_t i = 0; i < BOXES; i++)
        if (k->is_alive[i] && choose(&k->c, 4) >= share) move_box(k, i);
    follow_in_place(k, before);
    follow_literally(k);
    build(k, &k->fresh);
    assert_null(wi_ctree_validate(&k->literal, k->is_alive, BOXES));
    compare_trees(&k->place, &k->fresh);
    compare_trees(&k->literal, &k->fresh);
    check_counts(k);
}

/* Some boxes are dense, some lie in one spot, some at the ends of the root. */
static void play(uint32_t axes, uint64_t seed, willow_broad_refinement *sum)
{
    course *k = calloc(1, sizeof *k);
    assert_non_null(k);
    k->c = choices_of_seed(seed);
    k->axes = axes;
    wi_memory_init(&k->memory, &(willow_allocator){.alloc = NULL});
    wi_ctree *const trees[] = {&k->place, &k->literal, &k->next, &k->fresh};
    for (int i = 0; i < 4; i++) wi_ctree_init(trees[i], axes);
    static const uint32_t rooms[] = {1, 4, 16, 64, 1024, 65536}, longests[] = {1, 2, 5, 20, 300};
    k->room = rooms[choose(&k->c, 6)];
    k->longest = longests[choose(&k->c, 5)];
    const uint32_t all = UINT32_C(1) << wi_ctree_bits(&k->place), used = k->room + k->longest;
    k->first = choose(&k->c, 3) * (all / 2 - used / 2); /* at the start, around the middle, */
    if (k->first > all - used) k->first = all - used;   /* at the end */
    for (uint32_t i = 0; i < BOXES; i++) {
        k->is_alive[i] = choose(&k->c, 8) != 0;
        put_box(k, i);
    }
    build(k, &k->place);
    build(k, &k->literal);
    for (uint32_t i = 0; i < 12; i++) {
        step(k);
        for (int n = 0; n < WILLOW_REFINE_COUNT; n++) sum->cases[n] += k->counts.cases[n];
        sum->nodes += k->counts.nodes;
        sum->nodes_refined += k->counts.nodes_refined;
        if (k->counts.most_leaves_looked > sum->most_leaves_looked)
            sum->most_leaves_looked = k->counts.most_leaves_looked;
    }
    for (int i = 0; i < 4; i++) wi_ctree_free(&k->memory, trees[i]);
    assert_true(k->memory.bytes == 0);
    free(k);
}

static void play_all(uint32_t axes, uint64_t seeds, willow_broad_refinement *sum)
{
    for (uint64_t seed = 0; seed < seeds; seed++) play(axes, seed * 2 + axes, sum);
    printf("%u axes: T %zu nodes, T1 %zu, at most %zu leaves looked at\n", axes, sum->nodes,
           sum->nodes_refined, sum->most_leaves_looked);
    for (int i = 0; i < WILLOW_REFINE_COUNT; i++) assert_true(sum->cases[i] > 0);
}

static void three_ways_lead_to_one_tree_in_the_plane(void **state)
{
    willow_broad_refinement sum = {.nodes = 0};
    (void)state;
    play_all(2, test_seeds(30), &sum);
    assert_int_equal(sum.most_leaves_looked, 11); /* as the paper counts them */
}

static void three_ways_lead_to_one_tree_in_space(void **state)
{
    willow_broad_refinement sum = {.nodes = 0};
    (void)state;
    play_all(3, test_seeds(6), &sum);
    assert_true(sum.most_leaves_looked > 11);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(three_ways_lead_to_one_tree_in_the_plane),
    cmocka_unit_test(three_ways_lead_to_one_tree_in_space),
};

TEST_GROUP(compressed_tree, tests);
