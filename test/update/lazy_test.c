/* Boxes that are computed when a query opens their node. After a build all are there. An update of
 * all vertices closes every node and bounds what patches own; one of some vertices closes what is
 * above these, and patches grow. In every state of every body the boxes that are open are as tight
 * as they can be, but for those that show patches that have grown; those that are closed have not
 * been touched, with all kernels the same bits; and nothing is computed twice or for nobody. */
#include <math.h>
#include <stdlib.h>
#include "base/hash.h"
#include "support/fixture.h"
#include "support/kept.h"
#include "support/test.h"
#include "support/tight_boxes.h"
#include "support/zoo_cases.h"
#include "world/world.h"

static wi_body *body_of(const zoo_world *w, uint32_t number)
{
    return w->world->bodies.items[number];
}

static const wi_tree *hierarchy_of(const zoo_world *w, uint32_t number)
{
    return &body_of(w, number)->geometry->tree;
}

/* Boxes are computed in the update, side by side, and copied when their node is opened. */
static bool is_compact(const wi_tree *h) { return kept_packed(h)->boxes != NULL; }

/* Boxes are computed when their node is opened. Patches alone do not tell: AUTO keeps them while it
 * refits all. */
static bool is_lazy(const wi_tree *h) { return h->boxes.refresh != NULL && !is_compact(h); }

/* Either way nodes are closed by an update of all. */
static bool is_closed_by_updates(const wi_tree *h) { return h->boxes.refresh != NULL; }

/* With a margin boxes are wide, and kept while they are true: see margin_test.c. */
static bool is_tight_variant(uint32_t variant)
{
    if (zoo_variant_grows(variant)) return false; /* see sphere_threads_test.c */
    return zoo_variant_tree(variant, 8, 8).margin == 0.0F;
}

/* These bodies are lazy after every update of all vertices; AUTO at least in its first ones. */
static bool is_lazy_variant(uint32_t variant)
{
    const willow_method method = zoo_variant_tree(variant, 8, 8).method;
    return method == WILLOW_METHOD_AUTO || method == WILLOW_METHOD_TOP_DOWN ||
           method == WILLOW_METHOD_HYBRID || method == WILLOW_METHOD_BALANCED;
}

/* More nodes than this make a subtree large: it is opened two levels at once. */
enum { LARGE = 64 };

static bool is_large(const wi_tree *h, uint32_t node)
{
    return kept_patches(h)->last_node[node] - node > LARGE;
}

static bool is_above(const wi_tree *h, uint32_t node)
{
    uint32_t depth = 0;
    for (; node != 0; node = h->boxes.nodes[node].parent) depth++;
    return depth < kept_patches(h)->level;
}

/* ---- tight boxes ---- */

/* The boxes of all nodes and leaves, over the corners of their triangles, which are the test's own:
 * no place, border or outline is read. */
typedef struct tight_boxes {
    wi_box *nodes, *leaves;
} tight_boxes;

static test_corners corners_of(const zoo_world *w, uint32_t number)
{
    const zoo_body *body = &w->scene->bodies[number];
    return (test_corners){(const float(*)[3])body->mesh.positions,
                          (const uint32_t(*)[3])body->tris};
}

