/* api_script.c - see api_script.h. Every call is a function that chooses its arguments and makes it
 * in both worlds; what they have to have in common is in api_worlds.c and api_questions.c. */
#include "support/api_script.h"

#include <float.h>
#include <stdlib.h>

#include "support/api_worlds.h"
#include "support/script_words.h"
#include "support/zoo_pose.h"

typedef float vertex[3];

/* ---- what is chosen ---- */

static float choose_float(api_worlds *w)
{
    return (float)choose_number(w->c, choose(w->c, 4) != 0);
}

static vertex *choose_vectors(api_worlds *w, uint32_t count, float size)
{
    vertex *to = calloc(count + (size_t)1, sizeof *to);
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) to[i][k] = choose(w->c, 2) == 0 ? 0.0F : size * choose_float(w);
    return to;
}

/* All vertices by turns, or some, or none. */
static uint32_t choose_range(api_worlds *w, const api_actor *actor, uint32_t *count)
{
    const uint32_t all = actor->mesh.vertex_count;
    *count = all;
    if (all == 0 || choose(w->c, 2) == 0) return 0;
    const uint32_t first = choose(w->c, all);
    *count = choose(w->c, all - first + 1);
    return first;
}

static willow_tree_def choose_tree(api_worlds *w)
{
    static const uint32_t arities[] = {8, 2, 4}, leaves[] = {0, 1, 2, 16};
    willow_tree_def tree = willow_tree_def_default();
    tree.method = (willow_method)choose(w->c, WILLOW_METHOD_COUNT);
    tree.arity = arities[choose(w->c, 3)];
    tree.leaf_triangles = leaves[choose(w->c, 4)];
    tree.build = (willow_build)choose(w->c, WILLOW_BUILD_COUNT);
    tree.events = (willow_events)choose(w->c, WILLOW_EVENTS_COUNT);
    tree.volume = (willow_volume)choose(w->c, WILLOW_VOLUME_COUNT);
    tree.reference = (willow_reference)choose(w->c, WILLOW_REFERENCE_COUNT);
    const uint32_t more = choose(w->c, 64);
    tree.hybrid_level = more % 4;
    tree.search_keyframes = (more & 4) != 0;
    tree.exact_events = (more & 8) != 0;
    tree.blend_both = (more & 16) != 0;
    tree.in_between = (more & 32) != 0 ? 2 : 0;
    if (choose_one_in(w->c, 6)) tree.rebuild_ratio = 1.0F;
    if (choose_one_in(w->c, 6)) tree.margin = 0.05F;
    return tree;
}

static willow_pose choose_pose(api_worlds *w)
{
    const zoo_pose_kind kind = (zoo_pose_kind)choose(w->c, ZOO_POSE_COUNT);
    return zoo_pose_make(kind, 1, choose(w->c, 64));
}

/* ---- bodies come and go ---- */

static void free_actor(api_actor *actor)
{
    if (!actor->is_alive) return;
    zoo_mesh_destroy(&actor->mesh);
    free(actor->borrowed);
    skin_model_destroy(&actor->skin);
    *actor = (api_actor){.is_alive = false};
}

static void kill(api_worlds *w, api_actor *actor)
{
    API_ON_BOTH(w, "destroy", willow_body_destroy(w->worlds[side], actor->ids[side]));
    free_actor(actor);
}

static void choose_mesh(api_worlds *w, api_actor *actor)
{
    const zoo_kind kind = (zoo_kind)choose(w->c, ZOO_KIND_COUNT);
    *actor = (api_actor){.is_alive = true, .now = bend_straight()};
    zoo_mesh_create(&actor->mesh, kind, 1 + choose(w->c, w->size), choose(w->c, 256));
    if (choose_one_in(w->c, 4)) zoo_mesh_group(&actor->mesh, choose(w->c, 64));
    if (!choose_one_in(w->c, 6)) return;
    actor->borrowed = calloc(actor->mesh.vertex_count + (size_t)1, sizeof *actor->borrowed);
    memcpy(actor->borrowed, actor->mesh.positions,
           actor->mesh.vertex_count * sizeof *actor->borrowed);
}

