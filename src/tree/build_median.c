/* build_median.c - the MEDIAN builder: equal halves along the longest axis, full nodes.
 *
 * Way in: wi_hierarchy_build. Made for a million triangles in some tens of milliseconds, since
 * REBUILD does it every step.
 *
 * A range of triangles becomes ceil(n / leaf_triangles) leaves, all full but the last. A node takes
 * a range of L leaves, more than one, and splits it into at most `arity` parts that are whole
 * powers of the arity in leaves, all but the last: so every node below is full too, and few lanes
 * are wasted. Parts are made by halving: the k triangles with the lowest centroids go left, k a
 * multiple of the part's size nearest to half. Ties keep the order that they came in, at first by
 * slot.
 *
 * Selecting the k lowest takes two streams: count the triangles in equal bins of the axis, then
 * write those in bins below the k-th to the left, those above to the right, and the few in its bin
 * to the middle, which is sorted. Should all fall into one bin, the radix sort is still linear, so
 * no input degrades it. Depth is logarithmic whatever the input; the stack is explicit. */
#include <float.h>
#include <string.h>

#include "base/array.h"
#include "base/check.h"
#include "base/sort.h"
#include "tree/hierarchy.h"

enum { MAX_BINS = 1024 };
#define NO_PLACE UINT32_MAX

/* A quarter of the centre of a triangle's box, so that no difference of two overflows. */
typedef struct centre {
    float axis[3];
    uint32_t slot;
} centre;

/* Triangles [first, first + count) of one of the two buffers, to become the child in a lane of a
 * node. */
typedef struct range {
    uint32_t first, count;
    uint32_t parent;
    uint32_t depth;
    uint8_t lane;
    uint8_t buffer;
} range;

typedef struct stamp {
    uint32_t leaf1; /* the last leaf that met this vertex, plus 1 */
    uint32_t local; /* its number there */
} stamp;

typedef struct builder {
    wi_memory *memory;
    wi_mesh *mesh;
    wi_hierarchy *tree;
    centre *buffers[2];
    centre *middle;              /* the middle bin of a split */
    uint64_t *keys, *spare_keys; /* to sort it by */
    uint32_t counts[MAX_BINS];
    stamp *stamps;   /* by vertex */
    uint32_t *place; /* by vertex */
    uint32_t place_count;
    uint32_t leaf_capacity, node_capacity;
    WI_ARRAY(uint32_t) leaf_vertices;
    WI_ARRAY(range) stack;
} builder;

/* Nodes over `leaves` leaves: parts are full but the last, so it is a sum over the levels. */
static uint32_t count_nodes(uint32_t leaves, uint32_t arity)
{
    uint32_t nodes = 1;
    while (leaves > 1) {
        uint64_t part = 1, part_nodes = 0;
        while (part * arity < leaves) {
            part_nodes = part_nodes * arity + 1;
            part *= arity;
        }
        uint32_t full = (uint32_t)((leaves - 1) / part);
        uint32_t rest = leaves - full * (uint32_t)part;
        nodes += full * (uint32_t)part_nodes;
        if (rest > 1) nodes++;
        leaves = rest;
    }
    return nodes;
}

static uint32_t collect_centres(const wi_mesh *mesh, centre *out)
{
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < mesh->tri_count; slot++) {
        if (!wi_mesh_collides(mesh, slot)) continue;
        const float *a = wi_mesh_position(mesh, mesh->tris[slot][0]);
        const float *b = wi_mesh_position(mesh, mesh->tris[slot][1]);
        const float *c = wi_mesh_position(mesh, mesh->tris[slot][2]);
        for (int axis = 0; axis < 3; axis++) {
            float low = a[axis] < b[axis] ? a[axis] : b[axis];
            float high = a[axis] < b[axis] ? b[axis] : a[axis];
            low = c[axis] < low ? c[axis] : low;
            high = c[axis] > high ? c[axis] : high;
            out[count].axis[axis] = 0.125F * low + 0.125F * high;
        }
        out[count++].slot = slot;
    }
    return count;
}

