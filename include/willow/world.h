/* world.h - worlds, bodies, and the one call that makes changes visible.
 *
 * Contracts are cited by number (C1 to C11) and written out in docs/contracts.md.
 *
 * The order of work: create bodies; then, in each step, set what moved, call willow_world_update
 * once, and query (query.h). A query on a world that was changed and not updated returns
 * WILLOW_STALE (C5). Setters that fail leave the world as it was (C6) and say why in
 * willow_world_message.
 *
 * Between a setter and the update the vertices of a body are where the last setter left them, with
 * every method: at positions that were set, where weights or functions have them, or where a plan
 * has them at the time of the last update that succeeded (0 before the first). Setters that start
 * from the present positions begin there, and willow_body_copy_vertices returns them.
 *
 * In all defs and options 0, NULL and false stand for the default, which is given beside each
 * field; so they do for the numbers of prim.h. There are two exceptions: counts of arrays mean what
 * they say, and category_bits and mask_bits are sets, of which 0 is the empty one.
 *
 * Threads: no other call may use the world during a call of this header; only queries may run at
 * the same time (C9). */
#ifndef WILLOW_WORLD_H
#define WILLOW_WORLD_H

#include "broad.h"
#include "tree.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct willow_world willow_world;

/* More threads than machines have: a larger thread_count is a mistake (-1, say). It is refused
 * before memory is allocated, since every thread costs a stack, and some 10 kilobytes in each
 * scratch. */
#define WILLOW_MAX_THREADS 1024

typedef struct willow_world_def {
    size_t struct_size;
    willow_allocator allocator; /* functions NULL: malloc and free */
    willow_tasks tasks;         /* parallel_for NULL: a pool of thread_count workers is made */

    /* Workers of that pool, the caller included: up to WILLOW_MAX_THREADS. 1, or 0 for that, makes
     * no threads. */
    uint32_t thread_count;

    willow_kernel kernel; /* UNSUPPORTED if this machine or build does not have it */
    willow_broad broad;
    willow_log log; /* write NULL: none */
} willow_world_def;

WILLOW_API willow_world_def willow_world_def_default(void);

/* Makes an empty world. The caller owns it. Fails with OUT_OF_MEMORY (or no more threads),
 * BAD_ARGUMENT, UNSUPPORTED (a kernel that is not here), in words to the log of the def; *out is
 * then NULL. */
WILLOW_API willow_result willow_world_create(const willow_world_def *def, willow_world **out);

/* Frees the world and its bodies; NULL is fine. All scratches made for it must be gone. */
WILLOW_API void willow_world_destroy(willow_world *world);

/* Why the last call on this world failed, in words ("triangle 17 names vertex 912; the mesh has
 * 900"); "" if it succeeded, or there was none. Only calls that return a willow_result and may
 * change the world set it, so not those that take the world as const. Valid until the next such
 * call. Failures of queries are in willow_scratch_message, since queries may run at the same
 * time. */
WILLOW_API const char *willow_world_message(const willow_world *world);

/* The kernel in use, never AUTO. */
WILLOW_API willow_kernel willow_world_kernel(const willow_world *world);

typedef struct willow_update_report {
    size_t bodies_moved;   /* bodies of which only the pose changed: their hierarchies stay as
                              they are */
    size_t bodies_updated; /* bodies whose hierarchy was brought up to date (refitted) */
    size_t bodies_built;   /* of these: rebuilt */
    size_t bodies_left; /* of which nothing was computed, since they promised to stay inside boxes
                           that meet nothing: willow_body_set_loose_box */
    size_t subtrees_built; /* parts of hierarchies that were rebuilt, where only these had
                              decayed */
    size_t nodes_updated;  /* nodes whose boxes were computed, here or in set_vertices */

    /* Positions on paths, of morphs or of skins that were computed by the update, not by
     * queries. */
    size_t vertices_evaluated;

    /* Of bodies with flight plans. */
    size_t events;               /* kinetic: failed certificates, that is vertices that overtook */
    size_t values_updated;       /* kinetic: sides of boxes that got another extremal vertex,
                                    or, without events, that were computed for a span of time */
    size_t queue_operations;     /* kinetic: events that were entered, moved or taken out */
    size_t certificates_checked; /* kinetic: certificates that were made or checked again */
    size_t plan_changes;         /* vertices whose path was changed since the last update */
    size_t setups; /* kinetic: hierarchies that were set up as a whole, since time went back,
                      many paths were changed, or the plan or the tree is new */
} willow_update_report;

