/* player.c - the only place where bodies of a scene become bodies of a world.
 *
 * Way in: player_create, then player_prepare and player_go for every further frame. */
#include "bench/play/player.h"
#include "bench/play/engine.h"
#include "bench/play/morphs.h"
#include "bench/play/paths.h"
#include "scenes/live_triangles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the caller's arrays ---- */

/* Never of size 0, so that NULL means that memory is short. */
static float *create_array(const scene_body *body)
{
    return calloc(3 * (size_t)body->vertex_count + 1, sizeof(float));
}

float **scene_arrays_create(const scene *s)
{
    float **arrays = calloc((size_t)s->body_count + 1, sizeof *arrays);
    for (uint32_t i = 0; arrays != NULL && i < s->body_count; i++) {
        arrays[i] = create_array(&s->bodies[i]);
        if (arrays[i] == NULL) {
            scene_arrays_destroy(s, arrays);
            return NULL;
        }
    }
    return arrays;
}

void scene_arrays_destroy(const scene *s, float **arrays)
{
    for (uint32_t i = 0; arrays != NULL && i < s->body_count; i++) free(arrays[i]);
    free(arrays);
}

void scene_arrays_fill(const scene *s, uint32_t frame, float **arrays)
{
    for (uint32_t i = 0; i < s->body_count; i++) scene_positions(s, frame, i, arrays[i]);
}

/* Adds the lengths of the three edges of every triangle. */
static double add_edges(const scene_body *body, const float *positions)
{
    double sum = 0;
    for (size_t i = 0; i < 3 * (size_t)body->triangle_count; i++) {
        size_t next = i % 3 == 2 ? i - 2 : i + 1;
        const float *a = positions + 3 * (size_t)body->indices[i];
        const float *b = positions + 3 * (size_t)body->indices[next];
        double x = (double)a[0] - (double)b[0], y = (double)a[1] - (double)b[1],
               z = (double)a[2] - (double)b[2];
        sum += sqrt(x * x + y * y + z * z);
    }
    return sum;
}

double scene_arrays_thickness(const scene *s, float *const *arrays)
{
    uint64_t edges = 3 * scene_triangle_total(s);
    double sum = 0;
    for (uint32_t i = 0; i < s->body_count; i++) sum += add_edges(&s->bodies[i], arrays[i]);
    return edges > 0 ? sum / (double)edges / 5 : 0;
}

/* ---- failures in words ---- */

static bool player_fail(player *p, const char *doing, willow_result result, const char *words)
{
    snprintf(p->message, sizeof p->message, "%s: %s%s%s", doing, willow_result_name(result),
             words[0] != '\0' ? ": " : "", words);
    return false;
}

static bool fail_in_world(player *p, const char *doing, willow_result result)
{
    return player_fail(p, doing, result, p->world != NULL ? willow_world_message(p->world) : "");
}

bool player_fail_asking(player *p, willow_result result)
{
    return player_fail(p, "asking", result, willow_scratch_message(p->scratch));
}

/* ---- bodies ---- */

/* Whether it has flight plans, or is about to get them. */
static bool has_plan(const player *p, uint32_t i)
{
    return p->has_plans && scene_body_has_path(p->scene, i);
}

/* Where paths are known, this is one, too: the body is where it was made. */
static bool stands(const player *p, uint32_t i)
{
    return p->has_plans && scene_body_stands(p->scene, i);
}

/* Whether it is given as a morph, or would be if poses were: its positions are not in the arrays.
 */
static bool is_morph(const player *p, uint32_t i)
{
    return p->has_morphs && scene_body_morphs(p->scene, i);
}

static bool has_morph(const player *p, uint32_t i)
{
    return is_morph(p, i) && p->poses != POSES_APPLY;
}

static bool has_skin(const player *p, uint32_t i)
{
    return has_morph(p, i) && p->scene->bodies[i].motion == SCENE_SKIN;
}

static bool is_rigid(const player *p, uint32_t i)
{
    return p->scene->bodies[i].is_rigid && p->poses != POSES_NONE;
}

static bool has_pose(const player *p, uint32_t i)
{
    if (has_plan(p, i)) return false;
    if (is_morph(p, i)) return has_morph(p, i);
    return (is_rigid(p, i) && p->poses != POSES_APPLY) || p->poses == POSES_ALL;
}

