/* Moving primitives by hand: what a grid of random numbers does not hit. Every case is held against
 * rational numbers too. */
#include "prim/moving/toi.h"

#include <math.h>
#include "base/trig.h"
#include "support/test.h"
#include "support/toi_check.h"

static const double tolerance = 1e-6;

/* ---- cases ---- */

typedef struct hand_case {
    const char *name;
    bool is_edges;
    double start[4][3], end[4][3];
    double min_distance;
    willow_toi verdict;
    double toi; /* of an impact: when it truly is */
} hand_case;

/* The triangle (0,0,0), (1,0,0), (0,1,0) at rest, and the edge from (-1,0,0) to (1,0,0). */
#define FLAT                                                                                       \
    {0, 0, 0}, {1, 0, 0}, { 0, 1, 0 }
#define BAR                                                                                        \
    {-1, 0, 0}, { 1, 0, 0 }

static const hand_case cases[] = {
    TEST_ROW("a vertex goes through a triangle", false, {{.25, .25, 1}, FLAT},
             {{.25, .25, -1}, FLAT}, 0, WILLOW_TOI_IMPACT, 0.5),
    TEST_ROW("a vertex arrives at the end of the step", false, {{.25, .25, 1}, FLAT},
             {{.25, .25, 0}, FLAT}, 0, WILLOW_TOI_IMPACT, 1.0),
    TEST_ROW("a vertex stops before the triangle", false, {{.25, .25, 1}, FLAT},
             {{.25, .25, 1e-9}, FLAT}, 0, WILLOW_TOI_NONE, 1.0),
    TEST_ROW("a vertex leaves the triangle on which it is", false, {{.25, .25, 0}, FLAT},
             {{.25, .25, 1}, FLAT}, 0, WILLOW_TOI_IMPACT, 0.0),
    TEST_ROW("a vertex rests on the triangle", false, {{.25, .25, 0}, FLAT}, {{.25, .25, 0}, FLAT},
             0, WILLOW_TOI_IMPACT, 0.0),
    TEST_ROW("a vertex is a corner of the triangle", false, {{1, 0, 0}, FLAT}, {{1, 0, 3}, FLAT}, 0,
             WILLOW_TOI_IMPACT, 0.0),
    TEST_ROW("a vertex comes to a corner", false, {{2, 0, 1}, FLAT}, {{0, 0, -1}, FLAT}, 0,
             WILLOW_TOI_IMPACT, 0.5),
    TEST_ROW("a vertex comes to an edge", false, {{.5, -1, 1}, FLAT}, {{.5, 1, -1}, FLAT}, 0,
             WILLOW_TOI_IMPACT, 0.5),
    TEST_ROW("a vertex misses an edge by little", false, {{.5, -1 - 0x1p-40, 1}, FLAT},
             {{.5, 1 - 0x1p-40, -1}, FLAT}, 0, WILLOW_TOI_NONE, 1.0),
    TEST_ROW("a vertex slides in the plane and hits an edge", false, {{-1, .25, 0}, FLAT},
             {{1, .25, 0}, FLAT}, 0, WILLOW_TOI_IMPACT, 0.5),
    TEST_ROW("a vertex slides in the plane and passes", false, {{-1, 1.25, 0}, FLAT},
             {{2, 1.25, 0}, FLAT}, 0, WILLOW_TOI_NONE, 1.0),
    TEST_ROW("a vertex slides in the plane and grazes a corner", false, {{-1, 1, 0}, FLAT},
             {{1, 1, 0}, FLAT}, 0, WILLOW_TOI_IMPACT, 0.5),
    TEST_ROW("a vertex slides above the plane by a hair", false, {{-1, .25, 0x1p-60}, FLAT},
             {{1, .25, 0x1p-60}, FLAT}, 0, WILLOW_TOI_NONE, 1.0),
    TEST_ROW("a vertex hovers by a hair and does not move", false, {{.25, .25, 1e-80}, FLAT},
             {{.25, .25, 1e-80}, FLAT}, 0, WILLOW_TOI_NONE, 1.0),
    TEST_ROW("a vertex hovers by a hair and falls", false, {{.25, .25, 1e-80}, FLAT},
             {{.25, .25, -1}, FLAT}, 0, WILLOW_TOI_IMPACT, 1e-80),
    TEST_ROW("a vertex and a triangle move together", false,
             {{5.25, 5.25, 6}, {5, 5, 5}, {6, 5, 5}, {5, 6, 5}},
             {{-4.75, 2.25, 8}, {-5, 2, 7}, {-4, 2, 7}, {-5, 3, 7}}, 0, WILLOW_TOI_NONE, 1.0),
    TEST_ROW("a triangle is a point and the vertex hits it", false,
             {{0, 0, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}},
             {{1, 1, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}}, 0, WILLOW_TOI_IMPACT, 0.5),
    TEST_ROW("a triangle is a point and the vertex passes", false,
             {{0, 0, 1}, {1, 1, 2}, {1, 1, 2}, {1, 1, 2}},
             {{1, 1, 1}, {0, 0, 2}, {0, 0, 2}, {0, 0, 2}}, 0, WILLOW_TOI_NONE, 1.0),
    TEST_ROW("a triangle is a segment and the vertex hits it", false,
             {{0, 0, 1}, {-1, 0, 0}, {1, 0, 0}, {3, 0, 0}},
             {{0, 0, -1}, {-1, 0, 0}, {1, 0, 0}, {3, 0, 0}}, 0, WILLOW_TOI_IMPACT, 0.5),
    TEST_ROW("a triangle becomes a segment when the vertex is there", false,
             {{.5, .5, 1}, {0, 0, 0}, {1, 0, 0}, {1, 1, 0}},
             {{.5, .5, -1}, {0, 0, 0}, {1, 1, 0}, {1, 1, 0}}, 0, WILLOW_TOI_IMPACT, 0.5),
    TEST_ROW("a triangle turns until its edge meets a vertex", false,
             {{.25, .25, .25}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
             {{.25, .25, .25}, {0, 0, 0}, {1, 0, 0}, {0, -1, 1}}, 0, WILLOW_TOI_IMPACT, 1.0 / 3.0),
    TEST_ROW("a triangle rises and sinks its corners around a vertex", false,
             {{.25, .25, 0}, {0, 0, -1}, {1, 0, 1}, {0, 1, -1}},
             {{.25, .25, 0}, {0, 0, 1}, {1, 0, -1}, {0, 1, 1}}, 0, WILLOW_TOI_IMPACT, 0.5),
    TEST_ROW("a vertex dips to the plane and turns, as the plane does", false,
             {{.25, .25, .25}, {0, 0, -.75}, {1, 0, .25}, {0, 1, .25}},
             {{.25, .25, .25}, {0, 0, .25}, {1, 0, .25}, {0, 1, -.75}}, 0, WILLOW_TOI_NONE, 1.0),
    TEST_ROW("edges cross", true, {BAR, {0, -1, 1}, {0, 1, 1}}, {BAR, {0, -1, -1}, {0, 1, -1}}, 0,
             WILLOW_TOI_IMPACT, 0.5),
    TEST_ROW("edges cross at their ends", true, {BAR, {1, 0, 1}, {1, 1, 1}},
             {BAR, {1, 0, -1}, {1, 1, -1}}, 0, WILLOW_TOI_IMPACT, 0.5),
    TEST_ROW("edges miss each other by little", true, {BAR, {1 + 0x1p-40, 0, 1}, {2, 1, 1}},
             {BAR, {1 + 0x1p-40, 0, -1}, {2, 1, -1}}, 0, WILLOW_TOI_NONE, 1.0),
    TEST_ROW("edges cross from the start", true, {BAR, {0, -1, 0}, {0, 1, 0}},
             {BAR, {0, -1, 5}, {0, 1, 5}}, 0, WILLOW_TOI_IMPACT, 0.0),
    TEST_ROW("edges on one line touch from the start", true, {BAR, {1, 0, 0}, {3, 0, 0}},
             {BAR, {2, 0, 0}, {4, 0, 0}}, 0, WILLOW_TOI_IMPACT, 0.0),
    TEST_ROW("edges on one line meet", true, {BAR, {2, 0, 0}, {3, 0, 0}},
             {BAR, {0, 0, 0}, {1, 0, 0}}, 0, WILLOW_TOI_IMPACT, 0.5),
    TEST_ROW("edges on one line part", true, {BAR, {2, 0, 0}, {3, 0, 0}},
             {BAR, {3, 0, 0}, {4, 0, 0}}, 0, WILLOW_TOI_NONE, 1.0),
    TEST_ROW("parallel edges meet", true, {BAR, {-1, 0, 1}, {1, 0, 1}},
             {BAR, {-1, 0, -1}, {1, 0, -1}}, 0, WILLOW_TOI_IMPACT, 0.5),
    TEST_ROW("parallel edges meet end to end only", true, {BAR, {1, 0, 1}, {3, 0, 1}},
             {BAR, {1, 0, -1}, {3, 0, -1}}, 0, WILLOW_TOI_IMPACT, 0.5),
    TEST_ROW("parallel edges pass beyond their ends", true, {BAR, {1.5, 0, 1}, {3, 0, 1}},
             {BAR, {1.5, 0, -1}, {3, 0, -1}}, 0, WILLOW_TOI_NONE, 1.0),
    TEST_ROW("edges slide across each other in one plane", true, {BAR, {0, 1, 0}, {2, 3, 0}},
             {BAR, {0, -1, 0}, {2, 1, 0}}, 0, WILLOW_TOI_IMPACT, 0.5),
    TEST_ROW("an edge without length hits an edge", true, {BAR, {0, 0, 1}, {0, 0, 1}},
             {BAR, {0, 0, -1}, {0, 0, -1}}, 0, WILLOW_TOI_IMPACT, 0.5),
    TEST_ROW("two edges without length meet head on", true,
             {{-1, 0, 0}, {-1, 0, 0}, {1, 0, 0}, {1, 0, 0}},
             {{1, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {-1, 0, 0}}, 0, WILLOW_TOI_IMPACT, 0.5),
    TEST_ROW("two edges without length pass", true,
             {{-1, 0, 0}, {-1, 0, 0}, {1, 0, 1e-9}, {1, 0, 1e-9}},
             {{1, 0, 0}, {1, 0, 0}, {-1, 0, 1e-9}, {-1, 0, 1e-9}}, 0, WILLOW_TOI_NONE, 1.0),
    TEST_ROW("an edge shrinks to a point and grows again, on the other", true,
             {BAR, {0, -1, 1}, {0, 1, 1}}, {BAR, {0, 1, -1}, {0, -1, -1}}, 0, WILLOW_TOI_IMPACT,
             0.5),
    TEST_ROW("nothing moves and nothing touches", true, {BAR, {0, -1, 1}, {0, 1, 1}},
             {BAR, {0, -1, 1}, {0, 1, 1}}, 0, WILLOW_TOI_NONE, 1.0),
    TEST_ROW("edges graze at one time: the volume has a double root", true,
             {{-1, 0, 0}, {1, 0, 0}, {-1, -1, .25}, {1, 1, .25}},
             {{-1, 0, 0}, {1, 0, 0}, {1, -1, .25}, {-1, 1, .25}}, 0, WILLOW_TOI_NONE, 1.0),
    TEST_ROW("the volume has three roots and the second is the contact", true,
             {{-1, -1, 1}, {-1, 1, -1}, {1, 1, 1}, {1, -1, -1}},
             {{1, 1, 1}, {1, -1, -1}, {-1, -1, 1}, {-1, 1, -1}}, 0, WILLOW_TOI_IMPACT, 0.5),
    TEST_ROW("a vertex comes within the distance", false, {{.25, .25, 1}, FLAT},
             {{.25, .25, -1}, FLAT}, .25, WILLOW_TOI_IMPACT, 0.375),
    TEST_ROW("a vertex stays beyond the distance", false, {{.25, .25, 1}, FLAT},
             {{.25, .25, .26}, FLAT}, .25, WILLOW_TOI_NONE, 1.0),
    TEST_ROW("a vertex starts within the distance", false, {{.25, .25, .125}, FLAT},
             {{.25, .25, 1}, FLAT}, .25, WILLOW_TOI_IMPACT, 0.0),
    TEST_ROW("a vertex passes a corner within the distance", false, {{2, -3, 0}, FLAT},
             {{2, 3, 0}, FLAT}, 1.25, WILLOW_TOI_IMPACT, 0.375),
    TEST_ROW("a vertex passes a corner beyond the distance", false, {{2, -3, 0}, FLAT},
             {{2, 3, 0}, FLAT}, .999999, WILLOW_TOI_NONE, 1.0),
    TEST_ROW("edges come within the distance", true, {BAR, {0, -1, 1}, {0, 1, 1}},
             {BAR, {0, -1, -1}, {0, 1, -1}}, .5, WILLOW_TOI_IMPACT, 0.25),
    TEST_ROW("parallel edges come within the distance", true, {BAR, {-1, 0, 1}, {1, 0, 1}},
             {BAR, {-1, 0, 0}, {1, 0, 0}}, .5, WILLOW_TOI_IMPACT, 0.5),
    TEST_ROW("parallel edges stay beyond the distance", true, {BAR, {-1, 0, 1}, {1, 0, 1}},
             {BAR, {-1, 0, .5001}, {1, 0, .5001}}, .5, WILLOW_TOI_NONE, 1.0),
    TEST_ROW("the distance is larger than everything", true, {BAR, {0, -1, 1}, {0, 1, 1}},
             {BAR, {0, -1, -1}, {0, 1, -1}}, 1e30, WILLOW_TOI_IMPACT, 0.0),
    /* Kept from a benchmark: once taken for impacts. */
    TEST_ROW("edges on nearly one line pass each other by last bits, turning a little", true,
             {{0x1.5555555555555p-2, 0x1.8d82631547a67p+0, 0x1.5555555555555p-2},
              {0x1.5555555555555p-3, 0x1.1b04c62a8f4cep-1, 0x1.5555555555559p-3},
              {0x1.555555567a895p-3, 0x1.ddddddde7077dp-2, 0x1.555555567a895p-3},
              {0x1.2534000000000p-35, -0x1.11111110c7c41p-1, 0x1.2534000000000p-35}},
             {{0x1.5555555555555p-2, 0x1.7467803af25aep+0, 0x1.5555555555556p-2},
              {0x1.5555555555551p-3, 0x1.d19e00ebc96bap-2, 0x1.5555555555559p-3},
              {0x1.555555567a895p-3, 0x1.ddddddde7077dp-2, 0x1.555555567a895p-3},
              {0x1.2534000000000p-35, -0x1.11111110c7c41p-1, 0x1.2534000000000p-35}},
             0, WILLOW_TOI_NONE, 1.0),
    TEST_ROW("edges on nearly one line pass each other by last bits, and turning more", true,
             {{0x1.5555555555555p-2, 0x1.7be00cfd8b391p+0, 0x1.5555555555556p-2},
              {0x1.5555555555552p-3, 0x1.ef8033f62ce43p-2, 0x1.5555555555559p-3},
              {0x1.555555567a895p-3, 0x1.ddddddde7077dp-2, 0x1.555555567a895p-3},
              {0x1.2534000000000p-35, -0x1.11111110c7c41p-1, 0x1.2534000000000p-35}},
             {{0x1.5555555555553p-2, 0x1.7467803af25aep+0, 0x1.5555555555556p-2},
              {0x1.555555555555fp-3, 0x1.d19e00ebc96b6p-2, 0x1.5555555555554p-3},
              {0x1.555555567a895p-3, 0x1.ddddddde7077dp-2, 0x1.555555567a895p-3},
              {0x1.2534000000000p-35, -0x1.11111110c7c41p-1, 0x1.2534000000000p-35}},
             0, WILLOW_TOI_NONE, 1.0),
    TEST_ROW("edges on nearly one line pass each other by last bits, and turning back", true,
             {{0x1.5555555555554p-2, 0x1.78592ef8cbeeap+0, 0x1.5555555555556p-2},
              {0x1.5555555555558p-3, 0x1.e164bbe32fba5p-2, 0x1.5555555555557p-3},
              {0x1.555555567a895p-3, 0x1.ddddddde7077dp-2, 0x1.555555567a895p-3},
              {0x1.2534000000000p-35, -0x1.11111110c7c41p-1, 0x1.2534000000000p-35}},
             {{0x1.5555555555556p-2, 0x1.7467803af25aep+0, 0x1.5555555555556p-2},
              {0x1.555555555554fp-3, 0x1.d19e00ebc96b8p-2, 0x1.5555555555556p-3},
              {0x1.555555567a895p-3, 0x1.ddddddde7077dp-2, 0x1.555555567a895p-3},
              {0x1.2534000000000p-35, -0x1.11111110c7c41p-1, 0x1.2534000000000p-35}},
             0, WILLOW_TOI_NONE, 1.0),
};
enum { CASES = sizeof cases / sizeof cases[0] };

static toi_case make(const hand_case *h, double scale, double offset)
{
    toi_case c = {.is_edges = h->is_edges,
                  .min_distance = h->min_distance * scale,
                  .tolerance = tolerance,
                  .max_iterations = 1000};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            c.start[i][k] = h->start[i][k] * scale + offset;
            c.end[i][k] = h->end[i][k] * scale + offset;
        }
    return c;
}

static void expect(const hand_case *h, const toi_answer *a)
{
    if (a->verdict != h->verdict || a->toi > h->toi || a->toi < h->toi - tolerance)
        fail_msg("%s: verdict %d at %a, not %d at %a", h->name, (int)a->verdict, a->toi,
                 (int)h->verdict, h->toi);
}

static void cases_by_hand_are_answered_as_written(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++) {
        const toi_case c = make(&cases[i], 1.0, 0.0);
        const toi_answer a = toi_check(cases[i].name, (uint64_t)i, &c);
        expect(&cases[i], &a);
    }
}

