/* blend_account.c - keeps the account. */
#include "update/auto/blend_account.h"

#include "base/check.h"
#include "update/auto/auto.h"
#include "update/auto/opened_nodes.h"
#include "update/skin/skin.h"

/* The unit is one term of one vertex, which a refit does as a stream. Opening a node sums up the
 * ends of eight boxes, twelve quads for each term where a vertex is one. Bounding a vertex costs as
 * much as a term; what a query does with a vertex of a leaf that it reaches, as much as twelve, and
 * in boxes that are too large it does so in vain. From profiles of `morphing`, all pairs. */
static const double PER_NODE = 12.0, PER_BOUNDED = 1.0, PER_ASKED = 12.0;

/* A joint takes a vertex somewhere in four products and sums, and a box in twice as many, of which
 * there are two corners. From profiles of `walker`, all pairs within. */
static const double PER_JOINT = 4.0, PER_JOINT_BOX = 16.0;

/* What a call of a user's function is worth, in terms: no less than a few. */
static const double PER_CALL = 8.0;

/* In refits: a price above the first is too much; an expected one below the second is worth a
 * try. What lies between leads to no change, so that nothing swings. */
static const double TOO_MUCH = 1.1, WORTH_A_TRY = 0.8;

/* At a price of so much another try is most likely as bad. */
static const double FAR_TOO_MUCH = 4.0;

/* The first updates look each at what the queries before them reached, so that a bad beginning
 * costs one frame; then every few do. Who blends for so many looks has not begun in vain. */
enum { EARLY_LOOKS = 4, NEXT_LOOK = 8, LOOKS_OF_NOTE = EARLY_LOOKS + 3 };

/* In updates: while refitting, until blending is tried anyway; also where it was far too much. */
enum { FIRST_WAIT = 64, LONG_WAIT = 256 };

/* How many nodes are looked at to see how large boxes are, and the part of all vertices below which
 * that does not matter, whatever they are. */
enum { SAMPLE = 8, PART_OF_NOTE = 8 };

/* How many terms a vertex has, on average: sparse shapes have few vertices. */
static double terms_of(const wi_mesh *mesh)
{
    double values = 0.0;
    if (mesh->motion == WI_MOTION_USER) return PER_CALL;
    const wi_morph *morph = wi_mesh_morph(mesh);
    for (uint32_t i = 0; i < morph->term_count; i++)
        values += (double)morph->shapes[morph->terms[i].shape].count;
    if (mesh->motion == WI_MOTION_SKIN)
        values += PER_JOINT * (double)wi_mesh_skin(mesh)->influence_count;
    return values / (double)mesh->vertex_count;
}

/* What opening a node is worth, in terms. */
static double terms_per_node(const wi_tree *h)
{
    const wi_mesh *mesh = h->mesh;
    if (mesh->motion != WI_MOTION_SKIN) return PER_NODE * terms_of(mesh);
    return PER_JOINT_BOX * wi_skin_boxes_per_node(h) +
           PER_NODE * (double)(wi_mesh_morph(mesh)->term_count - 1);
}

/* ---- what queries reached ---- */

typedef struct reached {
    double vertices; /* of leaves, those on borders once for each */
    uint32_t nodes;
} reached;

static bool is_reached(const wi_tree *h, const wi_node *view, unsigned lane)
{
    if ((view->leaf_mask >> lane & 1) == 0) return false;
    WI_ASSERT(h->boxes.points && view->child[lane] < h->boxes.points->leaf_count);
    const _Atomic uint64_t *stamp = &h->boxes.points->stamps[view->child[lane]];
    return atomic_load_explicit(stamp, memory_order_relaxed) == h->boxes.placement;
}

/* The root is always open. */
static reached count_reached(const wi_tree *h, uint64_t since)
{
    reached r = {0};
    wi_opened_nodes at = wi_opened_nodes_from_root(h, since);
    do {
        const wi_node *view = &h->boxes.nodes[at.node];
        for (unsigned lane = 0; lane < view->count; lane++)
            if (is_reached(h, view, lane))
                r.vertices += (double)h->shape->leaves[view->child[lane]].vertex_count;
        r.nodes++;
    } while (wi_opened_nodes_next(&at));
    return r;
}

/* ---- how large boxes are ---- */

typedef struct areas {
    double blended, tight;
} areas;

