/* query.h - queries. Any number of threads may query at once, each with a scratch of its own.
 *
 * Results belong to the scratch and are valid until its next query. Options may be NULL for the
 * defaults. Filters and visitors must not change the world, nor query with the same scratch. All
 * queries fail with OUT_OF_MEMORY, STALE, BAD_HANDLE (a body in the options, a scratch of another
 * world) or BAD_ARGUMENT, and say why in willow_scratch_message. */
#ifndef WILLOW_QUERY_H
#define WILLOW_QUERY_H

#include "prim.h"
#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Stacks, caches, counters and results of one querying thread (query context). Must be destroyed
 * before its world. */
typedef struct willow_scratch willow_scratch;

/* May run beside queries. OUT_OF_MEMORY; *out is then NULL. Destroying NULL is fine. */
WILLOW_API willow_result willow_scratch_create(const willow_world *world, willow_scratch **out);
WILLOW_API void willow_scratch_destroy(willow_scratch *scratch);

/* Why the last query with this scratch failed, in words; "" if it succeeded, or there was none.
 * Valid until the next query with it. */
WILLOW_API const char *willow_scratch_message(const willow_scratch *scratch);

/* What the queries with this scratch did since the last reset. Equal for equal queries, with any
 * workers and kernel, except for the two that say so; counts depend on the methods. Pairs within a
 * body that has not changed since the scratch found them are cached, not searched. */
typedef struct willow_query_stats {
    uint64_t body_pairs;   /* pairs of bodies that the broad phase handed on */
    uint64_t nodes_opened; /* nodes looked into, both sides */

    /* Nodes whose boxes were computed because this scratch opened them first: fewer if there were
     * other queries since the update. With several querying threads it depends on timing which is
     * first; the sum over all of them does not. */
    uint64_t nodes_refreshed;

    uint64_t claims_lost; /* nodes that another thread was computing when this one came, or had
                             just computed; depends on timing */

    /* BLEND, SKIN: positions of vertices in leaves that this scratch reached first since the body
     * is where it is; a vertex counts once for each of its leaves. As with nodes_refreshed the sum
     * over all threads does not depend on timing. */
    uint64_t vertices_blended;

    uint64_t volume_tests;      /* box against box, in nodes and of triangles */
    uint64_t leaf_pairs;        /* leaves met by leaves */
    uint64_t leaf_pairs_culled; /* of these: skipped, since the surface there cannot intersect
                                   itself */
    uint64_t stars;             /* vertices whose triangles (fans) were tested together */
    uint64_t stars_left;        /* of these: whose triangles had to be tested two by two */
    uint64_t triangle_tests;    /* triangles tested against triangles or boxes */
    uint64_t exact_tests;       /* of these: left undecided by the wide filter */
    uint64_t feature_tests;     /* vertices against faces and edges against edges */
} willow_query_stats;

WILLOW_API willow_query_stats willow_scratch_stats(const willow_scratch *scratch);
WILLOW_API void willow_scratch_reset_stats(willow_scratch *scratch);

/* Which nodes a search opens when two nodes meet. Answers do not depend on it (C1).
 * X(enum, name, what it does) */
#define WILLOW_DESCENDS(X)                                                                         \
    X(AUTO, "auto", "the one that measures best: both")                                            \
    X(BOTH, "both", "both nodes at once, children against children")                               \
    X(LARGER, "larger", "the larger of the two; its children against the other")

typedef enum willow_descend {
#define WILLOW_DESCEND_ENTRY(name, words, what) WILLOW_DESCEND_##name,
    WILLOW_DESCENDS(WILLOW_DESCEND_ENTRY)
#undef WILLOW_DESCEND_ENTRY
        WILLOW_DESCEND_COUNT
} willow_descend;

