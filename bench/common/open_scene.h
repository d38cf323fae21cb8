/* open_scene.h - scenes by their names: NAME[:key=value,...]. */
#ifndef BENCH_COMMON_OPEN_SCENE_H
#define BENCH_COMMON_OPEN_SCENE_H

#include "scenes/scenes.h"

/* Makes the scene of a text like "bumpy:frames=20". NULL on failure, which has then been said on
 * standard error; the caller destroys it. */
scene *scene_open(const char *command_name, const char *spec);

/* Says on standard error if the scene has another size than its text asks for: it takes the nearest
 * that there is. */
void scene_tell_rounding(const char *command_name, const char *spec, const scene *s);

/* The name of a scene that a mistyped one may have meant, or NULL. */
const char *scene_guess(const char *name);

#endif
