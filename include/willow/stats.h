/* stats.h - memory and tree statistics, validation, and hashes that compare runs. */
#ifndef WILLOW_STATS_H
#define WILLOW_STATS_H

#include "query.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The four measures of a kinetic data structure, for a kinetic hierarchy: compactness (how much it
 * stores), responsiveness (what an event costs), locality (how many certificates depend on a
 * vertex) and efficiency (how many events change a box). Sums and maxima cover all updates since
 * the body was created. All is 0 for a body that never had a kinetic hierarchy. Without events
 * (WILLOW_EVENTS_NONE) only bytes, values, plan changes and set-ups are counted. */
typedef struct willow_kinetic_stats {
    /* Compactness. `certificates` have an event in the queue now; `certificates_most` is the
     * largest such number after any update. `bytes` are those of extremal vertices, certificates
     * and queue; without events, those of the boxes at the ends of a span of time. */
    size_t certificates;
    size_t certificates_most;
    size_t bytes;

    /* The fields of these names in willow_update_report, summed up. */
    uint64_t events;
    uint64_t values_updated;
    uint64_t queue_operations;
    uint64_t certificates_checked;
    uint64_t plan_changes;
    uint64_t setups;

    /* Efficiency: events after which the same vertex as before bounds the box. With STREAM only
     * rounding causes them. BATCH looks at the end of a step, so vertices that overtake and fall
     * back within the step cause them, too. */
    uint64_t events_internal;

    /* Responsiveness: the longest chain of boxes, each the parent of the one before, that changed
     * at once: with STREAM by one event, with BATCH by all events of one step. Changes at keyframes
     * do not count, since all certificates are checked there. */
    uint32_t values_per_event_most;

    /* Locality: how many certificates may break when one vertex changes its path; the mean and the
     * most over all vertices in the hierarchy. KINETIC_AABB: six for each leaf that has the vertex,
     * and one for each node and direction in which the vertex bounds a child of the node.
     * KINETIC_BOXTREE: six for each leaf, and one for each plane that goes through the vertex. */
    double certificates_per_vertex;
    uint32_t certificates_per_vertex_most;
} willow_kinetic_stats;

/* The growing tree of cells of the method SPHERE. All is 0 for other methods. */
typedef struct willow_sphere_stats {
    uint32_t cells[WILLOW_MAX_CELL_DEPTH + 2]; /* in the tree, by level; the root has 1 */
    size_t bytes_live;                         /* of nodes, leaves and lists of triangles */
    size_t bytes_live_most;                    /* the most at any update since the build, or now */
    size_t bytes_pool;                         /* of the pool that these are taken from */
    uint64_t grown;                            /* cells whose children were computed */
    uint64_t forgotten;                        /* of these: whose children were removed again */
    uint64_t exact_tests;             /* triangle against cell, left undecided by the wide filter */
    uint64_t pool_enlarged;           /* updates that enlarged a full pool */
    willow_occupancy_stats occupancy; /* of the backend, since the build */
    bool pool_exhausted; /* since the last update it was too small for some cells to grow. Until
                            the next update queries are slower there, and counts may depend on the
                            number of threads */
} willow_sphere_stats;