typedef struct willow_query_options {
    size_t struct_size;
    const willow_body_id *bodies; /* only these bodies and pairs among them; NULL for all */
    size_t body_count;

    /* Called on the calling thread, once for every pair that meets; false leaves it out. */
    bool (*filter)(void *context, willow_tri_ref a, willow_tri_ref b);
    void *filter_context;

    size_t max_results;   /* 0: no limit. Else the first ones in order; see `complete` */
    bool skip_neighbours; /* leave out pairs of one body that share a vertex */
    bool skip_cracks;   /* leave out pairs and contacts of triangles that have the same label other
                           than 0 (willow/edit.h); features have the labels of the lowest triangles
                           that have them. Rays, distances and closest points ignore it */
    bool test_flat;     /* test also the parts of a surface that are proved to meet nothing
                           around them, which are skipped otherwise. Answers do not depend on it */
    bool witness;       /* return a point of every pair, too (willow_tri_tri_witness) */
    bool use_threads;   /* use the workers of the world */
    bool use_occupancy; /* SPHERE nodes that grow ask the backends of their bodies
                           (willow/occupancy.h), unless use_threads is set. Only one thread at a
                           time may query so */
    willow_descend descend;

    /* Distances, each for one kind of query; all but the last are finite. The layers of bodies
     * (thickness) are added to the first two. */
    double near_distance;  /* near: the largest distance of a pair; 0: only pairs that meet */
    double touch_distance; /* impacts: the distance at which features count as touching; 0:
                              where they meet */
    double max_distance;   /* distance and closest point: the largest distance searched; 0: no
                              limit */

    /* Near and impact questions. */
    bool features;           /* near: pairs of vertex and face, edge and edge, not of triangles */
    bool skip_close_at_rest; /* near and impacts: leave out pairs within a body that are as
                                close in its rest shape. BAD_ARGUMENT if a body with `self` was
                                created without keep_rest */
    double tolerance;        /* impacts: how early a time may be; 0 stands for 1e-6 */
    uint32_t max_iterations; /* impacts: of one decision; 0 stands for 10,000. Below some tens,
                                the method decides which undecided impacts are listed */
} willow_query_options;

WILLOW_API willow_query_options willow_query_options_default(void);

/* The pairs of one pair of bodies: items [first, first + count), sorted by (tri_a, tri_b). Within
 * one body body_a equals body_b and tri_a < tri_b. */
typedef struct willow_pair_run {
    willow_body_id body_a, body_b;
    uint64_t user_data_a, user_data_b; /* of these */
    size_t first, count;
} willow_pair_run;

/* Sorted by (body_a, body_b), each pair once, no empty runs (C3). */
typedef struct willow_pairs {
    const willow_pair_run *runs;
    size_t run_count;
    const willow_tri_pair *items;
    size_t count;
    const willow_vec3 *witnesses; /* one per item, if asked for; else NULL */
    bool complete;                /* false if max_results cut the list */
    bool nothing_asked; /* there was nothing to search: fewer than two bodies, and none with
                           `self`; for willow_find_self_pairs: no body is named, and none has
                           `self` */
} willow_pairs;

/* All pairs of triangles that meet: of different bodies whose categories and masks agree, and
 * within bodies with `self`, of groups that are tested against each other there. Triangles
 * that share vertices follow rule C2. */
WILLOW_API willow_result willow_find_pairs(const willow_world *world, willow_scratch *scratch,
                                           const willow_query_options *options, willow_pairs *out);

/* All pairs within bodies (self-intersection): within the bodies of the options or, if none is
 * named, within those that have `self`; if there is none either, nothing_asked is set. The scratch
 * caches them: a body that was neither deformed nor moved since is not searched again. */
WILLOW_API willow_result willow_find_self_pairs(const willow_world *world, willow_scratch *scratch,
                                                const willow_query_options *options,
                                                willow_pairs *out);

typedef struct willow_first_pair {
    bool found;
    bool nothing_asked; /* as in willow_pairs */
    willow_tri_ref a, b;
    willow_vec3 witness; /* if asked for */
} willow_first_pair;

/* One pair of those that willow_find_pairs would return, or none. Which one depends on the
 * methods, but not on threads or kernels. max_results and use_threads are ignored. */
WILLOW_API willow_result willow_find_first_pair(const willow_world *world, willow_scratch *scratch,
                                                const willow_query_options *options,
                                                willow_first_pair *out);

/* Hands every pair that willow_find_pairs would return to `visit`, in no order and without storing
 * them, on the calling thread; stops when it returns false. max_results, use_threads and witness
 * are ignored. */
typedef bool willow_pair_visitor(void *context, willow_tri_ref a, willow_tri_ref b);
WILLOW_API willow_result willow_visit_pairs(const willow_world *world, willow_scratch *scratch,
                                            const willow_query_options *options,
                                            willow_pair_visitor *visit, void *context);

/* Hands every triangle that meets the closed box to `visit`, each once, in no order; stops when it
 * returns false. Only `bodies` of the options is used. The box must be finite. */
