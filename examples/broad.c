/* broad.c - a thousand discs fall in a shaft: which begin to touch, and which part? No meshes.
 *
 * Build: cc broad.c -lwillow -lm -lpthread */
#include "willow/broad.h"

#include <stdio.h>

enum { COUNT = 1000, STEPS = 100 };

typedef struct disc {
    float x, y, radius, speed;
} disc;

/* Numbers that look like chance, the same on every machine. */
static float chance(uint32_t *state)
{
    *state = *state * 1664525U + 1013904223U;
    return (float)(*state >> 8) / 16777216.0F;
}

static void make_discs(disc *discs)
{
    uint32_t state = 1;
    for (int i = 0; i < COUNT; i++)
        discs[i] = (disc){40 * chance(&state), 100 * chance(&state), 0.2F + 0.4F * chance(&state),
                          0.01F + 0.09F * chance(&state)};
}

/* Who comes to the bottom begins at the top again. */
static void fall(disc *discs, willow_rect *boxes)
{
    for (int i = 0; i < COUNT; i++) {
        disc *d = &discs[i];
        d->y = d->y < 0 ? 100 : d->y - d->speed;
        boxes[i] =
            (willow_rect){d->x - d->radius, d->y - d->radius, d->x + d->radius, d->y + d->radius};
    }
}

static int play(willow_broad_phase *phase, size_t *begun_count, size_t *ended_count)
{
    static disc discs[COUNT];
    static willow_rect boxes[COUNT];
    make_discs(discs);
    for (int step = 0; step < STEPS; step++) {
        willow_broad_pairs begun, ended;
        fall(discs, boxes);
        const willow_broad_boxes all = {.boxes = boxes, .count = COUNT};
        if (willow_broad_update(phase, &all) != WILLOW_OK) return 1;
        if (willow_broad_find_events(phase, &begun, &ended) != WILLOW_OK) return 1;
        *begun_count += begun.count;
        *ended_count += ended.count;
    }
    return 0;
}

/* Boxes around a point, and those on the way down from it. */
static int look_down(const willow_broad_phase *phase)
{
    size_t near_count, below_count;
    const willow_box point = {{20, 50, 0}, {20, 50, 0}};
    const willow_ray down = {{20, 50, 0}, 0, {0, -1, 0}, 100};
    if (willow_broad_find_box(phase, &point, 2.0, NULL, 0, &near_count) != WILLOW_OK ||
        willow_broad_find_ray(phase, &down, 0.0, NULL, 0, &below_count) != WILLOW_OK)
        return 1;
    printf("%zu discs are within 2 of the middle, %zu below it\n", near_count, below_count);
    return 0;
}

int main(void)
{
    willow_broad_phase *phase;
    willow_broad_pairs pairs;
    size_t begun = 0, ended = 0;
    willow_broad_def def = willow_broad_def_default();
    def.dimensions = 2;
    if (willow_broad_create(&def, &phase) != WILLOW_OK) return 1;
    int failed = play(phase, &begun, &ended);
    if (failed) fprintf(stderr, "%s\n", willow_broad_message(phase));
    if (!failed && willow_broad_find_pairs(phase, &pairs) == WILLOW_OK)
        printf("%zu pairs touch after %d steps; %zu began, %zu ended\n", pairs.count, STEPS, begun,
               ended);
    if (!failed) failed = look_down(phase);
    willow_broad_destroy(phase);
    return failed;
}
