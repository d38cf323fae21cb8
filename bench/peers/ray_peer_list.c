/* ray_peer_list.c - the peers of this build that answer rays. */
#include "bench/peers/ray_peer.h"

#include <string.h>

#ifdef BENCH_HAS_EMBREE
#    define EMBREE_RAY_PEERS(X) X(embree_refit) X(embree_rebuild)
#else
#    define EMBREE_RAY_PEERS(X)
#endif

#define RAY_PEERS(X) X(plain) EMBREE_RAY_PEERS(X)

#define RAY_PEER_DECLARATION(name) extern const ray_peer_def ray_peer_##name;
RAY_PEERS(RAY_PEER_DECLARATION)

#define RAY_PEER_ADDRESS(name) &ray_peer_##name,
const ray_peer_def *const ray_peer_list[] = {RAY_PEERS(RAY_PEER_ADDRESS) NULL};

const ray_peer_def *ray_peer_find(const char *name)
{
    for (const ray_peer_def *const *peer = ray_peer_list; *peer != NULL; peer++) {
        if (strcmp((*peer)->name, name) == 0) return *peer;
    }
    return NULL;
}
