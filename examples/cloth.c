/* cloth.c - a cloth falls over a ball: a small solver with contact response by Willow.
 *
 * What is near (willow_find_near) is kept a layer apart while springs pull. The step is then tried:
 * what would pass through on the way (willow_find_impacts) is pushed back along the normals of the
 * impacts, and if some are left only the part before the first (willow_time_of_impact) is taken. So
 * no two triangles ever meet, which is asked after every step.
 * Build: cc cloth.c -lwillow -lm -lpthread */
#include "willow/willow.h"

#include <math.h>
#include <stdio.h>

enum { SIDE = 20, ROW = SIDE + 1, POINTS = ROW * ROW, TRIANGLES = 2 * SIDE * SIDE };
enum { FRAMES = 90, PULLS = 20, ROUNDS = 20 };
static const float CELL = 0.1F, LAYER = 0.02F, STEP = 1.0F / 60;
static float now[3 * POINTS], next[3 * POINTS], speed[3 * POINTS], ball[3 * POINTS];
static uint32_t faces[TRIANGLES][3]; /* both are grids, of which one is bent to a ball */

static void make_meshes(void)
{
    for (int i = 0; i < POINTS; i++) {
        const float x = (float)(i % ROW) / SIDE, y = (float)(i / ROW) / SIDE;
        const float u = 6.2831853F * x, v = 3.1415927F * y, r = 0.5F * sinf(v);
        float *p = now + 3 * i, *q = ball + 3 * i;
        p[0] = SIDE * CELL * (x - 0.51F);
        p[1] = SIDE * CELL * (y - 0.49F);
        p[2] = 0.65F + 0.02F * sinf(5 * p[0]) * cosf(4 * p[1]);
        q[0] = r * cosf(u), q[1] = r * sinf(u), q[2] = 0.5F * cosf(v);
    }
    for (uint32_t i = 0; i < TRIANGLES; i++) {
        const uint32_t a = i / 2 % SIDE + i / 2 / SIDE * ROW, c = a + ROW + 1;
        faces[i][0] = a;
        faces[i][1] = i % 2 == 0 ? a + 1 : c;
        faces[i][2] = i % 2 == 0 ? c : a + ROW;
    }
}

/* The user data is where the solver has the vertices: runs of results lead back to them. */
static bool add_body(willow_world *world, const float *positions, float *at, willow_body_id *body)
{
    willow_body_def def = willow_body_def_default();
    def.mesh.positions = positions;
    def.mesh.vertex_count = POINTS;
    def.mesh.indices = faces;
    def.mesh.triangle_count = TRIANGLES;
    def.self = at == next;
    def.user_data = (uint64_t)(uintptr_t)at;
    return willow_body_create(world, &def, body) == WILLOW_OK;
}

static void pull_springs(void)
{
    static const int to[6][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}, {2, 0}, {0, 2}};
    for (int i = 0; i < 6 * POINTS; i++) {
        const int x = i / 6 % ROW + to[i % 6][0], y = i / 6 / ROW + to[i % 6][1];
        if (x < 0 || x >= ROW || y >= ROW) continue;
        float *a = next + 3 * (i / 6), *b = next + 3 * (y * ROW + x);
        const float d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
        const float rest = CELL * hypotf((float)to[i % 6][0], (float)to[i % 6][1]);
        const float by = (i % 6 < 2 ? 0.5F : 0.1F) * (1 - rest / hypotf(hypotf(d[0], d[1]), d[2]));
        for (int n = 0; n < 3; n++) a[n] += by * d[n], b[n] -= by * d[n];
    }
}

/* Vertex n of a feature; an edge has no third one, which then has weight 0. */
static float *corner(uint64_t at, const willow_feature *f, int n)
{
    const bool is_face = f->kind == WILLOW_FEATURE_FACE;
    return (float *)(uintptr_t)at + 3 * (is_face ? faces[f->number[0]][n] : f->number[n % 2]);
}

