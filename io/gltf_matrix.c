/* gltf_matrix.c - products, inverses and rotations. */
#include "io/gltf_matrix.h"

#include <math.h>

void gltf_multiply(const double a[12], const double b[12], double out[12])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            out[4 * i + k] = a[4 * i] * b[k] + a[4 * i + 1] * b[4 + k] + a[4 * i + 2] * b[8 + k] +
                             (k == 3 ? a[4 * i + 3] : 0);
}

/* By the formula for rotations of length one, also where a file has them a little shorter: that is
 * what whoever made it has seen. */
void gltf_compose(const double t[3], const double q[4], const double s[3], double out[12])
{
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double r[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
                         2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
                         2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) out[4 * i + k] = r[3 * i + k] * s[k];
        out[4 * i + 3] = t[i];
    }
}

double gltf_determinant(const double m[9])
{
    return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
           m[2] * (m[3] * m[7] - m[4] * m[6]);
}

bool gltf_invert(const double m[9], double out[9])
{
    double size = 0;
    for (int i = 0; i < 9; i++) size = fmax(size, fabs(m[i]));
    const double det = gltf_determinant(m);
    if (!(fabs(det) > 1e-9 * size * size * size) || !isfinite(1 / det)) return false;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const int a = (k + 1) % 3, b = (k + 2) % 3, c = (i + 1) % 3, e = (i + 2) % 3;
            out[3 * i + k] = (m[3 * a + c] * m[3 * b + e] - m[3 * a + e] * m[3 * b + c]) / det;
        }
    return true;
}

void gltf_linear(const double m[12], double out[9])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) out[3 * i + k] = m[4 * i + k];
}

void gltf_multiply3(const double a[9], const double b[9], double out[9])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            out[3 * i + k] = a[3 * i] * b[k] + a[3 * i + 1] * b[3 + k] + a[3 * i + 2] * b[6 + k];
}

/* By the largest of its four numbers (Shepperd). */
bool gltf_rotation(const double m[9], double q[4])
{
    const double trace = m[0] + m[4] + m[8];
    int largest = 3;
    double best = trace;
    for (int i = 0; i < 3; i++)
        if (m[4 * i] > best) best = m[4 * i], largest = i;
    if (largest == 3) {
        q[0] = m[7] - m[5], q[1] = m[2] - m[6], q[2] = m[3] - m[1], q[3] = 1 + trace;
    } else {
        const int i = largest, j = (i + 1) % 3, k = (i + 2) % 3;
        q[i] = 1 + m[4 * i] - m[4 * j] - m[4 * k];
        q[j] = m[3 * i + j] + m[3 * j + i];
        q[k] = m[3 * i + k] + m[3 * k + i];
        q[3] = m[3 * k + j] - m[3 * j + k];
    }
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++) q[i] /= length;
    return length > 0 && isfinite(length);
}
