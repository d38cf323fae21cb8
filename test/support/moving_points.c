/* moving_points.c - see moving_points.h. */
#include "support/moving_points.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include "support/rational_toi.h"
#include "support/test.h"

static const char *const names[MOVING_FAMILIES] = {
    "anything",
    "in one plane",
    "on a grid",
    "with merged points",
    "far from the origin",
    "moving together",
    "moving fast",
    "of very different sizes",
    "very small or very large",
    "so small that products vanish, and fast",
};

const char *moving_family_name(int family) { return names[family]; }

static double anywhere(uint64_t *random) { return test_random_between(random, -1.0, 1.0); }

static double power(uint64_t *random, int low, int high)
{
    return ldexp(1.0, low + (int)(test_random(random) % (uint64_t)(high - low + 1)));
}

static float finite(double x) { return (float)fmin(fmax(x, -(double)FLT_MAX), (double)FLT_MAX); }

/* How large the two are, how far apart, how far each of their points moves, both together and the
 * second alone, and how far from the origin all of it is. */
typedef struct sizes {
    double thing[2], between, motion, together, apart, origin;
} sizes;

static sizes sizes_of(int family, uint64_t *random)
{
    sizes s = {{1.0, 1.0}, 1.0, 0.5, 0.0, 0.0, 0.0};
    if (family == 4) s.origin = power(random, 1, 24);
    if (family == 5) s.together = power(random, 0, 20);
    if (family == 6) s.motion = power(random, 0, 12);
    if (family == 7) {
        for (int i = 0; i < 2; i++) s.thing[i] = power(random, -120, 110);
        s.between = power(random, -120, 110);
        s.motion = power(random, -120, 110);
        if (test_random(random) % 2 == 0) s.together = power(random, -120, 110);
        if (test_random(random) % 4 == 0) s.origin = power(random, -120, 110);
    }
    if (family == MOVING_TINY_OR_HUGE) {
        static const int ranges[4][2] = {{-149, -50}, {-52, -44}, {-44, -30}, {30, 126}};
        const int *range = ranges[test_random(random) % 4];
        const double scale = power(random, range[0], range[1]);
        s = (sizes){{scale, scale}, scale, scale, 0.0, 0.0, 0.0};
    }
    if (family == 9) {
        for (int i = 0; i < 2; i++) s.thing[i] = power(random, -80, -60);
        s.between = power(random, -80, 100);
        s.motion = test_random(random) % 2 == 0 ? power(random, -80, -60) : s.thing[1];
        s.apart = power(random, -80, 120);
    }
    return s;
}

static void merge(moving_points *p, uint64_t *random)
{
    for (unsigned i = 1; i < p->count; i++) {
        const unsigned from = i < p->first ? 0 : p->first;
        if (i == from || test_random(random) % 2 == 0) continue;
        memcpy(p->at[0][i], p->at[0][from], sizeof p->at[0][i]);
        if (test_random(random) % 4 != 0) memcpy(p->at[1][i], p->at[1][from], sizeof p->at[1][i]);
    }
}

/* From a point of the second to one of the first, where they are at some time. */
static void find_way(moving_points *p, uint64_t *random)
{
    const double time = (double)(test_random(random) % 17) / 16.0;
    double share[MOVING_MOST], sum[2] = {0.0, 0.0};
    for (unsigned i = 0; i < p->count; i++) {
        share[i] = (double)(test_random(random) % 5);
        if (i == 0 || i == p->first) share[i] += 1.0;
        sum[i >= p->first] += share[i];
    }
    for (unsigned i = 0; i < p->count; i++)
        for (int axis = 0; axis < 3; axis++) {
            const double at =
                (1.0 - time) * (double)p->at[0][i][axis] + time * (double)p->at[1][i][axis];
            p->towards[axis] += (i < p->first ? share[i] : -share[i]) / sum[i >= p->first] * at;
        }
}

moving_points moving_points_make(int family, unsigned first, unsigned count, uint64_t *random)
{
    moving_points p = {.first = first, .count = count};
    const sizes s = sizes_of(family, random);
    const double flat = family == 1 ? 0.0 : 1.0;
    double origin[3], together[3], between[3], apart[3];
    for (int axis = 0; axis < 3; axis++) {
        origin[axis] = s.origin * anywhere(random);
        together[axis] = s.together * anywhere(random);
        between[axis] = s.between * anywhere(random) * (axis == 2 ? flat : 1.0);
        apart[axis] = s.apart * anywhere(random);
    }
    for (unsigned i = 0; i < count; i++)
        for (int axis = 0; axis < 3; axis++) {
            const bool is_second = i >= first;
            const double shape = axis == 2 ? flat : 1.0;
            double start = origin[axis] + s.thing[is_second] * shape * anywhere(random) +
                           (is_second ? between[axis] : 0.0);
            double way = together[axis] + s.motion * shape * anywhere(random) +
                         (is_second ? apart[axis] : 0.0);
            if (family == 2) {
                start = floor(4.0 * start) / 4.0;
                way = floor(4.0 * way) / 4.0;
            }
            p.at[0][i][axis] = finite(start);
            p.at[1][i][axis] = finite(start + way);
        }
    if (family == 3) merge(&p, random);
    p.size = fmax(fmax(s.thing[0], s.thing[1]), s.motion);
    find_way(&p, random);
    return p;
}

moving_points moving_points_nearer(const moving_points *from, double part)
{
    moving_points p = *from;
    for (int end = 0; end < 2; end++)
        for (unsigned i = p.first; i < p.count; i++)
            for (int axis = 0; axis < 3; axis++)
                p.at[end][i][axis] =
                    finite((double)from->at[end][i][axis] + part * p.towards[axis]);
    return p;
}

float moving_reach(double size, uint64_t *random)
{
    switch (test_random(random) % 6) {
    case 0: return finite(size * power(random, -30, 3));
    case 1: return finite(power(random, -149, 100));
    case 2: return finite(size * test_random_between(random, 0.0, 2.0));
    default: return 0.0F;
    }
}

bool moving_features_touch(const float at[2][4][3], bool are_edges, bool is_moving, float reach,
                           unsigned *undecided)
{
    double ends[2][4][3];
    rational_motion m;
    mpq_t distance;
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < 4; i++)
            for (int axis = 0; axis < 3; axis++)
                ends[end][i][axis] = (double)at[is_moving ? end : 0][i][axis];
    rational_motion_init(&m, are_edges, (const double(*)[3])ends[0], (const double(*)[3])ends[1]);
    mpq_init(distance);
    mpq_set_d(distance, (double)reach);
    const rational_answer answer = rational_look(&m, 0.0, is_moving ? 1.0 : 0.0, true, distance);
    *undecided += answer == RATIONAL_UNKNOWN;
    mpq_clear(distance);
    rational_motion_clear(&m);
    return answer == RATIONAL_TOUCHING;
}
