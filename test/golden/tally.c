/* tally.c - see tally.h. */
#include "golden/tally.h"

#include "base/hash.h"
#include "support/contact_hash.h"
#include "support/test.h"

/* ---- lines ---- */

typedef struct line {
    char text[1500];
    size_t length;
} line;

static void add_word(line *l, const char *name, const char *format, ...)
{
    va_list values;
    const char *space = l->length > 0 ? " " : "";
    l->length +=
        (size_t)snprintf(l->text + l->length, sizeof l->text - l->length, "%s%s ", space, name);
    va_start(values, format);
    l->length += (size_t)vsnprintf(l->text + l->length, sizeof l->text - l->length, format, values);
    va_end(values);
    assert_true(l->length < sizeof l->text);
}

static void add_count(line *l, const char *name, uint64_t count)
{
    add_word(l, name, "%llu", (unsigned long long)count);
}

static void add_hash(line *l, const char *name, uint64_t hash)
{
    add_word(l, name, "%016llX", (unsigned long long)hash);
}

/* A count and a hash. */
static void add_both(line *l, const char *name, uint64_t count, uint64_t hash)
{
    add_count(l, name, count);
    l->length += (size_t)snprintf(l->text + l->length, sizeof l->text - l->length, " %016llX",
                                  (unsigned long long)hash);
}

static void compare(golden_file *file, const char *section, const tally_case *c, const line *l)
{
    char key[300];
    const char *setting = c->setting == NULL ? "" : c->setting;
    snprintf(key, sizeof key, "%s %s%s%s", section, c->name, setting[0] == '\0' ? "" : " ",
             setting);
    golden_value(file, key, l->text);
}

/* ---- answers ---- */

typedef struct answers {
    uint64_t pairs, pairs_hash, self, self_hash, visited, boxed, boxed_hash;
    uint64_t near, near_hash, features, features_hash, nearest_hash;
    uint64_t cells, cells_hash;
    uint64_t impacts, impacts_hash, first_impact_hash;
    uint64_t first_hash; /* of first pairs, which depend on the method */
} answers;

static void expect_ok(const stage *s, willow_result result)
{
    if (result == WILLOW_OK) return;
    fail_msg("%s: %s", willow_result_name(result), willow_scratch_message(s->scratch));
}

static willow_query_options options_of(const stage *s)
{
    willow_query_options options = willow_query_options_default();
    options.use_threads = s->setup.threads > 1;
    return options;
}

static uint64_t hash_tri(uint64_t hash, willow_tri_ref tri)
{
    return wi_hash_u64(hash, (uint64_t)tri.body.index1 << 32 | tri.tri);
}

static void ask_pairs(stage *s, answers *a)
{
    const willow_query_options options = options_of(s);
    willow_pairs pairs;
    expect_ok(s, willow_find_pairs(s->world, s->scratch, &options, &pairs));
    a->pairs += pairs.count;
    a->pairs_hash = wi_hash_u64(a->pairs_hash, willow_pairs_hash(&pairs));
}

static void ask_self(stage *s, answers *a)
{
    willow_query_options options = options_of(s);
    willow_pairs pairs;
    options.bodies = s->bodies;
    options.body_count = s->scene->body_count;
    expect_ok(s, willow_find_self_pairs(s->world, s->scratch, &options, &pairs));
    a->self += pairs.count;
    a->self_hash = wi_hash_u64(a->self_hash, willow_pairs_hash(&pairs));
}

static void ask_first(stage *s, answers *a)
{
    willow_query_options options = options_of(s);
    willow_first_pair first;
    options.witness = true;
    expect_ok(s, willow_find_first_pair(s->world, s->scratch, &options, &first));
    a->first_hash = wi_hash_u64(a->first_hash, first.found);
    if (!first.found) return;
    a->first_hash = hash_tri(hash_tri(a->first_hash, first.a), first.b);
    a->first_hash = wi_hash_bytes(a->first_hash, &first.witness, sizeof first.witness);
}

static bool count_pair(void *context, willow_tri_ref a, willow_tri_ref b)
{
    (void)a;
    (void)b;
    ++*(uint64_t *)context;
    return true;
}

