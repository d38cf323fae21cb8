/* split.c - see split.h. Lists by counting: how many first, then where each begins, then what is in
 * them. Linear, but for labels, which are sorted. */
#include "mesh/split.h"

#include <string.h>

#include "base/check.h"
#include "base/containers/sort.h"
#include "mesh/parts.h"

/* ---- memory ---- */

static size_t copy_count(const wi_split *s)
{
    return s->first_copy ? s->first_copy[s->vertex_count] : 0;
}

void wi_split_free(wi_memory *memory, wi_split *s)
{
    const size_t copies = copy_count(s);
    wi_free_array(memory, s->parts, s->part_count, sizeof *s->parts);
    wi_free_array(memory, s->tris, s->tri_count, sizeof *s->tris);
    wi_free_array(memory, s->slots, s->live_count, sizeof *s->slots);
    wi_free_array(memory, s->copies, copies, sizeof *s->copies);
    wi_free_array(memory, s->vertices, copies, sizeof *s->vertices);
    wi_free_array(memory, s->first_copy, (size_t)s->vertex_count + 1, sizeof *s->first_copy);
    *s = (wi_split){0};
}

/* ---- which part a triangle is in ---- */

/* Labels up to here, or to twice the number of triangles, are found by counting. */
enum { FEW_LABELS = 1024 };

/* One more than the highest label of a triangle that is there; 0 if that is too many to count. */
static uint32_t countable_labels(const wi_mesh *mesh, const uint32_t *labels)
{
    uint32_t highest = 0;
    for (uint32_t slot = 0; slot < mesh->tri_count; slot++)
        if (labels[slot] > highest && wi_mesh_has_tri(mesh, slot)) highest = labels[slot];
    const uint64_t most = FEW_LABELS + 2 * (uint64_t)mesh->tri_count;
    return highest < most ? highest + 1 : 0;
}

/* What is done with a few labels, by a table of them. */
static bool split_by_few_labels(wi_memory *memory, const wi_mesh *mesh, const uint32_t *labels,
                                uint32_t label_count, wi_split *s)
{
    uint32_t *part_of = wi_alloc_array(memory, label_count, sizeof *part_of), count = 0;
    if (part_of == NULL) return false;
    memset(part_of, 0, label_count * sizeof *part_of);
    for (uint32_t slot = 0; slot < mesh->tri_count; slot++)
        if (wi_mesh_has_tri(mesh, slot)) part_of[labels[slot]] = 1;
    for (uint32_t label = 0; label < label_count; label++) count += part_of[label];
    s->parts = wi_alloc_array(memory, count, sizeof *s->parts);
    if (s->parts) {
        for (uint32_t label = 0; label < label_count; label++) {
            if (part_of[label] == 0) continue;
            s->parts[s->part_count] = (willow_split_part){.label = label};
            part_of[label] = s->part_count++;
        }
        WI_ASSERT(s->part_count == count);
        for (uint32_t slot = 0; slot < mesh->tri_count; slot++)
            s->tris[slot].part =
                wi_mesh_has_tri(mesh, slot) ? part_of[labels[slot]] : WILLOW_NO_PART;
    }
    wi_free_array(memory, part_of, label_count, sizeof *part_of);
    return s->parts != NULL;
}

/* `parts` with the labels of triangles that are there, upwards, each once. */
static bool list_labels(wi_memory *memory, const wi_mesh *mesh, const uint32_t *labels, wi_split *s)
{
    uint64_t *keys = wi_alloc_array(memory, s->live_count, 2 * sizeof *keys);
    size_t count = 0, kept = 0;
    if (keys == NULL) return false;
    for (uint32_t slot = 0; slot < mesh->tri_count; slot++)
        if (wi_mesh_has_tri(mesh, slot)) keys[count++] = labels[slot];
    WI_ASSERT(count == s->live_count);
    wi_sort_u64(keys, keys + count, count);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || keys[i] != keys[i - 1]) keys[kept++] = keys[i];
    s->parts = wi_alloc_array(memory, kept, sizeof *s->parts);
    s->part_count = s->parts ? (uint32_t)kept : 0;
    for (uint32_t i = 0; i < s->part_count; i++)
        s->parts[i] = (willow_split_part){.label = (uint32_t)keys[i]};
    wi_free_array(memory, keys, s->live_count, 2 * sizeof *keys);
    return s->parts != NULL;
}

static uint32_t part_with(const wi_split *s, uint32_t label)
{
    uint32_t low = 0, high = s->part_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (s->parts[middle].label <= label)
            low = middle;
        else
            high = middle;
    }
    WI_ASSERT(s->parts[low].label == label);
    return low;
}

