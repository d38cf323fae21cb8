/* What the scenes say about contact: when bodies meet, that they are apart at first, that crowds
 * bounce, that cloths fold through themselves, that neighbours part. */
#include <math.h>
#include <stdlib.h>
#include "scenes/scenes.h"
#include "support/fixture.h"
#include "support/test.h"
#include "willow/willow.h"

enum { MAX_BODIES = 32 };

/* A scene in a world. */
typedef struct show {
    scene *scene;
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id bodies[MAX_BODIES];
    float *xyz[MAX_BODIES];
} show;

/* What a frame has of pairs. */
typedef struct contact {
    size_t between, within; /* pairs of two bodies, of a body with itself */
    uint32_t body_pairs;    /* pairs of bodies that meet */
    bool meets[MAX_BODIES][MAX_BODIES];
} contact;

static void add_body(show *s, uint32_t i)
{
    const scene_body *body = &s->scene->bodies[i];
    s->xyz[i] = malloc(12 * (size_t)body->vertex_count);
    assert_non_null(s->xyz[i]);
    scene_positions(s->scene, 0, i, s->xyz[i]);
    willow_body_def def = willow_body_def_default();
    def.mesh.positions = s->xyz[i];
    def.mesh.vertex_count = body->vertex_count;
    def.mesh.indices = body->indices;
    def.mesh.triangle_count = body->triangle_count;
    def.self = body->self;
    s->bodies[i] = fixture_body(s->world, &def);
}

static void start(show *s, const char *spec)
{
    *s = (show){.scene = fixture_scene(spec)};
    assert_true(s->scene->body_count <= MAX_BODIES);
    s->world = fixture_world(NULL);
    s->scratch = fixture_scratch(s->world);
    for (uint32_t i = 0; i < s->scene->body_count; i++) add_body(s, i);
}

static void stop(show *s)
{
    fixture_close(s->world, s->scratch);
    for (uint32_t i = 0; i < s->scene->body_count; i++) free(s->xyz[i]);
    scene_destroy(s->scene);
}

static uint32_t number_of(const show *s, willow_body_id id)
{
    uint32_t i = 0;
    while (s->bodies[i].index1 != id.index1) i++;
    return i;
}

static contact contact_at(show *s, uint32_t frame)
{
    willow_pairs pairs;
    contact found = {0};
    for (uint32_t i = 0; i < s->scene->body_count; i++) {
        scene_positions(s->scene, frame, i, s->xyz[i]);
        assert_ok(willow_body_set_vertices(s->world, s->bodies[i], 0,
                                           s->scene->bodies[i].vertex_count, s->xyz[i], 12));
    }
    assert_ok(willow_world_update(s->world, frame, NULL));
    assert_ok(willow_find_pairs(s->world, s->scratch, NULL, &pairs));
    for (size_t r = 0; r < pairs.run_count; r++) {
        uint32_t a = number_of(s, pairs.runs[r].body_a), b = number_of(s, pairs.runs[r].body_b);
        size_t *sum = a == b ? &found.within : &found.between;
        *sum += pairs.runs[r].count;
        found.body_pairs += a != b;
        found.meets[a][b] = true;
    }
    return found;
}

/* ---- bumpy ---- */

static uint32_t first_contact(const char *spec)
{
    show s;
    start(&s, spec);
    uint32_t frame = 0;
    while (frame < s.scene->frame_count && contact_at(&s, frame).between == 0) frame++;
    size_t last = contact_at(&s, s.scene->frame_count - 1).between;
    stop(&s);
    assert_true(last > 0);
    print_message("%s: first contact at step %u\n", spec, (unsigned)frame);
    return frame;
}

static void bumpy_spheres_of_every_size_and_seed_meet_near_step_60(void **state)
{
    (void)state;
    static const char *const specs[] = {
        "bumpy:triangles=1280",        "bumpy:triangles=5120",
        "bumpy:triangles=20480",       "bumpy:triangles=1280,seed=2",
        "bumpy:triangles=1280,seed=3", "bumpy:triangles=1280,seed=4"};
    for (int i = 0; i < 6; i++) assert_in_range(first_contact(specs[i]), 50, 70);
}

static void fewer_frames_show_the_same_motion(void **state)
{
    (void)state;
    assert_in_range(first_contact("bumpy:triangles=1280,frames=50"), 50 / 4, 70 / 4);
}

