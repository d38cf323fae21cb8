/* scenes.h - named scenes for tests, benchmarks, the tool and pictures.
 *
 * A scene is data (bodies and their triangles) and a function of the frame number: positions can
 * be asked for any frame in any order and are equal bits on every machine, since scenes use only
 * + - * / and sqrt and the sine of base/trig.h. A scene is named by a text such as
 *     bumpy:triangles=20480,frames=200,seed=3
 * with the same keys everywhere. Where a scene knows more about a motion than its positions, it
 * hands that out too: see scene_motion. To add a scene: one file that defines a scene_kind, and its
 * line in the table of scenes.c. */
#ifndef SCENES_SCENES_H
#define SCENES_SCENES_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "willow/types.h"
#include "willow/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(key, what it means). The numbers first, then `variant`, which is a word. */
#define SCENE_NUMBERS(X)                                                                           \
    X(triangles, "triangles per body, rounded to the nearest size that the scene has")             \
    X(bodies, "how many bodies")                                                                   \
    X(parts, "how many pieces a body has that are not connected")                                  \
    X(frames, "how many frames the motion takes")                                                  \
    X(inbetween, "frames between two keyframes")                                                   \
    X(sampling, "pixels from one ray to the next, across and down")                                \
    X(moving, "percent of the bodies that move from one frame to the next, others each time")      \
    X(seed, "another number gives another scene of the same kind")

enum {
    SCENE_VARIANT_MAX = 32,
    SCENE_SPEC_MAX = 256,
    SCENE_REFERENCE_MAX = 12,
    SCENE_JOINT_MAX = 64
};

typedef struct scene_params {
#define SCENE_NUMBER_ENTRY(key, what) uint32_t key;
    SCENE_NUMBERS(SCENE_NUMBER_ENTRY)
#undef SCENE_NUMBER_ENTRY
    char variant[SCENE_VARIANT_MAX];
} scene_params;

/* How a body moves, for methods that can use it. scene_positions gives the bits of these formulas,
 * which are computed in double, with the operations in this order, none fused, and rounded to float
 * once, at the end:
 *
 *   RIGID      pose(rest)                          pose as willow_pose_apply does it
 *   KEYFRAMES  a + share * (b - a)                 key a at or before the frame, the next key b,
 *                                                  share = (frame - frame_a) / (frame_b - frame_a);
 *                                                  at a key the very bits of the key
 *   PLANS      start + (time - since) * velocity   of each vertex on its own. At a change of its
 *                                                  velocity this sum, not rounded, is the new start
 *   MORPH      pose((w0 * r0 + w1 * r1) + ...)     references in their order, the sum not rounded
 *   SKIN       (0 + w0 * (m0 rest)) + ...          m = joint * bind, weights in their order, as
 *                                                  willow_body_set_skin has it; weights sum up to
 *                                                  one exactly
 */
typedef enum scene_motion {
    SCENE_POSITIONS, /* no more is known than the positions of every frame */
    SCENE_RIGID,     /* a rest shape and a pose per frame: scene_rest, scene_pose */
    SCENE_KEYFRAMES, /* straight between keyframes: scene_key_count and so on */
    SCENE_PLANS,     /* straight on until a vertex changes its velocity: scene_changes */
    SCENE_MORPH, /* references, weights and a pose: scene_reference, scene_weights, scene_pose */
    SCENE_SKIN,  /* a rest shape and joints: scene_reference, scene_skin, scene_joints */
} scene_motion;

/* When a triangle is there: from one frame on, and up to another without that one. Its number is
 * its own for ever. */
typedef struct scene_life {
    uint32_t born, dies; /* UINT32_MAX: it stays */
    uint32_t replaces;   /* the triangle that goes as it comes, of which it is a part; UINT32_MAX:
                            none */
} scene_life;

typedef struct scene_body {
    uint32_t vertex_count;
    uint32_t triangle_count;
    uint32_t *indices; /* three per triangle */
    bool self;         /* pairs within this body are asked for */
    bool is_rigid;     /* the motion is RIGID; scene_create sees to it */
    uint32_t like1;    /* one more than the number of an earlier body, rigid as well, that has the
                          same triangles and the same rest shape; 0: none is said to */
    scene_motion motion;
    const scene_life *lives; /* by triangle, of the kind; NULL: all are always there. Vertices are
                                in the order in which they are needed first */
} scene_body;

/* From `time` on this vertex goes straight on with this velocity. */
typedef struct scene_change {
    double time;
    uint32_t vertex;
    float velocity[3]; /* per unit of time */
} scene_change;

