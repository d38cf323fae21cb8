/* first_impact.c - the first impact of a step.
 *
 * Way in: wi_time_of_impact. A walk that has found an impact looks no farther than its time, and
 * what touches at the start ends the search: nothing can come before it, so it stands for all that
 * do (C3). So that neither answers nor counts depend on who is faster (C10), items are taken in
 * lots of a fixed size, whatever the number of workers: each item of a lot begins with what was
 * known before the lot, and what they found is put together after it. Pairs of bodies come some at
 * a time, and where there are many of them so do their items. */
#include "base/check.h"
#include "query/scratch.h"
#include "walk/step/features.h"

/* Items, and how many of them are shared out at once. */
enum { ITEMS = 256, ITEMS_PER_LOT = 8 };

/* Up to so many pairs of bodies are made items at once; of more only as many as items are wanted.
 */
enum { FEW_PAIRS = 1024 };

/* The earliest so far. */
typedef struct earliest {
    wi_contact contact;
    wi_body_pair bodies; /* of the contact, by their numbers in scratch->chosen */
    bool found;
} earliest;

/* Nothing can be earlier. One that is not decided may be no contact. */
static bool is_at_start(const wi_contact *contact)
{
    return contact->value == 0.0 && contact->is_decided;
}

static bool are_bodies_before(wi_body_pair a, wi_body_pair b)
{
    return a.a != b.a ? a.a < b.a : a.b < b.b;
}

/* True if a contact comes before the earliest so far. */
static bool is_earlier(const wi_contact *contact, wi_body_pair bodies, const earliest *best)
{
    const wi_contact *other = &best->contact;
    if (!best->found || contact->value != other->value)
        return !best->found || contact->value < other->value;
    if (is_at_start(contact) != is_at_start(other)) return is_at_start(contact);
    if (bodies.a != best->bodies.a || bodies.b != best->bodies.b)
        return are_bodies_before(bodies, best->bodies);
    return wi_contact_is_before(contact, other);
}

static void keep_earliest(willow_scratch *scratch, earliest *best)
{
    for (uint32_t i = 0; i < scratch->ready_count; i++) {
        wi_step_walk *walk = &scratch->workers[i].step;
        for (size_t k = 0; k < walk->contacts.count; k++) {
            const wi_contact *contact = &walk->contacts.items[k];
            const wi_body_pair bodies = scratch->pairs.items[contact->pair];
            if (is_earlier(contact, bodies, best)) *best = (earliest){*contact, bodies, true};
        }
        walk->contacts.count = 0;
    }
}

static bool is_over(const earliest *best) { return best->found && is_at_start(&best->contact); }

/* All items that are prepared. */
static bool run_items(const wi_question *question, willow_scratch *scratch, earliest *best)
{
    keep_earliest(scratch, best); /* what was on the way to the items */
    const size_t count = scratch->schedule.items.count;
    for (size_t first = 0; first < count && !is_over(best); first += ITEMS_PER_LOT) {
        const size_t left = count - first;
        scratch->schedule.until = best->found ? best->contact.value : 1.0;
        if (!wi_schedule_run_lot(question, scratch, first,
                                 left < ITEMS_PER_LOT ? left : ITEMS_PER_LOT))
            return false;
        keep_earliest(scratch, best);
    }
    return true;
}

/* The pairs of bodies that are chosen now. */
static bool run_pairs(const wi_question *question, willow_scratch *scratch, earliest *best)
{
    const size_t count = scratch->pairs.count, some = count > FEW_PAIRS ? ITEMS : count;
    if (!wi_schedule_start(question, scratch)) return false;
    for (size_t first = 0; first < count && !is_over(best); first += some) {
        const size_t last = count - first < some ? count : first + some;
        scratch->schedule.until = best->found ? best->contact.value : 1.0;
        if (!wi_schedule_prepare(scratch, first, last, ITEMS) ||
            !run_items(question, scratch, best))
            return false;
    }
    return true;
}

static bool run_all(const wi_question *question, willow_scratch *scratch, earliest *best)
{
    bool ok = run_pairs(question, scratch, best);
    while (ok && scratch->choice.has_more && !is_over(best))
        ok = wi_choose_more_pairs(scratch) && run_pairs(question, scratch, best);
    return ok;
}

willow_result wi_time_of_impact(const wi_question *question, willow_scratch *scratch,
                                willow_first_impact *out)
{
    earliest best = {.found = false};
    if (!run_all(question, scratch, &best))
        return wi_fail_memory(&scratch->message, "the first impact");
    if (!best.found) return WILLOW_OK;
    WI_ASSERT(best.contact.value >= 0.0 && best.contact.value <= 1.0);
    const wi_query_body *a = &scratch->chosen.items[best.bodies.a];
    const wi_query_body *b = &scratch->chosen.items[best.bodies.b];
    const wi_two_trees h = wi_worker_trees(&scratch->workers[0], a, b);
    *out = (willow_first_impact){.found = true,
                                 .body_a = a->shown->id,
                                 .body_b = b->shown->id,
                                 .impact = wi_contact_impact(h.a->mesh, h.b->mesh, &best.contact)};
    return WILLOW_OK;
}
