/* found_vtk.c - VTK's XML files: a .vtp (polygons) for each sample, and a .pvd that names them with
 * their times. Way in: found_write_pvd.
 *
 * Arrays stand behind the XML as they are in memory (appended, raw), each behind its length. Of
 * each triangle there are body, face, colliding (0 or 1), partners (pairs that it is in) and, with
 * --distance, the least distance; names of bodies are field data. */
#include "bench/common/new_file.h"
#include "cli/found/found.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#    define VTK_ORDER "BigEndian"
#else
#    define VTK_ORDER "LittleEndian"
#endif

/* ---- one sample ---- */

typedef struct vtk_array {
    const char *name, *type;
    uint32_t width; /* components */
    const void *data;
    uint64_t size; /* bytes */
} vtk_array;

enum { VTK_CELLS = 5, VTK_ARRAYS = VTK_CELLS + 3 };

/* What XML wants written otherwise. */
static void write_xml(FILE *file, const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '<': fputs("&lt;", file); break;
        case '>': fputs("&gt;", file); break;
        case '&': fputs("&amp;", file); break;
        case '"': fputs("&quot;", file); break;
        default: fputc(*text, file); break;
        }
    }
}

/* Names as numbers of their bytes, each ended by 0, which is how VTK writes strings in text. */
static void write_names(FILE *file, const clip *c)
{
    fprintf(file,
            "<FieldData><Array type=\"String\" Name=\"body names\" NumberOfTuples=\"%" PRIu32
            "\" format=\"ascii\">\n",
            c->body_count);
    for (uint32_t i = 0; i < c->body_count; i++) {
        for (const char *at = c->bodies[i].name; *at != '\0'; at++)
            fprintf(file, "%u ", (unsigned)(unsigned char)*at);
        fputs("0\n", file);
    }
    fputs("</Array></FieldData>\n", file);
}

static uint64_t write_head(FILE *file, const vtk_array *array, uint64_t offset)
{
    fprintf(file,
            "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%" PRIu32
            "\" format=\"appended\" offset=\"%" PRIu64 "\"/>\n",
            array->type, array->name, array->width, offset);
    return offset + sizeof array->size + array->size;
}

static void vtk_write_arrays(FILE *file, const clip *c, const found_mesh *m,
                             const vtk_array arrays[VTK_ARRAYS])
{
    uint64_t offset = 0;
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" "
          "byte_order=\"" VTK_ORDER "\" header_type=\"UInt64\">\n<PolyData>\n",
          file);
    write_names(file, c);
    fprintf(file,
            "<Piece NumberOfPoints=\"%" PRIu32 "\" NumberOfPolys=\"%" PRIu32
            "\">\n<CellData Scalars=\"colliding\">\n",
            m->vertex_count, m->triangle_count);
    for (int i = 0; i < VTK_CELLS; i++) offset = write_head(file, &arrays[i], offset);
    fputs("</CellData>\n<Points>\n", file);
    offset = write_head(file, &arrays[VTK_CELLS], offset);
    fputs("</Points>\n<Polys>\n", file);
    offset = write_head(file, &arrays[VTK_CELLS + 1], offset);
    write_head(file, &arrays[VTK_CELLS + 2], offset);
    fputs("</Polys>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_", file);
    for (int i = 0; i < VTK_ARRAYS; i++) {
        fwrite(&arrays[i].size, sizeof arrays[i].size, 1, file);
        if (arrays[i].size > 0) fwrite(arrays[i].data, 1, (size_t)arrays[i].size, file);
    }
    fputs("\n</AppendedData>\n</VTKFile>\n", file);
}

static bool write_vtp(FILE *file, const clip *c, const found_mesh *m)
{
    const uint64_t n = m->triangle_count;
    uint8_t *colliding = malloc(n + 1);
    uint32_t *ends = malloc((n + 1) * sizeof *ends);
    const bool fine = colliding != NULL && ends != NULL;
    for (uint32_t i = 0; fine && i < n; i++) {
        colliding[i] = m->partners[i] > 0;
        ends[i] = 3 * (i + 1);
    }
    const vtk_array arrays[VTK_ARRAYS] = {
        {"colliding", "UInt8", 1, colliding, n},
        {"body", "UInt32", 1, m->bodies, 4 * n},
        {"face", "UInt32", 1, m->faces, 4 * n},
        {"partners", "UInt32", 1, m->partners, 4 * n},
        {"distance", "Float32", 1, m->distances, 4 * n},
        {"points", "Float32", 3, m->positions, 12 * (uint64_t)m->vertex_count},
        {"connectivity", "UInt32", 1, m->corners, 12 * n},
        {"offsets", "UInt32", 1, ends, 4 * n},
    };
    if (fine) vtk_write_arrays(file, c, m, arrays);
    free(colliding);
    free(ends);
    return fine || found_complain("out of memory");
}

static bool write_sample(found_reader *r, const char *path, uint32_t sample)
{
    new_file f;
    if (!found_reader_read(r, sample)) return false;
    if (!new_file_open(&f, path)) return false;
    if (write_vtp(f.file, r->def->report->clip, &r->mesh)) return new_file_keep(&f);
    new_file_drop(&f);
    errno = 0;
    return false;
}

static bool write_samples(const found_def *def, const char *path)
{
    found_reader r;
    bool fine = found_reader_create(&r, def) || found_complain("out of memory");
    for (uint32_t i = 0; fine && i < def->report->frame_count; i++) {
        char *place = found_numbered(path, def->report->frames[i].number, ".vtp");
        fine = place != NULL ? write_sample(&r, place, i) : found_complain("out of memory");
        free(place);
    }
    const int reason = errno;
    found_reader_destroy(&r);
    errno = reason;
    return fine;
}

/* ---- the list of them ---- */

/* Files are named from the folder of the list. */
static bool write_list(FILE *file, const found_def *def, const char *path)
{
    const check_report *report = def->report;
    const char *slash = strrchr(path, '/');
    const size_t folder = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
          "byte_order=\"" VTK_ORDER "\">\n<Collection>\n",
          file);
    for (uint32_t i = 0; i < report->frame_count; i++) {
        const check_frame *frame = &report->frames[i];
        char *place = found_numbered(path, frame->number, ".vtp");
        if (place == NULL) return found_complain("out of memory");
        fprintf(file, "<DataSet timestep=\"%.10g\" part=\"0\" file=\"",
                check_has_times(report) ? frame->time : frame->number);
        write_xml(file, place + folder);
        fputs("\"/>\n", file);
        free(place);
    }
    fputs("</Collection>\n</VTKFile>\n", file);
    return true;
}

bool found_write_pvd(const found_def *def, const char *path)
{
    new_file f;
    if (!write_samples(def, path) || !new_file_open(&f, path)) return false;
    if (write_list(f.file, def, path)) return new_file_keep(&f);
    new_file_drop(&f);
    errno = 0;
    return false;
}
