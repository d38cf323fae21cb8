/* inherited.c - see inherited.h: lists what parts get of a tree, and a builder that reads it. */
#include "tree/build/inherited.h"

#include <string.h>

#include "base/check.h"
#include "tree/build/builder.h"
#include "tree/linked/links.h"

/* ---- what a part inherits ---- */

void wi_inherited_free(wi_memory *memory, wi_inherited *inherited)
{
    wi_free_array(memory, inherited->slots, inherited->room, sizeof *inherited->slots);
    wi_free_array(memory, inherited->runs, inherited->room, sizeof *inherited->runs);
    wi_free_array(memory, inherited->corners, inherited->room, sizeof *inherited->corners);
    wi_free_array(memory, inherited->vertices, inherited->vertex_room, sizeof *inherited->vertices);
    *inherited = (wi_inherited){0};
}

/* The leaf that a part got something of last. */
typedef struct last_seen {
    uint32_t node, depth;
} last_seen;

/* The depth of the lowest node above both or one of them. */
static uint32_t depth_above(const wi_node *nodes, last_seen a, last_seen b)
{
    for (; a.depth > b.depth; a.depth--) a.node = nodes[a.node].parent;
    for (; b.depth > a.depth; b.depth--) b.node = nodes[b.node].parent;
    for (; a.node != b.node; a.depth--) {
        WI_ASSERT(a.depth > 1);
        a.node = nodes[a.node].parent;
        b.node = nodes[b.node].parent;
    }
    return a.depth;
}

typedef struct inheriting {
    const wi_tree *from;
    const wi_heirs *heirs;
    last_seen *last;  /* by part */
    uint32_t *begins; /* by part: where the run of the leaf begins that is met now */
    uint32_t *met;    /* by part: one more than the last leaf that it has something of */
} inheriting;

static void begin_run(const inheriting *in, uint32_t number, uint32_t leaf, last_seen here)
{
    wi_inherited *part = in->heirs->parts[number];
    WI_ASSERT(part->count < part->room);
    wi_inherited_run *run = &part->runs[part->count];
    *run = (wi_inherited_run){.first_vertex = part->vertex_count};
    if (part->count > 0) run->depth = depth_above(in->from->boxes.nodes, in->last[number], here);
    in->begins[number] = part->count;
    in->met[number] = leaf + 1;
    in->last[number] = here;
}

static uint32_t vertex_in(const wi_heirs *heirs, uint32_t vertex, uint32_t part)
{
    size_t at = heirs->first_copy[vertex];
    while (heirs->vertices[at].part != part) at++;
    WI_ASSERT(at < heirs->first_copy[vertex + 1]);
    return heirs->vertices[at].vertex;
}

static void inherit_whole(const inheriting *in, uint32_t number, uint32_t part_number,
                          last_seen here)
{
    const wi_shape *s = in->from->shape;
    const wi_leaf *leaf = &s->leaves[number];
    wi_inherited *part = in->heirs->parts[part_number];
    begin_run(in, part_number, number, here);
    wi_inherited_run *run = &part->runs[part->count];
    memcpy(part->corners + part->count, s->corners + leaf->first_tri, 3 * (size_t)leaf->tri_count);
    for (unsigned i = 0; i < leaf->tri_count; i++)
        part->slots[part->count++] = in->heirs->tris[s->slots[leaf->first_tri + i]].triangle;
    run->end = part->count;
    run->vertex_count = leaf->vertex_count;
    for (unsigned i = 0; i < leaf->vertex_count; i++)
        part->vertices[part->vertex_count++] =
            vertex_in(in->heirs, s->leaf_vertices[leaf->first_vertex + i], part_number);
    WI_ASSERT(part->count <= part->room && part->vertex_count <= part->vertex_room);
}

