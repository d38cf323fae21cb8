/* Rebuilding subtrees in place: the new one is what its builder makes of these triangles alone, the
 * rest of the tree stays to the bit, no vertex moves, and without memory nothing changes at all.
 * Trees are over every kind of mesh, stored and borrowed, whose vertices are thrown about after the
 * build, so that a fresh subtree is another one. */
#include <math.h>
#include <stdlib.h>
#include "base/threads.h"
#include "support/kept.h"
#include "support/test.h"
#include "support/tree_site.h"
#include "support/zoo_cases.h"
#include "tree/build/split_boxes.h"
#include "update/refit/refit.h"

/* ---- a mesh that is thrown about ---- */

typedef struct stage {
    tree_site site;
    zoo_mesh zoo;
    float (*now)[3]; /* by vertex: where it is; also the user's array of a borrowed mesh */
    willow_kernel kernel;
    uint64_t rounds;
} stage;

static void open_stage(stage *s, zoo_kind kind, uint32_t size, bool borrow, willow_kernel kernel)
{
    *s = (stage){.kernel = wi_kernel_choose(kernel)};
    zoo_mesh_create(&s->zoo, kind, size, 7);
    if (kind % 3 == 2) zoo_mesh_group(&s->zoo, 7);
    s->now = calloc((size_t)s->zoo.vertex_count + 1, sizeof *s->now);
    if (s->zoo.vertex_count > 0)
        memcpy(s->now, s->zoo.positions, s->zoo.vertex_count * sizeof *s->now);
    tree_site_open(&s->site, &(willow_mesh_def){.positions = s->now,
                                                .vertex_count = s->zoo.vertex_count,
                                                .indices = s->zoo.tris,
                                                .triangle_count = s->zoo.triangle_count,
                                                .triangle_groups = s->zoo.groups,
                                                .group_masks = s->zoo.masks,
                                                .group_count = s->zoo.mask_count,
                                                .borrow = borrow,
                                                .weld_exact = s->zoo.weld});
}

static void close_stage(stage *s)
{
    tree_site_close(&s->site);
    zoo_mesh_destroy(&s->zoo);
    free(s->now);
}

/* Bounds everything, under a revision of its own. */
static void bound(stage *s)
{
    const wi_refit_kernels *refit = wi_refit_kernels_for(s->kernel);
    willow_tasks tasks = wi_serial_tasks();
    wi_refit_leaves(refit, &tasks, &s->site.h);
    refit->merge(&s->site.h, WI_FIRST_REVISION + s->rounds++);
}

/* Hands over `now` by one of the two ways in. */
static void take_positions(stage *s, bool in_tree_order)
{
    const wi_source source = {(const char *)s->now, sizeof *s->now};
    tree_site *site = &s->site;
    if (site->mesh.borrowed) return;
    if (!in_tree_order) {
        assert_ok(wi_mesh_take_all(&site->mesh, source, &site->message));
        return;
    }
    willow_tasks tasks = wi_serial_tasks();
    assert_true(wi_refit_take(s->kernel, &tasks, &site->h, &site->mesh, source));
    wi_mesh_commit_staged(&site->mesh);
}

enum { ANYWHERE, EXCHANGED, ON_ONE_POINT, THROWS };

static void throw_about(stage *s, unsigned how, uint64_t *random)
{
    const uint32_t count = s->zoo.vertex_count;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t other = (uint32_t)(test_random(random) % (i + 1));
        float at[3];
        memcpy(at, s->now[other], sizeof at);
        if (how == EXCHANGED) {
            memcpy(s->now[other], s->now[i], sizeof at);
            memcpy(s->now[i], at, sizeof at);
        }
        for (int axis = 0; axis < 3; axis++) {
            if (how == ANYWHERE) s->now[i][axis] = (float)test_random_between(random, -1, 1);
            if (how == ON_ONE_POINT && i % 3 != 0) s->now[i][axis] = 0.5F;
        }
    }
    take_positions(s, test_random(random) % 2 == 0);
}

static void check_positions(const stage *s)
{
    const wi_mesh *mesh = &s->site.mesh;
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++) {
        const uint32_t at = mesh->borrowed ? vertex : wi_mesh_stand_in(mesh, vertex);
        assert_memory_equal(wi_mesh_position(mesh, vertex), s->now[at], sizeof s->now[at]);
    }
}

/* ---- a tree as it was ---- */

static void *copy_of(const void *items, size_t count, size_t size)
{
    void *copy = aligned_alloc(64, (count * size + 64) / 64 * 64);
    if (count > 0) memcpy(copy, items, count * size);
    return copy;
}

