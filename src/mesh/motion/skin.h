/* skin.h - skins: vertices that follow joints, after the morph and before the pose.
 *
 * A skin has a source, which says where vertices are before it: a morph of the user's, or the
 * positions that were stored when it came, kept as a morph of a base and no targets. A vertex is at
 * the weighted sum of where its joints take it from there: linear blend skinning. Each step is in
 * double and in a fixed order, always by wi_skin_read, and rounded once by whoever needs floats
 * (C1):
 *
 *     m = joint times inverse bind matrix, when joints are set (wi_skin_place_joints)
 *     w = weight / sum of the weights of the vertex, when the skin is made
 *     t = ((m0 x + m1 y) + m2 z) + m3, with the columns of m
 *     vertex = ((0 + w t) + w t) + ..., in the order in which weights were given
 *
 * Weights of 0 are left out. Numbers of matrices are floats in size, so nothing overflows.
 *
 * What a vertex follows (its influences) is kept in the order of vertices, and by place only where
 * that begins: places change when trees are built. */
#ifndef WI_MESH_MOTION_SKIN_H
#define WI_MESH_MOTION_SKIN_H

#include <stdalign.h>
#include "base/check.h"
#include "mesh/motion/morph.h"

/* The columns of an affine matrix; the fourth row has no meaning. */
typedef struct wi_columns {
    alignas(32) double column[4][4];
} wi_columns;

typedef struct wi_influence {
    double weight; /* above 0; those of a vertex sum up to one, but for rounding */
    uint32_t joint;
} wi_influence;

/* Of one vertex: [first, first + count) of the influences. */
typedef struct wi_influence_span {
    uint32_t first, count;
} wi_influence_span;

typedef struct wi_skin {
    wi_morph *source;
    bool has_morph; /* the source is the user's */
    uint32_t vertex_count, joint_count, influence_count;
    uint32_t span_room, influence_room; /* of the arrays by place, and of the last one */
    uint32_t span_most;                 /* no vertex has more influences */
    willow_affine *binds;               /* by joint: inverse bind matrices */
    willow_affine *joints;              /* by joint: as the user gave them last */
    wi_columns *frames;                 /* by joint: the same by columns */
    wi_columns *moves;                  /* by joint: from where the source has vertices */
    wi_influence_span *spans;           /* by place; none at places that merged vertices leave */
    wi_influence *influences;
    uint64_t number; /* no two of a body have the same, morphs included */
} wi_skin;

/* Where a matrix takes a point. */
static inline void wi_columns_apply(const wi_columns *m, const double p[3], double out[3])
{
    for (int row = 0; row < 3; row++)
        out[row] =
            ((m->column[0][row] * p[0] + m->column[1][row] * p[1]) + m->column[2][row] * p[2]) +
            m->column[3][row];
}

/* One coordinate of a point in the frame of a joint. */
static inline double wi_skin_bind_row(const willow_affine *bind, int row, const float p[3])
{
    const double *b = bind->row[row];
    return ((b[0] * (double)p[0] + b[1] * (double)p[1]) + b[2] * (double)p[2]) + b[3];
}

/* Where the vertex at a place is: the definition of it. It begins with 0, so that no sum is -0. */
static inline void wi_skin_read(const wi_skin *skin, uint32_t place, double out[3])
{
    double p[3], moved[3];
    WI_ASSERT(place < skin->vertex_count);
    const wi_influence_span span = skin->spans[place];
    wi_morph_read(skin->source, place, p);
    for (int axis = 0; axis < 3; axis++) out[axis] = 0.0;
    for (uint32_t i = 0; i < span.count; i++) {
        const wi_influence *influence = &skin->influences[span.first + i];
        wi_columns_apply(&skin->moves[influence->joint], p, moved);
        for (int axis = 0; axis < 3; axis++) out[axis] += influence->weight * moved[axis];
    }
}

/* Of vertices whose numbers `place` takes to places. It has no source before it is in use
 * (wi_mesh_begin_skin). BAD_ARGUMENT, BAD_MESH or OUT_OF_MEMORY; there is no skin then. */
willow_result wi_skin_make(wi_memory *memory, const willow_skin *def,
                           const wi_morph_vertices *vertices, wi_message *message, wi_skin *skin);

/* All but the source. */
void wi_skin_free(wi_memory *memory, wi_skin *skin);

/* BAD_ARGUMENT unless there is a matrix of numbers for every joint. */
willow_result wi_skin_check_joints(const wi_skin *skin, const willow_affine *joints, uint32_t count,
                                   wi_message *message);

/* Fills `frames` and `moves`, of all joints, with where these matrices have them. */
void wi_skin_place_joints(const wi_skin *skin, const willow_affine *joints, wi_columns *frames,
                          wi_columns *moves);

#endif
