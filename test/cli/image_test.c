/* Between samples, and over squares of dots: what `willow render` makes pixels of. */
#include <math.h>
#include "cli/render/image.c" /* the tool is no library; this part of it needs nothing else of it */
#include "support/test.h"

/* Of 4 x 3 samples, each in a square of 10 x 10 dots. */
static const ray_picture picture = {40, 30, 10};
enum { COLUMNS = 4, ROWS = 3 };

static void assert_near(float actual, float wanted)
{
    if (!(fabsf(actual - wanted) <= 1e-5F)) fail_msg("%g, not %g", (double)actual, (double)wanted);
}

static float red_at(const colour *known, float x, float y)
{
    return image_between(known, &picture, x, y).r;
}

/* Samples whose numbers tell them apart, and are on no plane. */
static void make_samples(colour *out)
{
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        const float value = (float)(i * i % 7);
        out[i] = (colour){value, 2 * value, 1 - value};
    }
}

static void samples_keep_their_colour(void **state)
{
    (void)state;
    colour known[COLUMNS * ROWS];
    make_samples(known);
    for (int y = 0; y < ROWS; y++) {
        for (int x = 0; x < COLUMNS; x++) {
            const colour at = image_between(known, &picture, 10 * (float)x + 5, 10 * (float)y + 5);
            assert_near(at.r, known[COLUMNS * y + x].r);
            assert_near(at.g, known[COLUMNS * y + x].g);
            assert_near(at.b, known[COLUMNS * y + x].b);
        }
    }
}

/* Larsson 2003, paper C, section 7.4: four triangles that meet in the middle of four samples. */
static void four_triangles_meet_between_four_samples(void **state)
{
    (void)state;
    colour known[COLUMNS * ROWS] = {{0}};
    known[0].r = 1;
    assert_near(red_at(known, 10, 10), 0.25F); /* the middle: the mean */
    assert_near(red_at(known, 10, 5), 0.5F);   /* along a side: straight */
    assert_near(red_at(known, 5, 10), 0.5F);
    assert_near(red_at(known, 12.5F, 12.5F), 0.125F); /* towards the far corner: straight, too */
    assert_near(red_at(known, 7.5F, 7.5F), 0.625F);
    assert_near(red_at(known, 10, 7.5F), 0.375F); /* a quarter between side and middle */
    assert_near(red_at(known, 12.5F, 7.5F), 0.125F);
    /* A quad drawn as two triangles would have 0.5 or 0 in its middle, and a bilinear one 0.0625
     * where this has 0.125. */
}

static void colours_in_a_plane_stay_there(void **state)
{
    (void)state;
    colour known[COLUMNS * ROWS];
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        known[i] = (colour){(float)(i % COLUMNS) + 3 * (float)(i / COLUMNS), 1, 0};
    }
    for (int y = 5; y <= 25; y++) {
        for (int x = 5; x <= 35; x++) {
            const colour at = image_between(known, &picture, (float)x, (float)y);
            assert_near(at.r, ((float)x - 5) / 10 + 3 * ((float)y - 5) / 10);
            assert_near(at.g, 1);
        }
    }
}

static void beyond_the_last_sample_nothing_changes(void **state)
{
    (void)state;
    colour known[COLUMNS * ROWS];
    make_samples(known);
    assert_near(red_at(known, 0, 0), known[0].r);
    assert_near(red_at(known, 40, 30), known[COLUMNS * ROWS - 1].r);
    assert_near(red_at(known, 39.5F, 0.5F), known[COLUMNS - 1].r);
    assert_near(red_at(known, 15, 29.5F), known[COLUMNS * (ROWS - 1) + 1].r);
}

static void every_pixel_is_a_ray_without_sampling(void **state)
{
    (void)state;
    colour known[COLUMNS * ROWS];
    const ray_picture whole = {COLUMNS, ROWS, 1};
    image out;
    make_samples(known);
    assert_true(image_create(&out, COLUMNS, ROWS));
    image_interpolate(&out, known, &whole);
    assert_memory_equal(out.dots, known, sizeof known);
    image_destroy(&out);
}

static void pixels_are_means_of_squares(void **state)
{
    (void)state;
    image dots, out;
    assert_true(image_create(&dots, 4, 2) && image_create(&out, 3, 1));
    for (int i = 0; i < 8; i++) dots.dots[i].g = (float)i;
    out.dots[0].g = 9;
    image_shrink(&dots, 2, &out, 1);
    assert_near(out.dots[0].g, 9); /* of the picture before it in a strip */
    assert_near(out.dots[1].g, (0 + 1 + 4 + 5) / 4.0F);
    assert_near(out.dots[2].g, (2 + 3 + 6 + 7) / 4.0F);
    image_destroy(&dots);
    image_destroy(&out);
}

static void light_becomes_bytes_of_srgb(void **state)
{
    (void)state;
    assert_int_equal(byte_of(-1), 0);
    assert_int_equal(byte_of(NAN), 0);
    assert_int_equal(byte_of(0), 0);
    assert_int_equal(byte_of(0.002F), 7);
    assert_int_equal(byte_of(0.5F), 188);
    assert_int_equal(byte_of(1), 255);
    assert_int_equal(byte_of(7), 255);
}

/* Fewer colours than wanted are kept as they are; more become means of near ones. */
static void few_colours_are_chosen_by_median_cuts(void **state)
{
    (void)state;
    const uint8_t rgb[] = {0, 0, 0, 0, 0, 0, 255, 0, 0, 255, 8, 0, 0, 0, 255};
    palette *p = calloc(1, sizeof *p);
    assert_non_null(p);
    palette_make(p, rgb, 5, 16);
    assert_int_equal(p->count, 4);
    for (size_t i = 0; i < 5; i++) {
        assert_memory_equal(p->colours[p->cells[cell_of(rgb + 3 * i)].number], rgb + 3 * i, 3);
    }
    memset(p, 0, sizeof *p);
    palette_make(p, rgb, 5, 3);
    assert_int_equal(p->count, 3);
    assert_memory_equal(p->colours[p->cells[cell_of(rgb + 6)].number], ((uint8_t[]){255, 4, 0}), 3);
    free(p);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(samples_keep_their_colour),
    cmocka_unit_test(four_triangles_meet_between_four_samples),
    cmocka_unit_test(colours_in_a_plane_stay_there),
    cmocka_unit_test(beyond_the_last_sample_nothing_changes),
    cmocka_unit_test(every_pixel_is_a_ray_without_sampling),
    cmocka_unit_test(pixels_are_means_of_squares),
    cmocka_unit_test(light_becomes_bytes_of_srgb),
    cmocka_unit_test(few_colours_are_chosen_by_median_cuts),
};

TEST_GROUP(image, tests);
