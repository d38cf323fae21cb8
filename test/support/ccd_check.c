/* ccd_check.c - decides all candidates of a step and keeps count. See ccd_check.h. */
#include "support/ccd_check.h"

#include <stdlib.h>
#include "scenes/swept_boxes.h"
#include "support/feature_hits.h"
#include "support/fixture.h"
#include "support/mesh_features.h"
#include "support/plain_distance.h"
#include "support/test.h"
#include "willow/willow.h"

#define TOLERANCE 1e-6
enum { ITERATIONS = 10000 };

const ccd_case ccd_cloth_funnel = {"ccd-scenes/cloth-funnel", 227, {7319, 33770}, {27, 107}};
const ccd_case ccd_armadillo_rollers = {
    "ccd-scenes/armadillo-rollers", 326, {2031902, 5068080}, {4650, 19308}};

static const char *const kind_names[CCD_KINDS] = {"vertex-face", "edge-edge"};

static void open_case(ccd_scene *s, const ccd_case *c)
{
    ccd_scene_open(s, c->folder, c->frame);
    for (int kind = 0; kind < CCD_KINDS; kind++)
        assert_int_equal(s->given[kind].colliding_count, c->colliding[kind]);
}

static willow_toi decide(ccd_kind kind, const double start[4][3], const double end[4][3],
                         double *toi)
{
    return kind == CCD_VERTEX_FACE
               ? willow_vertex_face_toi(start, end, 0, TOLERANCE, ITERATIONS, toi)
               : willow_edge_edge_toi(start, end, 0, TOLERANCE, ITERATIONS, toi);
}

/* ---- primitives ---- */

typedef struct verdict {
    const ccd_scene *scene;
    ccd_kind kind;
    size_t candidates, answers[3]; /* by willow_toi */
    size_t extra;                  /* found, but no true collision */
    size_t missed;
    double farthest_true, farthest_extra; /* apart at the time found */
} verdict;

static double largest_size(const double start[4][3], const double end[4][3])
{
    double largest = 0;
    for (int axis = 0; axis < 3; axis++) {
        double lower = start[0][axis], upper = lower;
        for (int i = 0; i < 8; i++) {
            const double at = i < 4 ? start[i][axis] : end[i - 4][axis];
            lower = at < lower ? at : lower;
            upper = at > upper ? at : upper;
        }
        largest = upper - lower > largest ? upper - lower : largest;
    }
    return largest;
}

/* Nothing that stays apart by a ten-thousandth of its own size and way is taken for an impact: a
 * hundred times what the tolerance allows for a contact at full speed. */
static void measure(verdict *v, const double start[4][3], const double end[4][3], double toi,
                    bool is_true)
{
    double at[4][3], *farthest = is_true ? &v->farthest_true : &v->farthest_extra;
    plain_points_at(start, end, toi, at);
    const double apart = v->kind == CCD_VERTEX_FACE
                             ? plain_vertex_face_distance((const double(*)[3])at)
                             : plain_edge_edge_distance((const double(*)[3])at);
    if (apart > *farthest) *farthest = apart;
    assert_true(apart <= 1e-4 * largest_size(start, end));
}

static void judge(void *context, uint32_t a, uint32_t b)
{
    verdict *v = context;
    const ccd_pair *given = ccd_find(&v->scene->given[v->kind], a, b);
    const bool is_true = given != NULL && given->collide;
    double points[2][4][3], toi;
    for (int i = 0; i < 2; i++)
        ccd_points(v->scene, (const double(*)[3])v->scene->frames[i], v->kind, a, b, points[i]);
    const double(*start)[3] = (const double(*)[3])points[0],
          (*end)[3] = (const double(*)[3])points[1];
    const willow_toi answer = decide(v->kind, start, end, &toi);
    assert_true(toi >= 0 && toi <= 1 && (answer != WILLOW_TOI_NONE || toi == 1));
    v->candidates++;
    v->answers[answer]++;
    v->missed += is_true && answer == WILLOW_TOI_NONE;
    v->extra += !is_true && answer != WILLOW_TOI_NONE;
    if (answer == WILLOW_TOI_IMPACT) measure(v, start, end, toi, is_true);
}

