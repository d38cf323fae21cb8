/* box_walk.h - traversals of one tree: triangles that meet a box of the world.
 *
 * As walks over pairs, with a box in the place of the second body; the stack has nodes. Running
 * stops once there are `pause_at` triangles, which the caller takes before it goes on. */
#ifndef WI_WALK_BOX_BOX_WALK_H
#define WI_WALK_BOX_BOX_WALK_H

#include "base/containers/array.h"
#include "walk/reader/reader.h"

typedef struct wi_box_walk wi_box_walk;

/* Opens nodes until the stack is empty, or `pause_at` is reached. False if there is no memory. */
typedef bool wi_run_box(wi_box_walk *walk, const wi_tree *h, const wi_box *box);

struct wi_box_walk {
    wi_reader *reader;        /* of the thread */
    wi_run_box *run;          /* of its kernel */
    WI_ARRAY(uint32_t) stack; /* nodes still to be opened */
    WI_ARRAY(uint32_t) slots; /* of the triangles found */
    size_t pause_at;          /* so many of them end a run */
};

/* Until wi_box_walk_free the reader must not move. */
void wi_box_walk_init(wi_box_walk *walk, wi_reader *reader);
void wi_box_walk_free(wi_box_walk *walk);

/* Forgets what an earlier query left, and puts the root of a tree on the stack; nothing if there is
 * no tree, or if it cannot meet the box. False if there is no memory. */
bool wi_box_walk_start(wi_box_walk *walk, const wi_tree *h, const wi_box *box, size_t pause_at);

#endif
