/* question.c - the table of questions, as words and as what they are like. */
#include "bench/run/question.h"

#include <stddef.h>
#include <string.h>

const char *const bench_questions[] = {
#define BENCH_QUESTION_ENTRY(name, words, like) words,
    BENCH_QUESTIONS(BENCH_QUESTION_ENTRY)
#undef BENCH_QUESTION_ENTRY
        NULL};

const char *bench_question_name(bench_question question) { return bench_questions[question]; }

bool bench_question_is(bench_question question, unsigned like)
{
    static const unsigned all[] = {
#define BENCH_QUESTION_ENTRY(name, words, like) like,
        BENCH_QUESTIONS(BENCH_QUESTION_ENTRY)
#undef BENCH_QUESTION_ENTRY
    };
    return (all[question] & like) != 0;
}

const char *bench_question_finds(bench_question question)
{
    if (bench_question_is(question, ASKS_RAYS)) return "hits";
    return bench_question_is(question, ASKS_STEPS) ? "impacts" : "pairs";
}

bool bench_question_from_name(const char *name, bench_question *out)
{
    for (int i = 0; bench_questions[i] != NULL; i++) {
        if (strcmp(bench_questions[i], name) == 0) {
            *out = (bench_question)i;
            return true;
        }
    }
    return false;
}
