/* Bad input of every kind, to every public call: it is refused with the right result, in words that
 * name what is wrong, said to the log once; the world is as it was, sound, and still answers (C6,
 * C7). And nothing at all (no vertices, no bodies, a count of zero) is valid everywhere.
 *
 * What is wrong is in tables. A table is a function that makes the call of one of its rows, or
 * breaks a valid def as the row says, and answers with the words that are expected; beyond the last
 * row with NULL. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include "base/kernel.h"
#include "support/bend.h"
#include "support/fixture.h"
#include "support/test.h"
#include "support/test_allocator.h"
#include "willow/willow.h"

/* ---- a world to misuse ---- */

enum { SIDE = 5, VERTICES = SIDE * SIDE + 3, TRIS = 2 * (SIDE - 1) * (SIDE - 1) };

/* A sheet, then a vertex where another one is, and two that no triangle uses. */
typedef struct sheet {
    float positions[VERTICES][3];
    uint32_t tris[TRIS][3];
    uint16_t narrow[TRIS][3];
} sheet;

enum { MERGED = SIDE * SIDE, LOOSE };

static void make_sheet(sheet *s, float tilt)
{
    for (int i = 0; i < SIDE * SIDE; i++) {
        float x = (float)(i % SIDE), y = (float)(i / SIDE);
        const float at[3] = {x, y, tilt * (x - 2.1F) + 0.1F * y};
        memcpy(s->positions[i], at, sizeof at);
    }
    memcpy(s->positions[MERGED], s->positions[7], sizeof s->positions[0]);
    for (int i = LOOSE; i < VERTICES; i++) memcpy(s->positions[i], (float[3]){9, 9, 9}, 12);
    for (uint32_t i = 0; i < TRIS; i++) {
        uint32_t cell = i / 2, corner = cell / (SIDE - 1) * SIDE + cell % (SIDE - 1);
        const uint32_t halves[2][3] = {{corner, corner + 1, corner + SIDE},
                                       {corner + 1, corner + SIDE + 1, corner + SIDE}};
        memcpy(s->tris[i], halves[i % 2], sizeof s->tris[i]);
    }
    s->tris[TRIS - 1][1] = MERGED;
    for (int i = 0; i < 3 * TRIS; i++) s->narrow[i / 3][i % 3] = (uint16_t)s->tris[i / 3][i % 3];
}

enum { OWNER, BRUTE, WELDED, BORROWER, MORPHED, BENT, BODIES };

typedef struct lab {
    test_allocator allocator;
    int lines; /* in the log */
    int lines_seen;
    char last_line[256];
    sheet flat, tilted, lent;
    bend bend;
    willow_world *world, *other_world;
    willow_scratch *scratch, *other_scratch;
    willow_watch *front, *list;
    willow_body_id bodies[BODIES], dead, foreign;
    uint64_t hash;
    size_t pairs, impacts;
} lab;

static void keep_line(void *context, const char *line)
{
    lab *l = context;
    l->lines++;
    (void)snprintf(l->last_line, sizeof l->last_line, "%s", line);
}

static willow_world *make_world(lab *l)
{
    willow_world_def def = willow_world_def_default();
    def.allocator = test_allocator_functions(&l->allocator);
    def.log = (willow_log){keep_line, l};
    return fixture_world(&def);
}

static willow_body_def sheet_def(const sheet *s)
{
    willow_body_def def = willow_body_def_default();
    def.mesh = FIXTURE_MESH(s->positions, VERTICES, s->tris, TRIS);
    def.tree.leaf_triangles = 4;
    return def;
}

static size_t count_pairs(const lab *l)
{
    willow_pairs pairs;
    assert_ok(willow_find_pairs(l->world, l->scratch, NULL, &pairs));
    return pairs.count;
}

static size_t count_impacts(const lab *l)
{
    willow_impacts impacts;
    assert_ok(willow_find_impacts(l->world, l->scratch, NULL, &impacts));
    return impacts.count;
}

/* From now on this is what the world must stay. */
static void keep_state(lab *l)
{
    assert_ok(willow_world_update(l->world, 0.0, NULL));
    l->hash = willow_world_hash(l->world);
    l->pairs = count_pairs(l);
    l->impacts = count_impacts(l);
    assert_true(l->pairs > 0);
}

/* The second one is of two vertices. */
static willow_morph offsets(const lab *l, willow_morph_target targets[2])
{
    static const uint32_t vertices[2] = {4, 1};
    willow_morph morph = willow_morph_default();
    targets[0] = (willow_morph_target){.values = l->flat.positions};
    targets[1] =
        (willow_morph_target){.values = l->flat.positions, .vertices = vertices, .vertex_count = 2};
    morph.targets = targets;
    morph.target_count = 2;
    return morph;
}

static willow_watch *watch(const lab *l, willow_watch_kind kind)
{
    willow_watch *out;
    willow_watch_def def = willow_watch_def_default();
    def.kind = kind;
    assert_ok(willow_watch_create(l->world, &def, l->bodies[OWNER], l->bodies[BRUTE], &out));
    return out;
}

static void add_bodies(lab *l)
{
    for (int i = 0; i < BODIES; i++) {
        willow_body_def def = sheet_def(i == BORROWER ? &l->lent
                                        : i % 2 == 0  ? &l->flat
                                                      : &l->tilted);
        def.tree.method = i == BRUTE ? WILLOW_METHOD_BRUTE : WILLOW_METHOD_BOTTOM_UP;
        def.mesh.weld_exact = i == WELDED;
        def.mesh.borrow = i == BORROWER;
        def.pose.translation.x = i >= MORPHED ? 100.0F : 0.0F;
        l->bodies[i] = fixture_body(l->world, &def);
    }
    willow_morph_target targets[2];
    const willow_morph morph = offsets(l, targets);
    assert_ok(willow_body_set_morph_targets(l->world, l->bodies[MORPHED], &morph));
    l->bend = bend_straight();
    const willow_deformation bent = bend_deformation(&l->bend);
    assert_ok(willow_body_set_deformation(l->world, l->bodies[BENT], &bent));
}

static void open_lab(lab *l)
{
    memset(l, 0, sizeof *l);
    make_sheet(&l->flat, 0.0F);
    make_sheet(&l->tilted, 0.5F);
    make_sheet(&l->lent, -0.5F);
    l->world = make_world(l);
    l->other_world = make_world(l);
    l->scratch = fixture_scratch(l->world);
    l->other_scratch = fixture_scratch(l->other_world);
    add_bodies(l);
    willow_body_def def = sheet_def(&l->flat);
    l->dead = fixture_body(l->world, &def);
    assert_ok(willow_body_destroy(l->world, l->dead));
    l->foreign = fixture_body(l->other_world, &def);
    l->front = watch(l, WILLOW_WATCH_FRONT);
    l->list = watch(l, WILLOW_WATCH_LIST);
    assert_ok(willow_world_update(l->other_world, 0.0, NULL));
    keep_state(l);
    assert_int_equal(l->lines, 0);
}

static void close_lab(lab *l)
{
    assert_int_equal(l->lines, l->lines_seen);
    fixture_close(l->world, l->scratch);
    fixture_close(l->other_world, l->other_scratch);
    assert_true(test_allocator_is_clean(&l->allocator));
}

/* ---- what a refusal must be ---- */

/* Where a call leaves its words. */
typedef enum place { IN_WORLD, IN_SCRATCH, IN_OTHER_SCRATCH, NOWHERE } place;

static const char *words_at(const lab *l, place where)
{
    switch (where) {
    case IN_WORLD: return willow_world_message(l->world);
    case IN_SCRATCH: return willow_scratch_message(l->scratch);
    case IN_OTHER_SCRATCH: return willow_scratch_message(l->other_scratch);
    default: return l->last_line;
    }
}

/* A '*' in the pattern stands for anything. */
static bool matches(const char *text, const char *pattern)
{
    for (; *pattern != '*'; pattern++, text++) {
        if (*text != *pattern) return false;
        if (*text == '\0') return true;
    }
    while (!matches(text, pattern + 1))
        if (*text++ == '\0') return false;
    return true;
}

/* The words and the log, without a look at the world. */
static void said(lab *l, willow_result result, willow_result expected, place where,
                 const char *words)
{
    if (result != expected)
        fail_msg("\"%s\" is expected, and the result is %s", words, willow_result_name(result));
    if (where != NOWHERE) {
        if (!matches(words_at(l, where), words))
            fail_msg("\"%s\" is expected, and \"%s\" is said", words, words_at(l, where));
        assert_string_equal(l->last_line, words_at(l, where));
    }
    if (l->lines != l->lines_seen + (where != NOWHERE))
        fail_msg("\"%s\" is logged %d times", words, l->lines - l->lines_seen);
    l->lines_seen = l->lines;
}

static void refused(lab *l, willow_result result, willow_result expected, place where,
                    const char *words)
{
    char reason[200] = "";
    said(l, result, expected, where, words);
    if (willow_world_hash(l->world) != l->hash) fail_msg("\"%s\" changes the world", words);
    if (!willow_world_validate(l->world, reason, sizeof reason))
        fail_msg("\"%s\" breaks the world: %s", words, reason);
    assert_int_equal(count_pairs(l), l->pairs);
    assert_int_equal(l->lines, l->lines_seen);
}

/* What became of a row. */
typedef struct attempt {
    willow_result result, expected;
    place where;
    const char *words;
} attempt;

/* Rows of tables: `row` is the one that is wanted, `at` counts. */
#define ROW(code, place, text, ...)                                                                \
    if (at++ == row) return (attempt)                                                              \
        {                                                                                          \
            __VA_ARGS__, WILLOW_##code, place, text                                                \
        }
#define SPOIL(text, ...)                                                                           \
    if (at++ == row) {                                                                             \
        __VA_ARGS__;                                                                               \
        return text;                                                                               \
    }

static void refuse_all(lab *l, attempt table(lab *l, uint32_t row))
{
    attempt a;
    for (uint32_t row = 0; (a = table(l, row)).words != NULL; row++)
        refused(l, a.result, a.expected, a.where, a.words);
}

static willow_result create(const lab *l, const willow_body_def *def)
{
    willow_body_id id = l->bodies[OWNER];
    const willow_result result = willow_body_create(l->world, def, &id);
    assert_int_equal(id.index1, 0);
    return result;
}

static const float bad_floats[] = {NAN, INFINITY, -INFINITY};

/* ---- calls by what they take ---- */

static bool visit_pair(void *context, willow_tri_ref a, willow_tri_ref b)
{
    (void)a;
    (void)b;
    return ++*(size_t *)context > 0;
}

