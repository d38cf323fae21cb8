/* sequences.h - two and three setters of motion without an update between them, in every order. */
#ifndef TEST_MATRIX_SEQUENCES_H
#define TEST_MATRIX_SEQUENCES_H

/* Bodies of one mesh and of all methods get the same calls; after each of them, and after updates,
 * they must be in the same place, and so must the ends of their trial steps. */
void matrix_sequences(void **state);

#endif
