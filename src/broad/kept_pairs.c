/* kept_pairs.c - the pairs of a kept broad phase, sorted, and which began and ended.
 *
 * Way in: wi_kept_renew_pairs, when the acting kind knows its boxes. Pairs come from all of the
 * kind, or from what it learned while it was brought up to date, or from searches for the few boxes
 * that changed; one pass over them and those of the step before gives the events. */
#include "broad/kept_pairs.h"

#include <string.h>

/* ---- all of them ---- */

bool wi_kept_sort_pairs(wi_kept *kept, wi_body_pairs *pairs)
{
    const size_t count = pairs->count;
    if (!wi_array_reserve(kept->memory, &kept->keys, 2 * count)) return false;
    wi_broad_sort(pairs, kept->keys.items, kept->keys.items + count);
    return true;
}

/* What is in `from` and not in `others` goes to *out. Both are sorted. */
static bool find_missing(wi_memory *memory, const wi_body_pairs *from, const wi_body_pairs *others,
                         wi_body_pairs *out)
{
    size_t k = 0;
    out->count = 0;
    for (size_t i = 0; i < from->count; i++) {
        const uint64_t key = wi_pair_key(&from->items[i]);
        while (k < others->count && wi_pair_key(&others->items[k]) < key) k++;
        if (k < others->count && wi_pair_key(&others->items[k]) == key) continue;
        if (!wi_array_push(memory, out, from->items[i])) return false;
    }
    return true;
}

void wi_kept_take_next(wi_kept *kept)
{
    const wi_body_pairs before = kept->pairs;
    kept->pairs = kept->next;
    kept->next = before;
}

static bool find_pairs(wi_kept *kept)
{
    kept->next.count = 0;
    kept->candidates = 0;
    if (!kept->ops->pairs(kept, &kept->next) || !wi_kept_sort_pairs(kept, &kept->next) ||
        !find_missing(kept->memory, &kept->next, &kept->pairs, &kept->begun) ||
        !find_missing(kept->memory, &kept->pairs, &kept->next, &kept->ended))
        return false;
    wi_kept_take_next(kept);
    return true;
}

/* Sorted, each once. */
static bool take_events(wi_kept *kept, wi_body_pairs *from, wi_body_pairs *out)
{
    if (!wi_kept_sort_pairs(kept, from) || !wi_array_reserve(kept->memory, out, from->count))
        return false;
    out->count = 0;
    for (size_t i = 0; i < from->count; i++)
        if (i == 0 || wi_pair_key(&from->items[i - 1]) != wi_pair_key(&from->items[i]))
            out->items[out->count++] = from->items[i];
    return true;
}

/* Pairs without those that ended and with those that began, all of them sorted. */
static void merge_events(wi_kept *kept)
{
    const wi_body_pairs *pairs = &kept->pairs, *begun = &kept->begun, *ended = &kept->ended;
    size_t e = 0, b = 0;
    kept->next.count = 0;
    for (size_t i = 0; i < pairs->count; i++) {
        const uint64_t key = wi_pair_key(&pairs->items[i]);
        while (b < begun->count && wi_pair_key(&begun->items[b]) < key)
            kept->next.items[kept->next.count++] = begun->items[b++];
        if (e < ended->count && wi_pair_key(&ended->items[e]) == key)
            e++;
        else
            kept->next.items[kept->next.count++] = pairs->items[i];
    }
    while (b < begun->count) kept->next.items[kept->next.count++] = begun->items[b++];
    WI_ASSERT(e == ended->count);
}

static bool follow_events(wi_kept *kept, wi_body_pairs *begun, wi_body_pairs *ended)
{
    if (!take_events(kept, begun, &kept->begun) || !take_events(kept, ended, &kept->ended) ||
        !wi_array_reserve(kept->memory, &kept->next, kept->pairs.count + kept->begun.count))
        return false;
    merge_events(kept);
    wi_kept_take_next(kept);
    return true;
}

/* ---- pairs of a few ---- */

bool wi_kept_mark(wi_kept *kept, const uint32_t *numbers, size_t count)
{
    if (!wi_array_reserve(kept->memory, &kept->is_new, kept->count)) return false;
    kept->is_new.count = kept->count;
    if (kept->count > 0) memset(kept->is_new.items, 0, kept->count);
    for (size_t i = 0; i < count; i++) kept->is_new.items[numbers[i]] = 1;
    return true;
}

/* The pairs that boxes which changed are in now. One of two such boxes is found from the other. */
static bool find_pairs_of_changed(wi_kept *kept, const wi_kept_change *change, wi_body_pairs *out)
{
    out->count = 0;
    for (uint32_t i = 0; i < change->count; i++) {
        const uint32_t a = change->numbers[i];
        if (wi_box_is_empty(&kept->boxes[a])) continue;
        const wi_probe probe = {.box = kept->boxes[a]};
        kept->met.count = 0;
        if (!kept->ops->find(kept, kept->memory, &probe, &kept->met)) return false;
        kept->candidates += kept->met.count;
        for (size_t k = 0; k < kept->met.count; k++) {
            const uint32_t b = kept->met.items[k];
            if (a == b || (b < a && kept->is_new.items[b])) continue;
            const wi_body_pair pair = {a < b ? a : b, a < b ? b : a};
            if (!wi_array_push(kept->memory, out, pair)) return false;
        }
    }
    return wi_kept_sort_pairs(kept, out);
}

/* Pairs of two boxes that did not change stay; of all others those in `found` are. Both are sorted,
 * and there is room for all. */
static void merge_found(wi_kept *kept, const wi_body_pairs *found)
{
    size_t f = 0;
    kept->next.count = kept->begun.count = kept->ended.count = 0;
    for (size_t i = 0; i < kept->pairs.count; i++) {
        const wi_body_pair pair = kept->pairs.items[i];
        const uint64_t key = wi_pair_key(&pair);
        for (; f < found->count && wi_pair_key(&found->items[f]) < key; f++)
            kept->begun.items[kept->begun.count++] = kept->next.items[kept->next.count++] =
                found->items[f];
        const bool stays = !kept->is_new.items[pair.a] && !kept->is_new.items[pair.b];
        const bool is_found = f < found->count && wi_pair_key(&found->items[f]) == key;
        if (stays || is_found)
            kept->next.items[kept->next.count++] = pair;
        else
            kept->ended.items[kept->ended.count++] = pair;
        f += is_found;
    }
    for (; f < found->count; f++)
        kept->begun.items[kept->begun.count++] = kept->next.items[kept->next.count++] =
            found->items[f];
}

static bool renew_few(wi_kept *kept, const wi_kept_change *change)
{
    wi_body_pairs *found = &kept->found;
    kept->candidates = 0;
    if (!wi_kept_mark(kept, change->numbers, change->count) ||
        !find_pairs_of_changed(kept, change, found) ||
        !wi_array_reserve(kept->memory, &kept->next, kept->pairs.count + found->count) ||
        !wi_array_reserve(kept->memory, &kept->begun, found->count) ||
        !wi_array_reserve(kept->memory, &kept->ended, kept->pairs.count))
        return false;
    merge_found(kept, found);
    wi_kept_take_next(kept);
    return true;
}

bool wi_kept_renew_pairs(wi_kept *kept, const wi_kept_change *change)
{
    wi_body_pairs *begun, *ended;
    if (kept->ops->events && kept->ops->events(kept, &begun, &ended))
        return follow_events(kept, begun, ended);
    return wi_kept_is_few(kept, change) ? renew_few(kept, change) : find_pairs(kept);
}