/* Makes all changes visible, as of `time` (finite). `report` may be NULL. Fails only with
 * OUT_OF_MEMORY (and BAD_ARGUMENT for a time that is not finite); the world is then valid and still
 * STALE, and calling it again resumes. */
WILLOW_API willow_result willow_world_update(willow_world *world, double time,
                                             willow_update_report *report);

/* A triangle mesh in the caller's memory. Soups, open, non-manifold, degenerate and empty meshes
 * are valid; an index out of range, NaN or infinity is BAD_MESH, and so are more than 2^32 / 3
 * triangles. A count without its array, an array that is not aligned, and an invalid stride or
 * index type are BAD_ARGUMENT, here as in all setters. */
typedef struct willow_mesh_def {
    const void *positions; /* x, y, z as float32 */
    size_t stride;         /* bytes from one vertex to the next; 0 means 12 */
    uint32_t vertex_count;
    const void *indices; /* three per triangle */
    willow_index_type index_type;
    uint32_t triangle_count;
    const uint16_t *triangle_groups; /* one per triangle or NULL; group 0 collides with nothing */

    /* Which groups are tested against each other within the body, such as the layers of a garment.
     * Bit k of row g says whether triangles of group g are tested against those of group k; bit g
     * says whether they are tested against others of group g. NULL: all are, and group_count is 0.
     * A matrix has up to 64 rows (else BAD_ARGUMENT), one for the group of every triangle, and is
     * symmetric (else BAD_MESH). Row 0, bit 0 and bits from group_count on have no meaning. Other
     * bodies are tested against all groups except 0. */
    const uint64_t *group_masks;
    uint32_t group_count;

    /* Do not copy positions: read the caller's array, which must stay until the body is gone and
     * may be written only between willow_body_begin_vertices and the next update. What is written
     * later is tested for NaN and infinity in checked builds only (C7). */
    bool borrow;

    /* Merge vertices whose positions are equal now, so that the seams of a file do not collide
     * with themselves: the first of them gives the position from then on. */
    bool weld_exact;
} willow_mesh_def;

typedef struct willow_body_def {
    size_t struct_size;
    willow_mesh_def mesh;

    /* A body whose geometry this one uses (an instance); `mesh`, `tree` and `keep_rest` are then
     * ignored: see "shared geometry" below. Null: none. */
    willow_body_id share;

    willow_pose pose; /* where the mesh stands; the identity by default */
    willow_tree_def tree;
    uint64_t category_bits; /* what this body is */
    uint64_t mask_bits;     /* what it collides with; each body's mask must have a category of
                               the other */
    bool self;              /* willow_find_pairs also reports pairs within this body */
    bool keep_rest; /* keep the positions of `mesh` as the rest shape: see skip_close_at_rest */

    /* The thickness of a layer around its triangles, for near and impact queries: two bodies touch
     * if they are closer than the sum of both, and a body touches itself at twice its own. Finite,
     * not negative. */
    float thickness;

    uint64_t user_data; /* for the program: returned in infos and in the runs of results */
} willow_body_def;

WILLOW_API willow_body_def willow_body_def_default(void);

/* Adds a body. Everything is copied (except a borrowed array). Fails with BAD_MESH, BAD_ARGUMENT or
 * OUT_OF_MEMORY, and for a body to share with BAD_HANDLE, or with UNSUPPORTED if its vertices are
 * not simply set (it borrows them, follows plans, morphs, has a skin or a deformation) or some of
 * its numbers are holes (willow/edit.h); *out is then null.
 *
 * Shared geometry: bodies that were created with `share` have one copy of vertices, triangles and
 * hierarchy. A body gets its own copy (copy on write) when it is edited, or gets vertices, a plan,
 * a morph, a skin, a deformation, another tree, groups, or a `self` that it did not have; the
 * others are not affected. Poses, targets, categories, masks, thickness and user data belong to
 * each body. The body that was named may be destroyed at any time. Answers, hashes and failures are
 * those of copies. */
WILLOW_API willow_result willow_body_create(willow_world *world, const willow_body_def *def,
                                            willow_body_id *out);

