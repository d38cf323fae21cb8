/* rational_lp.c - the simplex method on integers. See rational_lp.h.
 *
 * 1. With the basis B a subset of the columns, the tableau is det(B) * inverse(B) * [matrix,
 *    right], whose entries are minors of the input by Cramer's rule: integers, and small ones.
 * 2. A pivot on cell p = [r][s] turns every other row into (p * row_i - cell_is * row_r) /
 *    denominator. The division has no remainder, by 1; p is the new denominator.
 * 3. Bland's rule: the first column that helps enters; among the rows that limit it most, the one
 *    whose variable comes first leaves. No basis then comes back, so the loops end.
 * 4. Artificial variables make the first basis. They are never stored as columns, since they may
 *    not come back once they have left. */
#include "rational_lp.h"

static bool is_artificial(const rational_lp *lp, int row)
{
    return lp->basis[row] >= lp->column_count;
}

void rational_lp_init(rational_lp *lp, int row_count, int column_count)
{
    lp->row_count = row_count;
    lp->column_count = column_count;
    for (int i = 0; i < RATIONAL_LP_ROWS; i++) {
        for (int j = 0; j < RATIONAL_LP_COLUMNS; j++) mpz_init(lp->cell[i][j]);
        mpz_init(lp->right[i]);
        lp->basis[i] = column_count + i;
    }
    for (int j = 0; j < RATIONAL_LP_COLUMNS; j++) mpz_init(lp->gain[j]);
    mpz_init_set_ui(lp->denominator, 1);
    mpz_init(lp->value);
    mpz_init(lp->term);
}

void rational_lp_clear(rational_lp *lp)
{
    for (int i = 0; i < RATIONAL_LP_ROWS; i++) {
        for (int j = 0; j < RATIONAL_LP_COLUMNS; j++) mpz_clear(lp->cell[i][j]);
        mpz_clear(lp->right[i]);
    }
    for (int j = 0; j < RATIONAL_LP_COLUMNS; j++) mpz_clear(lp->gain[j]);
    mpz_clears(lp->denominator, lp->value, lp->term, NULL);
}

static void negate_row(rational_lp *lp, int row)
{
    for (int j = 0; j < lp->column_count; j++) mpz_neg(lp->cell[row][j], lp->cell[row][j]);
    mpz_neg(lp->right[row], lp->right[row]);
}

/* number = (pivot * number - factor * in_pivot_row) / denominator */
static void eliminate(mpz_t number, const mpz_t pivot, const mpz_t factor, const mpz_t in_pivot_row,
                      const mpz_t denominator)
{
    mpz_mul(number, number, pivot);
    mpz_submul(number, factor, in_pivot_row);
    mpz_divexact(number, number, denominator);
}

static void eliminate_row(rational_lp *lp, mpz_t *row, mpz_t right, int pivot_row, int column)
{
    mpz_t *with = lp->cell[pivot_row];
    mpz_set(lp->term, row[column]);
    for (int j = 0; j < lp->column_count; j++)
        eliminate(row[j], with[column], lp->term, with[j], lp->denominator);
    eliminate(right, with[column], lp->term, lp->right[pivot_row], lp->denominator);
}

/* The cell must be positive. */
static void pivot(rational_lp *lp, int pivot_row, int column)
{
    for (int i = 0; i < lp->row_count; i++)
        if (i != pivot_row) eliminate_row(lp, lp->cell[i], lp->right[i], pivot_row, column);
    eliminate_row(lp, lp->gain, lp->value, pivot_row, column);
    mpz_set(lp->denominator, lp->cell[pivot_row][column]);
    lp->basis[pivot_row] = column;
}

/* The first column by which the objective wins, or -1. */
static int entering_column(const rational_lp *lp)
{
    for (int j = 0; j < lp->column_count; j++)
        if (mpz_sgn(lp->gain[j]) > 0) return j;
    return -1;
}

/* True if row i limits the growth of x[column] more than row k does, or as much with a variable
 * that comes first: right[i] / cell[i] < right[k] / cell[k], both cells positive. */