static void edges_may_be_exchanged_and_turned_around(void **state)
{
    (void)state;
    static const int orders[3][4] = {{2, 3, 0, 1}, {1, 0, 2, 3}, {0, 1, 3, 2}};
    for (int i = 0; i < CASES; i++)
        for (int order = 0; order < 3 && cases[i].is_edges; order++) {
            const toi_case from = make(&cases[i], 1.0, 0.0);
            toi_case c = from;
            for (int k = 0; k < 4; k++) {
                memcpy(c.start[k], from.start[orders[order][k]], sizeof c.start[k]);
                memcpy(c.end[k], from.end[orders[order][k]], sizeof c.end[k]);
            }
            const toi_answer a = toi_ask(&c);
            expect(&cases[i], &a);
        }
}

static void size_does_not_matter(void **state)
{
    (void)state;
    static const double scales[] = {0x1p-260, 1e-9, 1e9, 0x1p265};
    for (int i = 0; i < CASES; i++)
        for (int k = 0; k < 4; k++) {
            if (k == 0 && strstr(cases[i].name, "hair") != NULL) continue; /* beyond 1e-90 */
            const toi_case c = make(&cases[i], scales[k], 0.0);
            const toi_answer a = toi_check(cases[i].name, (uint64_t)i, &c);
            if (k == 0 || k == 3) expect(&cases[i], &a); /* the others are rounded */
        }
}

