/* ear_clip.c - takes ears off one by one: cubic time at worst, for polygons of some hundred points.
 */
#include "ear_clip.h"

#include <string.h>

static double area_of(const double *a, const double *b, const double *c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static double square(const double *a, const double *b)
{
    return (b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]);
}

/* Area over the longest side squared; nothing for what is no ear. */
static double shape_of(const double (*points)[2], const uint32_t *polygon, uint32_t count,
                       uint32_t i)
{
    const uint32_t v[3] = {polygon[(i + count - 1) % count], polygon[i], polygon[(i + 1) % count]};
    const double *a = points[v[0]], *b = points[v[1]], *c = points[v[2]];
    const double area = area_of(a, b, c);
    if (area <= 0) return 0;
    for (uint32_t k = 0; k < count; k++) {
        const double *p = points[polygon[k]];
        if (polygon[k] == v[0] || polygon[k] == v[1] || polygon[k] == v[2]) continue;
        if (area_of(a, b, p) >= 0 && area_of(b, c, p) >= 0 && area_of(c, a, p) >= 0) return 0;
    }
    double longest = square(a, b);
    if (square(b, c) > longest) longest = square(b, c);
    if (square(c, a) > longest) longest = square(c, a);
    return area / longest;
}

static uint32_t best_ear(const double (*points)[2], const uint32_t *polygon, uint32_t count)
{
    uint32_t best = 0;
    double best_shape = 0;
    for (uint32_t i = 0; i < count; i++) {
        const double shape = shape_of(points, polygon, count, i);
        if (shape <= best_shape) continue;
        best_shape = shape;
        best = i;
    }
    return best;
}

void ear_clip(const double (*points)[2], uint32_t *polygon, uint32_t count, uint32_t (*out)[3])
{
    for (; count >= 3; count--, out++) {
        const uint32_t ear = best_ear(points, polygon, count);
        (*out)[0] = polygon[(ear + count - 1) % count];
        (*out)[1] = polygon[ear];
        (*out)[2] = polygon[(ear + 1) % count];
        memmove(polygon + ear, polygon + ear + 1, (count - ear - 1) * sizeof *polygon);
    }
}
