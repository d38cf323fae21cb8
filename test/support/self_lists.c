/* self_lists.c - kin, stars and rims by brute force.
 * Way in: self_check_kin, self_check_stars and self_check_rims. Quadratic in vertices or triangles:
 * for small meshes. */
#include "support/self_lists.h"
#include "support/kept.h"

#include <stdlib.h>
#include "base/kernel.h"
#include "support/odd_mesh.h"
#include "support/test.h"
#include "support/zoo_cases.h"

void self_expect_broken(const wi_tree *h, const char *words)
{
    const char *broken = wi_tree_validate_lists(h);
    if (broken == NULL || strcmp(broken, words) != 0)
        fail_msg("\"%s\" is broken, and \"%s\" is found", words, broken ? broken : "nothing");
}

void self_lists_make(tree_site *s)
{
    assert_true(make_shared(&s->memory, &s->workspace, &s->h));
    if (kept_self(&s->h)->shared.first_tie == NULL) return;
    assert_true(make_vertex_fans(&s->memory, &s->workspace, &s->h));
    assert_true(wi_boundary_loops_make(&s->memory, &s->workspace, &s->h));
}

static const uint32_t *tri_at(const wi_tree *h, uint32_t i)
{
    return h->mesh->tris[h->shape->slots[i]];
}

static bool has_vertex(const uint32_t tri[3], uint32_t vertex)
{
    return tri[0] == vertex || tri[1] == vertex || tri[2] == vertex;
}

static bool are_kin(const uint32_t a[3], const uint32_t b[3])
{
    return has_vertex(b, a[0]) || has_vertex(b, a[1]) || has_vertex(b, a[2]);
}

/* ---- kin ---- */

/* By triangle of a leaf: its leaf. */
static uint32_t *list_leaf_of(const wi_tree *h)
{
    uint32_t *leaf_of = calloc(h->shape->tri_count, sizeof *leaf_of);
    for (uint32_t leaf = 0; leaf < h->shape->leaf_count; leaf++)
        for (uint32_t i = 0; i < h->shape->leaves[leaf].tri_count; i++)
            leaf_of[h->shape->leaves[leaf].first_tri + i] = leaf;
    return leaf_of;
}

/* How often two triangles of different leaves are listed, the earlier leaf first. */
static unsigned count_listed(const wi_tree *h, uint32_t leaf_a, unsigned a, uint32_t leaf_b,
                             unsigned b)
{
    const wi_shared_vertices *kin = &kept_self(h)->shared;
    unsigned times = 0;
    for (uint32_t i = kin->first_tie[leaf_a]; i < kin->first_tie[leaf_a + 1]; i++) {
        const wi_tie *tie = &kin->ties.items[i];
        if (tie->leaf != leaf_b || (tie->tris >> a & 1) == 0) continue;
        uint32_t row = tie->first_row;
        for (unsigned earlier = 0; earlier < a; earlier++) row += tie->tris >> earlier & 1;
        times += kin->rows.items[row] >> b & 1;
    }
    return times;
}

/* Ties are to later leaves, in order, of triangles that are there, and none is empty. */
static void check_ties(const wi_tree *h, uint32_t leaf)
{
    const wi_shared_vertices *kin = &kept_self(h)->shared;
    for (uint32_t i = kin->first_tie[leaf]; i < kin->first_tie[leaf + 1]; i++) {
        const wi_tie *tie = &kin->ties.items[i];
        const uint32_t before = i == kin->first_tie[leaf] ? leaf : kin->ties.items[i - 1].leaf;
        assert_true(tie->leaf > before && tie->leaf < h->shape->leaf_count);
        assert_true(tie->tris != 0 && (uint64_t)tie->tris >> h->shape->leaves[leaf].tri_count == 0);
        for (int row = 0; row < __builtin_popcount(tie->tris); row++) {
            const uint32_t bits = kin->rows.items[tie->first_row + (uint32_t)row];
            assert_true(bits != 0 && (uint64_t)bits >> h->shape->leaves[tie->leaf].tri_count == 0);
        }
    }
}

/* Where two leaves, or the nodes above them, are said to have a hub in common, all are kin. */
static void check_common(const wi_tree *h, uint32_t leaf_a, uint32_t leaf_b, bool are)
{
    const wi_hubs *hubs = &kept_self(h)->shared.hubs;
    if (hubs->items == NULL || are) return;
    assert_false(wi_hubs_join(hubs, leaf_a | WI_IS_LEAF, leaf_b | WI_IS_LEAF));
    assert_int_equal(hubs->of_nodes[0], WI_NO_HUB);
}