/* Rotations that floats hold exactly: there and back again a vertex is the same bits. */
static willow_quat quarter_turn(uint32_t number)
{
    static const willow_quat turns[] = {{1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1},
                                        {1, 1, 1, 1}, {1, 0, 0, 0}, {1, 1, 0, 0}};
    return turns[number % (sizeof turns / sizeof turns[0])];
}

static willow_pose back(const willow_pose *turn)
{
    const willow_quat *q = &turn->rotation;
    return (willow_pose){.rotation = {-q->x, -q->y, -q->z, q->w}};
}

static void apply(const player *p, const willow_pose *pose, uint32_t i, const float *from,
                  float *to)
{
    willow_pose_apply(pose, from, 3 * sizeof(float), p->scene->bodies[i].vertex_count,
                      (willow_vec3 *)(void *)to);
}

static void prepare_place(player *p, player_place *place, uint32_t frame)
{
    for (uint32_t i = 0; i < p->scene->body_count; i++) {
        if (is_rigid(p, i) || has_morph(p, i)) {
            scene_pose(p->scene, frame, i, &place->pose[i]);
        } else if (has_pose(p, i)) {
            willow_pose turn_back = back(&place->pose[i]);
            apply(p, &turn_back, i, place->positions[i], place->model[i]);
        }
    }
}

void player_prepare(player *p, uint32_t frame)
{
    prepare_place(p, &p->now, frame);
    if (p->next.positions != NULL) prepare_place(p, &p->next, frame + 1);
}

static bool create_place(player *p, player_place *place)
{
    place->pose = calloc((size_t)p->scene->body_count + 1, sizeof *place->pose);
    place->model = scene_arrays_create(p->scene);
    if (place->pose == NULL || place->model == NULL) {
        return player_fail(p, "creating bodies", WILLOW_OUT_OF_MEMORY, "");
    }
    for (uint32_t i = 0; i < p->scene->body_count; i++) {
        place->pose[i] = willow_pose_identity();
        if (has_pose(p, i)) place->pose[i].rotation = quarter_turn(i);
        if (is_rigid(p, i)) scene_rest(p->scene, i, place->model[i]);
    }
    return true;
}

static void destroy_place(const player *p, player_place *place)
{
    if (p->scene != NULL) scene_arrays_destroy(p->scene, place->model);
    free(place->pose);
}

bool player_take_targets(player *p, float *const *positions)
{
    p->next.positions = positions;
    return p->next.pose != NULL || create_place(p, &p->next);
}

/* Rigid bodies of one shape have one mesh and one tree, unless their vertices are handed over. */
static bool shares(const player *p, uint32_t i, bool self)
{
    return p->scene->bodies[i].like1 > 0 && is_rigid(p, i) && p->poses == POSES_GIVEN && !self;
}

/* A body whose morph or skin is handed over need not be computed where it stays for itself. */
static bool give_loose_box(player *p, uint32_t i)
{
    willow_box box;
    if (!has_morph(p, i) || !scene_loose_box(p->scene, i, &box)) return true;
    const willow_result result = willow_body_set_loose_box(p->world, p->bodies[i], &box);
    return result == WILLOW_OK || fail_in_world(p, "setting a loose box", result);
}

static bool player_create_body(player *p, uint32_t i, bool self, const engine_options *engine)
{
    const scene_body *body = &p->scene->bodies[i];
    willow_body_def def = willow_body_def_default();
    def.mesh.positions = has_morph(p, i)  ? scene_reference(p->scene, i, 0)
                         : has_pose(p, i) ? p->now.model[i]
                                          : p->now.positions[i];
    if (has_pose(p, i)) def.pose = p->now.pose[i];
    if (shares(p, i, self)) def.share = p->bodies[body->like1 - 1];
    def.mesh.vertex_count = body->vertex_count;
    def.mesh.indices = body->indices;
    def.mesh.triangle_count = body->triangle_count;
    def.tree = engine->tree;
    def.self = self;
    def.user_data = i;
    def.keep_rest = engine->skip_close_at_rest;
    uint16_t *groups = body->lives != NULL ? live_triangle_groups(body, p->lives_at) : NULL;
    if (body->lives != NULL && groups == NULL)
        return player_fail(p, "creating a body", WILLOW_OUT_OF_MEMORY, "");
    def.mesh.triangle_groups = groups;
    willow_result result = willow_body_create(p->world, &def, &p->bodies[i]);
    free(groups);
    return result == WILLOW_OK || fail_in_world(p, "creating a body", result);
}

/* The reference that is the first target: a base is none. */
static uint32_t first_target(const player *p) { return scene_has_offsets(p->scene) ? 1 : 0; }

