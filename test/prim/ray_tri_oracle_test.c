/* ray_tri_oracle_test.c - willow_ray_tri against the rational oracle (C1), on rays that are hard on
 * purpose: decisions are equal, t is near and never outside, and the weights give the point. */
#include <float.h>
#include <math.h>
#include "support/rational_ray.h"
#include "support/ray_cases.h"
#include "support/test.h"
#include "willow/prim.h"

enum { SLOW_EVERY = 97, MAX_PRINTED = 10 };

/* Traversals rely on the first (walk/rays/ray_aim.h). */
static const double largest_t_error = 0x1p-29, largest_weight_error = 1e-6;
static const double largest_overshoot = 1e-6;

typedef struct tally {
    size_t count, hit_count, slow_count, wrong_count;
    double t_error, weight_error;
} tally;

static void print_vec(const char *name, const willow_vec3 *v)
{
    printf("    %s {%aF, %aF, %aF}\n", name, (double)v->x, (double)v->y, (double)v->z);
}

static void report(const char *what, const ray_case *c, const willow_hit *hit, const mpq_t t)
{
    printf("WRONG: %s; t %a (%.17g), exactly %.17g, u %g, v %g\n", what, hit->t, hit->t,
           mpq_get_d(t), (double)hit->u, (double)hit->v);
    for (int i = 0; i < 3; i++) print_vec("corner", &c->tri[i]);
    print_vec("origin", &c->ray.origin);
    print_vec("direction", &c->ray.direction);
    printf("    t %aF to %aF\n", (double)c->ray.t_min, (double)c->ray.t_max);
}

static bool is_null(willow_body_id id) { return id.index1 == 0; }

/* NULL, or what is wrong with the numbers of a hit. */
static const char *wrong_numbers(const ray_case *c, const willow_hit *hit, const mpq_t t,
                                 tally *sum)
{
    const double u = (double)hit->u, v = (double)hit->v;
    const double t_error = rational_error(hit->t, t);
    const double weight_error = rational_weight_error(&c->ray, c->tri, t, u, v);
    sum->t_error = fmax(sum->t_error, t_error);
    sum->weight_error = fmax(sum->weight_error, weight_error);
    if (!(t_error <= largest_t_error)) return "t is not near";
    if (!(hit->t >= (double)c->ray.t_min && hit->t <= (double)c->ray.t_max)) return "t is outside";
    if (!(u >= 0 && v >= 0 && u + v <= 1 + largest_overshoot)) return "weights are outside";
    if (!(weight_error <= largest_weight_error)) return "the weights give another point";
    if (!is_null(hit->at.body) || hit->user_data != 0) return "there is a body";
    return NULL;
}

/* Of length 1 and along the normal, or zero, which only triangles may have that are nearly flat. */
static const char *wrong_normal(const ray_case *c, const willow_hit *hit)
{
    const double n[3] = {(double)hit->normal.x, (double)hit->normal.y, (double)hit->normal.z};
    const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    const int side = rational_ray_side(&c->ray, c->tri);
    const double d[3] = {(double)c->ray.direction.x, (double)c->ray.direction.y,
                         (double)c->ray.direction.z};
    const double longest = fmax(fabs(d[0]), fmax(fabs(d[1]), fabs(d[2])));
    const double along = (n[0] * d[0] + n[1] * d[1] + n[2] * d[2]) / longest;
    if (length != 0 && !(fabs(length - 1) <= 1e-6)) return "the normal is not of length 1";
    if (side == 0 && !(fabs(along) <= 1e-6)) return "the normal is not across";
    if (side * along < -1e-6) return "the normal points to the other side";
    return NULL;
}

static void check(const ray_case *c, bool ask_slow, tally *sum)
{
    mpq_t t;
    mpq_init(t);
    willow_hit hit;
    memset(&hit, 0, sizeof hit);
    const char *what = NULL;
    const bool meets = rational_ray_tri(&c->ray, c->tri, t);
    const bool is_hit = willow_ray_tri(&c->ray, c->tri, &hit);
    sum->count++;
    sum->hit_count += meets;
    sum->slow_count += ask_slow;
    if (ask_slow && rational_ray_tri_slow(&c->ray, c->tri) != meets)
        what = "the oracles disagree";
    else if (is_hit != meets)
        what = meets ? "a hit is missed" : "a hit is made up";
    else if (willow_ray_tri(&c->ray, c->tri, NULL) != meets)
        what = "without a place for the hit it is another one";
    if (what == NULL && meets) what = wrong_numbers(c, &hit, t, sum);
    if (what == NULL && meets) what = wrong_normal(c, &hit);
    if (what != NULL && sum->wrong_count++ < MAX_PRINTED) report(what, c, &hit, t);
    mpq_clear(t);
}

