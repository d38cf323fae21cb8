/* separation.h - the separation list of two trees: which of their leaves meet, kept true by events.
 *
 * A search from the roots ends at pairs of nodes that are apart, and at pairs of leaves that meet.
 * These are the list. While boxes go straight (update/kinetic/straight_boxes.h) it is known in
 * advance when two of them begin to meet and when they cease to, so that the list changes at these
 * events only, and a query finds the leaves that meet without a search. After Zachmann and Weller
 * 2006, section 7.
 *
 * What is stored are the pairs above the list: two nodes that meet, or one with itself. Each has a
 * bit for each two of those below it: they meet, and then are a pair themselves, or two leaves; or
 * they are apart, and in the list. A pair has one event: the next change of its bits. If a bit is
 * set, the pair below is made (the paper's BV-overlap); if one is cleared, all that is below it
 * goes, and its father is in the list again (fathers-do-not-overlap); leaves that meet or cease to
 * are bits as well. Boxes change their course at the end of a span, or where paths change: then the
 * bits are found anew (BV-change). Closed boxes meet where they touch, so at the time of its event
 * a pair that parts still meets. */
#ifndef WI_PAIRS_SEPARATION_H
#define WI_PAIRS_SEPARATION_H

#include <float.h>
#include "base/check.h"
#include "base/containers/array.h"
#include "base/containers/event_queue.h"
#include "pairs/brood.h"
#include "update/kinetic/kinetic.h"
#include "willow/watch.h"

/* The boxes of a brood, at both ends of the time that they go straight for. */
typedef struct wi_brood_boxes {
    wi_end_lanes lanes;
    float from[WI_ENDS], to[WI_ENDS]; /* of all lanes */
    uint64_t range;                   /* the number of these, or 0 */
} wi_brood_boxes;

/* In the place of a lane: all of them. */
enum { WI_ALL_LANES = 0xff };

/* Two broods, or a brood and one leaf of another, which is a lane of it. */
typedef struct wi_sep_pair {
    uint64_t meets;  /* bit 8 * i + j: lane i of a and lane j of b do */
    uint64_t leaves; /* both of them are leaves */
    uint32_t brood[2];
    uint8_t lane[2];
    uint8_t bit;     /* its own in the pair above */
    bool is_itself;  /* a with itself: each two of its lanes once, and each with itself */
    uint32_t parent; /* of the root: itself; of a free place: the next one */
    uint32_t child;  /* the first, or WI_NO_PAIR */
    uint32_t next;   /* of the same parent */
    uint32_t next_met, last_met; /* those that have leaves that meet, in a ring around pair 0 */
} wi_sep_pair;

#define WI_NO_PAIR UINT32_MAX

/* What happened, over all updates. */
typedef struct wi_separation_counts {
    uint64_t looks;    /* at pairs, as a search makes */
    uint64_t events;   /* changes of bits that came when they were due */
    uint64_t renewals; /* of all pairs, since boxes have another course */
    uint64_t starts;   /* from the roots */
} wi_separation_counts;

typedef struct wi_separation {
    uint64_t structure[2]; /* of the two trees; 0: it is about none */
    uint64_t course[2];    /* the states of the bodies that it was made for */
    bool is_within;        /* they are one */
    bool logs;             /* leaves that begin and cease to meet are listed, in order of time */
    bool has_gap;          /* not all of them were seen in this update */
    bool is_under_way;     /* an update has begun, or failed, so that the log goes on */
    bool is_ahead;         /* and it is true for the end of that update already */
    double seen;           /* the time that it is true for */
    double log_since, log_until; /* what is listed happens between these */
    double since, until;         /* boxes go straight between these; the same: they stand */
    uint64_t range[2];           /* by side: its boxes of that time are numbered, from 1 on */
    float at;                    /* how far that time is over, from 0 to 1 */
    float widen;                 /* how much wider boxes are */
    double shares[2][2];         /* by side: the shares of its span at `since` and `until` */
    WI_ARRAY(wi_brood)
    broods[2]; /* by side; of one body the first alone. The first of each is of
                  the root */
    WI_ARRAY(wi_brood_boxes) boxes[2]; /* theirs */
    uint32_t *brood_of[2];             /* by node: one more than the number of its brood, or 0 */
    uint32_t node_count[2];
    WI_ARRAY(wi_sep_pair) pairs; /* the first one is of the roots */
    uint32_t free_pair;
    size_t pair_count; /* without free places */
    WI_ARRAY(uint32_t) todo;
    wi_event_queue queue; /* by pair */
    size_t leaf_pairs;    /* that meet now */
    size_t max_bytes;     /* 0: no limit */
    bool is_over;         /* it was given up because of that */
    WI_ARRAY(willow_leaf_event) log;
    wi_separation_counts counts;
} wi_separation;

/* Whether boxes of both trees go straight, in one frame. */
bool wi_separation_suits(const wi_tree *a, const wi_tree *b);

