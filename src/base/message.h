/* message.h - the last failure in words, in a place of fixed size: saying so cannot fail. */
#ifndef WI_BASE_MESSAGE_H
#define WI_BASE_MESSAGE_H

#include "willow/base.h"

typedef struct wi_message {
    willow_log log;
    char text[200];
} wi_message;

/* Sets the words, hands them to the log, and returns `result`, so that failures are one line:
 *     return wi_fail(message, WILLOW_BAD_MESH, "triangle %u names ...", i); */
willow_result wi_fail(wi_message *message, willow_result result, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for OUT_OF_MEMORY; `what` could not be had. */
willow_result wi_fail_memory(wi_message *message, const char *what);

/* At the beginning of a call that may fail: no words are left of an earlier one if it does not. */
static inline void wi_message_clear(wi_message *message) { message->text[0] = '\0'; }

#endif
