/* Scenes: equal bits in any order of frames, sizes that exist, bodies as promised, and texts that
 * are refused in words. */
#include <math.h>
#include <stdlib.h>
#include "base/hash.h"
#include "scenes/scenes.h"
#include "support/fixture.h"
#include "support/test.h"

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
    "many:triangles=80,bodies=9",
    "many:triangles=80,bodies=9,variant=arms",
    "many:triangles=80,bodies=9,variant=rigid",
    "converge:triangles=80",
    "tumble:triangles=320",
    "tablecloth:triangles=512",
    "selfcloth:triangles=512",
    "stir:triangles=400",
    "twist:triangles=200",
    "spheres:triangles=320",
    "morphing:triangles=320",
    "dolphins:triangles=564,bodies=5",
    "faces:triangles=320",
    "walker:triangles=1000",
    "walker:triangles=1000,variant=self",
    "avatar:triangles=1000,inbetween=4",
    "avatar:triangles=1000,variant=dress,inbetween=0",
    "rollers:triangles=1000",
    "fans:triangles=60,parts=3",
    "fans:triangles=60,parts=3,variant=cap",
    "fans:triangles=60,parts=3,variant=cone",
    "sheets:triangles=200,parts=2",
    "sheets:triangles=200,parts=2,variant=flat",
    "sheets:triangles=200,parts=2,variant=rough_tilted",
    "sheets:triangles=200,parts=2,variant=far",
    "sheets:triangles=200,parts=2,variant=far_back",
    "spot:bodies=5",
    "spot:bodies=3,variant=equal,triangles=500",
    "shells:triangles=80,bodies=20",
    "shells:triangles=320,variant=turned",
    "needles:triangles=50",
    "rays9:triangles=80",
    "museum:triangles=100",
    "crowd_rays:triangles=80,bodies=9",
    "crowd2d:bodies=20",
    "crowd2d:bodies=20,variant=heavy_pressed,moving=40",
    "crowd3d:bodies=20,variant=falling",
    "crowd3d:bodies=20,variant=heavy_drifting",
    "splitting:triangles=5660,frames=20",
    "splitting:triangles=5660,frames=20,variant=deforming",
    "apple:triangles=1500",
    "pumpkin:triangles=2500",
    "shatter:triangles=1500",
    "school:triangles=564,bodies=14",
    "debris:bodies=30",
    "bunnies:triangles=80",
    "bunnies:triangles=320,variant=1024,frames=50",
    "shelf:triangles=50,bodies=120",
};

enum { SPEC_COUNT = sizeof specs / sizeof specs[0] };

/* Made once, since a cloth takes its time; tests only ask. */
static scene *scenes[SPEC_COUNT];

static int make_scenes(void **state)
{
    (void)state;
    for (int i = 0; i < SPEC_COUNT; i++) scenes[i] = fixture_scene(specs[i]);
    return 0;
}

static int destroy_scenes(void **state)
{
    (void)state;
    for (int i = 0; i < SPEC_COUNT; i++) scene_destroy(scenes[i]);
    return 0;
}

static void every_scene_is_in_the_table_of_this_test(void **state)
{
    (void)state;
    for (const scene_kind *const *kind = scene_kinds; *kind != NULL; kind++) {
        bool found = false;
        for (int i = 0; i < SPEC_COUNT; i++) found = found || scenes[i]->kind == *kind;
        if (!found) fail_msg("no spec here has the scene %s", (*kind)->name);
    }
}

static void positions_do_not_depend_on_the_order_of_frames(void **state)
{
    (void)state;
    for (int i = 0; i < SPEC_COUNT; i++) {
        scene *s = scenes[i], *other = fixture_scene(specs[i]);
        uint64_t forward[20], count = 0;
        for (uint32_t frame = 0; frame < 20; frame++) forward[count++] = hash_frame(s, frame);
        while (count-- > 0) assert_int_equal(hash_frame(other, (uint32_t)count), forward[count]);
        scene_destroy(other);
    }
}

/* Measured once; another number means that some result of a benchmark is not comparable any
 * more. */
