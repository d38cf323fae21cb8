/* watches.h - questions to the watch of a case, which is about both bodies, or about the first one
 * alone in every fourth case. BRUTE, which has no watch, says what is right. */
#ifndef TEST_MATRIX_WATCHES_H
#define TEST_MATRIX_WATCHES_H

#include "matrix/worlds.h"

/* ROOTS: none. */
void matrix_watch_open(matrix_worlds *w, willow_watch_kind kind);

size_t matrix_watch_pairs(matrix_worlds *w);
size_t matrix_watch_first(matrix_worlds *w);
size_t matrix_watch_list_events(matrix_worlds *w);

/* All pairs that BRUTE finds with the options of the case, without a limit. They stay until BRUTE
 * is asked again. */
willow_pairs matrix_all_pairs(matrix_worlds *w);
bool matrix_has_pair(const willow_pairs *pairs, willow_tri_ref a, willow_tri_ref b);

#endif