/* What both worlds are told of a new body. One of four is plain: few triangles of it are kept in
 * one block. */
static void choose_defs(api_worlds *w, api_actor *actor, willow_body_def defs[API_SIDES])
{
    const bool is_plain = choose_one_in(w->c, 4);
    choose_mesh(w, actor);
    for (int i = 0; i < API_SIDES; i++) defs[i] = willow_body_def_default();
    defs[API_RIGHT].mesh = zoo_mesh_def(&actor->mesh);
    defs[API_RIGHT].self = !is_plain && choose(w->c, 2) == 0;
    defs[API_RIGHT].keep_rest = actor->has_rest = !is_plain;
    defs[API_RIGHT].thickness = choose_one_in(w->c, 4) ? 0.0625F : 0.0F;
    if (choose_one_in(w->c, 4)) defs[API_RIGHT].pose = choose_pose(w);
    if (choose_one_in(w->c, 6)) defs[API_RIGHT].mask_bits = choose(w->c, 4);
    if (choose_one_in(w->c, 6)) defs[API_RIGHT].category_bits = choose(w->c, 4);
    if (actor->borrowed) {
        defs[API_RIGHT].mesh.borrow = true;
        defs[API_RIGHT].mesh.positions = actor->borrowed;
    }
    defs[API_TRIED] = defs[API_RIGHT];
    defs[API_RIGHT].tree.method = WILLOW_METHOD_BRUTE;
    if (!is_plain) defs[API_TRIED].tree = choose_tree(w);
}

static void make(api_worlds *w, api_actor *actor)
{
    willow_body_def defs[API_SIDES];
    if (actor->is_alive) kill(w, actor);
    choose_defs(w, actor, defs);
    API_ON_BOTH(w, "create", willow_body_create(w->worlds[side], &defs[side], &actor->ids[side]));
    if (w->result != WILLOW_OK) api_fail(w, "a mesh of the zoo is refused");
}

/* The same groups as another body of this mesh has. */
static void copy_groups(zoo_mesh *mesh, const zoo_mesh *from)
{
    const size_t bytes = mesh->triangle_count * sizeof *mesh->groups;
    free(mesh->groups);
    mesh->groups = from->groups ? malloc(bytes + 1) : NULL;
    if (mesh->groups) memcpy(mesh->groups, from->groups, bytes);
    mesh->group_count = from->group_count;
}

/* One that shares the geometry of another, or is refused. */
static void share(api_worlds *w, api_actor *actor)
{
    const api_actor *lender = &w->actors[choose(w->c, API_BODIES)];
    const zoo_mesh *mesh = &lender->mesh;
    willow_body_def defs[API_SIDES];
    if (!lender->is_alive || lender == actor) return;
    if (actor->is_alive) kill(w, actor);
    *actor = (api_actor){.is_alive = true, .has_rest = lender->has_rest, .now = bend_straight()};
    zoo_mesh_create(&actor->mesh, mesh->kind, mesh->size, mesh->seed);
    copy_groups(&actor->mesh, mesh);
    for (int i = 0; i < API_SIDES; i++) defs[i] = willow_body_def_default();
    defs[API_RIGHT].self = choose_one_in(w->c, 4);
    if (choose_one_in(w->c, 2)) defs[API_RIGHT].pose = choose_pose(w);
    defs[API_TRIED] = defs[API_RIGHT];
    for (int i = 0; i < API_SIDES; i++) defs[i].share = lender->ids[i];
    API_ON_BOTH(w, "share", willow_body_create(w->worlds[side], &defs[side], &actor->ids[side]));
    if (w->result != WILLOW_OK) free_actor(actor);
}

/* ---- in bulk ---- */

