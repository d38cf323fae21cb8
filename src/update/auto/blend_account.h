/* blend_account.h - whether blending boxes pays, for AUTO on bodies that morph, or whose user
 * bounds them.
 *
 * A tree that blends computes the vertices of leaves that queries reach, those on borders several
 * times, and its boxes are larger than they need be. A refit computes all vertices, once. So where
 * queries reach most of the body a refit is cheaper. Every few updates what the last queries
 * reached is counted, and both are compared in one unit. While the body is refitted, how many nodes
 * are opened tells when to go back; and now and then it is tried, each time that this was in vain
 * after twice as long. What the tree knows of shapes is kept meanwhile. All of this follows from
 * counts, so it is the same with any number of threads (C10). */
#ifndef WI_UPDATE_AUTO_BLEND_ACCOUNT_H
#define WI_UPDATE_AUTO_BLEND_ACCOUNT_H

#include "update/method.h"

/* Whether the coming update blends, of a mesh that suits; notes it in h->habits.mode. */
bool wi_blend_account_blends(wi_update *u);

/* After an update that blended. Before it, boxes with stamps from `since` on were true. */
void wi_blend_account_count(wi_update *u, uint64_t since);

/* After an update that refitted, and whose survey tells what was opened. */
void wi_blend_account_survey(wi_update *u);

#endif
