/* cell_error.c - see cell_error.h. The ball is searched by halving cubes around it: no point of a
 * cube is farther from the surface than the point of the ball that is closest to its middle, but by
 * half of its diagonal. Nor is it farther than from the point of the surface that is closest to
 * that one, which says more at the border of the ball, where the farthest points are. Cubes that
 * cannot have a farther point than the farthest so far are left. */
#include "walk/cells/cell_error.h"

#include <string.h>

#include "base/check.h"

/* ---- cutting ---- */

/* A triangle that is cut by six planes has nine corners at most; where roundings make it cross a
 * plane more than twice, each cut adds half of those that there are. */
enum { MOST_CORNERS = 36 };

typedef struct polygon {
    double corner[MOST_CORNERS][3];
    unsigned count;
} polygon;

/* What is on the lower side (sign 1) or the upper side (sign -1) of a border. */
static void cut_by(polygon *p, int axis, double border, double sign)
{
    polygon out = {.count = 0};
    for (unsigned i = 0; i < p->count; i++) {
        const double *from = p->corner[i], *to = p->corner[(i + 1) % p->count];
        const double in_from = sign * (border - from[axis]), in_to = sign * (border - to[axis]);
        if (in_from >= 0.0) memcpy(out.corner[out.count++], from, 3 * sizeof *from);
        if ((in_from >= 0.0) == (in_to >= 0.0) || in_from == 0.0 || in_to == 0.0) continue;
        wi_mix3(from, to, in_from / (in_from - in_to), out.corner[out.count]);
        out.corner[out.count++][axis] = border;
    }
    WI_ASSERT(out.count <= MOST_CORNERS);
    *p = out;
}

/* Cutting rounds, and a triangle may only just touch. */
static polygon cut_tri(double tri[3][3], const wi_box *box)
{
    polygon p = {.count = 3};
    memcpy(p.corner, tri, sizeof p.corner[0] * 3);
    for (int axis = 0; axis < 3 && p.count > 0; axis++) {
        const double lower = (double)box->lower[axis], upper = (double)box->upper[axis];
        const double more = 0x1p-40 * (fabs(lower) + fabs(upper));
        cut_by(&p, axis, upper + more, 1.0);
        if (p.count > 0) cut_by(&p, axis, lower - more, -1.0);
    }
    if (p.count > 0) return p;
    p.count = 3;
    memcpy(p.corner, tri, sizeof p.corner[0] * 3);
    return p;
}

static wi_cell_piece piece_of(const double corner[3][3])
{
    wi_cell_piece piece = {.tri = wi_spanned_tri_of(corner)};
    for (int axis = 0; axis < 3; axis++)
        piece.middle[axis] = (corner[0][axis] + corner[1][axis] + corner[2][axis]) / 3.0;
    for (int i = 0; i < 3; i++) {
        const double away = sqrt(wi_distance2(piece.middle, corner[i]));
        piece.radius = away > piece.radius ? away : piece.radius;
    }
    return piece;
}

/* As a fan; what has two corners or one is a triangle, too. */
static bool add_pieces(wi_memory *memory, const polygon *p, wi_cell_pieces *out)
{
    const unsigned last = p->count - 1, count = p->count > 3 ? p->count - 2 : 1;
    if (!wi_array_reserve(memory, out, out->count + count)) return false;
    for (unsigned k = 0; k < count; k++) {
        const unsigned at[3] = {0, k + 1 < last ? k + 1 : last, k + 2 < last ? k + 2 : last};
        double corner[3][3];
        for (int i = 0; i < 3; i++) memcpy(corner[i], p->corner[at[i]], sizeof corner[i]);
        out->items[out->count++] = piece_of((const double(*)[3])corner);
    }
    return true;
}

bool wi_cell_cut(wi_memory *memory, const wi_mesh *mesh, const uint32_t *slots, size_t count,
                 const wi_box *box, wi_cell_pieces *out)
{
    out->count = 0;
    for (size_t i = 0; i < count; i++) {
        double tri[3][3];
        for (int corner = 0; corner < 3; corner++) {
            float at[3];
            wi_mesh_model_position(mesh, mesh->tris[slots[i]][corner], at);
            for (int axis = 0; axis < 3; axis++) tri[corner][axis] = (double)at[axis];
        }
        const polygon p = cut_tri(tri, box);
        if (!add_pieces(memory, &p, out)) return false;
    }
    WI_ASSERT(count == 0 || out->count > 0);
    return true;
}

/* ---- searching ---- */

/* The point of the surface that is closest to p. `guess` is a piece that may be near, and becomes
 * the one that the point is in; those whose balls are farther away are not looked at. */