static bool visit_tri(void *context, willow_tri_ref tri)
{
    (void)tri;
    return ++*(size_t *)context > 0;
}

static bool visit_node(void *context, const willow_node *node)
{
    (void)node;
    return ++*(size_t *)context > 0;
}

typedef willow_result question(const willow_world *world, willow_scratch *scratch,
                               const willow_query_options *options);

/* One whose answer is empty if it is refused. */
#define QUESTION(name, type, find, is_empty)                                                       \
    static willow_result name(const willow_world *world, willow_scratch *scratch,                  \
                              const willow_query_options *options)                                 \
    {                                                                                              \
        type out;                                                                                  \
        memset(&out, 1, sizeof out);                                                               \
        const willow_result result = find(world, scratch, options, &out);                          \
        assert_true(result == WILLOW_OK || (is_empty));                                            \
        return result;                                                                             \
    }

QUESTION(ask_pairs, willow_pairs, willow_find_pairs, out.count == 0 && out.items == NULL)
QUESTION(ask_self_pairs, willow_pairs, willow_find_self_pairs, out.count == 0)
QUESTION(ask_first, willow_first_pair, willow_find_first_pair, !out.found)
QUESTION(ask_impacts, willow_impacts, willow_find_impacts, out.count == 0 && out.items == NULL)
QUESTION(ask_first_impact, willow_first_impact, willow_time_of_impact, !out.found)
QUESTION(ask_near, willow_near, willow_find_near, out.count == 0 && out.items == NULL)

static willow_result ask_near_cells(const willow_world *world, willow_scratch *scratch,
                                    const willow_query_options *options)
{
    willow_near_cells out;
    memset(&out, 1, sizeof out);
    const willow_result result = willow_find_near_cells(world, scratch, 4, options, &out);
    assert_true(result == WILLOW_OK || (out.count == 0 && out.items == NULL));
    return result;
}

static willow_result ask_visit(const willow_world *world, willow_scratch *scratch,
                               const willow_query_options *options)
{
    size_t visits = 0;
    willow_result result = willow_visit_pairs(world, scratch, options, visit_pair, &visits);
    assert_true(result == WILLOW_OK || visits == 0);
    return result;
}

static const willow_box unit = {{0, 0, 0}, {1, 1, 1}};

static willow_result ask_box(const willow_world *world, willow_scratch *scratch,
                             const willow_query_options *options)
{
    size_t visits = 0;
    willow_result result = willow_visit_box(world, scratch, &unit, options, visit_tri, &visits);
    assert_true(result == WILLOW_OK || visits == 0);
    return result;
}

static willow_result ask_closest(const willow_world *world, willow_scratch *scratch,
                                 const willow_query_options *options)
{
    const willow_vec3 point = {0, 0, 0};
    willow_closest out = {.found = true};
    willow_result result = willow_closest_point(world, scratch, &point, options, &out);
    assert_true(result == WILLOW_OK || !out.found);
    return result;
}

static question *const questions[] = {ask_pairs,      ask_self_pairs, ask_first,        ask_visit,
                                      ask_box,        ask_impacts,    ask_first_impact, ask_near,
                                      ask_near_cells, ask_closest};
enum { QUESTIONS = sizeof questions / sizeof questions[0] };

static willow_result copy_order(const lab *l, willow_body_id id)
{
    uint32_t out[VERTICES] = {77};
    willow_result result = willow_body_copy_order(l->world, id, 0, VERTICES, out);
    assert_true((result == WILLOW_OK) == (out[0] != 77));
    return result;
}

static willow_result visit_nodes(const lab *l, willow_body_id id)
{
    size_t visits = 0;
    willow_result result = willow_body_visit_nodes(l->world, id, visit_node, &visits);
    assert_true(result == WILLOW_OK || visits == 0);
    return result;
}

static willow_result get_stats(const lab *l, willow_body_id id)
{
    willow_body_stats stats;
    return willow_body_get_stats(l->world, id, &stats);
}

static willow_result check_bend(const lab *l, willow_body_id id)
{
    willow_deformation_report report;
    return willow_body_check_deformation(l->world, id, &report);
}

static willow_result distance(const lab *l, willow_body_set a, willow_body_set b, double limit)
{
    willow_closest_pair out = {.found = true};
    willow_query_options options = willow_query_options_default();
    options.max_distance = limit;
    const willow_result result = willow_distance(l->world, l->scratch, &a, &b, &options, &out);
    assert_true(result == WILLOW_OK || !out.found);
    return result;
}

/* ---- handles ---- */

/* Calls on a const world have no place for words. */
static attempt call_with(lab *l, willow_body_id id, uint32_t row, const char *words)
{
    const double time = 0.0;
    const uint64_t masks[] = {0, 2};
    const float weights[2] = {0, 0};
    const willow_tree_def tree = willow_tree_def_default();
    const willow_pose pose = {{1, 0, 0}, {0, 0, 0, 1}};
    const willow_vertex_plan plan = {{1, 0, 0}, {0, 0, 0}};
    const willow_deformation bent = bend_deformation(&l->bend);
    const willow_body_set set = {&id, 1};
    const void *to = l->tilted.positions;
    willow_flightplan flight = willow_flightplan_default();
    willow_morph_target targets[2];
    const willow_morph morph = offsets(l, targets);
    willow_body_topology topology;
    willow_body_info info;
    willow_vec3 out[VERTICES];
    willow_watch *watch;
    willow_world *w = l->world;
    uint32_t at = 0;
    flight.positions = to;
    flight.times = &time;
    flight.keyframe_count = 1;
    ROW(BAD_HANDLE, IN_WORLD, words, willow_body_destroy(w, id));
    ROW(BAD_HANDLE, IN_WORLD, words, willow_body_set_tree(w, id, &tree));
    ROW(BAD_HANDLE, IN_WORLD, words, willow_body_set_pose(w, id, &pose));
    ROW(BAD_HANDLE, IN_WORLD, words, willow_body_set_group_masks(w, id, masks, 2));
    ROW(BAD_HANDLE, IN_WORLD, words, willow_body_set_thickness(w, id, 1.0F));
    ROW(BAD_HANDLE, IN_WORLD, words, willow_body_set_self(w, id, true));
    ROW(BAD_HANDLE, IN_WORLD, words, willow_body_set_category_bits(w, id, 2));
    ROW(BAD_HANDLE, IN_WORLD, words, willow_body_set_mask_bits(w, id, 2));
    ROW(BAD_HANDLE, IN_WORLD, words, willow_body_set_user_data(w, id, 2));
    ROW(BAD_HANDLE, IN_WORLD, words, willow_body_set_vertices(w, id, 0, VERTICES, to, 0));
    ROW(BAD_HANDLE, IN_WORLD, words, willow_body_begin_vertices(w, id));
    ROW(BAD_HANDLE, IN_WORLD, words, willow_body_set_target(w, id, 0, VERTICES, to, 0));
    ROW(BAD_HANDLE, IN_WORLD, words, willow_body_set_target_pose(w, id, &pose));
    ROW(BAD_HANDLE, IN_WORLD, words, willow_body_set_velocities(w, id, 0, VERTICES, to, 0));
    ROW(BAD_HANDLE, IN_WORLD, words, willow_body_set_accelerations(w, id, 0, VERTICES, to, 0));
    ROW(BAD_HANDLE, IN_WORLD, words, willow_body_set_vertex_plan(w, id, 3, &plan));
    ROW(BAD_HANDLE, IN_WORLD, words, willow_body_set_flightplan(w, id, &flight));
    ROW(BAD_HANDLE, IN_WORLD, words, willow_body_set_morph_targets(w, id, &morph));
    ROW(BAD_HANDLE, IN_WORLD, words, willow_body_set_morph_weights(w, id, weights, 2));
    ROW(BAD_HANDLE, IN_WORLD, words, willow_body_set_target_weights(w, id, weights, 2));
    ROW(BAD_HANDLE, IN_WORLD, words, willow_body_set_skin(w, id, NULL));
    ROW(BAD_HANDLE, IN_WORLD, words, willow_body_set_joints(w, id, NULL, 0));
    ROW(BAD_HANDLE, IN_WORLD, words, willow_body_set_target_joints(w, id, NULL, 0));
    ROW(BAD_HANDLE, IN_WORLD, words, willow_body_set_deformation(w, id, &bent));
    ROW(BAD_HANDLE, IN_WORLD, words, willow_body_touch_deformation(w, id));
    ROW(BAD_HANDLE, IN_WORLD, words, willow_body_set_target_deformation(w, id, &l->bend));
    ROW(BAD_HANDLE, IN_WORLD, words, willow_body_get_topology(w, id, &topology));
    ROW(BAD_HANDLE, IN_WORLD, words, willow_watch_create(w, NULL, id, l->bodies[OWNER], &watch));
    ROW(BAD_HANDLE, IN_WORLD, words, willow_watch_create(w, NULL, l->bodies[OWNER], id, &watch));
    ROW(BAD_HANDLE, NOWHERE, words, willow_body_get_info(w, id, &info));
    ROW(BAD_HANDLE, NOWHERE, words, get_stats(l, id));
    ROW(BAD_HANDLE, NOWHERE, words, willow_body_copy_vertices(w, id, 0, VERTICES, out));
    ROW(BAD_HANDLE, NOWHERE, words, copy_order(l, id));
    ROW(BAD_HANDLE, NOWHERE, words, visit_nodes(l, id));
    ROW(BAD_HANDLE, NOWHERE, words, check_bend(l, id));
    ROW(BAD_HANDLE, IN_SCRATCH, words, distance(l, set, set, 0));
    return (attempt){0};
}

static void refuse_everywhere(lab *l, willow_body_id id, const char *words)
{
    willow_query_options options = willow_query_options_default();
    const willow_body_id named[] = {l->bodies[OWNER], id, l->bodies[BRUTE]};
    attempt a;
    assert_false(willow_body_is_alive(l->world, id));
    for (uint32_t row = 0; (a = call_with(l, id, row, words)).words != NULL; row++)
        refused(l, a.result, a.expected, a.where, words);
    options.bodies = named;
    options.body_count = 3;
    for (int i = 0; i < QUESTIONS; i++)
        refused(l, questions[i](l->world, l->scratch, &options), WILLOW_BAD_HANDLE, IN_SCRATCH,
                words);
}

