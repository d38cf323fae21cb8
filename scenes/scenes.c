/* scenes.c - the table of scenes, and scenes made from a text.
 *
 * Way in: scene_create. Everything that can be wrong with a text is said in words here, so that a
 * scene's own file holds nothing but the scene. */
#include "scenes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The table: X(name), where the file scenes/<name>.c defines the scene_kind scene_<name>; crowds in
 * the plane and in space are one file, crowd_bodies.c, and dolphins.c has the school, too. */
#define SCENES(X)                                                                                  \
    X(bumpy)                                                                                       \
    X(many)                                                                                        \
    X(converge)                                                                                    \
    X(tumble)                                                                                      \
    X(avatar)                                                                                      \
    X(tablecloth)                                                                                  \
    X(selfcloth)                                                                                   \
    X(stir)                                                                                        \
    X(twist)                                                                                       \
    X(rollers)                                                                                     \
    X(spheres)                                                                                     \
    X(walker)                                                                                      \
    X(morphing)                                                                                    \
    X(dolphins)                                                                                    \
    X(school)                                                                                      \
    X(faces)                                                                                       \
    X(fans)                                                                                        \
    X(sheets)                                                                                      \
    X(spot)                                                                                        \
    X(shells)                                                                                      \
    X(needles)                                                                                     \
    X(soup)                                                                                        \
    X(degenerate)                                                                                  \
    X(rays9)                                                                                       \
    X(museum)                                                                                      \
    X(crowd_rays)                                                                                  \
    X(debris)                                                                                      \
    X(bunnies)                                                                                     \
    X(shelf)                                                                                       \
    X(crowd2d)                                                                                     \
    X(crowd3d)                                                                                     \
    X(splitting)                                                                                   \
    X(apple)                                                                                       \
    X(pumpkin)                                                                                     \
    X(shatter)

#define SCENE_ENTRY(name) extern const scene_kind scene_##name;
SCENES(SCENE_ENTRY)
#undef SCENE_ENTRY

const scene_kind *const scene_kinds[] = {
#define SCENE_ENTRY(name) &scene_##name,
    SCENES(SCENE_ENTRY)
#undef SCENE_ENTRY
        NULL,
};

/* Where a number of scene_params lives. */
typedef struct number_key {
    const char *name;
    size_t offset;
} number_key;

static const number_key number_keys[] = {
#define SCENE_NUMBER_ENTRY(key, what) {#key, offsetof(scene_params, key)},
    SCENE_NUMBERS(SCENE_NUMBER_ENTRY)
#undef SCENE_NUMBER_ENTRY
};

enum { NUMBER_KEY_COUNT = sizeof number_keys / sizeof number_keys[0] };

static uint32_t get_number(const scene_params *params, const number_key *key)
{
    uint32_t value;
    memcpy(&value, (const char *)params + key->offset, sizeof value);
    return value;
}

static void set_number(scene_params *params, const number_key *key, uint32_t value)
{
    memcpy((char *)params + key->offset, &value, sizeof value);
}

/* The text of an error while it is written. */
typedef struct complaint {
    char *text;
    size_t size, used;
} complaint;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
say(complaint *c, const char *format, ...)
{
    if (c->used >= c->size) {
        return;
    }
    va_list args;
    va_start(args, format);
    int written = vsnprintf(c->text + c->used, c->size - c->used, format, args);
    va_end(args);
    c->used += written > 0 ? (size_t)written : 0;
}

const scene_kind *scene_kind_find(const char *name)
{
    for (const scene_kind *const *kind = scene_kinds; *kind != NULL; kind++) {
        if (strcmp((*kind)->name, name) == 0) {
            return *kind;
        }
    }
    return NULL;
}

static bool takes_number(const scene_kind *kind, const number_key *key)
{
    return get_number(&kind->highest, key) != 0;
}

bool scene_takes(const char *name, const char *key)
{
    const scene_kind *kind = scene_kind_find(name);
    if (kind == NULL) {
        return false;
    }
    for (int i = 0; i < NUMBER_KEY_COUNT; i++) {
        if (strcmp(key, number_keys[i].name) == 0) {
            return takes_number(kind, &number_keys[i]);
        }
    }
    return strcmp(key, "variant") == 0 && kind->variants[0] != '\0';
}

static void say_keys(complaint *c, const scene_kind *kind)
{
    const char *before = "";
    for (int i = 0; i < NUMBER_KEY_COUNT; i++) {
        if (takes_number(kind, &number_keys[i])) {
            say(c, "%s%s", before, number_keys[i].name);
            before = ", ";
        }
    }
    if (kind->variants[0] != '\0') {
        say(c, "%svariant", before);
    }
}

/* Whether `word` is one of the words in `list`, which are separated by spaces. */
static bool is_listed(const char *list, const char *word)
{
    size_t length = strlen(word);
    while (*list != '\0') {
        size_t end = strcspn(list, " ");
        if (end == length && memcmp(list, word, length) == 0) {
            return true;
        }
        list += end + (list[end] == ' ');
    }
    return false;
}

static bool set_variant(scene *s, const char *value, complaint *c)
{
    if (!is_listed(s->kind->variants, value) || strlen(value) >= SCENE_VARIANT_MAX) {
        say(c, "scene '%s' has no variant '%s'; it has: %s", s->kind->name, value,
            s->kind->variants);
        return false;
    }
    memcpy(s->asked.variant, value, strlen(value) + 1);
    return true;
}

/* Digits only, below 2^32. */
static bool parse_number(const char *text, uint32_t *out)
{
    uint64_t value = 0;
    if (*text == '\0') {
        return false;
    }
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9') {
            return false;
        }
        value = value * 10 + (uint64_t)(*text - '0');
        if (value > UINT32_MAX) {
            return false;
        }
    }
    *out = (uint32_t)value;
    return true;
}