/* Details of 1e-6 at 1e6 from the origin, where the last bit is 1e-10. */
static void a_common_offset_does_not_matter(void **state)
{
    (void)state;
    size_t impacts = 0;
    for (int i = 0; i < CASES; i++) {
        const toi_case c = make(&cases[i], 1e-6, 1048576.0);
        impacts += toi_check(cases[i].name, (uint64_t)i, &c).verdict == WILLOW_TOI_IMPACT;
    }
    assert_true(impacts > 0);
}

static void a_tiny_tolerance_is_met_as_far_as_time_can_be_told(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++) {
        toi_case c = make(&cases[i], 1.0, 0.0);
        c.tolerance = 1e-16;
        const toi_answer a = toi_check(cases[i].name, (uint64_t)i, &c);
        expect(&cases[i], &a);
        if (a.toi < cases[i].toi - 1e-14)
            fail_msg("%s: early by %g", cases[i].name, cases[i].toi - a.toi);
    }
}

/* ---- limits ---- */

static void toi_says_undecided_instead_of_looping(void **state)
{
    (void)state;
    size_t undecided = 0;
    for (uint32_t limit = 1; limit <= 4; limit++)
        for (int i = 0; i < CASES; i++) {
            toi_case c = make(&cases[i], 1.0, 0.0);
            c.max_iterations = limit;
            c.tolerance = 1e-16;
            const toi_answer a = toi_check(cases[i].name, (uint64_t)i, &c);
            undecided += a.verdict == WILLOW_TOI_UNDECIDED;
            assert_true(a.verdict == WILLOW_TOI_UNDECIDED || a.verdict == cases[i].verdict);
            assert_true(a.toi <= cases[i].toi);
            assert_true(a.toi > 0.0 || cases[i].toi == 0.0);
        }
    print_message("%zu undecided\n", undecided);
    assert_true(undecided > 0);
}

