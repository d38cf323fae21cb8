/* decide.c - Willow's exact decisions against the yardstick's triangle test.
 *
 * Both decide the same candidates: the triangle pairs whose boxes overlap in peer:plain's trees,
 * frame after frame, in the order of its traversal. They take turns block by block, each first as
 * often as second. A block is given to each once per pass and a pass goes through all frames, so
 * that no branch predictor has learnt the answers. Decisions that differ are listed, with the
 * answer of willow_tri_tri_meet, which is exact for every finite input (C1). */
#include "bench/common/clock.h"
#include "bench/common/complain.h"
#include "bench/common/json_line.h"
#include "bench/common/open_scene.h"
#include "bench/peers/plain.h"
#include "bench/probes/probe.h"
#include "bench/run/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCK = 512, LISTED = 20, PASSES = 4 };

typedef struct decide {
    scene *scene;
    float *positions[2];
    plain_mesh mesh[2];
    willow_tri_source source[2];
    plain_tree *tree[2];
    double plain_ms, willow_ms;
    uint32_t turn; /* blocks in this pass, and the pass: who goes first */
    uint64_t candidates, meeting, timed, differing, inexact;
} decide;

_Static_assert(sizeof(plain_pair) == sizeof(willow_tri_pair), "both are two triangle numbers");

static bool create_side(decide *d, int i)
{
    const scene_body *body = &d->scene->bodies[i];
    d->positions[i] = malloc((3 * (size_t)body->vertex_count + 1) * sizeof(float));
    d->tree[i] = plain_tree_create(body->triangle_count);
    if (d->positions[i] == NULL || d->tree[i] == NULL) return false;
    d->mesh[i] = (plain_mesh){.positions = d->positions[i],
                              .stride = 3,
                              .indices = body->indices,
                              .triangle_count = body->triangle_count};
    d->source[i] =
        (willow_tri_source){.positions = d->positions[i], .stride = 12, .indices = body->indices};
    scene_positions(d->scene, 0, (uint32_t)i, d->positions[i]);
    plain_tree_build(d->tree[i], &d->mesh[i]);
    return true;
}

static void decide_destroy(decide *d)
{
    for (int i = 0; i < 2; i++) {
        free(d->positions[i]);
        plain_tree_destroy(d->tree[i]);
    }
    scene_destroy(d->scene);
}

static double time_plain(const decide *d, const plain_pair *pairs, size_t count, uint8_t *out)
{
    double start = now_ms();
    plain_test_pairs(&d->mesh[0], &d->mesh[1], pairs, count, out);
    return now_ms() - start;
}

static double time_willow(const decide *d, const willow_tri_pair *pairs, size_t count, uint8_t *out)
{
    double start = now_ms();
    willow_tri_tri_meet_many(&d->source[0], &d->source[1], pairs, count, out);
    return now_ms() - start;
}

static void load_triangle(const plain_mesh *mesh, uint32_t tri, willow_vec3 out[3])
{
    for (size_t k = 0; k < 3; k++) {
        const float *p = mesh->positions + 3 * (size_t)mesh->indices[3 * (size_t)tri + k];
        out[k] = (willow_vec3){p[0], p[1], p[2]};
    }
}

static void list_triangle(const willow_vec3 t[3])
{
    for (int k = 0; k < 3; k++) {
        fprintf(stderr, "  %a %a %a\n", (double)t[k].x, (double)t[k].y, (double)t[k].z);
    }
}

static void decide_note_difference(decide *d, uint32_t frame, plain_pair pair, bool plain,
                                   bool many)
{
    willow_vec3 a[3], b[3];
    load_triangle(&d->mesh[0], pair.tri_a, a);
    load_triangle(&d->mesh[1], pair.tri_b, b);
    bool exact = willow_tri_tri_meet(a, b);
    d->inexact += many != exact;
    if (d->differing++ >= LISTED) return;
    fprintf(stderr,
            "frame %" PRIu32 ", triangles %" PRIu32 " and %" PRIu32
            ": exact %s, willow %s, plain %s\n",
            frame, pair.tri_a, pair.tri_b, exact ? "meet" : "apart", many ? "meet" : "apart",
            plain ? "meet" : "apart");
    list_triangle(a);
    list_triangle(b);
}

