/* spin_test.c - turning from one pose to another, held against a path computed with more digits:
 * its ends, its bounds, and the way round that it takes. */
#include "geom/spin.h"

#include <math.h>

#include "support/test.h"

/* How far the two rotations are apart, in the last bits or in radians. */
enum { CASES = 600, SAMPLES = 64 };

typedef long double real;

static double anywhere(uint64_t *random) { return test_random_between(random, -1.0, 1.0); }

static willow_pose random_pose(uint64_t *random)
{
    willow_pose pose;
    float numbers[7];
    for (int i = 0; i < 7; i++) numbers[i] = (float)anywhere(random);
    memcpy(&pose, numbers, sizeof numbers);
    return pose;
}

/* A turn by an angle about an axis after what `q` does. */
static willow_quat turned(willow_quat q, const double axis[3], double angle)
{
    const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    const double s = sin(angle / 2.0) / length, w = cos(angle / 2.0);
    const double x = s * axis[0], y = s * axis[1], z = s * axis[2];
    const double qx = (double)q.x, qy = (double)q.y, qz = (double)q.z, qw = (double)q.w;
    return (willow_quat){
        (float)(w * qx + x * qw + y * qz - z * qy), (float)(w * qy - x * qz + y * qw + z * qx),
        (float)(w * qz + x * qy - y * qx + z * qw), (float)(w * qw - x * qx - y * qy - z * qz)};
}

/* Any two; a small turn; nearly half a turn; about half a turn; and the quaternion of the second is
 * longer, shorter or turned round. */
static void make_poses(uint64_t seed, willow_pose *from, willow_pose *to)
{
    uint64_t random = seed;
    *from = random_pose(&random);
    *to = random_pose(&random);
    double axis[3] = {anywhere(&random), anywhere(&random), anywhere(&random)};
    const double small = ldexp(anywhere(&random), -(int)(test_random(&random) % 26));
    if (seed % 4 == 1) to->rotation = turned(from->rotation, axis, small);
    if (seed % 4 == 2) to->rotation = turned(from->rotation, axis, 3.14159265358979 + small);
    if (seed % 4 == 3) to->rotation = turned(from->rotation, axis, 3.0 * small);
    const float scale = ldexpf(seed % 3 == 0 ? -1.0F : 1.0F, (int)(test_random(&random) % 9) - 4);
    to->rotation.x *= scale;
    to->rotation.y *= scale;
    to->rotation.z *= scale;
    to->rotation.w *= scale;
}

/* ---- the path with more digits ---- */

typedef struct path {
    real from[4], to[4];
    bool is_half_turn; /* which way is shorter depends on the last bits */
} path;

static void unit_of(const willow_quat *q, real out[4])
{
    const real all[4] = {(real)q->x, (real)q->y, (real)q->z, (real)q->w};
    real length2 = 0;
    for (int i = 0; i < 4; i++) length2 += all[i] * all[i];
    for (int i = 0; i < 4; i++) out[i] = all[i] / sqrtl(length2);
}

static path path_of(const willow_pose *from, const willow_pose *to)
{
    path p;
    real c = 0;
    unit_of(&from->rotation, p.from);
    unit_of(&to->rotation, p.to);
    for (int i = 0; i < 4; i++) c += p.from[i] * p.to[i];
    for (int i = 0; i < 4 && c < 0; i++) p.to[i] = -p.to[i];
    p.is_half_turn = fabsl(c) < 0x1p-50L;
    return p;
}

static void rotate(const path *p, real t, const real x[3], real out[3])
{
    real q[4], length2 = 0;
    for (int i = 0; i < 4; i++) {
        q[i] = (1 - t) * p->from[i] + t * p->to[i];
        length2 += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++) q[i] /= sqrtl(length2);
    /* x + 2 v x (v x x + w x), v the first three of q and w the last. */
    real once[3], twice[3];
    for (int i = 0; i < 3; i++) {
        const int k = (i + 1) % 3, l = (i + 2) % 3;
        once[i] = q[k] * x[l] - q[l] * x[k] + q[3] * x[i];
    }
    for (int i = 0; i < 3; i++) {
        const int k = (i + 1) % 3, l = (i + 2) % 3;
        twice[i] = q[k] * once[l] - q[l] * once[k];
    }
    for (int i = 0; i < 3; i++) out[i] = x[i] + 2 * twice[i];
}

