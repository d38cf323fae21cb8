/* api_worlds.c - see api_worlds.h. */
#include "support/api_worlds.h"

#include <stdlib.h>

#include "support/script_words.h"

bool api_is_right(void) { return script_words(true) == NULL; }

void api_fail(const api_worlds *w, const char *what)
{
    char words[400];
    (void)snprintf(words, sizeof words, "%s: %s", w->call, what);
    (void)script_fail(NULL, words);
}

/* ---- memory ---- */

void api_arm(api_worlds *w)
{
    const uint32_t kind = choose(w->c, 8);
    w->is_armed = kind >= 6;
    if (!w->is_armed) return;
    w->hash = willow_world_hash(w->worlds[API_TRIED]);
    w->allocator.fail_at = w->allocator.calls + 1 + choose(w->c, kind == 6 ? 4 : 32);
    w->allocator.fails_from_now_on = choose_one_in(w->c, 8);
}

void api_disarm(api_worlds *w)
{
    w->allocator.fail_at = 0;
    w->allocator.fails_from_now_on = false;
}

int api_next_side(api_worlds *w, int side, willow_result result, const char *words)
{
    w->call = words;
    w->is_current = false;
    if (side == API_RIGHT) {
        w->result = result;
        w->tally->refused += result != WILLOW_OK;
        api_arm(w);
        return API_TRIED;
    }
    api_disarm(w);
    if (w->is_armed && result == WILLOW_OUT_OF_MEMORY) {
        w->tally->failures++;
        if (willow_world_hash(w->worlds[API_TRIED]) != w->hash)
            api_fail(w, "a call that failed has changed the world (C6)");
        w->is_armed = false;
        return API_TRIED;
    }
    w->is_armed = false;
    if (result != w->result) {
        char reason[300];
        (void)snprintf(reason, sizeof reason, "%s in the place of %s: %s",
                       willow_result_name(result), willow_result_name(w->result),
                       willow_world_message(w->worlds[API_TRIED]));
        api_fail(w, reason);
    }
    return API_SIDES;
}

/* ---- positions ---- */

static void compare_body(const api_worlds *w, uint32_t number)
{
    const api_actor *actor = &w->actors[number];
    const uint32_t count = actor->mesh.vertex_count;
    willow_vec3 *at[API_SIDES];
    for (int side = 0; side < API_SIDES; side++) {
        at[side] = calloc(count + (size_t)1, sizeof *at[side]);
        if (willow_body_copy_vertices(w->worlds[side], actor->ids[side], 0, count, at[side]) !=
            WILLOW_OK)
            api_fail(w, "positions cannot be had");
    }
    for (uint32_t i = 0; i < count && api_is_right(); i++) {
        const willow_vec3 *a = &at[API_RIGHT][i], *b = &at[API_TRIED][i];
        char reason[200];
        if (memcmp(a, b, sizeof *a) == 0) continue;
        (void)snprintf(reason, sizeof reason,
                       "vertex %u of body %u is at (%a, %a, %a) in the place of (%a, %a, %a)", i,
                       number, (double)b->x, (double)b->y, (double)b->z, (double)a->x, (double)a->y,
                       (double)a->z);
        api_fail(w, reason);
    }
    for (int side = 0; side < API_SIDES; side++) free(at[side]);
}

void api_compare_positions(api_worlds *w)
{
    for (uint32_t i = 0; i < API_BODIES; i++)
        if (w->actors[i].is_alive) compare_body(w, i);
}
