/* check_bodies.c - which bodies are checked, and which of them against each other: --only,
 * --between, --ignore and --no-self.
 *
 * Way in: check_choose_bodies. Bodies that the same names fit behave the same, so that they are one
 * class; a class is a category of the library, and the classes that it may meet are its mask. */
#define _POSIX_C_SOURCE 200809L
#include "bench/common/complain.h"
#include "cli/check.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

enum { CLASS_MAX = 64 };

/* Bit 2k says that the first name of rule k fits the body, bit 2k + 1 that the second does. */
typedef uint64_t body_key;
_Static_assert(2 * CHECK_RULE_MAX <= 64, "a bit for each name");

typedef struct class_list {
    body_key keys[CLASS_MAX];
    uint32_t sizes[CLASS_MAX]; /* how many bodies */
    uint32_t count;
} class_list;

/* ---- names ---- */

static bool fits(const char *name, const char *body)
{
    if (strcmp(name, body) == 0) return true;
    return strpbrk(name, "*?[") != NULL && fnmatch(name, body, 0) == 0;
}

static bool fits_any(const clip *c, const char *name)
{
    for (uint32_t i = 0; i < c->body_count; i++) {
        if (fits(name, c->bodies[i].name)) return true;
    }
    return false;
}

static char *copy_part(const char *text, size_t length)
{
    char *copy = calloc(length + 1, 1);
    if (copy != NULL) memcpy(copy, text, length);
    return copy;
}

/* ---- two names ---- */

typedef struct name_pair {
    char *a, *b;
} name_pair;

static void name_pair_free(name_pair *names)
{
    free(names->a);
    free(names->b);
    *names = (name_pair){NULL, NULL};
}

/* Names may have commas: the first of these counts that leaves two names which fit, or else the
 * first of all. */
static bool split_names(const clip *c, const char *text, name_pair *out)
{
    const char *first = strchr(text, ',');
    for (const char *comma = first; comma != NULL; comma = strchr(comma + 1, ',')) {
        *out = (name_pair){copy_part(text, (size_t)(comma - text)),
                           copy_part(comma + 1, strlen(comma + 1))};
        if (out->a == NULL || out->b == NULL) return false;
        if (fits_any(c, out->a) && fits_any(c, out->b)) return true;
        name_pair_free(out);
    }
    *out = (name_pair){copy_part(text, (size_t)(first - text)),
                       copy_part(first + 1, strlen(first + 1))};
    return out->a != NULL && out->b != NULL;
}

static int read_rule(const clip *c, const check_rule *rule, uint32_t number, body_key *keys)
{
    name_pair names;
    int code = EXIT_FINE;
    if (strchr(rule->text, ',') == NULL) {
        return complain_usage("check", "%s %s: two names are needed, as in %s Shirt,Body",
                              rule->option, rule->text, rule->option);
    }
    if (!split_names(c, rule->text, &names)) {
        code = complain("check", "out of memory");
    } else if (!fits_any(c, names.a)) {
        code = target_complain_body("check", rule->option, c, names.a);
    } else if (!fits_any(c, names.b)) {
        code = target_complain_body("check", rule->option, c, names.b);
    }
    for (uint32_t i = 0; code == EXIT_FINE && i < c->body_count; i++) {
        if (fits(names.a, c->bodies[i].name)) keys[i] |= UINT64_C(1) << 2 * number;
        if (fits(names.b, c->bodies[i].name)) keys[i] |= UINT64_C(2) << 2 * number;
    }
    name_pair_free(&names);
    return code;
}

/* ---- who meets whom ---- */

static bool rule_fits(body_key a, body_key b, uint32_t number)
{
    const body_key first = UINT64_C(1) << 2 * number, second = UINT64_C(2) << 2 * number;
    return ((a & first) != 0 && (b & second) != 0) || ((a & second) != 0 && (b & first) != 0);
}

static bool may_meet(const check_options *options, body_key a, body_key b, bool is_same)
{
    bool is_wanted = !is_same || !options->no_self, has_between = false;
    for (uint32_t i = 0; i < options->rule_count; i++) has_between |= !options->rules[i].is_ignored;
    if (has_between) is_wanted = false;
    for (uint32_t i = 0; i < options->rule_count; i++) {
        if (!options->rules[i].is_ignored && rule_fits(a, b, i)) is_wanted = true;
    }
    for (uint32_t i = 0; i < options->rule_count; i++) {
        if (options->rules[i].is_ignored && rule_fits(a, b, i)) return false;
    }
    return is_wanted;
}

