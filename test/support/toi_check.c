/* toi_check.c - what prim.h promises of a time of impact, promise by promise. See toi_check.h. */
#include "support/toi_check.h"

#include "support/rational_toi.h"
#include "support/test.h"

/* A miss that is nearer than this, in sizes of what moves, may be taken for an impact (toi.c, step
 * 5), and 2^-50 of the time is nothing (step 3). */
static const double nearly = 0x1p-43, instant = 0x1p-49;

typedef struct check {
    const char *name;
    uint64_t number;
    const toi_case *c;
    toi_answer answer;
    rational_motion motion;
    mpq_t distance, near_distance;
} check;

static void blame(const check *k, const char *what)
{
    static const char *const verdicts[] = {"NONE", "IMPACT", "UNDECIDED"};
    print_error("%s, case %llu: %s\n", k->name, (unsigned long long)k->number, what);
    print_error("%s, min_distance %a, tolerance %a, limit %u: %s at %a\n",
                k->c->is_edges ? "edges" : "vertex and face", k->c->min_distance, k->c->tolerance,
                k->c->max_iterations, verdicts[k->answer.verdict], k->answer.toi);
    for (int i = 0; i < 8; i++) {
        const double *p = i < 4 ? k->c->start[i] : k->c->end[i - 4];
        print_error("    {%a, %a, %a},\n", p[0], p[1], p[2]);
    }
    fail();
}

toi_answer toi_ask(const toi_case *c)
{
    toi_answer a = {.toi = -1.0};
    a.verdict = (c->is_edges ? willow_edge_edge_toi : willow_vertex_face_toi)(
        c->start, c->end, c->min_distance, c->tolerance, c->max_iterations, &a.toi);
    return a;
}

static void open_check(check *k)
{
    mpq_t size;
    rational_motion_init(&k->motion, k->c->is_edges, k->c->start, k->c->end);
    mpq_inits(k->distance, k->near_distance, size, NULL);
    mpq_set_d(k->distance, k->c->min_distance);
    mpq_set_d(size, nearly);
    mpq_mul(size, size, k->motion.size);
    mpq_set_d(k->near_distance, 1.0 + 0x1p-40);
    mpq_mul(k->near_distance, k->near_distance, k->distance);
    mpq_add(k->near_distance, k->near_distance, size);
    mpq_clear(size);
}

static void close_check(check *k)
{
    rational_motion_clear(&k->motion);
    mpq_clears(k->distance, k->near_distance, NULL);
}

static void check_not_late(check *k)
{
    const double until = k->answer.verdict == WILLOW_TOI_NONE ? 1.0 : k->answer.toi;
    const rational_answer before =
        rational_look(&k->motion, 0.0, until, k->answer.verdict == WILLOW_TOI_NONE, k->distance);
    if (before == RATIONAL_TOUCHING) blame(k, "late, or missed");
    if (before == RATIONAL_UNKNOWN) k->answer.is_proven = false;
}

/* At the start they touch exactly if min_distance is 0, else nearly. */
static void check_start(check *k)
{
    const bool is_exact = k->c->min_distance == 0.0;
    const bool touch = rational_look(&k->motion, 0.0, 0.0, true, k->distance) == RATIONAL_TOUCHING;
    const bool nearly_touch =
        rational_look(&k->motion, 0.0, 0.0, true, k->near_distance) == RATIONAL_TOUCHING;
    const bool is_zero = k->answer.toi == 0.0;
    if (touch && !is_zero) blame(k, "they touch at the start");
    if (touch && k->answer.verdict != WILLOW_TOI_IMPACT) blame(k, "no impact at the start");
    if (is_zero && !(is_exact ? touch : nearly_touch)) blame(k, "they do not touch at the start");
}

static void check_not_early(check *k)
{
    const double span = k->c->tolerance > instant ? k->c->tolerance : instant;
    const double until = k->answer.toi + span < 1.0 ? k->answer.toi + span : 1.0;
    const rational_answer after =
        rational_look(&k->motion, k->answer.toi, until, true, k->near_distance);
    if (after == RATIONAL_APART) blame(k, "early, or no impact at all");
    if (after == RATIONAL_UNKNOWN) k->answer.is_proven = false;
}

toi_answer toi_check(const char *name, uint64_t number, const toi_case *c)
{
    check k = {.name = name, .number = number, .c = c, .answer = toi_ask(c)};
    k.answer.is_proven = true;
    if (!(k.answer.toi >= 0.0 && k.answer.toi <= 1.0)) blame(&k, "no time at all");
    if (k.answer.verdict == WILLOW_TOI_NONE && k.answer.toi != 1.0) blame(&k, "not the end");
    open_check(&k);
    check_start(&k);
    check_not_late(&k);
    if (k.answer.verdict == WILLOW_TOI_IMPACT) check_not_early(&k);
    close_check(&k);
    return k.answer;
}