static wi_box bounds_of(const centre *items, uint32_t count)
{
    wi_box box = wi_box_empty();
    for (uint32_t i = 0; i < count; i++) wi_box_add_point(&box, items[i].axis);
    return box;
}

static int longest_axis(const wi_box *box)
{
    int longest = 0;
    for (int axis = 1; axis < 3; axis++)
        if (box->upper[axis] - box->lower[axis] > box->upper[longest] - box->lower[longest])
            longest = axis;
    return longest;
}

/* Bits that are ordered as the floats are; -0 and 0 are the same. */
static uint32_t ordered_bits(float value)
{
    uint32_t bits;
    value += 0.0F;
    memcpy(&bits, &value, sizeof bits);
    return bits & UINT32_C(0x80000000) ? ~bits : bits | UINT32_C(0x80000000);
}

static void sort_few(centre *items, uint32_t count, int axis)
{
    for (uint32_t i = 1; i < count; i++) {
        centre item = items[i];
        uint32_t at = i;
        for (; at > 0 && items[at - 1].axis[axis] > item.axis[axis]; at--)
            items[at] = items[at - 1];
        items[at] = item;
    }
}

/* Sorts the middle bin by coordinate into `out`. */
static void sort_middle(builder *b, centre *middle, uint32_t count, int axis, centre *out)
{
    if (count <= 16) {
        sort_few(middle, count, axis);
        memcpy(out, middle, count * sizeof *out);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        b->keys[i] = (uint64_t)ordered_bits(middle[i].axis[axis]) << 32 | i;
    wi_sort_u64(b->keys, b->spare_keys, count);
    for (uint32_t i = 0; i < count; i++) out[i] = middle[(uint32_t)b->keys[i]];
}

static inline uint32_t bin_of(float value, float low, float scale, uint32_t bins)
{
    uint32_t bin = (uint32_t)(int32_t)((value - low) * scale);
    return bin < bins ? bin : bins - 1;
}

static uint32_t bin_of_rank(const uint32_t *counts, uint32_t rank)
{
    uint32_t bin = 0;
    for (uint32_t below = 0; below + counts[bin] <= rank; bin++) below += counts[bin];
    return bin;
}

/* Moves [first, first + count) from one buffer to the other, the k lowest along the axis first. */
static void split_off_lowest(builder *b, const range *r, uint32_t k, int axis, const wi_box *box)
{
    const centre *in = b->buffers[r->buffer] + r->first;
    centre *out = b->buffers[!r->buffer] + r->first, *middle = b->middle;
    uint32_t bins = r->count < 4 * MAX_BINS ? r->count / 4 + 1 : MAX_BINS;
    float low = box->lower[axis], width = box->upper[axis] - low;
    float scale = (float)bins / width;
    if (!(scale <= FLT_MAX)) { /* no width to speak of: all are equal, and any k will do */
        memcpy(out, in, r->count * sizeof *out);
        return;
    }
    memset(b->counts, 0, bins * sizeof *b->counts);
    for (uint32_t i = 0; i < r->count; i++) b->counts[bin_of(in[i].axis[axis], low, scale, bins)]++;
    uint32_t middle_bin = bin_of_rank(b->counts, k);

    /* Every item is written to all three ends and stays where its counter moves on. The unused
     * writes hit the gap between left and right, which the middle fills at the end. */
    uint32_t left = 0, right = 0, between = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        uint32_t bin = bin_of(in[i].axis[axis], low, scale, bins);
        out[left] = in[i];
        out[r->count - 1 - right] = in[i];
        middle[between] = in[i];
        left += bin < middle_bin;
        right += bin > middle_bin;
        between += bin == middle_bin;
    }
    sort_middle(b, middle, between, axis, out + left);
}

