/* colours.c - the palette of bodies. */
#include "cli/colours.h"

#include <math.h>

static const uint8_t body_colours[][3] = {
    {86, 142, 194},  {224, 182, 104}, {112, 172, 122}, {156, 130, 192}, {92, 176, 172},
    {206, 160, 128}, {142, 162, 182}, {186, 196, 112}, {120, 132, 200}, {202, 190, 168},
};

const uint8_t *body_colour(uint32_t body)
{
    return body_colours[body % (sizeof body_colours / sizeof *body_colours)];
}

const uint8_t *collision_colour(void)
{
    static const uint8_t red[3] = {226, 34, 24};
    return red;
}

float light_of_byte(uint8_t byte)
{
    const float value = (float)byte / 255;
    return value <= 0.04045F ? value / 12.92F : powf((value + 0.055F) / 1.055F, 2.4F);
}