/* Triangles come in no order, so hashes are added. */
static bool count_tri(void *context, willow_tri_ref tri)
{
    answers *a = context;
    a->boxed++;
    a->boxed_hash += hash_tri(WI_HASH_START, tri);
    return true;
}

static void visit(stage *s, answers *a)
{
    const willow_query_options options = options_of(s);
    willow_body_info info;
    expect_ok(s, willow_visit_pairs(s->world, s->scratch, &options, count_pair, &a->visited));
    assert_int_equal(willow_body_get_info(s->world, s->bodies[0], &info), WILLOW_OK);
    const willow_box box = {{-0.5F, -0.5F, -0.5F}, {0.25F, 0.5F, 0.5F}};
    expect_ok(s, willow_visit_box(s->world, s->scratch, &box, &options, count_tri, a));
}

static void ask_near(stage *s, answers *a)
{
    willow_query_options options = options_of(s);
    willow_near near;
    options.near_distance = 0.01;
    options.skip_neighbours = true;
    expect_ok(s, willow_find_near(s->world, s->scratch, &options, &near));
    a->near += near.count;
    a->near_hash = wi_hash_u64(a->near_hash, hash_near(&near));
    options.features = true;
    expect_ok(s, willow_find_near(s->world, s->scratch, &options, &near));
    a->features += near.count;
    a->features_hash = wi_hash_u64(a->features_hash, hash_near(&near));
    willow_near_cells cells;
    expect_ok(s, willow_find_near_cells(s->world, s->scratch, 4, &options, &cells));
    a->cells += cells.count;
    a->cells_hash = wi_hash_u64(a->cells_hash, hash_near_cells(&cells));
}

/* The distance of the first body from all others, and the closest to a point. */
static void ask_nearest(stage *s, answers *a)
{
    const willow_query_options options = options_of(s);
    const willow_body_set first = {s->bodies, 1}, all = {s->bodies + 1, s->scene->body_count - 1};
    const willow_vec3 point = {0.3F, -0.7F, 0.2F};
    willow_closest_pair pair;
    willow_closest closest;
    expect_ok(s, willow_distance(s->world, s->scratch, &first, &all, &options, &pair));
    expect_ok(s, willow_closest_point(s->world, s->scratch, &point, &options, &closest));
    uint64_t hash = wi_hash_u64(a->nearest_hash, pair.found);
    if (pair.found) {
        hash = hash_tri(hash_tri(hash, pair.a), pair.b);
        hash = wi_hash_bytes(hash, &pair.distance, sizeof pair.distance);
        hash = wi_hash_bytes(hash, &pair.contact.point_a, sizeof pair.contact.point_a);
        hash = wi_hash_bytes(hash, &pair.contact.point_b, sizeof pair.contact.point_b);
    }
    hash = hash_tri(hash, closest.tri);
    hash = wi_hash_bytes(hash, &closest.distance, sizeof closest.distance);
    a->nearest_hash = wi_hash_bytes(hash, &closest.contact.point_b, sizeof closest.contact.point_b);
}

static void ask_impacts(stage *s, answers *a)
{
    const willow_query_options options = options_of(s);
    willow_impacts impacts;
    willow_first_impact first;
    expect_ok(s, willow_find_impacts(s->world, s->scratch, &options, &impacts));
    a->impacts += impacts.count;
    a->impacts_hash = wi_hash_u64(a->impacts_hash, hash_impacts(&impacts));
    expect_ok(s, willow_time_of_impact(s->world, s->scratch, &options, &first));
    a->first_impact_hash = wi_hash_u64(a->first_impact_hash, hash_first_impact_time(&first));
}

/* Pairs in every frame; one kind of further question by turns, all of them in the last frame. */
static void ask(stage *s, answers *a, uint32_t turn)
{
    const bool is_last = turn + 1 == s->play.frame_count;
    ask_pairs(s, a);
    if (s->play.has_steps) ask_impacts(s, a);
    if (turn % 4 == 0 || is_last) ask_first(s, a);
    if (turn % 4 == 1 || is_last) visit(s, a);
    if (turn % 4 == 2 || is_last) ask_near(s, a);
    if (turn % 4 == 3 || is_last) ask_nearest(s, a);
    if (is_last) ask_self(s, a);
}

