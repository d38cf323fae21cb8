/* near_cells.h - the cells that the surface of a body touches, level by level, for questions about
 * spheres around them.
 *
 * A body has the cells of its tree.cells in the tight box of its colliding vertices, whatever its
 * method, so that answers are the same for all. Where it has a tree that grows (SPHERE) its
 * branches are opened; otherwise, and where the tree ends, triangles are tested against the
 * children of a cell, eight at a time. A cell above the last level lists the triangles that touch
 * it, a cell of the last level is only there. */
#ifndef WI_WALK_CELLS_NEAR_CELLS_H
#define WI_WALK_CELLS_NEAR_CELLS_H

#include "base/containers/array.h"
#include "geom/cell_grid.h"
#include "walk/reader/reader.h"

/* A body that is asked about. */
typedef struct wi_cell_body {
    const wi_tree *h;
    wi_cell_grid grid;
    bool is_empty;      /* nothing of it collides */
    bool opens;         /* branches of a tree that grows, if it is one */
    unsigned level;     /* the last one */
    double reach;       /* of spheres of that level beyond what they are around, at most */
    double rounding;    /* of centres: how far they may be from where they should be, at most */
    double uncertainty; /* how far the surface may be from where its cells are */
} wi_cell_body;

/* Lists of triangles are in the tree itself, or in those of a worker. */
#define WI_LISTS_OF_TREE UINT32_MAX
#define WI_NO_BRANCH UINT32_MAX

/* A cell that the surface touches, and in the world the sphere around it. */
typedef struct wi_near_cell {
    double centre[3];
    double radius;
    wi_cell cell;
    uint32_t body;        /* a number of the caller */
    uint32_t lists;       /* whose list of triangles: a worker's, or WI_LISTS_OF_TREE */
    uint32_t branch;      /* its node in a tree that grows, or WI_NO_BRANCH */
    size_t first, count;  /* of its triangles in the list; none on the last level */
    size_t first_child;   /* once they are found: in what the worker has found, */
    uint32_t child_count; /* and how many there are */
    uint32_t worker;      /* and which one that was */
    bool is_wanted;       /* it is part of a pair */
} wi_near_cell;

typedef WI_ARRAY(uint32_t) wi_slot_list;

/* What one worker has found. */
typedef struct wi_cells_of_worker {
    uint32_t number; /* of the worker */
    WI_ARRAY(wi_near_cell) cells;
    wi_slot_list slots[2]; /* of the cells of this level, and of those of the next one, by turns */
} wi_cells_of_worker;

void wi_cells_of_worker_free(wi_memory *memory, wi_cells_of_worker *found);

/* A body, down to this depth (willow_find_near_cells). Reads all of its triangles, unless its tree
 * grows. */
wi_cell_body wi_cell_body_of(const wi_tree *h, unsigned depth);

/* How far beyond its bounds in the world the spheres of a body may reach, for broad phases: by its
 * bounds without the pose, and those. */
double wi_cell_reach(const wi_box *bounds, const wi_box *world_bounds, unsigned depth);

/* Adds the root of a body that is not empty. False if there is no memory. */
bool wi_near_cells_root(wi_reader *reader, const wi_cell_body *body, uint32_t number,
                        wi_cells_of_worker *out, unsigned turn);

/* Adds the children of a cell that is above the last level; `lists` are those that its triangles
 * are in, and `turn` says which lists the children's go to. False if there is no memory. */
bool wi_near_cells_below(wi_reader *reader, const wi_cell_body *body, wi_near_cell *cell,
                         const uint32_t *lists, wi_cells_of_worker *out, unsigned turn);

/* Whether the spheres meet; or may, of any two cells of the last levels below these, themselves
 * included. */
bool wi_near_cells_meet(const wi_cell_body *body_a, const wi_near_cell *a,
                        const wi_cell_body *body_b, const wi_near_cell *b);

/* The surfaces in two cells are at most so far apart. */
double wi_near_cells_apart(const wi_cell_body *body_a, const wi_near_cell *a,
                           const wi_cell_body *body_b, const wi_near_cell *b);

#endif