static void count_answers(decide *d, uint32_t frame, const plain_pair *pairs, size_t count,
                          const uint8_t *plain, const uint8_t *many)
{
    d->candidates += count;
    for (size_t i = 0; i < count; i++) {
        d->meeting += many[i];
        if (plain[i] != many[i]) decide_note_difference(d, frame, pairs[i], plain[i], many[i]);
    }
}

static void decide_block(decide *d, uint32_t frame, uint32_t pass, const plain_pair *pairs,
                         size_t count)
{
    willow_tri_pair same[BLOCK];
    uint8_t plain[BLOCK], many[BLOCK];
    for (size_t i = 0; i < count; i++) {
        same[i] = (willow_tri_pair){pairs[i].tri_a, pairs[i].tri_b};
    }
    bool plain_is_first = d->turn++ % 2 == 0;
    if (plain_is_first) d->plain_ms += time_plain(d, pairs, count, plain);
    d->willow_ms += time_willow(d, same, count, many);
    if (!plain_is_first) d->plain_ms += time_plain(d, pairs, count, plain);
    d->timed += count;
    if (pass == 0) count_answers(d, frame, pairs, count, plain, many);
}

static bool decide_frame(decide *d, uint32_t frame, uint32_t pass)
{
    for (int i = 0; i < 2; i++) {
        scene_positions(d->scene, frame, (uint32_t)i, d->positions[i]);
        plain_tree_refit(d->tree[i], &d->mesh[i]);
    }
    plain_pairs list = {0};
    bool fine = plain_collect_pairs(d->tree[0], d->tree[1], &list);
    for (size_t i = 0; fine && i < list.count; i += BLOCK) {
        size_t count = list.count - i < BLOCK ? list.count - i : BLOCK;
        decide_block(d, frame, pass, list.items + i, count);
    }
    free(list.items);
    return fine;
}

static int decide_print(const decide *d, const bench_options *options)
{
    double timed = d->timed > 0 ? (double)d->timed : 1;
    double plain_ns = d->plain_ms * 1e6 / timed, willow_ns = d->willow_ms * 1e6 / timed;
    double ratio = willow_ns > 0 ? plain_ns / willow_ns : 0;
    if (options->format == FORMAT_TABLE) {
        printf("%" PRIu64 " candidates, %" PRIu64 " meet: willow %.1f ns each, peer:plain %.1f ns, "
               "%.2f times faster, %" PRIu64 " decisions differ\n",
               d->candidates, d->meeting, willow_ns, plain_ns, ratio, d->differing);
        return EXIT_FINE;
    }
    json_line line = probe_line_begin("decide", options);
    json_line_count(&line, "candidates", d->candidates);
    json_line_count(&line, "meeting", d->meeting);
    json_line_real(&line, "willow_ns", willow_ns);
    json_line_real(&line, "plain_ns", plain_ns);
    json_line_real(&line, "ratio", ratio);
    json_line_count(&line, "differing", d->differing);
    json_line_count(&line, "inexact", d->inexact);
    return json_line_print(&line, "bench");
}

/* Contact begins near 3/10 of the way. */
static int decide_run(decide *d, const bench_options *options)
{
    uint32_t end = d->scene->frame_count;
    bool fine = create_side(d, 0) && create_side(d, 1);
    for (uint32_t pass = 0; pass < PASSES * options->repeat; pass++) {
        d->turn = pass;
        for (uint32_t frame = end * 3 / 10; fine && frame < end; frame++) {
            fine = decide_frame(d, frame, pass);
        }
    }
    if (!fine) return complain("bench", "out of memory");
    int code = decide_print(d, options);
    if (d->inexact == 0) return code;
    complain("bench", "willow_tri_tri_meet_many and willow_tri_tri_meet differ");
    return EXIT_FOUND;
}

int probe_decide(const probe_options *probe)
{
    const bench_options *options = &probe->bench;
    const char *spec = probe_spec(options, "bumpy:triangles=20480");
    decide d = {.scene = scene_open("bench", spec)};
    if (d.scene == NULL) return EXIT_ERROR;
    int code = d.scene->body_count >= 2
                   ? decide_run(&d, options)
                   : complain_usage("bench", "--scene %s: two bodies are needed", spec);
    decide_destroy(&d);
    return code;
}