/* Where a point of the body is without the translation, as it moves itself. */
static void point_at(const path *p, const double x0[3], const double x1[3], real t, real out[3])
{
    real x[3];
    for (int i = 0; i < 3; i++) x[i] = (1 - t) * (real)x0[i] + t * (real)x1[i];
    rotate(p, t, x, out);
}

static real length_of(const real x[3]) { return sqrtl(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

/* ---- tests ---- */

static void a_bulge_is_how_far_a_point_leaves_its_chord(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < CASES; seed++) {
        willow_pose from, to;
        uint64_t random = seed + 1000000;
        make_poses(seed, &from, &to);
        const wi_spin spin = wi_spin_between(&from, &to);
        const path p = path_of(&from, &to);
        if (p.is_half_turn) continue;
        double x[2][3];
        real ends[2][3];
        for (int end = 0; end < 2; end++)
            for (int i = 0; i < 3; i++) x[end][i] = anywhere(&random);
        point_at(&p, x[0], x[1], 0, ends[0]);
        point_at(&p, x[0], x[1], 1, ends[1]);
        for (int k = 0; k <= SAMPLES; k++) {
            const double t = (double)k / SAMPLES;
            double bulge[3];
            real at[3];
            wi_spin_bulge(&spin, x[0], x[1], t, bulge);
            point_at(&p, x[0], x[1], (real)t, at);
            for (int i = 0; i < 3; i++) {
                const real chord = (1 - (real)t) * ends[0][i] + (real)t * ends[1][i];
                /* 2^-46 of coordinates up to 2; twice as much near half a turn, where the
                 * quaternion in the middle has no more than 0.7 of the length. */
                if (fabsl((real)bulge[i] - (at[i] - chord)) > 0x1p-46L)
                    fail_msg("seed %llu, time %g: off by %Lg", (unsigned long long)seed, t,
                             (real)bulge[i] - (at[i] - chord));
            }
            if (k == 0 || k == SAMPLES)
                for (int i = 0; i < 3; i++) assert_true(fabs(bulge[i]) < 0x1p-50);
        }
    }
}

static void a_path_begins_and_ends_at_the_poses(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < CASES; seed++) {
        willow_pose poses[2];
        make_poses(seed, &poses[0], &poses[1]);
        const wi_spin spin = wi_spin_between(&poses[0], &poses[1]);
        const wi_pose given[2] = {wi_pose_from(&poses[0]), wi_pose_from(&poses[1])};
        assert_memory_equal(&spin.start, &given[0], sizeof spin.start);
        assert_memory_equal(&spin.end, &given[1], sizeof spin.end);
        double columns[2][3][4], cosine = 0.0;
        wi_quat_columns(spin.from, columns[0]);
        wi_quat_columns(spin.to, columns[1]);
        for (int end = 0; end < 2; end++)
            for (int i = 0; i < 9; i++)
                assert_true(fabs(columns[end][i / 3][i % 3] - given[end].column[i / 3][i % 3]) <
                            0x1p-50);
        for (int i = 0; i < 4; i++) cosine += spin.from[i] * spin.to[i];
        assert_true(cosine >= 0.0); /* the shorter way round */
    }
}

/* By differences of points on a unit circle: over a short time h a point moves by no more than
 * speed h, and leaves the middle of its chord by no more than bend h^2 / 8. */