static void more_iterations_never_give_an_earlier_time(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++) {
        toi_case c = make(&cases[i], 1.0, 0.0);
        double before = 0.0;
        for (c.max_iterations = 1; c.max_iterations < 64; c.max_iterations++) {
            const toi_answer a = toi_ask(&c), again = toi_ask(&c);
            assert_true(a.toi >= before || a.verdict == WILLOW_TOI_IMPACT);
            assert_memory_equal(&a.toi, &again.toi, sizeof a.toi);
            before = a.toi;
        }
    }
}

static void what_happens_after_until_does_not_matter(void **state)
{
    (void)state;
    wi_paths paths = {.start = {{.25, .25, 1}, FLAT}, .end = {{.25, .25, -1}, FLAT}};
    wi_toi_limits limits = {.tolerance = tolerance, .until = 0.49, .max_iterations = 1000};
    double toi;
    assert_int_equal(wi_vertex_face_toi(&paths, &limits, &toi), WILLOW_TOI_NONE);
    limits.until = 0.51;
    assert_int_equal(wi_vertex_face_toi(&paths, &limits, &toi), WILLOW_TOI_IMPACT);
    assert_true(toi <= 0.5 && toi >= 0.5 - tolerance);
    limits.until = 0.5;
    assert_int_equal(wi_vertex_face_toi(&paths, &limits, &toi), WILLOW_TOI_IMPACT);
    limits.until = 0.0;
    assert_int_equal(wi_vertex_face_toi(&paths, &limits, &toi), WILLOW_TOI_NONE);
}

