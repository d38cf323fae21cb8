/* compare.c - who answers as whom: the answers of all contenders to one frame, side by side.
 *
 * Way in: bench_compare_frame. Triangles of one body that share a vertex are decided by some
 * contenders and left out by others, so there are two right answers, one per rule. Who has a rule
 * is compared with the first Willow method that has it; and the two rules are compared in what both
 * answer, that is without neighbours. So nobody goes unproved, whichever rule Willow's methods
 * have. A Willow method that differs is wrong; a peer's pairs are counted as lost and extra.
 * Answers that are no pairs only Willow gives; they are compared by their digests. */
#include "bench/run/compare.h"
#include "bench/common/complain.h"
#include "bench/common/progress.h"
#include "bench/peers/peer.h"
#include "bench/run/pair_list.h"
#include "bench/run/question.h"
#include "bench/run/result.h"

#include <inttypes.h>
#include <stdio.h>

enum { LISTED_DIFFERENCES = 20 };

static uint64_t compare_mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 32;
}

/* Which pair is the first is free (C3), so only whether there is one counts. */
static uint64_t answer_hash(const bench_jury *jury, const pair_list *list, bool *fine)
{
    if (jury->question == QUESTION_FIRST) return list->count;
    if (!bench_question_is(jury->question, ASKS_PAIRS)) return list->digest;
    return pair_list_hash(list, fine);
}

static bool add_answers(bench_jury *jury, const pair_list *lists)
{
    bool fine = true;
    for (uint32_t i = 0; i < jury->count; i++) {
        bench_result *result = &jury->results[i];
        result->pairs += lists[i].count;
        result->rays += lists[i].rays;
        result->hash = compare_mix(result->hash, answer_hash(jury, &lists[i], &fine));
    }
    return fine;
}

/* ---- two answers ---- */

static bool are_equal(const bench_jury *jury, const pair_list *a, const pair_list *b)
{
    if (jury->question == QUESTION_FIRST) return a->count == b->count;
    if (bench_question_is(jury->question, ASKS_PAIRS)) return pair_list_equal(a, b);
    return a->count == b->count && a->digest == b->digest;
}

/* The reference is the measure; which side is wrong, the reader must find out. */
static void compare_method(bench_jury *jury, const pair_list *lists, uint32_t reference,
                           uint32_t number, uint32_t frame)
{
    bench_result *result = &jury->results[number];
    const pair_list *wanted = &lists[reference], *got = &lists[number];
    if (result->is_wrong || are_equal(jury, wanted, got)) return;
    result->is_wrong = true;
    complain("bench", "%s differs from %s, first in frame %" PRIu32 ": %zu %s, not %zu%s",
             result->name, jury->results[reference].name, frame, got->count,
             bench_question_finds(jury->question), wanted->count,
             got->count == wanted->count ? ", but others" : "");
}

/* What a pair that only one side has is reported with. */
typedef struct difference {
    bench_jury *jury;
    bench_result *result;
    uint32_t frame;
} difference;

static void compare_note_difference(void *context, bool lost, const peer_pair *pair)
{
    difference *d = context;
    d->result->lost += lost;
    d->result->extra += !lost;
    if (d->jury->listed++ >= LISTED_DIFFERENCES) return;
    progress_clear();
    fprintf(stderr,
            "%s %s a pair in frame %" PRIu32 ": body %" PRIu32 " triangle %" PRIu32
            ", body %" PRIu32 " triangle %" PRIu32 "\n",
            d->result->name, lost ? "loses" : "invents", d->frame, pair->body_a, pair->tri_a,
            pair->body_b, pair->tri_b);
}

static void compare_counted(bench_jury *jury, const pair_list *lists, uint32_t reference,
                            uint32_t number, uint32_t frame)
{
    const pair_list *wanted = &lists[reference], *got = &lists[number];
    difference d = {jury, &jury->results[number], frame};
    if (jury->question != QUESTION_FIRST) {
        pair_list_compare(wanted, got, compare_note_difference, &d);
    } else if (wanted->count != got->count) {
        bool lost = wanted->count > got->count;
        compare_note_difference(&d, lost, lost ? wanted->items : got->items);
    }
}

/* ---- one rule, and the other ---- */