/* ---- many, converge, tumble ---- */

/* No vertex leaves the box, whose side is 3 * 2.3, by more than a step is long. */
static void check_is_in_the_box(const show *s)
{
    for (uint32_t i = 0; i < s->scene->body_count; i++)
        for (size_t k = 0; k < 3 * (size_t)s->scene->bodies[i].vertex_count; k++)
            assert_true(fabsf(s->xyz[i][k]) < 0.5F * 3 * 2.3F + 0.05F);
}

/* Counts the bodies that part between two frames. */
static uint32_t count_parting(const contact *before, const contact *after, uint32_t body_count)
{
    uint32_t count = 0;
    for (uint32_t a = 0; a < body_count; a++)
        for (uint32_t b = 0; b < body_count; b++)
            count += before->meets[a][b] && !after->meets[a][b];
    return count;
}

static void crowds_start_apart_hit_each_other_often_and_bounce(void **state)
{
    (void)state;
    static const char *const specs[] = {"many:triangles=320", "many:triangles=320,seed=2",
                                        "many:triangles=1280,variant=arms",
                                        "many:triangles=320,variant=rigid"};
    for (int i = 0; i < 4; i++) {
        show s;
        start(&s, specs[i]);
        contact before = contact_at(&s, 0);
        uint32_t parted = 0, met = 0;
        assert_int_equal(before.between, 0);
        for (uint32_t frame = 20; frame < 200; frame += 4) {
            contact now = contact_at(&s, frame);
            check_is_in_the_box(&s);
            assert_true(now.between > 0);
            parted += count_parting(&before, &now, s.scene->body_count);
            met += count_parting(&now, &before, s.scene->body_count);
            before = now;
        }
        print_message("%s: %u meetings, %u partings\n", specs[i], (unsigned)met, (unsigned)parted);
        assert_true(met > 100 && parted > 100);
        stop(&s);
    }
}

static void bodies_that_converge_meet_none_then_some_then_all(void **state)
{
    (void)state;
    static const char *const specs[] = {"converge:triangles=320", "converge:triangles=320,seed=5",
                                        "converge:triangles=320,bodies=2",
                                        "converge:triangles=80,bodies=30"};
    for (int i = 0; i < 4; i++) {
        show s;
        start(&s, specs[i]);
        uint32_t count = s.scene->body_count, all = count * (count - 1) / 2;
        assert_int_equal(contact_at(&s, 0).between, 0);
        assert_int_equal(contact_at(&s, 10).between, 0);
        uint32_t some = contact_at(&s, 100).body_pairs;
        if (count > 2) assert_in_range(some, 1, all - 1);
        assert_int_equal(contact_at(&s, 199).body_pairs, all);
        stop(&s);
    }
}

static bool do_boxes_meet(const show *s)
{
    willow_box boxes[2];
    for (int i = 0; i < 2; i++) {
        willow_body_info info;
        assert_ok(willow_body_get_info(s->world, s->bodies[i], &info));
        boxes[i] = info.box;
    }
    return boxes[0].lower.x <= boxes[1].upper.x && boxes[1].lower.x <= boxes[0].upper.x &&
           boxes[0].lower.y <= boxes[1].upper.y && boxes[1].lower.y <= boxes[0].upper.y &&
           boxes[0].lower.z <= boxes[1].upper.z && boxes[1].lower.z <= boxes[0].upper.z;
}

static void tumbling_bodies_miss_meet_and_part(void **state)
{
    (void)state;
    static const char *const specs[] = {"tumble:triangles=1280", "tumble:triangles=1280,seed=2",
                                        "tumble:triangles=5120,seed=3"};
    for (int i = 0; i < 3; i++) {
        show s;
        uint32_t misses = 0;
        start(&s, specs[i]);
        assert_int_equal(contact_at(&s, 0).between, 0);
        assert_false(do_boxes_meet(&s));
        for (uint32_t frame = 5; frame <= 90; frame += 5) {
            assert_int_equal(contact_at(&s, frame).between, 0);
            misses += do_boxes_meet(&s);
        }
        print_message("%s: %u near misses\n", specs[i], (unsigned)misses);
        assert_true(misses > 5);
        for (uint32_t frame = 115; frame <= 140; frame += 5)
            assert_true(contact_at(&s, frame).between > 0);
        assert_int_equal(contact_at(&s, 165).between, 0);
        assert_int_equal(contact_at(&s, 199).between, 0);
        stop(&s);
    }
}

