/* mesh_text.c - lines, words and growing arrays, and the three formats made of them.
 * Way in: mesh_text_read. The text is copied, and every line ends with a zero there, so that no
 * number is read across the end of its line. */
#include "support/mesh_text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include "support/real_data.h"
#include "support/test.h"

typedef struct reader {
    char *text;      /* a copy, from which lines are cut */
    char *next_line; /* NULL behind the last one */
    char *at;        /* the rest of the line */
    unsigned line_number;
    text_mesh mesh;
    uint32_t vertex_capacity, triangle_capacity;
    char *reason;
} reader;

/* Always false, so that it can be returned. */
static bool refuse(reader *r, const char *words)
{
    snprintf(r->reason, MESH_REASON, "line %u: %s", r->line_number, words);
    return false;
}

/* ---- lines and words ---- */

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static void skip_spaces(reader *r)
{
    while (is_space(*r->at)) r->at++;
}

/* So that a line has no spaces at its end, nor what other systems end lines with. */
static void cut_spaces(char *line)
{
    size_t length = strlen(line);
    while (length > 0 && is_space(line[length - 1])) line[--length] = '\0';
}

/* Goes to the next line that has more than spaces and a comment; false if there is none. */
static bool next_line(reader *r)
{
    while (r->next_line != NULL) {
        r->at = r->next_line;
        r->line_number++;
        r->next_line = strchr(r->at, '\n');
        if (r->next_line != NULL) *r->next_line++ = '\0';
        cut_spaces(r->at);
        skip_spaces(r);
        if (*r->at != '\0' && *r->at != '#') return true;
    }
    return false;
}

static bool ends_word(char c) { return c == '\0' || is_space(c); }

/* Goes behind the word if it comes next. */
static bool take_word(reader *r, const char *word)
{
    size_t length = strlen(word);
    skip_spaces(r);
    if (strncmp(r->at, word, length) != 0 || !ends_word(r->at[length])) return false;
    r->at += length;
    return true;
}

static bool take_float(reader *r, float *out)
{
    char *end;
    skip_spaces(r);
    *out = strtof(r->at, &end);
    if (end == r->at || !ends_word(*end) || !isfinite(*out)) return false;
    r->at = end;
    return true;
}

static bool take_integer(reader *r, long long *out)
{
    char *end;
    skip_spaces(r);
    errno = 0;
    *out = strtoll(r->at, &end, 10);
    if (end == r->at || errno != 0) return false;
    r->at = end;
    return true;
}

static bool take_count(reader *r, uint32_t *out)
{
    long long number;
    if (!take_integer(r, &number) || !ends_word(*r->at) || number < 0 || number > UINT32_MAX)
        return false;
    *out = (uint32_t)number;
    return true;
}

/* ---- vertices and triangles ---- */

/* An array with room for one more of the items that it has; NULL, and it stays, if there is none.
 */
static void *grow(void *items, uint32_t count, uint32_t *capacity, size_t item_size)
{
    if (count < *capacity) return items;
    if (*capacity > UINT32_MAX / 4) return NULL;
    uint32_t larger = *capacity == 0 ? 1024 : 2 * *capacity;
    void *grown = realloc(items, larger * item_size);
    if (grown != NULL) *capacity = larger;
    return grown;
}

static bool add_vertex(reader *r, const float at[3])
{
    text_mesh *m = &r->mesh;
    void *grown = grow(m->positions, m->vertex_count, &r->vertex_capacity, sizeof *m->positions);
    if (grown == NULL) return refuse(r, "no memory for so many vertices");
    m->positions = grown;
    memcpy(m->positions[m->vertex_count++], at, sizeof *m->positions);
    return true;
}

static bool add_triangle(reader *r, const uint32_t corners[3])
{
    text_mesh *m = &r->mesh;
    void *grown = grow(m->tris, m->triangle_count, &r->triangle_capacity, sizeof *m->tris);
    if (grown == NULL) return refuse(r, "no memory for so many triangles");
    m->tris = grown;
    memcpy(m->tris[m->triangle_count++], corners, sizeof *m->tris);
    return true;
}

/* The rest of the line is x, y, z and whatever else the file has. */
static bool take_vertex(reader *r)
{
    float at[3];
    for (int axis = 0; axis < 3; axis++)
        if (!take_float(r, &at[axis])) return refuse(r, "a vertex needs three finite numbers");
    return add_vertex(r, at);
}

/* The next corner of a face, as a vertex counted from 0. */
typedef bool take_corner(reader *r, uint32_t *out);

/* A fan around the first corner: of three, one triangle. */
static bool take_face(reader *r, uint32_t corner_count, take_corner *take)
{
    uint32_t fan[3];
    if (corner_count < 3) return refuse(r, "a face needs three corners");
    for (uint32_t i = 0; i < corner_count; i++) {
        if (!take(r, &fan[i < 2 ? i : 2])) return refuse(r, "a corner that is no vertex");
        if (i < 2) continue;
        if (!add_triangle(r, fan)) return false;
        fan[1] = fan[2];
    }
    return true;
}

/* ---- OBJ ---- */

/* Words like 7, 7/3, 7//5 and 7/3/5, counted from 1, or from -1 backwards. */
static bool take_obj_corner(reader *r, uint32_t *out)
{
    long long number;
    const long long count = r->mesh.vertex_count;
    if (!take_integer(r, &number) || (!ends_word(*r->at) && *r->at != '/')) return false;
    while (!ends_word(*r->at)) r->at++;
    if (number < -count || number > count || number == 0) return false;
    *out = (uint32_t)(number < 0 ? count + number : number - 1);
    return true;
}

