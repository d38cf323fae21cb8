/* zoo_scene.c - the answers, by loops that leave no doubt.
 * Way in: zoo_answers_find. Boxes come before the exact tests, since thousands of scenes are
 * asked; everything else is the definition. */
#include "support/zoo_scene.h"

#include <stdlib.h>
#include <string.h>
#include "base/hash.h"
#include "prim/meet/tri_tri.h"

/* ---- bodies ---- */

/* The first vertex with the same place, if they are to be merged. */
static uint32_t stand_in(const zoo_mesh *mesh, uint32_t vertex)
{
    uint32_t first = 0;
    if (!mesh->weld) return vertex;
    while (mesh->positions[first][0] != mesh->positions[vertex][0] ||
           mesh->positions[first][1] != mesh->positions[vertex][1] ||
           mesh->positions[first][2] != mesh->positions[vertex][2])
        first++;
    return first;
}

void zoo_scene_add(zoo_scene *scene, zoo_kind kind, uint32_t size, uint64_t seed)
{
    zoo_body *body = &scene->bodies[scene->body_count++];
    *body = (zoo_body){
        .category_bits = 1, .mask_bits = UINT64_MAX, .self = true, .pose = willow_pose_identity()};
    zoo_mesh_create(&body->mesh, kind, size, seed);
    body->tris = calloc(body->mesh.triangle_count + 1, sizeof *body->tris);
    for (uint32_t tri = 0; tri < body->mesh.triangle_count; tri++)
        for (int i = 0; i < 3; i++)
            body->tris[tri][i] = stand_in(&body->mesh, body->mesh.tris[tri][i]);
}

void zoo_scene_destroy(zoo_scene *scene)
{
    for (uint32_t i = 0; i < scene->body_count; i++) {
        zoo_mesh_destroy(&scene->bodies[i].mesh);
        free(scene->bodies[i].tris);
    }
    *scene = (zoo_scene){0};
}

void zoo_scene_stay(zoo_scene *scene)
{
    for (uint32_t i = 0; i < scene->body_count; i++) {
        scene->bodies[i].moved_count = 0;
        scene->bodies[i].is_turned = scene->bodies[i].is_masked = false;
    }
}

static void move(zoo_body *body, uint32_t frame, uint32_t first, uint32_t count)
{
    body->moved_first = first;
    body->moved_count = count;
    if (count > 0) zoo_mesh_move(&body->mesh, frame, first, count);
}

void zoo_scene_move_all(zoo_scene *scene, uint32_t frame)
{
    for (uint32_t i = 0; i < scene->body_count; i++)
        move(&scene->bodies[i], frame, 0, scene->bodies[i].mesh.vertex_count);
}

static uint32_t below(uint64_t number, uint32_t limit)
{
    return limit == 0 ? 0 : (uint32_t)(number % limit);
}

void zoo_scene_move_some(zoo_scene *scene, uint32_t frame, uint64_t seed)
{
    for (uint32_t i = 0; i < scene->body_count; i++) {
        zoo_body *body = &scene->bodies[i];
        uint64_t key = wi_hash_u64(wi_hash_u64(seed, i), frame);
        uint32_t has = body->mesh.vertex_count;
        uint32_t first = below(wi_hash_u64(key, 1), has);
        uint32_t count = below(wi_hash_u64(key, 2), has - first + 1);
        if (key % 4 == 0)
            move(body, frame, 0, 0);
        else if (key % 4 == 1)
            move(body, frame, 0, has);
        else
            move(body, frame, first, count);
    }
}

static void turn(zoo_scene *scene, uint32_t i, zoo_pose_kind kind, uint64_t place, uint64_t seed)
{
    scene->bodies[i].pose = zoo_pose_make(kind, place, wi_hash_u64(seed, i));
    scene->bodies[i].is_turned = true;
}

void zoo_scene_pose_all(zoo_scene *scene, zoo_pose_kind kind, uint64_t place, uint64_t seed)
{
    for (uint32_t i = 0; i < scene->body_count; i++) turn(scene, i, kind, place, seed);
}

void zoo_scene_pose_some(zoo_scene *scene, zoo_pose_kind kind, uint64_t place, uint64_t seed)
{
    for (uint32_t i = 0; i < scene->body_count; i++)
        if (wi_hash_u64(wi_hash_u64(seed, 77), i) % 2 == 0) turn(scene, i, kind, place, seed);
}

void zoo_scene_mask_some(zoo_scene *scene, uint64_t seed)
{
    for (uint32_t i = 0; i < scene->body_count; i++) {
        zoo_body *body = &scene->bodies[i];
        uint64_t key = wi_hash_u64(wi_hash_u64(seed, 78), i);
        if (body->mesh.group_count == 0 || key % 3 == 0) continue;
        zoo_mesh_mask(&body->mesh, key);
        body->is_masked = true;
    }
}

/* ---- questions ---- */

zoo_question zoo_question_plain(void)
{
    return (zoo_question){.box = {{-0.5F, -0.25F, -0.5F}, {0.75F, 0.5F, 0.25F}}};
}