typedef bool willow_tri_visitor(void *context, willow_tri_ref tri);
WILLOW_API willow_result willow_visit_box(const willow_world *world, willow_scratch *scratch,
                                          const willow_box *box,
                                          const willow_query_options *options,
                                          willow_tri_visitor *visit, void *context);

/* ---- Impacts: what touches in a trial step (willow_body_set_target) ----
 *
 * This is continuous collision detection. Positions are float32; rounding to float32 may remove or
 * add contacts that are within such a rounding of a miss (docs/queries.md).
 *
 * Contacts of triangles are contacts of a vertex with a face or of an edge with an edge. Each such
 * contact is found once, however many triangles share it; features that share a vertex are left
 * out. */

/* X(enum, name, what its numbers are) */
#define WILLOW_FEATURES(X)                                                                         \
    X(VERTEX, "vertex", "the vertex, twice")                                                       \
    X(EDGE, "edge", "its two vertices, the lower one first")                                       \
    X(FACE, "face", "the triangle, twice")

typedef enum willow_feature_kind {
#define WILLOW_FEATURE_ENTRY(name, words, what) WILLOW_FEATURE_##name,
    WILLOW_FEATURES(WILLOW_FEATURE_ENTRY)
#undef WILLOW_FEATURE_ENTRY
        WILLOW_FEATURE_COUNT
} willow_feature_kind;

typedef struct willow_feature {
    willow_feature_kind kind;
    uint32_t number[2];
} willow_feature;

typedef struct willow_impact {
    willow_feature a, b; /* of body a, of body b: vertex and face, face and vertex, or two edges */
    double time;         /* 0 to 1: never late, early by at most the tolerance */
    bool is_decided;     /* false: max_iterations was reached; they do not touch before `time` */
    willow_contact contact; /* at `time`: willow_vertex_face_contact, willow_edge_edge_contact */
} willow_impact;

/* One run per pair of bodies, as in willow_pairs. Within a run sorted by the lowest triangles that
 * have the two features, then vertices before faces before edges, then by their corners there. */
typedef struct willow_impacts {
    const willow_pair_run *runs;
    size_t run_count;
    const willow_impact *items;
    size_t count;
    bool complete;      /* false if max_results cut the list */
    bool nothing_asked; /* as in willow_pairs; also if no body asked about has a trial step */
} willow_impacts;

/* All contacts of the trial step: of different bodies whose categories and masks agree, and within
 * bodies with `self`. Bodies without a target stand still; if all bodies do, nothing is found, not
 * even what touches already, and nothing_asked is true. `filter` gets the lowest triangles that
 * have the two features. witness, features and skip_neighbours are ignored. */
WILLOW_API willow_result willow_find_impacts(const willow_world *world, willow_scratch *scratch,
                                             const willow_query_options *options,
                                             willow_impacts *out);

typedef struct willow_first_impact {
    bool found;
    bool nothing_asked; /* as in willow_impacts */
    willow_body_id body_a, body_b;
    willow_impact impact; /* of those with the least time the first in the order of willow_impacts;
                             of those at time 0 any (C3) */
} willow_first_impact;

/* The first impact of the step; before its time nothing touches. The filter is not called. The
 * search ends at the first contact at time 0 that it finds: which one that is depends on the
 * methods, but not on threads or kernels. Else, of several impacts at the least time, the first in
 * order. */
WILLOW_API willow_result willow_time_of_impact(const willow_world *world, willow_scratch *scratch,
                                               const willow_query_options *options,
                                               willow_first_impact *out);

/* ---- Distances ---- */

typedef struct willow_near_pair {
    willow_feature a, b;    /* two faces, or with `features` as in willow_impact */
    double distance;        /* willow_tri_tri_distance and so on: 0 if and only if they meet */
    willow_contact contact; /* willow_tri_tri_closest and so on */
} willow_near_pair;

/* Runs as in willow_pairs, sorted as in willow_impacts. */
typedef struct willow_near {
    const willow_pair_run *runs;
    size_t run_count;
    const willow_near_pair *items;
    size_t count;
    bool complete;      /* false if max_results cut the list */
    bool nothing_asked; /* as in willow_pairs */
} willow_near;

/* All pairs that are at most near_distance plus the layers of their bodies apart (proximity), as of
 * the last update: of different bodies whose categories and masks agree, and within bodies with
 * `self`. There, triangles that share a vertex have distance 0, and are listed unless
 * skip_neighbours leaves them out.
 */
