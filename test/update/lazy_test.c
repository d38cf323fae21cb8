/* Boxes that are computed when a query opens their node: in every state of every body those that
 * are open are as tight as they can be, those that are closed have not been touched, with all
 * kernels the same bits; and nothing is computed twice or for nobody. */
#include <math.h>
#include <stdlib.h>
#include "base/hash.h"
#include "support/test.h"
#include "support/zoo_cases.h"
#include "world/world.h"

static wi_body *body_of(const zoo_world *w, uint32_t number)
{
    return w->world->bodies.items[number];
}

static const wi_hierarchy *hierarchy_of(const zoo_world *w, uint32_t number)
{
    return &body_of(w, number)->h;
}

/* Boxes are computed when their node is opened. */
static bool is_lazy(const wi_hierarchy *h) { return h->patches.below != NULL; }

/* ---- tight boxes ---- */

/* The boxes of all nodes and leaves, over the corners of their triangles, which are the test's own:
 * no place, border or outline is read. */
typedef struct tight_boxes {
    wi_box *nodes, *leaves;
} tight_boxes;

typedef struct corners {
    const float (*positions)[3];
    const uint32_t (*tris)[3]; /* after welding */
} corners;

static corners corners_of(const zoo_world *w, uint32_t number)
{
    const zoo_body *body = &w->scene->bodies[number];
    return (corners){(const float(*)[3])body->mesh.positions, (const uint32_t(*)[3])body->tris};
}

static wi_box box_of_leaf(const wi_hierarchy *h, const wi_leaf *leaf, corners from)
{
    wi_box box = wi_box_empty();
    for (unsigned i = 0; i < 3U * leaf->tri_count; i++) {
        uint32_t slot = h->slots[leaf->first_tri + i / 3];
        wi_box_add_point(&box, from.positions[from.tris[slot][i % 3]]);
    }
    return box;
}

/* Children come after parents, so a backward sweep has theirs. */
static tight_boxes find_tight(const wi_hierarchy *h, corners from)
{
    tight_boxes tight = {calloc(h->node_count + 1, sizeof(wi_box)),
                         calloc(h->leaf_count + 1, sizeof(wi_box))};
    for (uint32_t i = 0; i < h->leaf_count; i++)
        tight.leaves[i] = box_of_leaf(h, &h->leaves[i], from);
    for (uint32_t node = h->node_count; node-- > 0;) {
        const wi_view *view = &h->views[node];
        tight.nodes[node] = wi_box_empty();
        for (unsigned lane = 0; lane < view->count; lane++) {
            bool is_leaf = (view->leaf_mask >> lane & 1) != 0;
            wi_box_add_box(&tight.nodes[node],
                           &(is_leaf ? tight.leaves : tight.nodes)[view->child[lane]]);
        }
    }
    return tight;
}

static void free_tight(tight_boxes *tight)
{
    free(tight->nodes);
    free(tight->leaves);
}

static bool boxes_equal(const wi_box *a, const wi_box *b)
{
    for (int axis = 0; axis < 3; axis++)
        if (a->lower[axis] != b->lower[axis] || a->upper[axis] != b->upper[axis]) return false;
    return true;
}

/* ---- what must hold ---- */

/* The nodes as they were when they were last looked at. */
typedef struct memory_of_views {
    wi_view *views;
    uint64_t builds;
} memory_of_views;

typedef struct census {
    size_t open, closed; /* nodes, over all looks */
    size_t patches;
    size_t steps, refusals, pairs, refreshed;
} census;

static void expect(const zoo_world *w, uint32_t number, uint32_t node, bool holds,
                   const char *words)
{
    if (holds) return;
    const willow_tree_def *tree = &body_of(w, number)->tree;
    fail_msg("%s: body %u (%s, size %u, seed %llu), node %u; %s, level %u, arity %u, leaves of %u, "
             "%s, kernel %s",
             words, number, zoo_kind_name(w->scene->bodies[number].mesh.kind),
             w->scene->bodies[number].mesh.size,
             (unsigned long long)w->scene->bodies[number].mesh.seed, node,
             willow_method_name(tree->method), tree->hybrid_level, tree->arity,
             tree->leaf_triangles, w->bodies[number].borrows ? "borrowed" : "copied",
             willow_kernel_name(willow_world_kernel(w->world)));
}

