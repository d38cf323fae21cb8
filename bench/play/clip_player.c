/* clip_player.c - the only place where bodies of a clip become bodies of a world.
 *
 * Way in: clip_player_create, then clip_player_prepare and clip_player_go for every further sample.
 * What a body was given last is kept beside it, as a copy: frames of a clip are used again. */
#include "bench/play/clip_player.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct clip_given {
    bool is_hidden;
    bool has_pose;
    willow_pose pose;
    float *weights;        /* of bodies with offsets */
    willow_affine *joints; /* SKIN */
    float *positions;      /* of bodies that are given by these; NULL: of others */
    float *made;           /* room for those that the player makes; NULL: the frame has them */
    uint32_t room;         /* vertices that the two have room for */
    bool has_positions;    /* `positions` were given, not those of the mesh */
    bool has_own_mesh;     /* triangles are not those of the clip's mesh but these: */
    clip_mesh own;
};

/* ---- failures in words ---- */

static bool clip_player_fail_limit(clip_player *p, const char *doing)
{
    snprintf(p->message, sizeof p->message,
             "%s: bodies and what is found take more than %.3g GB; "
             "--only, --ignore and --no-self ask for less",
             doing, (double)p->memory->most / (double)(1 << 30));
    return false;
}

static bool clip_player_fail(clip_player *p, const char *doing, willow_result result,
                             const char *words)
{
    if (result == WILLOW_OUT_OF_MEMORY && p->memory && memory_limit_was_reached(p->memory))
        return clip_player_fail_limit(p, doing);
    snprintf(p->message, sizeof p->message, "%s: %s%s%s", doing, willow_result_name(result),
             words[0] != '\0' ? ": " : "", words);
    return false;
}

static bool clip_player_fail_world(clip_player *p, const char *doing, willow_result result)
{
    return clip_player_fail(p, doing, result,
                            p->world != NULL ? willow_world_message(p->world) : "");
}

static bool clip_player_no_memory(clip_player *p)
{
    return clip_player_fail(p, "playing", WILLOW_OUT_OF_MEMORY, "");
}

bool clip_player_fail_asking(clip_player *p, willow_result result)
{
    return clip_player_fail(p, "asking", result, willow_scratch_message(p->scratch));
}

/* "Shirt: setting a pose": which body it was. */
static bool clip_player_fail_body(clip_player *p, uint32_t body, const char *doing,
                                  willow_result result)
{
    char words[128];
    snprintf(words, sizeof words, "%.80s: %s", p->clip->bodies[body].name, doing);
    return clip_player_fail_world(p, words, result);
}

/* ---- how bodies are handed over ---- */

static bool is_flat(const clip_player *p) { return p->engine.poses != POSES_GIVEN; }

/* Whether it is given by positions in every sample. */
static bool is_by_positions(const clip_player *p, uint32_t body)
{
    const clip_motion motion = p->clip->bodies[body].motion;
    return motion == CLIP_FRAMES || (motion != CLIP_STILL && is_flat(p));
}

static bool makes_positions(const clip_player *p, uint32_t body)
{
    return is_by_positions(p, body) && p->clip->bodies[body].motion != CLIP_FRAMES;
}

const clip_mesh *clip_player_mesh(const clip_player *p, uint32_t body)
{
    const clip_given *given = &p->given[body];
    return given->has_own_mesh ? &given->own : &p->clip->bodies[body].mesh;
}

static size_t position_bytes(const clip_mesh *mesh)
{
    return 3 * (size_t)mesh->vertex_count * sizeof(float);
}

/* Of rigid bodies the very bits that the library has for them. */
static void make_positions(const clip_player *p, const clip_frame *frame, uint32_t body)
{
    const clip_body *b = &p->clip->bodies[body];
    float *made = p->given[body].made;
    if (b->motion == CLIP_RIGID) {
        willow_pose_apply(&frame->bodies[body].pose, b->mesh.positions, 0, b->mesh.vertex_count,
                          (willow_vec3 *)(void *)made);
    } else {
        clip_positions(p->clip, frame, body, made);
    }
}

static void make_all_positions(const clip_player *p, const clip_frame *frame)
{
    for (uint32_t i = 0; i < p->clip->body_count; i++) {
        if (p->roles[i].is_played && makes_positions(p, i)) make_positions(p, frame, i);
    }
}

