/* trial_scene.c - steps that bodies of the zoo try, and answers by loops that leave no doubt.
 * Way in: trial_scene_make, trial_find_impacts, trial_find_near. */
#include "support/trial_scene.h"

#include <stdlib.h>
#include "base/hash.h"
#include "support/test.h"

/* ---- scenes ---- */

static uint64_t below(uint64_t *random, uint64_t limit) { return test_random(random) % limit; }

static float (*copy_positions(const zoo_mesh *mesh))[3]
{
    float(*copy)[3] = calloc((size_t)mesh->vertex_count + 1, sizeof *copy);
    assert_non_null(copy);
    memcpy(copy, mesh->positions, mesh->vertex_count * sizeof *copy);
    return copy;
}

/* Where the mesh is in another frame, by turns moved as a whole. */
static float (*positions_in(zoo_mesh *mesh, uint32_t frame, uint64_t *random))[3]
{
    float(*now)[3] = copy_positions(mesh);
    float shift[3] = {0};
    if (below(random, 2) == 0)
        for (int axis = 0; axis < 3; axis++) shift[axis] = (float)below(random, 17) / 8.0F - 1.0F;
    zoo_mesh_move(mesh, frame, 0, mesh->vertex_count);
    float(*then)[3] = copy_positions(mesh);
    for (uint32_t i = 0; i < 3 * mesh->vertex_count; i++) then[i / 3][i % 3] += shift[i % 3];
    memcpy(mesh->positions, now, mesh->vertex_count * sizeof *now);
    free(now);
    return then;
}

static void add_call(zoo_body *zoo, trial_body *body, uint32_t frame, uint64_t *random)
{
    const uint32_t vertices = zoo->mesh.vertex_count;
    trial_call *call = &body->calls[body->call_count++];
    float(*then)[3] = positions_in(&zoo->mesh, frame, random);
    const bool is_whole = below(random, 3) == 0;
    call->first = is_whole ? 0 : (uint32_t)below(random, vertices);
    call->count = is_whole ? vertices : 1 + (uint32_t)below(random, vertices - call->first);
    /* No more than the call names, so that reading beyond is seen. */
    call->to = malloc(call->count * sizeof *call->to + 1);
    assert_non_null(call->to);
    memcpy(call->to, then + call->first, call->count * sizeof *call->to);
    memcpy(body->goal + call->first, call->to, call->count * sizeof *call->to);
    free(then);
}

/* Mostly all vertices at once, sometimes some, or nothing at all. */
static void add_calls(zoo_body *zoo, trial_body *body, uint64_t *random)
{
    const uint64_t choice = zoo->mesh.vertex_count == 0 ? 0 : below(random, 6);
    const uint32_t calls = choice == 0 ? 0 : choice < 4 ? 1 : 2 + (uint32_t)below(random, 2);
    for (uint32_t i = 0; i < calls; i++) add_call(zoo, body, 2 + i, random);
}

static bool groups_share_vertices(const zoo_body *body)
{
    const zoo_mesh *mesh = &body->mesh;
    for (uint32_t a = 0; a < mesh->triangle_count; a++)
        for (uint32_t b = 0; b < a; b++)
            for (int i = 0; i < 9 && mesh->groups[a] != mesh->groups[b]; i++)
                if (mesh->groups[a] != 0 && mesh->groups[b] != 0 &&
                    body->tris[a][i / 3] == body->tris[b][i % 3])
                    return true;
    return false;
}

static void drop_masks(zoo_mesh *mesh)
{
    free(mesh->masks);
    mesh->masks = NULL;
    mesh->mask_count = 0;
}

static void add_body(trial_scene *scene, uint32_t size, trial_groups groups, uint64_t *random)
{
    const uint32_t number = scene->zoo.body_count;
    const uint64_t mesh_seed = below(random, 1000);
    const zoo_kind kind = (zoo_kind)below(random, ZOO_KIND_COUNT);
    zoo_scene_add(&scene->zoo, kind, 1 + (uint32_t)below(random, size), mesh_seed);
    zoo_body *zoo = &scene->zoo.bodies[number];
    trial_body *body = &scene->bodies[number];
    zoo->self = below(random, 3) != 0;
    if (groups == TRIAL_GROUPS_SHARING || below(random, 4) == 0)
        zoo_mesh_group(&zoo->mesh, mesh_seed);
    if (groups == TRIAL_GROUPS_APART && zoo->mesh.masks != NULL && groups_share_vertices(zoo))
        drop_masks(&zoo->mesh);
    body->rest = copy_positions(&zoo->mesh);
    if (below(random, 2) == 0) zoo_mesh_move(&zoo->mesh, 1, 0, zoo->mesh.vertex_count);
    body->goal = copy_positions(&zoo->mesh);
    body->keep_rest = below(random, 2) == 0 || zoo->self; /* else there is nothing to ask */
    body->thickness = below(random, 2) == 0 ? 0 : (float)below(random, 8) / 64.0F;
    add_calls(zoo, body, random);
}

