/* check.h - asserts in three strengths, all gone unless WILLOW_CHECKED is defined.
 *
 * WI_ASSERT       cheap, anywhere
 * WI_ASSERT_SLOW  linear in the structure at hand, at the end of operations
 * wi_x_validate   walks the whole structure and names the invariant that it found broken; mutators
 *                 end with WI_ASSERT_SLOW(wi_x_validate(...) == NULL) */
#ifndef WI_BASE_CHECK_H
#define WI_BASE_CHECK_H

#if defined(WILLOW_CHECKED)

_Noreturn void wi_assert_failed(const char *condition, const char *file, int line);

#    define WI_ASSERT(condition)                                                                   \
        ((condition) ? (void)0 : wi_assert_failed(#condition, __FILE__, __LINE__))
#    define WI_ASSERT_SLOW(condition) WI_ASSERT(condition)
#else
#    define WI_ASSERT(condition) ((void)sizeof(condition))
#    define WI_ASSERT_SLOW(condition) ((void)sizeof(condition))
#endif

#endif