static void check_open(const zoo_world *w, uint32_t number, uint32_t node, const tight_boxes *tight)
{
    const wi_hierarchy *h = hierarchy_of(w, number);
    const wi_view *view = &h->views[node];
    const uint64_t stamp = atomic_load(&view->stamp);
    expect(w, number, node, stamp >= h->valid_from && stamp <= h->revision, "a wrong stamp");
    for (unsigned lane = 0; lane < WI_LANES; lane++) {
        wi_box box = wi_view_box(view, lane), empty = wi_box_empty();
        const wi_box *right = &empty;
        if (lane < view->count)
            right = (view->leaf_mask >> lane & 1) != 0 ? &tight->leaves[view->child[lane]]
                                                       : &tight->nodes[view->child[lane]];
        expect(w, number, node, boxes_equal(&box, right), "an open box is not tight");
    }
}

/* Nothing but the order to open it again tells it from what it was. */
static void check_closed(const zoo_world *w, uint32_t number, uint32_t node,
                         const memory_of_views *before)
{
    const wi_view *view = &hierarchy_of(w, number)->views[node];
    expect(w, number, node, is_lazy(hierarchy_of(w, number)), "a closed node in an eager tree");
    if (before->builds == body_of(w, number)->builds)
        expect(w, number, node, memcmp(view, &before->views[node], sizeof *view) == 0,
               "a closed node was touched");
    else
        expect(w, number, node, atomic_load(&view->stamp) == WI_STAMP_NONE,
               "a fresh node was touched");
}

static void check_patches(const zoo_world *w, uint32_t number, const tight_boxes *tight)
{
    const wi_hierarchy *h = hierarchy_of(w, number);
    const wi_patches *p = &h->patches;
    for (uint32_t i = 0; i < p->count; i++) {
        const wi_patch *patch = &p->items[i];
        const wi_box *right = &tight->nodes[0];
        if (p->above_count > 0) {
            const uint32_t child = h->views[patch->parent].child[patch->parent_lane];
            right = patch->is_leaf ? &tight->leaves[child] : &tight->nodes[child];
        }
        expect(w, number, i, boxes_equal(&patch->box, right), "the box of a patch is not tight");
    }
    for (uint32_t i = 0; i < p->above_count; i++)
        expect(w, number, p->above[i], wi_is_open(h, p->above[i]),
               "a node above the cut is closed");
}

static void check_body(const zoo_world *w, uint32_t number, memory_of_views *before, census *seen)
{
    const wi_hierarchy *h = hierarchy_of(w, number);
    if (h->views == NULL) return;
    tight_boxes tight = find_tight(h, corners_of(w, number));
    expect(w, number, 0, boxes_equal(&h->bounds, &tight.nodes[0]), "bounds are not tight");
    for (uint32_t node = 0; node < h->node_count; node++) {
        const bool is_open = wi_is_open(h, node);
        if (is_open)
            check_open(w, number, node, &tight);
        else
            check_closed(w, number, node, before);
        seen->open += is_open;
        seen->closed += !is_open;
    }
    check_patches(w, number, &tight);
    seen->patches += h->patches.count;
    free_tight(&tight);
    free(before->views);
    before->builds = body_of(w, number)->builds;
    before->views = aligned_alloc(64, h->node_count * sizeof *before->views);
    for (uint32_t i = 0; i < h->node_count; i++)
        memcpy(&before->views[i], &h->views[i], sizeof *before->views);
}

static void check_same_bits(const zoo_world *a, const zoo_world *b, uint32_t number)
{
    const wi_hierarchy *x = hierarchy_of(a, number), *y = hierarchy_of(b, number);
    assert_int_equal(x->node_count, y->node_count);
    assert_int_equal(x->patches.count, y->patches.count);
    assert_memory_equal(&x->bounds, &y->bounds, sizeof x->bounds);
    for (uint32_t i = 0; i < x->node_count; i++)
        expect(b, number, i, memcmp(&x->views[i], &y->views[i], sizeof *x->views) == 0,
               "kernels give other bits");
    for (uint32_t i = 0; i < x->patches.count; i++)
        expect(b, number, i,
               memcmp(&x->patches.items[i].box, &y->patches.items[i].box, sizeof(wi_box)) == 0,
               "kernels give other bits to a patch");
}

/* ---- a trial: one scene, a world per kernel, and what happens to them ---- */

enum { MAX_WORLDS = 2 };

typedef struct trial {
    zoo_scene scene;
    zoo_world worlds[MAX_WORLDS];
    uint32_t world_count;
    memory_of_views before[MAX_WORLDS][ZOO_MAX_BODIES];
    zoo_answers answers;
    uint64_t random;
    uint32_t frame;
} trial;

static uint32_t below(trial *t, uint32_t limit)
{
    return limit == 0 ? 0 : (uint32_t)(test_random(&t->random) % limit);
}

