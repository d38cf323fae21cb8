/* Watches that keep lists: when they have events, that these bracket all that sampling at fine
 * times finds, that nothing is missed where boxes touch for one instant, and what lists hold. */
#include <math.h>
#include <stdlib.h>
#include "support/fixture.h"
#include "support/test.h"
#include "support/test_allocator.h"
#include "support/zoo_mesh.h"
#include "willow/willow.h"

enum { BODIES = 2, KEYS = 5 };

typedef struct site {
    test_allocator allocator;
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id body[BODIES];
    willow_events events; /* how the trees of bodies that are added are kept */
} site;

static void open_site(site *s)
{
    willow_world_def def = willow_world_def_default();
    *s = (site){.scratch = NULL};
    def.allocator = test_allocator_functions(&s->allocator);
    s->world = fixture_world(&def);
    s->scratch = fixture_scratch(s->world);
}

static void close_site(site *s)
{
    fixture_close(s->world, s->scratch);
    assert_true(test_allocator_is_clean(&s->allocator));
}

static void add_body_of(site *s, int number, willow_method method, const float *positions,
                        uint32_t vertices, const uint32_t *tris, uint32_t triangles)
{
    willow_body_def def = willow_body_def_default();
    def.mesh = FIXTURE_MESH(positions, vertices, tris, triangles);
    def.tree.method = method;
    def.tree.events = s->events;
    def.tree.build = WILLOW_BUILD_MEDIAN;
    def.tree.arity = 8; /* boxes of leaves go straight, too: others have tighter ones to show */
    def.tree.leaf_triangles = 2;
    def.tree.rebuild_ratio = 1e9F; /* leaves keep their numbers */
    def.self = true;
    s->body[number] = fixture_body(s->world, &def);
}

static void add_body(site *s, int number, const float *positions, uint32_t vertices,
                     const uint32_t *tris, uint32_t triangles)
{
    add_body_of(s, number, WILLOW_METHOD_KINETIC_AABB, positions, vertices, tris, triangles);
}

static void set_keys(site *s, int number, const float *keys, const double *times, uint32_t count)
{
    willow_flightplan plan = willow_flightplan_default();
    plan.positions = keys;
    plan.times = times;
    plan.keyframe_count = count;
    assert_ok(willow_body_set_flightplan(s->world, s->body[number], &plan));
}

static willow_watch *watch(site *s, willow_watch_kind kind, bool events, size_t max_bytes, int a,
                           int b)
{
    willow_watch *out;
    willow_watch_def def = willow_watch_def_default();
    def.kind = kind;
    def.events = events;
    def.max_bytes = max_bytes;
    assert_ok(willow_watch_create(s->world, &def, s->body[a], s->body[b], &out));
    return out;
}

static void go_to(site *s, double time)
{
    assert_ok(willow_world_update(s->world, time, NULL));
    char reason[200];
    if (!willow_world_validate(s->world, reason, sizeof reason))
        fail_msg("at %.17g: %s", time, reason);
}

static willow_leaf_events events_of(const willow_watch *w)
{
    willow_leaf_events events;
    assert_ok(willow_watch_events(w, &events));
    return events;
}

static size_t ask(site *s, willow_watch *w, uint64_t *hash)
{
    willow_pairs pairs;
    assert_ok(willow_watch_find_pairs(w, s->scratch, NULL, &pairs));
    if (hash) *hash = willow_pairs_hash(&pairs);
    return pairs.count;
}

static willow_watch_info info_of(const willow_watch *w)
{
    willow_watch_info info;
    assert_ok(willow_watch_get_info(w, &info));
    return info;
}

/* Two wavy sheets that are pushed about between keyframes, which are not those of the other. */
static void add_sheets(site *s, uint64_t seed)
{
    for (int i = 0; i < BODIES; i++) {
        zoo_mesh mesh;
        double times[KEYS];
        zoo_mesh_create(&mesh, i == 0 ? ZOO_KIND_GRID : ZOO_KIND_SPHERE, 100, seed + (uint64_t)i);
        const size_t floats = 3 * (size_t)mesh.vertex_count;
        float *keys = malloc(KEYS * floats * sizeof *keys);
        add_body(s, i, mesh.positions[0], mesh.vertex_count, mesh.tris[0], mesh.triangle_count);
        for (uint32_t key = 0; key < KEYS; key++) {
            const double push = test_random_between(&seed, -0.6, 0.6);
            times[key] = key + 0.25 * i - 0.5;
            for (size_t k = 0; k < floats; k++)
                keys[key * floats + k] =
                    (float)((double)mesh.positions[k / 3][k % 3] + (k % 3 == 2 ? push : 0.0) +
                            test_random_between(&seed, -0.05, 0.05));
        }
        set_keys(s, i, keys, times, KEYS);
        free(keys);
        zoo_mesh_destroy(&mesh);
    }
}

