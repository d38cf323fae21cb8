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

/* Its rows are shapes with two questions each: bench/cliffs/table.c. */
static const char *const no_specs[] = {NULL};

const bench_suite bench_suites[] = {
    {"standard", standard_specs, NULL, NULL, false, false},
    {"quick", quick_specs, NULL, NULL, false, false},
    {"growth", growth_specs, NULL, NULL, false, false},
    {"paper", paper_specs, NULL, NULL, false, false},
    {"self", self_specs, NULL, NULL, false, false},
    {"impacts", bench_impact_specs, NULL, NULL, false, false},
    {"kinetic", kinetic_specs, kinetic_methods, "first", false, false},
    {"watch", watch_specs, watch_methods, "pairs,first", true, false},
    {"morph", morph_specs, morph_methods, "first,pairs", false, false},
    {"cliffs", no_specs, NULL, NULL, false, true},
    {NULL, NULL, NULL, NULL, false, false},
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
    if (suite->methods == NULL) return;
    options->engine.plans = options->engine.morphs = true;
    options->engine.poses = POSES_GIVEN;
    options->suite_methods = suite->methods;
    options->suite_question = suite->question;
    options->strangers = options->strangers || suite->strangers;
}

int bench_add_suite(bench_options *options, const char *name)
{
    int code = EXIT_FINE;
    guess g = guess_for(name);
    for (const bench_suite *suite = bench_suites; suite->name != NULL; suite++) {
        guess_offer(&g, suite->name);
        if (strcmp(suite->name, name) != 0) continue;
        take_plans(options, suite);
        options->cliffs = options->cliffs || suite->cliffs;
        for (const char *const *spec = suite->specs; *spec != NULL; spec++) {
            if (code == EXIT_FINE && bench_has_scene(*spec)) code = bench_add_scene(options, *spec);
        }
        return code;
    }
    return complain_unknown(
        "bench", g.best,
        "there are standard, quick, growth, paper, self, impacts, kinetic, watch, morph and cliffs",
        "there is no suite '%s'", name);
}
