/* find_place.c - after Otaduy and others 2007, section 4.1: a new triangle is wanted beside its
 * neighbours, and one that has none beside what is nearest. */
#include "tree/linked/find_place.h"

#include "base/check.h"
#include "tree/linked/edit_node.h"

/* ---- neighbours ---- */

/* Leaves that have vertices of a triangle. */
enum { MOST_CANDIDATES = 12, LOOKS_PER_VERTEX = 4 };

typedef struct candidates {
    uint32_t leaves[MOST_CANDIDATES];
    unsigned shared[MOST_CANDIDATES]; /* vertices of the triangle */
    unsigned count;
} candidates;

static void add_candidate(candidates *c, uint32_t leaf)
{
    unsigned i = 0;
    while (i < c->count && c->leaves[i] != leaf) i++;
    if (i == c->count) {
        c->leaves[c->count] = leaf;
        c->shared[c->count++] = 0;
    }
    c->shared[i]++;
}

static candidates find_candidates(const wi_tree *h, uint32_t slot)
{
    const wi_links *l = h->shape->links;
    candidates c = {.count = 0};
    for (int i = 0; i < 3; i++) {
        uint32_t entry = l->first_entry[h->mesh->tris[slot][i]];
        for (int look = 0; look < LOOKS_PER_VERTEX && entry != WI_NO_LINK; look++) {
            add_candidate(&c, entry / l->entries_per_leaf);
            entry = l->next_entry[entry];
        }
    }
    return c;
}

/* The one that grows least; of equals the one with most vertices of the triangle, then the first.
 */
static uint32_t best_candidate(const wi_tree *h, const candidates *c, const wi_box *box)
{
    const wi_links *l = h->shape->links;
    unsigned best = 0;
    double best_growth = INFINITY;
    for (unsigned i = 0; i < c->count; i++) {
        const uint32_t leaf = c->leaves[i];
        const wi_box own = wi_node_box(&h->boxes.nodes[l->leaf_node[leaf]], l->leaf_lane[leaf]);
        const double grows = wi_edit_growth(&own, box);
        if (grows > best_growth || (grows == best_growth && c->shared[i] <= c->shared[best]))
            continue;
        best = i;
        best_growth = grows;
    }
    return c->leaves[best];
}

/* ---- the nearest ---- */

/* A child that waits to be looked into: how far its box is from the triangle's, and how much it
 * would grow. */
typedef struct near_child {
    uint32_t number;
    double gap, growth;
} near_child;

typedef struct near_search {
    wi_tree *h;
    const wi_box *box;
    uint32_t leaf; /* the best so far */
    double gap;
} near_search;

static bool is_nearer(const near_child *a, const near_child *b)
{
    return a->gap < b->gap || (a->gap == b->gap && a->growth < b->growth);
}

/* The nearest child comes last, so that it is looked into first. */
static unsigned list_near(const near_search *s, const wi_node *view, near_child *out)
{
    for (unsigned lane = 0; lane < view->count; lane++) {
        const wi_box own = wi_node_box(view, lane);
        const near_child one = {view->child[lane], wi_box_squared_gap(&own, s->box),
                                wi_edit_growth(&own, s->box)};
        unsigned at = lane;
        for (; at > 0 && is_nearer(&out[at - 1], &one); at--) out[at] = out[at - 1];
        out[at] = one;
    }
    return view->count;
}

static void look_into_leaf(near_search *s, uint32_t number)
{
    const wi_leaf *leaf = &s->h->shape->leaves[number];
    for (unsigned i = 0; i < leaf->tri_count; i++) {
        const wi_box box = wi_edit_box_of_tri(s->h, s->h->shape->slots[leaf->first_tri + i]);
        const double gap = wi_box_squared_gap(&box, s->box);
        if (!(gap < s->gap)) continue;
        s->gap = gap;
        s->leaf = number;
    }
}

/* Of several at the same distance, as all are that it overlaps, the first on the way down: where
 * boxes grow least. */
static uint32_t nearest_leaf(wi_tree *h, const wi_tree_changes *c, const wi_box *box)
{
    near_child stack[WI_MOST_HEIGHT * WI_LANES];
    near_search s = {h, box, WI_NO_LINK, INFINITY};
    unsigned count = 1;
    stack[0] = (near_child){.number = 0};
    while (count > 0) {
        const near_child at = stack[--count];
        if (at.gap >= s.gap) continue;
        wi_edit_open_node(h, c, at.number);
        const wi_node *view = &h->boxes.nodes[at.number];
        near_child near[WI_LANES];
        const unsigned lanes = list_near(&s, view, near);
        for (unsigned i = lanes; i-- > 0 && view->leaf_mask != 0;)
            if (near[i].gap < s.gap) look_into_leaf(&s, near[i].number);
        if (view->leaf_mask != 0) continue;
        WI_ASSERT(count + lanes <= WI_MOST_HEIGHT * WI_LANES);
        for (unsigned i = 0; i < lanes; i++) stack[count++] = near[i];
    }
    WI_ASSERT(s.leaf != WI_NO_LINK);
    return s.leaf;
}

/* ---- either ---- */

uint32_t wi_find_place(wi_tree *h, const wi_tree_changes *c, uint32_t slot, const wi_box *box)
{
    const candidates near = find_candidates(h, slot);
    return near.count > 0 ? best_candidate(h, &near, box) : nearest_leaf(h, c, box);
}

/* How many of its vertices other triangles of the leaf have. */
static unsigned shared_with(const wi_tree *h, uint32_t slot, const wi_leaf *leaf)
{
    const uint32_t *tri = h->mesh->tris[slot];
    unsigned shared = 0;
    for (int k = 0; k < 3; k++)
        for (unsigned i = 0; i < leaf->tri_count; i++) {
            const uint32_t other = h->shape->slots[leaf->first_tri + i];
            const uint32_t *named = h->mesh->tris[other];
            if (other == slot || (named[0] != tri[k] && named[1] != tri[k] && named[2] != tri[k]))
                continue;
            shared++;
            break;
        }
    return shared;
}

bool wi_place_stays(const wi_tree *h, uint32_t slot, const wi_box *box)
{
    const wi_links *l = h->shape->links;
    const uint32_t leaf = l->leaf_of[slot];
    const wi_box own = wi_node_box(&h->boxes.nodes[l->leaf_node[leaf]], l->leaf_lane[leaf]);
    return wi_box_contains(&own, box) && shared_with(h, slot, &h->shape->leaves[leaf]) >= 2;
}