static wi_tree copy_tree(const wi_tree *h)
{
    wi_tree copy = *h;
    copy.shape = copy_of(h->shape, 1, sizeof *h->shape);
    copy.boxes.nodes = copy_of(h->boxes.nodes, h->shape->node_count, sizeof *h->boxes.nodes);
    copy.shape->leaves = copy_of(h->shape->leaves, h->shape->leaf_count, sizeof *h->shape->leaves);
    copy.shape->leaf_vertices = copy_of(h->shape->leaf_vertices, h->shape->leaf_vertex_count,
                                        sizeof *h->shape->leaf_vertices);
    copy.shape->borders =
        copy_of(h->shape->borders, h->shape->border_count, sizeof *h->shape->borders);
    copy.shape->corners =
        copy_of(h->shape->corners, h->shape->tri_count, sizeof *h->shape->corners);
    copy.shape->slots = copy_of(h->shape->slots, h->shape->tri_count, sizeof *h->shape->slots);
    copy.shape->sets.nodes =
        copy_of(h->shape->sets.nodes, h->shape->sets.node_count, sizeof *h->shape->sets.nodes);
    copy.shape->sets.leaves =
        copy_of(h->shape->sets.leaves, h->shape->sets.leaf_count, sizeof *h->shape->sets.leaves);
    return copy;
}

static void free_copy(wi_tree *copy)
{
    free(copy->boxes.nodes);
    free(copy->shape->leaves);
    free(copy->shape->leaf_vertices);
    free(copy->shape->borders);
    free(copy->shape->corners);
    free(copy->shape->slots);
    free(copy->shape->sets.nodes);
    free(copy->shape->sets.leaves);
    free(copy->shape);
}

static void check_bytes(const void *a, const void *b, size_t count, size_t size)
{
    if (count > 0) assert_memory_equal(a, b, count * size);
}

/* Every list is the same. */
static void check_lists(const wi_tree *a, const wi_tree *b)
{
    assert_int_equal(a->shape->node_count, b->shape->node_count);
    assert_int_equal(a->shape->leaf_count, b->shape->leaf_count);
    assert_int_equal(a->shape->leaf_vertex_count, b->shape->leaf_vertex_count);
    assert_int_equal(a->shape->border_count, b->shape->border_count);
    assert_int_equal(a->shape->tri_count, b->shape->tri_count);
    assert_int_equal(a->shape->height, b->shape->height);
    check_bytes(a->boxes.nodes, b->boxes.nodes, a->shape->node_count, sizeof *a->boxes.nodes);
    check_bytes(a->shape->borders, b->shape->borders, a->shape->border_count,
                sizeof *a->shape->borders);
    check_bytes(a->shape->leaf_vertices, b->shape->leaf_vertices, a->shape->leaf_vertex_count,
                sizeof *a->shape->leaf_vertices);
    check_bytes(a->shape->corners, b->shape->corners, a->shape->tri_count,
                sizeof *a->shape->corners);
    check_bytes(a->shape->slots, b->shape->slots, a->shape->tri_count, sizeof *a->shape->slots);
    assert_int_equal(a->shape->sets.node_count, b->shape->sets.node_count);
    check_bytes(a->shape->sets.nodes, b->shape->sets.nodes, a->shape->sets.node_count,
                sizeof *a->shape->sets.nodes);
    check_bytes(a->shape->sets.leaves, b->shape->sets.leaves, a->shape->sets.leaf_count,
                sizeof *a->shape->sets.leaves);
    for (uint32_t i = 0; i < a->shape->leaf_count; i++) { /* not to the bit: there is a gap */
        const wi_leaf *x = &a->shape->leaves[i], *y = &b->shape->leaves[i];
        assert_true(x->first_tri == y->first_tri && x->first_vertex == y->first_vertex &&
                    x->first_place == y->first_place && x->tri_count == y->tri_count &&
                    x->vertex_count == y->vertex_count && x->owned_count == y->owned_count);
    }
}

/* ---- choosing nodes ---- */

static bool is_below(const wi_tree *h, uint32_t node, uint32_t top)
{
    while (node > top) node = h->boxes.nodes[node].parent;
    return node == top;
}

/* About one of `share` nodes, none below another; returns how many. */
static uint32_t choose_nodes(const wi_tree *h, uint64_t *random, uint32_t share, uint32_t *nodes)
{
    uint32_t count = 0;
    for (uint32_t node = 0; node < h->shape->node_count; node++) {
        if (count > 0 && is_below(h, node, nodes[count - 1])) continue;
        if (test_random(random) % share == 0) nodes[count++] = node;
    }
    return count;
}

