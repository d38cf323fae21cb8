/* Separation lists are local: one vertex of a dress gets another plan, and the entries of the boxes
 * that it is an end of are looked at again, but no others. The slow rows are a dress of 65,000
 * triangles, and 1,000 vertices of each kind. */
#include <math.h>
#include <stdlib.h>

#include "scenes/scenes.h"
#include "support/fixture.h"
#include "support/test.h"
#include "willow/willow.h"
#include "world/world.h"

typedef struct row {
    const char *scene;
    uint32_t vertices;  /* whose plans change, of each kind */
    double most_looked; /* of all entries, in the mean */
} row;

/* What is small has more of everything above each vertex. */
static const row rows[] = {
    {"avatar:triangles=500,variant=dress", 12, 0.5},
    {"avatar:triangles=65000,variant=dress", 1000, 0.01},
};

typedef struct site {
    const row *row;
    willow_events events;
    bool is_within;
    scene *scene;
    willow_world *world;
    willow_body_id body[2];
    willow_watch *watch;
    double time;
    bool *is_end;  /* by vertex of the dress: it is an end of a box of the list */
    bool *is_done; /* its plan has been changed */
} site;

/* ---- worlds ---- */

static void follow_keys(site *s, uint32_t body)
{
    enum { KEYS = 3 };
    const size_t floats = 3 * (size_t)s->scene->bodies[body].vertex_count;
    float *keys = malloc(KEYS * floats * sizeof *keys);
    const double times[KEYS] = {0.0, 1.0, 2.0};
    for (uint32_t key = 0; key < KEYS; key++)
        scene_key_positions(s->scene, key, body, keys + key * floats);
    willow_flightplan plan = willow_flightplan_default();
    plan.positions = keys;
    plan.times = times;
    plan.keyframe_count = KEYS;
    assert_ok(willow_body_set_flightplan(s->world, s->body[body], &plan));
    free(keys);
}

static void add_body(site *s, uint32_t body)
{
    const scene_body *b = &s->scene->bodies[body];
    willow_body_def def = willow_body_def_default();
    float *at = malloc(3 * (size_t)b->vertex_count * sizeof *at);
    scene_key_positions(s->scene, 0, body, at);
    def.mesh = FIXTURE_MESH(at, b->vertex_count, b->indices, b->triangle_count);
    def.tree.method = WILLOW_METHOD_KINETIC_AABB;
    def.tree.events = s->events;
    def.tree.rebuild_ratio = INFINITY;
    def.self = b->self;
    s->body[body] = fixture_body(s->world, &def);
    free(at);
    follow_keys(s, body);
}

static void go_to(site *s, double time)
{
    s->time = time;
    assert_ok(willow_world_update(s->world, time, NULL));
}

static void open_site(site *s, const row *r, willow_events events, bool is_within)
{
    willow_watch_def def = willow_watch_def_default();
    *s = (site){.row = r, .events = events, .is_within = is_within};
    s->scene = fixture_scene(r->scene);
    s->world = fixture_world(NULL);
    for (uint32_t body = 0; body < 2; body++) add_body(s, body);
    def.kind = WILLOW_WATCH_LIST;
    assert_ok(
        willow_watch_create(s->world, &def, s->body[0], s->body[is_within ? 0 : 1], &s->watch));
    s->is_end = calloc(s->scene->bodies[0].vertex_count, sizeof *s->is_end);
    s->is_done = calloc(s->scene->bodies[0].vertex_count, sizeof *s->is_done);
    go_to(s, 0.0);
    go_to(s, 0.40625);
}

static void close_site(site *s)
{
    willow_world_destroy(s->world);
    scene_destroy(s->scene);
    free(s->is_end);
    free(s->is_done);
}

static willow_watch_info info_of(const site *s)
{
    willow_watch_info info;
    assert_ok(willow_watch_get_info(s->watch, &info));
    return info;
}

static const wi_tree *tree_of(const site *s)
{
    return &s->world->bodies.items[s->body[0].index1 - 1]->geometry->tree;
}

/* ---- who is an end ---- */

/* Where a vertex is, and where it is at the end of the time that boxes are known to go straight
 * for, as it moves now. */
typedef struct way {
    double now[3], later[3];
} way;

static way way_of(const site *s, const wi_tree *h, uint32_t place)
{
    way w;
    const wi_plan *plan = wi_mesh_plan(h->mesh);
    const wi_moment end = wi_plan_moment(plan, s->watch->list.until);
    wi_plan_read(plan, wi_mesh_moment(h->mesh), place, w.now);
    wi_plan_read(plan, &end, place, w.later);
    return w;
}

static bool is_listed(const site *s, uint32_t item) { return s->watch->list.lane_of[0][item] != 0; }

/* A box: its lower and its upper side, now and later. */
typedef struct box {
    double now[2][3], later[2][3];
} box;

static void put(double side[2][3], const double at[3], bool is_first)
{
    for (int axis = 0; axis < 3; axis++) {
        if (is_first || at[axis] < side[0][axis]) side[0][axis] = at[axis];
        if (is_first || at[axis] > side[1][axis]) side[1][axis] = at[axis];
    }
}

static bool touches(double side[2][3], const double at[3], double slack)
{
    for (int axis = 0; axis < 3; axis++)
        if (at[axis] <= side[0][axis] + slack || at[axis] >= side[1][axis] - slack) return true;
    return false;
}

