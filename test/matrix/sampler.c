/* sampler.c - see sampler.h. Pairwise covering by greedy choice, after Cohen, Dalal, Fredman and
 * Patton 1997 (AETG): of the values of a factor the one that meets most others for the first time.
 */
#include "matrix/sampler.h"

#include <stdbool.h>
#include <string.h>

#include "support/test.h"

enum { THEME_VALUES = 5 };

typedef struct theme {
    struct {
        matrix_factor factor;
        const char *value;
    } set[THEME_VALUES];
    uint32_t count;
} theme;

static const theme themes[] = {
    /* Lists of leaves that meet want boxes that go straight, of bodies without poses. */
    {{{FACTOR_QUESTION, "watch_events"},
      {FACTOR_METHOD_A, "kinetic_aabb"},
      {FACTOR_MOTION_A, "velocities"},
      {FACTOR_EVENTS, "none"},
      {FACTOR_POSED, "none"}},
     5},
    {{{FACTOR_QUESTION, "watch_list"},
      {FACTOR_METHOD_B, "kinetic_aabb"},
      {FACTOR_MOTION_B, "keyframes"},
      {FACTOR_EVENTS, "none"},
      {FACTOR_POSED, "none"}},
     5},
    {{{FACTOR_QUESTION, "watch_first_list"},
      {FACTOR_METHOD_A, "kinetic_aabb"},
      {FACTOR_MOTION_A, "keyframes"},
      {FACTOR_EVENTS, "none"},
      {FACTOR_POSED, "none"}},
     5},
    {{{FACTOR_QUESTION, "watch_events"},
      {FACTOR_METHOD_A, "kinetic_aabb"},
      {FACTOR_MOTION_A, "accelerations"},
      {FACTOR_EVENTS, "none"},
      {FACTOR_POSED, "none"}},
     5},
    /* Trial steps that go with the motion. */
    {{{FACTOR_QUESTION, "find_impacts"}, {FACTOR_MOTION_A, "velocities"}, {FACTOR_TRIAL_A, "time"}},
     3},
    {{{FACTOR_QUESTION, "time_of_impact"},
      {FACTOR_MOTION_A, "absolute"},
      {FACTOR_TRIAL_A, "matching"}},
     3},
    {{{FACTOR_QUESTION, "find_impacts"}, {FACTOR_MOTION_B, "user"}, {FACTOR_TRIAL_B, "matching"}},
     3},
    {{{FACTOR_QUESTION, "find_impacts"},
      {FACTOR_METHOD_A, "skin"},
      {FACTOR_MOTION_A, "skin"},
      {FACTOR_TRIAL_A, "matching"}},
     4},
    {{{FACTOR_QUESTION, "time_of_impact"},
      {FACTOR_METHOD_B, "skin"},
      {FACTOR_MOTION_B, "morph+skin"},
      {FACTOR_TRIAL_B, "matching+pose"}},
     4},
    /* Methods with the motion that they are made for. */
    {{{FACTOR_METHOD_A, "blend"}, {FACTOR_MOTION_A, "offsets"}}, 2},
    {{{FACTOR_METHOD_B, "blend"}, {FACTOR_MOTION_B, "absolute"}}, 2},
    {{{FACTOR_METHOD_A, "blend"}, {FACTOR_MOTION_A, "user"}}, 2},
    {{{FACTOR_METHOD_A, "skin"}, {FACTOR_MOTION_A, "skin"}}, 2},
    {{{FACTOR_METHOD_B, "skin"}, {FACTOR_MOTION_B, "morph+skin"}}, 2},
    {{{FACTOR_METHOD_A, "auto"}, {FACTOR_MOTION_A, "morph+skin"}}, 2},
    {{{FACTOR_METHOD_A, "kinetic_aabb"}, {FACTOR_MOTION_A, "keyframes"}}, 2},
    {{{FACTOR_METHOD_A, "kinetic_boxtree"}, {FACTOR_MOTION_A, "velocities"}}, 2},
    {{{FACTOR_QUESTION, "watch_front"}, {FACTOR_MOTION_A, "part"}, {FACTOR_MOTION_B, "stands"}}, 3},
};

enum { THEMES = sizeof themes / sizeof themes[0] };

typedef struct sampler {
    bool met[FACTOR_COUNT][MATRIX_VALUES][FACTOR_COUNT][MATRIX_VALUES];
    uint32_t sizes[FACTOR_COUNT];
    uint32_t left; /* pairs that have not met */
    uint64_t random;
} sampler;

static void start(sampler *s)
{
    memset(s, 0, sizeof *s);
    s->random = 20;
    for (int i = 0; i < FACTOR_COUNT; i++) {
        s->sizes[i] = factor_size((matrix_factor)i);
        assert_true(s->sizes[i] > 0 && s->sizes[i] <= MATRIX_VALUES);
        for (int k = 0; k < i; k++) s->left += s->sizes[i] * s->sizes[k];
    }
}

