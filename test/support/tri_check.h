/* tri_check.h - holds all of prim's ways to decide two triangles against the rational oracle.
 *
 * Cases come in batches, since some of the ways take many pairs at once. Disagreements are counted
 * per way, and the first few are printed with hexadecimal floats, so that they can be kept. */
#ifndef TEST_TRI_CHECK_H
#define TEST_TRI_CHECK_H

#include "tri_cases.h"

#include <stddef.h>

/* X(enum, what must agree) */
#define TRI_WAYS(X)                                                                                \
    X(ORACLE, "the oracle and its slow twin")                                                      \
    X(MEET, "willow_tri_tri_meet, both ways round")                                                \
    X(MANY, "willow_tri_tri_meet_many")                                                            \
    X(PAIR, "wi_tris_are_pair, both ways round")                                                   \
    X(ORDER, "wi_share_order")                                                                     \
    X(LANE, "wi_tri8_meet_exact")                                                                  \
    X(FILTER, "the wide filters, where they decide")                                               \
    X(KERNELS, "the wide filters of all kernels, bit for bit")

typedef enum tri_way {
#define TRI_WAY_ENTRY(name, words) TRI_WAY_##name,
    TRI_WAYS(TRI_WAY_ENTRY)
#undef TRI_WAY_ENTRY
        TRI_WAY_COUNT
} tri_way;

typedef struct tri_tally {
    size_t pair_count;      /* all cases */
    size_t meet_count;      /* of these, those that have a common point */
    size_t neighbour_count; /* those that are a pair by rule C2 */
    size_t
        undecided_count; /* those that the wide filter for their number of shared vertices left */
    size_t slow_count;   /* those for which the slow oracle was asked too */
    size_t wrong[TRI_WAY_COUNT];
} tri_tally;

const char *tri_way_name(tri_way way);

/* Decides all cases in all ways and adds up what came out. Every `slow_every`-th case is also given
 * to the slow oracle. `label` is printed with disagreements. */
void tri_check_cases(const tri_case *cases, size_t count, size_t slow_every, const char *label,
                     tri_tally *tally);

/* Sums of all ways, and of two tallies. */
size_t tri_tally_wrong(const tri_tally *tally);
void tri_tally_add(tri_tally *sum, const tri_tally *tally);

#endif
