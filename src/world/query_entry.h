/* query_entry.h - what all public questions begin with. */
#ifndef WI_WORLD_QUERY_ENTRY_H
#define WI_WORLD_QUERY_ENTRY_H

#include "query/scratch.h"
#include "world/world.h"

/* Everything that can be wrong with a question; fills `question` and scratch->chosen. `options` may
 * be NULL. */
willow_result wi_ask_begin(const willow_world *world, willow_scratch *scratch,
                           const willow_query_options *options, wi_question *question);

/* The same, and scratch->pairs: which pairs of bodies to look at. */
willow_result wi_ask_begin_pairs(const willow_world *world, willow_scratch *scratch,
                                 const willow_query_options *options, wi_question *question);

/* The tree over all bodies, if these were chosen and there is one. */
void wi_ask_tree(const willow_world *world, wi_question *question);

/* The same for two bodies, of which only pairs between them count, or one with itself; the bodies
 * of the options do not. The pair is in scratch->pairs unless it is sure that nothing meets. */
willow_result wi_ask_begin_watch(const willow_world *world, willow_scratch *scratch,
                                 const willow_query_options *options, willow_body_id a,
                                 willow_body_id b, wi_question *question);

/* A visitor that keeps the first pair, in a willow_first_pair, and wants no more. */
bool wi_ask_keep_first(void *first, willow_tri_ref a, willow_tri_ref b);

/* Where it meets, if it was found and that is asked for. */
void wi_ask_add_witness(const willow_world *world, const wi_question *question,
                        willow_first_pair *first);

/* Copies the chosen bodies, unless they are copies, for questions that change what is said of them.
 * False if there is no memory. */
bool wi_ask_copy(willow_scratch *scratch);

/* Whether the chosen bodies leave nothing to look at: fewer than two, none of them with `self`. */
bool wi_ask_is_empty(const willow_scratch *scratch);

/* BAD_ARGUMENT: the caller left no place for the answer. */
willow_result wi_ask_fail_place(willow_scratch *scratch);

#endif
