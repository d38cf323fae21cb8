/* shared_vertices.c - lists which triangles of leaves share vertices.
 *
 * Way in: wi_shared_vertices_make, linear in what it lists. For every vertex the leaves that have
 * it are listed, with its triangles there; two leaves of one list are tied, unless it is that of a
 * hub. */
#include "tree/self/shared_vertices.h"

#include <string.h>

#include "base/check.h"
#include "base/containers/runs.h"
#include "tree/linked/links.h"
#include "tree/self/self_lists.h"
#include "tree/tree.h"

/* A smooth surface has about ten pairs of leaves at one vertex for each leaf. Many more are there
 * where most vertices are nearly hubs. */
enum { MOST_MEETINGS_PER_LEAF = 64 };

_Static_assert((int)WI_MAX_LEAF_TRIS <= 32, "triangles of a leaf are bits of a word");

/* A vertex in a leaf. */
typedef struct presence {
    uint32_t leaf;
    uint32_t tris; /* of the leaf, at the vertex, a bit each */
} presence;

typedef struct kin_maker {
    const wi_tree *h;
    wi_shared_vertices *kin;
    uint32_t *first; /* by vertex, and one more: in presences, by leaf */
    presence *presences;
    wi_gathered_tie *ties; /* of the leaf at hand */
    uint32_t *tie_of;      /* by leaf: its number in `ties`, if that is a tie with it */
    uint32_t tie_count;
} kin_maker;

static const uint32_t *vertices_of(const wi_tree *h, const wi_leaf *leaf)
{
    return h->shape->leaf_vertices + leaf->first_vertex;
}

/* Which triangles of the leaf name each of its vertices. */
static void list_tris(const wi_tree *h, const wi_leaf *leaf, uint32_t *tris)
{
    WI_ASSERT(leaf->tri_count <= WI_MAX_LEAF_TRIS && leaf->vertex_count <= WI_MAX_LEAF_VERTICES);
    memset(tris, 0, leaf->vertex_count * sizeof *tris);
    for (unsigned tri = 0; tri < leaf->tri_count; tri++)
        for (int i = 0; i < 3; i++)
            tris[h->shape->corners[leaf->first_tri + tri][i]] |= UINT32_C(1) << tri;
}

void wi_shared_vertices_within(const wi_tree *h, const wi_leaf *leaf, uint32_t *within)
{
    uint32_t tris[WI_MAX_LEAF_VERTICES];
    list_tris(h, leaf, tris);
    for (unsigned tri = 0; tri < leaf->tri_count; tri++) {
        const uint8_t *corner = h->shape->corners[leaf->first_tri + tri];
        within[leaf->first_tri + tri] =
            (tris[corner[0]] | tris[corner[1]] | tris[corner[2]]) & ~(UINT32_C(1) << tri);
    }
}

/* Counts the leaves of each vertex, makes the counts ends of runs, and fills these from the back,
 * so that the ends become the firsts. */
static void list_presences(kin_maker *m)
{
    const wi_tree *h = m->h;
    const uint32_t vertices = h->mesh->vertex_count;
    memset(m->first, 0, (vertices + (size_t)1) * sizeof *m->first);
    for (uint32_t i = 0; i < h->shape->leaf_vertex_count; i++)
        m->first[h->shape->leaf_vertices[i]]++;
    wi_runs_end(m->first, vertices);
    for (uint32_t number = h->shape->leaf_count; number-- > 0;) {
        const wi_leaf *leaf = &h->shape->leaves[number];
        uint32_t tris[WI_MAX_LEAF_VERTICES];
        list_tris(h, leaf, tris);
        for (unsigned i = 0; i < leaf->vertex_count; i++)
            m->presences[--m->first[vertices_of(h, leaf)[i]]] = (presence){number, tris[i]};
    }
}

static uint32_t leaves_of(const kin_maker *m, uint32_t vertex)
{
    WI_ASSERT(m->first[vertex] <= m->first[vertex + 1]);
    return m->first[vertex + 1] - m->first[vertex];
}

static bool is_hub(const kin_maker *m, uint32_t vertex)
{
    return leaves_of(m, vertex) > wi_most_leaves_of_a_vertex(m->h->def.leaf_triangles);
}

static uint64_t count_meetings(const kin_maker *m)
{
    uint64_t count = 0;
    for (uint32_t vertex = 0; vertex < m->h->mesh->vertex_count; vertex++) {
        const uint64_t leaves = leaves_of(m, vertex);
        if (!is_hub(m, vertex)) count += leaves * (leaves - (leaves > 0)) / 2;
    }
    return count;
}

