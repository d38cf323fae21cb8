/* A tree over the boxes of bodies holds each that has one, whatever their sizes, and says which of
 * them meet a box. */
#include <float.h>
#include "broad/body_tree.h"
#include "broad/broad.h"
#include "support/test.h"

enum { MOST = 3000 };

typedef enum kind { SPREAD, EQUAL, HEAVY, FAR_OUT, IN_A_LINE, INFINITE, EMPTY, KINDS } kind;

static wi_box make_box(kind what, uint32_t number, uint64_t *random)
{
    wi_box box = {{0}, {0}};
    double size = test_random_between(random, 0, 2);
    if (what == EMPTY || (what == SPREAD && number % 7 == 0)) return wi_box_empty();
    if (what == EQUAL) return (wi_box){{1, 2, 3}, {4, 5, 6}};
    if (what == HEAVY) size = 0.1 / test_random_between(random, 0.0005, 1);
    for (int axis = 0; axis < 3; axis++) {
        double at = test_random_between(random, -20, 20);
        if (what == IN_A_LINE) at = axis == 0 ? number : 0, size = 0;
        if (what == FAR_OUT) at *= number % 100 == 0 ? 1e30 : 1e-3;
        box.lower[axis] = (float)at;
        box.upper[axis] = (float)(at + size);
        if (what == INFINITE && number % 5 == 0) box.lower[axis] = -INFINITY;
        if (what == INFINITE && number % 3 == 0) box.upper[axis] = INFINITY;
        if (what == INFINITE && number % 4 == 0) box.upper[axis] = FLT_MAX;
    }
    return box;
}

static void make_boxes(kind what, uint32_t count, uint64_t *random, wi_box *boxes)
{
    for (uint32_t i = 0; i < count; i++) boxes[i] = make_box(what, i, random);
}

typedef struct fixture {
    wi_memory memory;
    wi_workspace workspace;
    wi_body_tree tree;
    wi_body_numbers found;
    wi_box boxes[MOST];
} fixture;

static void begin(fixture *f)
{
    *f = (fixture){0};
    wi_memory_init(&f->memory, &(willow_allocator){0});
}

static void end(fixture *f)
{
    wi_array_free(&f->memory, &f->found);
    wi_body_tree_free(&f->memory, &f->tree);
    wi_workspace_free(&f->memory, &f->workspace);
    assert_int_equal(f->memory.bytes, 0);
}

static wi_box_list build(fixture *f, uint32_t count)
{
    const wi_box_list list = {f->boxes, sizeof f->boxes[0], count};
    assert_true(wi_body_tree_reserve(&f->memory, &f->tree, count));
    assert_true(wi_workspace_reserve(&f->memory, &f->workspace, wi_body_tree_build_size(count)));
    wi_body_tree_build(&f->tree, &list, &f->workspace);
    return list;
}

static void assert_valid(const fixture *f, const wi_box_list *list)
{
    const char *broken = wi_body_tree_validate(&f->tree, list);
    if (broken) fail_msg("%s", broken);
}

static size_t check_find(fixture *f, const wi_box_list *list, const wi_box *box)
{
    size_t at = 0;
    f->found.count = 0;
    assert_true(wi_body_tree_find(&f->memory, &f->tree, box, &f->found));
    for (uint32_t i = 0; i < list->count; i++) {
        const wi_box *own = wi_box_list_at(list, i);
        if (wi_box_is_empty(own) || !wi_boxes_meet(own, box)) continue;
        assert_true(at < f->found.count);
        assert_int_equal(f->found.items[at++], i);
    }
    assert_int_equal(at, f->found.count);
    return at;
}

static void a_tree_has_every_box_and_finds_those_that_meet_another(void **state)
{
    static fixture f;
    uint64_t random = 5;
    size_t found = 0;
    (void)state;
    begin(&f);
    for (int k = 0; k < KINDS; k++)
        for (uint32_t count = 1; count <= MOST; count = count * 3 + 1) {
            make_boxes((kind)k, count, &random, f.boxes);
            const wi_box_list list = build(&f, count);
            assert_valid(&f, &list);
            assert_true(f.tree.node_count <= wi_body_tree_most_nodes(count));
            for (int i = 0; i < 20; i++) {
                const wi_box box = make_box(SPREAD, 1, &random);
                found += check_find(&f, &list, &box);
            }
        }
    end(&f);
    printf("%zu bodies found\n", found);
    assert_true(found > 0);
}

static void a_refit_follows_boxes_that_move(void **state)
{
    static fixture f;
    uint64_t random = 9;
    (void)state;
    begin(&f);
    make_boxes(HEAVY, MOST, &random, f.boxes);
    const wi_box_list list = build(&f, MOST);
    const double fresh = f.tree.spread;
    for (int step = 0; step < 5; step++) {
        make_boxes(step == 3 ? INFINITE : HEAVY, MOST, &random, f.boxes);
        wi_body_tree_refit(&f.tree, &list);
        assert_valid(&f, &list);
        const wi_box box = make_box(SPREAD, 1, &random);
        (void)check_find(&f, &list, &box);
    }
    assert_true(f.tree.spread > fresh); /* all have changed places */
    end(&f);
}

/* The floor is a child of the root, or of one of its children. */
static void a_floor_is_near_the_root(void **state)
{
    static fixture f;
    uint64_t random = 3;
    (void)state;
    begin(&f);
    make_boxes(SPREAD, MOST, &random, f.boxes);
    f.boxes[MOST / 2] = (wi_box){{-100, -100, -1}, {100, 100, 0}};
    const wi_box_list list = build(&f, MOST);
    size_t above = 0;
    for (uint32_t i = 0; i < f.tree.node_count; i++)
        for (unsigned lane = 0; lane < f.tree.nodes[i].count; lane++) {
            const wi_box box = wi_body_node_box(&f.tree.nodes[i], lane);
            above += wi_box_contains(&box, &f.boxes[MOST / 2]);
        }
    assert_valid(&f, &list);
    assert_in_range(above, 1, 2);
    end(&f);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_tree_has_every_box_and_finds_those_that_meet_another),
    cmocka_unit_test(a_refit_follows_boxes_that_move),
    cmocka_unit_test(a_floor_is_near_the_root),
};

TEST_GROUP(body_tree, tests);
