/* obj.c - lines of OBJ files. Way in: obj_read. Made for files of many megabytes: one pass over the
 * bytes, in which each number is read once. obj_divide.c makes bodies of what is read here. */
#include "io/obj.h"

#include "io/text.h"

typedef struct obj_reader {
    const mesh_input *input;
    text t;
    obj_lists lists;
    uint32_t vertex_capacity, run_capacity;
    obj_run now; /* what the next face belongs to */
    mesh_file *out;
    int64_t highest;        /* the highest corner, counted from 1 ... */
    const char *highest_at; /* ... and where it is: there may be no such vertex yet */
    const char *unknown_at; /* the first line that OBJ does not have */
    uint32_t unknown_count;
} obj_reader;

static bool out_of_memory(const obj_reader *r)
{
    return io_memory_fail(r->input->memory, r->t.error, r->input->path);
}

/* ---- lines ---- */

/* The end of a line behind a backslash, which is none; NULL if that is not what is here. */
static const char *behind_continuation(const text *t, const char *at)
{
    if (at == t->end || *at != '\\') return NULL;
    at++;
    if (at < t->end && *at == '\r') at++;
    return at < t->end && *at == '\n' ? at + 1 : NULL;
}

/* To the next word of the statement, or the end of its last line. */
static inline void skip_to_word(text *t)
{
    text_skip_blanks(t);
    while (t->at < t->end && *t->at == '\\') {
        const char *behind = behind_continuation(t, t->at);
        if (behind == NULL) return;
        t->at = behind;
        text_skip_blanks(t);
    }
}

static bool is_continued(const text *t, const char *line_end)
{
    if (line_end > t->start && line_end[-1] == '\r') line_end--;
    return line_end > t->start && line_end[-1] == '\\';
}

static void skip_statement(text *t)
{
    do text_skip_line(t);
    while (t->at < t->end && is_continued(t, t->at - 1));
}

/* ---- vertices ---- */

static bool take_vertex(obj_reader *r)
{
    if (r->lists.vertex_count == UINT32_MAX - 1)
        return text_fail(&r->t, r->t.at, "has more vertices than 32 bits can count");
    if (!IO_RESERVE_ONE(r->input->memory, r->lists.positions,
                        3 * (uint64_t)r->lists.vertex_count + 2, r->vertex_capacity))
        return out_of_memory(r);
    float *out = r->lists.positions + 3 * (size_t)r->lists.vertex_count;
    for (int axis = 0; axis < 3; axis++) {
        skip_to_word(&r->t);
        if (!text_take_float(&r->t, &out[axis]))
            return text_fail(&r->t, r->t.at, "a vertex needs three finite numbers, not '%s'",
                             text_word_at(&r->t, r->t.at).text);
    }
    r->lists.vertex_count++;
    skip_statement(&r->t); /* weights and colours may follow */
    return true;
}

/* ---- faces ---- */

/* Words like 7, 7/3, 7//5 and 7/3/5: counted from 1, or from -1 backwards. */
static inline bool take_corner(obj_reader *r, uint32_t *out)
{
    text *t = &r->t;
    int64_t number;
    const char *word = t->at, *behind = number_read_integer(word, t->end, &number);
    if (behind == NULL || (!text_ends_word(t, behind) && *behind != '/' && *behind != '\\'))
        return text_fail(t, word, "a corner needs the number of a vertex, not '%s'",
                         text_word_at(t, word).text);
    while (!text_ends_word(t, behind) && *behind != '\\') behind++;
    if (number < 0) number += (int64_t)r->lists.vertex_count + 1;
    if (number <= 0 || number >= UINT32_MAX)
        return text_fail(t, word,
                         "a corner names vertex %s, which does not exist: %u come before it",
                         text_word_at(t, word).text, r->lists.vertex_count);
    if (number > r->highest) {
        r->highest = number;
        r->highest_at = word;
    }
    t->at = behind;
    *out = (uint32_t)(number - 1);
    return true;
}

static bool begin_run(obj_reader *r)
{
    obj_lists *l = &r->lists;
    const obj_run *last = l->run_count > 0 ? &l->runs[l->run_count - 1] : NULL;
    if (last != NULL && last->object == r->now.object && last->group == r->now.group &&
        last->material == r->now.material)
        return true;
    if (!IO_RESERVE_ONE(r->input->memory, l->runs, l->run_count, r->run_capacity)) return false;
    r->now.first_face = l->faces.face_count;
    l->runs[l->run_count++] = r->now;
    return true;
}

static bool take_face(obj_reader *r)
{
    face_list *faces = &r->lists.faces;
    const char *line = r->t.at;
    uint32_t count = 0;
    for (;; count++) {
        skip_to_word(&r->t);
        if (text_is_at_line_end(&r->t) || *r->t.at == '#') break;
        if (faces->corner_capacity - faces->corner_count <= count &&
            !face_list_reserve(r->input->memory, faces, count + 1))
            return out_of_memory(r);
        if (!take_corner(r, &faces->corners[faces->corner_count + count])) return false;
    }
    if (count < 3) return text_fail(&r->t, line, "a face needs three corners, and has %u", count);
    if (!begin_run(r) || !face_list_end_face(r->input->memory, faces, count))
        return out_of_memory(r);
    text_skip_line(&r->t);
    return true;
}

/* ---- names ---- */

