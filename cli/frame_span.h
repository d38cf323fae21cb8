/* frame_span.h - which frames of a scene a command plays: N, A-B or A- behind --frames. */
#ifndef CLI_FRAME_SPAN_H
#define CLI_FRAME_SPAN_H

#include "scenes/scenes.h"

typedef struct frame_span {
    uint32_t first, last;
} frame_span;

/* The frames that a text says, or all of them for NULL. An exit code, with what was wrong on
 * standard error. */
int frame_span_choose(const char *command_name, const char *text, const scene *s, frame_span *out);

#endif
