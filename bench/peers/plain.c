/* plain.c - the yardstick: a careful but simple binary tree of boxes. FROZEN.
 *
 * Every speed that Willow claims is a ratio to this file, so it does not change any more: neither
 * faster nor slower, whatever is learnt later. It is what a good programmer writes in a day:
 * median split along the longest axis, one triangle per leaf, 32 bytes per node with siblings in
 * one cache line, a backward sweep as the refit with vertex numbers in its order, a traversal with
 * its own stack that opens the larger box, and a triangle test in double precision. Compiled with
 * -O3 -march=native, its refit takes 7 to 10 ns per triangle on the machines that the numbers in
 * this project come from.
 *
 * Way in: peer_plain at the end for whole frames, plain.h for the parts. */
#include "bench/peers/plain.h"

#include "bench/peers/peer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the tree ---- */

/* Node 1 is the root; siblings stand at 2k and 2k + 1, in one cache line, and after their parent.
 * `child` is the first of the two children, 0 in a leaf. */
typedef struct node {
    float lower[3];
    uint32_t child;
    float upper[3];
    uint32_t tri;
} node;

_Static_assert(sizeof(node) == 32, "two nodes fill a cache line");

/* A triangle while the tree is built. */
typedef struct item {
    float centre[3];
    uint32_t tri;
} item;

struct plain_tree {
    node *nodes;
    item *items;
    uint32_t (
        *corners)[3]; /* vertex numbers of the leaves' triangles, in the order of the leaves */
    uint32_t triangle_count;
    uint32_t node_end; /* nodes are [1, node_end) */
};

static void *cache_aligned(size_t size) { return aligned_alloc(64, (size + 63) / 64 * 64); }

plain_tree *plain_tree_create(uint32_t triangle_count)
{
    plain_tree *tree = calloc(1, sizeof *tree);
    if (tree == NULL) {
        return NULL;
    }
    tree->triangle_count = triangle_count;
    tree->nodes = cache_aligned((2 * (size_t)triangle_count + 2) * sizeof(node));
    tree->items = cache_aligned(((size_t)triangle_count + 1) * sizeof(item));
    tree->corners = cache_aligned(((size_t)triangle_count + 1) * sizeof *tree->corners);
    if (tree->nodes == NULL || tree->items == NULL || tree->corners == NULL) {
        plain_tree_destroy(tree);
        return NULL;
    }
    return tree;
}

void plain_tree_destroy(plain_tree *tree)
{
    if (tree != NULL) {
        free(tree->nodes);
        free(tree->items);
        free(tree->corners);
        free(tree);
    }
}

size_t plain_tree_bytes(const plain_tree *tree)
{
    size_t count = tree->triangle_count;
    return sizeof *tree + (2 * count + 2) * sizeof(node) +
           (count + 1) * (sizeof(item) + sizeof *tree->corners);
}

static inline float min2(float a, float b) { return a < b ? a : b; }

static inline float max2(float a, float b) { return a > b ? a : b; }

static inline const float *vertex(const plain_mesh *mesh, uint32_t tri, uint32_t corner)
{
    return mesh->positions + mesh->indices[3 * (size_t)tri + corner] * mesh->stride;
}

static inline void bound_triangle(node *leaf, const plain_mesh *mesh, const uint32_t corners[3])
{
    const float *a = mesh->positions + corners[0] * mesh->stride;
    const float *b = mesh->positions + corners[1] * mesh->stride;
    const float *c = mesh->positions + corners[2] * mesh->stride;
    for (int k = 0; k < 3; k++) {
        float p = a[k], q = b[k], r = c[k];
        leaf->lower[k] = min2(min2(p, q), r);
        leaf->upper[k] = max2(max2(p, q), r);
    }
}

static inline void bound_children(node *parent, const node *child)
{
    for (int k = 0; k < 3; k++) {
        parent->lower[k] = min2(child[0].lower[k], child[1].lower[k]);
        parent->upper[k] = max2(child[0].upper[k], child[1].upper[k]);
    }
}