static bool give_morph(player *p, uint32_t i)
{
    willow_morph morph = willow_morph_default();
    willow_morph_target targets[SCENE_REFERENCE_MAX] = {{0}};
    const uint32_t first = first_target(p);
    morph.kind = first > 0 ? WILLOW_MORPH_OFFSETS : WILLOW_MORPH_ABSOLUTE;
    if (first > 0) morph.base = scene_reference(p->scene, i, 0);
    morph.targets = targets;
    morph.target_count = scene_reference_count(p->scene) - first;
    for (uint32_t r = 0; r < morph.target_count; r++) {
        targets[r].values = scene_reference(p->scene, i, first + r);
    }
    willow_result result = willow_body_set_morph_targets(p->world, p->bodies[i], &morph);
    return result == WILLOW_OK || fail_in_world(p, "setting a morph", result);
}

static bool give_skin(player *p, uint32_t i, uint32_t frame)
{
    willow_affine joints[SCENE_JOINT_MAX];
    willow_skin skin = scene_skin(p->scene, i);
    scene_joints(p->scene, frame, i, joints);
    skin.matrices = joints;
    willow_result result = willow_body_set_skin(p->world, p->bodies[i], &skin);
    return result == WILLOW_OK || fail_in_world(p, "setting a skin", result);
}

/* To the world: the joints of a body, or those at the end of its step. */
typedef willow_result take_joints(willow_world *world, willow_body_id body,
                                  const willow_affine *joints, uint32_t count);

static willow_result give_joints(player *p, uint32_t i, uint32_t frame, take_joints *take)
{
    willow_affine joints[SCENE_JOINT_MAX];
    scene_joints(p->scene, frame, i, joints);
    return take(p->world, p->bodies[i], joints, scene_skin(p->scene, i).joint_count);
}

/* To the world: the weights of a body, or those at the end of its step. */
typedef willow_result take_weights(willow_world *world, willow_body_id body, const float *weights,
                                   uint32_t count);

static willow_result give_weights(player *p, uint32_t i, uint32_t frame, take_weights *take)
{
    float weights[SCENE_REFERENCE_MAX];
    const uint32_t first = first_target(p);
    scene_weights(p->scene, frame, i, weights);
    return take(p->world, p->bodies[i], weights + first, scene_reference_count(p->scene) - first);
}

static bool player_create_bodies(player *p, uint32_t frame, const bool *self,
                                 const engine_options *engine)
{
    p->bodies = calloc((size_t)p->scene->body_count + 1, sizeof *p->bodies);
    if (p->bodies == NULL) return player_fail(p, "creating bodies", WILLOW_OUT_OF_MEMORY, "");
    for (uint32_t i = 0; i < p->scene->body_count; i++) {
        if (!player_create_body(p, i, self[i], engine) || !give_loose_box(p, i)) return false;
        if (!has_morph(p, i)) continue;
        if (has_skin(p, i)) {
            if (!give_skin(p, i, frame)) return false;
            continue;
        }
        if (!give_morph(p, i)) return false;
        willow_result result = give_weights(p, i, frame, willow_body_set_morph_weights);
        if (result != WILLOW_OK) return fail_in_world(p, "setting weights", result);
    }
    return true;
}

/* ---- watches ---- */

static bool add_watch(player *p, uint32_t a, uint32_t b, const engine_options *engine)
{
    willow_result result =
        watch_set_add(&p->watches, p->world, engine->watch, p->bodies[a], p->bodies[b]);
    return result == WILLOW_OK || fail_in_world(p, "creating a watch", result);
}

/* In the order of the answers that they give. */
static bool create_watches(player *p, const bool *self, const engine_options *engine)
{
    const uint32_t count = p->scene->body_count;
    p->has_watches = true;
    for (uint32_t a = 0; a < count; a++) {
        if (self[a] && !add_watch(p, a, a, engine)) return false;
        for (uint32_t b = a + 1; b < count; b++) {
            if (!add_watch(p, a, b, engine)) return false;
        }
    }
    return true;
}

