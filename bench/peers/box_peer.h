/* box_peer.h - peers that find pairs of boxes: broad phases of other libraries.
 *
 * Boxes are in space; those of a crowd in the plane have no extent in z. To add one: a file in
 * bench/peers/ that defines a box_peer_def, and a line in bench/peers/box_peer_list.c. */
#ifndef BENCH_PEERS_BOX_PEER_H
#define BENCH_PEERS_BOX_PEER_H

#include "willow/broad.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct box_peer_def {
    const char *name;

    /* Takes all boxes in. NULL for want of memory. */
    void *(*create)(const willow_box *boxes, uint32_t count);
    void (*destroy)(void *peer);

    /* Boxes have moved: those in `changed`, or all where it is NULL. Finds what meets. */
    bool (*update)(void *peer, const willow_box *boxes, const uint32_t *changed,
                   uint32_t changed_count);

    /* The pairs whose boxes meet, in any order, a < b or the other way; the memory is the peer's
     * until its next update. False for want of memory. */
    bool (*pairs)(void *peer, willow_broad_pairs *out);
} box_peer_def;

/* All that were compiled in, ended by NULL. */
extern const box_peer_def *const box_peer_list[];

/* NULL if there is none of this name. */
const box_peer_def *box_peer_find(const char *name);

#ifdef __cplusplus
}
#endif
#endif