static void check_two(const wi_tree *h, const uint32_t *leaf_of, uint32_t i, uint32_t k,
                      self_tally *tally)
{
    const bool are = are_kin(tri_at(h, i), tri_at(h, k));
    const uint32_t leaf_i = leaf_of[i], leaf_k = leaf_of[k];
    const unsigned a = i - h->shape->leaves[leaf_i].first_tri,
                   b = k - h->shape->leaves[leaf_k].first_tri;
    if (leaf_i == leaf_k) {
        assert_int_equal(kept_self(h)->shared.within[i] >> b & 1, are);
        assert_int_equal(kept_self(h)->shared.within[k] >> a & 1, are);
        tally->within += are;
    } else {
        const wi_shared_vertices *kin = &kept_self(h)->shared;
        const wi_leaf_kin leaves = wi_shared_vertices_between(kin, leaf_i, leaf_k);
        const unsigned times = count_listed(h, leaf_i, a, leaf_k, b);
        const bool by_hub =
            leaves.has_hubs && (wi_hubs_row(&kin->hubs, leaf_i, a, leaf_k) >> b & 1);
        assert_true(times <= 1);
        assert_int_equal(times == 1 || by_hub, are);
        assert_int_equal(wi_leaf_kin_row(&leaves, a) >> b & 1, are);
        tally->across += are;
        tally->by_hub += by_hub;
        check_common(h, leaf_i, leaf_k, are);
    }
    tally->strangers += !are;
}

void self_check_kin(const wi_tree *h, self_tally *tally)
{
    tally->trees++;
    tally->unlisted += kept_self(h)->shared.first_tie == NULL;
    if (kept_self(h)->shared.first_tie == NULL) return;
    uint32_t *leaf_of = list_leaf_of(h);
    assert_int_equal(kept_self(h)->shared.first_tie[0], 0);
    assert_int_equal(kept_self(h)->shared.first_tie[h->shape->leaf_count],
                     kept_self(h)->shared.ties.count);
    for (uint32_t leaf = 0; leaf < h->shape->leaf_count; leaf++) check_ties(h, leaf);
    for (uint32_t i = 0; i < h->shape->tri_count; i++) {
        const wi_leaf *leaf = &h->shape->leaves[leaf_of[i]];
        assert_true((uint64_t)kept_self(h)->shared.within[i] >> leaf->tri_count == 0);
        assert_int_equal(kept_self(h)->shared.within[i] >> (i - leaf->first_tri) & 1, 0);
        for (uint32_t k = i + 1; k < h->shape->tri_count; k++) check_two(h, leaf_of, i, k, tally);
    }
    free(leaf_of);
}

/* ---- stars ---- */

/* A vertex and the triangles that collide there. */
typedef struct vertex_tris {
    uint32_t vertex;
    uint32_t *slots, count;
} vertex_tris;

static void find_tris(const wi_mesh *mesh, uint32_t vertex, vertex_tris *v)
{
    v->vertex = vertex;
    v->count = 0;
    for (uint32_t slot = 0; slot < mesh->tri_count; slot++)
        if (wi_mesh_collides(mesh, slot) && has_vertex(mesh->tris[slot], vertex))
            v->slots[v->count++] = slot;
}

/* How many of its triangles have a vertex. */
static uint32_t count_with(const wi_mesh *mesh, const vertex_tris *v, uint32_t other)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < v->count; i++) count += has_vertex(mesh->tris[v->slots[i]], other);
    return count;
}

static bool is_proper(const uint32_t tri[3])
{
    return tri[0] != tri[1] && tri[1] != tri[2] && tri[2] != tri[0];
}

/* The triangles hang together by edges at the vertex. Marks go from the first one on. */
static bool is_one_piece(const wi_mesh *mesh, const vertex_tris *v)
{
    uint32_t met = 1, seen[WI_MAX_FAN] = {1};
    for (uint32_t round = 0; round < v->count; round++)
        for (uint32_t i = 0; i < v->count; i++)
            for (uint32_t k = 0; k < v->count && !seen[i]; k++)
                for (int c = 0; c < 3 && !seen[i]; c++) {
                    const uint32_t other = mesh->tris[v->slots[k]][c];
                    if (!seen[k] || other == v->vertex) continue;
                    seen[i] = has_vertex(mesh->tris[v->slots[i]], other);
                    met += seen[i];
                }
    return met == v->count;
}