/* Lazy ones most of the time, the others as their partners. */
static willow_tree_def random_tree(trial *t)
{
    static const willow_method lazy[] = {WILLOW_METHOD_TOP_DOWN, WILLOW_METHOD_HYBRID,
                                         WILLOW_METHOD_HYBRID};
    static const uint32_t leaf_sizes[] = {1, 1, 2, 3, 8, 0};
    willow_method method =
        below(t, 5) > 0 ? lazy[below(t, 3)] : (willow_method)below(t, WILLOW_METHOD_COUNT);
    willow_tree_def tree =
        zoo_tree(method, zoo_arities[below(t, ZOO_ARITIES)], leaf_sizes[below(t, 6)]);
    zoo_tree_vary(&tree, test_random(&t->random));
    return tree;
}

static void check_trial(trial *t, census *seen)
{
    char reason[200] = "";
    for (uint32_t i = 0; i < t->world_count; i++) {
        if (!willow_world_validate(t->worlds[i].world, reason, sizeof reason))
            fail_msg("%s", reason);
        for (uint32_t body = 0; body < t->scene.body_count; body++) {
            check_body(&t->worlds[i], body, &t->before[i][body], seen);
            if (i > 0) check_same_bits(&t->worlds[0], &t->worlds[i], body);
        }
    }
    seen->steps++;
}

static void open_trial(trial *t, uint32_t size, uint64_t seed)
{
    static const willow_kernel kernels[MAX_WORLDS] = {WILLOW_KERNEL_SCALAR, WILLOW_KERNEL_AVX2};
    *t = (trial){.random = seed};
    const uint32_t count = 1 + below(t, 3);
    for (uint32_t i = 0; i < count; i++)
        zoo_scene_add(&t->scene, (zoo_kind)((seed + 5 * i) % ZOO_KIND_COUNT), 1 + below(t, size),
                      test_random(&t->random) % 1000);
    zoo_setup setup = zoo_setup_with(WILLOW_KERNEL_SCALAR, willow_tree_def_default());
    for (uint32_t i = 0; i < count; i++) setup.trees[i] = random_tree(t);
    setup.formats = test_random(&t->random) | 1;
    setup.world.thread_count = 1 + below(t, 3);
    for (int i = 0; i < MAX_WORLDS; i++) {
        setup.world.kernel = kernels[i];
        if (zoo_has_kernel(kernels[i]))
            zoo_world_create(&t->worlds[t->world_count++], &t->scene, &setup);
    }
}

static void close_trial(trial *t)
{
    for (uint32_t i = 0; i < t->world_count; i++) {
        for (uint32_t body = 0; body < t->scene.body_count; body++) free(t->before[i][body].views);
        zoo_world_destroy(&t->worlds[i]);
    }
    zoo_answers_free(&t->answers);
    zoo_scene_destroy(&t->scene);
}

/* ---- what may happen ---- */

static void follow_all(trial *t)
{
    const uint64_t seed = test_random(&t->random);
    for (uint32_t i = 0; i < t->world_count; i++) zoo_world_follow(&t->worlds[i], seed);
}

/* All vertices, some ranges of them, poses, or all of it. */
static void move(trial *t)
{
    const uint32_t choice = below(t, 4);
    zoo_scene_stay(&t->scene);
    if (choice == 0) zoo_scene_move_all(&t->scene, ++t->frame);
    if (choice == 1 || choice == 3) zoo_scene_move_some(&t->scene, ++t->frame, t->random);
    /* Not those that make everything one point. */
    zoo_pose_kind kind = ZOO_POSE_SHIFTED + below(t, ZOO_POSE_REMOTE - ZOO_POSE_SHIFTED);
    if (choice >= 2) zoo_scene_pose_some(&t->scene, kind, t->random, test_random(&t->random));
    follow_all(t);
}

/* All vertices, or some, with one that is no number: nothing changes. */
static void refuse(trial *t, uint32_t number)
{
    const zoo_mesh *mesh = &t->scene.bodies[number].mesh;
    if (mesh->vertex_count == 0 || t->worlds[0].bodies[number].borrows) return;
    const uint32_t first = below(t, 2) == 0 ? 0 : below(t, mesh->vertex_count);
    const uint32_t count = mesh->vertex_count - first;
    float(*bad)[3] = calloc(count, sizeof *bad);
    bad[below(t, count)][below(t, 3)] = below(t, 2) == 0 ? NAN : -INFINITY;
    for (uint32_t i = 0; i < t->world_count; i++) {
        willow_world *world = t->worlds[i].world;
        const uint64_t hash = willow_world_hash(world);
        const bool was_stale = world->is_stale;
        assert_int_equal(
            willow_body_set_vertices(world, t->worlds[i].bodies[number].id, first, count, bad, 0),
            WILLOW_BAD_MESH);
        assert_true(willow_world_hash(world) == hash && world->is_stale == was_stale);
    }
    free(bad);
}