static void name_bodies(const zoo_scene *scene, uint64_t key, zoo_question *question)
{
    question->is_named = true;
    question->body_count = below(key, 2 * scene->body_count);
    for (uint32_t i = 0; i < question->body_count; i++)
        question->bodies[i] = below(wi_hash_u64(key, i), scene->body_count);
}

/* Bounds are eighths from [-1, 1]; some boxes are flat, some are points, a few are empty. */
static willow_box random_box(uint64_t key)
{
    float lower[3], upper[3];
    for (uint64_t axis = 0; axis < 3; axis++) {
        float a = (float)below(wi_hash_u64(key, 2 * axis), 17) / 8.0F - 1.0F;
        float b = (float)below(wi_hash_u64(key, 2 * axis + 1), 17) / 8.0F - 1.0F;
        bool is_turned = key % 16 == axis;
        lower[axis] = (a < b) != is_turned ? a : b;
        upper[axis] = (a < b) != is_turned ? b : a;
        if (key % 64 == 63) upper[axis] = lower[axis];
    }
    return (willow_box){{lower[0], lower[1], lower[2]}, {upper[0], upper[1], upper[2]}};
}

/* Half of the boxes go to where a vertex of a body is, since poses take bodies far away. */
static void aim_at_a_body(const zoo_scene *scene, uint64_t key, willow_box *box)
{
    const zoo_body *body = &scene->bodies[below(key >> 8, scene->body_count)];
    willow_vec3 at;
    if (key % 2 == 0 || body->mesh.vertex_count == 0) return;
    willow_pose_apply(&body->pose, body->mesh.positions[below(key >> 16, body->mesh.vertex_count)],
                      0, 1, &at);
    willow_box moved = {{box->lower.x + at.x, box->lower.y + at.y, box->lower.z + at.z},
                        {box->upper.x + at.x, box->upper.y + at.y, box->upper.z + at.z}};
    *box = moved;
}

zoo_question zoo_question_random(const zoo_scene *scene, uint64_t seed)
{
    uint64_t key = wi_hash_u64(seed, 99);
    zoo_question question = {.skip_neighbours = (key & 1) != 0, .use_threads = (key & 2) != 0};
    if ((key & 12) == 0) name_bodies(scene, wi_hash_u64(key, 1), &question);
    if ((key & 48) == 0) question.filter = 3;
    if ((key & 192) == 0) question.max_results = 1 + below(wi_hash_u64(key, 2), 50);
    question.descend = (willow_descend)(key >> 8 & 255) % WILLOW_DESCEND_COUNT;
    question.box = random_box(wi_hash_u64(key, 3));
    aim_at_a_body(scene, wi_hash_u64(key, 4), &question.box);
    return question;
}

bool zoo_filter_keeps(const zoo_question *question, uint32_t body_a, willow_tri tri_a,
                      uint32_t body_b, willow_tri tri_b)
{
    if (question->filter == 0) return true;
    uint64_t hash = wi_hash_u64(wi_hash_u64(body_a, tri_a), (uint64_t)body_b << 32 | tri_b);
    return hash % question->filter != 0;
}

/* ---- answers ---- */

static void add_pair(zoo_pairs *list, zoo_pair pair)
{
    if (list->count == list->capacity) {
        list->capacity = 2 * list->capacity + 64;
        list->items = realloc(list->items, list->capacity * sizeof *list->items);
    }
    list->items[list->count++] = pair;
}

static bool is_asked_about(const zoo_question *question, uint32_t body)
{
    if (!question->is_named) return true;
    for (uint32_t i = 0; i < question->body_count; i++)
        if (question->bodies[i] == body) return true;
    return false;
}

static bool collides(const zoo_body *body, uint32_t tri)
{
    return body->mesh.groups == NULL || body->mesh.groups[tri] != 0;
}

/* All triangles of a body where its pose puts them. */
static wi_tri *place_tris(const zoo_body *body)
{
    wi_tri *placed = calloc(body->mesh.triangle_count + 1, sizeof *placed);
    for (uint32_t tri = 0; tri < body->mesh.triangle_count; tri++)
        for (int i = 0; i < 3; i++) {
            willow_vec3 at;
            willow_pose_apply(&body->pose, body->mesh.positions[body->tris[tri][i]], 0, 1, &at);
            memcpy(placed[tri].corner[i], &at, sizeof at);
        }
    return placed;
}

static bool are_apart(const wi_tri *a, const wi_tri *b)
{
    for (int axis = 0; axis < 3; axis++) {
        float low_a = a->corner[0][axis], high_a = low_a, low_b = b->corner[0][axis],
              high_b = low_b;
        for (int i = 1; i < 3; i++) {
            float at_a = a->corner[i][axis], at_b = b->corner[i][axis];
            low_a = at_a < low_a ? at_a : low_a;
            high_a = at_a > high_a ? at_a : high_a;
            low_b = at_b < low_b ? at_b : low_b;
            high_b = at_b > high_b ? at_b : high_b;
        }
        if (high_a < low_b || high_b < low_a) return true;
    }
    return false;
}