static void compare_answers(golden_file *file, const tally_case *c, const answers *a)
{
    tally_case all = *c;
    line l = {.length = 0};
    all.setting = NULL;
    add_both(&l, "pairs", a->pairs, a->pairs_hash);
    add_both(&l, "self", a->self, a->self_hash);
    add_count(&l, "visited", a->visited);
    add_both(&l, "in_box", a->boxed, a->boxed_hash);
    add_both(&l, "near", a->near, a->near_hash);
    add_both(&l, "features", a->features, a->features_hash);
    add_both(&l, "cells", a->cells, a->cells_hash);
    add_hash(&l, "nearest", a->nearest_hash);
    add_both(&l, "impacts", a->impacts, a->impacts_hash);
    add_hash(&l, "first_impact", a->first_impact_hash);
    compare(file, "answers", &all, &l);
}

/* ---- counts ---- */

static void compare_updates(golden_file *file, const tally_case *c, const willow_update_report *r)
{
    line l = {.length = 0};
    add_count(&l, "bodies_moved", r->bodies_moved);
    add_count(&l, "bodies_updated", r->bodies_updated);
    add_count(&l, "bodies_built", r->bodies_built);
    add_count(&l, "subtrees_built", r->subtrees_built);
    add_count(&l, "nodes_updated", r->nodes_updated);
    add_count(&l, "vertices_evaluated", r->vertices_evaluated);
    add_count(&l, "events", r->events);
    add_count(&l, "values_updated", r->values_updated);
    add_count(&l, "queue_operations", r->queue_operations);
    add_count(&l, "certificates_checked", r->certificates_checked);
    add_count(&l, "plan_changes", r->plan_changes);
    add_count(&l, "setups", r->setups);
    compare(file, "update", c, &l);
}

/* Not claims_lost, which depends on timing. */
static void compare_queries(golden_file *file, const tally_case *c, const stage *s,
                            const answers *a)
{
    const willow_query_stats q = willow_scratch_stats(s->scratch);
    line l = {.length = 0};
    add_hash(&l, "first", a->first_hash);
    add_count(&l, "body_pairs", q.body_pairs);
    add_count(&l, "nodes_opened", q.nodes_opened);
    add_count(&l, "nodes_refreshed", q.nodes_refreshed);
    add_count(&l, "vertices_blended", q.vertices_blended);
    add_count(&l, "volume_tests", q.volume_tests);
    add_count(&l, "leaf_pairs", q.leaf_pairs);
    add_count(&l, "leaf_pairs_culled", q.leaf_pairs_culled);
    add_count(&l, "stars", q.stars);
    add_count(&l, "stars_left", q.stars_left);
    add_count(&l, "triangle_tests", q.triangle_tests);
    add_count(&l, "exact_tests", q.exact_tests);
    add_count(&l, "feature_tests", q.feature_tests);
    compare(file, "query", c, &l);
}

/* ---- trees ---- */

static bool hash_node(void *context, const willow_node *node)
{
    uint64_t *hash = context;
    *hash = wi_hash_u64(*hash, (uint64_t)node->number << 32 | node->parent);
    *hash = wi_hash_u64(*hash, (uint64_t)node->depth << 32 | node->child_count);
    *hash = wi_hash_bytes(*hash, &node->box, sizeof node->box);
    for (uint32_t i = 0; i < node->triangle_count; i++)
        *hash = wi_hash_u64(*hash, node->triangles[i]);
    return true;
}

/* Sums over all bodies. */
typedef struct forest {
    uint64_t nodes, leaves, height, builds, subtree_builds, shape;
    double cost;
    char methods[100];
    willow_kinetic_stats kinetic; /* not all of it */
    size_t mesh, hierarchy, refit_read, refit_written;
} forest;