static void nothing_is_faster_or_bends_more_than_it_says(void **state)
{
    (void)state;
    double most_speed = 0.0, most_bend = 0.0;
    for (uint64_t seed = 0; seed < CASES; seed++) {
        willow_pose from, to;
        make_poses(seed, &from, &to);
        const wi_spin spin = wi_spin_between(&from, &to);
        const path p = path_of(&from, &to);
        if (p.is_half_turn) continue;
        for (int axis = 0; axis < 3; axis++) {
            double x[3] = {0, 0, 0};
            x[axis] = 1.0; /* no farther than 1 from any axis */
            for (int k = 0; k < SAMPLES; k++) {
                const real t = (real)k / SAMPLES, h = 1 / (real)SAMPLES;
                real at[3][3], way[3], off[3];
                for (int i = 0; i < 3; i++) point_at(&p, x, x, t + h * (real)i / 2, at[i]);
                for (int i = 0; i < 3; i++) {
                    way[i] = at[2][i] - at[0][i];
                    off[i] = at[1][i] - (at[0][i] + at[2][i]) / 2;
                }
                assert_true(length_of(way) <= (real)spin.speed * h + 0x1p-58L);
                assert_true(length_of(off) <= (real)spin.bend * h * h / 8 + 0x1p-58L);
                if (spin.speed > 0.01) {
                    most_speed = fmax(most_speed, (double)(length_of(way) / h) / spin.speed);
                    most_bend = fmax(most_bend, (double)(length_of(off) * 8 / h / h) / spin.bend);
                }
            }
        }
    }
    print_message("up to %.3f of the greatest speed, %.3f of the greatest bend\n", most_speed,
                  most_bend);
    assert_true(most_speed > 0.9 && most_bend > 0.4); /* bounds that say something */
}

static void half_a_turn_takes_a_way_and_keeps_to_its_bounds(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        willow_pose from = willow_pose_identity(), to = willow_pose_identity();
        to.rotation = (willow_quat){axis == 0, axis == 1, axis == 2, 0};
        for (int sign = 0; sign < 2; sign++) {
            const wi_spin spin = wi_spin_between(&from, &to);
            float bulge_size = 0.0F;
            double x[3] = {0, 0, 0}, bulge[3];
            x[(axis + 1) % 3] = 1.0;
            wi_spin_bulge(&spin, x, x, 0.5, bulge);
            for (int i = 0; i < 3; i++) bulge_size += (float)fabs(bulge[i]);
            assert_true(fabsf(bulge_size - 1.0F) < 1e-6F); /* from 1 to -1 by way of the side */
            assert_true(spin.speed >= 4.0 && spin.speed < 4.0001);
            assert_true(spin.bend >= 32.0 && spin.bend < 32.001);
            to.rotation.x = -to.rotation.x;
            to.rotation.y = -to.rotation.y;
            to.rotation.z = -to.rotation.z;
        }
    }
}

/* A quaternion of another length, or all signs turned, is the same rotation. */
static void the_same_rotation_is_no_spin(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < CASES; seed++) {
        uint64_t random = seed;
        willow_pose from = random_pose(&random), to = from;
        const float scale = ldexpf(seed % 2 == 0 ? 1.0F : -1.0F, (int)(seed % 60) - 30);
        to.rotation.x *= scale;
        to.rotation.y *= scale;
        to.rotation.z *= scale;
        to.rotation.w *= scale;
        to.translation.x += 5.0F;
        const wi_spin spin = wi_spin_between(&from, &to);
        const double x0[3] = {1, 2, 3}, x1[3] = {-3, 0, 2};
        double bulge[3];
        assert_true(spin.speed == 0.0 && spin.bend == 0.0);
        wi_spin_bulge(&spin, x0, x1, 0.375, bulge);
        for (int i = 0; i < 3; i++) assert_true(fabs(bulge[i]) < 0x1p-48);
    }
}

/* Turns too small for the cosine to show them have bounds all the same. */
static void the_smallest_turns_have_bounds(void **state)
{
    (void)state;
    for (int bits = 10; bits < 60; bits++) {
        willow_pose from = willow_pose_identity(), to = willow_pose_identity();
        to.rotation.y = ldexpf(1.0F, -bits);
        const wi_spin spin = wi_spin_between(&from, &to);
        const double angle = 2.0 * atan(ldexp(1.0, -bits));
        const bool is_same =
            memcmp(spin.start.column, spin.end.column, sizeof spin.end.column) == 0;
        assert_true(is_same || spin.speed >= angle);
        assert_true(is_same || spin.bend >= angle * angle);
        assert_true(spin.speed < 1.1 * angle + 0x1p-17);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_bulge_is_how_far_a_point_leaves_its_chord),
    cmocka_unit_test(a_path_begins_and_ends_at_the_poses),
    cmocka_unit_test(nothing_is_faster_or_bends_more_than_it_says),
    cmocka_unit_test(half_a_turn_takes_a_way_and_keeps_to_its_bounds),
    cmocka_unit_test(the_same_rotation_is_no_spin),
    cmocka_unit_test(the_smallest_turns_have_bounds),
};

TEST_GROUP(spin, tests);
