/* clip_compare.c - corner by corner. */
#include "support/clip_compare.h"

#include <math.h>
#include <stdlib.h>
#include "support/test.h"

clip_frame *clip_read_frame(const clip *c, double time)
{
    io_error error;
    clip_frame *frame = clip_frame_create(c);
    assert_non_null(frame);
    if (!clip_frame_read(c, time, frame, &error)) fail_msg("%s", error.text);
    return frame;
}

static float *read_corners(const clip *c, const clip_frame *frame, uint32_t body)
{
    const clip_mesh *mesh = frame->bodies[body].mesh;
    float *xyz = malloc(3 * sizeof *xyz * (mesh->vertex_count + 1));
    float *corners = malloc(9 * sizeof *corners * (mesh->triangle_count + 1));
    clip_positions(c, frame, body, xyz);
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++)
        memcpy(&corners[3 * i], &xyz[3 * (size_t)mesh->indices[i]], 3 * sizeof *xyz);
    free(xyz);
    return corners;
}

typedef struct spread {
    double worst, lower, upper;
} spread;

static void compare_bodies(const clip *a, const clip_frame *fa, const clip *b, const clip_frame *fb,
                           uint32_t body, spread *out)
{
    const uint32_t count = fa->bodies[body].mesh->triangle_count;
    if (strcmp(a->bodies[body].name, b->bodies[body].name) != 0)
        fail_msg("\"%s\" and \"%s\"", a->bodies[body].name, b->bodies[body].name);
    assert_int_equal(fb->bodies[body].mesh->triangle_count, count);
    float *ca = read_corners(a, fa, body), *cb = read_corners(b, fb, body);
    for (size_t i = 0; i < 9 * (size_t)count; i++) {
        out->worst = fmax(out->worst, fabs((double)ca[i] - cb[i]));
        out->lower = fmin(out->lower, ca[i]);
        out->upper = fmax(out->upper, ca[i]);
    }
    free(ca);
    free(cb);
}

double clip_compare(const clip *a, const clip *b, const double *times, uint32_t time_count,
                    double shift, double tolerance)
{
    spread all = {0, INFINITY, -INFINITY};
    assert_int_equal(a->body_count, b->body_count);
    for (uint32_t t = 0; t < time_count; t++) {
        clip_frame *fa = clip_read_frame(a, times[t]), *fb = clip_read_frame(b, times[t] + shift);
        for (uint32_t i = 0; i < a->body_count; i++) compare_bodies(a, fa, b, fb, i, &all);
        clip_frame_destroy(a, fa);
        clip_frame_destroy(b, fb);
    }
    const double worst = all.worst / (all.upper - all.lower);
    if (!(worst <= tolerance)) fail_msg("%g of their size apart", worst);
    return worst;
}
