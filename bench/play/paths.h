/* paths.h - the paths of a scene's bodies as data, and a pass that follows them.
 *
 * Bodies that move by keyframes or plans (scene_motion) have known paths: Willow can be given these
 * once. Peers cannot, so positions have to be made for them in every frame, which is one pass over
 * all vertices: path_follower_go. Both read the same data, and positions are the bits of
 * scene_positions. */
#ifndef BENCH_PLAY_PATHS_H
#define BENCH_PLAY_PATHS_H

#include "scenes/scenes.h"

/* Whether the paths of this body are known; of any body. */
bool scene_body_has_path(const scene *s, uint32_t body);

/* True if the scene knows that the body never moves. */
bool scene_body_stands(const scene *s, uint32_t body);
bool scene_has_paths(const scene *s);

/* The time of a frame on the clock of the paths: that of the scene, or the number of the frame. */
double scene_path_time(const scene *s, uint32_t frame);

/* Keyframes of all bodies that have them. */
typedef struct paths {
    const scene *scene;
    uint32_t key_count;
    double *key_times;
    float **keys; /* by body: x, y, z of all vertices, keyframe after keyframe; NULL without */
} paths;

/* As many keyframes as the first `frames` frames need. The scene must outlive them. False for want
 * of memory; destroy them in any case. */
bool paths_create(paths *p, const scene *s, uint32_t frames);
void paths_destroy(paths *p);

/* Somebody on the way along them: time only goes on. */
typedef struct path_ray path_ray;
typedef struct path_follower {
    const paths *paths;
    path_ray **rays; /* by body: of bodies with plans, else NULL */
    size_t *next;    /* by body: the first change of its plan that is still to come */
} path_follower;

/* Begins in frame 0, where bodies with plans are at `starts`. False for want of memory; destroy it
 * in any case. */
bool path_follower_create(path_follower *f, const paths *p, float *const *starts);
void path_follower_destroy(path_follower *f);

/* Writes where all bodies with known paths are at that frame; not before the last one. */
void path_follower_go(path_follower *f, uint32_t frame, float *const *out);

#endif