static void positions_are_the_same_bits_everywhere(void **state)
{
    (void)state;
    static const struct {
        uint64_t indices, first, later, last;
    } golden[SPEC_COUNT] = {
        {UINT64_C(0xFA0784F498AEABF9), UINT64_C(0x8C2FA66B238BD359), UINT64_C(0x9678AE37BCB8C0B1),
         UINT64_C(0xEC6B5ED20E60EF69)},
        {UINT64_C(0x84552EED53F9BC26), UINT64_C(0x3F6649B14657783C), UINT64_C(0xA72F1B0EB23BEAEC),
         UINT64_C(0x483EBF12EEAC7C3B)},
        {UINT64_C(0x29F2D3DFFF1E93A5), UINT64_C(0xF529F0115FB697EF), UINT64_C(0x48A988F84B4182B9),
         UINT64_C(0x8D77D574B0B47CC9)},
        {UINT64_C(0x2FC41E703C2643C0), UINT64_C(0xE0DC869EC2ED5F70), UINT64_C(0x582A79CC43085951),
         UINT64_C(0x42C60C97F65F761C)},
        {UINT64_C(0xC2926A1B54CC012C), UINT64_C(0xB8FB64A8CF2D9E0A), UINT64_C(0xE601926DBC7B866D),
         UINT64_C(0x7B7472740DCFE063)},
        {UINT64_C(0x4D25061281729CE6), UINT64_C(0x0DD7D9A495EA7C74), UINT64_C(0x16A4F164F34782EE),
         UINT64_C(0x2647D590CE9C249E)},
        {UINT64_C(0x4D25061281729CE6), UINT64_C(0xDF77445EF68A73B1), UINT64_C(0x3A8B3732D61CA539),
         UINT64_C(0xDC631A2ED44FF75A)},
        {UINT64_C(0x4D25061281729CE6), UINT64_C(0xD191356124126743), UINT64_C(0xB9E3015981C7D333),
         UINT64_C(0x5F6AD1B99044F8EC)},
        {UINT64_C(0x94DAEA06461F782C), UINT64_C(0x09FDEF054195102F), UINT64_C(0x46977AF79004D0FA),
         UINT64_C(0xCDB412AEB402293E)},
        {UINT64_C(0x87DAEB269A5BEAEC), UINT64_C(0x23CE406D561E6BB0), UINT64_C(0xCAE0510F875CA874),
         UINT64_C(0xF60753AC249BFE38)},
        {UINT64_C(0x94D5F4664A6EA49B), UINT64_C(0x49C7EB54D89D77F4), UINT64_C(0xAC1506EFA77F1BB0),
         UINT64_C(0x1E2EBE12E86D9771)},
        {UINT64_C(0x06F4B28CC6440676), UINT64_C(0xE2E03AAC5E04C40B), UINT64_C(0x69E901FFAB20F8EB),
         UINT64_C(0x2B54256C01F7938F)},
        {UINT64_C(0xC8675545B803DEE5), UINT64_C(0x68FFB4ED6E8608BE), UINT64_C(0x93BE9D7E60B0F334),
         UINT64_C(0x160F0D964BA98BA3)},
        {UINT64_C(0x3B9EAE66353B9F55), UINT64_C(0x80324477AED2AF18), UINT64_C(0x159AF228B6ABD300),
         UINT64_C(0x57D0BC53DEFEB818)},
        {UINT64_C(0x87DAEB269A5BEAEC), UINT64_C(0x8EB3944F039898C6), UINT64_C(0x2AC474EEEDB55058),
         UINT64_C(0xBA038FE6E3FED028)},
        {UINT64_C(0x87DAEB269A5BEAEC), UINT64_C(0x6172CD224A5C0959), UINT64_C(0x073E1D97DF8928A4),
         UINT64_C(0x1E8E5EEA42450D3B)},
        {UINT64_C(0x922FAEF1AC4B8C6D), UINT64_C(0xB38510BFD6296406), UINT64_C(0xDFD24C2E4B326AA8),
         UINT64_C(0x41A5A467D841D192)},
        {UINT64_C(0x87DAEB269A5BEAEC), UINT64_C(0x95087B2AD2E42F9A), UINT64_C(0x6DFAFF39C6D96182),
         UINT64_C(0x7D08B49A8EF12F48)},
        {UINT64_C(0x0DB36F66317F7639), UINT64_C(0x2985223605556AA1), UINT64_C(0x836E4C30C60F1170),
         UINT64_C(0xB21E8B3D573B1951)},
        {UINT64_C(0x0DB36F66317F7639), UINT64_C(0x2985223605556AA1), UINT64_C(0x836E4C30C60F1170),
         UINT64_C(0xB21E8B3D573B1951)},
        {UINT64_C(0xDAD228E4DAFD2781), UINT64_C(0xC1E45C4268DF3775), UINT64_C(0xE63E6A0AC9CAC33E),
         UINT64_C(0x5A01D0DEF8985400)},
        {UINT64_C(0x0F62CF0C34BC5D5D), UINT64_C(0x8E570639188F314E), UINT64_C(0xCE4C85C6DF69FFAA),
         UINT64_C(0x0A259B83D30854E2)},
        {UINT64_C(0xE745C0D6B0EBD615), UINT64_C(0xFDD94F78087DF3B7), UINT64_C(0x59467C191DA48526),
         UINT64_C(0x0E58E180CF46E8F8)},
        {UINT64_C(0x0DDCA38A0216E929), UINT64_C(0x1116865BDD3F385C), UINT64_C(0x80A302931E4CD5E3),
         UINT64_C(0xD381EA61E1905871)},
        {UINT64_C(0x0DDCA38A0216E929), UINT64_C(0xECC7BD5DF7945560), UINT64_C(0xB7F9A7A33AFDBD80),
         UINT64_C(0xC0310164A37F57A9)},
        {UINT64_C(0x0DDCA38A0216E929), UINT64_C(0x9C9B3AE0B9C978F6), UINT64_C(0x1F1B1C93D5465793),
         UINT64_C(0xA0AA431D184E3077)},
        {UINT64_C(0x143C2DA87CB88506), UINT64_C(0x020397D9EE5F75C6), UINT64_C(0x66A559345F3B48BB),
         UINT64_C(0x8BF13DF581AE809D)},
        {UINT64_C(0x143C2DA87CB88506), UINT64_C(0x715726BA2CAB7F41), UINT64_C(0x2521B9BAF67B1C9F),
         UINT64_C(0x720CEC8C9A28B92E)},
        {UINT64_C(0x143C2DA87CB88506), UINT64_C(0x60E1A497F74AD720), UINT64_C(0xDCBB1B2319E1E624),
         UINT64_C(0xAC0AE917D2CF4EBF)},
        {UINT64_C(0x143C2DA87CB88506), UINT64_C(0x65EC0DD9CAF4CD18), UINT64_C(0xBE268102BC347594),
         UINT64_C(0x81820F0B97FDC02A)},
        {UINT64_C(0x143C2DA87CB88506), UINT64_C(0x0DF2E49EDDFAE933), UINT64_C(0xDBF43B28EFF7150F),
         UINT64_C(0x4D017EE36591E101)},
        {UINT64_C(0xA41438A0C516C35D), UINT64_C(0x016502C4238E2102), UINT64_C(0x4926B239E24C483D),
         UINT64_C(0x714F5518DC93E8C2)},
        {UINT64_C(0x712B747EC502E73A), UINT64_C(0x7D41B5248A0D9F2B), UINT64_C(0xA90F06B72A1A36DE),
         UINT64_C(0x62059B4ABEC84AA0)},
        {UINT64_C(0x8B32D5EC9B3C73DC), UINT64_C(0x4EED23B93CE099D9), UINT64_C(0x47C17D837178060B),
         UINT64_C(0x45E69E69CFB5370B)},
        {UINT64_C(0x87DAEB269A5BEAEC), UINT64_C(0x977FC7FFD39FB35B), UINT64_C(0x435DEDE2984AC7C0),
         UINT64_C(0x66A0FFE8C65C6E4D)},
        {UINT64_C(0xBD13F768D96BA2C0), UINT64_C(0xA8A2500576D24D65), UINT64_C(0x1521D6E18F39AE4D),
         UINT64_C(0x1D5744800994CDEA)},
        {UINT64_C(0x4D25061281729CE6), UINT64_C(0x6680C936372D7337), UINT64_C(0x11B2B0275BFF9DAF),
         UINT64_C(0xE6FB031FF949EF2A)},
        {UINT64_C(0x45B6F7F1ABA5AA69), UINT64_C(0x05AB052DFCFA2F35), UINT64_C(0x3487240C3EC5D378),
         UINT64_C(0xBDAEA1906B109308)},
        {UINT64_C(0x876DFC064DED9B94), UINT64_C(0x31947AD2D8510279), UINT64_C(0x7BF94B724A766B35),
         UINT64_C(0xFE2AB2C520609260)},
        {UINT64_C(0xA70C36D239DFFC4D), UINT64_C(0x2AFB658D4FD1729C), UINT64_C(0x024E609675E413E5),
         UINT64_C(0xA2EB8D7FEAF5865C)},
        {UINT64_C(0xA70C36D239DFFC4D), UINT64_C(0xE9286696F72C5354), UINT64_C(0x62CE1F63140D237F),
         UINT64_C(0xA0D6DC49EE92A496)},
        {UINT64_C(0xC4475E3D7ACF4CC3), UINT64_C(0x697D2599355391F2), UINT64_C(0x14D9047DFE636345),
         UINT64_C(0x157CD74DD8102FC3)},
        {UINT64_C(0xC4475E3D7ACF4CC3), UINT64_C(0xC4F1D3E64D2D6006), UINT64_C(0xF22C53D82C6CBC1E),
         UINT64_C(0x6B7A2753BF53B9E7)},
        {UINT64_C(0xE8208A82E3D8F824), UINT64_C(0x256A3ECB2D01C0B8), UINT64_C(0x8A4487179C9B13C3),
         UINT64_C(0x8A4487179C9B13C3)},
        {UINT64_C(0xE8208A82E3D8F824), UINT64_C(0xA5C80CD30F3A1348), UINT64_C(0x0E2AEAC2D094D5B7),
         UINT64_C(0x489350D0B1E0A0CC)},
        {UINT64_C(0x397435AECAC2FC63), UINT64_C(0x1CC306EBA0184E56), UINT64_C(0x39B1758FA10F1F18),
         UINT64_C(0x2D6D198741853531)},
        {UINT64_C(0x7E3A013C94DC6EA5), UINT64_C(0x8A3E83E662DA4289), UINT64_C(0xC13B7E4651C9171C),
         UINT64_C(0x425E183B0E355FCF)},
        {UINT64_C(0x6EDD7EAAF156B595), UINT64_C(0xF96C1211F8F866BD), UINT64_C(0xCFA23CD051E402E5),
         UINT64_C(0x5A750FC72245FB2B)},
        {UINT64_C(0x842AD6FFA3C33063), UINT64_C(0x1CEDE20380DE9E9C), UINT64_C(0x49AAAEF531379DBA),
         UINT64_C(0xE6E638D1776619B8)},
        {UINT64_C(0x98E297DADEE32B05), UINT64_C(0x5C7673255E76DBAD), UINT64_C(0x8FD82C8932F662BF),
         UINT64_C(0xD901011B8C37C170)},
        {UINT64_C(0x170CCE7BF1EC325C), UINT64_C(0xABC8D129DED4B9DE), UINT64_C(0xEA2CA0EABC477627),
         UINT64_C(0xEBFEC0B4B5C66C29)},
        {UINT64_C(0xBCCB596EF13D81B9), UINT64_C(0xA422F4116F0C5F11), UINT64_C(0xE161D2EE7DA46B79),
         UINT64_C(0xA00B1059BC877A5E)},
        {UINT64_C(0xA456A05D0E4DF796), UINT64_C(0xDF513C321FADA060), UINT64_C(0x41C81DE58782ECDA),
         UINT64_C(0x2340DD79C8D92CEA)},
    };
    for (int i = 0; i < SPEC_COUNT; i++) {
        const scene *s = scenes[i];
        uint64_t found[4] = {hash_indices(s), hash_frame(s, 0), hash_frame(s, 17),
                             hash_frame(s, s->frame_count - 1)};
        for (int k = 0; k < 4; k++) {
            print_message("%sUINT64_C(0x%016llX)%s", k == 0 ? "{" : "",
                          (unsigned long long)found[k], k == 3 ? "},\n" : ", ");
        }
        assert_int_equal(found[0], golden[i].indices);
        assert_int_equal(found[1], golden[i].first);
        assert_int_equal(found[2], golden[i].later);
        assert_int_equal(found[3], golden[i].last);
    }
}

