/* mesh.h - the triangles and vertices of one body.
 *
 * Words used here and above:
 *   slot    the number of a triangle, fixed from birth to removal (mesh/edits.h)
 *   vertex  the number of a vertex as the user gave it; after welding a triangle names the first
 *           vertex of those merged (its stand-in), and the others are not used by any triangle
 *   place   where the position of a vertex is stored: the order of the hierarchy, so that a
 *           stream over a subtree is a stream over memory
 *   posed   seen by queries through a pose; hierarchies are made of positions as they are stored
 *   motion  where positions come from (mesh/motion/motion.h)
 *   planned, morphed, deformed, skinned: its motion is PLAN, MORPH, USER, SKIN; positions are
 * stored by whoever needs all of them live    what is stored is old: positions are computed
 * (wi_stored)
 *
 * A mesh that borrows has no places: positions are read from the user's array by vertex. */
#ifndef WI_MESH_MESH_H
#define WI_MESH_MESH_H

#include <stdatomic.h>
#include <string.h>
#include "base/check.h"
#include "base/memory.h"
#include "base/message.h"
#include "geom/box.h"
#include "geom/pose.h"
#include "geom/tri.h"
#include "mesh/group_masks.h"
#include "mesh/motion/morph.h"
#include "mesh/motion/motion.h"
#include "mesh/motion/plan.h"
#include "mesh/motion/skin.h"
#include "mesh/motion/user.h"
#include "willow/world.h"

/* A stored position: x, y, z and a float of no meaning. Sixteen bytes move in one load. */
typedef struct wi_point {
    _Alignas(16) float axis[4];
} wi_point;

struct wi_owners;
struct wi_edits;

typedef struct wi_mesh {
    uint32_t vertex_count;          /* numbers that vertices have, or had */
    uint32_t tri_count;             /* the same for triangles */
    uint32_t vertex_room, tri_room; /* what the arrays below have room for */
    uint32_t (*tris)[3];  /* by slot: vertices, after welding; WI_NO_VERTEX: it was removed */
    uint16_t *groups;     /* by slot; NULL: all in group 1 */
    uint32_t *labels;     /* by slot: of cracks, or 0; NULL: none */
    wi_group_masks masks; /* which of them are tested against each other in this body */
    uint32_t *stand_in;   /* by vertex: the one that stands for it, or WI_NO_VERTEX if it was
                             removed; NULL: every one itself */
    wi_point *positions;  /* by place; NULL if borrowed */
    wi_point *staged;     /* by place: room for the next positions, so that a bad one in the
                             middle of a copy spoils nothing (C6) */
    uint32_t *place;      /* by vertex; the stand-in's for merged ones; NULL if borrowed */
    wi_point *rest;       /* by vertex: the positions that it was made with, if they are kept */
    const char *borrowed; /* the user's array */
    size_t borrowed_stride;
    union {
        wi_plan *plan;
        wi_morph *morph;
        wi_user_motion *user;
        wi_skin *skin;
        void *any;
    } state; /* of the motion; NULL: it has none */
    wi_motion_kind motion;
    wi_stored stored;
    bool keeps_rest;     /* it was asked to, also where it has no vertices */
    const wi_pose *pose; /* of the body that sees it so, and the body's own; NULL: the identity */
    struct wi_edits *edits; /* see mesh/edits.h; NULL: it was never edited */

    /* Owners of its vertices and edges (mesh/owners.h), which questions make: where they are, of a
     * mesh that was put together for a question; NULL: here. The last member, since all others may
     * be read while a question makes them. */
    _Atomic(struct wi_owners *) *lent_owners;
    _Atomic(struct wi_owners *) owners; /* NULL until they are asked for */
} wi_mesh;

_Static_assert(sizeof(wi_mesh) <= 168, "a mesh without triangles stays small");

/* Positions in a user's memory. */
typedef struct wi_source {
    const char *positions;
    size_t stride;
} wi_source;

static inline const float *wi_source_at(wi_source source, size_t vertex)
{
    WI_ASSERT((uintptr_t)source.positions % sizeof(float) == 0 &&
              source.stride % sizeof(float) == 0);
    return (const float *)(const void *)(source.positions + vertex * source.stride);
}