/* ---- bent paths ---- */

/* Point 0 falls and rises again: its height is 1 - 4 depth t (1 - t). */
static void fall(const void *context, double t, double out[4][3])
{
    static const double rest[3][3] = {FLAT};
    const double depth = *(const double *)context;
    memcpy(out[1], rest, sizeof rest);
    out[0][0] = out[0][1] = 0.25;
    out[0][2] = 1.0 - 4.0 * depth * t * (1.0 - t);
}

static willow_toi ask_falling(double depth, double reach, double *toi)
{
    /* A path with the acceleration a leaves a chord of length h by at most a h^2 / 8. */
    wi_paths paths = {.at = fall, .context = &depth, .bend = depth * 1.0001, .slack = 1e-15};
    const wi_toi_limits limits = {reach, tolerance, 1.0, 10000};
    fall(&depth, 0.0, paths.start);
    fall(&depth, 1.0, paths.end);
    return wi_vertex_face_toi(&paths, &limits, toi);
}

static void a_vertex_on_a_parabola_is_met_where_it_is(void **state)
{
    (void)state;
    static const double depths[] = {1.0001, 1.5, 3.0, 100.0};
    static const double reaches[] = {0.0, 0.125};
    double toi;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 2; k++) {
            const double sink = (1.0 - reaches[k]) / depths[i];
            const double truth = 0.5 * (1.0 - sqrt(1.0 - sink));
            assert_int_equal(ask_falling(depths[i], reaches[k], &toi), WILLOW_TOI_IMPACT);
            assert_true(toi <= truth + 1e-12 && toi >= truth - tolerance);
        }
    assert_int_equal(ask_falling(1.0, 0.0, &toi), WILLOW_TOI_IMPACT); /* at its lowest point */
    assert_true(toi <= 0.5 && toi > 0.499);
    assert_int_equal(ask_falling(0.9999, 0.0, &toi), WILLOW_TOI_NONE);
    assert_int_equal(ask_falling(0.8, 0.125, &toi), WILLOW_TOI_NONE);
}