/* Children follow their parent, so a backward sweep meets them first. */
void plain_tree_refit(plain_tree *tree, const plain_mesh *mesh)
{
    node *nodes = tree->nodes;
    plain_mesh m = *mesh;
    uint32_t leaf = tree->triangle_count;
    for (uint32_t i = tree->node_end; i-- > 1;) {
        if (nodes[i].child == 0) {
            bound_triangle(&nodes[i], &m, tree->corners[--leaf]);
        } else {
            bound_children(&nodes[i], &nodes[nodes[i].child]);
        }
    }
}

/* ---- the build ---- */

static int longest_axis(const item *items, uint32_t count)
{
    float lower[3], upper[3];
    memcpy(lower, items[0].centre, sizeof lower);
    memcpy(upper, items[0].centre, sizeof upper);
    for (uint32_t i = 1; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            lower[k] = min2(lower[k], items[i].centre[k]);
            upper[k] = max2(upper[k], items[i].centre[k]);
        }
    }
    int axis = 0;
    for (int k = 1; k < 3; k++) {
        if (upper[k] - lower[k] > upper[axis] - lower[axis]) {
            axis = k;
        }
    }
    return axis;
}

static float middle_of_three(float a, float b, float c)
{
    return max2(min2(a, b), min2(max2(a, b), c));
}

/* Puts the `middle` smallest items along the axis in front. Hoare's selection: both scans stop at
 * equal keys, so that many equal centres still split evenly. */
static void split_at(item *items, uint32_t count, uint32_t middle, int axis)
{
    int64_t first = 0, last = (int64_t)count - 1;
    while (first < last) {
        float pivot = middle_of_three(items[first].centre[axis],
                                      items[first + (last - first) / 2].centre[axis],
                                      items[last].centre[axis]);
        int64_t i = first, j = last;
        while (i <= j) {
            while (items[i].centre[axis] < pivot) {
                i++;
            }
            while (items[j].centre[axis] > pivot) {
                j--;
            }
            if (i <= j) {
                item swapped = items[i];
                items[i++] = items[j];
                items[j--] = swapped;
            }
        }
        if ((int64_t)middle <= j) {
            last = j;
        } else if ((int64_t)middle >= i) {
            first = i;
        } else {
            return;
        }
    }
}

static void fill_items(plain_tree *tree, const plain_mesh *mesh)
{
    for (uint32_t i = 0; i < tree->triangle_count; i++) {
        const float *a = vertex(mesh, i, 0), *b = vertex(mesh, i, 1), *c = vertex(mesh, i, 2);
        for (int k = 0; k < 3; k++) {
            tree->items[i].centre[k] = a[k] * (1.0f / 3) + b[k] * (1.0f / 3) + c[k] * (1.0f / 3);
        }
        tree->items[i].tri = i;
    }
}

/* A range of items that waits to become the node. Halves keep the depth at 32 or less, and the
 * stack holds one range per level. */
typedef struct range {
    uint32_t node, first, count;
} range;

static void grow_tree(plain_tree *tree)
{
    range stack[64];
    int height = 0;
    stack[height++] = (range){1, 0, tree->triangle_count};
    tree->node_end = 2;
    while (height > 0) {
        range r = stack[--height];
        item *items = tree->items + r.first;
        node *n = &tree->nodes[r.node];
        if (r.count == 1) {
            n->child = 0;
            n->tri = items[0].tri;
            continue;
        }
        uint32_t half = r.count / 2;
        split_at(items, r.count, half, longest_axis(items, r.count));
        n->child = tree->node_end;
        n->tri = 0;
        tree->node_end += 2;
        stack[height++] = (range){n->child + 1, r.first + half, r.count - half};
        stack[height++] = (range){n->child, r.first, half};
    }
}

static void copy_corners(plain_tree *tree, const plain_mesh *mesh)
{
    uint32_t leaf = 0;
    for (uint32_t i = 1; i < tree->node_end; i++) {
        if (tree->nodes[i].child == 0) {
            memcpy(tree->corners[leaf++], mesh->indices + 3 * (size_t)tree->nodes[i].tri,
                   sizeof *tree->corners);
        }
    }
}

