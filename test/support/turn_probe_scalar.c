/* turn_probe_scalar.c - wi_turn8 as the scalar twin does it. */
#include "support/turn_probe.h"

#define TURN_PROBE_FUNCTION turn_probe_scalar
#include "support/turn_probe.inc"
