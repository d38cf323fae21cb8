/* suites.c - the one place that has the suites.
 *
 * A suite is a list of scenes and sizes; some also say who is measured and what is asked. */
#include "bench/suites/suites.h"
#include "bench/common/complain.h"
#include "bench/run/options.h"

#include <stdio.h>
#include <string.h>

/* What results are published from: every kind of motion in the steps of the papers, some of them in
 * several sizes. */
static const char *const standard_specs[] = {"bumpy:triangles=1280",
                                             "bumpy:triangles=5120",
                                             "bumpy:triangles=20480",
                                             "bumpy:triangles=81920",
                                             "tablecloth:triangles=2500",
                                             "tablecloth:triangles=10000",
                                             "tablecloth:triangles=40000",
                                             "selfcloth:triangles=8192",
                                             "selfcloth:triangles=32768",
                                             "stir",
                                             "twist",
                                             "converge",
                                             "many",
                                             "many:variant=arms",
                                             "many:variant=rigid",
                                             "tumble:triangles=20480",
                                             "spheres:triangles=5120",
                                             "morphing",
                                             "dolphins:triangles=2256",
                                             "avatar:variant=shirt,frames=100",
                                             "avatar:variant=dress,frames=100",
                                             NULL};

/* The same kinds in seconds: to see that everything runs, not how fast. */
static const char *const quick_specs[] = {"bumpy:triangles=320,frames=40",
                                          "bumpy:triangles=1280,frames=40",
                                          "tablecloth:triangles=200,frames=40",
                                          "tablecloth:triangles=800,frames=40",
                                          "selfcloth:triangles=512,frames=40",
                                          "stir:triangles=400,frames=40",
                                          "twist:triangles=200,frames=40",
                                          "converge:triangles=80,bodies=6,frames=40",
                                          "many:triangles=80,bodies=8,frames=40",
                                          "many:triangles=80,bodies=8,frames=40,variant=arms",
                                          "many:triangles=80,bodies=8,frames=40,variant=rigid",
                                          "tumble:triangles=320,frames=40",
                                          "spheres:triangles=320,frames=40",
                                          "morphing:triangles=320,frames=40",
                                          "dolphins:triangles=564,bodies=4,frames=40",
                                          "avatar:triangles=1000,frames=40",
                                          "soup:triangles=100",
                                          "degenerate",
                                          NULL};

/* One scene in sizes that are four times the one before: run/growth.c fits how time grows. */
static const char *const growth_specs[] = {"bumpy:triangles=1280", "bumpy:triangles=5120",
                                           "bumpy:triangles=20480", "bumpy:triangles=81920", NULL};

/* The experiments of Larsson and Akenine-Moeller 2001, which pages/larsson_2001.md puts beside: the
 * first with the sizes of the second, the third with both kinds of bodies, and the bodies of its
 * last picture. */
static const char *const paper_specs[] = {"bumpy:triangles=1280",
                                          "bumpy:triangles=5120",
                                          "bumpy:triangles=20480",
                                          "bumpy:triangles=81920",
                                          "many",
                                          "many:variant=arms",
                                          "converge",
                                          NULL};

/* Surfaces against themselves: wound up, fallen, twisted and dressed. */
static const char *const self_specs[] = {"selfcloth:triangles=16384",
                                         "selfcloth:triangles=131072",
                                         "tablecloth:triangles=10000",
                                         "tablecloth:triangles=100000",
                                         "twist",
                                         "avatar:variant=dress,frames=100",
                                         NULL};

/* Steps: what touches on the way, between bodies and within. */
const char *const bench_impact_specs[] = {"selfcloth:triangles=16384",
                                          "selfcloth:triangles=131072",
                                          "bumpy:triangles=20480",
                                          "bumpy:triangles=81920",
                                          "tablecloth:triangles=10000",
                                          "rollers",
                                          NULL};

/* The experiments of Zachmann and Weller 2006, section 9, which pages/zachmann_weller_2006.md puts
 * beside: cloth that falls, clothes in their lowest and highest resolution, with more and more
 * frames between keyframes and once for long, and spheres with changes of their plans. */