static float *make_positions(const scene *s, uint32_t frame, uint32_t body)
{
    float *xyz = malloc(3 * (size_t)s->bodies[body].vertex_count * sizeof *xyz + 1);
    assert_non_null(xyz);
    scene_positions(s, frame, body, xyz);
    return xyz;
}

/* All vertices of a sheet are in one plane, to the bit, along the axes and at 45 degrees. */
static void flat_sheets_are_exactly_flat(void **state)
{
    (void)state;
    scene *flat = fixture_scene("sheets:triangles=200,parts=2,variant=flat");
    scene *tilted = fixture_scene("sheets:triangles=200,parts=2,variant=tilted");
    for (uint32_t frame = 0; frame < flat->frame_count; frame += 13) {
        float *a = make_positions(flat, frame, 0), *b = make_positions(tilted, frame, 0);
        const uint32_t half = flat->bodies[0].vertex_count / 2;
        for (uint32_t i = 0; i < 2 * half; i++) {
            assert_true(a[3 * i + 2] == (i < half ? 0.0F : 0.5F));
            assert_true(b[3 * i + 2] - b[3 * i + 1] == (i < half ? 0.0F : 1.0F));
        }
        free(a);
        free(b);
    }
    scene_destroy(flat);
    scene_destroy(tilted);
}