/* Along the normal the two points are to be a layer apart after the step; a ball does not move. */
static void push(const willow_pair_run *run, const willow_feature *a, const willow_feature *b,
                 const willow_contact *c)
{
    const uint64_t at_a = run->user_data_a, at_b = run->user_data_b;
    const float n[3] = {c->normal.x, c->normal.y, c->normal.z}, give_b = at_a == at_b;
    float gap = 0, give = 0;
    for (int i = 0; i < 3; i++) {
        const float wa = c->weights_a[i], wb = c->weights_b[i];
        give += wa * wa + give_b * wb * wb;
        for (int k = 0; k < 3; k++)
            gap += n[k] * (wb * corner(at_b, b, i)[k] - wa * corner(at_a, a, i)[k]);
    }
    if (!c->has_normal || gap >= LAYER) return;
    for (int i = 0; i < 9; i++) {
        const float by = (LAYER - gap) / give * n[i % 3];
        corner(at_a, a, i / 3)[i % 3] -= by * c->weights_a[i / 3];
        corner(at_b, b, i / 3)[i % 3] += by * c->weights_b[i / 3] * give_b;
    }
}

/* One step, in `next` and then in `now`; false if a call fails, or if two triangles meet. */
static bool take_step(willow_world *world, willow_scratch *scratch, willow_body_id cloth, int frame)
{
    willow_query_options layer = willow_query_options_default();
    willow_near near;
    willow_impacts found = {.count = 1};
    willow_first_impact first;
    willow_pairs pairs;
    layer.near_distance = (double)LAYER, layer.features = true;
    bool fine = willow_find_near(world, scratch, &layer, &near) == WILLOW_OK;
    for (int i = 0; i < 3 * POINTS; i++)
        next[i] = now[i] + STEP * (speed[i] - (i % 3 == 2 ? 9.81F * STEP : 0));
    for (int i = 0; i < PULLS && fine; i++) {
        pull_springs();
        for (size_t r = 0, k = 0; r < near.run_count; r++)
            for (; k < near.runs[r].first + near.runs[r].count; k++)
                push(&near.runs[r], &near.items[k].a, &near.items[k].b, &near.items[k].contact);
    }
    for (int i = 0; i <= ROUNDS && fine && found.count > 0; i++) {
        fine = willow_body_set_target(world, cloth, 0, POINTS, next, 0) == WILLOW_OK &&
               willow_world_update(world, frame, NULL) == WILLOW_OK &&
               willow_find_impacts(world, scratch, NULL, &found) == WILLOW_OK;
        for (size_t r = 0, k = 0; r < found.run_count && i < ROUNDS; r++)
            for (; k < found.runs[r].first + found.runs[r].count; k++)
                push(&found.runs[r], &found.items[k].a, &found.items[k].b, &found.items[k].contact);
    }
    if (!fine || willow_time_of_impact(world, scratch, NULL, &first) != WILLOW_OK) return false;
    const float part = first.found ? 0.9F * (float)first.impact.time : 1;
    for (int i = 0; i < 3 * POINTS; i++) {
        speed[i] = 0.97F * part * (next[i] - now[i]) / STEP;
        now[i] += part * (next[i] - now[i]);
    }
    fine = willow_body_set_vertices(world, cloth, 0, POINTS, now, 0) == WILLOW_OK &&
           willow_world_update(world, frame, NULL) == WILLOW_OK &&
           willow_find_pairs(world, scratch, NULL, &pairs) == WILLOW_OK;
    if (frame % 10 == 0) printf("frame %d: a corner is at height %.3f\n", frame, (double)now[2]);
    return fine && pairs.count == 0;
}

int main(void)
{
    const willow_world_def def = willow_world_def_default();
    willow_world *world = NULL;
    willow_scratch *scratch = NULL;
    willow_body_id cloth, under;
    make_meshes();
    bool fine = willow_world_create(&def, &world) == WILLOW_OK &&
                willow_scratch_create(world, &scratch) == WILLOW_OK &&
                add_body(world, now, next, &cloth) && add_body(world, ball, ball, &under) &&
                willow_world_update(world, 0, NULL) == WILLOW_OK;
    for (int i = 1; i <= FRAMES && fine; i++) fine = take_step(world, scratch, cloth, i);
    const bool hangs = now[2] < 0 && now[3 * (POINTS / 2) + 2] > 0.5F; /* over the ball */
    if (!fine || !hangs) puts(fine ? "it does not hang" : "a call failed, or two triangles met");
    willow_scratch_destroy(scratch);
    willow_world_destroy(world);
    return fine && hangs ? 0 : 1;
}
