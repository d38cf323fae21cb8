/* ccd_check.h - steps that others decided, decided by the tests on moving primitives, and asked of
 * a world. */
#ifndef TEST_CCD_CHECK_H
#define TEST_CCD_CHECK_H

#include "support/ccd_scene.h"

typedef struct ccd_case {
    const char *folder;
    int frame;
    size_t candidates[CCD_KINDS]; /* boxes that overlap */
    size_t colliding[CCD_KINDS];  /* true collisions, as their makers say */
} ccd_case;

/* Cloth-funnel and armadillo-rollers. */
extern const ccd_case ccd_cloth_funnel, ccd_armadillo_rollers;

/* Decides every candidate in double: no true collision is missed, and what is found without being
 * one is a near miss. */
void ccd_check_primitives(const ccd_case *c);

/* Rounds positions to float32, and asks worlds of one body that may hit itself: the impacts are
 * those of the primitives over all candidates of the rounded positions, with the same times. */
void ccd_check_world(const ccd_case *c);

#endif
