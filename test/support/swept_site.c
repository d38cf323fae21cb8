/* swept_site.c - trees with a step, and triangles at times of it. */
#include "support/swept_site.h"

#include <stdlib.h>
#include "prim/tri_tri.h"
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
