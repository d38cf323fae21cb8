/* geometry.h - the part of a body that several bodies may share: its triangles, where their
 * vertices are, the tree over them, and what updates have done to it.
 *
 * What is a body's own (pose, masks, thickness, user data, the step that it tries out) is in
 * world.h. A geometry is counted. Whoever sets vertices, plans, morphs, deformations, trees, groups
 * or `self` has to be its only user: world/share.c sees to that.
 *
 * A body that shares has a geometry which borrows: its mesh and its tree are those of the lender
 * under a pose and with bounds of their own, and nothing in them is its own. Queries see them as
 * they see all others. Lenders change in updates alone; who borrows follows then. */
#ifndef WI_WORLD_GEOMETRY_H
#define WI_WORLD_GEOMETRY_H

#include "base/containers/array.h"
#include "tree/build/inherited.h"
#include "update/method.h"

typedef struct wi_geometry wi_geometry;

struct wi_geometry {
    wi_mesh mesh;
    wi_tree tree;           /* true for the mesh, unless a body that has it waits for an update */
    willow_tree_def wanted; /* resolved; tree.def may be another until the next update */
    wi_known known;         /* of vertices, for the next update */
    bool is_edited;         /* since the tree was true, which the update is to follow */
    bool is_pending;        /* there is no tree until the next update that succeeds */
    WI_ARRAY(uint32_t) edited; /* the slots, some several times */
    wi_inherited inherited;    /* for the next update, where it comes from a body that fell apart */
    uint32_t users;            /* bodies that have it, and geometries that borrow from it */
    uint32_t changes;    /* updates that worked on it; of who borrows: those that it followed */
    wi_geometry *lender; /* NULL: it does not borrow. A lender does not */
    uint64_t builds, subtree_builds;
    uint64_t morphs;           /* the number of the last morph, or of a rest shape */
    wi_kinetic_counts kinetic; /* of all updates */
};

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

/* Whether others may share it: its vertices are where they were set, in memory of its own, and none
 * of its numbers is a hole. */
bool wi_geometry_can_lend(const wi_geometry *geometry);

/* One that borrows from this one, or from its lender; NULL if there is no memory. */
wi_geometry *wi_geometry_borrow(wi_memory *memory, wi_geometry *from);

/* What borrows is as its lender now, under the pose that it had. */
void wi_geometry_follow(wi_geometry *geometry);

/* A copy that shares nothing, with one user, without a pose, and without a tree; NULL if there is
 * no memory. */
wi_geometry *wi_geometry_copy(wi_memory *memory, const wi_geometry *from);

/* One user less: the last one gives it back. */
void wi_geometry_release(wi_memory *memory, wi_geometry *geometry);

#endif
