/* near_cells.h - what a question about near cells keeps, from level to level and query to query. */
#ifndef WI_QUERY_NEAR_CELLS_H
#define WI_QUERY_NEAR_CELLS_H

#include "query/question.h"
#include "walk/cells/near_cells.h"

/* Two cells that may be near each other, by their numbers. */
typedef struct wi_near_cell_pair {
    uint32_t a, b;
    uint32_t bodies; /* the number of the pair of bodies */
} wi_near_cell_pair;

typedef WI_ARRAY(wi_near_cell_pair) wi_near_cell_pairs;

/* Of one worker. */
typedef struct wi_cells_worker {
    wi_cells_of_worker found;
    wi_near_cell_pairs pairs;
} wi_cells_worker;

typedef struct wi_cells_found {
    WI_ARRAY(wi_cell_body) bodies;      /* those that are part of a pair, */
    WI_ARRAY(uint32_t) chosen;          /* where they are among the chosen ones, */
    WI_ARRAY(uint32_t) numbers;         /* and the other way round */
    WI_ARRAY(wi_near_cell) cells;       /* of this level, */
    WI_ARRAY(wi_near_cell) next;        /* and of the next one */
    wi_near_cell_pairs pairs;           /* of cells of this level */
    wi_cells_worker *workers;           /* as many as the scratch has */
    unsigned depth;                     /* that is asked for */
    unsigned turn;                      /* which lists the cells of the next level go to */
    WI_ARRAY(uint32_t) order, spare;    /* for sorting cells and pairs */
    WI_ARRAY(uint32_t) rank;            /* of a cell in the answer */
    WI_ARRAY(willow_pair_run) runs;     /* the answer */
    WI_ARRAY(willow_near_cell) answers; /* its cells */
    WI_ARRAY(willow_near_cell_pair) items;
} wi_cells_found;

/* Puts the pairs of the last level in order, as many as are wanted, with their cells. False if
 * there is no memory. */
bool wi_answer_near_cells(const wi_question *question, willow_scratch *scratch,
                          willow_near_cells *out);

void wi_cells_found_free(wi_memory *memory, wi_cells_found *found, uint32_t worker_count);

#endif