void clip_player_prepare(clip_player *p, const clip_frame *frame)
{
    if (p->engine.poses != POSES_APPLY) make_all_positions(p, frame);
}

/* Where a body that is given by positions has them now. */
static const float *positions_in(const clip_player *p, const clip_frame *frame, uint32_t body)
{
    return makes_positions(p, body) ? p->given[body].made : frame->bodies[body].positions;
}

/* ---- what was given ---- */

static void free_own_mesh(clip_given *given)
{
    free(given->own.indices);
    free(given->own.faces);
    given->own = (clip_mesh){0};
    given->has_own_mesh = false;
}

static uint32_t *copy_numbers(const uint32_t *from, size_t count)
{
    uint32_t *to = malloc((count + 1) * sizeof *to);
    if (to != NULL && count > 0) memcpy(to, from, count * sizeof *to);
    return to;
}

/* Triangles of another mesh than the clip's. */
static bool keep_own_mesh(clip_given *given, const clip_mesh *mesh)
{
    free_own_mesh(given);
    given->own.vertex_count = mesh->vertex_count;
    given->own.triangle_count = mesh->triangle_count;
    given->own.indices = copy_numbers(mesh->indices, 3 * (size_t)mesh->triangle_count);
    if (mesh->faces != NULL) given->own.faces = copy_numbers(mesh->faces, mesh->triangle_count);
    given->has_own_mesh = true;
    return given->own.indices != NULL && (mesh->faces == NULL || given->own.faces != NULL);
}

static bool reserve_positions(clip_given *given, uint32_t vertices)
{
    if (vertices <= given->room) return true;
    float *grown = realloc(given->positions, 3 * (size_t)vertices * sizeof *grown);
    if (grown == NULL) return false;
    given->positions = grown;
    given->room = vertices;
    return true;
}

static bool create_given(clip_player *p, uint32_t i)
{
    const clip_body *body = &p->clip->bodies[i];
    clip_given *given = &p->given[i];
    const size_t values = 3 * (size_t)body->mesh.vertex_count;
    given->weights = calloc((size_t)body->morph.target_count + 1, sizeof(float));
    if (given->weights == NULL) return false;
    if (body->motion == CLIP_SKIN) {
        given->joints = calloc((size_t)body->skin.joint_count + 1, sizeof *given->joints);
        if (given->joints == NULL) return false;
    }
    if (makes_positions(p, i)) {
        given->made = calloc(values + 1, sizeof(float));
        if (given->made == NULL) return false;
    }
    return !is_by_positions(p, i) || reserve_positions(given, body->mesh.vertex_count);
}

static void destroy_given(clip_given *given)
{
    free(given->weights);
    free(given->joints);
    free(given->positions);
    free(given->made);
    free_own_mesh(given);
}

