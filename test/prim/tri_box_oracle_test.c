/* tri_box_oracle_test.c - willow_tri_box_meet against the rational oracle (C1).
 *
 * The triangle of a case is the first of a hard pair (support/tri_cases.h); the box is put together
 * from the corners of the second, which often lie exactly on the first, so that the triangle
 * touches a corner, an edge or a side of the box from outside. Boxes may be flat, lines, points or
 * empty. */
#include <float.h>
#include <math.h>
#include "base/kernel.h"
#include "prim/meet/tris_boxes.h"
#include "support/rational_tri.h"
#include "support/test.h"
#include "support/tri_cases.h"
#include "willow/prim.h"

enum {
    CASES_PER_FAMILY = 3000,
    SLOW_EVERY = 331, /* odd, so that all kinds come */
    MAX_PRINTED = 10,
};

typedef struct box {
    float lower[3], upper[3];
} box;

/* X(enum, function, name, may it meet?, may it miss?) */
#define BOX_KINDS(X)                                                                               \
    X(HULL, hull, "hull of a triangle", true, true)                                                \
    X(POINT, point, "point", true, true)                                                           \
    X(THIN, thin, "line or flat", true, true)                                                      \
    X(AT_POINT, at_point, "point on corner, edge or side", true, true)                             \
    X(AT_CORNER, at_corner, "vertex on corner, edge or side", true, false)                         \
    X(BESIDE, beside, "side on the triangle's bounds", true, true)                                 \
    X(NUDGED, nudged, "one ulp off these", true, true)                                             \
    X(EMPTY, empty, "empty", false, true)

typedef enum box_kind {
#define BOX_KIND_ENTRY(name, function, words, may_meet, may_miss) BOX_KIND_##name,
    BOX_KINDS(BOX_KIND_ENTRY)
#undef BOX_KIND_ENTRY
        BOX_KIND_COUNT
} box_kind;

static void include_point(box *b, int axis, const float p[3])
{
    b->lower[axis] = fminf(b->lower[axis], p[axis]);
    b->upper[axis] = fmaxf(b->upper[axis], p[axis]);
}

static box box_of_point(const float p[3])
{
    box b;
    memcpy(b.lower, p, sizeof b.lower);
    memcpy(b.upper, p, sizeof b.upper);
    return b;
}

static box make_hull(const tri_case *c, tri_random *random)
{
    (void)random;
    box b = box_of_point(c->b[0]);
    for (int axis = 0; axis < 3; axis++)
        for (int i = 1; i < 3; i++) include_point(&b, axis, c->b[i]);
    return b;
}

static box make_point(const tri_case *c, tri_random *random)
{
    return box_of_point(c->b[tri_random_int(random, 0, 2)]);
}

/* One or two axes have an extent. */
static box make_thin(const tri_case *c, tri_random *random)
{
    box b = box_of_point(c->b[0]);
    int axis = tri_random_int(random, 0, 2);
    include_point(&b, axis, c->b[1]);
    if (tri_random_int(random, 0, 1) == 0) include_point(&b, (axis + 1) % 3, c->b[2]);
    return b;
}

/* Along each axis the point is at one end of the box, or somewhere inside. */
static box make_around(const tri_case *c, tri_random *random, const float p[3])
{
    box b = box_of_point(p);
    for (int axis = 0; axis < 3; axis++) {
        include_point(&b, axis, c->b[1]);
        if (tri_random_int(random, 0, 2) == 0) include_point(&b, axis, c->b[2]);
    }
    return b;
}

static box make_at_point(const tri_case *c, tri_random *random)
{
    return make_around(c, random, c->b[0]);
}

static box make_at_corner(const tri_case *c, tri_random *random)
{
    return make_around(c, random, c->a[tri_random_int(random, 0, 2)]);
}

/* One side of the box lies in a side of the triangle's bounds, the box on the other side of it. */
static box make_beside(const tri_case *c, tri_random *random)
{
    box b = make_hull(c, random);
    int axis = tri_random_int(random, 0, 2);
    if (tri_random_int(random, 0, 1) == 0) {
        float most = fmaxf(fmaxf(c->a[0][axis], c->a[1][axis]), c->a[2][axis]);
        b.lower[axis] = most;
        b.upper[axis] = fmaxf(most, b.upper[axis]);
    } else {
        float least = fminf(fminf(c->a[0][axis], c->a[1][axis]), c->a[2][axis]);
        b.upper[axis] = least;
        b.lower[axis] = fminf(least, b.lower[axis]);
    }
    return b;
}

