/* tree.h - the hierarchy of a body, and how it is kept up to date (refitted) while the body
 * changes. */
#ifndef WILLOW_TREE_H
#define WILLOW_TREE_H

#include "occupancy.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All methods give the same answers (C1); they differ in what an update and a query cost.
 * X(enum, name, what it does) */
#define WILLOW_METHODS(X)                                                                          \
    X(AUTO, "auto",                                                                                \
      "hybrid, bottom_up, top_down, kinetic_aabb, blend, skin or balanced, by what was counted "   \
      "last")                                                                                      \
    X(BRUTE, "brute", "no tree: every triangle is looked at")                                      \
    X(REBUILD, "rebuild", "the tree is built afresh in every update")                              \
    X(BOTTOM_UP, "bottom_up", "all volumes are refitted in every update")                          \
    X(TOP_DOWN, "top_down", "volumes are computed when a query first asks for them")               \
    X(HYBRID, "hybrid", "the upper volumes are refitted, the lower ones computed when asked for")  \
    X(KINETIC_AABB, "kinetic_aabb",                                                                \
      "with flight plans: volumes are found once for some time, or when vertices overtake each "   \
      "other")                                                                                     \
    X(KINETIC_BOXTREE, "kinetic_boxtree",                                                          \
      "with flight plans: one end per volume changes when vertices overtake each other")           \
    X(BLEND, "blend",                                                                              \
      "with morphs: volumes are blended when asked for, and vertices of leaves reached")           \
    X(SKIN, "skin",                                                                                \
      "with skins: volumes are moved by joints when asked for, and vertices of leaves reached")    \
    X(BALANCED, "balanced",                                                                        \
      "as hybrid, in a tree that takes edits and stays balanced: for bodies that are cut")         \
    X(SPHERE, "sphere",                                                                            \
      "a tree of cells that grows where queries come: for many rigid bodies of which few meet")

typedef enum willow_method {
#define WILLOW_METHOD_ENTRY(name, words, what) WILLOW_METHOD_##name,
    WILLOW_METHODS(WILLOW_METHOD_ENTRY)
#undef WILLOW_METHOD_ENTRY
        WILLOW_METHOD_COUNT
} willow_method;

/* How the triangles are split into a tree. X(enum, name, what it does) */
#define WILLOW_BUILDS(X)                                                                           \
    X(AUTO, "auto", "the best of these for the method")                                            \
    X(MIDPOINT, "midpoint", "planes through the centre of the box, one to three at once")          \
    X(MEAN, "mean", "planes through the mean of the triangles' midpoints, one to three at once")   \
    X(MEDIAN, "median", "equal halves along the longest axis: the fastest to build")               \
    X(CONNECTIVITY, "connectivity",                                                                \
      "connected patches of the mesh, which stay together as it deforms")                          \
    X(SAH, "sah", "planes where the expected work of a query is least")

typedef enum willow_build {
#define WILLOW_BUILD_ENTRY(name, words, what) WILLOW_BUILD_##name,
    WILLOW_BUILDS(WILLOW_BUILD_ENTRY)
#undef WILLOW_BUILD_ENTRY
        WILLOW_BUILD_COUNT
} willow_build;

/* How a kinetic hierarchy handles the events of a step, at which vertices overtake each other.
 * BATCH and STREAM have the same boxes at the end of the step. With NONE an update costs least, and
 * the few boxes with events are somewhat larger. X(enum, name, what it does) */
#define WILLOW_EVENTS(X)                                                                           \
    X(NONE, "none", "not at all: boxes go straight from keyframe to keyframe, or for some time")   \
    X(BATCH, "batch", "all of a step together, each affected node once, from the leaves up")       \
    X(STREAM, "stream", "one after the other, in the order of their times")

typedef enum willow_events {
#define WILLOW_EVENTS_ENTRY(name, words, what) WILLOW_EVENTS_##name,
    WILLOW_EVENTS(WILLOW_EVENTS_ENTRY)
#undef WILLOW_EVENTS_ENTRY
        WILLOW_EVENTS_COUNT
} willow_events;

/* The volumes of BLEND's nodes. All nodes have boxes; some kinds add a second volume, which is
 * tested where boxes meet. X(enum, name, what it does) */
