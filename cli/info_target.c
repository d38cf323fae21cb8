/* info_target.c - `willow info TARGET`: how the bodies of a target move, what their meshes are
 * like, and the trees over them.
 *
 * Way in: info_target. Meshes and trees are as of the first frame: those that an animation starts
 * with. */
#include "bench/common/complain.h"
#include "bench/common/json_line.h"
#include "bench/common/numbers.h"
#include "bench/play/clip_player.h"
#include "cli/info.h"
#include "cli/mesh_defects.h"
#include "cli/target.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LISTED_BODIES = 16 };

typedef struct body_report {
    const clip_body *body;
    willow_body_info info;
    willow_body_topology topology;
    willow_body_stats stats;
    mesh_defects defects;
} body_report;

typedef struct info_report {
    const target *target;
    const info_options *options;
    body_report *bodies;
    uint32_t count;
} info_report;

/* ---- asking ---- */

static bool ask_body(clip_player *p, uint32_t i, body_report *out)
{
    out->body = &p->clip->bodies[i];
    return willow_body_get_info(p->world, p->bodies[i], &out->info) == WILLOW_OK &&
           willow_body_get_topology(p->world, p->bodies[i], &out->topology) == WILLOW_OK &&
           willow_body_get_stats(p->world, p->bodies[i], &out->stats) == WILLOW_OK;
}

static bool ask_bodies(clip_player *p, info_report *report)
{
    for (uint32_t i = 0; i < report->count; i++) {
        if (!ask_body(p, i, &report->bodies[i])) {
            complain("info", "%s: %s", p->clip->bodies[i].name, willow_world_message(p->world));
            return false;
        }
        if (!mesh_defects_find(&p->clip->bodies[i].mesh, &report->bodies[i].defects)) {
            complain("info", "out of memory");
            return false;
        }
    }
    return true;
}

/* A tree without any area has no cost that could be said. */
static double cost_of(const body_report *r) { return isfinite(r->stats.cost) ? r->stats.cost : 0; }

static const char *surface_of(const body_report *r)
{
    const willow_body_topology *t = &r->topology;
    if (t->edges == 0) return "none";
    if (t->crowded_edges > 0) return "non-manifold";
    return t->border_edges > 0 ? "open" : "closed";
}

static const char *motion_word(const clip_body *body)
{
    static const char *const words[] = {[CLIP_STILL] = "still",
                                        [CLIP_RIGID] = "rigid",
                                        [CLIP_MORPH] = "morph",
                                        [CLIP_SKIN] = "skin",
                                        [CLIP_FRAMES] = "positions"};
    return words[body->motion];
}

static uint32_t face_count(const clip_mesh *mesh)
{
    uint32_t highest = 0;
    if (mesh->faces == NULL) return mesh->triangle_count;
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        if (mesh->faces[i] >= highest) highest = mesh->faces[i] + 1;
    }
    return highest;
}

/* ---- for people ---- */

enum { MOTION_MAX = 40 };
static const char *motion_text(const clip_body *body, char out[MOTION_MAX])
{
    const uint32_t targets = body->morph.target_count, joints = body->skin.joint_count;
    switch (body->motion) {
    case CLIP_MORPH:
        snprintf(out, MOTION_MAX, "morph, %" PRIu32 " target%s", targets, plural(targets));
        return out;
    case CLIP_SKIN:
        snprintf(out, MOTION_MAX, "skin, %" PRIu32 " joint%s", joints, plural(joints));
        return out;
    default: return motion_word(body);
    }
}

static void print_bodies(const info_report *report, uint32_t count)
{
    printf("\n%-24s %-18s %10s %10s %10s  %s\n", "body", "motion", "triangles", "vertices",
           "components", "surface");
    for (uint32_t i = 0; i < count; i++) {
        const body_report *r = &report->bodies[i];
        char motion[MOTION_MAX];
        printf("%-24.60s %-18s %10" PRIu32 " %10" PRIu32 " %10zu  %s\n", r->body->name,
               motion_text(r->body, motion), r->info.triangle_count, r->info.vertex_count,
               r->topology.pieces, surface_of(r));
    }
}

