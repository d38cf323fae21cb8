/* Threads that are all first to ask about a fresh revision compute its boxes together: each box
 * once, by whoever claims it first (C9), and the answers are those of a world that has them all. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>
#include "base/hash.h"
#include "support/fixture.h"
#include "support/kept.h"
#include "support/test.h"
#include "support/zoo_world.h"
#include "world/world.h"

enum { ASKERS = 4, BODIES = 2, SIZE = 8000, ROUNDS = 6 };

/* ---- one world of three: asked by many, asked by one, eager ---- */

typedef struct site {
    willow_world *world;
    willow_body_id bodies[BODIES];
} site;

static void open_site(site *s, const zoo_mesh meshes[BODIES], uint32_t variant)
{
    willow_world_def def = willow_world_def_default();
    def.thread_count = 2;
    s->world = fixture_world(&def);
    for (int i = 0; i < BODIES; i++) {
        willow_body_def body = willow_body_def_default();
        body.mesh = FIXTURE_MESH(meshes[i].positions, meshes[i].vertex_count, meshes[i].tris,
                                 meshes[i].triangle_count);
        body.tree = zoo_variant_tree(variant, 8, 4);
        s->bodies[i] = fixture_body(s->world, &body);
    }
    assert_ok(willow_world_update(s->world, 0.0, NULL));
}

static void move_site(site *s, const zoo_mesh meshes[BODIES], uint32_t frame)
{
    for (int i = 0; i < BODIES; i++)
        assert_ok(willow_body_set_vertices(s->world, s->bodies[i], 0, meshes[i].vertex_count,
                                           meshes[i].positions, 0));
    assert_ok(willow_world_update(s->world, frame, NULL));
}

/* ---- questions ---- */

enum { KINDS = 4 };

static bool sum_tri(void *context, willow_tri_ref tri)
{
    *(uint64_t *)context += wi_hash_u64(tri.body.index1, tri.tri);
    return true;
}

/* The answer as a number that is the same for all methods; 0 if it fails. */
static uint64_t ask(const willow_world *world, willow_scratch *scratch, uint32_t kind)
{
    const willow_box box = {{-0.25F, -0.25F, -0.25F}, {0.25F, 0.25F, 0.25F}};
    willow_query_options options = willow_query_options_default();
    willow_pairs pairs;
    willow_first_pair first;
    uint64_t sum = 1;
    options.use_threads = kind == 1;
    switch (kind) {
    case 0:
    case 1:
        if (willow_find_pairs(world, scratch, &options, &pairs) != WILLOW_OK) return 0;
        return pairs.count > 0 ? willow_pairs_hash(&pairs) : 0;
    case 2:
        if (willow_visit_box(world, scratch, &box, NULL, sum_tri, &sum) != WILLOW_OK) return 0;
        return sum;
    default: /* any pair is right: that there is one is the answer */
        if (willow_find_first_pair(world, scratch, NULL, &first) != WILLOW_OK) return 0;
        return first.found ? 7 : 0;
    }
}

/* cmocka's asserts belong to the main thread, so askers only take notes. */
typedef struct asker {
    pthread_t thread;
    const willow_world *world;
    pthread_barrier_t *start;
    willow_scratch *scratch;
    uint32_t first_kind;
    uint64_t answers[KINDS];
} asker;

static void *asker_main(void *arg)
{
    asker *self = arg;
    pthread_barrier_wait(self->start);
    for (uint32_t i = 0; i < KINDS; i++) {
        const uint32_t kind = (self->first_kind + i) % KINDS;
        self->answers[kind] = ask(self->world, self->scratch, kind);
    }
    return NULL;
}

/* Looks at nodes while others ask. */
typedef struct looker {
    pthread_t thread;
    const site *site;
    pthread_barrier_t *start;
    uint32_t seen[BODIES];
    bool ok;
} looker;

static bool count_node(void *context, const willow_node *node)
{
    *(uint32_t *)context += node->box.lower.x <= node->box.upper.x;
    return true;
}

static void *looker_main(void *arg)
{
    looker *self = arg;
    self->ok = true;
    pthread_barrier_wait(self->start);
    for (int i = 0; i < BODIES; i++)
        self->ok = self->ok && willow_body_visit_nodes(self->site->world, self->site->bodies[i],
                                                       count_node, &self->seen[i]) == WILLOW_OK;
    return NULL;
}

/* In every third round a looker is among them; in every second one all begin with the same
 * question, so that they meet at the same nodes. */
