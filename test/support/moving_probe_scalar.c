/* moving_probe_scalar.c - what moves as the scalar twin does it. */
#include "support/moving_probe.h"

#define MOVING_PROBE_FUNCTION moving_probe_scalar
#define LENGTH_PROBE_FUNCTION length_probe_scalar
#include "support/moving_probe.inc"