/* The first body, and the one that is asked for. */
static void make_in_bulk(api_worlds *w, api_actor *actor)
{
    enum { MOST = 2 };
    willow_body_def defs[API_SIDES][MOST], two[API_SIDES];
    willow_body_id ids[API_SIDES][MOST];
    api_actor *actors[MOST] = {&w->actors[0], actor};
    const size_t count = actor == &w->actors[0] ? 1 : MOST;
    for (size_t i = 0; i < count; i++) {
        if (actors[i]->is_alive) kill(w, actors[i]);
        choose_defs(w, actors[i], two);
        actors[i]->is_alive = false; /* until they are there */
        for (int k = 0; k < API_SIDES; k++) defs[k][i] = two[k];
    }
    API_ON_BOTH(w, "create in bulk",
                willow_bodies_create(w->worlds[side], defs[side], count, ids[side]));
    if (w->result != WILLOW_OK) api_fail(w, "a mesh of the zoo is refused");
    for (size_t i = 0; i < count; i++) {
        actors[i]->is_alive = true;
        for (int k = 0; k < API_SIDES; k++) actors[i]->ids[k] = ids[k][i];
    }
}

/* Some of the bodies, in any order. */
static size_t choose_actors(api_worlds *w, api_actor *actors[API_BODIES],
                            willow_body_id ids[API_SIDES][API_BODIES])
{
    const uint32_t first = choose(w->c, API_BODIES), some = choose(w->c, 1U << API_BODIES);
    size_t count = 0;
    for (uint32_t i = 0; i < API_BODIES; i++) {
        api_actor *actor = &w->actors[(first + i) % API_BODIES];
        if (!actor->is_alive || (some >> i & 1) == 0) continue;
        for (int k = 0; k < API_SIDES; k++) ids[k][count] = actor->ids[k];
        actors[count++] = actor;
    }
    return count;
}

static void kill_in_bulk(api_worlds *w, api_actor *actor)
{
    api_actor *actors[API_BODIES];
    willow_body_id ids[API_SIDES][API_BODIES];
    const size_t count = choose_actors(w, actors, ids);
    (void)actor;
    API_ON_BOTH(w, "destroy in bulk", willow_bodies_destroy(w->worlds[side], ids[side], count));
    for (size_t i = 0; i < count; i++) free_actor(actors[i]);
}

static void pose_in_bulk(api_worlds *w, api_actor *actor)
{
    api_actor *actors[API_BODIES];
    willow_body_id ids[API_SIDES][API_BODIES];
    willow_pose poses[API_BODIES];
    const size_t count = choose_actors(w, actors, ids);
    (void)actor;
    for (size_t i = 0; i < count; i++) poses[i] = choose_pose(w);
    API_ON_BOTH(w, "set_poses", willow_bodies_set_poses(w->worlds[side], ids[side], poses, count));
}

/* A promise that any body keeps, or its end: who is alone, or wants no other, is left alone. */
static void promise(api_worlds *w, api_actor *actor)
{
    const willow_box box = {{-FLT_MAX, -FLT_MAX, -FLT_MAX}, {FLT_MAX, FLT_MAX, FLT_MAX}};
    const bool is_end = choose_one_in(w->c, 4);
    API_ON_BOTH(w, "set_loose_box",
                willow_body_set_loose_box(w->worlds[side], actor->ids[side], is_end ? NULL : &box));
}

/* Of the world that is tried. */
static void set_tree(api_worlds *w, api_actor *actor)
{
    const willow_tree_def tree = choose_tree(w), brute = {.struct_size = sizeof brute,
                                                          .method = WILLOW_METHOD_BRUTE,
                                                          .arity = 8};
    API_ON_BOTH(w, "set_tree",
                willow_body_set_tree(w->worlds[side], actor->ids[side],
                                     side == API_TRIED ? &tree : &brute));
}

static void set_masks(api_worlds *w, api_actor *actor, uint32_t number)
{
    zoo_mesh_mask(&actor->mesh, number);
    API_ON_BOTH(w, "set_group_masks",
                willow_body_set_group_masks(w->worlds[side], actor->ids[side], actor->mesh.masks,
                                            actor->mesh.mask_count));
}