static void add_kinetic(willow_kinetic_stats *sums, const willow_kinetic_stats *k)
{
    sums->certificates += k->certificates;
    sums->certificates_most += k->certificates_most;
    sums->bytes += k->bytes;
    sums->events_internal += k->events_internal;
    sums->values_per_event_most += k->values_per_event_most;
    sums->certificates_per_vertex += k->certificates_per_vertex;
    sums->certificates_per_vertex_most += k->certificates_per_vertex_most;
}

static void add_tree(stage *s, uint32_t body, forest *f)
{
    willow_body_stats stats;
    assert_int_equal(willow_body_get_stats(s->world, s->bodies[body], &stats), WILLOW_OK);
    assert_int_equal(willow_body_visit_nodes(s->world, s->bodies[body], hash_node, &f->shape),
                     WILLOW_OK);
    f->nodes += stats.node_count;
    f->leaves += stats.leaf_count;
    f->height += stats.height;
    f->builds += stats.builds;
    f->subtree_builds += stats.subtree_builds;
    f->cost += stats.cost;
    f->mesh += stats.bytes_mesh;
    f->hierarchy += stats.bytes_hierarchy;
    f->refit_read += stats.refit_bytes_read;
    f->refit_written += stats.refit_bytes_written;
    add_kinetic(&f->kinetic, &stats.kinetic);
    snprintf(f->methods + strlen(f->methods), sizeof f->methods - strlen(f->methods), "%s%u",
             body == 0 ? "" : ",", (unsigned)stats.method);
}

static void compare_trees(golden_file *file, const tally_case *c, stage *s)
{
    forest f = {.shape = WI_HASH_START};
    line l = {.length = 0}, bytes = {.length = 0};
    for (uint32_t i = 0; i < s->scene->body_count; i++) add_tree(s, i, &f);
    add_word(&l, "methods", "%s", f.methods);
    add_count(&l, "nodes", f.nodes);
    add_count(&l, "leaves", f.leaves);
    add_count(&l, "height", f.height);
    add_word(&l, "cost", "%a", f.cost);
    add_count(&l, "builds", f.builds);
    add_count(&l, "subtree_builds", f.subtree_builds);
    add_hash(&l, "shape", f.shape);
    add_count(&l, "certificates", f.kinetic.certificates);
    add_count(&l, "certificates_most", f.kinetic.certificates_most);
    add_count(&l, "events_internal", f.kinetic.events_internal);
    add_count(&l, "values_per_event_most", f.kinetic.values_per_event_most);
    add_word(&l, "certificates_per_vertex", "%a", f.kinetic.certificates_per_vertex);
    add_count(&l, "certificates_per_vertex_most", f.kinetic.certificates_per_vertex_most);
    compare(file, "tree", c, &l);
    add_count(&bytes, "mesh", f.mesh);
    add_count(&bytes, "hierarchy", f.hierarchy);
    add_count(&bytes, "refit_read", f.refit_read);
    add_count(&bytes, "refit_written", f.refit_written);
    add_count(&bytes, "kinetic", f.kinetic.bytes);
    if (c->setup.threads == 1) compare(file, "bytes", c, &bytes);
}

void tally_play(golden_file *file, const scene *s, const tally_case *c)
{
    stage on;
    answers a = {.pairs = 0};
    stage_open(&on, s, &c->play, &c->setup);
    for (uint32_t turn = 0; turn < c->play.frame_count; turn++) {
        stage_go(&on, turn);
        ask(&on, &a, turn);
    }
    compare_answers(file, c, &a);
    compare_updates(file, c, &on.report);
    compare_queries(file, c, &on, &a);
    compare_trees(file, c, &on); /* opens all nodes, so it comes last */
    stage_close(&on);
}

/* ---- watches ---- */

/* Those that keep something. */
static const willow_watch_kind watch_kinds[] = {WILLOW_WATCH_AUTO, WILLOW_WATCH_FRONT,
                                                WILLOW_WATCH_LIST};
enum { WATCHES = sizeof watch_kinds / sizeof watch_kinds[0] };

