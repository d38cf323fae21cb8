/* Asserts: they end a checked program and vanish from all others. */
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/check.h"
#include "support/test.h"

static void what_holds_goes_on(void **state)
{
    (void)state;
    WI_ASSERT(1 + 1 == 2);
    WI_ASSERT_SLOW(1 + 1 == 2);
}

#if defined(WILLOW_CHECKED)

static void a_broken_assumption_aborts_and_says_which(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        dup2(ends[1], STDERR_FILENO);
        WI_ASSERT(1 + 1 == 3);
        _exit(0);
    }
    close(ends[1]);
    char words[200] = {0};
    assert_true(read(ends[0], words, sizeof words - 1) > 0);
    close(ends[0]);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    assert_non_null(strstr(words, "willow assumed that 1 + 1 == 3"));
    assert_non_null(strstr(words, "check_test.c"));
}

#else

static void unchecked_conditions_are_not_evaluated(void **state)
{
    (void)state;
    int evaluations = 0;
    WI_ASSERT(++evaluations == 100);
    WI_ASSERT_SLOW(++evaluations == 100);
    assert_int_equal(evaluations, 0);
}

#endif

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_holds_goes_on),
#if defined(WILLOW_CHECKED)
    cmocka_unit_test(a_broken_assumption_aborts_and_says_which),
#else
    cmocka_unit_test(unchecked_conditions_are_not_evaluated),
#endif
};

TEST_GROUP(check, tests);