static willow_result rebuild(stage *s, const uint32_t *nodes, uint32_t count)
{
    tree_site *site = &s->site;
    return wi_tree_rebuild_below(&site->memory, &site->workspace, s->kernel, &site->mesh, &site->h,
                                 nodes, count);
}

/* ---- what must hold ---- */

static bool is_leaf(const wi_node *view, unsigned lane)
{
    return (view->leaf_mask >> lane & 1) != 0;
}

static void count_slots(const wi_tree *h, uint32_t node, int by, int *counts)
{
    const wi_node *view = &h->boxes.nodes[node];
    for (unsigned lane = 0; lane < view->count; lane++) {
        if (!is_leaf(view, lane)) {
            count_slots(h, view->child[lane], by, counts);
            continue;
        }
        const wi_leaf *leaf = &h->shape->leaves[view->child[lane]];
        for (uint32_t i = 0; i < leaf->tri_count; i++)
            counts[h->shape->slots[leaf->first_tri + i]] += by;
    }
}

static void check_same_slots(const wi_tree *a, uint32_t in_a, const wi_tree *b, uint32_t in_b)
{
    int *counts = calloc(a->mesh->tri_count, sizeof *counts);
    count_slots(a, in_a, 1, counts);
    count_slots(b, in_b, -1, counts);
    for (uint32_t slot = 0; slot < a->mesh->tri_count; slot++) assert_int_equal(counts[slot], 0);
    free(counts);
}

static void check_without_boxes(const wi_tree *h, uint32_t node)
{
    const wi_node *view = &h->boxes.nodes[node];
    assert_true(atomic_load(&view->stamp) == 0);
    for (unsigned lane = 0; lane < WI_LANES; lane++) {
        wi_box box = wi_node_box(view, lane);
        assert_true(wi_box_is_empty(&box));
        if (lane < view->count && !is_leaf(view, lane)) check_without_boxes(h, view->child[lane]);
    }
}

static void check_same_leaf(const wi_tree *a, const wi_leaf *x, const wi_tree *b, const wi_leaf *y)
{
    assert_int_equal(x->tri_count, y->tri_count);
    assert_int_equal(x->vertex_count, y->vertex_count);
    assert_int_equal(x->owned_count, y->owned_count);
    check_bytes(a->shape->slots + x->first_tri, b->shape->slots + y->first_tri, x->tri_count,
                sizeof *a->shape->slots);
    check_bytes(a->shape->corners + x->first_tri, b->shape->corners + y->first_tri, x->tri_count,
                sizeof *a->shape->corners);
    check_bytes(a->shape->leaf_vertices + x->first_vertex,
                b->shape->leaf_vertices + y->first_vertex, x->vertex_count,
                sizeof *a->shape->leaf_vertices);
}

/* What was replaced, in a walk down both trees at once. */
typedef struct replaced {
    const wi_tree *before;
    const uint32_t *nodes;
    uint32_t count, met;
    uint32_t *now; /* the numbers that these nodes have now */
} replaced;

static bool is_replaced(const replaced *r, uint32_t node)
{
    for (uint32_t i = 0; i < r->count; i++)
        if (r->nodes[i] == node) return true;
    return false;
}

/* All but the subtrees that were replaced is as it was, and these have the same triangles. */
static void check_rest(replaced *r, uint32_t old, const wi_tree *h, uint32_t node)
{
    const wi_node *was = &r->before->boxes.nodes[old], *is = &h->boxes.nodes[node];
    if (is_replaced(r, old)) {
        check_same_slots(r->before, old, h, node);
        check_without_boxes(h, node);
        r->now[r->met++] = node;
        return;
    }
    assert_int_equal(was->count, is->count);
    assert_int_equal(was->leaf_mask, is->leaf_mask);
    assert_true(atomic_load(&was->stamp) == atomic_load(&is->stamp));
    assert_memory_equal(was->lower, is->lower, sizeof was->lower);
    assert_memory_equal(was->upper, is->upper, sizeof was->upper);
    for (unsigned lane = 0; lane < is->count; lane++) {
        if (is_leaf(is, lane))
            check_same_leaf(r->before, &r->before->shape->leaves[was->child[lane]], h,
                            &h->shape->leaves[is->child[lane]]);
        else
            check_rest(r, was->child[lane], h, is->child[lane]);
    }
}

