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

willow_result wi_visit_box(willow_scratch *scratch, const wi_box *box, willow_tri_visitor *visit,
                           void *context)
{
    wi_box_walk *walk = &scratch->workers[0].box;
    for (size_t i = 0; i < scratch->chosen.count; i++) {
        const wi_query_body *body = &scratch->chosen.items[i];
        wi_brute_at at = {0};
        bool done = false;
        bool ok = wi_box_walk_start(walk, body->h, box, PAUSE_AT);
        while (ok && !done) {
            ok = box_go_on(walk, body->h, box, &at, &done);
            if (ok && !box_hand_out(walk, body->id, visit, context)) return WILLOW_OK;
        }
        if (!ok) return wi_fail_memory(&scratch->message, "the stack of a query");
    }
    return WILLOW_OK;
}