/* Open, closed, or odd: by how many triangles each edge at the vertex has. */
typedef enum star_kind { STAR_OPEN, STAR_CLOSED, STAR_ODD } star_kind;

static star_kind kind_of(const wi_mesh *mesh, const vertex_tris *v)
{
    uint32_t ends = 0;
    if (v->count > WI_MAX_FAN) return STAR_ODD;
    for (uint32_t i = 0; i < v->count; i++) {
        const uint32_t *tri = mesh->tris[v->slots[i]];
        if (!is_proper(tri)) return STAR_ODD;
        for (int c = 0; c < 3; c++) {
            if (tri[c] == v->vertex) continue;
            const uint32_t sharing = count_with(mesh, v, tri[c]);
            if (sharing > 2) return STAR_ODD;
            ends += sharing == 1;
        }
    }
    if (!is_one_piece(mesh, v)) return STAR_ODD;
    if (ends == 0) return v->count > 2 ? STAR_CLOSED : STAR_ODD;
    return STAR_OPEN;
}

static bool is_listed_slot(const vertex_tris *v, uint32_t slot)
{
    for (uint32_t i = 0; i < v->count; i++)
        if (v->slots[i] == slot) return true;
    return false;
}

/* One star of a group: its triangles follow each other, and are those of the vertex. */
static void check_star(const wi_tree *h, const wi_fan_group *group, unsigned lane,
                       const vertex_tris *v)
{
    const wi_mesh *mesh = h->mesh;
    const uint32_t *ring = wi_fan_ring(&kept_self(h)->fans, group) + lane;
    const uint32_t *slots = wi_fan_slots(&kept_self(h)->fans, group) + lane;
    const unsigned points = group->is_closed ? group->length : group->length + 1U;
    const star_kind kind = kind_of(mesh, v);
    assert_int_equal(kind, group->is_closed ? STAR_CLOSED : STAR_OPEN);
    assert_int_equal(group->length, v->count);
    for (unsigned i = 0; i < group->length; i++) {
        const uint32_t slot = slots[i * WI_LANES], *tri = mesh->tris[slot];
        const wi_spot from = ring[i * WI_LANES], to = ring[(i + 1) % points * WI_LANES];
        assert_true(is_listed_slot(v, slot));
        for (unsigned k = 0; k < i; k++) assert_int_not_equal(slots[k * WI_LANES], slot);
        for (int c = 0; c < 3; c++) {
            const wi_spot spot = wi_mesh_spot(mesh, tri[c]);
            assert_true(tri[c] == v->vertex || spot == from || spot == to);
        }
        assert_true(from != to && from != wi_mesh_spot(mesh, v->vertex));
        assert_true(to != wi_mesh_spot(mesh, v->vertex));
    }
}

static void check_odd(const wi_tree *h, const wi_odd_fan *odd, const vertex_tris *v)
{
    const uint32_t *slots = kept_self(h)->fans.odd_slots.items;
    assert_int_equal(kind_of(h->mesh, v), STAR_ODD);
    assert_int_equal(odd->last - odd->first, v->count);
    for (uint32_t i = odd->first; i < odd->last; i++) {
        assert_true(is_listed_slot(v, slots[i]));
        for (uint32_t k = odd->first; k < i; k++) assert_int_not_equal(slots[k], slots[i]);
    }
}

/* In how many stars the vertex is the centre; each is checked. */
static unsigned check_vertex(const wi_tree *h, const vertex_tris *v, self_tally *tally)
{
    const wi_vertex_fans *stars = &kept_self(h)->fans;
    const wi_spot spot = wi_mesh_spot(h->mesh, v->vertex);
    unsigned found = 0;
    for (size_t i = 0; i < stars->groups.count; i++) {
        const wi_fan_group *group = &stars->groups.items[i];
        for (unsigned lane = 0; lane < group->count; lane++) {
            if (wi_fan_centres(stars, group)[lane] != spot) continue;
            check_star(h, group, lane, v);
            *(group->is_closed ? &tally->closed_stars : &tally->open_stars) += 1;
            found++;
        }
    }
    for (size_t i = 0; i < stars->odd.count; i++) {
        if (stars->odd.items[i].centre != spot) continue;
        check_odd(h, &stars->odd.items[i], v);
        tally->odd_stars++;
        found++;
    }
    return found;
}

