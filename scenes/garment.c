/* garment.c - shirts and dresses.
 *
 * Way in: garment_make, garment_positions. Cloth is not simulated here: it lies around trunk and
 * arms at some distance, with folds that wander, and where it hangs down the legs push it out.
 * Below the hips it follows the legs a little late, so that they cut into it now and then; deep
 * folds go through themselves. All of it is a formula, so that the walk repeats to the bit. */
#include "garment.h"

#include <stdlib.h>
#include <string.h>

/* The armholes: how high they begin, how far out they are, half their height and half their depth.
 */
#define ARM_HEIGHT 1.285
#define ARM_HOLE_HEIGHT 0.085
#define ARM_HOLE_DEPTH 0.078
#define HANG 0.97 /* below this height cloth hangs free of the trunk */

/* ---- the mesh ---- */

static uint32_t loop(const garment *g) { return 2 * g->panel; } /* squares around a sleeve */

static uint32_t tube_row(const garment *g) { return 2 * g->across; }

static uint32_t first_of_panels(const garment *g) { return (g->tube + 1) * tube_row(g); }

static uint32_t first_of_shoulders(const garment *g)
{
    return first_of_panels(g) + (g->panel - 1) * 2 * (g->across + 1);
}

static uint32_t first_of_sleeves(const garment *g)
{
    return first_of_shoulders(g) + 2 * g->across - 2 * g->shoulder;
}

garment garment_make(bool is_dress, uint32_t triangles, uint64_t key)
{
    garment g = {.is_dress = is_dress};
    double scale = sqrt(triangles / (is_dress ? 29760.0 : 15040.0));
    g.across = scaled_count(is_dress ? 60 : 40, scale, 5);
    g.tube = scaled_count(is_dress ? 100 : 50, scale, 3);
    g.panel = scaled_count(20, scale, 2);
    g.sleeve = scaled_count(is_dress ? 6 : 24, scale, 2);
    g.shoulder = g.across / 3;
    g.vertex_count = first_of_sleeves(&g) + 2 * loop(&g) * g.sleeve;
    g.triangle_count = 4 * g.across * (g.tube + g.panel) + 4 * loop(&g) * g.sleeve;
    for (uint64_t i = 0; i < 4; i++) {
        g.phases[i] = random_between(key, i, 0, 2 * SCENE_PI);
    }
    return g;
}

/* Columns of both halves go from the same side to the other. */
static uint32_t tube_vertex(const garment *g, bool is_back, uint32_t row, uint32_t column)
{
    uint32_t width = tube_row(g);
    return row * width + (is_back ? (width - column) % width : column);
}

/* Row 0 is the last one of the tube, and the last row the seam over the shoulders. */
static uint32_t panel_vertex(const garment *g, bool is_back, uint32_t row, uint32_t column)
{
    uint32_t width = g->across + 1;
    if (row == 0) {
        return tube_vertex(g, is_back, g->tube, column);
    }
    if (row < g->panel) {
        return first_of_panels(g) + ((row - 1) * 2 + is_back) * width + column;
    }
    bool is_neck = column > g->shoulder && column < g->across - g->shoulder;
    return first_of_shoulders(g) + (is_back && is_neck ? g->across - g->shoulder : 0) + column;
}

/* Row 0 is the armhole: from the lowest place over the front to the top, and down the back. */
static uint32_t sleeve_vertex(const garment *g, uint32_t side, uint32_t row, uint32_t at)
{
    uint32_t around = at % loop(g);
    if (row > 0) {
        return first_of_sleeves(g) + (side * g->sleeve + row - 1) * loop(g) + around;
    }
    bool is_back = around > g->panel;
    uint32_t height = is_back ? loop(g) - around : around;
    return panel_vertex(g, is_back, height, side == 0 ? g->across : 0);
}

/* A square of the corners a, b, c, d in their order around it, turned over if asked for. */
static uint32_t *square(uint32_t *out, uint32_t a, uint32_t b, uint32_t c, uint32_t d, bool over)
{
    const uint32_t as_it_is[6] = {a, b, c, a, c, d}, turned[6] = {a, c, b, a, d, c};
    memcpy(out, over ? turned : as_it_is, sizeof as_it_is);
    return out + 6;
}

static uint32_t *half_indices(const garment *g, bool is_back, uint32_t *out)
{
    for (uint32_t row = 0; row < g->tube + g->panel; row++) {
        for (uint32_t i = 0; i < g->across; i++) {
            uint32_t corners[4];
            for (uint32_t k = 0; k < 4; k++) {
                uint32_t y = row + k / 2, x = i + (k == 1 || k == 2);
                corners[k] = y <= g->tube ? tube_vertex(g, is_back, y, x)
                                          : panel_vertex(g, is_back, y - g->tube, x);
            }
            out = square(out, corners[0], corners[1], corners[2], corners[3], !is_back);
        }
    }
    return out;
}

