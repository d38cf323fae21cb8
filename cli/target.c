/* target.c - targets from the command line, with complaints that say what was meant. */
#define _POSIX_C_SOURCE 200809L
#include "cli/target.h"
#include "bench/common/clock.h"
#include "bench/common/complain.h"
#include "bench/common/open_scene.h"
#include "bench/play/scene_clip.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char scene_prefix[] = "scene:";

static const char *target_spec(const char *word)
{
    size_t length = sizeof scene_prefix - 1;
    return strncmp(word, scene_prefix, length) == 0 ? word + length : NULL;
}

/* ---- words that are nothing ---- */

/* Whether somebody wrote the name of a file, and not a pattern, or a mesh and its cache. */
static bool is_missing_file(const char *word)
{
    return strpbrk(word, "*?[%+") == NULL && access(word, F_OK) != 0 && errno != EACCES;
}

enum { TARGET_NAME_MAX = 256 };

/* A file of the same folder with nearly that name; "" if there is none. */
static void guess_file(const char *path, char best[TARGET_NAME_MAX])
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    char folder[1024] = ".";
    best[0] = '\0';
    if (slash != NULL) {
        const size_t length = slash == path ? 1 : (size_t)(slash - path);
        if (length >= sizeof folder) return;
        memcpy(folder, path, length);
        folder[length] = '\0';
    }
    DIR *entries = opendir(folder);
    if (entries == NULL) return;
    guess g = guess_for(name);
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        const uint32_t before = g.apart;
        if (entry->d_name[0] != '.') guess_offer(&g, entry->d_name);
        if (g.apart == before) continue;
        /* Guesses are made about short names only. */
        if (name - path > TARGET_NAME_MAX - 80) continue;
        snprintf(best, TARGET_NAME_MAX, "%.*s%.64s", (int)(name - path), path, entry->d_name);
    }
    closedir(entries);
}

static void complain_missing(const char *command_name, const char *word)
{
    char best[TARGET_NAME_MAX];
    const char *scene_name = strpbrk(word, "./") == NULL ? scene_guess(word) : NULL;
    if (scene_name != NULL) {
        snprintf(best, sizeof best, "%s%s", scene_prefix, scene_name);
    } else {
        guess_file(word, best);
    }
    complain_unknown(command_name, best[0] != '\0' ? best : NULL,
                     "a target is a file, or scene:NAME, and 'willow scene list' has the names",
                     "there is no file '%s'", word);
}

/* ---- opening ---- */

static bool open_scene(target *t, const char *command_name, const char *spec,
                       const clip_options *options)
{
    io_error error;
    if (options->fps > 0 || options->animation != NULL || options->scene != NULL ||
        options->no_weld) {
        complain_usage(command_name,
                       "--fps, --animation, --scene and --no-weld are about files, not scene:%s",
                       spec);
        return false;
    }
    t->scene = scene_open(command_name, spec);
    if (t->scene == NULL) return false;
    t->opened = scene_clip_create(t->scene, &error);
    if (t->opened == NULL) complain(command_name, "%s", error.text);
    return t->opened != NULL;
}

static bool open_files(target *t, const char *command_name, char *const *words, uint32_t count,
                       const clip_options *options)
{
    io_error error;
    for (uint32_t i = 0; i < count; i++) {
        if (target_spec(words[i]) != NULL) {
            complain_usage(command_name, "'%s' is a scene, and scenes stand alone", words[i]);
            return false;
        }
        if (is_missing_file(words[i])) {
            complain_missing(command_name, words[i]);
            return false;
        }
    }
    t->opened = clip_open((const char *const *)words, count, options, &error);
    if (t->opened == NULL) complain(command_name, "%s", error.text);
    return t->opened != NULL;
}

static char *join_words(char *const *words, uint32_t count)
{
    size_t length = 1;
    for (uint32_t i = 0; i < count; i++) length += strlen(words[i]) + 1;
    char *all = calloc(length, 1);
    for (uint32_t i = 0; all != NULL && i < count; i++) {
        if (i > 0) strcat(all, " ");
        strcat(all, words[i]);
    }
    return all;
}

static char *make_title(char *const *words, uint32_t count)
{
    enum { FEW = 3 };
    char more[32], *some[2] = {words[0], more};
    snprintf(more, sizeof more, "and %u more files", count - 1);
    return count <= FEW ? join_words(words, count) : join_words(some, 2);
}

bool target_open(target *t, const char *command_name, char *const *words, uint32_t count,
                 const clip_options *options)
{
    *t = (target){.words = join_words(words, count), .title = make_title(words, count)};
    if (t->words == NULL || t->title == NULL) {
        complain(command_name, "out of memory");
        return false;
    }
    const double start = now_ms();
    const char *spec = count == 1 ? target_spec(words[0]) : NULL;
    const bool fine = spec != NULL ? open_scene(t, command_name, spec, options)
                                   : open_files(t, command_name, words, count, options);
    t->clip = t->opened;
    t->open_ms = now_ms() - start;
    return fine;
}

void target_close(target *t)
{
    if (t->opened != NULL) clip_close(t->opened);
    scene_destroy(t->scene);
    free(t->words);
    free(t->title);
    *t = (target){0};
}

/* ---- what there is ---- */

/* "there are Shirt, Body and 3 more". */
static void list_names(const clip *c, char *out, size_t size)
{
    enum { LISTED = 6 };
    const uint32_t listed = c->body_count <= LISTED + 1 ? c->body_count : LISTED;
    size_t used = (size_t)snprintf(out, size, c->body_count == 1 ? "there is" : "there are");
    for (uint32_t i = 0; i < listed && used < size; i++) {
        const bool is_last = i + 1 == c->body_count;
        const char *between = i == 0 ? " " : is_last ? " and " : ", ";
        used += (size_t)snprintf(out + used, size - used, "%s'%.60s'", between, c->bodies[i].name);
    }
    if (listed < c->body_count && used < size) {
        snprintf(out + used, size - used, " and %u more, which 'willow info' lists",
                 c->body_count - listed);
    }
}

int target_complain_body(const char *command_name, const char *option, const clip *c,
                         const char *name)
{
    char names[640];
    guess g = guess_for(name);
    for (uint32_t i = 0; i < c->body_count; i++) guess_offer(&g, c->bodies[i].name);
    list_names(c, names, sizeof names);
    return complain_unknown(command_name, g.best, names, "%s: there is no body '%s'", option, name);
}

uint64_t target_triangle_total(const target *t)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < t->clip->body_count; i++) {
        total += t->clip->bodies[i].mesh.triangle_count;
    }
    return total;
}

uint64_t target_vertex_total(const target *t)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < t->clip->body_count; i++) {
        total += t->clip->bodies[i].mesh.vertex_count;
    }
    return total;
}