/* ---- when there are events ---- */

static void events_need_a_list_that_was_made_to_keep_them(void **state)
{
    (void)state;
    site s;
    open_site(&s);
    add_sheets(&s, 1);
    willow_leaf_events events;
    willow_watch *list = watch(&s, WILLOW_WATCH_LIST, true, 0, 0, 1);
    const willow_watch *any = watch(&s, WILLOW_WATCH_AUTO, true, 0, 0, 1);
    const willow_watch *silent = watch(&s, WILLOW_WATCH_LIST, false, 0, 0, 1);
    const willow_watch *front = watch(&s, WILLOW_WATCH_FRONT, true, 0, 0, 1);
    assert_int_equal(willow_watch_events(list, &events), WILLOW_STALE);
    assert_int_equal(willow_watch_events(list, NULL), WILLOW_BAD_ARGUMENT);
    go_to(&s, 0.0);
    assert_false(events_of(list).complete); /* what meets follows from nothing */
    assert_false(events_of(any).complete);
    const willow_watch *late = watch(&s, WILLOW_WATCH_LIST, true, 0, 0, 1);
    assert_int_equal(willow_watch_events(late, &events), WILLOW_UNSUPPORTED);
    assert_int_equal(willow_watch_events(silent, &events), WILLOW_UNSUPPORTED);
    assert_int_equal(willow_watch_events(front, &events), WILLOW_UNSUPPORTED);
    go_to(&s, 0.45);
    assert_true(events_of(list).complete && events_of(list).count > 0);
    assert_int_equal(events_of(any).count, events_of(list).count);
    assert_false(events_of(late).complete);
    go_to(&s, 0.0);
    assert_false(events_of(list).complete); /* back in time */
    const willow_pose moved = {.rotation = {0.0F, 0.0F, 0.0F, 1.0F},
                               .translation = {0.5F, 0.0F, 0.0F}};
    const willow_pose still = willow_pose_identity();
    assert_ok(willow_body_set_pose(s.world, s.body[1], &moved));
    assert_int_equal(willow_watch_events(list, &events), WILLOW_STALE);
    go_to(&s, 0.25);
    assert_int_equal(willow_watch_events(list, &events), WILLOW_UNSUPPORTED);
    (void)ask(&s, list, NULL);
    assert_int_not_equal(info_of(list).kind, WILLOW_WATCH_LIST);
    assert_ok(willow_body_set_pose(s.world, s.body[1], &still));
    go_to(&s, 0.5);
    assert_false(events_of(list).complete);
    (void)ask(&s, list, NULL);
    assert_int_equal(info_of(list).kind, WILLOW_WATCH_LIST);
    assert_ok(willow_body_destroy(s.world, s.body[1]));
    go_to(&s, 0.75);
    assert_int_equal(willow_watch_events(list, &events), WILLOW_UNSUPPORTED);
    close_site(&s);
}

static void bodies_that_only_stand_have_no_list(void **state)
{
    (void)state;
    static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint32_t tri[] = {0, 1, 2};
    site s;
    open_site(&s);
    for (int i = 0; i < BODIES; i++) add_body(&s, i, positions, 3, tri, 1);
    willow_leaf_events events;
    const willow_watch *list = watch(&s, WILLOW_WATCH_LIST, true, 0, 0, 1);
    go_to(&s, 0.0);
    assert_int_equal(willow_watch_events(list, &events), WILLOW_UNSUPPORTED);
    close_site(&s);
}

/* Bodies that stood until now start a list: what meets begins at the time of that update, not at
 * that of an update that was never made. */
static void a_list_that_starts_late_has_no_events_before(void **state)
{
    (void)state;
    static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0.5F};
    static const float velocities[] = {0, 0, 0.5F, 0, 0, 0.5F, 0, 0, 0.5F};
    static const uint32_t tri[] = {0, 1, 2};
    site s;
    open_site(&s);
    for (int i = 0; i < BODIES; i++) add_body(&s, i, positions, 3, tri, 1);
    const willow_watch *list = watch(&s, WILLOW_WATCH_LIST, true, 0, 0, 1);
    go_to(&s, 3.0);
    assert_ok(willow_body_set_velocities(s.world, s.body[1], 0, 3, velocities, 0));
    go_to(&s, 3.5);
    const willow_leaf_events events = events_of(list);
    assert_false(events.complete);
    assert_true(events.count > 0);
    for (size_t i = 0; i < events.count; i++) assert_true(events.items[i].time == 3.5);
    go_to(&s, 2.0); /* back, which starts it again */
    assert_false(events_of(list).complete);
    for (size_t i = 0; i < events_of(list).count; i++)
        assert_true(events_of(list).items[i].time == 2.0);
    close_site(&s);
}

