/* Samples come in order, whoever reads them; what is held stays; a sample that cannot be read is
 * said when it is asked for, and not before. */
#include "bench/play/clip_reader.h"
#include "io/clip_build.h"
#include "support/test.h"

#include <stdatomic.h>

enum { SAMPLES = 200 };

typedef struct numbers {
    uint32_t failing; /* the sample that cannot be read */
    atomic_uint reads;
} numbers;

/* The time goes into the pose. */
static bool read_number(const clip *c, uint32_t first_body, const void *data, clip_frame *frame,
                        void **kept, io_error *error)
{
    (void)c;
    (void)kept;
    numbers *n = (numbers *)(void *)data;
    atomic_fetch_add(&n->reads, 1);
    if (frame->time >= n->failing) return io_fail(error, "sample %g is broken", frame->time);
    frame->bodies[first_body].pose.translation.x = (float)frame->time;
    return true;
}

static const clip_source number_source = {.read = read_number};

static clip *numbers_create(numbers *n, double times[SAMPLES])
{
    io_error error;
    const clip_options options = clip_options_default();
    clip *c = clip_create(&options);
    assert_non_null(c);
    clip_body *body = clip_add_body(c, "one");
    assert_non_null(body);
    body->motion = CLIP_RIGID;
    body->mesh.vertex_count = 3;
    body->mesh.triangle_count = 1;
    body->mesh.positions = io_alloc(c->memory, 9, sizeof(float));
    body->mesh.indices = io_alloc(c->memory, 3, sizeof(uint32_t));
    assert_true(body->mesh.positions != NULL && body->mesh.indices != NULL);
    for (uint32_t i = 0; i < SAMPLES; i++) times[i] = i;
    assert_true(clip_add_keys(c, times, SAMPLES));
    assert_true(clip_add_part(c, 0, &number_source, n));
    assert_true(clip_finish(c, "numbers", &error));
    return c;
}

static void expect_sample(clip_reader *r, uint32_t i)
{
    io_error error;
    const clip_frame *frame = clip_reader_get(r, i, &error);
    assert_non_null(frame);
    assert_true(frame->bodies[0].pose.translation.x == (float)i);
}

static void samples_come_in_order_and_stay_while_they_are_held(void **state)
{
    (void)state;
    double times[SAMPLES];
    for (uint32_t held = 1; held <= 3; held++) {
        numbers n = {.failing = SAMPLES};
        clip *c = numbers_create(&n, times);
        clip_reader *r = clip_reader_create(c, times, SAMPLES, held);
        assert_non_null(r);
        for (uint32_t i = 0; i < SAMPLES; i++) {
            for (uint32_t k = i; k < i + held && k < SAMPLES; k++) expect_sample(r, k);
            for (uint32_t k = i; k < i + held && k < SAMPLES; k++) expect_sample(r, k);
            clip_reader_release(r, i + 1);
        }
        assert_int_equal(atomic_load(&n.reads), SAMPLES);
        clip_reader_destroy(r);
        clip_close(c);
    }
}

/* Memory is bounded: no more is read than there is room for. */
static void a_reader_waits_where_nobody_takes(void **state)
{
    (void)state;
    double times[SAMPLES];
    numbers n = {.failing = SAMPLES};
    clip *c = numbers_create(&n, times);
    clip_reader *r = clip_reader_create(c, times, SAMPLES, 1);
    assert_non_null(r);
    expect_sample(r, 0);
    clip_reader_destroy(r);
    assert_true(atomic_load(&n.reads) <= 2);
    clip_close(c);
}

static void a_broken_sample_is_said_when_it_is_asked_for(void **state)
{
    (void)state;
    double times[SAMPLES];
    io_error error;
    numbers n = {.failing = 5};
    clip *c = numbers_create(&n, times);
    clip_reader *r = clip_reader_create(c, times, SAMPLES, 2);
    assert_non_null(r);
    for (uint32_t i = 0; i < 5; i++) {
        expect_sample(r, i);
        clip_reader_release(r, i + 1);
    }
    assert_null(clip_reader_get(r, 5, &error));
    assert_string_equal(error.text, "sample 5 is broken");
    assert_null(clip_reader_get(r, 5, &error));
    clip_reader_destroy(r);
    clip_close(c);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(samples_come_in_order_and_stay_while_they_are_held),
    cmocka_unit_test(a_reader_waits_where_nobody_takes),
    cmocka_unit_test(a_broken_sample_is_said_when_it_is_asked_for),
};

TEST_GROUP(clip_reader_threads, tests);
