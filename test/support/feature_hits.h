/* feature_hits.h - what a question about features must answer, in the order that it must have.
 *
 * For impacts and for nearness alike. Hits are added in any order and sorted by the definition in
 * willow/query.h: bodies, the triangles that the two features belong to, vertices before faces
 * before edges, corners. */
#ifndef TEST_FEATURE_HITS_H
#define TEST_FEATURE_HITS_H

#include "support/mesh_features.h"

typedef struct feature_hit {
    uint32_t body_a, body_b; /* numbers from 0, in the order of their ids */
    uint32_t tri_a, tri_b;   /* that the features belong to */
    uint32_t place;          /* among those of these triangles */
    willow_feature a, b;
    double value;     /* the time of an impact, or a distance */
    bool is_decided;  /* of impacts */
    bool has_contact; /* the contact is known, too */
    willow_contact contact;
} feature_hit;

typedef struct feature_hits {
    feature_hit *items;
    size_t count, capacity;
} feature_hits;

/* Two features, of which the one that is to come first may be either if they are of one body;
 * `value` and so on are still to be set. */
feature_hit feature_hit_of(uint32_t body_a, const mesh_feature *a, uint32_t body_b,
                           const mesh_feature *b);

void feature_hits_add(feature_hits *hits, feature_hit hit);
void feature_hits_sort(feature_hits *hits);
void feature_hits_free(feature_hits *hits);

/* NULL if the answers are these, or the first so many of them if max_results is not 0; else what is
 * wrong, in words. Bodies must have been created in the order of their numbers. */
const char *feature_hits_differ(const feature_hits *expected, size_t max_results,
                                const willow_impacts *got);
const char *feature_hits_differ_near(const feature_hits *expected, size_t max_results,
                                     const willow_near *got);

/* NULL if this is the first of those with the least time, or one of those that are at time 0 (C3),
 * or if there are none. */
const char *feature_hits_differ_first(const feature_hits *expected, const willow_first_impact *got);

#endif
