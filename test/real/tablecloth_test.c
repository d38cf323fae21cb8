/* A tablecloth that was simulated elsewhere: who made it knows in which frames it goes through
 * itself, and every method finds just that, with neighbours and without. The one cloth was kept off
 * itself, the other was not. */
#include <stdlib.h>
#include "prim/signs/orient.h"
#include "support/chorus.h"
#include "support/real_data.h"
#include "support/sweep_oracle.h"
#include "support/test.h"

enum { FRAMES = 120, CLOTH = 0, TABLE = 1, FLOOR = 2, BODIES = 3 };

/* Frames between those in which methods are compared: odd, so that odd and even frames take
 * turns. */
#ifdef WILLOW_CHECKED
enum { COMPARED_EVERY = 29 };
#    define ADD_VOICES chorus_add_methods
#else
enum { COMPARED_EVERY = 11 };
#    define ADD_VOICES chorus_add_methods_in_every_way
#endif

/* ---- the files ---- */

typedef struct body_file {
    float *positions; /* of all frames */
    uint32_t *tris;
    uint32_t vertex_count, triangle_count;
} body_file;

typedef struct clip {
    const char *name;
    body_file bodies[BODIES];
} clip;

/* Four bytes each, the lowest first, whatever this machine does. */
static uint32_t *read_words(const char *folder, const char *file, size_t *count)
{
    char name[100], path[REAL_DATA_PATH];
    size_t size;
    snprintf(name, sizeof name, "tablecloth/%s/%s", folder, file);
    real_data_path(name, path);
    char *bytes = real_data_read(path, &size);
    *count = size / 4;
    uint32_t *words = calloc(*count + 1, sizeof *words);
    assert_non_null(words);
    for (size_t i = 0; i < 4 * *count; i++)
        words[i / 4] |= (uint32_t)(unsigned char)bytes[i] << 8 * (i % 4);
    free(bytes);
    return words;
}

static body_file read_body(const char *folder, const char *positions, const char *triangles,
                           uint32_t frames)
{
    body_file body;
    size_t words;
    uint32_t *bits = read_words(folder, positions, &words);
    assert_true(words > 0 && words % (3 * frames) == 0);
    body.positions = calloc(words, sizeof *body.positions);
    assert_non_null(body.positions);
    memcpy(body.positions, bits, words * sizeof *bits);
    free(bits);
    body.vertex_count = (uint32_t)(words / (3 * frames));
    body.tris = read_words(folder, triangles, &words);
    assert_true(words > 0 && words % 3 == 0);
    body.triangle_count = (uint32_t)(words / 3);
    return body;
}

static clip open_clip(const char *folder)
{
    clip c = {.name = folder};
    c.bodies[CLOTH] = read_body(folder, "positions.f32", "triangles.i32", FRAMES);
    c.bodies[TABLE] = read_body(folder, "table_positions.f32", "table_triangles.i32", 1);
    c.bodies[FLOOR] = read_body(folder, "floor_positions.f32", "floor_triangles.i32", 1);
    return c;
}

static void close_clip(clip *c)
{
    for (int i = 0; i < BODIES; i++) {
        free(c->bodies[i].positions);
        free(c->bodies[i].tris);
    }
}

static const float (*cloth_at(const clip *c, uint32_t frame))[3]
{
    const body_file *cloth = &c->bodies[CLOTH];
    return (const float(*)[3])(cloth->positions + 3 * (size_t)frame * cloth->vertex_count);
}

/* ---- worlds ---- */

static void add_bodies(chorus *all, const clip *c, bool with_itself)
{
    for (int i = 0; i < BODIES; i++)
        chorus_add_body(all,
                        &(willow_mesh_def){.positions = c->bodies[i].positions,
                                           .vertex_count = c->bodies[i].vertex_count,
                                           .indices = c->bodies[i].tris,
                                           .triangle_count = c->bodies[i].triangle_count},
                        i == CLOTH && with_itself);
}

static void show_frame(chorus *all, const clip *c, uint32_t frame)
{
    chorus_set(all, CLOTH, 0, c->bodies[CLOTH].vertex_count, cloth_at(c, frame), WILLOW_OK);
    chorus_update(all);
}

typedef struct contact {
    size_t within, with_table, with_floor;
} contact;

static contact count_pairs(const willow_pairs *pairs)
{
    contact found = {0};
    for (size_t i = 0; i < pairs->run_count; i++) {
        const willow_pair_run *run = &pairs->runs[i];
        assert_int_equal(run->body_a.index1, 1 + CLOTH);
        size_t *count = run->body_b.index1 == 1 + CLOTH   ? &found.within
                        : run->body_b.index1 == 1 + TABLE ? &found.with_table
                                                          : &found.with_floor;
        *count += run->count;
    }
    return found;
}

