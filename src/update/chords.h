/* chords.h - keeps a tree true without events: its boxes go straight for a span of time. */
#ifndef WI_UPDATE_CHORDS_H
#define WI_UPDATE_CHORDS_H

#include "update/method.h"

/* Makes the boxes of all nodes true for the moment of the mesh: by the span that they are in, or by
 * a new one. There is a tree. */
willow_result wi_chords_advance(wi_update *u);

/* Whether that would be from nothing. */
bool wi_chords_begin_anew(const wi_hierarchy *h);

/* Bounds all nodes, children first, by where vertices are: at 3 floats for each place, or at 4.
 * Behind the last there is one to spare. Returns the edges of all boxes, added up. */
typedef double wi_chords_sweep(const wi_hierarchy *h, const float *at, size_t stride,
                               wi_padded_box *boxes);

/* Within a span, after paths below a node have changed: makes its chord true, and as tight as it
 * can be from now on. Its children come first; these have changed, a bit each. False if it was true
 * and tight enough, and stays as it is. */
typedef bool wi_chords_anchor(const wi_hierarchy *h, uint32_t node, unsigned changed);

/* By so much of its own size a leaf may be beyond the chord of its node. */
#define WI_CHORDS_EASE 0x1p-22

/* That needs some of the span to be left. */
static inline bool wi_chords_can_anchor(const wi_chords *chords) { return chords->share <= 0.75; }

/* How nodes are opened. */
wi_refresh *wi_chords_refresh_for(willow_kernel kernel);

#endif
