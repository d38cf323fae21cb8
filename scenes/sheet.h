/* sheet.h - the mesh of cloths and ribbons: squares in rows, cut into two triangles each. */
#ifndef SCENES_SHEET_H
#define SCENES_SHEET_H

#include "scenes.h"

/* Gives the body `across` squares in each of `along` rows; the vertices are in rows too. False for
 * want of memory. */
bool sheet_fill_body(scene_body *body, uint32_t across, uint32_t along);

#endif
