/* keep_trees.c - bodies that fall apart, or become one, hand their trees on where the method
 * follows edits. The rest of the work is that of the next update, as after an edit. Where there is
 * no memory for it, or nothing to keep, trees are built afresh, so nothing here fails. */
#include "base/check.h"
#include "tree/linked/avl.h"
#include "update/balanced/balanced.h"
#include "world/world.h"

/* There is a tree, true but for edits and motion, and the method has a use for it. */
static bool has_kept_tree(const wi_body *body)
{
    return body->state < WI_BODY_UNBUILT && body->geometry->tree.boxes.nodes &&
           wi_method_ops_for(body->geometry->wanted.method)->follows_edits;
}

/* It is nobody else's either. */
static bool can_give(const wi_body *body)
{
    const wi_geometry *g = body->geometry;
    return body->state < WI_BODY_UNBUILT && !body->rests && g->lender == NULL && g->users == 1 &&
           wi_method_ops_for(g->wanted.method)->follows_edits;
}

/* Parts of a packed tree that has all triangles become packed trees, but where trees are to be
 * balanced as AVL trees are. It is only read, so it may be that of many. */
static bool can_bequeath(const wi_geometry *g)
{
    return !wi_def_wants_avl(&g->wanted) && !wi_shape_is_linked(g->tree.shape) &&
           !wi_shape_is_grown(g->tree.shape) && g->edited.count == 0;
}

static void bequeath(willow_world *world, const wi_body *whole, wi_body *const *made)
{
    const wi_split *split = &world->split;
    wi_inherited **parts = wi_alloc_array(&world->memory, split->part_count, sizeof *parts);
    const wi_heirs heirs = {.tris = split->tris,
                            .vertices = split->copies,
                            .first_copy = split->first_copy,
                            .parts = parts,
                            .part_count = split->part_count};
    for (uint32_t i = 0; i < split->part_count && parts; i++)
        parts[i] = &made[i]->geometry->inherited;
    if (parts && !wi_inherit(&world->memory, &whole->geometry->tree, &heirs))
        for (uint32_t i = 0; i < split->part_count; i++)
            wi_inherited_free(&world->memory, parts[i]);
    wi_free_array(&world->memory, parts, split->part_count, sizeof *parts);
}

/* An edit of what the tree has not got; false if there is no memory. */
static bool note_missing(wi_memory *memory, wi_geometry *g)
{
    const uint32_t count = wi_tree_missing(&g->tree, NULL);
    if (!wi_array_reserve(memory, &g->edited, count)) return false;
    g->edited.count = wi_tree_missing(&g->tree, g->edited.items);
    g->is_edited = count > 0;
    return true;
}

/* What a new body has got, if that is of use. */
static void take(willow_world *world, wi_body *body, bool is_fine)
{
    wi_geometry *g = body->geometry;
    if (is_fine && wi_balanced_take(&world->memory, &g->tree, ++world->revision) &&
        note_missing(&world->memory, g)) {
        body->state = WI_BODY_DIRTY;
        g->known = WI_KNOWN_NOTHING;
    } else {
        wi_tree_destroy(&world->memory, &g->tree);
    }
}

/* Trees of both become one: leaves have as much room, and they are balanced in the same way. */
static bool are_alike(const willow_tree_def *a, const willow_tree_def *b)
{
    return a->leaf_triangles == b->leaf_triangles && wi_def_wants_avl(a) == wi_def_wants_avl(b);
}

static void begin(wi_body *body)
{
    body->geometry->tree.def = body->geometry->wanted;
    WI_ASSERT(body->geometry->tree.boxes.nodes == NULL);
}

/* Those of a linked tree become linked ones, in time of the leaves that several parts have. */
static void give_parts(willow_world *world, wi_body *whole, wi_body *const *made)
{
    const wi_split *split = &world->split;
    wi_tree **trees = wi_alloc_array(&world->memory, split->part_count, sizeof *trees);
    for (uint32_t i = 0; i < split->part_count && trees; i++) {
        begin(made[i]);
        trees[i] = &made[i]->geometry->tree;
    }
    wi_geometry *g = whole->geometry;
    wi_join join = {.tris = split->tris,
                    .edited = g->edited.items,
                    .edited_count = g->edited.count,
                    .to = trees,
                    .to_count = split->part_count};
    if (whole->more->step_end) wi_step_end_drop(&world->memory, whole->more->step_end);
    const bool is_fine =
        trees && wi_balanced_give(&world->memory, &join, &g->tree, ++world->revision);
    for (uint32_t i = 0; i < split->part_count; i++) take(world, made[i], is_fine);
    wi_free_array(&world->memory, trees, split->part_count, sizeof *trees);
}

void wi_split_keep_trees(willow_world *world, wi_body *whole, wi_body *const *made)
{
    if (!has_kept_tree(whole)) return;
    if (can_bequeath(whole->geometry))
        bequeath(world, whole, made);
    else if (can_give(whole))
        give_parts(world, whole, made);
}

/* Where the triangles of a body go; NULL if there is no memory. */
static willow_part_triangle *list_merged(wi_memory *memory, const willow_merged_body *told)
{
    willow_part_triangle *tris = wi_alloc_array(memory, told->triangle_count, sizeof *tris);
    for (uint32_t slot = 0; slot < told->triangle_count && tris; slot++) {
        const uint32_t number = told->new_triangles[slot];
        tris[slot] = (willow_part_triangle){number == UINT32_MAX ? WILLOW_NO_PART : 0, number};
    }
    return tris;
}

static bool give_merged(willow_world *world, wi_body *body, const willow_merged_body *told,
                        wi_tree *whole)
{
    wi_geometry *g = body->geometry;
    if (g->tree.boxes.nodes == NULL) return true; /* nothing of it collides */
    willow_part_triangle *tris = list_merged(&world->memory, told);
    wi_join join = {.tris = tris,
                    .edited = g->edited.items,
                    .edited_count = g->edited.count,
                    .to = &whole,
                    .to_count = 1};
    if (body->more->step_end) wi_step_end_drop(&world->memory, body->more->step_end);
    const bool is_fine =
        tris && wi_balanced_give(&world->memory, &join, &g->tree, ++world->revision);
    wi_free_array(&world->memory, tris, told->triangle_count, sizeof *tris);
    return is_fine;
}

void wi_merge_keep_trees(willow_world *world, wi_body *const *bodies, uint32_t count,
                         wi_body *whole)
{
    bool is_fine = true;
    for (uint32_t i = 0; i < count; i++)
        if (!can_give(bodies[i]) ||
            !are_alike(&bodies[i]->geometry->wanted, &whole->geometry->wanted))
            return;
    begin(whole);
    for (uint32_t i = 0; i < count && is_fine; i++)
        is_fine = give_merged(world, bodies[i], &world->merge.bodies[i], &whole->geometry->tree);
    take(world, whole, is_fine);
}
