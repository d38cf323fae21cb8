/* message.c - failures in words. Long messages are cut at the size of the place. */
#include "base/message.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/check.h"

willow_result wi_fail(wi_message *message, willow_result result, const char *format, ...)
{
    va_list arguments;
    WI_ASSERT(message != NULL && format != NULL && result != WILLOW_OK);
    va_start(arguments, format);
    (void)vsnprintf(message->text, sizeof message->text, format, arguments);
    va_end(arguments);
    if (message->log.write) message->log.write(message->log.context, message->text);
    return result;
}

willow_result wi_fail_memory(wi_message *message, const char *what)
{
    return wi_fail(message, WILLOW_OUT_OF_MEMORY, "no memory for %s", what);
}
