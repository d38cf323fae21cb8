/* Boxes in another frame contain what they must, with every rounding that there is (C4), checked
 * with fractions: relation.c says why they do. */
#include <float.h>
#include <math.h>
#include "base/kernel.h"
#include "support/rational_pose.h"
#include "support/test.h"
#include "support/turn_probe.h"
#include "support/zoo_pose.h"

#define UNIT 0x1p-24
#define ROOT3 1.7320508075688774

/* One side: a pose or none, and how large the body is. */
typedef struct side {
    willow_pose pose;
    wi_pose ready;
    rational_pose exact;
    wi_frame frame;
} side;

static void make_side(side *s, const willow_pose *pose, double size)
{
    const willow_pose none = willow_pose_identity();
    s->pose = pose ? *pose : none;
    s->ready = wi_pose_from(&s->pose);
    s->frame = (wi_frame){pose ? &s->ready : NULL, size, false};
    rational_pose_init(&s->exact, &s->pose);
}

static double reach_of(const side *s)
{
    double far = 0.0;
    for (int i = 0; i < 3; i++) far = fmax(far, fabs(s->ready.translation[i]));
    return ROOT3 * s->frame.size + far;
}

static double random_size(uint64_t *random)
{
    return (double)(float)ldexp(test_random_between(random, 1, 2),
                                (int)(test_random(random) % 201) - 100);
}

static willow_pose random_pose(uint64_t *random)
{
    willow_pose pose = zoo_pose_make(ZOO_POSE_TURNED, 0, test_random(random));
    double size = random_size(random);
    pose.translation.x = (float)(size * test_random_between(random, -1, 1));
    pose.translation.y = (float)(size * test_random_between(random, -1, 1));
    pose.translation.z = (float)(size * test_random_between(random, -1, 1));
    return pose;
}

static void make_tiny(uint64_t *random, willow_pose *pose, double *size)
{
    *size = (double)(test_random(random) % 9) * 0x1p-149;
    pose->translation.x = (float)(test_random(random) % 5) * 0x1p-149F;
    pose->translation.y = (float)(test_random(random) % 5) * -0x1p-149F;
    pose->translation.z = 0.0F;
}

/* Sides of any magnitudes, of one size, of one place, or of the least numbers that there are; each
 * may have no pose, but not both. */
static void random_sides(uint64_t *random, uint64_t turn, side sides[2])
{
    double size = random_size(random), sizes[2] = {size, size};
    willow_pose poses[2];
    for (uint64_t i = 0; i < 2; i++) {
        poses[i] = random_pose(random);
        if (turn % 4 == 0) sizes[i] = random_size(random);
        if (turn % 4 == 1) sizes[i] = test_random_between(random, 0.001, 4);
        if (turn % 4 == 1)
            poses[i] = zoo_pose_make((zoo_pose_kind)(turn / 4 % ZOO_POSE_SATURATED), turn, i);
        if (turn % 4 == 2) make_tiny(random, &poses[i], &sizes[i]);
    }
    uint64_t without = test_random(random) % 4;
    make_side(&sides[0], without == 0 ? NULL : &poses[0], (double)(float)sizes[0]);
    make_side(&sides[1], without == 1 ? NULL : &poses[1], (double)(float)sizes[1]);
}

static void clear_sides(side sides[2])
{
    rational_pose_clear(&sides[0].exact);
    rational_pose_clear(&sides[1].exact);
}

static float random_within(uint64_t *random, double size)
{
    uint64_t choice = test_random(random) % 8;
    if (choice == 0) return (float)size;
    if (choice == 1) return (float)-size;
    return (float)test_random_between(random, -size, size);
}

/* Points, thin ones and others. */
static wi_box random_box(uint64_t *random, double size)
{
    wi_box box = wi_box_empty();
    unsigned flat = (unsigned)(test_random(random) % 8);
    float p[3], q[3];
    for (int i = 0; i < 3; i++) {
        p[i] = random_within(random, size);
        q[i] = (flat >> i & 1) != 0 ? p[i] : random_within(random, size);
    }
    wi_box_add_point(&box, p);
    wi_box_add_point(&box, q);
    return box;
}

