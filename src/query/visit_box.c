/* visit_box.c - the triangles that meet a box, handed out while they are found.
 *
 * Way in: wi_visit_box. One body after the other, on the asking thread. */
#include "query/scratch.h"
#include "walk/brute.h"

enum { PAUSE_AT = 256 };

static bool box_go_on(wi_box_walk *walk, const wi_tree *h, const wi_box *box, wi_brute_at *at,
                      bool *done)
{
    if (h->boxes.nodes == NULL) return wi_brute_run_box(walk, h->mesh, box, at, done);
    if (!walk->run(walk, h, box)) return false;
    *done = walk->stack.count == 0;
    return true;
}

static bool box_hand_out(wi_box_walk *walk, willow_body_id body, willow_tri_visitor *visit,
                         void *context)
{
    for (size_t i = 0; i < walk->slots.count; i++)
        if (!visit(context, (willow_tri_ref){body, walk->slots.items[i]})) return false;
    walk->slots.count = 0;
    return true;
}

/* False if there is no memory. */
static bool box_visit_body(wi_query_worker *worker, const wi_query_body *body, const wi_box *box,
                           willow_tri_visitor *visit, void *context, bool *has_enough)
{
    const wi_tree *h = wi_worker_tree(worker, body);
    wi_box_walk *walk = &worker->box;
    wi_brute_at at = {0};
    bool done = false;
    if (!wi_box_walk_start(walk, h, box, PAUSE_AT)) return false;
    while (!done && !*has_enough) {
        if (!box_go_on(walk, h, box, &at, &done)) return false;
        *has_enough = !box_hand_out(walk, body->shown->id, visit, context);
    }
    return true;
}

/* Which bodies to look at, in order: all, or those that the tree over them says. */
static bool box_find_bodies(const wi_question *question, willow_scratch *scratch, const wi_box *box)
{
    wi_body_numbers *numbers = &scratch->near_bodies;
    numbers->count = 0;
    if (question->tree) return wi_body_tree_find(scratch->memory, question->tree, box, numbers);
    if (!wi_array_reserve(scratch->memory, numbers, scratch->chosen.count)) return false;
    for (uint32_t i = 0; i < scratch->chosen.count; i++) numbers->items[numbers->count++] = i;
    return true;
}

willow_result wi_visit_box(const wi_question *question, willow_scratch *scratch, const wi_box *box,
                           willow_tri_visitor *visit, void *context)
{
    bool has_enough = false, ok = box_find_bodies(question, scratch, box);
    for (size_t i = 0; ok && !has_enough && i < scratch->near_bodies.count; i++)
        ok = box_visit_body(&scratch->workers[0],
                            &scratch->chosen.items[scratch->near_bodies.items[i]], box, visit,
                            context, &has_enough);
    return ok ? WILLOW_OK : wi_fail_memory(&scratch->message, "the stack of a query");
}
