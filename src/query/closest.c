/* closest.c - the triangle closest to a point, and the two triangles of two sets of bodies that are
 * closest to each other.
 *
 * Way in: wi_closest_point, wi_closest_pair. All bodies, or pairs of bodies, are in one search, the
 * nearest boxes first, so that most bodies are never looked into. Most searches end after some tens
 * of steps. One that does not is about many triangles that are nearly as close, or that meet: then
 * items are taken from it in batches, which workers share out. Each item of a batch begins with
 * what was best before the batch and goes some steps; what it leaves goes back to the search, in
 * the order of the items. So batches are the same with any number of workers, and neither answers
 * nor counts depend on it (C10). */
#include <string.h>

#include "base/check.h"
#include "prim/distance/distance.h"
#include "query/scratch.h"

/* Steps before batches: some times the way down of a tall tree. */
enum { FIRST_STEPS = 256 };

/* Enough items for all workers, and few enough steps of each that hardly any does what the one
 * before it would have spared. */
enum { BATCH = 64, ITEM_STEPS = 64 };

void wi_search_free(wi_memory *memory, wi_search *search)
{
    wi_nearest_free(memory, &search->front);
    wi_array_free(memory, &search->batch);
    wi_array_free(memory, &search->outcomes);
    for (size_t i = 0; i < search->rooms.rooms.count; i++)
        wi_free(memory, search->rooms.rooms.items[i], sizeof *search->rooms.rooms.items[i]);
    wi_array_free(memory, &search->rooms.rooms);
    wi_array_free(memory, &search->rooms.trees);
}

typedef struct search {
    willow_scratch *scratch;
    const wi_nearest_kernels *kernels;
} search;

static double closest_limit_of(const wi_question *question)
{
    return question->options.max_distance > 0.0 ? question->options.max_distance : INFINITY;
}

static bool search_start(const wi_question *question, willow_scratch *scratch, wi_nearest_kind kind)
{
    if (!wi_scratch_ready(scratch, question->tasks.worker_count)) return false;
    for (uint32_t i = 0; i < scratch->ready_count; i++)
        scratch->workers[i].is_out_of_memory = false;
    scratch->search.rooms.used = 0;
    const wi_nearest_best nothing = wi_nearest_within(closest_limit_of(question));
    wi_nearest_start(&scratch->search.front, &scratch->workers[0].reader, kind, &question->rules,
                     &nothing);
    return true;
}

/* Moves what a search has on its heap to the end of a list. */
static bool search_move_heap(wi_memory *memory, wi_nearest_items *heap, wi_nearest_items *to)
{
    if (!wi_array_reserve(memory, to, to->count + heap->count)) return false;
    if (heap->count > 0)
        memcpy(to->items + to->count, heap->items, heap->count * sizeof *heap->items);
    to->count += heap->count;
    heap->count = 0;
    return true;
}

static bool search_run_item(search *s, uint32_t task, uint32_t worker)
{
    willow_scratch *scratch = s->scratch;
    wi_query_worker *w = &scratch->workers[worker];
    const size_t first = w->left.count;
    WI_ASSERT(task < scratch->search.batch.count);
    wi_nearest_start_part(&w->nearest, &w->reader, &scratch->search.front);
    if (!wi_nearest_push(&w->nearest, &scratch->search.batch.items[task]) ||
        !wi_nearest_run(&w->nearest, s->kernels, ITEM_STEPS) ||
        !search_move_heap(scratch->memory, &w->nearest.heap, &w->left))
        return false;
    scratch->search.outcomes.items[task] =
        (wi_nearest_outcome){w->nearest.best, worker, first, w->left.count - first};
    return true;
}

static void search_task(void *arg, uint32_t task, uint32_t worker)
{
    search *s = arg;
    WI_ASSERT(worker < s->scratch->ready_count);
    wi_query_worker *w = &s->scratch->workers[worker];
    if (!w->is_out_of_memory) w->is_out_of_memory = !search_run_item(s, task, worker);
}

