/* failing_malloc.c - to be preloaded: the allocation with the number $FAIL_AT fails, or with
 * $FAIL_ON all from there on. memory.sh builds and uses it; it leans on glibc. */
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

static bool is_denied(void)
{
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
