/* api_worlds.h - the two worlds of a script (api_script.h), and what is compared between them. */
#ifndef TEST_API_WORLDS_H
#define TEST_API_WORLDS_H

#include "support/api_script.h"
#include "support/bend.h"
#include "support/skin_model.h"
#include "support/test_allocator.h"
#include "support/zoo_mesh.h"
#include "willow/willow.h"

enum { API_RIGHT, API_TRIED, API_SIDES, API_BODIES = 4, API_WATCHES = 3, API_CONTEXTS = 4 };

typedef struct api_actor {
    bool is_alive;
    bool has_rest; /* a rest shape, which some questions need */
    zoo_mesh mesh;
    float (*borrowed)[3]; /* by both worlds; NULL: they have copies */
    willow_body_id ids[API_SIDES];
    bend now;         /* the context of its deformation */
    uint32_t targets; /* of its last morph */
    skin_model skin;  /* its last one; without joints there was none */
} api_actor;

typedef struct api_watch {
    willow_watch *watch; /* in the world that is tried; NULL: none */
    uint32_t a, b;       /* bodies */
    willow_body_id ids[2];
} api_watch;

typedef struct api_worlds {
    choices *c;
    api_tally *tally;
    uint32_t size;
    test_allocator allocator; /* of the world that is tried */
    willow_world *worlds[API_SIDES];
    willow_scratch *scratches[API_SIDES];
    api_actor actors[API_BODIES];
    api_watch watches[API_WATCHES];
    bend ends[API_CONTEXTS]; /* contexts of the ends of trial steps, which stay as they are */
    double time;             /* of the last update */
    bool is_current;         /* both are updated */
    bool is_armed;           /* the next calls may find no memory */
    uint64_t hash;           /* of the world that is tried, before */
    willow_result result;    /* of BRUTE's world */
    const char *call;        /* the last one */
} api_worlds;

/* False once something went wrong (script_words.h). */
bool api_is_right(void);
void api_fail(const api_worlds *w, const char *what);

/* A call on both worlds, `side` by `side`: first that of BRUTE, then the other, where memory may
 * fail, and then once more where it does not. */
#define API_ON_BOTH(w, words, expression)                                                          \
    for (int side = API_RIGHT; side < API_SIDES;) side = api_next_side(w, side, (expression), words)
int api_next_side(api_worlds *w, int side, willow_result result, const char *words);

/* From here on memory may fail in the world that is tried, or may not. */
void api_arm(api_worlds *w);
void api_disarm(api_worlds *w);

/* Whether all bodies are where BRUTE has them. */
void api_compare_positions(api_worlds *w);

/* Asks both worlds one question. */
void api_ask(api_worlds *w);

#endif
