/* question.h - what every query is given: the bodies of a world, the options, and a scratch. */
#ifndef WI_QUERY_QUESTION_H
#define WI_QUERY_QUESTION_H

#include "base/message.h"
#include "broad/broad.h"
#include "pairs/front.h"
#include "pairs/separation.h"
#include "prim/witness.h"
#include "walk/nearest/nearest.h"
#include "walk/pairs/walk.h"

/* A body as queries see it. The world keeps these in the order of their ids. */
typedef struct wi_query_body {
    const wi_tree *h;
    wi_motion motion; /* its trial step */
    wi_box bounds;    /* in the world: what the broad phase sees */
    float thickness;
    willow_body_id id;
    uint64_t category_bits, mask_bits;
    bool self;
} wi_query_body;

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

/* What one worker of a query has, on cache lines of its own. */
typedef struct wi_query_worker {
    alignas(64) wi_walk walk;
    wi_segments segments;  /* of walk.keys, when several pairs of bodies are asked at once */
    wi_nearest nearest;    /* one item of a search by distance */
    wi_nearest_items left; /* what items have left to be opened */
    bool is_out_of_memory;
} wi_query_worker;

/* A pair of nodes of a pair of bodies, or some seeds: the unit that workers share out. */
typedef struct wi_query_item {
    uint32_t pair;
    wi_walk_item nodes;
    size_t first_seed, seed_count; /* of scratch->seeds, in the place of `nodes`; 0: none */
} wi_query_item;

typedef WI_ARRAY(wi_query_item) wi_query_items;

/* What an item of a search by distance came to, and which of its worker's `left` it left. */
typedef struct wi_nearest_outcome {
    wi_nearest_best best;
    uint32_t worker;
    size_t first, count;
} wi_nearest_outcome;

struct willow_scratch {
    const void *world; /* compared only */
    wi_memory *memory;
    wi_message message;
    willow_kernel kernel;
    uint32_t worker_count;
    uint32_t
        ready_count; /* workers that can walk: more than one only once threads were asked for */
    wi_query_worker *workers;
    WI_ARRAY(wi_query_body) chosen;
    WI_ARRAY(wi_broad_body) broad_bodies;
    wi_workspace workspace; /* of the broad phase */
    wi_body_pairs pairs;    /* of chosen bodies; a == b for a body with itself */
    WI_ARRAY(const wi_separation *)
    lists;                            /* by pair of bodies: one that knows all of the step, or
                                         NULL; none of them in questions without steps */
    double lists_until;               /* the time at which the step ends */
    wi_sep_seeds seeds, sorted_seeds; /* what these lists say has to be looked into */
    wi_query_items items, next_items;
    size_t first_item;    /* of those that are being shared out */
    double until;         /* impacts later than this are of no interest */
    wi_segments segments; /* of all workers */
    WI_ARRAY(wi_lot) lots;
    WI_ARRAY(uint64_t) order, keys, spare_keys; /* of segments; of lots */
    WI_ARRAY(willow_pair_run) runs;
    WI_ARRAY(willow_tri_pair) found;
    WI_ARRAY(willow_vec3) witnesses;                       /* of what was found */
    WI_ARRAY(const wi_contact *) contacts, spare_contacts; /* of all workers, in order */
    WI_ARRAY(willow_impact) impacts;
    WI_ARRAY(willow_near_pair) near;
    WI_ARRAY(wi_leaf_pair) leaf_pairs; /* of a watch that keeps a list */
    wi_nearest front;                  /* a search by distance, from which workers take items */
    wi_nearest_items batch;            /* the items taken */
    WI_ARRAY(wi_nearest_outcome) outcomes;
};

typedef struct wi_question {
    willow_query_options options;
    wi_walk_rules rules;
    willow_broad broad;
    willow_tasks tasks;
} wi_question;

/* How close two bodies must be to touch. */
static inline double wi_reach_of(double distance, const wi_query_body *a, const wi_query_body *b)
{
    return distance + ((double)a->thickness + (double)b->thickness);
}

/* Makes so many workers ready; false if there is no memory. */
bool wi_scratch_ready(willow_scratch *scratch, uint32_t worker_count);

/* Fills scratch->pairs: the pairs of chosen bodies that may meet, and those with `self` with
 * themselves, sorted. False if there is no memory. */
bool wi_choose_pairs(const wi_question *question, willow_scratch *scratch);

/* The same with chosen bodies against themselves only: all, or those with `self`. */
bool wi_choose_selves(willow_scratch *scratch, bool all);

/* A point where two triangles meet. */
static inline willow_vec3 wi_find_witness(const wi_mesh *a, willow_tri tri_a, const wi_mesh *b,
                                          willow_tri tri_b)
{
    wi_tri first = wi_mesh_tri(a, tri_a), second = wi_mesh_tri(b, tri_b);
    return wi_tri_tri_witness(&first, &second);
}

/* The questions. They fail for memory only. */
willow_result wi_find_pairs(const wi_question *question, willow_scratch *scratch,
                            willow_pairs *out);

/* The same of the one pair of bodies that was chosen, or of none, from a front that is kept from
 * query to query. */
willow_result wi_find_tracked_pairs(const wi_question *question, willow_scratch *scratch,
                                    wi_front *front, willow_pairs *out);

/* The same where the pairs of leaves that meet are known. */
willow_result wi_find_listed_pairs(const wi_question *question, willow_scratch *scratch,
                                   const wi_leaf_pair *pairs, size_t count, willow_pairs *out);

willow_result wi_find_impacts(const wi_question *question, willow_scratch *scratch,
                              willow_impacts *out);
willow_result wi_find_near(const wi_question *question, willow_scratch *scratch, willow_near *out);
willow_result wi_time_of_impact(const wi_question *question, willow_scratch *scratch,
                                willow_first_impact *out);
willow_result wi_visit_pairs(const wi_question *question, willow_scratch *scratch, size_t pause_at,
                             willow_pair_visitor *visit, void *context);

/* The same of the one pair of bodies that was chosen, or of none: that pair of triangles alone, if
 * it is one; or those in pairs of leaves that are known to meet. */
bool wi_visit_known_pair(const wi_question *question, willow_scratch *scratch, wi_pair_key key,
                         willow_pair_visitor *visit, void *context);
willow_result wi_visit_listed_pairs(const wi_question *question, willow_scratch *scratch,
                                    const wi_leaf_pair *pairs, size_t count,
                                    willow_pair_visitor *visit, void *context);

willow_result wi_visit_box(willow_scratch *scratch, const wi_box *box, willow_tri_visitor *visit,
                           void *context);
willow_result wi_closest_point(const wi_question *question, willow_scratch *scratch,
                               const float p[3], willow_closest *out);

/* Between the first count_a of the chosen bodies and the others. */
willow_result wi_closest_pair(const wi_question *question, willow_scratch *scratch, size_t count_a,
                              willow_closest_pair *out);

#endif
