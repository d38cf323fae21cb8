/* zoo_world.c - hands scenes to worlds as users would, and compares answers.
 * Way in: zoo_world_create, zoo_world_follow, zoo_world_check. User arrays end with the last
 * coordinate, so that the address sanitizer sees whoever reads beyond; gaps hold NaN. */
#include "support/zoo_world.h"

#include <math.h>
#include <stdlib.h>
#include "base/hash.h"
#include "base/kernel.h"
#include "support/fixture.h"
#include "support/test.h"

bool zoo_has_kernel(willow_kernel kernel) { return wi_kernel_choose(kernel) == kernel; }

willow_tree_def zoo_tree(willow_method method, uint32_t arity, uint32_t leaf_triangles)
{
    willow_tree_def tree = willow_tree_def_default();
    tree.method = method;
    tree.arity = arity;
    tree.leaf_triangles = leaf_triangles;
    return tree;
}

willow_build zoo_build(uint64_t turn)
{
    static const willow_build builds[] = {
#define BUILD_ENTRY(name, words, what) WILLOW_BUILD_##name,
        WILLOW_BUILDS(BUILD_ENTRY)
#undef BUILD_ENTRY
    };
    return builds[turn % (sizeof builds / sizeof builds[0])];
}

static const struct {
    const char *name;
    willow_method method;
} variants[ZOO_VARIANT_COUNT] = {
#define METHOD_ENTRY(name, words, what) {words, WILLOW_METHOD_##name},
    WILLOW_METHODS(METHOD_ENTRY)
#undef METHOD_ENTRY
#define SETTING_ENTRY(name, words, setting, value) {words, WILLOW_METHOD_##name},
        ZOO_SETTINGS(SETTING_ENTRY)
#undef SETTING_ENTRY
};

const char *zoo_variant_name(uint32_t variant) { return variants[variant].name; }

bool zoo_variant_grows(uint32_t variant)
{
    return variants[variant].method == WILLOW_METHOD_SPHERE;
}

willow_tree_def zoo_variant_tree(uint32_t variant, uint32_t arity, uint32_t leaf_triangles)
{
    willow_tree_def tree = zoo_tree(variants[variant].method, arity, leaf_triangles);
    uint32_t row = WILLOW_METHOD_COUNT;
#define SETTING_ENTRY(name, words, setting, value)                                                 \
    if (row++ == variant) tree.setting = value;
    ZOO_SETTINGS(SETTING_ENTRY)
#undef SETTING_ENTRY
    return tree;
}

void zoo_tree_vary(willow_tree_def *tree, uint64_t turn)
{
    uint32_t fitting[ZOO_VARIANT_COUNT], count = 0;
    for (uint32_t i = 0; i < ZOO_VARIANT_COUNT; i++)
        if (variants[i].method == tree->method) fitting[count++] = i;
    /* One on with every round of builders, so that all of them meet all settings. */
    uint64_t chosen = (turn + turn / WILLOW_BUILD_COUNT) % count;
    *tree = zoo_variant_tree(fitting[chosen], tree->arity, tree->leaf_triangles);
    tree->build = zoo_build(turn);
}

zoo_setup zoo_setup_with(willow_kernel kernel, willow_tree_def tree)
{
    zoo_setup setup = {.world = willow_world_def_default()};
    setup.world.kernel = kernel;
    for (int i = 0; i < ZOO_MAX_BODIES; i++) setup.trees[i] = tree;
    return setup;
}

/* ---- failures in words ---- */

static void describe(const zoo_world *w)
{
    const zoo_setup *setup = &w->setup;
    print_error("world: kernel %s, %u threads, formats %llx\n",
                willow_kernel_name(setup->world.kernel), setup->world.thread_count,
                (unsigned long long)setup->formats);
    for (uint32_t i = 0; i < w->scene->body_count; i++) {
        const zoo_mesh *mesh = &w->scene->bodies[i].mesh;
        const willow_tree_def *tree = &setup->trees[i];
        const willow_vec3 *t = &w->scene->bodies[i].pose.translation;
        const willow_quat *q = &w->scene->bodies[i].pose.rotation;
        print_error("body %u: %s, size %u, seed %llu; %s, %s, arity %u, leaves of %u, level %u, "
                    "margin %g, ratio %g; masks for %u of %u groups\n",
                    i, zoo_kind_name(mesh->kind), mesh->size, (unsigned long long)mesh->seed,
                    willow_method_name(tree->method), willow_build_name(tree->build), tree->arity,
                    tree->leaf_triangles, tree->hybrid_level, (double)tree->margin,
                    (double)tree->rebuild_ratio, mesh->mask_count, mesh->group_count);
        print_error("    at (%a, %a, %a) turned by (%a, %a, %a, %a)\n", (double)t->x, (double)t->y,
                    (double)t->z, (double)q->x, (double)q->y, (double)q->z, (double)q->w);
    }
}

