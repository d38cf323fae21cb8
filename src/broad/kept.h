/* kept.h - a broad phase that is kept from step to step: boxes in, pairs, events and searches out.
 *
 * Ways in: wi_kept_init, then wi_kept_update in every step, then the const functions, from any
 * number of threads (C9). Each kind is a table of functions and a state that belongs to it alone;
 * all that kinds have in common (boxes, sorted pairs, events, AUTO) is here. A world or a
 * willow_broad_phase owns one. Masks are left to the caller.
 *
 * A box is its number; an empty box is dead and meets nothing. In two dimensions all boxes have the
 * extent [0, 0] in z. An update fails only when out of memory; boxes are then taken, the phase is
 * stale, and the next update goes on, from boxes alone (C6). */
#ifndef WI_BROAD_KEPT_H
#define WI_BROAD_KEPT_H

#include "broad/broad.h"
#include "broad/probe.h"
#include "broad/slack.h"

typedef struct wi_kept wi_kept;

/* Which boxes may be others than in the last update. */
typedef struct wi_kept_change {
    const uint32_t *numbers; /* upwards, each once, if not `all` */
    uint32_t count;
    bool all;       /* nothing is known: what the state was made for may be gone */
    bool same_live; /* the same boxes live as before */
    bool has_more;  /* there are more numbers than before, perhaps of empty boxes */
} wi_kept_change;

typedef struct wi_kept_ops {
    size_t state_size; /* allocated with zeros */

    /* Makes the state true for kept->boxes; false if there is no memory. */
    bool (*update)(wi_kept *kept, const wi_kept_change *change);

    /* Adds all pairs that meet, in any order, a < b; false if there is no memory. */
    bool (*pairs)(wi_kept *kept, wi_body_pairs *out);

    /* NULL, or for kinds that learn in an update what begins and what ends: gives both, sorted or
     * not, some of them twice; false if this update was none of those. kept.c then does not ask for
     * all pairs. */
    bool (*events)(wi_kept *kept, wi_body_pairs **begun, wi_body_pairs **ended);

    /* Adds the boxes that a probe meets, each once, in any order; false if there is no memory. */
    bool (*find)(const wi_kept *kept, wi_memory *memory, const wi_probe *probe,
                 wi_body_numbers *out);

    void (*count)(const wi_kept *kept, willow_broad_stats *out); /* entries, nodes, levels */
    const char *(*validate)(const wi_kept *kept);
    void (*free)(wi_kept *kept);
} wi_kept_ops;

/* What AUTO has counted, of how boxes are and what becomes of them. */
typedef struct wi_kept_census {
    bool is_spread;   /* sizes differ much */
    uint32_t living;  /* when sizes were looked at */
    uint32_t age;     /* updates until they are looked at again */
    uint32_t lasting; /* updates since a box was born or died */
} wi_kept_census;

struct wi_kept {
    wi_memory *memory;
    willow_broad wanted, acting; /* the second is AUTO before the first update */
    willow_kernel kernel;        /* not AUTO */
    uint32_t dimensions;
    double cell;            /* COMPRESSED_TREE: the smallest edge of a cell, or 0: chosen */
    willow_upkeep upkeep;   /* COMPRESSED_TREE */
    const wi_kept_ops *ops; /* of `acting` */
    void *state;

    wi_box *boxes; /* by number, as the acting kind knows them: given ones, or larger ones */
    wi_box *given; /* the same array where there is no slack */
    wi_slack slack;
    wi_kept_census census; /* AUTO */
    uint32_t count, capacity;
    uint32_t living; /* boxes that are not empty */
    bool is_lost;    /* an update failed: nothing but boxes is known */
    bool has_update; /* one succeeded */
    bool same_live;  /* since the last update no box was born and none died */

    wi_body_pairs pairs, begun, ended; /* of the last update that succeeded, sorted */
    wi_body_pairs next;                /* where pairs are gathered */
    wi_body_pairs found;               /* of a few boxes that changed */
    WI_ARRAY(uint64_t) keys;           /* where they are sorted */
    wi_body_numbers changed;
    wi_body_numbers met;      /* what a box that changed meets */
    WI_ARRAY(uint8_t) is_new; /* by box: it changed in this update */
    size_t candidates, rebuilds;
};

/* Whether so few boxes changed that their pairs are searched for one by one, and all others stay.
 */
static inline bool wi_kept_is_few(const wi_kept *kept, const wi_kept_change *change)
{
    enum { SHARE = 8 };
    return !change->all && change->count <= kept->living / SHARE;
}

/* What an update is told: boxes as floats, 2 * dimensions each, lower bounds first. */
typedef struct wi_kept_input {
    const void *boxes;
    size_t stride;
    uint32_t count;
    const uint32_t *changed; /* or NULL: all may be others */
    uint32_t changed_count;
} wi_kept_input;

void wi_kept_init(wi_kept *kept, wi_memory *memory, willow_broad wanted, willow_kernel kernel,
                  uint32_t dimensions);
void wi_kept_free(wi_kept *kept);

/* The box with this number as an update would take it. */
wi_box wi_kept_read(const wi_kept *kept, const wi_kept_input *input, uint32_t number);

/* Numbers in `changed` are below the count; boxes are no NaN. False if there is no memory. */
bool wi_kept_update(wi_kept *kept, const wi_kept_input *input);

static inline bool wi_kept_is_stale(const wi_kept *kept) { return kept->is_lost; }

/* Fills *out, which is empty, with the boxes that a probe meets, in order. */
bool wi_kept_find(const wi_kept *kept, wi_memory *memory, const wi_probe *probe,
                  wi_body_numbers *out);

/* Fills *out, which is empty, with the pairs of which a, widened, meets b; sorted. */
bool wi_kept_find_near(const wi_kept *kept, wi_memory *memory, double distance, wi_body_pairs *out);

willow_broad_stats wi_kept_stats(const wi_kept *kept);

/* NULL, or the words for the invariant that is broken (B5 on). */
const char *wi_kept_validate(const wi_kept *kept);

/* What AUTO stands for with these boxes; once in an update, when they are taken. */
willow_broad wi_kept_choose(wi_kept *kept);

/* For the kinds: room for `count` items of a state's block; false if there is no memory, and it is
 * as it was. What was in it is lost. */
bool wi_kept_block(wi_kept *kept, void **block, size_t *capacity, size_t count, size_t item_size);

extern const wi_kept_ops wi_kept_all_pairs, wi_kept_linear_bvh, wi_kept_sweep_and_prune,
    wi_kept_compressed_tree;
extern const wi_kept_ops wi_kept_one_axis_scalar, wi_kept_one_axis_avx2;
extern const wi_kept_ops wi_kept_grid_scalar, wi_kept_grid_avx2;

#endif
