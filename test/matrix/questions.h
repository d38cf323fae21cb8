/* questions.h - every question, asked of both worlds of a case: answers must be the same. */
#ifndef TEST_MATRIX_QUESTIONS_H
#define TEST_MATRIX_QUESTIONS_H

#include "matrix/worlds.h"

const char *matrix_question_name(uint32_t value);

/* Makes the watch that the question of the case wants, if any. */
void matrix_watch_create(matrix_worlds *w);

/* Asks a question; those about watches only if it is the one of the case. Returns how much was
 * found: pairs, impacts, events and so on. */
size_t matrix_ask(matrix_worlds *w, uint32_t question);

#endif