static void bodies_that_are_none_are_refused_by_every_call(void **state)
{
    (void)state;
    lab l;
    open_lab(&l);
    const willow_body_id owner = l.bodies[OWNER];
    const struct {
        willow_body_id id;
        const char *words;
    } cases[] = {
        {{0}, "the null body"},
        {l.dead, "body 7 is gone"},
        {{l.dead.index1, l.dead.world, (uint16_t)(l.dead.generation + 1)}, "body 7 is gone"},
        {l.foreign, "body 1 is of another world"},
        {{owner.index1, 0, owner.generation}, "body 1 is of another world"},
        {{8, owner.world, owner.generation}, "body 8 is gone"},
        {{UINT32_MAX, owner.world, owner.generation}, "body 4294967295 is gone"},
        {{1, owner.world, (uint16_t)(owner.generation + 1)}, "body 1 is gone"},
        {{1, owner.world, (uint16_t)(owner.generation + 2)}, "body 1 is gone"},
        {{1, owner.world, (uint16_t)(owner.generation + 3)}, "body 1 is gone"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        refuse_everywhere(&l, cases[i].id, cases[i].words);
    close_lab(&l);
}

static void a_scratch_of_another_world_is_refused_by_every_question(void **state)
{
    (void)state;
    static const char words[] = "the scratch is of another world";
    lab l;
    open_lab(&l);
    for (int i = 0; i < QUESTIONS; i++)
        refused(&l, questions[i](l.world, l.other_scratch, NULL), WILLOW_BAD_HANDLE,
                IN_OTHER_SCRATCH, words);
    refused(&l, willow_visit_box(l.world, l.other_scratch, &unit, NULL, NULL, NULL),
            WILLOW_BAD_HANDLE, IN_OTHER_SCRATCH, words);
    close_lab(&l);
}

static void a_stale_world_is_refused_by_every_question(void **state)
{
    (void)state;
    static const char words[] = "the world was changed: call willow_world_update first";
    lab l;
    willow_pose pose = willow_pose_identity();
    willow_pairs pairs;
    willow_first_pair first;
    open_lab(&l);
    const willow_body_id owner = l.bodies[OWNER], brute = l.bodies[BRUTE];
    const willow_body_set set = {l.bodies, 2};
    assert_ok(willow_body_set_pose(l.world, owner, &pose));
    for (int i = 0; i < QUESTIONS; i++)
        said(&l, questions[i](l.world, l.scratch, NULL), WILLOW_STALE, IN_SCRATCH, words);
    said(&l, distance(&l, set, set, 0), WILLOW_STALE, IN_SCRATCH, words);
    said(&l, willow_visit_pairs(l.world, l.scratch, NULL, NULL, NULL), WILLOW_STALE, IN_SCRATCH,
         words);
    said(&l, willow_visit_box(l.world, l.scratch, &unit, NULL, NULL, NULL), WILLOW_STALE,
         IN_SCRATCH, words);
    said(&l, willow_watch_find_pairs(l.front, l.scratch, NULL, &pairs), WILLOW_STALE, IN_SCRATCH,
         words);
    said(&l, willow_watch_find_first_pair(l.list, l.scratch, NULL, &first), WILLOW_STALE,
         IN_SCRATCH, words);

    /* A pose leaves the hierarchy as it is; vertices do not. */
    assert_ok(get_stats(&l, owner));
    assert_ok(visit_nodes(&l, owner));
    assert_ok(copy_order(&l, owner));
    assert_ok(check_bend(&l, l.bodies[BENT]));
    assert_ok(willow_body_set_vertices(l.world, owner, 0, VERTICES, l.flat.positions, 0));
    assert_ok(willow_body_touch_deformation(l.world, l.bodies[BENT]));
    said(&l, get_stats(&l, owner), WILLOW_STALE, NOWHERE, "stats");
    said(&l, visit_nodes(&l, owner), WILLOW_STALE, NOWHERE, "nodes");
    said(&l, copy_order(&l, owner), WILLOW_STALE, NOWHERE, "order");
    said(&l, check_bend(&l, l.bodies[BENT]), WILLOW_STALE, NOWHERE, "deformation");
    assert_ok(get_stats(&l, brute));
    assert_ok(visit_nodes(&l, brute));
    assert_ok(copy_order(&l, brute));
    assert_ok(willow_world_update(l.world, 0.0, NULL));
    assert_true(willow_world_hash(l.world) == l.hash);
    assert_int_equal(count_pairs(&l), l.pairs);
    close_lab(&l);
}

/* ---- options ---- */

static const char *spoil_options(willow_query_options *options, uint32_t row)
{
    static const char not_made[] = "the options were not made by willow_query_options_default";
    uint32_t at = 0;
    SPOIL(not_made, options->struct_size = 0)
    SPOIL(not_made, options->struct_size -= 8)
    SPOIL(not_made, options->struct_size += 8)
    SPOIL("body_count is 3 and bodies is NULL", options->body_count = 3)
    SPOIL("3 is no way to descend", options->descend = WILLOW_DESCEND_COUNT)
    SPOIL("-1 is no way to descend", options->descend = (willow_descend)-1)
    return NULL;
}

static void wrong_options_are_refused_by_every_question(void **state)
{
    (void)state;
    lab l;
    open_lab(&l);
    for (uint32_t i = 0;; i++) {
        willow_query_options options = willow_query_options_default();
        const char *words = spoil_options(&options, i);
        if (words == NULL) break;
        for (int q = 0; q < QUESTIONS; q++)
            refused(&l, questions[q](l.world, l.scratch, &options), WILLOW_BAD_ARGUMENT, IN_SCRATCH,
                    words);
    }
    close_lab(&l);
}

static const char *spoil_limits(willow_query_options *options, uint32_t row)
{
    uint32_t at = 0;
    SPOIL("a *_distance of -1e-30*", options->near_distance = options->touch_distance = -1e-30)
    SPOIL("a *_distance of *nan*", options->near_distance = options->touch_distance = (double)NAN)
    SPOIL("a *_distance of inf*",
          options->near_distance = options->touch_distance = (double)INFINITY)
    SPOIL("a *_distance of -inf*",
          options->near_distance = options->touch_distance = -(double)INFINITY)
    SPOIL("a tolerance of -1e-09*", options->tolerance = -1e-9)
    SPOIL("a tolerance of 1.01*", options->tolerance = 1.01)
    SPOIL("a tolerance of *nan*", options->tolerance = (double)NAN)
    SPOIL("a tolerance of inf*", options->tolerance = (double)INFINITY)
    return NULL;
}

static void limits_that_are_none_are_refused(void **state)
{
    (void)state;
    static question *const with_limits[] = {ask_impacts, ask_first_impact, ask_near};
    lab l;
    open_lab(&l);
    for (uint32_t i = 0;; i++) {
        willow_query_options options = willow_query_options_default();
        const char *words = spoil_limits(&options, i);
        if (words == NULL) break;
        for (int q = 0; q < 3; q++)
            refused(&l, with_limits[q](l.world, l.scratch, &options), WILLOW_BAD_ARGUMENT,
                    IN_SCRATCH, words);
    }
    close_lab(&l);
}

/* ---- what is forgotten ---- */

static attempt ask_without(lab *l, uint32_t row)
{
    const willow_vec3 point = {0, 0, 0};
    const willow_body_set all = {l->bodies, BODIES}, broken = {NULL, 2};
    const willow_body_id id = l->bodies[OWNER];
    const willow_world *w = l->world;
    willow_scratch *s = l->scratch;
    willow_query_options options = willow_query_options_default();
    willow_closest_pair pair;
    willow_closest closest;
    willow_pairs pairs;
    willow_near_cells cells;
    size_t visits = 0;
    uint32_t at = 0;
    static const char no_place[] = "no place for the answer";
    options.struct_size = 1;
    ROW(BAD_ARGUMENT, IN_SCRATCH, no_place, willow_find_pairs(w, s, NULL, NULL));
    ROW(BAD_ARGUMENT, IN_SCRATCH, no_place, willow_find_self_pairs(w, s, NULL, NULL));
    ROW(BAD_ARGUMENT, IN_SCRATCH, no_place, willow_find_first_pair(w, s, NULL, NULL));
    ROW(BAD_ARGUMENT, IN_SCRATCH, no_place, willow_find_impacts(w, s, NULL, NULL));
    ROW(BAD_ARGUMENT, IN_SCRATCH, no_place, willow_time_of_impact(w, s, NULL, NULL));
    ROW(BAD_ARGUMENT, IN_SCRATCH, no_place, willow_find_near(w, s, NULL, NULL));
    ROW(BAD_ARGUMENT, IN_SCRATCH, no_place, willow_find_near_cells(w, s, 1, NULL, NULL));
    ROW(BAD_ARGUMENT, IN_SCRATCH, "a depth of 0: it is 1 to 16",
        willow_find_near_cells(w, s, 0, NULL, &cells));
    ROW(BAD_ARGUMENT, IN_SCRATCH, "a depth of 17: it is 1 to 16",
        willow_find_near_cells(w, s, 17, NULL, &cells));
    ROW(BAD_ARGUMENT, IN_SCRATCH, no_place, willow_distance(w, s, &all, &all, NULL, NULL));
    ROW(BAD_ARGUMENT, IN_SCRATCH, no_place, willow_closest_point(w, s, &point, NULL, NULL));
    ROW(BAD_ARGUMENT, IN_SCRATCH, no_place, willow_watch_find_pairs(l->front, s, NULL, NULL));
    ROW(BAD_ARGUMENT, IN_SCRATCH, no_place, willow_watch_find_first_pair(l->list, s, NULL, NULL));
    ROW(BAD_ARGUMENT, IN_SCRATCH, "the options were not made by willow_query_options_default",
        willow_watch_find_pairs(l->front, s, &options, &pairs));
    ROW(BAD_ARGUMENT, IN_SCRATCH, "there is no visitor",
        willow_visit_pairs(w, s, NULL, NULL, NULL));
    ROW(BAD_ARGUMENT, IN_SCRATCH, "there is no visitor",
        willow_visit_box(w, s, &unit, NULL, NULL, NULL));
    ROW(BAD_ARGUMENT, IN_SCRATCH, "there is no box",
        willow_visit_box(w, s, NULL, NULL, visit_tri, &visits));
    ROW(BAD_ARGUMENT, IN_SCRATCH, "there is no point",
        willow_closest_point(w, s, NULL, NULL, &closest));
    ROW(BAD_ARGUMENT, IN_SCRATCH, "there is no set a",
        willow_distance(w, s, NULL, &all, NULL, &pair));
    ROW(BAD_ARGUMENT, IN_SCRATCH, "there is no set b",
        willow_distance(w, s, &all, NULL, NULL, &pair));
    ROW(BAD_ARGUMENT, IN_SCRATCH, "there is no set a", distance(l, broken, all, 0));
    ROW(BAD_ARGUMENT, IN_SCRATCH, "a max_distance of -1*", distance(l, all, all, -1));
    ROW(BAD_ARGUMENT, IN_SCRATCH, "a max_distance of *nan*", distance(l, all, all, (double)NAN));
    ROW(BAD_ARGUMENT, NOWHERE, "no place for events", willow_watch_events(l->list, NULL));
    ROW(BAD_ARGUMENT, NOWHERE, "no place for the info", willow_watch_get_info(l->front, NULL));
    ROW(BAD_ARGUMENT, NOWHERE, "no place for the info", willow_body_get_info(w, id, NULL));
    ROW(BAD_ARGUMENT, NOWHERE, "no place for the stats", willow_body_get_stats(w, id, NULL));
    ROW(BAD_ARGUMENT, NOWHERE, "no place for vertices",
        willow_body_copy_vertices(w, id, 0, 1, NULL));
    ROW(BAD_ARGUMENT, NOWHERE, "no place for the order", willow_body_copy_order(w, id, 0, 1, NULL));
    ROW(BAD_ARGUMENT, NOWHERE, "no visitor", willow_body_visit_nodes(w, id, NULL, NULL));
    ROW(BAD_ARGUMENT, NOWHERE, "no place for the report",
        willow_body_check_deformation(w, l->bodies[BENT], NULL));
    ROW(BAD_ARGUMENT, NOWHERE, "no deformation", check_bend(l, id));
    ROW(BAD_ARGUMENT, NOWHERE, "no place for a scratch", willow_scratch_create(w, NULL));
    return (attempt){0};
}

static willow_result create_watch(const lab *l, size_t size, willow_watch_kind kind)
{
    willow_watch *out = l->front;
    const willow_watch_def def = {.struct_size = size, .kind = kind};
    const willow_result result =
        willow_watch_create(l->world, &def, l->bodies[OWNER], l->bodies[BRUTE], &out);
    assert_null(out);
    return result;
}

static willow_result deform(lab *l, willow_body_id id, willow_deformation def)
{
    return willow_body_set_deformation(l->world, id, &def);
}

static willow_result create_thick(const lab *l, float thickness)
{
    willow_body_def def = sheet_def(&l->flat);
    def.thickness = thickness;
    return create(l, &def);
}

static willow_result update_at(const lab *l, double time)
{
    willow_update_report report = {.bodies_moved = 1, .bodies_updated = 1};
    const willow_result result = willow_world_update(l->world, time, &report);
    assert_int_equal(report.bodies_updated + report.bodies_moved, 0);
    return result;
}

static attempt change_wrongly(lab *l, uint32_t row)
{
    static const float two[2] = {1, 2}, wild[2] = {1, INFINITY};
    static const float bad[2][3] = {{0, 0, 0}, {0, 0, INFINITY}};
    const double endless = (double)INFINITY;
    const willow_body_id id = l->bodies[OWNER], lent = l->bodies[BORROWER],
                         morphed = l->bodies[MORPHED];
    const void *to = l->flat.positions;
    const willow_body_def def = sheet_def(&l->flat);
    const willow_vertex_plan fine = {{0, 0, 0}, {0, 0, 0}}, fast = {{0, 0, INFINITY}, {0, 0, 0}},
                             thrown = {{0, 0, 0}, {-INFINITY, 0, 0}};
    willow_deformation no_position = bend_deformation(&l->bend), short_one = no_position;
    willow_morph_target targets[2];
    const willow_skin skin = willow_skin_default();
    const willow_morph morph = offsets(l, targets);
    const double time = 0.0;
    willow_flightplan flight = willow_flightplan_default();
    willow_world *w = l->world;
    uint32_t at = 0;
    static const char no_default[] = "the watch def was not made by willow_watch_def_default";
    static const char no_plan[] = "the body borrows its vertices: it cannot have a flight plan";
    no_position.position = NULL;
    short_one.struct_size = 1;
    flight.positions = to;
    flight.times = &time;
    flight.keyframe_count = 1;
    ROW(BAD_ARGUMENT, IN_WORLD, "no place for the answer", willow_body_get_topology(w, id, NULL));
    ROW(BAD_ARGUMENT, IN_WORLD, "there is no pose", willow_body_set_pose(w, id, NULL));
    ROW(BAD_ARGUMENT, IN_WORLD, "there is no pose", willow_body_set_target_pose(w, id, NULL));
    ROW(BAD_ARGUMENT, IN_WORLD, "the tree def was not made by willow_tree_def_default",
        willow_body_set_tree(w, id, NULL));
    ROW(BAD_ARGUMENT, IN_WORLD, "no place for the id", willow_body_create(w, &def, NULL));
    ROW(BAD_ARGUMENT, IN_WORLD, "the body def was not made by willow_body_def_default",
        create(l, NULL));
    ROW(BAD_ARGUMENT, IN_WORLD, "a thickness of -1.4013e-45*", create_thick(l, -0x1p-149F));
    ROW(BAD_ARGUMENT, IN_WORLD, "a thickness of -1*", create_thick(l, -1.0F));
    ROW(BAD_ARGUMENT, IN_WORLD, "a thickness of *nan*", create_thick(l, NAN));
    ROW(BAD_ARGUMENT, IN_WORLD, "a thickness of inf*", create_thick(l, INFINITY));
    ROW(BAD_ARGUMENT, IN_WORLD, "a thickness of -1*", willow_body_set_thickness(w, id, -1.0F));
    ROW(BAD_ARGUMENT, IN_WORLD, "a thickness of *nan*", willow_body_set_thickness(w, id, NAN));
    ROW(BAD_ARGUMENT, IN_WORLD, "a thickness of inf*", willow_body_set_thickness(w, id, INFINITY));
    ROW(BAD_ARGUMENT, IN_WORLD, "a time of *nan is not finite", update_at(l, (double)NAN));
    ROW(BAD_ARGUMENT, IN_WORLD, "a time of inf is not finite", update_at(l, endless));
    ROW(BAD_ARGUMENT, IN_WORLD, "a time of -inf is not finite", update_at(l, -endless));
    ROW(BAD_ARGUMENT, IN_WORLD, "a target time of *nan is not finite",
        willow_world_set_target_time(w, (double)NAN));
    ROW(BAD_ARGUMENT, IN_WORLD, "a target time of inf is not finite",
        willow_world_set_target_time(w, endless));

    ROW(BAD_ARGUMENT, IN_WORLD, "the body borrows its vertices: write there, after begin_vertices",
        willow_body_set_vertices(w, lent, 0, 1, to, 0));
    ROW(BAD_ARGUMENT, IN_WORLD, "the body does not borrow its vertices: use set_vertices",
        willow_body_begin_vertices(w, id));
    ROW(BAD_ARGUMENT, IN_WORLD, no_plan, willow_body_set_velocities(w, lent, 0, 1, to, 0));
    ROW(BAD_ARGUMENT, IN_WORLD, no_plan, willow_body_set_accelerations(w, lent, 0, 1, to, 0));
    ROW(BAD_ARGUMENT, IN_WORLD, no_plan, willow_body_set_vertex_plan(w, lent, 3, &fine));
    ROW(BAD_ARGUMENT, IN_WORLD, no_plan, willow_body_set_flightplan(w, lent, &flight));
    ROW(BAD_ARGUMENT, IN_WORLD, "the body borrows its vertices: *",
        willow_body_set_morph_targets(w, lent, &morph));
    ROW(BAD_ARGUMENT, IN_WORLD, "*borrows its vertices*", willow_body_set_skin(w, lent, &skin));
    ROW(BAD_ARGUMENT, IN_WORLD, "*has no skin*", willow_body_set_joints(w, id, NULL, 0));
    ROW(BAD_ARGUMENT, IN_WORLD, "*has no skin*", willow_body_set_target_joints(w, id, NULL, 0));
    ROW(BAD_ARGUMENT, IN_WORLD, "*a skin of no joints*", willow_body_set_skin(w, morphed, &skin));
    ROW(BAD_ARGUMENT, IN_WORLD, "the body borrows its vertices: *",
        deform(l, lent, bend_deformation(&l->bend)));

    ROW(BAD_MESH, IN_WORLD, "vertex 3 is at (0, 0, inf): not finite",
        willow_body_set_vertices(w, id, 2, 2, bad, 0));
    ROW(BAD_MESH, IN_WORLD, "vertex 3 is at (0, 0, inf): not finite",
        willow_body_set_target(w, id, 2, 2, bad, 0));
    ROW(BAD_ARGUMENT, IN_WORLD, "there is no plan", willow_body_set_vertex_plan(w, id, 0, NULL));
    ROW(BAD_MESH, IN_WORLD, "the velocity of vertex 9 is (0, 0, inf): not finite",
        willow_body_set_vertex_plan(w, id, 9, &fast));
    ROW(BAD_MESH, IN_WORLD, "the acceleration of vertex 9 is (-inf, 0, 0): not finite",
        willow_body_set_vertex_plan(w, id, 9, &thrown));
    ROW(BAD_ARGUMENT, IN_WORLD, "1 vertices from 28 on; the mesh has 28",
        willow_body_set_vertex_plan(w, id, VERTICES, &thrown));

    ROW(BAD_ARGUMENT, IN_WORLD, "*does not morph*", willow_body_set_morph_weights(w, id, two, 2));
    ROW(BAD_ARGUMENT, IN_WORLD, "*1 weights; the morph has 2 targets*",
        willow_body_set_morph_weights(w, morphed, two, 1));
    ROW(BAD_ARGUMENT, IN_WORLD, "the weight of target 1 is inf*",
        willow_body_set_morph_weights(w, morphed, wild, 2));
    ROW(BAD_ARGUMENT, IN_WORLD, "*weights*", willow_body_set_morph_weights(w, morphed, NULL, 2));
    ROW(BAD_ARGUMENT, IN_WORLD, "*1 weights; the morph has 2 targets*",
        willow_body_set_target_weights(w, morphed, wild, 1));
    ROW(BAD_ARGUMENT, IN_WORLD, "the weight of target 1 is inf*",
        willow_body_set_target_weights(w, morphed, wild, 2));

    ROW(BAD_ARGUMENT, IN_WORLD, "*", deform(l, id, no_position));
    ROW(BAD_ARGUMENT, IN_WORLD, "the deformation was not made by *", deform(l, id, short_one));
    ROW(BAD_ARGUMENT, IN_WORLD, "the body has no deformation",
        willow_body_touch_deformation(w, id));
    ROW(BAD_ARGUMENT, IN_WORLD, "the body has no deformation",
        willow_body_set_target_deformation(w, id, &l->bend));

    ROW(BAD_ARGUMENT, IN_WORLD, "no place for the watch",
        willow_watch_create(w, NULL, id, id, NULL));
    ROW(BAD_ARGUMENT, IN_WORLD, "4 is no kind of watch",
        create_watch(l, sizeof(willow_watch_def), WILLOW_WATCH_COUNT));
    ROW(BAD_ARGUMENT, IN_WORLD, no_default, create_watch(l, 0, WILLOW_WATCH_AUTO));
    return (attempt){0};
}

/* A body with every method, at rest, with a flight plan, and in a trial step. */
static void enter_situation(lab *l, willow_method method, int situation)
{
    const willow_vec3 velocity = {0.25F, 0, 0};
    willow_tree_def tree = willow_tree_def_default();
    tree.method = method;
    assert_ok(willow_body_set_tree(l->world, l->bodies[OWNER], &tree));
    if (situation == 1)
        assert_ok(willow_body_set_velocities(l->world, l->bodies[OWNER], 1, 1, &velocity, 0));
    if (situation == 2)
        assert_ok(willow_body_set_target(l->world, l->bodies[OWNER], 0, VERTICES,
                                         l->tilted.positions, 0));
    keep_state(l);
}

static attempt set_plan_wrongly(lab *l, uint32_t row);
static attempt set_range_wrongly(lab *l, uint32_t row);

static void wrong_calls_are_refused_in_every_situation(void **state)
{
    (void)state;
    for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++)
        for (int situation = 0; situation < 3; situation++) {
            lab l;
            open_lab(&l);
            enter_situation(&l, method, situation);
            refuse_all(&l, set_plan_wrongly);
            if ((int)method % 3 == situation) {
                refuse_all(&l, ask_without);
                refuse_all(&l, change_wrongly);
                refuse_all(&l, set_range_wrongly);
            }
            assert_int_equal(count_impacts(&l), l.impacts);
            close_lab(&l);
        }
}

/* ---- flight plans ---- */

static willow_result set_plan(const lab *l, const void *keys, const double *times, uint32_t count,
                              size_t stride, size_t key_stride)
{
    willow_flightplan plan = willow_flightplan_default();
    plan.positions = keys;
    plan.stride = stride;
    plan.keyframe_stride = key_stride;
    plan.times = times;
    plan.keyframe_count = count;
    return willow_body_set_flightplan(l->world, l->bodies[OWNER], &plan);
}

static attempt set_plan_wrongly(lab *l, uint32_t row)
{
    static float keys[3 * VERTICES][3];
    static const double good[] = {0, 1, 2}, same[] = {0, 1, 1}, back[] = {1, -1, 3},
                        none[] = {0, NAN, 2}, never[] = {0, INFINITY, 2},
                        wide[] = {-DBL_MAX, DBL_MAX};
    static const willow_flightplan no_size = {0};
    static const char not_made[] = "the flight plan was not made by willow_flightplan_default";
    const willow_body_id id = l->bodies[OWNER];
    willow_world *w = l->world;
    uint32_t at = 0;
    keys[2 * VERTICES + 2][1] = INFINITY;
    ROW(BAD_ARGUMENT, IN_WORLD, not_made, willow_body_set_flightplan(w, id, NULL));
    ROW(BAD_ARGUMENT, IN_WORLD, not_made, willow_body_set_flightplan(w, id, &no_size));
    ROW(BAD_ARGUMENT, IN_WORLD, "a flight plan of no keyframes", set_plan(l, keys, good, 0, 0, 0));
    ROW(BAD_ARGUMENT, IN_WORLD, "a flight plan of no keyframes", set_plan(l, keys, NULL, 3, 0, 0));
    ROW(BAD_ARGUMENT, IN_WORLD, "positions are NULL", set_plan(l, NULL, good, 3, 0, 0));
    ROW(BAD_ARGUMENT, IN_WORLD, "a stride of 10 bytes: *", set_plan(l, keys, good, 3, 10, 0));
    ROW(BAD_ARGUMENT, IN_WORLD, "a stride of 2 bytes between keyframes: *",
        set_plan(l, keys, good, 3, 0, 2));
    ROW(BAD_ARGUMENT, IN_WORLD, "keyframe 2 is at time 1, which is not after 1",
        set_plan(l, keys, same, 3, 0, 0));
    ROW(BAD_ARGUMENT, IN_WORLD, "keyframe 1 is at time -1, which is not after 1",
        set_plan(l, keys, back, 3, 0, 0));
    ROW(BAD_ARGUMENT, IN_WORLD, "keyframe 1 is at time *nan", set_plan(l, keys, none, 3, 0, 0));
    ROW(BAD_ARGUMENT, IN_WORLD, "keyframe 1 is at time inf", set_plan(l, keys, never, 3, 0, 0));
    ROW(BAD_ARGUMENT, IN_WORLD, "keyframe 1 is at time 1.79769e+308, too long after -1.79769e+308",
        set_plan(l, keys, wide, 2, 0, 0));
    ROW(BAD_MESH, IN_WORLD, "vertex 2 of keyframe 2 is at (0, inf, 0): not finite",
        set_plan(l, keys, good, 3, 0, 0));
    return (attempt){0};
}

/* ---- vertices by number ---- */

typedef willow_result setter(willow_world *world, willow_body_id id, uint32_t first, uint32_t count,
                             const void *to, size_t stride);

static const struct {
    setter *set;
    const char *not_finite; /* with the number of a vertex */
} setters[] = {
    {willow_body_set_vertices, "vertex %u is at (*): not finite"},
    {willow_body_set_target, "vertex %u is at (*): not finite"},
    {willow_body_set_velocities, "the velocity of vertex %u is (*): not finite"},
    {willow_body_set_accelerations, "the acceleration of vertex %u is (*): not finite"},
};
enum { SETTERS = sizeof setters / sizeof setters[0] };

/* What is out of range, or cannot be read. */
static const struct {
    uint32_t first, count;
    size_t shift, stride; /* in bytes; NULL if the shift is NONE */
    const char *words;
} ranges[] = {
#define NONE SIZE_MAX
    {0, VERTICES + 1, 0, 0, "29 vertices from 0 on; the mesh has 28"},
    {VERTICES - 1, 2, 0, 0, "2 vertices from 27 on; the mesh has 28"},
    {VERTICES, 1, 0, 0, "1 vertices from 28 on; the mesh has 28"},
    {VERTICES + 1, 0, 0, 0, "0 vertices from 29 on; the mesh has 28"},
    {UINT32_MAX, 1, 0, 0, "1 vertices from 4294967295 on; the mesh has 28"},
    {1, UINT32_MAX, 0, 0, "4294967295 vertices from 1 on; the mesh has 28"},
    {2, UINT32_MAX, 0, 0, "4294967295 vertices from 2 on; the mesh has 28"},
    {UINT32_MAX, UINT32_MAX, 0, 0, "4294967295 vertices from 4294967295 on; the mesh has 28"},
    {0, 1, NONE, 0, "positions are NULL"},
    {0, VERTICES, NONE, 0, "positions are NULL"},
    {0, 1, 1, 0, "positions are not aligned to 4 bytes"},
    {0, 3, 2, 0, "positions are not aligned to 4 bytes"},
    {0, 1, 0, 6, "a stride of 6 bytes: it must be a multiple of 4 and at least 12"},
    {0, 2, 0, 8, "a stride of 8 bytes: it must be a multiple of 4 and at least 12"},
    {0, 1, 0, 11, "a stride of 11 bytes: it must be a multiple of 4 and at least 12"},
    {0, 2, 0, 13, "a stride of 13 bytes: it must be a multiple of 4 and at least 12"},
    {0, 1, 0, 14, "a stride of 14 bytes: it must be a multiple of 4 and at least 12"},
};
enum { RANGES = sizeof ranges / sizeof ranges[0], READABLE_RANGES = 8 };

static attempt set_range_wrongly(lab *l, uint32_t row)
{
    const uint32_t i = row / SETTERS;
    if (i >= RANGES) return (attempt){0};
    const char *to = (const char *)l->flat.positions + ranges[i].shift;
    if (ranges[i].shift == NONE) to = NULL;
    return (attempt){setters[row % SETTERS].set(l->world, l->bodies[OWNER], ranges[i].first,
                                                ranges[i].count, to, ranges[i].stride),
                     WILLOW_BAD_ARGUMENT, IN_WORLD, ranges[i].words};
}

static void ranges_that_are_not_there_are_not_copied(void **state)
{
    (void)state;
    lab l;
    open_lab(&l);
    for (size_t i = 0; i < READABLE_RANGES; i++) {
        willow_vec3 out[1] = {{7, 7, 7}};
        uint32_t order[1] = {77};
        refused(&l,
                willow_body_copy_vertices(l.world, l.bodies[BRUTE], ranges[i].first,
                                          ranges[i].count, out),
                WILLOW_BAD_ARGUMENT, NOWHERE, ranges[i].words);
        refused(&l,
                willow_body_copy_order(l.world, l.bodies[OWNER], ranges[i].first, ranges[i].count,
                                       order),
                WILLOW_BAD_ARGUMENT, NOWHERE, ranges[i].words);
        assert_true(out[0].x == 7.0F && order[0] == 77);
    }
    close_lab(&l);
}

static const uint32_t bad_vertices[] = {0, 11, SIDE *SIDE - 1, MERGED, LOOSE, VERTICES - 1};
enum { BAD_VERTICES = sizeof bad_vertices / sizeof bad_vertices[0] };

/* By creating a body in every way, and by setting some vertices, all and one. */
static void refuse_position(lab *l, const sheet *bad, uint32_t vertex)
{
    const uint32_t first = vertex > 3 ? vertex - 3 : 0, count = vertex - first + 1;
    char words[80];
    (void)snprintf(words, sizeof words, setters[0].not_finite, vertex);
    for (int i = 0; i < 4; i++) {
        willow_body_def def = sheet_def(bad);
        def.mesh.borrow = i % 2 == 1;
        def.mesh.weld_exact = i / 2 == 1;
        refused(l, create(l, &def), WILLOW_BAD_MESH, IN_WORLD, words);
    }
    for (int i = 0; i < 3 * SETTERS; i++) {
        const willow_body_id id = l->bodies[OWNER + i / SETTERS];
        setter *set = setters[i % SETTERS].set;
        (void)snprintf(words, sizeof words, setters[i % SETTERS].not_finite, vertex);
        refused(l, set(l->world, id, first, count, bad->positions[first], 12), WILLOW_BAD_MESH,
                IN_WORLD, words);
        if (i % SETTERS > 0) continue;
        refused(l, set(l->world, id, 0, VERTICES, bad->positions, 0), WILLOW_BAD_MESH, IN_WORLD,
                words);
        refused(l, set(l->world, id, vertex, 1, bad->positions[vertex], 64), WILLOW_BAD_MESH,
                IN_WORLD, words);
    }
}

static void positions_that_are_not_finite_are_refused_by_number(void **state)
{
    (void)state;
    lab l;
    open_lab(&l);
    for (int i = 0; i < 9 * BAD_VERTICES; i++) {
        sheet bad;
        make_sheet(&bad, 0.0F);
        bad.positions[bad_vertices[i / 9]][i / 3 % 3] = bad_floats[i % 3];
        refuse_position(&l, &bad, bad_vertices[i / 9]);
    }
    close_lab(&l);
}

/* Of several the first is named; and a sum that overflows is no reason to refuse. */
static void the_first_of_several_is_named_and_large_is_not_infinite(void **state)
{
    (void)state;
    lab l;
    sheet bad;
    open_lab(&l);
    make_sheet(&bad, 0.0F);
    bad.positions[20][0] = INFINITY;
    bad.positions[13][2] = -INFINITY;
    refused(&l, willow_body_set_vertices(l.world, l.bodies[OWNER], 0, VERTICES, bad.positions, 0),
            WILLOW_BAD_MESH, IN_WORLD, "vertex 13 is at (3, 2, -inf): not finite");
    make_sheet(&bad, 0.0F);
    for (int i = 0; i < 3 * SIDE * SIDE; i++)
        bad.positions[i / 3][i % 3] = i % 2 == 0 ? FLT_MAX : -FLT_MAX;
    for (int i = OWNER; i <= WELDED; i++)
        assert_ok(willow_body_set_vertices(l.world, l.bodies[i], 0, VERTICES, bad.positions, 0));
    assert_ok(willow_world_update(l.world, 0.0, NULL));
    assert_true(willow_world_validate(l.world, NULL, 0));
    (void)count_pairs(&l);
    close_lab(&l);
}

/* ---- boxes, points and poses ---- */

static void boxes_and_points_that_are_not_finite_are_refused(void **state)
{
    (void)state;
    lab l;
    open_lab(&l);
    for (int i = 0; i < 18; i++) {
        float ends[6] = {0, 0, 0, 1, 1, 1};
        willow_box box;
        willow_closest closest;
        size_t visits = 0;
        ends[i / 3] = bad_floats[i % 3];
        memcpy(&box, ends, sizeof box);
        refused(&l, willow_visit_box(l.world, l.scratch, &box, NULL, visit_tri, &visits),
                WILLOW_BAD_ARGUMENT, IN_SCRATCH, "the box is not finite");
        assert_int_equal(visits, 0);
        if (i < 9)
            refused(&l, willow_closest_point(l.world, l.scratch, &box.lower, NULL, &closest),
                    WILLOW_BAD_ARGUMENT, IN_SCRATCH, "the point is not finite");
    }
    close_lab(&l);
}

static void wrong_poses_are_refused(void **state)
{
    (void)state;
    lab l;
    open_lab(&l);
    for (int i = 0; i < 7 * 3 + 2; i++) {
        float numbers[7] = {1, 2, 3, 0, 0, 0, 1};
        const char *words = "the pose is not finite";
        willow_pose pose;
        if (i < 21) {
            numbers[i / 3] = bad_floats[i % 3];
        } else {
            numbers[3] = numbers[6] = i == 21 ? 0.0F : -0.0F;
            words = "the rotation of the pose is zero; without one it is (0, 0, 0, 1)";
        }
        memcpy(&pose, numbers, sizeof numbers);
        willow_body_def def = sheet_def(&l.flat);
        def.pose = pose;
        refused(&l, willow_body_set_pose(l.world, l.bodies[WELDED], &pose), WILLOW_BAD_ARGUMENT,
                IN_WORLD, words);
        refused(&l, willow_body_set_target_pose(l.world, l.bodies[WELDED], &pose),
                WILLOW_BAD_ARGUMENT, IN_WORLD, words);
        refused(&l, create(&l, &def), WILLOW_BAD_ARGUMENT, IN_WORLD, words);
    }

    /* Any length will do, the smallest and the largest too. */
    for (int i = 0; i < 2; i++) {
        willow_pose pose = willow_pose_identity();
        pose.rotation.w = i == 0 ? 0x1p-149F : FLT_MAX;
        assert_ok(willow_body_set_pose(l.world, l.bodies[WELDED], &pose));
        assert_ok(willow_world_update(l.world, 0.0, NULL));
        assert_int_equal(count_pairs(&l), l.pairs);
    }
    close_lab(&l);
}

/* ---- trees ---- */

static void refuse_tree(lab *l, willow_tree_def tree, const char *words)
{
    willow_body_def def = sheet_def(&l->flat);
    tree.struct_size = sizeof tree;
    def.tree = tree;
    refused(l, willow_body_set_tree(l->world, l->bodies[OWNER], &tree), WILLOW_BAD_ARGUMENT,
            IN_WORLD, words);
    refused(l, create(l, &def), WILLOW_BAD_ARGUMENT, IN_WORLD, words);
}

static void wrong_trees_are_refused(void **state)
{
    (void)state;
    static const struct {
        willow_tree_def tree;
        const char *words;
    } cases[] = {
        {{.method = WILLOW_METHOD_COUNT, .arity = 8}, "12 is no method"},
        {{.method = (willow_method)-1, .arity = 8}, "-1 is no method"},
        {{.build = WILLOW_BUILD_COUNT, .arity = 8}, "6 is no builder"},
        {{.build = (willow_build)-7, .arity = 8}, "-7 is no builder"},
        {{.events = WILLOW_EVENTS_COUNT, .arity = 8}, "3 is no way to handle events"},
        {{.arity = 8, .reference = WILLOW_REFERENCE_COUNT}, "*no reference shape*"},
        {{.arity = 8, .in_between = 16}, "16 *"},
        {{.arity = 8, .volume = WILLOW_VOLUME_COUNT}, "*is no volume*"},
        {{.arity = UINT32_MAX}, "an arity of 4294967295: it must be 2, 4 or 8"},
        {{.arity = 8, .leaf_triangles = 33}, "33 triangles per leaf: 32 is the most"},
        {{.arity = 8, .leaf_triangles = UINT32_MAX},
         "4294967295 triangles per leaf: 32 is the most"},
        {{.arity = 8, .margin = -1.0F}, "a margin of -1: it must be 0 or more, and finite"},
        {{.arity = 8, .margin = -0x1p-149F}, "a margin of -1.4013e-45: it must be 0 or more, *"},
        {{.arity = 8, .margin = NAN}, "a margin of *nan: it must be 0 or more, and finite"},
        {{.arity = 8, .margin = INFINITY}, "a margin of inf: it must be 0 or more, and finite"},
        {{.arity = 8, .margin = -INFINITY}, "a margin of -inf: it must be 0 or more, and finite"},
        {{.arity = 8, .rebuild_ratio = 0.5F}, "a rebuild ratio of 0.5: it must be 1 or more, *"},
        {{.arity = 8, .rebuild_ratio = 0x1.fffffep-1F}, "a rebuild ratio of 1: it must be *"},
        {{.arity = 8, .rebuild_ratio = 0x1p-149F}, "a rebuild ratio of 1.4013e-45: *"},
        {{.arity = 8, .rebuild_ratio = -1.0F}, "a rebuild ratio of -1: it must be 1 or more, or *"},
        {{.arity = 8, .rebuild_ratio = -INFINITY}, "a rebuild ratio of -inf: it must be *"},
        {{.arity = 8, .rebuild_ratio = NAN},
         "a rebuild ratio of *nan: it must be 1 or more, or 0 "
         "for the default"},
    };
    static const size_t sizes[] = {0, sizeof(willow_tree_def) - 4, sizeof(willow_tree_def) + 4};
    lab l;
    open_lab(&l);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        refuse_tree(&l, cases[i].tree, cases[i].words);
    for (uint32_t arity = 1; arity < 20; arity++) {
        char words[80];
        (void)snprintf(words, sizeof words, "an arity of %u: it must be 2, 4 or 8", arity);
        if (arity != 2 && arity != 4 && arity != 8)
            refuse_tree(&l, (willow_tree_def){.arity = arity}, words);
    }
    for (size_t i = 0; i < 3; i++) {
        static const char not_made[] = "the body def was not made by willow_body_def_default";
        willow_tree_def tree = willow_tree_def_default();
        willow_body_def def = sheet_def(&l.flat);
        tree.struct_size = def.tree.struct_size = sizes[i];
        refused(&l, willow_body_set_tree(l.world, l.bodies[OWNER], &tree), WILLOW_BAD_ARGUMENT,
                IN_WORLD, "the tree def was not made by willow_tree_def_default");
        refused(&l, create(&l, &def), WILLOW_BAD_ARGUMENT, IN_WORLD, not_made);
        def = sheet_def(&l.flat);
        def.struct_size = sizes[i];
        refused(&l, create(&l, &def), WILLOW_BAD_ARGUMENT, IN_WORLD, not_made);
    }
    close_lab(&l);
}

/* The last values before those. */
static void trees_at_the_limits_are_taken(void **state)
{
    (void)state;
    static const float margins[] = {0.0F, -0.0F, 0x1p-149F, FLT_MAX};
    static const float ratios[] = {0.0F, -0.0F, 1.0F, FLT_MAX, INFINITY};
    lab l;
    open_lab(&l);
    for (int i = 0; i < 4 * 5; i++) {
        willow_tree_def tree = willow_tree_def_default();
        willow_body_info info;
        tree.leaf_triangles = (uint32_t)(i % 2) * 32;
        tree.hybrid_level = i % 3 == 0 ? UINT32_MAX : (uint32_t)i;
        tree.margin = margins[i % 4];
        tree.rebuild_ratio = ratios[i / 4];
        tree.method = (willow_method)(i % WILLOW_METHOD_COUNT);
        tree.in_between = (uint32_t)(i % 16);
        tree.volume = (willow_volume)(i % WILLOW_VOLUME_COUNT);
        tree.reference = (willow_reference)(i % WILLOW_REFERENCE_COUNT);
        tree.reference_target = 1000; /* the last one */
        assert_ok(willow_body_set_tree(l.world, l.bodies[OWNER], &tree));
        assert_ok(willow_world_update(l.world, 0.0, NULL));
        assert_int_equal(count_pairs(&l), l.pairs);
        assert_true(willow_world_validate(l.world, NULL, 0));
        assert_ok(willow_body_get_info(l.world, l.bodies[OWNER], &info));
        assert_true(info.tree.margin == tree.margin && info.tree.rebuild_ratio >= 1.0F);
        assert_int_equal(info.tree.hybrid_level, tree.hybrid_level);
    }
    close_lab(&l);
}

/* ---- meshes ---- */

/* The mesh in memory of its own, so that indices may be spoilt. */
typedef struct spoilt {
    sheet sheet;
    willow_body_def def;
} spoilt;

/* How arrays are handed over is BAD_ARGUMENT, as in setters; what is in them is BAD_MESH. */
static const char *spoil_mesh(spoilt *s, uint32_t row, willow_result *code)
{
    willow_mesh_def *mesh = &s->def.mesh;
    const char *bytes = (const char *)s->sheet.narrow;
    uint32_t at = 0;
    *code = WILLOW_BAD_ARGUMENT;
    SPOIL("the mesh has 28 vertices and no positions", mesh->positions = NULL)
    SPOIL("the mesh has 32 triangles and no indices", mesh->indices = NULL)
    SPOIL("a stride of 8 bytes: it must be a multiple of 4 and at least 12", mesh->stride = 8)
    SPOIL("a stride of 13 bytes: it must be a multiple of 4 and at least 12", mesh->stride = 13)
    SPOIL("a stride of 1 bytes: it must be a multiple of 4 and at least 12", mesh->stride = 1)
    SPOIL("2 is no index type", mesh->index_type = (willow_index_type)2)
    SPOIL("-1 is no index type", mesh->index_type = (willow_index_type)-1)
    *code = WILLOW_BAD_MESH;
    SPOIL("the mesh has 1431655766 triangles; 1431655765 is the most",
          mesh->triangle_count = UINT32_MAX / 3 + 1)
    SPOIL("the mesh has 4294967295 triangles; 1431655765 is the most",
          mesh->triangle_count = UINT32_MAX)
    SPOIL("triangle 0 names vertex 28; the mesh has 28", s->sheet.tris[0][0] = VERTICES)
    SPOIL("triangle 31 names vertex 4294967295; the mesh has 28",
          s->sheet.tris[TRIS - 1][2] = UINT32_MAX)
    SPOIL("triangle 17 names vertex 912; the mesh has 28", s->sheet.tris[17][1] = 912)
    SPOIL("triangle 0 names vertex 0; the mesh has 0", mesh->vertex_count = 0)
    SPOIL("triangle 3 names vertex 65535; the mesh has 28", s->sheet.narrow[3][2] = UINT16_MAX;
          mesh->indices = s->sheet.narrow; mesh->index_type = WILLOW_INDEX_U16)
    *code = WILLOW_BAD_ARGUMENT;
    mesh->vertex_count--;
    mesh->triangle_count--;
    SPOIL("positions are not aligned to 4 bytes",
          mesh->positions = (const char *)s->sheet.positions + 2)
    SPOIL("indices are not aligned to their own size",
          mesh->indices = (const char *)s->sheet.tris + 2)
    SPOIL("indices are not aligned to their own size", mesh->indices = bytes + 1;
          mesh->index_type = WILLOW_INDEX_U16)
    return NULL;
}

static void wrong_meshes_are_refused(void **state)
{
    (void)state;
    lab l;
    open_lab(&l);
    const size_t bytes = willow_world_bytes(l.world);
    for (uint32_t i = 0;; i++) {
        spoilt s;
        make_sheet(&s.sheet, 0.0F);
        s.def = sheet_def(&s.sheet);
        s.def.mesh.borrow = i % 2 == 1;
        s.def.mesh.weld_exact = i / 2 % 2 == 1;
        willow_result code;
        const char *words = spoil_mesh(&s, i / 4, &code);
        if (words == NULL) break;
        refused(&l, create(&l, &s.def), code, IN_WORLD, words);
    }
    assert_int_equal(willow_world_copy_bodies(l.world, NULL, 0), BODIES);
    assert_true(willow_world_bytes(l.world) <= bytes + 1024); /* room for ids, at most */
    close_lab(&l);
}

/* ---- groups ---- */

/* By creating a body and by setting them in one that has groups: none of these masks fits. */
static void wrong_group_masks_are_refused(void **state)
{
    (void)state;
    static const uint64_t fine[65] = {0};
    static const uint64_t once[4] = {0, 4, 0, 0}, twice[4] = {0, 8, 8, 4};
    static const struct {
        const uint64_t *masks;
        uint32_t count;
        const char *words;
    } cases[] = {
        {NULL, 3, "the mesh has 3 groups and no group masks"},
        {fine, 0, "the mesh has group masks for none"},
        {fine, 65, "the mesh has group masks for 65; 64 is the most"},
        {fine, UINT32_MAX, "the mesh has group masks for 4294967295; 64 is the most"},
        {fine, 1, "triangle 0 is in group 1; the mesh has group masks for 1"},
        {fine, 3, "triangle 31 is in group 3; the mesh has group masks for 3"},
        {once, 4, "group 1 is tested against group 2, and that one not against it"},
        {twice, 4, "group 1 is tested against group 3, and that one not against it"},
    };
    uint16_t groups[TRIS];
    lab l;
    open_lab(&l);
    for (int i = 0; i < TRIS; i++) groups[i] = i < TRIS - 1 ? 1 : 3;
    willow_body_def def = sheet_def(&l.flat);
    def.mesh.triangle_groups = groups;
    def.self = true;
    const willow_body_id grouped = fixture_body(l.world, &def);
    assert_ok(willow_body_set_group_masks(l.world, grouped, fine, 4));
    keep_state(&l);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        def.mesh.group_masks = cases[i].masks;
        def.mesh.group_count = cases[i].count;
        const bool is_argument = i < 4; /* the rest is about what is in them */
        const willow_result code = is_argument ? WILLOW_BAD_ARGUMENT : WILLOW_BAD_MESH;
        refused(&l, create(&l, &def), code, IN_WORLD, cases[i].words);
        refused(&l, willow_body_set_group_masks(l.world, grouped, cases[i].masks, cases[i].count),
                code, IN_WORLD, cases[i].words);
    }
    def = sheet_def(&l.flat);
    def.mesh.group_masks = fine;
    def.mesh.group_count = 4;
    refused(&l, create(&l, &def), WILLOW_BAD_MESH, IN_WORLD,
            "the mesh has group masks and no triangle groups");
    for (int i = 0; i < BODIES; i++)
        refused(&l, willow_body_set_group_masks(l.world, l.bodies[i], once, 2), WILLOW_BAD_MESH,
                IN_WORLD, "the mesh has group masks and no triangle groups");
    close_lab(&l);
}

