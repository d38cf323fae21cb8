/* event_loop.h - steps in time of a tree that is kept true by events.
 *
 * Way in: wi_event_loop_advance. An event is about an end of a box (update/kinetic/certificates.c)
 * or about a plane of a BoxTree (update/kinetic/boxtree.c), and each of these trees knows what to
 * do when it has come. When that is done is the same for both, and is here: in a batch only the
 * state at the end of the step counts, and all whose events come in it are looked at once, at its
 * end, from the deepest up; in a stream events are handled one by one at their own times. Paths
 * have corners at keyframes, all at once: there everything is looked at again, unless it has looked
 * beyond (wi_outlook). After Zachmann and Weller 2006, sections 3 to 5 and 8. */
#ifndef WI_UPDATE_KINETIC_EVENT_LOOP_H
#define WI_UPDATE_KINETIC_EVENT_LOOP_H

#include "base/check.h"
#include "update/kinetic/certify.h"
#include "update/method.h"

typedef struct wi_event_loop wi_event_loop;

/* What a tree does when its time has come: at the moment of `out`. Those that return false do so
 * for want of memory. */
typedef struct wi_event_loop_ops {
    bool (*begin)(wi_event_loop *s);            /* finds everything from nothing */
    bool (*look_at_next_key)(wi_event_loop *s); /* at a keyframe, for which everything is true:
                                                looks at everything again, until the next one */
    void (*forget_certain)(wi_event_loop *s);   /* vertices have left the keyframes */

    /* An event has come, and vertices have other paths: lists what has to be looked at by depth, in
     * wi_kinetic.first_pending. Where the vertices are compared at once, that is done at the end of
     * a batch, when all that has come by then is known. */
    void (*add_event)(wi_event_loop *s, uint32_t slot);
    bool (*add_changed)(wi_event_loop *s);
    bool compares_changed;

    /* Empties the list of a depth, looking at all that is in it; what has to be looked at because
     * of that is further up. What waits above all depths comes last; NULL if nothing ever does. */
    bool (*settle_depth)(wi_event_loop *s, unsigned depth);
    bool (*settle_root)(wi_event_loop *s);

    /* By how much boxes are wider then than their vertices say. */
    double (*width)(const wi_tree *h, double time);

    /* For small trees, after every event of a stream, in checked builds: NULL, or the words for
     * what is broken. The function may be NULL, too. */
    const char *(*check)(const wi_tree *h, const wi_moment *at);
} wi_event_loop_ops;

struct wi_event_loop {
    const wi_event_loop_ops *ops;
    wi_update *u;
    wi_tree *h;
    wi_kinetic *k;
    wi_outlook out;
    bool searches_keys; /* if asked to, and all vertices are on keyframes */
    bool sweeps;        /* they are, and everything is looked at at each of these */
    bool is_whole;      /* everything is being looked at: nobody needs to be told of changes */
};

/* Makes the tree of an update true for the moment of its mesh: from what it was at an earlier one,
 * or from nothing. There is room for it. */
willow_result wi_event_loop_advance(wi_update *u, const wi_event_loop_ops *ops, bool searches_keys);

/* Whether that would be from nothing. */
bool wi_event_loop_begins_anew(const wi_tree *h, const wi_kinetic *k);

/* Infinity: there is no event. False for want of memory. */
static inline bool wi_event_loop_set_event(wi_event_loop *s, uint32_t slot, double when)
{
    wi_event_queue *queue = &s->k->queue;
    WI_ASSERT(slot < queue->slot_count && !(when < s->out.at.time));
    if (!(when < (double)INFINITY)) {
        wi_queue_remove(queue, slot);
        return true;
    }
    if (!wi_queue_reserve(s->u->memory, queue, 1)) return false;
    wi_queue_set(queue, slot, when);
    return true;
}

/* So many certificates were looked at in one sweep. */
static inline void wi_event_loop_count_sweep(wi_event_loop *s, size_t certificates)
{
    s->u->kinetic.checked += certificates;
    s->u->kinetic.swept += certificates;
}

#endif
