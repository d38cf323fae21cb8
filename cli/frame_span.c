/* frame_span.c - reads --frames. */
#include "cli/frame_span.h"
#include "bench/common/complain.h"
#include "bench/common/numbers.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A number up to the sign where it ends, or what there is without one. */
static bool read_number(const char **text, const char *ends, uint32_t usual, uint32_t lowest,
                        uint32_t *out)
{
    char digits[16];
    const size_t length = strcspn(*text, ends);
    *out = usual;
    if (length >= sizeof digits) return false;
    snprintf(digits, sizeof digits, "%.*s", (int)length, *text);
    *text += length;
    return length == 0 || parse_count(digits, lowest, UINT32_MAX - 1, out);
}

/* "10" is the first ten, "5-9" five of them, "5-" all from there on, "0:100:10" every tenth; "0" is
 * the default, all. */
static bool frame_span_parse(const char *text, uint32_t frame_count, frame_span *out)
{
    uint32_t count;
    *out = (frame_span){0, frame_count - 1, 1};
    if (strpbrk(text, "-:") == NULL) {
        if (!parse_count(text, 0, UINT32_MAX, &count)) return false;
        if (count > 0) out->last = count - 1;
        return true;
    }
    const bool has_dash = text[strcspn(text, "-:")] == '-';
    if (has_dash && text[0] == '-') return false;
    if (!read_number(&text, "-:", 0, 0, &out->first)) return false;
    text++;
    if (!read_number(&text, has_dash ? "" : ":", frame_count - 1, 0, &out->last)) return false;
    if (*text == ':') {
        text++;
        if (!read_number(&text, "", 1, 1, &out->step)) return false;
    }
    return out->first <= out->last || out->first >= frame_count;
}

int frame_span_choose(const char *command_name, const char *text, uint32_t frame_count,
                      frame_span *out)
{
    *out = (frame_span){0, frame_count - 1, 1};
    if (text == NULL) return EXIT_FINE;
    if (!frame_span_parse(text, frame_count, out)) {
        return complain_usage(command_name,
                              "--frames %s: write a number of frames, as in 20; or the first and "
                              "the last one, as in 5-9 or 5-; or with a step, as in 0:100:10",
                              text);
    }
    if (out->first >= frame_count || out->last >= frame_count) {
        return complain_usage(command_name,
                              "--frames %s: the target has %" PRIu32 " frame%s, 0 to %" PRIu32,
                              text, frame_count, plural(frame_count), frame_count - 1);
    }
    return EXIT_FINE;
}
