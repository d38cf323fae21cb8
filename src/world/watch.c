/* watch.c - watches: who is watched, what is kept, and whether that pays.
 *
 * Ways in: willow_watch_find_pairs and willow_watch_find_first_pair. A world lists its watches, so
 * that it can free those that are left; that is all it does for them, since a front learns what has
 * changed from the trees, when it is asked. AUTO keeps a front while at least a third of the pairs
 * of leaves is served from it, which is about what keeping it costs; where it does not pay it
 * begins at the roots for a while, longer each time, and then tries again. All of this follows from
 * counts, so it is the same with any number of threads (C10).
 */
#include "base/check.h"
#include "base/names.h"
#include "world/query_entry.h"

/* Queries between two looks at whether a front pays; those from the roots after a front did not,
 * for the first time. */
enum { QUERIES_PER_LOOK = 8, QUERIES_WITHOUT = 16 };

static const char *const kind_names[] = {
#define ENTRY(name, words, what) [WILLOW_WATCH_##name] = words,
    WILLOW_WATCHES(ENTRY)
#undef ENTRY
};

const char *willow_watch_kind_name(willow_watch_kind kind)
{
    return (unsigned)kind < WILLOW_WATCH_COUNT ? kind_names[kind] : NULL;
}

bool willow_watch_kind_from_name(const char *name, willow_watch_kind *out)
{
    int found = wi_name_find(kind_names, WILLOW_WATCH_COUNT, name);
    if (found >= 0) *out = (willow_watch_kind)found;
    return found >= 0;
}

willow_watch_def willow_watch_def_default(void)
{
    return (willow_watch_def){.struct_size = sizeof(willow_watch_def)};
}

/* ---- making ---- */

static willow_result check_def(willow_world *world, const willow_watch_def *def)
{
    if (def->struct_size != sizeof *def)
        return wi_fail(&world->message, WILLOW_BAD_ARGUMENT,
                       "the watch def was not made by willow_watch_def_default");
    if ((unsigned)def->kind >= WILLOW_WATCH_COUNT)
        return wi_fail(&world->message, WILLOW_BAD_ARGUMENT, "%d is no kind of watch",
                       (int)def->kind);
    return WILLOW_OK;
}

willow_result willow_watch_create(willow_world *world, const willow_watch_def *def,
                                  willow_body_id a, willow_body_id b, willow_watch **out)
{
    const willow_watch_def chosen = def ? *def : willow_watch_def_default();
    if (out == NULL) return wi_fail(&world->message, WILLOW_BAD_ARGUMENT, "no place for the watch");
    *out = NULL;
    willow_result result = check_def(world, &chosen);
    if (result != WILLOW_OK) return result;
    wi_body *watched;
    result = wi_body_get_whole(world, a, &watched);
    if (result == WILLOW_OK) result = wi_body_get_whole(world, b, &watched);
    if (result != WILLOW_OK) return result;
    if (!wi_array_reserve(&world->memory, &world->watches, world->watches.count + 1))
        return wi_fail_memory(&world->message, "a watch");
    willow_watch *watch = wi_alloc(&world->memory, sizeof *watch);
    if (watch == NULL) return wi_fail_memory(&world->message, "a watch");
    const bool is_swapped = b.index1 < a.index1;
    *watch = (willow_watch){.world = world,
                            .a = is_swapped ? b : a,
                            .b = is_swapped ? a : b,
                            .def = chosen,
                            .front = {.max_bytes = chosen.max_bytes},
                            .list = {.max_bytes = chosen.max_bytes, .logs = chosen.events}};
    world->watches.items[world->watches.count++] = watch;
    *out = watch;
    return WILLOW_OK;
}

static void free_watch(willow_watch *watch)
{
    wi_memory *memory = &watch->world->memory;
    wi_front_drop(memory, &watch->front);
    wi_separation_free(memory, &watch->list);
    wi_free(memory, watch, sizeof *watch);
}

void willow_watch_destroy(willow_watch *watch)
{
    if (watch == NULL) return;
    willow_world *world = watch->world;
    size_t at = 0;
    while (world->watches.items[at] != watch) at++;
    WI_ASSERT(at < world->watches.count);
    for (world->watches.count--; at < world->watches.count; at++)
        world->watches.items[at] = world->watches.items[at + 1];
    free_watch(watch);
}

void wi_watches_free(willow_world *world)
{
    for (size_t i = 0; i < world->watches.count; i++) free_watch(world->watches.items[i]);
    wi_array_free(&world->memory, &world->watches);
}

/* Fronts are validated by those who ask: another thread may be about to. Lists are not changed by
 * questions. */
