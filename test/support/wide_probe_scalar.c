/* wide_probe_scalar.c - the operations of base/wide.h and base/wide_bits.h as the scalar twin does
 * them. */
#include "support/wide_probe.h"

#define WIDE_PROBE_FUNCTION wide_probe_scalar
#define WIDE_BITS_PROBE_FUNCTION wide_bits_probe_scalar
#include "support/wide_probe.inc"
