/* willow_body_copy_order: a permutation of all vertices in the order in which leaves meet them,
 * with every builder, for every kind of mesh; and a mesh that is renumbered by it has the same
 * hierarchy, with the identity as its order. */
#include <stdlib.h>
#include "support/fixture.h"
#include "support/test.h"
#include "support/zoo_cases.h"

/* A mesh as a caller has it, and one body of it in a world of its own. */
typedef struct site {
    const zoo_mesh *mesh;
    float (*positions)[3];
    uint32_t (*tris)[3];
    willow_world *world;
    willow_body_id id;
    uint32_t *order;
} site;

typedef struct way {
    willow_method method;
    willow_build build;
    uint32_t arity, leaf_triangles;
    bool borrow, weld;
} way;

static void copy_order(site *s)
{
    uint32_t count = s->mesh->vertex_count;
    s->order = calloc((size_t)count + 1, sizeof *s->order);
    assert_ok(willow_body_copy_order(s->world, s->id, 0, count, s->order));
}

/* Takes positions and triangles over. */
static site make_site(const zoo_mesh *mesh, float (*positions)[3], uint32_t (*tris)[3],
                      const way *how)
{
    site s = {.mesh = mesh, .positions = positions, .tris = tris};
    willow_body_def def = willow_body_def_default();
    def.mesh = (willow_mesh_def){.positions = positions,
                                 .vertex_count = mesh->vertex_count,
                                 .indices = tris,
                                 .triangle_count = mesh->triangle_count,
                                 .triangle_groups = mesh->groups,
                                 .group_masks = mesh->masks,
                                 .group_count = mesh->mask_count,
                                 .borrow = how->borrow,
                                 .weld_exact = how->weld};
    def.tree.method = how->method;
    def.tree.build = how->build;
    def.tree.arity = how->arity;
    def.tree.leaf_triangles = how->leaf_triangles;
    s.world = fixture_world(NULL);
    s.id = fixture_body(s.world, &def);
    assert_ok(willow_world_update(s.world, 0.0, NULL));
    copy_order(&s);
    return s;
}

static void destroy_site(site *s)
{
    willow_world_destroy(s->world);
    free(s->positions);
    free(s->tris);
    free(s->order);
}

static void *copy_of(const void *items, size_t count, size_t size)
{
    void *copy = calloc(count + 1, size);
    if (count > 0) memcpy(copy, items, count * size);
    return copy;
}

static site make_plain(const zoo_mesh *mesh, const way *how)
{
    return make_site(mesh, copy_of(mesh->positions, mesh->vertex_count, sizeof *mesh->positions),
                     copy_of(mesh->tris, mesh->triangle_count, sizeof *mesh->tris), how);
}

/* The same triangles and positions under other numbers. */
static site make_renumbered(const site *s, const way *how)
{
    const zoo_mesh *mesh = s->mesh;
    float(*positions)[3] = calloc((size_t)mesh->vertex_count + 1, sizeof *positions);
    uint32_t(*tris)[3] = calloc((size_t)mesh->triangle_count + 1, sizeof *tris);
    uint32_t *old_to_new = calloc((size_t)mesh->vertex_count + 1, sizeof *old_to_new);
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        old_to_new[s->order[i]] = i;
        memcpy(positions[i], s->positions[s->order[i]], sizeof positions[i]);
    }
    for (uint32_t i = 0; i < 3 * mesh->triangle_count; i++)
        tris[i / 3][i % 3] = old_to_new[s->tris[i / 3][i % 3]];
    free(old_to_new);
    return make_site(mesh, positions, tris, how);
}

static bool is_permutation(const uint32_t *order, uint32_t count)
{
    uint8_t *seen = calloc((size_t)count + 1, 1);
    bool ok = true;
    for (uint32_t i = 0; i < count && ok; i++) ok = order[i] < count && seen[order[i]]++ == 0;
    free(seen);
    return ok;
}

static bool is_identity(const uint32_t *order, uint32_t count)
{
    uint32_t i = 0;
    while (i < count && order[i] == i) i++;
    return i == count;
}

/* ---- the hierarchy, as visit_nodes shows it ---- */

enum { MAX_NODES = 1000 };

/* Nodes with copies of the triangles that leaves have. */
typedef struct record {
    willow_node nodes[MAX_NODES];
    willow_tri tris[MAX_NODES];
    size_t count, tri_count;
} record;

