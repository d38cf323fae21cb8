/* motions.c - see motions.h. Every motion is a function that calls setters on both worlds, in each
 * update; `begins` says that the body did not move in this way before. */
#include "matrix/motions.h"

#include "support/test.h"

typedef float vertex[3];

/* Calls a setter of a body on both sides. */
#define EACH(w, body, function, ...)                                                               \
    for (int side = 0; side < SIDES; side++)                                                       \
    matrix_ok(w, side, function((w)->sides[side].world, (w)->sides[side].ids[body], __VA_ARGS__),  \
              #function)

static uint32_t vertices_of(const matrix_worlds *w, uint32_t body)
{
    return w->actors[body].mesh.vertex_count;
}

/* A number of the case, the update and the body. */
static uint32_t draw(const matrix_worlds *w, uint32_t body, uint32_t below)
{
    uint64_t state = ((uint64_t)w->c->number << 8) + 16 * body + w->update;
    return below == 0 ? 0 : (uint32_t)(test_random(&state) % below);
}

/* A part of the vertices: [first, first + count). */
static uint32_t draw_range(const matrix_worlds *w, uint32_t body, uint32_t *count)
{
    const uint32_t all = vertices_of(w, body), first = draw(w, body, all);
    const uint32_t most = all - first;
    *count = most < 1 + all / 4 ? most : 1 + all / 4;
    return first;
}

/* ---- positions ---- */

/* The mesh goes to the frame of the update. */
static void go(matrix_worlds *w, uint32_t body)
{
    zoo_mesh_move(&w->actors[body].mesh, w->update + 1, 0, vertices_of(w, body));
}

/* Where the mesh is in the frame that follows, in its room. */
static vertex *look_ahead(matrix_worlds *w, uint32_t body)
{
    matrix_actor *actor = &w->actors[body];
    const size_t size = actor->mesh.vertex_count * sizeof(vertex);
    vertex *to = actor->room, *kept = actor->room + actor->mesh.vertex_count;
    memcpy(kept, actor->mesh.positions, size);
    zoo_mesh_move(&actor->mesh, w->update + 2, 0, actor->mesh.vertex_count);
    memcpy(to, actor->mesh.positions, size);
    memcpy(actor->mesh.positions, kept, size);
    return to;
}

static void stand(matrix_worlds *w, uint32_t body, bool begins)
{
    (void)w;
    (void)body;
    (void)begins;
}

static void move_whole(matrix_worlds *w, uint32_t body, bool begins)
{
    (void)begins;
    go(w, body);
    EACH(w, body, willow_body_set_vertices, 0, vertices_of(w, body), w->actors[body].mesh.positions,
         0);
}

static void move_part(matrix_worlds *w, uint32_t body, bool begins)
{
    uint32_t count;
    const uint32_t first = draw_range(w, body, &count);
    (void)begins;
    zoo_mesh_move(&w->actors[body].mesh, w->update + 1, first, count);
    EACH(w, body, willow_body_set_vertices, first, count, w->actors[body].mesh.positions + first,
         0);
}

/* BRUTE has a copy. */
static void move_borrowed(matrix_worlds *w, uint32_t body, bool begins)
{
    matrix_actor *actor = &w->actors[body];
    matrix_side *right = &w->sides[RIGHT], *tried = &w->sides[TRIED];
    const uint32_t count = vertices_of(w, body);
    (void)begins;
    go(w, body);
    matrix_ok(w, TRIED, willow_body_begin_vertices(tried->world, tried->ids[body]), "begin");
    memcpy(actor->borrowed, actor->mesh.positions, count * sizeof(vertex));
    matrix_ok(w, RIGHT,
              willow_body_set_vertices(right->world, right->ids[body], 0, count,
                                       actor->mesh.positions, 0),
              "set_vertices");
}

/* ---- edits ---- */

/* The mesh moves, and some of its triangles, others in every call, become two around a new vertex
 * in the middle, so that a third of each is open. The body then has more vertices than the mesh. */
static void move_edited(matrix_worlds *w, uint32_t body, bool begins)
{
    enum { MOST = 8 };
    matrix_actor *actor = &w->actors[body];
    const zoo_mesh *mesh = &actor->mesh;
    willow_tri slots[MOST];
    uint32_t added[2 * MOST][3], count = 0;
    uint16_t groups[2 * MOST];
    willow_tri numbers[2 * MOST];
    willow_new_vertex vertices[MOST];
    willow_edit edit = willow_edit_default();
    move_whole(w, body, begins);
    for (; count < MOST && count <= mesh->triangle_count / 8; count++) {
        const uint32_t slot = actor->edited;
        if (slot >= mesh->triangle_count) break;
        const uint32_t *corners = mesh->tris[slot], middle = WILLOW_NEW_VERTEX + count;
        actor->edited++;
        slots[count] = slot;
        vertices[count] = (willow_new_vertex){.parent_count = 3,
                                              .parents = {corners[0], corners[1], corners[2]},
                                              .weights = {0.25F, 0.25F, 0.5F}};
        for (uint32_t i = 0; i < 2; i++) {
            const uint32_t tri[3] = {corners[i], corners[i + 1], middle};
            memcpy(added[2 * count + i], tri, sizeof tri);
            groups[2 * count + i] = mesh->groups ? mesh->groups[slot] : 1;
        }
    }
    edit.remove_triangles = slots;
    edit.remove_triangle_count = count;
    edit.add_vertices = vertices;
    edit.add_vertex_count = count;
    edit.add_indices = added[0];
    edit.add_groups = groups;
    edit.add_triangle_count = 2 * count;
    EACH(w, body, willow_body_edit, &edit, numbers, NULL);
    for (uint32_t i = 0; i < 2 * count && actor->groups != NULL; i++) {
        assert_true(numbers[i] < 3 * mesh->triangle_count);
        actor->groups[numbers[i]] = groups[i];
    }
}

/* ---- flight plans ---- */

/* As fast as the mesh goes from frame to frame, times `share`. */
static vertex *velocities(matrix_worlds *w, uint32_t body, float share)
{
    vertex *to = look_ahead(w, body);
    for (uint32_t i = 0; i < vertices_of(w, body); i++)
        for (int k = 0; k < 3; k++)
            to[i][k] = share * (to[i][k] - w->actors[body].mesh.positions[i][k]);
    return to;
}

/* Of all vertices first, of some later; in between they go straight on. */
static void fly(matrix_worlds *w, uint32_t body, bool begins)
{
    uint32_t count = vertices_of(w, body), first = 0;
    if (!begins && w->update != 2) return;
    if (!begins) first = draw_range(w, body, &count);
    EACH(w, body, willow_body_set_velocities, first, count, velocities(w, body, 0.25F) + first, 0);
}

static void accelerate(matrix_worlds *w, uint32_t body, bool begins)
{
    uint32_t count = vertices_of(w, body), first = 0;
    if (begins) fly(w, body, true);
    if (!begins && w->update != 3) return;
    if (!begins) first = draw_range(w, body, &count);
    EACH(w, body, willow_body_set_accelerations, first, count, velocities(w, body, -0.125F) + first,
         0);
}

static void fly_alone(matrix_worlds *w, uint32_t body, bool begins)
{
    uint32_t count;
    const uint32_t first = draw_range(w, body, &count);
    vertex *v = velocities(w, body, 0.5F);
    (void)begins;
    for (uint32_t i = first; i < first + count && i < first + 5; i++) {
        const willow_vertex_plan plan = {.velocity = {v[i][0], v[i][1], v[i][2]},
                                         .acceleration = {v[i][1], 0, -v[i][2]}};
        EACH(w, body, willow_body_set_vertex_plan, i, &plan);
    }
}

/* The frames that follow, at uneven times; others three updates later. */
static void follow_keys(matrix_worlds *w, uint32_t body, bool begins)
{
    static const double times[MATRIX_KEYFRAMES] = {0.25, 0.875, 1.5, 2.5};
    zoo_mesh *mesh = &w->actors[body].mesh;
    willow_flightplan plan = willow_flightplan_default();
    if (!begins && w->update != 3) return;
    for (uint32_t i = 0; i < MATRIX_KEYFRAMES; i++) {
        zoo_mesh_move(mesh, w->update + i, 0, mesh->vertex_count);
        memcpy(w->actors[body].room + i * mesh->vertex_count, mesh->positions,
               mesh->vertex_count * sizeof(vertex));
    }
    plan.positions = w->actors[body].room;
    plan.times = times;
    plan.keyframe_count = MATRIX_KEYFRAMES;
    EACH(w, body, willow_body_set_flightplan, &plan);
}

/* ---- morphs ---- */

enum { SPARSE_TARGETS = 2 };

/* Neither all 0, where absolute targets are one point and all meets all, nor far away. */
static uint32_t choose_weights(matrix_worlds *w, uint32_t body, uint64_t more)
{
    morph_model *m = &w->actors[body].model;
    uint64_t random = 31 * (uint64_t)w->c->number + 7 * w->update + body + more;
    const uint32_t kinds = MORPH_WEIGHTS_WILD - MORPH_WEIGHTS_ONE;
    morph_model_choose(m, (morph_weights)(MORPH_WEIGHTS_ONE + random % kinds), &random);
    return m->target_count;
}

static void begin_morph(matrix_worlds *w, uint32_t body, willow_morph_kind kind, bool is_sparse)
{
    matrix_actor *actor = &w->actors[body];
    if (actor->model.mesh != NULL) morph_model_destroy(&actor->model);
    morph_model_create(&actor->model, &actor->mesh, kind, is_sparse ? SPARSE_TARGETS : 4,
                       w->c->number + w->update);
    willow_morph morph = morph_model_def(&actor->model);
    willow_morph_target sparse[SPARSE_TARGETS];
    uint32_t numbers[64], count = 0; /* every second vertex, backwards */
    for (uint32_t i = vertices_of(w, body); i-- > 0 && count<64; i -= i> 0) numbers[count++] = i;
    for (int i = 0; i < SPARSE_TARGETS; i++)
        sparse[i] = (willow_morph_target){.values = velocities(w, body, 0.5F),
                                          .vertices = numbers + i,
                                          .vertex_count = count > 1 ? count - 1 : 0};
    if (is_sparse) morph.targets = sparse;
    EACH(w, body, willow_body_set_morph_targets, &morph);
}

static void set_weights(matrix_worlds *w, uint32_t body)
{
    const uint32_t count = choose_weights(w, body, 0);
    EACH(w, body, willow_body_set_morph_weights, w->actors[body].model.weights, count);
}

static void morph_absolute(matrix_worlds *w, uint32_t body, bool begins)
{
    if (begins) begin_morph(w, body, WILLOW_MORPH_ABSOLUTE, false);
    set_weights(w, body);
}

static void morph_offsets(matrix_worlds *w, uint32_t body, bool begins)
{
    if (begins) begin_morph(w, body, WILLOW_MORPH_OFFSETS, false);
    set_weights(w, body);
}

static void morph_sparse(matrix_worlds *w, uint32_t body, bool begins)
{
    if (begins) begin_morph(w, body, WILLOW_MORPH_OFFSETS, true);
    set_weights(w, body);
}

/* ---- skins ---- */

static const double JOINTS_WAY = 0.25;

static uint64_t skin_seed(const matrix_worlds *w, uint32_t body, uint64_t more)
{
    return 131 * (uint64_t)w->c->number + 17 * w->update + body + more;
}

/* On what the body is then: positions, or a morph. Without vertices it may still have a plan or a
 * deformation, which setting none does not end. */
static void begin_skin(matrix_worlds *w, uint32_t body)
{
    static const uint32_t joint_counts[] = {1, 2, 5, 40};
    matrix_actor *actor = &w->actors[body];
    if (vertices_of(w, body) == 0) return;
    skin_model_destroy(&actor->skin);
    skin_model_create(&actor->skin, vertices_of(w, body), joint_counts[draw(w, body, 4)],
                      skin_seed(w, body, 0));
    const willow_skin skin = skin_model_def(&actor->skin);
    EACH(w, body, willow_body_set_skin, &skin);
}

static void set_joints(matrix_worlds *w, uint32_t body)
{
    matrix_actor *actor = &w->actors[body];
    uint64_t random = skin_seed(w, body, 5);
    if (vertices_of(w, body) == 0) return;
    skin_model_move(&actor->skin, JOINTS_WAY, &random);
    EACH(w, body, willow_body_set_joints, actor->skin.joints, actor->skin.joint_count);
}

/* Plans and deformations of before have to end first. */
static void skin_positions(matrix_worlds *w, uint32_t body, bool begins)
{
    if (begins) {
        move_whole(w, body, true);
        begin_skin(w, body);
    }
    set_joints(w, body);
}

/* By turns both move, the joints alone, and both. */
static void skin_morph(matrix_worlds *w, uint32_t body, bool begins)
{
    const bool is_offsets = draw(w, body, 2) == 0;
    if (begins) {
        begin_morph(w, body, is_offsets ? WILLOW_MORPH_OFFSETS : WILLOW_MORPH_ABSOLUTE, false);
        begin_skin(w, body);
    }
    if (w->update % 2 == 0) set_weights(w, body);
    set_joints(w, body);
}

/* ---- deformations of the user's own ---- */

static void bend_anew(bend *b, uint32_t number)
{
    b->shear = 0.125F * (float)(number % 5) - 0.25F;
    b->curve = 0.0625F * (float)(number % 7) - 0.1875F;
}

static void deform(matrix_worlds *w, uint32_t body, bool begins, bool has_boxes)
{
    willow_deformation deformation = bend_deformation(&w->actors[body].now);
    if (!has_boxes) deformation.bound = NULL;
    if (begins) {
        w->actors[body].now = bend_straight();
        EACH(w, body, willow_body_set_deformation, &deformation);
    }
    for (int side = 0; side < SIDES; side++)
        matrix_ok(w, side,
                  willow_body_touch_deformation(w->sides[side].world, w->sides[side].ids[body]),
                  "touch");
    bend_anew(&w->actors[body].now, w->update + w->c->number);
}

static void deform_bounded(matrix_worlds *w, uint32_t body, bool begins)
{
    deform(w, body, begins, true);
}

static void deform_unbounded(matrix_worlds *w, uint32_t body, bool begins)
{
    deform(w, body, begins, false);
}

/* ---- ends of trial steps: short ones, of which impacts do not take long ---- */

static vertex *near_by(matrix_worlds *w, uint32_t body)
{
    vertex *to = velocities(w, body, 0.125F);
    for (uint32_t i = 0; i < vertices_of(w, body); i++)
        for (int k = 0; k < 3; k++) to[i][k] += w->actors[body].mesh.positions[i][k];
    return to;
}

static void no_target(matrix_worlds *w, uint32_t body)
{
    (void)w;
    (void)body;
}

static void target_vertices(matrix_worlds *w, uint32_t body)
{
    EACH(w, body, willow_body_set_target, 0, vertices_of(w, body), near_by(w, body), 0);
}

static void target_some(matrix_worlds *w, uint32_t body)
{
    uint32_t count;
    const uint32_t first = draw_range(w, body, &count);
    EACH(w, body, willow_body_set_target, first, count, near_by(w, body) + first, 0);
}

static void target_time(matrix_worlds *w, uint32_t body)
{
    (void)body;
    for (int side = 0; side < SIDES; side++)
        matrix_ok(w, side,
                  willow_world_set_target_time(w->sides[side].world, matrix_time(w) + 0.25),
                  "set_target_time");
}

static void target_weights(matrix_worlds *w, uint32_t body)
{
    const uint32_t count = choose_weights(w, body, 3);
    EACH(w, body, willow_body_set_target_weights, w->actors[body].model.weights, count);
}

static void target_joints(matrix_worlds *w, uint32_t body)
{
    matrix_actor *actor = &w->actors[body];
    uint64_t random = skin_seed(w, body, 9);
    if (vertices_of(w, body) == 0) return;
    skin_model_move(&actor->skin, JOINTS_WAY, &random);
    EACH(w, body, willow_body_set_target_joints, actor->skin.joints, actor->skin.joint_count);
}

/* Both, one of them, or the other. */
static void target_skin_morph(matrix_worlds *w, uint32_t body)
{
    if (w->update % 3 != 1) target_weights(w, body);
    if (w->update % 3 != 2) target_joints(w, body);
}

static void target_bend(matrix_worlds *w, uint32_t body)
{
    bend *end = &w->actors[body].ends[w->update % 2];
    *end = bend_straight();
    bend_anew(end, w->update + w->c->number + 1);
    EACH(w, body, willow_body_set_target_deformation, end);
}

static void target_pose(matrix_worlds *w, uint32_t body)
{
    willow_pose pose = w->actors[body].pose;
    pose.translation.x += 0.0625F;
    pose.translation.z -= 0.03125F * (float)(w->update % 3);
    pose.rotation.y += 0.0625F;
    pose.rotation.w += 0.03125F * (float)(w->update % 2);
    EACH(w, body, willow_body_set_target_pose, &pose);
}

static void move_in_sequence(matrix_worlds *w, uint32_t body, bool begins);

/* ---- tables ---- */

/* X(name, function, the end of a trial step that goes with it) */
#define MOTIONS(X)                                                                                 \
    X("borrowed", move_borrowed, target_vertices)                                                  \
    X("changing", stand, no_target)                                                                \
    X("edited", move_edited, target_vertices)                                                      \
    X("stands", stand, target_vertices)                                                            \
    X("whole", move_whole, target_vertices)                                                        \
    X("part", move_part, target_vertices)                                                          \
    X("velocities", fly, target_time)                                                              \
    X("accelerations", accelerate, target_time)                                                    \
    X("vertex_plans", fly_alone, target_time)                                                      \
    X("keyframes", follow_keys, target_time)                                                       \
    X("absolute", morph_absolute, target_weights)                                                  \
    X("offsets", morph_offsets, target_weights)                                                    \
    X("sparse", morph_sparse, target_weights)                                                      \
    X("skin", skin_positions, target_joints)                                                       \
    X("morph+skin", skin_morph, target_skin_morph)                                                 \
    X("user", deform_bounded, target_bend)                                                         \
    X("user_free", deform_unbounded, target_bend)                                                  \
    X("sequence", move_in_sequence, target_vertices)

/* Other motions do not know of the vertices that edits add, so none follows these. */
enum { BORROWED, CHANGING, EDITED, FIRST_OF_CHANGING };

static const struct {
    const char *name;
    void (*move)(matrix_worlds *w, uint32_t body, bool begins);
    void (*target)(matrix_worlds *w, uint32_t body);
} motions[] = {
#define MOTION_ENTRY(name, move, target) {name, move, target},
    MOTIONS(MOTION_ENTRY)
#undef MOTION_ENTRY
};

enum { MOTION_COUNT = sizeof motions / sizeof motions[0], SEQUENCE = MOTION_COUNT - 1 };

/* Two or three of the others without an update between them; the last is what it is left with. */
static void move_in_sequence(matrix_worlds *w, uint32_t body, bool begins)
{
    uint64_t state = 64 * (uint64_t)w->c->number + 8 * body + w->update;
    (void)begins;
    for (uint64_t left = 2 + test_random(&state) % 2; left > 0; left--) {
        const uint32_t motion =
            FIRST_OF_CHANGING + (uint32_t)(test_random(&state) % (SEQUENCE - FIRST_OF_CHANGING));
        motions[motion].move(w, body, true);
        w->actors[body].motion = motion;
        matrix_compare_vertices(w, body);
    }
}

static void target_matching(matrix_worlds *w, uint32_t body)
{
    motions[w->actors[body].motion].target(w, body);
}

static void target_matching_and_pose(matrix_worlds *w, uint32_t body)
{
    target_matching(w, body);
    target_pose(w, body);
}

static const struct {
    const char *name;
    void (*set)(matrix_worlds *w, uint32_t body);
} trials[] = {
    {"none", no_target},
    {"matching", target_matching},
    {"matching+pose", target_matching_and_pose},
    {"pose", target_pose},
    {"some", target_some},
    {"time", target_time},
};

const char *matrix_motion_name(uint32_t value)
{
    return value < MOTION_COUNT ? motions[value].name : NULL;
}

const char *matrix_trial_name(uint32_t value)
{
    return value < sizeof trials / sizeof trials[0] ? trials[value].name : NULL;
}

bool matrix_motion_borrows(uint32_t motion) { return motion == BORROWED; }

uint32_t matrix_motion_of(const matrix_case *c, uint32_t body, uint32_t update)
{
    const uint32_t motion = c->value[body == 0 ? FACTOR_MOTION_A : FACTOR_MOTION_B];
    uint64_t state = 64 * (uint64_t)c->number + 8 * body + update;
    if (motion != CHANGING) return motion;
    return FIRST_OF_CHANGING + (uint32_t)(test_random(&state) % (MOTION_COUNT - FIRST_OF_CHANGING));
}

void matrix_move(matrix_worlds *w, uint32_t body)
{
    const uint32_t motion = matrix_motion_of(w->c, body, w->update);
    const bool begins = w->update == 0 || motion != w->actors[body].motion;
    w->actors[body].motion = motion;
    motions[motion].move(w, body, begins);
}

void matrix_set_trial(matrix_worlds *w, uint32_t body)
{
    trials[w->c->value[body == 0 ? FACTOR_TRIAL_A : FACTOR_TRIAL_B]].set(w, body);
}
