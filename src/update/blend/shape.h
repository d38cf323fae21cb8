/* shape.h - one shape in a tree: what its nodes know of it, and how that is found. What
 * update/blend/shapes.h is put together from; for these files only.
 *
 *   shape.c    boxes of a shape, leaves first
 *   volumes.c  slabs and spheres beside them
 *   ways.c     shapes between two targets
 *   shapes.c   all of these for a tree, and its soundness */
#ifndef WI_UPDATE_BLEND_SHAPE_H
#define WI_UPDATE_BLEND_SHAPE_H

#include "update/blend/shapes.h"

/* What is bounded: a shape, or what the second form has in its place. */
typedef struct wi_subject {
    const wi_tree *h;
    const wi_morph *morph;
    uint32_t shape;
    bool is_other;
    uint32_t to;  /* with a share: what is between `shape` and this one */
    double share; /* 0: none of that */
} wi_subject;

/* None of them has anything; NULL if there is no memory. */
wi_blend_shape *wi_blend_shapes_allocate(wi_memory *memory, uint32_t count);
void wi_blend_shapes_free(wi_memory *memory, wi_blend_shape *shapes, uint32_t count);
size_t wi_blend_shapes_bytes(const wi_blend_shape *shapes, uint32_t count);

/* The boxes of all nodes that it moves something below. False if there is no memory. */
bool wi_blend_shape_make(wi_memory *memory, const wi_subject *s, wi_blend_shape *shape);

/* NULL, or the words for what is broken. */
const char *wi_blend_shape_validate(const wi_subject *s, const wi_blend_shape *shape);

/* What nodes have beyond boxes, in every shape and now, if the tree wants some. False if there is
 * no memory. */
bool wi_blend_volumes_make(wi_memory *memory, wi_tree *h);

/* Whether those of an open node contain a leaf below a lane. */
bool wi_blend_volumes_contain(const wi_tree *h, const wi_leaf *leaf, uint32_t node, unsigned lane);

/* Shapes between any two of few targets, or those that follow each other, if the tree wants some.
 * False if there is no memory. */
bool wi_blend_ways_make(wi_memory *memory, wi_tree *h);
void wi_blend_ways_free(wi_memory *memory, wi_blend *blend);
size_t wi_blend_ways_bytes(const wi_blend *blend);
const char *wi_blend_ways_validate(const wi_tree *h);

/* Where the weights of now are on a way. */
wi_blend_span wi_blend_span_of(const wi_tree *h);

#endif