/* Borders name the places that the owners give, whether positions are stored or not. */
static void check_borders(const wi_tree *h)
{
    uint32_t *place = calloc((size_t)h->mesh->vertex_count + 1, sizeof *place), borders = 0;
    for (uint32_t i = 0; i < h->shape->leaf_count; i++) {
        const wi_leaf *leaf = &h->shape->leaves[i];
        for (uint32_t k = 0; k < leaf->vertex_count; k++) {
            const uint32_t vertex = h->shape->leaf_vertices[leaf->first_vertex + k];
            if (k < leaf->owned_count)
                place[vertex] = leaf->first_place + k;
            else
                assert_int_equal(wi_leaf_border(h, leaf)[k - leaf->owned_count], place[vertex]);
        }
        borders += (uint32_t)leaf->vertex_count - leaf->owned_count;
    }
    assert_int_equal(borders, h->shape->border_count);
    free(place);
}

static void check_same_shape(const wi_tree *a, uint32_t in_a, const wi_tree *b, uint32_t in_b)
{
    const wi_node *x = &a->boxes.nodes[in_a], *y = &b->boxes.nodes[in_b];
    assert_int_equal(x->count, y->count);
    assert_int_equal(x->leaf_mask, y->leaf_mask);
    for (unsigned lane = 0; lane < x->count; lane++) {
        if (!is_leaf(x, lane)) {
            check_same_shape(a, x->child[lane], b, y->child[lane]);
            continue;
        }
        const wi_leaf *p = &a->shape->leaves[x->child[lane]],
                      *q = &b->shape->leaves[y->child[lane]];
        assert_int_equal(p->tri_count, q->tri_count);
        check_bytes(a->shape->slots + p->first_tri, b->shape->slots + q->first_tri, p->tri_count,
                    sizeof *a->shape->slots);
    }
}

/* The subtree is the tree of a body that has these triangles and no others. */
static void check_as_alone(const stage *s, uint32_t node)
{
    const wi_mesh *mesh = &s->site.mesh;
    int *counts = calloc(mesh->tri_count, sizeof *counts);
    uint16_t *groups = calloc(mesh->tri_count, sizeof *groups);
    tree_site alone;
    count_slots(&s->site.h, node, 1, counts);
    for (uint32_t slot = 0; slot < mesh->tri_count; slot++) groups[slot] = (uint16_t)counts[slot];
    tree_site_open(&alone, &(willow_mesh_def){.positions = s->now,
                                              .vertex_count = mesh->vertex_count,
                                              .indices = mesh->tris,
                                              .triangle_count = mesh->tri_count,
                                              .triangle_groups = groups});
    tree_site_build(&alone, WILLOW_KERNEL_SCALAR, &s->site.h.def);
    check_same_shape(&alone.h, 0, &s->site.h, node);
    tree_site_close(&alone);
    free(counts);
    free(groups);
}

static void check_sound(const stage *s)
{
    const char *broken = wi_tree_validate(&s->site.h);
    if (broken == NULL) broken = wi_mesh_validate(&s->site.mesh);
    if (broken) fail_msg("%s", broken);
    assert_int_equal(wi_mesh_bytes(&s->site.mesh) + kept_tree_bytes(&s->site.h) +
                         s->site.workspace.size,
                     atomic_load(&s->site.allocator.bytes));
}

/* Rebuilds below some nodes and looks at everything; returns how many. */
static uint32_t graft_and_check(stage *s, uint64_t *random, uint32_t share)
{
    wi_tree *h = &s->site.h, before = copy_tree(h);
    uint32_t *nodes = calloc(2 * (size_t)h->shape->node_count, sizeof *nodes);
    const uint32_t count = choose_nodes(h, random, share, nodes);
    replaced r = {&before, nodes, count, 0, nodes + h->shape->node_count};
    assert_ok(rebuild(s, nodes, count));
    check_rest(&r, 0, h, 0);
    assert_int_equal(r.met, count);
    if (h->shape->node_count <= before.boxes.node_room)
        assert_int_equal(h->boxes.node_room, before.boxes.node_room);
    if (h->shape->leaf_count <= before.shape->leaf_room)
        assert_int_equal(h->shape->leaf_room, before.shape->leaf_room);
    check_borders(h);
    check_positions(s);
    for (uint32_t i = 0; i < count && h->shape->height <= WI_DEEP; i++) check_as_alone(s, r.now[i]);
    bound(s);
    check_sound(s);
    free(nodes);
    free_copy(&before);
    return count;
}

static willow_tree_def def_with(willow_build build, uint32_t arity, uint32_t leaf_triangles)
{
    willow_tree_def def = zoo_tree(WILLOW_METHOD_BOTTOM_UP, arity, leaf_triangles);
    def.build = build;
    return def;
}

