/* straight_boxes.c - the memory of boxes that go straight. */
#include "update/kinetic/straight_boxes.h"

#include <string.h>

#include "base/check.h"
#include "tree/tree.h"

void wi_straight_boxes_free(wi_memory *memory, wi_straight_boxes *c)
{
    wi_free_array(memory, c->from, c->node_count, sizeof *c->from);
    wi_free_array(memory, c->to, c->node_count, sizeof *c->to);
    wi_free_array(memory, c->lanes, c->node_count, sizeof *c->lanes);
    wi_free_array(memory, c->lanes_span, c->node_count, sizeof *c->lanes_span);
    *c = (wi_straight_boxes){0};
}

size_t wi_straight_boxes_bytes(const wi_straight_boxes *c)
{
    size_t bytes = c->node_count * (sizeof *c->from + sizeof *c->to);
    if (c->lanes) bytes += c->node_count * (sizeof *c->lanes + sizeof *c->lanes_span);
    return bytes;
}

static bool straight_allocate(wi_memory *memory, bool is_wide, wi_straight_boxes *c)
{
    if (!c->from) c->from = wi_alloc_array(memory, c->node_count, sizeof *c->from);
    c->to = wi_alloc_array(memory, c->node_count, sizeof *c->to);
    if (!c->from || !c->to) return false;
    if (!is_wide) return true;
    c->lanes = wi_alloc_array(memory, c->node_count, sizeof *c->lanes);
    c->lanes_span = wi_alloc_array(memory, c->node_count, sizeof *c->lanes_span);
    return c->lanes && c->lanes_span;
}

bool wi_straight_boxes_make(wi_memory *memory, const wi_tree *h, wi_packed_boxes *packed,
                            wi_straight_boxes *c)
{
    WI_ASSERT(h->shape->node_count > 0);
    *c = (wi_straight_boxes){.node_count = h->shape->node_count, .from = packed->boxes};
    packed->boxes = NULL;
    if (!straight_allocate(memory, h->def.arity == WI_LANES, c)) {
        wi_straight_boxes_free(memory, c);
        return false;
    }
    if (c->lanes_span) memset(c->lanes_span, 0, c->node_count * sizeof *c->lanes_span);
    return true;
}

const char *wi_straight_boxes_validate(const wi_straight_boxes *c, const wi_tree *h)
{
    if (c->node_count != h->shape->node_count) return "K4: chords are of another tree";
    if (!(c->share >= 0.0 && c->share <= 1.0)) return "K5: it is not within a span";
    for (uint32_t node = 0; c->lanes && node < c->node_count; node++)
        if (c->lanes_span[node] > c->span) return "K6: lanes are of a span to come";
    return NULL;
}
