/* Witnesses: a point of both triangles if they meet, midway if they are apart, a number always, and
 * the same bits from every world. The distances that they are held against are found here, in long
 * double, and are never too small: each is that to a point which is in the triangle. */
#include <float.h>
#include <math.h>
#include "prim/distance/closest.h"
#include "support/test.h"
#include "support/tri_cases.h"
#include "support/zoo_world.h"

typedef long double real;
typedef struct point {
    real at[3];
} point;

static point from_floats(const float p[3]) { return (point){{(real)p[0], (real)p[1], (real)p[2]}}; }

static point sub(point a, point b)
{
    return (point){{a.at[0] - b.at[0], a.at[1] - b.at[1], a.at[2] - b.at[2]}};
}

static real dot(point a, point b)
{
    return a.at[0] * b.at[0] + a.at[1] * b.at[1] + a.at[2] * b.at[2];
}

static point cross(point a, point b)
{
    return (point){{a.at[1] * b.at[2] - a.at[2] * b.at[1], a.at[2] * b.at[0] - a.at[0] * b.at[2],
                    a.at[0] * b.at[1] - a.at[1] * b.at[0]}};
}

static point mix(point a, point b, real share)
{
    point out;
    for (int i = 0; i < 3; i++) out.at[i] = a.at[i] + share * (b.at[i] - a.at[i]);
    return out;
}

static real distance(point a, point b) { return sqrtl(dot(sub(a, b), sub(a, b))); }

static real clamp(real share) { return share > 0 ? (share < 1 ? share : 1) : 0; }

static real distance_to_edge(point p, point from, point to)
{
    real length2 = dot(sub(to, from), sub(to, from));
    real share = length2 > 0 ? clamp(dot(sub(p, from), sub(to, from)) / length2) : 0;
    return distance(p, mix(from, to, share));
}

static real distance_to_tri(point p, const point tri[3])
{
    real best = distance_to_edge(p, tri[2], tri[0]);
    for (int i = 0; i < 2; i++) best = fminl(best, distance_to_edge(p, tri[i], tri[i + 1]));
    point u = sub(tri[1], tri[0]), v = sub(tri[2], tri[0]), w = sub(p, tri[0]);
    point normal = cross(u, v);
    real area2 = dot(normal, normal);
    if (!(area2 > 0)) return best;
    real t = clamp(dot(cross(u, w), normal) / area2);
    real s = fminl(clamp(dot(cross(w, v), normal) / area2), 1 - t);
    point foot = mix(mix(tri[0], tri[1], s), tri[2], 0);
    for (int i = 0; i < 3; i++) foot.at[i] += t * v.at[i];
    return fminl(best, distance(p, foot));
}

static real distance_of_edges(point a0, point a1, point b0, point b1)
{
    real best = fminl(fminl(distance_to_edge(a0, b0, b1), distance_to_edge(a1, b0, b1)),
                      fminl(distance_to_edge(b0, a0, a1), distance_to_edge(b1, a0, a1)));
    point u = sub(a1, a0), v = sub(b1, b0), w = sub(b0, a0), normal = cross(u, v);
    real area2 = dot(normal, normal);
    if (!(area2 > 0)) return best;
    real s = clamp(dot(cross(w, v), normal) / area2), t = clamp(dot(cross(w, u), normal) / area2);
    return fminl(best, distance(mix(a0, a1, s), mix(b0, b1, t)));
}

/* Of triangles that are apart. */
static real distance_of_tris(const point a[3], const point b[3])
{
    real best = INFINITY;
    for (int i = 0; i < 3; i++) {
        best = fminl(best, fminl(distance_to_tri(a[i], b), distance_to_tri(b[i], a)));
        for (int k = 0; k < 3; k++)
            best = fminl(best, distance_of_edges(a[i], a[(i + 1) % 3], b[k], b[(k + 1) % 3]));
    }
    return best;
}

/* What a float of the size of these coordinates is rounded by, some times, and denormals. */
static real rounding_at(const float a[3][3], const float b[3][3])
{
    float largest = 0.0F;
    for (int i = 0; i < 9; i++) {
        largest = fmaxf(largest, fabsf(a[i / 3][i % 3]));
        largest = fmaxf(largest, fabsf(b[i / 3][i % 3]));
    }
    return 4 * ((real)largest * 0x1p-24L + 0x1p-149L);
}

static willow_vec3 witness_of(const float a[3][3], const float b[3][3])
{
    willow_vec3 ta[3], tb[3];
    memcpy(ta, a, sizeof ta);
    memcpy(tb, b, sizeof tb);
    return willow_tri_tri_witness(ta, tb);
}

typedef struct tally {
    size_t met, apart, wrong;
} tally;