static void more_memory_than_there_is_is_refused(void **state)
{
    (void)state;
    lab l;
    open_lab(&l);
    willow_body_def def = sheet_def(&l.flat);
    const willow_body_id id = fixture_body(l.world, &def); /* room for its id */
    assert_ok(willow_body_destroy(l.world, id));
    assert_ok(willow_world_update(l.world, 0.0, NULL));
    def.mesh.triangle_count = UINT32_MAX / 3;
    l.allocator.fail_at =
        atomic_load(&l.allocator.calls) + 3; /* the body, its geometry, its triangles */
    refused(&l, create(&l, &def), WILLOW_OUT_OF_MEMORY, IN_WORLD, "no memory for triangles");
    close_lab(&l);
}

/* ---- morphs ---- */

/* Targets are `offsets`. The code of the result goes to `code`. */
static const char *spoil_morph(willow_morph *m, willow_morph_target t[2], uint32_t row,
                               willow_result *code)
{
    static const uint32_t beyond[2] = {4, VERTICES}, twice[2] = {3, 3};
    static const float wild[2] = {0, NAN};
    static float bad[VERTICES][3];
    uint32_t at = 0;
    bad[3][1] = INFINITY;
    *code = WILLOW_BAD_MESH;
    SPOIL("vertex 3 of target 0*", t[0].values = bad)
    SPOIL("vertex 3 of the base*", m->base = bad)
    SPOIL("target 1 names vertex 28; the mesh has 28", t[1].vertices = beyond)
    SPOIL("target 1 names vertex 3 twice", t[1].vertices = twice)
    *code = WILLOW_BAD_ARGUMENT;
    SPOIL("*willow_morph_default", m->struct_size = 1)
    SPOIL("a stride of 10 bytes in target 1*", t[1].stride = 10)
    SPOIL("*target 1 are NULL", t[1].values = NULL)
    SPOIL("the weight of target 1 is *", m->weights = wild)
    SPOIL("*2 targets, which are NULL", m->targets = NULL)
    SPOIL("7 is no kind*", m->kind = (willow_morph_kind)7)
    m->kind = WILLOW_MORPH_ABSOLUTE;
    SPOIL("target 1 of an absolute morph*", (void)m)
    SPOIL("*no targets*", m->target_count = 0)
    SPOIL("*no base*", m->target_count = 1; m->base = bad)
    return NULL;
}

