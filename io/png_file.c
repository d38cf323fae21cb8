/* png_file.c - the simple half of libpng's API, which has no setjmp. */
#include "io/png_file.h"

#include <stdio.h>

#if defined(WILLOW_HAS_PNG)

#    include <png.h>

bool png_file_is_possible(void) { return true; }

static bool png_file_save(png_image *image, const char *path, const void *pixels,
                          const void *colours, char reason[PNG_FILE_REASON])
{
    bool fine = png_image_write_to_file(image, path, 0, pixels, 0, colours) != 0;
    if (!fine) snprintf(reason, PNG_FILE_REASON, "%s", image->message);
    png_image_free(image);
    return fine;
}

bool png_file_write(const char *path, const uint8_t *rgb, uint32_t width, uint32_t height,
                    char reason[PNG_FILE_REASON])
{
    png_image image = {
        .version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_RGB};
    return png_file_save(&image, path, rgb, NULL, reason);
}

bool png_file_write_indexed(const char *path, const uint8_t *numbers, uint32_t width,
                            uint32_t height, const uint8_t (*colours)[3], uint32_t colour_count,
                            char reason[PNG_FILE_REASON])
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = width,
                       .height = height,
                       .format = PNG_FORMAT_RGB_COLORMAP,
                       .colormap_entries = colour_count};
    return png_file_save(&image, path, numbers, colours, reason);
}

#else

bool png_file_is_possible(void) { return false; }

bool png_file_write(const char *path, const uint8_t *rgb, uint32_t width, uint32_t height,
                    char reason[PNG_FILE_REASON])
{
    (void)path, (void)rgb, (void)width, (void)height;
    snprintf(reason, PNG_FILE_REASON, "%s", PNG_FILE_LACKS);
    return false;
}

bool png_file_write_indexed(const char *path, const uint8_t *numbers, uint32_t width,
                            uint32_t height, const uint8_t (*colours)[3], uint32_t colour_count,
                            char reason[PNG_FILE_REASON])
{
    (void)colours, (void)colour_count;
    return png_file_write(path, numbers, width, height, reason);
}

#endif
