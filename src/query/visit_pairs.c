/* visit_pairs.c - pairs handed out while they are found, and none kept.
 *
 * Way in: wi_visit_pairs. The walk pauses whenever it holds `pause_at` keys; they are handed out
 * and it goes on. With 1 this finds a first pair. The order is that of the walk, on one thread, so
 * it is the same with any kernel (C3). Watches know more, and begin elsewhere than at the roots. */
#include "base/check.h"
#include "query/scratch.h"
#include "walk/brute.h"

/* Who is asked about, and who is told. */
typedef struct visit {
    const wi_question *question;
    const wi_query_body *a, *b;
    wi_two_trees h; /* theirs */
    willow_pair_visitor *visitor;
    void *context;
} visit;

/* Hands out one pair; false if the visitor wants no more. */
static bool visit_hand_out_key(const visit *v, wi_pair_key key)
{
    const uint32_t tri_a = (uint32_t)(key >> 32), tri_b = (uint32_t)key;
    if (!wi_question_wants(v->question, v->a, tri_a, v->b, tri_b)) return true;
    return v->visitor(v->context, (willow_tri_ref){v->a->shown->id, tri_a},
                      (willow_tri_ref){v->b->shown->id, tri_b});
}

/* The same with all that the walk holds. */
static bool visit_hand_out(const visit *v, wi_pair_walk *walk)
{
    for (size_t i = 0; i < walk->keys.count; i++)
        if (!visit_hand_out_key(v, walk->keys.items[i])) return false;
    walk->keys.count = 0;
    return true;
}

static willow_result visit_fail(willow_scratch *scratch)
{
    return wi_fail_memory(&scratch->message, "the stack of a query");
}

/* Goes on until the next pause; *done if there is no more. */
static bool visit_go_on(wi_pair_walk *walk, const wi_tree *a, const wi_tree *b, wi_brute_at *at,
                        bool *done)
{
    if (a->boxes.nodes == NULL || b->boxes.nodes == NULL)
        return wi_brute_run(walk, a->mesh, b->mesh, at, done);
    if (!walk->kernels->run(walk, a, b)) return false;
    *done = walk->down.stack.count == 0;
    return true;
}

/* Goes on while the visitor wants more, which *wants_more then says. False if there is no memory.
 */
static bool visit_walk_on(const visit *v, wi_pair_walk *walk, bool *wants_more)
{
    wi_brute_at at = {0};
    bool done = false;
    while (!done && *wants_more) {
        if (!visit_go_on(walk, v->h.a, v->h.b, &at, &done)) return false;
        *wants_more = visit_hand_out(v, walk);
    }
    return true;
}

static visit visit_of(const wi_question *question, willow_scratch *scratch, uint32_t pair,
                      willow_pair_visitor *visitor, void *context)
{
    return (visit){question,
                   wi_body_a(scratch, pair),
                   wi_body_b(scratch, pair),
                   wi_trees_of(scratch, 0, pair),
                   visitor,
                   context};
}

/* The pairs of one pair of bodies. */
static bool visit_bodies(const visit *v, wi_pair_walk *walk, size_t pause_at, bool *wants_more)
{
    wi_pair_walk_start(walk, &v->question->rules, pause_at);
    walk->down.reader->stats.body_pairs++;
    return wi_pair_walk_seed(walk, v->h.a, v->h.b) && visit_walk_on(v, walk, wants_more);
}

willow_result wi_visit_pairs(const wi_question *question, willow_scratch *scratch, size_t pause_at,
                             willow_pair_visitor *visitor, void *context)
{
    wi_pair_walk *walk = &scratch->workers[0].pairs;
    bool wants_more = true;
    while (wants_more) {
        for (uint32_t i = 0; i < scratch->pairs.count && wants_more; i++) {
            const visit v = visit_of(question, scratch, i, visitor, context);
            if (!visit_bodies(&v, walk, pause_at, &wants_more)) return visit_fail(scratch);
        }
        if (!scratch->choice.has_more) break;
        if (wants_more && !wi_choose_more_pairs(scratch)) return visit_fail(scratch);
    }
    return WILLOW_OK;
}

/* ---- what is known of the one pair of bodies ---- */

bool wi_visit_known_pair(const wi_question *question, willow_scratch *scratch, wi_pair_key key,
                         willow_pair_visitor *visitor, void *context)
{
    wi_pair_walk *walk = &scratch->workers[0].pairs;
    const uint32_t slot_a = (uint32_t)(key >> 32), slot_b = (uint32_t)key;
    if (scratch->pairs.count == 0) return true;
    const visit v = visit_of(question, scratch, 0, visitor, context);
    const wi_mesh *a = v.h.a->mesh, *b = v.h.b->mesh;
    wi_pair_walk_start(walk, &question->rules, 1);
    return slot_a >= a->tri_count || slot_b >= b->tri_count ||
           !wi_brute_are_pair(walk, a, slot_a, b, slot_b) || visit_hand_out_key(&v, key);
}

/* The neighbours in all lots of stars. */
static bool visit_walk_stars(const visit *v, wi_pair_walk *walk, bool *wants_more)
{
    for (uint32_t lot = wi_fan_lots(v->h.a); lot-- > 0;) {
        const wi_walk_item item = wi_fan_item(lot);
        if (!wi_descent_push(&walk->down, &item)) return false;
    }
    return visit_walk_on(v, walk, wants_more);
}

willow_result wi_visit_listed_pairs(const wi_question *question, willow_scratch *scratch,
                                    const wi_leaf_pair *pairs, size_t count,
                                    willow_pair_visitor *visitor, void *context)
{
    enum { PAIRS_AT_ONCE = 32 }; /* enough to fill the filters */
    wi_pair_walk *walk = &scratch->workers[0].pairs;
    if (scratch->pairs.count == 0) return WILLOW_OK;
    const visit v = visit_of(question, scratch, 0, visitor, context);
    bool wants_more = true;
    wi_pair_walk_start(walk, &question->rules, 1);
    walk->down.reader->stats.body_pairs++;
    for (size_t first = 0; first < count && wants_more; first += PAIRS_AT_ONCE) {
        const size_t some = count - first < PAIRS_AT_ONCE ? count - first : PAIRS_AT_ONCE;
        if (!walk->kernels->meet(walk, v.h.a, v.h.b, pairs + first, some))
            return visit_fail(scratch);
        wants_more = visit_hand_out(&v, walk);
    }
    const bool has_stars = v.a == v.b && !question->rules.skip_neighbours;
    if (has_stars && wants_more && !visit_walk_stars(&v, walk, &wants_more))
        return visit_fail(scratch);
    return WILLOW_OK;
}
