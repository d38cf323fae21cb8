/* table.c - the one place that has the rows of the suite `cliffs`. */
#include "bench/cliffs/cliffs.h"
#include "bench/common/complain.h"

#include <string.h>

/* A fan of thousands is compared with fans of 64, which is more than meshes usually have. */
#define FAN "fans:triangles=4096"
#define FAN_64 "fans:triangles=4096,parts=64"
#define CONE "fans:variant=cone,triangles=4096"
#define CONE_64 "fans:variant=cone,triangles=4096,parts=64"
#define CONES "fans:variant=cone,triangles=20000,parts=20"
#define CONES_64 "fans:variant=cone,triangles=19968,parts=312"

/* Squares have sides of 1; a layer of 0.4 does not reach from a feature to one that it does not
 * share a vertex with. */
#define CLOTH "sheets:triangles=20000"
#define WOUND_CLOTH "selfcloth:triangles=20000"
#define FAR_CLOTH "sheets:variant=far,triangles=100000"
#define FAR_BACK "sheets:variant=far_back,triangles=100000"
#define TWINS "spot:variant=equal,bodies=2,triangles=57000"
#define BALLS "shells:variant=turned,triangles=20480"

#define NO_NEIGHBOURS "skip_neighbours=1"
#define PER_TRIANGLE CLIFF_PER_TRIANGLE

const cliff_def cliff_defs[] = {
    {"fan",
     {FAN, QUESTION_SELF, "", 0},
     "64 fans of 64",
     {FAN_64, QUESTION_SELF, "", 0},
     PER_TRIANGLE,
     3},
    {"fan",
     {FAN, QUESTION_SELF, NO_NEIGHBOURS, 0},
     "64 fans of 64",
     {FAN_64, QUESTION_SELF, NO_NEIGHBOURS, 0},
     PER_TRIANGLE,
     3},
    {"fan",
     {FAN, QUESTION_IMPACTS, "", 0},
     "64 fans of 64",
     {FAN_64, QUESTION_IMPACTS, "", 0},
     PER_TRIANGLE,
     3},
    {"cone",
     {CONE, QUESTION_SELF, "", 0},
     "64 cones of 64",
     {CONE_64, QUESTION_SELF, "", 0},
     PER_TRIANGLE,
     3},
    {"cone",
     {CONE, QUESTION_SELF, NO_NEIGHBOURS, 0},
     "64 cones of 64",
     {CONE_64, QUESTION_SELF, NO_NEIGHBOURS, 0},
     PER_TRIANGLE,
     3},
    {"cone",
     {CONE, QUESTION_IMPACTS, "", 0},
     "64 cones of 64",
     {CONE_64, QUESTION_IMPACTS, "", 0},
     PER_TRIANGLE,
     3},
    {"cones",
     {CONES, QUESTION_SELF, "", 0},
     "cones of 64",
     {CONES_64, QUESTION_SELF, "", 0},
     PER_TRIANGLE,
     5},
    {"cones",
     {CONES, QUESTION_TOI, "", 0},
     "cones of 64",
     {CONES_64, QUESTION_TOI, "", 0},
     PER_TRIANGLE,
     5},
    {"cones",
     {CONES, QUESTION_NEAR, NO_NEIGHBOURS ":near_distance=0.01", 0},
     "cones of 64",
     {CONES_64, QUESTION_NEAR, NO_NEIGHBOURS ":near_distance=0.01", 0},
     PER_TRIANGLE,
     5},
    {"cloth",
     {CLOTH, QUESTION_IMPACTS, "touch_distance=0.4", 0},
     "distance 0",
     {CLOTH, QUESTION_IMPACTS, "", 0},
     CLIFF_WHOLE,
     2.5},
    {"cloth",
     {CLOTH, QUESTION_TOI, "touch_distance=0.4", 0},
     "distance 0",
     {CLOTH, QUESTION_TOI, "", 0},
     CLIFF_WHOLE,
     2.5},
    {"cloth",
     {WOUND_CLOTH, QUESTION_NEAR_FEATURES, "near_distance=0.001", 100},
     "pairs within the cloth",
     {WOUND_CLOTH, QUESTION_SELF, "", 100},
     CLIFF_WHOLE,
     3},
    {"spot",
     {"spot:bodies=10000", QUESTION_FIRST, "", 0},
     "100 bodies",
     {"spot:bodies=100", QUESTION_FIRST, "", 0},
     CLIFF_WHOLE,
     20},
    {"spot",
     {"spot:variant=equal,bodies=3000", QUESTION_TOI, "", 0},
     "100 bodies",
     {"spot:variant=equal,bodies=100", QUESTION_TOI, "", 0},
     CLIFF_WHOLE,
     20},
    {"twins",
     {TWINS, QUESTION_TOI, "", 0},
     "first pair",
     {TWINS, QUESTION_FIRST, "", 0},
     CLIFF_WHOLE,
     50},
    {"balls",
     {BALLS, QUESTION_DISTANCE, "", 0},
     "near, with the limit known",
     {BALLS, QUESTION_NEAR, "", 0},
     CLIFF_KNOWN_LIMIT,
     4},
    {"far",
     {FAR_CLOTH, QUESTION_NEAR_FEATURES, "near_distance=0.1", 0},
     "shifted to the origin",
     {FAR_BACK, QUESTION_NEAR_FEATURES, "near_distance=0.1", 0},
     CLIFF_WHOLE,
     3},
    {"far",
     {FAR_CLOTH, QUESTION_NEAR, "near_distance=0.1", 0},
     "shifted to the origin",
     {FAR_BACK, QUESTION_NEAR, "near_distance=0.1", 0},
     CLIFF_WHOLE,
     3},
    {"flat",
     {"sheets:variant=flat,triangles=100000,parts=10", QUESTION_SELF, "", 0},
     "the same, rough",
     {"sheets:variant=rough,triangles=100000,parts=10", QUESTION_SELF, "", 0},
     CLIFF_WHOLE,
     8},
    {"tilted",
     {"sheets:variant=tilted,triangles=100000,parts=10", QUESTION_SELF, "", 0},
     "the same, rough",
     {"sheets:variant=rough_tilted,triangles=100000,parts=10", QUESTION_SELF, "", 0},
     CLIFF_WHOLE,
     8},
    {"still",
     {"soup:variant=strips,triangles=20000,bodies=1", QUESTION_SELF, "", 0},
     "the first time",
     {NULL, QUESTION_NONE, "", 0},
     CLIFF_AGAIN,
     0.01},
    {"still",
     {WOUND_CLOTH, QUESTION_SELF, "", 100},
     "the first time",
     {NULL, QUESTION_NONE, "", 0},
     CLIFF_AGAIN,
     0.01},
    {"needles",
     {"needles:triangles=20000", QUESTION_SELF, "", 0},
     "",
     {NULL, QUESTION_NONE, "", 0},
     CLIFF_WHOLE,
     0},
    {"shells",
     {"shells:triangles=80,bodies=1000", QUESTION_PAIRS, "", 0},
     "",
     {NULL, QUESTION_NONE, "", 0},
     CLIFF_WHOLE,
     0},
    {NULL, {NULL, QUESTION_NONE, "", 0}, "", {NULL, QUESTION_NONE, "", 0}, CLIFF_WHOLE, 0},
};