/* Removes a body and frees its memory; its id is never valid again. BAD_HANDLE. */
WILLOW_API willow_result willow_body_destroy(willow_world *world, willow_body_id body);

/* False for null, for destroyed bodies and for bodies of other worlds. */
WILLOW_API bool willow_body_is_alive(const willow_world *world, willow_body_id body);

/* Gives the body another hierarchy, from the next update on. BAD_HANDLE or BAD_ARGUMENT. */
WILLOW_API willow_result willow_body_set_tree(willow_world *world, willow_body_id body,
                                              const willow_tree_def *tree);

/* Moves the body. Its hierarchy stays as it is, in the frame of its mesh, so a rigid body costs
 * nothing more than this call; a body may deform and move. BAD_HANDLE, or BAD_ARGUMENT for a pose
 * that is not finite or whose rotation is zero. */
WILLOW_API willow_result willow_body_set_pose(willow_world *world, willow_body_id body,
                                              const willow_pose *pose);

/* Change what the def set. Each call makes the world STALE until the next update, as all setters do
 * (C5). Hierarchies and trial steps stay as they are, with one exception: the hierarchy of a body
 * that gets `self` for the first time is rebuilt in that update, with the lists for pairs within
 * the body. BAD_HANDLE, or BAD_ARGUMENT for a thickness that is negative or not finite. */
WILLOW_API willow_result willow_body_set_thickness(willow_world *world, willow_body_id body,
                                                   float thickness);
WILLOW_API willow_result willow_body_set_self(willow_world *world, willow_body_id body, bool self);
WILLOW_API willow_result willow_body_set_category_bits(willow_world *world, willow_body_id body,
                                                       uint64_t category_bits);
WILLOW_API willow_result willow_body_set_mask_bits(willow_world *world, willow_body_id body,
                                                   uint64_t mask_bits);

/* Promises that the body stays inside a box in world space, from the next update until the next
 * such call, also at the end of a trial step. The box includes the pose: a body that moves out of
 * it needs another box. NULL ends the promise. While the box meets the box of no other body that
 * this body may collide with, an update computes nothing for a body whose vertices follow a plan, a
 * morph, a skin or a deformation, or are borrowed, whatever its method; bodies that are watched or
 * have a trial step are always computed. Rays and other queries that reach the body compute what
 * they need. Answers are the same as without the promise; infos have the box as that of the body.
 * If the promise is broken, answers may be wrong, but memory is safe; checked builds abort.
 * BAD_HANDLE, BAD_ARGUMENT for an invalid box, or OUT_OF_MEMORY. */
WILLOW_API willow_result willow_body_set_loose_box(willow_world *world, willow_body_id body,
                                                   const willow_box *box);

/* Changes user_data, on which no answer depends: it is in the results of all queries from now on,
 * and no update is needed. BAD_HANDLE. */
WILLOW_API willow_result willow_body_set_user_data(willow_world *world, willow_body_id body,
                                                   uint64_t user_data);

/* Gives the body another matrix of groups, or none with NULL and 0, for queries after the next
 * update; its hierarchy stays as it is. It is copied. BAD_HANDLE, BAD_ARGUMENT or BAD_MESH as in
 * willow_mesh_def.group_masks, or OUT_OF_MEMORY. */
WILLOW_API willow_result willow_body_set_group_masks(willow_world *world, willow_body_id body,
                                                     const uint64_t *masks, uint32_t count);

/* Moves vertices [first, first + count) to new positions. NaN or infinity is BAD_MESH and moves
 * none. If the call sets all vertices, they are read once, in the order of the hierarchy, and
 * bounded in the same pass; a small range costs only what it touches (docs/methods.md). Vertices
 * that no triangle uses are stored, too. OUT_OF_MEMORY is possible for a range, and moves none. */
WILLOW_API willow_result willow_body_set_vertices(willow_world *world, willow_body_id body,
                                                  uint32_t first, uint32_t count,
                                                  const void *positions, size_t stride);

/* Announces that the borrowed array will be written. The world is STALE until the next update, and
 * writing must end before it. BAD_ARGUMENT for a body that does not borrow. */
WILLOW_API willow_result willow_body_begin_vertices(willow_world *world, willow_body_id body);

