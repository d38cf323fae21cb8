/* larger.h - the larger and the smaller of two (where they are equal or unordered: the second),
 * how blocks grow, and the power of two in a number. */
#ifndef WI_BASE_LARGER_H
#define WI_BASE_LARGER_H

#include <stdint.h>
#include <string.h>

static inline double wi_larger(double a, double b) { return a > b ? a : b; }
static inline double wi_smaller(double a, double b) { return a < b ? a : b; }
static inline uint32_t wi_smaller_u32(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* The room of a block that is to grow. */
static inline uint32_t wi_grown_room(uint32_t room, uint32_t wanted)
{
    const uint32_t more = room + room / 4;
    return more > wanted ? more : wanted;
}

/* The greatest power of two that is not above x, for x > 0 that is not denormal. */
static inline double wi_power_in(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= UINT64_C(0x7FF) << 52;
    memcpy(&x, &bits, sizeof x);
    return x;
}

#endif