/* ---- tests ---- */

static size_t run_rounds(zoo_kind kind, bool borrow, const willow_tree_def *def)
{
    static const uint32_t shares[] = {2, 5, 20, 1, 3, 9};
    stage s;
    uint64_t random = 1000U * (uint64_t)kind + def->leaf_triangles;
    size_t count = 0;
    open_stage(&s, kind, 200, borrow, def->arity == 4 ? WILLOW_KERNEL_SCALAR : WILLOW_KERNEL_AUTO);
    tree_site_build(&s.site, s.kernel, def);
    for (unsigned round = 0; round < 6 && s.site.h.boxes.nodes; round++) {
        throw_about(&s, round % THROWS, &random);
        bound(&s);
        count += graft_and_check(&s, &random, shares[round]);
    }
    close_stage(&s);
    return count;
}

static void subtrees_of_every_kind_of_mesh_are_rebuilt_and_the_rest_stays(void **state)
{
    (void)state;
    size_t count = 0;
    uint32_t turn = 0;
    for (zoo_kind kind = 0; kind < ZOO_KIND_COUNT; kind++)
        for (willow_build b = WILLOW_BUILD_MIDPOINT; b < WILLOW_BUILD_COUNT; b++)
            for (int a = 0; a < ZOO_ARITIES; a++)
                for (int borrow = 0; borrow < 2; borrow++, turn++) {
                    willow_tree_def def =
                        def_with(b, zoo_arities[a], zoo_leaf_sizes[turn * 5 % ZOO_LEAF_SIZES]);
                    count += run_rounds(kind, borrow == 1, &def);
                }
    print_message("%zu subtrees\n", count);
    assert_true(count > 5000);
}

static void subtrees_of_larger_trees_are_rebuilt(void **state)
{
    (void)state;
    static const zoo_kind kinds[] = {ZOO_KIND_SOUP, ZOO_KIND_SPHERE, ZOO_KIND_SEAMS};
    size_t count = 0;
    for (willow_build b = WILLOW_BUILD_MIDPOINT; b < WILLOW_BUILD_COUNT; b++)
        for (int i = 0; i < 3; i++) {
            stage s;
            uint64_t random = (uint64_t)b;
            willow_tree_def def = def_with(b, 8, 4);
            open_stage(&s, kinds[i], 6000, false, WILLOW_KERNEL_AUTO);
            tree_site_build(&s.site, s.kernel, &def);
            for (unsigned round = 0; round < 3; round++) {
                throw_about(&s, round, &random);
                bound(&s);
                count += graft_and_check(&s, &random, 50);
            }
            close_stage(&s);
        }
    print_message("%zu subtrees\n", count);
    assert_true(count > 100);
}

static void rebuilding_below_the_root_is_building(void **state)
{
    (void)state;
    const uint32_t root = 0;
    for (zoo_kind kind = 0; kind < ZOO_KIND_COUNT; kind++)
        for (willow_build b = WILLOW_BUILD_MIDPOINT; b < WILLOW_BUILD_COUNT; b++) {
            stage grafted, built;
            uint64_t random = kind, same = kind;
            willow_tree_def def = def_with(b, 8, 1 + kind % 6);
            open_stage(&grafted, kind, 300, false, WILLOW_KERNEL_AUTO);
            open_stage(&built, kind, 300, false, WILLOW_KERNEL_SCALAR);
            tree_site_build(&grafted.site, grafted.kernel, &def);
            if (grafted.site.h.boxes.nodes) {
                throw_about(&grafted, ANYWHERE, &random);
                assert_ok(rebuild(&grafted, &root, 1));
                bound(&grafted);
            }
            tree_site_build(&built.site, built.kernel, &def);
            throw_about(&built, ANYWHERE, &same);
            tree_site_build(&built.site, built.kernel, &def);
            if (built.site.h.boxes.nodes) check_lists(&grafted.site.h, &built.site.h);
            tree_site_check_equal(&grafted.site, &built.site);
            close_stage(&grafted);
            close_stage(&built);
        }
}

