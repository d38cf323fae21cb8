/* ray_cases.c - see ray_cases.h. A kind says where a ray starts and what it aims at, so that it is
 * there at t = 1; from where to where it goes is chosen for all kinds alike. */
#include "support/ray_cases.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct aim {
    float origin[3], direction[3];
} aim;

typedef void make_function(aim *out, const tri_case *c, tri_random *random);

static int below(tri_random *random, int limit) { return tri_random_int(random, 0, limit - 1); }

static void aim_at(aim *out, const float from[3], const float at[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out->origin[axis] = from[axis];
        out->direction[axis] = at[axis] - from[axis];
    }
}

/* a + i/n (b - a) + k/n (c - a), as floats give it. */
static void combine(float out[3], const float t[3][3], int i, int k, float share)
{
    for (int axis = 0; axis < 3; axis++)
        out[axis] = t[0][axis] + (float)i * share * (t[1][axis] - t[0][axis]) +
                    (float)k * share * (t[2][axis] - t[0][axis]);
}

static void make_edge(aim *out, const tri_case *c, tri_random *random)
{
    const int i = below(random, 3);
    aim_at(out, c->b[i], c->b[(i + 1 + below(random, 2)) % 3]);
}

static void make_corner(aim *out, const tri_case *c, tri_random *random)
{
    aim_at(out, c->b[below(random, 3)], c->a[below(random, 3)]);
}

static void make_middle(aim *out, const tri_case *c, tri_random *random)
{
    const int i = below(random, 3), k = (i + 1) % 3;
    float at[3];
    for (int axis = 0; axis < 3; axis++) at[axis] = 0.5F * c->a[i][axis] + 0.5F * c->a[k][axis];
    aim_at(out, c->b[below(random, 3)], at);
}

static void make_face(aim *out, const tri_case *c, tri_random *random)
{
    float at[3];
    combine(at, c->a, 1 + below(random, 2), 1, 0.25F);
    aim_at(out, c->b[below(random, 3)], at);
}

/* From a corner, or from before or behind it, towards the next. */
static void make_along(aim *out, const tri_case *c, tri_random *random)
{
    const int i = below(random, 3), k = (i + 1 + below(random, 2)) % 3, back = below(random, 4) - 1;
    aim_at(out, c->a[i], c->a[k]);
    for (int axis = 0; axis < 3; axis++) out->origin[axis] -= (float)back * out->direction[axis];
}

static void make_in_plane(aim *out, const tri_case *c, tri_random *random)
{
    float from[3], at[3];
    combine(from, c->a, below(random, 7) - 3, below(random, 7) - 3, 0.5F);
    combine(at, c->a, below(random, 5) - 1, below(random, 5) - 1, 0.5F);
    aim_at(out, from, at);
}

static void make_from_here(aim *out, const tri_case *c, tri_random *random)
{
    float from[3];
    combine(from, c->a, below(random, 3), below(random, 3), 0.25F);
    if (below(random, 3) == 0) memcpy(from, c->a[below(random, 3)], sizeof from);
    aim_at(out, from, c->b[below(random, 3)]);
}

static void make_axis(aim *out, const tri_case *c, tri_random *random)
{
    const int axis = below(random, 3);
    const float sign = below(random, 2) == 0 ? 1.0F : -1.0F;
    float at[3];
    memcpy(at, c->a[below(random, 3)], sizeof at);
    if (below(random, 2) == 0) combine(at, c->a, 1, 1, 0.25F);
    aim_at(out, at, at);
    out->origin[axis] = c->b[below(random, 3)][axis];
    out->direction[axis] = at[axis] - out->origin[axis];
    if (out->direction[axis] == 0) out->direction[axis] = sign;
    for (int i = 0; i < 3; i++)
        if (i != axis && below(random, 2) == 0) out->direction[i] = -0.0F;
}

static void make_anywhere(aim *out, const tri_case *c, tri_random *random)
{
    aim_at(out, c->b[0], c->b[1]);
    for (int axis = 0; axis < 3; axis++)
        out->direction[axis] =
            ldexpf(tri_random_float(random, -1, 1), tri_random_int(random, -3, 3));
}

