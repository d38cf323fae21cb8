/* tree_site.c - building trees for tests, and what must hold for all of them. */
#include "support/tree_site.h"

#include <stdlib.h>
#include "base/threads.h"
#include "support/test.h"
#include "update/refit/refit.h"

void tree_site_open(tree_site *s, const willow_mesh_def *def)
{
    memset(s, 0, sizeof *s);
    willow_allocator functions = test_allocator_functions(&s->allocator);
    wi_memory_init(&s->memory, &functions);
    assert_ok(wi_mesh_create(&s->memory, def, &s->message, &s->mesh));
    s->h = wi_tree_none(&s->mesh);
}

void tree_site_open_tris(tree_site *s, const float (*corners)[3], uint32_t count, bool groups)
{
    uint32_t *indices = calloc(3 * (size_t)count + 1, sizeof *indices);
    uint16_t *group = calloc((size_t)count + 1, sizeof *group);
    for (uint32_t i = 0; i < 3 * count; i++) indices[i] = i;
    for (uint32_t i = 0; i < count; i++) group[i] = i % 3 == 1 ? 0 : 1;
    tree_site_open(s, &(willow_mesh_def){.positions = corners,
                                         .vertex_count = 3 * count,
                                         .indices = indices,
                                         .triangle_count = count,
                                         .triangle_groups = groups ? group : NULL});
    free(indices);
    free(group);
}

void tree_site_close(tree_site *s)
{
    wi_keeper_free(&s->memory, &s->h, &s->h.keeper);
    wi_tree_destroy(&s->memory, &s->h);
    wi_workspace_free(&s->memory, &s->workspace);
    wi_mesh_destroy(&s->memory, &s->mesh);
    assert_true(test_allocator_is_clean(&s->allocator));
}

void tree_site_build(tree_site *s, willow_kernel kernel, const willow_tree_def *def)
{
    const wi_refit_kernels *refit = wi_refit_kernels_for(kernel);
    willow_tasks tasks = wi_serial_tasks();
    assert_ok(wi_tree_build(&s->memory, &s->workspace, kernel, &s->mesh, def, &s->h));
    assert_null(wi_mesh_validate(&s->mesh));
    if (s->h.boxes.nodes == NULL) return;
    wi_refit_leaves(refit, &tasks, &s->h);
    refit->merge(&s->h, WI_FIRST_REVISION);
}

void tree_site_check_slots(const tree_site *s)
{
    uint8_t *seen = calloc((size_t)s->mesh.tri_count + 1, 1);
    for (uint32_t i = 0; i < s->h.shape->tri_count; i++) {
        assert_true(s->h.shape->slots[i] < s->mesh.tri_count);
        seen[s->h.shape->slots[i]]++;
    }
    for (uint32_t slot = 0; slot < s->mesh.tri_count; slot++)
        assert_int_equal(seen[slot], wi_mesh_collides(&s->mesh, slot));
    free(seen);
}

static bool views_equal(const wi_node *a, const wi_node *b)
{
    return memcmp(a->lower, b->lower, sizeof a->lower) == 0 &&
           memcmp(a->upper, b->upper, sizeof a->upper) == 0 &&
           memcmp(a->child, b->child, sizeof a->child) == 0 && a->parent == b->parent &&
           a->parent_lane == b->parent_lane && a->count == b->count && a->leaf_mask == b->leaf_mask;
}

void tree_site_check_equal(const tree_site *a, const tree_site *b)
{
    const wi_tree *x = &a->h, *y = &b->h;
    assert_int_equal(x->shape->node_count, y->shape->node_count);
    assert_int_equal(x->shape->leaf_count, y->shape->leaf_count);
    assert_int_equal(x->shape->height, y->shape->height);
    assert_int_equal(x->shape->leaf_vertex_count, y->shape->leaf_vertex_count);
    if (x->boxes.nodes == NULL) return;
    for (uint32_t i = 0; i < x->shape->node_count; i++)
        assert_true(views_equal(&x->boxes.nodes[i], &y->boxes.nodes[i]));
    assert_memory_equal(x->shape->slots, y->shape->slots,
                        x->shape->tri_count * sizeof *x->shape->slots);
    assert_memory_equal(x->shape->corners, y->shape->corners,
                        x->shape->tri_count * sizeof *x->shape->corners);
    assert_memory_equal(x->shape->leaf_vertices, y->shape->leaf_vertices,
                        x->shape->leaf_vertex_count * sizeof *x->shape->leaf_vertices);
    assert_memory_equal(a->mesh.place, b->mesh.place, a->mesh.vertex_count * sizeof *a->mesh.place);
}
