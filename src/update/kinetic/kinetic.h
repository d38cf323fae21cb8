/* kinetic.h - a tree that follows plans: by straight boxes, or by knowing which vertices are the
 * ends of its boxes.
 *
 * Straight boxes (update/kinetic/straight_boxes.h) are all that it needs if its events are of no
 * interest. Else there are items and certificates. Items are nodes, then leaves. An item has six
 * ends: lower x, y, z, then upper x, y, z. Each end is a vertex, named by its place, and has a
 * certificate: no other vertex below the item is beyond it. The slot 6 * item + end is the event at
 * which that fails, in a queue. update/kinetic/certificates.h keeps all of this true; here is what
 * it is kept in. */
#ifndef WI_UPDATE_KINETIC_KINETIC_H
#define WI_UPDATE_KINETIC_KINETIC_H

#include "base/check.h"
#include "base/containers/event_queue.h"
#include "update/kinetic/box_changes.h"
#include "update/kinetic/boxtree_parts.h"
#include "update/kinetic/straight_boxes.h"
#include "update/refit/packed_boxes.h"

enum { WI_MOST_DEPTH = 128 };

_Static_assert((int)WI_ENDS == (int)WI_QUEUE_GROUP, "ranks are of items");

_Static_assert((int)WI_MOST_DEPTH <= (int)UINT8_MAX + 1, "depths are bytes");

/* Which vertices have another path than before. */
typedef struct wi_path_changes {
    uint32_t place_count;
    uint32_t *first_leaf; /* by place, and one more: in `leaves`. NULL where boxes go straight */
    uint32_t *leaves;     /* those that a vertex is in, vertex after vertex */
    uint32_t leaf_entries;
    uint64_t *is_changed; /* a bit for each place */
    uint32_t *places;     /* those that changed, in the order of the calls */
    uint32_t count;
} wi_path_changes;

/* In the place of a vertex: none is known. */
#define WI_NO_HEIR UINT32_MAX

/* All that an event looks at, in one cache line. */
typedef struct wi_kinetic_item {
    _Alignas(64) uint32_t ends[WI_ENDS]; /* places */
    /* For ends that have an event: who is the end after it until the next keyframe, or WI_NO_HEIR.
     */
    uint32_t heirs[WI_ENDS];
    uint32_t parent; /* a node; the root names itself */
    uint32_t next;   /* one more than the next item in its list, 0 at the end */

    /* Masks of ends. While an item is in a list: whose certificates have to be looked at, and which
     * have had an event. On keyframes: which are the ends in the next one, too, so that until then
     * nothing below can make another of them. */
    uint8_t check, due, certain;
    uint8_t rise; /* how many changes, one above the other, have come up to it */
    uint8_t depth;
} wi_kinetic_item;

_Static_assert(sizeof(wi_kinetic_item) == 64, "a cache line");

typedef struct wi_kinetic {
    wi_straight_boxes straight; /* or none, and all of this */
    wi_packed_boxes packed;     /* lists of narrow trees that have these */
    uint32_t node_count, leaf_count;
    wi_kinetic_item *items;
    uint32_t *children;   /* by node: items, `arity` each, of which child_count are there */
    uint8_t *child_count; /* by node */
    uint32_t *ranks;      /* by item: leaves first, the deepest of each kind first */
    uint32_t arity;
    wi_event_queue queue;
    wi_boxtree box; /* the tree is a BoxTree, and has no items; else none */

    uint32_t first_pending[WI_MOST_DEPTH]; /* lists of items to look at again, by depth */

    /* On keyframes: by node its box in the next one: lower, upper, each with a float to spare. */
    float (*key_boxes)[8];
    bool knows_certain; /* else no end is certain */

    /* Of trees of arity 8: by node, found when it is opened first after a keyframe or a change of
     * an end below it; and a number for the keyframes that they are from, or 0. Under the claim of
     * the node (update/claim.h). */
    wi_end_lanes *lanes;
    uint32_t *lanes_key;

    wi_path_changes changes; /* none until plans change while the tree is kept */
    wi_box_changes boxes;    /* not of a BoxTree */
    double time;             /* that all of it is true for */
    double width;            /* by how much boxes are wider then than their ends say */
    bool is_set_up;          /* else there is only room */
    size_t fresh_values;     /* ends that changed since the tree was looked at for decay */
} wi_kinetic;

/* Room for the items of the tree of `h`. False if there is no memory; there is none then. */
bool wi_kinetic_make(wi_memory *memory, const wi_tree *h, wi_kinetic *kinetic);
void wi_kinetic_free(wi_memory *memory, wi_kinetic *kinetic);
size_t wi_kinetic_bytes(const wi_kinetic *kinetic);

/* Before paths change: makes room to note that. False if there is no memory. */
bool wi_kinetic_listen(wi_memory *memory, const wi_tree *h, wi_kinetic *kinetic);

/* Lists from now on which boxes take another course. If there is no memory for that all do, time
 * and again, which is as true. */
void wi_kinetic_report_boxes(wi_memory *memory, const wi_tree *h);

/* The vertex at a place has another path. */
void wi_kinetic_note(wi_kinetic *kinetic, uint32_t place);

/* All have: it has to be set up again. */
void wi_kinetic_forget(wi_kinetic *kinetic);

/* All that changed is known to the certificates. */
void wi_kinetic_clear_changes(wi_kinetic *kinetic);

static inline bool wi_kinetic_has_changed(const wi_kinetic *kinetic, uint32_t place)
{
    const uint64_t *bits = kinetic->changes.is_changed;
    WI_ASSERT(bits == NULL || place < kinetic->changes.place_count);
    return bits && (bits[place / 64] >> place % 64 & 1) != 0;
}

/* So many paths have changed that it is cheaper to begin anew. */
static inline bool wi_kinetic_has_many_changes(const wi_kinetic *kinetic)
{
    WI_ASSERT(kinetic->changes.count <= kinetic->changes.place_count);
    enum { MANY = 4 }; /* in parts of all vertices */
    return kinetic->changes.count > kinetic->changes.place_count / MANY;
}

/* NULL, or the words for what is broken: in its lists, not in its certificates. */
const char *wi_kinetic_validate(const wi_tree *h, const wi_kinetic *kinetic);

/* The keeper whose state this is. */
extern const wi_keeper_ops wi_kinetic_keeper;

/* Of a tree that follows plans now. */
static inline wi_kinetic *wi_kinetic_of(const wi_tree *h)
{
    WI_ASSERT(h->boxes.acting.ops == &wi_kinetic_keeper && h->boxes.acting.state);
    return h->boxes.acting.state;
}

/* The same, or NULL if it does not. */
static inline const wi_kinetic *wi_kinetic_found(const wi_tree *h)
{
    return h->boxes.acting.ops == &wi_kinetic_keeper ? h->boxes.acting.state : NULL;
}

#endif