/* ---- flight plans ----
 *
 * A vertex with a flight plan is where its path is at the time of the last update:
 * willow_world_update moves it, and no positions are set. Paths are computed in double and rounded
 * to float32 once, at the end, after the pose. A new path begins where the old one is at the time
 * of the last update, not rounded, so that paths have no gaps; before any plan vertices stand
 * still. Plans may be changed at any time, for any vertices. Setting positions ends them:
 * if all vertices are set, the plans of all end; else the vertices that are set stand still from
 * then on.
 * Final coordinates beyond the range of float32 stay at its border; coordinates before the pose
 * have no such limit. Merged vertices follow the one that stands for them.
 *
 * All of these fail with BAD_HANDLE, with BAD_ARGUMENT for vertices that do not exist and for a
 * body that borrows its vertices, with BAD_MESH for NaN and infinity, and with OUT_OF_MEMORY;
 * nothing has changed then (C6). Data is copied. */

/* From now on vertices [first, first + count) move straight with these velocities, three float32
 * each, per unit of time. */
WILLOW_API willow_result willow_body_set_velocities(willow_world *world, willow_body_id body,
                                                    uint32_t first, uint32_t count,
                                                    const void *velocities, size_t stride);

/* From now on they have these accelerations: their paths are parabolas that begin with the present
 * velocities, rounded to float32. */
WILLOW_API willow_result willow_body_set_accelerations(willow_world *world, willow_body_id body,
                                                       uint32_t first, uint32_t count,
                                                       const void *accelerations, size_t stride);

typedef struct willow_vertex_plan {
    willow_vec3 velocity, acceleration;
} willow_vertex_plan;

/* From now on one vertex has this velocity and this acceleration. */
WILLOW_API willow_result willow_body_set_vertex_plan(willow_world *world, willow_body_id body,
                                                     uint32_t vertex,
                                                     const willow_vertex_plan *plan);

/* Keyframes in the caller's memory. */
typedef struct willow_flightplan {
    size_t struct_size;
    const void *positions;   /* of the first keyframe: x, y, z of all vertices as float32 */
    size_t stride;           /* bytes from one vertex to the next; 0 means 12 */
    size_t keyframe_stride;  /* bytes from one keyframe to the next; 0 means no gap */
    const double *times;     /* of the keyframes, ascending, no two the same */
    uint32_t keyframe_count; /* 1 or more */
} willow_flightplan;

WILLOW_API willow_flightplan willow_flightplan_default(void);

/* From now on all vertices follow keyframes, on straight lines between two of them: at a share s of
 * the time from keyframe a to keyframe b a vertex is at a + s * (b - a). Before the first one and
 * after the last one they stand still there. If the first one does not continue the old paths,
 * vertices jump. Also BAD_ARGUMENT for times that do not ascend, or whose differences overflow a
 * double.
 */
WILLOW_API willow_result willow_body_set_flightplan(willow_world *world, willow_body_id body,
                                                    const willow_flightplan *plan);

/* ---- morphs ----
 *
 * The vertices of a morphing body are weighted sums of targets: blend shapes, morph targets,
 * blended keyframes. Instead of positions, weights are set, and the next update makes them visible.
 * Weights may be negative or above one, and need not sum to one.
 *
 * A vertex is at the sum of weight times target over all targets, in order, for absolute ones; for
 * offsets at the base and the sum of weight times offset over all targets. Products and sums are in
 * double, and rounded to float32 once, at the end, after the pose. Targets of weight 0 add nothing
 * and cost nothing. Coordinates that leave the range of float32 in the end, after the pose, stay at
 * its border. Merged vertices follow the one that stands for them.
 *
 * Setting positions or flight plans ends the morph; vertices that were not set then stay where they
 * are. A skin does not end it: it moves the vertices that the morph gives. */

typedef enum willow_morph_kind {
    WILLOW_MORPH_OFFSETS, /* targets are added to a base, as glTF has them */
    WILLOW_MORPH_ABSOLUTE /* targets are positions */
} willow_morph_kind;

/* A target in the caller's memory. */
typedef struct willow_morph_target {
    const void *values;       /* x, y, z as float32: positions or offsets */
    size_t stride;            /* bytes from one value to the next; 0 means 12 */
    const uint32_t *vertices; /* offsets: which vertices they are of, each once, in any order; all
                                 others stay. NULL: of all vertices, in order */
    uint32_t vertex_count;    /* of `vertices` */
} willow_morph_target;