/* Numbers the vertices of the leaf's triangles: those it meets first of all leaves, then others. */
static void gather_leaf(builder *b, wi_leaf *leaf, uint32_t leaf1, const centre *items)
{
    wi_hierarchy *h = b->tree;
    uint32_t met[WI_MAX_LEAF_VERTICES];
    uint8_t number[WI_MAX_LEAF_VERTICES];
    unsigned met_count = 0, owned = 0, border;
    for (unsigned tri = 0; tri < leaf->tri_count; tri++) {
        h->slots[leaf->first_tri + tri] = items[tri].slot;
        for (int i = 0; i < 3; i++) {
            uint32_t vertex = b->mesh->tris[items[tri].slot][i];
            stamp *s = &b->stamps[vertex];
            if (s->leaf1 != leaf1) {
                *s = (stamp){leaf1, met_count};
                owned += b->place[vertex] == NO_PLACE;
                met[met_count++] = vertex;
            }
            h->corners[leaf->first_tri + tri][i] = (uint8_t)s->local;
        }
    }
    uint32_t *vertices = b->leaf_vertices.items + b->leaf_vertices.count;
    leaf->first_vertex = (uint32_t)b->leaf_vertices.count;
    leaf->vertex_count = (uint8_t)met_count;
    leaf->owned_count = (uint8_t)owned;
    leaf->first_place = b->place_count;
    border = owned;
    owned = 0;
    for (unsigned i = 0; i < met_count; i++) {
        bool is_owned = b->place[met[i]] == NO_PLACE;
        number[i] = (uint8_t)(is_owned ? owned++ : border++);
        vertices[number[i]] = met[i];
        if (is_owned) b->place[met[i]] = b->place_count++;
    }
    b->leaf_vertices.count += met_count;
    for (unsigned tri = 0; tri < leaf->tri_count; tri++)
        for (int i = 0; i < 3; i++) {
            uint8_t *corner = &h->corners[leaf->first_tri + tri][i];
            *corner = number[*corner];
        }
}

static bool add_leaf(builder *b, wi_view *view, const range *r)
{
    wi_hierarchy *h = b->tree;
    if (!wi_array_reserve(b->memory, &b->leaf_vertices, b->leaf_vertices.count + 3 * r->count))
        return false;
    WI_ASSERT(h->leaf_count < b->leaf_capacity);
    wi_leaf *leaf = &h->leaves[h->leaf_count];
    view->child[r->lane] = h->leaf_count++;
    view->leaf_mask = (uint8_t)(view->leaf_mask | 1U << r->lane);
    *leaf = (wi_leaf){.first_tri = h->tri_count, .tri_count = (uint8_t)r->count};
    gather_leaf(b, leaf, h->leaf_count, b->buffers[r->buffer] + r->first);
    h->tri_count += r->count;
    return true;
}

static uint32_t leaves_for(const builder *b, uint32_t tris)
{
    uint32_t most = b->tree->def.leaf_triangles;
    return tris / most + (tris % most != 0);
}

/* Splits `whole` into parts of at most `part_tris` triangles by halving; returns their number. They
 * are in order: parts[0] is the lowest. */
static unsigned split_into_parts(builder *b, range whole, uint32_t part_tris, range parts[WI_LANES])
{
    unsigned count = 1;
    parts[0] = whole;
    for (unsigned at = 0; at < count;) {
        range *r = &parts[at];
        uint32_t units = r->count / part_tris + (r->count % part_tris != 0);
        if (units <= 1) {
            at++;
            continue;
        }
        uint32_t k = units / 2 * part_tris;
        wi_box box = bounds_of(b->buffers[r->buffer] + r->first, r->count);
        split_off_lowest(b, r, k, longest_axis(&box), &box);
        memmove(r + 2, r + 1, (count - at - 1) * sizeof *r);
        r[0].buffer = !r[0].buffer;
        r[1] = r[0];
        r[1].first += k;
        r[1].count -= k;
        r[0].count = k;
        count++;
    }
    return count;
}

