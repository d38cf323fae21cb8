/* claim.h - one thread computes the boxes of a node, others wait for it. */
#ifndef WI_UPDATE_CLAIM_H
#define WI_UPDATE_CLAIM_H

#include "base/check.h"
#include "base/threads.h"
#include "tree/tree.h"

/* Claims the node and returns its stamp, or WI_STAMP_CLAIMED if another thread has computed it by
 * now. The claim is the only thing that threads wait for, and who has it neither allocates nor
 * waits (C9). */
static inline uint64_t wi_claim(const wi_tree *h, wi_node *view)
{
    WI_ASSERT((uintptr_t)view % _Alignof(wi_node) == 0);
    WI_ASSERT(h->boxes.valid_from >= WI_FIRST_REVISION && h->boxes.valid_from <= h->boxes.revision);
    uint64_t stamp = atomic_load_explicit(&view->stamp, memory_order_acquire);
    for (;;) {
        if (stamp >= h->boxes.valid_from) return WI_STAMP_CLAIMED;
        if (stamp == WI_STAMP_CLAIMED) {
            wi_thread_yield();
            stamp = atomic_load_explicit(&view->stamp, memory_order_acquire);
        } else if (atomic_compare_exchange_weak_explicit(&view->stamp, &stamp, WI_STAMP_CLAIMED,
                                                         memory_order_acquire,
                                                         memory_order_acquire)) {
            return stamp;
        }
    }
}

#endif