/* Not more ties than this does any leaf have. */
static uint32_t count_most_ties(const kin_maker *m)
{
    const wi_tree *h = m->h;
    uint32_t most = 0;
    for (uint32_t number = 0; number < h->shape->leaf_count; number++) {
        const wi_leaf *leaf = &h->shape->leaves[number];
        uint32_t count = 0;
        for (unsigned i = 0; i < leaf->vertex_count; i++) {
            const uint32_t vertex = vertices_of(h, leaf)[i];
            if (!is_hub(m, vertex)) count += leaves_of(m, vertex) - 1;
        }
        most = count > most ? count : most;
    }
    return most < h->shape->leaf_count ? most : h->shape->leaf_count;
}

static wi_gathered_tie *tie_with(kin_maker *m, uint32_t leaf)
{
    WI_ASSERT(leaf < m->h->shape->leaf_count && m->tie_count <= m->h->shape->leaf_count);
    uint32_t at = m->tie_of[leaf];
    if (at < m->tie_count && m->ties[at].leaf == leaf) return &m->ties[at];
    m->tie_of[leaf] = m->tie_count;
    wi_gathered_tie *tie = &m->ties[m->tie_count++];
    memset(tie, 0, sizeof *tie);
    tie->leaf = leaf;
    return tie;
}

void wi_shared_vertices_sort(wi_gathered_tie *ties, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const wi_gathered_tie tie = ties[i];
        uint32_t at = i;
        for (; at > 0 && ties[at - 1].leaf > tie.leaf; at--) ties[at] = ties[at - 1];
        ties[at] = tie;
    }
}

/* The ties of a leaf with later ones; of a vertex's presences these come after its own. */
static void gather_ties(kin_maker *m, uint32_t number)
{
    const wi_tree *h = m->h;
    const wi_leaf *leaf = &h->shape->leaves[number];
    m->tie_count = 0;
    for (unsigned i = 0; i < leaf->vertex_count; i++) {
        const uint32_t vertex = vertices_of(h, leaf)[i];
        const presence *own = NULL;
        if (is_hub(m, vertex)) continue;
        for (uint32_t k = m->first[vertex]; k < m->first[vertex + 1]; k++) {
            const presence *other = &m->presences[k];
            if (other->leaf == number) own = other;
            if (other->leaf <= number) continue;
            WI_ASSERT(own != NULL); /* presences are in the order of leaves */
            wi_gathered_tie *tie = tie_with(m, other->leaf);
            for (uint32_t tris = own->tris; tris != 0; tris &= tris - 1)
                tie->rows[__builtin_ctz(tris)] |= other->tris;
        }
    }
    wi_shared_vertices_sort(m->ties, m->tie_count);
}

bool wi_shared_vertices_write(wi_memory *memory, wi_shared_vertices *kin,
                              const wi_gathered_tie *ties, uint32_t count)
{
    if (!wi_array_reserve(memory, &kin->ties, kin->ties.count + count) ||
        !wi_array_reserve(memory, &kin->rows, kin->rows.count + (size_t)count * WI_MAX_LEAF_TRIS))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        wi_tie *tie = &kin->ties.items[kin->ties.count++];
        *tie = (wi_tie){.leaf = ties[i].leaf, .first_row = (uint32_t)kin->rows.count};
        for (unsigned tri = 0; tri < WI_MAX_LEAF_TRIS; tri++) {
            if (ties[i].rows[tri] == 0) continue;
            tie->tris |= UINT32_C(1) << tri;
            kin->rows.items[kin->rows.count++] = ties[i].rows[tri];
            WI_ASSERT(kin->rows.count <= kin->rows.capacity);
        }
    }
    return true;
}

static uint32_t count_hubs(const kin_maker *m)
{
    uint32_t count = 0;
    for (uint32_t vertex = 0; vertex < m->h->mesh->vertex_count; vertex++)
        if (is_hub(m, vertex)) count += leaves_of(m, vertex);
    return count;
}