/* A plan that is replaced between updates, by one with fewer keyframes: the old one is gone. */
static void a_plan_that_is_replaced_leaves_nothing_of_the_old_one(void **state)
{
    (void)state;
    site s;
    open_site(&s);
    add_sheets(&s, 5);
    willow_watch *list = watch(&s, WILLOW_WATCH_LIST, true, 0, 0, 1);
    willow_watch *roots = watch(&s, WILLOW_WATCH_ROOTS, false, 0, 0, 1);
    for (double time = 3.0; time < 3.5; time += 0.125) go_to(&s, time);
    for (int i = 0; i < BODIES; i++) {
        willow_body_info info;
        assert_ok(willow_body_get_info(s.world, s.body[i], &info));
        float *keys = calloc(3 * (size_t)info.vertex_count, sizeof *keys);
        for (uint32_t k = 0; k < 3 * info.vertex_count; k++) keys[k] = (float)(k % 7) / 8.0F;
        const double time = 3.0;
        set_keys(&s, i, keys, &time, 1);
        free(keys);
    }
    uint64_t hash, right;
    go_to(&s, 3.75);
    (void)ask(&s, list, &hash);
    (void)ask(&s, roots, &right);
    assert_true(hash == right);
    close_site(&s);
}

static void events_stay_until_the_next_update(void **state)
{
    (void)state;
    site s;
    open_site(&s);
    add_sheets(&s, 2);
    willow_watch *list = watch(&s, WILLOW_WATCH_LIST, true, 0, 0, 1);
    go_to(&s, 0.0);
    go_to(&s, 0.4);
    const willow_leaf_events events = events_of(list);
    willow_leaf_event *copy = malloc(events.count * sizeof *copy);
    memcpy(copy, events.items, events.count * sizeof *copy);
    for (int i = 0; i < 3; i++) (void)ask(&s, list, NULL);
    willow_watch_destroy(watch(&s, WILLOW_WATCH_LIST, true, 0, 1, 0));
    assert_true(events.count > 0 && events_of(list).items == events.items);
    assert_memory_equal(copy, events.items, events.count * sizeof *copy);
    free(copy);
    go_to(&s, 0.4);
    assert_true(events_of(list).count == 0 && events_of(list).complete);
    close_site(&s);
}

/* ---- sampling ---- */

typedef struct boxes {
    willow_box *items;
    uint32_t first, count; /* the number of the first leaf, and how many there are */
} boxes;

static bool count_node(void *context, const willow_node *node)
{
    boxes *all = context;
    *(node->is_leaf ? &all->count : &all->first) += 1;
    return true;
}

static bool note_node(void *context, const willow_node *node)
{
    boxes *all = context;
    if (node->is_leaf) all->items[node->number - all->first] = node->box;
    return true;
}

static boxes boxes_of(const site *s, int body)
{
    boxes all = {0};
    assert_ok(willow_body_visit_nodes(s->world, s->body[body], count_node, &all));
    all.items = calloc(all.count, sizeof *all.items);
    assert_ok(willow_body_visit_nodes(s->world, s->body[body], note_node, &all));
    return all;
}

static bool meet(const willow_box *a, const willow_box *b, float more)
{
    return a->lower.x <= b->upper.x + more && b->lower.x <= a->upper.x + more &&
           a->lower.y <= b->upper.y + more && b->lower.y <= a->upper.y + more &&
           a->lower.z <= b->upper.z + more && b->lower.z <= a->upper.z + more;
}

/* What met at the end of the last update, and what happened in this one. */
typedef struct timeline {
    uint8_t *met; /* by pair of leaves */
    willow_leaf_events events;
    uint32_t first_a, first_b, count_b;
} timeline;

static uint8_t *bit_of(const timeline *t, const willow_leaf_event *e)
{
    return &t->met[(size_t)(e->leaf_a - t->first_a) * t->count_b + (e->leaf_b - t->first_b)];
}

/* Applies what has begun at a time, and what has ceased before it, from an event on. */
static size_t apply(const timeline *t, size_t from, double time)
{
    for (; from < t->events.count; from++) {
        const willow_leaf_event *e = &t->events.items[from];
        if (e->time > time || (e->time == time && !e->begins)) break;
        assert_int_equal(*bit_of(t, e), !e->begins);
        *bit_of(t, e) = e->begins;
    }
    return from;
}

