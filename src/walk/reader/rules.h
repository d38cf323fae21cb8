/* rules.h - what a question says about how to walk. */
#ifndef WI_WALK_READER_RULES_H
#define WI_WALK_READER_RULES_H

#include <stdbool.h>
#include <stdint.h>

/* What is looked for: triangles that meet (walk/pairs), or contacts (walk/step). */
typedef enum wi_wanted {
    WI_PAIRS,
    WI_IMPACTS,
    WI_FIRST_IMPACT,
    WI_NEAR_TRIS,
    WI_NEAR_FEATURES
} wi_wanted;

typedef struct wi_walk_rules {
    bool skip_neighbours;    /* of pairs within a body those that share a vertex */
    bool skip_cracks;        /* of all pairs and contacts those of triangles with the same label */
    bool test_flat;          /* also what provably does not fold */
    bool descend_larger;     /* of two nodes only the larger is opened */
    bool skip_rest;          /* of contacts within a body those that its rest shape has */
    wi_wanted wanted;        /* what is looked for */
    double distance;         /* how close counts as touching, without the layers of bodies */
    double tolerance;        /* of impacts */
    uint32_t max_iterations; /* for the time of one impact */
} wi_walk_rules;

static inline bool wi_wants_contacts(const wi_walk_rules *rules)
{
    return rules->wanted != WI_PAIRS;
}

#endif