void plain_tree_build(plain_tree *tree, const plain_mesh *mesh)
{
    tree->node_end = 1;
    if (tree->triangle_count > 0) {
        fill_items(tree, mesh);
        grow_tree(tree);
        copy_corners(tree, mesh);
        plain_tree_refit(tree, mesh);
    }
}

/* ---- the traversal ---- */

typedef struct node_pair {
    uint32_t a, b;
} node_pair;

/* A traversal that can be paused: it hands out candidates in blocks. In `stack`, a == b stands for
 * "all pairs within this node" when the walk is of one tree with itself. */
typedef struct walk {
    const node *nodes_a, *nodes_b;
    const uint32_t *indices; /* not NULL: one tree against itself */
    node_pair *stack;
    size_t height, capacity;
    bool failed;
} walk;

static inline bool boxes_overlap(const node *a, const node *b)
{
    return (a->lower[0] <= b->upper[0]) & (b->lower[0] <= a->upper[0]) &
           (a->lower[1] <= b->upper[1]) & (b->lower[1] <= a->upper[1]) &
           (a->lower[2] <= b->upper[2]) & (b->lower[2] <= a->upper[2]);
}

static inline float box_size(const node *n)
{
    return (n->upper[0] - n->lower[0]) + (n->upper[1] - n->lower[1]) + (n->upper[2] - n->lower[2]);
}

/* Room for four more, the most that one step pushes. */
static inline bool reserve_stack(walk *w)
{
    if (w->height + 4 <= w->capacity) {
        return true;
    }
    size_t capacity = 2 * w->capacity + 256;
    node_pair *stack = realloc(w->stack, capacity * sizeof *stack);
    if (stack == NULL) {
        w->failed = true;
        return false;
    }
    w->stack = stack;
    w->capacity = capacity;
    return true;
}

static inline void push_if_overlapping(walk *w, uint32_t a, uint32_t b)
{
    w->stack[w->height] = (node_pair){a, b};
    w->height += boxes_overlap(&w->nodes_a[a], &w->nodes_b[b]);
}

static void open_self(walk *w, uint32_t n)
{
    uint32_t child = w->nodes_a[n].child;
    if (child != 0) {
        push_if_overlapping(w, child, child + 1);
        w->stack[w->height++] = (node_pair){child, child};
        w->stack[w->height++] = (node_pair){child + 1, child + 1};
    }
}

static inline bool share_vertex(const uint32_t *indices, uint32_t a, uint32_t b)
{
    const uint32_t *p = indices + 3 * (size_t)a, *q = indices + 3 * (size_t)b;
    return (p[0] == q[0]) | (p[0] == q[1]) | (p[0] == q[2]) | (p[1] == q[0]) | (p[1] == q[1]) |
           (p[1] == q[2]) | (p[2] == q[0]) | (p[2] == q[1]) | (p[2] == q[2]);
}

/* Opens the larger box, or the one that can be opened. */
static inline void open_pair(walk *w, const node *a, const node *b, node_pair p)
{
    if (b->child == 0 || (a->child != 0 && box_size(a) >= box_size(b))) {
        push_if_overlapping(w, a->child, p.b);
        push_if_overlapping(w, a->child + 1, p.b);
    } else {
        push_if_overlapping(w, p.a, b->child);
        push_if_overlapping(w, p.a, b->child + 1);
    }
}

/* The next candidates, at most `most`; fewer only at the end. */
static size_t walk_on(walk *w, plain_pair *out, size_t most)
{
    size_t count = 0;
    while (w->height > 0 && count < most && reserve_stack(w)) {
        node_pair p = w->stack[--w->height];
        if (w->indices != NULL && p.a == p.b) {
            open_self(w, p.a);
            continue;
        }
        const node *a = &w->nodes_a[p.a], *b = &w->nodes_b[p.b];
        if ((a->child | b->child) != 0) {
            open_pair(w, a, b, p);
        } else if (w->indices == NULL) {
            out[count++] = (plain_pair){a->tri, b->tri};
        } else if (!share_vertex(w->indices, a->tri, b->tri)) {
            out[count++] =
                a->tri < b->tri ? (plain_pair){a->tri, b->tri} : (plain_pair){b->tri, a->tri};
        }
    }
    return count;
}

