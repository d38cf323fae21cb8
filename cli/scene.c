/* scene.c - `willow scene`: the built-in scenes, what they stand for, and their keys. */
#include "bench/common/command.h"
#include "bench/common/complain.h"
#include "bench/common/json_line.h"
#include "bench/common/open_scene.h"
#include "cli/commands.h"
#include "cli/scene_keys.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "The scenes that are built in: pure functions of the frame number, the same bits "
    "everywhere.\n\n"
    "Examples:\n"
    "  willow scene list                   which scenes are there, and with which keys?\n"
    "  willow scene show bumpy             one of them: ranges, meanings, what it stands for\n"
    "  willow scene list --json            the same for programs, one object per line\n"
    "  willow check scene:bumpy:triangles=81920,seed=3\n"
    "  willow bench --scene soup:bodies=10,variant=strips\n"
    "                                      a scene is named with any of its keys\n\n"
    "Usage: willow scene list [OPTIONS]\n"
    "       willow scene show NAME [OPTIONS]\n\n"
    "Options:\n"
    "      --json  one JSON object per scene and line\n"
    "  -h, --help  this text\n\n"
    "Exit status: 0 fine; 2 error.\n";

enum { OPTION_JSON = 256 };

static const struct option long_options[] = {
    {"json", no_argument, NULL, OPTION_JSON},
    {"help", no_argument, NULL, 'h'},
    {0},
};

/* ---- for programs ---- */

static void add_keys(json_line *line, const scene_kind *kind)
{
    scene_key keys[SCENE_KEY_MAX];
    json_t *list = json_array();
    int count = scene_keys(kind, keys);
    for (int i = 0; i < count; i++) {
        json_line key = json_line_begin();
        json_line_text(&key, "key", keys[i].name);
        json_line_count(&key, "default", keys[i].usual);
        json_line_count(&key, "lowest", keys[i].lowest);
        json_line_count(&key, "highest", keys[i].highest);
        json_line_text(&key, "what", keys[i].what);
        json_line_append(line, list, &key);
    }
    json_line_value(line, "keys", list);
}

static void add_variants(json_line *line, const scene_kind *kind)
{
    char word[SCENE_VARIANT_MAX];
    json_t *list = json_array();
    for (const char *rest = kind->variants; (rest = next_variant(rest, word)) != NULL;) {
        if (json_array_append_new(list, json_string(word)) != 0) line->fine = false;
    }
    json_line_value(line, "variants", list);
    if (kind->variants[0] != '\0') {
        json_line_text(line, "default_variant", kind->defaults.variant);
    }
}

static int scene_print_json(const scene_kind *kind)
{
    json_line line = json_line_begin();
    json_line_text(&line, "name", kind->name);
    json_line_text(&line, "summary", kind->summary);
    json_line_text(&line, "stands_for", kind->stands_for);
    add_keys(&line, kind);
    add_variants(&line, kind);
    return json_line_print(&line, "scene");
}

/* ---- for people ---- */

/* "triangles=20480 frames=200 variant=apart": what the scene has if nothing is said. */
static void print_defaults(const scene_kind *kind)
{
    scene_key keys[SCENE_KEY_MAX];
    int count = scene_keys(kind, keys);
    for (int i = 0; i < count; i++) {
        printf("%s%s=%" PRIu32, i > 0 ? " " : "", keys[i].name, keys[i].usual);
    }
    if (kind->variants[0] != '\0') printf(" variant=%s", kind->defaults.variant);
    putchar('\n');
}

static void list_scene(const scene_kind *kind)
{
    printf("%-10s  %s\n            ", kind->name, kind->summary);
    print_defaults(kind);
}

static void show_key(const scene_key *key)
{
    char range[48];
    snprintf(range, sizeof range, "%" PRIu32 " to %" PRIu32, key->lowest, key->highest);
    printf("  %-10s  %-8" PRIu32 "  %-15s  %s\n", key->name, key->usual, range, key->what);
}

/* One that differs from the defaults, so that it can be tried as it stands. */
static void show_example(const scene_kind *kind)
{
    uint32_t frames = kind->defaults.frames / 2 > 0 ? kind->defaults.frames / 2 : 1;
    printf("\nExamples:\n  willow check scene:%s\n  willow check scene:%s:frames=%" PRIu32 "\n",
           kind->name, kind->name, frames);
    char word[SCENE_VARIANT_MAX];
    for (const char *rest = kind->variants; (rest = next_variant(rest, word)) != NULL;) {
        if (strcmp(word, kind->defaults.variant) == 0) continue;
        printf("  willow check scene:%s:variant=%s\n", kind->name, word);
    }
}

static void show_scene(const scene_kind *kind)
{
    scene_key keys[SCENE_KEY_MAX];
    int count = scene_keys(kind, keys);
    printf("%s: %s\n\nStands for: %s\n\n", kind->name, kind->summary, kind->stands_for);
    printf("  %-10s  %-8s  %-15s  %s\n", "key", "default", "range", "meaning");
    for (int i = 0; i < count; i++) show_key(&keys[i]);
    if (kind->variants[0] != '\0') {
        printf("  %-10s  %-8s  one of: %s\n", "variant", kind->defaults.variant, kind->variants);
    }
    show_example(kind);
}

/* ---- the command ---- */

static int list_scenes(bool json)
{
    int code = EXIT_FINE;
    for (const scene_kind *const *kind = scene_kinds; code == EXIT_FINE && *kind != NULL; kind++) {
        if (json) {
            code = scene_print_json(*kind);
        } else {
            list_scene(*kind);
        }
    }
    if (!json) puts("\n'willow scene show NAME' says more.");
    return code;
}

static int show_named(const char *name, bool json)
{
    const scene_kind *kind = scene_kind_find(name);
    if (kind == NULL) {
        return complain_unknown("scene", scene_guess(name), "'willow scene list' has the names",
                                "there is no scene '%s'", name);
    }
    if (json) return scene_print_json(kind);
    show_scene(kind);
    return EXIT_FINE;
}

static int take_scene_option(void *context, int option, const char *value)
{
    (void)value;
    if (option == OPTION_JSON) *(bool *)context = true;
    return EXIT_FINE;
}

static int run_scene_command(int argc, char **argv)
{
    static const char *const deeds[] = {"list", "show", NULL};
    int code;
    bool json = false;
    if (!read_options(&command_scene, argc, argv, take_scene_option, &json, &code)) return code;
    char **words = argv + optind;
    int count = argc - optind;
    if (count == 0) return complain_usage("scene", "say what to do: willow scene list");
    if (strcmp(words[0], "list") == 0) {
        if (count == 1) return list_scenes(json);
        return refuse_more_words(&command_scene, argc, argv, 1);
    }
    if (strcmp(words[0], "show") == 0) {
        if (count == 2) return show_named(words[1], json);
        return complain_usage("scene", "show needs the name of one scene: willow scene show bumpy");
    }
    return complain_unknown("scene", guess_from(words[0], deeds),
                            "there are 'scene list' and 'scene show'", "there is no 'scene %s'",
                            words[0]);
}

const command command_scene = {
    "scene", "list the built-in scenes and their keys", help, "", long_options, run_scene_command};
