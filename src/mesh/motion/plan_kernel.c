/* plan_kernel.c - vertices that follow a plan, read many at once: the bits of wi_plan_point, and of
 * wi_pose_apply64 after wi_plan_read. */
#include "base/kernel.h"
#include "mesh/motion/plan_quad.h"
#include "mesh/motion/read_quad.h"

/* Two keyframes are read from end to end. The fourth lane of a vertex is the first of the next, and
 * behind the last keyframe there is a float to spare. */
static void fill_from_keys(const wi_plan *plan, uint32_t first, uint32_t count, float (*out)[4])
{
    const wi_moment *at = &plan->now;
    const wi_quad64 share = wi_quad64_all(at->share);
    const float *a = wi_plan_key(plan, at->from, first), *b = wi_plan_key(plan, at->to, first);
    for (uint32_t i = 0; i < count; i++, a += 3, b += 3)
        wi_quad_store(out[i], wi_quad64_round(wi_between_keys(a, b, share)));
}

static void gather_from_keys(const wi_plan *plan, const uint32_t *places, uint32_t count,
                             float (*out)[4])
{
    const wi_moment *at = &plan->now;
    const wi_quad64 share = wi_quad64_all(at->share);
    const float *a = wi_plan_key(plan, at->from, 0), *b = wi_plan_key(plan, at->to, 0);
    for (uint32_t i = 0; i < count; i++) {
        const size_t place = 3 * (size_t)places[i];
        wi_quad_store(out[i], wi_quad64_round(wi_between_keys(a + place, b + place, share)));
    }
}

static void plan_fill_run(wi_mesh *mesh, uint32_t first, uint32_t last)
{
    const wi_plan *plan = wi_mesh_plan(mesh);
    wi_point *out = mesh->positions;
    if (plan->paths == NULL) {
        fill_from_keys(plan, first, last - first, (float(*)[4])(void *)(out + first));
        return;
    }
    for (uint32_t place = first; place < last; place++)
        wi_quad_store(out[place].axis, wi_plan_quad(plan, &plan->now, place));
}

static void read_posed(const wi_plan *plan, const wi_pose *pose, const wi_places *places,
                       float (*out)[4])
{
    const wi_pose8 pose8 = wi_pose8_of(pose);
    for (uint32_t i = 0; i < places->count; i++) {
        double p[3];
        wi_plan_read(plan, &plan->now, wi_places_at(places, i), p);
        wi_quad_store(out[i], wi_pose_quad64(pose8.columns, pose8.translation, p));
    }
}

static void plan_read_leaf(const wi_mesh *mesh, const wi_places *places, float (*out)[4])
{
    const wi_plan *plan = wi_mesh_plan(mesh);
    const uint32_t run = places->run_count;
    if (wi_mesh_pose(mesh)) {
        read_posed(plan, wi_mesh_pose(mesh), places, out);
        return;
    }
    if (plan->paths == NULL) {
        fill_from_keys(plan, places->first, run, out);
        gather_from_keys(plan, places->listed, places->count - run, out + run);
        return;
    }
    for (uint32_t i = 0; i < places->count; i++)
        wi_quad_store(out[i], wi_plan_quad(plan, &plan->now, wi_places_at(places, i)));
}

static void plan_gather8(const wi_mesh *mesh, const wi_spot spots[WI_LANES], float out[WI_LANES][4])
{
    const wi_places places = {.listed = spots, .count = WI_LANES};
    plan_read_leaf(mesh, &places, out);
}

extern const wi_motion_kernels WI_KERNEL(motion_plan);

const wi_motion_kernels WI_KERNEL(motion_plan) = {
    .fill_run = plan_fill_run, .read_leaf = plan_read_leaf, .gather8 = plan_gather8};