/* Between a move of all or some vertices and its update, also twice: the last good ones count. */
static void move_and_refuse(trial *t, uint32_t number)
{
    zoo_body *body = &t->scene.bodies[number];
    const uint32_t has = body->mesh.vertex_count;
    if (has == 0 || t->worlds[0].bodies[number].borrows) return;
    for (uint32_t times = 1 + below(t, 2); times > 0; times--) {
        const uint32_t first = below(t, 2) == 0 ? 0 : below(t, has), count = has - first;
        zoo_mesh_move(&body->mesh, ++t->frame, first, count);
        for (uint32_t i = 0; i < t->world_count; i++)
            assert_int_equal(willow_body_set_vertices(t->worlds[i].world,
                                                      t->worlds[i].bodies[number].id, first, count,
                                                      body->mesh.positions + first, 0),
                             WILLOW_OK);
        refuse(t, number);
    }
    zoo_scene_stay(&t->scene);
    follow_all(t);
}

static void change_tree(trial *t, uint32_t number)
{
    willow_tree_def tree = random_tree(t);
    for (uint32_t i = 0; i < t->world_count; i++)
        assert_int_equal(
            willow_body_set_tree(t->worlds[i].world, t->worlds[i].bodies[number].id, &tree),
            WILLOW_OK);
    zoo_scene_stay(&t->scene);
    if (below(t, 2) == 0) zoo_scene_move_some(&t->scene, ++t->frame, t->random);
    follow_all(t);
}

static size_t count_open(const zoo_world *w)
{
    size_t open = 0;
    for (uint32_t i = 0; i < w->scene->body_count; i++) {
        const wi_hierarchy *h = hierarchy_of(w, i);
        for (uint32_t node = 0; node < h->node_count; node++) open += wi_is_open(h, node);
    }
    return open;
}

/* A random question in one of its forms; what it opened is what it counted. */
static void ask(trial *t, census *seen)
{
    typedef size_t check(zoo_world * w, const zoo_question *question, const zoo_answers *expected);
    static check *const forms[] = {zoo_check_pairs, zoo_check_self_pairs, zoo_check_first,
                                   zoo_check_visit, zoo_check_box,        zoo_check_box};
    check *form = forms[below(t, sizeof forms / sizeof forms[0])];
    zoo_question question = zoo_question_random(&t->scene, test_random(&t->random));
    zoo_answers_find(&t->scene, &question, &t->answers);
    for (uint32_t i = 0; i < t->world_count; i++) {
        zoo_world *w = &t->worlds[i];
        const size_t open = count_open(w);
        willow_scratch_reset_stats(w->scratch);
        seen->pairs += form(w, &question, &t->answers);
        willow_query_stats stats = willow_scratch_stats(w->scratch);
        assert_int_equal(count_open(w) - open, stats.nodes_refreshed);
        assert_true(stats.nodes_refreshed <= stats.nodes_opened);
        seen->refreshed += stats.nodes_refreshed;
    }
}

typedef struct visit {
    const wi_hierarchy *h;
    tight_boxes tight;
    uint32_t left; /* nodes until it stops */
    bool is_tight;
} visit;

static bool visit_node(void *context, const willow_node *node)
{
    visit *v = context;
    const wi_box box = {{node->box.lower.x, node->box.lower.y, node->box.lower.z},
                        {node->box.upper.x, node->box.upper.y, node->box.upper.z}};
    const wi_box *right = node->is_leaf ? &v->tight.leaves[node->number - v->h->node_count]
                                        : &v->tight.nodes[node->number];
    v->is_tight = v->is_tight && boxes_equal(&box, right);
    return v->left-- > 1;
}

/* Some of the nodes, or what must look at all of them. */
static void look_around(trial *t, uint32_t number)
{
    const uint32_t limit = 1 + below(t, 60);
    const bool all = below(t, 4) == 0;
    for (uint32_t i = 0; i < t->world_count; i++) {
        const zoo_world *w = &t->worlds[i];
        willow_body_stats stats;
        visit v = {.h = hierarchy_of(w, number), .left = limit, .is_tight = true};
        v.tight = find_tight(v.h, corners_of(w, number));
        assert_int_equal(willow_body_visit_nodes(w->world, w->bodies[number].id, visit_node, &v),
                         WILLOW_OK);
        expect(w, number, 0, v.is_tight, "a node was shown with another box");
        free_tight(&v.tight);
        if (!all) continue;
        assert_int_equal(willow_body_get_stats(w->world, w->bodies[number].id, &stats), WILLOW_OK);
        for (uint32_t node = 0; node < v.h->node_count && stats.cost > 0.0; node++)
            assert_true(wi_is_open(v.h, node));
    }
}