static bool ask_together(const site *s, asker askers[ASKERS], uint32_t round)
{
    const bool has_looker = round % 3 == 2;
    pthread_barrier_t start;
    looker look = {.site = s, .start = &start};
    assert_int_equal(pthread_barrier_init(&start, NULL, ASKERS + has_looker), 0);
    for (uint32_t i = 0; i < ASKERS; i++) {
        willow_scratch_reset_stats(askers[i].scratch);
        askers[i].start = &start;
        askers[i].first_kind = round % 2 == 0 ? 0 : i;
        assert_int_equal(pthread_create(&askers[i].thread, NULL, asker_main, &askers[i]), 0);
    }
    if (has_looker) assert_int_equal(pthread_create(&look.thread, NULL, looker_main, &look), 0);
    for (int i = 0; i < ASKERS; i++) pthread_join(askers[i].thread, NULL);
    if (has_looker) pthread_join(look.thread, NULL);
    pthread_barrier_destroy(&start);
    for (int i = 0; i < BODIES && has_looker; i++) {
        const wi_tree *h = &s->world->bodies.items[i]->geometry->tree;
        assert_true(look.ok);
        assert_int_equal(look.seen[i], h->shape->node_count + h->shape->leaf_count);
    }
    return has_looker;
}

/* ---- rounds ---- */

typedef struct race {
    zoo_mesh meshes[BODIES];
    site many, one, eager; /* the same bodies, asked by many threads, by one, and of BOTTOM_UP */
    uint32_t closed;       /* bodies that the last update closed */
    asker askers[ASKERS];
    willow_scratch *of_one, *of_eager;
    uint64_t lost, refreshed;
} race;

static void open_race(race *r, uint32_t variant)
{
    *r = (race){0};
    zoo_mesh_create(&r->meshes[0], ZOO_KIND_SPHERE, SIZE, 1);
    zoo_mesh_create(&r->meshes[1], ZOO_KIND_GRID, SIZE, 2);
    open_site(&r->many, r->meshes, variant);
    open_site(&r->one, r->meshes, variant);
    open_site(&r->eager, r->meshes, WILLOW_METHOD_BOTTOM_UP);
    r->of_one = fixture_scratch(r->one.world);
    r->of_eager = fixture_scratch(r->eager.world);
    for (int i = 0; i < ASKERS; i++) {
        r->askers[i].world = r->many.world;
        r->askers[i].scratch = fixture_scratch(r->many.world);
    }
}

static void close_race(race *r)
{
    for (int i = 0; i < ASKERS; i++) willow_scratch_destroy(r->askers[i].scratch);
    willow_scratch_destroy(r->of_one);
    fixture_close(r->many.world, r->of_eager);
    willow_world_destroy(r->one.world);
    willow_world_destroy(r->eager.world);
    for (int i = 0; i < BODIES; i++) zoo_mesh_destroy(&r->meshes[i]);
}

static void check_answers(race *r, uint32_t round)
{
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        const uint64_t right = ask(r->eager.world, r->of_eager, kind);
        assert_true(right != 0);
        if (ask(r->one.world, r->of_one, kind) != right)
            fail_msg("round %u, question %u: one thread hears another answer", round, kind);
        for (int i = 0; i < ASKERS; i++)
            if (r->askers[i].answers[kind] != right)
                fail_msg("round %u, question %u: thread %d hears another answer", round, kind, i);
    }
}

/* All boxes are computed once, whoever does it; with a looker, which does not count, some by it. */
static void check_counts(race *r, bool has_looker)
{
    const willow_query_stats alone = willow_scratch_stats(r->of_one);
    willow_query_stats sum = {0};
    for (int i = 0; i < ASKERS; i++) {
        const willow_query_stats stats = willow_scratch_stats(r->askers[i].scratch);
        sum.nodes_refreshed += stats.nodes_refreshed;
        sum.claims_lost += stats.claims_lost;
        assert_true(stats.nodes_opened == alone.nodes_opened);
        assert_true(stats.volume_tests == alone.volume_tests);
        assert_true(stats.triangle_tests == alone.triangle_tests);
    }
    assert_int_equal(alone.nodes_refreshed > 0, r->closed > 0);
    assert_true(has_looker ? sum.nodes_refreshed <= alone.nodes_refreshed
                           : sum.nodes_refreshed == alone.nodes_refreshed);
    r->lost += sum.claims_lost;
    r->refreshed += sum.nodes_refreshed;
}

/* How many bodies the last update has closed: all of their nodes. The others are open, all of them:
 * trees that are fresh, or that AUTO refits. */