/* ---- which of them ---- */

/* A shape, or the scene that it is made with. */
static bool is_named(const cliff_def *def, const char *name)
{
    const size_t length = strcspn(def->asked.spec, ":");
    return strcmp(def->shape, name) == 0 ||
           (strlen(name) == length && memcmp(def->asked.spec, name, length) == 0);
}

bool cliff_is_wanted(const cliff_def *def, const bench_options *options)
{
    bool has_name = options->scene_count == 0, has_question = options->question_count == 0;
    for (uint32_t i = 0; !has_name && i < options->scene_count; i++) {
        has_name = is_named(def, options->scenes[i]);
    }
    for (uint32_t i = 0; !has_question && i < options->question_count; i++) {
        has_question = def->asked.question == options->questions[i];
    }
    return has_name && has_question;
}

static int check_name(const char *name)
{
    guess g = guess_for(name);
    for (const cliff_def *def = cliff_defs; def->shape != NULL; def++) {
        if (is_named(def, name)) return EXIT_FINE;
        guess_offer(&g, def->shape);
    }
    return complain_unknown("bench", g.best, "--suite cliffs --table shows all of them",
                            "the suite cliffs has no shape '%s'", name);
}

int cliff_check_names(const bench_options *options)
{
    int code = EXIT_FINE;
    for (uint32_t i = 0; code == EXIT_FINE && i < options->scene_count; i++) {
        code = check_name(options->scenes[i]);
    }
    const cliff_def *def = cliff_defs;
    while (code == EXIT_FINE && def->shape != NULL && !cliff_is_wanted(def, options)) def++;
    if (code != EXIT_FINE || def->shape != NULL) return code;
    return complain_usage("bench", "--suite cliffs does not have this query for this shape");
}
