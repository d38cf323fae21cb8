/* motions.h - how bodies of the matrix move, and where their trial steps end. */
#ifndef TEST_MATRIX_MOTIONS_H
#define TEST_MATRIX_MOTIONS_H

#include "matrix/worlds.h"

enum { MATRIX_KEYFRAMES = 4 };

const char *matrix_motion_name(uint32_t value);
const char *matrix_trial_name(uint32_t value);

/* The motion of a body at an update: that of the case or, if it is CHANGING, another one every
 * time.
 */
uint32_t matrix_motion_of(const matrix_case *c, uint32_t body, uint32_t update);
bool matrix_motion_borrows(uint32_t motion);

/* Tells both worlds what the coming update is to show of the body. */
void matrix_move(matrix_worlds *w, uint32_t body);
void matrix_set_trial(matrix_worlds *w, uint32_t body);

#endif
