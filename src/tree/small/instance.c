/* instance.c - puts meshes and trees together for questions, and for good. */
#include "tree/small/instance.h"

#include <stddef.h>

#include "geom/relation.h"

static const uint32_t slots_in_order[WI_MAX_LEAF_TRIS] = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

static void put_under_pose(wi_instance *instance, const willow_pose *pose, uint64_t placement)
{
    wi_mesh_set_pose(&instance->mesh, pose, &instance->placed);
    wi_tree_place(&instance->tree, placement);
}

const wi_tree *wi_instance_of_tree(wi_instance *instance, const wi_tree *lender,
                                   const willow_pose *pose, uint64_t placement)
{
    WI_ASSERT(lender->mesh->motion == WI_MOTION_STORED && lender->mesh->lent_owners == NULL);
    memcpy(&instance->mesh, lender->mesh, offsetof(wi_mesh, owners));
    atomic_init(&instance->mesh.owners, NULL);
    instance->mesh.lent_owners = (_Atomic(struct wi_owners *) *)&lender->mesh->owners;
    instance->tree = *lender;
    instance->tree.mesh = &instance->mesh;
    instance->tree.moved = NULL;
    instance->tree.boxes.points = NULL; /* of one placement alone */
    put_under_pose(instance, pose, placement);
    return &instance->tree;
}

const wi_mesh *wi_instance_mesh(wi_instance *instance, const wi_small *small)
{
    instance->mesh = (wi_mesh){.vertex_count = small->vertex_count,
                               .tri_count = small->tri_count,
                               .vertex_room = small->vertex_count,
                               .tri_room = small->tri_count,
                               .tris = wi_small_tris(small),
                               .positions = (wi_point *)(uintptr_t)small->positions,
                               .place = wi_small_places(small),
                               .lent_owners = (_Atomic(struct wi_owners *) *)&small->owners};
    return &instance->mesh;
}

static void fill_shape(wi_instance *instance, const wi_small *small)
{
    instance->leaf = (wi_leaf){.tri_count = small->tri_count,
                               .vertex_count = small->vertex_count,
                               .owned_count = small->vertex_count};
    instance->shape = (wi_shape){.leaves = &instance->leaf,
                                 .leaf_vertices = wi_small_leaf_vertices(small),
                                 .corners = wi_small_corners(small),
                                 .slots = (uint32_t *)(uintptr_t)slots_in_order,
                                 .node_count = 1,
                                 .leaf_count = 1,
                                 .tri_count = small->tri_count,
                                 .leaf_vertex_count = small->vertex_count,
                                 .leaf_room = 1,
                                 .tri_room = small->tri_count,
                                 .height = 1,
                                 .users = 1,
                                 .structure = small->revision};
}

/* A root whose only child is the leaf. */
static void fill_node(wi_node *node, const wi_small *small)
{
    const wi_box empty = wi_box_empty();
    memset(node, 0, sizeof *node);
    wi_node_set_box(node, 0, &small->bounds);
    for (unsigned lane = 1; lane < WI_LANES; lane++) wi_node_set_box(node, lane, &empty);
    node->count = 1;
    node->leaf_mask = 1;
    atomic_store_explicit(&node->stamp, small->revision, memory_order_relaxed);
}

static wi_tree tree_of(const wi_small *small, const wi_mesh *mesh, wi_shape *shape, wi_node *node)
{
    WI_ASSERT(small->revision >= WI_FIRST_REVISION);
    return (wi_tree){.mesh = mesh,
                     .shape = shape,
                     .boxes = {.nodes = node,
                               .node_room = 1,
                               .revision = small->revision,
                               .valid_from = small->revision,
                               .bounds = small->bounds,
                               .world_bounds = wi_box_empty()},
                     .def = *small->def};
}

const wi_tree *wi_instance_of_small(wi_instance *instance, const wi_small *small,
                                    const willow_pose *pose, uint64_t placement)
{
    (void)wi_instance_mesh(instance, small);
    fill_shape(instance, small);
    fill_node(&instance->node, small);
    instance->tree = tree_of(small, &instance->mesh, &instance->shape, &instance->node);
    put_under_pose(instance, pose, placement);
    return &instance->tree;
}

wi_box wi_instance_bounds(const wi_box *bounds, const willow_pose *pose)
{
    const wi_pose placed = wi_pose_from(pose);
    return wi_pose_is_identity(&placed) ? *bounds : wi_pose_box(&placed, bounds);
}

/* ---- for good ---- */

static void *copy_of(wi_memory *memory, const void *from, size_t count, size_t size, bool *ok)
{
    void *to = wi_alloc_array(memory, count, size);
    if (to) memcpy(to, from, count * size);
    *ok = *ok && to;
    return to;
}

/* In blocks of its own. */
static wi_shape *unpack_shape(wi_memory *memory, const wi_instance *from, bool *ok)
{
    wi_shape *shape = wi_shape_make(memory);
    if (shape == NULL) return NULL;
    const wi_shape *s = &from->shape;
    *shape = *s;
    shape->leaves = copy_of(memory, s->leaves, 1, sizeof *s->leaves, ok);
    shape->leaf_vertices =
        copy_of(memory, s->leaf_vertices, s->leaf_vertex_count, sizeof *s->leaf_vertices, ok);
    shape->corners = copy_of(memory, s->corners, s->tri_count, sizeof *s->corners, ok);
    shape->slots = copy_of(memory, s->slots, s->tri_count, sizeof *s->slots, ok);
    return shape;
}

bool wi_small_unpack(wi_memory *memory, const wi_small *small, wi_mesh *mesh, wi_tree *tree)
{
    wi_instance from;
    bool ok = true;
    *tree = wi_tree_none(mesh);
    if (!wi_mesh_copy(memory, wi_instance_mesh(&from, small), mesh)) return false;
    if (small->revision == 0) return true; /* its tree is made by the next update */
    fill_shape(&from, small);
    wi_node *node = wi_alloc(memory, sizeof *node);
    wi_shape *shape = unpack_shape(memory, &from, &ok);
    if (node) fill_node(node, small);
    if (shape) *tree = tree_of(small, mesh, shape, node);
    if (node && shape && ok) return true;
    if (shape == NULL) wi_free(memory, node, sizeof *node);
    wi_tree_destroy(memory, tree);
    wi_mesh_destroy(memory, mesh);
    *mesh = (wi_mesh){0};
    return false;
}
