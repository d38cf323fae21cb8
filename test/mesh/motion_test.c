/* motion_test.c - sources of positions: kernels read the bits that the definition gives, a state is
 * there exactly while it is needed, and a motion that finds no memory changes nothing. */
#include "mesh/motion/motion.h"

#include "base/kernel.h"
#include "mesh/mesh.h"
#include "support/test.h"
#include "support/test_allocator.h"

enum { VERTICES = 40, KEYS = 4, SEEDS = 20 };

typedef enum source { STORED, BORROWED, KEYFRAMES, PATHS, BOTH, MORPH, USER, SOURCE_COUNT } source;

static const wi_motion_kind kind_of[SOURCE_COUNT] = {
    WI_MOTION_STORED, WI_MOTION_BORROWED, WI_MOTION_PLAN, WI_MOTION_PLAN,
    WI_MOTION_PLAN,   WI_MOTION_MORPH,    WI_MOTION_USER};

typedef struct motion_case {
    test_allocator allocator;
    wi_memory memory;
    wi_message message;
    wi_mesh mesh;
    float positions[VERTICES][3];
} motion_case;

static void random_points(uint64_t *random, double size, float out[][3], int count)
{
    for (int i = 0; i < 3 * count; i++)
        out[i / 3][i % 3] = (float)test_random_between(random, -size, size);
}

static bool follow_keys(motion_case *c, uint64_t *random)
{
    static float keys[KEYS * VERTICES][3];
    const double times[KEYS] = {0.0, 0.75, 1.5, 2.0};
    wi_plan plan;
    random_points(random, 2.0, keys, KEYS * VERTICES);
    willow_flightplan def = willow_flightplan_default();
    def.positions = keys;
    def.times = times;
    def.keyframe_count = KEYS;
    return wi_plan_make(&c->memory, &def, VERTICES, c->mesh.place, NULL, &c->message, &plan) ==
               WILLOW_OK &&
           wi_mesh_begin_plan(&c->memory, &c->mesh, &plan, 1.0);
}

static bool follow_paths(motion_case *c, uint64_t *random)
{
    if (!wi_mesh_reserve_paths(&c->memory, &c->mesh, 0.0)) return false;
    wi_plan *plan = wi_mesh_plan(&c->mesh);
    for (uint32_t place = 0; place < VERTICES; place += 3) {
        wi_path path = {.since = -0.5};
        for (int axis = 0; axis < 3; axis++) {
            path.start[axis] = test_random_between(random, -1.0, 1.0);
            path.velocity[axis] = (float)test_random_between(random, -1.0, 1.0);
            path.acceleration[axis] = (float)test_random_between(random, -1.0, 1.0);
        }
        wi_plan_set_path(plan, place, &path);
    }
    plan->now = wi_plan_moment(plan, 1.0);
    return true;
}

/* Offsets of all vertices, and of few. */
static bool morph(motion_case *c, uint64_t *random)
{
    static float all[VERTICES][3], few[3][3];
    const uint32_t which[3] = {2, 7, VERTICES - 1};
    const float weights[2] = {0.75F, -1.25F};
    const willow_morph_target targets[2] = {{.values = all},
                                            {.values = few, .vertices = which, .vertex_count = 3}};
    const wi_morph_vertices vertices = {VERTICES, c->mesh.place, NULL, c->mesh.positions,
                                        sizeof *c->mesh.positions};
    wi_morph made;
    random_points(random, 2.0, all, VERTICES);
    random_points(random, 2.0, few, 3);
    willow_morph def = willow_morph_default();
    def.kind = WILLOW_MORPH_OFFSETS;
    def.targets = targets;
    def.target_count = 2;
    def.weights = weights;
    return wi_morph_make(&c->memory, &def, &vertices, &c->message, &made) == WILLOW_OK &&
           wi_mesh_begin_morph(&c->memory, &c->mesh, &made);
}

static willow_vec3 stretch(void *context, uint32_t vertex, willow_vec3 rest)
{
    (void)context;
    return (willow_vec3){rest.x * 1.5F, rest.y + (float)vertex * 0.125F, -rest.z};
}

static bool deform(motion_case *c)
{
    wi_user_motion *user = wi_user_motion_make(&c->memory, VERTICES);
    if (user == NULL) return false;
    user->hook.position = stretch;
    wi_mesh_begin_user(&c->memory, &c->mesh, user);
    return true;
}

/* False if there is no memory. */
static bool begin(motion_case *c, source from, uint64_t *random)
{
    bool ok = true;
    if (from == KEYFRAMES || from == BOTH) ok = follow_keys(c, random);
    if (ok && (from == PATHS || from == BOTH)) ok = follow_paths(c, random);
    if (from == MORPH) ok = morph(c, random);
    if (from == USER) ok = deform(c);
    return ok;
}

static void make_mesh(motion_case *c, source from, uint64_t *random)
{
    const uint32_t tri[1][3] = {{0, 1, 2}};
    *c = (motion_case){0};
    const willow_allocator functions = test_allocator_functions(&c->allocator);
    wi_memory_init(&c->memory, &functions);
    random_points(random, 2.0, c->positions, VERTICES);
    const willow_mesh_def def = {.positions = c->positions,
                                 .vertex_count = VERTICES,
                                 .indices = tri,
                                 .triangle_count = 1,
                                 .borrow = from == BORROWED};
    assert_int_equal(wi_mesh_create(&c->memory, &def, &c->message, &c->mesh), WILLOW_OK);
}