static void wrong_morphs_are_refused(void **state)
{
    (void)state;
    static const int bodies[] = {OWNER, MORPHED};
    lab l;
    open_lab(&l);
    for (uint32_t i = 0;; i++) {
        willow_morph_target targets[2];
        willow_morph morph = offsets(&l, targets);
        willow_result code;
        const char *words = spoil_morph(&morph, targets, i / 2, &code);
        if (words == NULL) break;
        refused(&l, willow_body_set_morph_targets(l.world, l.bodies[bodies[i % 2]], &morph), code,
                IN_WORLD, words);
    }
    refused(&l, willow_body_set_morph_targets(l.world, l.bodies[OWNER], NULL), WILLOW_BAD_ARGUMENT,
            IN_WORLD, "*willow_morph_default");
    close_lab(&l);
}

/* ---- worlds ---- */

static void run_in_turn(void *context, uint32_t task_count, willow_task *run, void *arg)
{
    (void)context;
    for (uint32_t i = 0; i < task_count; i++) run(arg, i, 0);
}

static const char *spoil_world(willow_world_def *def, uint32_t row)
{
    uint32_t at = 0;
    SPOIL("7 is no broad phase", def->broad = WILLOW_BROAD_COUNT)
    SPOIL("-1 is no broad phase", def->broad = (willow_broad)-1)
    SPOIL("3 is no kernel", def->kernel = WILLOW_KERNEL_COUNT)
    SPOIL("-5 is no kernel", def->kernel = (willow_kernel)-5)
    SPOIL("a pool of 1025 threads: 1024 is the most, which is more than machines have",
          def->thread_count = WILLOW_MAX_THREADS + 1)
    SPOIL("a pool of 4294967295 threads: 1024 is the most, which is more than machines have",
          def->thread_count = UINT32_MAX)
    SPOIL("a world needs one worker at least", def->tasks.parallel_for = run_in_turn)
    SPOIL("the allocator has one function of two", def->allocator.free = NULL)
    if (wi_kernel_choose(WILLOW_KERNEL_AVX2) != WILLOW_KERNEL_AVX2)
        SPOIL("this build or machine has no avx2 kernel", def->kernel = WILLOW_KERNEL_AVX2)
    return NULL;
}