static make_function make_nudged, make_mixed, make_spread;

static const struct {
    const char *name;
    make_function *make;
} kinds[RAY_KIND_COUNT] = {
#define RAY_KIND_ROW(name, function, words) {words, make_##function},
    RAY_KINDS(RAY_KIND_ROW)
#undef RAY_KIND_ROW
};

static void make_simple(aim *out, const tri_case *c, tri_random *random)
{
    kinds[below(random, RAY_KIND_NUDGED)].make(out, c, random);
}

static void make_nudged(aim *out, const tri_case *c, tri_random *random)
{
    make_simple(out, c, random);
    float *number = below(random, 2) == 0 ? out->origin : out->direction;
    number += below(random, 3);
    *number = nextafterf(*number, below(random, 2) == 0 ? FLT_MAX : -FLT_MAX);
}

static void make_mixed(aim *out, const tri_case *c, tri_random *random)
{
    static const int scales[] = {-100, -40, -20, -1, 1, 20, 40, 100};
    const int scale = scales[below(random, 8)];
    make_simple(out, c, random);
    for (int axis = 0; axis < 3; axis++) out->direction[axis] = ldexpf(out->direction[axis], scale);
}

static void make_spread(aim *out, const tri_case *c, tri_random *random)
{
    make_simple(out, c, random);
    for (int axis = 0; axis < 3; axis++) {
        if (below(random, 2) == 0)
            out->origin[axis] =
                ldexpf(tri_random_float(random, -1, 1), tri_random_int(random, -149, 127));
        if (below(random, 2) == 0)
            out->direction[axis] =
                ldexpf(tri_random_float(random, -1, 1), tri_random_int(random, -149, 127));
    }
}

static float to_finite(float value)
{
    if (isnan(value)) return 1;
    return fminf(fmaxf(value, -FLT_MAX), FLT_MAX);
}

static willow_vec3 to_vec(const float v[3])
{
    return (willow_vec3){to_finite(v[0]), to_finite(v[1]), to_finite(v[2])};
}

/* Most of them hold the point that is aimed at, at t = 1, some just so or just not. */
static void choose_range(willow_ray *ray, tri_random *random)
{
    static const struct {
        float t_min, t_max;
    } ranges[] = {
        {0, INFINITY},
        {0, INFINITY},
        {0, INFINITY},
        {0, 1},
        {0, 1},
        {0, FLT_MAX},
        {1, 1},
        {1, 1},
        {1, INFINITY},
        {-1, 1},
        {-FLT_MAX, FLT_MAX},
        {-1, INFINITY},
        {0x1.000002p+0F, 2},
        {0, 0x1.fffffep-1F},
        {0.5F, 1.5F},
        {0, 0},
        {-0.0F, 0.0F},
        {-1, -0.0F},
        {0x1p-149F, 0x1p-126F},
        {2, 3},
        {-3, -0.25F},
        {0x1p-149F, INFINITY},
        {0x1p+100F, INFINITY},
        {-0x1p+100F, 0x1p+100F},
    };
    const int i = below(random, (int)(sizeof ranges / sizeof ranges[0]));
    ray->t_min = ranges[i].t_min;
    ray->t_max = ranges[i].t_max;
}

const char *ray_kind_name(ray_kind kind) { return kinds[kind].name; }

void ray_case_make(ray_case *out, tri_family family, ray_kind kind, uint64_t number)
{
    tri_random random = {number << 16 | (uint64_t)family << 8 | (uint64_t)kind};
    tri_case c;
    aim made;
    tri_case_make(&c, family, number);
    kinds[kind].make(&made, &c, &random);
    for (int i = 0; i < 3; i++) out->tri[i] = to_vec(c.a[i]);
    out->ray.origin = to_vec(made.origin);
    out->ray.direction = to_vec(made.direction);
    const willow_vec3 *d = &out->ray.direction;
    if (d->x == 0 && d->y == 0 && d->z == 0) out->ray.direction = (willow_vec3){0, 0x1p-149F, 0};
    choose_range(&out->ray, &random);
}
