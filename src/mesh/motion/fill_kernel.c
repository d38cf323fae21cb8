/* fill_kernel.c - stores where a plan, a morph or a deformation says that vertices are: one stream
 * over all of them.
 *
 * Way in: wi_mesh_fill. The same bits as wi_mesh_compute_point gives, for methods that bound
 * positions. */
#include "base/kernel.h"
#include "mesh/mesh.h"
#include "mesh/motion/morph_quad.h"
#include "mesh/motion/plan_quad.h"

extern wi_mesh_fill WI_KERNEL(mesh_fill);

/* Two keyframes are read from end to end. The fourth lane of a vertex is the first of the next, and
 * behind the last keyframe there is a float to spare. */
static void fill_from_keys(const wi_plan *plan, const wi_moment *at, uint32_t first, uint32_t last,
                           wi_point *out)
{
    const wi_quad64 share = wi_quad64_all(at->share);
    const float *a = wi_plan_key(plan, at->from, first), *b = wi_plan_key(plan, at->to, first);
    for (uint32_t place = first; place < last; place++, a += 3, b += 3)
        wi_quad_store(out[place].axis, wi_quad64_round(wi_between_keys(a, b, share)));
}

static void fill_one_by_one(const wi_mesh *mesh, uint32_t first, uint32_t last, wi_point *out)
{
    for (uint32_t place = first; place < last; place++)
        wi_quad_store(out[place].axis, wi_plan_quad(&mesh->plan, &mesh->moment, place));
}

/* ---- morphs ---- */

/* So many at a time that their sums stay near. */
enum { RUN = 64 };

static void sum_run(const wi_morph *morph, uint32_t first, uint32_t last, wi_point *out)
{
    wi_quad64 sums[RUN];
    for (uint32_t i = 0; i < last - first; i++) sums[i] = wi_quad64_all(0.0);
    for (uint32_t i = 0; i < morph->term_count; i++) {
        const wi_term *term = &morph->terms[i];
        wi_add_run(sums, wi_quad64_all(term->weight), &morph->shapes[term->shape], first, last);
    }
    for (uint32_t i = 0; i < last - first; i++)
        wi_quad_store(out[first + i].axis, wi_clamped_round(sums[i]));
}

static void fill_from_morph(const wi_morph *morph, uint32_t first, uint32_t last, wi_point *out)
{
    for (uint32_t end; first < last; first = end) {
        end = last - first < RUN ? last : first + RUN;
        sum_run(morph, first, end, out);
    }
}

static void fill_from_user(const wi_deform *deform, uint32_t first, uint32_t last, wi_point *out)
{
    for (uint32_t place = first; place < last; place++) {
        wi_deform_read(deform, place, out[place].axis);
        out[place].axis[3] = 0.0F;
    }
}

void WI_KERNEL(mesh_fill)(wi_mesh *mesh, uint32_t first, uint32_t last)
{
    const wi_plan *plan = &mesh->plan;
    if (mesh->is_morphed)
        fill_from_morph(&mesh->morph, first, last, mesh->positions);
    else if (mesh->is_deformed)
        fill_from_user(&mesh->deform, first, last, mesh->positions);
    else if (plan->paths == NULL)
        fill_from_keys(plan, &mesh->moment, first, last, mesh->positions);
    else
        fill_one_by_one(mesh, first, last, mesh->positions);
}