static void limit_contact(zoo_scene *zoo, uint64_t *random)
{
    for (uint32_t i = 0; i < zoo->body_count; i++) {
        zoo->bodies[i].category_bits = UINT64_C(1) << (below(random, 2) * 63);
        zoo->bodies[i].mask_bits = test_random(random);
    }
}

void trial_scene_make(trial_scene *scene, uint32_t size, trial_groups groups, uint64_t seed)
{
    uint64_t random = seed;
    const uint64_t count = 1 + below(&random, 3);
    *scene = (trial_scene){.seed = seed};
    for (uint64_t i = 0; i < count; i++) add_body(scene, size, groups, &random);
    if (below(&random, 3) == 0) limit_contact(&scene->zoo, &random);
    if (below(&random, 2) == 0)
        zoo_scene_pose_some(&scene->zoo, (zoo_pose_kind)below(&random, ZOO_POSE_COUNT), seed, seed);
}

static void free_calls(trial_body *body)
{
    for (uint32_t i = 0; i < body->call_count; i++) free(body->calls[i].to);
    body->call_count = 0;
}

bool trial_is_taken(uint32_t body) { return body % 2 == 0; }

void trial_scene_settle(trial_scene *scene)
{
    for (uint32_t i = 0; i < scene->zoo.body_count; i++) {
        trial_body *body = &scene->bodies[i];
        zoo_mesh *mesh = &scene->zoo.bodies[i].mesh;
        const size_t size = mesh->vertex_count * sizeof *mesh->positions;
        if (trial_is_taken(i))
            memcpy(mesh->positions, body->goal, size);
        else
            memcpy(body->goal, mesh->positions, size);
        free_calls(body);
    }
}

void trial_scene_destroy(trial_scene *scene)
{
    for (uint32_t i = 0; i < scene->zoo.body_count; i++) {
        trial_body *body = &scene->bodies[i];
        free_calls(body);
        free(body->rest);
        free(body->goal);
    }
    zoo_scene_destroy(&scene->zoo);
}

/* ---- questions ---- */

trial_question trial_question_random(const trial_scene *scene, uint64_t seed)
{
    static const double distances[] = {0, 0, 0.125, 0.03}, tolerances[] = {0, 1e-6, 1e-3, 1e-9};
    static const uint32_t iterations[] = {0, 300, 1000, 10000};
    uint64_t random = seed;
    trial_question question = {.zoo = zoo_question_random(&scene->zoo, seed)};
    question.distance = distances[below(&random, 4)];
    question.tolerance = tolerances[below(&random, 4)];
    question.max_iterations = iterations[below(&random, 4)];
    question.skip_close_at_rest = below(&random, 3) == 0;
    question.features = below(&random, 2) == 0;
    return question;
}

/* ---- who is asked about ---- */

/* Positions under the pose, as floats and as the same numbers in double. */
typedef struct placed {
    willow_vec3 *floats;
    double (*numbers)[3];
} placed;

static placed place(const zoo_body *zoo, const float (*positions)[3], const willow_pose *pose)
{
    const uint32_t count = zoo->mesh.vertex_count;
    placed out = {calloc((size_t)count + 1, sizeof *out.floats),
                  calloc((size_t)count + 1, sizeof *out.numbers)};
    assert_true(out.floats != NULL && out.numbers != NULL);
    willow_pose_apply(pose, positions, 0, count, out.floats);
    for (uint32_t i = 0; i < count; i++) {
        out.numbers[i][0] = (double)out.floats[i].x;
        out.numbers[i][1] = (double)out.floats[i].y;
        out.numbers[i][2] = (double)out.floats[i].z;
    }
    return out;
}

