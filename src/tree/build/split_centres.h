/* split_centres.h - the inner loops of builders: bounding and parting runs of triangle centres. */
#ifndef WI_TREE_BUILD_SPLIT_CENTRES_H
#define WI_TREE_BUILD_SPLIT_CENTRES_H

#include <stdint.h>
#include "base/kernel.h"
#include "base/wide.h"
#include "geom/box.h"
#include "mesh/mesh.h"

/* A quarter of the centre of each triangle's box, so that no difference of two overflows, and the
 * triangle's slot; an array each, for wide loops. */
typedef struct wi_centres {
    float *axis[3];
    uint32_t *slot;
} wi_centres;

enum { WI_MAX_BINS = 1024 };

/* What splitting needs beside the centres. */
typedef struct wi_split_work {
    uint32_t bins[WI_MAX_BINS], odd_bins[WI_MAX_BINS];
    uint8_t up[1 << WI_LANES][WI_LANES];   /* by mask: the lanes whose bit is set, from the first */
    uint8_t down[1 << WI_LANES][WI_LANES]; /* the same lanes, from the last place downwards */
    wi_centres middle;                     /* as many as there are triangles, and 8 */
    uint64_t *keys, *spare_keys;           /* as many as there are triangles */
} wi_split_work;

void wi_split_work_init(wi_split_work *work);

typedef struct wi_split_kernels {
    /* The centres of the triangles in these slots, in their order; NULL: of all in the mesh. */
    void (*collect)(const wi_mesh *mesh, const uint32_t *slots, uint32_t count,
                    const wi_centres *out);

    /* Moves [first, first + count) from one array to the other, the k lowest along the longest axis
     * of their bounds first, 0 < k < count. What is in `from` there is lost. */
    void (*split)(wi_split_work *work, const wi_centres *from, const wi_centres *to, uint32_t first,
                  uint32_t count, uint32_t k);
} wi_split_kernels;

const wi_split_kernels *wi_split_kernels_for(willow_kernel kernel);

#endif
