/* rays.c - see rays.h. Rays are aimed at the triangles where BRUTE has them. */
#include "matrix/rays.h"

#include "support/ray_scene.h"

/* Few, and by turns more than there are in a tile. */
enum { FEW = 60, MANY = 300 };

typedef struct matrix_rays {
    size_t count;
    willow_ray rays[MANY];
    willow_tri_ref ignore[SIDES][MANY];
    willow_ray_options options[SIDES];
} matrix_rays;

static bool pass_through_some(void *context, size_t ray, const willow_hit *hit)
{
    (void)context;
    return (ray + 2 * hit->at.tri + hit->at.body.index1) % 3 != 0;
}

static bool never(void *context)
{
    (void)context;
    return false;
}

/* What the manner of a case means for rays. X(name of the manner, what is set in the options) */
#define RAY_MANNERS(X)                                                                             \
    X("witness", o->ignore = r->ignore[side])                                                      \
    X("filter", o->filter = pass_through_some)                                                     \
    X("limit", o->max_hits = 2)                                                                    \
    X("larger", o->one_sided = true)                                                               \
    X("flat", o->mask_bits = 2)                                                                    \
    X("named", (o->bodies = w->sides[side].ids + 1, o->body_count = 1))                            \
    X("thick", o->stop = never)                                                                    \
    X("at_rest", (o->one_sided = true, o->ignore = r->ignore[side], o->max_hits = 1))              \
    X("coarse", (o->filter = pass_through_some, o->max_hits = 3, o->mask_bits = 1))

static void set_options(matrix_worlds *w, matrix_rays *r, int side)
{
    willow_ray_options *o = &r->options[side];
    const char *manner = matrix_manner_name(w->c->value[FACTOR_MANNER]);
    *o = willow_ray_options_default();
#define RAY_MANNER_ENTRY(name, set)                                                                \
    if (strcmp(manner, name) == 0) set;
    RAY_MANNERS(RAY_MANNER_ENTRY)
#undef RAY_MANNER_ENTRY
    o->use_threads = side == TRIED && w->c->value[FACTOR_WORKERS] != 0;
    o->use_occupancy = !o->use_threads;
}

/* The same triangles in both worlds. */
static void set_ignored(matrix_worlds *w, const ray_scene *scene, uint64_t seed, matrix_rays *r)
{
    ray_scene_ignore(scene, seed, r->rays, r->count, r->ignore[RIGHT]);
    for (size_t i = 0; i < r->count; i++) {
        willow_tri_ref *to = &r->ignore[TRIED][i];
        *to = r->ignore[RIGHT][i];
        for (uint32_t body = 0; body < BODIES; body++)
            if (willow_body_id_equal(to->body, w->sides[RIGHT].ids[body]))
                to->body = w->sides[TRIED].ids[body];
    }
}

static matrix_rays *aim(matrix_worlds *w)
{
    static matrix_rays r;
    const uint64_t turn = (uint64_t)w->c->number + w->update, seed = turn << 20 | w->c->number;
    ray_scene scene = {.body_count = 0};
    for (uint32_t i = 0; i < BODIES; i++)
        ray_scene_add(&scene, w->sides[RIGHT].world, w->sides[RIGHT].ids[i], w->actors[i].groups);
    r.count = turn % 8 == 0 ? MANY : FEW;
    ray_scene_aim(&scene, seed, r.count, r.rays);
    for (int side = 0; side < SIDES; side++) set_options(w, &r, side);
    if (r.options[RIGHT].ignore != NULL) set_ignored(w, &scene, seed, &r);
    ray_scene_clear(&scene);
    return &r;
}

#define ASK_RAYS(w, r, function, out)                                                              \
    for (int side = 0; side < SIDES; side++) {                                                     \
        const matrix_side *s = &(w)->sides[side];                                                  \
        matrix_ok(w, side,                                                                         \
                  function(s->world, s->scratch, (r)->rays, (r)->count, &(r)->options[side],       \
                           &(out)[side]),                                                          \
                  #function);                                                                      \
    }

size_t matrix_cast_rays(matrix_worlds *w)
{
    const matrix_rays *r = aim(w);
    willow_casts found[SIDES] = {{.count = 0}};
    ASK_RAYS(w, r, willow_cast_rays, found);
    if (!ray_casts_are_equal(&found[RIGHT], &found[TRIED])) matrix_fail(w, "cast_rays: other hits");
    return ray_states_count(found[RIGHT].states, found[RIGHT].count, WILLOW_RAY_HIT);
}

size_t matrix_block_rays(matrix_worlds *w)
{
    const matrix_rays *r = aim(w);
    willow_blocks found[SIDES] = {{.count = 0}};
    ASK_RAYS(w, r, willow_block_rays, found);
    if (!ray_blocks_are_equal(&found[RIGHT], &found[TRIED]))
        matrix_fail(w, "block_rays: other rays are blocked");
    return ray_states_count(found[RIGHT].states, found[RIGHT].count, WILLOW_RAY_HIT);
}

size_t matrix_pierce_rays(matrix_worlds *w)
{
    const matrix_rays *r = aim(w);
    willow_pierces found[SIDES] = {{.count = 0}};
    ASK_RAYS(w, r, willow_pierce_rays, found);
    if (!ray_pierces_are_equal(&found[RIGHT], &found[TRIED]))
        matrix_fail(w, "pierce_rays: %zu hits instead of %zu, or others", found[TRIED].count,
                    found[RIGHT].count);
    return found[RIGHT].count;
}