WILLOW_API willow_result willow_find_near(const willow_world *world, willow_scratch *scratch,
                                          const willow_query_options *options, willow_near *out);

typedef struct willow_body_set {
    const willow_body_id *bodies;
    size_t count;
} willow_body_set;

typedef struct willow_closest_pair {
    bool found; /* false if there are no triangles, or none within max_distance */
    willow_tri_ref a, b;
    double distance;
    willow_contact contact; /* willow_tri_tri_closest */
} willow_closest_pair;

/* The two triangles, one of a body of `a` and one of a body of `b`, that are closest to each other;
 * of several the first by (a, b). Bodies in both sets are not compared with themselves. Categories,
 * masks and options.bodies do not matter; max_distance limits the search. */
WILLOW_API willow_result willow_distance(const willow_world *world, willow_scratch *scratch,
                                         const willow_body_set *a, const willow_body_set *b,
                                         const willow_query_options *options,
                                         willow_closest_pair *out);

typedef struct willow_closest {
    bool found;
    willow_tri_ref tri;
    double distance;
    willow_contact contact; /* willow_point_tri_closest: a is the point, b the triangle */
} willow_closest;

/* The triangle that is closest to a point; of several the first. Only `bodies` and `max_distance`
 * of the options are used. The point must be finite. */
WILLOW_API willow_result willow_closest_point(const willow_world *world, willow_scratch *scratch,
                                              const willow_vec3 *point,
                                              const willow_query_options *options,
                                              willow_closest *out);

/* ---- Near cells: proximity of a chosen accuracy ----
 *
 * Pairs of cells whose surfaces may be near each other, at a chosen level of a sphere-tree
 * (Rodriguez and Franquesa 2005). Cells are defined by geometry alone, so answers are the same bits
 * with any method, kernel and number of threads.
 *
 * The root cell of a body is a cube at the lower corner of the tight box of its colliding vertices,
 * as long as the longest side of the box. The vertices are taken as the motion of the body places
 * them, before the pose, and rounded to float32. Cells are halved as willow_tree_def.cells says,
 * with every method. A cell exists if a triangle touches it; cells and triangles are closed. */

/* A cell, and the sphere around it. */
typedef struct willow_near_cell {
    willow_body_id body;
    uint32_t level;    /* the root has 1 */
    uint32_t place[3]; /* how many cells of its level come before it, along each axis */
    willow_box box;    /* the cell, in the frame of the mesh, without the pose; if the border of the
                          cube cuts the cell, the part inside */
    double centre[3];  /* of its sphere, in the frame of the world */
    double radius;
} willow_near_cell;

typedef struct willow_near_cell_pair {
    size_t a, b;     /* indices into `cells` */
    double distance; /* an upper bound for the distance of the surfaces in the two cells: the
                        distance of the centres plus both radii plus the rounding of positions.
                        Infinity if vertices may be beyond float32 */
} willow_near_cell_pair;

/* Runs as in willow_pairs, each sorted by (a, b). */
typedef struct willow_near_cells {
    const willow_pair_run *runs;
    size_t run_count;
    const willow_near_cell_pair *items;
    size_t count;
    const willow_near_cell *cells; /* the cells of the items, each once, sorted by (body, place) */
    size_t cell_count;
    bool complete;      /* false if max_results cut the list */
    bool nothing_asked; /* there are fewer than two bodies */
} willow_near_cells;

/* All pairs of cells whose spheres meet, as of the last update: cells of different bodies whose
 * categories and masks agree, on the level that `depth` (1 to 16) stands for; see
 * willow_tree_def.collision_depth. Spheres meet if the squared distance of their centres is at most
 * the squared sum of their radii; poses are applied to centres in double. Two triangles that meet
 * are in a pair of cells, apart from rounding. willow_find_pairs lists such triangles, each pair
 * once; with SPHERE it continues from the branches that this query has grown.
 *
 * With SPHERE the query opens branches, which grow and count as used. With all other methods, and
 * below the depth that a SPHERE tree grows to, cells are computed from triangles, and only where
 * cells of others are near: that takes one pass over all triangles of bodies whose root spheres
 * meet. Only `bodies`, max_results and use_threads of the options are used. A depth out of range is
 * BAD_ARGUMENT. */
WILLOW_API willow_result willow_find_near_cells(const willow_world *world, willow_scratch *scratch,
                                                uint32_t depth, const willow_query_options *options,
                                                willow_near_cells *out);