static const char *const kinetic_specs[] = {
    "tablecloth:triangles=2000,inbetween=9,frames=600",
    "tablecloth:triangles=4000,inbetween=9,frames=600",
    "tablecloth:triangles=8000,inbetween=9,frames=600",
    "tablecloth:triangles=16000,inbetween=9,frames=600",
    "spheres:triangles=1280",
    "spheres:triangles=5120",
    "spheres:triangles=20480",
    "avatar:triangles=16000,variant=shirt,inbetween=5,frames=300",
    "avatar:triangles=16000,variant=shirt,inbetween=10,frames=300",
    "avatar:triangles=16000,variant=shirt,inbetween=20,frames=300",
    "avatar:triangles=16000,variant=shirt,inbetween=50,frames=300",
    "avatar:triangles=16000,variant=shirt,inbetween=50,frames=3000",
    "avatar:triangles=32500,variant=dress,inbetween=10,frames=300",
    "avatar:triangles=32500,variant=dress,inbetween=50,frames=300",
    "avatar:triangles=290000,variant=dress,inbetween=50,frames=120",
    NULL};

/* Like for like: binary trees of single triangles, without events and with them, and the
 * yardstick; then the best that there is. */
static const char kinetic_methods[] =
    "bottom_up:arity=2:leaf_triangles=1,kinetic_aabb:arity=2:leaf_triangles=1,"
    "kinetic_aabb:events=batch:arity=2:leaf_triangles=1,peer:plain,hybrid,auto,kinetic_aabb";

/* Figure 22 of it: update and check together, with separation lists and without; a dress in three
 * sizes, with more and more frames between keyframes, and the cloth that falls. */
static const char list_methods[] =
    "bottom_up:arity=2:leaf_triangles=1,kinetic_aabb:events=batch:arity=2:leaf_triangles=1,"
    "kinetic_aabb:arity=2:leaf_triangles=1,"
    "kinetic_aabb:events=batch:arity=2:leaf_triangles=1:watch=list,"
    "kinetic_aabb:arity=2:leaf_triangles=1:watch=list";

static const bench_suite_scene kinetic_scenes[] = {
    {"avatar:variant=dress,triangles=32500,inbetween=5,frames=60", list_methods, "pairs"},
    {"avatar:variant=dress,triangles=32500,inbetween=10,frames=60", list_methods, "pairs"},
    {"avatar:variant=dress,triangles=32500,inbetween=20,frames=60", list_methods, "pairs"},
    {"avatar:variant=dress,triangles=32500,inbetween=50,frames=60", list_methods, "pairs"},
    {"avatar:variant=dress,triangles=100000,inbetween=10,frames=30", list_methods, "pairs"},
    {"avatar:variant=dress,triangles=290000,inbetween=10,frames=20", list_methods, "pairs"},
    {"tablecloth:inbetween=9,triangles=2000,frames=600", list_methods, "pairs"},
    {"tablecloth:inbetween=9,triangles=4000,frames=600", list_methods, "pairs"},
    {"tablecloth:inbetween=9,triangles=8000,frames=600", list_methods, "pairs"},
    {"tablecloth:inbetween=9,triangles=16000,frames=600", list_methods, "pairs"},
    {NULL, NULL, NULL},
};

/* The experiments of Larsson 2003, paper B, which pages/larsson_2003.md puts beside: a school of
 * dolphins in four sizes, and two shapes that pass through each other; these in one place all the
 * time; and targets of few vertices. */
static const char *const morph_specs[] = {"dolphins:triangles=564",
                                          "dolphins:triangles=2256",
                                          "dolphins:triangles=9024",
                                          "dolphins:triangles=36096",
                                          "morphing",
                                          "morphing:variant=inside,frames=100",
                                          "faces",
                                          NULL};

/* Volumes and forms of blending; vertices that Willow blends, or whoever gives them. */
static const char morph_methods[] =
    "blend,blend:blend_both=1,blend:in_between=1,blend:volume=kdop18,blend:volume=sphere,"
    "hybrid,hybrid:poses=apply,bottom_up,auto,peer:plain";

/* Section 9 once more, update and check together: bottom-up, kinetic trees, and separation lists;
 * like for like, then the best that there is, without watches and with them. */
static const char *const watch_specs[] = {
    "tablecloth:triangles=16000,inbetween=9,frames=600",
    "avatar:triangles=32500,variant=dress,inbetween=50,frames=300", NULL};

static const char watch_methods[] =
    "bottom_up:arity=2:leaf_triangles=1,kinetic_aabb:arity=2:leaf_triangles=1,"
    "kinetic_aabb:arity=2:leaf_triangles=1:watch=list,bottom_up,hybrid,hybrid:watch=roots,"
    "kinetic_aabb,kinetic_aabb:watch=roots,kinetic_aabb:watch=list,"
    "kinetic_aabb:leaf_triangles=1:watch=list";

