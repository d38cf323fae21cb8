/* failing_malloc.c - to be preloaded: the allocation with the number $FAIL_AT fails, or with
 * $FAIL_ON all from there on, counted from main on: what libraries do as they are loaded is theirs.
 * memory.sh builds and uses it; it leans on glibc. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

enum { NEVER = -1, NOT_ASKED = -2 };

/* How many allocations are still to succeed. The tool is run with one thread. */
static long left = NOT_ASKED;
static bool is_in_main = false;

static bool is_denied(void)
{
    if (!is_in_main) return false;
    if (left == NOT_ASKED) {
        const char *text = getenv("FAIL_AT");
        left = text != NULL ? atol(text) : NEVER;
    }
    if (left == NEVER) return false;
    if (left > 0) {
        left--;
        return false;
    }
    if (getenv("FAIL_ON") == NULL) left = NEVER;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size) { return is_denied() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return is_denied() ? NULL : __libc_calloc(count, size); }

void *realloc(void *block, size_t size) { return is_denied() ? NULL : __libc_realloc(block, size); }

void *aligned_alloc(size_t alignment, size_t size)
{
    return is_denied() ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    void *block = is_denied() ? NULL : __libc_memalign(alignment, size);
    if (block == NULL) return ENOMEM;
    *out = block;
    return 0;
}

/* ---- where main begins ---- */

typedef int main_function(int argc, char **argv, char **environment);
typedef int start_function(main_function *main, int argc, char **argv, void (*init)(void),
                           void (*fini)(void), void (*end)(void), void *stack_end);

static main_function *own_main;

static int counted_main(int argc, char **argv, char **environment)
{
    is_in_main = true;
    return own_main(argc, argv, environment);
}

start_function __libc_start_main;
int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*end)(void), void *stack_end)
{
    start_function *start = (start_function *)dlsym(RTLD_NEXT, "__libc_start_main");
    own_main = main;
    return start(counted_main, argc, argv, init, fini, end, stack_end);
}
