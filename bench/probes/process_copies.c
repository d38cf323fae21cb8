/* process_copies.c - copies are made by fork and spoken to through a pair of sockets each.
 *
 * For a block the parent sends its number and waits until every copy is ready for it. Then it sends
 * a time that is a little ahead; the copies, which are awake by then, look at the clock until it is
 * reached, and so begin within a microsecond of each other. A copy that ends, for whatever reason,
 * closes its socket, and so does a parent that ends: nobody waits for ever. */
#define _DEFAULT_SOURCE
#include "bench/probes/process_copies.h"
#include "bench/common/clock.h"
#include "bench/common/complain.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

struct process_copy {
    pid_t process;
    int socket;
};

/* What a copy tells about a block that it ran. */
typedef struct block_outcome {
    double start_ms, end_ms;
    uint64_t answer;
} block_outcome;

/* So far ahead is the time at which copies begin: enough for them to wake up. */
static const double lead_ms = 2;

/* ---- messages ---- */

static bool send_all(int socket, const void *message, size_t size)
{
    const char *at = message;
    while (size > 0) {
        ssize_t sent = send(socket, at, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        at += sent;
        size -= (size_t)sent;
    }
    return true;
}

/* False too if the other side is gone. */
static bool receive_all(int socket, void *message, size_t size)
{
    char *at = message;
    while (size > 0) {
        ssize_t received = recv(socket, at, size, 0);
        if (received < 0 && errno == EINTR) continue;
        if (received <= 0) return false;
        at += received;
        size -= (size_t)received;
    }
    return true;
}

/* ---- in a copy ---- */

static bool copies_run_block(const copied_work *work, double start_at, block_outcome *out)
{
    while (now_ms() < start_at) continue;
    out->start_ms = now_ms();
    bool fine = work->run(work->context);
    out->end_ms = now_ms();
    return fine;
}

/* Until the parent closes the socket; false if the work fails. */
static bool serve(int socket, const copied_work *work)
{
    frame_block block;
    double start_at;
    block_outcome outcome;
    const char ready = 1;
    while (receive_all(socket, &block, sizeof block)) {
        if (!work->prepare(work->context, block)) return false;
        if (!send_all(socket, &ready, sizeof ready)) return true;
        if (!receive_all(socket, &start_at, sizeof start_at)) return true;
        if (!copies_run_block(work, start_at, &outcome)) return false;
        outcome.answer = work->answer(work->context);
        if (!send_all(socket, &outcome, sizeof outcome)) return true;
    }
    return true;
}

/* Its end is that of the process, without what the parent would do at its own. */
static _Noreturn void be_copy(const copies *c, int socket, const copied_work *work)
{
    for (uint32_t i = 0; i < c->count; i++) close(c->items[i].socket); /* those of its siblings */
    bool fine = work->create(work->context) && serve(socket, work);
    _exit(fine ? EXIT_FINE : EXIT_ERROR);
}

/* ---- in the parent ---- */

static bool start_one(copies *c, const copied_work *work)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return false;
    pid_t process = fork();
    if (process == 0) {
        close(ends[0]);
        be_copy(c, ends[1], work);
    }
    close(ends[1]);
    if (process < 0) {
        close(ends[0]);
        return false;
    }
    c->items[c->count++] = (process_copy){process, ends[0]};
    return true;
}

bool copies_start(copies *c, uint32_t count, const copied_work *work)
{
    *c = (copies){.items = calloc(count, sizeof *c->items)};
    while (c->items != NULL && c->count < count && start_one(c, work)) continue;
    if (c->items != NULL && c->count == count) return true;
    complain("bench", "the process cannot be copied");
    return false;
}

static bool prepare_all(copies *c, frame_block block)
{
    char ready;
    bool fine = true;
    for (uint32_t i = 0; fine && i < c->count; i++) {
        fine = send_all(c->items[i].socket, &block, sizeof block);
    }
    for (uint32_t i = 0; fine && i < c->count; i++) {
        fine = receive_all(c->items[i].socket, &ready, sizeof ready);
    }
    return fine;
}

static bool start_all(copies *c)
{
    bool fine = true;
    double start_at = now_ms() + lead_ms;
    for (uint32_t i = 0; fine && i < c->count; i++) {
        fine = send_all(c->items[i].socket, &start_at, sizeof start_at);
    }
    return fine;
}

bool copies_run(copies *c, frame_block block, double *ms, uint64_t *answer, bool *differ)
{
    double start_ms = 0, end_ms = 0;
    bool fine = prepare_all(c, block) && start_all(c);
    for (uint32_t i = 0; fine && i < c->count; i++) {
        block_outcome outcome;
        fine = receive_all(c->items[i].socket, &outcome, sizeof outcome);
        if (!fine) break;
        if (i == 0 || outcome.start_ms < start_ms) start_ms = outcome.start_ms;
        if (i == 0 || outcome.end_ms > end_ms) end_ms = outcome.end_ms;
        *differ = *differ || (i > 0 && outcome.answer != *answer);
        *answer = outcome.answer;
    }
    if (!fine) complain("bench", "a copy of the process failed");
    *ms = end_ms - start_ms;
    return fine;
}

/* Without its socket a copy ends by itself. */
void copies_end(copies *c)
{
    for (uint32_t i = 0; i < c->count; i++) close(c->items[i].socket);
    for (uint32_t i = 0; i < c->count; i++) waitpid(c->items[i].process, NULL, 0);
    free(c->items);
    *c = (copies){0};
}
