/* command_line.c - words put together as a shell takes them apart. */
#include "cli/command_line.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_plain(const char *word)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:,=+@%";
    return word[0] != '\0' && word[strspn(word, letters)] == '\0';
}

/* In quotes, in which a quote is '\''. */
static char *put_word(char *out, const char *word)
{
    if (is_plain(word)) return strcpy(out, word) + strlen(word);
    *out++ = '\'';
    for (; *word != '\0'; word++) {
        if (*word == '\'') {
            memcpy(out, "'\\'", 3);
            out += 3;
        }
        *out++ = *word;
    }
    *out++ = '\'';
    return out;
}

char *command_line_join(int argc, char *const *argv)
{
    size_t length = sizeof "willow";
    for (int i = 0; i < argc; i++) length += 4 * strlen(argv[i]) + 3;
    char *all = malloc(length);
    if (all == NULL) return NULL;
    char *end = strcpy(all, "willow") + strlen("willow");
    for (int i = 0; i < argc; i++) {
        *end++ = ' ';
        end = put_word(end, argv[i]);
    }
    *end = '\0';
    return all;
}