static void another_seed_is_another_scene(void **state)
{
    (void)state;
    scene *a = fixture_scene("bumpy:triangles=80,seed=1"),
          *b = fixture_scene("bumpy:triangles=80,seed=2");
    assert_int_not_equal(hash_frame(a, 5), hash_frame(b, 5));
    scene_destroy(a);
    scene_destroy(b);
}

static void every_vertex_of_bumpy_moves_in_every_frame(void **state)
{
    (void)state;
    scene *s = fixture_scene("bumpy:triangles=320");
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

static double volume_of(const scene *s, uint32_t body, uint32_t frame)
{
    const scene_body *b = &s->bodies[body];
    float *xyz = make_positions(s, frame, body);
    double sum = 0;
    for (uint32_t t = 0; t < b->triangle_count; t++) {
        double p[3][3];
        for (uint32_t k = 0; k < 9; k++)
            p[k / 3][k % 3] = (double)xyz[3 * (size_t)b->indices[3 * t + k / 3] + k % 3];
        sum += p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) +
               p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
               p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
    }
    free(xyz);
    return sum / 6;
}

static void check_volume(const scene *s, uint32_t body, double low, double high)
{
    double volume = volume_of(s, body, 0);
    if (volume < low || volume > high)
        fail_msg("%s: the volume of body %u is %g", s->kind->name, (unsigned)body, volume);
}

/* All triangles face outward, or volumes would be negative. A garment is all but closed. */
static void solid_bodies_have_an_inside(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        double low, high;
    } cases[] = {{"bumpy:triangles=1280", 3.5, 5},      {"spheres:triangles=1280", 0.45, 0.53},
                 {"morphing:triangles=1280", 3.5, 5},   {"faces:triangles=1280", 3, 4.5},
                 {"avatar:triangles=8000", 0.06, 0.08}, {"rollers:triangles=4000", 1.8, 2.9}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        scene *s = fixture_scene(cases[i].spec);
        check_volume(s, 0, cases[i].low, cases[i].high);
        check_volume(s, 1, cases[i].low, cases[i].high);
        scene_destroy(s);
    }
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
        scene *s = fixture_scene(spec);
        assert_int_equal(s->asked.triangles, sizes[i][0]);
        assert_int_equal(s->params.triangles, sizes[i][1]);
        assert_int_equal(s->bodies[0].triangle_count, sizes[i][1]);
        assert_int_equal(s->bodies[0].vertex_count, sizes[i][1] / 2 + 2);
        scene_destroy(s);
    }
}

static void dolphins_have_the_sizes_of_the_paper_and_one_shape(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{1, 564},     {564, 564},   {1500, 2256},
                                        {2256, 2256}, {9024, 9024}, {36096, 36096}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char spec[64];
        snprintf(spec, sizeof spec, "dolphins:triangles=%u", (unsigned)sizes[i][0]);
        scene *s = fixture_scene(spec);
        assert_int_equal(s->body_count, 12);
        assert_int_equal(s->params.triangles, sizes[i][1]);
        for (uint32_t body = 0; body < 12; body++)
            assert_int_equal(s->bodies[body].triangle_count, sizes[i][1]);
        check_volume(s, 1, 0.0755, 0.0825);
        scene_destroy(s);
    }
}

/* Both bodies together; the numbers are those of the paper. */
static void avatars_have_the_sizes_of_the_paper(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        uint32_t total;
    } sizes[] = {{"avatar:triangles=16000", 32000},
                 {"avatar", 32000},
                 {"avatar:triangles=163000", 326000},
                 {"avatar:triangles=32500,variant=dress", 65000},
                 {"avatar:triangles=290000,variant=dress", 580000}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        scene *s = fixture_scene(sizes[i].spec);
        double total = (double)scene_triangle_total(s), wanted = sizes[i].total;
        print_message("%s: %.0f triangles\n", sizes[i].spec, total);
        assert_true(fabs(total - wanted) < 0.01 * wanted);
        assert_int_equal(s->params.triangles, s->bodies[0].triangle_count);
        scene_destroy(s);
    }
}