/* A corner, or a point in between. */
static void random_point(uint64_t *random, const wi_box *box, float out[3])
{
    for (int i = 0; i < 3; i++) {
        uint64_t choice = test_random(random) % 4;
        double share = test_random_between(random, 0, 1);
        float between =
            (float)(share * (double)box->lower[i] + (1 - share) * (double)box->upper[i]);
        between = between < box->lower[i] ? box->lower[i] : between;
        between = between > box->upper[i] ? box->upper[i] : between;
        out[i] = choice == 0 ? between : choice % 2 == 0 ? box->lower[i] : box->upper[i];
    }
}

static void place(const side *s, const float p[3], float out[3])
{
    willow_vec3 at = {p[0], p[1], p[2]};
    if (s->frame.pose) willow_pose_apply(&s->pose, p, 0, 1, &at);
    memcpy(out, &at, sizeof at);
}

/* How far beside the exact point a vertex of the side may be, seen along its own axis i: the
 * rounding error of every coordinate of the world, turned back. */
static double stray(const side *s, int i)
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++) sum += fabs(s->ready.column[i][k]);
    return s->frame.pose ? (UNIT * reach_of(s) + 0x1p-150) * sum : 0.0;
}

/* By how much `number` is above `bound`, negative if it is below. */
static double excess(const mpq_t number, float bound)
{
    mpq_t difference;
    mpq_init(difference);
    mpq_set_d(difference, (double)bound);
    mpq_sub(difference, number, difference);
    double result = mpq_get_d(difference);
    mpq_clear(difference);
    return result;
}

/* A vertex of `from`, seen from `to`, with all that a vertex of `to` at the same place of the world
 * may be off, is in the turned box. Returns the share of the slack that was needed. */
static double check_point(const side *from, const side *to, const wi_turn *turn, const wi_box *box,
                          const float p[3])
{
    wi_turn bare = *turn;
    bare.slack = 0.0F;
    const wi_box widened = wi_turn_box(turn, box), plain = wi_turn_box(&bare, box);
    double used = 0.0;
    float world[3];
    mpq_t in[3], seen[3];
    rational_vec_init(in);
    rational_vec_init(seen);
    place(from, p, world);
    rational_vec_set(in, world);
    rational_pose_undo(&to->exact, in, seen);
    for (int i = 0; i < 3; i++) {
        const double off = stray(to, i);
        assert_true(excess(seen[i], widened.upper[i]) + off <= 0);
        assert_true(excess(seen[i], widened.lower[i]) - off >= 0);
        double beyond = fmax(excess(seen[i], plain.upper[i]), -excess(seen[i], plain.lower[i]));
        used = fmax(used, (beyond + off) / (double)turn->slack);
    }
    rational_vec_clear(in);
    rational_vec_clear(seen);
    return used;
}

static double check_sides(uint64_t *random, const side *from, const side *to, const wi_turn *turn)
{
    double used = 0.0;
    for (int i = 0; i < 4; i++) {
        wi_box box = random_box(random, from->frame.size);
        float p[3];
        random_point(random, &box, p);
        used = fmax(used, check_point(from, to, turn, &box, p));
    }
    return used;
}

static void a_turned_box_contains_what_may_meet_it(void **state)
{
    (void)state;
    enum { CASES = 6000 };
    uint64_t random = 1;
    double used = 0.0;
    size_t checked = 0;
    for (uint64_t turn = 0; turn < CASES; turn++) {
        side sides[2];
        random_sides(&random, turn, sides);
        wi_relation relation = wi_relation_between(&sides[0].frame, &sides[1].frame);
        if (reach_of(&sides[0]) + reach_of(&sides[1]) < 0x1p119) {
            used = fmax(used, check_sides(&random, &sides[0], &sides[1], &relation.a_to_b));
            used = fmax(used, check_sides(&random, &sides[1], &sides[0], &relation.b_to_a));
            checked++;
        }
        clear_sides(sides);
    }
    print_message("%zu pairs of frames, up to %.2f%% of the slack needed\n", checked, 100 * used);
    assert_true(checked > CASES / 2);
    assert_true(used > 0.5 && used <= 1.0); /* neither tested in vain nor too small */
}

/* Two bodies that round as badly as they can: both stand where floats are 1/8 apart, and their
 * vertices lie almost 1/16 beside one of them in all coordinates, on opposite sides. Seen along the
 * diagonal that is sqrt(3) / 8, all that the derivation allows for. */
