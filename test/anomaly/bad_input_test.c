/* Bad input of every kind, to every public call: it is refused with the right result, in words that
 * name what is wrong, said to the log once; the world is as it was, sound, and still answers (C6,
 * C7). And nothing at all (no vertices, no bodies, a count of zero) is valid everywhere. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
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

enum { OWNER, BRUTE, WELDED, BORROWER, BODIES };

typedef struct lab {
    test_allocator allocator;
    int lines; /* in the log */
    int lines_seen;
    char last_line[256];
    sheet flat, tilted, lent;
    willow_world *world, *other_world;
    willow_scratch *scratch, *other_scratch;
    willow_body_id bodies[BODIES], dead, foreign;
    uint64_t hash;
    size_t pairs;
} lab;

static void keep_line(void *context, const char *line)
{
    lab *l = context;
    l->lines++;
    (void)snprintf(l->last_line, sizeof l->last_line, "%s", line);
}

static willow_world *make_world(lab *l)
{
    willow_world *world;
    willow_world_def def = willow_world_def_default();
    def.allocator = test_allocator_functions(&l->allocator);
    def.log = (willow_log){keep_line, l};
    assert_ok(willow_world_create(&def, &world));
    return world;
}

static willow_body_def sheet_def(const sheet *s)
{
    willow_body_def def = willow_body_def_default();
    def.mesh = (willow_mesh_def){.positions = s->positions,
                                 .vertex_count = VERTICES,
                                 .indices = s->tris,
                                 .triangle_count = TRIS};
    def.tree.leaf_triangles = 4;
    return def;
}

static size_t count_pairs(const lab *l)
{
    willow_pairs pairs;
    assert_ok(willow_find_pairs(l->world, l->scratch, NULL, &pairs));
    return pairs.count;
}

static void open_lab(lab *l)
{
    memset(l, 0, sizeof *l);
    make_sheet(&l->flat, 0.0F);
    make_sheet(&l->tilted, 0.5F);
    make_sheet(&l->lent, -0.5F);
    l->world = make_world(l);
    l->other_world = make_world(l);
    assert_ok(willow_scratch_create(l->world, &l->scratch));
    assert_ok(willow_scratch_create(l->other_world, &l->other_scratch));
    for (int i = 0; i < BODIES; i++) {
        willow_body_def def = sheet_def(i == BORROWER ? &l->lent
                                        : i % 2 == 0  ? &l->flat
                                                      : &l->tilted);
        def.tree.method = i == BRUTE ? WILLOW_METHOD_BRUTE : WILLOW_METHOD_BOTTOM_UP;
        def.mesh.weld_exact = i == WELDED;
        def.mesh.borrow = i == BORROWER;
        assert_ok(willow_body_create(l->world, &def, &l->bodies[i]));
    }
    willow_body_def def = sheet_def(&l->flat);
    assert_ok(willow_body_create(l->world, &def, &l->dead));
    assert_ok(willow_body_destroy(l->world, l->dead));
    assert_ok(willow_body_create(l->other_world, &def, &l->foreign));
    assert_ok(willow_world_update(l->world, 0.0, NULL));
    assert_ok(willow_world_update(l->other_world, 0.0, NULL));
    l->hash = willow_world_hash(l->world);
    l->pairs = count_pairs(l);
    assert_true(l->pairs > 0);
    assert_int_equal(l->lines, 0);
}