static void describe_question(const zoo_question *q)
{
    print_error("question: %s bodies (%u), skip_neighbours %d, filter %u, max_results %zu, "
                "use_threads %d, descend %d\n",
                q->is_named ? "named" : "all", q->body_count, q->skip_neighbours, q->filter,
                q->max_results, q->use_threads, (int)q->descend);
}

static void expect(const zoo_world *w, const zoo_question *q, bool holds, const char *words)
{
    if (holds) return;
    describe(w);
    if (q) describe_question(q);
    fail_msg("%s", words);
}

static void expect_ok(const zoo_world *w, willow_result result)
{
    if (result == WILLOW_OK) return;
    describe(w);
    fail_msg("%s: %s / %s", willow_result_name(result), willow_world_message(w->world),
             w->scratch ? willow_scratch_message(w->scratch) : "");
}

/* ---- making and moving ---- */

static size_t stride_for(uint64_t format)
{
    static const size_t strides[] = {12, 16, 20, 24, 44};
    return format == 0 ? 12 : strides[format % 5];
}

/* Vertices [first, first + count) as a user's array that ends with the last coordinate. */
static char *user_vertices(const zoo_mesh *mesh, uint32_t first, uint32_t count, size_t stride)
{
    if (count == 0) return NULL;
    size_t size = (count - 1) * stride + 3 * sizeof(float);
    char *vertices = malloc(size);
    for (size_t at = 0; at < size; at += sizeof(float))
        memcpy(vertices + at, &(float){NAN}, sizeof(float));
    for (uint32_t i = 0; i < count; i++)
        memcpy(vertices + i * stride, mesh->positions[first + i], sizeof *mesh->positions);
    return vertices;
}

static void *user_indices(const zoo_mesh *mesh, bool is_narrow)
{
    size_t count = 3 * (size_t)mesh->triangle_count;
    uint32_t *wide = malloc(count * sizeof *wide + 1);
    uint16_t *narrow = malloc(count * sizeof *narrow + 1);
    for (size_t i = 0; i < count; i++) {
        wide[i] = mesh->tris[i / 3][i % 3];
        narrow[i] = (uint16_t)wide[i];
    }
    free(is_narrow ? (void *)wide : narrow);
    return is_narrow ? (void *)narrow : wide;
}

static void create_body(zoo_world *w, uint32_t number)
{
    const zoo_body *from = &w->scene->bodies[number];
    const zoo_mesh *mesh = &from->mesh;
    zoo_user_body *user = &w->bodies[number];
    uint64_t format = w->setup.formats == 0 ? 0 : wi_hash_u64(w->setup.formats, number);
    bool is_narrow = (format >> 8 & 1) != 0;
    user->borrows = (format >> 9 & 1) != 0;
    user->stride = stride_for(format >> 10);
    user->vertices = user_vertices(mesh, 0, mesh->vertex_count, user->stride);
    void *indices = user_indices(mesh, is_narrow);

    willow_body_def def = willow_body_def_default();
    def.mesh = zoo_mesh_def(mesh);
    def.mesh.positions = user->vertices;
    def.mesh.stride = user->stride;
    def.mesh.indices = indices;
    def.mesh.index_type = is_narrow ? WILLOW_INDEX_U16 : WILLOW_INDEX_U32;
    def.mesh.borrow = user->borrows;
    def.pose = from->pose;
    def.tree = w->setup.trees[number];
    def.category_bits = from->category_bits;
    def.mask_bits = from->mask_bits;
    def.self = from->self;
    expect_ok(w, willow_body_create(w->world, &def, &user->id));
    assert_int_equal(user->id.index1, number + 1);
    free(indices);
}

