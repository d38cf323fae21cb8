/* schedule.h - walking the pairs of bodies of a question, by one worker or by many. */
#ifndef WI_QUERY_SCHEDULE_H
#define WI_QUERY_SCHEDULE_H

#include "query/question.h"

/* The bodies of a pair, by its number in scratch->pairs. */
const wi_query_body *wi_body_a(const willow_scratch *scratch, uint32_t pair);
const wi_query_body *wi_body_b(const willow_scratch *scratch, uint32_t pair);

/* Makes the workers ready and forgets what they found before. False if there is no memory. */
bool wi_schedule_start(const wi_question *question, willow_scratch *scratch);

/* All pairs of bodies at once. Under a limit one after the other, and none once there are enough,
 * with any number of workers, so that counts do not depend on it (C10). A filter may refuse what
 * was found, so with one all are searched. False if there is no memory. */
bool wi_schedule_run(const wi_question *question, willow_scratch *scratch);

/* The same by hand: as many items as wanted, if there are so many, in scratch->items; and walking
 * some of these. */
bool wi_schedule_prepare(willow_scratch *scratch, size_t wanted);
bool wi_schedule_run_lot(const wi_question *question, willow_scratch *scratch, size_t first,
                         size_t count);

/* Closes the segment of a worker's keys that began at `first`, if it holds any. False if there is
 * no memory. */
bool wi_schedule_add_segment(willow_scratch *scratch, uint32_t worker, uint32_t pair, size_t first);

/* Sorts what the workers have found into an answer, or says that there is no memory for it. */
willow_result wi_answer_pairs(const wi_question *question, willow_scratch *scratch,
                              willow_pairs *out);
willow_result wi_fail_pairs(willow_scratch *scratch);

/* How much the workers have found. */
size_t wi_schedule_count(const willow_scratch *scratch);

#endif
