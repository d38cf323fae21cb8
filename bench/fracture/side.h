/* side.h - one contender: a world in which bodies of a scene are edited as their triangles come and
 * go. */
#ifndef BENCH_FRACTURE_SIDE_H
#define BENCH_FRACTURE_SIDE_H

#include "bench/fracture/fracture.h"
#include "scenes/scenes.h"

/* What of an edit is carried out. */
typedef enum fracture_part {
    FRACTURE_WHOLE,
    FRACTURE_UNEDITED, /* nothing: what a step costs without an edit */
    FRACTURE_REPLACED  /* only what takes the place of something */
} fracture_part;

typedef struct fracture_side {
    const scene *scene;
    fracture_part part;
    willow_tree_def tree;
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id bodies[2];
    bool still;        /* positions of the first body never change */
    bool wants_build;  /* before the next update */
    bool is_within;    /* asks for pairs within the first body, but for cracks */
    uint64_t builds;   /* as the statistics have it */
    float *xyz[2];     /* of the frame at hand */
    willow_tri *slots; /* by triangle of the scene; UINT32_MAX: it is not in the body */
    uint32_t next_tri; /* of the scene, that comes next */
    uint32_t vertex_count, live_count;

    /* The edit of the frame at hand. */
    willow_edit edit;
    willow_new_vertex *add_vertices;
    uint32_t (*add_tris)[3], (*replacements)[3];
    willow_tri *replaced, *removed, *new_slots;
    uint32_t *added, *heirs; /* triangles of the scene */
    uint32_t *labels;        /* of cracks, all the same */
} fracture_side;

/* A method with settings of its own behind colons. An exit code. */
int fracture_take_method(engine_options *engine, const char *text);

/* Exit codes; destroy it in any case. */
int fracture_side_create(fracture_side *s, const scene *sc, const engine_options *engine,
                         fracture_part part);
void fracture_side_destroy(fracture_side *s);

/* Makes what a simulation would have at hand, then carries out the step, timed. */
int fracture_side_step(fracture_side *s, uint32_t frame, fracture_frame *out);

/* Pairs of all bodies, or within the first one, timed; then its statistics. */
int fracture_side_ask(fracture_side *s, fracture_frame *out);

/* The edit of a frame alone: what came and went, in calls of the library. */
willow_result fracture_side_edit(fracture_side *s, uint32_t frame);

/* Volumes and triangles that questions looked at. */
double fracture_tests(const willow_scratch *scratch);

#endif
