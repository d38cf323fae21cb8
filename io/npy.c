/* npy.c - arrays that NumPy saved: positions[sample][vertex][3], or of one sample [vertex][3].
 * Way in: npy_begin.
 *
 * "\x93NUMPY", two bytes of version, the length of the header, then the header: a Python dictionary
 * {'descr': '<f4', 'fortran_order': False, 'shape': (120, 5000, 3), } in one line. */
#include "io/bytes.h"
#include "io/cache.h"
#include "io/number.h"

typedef struct npy_head {
    const char *at, *end;
    const char *start; /* of the file */
    const char *path;
    io_error *error;
} npy_head;

static bool fail_here(const npy_head *h, const char *words)
{
    return io_fail(h->error, "%s: byte %llu: %s", io_tail(h->path),
                   (unsigned long long)(h->at - h->start), words);
}

static void skip_blanks(npy_head *h)
{
    while (h->at < h->end && (*h->at == ' ' || *h->at == '\n')) h->at++;
}

static bool take(npy_head *h, const char *letters)
{
    const size_t length = strlen(letters);
    skip_blanks(h);
    if ((size_t)(h->end - h->at) < length || memcmp(h->at, letters, length) != 0) return false;
    h->at += length;
    return true;
}

/* '<f4', '>f8' and the like. */
static bool take_type(npy_head *h, point_cache *out)
{
    static const struct {
        const char *letters;
        uint32_t size;
        bool is_big;
    } types[] = {{"'<f4'", 4, false}, {"'<f8'", 8, false}, {"'>f4'", 4, true}, {"'>f8'", 8, true}};
    for (int i = 0; i < 4; i++)
        if (take(h, types[i].letters)) {
            out->number_size = types[i].size;
            out->is_big = types[i].is_big;
            return true;
        }
    return fail_here(h, "positions must be float32 or float64 ('<f4', '<f8', '>f4' or '>f8')");
}

/* (120, 5000, 3) */
static bool take_shape(npy_head *h, point_cache *out)
{
    int64_t sizes[3] = {0};
    int count = 0;
    if (!take(h, "(")) return fail_here(h, "the shape must be a tuple");
    while (!take(h, ")")) {
        skip_blanks(h);
        const char *behind = count < 3 ? number_read_integer(h->at, h->end, &sizes[count]) : NULL;
        if (behind == NULL || sizes[count] < 0 || sizes[count] > UINT32_MAX)
            return fail_here(h, "the shape must be (samples, vertices, 3) or (vertices, 3)");
        h->at = behind;
        count++;
        if (!take(h, ",") && (h->at == h->end || *h->at != ')'))
            return fail_here(h, "the shape must be a tuple");
    }
    if (count < 2 || sizes[count - 1] != 3)
        return fail_here(h, "the shape must be (samples, vertices, 3) or (vertices, 3)");
    out->sample_count = count == 3 ? (uint32_t)sizes[0] : 1;
    out->point_count = (uint32_t)sizes[count - 2];
    return true;
}

static bool take_order(npy_head *h, point_cache *out)
{
    out->is_fortran = take(h, "True");
    return out->is_fortran || take(h, "False") || fail_here(h, "fortran_order is True or False");
}

static bool take_entries(npy_head *h, point_cache *out)
{
    bool has_type = false, has_order = false, has_shape = false;
    if (!take(h, "{")) return fail_here(h, "expected a dictionary");
    while (!take(h, "}")) {
        if (take(h, "'descr':"))
            has_type = take_type(h, out);
        else if (take(h, "'fortran_order':"))
            has_order = take_order(h, out);
        else if (take(h, "'shape':"))
            has_shape = take_shape(h, out);
        else
            return fail_here(h, "expected 'descr', 'fortran_order' or 'shape'");
        if (h->error->text[0] != '\0') return false;
        (void)take(h, ",");
    }
    return (has_type && has_order && has_shape) ||
           fail_here(h, "'descr', 'fortran_order' or 'shape' is missing");
}

bool npy_begin(const cache_input *input, point_cache *out, io_error *error)
{
    const uint8_t *at = input->data;
    error->text[0] = '\0';
    if (input->size < 12 || memcmp(at, "\x93NUMPY", 6) != 0)
        return io_fail(error, "%s: byte 0: is not a NumPy array", io_tail(out->path));
    const bool is_old = at[6] == 1;
    const uint64_t begin = is_old ? 10 : 12,
                   length = is_old ? io_little16(at + 8) : io_little32(at + 8);
    if (at[6] < 1 || at[6] > 3 || begin + length > input->size)
        return io_fail(
            error, "%s: byte 6: the version is not known, or the header of %llu bytes is too long",
            io_tail(out->path), (unsigned long long)length);
    npy_head h = {.start = (const char *)at,
                  .at = (const char *)at + begin,
                  .end = (const char *)at + begin + length,
                  .path = out->path,
                  .error = error};
    out->first_byte = begin + length;
    return take_entries(&h, out) && cache_space_times(input, out, 0, 1 / input->fps, error);
}