/* What the def gave: a matrix of groups mostly, since that has a hierarchy to change, too. */
static void set_property(api_worlds *w, api_actor *actor)
{
    enum { MATRICES = 40 };
    const uint32_t number = choose(w->c, 64), value = (number - MATRICES) / 4;
    if (number < MATRICES)
        set_masks(w, actor, number);
    else if (number % 4 == 0)
        API_ON_BOTH(w, "set_thickness",
                    willow_body_set_thickness(w->worlds[side], actor->ids[side],
                                              0.0625F * (float)(value % 2)));
    else if (number % 4 == 1)
        API_ON_BOTH(w, "set_self",
                    willow_body_set_self(w->worlds[side], actor->ids[side], value % 2 == 0));
    else if (number % 4 == 2)
        API_ON_BOTH(w, "set_category_bits",
                    willow_body_set_category_bits(w->worlds[side], actor->ids[side], value));
    else
        API_ON_BOTH(w, "set_mask_bits",
                    willow_body_set_mask_bits(w->worlds[side], actor->ids[side],
                                              value > 3 ? UINT64_MAX : value));
}

/* ---- they move ---- */

/* What both borrow. */
static void rewrite(api_worlds *w, api_actor *actor)
{
    const uint32_t count = actor->mesh.vertex_count;
    zoo_mesh_move(&actor->mesh, choose(w->c, 6), 0, count);
    API_ON_BOTH(w, "begin_vertices", willow_body_begin_vertices(w->worlds[side], actor->ids[side]));
    memcpy(actor->borrowed, actor->mesh.positions, count * sizeof *actor->borrowed);
}

static void set_vertices(api_worlds *w, api_actor *actor)
{
    uint32_t count;
    const uint32_t first = choose_range(w, actor, &count);
    if (actor->borrowed) {
        rewrite(w, actor);
        return;
    }
    zoo_mesh_move(&actor->mesh, choose(w->c, 6), first, count);
    API_ON_BOTH(w, "set_vertices",
                willow_body_set_vertices(w->worlds[side], actor->ids[side], first, count,
                                         actor->mesh.positions + first, 0));
}

static void set_velocities(api_worlds *w, api_actor *actor)
{
    uint32_t count;
    const uint32_t first = choose_range(w, actor, &count);
    vertex *v = choose_vectors(w, count, 1.0F);
    API_ON_BOTH(w, "set_velocities",
                willow_body_set_velocities(w->worlds[side], actor->ids[side], first, count, v, 0));
    free(v);
}

static void set_accelerations(api_worlds *w, api_actor *actor)
{
    uint32_t count;
    const uint32_t first = choose_range(w, actor, &count);
    vertex *v = choose_vectors(w, count, 1.0F);
    API_ON_BOTH(
        w, "set_accelerations",
        willow_body_set_accelerations(w->worlds[side], actor->ids[side], first, count, v, 0));
    free(v);
}

static void set_vertex_plan(api_worlds *w, api_actor *actor)
{
    const willow_vertex_plan plan = {{choose_float(w), choose_float(w), choose_float(w)},
                                     {choose_float(w), 0, choose_float(w)}};
    const uint32_t number = choose(w->c, actor->mesh.vertex_count + 1); /* or beyond the last */
    API_ON_BOTH(w, "set_vertex_plan",
                willow_body_set_vertex_plan(w->worlds[side], actor->ids[side], number, &plan));
}

static void set_flightplan(api_worlds *w, api_actor *actor)
{
    enum { MOST_KEYS = 5 };
    double times[MOST_KEYS], time = w->time + 0.25 * ((double)choose(w->c, 8) - 5.0);
    willow_flightplan plan = willow_flightplan_default();
    plan.keyframe_count = 1 + choose(w->c, MOST_KEYS);
    vertex *keys = calloc(plan.keyframe_count * actor->mesh.vertex_count + (size_t)1, sizeof *keys);
    for (uint32_t key = 0; key < plan.keyframe_count; key++) {
        zoo_mesh_move(&actor->mesh, choose(w->c, 6), 0, actor->mesh.vertex_count);
        memcpy(keys + (size_t)key * actor->mesh.vertex_count, actor->mesh.positions,
               actor->mesh.vertex_count * sizeof *keys);
        times[key] = time;
        time += (double)(1 + choose(w->c, 16)) / 8.0;
    }
    plan.positions = keys;
    plan.times = times;
    API_ON_BOTH(w, "set_flightplan",
                willow_body_set_flightplan(w->worlds[side], actor->ids[side], &plan));
    free(keys);
}