static void inherit_pieces(const inheriting *in, uint32_t number, last_seen here)
{
    const wi_shape *s = in->from->shape;
    const wi_leaf *leaf = &s->leaves[number];
    for (unsigned i = 0; i < leaf->tri_count; i++) {
        const willow_part_triangle tri = in->heirs->tris[s->slots[leaf->first_tri + i]];
        wi_inherited *part = in->heirs->parts[tri.part];
        if (in->met[tri.part] != number + 1) begin_run(in, tri.part, number, here);
        part->slots[part->count++] = tri.triangle;
        part->runs[in->begins[tri.part]].end = part->count;
    }
}

/* The part that has all of a leaf, or WILLOW_NO_PART. */
static uint32_t part_of_leaf(const wi_shape *s, const wi_leaf *leaf, const wi_heirs *heirs)
{
    const uint32_t *slots = s->slots + leaf->first_tri;
    const uint32_t first = heirs->tris[slots[0]].part;
    WI_ASSERT(first != WILLOW_NO_PART && leaf->tri_count > 0);
    for (unsigned i = 1; i < leaf->tri_count; i++)
        if (heirs->tris[slots[i]].part != first) return WILLOW_NO_PART;
    return first;
}

static void inherit_leaf(const inheriting *in, uint32_t number, last_seen here)
{
    const wi_shape *s = in->from->shape;
    const uint32_t part = part_of_leaf(s, &s->leaves[number], in->heirs);
    if (part == WILLOW_NO_PART)
        inherit_pieces(in, number, here);
    else
        inherit_whole(in, number, part, here);
}

static void inherit_all(const inheriting *in)
{
    const wi_tree *from = in->from;
    wi_twig twig = {0, 1, 0};
    do {
        const wi_node *view = &from->boxes.nodes[twig.node];
        for (unsigned leaves = view->leaf_mask; leaves != 0; leaves &= leaves - 1)
            inherit_leaf(in, view->child[__builtin_ctz(leaves)],
                         (last_seen){twig.node, twig.depth});
    } while (wi_tree_next_node(from, &twig));
}

/* How much each of the parts gets. */
static void count_rooms(const wi_shape *s, const wi_heirs *heirs)
{
    for (uint32_t number = 0; number < s->leaf_count; number++) {
        const wi_leaf *leaf = &s->leaves[number];
        const uint32_t part = part_of_leaf(s, leaf, heirs);
        if (part != WILLOW_NO_PART) {
            heirs->parts[part]->room += leaf->tri_count;
            heirs->parts[part]->vertex_room += leaf->vertex_count;
            continue;
        }
        for (unsigned i = 0; i < leaf->tri_count; i++)
            heirs->parts[heirs->tris[s->slots[leaf->first_tri + i]].part]->room++;
    }
}

static bool allocate_part(wi_memory *memory, const willow_tree_def *def, wi_inherited *part)
{
    part->arity = def->arity;
    part->leaf_triangles = def->leaf_triangles;
    if (part->room == 0) return true;
    part->slots = wi_alloc_array(memory, part->room, sizeof *part->slots);
    part->runs = wi_alloc_array(memory, part->room, sizeof *part->runs);
    part->corners = wi_alloc_array(memory, part->room, sizeof *part->corners);
    part->vertices = wi_alloc_array(memory, part->vertex_room, sizeof *part->vertices);
    return part->slots && part->runs && part->corners && (part->vertices || !part->vertex_room);
}

bool wi_inherit(wi_memory *memory, const wi_tree *from, const wi_heirs *heirs)
{
    const uint32_t count = heirs->part_count;
    inheriting in = {.from = from, .heirs = heirs};
    WI_ASSERT(from->boxes.nodes && !wi_shape_is_linked(from->shape));
    WI_ASSERT(!wi_shape_is_grown(from->shape) && count > 0);
    count_rooms(from->shape, heirs);
    in.last = wi_alloc_array(memory, count, sizeof *in.last);
    in.begins = wi_alloc_array(memory, count, 2 * sizeof *in.begins);
    bool ok = in.last && in.begins;
    for (uint32_t i = 0; i < count && ok; i++)
        ok = allocate_part(memory, &from->def, heirs->parts[i]);
    if (ok) {
        in.met = in.begins + count;
        memset(in.met, 0, count * sizeof *in.met);
        inherit_all(&in);
    }
    wi_free_array(memory, in.last, count, sizeof *in.last);
    wi_free_array(memory, in.begins, count, 2 * sizeof *in.begins);
    return ok;
}

