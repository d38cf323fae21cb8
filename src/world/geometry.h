/* geometry.h - the part of a body that several bodies may share: its triangles, where their
 * vertices are, the tree over them, and what updates have done to it.
 *
 * What is a body's own (pose, masks, thickness, user data, the step that it tries out) is in
 * world.h. A geometry is counted. Whoever sets vertices, plans, morphs, deformations, trees, groups
 * or `self` has to be its only user. */
#ifndef WI_WORLD_GEOMETRY_H
#define WI_WORLD_GEOMETRY_H

#include "base/containers/array.h"
#include "update/method.h"

typedef struct wi_geometry {
    wi_mesh mesh;
    wi_tree tree;           /* true for the mesh, unless a body that has it waits for an update */
    willow_tree_def wanted; /* resolved; tree.def may be another until the next update */
    wi_known known;         /* of vertices, for the next update */
    bool is_edited;         /* since the tree was true, which the update is to follow */
    WI_ARRAY(uint32_t) edited; /* the slots, some several times */
    uint32_t users;            /* bodies that have it */
    uint64_t builds, subtree_builds;
    uint64_t morphs;           /* the number of the last morph, or of a rest shape */
    wi_kinetic_counts kinetic; /* of all updates */
} wi_geometry;

/* With one user, and no tree yet. BAD_ARGUMENT or BAD_MESH with a message, or OUT_OF_MEMORY; *out
 * is NULL then. */
willow_result wi_geometry_create(wi_memory *memory, const willow_body_def *def, wi_message *message,
                                 wi_geometry **out);

/* The same of a mesh that was made already, with the settings of another, which is kept in the same
 * way. NULL if there is no memory, and the mesh is destroyed. */
wi_geometry *wi_geometry_like(wi_memory *memory, const wi_geometry *like, bool self, wi_mesh *mesh);

/* The shapes of its vertices, if it has some, are not those that it had: nobody knows them. */
void wi_geometry_renumber_shapes(wi_geometry *geometry);

/* The next update need not know of edits: the tree is true, or there is none. */
static inline void wi_geometry_forget_edits(wi_geometry *geometry)
{
    geometry->is_edited = false;
    geometry->edited.count = 0;
}

/* One user less: the last one gives it back. */
void wi_geometry_release(wi_memory *memory, wi_geometry *geometry);

#endif