static void the_worst_rounding_uses_all_of_the_slack(void **state)
{
    (void)state;
    /* Takes the diagonal to an axis: w + a = 1 + 1/sqrt(3), and the cross product of the two. */
    const willow_quat to_axis = {0.0F, -0.57735027F, 0.57735027F, 1.5773503F};
    const float corner = 0x1p20F + 0.125F;
    const willow_pose pose = {{corner, corner, corner}, to_axis};
    side sides[2];
    float along[2], world[2][3];
    for (int i = 0; i < 2; i++) {
        /* In the frame of the body, x is the diagonal of the world. */
        along[i] = (i == 0 ? 1.0F : -1.0F) * (float)(ROOT3 * 0.999 / 16);
        make_side(&sides[i], &pose, fabs((double)along[i]));
        place(&sides[i], (float[3]){along[i], 0, 0}, world[i]);
    }
    for (int i = 0; i < 3; i++) {
        mpq_t in[3], out[3];
        rational_vec_init(in);
        rational_vec_init(out);
        rational_vec_set(in, (float[3]){along[0], 0, 0});
        rational_pose_apply(&sides[0].exact, in, out);
        assert_true(fabs(excess(out[i], corner) - 0.999 / 16) < 1e-6);
        rational_vec_clear(in);
        rational_vec_clear(out);
        assert_true(world[0][i] == corner && world[1][i] == corner); /* they meet */
    }
    wi_relation relation = wi_relation_between(&sides[0].frame, &sides[1].frame);
    wi_box a = wi_box_empty(), b = wi_box_empty();
    wi_box_add_point(&a, (float[3]){along[0], 0, 0});
    wi_box_add_point(&b, (float[3]){along[1], 0, 0});
    wi_box a_seen = wi_turn_box(&relation.a_to_b, &a), b_seen = wi_turn_box(&relation.b_to_a, &b);
    assert_true(wi_boxes_meet(&a_seen, &b));
    assert_true(wi_boxes_meet(&b_seen, &a));
    double share = (double)(along[0] - along[1]) / (double)relation.a_to_b.slack;
    print_message("%.1f%% of the slack needed\n", 100 * share);
    assert_true(share > 0.99);
    clear_sides(sides);
}

static bool is_everything(const wi_box *box)
{
    for (int i = 0; i < 3; i++)
        if (box->lower[i] > -FLT_MAX || box->upper[i] < FLT_MAX) return false;
    return true;
}

static void beyond_where_sums_may_overflow_a_box_is_everything(void **state)
{
    (void)state;
    static const float far[] = {0x1.8p120F, 1e37F, FLT_MAX};
    for (int i = 0; i < 3; i++)
        for (int which = 0; which < 3; which++) {
            side sides[2];
            willow_pose pose = zoo_pose_make(ZOO_POSE_TURNED, 0, 7);
            if (which == 0) pose.translation.y = -far[i];
            make_side(&sides[0], &pose, which == 1 ? (double)far[i] : 1.0);
            make_side(&sides[1], NULL, which == 2 ? (double)far[i] : 1.0);
            wi_relation r = wi_relation_between(&sides[0].frame, &sides[1].frame);
            const wi_box boxes[] = {{{0, 0, 0}, {1, 1, 1}},
                                    {{-far[i], -far[i], 0}, {far[i], 0, far[i]}}};
            for (int k = 0; k < 2; k++) {
                wi_box there = wi_turn_box(&r.a_to_b, &boxes[k]);
                wi_box back = wi_turn_box(&r.b_to_a, &boxes[k]);
                assert_true(is_everything(&there));
                assert_true(is_everything(&back));
            }
            clear_sides(sides);
        }
}

/* What is small is not: a relation of everything would hide every mistake. */
static void slack_is_a_small_part_of_the_reach(void **state)
{
    (void)state;
    uint64_t random = 2;
    for (uint64_t turn = 0; turn < 2000; turn++) {
        side sides[2];
        random_sides(&random, turn, sides);
        double reach = reach_of(&sides[0]) + reach_of(&sides[1]);
        wi_relation r = wi_relation_between(&sides[0].frame, &sides[1].frame);
        if (reach < 0x1p119) {
            assert_true((double)r.a_to_b.slack <= 64 * UNIT * reach + 0x1p-139);
            assert_true((double)r.b_to_a.slack <= 64 * UNIT * reach + 0x1p-139);
        }
        clear_sides(sides);
    }
}

