/* find_contacts.c - all impacts of a step, and all that is near: sorted, in one run per pair of
 * bodies.
 *
 * Way in: wi_find_impacts, wi_find_near. Both walk over steps, of bodies that move and of bodies
 * that stand still. */
#include "query/scratch.h"
#include "walk/step/features.h"

/* Is the contact wanted? False in *complete if the limit cuts the list here. */
static bool is_wanted(const willow_query_options *options, const willow_pair_run *run,
                      const wi_contact *contact, size_t kept, bool *complete)
{
    const willow_tri_ref a = {run->body_a, (uint32_t)(contact->key >> 32)};
    const willow_tri_ref b = {run->body_b, (uint32_t)contact->key};
    if (options->filter && !options->filter(options->filter_context, a, b)) return false;
    *complete = options->max_results == 0 || kept < options->max_results;
    return *complete;
}

static willow_near_pair near_of(const wi_mesh *a, const wi_mesh *b, const wi_contact *contact)
{
    const willow_impact features = wi_contact_impact(a, b, contact);
    return (willow_near_pair){
        .a = features.a, .b = features.b, .distance = contact->value, .contact = contact->at};
}

/* The next answer; there is room for it. */
static void emit(const wi_question *question, willow_scratch *scratch, const wi_contact *contact)
{
    const wi_two_trees h = wi_trees_of(scratch, 0, contact->pair);
    const wi_mesh *a = h.a->mesh, *b = h.b->mesh;
    if (question->rules.wanted == WI_IMPACTS)
        scratch->contacts.impacts.items[scratch->contacts.impacts.count++] =
            wi_contact_impact(a, b, contact);
    else
        scratch->contacts.near.items[scratch->contacts.near.count++] = near_of(a, b, contact);
}

static bool reserve_answers(const wi_question *question, willow_scratch *scratch)
{
    const size_t count = scratch->contacts.sorted.count;
    scratch->contacts.impacts.count = scratch->contacts.near.count = scratch->contacts.runs.count =
        0;
    return question->rules.wanted == WI_IMPACTS
               ? wi_array_reserve(scratch->memory, &scratch->contacts.impacts, count)
               : wi_array_reserve(scratch->memory, &scratch->contacts.near, count);
}

/* The contacts of one pair of bodies, from number `first` on; returns where the next one's are. */
static size_t emit_pair(const wi_question *question, willow_scratch *scratch, size_t first,
                        willow_pair_run *run, bool *complete)
{
    const uint32_t pair = scratch->contacts.sorted.items[first]->pair;
    size_t i = first;
    for (; i < scratch->contacts.sorted.count && *complete; i++) {
        const wi_contact *contact = scratch->contacts.sorted.items[i];
        if (contact->pair != pair) break;
        if (!is_wanted(&question->options, run, contact, run->first + run->count, complete))
            continue;
        emit(question, scratch, contact);
        run->count++;
    }
    return i;
}

static bool emit_all(const wi_question *question, willow_scratch *scratch, bool *complete)
{
    size_t next = 0, kept = 0;
    *complete = true;
    if (!wi_contacts_gather(scratch) || !reserve_answers(question, scratch)) return false;
    while (next < scratch->contacts.sorted.count && *complete) {
        const uint32_t pair = scratch->contacts.sorted.items[next]->pair;
        willow_pair_run run = wi_run_of(scratch, pair, kept);
        next = emit_pair(question, scratch, next, &run, complete);
        kept += run.count;
        if (run.count > 0 && !wi_array_push(scratch->memory, &scratch->contacts.runs, run))
            return false;
    }
    return true;
}

static bool find(const wi_question *question, willow_scratch *scratch, bool *complete)
{
    return wi_schedule_start(question, scratch) && wi_schedule_run(question, scratch) &&
           emit_all(question, scratch, complete);
}

willow_result wi_find_impacts(const wi_question *question, willow_scratch *scratch,
                              willow_impacts *out)
{
    bool complete = true;
    if (!find(question, scratch, &complete))
        return wi_fail_memory(&scratch->message, "the impacts found");
    *out = (willow_impacts){.runs = scratch->contacts.runs.items,
                            .run_count = scratch->contacts.runs.count,
                            .items = scratch->contacts.impacts.items,
                            .count = scratch->contacts.impacts.count,
                            .complete = complete};
    return WILLOW_OK;
}

willow_result wi_find_near(const wi_question *question, willow_scratch *scratch, willow_near *out)
{
    bool complete = true;
    if (!find(question, scratch, &complete))
        return wi_fail_memory(&scratch->message, "what is near");
    *out = (willow_near){.runs = scratch->contacts.runs.items,
                         .run_count = scratch->contacts.runs.count,
                         .items = scratch->contacts.near.items,
                         .count = scratch->contacts.near.count,
                         .complete = complete};
    return WILLOW_OK;
}