/* The experiments of Larsson 2003, paper C, which pages/larsson_2003_rays.md puts beside: trees of
 * single triangles as the paper had them, and what there is today; pictures of a standing scene
 * with leaves of several sizes; few rays on bodies that move in every way. All go the whole way of
 * the scene in fewer steps than the paper, so that the suite takes a quarter of an hour; of 35 that
 * of rays9 that looks at nothing is not the first of a block of ten, which is not counted. */
static const char rays9_methods[] =
    "hybrid,bottom_up,hybrid:arity=8:leaf_triangles=1,bottom_up:arity=8:leaf_triangles=1,"
    "hybrid:threads=2,bottom_up:threads=2,peer:plain,peer:embree-refit,peer:embree-rebuild";
static const char still_methods[] =
    "bottom_up,hybrid,bottom_up:leaf_triangles=4,bottom_up:leaf_triangles=8,"
    "bottom_up:leaf_triangles=16,bottom_up:build=sah,peer:plain,peer:embree-refit,"
    "peer:embree-rebuild";
static const char picks_methods[] = "hybrid,bottom_up,top_down,auto,peer:plain,peer:embree-refit";
static const char picks_morph_methods[] =
    "blend,hybrid,bottom_up,top_down,auto,peer:plain,peer:embree-refit";
static const char picks_plan_methods[] =
    "kinetic_aabb,hybrid,bottom_up,top_down,auto,peer:plain,peer:embree-refit";
static const char museum_methods[] =
    "bottom_up:trees=5:poses=apply,hybrid:trees=5:poses=apply,hybrid,bottom_up,blend,rebuild,"
    "peer:plain,peer:embree-refit,peer:embree-rebuild";
static const char crowd_methods[] = "blend,hybrid,bottom_up,auto,peer:plain,peer:embree-refit";

static const bench_suite_scene rays_scenes[] = {
    {"rays9:sampling=1,frames=35", rays9_methods, "rays"},
    {"rays9:sampling=5,frames=35", rays9_methods, "rays"},
    {"rays9:sampling=10,frames=35", rays9_methods, "rays"},
    {"rays9:variant=still,frames=12", still_methods, "rays"},
    {"rays9:frames=40", picks_methods, "picks,picks_1000"},
    {"rays9:variant=morphs,frames=40", picks_morph_methods, "picks,picks_1000"},
    {"rays9:variant=plans,frames=40", picks_plan_methods, "picks,picks_1000"},
    {"museum:sampling=1,frames=20", museum_methods, "rays"},
    {"museum:sampling=5,frames=100", museum_methods, "rays"},
    {"museum:sampling=10,frames=100", museum_methods, "rays"},
    {"crowd_rays:sampling=5,frames=20", crowd_methods, "rays"},
    {NULL, NULL, NULL},
};

/* Characters: boxes that joints move, vertices that Willow computes, and the yardsticks, which are
 * one vectorised pass over all vertices and then a refit, of Willow (poses=apply) or of others. The
 * pass is in float, as engines have it, or in double, whose answers are the same to the bit. */
static const char skin_methods[] =
    "skin,auto,hybrid,bottom_up,bottom_up:poses=apply:float_skins=1,"
    "hybrid:poses=apply:float_skins=1,peer:plain:float_skins=1,peer:embree-refit:float_skins=1,"
    "bottom_up:poses=apply,peer:plain";

static const bench_suite_scene skin_scenes[] = {
    {"walker:triangles=100000", skin_methods, "picks,first"},
    {"walker:triangles=10000", skin_methods, "picks,first"},
    {"walker:triangles=100000,variant=self", skin_methods, "self"},
    {"walker:triangles=10000,variant=self", skin_methods, "self"},
    {NULL, NULL, NULL},
};

/* Broad phases over the number of boxes, their sizes and the share that moves; the compressed tree
 * as the paper has it, on crowds of several densities; and its three ways over d_max. What takes
 * minutes in a crowd is left out there: an axis or swaps for a million boxes, lists in leaves for a
 * hundred thousand of very different sizes. */
