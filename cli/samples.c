/* samples.c - which times a command looks at. Way in: sample_list_choose. */
#include "cli/samples.h"
#include "bench/common/complain.h"
#include "bench/common/numbers.h"
#include "cli/frame_span.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* More than anybody waits for: days of film. */
enum { SAMPLE_MAX = 10000000 };

int sample_take_fps(sample_options *options, const char *command_name, const char *text)
{
    if (parse_real(text, 0, &options->fps) && options->fps > 0) return EXIT_FINE;
    return complain_usage(command_name, "--fps %s: frames per second are needed, as in 24", text);
}

int sample_take_substeps(sample_options *options, const char *command_name, const char *text)
{
    if (parse_count(text, 1, 1000, &options->substeps)) return EXIT_FINE;
    return complain_usage(command_name, "--substeps %s: a number from 1 to 1000 is needed", text);
}

/* Clips that are sampled have taken --fps when they were opened. */
static bool is_resampled(const clip *c, const sample_options *options)
{
    return options->fps > 0 && !c->is_sampled && c->key_count > 1;
}

/* The last one may be half a rounding beyond the end. */
static double made_frames(const clip *c, double fps)
{
    return floor((clip_last_time(c) - clip_first_time(c)) * fps + 1e-6) + 1;
}

static double frame_time(const clip *c, const sample_list *s, double fps, uint32_t frame)
{
    return s->has_fps ? clip_first_time(c) + frame / fps : c->keys[frame];
}

static int count_frames(sample_list *s, const char *command_name, const clip *c,
                        const sample_options *options)
{
    s->has_fps = is_resampled(c, options);
    s->frame_count = c->key_count;
    if (!s->has_fps) return EXIT_FINE;
    const double count = made_frames(c, options->fps);
    if (count > SAMPLE_MAX) {
        return complain_usage(command_name, "--fps %g: that would be %.0f frames", options->fps,
                              count);
    }
    s->frame_count = (uint32_t)count;
    return EXIT_FINE;
}

static int create_samples(sample_list *s, const char *command_name, uint64_t count)
{
    if (count > SAMPLE_MAX) {
        return complain_usage(command_name, "--substeps: that would be %" PRIu64 " samples", count);
    }
    s->times = calloc(count, sizeof *s->times);
    s->numbers = calloc(count, sizeof *s->numbers);
    if (s->times == NULL || s->numbers == NULL) return complain(command_name, "out of memory");
    s->count = (uint32_t)count;
    return EXIT_FINE;
}

static void fill_samples(sample_list *s, const clip *c, const sample_options *options,
                         frame_span span)
{
    const uint32_t substeps = options->substeps;
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t frame = span.first + i / substeps * span.step, part = i % substeps;
        const double share = (double)part / substeps;
        const double from = frame_time(c, s, options->fps, frame);
        s->times[i] = from;
        s->numbers[i] = frame + share * span.step;
        if (part == 0) continue;
        s->times[i] += share * (frame_time(c, s, options->fps, frame + span.step) - from);
    }
}

int sample_list_choose(sample_list *out, const char *command_name, const clip *c,
                       const sample_options *options)
{
    frame_span span;
    *out = (sample_list){0};
    int code = count_frames(out, command_name, c, options);
    if (code == EXIT_FINE) {
        code = frame_span_choose(command_name, options->frames, out->frame_count, &span);
    }
    if (code != EXIT_FINE) return code;
    if (options->substeps > 1 && c->is_sampled) {
        return complain_usage(command_name,
                              "--substeps: between the frames of a sequence nothing is known; "
                              "--continuous looks at straight lines there");
    }
    const uint64_t frames = (uint64_t)(span.last - span.first) / span.step + 1;
    code = create_samples(out, command_name, (frames - 1) * options->substeps + 1);
    if (code == EXIT_FINE) fill_samples(out, c, options, span);
    return code;
}

void sample_list_destroy(sample_list *s)
{
    free(s->times);
    free(s->numbers);
    *s = (sample_list){0};
}
