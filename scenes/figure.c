/* figure.c - how a person walks and looks.
 *
 * Way in: figure_at, figure_positions. The walk is a few sines: legs and arms swing against each
 * other, knees bend while a leg swings forward, hips and chest turn against each other, and the
 * whole figure is as high as the lower foot says. Limbs are tubes around lines whose corners are
 * rounded; their ends are hidden in the trunk, so the surface goes through itself there. */
#include "figure.h"

#include <stdlib.h>

/* Where limbs start in a figure that stands still, and how long their parts are. */
#define HIP_SIDE 0.088
#define HIP_HEIGHT 0.91
#define SHOULDER_SIDE 0.195
#define SHOULDER_HEIGHT 1.395
#define ANKLE_HEIGHT 0.075

static const double leg_lengths[3] = {0.42, 0.42, 0.19}, arm_lengths[3] = {0.28, 0.25, 0.17};

/* ---- the walk ---- */

/* Down, turned forward by `forward` and away from the body by `aside`. */
static vec down(double forward, double aside, double side)
{
    double c = wi_cos(aside);
    return (vec){side * wi_sin(aside), c * wi_sin(forward), -c * wi_cos(forward)};
}

static figure_limb leg_at(vec hip, double angle, double side)
{
    double bend = 0.5 + 0.5 * wi_cos(angle + 0.6);
    double thigh = 0.06 + 0.4 * wi_sin(angle), shin = thigh - 0.12 - 0.75 * bend * bend;
    double toes = 0.6 * shin + 0.1;
    vec knee = vec_along(hip, leg_lengths[0], down(thigh, 0.015, side));
    vec ankle = vec_along(knee, leg_lengths[1], down(shin, 0, side));
    vec foot = {0.1 * side, wi_cos(toes), wi_sin(toes) - 0.2};
    return (figure_limb){{hip, knee, ankle, vec_along(ankle, leg_lengths[2], vec_unit(foot))},
                         {side, 0, 0}};
}

static figure_limb arm_at(vec shoulder, double angle, double side)
{
    double upper = -0.02 - 0.4 * wi_sin(angle), lower = upper + 0.35 - 0.2 * wi_sin(angle);
    vec elbow = vec_along(shoulder, arm_lengths[0], down(upper, 0.33, side));
    vec wrist = vec_along(elbow, arm_lengths[1], down(lower, 0.1, side));
    vec hand = down(lower + 0.1, 0, side);
    return (figure_limb){{shoulder, elbow, wrist, vec_along(wrist, arm_lengths[2], hand)},
                         {side, 0, 0}};
}

static vec turn_about_z(vec a, double angle)
{
    double c = wi_cos(angle), s = wi_sin(angle);
    return (vec){c * a.x - s * a.y, s * a.x + c * a.y, a.z};
}

static void place_limbs(figure *f, double angle)
{
    for (int i = 0; i < 2; i++) {
        double side = i == 0 ? 1 : -1, own = angle + SCENE_PI * i;
        double shoulder_side = f->is_slender ? 0.93 * SHOULDER_SIDE : SHOULDER_SIDE;
        vec hip = turn_about_z((vec){side * HIP_SIDE, 0, HIP_HEIGHT}, f->hips);
        vec shoulder = turn_about_z((vec){side * shoulder_side, -0.005, SHOULDER_HEIGHT}, f->chest);
        f->legs[i] = leg_at(vec_add(f->root, hip), own, side);
        f->arms[i] = arm_at(vec_add(f->root, shoulder), own, side);
    }
}

figure figure_at(double cycle, bool is_slender)
{
    double angle = 2 * SCENE_PI * (cycle - floor(cycle));
    figure f = {.is_slender = is_slender,
                .root = {-0.012 * wi_cos(angle), 0, 0},
                .hips = 0.1 * wi_sin(angle),
                .chest = -0.12 * wi_sin(angle)};
    place_limbs(&f, angle);
    double left = f.legs[0].joints[2].z, right = f.legs[1].joints[2].z;
    f.root.z = ANKLE_HEIGHT - (left < right ? left : right);
    place_limbs(&f, angle);
    return f;
}

/* ---- the trunk ---- */

/* From the crotch to the crown: height, half the width, half the depth, how far forward. */
static const double trunk[][4] = {
    {0.80, 0.050, 0.050, 0.000},  {0.84, 0.135, 0.098, -0.005}, {0.91, 0.166, 0.118, -0.010},
    {1.00, 0.154, 0.106, -0.004}, {1.08, 0.138, 0.094, 0.002},  {1.16, 0.141, 0.100, 0.006},
    {1.24, 0.152, 0.112, 0.008},  {1.32, 0.160, 0.108, 0.000},  {1.39, 0.150, 0.082, -0.008},
    {1.44, 0.100, 0.062, -0.010}, {1.48, 0.060, 0.056, -0.004}, {1.52, 0.053, 0.056, 0.008},
    {1.56, 0.060, 0.076, 0.022},  {1.61, 0.072, 0.094, 0.022},  {1.66, 0.077, 0.098, 0.014},
    {1.71, 0.069, 0.086, 0.008},  {1.745, 0.042, 0.054, 0.004}, {1.76, 0.018, 0.024, 0.002},
};