const char *wi_watches_validate(const willow_world *world)
{
    for (size_t i = 0; i < world->watches.count; i++) {
        const willow_watch *watch = world->watches.items[i];
        if (watch->world != world) return "W6: a watch is of another world";
        if (watch->a.index1 > watch->b.index1) return "W6: the bodies of a watch are not in order";
        const char *broken = world->is_stale ? NULL : wi_watch_validate_list(watch);
        if (broken) return broken;
    }
    return NULL;
}

/* ---- asking ---- */

/* There are trees to keep a front of, and it is wanted now. */
static bool wants_front(const willow_watch *watch, const willow_scratch *scratch)
{
    for (size_t i = 0; i < scratch->chosen.count; i++)
        if (scratch->chosen.items[i].shown->tree->boxes.nodes == NULL) return false;
    return watch->def.kind != WILLOW_WATCH_ROOTS && wi_backoff_is_due(&watch->front_tries);
}

/* Goes on from the roots for a while. */
static void pause_front(willow_watch *watch)
{
    WI_ASSERT(wi_backoff_is_due(&watch->front_tries));
    wi_backoff_failed(&watch->front_tries, QUERIES_WITHOUT);
    wi_front_drop(&watch->world->memory, &watch->front);
}

/* After some queries from the front: does it pay? */
static void look_at_front(willow_watch *watch)
{
    const wi_front_counts *now = &watch->front.counts;
    if (++watch->looks < QUERIES_PER_LOOK) return;
    WI_ASSERT(now->kept >= watch->kept && now->looked_into >= watch->looked_into);
    const uint64_t kept = now->kept - watch->kept, looked = now->looked_into - watch->looked_into;
    watch->looks = 0;
    watch->kept = now->kept;
    watch->looked_into = now->looked_into;
    if (kept + looked == 0) return;
    if (2 * kept >= looked)
        wi_backoff_succeeded(&watch->front_tries);
    else if (watch->def.kind == WILLOW_WATCH_AUTO)
        pause_front(watch);
}

static willow_result ask_roots(willow_watch *watch, willow_scratch *scratch,
                               const wi_question *question, willow_pairs *out)
{
    watch->last = WILLOW_WATCH_ROOTS;
    watch->from_roots++;
    if (wi_backoff_is_due(&watch->front_tries))
        wi_front_drop(&watch->world->memory, &watch->front);
    else
        (void)wi_backoff_step(&watch->front_tries);
    return wi_find_pairs(question, scratch, out);
}

static willow_result ask_front(willow_watch *watch, willow_scratch *scratch,
                               const wi_question *question, willow_pairs *out)
{
    willow_result result = wi_find_tracked_pairs(question, scratch, &watch->front, out);
    watch->is_limited = watch->front.is_over;
    watch->last = watch->is_limited ? WILLOW_WATCH_ROOTS : WILLOW_WATCH_FRONT;
    watch->from_roots += watch->is_limited;
    if (watch->is_limited)
        pause_front(watch);
    else
        look_at_front(watch);
    return result;
}

/* The leaves that meet, as the list has them, to scratch->lists.leaf_pairs. */
static willow_result list_leaves(willow_watch *watch, willow_scratch *scratch)
{
    const wi_separation *list = &watch->list;
    watch->last = WILLOW_WATCH_LIST;
    watch->is_limited = false;
    if (!wi_array_reserve(scratch->memory, &scratch->lists.leaf_pairs, list->leaf_pairs))
        return wi_fail_memory(&scratch->message, "the leaves that meet");
    WI_ASSERT(!watch->world->is_stale);
    wi_separation_leaves(list, scratch->lists.leaf_pairs.items);
    scratch->lists.leaf_pairs.count = list->leaf_pairs;
    return WILLOW_OK;
}

/* Nothing is searched. */
static willow_result ask_list(willow_watch *watch, willow_scratch *scratch,
                              const wi_question *question, willow_pairs *out)
{
    const willow_result result = list_leaves(watch, scratch);
    if (result != WILLOW_OK) return result;
    return wi_find_listed_pairs(question, scratch, scratch->lists.leaf_pairs.items,
                                scratch->lists.leaf_pairs.count, out);
}

willow_result willow_watch_find_pairs(willow_watch *watch, willow_scratch *scratch,
                                      const willow_query_options *options, willow_pairs *out)
{
    wi_question question;
    if (out == NULL) return wi_ask_fail_place(scratch);
    *out = (willow_pairs){0};
    willow_result result =
        wi_ask_begin_watch(watch->world, scratch, options, watch->a, watch->b, &question);
    if (result != WILLOW_OK) return result;
    if (wi_watch_has_list(watch))
        result = ask_list(watch, scratch, &question, out);
    else
        result = wants_front(watch, scratch) ? ask_front(watch, scratch, &question, out)
                                             : ask_roots(watch, scratch, &question, out);
    watch->queries += result == WILLOW_OK;
    watch->searched += result == WILLOW_OK;
    return result;
}