static uint32_t count_words(const char *at)
{
    uint32_t count = 0;
    for (; *at != '\0'; at++) count += !is_space(*at) && ends_word(at[1]);
    return count;
}

static bool read_obj(reader *r)
{
    while (next_line(r)) {
        bool is_fine = true;
        if (take_word(r, "v"))
            is_fine = take_vertex(r);
        else if (take_word(r, "f"))
            is_fine = take_face(r, count_words(r->at), take_obj_corner);
        if (!is_fine) return false;
    }
    return true;
}

/* ---- OFF and PLY: a head that says how many, a line per vertex, a line per face ---- */

static bool take_plain_corner(reader *r, uint32_t *out)
{
    return take_count(r, out) && *out < r->mesh.vertex_count;
}

static bool read_tables(reader *r, uint32_t vertices, uint32_t faces)
{
    uint32_t corners;
    for (uint32_t i = 0; i < vertices; i++) {
        if (!next_line(r)) return refuse(r, "the text ends before the last vertex");
        if (!take_vertex(r)) return false;
    }
    for (uint32_t i = 0; i < faces; i++) {
        if (!next_line(r)) return refuse(r, "the text ends before the last face");
        if (!take_count(r, &corners)) return refuse(r, "a face begins with its number of corners");
        if (!take_face(r, corners, take_plain_corner)) return false;
    }
    return true;
}

static bool read_off(reader *r)
{
    uint32_t vertices, faces;
    if (!next_line(r) || !take_word(r, "OFF")) return refuse(r, "the first word must be OFF");
    if (!next_line(r) || !take_count(r, &vertices) || !take_count(r, &faces))
        return refuse(r, "two counts must follow: of vertices and of faces");
    return read_tables(r, vertices, faces);
}

/* Vertices come first, and begin with x, y and z; faces are lists. */
typedef struct ply_head {
    uint32_t vertices, faces;
    unsigned elements;   /* 1: vertices were named; 2: faces too */
    unsigned properties; /* of the last of them */
} ply_head;

static bool take_ply_element(reader *r, ply_head *head)
{
    const bool is_first = head->elements == 0;
    if (head->elements == 2 || !take_word(r, is_first ? "vertex" : "face"))
        return refuse(r, "vertices, then faces, and nothing else");
    if (!take_count(r, is_first ? &head->vertices : &head->faces))
        return refuse(r, "how many there are must be said");
    head->elements++;
    head->properties = 0;
    return true;
}

static bool take_ply_property(reader *r, ply_head *head)
{
    static const char *const axes[3] = {" x", " y", " z"};
    const size_t length = strlen(r->at);
    const unsigned number = head->properties++;
    if (head->elements == 1 && number < 3 &&
        (length < 2 || strcmp(r->at + length - 2, axes[number]) != 0))
        return refuse(r, "a vertex must begin with x, y, z");
    if (head->elements == 2 && number == 0 && !take_word(r, "list"))
        return refuse(r, "a face must begin with the list of its corners");
    return true;
}

static bool read_ply_head(reader *r, ply_head *head)
{
    if (!next_line(r) || !take_word(r, "ply")) return refuse(r, "the first word must be ply");
    if (!next_line(r) || !take_word(r, "format") || !take_word(r, "ascii"))
        return refuse(r, "the format must be ascii");
    while (next_line(r)) {
        if (take_word(r, "end_header"))
            return head->elements == 2 || refuse(r, "vertices and faces must be named");
        if (take_word(r, "element") && !take_ply_element(r, head)) return false;
        if (take_word(r, "property") && !take_ply_property(r, head)) return false;
    }
    return refuse(r, "the head does not end");
}

static bool read_ply(reader *r)
{
    ply_head head = {0};
    return read_ply_head(r, &head) && read_tables(r, head.vertices, head.faces);
}

/* ---- texts and files ---- */

bool mesh_text_read(mesh_format format, const char *text, text_mesh *out, char reason[MESH_REASON])
{
    static bool (*const formats[])(reader *) = {
        [MESH_OBJ] = read_obj, [MESH_OFF] = read_off, [MESH_PLY] = read_ply};
    const size_t size = strlen(text) + 1;
    reader r = {.text = malloc(size), .reason = reason};
    assert_non_null(r.text);
    memcpy(r.text, text, size);
    r.next_line = r.text;
    bool is_read = formats[format](&r);
    free(r.text);
    if (!is_read) text_mesh_free(&r.mesh);
    *out = r.mesh;
    return is_read;
}

void text_mesh_free(text_mesh *mesh)
{
    free(mesh->positions);
    free(mesh->tris);
    *mesh = (text_mesh){0};
}

static mesh_format format_of(const char *path)
{
    const char *end = strrchr(path, '.');
    if (end != NULL && strcmp(end, ".obj") == 0) return MESH_OBJ;
    if (end != NULL && strcmp(end, ".off") == 0) return MESH_OFF;
    if (end == NULL || strcmp(end, ".ply") != 0) fail_msg("%s: no format ends like this", path);
    return MESH_PLY;
}

void mesh_file_read(const char *path, text_mesh *out)
{
    char reason[MESH_REASON];
    size_t size;
    char *text = real_data_read(path, &size);
    if (!mesh_text_read(format_of(path), text, out, reason)) fail_msg("%s, %s", path, reason);
    free(text);
}
