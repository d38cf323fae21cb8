/* rational_lp.h - small linear programs, solved exactly, for oracles.
 *
 * The program is: x >= 0 and matrix * x = right side, all numbers integers of any size. Its method
 * is the simplex method with Bland's rule, which cannot cycle, on a tableau of integers over one
 * common denominator (Edmonds 1967; Bareiss 1968), so nothing is ever rounded. The expected
 * workload is a million programs of 5 rows and 6 columns.
 *
 * The order of calls: init, write `cell` and `right`, find_feasible, then maximum_exceeds as often
 * as wanted while find_feasible said yes, clear. */
#ifndef TEST_RATIONAL_LP_H
#define TEST_RATIONAL_LP_H

#include <gmp.h>
#include <stdbool.h>

enum { RATIONAL_LP_ROWS = 7, RATIONAL_LP_COLUMNS = 9 };

typedef struct rational_lp {
    int row_count, column_count;
    /* Row i says: sum over j of cell[i][j] * x[j] = right[i]. Solving turns it into the same set
     * of solutions in terms of the basis, every number scaled by `denominator` > 0. */
    mpz_t cell[RATIONAL_LP_ROWS][RATIONAL_LP_COLUMNS];
    mpz_t right[RATIONAL_LP_ROWS];
    mpz_t denominator;
    int basis[RATIONAL_LP_ROWS]; /* the variable that row i gives; column_count + i: artificial */
    mpz_t gain[RATIONAL_LP_COLUMNS]; /* what the objective wins per unit of x[j], scaled likewise */
    mpz_t value;                     /* the objective, scaled likewise */
    mpz_t term;                      /* scratch */
} rational_lp;

/* All cells and right sides are zero. */
void rational_lp_init(rational_lp *lp, int row_count, int column_count);
void rational_lp_clear(rational_lp *lp);

/* True if and only if the program has a solution. */
bool rational_lp_find_feasible(rational_lp *lp);

/* True if and only if some solution has weight . x > bound. The set of solutions must be bounded.
 * May be asked again and again, after find_feasible has said yes. */
bool rational_lp_maximum_exceeds(rational_lp *lp, mpz_t *weight, const mpz_t bound);

#endif