static uint32_t below(sampler *s, uint32_t limit)
{
    return (uint32_t)(test_random(&s->random) % limit);
}

/* How many of the factors that are chosen the value would meet for the first time. */
static uint32_t gain(const sampler *s, const matrix_case *c, const bool *chosen, int factor,
                     uint32_t value)
{
    uint32_t sum = 0;
    for (int i = 0; i < FACTOR_COUNT; i++)
        if (chosen[i] && !s->met[factor][value][i][c->value[i]]) sum++;
    return sum;
}

static uint8_t best_value(sampler *s, const matrix_case *c, const bool *chosen, int factor)
{
    const uint32_t size = s->sizes[factor], from = below(s, size);
    uint32_t best = from, most = 0;
    for (uint32_t i = 0; s->left > 0 && i < size; i++) {
        const uint32_t value = (from + i) % size;
        const uint32_t sum = gain(s, c, chosen, factor, value);
        if (sum > most) best = value;
        if (sum > most) most = sum;
    }
    return (uint8_t)best;
}

/* From one factor to the next, so that all of them come. */
enum { FACTOR_STEP = 13 };
_Static_assert(FACTOR_COUNT % FACTOR_STEP != 0, "a prime, which leaves no factor out");

/* Chooses what is not chosen yet, one factor after the other, beginning anywhere. */
static void choose_rest(sampler *s, matrix_case *c, bool *chosen)
{
    const int first = (int)below(s, FACTOR_COUNT);
    for (int i = 0; i < FACTOR_COUNT; i++) {
        const int factor = (first + FACTOR_STEP * i) % FACTOR_COUNT;
        if (!chosen[factor]) c->value[factor] = best_value(s, c, chosen, factor);
        chosen[factor] = true;
    }
}

/* The first pair, from anywhere on, that has not met. */
static void choose_pair(sampler *s, matrix_case *c, bool *chosen)
{
    const int from = (int)below(s, FACTOR_COUNT);
    for (int n = 0; n < FACTOR_COUNT * FACTOR_COUNT; n++) {
        const int i = (from + n / FACTOR_COUNT) % FACTOR_COUNT, k = n % FACTOR_COUNT;
        for (uint32_t v = 0; i != k && v < s->sizes[i] * s->sizes[k]; v++) {
            const uint32_t a = v / s->sizes[k], b = v % s->sizes[k];
            if (s->met[i][a][k][b]) continue;
            c->value[i] = (uint8_t)a;
            c->value[k] = (uint8_t)b;
            chosen[i] = chosen[k] = true;
            return;
        }
    }
}

static void choose_theme(matrix_case *c, bool *chosen)
{
    const theme *t = &themes[c->number / 2 % THEMES];
    for (uint32_t i = 0; c->number % 2 == 0 && i < t->count; i++) {
        c->value[t->set[i].factor] = factor_find(t->set[i].factor, t->set[i].value);
        chosen[t->set[i].factor] = true;
    }
}

static void note(sampler *s, const matrix_case *c)
{
    for (int i = 0; i < FACTOR_COUNT; i++)
        for (int k = 0; k < FACTOR_COUNT; k++) {
            bool *met = &s->met[i][c->value[i]][k][c->value[k]];
            if (k < i && !*met) s->left--;
            *met = true;
        }
}

static bool is_of_the_grid(const sampler *s, uint32_t number)
{
    return number < s->sizes[FACTOR_METHOD_A] * s->sizes[FACTOR_METHOD_B] * s->sizes[FACTOR_POSED];
}

/* Methods and poses of the grid. */
static void choose_cell(const sampler *s, matrix_case *c, bool *chosen)
{
    const uint32_t a = s->sizes[FACTOR_METHOD_A], b = s->sizes[FACTOR_METHOD_B];
    c->value[FACTOR_METHOD_A] = (uint8_t)(c->number % a);
    c->value[FACTOR_METHOD_B] = (uint8_t)(c->number / a % b);
    c->value[FACTOR_POSED] = (uint8_t)(c->number / (a * b));
    chosen[FACTOR_METHOD_A] = chosen[FACTOR_METHOD_B] = chosen[FACTOR_POSED] = true;
}

uint32_t matrix_sample(matrix_case *cases, uint32_t count)
{
    static sampler s;
    uint32_t covered = UINT32_MAX;
    start(&s);
    for (uint32_t i = 0; i < count; i++) {
        bool chosen[FACTOR_COUNT] = {false};
        cases[i] = (matrix_case){.number = i};
        if (is_of_the_grid(&s, i))
            choose_cell(&s, &cases[i], chosen);
        else if (s.left > 0)
            choose_pair(&s, &cases[i], chosen);
        else
            choose_theme(&cases[i], chosen);
        choose_rest(&s, &cases[i], chosen);
        note(&s, &cases[i]);
        if (s.left == 0 && covered == UINT32_MAX) covered = i + 1;
    }
    return covered;
}
