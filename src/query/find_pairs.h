/* find_pairs.h - what walks over pairs found, put together into an answer. */
#ifndef WI_QUERY_FIND_PAIRS_H
#define WI_QUERY_FIND_PAIRS_H

#include "query/question.h"

/* Keys [first, first + count) of a worker's walk are of this pair of bodies. */
typedef struct wi_segment {
    uint32_t pair, worker;
    size_t first, count;
} wi_segment;

typedef WI_ARRAY(wi_segment) wi_segments;

/* Segments [first, last) of the order are all of this pair of bodies, and its pairs go to
 * [place, place + count) of what is found. */
typedef struct wi_lot {
    uint32_t pair;
    size_t first, last;
    size_t place, count;
} wi_lot;

/* What the workers found, by pair of bodies, and the answer made of it. */
typedef struct wi_pairs_found {
    wi_segments segments;            /* of all workers */
    WI_ARRAY(uint64_t) order;        /* of segments: pair of bodies << 32 | number */
    WI_ARRAY(wi_lot) lots;           /* one per pair of bodies, in order */
    WI_ARRAY(willow_pair_run) runs;  /* of the answer: one per pair of bodies */
    WI_ARRAY(willow_tri_pair) pairs; /* the answer */
    WI_ARRAY(willow_vec3) witnesses; /* by pair: a point where it meets, if wanted */
} wi_pairs_found;

void wi_pairs_found_free(wi_memory *memory, wi_pairs_found *found);

/* Closes the segment of a worker's keys that began at `first`, if it holds any. False if there is
 * no memory. */
bool wi_add_segment(willow_scratch *scratch, uint32_t worker, uint32_t pair, size_t first);

/* Sorts what the workers have found into an answer, or says that there is no memory for it. */
willow_result wi_answer_pairs(const wi_question *question, willow_scratch *scratch,
                              willow_pairs *out);
willow_result wi_fail_pairs(willow_scratch *scratch);

#endif
