/* scenes.h - named scenes for tests, benchmarks, the tool and pictures.
 *
 * A scene is data (bodies and their triangles) and a function of the frame number: positions can
 * be asked for any frame in any order and are equal bits on every machine, since scenes use only
 * + - * / and sqrt and the sine of base/trig.h. A scene is named by a text such as
 *     bumpy:triangles=20480,frames=200,seed=3
 * with the same keys everywhere. A rigid body has a rest shape and a pose per frame; its positions
 * are the rest shape under the pose, as willow_pose_apply says. To add a scene: one file that
 * defines a scene_kind, and its line in the table of scenes.c. */
#ifndef SCENES_SCENES_H
#define SCENES_SCENES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "willow/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(key, what it means). The numbers first, then `variant`, which is a word. */
#define SCENE_NUMBERS(X)                                                                           \
    X(triangles, "triangles per body, rounded to the nearest size that the scene has")             \
    X(bodies, "how many bodies")                                                                   \
    X(frames, "how many frames the motion takes")                                                  \
    X(inbetween, "frames between two keyframes")                                                   \
    X(seed, "another number gives another scene of the same kind")

enum { SCENE_VARIANT_MAX = 32, SCENE_SPEC_MAX = 256 };

typedef struct scene_params {
#define SCENE_NUMBER_ENTRY(key, what) uint32_t key;
    SCENE_NUMBERS(SCENE_NUMBER_ENTRY)
#undef SCENE_NUMBER_ENTRY
    char variant[SCENE_VARIANT_MAX];
} scene_params;

typedef struct scene_body {
    uint32_t vertex_count;
    uint32_t triangle_count;
    uint32_t *indices; /* three per triangle */
    bool self;         /* pairs within this body are asked for */
    bool is_rigid;     /* moves by its pose alone */
} scene_body;

typedef struct scene scene;

/* One row of the table. A key that the scene does not take has the default 0 (or ""). */
typedef struct scene_kind {
    const char *name;
    const char *summary;    /* one line */
    const char *stands_for; /* the experiment */
    scene_params defaults;
    scene_params lowest, highest; /* what the numbers may be */
    const char *variants;         /* words separated by spaces; "" if there are none */

    /* Fills scene->bodies, body_count, data and params.triangles as in use; false for want of
     * memory. What it allocates is freed by scene_destroy: indices and bodies by itself, `data`
     * through `destroy` (NULL: free). */
    bool (*create)(scene *s);
    void (*destroy)(scene *s);

    /* Of bodies that are not rigid; NULL if all are. */
    void (*positions)(const scene *s, uint32_t frame, uint32_t body, float *xyz_out);

    /* Of rigid bodies: NULL for `rest` if there are none, for `pose` if they all stand still. */
    void (*rest)(const scene *s, uint32_t body, float *xyz_out);
    willow_pose (*pose)(const scene *s, uint32_t frame, uint32_t body);
} scene_kind;

struct scene {
    const scene_kind *kind;
    scene_params asked;  /* as the text said, defaults filled in */
    scene_params params; /* as in use: `triangles` rounded to a size that exists */
    uint32_t frame_count;
    uint32_t body_count;
    scene_body *bodies;
    void *data; /* of the kind */
};

/* The table, ended by NULL. */
extern const scene_kind *const scene_kinds[];

const scene_kind *scene_kind_find(const char *name);

/* Makes a scene from its text. NULL if the text is wrong or memory is short; `error` then says
 * why in one line. The caller destroys it. */
scene *scene_create(const char *spec, char *error, size_t error_size);
void scene_destroy(scene *s);

/* Writes x, y, z of every vertex of the body at that frame, in the world: of a rigid body the very
 * bits that willow_pose_apply makes of its rest positions. Any frame below frame_count, any order,
 * any thread. */
void scene_positions(const scene *s, uint32_t frame, uint32_t body, float *xyz_out);

/* The pose of the body at that frame; the identity for a body that is not rigid. Likewise any
 * frame, order and thread. */
void scene_pose(const scene *s, uint32_t frame, uint32_t body, willow_pose *out);

/* Writes x, y, z of every vertex of a rigid body before its pose; of any other body the positions
 * of frame 0. */
void scene_rest(const scene *s, uint32_t body, float *xyz_out);

/* Triangles of all bodies together. */
uint64_t scene_triangle_total(const scene *s);

#ifdef __cplusplus
}
#endif
#endif
