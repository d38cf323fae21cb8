/* gltf_decompose.c - M = U S V', the singular values: what turns, scales and turns again.
 * Way in: gltf_decompose. V comes from the eigenvectors of M' M (Jacobi), U from M V. */
#include "io/gltf_decompose.h"

#include <math.h>
#include <string.h>
#include "io/gltf_matrix.h"

static double dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross3(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* Columns of the linear part. */
static void take_columns(const double m[12], double columns[3][3])
{
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) columns[k][i] = m[4 * i + k];
}

bool gltf_is_sheared(const double m[12])
{
    double c[3][3];
    take_columns(m, c);
    for (int k = 0; k < 3; k++) {
        const double *a = c[k], *b = c[(k + 1) % 3];
        if (fabs(dot3(a, b)) > 1e-6 * sqrt(dot3(a, a) * dot3(b, b))) return true;
    }
    return false;
}

/* One turn in the plane of p and q, after which element p, q of the symmetric matrix is zero. */
static void turn_plane(double a[3][3], double v[3][3], int p, int q)
{
    if (a[p][q] == 0) return;
    const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
    const double cosine = 1 / sqrt(t * t + 1), sine = t * cosine;
    for (int k = 0; k < 3; k++) {
        const double akp = a[k][p], akq = a[k][q];
        a[k][p] = cosine * akp - sine * akq;
        a[k][q] = sine * akp + cosine * akq;
    }
    for (int k = 0; k < 3; k++) {
        const double apk = a[p][k], aqk = a[q][k];
        a[p][k] = cosine * apk - sine * aqk;
        a[q][k] = sine * apk + cosine * aqk;
    }
    for (int k = 0; k < 3; k++) { /* columns of v, which are its rows here */
        const double vp = v[p][k], vq = v[q][k];
        v[p][k] = cosine * vp - sine * vq;
        v[q][k] = sine * vp + cosine * vq;
    }
}

/* Directions that the matrix leaves square to each other: a rotation, by rows. */
static void find_axes(double columns[3][3], double v[3][3])
{
    double a[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            a[i][k] = dot3(columns[i], columns[k]);
            v[i][k] = i == k;
        }
    for (int sweep = 0; sweep < 12; sweep++)
        for (int p = 0; p < 2; p++)
            for (int q = p + 1; q < 3; q++) turn_plane(a, v, p, q);
}

/* Any direction square to one of length one. */
static void find_square(const double a[3], double out[3])
{
    int least = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(a[k]) < fabs(a[least])) least = k;
    double axis[3] = {0};
    axis[least] = 1;
    cross3(a, axis, out);
    const double length = sqrt(dot3(out, out));
    for (int k = 0; k < 3; k++) out[k] /= length;
}

/* Directions of length one from vectors that are square to each other, some of which may be zero;
 * their lengths, the last with a sign, so that the directions are a rotation. */
static void make_rotation(double u[3][3], double lengths[3])
{
    int order[3] = {0, 1, 2};
    for (int k = 0; k < 3; k++) lengths[k] = sqrt(dot3(u[k], u[k]));
    for (int i = 0; i < 2; i++) /* the longest first, so that the others follow from it */
        for (int k = 0; k < 2; k++)
            if (lengths[order[k]] < lengths[order[k + 1]]) {
                const int swap = order[k];
                order[k] = order[k + 1];
                order[k + 1] = swap;
            }
    double *a = u[order[0]], *b = u[order[1]], *c = u[order[2]], third[3];
    const double tiny = 1e-12 * lengths[order[0]];
    if (lengths[order[0]] > 0)
        for (int k = 0; k < 3; k++) a[k] /= lengths[order[0]];
    else
        a[0] = 1, a[1] = a[2] = 0;
    if (lengths[order[1]] > tiny)
        for (int k = 0; k < 3; k++) b[k] /= lengths[order[1]];
    else
        find_square(a, b);
    cross3(a, b, third);
    const bool is_even = (order[1] - order[0] + 3) % 3 == 1;
    for (int k = 0; k < 3; k++) third[k] = is_even ? third[k] : -third[k];
    if (dot3(third, c) < 0) lengths[order[2]] = -lengths[order[2]];
    memcpy(c, third, sizeof third);
}

void gltf_decompose(const double m[12], bool has_inner, gltf_transform *out)
{
    double columns[3][3], v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, u[3][3];
    double outer_matrix[9], inner_matrix[9];
    take_columns(m, columns);
    if (has_inner) find_axes(columns, v);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) {
            u[k][i] = 0;
            for (int j = 0; j < 3; j++) u[k][i] += columns[j][i] * v[k][j];
        }
    make_rotation(u, out->scale);
    for (int i = 0; i < 9; i++) { /* U by columns, V' by rows */
        outer_matrix[i] = u[i % 3][i / 3];
        inner_matrix[i] = v[i / 3][i % 3];
    }
    (void)gltf_rotation(outer_matrix, out->rotation); /* both are rotations */
    (void)gltf_rotation(inner_matrix, out->inner);
    for (int i = 0; i < 3; i++) out->translation[i] = m[4 * i + 3];
}
