/* leaf_points.c - the memory of positions that are kept by leaf. */
#include "tree/leaf_points.h"

#include "base/check.h"
#include "tree/tree.h"

bool wi_leaf_points_make(wi_memory *memory, const wi_tree *h, wi_leaf_points *p)
{
    WI_ASSERT(p->points == NULL && p->stamps == NULL && h->shape->leaf_count > 0);
    p->points = wi_alloc_array(memory, h->shape->leaf_vertex_count, sizeof *p->points);
    if (p->points == NULL) return false;
    p->point_count = h->shape->leaf_vertex_count;
    p->stamps = wi_alloc_array(memory, h->shape->leaf_count, sizeof *p->stamps);
    if (p->stamps == NULL) return false;
    p->leaf_count = h->shape->leaf_count;
    for (uint32_t i = 0; i < h->shape->leaf_count; i++) atomic_init(&p->stamps[i], WI_STAMP_NONE);
    return true;
}

void wi_leaf_points_free(wi_memory *memory, wi_leaf_points *p)
{
    wi_free_array(memory, p->points, p->point_count, sizeof *p->points);
    wi_free_array(memory, p->stamps, p->leaf_count, sizeof *p->stamps);
    *p = (wi_leaf_points){0};
}

size_t wi_leaf_points_bytes(const wi_leaf_points *p)
{
    return p->point_count * sizeof *p->points + p->leaf_count * sizeof *p->stamps;
}
