/* contact.h - decides single contacts: when do two features touch, or how far apart are they? */
#ifndef WI_WALK_STEP_CONTACT_H
#define WI_WALK_STEP_CONTACT_H

#include "walk/step/step_walk.h"

/* Adds the contact of two features that wait, if there is one. False if there is no memory. */
bool wi_contact_decide(wi_step_walk *walk, const wi_feature_queue *queue, unsigned lane);

/* The same for two triangles that may be near each other. */
bool wi_contact_decide_faces(wi_step_walk *walk, uint32_t slot_a, uint32_t slot_b);

#endif
