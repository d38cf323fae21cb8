/* fold_world.c - hands folding meshes to worlds. */
#include "support/fold_world.h"

#include <stdlib.h>
#include "support/fixture.h"
#include "support/test.h"

static void expect_ok(const fold_world *w, willow_result result)
{
    if (result == WILLOW_OK) return;
    fail_msg("%s: %s / %s", willow_result_name(result),
             w->world ? willow_world_message(w->world) : "",
             w->scratch ? willow_scratch_message(w->scratch) : "");
}

static uint16_t *narrow_indices(const fold_mesh *mesh)
{
    uint16_t *narrow = calloc(3 * (size_t)mesh->triangle_count + 1, sizeof *narrow);
    for (uint32_t i = 0; i < 3 * mesh->triangle_count; i++)
        narrow[i] = (uint16_t)mesh->tris[i / 3][i % 3];
    return narrow;
}

static void create_body(fold_world *w, const fold_case *c)
{
    const fold_mesh *mesh = &c->mesh;
    uint16_t *narrow = w->setup.is_narrow ? narrow_indices(mesh) : NULL;
    willow_body_def def = willow_body_def_default();
    def.mesh = (willow_mesh_def){.positions = w->own,
                                 .vertex_count = mesh->vertex_count,
                                 .indices = narrow ? (void *)narrow : mesh->tris,
                                 .index_type = narrow ? WILLOW_INDEX_U16 : WILLOW_INDEX_U32,
                                 .triangle_count = mesh->triangle_count,
                                 .triangle_groups = mesh->groups,
                                 .borrow = w->setup.borrows,
                                 .weld_exact = mesh->weld};
    def.pose = w->pose = c->pose;
    def.tree = w->setup.tree;
    def.self = true;
    expect_ok(w, willow_body_create(w->world, &def, &w->body));
    free(narrow);
}

void fold_world_create(fold_world *w, const fold_case *c, const fold_setup *setup)
{
    *w = (fold_world){.setup = *setup};
    willow_world_def def = willow_world_def_default();
    def.kernel = setup->kernel;
    def.thread_count = setup->thread_count;
    expect_ok(w, willow_world_create(&def, &w->world));
    w->own = calloc(c->mesh.vertex_count, sizeof *w->own);
    memcpy(w->own, c->born, c->mesh.vertex_count * sizeof *w->own);
    create_body(w, c);
    expect_ok(w, willow_scratch_create(w->world, &w->scratch));
    expect_ok(w, willow_world_update(w->world, 0, NULL));
}

void fold_world_destroy(fold_world *w)
{
    fixture_close(w->world, w->scratch);
    free(w->own);
    *w = (fold_world){0};
}

static void set_vertices(fold_world *w, const fold_case *c, uint32_t first, uint32_t count)
{
    expect_ok(w, willow_body_set_vertices(w->world, w->body, first, count, c->now[first], 0));
}

static bool is_moved(const fold_world *w, const fold_case *c, uint32_t vertex)
{
    return memcmp(w->own[vertex], c->now[vertex], sizeof *w->own) != 0;
}

/* Run by run. */
static void set_moved_vertices(fold_world *w, const fold_case *c)
{
    for (uint32_t i = 0, first = 0; i < c->mesh.vertex_count; i++) {
        if (!is_moved(w, c, i)) {
            first = i + 1;
            continue;
        }
        if (i + 1 == c->mesh.vertex_count || !is_moved(w, c, i + 1))
            set_vertices(w, c, first, i + 1 - first);
    }
}

void fold_world_follow(fold_world *w, const fold_case *c)
{
    if (w->setup.borrows)
        expect_ok(w, willow_body_begin_vertices(w->world, w->body));
    else if (w->setup.is_sparing)
        set_moved_vertices(w, c);
    else
        set_vertices(w, c, 0, c->mesh.vertex_count);
    memcpy(w->own, c->now, c->mesh.vertex_count * sizeof *w->own);
    if (memcmp(&w->pose, &c->pose, sizeof w->pose) != 0)
        expect_ok(w, willow_body_set_pose(w->world, w->body, &c->pose));
    w->pose = c->pose;
    expect_ok(w, willow_world_update(w->world, 0, NULL));
}

/* As a list of one pair or none. */
static void ask_first(fold_world *w, const willow_query_options *options, willow_pairs *out)
{
    willow_first_pair first;
    expect_ok(w, willow_find_first_pair(w->world, w->scratch, options, &first));
    w->first = (willow_tri_pair){first.a.tri, first.b.tri};
    *out = (willow_pairs){.items = &w->first, .count = first.found ? 1 : 0, .complete = true};
}

void fold_world_ask(fold_world *w, const fold_case *c, fold_ask ask, willow_pairs *out)
{
    willow_query_options options = willow_query_options_default();
    options.skip_neighbours = c->skip_neighbours;
    options.use_threads = w->setup.thread_count > 1;
    options.descend = w->setup.descend;
    switch (ask) {
    case FOLD_ASK_PAIRS:
        expect_ok(w, willow_find_pairs(w->world, w->scratch, &options, out));
        break;
    case FOLD_ASK_FIRST: ask_first(w, &options, out); break;
    default: expect_ok(w, willow_find_self_pairs(w->world, w->scratch, &options, out)); break;
    }
}

static bool has_pair(const willow_pairs *pairs, willow_tri_pair pair)
{
    for (size_t i = 0; i < pairs->count; i++)
        if (pairs->items[i].tri_a == pair.tri_a && pairs->items[i].tri_b == pair.tri_b) return true;
    return false;
}

bool fold_answers_agree(const willow_pairs *expected, const willow_pairs *got, fold_ask ask)
{
    if (ask == FOLD_ASK_FIRST)
        return got->count == (expected->count > 0) &&
               (got->count == 0 || has_pair(expected, got->items[0]));
    return got->complete && got->count == expected->count &&
           (got->count == 0 ||
            memcmp(got->items, expected->items, got->count * sizeof *got->items) == 0);
}