/* The user's array, of a mesh that borrows. */
static inline wi_source wi_mesh_borrowed(const wi_mesh *mesh)
{
    return (wi_source){mesh->borrowed, mesh->borrowed_stride};
}

/* 0 for a point of numbers, NaN for one with NaN or infinity; and so is the sum of many. */
static inline float wi_finite_test(const float *p)
{
    return (p[0] - p[0]) + (p[1] - p[1]) + (p[2] - p[2]);
}

static inline wi_point wi_point_of(const float *p) { return (wi_point){{p[0], p[1], p[2], 0.0F}}; }

/* ---- motion ---- */

static inline const wi_motion_ops *wi_mesh_motion(const wi_mesh *mesh)
{
    WI_ASSERT((unsigned)mesh->motion < WI_MOTION_COUNT);
    return wi_motions[mesh->motion];
}

/* Positions are computed, from a plan or a morph, and known beyond the bits of a float. */
static inline bool wi_mesh_is_finer(const wi_mesh *mesh) { return wi_mesh_motion(mesh)->is_finer; }

/* The same, or a deformation computes them. */
static inline bool wi_mesh_is_computed(const wi_mesh *mesh)
{
    return wi_mesh_motion(mesh)->is_computed;
}

/* Vertices follow the time of the world, on paths that are known for all times. */
static inline bool wi_mesh_has_paths(const wi_mesh *mesh)
{
    return wi_mesh_motion(mesh)->has_paths;
}

/* Vertices follow from reference shapes, and from what only calls change: weights, or a context. */
static inline bool wi_mesh_has_shapes(const wi_mesh *mesh)
{
    return wi_mesh_motion(mesh)->has_shapes;
}

/* The number of these shapes: no others of the body have it. */
static inline uint64_t wi_mesh_shape_number(const wi_mesh *mesh)
{
    WI_ASSERT(wi_mesh_has_shapes(mesh));
    return wi_mesh_motion(mesh)->shape_number(mesh);
}

/* What is stored is old. */
static inline bool wi_mesh_is_live(const wi_mesh *mesh) { return mesh->stored == WI_STORED_OLD; }

/* The states of motions, for whoever knows that the mesh has this one. They belong to the mesh:
 * only who may change it may change them. */
static inline wi_plan *wi_mesh_plan(const wi_mesh *mesh)
{
    WI_ASSERT(mesh->motion == WI_MOTION_PLAN);
    return mesh->state.plan;
}

/* Of its plan: now. */
static inline const wi_moment *wi_mesh_moment(const wi_mesh *mesh)
{
    return &wi_mesh_plan(mesh)->now;
}

static inline wi_skin *wi_mesh_skin(const wi_mesh *mesh)
{
    WI_ASSERT(mesh->motion == WI_MOTION_SKIN);
    return mesh->state.skin;
}

/* What it morphs by, or what its skin moves: of a mesh that is skinned it may be the positions that
 * it had. */
static inline wi_morph *wi_mesh_morph(const wi_mesh *mesh)
{
    WI_ASSERT(mesh->motion == WI_MOTION_MORPH || mesh->motion == WI_MOTION_SKIN);
    return mesh->motion == WI_MOTION_SKIN ? mesh->state.skin->source : mesh->state.morph;
}

/* It has targets, or may have, under a skin or without. */
static inline bool wi_mesh_has_morph(const wi_mesh *mesh)
{
    return mesh->motion == WI_MOTION_MORPH ||
           (mesh->motion == WI_MOTION_SKIN && mesh->state.skin->has_morph);
}

static inline wi_user_motion *wi_mesh_user(const wi_mesh *mesh)
{
    WI_ASSERT(mesh->motion == WI_MOTION_USER);
    return mesh->state.user;
}

/* ---- positions come in ---- */

/* What takes positions in the frame of the body to the world; NULL if nothing has to: the identity.
 * All that read the pose ask here. */
static inline const wi_pose *wi_mesh_pose(const wi_mesh *mesh) { return mesh->pose; }

/* Positions are read from this array by vertex; those that were stored belong to someone else. */
void wi_mesh_borrow(wi_mesh *mesh, wi_source source);

/* The mesh is seen under this pose from now on, which is valid. `room` is the owner's, for what the
 * mesh reads, and stays where it is. */