static bool is_in_box(const willow_box *box, willow_vec3 p)
{
    return box->lower.x <= p.x && p.x <= box->upper.x && box->lower.y <= p.y &&
           p.y <= box->upper.y && box->lower.z <= p.z && p.z <= box->upper.z;
}

/* Corners of triangles are where the pose puts them, to the bit, and in the box of the body. */
static void check_place(zoo_world *w, uint32_t number)
{
    const zoo_body *from = &w->scene->bodies[number];
    const uint32_t count = from->mesh.vertex_count;
    willow_vec3 *copied = calloc(count + 1, sizeof *copied);
    willow_body_info info;
    expect_ok(w, willow_body_get_info(w->world, w->bodies[number].id, &info));
    expect_ok(w, willow_body_copy_vertices(w->world, w->bodies[number].id, 0, count, copied));
    expect(w, NULL, memcmp(&info.pose, &from->pose, sizeof info.pose) == 0, "another pose");
    for (uint32_t i = 0; i < 3 * from->mesh.triangle_count; i++) {
        uint32_t vertex = from->tris[i / 3][i % 3];
        willow_vec3 at;
        willow_pose_apply(&from->pose, from->mesh.positions[vertex], 0, 1, &at);
        expect(w, NULL, memcmp(&at, &copied[vertex], sizeof at) == 0, "a vertex is elsewhere");
        if (from->mesh.groups == NULL || from->mesh.groups[i / 3] != 0)
            expect(w, NULL, is_in_box(&info.box, at), "a vertex is not in the box of its body");
    }
    free(copied);
}

static void update(zoo_world *w)
{
    char reason[200] = "";
    expect_ok(w, willow_world_update(w->world, 0.0, NULL));
    if (!willow_world_validate(w->world, reason, sizeof reason)) expect(w, NULL, false, reason);
    for (uint32_t i = 0; i < w->scene->body_count; i++) check_place(w, i);
}

void zoo_world_create(zoo_world *w, const zoo_scene *scene, const zoo_setup *setup)
{
    *w = (zoo_world){.scene = scene, .setup = *setup};
    w->world = fixture_world(&setup->world);
    for (uint32_t i = 0; i < scene->body_count; i++) create_body(w, i);
    expect_ok(w, willow_scratch_create(w->world, &w->scratch));
    update(w);
}

void zoo_world_destroy(zoo_world *w)
{
    fixture_close(w->world, w->scratch);
    for (uint32_t i = 0; i < w->scene->body_count; i++) free(w->bodies[i].vertices);
    *w = (zoo_world){0};
}

static void write_borrowed(zoo_world *w, uint32_t number)
{
    const zoo_body *from = &w->scene->bodies[number];
    zoo_user_body *user = &w->bodies[number];
    expect_ok(w, willow_body_begin_vertices(w->world, user->id));
    for (uint32_t i = from->moved_first; i < from->moved_first + from->moved_count; i++)
        memcpy(user->vertices + i * user->stride, from->mesh.positions[i],
               sizeof *from->mesh.positions);
}

static void set_piece(zoo_world *w, uint32_t number, uint32_t first, uint32_t count)
{
    zoo_user_body *user = &w->bodies[number];
    char *vertices = user_vertices(&w->scene->bodies[number].mesh, first, count, user->stride);
    /* A stride of 12 may also be given as 0. */
    size_t stride = user->stride == 12 && first % 2 == 0 ? 0 : user->stride;
    expect_ok(w, willow_body_set_vertices(w->world, user->id, first, count, vertices, stride));
    free(vertices);
}

/* Somewhere else first, all at once, and from there to where they belong in two pieces. */
static void set_twice(zoo_world *w, uint32_t number)
{
    uint32_t count = w->scene->bodies[number].mesh.vertex_count;
    float(*elsewhere)[3] = calloc(count, sizeof *elsewhere);
    expect_ok(w, willow_body_set_vertices(w->world, w->bodies[number].id, 0, count, elsewhere, 0));
    free(elsewhere);
    set_piece(w, number, 0, count / 2);
    set_piece(w, number, count / 2, count - count / 2);
}

