/* scene.c - `willow scene`: the built-in scenes, what they stand for, and their keys. */
#include "bench/common/command.h"
#include "bench/common/complain.h"
#include "bench/common/json_line.h"
#include "bench/common/numbers.h"
#include "bench/common/open_scene.h"
#include "bench/play/scene_clip.h"
#include "cli/commands.h"
#include "cli/samples.h"
#include "cli/scene_keys.h"
#include "io/gltf_write.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "The scenes that are built in: pure functions of the frame number, the same bits "
    "everywhere.\n\n"
    "Examples:\n"
    "  willow scene list                   which scenes are there, and with which keys?\n"
    "  willow scene show bumpy             one of them: ranges, meanings, what it stands for\n"
    "  willow scene export bumpy --out bumpy.glb\n"
    "                                      a file that others open; keys and frames as in check\n"
    "  willow scene list --json            the same for programs, one object per line\n"
    "  willow check scene:bumpy:triangles=81920,seed=3\n"
    "  willow bench --scene soup:bodies=10,variant=strips\n"
    "                                      a scene is named with any of its keys\n\n"
    "Usage: willow scene list [OPTIONS]\n"
    "       willow scene show NAME [OPTIONS]\n"
    "       willow scene export NAME[:key=value,...] --out FILE.glb [OPTIONS]\n\n"
    "Options:\n"
    "      --out FILE       of export: a binary glTF file (.glb)\n"
    "      --frames SPAN    of export: the first N frames, or frames A-B, A- or A:B:STEP\n"
    "      --json           one JSON object per scene and line\n"
    "  -h, --help           this text\n\n"
    "A file has 24 frames a second: poses and weights where the scene knows them, else a morph\n"
    "target for each frame.\n\n"
    "Exit status: 0 fine; 2 error.\n";

enum { OPTION_OUT = 256, OPTION_FRAMES, OPTION_JSON };

static const struct option long_options[] = {
    {"out", required_argument, NULL, OPTION_OUT},
    {"frames", required_argument, NULL, OPTION_FRAMES},
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

/* ---- lists ---- */

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

/* ---- files ---- */

typedef struct scene_options {
    bool json;
    const char *out, *frames;
} scene_options;

static int export_clip(const clip *c, const scene_options *options)
{
    sample_list list;
    io_error error;
    const sample_options samples = {.frames = options->frames, .substeps = 1};
    int code = sample_list_choose(&list, "scene", c, &samples);
    if (code == EXIT_FINE && !gltf_write(c, list.times, list.count, options->out, &error)) {
        code = complain("scene", "%s", error.text);
    }
    if (code == EXIT_FINE) {
        printf("%s: %" PRIu32 " bod%s, %" PRIu32 " frame%s\n", options->out, c->body_count,
               c->body_count == 1 ? "y" : "ies", list.count, plural(list.count));
    }
    sample_list_destroy(&list);
    return code;
}

static bool is_glb(const char *path)
{
    const size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".glb") == 0;
}

/* "scene:bumpy" is as good as "bumpy". */
static int export_scene(const char *name, const scene_options *options)
{
    io_error error;
    int code;
    if (options->out == NULL) {
        return complain_usage("scene", "export needs a file: willow scene export bumpy --out "
                                       "bumpy.glb");
    }
    if (!is_glb(options->out)) {
        return complain_usage("scene", "--out %s: only .glb files are written", options->out);
    }
    scene *s = scene_open("scene", strncmp(name, "scene:", 6) == 0 ? name + 6 : name);
    if (s == NULL) return EXIT_ERROR;
    clip *c = scene_clip_create(s, &error);
    code = c != NULL ? export_clip(c, options) : complain("scene", "%s", error.text);
    if (c != NULL) clip_close(c);
    scene_destroy(s);
    return code;
}

/* ---- the command ---- */

static int take_scene_option(void *context, int option, const char *value)
{
    scene_options *options = context;
    switch (option) {
    case OPTION_OUT: options->out = value; break;
    case OPTION_FRAMES: options->frames = value; break;
    case OPTION_JSON: options->json = true; break;
    }
    return EXIT_FINE;
}

static int do_scene_deed(int argc, char **argv, const scene_options *options)
{
    static const char *const deeds[] = {"list", "show", "export", NULL};
    char **words = argv + optind;
    int count = argc - optind;
    if (strcmp(words[0], "list") == 0) {
        if (count == 1) return list_scenes(options->json);
        return refuse_more_words(&command_scene, argc, argv, 1);
    }
    if (strcmp(words[0], "show") == 0) {
        if (count == 2) return show_named(words[1], options->json);
        return complain_usage("scene", "show needs the name of one scene: willow scene show bumpy");
    }
    if (strcmp(words[0], "export") == 0) {
        if (count == 2) return export_scene(words[1], options);
        return complain_usage("scene", "export needs the name of one scene: willow scene export "
                                       "bumpy --out bumpy.glb");
    }
    return complain_unknown("scene", guess_from(words[0], deeds),
                            "there are 'scene list', 'scene show' and 'scene export'",
                            "there is no 'scene %s'", words[0]);
}

static int run_scene_command(int argc, char **argv)
{
    int code;
    scene_options options = {.json = false};
    if (!read_options(&command_scene, argc, argv, take_scene_option, &options, &code)) return code;
    if (optind == argc) return complain_usage("scene", "say what to do: willow scene list");
    const char *deed = argv[optind];
    const bool is_look = strcmp(deed, "list") == 0 || strcmp(deed, "show") == 0;
    if (is_look && (options.out != NULL || options.frames != NULL)) {
        return complain_usage("scene", "--out and --frames are about 'scene export'");
    }
    if (strcmp(deed, "export") == 0 && options.json) {
        return complain_usage("scene", "--json is about 'scene list' and 'scene show'");
    }
    return do_scene_deed(argc, argv, &options);
}

const command command_scene = {
    "scene",      "list the built-in scenes and their keys, or write one to a file",
    help,         "",
    long_options, run_scene_command};
