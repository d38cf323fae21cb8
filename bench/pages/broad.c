/* broad.c - the page of the suite `broad`: what the tags of broad.md stand for.
 *
 * Way in: page_write_broad. Sections go over the rows of crowds that say something about them. */
#include "bench/common/numbers.h"
#include "bench/crowds/crowds.h"
#include "bench/pages/pages.h"
#include "bench/pages/template.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct broad_page {
    const crowd_rows *rows;
    uint32_t at;   /* the row that is written */
    uint32_t kind; /* of one crowd, within it */
    const bench_options *options;
    report_machine machine;
} broad_page;

static const crowd_row *broad_row(const broad_page *p) { return &p->rows->items[p->at]; }
static const crowd_row *kind_row(const broad_page *p) { return &p->rows->items[p->kind]; }

/* ---- which rows ---- */

typedef bool row_filter(const broad_page *p, const crowd_row *row);

static bool is_kind(const crowd_row *row, willow_broad broad)
{
    return row->method.peer == NULL && row->method.def.broad == broad;
}

static bool is_tree_as_it_is(const crowd_row *row)
{
    return is_kind(row, WILLOW_BROAD_COMPRESSED_TREE) && row->method.def.cell == 0.0 &&
           row->method.def.upkeep == WILLOW_UPKEEP_IN_PLACE;
}

/* Contenders on a crowd are side by side: the first of them stands for it, if it is AUTO. */
static bool begins_crowd(const broad_page *p, const crowd_row *row)
{
    (void)p;
    return is_kind(row, WILLOW_BROAD_AUTO);
}

static bool is_beside(const crowd_row *a, const crowd_row *b) { return a->scene == b->scene; }

static bool is_of_crowd(const broad_page *p, const crowd_row *row)
{
    return is_beside(row, broad_row(p));
}

static bool is_wrong(const broad_page *p, const crowd_row *row)
{
    (void)p;
    return row->is_wrong && row->method.peer == NULL;
}

static bool is_sweep(const broad_page *p, const crowd_row *row)
{
    (void)p;
    return is_kind(row, WILLOW_BROAD_SWEEP_AND_PRUNE);
}

static bool is_refined(const broad_page *p, const crowd_row *row)
{
    (void)p;
    return row->method.def.upkeep == WILLOW_UPKEEP_LITERAL;
}

static bool is_dense(const broad_page *p, const crowd_row *row)
{
    (void)p;
    return row->density.k > 0 && is_tree_as_it_is(row);
}

static bool has_cell(const broad_page *p, const crowd_row *row)
{
    (void)p;
    return row->method.def.cell > 0.0 && row->method.def.upkeep == WILLOW_UPKEEP_IN_PLACE;
}

/* The same crowd and kind in another size. */
static bool is_larger(const crowd_row *a, const crowd_row *b)
{
    return strcmp(a->method.name, b->method.name) == 0 && a->def.dimensions == b->def.dimensions &&
           a->def.sizes == b->def.sizes && a->def.motion == b->def.motion &&
           a->def.moving == b->def.moving && a->def.count < b->def.count;
}

enum { GROWTH_FROM = 10000 };

static const crowd_row *largest_like(const broad_page *p, const crowd_row *row)
{
    const crowd_row *best = NULL;
    for (uint32_t i = 0; i < p->rows->count; i++)
        if (is_larger(best != NULL ? best : row, &p->rows->items[i])) best = &p->rows->items[i];
    return best;
}

/* The smallest of several. */
static bool grows(const broad_page *p, const crowd_row *row)
{
    if (row->def.count < GROWTH_FROM || row->def.moving < 1.0) return false;
    for (uint32_t i = 0; i < p->rows->count; i++)
        if (p->rows->items[i].def.count >= GROWTH_FROM && is_larger(&p->rows->items[i], row))
            return false;
    return largest_like(p, row) != NULL;
}