/* Children come after parents, so a backward sweep has theirs. */
static tight_boxes find_tight(const wi_tree *h, test_corners from)
{
    tight_boxes tight = {calloc(h->shape->node_count + 1, sizeof(wi_box)),
                         calloc(h->shape->leaf_count + 1, sizeof(wi_box))};
    for (uint32_t i = 0; i < h->shape->leaf_count; i++)
        tight.leaves[i] = box_of_leaf(h, &h->shape->leaves[i], from);
    for (uint32_t node = h->shape->node_count; node-- > 0;) {
        const wi_node *view = &h->boxes.nodes[node];
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

/* ---- what must hold ---- */

/* What became of a body since it was last looked at: at most one update. */
typedef enum change { STAYED, BUILT, MOVED_ALL, MOVED_SOME, CHANGES } change;

/* The tree as it was then. */
typedef struct memory_of_tree {
    wi_node *nodes;
    uint64_t builds, subtree_builds;
    uint64_t revision, valid_from;
    willow_method mode; /* of AUTO */
    wi_box bounds;
    bool is_loose; /* patches have grown since they were tight, and what shows them */
} memory_of_tree;

typedef struct census {
    size_t open, closed; /* nodes, over all looks */
    size_t patches, grown;
    size_t lazy[CHANGES];   /* bodies that the change left lazy */
    size_t touched;         /* nodes that a move of some vertices closed */
    size_t renewed;         /* builds that nobody asked for */
    size_t auto_lazy_after; /* of AUTO that had refitted all before */
    size_t two_levels;      /* large nodes opened */
    size_t steps, refusals, pairs, refreshed;
} census;

static void print_census(const census *seen)
{
    print_message("%zu open and %zu closed nodes, %zu patches, %zu of them grown; lazy bodies: %zu "
                  "built, %zu moved, %zu moved in part; %zu nodes touched, %zu large ones opened, "
                  "%zu renewals, %zu turns of AUTO\n",
                  seen->open, seen->closed, seen->patches, seen->grown, seen->lazy[BUILT],
                  seen->lazy[MOVED_ALL], seen->lazy[MOVED_SOME], seen->touched, seen->two_levels,
                  seen->renewed, seen->auto_lazy_after);
}

static void expect(const zoo_world *w, uint32_t number, uint32_t node, bool holds,
                   const char *words)
{
    if (holds) return;
    const willow_tree_def *tree = &body_of(w, number)->geometry->wanted;
    fail_msg("%s: body %u (%s, size %u, seed %llu), node %u; %s, level %u, arity %u, leaves of %u, "
             "%s, kernel %s",
             words, number, zoo_kind_name(w->scene->bodies[number].mesh.kind),
             w->scene->bodies[number].mesh.size,
             (unsigned long long)w->scene->bodies[number].mesh.seed, node,
             willow_method_name(tree->method), tree->hybrid_level, tree->arity,
             tree->leaf_triangles, w->bodies[number].borrows ? "borrowed" : "copied",
             willow_kernel_name(willow_world_kernel(w->world)));
}

static change change_of(const wi_body *body, const memory_of_tree *before)
{
    if (body->geometry->builds != before->builds ||
        body->geometry->subtree_builds != before->subtree_builds)
        return BUILT;
    if (body->geometry->tree.boxes.revision == before->revision) return STAYED;
    return body->geometry->tree.boxes.valid_from == before->valid_from ? MOVED_SOME : MOVED_ALL;
}

static bool was_open(const memory_of_tree *before, uint32_t node)
{
    return before->nodes[node].stamp >= before->valid_from;
}

/* Opened by a query since then, if no update came between. */
static bool is_opened(const wi_tree *h, const memory_of_tree *before, uint32_t node)
{
    return wi_is_open(h, node) && !was_open(before, node);
}

/* One body at one look. */
typedef struct look {
    const zoo_world *w;
    uint32_t number;
    const wi_tree *h;
    const memory_of_tree *before;
    change change;
    bool is_loose;
    tight_boxes tight;
    bool *touched; /* by node: a vertex below was handed over with the last move */
} look;

static void expect_in(const look *l, uint32_t node, bool holds, const char *words)
{
    expect(l->w, l->number, node, holds, words);
}

static const wi_box *tight_child(const look *l, const wi_node *view, unsigned lane)
{
    return (view->leaf_mask >> lane & 1) != 0 ? &l->tight.leaves[view->child[lane]]
                                              : &l->tight.nodes[view->child[lane]];
}

/* By vertex: handed over, itself or one that is merged with it. */
static bool *find_handed(const look *l)
{
    const zoo_body *body = &l->w->scene->bodies[l->number];
    bool *handed = calloc((size_t)body->mesh.vertex_count + 1, sizeof *handed);
    for (uint32_t i = body->moved_first; i < body->moved_first + body->moved_count; i++)
        handed[wi_mesh_stand_in(l->h->mesh, i)] = true;
    return handed;
}

static bool is_leaf_touched(const look *l, const wi_leaf *leaf, const bool *handed)
{
    const test_corners from = corners_of(l->w, l->number);
    for (unsigned i = 0; i < 3U * leaf->tri_count; i++)
        if (handed[from.tris[l->h->shape->slots[leaf->first_tri + i / 3]][i % 3]]) return true;
    return false;
}

static bool *find_touched(const look *l)
{
    bool *touched = calloc((size_t)l->h->shape->node_count + 1, sizeof *touched);
    bool *handed = find_handed(l);
    for (uint32_t node = l->h->shape->node_count; node-- > 0;) {
        const wi_node *view = &l->h->boxes.nodes[node];
        for (unsigned lane = 0; lane < view->count && !touched[node]; lane++)
            touched[node] =
                (view->leaf_mask >> lane & 1) != 0
                    ? is_leaf_touched(l, &l->h->shape->leaves[view->child[lane]], handed)
                    : touched[view->child[lane]];
    }
    free(handed);
    return touched;
}

/* What refits all writes to leaves on the way, before an update or a refusal says for whom. */
static bool may_write_leaves(const look *l)
{
    return body_of(l->w, l->number)->geometry->wanted.method == WILLOW_METHOD_AUTO &&
           l->before->mode == WILLOW_METHOD_BOTTOM_UP;
}

/* The boxes are what they were at the last look. */
static void check_same_boxes(const look *l, uint32_t node)
{
    const wi_node *now = &l->h->boxes.nodes[node], *then = &l->before->nodes[node];
    for (unsigned lane = 0; lane < WI_LANES; lane++) {
        const wi_box a = wi_node_box(now, lane), b = wi_node_box(then, lane);
        if ((now->leaf_mask >> lane & 1) != 0 && may_write_leaves(l)) continue;
        expect_in(l, node, lane >= now->count || boxes_equal(&a, &b), "a box was touched");
    }
}

static void check_same(const look *l, uint32_t node)
{
    check_same_boxes(l, node);
    expect_in(l, node, l->h->boxes.nodes[node].stamp == l->before->nodes[node].stamp,
              "a stamp was touched");
}

/* Nodes above the cut show their patches and each other, all others are tight. */
static void check_open(const look *l, uint32_t node)
{
    const wi_tree *h = l->h;
    const wi_node *view = &h->boxes.nodes[node];
    const bool may_be_loose = l->is_loose && is_above(h, node);
    expect_in(l, node, view->stamp >= h->boxes.valid_from && view->stamp <= h->boxes.revision,
              "a wrong stamp");
    for (unsigned lane = 0; lane < WI_LANES; lane++) {
        const wi_box box = wi_node_box(view, lane), empty = wi_box_empty();
        const wi_box *right = lane < view->count ? tight_child(l, view, lane) : &empty;
        expect_in(l, node, wi_box_contains(&box, right), "something sticks out of an open box");
        if (!may_be_loose || lane >= view->count)
            expect_in(l, node, boxes_equal(&box, right), "an open box is not tight");
    }
}

/* A node above the cut that is above another one shows no more than that one does. */
static void check_above(const look *l, uint32_t node)
{
    const wi_tree *h = l->h;
    const wi_node *view = &h->boxes.nodes[node];
    expect_in(l, node, (kept_patches(h)->of_node[node] == WI_ABOVE) == is_above(h, node),
              "a node does not know that it is above the cut");
    for (unsigned lane = 0; lane < view->count && wi_is_open(h, node); lane++) {
        if ((view->leaf_mask >> lane & 1) != 0 || !is_above(h, view->child[lane])) continue;
        const wi_node *child = &h->boxes.nodes[view->child[lane]];
        wi_box box = wi_node_box(view, lane), sum = wi_box_empty();
        for (unsigned i = 0; i < child->count; i++) {
            wi_box part = wi_node_box(child, i);
            wi_box_add_box(&sum, &part);
        }
        expect_in(l, node, boxes_equal(&box, &sum), "a box above the cut is not that of its parts");
    }
}

/* No update came: what a query has opened hangs on what is open, and nothing else has changed. */
static void check_stayed(const look *l, uint32_t node, census *seen)
{
    const wi_tree *h = l->h;
    const wi_node *view = &h->boxes.nodes[node];
    const bool is_new = is_opened(h, l->before, node);
    if (is_lazy(h) && is_above(h, node) && is_opened(h, l->before, 0)) { /* all at once */
        expect_in(l, node, wi_is_open(h, node), "a node above the cut was left out");
        if (is_new)
            expect_in(l, node, view->stamp == h->boxes.revision, "a wrong stamp above the cut");
        return;
    }
    if (!is_new) {
        check_same(l, node);
        return;
    }
    expect_in(l, node, view->stamp == h->boxes.revision, "a node is opened for another revision");
    expect_in(l, node, wi_is_open(h, view->parent), "a node is opened below a closed one");
    if (is_compact(h) || !is_large(h, node) ||
        (node != 0 && is_opened(h, l->before, view->parent) && !is_above(h, view->parent)))
        return;
    seen->two_levels++;
    for (unsigned lane = 0; lane < view->count; lane++)
        if ((view->leaf_mask >> lane & 1) == 0)
            expect_in(l, node, wi_is_open(h, view->child[lane]),
                      "a large node was opened without the next level");
}

static void check_node(const look *l, uint32_t node, census *seen)
{
    const bool is_open = wi_is_open(l->h, node);
    expect_in(l, node, is_open || is_closed_by_updates(l->h), "a closed node in an eager tree");
    if (is_open) check_open(l, node);
    if (is_lazy(l->h)) check_above(l, node);
    seen->open += is_open;
    seen->closed += !is_open;
    if (l->change == BUILT) {
        expect_in(l, node,
                  l->h->boxes.nodes[node].stamp == l->h->boxes.revision || is_compact(l->h),
                  "a fresh node is closed");
    } else if (l->change == STAYED) {
        check_stayed(l, node, seen);
    } else if (!is_closed_by_updates(l->h) || (is_compact(l->h) && l->change == MOVED_SOME)) {
        return;
    } else if (l->change == MOVED_ALL) {
        expect_in(l, node, !is_open, "a node is open before anybody asked");
        check_same(l, node);
    } else if (l->touched[node]) {
        expect_in(l, node, l->h->boxes.nodes[node].stamp == WI_STAMP_NONE,
                  "a touched node is open");
        check_same_boxes(l, node);
        seen->touched++;
    } else {
        check_same(l, node);
    }
}

/* ---- patches ---- */

/* What a patch owns: what its leaves have and those of no patch before it, by the test's own count.
 */
typedef struct patch_truth {
    wi_box owned;
    uint32_t owned_count;
    const wi_box *all; /* that is below */
} patch_truth;

/* The leaves of a node and those below follow each other: from here on. */
static uint32_t first_leaf_below(const wi_tree *h, uint32_t node)
{
    uint32_t leaf = 0;
    for (uint32_t i = 0; i < node; i++)
        leaf += (uint32_t)__builtin_popcount(h->boxes.nodes[i].leaf_mask);
    return leaf;
}

static patch_truth find_truth(const look *l, const wi_patch *patch, bool *is_owned)
{
    const wi_tree *h = l->h;
    const test_corners from = corners_of(l->w, l->number);
    const bool is_whole = kept_patches(h)->above_count == 0;
    const wi_node *parent = &h->boxes.nodes[patch->parent];
    const uint32_t child = is_whole ? 0 : parent->child[patch->parent_lane];
    const uint32_t first = patch->is_leaf ? child : first_leaf_below(h, child);
    const uint32_t last =
        patch->is_leaf ? child + 1 : first_leaf_below(h, kept_patches(h)->last_node[child]);
    patch_truth truth = {.owned = wi_box_empty(),
                         .all = is_whole ? &l->tight.nodes[0]
                                         : tight_child(l, parent, patch->parent_lane)};
    const wi_leaf *end = &h->shape->leaves[last - 1];
    for (uint32_t i = 3 * h->shape->leaves[first].first_tri;
         i < 3 * (end->first_tri + end->tri_count); i++) {
        const uint32_t vertex = from.tris[h->shape->slots[i / 3]][i % 3];
        if (is_owned[vertex]) continue;
        is_owned[vertex] = true;
        wi_box_add_point(&truth.owned, from.positions[vertex]);
        truth.owned_count++;
    }
    return truth;
}

static void check_patch(const look *l, uint32_t i, const patch_truth *truth)
{
    const wi_patch *patch = &kept_patches(l->h)->items[i];
    const wi_box *right = patch->has_outline ? truth->all : &truth->owned;
    if (patch->touched == 0)
        expect_in(l, i, boxes_equal(&patch->box, right), "the box of a patch is not tight");
    expect_in(l, i, wi_box_contains(&patch->box, right), "something sticks out of a patch");
    expect_in(l, i, patch->touched <= truth->owned_count, "a patch has grown for too long");
    if (l->change == BUILT || l->change == MOVED_ALL) {
        expect_in(l, i, patch->touched == 0, "a patch has grown though nothing was touched");
        expect_in(l, i, patch->has_outline == (l->change == BUILT),
                  "an outline is there too early or missing");
    }
    if (kept_patches(l->h)->above_count == 0) return;
    const wi_node *parent = &l->h->boxes.nodes[patch->parent];
    const wi_box shown = wi_node_box(parent, patch->parent_lane);
    if (wi_is_open(l->h, patch->parent) && patch->has_outline &&
        !(patch->is_leaf && may_write_leaves(l)))
        expect_in(l, i, boxes_equal(&patch->box, &shown), "a node does not show its patch");
    if (l->change == STAYED && is_opened(l->h, l->before, 0))
        expect_in(l, i, patch->has_outline, "the root is open without the outline of a patch");
}

/* Returns the box of them all. */
static wi_box check_patches(const look *l, census *seen)
{
    const wi_patches *p = kept_patches(l->h);
    bool *is_owned = calloc((size_t)l->h->mesh->vertex_count + 1, sizeof *is_owned);
    wi_box sum = wi_box_empty();
    for (uint32_t i = 0; i < p->count; i++) {
        const patch_truth truth = find_truth(l, &p->items[i], is_owned);
        check_patch(l, i, &truth);
        wi_box_add_box(&sum, &p->items[i].box);
        seen->grown += p->items[i].touched > 0;
    }
    seen->patches += p->count;
    free(is_owned);
    return sum;
}

static void check_bounds(const look *l, const wi_box *patches)
{
    const wi_box *bounds = &l->h->boxes.bounds;
    expect_in(l, 0, wi_box_contains(bounds, &l->tight.nodes[0]), "something sticks out of bounds");
    if (!l->is_loose)
        expect_in(l, 0, boxes_equal(bounds, &l->tight.nodes[0]), "bounds are not tight");
    else if (l->change == STAYED)
        expect_in(l, 0, boxes_equal(bounds, &l->before->bounds), "bounds were touched");
    else
        expect_in(l, 0, boxes_equal(bounds, patches), "bounds are not those of the patches");
}

/* ---- a look ---- */

static void remember(const wi_body *body, bool is_loose, memory_of_tree *m)
{
    const wi_tree *h = &body->geometry->tree;
    free(m->nodes);
    *m = (memory_of_tree){.builds = body->geometry->builds,
                          .subtree_builds = body->geometry->subtree_builds,
                          .revision = h->boxes.revision,
                          .valid_from = h->boxes.valid_from,
                          .mode = kept_mode(h),
                          .bounds = h->boxes.bounds,
                          .is_loose = is_loose};
    m->nodes = aligned_alloc(64, h->shape->node_count * sizeof *m->nodes);
    for (uint32_t i = 0; i < h->shape->node_count; i++)
        memcpy(&m->nodes[i], &h->boxes.nodes[i], sizeof *m->nodes);
}

static void count_look(const look *l, census *seen)
{
    const wi_body *body = body_of(l->w, l->number);
    const bool is_kept = l->before->nodes && body->geometry->builds == l->before->builds;
    seen->lazy[l->change] += is_lazy(l->h);
    seen->renewed += l->change == BUILT && is_kept;
    seen->auto_lazy_after += l->change == MOVED_ALL && is_lazy(l->h) && may_write_leaves(l);
}

static void check_body(const zoo_world *w, uint32_t number, memory_of_tree *before, census *seen)
{
    const wi_body *body = body_of(w, number);
    look l = {.w = w, .number = number, .h = &body->geometry->tree, .before = before};
    if (l.h->boxes.nodes == NULL) return;
    l.change = change_of(body, before);
    l.is_loose =
        is_lazy(l.h) && (l.change == MOVED_SOME || (l.change == STAYED && before->is_loose));
    l.tight = find_tight(l.h, corners_of(w, number));
    l.touched = find_touched(&l);
    for (uint32_t node = 0; node < l.h->shape->node_count; node++) check_node(&l, node, seen);
    const wi_box patches = is_lazy(l.h) ? check_patches(&l, seen) : l.tight.nodes[0];
    check_bounds(&l, &patches);
    count_look(&l, seen);
    remember(body, l.is_loose, before);
    free_tight(&l.tight);
    free(l.touched);
}

static void check_same_bits(const zoo_world *a, const zoo_world *b, uint32_t number)
{
    const wi_tree *x = hierarchy_of(a, number), *y = hierarchy_of(b, number);
    assert_int_equal(x->shape->node_count, y->shape->node_count);
    assert_int_equal(kept_patches(x)->count, kept_patches(y)->count);
    assert_memory_equal(&x->boxes.bounds, &y->boxes.bounds, sizeof x->boxes.bounds);
    for (uint32_t i = 0; i < x->shape->node_count; i++)
        expect(b, number, i,
               memcmp(&x->boxes.nodes[i], &y->boxes.nodes[i], sizeof *x->boxes.nodes) == 0,
               "kernels give other bits");
    for (uint32_t i = 0; i < kept_patches(x)->count; i++) {
        const wi_patch *p = &kept_patches(x)->items[i], *q = &kept_patches(y)->items[i];
        expect(b, number, i,
               memcmp(&p->box, &q->box, sizeof p->box) == 0 && p->touched == q->touched &&
                   p->has_outline == q->has_outline,
               "kernels give other bits to a patch");
    }
}

/* ---- a trial: one scene, a world per kernel, and what happens to them ---- */

enum { MAX_WORLDS = 2 };

typedef struct trial {
    zoo_scene scene;
    zoo_world worlds[MAX_WORLDS];
    uint32_t world_count;
    memory_of_tree before[MAX_WORLDS][ZOO_MAX_BODIES];
    zoo_answers answers;
    uint64_t random;
    uint32_t frame;
} trial;

static uint32_t below(trial *t, uint32_t limit)
{
    return limit == 0 ? 0 : (uint32_t)(test_random(&t->random) % limit);
}

/* Lazy ones most of the time, the others as their partners. */
/* Not SPHERE, whose nodes are not the same ones for long. */
static willow_tree_def random_tree(trial *t)
{
    static const willow_method lazy[] = {WILLOW_METHOD_TOP_DOWN, WILLOW_METHOD_HYBRID,
                                         WILLOW_METHOD_HYBRID, WILLOW_METHOD_AUTO};
    static const uint32_t leaf_sizes[] = {1, 1, 2, 3, 8, 0};
    willow_method method =
        below(t, 5) > 0 ? lazy[below(t, 4)] : (willow_method)below(t, WILLOW_METHOD_COUNT);
    if (method == WILLOW_METHOD_SPHERE) method = WILLOW_METHOD_BALANCED;
    willow_tree_def tree =
        zoo_tree(method, zoo_arities[below(t, ZOO_ARITIES)], leaf_sizes[below(t, 6)]);
    zoo_tree_vary(&tree, test_random(&t->random));
    tree.margin = 0.0F; /* boxes are to be tight */
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
        for (uint32_t body = 0; body < t->scene.body_count; body++) free(t->before[i][body].nodes);
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

static void set_in_all(trial *t, uint32_t number, uint32_t first, uint32_t count)
{
    zoo_mesh *mesh = &t->scene.bodies[number].mesh;
    zoo_mesh_move(mesh, ++t->frame, first, count);
    for (uint32_t i = 0; i < t->world_count; i++)
        assert_ok(willow_body_set_vertices(t->worlds[i].world, t->worlds[i].bodies[number].id,
                                           first, count, mesh->positions + first, 0));
}

/* Updates with what was handed over already, and says so to the check. */
static void update_all(trial *t, uint32_t number, uint32_t first, uint32_t last)
{
    zoo_scene_stay(&t->scene);
    follow_all(t);
    t->scene.bodies[number].moved_first = first;
    t->scene.bodies[number].moved_count = last - first;
}

/* A few vertices that follow each other, one by one; a refusal on the way changes nothing. */
static void nudge(trial *t, uint32_t number)
{
    const uint32_t has = t->scene.bodies[number].mesh.vertex_count;
    if (has == 0 || t->worlds[0].bodies[number].borrows) return;
    const uint32_t first = below(t, has), most = 1 + has / 8;
    const uint32_t last = first + 1 + below(t, has - first < most ? has - first : most);
    for (uint32_t vertex = first; vertex < last; vertex++) {
        set_in_all(t, number, vertex, 1);
        if (below(t, 20) == 0) refuse(t, number);
    }
    update_all(t, number, first, last);
}

/* Between a move of all or some vertices and its update, also twice: the last good ones count. */
static void move_and_refuse(trial *t, uint32_t number)
{
    const uint32_t has = t->scene.bodies[number].mesh.vertex_count;
    uint32_t least = has;
    if (has == 0 || t->worlds[0].bodies[number].borrows) return;
    for (uint32_t times = 1 + below(t, 2); times > 0; times--) {
        const uint32_t first = below(t, 2) == 0 ? 0 : below(t, has);
        least = first < least ? first : least;
        set_in_all(t, number, first, has - first);
        refuse(t, number);
    }
    update_all(t, number, least, has);
}

static void change_tree(trial *t, uint32_t number)
{
    willow_tree_def tree = random_tree(t);
    for (uint32_t i = 0; i < t->world_count; i++)
        assert_ok(willow_body_set_tree(t->worlds[i].world, t->worlds[i].bodies[number].id, &tree));
    zoo_scene_stay(&t->scene);
    if (below(t, 2) == 0) zoo_scene_move_some(&t->scene, ++t->frame, t->random);
    follow_all(t);
}

/* Nodes that were opened since the last look, with those that are computed with the root. */
typedef struct opened_nodes {
    size_t computed;
    size_t asked_for; /* without those that came with a node above them */
} opened_nodes;

static void add_opened(const wi_tree *h, const memory_of_tree *before, opened_nodes *opened)
{
    if (h->boxes.nodes == NULL || !is_closed_by_updates(h)) return;
    for (uint32_t node = 0; node < h->shape->node_count && is_compact(h); node++) {
        opened->computed += is_opened(h, before, node);
        opened->asked_for += is_opened(h, before, node);
    }
    if (is_compact(h)) return;
    for (uint32_t i = 0; i < kept_patches(h)->above_count; i++)
        opened->computed += is_opened(h, before, kept_patches(h)->above[i]);
    opened->asked_for += kept_patches(h)->above_count > 0 && is_opened(h, before, 0);
    for (uint32_t node = 0; node < h->shape->node_count; node++) {
        const uint32_t parent = h->boxes.nodes[node].parent;
        if (is_above(h, node) || !is_opened(h, before, node)) continue;
        opened->computed++;
        opened->asked_for += node == 0 || is_above(h, parent) || !is_large(h, parent) ||
                             !is_opened(h, before, parent);
    }
}

static opened_nodes find_opened(const zoo_world *w, const memory_of_tree *before)
{
    opened_nodes opened = {0};
    for (uint32_t i = 0; i < w->scene->body_count; i++)
        add_opened(hierarchy_of(w, i), &before[i], &opened);
    return opened;
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
        willow_scratch_reset_stats(w->scratch);
        seen->pairs += form(w, &question, &t->answers);
        const willow_query_stats stats = willow_scratch_stats(w->scratch);
        const opened_nodes opened = find_opened(w, t->before[i]);
        assert_int_equal(opened.computed, stats.nodes_refreshed);
        assert_true(opened.asked_for <= stats.nodes_opened);
        seen->refreshed += stats.nodes_refreshed;
    }
}

typedef struct visit {
    const wi_tree *h;
    tight_boxes tight;
    uint32_t left; /* nodes until it stops */
    bool is_loose; /* some vertices moved since all boxes were tight */
    bool is_right;
} visit;

/* The root shows the bounds, and what hangs on nodes above the cut shows patches. */
static bool shows_patches(const visit *v, const willow_node *node)
{
    return is_lazy(v->h) && (node->number == 0 || is_above(v->h, node->parent));
}

static bool visit_node(void *context, const willow_node *node)
{
    visit *v = context;
    const wi_box box = {{node->box.lower.x, node->box.lower.y, node->box.lower.z},
                        {node->box.upper.x, node->box.upper.y, node->box.upper.z}};
    const wi_box *right = node->is_leaf ? &v->tight.leaves[node->number - v->h->shape->node_count]
                                        : &v->tight.nodes[node->number];
    v->is_right =
        v->is_right && (v->is_loose && shows_patches(v, node) ? wi_box_contains(&box, right)
                                                              : boxes_equal(&box, right));
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
        visit v = {.h = hierarchy_of(w, number),
                   .left = limit,
                   .is_loose = t->before[i][number].is_loose,
                   .is_right = true};
        v.tight = find_tight(v.h, corners_of(w, number));
        assert_ok(willow_body_visit_nodes(w->world, w->bodies[number].id, visit_node, &v));
        expect(w, number, 0, v.is_right, "a node was shown with another box");
        free_tight(&v.tight);
        if (!all) continue;
        assert_ok(willow_body_get_stats(w->world, w->bodies[number].id, &stats));
        for (uint32_t node = 0; node < v.h->shape->node_count && stats.cost > 0.0; node++)
            assert_true(wi_is_open(v.h, node));
    }
}

static void act(trial *t, census *seen)
{
    const uint32_t number = below(t, t->scene.body_count);
    switch (below(t, 12)) {
    case 0:
    case 1:
    case 2: move(t); break;
    case 7:
    case 8: nudge(t, number); break;
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

static void open_boxes_are_right_and_closed_ones_untouched_whatever_happens(void **state)
{
    (void)state;
    census seen = {0};
    run_trials(0, 110, 40, 40, &seen);
    run_trials(1000, 40, 400, 24, &seen);
    print_census(&seen);
    print_message("%zu steps, %zu refusals, %zu nodes computed by queries, %zu pairs found\n",
                  seen.steps, seen.refusals, seen.refreshed, seen.pairs);
    assert_true(seen.open > 10000 && seen.closed > 10000 && seen.patches > 10000);
    for (int i = 0; i < CHANGES; i++) assert_true(seen.lazy[i] > 100);
    assert_true(seen.touched > 1000 && seen.grown > 100 && seen.two_levels > 10);
    assert_true(seen.refusals > 100 && seen.refreshed > 1000 && seen.pairs > 0);
}

/* ---- all boxes, opened one and all ---- */

/* Computes every box that is not there, and counts it. */
static void open_all(const zoo_world *w, const memory_of_tree *before)
{
    wi_openings count = {0};
    for (uint32_t i = 0; i < w->scene->body_count; i++) {
        const wi_tree *h = hierarchy_of(w, i);
        for (uint32_t node = 0; node < h->shape->node_count; node++) {
            (void)wi_open(h, node, &count);
            assert_true(wi_is_open(h, node));
        }
    }
    assert_int_equal(count.lost, 0);
    assert_int_equal(count.refreshed, find_opened(w, before).computed);
}

/* In each frame before and after all is opened. */
static void run_frames(zoo_scene *scene, const zoo_setup *setup, uint32_t frames, bool moves_all,
                       census *seen)
{
    zoo_world w;
    memory_of_tree before[ZOO_MAX_BODIES] = {0};
    zoo_world_create(&w, scene, setup);
    for (uint32_t frame = 0; frame < frames; frame++) {
        if (frame > 0) {
            if (moves_all)
                zoo_scene_move_all(scene, frame);
            else
                zoo_scene_move_some(scene, frame, setup->formats);
            zoo_world_follow(&w, setup->formats * 8 + frame);
        }
        for (uint32_t i = 0; i < scene->body_count; i++) check_body(&w, i, &before[i], seen);
        open_all(&w, before);
        for (uint32_t i = 0; i < scene->body_count; i++) check_body(&w, i, &before[i], seen);
    }
    for (uint32_t i = 0; i < scene->body_count; i++) free(before[i].nodes);
    zoo_world_destroy(&w);
}

static void every_box_is_right_once_it_is_opened(void **state)
{
    (void)state;
    census seen = {0};
    for (zoo_kind kind = 0; kind < ZOO_KIND_COUNT; kind++)
        for (uint32_t variant = 0; variant < ZOO_VARIANT_COUNT; variant++)
            for (uint32_t i = 0; i < 12 && is_tight_variant(variant); i++) {
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
                run_frames(&scene, &setup, 4, i % 3 == 0, &seen);
                zoo_scene_destroy(&scene);
            }
    print_census(&seen);
    assert_true(seen.open > 10000 && seen.closed > 1000);
    for (int i = 0; i < CHANGES; i++) assert_true(seen.lazy[i] > 100);
}

/* AUTO sees that all is opened every time, refits all from then on, and still leaves nodes closed
 * now and then to see whether that holds. */
static void auto_is_right_in_all_its_modes(void **state)
{
    (void)state;
    census seen = {0};
    for (zoo_kind kind = 0; kind < ZOO_KIND_COUNT; kind++) {
        zoo_scene scene = {0};
        zoo_setup setup =
            zoo_setup_with(WILLOW_KERNEL_AUTO, zoo_variant_tree(WILLOW_METHOD_AUTO, 4, 2));
        setup.formats = 1 + kind;
        zoo_scene_add(&scene, kind, 200, kind);
        run_frames(&scene, &setup, 34, kind % 2 == 0, &seen);
        zoo_scene_destroy(&scene);
    }
    print_census(&seen);
    assert_true(seen.auto_lazy_after > 10);
}

/* Many tasks of patches, so that workers meet. */
static void boxes_are_tight_when_workers_share_a_body(void **state)
{
    (void)state;
    census seen = {0};
    for (uint32_t variant = 0; variant < ZOO_VARIANT_COUNT; variant++) {
        if (zoo_variant_grows(variant)) continue;
        zoo_scene scene = {0};
        zoo_setup setup = zoo_setup_with(WILLOW_KERNEL_AUTO, zoo_variant_tree(variant, 8, 8));
        setup.world.thread_count = 4;
        if (!is_lazy_variant(variant) || !is_tight_variant(variant)) continue;
        zoo_scene_add(&scene, ZOO_KIND_GRID, 40000, 1);
        assert_true(scene.bodies[0].mesh.vertex_count > 4 * 4096);
        run_frames(&scene, &setup, 4, true, &seen);
        zoo_scene_destroy(&scene);
    }
    print_census(&seen);
    assert_true(seen.open > 1000 && seen.closed > 1000 && seen.lazy[MOVED_ALL] > 10);
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

static const wi_tree *sheet_tree(const ordered_sheet *o)
{
    return &o->world->bodies.items[0]->geometry->tree;
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
    o->world = fixture_world(&def);
    o->id = fixture_body(o->world, &body);
    assert_ok(willow_world_update(o->world, 0.0, NULL));
}

/* Numbers the vertices as the tree does. */
static void order_sheet(ordered_sheet *o)
{
    const wi_patches *p = kept_patches(sheet_tree(o));
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
    const wi_tree *h = sheet_tree(o);
    const test_corners from = {(const float(*)[3])o->mesh.positions,
                               (const uint32_t(*)[3])o->mesh.tris};
    tight_boxes tight = find_tight(h, from);
    assert_true(boxes_equal(&h->boxes.bounds, &tight.nodes[0]));
    for (uint32_t node = 0; node < h->shape->node_count; node++) {
        wi_openings count = {0};
        const wi_node *view = wi_open(h, node, &count);
        for (unsigned lane = 0; lane < view->count; lane++) {
            wi_box box = wi_node_box(view, lane);
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
    assert_ok(willow_body_begin_vertices(o->world, o->id));
    for (uint32_t i = 0; i < o->mesh.vertex_count; i++) {
        for (int axis = 0; axis < 3; axis++)
            o->mesh.positions[i][axis] += (float)test_random_between(random, -0.5, 0.5);
        memcpy(o->vertices + i * o->stride, o->mesh.positions[i], sizeof *o->mesh.positions);
    }
    assert_ok(willow_world_update(o->world, 0.0, NULL));
    for (uint32_t node = 0; node < sheet_tree(o)->shape->node_count; node++)
        assert_false(wi_is_open(sheet_tree(o), node));
}

static void a_borrowed_array_may_be_in_the_order_of_the_tree(void **state)
{
    (void)state;
    uint64_t random = 1;
    size_t sheets = 0;
    for (uint32_t variant = 0; variant < ZOO_VARIANT_COUNT; variant++) {
        if (zoo_variant_grows(variant)) continue;
        if (!is_lazy_variant(variant) || !is_tight_variant(variant)) continue;
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
                    assert_true(kept_patches(sheet_tree(&o))->is_in_order);
                    for (int frame = 0; frame < 4; frame++, sheets++) {
                        check_sheet(&o);
                        move_sheet(&o, &random);
                    }
                    check_sheet(&o);
                    willow_world_destroy(o.world);
                    free(o.vertices);
                    zoo_mesh_destroy(&o.mesh);
                }
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
    assert_ok(willow_find_pairs(m->w.world, m->w.scratch, NULL, &found));
    *pairs = found.count;
    return willow_scratch_stats(m->w.scratch).nodes_refreshed;
}

static uint32_t count_open(const wi_tree *h)
{
    uint32_t open = 0;
    for (uint32_t node = 0; node < h->shape->node_count; node++) open += wi_is_open(h, node);
    return open;
}

static willow_update_report update(met_world *m)
{
    willow_update_report report;
    assert_ok(willow_world_update(m->w.world, 0.0, &report));
    return report;
}

static void set_pose(met_world *m, willow_pose pose)
{
    assert_ok(willow_body_set_pose(m->w.world, m->w.bodies[0].id, &pose));
    assert_int_equal(update(m).nodes_updated, 0);
}

static void set_body(met_world *m, uint32_t number, uint32_t first, uint32_t count)
{
    assert_ok(willow_body_set_vertices(m->w.world, m->w.bodies[number].id, first, count,
                                       m->scene.bodies[number].mesh.positions + first, 0));
}

/* Hands over all vertices, which are where they were. */
static void close_body(met_world *m, uint32_t number)
{
    const wi_tree *h = hierarchy_of(&m->w, number);
    set_body(m, number, 0, m->scene.bodies[number].mesh.vertex_count);
    const willow_update_report report = update(m);
    assert_int_equal(report.bodies_updated, 1);
    assert_int_equal(report.bodies_built, 0);
    assert_int_equal(report.nodes_updated, is_lazy(h) ? 0 : h->shape->node_count);
    assert_int_equal(count_open(h), is_closed_by_updates(h) ? 0 : h->shape->node_count);
}

static bool ignore_tri(void *context, willow_tri_ref tri)
{
    (void)context;
    (void)tri;
    return true;
}

static void far_box_opens_nothing(met_world *m)
{
    const willow_box far = {{90, 90, 90}, {91, 91, 91}};
    willow_scratch_reset_stats(m->w.scratch);
    assert_ok(willow_visit_box(m->w.world, m->w.scratch, &far, NULL, ignore_tri, NULL));
    assert_int_equal(willow_scratch_stats(m->w.scratch).nodes_refreshed, 0);
}

static void check_met_world(met_world *m, uint32_t variant)
{
    const willow_pose away = {{50, 0, 0}, {0, 0, 0, 1}}, home = willow_pose_identity();
    const wi_tree *sphere = hierarchy_of(&m->w, 0), *sheet = hierarchy_of(&m->w, 1);
    const uint32_t nodes = sphere->shape->node_count + sheet->shape->node_count;
    size_t pairs, same_pairs;

    /* A fresh tree has all its boxes, side by side or in its nodes. */
    const uint32_t open_at_first = count_open(sphere) + count_open(sheet);
    assert_int_equal(open_at_first, is_compact(sphere) ? 0 : nodes);
    const uint64_t copied = refreshed_by_pairs(m, &pairs);
    assert_int_equal(copied, count_open(sphere) + count_open(sheet) - open_at_first);
    assert_true(pairs > 0);

    /* Bodies that are apart compute nothing, not even what is above the cut. */
    close_body(m, 0);
    close_body(m, 1);
    set_pose(m, away);
    assert_int_equal(refreshed_by_pairs(m, &same_pairs), 0);
    assert_int_equal(same_pairs, 0);
    far_box_opens_nothing(m);

    /* Where they meet, what is computed is what was closed and is open then. */
    set_pose(m, home);
    const uint64_t first = refreshed_by_pairs(m, &same_pairs);
    const uint32_t open_sphere = count_open(sphere), open_sheet = count_open(sheet);
    print_message("%-12s %llu of %u nodes computed for %zu pairs\n", zoo_variant_name(variant),
                  (unsigned long long)first, nodes, pairs);
    assert_int_equal(same_pairs, pairs);
    assert_int_equal(first, is_closed_by_updates(sphere) ? open_sphere + open_sheet : 0);
    if (is_lazy(sphere)) {
        const bool is_all_above = kept_patches(sphere)->above_count == sphere->shape->node_count;
        assert_true(open_sphere > 1 && open_sphere >= kept_patches(sphere)->above_count);
        assert_int_equal(first == nodes, is_all_above);
    }

    /* Asking again, and coming back from elsewhere, computes nothing. */
    assert_int_equal(refreshed_by_pairs(m, &same_pairs), 0);
    set_pose(m, away);
    set_pose(m, home);
    assert_int_equal(refreshed_by_pairs(m, &same_pairs), 0);
    assert_int_equal(same_pairs, pairs);

    /* New vertices for the sphere close it, and not the sheet. */
    close_body(m, 0);
    assert_int_equal(count_open(sheet), open_sheet);
    assert_int_equal(refreshed_by_pairs(m, &same_pairs),
                     is_closed_by_updates(sphere) ? open_sphere : 0);
    assert_int_equal(same_pairs, pairs);
    assert_int_equal(count_open(sphere), open_sphere);
    assert_int_equal(count_open(sheet), open_sheet);

    /* One vertex closes the root and little else, and who is far from it opens nothing. */
    set_body(m, 0, 1, 1);
    (void)update(m);
    assert_int_equal(sphere->shape->node_count > 0 && !wi_is_open(sphere, 0), is_lazy(sphere));
    assert_true(count_open(sphere) <= open_sphere);
    far_box_opens_nothing(m);
    (void)refreshed_by_pairs(m, &same_pairs);
    assert_int_equal(same_pairs, pairs);
    assert_int_equal(count_open(sphere), open_sphere);
}

static void what_was_opened_stays_open_until_its_body_changes(void **state)
{
    (void)state;
    for (uint32_t variant = 0; variant < ZOO_VARIANT_COUNT; variant++) {
        if (zoo_variant_grows(variant)) continue;
        met_world m;
        if (variant == WILLOW_METHOD_REBUILD) continue; /* it keeps nothing */
        if (!is_tight_variant(variant)) continue;       /* it opens anew without computing */
        make_met_world(&m, variant);
        check_met_world(&m, variant);
        assert_int_equal(is_lazy(hierarchy_of(&m.w, 0)), is_lazy_variant(variant));
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
        const wi_tree *h = hierarchy_of(&m.w, 0);
        assert_int_equal(kept_patches(h)->level, 0);
        assert_int_equal(kept_patches(h)->above_count, 0);
        for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
            willow_tree_def tree = zoo_tree(WILLOW_METHOD_HYBRID, arity, 2);
            tree.hybrid_level = levels[i];
            assert_ok(willow_body_set_tree(m.w.world, m.w.bodies[0].id, &tree));
            (void)update(&m);
            const uint32_t half = (h->shape->height + 1) / 2;
            const uint32_t wanted = levels[i] == 0 ? half : levels[i];
            assert_int_equal(kept_patches(h)->level,
                             wanted < h->shape->height ? wanted : h->shape->height);
            assert_int_equal(kept_patches(h)->above_count == h->shape->node_count,
                             wanted >= h->shape->height);
        }
        assert_true(h->shape->height > 2);
        free_met_world(&m);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(open_boxes_are_right_and_closed_ones_untouched_whatever_happens),
    cmocka_unit_test(every_box_is_right_once_it_is_opened),
    cmocka_unit_test(auto_is_right_in_all_its_modes),
    cmocka_unit_test(boxes_are_tight_when_workers_share_a_body),
    cmocka_unit_test(a_borrowed_array_may_be_in_the_order_of_the_tree),
    cmocka_unit_test(what_was_opened_stays_open_until_its_body_changes),
    cmocka_unit_test(the_cut_is_where_it_was_asked_for),
};

TEST_GROUP(lazy, tests);
