/* zoo_distance.c - see zoo_distance.h. The loops know the distances of two triangles and the order
 * of answers, and nothing else. */
#include "support/zoo_distance.h"

#include <math.h>
#include <stdlib.h>
#include "support/test.h"

void zoo_places_find(zoo_places *places, const zoo_scene *scene)
{
    *places = (zoo_places){.scene = scene};
    for (uint32_t i = 0; i < scene->body_count; i++) {
        const zoo_body *body = &scene->bodies[i];
        places->tris[i] = calloc(body->mesh.triangle_count + 1, sizeof *places->tris[i]);
        for (uint32_t tri = 0; tri < body->mesh.triangle_count; tri++)
            for (int k = 0; k < 3; k++)
                willow_pose_apply(&body->pose, body->mesh.positions[body->tris[tri][k]], 0, 1,
                                  &places->tris[i][tri][k]);
    }
}

void zoo_places_free(zoo_places *places)
{
    for (uint32_t i = 0; i < ZOO_MAX_BODIES; i++) free(places->tris[i]);
    *places = (zoo_places){0};
}

static bool collides(const zoo_body *body, uint32_t tri)
{
    return body->mesh.groups == NULL || body->mesh.groups[tri] != 0;
}

static bool has(zoo_set set, uint32_t body) { return (set >> body & 1) != 0; }

static bool is_better(const zoo_closest *best, double distance, double limit)
{
    return best->found ? distance < best->distance : limit == 0.0 || distance <= limit;
}

/* Of one triangle, against all of set b; loops run in the order of answers. */
static void try_tri(const zoo_places *places, uint32_t body_a, uint32_t tri_a, zoo_set b,
                    double limit, zoo_closest *best)
{
    const zoo_scene *scene = places->scene;
    for (uint32_t body_b = 0; body_b < scene->body_count; body_b++) {
        if (!has(b, body_b) || body_b == body_a) continue;
        for (uint32_t tri_b = 0; tri_b < scene->bodies[body_b].mesh.triangle_count; tri_b++) {
            if (!collides(&scene->bodies[body_b], tri_b)) continue;
            zoo_closest now = {true, body_a, tri_a, body_b, tri_b, 0, {0, 0, 0}, {0, 0, 0}};
            now.distance =
                willow_tri_tri_distance(places->tris[body_a][tri_a], places->tris[body_b][tri_b],
                                        &now.point_a, &now.point_b);
            if (is_better(best, now.distance, limit)) *best = now;
        }
    }
}

zoo_closest zoo_closest_sets(const zoo_places *places, zoo_set a, zoo_set b, double limit)
{
    const zoo_scene *scene = places->scene;
    zoo_closest best = {0};
    for (uint32_t body = 0; body < scene->body_count; body++)
        for (uint32_t tri = 0; has(a, body) && tri < scene->bodies[body].mesh.triangle_count; tri++)
            if (collides(&scene->bodies[body], tri)) try_tri(places, body, tri, b, limit, &best);
    return best;
}

zoo_closest zoo_closest_to(const zoo_places *places, zoo_set bodies, const willow_vec3 *point,
                           double limit)
{
    const zoo_scene *scene = places->scene;
    zoo_closest best = {0};
    for (uint32_t body = 0; body < scene->body_count; body++)
        for (uint32_t tri = 0; tri < scene->bodies[body].mesh.triangle_count; tri++) {
            if (!has(bodies, body) || !collides(&scene->bodies[body], tri)) continue;
            zoo_closest now = {.found = true, .body_a = body, .tri_a = tri};
            now.distance = willow_point_tri_distance(point, places->tris[body][tri], &now.point_a);
            if (is_better(&best, now.distance, limit)) best = now;
        }
    return best;
}

static size_t name_bodies(const zoo_world *w, zoo_set set, willow_body_id ids[ZOO_MAX_BODIES + 1])
{
    size_t count = 0;
    for (uint32_t i = w->scene->body_count; i-- > 0;)
        if (has(set, i)) ids[count++] = w->bodies[i].id;
    if (count > 0) ids[count] = ids[0];
    return count > 0 ? count + 1 : 0;
}

static void fail_with(const zoo_world *w, const char *question, const zoo_closest *expected,
                      double distance, uint32_t tri_a, uint32_t tri_b)
{
    for (uint32_t i = 0; i < w->scene->body_count; i++)
        print_error("body %u: %s, size %u, seed %llu; %s, arity %u, leaves of %u\n", i,
                    zoo_kind_name(w->scene->bodies[i].mesh.kind), w->scene->bodies[i].mesh.size,
                    (unsigned long long)w->scene->bodies[i].mesh.seed,
                    willow_method_name(w->setup.trees[i].method), w->setup.trees[i].arity,
                    w->setup.trees[i].leaf_triangles);
    fail_msg("%s, kernel %s: %a of %u and %u instead of %a of %u.%u and %u.%u", question,
             willow_kernel_name(w->setup.world.kernel), distance, tri_a, tri_b, expected->distance,
             expected->body_a, expected->tri_a, expected->body_b, expected->tri_b);
}

static bool is_body(const zoo_world *w, willow_body_id id, uint32_t body)
{
    return memcmp(&id, &w->bodies[body].id, sizeof id) == 0;
}

static bool is_at(const willow_vec3 *a, const willow_vec3 *b)
{
    return a->x == b->x && a->y == b->y && a->z == b->z;
}

bool zoo_check_sets(zoo_world *w, zoo_set a, zoo_set b, const willow_query_options *options,
                    const zoo_closest *expected)
{
    willow_body_id ids_a[ZOO_MAX_BODIES + 1], ids_b[ZOO_MAX_BODIES + 1];
    const willow_body_set set_a = {ids_a, name_bodies(w, a, ids_a)};
    const willow_body_set set_b = {ids_b, name_bodies(w, b, ids_b)};
    willow_closest_pair found;
    assert_ok(willow_distance(w->world, w->scratch, &set_a, &set_b, options, &found));
    bool ok = found.found == expected->found;
    if (ok && found.found)
        ok = is_body(w, found.a.body, expected->body_a) && found.a.tri == expected->tri_a &&
             is_body(w, found.b.body, expected->body_b) && found.b.tri == expected->tri_b &&
             found.distance == expected->distance &&
             is_at(&found.contact.point_a, &expected->point_a) &&
             is_at(&found.contact.point_b, &expected->point_b);
    if (!ok) fail_with(w, "sets", expected, found.distance, found.a.tri, found.b.tri);
    return found.found;
}

bool zoo_check_point(zoo_world *w, zoo_set bodies, const willow_vec3 *point,
                     const willow_query_options *options, const zoo_closest *expected)
{
    willow_body_id ids[ZOO_MAX_BODIES + 1];
    willow_query_options named = options ? *options : willow_query_options_default();
    named.bodies = ids;
    named.body_count = name_bodies(w, bodies, ids);
    willow_closest found;
    assert_ok(willow_closest_point(w->world, w->scratch, point, &named, &found));
    bool ok = found.found == expected->found;
    if (ok && found.found)
        ok = is_body(w, found.tri.body, expected->body_a) && found.tri.tri == expected->tri_a &&
             found.distance == expected->distance &&
             is_at(&found.contact.point_b, &expected->point_a);
    if (!ok) fail_with(w, "point", expected, found.distance, found.tri.tri, 0);
    return found.found;
}
