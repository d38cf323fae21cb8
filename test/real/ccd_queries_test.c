/* Moving primitives made by others, with the truth from rational numbers: no contact is missed, and
 * no miss is taken for a contact, though many are near by the last bit. */
#include "prim/moving/toi.h"
#include "support/ccd_csv.h"
#include "support/real_data.h"
#include "support/test.h"

static const char *const folders[] = {
    "erleben-cube-cliff-edges",
    "erleben-cube-internal-edges",
    "erleben-sliding-spike",
    "erleben-sliding-wedge",
    "erleben-spike-crack",
    "erleben-spike-hole",
    "erleben-spike-wedge",
    "erleben-spikes",
    "erleben-wedge-crack",
    "erleben-wedges",
    "unit-tests",
};
enum { FOLDERS = sizeof folders / sizeof folders[0], LIMIT = 1000 };

static const char *const kinds[] = {"vertex-face", "edge-edge"};
static const double tolerance = 1e-6;

typedef struct tally {
    size_t decisions, hits, false_alarms, undecided, rounded;
    unsigned long sum;
    uint32_t most;
} tally;

static willow_toi ask(const ccd_query *q, int kind, double min_distance, uint32_t limit,
                      double *toi)
{
    return (kind == 0 ? willow_vertex_face_toi : willow_edge_edge_toi)(
        (const double(*)[3])q->start, (const double(*)[3])q->end, min_distance, tolerance, limit,
        toi);
}

/* The least limit that decides it, which is how many spans of time it takes. */
static uint32_t count_iterations(const ccd_query *q, int kind, willow_toi verdict)
{
    double toi;
    uint32_t low = 0, high = 1;
    while (high < LIMIT && ask(q, kind, 0.0, high, &toi) != verdict) high *= 2;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (ask(q, kind, 0.0, middle, &toi) == verdict)
            high = middle;
        else
            low = middle;
    }
    return high;
}

static void look_at(const ccd_query *q, int kind, const char *path, size_t number, tally *sum)
{
    double toi = -1.0;
    const willow_toi verdict = ask(q, kind, 0.0, LIMIT, &toi);
    assert_true(q->has_truth);
    if (q->truth && verdict == WILLOW_TOI_NONE) fail_msg("%s: query %zu is missed", path, number);
    assert_true(toi >= 0.0 && toi <= 1.0);
    sum->decisions++;
    sum->hits += q->truth;
    sum->false_alarms += !q->truth && verdict == WILLOW_TOI_IMPACT;
    sum->undecided += verdict == WILLOW_TOI_UNDECIDED;
    const uint32_t iterations = count_iterations(q, kind, verdict);
    sum->sum += iterations;
    if (iterations > sum->most) sum->most = iterations;

    /* Whoever must keep a distance touches no later. */
    double sooner;
    const willow_toi thick = ask(q, kind, 1e-3, LIMIT, &sooner);
    if (q->truth) assert_true(thick != WILLOW_TOI_NONE && sooner <= toi + tolerance);
}

static void look_at_file(const char *folder, int kind, tally *total)
{
    char name[256], path[REAL_DATA_PATH];
    snprintf(name, sizeof name, "ccd-queries/%s/%s/data_0_0.csv", folder, kinds[kind]);
    real_data_path(name, path);
    ccd_queries queries = ccd_csv_read(path);
    tally sum = {.rounded = queries.rounded};
    for (size_t i = 0; i < queries.count; i++) look_at(&queries.items[i], kind, path, i, &sum);
    print_message("%-27s %-11s %5zu decisions, %4zu contacts, %zu false alarms, %zu undecided, "
                  "%.2f spans on average and %u at most\n",
                  folder, kinds[kind], sum.decisions, sum.hits, sum.false_alarms, sum.undecided,
                  (double)sum.sum / (double)sum.decisions, sum.most);
    if (sum.rounded > 0) print_message("%zu coordinates were rounded\n", sum.rounded);
    total->decisions += sum.decisions;
    total->hits += sum.hits;
    total->false_alarms += sum.false_alarms;
    total->undecided += sum.undecided;
    ccd_csv_free(&queries);
}

static void no_contact_of_the_benchmark_is_missed_and_none_is_made_up(void **state)
{
    (void)state;
    tally total = {0};
    for (int i = 0; i < FOLDERS; i++)
        for (int kind = 0; kind < 2; kind++) look_at_file(folders[i], kind, &total);
    print_message("%zu decisions, %zu contacts, %zu false alarms, %zu undecided\n", total.decisions,
                  total.hits, total.false_alarms, total.undecided);
    assert_true(total.hits > 0);
    assert_int_equal(total.undecided, 0);
    assert_int_equal(total.false_alarms, 0);
}

TEST_GROUP_FUNCTION(ccd_queries)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_contact_of_the_benchmark_is_missed_and_none_is_made_up),
    };
    if (!real_data_has("ccd-queries")) return real_data_skip("ccd-queries");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
