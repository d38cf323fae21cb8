/* stats.h - what a world weighs, whether it is sound, and hashes to compare runs by. */
#ifndef WILLOW_STATS_H
#define WILLOW_STATS_H

#include "query.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A kinetic hierarchy, by the four measures of a kinetic data structure: how much it keeps
 * (compactness), what an event costs (responsiveness), in how many certificates a vertex has a part
 * (locality), and how many events change something (efficiency). Sums and maxima are over all
 * updates since the body was made; all is 0 for a body that never had a kinetic hierarchy. Without
 * events there are bytes, values, plan changes and set-ups only. */
typedef struct willow_kinetic_stats {
    /* Compactness: certificates that have an event in the queue, now and at most after an update;
     * bytes of extremal vertices, certificates and queue, or of boxes at the ends of a span. */
    size_t certificates;
    size_t certificates_most;
    size_t bytes;

    /* As in willow_update_report. */
    uint64_t events;
    uint64_t values_updated;
    uint64_t queue_operations;
    uint64_t certificates_checked;
    uint64_t plan_changes;
    uint64_t setups;

    /* Efficiency: events after which the end of the box was the same vertex as before. In a stream
     * these come of roundings only; in a batch, which looks at the end of a step, also of vertices
     * that overtook and fell back within it. */
    uint64_t events_internal;

    /* Responsiveness: the most boxes, one above the other, that changed at once. In a stream that
     * is what one event changed; in a batch it is how far up changes of one step came. Corners at
     * keyframes, where all certificates are looked at, do not count. */
    uint32_t values_per_event_most;

    /* Locality: the certificates that a change of one vertex's path may break, the mean and the
     * most over all vertices in the hierarchy: the six of each leaf that it is in, and one for each
     * direction and node that finds it at the end of a child; in a BoxTree, six for each leaf, and
     * one for each plane that it holds. */
    double certificates_per_vertex;
    uint32_t certificates_per_vertex_most;
} willow_kinetic_stats;

/* A tree of cells that grows: SPHERE. All is 0 for others. */
typedef struct willow_sphere_stats {
    uint32_t cells[WILLOW_MAX_CELL_DEPTH + 2]; /* that are there, by level; that of the root is 1 */
    size_t bytes_live;                         /* of nodes, leaves and lists of triangles in use */
    size_t bytes_live_most; /* the same, as updates have seen it; since the body was built */
    size_t bytes_pool;      /* what they are part of */
    uint64_t grown;         /* cells whose children were found */
    uint64_t forgotten;     /* of these: given up, since nobody asked for them */
    uint64_t exact_tests;   /* triangles that the wide filter left undecided, against cells */
    uint64_t pool_enlarged; /* updates that did, since growing had stopped */
    willow_occupancy_stats occupancy; /* what the backend saw; since the body was built */
    bool pool_exhausted; /* it has stopped since the last update: until the next one questions are
                            slower there, and counts may depend on the number of threads */
} willow_sphere_stats;

typedef struct willow_body_stats {
    size_t bytes_mesh;          /* indices, groups, positions */
    size_t bytes_hierarchy;     /* nodes, leaves and the orders that go with them */
    size_t refit_bytes_read;    /* what a refit reads, the caller's positions not counted */
    size_t refit_bytes_written; /* what it writes */
    willow_method
        method; /* how the hierarchy is kept now: what AUTO stands for, or the one asked for */
    uint32_t node_count;
    uint32_t leaf_count;
    uint32_t height; /* nodes on the longest way down */
    double cost;     /* expected work of a query: surface area of all boxes over that of the root,
                        those of leaves once per triangle */

    /* How well boxes fit: the squared volumes of all nodes and leaves, over that of the root. 0
     * where the root has no volume. Of a tree of BALANCED with two children and leaves of one
     * triangle (Otaduy and others 2007), of which traversals see several levels at once, these are
     * its own nodes, of all others those that traversals see; and so is `depth`, the nodes on the
     * longest way from the root to a leaf. */
    double volume_quality;
    uint32_t depth;
    uint64_t builds;         /* how often the hierarchy was built afresh */
    uint64_t subtree_builds; /* how many parts of it were, where only these had decayed */
    willow_kinetic_stats kinetic;
    willow_sphere_stats sphere;
} willow_body_stats;

/* Computes the boxes that nobody has asked for yet, so that `cost` is that of the whole tree; a
 * SPHERE does not grow. AUTO takes that for a question, so do not call it in every step.
 * BAD_HANDLE, STALE while the hierarchy waits for an update, or OUT_OF_MEMORY, which is possible
 * for a kinetic one only. */
WILLOW_API willow_result willow_body_get_stats(const willow_world *world, willow_body_id body,
                                               willow_body_stats *out);

/* How far the spheres around the cells of a level are from the surface in them (Rodriguez and
 * Franquesa 2005, section 5.2): of each cell the largest distance of a point of its sphere from the
 * parts of triangles in it, over the diameter of the root's sphere. */
typedef struct willow_cell_error {
    size_t cells; /* of the level; 0 if nothing collides */
    double largest, mean, smallest;
} willow_cell_error;

/* Measures all cells of the level that `depth`, 1 to 16, stands for (willow_find_near_cells), each
 * to 1/256 of the radius of its sphere: the result is never above the truth. Cells are computed
 * from triangles, whatever the method, so that nothing grows: this is for studies, not for every
 * step. Runs on the calling thread, beside queries with other scratches, and allocates in the
 * scratch. Fails as queries do. */
WILLOW_API willow_result willow_body_measure_cells(const willow_world *world,
                                                   willow_scratch *scratch, willow_body_id body,
                                                   uint32_t depth, willow_cell_error *out);

/* What kind of surface a body is. A closed manifold has no border and no crowded edges. */
typedef struct willow_body_topology {
    size_t edges;          /* different pairs of vertices that are an edge of a triangle */
    size_t border_edges;   /* of these: with one triangle */
    size_t crowded_edges;  /* of these: with more than two */
    size_t pieces;         /* parts of the mesh that share no vertex */
    size_t loose_vertices; /* that no triangle uses, merged ones included */
} willow_body_topology;

/* Counts from the triangles alone, after welding; one that names a vertex twice has no edges.
 * BAD_HANDLE or OUT_OF_MEMORY. Not for use beside queries: it changes the world's message. */
WILLOW_API willow_result willow_body_get_topology(willow_world *world, willow_body_id body,
                                                  willow_body_topology *out);

/* All bytes that the world holds from its allocator, scratches included. */
WILLOW_API size_t willow_world_bytes(const willow_world *world);

/* Walks every structure. True if all invariants hold (docs/invariants.md); else `reason`, if not
 * NULL, gets the number of the broken one and where, in at most `reason_size` bytes. Slow. */
WILLOW_API bool willow_world_validate(const willow_world *world, char *reason, size_t reason_size);

/* A number made of what users gave (bodies, meshes, options, positions, plans, time), not of
 * caches. */
WILLOW_API uint64_t willow_world_hash(const willow_world *world);

/* A number made of the bodies, runs and items of a result; equal results have equal ones. */
WILLOW_API uint64_t willow_pairs_hash(const willow_pairs *pairs);

#ifdef __cplusplus
}
#endif
#endif
