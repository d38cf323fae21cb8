/* clip_reader.h - the samples of a clip one after the other, read ahead by a thread of its own.
 *
 * Whoever plays a clip works on one sample while the next one is read. Memory is bounded: there are
 * as many frames as are held at a time, and one that is being read. */
#ifndef BENCH_PLAY_CLIP_READER_H
#define BENCH_PLAY_CLIP_READER_H

#include "io/clip.h"

typedef struct clip_reader clip_reader;

/* Reads the clip at these times, in their order. `held` samples can be looked at together, 1 or
 * more. Clip and times must outlive it. NULL for want of memory; the caller destroys it. Without a
 * thread to be had samples are read when they are asked for. */
clip_reader *clip_reader_create(const clip *c, const double *times, uint32_t count, uint32_t held);
void clip_reader_destroy(clip_reader *r);

/* Sample i, of those after the last one released, the first `held`: waits for it. It stays until it
 * is released. NULL with a reason if it cannot be read. Both from one thread. */
const clip_frame *clip_reader_get(clip_reader *r, uint32_t i, io_error *error);

/* All samples before i are not looked at any more. */
void clip_reader_release(clip_reader *r, uint32_t i);

#endif