static bool keep_node(void *context, const willow_node *node)
{
    record *r = context;
    assert_true(r->count < MAX_NODES && r->tri_count + node->triangle_count <= MAX_NODES);
    r->nodes[r->count++] = *node;
    for (uint32_t i = 0; i < node->triangle_count; i++)
        r->tris[r->tri_count++] = node->triangles[i];
    return true;
}

static void read_nodes(const site *s, record *r)
{
    *r = (record){0};
    assert_ok(willow_body_visit_nodes(s->world, s->id, keep_node, r));
}

static void expect_same_nodes(const site *a, const site *b)
{
    static record left, right;
    read_nodes(a, &left);
    read_nodes(b, &right);
    assert_int_equal(left.count, right.count);
    assert_int_equal(left.tri_count, right.tri_count);
    assert_memory_equal(left.tris, right.tris, left.tri_count * sizeof *left.tris);
    for (size_t i = 0; i < left.count; i++) {
        const willow_node *p = &left.nodes[i], *q = &right.nodes[i];
        assert_true(p->number == q->number && p->parent == q->parent && p->depth == q->depth &&
                    p->child_count == q->child_count && p->triangle_count == q->triangle_count);
        assert_memory_equal(&p->box, &q->box, sizeof p->box);
    }
}

/* The first vertex of equal ones, as welding has it. */
static uint32_t stand_in(const site *s, uint32_t vertex, bool weld)
{
    const float *p = s->positions[vertex];
    uint32_t first = weld ? 0 : vertex;
    while (first < vertex && !(s->positions[first][0] == p[0] && s->positions[first][1] == p[1] &&
                               s->positions[first][2] == p[2]))
        first++;
    return first;
}

/* What the order must be, from the leaves and the caller's own triangles: each vertex where a sweep
 * first meets it, then those that are not met, then merged ones. Nothing of the order itself. */
static void expect_order_of_leaves(const site *s, bool weld)
{
    static record r;
    const uint32_t count = s->mesh->vertex_count;
    uint32_t *wanted = calloc((size_t)count + 1, sizeof *wanted), at = 0;
    bool *is_met = calloc((size_t)count + 1, sizeof *is_met);
    read_nodes(s, &r);
    if (r.count == 0) weld = false; /* without a tree all are in their own order */
    for (size_t i = 0; i < 3 * r.tri_count; i++) {
        uint32_t vertex = stand_in(s, s->tris[r.tris[i / 3]][i % 3], weld);
        if (!is_met[vertex]) wanted[at++] = vertex;
        is_met[vertex] = true;
    }
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t vertex = 0; vertex < count; vertex++)
            if (!is_met[vertex] && (stand_in(s, vertex, weld) != vertex) == (pass == 1))
                wanted[at++] = vertex;
    assert_int_equal(at, count);
    assert_memory_equal(s->order, wanted, count * sizeof *wanted);
    free(wanted);
    free(is_met);
}

/* ---- tests ---- */

/* True if the order was not the identity before. */
static bool check_way(const zoo_mesh *mesh, const way *how)
{
    site plain = make_plain(mesh, how);
    const uint32_t count = mesh->vertex_count;
    assert_true(is_permutation(plain.order, count));
    expect_order_of_leaves(&plain, how->weld);
    site renumbered = make_renumbered(&plain, how);
    if (!is_identity(renumbered.order, count))
        fail_msg("%s, method %s, builder %s: the order of the renumbered mesh is not the identity",
                 zoo_kind_name(mesh->kind), willow_method_name(how->method),
                 willow_build_name(how->build));
    expect_same_nodes(&plain, &renumbered);
    bool was_other = !is_identity(plain.order, count);
    destroy_site(&plain);
    destroy_site(&renumbered);
    return was_other;
}

static void a_renumbered_mesh_has_the_same_tree_and_the_identity(void **state)
{
    (void)state;
    size_t ways = 0, others = 0;
    for (zoo_kind kind = 0; kind < ZOO_KIND_COUNT; kind++) {
        zoo_mesh mesh;
        zoo_mesh_create(&mesh, kind, 90, 7);
        for (willow_build build = WILLOW_BUILD_AUTO; build < WILLOW_BUILD_COUNT; build++)
            for (unsigned i = 0; i < 12; i++) {
                way how = {.method = i % 3 == 0 ? WILLOW_METHOD_REBUILD : WILLOW_METHOD_BOTTOM_UP,
                           .build = build,
                           .arity = zoo_arities[i % ZOO_ARITIES],
                           .leaf_triangles = i / 3 * 5,
                           .borrow = i % 2 == 1,
                           .weld = mesh.weld || i % 4 == 0};
                others += check_way(&mesh, &how);
                ways++;
            }
        zoo_mesh_destroy(&mesh);
    }
    print_message("%zu meshes were renumbered, %zu of them were in another order\n", ways, others);
    assert_true(others > ways / 2);
}