static bool walk_start(walk *w, const plain_tree *a, const plain_tree *b, const uint32_t *indices)
{
    *w = (walk){.nodes_a = a->nodes, .nodes_b = b->nodes, .indices = indices};
    if (a->triangle_count == 0 || b->triangle_count == 0) {
        return true;
    }
    if (!reserve_stack(w)) {
        return false;
    }
    push_if_overlapping(w, 1, 1);
    return true;
}

static bool reserve_pairs(plain_pairs *list, size_t more)
{
    if (list->count + more <= list->capacity) {
        return true;
    }
    size_t capacity = 2 * list->capacity + more;
    plain_pair *items = realloc(list->items, capacity * sizeof *items);
    if (items == NULL) {
        return false;
    }
    list->items = items;
    list->capacity = capacity;
    return true;
}

enum { BLOCK = 512 };

static bool collect(walk *w, plain_pairs *out)
{
    bool fine = true;
    while (fine && !w->failed && w->height > 0) {
        fine = reserve_pairs(out, BLOCK);
        if (fine) {
            out->count += walk_on(w, out->items + out->count, BLOCK);
        }
    }
    free(w->stack);
    return fine && !w->failed;
}

bool plain_collect_pairs(const plain_tree *a, const plain_tree *b, plain_pairs *out)
{
    walk w;
    return walk_start(&w, a, b, NULL) && collect(&w, out);
}

bool plain_collect_self(const plain_tree *tree, const plain_mesh *mesh, plain_pairs *out)
{
    walk w;
    return walk_start(&w, tree, tree, mesh->indices) && collect(&w, out);
}

/* ---- the triangle test ----
 *
 * Written for closed triangles A and B in general position, with a slow way for the rest.
 *
 * 1. The sides of B's corners to the plane of A: all strictly on one side, no meeting. The same
 *    with A and B exchanged.
 * 2. Both triangles now reach the line L in which the planes meet. In each, one corner (the apex)
 *    is alone on its side, and its two edges cut L in the ends of an interval. Let s_a and s_b be
 *    the sides of the apexes a0 and b0, and let L point along n_a x n_b. For an edge a0-a of A
 *    that cuts L at p and an edge b0-b of B that cuts it at q,
 *        sign(volume(a0, a, b0, b)) = s_a * s_b * sign(q - p),
 *    as is seen in coordinates with L as x, n_a as y and n_b as z.
 * 3. For s_a = +1 the edge a0-a2 cuts L below a0-a1, for s_a = -1 above it; in B it is the other
 *    way round. The intervals overlap if low(A) <= high(B) and low(B) <= high(A): two volumes.
 * 4. Coplanar triangles, segments and points: two triangles meet if and only if an edge of one
 *    meets the other. */

typedef struct vec {
    double x, y, z;
} vec;

static inline vec load(const float *p) { return (vec){p[0], p[1], p[2]}; }

static inline vec minus(vec a, vec b) { return (vec){a.x - b.x, a.y - b.y, a.z - b.z}; }

static inline vec cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static inline double volume(vec a, vec b, vec c, vec d)
{
    return dot(cross(minus(b, a), minus(c, a)), minus(d, a));
}

static inline bool is_zero(vec a) { return a.x == 0 && a.y == 0 && a.z == 0; }

/* The two coordinates that are left when the one in which the normal is longest is dropped. */
static void project(vec normal, vec p, double out[2])
{
    double x = fabs(normal.x), y = fabs(normal.y), z = fabs(normal.z);
    bool drop_x = x >= y && x >= z, drop_z = !drop_x && z > y;
    out[0] = drop_x ? p.y : p.x;
    out[1] = drop_z ? p.y : p.z;
}

static double area(const double a[2], const double b[2], const double c[2])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static bool spans_overlap(double a0, double a1, double b0, double b1)
{
    return fmin(a0, a1) <= fmax(b0, b1) && fmin(b0, b1) <= fmax(a0, a1);
}

