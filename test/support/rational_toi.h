/* rational_toi.h - moving primitives in rational numbers: how far apart, and whether they touch.
 *
 * An oracle that shares nothing with src/prim: distances are exact, and what happens between two
 * times follows from how fast points move. */
#ifndef TEST_RATIONAL_TOI_H
#define TEST_RATIONAL_TOI_H

#include <gmp.h>
#include <stdbool.h>

typedef struct rational_motion {
    mpq_t start[3][3], step[3][3]; /* w, u, v: corners of the differences are w + a u + b v */
    mpq_t speed;                   /* no corner of the differences moves faster */
    mpq_t size;   /* no coordinate of a corner, at the start or the end, is larger */
    bool is_quad; /* two edges */
} rational_motion;

void rational_motion_init(rational_motion *m, bool is_quad, const double start[4][3],
                          const double end[4][3]);
void rational_motion_clear(rational_motion *m);

/* The square of the distance at the time t. */
void rational_distance2(const rational_motion *m, const mpq_t t, mpq_t out);

typedef enum rational_answer {
    RATIONAL_APART,    /* further apart than that, at all times: proven */
    RATIONAL_TOUCHING, /* not further apart than that, at some time: proven */
    RATIONAL_UNKNOWN   /* neither was found: very near at some time */
} rational_answer;

/* Between the times `from` and `to`, ends included where `with_ends`. */
rational_answer rational_look(const rational_motion *m, double from, double to, bool with_ends,
                              const mpq_t distance);

#endif