#define WILLOW_VOLUMES(X)                                                                          \
    X(AABB, "aabb", "boxes along the axes")                                                        \
    X(KDOP18, "kdop18", "and slabs along six diagonals, for bodies in one frame")                  \
    X(SPHERE, "sphere", "and spheres, which a pose does not make wider")

typedef enum willow_volume {
#define WILLOW_VOLUME_ENTRY(name, words, what) WILLOW_VOLUME_##name,
    WILLOW_VOLUMES(WILLOW_VOLUME_ENTRY)
#undef WILLOW_VOLUME_ENTRY
        WILLOW_VOLUME_COUNT
} willow_volume;

/* The shape of a morphing body in which BLEND builds its tree. X(enum, name, what it does) */
#define WILLOW_REFERENCES(X)                                                                       \
    X(AVERAGE, "average", "the average of all targets, and of the base if there is one")           \
    X(BASE, "base", "the base, or the first target")                                               \
    X(TARGET, "target", "one of the targets")                                                      \
    X(BEST, "best", "that of these with the least expected work of a query, over all of them")

typedef enum willow_reference {
#define WILLOW_REFERENCE_ENTRY(name, words, what) WILLOW_REFERENCE_##name,
    WILLOW_REFERENCES(WILLOW_REFERENCE_ENTRY)
#undef WILLOW_REFERENCE_ENTRY
        WILLOW_REFERENCE_COUNT
} willow_reference;

/* How the cells of a sphere-tree are halved. The root cell is a cube at the lower corner of the box
 * of a body, as long as the longest side of that box. X(enum, name, what it does) */
#define WILLOW_CELLS(X)                                                                            \
    X(OCTREE, "octree", "in the middle of every axis")                                             \
    X(BONO, "bono",                                                                                \
      "at powers of two of the units of the body, where an axis is longer than that: fewer and "   \
      "larger cells (a branch-on-need octree)")

typedef enum willow_cells {
#define WILLOW_CELLS_ENTRY(name, words, what) WILLOW_CELLS_##name,
    WILLOW_CELLS(WILLOW_CELLS_ENTRY)
#undef WILLOW_CELLS_ENTRY
        WILLOW_CELLS_COUNT
} willow_cells;

/* The deepest level of cells that can be asked for; the root has level 1. */
enum { WILLOW_MAX_CELL_DEPTH = 16 };

typedef struct willow_tree_def {
    size_t struct_size;
    willow_method method;
    willow_build build;
    uint32_t arity;          /* children per node: 2, 4 or 8; 0 stands for 8, the fastest */
    uint32_t leaf_triangles; /* most triangles in a leaf: 1 to 32; 0 stands for the measured 16 */

    /* HYBRID and AUTO: the depth of the nodes that an update bounds from their vertices; the root
     * has depth 0, and a depth beyond the height means the leaves. 0 for half of the height. Every
     * method that keeps its tree also checks for decay from this level on. */
    uint32_t hybrid_level;

    /* How far a vertex may move, along any axis, before the boxes below the cut that contain it are
     * computed again; boxes are larger by that. For bodies that move slowly; 0 (none) is best for
     * others. BRUTE and REBUILD have no such boxes. Boxes over a borrowed array are larger, too,
     * but always computed again, so a margin gains nothing. AUTO with a margin never acts as
     * BOTTOM_UP. Never changes answers. */
    float margin;

    /* Where the tree has become worse than when it was built by this factor, it is rebuilt, whole
     * or in parts, also that of an edited body (BALANCED). 1 or more, infinity for never, 0 for the
     * measured default. */
    float rebuild_ratio;
    /* KINETIC_AABB, AUTO when it acts as KINETIC_AABB, and KINETIC_BOXTREE, for which NONE is
     * BATCH. */
    willow_events events;
    /* KINETIC_AABB with events, on keyframes: the failure of a certificate is searched for in all
     * later keyframes at once. The default checks it again at every keyframe, which measures
     * better. */
    bool search_keyframes;
    /* KINETIC_BOXTREE: the time of every event is searched for among all vertices concerned, as in
     * the literature. The default uses a lower bound of that time, which measures better.
     */
    bool exact_events;

    /* BLEND, with a morph. BEST builds a tree in each of up to eight shapes (the average, the base
     * and targets, evenly spread), and keeps the tree that is best for all of them; building takes
     * that many times longer. */
    willow_reference reference;
    uint32_t reference_target; /* the target of TARGET; beyond the last one it is the last one */

    /* BLEND: keeps volumes for both forms of the sum, a base with offsets and absolute targets, and
     * uses their intersection. Tighter volumes, at twice the memory and twice the work. */
    bool blend_both;

    /* BLEND, with absolute targets: the number of shapes between two targets whose boxes are kept,
     * too; 15 at most. They are used while these two targets alone have weights, none of them
     * negative. The two targets follow each other; with four targets or fewer they may be any two.
     * Such boxes are kept only where they are smaller by 2 % or more. */
    uint32_t in_between;
    willow_volume volume; /* BLEND, with a morph; others have boxes */

    /* BALANCED, after the first edit: an update may exchange children between siblings to make
     * boxes smaller. This turns it off. */
    bool keep_siblings;

    /* BALANCED, after the first edit, with arity 2 and leaf_triangles 1: the tree is rebuilt when
     * its quality (willow_body_stats.volume_quality) is above this limit, and also 15 % above the
     * quality that it was built with. 0: never. */
    float quality_limit;

    /* How cells are halved: in the tree of SPHERE, and with every method in
     * willow_find_near_cells. */
    willow_cells cells;

    /* SPHERE: how many levels of cells queries may grow, the root included: 1 to 16; 0 stands
     * for 6. With BONO cells are larger: a body whose longest side is below three quarters of the
     * next power of two gets one level more. */
    uint32_t collision_depth;

    /* SPHERE: updates remove branches that no query has used for longer than this, in the time of
     * the world; the root stays. 0 stands for 2, infinity for never. */
    float max_time;

    /* SPHERE: updates grow the whole tree, and nothing of it is removed. For comparisons, and where
     * queries must not grow the tree. */
    bool grow_whole;

    /* SPHERE: a backend that finds which cells the surface touches, for queries with
     * `use_occupancy`. Never changes trees or answers. */
    willow_occupancy occupancy;
} willow_tree_def;

