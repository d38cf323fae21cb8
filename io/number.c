/* number.c - digits into a 64-bit integer and a power of ten; one multiplication or division in
 * double makes the number of them, nearly always. Way in: number_read_float, number_read_double.
 *
 * Why the result is rounded correctly:
 *   1. An integer up to 2^53 and a power of ten up to 10^22 are doubles, so their product or
 * quotient is rounded once: it is the double nearest to the number (Clinger 1990).
 *   2. If more digits were given than that integer has, the number is between those of the integer
 *      and of the integer plus one. Where both have the same float, so has all between.
 *   3. To round a double to float rounds twice, which is wrong only if the double is exactly
 * between two floats and the number is not: those doubles are recognised by their low bits. In all
 * other cases the C library decides. */
#include "io/number.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
    DIGITS = 19,        /* that fit into 64 bits */
    LARGEST_POWER = 22, /* of ten that is a double */
    LARGEST_EXPONENT = 100000,
    LONGEST_NUMBER = 500 /* that the C library is asked about */
};

static const uint64_t two_to_53 = UINT64_C(1) << 53;

static const double powers[LARGEST_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

typedef struct decimal {
    uint64_t digits;
    int64_t exponent; /* of ten */
    bool is_negative;
    bool is_cut; /* digits that are not zero were left out */
} decimal;

static inline bool is_digit(char c) { return (unsigned char)(c - '0') < 10; }

static const char *scan_sign(const char *at, const char *end, bool *is_negative)
{
    *is_negative = at < end && *at == '-';
    return at < end && (*at == '-' || *at == '+') ? at + 1 : at;
}

/* Up to DIGITS digits from the first that is not zero; the exponent says where the point is. */
static const char *scan_digits(const char *at, const char *end, decimal *d, int64_t step)
{
    const uint64_t full = UINT64_C(1000000000000000000); /* 10^18 */
    for (; at < end && is_digit(*at); at++) {
        if (d->digits < full) {
            d->digits = 10 * d->digits + (uint64_t)(*at - '0');
            d->exponent -= step;
        } else {
            d->is_cut |= *at != '0';
            d->exponent += 1 - step;
        }
    }
    return at;
}

/* Without digits the e is no part of the number. */
static const char *scan_exponent(const char *at, const char *end, decimal *d)
{
    bool is_negative;
    int64_t exponent = 0;
    const char *first = scan_sign(at + 1, end, &is_negative), *behind = first;
    for (; behind < end && is_digit(*behind); behind++)
        if (exponent < LARGEST_EXPONENT) exponent = 10 * exponent + (*behind - '0');
    if (behind == first) return at;
    d->exponent += is_negative ? -exponent : exponent;
    return behind;
}

static const char *scan(const char *at, const char *end, decimal *d)
{
    assert(at <= end);
    *d = (decimal){0};
    const char *first = scan_sign(at, end, &d->is_negative);
    const char *behind = scan_digits(first, end, d, 0);
    ptrdiff_t digit_count = behind - first;
    if (behind < end && *behind == '.') {
        const char *fraction = behind + 1;
        behind = scan_digits(fraction, end, d, 1);
        digit_count += behind - fraction;
    }
    if (digit_count == 0) return NULL;
    if (behind < end && (*behind | 0x20) == 'e') behind = scan_exponent(behind, end, d);
    return behind;
}

/* Few enough digits for a double. */
static void shorten(decimal *d)
{
    while (d->digits >= two_to_53) {
        d->is_cut |= d->digits % 10 != 0;
        d->digits /= 10;
        d->exponent++;
    }
}

/* The double that is nearest to digits * 10^exponent. */
static inline double scale(uint64_t digits, int64_t exponent)
{
    assert(digits <= two_to_53 && exponent >= -LARGEST_POWER && exponent <= LARGEST_POWER);
    return exponent < 0 ? (double)digits / powers[-exponent] : (double)digits * powers[exponent];
}

static inline bool can_scale(const decimal *d)
{
    return d->exponent >= -LARGEST_POWER && d->exponent <= LARGEST_POWER;
}

/* Whether rounding this double to float is rounding what it was rounded from. */
static inline bool rounds_once(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const bool is_between = (bits & 0x1FFFFFFF) == 0x10000000;
    return !is_between && value >= (double)FLT_MIN && value <= (double)FLT_MAX;
}

/* A copy with a zero at its end, for the C library. False if it is too long to be meant. */
static bool copy_number(const char *at, const char *behind, char out[LONGEST_NUMBER + 1])
{
    const size_t length = (size_t)(behind - at);
    if (length > LONGEST_NUMBER) return false;
    memcpy(out, at, length);
    out[length] = '\0';
    return true;
}

static bool decide_float(const char *at, const char *behind, float *out)
{
    char text[LONGEST_NUMBER + 1];
    if (!copy_number(at, behind, text)) return false;
    const float value = strtof(text, NULL);
    if (!isfinite(value)) return false;
    *out = value;
    return true;
}

static bool decide_double(const char *at, const char *behind, double *out)
{
    char text[LONGEST_NUMBER + 1];
    if (!copy_number(at, behind, text)) return false;
    const double value = strtod(text, NULL);
    if (!isfinite(value)) return false;
    *out = value;
    return true;
}

/* False where only the C library can tell. */
static inline bool round_to_float(decimal d, float *out)
{
    shorten(&d);
    if (!can_scale(&d)) return false;
    const double low = scale(d.digits, d.exponent);
    const double high = d.is_cut ? scale(d.digits + 1, d.exponent) : low;
    if (!rounds_once(low) || !rounds_once(high) || (float)low != (float)high) return false;
    *out = d.is_negative ? -(float)low : (float)low;
    return true;
}

const char *number_read_float(const char *at, const char *end, float *out)
{
    decimal d;
    const char *behind = scan(at, end, &d);
    if (behind == NULL) return NULL;
    if (d.digits == 0) {
        *out = d.is_negative ? -0.0F : 0.0F;
        return behind;
    }
    return round_to_float(d, out) || decide_float(at, behind, out) ? behind : NULL;
}

const char *number_read_double(const char *at, const char *end, double *out)
{
    decimal d;
    const char *behind = scan(at, end, &d);
    if (behind == NULL) return NULL;
    if (d.digits == 0) {
        *out = d.is_negative ? -0.0 : 0.0;
        return behind;
    }
    if (d.is_cut || d.digits > two_to_53 || !can_scale(&d))
        return decide_double(at, behind, out) ? behind : NULL;
    const double value = scale(d.digits, d.exponent);
    *out = d.is_negative ? -value : value;
    return behind;
}

const char *number_read_integer(const char *at, const char *end, int64_t *out)
{
    assert(at <= end);
    bool is_negative;
    const char *first = scan_sign(at, end, &is_negative), *behind = first;
    int64_t value = 0;
    for (; behind < end && is_digit(*behind); behind++) {
        if (value > (INT64_MAX - 9) / 10) return NULL;
        value = 10 * value + (*behind - '0');
    }
    if (behind == first) return NULL;
    *out = is_negative ? -value : value;
    return behind;
}
