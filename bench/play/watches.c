/* watches.c - watches of many bodies. Way in: watch_set_add for each two, then the questions. */
#include "bench/play/watches.h"

#include <stdlib.h>

/* Room for so many, doubled each time. */
static bool watch_grow(void **items, size_t *capacity, size_t wanted, size_t size)
{
    if (wanted <= *capacity) return true;
    void *grown = realloc(*items, 2 * wanted * size);
    if (grown == NULL) return false;
    *items = grown;
    *capacity = 2 * wanted;
    return true;
}

static bool reserve_watch(watch_set *w)
{
    if (w->count < w->capacity) return true;
    const uint32_t capacity = w->capacity > 0 ? 2 * w->capacity : 16;
    willow_watch **grown = realloc(w->watches, capacity * sizeof *grown);
    if (grown == NULL) return false;
    w->watches = grown;
    w->capacity = capacity;
    return true;
}

willow_result watch_set_add(watch_set *w, willow_world *world, willow_watch_kind kind,
                            willow_body_id a, willow_body_id b)
{
    willow_watch_def def = willow_watch_def_default();
    def.kind = kind;
    if (!reserve_watch(w)) return WILLOW_OUT_OF_MEMORY;
    const willow_result result = willow_watch_create(world, &def, a, b, &w->watches[w->count]);
    w->count += result == WILLOW_OK;
    return result;
}

void watch_set_clear(watch_set *w)
{
    for (uint32_t i = 0; i < w->count; i++) willow_watch_destroy(w->watches[i]);
    w->count = 0;
}

void watch_set_destroy(watch_set *w)
{
    watch_set_clear(w);
    free(w->watches);
    free(w->runs);
    free(w->items);
    *w = (watch_set){0};
}

static bool add_pairs(watch_set *w, const willow_pairs *pairs)
{
    void *runs = w->runs, *items = w->items;
    const bool ok =
        watch_grow(&runs, &w->run_capacity, w->run_count + pairs->run_count, sizeof *w->runs) &&
        watch_grow(&items, &w->item_capacity, w->item_count + pairs->count, sizeof *w->items);
    w->runs = runs;
    w->items = items;
    if (!ok) return false;
    for (size_t i = 0; i < pairs->run_count; i++) {
        willow_pair_run run = pairs->runs[i];
        run.first += w->item_count;
        w->runs[w->run_count++] = run;
    }
    for (size_t i = 0; i < pairs->count; i++) w->items[w->item_count++] = pairs->items[i];
    return true;
}

static bool is_of_one_body(const willow_watch *watch)
{
    willow_watch_info info;
    return willow_watch_get_info(watch, &info) != WILLOW_OK ||
           info.body_a.index1 == info.body_b.index1;
}

willow_result watch_set_find_pairs(watch_set *w, willow_scratch *scratch,
                                   const willow_query_options *query, bool selves_only,
                                   willow_pairs *out)
{
    w->run_count = w->item_count = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        if (selves_only && !is_of_one_body(w->watches[i])) continue;
        const willow_result result = willow_watch_find_pairs(w->watches[i], scratch, query, out);
        if (result != WILLOW_OK || w->count == 1) return result;
        if (out->count > 0 && !add_pairs(w, out)) return WILLOW_OUT_OF_MEMORY;
    }
    *out = (willow_pairs){.runs = w->runs,
                          .run_count = w->run_count,
                          .items = w->items,
                          .count = w->item_count,
                          .complete = true};
    return WILLOW_OK;
}

willow_result watch_set_find_first_pair(watch_set *w, willow_scratch *scratch,
                                        const willow_query_options *query, willow_first_pair *out)
{
    willow_result result = WILLOW_OK;
    *out = (willow_first_pair){.found = false};
    for (uint32_t i = 0; i < w->count && result == WILLOW_OK && !out->found; i++) {
        result = willow_watch_find_first_pair(w->watches[i], scratch, query, out);
    }
    return result;
}
