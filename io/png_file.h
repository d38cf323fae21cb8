/* png_file.h - pictures to PNG files, through libpng where the tool was built with it. */
#ifndef IO_PNG_FILE_H
#define IO_PNG_FILE_H

#include <stdbool.h>
#include <stdint.h>

enum { PNG_FILE_REASON = 200 };

/* Whether this build can write them, and where not, what it lacks. */
bool png_file_is_possible(void);
#define PNG_FILE_LACKS "it was built without libpng (Debian: libpng-dev)"

/* Writes rows of red, green and blue, a byte each, from the top down. False, and why, if the file
 * could not be written. The same bytes for the same picture. */
bool png_file_write(const char *path, const uint8_t *rgb, uint32_t width, uint32_t height,
                    char reason[PNG_FILE_REASON]);

/* The same with 256 colours or fewer: one number of a colour for each pixel. */
bool png_file_write_indexed(const char *path, const uint8_t *numbers, uint32_t width,
                            uint32_t height, const uint8_t (*colours)[3], uint32_t colour_count,
                            char reason[PNG_FILE_REASON]);

#endif
