/* colours.h - what bodies look like in all that the tool draws and writes. The page of --report has
 * the same (report/src/clip_view.js). */
#ifndef CLI_COLOURS_H
#define CLI_COLOURS_H

#include <stdint.h>

/* As in a web page, so sRGB. None of the bodies' is red: that is for collisions. */
const uint8_t *body_colour(uint32_t body);
const uint8_t *collision_colour(void);

/* The same as light. */
float light_of_byte(uint8_t byte);

#endif
