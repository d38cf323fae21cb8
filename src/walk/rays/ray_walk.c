/* ray_walk.c - beginning walks along rays, what counts as a hit, and bodies without trees. */
#include "walk/rays/ray_walk.h"

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

static void ray_state_begin(wi_ray_state *state, const willow_ray *ray, size_t number)
{
    state->ray = wi_ray_of(ray);
    state->number = number;
    state->has_shear = state->is_found = false;
}

/* Only the closest and any: of all hits those of one ray are found together. */
unsigned wi_ray_walk_begin(wi_ray_walk *walk, const willow_ray *rays, size_t number, unsigned count,
                           const wi_body_tree *tree)
{
    WI_ASSERT(count > 0 && count <= WI_LANES);
    WI_ASSERT(walk->stack.count == 0 && walk->bodies.capacity >= WI_BODY_TREE_STACK);
    if (walk->rules.wanted == WI_RAY_ALL || count == 1 ||
        !walk->kernels->join(&walk->world, rays, count))
        count = 1;
    for (unsigned i = 0; i < count; i++) ray_state_begin(&walk->rays[i], &rays[i], number + i);
    if (count == 1) {
        const wi_ray_aim aim = wi_ray_aim_at_world(&walk->rays[0].ray);
        wi_ray_pack_set(&walk->world, 0, &aim);
        wi_ray_pack_join(&walk->world, 1);
    }
    walk->count = count;
    walk->open = (1U << count) - 1;
    walk->bodies.count = tree->node_count > 0 ? 1 : 0;
    walk->bodies.items[0] = (wi_ray_item){walk->world.t_min[0], 0, walk->open};
    return count;
}

const wi_ray_pack *wi_ray_walk_aim(wi_ray_walk *walk, const wi_tree *h)
{
    const wi_frame frame = wi_tree_frame(h);
    if (frame.pose == NULL) return &walk->world;
    for (unsigned i = 0; i < walk->count; i++) {
        const wi_ray_aim aim = wi_ray_aim_at_frame(&walk->rays[i].ray, &frame);
        wi_ray_pack_set(&walk->model, i, &aim);
    }
    wi_ray_pack_join(&walk->model, walk->count);
    for (unsigned i = 0; i < walk->count; i++) {
        if ((walk->open >> i & 1) == 0)
            wi_ray_pack_close(&walk->model, i);
        else if (walk->rays[i].is_found && walk->rules.wanted == WI_RAY_CLOSEST)
            wi_ray_pack_limit(&walk->model, i, walk->rays[i].best.t);
    }
    return &walk->model;
}

/* Takes a hit that counts. */
static bool ray_keep(wi_ray_walk *walk, unsigned lane, const wi_ray_hit *hit)
{
    walk->rays[lane].is_found = true;
    switch (walk->rules.wanted) {
    case WI_RAY_CLOSEST:
        walk->rays[lane].best = *hit;
        wi_ray_pack_limit(&walk->world, lane, hit->t);
        wi_ray_pack_limit(&walk->model, lane, hit->t);
        return true;
    case WI_RAY_ANY:
        walk->open &= ~(1U << lane);
        wi_ray_pack_close(&walk->world, lane);
        wi_ray_pack_close(&walk->model, lane);
        return true;
    case WI_RAY_ALL: return wi_array_push(walk->reader->memory, &walk->hits, *hit);
    }
    return true;
}

bool wi_ray_walk_test(wi_ray_walk *walk, unsigned lane, const wi_tri *tri, uint32_t slot)
{
    const wi_ray_state *state = &walk->rays[lane];
    wi_ray_point point;
    WI_ASSERT(lane < walk->count);
    if (slot == state->ignored_slot) return true;
    walk->reader->stats.exact_tests++;
    const wi_ray_side side = wi_ray_meets_tri(&state->ray, tri, &point);
    if (side == WI_RAY_MISSES || (side == WI_RAY_MEETS_BACK && walk->rules.one_sided)) return true;
    const wi_ray_hit hit = {point.t, walk->body, slot, point.u, point.v, *tri};
    if (walk->rules.wanted == WI_RAY_CLOSEST && state->is_found &&
        !wi_ray_hit_is_before(&hit, &state->best))
        return true;
    if (walk->rules.accept && !walk->rules.accept(walk->rules.context, state->number, &hit))
        return true;
    return ray_keep(walk, lane, &hit);
}

/* Without a tree: all triangles. */
static bool ray_run_brute(wi_ray_walk *walk, const wi_mesh *mesh)
{
    for (uint32_t slot = 0; slot < mesh->tri_count && walk->open != 0; slot++) {
        if (!wi_mesh_collides(mesh, slot)) continue;
        const wi_tri tri = wi_mesh_tri(mesh, slot);
        for (unsigned lane = 0; lane < walk->count; lane++) {
            if ((walk->open >> lane & 1) == 0) continue;
            walk->reader->stats.triangle_tests++;
            if (!wi_ray_walk_test(walk, lane, &tri, slot)) return false;
        }
    }
    return true;
}

bool wi_ray_walk_meet(wi_ray_walk *walk, const wi_tree *h, uint32_t body)
{
    walk->body = body;
    const bool ok = h->boxes.nodes ? walk->kernels->run(walk, h) : ray_run_brute(walk, h->mesh);
    walk->stack.count = 0;
    return ok;
}