static void act(trial *t, census *seen)
{
    const uint32_t number = below(t, t->scene.body_count);
    switch (below(t, 10)) {
    case 0:
    case 1:
    case 2: move(t); break;
    case 3: refuse(t, number), seen->refusals++; break;
    case 4: move_and_refuse(t, number), seen->refusals++; break;
    case 5: look_around(t, number); break;
    case 6:
        if (below(t, 3) == 0) change_tree(t, number);
        break;
    default: ask(t, seen); break;
    }
}

static void run_trials(uint64_t first_seed, uint64_t count, uint32_t size, uint32_t steps,
                       census *seen)
{
    for (uint64_t seed = first_seed; seed < first_seed + count; seed++) {
        trial t;
        open_trial(&t, size, seed);
        check_trial(&t, seen);
        for (uint32_t step = 0; step < steps; step++) {
            act(&t, seen);
            check_trial(&t, seen);
        }
        close_trial(&t);
    }
}

static void open_boxes_are_tight_and_closed_ones_untouched_whatever_happens(void **state)
{
    (void)state;
    census seen = {0};
    run_trials(0, 110, 40, 40, &seen);
    run_trials(1000, 8, 400, 16, &seen);
    print_message("%zu steps, %zu open and %zu closed nodes, %zu patches; %zu refusals, %zu nodes "
                  "computed by queries, %zu pairs found\n",
                  seen.steps, seen.open, seen.closed, seen.patches, seen.refusals, seen.refreshed,
                  seen.pairs);
    assert_true(seen.open > 10000 && seen.closed > 10000 && seen.patches > 10000);
    assert_true(seen.refusals > 100 && seen.refreshed > 1000 && seen.pairs > 0);
}

/* ---- all boxes, opened one and all ---- */

/* Computes every box; those of eager trees are there. */
static void open_all(const zoo_world *w)
{
    for (uint32_t i = 0; i < w->scene->body_count; i++) {
        wi_openings count = {0};
        const wi_hierarchy *h = hierarchy_of(w, i);
        for (uint32_t node = 0; node < h->node_count; node++) (void)wi_open(h, node, &count);
        assert_true(count.lost == 0);
    }
}

static void run_frames(zoo_scene *scene, const zoo_setup *setup, uint32_t frames, census *seen)
{
    zoo_world w;
    memory_of_views before[ZOO_MAX_BODIES] = {0};
    zoo_world_create(&w, scene, setup);
    for (uint32_t frame = 0; frame < frames; frame++) {
        if (frame > 0) {
            zoo_scene_move_some(scene, frame, setup->formats);
            zoo_world_follow(&w, setup->formats * 8 + frame);
        }
        for (uint32_t i = 0; i < scene->body_count; i++) check_body(&w, i, &before[i], seen);
        open_all(&w);
        for (uint32_t i = 0; i < scene->body_count; i++) check_body(&w, i, &before[i], seen);
    }
    for (uint32_t i = 0; i < scene->body_count; i++) free(before[i].views);
    zoo_world_destroy(&w);
}

static void every_box_is_tight_once_it_is_opened(void **state)
{
    (void)state;
    census seen = {0};
    for (zoo_kind kind = 0; kind < ZOO_KIND_COUNT; kind++)
        for (uint32_t variant = WILLOW_METHOD_REBUILD; variant < ZOO_VARIANT_COUNT; variant++)
            for (uint32_t i = 0; i < 12; i++) {
                zoo_scene scene = {0};
                willow_kernel kernel = i % 2 == 0 ? WILLOW_KERNEL_AVX2 : WILLOW_KERNEL_SCALAR;
                zoo_setup setup = zoo_setup_with(
                    zoo_has_kernel(kernel) ? kernel : WILLOW_KERNEL_SCALAR,
                    zoo_variant_tree(variant, zoo_arities[(i + kind) % ZOO_ARITIES],
                                     zoo_leaf_sizes[(i + variant) % ZOO_LEAF_SIZES]));
                setup.trees[0].build = zoo_build(i + kind);
                setup.formats = 1 + i + variant;
                setup.world.thread_count = 1 + i % 2;
                zoo_scene_add(&scene, kind, 100, i);
                run_frames(&scene, &setup, 3, &seen);
                zoo_scene_destroy(&scene);
            }
    print_message("%zu open and %zu closed nodes\n", seen.open, seen.closed);
    assert_true(seen.open > 10000 && seen.closed > 1000);
}

