/* tube.h - closed tubes: rings of vertices from one end to the other, and a tip at each end. */
#ifndef SCENES_TUBE_H
#define SCENES_TUBE_H

#include "vec.h"

#include <stdint.h>

/* So many vertices in so many rings. */
typedef struct tube {
    uint32_t around, rings;
} tube;

static inline uint32_t tube_vertices(tube t) { return t.around * t.rings + 2; }
static inline uint32_t tube_triangles(tube t) { return 2 * t.around * t.rings; }

/* A count of a mesh that is to be finer or coarser than usual. */
static inline uint32_t scaled_count(double usual, double scale, uint32_t least)
{
    double found = floor(usual * scale + 0.5);
    return found < least ? least : (uint32_t)found;
}

/* Where a vertex is on the tube: `along` from 0 at the first tip to 1 at the last one, and the
 * cosine and sine of the angle around. */
typedef struct tube_place {
    double along, cosine, sine;
} tube_place;

/* Vertices are numbered from the first tip over the rings to the last tip. */
tube_place tube_place_of(tube t, uint32_t vertex);

/* Writes three indices per triangle of a tube whose first tip is the vertex `first`. Seen from
 * outside they go round against the clock if the angle goes so as seen from the first tip, looking
 * back from the last. */
void tube_indices(tube t, uint32_t first, uint32_t *indices_out);

#endif