static void set_moved(zoo_world *w, uint32_t number, uint64_t key)
{
    const zoo_body *from = &w->scene->bodies[number];
    uint32_t first = from->moved_first, count = from->moved_count;
    if (key % 4 == 0) { /* all, though not all moved */
        set_piece(w, number, 0, from->mesh.vertex_count);
    } else if (key % 4 == 1) {
        set_twice(w, number);
    } else if (key % 4 == 2 || count < 2) {
        set_piece(w, number, first, count);
    } else { /* two pieces, the later one first */
        uint32_t cut = 1 + (uint32_t)(wi_hash_u64(key, 1) % (count - 1));
        set_piece(w, number, first + cut, count - cut);
        set_piece(w, number, first, cut);
    }
}

static void set_vertices(zoo_world *w, uint32_t number, uint64_t key)
{
    if (w->scene->bodies[number].moved_count == 0) return;
    if (w->bodies[number].borrows)
        write_borrowed(w, number);
    else
        set_moved(w, number, key);
}

static void set_pose(zoo_world *w, uint32_t number, const willow_pose *pose)
{
    expect_ok(w, willow_body_set_pose(w->world, w->bodies[number].id, pose));
}

static void set_masks(zoo_world *w, uint32_t number)
{
    const zoo_mesh *mesh = &w->scene->bodies[number].mesh;
    willow_body_info info;
    expect_ok(w, willow_body_set_group_masks(w->world, w->bodies[number].id, mesh->masks,
                                             mesh->mask_count));
    expect_ok(w, willow_body_get_info(w->world, w->bodies[number].id, &info));
    expect(w, NULL, info.group_count == mesh->mask_count, "another matrix of groups");
}

/* Only the last pose before an update counts, whatever comes between. */
static void set_wrong_poses(zoo_world *w, uint32_t number, uint64_t key)
{
    for (uint64_t i = 0; i < 1 + key % 3; i++) {
        zoo_pose_kind kind = (zoo_pose_kind)((key >> 8) % ZOO_POSE_COUNT);
        willow_pose wrong = zoo_pose_make(kind, key, i);
        set_pose(w, number, &wrong);
    }
}

/* Vertices and pose in either order, groups before or behind. */
static void follow(zoo_world *w, uint32_t number, uint64_t key)
{
    const zoo_body *from = &w->scene->bodies[number];
    bool is_last = (key >> 32 & 1) != 0, masks_last = (key >> 35 & 1) != 0;
    if (from->is_masked && !masks_last) set_masks(w, number);
    if (from->is_turned && (key >> 33 & 3) == 0) set_wrong_poses(w, number, wi_hash_u64(key, 2));
    if (from->is_turned && !is_last) set_pose(w, number, &from->pose);
    set_vertices(w, number, key);
    if (from->is_turned && is_last) set_pose(w, number, &from->pose);
    if (from->is_masked && masks_last) set_masks(w, number);
}

void zoo_world_follow(zoo_world *w, uint64_t seed)
{
    for (uint32_t i = 0; i < w->scene->body_count; i++) follow(w, i, wi_hash_u64(seed, i));
    update(w);
}

/* ---- asking ---- */

/* What callbacks need. */
typedef struct asking {
    zoo_world *w;
    const zoo_question *question;
    zoo_pairs found;
    size_t stop_at; /* the visitor wants no more then */
} asking;

static uint32_t number_of(const zoo_world *w, willow_body_id id)
{
    uint32_t number = id.index1 - 1;
    bool is_ours =
        number < w->scene->body_count && memcmp(&w->bodies[number].id, &id, sizeof id) == 0;
    expect(w, NULL, is_ours, "a result names a body that is not there");
    return number;
}

static bool filter(void *context, willow_tri_ref a, willow_tri_ref b)
{
    const asking *ask = context;
    return zoo_filter_keeps(ask->question, number_of(ask->w, a.body), a.tri,
                            number_of(ask->w, b.body), b.tri);
}

