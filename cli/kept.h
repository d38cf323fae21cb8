/* kept.h - pairs that `willow check` found, kept until all frames are played: for files that are
 * written at the end (--report, --write).
 *
 * Lists that go to standard output are printed as they come and kept nowhere. These take memory, so
 * there is a limit: each frame keeps an even share of KEPT_PAIRS, the first ones in their order. */
#ifndef CLI_KEPT_H
#define CLI_KEPT_H

#include "cli/check.h"

enum { KEPT_PAIRS = 4 << 20 };

/* Pairs of two bodies, or of one with itself, in one frame. */
typedef struct kept_run {
    uint32_t body_a, body_b; /* numbers in the clip */
    size_t first;
    uint32_t count;
} kept_run;

/* `faces` are those of the file, `tris` those of the mesh in this frame. */
typedef struct kept_pair {
    uint32_t tri_a, tri_b;
    uint32_t face_a, face_b;
} kept_pair;

typedef struct kept_frame {
    size_t first_run;
    uint32_t run_count;
    uint64_t found; /* pairs; more than are kept if these were too many */
    uint32_t kept;
} kept_frame;

typedef struct check_kept {
    kept_frame *frames; /* by sample */
    uint32_t frame_count, frame_limit;
    kept_run *runs;
    size_t run_count, run_capacity;
    kept_pair *pairs;
    float *distances; /* by pair, with --distance; else NULL */
    size_t pair_count, pair_capacity;
    uint32_t share; /* pairs that a frame keeps at most */
    bool has_distances;
} check_kept;

/* Room for so many samples. False when out of memory; destroy it in any case. */
bool check_kept_create(check_kept *k, uint32_t samples, bool has_distances);
void check_kept_destroy(check_kept *k);

/* Keeps what the next sample has. False when out of memory. */
bool check_kept_add(check_kept *k, const check_asker *a, const check_found *found);

/* The first sample of which not all pairs are kept; UINT32_MAX if there is none. */
uint32_t check_kept_first_cut(const check_kept *k);

/* Marks the triangles of a body that are in a pair of that sample: 1 in `marks`, which has one byte
 * for each and is cleared first. How many these are. */
uint32_t check_kept_mark(const check_kept *k, uint32_t sample, uint32_t body, uint8_t *marks,
                         uint32_t triangle_count);

#endif
