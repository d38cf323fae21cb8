/* The hash: equal numbers everywhere, and every bit counts. */
#include "base/hash.h"
#include "support/test.h"

static void hashes_are_these_numbers_on_every_machine(void **state)
{
    (void)state;
    unsigned char bytes[21];
    for (unsigned char i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)(i * 37 + 1);
    assert_true(wi_hash_u64(WI_HASH_START, 1) == UINT64_C(0xFBACFAA99A80B1C1));
    assert_true(wi_hash_bytes(WI_HASH_START, bytes, 21) == UINT64_C(0xAC841F24DA6F1945));
    assert_true(wi_hash_bytes(WI_HASH_START, bytes, 16) == UINT64_C(0x49EA01F82395B96F));
    assert_true(wi_hash_bytes(WI_HASH_START, bytes, 0) == UINT64_C(0x1051C0EB2236B593));
}

static void every_bit_changes_the_hash(void **state)
{
    (void)state;
    unsigned char bytes[21] = {0};
    uint64_t before = wi_hash_bytes(WI_HASH_START, bytes, sizeof bytes);
    for (unsigned bit = 0; bit < 8 * sizeof bytes; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1U << bit % 8);
        assert_true(wi_hash_bytes(WI_HASH_START, bytes, sizeof bytes) != before);
        bytes[bit / 8] ^= (unsigned char)(1U << bit % 8);
    }
}

static void zeros_are_told_apart_by_their_number(void **state)
{
    (void)state;
    unsigned char zeros[40] = {0};
    uint64_t hashes[41];
    for (size_t size = 0; size <= 40; size++) {
        hashes[size] = wi_hash_bytes(WI_HASH_START, zeros, size);
        for (size_t other = 0; other < size; other++) assert_true(hashes[other] != hashes[size]);
    }
}

static void the_order_of_values_counts(void **state)
{
    (void)state;
    uint64_t ab = wi_hash_u64(wi_hash_u64(WI_HASH_START, 1), 2);
    uint64_t ba = wi_hash_u64(wi_hash_u64(WI_HASH_START, 2), 1);
    assert_true(ab != ba);
}

static void the_address_of_bytes_does_not_count(void **state)
{
    (void)state;
    unsigned char bytes[64] = {0};
    for (size_t offset = 0; offset < 9; offset++) {
        memset(bytes, 0, sizeof bytes);
        memcpy(bytes + offset, "willows bend in the wind", 24);
        assert_true(wi_hash_bytes(7, bytes + offset, 24) ==
                    wi_hash_bytes(7, "willows bend in the wind", 24));
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(hashes_are_these_numbers_on_every_machine),
    cmocka_unit_test(every_bit_changes_the_hash),
    cmocka_unit_test(zeros_are_told_apart_by_their_number),
    cmocka_unit_test(the_order_of_values_counts),
    cmocka_unit_test(the_address_of_bytes_does_not_count),
};

TEST_GROUP(hash, tests);