static bool limits_more(rational_lp *lp, int i, int k, int column)
{
    mpz_mul(lp->term, lp->right[i], lp->cell[k][column]);
    mpz_submul(lp->term, lp->right[k], lp->cell[i][column]);
    int sign = mpz_sgn(lp->term);
    return sign < 0 || (sign == 0 && lp->basis[i] < lp->basis[k]);
}

/* The row whose variable reaches zero first as x[column] grows, or -1 if none does. */
static int leaving_row(rational_lp *lp, int column)
{
    int best = -1;
    for (int i = 0; i < lp->row_count; i++) {
        if (mpz_sgn(lp->cell[i][column]) <= 0) continue;
        if (best < 0 || limits_more(lp, i, best, column)) best = i;
    }
    return best;
}

/* The objective is minus the sum of the artificial variables: the rows are added up. `value` holds
 * minus the objective, so it falls to zero. */
static void aim_at_feasible(rational_lp *lp)
{
    for (int i = 0; i < lp->row_count; i++) {
        for (int j = 0; j < lp->column_count; j++)
            mpz_add(lp->gain[j], lp->gain[j], lp->cell[i][j]);
        mpz_add(lp->value, lp->value, lp->right[i]);
    }
}

static void remove_row(rational_lp *lp, int row)
{
    int last = --lp->row_count;
    for (int j = 0; j < lp->column_count; j++) mpz_swap(lp->cell[row][j], lp->cell[last][j]);
    mpz_swap(lp->right[row], lp->right[last]);
    lp->basis[row] = lp->basis[last];
}

/* Artificial variables that are still in the basis are zero. Each is exchanged for a real one, or
 * its row says 0 = 0 and goes. */
static void expel_artificials(rational_lp *lp)
{
    for (int i = lp->row_count; i-- > 0;) {
        if (!is_artificial(lp, i)) continue;
        int column = 0;
        while (column < lp->column_count && mpz_sgn(lp->cell[i][column]) == 0) column++;
        if (column == lp->column_count) {
            remove_row(lp, i);
            continue;
        }
        if (mpz_sgn(lp->cell[i][column]) < 0) negate_row(lp, i);
        pivot(lp, i, column);
    }
}

bool rational_lp_find_feasible(rational_lp *lp)
{
    for (int i = 0; i < lp->row_count; i++)
        if (mpz_sgn(lp->right[i]) < 0) negate_row(lp, i);
    aim_at_feasible(lp);
    for (int column = entering_column(lp); column >= 0; column = entering_column(lp))
        pivot(lp, leaving_row(lp, column), column);
    if (mpz_sgn(lp->value) != 0) return false;
    expel_artificials(lp);
    return true;
}

/* gain = weight - weight of the basis * tableau, and `value` = minus the objective. */
static void aim_at(rational_lp *lp, mpz_t *weight)
{
    for (int j = 0; j < lp->column_count; j++) {
        mpz_mul(lp->gain[j], lp->denominator, weight[j]);
        for (int i = 0; i < lp->row_count; i++)
            mpz_submul(lp->gain[j], weight[lp->basis[i]], lp->cell[i][j]);
    }
    mpz_set_ui(lp->value, 0);
    for (int i = 0; i < lp->row_count; i++)
        mpz_submul(lp->value, weight[lp->basis[i]], lp->right[i]);
}

/* objective > bound, that is, -value / denominator > bound. */
static bool exceeds(rational_lp *lp, const mpz_t bound)
{
    mpz_mul(lp->term, bound, lp->denominator);
    mpz_add(lp->term, lp->term, lp->value);
    return mpz_sgn(lp->term) < 0;
}

bool rational_lp_maximum_exceeds(rational_lp *lp, mpz_t *weight, const mpz_t bound)
{
    aim_at(lp, weight);
    for (;;) {
        if (exceeds(lp, bound)) return true;
        int column = entering_column(lp);
        if (column < 0) return false;
        pivot(lp, leaving_row(lp, column), column);
    }
}