static void rays_hit_exactly_what_the_oracle_says(void **state)
{
    (void)state;
    tally sums[RAY_KIND_COUNT] = {0};
    const uint64_t per_family = test_is_slow() ? 30000 : (uint64_t)4500;
    for (int family = 0; family < TRI_FAMILY_COUNT; family++)
        for (uint64_t i = 0; i < per_family; i++) {
            const unsigned kind = (unsigned)(i % RAY_KIND_COUNT);
            const uint64_t number = test_is_slow() ? i + 1000000 : i;
            ray_case c;
            ray_case_make(&c, (tri_family)family, (ray_kind)kind, number);
            check(&c, i % SLOW_EVERY == 0, &sums[kind]);
        }
    size_t count = 0, wrong_count = 0;
    for (int kind = 0; kind < RAY_KIND_COUNT; kind++) {
        const tally *s = &sums[kind];
        printf("%-32s %6zu rays, %6zu hits, %4zu asked slowly too, t off by %.1e, weights by %.1e, "
               "%zu wrong\n",
               ray_kind_name((ray_kind)kind), s->count, s->hit_count, s->slow_count, s->t_error,
               s->weight_error, s->wrong_count);
        count += s->count;
        wrong_count += s->wrong_count;
        assert_true(s->hit_count > 0 && s->hit_count < s->count && s->slow_count > 0);
    }
    printf("%zu rays\n", count);
    assert_int_equal(wrong_count, 0);
}

/* ---- answers reasoned out by hand ---- */

typedef struct kept {
    const char *what;
    willow_ray ray;
    willow_vec3 tri[3];
    bool is_hit;
    double t;
} kept;

#define FLAT                                                                                       \
    {0, 0, 0}, {4, 0, 0}, { 0, 4, 0 }
#define MAX FLT_MAX
#define TINY 0x1p-149F
#define INF INFINITY

