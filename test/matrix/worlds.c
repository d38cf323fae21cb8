/* worlds.c - see worlds.h. */
#include "matrix/worlds.h"

#include <stdlib.h>

#include "matrix/motions.h"
#include "matrix/questions.h"
#include "matrix/settings.h"
#include "support/test.h"
#include "support/zoo_pose.h"

/* ---- failures ---- */

void matrix_fail(matrix_worlds *w, const char *format, ...)
{
    va_list values;
    if (w->failure[0] != '\0') return;
    const int length = snprintf(w->failure, sizeof w->failure, "update %u: ", w->update);
    va_start(values, format);
    vsnprintf(w->failure + length, sizeof w->failure - (size_t)length, format, values);
    va_end(values);
}

bool matrix_ok(matrix_worlds *w, int side, willow_result result, const char *call)
{
    if (result == WILLOW_OK) return true;
    matrix_fail(w, "%s: %s, %s", call, willow_result_name(result),
                willow_world_message(w->sides[side].world));
    return false;
}

/* ---- meshes and manners ---- */

/* Added to a size: all triangles have the first vertex in the place of their first corner. */
#define IN_A_FAN UINT32_C(0x10000)

static const struct {
    const char *name;
    struct {
        zoo_kind kind;
        uint32_t size;
    } bodies[BODIES];
} meshes[] = {
    {"rolled,crumpled", {{ZOO_KIND_ROLLED, 50}, {ZOO_KIND_CRUMPLED, 32}}},
    {"sphere,grid", {{ZOO_KIND_SPHERE, 48}, {ZOO_KIND_GRID, 72}}},
    {"soup,web", {{ZOO_KIND_SOUP, 40}, {ZOO_KIND_WEB, 20}}},
    {"layers,folded", {{ZOO_KIND_LAYERS, 54}, {ZOO_KIND_FOLDED, 32}}},
    {"lattice,groups", {{ZOO_KIND_LATTICE, 24}, {ZOO_KIND_GROUPS, 40}}},
    {"seams,needles", {{ZOO_KIND_SEAMS, 32}, {ZOO_KIND_NEEDLES, 24}}},
    {"repeated,loose", {{ZOO_KIND_REPEATED, 32}, {ZOO_KIND_LOOSE, 40}}},
    {"grid,single", {{ZOO_KIND_GRID, 128}, {ZOO_KIND_SINGLE, 1}}},
    {"crumpled,empty", {{ZOO_KIND_CRUMPLED, 50}, {ZOO_KIND_EMPTY, 0}}},
    {"fan,pinwheel", {{ZOO_KIND_GRID, IN_A_FAN | 72}, {ZOO_KIND_SOUP, IN_A_FAN | 40}}},
};

static const char *const posed_names[] = {"none", "a", "b", "both"};

/* X(name, what is set in the options) */
#define MANNERS(X)                                                                                 \
    X("plain", (void)o)                                                                            \
    X("witness", (o->witness = true, o->skip_neighbours = true))                                   \
    X("filter", o->filter = leave_out_some)                                                        \
    X("limit", o->max_results = 5)                                                                 \
    X("larger", o->descend = WILLOW_DESCEND_LARGER)                                                \
    X("flat", o->test_flat = true)                                                                 \
    X("named", (o->bodies = w->sides[side].ids, o->body_count = 1))                                \
    X("thick", o->near_distance = o->touch_distance = 0.125)                                       \
    X("at_rest", (o->skip_close_at_rest = true, o->near_distance = o->touch_distance = 0.0625))    \
    X("coarse", o->tolerance = 1e-3)

/* Whose geometry the bodies that are tried have: their own; that of a body which went before any
 * update, so that they are its heirs; or that of one which was updated and went then. */
static const char *const shared_names[] = {"own", "heir", "lent"};

#define NAME_OF(names, value) ((value) < sizeof names / sizeof names[0] ? names[value] : NULL)

static const char *const manner_names[] = {
#define MANNER_ENTRY(name, set) name,
    MANNERS(MANNER_ENTRY)
#undef MANNER_ENTRY
};

const char *matrix_manner_name(uint32_t value) { return NAME_OF(manner_names, value); }
const char *matrix_shared_name(uint32_t value) { return NAME_OF(shared_names, value); }
const char *matrix_posed_name(uint32_t value) { return NAME_OF(posed_names, value); }