void wi_mesh_set_pose(wi_mesh *mesh, const willow_pose *pose, wi_pose *room);

/* Copies and checks; BAD_ARGUMENT or BAD_MESH with a reason, OUT_OF_MEMORY; *mesh is then empty. */
willow_result wi_mesh_create(wi_memory *memory, const willow_mesh_def *def, wi_message *message,
                             wi_mesh *mesh);
void wi_mesh_destroy(wi_memory *memory, wi_mesh *mesh);

/* A copy without a pose of a mesh whose positions are stored and which was never edited. False if
 * there is no memory; *out is then empty. */
bool wi_mesh_copy(wi_memory *memory, const wi_mesh *mesh, wi_mesh *out);

/* Keeps the positions of now as the rest shape. OUT_OF_MEMORY. */
willow_result wi_mesh_keep_rest(wi_memory *memory, wi_mesh *mesh, wi_message *message);

/* New positions for all vertices, or for [first, first + count), checked; BAD_MESH and nothing
 * changed if one is not finite. Not for borrowed meshes. */
willow_result wi_mesh_take_all(wi_mesh *mesh, wi_source source, wi_message *message);
willow_result wi_mesh_take_range(wi_mesh *mesh, uint32_t first, uint32_t count, wi_source source,
                                 wi_message *message);

/* BAD_MESH if one of the positions for vertices [first, first + count) is not finite. Those for
 * removed vertices are not read. */
willow_result wi_mesh_check_positions(const wi_mesh *mesh, wi_source source, uint32_t first,
                                      uint32_t count, wi_message *message);

/* Makes the staged positions the current ones. */
void wi_mesh_commit_staged(wi_mesh *mesh);

/* Says which of these is not finite; there is one. */
willow_result wi_mesh_fail_position(const wi_mesh *mesh, wi_source source, uint32_t first,
                                    uint32_t count, wi_message *message);

/* ---- motions begin and end ---- */

/* All vertices follow `plan`, which the mesh takes over; the time is `now`. What was stored is old.
 * False if there is no memory: the plan is freed, and the mesh as it was. */
bool wi_mesh_begin_plan(wi_memory *memory, wi_mesh *mesh, wi_plan *plan, double now);

/* Makes room for paths: vertices that follow nothing get one that stands still where they are,
 * since `now`, not rounded where they are sums of shapes, which ends that. False if there is no
 * memory; the mesh is as it was. */
bool wi_mesh_reserve_paths(wi_memory *memory, wi_mesh *mesh, double now);

/* All vertices are sums of shapes from now on; the mesh takes the morph over. What was stored is
 * old. False if there is no memory: the morph is freed, and the mesh as it was. */
bool wi_mesh_begin_morph(wi_memory *memory, wi_mesh *mesh, wi_morph *morph);

/* All vertices follow joints from now on; the mesh, which is stored, morphed or skinned, takes the
 * skin over. What it is before the skin stays: its morph, or for a mesh that is stored `source`,
 * which it takes over too; for others that is NULL. False if there is no memory: both are freed,
 * and the mesh is as it was. */
bool wi_mesh_begin_skin(wi_memory *memory, wi_mesh *mesh, wi_morph *source, wi_skin *skin);

/* Ends the skin of a mesh: vertices are where they were before it. */
void wi_mesh_end_skin(wi_memory *memory, wi_mesh *mesh);

/* All vertices are where the deformation says from now on; the mesh takes it over, and gives it its
 * places and its rest shape, which is what is stored. */
void wi_mesh_begin_user(wi_memory *memory, wi_mesh *mesh, wi_user_motion *user);

/* Ends what computes positions: they are what is stored. */
void wi_mesh_end_motion(wi_memory *memory, wi_mesh *mesh);

/* The same for a copy of a mesh, whose state belongs to the other. */
void wi_mesh_leave_motion(wi_mesh *mesh);

/* Room for the state of the motion at the end of a step of this mesh. False if there is no memory;
 * there is then none. */
bool wi_mesh_reserve_end(wi_memory *memory, const wi_mesh *mesh, wi_end_state *end);
void wi_end_state_free(wi_memory *memory, wi_end_state *end);