static void all_kernels_rebuild_the_same_and_a_build_afterwards_is_a_fresh_one(void **state)
{
    (void)state;
    for (willow_build b = WILLOW_BUILD_MIDPOINT; b < WILLOW_BUILD_COUNT; b++) {
        stage stages[2];
        uint32_t nodes[4000];
        willow_tree_def def = def_with(b, 4, 3);
        for (int k = 0; k < 2; k++) {
            uint64_t random = 5;
            stage *s = &stages[k];
            open_stage(s, ZOO_KIND_CRUMPLED, 2000, false,
                       k == 0 ? WILLOW_KERNEL_SCALAR : WILLOW_KERNEL_AUTO);
            tree_site_build(&s->site, s->kernel, &def);
            for (unsigned round = 0; round < 4; round++) {
                throw_about(s, round % THROWS, &random);
                uint32_t count = choose_nodes(&s->site.h, &random, 10, nodes);
                assert_ok(rebuild(s, nodes, count));
                bound(s);
            }
        }
        tree_site_check_equal(&stages[0].site, &stages[1].site);
        check_lists(&stages[0].site.h, &stages[1].site.h);

        /* Of the second one nothing has been rebuilt below a node. */
        stage fresh;
        open_stage(&fresh, ZOO_KIND_CRUMPLED, 2000, false, WILLOW_KERNEL_AUTO);
        memcpy(fresh.now, stages[0].now, fresh.zoo.vertex_count * sizeof *fresh.now);
        take_positions(&fresh, false);
        tree_site_build(&fresh.site, fresh.kernel, &def);
        tree_site_build(&stages[0].site, stages[0].kernel, &def);
        tree_site_check_equal(&fresh.site, &stages[0].site);
        close_stage(&fresh);
        close_stage(&stages[0]);
        close_stage(&stages[1]);
    }
}

static void rebuilding_twice_changes_nothing(void **state)
{
    (void)state;
    for (willow_build b = WILLOW_BUILD_MIDPOINT; b < WILLOW_BUILD_COUNT; b++) {
        stage s;
        uint64_t random = 3;
        willow_tree_def def = def_with(b, 8, 2);
        open_stage(&s, ZOO_KIND_GRID, 1000, false, WILLOW_KERNEL_AUTO);
        tree_site_build(&s.site, s.kernel, &def);
        throw_about(&s, ANYWHERE, &random);
        const uint32_t node = s.site.h.boxes.nodes[0].child[0];
        assert_false(is_leaf(&s.site.h.boxes.nodes[0], 0));
        assert_ok(rebuild(&s, &node, 1));
        wi_tree once = copy_tree(&s.site.h);
        assert_ok(rebuild(&s, &node, 1));
        check_lists(&once, &s.site.h);
        check_positions(&s);
        free_copy(&once);
        close_stage(&s);
    }
}

static void no_nodes_are_no_work(void **state)
{
    (void)state;
    stage s;
    willow_tree_def def = def_with(WILLOW_BUILD_MEDIAN, 8, 4);
    open_stage(&s, ZOO_KIND_GRID, 300, false, WILLOW_KERNEL_AUTO);
    assert_ok(rebuild(&s, NULL, 0)); /* nor is there a tree */
    tree_site_build(&s.site, s.kernel, &def);
    wi_tree before = copy_tree(&s.site.h);
    const size_t calls = atomic_load(&s.site.allocator.calls);
    assert_ok(rebuild(&s, NULL, 0));
    assert_int_equal(atomic_load(&s.site.allocator.calls), calls);
    check_lists(&before, &s.site.h);
    free_copy(&before);
    close_stage(&s);
}

/* Triangles with vertices of their own; those below a node change places with each other. */
static void stir_below(stage *s, uint32_t node, uint64_t *random)
{
    const uint32_t tris = s->site.mesh.tri_count;
    int *below = calloc(tris, sizeof *below);
    uint32_t *slots = calloc(tris, sizeof *slots), count = 0;
    count_slots(&s->site.h, node, 1, below);
    for (uint32_t slot = 0; slot < tris; slot++)
        if (below[slot]) slots[count++] = slot;
    for (uint32_t i = 0; i < count; i++) {
        float *a = s->now[s->site.mesh.tris[slots[i]][0]], tri[9];
        float *b = s->now[s->site.mesh.tris[slots[test_random(random) % (i + 1)]][0]];
        memcpy(tri, a, sizeof tri);
        memmove(a, b, sizeof tri);
        memcpy(b, tri, sizeof tri);
    }
    free(below);
    free(slots);
}

/* A subtree whose triangles change places costs more and more; rebuilt it costs what it did, since
 * the same boxes are below it, and the boxes of the rest have not changed. */