static void free_placed(placed *p)
{
    free(p->floats);
    free(p->numbers);
}

/* A body as answers need it. */
typedef struct actor {
    const zoo_body *zoo;
    const trial_body *trial;
    mesh_features features;
    placed start, end;
    const willow_vec3 *rest; /* the rest positions of a body that keeps them, or NULL */
    bool is_asked;
} actor;

typedef struct stage {
    const trial_scene *scene;
    const trial_question *question;
    actor actors[ZOO_MAX_BODIES];
    trial_answers *out;
    uint32_t body_a, body_b;
    double reach;
} stage;

static bool is_asked_about(const zoo_question *question, uint32_t body)
{
    for (uint32_t i = 0; i < question->body_count; i++)
        if (question->bodies[i] == body) return true;
    return !question->is_named;
}

static void open_stage(stage *st, const trial_scene *scene, const trial_question *question,
                       trial_answers *out)
{
    *st = (stage){.scene = scene, .question = question, .out = out};
    *out = (trial_answers){0};
    for (uint32_t i = 0; i < scene->zoo.body_count; i++) {
        actor *a = &st->actors[i];
        a->zoo = &scene->zoo.bodies[i];
        a->trial = &scene->bodies[i];
        a->is_asked = is_asked_about(&question->zoo, i);
        mesh_features_make(&a->features, (const uint32_t(*)[3])a->zoo->tris, a->zoo->mesh.groups,
                           a->zoo->mesh.triangle_count);
        a->start = place(a->zoo, (const float(*)[3])a->zoo->mesh.positions, &a->zoo->pose);
        a->end = place(a->zoo, (const float(*)[3])a->trial->goal, &a->zoo->pose);
        if (a->trial->keep_rest) a->rest = (const willow_vec3 *)a->trial->rest;
    }
}

static void close_stage(stage *st)
{
    for (uint32_t i = 0; i < st->scene->zoo.body_count; i++) {
        mesh_features_free(&st->actors[i].features);
        free_placed(&st->actors[i].start);
        free_placed(&st->actors[i].end);
    }
    feature_hits_sort(&st->out->kept);
    feature_hits_sort(&st->out->all);
}

static bool are_tested(const stage *st, uint32_t a, uint32_t b)
{
    const zoo_body *x = st->actors[a].zoo, *y = st->actors[b].zoo;
    if (!st->actors[a].is_asked || !st->actors[b].is_asked) return false;
    if (a == b) return x->self;
    return (x->category_bits & y->mask_bits) != 0 && (y->category_bits & x->mask_bits) != 0;
}

/* Goes to every pair of bodies that are tested against each other. */
static void visit_bodies(stage *st, void (*meet)(stage *st))
{
    for (uint32_t a = 0; a < st->scene->zoo.body_count; a++)
        for (uint32_t b = a; b < st->scene->zoo.body_count; b++) {
            if (!are_tested(st, a, b)) continue;
            st->body_a = a;
            st->body_b = b;
            st->reach = st->question->distance + (double)st->actors[a].trial->thickness +
                        (double)st->actors[b].trial->thickness;
            meet(st);
        }
}

/* ---- groups ---- */

static bool has_vertex(const uint32_t tri[3], uint32_t vertex)
{
    return tri[0] == vertex || tri[1] == vertex || tri[2] == vertex;
}

static bool has_feature(const zoo_body *zoo, uint32_t tri, const mesh_feature *f)
{
    if (zoo->mesh.groups != NULL && zoo->mesh.groups[tri] == 0) return false;
    if (f->name.kind == WILLOW_FEATURE_FACE) return f->tri == tri;
    return has_vertex(zoo->tris[tri], f->name.number[0]) &&
           has_vertex(zoo->tris[tri], f->name.number[1]);
}

/* Contacts of features are contacts of triangles: of any two that have them and are tested. */
static bool groups_are_tested(const zoo_body *zoo, const mesh_feature *a, const mesh_feature *b)
{
    if (zoo->mesh.masks == NULL) return true;
    for (uint32_t i = 0; i < zoo->mesh.triangle_count; i++)
        for (uint32_t k = 0; k < zoo->mesh.triangle_count && has_feature(zoo, i, a); k++)
            if (has_feature(zoo, k, b) && zoo_mesh_tests(&zoo->mesh, i, k)) return true;
    return false;
}

/* ---- features ---- */

