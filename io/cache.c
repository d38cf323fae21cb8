/* cache.c - a mesh whose vertices are where a point cache says. Way in: mesh_clip_add_cached.
 *
 * Samples stay in the file until they are asked for: a frame has room for one of them, and threads
 * read theirs at the same time. Only arrays in Fortran's order, in which a sample is spread over
 * the whole file, are read and turned around when they are opened. */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include "io/cache.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>
#include "io/bytes.h"
#include "io/mesh_clip.h"

typedef struct cached_mesh {
    point_cache cache;
    char *path;
    int file;
    float *all; /* of Fortran's order: all samples; else NULL */
    uint32_t part_count;
    uint32_t **sources; /* by part: which point each vertex is; NULL: the same */
} cached_mesh;

/* What a frame keeps: one sample, as bytes and as positions of all bodies. */
typedef struct cache_room {
    uint8_t *bytes;
    float *points;     /* of the sample */
    float **positions; /* by part; those without sources are the points */
    uint32_t number;   /* of the sample, plus one; 0: none */
} cache_room;

/* ---- reading samples ---- */

bool cache_read_bytes(int file, const point_cache *cache, uint64_t first, uint64_t size,
                      uint8_t *out, io_error *error)
{
    for (uint64_t done = 0; done < size;) {
        const ssize_t count = pread(file, out + done, (size_t)(size - done), (off_t)(first + done));
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0)
            return io_fail(error, "%s: byte %llu: %s", io_tail(cache->path),
                           (unsigned long long)(first + done),
                           count < 0 ? strerror(errno) : "the file ends too early");
        done += (uint64_t)count;
    }
    return true;
}

static uint64_t sample_bytes(const point_cache *c)
{
    return 3 * (uint64_t)c->point_count * c->number_size;
}

/* The number at that place, rounded to float. */
static inline float number_at(const point_cache *c, const uint8_t *at)
{
    assert(c->number_size == 4 || c->number_size == 8);
    if (c->number_size == 4) return io_float_of(c->is_big ? io_big32(at) : io_little32(at));
    return (float)io_double_of(c->is_big ? io_big64(at) : io_little64(at));
}

static bool check_points(const point_cache *c, uint32_t sample, const float *points,
                         io_error *error)
{
    uint64_t bad = 0;
    if (mesh_are_finite(points, 3 * (uint64_t)c->point_count, &bad)) return true;
    return io_fail(error, "%s: sample %u: vertex %llu has a position that is not finite",
                   io_tail(c->path), sample, (unsigned long long)(bad / 3));
}

static bool read_sample(const cached_mesh *m, uint32_t sample, cache_room *room, io_error *error)
{
    const point_cache *c = &m->cache;
    const uint64_t size = sample_bytes(c), count = 3 * (uint64_t)c->point_count;
    assert(sample < c->sample_count);
    if (m->all != NULL) {
        memcpy(room->points, m->all + sample * count, (size_t)count * sizeof(float));
        return check_points(c, sample, room->points, error);
    }
    if (!cache_read_bytes(m->file, c, c->first_byte + sample * size, size, room->bytes, error))
        return false;
    for (uint64_t i = 0; i < count; i++)
        room->points[i] = number_at(c, room->bytes + i * c->number_size);
    return check_points(c, sample, room->points, error);
}

/* ---- frames ---- */

static void free_room(const clip *c, const void *data, void *kept)
{
    const cached_mesh *m = data;
    cache_room *room = kept;
    for (uint32_t i = 0; room->positions != NULL && i < m->part_count; i++)
        if (room->positions[i] != room->points) io_free(c->memory, room->positions[i]);
    io_free(c->memory, room->positions);
    io_free(c->memory, room->points);
    io_free(c->memory, room->bytes);
    io_free(c->memory, room);
}

static bool fill_room(const clip *c, const cached_mesh *m, uint32_t first_body, cache_room *room)
{
    const uint64_t point_count = m->cache.point_count;
    room->bytes = io_alloc(c->memory, m->all == NULL ? sample_bytes(&m->cache) : 0, 1);
    room->points = io_alloc(c->memory, 3 * point_count, sizeof *room->points);
    room->positions = io_alloc(c->memory, m->part_count, sizeof *room->positions);
    if (room->bytes == NULL || room->points == NULL || room->positions == NULL) return false;
    for (uint32_t i = 0; i < m->part_count; i++) {
        const uint64_t count = c->bodies[first_body + i].mesh.vertex_count;
        room->positions[i] = m->sources[i] == NULL
                                 ? room->points
                                 : io_alloc(c->memory, 3 * count, sizeof *room->points);
        if (room->positions[i] == NULL) return false;
    }
    return true;
}

static cache_room *make_room(const clip *c, const cached_mesh *m, uint32_t first_body)
{
    cache_room *room = io_alloc(c->memory, 1, sizeof *room);
    if (room == NULL || fill_room(c, m, first_body, room)) return room;
    free_room(c, m, room);
    return NULL;
}