/* An edge turns by half a turn about the axis z, and one stands at a distance from it. */
static void spin(const void *context, double t, double out[4][3])
{
    const double distance = *(const double *)context, angle = 3.14159265358979323846 * t;
    const double c = wi_cos(angle), s = wi_sin(angle);
    const double at[4][3] = {
        {-c, -s, 0.0}, {c, s, 0.0}, {0.0, distance, -1.0}, {0.0, distance, 1.0}};
    memcpy(out, at, sizeof at);
}

static willow_toi ask_spinning(double distance, double *toi)
{
    wi_paths paths = {.at = spin, .context = &distance, .bend = 1.25, .slack = 1e-15};
    const wi_toi_limits limits = {0.0, tolerance, 1.0, 10000};
    spin(&distance, 0.0, paths.start);
    spin(&distance, 1.0, paths.end);
    return wi_edge_edge_toi(&paths, &limits, toi);
}

static void an_edge_that_turns_meets_what_its_ends_do_not_pass(void **state)
{
    (void)state;
    double toi;
    assert_int_equal(ask_spinning(0.5, &toi), WILLOW_TOI_IMPACT);
    assert_true(toi <= 0.5 && toi >= 0.5 - tolerance);
    assert_int_equal(ask_spinning(0.9999, &toi), WILLOW_TOI_IMPACT);
    assert_true(toi <= 0.5 && toi >= 0.5 - tolerance);
    assert_int_equal(ask_spinning(1.0001, &toi), WILLOW_TOI_NONE);
}