static bool split_by_labels(wi_memory *memory, const wi_mesh *mesh, const uint32_t *labels,
                            wi_split *s)
{
    const uint32_t few = countable_labels(mesh, labels);
    if (few > 0) return split_by_few_labels(memory, mesh, labels, few, s);
    if (!list_labels(memory, mesh, labels, s)) return false;
    for (uint32_t slot = 0; slot < mesh->tri_count; slot++)
        s->tris[slot].part =
            wi_mesh_has_tri(mesh, slot) ? part_with(s, labels[slot]) : WILLOW_NO_PART;
    return true;
}

static bool split_by_connection(wi_memory *memory, const wi_mesh *mesh, wi_split *s)
{
    uint32_t *part_of = wi_alloc_array(memory, mesh->tri_count, sizeof *part_of), count = 0;
    const bool is_found = part_of && wi_mesh_find_parts(memory, mesh, part_of, &count);
    if (is_found) s->parts = wi_alloc_array(memory, count, sizeof *s->parts);
    s->part_count = s->parts ? count : 0;
    for (uint32_t i = 0; i < s->part_count; i++) s->parts[i] = (willow_split_part){.label = i};
    for (uint32_t slot = 0; slot < mesh->tri_count && s->parts; slot++)
        s->tris[slot].part = part_of[slot];
    wi_free_array(memory, part_of, mesh->tri_count, sizeof *part_of);
    return s->parts != NULL;
}

/* ---- triangles ---- */

static void number_tris(wi_split *s)
{
    size_t first = 0;
    for (uint32_t slot = 0; slot < s->tri_count; slot++) {
        willow_part_triangle *tri = &s->tris[slot];
        tri->triangle =
            tri->part == WILLOW_NO_PART ? WILLOW_NO_PART : s->parts[tri->part].triangle_count++;
    }
    for (uint32_t i = 0; i < s->part_count; i++) {
        s->parts[i].old_triangles = s->slots + first;
        first += s->parts[i].triangle_count;
    }
    WI_ASSERT(first == s->live_count);
    for (uint32_t slot = 0; slot < s->tri_count; slot++) {
        const willow_part_triangle tri = s->tris[slot];
        if (tri.part == WILLOW_NO_PART) continue;
        const size_t of_part = (size_t)(s->parts[tri.part].old_triangles - s->slots);
        s->slots[of_part + tri.triangle] = slot;
    }
}

/* ---- vertices ---- */

/* On the way: which vertices the parts name, each once, part after part, and where those of a part
 * begin; and by vertex one more than the part that named it last, or how many copies are listed. */
typedef struct naming {
    uint32_t *named, *first, *seen;
    size_t room;
} naming;

static bool naming_allocate(wi_memory *memory, const wi_mesh *mesh, const wi_split *s, naming *n)
{
    n->room = 3 * (size_t)s->live_count;
    n->named = wi_alloc_array(memory, n->room, sizeof *n->named);
    n->first = wi_alloc_array(memory, (size_t)s->part_count + 1, sizeof *n->first);
    n->seen = wi_alloc_array(memory, mesh->vertex_count, sizeof *n->seen);
    return n->named && n->first && n->seen;
}

static void naming_free(wi_memory *memory, const wi_mesh *mesh, const wi_split *s, naming *n)
{
    wi_free_array(memory, n->named, n->room, sizeof *n->named);
    wi_free_array(memory, n->first, (size_t)s->part_count + 1, sizeof *n->first);
    wi_free_array(memory, n->seen, mesh->vertex_count, sizeof *n->seen);
}

static void list_named(const wi_mesh *mesh, wi_split *s, naming *n)
{
    uint32_t count = 0;
    memset(n->seen, 0, mesh->vertex_count * sizeof *n->seen);
    for (uint32_t part = 0; part < s->part_count; part++) {
        n->first[part] = count;
        for (uint32_t i = 0; i < s->parts[part].triangle_count; i++) {
            const uint32_t *tri = mesh->tris[s->parts[part].old_triangles[i]];
            for (int k = 0; k < 3; k++) {
                if (n->seen[tri[k]] == part + 1) continue;
                n->seen[tri[k]] = part + 1;
                n->named[count++] = tri[k];
                s->first_copy[tri[k] + 1]++;
            }
        }
    }
    n->first[s->part_count] = count;
}

