/* stop.h - Ctrl-C as a question: long work ends at the next good place, and keeps what it has. */
#ifndef BENCH_COMMON_STOP_H
#define BENCH_COMMON_STOP_H

#include <stdbool.h>

/* From now on the first Ctrl-C only asks; the second one ends the program, as ever. */
void stop_listen(void);

bool stop_was_asked(void);

#endif