/* Many tasks of patches, so that workers meet. */
static void boxes_are_tight_when_workers_share_a_body(void **state)
{
    (void)state;
    census seen = {0};
    for (uint32_t variant = WILLOW_METHOD_TOP_DOWN; variant < ZOO_VARIANT_COUNT; variant++) {
        zoo_scene scene = {0};
        zoo_setup setup = zoo_setup_with(WILLOW_KERNEL_AUTO, zoo_variant_tree(variant, 8, 8));
        setup.world.thread_count = 4;
        zoo_scene_add(&scene, ZOO_KIND_GRID, 40000, 1);
        assert_true(scene.bodies[0].mesh.vertex_count > 4 * 4096);
        run_frames(&scene, &setup, 4, &seen);
        zoo_scene_destroy(&scene);
    }
    print_message("%zu open and %zu closed nodes\n", seen.open, seen.closed);
    assert_true(seen.open > 1000 && seen.closed > 1000);
}

/* ---- a borrowed array in the order of the tree ---- */

/* A sheet with vertices of the user's, who knows the order in which the tree has them. */
typedef struct ordered_sheet {
    willow_world *world;
    willow_body_id id;
    zoo_mesh mesh;
    float *vertices; /* `stride` floats each */
    size_t stride;
} ordered_sheet;

static const wi_hierarchy *sheet_tree(const ordered_sheet *o)
{
    return &o->world->bodies.items[0]->h;
}

static void create_sheet(ordered_sheet *o, willow_kernel kernel, uint32_t variant)
{
    willow_world_def def = willow_world_def_default();
    willow_body_def body = willow_body_def_default();
    def.kernel = kernel;
    for (uint32_t i = 0; i < o->mesh.vertex_count; i++)
        memcpy(o->vertices + i * o->stride, o->mesh.positions[i], sizeof *o->mesh.positions);
    body.mesh = (willow_mesh_def){.positions = o->vertices,
                                  .stride = o->stride * sizeof(float),
                                  .vertex_count = o->mesh.vertex_count,
                                  .indices = o->mesh.tris,
                                  .triangle_count = o->mesh.triangle_count,
                                  .borrow = true};
    body.tree = zoo_variant_tree(variant, 4, 5);
    assert_int_equal(willow_world_create(&def, &o->world), WILLOW_OK);
    assert_int_equal(willow_body_create(o->world, &body, &o->id), WILLOW_OK);
    assert_int_equal(willow_world_update(o->world, 0.0, NULL), WILLOW_OK);
}

/* Numbers the vertices as the tree does. */
static void order_sheet(ordered_sheet *o)
{
    const wi_patches *p = &sheet_tree(o)->patches;
    assert_false(p->is_in_order);
    assert_int_equal(p->place_count, o->mesh.vertex_count);
    uint32_t *places = calloc(p->place_count, sizeof *places);
    for (uint32_t place = 0; place < p->place_count; place++) {
        places[p->vertex_at[place]] = place;
        memcpy(o->mesh.next[place], o->mesh.positions[p->vertex_at[place]],
               sizeof *o->mesh.positions);
    }
    memcpy(o->mesh.positions, o->mesh.next, p->place_count * sizeof *o->mesh.positions);
    for (size_t i = 0; i < 3 * (size_t)o->mesh.triangle_count; i++)
        o->mesh.tris[i / 3][i % 3] = places[o->mesh.tris[i / 3][i % 3]];
    free(places);
}

static void check_sheet(const ordered_sheet *o)
{
    const wi_hierarchy *h = sheet_tree(o);
    const corners from = {(const float(*)[3])o->mesh.positions, (const uint32_t(*)[3])o->mesh.tris};
    tight_boxes tight = find_tight(h, from);
    assert_true(boxes_equal(&h->bounds, &tight.nodes[0]));
    for (uint32_t node = 0; node < h->node_count; node++) {
        wi_openings count = {0};
        const wi_view *view = wi_open(h, node, &count);
        for (unsigned lane = 0; lane < view->count; lane++) {
            wi_box box = wi_view_box(view, lane);
            assert_true(boxes_equal(&box, (view->leaf_mask >> lane & 1) != 0
                                              ? &tight.leaves[view->child[lane]]
                                              : &tight.nodes[view->child[lane]]));
        }
    }
    assert_true(willow_world_validate(o->world, NULL, 0));
    free_tight(&tight);
}