/* Slots are listed once each, so it is enough that there are as many, and that all collide. */
bool wi_inherited_fits(const wi_inherited *inherited, const wi_mesh *mesh,
                       const willow_tree_def *def)
{
    uint32_t count = 0;
    if (inherited->count == 0 || inherited->count > mesh->tri_count ||
        inherited->arity != def->arity || inherited->leaf_triangles != def->leaf_triangles)
        return false;
    for (uint32_t i = 0; i < inherited->count; i++)
        if (!wi_mesh_collides(mesh, inherited->slots[i])) return false;
    if (mesh->groups == NULL) return inherited->count == mesh->tri_count;
    for (uint32_t slot = 0; slot < mesh->tri_count; slot++) count += wi_mesh_collides(mesh, slot);
    return inherited->count == count;
}

/* ---- the builder ---- */

static const wi_inherited *inherited_of(const wi_builder *b) { return b->work; }

/* Nodes of parts are less full than those of a fresh tree. */
static void inherited_count(uint32_t tris, const willow_tree_def *def, uint32_t *nodes,
                            uint32_t *leaves)
{
    *leaves = tris / def->leaf_triangles + tris / (2 * def->leaf_triangles) + 1;
    *nodes = *leaves / (def->arity / 2) + 1;
}

static size_t inherited_work_size(const wi_mesh *mesh, size_t tris)
{
    (void)mesh, (void)tris;
    return 0;
}

static void inherited_begin(wi_builder *b, wi_workspace *workspace, uint32_t tris)
{
    (void)workspace, (void)tris;
    WI_ASSERT(inherited_of(b)->count == tris);
}

/* The borders of a range that are nearest to the root: how many, and the first few of them. */
static unsigned find_borders(const wi_inherited *in, const wi_range *r, uint32_t at[WI_LANES])
{
    const uint32_t end = r->first + r->count;
    uint32_t least = UINT32_MAX;
    unsigned count = 0;
    for (uint32_t i = in->runs[r->first].end; i < end; i = in->runs[i].end) {
        const uint32_t depth = in->runs[i].depth;
        WI_ASSERT(in->runs[i].end > i);
        if (depth > least) continue;
        if (depth < least) count = 0;
        least = depth;
        if (count < WI_LANES) at[count] = i;
        count++;
    }
    return count;
}

/* Parts parts[at] at borders; the others move up. */
static unsigned cut_at(wi_range *parts, unsigned count, unsigned at, const uint32_t *borders,
                       unsigned border_count)
{
    for (unsigned i = 0; i < border_count; i++)
        count = wi_range_cut(parts, count, at + i, borders[i] - parts[at + i].first);
    return count;
}

/* The largest part that is no leaf and was not looked at yet. */
static unsigned largest_open(const wi_builder *b, const wi_range *parts, unsigned count,
                             unsigned closed)
{
    unsigned best = count;
    for (unsigned i = 0; i < count; i++)
        if ((closed >> i & 1) == 0 && parts[i].count > b->tree->def.leaf_triangles &&
            (best == count || parts[i].count > parts[best].count))
            best = i;
    return best;
}

/* What is looked at stays so when parts before it become more. */
static unsigned shift_closed(unsigned closed, unsigned at, unsigned by)
{
    const unsigned below = (1U << at) - 1;
    return (closed & below) | (closed & ~below) << by;
}

