#include "support/box_script.h"

#include <math.h>
#include <stdlib.h>

typedef enum layout { EVEN, CLUSTERS, SPOT, LINE, DIAGONAL, LATTICE, LAYOUTS } layout;

typedef struct script {
    choices *c;
    uint32_t dimensions, most;
    layout layout;
    bool is_heavy, is_far;
    double room;
    float (*boxes)[6]; /* lower, upper; in the plane the first four */
    bool *seen;        /* by pair, in the last step */
    bool *seen_now;
    uint32_t *changed;
    uint32_t count, changed_count;
    willow_broad_phase *phase;
    box_tally *tally;
} script;

static float *lower_of(script *s, uint32_t i) { return s->boxes[i]; }
static float *upper_of(script *s, uint32_t i) { return s->boxes[i] + s->dimensions; }

static double any(script *s) { return choose_number(s->c, s->layout == LATTICE); }

static double choose_at(script *s, uint32_t axis, double along)
{
    switch (s->layout) {
    case CLUSTERS: return s->room * ((choose(s->c, 3) + axis) % 3 - 1.0) + any(s);
    case SPOT: return 0.25 * any(s);
    case LINE: return axis == 0 ? s->room * along : 0.25 * any(s);
    case DIAGONAL: return s->room * along + 0.1 * any(s);
    case LATTICE: return (double)choose(s->c, 9) - 4.0;
    default: return s->room * any(s);
    }
}

static double choose_size(script *s)
{
    double size = 0.5 + 0.5 * fabs(any(s));
    if (s->layout == LATTICE) size = choose(s->c, 3);
    if (s->is_heavy && choose_one_in(s->c, 6)) size *= 1 + choose(s->c, 40);
    return choose_one_in(s->c, 20) ? 0.0 : size;
}

static void place(script *s, uint32_t i)
{
    const double along = any(s), size = choose_size(s);
    for (uint32_t axis = 0; axis < s->dimensions; axis++) {
        const double at = choose_at(s, axis, along);
        lower_of(s, i)[axis] = (float)at;
        upper_of(s, i)[axis] = (float)(at + size * (choose_one_in(s->c, 8) ? 0.1 : 1.0));
    }
    if (!s->is_far) return;
    for (uint32_t axis = 0; axis < s->dimensions; axis++) {
        const uint32_t kind = choose(s->c, 60);
        if (kind == 0) lower_of(s, i)[axis] = -INFINITY;
        if (kind == 1) upper_of(s, i)[axis] = INFINITY;
        if (kind == 2) upper_of(s, i)[axis] = 3e38F;
        if (kind == 3) lower_of(s, i)[axis] = upper_of(s, i)[axis] = 1e30F;
    }
}

static void die(script *s, uint32_t i)
{
    for (uint32_t axis = 0; axis < s->dimensions; axis++) {
        lower_of(s, i)[axis] = axis == 0 ? 1.0F : lower_of(s, i)[axis];
        upper_of(s, i)[axis] = axis == 0 ? -1.0F : upper_of(s, i)[axis];
    }
}

static void shift(script *s, uint32_t i, double by)
{
    for (uint32_t axis = 0; axis < s->dimensions; axis++) {
        const float step = (float)(by * any(s));
        lower_of(s, i)[axis] += step;
        upper_of(s, i)[axis] += step;
    }
}

static void grow(script *s, uint32_t i)
{
    for (uint32_t axis = 0; axis < s->dimensions; axis++)
        upper_of(s, i)[axis] += (float)(0.3 * fabs(any(s)));
}

static void move_box(script *s, uint32_t i, uint32_t kind)
{
    switch (kind) {
    case 0: shift(s, i, 0.02); break;
    case 1: shift(s, i, 1.0); break;
    case 2: place(s, i); break;
    case 3: grow(s, i); break;
    case 4: die(s, i); break;
    default: shift(s, i, 0.1); break;
    }
}

/* Most steps move all a little; in some a few teleport, grow or die, and in some nothing moves. */
static void step(script *s)
{
    const uint32_t kind = choose(s->c, 8), share = 1 + choose(s->c, 4);
    s->changed_count = 0;
    if (kind == 7) return;
    for (uint32_t i = 0; i < s->count; i++) {
        if (share > 1 && choose(s->c, share * share) != 0) continue;
        move_box(s, i, kind < 5 && share > 1 ? kind : 0);
        s->changed[s->changed_count++] = i;
    }
}