void ccd_check_primitives(const ccd_case *c)
{
    ccd_scene s;
    open_case(&s, c);
    for (ccd_kind kind = 0; kind < CCD_KINDS; kind++) {
        verdict v = {.scene = &s, .kind = kind};
        ccd_visit_candidates(&s, (const double(*)[3])s.frames[0], (const double(*)[3])s.frames[1],
                             kind, judge, &v);
        const size_t found = v.answers[WILLOW_TOI_IMPACT] + v.answers[WILLOW_TOI_UNDECIDED];
        print_message(
            "%s, %s: %zu candidates, %zu apart, %zu impacts, %zu undecided; %zu true, "
            "%zu missed, %zu extra; apart when found: true up to %.3g, extra up to %.3g\n",
            c->folder, kind_names[kind], v.candidates, v.answers[WILLOW_TOI_NONE],
            v.answers[WILLOW_TOI_IMPACT], v.answers[WILLOW_TOI_UNDECIDED], c->colliding[kind],
            v.missed, v.extra, v.farthest_true, v.farthest_extra);
        assert_int_equal(v.candidates, c->candidates[kind]);
        assert_int_equal(v.missed, 0);
        assert_int_equal(found, c->colliding[kind] + v.extra);
    }
    ccd_scene_close(&s);
}

/* ---- worlds ---- */

/* A step in float32, and what it comes to. */
typedef struct rounded_step {
    ccd_scene *scene;
    float (*floats[2])[3];
    double (*positions[2])[3]; /* the same numbers */
    mesh_features features;
    feature_hits expected;
    size_t lost[CCD_KINDS], added[CCD_KINDS], kept[CCD_KINDS]; /* against the true collisions */
} rounded_step;

static void round_frames(rounded_step *step)
{
    const uint32_t count = step->scene->vertex_count;
    for (int frame = 0; frame < 2; frame++) {
        step->floats[frame] = calloc(count, sizeof *step->floats[frame]);
        step->positions[frame] = calloc(count, sizeof *step->positions[frame]);
        assert_true(step->floats[frame] != NULL && step->positions[frame] != NULL);
        for (uint32_t i = 0; i < 3 * count; i++) {
            const float x = (float)step->scene->frames[frame][i / 3][i % 3];
            step->floats[frame][i / 3][i % 3] = x;
            step->positions[frame][i / 3][i % 3] = (double)x;
        }
    }
}

static void decide_features(rounded_step *step, const mesh_feature *a, const mesh_feature *b)
{
    double points[2][4][3], toi;
    if (mesh_features_share(a, b)) return;
    for (int i = 0; i < 2; i++) {
        const double(*at)[3] = (const double(*)[3])step->positions[i];
        mesh_features_points(a, at, b, at, points[i]);
    }
    const willow_toi answer =
        mesh_features_toi(a, (const double(*)[3])points[0], (const double(*)[3])points[1], 0,
                          TOLERANCE, ITERATIONS, &toi);
    if (answer == WILLOW_TOI_NONE) return;
    feature_hit hit = feature_hit_of(0, a, 0, b);
    hit.value = toi;
    hit.is_decided = answer == WILLOW_TOI_IMPACT;
    feature_hits_add(&step->expected, hit);
}

static void meet_vertex_and_face(void *context, uint32_t vertex, uint32_t face)
{
    rounded_step *step = context;
    decide_features(step, &step->features.vertices[vertex], &step->features.faces[face]);
}

static void meet_edges(void *context, uint32_t a, uint32_t b)
{
    rounded_step *step = context;
    decide_features(step, &step->features.edges[a], &step->features.edges[b]);
}

static swept_box *boxes_of(const rounded_step *step, const mesh_feature *items, uint32_t count)
{
    swept_box *boxes = calloc((size_t)count + 1, sizeof *boxes);
    assert_non_null(boxes);
    for (uint32_t i = 0; i < count; i++)
        boxes[i] = swept_box_of((const double(*)[3])step->positions[0],
                                (const double(*)[3])step->positions[1], items[i].vertices,
                                mesh_feature_size(&items[i]));
    return boxes;
}

static void find_expected(rounded_step *step)
{
    const mesh_features *f = &step->features;
    swept_box *vertices = boxes_of(step, f->vertices, f->vertex_count);
    swept_box *edges = boxes_of(step, f->edges, f->edge_count);
    swept_box *faces = boxes_of(step, f->faces, f->face_count);
    assert_true(swept_visit_between(vertices, f->vertex_count, faces, f->face_count,
                                    meet_vertex_and_face, step));
    assert_true(swept_visit_within(edges, f->edge_count, meet_edges, step));
    feature_hits_sort(&step->expected);
    free(vertices);
    free(edges);
    free(faces);
}

static rounded_step make_step(ccd_scene *s)
{
    rounded_step step = {.scene = s};
    round_frames(&step);
    mesh_features_make(&step.features, (const uint32_t(*)[3])s->faces, NULL, s->face_count);
    find_expected(&step);
    return step;
}