/* ---- cloths ---- */

static void the_tablecloth_falls_free_then_meets_the_table_and_folds(void **state)
{
    (void)state;
    static const char *const specs[] = {"tablecloth:triangles=5000",
                                        "tablecloth:triangles=5000,seed=2",
                                        "tablecloth:triangles=20000"};
    for (int i = 0; i < 3; i++) {
        show s;
        uint32_t folded = 0;
        start(&s, specs[i]);
        for (uint32_t frame = 0; frame <= 10; frame += 5) {
            contact now = contact_at(&s, frame);
            assert_int_equal(now.between + now.within, 0);
        }
        for (uint32_t frame = 20; frame < 120; frame += 5) {
            contact now = contact_at(&s, frame);
            assert_true(now.between > 0);
            folded += now.within > 0;
        }
        print_message("%s: folds in %u of 20 frames\n", specs[i], (unsigned)folded);
        assert_in_range(folded, 2, 15);
        stop(&s);
    }
}

static void the_cloth_on_the_ball_starts_clean_and_goes_through_itself(void **state)
{
    (void)state;
    static const char *const specs[] = {"selfcloth:triangles=5000",
                                        "selfcloth:triangles=5000,seed=2"};
    for (int i = 0; i < 2; i++) {
        show s;
        size_t most = 0;
        start(&s, specs[i]);
        assert_int_equal(contact_at(&s, 0).within, 0);
        assert_int_equal(contact_at(&s, 10).within, 0);
        for (uint32_t frame = 40; frame < 160; frame += 10) {
            contact now = contact_at(&s, frame);
            assert_true(now.within > 0);
            if (now.within > most) most = now.within;
        }
        print_message("%s: up to %zu pairs\n", specs[i], most);
        assert_true(most > 500);
        stop(&s);
    }
}

