/* box_walk.c - beginning walks against a box. */
#include "walk/box/box_walk.h"

#include <string.h>

#include "base/check.h"
#include "base/kernel.h"

extern wi_run_box wi_run_box_scalar, wi_run_box_avx2;

void wi_box_walk_init(wi_box_walk *walk, wi_reader *reader)
{
    memset(walk, 0, sizeof *walk);
    walk->reader = reader;
    walk->run = WI_KERNELS_FOR(reader->kernel, run_box);
}

void wi_box_walk_free(wi_box_walk *walk)
{
    wi_array_free(walk->reader->memory, &walk->stack);
    wi_array_free(walk->reader->memory, &walk->slots);
}

bool wi_box_walk_start(wi_box_walk *walk, const wi_tree *h, const wi_box *box, size_t pause_at)
{
    const uint32_t root = 0;
    WI_ASSERT(pause_at > 0);
    walk->stack.count = walk->slots.count = 0;
    walk->pause_at = pause_at;
    if (h->boxes.nodes == NULL || !wi_boxes_meet(&h->boxes.world_bounds, box)) return true;
    return wi_array_push(walk->reader->memory, &walk->stack, root);
}
