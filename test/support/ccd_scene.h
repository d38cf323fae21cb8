/* ccd_scene.h - steps of simulations that others made, with what collides in them.
 *
 * A step is two frames of one mesh. For some vertices and faces, and edges and edges, its makers
 * have decided with rational numbers whether they collide while the mesh goes straight from one
 * frame to the other; all that do and share no vertex are among them. Way in: ccd_scene_open. */
#ifndef TEST_CCD_SCENE_H
#define TEST_CCD_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Those of scenes/candidates.h. */
typedef enum ccd_kind { CCD_VERTEX_FACE, CCD_EDGE_EDGE, CCD_KINDS } ccd_kind;

/* Sorted by (a, b): a vertex and a face, or two edges, the lower one first. */
typedef struct ccd_pair {
    uint32_t a, b;
    bool collide;
} ccd_pair;

typedef struct ccd_list {
    ccd_pair *items;
    size_t count, colliding_count;
} ccd_list;

typedef struct ccd_scene {
    uint32_t vertex_count, edge_count, face_count;
    double (*frames[2])[3];
    uint32_t (*edges)[2]; /* the lower vertex first */
    uint32_t (*faces)[3];
    ccd_list given[CCD_KINDS];
} ccd_scene;

/* Reads frames `first` and the next one, and what is given of them, from a folder below the data
 * folder. Fails the test if they are not what they should be. */
void ccd_scene_open(ccd_scene *s, const char *folder, int first);
void ccd_scene_close(ccd_scene *s);

/* The pair in what was given, or NULL. */
const ccd_pair *ccd_find(const ccd_list *list, uint32_t a, uint32_t b);

/* All pairs of the kind that share no vertex and whose boxes over the step overlap, each once, in
 * no order. Positions may be others than those of the files. */
typedef void ccd_visitor(void *context, uint32_t a, uint32_t b);
void ccd_visit_candidates(const ccd_scene *s, const double (*start)[3], const double (*end)[3],
                          ccd_kind kind, ccd_visitor *visit, void *context);

/* Where the four vertices of a pair are: the vertex and the corners, or both edges. */
void ccd_points(const ccd_scene *s, const double (*positions)[3], ccd_kind kind, uint32_t a,
                uint32_t b, double out[4][3]);

/* ---- parts, for their own test ---- */

/* [[1,2],[3,4]] and [true,false]: how many there are and, if `out` is not NULL, what they are.
 * False if the text is anything else. */
bool ccd_scan_pairs(const char *text, uint32_t (*out)[2], size_t *count);
bool ccd_scan_booleans(const char *text, bool *out, size_t *count);

#endif