static contact ask(chorus *all, bool skip_neighbours)
{
    const willow_pairs pairs = chorus_ask(all, skip_neighbours);
    return count_pairs(&pairs);
}

/* ---- what the maker says ---- */

/* An edge goes through the inside of a triangle: neither of its ends is in the plane, they are on
 * different sides of it, and all three sides of the triangle turn around it the same way. */
static bool goes_through(const float p[3], const float q[3], const float *const tri[3])
{
    const int side = wi_orient3d(tri[0], tri[1], tri[2], p);
    const int turn = wi_orient3d(p, q, tri[0], tri[1]);
    return side != 0 && side == -wi_orient3d(tri[0], tri[1], tri[2], q) && turn != 0 &&
           turn == wi_orient3d(p, q, tri[1], tri[2]) && turn == wi_orient3d(p, q, tri[2], tri[0]);
}

static bool an_edge_goes_through(const float *const a[3], const float *const b[3])
{
    for (int k = 0; k < 3; k++)
        if (goes_through(a[k], a[(k + 1) % 3], b) || goes_through(b[k], b[(k + 1) % 3], a))
            return true;
    return false;
}

/* No two triangles only touch. */
static void expect_strict(const clip *c, uint32_t frame, const willow_pairs *pairs)
{
    const float(*at)[3] = cloth_at(c, frame);
    const uint32_t *tris = c->bodies[CLOTH].tris;
    for (size_t i = 0; i < pairs->count; i++) {
        const float *a[3], *b[3];
        for (uint32_t k = 0; k < 3; k++) {
            a[k] = at[tris[3 * pairs->items[i].tri_a + k]];
            b[k] = at[tris[3 * pairs->items[i].tri_b + k]];
        }
        assert_true(an_edge_goes_through(a, b));
    }
}

/* The maker's counts are strict: triangles that share a vertex are left out, and so are those that
 * only touch. Willow's pairs are closed (C1), so there could be more of them; but none of these
 * only touch, so that all counts are the same. */
static void check_counts(const char *folder, uint32_t frames_with_pairs, size_t most,
                         uint32_t most_at)
{
    static chorus all;
    clip c = open_clip(folder);
    uint32_t frames = 0, worst = 0;
    size_t worst_count = 0, sum = 0;
    chorus_open(&all, folder, 0);
    chorus_add(&all, willow_tree_def_default(), WILLOW_KERNEL_AUTO, 1);
    add_bodies(&all, &c, true);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        show_frame(&all, &c, frame);
        const willow_pairs pairs = chorus_ask(&all, true);
        const contact found = count_pairs(&pairs);
        assert_int_equal(found.with_table + found.with_floor, 0);
        expect_strict(&c, frame, &pairs);
        frames += found.within > 0;
        sum += found.within;
        if (found.within > worst_count) worst = frame;
        if (found.within > worst_count) worst_count = found.within;
    }
    print_message("%s: %zu pairs in %u of %d frames, most in frame %u: %zu\n", folder, sum, frames,
                  FRAMES, worst, worst_count);
    assert_int_equal(frames, frames_with_pairs);
    assert_int_equal(worst_count, most);
    assert_int_equal(worst, most_at);
    chorus_close(&all);
    close_clip(&c);
}

static void the_cloth_that_was_kept_off_itself_never_meets_itself(void **state)
{
    (void)state;
    check_counts("10k", 0, 0, 0);
}

static void the_cloth_that_was_not_meets_itself_where_its_maker_says(void **state)
{
    (void)state;
    check_counts("10k_noself", 106, 601, 29);
}

/* ---- methods against each other ---- */

/* As simulated the cloth stays off table and floor; raised by more than it does, and tilted a
 * little, they meet it. */
static void raise_furniture(chorus *all)
{
    const willow_pose table = {{0, 0, 0.026F}, {0.01F, 0.005F, 0, 1}};
    const willow_pose ground = {{0, 0, 0.3F}, {0, 0.01F, 0, 1}};
    chorus_pose(all, TABLE, &table);
    chorus_pose(all, FLOOR, &ground);
}