static void without_a_tree_it_is_the_identity(void **state)
{
    (void)state;
    static const zoo_kind kinds[] = {ZOO_KIND_EMPTY, ZOO_KIND_ALONE, ZOO_KIND_IGNORED,
                                     ZOO_KIND_SEAMS, ZOO_KIND_LOOSE};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        zoo_mesh mesh;
        zoo_mesh_create(&mesh, kinds[i], 40, 3);
        way how = {.method = i < 3 ? WILLOW_METHOD_BOTTOM_UP : WILLOW_METHOD_BRUTE,
                   .arity = 8,
                   .weld = mesh.weld};
        site s = make_plain(&mesh, &how);
        assert_true(is_identity(s.order, mesh.vertex_count));
        destroy_site(&s);
        zoo_mesh_destroy(&mesh);
    }
}

static void a_body_that_loses_its_tree_loses_its_order(void **state)
{
    (void)state;
    zoo_mesh mesh;
    zoo_mesh_create(&mesh, ZOO_KIND_CRUMPLED, 90, 2);
    way how = {.arity = 8, .leaf_triangles = 4};
    site s = make_plain(&mesh, &how);
    assert_false(is_identity(s.order, mesh.vertex_count));
    willow_tree_def tree = willow_tree_def_default();
    tree.method = WILLOW_METHOD_BRUTE;
    assert_ok(willow_body_set_tree(s.world, s.id, &tree));
    assert_int_equal(willow_body_copy_order(s.world, s.id, 0, 1, s.order), WILLOW_STALE);
    assert_ok(willow_world_update(s.world, 0.0, NULL));
    free(s.order);
    copy_order(&s);
    assert_true(is_identity(s.order, mesh.vertex_count));
    destroy_site(&s);
    zoo_mesh_destroy(&mesh);
}

static void a_refit_keeps_the_order(void **state)
{
    (void)state;
    zoo_mesh mesh;
    zoo_mesh_create(&mesh, ZOO_KIND_CRUMPLED, 90, 4);
    way how = {.arity = 8, .leaf_triangles = 4};
    site s = make_plain(&mesh, &how);
    uint32_t *before = s.order;
    zoo_mesh_move(&mesh, 1, 0, mesh.vertex_count);
    assert_ok(willow_body_set_vertices(s.world, s.id, 0, mesh.vertex_count, mesh.positions, 0));
    assert_ok(willow_world_update(s.world, 1.0, NULL));
    copy_order(&s);
    assert_memory_equal(before, s.order, mesh.vertex_count * sizeof *before);
    free(before);
    destroy_site(&s);
    zoo_mesh_destroy(&mesh);
}

/* Leaves, loose and merged vertices are all in it. */
static void a_part_is_what_the_whole_has_there(void **state)
{
    (void)state;
    enum { MOST = 400 };
    zoo_mesh mesh;
    zoo_mesh_create(&mesh, ZOO_KIND_SEAMS, 40, 6);
    uint16_t groups[MOST] = {0}, *none = mesh.groups;
    assert_true(mesh.triangle_count <= MOST && mesh.vertex_count <= MOST);
    for (uint32_t i = 0; i < mesh.triangle_count; i++) groups[i] = i % 5 != 0;
    mesh.groups = groups;
    way how = {.arity = 2, .leaf_triangles = 3, .weld = true};
    site s = make_plain(&mesh, &how);
    const uint32_t count = mesh.vertex_count;
    for (uint32_t first = 0; first <= count; first++)
        for (uint32_t length = 0; length <= count - first; length++) {
            uint32_t part[MOST + 1];
            part[length] = 77777;
            assert_ok(willow_body_copy_order(s.world, s.id, first, length, part));
            assert_memory_equal(part, s.order + first, length * sizeof *part);
            assert_int_equal(part[length], 77777);
        }
    destroy_site(&s);
    mesh.groups = none;
    zoo_mesh_destroy(&mesh);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_renumbered_mesh_has_the_same_tree_and_the_identity),
    cmocka_unit_test(without_a_tree_it_is_the_identity),
    cmocka_unit_test(a_body_that_loses_its_tree_loses_its_order),
    cmocka_unit_test(a_refit_keeps_the_order),
    cmocka_unit_test(a_part_is_what_the_whole_has_there),
};

TEST_GROUP(order, tests);
