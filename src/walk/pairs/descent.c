/* descent.c - the stack of a descent, and what is found out before its first node is opened. */
#include "walk/pairs/descent.h"

void wi_descent_start(wi_descent *down, wi_reader *reader, const wi_walk_rules *rules)
{
    down->reader = reader;
    down->stack.count = 0;
    down->rules = *rules;
    down->leaf = (wi_leaf_ops){NULL, NULL, NULL};
    down->masked = NULL;
    down->folds = NULL;
    down->hubs = NULL;
}

void wi_descent_free(wi_memory *memory, wi_descent *down) { wi_array_free(memory, &down->stack); }

/* Lower on the stack than the tree: where one pair is wanted, strangers come first. */
bool wi_descent_push_fans(wi_descent *down, const wi_tree *h)
{
    for (uint32_t lot = 0; lot < wi_fan_lots(h); lot++) {
        const wi_walk_item item = wi_fan_item(lot);
        if (!wi_descent_push(down, &item)) return false;
    }
    return true;
}

bool wi_descent_push_roots(wi_descent *down, const wi_tree *a, const wi_box *box_a,
                           const wi_tree *b, const wi_box *box_b)
{
    WI_ASSERT(a->boxes.nodes && b->boxes.nodes);
    const wi_walk_item item = {a == b ? WI_NODE_ITSELF : WI_NODES, 0, 0, *box_a, *box_b};
    return wi_descent_push(down, &item);
}

bool wi_descent_begin(wi_descent *down, const wi_tree *a, const wi_tree *b, const wi_leaf_ops *leaf,
                      wi_kinship kinship, wi_self_step step)
{
    WI_ASSERT((a == b) == (kinship != WI_OF_TWO_BODIES) && kinship < WI_KINSHIPS);
    wi_reader *reader = down->reader;
    down->leaf = *leaf;
    down->masked = a == b && a->mesh->masks.rows ? a->mesh : NULL;
    down->hubs = kinship == WI_KIN_LISTED ? wi_hubs_of(a) : NULL;
    const bool is_step = step.end || step.reach > 0.0F;
    const bool knows_folds = a == b && wi_has_loops(a) && !down->rules.test_flat &&
                             (!is_step || kinship == WI_KIN_LISTED);
    down->folds = knows_folds ? &reader->folds : NULL;
    return !knows_folds || wi_folds_start(reader->memory, &reader->folds, a, step);
}
