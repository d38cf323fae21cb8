/* relation.c - how two frames lie to each other, and how much must be allowed for rounding.
 *
 * Let u = 2^-24, half a unit in the last place of float, and for a body
 *     size   the largest coordinate of its boxes in its own frame,
 *     reach  sqrt(3) size + |translation|: no intermediate sum of a posed vertex is larger.
 * 1. A posed vertex is R p + t in double, rounded to float: it is within e = u reach, and a hair
 *    for the double part (5 of at most 2^-50 reach), of the exact point in every coordinate. A
 *    body that is not posed has e = 0: its vertices are its boxes' vertices.
 * 2. If two triangles have a point in common, that point is R_a p + t_a + d_a and also
 *    R_b q + t_b + d_b, with p and q in the boxes of the triangles and |d| <= e in every
 *    coordinate, since both triangles are convex. So p = R q + t + R_a^-1 (d_b - d_a) with
 *    R = R_a^-1 R_b and t = R_a^-1 (t_b - t_a): in the frame of a the two boxes miss each other by
 *    at most sqrt(3) (e_a + e_b) in every coordinate.
 * 3. Matrices in double are rotations but for 11 units of 2^-53 in an entry. That, the hair of
 *    step 1 and the sums below move no point by more than 2^-45 (reach_a + reach_b): about 100 of
 *    these units are needed, and 256 are there.
 * 4. Turning a box in float rounds on the way of the middle and on that of the extent. With
 *    S = sqrt(3) size, the largest that both products are together: 3 u S for halves, rotation and
 *    products, 3 u (S + |t|) and 3 u (S + slack) for the sums, u (S + |t| + slack) for the last
 *    difference and u |t| for the translation itself, so 10 u S + 5 u |t|: 16 of both are allowed
 *    for, and the rest of the slack is in its last factor. Underflow adds some units of 2^-149.
 * 5. Beyond 2^120 sums might overflow: the turn then makes a box of everything, and the exact
 *    tests at the leaves decide. Nothing is lost but time. */
#include "geom/relation.h"
#include "base/check.h"
#include "base/larger.h"

#define UNIT 0x1p-24
#define ROOT3 1.7320508075688774
#define FARTHEST 0x1p120

double wi_box_size(const wi_box *box)
{
    double size = 0.0;
    if (wi_box_is_empty(box)) return size;
    for (int i = 0; i < 3; i++)
        size = wi_larger(size, wi_larger(fabs((double)box->lower[i]), fabs((double)box->upper[i])));
    return size;
}

static double longest(const double v[3])
{
    return wi_larger(fabs(v[0]), wi_larger(fabs(v[1]), fabs(v[2])));
}

static const wi_pose world_pose = {.column = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

double wi_pose_reach(const wi_pose *pose, double size)
{
    return ROOT3 * size + longest(pose->translation);
}

/* Steps 2 to 4: from the frame of `from`, whose size is given, to that of `to`. `rounding` is
 * sqrt(3) (e_a + e_b) and the share of step 3. */
static wi_turn turn_between(const wi_pose *from, double size, const wi_pose *to, double rounding)
{
    WI_ASSERT(rounding >= 0.0 && wi_pose_reach(from, size) <= FARTHEST);
    wi_turn turn;
    double shift[3], apart[3];
    for (int i = 0; i < 3; i++) apart[i] = from->translation[i] - to->translation[i];
    wi_pose_turn_back(to, apart, shift);
    for (int column = 0; column < 3; column++) {
        double turned[3];
        wi_pose_turn_back(to, from->column[column], turned);
        for (int row = 0; row < 3; row++) turn.rotation[row][column] = (float)turned[row];
        turn.translation[column] = (float)shift[column];
    }
    turn.slack =
        (float)(1.001 * (rounding + 16.0 * UNIT * (ROOT3 * size + longest(shift))) + 0x1p-140);
    WI_ASSERT(turn.slack > 0.0F && turn.slack < INFINITY);
    return turn;
}

static wi_turn turn_to_everything(void) { return (wi_turn){.slack = INFINITY}; }

wi_relation wi_relation_between(const wi_frame *a, const wi_frame *b)
{
    WI_ASSERT(a->size >= 0.0 && b->size >= 0.0);
    const wi_pose *pose_a = a->pose ? a->pose : &world_pose;
    const wi_pose *pose_b = b->pose ? b->pose : &world_pose;
    double reach_a = wi_pose_reach(pose_a, a->size), reach_b = wi_pose_reach(pose_b, b->size);
    if (reach_a + reach_b > FARTHEST)
        return (wi_relation){turn_to_everything(), turn_to_everything()};
    double error = (a->pose ? (1 + a->is_rounded) * reach_a : 0.0) +
                   (b->pose ? (1 + b->is_rounded) * reach_b : 0.0);
    double rounding = ROOT3 * UNIT * error + 0x1p-45 * (reach_a + reach_b);
    return (wi_relation){turn_between(pose_a, a->size, pose_b, rounding),
                         turn_between(pose_b, b->size, pose_a, rounding)};
}

static float clamp_to_float(double value)
{
    value = value < (double)FLT_MAX ? value : (double)FLT_MAX;
    return (float)(value > (double)-FLT_MAX ? value : (double)-FLT_MAX);
}

/* In double, where nothing overflows, so the rounding to float and that of the vertices (step 1)
 * are what counts: each u of the reach at most, and 4 are allowed for. Vertices beyond the floats
 * stay at their end, and so does the box. */
wi_box wi_pose_box(const wi_pose *pose, const wi_box *box)
{
    const double slack = 4.0 * UNIT * wi_pose_reach(pose, wi_box_size(box)) + 0x1p-140;
    wi_box out = wi_box_empty();
    if (wi_box_is_empty(box)) return out;
    for (int row = 0; row < 3; row++) {
        double middle = pose->translation[row], extent = slack;
        for (int i = 0; i < 3; i++) {
            double lower = (double)box->lower[i], upper = (double)box->upper[i];
            middle += pose->column[i][row] * (0.5 * (lower + upper));
            extent += fabs(pose->column[i][row]) * (0.5 * (upper - lower));
        }
        out.lower[row] = clamp_to_float(middle - extent);
        out.upper[row] = clamp_to_float(middle + extent);
        WI_ASSERT(out.lower[row] <= out.upper[row]);
    }
    return out;
}