static void compare_methods(const char *folder, bool meets_itself)
{
    static chorus all;
    clip c = open_clip(folder);
    contact sum = {0};
    size_t neighbours = 0;
    chorus_open(&all, folder, 0);
    ADD_VOICES(&all);
    add_bodies(&all, &c, true);
    raise_furniture(&all);
    for (uint32_t frame = 5; frame < FRAMES; frame += COMPARED_EVERY) {
        show_frame(&all, &c, frame);
        /* The first of a frame is the one that computes boxes. */
        const bool skip_first = frame % 2 == 0;
        contact one = ask(&all, skip_first), other = ask(&all, !skip_first);
        contact skipping = skip_first ? one : other, whole = skip_first ? other : one;
        assert_int_equal(skipping.with_table, whole.with_table);
        assert_int_equal(skipping.with_floor, whole.with_floor);
        assert_true(skipping.within <= whole.within);
        neighbours += whole.within - skipping.within;
        sum.within += whole.within;
        sum.with_table += whole.with_table;
        sum.with_floor += whole.with_floor;
    }
    print_message("%s: %u voices agree on %zu pairs within, %zu of them neighbours; %zu with the "
                  "table, %zu with the floor\n",
                  folder, all.voice_count, sum.within, neighbours, sum.with_table, sum.with_floor);
    assert_true(sum.with_table > 0 && sum.with_floor > 0);
    assert_true(!meets_itself || (neighbours > 0 && sum.within > neighbours));
    chorus_close(&all);
    close_clip(&c);
}

static void every_method_finds_the_same_in_the_cloth_that_was_kept_off_itself(void **state)
{
    (void)state;
    compare_methods("10k", false);
}

static void every_method_finds_the_same_in_the_cloth_that_was_not(void **state)
{
    (void)state;
    compare_methods("10k_noself", true);
}

/* BRUTE takes too long for the cloth with itself, but not for this. */
static void every_method_meets_table_and_floor_as_brute_does(void **state)
{
    (void)state;
    static chorus all;
    clip c = open_clip("10k");
    size_t pairs = 0;
    chorus_open(&all, "10k", 0);
    chorus_add_brute(&all);
    ADD_VOICES(&all);
    add_bodies(&all, &c, false);
    raise_furniture(&all);
    for (uint32_t frame = 9; frame < FRAMES; frame += 2 * COMPARED_EVERY) {
        show_frame(&all, &c, frame);
        contact found = ask(&all, false);
        assert_int_equal(found.within, 0);
        pairs += found.with_table + found.with_floor;
    }
    print_message("%u voices, %zu pairs found\n", all.voice_count, pairs);
    assert_true(pairs > 0);
    chorus_close(&all);
    close_clip(&c);
}

/* ---- rational numbers ---- */

static void check_frame_with_oracle(chorus *all, const clip *c, uint32_t frame)
{
    const body_file *cloth = &c->bodies[CLOTH];
    sweep_pairs expected =
        sweep_find(cloth_at(c, frame), (const uint32_t(*)[3])cloth->tris, cloth->triangle_count);
    show_frame(all, c, frame);
    for (int skip = 0; skip < 2; skip++) {
        const willow_pairs pairs = chorus_ask(all, skip != 0);
        sweep_check(&expected, skip != 0, pairs.items, pairs.count);
    }
    print_message("%s, frame %u: %zu boxes meet, %zu pairs found, %zu of them neighbours\n",
                  c->name, frame, expected.decided_count, expected.count, expected.neighbour_count);
    assert_true(expected.count > 0);
    sweep_free(&expected);
}

/* In frame 40 the first cloth has pairs too: of neighbours, which its maker does not count. */
static void rational_numbers_find_the_same(void **state)
{
    (void)state;
    static chorus all;
    static const struct {
        const char *folder;
        uint32_t frame;
    } cases[] = {{"10k", 40}, {"10k_noself", 29}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        clip c = open_clip(cases[i].folder);
        chorus_open(&all, cases[i].folder, 0);
        chorus_add(&all, willow_tree_def_default(), WILLOW_KERNEL_AUTO, 1);
        add_bodies(&all, &c, true);
        check_frame_with_oracle(&all, &c, cases[i].frame);
        chorus_close(&all);
        close_clip(&c);
    }
}

TEST_GROUP_FUNCTION(tablecloth)
{
    static const char *const folders[] = {"tablecloth/10k", "tablecloth/10k_noself"};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cloth_that_was_kept_off_itself_never_meets_itself),
        cmocka_unit_test(the_cloth_that_was_not_meets_itself_where_its_maker_says),
        cmocka_unit_test(every_method_finds_the_same_in_the_cloth_that_was_kept_off_itself),
        cmocka_unit_test(every_method_finds_the_same_in_the_cloth_that_was_not),
        cmocka_unit_test(every_method_meets_table_and_floor_as_brute_does),
        cmocka_unit_test(rational_numbers_find_the_same),
    };
    for (int i = 0; i < 2; i++)
        if (!real_data_has(folders[i])) return real_data_skip(folders[i]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
