/* clip.h - what files of meshes that move say: bodies with names, and where they are at any time.
 *
 * Every reader fills a clip, and whoever plays one (check, render, info, export) knows nothing of
 * formats. A clip does not change once it is open: where its bodies are at a time is read into a
 * frame of the caller's, and several threads may read several frames at once, so that the next one
 * can be read while this one is checked. Memory is what the bodies and the frames in use take:
 * positions of long sequences stay in their files until they are asked for.
 *
 *   clip.c          closing; frames; positions
 *   clip_build.h    how readers fill a clip: each of them adds its bodies to the one that is opened
 *   clip_open.c     which reader takes a file; sequences of files
 *   gltf*.c obj.c ply.c stl.c off.c pc2.c mdd.c npy.c assimp.c   one file for each format
 *   bytes.c         files as bytes, with a limit; weld.c  vertices that are equal in all respects
 *   io_memory.c     all memory of a clip, counted and limited
 */
#ifndef IO_CLIP_H
#define IO_CLIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "io/io_error.h"
#include "willow/types.h"

/* How a body moves. What a file knows is kept, not flattened into positions. */
typedef enum clip_motion {
    CLIP_STILL,  /* where its mesh is, in the world */
    CLIP_RIGID,  /* its mesh under a pose */
    CLIP_MORPH,  /* its mesh plus offsets times weights, then a pose */
    CLIP_SKIN,   /* the same where there are offsets, then joints; no pose */
    CLIP_FRAMES, /* positions of every sample; the triangles may be others, too */
} clip_motion;

/* Triangles of a body. Polygons of a file are triangulated, and `faces` says from which each
 * triangle is: what people are told about is the face in their file. */
typedef struct clip_mesh {
    uint32_t vertex_count, triangle_count;
    float *positions;    /* x, y, z of every vertex in the frame of the body */
    uint32_t *indices;   /* three per triangle */
    uint32_t *faces;     /* by triangle; NULL: faces are triangles */
    uint16_t *materials; /* by triangle: which of the clip's materials; NULL: none is known */
} clip_mesh;

typedef struct clip_morph {
    uint32_t target_count;
    float **offsets; /* by target: x, y, z of every vertex */
} clip_morph;

/* Vertex v is moved by joints[i] with weights[i], i from first[v] up to first[v + 1]: joints in
 * rising order, none twice, weights above zero, at least one. Their sum is near one, and what it
 * lacks is divided out. */
typedef struct clip_skin {
    uint32_t joint_count;
    uint32_t *first;
    uint32_t *joints;
    float *weights;
    double (*inverse_bind)[12]; /* by joint: three rows of four, from the mesh to the joint */
    double (*rest)[12];         /* one: from the mesh to where it is at rest; NULL: it is there */
} clip_skin;

typedef struct clip_body {
    char *name; /* of the object or node; no two bodies of a clip have the same */
    clip_motion motion;
    clip_mesh mesh; /* at rest; of FRAMES that of the first sample */
    clip_morph morph;
    clip_skin skin;
} clip_body;

/* Where a body is at one time: what its motion needs of these. */
typedef struct clip_state {
    bool is_hidden;         /* it has no size, which is how files say that it is not there */
    willow_pose pose;       /* RIGID, MORPH */
    float *weights;         /* by target: MORPH, SKIN with offsets */
    double (*joints)[12];   /* by joint, rows as above, from the joint to the world: SKIN */
    const clip_mesh *mesh;  /* that of the body, or one of this frame where triangles changed */
    const float *positions; /* FRAMES: of that mesh, in the world */
} clip_state;

typedef struct clip_frame {
    double time;
    clip_state *bodies; /* by body of the clip */
    void **kept;        /* by part of the clip: what its source keeps for this frame */
} clip_frame;

typedef struct clip clip;

/* What a reader knows how to do with its part of a clip. `data` is its own. */
typedef struct clip_source {
    /* Fills the states of the bodies from `first_body` on that it made, at frame->time, which is
     * within the span of the clip, not always within that of this part. `weights` and `joints` have
     * their room, `mesh` is that of the body, and `pose` is none. `*kept` is NULL at first and
     * stays with the frame. Any thread. False with a reason. NULL where all bodies are still. */
    bool (*read)(const clip *c, uint32_t first_body, const void *data, clip_frame *frame,
                 void **kept, io_error *error);
    void (*forget)(const clip *c, const void *data,
                   void *kept);               /* frees it; NULL: nothing is kept */
    void (*close)(const clip *c, void *data); /* NULL: there are no data */
} clip_source;

struct clip {
    clip_body *bodies;
    uint32_t body_count;
    char **materials; /* names */
    uint32_t material_count;
    const float (
        *material_colours)[3]; /* as light; readers leave it NULL, and gltf_write takes it */

    /* The samples that the file itself has: sorted times of all keys, none twice. One time for what
     * stands still. */
    double *keys;
    uint32_t key_count;
    double fps;       /* that of the file; 0: it says none */
    bool is_sampled;  /* only the keys have a meaning: frames of a sequence or of a cache */
    bool has_choices; /* a file of it is of a kind that has animations and scenes by name */

    char **notes; /* what was left out or changed in reading, a sentence each, for people */
    uint32_t note_count;
    struct clip_part *parts; /* what each reader made: see clip_build.h */
    uint32_t part_count;
    struct clip_names *names; /* of clip_build.c, while it is filled */
    struct io_memory *memory; /* where all of it comes from */
};

typedef struct clip_options {
    uint64_t memory_limit; /* bytes that reading may take in all; checked before they are taken */
    bool no_weld;          /* leave vertices apart that formats split at seams */
    const char *animation; /* name or number; NULL: the first */
    const char *scene;     /* the same; NULL: that of the file */
    double fps;            /* of sequences, which say none; 0: 24 */
    uint64_t failing_allocation; /* of tests: the one of this number fails; 0: none does */
} clip_options;

/* 4 GB, and 0 or NULL of all else. */
clip_options clip_options_default(void);

/* One clip of all files, each of which is a file, a folder of numbered files, a pattern with %d or
 * a shell pattern; "base+cache" is a mesh and a point cache or .npy of its positions. NULL with a
 * reason. The caller closes it. */
clip *clip_open(const char *const *paths, uint32_t path_count, const clip_options *options,
                io_error *error);
void clip_close(clip *c);

double clip_first_time(const clip *c);
double clip_last_time(const clip *c);

/* A frame of the clip, to be read into. NULL for want of memory. The caller destroys it before the
 * clip is closed. */
clip_frame *clip_frame_create(const clip *c);
void clip_frame_destroy(const clip *c, clip_frame *frame);

/* Where all bodies are at that time, which is cut to the span of the clip. Threads may read one
 * clip into frames of their own. */
bool clip_frame_read(const clip *c, double time, clip_frame *frame, io_error *error);

/* What a pose does to a point, as three rows of four. */
void clip_pose_matrix(const willow_pose *pose, double m[12]);

/* x, y, z of every vertex of the body's mesh in that frame, in the world: what the motion's formula
 * gives, in double, rounded once. For tests, export and whoever needs nothing else. */
void clip_positions(const clip *c, const clip_frame *frame, uint32_t body, float *xyz_out);

/* The same of a skin at rest: what a single joint moves is where that joint is, and what several
 * move is as it was bound, where the file has it without animation. */
void clip_skin_at_rest(const clip *c, const clip_frame *frame, uint32_t body, float *xyz_out);

#endif
