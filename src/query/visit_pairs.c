/* visit_pairs.c - pairs handed out while they are found, and none kept.
 *
 * Way in: wi_visit_pairs. The walk pauses whenever it holds `pause_at` keys; they are handed out
 * and it goes on. With 1 this finds a first pair. The order is that of the walk, on one thread, so
 * it is the same with any kernel (C3). */
#include "query/question.h"
#include "walk/brute.h"

/* Hands out what the walk holds; false if the visitor wants no more. */
static bool hand_out(const wi_question *question, wi_walk *walk, willow_body_id body_a,
                     willow_body_id body_b, willow_pair_visitor *visit, void *context)
{
    const willow_query_options *options = &question->options;
    for (size_t i = 0; i < walk->keys.count; i++) {
        willow_tri_ref a = {body_a, (uint32_t)(walk->keys.items[i] >> 32)};
        willow_tri_ref b = {body_b, (uint32_t)walk->keys.items[i]};
        if (options->filter && !options->filter(options->filter_context, a, b)) continue;
        if (!visit(context, a, b)) return false;
    }
    walk->keys.count = 0;
    return true;
}

/* Goes on until the next pause; *done if there is no more. */
static bool go_on(wi_walk *walk, const wi_hierarchy *a, const wi_hierarchy *b, wi_brute_at *at,
                  bool *done)
{
    if (a->views == NULL || b->views == NULL) return wi_brute_run(walk, a->mesh, b->mesh, at, done);
    if (!walk->kernels->run(walk, a, b)) return false;
    *done = walk->stack.count == 0;
    return true;
}

willow_result wi_visit_pairs(const wi_question *question, willow_scratch *scratch, size_t pause_at,
                             willow_pair_visitor *visit, void *context)
{
    wi_walk *walk = &scratch->workers[0].walk;
    for (size_t i = 0; i < scratch->pairs.count; i++) {
        const wi_query_body *a = &scratch->chosen.items[scratch->pairs.items[i].a];
        const wi_query_body *b = &scratch->chosen.items[scratch->pairs.items[i].b];
        wi_brute_at at = {0};
        bool done = false;
        wi_walk_start(walk, &question->rules, pause_at);
        walk->stats.body_pairs++;
        bool ok = wi_walk_seed(walk, a->h, b->h);
        while (ok && !done) {
            ok = go_on(walk, a->h, b->h, &at, &done);
            if (ok && !hand_out(question, walk, a->id, b->id, visit, context)) return WILLOW_OK;
        }
        if (!ok) return wi_fail_memory(&scratch->message, "the stack of a query");
    }
    return WILLOW_OK;
}