static void change_count(script *s)
{
    const uint32_t count = choose(s->c, s->most + 1);
    for (; s->count < count; s->count++) place(s, s->count);
    s->count = count;
}

/* ---- what is true ---- */

static bool is_empty(script *s, uint32_t i)
{
    for (uint32_t axis = 0; axis < s->dimensions; axis++)
        if (!(lower_of(s, i)[axis] <= upper_of(s, i)[axis])) return true;
    return false;
}

static bool meet(script *s, uint32_t a, uint32_t b)
{
    if (is_empty(s, a) || is_empty(s, b)) return false;
    for (uint32_t axis = 0; axis < s->dimensions; axis++)
        if (!(lower_of(s, a)[axis] <= upper_of(s, b)[axis] &&
              lower_of(s, b)[axis] <= upper_of(s, a)[axis]))
            return false;
    return true;
}

static bool is_next(const willow_broad_pairs *pairs, size_t *at, uint32_t a, uint32_t b)
{
    if (*at >= pairs->count || pairs->items[*at].a != a || pairs->items[*at].b != b) return false;
    (*at)++;
    return true;
}
static const char *check_pairs(script *s)
{
    willow_broad_pairs pairs, begun, ended;
    size_t at = 0, begun_at = 0, ended_at = 0;
    if (willow_broad_find_pairs(s->phase, &pairs) != WILLOW_OK ||
        willow_broad_find_events(s->phase, &begun, &ended) != WILLOW_OK)
        return "pairs are not there";
    memset(s->seen_now, 0, (size_t)s->most * s->most);
    for (uint32_t a = 0; a < s->most; a++)
        for (uint32_t b = a + 1; b < s->most; b++) {
            const bool is = b < s->count && meet(s, a, b), was = s->seen[a * s->most + b];
            s->seen_now[a * s->most + b] = is;
            if (is && !is_next(&pairs, &at, a, b)) return "a pair is missing";
            if (is && !was && !is_next(&begun, &begun_at, a, b)) return "a begin is missing";
            if (!is && was && !is_next(&ended, &ended_at, a, b)) return "an end is missing";
        }
    if (at != pairs.count || begun_at != begun.count || ended_at != ended.count)
        return "there are pairs too many";
    memcpy(s->seen, s->seen_now, (size_t)s->most * s->most);
    s->tally->pairs += pairs.count;
    s->tally->begun += begun.count;
    s->tally->ended += ended.count;
    return NULL;
}

/* Searches are held against the same search in a phase that compares all. */
static const char *check_searches(script *s, willow_broad_phase *oracle)
{
    enum { ROOM = 4096 };
    static uint32_t found[2][ROOM];
    static willow_broad_pair pairs[2][ROOM];
    size_t count[2];
    const double more = choose_one_in(s->c, 2) ? 0.0 : 0.5 * fabs(any(s));
    float at[6];
    for (int i = 0; i < 6; i++) at[i] = (float)(s->room * 1.2 * any(s));
    const willow_box box = {{at[0], at[1], at[2]},
                            {at[0] + fabsf(at[3]), at[1] + fabsf(at[4]), at[2] + fabsf(at[5])}};
    willow_ray ray = {{at[0], at[1], at[2]}, 0.0F, {at[3], at[4], at[5]}, 1.0F};
    if (choose_one_in(s->c, 2)) ray.t_max = INFINITY;
    if (choose_one_in(s->c, 2)) ray.direction.y = 0.0F;
    if (ray.direction.x == 0.0F) ray.direction.x = 1.0F;
    for (int i = 0; i < 2; i++)
        if (willow_broad_find_box(i ? oracle : s->phase, &box, more, found[i], ROOM, &count[i]))
            return "a search for a box failed";
    if (count[0] != count[1] || memcmp(found[0], found[1], count[0] * sizeof found[0][0]) != 0)
        return "a search for a box found others";
    s->tally->found += count[0];
    for (int i = 0; i < 2; i++)
        if (willow_broad_find_ray(i ? oracle : s->phase, &ray, more, found[i], ROOM, &count[i]))
            return "a search for a ray failed";
    if (count[0] != count[1] || memcmp(found[0], found[1], count[0] * sizeof found[0][0]) != 0)
        return "a search for a ray found others";
    s->tally->met_by_rays += count[0];
    for (int i = 0; i < 2; i++)
        if (willow_broad_find_near(i ? oracle : s->phase, more, pairs[i], ROOM, &count[i]))
            return "a search for near pairs failed";
    const size_t compared = count[0] < ROOM ? count[0] : ROOM;
    if (count[0] != count[1] || memcmp(pairs[0], pairs[1], compared * sizeof pairs[0][0]) != 0)
        return "a search for near pairs found others";
    s->tally->near_pairs += count[0];
    return NULL;
}

