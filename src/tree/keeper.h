/* keeper.h - who keeps the boxes of a tree true: a table of functions and a state of its own.
 *
 * A keeper is one way to know boxes: from patches that a query bounds when it opens them (lazy),
 * from boxes side by side (packed), from events or straight boxes (kinetic), from blended shapes,
 * from a user's function. State and behaviour of each are in a folder of src/update. A method
 * (update/method.h) says which keeper a tree has and what an update does; AUTO's keeper owns
 * several others and lets one of them act. Nobody looks into another's state, and nobody frees it:
 * wi_tree_keep_by does. */
#ifndef WI_TREE_KEEPER_H
#define WI_TREE_KEEPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/memory.h"
#include "geom/box.h"
#include "willow/stats.h"

struct wi_tree;
struct wi_keeper_ops;

typedef struct wi_keeper {
    const struct wi_keeper_ops *ops;
    void *state; /* of this keeper alone; NULL until there is something to keep */
} wi_keeper;

/* What a keeper knows that makes a survey of the tree (update/auto/tree_quality.h) cheaper or more
 * exact. */
typedef struct wi_survey_hints {
    const uint32_t *last_node; /* by node: the first behind those below it; NULL: not known */
    uint32_t margin_level;     /* nodes from this depth on may have a margin, */
    uint64_t margin_since;     /* those with a stamp from here on; UINT64_MAX: none */
} wi_survey_hints;

/* They are called only if there is a state. Functions that are NULL stand for "nothing to do"; but
 * every keeper with a state has the first three. */
typedef struct wi_keeper_ops {
    const char *name;

    /* Gives the state back, or only what it knows of a tree that is no more. */
    void (*free)(wi_memory *memory, struct wi_tree *h, void *state);
    void (*forget)(wi_memory *memory, struct wi_tree *h, void *state);
    size_t (*bytes)(const void *state);

    /* NULL, or the words for the invariant that is broken: of the state; and of a node below an
     * open one, whose box is given. Without the second one the box contains the stored boxes of
     * that node. */
    const char *(*validate)(const struct wi_tree *h, const void *state);
    const char *(*validate_node)(const struct wi_tree *h, const void *state, uint32_t node,
                                 const wi_box *box);

    /* No box is made of those below, and `validate`, or a check of its own, looks at them. */
    bool checks_nodes;

    /* Boxes are what the user says: they cannot be validated. */
    bool is_bounded_by_user;

    /* A tree that was built for all shapes of its body is worn by none, and what it knows took
     * longer to find than a tree takes to build. NULL: false. */
    bool (*never_decays)(const void *state);

    /* What a refit reads and writes of each node; 0: the node. */
    size_t refit_node_bytes;

    /* A vertex has been moved, of a few. */
    void (*move_vertex)(const struct wi_tree *h, void *state, uint32_t place);

    /* Before paths of a few vertices change: makes room to note it, or returns false; a path has
     * changed; all have, or there are none any more. */
    bool (*reserve_path_changes)(wi_memory *memory, const struct wi_tree *h, void *state);
    void (*note_path)(void *state, uint32_t place);
    void (*forget_paths)(void *state);

    wi_survey_hints (*survey_hints)(const void *state);

    /* Opens nodes at the end of a step of the body, too, whose tree is `end`: with a state of
     * `end_size` bytes for it, which holds nothing that has to be freed. NULL: all boxes of the end
     * have to be computed. */
    void (*act_at_end)(const void *state, struct wi_tree *end, void *end_state);
    size_t end_size;

    /* False if there is no memory. */
    bool (*kinetic_stats)(wi_memory *memory, const struct wi_tree *h, const void *state,
                          willow_kinetic_stats *out);
} wi_keeper_ops;

#endif
