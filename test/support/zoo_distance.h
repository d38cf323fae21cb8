/* zoo_distance.h - what is closest in a scene of the zoo, by loops over all triangles, and a check
 * of what a world says about it. */
#ifndef TEST_ZOO_DISTANCE_H
#define TEST_ZOO_DISTANCE_H

#include "support/zoo_world.h"

/* All triangles of a scene where they are now. */
typedef struct zoo_places {
    const zoo_scene *scene;
    willow_vec3 (*tris[ZOO_MAX_BODIES])[3];
} zoo_places;

void zoo_places_find(zoo_places *places, const zoo_scene *scene);
void zoo_places_free(zoo_places *places);

/* Bodies of a scene by number, a bit each. */
typedef unsigned zoo_set;

/* Bodies by number in the scene. */
typedef struct zoo_closest {
    bool found;
    uint32_t body_a, tri_a, body_b, tri_b;
    double distance;
    willow_vec3 point_a, point_b;
} zoo_closest;

/* The closest triangles of two sets, and the closest one of a set to a point, in the places of a;
 * limit 0: none. */
zoo_closest zoo_closest_sets(const zoo_places *places, zoo_set a, zoo_set b, double limit);
zoo_closest zoo_closest_to(const zoo_places *places, zoo_set bodies, const willow_vec3 *point,
                           double limit);

/* Asks the world and fails the test unless it says the same, bit for bit. The set names bodies in
 * falling order, the first one twice. True if something was found. */
bool zoo_check_sets(zoo_world *w, zoo_set a, zoo_set b, const willow_query_options *options,
                    const zoo_closest *expected);
bool zoo_check_point(zoo_world *w, zoo_set bodies, const willow_vec3 *point,
                     const willow_query_options *options, const zoo_closest *expected);

#endif
