/* scratch.h - making and freeing what one asking thread owns. */
#ifndef WI_QUERY_SCRATCH_H
#define WI_QUERY_SCRATCH_H

#include "query/question.h"

/* `kernel` as wi_kernel_choose returned it. */
willow_result wi_scratch_create(wi_memory *memory, const void *world, uint32_t worker_count,
                                willow_kernel kernel, willow_scratch **out);

#endif
