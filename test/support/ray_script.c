/* ray_script.c - see ray_script.h. */
#include "support/ray_script.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "support/rational_ray.h"
#include "support/ray_scene.h"
#include "support/script_words.h"
#include "support/zoo_pose.h"
#include "support/zoo_world.h"

enum { BODIES = 2, MOST_TRIS = 9, MOST_RAYS = 12 };

typedef struct ray_script {
    choices *c;
    ray_tally *tally;
    uint32_t format; /* of numbers that are chosen */
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id ids[BODIES];
    float at[BODIES][3 * MOST_TRIS][3];
    uint32_t tri_counts[BODIES];
    uint16_t groups[BODIES][MOST_TRIS];
    willow_ray rays[MOST_RAYS];
    willow_tri_ref ignore[MOST_RAYS];
    size_t ray_count;
} ray_script;

/* ---- numbers ---- */

static float any_bits(choices *c)
{
    const uint32_t bits = choose_byte(c) << 24 | choose_byte(c) << 16 | choose_byte(c) << 8;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float seeded_bits(choices *c)
{
    const uint32_t bits = (uint32_t)test_random(&c->seed);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* May be anything but finite in the last format. */
static float choose_float(ray_script *s)
{
    const float whole = (float)choose(s->c, 8) - 3;
    switch (s->format) {
    case 0: return whole;
    case 1: return 0.125F * whole;
    case 2: return 0x1p+21F + whole;
    case 3: return ldexpf(whole, (int)choose(s->c, 5) * 60 - 140);
    case 4: return (float)choose_number(s->c, false);
    default: return s->c->bytes ? any_bits(s->c) : seeded_bits(s->c);
    }
}

static float choose_finite(ray_script *s)
{
    const float value = choose_float(s);
    return isfinite(value) ? value : 0;
}

/* ---- bodies ---- */

static void choose_corners(ray_script *s, uint32_t body, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count; i++)
        for (int k = 0; k < 3; k++) s->at[body][i][k] = choose_finite(s);
}

static willow_tree_def choose_tree(ray_script *s)
{
    static const uint32_t arities[] = {8, 2, 4}, leaves[] = {0, 1, 2};
    willow_tree_def tree = zoo_variant_tree(choose(s->c, ZOO_VARIANT_COUNT), 8, 0);
    tree.arity = arities[choose(s->c, 3)];
    tree.leaf_triangles = leaves[choose(s->c, 3)];
    return tree;
}

static bool make_body(ray_script *s, uint32_t body)
{
    uint32_t tris[MOST_TRIS][3];
    willow_body_def def = willow_body_def_default();
    const uint32_t count = choose(s->c, MOST_TRIS + 1);
    choose_corners(s, body, 0, 3 * count);
    for (uint32_t i = 0; i < 3 * count; i++) tris[i / 3][i % 3] = i;
    for (uint32_t i = 0; i < count; i++) s->groups[body][i] = choose_one_in(s->c, 8) ? 0 : 1;
    s->tri_counts[body] = count;
    def.mesh.positions = s->at[body];
    def.mesh.vertex_count = 3 * count;
    def.mesh.indices = tris;
    def.mesh.triangle_count = count;
    def.mesh.triangle_groups = s->groups[body];
    def.tree = choose_tree(s);
    def.category_bits = 1 + body;
    def.user_data = 7 * body;
    return script_check(NULL, s->world, willow_body_create(s->world, &def, &s->ids[body]),
                        "create");
}

static bool move_body(ray_script *s, uint32_t body)
{
    const uint32_t all = 3 * s->tri_counts[body];
    if (choose(s->c, 2) == 0) {
        const willow_pose pose =
            zoo_pose_make((zoo_pose_kind)choose(s->c, ZOO_POSE_COUNT), 1, choose(s->c, 64));
        if (!script_check(NULL, s->world, willow_body_set_pose(s->world, s->ids[body], &pose),
                          "set_pose"))
            return false;
    }
    if (all == 0 || choose(s->c, 2) == 0) return true;
    const uint32_t first = choose(s->c, all), count = 1 + choose(s->c, all - first);
    choose_corners(s, body, first, count);
    return script_check(
        NULL, s->world,
        willow_body_set_vertices(s->world, s->ids[body], first, count, s->at[body] + first, 0),
        "set_vertices");
}

/* ---- rays ---- */

static willow_vec3 choose_vec(ray_script *s)
{
    willow_vec3 v;
    v.x = choose_float(s);
    v.y = choose_float(s);
    v.z = choose_float(s);
    return v;
}

static void choose_rays(ray_script *s, const ray_scene *scene)
{
    static const float ends[] = {INFINITY, 1, 0, 2, -1, 0.5F, FLT_MAX, -FLT_MAX};
    s->ray_count = 1 + choose(s->c, MOST_RAYS);
    ray_scene_aim(scene, choose(s->c, 256), s->ray_count, s->rays);
    for (size_t i = 0; i < s->ray_count; i++) {
        willow_ray *ray = &s->rays[i];
        const uint32_t kind = choose(s->c, 8); /* 0: as it was aimed */
        if (kind & 1) ray->origin = choose_vec(s);
        if (kind & 2) ray->direction = choose_vec(s);
        if (kind & 4) {
            ray->t_min = s->format < 5 ? ends[1 + choose(s->c, 7)] : choose_float(s);
            ray->t_max = ends[choose(s->c, 8)];
            if (ray->t_min > ray->t_max && !choose_one_in(s->c, 8)) {
                const float end = ray->t_min;
                ray->t_min = ray->t_max;
                ray->t_max = end;
            }
        }
    }
}

static bool is_sound(const willow_ray *r)
{
    const float numbers[7] = {r->origin.x,    r->origin.y,    r->origin.z, r->direction.x,
                              r->direction.y, r->direction.z, r->t_min};
    for (int i = 0; i < 7; i++)
        if (!isfinite(numbers[i])) return false;
    return r->t_min <= r->t_max && (numbers[3] != 0 || numbers[4] != 0 || numbers[5] != 0);
}

/* The first ray that is not sound must be named; then all of them are made so. */
static bool check_refused(ray_script *s)
{
    willow_casts casts;
    char words[32];
    size_t bad = 0;
    while (bad < s->ray_count && is_sound(&s->rays[bad])) bad++;
    if (bad == s->ray_count) return true;
    s->tally->refused++;
    (void)snprintf(words, sizeof words, "ray %zu:", bad);
    if (willow_cast_rays(s->world, s->scratch, s->rays, s->ray_count, NULL, &casts) !=
            WILLOW_BAD_ARGUMENT ||
        strstr(willow_scratch_message(s->scratch), words) == NULL)
        return script_fail(NULL, "a ray that is not sound is not refused, or without its number");
    for (size_t i = bad; i < s->ray_count; i++)
        if (!is_sound(&s->rays[i])) s->rays[i] = (willow_ray){{0, 0, 3}, 0, {0, 0, -1}, INFINITY};
    return true;
}

/* ---- answers ---- */

static bool check_tri(ray_script *s, const willow_ray *ray, const willow_vec3 *corners)
{
    willow_hit hit;
    char words[200];
    mpq_t t;
    mpq_init(t);
    const bool meets = rational_ray_tri(ray, corners, t);
    const bool is_hit = willow_ray_tri(ray, corners, &hit);
    const bool is_near = !meets || !is_hit || rational_error(hit.t, t) <= 1e-6;
    mpq_clear(t);
    s->tally->tested++;
    if (meets == is_hit && is_near) return true;
    (void)snprintf(words, sizeof words, "ray (%a, %a, %a) + t (%a, %a, %a): %s",
                   (double)ray->origin.x, (double)ray->origin.y, (double)ray->origin.z,
                   (double)ray->direction.x, (double)ray->direction.y, (double)ray->direction.z,
                   is_near ? "hit or miss is wrong" : "t is not near");
    return script_fail(NULL, words);
}

static bool check_tris(ray_script *s, const ray_scene *scene)
{
    for (size_t i = 0; i < s->ray_count; i++)
        for (uint32_t body = 0; body < scene->body_count; body++)
            for (uint32_t tri = 0; tri < scene->bodies[body].tri_count; tri++)
                if (!check_tri(s, &s->rays[i], scene->bodies[body].corners + 3 * (size_t)tri))
                    return false;
    return true;
}

static bool pass_through_some(void *context, size_t ray, const willow_hit *hit)
{
    (void)context;
    return (ray + hit->at.tri) % 3 != 0;
}

static willow_ray_options choose_options(ray_script *s)
{
    willow_ray_options o = willow_ray_options_default();
    const uint32_t bits = choose(s->c, 256);
    o.one_sided = (bits & 1) != 0;
    if ((bits & 2) != 0) o.ignore = s->ignore;
    if ((bits & 12) == 12) o.filter = pass_through_some;
    if ((bits & 48) == 48) o.max_hits = 1 + (bits & 1);
    if ((bits & 192) == 192) o.mask_bits = 1 + (bits & 1);
    return o;
}

/* With all three questions, one ray at a time for the closest, so that messages say which. */
static bool check_ray(ray_script *s, const ray_scene *scene, const willow_ray_options *o,
                      const willow_pierces *all, size_t ray)
{
    willow_hit hits[BODIES * MOST_TRIS + 1];
    const size_t count = ray_scene_hits(scene, o, s->rays, ray, hits);
    const size_t kept = o->max_hits != 0 && count > o->max_hits ? o->max_hits : count;
    const willow_pierce_run *run = &all->runs[ray];
    bool is_same = run->count == kept && run->complete == (kept == count) &&
                   all->states[ray] == (count > 0 ? WILLOW_RAY_HIT : WILLOW_RAY_FREE);
    for (size_t i = 0; i < kept && is_same; i++)
        is_same = ray_hits_are_equal(&all->items[run->first + i], &hits[i]);
    s->tally->rays++;
    s->tally->hits += count;
    return is_same || script_fail(NULL, "a ray pierces other triangles than loops find");
}

static bool check_world(ray_script *s, const ray_scene *scene)
{
    const willow_ray_options o = choose_options(s);
    willow_ray_options first = o;
    willow_casts casts;
    willow_blocks blocks;
    willow_pierces all, ones;
    willow_hit closest[MOST_RAYS];
    uint8_t states[MOST_RAYS];
    if (willow_cast_rays(s->world, s->scratch, s->rays, s->ray_count, &o, &casts) != WILLOW_OK)
        return script_fail(NULL, willow_scratch_message(s->scratch));
    memcpy(closest, casts.hits, s->ray_count * sizeof *closest);
    memcpy(states, casts.states, s->ray_count);
    if (willow_block_rays(s->world, s->scratch, s->rays, s->ray_count, &o, &blocks) != WILLOW_OK)
        return script_fail(NULL, willow_scratch_message(s->scratch));
    if (memcmp(blocks.states, states, s->ray_count) != 0)
        return script_fail(NULL, "other rays are blocked than those that hit");
    first.max_hits = 1;
    if (willow_pierce_rays(s->world, s->scratch, s->rays, s->ray_count, &first, &ones) != WILLOW_OK)
        return script_fail(NULL, willow_scratch_message(s->scratch));
    for (size_t i = 0; i < s->ray_count; i++)
        if (ones.states[i] != states[i] ||
            (ones.runs[i].count > 0 &&
             !ray_hits_are_equal(&ones.items[ones.runs[i].first], &closest[i])))
            return script_fail(NULL, "the closest hit is not the first of all");
    if (willow_pierce_rays(s->world, s->scratch, s->rays, s->ray_count, &o, &all) != WILLOW_OK)
        return script_fail(NULL, willow_scratch_message(s->scratch));
    for (size_t i = 0; i < s->ray_count; i++)
        if (!check_ray(s, scene, &o, &all, i)) return false;
    return true;
}

static bool play_update(ray_script *s)
{
    ray_scene scene = {.body_count = 0};
    for (uint32_t i = 0; i < BODIES; i++)
        if (!move_body(s, i)) return false;
    if (!script_check(NULL, s->world, willow_world_update(s->world, 0, NULL), "update"))
        return false;
    for (uint32_t i = 0; i < BODIES; i++) ray_scene_add(&scene, s->world, s->ids[i], s->groups[i]);
    choose_rays(s, &scene);
    bool is_right = check_refused(s);
    if (is_right) ray_scene_ignore(&scene, s->ray_count, s->rays, s->ray_count, s->ignore);
    is_right = is_right && check_tris(s, &scene) && check_world(s, &scene);
    ray_scene_clear(&scene);
    s->tally->updates++;
    return is_right;
}

const char *ray_script_run(choices *c, uint32_t updates, ray_tally *tally)
{
    ray_script *s = calloc(1, sizeof *s);
    willow_world_def def = willow_world_def_default();
    script_words_clear();
    s->c = c;
    s->tally = tally;
    s->format = choose(c, 6);
    if (choose_one_in(c, 4)) def.kernel = WILLOW_KERNEL_SCALAR;
    bool is_right = willow_world_create(&def, &s->world) == WILLOW_OK &&
                    willow_scratch_create(s->world, &s->scratch) == WILLOW_OK;
    for (uint32_t i = 0; i < BODIES && is_right; i++) is_right = make_body(s, i);
    for (; updates > 0 && is_right && !choices_are_over(c); updates--) is_right = play_update(s);
    willow_scratch_destroy(s->scratch);
    willow_world_destroy(s->world);
    tally->scripts++;
    free(s);
    return script_words(is_right);
}
