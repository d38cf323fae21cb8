/* partial.c - notes what moved vertices concern.
 *
 * The boxes of touched patches grow to contain the new positions, which costs the same for each
 * vertex however large the patch is. The update makes them tight again once as many vertices were
 * moved as the patch has. */
#include "update/lazy/partial.h"

static void grow(wi_patches *patches, uint32_t leaf, const float *position)
{
    wi_patch *patch = &patches->items[patches->of_leaf[leaf]];
    wi_box_add_point(&patch->box, position);
    patch->touched++;
}

static void move_place(wi_tree *h, uint32_t place)
{
    const wi_moved_vertices *touch = &h->moved;
    wi_moved_vertices_place(h, place);
    if (h->patches.items == NULL || place >= touch->place_count) return;
    const float *position = h->mesh->positions[place].axis;
    grow(&h->patches, touch->owner[place], position);
    for (uint32_t i = touch->first_border[place]; i < touch->first_border[place + 1]; i++)
        grow(&h->patches, touch->border_leaves[i], position);
}

void wi_partial_move(wi_tree *h, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count && !h->moved.is_all; i++)
        move_place(h, h->mesh->place[first + i]);
}
