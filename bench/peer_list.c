/* peer_list.c - the peers that this build has. */
#include "bench/peer.h"

#include <string.h>

extern const peer_def peer_plain;

const peer_def *const peer_list[] = {&peer_plain, NULL};

const peer_def *peer_find(const char *name)
{
    for (const peer_def *const *peer = peer_list; *peer != NULL; peer++) {
        if (strcmp((*peer)->name, name) == 0) {
            return *peer;
        }
    }
    return NULL;
}
