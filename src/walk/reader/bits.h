/* bits.h - loops over sets that are bits of a number. */
#ifndef WI_WALK_READER_BITS_H
#define WI_WALK_READER_BITS_H

#include "base/check.h"

/* The number of the lowest bit, which is taken away. There is one. */
static inline unsigned wi_take_lowest(unsigned *bits)
{
    WI_ASSERT(*bits != 0);
    unsigned lowest = (unsigned)__builtin_ctz(*bits);
    *bits &= *bits - 1;
    return lowest;
}

#endif
