/* box_peer_list.c - the peers of this build that find pairs of boxes. */
#include "bench/peers/box_peer.h"

#include <string.h>

#ifdef BENCH_HAS_BULLET
#    define BULLET_BOX_PEERS(X) X(bullet_dbvt) X(bullet_dbvt_deferred)
#else
#    define BULLET_BOX_PEERS(X)
#endif

#define BOX_PEER_DECLARATION(name) extern const box_peer_def box_peer_##name;
BULLET_BOX_PEERS(BOX_PEER_DECLARATION)

#define BOX_PEER_ADDRESS(name) &box_peer_##name,
const box_peer_def *const box_peer_list[] = {BULLET_BOX_PEERS(BOX_PEER_ADDRESS) NULL};

const box_peer_def *box_peer_find(const char *name)
{
    for (const box_peer_def *const *peer = box_peer_list; *peer != NULL; peer++) {
        if (strcmp((*peer)->name, name) == 0) return *peer;
    }
    return NULL;
}