/* Lanes without a star repeat the first, and of each kind only the last group may have such. */
static void check_groups(const wi_tree *h)
{
    const wi_vertex_fans *stars = &kept_self(h)->fans;
    bool has_room[2][WI_MAX_FAN + 1] = {{false}};
    for (size_t i = 0; i < stars->groups.count; i++) {
        const wi_fan_group *group = &stars->groups.items[i];
        const unsigned rows = 1U + wi_fan_points(group) + group->length;
        assert_true(group->count > 0 && group->count <= WI_LANES && group->length <= WI_MAX_FAN);
        assert_false(has_room[group->is_closed][group->length]);
        has_room[group->is_closed][group->length] = group->count < WI_LANES;
        assert_true(group->first + (size_t)rows * WI_LANES <= stars->numbers.count);
        for (unsigned row = 0; row < rows; row++)
            for (unsigned lane = group->count; lane < WI_LANES; lane++) {
                const uint32_t *at = stars->numbers.items + group->first + (size_t)row * WI_LANES;
                assert_int_equal(at[lane], at[0]);
            }
    }
}

void self_check_stars(const wi_tree *h, self_tally *tally)
{
    tally->trees++;
    tally->unlisted += kept_self(h)->shared.first_tie == NULL;
    assert_int_equal(kept_self(h)->fans.are_made, kept_self(h)->shared.first_tie != NULL);
    if (kept_self(h)->shared.first_tie == NULL) return;
    const wi_mesh *mesh = h->mesh;
    vertex_tris v = {.slots = calloc((size_t)mesh->tri_count + 1, sizeof *v.slots)};
    size_t centres = 0, listed = kept_self(h)->fans.odd.count;
    check_groups(h);
    for (size_t i = 0; i < kept_self(h)->fans.groups.count; i++)
        listed += kept_self(h)->fans.groups.items[i].count;
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++) {
        if (wi_mesh_stand_in(mesh, vertex) != vertex) continue;
        find_tris(mesh, vertex, &v);
        const unsigned found = check_vertex(h, &v, tally);
        assert_true(found <= 1);
        assert_true(found == 1 || v.count < 2);
        assert_true(found == 0 || v.count > 0);
        centres += found;
    }
    assert_int_equal(centres, listed);
    free(v.slots);
}

/* ---- rims ---- */

/* Directed edges between vertices, in square tables. */
typedef struct edge_tables {
    const wi_tree *h;
    size_t vertices;
    uint16_t *in_tree; /* how often the triangles of all leaves have an edge */
    int16_t *net;      /* the same for those of the cluster at hand, less the other way round */
    bool *is_within;   /* by leaf: of the cluster, or around it */
    uint32_t (*boundary)[2], boundary_count;
} edge_tables;

static void open_tables(edge_tables *t, const wi_tree *h)
{
    const size_t vertices = h->mesh->vertex_count;
    *t = (edge_tables){.h = h, .vertices = vertices};
    t->in_tree = calloc(vertices * vertices, sizeof *t->in_tree);
    t->net = calloc(vertices * vertices, sizeof *t->net);
    t->is_within = calloc(h->shape->leaf_count, sizeof *t->is_within);
    t->boundary = calloc(3 * (size_t)h->shape->tri_count, sizeof *t->boundary);
    for (uint32_t i = 0; i < h->shape->tri_count; i++)
        for (int c = 0; c < 3; c++)
            t->in_tree[tri_at(h, i)[c] * vertices + tri_at(h, i)[(c + 1) % 3]]++;
}

static void close_tables(edge_tables *t)
{
    free(t->in_tree);
    free(t->net);
    free(t->is_within);
    free(t->boundary);
}

/* The leaves of a cluster; 0 if it has none. */
static uint32_t own_leaves(const wi_tree *h, uint32_t cluster, uint32_t *first)
{
    *first = cluster;
    if (cluster < h->shape->leaf_count) return 1;
    const wi_node *view = &h->boxes.nodes[cluster - h->shape->leaf_count];
    *first = view->child[0];
    for (unsigned lane = 0; lane < view->count; lane++) {
        if ((view->leaf_mask >> lane & 1) == 0) return 0;
        assert_int_equal(view->child[lane], *first + lane);
    }
    return view->count;
}

