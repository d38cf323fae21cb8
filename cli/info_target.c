/* info_target.c - `willow info TARGET`: the meshes of a target and the trees over them.
 *
 * Way in: info_target. Bodies have the numbers of their world, from 1 on. Everything is as of the
 * first frame: topology does not change, and trees are those that an animation would start with. */
#include "bench/common/complain.h"
#include "bench/common/json_line.h"
#include "bench/common/numbers.h"
#include "bench/play/player.h"
#include "cli/info.h"
#include "cli/target.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LISTED_BODIES = 16 };

typedef struct body_report {
    willow_body_info info;
    willow_body_topology topology;
    willow_body_stats stats;
} body_report;

/* ---- asking ---- */

static bool ask_body(player *p, uint32_t i, body_report *out)
{
    return willow_body_get_info(p->world, p->bodies[i], &out->info) == WILLOW_OK &&
           willow_body_get_topology(p->world, p->bodies[i], &out->topology) == WILLOW_OK &&
           willow_body_get_stats(p->world, p->bodies[i], &out->stats) == WILLOW_OK;
}

static body_report *ask_bodies(player *p)
{
    body_report *reports = calloc((size_t)p->scene->body_count + 1, sizeof *reports);
    if (reports == NULL) {
        complain("info", "out of memory");
        return NULL;
    }
    for (uint32_t i = 0; i < p->scene->body_count; i++) {
        if (ask_body(p, i, &reports[i])) continue;
        complain("info", "body %" PRIu32 ": %s", i + 1, willow_world_message(p->world));
        free(reports);
        return NULL;
    }
    return reports;
}

static uint64_t info_target_vertex_total(const scene *s)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < s->body_count; i++) total += s->bodies[i].vertex_count;
    return total;
}

/* A tree without any area has no cost that could be said. */
static double cost_of(const body_report *r) { return isfinite(r->stats.cost) ? r->stats.cost : 0; }

static const char *surface_of(const body_report *r)
{
    const willow_body_topology *t = &r->topology;
    if (t->edges == 0) return "none";
    if (t->crowded_edges > 0) return "crowded";
    return t->border_edges > 0 ? "open" : "closed";
}

/* ---- for people ---- */

static void print_meshes(const body_report *reports, uint32_t count)
{
    printf("\n%-6s %10s %10s %8s %10s %8s %8s %8s  %s\n", "mesh", "triangles", "vertices", "pieces",
           "edges", "border", "crowded", "loose", "surface");
    for (uint32_t i = 0; i < count; i++) {
        const body_report *r = &reports[i];
        const willow_body_topology *t = &r->topology;
        printf("%-6" PRIu32 " %10" PRIu32 " %10" PRIu32 " %8zu %10zu %8zu %8zu %8zu  %s\n", i + 1,
               r->info.triangle_count, r->info.vertex_count, t->pieces, t->edges, t->border_edges,
               t->crowded_edges, t->loose_vertices, surface_of(r));
    }
}

static void print_trees(const body_report *reports, uint32_t count)
{
    printf("\n%-6s %10s %10s %8s %10s %12s %12s\n", "tree", "nodes", "leaves", "height", "cost",
           "tree bytes", "mesh bytes");
    for (uint32_t i = 0; i < count; i++) {
        const willow_body_stats *stats = &reports[i].stats;
        printf("%-6" PRIu32 " %10" PRIu32 " %10" PRIu32 " %8" PRIu32 " %10.1f %12zu %12zu\n", i + 1,
               stats->node_count, stats->leaf_count, stats->height, cost_of(&reports[i]),
               stats->bytes_hierarchy, stats->bytes_mesh);
    }
}

/* Those of the first body, which are those of all. */
static void print_settings(const body_report *r)
{
    const willow_tree_def *tree = &r->info.tree;
    printf("method %s", willow_method_name(tree->method));
    if (r->stats.method != tree->method) printf(" (%s now)", willow_method_name(r->stats.method));
    printf(", build %s, arity %" PRIu32 ", up to %" PRIu32 " triangles per leaf\n",
           willow_build_name(tree->build), tree->arity, tree->leaf_triangles);
}