/* Stores the positions that the motion computes at the places [first, last). */
typedef void wi_mesh_fill(wi_mesh *mesh, uint32_t first, uint32_t last);
wi_mesh_fill *wi_mesh_fill_for(willow_kernel kernel);

/* The same for all of them: the mesh is no longer live. */
void wi_mesh_store_plan(wi_mesh *mesh, willow_kernel kernel);

/* Moves what the state of its motion has at the places [first, first + count) to where `moved`
 * says: see wi_plan_permute. */
void wi_mesh_permute(wi_mesh *mesh, uint32_t first, uint32_t count, const uint32_t *moved,
                     void *scratch);

/* Stores all positions in another order; takes over `place` and frees the old one. */
void wi_mesh_reorder(wi_memory *memory, wi_mesh *mesh, uint32_t *place);

/* The box of all vertices of triangles that collide, as they are stored. */
wi_box wi_mesh_bounds(const wi_mesh *mesh);

size_t wi_mesh_bytes(const wi_mesh *mesh);

/* NULL, or the words for what is broken; in its motion. */
const char *wi_mesh_validate(const wi_mesh *mesh);
const char *wi_mesh_validate_motion(const wi_mesh *mesh);

/* ---- positions as they are read ---- */

static inline wi_spot wi_mesh_spot(const wi_mesh *mesh, uint32_t vertex)
{
    WI_ASSERT(vertex < mesh->vertex_count);
    return mesh->borrowed ? vertex : mesh->place[vertex];
}

/* What is stored, or borrowed; a live mesh has to be read with the functions below. */
static inline const float *wi_mesh_at(const wi_mesh *mesh, wi_spot spot)
{
    WI_ASSERT(spot < mesh->vertex_count);
    return mesh->borrowed ? wi_source_at(wi_mesh_borrowed(mesh), spot) : mesh->positions[spot].axis;
}

static inline const float *wi_mesh_position(const wi_mesh *mesh, uint32_t vertex)
{
    return wi_mesh_at(mesh, wi_mesh_spot(mesh, vertex));
}

/* Where what is at a spot is now, not rounded. */
static inline void wi_mesh_compute(const wi_mesh *mesh, wi_spot spot, double out[3])
{
    WI_ASSERT(wi_mesh_is_computed(mesh) && spot < mesh->vertex_count);
    wi_mesh_motion(mesh)->read64(mesh, spot, out);
}

static inline void wi_mesh_compute_point(const wi_mesh *mesh, wi_spot spot, float out[3])
{
    double p[3];
    wi_mesh_compute(mesh, spot, p);
    for (int axis = 0; axis < 3; axis++) out[axis] = wi_plan_round(p[axis]);
}

/* Where a vertex is now, without the pose, rounded once. */
static inline void wi_mesh_model_at(const wi_mesh *mesh, wi_spot spot, float out[3])
{
    if (wi_mesh_is_live(mesh))
        wi_mesh_compute_point(mesh, spot, out);
    else
        memcpy(out, wi_mesh_at(mesh, spot), 3 * sizeof *out);
}

static inline void wi_mesh_model_position(const wi_mesh *mesh, uint32_t vertex, float out[3])
{
    wi_mesh_model_at(mesh, wi_mesh_spot(mesh, vertex), out);
}

/* The same, not rounded. */
static inline void wi_mesh_model64(const wi_mesh *mesh, uint32_t vertex, double out[3])
{
    const wi_spot spot = wi_mesh_spot(mesh, vertex);
    if (wi_mesh_is_live(mesh) || wi_mesh_is_finer(mesh)) {
        wi_mesh_compute(mesh, spot, out);
        return;
    }
    const float *p = wi_mesh_at(mesh, spot);
    for (int axis = 0; axis < 3; axis++) out[axis] = (double)p[axis];
}

/* Queries compute positions: what is stored is old, or rounded before the pose. */
static inline bool wi_mesh_computes(const wi_mesh *mesh)
{
    return wi_mesh_is_live(mesh) || (wi_mesh_pose(mesh) && wi_mesh_is_finer(mesh));
}

/* Two states of one mesh have the same positions in its frame, for the same reason. */
static inline bool wi_mesh_is_still(const wi_mesh *from, const wi_mesh *to)
{
    return from->positions == to->positions && from->borrowed == to->borrowed &&
           from->state.any == to->state.any;
}