static bool search_take_batch(willow_scratch *scratch)
{
    wi_nearest_item item;
    scratch->search.batch.count = scratch->search.outcomes.count = 0;
    if (!wi_array_reserve(scratch->memory, &scratch->search.batch, BATCH) ||
        !wi_array_reserve(scratch->memory, &scratch->search.outcomes, BATCH))
        return false;
    while (scratch->search.batch.count < BATCH && wi_nearest_pop(&scratch->search.front, &item))
        scratch->search.batch.items[scratch->search.batch.count++] = item;
    for (uint32_t i = 0; i < scratch->ready_count; i++) scratch->workers[i].left.count = 0;
    return true;
}

/* All that was found is merged before anything goes back: less of it does then. */
static bool search_merge_batch(willow_scratch *scratch)
{
    const wi_nearest_outcome *outcomes = scratch->search.outcomes.items;
    WI_ASSERT(scratch->search.batch.count <= BATCH);
    for (size_t i = 0; i < scratch->search.batch.count; i++)
        if (outcomes[i].best.found)
            wi_nearest_offer(&scratch->search.front.best, outcomes[i].best.distance,
                             &outcomes[i].best.key);
    for (size_t i = 0; i < scratch->search.batch.count; i++) {
        const wi_nearest_item *left = scratch->workers[outcomes[i].worker].left.items;
        for (size_t k = outcomes[i].first; k < outcomes[i].first + outcomes[i].count; k++)
            if (!wi_nearest_push(&scratch->search.front, &left[k])) return false;
    }
    return true;
}

static bool search_run_batch(const wi_question *question, search *s)
{
    willow_scratch *scratch = s->scratch;
    const uint32_t count = (uint32_t)scratch->search.batch.count;
    if (count == 0) return true;
    question->tasks.parallel_for(question->tasks.context, count, search_task, s);
    for (uint32_t i = 0; i < scratch->ready_count; i++)
        if (scratch->workers[i].is_out_of_memory) return false;
    return search_merge_batch(scratch);
}

/* Until nothing on the front may be better than what was found. */
static bool search_run(const wi_question *question, willow_scratch *scratch)
{
    search s = {scratch, wi_nearest_kernels_for(scratch->kernel)};
    if (!wi_nearest_run(&scratch->search.front, s.kernels, FIRST_STEPS)) return false;
    while (scratch->search.front.heap.count > 0) {
        if (!search_take_batch(scratch) || !search_run_batch(question, &s)) return false;
    }
    return true;
}

/* The squared distance of the farthest points of two boxes: no two bodies in them are farther apart
 * than that, nor is their distance as it is found, with a hair for its roundings. */
static double farthest2(const wi_box *a, const wi_box *b)
{
    double sum = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        double up = (double)a->upper[axis] - (double)b->lower[axis];
        double down = (double)b->upper[axis] - (double)a->lower[axis];
        double far = up > down ? up : down;
        sum += far * far;
    }
    return sum * (1.0 + 1e-9);
}

static void reach_no_farther(wi_nearest_best *best, double reach2)
{
    best->reach2 = reach2 < best->reach2 ? reach2 : best->reach2;
}

static const wi_query_body *body_at(const willow_scratch *scratch, size_t number)
{
    WI_ASSERT(number < scratch->chosen.count);
    return &scratch->chosen.items[number];
}

static bool has_triangles(const wi_query_body *body) { return !wi_box_is_empty(&body->bounds); }

const wi_tree *wi_search_tree(willow_scratch *scratch, const wi_query_body *body)
{
    wi_search_rooms *rooms = &scratch->search.rooms;
    if (body->shown->kind == WI_SHOWN_OWN) return body->shown->tree;
    if (rooms->used == rooms->rooms.count) {
        wi_instance *room = wi_alloc(scratch->memory, sizeof *room);
        if (room == NULL) return NULL;
        if (!wi_array_push(scratch->memory, &rooms->rooms, room)) {
            wi_free(scratch->memory, room, sizeof *room);
            return NULL;
        }
    }
    return wi_shown_tree(body->shown, rooms->rooms.items[rooms->used++]);
}