/* All but the first update. */
static bool make_world(player *p, const scene *s, uint32_t frame, float *const *positions,
                       const bool *self, const engine_options *engine)
{
    *p = (player){.scene = s,
                  .now = {.positions = positions},
                  .query = engine_query_options(engine),
                  .poses = engine->poses,
                  .has_plans = engine->plans,
                  .has_morphs = engine->morphs,
                  .lives_at = frame};
    willow_world_def def = engine_world_def(engine);
    willow_result result = willow_world_create(&def, &p->world);
    if (result != WILLOW_OK) return fail_in_world(p, "creating a world", result);
    if (!create_place(p, &p->now)) return false;
    p->moved = scene_arrays_create(p->scene);
    if (engine->float_skins) p->skins = float_skins_create(s);
    if (p->moved == NULL || (engine->float_skins && p->skins == NULL)) {
        return player_fail(p, "creating bodies", WILLOW_OUT_OF_MEMORY, "");
    }
    player_prepare(p, frame);
    if (!player_create_bodies(p, frame, self, engine)) return false;
    return !engine->has_watches || create_watches(p, self, engine);
}

static bool create_scratch(player *p)
{
    willow_result result = willow_scratch_create(p->world, &p->scratch);
    return result == WILLOW_OK || fail_in_world(p, "creating a scratch", result);
}

bool player_create(player *p, const scene *s, uint32_t frame, float *const *positions,
                   const bool *self, const engine_options *engine)
{
    if (!make_world(p, s, frame, positions, self, engine)) return false;
    willow_result result = willow_world_update(p->world, frame, NULL);
    if (result != WILLOW_OK) return fail_in_world(p, "the first update", result);
    return create_scratch(p);
}

void player_destroy(player *p)
{
    willow_scratch_destroy(p->scratch);
    watch_set_destroy(&p->watches);
    willow_world_destroy(p->world);
    destroy_place(p, &p->now);
    destroy_place(p, &p->next);
    if (p->scene != NULL) scene_arrays_destroy(p->scene, p->moved);
    float_skins_destroy(p->skins);
    free(p->bodies);
    free(p->next_change);
    *p = (player){0};
}

/* ---- frames ---- */

/* The vertices of a body in that place, for those that are not handed over by their poses. */
static const float *vertices_in(player *p, const player_place *place, uint32_t i)
{
    if (!is_rigid(p, i)) return has_pose(p, i) ? place->model[i] : place->positions[i];
    apply(p, &place->pose[i], i, place->model[i], p->moved[i]);
    return p->moved[i];
}

static bool is_moved_by_pose(const player *p, uint32_t i)
{
    return is_rigid(p, i) && has_pose(p, i);
}

/* The vertices of a body whose positions are not in the arrays. */
static void blend(player *p, uint32_t i, uint32_t frame)
{
    if (p->skins != NULL) {
        float_skins_blend(p->skins, frame, i, p->moved[i]);
    } else {
        morph_blend(p->scene, frame, i, p->moved[i]);
    }
}

static willow_result move_morph(player *p, uint32_t i, uint32_t frame)
{
    if (!has_morph(p, i)) {
        blend(p, i, frame);
        return willow_body_set_vertices(p->world, p->bodies[i], 0, p->scene->bodies[i].vertex_count,
                                        p->moved[i], 0);
    }
    willow_result result = willow_body_set_pose(p->world, p->bodies[i], &p->now.pose[i]);
    if (result != WILLOW_OK) return result;
    if (has_skin(p, i)) return give_joints(p, i, frame, willow_body_set_joints);
    return give_weights(p, i, frame, willow_body_set_morph_weights);
}

/* The same for where it is at the end of a step, in that frame. */
static willow_result aim_morph(player *p, uint32_t i, uint32_t frame)
{
    if (!has_morph(p, i)) {
        blend(p, i, frame);
        return willow_body_set_target(p->world, p->bodies[i], 0, p->scene->bodies[i].vertex_count,
                                      p->moved[i], 0);
    }
    willow_result result = willow_body_set_target_pose(p->world, p->bodies[i], &p->next.pose[i]);
    if (result != WILLOW_OK) return result;
    if (has_skin(p, i)) return give_joints(p, i, frame, willow_body_set_target_joints);
    return give_weights(p, i, frame, willow_body_set_target_weights);
}

static willow_result move_body(player *p, uint32_t i, uint32_t frame)
{
    if (is_morph(p, i)) return move_morph(p, i, frame);
    if (is_moved_by_pose(p, i)) {
        return willow_body_set_pose(p->world, p->bodies[i], &p->now.pose[i]);
    }
    return willow_body_set_vertices(p->world, p->bodies[i], 0, p->scene->bodies[i].vertex_count,
                                    vertices_in(p, &p->now, i), 3 * sizeof(float));
}