static uint32_t class_of(const class_list *classes, body_key key)
{
    uint32_t i = 0;
    while (i < classes->count && classes->keys[i] != key) i++;
    return i;
}

static bool make_classes(class_list *classes, const clip *c, const clip_role *roles,
                         const body_key *keys)
{
    for (uint32_t i = 0; i < c->body_count; i++) {
        if (!roles[i].is_played) continue;
        const uint32_t at = class_of(classes, keys[i]);
        if (at == CLASS_MAX) return false;
        if (at == classes->count) classes->keys[classes->count++] = keys[i];
        classes->sizes[at]++;
    }
    return true;
}

/* A class meets itself if it has two bodies. */
static uint64_t class_mask(const class_list *classes, const check_options *options, uint32_t at)
{
    uint64_t mask = 0;
    for (uint32_t i = 0; i < classes->count; i++) {
        if (i == at && classes->sizes[i] < 2) continue;
        if (may_meet(options, classes->keys[at], classes->keys[i], false)) mask |= UINT64_C(1) << i;
    }
    return mask;
}

static int give_roles(const clip *c, const check_options *options, const body_key *keys,
                      clip_role *roles)
{
    class_list classes = {.count = 0};
    if (!make_classes(&classes, c, roles, keys)) {
        return complain_usage("check", "--between and --ignore make more than %d kinds of bodies",
                              CLASS_MAX);
    }
    bool is_any = options->rule_count == 0;
    for (uint32_t i = 0; i < c->body_count; i++) {
        if (!roles[i].is_played) continue;
        const uint32_t at = class_of(&classes, keys[i]);
        roles[i].self = may_meet(options, keys[i], keys[i], true);
        roles[i].category_bits = UINT64_C(1) << at;
        roles[i].mask_bits = class_mask(&classes, options, at);
        roles[i].is_played = options->rule_count == 0 || roles[i].self || roles[i].mask_bits != 0;
        is_any |= roles[i].is_played;
    }
    return is_any ? EXIT_FINE
                  : complain_usage("check",
                                   "the rules of --between and --ignore leave nothing to check");
}

/* ---- --only ---- */

/* Plays the bodies that a name fits; false if there is none. */
static bool play_named(const clip *c, const char *name, clip_role *roles)
{
    bool found = false;
    for (uint32_t i = 0; i < c->body_count; i++) {
        if (!fits(name, c->bodies[i].name)) continue;
        roles[i].is_played = true;
        found = true;
    }
    return found;
}

/* Takes names off the end until what is left is one that fits: the longest counts, since names may
 * have commas. Leaves the first alone, if none does. */
static bool shorten_to_name(const clip *c, char *names, clip_role *roles)
{
    while (!play_named(c, names, roles)) {
        char *comma = strrchr(names, ',');
        if (comma == NULL) return false;
        *comma = '\0';
    }
    return true;
}

static int play_only(const clip *c, const char *text, clip_role *roles)
{
    while (*text != '\0') {
        char *name = copy_part(text, strlen(text));
        if (name == NULL) return complain("check", "out of memory");
        const bool fine = shorten_to_name(c, name, roles);
        if (!fine) target_complain_body("check", "--only", c, name);
        text += strlen(name);
        free(name);
        if (!fine) return EXIT_ERROR;
        text += *text == ',';
    }
    return EXIT_FINE;
}

/* ---- the whole ---- */

static int fill_roles(const clip *c, const check_options *options, clip_role *roles, body_key *keys)
{
    int code = EXIT_FINE;
    for (uint32_t i = 0; i < c->body_count; i++) roles[i].is_played = options->only == NULL;
    if (options->only != NULL) code = play_only(c, options->only, roles);
    for (uint32_t i = 0; code == EXIT_FINE && i < options->rule_count; i++) {
        code = read_rule(c, &options->rules[i], i, keys);
    }
    return code == EXIT_FINE ? give_roles(c, options, keys, roles) : code;
}

int check_choose_bodies(const clip *c, const check_options *options, clip_role **out)
{
    clip_role *roles = calloc((size_t)c->body_count + 1, sizeof *roles);
    body_key *keys = calloc((size_t)c->body_count + 1, sizeof *keys);
    int code = roles != NULL && keys != NULL ? fill_roles(c, options, roles, keys)
                                             : complain("check", "out of memory");
    free(keys);
    *out = roles;
    return code;
}