static bool share_a_vertex(const uint32_t a[3], const uint32_t b[3])
{
    for (int i = 0; i < 9; i++)
        if (a[i / 3] == b[i % 3]) return true;
    return false;
}

static void public_tri(const wi_tri *t, willow_vec3 out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = (willow_vec3){t->corner[i][0], t->corner[i][1], t->corner[i][2]};
}

/* `first` and `second` are the triangles where they are. */
static bool are_pair(const zoo_question *question, const zoo_body *a, uint32_t tri_a,
                     const wi_tri *first, const zoo_body *b, uint32_t tri_b, const wi_tri *second)
{
    if (!collides(a, tri_a) || !collides(b, tri_b)) return false;
    if (are_apart(first, second)) return false;
    if (a != b) {
        willow_vec3 corners_a[3], corners_b[3];
        public_tri(first, corners_a);
        public_tri(second, corners_b);
        return willow_tri_tri_meet(corners_a, corners_b);
    }
    if (!zoo_mesh_tests(&a->mesh, tri_a, tri_b)) return false;
    if (question->skip_neighbours && share_a_vertex(a->tris[tri_a], b->tris[tri_b])) return false;
    return wi_tris_are_pair(first, a->tris[tri_a], second, b->tris[tri_b]);
}

static void find_between(const zoo_scene *scene, const zoo_question *question,
                         const zoo_answers *answers, uint32_t a, uint32_t b, zoo_pairs *out)
{
    const zoo_body *body_a = &scene->bodies[a], *body_b = &scene->bodies[b];
    const wi_tri *tris_a = answers->placed[a], *tris_b = answers->placed[b];
    for (uint32_t tri_a = 0; tri_a < body_a->mesh.triangle_count; tri_a++)
        for (uint32_t tri_b = a == b ? tri_a + 1 : 0; tri_b < body_b->mesh.triangle_count; tri_b++)
            if (are_pair(question, body_a, tri_a, &tris_a[tri_a], body_b, tri_b, &tris_b[tri_b]) &&
                zoo_filter_keeps(question, a, tri_a, b, tri_b))
                add_pair(out, (zoo_pair){a, b, tri_a, tri_b});
}

static bool want_each_other(const zoo_body *a, const zoo_body *b)
{
    return (a->category_bits & b->mask_bits) != 0 && (b->category_bits & a->mask_bits) != 0;
}

static void find_in_box(const zoo_scene *scene, const willow_box *box, const wi_tri *placed,
                        uint32_t a, zoo_pairs *out)
{
    const zoo_body *body = &scene->bodies[a];
    for (uint32_t tri = 0; tri < body->mesh.triangle_count; tri++) {
        willow_vec3 corners[3];
        public_tri(&placed[tri], corners);
        if (collides(body, tri) && willow_tri_box_meet(corners, box))
            add_pair(out, (zoo_pair){.body_a = a, .tri_a = tri});
    }
}

static size_t count_posed(const zoo_scene *scene, const zoo_pairs *pairs)
{
    size_t count = 0;
    for (size_t i = 0; i < pairs->count; i++)
        count += zoo_pose_moves(&scene->bodies[pairs->items[i].body_a].pose) ||
                 zoo_pose_moves(&scene->bodies[pairs->items[i].body_b].pose);
    return count;
}

static void free_placed(zoo_answers *answers)
{
    for (uint32_t i = 0; i < ZOO_MAX_BODIES; i++) free(answers->placed[i]);
    memset(answers->placed, 0, sizeof answers->placed);
}

void zoo_answers_find(const zoo_scene *scene, const zoo_question *question, zoo_answers *out)
{
    out->pairs.count = out->self_pairs.count = out->in_box.count = 0;
    for (uint32_t i = 0; i < scene->body_count; i++) out->placed[i] = place_tris(&scene->bodies[i]);
    for (uint32_t a = 0; a < scene->body_count; a++) {
        const zoo_body *body = &scene->bodies[a];
        if (!is_asked_about(question, a)) continue;
        size_t first = out->self_pairs.count;
        if (body->self || question->is_named)
            find_between(scene, question, out, a, a, &out->self_pairs);
        for (size_t i = first; i < out->self_pairs.count && body->self; i++)
            add_pair(&out->pairs, out->self_pairs.items[i]);
        for (uint32_t b = a + 1; b < scene->body_count; b++)
            if (is_asked_about(question, b) && want_each_other(body, &scene->bodies[b]))
                find_between(scene, question, out, a, b, &out->pairs);
        find_in_box(scene, &question->box, out->placed[a], a, &out->in_box);
    }
    out->posed = count_posed(scene, &out->pairs);
    free_placed(out);
}

void zoo_answers_free(zoo_answers *answers)
{
    free(answers->pairs.items);
    free(answers->self_pairs.items);
    free(answers->in_box.items);
    *answers = (zoo_answers){0};
}