/* There is no world to ask for the words, but a log. */
static void refuse_world(lab *l, willow_world_def def, willow_result expected, const char *words)
{
    willow_world *world = l->world;
    def.log = (willow_log){keep_line, l};
    assert_int_equal(willow_world_create(&def, &world), expected);
    assert_null(world);
    assert_string_equal(l->last_line, words);
    assert_int_equal(l->lines, ++l->lines_seen);
}

static void wrong_world_defs_are_refused(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, sizeof(willow_world_def) - 8, sizeof(willow_world_def) + 8};
    lab l;
    open_lab(&l);
    for (uint32_t i = 0;; i++) {
        willow_world_def def = willow_world_def_default();
        def.allocator = test_allocator_functions(&l.allocator);
        const char *words = spoil_world(&def, i);
        if (words == NULL) break;
        const bool is_there = def.kernel == WILLOW_KERNEL_AVX2;
        refuse_world(&l, def, is_there ? WILLOW_UNSUPPORTED : WILLOW_BAD_ARGUMENT, words);
    }
    for (size_t n = 1; n < 5; n++) { /* the world, its pool, the pool's threads, workspaces */
        test_allocator failing = {.fail_at = n};
        willow_world_def def = willow_world_def_default();
        def.allocator = test_allocator_functions(&failing);
        def.thread_count = 2;
        refuse_world(&l, def, WILLOW_OUT_OF_MEMORY, "no memory for a world");
        assert_true(test_allocator_is_clean(&failing));
    }
    for (int i = 0; i < 3; i++) {
        willow_world *world = l.world;
        willow_world_def def = willow_world_def_default();
        def.log = (willow_log){keep_line, &l};
        def.struct_size = sizes[i];
        /* Where the log is in a def of another size nobody knows. */
        refused(&l, willow_world_create(&def, &world), WILLOW_BAD_ARGUMENT, NOWHERE, "size");
        assert_null(world);
    }
    willow_world *world = l.world;
    refused(&l, willow_world_create(NULL, &world), WILLOW_BAD_ARGUMENT, NOWHERE, "no def");
    assert_null(world);
    willow_world_def def = willow_world_def_default();
    refused(&l, willow_world_create(&def, NULL), WILLOW_BAD_ARGUMENT, NOWHERE, "no place");
    close_lab(&l);
}