static bool segments_in_line_meet(vec p, vec q, vec r, vec s)
{
    return spans_overlap(p.x, q.x, r.x, s.x) && spans_overlap(p.y, q.y, r.y, s.y) &&
           spans_overlap(p.z, q.z, r.z, s.z);
}

static bool strictly_one_side(double a, double b) { return (a > 0 && b > 0) || (a < 0 && b < 0); }

static bool segments_in_plane_meet(vec normal, vec p, vec q, vec r, vec s)
{
    double p2[2], q2[2], r2[2], s2[2];
    project(normal, p, p2);
    project(normal, q, q2);
    project(normal, r, r2);
    project(normal, s, s2);
    return !strictly_one_side(area(p2, q2, r2), area(p2, q2, s2)) &&
           !strictly_one_side(area(r2, s2, p2), area(r2, s2, q2)) &&
           segments_in_line_meet(p, q, r, s);
}

/* Segments and points anywhere in space. */
static bool segments_meet(vec p, vec q, vec r, vec s)
{
    if (volume(p, q, r, s) != 0) {
        return false;
    }
    vec normal = cross(minus(q, p), minus(s, r));
    if (!is_zero(normal)) {
        return segments_in_plane_meet(normal, p, q, r, s);
    }
    bool in_line = is_zero(cross(minus(q, p), minus(r, p))) &&
                   is_zero(cross(minus(q, p), minus(s, p))) &&
                   is_zero(cross(minus(s, r), minus(p, r)));
    return in_line && segments_in_line_meet(p, q, r, s);
}

static bool point_in_triangle(vec normal, vec p, const vec t[3])
{
    double p2[2], t2[3][2];
    project(normal, p, p2);
    for (int i = 0; i < 3; i++) {
        project(normal, t[i], t2[i]);
    }
    double u = area(t2[0], t2[1], p2), v = area(t2[1], t2[2], p2), w = area(t2[2], t2[0], p2);
    return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
}

static bool segment_meets_edges(vec p, vec q, const vec t[3])
{
    return segments_meet(p, q, t[0], t[1]) || segments_meet(p, q, t[1], t[2]) ||
           segments_meet(p, q, t[2], t[0]);
}

static bool segment_meets_triangle(vec p, vec q, const vec t[3])
{
    vec normal = cross(minus(t[1], t[0]), minus(t[2], t[0]));
    if (is_zero(normal)) {
        return segment_meets_edges(p, q, t);
    }
    double side_p = dot(normal, minus(p, t[0])), side_q = dot(normal, minus(q, t[0]));
    if (strictly_one_side(side_p, side_q)) {
        return false;
    }
    if (side_p == 0 && side_q == 0) {
        return point_in_triangle(normal, p, t) || segment_meets_edges(p, q, t);
    }
    double u = volume(p, q, t[0], t[1]), v = volume(p, q, t[1], t[2]), w = volume(p, q, t[2], t[0]);
    return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
}

/* Step 4. */
static bool special_triangles_meet(const vec a[3], const vec b[3])
{
    for (int i = 0; i < 3; i++) {
        int next = (i + 1) % 3;
        if (segment_meets_triangle(a[i], a[next], b) || segment_meets_triangle(b[i], b[next], a)) {
            return true;
        }
    }
    return false;
}

static inline bool all_above(const double d[3]) { return (d[0] > 0) & (d[1] > 0) & (d[2] > 0); }

static inline bool all_below(const double d[3]) { return (d[0] < 0) & (d[1] < 0) & (d[2] < 0); }

/* The corner that is alone on its side of the other plane, and that side: +1 or -1. A corner on
 * the plane counts to whichever side makes one corner alone. */
static inline int find_apex(const double d[3], double *side)
{
    int above = (d[0] > 0) + (d[1] > 0) + (d[2] > 0);
    int below = (d[0] < 0) + (d[1] < 0) + (d[2] < 0);
    if (above == 1) {
        *side = 1;
        return d[0] > 0 ? 0 : d[1] > 0 ? 1 : 2;
    }
    if (below == 1) {
        *side = -1;
        return d[0] < 0 ? 0 : d[1] < 0 ? 1 : 2;
    }
    /* Two on one side and one on the plane: that one touches. */
    *side = above == 2 ? -1 : 1;
    return d[0] == 0 ? 0 : d[1] == 0 ? 1 : 2;
}