/* The rest of the line, without blanks around it. */
static bool take_name(obj_reader *r, name_list *names, const char *if_empty, uint32_t *number)
{
    text_skip_blanks(&r->t);
    const char *first = r->t.at;
    text_skip_line(&r->t);
    const char *last = r->t.at;
    while (last > first && text_is_space(last[-1])) last--;
    const bool is_empty = last == first;
    const size_t length = is_empty ? strlen(if_empty) : (size_t)(last - first);
    return names_add(r->input->memory, names, is_empty ? if_empty : first, length, number) ||
           out_of_memory(r);
}

static bool take_material(obj_reader *r)
{
    const char *line = r->t.at;
    if (!take_name(r, &r->out->materials, "default", &r->now.material)) return false;
    if (r->now.material < UINT16_MAX - 1) return true;
    return text_fail(&r->t, line, "has more than 65,534 materials");
}

/* ---- statements ---- */

/* What says nothing about triangles, sorted by nothing: few lines come here. */
static bool is_left_out(text *t)
{
    static const char *const words[] = {
        "vp",        "mtllib", "l",     "p",      "deg",      "bmat",     "step", "cstype",
        "curv",      "curv2",  "surf",  "parm",   "trim",     "hole",     "scrv", "sp",
        "end",       "con",    "mg",    "bevel",  "c_interp", "d_interp", "lod",  "shadow_obj",
        "trace_obj", "ctech",  "stech", "usemap", "maplib",   "call",     "csh",  "cdc",
        "cdp",       "bzp",    "bsp",   "res"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (text_take_word(t, words[i])) return true;
    return false;
}

static bool take_other(obj_reader *r)
{
    if (text_take_word(&r->t, "o"))
        return take_name(r, &r->lists.objects, "object", &r->now.object);
    if (text_take_word(&r->t, "g")) return take_name(r, &r->lists.groups, "default", &r->now.group);
    if (text_take_word(&r->t, "usemtl")) return take_material(r);
    if (*r->t.at == '#') {
        text_skip_line(&r->t);
        return true;
    }
    if (!is_left_out(&r->t) && r->unknown_count++ == 0) r->unknown_at = r->t.at;
    skip_statement(&r->t);
    return true;
}

static bool take_statement(obj_reader *r)
{
    text *t = &r->t;
    text_skip_blanks(t);
    if (text_is_at_line_end(t)) {
        text_skip_line(t);
        return true;
    }
    const char second = t->at + 1 < t->end ? t->at[1] : '\n';
    if (text_is_blank(second) && (*t->at == 'v' || *t->at == 'f')) {
        t->at++;
        return t->at[-1] == 'v' ? take_vertex(r) : take_face(r);
    }
    if ((*t->at == 'v' && (second == 'n' || second == 't')) ||
        (*t->at == 's' && text_is_blank(second))) {
        skip_statement(t);
        return true;
    }
    return take_other(r);
}

/* ---- all of it ---- */

static bool check_corners(const obj_reader *r)
{
    if (r->highest <= (int64_t)r->lists.vertex_count) return true;
    return text_fail(&r->t, r->highest_at, "a corner names vertex %s of %u",
                     text_word_at(&r->t, r->highest_at).text, r->lists.vertex_count);
}

/* A file of another kind has no faces, either; then the line is the better reason. */
static bool check_kind(const obj_reader *r)
{
    if (r->unknown_count == 0) return true;
    const text_word word = text_word_at(&r->t, r->unknown_at);
    if (r->lists.faces.face_count == 0)
        return text_fail(&r->t, r->unknown_at, "'%s' is not a statement of OBJ", word.text);
    return mesh_file_note(r->input, r->out, r->t.error,
                          "%u line%s left out as unknown to OBJ, the first with '%s'",
                          r->unknown_count, r->unknown_count == 1 ? " was" : "s were", word.text);
}

/* Materials of runs become those of faces. Faces before the first material have one of their own.
 */
static bool fill_materials(obj_reader *r)
{
    obj_lists *l = &r->lists;
    uint32_t none = 0;
    if (r->out->materials.count == 0) return true;
    if (!names_add(r->input->memory, &r->out->materials, "none", 4, &none)) return out_of_memory(r);
    l->faces.materials =
        io_alloc(r->input->memory, l->faces.face_count, sizeof *l->faces.materials);
    if (l->faces.materials == NULL) return out_of_memory(r);
    for (uint32_t i = 0; i < l->run_count; i++) {
        const uint32_t end = i + 1 < l->run_count ? l->runs[i + 1].first_face : l->faces.face_count;
        const uint32_t material = l->runs[i].material == OBJ_NONE ? none : l->runs[i].material;
        for (uint32_t face = l->runs[i].first_face; face < end; face++)
            l->faces.materials[face] = (uint16_t)material;
    }
    return true;
}

static bool read_lines(obj_reader *r)
{
    while (r->t.at < r->t.end)
        if (!take_statement(r)) return false;
    return check_corners(r) && check_kind(r) && fill_materials(r);
}

static void free_lists(io_memory *m, obj_lists *l)
{
    io_free(m, l->positions);
    face_list_free(m, &l->faces);
    io_free(m, l->runs);
    names_free(m, &l->objects);
    names_free(m, &l->groups);
}

bool obj_read(const mesh_input *input, mesh_file *out, io_error *error)
{
    obj_reader r = {.input = input,
                    .t = text_begin(input, error),
                    .now = {.object = OBJ_NONE, .group = OBJ_NONE, .material = OBJ_NONE},
                    .out = out};
    *out = (mesh_file){0};
    const bool is_read = read_lines(&r) && obj_divide(input, &r.lists, out, error);
    free_lists(input->memory, &r.lists);
    if (!is_read) mesh_file_free(input->memory, out);
    return is_read;
}
