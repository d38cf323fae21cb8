/* separation.h - the separation list of two trees: which of their leaves meet, kept true by events.
 *
 * A search from the roots ends at pairs of nodes that are apart, and at pairs of leaves that meet.
 * These are the list. While boxes go straight it is known in advance when two of them begin to meet
 * and when they cease to, so that the list changes at these events only, and a query finds the
 * leaves that meet without a search. Boxes of update/kinetic/straight_boxes.h go straight for a
 * span of time; those of a tree with events do so until another vertex is the end of one
 * (update/kinetic/certificates.h). After Zachmann and Weller 2006, section 7.
 *
 * What is stored are the pairs above the list: two nodes that meet, or one with itself. Each has a
 * bit for each two of those below it: they meet, and then are a pair themselves, or two leaves; or
 * they are apart, and in the list. A pair has one event: the next change of its bits. If a bit is
 * set, the pair below is made (the paper's BV-overlap); if one is cleared, all that is below it
 * goes, and its father is in the list again (fathers-do-not-overlap); leaves that meet or cease to
 * are bits as well. A box that takes another course is one lane of one brood, which knows the pairs
 * that it is in: only these are looked at again (BV-change). At the end of a span or at a keyframe
 * all boxes do, and all pairs are. Closed boxes meet where they touch, so at the time of its event
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
    uint32_t first_pair[2]; /* of the pairs that it is in, as their first or second side */
} wi_brood_boxes;

/* In the place of a lane: all of them. */
enum { WI_ALL_LANES = 0xff };

/* Two broods, or a brood and one leaf of another, which is a lane of it. */
typedef struct wi_sep_pair {
    uint64_t meets;  /* bit 8 * i + j: lane i of a and lane j of b do */
    uint64_t leaves; /* both of them are leaves */
    uint32_t brood[2];
    uint8_t lane[2];
    uint8_t bit;        /* its own in the pair above */
    bool is_itself : 1; /* a with itself: each two of its lanes once, and each with itself */
    bool is_due : 1;    /* a box of it has another course */
    uint32_t parent;    /* of the root: itself; of a free place: the next one */
    uint32_t child;     /* the first, or WI_NO_PAIR */
    uint32_t next;      /* of the same parent */
    uint32_t next_met, last_met;     /* those that have leaves that meet, in a ring around pair 0 */
    uint32_t next_of[2], last_of[2]; /* those of the same brood on that side, or WI_NO_PAIR */
} wi_sep_pair;

_Static_assert(sizeof(wi_sep_pair) == 64, "a cache line");

#define WI_NO_PAIR UINT32_MAX

/* What happened, over all updates. */
typedef struct wi_separation_counts {
    uint64_t looks;    /* at pairs, as a search makes */
    uint64_t entries;  /* two boxes each, in these */
    uint64_t events;   /* changes of bits that came when they were due */
    uint64_t renewals; /* of all pairs, since boxes have another course */
    uint64_t starts;   /* from the roots */

    /* Other than in searches: boxes that begin to meet, fathers and leaves that cease to, */
    uint64_t overlaps, fathers_apart, leaves_apart;
    uint64_t box_changes;                   /* and boxes of the list that took another course */
    uint64_t event_entries, change_entries; /* looked at because of events, and of these */
    uint64_t most_entries;                  /* because of one event */
} wi_separation_counts;

/* How the boxes of a tree go. */
typedef enum wi_sep_way {
    WI_SEP_STANDS,
    WI_SEP_STRAIGHT, /* along chords: update/kinetic/straight_boxes.h */
    WI_SEP_ENDS      /* as their ends do, until these are other vertices */
} wi_sep_way;

/* Those of one side, for the time at hand. */
typedef struct wi_sep_course {
    wi_sep_way way;
    uint64_t state;        /* of the body: since then no box has another course, or is listed */
    uint32_t seen;         /* of those that are listed */
    uint64_t range;        /* boxes of that time are numbered, from 1 on */
    double shares[2];      /* STRAIGHT: of the span, at both ends of that time */
    wi_moment first, last; /* ENDS: these */
    double margin;         /* boxes are wider by that than their chords or ends, beside `widen` */
    double need;           /* STRAIGHT: what it asked of `widen` */
} wi_sep_course;