typedef struct willow_body_stats {
    size_t bytes_mesh;          /* of indices, groups, positions */
    size_t bytes_hierarchy;     /* of nodes, leaves and what methods keep beside them */
    size_t refit_bytes_read;    /* by one refit, without the caller's positions */
    size_t refit_bytes_written; /* by one refit */
    willow_method method;       /* in use: the one asked for, or the one that AUTO has chosen */
    uint32_t node_count;
    uint32_t leaf_count;
    uint32_t height; /* nodes that a traversal reads, on the longest way down; of a SPHERE tree the
                        most that it may grow to */
    double cost;     /* expected work of a query (surface area heuristic): the surface areas of all
                        boxes, those of leaves once per triangle, over that of the root */

    /* How well boxes fit: the sum of the squared volumes of all nodes and leaves, over the squared
     * volume of the root; 0 if the root has no volume. `depth` is the number of nodes on the
     * longest way from the root to a leaf. Both are of the nodes that traversals read, with one
     * exception: BALANCED with arity 2 and leaf_triangles 1 (Otaduy and others 2007) has a binary
     * tree, of which traversals read several levels at once; there both are of the nodes of the
     * binary tree. */
    double volume_quality;
    uint32_t depth;
    uint64_t builds;         /* how often the whole hierarchy was built */
    uint64_t subtree_builds; /* how many parts of it were rebuilt, since only these had decayed */
    willow_kinetic_stats kinetic;
    willow_sphere_stats sphere;
} willow_body_stats;

/* Statistics of one body. Computes the boxes that no query has asked for yet, so that `cost` is
 * that of the whole tree; a SPHERE tree does not grow. AUTO counts the call as a query, so do not
 * call it in every step. Fails with BAD_HANDLE; with STALE while the hierarchy waits for an update;
 * and with OUT_OF_MEMORY, which is possible for a kinetic hierarchy only. */
WILLOW_API willow_result willow_body_get_stats(const willow_world *world, willow_body_id body,
                                               willow_body_stats *out);

/* How far the spheres around the cells of a level reach from the surface (Rodriguez and Franquesa
 * 2005, section 5.2). The error of a cell is the largest distance of any point of its sphere from
 * the parts of triangles in the cell, over the diameter of the root's sphere. */
typedef struct willow_cell_error {
    size_t cells; /* of the level; 0 if no triangle collides */
    double largest, mean, smallest;
} willow_cell_error;

/* Measures all cells of the level that `depth` stands for (1 to 16; see willow_find_near_cells).
 * Each error is exact to 1/256 of the radius of the sphere, and never above the true one. With
 * every method cells are computed from triangles, and no tree grows: made for studies, not for
 * every step. Runs on the calling thread, may run beside queries with other scratches, and
 * allocates in the scratch. Fails as queries do. */
WILLOW_API willow_result willow_body_measure_cells(const willow_world *world,
                                                   willow_scratch *scratch, willow_body_id body,
                                                   uint32_t depth, willow_cell_error *out);

/* What kind of surface a body is. A closed manifold has no border edges and no crowded ones. */
typedef struct willow_body_topology {
    size_t edges;          /* different pairs of vertices that are an edge of a triangle */
    size_t border_edges;   /* of these: with one triangle */
    size_t crowded_edges;  /* of these: with more than two */
    size_t pieces;         /* parts of the mesh that share no vertex */
    size_t loose_vertices; /* that no triangle uses, merged ones included */
} willow_body_topology;

/* Counts from the triangles alone, after welding; a triangle that names a vertex twice has no
 * edges. Fails with BAD_HANDLE or OUT_OF_MEMORY. Not for use beside queries: it changes the world's
 * message. */
WILLOW_API willow_result willow_body_get_topology(willow_world *world, willow_body_id body,
                                                  willow_body_topology *out);

/* All bytes that the world holds from its allocator, scratches included. */
WILLOW_API size_t willow_world_bytes(const willow_world *world);

/* Checks every structure. True if all invariants hold (docs/invariants.md). Else `reason`, if not
 * NULL, gets the number of the broken invariant and where it is broken, in at most `reason_size`
 * bytes. Slow. */
WILLOW_API bool willow_world_validate(const willow_world *world, char *reason, size_t reason_size);

/* A hash of all that users set: bodies, meshes, options, positions, plans, time. Caches do not
 * change it. */
WILLOW_API uint64_t willow_world_hash(const willow_world *world);

/* A hash of the bodies, runs and items of a result; equal results have equal hashes. */
WILLOW_API uint64_t willow_pairs_hash(const willow_pairs *pairs);

#ifdef __cplusplus
}
#endif
#endif
