/* clip_player.h - a clip played through a world: one body for each of its bodies, by the motion
 * that its file knows.
 *
 *   STILL   made, and never moved
 *   RIGID   willow_body_set_pose
 *   MORPH   targets once, then weights and poses
 *   SKIN    targets and the skin once, then weights and joints
 *   FRAMES  willow_body_set_vertices; made anew where the triangles are others
 *
 * A body whose state is that of the sample before is not touched, so that trees, and pairs within
 * it, are kept. One that is hidden in a sample meets nothing there, and has no step to or from it.
 * Samples may come in any order. */
#ifndef BENCH_PLAY_CLIP_PLAYER_H
#define BENCH_PLAY_CLIP_PLAYER_H

#include "bench/play/engine.h"
#include "bench/play/memory_limit.h"
#include "bench/play/watches.h"
#include "io/clip.h"
#include "willow/willow.h"

/* Which part a body of the clip plays. */
typedef struct clip_role {
    bool is_played;
    bool self;              /* pairs within it are asked for */
    uint64_t category_bits; /* as those of willow_body_def */
    uint64_t mask_bits;
} clip_role;

/* What a body was given last. */
typedef struct clip_given clip_given;

typedef struct clip_player {
    const clip *clip;
    const clip_role *roles; /* by body */
    engine_options engine;
    bool keeps_rest;
    memory_limit *memory; /* what the world and the scratch have */
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id *bodies; /* by body of the clip; null: it is not played */
    clip_given *given;      /* the same */
    watch_set watches;
    willow_query_options query;
    uint32_t remade;   /* bodies that were made anew, since their triangles changed */
    uint32_t hidden;   /* how often a body was left out, since it is hidden in a sample */
    char message[256]; /* why something failed */
} clip_player;

typedef struct clip_player_def {
    const clip *clip;
    const clip_role *roles;
    const engine_options *engine;
    bool keeps_rest;     /* bodies keep their rest shape: see skip_close_at_rest */
    size_t memory_limit; /* bytes for bodies and what is found; 0: CLIP_PLAYER_MEMORY */
} clip_player_def;

/* 4 GB, which is also what readers may take. */
#define CLIP_PLAYER_MEMORY ((size_t)4 << 30)

/* Makes the world with the bodies as they are in this frame, and updates it. Clip and roles must
 * outlive the player. False on failure; destroy it in any case. */
bool clip_player_create(clip_player *p, const clip_player_def *def, const clip_frame *frame);

/* The same with all bodies at rest: without offsets, joints as they were bound, positions as in the
 * first sample; under the poses of this frame (clip_skin_at_rest). */
bool clip_player_create_at_rest(clip_player *p, const clip_player_def *def,
                                const clip_frame *frame);
void clip_player_destroy(clip_player *p);

/* Makes positions where the library is given these and the file has something else: work of the
 * caller, not of the library. Before clip_player_go or clip_player_aim to that frame. */
void clip_player_prepare(clip_player *p, const clip_frame *frame);

/* Moves bodies to where they are in that frame, and updates the world. False on failure. */
bool clip_player_go(clip_player *p, const clip_frame *frame);

/* Gives bodies a trial step from where they are to where they are in that frame, and updates the
 * world. `*can_step` is false if there is no such step, since triangles are others then. */
bool clip_player_aim(clip_player *p, const clip_frame *frame, bool *can_step);

/* Pairs between bodies and within those with self, through the watches if there are some. */
bool clip_player_find_pairs(clip_player *p, willow_pairs *out);

/* Notes why an asked question failed, and is false. */
bool clip_player_fail_asking(clip_player *p, willow_result result);

/* The number that a body has in the clip. */
uint32_t clip_player_number(const clip_player *p, willow_body_id id);

/* The mesh that a body has in the world now; that of the clip, or that of the last frame. */
const clip_mesh *clip_player_mesh(const clip_player *p, uint32_t body);

#endif