static bool set_by_key(scene *s, const number_key *key, const char *text, complaint *c)
{
    uint32_t value;
    const bool is_number = *text != '\0' && text[strspn(text, "0123456789")] == '\0';
    if (!is_number) {
        say(c, "%s=%s is no number: digits only, as in %s=%u", key->name, text, key->name,
            get_number(&s->kind->defaults, key));
        return false;
    }
    uint32_t lowest = get_number(&s->kind->lowest, key);
    uint32_t highest = get_number(&s->kind->highest, key);
    if (!parse_number(text, &value) || value < lowest || value > highest) {
        say(c, "%s=%s is out of range: scene '%s' takes %u to %u", key->name, text, s->kind->name,
            lowest, highest);
        return false;
    }
    set_number(&s->asked, key, value);
    return true;
}

/* One "key=value"; `pair` is cut at the sign. */
static bool set_pair(scene *s, char *pair, complaint *c)
{
    char *value = strchr(pair, '=');
    if (value == NULL) {
        say(c, "'%s' has no value; write key=value, as in %s:frames=%u", pair, s->kind->name,
            s->kind->defaults.frames);
        return false;
    }
    *value++ = '\0';
    if (strcmp(pair, "variant") == 0 && s->kind->variants[0] != '\0') {
        return set_variant(s, value, c);
    }
    for (int i = 0; i < NUMBER_KEY_COUNT; i++) {
        if (strcmp(pair, number_keys[i].name) == 0 && takes_number(s->kind, &number_keys[i])) {
            return set_by_key(s, &number_keys[i], value, c);
        }
    }
    say(c, "scene '%s' has no key '%s'; it has: ", s->kind->name, pair);
    say_keys(c, s->kind);
    return false;
}

/* The part behind the colon; it is cut up. */
static bool set_pairs(scene *s, char *pairs, complaint *c)
{
    while (pairs != NULL) {
        char *next = strchr(pairs, ',');
        if (next != NULL) {
            *next++ = '\0';
        }
        if (!set_pair(s, pairs, c)) {
            return false;
        }
        pairs = next;
    }
    return true;
}

static void say_unknown(complaint *c, const char *name)
{
    say(c, "there is no scene '%s'; there are: ", name);
    for (const scene_kind *const *kind = scene_kinds; *kind != NULL; kind++) {
        say(c, "%s%s", kind == scene_kinds ? "" : ", ", (*kind)->name);
    }
}

static bool parse_spec(scene *s, const char *spec, complaint *c)
{
    char text[SCENE_SPEC_MAX];
    if (strlen(spec) >= sizeof text) {
        say(c, "the text of a scene has at most %d characters", SCENE_SPEC_MAX - 1);
        return false;
    }
    memcpy(text, spec, strlen(spec) + 1);
    char *pairs = strchr(text, ':');
    if (pairs != NULL) {
        *pairs++ = '\0';
    }
    s->kind = scene_kind_find(text);
    if (s->kind == NULL) {
        say_unknown(c, text);
        return false;
    }
    s->asked = s->kind->defaults;
    return set_pairs(s, pairs, c);
}

bool scene_read(const char *spec, const scene_kind **kind, scene_params *out, char *error,
                size_t error_size)
{
    complaint c = {.text = error, .size = error_size};
    scene s = {.kind = NULL};
    say(&c, "%s", "");
    if (!parse_spec(&s, spec, &c)) return false;
    *kind = s.kind;
    *out = s.asked;
    return true;
}

scene *scene_create(const char *spec, char *error, size_t error_size)
{
    return scene_create_with(spec, NULL, error, error_size);
}

scene *scene_create_with(const char *spec, const scene_mesh *given, char *error, size_t error_size)
{
    complaint c = {.text = error, .size = error_size};
    say(&c, "%s", "");
    scene *s = calloc(1, sizeof *s);
    if (s == NULL) {
        say(&c, "out of memory");
        return NULL;
    }
    if (!parse_spec(s, spec, &c)) {
        free(s);
        return NULL;
    }
    if (given != NULL && s->kind->given == NULL) {
        say(&c, "scene '%s' makes its own bodies", s->kind->name);
        free(s);
        return NULL;
    }
    s->given = given;
    s->params = s->asked;
    s->frame_count = s->asked.frames;
    s->view = scene_view_create();
    if (s->view == NULL || !s->kind->create(s)) {
        say(&c, "out of memory for scene '%s'", spec);
        scene_destroy(s);
        return NULL;
    }
    s->given = NULL;
    for (uint32_t i = 0; i < s->body_count; i++) {
        s->bodies[i].is_rigid = s->bodies[i].motion == SCENE_RIGID;
    }
    return s;
}

void scene_destroy(scene *s)
{
    if (s == NULL) {
        return;
    }
    for (uint32_t i = 0; s->bodies != NULL && i < s->body_count; i++) {
        free(s->bodies[i].indices);
    }
    free(s->bodies);
    scene_view_destroy(s->view);
    if (s->kind->destroy != NULL && s->data != NULL) {
        s->kind->destroy(s);
    } else {
        free(s->data);
    }
    free(s);
}

uint64_t scene_triangle_total(const scene *s)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < s->body_count; i++) {
        total += s->bodies[i].triangle_count;
    }
    return total;
}

bool scene_has_lives(const scene *s)
{
    for (uint32_t i = 0; i < s->body_count; i++)
        if (s->bodies[i].lives != NULL) return true;
    return false;
}