static bool has_defects(const body_report *r)
{
    return r->topology.crowded_edges + r->topology.loose_vertices + r->defects.duplicate_faces +
               r->defects.degenerate_faces >
           0;
}

static void print_edges(const info_report *report, uint32_t count)
{
    printf("\n%-24s %10s %10s %12s %10s %10s %8s\n", "mesh", "edges", "boundary", "non-manifold",
           "duplicate", "degenerate", "unused");
    printf("%-24s %10s %10s %12s %10s %10s %8s\n", "", "", "edges", "edges", "faces", "faces",
           "vertices");
    for (uint32_t i = 0; i < count; i++) {
        const body_report *r = &report->bodies[i];
        const willow_body_topology *t = &r->topology;
        printf("%-24.60s %10zu %10zu %12zu %10" PRIu32 " %10" PRIu32 " %8zu\n", r->body->name,
               t->edges, t->border_edges, t->crowded_edges, r->defects.duplicate_faces,
               r->defects.degenerate_faces, t->loose_vertices);
    }
}

/* Where to look first. */
static void print_defects(const info_report *report)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < report->count; i++) {
        const body_report *r = &report->bodies[i];
        count += has_defects(r);
        if (r->defects.duplicate_faces > 0) {
            printf("%s: face %" PRIu32 " is there twice\n", r->body->name,
                   r->defects.first_duplicate);
        }
        if (r->defects.degenerate_faces > 0) {
            printf("%s: face %" PRIu32 " has no area\n", r->body->name,
                   r->defects.first_degenerate);
        }
    }
    if (count == 0)
        puts("No non-manifold edges, no duplicate or degenerate faces, no unused vertices.");
}