static willow_result aim_body(player *p, uint32_t i, uint32_t frame)
{
    if (is_morph(p, i)) return aim_morph(p, i, frame);
    if (is_moved_by_pose(p, i)) {
        return willow_body_set_target_pose(p->world, p->bodies[i], &p->next.pose[i]);
    }
    return willow_body_set_target(p->world, p->bodies[i], 0, p->scene->bodies[i].vertex_count,
                                  vertices_in(p, &p->next, i), 3 * sizeof(float));
}

/* Bodies get the triangles of a frame. */
static bool edit_all(player *p, uint32_t frame)
{
    for (uint32_t i = 0; i < p->scene->body_count && frame != p->lives_at; i++) {
        const scene_body *body = &p->scene->bodies[i];
        if (body->lives == NULL) continue;
        const willow_result result =
            live_triangles_edit(p->world, p->bodies[i], body, p->lives_at, frame);
        if (result != WILLOW_OK) return fail_in_world(p, "editing", result);
    }
    p->lives_at = frame;
    return true;
}

static bool move_all(player *p, uint32_t frame)
{
    if (!edit_all(p, frame)) return false;
    for (uint32_t i = 0; i < p->scene->body_count; i++) {
        if (has_plan(p, i) || stands(p, i)) continue;
        willow_result result = move_body(p, i, frame);
        if (result != WILLOW_OK) return fail_in_world(p, "setting vertices", result);
    }
    return true;
}

/* To where they are in the frame behind this one. */
static bool aim_all(player *p, uint32_t frame)
{
    for (uint32_t i = 0; i < p->scene->body_count; i++) {
        willow_result result = aim_body(p, i, frame + 1);
        if (result != WILLOW_OK) return fail_in_world(p, "setting targets", result);
    }
    return true;
}

void player_add_report(willow_update_report *sum, const willow_update_report *one)
{
    sum->bodies_moved += one->bodies_moved;
    sum->bodies_updated += one->bodies_updated;
    sum->bodies_built += one->bodies_built;
    sum->subtrees_built += one->subtrees_built;
    sum->nodes_updated += one->nodes_updated;
    sum->vertices_evaluated += one->vertices_evaluated;
    sum->events += one->events;
    sum->values_updated += one->values_updated;
    sum->queue_operations += one->queue_operations;
    sum->certificates_checked += one->certificates_checked;
    sum->plan_changes += one->plan_changes;
    sum->setups += one->setups;
}

/* Adds to the report. */
static bool update_at(player *p, double time, willow_update_report *report)
{
    willow_update_report one;
    willow_result result = willow_world_update(p->world, time, &one);
    if (result != WILLOW_OK) return fail_in_world(p, "updating", result);
    if (report != NULL) player_add_report(report, &one);
    p->time = time;
    return true;
}

static bool player_update(player *p, uint32_t frame, willow_update_report *report)
{
    return update_at(p, p->paths != NULL ? scene_path_time(p->scene, frame) : frame, report);
}

/* ---- known paths ---- */

/* The run of changes from `first` on that one call can make: of one time, vertex after vertex. */
static size_t change_run(const scene_change *changes, size_t first, size_t count)
{
    size_t end = first + 1;
    while (end < count && changes[end].time == changes[first].time &&
           changes[end].vertex == changes[end - 1].vertex + 1) {
        end++;
    }
    return end - first;
}

/* Makes all changes of one body that are due now. */
static bool change_body(player *p, uint32_t body)
{
    size_t count, *next = &p->next_change[body];
    const scene_change *changes = scene_changes(p->scene, body, &count);
    while (*next < count && changes[*next].time <= p->time) {
        size_t run = change_run(changes, *next, count);
        willow_result result =
            willow_body_set_velocities(p->world, p->bodies[body], changes[*next].vertex,
                                       (uint32_t)run, changes[*next].velocity, sizeof *changes);
        if (result != WILLOW_OK) return fail_in_world(p, "changing a plan", result);
        *next += run;
    }
    return true;
}

static bool has_changes(const player *p, uint32_t body)
{
    return has_plan(p, body) && p->scene->bodies[body].motion == SCENE_PLANS;
}

/* The time of the next change of any plan; infinity if there is none. */
static double next_change(const player *p)
{
    double next = (double)INFINITY;
    for (uint32_t i = 0; i < p->scene->body_count; i++) {
        if (!has_changes(p, i)) continue;
        size_t count;
        const scene_change *changes = scene_changes(p->scene, i, &count);
        if (p->next_change[i] < count) next = fmin(next, changes[p->next_change[i]].time);
    }
    return next;
}