#define BROAD_SOME "auto,all_pairs,one_axis,sweep_and_prune,linear_bvh,grid,compressed_tree,"
#define BROAD_MANY "auto,one_axis,sweep_and_prune,linear_bvh,grid,compressed_tree,"
#define BROAD_MORE "auto,one_axis,linear_bvh,grid,compressed_tree,"
#define BROAD_MOST "auto,linear_bvh,grid,compressed_tree,"
#define BROAD_HEAVY "auto,linear_bvh,grid,"
#define BROAD_PEER "peer:bullet-dbvt"
#define BROAD_CELL(cell)                                                                           \
    "compressed_tree:cell=" cell ",compressed_tree:cell=" cell ":upkeep=literal,"                  \
    "compressed_tree:cell=" cell ":upkeep=fresh"
#define BROAD_TREES "compressed_tree,compressed_tree:upkeep=literal"

static const char broad_cells[] = BROAD_CELL("0.001") "," BROAD_CELL("0.003") "," BROAD_CELL(
    "0.01") "," BROAD_CELL("0.03") "," BROAD_CELL("0.1") "," BROAD_CELL("0.3") "," BROAD_CELL("1");

static const bench_suite_scene broad_scenes[] = {
    {"crowd3d:bodies=100,frames=101", BROAD_SOME BROAD_PEER, "broad"},
    {"crowd3d:bodies=1000,frames=101", BROAD_SOME BROAD_PEER, "broad"},
    {"crowd3d:bodies=10000,frames=21", BROAD_MANY BROAD_PEER, "broad"},
    {"crowd3d:bodies=100000,frames=11", BROAD_MORE BROAD_PEER, "broad"},
    {"crowd3d:bodies=1000000,frames=4", BROAD_MOST BROAD_PEER, "broad"},
    {"crowd3d:bodies=1000,moving=5,frames=101", BROAD_SOME BROAD_PEER, "broad"},
    {"crowd3d:bodies=10000,moving=5,frames=21", BROAD_MANY BROAD_PEER, "broad"},
    {"crowd3d:bodies=100000,moving=5,frames=11", BROAD_MORE BROAD_PEER, "broad"},
    {"crowd3d:bodies=1000000,moving=5,frames=4", BROAD_MOST BROAD_PEER, "broad"},
    {"crowd3d:variant=heavy_brownian,bodies=1000,frames=101", BROAD_SOME BROAD_PEER, "broad"},
    {"crowd3d:variant=heavy_brownian,bodies=10000,frames=21", BROAD_MANY BROAD_PEER, "broad"},
    {"crowd3d:variant=heavy_brownian,bodies=100000,frames=6", BROAD_MORE BROAD_PEER, "broad"},
    {"crowd3d:variant=heavy_brownian,bodies=1000000,frames=3", BROAD_HEAVY BROAD_PEER, "broad"},
    {"crowd3d:variant=heavy_brownian,bodies=100000,moving=5,frames=6", BROAD_MORE BROAD_PEER,
     "broad"},
    {"crowd2d:bodies=1000,frames=101", BROAD_SOME BROAD_PEER, "broad"},
    {"crowd2d:bodies=10000,frames=21", BROAD_MANY BROAD_PEER, "broad"},
    {"crowd2d:bodies=100000,frames=11", BROAD_MORE BROAD_PEER, "broad"},
    {"crowd2d:bodies=1000000,frames=3", "auto,grid,compressed_tree", "broad"},
    {"crowd2d:bodies=100000,moving=5,frames=11", BROAD_MORE BROAD_PEER, "broad"},
    {"crowd2d:variant=heavy_brownian,bodies=10000,frames=21", BROAD_MANY BROAD_PEER, "broad"},
    {"crowd2d:variant=heavy_brownian,bodies=100000,frames=6", BROAD_MORE BROAD_PEER, "broad"},
    {"crowd2d:bodies=10000,frames=3", BROAD_TREES, "broad"},
    {"crowd2d:variant=falling,bodies=10000,frames=3", BROAD_TREES, "broad"},
    {"crowd2d:variant=pressed,bodies=10000,frames=26", BROAD_TREES, "broad"},
    {"crowd2d:variant=pressed,bodies=10000,frames=51", BROAD_TREES, "broad"},
    {"crowd2d:variant=heavy_brownian,bodies=10000,frames=3", BROAD_TREES, "broad"},
    {"crowd3d:bodies=10000,frames=3", BROAD_TREES, "broad"},
    {"crowd3d:variant=falling,bodies=10000,frames=3", BROAD_TREES, "broad"},
    {"crowd3d:variant=pressed,bodies=10000,frames=51", BROAD_TREES, "broad"},
    {"crowd3d:variant=heavy_brownian,bodies=10000,frames=3", BROAD_TREES, "broad"},
    {"crowd2d:bodies=10000,frames=4", broad_cells, "broad"},
    {"crowd3d:bodies=1000,frames=4", broad_cells, "broad"},
    {NULL, NULL, NULL},
};

