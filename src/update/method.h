/* method.h - one table of functions per method: how a body's hierarchy is kept true. */
#ifndef WI_UPDATE_METHOD_H
#define WI_UPDATE_METHOD_H

#include "update/auto/tree_quality.h"
#include "update/kinetic/kinetic_counts.h"
#include "update/refit/refit.h"

/* What an update works on: one body. */
typedef struct wi_update {
    wi_memory *memory;
    wi_workspace *workspace; /* of the worker */
    const wi_refit_kernels *kernels;
    willow_kernel kernel; /* for builds */
    willow_tasks tasks;
    wi_mesh *mesh;
    wi_tree *h;
    const willow_tree_def *def; /* resolved */
    bool needs_build;           /* no tree yet, or one of another def */
    bool is_bounded;            /* the method's `take` saw the current positions */
    bool is_measured;           /* it saw all others since the last update, too */
    bool is_partial;            /* only what h->moved says has moved since the last update */
    bool is_stored;             /* stored is where the plan or the morph says that vertices are */
    struct wi_packed_boxes *packed; /* where boxes of a fresh tree go, side by side; or NULL */
    uint64_t revision;              /* for the new state */
    uint32_t body;                  /* whose it is, for the caller */
    willow_result result;           /* what the caller got from the method */
    bool did_build;                 /* out */
    bool keeps_tree;                /* out, of an update that failed: the tree is still good */
    wi_kinetic_counts kinetic;      /* out */
    size_t vertices_evaluated;      /* out */
    uint32_t subtrees_built;        /* out: of a tree that was kept otherwise */
    size_t nodes_updated;           /* out */
    bool is_fresh;                  /* wi_update_build_or_renew computed all boxes */
    bool did_survey;                /* it looked at the wear of the tree */
    wi_tree_quality quality;        /* what it saw */
} wi_update;

typedef struct wi_method_ops {
    willow_method method;

    /* It reads flight plans itself, or stores their positions, or the same for morphs; for others
     * that is done before. */
    bool reads_plans, reads_morphs;

    /* Makes the hierarchy true for the current positions. After OUT_OF_MEMORY it may have no tree;
     * it can be called again, with needs_build unless the tree is kept. */
    willow_result (*update)(wi_update *u);

    /* Stages new positions for all vertices, in the order of the tree, and bounds on the way what
     * the update would bound. False if one is not finite: all is then bounded by the current ones.
     * NULL: positions are best read in the order of the vertices. */
    bool (*take)(willow_kernel kernel, const willow_tasks *tasks, wi_tree *h, wi_mesh *mesh,
                 wi_source source);
} wi_method_ops;

/* Stores where the plan or the morph of the mesh says that its vertices are, if there is one and
 * nobody has. */
void wi_update_store_plan(wi_update *u);

/* Says that it is done. */
void wi_update_end_store(wi_update *u);

/* Builds the tree as u->def says. */
willow_result wi_update_build(wi_update *u);

/* Builds the tree if needed, or what has decayed of it, and computes all boxes of what is new. The
 * tree then has neither patches nor anything touched. */
willow_result wi_update_build_or_renew(wi_update *u);

/* After wi_update_build_or_renew has renewed the tree: says when decay is looked for next, by how
 * much better the boxes that are computed now are than the old ones. */
void wi_update_schedule_survey(wi_update *u);

const wi_method_ops *wi_method_ops_for(willow_method method);

/* Replaces AUTO and 0 by what they stand for, but for the method, which its functions choose, for
 * hybrid_level and for margin; BAD_ARGUMENT with a reason for values out of range. */
willow_result wi_tree_def_resolve(willow_tree_def *def, wi_message *message);

#endif
