/* Scenes: equal bits in any order of frames, sizes that exist, and texts that are refused in
 * words. */
#include <stdlib.h>
#include "base/hash.h"
#include "scenes/scenes.h"
#include "support/test.h"

static scene *make(const char *spec)
{
    char error[512];
    scene *s = scene_create(spec, error, sizeof error);
    if (s == NULL) fail_msg("%s: %s", spec, error);
    return s;
}

static uint64_t hash_frame(const scene *s, uint32_t frame)
{
    uint64_t hash = WI_HASH_START;
    for (uint32_t body = 0; body < s->body_count; body++) {
        size_t size = 3 * (size_t)s->bodies[body].vertex_count * sizeof(float);
        float *xyz = malloc(size + 1);
        assert_non_null(xyz);
        scene_positions(s, frame, body, xyz);
        hash = wi_hash_bytes(hash, xyz, size);
        free(xyz);
    }
    return hash;
}

static uint64_t hash_indices(const scene *s)
{
    uint64_t hash = WI_HASH_START;
    for (uint32_t body = 0; body < s->body_count; body++) {
        size_t size = 3 * (size_t)s->bodies[body].triangle_count * sizeof(uint32_t);
        hash = wi_hash_bytes(hash, s->bodies[body].indices, size);
    }
    return hash;
}

static const char *const specs[] = {
    "bumpy:triangles=1280",
    "bumpy:triangles=5120,seed=3,frames=50",
    "soup",
    "soup:variant=strips,triangles=100,bodies=3,seed=9",
    "degenerate",
};

enum { SPEC_COUNT = sizeof specs / sizeof specs[0] };

static void positions_do_not_depend_on_the_order_of_frames(void **state)
{
    (void)state;
    for (int i = 0; i < SPEC_COUNT; i++) {
        scene *s = make(specs[i]), *other = make(specs[i]);
        uint64_t forward[20], count = 0;
        for (uint32_t frame = 0; frame < 20; frame++) forward[count++] = hash_frame(s, frame);
        while (count-- > 0) assert_int_equal(hash_frame(other, (uint32_t)count), forward[count]);
        scene_destroy(s);
        scene_destroy(other);
    }
}

/* Measured once; another number means that some result of a benchmark is not comparable any
 * more. */
static void positions_are_the_same_bits_everywhere(void **state)
{
    (void)state;
    static const struct {
        uint64_t indices, first, later;
    } golden[SPEC_COUNT] = {
        {UINT64_C(0xFA0784F498AEABF9), UINT64_C(0x8C2FA66B238BD359), UINT64_C(0x9678AE37BCB8C0B1)},
        {UINT64_C(0x84552EED53F9BC26), UINT64_C(0x3F6649B14657783C), UINT64_C(0xA72F1B0EB23BEAEC)},
        {UINT64_C(0x29F2D3DFFF1E93A5), UINT64_C(0xF529F0115FB697EF), UINT64_C(0x48A988F84B4182B9)},
        {UINT64_C(0x2FC41E703C2643C0), UINT64_C(0xE0DC869EC2ED5F70), UINT64_C(0x582A79CC43085951)},
        {UINT64_C(0xC2926A1B54CC012C), UINT64_C(0xB8FB64A8CF2D9E0A), UINT64_C(0xE601926DBC7B866D)},
    };
    for (int i = 0; i < SPEC_COUNT; i++) {
        scene *s = make(specs[i]);
        uint64_t indices = hash_indices(s), first = hash_frame(s, 0), later = hash_frame(s, 17);
        print_message("{UINT64_C(0x%016llX), UINT64_C(0x%016llX), UINT64_C(0x%016llX)},\n",
                      (unsigned long long)indices, (unsigned long long)first,
                      (unsigned long long)later);
        assert_int_equal(indices, golden[i].indices);
        assert_int_equal(first, golden[i].first);
        assert_int_equal(later, golden[i].later);
        scene_destroy(s);
    }
}

static void another_seed_is_another_scene(void **state)
{
    (void)state;
    scene *a = make("bumpy:triangles=80,seed=1"), *b = make("bumpy:triangles=80,seed=2");
    assert_int_not_equal(hash_frame(a, 5), hash_frame(b, 5));
    scene_destroy(a);
    scene_destroy(b);
}

static void every_vertex_of_bumpy_moves_in_every_frame(void **state)
{
    (void)state;
    scene *s = make("bumpy:triangles=320");
    uint32_t count = s->bodies[1].vertex_count;
    float *before = malloc(12 * (size_t)count), *after = malloc(12 * (size_t)count);
    assert_true(before != NULL && after != NULL);
    for (uint32_t frame = 1; frame < s->frame_count; frame++) {
        scene_positions(s, frame - 1, 1, before);
        scene_positions(s, frame, 1, after);
        for (size_t i = 0; i < count; i++) {
            assert_memory_not_equal(before + 3 * i, after + 3 * i, 12);
        }
    }
    free(before);
    free(after);
    scene_destroy(s);
}

