/* frame_span.c - reads --frames. */
#include "cli/frame_span.h"
#include "bench/common/complain.h"
#include "bench/common/numbers.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* "10" is the first ten, "5-9" five of them, "5-" all from there on; "0" is the default, all. */
static bool frame_span_parse(const char *text, uint32_t frame_count, frame_span *out)
{
    char from[16];
    uint32_t count, length = (uint32_t)strcspn(text, "-");
    if (text[length] == '\0') {
        if (!parse_count(text, 0, UINT32_MAX, &count)) return false;
        *out = (frame_span){0, (count > 0 ? count : frame_count) - 1};
        return true;
    }
    if (length >= sizeof from) return false;
    snprintf(from, sizeof from, "%.*s", (int)length, text);
    out->last = frame_count - 1;
    return parse_count(from, 0, UINT32_MAX - 1, &out->first) &&
           (text[length + 1] == '\0' ||
            parse_count(text + length + 1, out->first, UINT32_MAX - 1, &out->last));
}

int frame_span_choose(const char *command_name, const char *text, const scene *s, frame_span *out)
{
    *out = (frame_span){0, s->frame_count - 1};
    if (text == NULL) return EXIT_FINE;
    if (!frame_span_parse(text, s->frame_count, out)) {
        return complain_usage(command_name,
                              "--frames %s: write a number of frames, as in 20, or the first and "
                              "the last one, as in 5-9 or 5-",
                              text);
    }
    if (out->first >= s->frame_count || out->last >= s->frame_count) {
        return complain_usage(command_name,
                              "--frames %s: the scene has %" PRIu32 " frame%s, 0 to %" PRIu32, text,
                              s->frame_count, plural(s->frame_count), s->frame_count - 1);
    }
    return EXIT_FINE;
}