/* Hands points out to the bodies. */
static void divide_points(const clip *c, const cached_mesh *m, uint32_t first_body,
                          cache_room *room)
{
    for (uint32_t i = 0; i < m->part_count; i++) {
        const uint32_t *sources = m->sources[i];
        const size_t count = c->bodies[first_body + i].mesh.vertex_count;
        for (size_t v = 0; sources != NULL && v < count; v++)
            memcpy(room->positions[i] + 3 * v, room->points + 3 * (size_t)sources[v],
                   3 * sizeof(float));
    }
}

static bool read_cached(const clip *c, uint32_t first_body, const void *data, clip_frame *frame,
                        void **kept, io_error *error)
{
    const cached_mesh *m = data;
    const uint32_t sample =
        mesh_clip_find_sample(m->cache.times, m->cache.sample_count, frame->time);
    if (*kept == NULL) *kept = make_room(c, m, first_body);
    cache_room *room = *kept;
    if (room == NULL) return io_memory_fail(c->memory, error, m->path);
    if (room->number != sample + 1) {
        room->number = 0;
        if (!read_sample(m, sample, room, error)) return false;
        divide_points(c, m, first_body, room);
        room->number = sample + 1;
    }
    for (uint32_t i = 0; i < m->part_count; i++) {
        frame->bodies[first_body + i].mesh = &c->bodies[first_body + i].mesh;
        frame->bodies[first_body + i].positions = room->positions[i];
    }
    return true;
}

static void close_cached(const clip *c, void *data)
{
    cached_mesh *m = data;
    if (m->file >= 0) (void)close(m->file);
    for (uint32_t i = 0; m->sources != NULL && i < m->part_count; i++)
        io_free(c->memory, m->sources[i]);
    io_free(c->memory, m->sources);
    io_free(c->memory, m->cache.times);
    io_free(c->memory, m->all);
    io_free(c->memory, m->path);
    io_free(c->memory, m);
}

static const clip_source samples = {
    .read = read_cached, .forget = free_room, .close = close_cached};

/* ---- opening ---- */

bool cache_space_times(const cache_input *input, point_cache *out, double first, double step,
                       io_error *error)
{
    /* A sample has a byte at least, or there are no points: then nobody needs times. */
    if (out->sample_count > out->file_size)
        return io_fail(error, "%s: is too short for %u samples", io_tail(out->path),
                       out->sample_count);
    out->times = io_alloc(input->memory, out->sample_count, sizeof *out->times);
    if (out->times == NULL) return io_memory_fail(input->memory, error, out->path);
    for (uint32_t i = 0; i < out->sample_count; i++) out->times[i] = first + i * step;
    return true;
}

static cache_reader *reader_of(file_kind kind)
{
    switch (kind) {
    case FILE_PC2: return pc2_begin;
    case FILE_MDD: return mdd_begin;
    case FILE_NPY: return npy_begin;
    default: return NULL;
    }
}

/* Whether all samples are there. */
static bool check_size(const point_cache *c, io_error *error)
{
    const uint64_t size = sample_bytes(c), left = c->file_size - c->first_byte;
    if (c->sample_count == 0 || c->point_count == 0)
        return io_fail(error, "%s: has %u samples of %u points", io_tail(c->path), c->sample_count,
                       c->point_count);
    if (c->first_byte <= c->file_size && left / size >= c->sample_count) return true;
    return io_fail(error, "%s: is too short: %u samples of %u points take %.0f bytes, not %.0f",
                   io_tail(c->path), c->sample_count, c->point_count,
                   (double)c->first_byte + (double)size * (double)c->sample_count,
                   (double)c->file_size);
}

static bool read_begin(clip *c, cached_mesh *m, cache_reader *begin, double fps, io_error *error)
{
    uint8_t data[CACHE_LOOK];
    const uint64_t size = m->cache.file_size < CACHE_LOOK ? m->cache.file_size : CACHE_LOOK;
    const cache_input input = {
        .memory = c->memory, .file = m->file, .data = data, .size = size, .fps = fps};
    return cache_read_bytes(m->file, &m->cache, 0, size, data, error) &&
           begin(&input, &m->cache, error) && check_size(&m->cache, error);
}

static bool open_cache(clip *c, cached_mesh *m, const char *path, double fps, io_error *error)
{
    struct stat about;
    file_kind kind;
    if (!file_kind_find(path, &kind, error)) return false;
    if (reader_of(kind) == NULL)
        return io_fail(error, "%s: point caches are PC2, MDD or .npy, and this is %s",
                       io_tail(path), file_kind_name(kind));
    m->path = io_copy_text(c->memory, path);
    if (m->path == NULL) return io_memory_fail(c->memory, error, path);
    m->file = open(path, O_RDONLY | O_CLOEXEC);
    if (m->file < 0 || fstat(m->file, &about) != 0 || !S_ISREG(about.st_mode))
        return io_fail(error, "%s: cannot be read", io_tail(path));
    m->cache.path = m->path;
    m->cache.file_size = (uint64_t)about.st_size;
    return read_begin(c, m, reader_of(kind), fps, error);
}