static void tri_of(const mesh_feature *face, const willow_vec3 *at, willow_vec3 out[3])
{
    for (int i = 0; i < 3; i++) out[i] = at[face->vertices[i]];
}

/* The distance of two features and the points on them; of features, or of two faces. */
/* The same contact, seen from the other side. */
static willow_contact turned(const willow_contact *c)
{
    return (willow_contact){.point_a = c->point_b,
                            .point_b = c->point_a,
                            .weights_a = {c->weights_b[0], c->weights_b[1], c->weights_b[2]},
                            .weights_b = {c->weights_a[0], c->weights_a[1], c->weights_a[2]},
                            .normal = {-c->normal.x, -c->normal.y, -c->normal.z},
                            .has_normal = c->has_normal};
}

static double distance_of(const mesh_feature *a, const willow_vec3 *at_a, const mesh_feature *b,
                          const willow_vec3 *at_b, willow_contact *contact)
{
    if (a->name.kind == WILLOW_FEATURE_EDGE) {
        const willow_vec3 x[2] = {at_a[a->vertices[0]], at_a[a->vertices[1]]};
        const willow_vec3 y[2] = {at_b[b->vertices[0]], at_b[b->vertices[1]]};
        return willow_edge_edge_closest(x, y, contact);
    }
    if (a->name.kind == WILLOW_FEATURE_VERTEX) {
        willow_vec3 tri[3];
        tri_of(b, at_b, tri);
        return willow_point_tri_closest(&at_a[a->vertices[0]], tri, contact);
    }
    if (b->name.kind == WILLOW_FEATURE_VERTEX) {
        const double distance = distance_of(b, at_b, a, at_a, contact);
        *contact = turned(contact);
        return distance;
    }
    for (int i = 0; i < 3 && at_a == at_b; i++) /* of one body */
        for (int k = 0; k < 3; k++) {
            if (a->vertices[i] != b->vertices[k]) continue;
            *contact =
                (willow_contact){.point_a = at_a[a->vertices[i]], .point_b = at_a[a->vertices[i]]};
            contact->weights_a[i] = contact->weights_b[k] = 1.0F;
            return 0.0;
        }
    willow_vec3 x[3], y[3];
    tri_of(a, at_a, x);
    tri_of(b, at_b, y);
    return willow_tri_tri_closest(x, y, contact);
}

static bool were_close_at_rest(const stage *st, const mesh_feature *a, const mesh_feature *b)
{
    const willow_vec3 *rest = st->actors[st->body_a].rest;
    willow_contact contact;
    if (!st->question->skip_close_at_rest || st->body_a != st->body_b || rest == NULL) return false;
    return distance_of(a, rest, b, rest, &contact) <= st->reach;
}

static void add_hit(stage *st, feature_hit hit)
{
    trial_answers *out = st->out;
    feature_hits_add(&out->all, hit);
    out->within += hit.body_a == hit.body_b;
    out->undecided += !hit.is_decided;
    out->touching += hit.value == 0;
    if (zoo_filter_keeps(&st->question->zoo, hit.body_a, hit.tri_a, hit.body_b, hit.tri_b))
        feature_hits_add(&out->kept, hit);
}

typedef void pair_visitor(stage *st, const mesh_feature *a, const mesh_feature *b);

/* Of one body they come in the order of the triangles that they belong to. */
static void meet_features(stage *st, const mesh_feature *a, const mesh_feature *b,
                          pair_visitor *visit)
{
    const bool is_self = st->body_a == st->body_b;
    if (is_self && mesh_features_share(a, b)) return;
    if (is_self && !groups_are_tested(st->actors[st->body_a].zoo, a, b)) return;
    if (is_self && a->tri > b->tri)
        visit(st, b, a);
    else
        visit(st, a, b);
}

static void visit_features(stage *st, pair_visitor *visit)
{
    const mesh_features *x = &st->actors[st->body_a].features;
    const mesh_features *y = &st->actors[st->body_b].features;
    const bool is_self = st->body_a == st->body_b;
    for (uint32_t i = 0; i < x->vertex_count; i++)
        for (uint32_t k = 0; k < y->face_count; k++)
            meet_features(st, &x->vertices[i], &y->faces[k], visit);
    for (uint32_t i = 0; i < x->face_count && !is_self; i++)
        for (uint32_t k = 0; k < y->vertex_count; k++)
            meet_features(st, &x->faces[i], &y->vertices[k], visit);
    for (uint32_t i = 0; i < x->edge_count; i++)
        for (uint32_t k = is_self ? i + 1 : 0; k < y->edge_count; k++)
            meet_features(st, &x->edges[i], &y->edges[k], visit);
}