static willow_query_options options_for(asking *ask, willow_body_id ids[2 * ZOO_MAX_BODIES])
{
    const zoo_question *q = ask->question;
    willow_query_options options = willow_query_options_default();
    if (q->is_named) {
        for (uint32_t i = 0; i < q->body_count; i++) ids[i] = ask->w->bodies[q->bodies[i]].id;
        options.bodies = ids;
        options.body_count = q->body_count;
    }
    if (q->filter != 0) {
        options.filter = filter;
        options.filter_context = ask;
    }
    options.max_results = q->max_results;
    options.skip_neighbours = q->skip_neighbours;
    options.use_threads = q->use_threads;
    options.descend = q->descend;
    return options;
}

/* Runs in order, none empty, one after the other over all items. */
static void check_runs(asking *ask, const willow_pairs *got)
{
    size_t next = 0;
    for (size_t i = 0; i < got->run_count; i++) {
        const willow_pair_run *run = &got->runs[i], *before = &got->runs[i - (i > 0)];
        uint32_t a = number_of(ask->w, run->body_a), b = number_of(ask->w, run->body_b);
        bool is_later = i == 0 || before->body_a.index1 < run->body_a.index1 ||
                        (before->body_a.index1 == run->body_a.index1 &&
                         before->body_b.index1 < run->body_b.index1);
        expect(ask->w, ask->question, run->count > 0 && run->first == next && a <= b && is_later,
               "C3: runs are not in order");
        next += run->count;
    }
    expect(ask->w, ask->question, next == got->count, "C3: runs do not cover the items");
}

static void check_list(asking *ask, const willow_pairs *got, const zoo_pairs *expected)
{
    size_t limit = ask->question->max_results;
    bool is_cut = limit > 0 && expected->count > limit;
    check_runs(ask, got);
    expect(ask->w, ask->question, got->complete == !is_cut, "`complete` is wrong");
    expect(ask->w, ask->question, got->count == (is_cut ? limit : expected->count),
           "another number of pairs");
    for (size_t i = 0; i < got->run_count; i++) {
        const willow_pair_run *run = &got->runs[i];
        for (size_t k = run->first; k < run->first + run->count; k++) {
            const zoo_pair *e = &expected->items[k];
            bool is_equal = run->body_a.index1 == e->body_a + 1 &&
                            run->body_b.index1 == e->body_b + 1 &&
                            got->items[k].tri_a == e->tri_a && got->items[k].tri_b == e->tri_b;
            expect(ask->w, ask->question, is_equal, "other pairs");
        }
    }
}

typedef size_t check(zoo_world *w, const zoo_question *question, const zoo_answers *expected);

typedef willow_result find(const willow_world *world, willow_scratch *scratch,
                           const willow_query_options *options, willow_pairs *out);

static size_t check_found(zoo_world *w, const zoo_question *question, find *ask_for,
                          const zoo_pairs *expected)
{
    asking ask = {.w = w, .question = question};
    willow_body_id ids[2 * ZOO_MAX_BODIES];
    willow_query_options options = options_for(&ask, ids);
    willow_pairs got;
    expect_ok(w, ask_for(w->world, w->scratch, &options, &got));
    check_list(&ask, &got, expected);
    return got.count;
}

size_t zoo_check_pairs(zoo_world *w, const zoo_question *question, const zoo_answers *expected)
{
    return check_found(w, question, willow_find_pairs, &expected->pairs);
}

size_t zoo_check_self_pairs(zoo_world *w, const zoo_question *question, const zoo_answers *expected)
{
    return check_found(w, question, willow_find_self_pairs, &expected->self_pairs);
}

static bool is_less(const zoo_pair *a, const zoo_pair *b)
{
    if (a->body_a != b->body_a) return a->body_a < b->body_a;
    if (a->body_b != b->body_b) return a->body_b < b->body_b;
    if (a->tri_a != b->tri_a) return a->tri_a < b->tri_a;
    return a->tri_b < b->tri_b;
}

/* The number of the first one that is not less; the list is in order. */
static size_t place_in(const zoo_pairs *list, const zoo_pair *pair)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (is_less(&list->items[middle], pair))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_at(const zoo_pairs *list, size_t place, const zoo_pair *pair)
{
    return place < list->count && !is_less(pair, &list->items[place]);
}