static uint32_t count_closed(const site *s)
{
    uint32_t closed = 0;
    for (int i = 0; i < BODIES; i++) {
        const wi_tree *h = &s->world->bodies.items[i]->geometry->tree;
        const bool is_open = wi_is_open(h, 0);
        for (uint32_t node = 0; node < h->shape->node_count; node++)
            assert_int_equal(wi_is_open(h, node), is_open);
        closed += !is_open;
    }
    return closed;
}

/* AUTO goes by what was opened, so that all must have been looked at alike. */
static void look_alone(const site *s)
{
    for (int i = 0; i < BODIES; i++) {
        uint32_t seen = 0;
        assert_ok(willow_body_visit_nodes(s->world, s->bodies[i], count_node, &seen));
    }
}

static void run_round(race *r, uint32_t round)
{
    char reason[200] = "";
    for (int i = 0; i < BODIES; i++)
        zoo_mesh_move(&r->meshes[i], 1 + round % 7, 0, r->meshes[i].vertex_count);
    move_site(&r->many, r->meshes, round);
    move_site(&r->one, r->meshes, round);
    move_site(&r->eager, r->meshes, round);
    r->closed = count_closed(&r->many);
    assert_int_equal(count_closed(&r->one), r->closed);
    willow_scratch_reset_stats(r->of_one);
    const bool has_looker = ask_together(&r->many, r->askers, round);
    check_answers(r, round);
    check_counts(r, has_looker);
    if (has_looker) look_alone(&r->one);
    if (round < ROUNDS && !willow_world_validate(r->many.world, reason, sizeof reason))
        fail_msg("%s", reason);
}

static bool is_lazy(const site *s)
{
    return s->world->bodies.items[0]->geometry->tree.boxes.refresh != NULL;
}

/* Far more than it takes. On one core threads meet only where one is stopped in the middle of a
 * node, so that they are given longer, and may fail to. */
enum { MOST_ROUNDS = 10000, MOST_ROUNDS_ON_ONE_CORE = 20000 };

static bool has_one_core(void) { return sysconf(_SC_NPROCESSORS_ONLN) == 1; }

/* Whether two threads meet at a node is up to the machine, so this goes on until they do. */
static void threads_compute_every_box_once_and_lose_claims_to_each_other(void **state)
{
    (void)state;
    const uint32_t most = has_one_core() ? MOST_ROUNDS_ON_ONE_CORE : MOST_ROUNDS;
    size_t races = 0, never_met = 0;
    for (uint32_t variant = 0; variant < ZOO_VARIANT_COUNT; variant++) {
        if (zoo_variant_grows(variant)) continue;
        race r;
        uint32_t round = 0;
        open_race(&r, variant);
        if (is_lazy(&r.many)) {
            while (round < ROUNDS || (r.lost == 0 && round < most)) run_round(&r, round++);
            print_message("%-12s %u rounds of %d threads: %llu nodes computed, %llu claims lost\n",
                          zoo_variant_name(variant), round, ASKERS, (unsigned long long)r.refreshed,
                          (unsigned long long)r.lost);
            never_met += r.lost == 0;
            if (r.lost == 0 && !has_one_core())
                fail_msg("%s: in %u rounds no thread came to a node that another was computing",
                         zoo_variant_name(variant), round);
            races++;
        }
        close_race(&r);
    }
    assert_true(races >= 5);
    if (never_met == 0) return;
    print_message("skipped: this machine has one core, and on it the threads of %zu races never "
                  "met at a node\n",
                  never_met);
    skip();
}

/* ---- a claim that is lost in every schedule ---- */

/* Opens a node that another thread has claimed. */
typedef struct opener {
    pthread_t thread;
    const wi_tree *h;
    uint32_t node;
    wi_openings count;
    wi_box seen[WI_LANES];
} opener;

/* What an opener has come to. It has begun once it has found the node closed, so from then on the
 * claim is lost whoever runs when. */
static atomic_bool has_begun, has_ended;
static wi_refresh *refresh_of_tree;

static void begin_and_refresh(const wi_tree *h, uint32_t node, wi_openings *count)
{
    atomic_store(&has_begun, true);
    refresh_of_tree(h, node, count);
}

static void *opener_main(void *arg)
{
    opener *self = arg;
    const wi_node *view = wi_open(self->h, self->node, &self->count);
    for (unsigned lane = 0; lane < WI_LANES; lane++) self->seen[lane] = wi_node_box(view, lane);
    atomic_store(&has_ended, true);
    return NULL;
}

