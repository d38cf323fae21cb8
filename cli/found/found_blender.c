/* found_blender.c - a script for Blender that selects the faces which collide. Way in:
 * found_write_blender.
 *
 * The script is scripts/select_in_blender.py, compiled in; here its table is filled in. A table in
 * JSON is one in Python, too, since it has only words, numbers and lists. */
#include "bench/common/json_line.h"
#include "bench/common/new_file.h"
#include "cli/found/found.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

extern const char select_in_blender_py[];

static const char table_begin[] = "FOUND = ";

/* ---- faces ---- */

static int compare_faces(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Faces of a body in a sample, each once, in a list that the caller owns; NULL when out of memory.
 */
static json_t *list_faces(const uint32_t *faces, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; list != NULL && i < count; i++) {
        if (i > 0 && faces[i] == faces[i - 1]) continue;
        if (json_array_append_new(list, json_integer((json_int_t)faces[i])) != 0) {
            json_decref(list);
            list = NULL;
        }
    }
    return list;
}

/* Those of all pairs of the sample; `faces` has room for two of each. */
static size_t collect_faces(const check_kept *kept, uint32_t sample, uint32_t body, uint32_t *faces)
{
    size_t count = 0;
    const kept_frame *frame = &kept->frames[sample];
    for (uint32_t r = 0; r < frame->run_count; r++) {
        const kept_run *run = &kept->runs[frame->first_run + r];
        for (size_t i = run->first; i < run->first + run->count; i++) {
            if (run->body_a == body) faces[count++] = kept->pairs[i].face_a;
            if (run->body_b == body) faces[count++] = kept->pairs[i].face_b;
        }
    }
    if (count > 1) qsort(faces, count, sizeof *faces, compare_faces);
    return count;
}

/* ---- the table ---- */

static bool add_sample(json_t *frames, const found_def *def, uint32_t sample, uint32_t body,
                       uint32_t *faces)
{
    char number[32];
    const size_t count = collect_faces(def->report->kept, sample, body, faces);
    if (count == 0) return true;
    snprintf(number, sizeof number, "%.10g", def->report->frames[sample].number);
    return json_object_set_new(frames, number, list_faces(faces, count)) == 0;
}

static bool add_body(json_t *table, const found_def *def, uint32_t body, uint32_t *faces)
{
    json_t *frames = json_object();
    bool fine = frames != NULL;
    for (uint32_t i = 0; fine && i < def->report->frame_count; i++)
        fine = add_sample(frames, def, i, body, faces);
    if (fine && json_object_size(frames) > 0)
        fine = json_object_set(table, def->report->clip->bodies[body].name, frames) == 0;
    json_decref(frames);
    return fine;
}

/* The caller frees it; NULL when out of memory. */
static char *table_text(const found_def *def)
{
    const check_kept *kept = def->report->kept;
    json_t *table = json_object();
    uint32_t *faces = malloc(2 * ((size_t)kept->share + 1) * sizeof *faces);
    bool fine = table != NULL && faces != NULL;
    for (uint32_t i = 0; fine && i < def->report->clip->body_count; i++)
        fine = add_body(table, def, i, faces);
    char *text = fine ? json_text(table, JSON_COMPACT) : NULL;
    free(faces);
    json_decref(table);
    return text;
}

bool found_write_blender(const found_def *def, const char *path)
{
    new_file f;
    const char *place = strstr(select_in_blender_py, table_begin) + sizeof table_begin - 1;
    char *text = table_text(def);
    if (text == NULL) return found_complain("out of memory");
    bool fine = new_file_open(&f, path);
    if (fine) {
        fwrite(select_in_blender_py, 1, (size_t)(place - select_in_blender_py), f.file);
        fputs(text, f.file);
        fputs(place + strlen("{}"), f.file); /* where the table is empty */
        fine = new_file_keep(&f);
    }
    const int reason = errno;
    free(text);
    errno = reason;
    return fine;
}
