/* base.h - results, memory, threads, log and kernels: what every other header leans on. */
#ifndef WILLOW_BASE_H
#define WILLOW_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(WILLOW_SHARED) && defined(_WIN32)
#    if defined(WILLOW_BUILDING)
#        define WILLOW_API __declspec(dllexport)
#    else
#        define WILLOW_API __declspec(dllimport)
#    endif
#elif defined(__GNUC__)
#    define WILLOW_API __attribute__((visibility("default")))
#else
#    define WILLOW_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define WILLOW_VERSION_MAJOR 0
#define WILLOW_VERSION_MINOR 1
#define WILLOW_VERSION_PATCH 0

/* The version of the library that is linked: major * 10000 + minor * 100 + patch. */
WILLOW_API int willow_version(void);

/* The result of every call that can fail. Finding nothing is OK, with an empty result. */
#define WILLOW_RESULTS(X)                                                                          \
    X(OK, 0, "ok")                                                                                 \
    X(OUT_OF_MEMORY, -1, "out of memory")                                                          \
    X(BAD_ARGUMENT, -2, "bad argument")                                                            \
    X(BAD_HANDLE, -3, "bad handle")                                                                \
    X(BAD_MESH, -4, "bad mesh")                                                                    \
    X(STALE, -5, "stale: the world was changed and not updated")                                   \
    X(UNSUPPORTED, -6, "unsupported")

typedef enum willow_result {
#define WILLOW_RESULT_ENTRY(name, value, words) WILLOW_##name = value,
    WILLOW_RESULTS(WILLOW_RESULT_ENTRY)
#undef WILLOW_RESULT_ENTRY
} willow_result;

/* The words of the table above; "unknown result" for any other number. */
WILLOW_API const char *willow_result_name(willow_result result);

/* Where a world gets all of its memory. `alloc` returns NULL if there is none left; `free` gets the
 * size and the alignment that `alloc` got. Any thread that queries the world may call both, so they
 * must be thread-safe, as malloc is. */
typedef struct willow_allocator {
    void *(*alloc)(void *context, size_t size, size_t alignment);
    void (*free)(void *context, void *block, size_t size, size_t alignment);
    void *context;
} willow_allocator;

/* One task of a parallel loop. `worker` is below worker_count, and two tasks that run at the same
 * time never have the same one. */
typedef void willow_task(void *arg, uint32_t task, uint32_t worker);

/* A host's own threads. `parallel_for` runs `run(arg, i, worker)` once for every i below
 * task_count, at least 1, and returns when all are done; tasks with the same worker number run one
 * after the other, each seeing what the one before wrote. It is called by set_vertices, by updates
 * and by queries with use_threads, so by several threads at once if these are, but never from
 * inside a task. */
typedef struct willow_tasks {
    uint32_t worker_count;
    void (*parallel_for)(void *context, uint32_t task_count, willow_task *run, void *arg);
    void *context;
} willow_tasks;

/* Called with one line, without a newline, for every failure that also sets a message; by several
 * threads at once if these query the world. */
typedef struct willow_log {
    void (*write)(void *context, const char *line);
    void *context;
} willow_log;

/* Which instructions the inner loops use. Answers are the same bits with all of them (C10). */
#define WILLOW_KERNELS(X)                                                                          \
    X(AUTO, "auto", "the fastest that this machine runs")                                          \
    X(SCALAR, "scalar", "plain C, eight lanes as a loop")                                          \
    X(AVX2, "avx2", "eight lanes in one register")

typedef enum willow_kernel {
#define WILLOW_KERNEL_ENTRY(name, words, what) WILLOW_KERNEL_##name,
    WILLOW_KERNELS(WILLOW_KERNEL_ENTRY)
#undef WILLOW_KERNEL_ENTRY
        WILLOW_KERNEL_COUNT
} willow_kernel;

/* The short name of a kernel, or NULL for another number; and the kernel of a name, or false if
 * there is none. */
WILLOW_API const char *willow_kernel_name(willow_kernel kernel);
WILLOW_API bool willow_kernel_from_name(const char *name, willow_kernel *out);

#ifdef __cplusplus
}
#endif
#endif
