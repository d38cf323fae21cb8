/* peer.h - one table per peer library, so that the bench can run it beside Willow.
 *
 * A peer gets the same meshes and, every frame, the same positions. It reports triangle pairs by
 * body and triangle number; the bench sorts and compares them outside of the timed part. Adapters
 * to C++ libraries implement the same table. To add one: a file in bench/peers/ that defines a
 * peer_def, and a line in bench/peers/peer_list.c; for a C++ library, bench/peers/adapter.h does
 * most of it and cmake/peers.cmake finds the library. */
#ifndef BENCH_PEERS_PEER_H
#define BENCH_PEERS_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct peer_mesh {
    const float *positions; /* x, y, z, tightly packed; read in place, stays until destroy */
    uint32_t vertex_count;
    const uint32_t *indices; /* three per triangle */
    uint32_t triangle_count;
    bool self; /* report pairs within this body too */
} peer_mesh;

typedef struct peer_pair {
    uint32_t body_a, body_b; /* body_a <= body_b */
    uint32_t tri_a, tri_b;   /* tri_a < tri_b within one body */
} peer_pair;

/* A result that belongs to the peer and stays until its next query. In any order. */
typedef struct peer_pairs {
    const peer_pair *items;
    size_t count;
} peer_pairs;

typedef enum peer_question {
    PEER_PAIRS, /* between bodies, and within those with `self` */
    PEER_FIRST, /* one of these, or none */
    PEER_SELF   /* only within those with `self` */
} peer_question;

/* What a peer cannot answer; it then takes no part in runs that ask for it. */
enum {
    PEER_LACKS_BETWEEN = 1, /* pairs of two bodies */
    PEER_LACKS_SELF = 2     /* pairs within a body */
};

typedef struct peer_def {
    const char *name;    /* "peer:plain" */
    const char *summary; /* one line */
    const char *version; /* of the library; NULL: part of this project */
    unsigned lacks;      /* PEER_LACKS_ bits */
    bool loses;          /* known to lose pairs; never to invent any */

    /* Triangles of one body that share a vertex number: pairs by Willow's rule for neighbours (C2),
     * or, as by default, left out altogether. */
    bool decides_neighbours;

    /* Builds everything for these meshes. NULL for want of memory. */
    void *(*create)(const peer_mesh *meshes, uint32_t mesh_count);
    void (*destroy)(void *peer);

    /* The positions in the arrays of the meshes have changed: makes the hierarchies true again. */
    bool (*update)(void *peer);

    bool (*query)(void *peer, peer_question question, peer_pairs *out);

    size_t (*bytes)(const void *peer); /* held by its hierarchies */
} peer_def;

/* All peers that were compiled in, ended by NULL. */
extern const peer_def *const peer_list[];

const peer_def *peer_find(const char *name);

/* What the question needs that this peer lacks, in words; NULL: nothing. `any_self`: at least one
 * of the bodies has `self`. */
const char *peer_lacks(const peer_def *peer, peer_question question, uint32_t body_count,
                       bool any_self);

#ifdef __cplusplus
}
#endif
#endif