/* ---- names ---- */

static void names_and_numbers_that_are_none_are_said_to_be(void **state)
{
    (void)state;
    static const char *const strangers[] = {"", "bottom", "bottom_up ", "BRUTE", "auto1", NULL};
    for (int i = 0; i < 6; i++) {
        willow_method method = WILLOW_METHOD_REBUILD;
        willow_build build = WILLOW_BUILD_SAH;
        willow_kernel kernel = WILLOW_KERNEL_SCALAR;
        willow_events events = WILLOW_EVENTS_STREAM;
        assert_false(willow_events_from_name(strangers[i], &events));
        assert_true(events == WILLOW_EVENTS_STREAM);
        assert_false(willow_method_from_name(strangers[i], &method));
        assert_false(willow_build_from_name(strangers[i], &build));
        assert_false(willow_kernel_from_name(strangers[i], &kernel));
        assert_true(method == WILLOW_METHOD_REBUILD && build == WILLOW_BUILD_SAH &&
                    kernel == WILLOW_KERNEL_SCALAR);
    }
    for (int i = -3; i < 10; i++) {
        assert_true((willow_method_name((willow_method)i) != NULL) ==
                    (i >= 0 && i < WILLOW_METHOD_COUNT));
        assert_true((willow_build_name((willow_build)i) != NULL) ==
                    (i >= 0 && i < WILLOW_BUILD_COUNT));
        assert_true((willow_events_name((willow_events)i) != NULL) ==
                    (i >= 0 && i < WILLOW_EVENTS_COUNT));
        assert_true((willow_kernel_name((willow_kernel)i) != NULL) ==
                    (i >= 0 && i < WILLOW_KERNEL_COUNT));
        if (i > 0 || i < -6)
            assert_string_equal(willow_result_name((willow_result)i), "unknown result");
    }
}