/* ---- impacts ---- */

static void decide_impact(stage *st, const mesh_feature *a, const mesh_feature *b)
{
    const actor *x = &st->actors[st->body_a], *y = &st->actors[st->body_b];
    const trial_question *q = st->question;
    double start[4][3], end[4][3], toi;
    mesh_features_points(a, (const double(*)[3])x->start.numbers, b,
                         (const double(*)[3])y->start.numbers, start);
    mesh_features_points(a, (const double(*)[3])x->end.numbers, b,
                         (const double(*)[3])y->end.numbers, end);
    const willow_toi answer =
        mesh_features_toi(a, (const double(*)[3])start, (const double(*)[3])end, st->reach,
                          q->tolerance == 0 ? 1e-6 : q->tolerance,
                          q->max_iterations == 0 ? 10000 : q->max_iterations, &toi);
    if (answer == WILLOW_TOI_NONE || were_close_at_rest(st, a, b)) return;
    feature_hit hit = feature_hit_of(st->body_a, a, st->body_b, b);
    hit.value = toi;
    hit.is_decided = answer == WILLOW_TOI_IMPACT;
    hit.has_contact = true;
    assert_true(a->name.kind == WILLOW_FEATURE_EDGE
                    ? willow_edge_edge_contact(start, end, st->reach, toi, &hit.contact)
                    : willow_vertex_face_contact(start, end, st->reach, toi, &hit.contact));
    if (a->name.kind == WILLOW_FEATURE_FACE) hit.contact = turned(&hit.contact);
    add_hit(st, hit);
}

static void find_impacts(stage *st) { visit_features(st, decide_impact); }

/* Where nobody tries a step nothing is asked. */
static bool does_any_move(const stage *st)
{
    for (uint32_t i = 0; i < st->scene->zoo.body_count; i++)
        if (st->actors[i].is_asked && st->actors[i].trial->call_count > 0) return true;
    return false;
}

void trial_find_impacts(const trial_scene *scene, const trial_question *question,
                        trial_answers *out)
{
    stage st;
    open_stage(&st, scene, question, out);
    if (does_any_move(&st)) visit_bodies(&st, find_impacts);
    close_stage(&st);
}

/* ---- near ---- */

static void decide_near(stage *st, const mesh_feature *a, const mesh_feature *b)
{
    const actor *x = &st->actors[st->body_a], *y = &st->actors[st->body_b];
    willow_contact contact;
    const double distance = distance_of(a, x->start.floats, b, y->start.floats, &contact);
    if (!(distance <= st->reach) || were_close_at_rest(st, a, b)) return;
    feature_hit hit = feature_hit_of(st->body_a, a, st->body_b, b);
    hit.value = distance;
    hit.contact = contact;
    add_hit(st, hit);
}

static void decide_faces(stage *st, const mesh_feature *a, const mesh_feature *b)
{
    const bool is_self = st->body_a == st->body_b;
    const zoo_body *zoo = st->actors[st->body_a].zoo;
    if (is_self && !zoo_mesh_tests(&zoo->mesh, a->tri, b->tri)) return;
    if (is_self && st->question->zoo.skip_neighbours && mesh_features_share(a, b)) return;
    decide_near(st, a, b);
}

static void find_near(stage *st)
{
    const mesh_features *x = &st->actors[st->body_a].features;
    const mesh_features *y = &st->actors[st->body_b].features;
    if (st->question->features) {
        visit_features(st, decide_near);
        return;
    }
    for (uint32_t i = 0; i < x->face_count; i++)
        for (uint32_t k = st->body_a == st->body_b ? i + 1 : 0; k < y->face_count; k++)
            decide_faces(st, &x->faces[i], &y->faces[k]);
}

void trial_find_near(const trial_scene *scene, const trial_question *question, trial_answers *out)
{
    stage st;
    open_stage(&st, scene, question, out);
    visit_bodies(&st, find_near);
    close_stage(&st);
}

void trial_answers_free(trial_answers *answers)
{
    feature_hits_free(&answers->kept);
    feature_hits_free(&answers->all);
}