/* All that meets in the samples does so by the events, too, and what is far apart does not. */
static size_t compare_sample(const timeline *t, const site *sampled, bool is_within)
{
    boxes a = boxes_of(sampled, 0), b = boxes_of(sampled, is_within ? 0 : 1);
    size_t met = 0;
    for (uint32_t i = 0; i < a.count; i++)
        for (uint32_t k = is_within ? i : 0; k < b.count; k++) {
            const bool is = t->met[(size_t)i * t->count_b + k] != 0;
            if (!is && meet(&a.items[i], &b.items[k], 0.0F))
                fail_msg("leaves %u and %u meet, but have not begun to", i, k);
            if (is && !meet(&a.items[i], &b.items[k], 1e-4F))
                fail_msg("leaves %u and %u are apart, but have not ceased to meet", i, k);
            met += is;
        }
    free(a.items);
    free(b.items);
    return met;
}

/* Keyframes are a unit of time apart, and those of both bodies a quarter. */
typedef struct sampling {
    uint64_t seed;
    bool is_within;
    willow_events events;
    int steps;
    double step;
} sampling;

static void check_samples(const sampling *c)
{
    enum { SAMPLES = 40 };
    const uint64_t seed = c->seed;
    const bool is_within = c->is_within;
    site s, fine;
    size_t met = 0, events = 0;
    open_site(&s);
    open_site(&fine);
    s.events = fine.events = c->events;
    add_sheets(&s, seed);
    add_sheets(&fine, seed);
    const willow_watch *list = watch(&s, WILLOW_WATCH_LIST, true, 0, 0, is_within ? 0 : 1);
    go_to(&s, 0.0);
    go_to(&fine, 0.0); /* the trees are the same */
    boxes a = boxes_of(&s, 0), b = boxes_of(&s, is_within ? 0 : 1);
    timeline t = {calloc(a.count, b.count), events_of(list), a.first, b.first, b.count};
    (void)apply(&t, 0, 0.0); /* all that meets at first begins then */
    for (int step = 1; step <= c->steps; step++) {
        const double from = (step - 1) * c->step, to = step * c->step;
        go_to(&s, to);
        t.events = events_of(list);
        assert_true(t.events.complete);
        size_t next = 0;
        for (int i = 1; i <= SAMPLES; i++) {
            const double time = i < SAMPLES ? from + (to - from) * i / SAMPLES : to;
            next = apply(&t, next, time);
            go_to(&fine, time);
            met += compare_sample(&t, &fine, is_within);
        }
        events += next;
        (void)apply(&t, next, (double)INFINITY);
    }
    print_message("%zu leaves met in samples, %zu events\n", met, events);
    assert_true(met > 0 && events > 0);
    free(t.met);
    free(a.items);
    free(b.items);
    close_site(&s);
    close_site(&fine);
}

static void events_bracket_what_sampling_finds(void **state)
{
    (void)state;
    static const sampling cases[] = {
        {10, false, WILLOW_EVENTS_NONE, 14, 0.234375},
        {11, false, WILLOW_EVENTS_NONE, 14, 0.234375},
        {12, false, WILLOW_EVENTS_NONE, 14, 0.234375},
        {13, false, WILLOW_EVENTS_BATCH, 8, 0.234375},
        {14, false, WILLOW_EVENTS_STREAM, 4, 0.234375},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) check_samples(&cases[i]);
}

static void events_within_a_body_bracket_what_sampling_finds(void **state)
{
    (void)state;
    static const sampling cases[] = {{20, true, WILLOW_EVENTS_NONE, 14, 0.234375},
                                     {21, true, WILLOW_EVENTS_BATCH, 4, 0.234375}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) check_samples(&cases[i]);
}

/* Of both bodies, none of which are at the same time. */
static void updates_that_pass_over_several_keyframes_have_all_events(void **state)
{
    (void)state;
    static const sampling cases[] = {{30, false, WILLOW_EVENTS_NONE, 2, 1.59375},
                                     {31, false, WILLOW_EVENTS_NONE, 1, 3.25},
                                     {32, true, WILLOW_EVENTS_NONE, 1, 3.25},
                                     {33, false, WILLOW_EVENTS_STREAM, 1, 3.25}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) check_samples(&cases[i]);
}

/* ---- the same on rays ---- */