/* The triangle of that directed edge; none is UINT32_MAX. Fails if there are two. */
static uint32_t triangle_at(const scene_body *b, uint32_t from, uint32_t to)
{
    uint32_t found = UINT32_MAX;
    for (uint32_t u = 0; u < 3 * b->triangle_count; u++) {
        if (b->indices[u] != from || b->indices[u / 3 * 3 + (u + 1) % 3] != to) continue;
        assert_int_equal(found, UINT32_MAX);
        found = u / 3;
    }
    return found;
}

/* Edges with a triangle on one side only follow each other round an opening. */
static uint32_t count_openings(const scene_body *b)
{
    uint32_t *next = malloc(b->vertex_count * sizeof *next), openings = 0;
    assert_non_null(next);
    for (uint32_t i = 0; i < b->vertex_count; i++) next[i] = UINT32_MAX;
    for (uint32_t u = 0; u < 3 * b->triangle_count; u++) {
        uint32_t from = b->indices[u], to = b->indices[u / 3 * 3 + (u + 1) % 3];
        assert_int_equal(triangle_at(b, from, to), u / 3);
        if (triangle_at(b, to, from) != UINT32_MAX) continue;
        assert_int_equal(next[from], UINT32_MAX);
        next[from] = to;
    }
    for (uint32_t i = 0; i < b->vertex_count; i++) {
        openings += next[i] != UINT32_MAX;
        for (uint32_t at = i; next[at] != UINT32_MAX;) {
            uint32_t then = next[at];
            next[at] = UINT32_MAX;
            at = then;
        }
    }
    free(next);
    return openings;
}

static void garments_are_sewn_and_open_at_hem_neck_and_sleeves(void **state)
{
    (void)state;
    static const char *const garments[] = {"avatar:triangles=1", "avatar:triangles=700",
                                           "avatar:triangles=1500",
                                           "avatar:triangles=1000,variant=dress"};
    for (int i = 0; i < 4; i++) {
        scene *s = fixture_scene(garments[i]);
        assert_int_equal(count_openings(&s->bodies[0]), 4);
        assert_int_equal(count_openings(&s->bodies[1]), 0);
        scene_destroy(s);
    }
}

static void a_walk_repeats_after_30_keyframes_and_not_before(void **state)
{
    (void)state;
    scene *s = fixture_scene("avatar:triangles=1000,inbetween=3,frames=300");
    uint64_t first = hash_frame(s, 2), first_key = hash_frame(s, 0);
    for (uint32_t key = 1; key < 30; key++) {
        assert_int_not_equal(hash_frame(s, 4 * key + 2), first);
        assert_int_not_equal(hash_frame(s, 4 * key), first_key);
    }
    for (uint32_t frame = 0; frame < 120; frame += 7)
        assert_int_equal(hash_frame(s, frame), hash_frame(s, frame + 120));
    scene_destroy(s);
}

/* Of one coordinate over the vertices of a body. */
static void span_of(const scene *s, uint32_t frame, uint32_t body, size_t axis, float out[2])
{
    float *xyz = make_positions(s, frame, body);
    out[0] = out[1] = xyz[axis];
    for (size_t i = 1; i < s->bodies[body].vertex_count; i++) {
        float at = xyz[3 * i + axis];
        out[0] = at < out[0] ? at : out[0];
        out[1] = at > out[1] ? at : out[1];
    }
    free(xyz);
}

/* The lower foot is on the ground, the head up, and a step is as long as steps are. */
static void figures_walk_upright_on_the_ground(void **state)
{
    (void)state;
    static const char *const figures[] = {"avatar:triangles=4000",
                                          "avatar:triangles=4000,variant=dress"};
    for (int i = 0; i < 2; i++) {
        scene *s = fixture_scene(figures[i]);
        float height[2], width[2], shortest = 10, longest = 0;
        for (uint32_t frame = 0; frame < 300; frame += 5) {
            span_of(s, frame, 1, 2, height);
            span_of(s, frame, 1, 1, width);
            assert_true(height[0] > -0.05F && height[0] < 0.05F);
            assert_true(height[1] > 1.6F && height[1] < 1.8F);
            shortest = width[1] - width[0] < shortest ? width[1] - width[0] : shortest;
            longest = width[1] - width[0] > longest ? width[1] - width[0] : longest;
        }
        print_message("%s: steps of %g to %g\n", figures[i], (double)shortest, (double)longest);
        assert_true(shortest < 0.7F && longest > 0.85F);
        scene_destroy(s);
    }
}

static void every_index_names_a_vertex(void **state)
{
    (void)state;
    for (int i = 0; i < SPEC_COUNT; i++) {
        const scene *s = scenes[i];
        for (uint32_t body = 0; body < s->body_count; body++) {
            const scene_body *b = &s->bodies[body];
            for (size_t k = 0; k < 3 * (size_t)b->triangle_count; k++) {
                assert_true(b->indices[k] < b->vertex_count);
            }
        }
    }
}

static void every_position_is_finite(void **state)
{
    (void)state;
    for (int i = 0; i < SPEC_COUNT; i++) {
        const scene *s = scenes[i];
        for (uint32_t frame = 0; frame < s->frame_count; frame += s->frame_count / 8) {
            for (uint32_t body = 0; body < s->body_count; body++) {
                float *xyz = make_positions(s, frame, body);
                for (size_t k = 0; k < 3 * (size_t)s->bodies[body].vertex_count; k++) {
                    assert_true(isfinite(xyz[k]));
                }
                free(xyz);
            }
        }
    }
}