/* ---- to a point ---- */

static bool search_push_body(willow_scratch *scratch, uint32_t number, const float p[3])
{
    const wi_tree *h = wi_search_tree(scratch, body_at(scratch, number));
    if (h == NULL) return false;
    const wi_nearest_item root = wi_nearest_root_point(h, number, p);
    return wi_nearest_push(&scratch->search.front, &root);
}

/* The node or body whose farthest point is nearest, of those below a node. */
static unsigned search_best_lane(const wi_body_node *node, const wi_box *point)
{
    unsigned best = 0;
    double best2 = (double)INFINITY;
    for (unsigned lane = 0; lane < node->count; lane++) {
        const wi_box box = wi_body_node_box(node, lane);
        const double far2 = farthest2(&box, point);
        if (!(far2 < best2)) continue;
        best2 = far2;
        best = lane;
    }
    return best;
}

/* How far the answer can be at most: some body near the point, found on one way down. */
static void search_reach_body(const wi_body_tree *tree, const wi_box *point, wi_nearest_best *best)
{
    const wi_body_node *node = &tree->nodes[0];
    for (;;) {
        const unsigned lane = search_best_lane(node, point);
        const wi_box box = wi_body_node_box(node, lane);
        reach_no_farther(best, farthest2(&box, point));
        if ((node->leaf_mask >> lane & 1) != 0) return;
        node = &tree->nodes[node->child[lane]];
    }
}

/* All bodies whose boxes are within reach: as wi_box_distance2 is no greater for larger boxes, none
 * is passed over that could hold the answer. */
static bool search_seed_tree(const wi_body_tree *tree, willow_scratch *scratch, const float p[3])
{
    const wi_box point = {{p[0], p[1], p[2]}, {p[0], p[1], p[2]}};
    wi_nearest_best *best = &scratch->search.front.best;
    uint32_t stack[WI_BODY_TREE_STACK], count = 0;
    if (tree->node_count == 0) return true;
    search_reach_body(tree, &point, best);
    stack[count++] = 0;
    while (count > 0) {
        const wi_body_node *node = &tree->nodes[stack[--count]];
        for (unsigned lane = 0; lane < node->count; lane++) {
            const wi_box box = wi_body_node_box(node, lane);
            if (wi_box_distance2(&box, &point) > best->reach2) continue;
            reach_no_farther(best, farthest2(&box, &point));
            const bool is_body = (node->leaf_mask >> lane & 1) != 0;
            WI_ASSERT(is_body || count < WI_BODY_TREE_STACK);
            if (!is_body)
                stack[count++] = node->child[lane];
            else if (!search_push_body(scratch, node->child[lane], p))
                return false;
        }
    }
    return true;
}

static bool search_seed_bodies(const wi_question *question, willow_scratch *scratch,
                               const float p[3])
{
    const wi_box box = {{p[0], p[1], p[2]}, {p[0], p[1], p[2]}};
    wi_nearest *front = &scratch->search.front;
    if (question->tree) return search_seed_tree(question->tree, scratch, p);
    for (size_t i = 0; i < scratch->chosen.count; i++)
        if (has_triangles(body_at(scratch, i)))
            reach_no_farther(&front->best, farthest2(&body_at(scratch, i)->bounds, &box));
    for (uint32_t i = 0; i < scratch->chosen.count; i++)
        if (has_triangles(body_at(scratch, i)) && !search_push_body(scratch, i, p)) return false;
    return true;
}