static bool add_node(builder *b, const range *r)
{
    wi_hierarchy *h = b->tree;
    uint32_t arity = h->def.arity, node = h->node_count++;
    WI_ASSERT(node < b->node_capacity);
    wi_view *view = &h->views[node];
    memset(view, 0, sizeof *view);
    for (unsigned lane = 0; lane < WI_LANES; lane++) {
        wi_box empty = wi_box_empty();
        wi_view_set_box(view, lane, &empty);
    }
    view->parent = r->parent;
    view->parent_lane = r->lane;
    h->views[r->parent].child[r->lane] = node; /* the root's first child is set again below */
    h->height = r->depth > h->height ? r->depth : h->height;

    uint64_t part_tris = h->def.leaf_triangles;
    while (part_tris * arity < r->count) part_tris *= arity;
    range parts[WI_LANES];
    unsigned count = split_into_parts(b, *r, (uint32_t)part_tris, parts);
    view->count = (uint8_t)count;
    for (unsigned lane = 0; lane < count; lane++) {
        parts[lane].lane = (uint8_t)lane;
        parts[lane].parent = node;
        parts[lane].depth = r->depth + 1;
        if (leaves_for(b, parts[lane].count) == 1 && !add_leaf(b, view, &parts[lane])) return false;
    }
    /* The last is pushed first, so that the first child is the next node. */
    for (unsigned lane = count; lane-- > 0;)
        if (leaves_for(b, parts[lane].count) > 1 &&
            !wi_array_push(b->memory, &b->stack, parts[lane]))
            return false;
    return true;
}

static bool add_nodes(builder *b, uint32_t tri_count)
{
    range root = {.count = tri_count, .depth = 1};
    if (!wi_array_push(b->memory, &b->stack, root)) return false;
    while (b->stack.count > 0) {
        range r = b->stack.items[--b->stack.count];
        if (!add_node(b, &r)) return false;
    }
    return true;
}

/* Gives the vertices that no leaf has the last places, and merged ones their stand-in's. */
static bool place_loose(builder *b)
{
    wi_hierarchy *h = b->tree;
    const wi_mesh *mesh = b->mesh;
    uint32_t count = 0;
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++)
        count += b->place[vertex] == NO_PLACE && wi_mesh_stands_for_itself(mesh, vertex);
    h->loose = wi_alloc_array(b->memory, count, sizeof *h->loose);
    if (count > 0 && h->loose == NULL) return false;
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++) {
        if (b->place[vertex] != NO_PLACE || !wi_mesh_stands_for_itself(mesh, vertex)) continue;
        h->loose[h->loose_count++] = vertex;
        b->place[vertex] = b->place_count++;
    }
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++)
        if (!wi_mesh_stands_for_itself(mesh, vertex))
            b->place[vertex] = b->place[mesh->stand_in[vertex]];
    return true;
}

static bool allocate_working(builder *b, uint32_t tris, uint32_t vertices)
{
    for (int i = 0; i < 2; i++)
        b->buffers[i] = wi_alloc_array(b->memory, tris, sizeof *b->buffers[i]);
    b->middle = wi_alloc_array(b->memory, tris, sizeof *b->middle);
    b->keys = wi_alloc_array(b->memory, tris, sizeof *b->keys);
    b->spare_keys = wi_alloc_array(b->memory, tris, sizeof *b->spare_keys);
    b->stamps = wi_alloc_array(b->memory, vertices, sizeof *b->stamps);
    b->place = wi_alloc_array(b->memory, vertices, sizeof *b->place);
    if (!b->buffers[0] || !b->buffers[1] || !b->middle || !b->keys || !b->spare_keys ||
        !b->stamps || !b->place)
        return false;
    memset(b->stamps, 0, vertices * sizeof *b->stamps);
    memset(b->place, 0xFF, vertices * sizeof *b->place);
    return true;
}