/* A change is of this much of the speed of a vertex, and takes it no farther than `reach`. */
static const double CHANGE = 0.1;

static double reach(const way *w)
{
    double sum = 1e-6;
    for (int axis = 0; axis < 3; axis++) sum += CHANGE * fabs(w->later[axis] - w->now[axis]);
    return sum;
}

/* Of one box of the list, which has the leaves [first, last]: those at its sides now or later, and
 * those that the change of their plans may take there. */
static void note_ends(site *s, const wi_tree *h, uint32_t first, uint32_t last,
                      const uint32_t *vertex)
{
    box b;
    for (uint32_t leaf = first; leaf <= last; leaf++)
        for (unsigned i = 0; i < h->shape->leaves[leaf].vertex_count; i++) {
            const way w = way_of(s, h, wi_leaf_place(h, &h->shape->leaves[leaf], i));
            put(b.now, w.now, leaf == first && i == 0);
            put(b.later, w.later, leaf == first && i == 0);
        }
    for (uint32_t leaf = first; leaf <= last; leaf++)
        for (unsigned i = 0; i < h->shape->leaves[leaf].vertex_count; i++) {
            const uint32_t place = wi_leaf_place(h, &h->shape->leaves[leaf], i);
            const way w = way_of(s, h, place);
            if (touches(b.now, w.now, 1e-6) || touches(b.later, w.later, reach(&w)))
                s->is_end[vertex[place]] = true;
        }
}

static void find_ends(site *s)
{
    const wi_tree *h = tree_of(s);
    uint32_t *vertex = calloc(h->mesh->vertex_count, sizeof *vertex);
    for (uint32_t i = 0; i < h->mesh->vertex_count; i++) vertex[h->mesh->place[i]] = i;
    for (uint32_t leaf = 0; leaf < h->shape->leaf_count; leaf++)
        if (is_listed(s, h->shape->node_count + leaf)) note_ends(s, h, leaf, leaf, vertex);
    for (uint32_t node = 0; node < h->shape->node_count; node++)
        if (is_listed(s, node))
            note_ends(s, h, wi_tree_first_leaf(h, node), wi_tree_last_leaf(h, node), vertex);
    free(vertex);
}

/* ---- changes ---- */

typedef struct outcome {
    double mean, most; /* of all entries */
    uint32_t none;     /* vertices whose change cost nothing */
} outcome;

static void change_plan(site *s, uint32_t vertex, uint64_t *seed)
{
    const wi_tree *h = tree_of(s);
    const way w = way_of(s, h, h->mesh->place[vertex]);
    const double time = s->watch->list.until - s->time;
    willow_vertex_plan plan = {.acceleration = {0}};
    float *v = &plan.velocity.x;
    double speed = 0.0;
    for (int axis = 0; axis < 3; axis++) speed += fabs(w.later[axis] - w.now[axis]) / time;
    for (int axis = 0; axis < 3; axis++)
        v[axis] = (float)((w.later[axis] - w.now[axis]) / time +
                          test_random_between(seed, -CHANGE, CHANGE) * speed);
    assert_ok(willow_body_set_vertex_plan(s->world, s->body[0], vertex, &plan));
}

static outcome change_some(site *s, bool ends, uint64_t seed)
{
    outcome o = {0};
    for (uint32_t i = 0; i < s->row->vertices; i++) {
        uint32_t vertex;
        do {
            vertex = (uint32_t)(test_random(&seed) % s->scene->bodies[0].vertex_count);
        } while (s->is_end[vertex] != ends || s->is_done[vertex]);
        s->is_done[vertex] = true;
        change_plan(s, vertex, &seed);
        const willow_watch_info before = info_of(s);
        go_to(s, s->time);
        const willow_watch_info after = info_of(s);
        const double looked =
            (double)(after.list_looked_at - before.list_looked_at) / (double)before.list_entries;
        o.mean += looked / s->row->vertices;
        o.most = looked > o.most ? looked : o.most;
        o.none += after.list_looked_at == before.list_looked_at;
    }
    return o;
}

static void check_site(const row *r, willow_events events, bool is_within)
{
    site s;
    open_site(&s, r, events, is_within);
    find_ends(&s);
    const willow_watch_info info = info_of(&s);
    const outcome others = change_some(&s, false, 7), ends = change_some(&s, true, 11);
    print_message("%s, events=%s, %s: %zu entries; an end %.4f %% in the mean, %.3f %% at most, "
                  "%u of %u none; others %.4f %%, %u of %u none\n",
                  r->scene, willow_events_name(events), is_within ? "within" : "beside the figure",
                  info.list_entries, 100.0 * ends.mean, 100.0 * ends.most, ends.none, r->vertices,
                  100.0 * others.mean, others.none, r->vertices);
    assert_int_equal(others.none, r->vertices);
    assert_true(ends.mean > 0.0 && ends.mean < r->most_looked);
    assert_true(willow_world_validate(s.world, NULL, 0));
    close_site(&s);
}

static void a_change_of_a_plan_looks_at_the_boxes_of_its_vertex_alone(void **state)
{
    (void)state;
    for (willow_events events = 0; events < WILLOW_EVENTS_COUNT; events++)
        for (int is_within = 0; is_within < 2; is_within++)
            check_site(&rows[test_is_slow()], events, is_within == 1);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_change_of_a_plan_looks_at_the_boxes_of_its_vertex_alone),
};

TEST_GROUP_WITH_SLOW(watch_locality, tests, tests);