size_t zoo_check_first(zoo_world *w, const zoo_question *question, const zoo_answers *expected)
{
    asking ask = {.w = w, .question = question};
    willow_body_id ids[2 * ZOO_MAX_BODIES];
    willow_query_options options = options_for(&ask, ids);
    willow_first_pair got;
    expect_ok(w, willow_find_first_pair(w->world, w->scratch, &options, &got));
    expect(w, question, got.found == (expected->pairs.count > 0),
           got.found ? "a first pair where there is none" : "no first pair where there is one");
    if (!got.found) return 0;
    zoo_pair pair = {number_of(w, got.a.body), number_of(w, got.b.body), got.a.tri, got.b.tri};
    expect(w, question, is_at(&expected->pairs, place_in(&expected->pairs, &pair), &pair),
           "the first pair is no pair");
    return 1;
}

static bool collect(asking *ask, zoo_pair pair)
{
    zoo_pairs *list = &ask->found;
    if (list->count == list->capacity) {
        list->capacity = 2 * list->capacity + 64;
        list->items = realloc(list->items, list->capacity * sizeof *list->items);
    }
    list->items[list->count++] = pair;
    return list->count != ask->stop_at;
}

static bool visit_pair(void *context, willow_tri_ref a, willow_tri_ref b)
{
    asking *ask = context;
    return collect(ask,
                   (zoo_pair){number_of(ask->w, a.body), number_of(ask->w, b.body), a.tri, b.tri});
}

static bool visit_tri(void *context, willow_tri_ref tri)
{
    asking *ask = context;
    return collect(ask, (zoo_pair){.body_a = number_of(ask->w, tri.body), .tri_a = tri.tri});
}

/* The members of a set, each once: in the list, and none twice. */
static void check_members(asking *ask, const zoo_pairs *expected, const char *words)
{
    bool *was_seen = calloc(expected->count + 1, sizeof *was_seen);
    bool is_right = true;
    for (size_t i = 0; i < ask->found.count && is_right; i++) {
        size_t place = place_in(expected, &ask->found.items[i]);
        is_right = is_at(expected, place, &ask->found.items[i]) && !was_seen[place];
        was_seen[place] = true;
    }
    free(was_seen);
    expect(ask->w, ask->question, is_right, words);
}

size_t zoo_check_visit(zoo_world *w, const zoo_question *question, const zoo_answers *expected)
{
    asking ask = {.w = w, .question = question};
    willow_body_id ids[2 * ZOO_MAX_BODIES];
    willow_query_options options = options_for(&ask, ids);
    size_t count = expected->pairs.count, stops[2] = {0, count / 2};
    for (int i = 0; i < 2; i++) {
        ask.found.count = 0;
        ask.stop_at = stops[i];
        expect_ok(w, willow_visit_pairs(w->world, w->scratch, &options, visit_pair, &ask));
        expect(w, question, ask.found.count == (stops[i] > 0 ? stops[i] : count),
               "another number of pairs visited");
        check_members(&ask, &expected->pairs, "other pairs visited");
    }
    free(ask.found.items);
    return count;
}

size_t zoo_check_box(zoo_world *w, const zoo_question *question, const zoo_answers *expected)
{
    asking ask = {.w = w, .question = question};
    willow_body_id ids[2 * ZOO_MAX_BODIES];
    willow_query_options options = options_for(&ask, ids);
    size_t count = expected->in_box.count, stops[2] = {0, count / 2};
    for (int i = 0; i < 2; i++) {
        ask.found.count = 0;
        ask.stop_at = stops[i];
        expect_ok(
            w, willow_visit_box(w->world, w->scratch, &question->box, &options, visit_tri, &ask));
        expect(w, question, ask.found.count == (stops[i] > 0 ? stops[i] : count),
               "another number of triangles in the box");
        check_members(&ask, &expected->in_box, "other triangles in the box");
    }
    free(ask.found.items);
    return count;
}

size_t zoo_world_check(zoo_world *w, const zoo_question *question, const zoo_answers *expected)
{
    static check *const forms[] = {zoo_check_pairs, zoo_check_self_pairs, zoo_check_first,
                                   zoo_check_visit, zoo_check_box};
    enum { FORMS = sizeof forms / sizeof forms[0] };
    size_t count = 0;
    for (uint32_t i = 0; i < FORMS; i++) {
        const uint32_t form = (w->asked + i) % FORMS;
        const size_t found = forms[form](w, question, expected);
        count += form < 2 ? found : 0;
    }
    w->asked++;
    return count;
}