static void print_people(const player *p, const char *target, const body_report *reports,
                         const info_options *options)
{
    const scene *s = p->scene;
    printf("%s: %" PRIu32 " bod%s, %" PRIu64 " triangles, %" PRIu64 " vertices, %" PRIu32
           " frame%s\n",
           target, s->body_count, s->body_count == 1 ? "y" : "ies", scene_triangle_total(s),
           info_target_vertex_total(s), s->frame_count, plural(s->frame_count));
    if (s->body_count > 0) {
        print_settings(&reports[0]);
    }
    uint32_t listed = s->body_count;
    if (!options->verbose && listed > LISTED_BODIES) listed = LISTED_BODIES;
    print_meshes(reports, listed);
    print_trees(reports, listed);
    if (listed < s->body_count) {
        printf("\n%" PRIu32 " more bodies; --verbose lists them all.\n", s->body_count - listed);
    }
}

/* ---- for programs ---- */

static void add_topology(json_line *line, const body_report *r)
{
    json_line_text(line, "surface", surface_of(r));
    json_line_count(line, "pieces", r->topology.pieces);
    json_line_count(line, "edges", r->topology.edges);
    json_line_count(line, "border_edges", r->topology.border_edges);
    json_line_count(line, "crowded_edges", r->topology.crowded_edges);
    json_line_count(line, "loose_vertices", r->topology.loose_vertices);
}

static void add_tree(json_line *line, const body_report *r)
{
    json_line_text(line, "method", willow_method_name(r->info.tree.method));
    json_line_text(line, "stands_for", willow_method_name(r->stats.method));
    json_line_text(line, "build", willow_build_name(r->info.tree.build));
    json_line_count(line, "arity", r->info.tree.arity);
    json_line_count(line, "leaf_triangles", r->info.tree.leaf_triangles);
    json_line_count(line, "hybrid_level", r->info.tree.hybrid_level);
    json_line_real(line, "margin", (double)r->info.tree.margin);
    json_line_real(line, "rebuild_ratio", (double)r->info.tree.rebuild_ratio);
    json_line_count(line, "nodes", r->stats.node_count);
    json_line_count(line, "leaves", r->stats.leaf_count);
    json_line_count(line, "height", r->stats.height);
    json_line_real(line, "cost", cost_of(r));
    json_line_count(line, "bytes_hierarchy", r->stats.bytes_hierarchy);
    json_line_count(line, "bytes_mesh", r->stats.bytes_mesh);
}

static int info_target_print_json(const player *p, const char *target, const body_report *reports)
{
    const scene *s = p->scene;
    json_line line = json_line_begin();
    json_t *bodies = json_array();
    json_line_text(&line, "target", target);
    json_line_count(&line, "triangles", scene_triangle_total(s));
    json_line_count(&line, "vertices", info_target_vertex_total(s));
    json_line_count(&line, "frames", s->frame_count);
    for (uint32_t i = 0; i < s->body_count; i++) {
        json_line body = json_line_begin();
        json_line_count(&body, "body", i + 1);
        json_line_count(&body, "triangles", reports[i].info.triangle_count);
        json_line_count(&body, "vertices", reports[i].info.vertex_count);
        add_topology(&body, &reports[i]);
        add_tree(&body, &reports[i]);
        json_line_append(&line, bodies, &body);
    }
    json_line_value(&line, "bodies", bodies);
    return json_line_print(&line, "info");
}

/* ---- the whole ---- */

static int report(player *p, const char *target, const info_options *options)
{
    int code = EXIT_FINE;
    body_report *reports = ask_bodies(p);
    if (reports == NULL) return EXIT_ERROR;
    if (options->json) {
        code = info_target_print_json(p, target, reports);
    } else {
        print_people(p, target, reports, options);
    }
    free(reports);
    return code;
}

static int info_target_play(const scene *s, const char *target, const info_options *options)
{
    int code;
    player p = {0};
    float **positions = scene_arrays_create(s);
    bool *self = calloc((size_t)s->body_count + 1, sizeof *self);
    if (positions == NULL || self == NULL) {
        code = complain("info", "out of memory");
    } else {
        scene_arrays_fill(s, 0, positions);
        code = player_create(&p, s, 0, positions, self, &options->engine)
                   ? report(&p, target, options)
                   : complain("info", "%s", p.message);
    }
    player_destroy(&p);
    scene_arrays_destroy(s, positions);
    free(self);
    return code;
}

int info_target(const char *target, const info_options *options)
{
    scene *s = target_open("info", target);
    if (s == NULL) return EXIT_ERROR;
    int code = info_target_play(s, target, options);
    scene_destroy(s);
    return code;
}
