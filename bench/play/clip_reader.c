/* clip_reader.c - a ring of frames, which one thread fills and another one empties.
 *
 * Way in: clip_reader_create. Samples [released, read) are in the ring, sample i in place i modulo
 * its size; the thread waits where the ring is full, and ends where a sample cannot be read. */
#define _POSIX_C_SOURCE 200809L
#include "bench/play/clip_reader.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct clip_reader {
    const clip *clip;
    const double *times;
    uint32_t count;
    clip_frame **ring;
    uint32_t ring_size;

    pthread_t thread;
    bool has_thread, has_lock;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t changed;
    uint32_t read, released;
    bool is_ending, has_failed;
    io_error error; /* of the sample `read` */
};

/* The place is nobody's until `read` says that it is filled. */
static bool read_sample(clip_reader *r, uint32_t i, io_error *error)
{
    return clip_frame_read(r->clip, r->times[i], r->ring[i % r->ring_size], error);
}

static bool is_full(const clip_reader *r) { return r->read - r->released >= r->ring_size; }

static void *read_ahead(void *context)
{
    clip_reader *r = context;
    io_error error;
    pthread_mutex_lock(&r->lock);
    while (r->read < r->count && !r->has_failed) {
        while (is_full(r) && !r->is_ending) pthread_cond_wait(&r->changed, &r->lock);
        if (r->is_ending) break;
        const uint32_t next = r->read;
        pthread_mutex_unlock(&r->lock);
        const bool fine = read_sample(r, next, &error);
        pthread_mutex_lock(&r->lock);
        r->read += fine;
        r->has_failed = !fine;
        if (!fine) r->error = error;
        pthread_cond_broadcast(&r->changed);
    }
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

static bool make_ring(clip_reader *r)
{
    r->ring = calloc(r->ring_size, sizeof(clip_frame *));
    for (uint32_t i = 0; r->ring != NULL && i < r->ring_size; i++) {
        r->ring[i] = clip_frame_create(r->clip);
        if (r->ring[i] == NULL) return false;
    }
    return r->ring != NULL;
}

static bool make_lock(clip_reader *r)
{
    if (pthread_mutex_init(&r->lock, NULL) != 0) return false;
    r->has_lock = pthread_cond_init(&r->changed, NULL) == 0;
    if (!r->has_lock) pthread_mutex_destroy(&r->lock);
    return r->has_lock;
}

clip_reader *clip_reader_create(const clip *c, const double *times, uint32_t count, uint32_t held)
{
    assert(held > 0);
    clip_reader *r = calloc(1, sizeof *r);
    if (r == NULL) return NULL;
    r->clip = c;
    r->times = times;
    r->count = count;
    r->ring_size = count <= held ? (count > 0 ? count : 1) : held + 1;
    if (!make_ring(r)) {
        clip_reader_destroy(r);
        return NULL;
    }
    r->has_thread =
        count > 1 && make_lock(r) && pthread_create(&r->thread, NULL, read_ahead, r) == 0;
    return r;
}

static void end_thread(clip_reader *r)
{
    pthread_mutex_lock(&r->lock);
    r->is_ending = true;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
    pthread_join(r->thread, NULL);
}

void clip_reader_destroy(clip_reader *r)
{
    if (r == NULL) return;
    if (r->has_thread) end_thread(r);
    if (r->has_lock) {
        pthread_cond_destroy(&r->changed);
        pthread_mutex_destroy(&r->lock);
    }
    for (uint32_t i = 0; r->ring != NULL && i < r->ring_size; i++) {
        clip_frame_destroy(r->clip, r->ring[i]);
    }
    free(r->ring);
    free(r);
}

static bool get_alone(clip_reader *r, uint32_t i, io_error *error)
{
    for (; r->read <= i; r->read++) {
        if (!read_sample(r, r->read, error)) return false;
    }
    return true;
}

static bool wait_for(clip_reader *r, uint32_t i, io_error *error)
{
    pthread_mutex_lock(&r->lock);
    while (r->read <= i && !r->has_failed) pthread_cond_wait(&r->changed, &r->lock);
    const bool fine = r->read > i;
    if (!fine) *error = r->error;
    pthread_mutex_unlock(&r->lock);
    return fine;
}

const clip_frame *clip_reader_get(clip_reader *r, uint32_t i, io_error *error)
{
    assert(i < r->count && i >= r->released && i - r->released < r->ring_size);
    const bool fine = r->has_thread ? wait_for(r, i, error) : get_alone(r, i, error);
    return fine ? r->ring[i % r->ring_size] : NULL;
}

void clip_reader_release(clip_reader *r, uint32_t i)
{
    if (r->has_thread) pthread_mutex_lock(&r->lock);
    r->released = i;
    if (!r->has_thread) return;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
}