/* ---- Rays ----
 *
 * A ray hits a triangle if and only if willow_ray_tri says so, from either side, at the positions
 * of the last update. Triangles of group 0 are not hit. Only nodes that rays reach are computed,
 * whatever the motion. Answers are the same bits with any method, threads and kernel; result i is
 * that of ray i.
 *
 * An invalid ray is BAD_ARGUMENT, with its number in the message, and then no ray is cast: a ray
 * with NaN, with infinity except in t_max, without a direction, or with t_min above t_max. */

/* What is known of a ray. X(enum, name, what it means) */
#define WILLOW_RAY_STATES(X)                                                                       \
    X(UNFINISHED, "unfinished", "`stop` ended the batch before this ray was done")                 \
    X(FREE, "free", "it hits nothing")                                                             \
    X(HIT, "hit", "it hits something")

typedef enum willow_ray_state {
#define WILLOW_RAY_STATE_ENTRY(name, words, what) WILLOW_RAY_##name,
    WILLOW_RAY_STATES(WILLOW_RAY_STATE_ENTRY)
#undef WILLOW_RAY_STATE_ENTRY
        WILLOW_RAY_STATE_COUNT
} willow_ray_state;

typedef struct willow_ray_options {
    size_t struct_size;
    const willow_body_id *bodies; /* hit only these; NULL for all */
    size_t body_count;
    uint64_t mask_bits; /* hit only bodies that have one of these categories; all by default. The
                           masks of bodies do not matter */

    /* Called for hits before they count; false ignores a hit. With use_threads several workers call
     * it at once. Besides the hits of the answer it is called for others, which depend on the
     * method; so it must always return the same for the same hit. */
    bool (*filter)(void *context, size_t ray, const willow_hit *hit);
    void *filter_context;

    const willow_tri_ref *ignore; /* NULL, or for each ray a triangle that it does not hit, such as
                                     the one that it starts on; of a null body for none */
    bool one_sided;  /* ignore triangles that are hit from behind: whose normal points along the
                        ray. Triangles that are hit edge-on count */
    size_t max_hits; /* of willow_pierce_rays for each ray; 0: no limit */

    /* Called between tiles of 256 rays; true ends the batch, and the remaining rays stay
     * UNFINISHED. With use_threads several workers call it at once. */
    bool (*stop)(void *context);
    void *stop_context;

    bool use_threads;   /* use the workers of the world */
    bool use_occupancy; /* as in willow_query_options */
} willow_ray_options;

WILLOW_API willow_ray_options willow_ray_options_default(void);

/* One of each per ray. */
typedef struct willow_casts {
    const willow_hit *hits; /* all zeros where nothing is hit */
    const uint8_t *states;  /* a willow_ray_state */
    size_t count;           /* of rays */
    bool complete;          /* false if `stop` ended the batch */
} willow_casts;

/* The closest hit of each ray: that with the least (t, body, triangle). */
WILLOW_API willow_result willow_cast_rays(const willow_world *world, willow_scratch *scratch,
                                          const willow_ray *rays, size_t count,
                                          const willow_ray_options *options, willow_casts *out);

typedef struct willow_blocks {
    const uint8_t *states; /* one willow_ray_state per ray: HIT if it is blocked */
    size_t count;
    bool complete; /* false if `stop` ended the batch */
} willow_blocks;

/* Whether each ray hits anything: faster than the closest hit. */
WILLOW_API willow_result willow_block_rays(const willow_world *world, willow_scratch *scratch,
                                           const willow_ray *rays, size_t count,
                                           const willow_ray_options *options, willow_blocks *out);

/* The hits of one ray: items [first, first + count). */
typedef struct willow_pierce_run {
    size_t first, count;
    bool complete; /* false if max_hits cut its list, or the ray is not done */
} willow_pierce_run;

typedef struct willow_pierces {
    const willow_pierce_run *runs; /* one per ray */
    const uint8_t *states;         /* the same */
    size_t ray_count;
    const willow_hit *items; /* ray by ray, those of one sorted by (t, body, triangle) */
    size_t count;
    bool complete; /* false if a run is not */
} willow_pierces;

/* All hits along each ray, or the first max_hits of them. */
WILLOW_API willow_result willow_pierce_rays(const willow_world *world, willow_scratch *scratch,
                                            const willow_ray *rays, size_t count,
                                            const willow_ray_options *options, willow_pierces *out);

#ifdef __cplusplus
}
#endif
#endif