/* One that welding merged is wherever the one is that stands for it. */
static bool is_merged(const wi_mesh *mesh, uint32_t vertex)
{
    return wi_mesh_has_vertex(mesh, vertex) && !wi_mesh_stands_for_itself(mesh, vertex);
}

/* A vertex that is merged comes after the one that stands for it, so that one is counted. */
static void count_copies(const wi_mesh *mesh, wi_split *s, naming *n)
{
    memset(s->first_copy, 0, ((size_t)mesh->vertex_count + 1) * sizeof *s->first_copy);
    list_named(mesh, s, n);
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++)
        if (is_merged(mesh, vertex))
            s->first_copy[vertex + 1] = s->first_copy[mesh->stand_in[vertex] + 1];
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++)
        s->first_copy[vertex + 1] += s->first_copy[vertex];
}

static void fill_copies(const wi_mesh *mesh, wi_split *s, naming *n)
{
    uint32_t *filled = n->seen;
    memset(filled, 0, mesh->vertex_count * sizeof *filled);
    for (uint32_t part = 0; part < s->part_count; part++)
        for (uint32_t i = n->first[part]; i < n->first[part + 1]; i++)
            s->copies[s->first_copy[n->named[i]] + filled[n->named[i]]++].part = part;
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++) {
        if (!is_merged(mesh, vertex)) continue;
        const size_t from = s->first_copy[mesh->stand_in[vertex]], to = s->first_copy[vertex];
        const size_t count = s->first_copy[vertex + 1] - to;
        for (size_t i = 0; i < count; i++) s->copies[to + i] = s->copies[from + i];
    }
}

/* In each part in the order of old numbers. */
static void number_vertices(wi_split *s)
{
    size_t first = 0;
    for (uint32_t vertex = 0; vertex < s->vertex_count; vertex++)
        for (size_t i = s->first_copy[vertex]; i < s->first_copy[vertex + 1]; i++)
            s->copies[i].vertex = s->parts[s->copies[i].part].vertex_count++;
    for (uint32_t i = 0; i < s->part_count; i++) {
        s->parts[i].old_vertices = s->vertices + first;
        first += s->parts[i].vertex_count;
    }
    WI_ASSERT(first == copy_count(s));
    for (uint32_t vertex = 0; vertex < s->vertex_count; vertex++)
        for (size_t i = s->first_copy[vertex]; i < s->first_copy[vertex + 1]; i++) {
            const willow_part_vertex copy = s->copies[i];
            const size_t of_part = (size_t)(s->parts[copy.part].old_vertices - s->vertices);
            s->vertices[of_part + copy.vertex] = vertex;
        }
}

static bool split_vertices(wi_memory *memory, const wi_mesh *mesh, wi_split *s)
{
    naming n;
    s->first_copy = wi_alloc_array(memory, (size_t)mesh->vertex_count + 1, sizeof *s->first_copy);
    if (s->first_copy) s->first_copy[mesh->vertex_count] = 0;
    bool ok = naming_allocate(memory, mesh, s, &n) && s->first_copy;
    if (ok) {
        count_copies(mesh, s, &n);
        s->copies = wi_alloc_array(memory, copy_count(s), sizeof *s->copies);
        s->vertices = wi_alloc_array(memory, copy_count(s), sizeof *s->vertices);
        ok = s->copies && s->vertices;
    }
    if (ok) {
        fill_copies(mesh, s, &n);
        number_vertices(s);
    }
    naming_free(memory, mesh, s, &n);
    return ok;
}

/* ---- all of it ---- */

static uint32_t count_live(const wi_mesh *mesh)
{
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < mesh->tri_count; slot++) count += wi_mesh_has_tri(mesh, slot);
    return count;
}

bool wi_split_make(wi_memory *memory, const wi_mesh *mesh, const uint32_t *labels, wi_split *out)
{
    wi_split s = {.tri_count = mesh->tri_count,
                  .vertex_count = mesh->vertex_count,
                  .live_count = count_live(mesh)};
    WI_ASSERT(s.live_count > 0);
    *out = (wi_split){0};
    s.tris = wi_alloc_array(memory, s.tri_count, sizeof *s.tris);
    s.slots = wi_alloc_array(memory, s.live_count, sizeof *s.slots);
    bool ok = s.tris && s.slots &&
              (labels ? split_by_labels(memory, mesh, labels, &s)
                      : split_by_connection(memory, mesh, &s));
    if (ok) {
        number_tris(&s);
        ok = split_vertices(memory, mesh, &s);
    }
    if (ok)
        *out = s;
    else
        wi_split_free(memory, &s);
    return ok;
}
