/* player.h - a scene played through a world: one body per body of the scene, frame by frame.
 *
 * The positions of the current frame are in the caller's arrays, as those of a simulation would be:
 * whoever plays fills them (scene_arrays_fill), lets the player prepare what goes with them, and
 * then lets it go there. So a bench can make all that before the clock starts. Bodies whose paths
 * are known can be given these once instead: player_create_on_paths. Bodies that are morphs can be
 * given as such, with `morphs` among the options: their targets once, then weights and poses. */
#ifndef BENCH_PLAY_PLAYER_H
#define BENCH_PLAY_PLAYER_H

#include "bench/play/engine.h"
#include "bench/play/float_skins.h"
#include "bench/play/paths.h"
#include "bench/play/watches.h"
#include "scenes/scenes.h"
#include "willow/willow.h"

/* One array of positions per body of the scene. NULL for want of memory. */
float **scene_arrays_create(const scene *s);
void scene_arrays_destroy(const scene *s, float **arrays);
void scene_arrays_fill(const scene *s, uint32_t frame, float **arrays);

/* A layer that suits such meshes: a fifth of the mean length of their edges; 0 if there are none.
 */
double scene_arrays_thickness(const scene *s, float *const *arrays);

/* Where all bodies are in one frame. */
typedef struct player_place {
    float *const *positions; /* by body: the caller's arrays */
    willow_pose *pose;       /* by body: where it stands in the frame that was prepared */
    float **model;           /* by body: positions without the pose, for those that have one */
} player_place;

typedef struct player {
    const scene *scene;
    player_place now, next; /* `next` only for trial steps: of the frame behind that of `now` */
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id *bodies; /* by body of the scene */
    bool has_watches;       /* pairs are asked for through these: */
    watch_set watches;      /* of bodies with themselves and with later ones */
    engine_poses poses;
    float **moved;       /* by body: room for positions that are moved on the way */
    bool has_plans;      /* bodies whose paths are known have flight plans, or are about to */
    bool has_morphs;     /* bodies that are morphs are given as such */
    float_skins *skins;  /* how vertices of skins are made; NULL: in double */
    const paths *paths;  /* NULL: all bodies get positions in every frame */
    size_t *next_change; /* by body: the first change of its plan that is still to come */
    double time;         /* of the last update */
    uint32_t lives_at;   /* the frame whose triangles bodies have that have lives */
    willow_query_options query;
    char message[256]; /* why something failed */
} player;

/* Makes the world with the bodies where the arrays have them in `frame`, and updates it. `self`
 * says by body whether pairs within it are asked for. The scene and the arrays must outlive the
 * player. False on failure; destroy it in any case. */
bool player_create(player *p, const scene *s, uint32_t frame, float *const *positions,
                   const bool *self, const engine_options *engine);

/* The same in frame 0, with `plans` among the options: all bodies whose paths are known are given
 * these as flight plans, with all that is set then. `report`, of the first update, may be NULL. The
 * paths must outlive the player. Frames only go on, and of the arrays of these bodies only targets
 * are read after this. False on failure; destroy it in any case. */
bool player_create_on_paths(player *p, const scene *s, const paths *known, float *const *positions,
                            const bool *self, const engine_options *engine,
                            willow_update_report *report);

void player_destroy(player *p);

/* Adds what one update did to a sum. */
void player_add_report(willow_update_report *sum, const willow_update_report *one);

/* Makes what a simulation would have beside the arrays: poses, and positions without them. */
void player_prepare(player *p, uint32_t frame);

/* Before trial steps: where the caller has the positions of the next frame. player_prepare, for a
 * frame that is not the last, then prepares these too. False for want of memory. */
bool player_take_targets(player *p, float *const *positions);

/* Moves every body to where the arrays have it now, and updates the world; `report` may be NULL.
 * Bodies that follow paths only get the changes of their plans since the last frame, each at its
 * own time, so that a change between two frames takes an update more. False on failure. */
bool player_go(player *p, uint32_t frame, willow_update_report *report);

/* The same, and gives every body a trial step to where it is in the next frame. */
bool player_go_and_aim(player *p, uint32_t frame, willow_update_report *report);

/* The trial step alone, of bodies that are there already. */
bool player_aim(player *p, uint32_t frame, willow_update_report *report);

/* Pairs between bodies and within those that were made with self; within these only. Through the
 * watches, if there are some. False on failure. */
bool player_find_pairs(player *p, willow_pairs *out);
bool player_find_self_pairs(player *p, willow_pairs *out);
bool player_find_first_pair(player *p, willow_first_pair *out);

/* Notes why an asked question failed, and is false. */
bool player_fail_asking(player *p, willow_result result);

/* The number that a body has in the scene. */
uint32_t player_body_number(const player *p, willow_body_id id);

#endif