typedef struct willow_morph {
    size_t struct_size;
    willow_morph_kind kind;
    const willow_morph_target *targets;
    uint32_t target_count; /* of absolute ones at least one */
    const void *base;   /* of offsets: x, y, z of all vertices as float32. NULL: where the vertices
                           are, as last set, without the pose */
    size_t base_stride; /* bytes from one vertex to the next; 0 means 12 */
    const float *weights; /* to begin with, one for each target. NULL: all 0, but for absolute
                             targets 1 for the first */
} willow_morph;

WILLOW_API willow_morph willow_morph_default(void);

/* The body morphs from now on. Everything is copied; offsets that are zero for most vertices are
 * stored only for the others, even if they were given for all. Not for a body that borrows its
 * vertices. BAD_HANDLE, BAD_ARGUMENT, BAD_MESH for NaN, infinity and vertices that do not exist or
 * are named twice, or OUT_OF_MEMORY; nothing has changed then (C6). */
WILLOW_API willow_result willow_body_set_morph_targets(willow_world *world, willow_body_id body,
                                                       const willow_morph *morph);

/* Sets the weights of all targets. They are copied. BAD_HANDLE, or BAD_ARGUMENT for another number
 * of weights, NaN, infinity, and a body that does not morph; nothing has changed then. */
WILLOW_API willow_result willow_body_set_morph_weights(willow_world *world, willow_body_id body,
                                                       const float *weights, uint32_t count);

/* ---- skins ----
 *
 * The vertices of a skinned body follow joints (bones): linear blend skinning, after the morph and
 * before the pose. Instead of positions, matrices of joints are set, and the next update makes them
 * visible. Matrices may be any affine ones, with scale and shear. They are in double, to keep
 * products along a chain of joints precise; floats convert without loss.
 *
 * A vertex at p without the skin is at the sum of w * (J * B * p) over its weights, in the order in
 * which they were given: J is the matrix of the joint, B its inverse bind matrix, and w the weight
 * over the sum of all weights of the vertex. J * B is computed once, when joints are set; products
 * and sums are in double, and rounded to float32 once, at the end, after the pose. Weights of 0 add
 * nothing and cost nothing. Coordinates that leave the range of float32 in the end stay at its
 * border. Merged vertices follow the one that stands for them.
 *
 * A skin moves what the body has when the skin is set: its positions as last set, or its morph,
 * whose weights may still change. A second skin replaces the first and moves the same vertices.
 * Setting positions, flight plans, a deformation or the targets of a morph ends the skin; vertices
 * that were not set then stay where they are. So set targets first, and then the skin. */

/* x' = row[0][0] x + row[0][1] y + row[0][2] z + row[0][3], and so on. */
typedef struct willow_affine {
    double row[3][4];
} willow_affine;

typedef struct willow_skin {
    size_t struct_size;
    uint32_t joint_count;
    const willow_affine *inverse_bind; /* by joint: from the frame of the body to that of the joint
                                          where it was bound. NULL: identities */
    const willow_affine *matrices;     /* by joint: where joints are now, from the frame of the
                                          joint to that of the body */

    /* Vertex i has weights_per_vertex weights, and as many joints, from i * stride bytes on; a
     * stride of 0 means packed. If `first` is not NULL, vertex i has those from first[i] to first[i
     * + 1] instead, and weights_per_vertex and strides are ignored; `first` has one number more
     * than there are vertices. Weights are not negative, and at least one of each vertex is above
     * 0. */
    const uint32_t *joints;
    const float *weights;
    uint32_t weights_per_vertex;
    size_t joint_stride, weight_stride;
    const uint32_t *first;
} willow_skin;

WILLOW_API willow_skin willow_skin_default(void);

/* The body has this skin from now on; everything is copied. NULL removes the skin: vertices are
 * where they would be without it, and a morph continues. Not for a body that borrows its vertices,
 * follows flight plans or has a deformation: set its vertices first. BAD_HANDLE, BAD_ARGUMENT, also
 * for matrices with numbers that are not finite or beyond float32, BAD_MESH for weights that are
 * negative, not finite or all 0 and for joints that do not exist, or OUT_OF_MEMORY; nothing has
 * changed then (C6). */