/* clang-format off */
static const kept list[] = {
    {"through the face", {{1, 1, 1}, 0, {0, 0, -1}, INF}, {FLAT}, true, 1},
    {"from below, through the face", {{1, 1, -1}, 0, {0, 0, 2}, INF}, {FLAT}, true, 0.5},
    {"past the long edge", {{3, 3, 1}, 0, {0, 0, -1}, INF}, {FLAT}, false, 0},
    {"through the long edge", {{2, 2, 1}, 0, {0, 0, -1}, INF}, {FLAT}, true, 1},
    {"one ulp past the long edge", {{2, 0x1.000002p+1F, 1}, 0, {0, 0, -1}, INF}, {FLAT}, false, 0},
    {"through a corner", {{4, 0, 1}, 0, {0, 0, -1}, INF}, {FLAT}, true, 1},
    {"through a corner, askew", {{5, -1, 1}, 0, {-1, 1, -1}, INF}, {FLAT}, true, 1},
    {"away from it", {{1, 1, 1}, 0, {0, 0, 1}, INF}, {FLAT}, false, 0},
    {"ends before", {{1, 1, 1}, 0, {0, 0, -1}, 0x1.fffffep-1F}, {FLAT}, false, 0},
    {"ends on it", {{1, 1, 1}, 0, {0, 0, -1}, 1}, {FLAT}, true, 1},
    {"starts on it", {{1, 1, 0}, 0, {0, 0, -1}, INF}, {FLAT}, true, 0},
    {"starts on it, at t_min", {{1, 1, 1}, 1, {0, 0, -1}, INF}, {FLAT}, true, 1},
    {"starts behind it", {{1, 1, 1}, 0x1.000002p+0F, {0, 0, -1}, INF}, {FLAT}, false, 0},
    {"is a point of it", {{1, 1, 1}, 1, {0, 0, -1}, 1}, {FLAT}, true, 1},
    {"is a point above it", {{1, 1, 1}, 0.5F, {0, 0, -1}, 0.5F}, {FLAT}, false, 0},
    {"negative t", {{1, 1, -1}, -2, {0, 0, -1}, 0}, {FLAT}, true, -1},
    {"in the plane, from outside", {{-1, 1, 0}, 0, {1, 0, 0}, INF}, {FLAT}, true, 1},
    {"in the plane, from inside", {{1, 1, 0}, 0, {1, 0, 0}, INF}, {FLAT}, true, 0},
    {"in the plane, from inside, t_min", {{-1, 1, 0}, 2, {1, 0, 0}, INF}, {FLAT}, true, 2},
    {"in the plane, past", {{-1, 5, 0}, 0, {1, 0, 0}, INF}, {FLAT}, false, 0},
    {"in the plane, touches a corner", {{-4, 8, 0}, 0, {1, -1, 0}, INF}, {FLAT}, true, 4},
    {"in the plane, touches the last corner", {{5, -1, 0}, 0, {1, 1, 0}, INF}, {FLAT}, false, 0},
    {"in the plane, at a corner only", {{3, -1, 0}, 0, {1, 1, 0}, INF}, {FLAT}, true, 1},
    {"beside the plane", {{-1, 1, TINY}, 0, {1, 0, 0}, INF}, {FLAT}, false, 0},
    {"along an edge", {{-2, 0, 0}, 0, {1, 0, 0}, INF}, {FLAT}, true, 2},
    {"along an edge, ends at the corner", {{-2, 0, 0}, 0, {1, 0, 0}, 2}, {FLAT}, true, 2},
    {"along an edge, ends before it", {{-2, 0, 0}, 0, {1, 0, 0}, 0x1.fffffep+0F}, {FLAT}, false, 0},
    {"along the long edge, backwards", {{6, -2, 0}, 0, {-1, 1, 0}, INF}, {FLAT}, true, 2},
    {"segment, crossed", {{1, -1, 0}, 0, {0, 1, 0}, INF}, {{0, 0, 0}, {4, 0, 0}, {2, 0, 0}}, true, 1},
    {"segment, missed", {{5, -1, 0}, 0, {0, 1, 0}, INF}, {{0, 0, 0}, {4, 0, 0}, {2, 0, 0}}, false, 0},
    {"segment, askew", {{1, -1, 1}, 0, {0, 1, 0}, INF}, {{0, 0, 0}, {4, 0, 0}, {2, 0, 0}}, false, 0},
    {"segment, along", {{6, 0, 0}, 0, {-1, 0, 0}, INF}, {{0, 0, 0}, {4, 0, 0}, {2, 0, 0}}, true, 2},
    {"segment, middle corner outermost", {{6, 0, 0}, 0, {-1, 0, 0}, INF}, {{0, 0, 0}, {2, 0, 0}, {4, 0, 0}}, true, 2},
    {"segment, two corners equal", {{1, -2, 0}, 0, {0, 2, 0}, INF}, {{0, 0, 0}, {4, 0, 0}, {4, 0, 0}}, true, 1},
    {"point, met", {{1, 2, 3}, 0, {2, 4, 6}, INF}, {{3, 6, 9}, {3, 6, 9}, {3, 6, 9}}, true, 1},
    {"point, missed by an ulp", {{1, 2, 3}, 0, {2, 4, 0x1.800002p+2F}, INF}, {{3, 6, 9}, {3, 6, 9}, {3, 6, 9}}, false, 0},
    {"point on a point", {{3, 6, 9}, 0, {1, 0, 0}, 0}, {{3, 6, 9}, {3, 6, 9}, {3, 6, 9}}, true, 0},
    {"smallest direction", {{1, 1, 1}, 0, {0, 0, -TINY}, INF}, {FLAT}, true, 0x1p+149},
    {"smallest direction, largest end", {{1, 1, 1}, 0, {0, 0, -TINY}, MAX}, {FLAT}, false, 0},
    {"largest direction", {{1, 1, 1}, 0, {0, 0, -0x1p+127F}, INF}, {FLAT}, true, 0x1p-127},
    {"largest of all", {{0, 0, MAX}, 0, {0, 0, -MAX}, INF}, {{-MAX, -MAX, 0}, {MAX, -MAX, 0}, {0, MAX, 0}}, true, 1},
    {"largest against smallest", {{0, 0, MAX}, 0, {0, 0, -TINY}, INF}, {{-MAX, -MAX, -MAX}, {MAX, -MAX, -MAX}, {0, MAX, -MAX}}, true, 0x1.fffffep+277},
    {"smallest triangle", {{0, 0, 1}, 0, {0, 0, -1}, INF}, {{0, 0, 0}, {TINY, 0, 0}, {0, TINY, 0}}, true, 1},
    {"beside the smallest triangle", {{TINY, TINY, 1}, 0, {0, 0, -1}, INF}, {{0, 0, 0}, {TINY, 0, 0}, {0, TINY, 0}}, false, 0},
    {"just above, far away", {{0x1p+23F, 0x1p+23F, 0x1p-149F}, 0, {0, 0, -0x1p-149F}, 1}, {{0, 0, 0}, {0x1p+25F, 0, 0}, {0, 0x1p+25F, 0}}, true, 1},
    {"nearly edge-on", {{0, 1, TINY}, 0, {1, 0, -TINY}, INF}, {FLAT}, true, 1},
    {"nearly edge-on, too far", {{0, 1, TINY}, 0, {4, 0, -TINY}, INF}, {FLAT}, false, 0},
};
/* clang-format on */

