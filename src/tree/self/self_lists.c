/* self_lists.c - makes, weighs and checks the lists for pairs within a body. */
#include "tree/self/self_lists.h"

#include "base/check.h"
#include "tree/self/self_edit.h"
#include "tree/tree.h"

bool wi_self_lists_reserve(wi_memory *memory, wi_tree *h)
{
    wi_shape *shape = h->shape;
    WI_ASSERT(shape->users == 1);
    if (shape->self) return true;
    shape->self = wi_alloc(memory, sizeof *shape->self);
    if (shape->self) *shape->self = (wi_self_lists){0};
    return shape->self != NULL;
}

bool wi_self_lists_make(wi_memory *memory, wi_workspace *workspace, wi_tree *h, bool with_loops)
{
    wi_shape *shape = h->shape;
    if (!wi_self_lists_reserve(memory, h)) return false;
    wi_vertex_fans_free(memory, &shape->self->fans);
    wi_boundary_loops_free(memory, &shape->self->loops);
    if (!wi_shared_vertices_make(memory, workspace, h)) return false;
    if (shape->self->shared.first_tie == NULL) return true;
    return wi_vertex_fans_make(memory, workspace, h) &&
           (!with_loops || wi_boundary_loops_make(memory, workspace, h));
}

void wi_self_lists_free(wi_memory *memory, wi_self_lists *lists)
{
    wi_shared_vertices_free(memory, &lists->shared);
    wi_vertex_fans_free(memory, &lists->fans);
    wi_boundary_loops_free(memory, &lists->loops);
    wi_self_edit_free(memory, lists->edit);
    lists->edit = NULL;
}

size_t wi_self_lists_bytes(const wi_self_lists *lists)
{
    return wi_shared_vertices_bytes(&lists->shared) + wi_vertex_fans_bytes(&lists->fans) +
           wi_boundary_loops_bytes(&lists->loops) + wi_self_edit_bytes(lists->edit);
}

const char *wi_self_lists_validate(const wi_tree *h)
{
    if (h->shape->self == NULL) return NULL;
    const char *broken = wi_shared_vertices_validate(h);
    if (broken == NULL) broken = wi_vertex_fans_validate(h);
    if (broken == NULL && wi_has_self_edit(h)) broken = wi_fan_edit_validate(h);
    return broken ? broken : wi_boundary_loops_validate(h);
}