static void move_sheet(ordered_sheet *o, uint64_t *random)
{
    assert_int_equal(willow_body_begin_vertices(o->world, o->id), WILLOW_OK);
    for (uint32_t i = 0; i < o->mesh.vertex_count; i++) {
        for (int axis = 0; axis < 3; axis++)
            o->mesh.positions[i][axis] += (float)test_random_between(random, -0.5, 0.5);
        memcpy(o->vertices + i * o->stride, o->mesh.positions[i], sizeof *o->mesh.positions);
    }
    assert_int_equal(willow_world_update(o->world, 0.0, NULL), WILLOW_OK);
}

static void a_borrowed_array_may_be_in_the_order_of_the_tree(void **state)
{
    (void)state;
    uint64_t random = 1;
    size_t sheets = 0;
    for (uint32_t variant = WILLOW_METHOD_TOP_DOWN; variant < ZOO_VARIANT_COUNT; variant++)
        for (uint32_t size = 40; size <= 640; size *= 4)
            for (size_t stride = 3; stride <= 5; stride++)
                for (int k = 0; k < 2; k++) {
                    willow_kernel kernel = k == 0 ? WILLOW_KERNEL_SCALAR : WILLOW_KERNEL_AVX2;
                    ordered_sheet o = {.stride = stride};
                    if (!zoo_has_kernel(kernel)) continue;
                    zoo_mesh_create(&o.mesh, ZOO_KIND_GRID, size, 1);
                    o.vertices = calloc(o.mesh.vertex_count, stride * sizeof *o.vertices);
                    create_sheet(&o, kernel, variant);
                    order_sheet(&o);
                    willow_world_destroy(o.world);
                    create_sheet(&o, kernel, variant);
                    assert_true(sheet_tree(&o)->patches.is_in_order);
                    for (int frame = 0; frame < 4; frame++, sheets++) {
                        check_sheet(&o);
                        move_sheet(&o, &random);
                    }
                    check_sheet(&o);
                    willow_world_destroy(o.world);
                    free(o.vertices);
                    zoo_mesh_destroy(&o.mesh);
                }
    print_message("%zu sheets\n", sheets);
    assert_true(sheets > 0);
}

/* ---- nothing for nobody ---- */

typedef struct met_world {
    zoo_scene scene;
    zoo_world w;
} met_world;

/* A sphere and a sheet through it, both deep trees of one variant. */
static void make_met_world(met_world *m, uint32_t variant)
{
    *m = (met_world){0};
    zoo_scene_add(&m->scene, ZOO_KIND_SPHERE, 500, 1);
    zoo_scene_add(&m->scene, ZOO_KIND_GRID, 500, 2);
    m->scene.bodies[0].self = m->scene.bodies[1].self = false;
    zoo_setup setup = zoo_setup_with(WILLOW_KERNEL_AUTO, zoo_variant_tree(variant, 4, 2));
    zoo_world_create(&m->w, &m->scene, &setup);
}

static void free_met_world(met_world *m)
{
    zoo_world_destroy(&m->w);
    zoo_scene_destroy(&m->scene);
}

/* How many nodes asking for all pairs computes. */
static uint64_t refreshed_by_pairs(met_world *m, size_t *pairs)
{
    willow_pairs found;
    willow_scratch_reset_stats(m->w.scratch);
    assert_int_equal(willow_find_pairs(m->w.world, m->w.scratch, NULL, &found), WILLOW_OK);
    *pairs = found.count;
    return willow_scratch_stats(m->w.scratch).nodes_refreshed;
}

static void update(met_world *m, willow_update_report *report)
{
    assert_int_equal(willow_world_update(m->w.world, 0.0, report), WILLOW_OK);
}

static void set_pose(met_world *m, willow_pose pose)
{
    assert_int_equal(willow_body_set_pose(m->w.world, m->w.bodies[0].id, &pose), WILLOW_OK);
    update(m, NULL);
}

static void set_sphere(met_world *m, uint32_t first, uint32_t count)
{
    assert_int_equal(willow_body_set_vertices(m->w.world, m->w.bodies[0].id, first, count,
                                              m->scene.bodies[0].mesh.positions + first, 0),
                     WILLOW_OK);
}

static bool ignore_tri(void *context, willow_tri_ref tri)
{
    (void)context;
    (void)tri;
    return true;
}