/* A watch, and all that it said. */
typedef struct watched {
    willow_watch *watch;
    uint64_t pairs, hash, first_hash, events, events_hash;
} watched;

static willow_watch *make_watch(stage *s, willow_watch_kind kind)
{
    const uint32_t other = s->scene->body_count > 1 ? 1 : 0;
    willow_watch_def def = willow_watch_def_default();
    willow_watch *watch = NULL;
    def.kind = kind;
    def.events = true;
    assert_int_equal(willow_watch_create(s->world, &def, s->bodies[0], s->bodies[other], &watch),
                     WILLOW_OK);
    return watch;
}

static void ask_watch(stage *s, watched *w)
{
    const willow_query_options options = options_of(s);
    willow_pairs pairs;
    willow_first_pair first;
    willow_leaf_events events;
    expect_ok(s, willow_watch_find_pairs(w->watch, s->scratch, &options, &pairs));
    w->pairs += pairs.count;
    w->hash = wi_hash_u64(w->hash, willow_pairs_hash(&pairs));
    expect_ok(s, willow_watch_find_first_pair(w->watch, s->scratch, &options, &first));
    w->first_hash = wi_hash_u64(w->first_hash, first.found);
    if (first.found) w->first_hash = hash_tri(hash_tri(w->first_hash, first.a), first.b);
    if (willow_watch_events(w->watch, &events) != WILLOW_OK) return;
    w->events += events.count;
    w->events_hash = wi_hash_u64(w->events_hash, events.complete);
    for (size_t i = 0; i < events.count; i++) {
        const willow_leaf_event *e = &events.items[i];
        w->events_hash = wi_hash_bytes(w->events_hash, &e->time, sizeof e->time);
        w->events_hash = wi_hash_u64(w->events_hash, (uint64_t)e->leaf_a << 32 | e->leaf_b);
        w->events_hash = wi_hash_u64(w->events_hash, e->begins);
    }
}

static void compare_watch(golden_file *file, const tally_case *c, willow_watch_kind kind,
                          const watched *w)
{
    willow_watch_info info;
    tally_case named = *c;
    char setting[100];
    line l = {.length = 0};
    snprintf(setting, sizeof setting, "%s %s", c->setting, willow_watch_kind_name(kind));
    named.setting = setting;
    assert_int_equal(willow_watch_get_info(w->watch, &info), WILLOW_OK);
    add_both(&l, "pairs", w->pairs, w->hash);
    add_hash(&l, "first", w->first_hash);
    add_both(&l, "events", w->events, w->events_hash);
    add_word(&l, "kind", "%s", willow_watch_kind_name(info.kind));
    add_count(&l, "leaf_pairs", info.leaf_pairs);
    add_count(&l, "kept_pairs", info.kept_pairs);
    add_count(&l, "queries", info.queries);
    add_count(&l, "from_roots", info.from_roots);
    add_count(&l, "recognised", info.recognised);
    add_count(&l, "restarts", info.restarts);
    add_count(&l, "sprouted", info.sprouted);
    add_count(&l, "shrunk", info.shrunk);
    add_count(&l, "kept", info.kept);
    add_count(&l, "looked_into", info.looked_into);
    add_count(&l, "list_pairs", info.list_pairs);
    add_count(&l, "list_events", info.list_events);
    add_count(&l, "list_renewals", info.list_renewals);
    add_count(&l, "list_starts", info.list_starts);
    compare(file, "watch", &named, &l);
}

void tally_watch(golden_file *file, const scene *s, const tally_case *c)
{
    stage on;
    watched watches[WATCHES] = {{.pairs = 0}};
    stage_open(&on, s, &c->play, &c->setup);
    for (int i = 0; i < WATCHES; i++) watches[i].watch = make_watch(&on, watch_kinds[i]);
    for (uint32_t turn = 0; turn < c->play.frame_count; turn++) {
        stage_go(&on, turn);
        for (int i = 0; i < WATCHES; i++) ask_watch(&on, &watches[i]);
    }
    for (int i = 0; i < WATCHES; i++) compare_watch(file, c, watch_kinds[i], &watches[i]);
    stage_close(&on);
}
