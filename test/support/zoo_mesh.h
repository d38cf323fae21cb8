/* zoo_mesh.h - small meshes of every kind that folds, touches itself or is hardly a mesh.
 *
 * A mesh is a pure function of (kind, size, seed), and its positions of the frame too, so a failing
 * case is named by these numbers. Where touching matters, coordinates are eighths, which floats
 * hold exactly. */
#ifndef TEST_ZOO_MESH_H
#define TEST_ZOO_MESH_H

#include <stdbool.h>
#include <stdint.h>
#include "willow/world.h"

/* X(enum, function, name) */
#define ZOO_KINDS(X)                                                                               \
    X(SOUP, soup, "triangles with vertices of their own")                                          \
    X(WEB, web, "random triangles among few vertices")                                             \
    X(GRID, grid, "a wavy sheet")                                                                  \
    X(SPHERE, sphere, "a bumpy sphere")                                                            \
    X(FOLDED, folded, "a sheet folded onto itself")                                                \
    X(ROLLED, rolled, "a sheet rolled up three times")                                             \
    X(CRUMPLED, crumpled, "a sheet thrown about")                                                  \
    X(POINTS, points, "triangles that are points")                                                 \
    X(SEGMENTS, segments, "triangles that are segments")                                           \
    X(DUPLICATES, duplicates, "triangles several times, by number and by place")                   \
    X(COPLANAR, coplanar, "overlapping triangles in one plane")                                    \
    X(LATTICE, lattice, "whole coordinates: many exact touchings")                                 \
    X(REPEATED, repeated, "triangles that name a vertex twice or thrice")                          \
    X(GROUPS, groups, "triangle groups, some of them 0")                                           \
    X(IGNORED, ignored, "triangle groups, all of them 0")                                          \
    X(LOOSE, loose, "vertices that no triangle uses")                                              \
    X(SEAMS, seams, "cells with corners of their own, to be welded")                               \
    X(NEEDLES, needles, "long thin triangles around few tips")                                     \
    X(EXTREME, extreme, "from denormals to 1e30")                                                  \
    X(SINGLE, single, "one triangle")                                                              \
    X(EMPTY, empty, "nothing at all")                                                              \
    X(ALONE, alone, "vertices without a triangle")                                                 \
    X(LAYERS, layers, "three sheets, not all tested against each other")

typedef enum zoo_kind {
#define ZOO_KIND_ENTRY(name, function, words) ZOO_KIND_##name,
    ZOO_KINDS(ZOO_KIND_ENTRY)
#undef ZOO_KIND_ENTRY
        ZOO_KIND_COUNT
} zoo_kind;

typedef struct zoo_mesh {
    zoo_kind kind;
    uint64_t seed;
    uint32_t size; /* about so many triangles were asked for */
    uint32_t vertex_count, triangle_count;
    float (*positions)[3]; /* as of the last move */
    float (*next)[3];      /* room to work in */
    uint32_t (*tris)[3];
    uint16_t *groups;     /* or NULL */
    uint32_t group_count; /* all groups are below it; 0: no masks for these */
    uint64_t *masks;      /* `mask_count` rows, or NULL: all groups are tested against all */
    uint32_t mask_count;
    bool weld; /* is to be welded */
} zoo_mesh;

const char *zoo_kind_name(zoo_kind kind);

/* The mesh at frame 0. */
void zoo_mesh_create(zoo_mesh *mesh, zoo_kind kind, uint32_t size, uint64_t seed);
void zoo_mesh_destroy(zoo_mesh *mesh);

/* All of it, as it is now, for a body that is to be made of it. */
willow_mesh_def zoo_mesh_def(const zoo_mesh *mesh);

/* Throws the triangles into random groups, few or many, alone or in runs, and masks these. */
void zoo_mesh_group(zoo_mesh *mesh, uint64_t seed);

/* Gives a mesh with groups a random matrix, with bits of no meaning set too, or by turns none. Does
 * nothing to others. */
void zoo_mesh_mask(zoo_mesh *mesh, uint64_t seed);

/* Whether the matrix lets two triangles be a pair within the body. */
bool zoo_mesh_tests(const zoo_mesh *mesh, uint32_t tri_a, uint32_t tri_b);

/* Puts vertices [first, first + count) where they are in that frame. */
void zoo_mesh_move(zoo_mesh *mesh, uint32_t frame, uint32_t first, uint32_t count);

#endif