static bool allocate_tree(builder *b, uint32_t tris)
{
    wi_hierarchy *h = b->tree;
    b->leaf_capacity = leaves_for(b, tris);
    b->node_capacity = count_nodes(b->leaf_capacity, h->def.arity);
    h->views = wi_alloc_array(b->memory, b->node_capacity, sizeof *h->views);
    h->leaves = wi_alloc_array(b->memory, b->leaf_capacity, sizeof *h->leaves);
    h->corners = wi_alloc_array(b->memory, tris, sizeof *h->corners);
    h->slots = wi_alloc_array(b->memory, tris, sizeof *h->slots);
    return h->views && h->leaves && h->corners && h->slots;
}

/* Copies the leaves' vertices into a block of their own size. */
static bool keep_leaf_vertices(builder *b)
{
    wi_hierarchy *h = b->tree;
    size_t count = b->leaf_vertices.count;
    h->leaf_vertices = wi_alloc_array(b->memory, count, sizeof *h->leaf_vertices);
    if (h->leaf_vertices == NULL) return false;
    memcpy(h->leaf_vertices, b->leaf_vertices.items, count * sizeof *h->leaf_vertices);
    h->leaf_vertex_count = (uint32_t)count;
    return true;
}

static void free_working(builder *b, uint32_t tris, uint32_t vertices)
{
    for (int i = 0; i < 2; i++) wi_free_array(b->memory, b->buffers[i], tris, sizeof(centre));
    wi_free_array(b->memory, b->middle, tris, sizeof *b->middle);
    wi_free_array(b->memory, b->keys, tris, sizeof *b->keys);
    wi_free_array(b->memory, b->spare_keys, tris, sizeof *b->spare_keys);
    wi_free_array(b->memory, b->stamps, vertices, sizeof *b->stamps);
    wi_free_array(b->memory, b->place, vertices, sizeof *b->place);
    wi_array_free(b->memory, &b->leaf_vertices);
    wi_array_free(b->memory, &b->stack);
}

/* A tree that failed half-way has its capacities, not its counts, to give back. */
static void discard(builder *b, uint32_t tris)
{
    b->tree->node_count = b->node_capacity;
    b->tree->leaf_count = b->leaf_capacity;
    b->tree->tri_count = tris;
    wi_hierarchy_destroy(b->memory, b->tree);
}

static uint32_t count_colliding(const wi_mesh *mesh)
{
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < mesh->tri_count; slot++) count += wi_mesh_collides(mesh, slot);
    return count;
}

willow_result wi_hierarchy_build(wi_memory *memory, wi_mesh *mesh, const willow_tree_def *def,
                                 wi_hierarchy *h)
{
    wi_hierarchy fresh = {
        .mesh = mesh, .def = *def, .bounds = wi_box_empty(), .revision = h->revision};
    builder b = {.memory = memory, .mesh = mesh, .tree = &fresh};
    uint32_t tris = count_colliding(mesh), vertices = mesh->vertex_count;
    if (tris == 0) { /* no tree: places stay as they are */
        wi_hierarchy_destroy(memory, h);
        *h = fresh;
        return WILLOW_OK;
    }
    bool ok = allocate_working(&b, tris, vertices) && allocate_tree(&b, tris);
    if (ok) {
        collect_centres(mesh, b.buffers[0]);
        ok = add_nodes(&b, tris) && keep_leaf_vertices(&b) && place_loose(&b);
    }
    if (ok) {
        WI_ASSERT(fresh.node_count == b.node_capacity && fresh.leaf_count == b.leaf_capacity);
        if (mesh->positions) {
            wi_mesh_reorder(memory, mesh, b.place);
            b.place = NULL;
        }
        wi_hierarchy_destroy(memory, h);
        *h = fresh;
    } else {
        discard(&b, tris);
    }
    free_working(&b, tris, vertices);
    return ok ? WILLOW_OK : WILLOW_OUT_OF_MEMORY;
}
