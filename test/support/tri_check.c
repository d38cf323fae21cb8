/* tri_check.c - see tri_check.h. Way in: tri_check_cases, one step per way. */
#include "tri_check.h"

#include "base/kernel.h"
#include "prim/meet/tri_filter.h"
#include "prim/meet/tri_tri.h"
#include "rational_tri.h"
#include "willow/prim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PRINTED = 10 }; /* disagreements per way and tally */

typedef struct batch {
    const tri_case *cases;
    size_t count;
    const char *label;
    tri_tally *tally;
    bool *meet; /* what the oracle says */
    bool *pair;
    unsigned *shared; /* how many numbers the triangles have in common */
} batch;

static const char *const way_names[TRI_WAY_COUNT] = {
#define TRI_WAY_NAME(name, words) [TRI_WAY_##name] = words,
    TRI_WAYS(TRI_WAY_NAME)
#undef TRI_WAY_NAME
};

const char *tri_way_name(tri_way way) { return way_names[way]; }

static void print_triangle(const char *name, const float p[3][3], const uint32_t numbers[3])
{
    printf("    .%s = {", name);
    for (int i = 0; i < 3; i++)
        printf("{%aF, %aF, %aF}%s", (double)p[i][0], (double)p[i][1], (double)p[i][2],
               i < 2 ? ", " : "},");
    printf(" .i%s = {%u, %u, %u},\n", name, numbers[0], numbers[1], numbers[2]);
}

static void report(batch *b, size_t at, tri_way way, const char *said)
{
    if (b->tally->wrong[way]++ >= MAX_PRINTED) return;
    const tri_case *c = &b->cases[at];
    printf("DISAGREEMENT (%s) on %s: %s; the oracle: %s, %s\n", b->label, way_names[way], said,
           b->meet[at] ? "meet" : "apart", b->pair[at] ? "a pair" : "no pair");
    print_triangle("a", c->a, c->ia);
    print_triangle("b", c->b, c->ib);
}

/* ---- the oracle ---- */

static void ask_slow_oracle(batch *b, size_t at)
{
    const tri_case *c = &b->cases[at];
    bool meet = rational_tris_meet_slow(c->a, c->b);
    bool pair = rational_tris_pair_slow(c->a, c->ia, c->b, c->ib);
    if (meet != b->meet[at] || pair != b->pair[at])
        report(b, at, TRI_WAY_ORACLE, "the slow oracle differs");
    b->tally->slow_count++;
}

static void ask_oracle(batch *b, size_t slow_every)
{
    for (size_t i = 0; i < b->count; i++) {
        const tri_case *c = &b->cases[i];
        unsigned corner[3];
        b->shared[i] = rational_shared_corners(c->ia, c->ib, corner);
        b->meet[i] = rational_tris_meet(c->a, c->b);
        b->pair[i] = b->shared[i] == 0 ? b->meet[i] : rational_tris_pair(c->a, c->ia, c->b, c->ib);
        b->tally->meet_count += b->meet[i];
        b->tally->neighbour_count += b->pair[i];
        if (i % slow_every == 0) ask_slow_oracle(b, i);
    }
    b->tally->pair_count += b->count;
}

/* ---- one pair at a time ---- */

static wi_tri tri_of(const float p[3][3])
{
    wi_tri t;
    memcpy(t.corner, p, sizeof t.corner);
    return t;
}

static void vec3s_of(const float p[3][3], willow_vec3 out[3])
{
    for (int i = 0; i < 3; i++) out[i] = (willow_vec3){p[i][0], p[i][1], p[i][2]};
}

static void check_meet(batch *b, size_t at)
{
    willow_vec3 first[3], second[3];
    vec3s_of(b->cases[at].a, first);
    vec3s_of(b->cases[at].b, second);
    bool forth = willow_tri_tri_meet(first, second), back = willow_tri_tri_meet(second, first);
    if (forth != b->meet[at] || back != b->meet[at])
        report(b, at, TRI_WAY_MEET, forth != back ? "depends on order" : "wrong");
}

static void check_pair(batch *b, size_t at)
{
    const tri_case *c = &b->cases[at];
    wi_tri first = tri_of(c->a), second = tri_of(c->b);
    bool forth = wi_tris_are_pair(&first, c->ia, &second, c->ib);
    bool back = wi_tris_are_pair(&second, c->ib, &first, c->ia);
    if (forth != b->pair[at] || back != b->pair[at])
        report(b, at, TRI_WAY_PAIR, forth != back ? "depends on order" : "wrong");
}

static bool is_permutation(const uint8_t order[3])
{
    return order[0] < 3 && order[1] < 3 && order[2] < 3 && order[0] != order[1] &&
           order[1] != order[2] && order[2] != order[0];
}

