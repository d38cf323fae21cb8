/* fold_mesh.h - small meshes that fold until they meet themselves.
 *
 * A mesh is a pure function of (kind, size, seed), and its shape of an amount from 0 to 1 too. At 0
 * it mostly is clear of itself and at 1 mostly not, so whoever halves the interval comes to the
 * border between the two: to triangles that miss, touch and cut each other by a hair. Made against
 * searches that skip what they take for flat: in most kinds all normals are nearly along z, and
 * only the outline tells whether the mesh lies on itself. */
#ifndef TEST_FOLD_MESH_H
#define TEST_FOLD_MESH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(enum, function, name) */
#define FOLD_KINDS(X)                                                                              \
    X(HINGED, hinged, "a sheet folded along one line or two")                                      \
    X(PLEATED, pleated, "a sheet folded to and fro, in the end flat on itself")                    \
    X(ROLLED, rolled, "a sheet rolled up, in the end without a gap")                               \
    X(CRUMPLED, crumpled, "a sheet whose vertices are thrown about")                               \
    X(WAVY, wavy, "a sheet under a few long waves along all axes")                                 \
    X(TIPPED, tipped, "a sheet turned over, whose tip or edge comes down on it")                   \
    X(SPIKED, spiked, "a sheet with a spike that bends down to it")                                \
    X(PINCHED, pinched, "a sheet with a ridge or tooth whose sides come together at its foot")     \
    X(DOUBLED, doubled, "a sheet twice, in the end in one place")                                  \
    X(PILLOW, pillow, "two sheets with one outline, the upper one sinking into the lower")         \
    X(SMEARED, smeared, "a plane patch under waves within the plane, folded over at its end")      \
    X(PUSHED, pushed, "a plane patch with one vertex pushed across an edge")                       \
    X(SLIT, slit, "a plane patch with a slit or notch whose lips overlap")                         \
    X(HOLED, holed, "a plane patch with a hole whose sides overlap")                               \
    X(COMB, comb, "a C or comb in the plane, whose arms are bent into each other")                 \
    X(SPIRAL, spiral, "a spiral in the plane, whose turns overlap")                                \
    X(FAN, fan, "triangles once, twice or thrice around a vertex, at last to and fro")             \
    X(CROSSED, crossed,                                                                            \
      "triangles around a vertex that crosses their rim, by less than roundings")                  \
    X(STAIR, stair, "a winding staircase whose floors sink into each other")                       \
    X(SECTOR, sector, "a sector of a disc or ring, in the end more than a full turn")              \
    X(MOEBIUS, moebius, "a strip with half turns, wider and wider")                                \
    X(BOW_TIE, bow_tie, "patches with one common vertex, turned onto each other")                  \
    X(BOOK, book, "three or more sheets on one edge, of which one is leafed over")                 \
    X(PETALS, petals, "thin triangles around a vertex, broader and broader")                       \
    X(BALL, ball, "a sphere, dented through to its other side")                                    \
    X(TORUS, torus, "a torus that grows into its own hole")                                        \
    X(CUBE, cube, "a cube with a face pushed in until it comes out behind")

typedef enum fold_kind {
#define FOLD_KIND_ENTRY(name, function, words) FOLD_KIND_##name,
    FOLD_KINDS(FOLD_KIND_ENTRY)
#undef FOLD_KIND_ENTRY
        FOLD_KIND_COUNT
} fold_kind;

enum { FOLD_DIALS = 12, FOLD_WAVES = 3 };

typedef struct fold_wave {
    double along_u, along_v, phase, height;
} fold_wave;

/* What is done to every kind of shape in the end: grids make touching exact, rotations, offsets and
 * odd scales make rounding matter. In this order. */
typedef struct fold_finish {
    double grid; /* coordinates are whole multiples of it; 0: no grid */
    double stretch[3];
    double turn[3][3];
    double scale;
    double offset[3];
} fold_finish;

typedef struct fold_mesh {
    fold_kind kind;
    uint32_t size; /* about so many triangles were asked for */
    uint64_t seed;
    uint32_t vertex_count, triangle_count, capacity;
    double (*rest)[3];      /* what the kind knows of a vertex: mostly a place in the sheet */
    double (*noise)[3];     /* from [-1, 1] */
    uint32_t (*between)[2]; /* of later vertices: in the middle between two earlier ones */
    uint32_t (*tris)[3];
    uint16_t *groups; /* or NULL */
    bool weld;
    uint32_t shape_count;     /* of the vertices: placed by the kind; others lie between two */
    uint32_t nx, ny, part[3]; /* whole numbers of the kind */
    double dial[FOLD_DIALS];  /* from [0, 1), for the kind to choose by */
    fold_wave waves[3][FOLD_WAVES];
    fold_finish finish;
    double (*shape)[3]; /* room to work in */
} fold_mesh;

const char *fold_kind_name(fold_kind kind);

void fold_mesh_create(fold_mesh *mesh, fold_kind kind, uint32_t size, uint64_t seed);
void fold_mesh_destroy(fold_mesh *mesh);

/* Writes the positions of all vertices. */
void fold_mesh_place(fold_mesh *mesh, double amount, float (*out)[3]);

#endif