static bool leaves_share(const wi_tree *h, uint32_t a, uint32_t b)
{
    const wi_leaf *leaf_a = &h->shape->leaves[a], *leaf_b = &h->shape->leaves[b];
    for (uint32_t i = 0; i < leaf_a->tri_count; i++)
        for (uint32_t k = 0; k < leaf_b->tri_count; k++)
            if (are_kin(tri_at(h, leaf_a->first_tri + i), tri_at(h, leaf_b->first_tri + k)))
                return true;
    return false;
}

/* Marks the leaves of the cluster and those that share vertices with them; returns how many are
 * around. */
static uint32_t mark_within(edge_tables *t, uint32_t first, uint32_t count)
{
    uint32_t around = 0;
    for (uint32_t leaf = 0; leaf < t->h->shape->leaf_count; leaf++) {
        bool is_within = leaf >= first && leaf < first + count;
        for (uint32_t own = first; own < first + count && !is_within; own++)
            if (leaves_share(t->h, leaf, own)) is_within = true, around++;
        t->is_within[leaf] = is_within;
    }
    return around;
}

typedef void edge_visit(edge_tables *t, uint32_t leaf, size_t forth, size_t back);

static void visit_edges(edge_tables *t, edge_visit *visit)
{
    for (uint32_t leaf = 0; leaf < t->h->shape->leaf_count; leaf++)
        for (uint32_t i = 0; i < 3U * t->h->shape->leaves[leaf].tri_count && t->is_within[leaf];
             i++) {
            const uint32_t *tri = tri_at(t->h, t->h->shape->leaves[leaf].first_tri + i / 3);
            const uint32_t from = tri[i % 3], to = tri[(i + 1) % 3];
            visit(t, leaf, from * t->vertices + to, to * t->vertices + from);
        }
}

static void add_edge(edge_tables *t, uint32_t leaf, size_t forth, size_t back)
{
    (void)leaf;
    t->net[forth]++;
    t->net[back]--;
}

static void forget_edge(edge_tables *t, uint32_t leaf, size_t forth, size_t back)
{
    (void)leaf;
    t->net[forth] = t->net[back] = 0;
}

/* Lists edges that occur more often than the other way round, as often as that; once. */
static void list_edge(edge_tables *t, uint32_t leaf, size_t forth, size_t back)
{
    (void)leaf;
    for (; t->net[forth] > 0; t->net[forth]--, t->net[back]++) {
        uint32_t *edge = t->boundary[t->boundary_count++];
        edge[0] = (uint32_t)(forth / t->vertices);
        edge[1] = (uint32_t)(forth % t->vertices);
    }
}

static void find_boundary(edge_tables *t)
{
    t->boundary_count = 0;
    visit_edges(t, add_edge);
    visit_edges(t, list_edge);
    visit_edges(t, forget_edge);
}

/* An edge of the leaves within that more than two triangles of the tree have, or two the same way
 * round. */
static bool has_crowded(const edge_tables *t)
{
    for (uint32_t i = 0, leaf = 0; i < t->h->shape->tri_count; i++) {
        while (i >= t->h->shape->leaves[leaf].first_tri + t->h->shape->leaves[leaf].tri_count)
            leaf++;
        for (int c = 0; c < 3 && t->is_within[leaf]; c++) {
            const uint32_t from = tri_at(t->h, i)[c], to = tri_at(t->h, i)[(c + 1) % 3];
            const unsigned forth = t->in_tree[from * t->vertices + to];
            const unsigned back = t->in_tree[to * t->vertices + from];
            if (from != to && (forth > 1 || back > 1)) return true;
        }
    }
    return false;
}

/* An edge of the boundary that a triangle of the cluster has. */
static bool is_at_border(const edge_tables *t, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < t->boundary_count; i++)
        for (uint32_t leaf = first; leaf < first + count; leaf++)
            for (uint32_t k = 0; k < t->h->shape->leaves[leaf].tri_count; k++) {
                const uint32_t *tri = tri_at(t->h, t->h->shape->leaves[leaf].first_tri + k);
                if (has_vertex(tri, t->boundary[i][0]) && has_vertex(tri, t->boundary[i][1]))
                    return true;
            }
    return false;
}