static void triangles_are_rounded_to_a_size_that_exists(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{1, 20},        {49, 20},      {51, 80},
                                        {1280, 1280},   {3000, 1280},  {20000, 20480},
                                        {50000, 20480}, {60000, 81920}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char spec[64];
        snprintf(spec, sizeof spec, "bumpy:triangles=%u", (unsigned)sizes[i][0]);
        scene *s = make(spec);
        assert_int_equal(s->asked.triangles, sizes[i][0]);
        assert_int_equal(s->params.triangles, sizes[i][1]);
        assert_int_equal(s->bodies[0].triangle_count, sizes[i][1]);
        assert_int_equal(s->bodies[0].vertex_count, sizes[i][1] / 2 + 2);
        scene_destroy(s);
    }
}

static void every_index_names_a_vertex(void **state)
{
    (void)state;
    for (int i = 0; i < SPEC_COUNT; i++) {
        scene *s = make(specs[i]);
        for (uint32_t body = 0; body < s->body_count; body++) {
            const scene_body *b = &s->bodies[body];
            for (size_t k = 0; k < 3 * (size_t)b->triangle_count; k++) {
                assert_true(b->indices[k] < b->vertex_count);
            }
        }
        scene_destroy(s);
    }
}

/* Every edge of a closed surface has two triangles: 3 edges per triangle, halved. */
static void spheres_are_closed(void **state)
{
    (void)state;
    scene *s = make("bumpy:triangles=1280");
    const scene_body *b = &s->bodies[0];
    for (uint32_t t = 0; t < b->triangle_count; t++) {
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t from = b->indices[3 * t + k], to = b->indices[3 * t + (k + 1) % 3], met = 0;
            for (uint32_t u = 0; u < 3 * b->triangle_count; u++) {
                met += b->indices[u] == to && b->indices[u / 3 * 3 + (u + 1) % 3] == from;
            }
            assert_int_equal(met, 1);
        }
    }
    scene_destroy(s);
}

static void the_zoo_has_what_it_promises(void **state)
{
    (void)state;
    scene *s = make("degenerate");
    bool empty = false, points_alone = false;
    for (uint32_t i = 0; i < s->body_count; i++) {
        const scene_body *b = &s->bodies[i];
        empty = empty || (b->vertex_count == 0 && b->triangle_count == 0);
        points_alone = points_alone || (b->vertex_count > 0 && b->triangle_count == 0);
        assert_true(b->self);
    }
    assert_true(empty && points_alone);
    scene_destroy(s);
}

static void wrong_texts_are_refused_in_words(void **state)
{
    (void)state;
    static const struct {
        const char *spec, *words;
    } cases[] = {
        {"bumby", "no scene 'bumby'"},
        {"", "no scene ''"},
        {"bumpy:", "has no value"},
        {"bumpy:frames", "has no value"},
        {"bumpy:speed=3", "no key 'speed'; it has: triangles, frames, seed"},
        {"bumpy:inbetween=3", "no key 'inbetween'"},
        {"bumpy:variant=x", "no key 'variant'"},
        {"bumpy:frames=", "is no number"},
        {"bumpy:frames=-1", "is no number"},
        {"bumpy:frames=2x", "is no number"},
        {"bumpy:frames=99999999999", "is no number"},
        {"bumpy:frames=0", "out of range"},
        {"soup:bodies=10001", "takes 1 to 10000"},
        {"soup:variant=thick", "no variant 'thick'; it has: apart strips"},
        {"soup:variant=", "no variant ''"},
        {"bumpy:frames=3,", "has no value"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char error[512] = "";
        assert_null(scene_create(cases[i].spec, error, sizeof error));
        if (strstr(error, cases[i].words) == NULL) fail_msg("%s: %s", cases[i].spec, error);
    }
}

static void long_texts_and_short_buffers_are_safe(void **state)
{
    (void)state;
    char text[2 * SCENE_SPEC_MAX], error[16];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    assert_null(scene_create(text, error, sizeof error));
    assert_null(scene_create("bumpy:frames=0", error, sizeof error));
    assert_int_equal(strlen(error), sizeof error - 1);
    assert_null(scene_create("bumpy:frames=0", NULL, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_do_not_depend_on_the_order_of_frames),
        cmocka_unit_test(positions_are_the_same_bits_everywhere),
        cmocka_unit_test(another_seed_is_another_scene),
        cmocka_unit_test(every_vertex_of_bumpy_moves_in_every_frame),
        cmocka_unit_test(triangles_are_rounded_to_a_size_that_exists),
        cmocka_unit_test(every_index_names_a_vertex),
        cmocka_unit_test(spheres_are_closed),
        cmocka_unit_test(the_zoo_has_what_it_promises),
        cmocka_unit_test(wrong_texts_are_refused_in_words),
        cmocka_unit_test(long_texts_and_short_buffers_are_safe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