static box make_nudged(const tri_case *c, tri_random *random)
{
    box b;
    switch (tri_random_int(random, 0, 2)) {
    case 0: b = make_at_point(c, random); break;
    case 1: b = make_at_corner(c, random); break;
    default: b = make_beside(c, random); break;
    }
    int axis = tri_random_int(random, 0, 2);
    float *bound = tri_random_int(random, 0, 1) == 0 ? &b.lower[axis] : &b.upper[axis];
    *bound = nextafterf(*bound, tri_random_int(random, 0, 1) == 0 ? FLT_MAX : -FLT_MAX);
    return b;
}

static box make_empty(const tri_case *c, tri_random *random)
{
    box b = make_hull(c, random);
    int axis = tri_random_int(random, 0, 2);
    b.lower[axis] = c->a[tri_random_int(random, 0, 2)][axis];
    b.upper[axis] = nextafterf(b.lower[axis], -FLT_MAX);
    if (b.lower[axis] == -FLT_MAX) b.lower[axis] = 0;
    return b;
}

typedef box make_function(const tri_case *c, tri_random *random);

static const struct {
    const char *name;
    make_function *make;
    bool may_meet, may_miss;
} kinds[BOX_KIND_COUNT] = {
#define BOX_KIND_ROW(name, function, words, may_meet, may_miss)                                    \
    {words, make_##function, may_meet, may_miss},
    BOX_KINDS(BOX_KIND_ROW)
#undef BOX_KIND_ROW
};

typedef struct tally {
    size_t count, meet_count, slow_count, wrong_count;
} tally;

/* The eight at once, all of them this triangle, by every kernel; also against a box around it. */
static void assert_eight_say(const float t[3][3], const box *b, bool meet)
{
    wi_box boxes[2] = {
        {{b->lower[0], b->lower[1], b->lower[2]}, {b->upper[0], b->upper[1], b->upper[2]}},
        wi_box_everything()};
    wi_tri8 tris = {.corner = {{{0}}}};
    for (int lane = 0; lane < 8; lane++)
        for (int i = 0; i < 3; i++) memcpy(tris.corner[i][lane], t[i], sizeof t[i]);
    for (willow_kernel kernel = WILLOW_KERNEL_SCALAR; kernel < WILLOW_KERNEL_COUNT; kernel++) {
        uint8_t bits[2];
        uint64_t exact = 0;
        if (wi_kernel_choose(kernel) != kernel) continue;
        wi_tris_meet_boxes_for(kernel)(&tris, 7, boxes, 2, bits, &exact);
        assert_int_equal(bits[0], meet ? 0x7F : 0);
        assert_int_equal(bits[1], 0x7F);
    }
}

static bool library_says(const float t[3][3], const box *b)
{
    willow_vec3 tri[3];
    for (int i = 0; i < 3; i++) tri[i] = (willow_vec3){t[i][0], t[i][1], t[i][2]};
    willow_box in = {{b->lower[0], b->lower[1], b->lower[2]},
                     {b->upper[0], b->upper[1], b->upper[2]}};
    return willow_tri_box_meet(tri, &in);
}

static void print_vec(const char *name, const float v[3])
{
    printf("    %s {%aF, %aF, %aF}\n", name, (double)v[0], (double)v[1], (double)v[2]);
}

static void report(const char *who, const float t[3][3], const box *b, bool meet)
{
    printf("DISAGREEMENT of %s; the oracle: %s\n", who, meet ? "meet" : "apart");
    for (int i = 0; i < 3; i++) print_vec("corner", t[i]);
    print_vec("lower", b->lower);
    print_vec("upper", b->upper);
}

static void check(const float t[3][3], const box *b, bool ask_slow, tally *sum)
{
    bool meet = rational_tri_box_meet(t, b->lower, b->upper);
    bool library_agrees = library_says(t, b) == meet;
    assert_eight_say(t, b, meet);
    bool slow_agrees = !ask_slow || rational_tri_box_meet_slow(t, b->lower, b->upper) == meet;
    sum->count++;
    sum->meet_count += meet;
    sum->slow_count += ask_slow;
    if (library_agrees && slow_agrees) return;
    if (sum->wrong_count++ < MAX_PRINTED)
        report(library_agrees ? "the slow oracle" : "the library", t, b, meet);
}

static void triangle_meets_box_exactly_when_the_oracle_says_so(void **state)
{
    (void)state;
    tally sums[BOX_KIND_COUNT] = {0};
    for (int family = 0; family < TRI_FAMILY_COUNT; family++)
        for (uint64_t i = 0; i < CASES_PER_FAMILY; i++) {
            tri_case made;
            tri_case_make(&made, (tri_family)family, i);
            const tri_case *c = &made;
            tri_random random = {i << 8 | (uint64_t)family};
            unsigned kind = (unsigned)(i % BOX_KIND_COUNT);
            box b = kinds[kind].make(c, &random);
            check(c->a, &b, i % SLOW_EVERY == 0, &sums[kind]);
        }
    size_t count = 0, wrong_count = 0;
    for (int kind = 0; kind < BOX_KIND_COUNT; kind++) {
        const tally *s = &sums[kind];
        printf("%-32s %7zu boxes, %6zu meeting, %4zu asked slowly too, %zu wrong\n",
               kinds[kind].name, s->count, s->meet_count, s->slow_count, s->wrong_count);
        count += s->count;
        wrong_count += s->wrong_count;
        assert_int_equal(s->meet_count > 0, kinds[kind].may_meet);
        assert_int_equal(s->meet_count < s->count, kinds[kind].may_miss);
        assert_true(s->slow_count > 0);
    }
    assert_true(count >= 100000);
    assert_int_equal(wrong_count, 0);
}

/* ---- answers reasoned out by hand ---- */

typedef struct kept {
    const char *what;
    float t[3][3];
    box b;
    bool meet;
} kept;

#define UNIT                                                                                       \
    {                                                                                              \
        {0, 0, 0}, { 1, 1, 1 }                                                                     \
    }
#define POINT(x, y, z)                                                                             \
    {                                                                                              \
        {x, y, z}, {x, y, z}, { x, y, z }                                                          \
    }
#define MAX FLT_MAX
#define TINY 0x1p-149F

/* clang-format off */
static const kept list[] = {
    {"triangle inside", {{0.25F, 0.25F, 0.25F}, {0.5F, 0.25F, 0.25F}, {0.25F, 0.5F, 0.5F}}, UNIT, true},
    {"box inside the face", {{-9, -9, 0.5F}, {9, -9, 0.5F}, {0, 9, 0.5F}}, UNIT, true},
    {"face on a side", {{-9, -9, 1}, {9, -9, 1}, {0, 9, 1}}, UNIT, true},
    {"face one ulp above a side", {{-9, -9, 0x1.000002p+0F}, {9, -9, 0x1.000002p+0F}, {0, 9, 0x1.000002p+0F}}, UNIT, false},
    {"face through a corner, x + y + z = 3", {{3, 0, 0}, {0, 3, 0}, {0, 0, 3}}, UNIT, true},
    {"face past a corner, x + y + z = 4", {{4, 0, 0}, {0, 4, 0}, {0, 0, 4}}, UNIT, false},
    {"face through an edge, x + y = 2", {{2, 0, -9}, {0, 2, -9}, {1, 1, 9}}, UNIT, true},
    {"face past an edge, x + y = 3", {{3, 0, -9}, {0, 3, -9}, {1.5F, 1.5F, 9}}, UNIT, false},
    {"edge on an edge, crosswise", {{2, 0, 0.5F}, {0, 2, 0.5F}, {3, 3, 0.5F}}, UNIT, true},
    {"edge past an edge, crosswise", {{3, 0, 0.5F}, {0, 3, 0.5F}, {3, 3, 0.5F}}, UNIT, false},
    {"edge past a corner, bounds overlap", {{0, 3, 0.5F}, {2.5F, 0, 0.5F}, {3, 3, 0.5F}}, UNIT, false},
    {"vertex on a side", {{0.5F, 0.5F, 1}, {0, 0, 2}, {1, 0, 2}}, UNIT, true},
    {"vertex on an edge", {{1, 1, 0.5F}, {2, 2, 0}, {2, 2, 1}}, UNIT, true},
    {"vertex on a corner", {{1, 1, 1}, {2, 2, 1}, {2, 1, 2}}, UNIT, true},
    {"vertex one ulp off a corner", {{1, 1, 0x1.000002p+0F}, {2, 2, 2}, {2, 1, 2}}, UNIT, false},
    {"point inside", POINT(0.5F, 0.5F, 0.5F), UNIT, true},
    {"point on a corner", POINT(0, 1, 0), UNIT, true},
    {"point outside", POINT(0.5F, 2, 0.5F), UNIT, false},
    {"segment through, ends outside", {{-1, -1, -1}, {2, 2, 2}, {2, 2, 2}}, UNIT, true},
    {"segment through an edge", {{2, 0, 0.5F}, {0, 2, 0.5F}, {1, 1, 0.5F}}, UNIT, true},
    {"segment through a corner", {{0, 2, 1}, {2, 0, 1}, {2, 0, 1}}, UNIT, true},
    {"segment past an edge, bounds overlap", {{2.5F, 0, 0.5F}, {0, 2.5F, 0.5F}, {0, 2.5F, 0.5F}}, UNIT, false},
    {"segment along an edge", {{1, 1, -1}, {1, 1, 0.25F}, {1, 1, 2}}, UNIT, true},
    {"box is a point of the face", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, 0}, {1, 1, 0}}, true},
    {"box is a point above the face", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, TINY}, {1, 1, TINY}}, false},
    {"box is a point of the long edge", {{0, 0, 0}, {3, 0, 0}, {0, 3, 0}}, {{1, 2, 0}, {1, 2, 0}}, true},
    {"box is a point beyond the long edge", {{0, 0, 0}, {3, 0, 0}, {0, 3, 0}}, {{1, 0x1.000002p+1F, 0}, {1, 0x1.000002p+1F, 0}}, false},
    {"box is a line through the face", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, -1}, {1, 1, 1}}, true},
    {"box is a line past the face", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{3, 3, -1}, {3, 3, 1}}, false},
    {"box is flat, in the face's plane", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{2, 2, 0}, {5, 5, 0}}, true},
    {"box is flat, in the plane, beyond", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{2, 3, 0}, {5, 5, 0}}, false},
    {"box and triangle are one point", POINT(7, 7, 7), {{7, 7, 7}, {7, 7, 7}}, true},
    {"box and triangle are two points", POINT(7, 7, 7), {{7, 7, 8}, {7, 7, 8}}, false},
    {"empty box around the triangle", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{-9, -9, 9}, {9, 9, -9}}, false},
    {"largest floats", {{-MAX, -MAX, -MAX}, {MAX, MAX, MAX}, {MAX, -MAX, 0}}, {{-TINY, -TINY, -TINY}, {TINY, TINY, TINY}}, true},
    {"largest floats, past the smallest", {{MAX, -MAX, TINY}, {-MAX, MAX, TINY}, {MAX, MAX, TINY}}, {{-1, -1, -1}, {1, 1, 0}}, false},
    {"largest box", {{-MAX, MAX, 0}, {0, 1, 2}, {3, 4, 5}}, {{-MAX, -MAX, -MAX}, {MAX, MAX, MAX}}, true},
    {"smallest triangle at the smallest box", {{0, 0, 0}, {TINY, 0, 0}, {0, TINY, 0}}, {{TINY, TINY, 0}, {1, 1, 1}}, false},
};
/* clang-format on */

static void kept_boxes_are_decided_right(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        const kept *k = &list[i];
        if (rational_tri_box_meet(k->t, k->b.lower, k->b.upper) != k->meet)
            fail_msg("the oracle: %s", k->what);
        if (rational_tri_box_meet_slow(k->t, k->b.lower, k->b.upper) != k->meet)
            fail_msg("the slow oracle: %s", k->what);
        assert_eight_say(k->t, &k->b, k->meet);
        if (library_says(k->t, &k->b) != k->meet) fail_msg("the library: %s", k->what);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(kept_boxes_are_decided_right),
    cmocka_unit_test(triangle_meets_box_exactly_when_the_oracle_says_so),
};

TEST_GROUP(tri_box_oracle, tests);