/* ---- nothing ---- */

static void nothing_is_valid_everywhere(void **state)
{
    (void)state;
    lab l;
    size_t visits = 0;
    open_lab(&l);
    willow_query_options options = willow_query_options_default();
    options.bodies = l.bodies; /* none of them */
    for (int i = 0; i < QUESTIONS; i++) assert_ok(questions[i](l.world, l.scratch, &options));
    assert_ok(willow_visit_pairs(l.world, l.scratch, &options, visit_pair, &visits));
    const willow_box empty = {{1, 1, 1}, {-1, -1, -1}};
    assert_ok(willow_visit_box(l.world, l.scratch, &empty, NULL, visit_tri, &visits));
    assert_int_equal(visits, 0);
    willow_body_id id = l.bodies[OWNER];
    assert_ok(willow_body_set_vertices(l.world, id, VERTICES, 0, NULL, 0));
    assert_ok(willow_body_set_vertices(l.world, id, 0, 0, NULL, 16));
    assert_ok(willow_body_copy_vertices(l.world, id, VERTICES, 0, NULL));
    assert_ok(willow_body_copy_order(l.world, id, VERTICES, 0, NULL));
    assert_ok(willow_body_set_deformation(l.world, id, NULL));
    assert_int_equal(willow_world_copy_bodies(l.world, NULL, 0), BODIES);
    assert_ok(willow_world_update(l.world, 0.0, NULL));
    willow_watch_destroy(NULL);
    willow_scratch_destroy(NULL);
    willow_world_destroy(NULL);
    willow_tri_tri_meet_many(NULL, NULL, NULL, 0, NULL);
    willow_pose pose = willow_pose_identity();
    willow_pose_apply(&pose, NULL, 0, 0, NULL);
    assert_true(willow_world_hash(l.world) == l.hash);
    assert_int_equal(count_pairs(&l), l.pairs);
    close_lab(&l);
}

static void bodies_without_vertices_or_triangles_are_valid(void **state)
{
    (void)state;
    lab l;
    open_lab(&l);
    for (int i = 0; i < 3 * 4; i++) {
        willow_body_def def = sheet_def(&l.flat);
        willow_body_id id;
        willow_body_info info;
        willow_body_stats stats;
        willow_body_topology topology;
        size_t visits = 0;
        if (i % 3 != 1) def.mesh.triangle_count = 0; /* vertices alone */
        if (i % 3 == 0) def.mesh = (willow_mesh_def){0};
        uint16_t groups[TRIS] = {0}; /* in a group that collides with nothing */
        if (i % 3 == 1) def.mesh.triangle_groups = groups;
        def.mesh.borrow = i / 3 % 2 == 1;
        def.mesh.weld_exact = i / 6 == 1;
        def.self = true;
        assert_ok(willow_body_create(l.world, &def, &id));
        assert_ok(willow_world_update(l.world, 0.0, NULL));
        assert_true(willow_world_validate(l.world, NULL, 0));
        assert_int_equal(count_pairs(&l), l.pairs);
        assert_ok(willow_body_get_info(l.world, id, &info));
        assert_true(info.box.lower.x > info.box.upper.x);
        assert_ok(willow_body_get_stats(l.world, id, &stats));
        assert_int_equal(stats.node_count + stats.leaf_count + stats.height, 0);
        assert_true(stats.cost == 0.0);
        assert_ok(willow_body_get_topology(l.world, id, &topology));
        assert_ok(willow_body_visit_nodes(l.world, id, visit_node, &visits));
        assert_int_equal(visits, 0);
        assert_ok(willow_body_set_pose(l.world, id, &(willow_pose){{1, 0, 0}, {0, 0, 0, 1}}));
        assert_ok(willow_world_update(l.world, 0.0, NULL));
        assert_int_equal(count_pairs(&l), l.pairs);
        assert_ok(willow_body_destroy(l.world, id));
    }
    assert_ok(willow_world_update(l.world, 0.0, NULL));
    close_lab(&l);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(bodies_that_are_none_are_refused_by_every_call),
    cmocka_unit_test(a_scratch_of_another_world_is_refused_by_every_question),
    cmocka_unit_test(a_stale_world_is_refused_by_every_question),
    cmocka_unit_test(wrong_options_are_refused_by_every_question),
    cmocka_unit_test(limits_that_are_none_are_refused),
    cmocka_unit_test(wrong_calls_are_refused_in_every_situation),
    cmocka_unit_test(ranges_that_are_not_there_are_not_copied),
    cmocka_unit_test(positions_that_are_not_finite_are_refused_by_number),
    cmocka_unit_test(the_first_of_several_is_named_and_large_is_not_infinite),
    cmocka_unit_test(boxes_and_points_that_are_not_finite_are_refused),
    cmocka_unit_test(wrong_poses_are_refused),
    cmocka_unit_test(wrong_trees_are_refused),
    cmocka_unit_test(trees_at_the_limits_are_taken),
    cmocka_unit_test(wrong_meshes_are_refused),
    cmocka_unit_test(wrong_group_masks_are_refused),
    cmocka_unit_test(more_memory_than_there_is_is_refused),
    cmocka_unit_test(wrong_morphs_are_refused),
    cmocka_unit_test(wrong_world_defs_are_refused),
    cmocka_unit_test(names_and_numbers_that_are_none_are_said_to_be),
    cmocka_unit_test(nothing_is_valid_everywhere),
    cmocka_unit_test(bodies_without_vertices_or_triangles_are_valid),
};

TEST_GROUP(bad_input, tests);