static void close_lab(lab *l)
{
    assert_int_equal(l->lines, l->lines_seen);
    willow_scratch_destroy(l->scratch);
    willow_scratch_destroy(l->other_scratch);
    willow_world_destroy(l->world);
    willow_world_destroy(l->other_world);
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

/* One '*' in the pattern stands for anything. */
static bool matches(const char *text, const char *pattern)
{
    const char *star = strchr(pattern, '*');
    if (star == NULL) return strcmp(text, pattern) == 0;
    size_t head = (size_t)(star - pattern), tail = strlen(star + 1), length = strlen(text);
    return length >= head + tail && strncmp(text, pattern, head) == 0 &&
           strcmp(text + length - tail, star + 1) == 0;
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

static willow_result ask_pairs(const willow_world *world, willow_scratch *scratch,
                               const willow_query_options *options)
{
    static const willow_tri_pair none;
    willow_pairs pairs = {.count = 77, .items = &none};
    willow_result result = willow_find_pairs(world, scratch, options, &pairs);
    assert_true(result == WILLOW_OK || (pairs.count == 0 && pairs.items == NULL));
    return result;
}

static willow_result ask_self_pairs(const willow_world *world, willow_scratch *scratch,
                                    const willow_query_options *options)
{
    willow_pairs pairs = {.count = 77};
    willow_result result = willow_find_self_pairs(world, scratch, options, &pairs);
    assert_true(result == WILLOW_OK || pairs.count == 0);
    return result;
}

static willow_result ask_first(const willow_world *world, willow_scratch *scratch,
                               const willow_query_options *options)
{
    willow_first_pair first = {.found = true};
    willow_result result = willow_find_first_pair(world, scratch, options, &first);
    assert_true(result == WILLOW_OK || !first.found);
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

static willow_result ask_box(const willow_world *world, willow_scratch *scratch,
                             const willow_query_options *options)
{
    const willow_box box = {{0, 0, -1}, {3, 3, 1}};
    size_t visits = 0;
    willow_result result = willow_visit_box(world, scratch, &box, options, visit_tri, &visits);
    assert_true(result == WILLOW_OK || visits == 0);
    return result;
}

static willow_result ask_impacts(const willow_world *world, willow_scratch *scratch,
                                 const willow_query_options *options)
{
    willow_impacts impacts = {.count = 77};
    willow_result result = willow_find_impacts(world, scratch, options, &impacts);
    assert_true(result == WILLOW_OK || (impacts.count == 0 && impacts.items == NULL));
    return result;
}

static willow_result ask_first_impact(const willow_world *world, willow_scratch *scratch,
                                      const willow_query_options *options)
{
    willow_first_impact first = {.found = true};
    willow_result result = willow_time_of_impact(world, scratch, options, &first);
    assert_true(result == WILLOW_OK || !first.found);
    return result;
}

static willow_result ask_near(const willow_world *world, willow_scratch *scratch,
                              const willow_query_options *options)
{
    willow_near near = {.count = 77};
    willow_result result = willow_find_near(world, scratch, options, &near);
    assert_true(result == WILLOW_OK || (near.count == 0 && near.items == NULL));
    return result;
}

static question *const questions[] = {ask_pairs, ask_self_pairs, ask_first,        ask_visit,
                                      ask_box,   ask_impacts,    ask_first_impact, ask_near};
enum { QUESTIONS = sizeof questions / sizeof questions[0] };

typedef willow_result body_call(lab *l, willow_body_id id);

static willow_result destroy(lab *l, willow_body_id id)
{
    return willow_body_destroy(l->world, id);
}

static willow_result set_tree(lab *l, willow_body_id id)
{
    willow_tree_def tree = willow_tree_def_default();
    return willow_body_set_tree(l->world, id, &tree);
}

static willow_result set_pose(lab *l, willow_body_id id)
{
    willow_pose pose = willow_pose_identity();
    pose.translation.x = 1.0F;
    return willow_body_set_pose(l->world, id, &pose);
}

static willow_result set_group_masks(lab *l, willow_body_id id)
{
    const uint64_t masks[] = {0, 2};
    return willow_body_set_group_masks(l->world, id, masks, 2);
}

static willow_result set_vertices(lab *l, willow_body_id id)
{
    return willow_body_set_vertices(l->world, id, 0, VERTICES, l->tilted.positions, 0);
}

static willow_result set_target(lab *l, willow_body_id id)
{
    return willow_body_set_target(l->world, id, 0, VERTICES, l->tilted.positions, 0);
}

static willow_result set_target_pose(lab *l, willow_body_id id)
{
    willow_pose pose = willow_pose_identity();
    pose.translation.x = 1.0F;
    return willow_body_set_target_pose(l->world, id, &pose);
}

static willow_result set_velocities(lab *l, willow_body_id id)
{
    return willow_body_set_velocities(l->world, id, 0, VERTICES, l->tilted.positions, 0);
}

static willow_result set_accelerations(lab *l, willow_body_id id)
{
    return willow_body_set_accelerations(l->world, id, 0, VERTICES, l->tilted.positions, 0);
}

static willow_result set_vertex_plan(lab *l, willow_body_id id)
{
    const willow_vertex_plan plan = {{1, 0, 0}, {0, 0, 0}};
    return willow_body_set_vertex_plan(l->world, id, 3, &plan);
}

static willow_result set_flightplan(lab *l, willow_body_id id)
{
    const double time = 0.0;
    willow_flightplan plan = willow_flightplan_default();
    plan.positions = l->tilted.positions;
    plan.times = &time;
    plan.keyframe_count = 1;
    return willow_body_set_flightplan(l->world, id, &plan);
}

static willow_result begin_vertices(lab *l, willow_body_id id)
{
    return willow_body_begin_vertices(l->world, id);
}

static willow_result get_topology(lab *l, willow_body_id id)
{
    willow_body_topology topology;
    return willow_body_get_topology(l->world, id, &topology);
}

static willow_result get_info(lab *l, willow_body_id id)
{
    willow_body_info info;
    return willow_body_get_info(l->world, id, &info);
}

static willow_result get_stats(lab *l, willow_body_id id)
{
    willow_body_stats stats;
    return willow_body_get_stats(l->world, id, &stats);
}

static willow_result copy_vertices(lab *l, willow_body_id id)
{
    willow_vec3 out[VERTICES];
    return willow_body_copy_vertices(l->world, id, 0, VERTICES, out);
}

static willow_result copy_order(lab *l, willow_body_id id)
{
    uint32_t out[VERTICES] = {77};
    willow_result result = willow_body_copy_order(l->world, id, 0, VERTICES, out);
    assert_true((result == WILLOW_OK) == (out[0] != 77));
    return result;
}

static willow_result visit_nodes(lab *l, willow_body_id id)
{
    size_t visits = 0;
    willow_result result = willow_body_visit_nodes(l->world, id, visit_node, &visits);
    assert_true(result == WILLOW_OK || visits == 0);
    return result;
}

/* Calls on a const world have no place for words. */
static const struct {
    body_call *call;
    place where;
} body_calls[] = {
    {destroy, IN_WORLD},           {set_tree, IN_WORLD},        {set_pose, IN_WORLD},
    {set_vertices, IN_WORLD},      {get_topology, IN_WORLD},    {get_info, NOWHERE},
    {get_stats, NOWHERE},          {copy_vertices, NOWHERE},    {visit_nodes, NOWHERE},
    {begin_vertices, IN_WORLD},    {copy_order, NOWHERE},       {set_group_masks, IN_WORLD},
    {set_target, IN_WORLD},        {set_target_pose, IN_WORLD}, {set_velocities, IN_WORLD},
    {set_accelerations, IN_WORLD}, {set_vertex_plan, IN_WORLD}, {set_flightplan, IN_WORLD},
};
enum { BODY_CALLS = sizeof body_calls / sizeof body_calls[0] };

/* ---- handles ---- */

static void refuse_everywhere(lab *l, willow_body_id id, const char *words)
{
    willow_query_options options = willow_query_options_default();
    const willow_body_id named[] = {l->bodies[OWNER], id, l->bodies[BRUTE]};
    assert_false(willow_body_is_alive(l->world, id));
    for (int i = 0; i < BODY_CALLS; i++)
        refused(l, body_calls[i].call(l, id), WILLOW_BAD_HANDLE, body_calls[i].where, words);
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
    refuse_everywhere(&l, (willow_body_id){0}, "the null body");
    refuse_everywhere(&l, l.dead, "body 5 is gone");
    refuse_everywhere(&l, l.foreign, "body 1 is of another world");
    willow_body_id id = l.bodies[OWNER];
    id.index1 = 6;
    refuse_everywhere(&l, id, "body 6 is gone");
    id.index1 = UINT32_MAX;
    refuse_everywhere(&l, id, "body 4294967295 is gone");
    id = l.bodies[OWNER];
    for (int i = 1; i < 4; i++) {
        id.generation = (uint16_t)(l.bodies[OWNER].generation + i);
        refuse_everywhere(&l, id, "body 1 is gone");
    }
    id = l.dead; /* as the slot of the dead body is, with nobody in it */
    id.generation++;
    refuse_everywhere(&l, id, "body 5 is gone");
    id = l.bodies[OWNER];
    id.world = 0;
    refuse_everywhere(&l, id, "body 1 is of another world");
    close_lab(&l);
}

static void a_scratch_of_another_world_is_refused_by_every_question(void **state)
{
    (void)state;
    lab l;
    open_lab(&l);
    for (int i = 0; i < QUESTIONS; i++)
        refused(&l, questions[i](l.world, l.other_scratch, NULL), WILLOW_BAD_HANDLE,
                IN_OTHER_SCRATCH, "the scratch is of another world");
    close_lab(&l);
}

static void a_stale_world_is_refused_by_every_question(void **state)
{
    (void)state;
    lab l;
    willow_pose pose = willow_pose_identity();
    open_lab(&l);
    assert_ok(willow_body_set_pose(l.world, l.bodies[OWNER], &pose));
    for (int i = 0; i < QUESTIONS; i++)
        said(&l, questions[i](l.world, l.scratch, NULL), WILLOW_STALE, IN_SCRATCH,
             "the world was changed: call willow_world_update first");

    /* A pose leaves the hierarchy as it is; vertices do not. */
    assert_ok(get_stats(&l, l.bodies[OWNER]));
    assert_ok(visit_nodes(&l, l.bodies[OWNER]));
    assert_ok(copy_order(&l, l.bodies[OWNER]));
    assert_ok(willow_body_set_vertices(l.world, l.bodies[OWNER], 0, VERTICES, l.flat.positions, 0));
    said(&l, get_stats(&l, l.bodies[OWNER]), WILLOW_STALE, NOWHERE, "stats");
    said(&l, visit_nodes(&l, l.bodies[OWNER]), WILLOW_STALE, NOWHERE, "nodes");
    said(&l, copy_order(&l, l.bodies[OWNER]), WILLOW_STALE, NOWHERE, "order");
    assert_ok(get_stats(&l, l.bodies[BRUTE]));
    assert_ok(visit_nodes(&l, l.bodies[BRUTE]));
    assert_ok(copy_order(&l, l.bodies[BRUTE]));
    assert_ok(willow_world_update(l.world, 0.0, NULL));
    assert_true(willow_world_hash(l.world) == l.hash);
    assert_int_equal(count_pairs(&l), l.pairs);
    close_lab(&l);
}

/* ---- options ---- */

static void spoil_size_0(willow_query_options *options) { options->struct_size = 0; }
static void spoil_size_less(willow_query_options *options) { options->struct_size -= 8; }
static void spoil_size_more(willow_query_options *options) { options->struct_size += 8; }
static void spoil_bodies(willow_query_options *options) { options->body_count = 3; }
static void spoil_descend(willow_query_options *options)
{
    options->descend = WILLOW_DESCEND_COUNT;
}
static void spoil_descend_low(willow_query_options *options)
{
    options->descend = (willow_descend)-1;
}

static void wrong_options_are_refused_by_every_question(void **state)
{
    (void)state;
    static const char not_made[] = "the options were not made by willow_query_options_default";
    static const struct {
        void (*spoil)(willow_query_options *);
        const char *words;
    } cases[] = {
        {spoil_size_0, not_made},
        {spoil_size_less, not_made},
        {spoil_size_more, not_made},
        {spoil_bodies, "body_count is 3 and bodies is NULL"},
        {spoil_descend, "3 is no way to descend"},
        {spoil_descend_low, "-1 is no way to descend"},
    };
    lab l;
    open_lab(&l);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int q = 0; q < QUESTIONS; q++) {
            willow_query_options options = willow_query_options_default();
            cases[i].spoil(&options);
            refused(&l, questions[q](l.world, l.scratch, &options), WILLOW_BAD_ARGUMENT, IN_SCRATCH,
                    cases[i].words);
        }
    close_lab(&l);
}

static void what_is_forgotten_is_refused(void **state)
{
    (void)state;
    lab l;
    size_t visits = 0;
    const willow_box box = {{0, 0, 0}, {1, 1, 1}};
    open_lab(&l);
    const willow_world *w = l.world;
    refused(&l, willow_find_pairs(w, l.scratch, NULL, NULL), WILLOW_BAD_ARGUMENT, IN_SCRATCH,
            "no place for the answer");
    refused(&l, willow_find_self_pairs(w, l.scratch, NULL, NULL), WILLOW_BAD_ARGUMENT, IN_SCRATCH,
            "no place for the answer");
    refused(&l, willow_find_first_pair(w, l.scratch, NULL, NULL), WILLOW_BAD_ARGUMENT, IN_SCRATCH,
            "no place for the answer");
    refused(&l, willow_find_impacts(w, l.scratch, NULL, NULL), WILLOW_BAD_ARGUMENT, IN_SCRATCH,
            "no place for the answer");
    refused(&l, willow_time_of_impact(w, l.scratch, NULL, NULL), WILLOW_BAD_ARGUMENT, IN_SCRATCH,
            "no place for the answer");
    refused(&l, willow_find_near(w, l.scratch, NULL, NULL), WILLOW_BAD_ARGUMENT, IN_SCRATCH,
            "no place for the answer");
    refused(&l, willow_body_set_target_pose(l.world, l.bodies[OWNER], NULL), WILLOW_BAD_ARGUMENT,
            IN_WORLD, "there is no pose");
    refused(&l, willow_visit_pairs(w, l.scratch, NULL, NULL, NULL), WILLOW_BAD_ARGUMENT, IN_SCRATCH,
            "there is no visitor");
    refused(&l, willow_visit_box(w, l.scratch, &box, NULL, NULL, NULL), WILLOW_BAD_ARGUMENT,
            IN_SCRATCH, "there is no visitor");
    refused(&l, willow_visit_box(w, l.scratch, NULL, NULL, visit_tri, &visits), WILLOW_BAD_ARGUMENT,
            IN_SCRATCH, "there is no box");
    refused(&l, willow_body_visit_nodes(w, l.bodies[OWNER], NULL, NULL), WILLOW_BAD_ARGUMENT,
            NOWHERE, "no visitor");
    refused(&l, willow_body_get_info(w, l.bodies[OWNER], NULL), WILLOW_BAD_ARGUMENT, NOWHERE,
            "no place for the info");
    refused(&l, willow_body_get_stats(w, l.bodies[OWNER], NULL), WILLOW_BAD_ARGUMENT, NOWHERE,
            "no place for the stats");
    refused(&l, willow_body_copy_vertices(w, l.bodies[OWNER], 0, 1, NULL), WILLOW_BAD_ARGUMENT,
            NOWHERE, "no place for vertices");
    refused(&l, willow_body_copy_order(w, l.bodies[OWNER], 0, 1, NULL), WILLOW_BAD_ARGUMENT,
            NOWHERE, "no place for the order");
    refused(&l, willow_scratch_create(w, NULL), WILLOW_BAD_ARGUMENT, NOWHERE, "no place");
    refused(&l, willow_body_get_topology(l.world, l.bodies[OWNER], NULL), WILLOW_BAD_ARGUMENT,
            IN_WORLD, "no place for the answer");
    refused(&l, willow_body_set_pose(l.world, l.bodies[OWNER], NULL), WILLOW_BAD_ARGUMENT, IN_WORLD,
            "there is no pose");
    refused(&l, willow_body_set_tree(l.world, l.bodies[OWNER], NULL), WILLOW_BAD_ARGUMENT, IN_WORLD,
            "the tree def was not made by willow_tree_def_default");
    willow_body_def def = sheet_def(&l.flat);
    refused(&l, willow_body_create(l.world, &def, NULL), WILLOW_BAD_ARGUMENT, IN_WORLD,
            "no place for the id");
    willow_body_id id = l.bodies[OWNER];
    refused(&l, willow_body_create(l.world, NULL, &id), WILLOW_BAD_ARGUMENT, IN_WORLD,
            "the body def was not made by willow_body_def_default");
    assert_int_equal(id.index1, 0);
    assert_int_equal(visits, 0);
    close_lab(&l);
}

/* ---- trees ---- */

static void wrong_trees_are_refused(void **state)
{
    (void)state;
    static const struct {
        willow_tree_def tree;
        const char *words;
    } cases[] = {
        {{.method = WILLOW_METHOD_COUNT, .arity = 8}, "9 is no method"},
        {{.method = (willow_method)-1, .arity = 8}, "-1 is no method"},
        {{.build = WILLOW_BUILD_COUNT, .arity = 8}, "6 is no builder"},
        {{.build = (willow_build)-7, .arity = 8}, "-7 is no builder"},
        {{.events = WILLOW_EVENTS_COUNT, .arity = 8}, "3 is no way to handle events"},
        {{.arity = 0}, "an arity of 0: it must be 2, 4 or 8"},
        {{.arity = 3}, "an arity of 3: it must be 2, 4 or 8"},
        {{.arity = 16}, "an arity of 16: it must be 2, 4 or 8"},
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
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        willow_tree_def tree = cases[i].tree;
        willow_body_def def = sheet_def(&l.flat);
        willow_body_id id = l.bodies[OWNER];
        tree.struct_size = sizeof tree;
        def.tree = tree;
        refused(&l, willow_body_set_tree(l.world, l.bodies[OWNER], &tree), WILLOW_BAD_ARGUMENT,
                IN_WORLD, cases[i].words);
        refused(&l, willow_body_create(l.world, &def, &id), WILLOW_BAD_ARGUMENT, IN_WORLD,
                cases[i].words);
        assert_int_equal(id.index1, 0);
    }
    for (size_t i = 0; i < 3; i++) {
        willow_tree_def tree = willow_tree_def_default();
        willow_body_def def = sheet_def(&l.flat);
        willow_body_id id = l.bodies[OWNER];
        tree.struct_size = sizes[i];
        refused(&l, willow_body_set_tree(l.world, l.bodies[OWNER], &tree), WILLOW_BAD_ARGUMENT,
                IN_WORLD, "the tree def was not made by willow_tree_def_default");
        def.tree.struct_size = sizes[i];
        refused(&l, willow_body_create(l.world, &def, &id), WILLOW_BAD_ARGUMENT, IN_WORLD,
                "the body def was not made by willow_body_def_default");
        def = sheet_def(&l.flat);
        def.struct_size = sizes[i];
        refused(&l, willow_body_create(l.world, &def, &id), WILLOW_BAD_ARGUMENT, IN_WORLD,
                "the body def was not made by willow_body_def_default");
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

/* ---- poses ---- */

static void wrong_poses_are_refused(void **state)
{
    (void)state;
    lab l;
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    open_lab(&l);
    for (int i = 0; i < 7 * 3 + 1; i++) {
        willow_pose pose = willow_pose_identity();
        float numbers[7];
        memcpy(numbers, &pose, sizeof numbers);
        if (i < 21)
            numbers[i / 3] = bad[i % 3];
        else
            numbers[6] = -0.0F;
        memcpy(&pose, numbers, sizeof numbers);
        const char *words =
            i < 21 ? "the pose is not finite"
                   : "the rotation of the pose is zero; without one it is (0, 0, 0, 1)";
        willow_body_def def = sheet_def(&l.flat);
        willow_body_id id = l.bodies[OWNER];
        def.pose = pose;
        refused(&l, willow_body_set_pose(l.world, l.bodies[WELDED], &pose), WILLOW_BAD_ARGUMENT,
                IN_WORLD, words);
        refused(&l, willow_body_set_target_pose(l.world, l.bodies[WELDED], &pose),
                WILLOW_BAD_ARGUMENT, IN_WORLD, words);
        refused(&l, willow_body_create(l.world, &def, &id), WILLOW_BAD_ARGUMENT, IN_WORLD, words);
        assert_int_equal(id.index1, 0);
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

/* ---- meshes ---- */

/* The mesh in memory of its own, so that indices may be spoilt. */
typedef struct spoilt {
    sheet sheet;
    willow_body_def def;
} spoilt;

static void no_positions(spoilt *s) { s->def.mesh.positions = NULL; }
static void no_indices(spoilt *s) { s->def.mesh.indices = NULL; }
static void too_many_tris(spoilt *s) { s->def.mesh.triangle_count = UINT32_MAX / 3 + 1; }
static void most_tris(spoilt *s) { s->def.mesh.triangle_count = UINT32_MAX; }
static void stride_of_8(spoilt *s) { s->def.mesh.stride = 8; }
static void stride_of_13(spoilt *s) { s->def.mesh.stride = 13; }
static void stride_of_1(spoilt *s) { s->def.mesh.stride = 1; }
static void index_type_2(spoilt *s) { s->def.mesh.index_type = (willow_index_type)2; }
static void index_type_less(spoilt *s) { s->def.mesh.index_type = (willow_index_type)-1; }

static void odd_positions(spoilt *s)
{
    s->def.mesh.positions = (const char *)s->sheet.positions + 2;
    s->def.mesh.vertex_count--;
}

static void odd_indices(spoilt *s)
{
    s->def.mesh.indices = (const char *)s->sheet.tris + 2;
    s->def.mesh.triangle_count--;
}

static void odd_narrow(spoilt *s)
{
    s->def.mesh.indices = (const char *)s->sheet.narrow + 1;
    s->def.mesh.index_type = WILLOW_INDEX_U16;
    s->def.mesh.triangle_count--;
}

static void first_index(spoilt *s) { s->sheet.tris[0][0] = VERTICES; }
static void last_index(spoilt *s) { s->sheet.tris[TRIS - 1][2] = UINT32_MAX; }
static void middle_index(spoilt *s) { s->sheet.tris[17][1] = 912; }

static void narrow_index(spoilt *s)
{
    s->sheet.narrow[3][2] = UINT16_MAX;
    s->def.mesh.indices = s->sheet.narrow;
    s->def.mesh.index_type = WILLOW_INDEX_U16;
}

static void no_vertices(spoilt *s) { s->def.mesh.vertex_count = 0; }

static void wrong_meshes_are_refused(void **state)
{
    (void)state;
    static const struct {
        void (*spoil)(spoilt *);
        const char *words;
    } cases[] = {
        {no_positions, "the mesh has 28 vertices and no positions"},
        {no_indices, "the mesh has 32 triangles and no indices"},
        {too_many_tris, "the mesh has 1431655766 triangles; 1431655765 is the most"},
        {most_tris, "the mesh has 4294967295 triangles; 1431655765 is the most"},
        {stride_of_8, "a stride of 8 bytes: it must be a multiple of 4 and at least 12"},
        {stride_of_13, "a stride of 13 bytes: it must be a multiple of 4 and at least 12"},
        {stride_of_1, "a stride of 1 bytes: it must be a multiple of 4 and at least 12"},
        {odd_positions, "positions are not aligned to 4 bytes"},
        {odd_indices, "indices are not aligned to their own size"},
        {odd_narrow, "indices are not aligned to their own size"},
        {index_type_2, "2 is no index type"},
        {index_type_less, "-1 is no index type"},
        {first_index, "triangle 0 names vertex 28; the mesh has 28"},
        {last_index, "triangle 31 names vertex 4294967295; the mesh has 28"},
        {middle_index, "triangle 17 names vertex 912; the mesh has 28"},
        {narrow_index, "triangle 3 names vertex 65535; the mesh has 28"},
        {no_vertices, "triangle 0 names vertex 0; the mesh has 0"},
    };
    lab l;
    open_lab(&l);
    for (size_t i = 0; i < 4 * sizeof cases / sizeof cases[0]; i++) {
        spoilt s;
        willow_body_id id = l.bodies[OWNER];
        make_sheet(&s.sheet, 0.0F);
        s.def = sheet_def(&s.sheet);
        s.def.mesh.borrow = i % 2 == 1;
        s.def.mesh.weld_exact = i / 2 % 2 == 1;
        cases[i / 4].spoil(&s);
        refused(&l, willow_body_create(l.world, &s.def, &id), WILLOW_BAD_MESH, IN_WORLD,
                cases[i / 4].words);
        assert_int_equal(id.index1, 0);
    }
    assert_int_equal(willow_world_copy_bodies(l.world, NULL, 0), BODIES);
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
    willow_body_id grouped, id;
    lab l;
    open_lab(&l);
    for (int i = 0; i < TRIS; i++) groups[i] = i < TRIS - 1 ? 1 : 3;
    willow_body_def def = sheet_def(&l.flat);
    def.mesh.triangle_groups = groups;
    def.self = true;
    assert_ok(willow_body_create(l.world, &def, &grouped));
    assert_ok(willow_body_set_group_masks(l.world, grouped, fine, 4));
    assert_ok(willow_world_update(l.world, 0.0, NULL));
    l.hash = willow_world_hash(l.world);
    l.pairs = count_pairs(&l);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        def.mesh.group_masks = cases[i].masks;
        def.mesh.group_count = cases[i].count;
        refused(&l, willow_body_create(l.world, &def, &id), WILLOW_BAD_MESH, IN_WORLD,
                cases[i].words);
        assert_int_equal(id.index1, 0);
        refused(&l, willow_body_set_group_masks(l.world, grouped, cases[i].masks, cases[i].count),
                WILLOW_BAD_MESH, IN_WORLD, cases[i].words);
    }
    def = sheet_def(&l.flat);
    def.mesh.group_masks = fine;
    def.mesh.group_count = 4;
    refused(&l, willow_body_create(l.world, &def, &id), WILLOW_BAD_MESH, IN_WORLD,
            "the mesh has group masks and no triangle groups");
    for (int i = 0; i < BODIES; i++)
        refused(&l, set_group_masks(&l, l.bodies[i]), WILLOW_BAD_MESH, IN_WORLD,
                "the mesh has group masks and no triangle groups");
    close_lab(&l);
}

static void more_memory_than_there_is_is_refused(void **state)
{
    (void)state;
    lab l;
    open_lab(&l);
    willow_body_def def = sheet_def(&l.flat);
    willow_body_id id;
    assert_ok(willow_body_create(l.world, &def, &id)); /* room for its id */
    assert_ok(willow_body_destroy(l.world, id));
    assert_ok(willow_world_update(l.world, 0.0, NULL));
    def.mesh.triangle_count = UINT32_MAX / 3;
    l.allocator.fail_at = atomic_load(&l.allocator.calls) + 2; /* the body, then its triangles */
    refused(&l, willow_body_create(l.world, &def, &id), WILLOW_OUT_OF_MEMORY, IN_WORLD,
            "no memory for triangles");
    assert_int_equal(id.index1, 0);
    close_lab(&l);
}

/* ---- positions that are not finite ---- */

static const uint32_t bad_vertices[] = {0, 11, SIDE *SIDE - 1, MERGED, LOOSE, VERTICES - 1};
enum { BAD_VERTICES = sizeof bad_vertices / sizeof bad_vertices[0] };

/* As a number of the case says: which vertex, which axis, what. Returns the words. */
static const char *spoil_position(sheet *s, int number, char *words, size_t size)
{
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    uint32_t vertex = bad_vertices[number / 9];
    s->positions[vertex][number / 3 % 3] = bad[number % 3];
    (void)snprintf(words, size, "vertex %u is at (*): not finite", vertex);
    return words;
}

static void positions_that_are_not_finite_are_refused_by_number(void **state)
{
    (void)state;
    lab l;
    open_lab(&l);
    for (int number = 0; number < 9 * BAD_VERTICES; number++) {
        sheet bad;
        char text[80];
        make_sheet(&bad, 0.0F);
        const char *words = spoil_position(&bad, number, text, sizeof text);
        for (int i = 0; i < 4; i++) {
            willow_body_def def = sheet_def(&bad);
            willow_body_id id = l.bodies[OWNER];
            def.mesh.borrow = i % 2 == 1;
            def.mesh.weld_exact = i / 2 == 1;
            refused(&l, willow_body_create(l.world, &def, &id), WILLOW_BAD_MESH, IN_WORLD, words);
            assert_int_equal(id.index1, 0);
        }
        uint32_t vertex = bad_vertices[number / 9], first = vertex > 3 ? vertex - 3 : 0;
        uint32_t count = vertex - first + 1;
        for (int i = OWNER; i <= WELDED; i++) {
            willow_body_id id = l.bodies[i];
            refused(&l, willow_body_set_vertices(l.world, id, 0, VERTICES, bad.positions, 0),
                    WILLOW_BAD_MESH, IN_WORLD, words);
            refused(&l,
                    willow_body_set_vertices(l.world, id, first, count, bad.positions[first], 12),
                    WILLOW_BAD_MESH, IN_WORLD, words);
            refused(&l, willow_body_set_vertices(l.world, id, vertex, 1, bad.positions[vertex], 64),
                    WILLOW_BAD_MESH, IN_WORLD, words);
            refused(&l, willow_body_set_target(l.world, id, first, count, bad.positions[first], 12),
                    WILLOW_BAD_MESH, IN_WORLD, words);
        }
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

static void ranges_of_vertices_that_are_not_there_are_refused(void **state)
{
    (void)state;
    static const struct {
        uint32_t first, count;
        const char *words;
    } cases[] = {
        {0, VERTICES + 1, "29 vertices from 0 on; the mesh has 28"},
        {VERTICES, 1, "1 vertices from 28 on; the mesh has 28"},
        {VERTICES + 1, 0, "0 vertices from 29 on; the mesh has 28"},
        {UINT32_MAX, 1, "1 vertices from 4294967295 on; the mesh has 28"},
        {1, UINT32_MAX, "4294967295 vertices from 1 on; the mesh has 28"},
        {UINT32_MAX, UINT32_MAX, "4294967295 vertices from 4294967295 on; the mesh has 28"},
    };
    lab l;
    open_lab(&l);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        willow_vec3 out[1] = {{7, 7, 7}};
        uint32_t order[1] = {77};
        refused(&l,
                willow_body_set_vertices(l.world, l.bodies[BRUTE], cases[i].first, cases[i].count,
                                         l.flat.positions, 0),
                WILLOW_BAD_ARGUMENT, IN_WORLD, cases[i].words);
        refused(&l,
                willow_body_copy_vertices(l.world, l.bodies[BRUTE], cases[i].first, cases[i].count,
                                          out),
                WILLOW_BAD_ARGUMENT, NOWHERE, cases[i].words);
        refused(
            &l,
            willow_body_copy_order(l.world, l.bodies[OWNER], cases[i].first, cases[i].count, order),
            WILLOW_BAD_ARGUMENT, NOWHERE, cases[i].words);
        assert_true(out[0].x == 7.0F && order[0] == 77);
    }
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        refused(&l,
                willow_body_set_target(l.world, l.bodies[BRUTE], cases[i].first, cases[i].count,
                                       l.flat.positions, 0),
                WILLOW_BAD_ARGUMENT, IN_WORLD, cases[i].words);
    const char *odd = (const char *)l.flat.positions + 1;
    willow_body_id id = l.bodies[OWNER];
    refused(&l, willow_body_set_vertices(l.world, id, 0, 1, NULL, 0), WILLOW_BAD_ARGUMENT, IN_WORLD,
            "positions are NULL");
    refused(&l, willow_body_set_vertices(l.world, id, 0, 1, odd, 0), WILLOW_BAD_ARGUMENT, IN_WORLD,
            "positions are not aligned to 4 bytes");
    refused(&l, willow_body_set_vertices(l.world, id, 0, 1, l.flat.positions, 11),
            WILLOW_BAD_ARGUMENT, IN_WORLD,
            "a stride of 11 bytes: it must be a multiple of 4 and at least 12");
    refused(&l, willow_body_set_vertices(l.world, id, 0, 1, l.flat.positions, 14),
            WILLOW_BAD_ARGUMENT, IN_WORLD,
            "a stride of 14 bytes: it must be a multiple of 4 and at least 12");
    refused(&l, set_vertices(&l, l.bodies[BORROWER]), WILLOW_BAD_ARGUMENT, IN_WORLD,
            "the body borrows its vertices: write there, after begin_vertices");
    refused(&l, begin_vertices(&l, id), WILLOW_BAD_ARGUMENT, IN_WORLD,
            "the body does not borrow its vertices: use set_vertices");
    close_lab(&l);
}

/* ---- boxes and times ---- */

/* ---- flight plans ---- */

static void wrong_paths_are_refused(void **state)
{
    (void)state;
    lab l;
    open_lab(&l);
    const willow_body_id id = l.bodies[OWNER];
    float wrong[VERTICES][3] = {{0}};
    wrong[5][1] = NAN;
    refused(&l, willow_body_set_velocities(l.world, id, 1, VERTICES - 1, wrong[1], 0),
            WILLOW_BAD_MESH, IN_WORLD, "the velocity of vertex 5 is (0, *nan, 0): not finite");
    refused(&l, willow_body_set_accelerations(l.world, id, 3, 4, wrong[3], 0), WILLOW_BAD_MESH,
            IN_WORLD, "the acceleration of vertex 5 is (0, *nan, 0): not finite");
    refused(&l, willow_body_set_velocities(l.world, id, VERTICES, 1, wrong, 0), WILLOW_BAD_ARGUMENT,
            IN_WORLD, "1 vertices from 28 on; the mesh has 28");
    refused(&l, willow_body_set_accelerations(l.world, id, 0, 1, wrong, 8), WILLOW_BAD_ARGUMENT,
            IN_WORLD, "a stride of 8 bytes: *");
    refused(&l, willow_body_set_vertex_plan(l.world, id, 0, NULL), WILLOW_BAD_ARGUMENT, IN_WORLD,
            "there is no plan");
    willow_vertex_plan plan = {{0, 0, INFINITY}, {0, 0, 0}};
    refused(&l, willow_body_set_vertex_plan(l.world, id, 9, &plan), WILLOW_BAD_MESH, IN_WORLD,
            "the velocity of vertex 9 is (0, 0, inf): not finite");
    plan = (willow_vertex_plan){{0, 0, 0}, {-INFINITY, 0, 0}};
    refused(&l, willow_body_set_vertex_plan(l.world, id, 9, &plan), WILLOW_BAD_MESH, IN_WORLD,
            "the acceleration of vertex 9 is (-inf, 0, 0): not finite");
    refused(&l, willow_body_set_vertex_plan(l.world, id, VERTICES, &plan), WILLOW_BAD_ARGUMENT,
            IN_WORLD, "1 vertices from 28 on; the mesh has 28");
    static body_call *const calls[] = {set_velocities, set_accelerations, set_vertex_plan,
                                       set_flightplan};
    for (int i = 0; i < 4; i++)
        refused(&l, calls[i](&l, l.bodies[BORROWER]), WILLOW_BAD_ARGUMENT, IN_WORLD,
                "the body borrows its vertices: it cannot have a flight plan");
    close_lab(&l);
}

static void wrong_keyframes_are_refused(void **state)
{
    (void)state;
    static float keys[2 * VERTICES][3];
    static const double good[] = {0, 1}, same[] = {1, 1}, back[] = {1, -1}, none[] = {0, NAN},
                        never[] = {0, INFINITY};
    const struct {
        willow_flightplan plan;
        willow_result result;
        const char *words;
    } cases[] = {
        {{0}, WILLOW_BAD_ARGUMENT, "the flight plan was not made by willow_flightplan_default"},
        {{1, keys, 0, 0, good, 0}, WILLOW_BAD_ARGUMENT, "a flight plan of no keyframes"},
        {{1, keys, 0, 0, NULL, 2}, WILLOW_BAD_ARGUMENT, "a flight plan of no keyframes"},
        {{1, NULL, 0, 0, good, 2}, WILLOW_BAD_ARGUMENT, "positions are NULL"},
        {{1, keys, 10, 0, good, 2}, WILLOW_BAD_ARGUMENT, "a stride of 10 bytes: *"},
        {{1, keys, 0, 2, good, 2}, WILLOW_BAD_ARGUMENT, "a stride of 2 bytes between keyframes: *"},
        {{1, keys, 0, 0, same, 2}, WILLOW_BAD_ARGUMENT, "keyframe 1 is at time 1, which is not *"},
        {{1, keys, 0, 0, back, 2}, WILLOW_BAD_ARGUMENT, "keyframe 1 is at time -1, which is not *"},
        {{1, keys, 0, 0, none, 2}, WILLOW_BAD_ARGUMENT, "keyframe 1 is at time *nan"},
        {{1, keys, 0, 0, never, 2}, WILLOW_BAD_ARGUMENT, "keyframe 1 is at time inf"},
        {{1, keys, 0, 0, good, 2},
         WILLOW_BAD_MESH,
         "vertex 2 of keyframe 1 is at (0, inf, 0): not finite"},
    };
    lab l;
    open_lab(&l);
    keys[VERTICES + 2][1] = INFINITY;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        willow_flightplan plan = cases[i].plan;
        if (plan.struct_size != 0) plan.struct_size = sizeof plan;
        refused(&l, willow_body_set_flightplan(l.world, l.bodies[OWNER], &plan), cases[i].result,
                IN_WORLD, cases[i].words);
    }
    refused(&l, willow_body_set_flightplan(l.world, l.bodies[OWNER], NULL), WILLOW_BAD_ARGUMENT,
            IN_WORLD, cases[0].words);
    close_lab(&l);
}

static void boxes_and_times_that_are_not_finite_are_refused(void **state)
{
    (void)state;
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    lab l;
    open_lab(&l);
    for (int i = 0; i < 18; i++) {
        float ends[6] = {0, 0, 0, 1, 1, 1};
        willow_box box;
        size_t visits = 0;
        ends[i / 3] = bad[i % 3];
        memcpy(&box, ends, sizeof box);
        refused(&l, willow_visit_box(l.world, l.scratch, &box, NULL, visit_tri, &visits),
                WILLOW_BAD_ARGUMENT, IN_SCRATCH, "the box is not finite");
        assert_int_equal(visits, 0);
    }
    for (int i = 0; i < 3; i++) {
        willow_update_report report = {.bodies_moved = 1, .bodies_updated = 1};
        refused(&l, willow_world_update(l.world, (double)bad[i], &report), WILLOW_BAD_ARGUMENT,
                IN_WORLD, "a time of * is not finite");
        assert_int_equal(report.bodies_updated + report.bodies_moved, 0);
    }
    close_lab(&l);
}

/* ---- worlds ---- */

static void wrong_world_defs_are_refused(void **state)
{
    (void)state;
    lab l;
    static const size_t sizes[] = {0, sizeof(willow_world_def) - 8, sizeof(willow_world_def) + 8};
    open_lab(&l);
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

static void enums_of_worlds_out_of_range_are_refused(void **state)
{
    (void)state;
    static const struct {
        int broad, kernel;
        const char *words;
    } cases[] = {{WILLOW_BROAD_COUNT, 0, "3 is no broad phase"},
                 {-1, 0, "-1 is no broad phase"},
                 {0, WILLOW_KERNEL_COUNT, "3 is no kernel"},
                 {0, -5, "-5 is no kernel"}};
    lab l;
    open_lab(&l);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        willow_world *world = l.world;
        willow_world_def def = willow_world_def_default();
        def.log = (willow_log){keep_line, &l};
        def.broad = (willow_broad)cases[i].broad;
        def.kernel = (willow_kernel)cases[i].kernel;
        assert_int_equal(willow_world_create(&def, &world), WILLOW_BAD_ARGUMENT);
        assert_null(world);
        assert_string_equal(l.last_line, cases[i].words);
        assert_int_equal(l.lines, ++l.lines_seen);
    }
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
    assert_int_equal(willow_world_copy_bodies(l.world, NULL, 0), BODIES);
    assert_ok(willow_world_update(l.world, 0.0, NULL));
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
        assert_ok(set_pose(&l, id));
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
    cmocka_unit_test(what_is_forgotten_is_refused),
    cmocka_unit_test(wrong_trees_are_refused),
    cmocka_unit_test(trees_at_the_limits_are_taken),
    cmocka_unit_test(wrong_poses_are_refused),
    cmocka_unit_test(wrong_meshes_are_refused),
    cmocka_unit_test(wrong_group_masks_are_refused),
    cmocka_unit_test(more_memory_than_there_is_is_refused),
    cmocka_unit_test(positions_that_are_not_finite_are_refused_by_number),
    cmocka_unit_test(the_first_of_several_is_named_and_large_is_not_infinite),
    cmocka_unit_test(ranges_of_vertices_that_are_not_there_are_refused),
    cmocka_unit_test(wrong_paths_are_refused),
    cmocka_unit_test(wrong_keyframes_are_refused),
    cmocka_unit_test(boxes_and_times_that_are_not_finite_are_refused),
    cmocka_unit_test(wrong_world_defs_are_refused),
    cmocka_unit_test(enums_of_worlds_out_of_range_are_refused),
    cmocka_unit_test(names_and_numbers_that_are_none_are_said_to_be),
    cmocka_unit_test(nothing_is_valid_everywhere),
    cmocka_unit_test(bodies_without_vertices_or_triangles_are_valid),
};

TEST_GROUP(bad_input, tests);