/* The frame in the middle of the motion, of scenes whose motion is a function of the share of it.
 */
static void the_motion_takes_as_long_with_any_number_of_frames(void **state)
{
    (void)state;
    for (int i = 0; i < SPEC_COUNT; i++) {
        const char *name = scenes[i]->kind->name;
        if (strcmp(name, "soup") == 0 || strcmp(name, "degenerate") == 0) continue;
        if (strcmp(name, "avatar") == 0) continue;                      /* walks on */
        if (strncmp(name, "crowd", 5) == 0 && name[5] != '_') continue; /* and so do crowds */
        if (strcmp(name, "museum") == 0) continue; /* its last frame is its last shape */
        if (scene_has_lives(scenes[i])) continue;  /* vertices are numbered as they come */
        char few[100], many[100];
        const char *comma = strchr(specs[i], ':') != NULL ? "," : ":";
        snprintf(few, sizeof few, "%s%sframes=2", specs[i], comma);
        snprintf(many, sizeof many, "%s%sframes=1000", specs[i], comma);
        scene *a = fixture_scene(few), *b = fixture_scene(many);
        assert_int_equal(hash_frame(a, 0), hash_frame(b, 0));
        assert_int_equal(hash_frame(a, 1), hash_frame(b, 500));
        assert_int_not_equal(hash_frame(b, 500), hash_frame(b, 501));
        scene_destroy(a);
        scene_destroy(b);
    }
}

/* ---- what scenes know of bodies ---- */

static void bodies_stay_inside_their_loose_boxes(void **state)
{
    (void)state;
    scene *s = fixture_scene("school:triangles=564,bodies=30,frames=40");
    uint32_t apart = 0;
    for (uint32_t body = 0; body < s->body_count; body++) {
        willow_box box, other;
        bool is_apart = true;
        assert_true(scene_loose_box(s, body, &box));
        for (uint32_t frame = 0; frame < s->frame_count; frame++) {
            float *xyz = make_positions(s, frame, body);
            for (size_t k = 0; k < s->bodies[body].vertex_count; k++) {
                assert_true(xyz[3 * k] >= box.lower.x && xyz[3 * k] <= box.upper.x);
                assert_true(xyz[3 * k + 1] >= box.lower.y && xyz[3 * k + 1] <= box.upper.y);
                assert_true(xyz[3 * k + 2] >= box.lower.z && xyz[3 * k + 2] <= box.upper.z);
            }
            free(xyz);
        }
        for (uint32_t i = 0; i < s->body_count; i++) {
            assert_true(scene_loose_box(s, i, &other));
            is_apart = is_apart &&
                       (i == body || box.lower.x > other.upper.x || box.upper.x < other.lower.x ||
                        box.lower.y > other.upper.y || box.upper.y < other.lower.y ||
                        box.lower.z > other.upper.z || box.upper.z < other.lower.z);
        }
        apart += is_apart;
    }
    assert_int_equal(apart, 20); /* ten are near each other */
    scene_destroy(s);
}

/* What a program does: a morph, a pose and a promise for each. */
static willow_update_report swim(const char *spec)
{
    willow_update_report report;
    scene *s = fixture_scene(spec);
    willow_world *world = fixture_world(NULL);
    for (uint32_t frame = 0; frame < 3; frame++) {
        for (uint32_t i = 0; i < s->body_count; i++) {
            float weights[SCENE_REFERENCE_MAX];
            willow_body_id id;
            willow_body_def def = willow_body_def_default();
            scene_weights(s, frame, i, weights);
            scene_pose(s, frame, i, &def.pose);
            if (frame == 0) {
                willow_morph_target targets[SCENE_REFERENCE_MAX] = {{0}};
                willow_morph morph = willow_morph_default();
                willow_box box;
                def.mesh = FIXTURE_MESH(scene_reference(s, i, 0), s->bodies[i].vertex_count,
                                        s->bodies[i].indices, s->bodies[i].triangle_count);
                for (uint32_t r = 0; r < scene_reference_count(s); r++)
                    targets[r].values = scene_reference(s, i, r);
                morph.kind = WILLOW_MORPH_ABSOLUTE;
                morph.targets = targets;
                morph.target_count = scene_reference_count(s);
                id = fixture_body(world, &def);
                assert_ok(willow_body_set_morph_targets(world, id, &morph));
                assert_true(scene_loose_box(s, i, &box));
                assert_ok(willow_body_set_loose_box(world, id, &box));
            }
            willow_body_id all[64];
            assert_true(willow_world_copy_bodies(world, all, 64) > i);
            id = all[i];
            assert_ok(willow_body_set_pose(world, id, &def.pose));
            assert_ok(willow_body_set_morph_weights(world, id, weights, 3));
        }
        assert_ok(willow_world_update(world, frame, &report));
    }
    scene_destroy(s);
    fixture_close(world, NULL);
    return report;
}

/* Counts of an update, not times: of thirty that are far it computes nothing, whatever they have.
 */
static void updates_of_a_school_do_not_depend_on_triangles_that_are_far(void **state)
{
    (void)state;
    const willow_update_report few = swim("school:triangles=564,bodies=40");
    const willow_update_report more = swim("school:triangles=2256,bodies=40");
    const willow_update_report alone = swim("school:triangles=2256,bodies=10");
    assert_int_equal(few.bodies_left, 30);
    assert_int_equal(more.bodies_left, 30);
    assert_int_equal(more.bodies_updated, 10);
    assert_int_equal(more.vertices_evaluated, alone.vertices_evaluated);
    assert_int_equal(more.nodes_updated, alone.nodes_updated);
}