/* A closed surface that takes the place of a body of a scene. */
typedef struct scene_mesh {
    const float *positions; /* three per vertex */
    const uint32_t *indices;
    uint32_t vertex_count, triangle_count;
} scene_mesh;

typedef struct scene scene;
typedef struct scene_view scene_view;
struct scene_camera;
struct scene_light;

/* One row of the table. A key that the scene does not take has the default 0 (or ""). */
typedef struct scene_kind {
    const char *name;
    const char *summary;    /* one line */
    const char *stands_for; /* the experiment */
    scene_params defaults;
    scene_params lowest, highest;  /* what the numbers may be */
    const char *variants;          /* words separated by spaces; "" if there are none */
    const char *const *body_names; /* of the first bodies, ended by NULL; NULL: they have numbers */

    /* Whether scene_create_with can give it a surface, and how that has to lie; NULL: it cannot. */
    const char *given;

    /* Fills scene->bodies, body_count, data and params.triangles as in use; false for want of
     * memory. What it allocates is freed by scene_destroy: indices and bodies by itself, `data`
     * through `destroy` (NULL: free). */
    bool (*create)(scene *s);
    void (*destroy)(scene *s);

    /* Of bodies that move by POSITIONS or PLANS; NULL if there are none. */
    void (*positions)(const scene *s, uint32_t frame, uint32_t body, float *xyz_out);

    /* RIGID: NULL for `rest` if there are none. MORPH has poses too. NULL for `pose` if
     * all bodies stand still. */
    void (*rest)(const scene *s, uint32_t body, float *xyz_out);
    willow_pose (*pose)(const scene *s, uint32_t frame, uint32_t body);

    /* A box that a body stays inside in all frames; NULL: none is known. */
    willow_box (*loose_box)(const scene *s, uint32_t body);

    /* KEYFRAMES: `count` vertices from `first` on, at that key. */
    void (*key)(const scene *s, uint32_t key, uint32_t body, uint32_t first, uint32_t count,
                float *xyz_out);

    /* PLANS. */
    const scene_change *(*changes)(const scene *s, uint32_t body, size_t *count_out);
    double (*time)(const scene *s, uint32_t frame);

    /* MORPH. */
    uint32_t reference_count;
    bool has_offsets; /* all but the first are offsets from it, and its weight is 1 */
    const float *(*reference)(const scene *s, uint32_t body, uint32_t reference);
    void (*weights)(const scene *s, uint32_t frame, uint32_t body, float *weights_out);

    /* SKIN, whose rest shape is the only reference: all but the matrices of joints, in arrays of
     * the scene, and as many weights for each vertex; the matrices at a frame, SCENE_JOINT_MAX at
     * most. */
    void (*skin)(const scene *s, uint32_t body, willow_skin *out);
    void (*joints)(const scene *s, uint32_t frame, uint32_t body, willow_affine *out);

    /* Of a body with lives that is in rigid pieces from some frame on, 0 for others: which frame;
     * which piece a triangle is of; and where a piece is, whose rest shape is frame 0 of the body.
     * Until then all of them have the same pose. NULL: there are none. */
    uint32_t (*break_frame)(const scene *s, uint32_t body);
    uint32_t (*piece)(const scene *s, uint32_t body, uint32_t triangle);
    willow_pose (*piece_pose)(const scene *s, uint32_t frame, uint32_t body, uint32_t piece);

    /* How it is looked at (camera.h); NULL: as any scene is, and nothing reflects. */
    void (*camera)(const scene *s, uint32_t frame, struct scene_camera *out);
    uint32_t (*lights)(const scene *s, uint32_t frame, struct scene_light *out);
    bool (*is_reflective)(const scene *s, uint32_t body);
} scene_kind;

struct scene {
    const scene_kind *kind;
    scene_params asked;  /* as the text said, defaults filled in */
    scene_params params; /* as in use: `triangles` rounded to a size that exists */
    uint32_t frame_count;
    uint32_t body_count;
    scene_body *bodies;
    void *data;              /* of the kind */
    const scene_mesh *given; /* until it is created; NULL: the scene makes its own */
    scene_view *view;        /* of camera.h */
};

/* Of camera.h, for scene_create; NULL for want of memory. */
scene_view *scene_view_create(void);
void scene_view_destroy(scene_view *view);

