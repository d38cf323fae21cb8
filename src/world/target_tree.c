/* target_tree.c - the tree over the boxes of all bodies, which queries about boxes, points and rays
 * begin with, and those about pairs (broad/body_tree.h).
 *
 * Way in: wi_target_tree_follow, once in an update. Made for worlds in which most bodies move a
 * little, or not at all: if none did, the tree stays; if boxes are others, they are put into its
 * nodes; and if bodies came or went, or nodes overlap much more than when it was built, it is built
 * afresh. */
#include <string.h>

#include "base/check.h"
#include "world/world.h"

/* With fewer bodies looking at each is as fast. */
enum { FEW = 16 };

/* A box meets so many times more children of a node than when the tree was built: time to build. */
static const double WORSE = 1.25;

static bool is_wanted(const willow_world *world)
{
    return world->targets.count >= FEW && wi_asked_is_wanted(&world->tree.asked);
}

const wi_body_tree *wi_target_tree_ask(const willow_world *world)
{
    /* No answer depends on this; it is atomic. */
    wi_asked_note((wi_asked *)&world->tree.asked);
    return world->tree.is_true ? &world->tree.tree : NULL;
}

static wi_box_list boxes_of(const willow_world *world)
{
    WI_ASSERT(world->targets.count > 0 && world->targets.count <= UINT32_MAX);
    return (wi_box_list){&world->targets.items[0].bounds, sizeof world->targets.items[0],
                         (uint32_t)world->targets.count};
}

static void raise_state(willow_world *world, wi_tree_state state)
{
    if (world->tree.state < state) world->tree.state = state;
}

void wi_target_tree_note_others(willow_world *world) { raise_state(world, WI_TREE_OTHERS); }

void wi_target_tree_note(willow_world *world, size_t number, const wi_query_body *target)
{
    const wi_query_body *before = &world->targets.items[number];
    if (world->tree.state == WI_TREE_OTHERS) return;
    if (wi_box_is_empty(&before->bounds) != wi_box_is_empty(&target->bounds))
        raise_state(world, WI_TREE_OTHERS);
    else if (memcmp(&before->bounds, &target->bounds, sizeof before->bounds) != 0)
        raise_state(world, WI_TREE_MOVED);
}

/* Workspaces of builds are there only while they are soon needed again, and so it stays. */
static bool build(willow_world *world)
{
    wi_target_tree *t = &world->tree;
    wi_workspace *workspace = &world->workspaces[0];
    const wi_box_list boxes = boxes_of(world);
    const bool was_there = workspace->size > 0;
    if (!wi_body_tree_reserve(&world->memory, &t->tree, boxes.count) ||
        !wi_workspace_reserve(&world->memory, workspace, wi_body_tree_build_size(boxes.count)))
        return false;
    wi_body_tree_build(&t->tree, &boxes, workspace);
    wi_body_tree_trim(&world->memory, &t->tree);
    t->fresh_spread = t->tree.spread;
    if (!was_there) wi_workspace_free(&world->memory, workspace);
    return true;
}

static bool make_true(willow_world *world)
{
    wi_target_tree *t = &world->tree;
    const wi_box_list boxes = boxes_of(world);
    if (t->state == WI_TREE_CURRENT) return true;
    if (t->state == WI_TREE_OTHERS || t->tree.body_count == 0) return build(world);
    wi_body_tree_refit(&t->tree, &boxes);
    /* A tree that was not built afresh for want of memory is true all the same. */
    if (t->tree.spread > WORSE * t->fresh_spread) (void)build(world);
    return true;
}

bool wi_target_tree_follow(willow_world *world)
{
    wi_target_tree *t = &world->tree;
    t->is_true = false;
    wi_asked_count(&t->asked);
    if (!is_wanted(world)) {
        wi_target_tree_free(world);
        return true;
    }
    if (!make_true(world)) return false;
    t->state = WI_TREE_CURRENT;
    t->is_true = true;
    return true;
}

void wi_target_tree_free(willow_world *world)
{
    wi_body_tree_free(&world->memory, &world->tree.tree);
    world->tree.state = WI_TREE_OTHERS;
    world->tree.is_true = false;
}

const char *wi_target_tree_validate(const willow_world *world)
{
    if (world->tree.is_true != is_wanted(world)) return "W9: the tree over bodies is not as wanted";
    if (!world->tree.is_true) return NULL;
    const wi_box_list boxes = boxes_of(world);
    return wi_body_tree_validate(&world->tree.tree, &boxes);
}
