/* ray_peer.h - peers that answer rays. Their names are those of peers that find pairs, since who
 * names a peer with --query rays means its rays; what they build may be something else.
 *
 * Meshes are as in peer.h, with room for four more bytes behind the positions of each. To add one:
 * a file in bench/peers/ that defines a ray_peer_def, and a line in bench/peers/ray_peer_list.c. */
#ifndef BENCH_PEERS_RAY_PEER_H
#define BENCH_PEERS_RAY_PEER_H

#include "bench/peers/peer.h"
#include "willow/query.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ray_peer_def {
    const char *name; /* of a peer_def */

    /* Builds everything for these meshes. NULL for want of memory. */
    void *(*create)(const peer_mesh *meshes, uint32_t mesh_count);
    void (*destroy)(void *peer);

    /* The positions have changed: makes the hierarchies true again. */
    bool (*update)(void *peer);

    /* The closest hit of each ray: `user_data` is the number of its mesh, `at.tri` its triangle,
     * and `t`; other members need not be set. States are those of willow_ray_state. */
    void (*cast)(void *peer, const willow_ray *rays, size_t count, willow_hit *hits,
                 uint8_t *states);

    /* Whether each ray hits anything. */
    void (*block)(void *peer, const willow_ray *rays, size_t count, uint8_t *states);

    size_t (*bytes)(const void *peer); /* held by its hierarchies */
} ray_peer_def;

/* All that were compiled in, ended by NULL. */
extern const ray_peer_def *const ray_peer_list[];

/* NULL if this peer does not answer rays. */
const ray_peer_def *ray_peer_find(const char *name);

#ifdef __cplusplus
}
#endif
#endif