/* A sheet and a sphere, thrown at each other. */
static void throw_sheets(site *s, willow_method method, uint64_t seed)
{
    for (int i = 0; i < BODIES; i++) {
        zoo_mesh mesh;
        zoo_mesh_create(&mesh, i == 0 ? ZOO_KIND_GRID : ZOO_KIND_SPHERE, 100, seed + (uint64_t)i);
        float(*v)[3] = calloc(mesh.vertex_count, sizeof *v);
        for (uint32_t k = 0; k < 3 * mesh.vertex_count; k++)
            v[k / 3][k % 3] = (float)test_random_between(&seed, -0.2, 0.2);
        add_body_of(s, i, method, mesh.positions[0], mesh.vertex_count, mesh.tris[0],
                    mesh.triangle_count);
        assert_ok(willow_body_set_velocities(s->world, s->body[i], 0, mesh.vertex_count, v, 0));
        free(v);
        zoo_mesh_destroy(&mesh);
    }
}

static void turn_some(site *s, uint32_t first, uint64_t seed)
{
    float v[4][3];
    for (uint32_t k = 0; k < 12; k++)
        v[k / 3][k % 3] = (float)test_random_between(&seed, -1.0, 1.0);
    assert_ok(willow_body_set_velocities(s->world, s->body[0], first, 4, v, 0));
}

/* All tight boxes that meet in samples have begun to and have not ceased to. */
static void hold_samples_against(const timeline *t, const site *sampled, double time)
{
    boxes a = boxes_of(sampled, 0), b = boxes_of(sampled, 1);
    assert_true(a.first == t->first_a && b.first == t->first_b && b.count == t->count_b);
    for (uint32_t i = 0; i < a.count; i++)
        for (uint32_t k = 0; k < b.count; k++)
            if (meet(&a.items[i], &b.items[k], 0.0F) && t->met[(size_t)i * t->count_b + k] == 0)
                fail_msg("at %g leaves %u and %u meet, but not by the events", time, i, k);
    free(a.items);
    free(b.items);
}

static void check_rays(uint64_t seed, bool asks, bool turns)
{
    enum { STEPS = 24, SAMPLES = 16 };
    site s, fine;
    size_t events = 0, gaps = 0;
    open_site(&s);
    open_site(&fine);
    throw_sheets(&s, WILLOW_METHOD_KINETIC_AABB, seed);
    throw_sheets(&fine, WILLOW_METHOD_BOTTOM_UP, seed);
    const willow_watch *list = watch(&s, WILLOW_WATCH_LIST, true, 0, 0, 1);
    willow_watch *roots = watch(&s, WILLOW_WATCH_ROOTS, false, 0, 0, 1);
    go_to(&s, 0.0);
    go_to(&fine, 0.0);
    boxes a = boxes_of(&fine, 0), b = boxes_of(&fine, 1);
    timeline t = {calloc(a.count, b.count), events_of(list), a.first, b.first, b.count};
    (void)apply(&t, 0, (double)INFINITY);
    for (int step = 1; step <= STEPS; step++) {
        const double from = (step - 1) * 0.15625, to = step * 0.15625;
        if (turns && step % 3 == 0) {
            turn_some(&s, (uint32_t)step, seed + (uint64_t)step);
            turn_some(&fine, (uint32_t)step, seed + (uint64_t)step);
        }
        go_to(&s, to);
        t.events = events_of(list);
        size_t next = 0;
        for (int i = 1; i <= SAMPLES; i++) {
            const double time = i < SAMPLES ? from + (to - from) * i / SAMPLES : to;
            next = apply(&t, next, time);
            go_to(&fine, time);
            if (t.events.complete) hold_samples_against(&t, &fine, time);
        }
        (void)apply(&t, next, (double)INFINITY);
        hold_samples_against(&t, &fine, to);
        events += t.events.count;
        gaps += !t.events.complete;
        if (asks) (void)ask(&s, roots, NULL);
    }
    print_message("%zu events, %zu gaps\n", events, gaps);
    assert_true(events > 0 && gaps < STEPS / 2);
    free(t.met);
    free(a.items);
    free(b.items);
    close_site(&s);
    close_site(&fine);
}

static void events_on_rays_bracket_what_sampling_finds(void **state)
{
    (void)state;
    for (uint64_t seed = 30; seed < 38; seed++) check_rays(seed, seed % 2 == 0, seed % 4 >= 2);
}

/* ---- touching ---- */

/* A triangle that stands, and one that goes from place to place, at times 0, 1, 2 and so on. Their
 * boxes are squares of side 1. */
