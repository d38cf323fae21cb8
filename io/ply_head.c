/* ply_head.c - reads headers of PLY files. Way in: ply_head_read. */
#include "io/ply_head.h"

#include "io/text.h"

typedef struct head_reader {
    const mesh_input *input;
    text t;        /* what follows the line */
    text line;     /* the line */
    char line_end; /* '\n', or '\r' where that alone ends lines */
    ply_head *head;
} head_reader;

uint32_t ply_type_size(ply_type type)
{
    static const uint32_t sizes[] = {
        [PLY_INT8] = 1,  [PLY_UINT8] = 1,  [PLY_INT16] = 2,   [PLY_UINT16] = 2,
        [PLY_INT32] = 4, [PLY_UINT32] = 4, [PLY_FLOAT32] = 4, [PLY_FLOAT64] = 8};
    return sizes[type];
}

static bool out_of_memory(const head_reader *r)
{
    return io_memory_fail(r->input->memory, r->t.error, r->input->path);
}

/* Goes to the next line; false if there is none that ends. */
static bool next_line(head_reader *r)
{
    const size_t left = (size_t)(r->t.end - r->t.at);
    const char *stop = left > 0 ? memchr(r->t.at, r->line_end, left) : NULL;
    r->line = r->t;
    if (stop == NULL) return text_fail(&r->t, r->t.at, "the header ends without end_header");
    r->line.end = stop;
    r->t.at = stop + 1;
    return true;
}

/* The next word of the line. */
static bool take_word(head_reader *r, const char *word)
{
    text_skip_blanks(&r->line);
    return text_take_word(&r->line, word);
}

static bool fail_word(head_reader *r, const char *words)
{
    text_skip_blanks(&r->line);
    return text_fail(&r->line, r->line.at, "%s, not '%s'", words,
                     text_word_at(&r->line, r->line.at).text);
}

/* ---- lines ---- */

static bool take_type(head_reader *r, ply_type *out)
{
    static const struct {
        const char *word;
        ply_type type;
    } types[] = {{"float", PLY_FLOAT32},   {"float32", PLY_FLOAT32}, {"double", PLY_FLOAT64},
                 {"float64", PLY_FLOAT64}, {"uchar", PLY_UINT8},     {"uint8", PLY_UINT8},
                 {"int", PLY_INT32},       {"int32", PLY_INT32},     {"uint", PLY_UINT32},
                 {"uint32", PLY_UINT32},   {"char", PLY_INT8},       {"int8", PLY_INT8},
                 {"short", PLY_INT16},     {"int16", PLY_INT16},     {"ushort", PLY_UINT16},
                 {"uint16", PLY_UINT16}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        *out = types[i].type;
        if (take_word(r, types[i].word)) return true;
    }
    return fail_word(r, "the type of a property is int, uint, short, ushort, char, uchar, float or "
                        "double");
}

static bool take_format(head_reader *r)
{
    if (take_word(r, "ascii"))
        r->head->format = PLY_ASCII;
    else if (take_word(r, "binary_little_endian"))
        r->head->format = PLY_LITTLE;
    else if (take_word(r, "binary_big_endian"))
        r->head->format = PLY_BIG;
    else
        return fail_word(r, "the format is ascii, binary_little_endian or binary_big_endian");
    return true;
}

static bool take_element(head_reader *r)
{
    ply_head *h = r->head;
    ply_element element = {.kind = PLY_OTHER, .first_property = h->property_count};
    int64_t count;
    if (take_word(r, "vertex"))
        element.kind = PLY_VERTICES;
    else if (take_word(r, "face"))
        element.kind = PLY_FACES;
    else if (take_word(r, "tristrips"))
        element.kind = PLY_STRIPS;
    else
        r->line.at = text_word_end(&r->line);
    text_skip_blanks(&r->line);
    if (!text_take_integer(&r->line, &count) || count < 0 || count >= UINT32_MAX)
        return fail_word(r, "an element has a name and a count below 2^32");
    element.count = (uint32_t)count;
    for (uint32_t i = 0; i < h->element_count; i++)
        if (element.kind == PLY_VERTICES && h->elements[i].kind == PLY_VERTICES)
            return text_fail(&r->line, r->line.at, "vertices are declared twice");
    if (!IO_RESERVE_ONE(r->input->memory, h->elements, h->element_count, h->element_capacity))
        return out_of_memory(r);
    h->elements[h->element_count++] = element;
    return true;
}

