/* contacts.c - puts contacts in order.
 *
 * Way in: wi_contacts_gather. Sorted by four numbers, one after the other (radix sort), since a
 * contact is too large to be one key. */
#include "query/contacts.h"

#include "base/check.h"
#include "base/containers/sort.h"
#include "query/scratch.h"

void wi_contacts_found_free(wi_memory *memory, wi_contacts_found *found)
{
    wi_array_free(memory, &found->sorted);
    wi_array_free(memory, &found->spare);
    wi_array_free(memory, &found->runs);
    wi_array_free(memory, &found->impacts);
    wi_array_free(memory, &found->near);
}

static bool contacts_reserve(willow_scratch *scratch, size_t count)
{
    wi_memory *memory = scratch->memory;
    scratch->contacts.sorted.count = scratch->sort.keys.count = scratch->sort.spare.count = 0;
    return wi_array_reserve(memory, &scratch->contacts.sorted, count) &&
           wi_array_reserve(memory, &scratch->sort.keys, count) &&
           wi_array_reserve(memory, &scratch->sort.spare, count) &&
           wi_array_reserve(memory, &scratch->contacts.spare, count);
}

/* The numbers to sort by, the least important one first. */
enum { NUMBERS = 4 };

static uint32_t contacts_number_of(const wi_contact *contact, int which)
{
    if (which == 0) return contact->code;
    if (which == 3) return contact->pair;
    return which == 2 ? (uint32_t)(contact->key >> 32) : (uint32_t)contact->key;
}

/* One number after the other, equal ones as they came. */
static void contacts_sort(willow_scratch *scratch, size_t count)
{
    const wi_contact **from = scratch->contacts.sorted.items, **to = scratch->contacts.spare.items;
    uint64_t *keys = scratch->sort.keys.items;
    for (int which = 0; which < NUMBERS; which++) {
        for (size_t i = 0; i < count; i++)
            keys[i] = (uint64_t)contacts_number_of(from[i], which) << 32 | i;
        wi_sort_u64(keys, scratch->sort.spare.items, count);
        for (size_t i = 0; i < count; i++) to[i] = from[(uint32_t)keys[i]];
        const wi_contact **sorted = to;
        to = from;
        from = sorted;
    }
    WI_ASSERT(from == scratch->contacts.sorted.items); /* after an even number of passes */
}

/* In bodies with group masks features are found once for each pair of groups. */
static size_t drop_repeated(const wi_contact **sorted, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || wi_contact_is_before(sorted[kept - 1], sorted[i]))
            sorted[kept++] = sorted[i];
    return kept;
}

bool wi_contacts_gather(willow_scratch *scratch)
{
    size_t count = 0;
    const size_t found = wi_schedule_count(scratch);
    if (found > UINT32_MAX || !contacts_reserve(scratch, found)) return false;
    for (uint32_t i = 0; i < scratch->ready_count; i++) {
        const wi_step_walk *walk = &scratch->workers[i].step;
        for (size_t k = 0; k < walk->contacts.count; k++)
            scratch->contacts.sorted.items[count++] = &walk->contacts.items[k];
    }
    WI_ASSERT(count == found);
    contacts_sort(scratch, count);
    scratch->contacts.sorted.count = drop_repeated(scratch->contacts.sorted.items, count);
    return true;
}

bool wi_contact_is_before(const wi_contact *a, const wi_contact *b)
{
    if (a->pair != b->pair) return a->pair < b->pair;
    return a->key != b->key ? a->key < b->key : a->code < b->code;
}