/* Steps 2 and 3. */
static bool intervals_overlap(const vec a[3], const double da[3], const vec b[3],
                              const double db[3])
{
    double side_a, side_b;
    int i = find_apex(da, &side_a), j = find_apex(db, &side_b);
    int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    vec low_a = side_a > 0 ? a[i2] : a[i1], high_a = side_a > 0 ? a[i1] : a[i2];
    vec low_b = side_b > 0 ? b[j1] : b[j2], high_b = side_b > 0 ? b[j2] : b[j1];
    double sides = side_a * side_b;
    return sides * volume(a[i], low_a, b[j], high_b) >= 0 &&
           sides * volume(a[i], high_a, b[j], low_b) <= 0;
}

static bool triangles_meet(const vec a[3], const vec b[3])
{
    vec normal_a = cross(minus(a[1], a[0]), minus(a[2], a[0]));
    double db[3];
    for (int i = 0; i < 3; i++) {
        db[i] = dot(normal_a, minus(b[i], a[0]));
    }
    if (all_above(db) || all_below(db)) {
        return false;
    }
    vec normal_b = cross(minus(b[1], b[0]), minus(b[2], b[0]));
    double da[3];
    for (int i = 0; i < 3; i++) {
        da[i] = dot(normal_b, minus(a[i], b[0]));
    }
    if (all_above(da) || all_below(da)) {
        return false;
    }
    bool flat =
        (db[0] == 0 && db[1] == 0 && db[2] == 0) || (da[0] == 0 && da[1] == 0 && da[2] == 0);
    return flat ? special_triangles_meet(a, b) : intervals_overlap(a, da, b, db);
}

void plain_test_pairs(const plain_mesh *a, const plain_mesh *b, const plain_pair *candidates,
                      size_t count, uint8_t *out)
{
    for (size_t i = 0; i < count; i++) {
        vec p[3], q[3];
        for (uint32_t k = 0; k < 3; k++) {
            p[k] = load(vertex(a, candidates[i].tri_a, k));
            q[k] = load(vertex(b, candidates[i].tri_b, k));
        }
        out[i] = triangles_meet(p, q);
    }
}

/* ---- whole queries ---- */

static bool find(walk *w, const plain_mesh *a, const plain_mesh *b, size_t most, plain_pairs *out)
{
    plain_pair block[BLOCK];
    uint8_t meet[BLOCK];
    size_t block_size = most < 16 ? 16 : BLOCK;
    bool fine = true;
    while (fine && !w->failed && w->height > 0 && out->count < most) {
        size_t count = walk_on(w, block, block_size);
        plain_test_pairs(a, b, block, count, meet);
        fine = reserve_pairs(out, count);
        for (size_t i = 0; fine && i < count && out->count < most; i++) {
            out->items[out->count] = block[i];
            out->count += meet[i];
        }
    }
    free(w->stack);
    return fine && !w->failed;
}

bool plain_find_pairs(const plain_tree *tree_a, const plain_mesh *a, const plain_tree *tree_b,
                      const plain_mesh *b, size_t most, plain_pairs *out)
{
    walk w;
    return walk_start(&w, tree_a, tree_b, NULL) && find(&w, a, b, most, out);
}

bool plain_find_self(const plain_tree *tree, const plain_mesh *mesh, size_t most, plain_pairs *out)
{
    walk w;
    return walk_start(&w, tree, tree, mesh->indices) && find(&w, mesh, mesh, most, out);
}

/* ---- the peer ---- */

typedef struct plain_peer {
    uint32_t body_count;
    plain_mesh *meshes;
    plain_tree **trees;
    bool *self;
    plain_pairs found; /* of one pair of bodies */
    peer_pair *items;
    size_t count, capacity;
} plain_peer;