static bool is_same_pose(const willow_pose *a, const willow_pose *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static bool has_same_triangles(const clip_mesh *a, const clip_mesh *b)
{
    if (a == b) return true;
    return a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count &&
           (a->triangle_count == 0 ||
            memcmp(a->indices, b->indices, 3 * (size_t)a->triangle_count * sizeof *a->indices) ==
                0);
}

/* ---- bodies ---- */

static bool create_body(clip_player *p, uint32_t i, const clip_mesh *mesh, const float *positions)
{
    willow_body_def def = willow_body_def_default();
    def.mesh.positions = positions;
    def.mesh.vertex_count = mesh->vertex_count;
    def.mesh.indices = mesh->indices;
    def.mesh.triangle_count = mesh->triangle_count;
    def.tree = p->engine.tree;
    def.self = p->roles[i].self;
    def.category_bits = p->roles[i].category_bits;
    def.mask_bits = p->roles[i].mask_bits;
    def.user_data = i;
    def.keep_rest = p->keeps_rest || p->engine.skip_close_at_rest;
    willow_result result = willow_body_create(p->world, &def, &p->bodies[i]);
    return result == WILLOW_OK || clip_player_fail_body(p, i, "creating the body", result);
}

static bool give_targets(clip_player *p, uint32_t i)
{
    const clip_body *body = &p->clip->bodies[i];
    const uint32_t count = body->morph.target_count;
    willow_morph_target *targets = calloc((size_t)count + 1, sizeof *targets);
    if (targets == NULL) return clip_player_no_memory(p);
    for (uint32_t t = 0; t < count; t++) targets[t].values = body->morph.offsets[t];
    willow_morph morph = willow_morph_default();
    morph.kind = WILLOW_MORPH_OFFSETS;
    morph.base = body->mesh.positions;
    morph.targets = targets;
    morph.target_count = count;
    willow_result result = willow_body_set_morph_targets(p->world, p->bodies[i], &morph);
    free(targets);
    return result == WILLOW_OK || clip_player_fail_body(p, i, "setting morph targets", result);
}

/* Three rows of four, as the library has them. */
_Static_assert(sizeof(willow_affine) == 12 * sizeof(double), "a joint is an affine matrix");

static const willow_affine *affine_of(double (*rows)[12])
{
    return (const willow_affine *)(const void *)rows;
}

static bool give_skin(clip_player *p, uint32_t i, const clip_state *state)
{
    const clip_skin *from = &p->clip->bodies[i].skin;
    willow_skin skin = willow_skin_default();
    skin.joint_count = from->joint_count;
    skin.inverse_bind = affine_of(from->inverse_bind);
    skin.matrices = affine_of(state->joints);
    skin.joints = from->joints;
    skin.weights = from->weights;
    skin.first = from->first;
    willow_result result = willow_body_set_skin(p->world, p->bodies[i], &skin);
    if (result != WILLOW_OK) return clip_player_fail_body(p, i, "setting the skin", result);
    memcpy(p->given[i].joints, state->joints, from->joint_count * sizeof *p->given[i].joints);
    return true;
}

/* Offsets come before the skin. */
static bool create_clip_body(clip_player *p, uint32_t i, const clip_state *state)
{
    const clip_body *body = &p->clip->bodies[i];
    if (!create_given(p, i)) return clip_player_no_memory(p);
    if (!create_body(p, i, &body->mesh, body->mesh.positions)) return false;
    if (is_by_positions(p, i)) return true;
    if (body->morph.target_count > 0 && !give_targets(p, i)) return false;
    return body->motion != CLIP_SKIN || give_skin(p, i, state);
}

static bool may_meet(const clip_player *p, uint32_t a, uint32_t b)
{
    const clip_role *x = &p->roles[a], *y = &p->roles[b];
    if (!x->is_played || !y->is_played) return false;
    if (p->given[a].is_hidden || p->given[b].is_hidden) return false;
    if (a == b) return x->self;
    return (x->category_bits & y->mask_bits) != 0 && (y->category_bits & x->mask_bits) != 0;
}

/* In the order of the answers that they give. */
static bool clip_player_watch(clip_player *p)
{
    for (uint32_t a = 0; a < p->clip->body_count; a++) {
        for (uint32_t b = a; b < p->clip->body_count; b++) {
            if (!may_meet(p, a, b)) continue;
            willow_result result =
                watch_set_add(&p->watches, p->world, p->engine.watch, p->bodies[a], p->bodies[b]);
            if (result != WILLOW_OK) return clip_player_fail_world(p, "creating a watch", result);
        }
    }
    return true;
}

/* Destroyed and made at once, so that it has the same place in the order of bodies. */
static bool remake_body(clip_player *p, uint32_t i, const clip_state *state)
{
    watch_set_clear(&p->watches);
    willow_result result = willow_body_destroy(p->world, p->bodies[i]);
    if (result != WILLOW_OK) return clip_player_fail_body(p, i, "removing the body", result);
    p->bodies[i] = (willow_body_id){0};
    if (state->mesh == &p->clip->bodies[i].mesh) {
        free_own_mesh(&p->given[i]);
    } else if (!keep_own_mesh(&p->given[i], state->mesh)) {
        return clip_player_no_memory(p);
    }
    p->remade++;
    return create_body(p, i, state->mesh, state->positions);
}

/* ---- frames ---- */

/* Watches know nothing of masks, so that they are made anew. */
static bool give_presence(clip_player *p, uint32_t i, bool is_hidden)
{
    const clip_role *role = &p->roles[i];
    if (p->given[i].is_hidden == is_hidden) return true;
    watch_set_clear(&p->watches);
    willow_result result =
        willow_body_set_mask_bits(p->world, p->bodies[i], is_hidden ? 0 : role->mask_bits);
    if (result == WILLOW_OK)
        result = willow_body_set_self(p->world, p->bodies[i], role->self && !is_hidden);
    if (result != WILLOW_OK) return clip_player_fail_body(p, i, "hiding it", result);
    p->given[i].is_hidden = is_hidden;
    return true;
}

static bool give_pose(clip_player *p, uint32_t i, const willow_pose *pose)
{
    clip_given *given = &p->given[i];
    if (given->has_pose && is_same_pose(&given->pose, pose)) return true;
    willow_result result = willow_body_set_pose(p->world, p->bodies[i], pose);
    if (result != WILLOW_OK) return clip_player_fail_body(p, i, "setting the pose", result);
    given->pose = *pose;
    given->has_pose = true;
    return true;
}

static bool is_same_weights(const clip_player *p, uint32_t i, const clip_state *state)
{
    const size_t bytes = p->clip->bodies[i].morph.target_count * sizeof *state->weights;
    return bytes == 0 || memcmp(p->given[i].weights, state->weights, bytes) == 0;
}

static bool give_weights(clip_player *p, uint32_t i, const clip_state *state)
{
    const uint32_t count = p->clip->bodies[i].morph.target_count;
    if (count == 0 || is_same_weights(p, i, state)) return true;
    willow_result result =
        willow_body_set_morph_weights(p->world, p->bodies[i], state->weights, count);
    if (result != WILLOW_OK) return clip_player_fail_body(p, i, "setting weights", result);
    memcpy(p->given[i].weights, state->weights, count * sizeof *state->weights);
    return true;
}

static bool is_same_joints(const clip_player *p, uint32_t i, const clip_state *state)
{
    const size_t bytes = p->clip->bodies[i].skin.joint_count * sizeof *state->joints;
    return memcmp(p->given[i].joints, state->joints, bytes) == 0;
}

static bool give_joints(clip_player *p, uint32_t i, const clip_state *state)
{
    const uint32_t count = p->clip->bodies[i].skin.joint_count;
    if (is_same_joints(p, i, state)) return true;
    willow_result result =
        willow_body_set_joints(p->world, p->bodies[i], affine_of(state->joints), count);
    if (result != WILLOW_OK) return clip_player_fail_body(p, i, "setting joints", result);
    memcpy(p->given[i].joints, state->joints, count * sizeof *state->joints);
    return true;
}

/* Where it was made counts as given. */
static bool is_where_it_was(const clip_player *p, uint32_t i, const float *positions)
{
    const clip_given *given = &p->given[i];
    const float *last = given->has_positions ? given->positions : p->clip->bodies[i].mesh.positions;
    const size_t bytes = position_bytes(clip_player_mesh(p, i));
    return bytes == 0 || memcmp(last, positions, bytes) == 0;
}

static bool give_positions(clip_player *p, uint32_t i, const clip_state *state,
                           const float *positions)
{
    clip_given *given = &p->given[i];
    const bool is_new = !has_same_triangles(clip_player_mesh(p, i), state->mesh);
    const clip_mesh *mesh = state->mesh;
    if (!reserve_positions(given, mesh->vertex_count)) return clip_player_no_memory(p);
    if (is_new && !remake_body(p, i, state)) return false;
    if (!is_new && is_where_it_was(p, i, positions)) return true;
    if (!is_new) {
        willow_result result =
            willow_body_set_vertices(p->world, p->bodies[i], 0, mesh->vertex_count, positions, 0);
        if (result != WILLOW_OK) return clip_player_fail_body(p, i, "setting vertices", result);
    }
    if (mesh->vertex_count > 0) memcpy(given->positions, positions, position_bytes(mesh));
    given->has_positions = true;
    return true;
}

static bool move_body(clip_player *p, uint32_t i, const clip_frame *frame)
{
    const clip_state *state = &frame->bodies[i];
    if (!give_presence(p, i, state->is_hidden)) return false;
    p->hidden += state->is_hidden;
    if (is_by_positions(p, i)) return give_positions(p, i, state, positions_in(p, frame, i));
    switch (p->clip->bodies[i].motion) {
    case CLIP_RIGID: return give_pose(p, i, &state->pose);
    case CLIP_MORPH: return give_pose(p, i, &state->pose) && give_weights(p, i, state);
    case CLIP_SKIN: return give_weights(p, i, state) && give_joints(p, i, state);
    case CLIP_STILL:
    case CLIP_FRAMES: break;
    }
    return true;
}

static bool move_bodies(clip_player *p, const clip_frame *frame)
{
    if (p->engine.poses == POSES_APPLY) make_all_positions(p, frame);
    for (uint32_t i = 0; i < p->clip->body_count; i++) {
        if (p->roles[i].is_played && !move_body(p, i, frame)) return false;
    }
    return !p->engine.has_watches || p->watches.count > 0 || clip_player_watch(p);
}

static bool clip_player_update(clip_player *p, double time)
{
    willow_result result = willow_world_update(p->world, time, NULL);
    return result == WILLOW_OK || clip_player_fail_world(p, "updating", result);
}

bool clip_player_go(clip_player *p, const clip_frame *frame)
{
    return move_bodies(p, frame) && clip_player_update(p, frame->time);
}

/* ---- trial steps ---- */

static willow_result aim_positions(clip_player *p, uint32_t i, const clip_state *state,
                                   const float *positions)
{
    if (is_where_it_was(p, i, positions)) return WILLOW_OK;
    return willow_body_set_target(p->world, p->bodies[i], 0, state->mesh->vertex_count, positions,
                                  0);
}

static willow_result aim_pose(clip_player *p, uint32_t i, const clip_state *state)
{
    if (is_same_pose(&p->given[i].pose, &state->pose)) return WILLOW_OK;
    return willow_body_set_target_pose(p->world, p->bodies[i], &state->pose);
}

static willow_result aim_weights(clip_player *p, uint32_t i, const clip_state *state)
{
    if (is_same_weights(p, i, state)) return WILLOW_OK;
    return willow_body_set_target_weights(p->world, p->bodies[i], state->weights,
                                          p->clip->bodies[i].morph.target_count);
}

static willow_result aim_joints(clip_player *p, uint32_t i, const clip_state *state)
{
    if (is_same_joints(p, i, state)) return WILLOW_OK;
    return willow_body_set_target_joints(p->world, p->bodies[i], affine_of(state->joints),
                                         p->clip->bodies[i].skin.joint_count);
}

/* What is hidden at one end of a step has none. */
static willow_result aim_body(clip_player *p, uint32_t i, const clip_frame *frame)
{
    const clip_state *state = &frame->bodies[i];
    if (state->is_hidden || p->given[i].is_hidden) return WILLOW_OK;
    if (is_by_positions(p, i)) return aim_positions(p, i, state, positions_in(p, frame, i));
    switch (p->clip->bodies[i].motion) {
    case CLIP_RIGID: return aim_pose(p, i, state);
    case CLIP_MORPH: {
        const willow_result result = aim_pose(p, i, state);
        return result != WILLOW_OK ? result : aim_weights(p, i, state);
    }
    case CLIP_SKIN: {
        const willow_result result = aim_weights(p, i, state);
        return result != WILLOW_OK ? result : aim_joints(p, i, state);
    }
    case CLIP_STILL:
    case CLIP_FRAMES: break;
    }
    return WILLOW_OK;
}

static bool has_step(const clip_player *p, const clip_frame *frame)
{
    for (uint32_t i = 0; i < p->clip->body_count; i++) {
        if (!p->roles[i].is_played) continue;
        if (!has_same_triangles(clip_player_mesh(p, i), frame->bodies[i].mesh)) return false;
    }
    return true;
}

bool clip_player_aim(clip_player *p, const clip_frame *frame, bool *can_step)
{
    *can_step = has_step(p, frame);
    if (!*can_step) return true;
    if (p->engine.poses == POSES_APPLY) make_all_positions(p, frame);
    for (uint32_t i = 0; i < p->clip->body_count; i++) {
        if (!p->roles[i].is_played) continue;
        willow_result result = aim_body(p, i, frame);
        if (result != WILLOW_OK) return clip_player_fail_body(p, i, "setting its step", result);
    }
    return clip_player_update(p, frame->time);
}

bool clip_player_find_pairs(clip_player *p, willow_pairs *out)
{
    willow_result result =
        p->engine.has_watches ? watch_set_find_pairs(&p->watches, p->scratch, &p->query, false, out)
                              : willow_find_pairs(p->world, p->scratch, &p->query, out);
    return result == WILLOW_OK || clip_player_fail_asking(p, result);
}

/* ---- beginning and end ---- */

static bool create_world(clip_player *p, const clip_player_def *def)
{
    *p = (clip_player){.clip = def->clip,
                       .roles = def->roles,
                       .engine = *def->engine,
                       .keeps_rest = def->keeps_rest,
                       .query = engine_query_options(def->engine)};
    willow_world_def world_def = engine_world_def(def->engine);
    p->memory = malloc(sizeof *p->memory);
    if (p->memory == NULL) return clip_player_no_memory(p);
    memory_limit_init(p->memory, def->memory_limit ? def->memory_limit : CLIP_PLAYER_MEMORY);
    world_def.allocator = memory_limit_allocator(p->memory);
    willow_result result = willow_world_create(&world_def, &p->world);
    if (result != WILLOW_OK) return clip_player_fail_world(p, "creating a world", result);
    p->bodies = calloc((size_t)p->clip->body_count + 1, sizeof *p->bodies);
    p->given = calloc((size_t)p->clip->body_count + 1, sizeof *p->given);
    return (p->bodies != NULL && p->given != NULL) || clip_player_no_memory(p);
}

static bool create_scratch(clip_player *p)
{
    willow_result result = willow_scratch_create(p->world, &p->scratch);
    return result == WILLOW_OK || clip_player_fail_world(p, "creating a scratch", result);
}

bool clip_player_create(clip_player *p, const clip_player_def *def, const clip_frame *frame)
{
    if (!create_world(p, def)) return false;
    for (uint32_t i = 0; i < p->clip->body_count; i++) {
        if (p->roles[i].is_played && !create_clip_body(p, i, &frame->bodies[i])) return false;
    }
    make_all_positions(p, frame);
    return clip_player_go(p, frame) && create_scratch(p);
}

static bool create_skin_at_rest(clip_player *p, uint32_t i, const clip_frame *frame)
{
    const clip_mesh *mesh = &p->clip->bodies[i].mesh;
    float *positions = calloc(3 * (size_t)mesh->vertex_count + 1, sizeof *positions);
    if (positions == NULL) return clip_player_no_memory(p);
    clip_skin_at_rest(p->clip, frame, i, positions);
    const bool is_created = create_body(p, i, mesh, positions);
    free(positions);
    return is_created;
}

static bool create_body_at_rest(clip_player *p, uint32_t i, const clip_frame *frame)
{
    const clip_body *body = &p->clip->bodies[i];
    const clip_state *state = &frame->bodies[i];
    const bool is_created = body->motion == CLIP_SKIN
                                ? create_skin_at_rest(p, i, frame)
                                : create_body(p, i, &body->mesh, body->mesh.positions);
    if (!is_created || !give_presence(p, i, state->is_hidden)) return false;
    if (body->motion != CLIP_RIGID && body->motion != CLIP_MORPH) return true;
    return give_pose(p, i, &state->pose);
}

bool clip_player_create_at_rest(clip_player *p, const clip_player_def *def, const clip_frame *frame)
{
    if (!create_world(p, def)) return false;
    p->engine.has_watches = false;
    for (uint32_t i = 0; i < p->clip->body_count; i++) {
        if (p->roles[i].is_played && !create_body_at_rest(p, i, frame)) return false;
    }
    return clip_player_update(p, frame->time) && create_scratch(p);
}

void clip_player_destroy(clip_player *p)
{
    willow_scratch_destroy(p->scratch);
    watch_set_destroy(&p->watches);
    willow_world_destroy(p->world);
    for (uint32_t i = 0; p->given != NULL && i < p->clip->body_count; i++) {
        destroy_given(&p->given[i]);
    }
    free(p->given);
    free(p->bodies);
    free(p->memory);
    *p = (clip_player){0};
}

/* Played bodies are created in order, so that a body's number is at least its place in the world.
 */
uint32_t clip_player_number(const clip_player *p, willow_body_id id)
{
    uint32_t i = id.index1 - 1;
    while (i < p->clip->body_count && p->bodies[i].index1 != id.index1) i++;
    assert(i < p->clip->body_count);
    return i;
}