static void print_trees(const info_report *report, uint32_t count)
{
    printf("\n%-24s %10s %10s %8s %10s %12s %12s\n", "tree", "nodes", "leaves", "height", "cost",
           "tree bytes", "mesh bytes");
    for (uint32_t i = 0; i < count; i++) {
        const willow_body_stats *stats = &report->bodies[i].stats;
        printf("%-24.60s %10" PRIu32 " %10" PRIu32 " %8" PRIu32 " %10.1f %12zu %12zu\n",
               report->bodies[i].body->name, stats->node_count, stats->leaf_count, stats->height,
               cost_of(&report->bodies[i]), stats->bytes_hierarchy, stats->bytes_mesh);
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

static void print_info_head(const info_report *report)
{
    const target *t = report->target;
    const clip *c = t->clip;
    printf("%s: %" PRIu32 " bod%s, %" PRIu64 " triangle%s, %" PRIu64 " vertices, %" PRIu32
           " frame%s",
           t->title, c->body_count, c->body_count == 1 ? "y" : "ies", target_triangle_total(t),
           plural(target_triangle_total(t)), target_vertex_total(t), c->key_count,
           plural(c->key_count));
    if (t->scene == NULL && c->key_count > 1) {
        printf(", %g s to %g s", clip_first_time(c), clip_last_time(c));
    }
    putchar('\n');
    for (uint32_t i = 0; i < c->note_count; i++) printf("note: %s\n", c->notes[i]);
}

static void print_people(const info_report *report)
{
    uint32_t listed = report->count;
    if (!report->options->verbose && listed > LISTED_BODIES) listed = LISTED_BODIES;
    print_info_head(report);
    if (report->count > 0) print_settings(&report->bodies[0]);
    print_bodies(report, listed);
    print_edges(report, listed);
    print_defects(report);
    print_trees(report, listed);
    if (listed < report->count) {
        printf("\n%" PRIu32 " more bodies; --verbose lists them all.\n", report->count - listed);
    }
}

/* ---- for programs ---- */

static void add_motion(json_line *line, const clip_body *body)
{
    json_line_text(line, "motion", motion_word(body));
    if (body->morph.target_count > 0) {
        json_line_count(line, "morph_targets", body->morph.target_count);
    }
    if (body->motion == CLIP_SKIN) json_line_count(line, "joints", body->skin.joint_count);
}

static void add_topology(json_line *line, const body_report *r)
{
    json_line_text(line, "surface", surface_of(r));
    json_line_count(line, "components", r->topology.pieces);
    json_line_count(line, "edges", r->topology.edges);
    json_line_count(line, "boundary_edges", r->topology.border_edges);
    json_line_count(line, "nonmanifold_edges", r->topology.crowded_edges);
    json_line_count(line, "duplicate_faces", r->defects.duplicate_faces);
    json_line_count(line, "degenerate_faces", r->defects.degenerate_faces);
    json_line_count(line, "unused_vertices", r->topology.loose_vertices);
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

static void add_body(json_line *line, const body_report *r, uint32_t number)
{
    json_line_count(line, "body", number);
    json_line_text(line, "name", r->body->name);
    json_line_count(line, "faces", face_count(&r->body->mesh));
    json_line_count(line, "triangles", r->info.triangle_count);
    json_line_count(line, "vertices", r->info.vertex_count);
    add_motion(line, r->body);
    add_topology(line, r);
    add_tree(line, r);
}

static int info_target_print_json(const info_report *report)
{
    const target *t = report->target;
    const clip *c = t->clip;
    json_line line = json_line_begin();
    json_t *bodies = json_array(), *notes = json_array();
    json_line_text(&line, "target", t->words);
    json_line_count(&line, "triangles", target_triangle_total(t));
    json_line_count(&line, "vertices", target_vertex_total(t));
    json_line_count(&line, "frames", c->key_count);
    json_line_real(&line, "first_time", clip_first_time(c));
    json_line_real(&line, "last_time", clip_last_time(c));
    for (uint32_t i = 0; i < report->count; i++) {
        json_line body = json_line_begin();
        add_body(&body, &report->bodies[i], i + 1);
        json_line_append(&line, bodies, &body);
    }
    for (uint32_t i = 0; i < c->note_count; i++) {
        if (json_array_append_new(notes, json_string(c->notes[i])) != 0) line.fine = false;
    }
    json_line_value(&line, "notes", notes);
    json_line_value(&line, "bodies", bodies);
    return json_line_print(&line, "info");
}

/* ---- the whole ---- */

static int info_report_print(clip_player *p, info_report *report)
{
    if (!ask_bodies(p, report)) return EXIT_ERROR;
    if (report->options->json) return info_target_print_json(report);
    print_people(report);
    return EXIT_FINE;
}

static int info_play(const clip_role *roles, const clip_frame *frame, info_report *report)
{
    clip_player p = {0};
    const clip_player_def def = {
        .clip = report->target->clip, .roles = roles, .engine = &report->options->engine};
    const int code = clip_player_create(&p, &def, frame) ? info_report_print(&p, report)
                                                         : complain("info", "%s", p.message);
    clip_player_destroy(&p);
    return code;
}

static int info_of(const target *t, const info_options *options)
{
    int code;
    io_error error;
    const clip *c = t->clip;
    info_report report = {.target = t, .options = options, .count = c->body_count};
    clip_role *roles = calloc((size_t)c->body_count + 1, sizeof *roles);
    clip_frame *frame = clip_frame_create(c);
    report.bodies = calloc((size_t)c->body_count + 1, sizeof *report.bodies);
    if (roles == NULL || frame == NULL || report.bodies == NULL) {
        code = complain("info", "out of memory");
    } else if (!clip_frame_read(c, clip_first_time(c), frame, &error)) {
        code = complain("info", "%s", error.text);
    } else {
        for (uint32_t i = 0; i < c->body_count; i++) roles[i].is_played = true;
        code = info_play(roles, frame, &report);
    }
    clip_frame_destroy(c, frame);
    free(roles);
    free(report.bodies);
    return code;
}

int info_target(char *const *words, uint32_t count, const info_options *options)
{
    target t;
    const int code =
        target_open(&t, "info", words, count, &options->clip) ? info_of(&t, options) : EXIT_ERROR;
    target_close(&t);
    return code;
}