/* Makes the changes before a time, the world being there when each of them is due: a new path
 * begins where the old one is at the last update. */
static bool change_plans(player *p, double before, willow_update_report *report)
{
    for (double next; (next = next_change(p)) < before;) {
        if (next > p->time && !update_at(p, next, report)) return false;
        for (uint32_t i = 0; i < p->scene->body_count; i++) {
            if (has_changes(p, i) && !change_body(p, i)) return false;
        }
    }
    return true;
}

static willow_result give_keys(player *p, uint32_t body)
{
    willow_flightplan plan = willow_flightplan_default();
    plan.positions = p->paths->keys[body];
    plan.times = p->paths->key_times;
    plan.keyframe_count = p->paths->key_count;
    return willow_body_set_flightplan(p->world, p->bodies[body], &plan);
}

static bool give_paths(player *p, const paths *known)
{
    p->paths = known;
    p->next_change = calloc((size_t)p->scene->body_count + 1, sizeof *p->next_change);
    if (p->next_change == NULL) return player_fail(p, "setting plans", WILLOW_OUT_OF_MEMORY, "");
    for (uint32_t i = 0; i < p->scene->body_count; i++) {
        if (!has_plan(p, i) || has_changes(p, i)) continue;
        willow_result result = give_keys(p, i);
        if (result != WILLOW_OK) return fail_in_world(p, "setting plans", result);
    }
    for (uint32_t i = 0; i < p->scene->body_count; i++) {
        if (has_changes(p, i) && !change_body(p, i)) return false;
    }
    return true;
}

bool player_create_on_paths(player *p, const scene *s, const paths *known, float *const *positions,
                            const bool *self, const engine_options *engine,
                            willow_update_report *report)
{
    if (report != NULL) *report = (willow_update_report){.events = 0};
    return make_world(p, s, 0, positions, self, engine) && give_paths(p, known) &&
           player_update(p, 0, report) && create_scratch(p);
}

/* ---- the whole frame ---- */

/* All that is set before the update. Reports begin anew. */
static bool set_frame(player *p, uint32_t frame, willow_update_report *report)
{
    if (report != NULL) *report = (willow_update_report){.events = 0};
    if (p->paths != NULL && !change_plans(p, scene_path_time(p->scene, frame), report)) {
        return false;
    }
    return move_all(p, frame);
}

bool player_go(player *p, uint32_t frame, willow_update_report *report)
{
    return set_frame(p, frame, report) && player_update(p, frame, report);
}

bool player_go_and_aim(player *p, uint32_t frame, willow_update_report *report)
{
    return set_frame(p, frame, report) && aim_all(p, frame) && player_update(p, frame, report);
}

bool player_aim(player *p, uint32_t frame, willow_update_report *report)
{
    if (report != NULL) *report = (willow_update_report){.events = 0};
    return aim_all(p, frame) && player_update(p, frame, report);
}

bool player_find_pairs(player *p, willow_pairs *out)
{
    willow_result result =
        p->has_watches ? watch_set_find_pairs(&p->watches, p->scratch, &p->query, false, out)
                       : willow_find_pairs(p->world, p->scratch, &p->query, out);
    return result == WILLOW_OK || player_fail_asking(p, result);
}

bool player_find_self_pairs(player *p, willow_pairs *out)
{
    willow_result result = p->has_watches
                               ? watch_set_find_pairs(&p->watches, p->scratch, &p->query, true, out)
                               : willow_find_self_pairs(p->world, p->scratch, &p->query, out);
    return result == WILLOW_OK || player_fail_asking(p, result);
}

bool player_find_first_pair(player *p, willow_first_pair *out)
{
    willow_result result = p->has_watches
                               ? watch_set_find_first_pair(&p->watches, p->scratch, &p->query, out)
                               : willow_find_first_pair(p->world, p->scratch, &p->query, out);
    return result == WILLOW_OK || player_fail_asking(p, result);
}

/* Bodies are created in the order of the scene, so a fresh world numbers them from 1. */
uint32_t player_body_number(const player *p, willow_body_id id)
{
    uint32_t likely = id.index1 - 1;
    if (likely < p->scene->body_count && p->bodies[likely].index1 == id.index1) return likely;
    uint32_t i = 0;
    while (i < p->scene->body_count && p->bodies[i].index1 != id.index1) i++;
    return i;
}