static void eight_lanes_are_eight_boxes(void **state)
{
    (void)state;
    uint64_t random = 3;
    bool has_avx2 = wi_kernel_choose(WILLOW_KERNEL_AVX2) == WILLOW_KERNEL_AVX2;
    for (uint64_t turn = 0; turn < 20000; turn++) {
        side sides[2];
        wi_box boxes[WIDE_PROBE_LANES], one_by_one[WIDE_PROBE_LANES], wide[WIDE_PROBE_LANES];
        random_sides(&random, turn, sides);
        wi_relation r = wi_relation_between(&sides[0].frame, &sides[1].frame);
        for (int i = 0; i < WIDE_PROBE_LANES; i++) {
            boxes[i] = random_box(&random, sides[0].frame.size);
            one_by_one[i] = wi_turn_box(&r.a_to_b, &boxes[i]);
        }
        turn_probe_scalar(&r.a_to_b, boxes, wide);
        assert_memory_equal(wide, one_by_one, sizeof wide);
#if WIDE_PROBE_HAS_AVX2
        if (has_avx2) {
            turn_probe_avx2(&r.a_to_b, boxes, wide);
            assert_memory_equal(wide, one_by_one, sizeof wide);
        }
#endif
        clear_sides(sides);
    }
    print_message("AVX2 %s\n", has_avx2 ? "compared" : "is not here");
}

static void a_posed_box_contains_all_posed_vertices(void **state)
{
    (void)state;
    uint64_t random = 4;
    double used = 0.0;
    for (uint64_t turn = 0; turn < 30000; turn++) {
        double size = turn % 2 == 0 ? 1.0 : turn % 5 == 0 ? 1e38 : random_size(&random);
        willow_pose pose =
            turn % 3 == 0 ? random_pose(&random)
                          : zoo_pose_make((zoo_pose_kind)(turn % ZOO_POSE_COUNT), turn / 5, turn);
        wi_pose ready = wi_pose_from(&pose);
        wi_box box = random_box(&random, size), posed = wi_pose_box(&ready, &box);
        for (int i = 0; i < 8; i++) {
            float p[3];
            willow_vec3 at;
            random_point(&random, &box, p);
            willow_pose_apply(&pose, p, 0, 1, &at);
            wi_box vertex = {{at.x, at.y, at.z}, {at.x, at.y, at.z}};
            assert_true(wi_box_contains(&posed, &vertex));
            bool is_point = memcmp(box.lower, box.upper, sizeof box.lower) == 0;
            double far = fmax(fabs(ready.translation[0]),
                              fmax(fabs(ready.translation[1]), fabs(ready.translation[2])));
            double reach = ROOT3 * wi_box_size(&box) + far;
            if (!is_point || reach > 0x1p119) continue;
            double width = (double)posed.upper[0] - (double)posed.lower[0];
            used = fmax(used, (width - 0x1p-138) / (UNIT * reach));
        }
    }
    print_message("points become %.1f units of the reach wide at most\n", used);
    assert_true(used > 1.0 && used < 16.0);
}

static void an_empty_box_stays_empty(void **state)
{
    (void)state;
    willow_pose pose = zoo_pose_make(ZOO_POSE_FAR, 1, 1);
    wi_pose ready = wi_pose_from(&pose);
    wi_box box = wi_box_empty(), posed = wi_pose_box(&ready, &box);
    assert_true(wi_box_is_empty(&posed));
    assert_true(wi_box_size(&box) == 0.0);
    const wi_box some = {{-3, 1, 1}, {2, 2, 2}};
    assert_true(wi_box_size(&some) == 3.0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_turned_box_contains_what_may_meet_it),
    cmocka_unit_test(the_worst_rounding_uses_all_of_the_slack),
    cmocka_unit_test(beyond_where_sums_may_overflow_a_box_is_everything),
    cmocka_unit_test(slack_is_a_small_part_of_the_reach),
    cmocka_unit_test(eight_lanes_are_eight_boxes),
    cmocka_unit_test(a_posed_box_contains_all_posed_vertices),
    cmocka_unit_test(an_empty_box_stays_empty),
};

TEST_GROUP(relation, tests);