/* Kinds are written in steps, as many as they have frames by default; which of these a frame is. */
static inline double scene_step(const scene *s, uint32_t frame)
{
    return (double)frame * s->kind->defaults.frames / s->frame_count;
}

/* The table, ended by NULL. */
extern const scene_kind *const scene_kinds[];

const scene_kind *scene_kind_find(const char *name);

/* Whether a scene of this name takes a key. */
bool scene_takes(const char *name, const char *key);

/* What a text asks for, without making it; false as scene_create. */
bool scene_read(const char *spec, const scene_kind **kind, scene_params *out, char *error,
                size_t error_size);

/* Makes a scene from its text. NULL if the text is wrong or memory is short; `error` then says
 * why in one line. The caller destroys it. */
scene *scene_create(const char *spec, char *error, size_t error_size);

/* The same, with a surface in the place of its first body, which is copied. Of kinds that take one
 * (scene_kind.given) only. */
scene *scene_create_with(const char *spec, const scene_mesh *given, char *error, size_t error_size);
void scene_destroy(scene *s);

/* Writes x, y, z of every vertex of the body at that frame, in the world, as scene_motion says. Any
 * frame below frame_count, any order, any thread; this holds for all functions below too. */
void scene_positions(const scene *s, uint32_t frame, uint32_t body, float *xyz_out);

/* The pose of the body at that frame; the identity for a body that has none. */
void scene_pose(const scene *s, uint32_t frame, uint32_t body, willow_pose *out);

/* Writes x, y, z of every vertex of a rigid body before its pose; of any other
 * body the positions of frame 0. */
void scene_rest(const scene *s, uint32_t body, float *xyz_out);

/* A box of the world that the body stays inside in all frames; false if none is known. */
bool scene_loose_box(const scene *s, uint32_t body, willow_box *out);

/* Of bodies that move by KEYFRAMES: how many there are, the frame of a key (that of the last one
 * may lie beyond the last frame), and x, y, z of every vertex there. */
uint32_t scene_key_count(const scene *s);
uint32_t scene_key_frame(const scene *s, uint32_t key);
void scene_key_positions(const scene *s, uint32_t key, uint32_t body, float *xyz_out);

/* Of bodies that move by PLANS: all changes of velocity, sorted by time and vertex, and the time of
 * a frame, which is 0 for frame 0. Every vertex has its first change at time 0, where it starts at
 * its position of frame 0. The scene owns the array. */
const scene_change *scene_changes(const scene *s, uint32_t body, size_t *count_out);
double scene_time(const scene *s, uint32_t frame);

/* Of bodies that MORPH: how many references there are, x, y, z of every vertex in one of them,
 * which the scene owns, and one weight for each at that frame. */
uint32_t scene_reference_count(const scene *s);
const float *scene_reference(const scene *s, uint32_t body, uint32_t reference);
void scene_weights(const scene *s, uint32_t frame, uint32_t body, float *weights_out);

/* Whether the first of them is a base, of weight 1, and all others are offsets from it. */
bool scene_has_offsets(const scene *s);

/* Of bodies with a SKIN: what it is, in arrays that the scene owns, without matrices; and these at
 * a frame, as many as it has joints. */
willow_skin scene_skin(const scene *s, uint32_t body);
void scene_joints(const scene *s, uint32_t frame, uint32_t body, willow_affine *out);

/* Joint times inverse bind matrix, by columns; the fourth row is 0. */
typedef struct scene_columns {
    double column[4][4];
} scene_columns;

void scene_joint_columns(const willow_skin *skin, const willow_affine *joints, scene_columns *out);

/* A pose as its columns and its translation; false if it moves nothing, and they mean nothing. */
bool scene_pose_columns(const willow_pose *pose, double columns[3][3], double translation[3]);

/* Triangles of all bodies together. */
uint64_t scene_triangle_total(const scene *s);

/* Whether a triangle of a body is there in that frame. */
static inline bool scene_has_triangle(const scene_body *body, uint32_t triangle, uint32_t frame)
{
    return body->lives == NULL ||
           (body->lives[triangle].born <= frame && frame < body->lives[triangle].dies);
}

/* Whether triangles of some body come and go. */
bool scene_has_lives(const scene *s);

/* The first frame at which so many steps (scene_step) are done. */
static inline uint32_t scene_frame_of_step(const scene *s, double step)
{
    const double frame = ceil(step * s->frame_count / s->kind->defaults.frames);
    return frame > 0 ? (uint32_t)frame : 0;
}

#ifdef __cplusplus
}
#endif
#endif
