/* The matrix: settings, motions, trial steps, questions, kernels and workers against each other,
 * sampled (sampler.h), each case compared with BRUTE after every update, bit by bit, and validated.
 *
 * Methods come from the library, all others from tables: a new row is in at once. A case that fails
 * prints a line that plays it alone: test_matrix_matrix --case N. With --share N, or in builds with
 * sanitizers, every N-th case is played; with --method NAME only cases in which a body has it. */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "matrix/questions.h"
#include "matrix/sampler.h"
#include "matrix/sequences.h"
#include "matrix/settings.h"
#include "support/test.h"

enum {
    CASES = 1000,
    FAILURES_PRINTED = 20,
    CHEAP_QUESTIONS = 5, /* the first ones of the table, which every case asks */
    LINE = 600
};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
static uint32_t share = 4;
#else
static uint32_t share = 1;
#endif
static uint32_t only = UINT32_MAX;                 /* --case */
static const char *method = NULL;                  /* --method */
static const char *program = "test_matrix_matrix"; /* there are more with other methods */

/* ---- which case it is, also where an assert ends the program ---- */

static char current[LINE];

static void say_current(int number)
{
    const ssize_t written = write(STDERR_FILENO, current, strlen(current));
    (void)written;
    signal(number, SIG_DFL);
    raise(number);
}

static void announce(const matrix_case *c)
{
    char words[LINE - 60];
    matrix_case_print(c, words, sizeof words);
    snprintf(current, sizeof current, "%s --case %u: %s\n", program, c->number, words);
}

/* ---- one case ---- */

typedef struct tally {
    uint32_t cases, failures;
    size_t found[MATRIX_VALUES]; /* by question */
} tally;

/* That of the case first, so that it meets nodes that nobody has opened; then all that are cheap,
 * and one of the others, beginning with another one every time. */
static void ask(matrix_worlds *w, tally *t)
{
    const uint32_t count = factor_size(FACTOR_QUESTION), turn = w->c->number + w->update;
    const uint32_t first = w->c->value[FACTOR_QUESTION];
    const uint32_t other = CHEAP_QUESTIONS + turn % (count - CHEAP_QUESTIONS);
    t->found[first] += matrix_ask(w, first);
    for (uint32_t i = 0; i < CHEAP_QUESTIONS; i++) {
        const uint32_t question = (i + turn) % CHEAP_QUESTIONS;
        t->found[question] += matrix_ask(w, question);
    }
    if (other != first) t->found[other] += matrix_ask(w, other);
}

static void play(const matrix_case *c, tally *t)
{
    static matrix_worlds w;
    announce(c);
    matrix_worlds_open(&w, c);
    for (; w.update < MATRIX_UPDATES && w.failure[0] == '\0'; w.update++) {
        matrix_worlds_update(&w);
        ask(&w, t);
    }
    t->cases++;
    if (w.failure[0] != '\0' && t->failures++ < FAILURES_PRINTED)
        print_message("%s    %s\n", current, w.failure);
    matrix_worlds_close(&w);
}

/* ---- all of them ---- */

static bool has_method(const matrix_case *c, const char *name)
{
    const uint8_t value = factor_find(FACTOR_METHOD_A, name);
    return c->value[FACTOR_METHOD_A] == value || c->value[FACTOR_METHOD_B] == value;
}

static void play_all(const matrix_case *cases, tally *t)
{
    uint32_t turn = 0;
    for (uint32_t i = 0; i < CASES; i++) {
        if (only != UINT32_MAX ? i != only : method != NULL && !has_method(&cases[i], method))
            continue;
        if (turn++ % share == 0) play(&cases[i], t);
    }
}

/* So many find something for every question; a share of those of one method need not. */
enum { ENOUGH_CASES = 100 };

static void every_question_is_answered_as_by_brute(void **state)
{
    (void)state;
    matrix_case *cases = calloc(CASES, sizeof *cases);
    tally t = {.cases = 0};
    const uint32_t covered = matrix_sample(cases, CASES);
    signal(SIGABRT, say_current);
    signal(SIGSEGV, say_current);
    play_all(cases, &t);
    free(cases);
    print_message("%u cases; any two values of two factors meet in the first %u\n", t.cases,
                  covered);
    assert_true(covered <= CASES);
    for (uint32_t i = 0; i < factor_size(FACTOR_QUESTION); i++) {
        print_message("  %-20s %zu found\n", matrix_question_name(i), t.found[i]);
        assert_true(t.found[i] > 0 || t.cases < ENOUGH_CASES);
    }
    if (t.failures > 0) fail_msg("%u of %u cases fail", t.failures, t.cases);
}

static void the_matrix_has_every_method_by_name(void **state)
{
    (void)state;
    assert_true(factor_size(FACTOR_METHOD_A) >= WILLOW_METHOD_COUNT);
    for (uint32_t i = 0; i < factor_size(FACTOR_METHOD_A); i++) {
        willow_method found;
        assert_true(willow_method_from_name(matrix_method_name(i), &found));
        assert_int_equal(found, i);
    }
}

static void setters_in_any_order_mean_the_same_with_every_method(void **state)
{
    if (only == UINT32_MAX) matrix_sequences(state);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_matrix_has_every_method_by_name),
        cmocka_unit_test(setters_in_any_order_mean_the_same_with_every_method),
        cmocka_unit_test(every_question_is_answered_as_by_brute),
    };
    if (strrchr(argv[0], '/') != NULL) program = strrchr(argv[0], '/') + 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        const uint32_t number = (uint32_t)strtoul(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--case") == 0) only = number;
        if (strcmp(argv[i], "--share") == 0 && number > 0) share = number;
        if (strcmp(argv[i], "--method") == 0) method = argv[i + 1];
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