static uint32_t *sleeve_indices(const garment *g, uint32_t side, uint32_t *out)
{
    for (uint32_t row = 0; row < g->sleeve; row++) {
        for (uint32_t i = 0; i < loop(g); i++) {
            out = square(out, sleeve_vertex(g, side, row, i), sleeve_vertex(g, side, row, i + 1),
                         sleeve_vertex(g, side, row + 1, i + 1), sleeve_vertex(g, side, row + 1, i),
                         side == 1);
        }
    }
    return out;
}

bool garment_fill_body(scene_body *body, const garment *g)
{
    body->vertex_count = g->vertex_count;
    body->triangle_count = g->triangle_count;
    body->indices = malloc(3 * (size_t)g->triangle_count * sizeof *body->indices);
    if (body->indices == NULL) {
        return false;
    }
    uint32_t *out = half_indices(g, false, body->indices);
    out = half_indices(g, true, out);
    out = sleeve_indices(g, 0, out);
    sleeve_indices(g, 1, out);
    return true;
}

/* ---- how it hangs ---- */

/* The figure now, and a moment ago, which is what hanging cloth follows. */
typedef struct fitting {
    const garment *garment;
    figure now, ago;
    double angle; /* of the walk */
} fitting;

static double hem_height(const garment *g) { return g->is_dress ? 0.34 : 0.84; }

static double arm_hole_side(const garment *g) { return g->is_dress ? 0.147 : 0.170; }

/* Half the width of the neck: a third of the columns lie between. */
static double neck_of(double side) { return 0.5 * side; }

/* The larger of x and 0, with a rounded corner. */
static double above_zero(double x) { return 0.5 * (x + sqrt(x * x + 0.0004)); }

/* How far in the direction (x, y) a leg reaches at a height, seen from the axis of the trunk. A
 * foot that is lifted behind slips out from under the hem. */
static double leg_reach(const fitting *f, const figure *body, int leg, vec direction, double height)
{
    double radius, over = body->legs[leg].joints[2].z + 0.12 - (height + body->root.z);
    vec at = figure_leg_at(&body->legs[leg], height + body->root.z, &radius);
    double reach = vec_dot(figure_carry_back(&f->now, at, height), direction) + radius;
    return over > 0 ? reach - 2 * over : reach;
}

/* How far the legs push cloth out that would be at `place`. */
static double pushed_out(const fitting *f, vec place, vec direction)
{
    double low = (HANG - place.z) / 0.63, most = 0;
    for (int leg = 0; leg < 2; leg++) {
        double reach = (1 - low) * leg_reach(f, &f->now, leg, direction, place.z) +
                       low * leg_reach(f, &f->ago, leg, direction, place.z);
        double push = above_zero(reach + 0.022 - vec_dot(place, direction));
        most = push > most ? push : most;
    }
    return most * ease((HANG - place.z) / 0.08);
}

/* Folds: outward, and along the cloth, so that deep ones lean over and meet themselves. */
static vec folded(const fitting *f, vec place, vec direction, double angle)
{
    const garment *g = f->garment;
    double low = ease((HANG + 0.08 - place.z) / (HANG + 0.08 - hem_height(g)));
    double wander = g->phases[0] + 0.5 * wi_sin(f->angle + 2 * angle + g->phases[1]);
    double wave = 11 * angle + wander + 4 * place.z;
    double breath = 1 + 0.35 * wi_sin(f->angle + angle + g->phases[2]);
    double deep = (g->is_dress ? 0.036 : 0.012) * low * breath;
    double small = 0.006 * wi_sin(5 * angle + 23 * place.z + g->phases[3] + 0.8 * wi_sin(f->angle));
    vec aside = {-direction.y, direction.x, 0};
    vec out = vec_along(place, deep * (0.4 + wi_sin(wave)) + small, direction);
    return vec_along(out, (g->is_dress ? 0.75 : 0.4) * deep * wi_cos(wave + 0.7), aside);
}

/* At a share of the way across a half and a height below the arms. */
static vec tube_point(const fitting *f, double sign, double share, double height)
{
    const garment *g = f->garment;
    figure_girth girth = figure_girth_at(&f->now, height > HANG ? height : HANG);
    double angle = SCENE_PI * share, below = HANG - height > 0 ? HANG - height : 0;
    double flare = (g->is_dress ? 0.2 : 0.1) * below;
    vec direction = {-wi_cos(angle), sign * wi_sin(angle), 0};
    vec place = {direction.x * (girth.width + 0.016 + flare),
                 girth.forward + direction.y * (girth.depth + 0.016 + flare), height};
    if (below > 0) {
        place = vec_along(place, pushed_out(f, place, direction), direction);
    }
    return figure_carry(&f->now, folded(f, place, direction, sign * angle));
}

/* How high the seam is over the shoulders; around the neck it is lower in front. */
static double seam_height(double x, double side, double sign)
{
    double top = ARM_HEIGHT + 2 * ARM_HOLE_HEIGHT, inside = 1 - fabs(x) / side;
    double neck = sign > 0 ? ease(1 - fabs(x) / neck_of(side)) : 0;
    return top + 0.06 * inside - 0.05 * neck;
}

