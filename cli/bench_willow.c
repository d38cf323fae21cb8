/* bench_willow.c - a Willow method as a contender: one world, one body per body of the scene. */
#include "cli/bench.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct willow_state {
    const bench_stage *stage;
    bench_question question;
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id *bodies;
    willow_query_options query;
    willow_pairs pairs; /* the last result */
    willow_first_pair first;
    uint64_t nodes_updated;
} willow_state;

static bool fail(contender *c, const char *doing, willow_result result, const char *words)
{
    snprintf(c->message, sizeof c->message, "%s: %s%s%s", doing, willow_result_name(result),
             words[0] != '\0' ? ": " : "", words);
    return false;
}

static bool fail_in_world(contender *c, const char *doing, willow_result result)
{
    willow_state *state = c->state;
    return fail(c, doing, result, state->world != NULL ? willow_world_message(state->world) : "");
}

static bool create_world(contender *c, const bench_options *options)
{
    willow_state *state = c->state;
    willow_world_def def = willow_world_def_default();
    def.thread_count = options->threads;
    def.kernel = options->kernel;
    willow_result result = willow_world_create(&def, &state->world);
    if (result != WILLOW_OK) return fail_in_world(c, "creating a world", result);
    c->kernel = willow_kernel_name(willow_world_kernel(state->world));
    return true;
}

static bool create_body(contender *c, const bench_options *options, uint32_t i)
{
    willow_state *state = c->state;
    const scene_body *body = &state->stage->scene->bodies[i];
    willow_body_def def = willow_body_def_default();
    def.mesh.positions = state->stage->now[i];
    def.mesh.vertex_count = body->vertex_count;
    def.mesh.indices = body->indices;
    def.mesh.triangle_count = body->triangle_count;
    def.tree = options->tree;
    def.tree.method = c->method;
    def.self = state->stage->self[i];
    willow_result result = willow_body_create(state->world, &def, &state->bodies[i]);
    return result == WILLOW_OK || fail_in_world(c, "creating a body", result);
}

static bool create_bodies(contender *c, const bench_options *options)
{
    willow_state *state = c->state;
    uint32_t count = state->stage->scene->body_count;
    state->bodies = calloc((size_t)count + 1, sizeof *state->bodies);
    if (state->bodies == NULL) return fail(c, "creating bodies", WILLOW_OUT_OF_MEMORY, "");
    for (uint32_t i = 0; i < count; i++) {
        if (!create_body(c, options, i)) return false;
    }
    willow_result result = willow_world_update(state->world, 0, NULL);
    return result == WILLOW_OK || fail_in_world(c, "the first update", result);
}

static bool create(contender *c, const bench_stage *stage, const bench_options *options)
{
    willow_state *state = calloc(1, sizeof *state);
    c->state = state;
    if (state == NULL) return fail(c, "starting", WILLOW_OUT_OF_MEMORY, "");
    state->stage = stage;
    state->question = options->question;
    state->query = willow_query_options_default();
    state->query.skip_neighbours = options->skip_neighbours;
    state->query.use_threads = options->threads > 1;
    if (!create_world(c, options) || !create_bodies(c, options)) return false;
    willow_result result = willow_scratch_create(state->world, &state->scratch);
    return result == WILLOW_OK || fail_in_world(c, "creating a scratch", result);
}

static void destroy(contender *c)
{
    willow_state *state = c->state;
    if (state == NULL) return;
    willow_scratch_destroy(state->scratch);
    willow_world_destroy(state->world);
    free(state->bodies);
    free(state);
    c->state = NULL;
}

static bool update(contender *c, double time)
{
    willow_state *state = c->state;
    const scene *s = state->stage->scene;
    for (uint32_t i = 0; i < s->body_count; i++) {
        willow_result result =
            willow_body_set_vertices(state->world, state->bodies[i], 0, s->bodies[i].vertex_count,
                                     state->stage->now[i], 3 * sizeof(float));
        if (result != WILLOW_OK) return fail_in_world(c, "setting vertices", result);
    }
    willow_update_report report;
    willow_result result = willow_world_update(state->world, time, &report);
    if (result != WILLOW_OK) return fail_in_world(c, "updating", result);
    state->nodes_updated += report.nodes_updated;
    return true;
}

static willow_result ask(willow_state *state)
{
    switch (state->question) {
    case QUESTION_PAIRS:
        return willow_find_pairs(state->world, state->scratch, &state->query, &state->pairs);
    case QUESTION_SELF:
        return willow_find_self_pairs(state->world, state->scratch, &state->query, &state->pairs);
    case QUESTION_FIRST:
        return willow_find_first_pair(state->world, state->scratch, &state->query, &state->first);
    case QUESTION_NONE: break;
    }
    return WILLOW_OK;
}

static bool query(contender *c)
{
    willow_state *state = c->state;
    willow_result result = ask(state);
    return result == WILLOW_OK || fail(c, "asking", result, willow_scratch_message(state->scratch));
}

/* Bodies are created in the order of the scene, so ids and numbers are in the same order. */
static uint32_t body_number(const willow_state *state, willow_body_id id)
{
    uint32_t i = 0;
    while (i < state->stage->scene->body_count && state->bodies[i].index1 != id.index1) i++;
    return i;
}

static bool copy_run(const willow_state *state, const willow_pair_run *run, pair_list *out)
{
    uint32_t a = body_number(state, run->body_a), b = body_number(state, run->body_b);
    for (size_t i = run->first; i < run->first + run->count; i++) {
        willow_tri_pair item = state->pairs.items[i];
        peer_pair pair = {a, b, item.tri_a, item.tri_b};
        if (!pair_list_append(out, &pair, 1)) return false;
    }
    return true;
}

static bool copy_first(const willow_state *state, pair_list *out)
{
    const willow_first_pair *first = &state->first;
    if (!first->found) return true;
    peer_pair pair = {body_number(state, first->a.body), body_number(state, first->b.body),
                      first->a.tri, first->b.tri};
    return pair_list_append(out, &pair, 1);
}

static bool copy_pairs(contender *c, pair_list *out)
{
    willow_state *state = c->state;
    if (state->question == QUESTION_FIRST) return copy_first(state, out);
    for (size_t i = 0; i < state->pairs.run_count; i++) {
        if (!copy_run(state, &state->pairs.runs[i], out)) return false;
    }
    return true;
}

static void count(contender *c, bench_counts *out)
{
    willow_state *state = c->state;
    willow_query_stats stats = willow_scratch_stats(state->scratch);
    *out = (bench_counts){.nodes_updated = state->nodes_updated,
                          .volume_tests = stats.volume_tests,
                          .triangle_tests = stats.triangle_tests,
                          .exact_tests = stats.exact_tests,
                          .bytes = willow_world_bytes(state->world)};
    for (uint32_t i = 0; i < state->stage->scene->body_count; i++) {
        willow_body_stats body;
        if (willow_body_get_stats(state->world, state->bodies[i], &body) == WILLOW_OK) {
            out->bytes_mesh += body.bytes_mesh;
            out->bytes_hierarchy += body.bytes_hierarchy;
        }
    }
    willow_scratch_destroy(state->scratch);
    state->scratch = NULL;
    uint64_t triangles = scene_triangle_total(state->stage->scene);
    if (triangles > 0) {
        out->bytes_per_triangle =
            (double)(willow_world_bytes(state->world) - out->bytes_mesh) / (double)triangles;
    }
}

const contender_ops willow_contender_ops = {create, destroy, update, query, copy_pairs, count};