/* Suites whose rows are in bench/cliffs, bench/edits, bench/fracture and bench/spheres. */
static const char *const no_specs[] = {NULL};

const bench_suite bench_suites[] = {
    {"standard", standard_specs, NULL, NULL, false, RUNS_FRAMES, NULL},
    {"quick", quick_specs, NULL, NULL, false, RUNS_FRAMES, NULL},
    {"growth", growth_specs, NULL, NULL, false, RUNS_FRAMES, NULL},
    {"paper", paper_specs, NULL, NULL, false, RUNS_FRAMES, NULL},
    {"self", self_specs, NULL, "self", false, RUNS_FRAMES, NULL},
    {"impacts", bench_impact_specs, NULL, "impacts,near", false, RUNS_FRAMES, NULL},
    {"kinetic", kinetic_specs, kinetic_methods, "first", false, RUNS_FRAMES, kinetic_scenes},
    {"watch", watch_specs, watch_methods, "pairs,first", true, RUNS_FRAMES, NULL},
    {"morph", morph_specs, morph_methods, "first,pairs", false, RUNS_FRAMES, NULL},
    {"rays", no_specs, NULL, "rays", false, RUNS_FRAMES, rays_scenes},
    {"skins", no_specs, NULL, NULL, false, RUNS_FRAMES, skin_scenes},
    {"cliffs", no_specs, NULL, NULL, false, RUNS_CLIFFS, NULL},
    {"broad", no_specs, NULL, "broad", false, RUNS_FRAMES, broad_scenes},
    {"edits", no_specs, NULL, "first", false, RUNS_EDITS, NULL},
    {"fracture", no_specs, NULL, "pairs", false, RUNS_FRACTURE, NULL},
    {"spheres", no_specs, NULL, NULL, false, RUNS_SPHERES, NULL},
    {NULL, NULL, NULL, NULL, false, RUNS_FRAMES, NULL},
};

bool bench_has_scene(const char *spec)
{
    char name[SCENE_SPEC_MAX];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(spec, ":"), spec);
    return scene_kind_find(name) != NULL;
}

/* What a suite sets besides its scenes. What stands still, as the table does, has a pose: who is
 * given all of its vertices again in every frame has an update to do that has nothing to do with
 * plans. */
static void take_plans(bench_options *options, const bench_suite *suite)
{
    if (suite->question != NULL) options->suite_question = suite->question;
    if (suite->methods == NULL) return;
    options->engine.plans = options->engine.morphs = true;
    options->engine.poses = POSES_GIVEN;
    options->suite_methods = suite->methods;
    options->strangers = options->strangers || suite->strangers;
}

/* A suite whose scenes have methods and questions of their own. All of its bodies are handed over
 * as they are known to move. */
static int add_own_scenes(bench_options *options, const bench_suite *suite)
{
    int code = EXIT_FINE;
    if (suite->scenes == NULL) return code;
    options->engine.plans = options->engine.morphs = true;
    options->engine.poses = POSES_GIVEN;
    for (const bench_suite_scene *own = suite->scenes; own->spec != NULL; own++) {
        const uint32_t number = options->scene_count;
        if (code == EXIT_FINE) code = bench_add_scene(options, own->spec);
        if (code != EXIT_FINE || options->scene_count == number) continue;
        options->scene_methods[number] = own->methods;
        options->scene_questions[number] = own->questions;
    }
    return code;
}

int bench_add_suite(bench_options *options, const char *name)
{
    int code = EXIT_FINE;
    guess g = guess_for(name);
    for (const bench_suite *suite = bench_suites; suite->name != NULL; suite++) {
        guess_offer(&g, suite->name);
        if (strcmp(suite->name, name) != 0) continue;
        take_plans(options, suite);
        if (suite->runner != RUNS_FRAMES) options->runner = suite->runner;
        code = add_own_scenes(options, suite);
        for (const char *const *spec = suite->specs; *spec != NULL; spec++) {
            if (code == EXIT_FINE && bench_has_scene(*spec)) code = bench_add_scene(options, *spec);
        }
        return code;
    }
    return complain_unknown("bench", g.best,
                            "there are standard, quick, growth, paper, self, impacts, kinetic, "
                            "watch, morph, rays, skins, cliffs, broad, edits, fracture and spheres",
                            "there is no suite '%s'", name);
}