/* Each of them in all its leaves; vertices from the back, so that they are in order. */
static void fill_hubs(kin_maker *m)
{
    wi_hubs *hubs = &m->kin->hubs;
    memset(hubs->first, 0, ((size_t)hubs->leaf_count + 1) * sizeof *hubs->first);
    for (uint32_t vertex = 0; vertex < m->h->mesh->vertex_count; vertex++)
        for (uint32_t i = m->first[vertex]; is_hub(m, vertex) && i < m->first[vertex + 1]; i++)
            hubs->first[m->presences[i].leaf]++;
    wi_runs_end(hubs->first, hubs->leaf_count);
    for (uint32_t vertex = m->h->mesh->vertex_count; vertex-- > 0;)
        for (uint32_t i = m->first[vertex]; is_hub(m, vertex) && i < m->first[vertex + 1]; i++) {
            const presence *at = &m->presences[i];
            hubs->items[--hubs->first[at->leaf]] = (wi_hub){vertex, at->tris};
        }
}

/* False if there is no memory. */
static bool list_hubs(wi_memory *memory, kin_maker *m)
{
    const uint32_t count = count_hubs(m);
    if (count == 0) return true;
    if (!wi_hubs_reserve(memory, &m->kin->hubs, m->h, count)) return false;
    fill_hubs(m);
    wi_hubs_find_common(&m->kin->hubs, m->h);
    return true;
}

/* So many that a smooth surface needs no more. */
static bool sharing_reserve_usual(wi_memory *memory, wi_shared_vertices *kin,
                                  uint32_t leaf_triangles)
{
    enum { TIES = 4, ROWS_PER_TIE = 7 };
    const size_t ties = (size_t)TIES * kin->leaf_count;
    const size_t rows = leaf_triangles < ROWS_PER_TIE ? leaf_triangles : ROWS_PER_TIE;
    return wi_array_reserve(memory, &kin->ties, ties) &&
           wi_array_reserve(memory, &kin->rows, ties * rows);
}

static bool list_all(wi_memory *memory, kin_maker *m)
{
    const wi_tree *h = m->h;
    wi_shared_vertices *kin = m->kin;
    kin->within = wi_alloc_array(memory, kin->tri_count, sizeof *kin->within);
    kin->first_tie = wi_alloc_array(memory, (size_t)kin->leaf_count + 1, sizeof *kin->first_tie);
    kin->last_tie = kin->first_tie ? kin->first_tie + 1 : NULL;
    if (kin->within == NULL || kin->first_tie == NULL ||
        !sharing_reserve_usual(memory, kin, h->def.leaf_triangles))
        return false;
    for (uint32_t leaf = 0; leaf < h->shape->leaf_count; leaf++) {
        wi_shared_vertices_within(h, &h->shape->leaves[leaf], kin->within);
        kin->first_tie[leaf] = (uint32_t)kin->ties.count;
        gather_ties(m, leaf);
        if (!wi_shared_vertices_write(memory, kin, m->ties, m->tie_count)) return false;
    }
    kin->first_tie[h->shape->leaf_count] = (uint32_t)kin->ties.count;
    return true;
}

static bool take_presences(wi_memory *memory, wi_workspace *workspace, kin_maker *m)
{
    const size_t vertices = (size_t)m->h->mesh->vertex_count + 1;
    const size_t entries = m->h->shape->leaf_vertex_count;
    if (!wi_workspace_reserve(memory, workspace,
                              wi_workspace_size(vertices, sizeof *m->first) +
                                  wi_workspace_size(entries, sizeof *m->presences)))
        return false;
    m->first = wi_workspace_take(workspace, vertices, sizeof *m->first);
    m->presences = wi_workspace_take(workspace, entries, sizeof *m->presences);
    return true;
}

/* With room for the ties of any leaf, of which it is known only now how many there are. */
static bool sharing_fill(wi_memory *memory, kin_maker *m)
{
    const uint32_t leaves = m->h->shape->leaf_count, most = count_most_ties(m);
    m->ties = wi_alloc_array(memory, most, sizeof *m->ties);
    m->tie_of = wi_alloc_array(memory, leaves, sizeof *m->tie_of);
    bool ok = (m->ties || most == 0) && m->tie_of;
    if (ok) {
        memset(m->tie_of, 0, leaves * sizeof *m->tie_of);
        ok = list_hubs(memory, m) && list_all(memory, m);
    }
    wi_free_array(memory, m->ties, most, sizeof *m->ties);
    wi_free_array(memory, m->tie_of, leaves, sizeof *m->tie_of);
    if (!ok) wi_shared_vertices_free(memory, m->kin);
    return ok;
}

