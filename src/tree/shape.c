/* shape.c - the memory of shapes, and who has them. */
#include "tree/shape.h"

#include "base/check.h"
#include "tree/grown/grown.h"
#include "tree/linked/avl.h"
#include "tree/linked/links.h"
#include "tree/self/self_lists.h"

#define THREE(i)                                                                                   \
    {                                                                                              \
        3 * (i), 3 * (i) + 1, 3 * (i) + 2                                                          \
    }
#define TWELVE(i) THREE(i), THREE((i) + 1), THREE((i) + 2), THREE((i) + 3)

const uint8_t wi_corners_in_order[WI_MAX_LEAF_TRIS][3] = {
    TWELVE(0), TWELVE(4), TWELVE(8), TWELVE(12), TWELVE(16), TWELVE(20), TWELVE(24), TWELVE(28)};
_Static_assert((int)WI_MAX_LEAF_TRIS == 32, "triangles have corners");

/* Const in all but its type: it has no blocks, so nobody who goes by its counts writes to it. */
static const wi_shape no_shape;

wi_shape *wi_shape_none(void) { return (wi_shape *)(uintptr_t)&no_shape; }

wi_shape *wi_shape_make(wi_memory *memory)
{
    wi_shape *shape = wi_alloc(memory, sizeof *shape);
    if (shape) *shape = (wi_shape){.users = 1};
    return shape;
}

wi_shape *wi_shape_share(wi_shape *shape)
{
    WI_ASSERT(shape == &no_shape || (shape->users > 0 && shape->users < UINT32_MAX));
    if (shape != &no_shape) shape->users++;
    return shape;
}

static void free_lists(wi_memory *memory, wi_shape *s)
{
    WI_ASSERT(s->users == 0 && s->leaf_count <= s->leaf_room && s->tri_count <= s->tri_room);
    wi_links_free(memory, s);
    wi_grown_free(memory, s);
    wi_free_array(memory, s->leaves, s->leaf_room, sizeof *s->leaves);
    wi_free_array(memory, s->leaf_vertices, s->leaf_vertex_count, sizeof *s->leaf_vertices);
    wi_free_array(memory, s->borders, s->border_count, sizeof *s->borders);
    wi_free_array(memory, s->corners, s->tri_room, sizeof *s->corners);
    wi_free_array(memory, s->slots, s->tri_room, sizeof *s->slots);
    wi_free_array(memory, s->loose, s->loose_count, sizeof *s->loose);
    wi_group_sets_free(memory, &s->sets);
    if (s->self) {
        wi_self_lists_free(memory, s->self);
        wi_free(memory, s->self, sizeof *s->self);
    }
}

void wi_shape_release(wi_memory *memory, wi_shape *shape)
{
    if (shape == &no_shape) return;
    WI_ASSERT(shape->users > 0);
    if (--shape->users > 0) return;
    free_lists(memory, shape);
    wi_free(memory, shape, sizeof *shape);
}

size_t wi_shape_bytes(const wi_shape *s)
{
    return s->leaf_room * sizeof *s->leaves + s->leaf_vertex_count * sizeof *s->leaf_vertices +
           s->border_count * sizeof *s->borders +
           (s->corners ? s->tri_room * sizeof *s->corners : 0) + s->tri_room * sizeof *s->slots +
           s->loose_count * sizeof *s->loose + wi_group_sets_bytes(&s->sets) + wi_links_bytes(s) +
           wi_grown_bytes(s) + (s->self ? wi_self_lists_bytes(s->self) : 0);
}

uint32_t wi_shape_nodes(const wi_shape *s)
{
    if (s->links && s->links->avl) return s->links->avl->view_count + 1;
    if (s->grown) return s->node_count - (s->grown->free_node_count - s->grown->next_node);
    return s->node_count - (s->links ? s->links->free_node_count : 0);
}

uint32_t wi_shape_leaves(const wi_shape *s)
{
    if (s->grown) return s->leaf_count - (s->grown->free_leaf_count - s->grown->next_leaf);
    return s->leaf_count - (s->links ? s->links->free_leaf_count : 0);
}
