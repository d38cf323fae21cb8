/* peer_list.c - the peers that this build has. CMake says which libraries it found. */
#include "bench/peers/peer.h"

#include <string.h>

#ifdef BENCH_HAS_FCL
#    define FCL_PEERS(X)                                                                           \
        X(fcl_aabb_refit)                                                                          \
        X(fcl_aabb_rebuild)                                                                        \
        X(fcl_aabb_documented)                                                                     \
        X(fcl_kdop18_refit)                                                                        \
        X(fcl_kdop18_rebuild)                                                                      \
        X(fcl_obbrss_refit)                                                                        \
        X(fcl_obbrss_bottom_up)                                                                    \
        X(fcl_obbrss_rebuild)                                                                      \
        X(fcl_obbrss_documented)
#else
#    define FCL_PEERS(X)
#endif

#ifdef BENCH_HAS_EMBREE
#    define EMBREE_PEERS(X) X(embree_refit) X(embree_rebuild)
#else
#    define EMBREE_PEERS(X)
#endif

#ifdef BENCH_HAS_BULLET
#    define BULLET_PEERS(X)                                                                        \
        X(bullet_dbvt_refit)                                                                       \
        X(bullet_dbvt_reinsert)                                                                    \
        X(bullet_gimpact_float)                                                                    \
        X(bullet_gimpact_quantized)
#else
#    define BULLET_PEERS(X)
#endif

#ifdef BENCH_HAS_CGAL
#    define CGAL_PEERS(X) X(cgal_boxes) X(cgal_boxes_documented) X(cgal_self_intersections)
#else
#    define CGAL_PEERS(X)
#endif

#define PEERS(X) X(plain) FCL_PEERS(X) EMBREE_PEERS(X) BULLET_PEERS(X) CGAL_PEERS(X)

#define PEER_DECLARATION(name) extern const peer_def peer_##name;
PEERS(PEER_DECLARATION)

#define PEER_ADDRESS(name) &peer_##name,
const peer_def *const peer_list[] = {PEERS(PEER_ADDRESS) NULL};

const peer_def *peer_find(const char *name)
{
    for (const peer_def *const *peer = peer_list; *peer != NULL; peer++) {
        if (strcmp((*peer)->name, name) == 0) {
            return *peer;
        }
    }
    return NULL;
}

const char *peer_lacks(const peer_def *peer, peer_question question, uint32_t body_count,
                       bool any_self)
{
    if (any_self && (peer->lacks & PEER_LACKS_SELF) != 0) {
        return "pairs within a body";
    }
    if (question != PEER_SELF && body_count > 1 && (peer->lacks & PEER_LACKS_BETWEEN) != 0) {
        return "pairs between bodies";
    }
    return NULL;
}