static void open_squares(site *s, const float (*places)[2], uint32_t count)
{
    static const float square[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const uint32_t tri[] = {0, 1, 2};
    float keys[KEYS][3][3];
    double times[KEYS];
    open_site(s);
    for (uint32_t key = 0; key < count; key++) {
        times[key] = key;
        memcpy(keys[key], square, sizeof square);
        for (int v = 0; v < 3; v++)
            for (int axis = 0; axis < 2; axis++) keys[key][v][axis] += places[key][axis];
    }
    for (int i = 0; i < BODIES; i++) add_body(s, i, square[0], 3, tri, 1);
    set_keys(s, 1, keys[0][0], times, count);
}

/* They meet around `instant` and at no other time. */
static void check_instant(const float (*places)[2], uint32_t count, double instant, double step)
{
    site s;
    open_squares(&s, places, count);
    willow_watch *list = watch(&s, WILLOW_WATCH_LIST, true, 0, 0, 1);
    go_to(&s, 0.0);
    assert_int_equal(events_of(list).count, 0);
    uint32_t begun = 0, ceased = 0;
    for (double time = step; time <= count - 1.0; time += step) {
        go_to(&s, time);
        const willow_leaf_events events = events_of(list);
        for (size_t i = 0; i < events.count; i++) {
            const willow_leaf_event *e = &events.items[i];
            assert_true(e->begins ? e->time <= instant : e->time >= instant);
            assert_true(fabs(e->time - instant) < 1e-4);
            begun += e->begins;
            ceased += !e->begins;
        }
        if (time == instant) assert_int_equal(begun - ceased, 1);
        (void)ask(&s, list, NULL);
        assert_int_equal(info_of(list).kind, WILLOW_WATCH_LIST);
        assert_int_equal(info_of(list).leaf_pairs, begun - ceased);
    }
    assert_int_equal(begun, 1);
    assert_int_equal(ceased, 1);
    close_site(&s);
}

static void boxes_that_touch_for_one_instant_are_not_missed(void **state)
{
    (void)state;
    static const float at_a_key[][2] = {{3, 0}, {1, 0}, {3, 0}};
    static const float between_keys[][2] = {{2, 0}, {0, 2}}; /* at the corner (1, 1) */
    static const float later[][2] = {{8, 8}, {2, 0}, {0, 2}, {-8, 8}};
    static const double steps[] = {0.5, 0.25, 0.3, 0.4375, 0.0625};
    for (int i = 0; i < 5; i++) {
        check_instant(at_a_key, 3, 1.0, steps[i]);
        check_instant(between_keys, 2, 0.5, steps[i]);
        check_instant(later, 4, 1.5, steps[i]);
    }
}

/* ---- roundings ---- */

/* Two triangles that go side by side to where floats are coarse: there they touch, since positions
 * are rounded. The list knows as much, from any time on. */
static void boxes_that_meet_by_rounding_are_listed(void **state)
{
    (void)state;
    static const float square[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const uint32_t tri[] = {0, 1, 2};
    static const float ways[] = {1e3F, 1e5F, 3e6F, 1e8F, 1e12F, 1e30F};
    size_t met = 0;
    for (size_t way = 0; way < 6; way++) {
        site s;
        const double times[2] = {0.0, 8.0};
        uint64_t hash, right;
        open_site(&s);
        for (int i = 0; i < BODIES; i++) {
            float keys[2][3][3];
            for (int v = 0; v < 3; v++)
                for (int axis = 0; axis < 3; axis++) {
                    const float beside = axis == 0 && i == 1 ? 1.0F + 0x1p-10F : 0.0F;
                    keys[0][v][axis] = square[v][axis] + beside;
                    keys[1][v][axis] = keys[0][v][axis] + (axis == 0 ? ways[way] : 0.0F);
                }
            add_body(&s, i, keys[0][0], 3, tri, 1);
            set_keys(&s, i, keys[0][0], times, 2);
        }
        willow_watch *list = watch(&s, WILLOW_WATCH_LIST, way % 2 == 0, 0, 0, 1);
        willow_watch *roots = watch(&s, WILLOW_WATCH_ROOTS, false, 0, 0, 1);
        for (double time = 0.0; time < 9.0; time += 0.171875) {
            go_to(&s, time);
            met += ask(&s, roots, &right);
            (void)ask(&s, list, &hash);
            assert_int_equal(info_of(list).kind, WILLOW_WATCH_LIST);
            if (hash != right) fail_msg("%g far, at %g: other pairs", (double)ways[way], time);
        }
        close_site(&s);
    }
    print_message("%zu pairs\n", met);
    assert_true(met > 0);
}

/* Longer ones are refused, since they have no length. */
static void spans_as_long_as_times_can_be_are_followed(void **state)
{
    (void)state;
    static const float square[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const uint32_t tri[] = {0, 1, 2};
    static const double longest[] = {1e300, 4e307, 8e307};
    for (int n = 0; n < 3; n++) {
        site s;
        const double times[2] = {-longest[n], longest[n]};
        float keys[2][3][3];
        size_t met = 0;
        uint64_t hash, right;
        open_site(&s);
        for (int v = 0; v < 3; v++)
            for (int axis = 0; axis < 3; axis++) {
                keys[0][v][axis] = square[v][axis] + (axis == 0 ? -4.0F : 0.0F);
                keys[1][v][axis] = square[v][axis] + (axis == 0 ? 4.0F : 0.0F);
            }
        for (int i = 0; i < BODIES; i++) add_body(&s, i, square[0], 3, tri, 1);
        set_keys(&s, 1, keys[0][0], times, 2);
        willow_watch *list = watch(&s, WILLOW_WATCH_LIST, n == 1, 0, 0, 1);
        willow_watch *roots = watch(&s, WILLOW_WATCH_ROOTS, false, 0, 0, 1);
        for (int i = -16; i <= 16; i++) {
            go_to(&s, longest[n] * (i / 16.0));
            met += ask(&s, roots, &right);
            (void)ask(&s, list, &hash);
            if (hash != right) fail_msg("until %g, step %d: other pairs", longest[n], i);
        }
        assert_true(met > 0);
        close_site(&s);
    }
}

/* ---- memory ---- */

/* An update that fails has taken some events already; the next one has these, too. */
static void events_of_an_update_that_failed_are_in_the_next(void **state)
{
    (void)state;
    static const float square[3][3] = {{9, 9, 9}, {10, 9, 9}, {9, 10, 9}};
    static const uint32_t tri[] = {0, 1, 2};
    site s, other;
    size_t failed = 0, told = 0;
    open_site(&s);
    open_site(&other);
    add_sheets(&s, 6);
    add_sheets(&other, 6);
    const willow_watch *list = watch(&s, WILLOW_WATCH_LIST, true, 0, 0, 1);
    const willow_watch *same = watch(&other, WILLOW_WATCH_LIST, true, 0, 0, 1);
    for (int step = 0; step < 24; step++) {
        const double time = step * 0.125;
        const willow_body_id two[2] = {s.body[0], s.body[1]};
        add_body(&s, 0, square[0], 3, tri, 1); /* whose tree there is no memory for */
        s.allocator.fails_from_now_on = true;
        failed += willow_world_update(s.world, time, NULL) == WILLOW_OUT_OF_MEMORY;
        s.allocator.fails_from_now_on = false;
        memcpy(s.body, two, sizeof two);
        go_to(&s, time);
        go_to(&other, time);
        const willow_leaf_events a = events_of(list), b = events_of(same);
        if (!a.complete) continue; /* the list itself was in want of memory */
        assert_true(b.complete && a.count == b.count);
        for (size_t i = 0; i < a.count; i++)
            assert_true(
                a.items[i].time == b.items[i].time && a.items[i].leaf_a == b.items[i].leaf_a &&
                a.items[i].leaf_b == b.items[i].leaf_b && a.items[i].begins == b.items[i].begins);
        told += a.count;
    }
    print_message("%zu failures, %zu events\n", failed, told);
    assert_true(failed > 0 && told > 0);
    close_site(&s);
    close_site(&other);
}

/* An update to 1.5, in which one call for memory fails; then the second body, which stands, is put
 * elsewhere, or some of the first one turns, and the update is called again. False if the update
 * did not fail. */
static bool fail_and_turn(site *s, bool stands, uint64_t seed, size_t call, willow_watch **list)
{
    static const float far[3][3] = {{9, 9, 9}, {10, 9, 9}, {9, 10, 9}};
    static const uint32_t tri[] = {0, 1, 2};
    throw_sheets(s, WILLOW_METHOD_KINETIC_AABB, seed);
    if (stands) {
        zoo_mesh mesh;
        zoo_mesh_create(&mesh, ZOO_KIND_SPHERE, 100, seed + 1);
        add_body(s, 1, mesh.positions[0], mesh.vertex_count, mesh.tris[0], mesh.triangle_count);
        zoo_mesh_destroy(&mesh);
    }
    *list = watch(s, WILLOW_WATCH_LIST, true, 0, 0, 1);
    const willow_body_id two[2] = {s->body[0], s->body[1]};
    go_to(s, 0.0);
    go_to(s, 0.5);
    add_body(s, 0, far[0], 3, tri, 1); /* whose tree takes memory */
    memcpy(s->body, two, sizeof two);
    s->allocator.fail_at = s->allocator.calls + call;
    if (willow_world_update(s->world, 1.5, NULL) == WILLOW_OK) return false;
    if (stands)
        assert_ok(willow_body_set_vertices(s->world, s->body[1], 0, 1, far, 0));
    else
        turn_some(s, 10, seed);
    go_to(s, 1.5);
    return true;
}

/* An update that fails has taken events that do not come to pass if paths are others then. */
static void events_of_an_update_that_failed_are_gone_with_the_paths(void **state)
{
    (void)state;
    enum { CALLS = 60 };
    for (uint64_t seed = 0; seed < 2; seed++) {
        size_t failed = 0;
        for (size_t call = 1; call <= CALLS; call++) {
            site s;
            willow_watch *list;
            open_site(&s);
            if (fail_and_turn(&s, seed == 1, seed, call, &list)) {
                const willow_leaf_events events = events_of(list);
                assert_true(!events.complete && events.count > 0);
                for (size_t i = 0; i < events.count; i++)
                    assert_true(events.items[i].begins && events.items[i].time == 1.5);
                go_to(&s, 2.0);
                assert_true(events_of(list).complete);
                failed++;
            }
            close_site(&s);
        }
        print_message("%zu failures\n", failed);
        assert_true(failed > 0);
    }
}

static void many_lists_come_and_go(void **state)
{
    (void)state;
    enum { MANY = 30 };
    site s;
    willow_watch *watches[MANY];
    open_site(&s);
    add_sheets(&s, 3);
    go_to(&s, 0.0);
    const size_t before = willow_world_bytes(s.world);
    for (int i = 0; i < MANY; i++)
        watches[i] = watch(&s, WILLOW_WATCH_LIST, i % 3 == 0, 0, i % 2, i / 2 % 2);
    for (int step = 1; step < 8; step++) {
        go_to(&s, step * 0.125);
        size_t bytes = 0;
        for (int i = 0; i < MANY; i++) bytes += info_of(watches[i]).bytes;
        assert_true(bytes > MANY * 1000 && willow_world_bytes(s.world) > before + bytes);
        const int gone = step * 11 % MANY;
        willow_watch_destroy(watches[gone]);
        watches[gone] = watch(&s, WILLOW_WATCH_AUTO, true, 0, 0, 1);
    }
    for (int i = 1; i < MANY; i++) willow_watch_destroy(watches[i]);
    close_site(&s); /* with one that is left */
}

static void a_list_never_holds_more_than_it_may(void **state)
{
    (void)state;
    site s;
    size_t limited = 0, listed = 0;
    for (size_t limit = 1; limit < 2000000; limit += 1 + limit / 2) {
        uint64_t hash, right;
        open_site(&s);
        add_sheets(&s, 4);
        willow_watch *small = watch(&s, WILLOW_WATCH_LIST, true, limit, 0, 1);
        willow_watch *roots = watch(&s, WILLOW_WATCH_ROOTS, false, 0, 0, 1);
        for (int step = 0; step < 24; step++) {
            go_to(&s, step * 0.125);
            assert_true(info_of(small).bytes <= limit);
            (void)ask(&s, small, &hash);
            (void)ask(&s, roots, &right);
            assert_true(hash == right);
            assert_true(info_of(small).bytes <= limit);
            *(info_of(small).kind == WILLOW_WATCH_LIST ? &listed : &limited) += 1;
        }
        close_site(&s);
    }
    print_message("%zu questions without a list, %zu with one\n", limited, listed);
    assert_true(limited > 0 && listed > 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(events_need_a_list_that_was_made_to_keep_them),
    cmocka_unit_test(bodies_that_only_stand_have_no_list),
    cmocka_unit_test(a_list_that_starts_late_has_no_events_before),
    cmocka_unit_test(a_plan_that_is_replaced_leaves_nothing_of_the_old_one),
    cmocka_unit_test(events_stay_until_the_next_update),
    cmocka_unit_test(events_bracket_what_sampling_finds),
    cmocka_unit_test(events_within_a_body_bracket_what_sampling_finds),
    cmocka_unit_test(updates_that_pass_over_several_keyframes_have_all_events),
    cmocka_unit_test(events_on_rays_bracket_what_sampling_finds),
    cmocka_unit_test(boxes_that_touch_for_one_instant_are_not_missed),
    cmocka_unit_test(boxes_that_meet_by_rounding_are_listed),
    cmocka_unit_test(spans_as_long_as_times_can_be_are_followed),
    cmocka_unit_test(events_of_an_update_that_failed_are_in_the_next),
    cmocka_unit_test(events_of_an_update_that_failed_are_gone_with_the_paths),
    cmocka_unit_test(many_lists_come_and_go),
    cmocka_unit_test(a_list_never_holds_more_than_it_may),
};

TEST_GROUP(watch_events, tests);
