/* page.h - one HTML file that shows a clip in 3D, and what was found in it: `willow check --report`
 * and `willow view`.
 *
 *   page.c         the file: a shell (report/src/clip.html) with the two parts below put in
 *   page_frames.c  which samples are shown, and where bodies are in these
 *   page_data.c    meshes, positions and pairs as bytes, compressed
 *   page_head.c    all else as JSON: names, counts by sample, who meets whom
 *   byte_list.c    bytes that are put one behind the other
 *
 * A page has limits, and says what they made of a clip: beyond PAGE_VALUES coordinates only every
 * n-th sample is shown, and beyond KEPT_PAIRS pairs lists are cut. Counts are always there of all
 * samples. Coordinates are rounded to a 65,535th of the longest side that a body has in any sample,
 * so what a picture shows may differ by half of that; answers are those of the exact positions. */
#ifndef CLI_PAGE_PAGE_H
#define CLI_PAGE_PAGE_H

#include "cli/check.h"
#include "cli/kept.h"
#include "cli/page/byte_list.h"

#include <jansson.h>

enum {
    PAGE_VALUES = 24000000,   /* coordinates in all, two bytes each before they are compressed */
    PAGE_TRIANGLES = 4000000, /* in one sample; a clip with more is refused */
    PAGE_FRAMES = 5000        /* samples that are shown */
};

typedef struct page_def {
    const target *target;
    const sample_list *samples;
    const clip_role *roles;     /* bodies that are not played are left out; NULL: all are shown */
    const check_report *report; /* NULL: nothing was checked */
    const check_kept *kept;     /* the same */
    const char *command;        /* that made it */
    const char *shell;          /* a file instead of the one beside the tool; NULL: that one */
    const char *out;
} page_def;

/* Looks whether a page of this target can be made, and the file written, before any work is done.
 * An exit code, with what was wrong on standard error. */
int clip_page_check(const char *command_name, const page_def *def);

/* Writes it. An exit code. */
int clip_page_write(const char *command_name, const page_def *def);

/* ---- page_frames.c ---- */

/* Where one body is in one shown sample: positions, or a matrix that is put on those of its mesh,
 * three rows of four. */
typedef struct page_place {
    uint32_t mesh; /* of the page */
    float *positions;
    double matrix[12];
} page_place;

typedef struct page_body {
    uint32_t number; /* in the clip */
    bool is_posed;   /* its places are matrices */
    double step;     /* coordinates are whole numbers of these; set by page_data */
} page_body;

/* Triangles of a body; FRAMES may have several. */
typedef struct page_mesh {
    uint32_t body; /* of the page */
    uint32_t vertex_count, triangle_count;
    uint32_t *indices, *faces; /* faces NULL: these are the triangles */
    float *positions;          /* of bodies that are posed; else NULL */
} page_mesh;

typedef struct page_frames {
    const page_def *def;
    page_body *bodies;
    uint32_t body_count;
    uint32_t *shown; /* samples, rising */
    uint32_t shown_count;
    uint32_t stride;    /* one of so many samples is shown, and those that stand out */
    page_place *places; /* by shown sample and body */
    page_mesh *meshes;
    uint32_t mesh_count, mesh_capacity;
} page_frames;

/* Reads them. False with a complaint; destroy them in any case. */
bool page_frames_read(page_frames *f, const char *command_name, const page_def *def);
void page_frames_destroy(page_frames *f);

/* How many samples there are: those that were checked, or all. */
uint32_t page_sample_count(const page_def *def);

/* ---- page_data.c ---- */

/* All bytes in the order in which the page reads them (report/src/clip_data.js): for each mesh
 * corners and faces; for bodies that are posed their positions; for each shown sample the places of
 * all bodies, then the pairs. False when out of memory. */
bool page_data_fill(byte_list *bytes, page_frames *f);

/* ---- page_head.c ---- */

/* NULL when out of memory. */
json_t *page_head_create(const page_frames *f, size_t byte_count);

#endif
