/* Threads that read one clip at once, each into a frame of its own. */
#include <pthread.h>
#include "support/mesh_bytes.h"
#include "support/test.h"

enum { FRAMES = 12, THREADS = 4, SAMPLES = 5 };

typedef struct reading {
    const clip *c;
    uint32_t seed;
    bool is_fine;
} reading;

/* All bodies are at the height of the last sample that is not later. */
static bool is_placed(const clip *c, const clip_frame *frame, uint32_t key)
{
    const uint32_t last = SAMPLES - 1;
    return frame->bodies[0].positions[5] == (float)key &&
           frame->bodies[1].positions[5] == (float)(key < last ? key : last) &&
           (frame->bodies[0].mesh == &c->bodies[0].mesh) == (key != 5);
}

static void *read_some(void *context)
{
    reading *r = context;
    clip_frame *frame = clip_frame_create(r->c);
    io_error error;
    r->is_fine = frame != NULL;
    for (uint32_t step = 0; r->is_fine && step < 60; step++) {
        const uint32_t key = (step * 5 + r->seed) % FRAMES;
        r->is_fine =
            clip_frame_read(r->c, r->c->keys[key], frame, &error) && is_placed(r->c, frame, key);
    }
    clip_frame_destroy(r->c, frame);
    return NULL;
}

/* frame0.obj to frame11.obj at heights 0, 1 and so on, of which one has other triangles. */
static void write_sequence(const test_folder *folder)
{
    for (int i = 0; i < FRAMES; i++) {
        char name[30], text[200];
        (void)snprintf(name, sizeof name, "frame%d.obj", i);
        (void)snprintf(text, sizeof text, "v 0 0 %d\nv 1 0 %d\nv 0 1 %d\nf %s\n", i, i, i,
                       i == 5 ? "3 2 1" : "1 2 3");
        test_folder_write_text(folder, name, text);
    }
}

/* The same motion as a point cache, which is shorter. */
static void write_cache(const test_folder *folder)
{
    test_bytes b = {0};
    test_bytes_add(&b, "POINTCACHE2", 12);
    test_bytes_little(&b, 1, 4);
    test_bytes_little(&b, 3, 4);
    test_bytes_float(&b, 0, false);
    test_bytes_float(&b, 1, false);
    test_bytes_little(&b, SAMPLES, 4);
    for (int i = 0; i < 9 * SAMPLES; i++)
        test_bytes_float(&b, i % 3 == 2 ? (float)(i / 9) : (float)(i % 5), false);
    test_folder_write(folder, "cache.pc2", b.data, b.size);
    test_bytes_free(&b);
}

static void threads_read_frames_of_their_own(void **state)
{
    (void)state;
    test_folder folder;
    char cached[1300];
    pthread_t threads[THREADS];
    reading readings[THREADS];
    io_error error;
    test_folder_make(&folder);
    write_sequence(&folder);
    write_cache(&folder);
    (void)snprintf(cached, sizeof cached, "%s/frame0.obj+%s/cache.pc2", folder.path, folder.path);
    const char *paths[] = {test_folder_path(&folder, "frame%d.obj", 0), cached};
    clip *c = clip_open(paths, 2, NULL, &error);
    if (c == NULL) fail_msg("%s", error.text);
    assert_int_equal(c->key_count, FRAMES);
    for (uint32_t i = 0; i < THREADS; i++) {
        readings[i] = (reading){.c = c, .seed = i};
        assert_int_equal(pthread_create(&threads[i], NULL, read_some, &readings[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_true(readings[i].is_fine);
    }
    clip_close(c);
    test_folder_remove(&folder);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(threads_read_frames_of_their_own),
};

TEST_GROUP(clip_threads, tests);
