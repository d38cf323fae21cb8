/* question.h - what every query is given, and the queries.
 *
 * A query gets a question (options, rules, how to run tasks) and a scratch (query/scratch.h), in
 * which the bodies have been chosen (query/choose_bodies.h). World fills both. */
#ifndef WI_QUERY_QUESTION_H
#define WI_QUERY_QUESTION_H

#include "base/message.h"
#include "broad/broad.h"
#include "pairs/front.h"
#include "prim/meet/witness.h"
#include "query/shown.h"
#include "walk/pairs/pair_walk.h"
#include "walk/step/step_walk.h"
#include "willow/stats.h"

/* A body as queries see it. The world keeps these in the order of their ids. */
typedef struct wi_query_body {
    const wi_shown *shown;   /* what the body shows of itself */
    const wi_motion *motion; /* its trial step; NULL: it stands still */
    wi_box bounds;           /* in the world: what the broad phase sees */
} wi_query_body;

/* The trees of two bodies, or of one: then they are the same. */
typedef struct wi_two_trees {
    const wi_tree *a, *b;
} wi_two_trees;

/* The world's own list, or copies of some of it. */
typedef struct wi_query_bodies {
    const wi_query_body *items;
    size_t count;
} wi_query_bodies;

typedef struct wi_question {
    willow_query_options options; /* checked, with defaults filled in */
    wi_walk_rules rules;          /* what the options mean for walks */
    willow_broad broad;           /* how pairs of bodies are chosen */
    const wi_body_tree *tree;     /* over the chosen bodies, where they are now; NULL: none */
    const wi_body_pairs *met; /* all bodies whose bounds meet now, by the index in their ids less
                                 one; NULL: not known, or the question is not about now */
    uint32_t index_count;     /* of these indices */
    bool is_all;              /* all bodies of the world were chosen */
    willow_tasks tasks;       /* who runs loops in parallel */
} wi_question;

/* How close two bodies must be to touch. */
static inline double wi_reach_of(double distance, const wi_query_body *a, const wi_query_body *b)
{
    return distance + ((double)a->shown->thickness + (double)b->shown->thickness);
}

/* Whether a pair of triangles that meet is wanted: by the rules, and by the user's filter. */
static inline bool wi_question_wants(const wi_question *question, const wi_query_body *a,
                                     willow_tri tri_a, const wi_query_body *b, willow_tri tri_b)
{
    const willow_query_options *options = &question->options;
    if (question->rules.skip_cracks && wi_shown_share_crack(a->shown, tri_a, b->shown, tri_b))
        return false;
    return options->filter == NULL ||
           options->filter(options->filter_context, (willow_tri_ref){a->shown->id, tri_a},
                           (willow_tri_ref){b->shown->id, tri_b});
}

/* All that is found is wanted. */
static inline bool wi_question_wants_all(const wi_question *question)
{
    return !question->rules.skip_cracks && question->options.filter == NULL;
}

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
willow_result wi_find_near_cells(const wi_question *question, willow_scratch *scratch,
                                 unsigned depth, willow_near_cells *out);

/* Of the one body that was chosen. */
willow_result wi_measure_cells(willow_scratch *scratch, unsigned depth, willow_cell_error *out);

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

willow_result wi_visit_box(const wi_question *question, willow_scratch *scratch, const wi_box *box,
                           willow_tri_visitor *visit, void *context);
willow_result wi_closest_point(const wi_question *question, willow_scratch *scratch,
                               const float p[3], willow_closest *out);

/* Between the first count_a of the chosen bodies and the others. */
willow_result wi_closest_pair(const wi_question *question, willow_scratch *scratch, size_t count_a,
                              willow_closest_pair *out);

/* What is asked of rays, which are sound. */
typedef struct wi_ray_question {
    willow_ray_options options; /* checked */
    willow_tasks tasks;         /* who runs loops in parallel */
    const wi_body_tree *tree;   /* over the chosen bodies; NULL: none */
    uint64_t update;            /* if all bodies were chosen: that made them so; else 0 */
    const willow_ray *rays;
    size_t count;
} wi_ray_question;

willow_result wi_cast_rays(const wi_ray_question *question, willow_scratch *scratch,
                           willow_casts *out);
willow_result wi_block_rays(const wi_ray_question *question, willow_scratch *scratch,
                            willow_blocks *out);
willow_result wi_pierce_rays(const wi_ray_question *question, willow_scratch *scratch,
                             willow_pierces *out);

#endif