/* The first `shared` corners have different numbers, the same ones in both triangles. */
static bool is_share_order(const tri_case *c, unsigned shared, const uint8_t order_a[3],
                           const uint8_t order_b[3])
{
    if (!is_permutation(order_a) || !is_permutation(order_b)) return false;
    for (unsigned k = 0; k < shared; k++) {
        if (c->ia[order_a[k]] != c->ib[order_b[k]]) return false;
        for (unsigned m = 0; m < k; m++)
            if (c->ia[order_a[m]] == c->ia[order_a[k]]) return false;
    }
    return true;
}

static void check_order(batch *b, size_t at)
{
    const tri_case *c = &b->cases[at];
    uint8_t order_a[3], order_b[3];
    unsigned shared = wi_share_order(c->ia, c->ib, order_a, order_b);
    if (shared != b->shared[at])
        report(b, at, TRI_WAY_ORDER, "wrong count");
    else if (!is_share_order(c, shared, order_a, order_b))
        report(b, at, TRI_WAY_ORDER, "wrong");
}

/* ---- many pairs at a time ---- */

/* Triangles of `a` lie tightly and in order; those of `b` have gaps, and come last to first. */
typedef struct sources {
    float (*tight)[3];
    float (*gappy)[5];
    uint32_t *indices_a, *indices_b;
    willow_tri_pair *pairs;
    uint8_t *meet;
} sources;

static void sources_fill(sources *s, const batch *b)
{
    for (size_t i = 0; i < b->count; i++) {
        size_t mirrored = b->count - 1 - i;
        for (size_t k = 0; k < 3; k++) {
            memcpy(s->tight[3 * i + k], b->cases[i].a[k], sizeof s->tight[0]);
            memcpy(s->gappy[3 * i + 2 - k], b->cases[i].b[k], 3 * sizeof(float));
            s->indices_a[3 * i + k] = (uint32_t)(3 * i + k);
            s->indices_b[3 * mirrored + k] = (uint32_t)(3 * i + k);
        }
        s->pairs[i] = (willow_tri_pair){(willow_tri)i, (willow_tri)mirrored};
    }
}

static void check_many(batch *b)
{
    size_t n = b->count;
    sources s = {calloc(3 * n, sizeof *s.tight),     calloc(3 * n, sizeof *s.gappy),
                 calloc(3 * n, sizeof *s.indices_a), calloc(3 * n, sizeof *s.indices_b),
                 calloc(n, sizeof *s.pairs),         calloc(n + 1, 1)};
    sources_fill(&s, b);
    willow_tri_source source_a = {s.tight, sizeof *s.tight, s.indices_a};
    willow_tri_source source_b = {s.gappy, sizeof *s.gappy, s.indices_b};
    s.meet[n] = 77;
    willow_tri_tri_meet_many(&source_a, &source_b, s.pairs, n, s.meet);
    for (size_t i = 0; i < n; i++)
        if (s.meet[i] != (b->meet[i] ? 1 : 0)) report(b, i, TRI_WAY_MANY, "wrong");
    if (s.meet[n] != 77) report(b, n - 1, TRI_WAY_MANY, "wrote beyond the end");
    free(s.tight);
    free(s.gappy);
    free(s.indices_a);
    free(s.indices_b);
    free(s.pairs);
    free(s.meet);
}

/* ---- eight pairs at a time ---- */

/* Pairs that share `shared` vertices, gathered until there are eight: as they come, or only those
 * with one answer, since filters return early when all lanes are decided. */
typedef enum gathering { AS_THEY_COME, ALL_APART, ALL_MEETING, GATHERING_COUNT } gathering;

typedef struct lanes {
    wi_tri8 a, b;
    size_t at[WI_LANES];
    unsigned count;
    unsigned shared;
    gathering how;
} lanes;

static void set_lane(wi_tri8 *t, unsigned lane, const float p[3][3], const uint8_t order[3])
{
    for (int k = 0; k < 3; k++) {
        memcpy(t->corner[k][lane], p[order[k]], 3 * sizeof(float));
        t->corner[k][lane][3] = NAN; /* must not matter */
    }
}

static bool expected(const batch *b, const lanes *l, unsigned lane)
{
    size_t at = l->at[lane];
    return l->shared == 0 ? b->meet[at] : b->pair[at];
}

static void check_filter_result(batch *b, const lanes *l, wi_filter_result result)
{
    for (unsigned lane = 0; lane < l->count; lane++) {
        bool meet = result.meet >> lane & 1U, apart = result.apart >> lane & 1U;
        if (meet && apart)
            report(b, l->at[lane], TRI_WAY_FILTER, "meet and apart");
        else if (meet && !expected(b, l, lane))
            report(b, l->at[lane], TRI_WAY_FILTER, "meet");
        else if (apart && expected(b, l, lane))
            report(b, l->at[lane], TRI_WAY_FILTER, "apart");
    }
}

static void check_lanes_exactly(batch *b, const lanes *l)
{
    for (unsigned lane = 0; lane < l->count; lane++)
        if (wi_tri8_meet_exact(l->shared, &l->a, &l->b, lane) != expected(b, l, lane))
            report(b, l->at[lane], TRI_WAY_LANE, "wrong");
}

