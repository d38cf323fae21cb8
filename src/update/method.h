/* method.h - one table of functions per method: how a body's hierarchy is kept true. */
#ifndef WI_UPDATE_METHOD_H
#define WI_UPDATE_METHOD_H

#include "update/auto/tree_quality.h"
#include "update/kinetic/kinetic_counts.h"
#include "update/refit/refit.h"

/* What is known of the vertices of a body since its last update. */
typedef enum wi_known {
    WI_KNOWN_NOTHING,  /* all may have moved */
    WI_KNOWN_BOUNDED,  /* the method's `take` saw the current positions */
    WI_KNOWN_MEASURED, /* it saw all others since the last update, too, and measured how far they go
                        */
    WI_KNOWN_PARTIAL,  /* only what h->moved says has moved */
    WI_KNOWN_EDITED,   /* none has moved; the mesh was edited */
    WI_KNOWN_RESTS     /* neither: the tree is asked to look after itself */
} wi_known;

/* What came of the tree in an update. After one that failed it is built anew, unless it is known to
 * be kept as it was. */
typedef enum wi_outcome {
    WI_OUTCOME_LOST, /* until somebody says more */
    WI_OUTCOME_KEPT,
    WI_OUTCOME_RENEWED_PARTS,
    WI_OUTCOME_BUILT
} wi_outcome;

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
    wi_known known;
    bool is_edited; /* the mesh, since the tree was true; only for methods that follow edits */
    const uint32_t *edited; /* slots that have something else now, some several times */
    size_t edited_count;
    const struct wi_inherited *inherited; /* of the tree of a body that fell apart; or NULL */
    bool is_inherited;                    /* out: what was built is that */
    bool is_stored; /* stored is where the plan or the morph says that vertices are */
    struct wi_packed_boxes *packed; /* where boxes of a fresh tree go, side by side; or NULL */
    uint64_t revision;              /* for the new state */
    double time;                    /* of the world */
    uint32_t body;                  /* whose it is, for the caller */
    willow_result result;           /* what the caller got from the method */
    wi_outcome outcome;             /* out */
    wi_kinetic_counts kinetic;      /* out */
    size_t vertices_evaluated;      /* out */
    uint32_t subtrees_built;        /* out: of a tree that was kept otherwise */
    size_t nodes_updated;           /* out */
    bool did_survey;                /* it looked at the wear of the tree */
    wi_tree_quality quality;        /* what it saw */
} wi_update;

static inline bool wi_update_is_bounded(const wi_update *u)
{
    return u->known == WI_KNOWN_BOUNDED || u->known == WI_KNOWN_MEASURED;
}

/* What `take` saw is of no use: the update bounds in another way. */
static inline void wi_update_forget_bounds(wi_update *u)
{
    if (wi_update_is_bounded(u)) u->known = WI_KNOWN_NOTHING;
}

/* The tree is new, or new in parts: wi_update_build_or_renew has computed all boxes. */
static inline bool wi_update_is_fresh(const wi_update *u)
{
    return u->outcome == WI_OUTCOME_RENEWED_PARTS || u->outcome == WI_OUTCOME_BUILT;
}

/* Only nodes that are touched need new boxes. */
static inline bool wi_update_is_partial(const wi_update *u)
{
    return u->known == WI_KNOWN_PARTIAL && !wi_update_is_fresh(u);
}

/* What a method does. Its number and its name are its lines in tree.h and in the list of method.c.
 */
typedef struct wi_method_ops {
    /* It reads flight plans itself, or stores their positions, or the same for morphs; for others
     * that is done before. */
    bool reads_plans, reads_morphs;

    /* It takes edits of the mesh over into the tree. For others it is built afresh. */
    bool follows_edits;

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

/* Leaves a tree that came to be otherwise, and whose boxes are true, as wi_update_build_or_renew
 * leaves one that it built. */
void wi_update_note_built(wi_tree *h);

/* After wi_update_build_or_renew has renewed the tree: says when decay is looked for next, by how
 * much better the boxes that are computed now are than the old ones. */
void wi_update_schedule_survey(wi_update *u);

const wi_method_ops *wi_method_ops_for(willow_method method);

/* Replaces AUTO and 0 by what they stand for, but for the method, which its functions choose, for
 * hybrid_level and for margin; BAD_ARGUMENT with a reason for values out of range. */
willow_result wi_tree_def_resolve(willow_tree_def *def, wi_message *message);

#endif
