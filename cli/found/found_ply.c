/* found_ply.c - PLY with colours: of the worst sample, or of each where the name has a pattern
 * ("found%03d.ply"). Way in: found_write_ply.
 *
 * Faces and vertices both have colours, since some programs read these and some those: red where
 * faces collide, and at their corners. */
#include "bench/common/new_file.h"
#include "cli/colours.h"
#include "cli/found/found.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The lowest byte first, whatever the machine has. */
static void put_u32(FILE *file, uint32_t value)
{
    const uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                              (uint8_t)(value >> 24)};
    fwrite(bytes, 1, sizeof bytes, file);
}

static void put_float(FILE *file, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_u32(file, bits);
}

static void ply_write_head(FILE *file, const found_mesh *m)
{
    static const char colours[] = "property uchar red\nproperty uchar green\nproperty uchar blue\n";
    fprintf(file,
            "ply\nformat binary_little_endian 1.0\ncomment written by willow check\n"
            "element vertex %" PRIu32 "\nproperty float x\nproperty float y\nproperty float z\n%s"
            "element face %" PRIu32
            "\nproperty list uchar int vertex_indices\n%sproperty int body\nproperty int face\n"
            "end_header\n",
            m->vertex_count, colours, m->triangle_count, colours);
}

static const uint8_t *colour_of(const found_mesh *m, uint32_t triangle)
{
    return m->partners[triangle] > 0 ? collision_colour() : body_colour(m->bodies[triangle]);
}

/* The colour of a triangle at each vertex, a red one if there is one. */
static void choose_colours(const found_mesh *m, const uint8_t **colours)
{
    for (uint32_t v = 0; v < m->vertex_count; v++) colours[v] = body_colour(0);
    for (int round = 0; round < 2; round++) {
        for (uint32_t t = 0; t < m->triangle_count; t++) {
            if ((m->partners[t] > 0) != (round == 1)) continue;
            for (size_t k = 0; k < 3; k++) colours[m->corners[3 * (size_t)t + k]] = colour_of(m, t);
        }
    }
}

static bool write_mesh(FILE *file, const found_mesh *m)
{
    const uint8_t **colours = malloc((m->vertex_count + (size_t)1) * sizeof *colours);
    if (colours == NULL) return found_complain("out of memory");
    choose_colours(m, colours);
    ply_write_head(file, m);
    for (size_t v = 0; v < m->vertex_count; v++) {
        for (size_t k = 0; k < 3; k++) put_float(file, m->positions[3 * v + k]);
        fwrite(colours[v], 1, 3, file);
    }
    for (uint32_t t = 0; t < m->triangle_count; t++) {
        fputc(3, file);
        for (size_t k = 0; k < 3; k++) put_u32(file, m->corners[3 * (size_t)t + k]);
        fwrite(colour_of(m, t), 1, 3, file);
        put_u32(file, m->bodies[t]);
        put_u32(file, m->faces[t]);
    }
    free(colours);
    return true;
}

static bool write_one(found_reader *r, const char *path, uint32_t sample)
{
    new_file f;
    if (!found_reader_read(r, sample) || !new_file_open(&f, path)) return false;
    if (write_mesh(f.file, &r->mesh)) return new_file_keep(&f);
    new_file_drop(&f);
    errno = 0;
    return false;
}

/* ---- several ---- */

/* The conversion in a name like "found%03d.ply": where it begins and ends, and how many digits it
 * asks for. NULL if there is none. */
static const char *find_pattern(const char *path, const char **end, int *digits)
{
    const char *sign = strchr(path, '%');
    if (sign == NULL) return NULL;
    char *rest;
    const long width = strtol(sign + 1, &rest, 10);
    if (*rest != 'd' || width < 0 || width > 20) return NULL;
    *end = rest + 1;
    *digits = (int)width;
    return sign;
}

static bool write_each(found_reader *r, const char *path, const char *sign, const char *end,
                       int digits)
{
    const check_report *report = r->def->report;
    const bool has_parts = report->options->samples.substeps > 1;
    const size_t size = strlen(path) + 64;
    char *place = malloc(size);
    bool fine = place != NULL || found_complain("out of memory");
    for (uint32_t i = 0; fine && i < report->frame_count; i++) {
        /* Samples between frames have no whole number: then they are counted. */
        const uint64_t number = has_parts ? i : (uint64_t)report->frames[i].number;
        snprintf(place, size, "%.*s%0*" PRIu64 "%s", (int)(sign - path), path, digits, number, end);
        fine = write_one(r, place, i);
    }
    const int reason = errno;
    free(place);
    errno = reason;
    return fine;
}

bool found_write_ply(const found_def *def, const char *path)
{
    found_reader r;
    const char *end = NULL;
    int digits = 0;
    const char *sign = find_pattern(path, &end, &digits);
    bool fine = found_reader_create(&r, def) || found_complain("out of memory");
    if (fine)
        fine = sign != NULL ? write_each(&r, path, sign, end, digits)
                            : write_one(&r, path, def->report->worst);
    const int reason = errno;
    found_reader_destroy(&r);
    errno = reason;
    return fine;
}