/* ---- morphs ---- */

enum { MOST_TARGETS = 4 };

static void choose_weights(api_worlds *w, float weights[MOST_TARGETS])
{
    static const float usual[] = {0.0F, 1.0F, 0.5F, -1.0F, 0.7F};
    for (int i = 0; i < MOST_TARGETS; i++) {
        const uint32_t kind = choose(w->c, 6);
        weights[i] = kind < 5 ? usual[kind] : choose_float(w);
    }
}

/* A frame of the mesh, or steps away from where it is, for all vertices or every so-and-so-many-th.
 */
static willow_morph_target choose_target(api_worlds *w, const api_actor *actor, bool has_offsets,
                                         uint32_t *listed)
{
    const uint32_t all = actor->mesh.vertex_count, step = 1 + choose(w->c, 4);
    willow_morph_target target = {.vertices = NULL};
    vertex *values = choose_vectors(w, all < 4 ? all : 4, 0.5F);
    vertex *to = calloc(all + (size_t)1, sizeof *to);
    for (uint32_t i = 0; i < all; i++)
        for (int k = 0; k < 3; k++)
            to[i][k] = values[i % 4][k] + (has_offsets ? 0.0F : actor->mesh.positions[i][k]);
    free(values);
    target.values = to;
    if (!has_offsets || step == 1) return target;
    for (uint32_t i = all; i-- > 0; i -= i < step - 1 ? i : step - 1)
        listed[target.vertex_count++] = i;
    target.vertices = listed;
    return target;
}

static void set_morph(api_worlds *w, api_actor *actor)
{
    willow_morph_target targets[MOST_TARGETS];
    float weights[MOST_TARGETS];
    willow_morph morph = willow_morph_default();
    const bool has_offsets = choose(w->c, 2) == 0;
    uint32_t *listed =
        calloc((MOST_TARGETS + 1) * (actor->mesh.vertex_count + (size_t)1), sizeof *listed);
    morph.kind = has_offsets ? WILLOW_MORPH_OFFSETS : WILLOW_MORPH_ABSOLUTE;
    morph.target_count = 1 + choose(w->c, MOST_TARGETS);
    for (uint32_t i = 0; i < morph.target_count; i++)
        targets[i] = choose_target(w, actor, has_offsets,
                                   listed + i * (actor->mesh.vertex_count + (size_t)1));
    morph.targets = targets;
    if (choose(w->c, 2) == 0) morph.base = actor->mesh.positions;
    choose_weights(w, weights);
    if (choose(w->c, 4) != 0) morph.weights = weights;
    API_ON_BOTH(w, "set_morph_targets",
                willow_body_set_morph_targets(w->worlds[side], actor->ids[side], &morph));
    if (w->result == WILLOW_OK) actor->targets = morph.target_count;
    for (uint32_t i = 0; i < morph.target_count; i++) free((void *)(uintptr_t)targets[i].values);
    free(listed);
}

static void set_weights(api_worlds *w, api_actor *actor)
{
    float weights[MOST_TARGETS];
    choose_weights(w, weights);
    API_ON_BOTH(
        w, "set_morph_weights",
        willow_body_set_morph_weights(w->worlds[side], actor->ids[side], weights, actor->targets));
}

/* ---- skins ---- */

static void take_skin_off(api_worlds *w, api_actor *actor)
{
    API_ON_BOTH(w, "set_skin", willow_body_set_skin(w->worlds[side], actor->ids[side], NULL));
}

static void set_skin(api_worlds *w, api_actor *actor)
{
    static const uint32_t joint_counts[] = {1, 2, 3, 7};
    if (choose(w->c, 6) == 0) {
        take_skin_off(w, actor);
        return;
    }
    skin_model_destroy(&actor->skin);
    skin_model_create(&actor->skin, actor->mesh.vertex_count, joint_counts[choose(w->c, 4)],
                      choose(w->c, 256));
    const willow_skin skin = skin_model_def(&actor->skin);
    API_ON_BOTH(w, "set_skin", willow_body_set_skin(w->worlds[side], actor->ids[side], &skin));
}