willow_result wi_closest_point(const wi_question *question, willow_scratch *scratch,
                               const float p[3], willow_closest *out)
{
    if (!search_start(question, scratch, WI_NEAREST_POINT) ||
        !search_seed_bodies(question, scratch, p) || !search_run(question, scratch))
        return wi_fail_memory(&scratch->message, "a search by distance");
    const wi_nearest_best *best = &scratch->search.front.best;
    if (!best->found) return WILLOW_OK;
    const wi_query_body *body = body_at(scratch, best->key.body_a);
    const wi_tree *h = wi_worker_tree(&scratch->workers[0], body);
    const wi_tri tri = wi_mesh_tri(h->mesh, best->key.tri_a);
    const wi_closest_points points = wi_point_tri_closest(p, &tri);
    WI_ASSERT(points.distance == best->distance);
    *out = (willow_closest){.found = true,
                            .tri = {body->shown->id, best->key.tri_a},
                            .distance = points.distance,
                            .contact = wi_contact_between(&points, false)};
    return WILLOW_OK;
}

/* ---- between two sets ---- */

static bool are_compared(const wi_query_body *a, const wi_query_body *b)
{
    return a->shown != b->shown && has_triangles(a) && has_triangles(b);
}

/* The trees of all bodies asked about. */
static bool search_list_trees(willow_scratch *scratch)
{
    wi_search_rooms *rooms = &scratch->search.rooms;
    const size_t count = scratch->chosen.count;
    if (!wi_array_reserve(scratch->memory, &rooms->trees, count)) return false;
    for (size_t i = 0; i < count; i++) {
        rooms->trees.items[i] = wi_search_tree(scratch, body_at(scratch, i));
        if (rooms->trees.items[i] == NULL) return false;
    }
    return true;
}

/* Every pair of bodies whose boxes are near enough. */
static bool search_seed_pairs(willow_scratch *scratch, size_t count_a)
{
    wi_nearest *front = &scratch->search.front;
    WI_ASSERT(count_a <= scratch->chosen.count);
    const size_t count = scratch->chosen.count;
    const wi_search_rooms *rooms = &scratch->search.rooms;
    if (!search_list_trees(scratch)) return false;
    for (size_t a = 0; a < count_a; a++)
        for (size_t b = count_a; b < count; b++)
            if (are_compared(body_at(scratch, a), body_at(scratch, b)))
                reach_no_farther(&front->best, farthest2(&body_at(scratch, a)->bounds,
                                                         &body_at(scratch, b)->bounds));
    for (size_t a = 0; a < count_a; a++)
        for (size_t b = count_a; b < count; b++) {
            if (!are_compared(body_at(scratch, a), body_at(scratch, b))) continue;
            const wi_nearest_item root = wi_nearest_root(
                rooms->trees.items[a], (uint32_t)a, rooms->trees.items[b], (uint32_t)(b - count_a));
            if (!wi_nearest_push(front, &root)) return false;
        }
    front->reader->stats.body_pairs += front->heap.count;
    return true;
}

static void search_write_pair(willow_scratch *scratch, size_t count_a, willow_closest_pair *out)
{
    const wi_nearest_best *best = &scratch->search.front.best;
    const wi_query_body *a = body_at(scratch, best->key.body_a);
    const wi_query_body *b = body_at(scratch, count_a + best->key.body_b);
    const wi_two_trees h = wi_worker_trees(&scratch->workers[0], a, b);
    const wi_tri tri_a = wi_mesh_tri(h.a->mesh, best->key.tri_a);
    const wi_tri tri_b = wi_mesh_tri(h.b->mesh, best->key.tri_b);
    const wi_closest_points points = wi_tri_tri_closest(&tri_a, &tri_b);
    WI_ASSERT(points.distance == best->distance);
    *out = (willow_closest_pair){.found = true,
                                 .a = {a->shown->id, best->key.tri_a},
                                 .b = {b->shown->id, best->key.tri_b},
                                 .distance = points.distance,
                                 .contact = wi_contact_between(&points, false)};
}

willow_result wi_closest_pair(const wi_question *question, willow_scratch *scratch, size_t count_a,
                              willow_closest_pair *out)
{
    if (!search_start(question, scratch, WI_NEAREST_BODIES) ||
        !search_seed_pairs(scratch, count_a) || !search_run(question, scratch))
        return wi_fail_memory(&scratch->message, "a search by distance");
    if (scratch->search.front.best.found) search_write_pair(scratch, count_a, out);
    return WILLOW_OK;
}