WILLOW_API willow_result willow_body_set_skin(willow_world *world, willow_body_id body,
                                              const willow_skin *skin);

/* Sets the matrices of all joints, which are copied. BAD_HANDLE, or BAD_ARGUMENT for another number
 * of joints, numbers that are not finite or beyond float32, and a body without a skin; nothing has
 * changed then. Needs no memory. */
WILLOW_API willow_result willow_body_set_joints(willow_world *world, willow_body_id body,
                                                const willow_affine *matrices, uint32_t count);

/* ---- deformations of your own ----
 *
 * A motion that Willow does not know (a reduced deformable model, a procedure, anything in which
 * few numbers move many vertices) is given as two functions: the position of a vertex, and a box
 * that contains a part of the body. With BLEND, and with AUTO while that pays, they are called when
 * they are needed: an update calls for the boxes of the root's children; a query calls for the
 * boxes below nodes that it is the first to open, and for the vertices of leaves that it is the
 * first to reach, once per step. AUTO sometimes checks a few more. All other methods call for all
 * vertices in the update, and for no box.
 *
 * The promise. Between two updates both functions return the same values whenever they are called;
 * positions are finite; and a box contains every vertex of its part, as `position` returns it now,
 * to the last bit. Answers are then the same with all methods. If the promise is broken, answers
 * may be wrong, but memory is safe: coordinates that are not finite are taken as 0, and an invalid
 * box (NaN, or lower above upper) as all of space.
 * willow_body_check_deformation checks the promise.
 *
 * Threads. Both functions may be called from several threads at once, in updates and in queries,
 * and in any call that reads positions or nodes. They must not call Willow, wait, or leave by
 * longjmp or an exception.
 *
 * The rest shape is where vertices are, as last set and without the pose, when a body gets its
 * first deformation; the tree for BLEND is built in it. The pose comes after the deformation. */

/* A part of a body: what is below a node of its hierarchy. */
typedef struct willow_part {
    uint32_t number;          /* as in willow_body_visit_nodes; never the root */
    willow_box rest;          /* of its vertices in the rest shape */
    const uint32_t *vertices; /* their numbers, some more than once; valid during the call */
    uint32_t vertex_count;
} willow_part;

typedef struct willow_deformation {
    size_t struct_size;
    void *context; /* handed to both; must stay as long as the deformation does */

    /* The position of a vertex now, before the pose; `rest` is its position in the rest shape. It
     * is not called for merged vertices: they follow the one that stands for them. */
    willow_vec3 (*position)(void *context, uint32_t vertex, willow_vec3 rest);

    /* A box that contains all vertices of the part now. NULL: BLEND computes all vertices, too. */
    willow_box (*bound)(void *context, const willow_part *part);
} willow_deformation;

WILLOW_API willow_deformation willow_deformation_default(void);

/* The body deforms in this way from the next update on. The functions and the context are used in
 * place, not copied. The rest shape takes 16 bytes per vertex and, with bounds, 32 per node and
 * leaf and 16 per vertex of a leaf. A body that already has a deformation keeps its rest shape.
 * NULL ends the deformation: vertices stay where they are, and the functions are not called again.
 * Setting positions, plans or morphs ends it, too. Not for a body that borrows its vertices.
 * BAD_HANDLE, BAD_ARGUMENT, or OUT_OF_MEMORY; nothing has changed then (C6). */
WILLOW_API willow_result willow_body_set_deformation(willow_world *world, willow_body_id body,
                                                     const willow_deformation *deformation);

/* Announces that the functions will return other values: the data that they read may be changed
 * from now on until the next update, which makes the change visible, and at no other time.
 * BAD_HANDLE, or BAD_ARGUMENT for a body without a deformation. */
WILLOW_API willow_result willow_body_touch_deformation(willow_world *world, willow_body_id body);

typedef enum willow_deformation_fault {
    WILLOW_DEFORMATION_KEPT,       /* none */
    WILLOW_DEFORMATION_NOT_FINITE, /* a position has NaN or infinity */
    WILLOW_DEFORMATION_CHANGES,    /* a position differs from the one before, or from that in the
                                      update */
    WILLOW_DEFORMATION_NOT_A_BOX,  /* a box has NaN, or lower above upper */
    WILLOW_DEFORMATION_NOT_INSIDE  /* a vertex of a part is outside of its box */
} willow_deformation_fault;

