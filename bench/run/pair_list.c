/* pair_list.c - results of Willow and of peers in one form, so that they can be compared. */
#include "bench/run/pair_list.h"
#include "willow/willow.h"

#include <stdlib.h>

bool pair_list_append(pair_list *list, const peer_pair *items, size_t count)
{
    if (list->count + count > list->capacity) {
        size_t capacity = 2 * list->capacity + count;
        peer_pair *grown = realloc(list->items, capacity * sizeof *grown);
        if (grown == NULL) return false;
        list->items = grown;
        list->capacity = capacity;
    }
    for (size_t i = 0; i < count; i++) list->items[list->count++] = items[i];
    return true;
}

static int compare_numbers(uint32_t a, uint32_t b) { return (a > b) - (a < b); }

/* By body a, body b, triangle a, triangle b: the order of C3. */
static int compare_pairs(const peer_pair *p, const peer_pair *q)
{
    if (p->body_a != q->body_a) return compare_numbers(p->body_a, q->body_a);
    if (p->body_b != q->body_b) return compare_numbers(p->body_b, q->body_b);
    if (p->tri_a != q->tri_a) return compare_numbers(p->tri_a, q->tri_a);
    return compare_numbers(p->tri_b, q->tri_b);
}

static int compare_for_qsort(const void *a, const void *b) { return compare_pairs(a, b); }

/* The order is total and equal pairs are dropped, so qsort's freedom shows nowhere. */
void pair_list_sort(pair_list *list)
{
    if (list->count == 0) return;
    qsort(list->items, list->count, sizeof *list->items, compare_for_qsort);
    size_t kept = 1;
    for (size_t i = 1; i < list->count; i++) {
        if (compare_pairs(&list->items[kept - 1], &list->items[i]) != 0) {
            list->items[kept++] = list->items[i];
        }
    }
    list->count = kept;
}

static bool are_neighbours(const scene *s, const peer_pair *pair)
{
    if (pair->body_a != pair->body_b) return false;
    const uint32_t *a = s->bodies[pair->body_a].indices + 3 * (size_t)pair->tri_a;
    const uint32_t *b = s->bodies[pair->body_b].indices + 3 * (size_t)pair->tri_b;
    for (int i = 0; i < 9; i++) {
        if (a[i / 3] == b[i % 3]) return true;
    }
    return false;
}

void pair_list_drop_neighbours(pair_list *list, const scene *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (!are_neighbours(s, &list->items[i])) list->items[kept++] = list->items[i];
    }
    list->count = kept;
}

/* Worlds number their bodies from 1; the rest of an id says which world it was, so it is left out
 * here to make results of different worlds comparable. */
static willow_body_id plain_id(uint32_t body) { return (willow_body_id){.index1 = body + 1}; }

static bool starts_run(const pair_list *list, size_t i)
{
    return i == 0 || list->items[i].body_a != list->items[i - 1].body_a ||
           list->items[i].body_b != list->items[i - 1].body_b;
}

static void fill_runs(const pair_list *list, willow_pairs *pairs, willow_pair_run *runs,
                      willow_tri_pair *items)
{
    for (size_t i = 0; i < list->count; i++) {
        const peer_pair *pair = &list->items[i];
        if (starts_run(list, i)) {
            runs[pairs->run_count++] = (willow_pair_run){
                .body_a = plain_id(pair->body_a), .body_b = plain_id(pair->body_b), .first = i};
        }
        runs[pairs->run_count - 1].count++;
        items[i] = (willow_tri_pair){pair->tri_a, pair->tri_b};
    }
}

uint64_t pair_list_hash(const pair_list *list, bool *fine)
{
    size_t run_count = 0;
    for (size_t i = 0; i < list->count; i++) run_count += starts_run(list, i);
    willow_pair_run *runs = calloc(run_count + 1, sizeof *runs);
    willow_tri_pair *items = calloc(list->count + 1, sizeof *items);
    uint64_t hash = 0;
    if (runs != NULL && items != NULL) {
        willow_pairs pairs = {.runs = runs, .items = items, .count = list->count, .complete = true};
        fill_runs(list, &pairs, runs, items);
        hash = willow_pairs_hash(&pairs);
    } else {
        *fine = false;
    }
    free(runs);
    free(items);
    return hash;
}

bool pair_list_equal(const pair_list *a, const pair_list *b)
{
    if (a->count != b->count) return false;
    for (size_t i = 0; i < a->count; i++) {
        if (compare_pairs(&a->items[i], &b->items[i]) != 0) return false;
    }
    return true;
}

void pair_list_compare(const pair_list *wanted, const pair_list *got, pair_difference *report,
                       void *context)
{
    size_t i = 0, j = 0;
    while (i < wanted->count || j < got->count) {
        int order = i == wanted->count ? 1
                    : j == got->count  ? -1
                                       : compare_pairs(&wanted->items[i], &got->items[j]);
        if (order < 0) report(context, true, &wanted->items[i]);
        if (order > 0) report(context, false, &got->items[j]);
        i += order <= 0;
        j += order >= 0;
    }
}