/* ---- first pairs ---- */

/* That of the last question is the first to be looked at: what moves little still meets there. */
static bool recognise_first(willow_watch *watch, willow_scratch *scratch,
                            const wi_question *question, willow_first_pair *out)
{
    if (watch->has_first)
        (void)wi_visit_known_pair(question, scratch, watch->first, wi_ask_keep_first, out);
    watch->recognised += out->found;
    return out->found;
}

/* A front does not help: to know all that meets takes longer than to find one. */
static willow_result search_first(willow_watch *watch, willow_scratch *scratch,
                                  const wi_question *question, willow_first_pair *out)
{
    if (!wi_watch_has_list(watch)) {
        watch->last = WILLOW_WATCH_ROOTS;
        watch->from_roots++;
        return wi_visit_pairs(question, scratch, 1, wi_ask_keep_first, out);
    }
    const willow_result result = list_leaves(watch, scratch);
    if (result != WILLOW_OK) return result;
    return wi_visit_listed_pairs(question, scratch, scratch->lists.leaf_pairs.items,
                                 scratch->lists.leaf_pairs.count, wi_ask_keep_first, out);
}

willow_result willow_watch_find_first_pair(willow_watch *watch, willow_scratch *scratch,
                                           const willow_query_options *options,
                                           willow_first_pair *out)
{
    wi_question question;
    if (out == NULL) return wi_ask_fail_place(scratch);
    *out = (willow_first_pair){0};
    willow_result result =
        wi_ask_begin_watch(watch->world, scratch, options, watch->a, watch->b, &question);
    if (result != WILLOW_OK) return result;
    if (!recognise_first(watch, scratch, &question, out)) {
        result = search_first(watch, scratch, &question, out);
        watch->searched += result == WILLOW_OK;
    }
    if (result != WILLOW_OK) return result;
    watch->queries++;
    watch->has_first = out->found;
    watch->first = wi_pair_key_of(out->a.tri, out->b.tri);
    wi_ask_add_witness(watch->world, &question, out);
    return WILLOW_OK;
}

static double share_of(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0.0;
}

static willow_list_measures measure_list(const wi_separation *list)
{
    if (list->entry_count == 0) return (willow_list_measures){0};
    const wi_separation_counts *c = &list->counts;
    const wi_sep_locality locality = wi_separation_locality(list);
    return (willow_list_measures){
        .bytes_per_entry = share_of(wi_separation_bytes(list), list->entry_count),
        .entries_per_event = share_of(c->event_entries, c->events),
        .entries_per_event_most = c->most_entries,
        .entries_per_box = locality.mean,
        .entries_per_box_most = locality.most,
        .internal_per_external =
            share_of(c->box_changes, c->overlaps + c->fathers_apart + c->leaves_apart)};
}

willow_result willow_watch_get_info(const willow_watch *watch, willow_watch_info *out)
{
    if (out == NULL) return WILLOW_BAD_ARGUMENT;
    const wi_front *front = &watch->front;
    const wi_separation *list = &watch->list;
    size_t kept = 0;
    for (size_t i = 0; i < front->pairs.count; i++) kept += front->pairs.items[i].count;
    *out =
        (willow_watch_info){.body_a = watch->a,
                            .body_b = watch->b,
                            .wanted = watch->def.kind,
                            .kind = watch->last,
                            .is_limited = watch->is_limited,
                            .bytes = wi_front_bytes(front) + wi_separation_bytes(&watch->list),
                            .leaf_pairs = watch->last == WILLOW_WATCH_LIST ? watch->list.leaf_pairs
                                                                           : front->pairs.count,
                            .kept_pairs = kept,
                            .queries = watch->queries,
                            .from_roots = watch->from_roots,
                            .recognised = watch->recognised,
                            .restarts = front->counts.restarts,
                            .sprouted = front->counts.sprouted,
                            .shrunk = front->counts.shrunk,
                            .kept = front->counts.kept,
                            .looked_into = front->counts.looked_into,
                            .list_pairs = watch->list.pair_count,
                            .list_events = watch->list.counts.events,
                            .list_renewals = watch->list.counts.renewals,
                            .list_starts = watch->list.counts.starts,
                            .list_entries = list->entry_count,
                            .list_looked_at = list->counts.entries,
                            .list_overlaps = list->counts.overlaps,
                            .list_fathers_apart = list->counts.fathers_apart,
                            .list_leaves_apart = list->counts.leaves_apart,
                            .list_box_changes = list->counts.box_changes,
                            .list_measures = measure_list(list)};
    return WILLOW_OK;
}
