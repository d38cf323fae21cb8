/* page.c - one file: the shell with a clip put in. Way in: clip_page_write, after clip_page_check.
 */
#include "cli/page/page.h"
#include "bench/common/complain.h"
#include "bench/common/json_line.h"
#include "bench/common/new_file.h"
#include "bench/common/page_shell.h"
#include "io/deflate.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What goes into the shell. */
typedef struct page_parts {
    char *head;
    uint8_t *data;
    size_t data_count;
} page_parts;

static void write_head(FILE *file, const void *data)
{
    const page_parts *parts = data;
    page_write_json(file, parts->head, strlen(parts->head));
}

static void write_data(FILE *file, const void *data)
{
    const page_parts *parts = data;
    page_write_base64(file, parts->data, parts->data_count);
}

enum { PART_COUNT = 2 };

static void list_parts(const page_parts *parts, page_part out[PART_COUNT])
{
    out[0] = (page_part){"\"WILLOW CLIP\"", write_head, parts};
    out[1] = (page_part){"\"WILLOW DATA\"", write_data, parts};
}

static char *read_shell(const char *command_name, const page_def *def)
{
    page_part parts[PART_COUNT];
    list_parts(NULL, parts);
    return page_shell_read(command_name, "clip.html", def->shell, parts, PART_COUNT);
}

/* ---- before ---- */

static uint64_t shown_triangles(const page_def *def)
{
    const clip *c = def->target->clip;
    uint64_t count = 0;
    for (uint32_t i = 0; i < c->body_count; i++)
        if (def->roles == NULL || def->roles[i].is_played)
            count += c->bodies[i].mesh.triangle_count;
    return count;
}

int clip_page_check(const char *command_name, const page_def *def)
{
    const uint64_t triangles = shown_triangles(def);
    if (!deflate_is_possible()) {
        return complain(command_name, "this willow was built without zlib, which pages need");
    }
    if (triangles > PAGE_TRIANGLES) {
        return complain(command_name,
                        "a page shows up to %d triangles, and these are %" PRIu64
                        "; --only leaves bodies out",
                        PAGE_TRIANGLES, triangles);
    }
    char *shell = read_shell(command_name, def);
    if (shell == NULL) return EXIT_ERROR;
    free(shell);
    if (!new_file_is_possible(def->out))
        return complain(command_name, "%s: %s", def->out, strerror(errno));
    return EXIT_FINE;
}

/* ---- writing ---- */

/* False when out of memory; free both in any case. */
static bool make_parts(page_parts *parts, page_frames *f)
{
    byte_list bytes = {0};
    json_t *head = NULL;
    if (page_data_fill(&bytes, f)) {
        parts->data = deflate_bytes(bytes.bytes, bytes.count, &parts->data_count);
        head = page_head_create(f, bytes.count);
    }
    if (head != NULL) parts->head = json_text(head, JSON_COMPACT | JSON_REAL_PRECISION(12));
    json_decref(head);
    byte_list_destroy(&bytes);
    return parts->head != NULL && parts->data != NULL;
}

static int write_file(const char *command_name, const page_def *def, const page_parts *parts,
                      const char *shell)
{
    new_file f;
    page_part list[PART_COUNT];
    list_parts(parts, list);
    bool fine = new_file_open(&f, def->out);
    if (fine) {
        page_shell_write(f.file, shell, list, PART_COUNT);
        fine = new_file_keep(&f);
    }
    return fine ? EXIT_FINE : complain(command_name, "%s: %s", def->out, strerror(errno));
}

int clip_page_write(const char *command_name, const page_def *def)
{
    page_frames f;
    page_parts parts = {0};
    int code = EXIT_ERROR;
    char *shell = read_shell(command_name, def);
    if (shell != NULL && page_frames_read(&f, command_name, def)) {
        code = make_parts(&parts, &f) ? write_file(command_name, def, &parts, shell)
                                      : complain(command_name, "out of memory");
    }
    if (shell != NULL) page_frames_destroy(&f);
    free(parts.head);
    free(parts.data);
    free(shell);
    return code;
}
