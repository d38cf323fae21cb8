/* view.c - `willow view`: a target as a page in 3D, for the browser, without checking it. */
#define _DEFAULT_SOURCE
#include "bench/common/command.h"
#include "bench/common/complain.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/page/page.h"
#include "cli/samples.h"
#include "cli/target.h"

#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char help[] =
    "Writes a page that shows a target in 3D, and opens it in the browser. The page is one file\n"
    "that needs no network, to be kept or sent. 'willow check --report' makes the same page with\n"
    "all that collides.\n\n"
    "Examples:\n"
    "  willow view clip.glb                          look at it now\n"
    "  willow view clip.glb --out clip.html --no-open\n"
    "                                                only write the page\n"
    "  willow view scene:bumpy --frames 60-90        the same of a scene that is built in\n\n"
    "Usage: willow view [OPTIONS] TARGET...\n\n" TARGET_HELP "\n";

static const char more_help[] =
    "Options:\n"
    "      --out FILE       where the page goes; default: the folder for temporary files\n"
    "      --no-open        do not start the browser\n"
    "      --frames SPAN    the first N frames, or frames A-B, A- (to the end) or A:B:STEP\n"
    "      --fps F          show F frames a second instead of the keys of the file\n"
    "      --animation NAME the animation of a file with several, by name or number\n"
    "      --scene NAME     the scene of a glTF file, by name or number\n"
    "      --template FILE  the empty page, if it is not beside the tool\n"
    "  -h, --help           this text\n\n"
    "Exit status: 0 fine; 2 error.\n";

enum {
    OPTION_OUT = 256,
    OPTION_NO_OPEN,
    OPTION_FRAMES,
    OPTION_FPS,
    OPTION_ANIMATION,
    OPTION_SCENE,
    OPTION_TEMPLATE
};

static const struct option long_options[] = {
    {"out", required_argument, NULL, OPTION_OUT},
    {"no-open", no_argument, NULL, OPTION_NO_OPEN},
    {"frames", required_argument, NULL, OPTION_FRAMES},
    {"fps", required_argument, NULL, OPTION_FPS},
    {"animation", required_argument, NULL, OPTION_ANIMATION},
    {"scene", required_argument, NULL, OPTION_SCENE},
    {"template", required_argument, NULL, OPTION_TEMPLATE},
    {"help", no_argument, NULL, 'h'},
    {0},
};

typedef struct view_options {
    clip_options clip;
    sample_options samples;
    const char *out, *shell;
    bool no_open;
} view_options;

static int take_fps(view_options *options, const char *text)
{
    const int code = sample_take_fps(&options->samples, "view", text);
    options->clip.fps = options->samples.fps;
    return code;
}

static int take_view_option(void *context, int option, const char *value)
{
    view_options *options = context;
    switch (option) {
    case OPTION_OUT: options->out = value; break;
    case OPTION_NO_OPEN: options->no_open = true; break;
    case OPTION_FRAMES: options->samples.frames = value; break;
    case OPTION_FPS: return take_fps(options, value);
    case OPTION_ANIMATION: options->clip.animation = value; break;
    case OPTION_SCENE: options->clip.scene = value; break;
    case OPTION_TEMPLATE: options->shell = value; break;
    }
    return EXIT_FINE;
}

/* ---- the browser ---- */

extern char **environ;

/* xdg-open, or what the user's desktop has instead, ends when the browser has taken the page. */
static bool open_with(const char *program, const char *path)
{
    pid_t child;
    int status;
    char *const words[] = {(char *)program, (char *)path, NULL};
    if (posix_spawnp(&child, program, NULL, NULL, words, environ) != 0) return false;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void open_page(const char *path)
{
    if (open_with("xdg-open", path) || open_with("open", path)) return;
    fprintf(stderr, "willow view: no browser could be started; open the page by hand\n");
}

/* ---- the command ---- */

/* "/tmp/willow-XXXXXX/clip.html": a folder that nobody else has. */
static bool choose_place(char path[PATH_MAX])
{
    const char *folder = getenv("TMPDIR");
    if (folder == NULL || folder[0] == '\0') folder = "/tmp";
    const int used = snprintf(path, PATH_MAX - 16, "%s/willow-XXXXXX", folder);
    if (used >= PATH_MAX - 16 || mkdtemp(path) == NULL) {
        complain("view", "%s: %s; --out FILE names another place", folder, strerror(errno));
        return false;
    }
    strcat(path, "/clip.html");
    return true;
}

static int view_write(const page_def *def, bool no_open)
{
    int code = clip_page_check("view", def);
    if (code == EXIT_FINE) code = clip_page_write("view", def);
    if (code != EXIT_FINE) return code;
    printf("%s\n", def->out);
    fflush(stdout);
    if (!no_open) open_page(def->out);
    return EXIT_FINE;
}

static int view_target(const target *t, const view_options *options, const char *command_line)
{
    sample_list s;
    char place[PATH_MAX];
    int code = sample_list_choose(&s, "view", t->clip, &options->samples);
    if (code == EXIT_FINE && options->out == NULL && !choose_place(place)) code = EXIT_ERROR;
    const page_def def = {.target = t,
                          .samples = &s,
                          .command = command_line,
                          .shell = options->shell,
                          .out = options->out != NULL ? options->out : place};
    if (code == EXIT_FINE) code = view_write(&def, options->no_open);
    sample_list_destroy(&s);
    return code;
}

static int run_view(int argc, char **argv)
{
    int code;
    target t;
    view_options options = {.clip = clip_options_default(), .samples = {.substeps = 1}};
    char *command_line = command_line_join(argc, argv);
    if (command_line == NULL) return complain("view", "out of memory");
    if (read_options(&command_view, argc, argv, take_view_option, &options, &code)) {
        if (optind == argc) {
            code = complain_usage("view", "say what to look at: willow view clip.glb, or willow "
                                          "view scene:bumpy");
        } else {
            code = target_open(&t, "view", argv + optind, (uint32_t)(argc - optind), &options.clip)
                       ? view_target(&t, &options, command_line)
                       : EXIT_ERROR;
            target_close(&t);
        }
    }
    free(command_line);
    return code;
}

const command command_view = {
    "view", "show a target in 3D in the browser", help, more_help, long_options, run_view};
