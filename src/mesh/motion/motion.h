/* motion.h - where the positions of a mesh come from: a table of functions for each source.
 *
 * A mesh has one source. Positions in its frame come from there, and a pose may take them to the
 * world (wi_mesh_pose). What a source knows is its state, allocated only for meshes that have it.
 * Who reads positions asks the table, and so do questions about sources (wi_mesh_is_finer and
 * others in mesh/mesh.h). A new source is a line in WI_MOTIONS, a file with its functions and one
 * with its kernels. */
#ifndef WI_MESH_MOTION_MOTION_H
#define WI_MESH_MOTION_MOTION_H

#include <stdbool.h>
#include "base/memory.h"
#include "base/wide.h"
#include "willow/world.h"

/* The sources, and what their tables are called:
 *   STORED    positions are what was stored last
 *   BORROWED  they are read from the user's array, by vertex
 *   PLAN      vertices follow paths: mesh/motion/plan.h
 *   MORPH     vertices are sums of shapes: mesh/motion/morph.h
 *   USER      vertices are where a function of the user says: mesh/motion/user.h
 *   SKIN      vertices follow joints, after one of STORED and MORPH: mesh/motion/skin.h */
#define WI_MOTIONS(X)                                                                              \
    X(STORED, stored)                                                                              \
    X(BORROWED, borrowed)                                                                          \
    X(PLAN, plan)                                                                                  \
    X(MORPH, morph)                                                                                \
    X(USER, user)                                                                                  \
    X(SKIN, skin)

typedef enum wi_motion_kind {
#define ENTRY(name, table) WI_MOTION_##name,
    WI_MOTIONS(ENTRY)
#undef ENTRY
        WI_MOTION_COUNT
} wi_motion_kind;

/* Whether the positions stored in a mesh are those of now. A source that computes positions may
 * leave that to whoever reads a vertex; who needs all of them stores them. */
typedef enum wi_stored {
    WI_STORED_NOW,
    WI_STORED_OLD /* positions are computed: the mesh is live */
} wi_stored;

/* Where the position of a vertex is: its place, or its number in a mesh that borrows. */
typedef uint32_t wi_spot;

struct wi_birth;
struct wi_assembly;
struct wi_mesh;
struct wi_trial;

/* The state of a motion at the end of a step: a copy of that of the mesh in which what the step
 * changes is another. Arrays that it does not change are those of the mesh. */
typedef struct wi_end_state {
    void *block;
    size_t room;
} wi_end_state;

/* Functions that say so are NULL where a source has no state. */
typedef struct wi_motion_ops {
    bool is_computed; /* positions follow from a state, and need not be stored */
    bool is_finer;    /* they are known beyond the bits of a float */
    bool has_paths;   /* they are known for all times: vertices follow the time of the world */
    bool has_shapes;  /* they follow from reference shapes, and from what only calls change */

    /* Where what is at a spot is now, in the frame of the body, not rounded. */
    void (*read64)(const struct wi_mesh *mesh, wi_spot spot, double out[3]);

    /* What says where vertices are, or will be; does not depend on how it is stored. */
    uint64_t (*hash)(uint64_t hash, const struct wi_mesh *mesh);

    /* Of the state: frees it; how many bytes it has; moves what it has at places
     * [first, first + count) to where `moved` says (wi_mesh_permute); NULL or what is broken. */
    void (*free)(wi_memory *memory, struct wi_mesh *mesh);
    size_t (*bytes)(const struct wi_mesh *mesh);
    void (*permute)(struct wi_mesh *mesh, uint32_t first, uint32_t count, const uint32_t *moved,
                    void *scratch);
    const char *(*validate)(const struct wi_mesh *mesh);

    /* After all vertices got other places: puts what the state has by vertex in their order, so
     * that reading it is a stream. Where there is no memory it stays as it is. NULL: all of it is
     * by place. */
    void (*settle)(wi_memory *memory, struct wi_mesh *mesh);

    /* Of the state, for edits. Why it cannot have a new vertex, in words, or NULL; the function is
     * NULL where it can have any. Makes room for vertices [0, count), of which `added` will be new,
     * without changing anything; false if there is no memory. Then, with as many vertices in the
     * mesh, what it has of a new one. And that a vertex is removed, NULL where nothing has to be
     * done. */
    const char *(*refuse)(const struct wi_mesh *mesh, const struct wi_birth *birth);
    bool (*grow)(wi_memory *memory, struct wi_mesh *mesh, uint32_t count, uint32_t added);
    void (*add)(struct wi_mesh *mesh, const struct wi_birth *birth);
    void (*remove)(struct wi_mesh *mesh, uint32_t vertex);

    /* Of the state, for splits and merges. Why two meshes with it cannot become one, in words, or
     * NULL; and the state of a mesh that is made of pieces of others (mesh/assemble.h), NULL if
     * there is no memory. */
    const char *(*differ)(const struct wi_mesh *a, const struct wi_mesh *b);
    void *(*assemble)(wi_memory *memory, const struct wi_assembly *assembly);

    /* Of the reference shapes: no others of the body have it. NULL without these. */
    uint64_t (*shape_number)(const struct wi_mesh *mesh);

    /* The bytes of an end state; and the end of a trial step that changes what positions are
     * computed from: `end` is a copy of the mesh, whose state is copied into `block`. */
    size_t (*end_bytes)(const struct wi_mesh *mesh);
    void (*trial_end)(const struct wi_trial *trial, void *block, struct wi_mesh *end);
} wi_motion_ops;

extern const wi_motion_ops *const wi_motions[WI_MOTION_COUNT];

/* ---- kernels ---- */

/* The places of a leaf's vertices: a run, and then those that are listed. A mesh that borrows has
 * vertices instead, all of them listed. */
typedef struct wi_places {
    const uint32_t *listed;
    uint32_t first, run_count, count;
} wi_places;

enum { WI_MAX_PLACES = 96 };

static inline wi_spot wi_places_at(const wi_places *places, uint32_t i)
{
    return i < places->run_count ? places->first + i : places->listed[i - places->run_count];
}

typedef struct wi_motion_kernels {
    /* Stores the positions of now at places [first, last). NULL where nothing is computed. */
    void (*fill_run)(struct wi_mesh *mesh, uint32_t first, uint32_t last);

    /* Positions as queries see them, the bits of wi_mesh_world_at; for readers that found that they
     * are not simply stored: wi_mesh_is_plain. The fourth numbers have no meaning. */
    void (*read_leaf)(const struct wi_mesh *mesh, const wi_places *places, float (*out)[4]);
    void (*gather8)(const struct wi_mesh *mesh, const wi_spot spots[WI_LANES],
                    float out[WI_LANES][4]);
} wi_motion_kernels;

extern const wi_motion_kernels *const wi_motion_kernels_scalar[WI_MOTION_COUNT];
extern const wi_motion_kernels *const wi_motion_kernels_avx2[WI_MOTION_COUNT];

#endif