/* Threads keep their length within some percent, so that the cloth looks like cloth. */
static void cloths_do_not_stretch_much(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        float side;
    } cases[] = {{"tablecloth:triangles=3200", 3.4F}, {"selfcloth:triangles=3200", 3.0F}};
    for (int i = 0; i < 2; i++) {
        show s;
        start(&s, cases[i].spec);
        const uint32_t row = 41; /* as many as the net has knots */
        assert_int_equal(s.scene->bodies[0].vertex_count, row * row);
        for (uint32_t frame = 0; frame < s.scene->frame_count; frame += 10) {
            double sum = 0;
            scene_positions(s.scene, frame, 0, s.xyz[0]);
            for (uint32_t v = 0; v + 1 < row * row; v++) {
                const float *p = s.xyz[0] + 3 * (size_t)v;
                if (v % row == row - 1) continue;
                float d[3] = {p[3] - p[0], p[4] - p[1], p[5] - p[2]};
                sum += sqrt((double)(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
            }
            double mean = sum / row;
            if (mean < 0.95 * (double)cases[i].side || mean > 1.1 * (double)cases[i].side)
                fail_msg("%s, frame %u: threads of length %g", cases[i].spec, (unsigned)frame,
                         mean);
        }
        stop(&s);
    }
}

/* ---- stir and twist ---- */

static double distance_of(const float *xyz, uint32_t piece_a, uint32_t piece_b)
{
    const float *a = xyz + 12 * (size_t)piece_a, *b = xyz + 12 * (size_t)piece_b;
    float d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    return sqrt((double)(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
}

static void stirred_neighbours_part(void **state)
{
    (void)state;
    show s;
    start(&s, "stir:triangles=2000");
    uint32_t pieces = s.scene->bodies[0].vertex_count / 4, neighbours = 0;
    double sum = 0;
    float *later = malloc(48 * (size_t)pieces);
    assert_non_null(later);
    scene_positions(s.scene, 150, 0, later);
    for (uint32_t a = 0; a < pieces; a++)
        for (uint32_t b = a + 1; b < pieces; b++)
            if (distance_of(s.xyz[0], a, b) < 0.15) {
                neighbours++;
                sum += distance_of(later, a, b);
            }
    free(later);
    stop(&s);
    print_message("%u neighbours, %g apart later\n", (unsigned)neighbours, sum / neighbours);
    assert_true(neighbours > 50 && sum / neighbours > 0.75);
}

static void the_spoon_dips_in_and_pieces_touch_each_other(void **state)
{
    (void)state;
    show s;
    start(&s, "stir:triangles=8000");
    assert_int_equal(contact_at(&s, 0).between, 0);
    assert_int_equal(contact_at(&s, 10).between, 0);
    for (uint32_t frame = 50; frame < 200; frame += 25) {
        contact now = contact_at(&s, frame);
        assert_true(now.between > 0);
        assert_true(now.within > 0);
    }
    stop(&s);
}

static void twisted_ribbons_start_apart_meet_and_coil_into_themselves(void **state)
{
    (void)state;
    static const char *const specs[] = {"twist:triangles=1000", "twist:triangles=1000,bodies=3",
                                        "twist:triangles=1000,bodies=12,seed=2"};
    for (int i = 0; i < 3; i++) {
        show s;
        start(&s, specs[i]);
        for (uint32_t frame = 0; frame <= 10; frame += 10) {
            contact now = contact_at(&s, frame);
            assert_int_equal(now.between + now.within, 0);
        }
        assert_true(contact_at(&s, 100).between > 0);
        contact last = contact_at(&s, 199);
        assert_true(last.between > 0 && last.within > 0);
        stop(&s);
    }
}

/* ---- rollers ---- */

static double distance_from(const float *at, const double centre[3])
{
    double x = (double)at[0] - centre[0], y = (double)at[1] - centre[1];
    double z = (double)at[2] - centre[2];
    return sqrt(x * x + y * y + z * z);
}

static void the_rollers_take_the_soft_body_in_fold_it_and_let_it_go(void **state)
{
    (void)state;
    static const char *const specs[] = {"rollers:triangles=3000", "rollers:triangles=3000,seed=2",
                                        "rollers:triangles=12000,seed=3"};
    for (int i = 0; i < 3; i++) {
        show s;
        start(&s, specs[i]);
        const contact before = contact_at(&s, 0), first = contact_at(&s, 8);
        const contact second = contact_at(&s, 16), after = contact_at(&s, 23);
        assert_int_equal(before.between + before.within, 0);
        for (uint32_t roller = 1; roller <= 4; roller++) {
            assert_true(first.meets[0][roller] == (roller <= 2));
            assert_true(second.meets[0][roller] == (roller > 2));
        }
        assert_true(first.within > 0);
        assert_int_equal(after.between + after.within, 0);
        stop(&s);
    }
}

/* The mean way of a vertex in one frame against the mean of one edge per triangle: what makes the
 * scene hard for impacts. */
static void steps_of_the_soft_body_are_long_against_its_triangles(void **state)
{
    (void)state;
    show s;
    start(&s, "rollers");
    const scene_body *soft = &s.scene->bodies[0];
    float *later = malloc(12 * (size_t)soft->vertex_count);
    assert_non_null(later);
    for (uint32_t frame = 0; frame + 1 < s.scene->frame_count; frame++) {
        double way = 0, edge = 0;
        scene_positions(s.scene, frame, 0, s.xyz[0]);
        scene_positions(s.scene, frame + 1, 0, later);
        for (size_t i = 0; i < soft->vertex_count; i++) {
            const double from[3] = {(double)s.xyz[0][3 * i], (double)s.xyz[0][3 * i + 1],
                                    (double)s.xyz[0][3 * i + 2]};
            way += distance_from(later + 3 * i, from) / soft->vertex_count;
        }
        for (size_t i = 0; i < soft->triangle_count; i++) {
            const float *p = s.xyz[0] + 3 * (size_t)soft->indices[3 * i];
            const double from[3] = {(double)p[0], (double)p[1], (double)p[2]};
            edge += distance_from(s.xyz[0] + 3 * (size_t)soft->indices[3 * i + 1], from) /
                    soft->triangle_count;
        }
        assert_true(way > 4 * edge);
    }
    free(later);
    stop(&s);
}

/* ---- spheres, morphing, dolphins ---- */

/* Counts the vertices of body 0 that went away from the centre since the frame before, and those
 * that came back. */
static void count_ways(const show *s, uint32_t frame, uint32_t *outward, uint32_t *back)
{
    static const double centre[3] = {-1.25, -0.2, -0.1};
    uint32_t count = s->scene->bodies[0].vertex_count;
    float *before = malloc(12 * (size_t)count);
    assert_non_null(before);
    scene_positions(s->scene, frame - 1, 0, before);
    scene_positions(s->scene, frame, 0, s->xyz[0]);
    *outward = *back = 0;
    for (size_t i = 0; i < count; i++) {
        double by =
            distance_from(s->xyz[0] + 3 * i, centre) - distance_from(before + 3 * i, centre);
        *outward += by > 0.008;
        *back += by < -0.008;
    }
    assert_int_equal(*outward + *back, count);
    free(before);
}

static void spheres_swell_touch_and_turn_back_where_they_touch(void **state)
{
    (void)state;
    static const char *const specs[] = {"spheres:triangles=1280", "spheres:triangles=5120",
                                        "spheres:triangles=5120,seed=2"};
    for (int i = 0; i < 3; i++) {
        show s;
        uint32_t outward, back, later, first = 0;
        size_t pairs = 0, deepest = 0;
        start(&s, specs[i]);
        while (contact_at(&s, first).between == 0) assert_true(++first < 150);
        assert_in_range(first, 80, 120);
        count_ways(&s, first - 10, &outward, &back);
        assert_int_equal(back, 0);
        for (uint32_t frame = first; frame < 200; frame++) {
            size_t now = contact_at(&s, frame).between;
            pairs += now;
            deepest = now > deepest ? now : deepest;
        }
        count_ways(&s, first + 20, &outward, &back);
        count_ways(&s, 199, &outward, &later);
        print_message("%s: contact at step %u, %zu pairs, %u then %u of %u vertices back\n",
                      specs[i], (unsigned)first, pairs, (unsigned)back, (unsigned)later,
                      (unsigned)(outward + later));
        assert_true(pairs > 50 && deepest < s.scene->bodies[0].triangle_count / 10);
        assert_true(back > 0 && later > back && outward > later);
        stop(&s);
    }
}

/* Every vertex has a first plan, at most one change after that, and then the opposite velocity. */
static void plans_of_spheres_are_sorted_and_turn_once(void **state)
{
    (void)state;
    show s;
    start(&s, "spheres:triangles=1280");
    uint32_t vertex_count = s.scene->bodies[1].vertex_count;
    size_t count;
    const scene_change *changes = scene_changes(s.scene, 1, &count);
    assert_true(count > vertex_count && count < 2 * (size_t)vertex_count);
    for (size_t i = 0; i < count; i++) {
        const scene_change *c = &changes[i];
        if (i < vertex_count) {
            assert_true(c->time == 0 && c->vertex == i);
            continue;
        }
        assert_true(c->time > changes[i - 1].time ||
                    (c->time == changes[i - 1].time && c->vertex > changes[i - 1].vertex) ||
                    i == vertex_count);
        for (int k = 0; k < 3; k++) assert_true(c->velocity[k] == -changes[c->vertex].velocity[k]);
    }
    stop(&s);
}

static void morphing_bodies_start_apart_pass_through_each_other_and_part(void **state)
{
    (void)state;
    static const char *const specs[] = {"morphing:triangles=1280", "morphing:triangles=5120",
                                        "morphing:triangles=1280,seed=2"};
    for (int i = 0; i < 3; i++) {
        show s;
        start(&s, specs[i]);
        willow_pose from, to;
        scene_pose(s.scene, 0, 0, &from);
        scene_pose(s.scene, 399, 0, &to);
        assert_true(from.translation.x < -1.5F && to.translation.x > 1.5F);
        for (uint32_t frame = 0; frame <= 40; frame += 10)
            assert_int_equal(contact_at(&s, frame).between, 0);
        for (uint32_t frame = 150; frame <= 250; frame += 10)
            assert_true(contact_at(&s, frame).between > 50);
        for (uint32_t frame = 360; frame < 400; frame += 13)
            assert_int_equal(contact_at(&s, frame).between, 0);
        stop(&s);
    }
}

static void two_references_are_in_use_at_a_time(void **state)
{
    (void)state;
    static const char *const specs[] = {"morphing:triangles=80", "dolphins:triangles=564"};
    for (int i = 0; i < 2; i++) {
        show s;
        bool used[3] = {false, false, false};
        start(&s, specs[i]);
        assert_int_equal(scene_reference_count(s.scene), 3);
        for (uint32_t frame = 0; frame < 400; frame++) {
            float w[3];
            scene_weights(s.scene, frame, 1, w);
            assert_true(w[0] == 0 || w[2] == 0);
            assert_true(w[0] >= 0 && w[1] >= 0 && w[2] >= 0);
            assert_true(fabsf(w[0] + w[1] + w[2] - 1) < 1e-6F);
            for (int r = 0; r < 3; r++) used[r] = used[r] || w[r] > 0.9F;
        }
        assert_true(used[0] && used[1] && used[2]);
        stop(&s);
    }
}

static void dolphins_graze_each_other_in_every_frame_and_never_deeply(void **state)
{
    (void)state;
    static const char *const specs[] = {"dolphins:triangles=564", "dolphins:triangles=2256",
                                        "dolphins:triangles=2256,seed=2"};
    for (int i = 0; i < 3; i++) {
        show s;
        start(&s, specs[i]);
        uint32_t parted = 0, most = 0;
        contact before = contact_at(&s, 0);
        for (uint32_t frame = 10; frame < 400; frame += 10) {
            contact now = contact_at(&s, frame);
            assert_true(now.between > 0);
            assert_true(now.between < s.scene->bodies[0].triangle_count);
            parted += count_parting(&before, &now, 12);
            most = now.body_pairs > most ? now.body_pairs : most;
            before = now;
        }
        print_message("%s: %u partings, up to %u pairs of dolphins\n", specs[i], (unsigned)parted,
                      (unsigned)most);
        assert_true(parted > 20);
        assert_in_range(most, 5, 40);
        stop(&s);
    }
}

/* ---- avatar ---- */

static void garments_touch_the_figure_in_some_frames_and_themselves_a_little(void **state)
{
    (void)state;
    static const char *const specs[] = {"avatar:triangles=8000", "avatar:triangles=8000,seed=2",
                                        "avatar:triangles=8000,variant=dress",
                                        "avatar:triangles=8000,variant=dress,seed=2",
                                        "avatar:triangles=32500,variant=dress"};
    for (int i = 0; i < 5; i++) {
        show s;
        size_t most = 0, most_self = 0;
        uint32_t touching = 0, folded = 0;
        start(&s, specs[i]);
        for (uint32_t frame = 0; frame < 300; frame += 12) {
            contact now = contact_at(&s, frame);
            touching += now.between > 0;
            folded += now.within > 0;
            most = now.between > most ? now.between : most;
            most_self = now.within > most_self ? now.within : most_self;
        }
        print_message("%s: up to %zu pairs in %u of 25 frames, %zu with itself in %u\n", specs[i],
                      most, (unsigned)touching, most_self, (unsigned)folded);
        assert_in_range(touching, 5, 24);
        assert_true(folded > 0);
        assert_true(most < s.scene->bodies[0].triangle_count / 20);
        assert_true(most_self < s.scene->bodies[0].triangle_count / 20);
        stop(&s);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(bumpy_spheres_of_every_size_and_seed_meet_near_step_60),
    cmocka_unit_test(fewer_frames_show_the_same_motion),
    cmocka_unit_test(crowds_start_apart_hit_each_other_often_and_bounce),
    cmocka_unit_test(bodies_that_converge_meet_none_then_some_then_all),
    cmocka_unit_test(tumbling_bodies_miss_meet_and_part),
    cmocka_unit_test(the_tablecloth_falls_free_then_meets_the_table_and_folds),
    cmocka_unit_test(the_cloth_on_the_ball_starts_clean_and_goes_through_itself),
    cmocka_unit_test(cloths_do_not_stretch_much),
    cmocka_unit_test(stirred_neighbours_part),
    cmocka_unit_test(the_spoon_dips_in_and_pieces_touch_each_other),
    cmocka_unit_test(twisted_ribbons_start_apart_meet_and_coil_into_themselves),
    cmocka_unit_test(the_rollers_take_the_soft_body_in_fold_it_and_let_it_go),
    cmocka_unit_test(steps_of_the_soft_body_are_long_against_its_triangles),
    cmocka_unit_test(spheres_swell_touch_and_turn_back_where_they_touch),
    cmocka_unit_test(plans_of_spheres_are_sorted_and_turn_once),
    cmocka_unit_test(morphing_bodies_start_apart_pass_through_each_other_and_part),
    cmocka_unit_test(two_references_are_in_use_at_a_time),
    cmocka_unit_test(garments_touch_the_figure_in_some_frames_and_themselves_a_little),
    cmocka_unit_test(dolphins_graze_each_other_in_every_frame_and_never_deeply),
};

TEST_GROUP(contact, tests);
