/* leaf_tris.h - two triangles of leaves wait for the wide filter; for kernels. */
#ifndef WI_WALK_LEAF_TRIS_H
#define WI_WALK_LEAF_TRIS_H

#include "prim/tri_tri.h"
#include "walk/leaf_block.h"
#include "walk/walk.h"

/* The triangles of a leaf, wherever its positions are kept. */
typedef struct wi_leaf_tris {
    const uint32_t *slots;
    const uint32_t *vertices;    /* vertex numbers */
    const uint8_t (*corners)[3]; /* which of the vertices */
    const float (*points)[4];    /* positions, one per vertex */
} wi_leaf_tris;

static inline wi_leaf_tris wi_block_tris(const wi_leaf_block *block)
{
    return (wi_leaf_tris){block->slots, block->vertices, block->corners,
                          (const float(*)[4])block->points};
}

/* How the triangles of two leaves are related: of two bodies, of one whose kin are listed and left
 * to its stars, or of one whose kin are not. A constant where it is inlined. */
typedef enum wi_kinship { WI_OF_TWO_BODIES, WI_KIN_LISTED, WI_KIN_UNLISTED } wi_kinship;

#define WI_FOR_EACH_KINSHIP static inline __attribute__((always_inline))

static inline void wi_copy_corners(const wi_leaf_tris *from, unsigned tri, const uint8_t order[3],
                                   wi_tri8 *out, unsigned lane)
{
    const uint8_t *corners = from->corners[tri];
    for (int i = 0; i < 3; i++)
        wi_quad_store(out->corner[i][lane], wi_quad_load(from->points[corners[order[i]]]));
}

static inline bool wi_add_candidate(wi_walk *walk, unsigned shared, const wi_leaf_tris *a,
                                    unsigned tri_a, const uint8_t order_a[3], const wi_leaf_tris *b,
                                    unsigned tri_b, const uint8_t order_b[3], wi_pair_key key)
{
    wi_candidates *c = &walk->candidates[shared];
    const unsigned lane = c->count;
    wi_copy_corners(a, tri_a, order_a, &c->a, lane);
    wi_copy_corners(b, tri_b, order_b, &c->b, lane);
    c->key[lane] = key;
    c->count = lane + 1;
    return lane + 1 < WI_LANES || wi_walk_decide(walk, shared);
}

static inline bool wi_add_strangers(wi_walk *walk, const wi_leaf_tris *a, unsigned tri_a,
                                    const wi_leaf_tris *b, unsigned tri_b, wi_pair_key key)
{
    const uint8_t in_order[3] = {0, 1, 2};
    return wi_add_candidate(walk, 0, a, tri_a, in_order, b, tri_b, in_order, key);
}

/* Of one body whose kin are not listed: they may share vertices. */
static inline bool wi_add_relatives(wi_walk *walk, const wi_leaf_tris *a, unsigned tri_a,
                                    const wi_leaf_tris *b, unsigned tri_b, wi_pair_key key)
{
    uint32_t vertices_a[3], vertices_b[3];
    uint8_t order_a[3], order_b[3];
    for (int i = 0; i < 3; i++) {
        vertices_a[i] = a->vertices[a->corners[tri_a][i]];
        vertices_b[i] = b->vertices[b->corners[tri_b][i]];
    }
    unsigned shared = wi_share_order(vertices_a, vertices_b, order_a, order_b);
    if (shared > 0 && walk->rules.skip_neighbours) return true;
    if (shared == 3) {
        walk->stats.triangle_tests++;
        return wi_array_push(walk->memory, &walk->keys, key);
    }
    return wi_add_candidate(walk, shared, a, tri_a, order_a, b, tri_b, order_b, key);
}

WI_FOR_EACH_KINSHIP bool wi_add_two(wi_walk *walk, const wi_leaf_tris *a, unsigned tri_a,
                                    const wi_leaf_tris *b, unsigned tri_b, wi_kinship kind)
{
    const uint32_t slot_a = a->slots[tri_a], slot_b = b->slots[tri_b];
    if (kind != WI_OF_TWO_BODIES && !wi_walk_tests(walk, slot_a, slot_b)) return true;
    const wi_pair_key key = kind == WI_OF_TWO_BODIES ? wi_pair_key_of(slot_a, slot_b)
                                                     : wi_pair_key_within(slot_a, slot_b);
    return kind == WI_KIN_UNLISTED ? wi_add_relatives(walk, a, tri_a, b, tri_b, key)
                                   : wi_add_strangers(walk, a, tri_a, b, tri_b, key);
}

#endif
