/* gltf_scene.h - what stays of a glTF file while its clip is open: nodes of a scene, channels of an
 * animation, and which body moves how. */
#ifndef IO_GLTF_SCENE_H
#define IO_GLTF_SCENE_H

#include "io/gltf_doc.h"
#include "io/gltf_matrix.h"

/* What a channel changes. */
typedef enum gltf_path {
    GLTF_TRANSLATION,
    GLTF_ROTATION,
    GLTF_SCALE,
    GLTF_WEIGHTS,
    GLTF_PATH_COUNT,
} gltf_path;

typedef enum gltf_interpolation { GLTF_STEP, GLTF_LINEAR, GLTF_CUBIC } gltf_interpolation;

/* A channel of the animation: values at times, `width` numbers each; three times as many for CUBIC,
 * tangent in, value, tangent out. */
typedef struct gltf_channel {
    uint32_t key_count, width;
    gltf_interpolation interpolation;
    bool is_rotation;
    bool is_unit; /* a rotation whose length is one at all times, within float32 */
    const float *times, *values;
} gltf_channel;

typedef struct gltf_node {
    uint32_t parent, mesh, skin; /* GLTF_NONE: none */
    bool is_in_scene;
    bool is_matrix;    /* `matrix` is what the file says; otherwise the three below */
    bool is_moving;    /* it is animated, or one above it is */
    bool has_children; /* in the file */
    double matrix[12];
    double translation[3], rotation[4], scale[3];
    uint32_t channels[GLTF_PATH_COUNT]; /* GLTF_NONE: it stays */
    float *weights;                     /* of its mesh's targets; NULL: those of the mesh */

    /* What gltf_node_is_rigid goes by. */
    bool turns_truly;   /* neither this nor one above scales over time, and all turn truly */
    double even;        /* what this and those above scale evenly by; 0: one does something else */
    double constant[9]; /* from the last one that turns down to this */
} gltf_node;

/* Where the states of a body come from. */
typedef struct gltf_body {
    uint32_t node;
    uint32_t skin;    /* GLTF_NONE: joints, if any, are the node itself */
    uint32_t weights; /* channel; GLTF_NONE: none */
    double unbake[9]; /* RIGID, MORPH: from what the node does to what its pose does */
    bool is_posed;    /* whether that is needed */
} gltf_body;

typedef struct gltf_skin {
    uint32_t *joints; /* nodes; NULL: not read */
    uint32_t joint_count;
    double (*inverse_bind)[12];
} gltf_skin;

typedef struct gltf_scene {
    io_memory *memory;
    gltf_node *nodes;
    uint32_t node_count;
    uint32_t *order; /* nodes of the scene, parents before children */
    uint32_t order_count;
    double (*still)[12]; /* by node: where it is without the animation */

    gltf_channel *channels;
    uint32_t channel_count;
    float **floats;   /* by accessor: what channels point to; NULL: not needed */
    uint16_t *checks; /* by accessor: what is known about them */
    uint32_t accessor_count;

    gltf_skin *skins;
    uint32_t skin_count;
    gltf_body *bodies;
    uint32_t body_count;
    char *path; /* for messages of frames */
} gltf_scene;

/* Nodes of the scene that is asked for, checked: no node has two parents or is above itself. */
bool gltf_nodes_read(gltf_doc *d, gltf_scene *s);

/* Channels of the animation that is asked for. Those that stay the same are not kept: their value
 * is that of the node. Adds keys to the clip. */
bool gltf_animation_read(gltf_doc *d, gltf_scene *s);

/* The numbers of a channel at a time. */
void gltf_channel_at(const gltf_channel *channel, double time, float *out);

/* Which nodes move, and where all of them are without that. After the animation was read. */
bool gltf_nodes_settle(gltf_doc *d, gltf_scene *s);

/* Where all nodes of the scene are; those that do not move must be there already. */
void gltf_nodes_at(const gltf_scene *s, double time, double (*world)[12]);

/* Whether the linear part of a node is a rotation, which may change, times `constant`, which does
 * not and can be inverted: then its bodies are rigid once that is in their vertices. */
bool gltf_node_is_rigid(const gltf_scene *s, uint32_t node, double constant[9]);

/* How many morph targets the mesh has: 0 if it has no primitives. */
bool gltf_mesh_targets(gltf_doc *d, uint32_t mesh, uint32_t *out);

/* The mesh in memory of the clip: mesh, morph and skin of `out`, without inverse bind matrices;
 * joint_count is one more than the largest joint, or 0 where there are none. `weights` are the
 * mesh's own, one for each target. On failure what was made is in `out`, too. */
typedef struct gltf_shape {
    bool is_made;
    clip_body body;
    float *weights;
} gltf_shape;
bool gltf_mesh_read(gltf_doc *d, uint32_t mesh, gltf_shape *out, uint32_t *skipped);

#endif
