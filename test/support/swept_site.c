/* swept_site.c - trees with a step, and triangles at times of it. */
#include "support/swept_site.h"

#include <math.h>
#include <stdlib.h>
#include "prim/distance/distance.h"
#include "prim/meet/tri_tri.h"
#include "support/test.h"

void swept_site_open(swept_site *s, const tree_site *start, const float (*at)[3])
{
    static uint64_t placement = UINT64_C(1) << 40;
    s->start = start;
    s->mesh = start->mesh;
    s->end = start->h;
    s->end.mesh = &s->mesh;
    s->end.boxes.placement = ++placement;
    if (s->mesh.borrowed) {
        s->mesh.borrowed = (const char *)at;
        return;
    }
    s->mesh.positions = calloc(s->mesh.vertex_count, sizeof *s->mesh.positions);
    for (uint32_t vertex = 0; vertex < s->mesh.vertex_count; vertex++)
        memcpy(s->mesh.positions[s->mesh.place[vertex]].axis, at[vertex], sizeof at[vertex]);
}

void swept_site_close(swept_site *s)
{
    if (s->mesh.borrowed == NULL) free(s->mesh.positions);
    *s = (swept_site){0};
}

willow_pose swept_pose(const float move[3])
{
    return (willow_pose){{move[0], move[1], move[2]}, {0.5F, 0.5F, 0.5F, 0.5F}};
}

wi_tri swept_tri_at(const swept_site *s, uint32_t slot, int time)
{
    const wi_tri start = wi_mesh_tri(&s->start->mesh, slot), end = wi_mesh_tri(&s->mesh, slot);
    wi_tri tri;
    for (int i = 0; i < 9; i++) {
        const double from = start.corner[i / 3][i % 3], to = end.corner[i / 3][i % 3];
        const double at = from + (to - from) * time / SWEPT_TIMES;
        tri.corner[i / 3][i % 3] = (float)at;
        assert_true((double)tri.corner[i / 3][i % 3] == at);
    }
    return tri;
}

bool swept_pair_at(const swept_site *s, uint32_t slot_a, uint32_t slot_b, int time)
{
    const wi_tri a = swept_tri_at(s, slot_a, time), b = swept_tri_at(s, slot_b, time);
    return wi_tris_are_pair(&a, s->mesh.tris[slot_a], &b, s->mesh.tris[slot_b]);
}

static bool has_vertex(const uint32_t tri[3], uint32_t vertex)
{
    return tri[0] == vertex || tri[1] == vertex || tri[2] == vertex;
}

static double corners_to(const wi_tri *a, const uint32_t va[3], const wi_tri *b,
                         const uint32_t vb[3])
{
    double least = INFINITY;
    for (int i = 0; i < 3; i++)
        if (!has_vertex(vb, va[i]))
            least = fmin(least, wi_point_tri_closest(a->corner[i], b).distance);
    return least;
}

static double edges_to(const wi_tri *a, const uint32_t va[3], const wi_tri *b, const uint32_t vb[3])
{
    double least = INFINITY;
    for (int i = 0; i < 9; i++) {
        const int from[2] = {i / 3, i % 3}, to[2] = {(from[0] + 1) % 3, (from[1] + 1) % 3};
        float ea[2][3], eb[2][3];
        const uint32_t ends[2] = {vb[from[1]], vb[to[1]]};
        const bool is_shared = va[from[0]] == ends[0] || va[from[0]] == ends[1] ||
                               va[to[0]] == ends[0] || va[to[0]] == ends[1];
        if (is_shared) continue;
        memcpy(ea[0], a->corner[from[0]], sizeof ea[0]);
        memcpy(ea[1], a->corner[to[0]], sizeof ea[1]);
        memcpy(eb[0], b->corner[from[1]], sizeof eb[0]);
        memcpy(eb[1], b->corner[to[1]], sizeof eb[1]);
        const wi_closest_points c =
            wi_edge_edge_closest((const float(*)[3])ea, (const float(*)[3])eb);
        least = fmin(least, c.distance);
    }
    return least;
}

double swept_gap_at(const swept_site *s, uint32_t slot_a, uint32_t slot_b, int time, double limit)
{
    const wi_tri a = swept_tri_at(s, slot_a, time), b = swept_tri_at(s, slot_b, time);
    const uint32_t *va = s->mesh.tris[slot_a], *vb = s->mesh.tris[slot_b];
    wi_box box_a = wi_box_empty(), box_b = wi_box_empty();
    for (int i = 0; i < 3; i++) {
        wi_box_add_point(&box_a, a.corner[i]);
        wi_box_add_point(&box_b, b.corner[i]);
    }
    if (wi_box_distance2(&box_a, &box_b) > limit * limit) return INFINITY;
    const double corners = fmin(corners_to(&a, va, &b, vb), corners_to(&b, vb, &a, va));
    return fmin(corners, edges_to(&a, va, &b, vb));
}
