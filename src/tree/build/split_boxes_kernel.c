/* split_boxes_kernel.c - the inner loops of builders that part space.
 *
 * Way in: wi_box_kernels. A box is two loads of four floats, and one of the two buffers is read
 * while the other is written: a box goes to both ends of what is still free there, and one of the
 * ends moves. So no branch depends on the data. */
#include "tree/build/split_boxes.h"

#include "base/check.h"

static inline wi_quad split_boxes_lower_of(const wi_tri_box *box)
{
    return wi_quad_load(box->ends);
}
static inline wi_quad split_boxes_upper_of(const wi_tri_box *box)
{
    return wi_quad_load(box->ends + 3);
}

/* As wi_tri_box_at, on all axes. */
static inline wi_quad split_boxes_place_of(wi_quad lower, wi_quad upper)
{
    const wi_quad quarter = wi_quad_all(0.25F);
    return wi_quad_add(wi_quad_mul(quarter, lower), wi_quad_mul(quarter, upper));
}

static inline void put_box(wi_tri_box *out, uint32_t slot, wi_quad a, wi_quad b, wi_quad c)
{
    float low[4], high[4];
    wi_quad_store(low, wi_quad_min(wi_quad_min(a, b), c));
    wi_quad_store(high, wi_quad_max(wi_quad_max(a, b), c));
    *out = (wi_tri_box){{low[0], low[1], low[2], high[0], high[1], high[2], 0.0F}, slot};
}

static void split_boxes_collect(const wi_mesh *mesh, const uint32_t *slots, uint32_t count,
                                wi_tri_box *out)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t slot = slots ? slots[i] : i;
        const uint32_t *tri = mesh->tris[slot];
        put_box(&out[i], slot, wi_quad_load3(wi_mesh_position(mesh, tri[0])),
                wi_quad_load3(wi_mesh_position(mesh, tri[1])),
                wi_quad_load3(wi_mesh_position(mesh, tri[2])));
    }
}

static wi_box box_from(wi_quad lower, wi_quad upper)
{
    float low[4], high[4];
    wi_quad_store(low, lower);
    wi_quad_store(high, upper);
    return (wi_box){{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

static wi_run_bounds split_boxes_bound(const wi_tri_box *boxes, uint32_t count, uint32_t every)
{
    WI_ASSERT(count > 0 && every > 0 && (uintptr_t)boxes % _Alignof(wi_tri_box) == 0);
    wi_quad low = wi_quad_all(INFINITY), high = wi_quad_all(-INFINITY);
    wi_quad low_place = low, high_place = high;
    for (uint32_t i = 0; i < count; i += every) {
        wi_quad lower = split_boxes_lower_of(&boxes[i]), upper = split_boxes_upper_of(&boxes[i]);
        wi_quad place = split_boxes_place_of(lower, upper);
        low = wi_quad_min(lower, low);
        high = wi_quad_max(upper, high);
        low_place = wi_quad_min(place, low_place);
        high_place = wi_quad_max(place, high_place);
    }
    return (wi_run_bounds){box_from(low, high), box_from(low_place, high_place)};
}

static inline void add_to_bin(wi_bin *bin, wi_quad lower, wi_quad upper)
{
    wi_quad_store(bin->lower, wi_quad_min(lower, wi_quad_load(bin->lower)));
    wi_quad_store(bin->upper, wi_quad_max(upper, wi_quad_load(bin->upper)));
    bin->count++;
}

static void clear_bins(wi_bins *bins)
{
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < WI_SAH_BINS; i++) {
            wi_bin *bin = &bins->bins[axis][i];
            wi_quad_store(bin->lower, wi_quad_all(INFINITY));
            wi_quad_store(bin->upper, wi_quad_all(-INFINITY));
            bin->count = 0;
        }
}

static void fill_bins(const wi_tri_box *boxes, uint32_t count, uint32_t every, wi_bins *bins)
{
    WI_ASSERT(count > 0 && every > 0);
    const wi_quad low = wi_quad_load(bins->low), scale = wi_quad_load(bins->scale);
    const wi_quad last = wi_quad_all((float)(WI_SAH_BINS - 1)), first = wi_quad_all(0.0F);
    clear_bins(bins);
    for (uint32_t i = 0; i < count; i += every) {
        wi_quad lower = split_boxes_lower_of(&boxes[i]), upper = split_boxes_upper_of(&boxes[i]);
        wi_quad offset = wi_quad_sub(split_boxes_place_of(lower, upper), low);
        float bin[4];
        wi_quad_store(bin, wi_quad_min(wi_quad_max(wi_quad_mul(offset, scale), first), last));
        for (int axis = 0; axis < 3; axis++)
            add_to_bin(&bins->bins[axis][(int32_t)bin[axis]], lower, upper);
    }
}

static inline double split_boxes_half_area(wi_quad lower, wi_quad upper)
{
    float side[4];
    wi_quad_store(side, wi_quad_sub(upper, lower));
    const double x = (double)side[0], y = (double)side[1], z = (double)side[2];
    return (x * y + y * z) + z * x;
}

/* From a bin and the plane behind it on, `step` at a time, which is 1 or -1. */
static inline void sweep_side(const wi_bin *bins, int bin, int plane, int step, double *area,
                              uint32_t *count)
{
    wi_quad lower = wi_quad_all(INFINITY), upper = wi_quad_all(-INFINITY);
    uint32_t sum = 0;
    for (int i = 0; i + 1 < WI_SAH_BINS; i++, bin += step, plane += step) {
        lower = wi_quad_min(wi_quad_load(bins[bin].lower), lower);
        upper = wi_quad_max(wi_quad_load(bins[bin].upper), upper);
        sum += bins[bin].count;
        count[plane] = sum;
        area[plane] = split_boxes_half_area(lower, upper);
    }
}

static void split_boxes_sweep(const wi_bin bins[WI_SAH_BINS], wi_sweep *out)
{
    sweep_side(bins, 0, 0, 1, out->area[0], out->count[0]);
    sweep_side(bins, WI_SAH_BINS - 1, WI_SAH_BINS - 2, -1, out->area[1], out->count[1]);
}

static uint32_t split_boxes_part(const wi_tri_box *from, wi_tri_box *to, uint32_t count,
                                 const wi_plane *plane)
{
    const wi_plane p = *plane; /* a copy, out of reach of the stores */
    WI_ASSERT(p.axis >= 0 && p.axis < 3 && from != to);
    uint32_t left = 0, right = count;
    for (uint32_t i = 0; i < count; i++) {
        const wi_tri_box box = from[i];
        const bool is_below = (wi_tri_box_at(&box, p.axis) - p.low) * p.scale < p.limit;
        to[left] = box;
        to[right - 1] = box;
        left += is_below;
        right -= !is_below;
    }
    WI_ASSERT(left == right);
    return left;
}

extern const wi_box_kernels WI_KERNEL(box_kernels);
const wi_box_kernels WI_KERNEL(box_kernels) = {split_boxes_collect, split_boxes_bound, fill_bins,
                                               split_boxes_sweep, split_boxes_part};