static void check_other_kernels(batch *b, const lanes *l, wi_filter_result scalar)
{
    unsigned used = (1U << l->count) - 1;
    for (willow_kernel kernel = WILLOW_KERNEL_AUTO; kernel < WILLOW_KERNEL_COUNT; kernel++) {
        if (kernel == WILLOW_KERNEL_AUTO || wi_kernel_choose(kernel) != kernel) continue;
        wi_filter_result result = wi_filter_kernels_for(kernel)->sharing[l->shared](&l->a, &l->b);
        check_filter_result(b, l, result);
        if ((result.meet & used) != (scalar.meet & used) ||
            (result.apart & used) != (scalar.apart & used))
            report(b, l->at[0], TRI_WAY_KERNELS, willow_kernel_name(kernel));
    }
}

static void flush(batch *b, lanes *l)
{
    if (l->count == 0) return;
    const wi_filter_kernels *scalar = wi_filter_kernels_for(WILLOW_KERNEL_SCALAR);
    wi_filter_result result = scalar->sharing[l->shared](&l->a, &l->b);
    check_other_kernels(b, l, result);
    check_lanes_exactly(b, l);
    for (unsigned lane = 0; lane < l->count; lane++) {
        bool is_decided = (result.meet | result.apart) >> lane & 1U;
        bool counts = l->how == AS_THEY_COME && b->shared[l->at[lane]] == l->shared;
        if (counts && !is_decided) b->tally->undecided_count++;
    }
    l->count = 0;
}

static void add_lane(batch *b, lanes *l, size_t at, const uint8_t order_a[3],
                     const uint8_t order_b[3])
{
    const tri_case *c = &b->cases[at];
    set_lane(&l->a, l->count, c->a, order_a);
    set_lane(&l->b, l->count, c->b, order_b);
    l->at[l->count++] = at;
    if (l->count == WI_LANES) flush(b, l);
}

static void gather(batch *b, lanes gathered[GATHERING_COUNT], size_t at, const uint8_t order_a[3],
                   const uint8_t order_b[3])
{
    bool answer = gathered->shared == 0 ? b->meet[at] : b->pair[at];
    add_lane(b, &gathered[AS_THEY_COME], at, order_a, order_b);
    add_lane(b, &gathered[answer ? ALL_MEETING : ALL_APART], at, order_a, order_b);
}

/* The filter for no shared vertices answers C1, so it gets all pairs; the others get their own. */
static void gather_all(batch *b, lanes gathered[3][GATHERING_COUNT])
{
    static const uint8_t as_is[3] = {0, 1, 2};
    for (size_t i = 0; i < b->count; i++) {
        gather(b, gathered[0], i, as_is, as_is);
        if (b->shared[i] == 0 || b->shared[i] == 3) continue;
        uint8_t order_a[3], order_b[3];
        unsigned shared = wi_share_order(b->cases[i].ia, b->cases[i].ib, order_a, order_b);
        if (shared == b->shared[i] && is_share_order(&b->cases[i], shared, order_a, order_b))
            gather(b, gathered[shared], i, order_a, order_b);
    }
}

static void check_filters(batch *b)
{
    lanes gathered[3][GATHERING_COUNT];
    memset(gathered, 0, sizeof gathered);
    for (unsigned shared = 0; shared < 3; shared++)
        for (int how = 0; how < GATHERING_COUNT; how++) {
            gathered[shared][how].shared = shared;
            gathered[shared][how].how = (gathering)how;
        }
    gather_all(b, gathered);
    for (unsigned shared = 0; shared < 3; shared++)
        for (int how = 0; how < GATHERING_COUNT; how++) flush(b, &gathered[shared][how]);
}

/* ---- all of it ---- */

void tri_check_cases(const tri_case *cases, size_t count, size_t slow_every, const char *label,
                     tri_tally *tally)
{
    batch b = {cases, count, label, tally, NULL, NULL, NULL};
    b.meet = calloc(count, sizeof *b.meet);
    b.pair = calloc(count, sizeof *b.pair);
    b.shared = calloc(count, sizeof *b.shared);
    ask_oracle(&b, slow_every);
    for (size_t i = 0; i < count; i++) {
        check_meet(&b, i);
        check_pair(&b, i);
        check_order(&b, i);
    }
    check_many(&b);
    check_filters(&b);
    free(b.meet);
    free(b.pair);
    free(b.shared);
}

size_t tri_tally_wrong(const tri_tally *tally)
{
    size_t sum = 0;
    for (int way = 0; way < TRI_WAY_COUNT; way++) sum += tally->wrong[way];
    return sum;
}

void tri_tally_add(tri_tally *sum, const tri_tally *tally)
{
    sum->pair_count += tally->pair_count;
    sum->meet_count += tally->meet_count;
    sum->neighbour_count += tally->neighbour_count;
    sum->undecided_count += tally->undecided_count;
    sum->slow_count += tally->slow_count;
    for (int way = 0; way < TRI_WAY_COUNT; way++) sum->wrong[way] += tally->wrong[way];
}