static bool is_at_seams(head_reader *r)
{
    static const char *const names[] = {"nx", "s", "u", "texture_u", "s0", "u0"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (take_word(r, names[i])) return true;
    return false;
}

static ply_use use_of(head_reader *r, ply_kind kind, bool is_list)
{
    if (kind == PLY_VERTICES && !is_list) {
        if (take_word(r, "x")) return PLY_X;
        if (take_word(r, "y")) return PLY_Y;
        if (take_word(r, "z")) return PLY_Z;
        r->head->is_split |= is_at_seams(r);
    }
    if ((kind == PLY_FACES || kind == PLY_STRIPS) && is_list &&
        (take_word(r, "vertex_indices") || take_word(r, "vertex_index")))
        return PLY_CORNERS;
    return PLY_UNUSED;
}

static bool is_integer(ply_type type) { return type != PLY_FLOAT32 && type != PLY_FLOAT64; }

static bool take_property(head_reader *r)
{
    ply_head *h = r->head;
    ply_property property = {.is_list = take_word(r, "list")};
    if (h->element_count == 0)
        return text_fail(&r->line, r->line.at, "a property comes before the first element");
    ply_element *element = &h->elements[h->element_count - 1];
    if (property.is_list && !take_type(r, &property.count_type)) return false;
    if (!take_type(r, &property.type)) return false;
    property.use = use_of(r, element->kind, property.is_list);
    if ((property.is_list && !is_integer(property.count_type)) ||
        (property.use == PLY_CORNERS && !is_integer(property.type)))
        return text_fail(&r->line, r->line.at, "counts and corners are integers");
    if (!IO_RESERVE_ONE(r->input->memory, h->properties, h->property_count, h->property_capacity))
        return out_of_memory(r);
    if (element->property_count == UINT16_MAX)
        return text_fail(&r->line, r->line.at, "an element has too many properties");
    element->least_bytes += ply_type_size(property.is_list ? property.count_type : property.type);
    element->has_lists |= property.is_list;
    element->property_count++;
    h->properties[h->property_count++] = property;
    return true;
}

/* ---- all of it ---- */

static uint32_t count_uses(const ply_head *h, const ply_element *element, ply_use use)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < element->property_count; i++)
        count += h->properties[element->first_property + i].use == use;
    return count;
}

static bool check_uses(const head_reader *r)
{
    const ply_head *h = r->head;
    bool has_vertices = false;
    for (uint32_t i = 0; i < h->element_count; i++) {
        const ply_element *element = &h->elements[i];
        const bool has_corners = element->kind == PLY_FACES || element->kind == PLY_STRIPS;
        for (ply_use use = PLY_X; use <= PLY_Z && element->kind == PLY_VERTICES; use++)
            if (count_uses(h, element, use) != 1)
                return text_fail(&r->line, r->line.at, "vertices need x, y and z, each once");
        if (has_corners && count_uses(h, element, PLY_CORNERS) != 1)
            return text_fail(&r->line, r->line.at, "faces need one list vertex_indices");
        has_vertices |= element->kind == PLY_VERTICES;
    }
    return has_vertices || text_fail(&r->line, r->line.at, "the header names no vertices");
}

static bool take_line(head_reader *r, bool *is_end)
{
    *is_end = take_word(r, "end_header");
    if (*is_end) return check_uses(r);
    if (take_word(r, "comment") || take_word(r, "obj_info")) return true;
    if (take_word(r, "element")) return take_element(r);
    if (take_word(r, "property")) return take_property(r);
    text_skip_blanks(&r->line);
    if (text_is_at_line_end(&r->line)) return true;
    return fail_word(r, "a line of the header begins with element, property or comment");
}

/* The first line says how lines end. */
static bool take_first_lines(head_reader *r)
{
    const size_t left = (size_t)(r->t.end - r->t.at);
    r->line_end = left > 4 && r->t.at[3] == '\r' && r->t.at[4] != '\n' ? '\r' : '\n';
    if (left < 4 || memcmp(r->t.at, "ply", 3) != 0 || !text_is_space(r->t.at[3]))
        return text_fail(&r->t, r->t.at, "the first line must be ply");
    if (!next_line(r)) return false;
    do {
        if (!next_line(r)) return false;
    } while (take_word(r, "comment") || take_word(r, "obj_info"));
    if (!take_word(r, "format")) return fail_word(r, "the second line must be the format");
    return take_format(r);
}

static bool read_head(head_reader *r)
{
    bool is_end = false;
    if (!take_first_lines(r)) return false;
    while (!is_end)
        if (!next_line(r) || !take_line(r, &is_end)) return false;
    return true;
}

bool ply_head_read(const mesh_input *input, ply_head *out, io_error *error)
{
    const char *start = (const char *)input->data;
    head_reader r = {.input = input,
                     .t = {.at = start,
                           .end = start + input->size,
                           .start = start,
                           .path = input->path,
                           .error = error},
                     .head = out};
    *out = (ply_head){0};
    const bool is_read = read_head(&r);
    out->body_begin = (uint32_t)(r.t.at - start);
    if (is_read && r.t.at - start > INT32_MAX)
        return text_fail(&r.t, start, "the header is too long");
    if (!is_read) ply_head_free(input->memory, out);
    return is_read;
}

void ply_head_free(io_memory *m, ply_head *head)
{
    io_free(m, head->elements);
    io_free(m, head->properties);
    *head = (ply_head){0};
}
