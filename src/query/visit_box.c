/* visit_box.c - the triangles that meet a box, handed out while they are found. */
#include "query/scratch.h"
#include "walk/brute.h"

enum { PAUSE_AT = 256 };

static bool go_on(wi_walk *walk, const wi_tree *h, const wi_box *box, wi_brute_at *at, bool *done)
{
    if (h->nodes == NULL) return wi_brute_run_box(walk, h->mesh, box, at, done);
    if (!walk->kernels->run_box(walk, h, box)) return false;
    *done = walk->stack.count == 0;
    return true;
}

static bool hand_out(wi_walk *walk, willow_body_id body, willow_tri_visitor *visit, void *context)
{
    for (size_t i = 0; i < walk->keys.count; i++)
        if (!visit(context, (willow_tri_ref){body, (uint32_t)walk->keys.items[i]})) return false;
    walk->keys.count = 0;
    return true;
}

willow_result wi_visit_box(willow_scratch *scratch, const wi_box *box, willow_tri_visitor *visit,
                           void *context)
{
    wi_walk *walk = &scratch->workers[0].walk;
    for (size_t i = 0; i < scratch->chosen.count; i++) {
        const wi_query_body *body = &scratch->chosen.items[i];
        wi_brute_at at = {0};
        bool done = false;
        wi_walk_start(walk, &(wi_walk_rules){0}, PAUSE_AT);
        bool ok = wi_walk_seed_box(walk, body->h, box);
        while (ok && !done) {
            ok = go_on(walk, body->h, box, &at, &done);
            if (ok && !hand_out(walk, body->id, visit, context)) return WILLOW_OK;
        }
        if (!ok) return wi_fail_memory(&scratch->message, "the stack of a query");
    }
    return WILLOW_OK;
}