static void peer_destroy(void *context)
{
    plain_peer *peer = context;
    if (peer == NULL) {
        return;
    }
    for (uint32_t i = 0; peer->trees != NULL && i < peer->body_count; i++) {
        plain_tree_destroy(peer->trees[i]);
    }
    free(peer->meshes);
    free(peer->trees);
    free(peer->self);
    free(peer->found.items);
    free(peer->items);
    free(peer);
}

static bool peer_allocate(plain_peer *peer, uint32_t count)
{
    peer->body_count = count;
    peer->meshes = calloc(count + 1u, sizeof *peer->meshes);
    peer->trees = calloc(count + 1u, sizeof *peer->trees);
    peer->self = calloc(count + 1u, sizeof *peer->self);
    return peer->meshes != NULL && peer->trees != NULL && peer->self != NULL;
}

static void *peer_create(const peer_mesh *meshes, uint32_t count)
{
    plain_peer *peer = calloc(1, sizeof *peer);
    if (peer == NULL || !peer_allocate(peer, count)) {
        peer_destroy(peer);
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        peer->meshes[i] = (plain_mesh){.positions = meshes[i].positions,
                                       .stride = 3,
                                       .indices = meshes[i].indices,
                                       .triangle_count = meshes[i].triangle_count};
        peer->self[i] = meshes[i].self;
        peer->trees[i] = plain_tree_create(meshes[i].triangle_count);
        if (peer->trees[i] == NULL) {
            peer_destroy(peer);
            return NULL;
        }
        plain_tree_build(peer->trees[i], &peer->meshes[i]);
    }
    return peer;
}

static bool peer_update(void *context)
{
    plain_peer *peer = context;
    for (uint32_t i = 0; i < peer->body_count; i++) {
        plain_tree_refit(peer->trees[i], &peer->meshes[i]);
    }
    return true;
}

/* Moves what was found between bodies a and b to the result. */
static bool peer_keep(plain_peer *peer, uint32_t a, uint32_t b)
{
    size_t needed = peer->count + peer->found.count;
    if (needed > peer->capacity) {
        peer_pair *items = realloc(peer->items, 2 * needed * sizeof *items);
        if (items == NULL) {
            return false;
        }
        peer->items = items;
        peer->capacity = 2 * needed;
    }
    for (size_t i = 0; i < peer->found.count; i++) {
        plain_pair found = peer->found.items[i];
        peer->items[peer->count++] = (peer_pair){a, b, found.tri_a, found.tri_b};
    }
    peer->found.count = 0;
    return true;
}

static bool peer_find_between(plain_peer *peer, uint32_t a, uint32_t b, size_t most)
{
    bool fine = a == b ? plain_find_self(peer->trees[a], &peer->meshes[a], most, &peer->found)
                       : plain_find_pairs(peer->trees[a], &peer->meshes[a], peer->trees[b],
                                          &peer->meshes[b], most, &peer->found);
    return fine && peer_keep(peer, a, b);
}

static bool peer_query(void *context, peer_question question, peer_pairs *out)
{
    plain_peer *peer = context;
    size_t most = question == PEER_FIRST ? 1 : SIZE_MAX;
    bool fine = true;
    peer->count = 0;
    for (uint32_t a = 0; a < peer->body_count; a++) {
        uint32_t end = question == PEER_SELF ? a + 1 : peer->body_count;
        for (uint32_t b = a; b < end && fine && peer->count < most; b++) {
            if (a != b || peer->self[a]) {
                fine = peer_find_between(peer, a, b, most);
            }
        }
    }
    *out = (peer_pairs){peer->items, peer->count};
    return fine;
}

static size_t peer_bytes(const void *context)
{
    const plain_peer *peer = context;
    size_t bytes = 0;
    for (uint32_t i = 0; i < peer->body_count; i++) {
        bytes += plain_tree_bytes(peer->trees[i]);
    }
    return bytes;
}

extern const peer_def peer_plain;
const peer_def peer_plain = {
    .name = "peer:plain",
    .summary = "the yardstick: binary tree, median split, one triangle per leaf, refitted",
    .create = peer_create,
    .destroy = peer_destroy,
    .update = peer_update,
    .query = peer_query,
    .bytes = peer_bytes,
};
