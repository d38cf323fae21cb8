/* found.h - what `willow check` found, as files for other programs: --write FILE.
 *
 *   found.c          which file is of which kind; numbered files
 *   found_mesh.c     all bodies of a sample as one mesh, with what is known of each triangle
 *   found_vtk.c      .pvd with a .vtp for each sample, for ParaView
 *   found_ply.c      .ply of one sample or of each, with colours
 *   found_glb.c      .glb: the clip, in which faces that collide have a material of their own
 *   found_blender.c  .py: a script that selects the faces (scripts/select_in_blender.py)
 *
 * Bodies that are not checked are left out of meshes; a GLB has all bodies. */
#ifndef CLI_FOUND_FOUND_H
#define CLI_FOUND_FOUND_H

#include "cli/check.h"
#include "cli/kept.h"

#include <stdio.h>

/* What there is to write. */
typedef struct found_def {
    const check_report *report;
    const clip_role *roles;
} found_def;

/* Whether the name of a file says what it is to be, and it could be written: an exit code. */
int found_check(const char *path);

/* Writes it: an exit code, with what was wrong on standard error. */
int found_write(const found_def *def, const char *path);

/* ---- found_mesh.c ---- */

typedef struct found_mesh {
    uint32_t vertex_count, triangle_count;
    float *positions;
    uint32_t *corners;
    /* By triangle: */
    uint32_t *bodies, *faces; /* numbers in the clip and in the file */
    uint32_t *partners;       /* pairs that it is in */
    float *distances;         /* the least of them; -1 where there is none */
} found_mesh;

/* Reads them one after the other. */
typedef struct found_reader {
    const found_def *def;
    clip_frame *frame;
    uint32_t *first_triangles; /* by body, in the mesh that was read last */
    found_mesh mesh;
} found_reader;

/* False when out of memory; destroy it in any case. */
bool found_reader_create(found_reader *r, const found_def *def);
void found_reader_destroy(found_reader *r);

/* The mesh of that sample, until the next one is read. False with a complaint. */
bool found_reader_read(found_reader *r, uint32_t sample);

/* ---- kinds ---- */

/* All of one file or, for several, of the one that names them. False with errno, or with a
 * complaint and errno 0. */
bool found_write_pvd(const found_def *def, const char *path);
bool found_write_ply(const found_def *def, const char *path);
bool found_write_glb(const found_def *def, const char *path);
bool found_write_blender(const found_def *def, const char *path);

/* ---- found.c ---- */

/* "found.pvd" and 42 become "found/frame0042.vtp": the place of a sample's own file, for the caller
 * to free. `ending` has its dot. NULL when out of memory. */
char *found_numbered(const char *path, double number, const char *ending);

/* Complains of what io says, and is false with errno 0. */
bool found_complain(const char *words);

#endif
