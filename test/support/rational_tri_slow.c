/* rational_tri_slow.c - the questions of rational_tri.h by trying all basic solutions.
 *
 * 1. The programs are those of rational_tri.c: x >= 0, matrix * x = right. Their solutions are a
 *    bounded convex set, the hull of its extreme points.
 * 2. A solution is extreme if and only if the columns of its nonzero variables are independent. So
 *    for every set of columns that is independent, the one solution on it is computed by
 *    elimination, and kept if it exists and is not negative.
 * 3. There is a solution if and only if there is an extreme one. The set of common points is the
 *    hull of the images of the extreme ones, so it is more than the hull of the shared vertices if
 *    and only if one of those images lies outside of that. */
#include "rational_tri.h"

#include <gmp.h>
#include <stddef.h>

enum { ROWS = 7, COLUMNS = 9 };

typedef struct program {
    int row_count, column_count;
    mpq_t cell[ROWS][COLUMNS + 1]; /* the right side is the last one used */
    mpq_t work[ROWS][COLUMNS + 1];
    mpq_t x[COLUMNS];
    mpq_t factor, product;
} program;

static void program_init(program *p, int row_count, int column_count)
{
    p->row_count = row_count;
    p->column_count = column_count;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j <= COLUMNS; j++) mpq_inits(p->cell[i][j], p->work[i][j], NULL);
    for (int j = 0; j < COLUMNS; j++) mpq_init(p->x[j]);
    mpq_inits(p->factor, p->product, NULL);
}

static void program_clear(program *p)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j <= COLUMNS; j++) mpq_clears(p->cell[i][j], p->work[i][j], NULL);
    for (int j = 0; j < COLUMNS; j++) mpq_clear(p->x[j]);
    mpq_clears(p->factor, p->product, NULL);
}

static void copy_columns(program *p, const int *columns, int count)
{
    for (int i = 0; i < p->row_count; i++) {
        for (int j = 0; j < count; j++) mpq_set(p->work[i][j], p->cell[i][columns[j]]);
        mpq_set(p->work[i][count], p->cell[i][p->column_count]);
    }
}

static void swap_rows(program *p, int i, int k, int width)
{
    for (int j = 0; j < width; j++) mpq_swap(p->work[i][j], p->work[k][j]);
}

/* Makes column `k` the unit vector with its one in row `k`. False if no row from k on has it. */
static bool eliminate_column(program *p, int k, int width)
{
    int row = k;
    while (row < p->row_count && mpq_sgn(p->work[row][k]) == 0) row++;
    if (row == p->row_count) return false;
    swap_rows(p, row, k, width);
    mpq_set(p->factor, p->work[k][k]);
    for (int j = k; j < width; j++) mpq_div(p->work[k][j], p->work[k][j], p->factor);
    for (int i = 0; i < p->row_count; i++) {
        if (i == k || mpq_sgn(p->work[i][k]) == 0) continue;
        mpq_set(p->factor, p->work[i][k]);
        for (int j = k; j < width; j++) {
            mpq_mul(p->product, p->factor, p->work[k][j]);
            mpq_sub(p->work[i][j], p->work[i][j], p->product);
        }
    }
    return true;
}

/* Step 2 for the columns whose bits are set. True if there is such a solution; it is then p->x. */
static bool find_basic_solution(program *p, unsigned set)
{
    int columns[COLUMNS];
    int count = 0;
    for (int j = 0; j < p->column_count; j++)
        if (set >> j & 1U) columns[count++] = j;
    if (count > p->row_count) return false;
    copy_columns(p, columns, count);
    for (int k = 0; k < count; k++)
        if (!eliminate_column(p, k, count + 1)) return false;
    for (int i = count; i < p->row_count; i++)
        if (mpq_sgn(p->work[i][count]) != 0) return false;
    for (int k = 0; k < count; k++)
        if (mpq_sgn(p->work[k][count]) < 0) return false;
    for (int j = 0; j < p->column_count; j++) mpq_set_ui(p->x[j], 0, 1);
    for (int k = 0; k < count; k++) mpq_set(p->x[columns[k]], p->work[k][count]);
    return true;
}

static bool has_solution(program *p)
{
    for (unsigned set = 1; set < 1U << p->column_count; set++)
        if (find_basic_solution(p, set)) return true;
    return false;
}

static void write_meeting(program *p, const float a[3][3], const float b[3][3])
{
    program_init(p, 5, 6);
    for (int i = 0; i < 3; i++) {
        for (int axis = 0; axis < 3; axis++) {
            mpq_set_d(p->cell[axis][i], (double)a[i][axis]);
            mpq_set_d(p->cell[axis][3 + i], -(double)b[i][axis]);
        }
        mpq_set_ui(p->cell[3][i], 1, 1);
        mpq_set_ui(p->cell[4][3 + i], 1, 1);
    }
    mpq_set_ui(p->cell[3][6], 1, 1);
    mpq_set_ui(p->cell[4][6], 1, 1);
}