const char *matrix_meshes_name(uint32_t value)
{
    return value < sizeof meshes / sizeof meshes[0] ? meshes[value].name : NULL;
}

static bool leave_out_some(void *context, willow_tri_ref a, willow_tri_ref b)
{
    (void)context;
    return (a.tri + 2 * b.tri + a.body.index1) % 3 != 0;
}

willow_query_options matrix_options(matrix_worlds *w, int side)
{
    willow_query_options options = willow_query_options_default(), *o = &options;
    uint32_t row = 0;
    o->near_distance = o->touch_distance = 0.03;
#define MANNER_ENTRY(name, set)                                                                    \
    if (row++ == w->c->value[FACTOR_MANNER]) set;
    MANNERS(MANNER_ENTRY)
#undef MANNER_ENTRY
    o->use_threads = side == TRIED && w->c->value[FACTOR_WORKERS] != 0;
    o->use_occupancy = !o->use_threads;
    return options;
}

/* ---- bodies ---- */

static void open_actor(matrix_worlds *w, uint32_t body)
{
    const uint32_t row = w->c->value[FACTOR_MESHES];
    matrix_actor *actor = &w->actors[body];
    *actor = (matrix_actor){.motion = matrix_motion_of(w->c, body, 0),
                            .pose = willow_pose_identity(),
                            .now = bend_straight()};
    const uint32_t size = meshes[row].bodies[body].size;
    zoo_mesh_create(&actor->mesh, meshes[row].bodies[body].kind, size & ~IN_A_FAN,
                    w->c->number + body);
    for (uint32_t i = 0; (size & IN_A_FAN) != 0 && i < actor->mesh.triangle_count; i++)
        actor->mesh.tris[i][0] = 0;
    const size_t count = actor->mesh.vertex_count + (size_t)1;
    actor->room = calloc(MATRIX_KEYFRAMES * count, sizeof *actor->room);
    if (actor->mesh.groups != NULL) {
        const size_t tris = actor->mesh.triangle_count;
        actor->groups = calloc(3 * tris + 1, sizeof *actor->groups);
        memcpy(actor->groups, actor->mesh.groups, tris * sizeof *actor->groups);
    }
    if (!matrix_motion_borrows(actor->motion)) return;
    actor->borrowed = calloc(count, sizeof *actor->borrowed);
    memcpy(actor->borrowed, actor->mesh.positions,
           actor->mesh.vertex_count * sizeof *actor->borrowed);
}

static void close_actor(matrix_actor *actor)
{
    if (actor->model.mesh != NULL) morph_model_destroy(&actor->model);
    skin_model_destroy(&actor->skin);
    zoo_mesh_destroy(&actor->mesh);
    free(actor->borrowed);
    free(actor->groups);
    free(actor->room);
}

/* Both worlds have the body that went, so that ids are the same. */
static void create_body(matrix_worlds *w, int side, willow_body_def *def, willow_body_id *out)
{
    willow_world *world = w->sides[side].world;
    const bool shares = w->c->value[FACTOR_SHARED] > 0;
    willow_body_id lender = {0};
    if (shares) {
        matrix_ok(w, side, willow_body_create(world, def, &lender), "create the lender");
        if (strcmp(shared_names[w->c->value[FACTOR_SHARED]], "lent") == 0)
            matrix_ok(w, side, willow_world_update(world, 0.25, NULL), "update the lender");
        if (side == TRIED && !def->mesh.borrow) def->share = lender;
    }
    matrix_ok(w, side, willow_body_create(world, def, out), "create");
    if (shares) matrix_ok(w, side, willow_body_destroy(world, lender), "destroy the lender");
}

static void add_body(matrix_worlds *w, int side, uint32_t body)
{
    const matrix_actor *actor = &w->actors[body];
    willow_body_def def = willow_body_def_default();
    def.mesh = zoo_mesh_def(&actor->mesh);
    def.self = true;
    def.keep_rest = true;
    def.category_bits = 1 + body;
    def.user_data = 7 + body;
    def.thickness = strcmp(manner_names[w->c->value[FACTOR_MANNER]], "thick") == 0 ? 0.02F : 0;
    def.tree.method = WILLOW_METHOD_BRUTE;
    def.tree.cells = matrix_tree(w->c, body).cells;
    if (side == TRIED) {
        def.tree = matrix_tree(w->c, body);
        def.mesh.borrow = actor->borrowed != NULL;
        if (def.mesh.borrow) def.mesh.positions = actor->borrowed;
    }
    create_body(w, side, &def, &w->sides[side].ids[body]);
}

