/* features.h - contacts of two triangles, feature by feature.
 *
 * Triangles touch where a vertex of one touches the other, or an edge an edge: fifteen pairs of
 * features, numbered by a code. Each pair of features belongs to one pair of triangles, their
 * owners (mesh/owners.h), so it is looked at once however many triangles share them. Features that
 * share a vertex are left out. All contacts go through here, whoever proposes the triangles: they
 * wait until there are eight of a kind for the filter, and what that leaves is decided one by one
 * (walk/step/contact.h). */
#ifndef WI_WALK_STEP_FEATURES_H
#define WI_WALK_STEP_FEATURES_H

#include "walk/step/step_walk.h"

/* Codes: corner i of a and the face of b; the face of a and corner i of b; edge i of a and edge j
 * of b, 6 + 3 i + j; two faces. Edge i goes from corner i to the next. */
enum { WI_FACE_VERTEX = 3, WI_EDGE_EDGE = 6, WI_FACE_FACE = 15 };

static inline bool wi_are_edges(unsigned code)
{
    return code >= WI_EDGE_EDGE && code < WI_FACE_FACE;
}

/* Adds the contacts of two triangles of the bodies at hand (walk->step), or has them wait. Within
 * one body slot_a is the lower one. False if there is no memory. */
bool wi_test_features(wi_step_walk *walk, uint32_t slot_a, uint32_t slot_b);

/* The same for two triangles that have waited (walk->movers), which are not read again. */
bool wi_test_movers(wi_step_walk *walk, unsigned lane);

/* Decides all that wait. False if there is no memory. */
bool wi_decide_features(wi_step_walk *walk);

/* A contact of two bodies as users see it: its features, and the time that is its value. */
willow_impact wi_contact_impact(const wi_mesh *a, const wi_mesh *b, const wi_contact *contact);

#endif
