/* figure.h - a person who walks on the spot: joints, and closed tubes around them. */
#ifndef SCENES_FIGURE_H
#define SCENES_FIGURE_H

#include "scenes.h"
#include "tube.h"

/* Metres; x to one side, y forward, z up. */
enum { FIGURE_JOINTS = 4, FIGURE_PARTS = 5 };

/* Hip, knee, ankle and toes, or shoulder, elbow, wrist and fingertips. */
typedef struct figure_limb {
    vec joints[FIGURE_JOINTS];
    vec side; /* away from the other limb of the pair */
} figure_limb;

/* At one moment of the walk. */
typedef struct figure {
    bool is_slender;    /* narrower in waist and shoulders */
    vec root;           /* of everything, against a figure that stands still */
    double hips, chest; /* how far they are turned about z */
    figure_limb legs[2], arms[2];
} figure;

/* At a share of the cycle of two steps; whole numbers give the same figure. */
figure figure_at(double cycle, bool is_slender);

/* Half the width and half the depth of trunk and head at a height, and how far forward they are. */
typedef struct figure_girth {
    double width, depth, forward;
} figure_girth;

figure_girth figure_girth_at(const figure *f, double height);

/* Takes a place on the trunk of a figure that stands still to where it is now, and back again. */
vec figure_carry(const figure *f, vec place);
vec figure_carry_back(const figure *f, vec place, double height);

/* A cut through a limb, `length` along it: the middle, and two directions across. */
typedef struct figure_section {
    vec centre, side, front;
} figure_section;

figure_section figure_section_at(const figure_limb *limb, double length);

/* How thick an upper arm is there. */
double figure_arm_radius(const figure *f, double length);

/* The middle of a leg at a height, and how thick it is there. */
vec figure_leg_at(const figure_limb *leg, double height, double *radius_out);

/* The mesh: trunk with head, legs, arms. */
typedef struct figure_mesh {
    tube parts[FIGURE_PARTS];
    uint32_t vertex_count, triangle_count;
} figure_mesh;

/* Of about so many triangles. */
figure_mesh figure_mesh_make(uint32_t triangles);

/* False for want of memory. */
bool figure_fill_body(scene_body *body, const figure_mesh *mesh);
void figure_positions(const figure *f, const figure_mesh *mesh, float *xyz_out);

#endif
