/* turn_probe_scalar.c - what turns as the scalar twin does it. */
#include "support/turn_probe.h"

#define TURN_PROBE_FUNCTION turn_probe_scalar
#define POSE_PROBE_FUNCTION pose_probe_scalar
#include "support/turn_probe.inc"