typedef struct wi_separation {
    uint64_t structure[2]; /* of the two trees; 0: it is about none */
    bool is_within;        /* they are one */
    bool logs;             /* leaves that begin and cease to meet are listed, in order of time */
    bool has_gap;          /* not all of them were seen in this update */
    bool is_under_way;     /* an update has begun, or failed, so that the log goes on */
    bool is_searching;     /* from the roots: what begins to meet is no event */
    bool is_ahead;         /* and it is true for the end of that update already */
    double seen;           /* the time that it is true for */
    double log_since, log_until; /* what is listed happens between these */
    double since, until;         /* boxes go straight between these; the same: they stand */
    wi_sep_course courses[2];    /* by side */
    float at;                    /* how far that time is over, from 0 to 1 */
    float widen;                 /* how much wider boxes are */
    WI_ARRAY(wi_brood)
    broods[2]; /* by side; of one body the first alone. The first of each is of
                  the root */
    WI_ARRAY(wi_brood_boxes) boxes[2]; /* theirs */
    uint32_t *brood_of[2];             /* by node: one more than the number of its brood, or 0 */
    uint32_t *lane_of[2]; /* by node, then by leaf: one more than 8 * brood + lane, or 0 */
    uint32_t node_count[2], item_count[2];
    WI_ARRAY(wi_sep_pair) pairs; /* the first one is of the roots */
    uint32_t free_pair;
    size_t pair_count;  /* without free places */
    size_t entry_count; /* two boxes each, in all of them */
    WI_ARRAY(uint32_t) todo;
    WI_ARRAY(uint32_t) due; /* pairs that have boxes of another course */
    wi_event_queue queue;   /* by pair */
    size_t leaf_pairs;      /* that meet now */
    size_t max_bytes;       /* 0: no limit */
    bool is_over;           /* it was given up because of that */
    WI_ARRAY(willow_leaf_event) log;
    wi_separation_counts counts;
} wi_separation;

/* Whether it is known of both trees where their boxes go, in one frame. */
bool wi_separation_suits(const wi_tree *a, const wi_tree *b);

void wi_separation_free(wi_memory *memory, wi_separation *list);
size_t wi_separation_bytes(const wi_separation *list);

/* Whether bodies may have to stop on the way to a time for somebody who wants to hear of events. */
bool wi_separation_makes_stops(const wi_separation *list, const wi_tree *a, const wi_tree *b,
                               double time);

/* Where bodies have to stop on the way to a time, if somebody wants to hear of events: now, if
 * paths have changed or one of them is to be put elsewhere at once; then whenever boxes take
 * another course. The time itself if nowhere. */
double wi_separation_next_stop(const wi_separation *list, const wi_tree *a, const wi_tree *b,
                               bool is_put, double time);

/* Before the bodies go on to a time, if somebody wants to hear of events: those until then, or
 * until boxes take another course, unless they have by changes of paths already, or one of the
 * bodies is to be put elsewhere at once. If this was done for an update that failed, and bodies go
 * elsewhere now, these events do not come to pass: then there is no list. After it: all else, so
 * that the list is true for the moment of the trees, which suit it; at a stop on the way the log of
 * the update goes on. False if there is no room: there is no list then, and the next update starts
 * again. */
bool wi_separation_run_out(wi_memory *memory, willow_kernel kernel, wi_separation *list,
                           const wi_tree *a, const wi_tree *b, bool is_put, double time);
bool wi_separation_follow(wi_memory *memory, willow_kernel kernel, wi_separation *list,
                          const wi_tree *a, const wi_tree *b, bool is_stop);

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

/* Whether the list knows what meets until a time: not where ends become other vertices. */
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

/* Finds some of the boxes of a brood, a bit each, from now on, or from the anchor of its chords;
 * the others are 0. */
typedef void wi_sep_fill(const wi_tree *h, const wi_sep_course *course, const wi_brood *brood,
                         unsigned some, wi_end_lanes *out);

/* How the boxes of a tree go, if it suits a list. */
wi_sep_way wi_separation_way_of(const wi_tree *h);

/* Of how many two boxes a pair is. */
uint32_t wi_separation_entries(const wi_separation *list, const wi_sep_pair *pair);

/* In how many entries a box of the list is. */
typedef struct wi_sep_locality {
    double mean;
    uint64_t most;
} wi_sep_locality;

wi_sep_locality wi_separation_locality(const wi_separation *list);

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
