/* Every leaf is listed once, and in order, at each of its places; and on borders at those only that
 * it does not own. */
#include <stdlib.h>
#include "support/self_lists.h"
#include "support/test.h"
#include "tree/leaf_incidence.h"

typedef struct tally {
    size_t trees, entries, borders;
} tally;

/* How often a leaf has a place, among its vertices from `from` on. */
static unsigned count_place(const wi_tree *h, const wi_leaf *leaf, unsigned from, uint32_t place)
{
    unsigned times = 0;
    for (unsigned i = from; i < leaf->vertex_count; i++)
        times += wi_leaf_place(h, leaf, i) == place;
    return times;
}

static void check_lists(const wi_tree *h, uint32_t places, const uint32_t *first,
                        const uint32_t *leaves, bool with_owned)
{
    assert_int_equal(first[0], 0);
    assert_int_equal(first[places],
                     with_owned ? h->shape->leaf_vertex_count : h->shape->border_count);
    for (uint32_t place = 0; place < places; place++)
        for (uint32_t i = first[place]; i < first[place + 1]; i++) {
            const wi_leaf *leaf = &h->shape->leaves[leaves[i]];
            assert_true(leaves[i] < h->shape->leaf_count);
            assert_true(i == first[place] || leaves[i - 1] < leaves[i]);
            assert_int_equal(count_place(h, leaf, with_owned ? 0 : leaf->owned_count, place), 1);
        }
}

static void visit_lists(tree_site *s, const char *words, void *context)
{
    (void)words;
    const wi_tree *h = &s->h;
    tally *t = context;
    const uint32_t places = h->mesh->vertex_count;
    uint32_t *first = calloc((size_t)places + 1, sizeof *first);
    uint32_t *leaves = calloc((size_t)h->shape->leaf_vertex_count + 1, sizeof *leaves);
    assert_true(first && leaves);
    wi_leaves_by_place(h, places, first, leaves);
    check_lists(h, places, first, leaves, true);
    wi_leaves_by_border(h, places, first, leaves);
    check_lists(h, places, first, leaves, false);
    t->trees++;
    t->entries += h->shape->leaf_vertex_count;
    t->borders += h->shape->border_count;
    free(first);
    free(leaves);
}

/* Lists are in order and as long as all leaves together: so no leaf is missing. */
static void every_leaf_is_listed_once_at_each_of_its_places(void **state)
{
    (void)state;
    tally t = {0};
    self_trees_visit(visit_lists, &t);
    print_message("%zu trees, %zu entries, %zu of them on borders\n", t.trees, t.entries,
                  t.borders);
    assert_true(t.trees > 600 && t.borders > 10000);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_leaf_is_listed_once_at_each_of_its_places),
};

TEST_GROUP(leaf_incidence, tests);