/* Numbers of ties, rows and, in other lists, of edges have 32 bits. */
static bool is_too_much(const kin_maker *m)
{
    const uint64_t meetings = count_meetings(m);
    return m->h->shape->tri_count > UINT32_MAX / 3 ||
           meetings > (uint64_t)MOST_MEETINGS_PER_LEAF * m->h->shape->leaf_count ||
           meetings > UINT32_MAX / WI_MAX_LEAF_TRIS;
}

bool wi_shared_vertices_make(wi_memory *memory, wi_workspace *workspace, wi_tree *h)
{
    wi_shared_vertices_free(memory, &h->shape->self->shared);
    kin_maker m = {.h = h, .kin = &h->shape->self->shared};
    if (!take_presences(memory, workspace, &m)) return false;
    list_presences(&m);
    if (is_too_much(&m)) return true;
    h->shape->self->shared.tri_count = h->shape->tri_count;
    h->shape->self->shared.leaf_count = h->shape->leaf_count;
    return sharing_fill(memory, &m);
}

void wi_shared_vertices_free(wi_memory *memory, wi_shared_vertices *kin)
{
    const bool is_packed = kin->last_tie == kin->first_tie + 1;
    wi_free_array(memory, kin->within, kin->tri_count, sizeof *kin->within);
    wi_free_array(memory, kin->first_tie, (size_t)kin->leaf_count + is_packed,
                  sizeof *kin->first_tie);
    if (!is_packed) wi_free_array(memory, kin->last_tie, kin->leaf_count, sizeof *kin->last_tie);
    wi_array_free(memory, &kin->ties);
    wi_array_free(memory, &kin->rows);
    wi_hubs_free(memory, &kin->hubs);
    *kin = (wi_shared_vertices){0};
}

size_t wi_shared_vertices_bytes(const wi_shared_vertices *kin)
{
    if (kin->first_tie == NULL) return 0;
    return kin->tri_count * sizeof *kin->within +
           ((size_t)kin->leaf_count + 1) * sizeof *kin->first_tie +
           kin->ties.capacity * sizeof *kin->ties.items +
           kin->rows.capacity * sizeof *kin->rows.items + wi_hubs_bytes(&kin->hubs);
}

/* What the lists say of two triangles, by leaf and number there. */
static bool are_listed(const wi_tree *h, uint32_t leaf_a, unsigned a, uint32_t leaf_b, unsigned b)
{
    const wi_shared_vertices *kin = &h->shape->self->shared;
    if (leaf_a == leaf_b)
        return (kin->within[h->shape->leaves[leaf_a].first_tri + a] >> b & 1) != 0;
    const wi_leaf_kin leaves = wi_shared_vertices_between(kin, leaf_a, leaf_b);
    return (wi_leaf_kin_row(&leaves, a) >> b & 1) != 0;
}

static bool share_vertex(const uint32_t a[3], const uint32_t b[3])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            if (a[i] == b[k]) return true;
    return false;
}

static const uint32_t *sharing_tri_of(const wi_tree *h, const wi_leaf *leaf, unsigned tri)
{
    return h->mesh->tris[h->shape->slots[leaf->first_tri + tri]];
}

/* Of one leaf with itself and with those that it is tied to. */
static const char *validate_listed(const wi_tree *h, uint32_t number, uint32_t other)
{
    const wi_leaf *a = &h->shape->leaves[number], *b = &h->shape->leaves[other];
    for (unsigned i = 0; i < a->tri_count; i++)
        for (unsigned k = number == other ? i + 1 : 0; k < b->tri_count; k++)
            if (are_listed(h, number, i, other, k) !=
                share_vertex(sharing_tri_of(h, a, i), sharing_tri_of(h, b, k)))
                return "I12: triangles are listed as kin that are none, or the reverse";
    return NULL;
}

/* Of a linked tree: all leaves that have a vertex are tied to each other. */
static const char *validate_links(const wi_tree *h, uint32_t number)
{
    const wi_links *l = h->shape->links;
    const wi_leaf *leaf = &h->shape->leaves[number];
    for (unsigned i = 0; i < leaf->vertex_count; i++) {
        uint32_t at = l->first_entry[vertices_of(h, leaf)[i]];
        for (; at != WI_NO_LINK; at = l->next_entry[at])
            if (at / l->entries_per_leaf > number &&
                wi_shared_vertices_tie(&h->shape->self->shared, number, at / l->entries_per_leaf) ==
                    NULL)
                return "I12: a tie is missing";
    }
    return NULL;
}

