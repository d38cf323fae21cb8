/* contacts.c - puts contacts in order. */
#include "query/contacts.h"

#include "base/check.h"
#include "base/sort.h"
#include "query/share.h"

static bool reserve(willow_scratch *scratch, size_t count)
{
    wi_memory *memory = scratch->memory;
    scratch->contacts.count = scratch->keys.count = scratch->spare_keys.count = 0;
    return wi_array_reserve(memory, &scratch->contacts, count) &&
           wi_array_reserve(memory, &scratch->keys, count) &&
           wi_array_reserve(memory, &scratch->spare_keys, count) &&
           wi_array_reserve(memory, &scratch->found_contacts, count);
}

/* The three numbers to sort by, the least important one first. */
static uint32_t number_of(const wi_contact *contact, int which)
{
    if (which == 2) return contact->pair;
    return which == 1 ? (uint32_t)(contact->key >> 32) : (uint32_t)contact->key;
}

/* One number after the other, equal ones as they came. The features of two triangles are found one
 * after the other by one worker, so they stay in order. */
static void sort(willow_scratch *scratch, size_t count)
{
    const wi_contact **from = scratch->found_contacts.items, **to = scratch->contacts.items;
    uint64_t *keys = scratch->keys.items;
    for (int which = 0; which < 3; which++) {
        for (size_t i = 0; i < count; i++) keys[i] = (uint64_t)number_of(from[i], which) << 32 | i;
        wi_sort_u64(keys, scratch->spare_keys.items, count);
        for (size_t i = 0; i < count; i++) to[i] = from[(uint32_t)keys[i]];
        const wi_contact **sorted = to;
        to = from;
        from = sorted;
    }
    /* An odd number of passes: they are where they should be. */
    WI_ASSERT(from == scratch->contacts.items);
    scratch->contacts.count = count;
}

bool wi_contacts_gather(willow_scratch *scratch)
{
    size_t count = 0;
    const size_t found = wi_share_count(scratch);
    if (found > UINT32_MAX || !reserve(scratch, found)) return false;
    for (uint32_t i = 0; i < scratch->ready_count; i++) {
        const wi_walk *walk = &scratch->workers[i].walk;
        for (size_t k = 0; k < walk->contacts.count; k++)
            scratch->found_contacts.items[count++] = &walk->contacts.items[k];
    }
    sort(scratch, count);
    return true;
}

bool wi_contact_is_before(const wi_contact *a, const wi_contact *b)
{
    if (a->pair != b->pair) return a->pair < b->pair;
    return a->key != b->key ? a->key < b->key : a->code < b->code;
}
