/* samples.h - the times at which a clip is looked at: --frames, --fps and --substeps.
 *
 * Frames are the samples that a file has (its keys), or with --fps so many per second. Between two
 * of them --substeps adds others; their number has a fraction: 12.25 is a quarter past frame 12. */
#ifndef CLI_SAMPLES_H
#define CLI_SAMPLES_H

#include "io/clip.h"

typedef struct sample_options {
    const char *frames; /* as on the command line; NULL: all */
    double fps;         /* 0: as the file has them */
    uint32_t substeps;  /* from one frame to the next; 1: none between */
} sample_options;

typedef struct sample_list {
    uint32_t count;
    double *times;        /* in seconds */
    double *numbers;      /* of frames */
    uint32_t frame_count; /* of the whole clip */
    bool has_fps;         /* they were made, and are not those of the file */
} sample_list;

/* An exit code, with what was wrong on standard error; destroy them in any case. */
int sample_list_choose(sample_list *out, const char *command_name, const clip *c,
                       const sample_options *options);
void sample_list_destroy(sample_list *s);

/* Each takes the value of one option; an exit code. */
int sample_take_fps(sample_options *options, const char *command_name, const char *text);
int sample_take_substeps(sample_options *options, const char *command_name, const char *text);

#endif
