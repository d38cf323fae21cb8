/* ray_walk.c - beginning walks along rays, what counts as a hit, and bodies without trees. */
#include "walk/rays/ray_walk.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/kernel.h"
#include "walk/rays/ray_leaf.h"

extern const wi_ray_kernels wi_ray_kernels_scalar, wi_ray_kernels_avx2;

void wi_ray_walk_init(wi_ray_walk *walk, wi_reader *reader)
{
    memset(walk, 0, sizeof *walk);
    walk->reader = reader;
    walk->kernels = WI_KERNELS_FOR(reader->kernel, ray_kernels);
}

void wi_ray_walk_free(wi_ray_walk *walk)
{
    wi_memory *memory = walk->reader->memory;
    wi_array_free(memory, &walk->stack);
    wi_array_free(memory, &walk->bodies);
    wi_array_free(memory, &walk->hits);
    wi_free_array(memory, walk->leaves, WI_RAY_LEAVES, sizeof *walk->leaves);
}

bool wi_ray_walk_ready(wi_ray_walk *walk, const wi_ray_rules *rules)
{
    walk->rules = *rules;
    walk->hits.count = 0;
    if (!wi_array_reserve(walk->reader->memory, &walk->bodies, WI_BODY_TREE_STACK)) return false;
    if (walk->leaves) return true;
    walk->leaves = wi_alloc_array(walk->reader->memory, WI_RAY_LEAVES, sizeof *walk->leaves);
    for (unsigned i = 0; walk->leaves && i < WI_RAY_LEAVES; i++) walk->leaves[i].placement = 0;
    return walk->leaves != NULL;
}

static wi_ray_shear shear_along(const float direction[3])
{
    int longest = 0;
    for (int i = 1; i < 3; i++)
        if (fabsf(direction[i]) > fabsf(direction[longest])) longest = i;
    const int x = (longest + 1) % 3, y = (longest + 2) % 3;
    return (wi_ray_shear){{x, y, longest},
                          {direction[x] / direction[longest], direction[y] / direction[longest]}};
}

void wi_ray_walk_begin(wi_ray_walk *walk, const wi_ray *ray, size_t number,
                       const wi_body_tree *tree)
{
    walk->ray = *ray;
    walk->number = number;
    walk->world = wi_ray_aim_at_world(ray);
    walk->shear = shear_along(ray->direction);
    walk->is_found = walk->is_over = false;
    WI_ASSERT(walk->stack.count == 0 && walk->bodies.capacity >= WI_BODY_TREE_STACK);
    walk->bodies.count = tree->node_count > 0 ? 1 : 0;
    walk->bodies.items[0] = (wi_ray_item){walk->world.t_min, 0};
}

const wi_ray_aim *wi_ray_walk_aim(wi_ray_walk *walk, const wi_tree *h)
{
    const wi_frame frame = wi_tree_frame(h);
    if (frame.pose == NULL) return &walk->world;
    walk->model = wi_ray_aim_at_frame(&walk->ray, &frame);
    if (walk->is_found && walk->rules.wanted == WI_RAY_CLOSEST)
        wi_ray_aim_limit(&walk->model, walk->best.t);
    return &walk->model;
}

/* Takes a hit that counts. */
static bool ray_keep(wi_ray_walk *walk, const wi_ray_hit *hit)
{
    walk->is_found = true;
    switch (walk->rules.wanted) {
    case WI_RAY_CLOSEST:
        walk->best = *hit;
        wi_ray_aim_limit(&walk->world, hit->t);
        wi_ray_aim_limit(&walk->model, hit->t);
        return true;
    case WI_RAY_ANY: walk->is_over = true; return true;
    case WI_RAY_ALL: return wi_array_push(walk->reader->memory, &walk->hits, *hit);
    }
    return true;
}

bool wi_ray_walk_test(wi_ray_walk *walk, const wi_tri *tri, uint32_t slot)
{
    wi_ray_point point;
    if (slot == walk->ignored_slot) return true;
    walk->reader->stats.exact_tests++;
    const wi_ray_side side = wi_ray_meets_tri(&walk->ray, tri, &point);
    if (side == WI_RAY_MISSES || (side == WI_RAY_MEETS_BACK && walk->rules.one_sided)) return true;
    const wi_ray_hit hit = {point.t, walk->body, slot, point.u, point.v, *tri};
    if (walk->rules.wanted == WI_RAY_CLOSEST && walk->is_found &&
        !wi_ray_hit_is_before(&hit, &walk->best))
        return true;
    if (walk->rules.accept && !walk->rules.accept(walk->rules.context, walk->number, &hit))
        return true;
    return ray_keep(walk, &hit);
}

/* Without a tree: all triangles. */
static bool ray_run_brute(wi_ray_walk *walk, const wi_mesh *mesh)
{
    for (uint32_t slot = 0; slot < mesh->tri_count && !walk->is_over; slot++) {
        if (!wi_mesh_collides(mesh, slot)) continue;
        const wi_tri tri = wi_mesh_tri(mesh, slot);
        walk->reader->stats.triangle_tests++;
        if (!wi_ray_walk_test(walk, &tri, slot)) return false;
    }
    return true;
}

bool wi_ray_walk_meet(wi_ray_walk *walk, const wi_tree *h, uint32_t body, uint32_t ignored_slot)
{
    walk->body = body;
    walk->ignored_slot = ignored_slot;
    const bool ok = h->boxes.nodes ? walk->kernels->run(walk, h) : ray_run_brute(walk, h->mesh);
    walk->stack.count = 0;
    return ok;
}