/* ---- what is given ---- */

/* As in worlds. Plain arrays, without a cast. */
static void zeros_stand_for_the_defaults(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++) {
        const toi_case c = make(&cases[i], 1.0, 0.0);
        double start[4][3], end[4][3], toi, usual;
        memcpy(start, c.start, sizeof start);
        memcpy(end, c.end, sizeof end);
        assert_int_equal(
            willow_vertex_face_toi(start, end, c.min_distance, 0, 0, &toi),
            willow_vertex_face_toi(c.start, c.end, c.min_distance, 1e-6, 10000, &usual));
        assert_memory_equal(&toi, &usual, sizeof toi);
        assert_int_equal(willow_edge_edge_toi(start, c.end, c.min_distance, 0, 0, &toi),
                         willow_edge_edge_toi(c.start, end, c.min_distance, 1e-6, 10000, &usual));
        assert_memory_equal(&toi, &usual, sizeof toi);
    }
}

static void refuse(const double start[4][3], const double end[4][3], double distance, double early)
{
    double toi = 7.0;
    assert_int_equal(willow_vertex_face_toi(start, end, distance, early, 0, &toi),
                     WILLOW_TOI_REFUSED);
    assert_true(toi == 0.0);
    toi = 7.0;
    assert_int_equal(willow_edge_edge_toi(start, end, distance, early, 0, &toi),
                     WILLOW_TOI_REFUSED);
    assert_true(toi == 0.0);
}

static void what_is_no_number_is_refused(void **state)
{
    (void)state;
    static const double wrong[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1e91, 1e-91};
    const toi_case c = make(&cases[0], 1.0, 0.0);
    for (int i = 0; i < 24; i++)
        for (int k = 0; k < 5; k++) {
            double at[2][4][3];
            memcpy(at[0], c.start, sizeof at[0]);
            memcpy(at[1], c.end, sizeof at[1]);
            at[i / 12][i / 3 % 4][i % 3] = wrong[k];
            refuse((const double(*)[3])at[0], (const double(*)[3])at[1], 0, 0);
            willow_contact contact = {.has_normal = true};
            assert_false(willow_edge_edge_contact(at[0], at[1], 0, 0.5, &contact));
            assert_false(contact.has_normal);
        }
    for (int k = 0; k < 3; k++) refuse(c.start, c.end, wrong[k], 0);
    for (int k = 0; k < 3; k++) refuse(c.start, c.end, 0, wrong[k]);
    refuse(c.start, c.end, -1e-9, 0);
    refuse(c.start, c.end, 0, -1e-9);
    refuse(c.start, c.end, 0, 1.01);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(zeros_stand_for_the_defaults),
    cmocka_unit_test(what_is_no_number_is_refused),
    cmocka_unit_test(cases_by_hand_are_answered_as_written),
    cmocka_unit_test(edges_may_be_exchanged_and_turned_around),
    cmocka_unit_test(size_does_not_matter),
    cmocka_unit_test(a_common_offset_does_not_matter),
    cmocka_unit_test(a_tiny_tolerance_is_met_as_far_as_time_can_be_told),
    cmocka_unit_test(toi_says_undecided_instead_of_looping),
    cmocka_unit_test(more_iterations_never_give_an_earlier_time),
    cmocka_unit_test(what_happens_after_until_does_not_matter),
    cmocka_unit_test(a_vertex_on_a_parabola_is_met_where_it_is),
    cmocka_unit_test(an_edge_that_turns_meets_what_its_ends_do_not_pass),
};

TEST_GROUP(toi, tests);
