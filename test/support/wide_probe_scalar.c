/* wide_probe_scalar.c - the operations of base/wide.h as the scalar twin does them. */
#include "support/wide_probe.h"

#define WIDE_PROBE_FUNCTION wide_probe_scalar
#include "support/wide_probe.inc"