/* The edges of the boundary hang together at their vertices. */
static bool is_boundary_in_one(const edge_tables *t)
{
    bool *is_met = calloc(t->vertices, sizeof *is_met), grows = true, all = true;
    if (t->boundary_count > 0) is_met[t->boundary[0][0]] = true;
    while (grows) {
        grows = false;
        for (uint32_t i = 0; i < t->boundary_count; i++) {
            const uint32_t from = t->boundary[i][0], to = t->boundary[i][1];
            if (is_met[from] == is_met[to]) continue;
            is_met[from] = is_met[to] = grows = true;
        }
    }
    for (uint32_t i = 0; i < t->boundary_count; i++) all = all && is_met[t->boundary[i][0]];
    free(is_met);
    return all;
}

/* The way of a rim takes each edge of the boundary once, then stays where it began. */
static void check_way(edge_tables *t, const wi_boundary_loop *rim, self_tally *tally)
{
    const wi_mesh *mesh = t->h->mesh;
    const wi_spot *way = kept_self(t->h)->loops.vertices.items + rim->first_vertex;
    assert_true(rim->vertex_count > t->boundary_count && rim->vertex_count <= WI_MAX_LOOP);
    assert_int_equal(rim->vertex_count % WI_LANES, 0);
    assert_true(rim->vertex_count - t->boundary_count <= WI_LANES);
    for (unsigned i = t->boundary_count; i < rim->vertex_count; i++)
        assert_int_equal(way[i], way[0]);
    bool is_twisted = false;
    for (unsigned i = 0; i < t->boundary_count; i++) {
        unsigned times = 0;
        for (unsigned k = 0; k < t->boundary_count; k++)
            times += way[i] == wi_mesh_spot(mesh, t->boundary[k][0]) &&
                     way[i + 1] == wi_mesh_spot(mesh, t->boundary[k][1]);
        assert_int_equal(times, 1);
        for (unsigned k = 0; k < i; k++) {
            assert_true(way[i] != way[k] || way[i + 1] != way[k + 1]);
            is_twisted = is_twisted || way[i] == way[k];
        }
    }
    tally->rim_edges += t->boundary_count;
    tally->twisted_rims += is_twisted;
}

static void check_around(const edge_tables *t, const wi_boundary_loop *rim, uint32_t around)
{
    const uint32_t *own = KEPT_LEAVES(t->h, rim), *leaves = own + rim->own_count;
    assert_int_equal(rim->around_count, around);
    for (unsigned i = 0; i < rim->around_count; i++) {
        assert_true(leaves[i] < t->h->shape->leaf_count && t->is_within[leaves[i]]);
        for (unsigned k = 0; k < rim->own_count; k++) assert_int_not_equal(leaves[i], own[k]);
        for (unsigned k = 0; k < i; k++) assert_int_not_equal(leaves[i], leaves[k]);
    }
}

static bool has_hub(const wi_tree *h, uint32_t first, uint32_t count)
{
    const wi_hubs *hubs = &kept_self(h)->shared.hubs;
    for (uint32_t leaf = first; hubs->items && leaf < first + count; leaf++)
        if (wi_hubs_has_leaf(hubs, leaf)) return true;
    return false;
}

/* There is a reason for a cluster to have no rim, and none for one that has. */
static void check_cluster(edge_tables *t, uint32_t cluster, self_tally *tally)
{
    const wi_boundary_loop *rim = &kept_self(t->h)->loops.items[cluster];
    uint32_t first;
    const uint32_t count = own_leaves(t->h, cluster, &first);
    if (count == 0) {
        assert_int_equal(rim->vertex_count, 0);
        return;
    }
    const uint32_t around = mark_within(t, first, count);
    find_boundary(t);
    const bool is_border = is_at_border(t, first, count), is_crowded = has_crowded(t);
    const bool is_long = around > WI_MAX_AROUND || t->boundary_count >= WI_MAX_LOOP;
    const bool is_parted = !is_boundary_in_one(t), is_hub = has_hub(t->h, first, count);
    if (rim->vertex_count > 0) {
        assert_false(is_hub);
        assert_int_equal(rim->own_count, count);
        for (uint32_t i = 0; i < count; i++) assert_int_equal(KEPT_LEAVES(t->h, rim)[i], first + i);
        assert_false(is_long || is_parted || t->boundary_count == 0);
        assert_true(is_crowded || !is_border);
        check_around(t, rim, around);
        check_way(t, rim, tally);
        *(cluster < t->h->shape->leaf_count ? &tally->leaf_rims : &tally->node_rims) += 1;
    } else {
        assert_true(is_border || is_crowded || is_long || is_parted || is_hub ||
                    t->boundary_count == 0);
        tally->at_border += is_border;
        tally->crowded += is_crowded && !is_border;
        tally->too_long += is_long && !is_border && !is_crowded;
        tally->parted += is_parted && !is_border && !is_crowded;
        tally->no_boundary += t->boundary_count == 0 && !is_crowded;
    }
}