/* Writes the boxes that a twin of the tree has computed. */
static void copy_boxes(wi_tree *h, const wi_tree *twin, uint32_t node)
{
    wi_openings count = {0};
    const wi_node *from = wi_open(twin, node, &count);
    for (unsigned lane = 0; lane < WI_LANES; lane++) {
        const wi_box box = wi_node_box(from, lane);
        wi_node_set_box(&h->boxes.nodes[node], lane, &box);
    }
}

/* What who claims a node does: the root comes with all that is above the patches. */
static void compute_claimed(wi_tree *h, const wi_tree *twin, uint32_t node)
{
    for (uint32_t i = 1; i < kept_patches(h)->above_count && node == 0; i++) {
        const uint32_t above = kept_patches(h)->above[i];
        copy_boxes(h, twin, above);
        atomic_store_explicit(&h->boxes.nodes[above].stamp, h->boxes.revision,
                              memory_order_relaxed);
    }
    copy_boxes(h, twin, node);
}

/* The thread that opens the node waits for this one, and then sees what it has written. */
static void lose_claim(wi_tree *h, const wi_tree *twin, uint32_t node)
{
    wi_node *view = &h->boxes.nodes[node];
    opener o = {.h = h, .node = node};
    assert_false(wi_is_open(h, node));
    atomic_store(&view->stamp, WI_STAMP_CLAIMED);
    atomic_store(&has_begun, false);
    atomic_store(&has_ended, false);
    refresh_of_tree = h->boxes.refresh;
    h->boxes.refresh = begin_and_refresh;
    assert_int_equal(pthread_create(&o.thread, NULL, opener_main, &o), 0);
    while (!atomic_load(&has_begun) && !atomic_load(&has_ended)) sched_yield();
    compute_claimed(h, twin, node);
    for (int i = 0; i < 100; i++) sched_yield(); /* time for one that does not wait to show it */
    const bool was_early = atomic_load(&has_ended);
    atomic_store_explicit(&view->stamp, h->boxes.revision, memory_order_release);
    pthread_join(o.thread, NULL);
    h->boxes.refresh = refresh_of_tree;

    assert_false(was_early);
    assert_int_equal(o.count.lost, 1);
    assert_int_equal(o.count.refreshed, 0);
    for (unsigned lane = 0; lane < WI_LANES; lane++) {
        const wi_box box = wi_node_box(&twin->boxes.nodes[node], lane);
        assert_memory_equal(&o.seen[lane], &box, sizeof box);
    }
}

/* The root, and a node below the patches if there is one. */
static uint32_t lose_claims(race *r)
{
    uint32_t lost = 0;
    for (int i = 0; i < BODIES; i++) {
        wi_tree *h = &r->many.world->bodies.items[i]->geometry->tree;
        const wi_tree *twin = &r->one.world->bodies.items[i]->geometry->tree;
        const uint32_t last = h->shape->node_count - 1;
        assert_true(last > 0);
        lose_claim(h, twin, 0);
        lost++;
        if (wi_is_open(h, last)) continue;
        lose_claim(h, twin, last);
        lost++;
    }
    return lost;
}

static void who_comes_to_a_claimed_node_waits_for_its_boxes(void **state)
{
    (void)state;
    uint32_t lost = 0, all_above = 0;
    for (uint32_t variant = 0; variant < ZOO_VARIANT_COUNT; variant++) {
        if (zoo_variant_grows(variant)) continue;
        race r;
        open_race(&r, variant);
        for (int i = 0; i < BODIES; i++)
            zoo_mesh_move(&r.meshes[i], 1, 0, r.meshes[i].vertex_count);
        move_site(&r.many, r.meshes, 1);
        move_site(&r.one, r.meshes, 1);
        move_site(&r.eager, r.meshes, 1);
        if (is_lazy(&r.many)) {
            const uint32_t here = lose_claims(&r);
            all_above += here == BODIES;
            lost += here;
            assert_true(ask(r.many.world, r.askers[0].scratch, 0) ==
                        ask(r.eager.world, r.of_eager, 0));
        }
        close_race(&r);
    }
    print_message("%u claims lost\n", lost);
    assert_true(lost >= 5 * BODIES && all_above > 0 && lost > all_above * BODIES);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(who_comes_to_a_claimed_node_waits_for_its_boxes),
    cmocka_unit_test(threads_compute_every_box_once_and_lose_claims_to_each_other),
};

TEST_GROUP(lazy_threads, tests);