static void a_decayed_subtree_costs_as_little_as_before_once_it_is_rebuilt(void **state)
{
    (void)state;
    for (willow_build b = WILLOW_BUILD_MIDPOINT; b < WILLOW_BUILD_COUNT; b++) {
        stage s;
        uint64_t random = 11;
        willow_tree_def def = def_with(b, 8, 4);
        open_stage(&s, ZOO_KIND_SOUP, 3000, false, WILLOW_KERNEL_AUTO);
        tree_site_build(&s.site, s.kernel, &def);
        const double fresh = wi_tree_cost(&s.site.h);
        const uint32_t node = s.site.h.boxes.nodes[0].child[0];
        assert_false(is_leaf(&s.site.h.boxes.nodes[0], 0));
        stir_below(&s, node, &random);
        take_positions(&s, true);
        bound(&s);
        const double decayed = wi_tree_cost(&s.site.h);
        assert_ok(rebuild(&s, &node, 1));
        bound(&s);
        check_sound(&s);
        const double rebuilt = wi_tree_cost(&s.site.h);
        print_message("%s: %g fresh, %g decayed, %g rebuilt\n", willow_build_name(b), fresh,
                      decayed, rebuilt);
        assert_true(decayed > 1.1 * fresh);
        assert_true(rebuilt < 1.02 * fresh && rebuilt > 0.98 * fresh);
        close_stage(&s);
    }
}

/* Triangles ever closer to 0, of which a plane through the middle parts few from all the others:
 * how deep that may go counts from the root of the whole, so a subtree far down is halved as soon
 * as a build would do it. */
static void a_subtree_far_down_does_not_become_deeper_than_a_build_makes_it(void **state)
{
    (void)state;
    enum { TRIS = 270, DEPTH = WI_DEEP - 8 };
    static float corners[3 * TRIS][3];
    const willow_tree_def def = def_with(WILLOW_BUILD_MIDPOINT, 2, 1);
    stage s = {.kernel = WILLOW_KERNEL_SCALAR};
    for (int i = 0; i < 3 * TRIS; i++) corners[i][0] = ldexpf(1.0F, 126 - i / 3);
    tree_site_open_tris(&s.site, (const float(*)[3])corners, TRIS, false);
    tree_site_build(&s.site, s.kernel, &def);
    wi_tree built = copy_tree(&s.site.h);
    uint32_t node = 0;
    for (int depth = 1; depth < DEPTH; depth++) {
        assert_false(is_leaf(&built.boxes.nodes[node], 0)); /* most are below the plane */
        node = built.boxes.nodes[node].child[0];
    }
    assert_true(built.shape->height > WI_DEEP);
    assert_ok(rebuild(&s, &node, 1));
    bound(&s);
    assert_null(wi_tree_validate(&s.site.h));
    check_same_shape(&built, 0, &s.site.h, 0);
    free_copy(&built);
    tree_site_close(&s.site);
}

/* ---- without memory ---- */

/* Leaves no room for more nodes and leaves than there are. */
static void tighten(stage *s)
{
    wi_tree *h = &s->site.h;
    wi_memory *memory = &s->site.memory;
    wi_node *nodes = wi_alloc_array(memory, h->shape->node_count, sizeof *nodes);
    wi_leaf *leaves = wi_alloc_array(memory, h->shape->leaf_count, sizeof *leaves);
    memcpy(nodes, h->boxes.nodes, h->shape->node_count * sizeof *nodes);
    memcpy(leaves, h->shape->leaves, h->shape->leaf_count * sizeof *leaves);
    wi_free_array(memory, h->boxes.nodes, h->boxes.node_room, sizeof *nodes);
    wi_free_array(memory, h->shape->leaves, h->shape->leaf_room, sizeof *leaves);
    h->boxes.nodes = nodes;
    h->shape->leaves = leaves;
    h->boxes.node_room = h->shape->node_count;
    h->shape->leaf_room = h->shape->leaf_count;
}

/* The n-th allocation fails. True if there was none. */
static bool fail_at(stage *s, size_t n, const uint32_t *nodes, uint32_t count)
{
    tree_site *site = &s->site;
    wi_tree before = copy_tree(&site->h), kept = site->h;
    wi_mesh mesh = site->mesh;
    wi_point *positions =
        copy_of(mesh.positions, mesh.positions ? mesh.vertex_count : 0, sizeof *positions);
    uint32_t *place = copy_of(mesh.place, mesh.place ? mesh.vertex_count : 0, sizeof *place);
    wi_workspace_free(&site->memory, &site->workspace); /* so that it is asked for, too */
    site->allocator.fail_at = atomic_load(&site->allocator.calls) + n;
    const willow_result result = rebuild(s, nodes, count);
    const bool was_reached = atomic_load(&site->allocator.calls) >= site->allocator.fail_at;
    site->allocator.fail_at = 0;
    assert_int_equal(result, was_reached ? WILLOW_OUT_OF_MEMORY : WILLOW_OK);
    if (was_reached) {
        assert_memory_equal(&site->h, &kept, sizeof kept);
        assert_memory_equal(&site->mesh, &mesh, sizeof mesh);
        check_lists(&site->h, &before);
        if (mesh.positions) {
            check_bytes(mesh.positions, positions, mesh.vertex_count, sizeof *positions);
            check_bytes(mesh.place, place, mesh.vertex_count, sizeof *place);
        }
    } else {
        bound(s);
    }
    check_positions(s);
    check_sound(s);
    free_copy(&before);
    free(positions);
    free(place);
    return !was_reached;
}