void self_check_rims(const wi_tree *h, self_tally *tally)
{
    tally->trees++;
    tally->unlisted += kept_self(h)->shared.first_tie == NULL;
    assert_int_equal(kept_self(h)->loops.items != NULL, kept_self(h)->shared.first_tie != NULL);
    if (kept_self(h)->shared.first_tie == NULL) return;
    edge_tables t;
    open_tables(&t, h);
    assert_int_equal(kept_self(h)->loops.leaf_count, h->shape->leaf_count);
    assert_int_equal(kept_self(h)->loops.cluster_count,
                     h->shape->leaf_count + h->shape->node_count);
    for (uint32_t node = 0; node < h->shape->node_count; node++)
        for (unsigned lane = 0; lane < h->boxes.nodes[node].count; lane++)
            if ((h->boxes.nodes[node].leaf_mask >> lane & 1) != 0)
                assert_int_equal(kept_self(h)->loops.nodes[h->boxes.nodes[node].child[lane]],
                                 h->shape->leaf_count + node);
    for (uint32_t cluster = 0; cluster < kept_self(h)->loops.cluster_count; cluster++)
        check_cluster(&t, cluster, tally);
    close_tables(&t);
}

/* ---- trees ---- */

static willow_tree_def tree_for(uint64_t i)
{
    willow_tree_def tree = zoo_tree(WILLOW_METHOD_BOTTOM_UP, zoo_arities[i % ZOO_ARITIES],
                                    zoo_leaf_sizes[i / ZOO_ARITIES % ZOO_LEAF_SIZES]);
    tree.build = zoo_build(i * 7 / 3);
    if (tree.build == WILLOW_BUILD_AUTO) tree.build = WILLOW_BUILD_MEDIAN;
    return tree;
}

static void visit_site(tree_site *s, uint64_t i, const char *words, self_visit *visit,
                       void *context)
{
    const willow_tree_def tree = tree_for(i);
    tree_site_build(s, i % 2 == 0 ? WILLOW_KERNEL_SCALAR : wi_kernel_choose(WILLOW_KERNEL_AUTO),
                    &tree);
    if (s->h.boxes.nodes) visit(s, words, context);
    tree_site_close(s);
}

void self_trees_visit(self_visit *visit, void *context)
{
    static const uint32_t sizes[] = {2, 30, 90, 200};
    tree_site s;
    for (zoo_kind kind = 0; kind < ZOO_KIND_COUNT; kind++)
        for (uint64_t i = 0; i < ZOO_ARITIES * ZOO_LEAF_SIZES; i++) {
            zoo_mesh mesh;
            zoo_mesh_create(&mesh, kind, 1 + 13 * (uint32_t)i, i);
            tree_site_open(&s, &(willow_mesh_def){.positions = mesh.positions,
                                                  .vertex_count = mesh.vertex_count,
                                                  .indices = mesh.tris,
                                                  .triangle_count = mesh.triangle_count,
                                                  .triangle_groups = mesh.groups,
                                                  .borrow = i % 4 == 3,
                                                  .weld_exact = mesh.weld});
            visit_site(&s, i + (uint64_t)kind, zoo_kind_name(kind), visit, context);
            zoo_mesh_destroy(&mesh);
        }
    for (odd_kind kind = 0; kind < ODD_KIND_COUNT; kind++)
        for (uint64_t i = 0; i < 12; i++) {
            odd_mesh_open(&s, kind, sizes[i % 4], i / 4);
            visit_site(&s, 5 * i + (uint64_t)kind, odd_kind_name(kind), visit, context);
        }
}
