/* stop.c - notes that Ctrl-C was pressed. */
#define _POSIX_C_SOURCE 200809L
#include "bench/common/stop.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t was_asked;

static void note(int signal_number)
{
    (void)signal_number;
    was_asked = 1;
}

/* SA_RESETHAND: the second time it is not caught. */
void stop_listen(void)
{
    struct sigaction action = {.sa_handler = note, .sa_flags = (int)(SA_RESETHAND | SA_RESTART)};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
}

bool stop_was_asked(void) { return was_asked != 0; }
