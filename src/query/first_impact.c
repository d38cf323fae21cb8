/* first_impact.c - the first impact of a step.
 *
 * Way in: wi_time_of_impact. A walk that has found an impact looks no farther than its time. So
 * that counts do not depend on who is faster (C10), items are taken in lots of a fixed size,
 * whatever the number of workers: each item of a lot begins with what was known before the lot, and
 * what they found is put together after it. */
#include "base/check.h"
#include "query/scratch.h"
#include "walk/step/features.h"

/* True if `a` is the first of two. */
static bool is_earlier(const wi_contact *a, const wi_contact *b)
{
    return a->value != b->value ? a->value < b->value : wi_contact_is_before(a, b);
}

static void keep_earliest(willow_scratch *scratch, wi_contact *best, bool *found)
{
    for (uint32_t i = 0; i < scratch->ready_count; i++) {
        wi_step_walk *walk = &scratch->workers[i].step;
        for (size_t k = 0; k < walk->contacts.count; k++) {
            const wi_contact *contact = &walk->contacts.items[k];
            if (*found && !is_earlier(contact, best)) continue;
            *best = *contact;
            *found = true;
        }
        walk->contacts.count = 0;
    }
}

willow_result wi_time_of_impact(const wi_question *question, willow_scratch *scratch,
                                willow_first_impact *out)
{
    enum { ITEMS_PER_LOT = 8, ITEMS = 256 };
    wi_contact best = {0};
    bool found = false;
    bool ok = wi_schedule_start(question, scratch) && wi_schedule_prepare(scratch, ITEMS);
    if (ok) keep_earliest(scratch, &best, &found); /* what was on the way to the items */
    for (size_t first = 0; ok && first < scratch->schedule.items.count; first += ITEMS_PER_LOT) {
        const size_t left = scratch->schedule.items.count - first;
        scratch->schedule.until = found ? best.value : 1.0;
        ok = wi_schedule_run_lot(question, scratch, first,
                                 left < ITEMS_PER_LOT ? left : ITEMS_PER_LOT);
        if (ok) keep_earliest(scratch, &best, &found);
    }
    if (!ok) return wi_fail_memory(&scratch->message, "the first impact");
    if (!found) return WILLOW_OK;
    WI_ASSERT(best.value >= 0.0 && best.value <= 1.0);
    const wi_query_body *a = wi_body_a(scratch, best.pair), *b = wi_body_b(scratch, best.pair);
    *out = (willow_first_impact){.found = true,
                                 .body_a = a->id,
                                 .body_b = b->id,
                                 .impact = wi_contact_impact(a->h->mesh, b->h->mesh, &best)};
    return WILLOW_OK;
}