static void without_memory_everything_is_as_it_was(void **state)
{
    (void)state;
    static const zoo_kind kinds[] = {ZOO_KIND_SOUP, ZOO_KIND_GROUPS, ZOO_KIND_SEAMS, ZOO_KIND_WEB,
                                     ZOO_KIND_LAYERS};
    size_t failures = 0, grown = 0, masked = 0;
    for (willow_build b = WILLOW_BUILD_MIDPOINT; b < WILLOW_BUILD_COUNT; b++)
        for (unsigned i = 0; i < 10; i++) {
            stage s;
            uint64_t random = 40 + i;
            uint32_t nodes[600];
            size_t n = 1;
            willow_tree_def def = def_with(b, zoo_arities[i % ZOO_ARITIES], 1 + i);
            open_stage(&s, kinds[i % 5], 300, i >= 5, WILLOW_KERNEL_AUTO);
            tree_site_build(&s.site, s.kernel, &def);
            throw_about(&s, i % 2 == 0 ? ANYWHERE : EXCHANGED, &random);
            bound(&s);
            tighten(&s);
            const uint32_t room = s.site.h.boxes.node_room;
            uint32_t count = 0;
            while (count == 0) count = choose_nodes(&s.site.h, &random, 6, nodes);
            while (!fail_at(&s, n, nodes, count)) n++;
            failures += n - 1;
            grown += s.site.h.boxes.node_room > room;
            masked += s.site.h.shape->sets.nodes != NULL;
            close_stage(&s);
        }
    print_message("%zu failures, %zu trees that needed more room\n", failures, grown);
    assert_true(failures > 200 && grown > 3 && masked > 3);
}

/* ---- the invariant that all of this rests on ---- */

static void a_tree_that_is_not_in_preorder_is_named(void **state)
{
    (void)state;
    stage s;
    willow_tree_def def = def_with(WILLOW_BUILD_MEDIAN, 2, 4);
    open_stage(&s, ZOO_KIND_SOUP, 16, false, WILLOW_KERNEL_SCALAR);
    tree_site_build(&s.site, s.kernel, &def);
    wi_tree *h = &s.site.h;
    wi_node *root = &h->boxes.nodes[0];
    assert_int_equal(h->shape->height, 2);
    assert_int_equal(h->shape->node_count, 3);
    assert_null(wi_tree_validate(h));

    h->shape->height = 3;
    assert_string_equal(wi_tree_validate(h), "I1: a tree is of another height");
    h->shape->height = 2;

    /* The two children change lanes, boxes and all, and keep their numbers. */
    const wi_box first = wi_node_box(root, 0), second = wi_node_box(root, 1);
    wi_node_set_box(root, 0, &second);
    wi_node_set_box(root, 1, &first);
    root->child[0] = 2;
    root->child[1] = 1;
    h->boxes.nodes[1].parent_lane = 1;
    h->boxes.nodes[2].parent_lane = 0;
    assert_string_equal(wi_tree_validate(h), "I1: nodes are not in preorder");
    close_stage(&s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(subtrees_of_every_kind_of_mesh_are_rebuilt_and_the_rest_stays),
    cmocka_unit_test(subtrees_of_larger_trees_are_rebuilt),
    cmocka_unit_test(rebuilding_below_the_root_is_building),
    cmocka_unit_test(all_kernels_rebuild_the_same_and_a_build_afterwards_is_a_fresh_one),
    cmocka_unit_test(rebuilding_twice_changes_nothing),
    cmocka_unit_test(no_nodes_are_no_work),
    cmocka_unit_test(a_decayed_subtree_costs_as_little_as_before_once_it_is_rebuilt),
    cmocka_unit_test(a_subtree_far_down_does_not_become_deeper_than_a_build_makes_it),
    cmocka_unit_test(without_memory_everything_is_as_it_was),
    cmocka_unit_test(a_tree_that_is_not_in_preorder_is_named),
};

TEST_GROUP(rebuild_subtrees, tests);