static double distance_from(const wi_cell_pieces *pieces, const double p[3], size_t *guess,
                            double closest[3])
{
    wi_closest_on_spanned_tri(p, &pieces->items[*guess].tri, closest);
    double least = sqrt(wi_distance2(p, closest));
    for (size_t i = 0; i < pieces->count; i++) {
        const wi_cell_piece *piece = &pieces->items[i];
        const double reach = least + piece->radius;
        double on[3];
        if (wi_distance2(p, piece->middle) > reach * reach) continue;
        wi_closest_on_spanned_tri(p, &piece->tri, on);
        const double away = sqrt(wi_distance2(p, on));
        if (!(away < least)) continue;
        least = away;
        *guess = i;
        memcpy(closest, on, sizeof on);
    }
    return least;
}

/* The most that x may be away from `to`, where x is in the ball and at most `reach` from p, which
 * is in it, too. With w from `to` to the ball's centre c, |x - to|^2 is at most
 * R^2 + |w|^2 + 2 (x - c).w, and what is highest along w of both balls is a point of the circle in
 * which they meet, unless it is the highest point of one of them. */
static double most_from(const double to[3], const double p[3], double reach, const wi_sphere *ball)
{
    const double r = ball->radius, none = (double)INFINITY;
    const double a2 = wi_distance2(p, ball->centre), w2 = wi_distance2(to, ball->centre);
    const double a = sqrt(a2), w = sqrt(w2);
    double along = 0.0;
    for (int axis = 0; axis < 3; axis++)
        along += (p[axis] - ball->centre[axis]) * (ball->centre[axis] - to[axis]);
    if (a2 + reach * reach + 2.0 * reach * along / (w > 0.0 ? w : 1.0) <= r * r) return none;
    if (!(a * r > 0.0) || reach + a <= r) return none;
    const double rim = (r * r + a2 - reach * reach) / (2.0 * a * r); /* cosines of angles to p */
    const double up = w > 0.0 ? along / (a * w) : 1.0;
    double highest = 1.0;
    if (up < rim) {
        const double sines2 = (1.0 - rim * rim) * (1.0 - up * up);
        highest = rim * up + sqrt(sines2 > 0.0 ? sines2 : 0.0);
    }
    return sqrt(r * r + w2 + 2.0 * r * w * highest);
}

/* A cube around a middle. */
typedef struct cube {
    double middle[3], half;
    double most;    /* no point of the ball in it is farther from the surface */
    size_t closest; /* a piece; before that is known: one that may be close */
} cube;

/* The distance of the point of the ball that is closest to the middle. */
static double try_cube(const wi_cell_pieces *pieces, const wi_sphere *ball, cube *c)
{
    const double away = sqrt(wi_distance2(c->middle, ball->centre));
    const double diagonal = 1.7320508075688774 * c->half;
    double p[3], on[3];
    c->most = -1.0;
    if (away > ball->radius + diagonal) return -1.0;
    wi_mix3(ball->centre, c->middle, away > ball->radius ? ball->radius / away : 1.0, p);
    const double found = distance_from(pieces, p, &c->closest, on);
    const double from_on = most_from(on, p, diagonal, ball);
    c->most = from_on < found + diagonal ? from_on : found + diagonal;
    return found;
}

double wi_cell_error(const wi_cell_pieces *pieces, const wi_sphere *sphere)
{
    /* Halves end where half of a diagonal is below the part: after nine of them. */
    enum { MOST_HALVES = 10, MOST_CUBES = 7 * MOST_HALVES + 8 };
    const double part = WI_CELL_ERROR_PART * sphere->radius;
    cube stack[MOST_CUBES];
    unsigned count = 0;
    cube root = {.half = sphere->radius};
    memcpy(root.middle, sphere->centre, sizeof root.middle);
    WI_ASSERT(pieces->count > 0);
    double farthest = try_cube(pieces, sphere, &root);
    WI_ASSERT(farthest >= 0.0);
    stack[count++] = root;
    while (count > 0) {
        const cube above = stack[--count];
        if (!(above.most > farthest + part)) continue;
        const unsigned first = count;
        for (unsigned octant = 0; octant < 8; octant++) {
            cube c = {.half = 0.5 * above.half, .closest = above.closest};
            for (int axis = 0; axis < 3; axis++)
                c.middle[axis] =
                    above.middle[axis] + ((octant >> axis & 1) != 0 ? c.half : -c.half);
            const double found = try_cube(pieces, sphere, &c);
            farthest = found > farthest ? found : farthest;
            unsigned at = count++;
            WI_ASSERT(count <= MOST_CUBES);
            for (; at > first && stack[at - 1].most > c.most; at--) stack[at] = stack[at - 1];
            stack[at] = c; /* the most promising one is the next */
        }
    }
    return farthest;
}