enum { TRUNK_KNOTS = sizeof trunk / sizeof trunk[0] };

static double trunk_number(int i, double t, int number)
{
    return curve(trunk[i > 0 ? i - 1 : 0][number], trunk[i][number], trunk[i + 1][number],
                 trunk[i + 2 < TRUNK_KNOTS ? i + 2 : i + 1][number], t);
}

/* A hill of height one around `middle`. */
static double hill(double x, double middle, double half)
{
    return ease(1 - fabs(x - middle) / half);
}

figure_girth figure_girth_at(const figure *f, double height)
{
    int i = 0;
    while (i + 2 < TRUNK_KNOTS && height > trunk[i + 1][0]) {
        i++;
    }
    double t = (height - trunk[i][0]) / (trunk[i + 1][0] - trunk[i][0]);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    figure_girth g = {trunk_number(i, t, 1), trunk_number(i, t, 2), trunk_number(i, t, 3)};
    if (f->is_slender) {
        g.width *= 1 - 0.16 * hill(height, 1.10, 0.16) - 0.14 * hill(height, 1.33, 0.16);
        g.depth *= 1 - 0.12 * hill(height, 1.10, 0.16) + 0.08 * hill(height, 1.26, 0.1);
        g.forward += 0.012 * hill(height, 1.26, 0.1);
    }
    return g;
}

/* The hips turn one way, the chest the other, and the head looks ahead. */
static double turned_at(const figure *f, double height)
{
    double chest = ease((height - 0.95) / 0.35), head = ease((height - 1.44) / 0.1);
    return f->hips + (f->chest - f->hips) * chest - f->chest * head;
}

vec figure_carry(const figure *f, vec place)
{
    return vec_add(f->root, turn_about_z(place, turned_at(f, place.z)));
}

vec figure_carry_back(const figure *f, vec place, double height)
{
    return turn_about_z(vec_sub(place, f->root), -turned_at(f, height));
}

static vec trunk_point(const figure *f, const tube_place *at)
{
    double height = trunk[0][0] + (trunk[TRUNK_KNOTS - 1][0] - trunk[0][0]) * at->along;
    figure_girth g = figure_girth_at(f, height);
    double tip = at->along <= 0 || at->along >= 1 ? 0 : 1;
    return figure_carry(
        f, (vec){tip * g.width * at->cosine, g.forward + tip * g.depth * at->sine, height});
}

/* ---- the limbs ---- */

/* Half the width and half the depth at eleven places from start to end. */
static const double leg_girths[11][2] = {
    {0.060, 0.060}, {0.086, 0.092}, {0.079, 0.086}, {0.068, 0.074}, {0.056, 0.058}, {0.053, 0.060},
    {0.048, 0.054}, {0.037, 0.042}, {0.036, 0.054}, {0.042, 0.038}, {0.030, 0.020},
};
static const double arm_girths[11][2] = {
    {0.040, 0.044}, {0.050, 0.056}, {0.046, 0.050}, {0.041, 0.043}, {0.038, 0.039}, {0.037, 0.039},
    {0.032, 0.033}, {0.026, 0.028}, {0.020, 0.038}, {0.019, 0.036}, {0.010, 0.018},
};

static double girth_at(const double girths[11][2], double along, int number)
{
    double at = 10 * along;
    int i = (int)floor(at);
    i = i < 0 ? 0 : i > 9 ? 9 : i;
    return curve(girths[i > 0 ? i - 1 : 0][number], girths[i][number], girths[i + 1][number],
                 girths[i < 9 ? i + 2 : 10][number], at - i);
}

static double length_of(const double lengths[3]) { return lengths[0] + lengths[1] + lengths[2]; }

static double arm_scale(const figure *f) { return f->is_slender ? 0.85 : 1; }

double figure_arm_radius(const figure *f, double length)
{
    return arm_scale(f) * girth_at(arm_girths, length / length_of(arm_lengths), 1);
}

/* A place on the line of a limb, and the direction in which it goes on there. */
typedef struct line_place {
    vec at, onward;
} line_place;

/* With sharp corners. */
static line_place line_at(const figure_limb *limb, double length)
{
    line_place found = {limb->joints[0], limb->side};
    for (int i = 0; i + 1 < FIGURE_JOINTS && length >= 0; i++) {
        vec part = vec_sub(limb->joints[i + 1], limb->joints[i]);
        found.onward = vec_unit(part);
        found.at = vec_along(limb->joints[i], length, found.onward);
        length -= vec_length(part);
    }
    return found;
}