/* The first Willow method that has the rule; `count` if there is none. */
static uint32_t find_reference(const bench_jury *jury, bool skips)
{
    uint32_t i = 0;
    while (i < jury->count && (bench_result_may_differ(&jury->results[i]) ||
                               jury->results[i].skips_neighbours != skips)) {
        i++;
    }
    return i;
}

static void compare_within_rule(bench_jury *jury, const pair_list *lists, uint32_t reference,
                                uint32_t frame)
{
    bool skips = jury->results[reference].skips_neighbours;
    for (uint32_t i = 0; i < jury->count; i++) {
        if (i == reference || jury->results[i].skips_neighbours != skips) continue;
        if (bench_result_may_differ(&jury->results[i])) {
            compare_counted(jury, lists, reference, i, frame);
        } else {
            compare_method(jury, lists, reference, i, frame);
        }
    }
}

/* False if the list then says nothing: a first pair that is one of neighbours does not tell whether
 * there are others. */
static bool drop_neighbours(const bench_jury *jury, pair_list *list)
{
    size_t count = list->count;
    pair_list_drop_neighbours(list, jury->scene);
    return jury->question != QUESTION_FIRST || list->count == count;
}

/* All that may differ and have the other rule than the reference. */
static void compare_counted_across(bench_jury *jury, pair_list *lists, uint32_t reference,
                                   uint32_t frame)
{
    bool skips = jury->results[reference].skips_neighbours;
    bool is_telling = skips || drop_neighbours(jury, &lists[reference]);
    for (uint32_t i = 0; is_telling && i < jury->count; i++) {
        const bench_result *result = &jury->results[i];
        if (!bench_result_may_differ(result) || result->skips_neighbours == skips) continue;
        if (!skips || drop_neighbours(jury, &lists[i])) {
            compare_counted(jury, lists, reference, i, frame);
        }
    }
}

/* ---- answers that are no pairs ---- */

static bool answer_alike(const bench_result *a, const bench_result *b)
{
    return bench_result_may_differ(a) == bench_result_may_differ(b) &&
           a->skips_neighbours == b->skips_neighbours && a->way == b->way;
}

/* Each with the first that has its rule and its way. Only Willow gives such answers, and what they
 * have in common across rules cannot be seen in a digest. Peers answer rays, but not to the bit:
 * what they lose is counted where it is seen. */
static void compare_digests(bench_jury *jury, const pair_list *lists, uint32_t frame)
{
    for (uint32_t i = 0; i < jury->count; i++) {
        uint32_t first = 0;
        jury->results[i].lost += lists[i].lost;
        if (bench_result_may_differ(&jury->results[i])) continue;
        while (!answer_alike(&jury->results[first], &jury->results[i])) first++;
        if (first < i) compare_method(jury, lists, first, i, frame);
    }
}

/* ---- one frame ---- */

static void compare_pairs_of(bench_jury *jury, pair_list *lists, uint32_t frame)
{
    uint32_t decider = find_reference(jury, false), skipper = find_reference(jury, true);
    bool has_decider = decider < jury->count, has_skipper = skipper < jury->count;
    if (has_decider) compare_within_rule(jury, lists, decider, frame);
    if (has_skipper) compare_within_rule(jury, lists, skipper, frame);
    if (has_decider && has_skipper) {
        bool is_telling = drop_neighbours(jury, &lists[decider]);
        if (is_telling) compare_method(jury, lists, decider, skipper, frame);
    } else if (has_decider || has_skipper) {
        compare_counted_across(jury, lists, has_decider ? decider : skipper, frame);
    }
}

bool bench_compare_frame(bench_jury *jury, pair_list *lists, uint32_t frame)
{
    if (!add_answers(jury, lists)) return false;
    if (bench_question_is(jury->question, ASKS_PAIRS)) {
        compare_pairs_of(jury, lists, frame);
    } else {
        compare_digests(jury, lists, frame);
    }
    return true;
}

void bench_jury_close(const bench_jury *jury)
{
    if (jury->listed > LISTED_DIFFERENCES) {
        fprintf(stderr, "... and %" PRIu32 " more differences\n",
                jury->listed - LISTED_DIFFERENCES);
    }
}