/* The fastest beside a row of those that are named; AUTO and peers are not. */
static const crowd_row *fastest_beside(const broad_page *p, const crowd_row *own)
{
    const crowd_row *best = NULL;
    for (uint32_t i = 0; i < p->rows->count; i++) {
        const crowd_row *row = &p->rows->items[i];
        if (!is_beside(row, own) || row->method.peer || is_kind(row, WILLOW_BROAD_AUTO)) continue;
        if (best == NULL || crowd_row_ns(row) < crowd_row_ns(best)) best = row;
    }
    return best != NULL ? best : own;
}

static const crowd_row *fastest_of(const broad_page *p) { return fastest_beside(p, broad_row(p)); }

/* A compressed tree in a crowd with AUTO, which chooses among all kinds. */
static bool is_tree_in_crowd(const broad_page *p, const crowd_row *row)
{
    bool has_auto = false;
    for (uint32_t i = 0; i < p->rows->count; i++)
        has_auto = has_auto || (is_beside(&p->rows->items[i], row) &&
                                is_kind(&p->rows->items[i], WILLOW_BROAD_AUTO));
    return has_auto && is_tree_as_it_is(row);
}

static bool tree_wins(const broad_page *p, const crowd_row *row)
{
    return is_tree_in_crowd(p, row) && fastest_beside(p, row) == row;
}

/* The next row from `from` on that a filter lets through; false if there is none. */
static bool find_row(const broad_page *p, row_filter *lets, uint32_t from, uint32_t *out)
{
    for (uint32_t i = from; i < p->rows->count; i++) {
        if (!lets(p, &p->rows->items[i])) continue;
        *out = i;
        return true;
    }
    return false;
}

#define BROAD_SECTION(name, field, filter)                                                         \
    static bool name(void *context, const char *argument, uint32_t round)                          \
    {                                                                                              \
        broad_page *p = context;                                                                   \
        (void)argument;                                                                            \
        return find_row(p, filter, round == 0 ? 0 : p->field + 1, &p->field);                      \
    }
BROAD_SECTION(next_crowd, at, begins_crowd)
BROAD_SECTION(next_kind, kind, is_of_crowd)
BROAD_SECTION(next_wrong, at, is_wrong)
BROAD_SECTION(next_sweep, at, is_sweep)
BROAD_SECTION(next_growth, at, grows)
BROAD_SECTION(next_refined, at, is_refined)
BROAD_SECTION(next_dense, at, is_dense)
BROAD_SECTION(next_cell, at, has_cell)
BROAD_SECTION(next_tree_win, at, tree_wins)
#undef BROAD_SECTION

/* Once, if there is none. */
static bool has_no_tree_win(void *context, const char *argument, uint32_t round)
{
    uint32_t at;
    (void)argument;
    return round == 0 && !find_row(context, tree_wins, 0, &at);
}

/* ---- rows beside others ---- */

/* NAN where it did not take part. */
static double ns_of_dbvt(const broad_page *p)
{
    for (uint32_t i = 0; i < p->rows->count; i++) {
        const crowd_row *row = &p->rows->items[i];
        if (is_of_crowd(p, row) && row->method.peer &&
            strcmp(row->method.peer->name, "bullet-dbvt") == 0)
            return crowd_row_ns(row);
    }
    return (double)NAN;
}

static double slowest_of(const broad_page *p)
{
    double most = 0.0;
    for (uint32_t i = 0; i < p->rows->count; i++)
        if (is_of_crowd(p, &p->rows->items[i])) most = fmax(most, crowd_row_ns(&p->rows->items[i]));
    return most;
}

static double far_of_literal(const broad_page *p)
{
    const crowd_row *own = broad_row(p);
    for (uint32_t i = 0; i < p->rows->count; i++) {
        const crowd_row *row = &p->rows->items[i];
        if (is_of_crowd(p, row) && row->method.def.upkeep == WILLOW_UPKEEP_LITERAL &&
            row->method.def.cell == own->method.def.cell)
            return 100.0 * (double)row->stats.far / own->def.count;
    }
    return (double)NAN;
}

/* ---- from the least to the most ---- */