typedef struct willow_deformation_report {
    willow_deformation_fault fault; /* the first that was found, of vertices before boxes */
    uint32_t vertex;                /* that it is about; UINT32_MAX: none */
    uint32_t node;                  /* the number of the part; UINT32_MAX: none */
    willow_vec3 position;           /* of the vertex */
    willow_box box;                 /* of the part */
    uint32_t vertices_checked;
    uint32_t parts_checked; /* 0 where the method of the body asks for no boxes */
    bool is_target;         /* it is about the end of the trial step */
} willow_deformation_report;

/* Checks whether the deformation keeps its promise now, and then at the end of its trial step, if
 * it has one. Calls for every vertex, twice, and for every box that a query could need, and
 * compares each box with all vertices of its part. Meant for tests: it takes time proportional to
 * vertices times the height of the hierarchy, and no memory. OK also if a fault was found.
 * BAD_HANDLE, BAD_ARGUMENT for a body without a deformation, or STALE while it waits for an update.
 * May run at the same time as queries.
 */
WILLOW_API willow_result willow_body_check_deformation(const willow_world *world,
                                                       willow_body_id body,
                                                       willow_deformation_report *out);

/* Gives the body a trial step, for impacts: vertices [first, first + count) move from where they
 * are (time 0) to these positions (time 1), on straight lines, and all others stay. Nothing is
 * committed: other queries ignore it. Several calls add up; the next willow_body_set_vertices,
 * willow_body_begin_vertices or willow_body_set_pose ends the trial step. Fails as
 * willow_body_set_vertices does, and leaves the trial as it was. A body that borrows its vertices
 * may have one. */
WILLOW_API willow_result willow_body_set_target(willow_world *world, willow_body_id body,
                                                uint32_t first, uint32_t count,
                                                const void *positions, size_t stride);

/* The same for the pose: the body turns about one axis, by less than half a turn, while the origin
 * of its mesh moves on a straight line. At time t the rotation is (1 - t) q0 + t q1, normalised,
 * the shorter way round, and all vertices follow. If only the pose of a body changes, it does not
 * move against itself. BAD_HANDLE, or BAD_ARGUMENT as in willow_body_set_pose. */
WILLOW_API willow_result willow_body_set_target_pose(willow_world *world, willow_body_id body,
                                                     const willow_pose *pose);

/* The same for the weights of a morph: every vertex moves on a straight line from its position with
 * the present weights to that with these weights, under the pose, which may have a target, too. It
 * replaces a target of vertices, and is replaced by one. The weights are copied. BAD_HANDLE,
 * BAD_ARGUMENT as in willow_body_set_morph_weights, or OUT_OF_MEMORY; the trial is then as it
 * was. */
WILLOW_API willow_result willow_body_set_target_weights(willow_world *world, willow_body_id body,
                                                        const float *weights, uint32_t count);

/* The same for the joints of a skin: every vertex moves on a straight line from its position with
 * the present joints to that with these joints, under the pose, which may have a target, too. A
 * target of weights may be set as well, before or after; both then describe the end of the step. It
 * replaces a target of vertices, and is replaced by one. The matrices are copied. BAD_HANDLE,
 * BAD_ARGUMENT as in willow_body_set_joints, or OUT_OF_MEMORY; the trial is then as it was. */
WILLOW_API willow_result willow_body_set_target_joints(willow_world *world, willow_body_id body,
                                                       const willow_affine *matrices,
                                                       uint32_t count);

/* The same for a deformation of your own: every vertex moves on a straight line from its position
 * with the context of the deformation to that with this context, under the pose, which may have a
 * target, too. It replaces a target of vertices, and is replaced by one. When a query opens a node,
 * boxes are computed at both ends of the step; together they contain the straight lines between.
 * The promise of the deformation must hold with this context, too. The context is used in place,
 * not copied, and may be changed after the next call that ends the trial step. BAD_HANDLE, or
 * BAD_ARGUMENT for a body without a deformation; the trial is then as it was. Needs no memory; the
 * update takes what a target of vertices takes. */
WILLOW_API willow_result willow_body_set_target_deformation(willow_world *world,
                                                            willow_body_id body, void *context);