static void add_leaves(const wi_tree *h, uint32_t node, areas *sum)
{
    const wi_node *view = &h->boxes.nodes[node];
    for (unsigned lane = 0; lane < view->count; lane++) {
        if ((view->leaf_mask >> lane & 1) == 0) continue;
        const wi_box box = wi_node_box(view, lane);
        const wi_box tight = wi_leaf_box(h, &h->shape->leaves[view->child[lane]]);
        sum->blended += wi_box_half_area(&box);
        sum->tight += wi_box_half_area(&tight);
    }
}

/* The part of what queries do that tight boxes would have spared them: of leaves below some of the
 * nodes that are open, as they were, and as large as they would be now. */
static double share_in_vain(const wi_tree *h, const reached *r, uint64_t since)
{
    const uint32_t step = r->nodes / SAMPLE + 1;
    uint32_t seen = 0;
    areas sum = {0};
    wi_opened_nodes at = wi_opened_nodes_from_root(h, since);
    do
        if (seen++ % step == 0) add_leaves(h, at.node, &sum);
    while (wi_opened_nodes_next(&at));
    WI_ASSERT(seen == r->nodes);
    return sum.blended > sum.tight ? 1.0 - sum.tight / sum.blended : 0.0;
}

/* ---- the account ---- */

/* Under a pose leaves are summed up by whoever reaches them, refitted or not: positions are rounded
 * once, at the end. */
static double price_of(const wi_tree *h, uint64_t since)
{
    const wi_mesh *mesh = h->mesh;
    const reached r = count_reached(h, since);
    const double terms = terms_of(mesh), all = (double)mesh->vertex_count;
    const double again = wi_mesh_is_finer(mesh) && wi_mesh_pose(mesh) ? terms * r.vertices : 0.0;
    double blend = terms * r.vertices + terms_per_node(h) * (double)r.nodes;
    if (PART_OF_NOTE * r.vertices > all)
        blend += PER_ASKED * r.vertices * share_in_vain(h, &r, since);
    return blend / ((terms + PER_BOUNDED) * all + again);
}

static void blend_begin(const wi_mesh *mesh, wi_auto *state)
{
    wi_blend_account *p = &state->blend_account;
    p->until_look = 1;
    p->looks = 0;
    state->mode = mesh->motion == WI_MOTION_SKIN ? WILLOW_METHOD_SKIN : WILLOW_METHOD_BLEND;
}

static void blend_end(wi_auto *state)
{
    wi_blend_account *p = &state->blend_account;
    if (p->looks >= LOOKS_OF_NOTE) wi_backoff_succeeded(&p->tries);
    wi_backoff_failed(&p->tries, p->price > FAR_TOO_MUCH ? LONG_WAIT : FIRST_WAIT);
    p->open = 0;
    state->mode = WILLOW_METHOD_HYBRID;
}

/* A deformation may have had no bounds for a while, without having been given up. */
static bool blend_is_over(wi_blend_account *p) { return wi_backoff_step(&p->tries); }

/* Its boxes are in the tree, as the last update and the queries since have left them. */
static bool can_look(const wi_update *u, const wi_auto *state)
{
    return !u->needs_build && u->h->boxes.nodes && state->blend.state &&
           u->h->boxes.acting.state == state->blend.state;
}

/* Whether a look, if it is time for one, found that it does not pay. */
static bool is_spent(const wi_update *u, const wi_auto *state, wi_blend_account *p)
{
    if (!can_look(u, state) || --p->until_look > 0) return false;
    p->looks++;
    p->until_look = p->looks < EARLY_LOOKS ? 1 : NEXT_LOOK;
    p->price = price_of(u->h, u->h->boxes.valid_from);
    return p->price > TOO_MUCH;
}

bool wi_blend_account_blends(wi_update *u, wi_auto *state)
{
    wi_blend_account *p = &state->blend_account;
    const bool is_blending = wi_blend_account_is_mode(state->mode);
    if (p->number != wi_mesh_shape_number(u->mesh)) {
        *p = (wi_blend_account){.number = wi_mesh_shape_number(u->mesh)};
        blend_begin(u->mesh, state);
    } else if (is_blending && is_spent(u, state, p)) {
        blend_end(state);
    } else if (!is_blending && blend_is_over(p)) {
        blend_begin(u->mesh, state);
    }
    return wi_blend_account_is_mode(state->mode);
}

void wi_blend_account_survey(wi_update *u, wi_auto *state)
{
    wi_blend_account *p = &state->blend_account;
    const uint32_t open = u->quality.open + u->quality.open_above;
    if (p->open == 0)
        p->open = open > 0 ? open : 1; /* as many as it was too much with */
    else if (p->price * (double)open < WORTH_A_TRY * (double)p->open)
        p->tries.wait = 1;
}