/* Element [sample][point][axis] is at sample + samples * (point + points * axis). */
static bool turn_around(clip *c, cached_mesh *m, io_error *error)
{
    const point_cache *p = &m->cache;
    const uint64_t count = p->sample_count, points = p->point_count, row = count * p->number_size;
    if (!p->is_fortran) return true;
    m->all = io_alloc(c->memory, 3 * points * count, sizeof *m->all);
    uint8_t *bytes = m->all != NULL ? io_alloc(c->memory, row, 1) : NULL;
    bool is_read = bytes != NULL || io_memory_fail(c->memory, error, m->path);
    for (uint64_t i = 0; is_read && i < 3 * points; i++) {
        is_read = cache_read_bytes(m->file, p, p->first_byte + i * row, row, bytes, error);
        const uint64_t point = i % points, axis = i / points;
        for (uint64_t s = 0; is_read && s < count; s++)
            m->all[3 * (s * points + point) + axis] = number_at(p, bytes + s * p->number_size);
    }
    io_free(c->memory, bytes);
    return is_read;
}

static bool take_sources(clip *c, cached_mesh *m, mesh_file *base)
{
    m->sources = io_alloc(c->memory, base->part_count, sizeof *m->sources);
    if (m->sources == NULL) return false;
    m->part_count = base->part_count;
    for (uint32_t i = 0; i < base->part_count; i++) {
        m->sources[i] = base->parts[i].sources;
        base->parts[i].sources = NULL;
    }
    return true;
}

/* Bodies are where the first sample has them. */
static bool place_bodies(clip *c, cached_mesh *m, uint32_t first_body, io_error *error)
{
    cache_room *room = make_room(c, m, first_body);
    if (room == NULL) return io_memory_fail(c->memory, error, m->path);
    const bool is_read = read_sample(m, 0, room, error);
    if (is_read) divide_points(c, m, first_body, room);
    for (uint32_t i = 0; is_read && i < m->part_count; i++) {
        clip_mesh *mesh = &c->bodies[first_body + i].mesh;
        memcpy(mesh->positions, room->positions[i], 3 * sizeof(float) * (size_t)mesh->vertex_count);
    }
    free_room(c, m, room);
    return is_read;
}

/* Vertices stay as they are in the file: the cache has them in this order. */
static bool open_base(clip *c, const char *path, mesh_file *out, io_error *error)
{
    file_kind kind;
    if (!file_kind_find(path, &kind, error)) return false;
    mesh_reader *reader = mesh_reader_of(kind);
    /* Vertices of STL have no numbers that a cache could go by. */
    if (reader == NULL || kind == FILE_STL)
        return io_fail(error, "%s: the mesh of a point cache is OBJ, PLY or OFF, and this is %s",
                       io_tail(path), file_kind_name(kind));
    return mesh_file_open(c->memory, path, reader, true, out, error);
}

static bool add_cached(clip *c, cached_mesh *m, const char *base, mesh_file *file, io_error *error)
{
    const uint32_t first_body = c->body_count;
    if (m->cache.point_count != file->vertex_count)
        return io_fail(error, "%s: has %u points, and %s has %u vertices", io_tail(m->path),
                       m->cache.point_count, io_tail(base), file->vertex_count);
    char *name = file_stem(c->memory, base);
    bool is_added = name != NULL && take_sources(c, m, file);
    if (!is_added) (void)io_memory_fail(c->memory, error, base);
    is_added = is_added && mesh_clip_add_bodies(c, base, name, file, CLIP_FRAMES, error);
    io_free(c->memory, name);
    if (!is_added || !turn_around(c, m, error) || !place_bodies(c, m, first_body, error))
        return false;
    return clip_add_keys(c, m->cache.times, m->cache.sample_count) ||
           io_memory_fail(c->memory, error, base);
}

bool mesh_clip_add_cached(clip *c, const char *base, const char *cache, const clip_options *options,
                          io_error *error)
{
    const uint32_t first_body = c->body_count;
    mesh_file file;
    if (!open_base(c, base, &file, error)) return false;
    cached_mesh *m = io_alloc(c->memory, 1, sizeof *m);
    bool is_added = m != NULL || io_memory_fail(c->memory, error, cache);
    if (m != NULL) m->file = -1;
    is_added = is_added && open_cache(c, m, cache, mesh_clip_fps(options), error) &&
               add_cached(c, m, base, &file, error);
    mesh_file_free(c->memory, &file);
    if (!is_added && m != NULL) close_cached(c, m);
    if (!is_added) return false;
    c->is_sampled = true;
    return clip_add_part(c, first_body, &samples, m) || io_memory_fail(c->memory, error, cache);
}