static void what_was_opened_stays_open_until_its_body_changes(void **state)
{
    (void)state;
    const willow_pose away = {{50, 0, 0}, {0, 0, 0, 1}}, home = willow_pose_identity();
    for (uint32_t variant = WILLOW_METHOD_AUTO; variant < ZOO_VARIANT_COUNT; variant++) {
        met_world m;
        size_t pairs, same_pairs;
        make_met_world(&m, variant);
        const wi_hierarchy *sphere = hierarchy_of(&m.w, 0), *sheet = hierarchy_of(&m.w, 1);

        /* Bodies that are apart compute nothing. */
        set_pose(&m, away);
        assert_int_equal(refreshed_by_pairs(&m, &pairs), 0);
        assert_int_equal(pairs, 0);
        set_pose(&m, home);
        const uint64_t first = refreshed_by_pairs(&m, &pairs);
        print_message("%-10s %llu of %u nodes computed for %zu pairs\n", zoo_variant_name(variant),
                      (unsigned long long)first, sphere->node_count + sheet->node_count, pairs);
        assert_true(pairs > 0);
        if (is_lazy(sphere)) {
            const bool has_patches = sphere->patches.above_count < sphere->node_count;
            assert_int_equal(first > 0, has_patches);
            assert_true(first + sphere->patches.above_count + sheet->patches.above_count <=
                        sphere->node_count + sheet->node_count);
        } else {
            assert_true(first == 0);
        }

        /* Asking again, and coming back from elsewhere, computes nothing. */
        assert_int_equal(refreshed_by_pairs(&m, &same_pairs), 0);
        set_pose(&m, away);
        set_pose(&m, home);
        assert_int_equal(refreshed_by_pairs(&m, &same_pairs), 0);
        assert_int_equal(same_pairs, pairs);

        /* New vertices for the sphere close it, and not the sheet. */
        const size_t open_before = count_open(&m.w);
        willow_update_report report;
        set_sphere(&m, 0, m.scene.bodies[0].mesh.vertex_count);
        update(&m, &report);
        assert_int_equal(report.nodes_updated,
                         is_lazy(sphere) ? sphere->patches.above_count : sphere->node_count);
        assert_int_equal(report.bodies_updated, 1);
        const uint64_t again = refreshed_by_pairs(&m, &same_pairs);
        assert_int_equal(same_pairs, pairs);
        assert_true(is_lazy(sphere) ? again <= first : again == 0);
        assert_int_equal(count_open(&m.w), open_before);

        /* A box far from everything opens nothing. */
        const willow_box far = {{90, 90, 90}, {91, 91, 91}};
        set_sphere(&m, 1, 1);
        update(&m, NULL);
        willow_scratch_reset_stats(m.w.scratch);
        assert_int_equal(willow_visit_box(m.w.world, m.w.scratch, &far, NULL, ignore_tri, NULL),
                         WILLOW_OK);
        assert_int_equal(willow_scratch_stats(m.w.scratch).nodes_refreshed, 0);
        free_met_world(&m);
    }
}

/* Half of the height by default, counted with one more for the leaves; else what was asked for, and
 * not more than there is. */
static void the_cut_is_where_it_was_asked_for(void **state)
{
    (void)state;
    static const uint32_t levels[] = {0, 1, 2, 3, 4, 5, 99, UINT32_MAX - 1, UINT32_MAX};
    for (uint32_t arity = 2; arity <= 8; arity *= 2) {
        met_world m;
        make_met_world(&m, WILLOW_METHOD_TOP_DOWN);
        const wi_hierarchy *h = hierarchy_of(&m.w, 0);
        assert_int_equal(h->patches.level, 0);
        assert_int_equal(h->patches.above_count, 0);
        for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
            willow_tree_def tree = zoo_tree(WILLOW_METHOD_HYBRID, arity, 2);
            tree.hybrid_level = levels[i];
            assert_int_equal(willow_body_set_tree(m.w.world, m.w.bodies[0].id, &tree), WILLOW_OK);
            update(&m, NULL);
            const uint32_t half = (h->height + 1) / 2;
            const uint32_t wanted = levels[i] == 0 ? half : levels[i];
            assert_int_equal(h->patches.level, wanted < h->height ? wanted : h->height);
            assert_int_equal(h->patches.above_count == h->node_count, wanted >= h->height);
        }
        assert_true(h->height > 2);
        free_met_world(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_boxes_are_tight_and_closed_ones_untouched_whatever_happens),
        cmocka_unit_test(every_box_is_tight_once_it_is_opened),
        cmocka_unit_test(boxes_are_tight_when_workers_share_a_body),
        cmocka_unit_test(a_borrowed_array_may_be_in_the_order_of_the_tree),
        cmocka_unit_test(what_was_opened_stays_open_until_its_body_changes),
        cmocka_unit_test(the_cut_is_where_it_was_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