/* Joints a little aside, or far; or anything at all. */
static void choose_joints(api_worlds *w, api_actor *actor)
{
    uint64_t random = choose(w->c, 256);
    const uint32_t kind = choose(w->c, 4);
    if (actor->skin.joint_count == 0) skin_model_create(&actor->skin, 0, 1, random);
    skin_model_move(&actor->skin, kind < 2 ? 0.125 : 1.0, &random);
    if (kind == 3) actor->skin.joints[0].row[choose(w->c, 3)][choose(w->c, 4)] = choose_float(w);
}

static void set_joints(api_worlds *w, api_actor *actor)
{
    choose_joints(w, actor);
    API_ON_BOTH(w, "set_joints",
                willow_body_set_joints(w->worlds[side], actor->ids[side], actor->skin.joints,
                                       actor->skin.joint_count));
}

/* ---- deformations ---- */

static void bend_anew(api_worlds *w, bend *b)
{
    b->shear = 0.125F * (float)choose(w->c, 5) - 0.25F;
    b->curve = 0.0625F * (float)choose(w->c, 7) - 0.1875F;
}

/* The context changes only where the functions are known to say something else from then on. */
static void set_deformation(api_worlds *w, api_actor *actor)
{
    willow_deformation deformation = bend_deformation(&actor->now);
    const uint32_t kind = choose(w->c, 4);
    if (kind == 1) deformation.bound = NULL;
    API_ON_BOTH(w, "set_deformation",
                willow_body_set_deformation(w->worlds[side], actor->ids[side],
                                            kind == 0 ? NULL : &deformation));
    if (w->result == WILLOW_OK) bend_anew(w, &actor->now);
}

static void touch_deformation(api_worlds *w, api_actor *actor)
{
    API_ON_BOTH(w, "touch_deformation",
                willow_body_touch_deformation(w->worlds[side], actor->ids[side]));
    if (w->result == WILLOW_OK) bend_anew(w, &actor->now);
}

/* ---- poses and trial steps ---- */

static void set_pose(api_worlds *w, api_actor *actor)
{
    const willow_pose pose = choose_pose(w);
    API_ON_BOTH(w, "set_pose", willow_body_set_pose(w->worlds[side], actor->ids[side], &pose));
}

static void remove_pose(api_worlds *w, api_actor *actor)
{
    const willow_pose pose = willow_pose_identity();
    API_ON_BOTH(w, "set_pose", willow_body_set_pose(w->worlds[side], actor->ids[side], &pose));
}

/* Not far, so that impacts do not take long. */
static void set_target(api_worlds *w, api_actor *actor)
{
    uint32_t count;
    const uint32_t first = choose_range(w, actor, &count);
    vertex *to = choose_vectors(w, count, 0.125F);
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) to[i][k] += actor->mesh.positions[first + i][k];
    API_ON_BOTH(w, "set_target",
                willow_body_set_target(w->worlds[side], actor->ids[side], first, count, to, 0));
    free(to);
}

static void set_target_weights(api_worlds *w, api_actor *actor)
{
    float weights[MOST_TARGETS];
    choose_weights(w, weights);
    API_ON_BOTH(
        w, "set_target_weights",
        willow_body_set_target_weights(w->worlds[side], actor->ids[side], weights, actor->targets));
}

static void set_target_joints(api_worlds *w, api_actor *actor)
{
    choose_joints(w, actor);
    API_ON_BOTH(w, "set_target_joints",
                willow_body_set_target_joints(w->worlds[side], actor->ids[side], actor->skin.joints,
                                              actor->skin.joint_count));
}

static void set_target_deformation(api_worlds *w, api_actor *actor)
{
    bend *end = &w->ends[choose(w->c, API_CONTEXTS)];
    API_ON_BOTH(w, "set_target_deformation",
                willow_body_set_target_deformation(w->worlds[side], actor->ids[side], end));
}