static void open_side(matrix_worlds *w, int side)
{
    willow_world_def def = willow_world_def_default();
    def.kernel = WILLOW_KERNEL_SCALAR;
    if (side == TRIED) def = matrix_world_def(w->c);
    assert_int_equal(willow_world_create(&def, &w->sides[side].world), WILLOW_OK);
    for (uint32_t i = 0; i < BODIES; i++) add_body(w, side, i);
    assert_int_equal(willow_scratch_create(w->sides[side].world, &w->sides[side].scratch),
                     WILLOW_OK);
}

void matrix_worlds_open(matrix_worlds *w, const matrix_case *c)
{
    memset(w, 0, sizeof *w);
    w->c = c;
    for (uint32_t i = 0; i < BODIES; i++) open_actor(w, i);
    for (int side = 0; side < SIDES; side++) open_side(w, side);
    matrix_watch_create(w);
}

void matrix_worlds_close(matrix_worlds *w)
{
    for (int side = 0; side < SIDES; side++) {
        willow_scratch_destroy(w->sides[side].scratch);
        willow_world_destroy(w->sides[side].world);
    }
    for (uint32_t i = 0; i < BODIES; i++) close_actor(&w->actors[i]);
}

/* ---- updates ---- */

/* Time stands still once, and goes back once. */
double matrix_time(const matrix_worlds *w)
{
    static const double times[MATRIX_UPDATES] = {0.5, 1.0, 1.75, 1.25, 3.0};
    return times[w->update];
}

static void pose(matrix_worlds *w, uint32_t body)
{
    if ((w->c->value[FACTOR_POSED] >> body & 1) == 0) return;
    const zoo_pose_kind kind = w->c->number % 3 == 0 ? ZOO_POSE_QUARTER : ZOO_POSE_TURNED;
    const willow_pose to = zoo_pose_make(kind, 0, 2 * w->update + body);
    w->actors[body].pose = to;
    for (int side = 0; side < SIDES; side++)
        matrix_ok(w, side,
                  willow_body_set_pose(w->sides[side].world, w->sides[side].ids[body], &to),
                  "set_pose");
}

void matrix_compare_vertices(matrix_worlds *w, uint32_t body)
{
    const uint32_t count = w->actors[body].mesh.vertex_count;
    willow_vec3 *found[SIDES];
    for (int side = 0; side < SIDES; side++) {
        found[side] = calloc(count + (size_t)1, sizeof *found[side]);
        matrix_ok(w, side,
                  willow_body_copy_vertices(w->sides[side].world, w->sides[side].ids[body], 0,
                                            count, found[side]),
                  "copy_vertices");
    }
    if (memcmp(found[RIGHT], found[TRIED], count * sizeof *found[RIGHT]) != 0)
        matrix_fail(w, "vertices of body %u are somewhere else", body);
    for (int side = 0; side < SIDES; side++) free(found[side]);
}

/* In one update only poses change, if there are any. */
static void move(matrix_worlds *w)
{
    for (uint32_t i = 0; i < BODIES; i++) {
        if (w->c->value[FACTOR_POSED] == 0 || w->update != 2) matrix_move(w, i);
        pose(w, i);
        matrix_compare_vertices(w, i);
    }
    for (uint32_t i = 0; i < BODIES; i++) matrix_set_trial(w, i);
}

void matrix_worlds_update(matrix_worlds *w)
{
    char reason[200] = "";
    move(w);
    for (int side = 0; side < SIDES; side++) {
        willow_world *world = w->sides[side].world;
        matrix_ok(w, side, willow_world_update(world, matrix_time(w), NULL), "update");
        if (!willow_world_validate(world, reason, sizeof reason))
            matrix_fail(w, "%s of the world %s", reason, side == RIGHT ? "of BRUTE" : "tried");
    }
    for (uint32_t i = 0; i < BODIES; i++) matrix_compare_vertices(w, i);
}