static double tree_over_fastest(const broad_page *p, const crowd_row *row)
{
    return crowd_row_ns(row) / crowd_row_ns(fastest_beside(p, row));
}

/* Of the rows that a filter lets through; and as many digits as a factor needs. */
static void write_range(FILE *file, const broad_page *p, row_filter *lets,
                        double (*of)(const broad_page *p, const crowd_row *row))
{
    double least = (double)NAN, most = (double)NAN;
    for (uint32_t i = 0; i < p->rows->count; i++) {
        const crowd_row *row = &p->rows->items[i];
        if (!lets(p, row)) continue;
        least = fmin(least, of(p, row));
        most = fmax(most, of(p, row));
    }
    fprintf(file, "%.1f to %.1f", least, most);
}

/* The same tree in the same crowd, kept in another way. */
static double upkeep_over(const broad_page *p, const crowd_row *own, willow_upkeep upkeep)
{
    for (uint32_t i = 0; i < p->rows->count; i++) {
        const crowd_row *row = &p->rows->items[i];
        if (is_beside(row, own) && row->method.def.upkeep == upkeep &&
            row->method.def.cell == own->method.def.cell)
            return crowd_row_ns(row) / crowd_row_ns(own);
    }
    return (double)NAN;
}

static double fresh_over_in_place(const broad_page *p, const crowd_row *row)
{
    return upkeep_over(p, row, WILLOW_UPKEEP_FRESH);
}

static double literal_over_in_place(const broad_page *p, const crowd_row *row)
{
    return upkeep_over(p, row, WILLOW_UPKEEP_LITERAL);
}

/* ---- numbers ---- */

static double nodes_of(const crowd_row *row) { return (double)row->stats.nodes; }
static double entries_of(const crowd_row *row) { return (double)row->stats.entries; }

static double candidates_of(const crowd_row *row)
{
    return (double)row->candidates / (row->counted > 0 ? row->counted : 1);
}

static double pairs_of(const crowd_row *row)
{
    return (double)row->pairs / (row->frames > 0 ? row->frames : 1);
}

static double swaps_of(const crowd_row *row)
{
    return (double)row->swaps / (row->counted > 0 ? row->counted : 1);
}

static double time_of(const crowd_row *row) { return crowd_row_ns(row) * row->def.count; }

/* The power of the number of boxes by which something grows to the largest crowd of the kind. */
static double power_of(const broad_page *p, double (*of)(const crowd_row *row))
{
    const crowd_row *from = broad_row(p), *to = largest_like(p, from);
    if (to == NULL || !(of(from) > 0.0)) return (double)NAN;
    return log(of(to) / of(from)) / log((double)to->def.count / (double)from->def.count);
}

static double bound_of(const crowd_row *row)
{
    return (double)row->density.density + (double)row->density.k;
}

static double objects_per_leaf(const crowd_row *row)
{
    return entries_of(row) / (row->stats.leaves > 0 ? (double)row->stats.leaves : 1.0);
}

static void broad_number(FILE *file, double value, int digits)
{
    if (isfinite(value))
        fprintf(file, "%.*f", digits, value);
    else
        fputs("-", file);
}

static void write_each(FILE *file, const crowd_row *row, double value)
{
    broad_number(file, value > 0.0 ? value / row->def.count : (double)NAN, 2);
}

static void write_case(FILE *file, const crowd_row *row, willow_refine_case which)
{
    const willow_broad_refinement *r = &row->stats.refinement;
    size_t all = 0;
    for (int i = 0; i < WILLOW_REFINE_COUNT; i++) all += r->cases[i];
    broad_number(file, (double)r->cases[which] / (all > 0 ? (double)all : (double)NAN), 3);
}

/* What a leaf of T1 looks at. */
static void write_looked(FILE *file, const crowd_row *row, size_t looked)
{
    broad_number(file, (double)looked / (double)row->stats.refinement.leaves, 2);
}