bool rational_tris_meet_slow(const float a[3][3], const float b[3][3])
{
    program p;
    write_meeting(&p, a, b);
    bool meet = has_solution(&p);
    program_clear(&p);
    return meet;
}

/* The point of A that the solution stands for. */
static void write_image(program *p, mpq_t point[3])
{
    for (int axis = 0; axis < 3; axis++) {
        mpq_set_ui(point[axis], 0, 1);
        for (int i = 0; i < 3; i++) {
            mpq_mul(p->product, p->x[i], p->cell[axis][i]);
            mpq_add(point[axis], point[axis], p->product);
        }
    }
}

/* Is the point a + t (b - a) for some t from 0 to 1? Every coordinate in which a and b differ gives
 * t and must give the same one; in the others the point must equal a. `t` is scratch. */
static bool is_on_segment(mpq_t point[3], const float a[3], const float b[3], mpq_t t[5])
{
    bool has_t = false;
    for (int axis = 0; axis < 3; axis++) {
        mpq_set_d(t[1], (double)a[axis]);
        mpq_set_d(t[2], (double)b[axis]);
        mpq_sub(t[2], t[2], t[1]);
        mpq_sub(t[3], point[axis], t[1]);
        if (mpq_sgn(t[2]) == 0) {
            if (mpq_sgn(t[3]) != 0) return false;
            continue;
        }
        mpq_div(t[4], t[3], t[2]);
        if (mpq_sgn(t[4]) < 0 || mpq_cmp_ui(t[4], 1, 1) > 0) return false;
        if (has_t && !mpq_equal(t[0], t[4])) return false;
        mpq_set(t[0], t[4]);
        has_t = true;
    }
    return true;
}

/* Step 3. */
static bool leaves_segment(program *p, const float a[3], const float b[3])
{
    mpq_t point[3], t[5];
    for (int k = 0; k < 3; k++) mpq_init(point[k]);
    for (int k = 0; k < 5; k++) mpq_init(t[k]);
    bool leaves = false;
    for (unsigned set = 1; set < 1U << p->column_count && !leaves; set++) {
        if (!find_basic_solution(p, set)) continue;
        write_image(p, point);
        leaves = !is_on_segment(point, a, b, t);
    }
    for (int k = 0; k < 3; k++) mpq_clear(point[k]);
    for (int k = 0; k < 5; k++) mpq_clear(t[k]);
    return leaves;
}

/* The corners of the first triangle whose numbers are in the second; a number that the first has
 * twice comes twice, which does no harm to a hull. */
static unsigned find_shared(const uint32_t ia[3], const uint32_t ib[3], unsigned corner[3])
{
    unsigned count = 0;
    for (unsigned i = 0; i < 3; i++)
        if (ia[i] == ib[0] || ia[i] == ib[1] || ia[i] == ib[2]) corner[count++] = i;
    return count;
}

bool rational_tris_pair_slow(const float a[3][3], const uint32_t ia[3], const float b[3][3],
                             const uint32_t ib[3])
{
    unsigned corner[3];
    unsigned count = find_shared(ia, ib, corner);
    if (count == 0) return rational_tris_meet_slow(a, b);
    bool all_differ = ia[0] != ia[1] && ia[1] != ia[2] && ia[2] != ia[0];
    if (count == 3 && all_differ) return true;
    /* With three corners and a repeated number, two different ones span the hull. */
    unsigned first = corner[0], second = corner[count - 1];
    if (count == 3 && ia[first] == ia[second]) second = corner[1];
    program p;
    write_meeting(&p, a, b);
    bool pair = leaves_segment(&p, a[first], a[second]);
    program_clear(&p);
    return pair;
}

bool rational_tri_box_meet_slow(const float t[3][3], const float lower[3], const float upper[3])
{
    program p;
    program_init(&p, 7, 9);
    for (int axis = 0; axis < 3; axis++) {
        for (int i = 0; i < 3; i++) mpq_set_d(p.cell[axis][i], (double)t[i][axis]);
        mpq_set_si(p.cell[axis][3 + axis], -1, 1);
        mpq_set_d(p.cell[axis][9], (double)lower[axis]);
        mpq_set_ui(p.cell[3 + axis][3 + axis], 1, 1);
        mpq_set_ui(p.cell[3 + axis][6 + axis], 1, 1);
        mpq_set_d(p.cell[3 + axis][9], (double)upper[axis]);
        mpq_sub(p.cell[3 + axis][9], p.cell[3 + axis][9], p.cell[axis][9]);
        mpq_set_ui(p.cell[6][axis], 1, 1);
    }
    mpq_set_ui(p.cell[6][9], 1, 1);
    bool meet = has_solution(&p);
    program_clear(&p);
    return meet;
}
