/* scratch.h - what one asking thread owns, from query to query.
 *
 * Each question keeps its room in a struct of its own, beside the file that uses it, with a
 * function that frees it. What all have in common is here: the bodies asked about, the pairs of
 * them, and the workers, each of which walks on its own. Answers point into the scratch, and hold
 * until it is asked again. */
#ifndef WI_QUERY_SCRATCH_H
#define WI_QUERY_SCRATCH_H

#include "query/choose_bodies.h"
#include "query/closest.h"
#include "query/contacts.h"
#include "query/find_pairs.h"
#include "query/kept_selves.h"
#include "query/near_cells.h"
#include "query/question.h"
#include "query/rays.h"
#include "query/schedule.h"
#include "query/step_lists.h"
#include "walk/box/box_walk.h"
#include "walk/rays/ray_walk.h"

/* What one worker of a query has, on cache lines of its own: a reader, and a walk for each kind of
 * question, of which one is in use at a time. */
typedef struct wi_query_worker {
    alignas(64) wi_reader reader; /* what all of its walks read with */
    wi_pair_walk pairs;           /* triangles that meet */
    wi_step_walk step;            /* contacts */
    wi_box_walk box;              /* triangles that meet a box */
    wi_ray_walk ray;              /* triangles along rays */
    wi_nearest nearest;           /* one item of a search by distance */
    wi_nearest_items left;        /* what items of such a search have left to be opened */
    wi_instance rooms[2];         /* for the trees of two bodies that have none of their own, */
    uint64_t placements[2];       /* and the states of bodies that these are; 0: none */
    wi_segments segments;  /* of pairs.keys, when several pairs of bodies are asked at once */
    bool is_out_of_memory; /* a walk failed, so this worker takes nothing more */
} wi_query_worker;

/* What a worker keeps of them is there until it is asked for others. */
wi_two_trees wi_worker_trees(wi_query_worker *worker, const wi_query_body *a,
                             const wi_query_body *b);
const wi_tree *wi_worker_tree(wi_query_worker *worker, const wi_query_body *body);

/* For sorting; of no meaning from one use to the next. */
typedef struct wi_sort_room {
    WI_ARRAY(uint64_t) keys;  /* what is sorted */
    WI_ARRAY(uint64_t) spare; /* as much again, which sorting needs */
} wi_sort_room;

void wi_sort_room_free(wi_memory *memory, wi_sort_room *room);

struct willow_scratch {
    const void *world;              /* compared only */
    wi_memory *memory;              /* of the world */
    wi_message message;             /* why the last query failed */
    willow_kernel kernel;           /* that its walks use */
    uint32_t worker_count;          /* of `workers` */
    uint32_t ready_count;           /* of these can walk: more than one once threads were used */
    wi_query_worker *workers;       /* the first is that of the asking thread */
    wi_query_bodies chosen;         /* the bodies asked about, in the order of their ids */
    WI_ARRAY(wi_query_body) copies; /* of these, unless all are asked about as they are */
    wi_body_numbers near_bodies;    /* those of them that a box or a point is about */
    wi_body_pairs pairs;            /* of chosen bodies; a == b for a body with itself */
    wi_choice choice;               /* for choosing these pairs */
    wi_step_lists lists;            /* what separation lists know of them */
    wi_schedule schedule;           /* what workers share out */
    wi_sort_room sort;              /* for all that is sorted */
    wi_kept_selves kept;            /* pairs within bodies that did not change since */
    wi_pairs_found found;           /* answers: pairs of triangles */
    wi_contacts_found contacts;     /* answers: impacts, and what is near */
    wi_cells_found cells;           /* answers: cells that are near each other */
    wi_search search;               /* a search by distance */
    wi_rays_found rays;             /* answers: what rays hit */
};

/* `kernel` as wi_kernel_choose returned it. */
willow_result wi_scratch_create(wi_memory *memory, const void *world, uint32_t worker_count,
                                willow_kernel kernel, willow_scratch **out);

/* Makes so many workers ready; false if there is no memory. */
bool wi_scratch_ready(willow_scratch *scratch, uint32_t worker_count);

#endif