void wi_separation_free(wi_memory *memory, wi_separation *list);
size_t wi_separation_bytes(const wi_separation *list);

/* Before the bodies go on to a time, if somebody wants to hear of events: those until then, or
 * until boxes take another course, unless they have by changes of paths already, or one of the
 * bodies is to be put elsewhere at once. If this was done for an update that failed, and bodies go
 * elsewhere now, these events do not come to pass: then there is no list. After it: all else, so
 * that the list is true for the moment of the trees, which suit it. False if there is no room:
 * there is no list then, and the next update starts again. */
bool wi_separation_run_out(wi_memory *memory, willow_kernel kernel, wi_separation *list,
                           const wi_tree *a, const wi_tree *b, bool is_put, double time);
bool wi_separation_follow(wi_memory *memory, willow_kernel kernel, wi_separation *list,
                          const wi_tree *a, const wi_tree *b);

/* Whether it is about these trees, as they are now. */
bool wi_separation_is_true(const wi_separation *list, const wi_tree *a, const wi_tree *b);

/* The leaves that meet, in the order of the list. There is room for `leaf_pairs`. */
void wi_separation_leaves(const wi_separation *list, wi_leaf_pair *out);

/* Two leaves, or two nodes, or one of each, that meet now or begin to later. */
typedef struct wi_sep_seed {
    uint32_t a, b; /* leaves with WI_IS_LEAF; a leaf or a node with itself: the same twice */
    float when;    /* how much of the time that boxes go straight for is over then; not later */
} wi_sep_seed;

typedef WI_ARRAY(wi_sep_seed) wi_sep_seeds;

/* Whether the list knows what meets until a time. */
bool wi_separation_knows(const wi_separation *list, double until);

/* What a search over all the time from now until then has to look into, which the list knows: adds
 * the leaves that meet now, and of the pairs that begin to meet until then the uppermost ones.
 * Changes nothing. False if there is no memory. */
bool wi_separation_look_ahead(wi_memory *memory, willow_kernel kernel, const wi_separation *list,
                              double until, wi_sep_seeds *seeds);

/* The brood of that number, of a side. */
static inline const wi_brood *wi_separation_brood(const wi_separation *list, int side,
                                                  uint32_t number)
{
    WI_ASSERT(number < list->broods[list->is_within ? 0 : side].count);
    return &list->broods[list->is_within ? 0 : side].items[number];
}

/* Pairs in an order in which parents come before their children; WI_NO_PAIR after the last. */
static inline uint32_t wi_separation_after(const wi_separation *list, uint32_t number)
{
    WI_ASSERT(number < list->pairs.count);
    const wi_sep_pair *pairs = list->pairs.items;
    if (pairs[number].child != WI_NO_PAIR) return pairs[number].child;
    while (number != 0 && pairs[number].next == WI_NO_PAIR) number = pairs[number].parent;
    return number == 0 ? WI_NO_PAIR : pairs[number].next;
}

/* How much of the time that boxes go straight for is over at a time: a float that is not before it,
 * so that what begins then has begun. */
static inline float wi_separation_at(const wi_separation *list, double time)
{
    if (!(list->until > list->since)) return 0.0F;
    const double share = (time - list->since) / (list->until - list->since);
    const float at = (float)share;
    return (double)at < share ? at * (1.0F + 0x1p-22F) + FLT_MIN : at;
}

/* Finds the boxes of a brood, from the anchor of its chords on. `shares` are of the span of these.
 */
typedef void wi_sep_fill(const wi_tree *h, const double shares[2], const wi_brood *brood,
                         wi_brood_boxes *out);

/* Of the lanes of a pair: which meet when `at` of the time is over, and when that changes next;
 * beyond 1 if it does not. */
typedef struct wi_sep_sight {
    uint64_t meets;
    float next;
} wi_sep_sight;

/* A brood, and its boxes. */
typedef struct wi_sep_side {
    const wi_brood *brood;
    const wi_brood_boxes *boxes;
} wi_sep_side;

typedef wi_sep_sight wi_sep_look(const wi_separation *list, wi_sep_side a, wi_sep_side b,
                                 const wi_sep_pair *pair);

/* Which of them do not meet, but begin to until then; and by lane of a, and of b, not later when.
 */
typedef uint64_t wi_sep_expect(const wi_separation *list, wi_sep_side a, wi_sep_side b,
                               const wi_sep_pair *pair, float until,
                               float when[WI_LANES][WI_LANES]);

/* NULL, or the words for the invariant that is broken (docs/invariants.md): the list is compared
 * with a search from the roots. */
const char *wi_separation_validate(const wi_separation *list, willow_kernel kernel,
                                   const wi_tree *a, const wi_tree *b);

/* The same in the middle of an update, between two events; that of one pair has been taken out. */
const char *wi_separation_validate_pairs(const wi_separation *list, willow_kernel kernel,
                                         const wi_tree *a, const wi_tree *b, uint32_t taken);

#endif
