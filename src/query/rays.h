/* rays.h - the room of questions about rays. */
#ifndef WI_QUERY_RAYS_H
#define WI_QUERY_RAYS_H

#include <stdatomic.h>
#include "base/workspace.h"
#include "query/question.h"
#include "walk/rays/ray_walk.h"

/* Hits of one ray: [first, first + count) of its worker's walk. */
typedef struct wi_ray_segment {
    size_t first, count;
    uint32_t worker;
} wi_ray_segment;

typedef struct wi_rays_found {
    wi_body_tree own;                  /* over the bodies asked about, if the world has none */
    uint64_t own_update;               /* of `wi_ray_question` when it was made; 0: of no use now */
    wi_workspace workspace;            /* for making it */
    const wi_body_tree *tree;          /* that one, or that of the world */
    WI_ARRAY(uint8_t) states;          /* by ray: a willow_ray_state */
    WI_ARRAY(willow_hit) hits;         /* by ray the closest; or those of all rays, ray by ray */
    WI_ARRAY(wi_ray_segment) segments; /* by ray, if all hits are wanted */
    WI_ARRAY(willow_pierce_run) runs;  /* the same */
    const wi_ray_question *question;   /* while it is asked */
    wi_ray_wanted wanted;              /* what it asks for */
    atomic_bool is_stopped;            /* `stop` said so */
} wi_rays_found;

void wi_rays_found_free(wi_memory *memory, wi_rays_found *found);

#endif
