/* model.h - scenes of the suite `fracture`, with the body of the paper where there is one. */
#ifndef BENCH_FRACTURE_MODEL_H
#define BENCH_FRACTURE_MODEL_H

#include "scenes/scenes.h"

/* As scene_open does it; `body` gets the name of the first body: "triceratops" or "built-in". */
scene *fracture_scene_open(const char *spec, const char **body);

#endif