static void pieces_of_debris_have_few_shapes(void **state)
{
    (void)state;
    scene *s = fixture_scene("debris:bodies=50");
    uint32_t shapes = 0;
    float own[24], other[24];
    for (uint32_t i = 0; i < s->body_count; i++) {
        const uint32_t like1 = s->bodies[i].like1;
        shapes += like1 == 0;
        if (like1 == 0) continue;
        assert_true(like1 <= i && s->bodies[like1 - 1].like1 == 0);
        scene_rest(s, i, own);
        scene_rest(s, like1 - 1, other);
        assert_memory_equal(own, other, sizeof own);
        assert_memory_equal(s->bodies[i].indices, s->bodies[like1 - 1].indices,
                            3 * s->bodies[i].triangle_count * sizeof(uint32_t));
    }
    assert_int_equal(shapes, 6);
    scene_destroy(s);
}

/* ---- bodies ---- */

static void bodies_are_of_the_kind_that_is_promised(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        uint32_t bodies, self, rigid; /* how many are */
    } cases[] = {
        {"bumpy:triangles=80", 2, 0, 0},
        {"soup:triangles=10", 4, 4, 0},
        {"many:triangles=80", 27, 0, 0},
        {"many:triangles=80,variant=arms,bodies=5", 5, 0, 0},
        {"many:triangles=80,variant=rigid", 27, 0, 27},
        {"converge:triangles=80", 12, 0, 0},
        {"tumble:triangles=80", 2, 0, 2},
        {"tablecloth:triangles=80", 2, 1, 1},
        {"tablecloth:triangles=80,variant=apart", 2, 0, 1},
        {"selfcloth:triangles=80", 1, 1, 0},
        {"stir:triangles=80", 2, 1, 1},
        {"twist:triangles=80", 6, 6, 0},
        {"spheres:triangles=80", 2, 0, 0},
        {"morphing:triangles=80", 2, 0, 0},
        {"dolphins:triangles=80", 12, 0, 0},
        {"school:triangles=80,bodies=12", 12, 0, 0},
        {"debris:bodies=9", 9, 0, 9},
        {"bunnies:triangles=80", 4, 0, 4},
        {"shelf:triangles=50,bodies=11", 11, 0, 11},
        {"faces:triangles=80", 2, 0, 0},
        {"avatar:triangles=80", 2, 1, 0},
        {"avatar:triangles=80,variant=dress", 2, 1, 0},
        {"rollers:triangles=80", 5, 1, 4},
        {"crowd2d:bodies=7", 7, 0, 7},
        {"crowd3d:bodies=7,moving=5", 7, 0, 7},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        scene *s = fixture_scene(cases[i].spec);
        uint32_t self = 0, rigid = 0;
        for (uint32_t body = 0; body < s->body_count; body++) {
            self += s->bodies[body].self;
            rigid += s->bodies[body].is_rigid;
        }
        assert_int_equal(s->body_count, cases[i].bodies);
        assert_int_equal(self, cases[i].self);
        assert_int_equal(rigid, cases[i].rigid);
        scene_destroy(s);
    }
}

/* Bit for bit, and by the public function, which peers and posed bodies use too. */
static void check_body_is_posed_rest(const scene *s, uint32_t frame, uint32_t body)
{
    size_t count = s->bodies[body].vertex_count, size = 3 * count * sizeof(float);
    float *xyz = make_positions(s, frame, body), *rest = malloc(size + 1);
    willow_pose pose;
    assert_non_null(rest);
    scene_rest(s, body, rest);
    scene_pose(s, frame, body, &pose);
    willow_vec3 *posed = malloc(count * sizeof *posed + 1);
    assert_non_null(posed);
    willow_pose_apply(&pose, rest, 0, count, posed);
    assert_memory_equal(posed, xyz, size);
    free(posed);
    free(rest);
    free(xyz);
}

static void check_body_stands_by_itself(const scene *s, uint32_t frame, uint32_t body)
{
    size_t size = 3 * (size_t)s->bodies[body].vertex_count * sizeof(float);
    float *first = make_positions(s, 0, body), *rest = malloc(size + 1);
    willow_pose pose, identity = willow_pose_identity();
    assert_non_null(rest);
    scene_rest(s, body, rest);
    scene_pose(s, frame, body, &pose);
    if (size > 0) assert_memory_equal(rest, first, size);
    if (s->bodies[body].motion != SCENE_MORPH) assert_memory_equal(&pose, &identity, sizeof pose);
    free(rest);
    free(first);
}

static void positions_are_the_pose_of_the_rest_shape(void **state)
{
    (void)state;
    for (int i = 0; i < SPEC_COUNT; i++) {
        const scene *s = scenes[i];
        for (uint32_t body = 0; body < s->body_count; body++) {
            for (uint32_t frame = 0; frame < 20; frame += 19) {
                if (s->bodies[body].is_rigid)
                    check_body_is_posed_rest(s, frame, body);
                else
                    check_body_stands_by_itself(s, frame, body);
            }
        }
    }
}