/* Queries see what is stored in the mesh. */
static inline bool wi_mesh_is_plain(const wi_mesh *mesh)
{
    return mesh->positions && mesh->stored == WI_STORED_NOW && wi_mesh_pose(mesh) == NULL;
}

static inline void wi_mesh_computed_at(const wi_mesh *mesh, wi_spot spot, float out[4])
{
    const wi_pose *pose = wi_mesh_pose(mesh);
    double p[3];
    if (pose == NULL) {
        wi_mesh_compute_point(mesh, spot, out);
        return;
    }
    wi_mesh_compute(mesh, spot, p);
    wi_pose_apply64(pose, p, out);
}

/* Where queries see what is at a spot, and a vertex (C1). Kernels read leaves with
 * wi_leaf_read_positions, which gives the same bits. */
static inline void wi_mesh_world_at(const wi_mesh *mesh, wi_spot spot, float out[4])
{
    if (wi_mesh_computes(mesh)) {
        wi_mesh_computed_at(mesh, spot, out);
        return;
    }
    const float *p = wi_mesh_at(mesh, spot);
    const wi_pose *pose = wi_mesh_pose(mesh);
    if (pose)
        wi_pose_apply(pose, p, out);
    else
        memcpy(out, p, 3 * sizeof *p);
}

static inline void wi_mesh_world_position(const wi_mesh *mesh, uint32_t vertex, float out[4])
{
    wi_mesh_world_at(mesh, wi_mesh_spot(mesh, vertex), out);
}

/* The triangle in a slot, where queries see it. */
static inline wi_tri wi_mesh_tri(const wi_mesh *mesh, uint32_t slot)
{
    wi_tri tri;
    for (int i = 0; i < 3; i++) {
        float p[4];
        wi_mesh_world_position(mesh, mesh->tris[slot][i], p);
        memcpy(tri.corner[i], p, sizeof tri.corner[i]);
    }
    return tri;
}

/* Whether a vertex is there: the numbers of removed ones are holes. */
static inline bool wi_mesh_has_vertex(const wi_mesh *mesh, uint32_t vertex)
{
    WI_ASSERT(vertex < mesh->vertex_count);
    return mesh->stand_in == NULL || mesh->stand_in[vertex] != WI_NO_VERTEX;
}

/* The same for a triangle. */
static inline bool wi_mesh_has_tri(const wi_mesh *mesh, uint32_t slot)
{
    WI_ASSERT(slot < mesh->tri_count);
    return mesh->tris[slot][0] != WI_NO_VERTEX;
}

/* The vertex that gives the position of any that is there, merged ones included; triangles name no
 * others. */
static inline uint32_t wi_mesh_stand_in(const wi_mesh *mesh, uint32_t vertex)
{
    WI_ASSERT(wi_mesh_has_vertex(mesh, vertex));
    return mesh->stand_in ? mesh->stand_in[vertex] : vertex;
}

static inline bool wi_mesh_collides(const wi_mesh *mesh, uint32_t slot)
{
    return mesh->groups == NULL || mesh->groups[slot] != 0;
}

/* Whether two triangles that collide are tested against each other, as they are in one body. */
static inline bool wi_mesh_groups_meet(const wi_mesh *mesh, uint32_t slot_a, uint32_t slot_b)
{
    const uint64_t *rows = mesh->masks.rows;
    return rows == NULL || (rows[mesh->groups[slot_a]] >> mesh->groups[slot_b] & 1) != 0;
}

/* Whether two triangles are at the same crack: they have the same label, other than 0. */
static inline bool wi_mesh_share_crack(const wi_mesh *a, uint32_t slot_a, const wi_mesh *b,
                                       uint32_t slot_b)
{
    WI_ASSERT(slot_a < a->tri_count && slot_b < b->tri_count);
    return a->labels && b->labels && a->labels[slot_a] != 0 &&
           a->labels[slot_a] == b->labels[slot_b];
}

/* Neither merged nor removed. */
static inline bool wi_mesh_stands_for_itself(const wi_mesh *mesh, uint32_t vertex)
{
    return mesh->stand_in == NULL || mesh->stand_in[vertex] == vertex;
}

#endif