static void kept_rays_are_decided_right(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        const kept *k = &list[i];
        willow_hit hit;
        mpq_t t;
        mpq_init(t);
        if (rational_ray_tri(&k->ray, k->tri, t) != k->is_hit ||
            (k->is_hit && mpq_get_d(t) != k->t))
            fail_msg("the oracle: %s", k->what);
        if (rational_ray_tri_slow(&k->ray, k->tri) != k->is_hit)
            fail_msg("the slow oracle: %s", k->what);
        if (willow_ray_tri(&k->ray, k->tri, &hit) != k->is_hit) fail_msg("%s", k->what);
        if (k->is_hit && !(fabs(hit.t - k->t) <= 1e-6 * fabs(k->t)))
            fail_msg("%s: t is %.17g instead of %.17g", k->what, hit.t, k->t);
        mpq_clear(t);
    }
}

static void rays_that_are_refused_hit_nothing(void **state)
{
    (void)state;
    const willow_vec3 tri[3] = {FLAT};
    const willow_ray usual = {{1, 1, 1}, 0, {0, 0, -1}, INF};
    const float odd[] = {NAN, INF, -INF};
    assert_true(willow_ray_tri(&usual, tri, NULL));
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 7; k++) {
            willow_ray ray = usual;
            float *const numbers[] = {&ray.origin.x,    &ray.origin.y,    &ray.origin.z,
                                      &ray.direction.x, &ray.direction.y, &ray.direction.z,
                                      &ray.t_min};
            *numbers[k] = odd[i];
            assert_false(willow_ray_tri(&ray, tri, NULL));
        }
    willow_ray ray = usual;
    ray.t_max = NAN;
    assert_false(willow_ray_tri(&ray, tri, NULL));
    ray.t_max = -INF;
    assert_false(willow_ray_tri(&ray, tri, NULL));
    ray = usual;
    ray.direction = (willow_vec3){0, -0.0F, 0};
    assert_false(willow_ray_tri(&ray, tri, NULL));
    ray = usual;
    ray.t_min = 2;
    ray.t_max = 1;
    assert_false(willow_ray_tri(&ray, tri, NULL));
}

/* The plane of a hit is that of its triangle, whatever the ray. */
static void corners_turn_left_around_the_normal(void **state)
{
    (void)state;
    const willow_vec3 tri[3] = {{0, 0, 0}, {2, 0, 0}, {0, 4, 0}};
    const willow_ray down = {{0.5F, 1, 3}, 0, {0, 0, -1.5F}, INF},
                     up = {{0.5F, 1, -3}, 0, {0, 0, 1}, INF};
    willow_hit hit;
    assert_true(willow_ray_tri(&down, tri, &hit));
    assert_true(hit.t == 2 && hit.u == 0.25F && hit.v == 0.25F);
    assert_true(hit.normal.x == 0 && hit.normal.y == 0 && hit.normal.z == 1);
    assert_true(willow_ray_tri(&up, tri, &hit));
    assert_true(hit.t == 3 && hit.normal.z == 1);
    const willow_vec3 line[3] = {{0, 0, 0}, {2, 0, 0}, {1, 0, 0}};
    const willow_ray across = {{0.5F, -1, 0}, 0, {0, 1, 0}, INF};
    assert_true(willow_ray_tri(&across, line, &hit));
    assert_true(hit.normal.x == 0 && hit.normal.y == 0 && hit.normal.z == 0);
    assert_true(2 * hit.u + hit.v == 0.5F);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(kept_rays_are_decided_right),
    cmocka_unit_test(rays_that_are_refused_hit_nothing),
    cmocka_unit_test(corners_turn_left_around_the_normal),
    cmocka_unit_test(rays_hit_exactly_what_the_oracle_says),
};

static const struct CMUnitTest slow_tests[] = {
    cmocka_unit_test(rays_hit_exactly_what_the_oracle_says),
};

TEST_GROUP_WITH_SLOW(ray_tri_oracle, tests, slow_tests);