/* The poses of bodies that move do, and the table stands still. */
static void rigid_bodies_move_by_their_poses(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        uint32_t body;
        bool moves;
    } cases[] = {{"many:triangles=80,variant=rigid", 3, true},
                 {"tumble:triangles=80", 0, true},
                 {"tumble:triangles=80", 1, true},
                 {"stir:triangles=80", 1, true},
                 {"rollers:triangles=80", 1, true},
                 {"rollers:triangles=80", 4, true},
                 {"crowd3d:bodies=9", 4, true},
                 {"debris:bodies=30", 20, true},
                 {"bunnies:triangles=80", 0, true},
                 {"bunnies:triangles=80", 2, false},
                 {"shelf:triangles=50,bodies=5", 0, true},
                 {"shelf:triangles=50,bodies=5", 3, false},
                 {"tablecloth:triangles=80", 1, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        scene *s = fixture_scene(cases[i].spec);
        willow_pose before, after;
        scene_pose(s, 20, cases[i].body, &before);
        scene_pose(s, 21, cases[i].body, &after);
        assert_int_equal(memcmp(&before, &after, sizeof before) != 0, cases[i].moves);
        scene_destroy(s);
    }
}

/* Every edge of a closed surface has one triangle on each side: it is met once in each direction.
 */
static void check_is_closed(const char *spec, uint32_t body)
{
    scene *s = fixture_scene(spec);
    const scene_body *b = &s->bodies[body];
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

static void solid_bodies_are_closed(void **state)
{
    (void)state;
    check_is_closed("bumpy:triangles=1280", 0);
    check_is_closed("many:triangles=320", 26);
    check_is_closed("stir:triangles=100", 0);
    check_is_closed("stir:triangles=100", 1);
    check_is_closed("tablecloth:triangles=2", 1);
    check_is_closed("dolphins:triangles=564,bodies=1", 0);
    check_is_closed("avatar:triangles=1000", 1);
    check_is_closed("rollers:triangles=800", 0);
    check_is_closed("rollers:triangles=800", 4);
}

static void the_zoo_has_what_it_promises(void **state)
{
    (void)state;
    scene *s = fixture_scene("degenerate");
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

/* "scene:key=number" for one key. */
static scene *make_with(const scene_kind *kind, const char *key, uint32_t value)
{
    char spec[100], error[200] = "";
    snprintf(spec, sizeof spec, "%s:%s=%u", kind->name, key, (unsigned)value);
    scene *s = scene_create(spec, error, sizeof error);
    if (s == NULL && strstr(error, "out of range") == NULL) fail_msg("%s: %s", spec, error);
    return s;
}

static void check_range(const scene_kind *kind, const char *key, uint32_t lowest, uint32_t highest)
{
    if (highest == 0) return; /* no key of this scene */
    scene *s = make_with(kind, key, lowest);
    assert_non_null(s);
    hash_frame(s, s->frame_count - 1);
    scene_destroy(s);
    if (lowest > 0) assert_null(make_with(kind, key, lowest - 1));
    if (highest < UINT32_MAX) assert_null(make_with(kind, key, highest + 1));
}

static void numbers_beyond_the_range_are_refused(void **state)
{
    (void)state;
    for (const scene_kind *const *kind = scene_kinds; *kind != NULL; kind++) {
#define SCENE_NUMBER_ENTRY(key, what)                                                              \
    check_range(*kind, #key, (*kind)->lowest.key, (*kind)->highest.key);
        SCENE_NUMBERS(SCENE_NUMBER_ENTRY)
#undef SCENE_NUMBER_ENTRY
    }
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
        {"bumpy:frames=99999999999", "out of range"},
        {"bumpy:frames=0", "out of range"},
        {"soup:bodies=10001", "takes 1 to 10000"},
        {"soup:variant=thick", "no variant 'thick'; it has: apart strips"},
        {"soup:variant=", "no variant ''"},
        {"many:variant=legs", "no variant 'legs'; it has: spheres arms rigid resting"},
        {"tablecloth:bodies=3", "no key 'bodies'"},
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

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_scene_is_in_the_table_of_this_test),
    cmocka_unit_test(positions_do_not_depend_on_the_order_of_frames),
    cmocka_unit_test(positions_are_the_same_bits_everywhere),
    cmocka_unit_test(flat_sheets_are_exactly_flat),
    cmocka_unit_test(another_seed_is_another_scene),
    cmocka_unit_test(every_vertex_of_bumpy_moves_in_every_frame),
    cmocka_unit_test(triangles_are_rounded_to_a_size_that_exists),
    cmocka_unit_test(solid_bodies_have_an_inside),
    cmocka_unit_test(dolphins_have_the_sizes_of_the_paper_and_one_shape),
    cmocka_unit_test(avatars_have_the_sizes_of_the_paper),
    cmocka_unit_test(garments_are_sewn_and_open_at_hem_neck_and_sleeves),
    cmocka_unit_test(a_walk_repeats_after_30_keyframes_and_not_before),
    cmocka_unit_test(figures_walk_upright_on_the_ground),
    cmocka_unit_test(every_index_names_a_vertex),
    cmocka_unit_test(every_position_is_finite),
    cmocka_unit_test(the_motion_takes_as_long_with_any_number_of_frames),
    cmocka_unit_test(bodies_stay_inside_their_loose_boxes),
    cmocka_unit_test(updates_of_a_school_do_not_depend_on_triangles_that_are_far),
    cmocka_unit_test(pieces_of_debris_have_few_shapes),
    cmocka_unit_test(bodies_are_of_the_kind_that_is_promised),
    cmocka_unit_test(positions_are_the_pose_of_the_rest_shape),
    cmocka_unit_test(rigid_bodies_move_by_their_poses),
    cmocka_unit_test(solid_bodies_are_closed),
    cmocka_unit_test(the_zoo_has_what_it_promises),
    cmocka_unit_test(numbers_beyond_the_range_are_refused),
    cmocka_unit_test(wrong_texts_are_refused_in_words),
    cmocka_unit_test(long_texts_and_short_buffers_are_safe),
};

TEST_GROUP_WITH(scenes, tests, make_scenes, destroy_scenes);