/* Gives all bodies with flight plans a trial step, from the time of each update until `time`:
 * along their paths, bends and corners included. Times of impact are shares of the step: 1 is
 * `time`. The pose stays. A body with a trial step of its own, of vertices or of its pose, makes
 * that one instead. An update that reaches `time` ends these steps, and a time that is not after
 * the next update means none. The world is stale until then. BAD_ARGUMENT for a time that is not
 * finite. */
WILLOW_API willow_result willow_world_set_target_time(willow_world *world, double time);

typedef struct willow_body_info {
    uint32_t vertex_count;   /* of numbers, removed ones included: willow/edit.h */
    uint32_t triangle_count; /* the same */
    uint32_t removed_vertex_count, removed_triangle_count;

    /* Changes when nodes and leaves get other numbers, because the hierarchy was built, whole or in
     * parts; as of the last update. 0: there is no hierarchy. */
    uint64_t structure;

    uint64_t user_data;
    uint64_t category_bits, mask_bits;
    uint32_t group_count; /* rows of the matrix last set; 0: none */
    willow_tree_def tree; /* as last set; AUTO and 0 are replaced by what they stand for, except
                             in the method and hybrid_level */
    willow_pose pose;     /* as last set */

    /* Contains its colliding triangles as of the last update. Tight unless the body is posed, or
     * some of its vertices were set since all were (TOP_DOWN, HYBRID, AUTO, or a margin). */
    willow_box box;

    float thickness;
    bool self;
    bool borrows;
    bool has_target;    /* a trial step was set */
    bool has_loose_box; /* a promise was made */
    bool is_left;       /* and nothing of it was computed in the last update */
    bool has_plan;      /* vertices follow paths */
    bool has_morph;     /* vertices are sums of targets */
    uint32_t morph_target_count;
    bool has_deformation; /* vertices are where functions of the user say */
    bool has_skin;        /* vertices follow joints */
    uint32_t joint_count;
} willow_body_info;

WILLOW_API willow_result willow_body_get_info(const willow_world *world, willow_body_id body,
                                              willow_body_info *out);

/* Copies the positions of vertices [first, first + count) out, as last set and under the pose last
 * set: what queries see after the next update, if that is at the time of the last one; vertices
 * with a flight plan are where it has them at that time. Removed vertices have 0. BAD_HANDLE, or
 * BAD_ARGUMENT for vertices that do not exist. */
WILLOW_API willow_result willow_body_copy_vertices(const willow_world *world, willow_body_id body,
                                                   uint32_t first, uint32_t count,
                                                   willow_vec3 *out);

/* Copies the corners of `count` triangles out, three for each: of those named in `tris`, or of the
 * first `count` ones if it is NULL, of which removed ones have 0. Positions as in
 * willow_body_copy_vertices; triangles of group 0 are copied, too. BAD_HANDLE, or BAD_ARGUMENT for
 * triangles that do not exist or were removed. */
WILLOW_API willow_result willow_body_copy_triangles(const willow_world *world, willow_body_id body,
                                                    const willow_tri *tris, uint32_t count,
                                                    willow_vec3 *out);

/* Copies the numbers of the vertices at [first, first + count) of the order in which the hierarchy
 * meets them; all of them are a permutation. A mesh whose vertices are renumbered by it, with the
 * same positions and its triangles in the same slots, gets the same hierarchy and has its vertices
 * in this order, so that a borrowed array is read as a stream. Vertices that no colliding triangle
 * uses come last, and behind them those that welding merged or that were removed. For a body
 * without a tree (BRUTE, or nothing collides) it is 0, 1, 2 and so on. The order holds until the
 * hierarchy is built again, whole or in parts, which an update may do by itself: set
 * `rebuild_ratio` to infinity where the order must stay. BAD_HANDLE, BAD_ARGUMENT for vertices that
 * are not there, or STALE while the hierarchy waits for an update. May run beside queries. */
WILLOW_API willow_result willow_body_copy_order(const willow_world *world, willow_body_id body,
                                                uint32_t first, uint32_t count, uint32_t *out);

/* The number of bodies; their ids, in order, into the first `capacity` places of `out`. */
WILLOW_API size_t willow_world_copy_bodies(const willow_world *world, willow_body_id *out,
                                           size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