/* The leaf that owns a place: places follow each other from leaf to leaf (I3). */
static uint32_t owner_of(const wi_tree *h, uint32_t place)
{
    uint32_t low = 0, high = h->shape->leaf_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (h->shape->leaves[middle].first_place <= place)
            low = middle;
        else
            high = middle;
    }
    while (h->shape->leaves[low].owned_count == 0) low--;
    WI_ASSERT(place - h->shape->leaves[low].first_place < h->shape->leaves[low].owned_count);
    return low;
}

/* Is it listed as a hub of both leaves? */
static bool joins(const wi_hubs *hubs, uint32_t vertex, uint32_t leaf_a, uint32_t leaf_b)
{
    unsigned times = 0;
    if (hubs->items == NULL) return false;
    for (uint32_t i = hubs->first[leaf_a]; i < hubs->first[leaf_a + 1]; i++)
        times += hubs->items[i].vertex == vertex;
    for (uint32_t i = hubs->first[leaf_b]; i < hubs->first[leaf_b + 1]; i++)
        times += hubs->items[i].vertex == vertex;
    return times == 2;
}

/* Do two leaves have a vertex in common that is no hub? */
static bool must_be_tied(const wi_tree *h, uint32_t number_a, uint32_t number_b)
{
    const wi_leaf *a = &h->shape->leaves[number_a], *b = &h->shape->leaves[number_b];
    const wi_hubs *hubs = &h->shape->self->shared.hubs;
    for (unsigned i = 0; i < a->vertex_count; i++)
        for (unsigned k = 0; k < b->vertex_count; k++)
            if (vertices_of(h, a)[i] == vertices_of(h, b)[k] &&
                !joins(hubs, vertices_of(h, a)[i], number_a, number_b))
                return true;
    return false;
}

/* A vertex ties the leaf that owns it to the others that have it, and these to each other. */
static const char *validate_tied(const wi_tree *h, uint32_t number)
{
    const wi_shared_vertices *kin = &h->shape->self->shared;
    const wi_leaf *leaf = &h->shape->leaves[number];
    const unsigned border_count = (unsigned)leaf->vertex_count - leaf->owned_count;
    for (unsigned i = 0; i < border_count; i++) {
        const uint32_t owner = owner_of(h, wi_leaf_border(h, leaf)[i]);
        if (wi_shared_vertices_tie(kin, owner, number) == NULL &&
            !joins(&kin->hubs, vertices_of(h, leaf)[leaf->owned_count + i], owner, number))
            return "I12: the tie of a leaf with the owner of a vertex is missing";
    }
    for (uint32_t i = kin->first_tie[number]; i < kin->last_tie[number]; i++)
        for (uint32_t k = i + 1; k < kin->last_tie[number]; k++) {
            const uint32_t a = kin->ties.items[i].leaf, b = kin->ties.items[k].leaf;
            if (wi_shared_vertices_tie(kin, a, b) == NULL && must_be_tied(h, a, b))
                return "I12: a tie is missing";
        }
    return NULL;
}

static const char *sharing_validate_leaf(const wi_tree *h, uint32_t number)
{
    const wi_shared_vertices *kin = &h->shape->self->shared;
    const char *broken = validate_listed(h, number, number);
    for (uint32_t i = kin->first_tie[number]; broken == NULL && i < kin->last_tie[number]; i++)
        broken =
            kin->ties.items[i].leaf <= number || kin->ties.items[i].leaf >= h->shape->leaf_count
                ? "I12: a tie is not to a later leaf"
                : validate_listed(h, number, kin->ties.items[i].leaf);
    if (broken) return broken;
    return wi_shape_is_linked(h->shape) ? validate_links(h, number) : validate_tied(h, number);
}

const char *wi_shared_vertices_validate(const wi_tree *h)
{
    if (h->shape->self->shared.first_tie == NULL) return NULL;
    const bool is_linked = wi_shape_is_linked(h->shape);
    if (h->shape->self->shared.leaf_count !=
            (is_linked ? h->shape->leaf_room : h->shape->leaf_count) ||
        h->shape->self->shared.tri_count != (is_linked ? h->shape->tri_room : h->shape->tri_count))
        return "I12: kin are listed of another tree";
    for (uint32_t number = 0; number < h->shape->leaf_count; number++) {
        const char *broken = sharing_validate_leaf(h, number);
        if (broken) return broken;
    }
    return wi_hubs_validate(&h->shape->self->shared.hubs, h);
}
