/* split_boxes.c - what builders that part space have in common: their boxes, and halves where a
 * plane does not part anything. */
#include "tree/build/split_boxes.h"

#include "base/check.h"
#include "base/containers/sort.h"
#include "base/larger.h"

extern const wi_box_kernels wi_box_kernels_scalar, wi_box_kernels_avx2;

const wi_box_kernels *wi_box_kernels_for(willow_kernel kernel)
{
    return WI_KERNELS_FOR(kernel, box_kernels);
}

/* Leaves come out nine tenths full and nodes three quarters, where there is room to choose. */
void wi_split_boxes_count(uint32_t tris, const willow_tree_def *def, uint32_t *nodes,
                          uint32_t *leaves)
{
    *leaves = wi_smaller_u32(tris, tris / def->leaf_triangles / 4 * 5 + 16);
    *nodes = wi_smaller_u32(*leaves, *leaves / (def->arity - 1) / 2 * 3 + 16);
}

size_t wi_split_boxes_work_size(const wi_mesh *mesh, size_t tris)
{
    (void)mesh;
    return wi_workspace_size(1, sizeof(wi_split_boxes)) +
           2 * wi_workspace_size(tris, sizeof(wi_tri_box));
}

void wi_split_boxes_begin(wi_builder *b, wi_workspace *workspace, uint32_t tris)
{
    wi_split_boxes *work = wi_workspace_take(workspace, 1, sizeof *work);
    work->kernels = wi_box_kernels_for(b->kernel);
    work->buffers[0] = wi_workspace_take(workspace, tris, sizeof(wi_tri_box));
    work->buffers[1] = wi_workspace_take(workspace, tris, sizeof(wi_tri_box));
    work->kernels->collect(b->mesh, b->slots, tris, work->buffers[0]);
    b->work = work;
}

wi_range_slots wi_split_boxes_slots(const wi_builder *b, const wi_range *r)
{
    const uint32_t *words = (const uint32_t *)(const void *)wi_split_boxes_of(b, r);
    return (wi_range_slots){words + offsetof(wi_tri_box, slot) / sizeof *words,
                            sizeof(wi_tri_box) / sizeof *words};
}

unsigned wi_split_boxes_cut(wi_builder *b, wi_range *parts, unsigned count, unsigned at,
                            const wi_plane *plane)
{
    const wi_split_boxes *work = b->work;
    wi_range *r = &parts[at];
    const wi_tri_box *from = work->buffers[r->buffer] + r->first;
    uint32_t below =
        work->kernels->part(from, work->buffers[!r->buffer] + r->first, r->count, plane);
    WI_ASSERT(below <= r->count);
    r->buffer = !r->buffer;
    return below > 0 && below < r->count ? wi_range_cut(parts, count, at, below) : count;
}

static uint32_t count_below(const wi_tri_box *boxes, uint32_t count, int axis, float place)
{
    uint32_t below = 0;
    for (uint32_t i = 0; i < count; i++) below += wi_tri_box_at(&boxes[i], axis) < place;
    return below;
}

/* The highest place with at most half of the boxes below it, found by halving the numbers that it
 * may be: some thirty passes without any memory, for the rare runs that need it. */
static float middle_place(const wi_tri_box *boxes, uint32_t count, int axis, const wi_box *places)
{
    uint32_t low = wi_float_key(places->lower[axis]), high = wi_float_key(places->upper[axis]);
    while (low < high) {
        uint32_t middle = high - (high - low) / 2;
        if (count_below(boxes, count, axis, wi_float_of_key(middle)) <= count / 2)
            low = middle;
        else
            high = middle - 1;
    }
    return wi_float_of_key(low);
}

/* Many boxes may be at the middle place itself, so it parts at one of its sides or, where all are
 * there, not at all: then any half will do. */
unsigned wi_split_boxes_halve(wi_builder *b, wi_range *parts, unsigned count, unsigned at)
{
    const wi_split_boxes *work = b->work;
    const uint32_t tris = parts[at].count;
    WI_ASSERT(tris > 1);
    const wi_tri_box *boxes = wi_split_boxes_of(b, &parts[at]);
    const wi_box places = work->kernels->bound(boxes, tris, 1).places;
    wi_plane plane = {.axis = wi_box_longest_axis(&places), .scale = 1.0F};
    plane.limit = middle_place(boxes, tris, plane.axis, &places);
    if (count_below(boxes, tris, plane.axis, plane.limit) == 0)
        plane.limit = wi_float_of_key(wi_float_key(plane.limit) + 1);
    unsigned cut = wi_split_boxes_cut(b, parts, count, at, &plane);
    return cut > count ? cut : wi_range_cut(parts, count, at, tris / 2);
}