static void free_step(rounded_step *step)
{
    for (int i = 0; i < 2; i++) {
        free(step->floats[i]);
        free(step->positions[i]);
    }
    mesh_features_free(&step->features);
    feature_hits_free(&step->expected);
}

/* ---- against the true collisions ---- */

static int compare_edges(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    if (x[1] != y[1]) return (x[1] > y[1]) - (x[1] < y[1]);
    return (x[0] > y[0]) - (x[0] < y[0]);
}

static uint32_t edge_number(const ccd_scene *s, const willow_feature *edge)
{
    const uint32_t(*found)[2] =
        bsearch(edge->number, s->edges, s->edge_count, sizeof *s->edges, compare_edges);
    assert_non_null(found);
    return (uint32_t)(found - (const uint32_t(*)[2])s->edges);
}

static const ccd_pair *given_pair(const ccd_scene *s, const feature_hit *hit)
{
    if (hit->a.kind == WILLOW_FEATURE_EDGE) {
        const uint32_t a = edge_number(s, &hit->a), b = edge_number(s, &hit->b);
        return ccd_find(&s->given[CCD_EDGE_EDGE], a < b ? a : b, a < b ? b : a);
    }
    const bool is_first = hit->a.kind == WILLOW_FEATURE_VERTEX;
    return ccd_find(&s->given[CCD_VERTEX_FACE], (is_first ? hit->a : hit->b).number[0],
                    (is_first ? hit->b : hit->a).number[0]);
}

static void compare_with_truth(rounded_step *step)
{
    for (size_t i = 0; i < step->expected.count; i++) {
        const feature_hit *hit = &step->expected.items[i];
        const ccd_kind kind = hit->a.kind == WILLOW_FEATURE_EDGE ? CCD_EDGE_EDGE : CCD_VERTEX_FACE;
        const ccd_pair *given = given_pair(step->scene, hit);
        if (given != NULL && given->collide)
            step->kept[kind]++;
        else
            step->added[kind]++;
    }
    for (int kind = 0; kind < CCD_KINDS; kind++)
        step->lost[kind] = step->scene->given[kind].colliding_count - step->kept[kind];
}

/* ---- asking ---- */

static void ask_world(const rounded_step *step, willow_method method, uint32_t threads)
{
    willow_impacts impacts;
    willow_first_impact first;
    willow_world_def def = willow_world_def_default();
    willow_body_def body_def = willow_body_def_default();
    willow_query_options options = willow_query_options_default();
    def.thread_count = threads;
    body_def.self = true;
    body_def.tree.method = method;
    body_def.mesh = FIXTURE_MESH(step->floats[0], step->scene->vertex_count, step->scene->faces,
                                 step->scene->face_count);
    options.use_threads = threads > 1;
    willow_world *world = fixture_world(&def);
    willow_scratch *scratch = fixture_scratch(world);
    willow_body_id body = fixture_body(world, &body_def);
    assert_ok(
        willow_body_set_target(world, body, 0, step->scene->vertex_count, step->floats[1], 0));
    assert_ok(willow_world_update(world, 0, NULL));
    assert_ok(willow_find_impacts(world, scratch, &options, &impacts));
    const char *words = feature_hits_differ(&step->expected, 0, &impacts);
    if (words != NULL)
        fail_msg("%s, %u threads: %s; %zu are expected, and %zu found", willow_method_name(method),
                 threads, words, step->expected.count, impacts.count);
    assert_ok(willow_time_of_impact(world, scratch, &options, &first));
    words = feature_hits_differ_first(&step->expected, &first);
    if (words != NULL) fail_msg("%s, %u threads: %s", willow_method_name(method), threads, words);
    fixture_close(world, scratch);
}

void ccd_check_world(const ccd_case *c)
{
    ccd_scene s;
    open_case(&s, c);
    rounded_step step = make_step(&s);
    compare_with_truth(&step);
    for (int kind = 0; kind < CCD_KINDS; kind++)
        print_message("%s, %s, in float32: %zu true collisions found, %zu lost by rounding, %zu "
                      "others found\n",
                      c->folder, kind_names[kind], step.kept[kind], step.lost[kind],
                      step.added[kind]);
    assert_true(step.expected.count > 0);
    ask_world(&step, WILLOW_METHOD_AUTO, 1);
    ask_world(&step, WILLOW_METHOD_BOTTOM_UP, 2);
    free_step(&step);
    ccd_scene_close(&s);
}
