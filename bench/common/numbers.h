/* numbers.h - numbers as people write and read them: counts, reals, plurals, the version. */
#ifndef BENCH_COMMON_NUMBERS_H
#define BENCH_COMMON_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

/* Digits only, between the two; false, and *out untouched, for anything else. */
bool parse_count(const char *text, uint32_t lowest, uint32_t highest, uint32_t *out);

/* Whether it is a number, of digits only, that parse_count refuses since it is too small or too
 * large.
 */
bool is_count(const char *text);

/* Whether it is any number, "inf" included. */
bool is_real(const char *text);

/* The same for a number of `lowest` or more, "inf" included. */
bool parse_number(const char *text, float lowest, float *out);

/* The same in double, and finite. */
bool parse_real(const char *text, double lowest, double *out);

/* "1 frame", "2 frames": the s that is missing behind the number. */
const char *plural(uint64_t count);

/* "0.1.0", the version of the library; in memory that stays. */
const char *version_text(void);

#endif