static void set_target_pose(api_worlds *w, api_actor *actor)
{
    willow_body_info info;
    willow_pose pose = willow_pose_identity();
    if (willow_body_get_info(w->worlds[API_RIGHT], actor->ids[API_RIGHT], &info) == WILLOW_OK)
        pose = info.pose;
    pose.translation.x += 0.125F * choose_float(w);
    pose.rotation.y += 0.125F * choose_float(w);
    API_ON_BOTH(w, "set_target_pose",
                willow_body_set_target_pose(w->worlds[side], actor->ids[side], &pose));
}

static void set_target_time(api_worlds *w, api_actor *actor)
{
    const double time = w->time + 0.125 * ((double)choose(w->c, 8) - 1.0);
    (void)actor;
    API_ON_BOTH(w, "set_target_time", willow_world_set_target_time(w->worlds[side], time));
}

/* ---- watches ---- */

static void make_watch(api_worlds *w, api_actor *actor)
{
    static const size_t limits[] = {0, 0, 0, 1, 1000, 20000};
    api_watch *watch = &w->watches[choose(w->c, API_WATCHES)];
    willow_watch_def def = willow_watch_def_default();
    (void)actor;
    def.kind = (willow_watch_kind)choose(w->c, WILLOW_WATCH_COUNT);
    def.events = choose(w->c, 2) == 0;
    def.max_bytes = limits[choose(w->c, 6)];
    willow_watch_destroy(watch->watch);
    *watch = (api_watch){.a = choose(w->c, API_BODIES), .b = choose(w->c, API_BODIES)};
    watch->ids[0] = w->actors[watch->a].ids[API_TRIED];
    watch->ids[1] = w->actors[watch->b].ids[API_TRIED];
    const bool are_alive = w->actors[watch->a].is_alive && w->actors[watch->b].is_alive;
    api_arm(w);
    willow_result result = willow_watch_create(w->worlds[API_TRIED], &def, watch->ids[0],
                                               watch->ids[1], &watch->watch);
    api_disarm(w);
    if (result == WILLOW_OUT_OF_MEMORY) {
        w->tally->failures++;
        result = willow_watch_create(w->worlds[API_TRIED], &def, watch->ids[0], watch->ids[1],
                                     &watch->watch);
    }
    if (result != (are_alive ? WILLOW_OK : WILLOW_BAD_HANDLE)) api_fail(w, "a watch is not made");
}

/* ---- time ---- */

static double choose_time(api_worlds *w)
{
    switch (choose(w->c, 8)) {
    case 0: return w->time;
    case 1: return w->time - 0.25 * (double)choose(w->c, 16);
    case 2: return w->time + 2.0;
    default: return w->time + 0.0625 * (double)choose(w->c, 16);
    }
}

static void check_sound(const api_worlds *w)
{
    char reason[200];
    for (int side = 0; side < API_SIDES; side++)
        if (!willow_world_validate(w->worlds[side], reason, sizeof reason)) api_fail(w, reason);
}

/* Where it fails, vertices stay; some calls later it is made again, or at once. */
static void update(api_worlds *w, api_actor *actor)
{
    const double time = choose_time(w);
    (void)actor;
    w->call = "update";
    w->is_current = false;
    api_arm(w);
    willow_result result = willow_world_update(w->worlds[API_TRIED], time, NULL);
    api_disarm(w);
    if (result == WILLOW_OUT_OF_MEMORY) {
        w->tally->failures++;
        check_sound(w);
        api_compare_positions(w);
        if (choose(w->c, 2) == 0) return;
        result = willow_world_update(w->worlds[API_TRIED], time, NULL);
    }
    if (result != WILLOW_OK) api_fail(w, willow_world_message(w->worlds[API_TRIED]));
    if (willow_world_update(w->worlds[API_RIGHT], time, NULL) != WILLOW_OK)
        api_fail(w, willow_world_message(w->worlds[API_RIGHT]));
    w->time = time;
    w->is_current = true;
    w->tally->updates++;
    check_sound(w);
}