/* A joint rounds the line for this far on both sides of it: there the line is the mean of itself
 * over a stretch of twice that length. */
#define ROUND 0.05

static void round_corners(const figure_limb *limb, double length, line_place *place)
{
    for (int i = 1; i + 1 < FIGURE_JOINTS; i++) {
        vec before = vec_sub(limb->joints[i], limb->joints[i - 1]);
        vec after = vec_sub(limb->joints[i + 1], limb->joints[i]);
        length -= vec_length(before);
        double share = ROUND - fabs(length);
        if (share > 0) {
            vec in = vec_unit(before), out = vec_unit(after);
            place->at = vec_along(place->at, share * share / (4 * ROUND), vec_sub(out, in));
            place->onward = vec_mix(in, out, 0.5 + 0.5 * length / ROUND);
        }
    }
}

figure_section figure_section_at(const figure_limb *limb, double length)
{
    line_place place = line_at(limb, length);
    round_corners(limb, length, &place);
    vec front = vec_unit(vec_cross((vec){1, 0, 0}, place.onward));
    vec side = vec_unit(vec_cross(place.onward, front));
    return (figure_section){place.at, vec_scale(limb->side.x, side), front};
}

/* A limb as it is made, and how much thinner than usual. */
typedef struct limb_kind {
    const double *lengths;
    const double (*girths)[2];
    double scale;
} limb_kind;

static vec limb_point(const figure_limb *limb, limb_kind kind, const tube_place *at)
{
    figure_section cut = figure_section_at(limb, length_of(kind.lengths) * at->along);
    double scale = at->along <= 0 || at->along >= 1 ? 0 : kind.scale;
    double width = scale * girth_at(kind.girths, at->along, 0);
    double depth = scale * girth_at(kind.girths, at->along, 1);
    vec place = vec_along(cut.centre, limb->side.x * width * at->cosine, cut.side);
    return vec_along(place, -depth * at->sine, cut.front);
}

vec figure_leg_at(const figure_limb *leg, double height, double *radius_out)
{
    int i = height > leg->joints[1].z ? 0 : 1;
    vec from = leg->joints[i], to = leg->joints[i + 1];
    double share = (from.z - height) / (from.z - to.z);
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    *radius_out = girth_at(leg_girths, (i + share) * leg_lengths[0] / length_of(leg_lengths), 1);
    return vec_mix(from, to, share);
}

/* ---- the mesh ---- */

enum { TRUNK, LEG_A, LEG_B, ARM_A, ARM_B };

/* For 20,000 triangles. */
static const tube usual_parts[FIGURE_PARTS] = {{48, 80}, {28, 70}, {28, 70}, {20, 56}, {20, 56}};

figure_mesh figure_mesh_make(uint32_t triangles)
{
    figure_mesh mesh = {0};
    double scale = sqrt(triangles / 20000.0);
    for (int i = 0; i < FIGURE_PARTS; i++) {
        mesh.parts[i] = (tube){scaled_count(usual_parts[i].around, scale, 3),
                               scaled_count(usual_parts[i].rings, scale, 4)};
        mesh.vertex_count += tube_vertices(mesh.parts[i]);
        mesh.triangle_count += tube_triangles(mesh.parts[i]);
    }
    return mesh;
}

bool figure_fill_body(scene_body *body, const figure_mesh *mesh)
{
    body->vertex_count = mesh->vertex_count;
    body->triangle_count = mesh->triangle_count;
    body->indices = malloc(3 * (size_t)mesh->triangle_count * sizeof *body->indices);
    if (body->indices == NULL) {
        return false;
    }
    uint32_t *out = body->indices, first = 0;
    for (int i = 0; i < FIGURE_PARTS; i++) {
        tube_indices(mesh->parts[i], first, out);
        out += 3 * (size_t)tube_triangles(mesh->parts[i]);
        first += tube_vertices(mesh->parts[i]);
    }
    return true;
}

static vec part_point(const figure *f, int part, const tube_place *at)
{
    const limb_kind leg = {leg_lengths, leg_girths, 1},
                    arm = {arm_lengths, arm_girths, arm_scale(f)};
    switch (part) {
    case TRUNK: return trunk_point(f, at);
    case LEG_A: return limb_point(&f->legs[0], leg, at);
    case LEG_B: return limb_point(&f->legs[1], leg, at);
    case ARM_A: return limb_point(&f->arms[0], arm, at);
    default: return limb_point(&f->arms[1], arm, at);
    }
}

void figure_positions(const figure *f, const figure_mesh *mesh, float *xyz_out)
{
    for (int part = 0; part < FIGURE_PARTS; part++) {
        uint32_t count = tube_vertices(mesh->parts[part]);
        for (uint32_t i = 0; i < count; i++) {
            tube_place at = tube_place_of(mesh->parts[part], i);
            vec_store(part_point(f, part, &at), xyz_out, i);
        }
        xyz_out += 3 * (size_t)count;
    }
}
