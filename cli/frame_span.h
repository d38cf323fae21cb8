/* frame_span.h - which frames a command plays: N, A-B or A:B:STEP behind --frames. */
#ifndef CLI_FRAME_SPAN_H
#define CLI_FRAME_SPAN_H

#include <stdint.h>

/* Frames first, first + step and so on, up to last. */
typedef struct frame_span {
    uint32_t first, last, step;
} frame_span;

/* The frames that a text says, of so many, or all of them for NULL. An exit code, with what was
 * wrong on standard error. */
int frame_span_choose(const char *command_name, const char *text, uint32_t frame_count,
                      frame_span *out);

#endif
