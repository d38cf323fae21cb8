/* zoo_scene.h - bodies from the zoo, and the answers that every world of them must give.
 *
 * The answers come from loops over all triangles, under their poses, and the tests on single ones:
 * no world, no tree, no welding of the library's, no sorting. What BRUTE says is held against them
 * too. */
#ifndef TEST_ZOO_SCENE_H
#define TEST_ZOO_SCENE_H

#include "geom/tri.h"
#include "support/zoo_mesh.h"
#include "support/zoo_pose.h"
#include "willow/willow.h"

enum { ZOO_MAX_BODIES = 6 };

typedef struct zoo_body {
    zoo_mesh mesh;
    uint32_t (*tris)[3]; /* after welding */
    uint64_t category_bits, mask_bits;
    bool self;
    willow_pose pose;
    uint32_t moved_first, moved_count; /* vertices that the last move may have moved */
    bool is_turned;                    /* the last frame gave it a pose */
    bool is_masked;                    /* and another matrix of groups */
} zoo_body;

typedef struct zoo_scene {
    zoo_body bodies[ZOO_MAX_BODIES];
    uint32_t body_count;
} zoo_scene;

/* Adds a body that wants all others, and pairs within itself. */
void zoo_scene_add(zoo_scene *scene, zoo_kind kind, uint32_t size, uint64_t seed);
void zoo_scene_destroy(zoo_scene *scene);

/* Nothing has moved since the frame before. */
void zoo_scene_stay(zoo_scene *scene);

/* Puts all vertices where they are in that frame. */
void zoo_scene_move_all(zoo_scene *scene, uint32_t frame);

/* The same for some of the bodies, whole or in part, chosen by the seed. */
void zoo_scene_move_some(zoo_scene *scene, uint32_t frame, uint64_t seed);

/* Gives all bodies, or some of them, poses of a kind at the same place. */
void zoo_scene_pose_all(zoo_scene *scene, zoo_pose_kind kind, uint64_t place, uint64_t seed);
void zoo_scene_pose_some(zoo_scene *scene, zoo_pose_kind kind, uint64_t place, uint64_t seed);

/* Gives some bodies with groups another matrix of these, or none. */
void zoo_scene_mask_some(zoo_scene *scene, uint64_t seed);

typedef struct zoo_question {
    bool is_named;                       /* only about these bodies: */
    uint32_t bodies[2 * ZOO_MAX_BODIES]; /* numbers in the scene, any order, some twice */
    uint32_t body_count;
    bool skip_neighbours;
    uint32_t filter; /* leaves out about one of so many pairs; 0: none */
    size_t max_results;
    bool use_threads;
    willow_descend descend;
    willow_box box;
} zoo_question;

/* All pairs, about all bodies. */
zoo_question zoo_question_plain(void);
zoo_question zoo_question_random(const zoo_scene *scene, uint64_t seed);

/* What the filter of a question says. */
bool zoo_filter_keeps(const zoo_question *question, uint32_t body_a, willow_tri tri_a,
                      uint32_t body_b, willow_tri tri_b);

typedef struct zoo_pair {
    uint32_t body_a, body_b;
    willow_tri tri_a, tri_b;
} zoo_pair;

typedef struct zoo_pairs {
    zoo_pair *items; /* in the order of C3 */
    size_t count, capacity;
} zoo_pairs;

/* max_results is not applied. */
typedef struct zoo_answers {
    zoo_pairs pairs, self_pairs;
    zoo_pairs in_box;               /* (body, tri) in the places of a */
    size_t posed;                   /* of `pairs`: with a body that its pose moves */
    wi_tri *placed[ZOO_MAX_BODIES]; /* room to work in: triangles under their poses */
} zoo_answers;

void zoo_answers_find(const zoo_scene *scene, const zoo_question *question, zoo_answers *out);
void zoo_answers_free(zoo_answers *answers);

#endif