/* Neighbours that fit into one leaf are one. */
static unsigned join_leaves(const wi_builder *b, wi_range *parts, unsigned count)
{
    unsigned kept = 0;
    for (unsigned i = 1; i < count; i++) {
        if (parts[kept].count + parts[i].count <= b->tree->def.leaf_triangles)
            parts[kept].count += parts[i].count;
        else
            parts[++kept] = parts[i];
    }
    WI_ASSERT(kept > 0);
    return kept + 1;
}

/* The children that the old node had, as far as they are left; and where lanes are left, too, the
 * children of the largest of these. */
static unsigned inherited_part(wi_builder *b, const wi_range *whole, wi_range parts[WI_LANES])
{
    const unsigned arity = b->tree->def.arity;
    unsigned count = 1, closed = 0;
    parts[0] = *whole;
    for (unsigned at = 0; at < count;) {
        uint32_t borders[WI_LANES];
        const unsigned found = find_borders(inherited_of(b), &parts[at], borders);
        if (found > 0 && count + found <= arity) {
            closed = shift_closed(closed, at, found);
            count = cut_at(parts, count, at, borders, found);
        } else {
            closed |= 1U << at;
        }
        at = largest_open(b, parts, count, closed);
    }
    WI_ASSERT(count > 1); /* no leaf of the old tree had so many, nor any of its nodes */
    return join_leaves(b, parts, count);
}

static wi_range_slots inherited_slots(const wi_builder *b, const wi_range *r)
{
    return (wi_range_slots){inherited_of(b)->slots + r->first, 1};
}

/* The order of vertices in a leaf that is whole stays but for what it owns, which comes first. */
static bool inherited_gather(wi_builder *b, const wi_range *r, wi_leaf *leaf)
{
    const wi_inherited *in = inherited_of(b);
    const wi_inherited_run *run = &in->runs[r->first];
    wi_shape *s = b->tree->shape;
    if (run->end != r->first + r->count || run->vertex_count == 0) return false;
    const uint32_t *from = in->vertices + run->first_vertex;
    uint32_t *vertices = b->leaf_vertices + s->leaf_vertex_count;
    uint8_t number[WI_MAX_LEAF_VERTICES], owned = 0;
    bool owns[WI_MAX_LEAF_VERTICES];
    for (unsigned i = 0; i < run->vertex_count; i++) {
        owns[i] = b->place[from[i]] == WI_NO_PLACE;
        number[i] = owned;
        vertices[owned] = from[i];
        owned = (uint8_t)(owned + owns[i]);
    }
    for (unsigned i = 0; i < owned; i++) b->place[vertices[i]] = b->place_count++;
    for (unsigned i = 0, next = owned; i < run->vertex_count; i++) {
        if (owns[i]) continue;
        vertices[next] = from[i];
        number[i] = (uint8_t)next++;
    }
    const uint8_t *corners = in->corners[r->first];
    uint8_t *out = s->corners[leaf->first_tri];
    for (unsigned i = 0; i < 3 * r->count; i++) out[i] = number[corners[i]];
    memcpy(s->slots + leaf->first_tri, in->slots + r->first, r->count * sizeof *in->slots);
    leaf->owned_count = owned;
    leaf->vertex_count = (uint8_t)run->vertex_count;
    return true;
}

static const wi_build_ops inherited_ops = {.build = WILLOW_BUILD_AUTO,
                                           .count = inherited_count,
                                           .work_size = inherited_work_size,
                                           .begin = inherited_begin,
                                           .part = inherited_part,
                                           .slots = inherited_slots,
                                           .gather = inherited_gather};

willow_result wi_tree_build_inherited(wi_memory *memory, wi_workspace *workspace,
                                      willow_kernel kernel, wi_mesh *mesh,
                                      const willow_tree_def *def, const wi_inherited *inherited,
                                      wi_tree *h)
{
    wi_inherited copy = *inherited;
    WI_ASSERT(wi_inherited_fits(inherited, mesh, def));
    return wi_tree_build_with(memory, workspace, kernel, mesh, def, &inherited_ops, &copy, h);
}