static void free_mesh(motion_case *c)
{
    wi_mesh_destroy(&c->memory, &c->mesh);
    assert_true(test_allocator_is_clean(&c->allocator));
}

static void check_kernels(const wi_mesh *mesh, const wi_motion_kernels *kernels, uint64_t *random)
{
    _Alignas(32) float points[VERTICES][4], eight[WI_LANES][4];
    uint32_t listed[VERTICES];
    for (uint32_t i = 0; i < VERTICES; i++) listed[i] = (uint32_t)(test_random(random) % VERTICES);
    const wi_places places = {
        .listed = listed, .first = 5, .run_count = mesh->borrowed ? 0 : 11, .count = 31};
    kernels->read_leaf(mesh, &places, points);
    kernels->gather8(mesh, listed, eight);
    for (uint32_t i = 0; i < places.count; i++) {
        float at[4];
        wi_mesh_world_at(mesh, wi_places_at(&places, i), at);
        assert_memory_equal(at, points[i], 3 * sizeof *at);
        wi_mesh_world_at(mesh, listed[i % WI_LANES], at);
        assert_memory_equal(at, eight[i % WI_LANES], 3 * sizeof *at);
    }
}

static void check_fill(wi_mesh *mesh, willow_kernel kernel)
{
    if (!wi_mesh_is_computed(mesh)) return;
    wi_mesh_fill_for(kernel)(mesh, 0, VERTICES);
    for (uint32_t vertex = 0; vertex < VERTICES; vertex++) {
        float at[3];
        wi_mesh_compute_point(mesh, mesh->place[vertex], at);
        assert_memory_equal(at, wi_mesh_position(mesh, vertex), sizeof at);
    }
}

static void check_case(source from, bool is_posed, bool is_live, uint64_t seed)
{
    motion_case c;
    const willow_pose pose = {.translation = {1, -2, 0.5F}, .rotation = {0.25F, -0.5F, 0.125F, 1}};
    make_mesh(&c, from, &seed);
    assert_true(begin(&c, from, &seed));
    assert_int_equal(c.mesh.motion, kind_of[from]);
    assert_null(wi_mesh_validate(&c.mesh));
    if (is_posed) wi_mesh_set_pose(&c.mesh, &pose);
    if (wi_mesh_is_computed(&c.mesh)) wi_mesh_store_plan(&c.mesh, WILLOW_KERNEL_SCALAR);
    if (wi_mesh_is_computed(&c.mesh) && is_live) c.mesh.stored = WI_STORED_OLD;
    check_kernels(&c.mesh, wi_motion_kernels_scalar[c.mesh.motion], &seed);
    check_fill(&c.mesh, WILLOW_KERNEL_SCALAR);
#if defined(WILLOW_HAS_AVX2)
    if (wi_kernel_choose(WILLOW_KERNEL_AVX2) == WILLOW_KERNEL_AVX2) {
        check_kernels(&c.mesh, wi_motion_kernels_avx2[c.mesh.motion], &seed);
        check_fill(&c.mesh, WILLOW_KERNEL_AVX2);
    }
#endif
    free_mesh(&c);
}

static void kernels_read_what_the_definition_says(void **state)
{
    (void)state;
    for (int from = 0; from < SOURCE_COUNT; from++)
        for (unsigned how = 0; how < 4; how++)
            for (uint64_t seed = 0; seed < SEEDS; seed++)
                check_case((source)from, (how & 1) != 0, (how & 2) != 0, seed);
}

static void a_motion_that_ends_leaves_nothing(void **state)
{
    (void)state;
    for (int from = 0; from < SOURCE_COUNT; from++) {
        motion_case c;
        uint64_t random = 7;
        make_mesh(&c, (source)from, &random);
        const size_t bytes = wi_mesh_bytes(&c.mesh);
        assert_true(begin(&c, (source)from, &random));
        assert_true((wi_mesh_bytes(&c.mesh) > bytes) == wi_mesh_is_computed(&c.mesh));
        wi_mesh_end_motion(&c.memory, &c.mesh);
        assert_null(wi_mesh_validate(&c.mesh));
        assert_int_equal(wi_mesh_bytes(&c.mesh), bytes);
        assert_null(c.mesh.state.any);
        free_mesh(&c);
    }
}

static void a_motion_without_memory_changes_nothing(void **state)
{
    (void)state;
    for (int from = KEYFRAMES; from < SOURCE_COUNT; from++) {
        bool is_done = false;
        for (size_t limit = 1; !is_done; limit++) {
            motion_case c;
            uint64_t random = 7;
            make_mesh(&c, (source)from, &random);
            const size_t bytes = c.memory.bytes;
            c.allocator.fail_at = c.allocator.calls + limit;
            is_done = begin(&c, from == BOTH ? KEYFRAMES : (source)from, &random);
            if (!is_done) {
                assert_int_equal(c.mesh.motion, WI_MOTION_STORED);
                assert_int_equal(c.memory.bytes, bytes);
                assert_null(wi_mesh_validate(&c.mesh));
            }
            free_mesh(&c);
        }
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(kernels_read_what_the_definition_says),
    cmocka_unit_test(a_motion_that_ends_leaves_nothing),
    cmocka_unit_test(a_motion_without_memory_changes_nothing),
};

TEST_GROUP(motion, tests);
