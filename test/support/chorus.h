/* chorus.h - several worlds that are told the same, one call after the other.
 *
 * Every voice is a world with a tree of its own; the first is BRUTE, or another that is trusted,
 * and all others must answer as it does. Any call that is refused by one must be refused by all. */
#ifndef TEST_CHORUS_H
#define TEST_CHORUS_H

#include "support/test_allocator.h"
#include "tree/tree.h"
#include "willow/willow.h"

enum { CHORUS_VOICES = 48, CHORUS_BODIES = 32 };

typedef struct chorus_voice {
    willow_tree_def tree; /* of the bodies that are added, and as last set */
    uint32_t thread_count;
    willow_kernel kernel;
    test_allocator allocator;
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id bodies[CHORUS_BODIES];
    willow_update_report report;  /* of the last update */
    willow_query_stats stats;     /* of the last question */
    size_t built, subtrees_built; /* in all updates but the first one */
} chorus_voice;

typedef struct chorus {
    chorus_voice voices[CHORUS_VOICES];
    uint32_t voice_count, body_count;
    uint32_t updates;
    const char *scene; /* for failures in words */
    uint64_t seed;
} chorus;

/* One without voices. */
void chorus_open(chorus *c, const char *scene, uint64_t seed);

/* Fails the test if a world does not give back all of its memory. */
void chorus_close(chorus *c);

/* Adds a voice, before there are bodies. */
chorus_voice *chorus_add(chorus *c, willow_tree_def tree, willow_kernel kernel,
                         uint32_t thread_count);

/* The first voice. */
chorus_voice *chorus_add_brute(chorus *c);

/* A voice of every method but BRUTE; every second one has two threads. */
void chorus_add_methods(chorus *c);

/* Voices of every method but BRUTE, each with every kernel of this machine, and with one thread and
 * with two. */
void chorus_add_methods_in_every_way(chorus *c);

/* Adds a body to all, with the tree of the voice. */
void chorus_add_body(chorus *c, const willow_mesh_def *mesh, bool self);

/* Sets vertices in all, each of three floats, which must come to this. */
void chorus_set(chorus *c, uint32_t body, uint32_t first, uint32_t count, const void *to,
                willow_result expected);

/* Says to all that a borrowed array is about to be written. */
void chorus_begin(chorus *c, uint32_t body);
void chorus_pose(chorus *c, uint32_t body, const willow_pose *pose);

/* Gives a body of one voice another tree. */
void chorus_set_tree(chorus *c, chorus_voice *voice, uint32_t body, const willow_tree_def *tree);

/* Gives vertices of a body velocities in all, three floats each; and all of them keyframes. */
void chorus_set_velocities(chorus *c, uint32_t body, uint32_t first, uint32_t count,
                           const void *velocities);
void chorus_set_flightplan(chorus *c, uint32_t body, const willow_flightplan *plan);

/* The targets of a morph, and its weights. */
void chorus_set_morph(chorus *c, uint32_t body, const willow_morph *morph);
void chorus_set_weights(chorus *c, uint32_t body, const float *weights, uint32_t count);

/* Updates all; their worlds must be sound, and their vertices the same. The time is how many
 * updates there were before, or as given. */
void chorus_update(chorus *c);
void chorus_update_at(chorus *c, double time);

/* Asks all for their pairs, which must be the first one's; returns how many these are. */
size_t chorus_compare(chorus *c);

/* An update of one voice that may fail for want of memory, and then not again: false if it did. */
bool chorus_update_twice(const chorus *c, chorus_voice *voice, double time);

/* As chorus_compare, with all the memory that this voice wants. */
size_t chorus_compare_in_peace(chorus *c, chorus_voice *voice);

/* The same with or without neighbours. The pairs are the first one's, and stay until it is asked
 * again. */
willow_pairs chorus_ask(chorus *c, bool skip_neighbours);

/* Asks all for the triangles that meet a box. */
size_t chorus_compare_box(chorus *c, const willow_box *box);

const wi_tree *chorus_hierarchy(const chorus_voice *voice, uint32_t body);

/* What AUTO stands for now, without a look that opens nodes. */
willow_method chorus_mode(const chorus_voice *voice, uint32_t body);

/* `count` voices from `first` on have its report of the last update, its counts of the last
 * question and its trees, whatever their kernels and threads. None of them is BRUTE. */
void chorus_check_same(const chorus *c, uint32_t first, uint32_t count);

/* Fails the test with words about the voice. */
void chorus_expect(const chorus *c, const chorus_voice *voice, bool holds, const char *words);

#endif