WILLOW_API willow_tree_def willow_tree_def_default(void);

/* The short name ("bottom_up"), or NULL for a number that is no method. */
WILLOW_API const char *willow_method_name(willow_method method);
WILLOW_API const char *willow_build_name(willow_build build);
WILLOW_API const char *willow_events_name(willow_events events);
WILLOW_API const char *willow_reference_name(willow_reference reference);
WILLOW_API const char *willow_volume_name(willow_volume volume);
WILLOW_API const char *willow_cells_name(willow_cells cells);

/* Finds a method or builder by its short name; false, and *out untouched, if there is none. */
WILLOW_API bool willow_method_from_name(const char *name, willow_method *out);
WILLOW_API bool willow_build_from_name(const char *name, willow_build *out);
WILLOW_API bool willow_events_from_name(const char *name, willow_events *out);
WILLOW_API bool willow_reference_from_name(const char *name, willow_reference *out);
WILLOW_API bool willow_volume_from_name(const char *name, willow_volume *out);
WILLOW_API bool willow_cells_from_name(const char *name, willow_cells *out);

/* A node of a body's hierarchy, for debugging, drawing and statistics. */
typedef struct willow_node {
    uint32_t number; /* inner nodes from 0, the root, on; then leaves */
    uint32_t parent; /* a number; the root's is its own */
    uint32_t depth;  /* 0 for the root */
    bool is_leaf;
    uint32_t child_count;        /* 0 for a leaf */
    const willow_tri *triangles; /* of a leaf, else NULL; stays until the world changes */
    uint32_t triangle_count;     /* 0 for an inner node */
    willow_box box;              /* in the frame of the mesh, without the pose */

    /* The boxes of its children (for a leaf, its own) were known before this call: the update
     * computed or kept them, or a query did since. All others are computed for this call. */
    bool was_open;
} willow_node;

typedef bool willow_node_visitor(void *context, const willow_node *node);
struct willow_world;

/* Hands every node to `visit`, parents before their children; stops when it returns false. A body
 * without a tree (BRUTE, or nothing collides) has none. BAD_HANDLE, BAD_ARGUMENT, or STALE while
 * the hierarchy waits for an update. Computes the boxes that no query has opened yet, which AUTO
 * counts as a query. The visitor must not change the world. May run beside queries. */
WILLOW_API willow_result willow_body_visit_nodes(const struct willow_world *world,
                                                 willow_body_id body, willow_node_visitor *visit,
                                                 void *context);

#ifdef __cplusplus
}
#endif
#endif
