/* morph.h - morphs: vertices that are weighted sums of reference shapes.
 *
 * A shape is what is summed up: the positions of a target, or the base and the offsets of targets.
 * A term is a shape with a weight other than 0. A vertex is at the sum of its terms, in the order
 * of shapes, each product and each sum in double, always by wi_morph_read, and rounded once by
 * whoever needs floats (C1). The base has weight 1. Offsets of few vertices are stored for these
 * only; the others have no such term, and adding 0 would be the same.
 *
 * Products and sums are rounded to the nearest, which never changes the order of two numbers. So
 * boxes of shapes that are summed up in the same way contain all sums
 * (update/blend/blend_kernel.c).
 *
 * Values are in the order of places, as positions are: the mesh reorders both together. */
#ifndef WI_MESH_MOTION_MORPH_H
#define WI_MESH_MOTION_MORPH_H

#include "base/containers/ranks.h"
#include "base/memory.h"
#include "base/message.h"
#include "willow/world.h"

typedef struct wi_morph_shape {
    float *values; /* x, y, z by place, or of the places in `has`, in order; and a few to spare */
    uint32_t count, room; /* how many values there are, and could be */
    wi_ranks has;         /* none: all have a value */
    double size;          /* no coordinate is larger */
} wi_morph_shape;

typedef struct wi_term {
    double weight; /* not 0 */
    uint32_t shape;
} wi_term;

typedef struct wi_morph {
    uint32_t vertex_count, target_count;
    uint32_t shape_count; /* of all targets, and the base before them if there is one */
    bool has_base;        /* targets are offsets from it */
    bool has_sparse;      /* one or more shapes do not have all vertices */
    wi_morph_shape *shapes;
    float *weights; /* by target, as the user gave them */
    wi_term *terms; /* room for all shapes */
    uint32_t term_count;
    uint64_t number; /* of the targets: no two of a body have the same */
} wi_morph;

/* How far beyond the last value may be read. */
enum { WI_MORPH_SHAPE_SPARE = 4 };

/* The value of a shape at a place; NULL if it has none there. */
static inline const float *wi_morph_shape_at(const wi_morph_shape *shape, uint32_t place)
{
    if (shape->has.bits == NULL) return shape->values + 3 * (size_t)place;
    if (!wi_ranks_has(&shape->has, place)) return NULL;
    return shape->values + 3 * (size_t)wi_ranks_of(&shape->has, place);
}

/* Where the vertex at a place is: the definition of it. It begins with 0, so that no sum is -0. */
static inline void wi_morph_read(const wi_morph *morph, uint32_t place, double out[3])
{
    for (int axis = 0; axis < 3; axis++) out[axis] = 0.0;
    for (uint32_t i = 0; i < morph->term_count; i++) {
        const wi_term *term = &morph->terms[i];
        const float *value = wi_morph_shape_at(&morph->shapes[term->shape], place);
        for (int axis = 0; axis < 3 && value; axis++)
            out[axis] += term->weight * (double)value[axis];
    }
}

/* Of so many vertices, whose numbers `place` takes to places; `stand_in` as in the mesh, `base` is
 * theirs by place unless the definition has one. BAD_ARGUMENT, BAD_MESH or OUT_OF_MEMORY; there is
 * no morph then. */
typedef struct wi_morph_vertices {
    uint32_t count;
    const uint32_t *place, *stand_in;
    const void *positions; /* by place: three floats each */
    size_t stride;
} wi_morph_vertices;

willow_result wi_morph_make(wi_memory *memory, const willow_morph *def,
                            const wi_morph_vertices *vertices, wi_message *message,
                            wi_morph *morph);
void wi_morph_free(wi_memory *memory, wi_morph *morph);
size_t wi_morph_bytes(const wi_morph *morph);

/* BAD_ARGUMENT unless these are finite weights for all targets; nothing has changed then. */
willow_result wi_morph_check_weights(const wi_morph *morph, const float *weights, uint32_t count,
                                     wi_message *message);
willow_result wi_morph_set_weights(wi_morph *morph, const float *weights, uint32_t count,
                                   wi_message *message);

/* The terms that weights come to; returns how many they are. `terms` has room for all shapes. */
uint32_t wi_morph_terms(const wi_morph *morph, const float *weights, wi_term *terms);

/* The morph of a mesh that is made of pieces, under a skin or without; NULL if there is no memory.
 */
struct wi_assembly;
wi_morph *wi_morph_assemble(wi_memory *memory, const struct wi_assembly *assembly);

/* Moves what is at the places [first, first + count) to where `moved` says, a permutation of them;
 * moved[0] is of `first`. `scratch` is room for three floats for each of them. */
void wi_morph_permute(wi_morph *morph, uint32_t first, uint32_t count, const uint32_t *moved,
                      void *scratch);

/* NULL, or the words for what is broken. */
const char *wi_morph_validate(const wi_morph *morph);

#endif