/* From the row where arms begin, at which it is the tube, to the seam over the shoulders. */
static vec panel_point(const fitting *f, double sign, double share, double up)
{
    double angle = SCENE_PI * share, sine = wi_sin(angle), side = arm_hole_side(f->garment);
    vec low = figure_carry_back(&f->now, tube_point(f, sign, share, ARM_HEIGHT), ARM_HEIGHT);
    double x = low.x + (-side * wi_cos(angle) - low.x) * ease(3 * up);
    double neck = neck_of(side), round = fabs(x) < neck ? sqrt(neck * neck - x * x) : 0;
    double rise = 0.5 - 0.5 * wi_cos(SCENE_PI * up);
    rise += (up - rise) * sine;
    double depth = low.y * (1 - up * up * up) + sign * round * up * up * up +
                   sign * ARM_HOLE_DEPTH * wi_sin(SCENE_PI * up) * (1 - sine);
    double height = ARM_HEIGHT + rise * (seam_height(x, side, sign) - ARM_HEIGHT);
    return figure_carry(&f->now, (vec){x, depth, height});
}

/* Where a sleeve lies on the arm, `length` down from the shoulder. */
static vec on_the_arm(const fitting *f, uint32_t number, double angle, double length)
{
    double wave = wi_sin(3 * angle + 60 * length + f->garment->phases[1] + wi_sin(f->angle));
    double radius = figure_arm_radius(&f->now, length) + 0.016 + 0.004 * wave;
    figure_section cut = figure_section_at(&f->now.arms[number], length);
    vec inward = vec_along(cut.centre, -radius * wi_cos(angle), cut.side);
    return vec_along(inward, radius * wi_sin(angle), cut.front);
}

/* A sleeve leaves the armhole outward, most at the top, and then goes down along the arm. Its lower
 * seam begins where the arm leaves the trunk. */
static vec sleeve_point(const fitting *f, uint32_t number, double around, double along)
{
    double knee = f->garment->is_dress ? 0.8 : 0.4, bend = along < knee ? along / knee : 1;
    double angle = 2 * SCENE_PI * around, start = 0.05 + 0.05 * wi_cos(angle);
    double end = f->garment->is_dress ? 0.14 : 0.24;
    double length = start + (end - start) * (along > knee ? along : knee);
    vec down = on_the_arm(f, number, angle, length);
    if (bend >= 1) {
        return down;
    }
    double up = around <= 0.5 ? 2 * around : 2 - 2 * around, side = number == 0 ? 1 : -1;
    vec hole = panel_point(f, around <= 0.5 ? 1 : -1, number == 0 ? 1 : 0, up);
    vec corner = {hole.x + side * (0.045 - 0.035 * wi_cos(angle)), hole.y, hole.z};
    return vec_mix(vec_mix(hole, corner, bend), vec_mix(corner, down, bend), bend);
}

/* ---- all vertices ---- */

static void place_tube(const fitting *f, float *xyz_out)
{
    const garment *g = f->garment;
    double hem = hem_height(g);
    for (uint32_t i = 0; i < first_of_panels(g); i++) {
        uint32_t row = i / tube_row(g), column = i % tube_row(g);
        bool is_back = column > g->across;
        double share = (double)(is_back ? tube_row(g) - column : column) / g->across;
        double height = hem + (ARM_HEIGHT - hem) * row / g->tube;
        vec_store(tube_point(f, is_back ? -1 : 1, share, height), xyz_out, i);
    }
}

/* The seam is written by both halves, with the same bits but for the neck, where each has its own.
 */
static void place_panels(const fitting *f, float *xyz_out)
{
    const garment *g = f->garment;
    for (uint32_t row = 1; row <= g->panel; row++) {
        for (uint32_t column = 0; column <= g->across; column++) {
            double share = (double)column / g->across, up = (double)row / g->panel;
            vec_store(panel_point(f, -1, share, up), xyz_out, panel_vertex(g, true, row, column));
            vec_store(panel_point(f, 1, share, up), xyz_out, panel_vertex(g, false, row, column));
        }
    }
}

static void place_sleeves(const fitting *f, float *xyz_out)
{
    const garment *g = f->garment;
    for (uint32_t side = 0; side < 2; side++) {
        for (uint32_t row = 1; row <= g->sleeve; row++) {
            for (uint32_t i = 0; i < loop(g); i++) {
                vec at = sleeve_point(f, side, (double)i / loop(g), (double)row / g->sleeve);
                vec_store(at, xyz_out, sleeve_vertex(g, side, row, i));
            }
        }
    }
}

void garment_positions(const garment *g, double cycle, float *xyz_out)
{
    fitting f = {.garment = g,
                 .now = figure_at(cycle, g->is_dress),
                 .ago = figure_at(cycle - 0.03, g->is_dress),
                 .angle = 2 * SCENE_PI * (cycle - floor(cycle))};
    place_tube(&f, xyz_out);
    place_panels(&f, xyz_out);
    place_sleeves(&f, xyz_out);
}