/* Midway: as far from the one as from the other, and on the shortest way between them. */
static void check_witness(const float a[3][3], const float b[3][3], const char *name,
                          uint64_t number, tally *t)
{
    point ta[3], tb[3];
    willow_vec3 ma[3], mb[3];
    for (int i = 0; i < 3; i++) {
        ta[i] = from_floats(a[i]);
        tb[i] = from_floats(b[i]);
    }
    memcpy(ma, a, sizeof ma);
    memcpy(mb, b, sizeof mb);
    willow_vec3 found = witness_of(a, b), again = witness_of(a, b);
    assert_memory_equal(&found, &again, sizeof found);
    if (!isfinite(found.x) || !isfinite(found.y) || !isfinite(found.z))
        fail_msg("%s %llu: no number", name, (unsigned long long)number);
    point w = {{(real)found.x, (real)found.y, (real)found.z}};
    bool meet = willow_tri_tri_meet(ma, mb);
    real most = rounding_at(a, b);
    real to_a = distance_to_tri(w, ta), to_b = distance_to_tri(w, tb);
    real apart = meet ? 0 : distance_of_tris(ta, tb);
    real error = meet ? fmaxl(to_a, to_b) : fmaxl(fabsl(to_a - to_b), to_a + to_b - apart);
    t->met += meet;
    t->apart += !meet;
    if (error <= most) return;
    if (t->wrong++ < 5)
        print_error("%s %llu, %s: off by %Lg, and %Lg is allowed\n", name,
                    (unsigned long long)number, meet ? "met" : "apart", error, most);
}

static void witnesses_of_every_family_are_where_they_should_be(void **state)
{
    (void)state;
    tally t = {0};
    for (tri_family family = 0; family < TRI_FAMILY_COUNT; family++) {
        size_t met = t.met;
        for (uint64_t number = 0; number < 400; number++) {
            tri_case c;
            tri_case_make(&c, family, number);
            check_witness((const float(*)[3])c.a, (const float(*)[3])c.b, tri_family_name(family),
                          number, &t);
            check_witness((const float(*)[3])c.b, (const float(*)[3])c.a, tri_family_name(family),
                          number, &t);
        }
        assert_true(t.met > met); /* else the family says nothing about meeting */
    }
    print_message("%zu witnesses of triangles that meet, %zu midway\n", t.met, t.apart);
    assert_int_equal(t.wrong, 0);
    assert_true(t.met > 10000 && t.apart > 5000);
}

/* Random triangles of one size, anywhere between the smallest and the largest floats. */
static void witnesses_of_every_size_are_where_they_should_be(void **state)
{
    (void)state;
    tally t = {0};
    uint64_t random = 5;
    for (int exponent = -149; exponent <= 126; exponent += 5)
        for (uint64_t number = 0; number < 200; number++) {
            float corners[6][3];
            double size = ldexp(1.0, exponent);
            for (int i = 0; i < 18; i++)
                corners[i / 3][i % 3] = (float)(size * test_random_between(&random, -1.9, 1.9));
            check_witness((const float(*)[3])corners, (const float(*)[3])corners + 3, "size",
                          number, &t);
        }
    print_message("%zu witnesses of triangles that meet, %zu midway\n", t.met, t.apart);
    assert_int_equal(t.wrong, 0);
    assert_true(t.met > 500 && t.apart > 500);
}

/* The largest floats at all corners, in all signs. */
static void the_largest_triangles_have_finite_witnesses(void **state)
{
    (void)state;
    uint64_t random = 9;
    for (int number = 0; number < 5000; number++) {
        willow_vec3 corners[6];
        float numbers[18];
        for (int i = 0; i < 18; i++) {
            uint64_t bits = test_random(&random);
            numbers[i] = bits % 5 == 0 ? 0.0F : bits & 8 ? FLT_MAX : -FLT_MAX;
        }
        memcpy(corners, numbers, sizeof corners);
        willow_vec3 w = willow_tri_tri_witness(corners, corners + 3);
        if (!isfinite(w.x) || !isfinite(w.y) || !isfinite(w.z)) fail_msg("case %d", number);
    }
}

static void the_witness_of_a_crossing_is_its_middle(void **state)
{
    (void)state;
    const willow_vec3 flat[3] = {{-4, -4, 0}, {4, -4, 0}, {0, 8, 0}};
    const willow_vec3 upright[3] = {{-1, 0, -1}, {3, 0, -1}, {1, 0, 1}}; /* crosses x in [0, 2] */
    willow_vec3 w = willow_tri_tri_witness(flat, upright);
    assert_true(w.x == 1.0F && w.y == 0.0F && w.z == 0.0F);
    const willow_vec3 above[3] = {{-4, -4, 3}, {4, -4, 3}, {0, 8, 3}};
    w = willow_tri_tri_witness(flat, above);
    assert_true(w.z == 1.5F);
}