/* As wide as its share of the slowest. */
static void write_blocks(FILE *file, const broad_page *p)
{
    enum { WIDTH = 48 };
    const int blocks = (int)ceil(WIDTH * crowd_row_ns(kind_row(p)) / slowest_of(p));
    for (int i = 0; i < blocks; i++) fputs("\u2588", file);
    if (kind_row(p) == fastest_of(p)) fputs(" fastest", file);
}

/* ---- tags ---- */

#define BROAD_WRITER(name, statement)                                                              \
    static void write_##name(FILE *file, void *context, const char *argument)                      \
    {                                                                                              \
        const broad_page *p = context;                                                             \
        (void)p;                                                                                   \
        (void)argument;                                                                            \
        statement;                                                                                 \
    }
#define REFINEMENT (broad_row(p)->stats.refinement)

/* X(tag, what it writes) */
#define BROAD_TAGS(X)                                                                              \
    X(command, fprintf(file, "%s\n", p->options->command_line))                                    \
    X(processor, fputs(p->machine.processor, file))                                                \
    X(compiler, fputs(p->machine.compiler, file))                                                  \
    X(version, fputs(version_text(), file))                                                        \
    X(date, fputs(p->machine.date, file))                                                          \
    X(scene, fputs(broad_row(p)->scene, file))                                                     \
    X(room, fputs(broad_row(p)->def.dimensions == 2 ? "the plane" : "space", file))                \
    X(sizes, fputs(crowd_size_words[broad_row(p)->def.sizes], file))                               \
    X(moving, broad_number(file, 100.0 * broad_row(p)->def.moving, 0))                             \
    X(boxes, fprintf(file, "%" PRIu32, broad_row(p)->def.count))                                   \
    X(last_frame, fprintf(file, "%" PRIu32, broad_row(p)->frames - 1))                             \
    X(fastest, fputs(fastest_of(p)->method.name, file))                                            \
    X(fastest_ns, broad_number(file, crowd_row_ns(fastest_of(p)), 0))                              \
    X(auto_ns, broad_number(file, crowd_row_ns(broad_row(p)), 0))                                  \
    X(acting, fputs(willow_broad_name(broad_row(p)->stats.acting), file))                          \
    X(auto_over_fastest,                                                                           \
      broad_number(file, crowd_row_ns(broad_row(p)) / crowd_row_ns(fastest_of(p)), 2))             \
    X(dbvt_ns, broad_number(file, ns_of_dbvt(p), 0))                                               \
    X(dbvt_over_auto, broad_number(file, ns_of_dbvt(p) / crowd_row_ns(broad_row(p)), 2))           \
    X(kind, fputs(broad_row(p)->method.name, file))                                                \
    X(name, fprintf(file, "%-18s", kind_row(p)->method.name))                                      \
    X(bar_ns, fprintf(file, "%8.0f", crowd_row_ns(kind_row(p))))                                   \
    X(bar, write_blocks(file, p))                                                                  \
    X(ns, broad_number(file, crowd_row_ns(broad_row(p)), 0))                                       \
    X(ns_power, broad_number(file, power_of(p, time_of), 3))                                       \
    X(boxes_to, fprintf(file, "%" PRIu32, largest_like(p, broad_row(p))->def.count))               \
    X(nodes_each, write_each(file, broad_row(p), nodes_of(broad_row(p))))                          \
    X(nodes_power, broad_number(file, power_of(p, nodes_of), 3))                                   \
    X(entries_each, write_each(file, broad_row(p), entries_of(broad_row(p))))                      \
    X(entries_power, broad_number(file, power_of(p, entries_of), 3))                               \
    X(candidates_each, write_each(file, broad_row(p), candidates_of(broad_row(p))))                \
    X(pairs_each, write_each(file, broad_row(p), pairs_of(broad_row(p))))                          \
    X(pairs_power, broad_number(file, power_of(p, pairs_of), 3))                                   \
    X(slack, broad_number(file, broad_row(p)->stats.slack, 3))                                     \
    X(candidates_power, broad_number(file, power_of(p, candidates_of), 3))                         \
    X(swaps_each, write_each(file, broad_row(p), swaps_of(broad_row(p))))                          \
    X(rebuilds, fprintf(file, "%zu", broad_row(p)->stats.rebuilds))                                \
    X(cell, fprintf(file, "%.4g", broad_row(p)->stats.cell))                                       \
    X(nodes, fprintf(file, "%zu", REFINEMENT.nodes))                                               \
    X(nodes_refined, fprintf(file, "%zu", REFINEMENT.nodes_refined))                               \
    X(refined_over,                                                                                \
      broad_number(file, (double)REFINEMENT.nodes_refined / (double)REFINEMENT.nodes, 3))          \
    X(case_1, write_case(file, broad_row(p), WILLOW_REFINE_1))                                     \
    X(case_2a, write_case(file, broad_row(p), WILLOW_REFINE_2A))                                   \
    X(case_2b, write_case(file, broad_row(p), WILLOW_REFINE_2B))                                   \
    X(case_2c, write_case(file, broad_row(p), WILLOW_REFINE_2C))                                   \
    X(case_3, write_case(file, broad_row(p), WILLOW_REFINE_3))                                     \
    X(leaves_looked, write_looked(file, broad_row(p), REFINEMENT.leaves_looked))                   \
    X(most_leaves_looked, fprintf(file, "%zu", REFINEMENT.most_leaves_looked))                     \
    X(boxes_looked, write_looked(file, broad_row(p), REFINEMENT.boxes_looked))                     \
    X(far, fprintf(file, "%zu", broad_row(p)->stats.far))                                          \
    X(density, fprintf(file, "%" PRIu32, broad_row(p)->density.density))                           \
    X(k, fprintf(file, "%" PRIu32, broad_row(p)->density.k))                                       \
    X(objects_per_leaf, broad_number(file, objects_per_leaf(broad_row(p)), 2))                     \
    X(objects_over,                                                                                \
      broad_number(file, objects_per_leaf(broad_row(p)) / bound_of(broad_row(p)), 3))              \
    X(candidates_over, broad_number(file,                                                          \
                                    candidates_of(broad_row(p)) / broad_row(p)->def.count /        \
                                        (bound_of(broad_row(p)) * bound_of(broad_row(p))),         \
                                    3))                                                            \
    X(fresh_ns,                                                                                    \
      broad_number(file, crowd_row_ns(broad_row(p)) * fresh_over_in_place(p, broad_row(p)), 0))    \
    X(literal_ns,                                                                                  \
      broad_number(file, crowd_row_ns(broad_row(p)) * literal_over_in_place(p, broad_row(p)), 0))  \
    X(in_place_ns, broad_number(file, crowd_row_ns(broad_row(p)), 0))                              \
    X(far_share, broad_number(file, far_of_literal(p), 1))                                         \
    X(tree_range, write_range(file, p, is_tree_in_crowd, tree_over_fastest))                       \
    X(fresh_range, write_range(file, p, has_cell, fresh_over_in_place))                            \
    X(literal_range, write_range(file, p, has_cell, literal_over_in_place))

BROAD_TAGS(BROAD_WRITER)
#undef BROAD_WRITER
#undef REFINEMENT

#define BROAD_TAG(name, statement) {#name, write_##name, NULL},
static const page_tag broad_tags[] = {
    BROAD_TAGS(BROAD_TAG){"crowds", NULL, next_crowd},
    {"kinds", NULL, next_kind},
    {"wrong", NULL, next_wrong},
    {"sweeps", NULL, next_sweep},
    {"growths", NULL, next_growth},
    {"refined", NULL, next_refined},
    {"dense", NULL, next_dense},
    {"cells", NULL, next_cell},
    {"tree_wins", NULL, next_tree_win},
    {"no_tree_wins", NULL, has_no_tree_win},
    {NULL, NULL, NULL},
};
#undef BROAD_TAG

void page_write_broad(FILE *file, const crowd_rows *rows, const bench_options *options)
{
    broad_page page = {.rows = rows, .options = options, .machine = report_machine_now()};
    page_write(file, broad_md, broad_tags, &page);
}
