/* box_changes.h - which boxes of a kinetic tree have taken another course: who knows when two boxes
 * meet has to look at these again, and at no others.
 *
 * A box takes another course where an end becomes another vertex, where the vertex of an end has
 * another path, or where straight boxes are anchored. They are listed while somebody listens; those
 * who do know how many of them they have seen. Where all boxes take another course, or there is no
 * room, the list begins again, as of another revision. */
#ifndef WI_UPDATE_KINETIC_BOX_CHANGES_H
#define WI_UPDATE_KINETIC_BOX_CHANGES_H

#include <stddef.h>
#include <stdint.h>
#include "base/check.h"

typedef struct wi_box_changes {
    uint64_t course; /* the revision since which only the boxes that are listed have another one */
    uint32_t *items; /* nodes, then leaves, oldest first, some several times; NULL: nobody listens
                      */
    uint32_t room, count;
} wi_box_changes;

static inline void wi_box_changes_note_all(wi_box_changes *c, uint64_t revision)
{
    c->course = revision;
    c->count = 0;
}

static inline void wi_box_changes_note(wi_box_changes *c, uint32_t item, uint64_t revision)
{
    WI_ASSERT(c->count <= c->room);
    if (c->count == c->room)
        wi_box_changes_note_all(c, revision);
    else
        c->items[c->count++] = item;
}

#endif