/* ---- closest points ---- */

/* A point q of a convex set is the closest to p if and only if nothing of the set is on p's side of
 * the plane through q across p - q. Of a hull it is enough to look at the corners. */
static real beyond(const double p[3], const double q[3], const double corner[3])
{
    real sum = 0;
    for (int i = 0; i < 3; i++) sum += ((real)p[i] - (real)q[i]) * ((real)corner[i] - (real)q[i]);
    return sum;
}

typedef void maker(uint64_t *random, double out[6][3]);

static void make_round(uint64_t *random, double out[6][3])
{
    for (int i = 0; i < 18; i++) out[i / 3][i % 3] = test_random_between(random, -1, 1);
}

static void make_lattice(uint64_t *random, double out[6][3])
{
    for (int i = 0; i < 18; i++) out[i / 3][i % 3] = (double)(test_random(random) % 3) - 1.0;
}

/* All corners about on one line. */
static void make_sliver(uint64_t *random, double out[6][3])
{
    double thickness = ldexp(1.0, -(int)(test_random(random) % 60));
    for (int i = 0; i < 6; i++) {
        double along = test_random_between(random, -1, 1);
        for (int k = 0; k < 3; k++)
            out[i][k] = along * (1.0 + k) / 3.0 + thickness * test_random_between(random, -1, 1);
    }
}

static void make_flat(uint64_t *random, double out[6][3])
{
    make_round(random, out);
    for (int i = 0; i < 6; i++) out[i][2] = 0.25 * out[i][0] - 0.5 * out[i][1];
}

static maker *const makers[] = {make_round, make_lattice, make_sliver, make_flat};

static point from_doubles(const double p[3])
{
    return (point){{(real)p[0], (real)p[1], (real)p[2]}};
}

/* It is a point of the triangle, and none is closer. Where it is may be off by more along a thin
 * triangle that is far away: that hardly makes it longer. */
static void closest_points_of_triangles_are_the_closest(void **state)
{
    (void)state;
    uint64_t random = 3;
    real worst = 0;
    for (int number = 0; number < 40000; number++) {
        double c[6][3], q[3];
        point tri[3];
        makers[number % 4](&random, c);
        if (number % 3 == 0) /* on the triangle, or about */
            for (int i = 0; i < 3; i++) c[3][i] = 0.5 * c[0][i] + 0.3 * c[1][i] + 0.2 * c[2][i];
        wi_closest_on_tri((const double *)c[3], (const double(*)[3])c, q);
        for (int i = 0; i < 3; i++) tri[i] = from_doubles(c[i]);
        point p = from_doubles(c[3]), found = from_doubles(q);
        worst = fmaxl(worst, distance_to_tri(found, tri));
        worst = fmaxl(worst, distance(p, found) - distance_to_tri(p, tri));
    }
    print_message("at most %Lg off\n", worst);
    assert_true(worst < 1e-9L); /* a hundredth of what a float is rounded by */
}

static void closest_points_of_edges_are_the_closest(void **state)
{
    (void)state;
    uint64_t random = 4;
    real worst = 0;
    for (int number = 0; number < 40000; number++) {
        double c[6][3], on_a[3], on_b[3];
        makers[number % 4](&random, c);
        if (number % 7 == 0) memcpy(c[1], c[0], sizeof c[0]); /* a segment that is a point */
        if (number % 11 == 0) memcpy(c[3], c[2], sizeof c[0]);
        wi_closest_on_edges((const double(*)[3])c, (const double(*)[3])(c + 2), on_a, on_b);
        for (int i = 0; i < 2; i++) {
            worst = fmaxl(worst, beyond(on_b, on_a, c[i]));
            worst = fmaxl(worst, beyond(on_a, on_b, c[2 + i]));
        }
        point a = {{(real)on_a[0], (real)on_a[1], (real)on_a[2]}}, ends[2];
        for (int i = 0; i < 2; i++)
            ends[i] = (point){{(real)c[i][0], (real)c[i][1], (real)c[i][2]}};
        worst = fmaxl(worst, distance_to_edge(a, ends[0], ends[1]));
    }
    print_message("at most %Lg off\n", worst);
    assert_true(worst < 1e-14L);
}

/* ---- in queries ---- */

static bool keep_some(void *context, willow_tri_ref a, willow_tri_ref b)
{
    (void)context;
    return (a.tri + b.tri) % 3 != 0;
}

static bool keep_bodies(void *context, willow_tri_ref a, willow_tri_ref b)
{
    (void)context;
    return a.body.index1 != b.body.index1;
}