/* ---- the whole ---- */

/* X(function, whether it is about a body that is there); the first is what is left over. */
static const struct {
    void (*make)(api_worlds *w, api_actor *actor);
    bool needs_body;
} calls[] = {{update, false},
             {update, false},
             {update, false},
             {update, false},
             {make, false},
             {kill, true},
             {set_tree, true},
             {set_property, true},
             {set_vertices, true},
             {set_vertices, true},
             {set_velocities, true},
             {set_accelerations, true},
             {set_vertex_plan, true},
             {set_flightplan, true},
             {set_flightplan, true},
             {set_morph, true},
             {set_morph, true},
             {set_weights, true},
             {set_weights, true},
             {set_skin, true},
             {set_skin, true},
             {set_joints, true},
             {set_joints, true},
             {set_deformation, true},
             {touch_deformation, true},
             {set_pose, true},
             {remove_pose, true},
             {set_target, true},
             {set_target_weights, true},
             {set_target_joints, true},
             {set_target_deformation, true},
             {set_target_pose, true},
             {set_target_time, false},
             {make_watch, false},
             {share, false},
             {share, false},
             {make_in_bulk, false},
             {kill_in_bulk, false},
             {pose_in_bulk, false},
             {promise, true}};

static void call_something(api_worlds *w)
{
    const uint32_t number = choose(w->c, sizeof calls / sizeof calls[0]);
    api_actor *actor = &w->actors[choose(w->c, API_BODIES)];
    if (calls[number].needs_body && !actor->is_alive) return;
    calls[number].make(w, actor);
    w->tally->calls++;
    api_compare_positions(w);
    for (uint32_t left = choose(w->c, 4); left > 0 && w->is_current && api_is_right(); left--)
        api_ask(w);
}

static bool open_worlds(api_worlds *w)
{
    for (int side = 0; side < API_SIDES; side++) {
        willow_world_def def = willow_world_def_default();
        if (side == API_RIGHT) {
            def.kernel = WILLOW_KERNEL_SCALAR;
            def.broad = WILLOW_BROAD_ALL_PAIRS;
        } else {
            def.allocator = test_allocator_functions(&w->allocator);
            def.broad = (willow_broad)choose(w->c, WILLOW_BROAD_COUNT);
            if (choose_one_in(w->c, 4)) def.kernel = WILLOW_KERNEL_SCALAR;
            if (choose_one_in(w->c, 16)) def.thread_count = 2;
        }
        if (willow_world_create(&def, &w->worlds[side]) != WILLOW_OK ||
            willow_scratch_create(w->worlds[side], &w->scratches[side]) != WILLOW_OK)
            return script_fail(NULL, "no world");
    }
    return true;
}

static void close_worlds(api_worlds *w)
{
    for (int side = 0; side < API_SIDES; side++) {
        willow_scratch_destroy(w->scratches[side]);
        willow_world_destroy(w->worlds[side]);
    }
    for (int i = 0; i < API_BODIES; i++) free_actor(&w->actors[i]);
    if (!test_allocator_is_clean(&w->allocator)) (void)script_fail(NULL, "memory is left");
}

const char *api_script_run(choices *c, uint32_t size, uint32_t calls_left, api_tally *tally)
{
    api_worlds *w = calloc(1, sizeof *w);
    script_words_clear();
    w->c = c;
    w->tally = tally;
    w->size = size;
    w->call = "";
    for (uint32_t i = 0; i < API_CONTEXTS; i++) {
        w->ends[i] = bend_straight();
        w->ends[i].shear = 0.125F * (float)i - 0.25F;
        w->ends[i].curve = 0.125F - 0.0625F * (float)i;
    }
    if (open_worlds(w)) {
        for (uint32_t i = 0; i < 2; i++) make(w, &w->actors[i]);
        for (; calls_left > 0 && api_is_right() && !choices_are_over(c); calls_left--)
            call_something(w);
        close_worlds(w);
    }
    tally->scripts++;
    free(w);
    return script_words(true);
}