/* ---- playing ---- */

static const char *update(script *s, willow_broad_phase *phase, bool has_list)
{
    const willow_broad_boxes boxes = {.boxes = s->boxes,
                                      .stride = sizeof s->boxes[0],
                                      .count = s->count,
                                      .changed = has_list ? s->changed : NULL,
                                      .changed_count = s->changed_count};
    if (willow_broad_update(phase, &boxes) != WILLOW_OK) return "an update failed";
    return willow_broad_validate(phase);
}

static const char *play(script *s, uint32_t steps, willow_broad_phase *oracle)
{
    for (uint32_t i = 0; i < steps && !choices_are_over(s->c); i++) {
        const bool has_list = i > 0 && choose_one_in(s->c, 2);
        if (i == 0 || choose_one_in(s->c, 10)) change_count(s);
        step(s);
        const char *wrong = update(s, s->phase, has_list);
        if (wrong == NULL) wrong = check_pairs(s);
        if (wrong == NULL) wrong = update(s, oracle, false);
        if (wrong == NULL) wrong = check_searches(s, oracle);
        if (wrong) return wrong;
        s->tally->steps++;
        s->tally->boxes += s->count;
    }
    return NULL;
}

const char *box_script_run(choices *c, const willow_broad_def *def, uint32_t steps, uint32_t boxes,
                           box_tally *tally)
{
    const char *wrong = "phases are not there";
    willow_broad_phase *oracle = NULL;
    willow_broad_def plain = *def;
    script s = {.c = c, .dimensions = def->dimensions == 2 ? 2 : 3, .most = boxes, .tally = tally};
    s.layout = (layout)choose(c, LAYOUTS);
    s.is_heavy = choose_one_in(c, 3);
    s.is_far = choose_one_in(c, 4);
    s.room = 0.5 + choose(c, 20);
    s.boxes = calloc(boxes, sizeof *s.boxes);
    s.seen = calloc(boxes, boxes);
    s.seen_now = calloc(boxes, boxes);
    s.changed = calloc(boxes, sizeof *s.changed);
    plain.broad = WILLOW_BROAD_ALL_PAIRS;
    if (s.boxes && s.seen && s.seen_now && s.changed &&
        willow_broad_create(def, &s.phase) == WILLOW_OK &&
        willow_broad_create(&plain, &oracle) == WILLOW_OK)
        wrong = play(&s, steps, oracle);
    willow_broad_destroy(s.phase);
    willow_broad_destroy(oracle);
    free(s.boxes);
    free(s.seen);
    free(s.seen_now);
    free(s.changed);
    tally->scripts++;
    return wrong;
}

const char *box_script_of_any_kind(choices *c, uint32_t steps, uint32_t boxes, box_tally *tally)
{
    willow_broad_def def = willow_broad_def_default();
    def.broad = (willow_broad)choose(c, WILLOW_BROAD_COUNT);
    def.dimensions = 2 + choose(c, 2);
    def.upkeep = (willow_upkeep)choose(c, WILLOW_UPKEEP_COUNT);
    def.cell = choose_one_in(c, 2) ? 0.0 : ldexp(1.0, (int)choose(c, 8) - 5);
    def.kernel = choose_one_in(c, 4) ? WILLOW_KERNEL_SCALAR : WILLOW_KERNEL_AUTO;
    return box_script_run(c, &def, steps, boxes, tally);
}