static void tri_of(const zoo_world *w, willow_body_id id, willow_tri tri, willow_vec3 out[3])
{
    for (uint32_t body = 0; body < w->scene->body_count; body++) {
        if (w->bodies[body].id.index1 != id.index1) continue;
        const uint32_t *named = w->scene->bodies[body].tris[tri];
        for (int i = 0; i < 3; i++)
            assert_ok(willow_body_copy_vertices(w->world, id, named[i], 1, &out[i]));
    }
}

/* Every item has the witness of its two triangles where queries see them. */
static size_t check_pairs(const zoo_world *w, const willow_pairs *pairs)
{
    size_t checked = 0;
    for (size_t r = 0; r < pairs->run_count; r++) {
        const willow_pair_run *run = &pairs->runs[r];
        for (size_t i = run->first; i < run->first + run->count; i++, checked++) {
            willow_vec3 a[3], b[3];
            tri_of(w, run->body_a, pairs->items[i].tri_a, a);
            tri_of(w, run->body_b, pairs->items[i].tri_b, b);
            willow_vec3 expected = willow_tri_tri_witness(a, b);
            assert_memory_equal(&pairs->witnesses[i], &expected, sizeof expected);
        }
    }
    assert_int_equal(checked, pairs->count);
    return checked;
}

static size_t check_questions(const zoo_world *w)
{
    willow_query_options options = willow_query_options_default();
    willow_pairs pairs;
    willow_first_pair first;
    size_t checked = 0;
    for (int i = 0; i < 16; i++) {
        options.witness = true;
        options.use_threads = i % 2 == 1;
        options.filter = i / 2 % 2 == 1 ? keep_some : NULL;
        options.max_results = i / 4 % 2 == 1 ? 37 : 0;
        options.skip_neighbours = i / 8 == 1;
        assert_ok(willow_find_pairs(w->world, w->scratch, &options, &pairs));
        checked += check_pairs(w, &pairs);
        assert_ok(willow_find_self_pairs(w->world, w->scratch, &options, &pairs));
        checked += check_pairs(w, &pairs);
        options.filter = i % 2 == 0 ? keep_bodies : options.filter;
        assert_ok(willow_find_first_pair(w->world, w->scratch, &options, &first));
        assert_true(first.found);
        willow_vec3 a[3], b[3];
        tri_of(w, first.a.body, first.a.tri, a);
        tri_of(w, first.b.body, first.b.tri, b);
        willow_vec3 expected = willow_tri_tri_witness(a, b);
        assert_memory_equal(&first.witness, &expected, sizeof expected);
        options.witness = false;
        assert_ok(willow_find_pairs(w->world, w->scratch, &options, &pairs));
        assert_null(pairs.witnesses);
    }
    return checked;
}

static void queries_give_the_witness_of_every_pair(void **state)
{
    (void)state;
    size_t checked = 0;
    for (int i = 0; i < 4; i++) {
        willow_kernel kernel = i % 2 == 0 ? WILLOW_KERNEL_SCALAR : WILLOW_KERNEL_AVX2;
        zoo_scene scene = {0};
        zoo_world w;
        if (!zoo_has_kernel(kernel)) continue;
        zoo_scene_add(&scene, ZOO_KIND_CRUMPLED, 128, 1);
        zoo_scene_add(&scene, ZOO_KIND_ROLLED, 128, 2);
        zoo_scene_add(&scene, ZOO_KIND_LATTICE, 24, 3);
        zoo_scene_add(&scene, ZOO_KIND_SEAMS, 32, 4);
        zoo_setup setup = zoo_setup_with(kernel, zoo_tree(WILLOW_METHOD_BOTTOM_UP, 8, 4));
        setup.world.thread_count = i < 2 ? 1 : 3;
        setup.trees[2].method = WILLOW_METHOD_BRUTE;
        zoo_world_create(&w, &scene, &setup);
        checked += check_questions(&w);
        willow_pose pose = {{0.25F, -0.5F, 0.125F}, {0.1F, 0.2F, 0.3F, 0.9F}};
        assert_ok(willow_body_set_pose(w.world, w.bodies[1].id, &pose));
        assert_ok(willow_world_update(w.world, 0.0, NULL));
        checked += check_questions(&w);
        zoo_world_destroy(&w);
        zoo_scene_destroy(&scene);
    }
    print_message("%zu witnesses\n", checked);
    assert_true(checked > 1000);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(witnesses_of_every_family_are_where_they_should_be),
    cmocka_unit_test(witnesses_of_every_size_are_where_they_should_be),
    cmocka_unit_test(the_largest_triangles_have_finite_witnesses),
    cmocka_unit_test(the_witness_of_a_crossing_is_its_middle),
    cmocka_unit_test(closest_points_of_triangles_are_the_closest),
    cmocka_unit_test(closest_points_of_edges_are_the_closest),
    cmocka_unit_test(queries_give_the_witness_of_every_pair),
};

TEST_GROUP(witness, tests);
