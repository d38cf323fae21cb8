/* cutting.c - see cutting.h.
 *
 * A cell of the row that is cut, seen from above, and what becomes of it. The blade comes from the
 * left; m is where it was, n where it goes on:
 *
 *     d-------c        d-------c        d-------c
 *     |     / |        | \     |        | far   |      mB, nB
 *     |   /   |        m - \ - |        m=======n
 *     | /     |        | /   \ |        | near  |      mA, nA
 *     a-------b        a-------b        a-------b
 *      whole            fan              cut
 *
 * Above and below alike; below triangles turn the other way round. Between m and n the two caps go
 * down through the slab, level by level. Where the cut ends both caps share the edge; when it goes
 * on, the near side keeps those vertices, and the far side gets others. */
#include "cutting.h"

#include <stdlib.h>
#include <string.h>

#include "vec.h"

/* ---- a slab without cuts ---- */

static uint32_t grid(const cutting *c, int side, uint32_t i, uint32_t j)
{
    const uint32_t row = c->cells + 1;
    return (uint32_t)side * row * row + j * row + i;
}

static double length_of(const cutting *c, double cells) { return cells / c->cells; }

static void put_vertex(cutting *c, uint32_t vertex, double x, double y, double level)
{
    c->rest[vertex][0] = (float)length_of(c, x);
    c->rest[vertex][1] = (float)length_of(c, y);
    c->rest[vertex][2] = (float)-length_of(c, level);
}

static uint32_t add_vertex(cutting *c, double x, double y, double level)
{
    put_vertex(c, c->vertex_count, x, y, level);
    return c->vertex_count++;
}

static uint32_t add_tri(cutting *c, uint32_t a, uint32_t b, uint32_t d, bool is_turned)
{
    const uint32_t tri[3] = {a, is_turned ? d : b, is_turned ? b : d};
    memcpy(c->tris[c->tri_count], tri, sizeof tri);
    c->live_count++;
    return c->tri_count++;
}

/* A column of vertices on the wall, from above to below. `extra` has the inner ones of every point
 * of the rim, in its order. */
static void wall_column(const cutting *c, uint32_t i, uint32_t j, uint32_t extra,
                        uint32_t out[CUTTING_LEVELS + 1])
{
    out[0] = grid(c, 0, i, j);
    out[CUTTING_LEVELS] = grid(c, 1, i, j);
    for (uint32_t level = 1; level < CUTTING_LEVELS; level++) out[level] = extra + level - 1;
}

/* Between two columns of the rim, seen from outside the first one on the left. */
static void add_wall(cutting *c, const uint32_t *left, const uint32_t *right, uint32_t *slots)
{
    for (uint32_t level = 0; level < CUTTING_LEVELS; level++) {
        const uint32_t first = add_tri(c, left[level], left[level + 1], right[level + 1], false);
        const uint32_t second = add_tri(c, left[level], right[level + 1], right[level], false);
        if (slots) slots[2 * level] = first, slots[2 * level + 1] = second;
    }
}

/* The rim counterclockwise from above, beginning at the origin. */
static void rim_point(const cutting *c, uint32_t number, uint32_t *i, uint32_t *j)
{
    const uint32_t n = c->cells, at = number % (4 * n), along = at % n;
    const uint32_t side = at / n;
    *i = side == 0 ? along : side == 1 ? n : side == 2 ? n - along : 0;
    *j = side == 0 ? 0 : side == 1 ? along : side == 2 ? n : n - along;
}

static bool is_cut_row(const cutting *c, uint32_t j)
{
    for (int r = 0; r < CUTTING_ROWS; r++)
        if (c->rows[r].cells == j) return true;
    return false;
}

static cutting_row *row_of(cutting *c, uint32_t j)
{
    int r = 0;
    while (c->rows[r].cells != j) r++;
    return &c->rows[r];
}

/* ---- cells and caps ---- */

/* The corners of a cell: a, b, c, d. */
static void corners_of(const cutting *c, int side, uint32_t i, uint32_t j, uint32_t out[4])
{
    out[0] = grid(c, side, i, j);
    out[1] = grid(c, side, i + 1, j);
    out[2] = grid(c, side, i + 1, j + 1);
    out[3] = grid(c, side, i, j + 1);
}

/* Triangles as they are made: into the mesh at the beginning, into an edit later. */
typedef void make_tri(cutting *c, uint32_t a, uint32_t b, uint32_t d, bool is_turned,
                      uint32_t *number);

static void make_now(cutting *c, uint32_t a, uint32_t b, uint32_t d, bool is_turned,
                     uint32_t *number)
{
    const uint32_t slot = add_tri(c, a, b, d, is_turned);
    if (number) *number = slot;
}

static void make_later(cutting *c, uint32_t a, uint32_t b, uint32_t d, bool is_turned,
                       uint32_t *number)
{
    const uint32_t tri[3] = {a, is_turned ? d : b, is_turned ? b : d};
    memcpy(c->add_tris[c->add_tri_count], tri, sizeof tri);
    c->tri_targets[c->add_tri_count++] = (cutting_target){number};
}

static void make_fan(cutting *c, const cutting_row *row, uint32_t i, uint32_t m, int side,
                     uint32_t *numbers, make_tri *make)
{
    uint32_t k[4];
    corners_of(c, side, i, row->cells, k);
    make(c, k[0], k[1], m, side == 1, numbers);
    make(c, k[1], k[2], m, side == 1, numbers + 1);
    make(c, k[2], k[3], m, side == 1, numbers + 2);
}

/* Cut from m to n; `last` gets the number of the far triangle that has n. */
static void make_cut(cutting *c, const cutting_row *row, uint32_t i, const uint32_t m[2],
                     const uint32_t n[2], int side, uint32_t *last, make_tri *make)
{
    uint32_t k[4];
    corners_of(c, side, i, row->cells, k);
    make(c, k[0], k[1], n[0], side == 1, NULL);
    make(c, k[0], n[0], m[0], side == 1, NULL);
    make(c, m[1], n[1], k[2], side == 1, last);
    make(c, m[1], k[2], k[3], side == 1, NULL);
}

/* Two caps from the columns `left` to those on the right: near ones first. `cap` gets the numbers
 * of the far one. */
static void make_caps(cutting *c, uint32_t left[2][CUTTING_LEVELS + 1],
                      uint32_t right[2][CUTTING_LEVELS + 1], uint32_t *cap, make_tri *make)
{
    for (int far = 0; far < 2; far++)
        for (uint32_t level = 0; level < CUTTING_LEVELS; level++) {
            const uint32_t *l = left[far] + level, *r = right[far] + level;
            uint32_t *numbers = far == 1 && cap ? cap + 2 * level : NULL;
            make(c, l[0], r[0], r[1], far == 1, numbers);
            make(c, l[0], r[1], l[1], far == 1, numbers ? numbers + 1 : NULL);
        }
}

/* ---- the beginning ---- */

static void add_cells(cutting *c, int side)
{
    for (uint32_t j = 0; j < c->cells; j++)
        for (uint32_t i = 0; i < c->cells; i++) {
            uint32_t k[4];
            const bool is_row = is_cut_row(c, j);
            if (is_row && i < 2) continue;
            corners_of(c, side, i, j, k);
            const uint32_t slot = add_tri(c, k[0], k[1], k[2], side == 1);
            (void)add_tri(c, k[0], k[2], k[3], side == 1);
            if (is_row) row_of(c, j)->whole[side][i] = slot;
        }
}

/* The first cell is cut, up to the column 1. */
static void open_row(cutting *c, cutting_row *row, const uint32_t *below, const uint32_t *above)
{
    uint32_t left[2][CUTTING_LEVELS + 1], right[2][CUTTING_LEVELS + 1];
    const double y = (double)row->cells + 0.5;
    for (uint32_t level = 0; level <= CUTTING_LEVELS; level++) {
        for (int far = 0; far < 2; far++) left[far][level] = add_vertex(c, 0, y, level);
        row->edge[level] = right[0][level] = right[1][level] = add_vertex(c, 1, y, level);
    }
    /* From outside, at x = 0, the far side is on the left. */
    add_wall(c, above, left[1], NULL);
    add_wall(c, left[0], below, NULL);
    make_caps(c, left, right, row->cap, make_now);
    for (int side = 0; side < 2; side++) {
        const uint32_t level = side == 0 ? 0 : CUTTING_LEVELS;
        const uint32_t m[2] = {left[0][level], left[1][level]};
        const uint32_t n[2] = {row->edge[level], row->edge[level]};
        make_cut(c, row, 0, m, n, side, &row->last[side], make_now);
        make_fan(c, row, 1, row->edge[level], side, row->fan[side], make_now);
    }
    row->tip = 1;
}

static void add_rim(cutting *c, uint32_t extras)
{
    const uint32_t inner = CUTTING_LEVELS - 1, count = 4 * c->cells;
    for (uint32_t p = 0; p < count; p++) {
        uint32_t here[CUTTING_LEVELS + 1], next[CUTTING_LEVELS + 1], i, j, i2, j2;
        rim_point(c, p, &i, &j);
        rim_point(c, p + 1, &i2, &j2);
        wall_column(c, i, j, extras + p * inner, here);
        wall_column(c, i2, j2, extras + (p + 1) % count * inner, next);
        if (i == 0 && i2 == 0 && is_cut_row(c, j2))
            open_row(c, row_of(c, j2), next, here);
        else
            add_wall(c, here, next, NULL);
    }
}

static void begin_slab(cutting *c)
{
    for (int side = 0; side < 2; side++)
        for (uint32_t j = 0; j <= c->cells; j++)
            for (uint32_t i = 0; i <= c->cells; i++)
                put_vertex(c, grid(c, side, i, j), i, j, side == 0 ? 0 : CUTTING_LEVELS);
    c->vertex_count = 2 * (c->cells + 1) * (c->cells + 1);
    const uint32_t extras = c->vertex_count;
    for (uint32_t p = 0; p < 4 * c->cells; p++) {
        uint32_t i, j;
        rim_point(c, p, &i, &j);
        for (uint32_t level = 1; level < CUTTING_LEVELS; level++) (void)add_vertex(c, i, j, level);
    }
    add_cells(c, 0);
    add_cells(c, 1);
    add_rim(c, extras);
}

/* ---- memory ---- */

/* Numbers are never used again by those who count this way, so there is room for all that come. */
static bool allocate(cutting *c)
{
    const size_t n = c->cells, levels = CUTTING_LEVELS + 1, step = c->step_cells;
    const size_t cut = CUTTING_ROWS * n;
    c->vertex_room = (uint32_t)(2 * (n + 1) * (n + 1) + 4 * n * levels + 4 * cut * levels);
    c->tri_room = (uint32_t)(4 * n * n + 8 * n * levels + cut * (16 + 6 * levels));
    const size_t most_vertices = 2 * (step + 2) * levels, most_tris = (step + 2) * (8 + 6 * levels);
    c->rest = calloc(c->vertex_room, sizeof *c->rest);
    c->tris = calloc(c->tri_room, sizeof *c->tris);
    c->add_vertices = calloc(most_vertices, sizeof *c->add_vertices);
    c->new_vertices = calloc(most_vertices, sizeof *c->new_vertices);
    c->vertex_targets = calloc(most_vertices, sizeof *c->vertex_targets);
    c->add_tris = calloc(most_tris, sizeof *c->add_tris);
    c->new_tris = calloc(most_tris, sizeof *c->new_tris);
    c->tri_targets = calloc(most_tris, sizeof *c->tri_targets);
    c->removed = calloc(most_tris, sizeof *c->removed);
    c->replaced = calloc(2 * levels, sizeof *c->replaced);
    c->replacements = calloc(2 * levels, sizeof *c->replacements);
    bool fine = c->rest && c->tris && c->add_vertices && c->new_vertices && c->vertex_targets &&
                c->add_tris && c->new_tris && c->tri_targets && c->removed && c->replaced &&
                c->replacements;
    for (int r = 0; r < CUTTING_ROWS; r++)
        for (int side = 0; side < 2; side++) {
            c->rows[r].whole[side] = calloc(n, sizeof(uint32_t));
            fine = fine && c->rows[r].whole[side];
        }
    return fine;
}

void cutting_destroy(cutting *c)
{
    for (int r = 0; r < CUTTING_ROWS; r++)
        for (int side = 0; side < 2; side++) free(c->rows[r].whole[side]);
    free(c->rest);
    free(c->tris);
    free(c->add_vertices);
    free(c->new_vertices);
    free(c->vertex_targets);
    free(c->add_tris);
    free(c->new_tris);
    free(c->tri_targets);
    free(c->removed);
    free(c->replaced);
    free(c->replacements);
    *c = (cutting){0};
}

/* 13 cells in a step where a side has 145, which is at 90,560 triangles. */
bool cutting_create(cutting *c, uint32_t triangles, bool deforms)
{
    *c = (cutting){.deforms = deforms, .cells = 2 * CUTTING_ROWS};
    while (4 * ((uint64_t)c->cells + 1) * (c->cells + 1) +
               8 * (uint64_t)(c->cells + 1) * CUTTING_LEVELS <=
           triangles)
        c->cells++;
    c->step_cells = (13 * c->cells + 72) / 145;
    if (c->step_cells == 0) c->step_cells = 1;
    for (uint32_t r = 0; r < CUTTING_ROWS; r++)
        c->rows[r].cells = (2 * r + 1) * c->cells / (2 * CUTTING_ROWS);
    if (!allocate(c)) return false;
    begin_slab(c);
    return true;
}

/* ---- where it is ---- */

/* A wave goes through the slab, up and down. */
static void deform(const cutting *c, const float rest[3], float out[3])
{
    memcpy(out, rest, 3 * sizeof *out);
    if (!c->deforms) return;
    const double phase = 9 * (double)rest[0] + 5 * (double)rest[1] + 0.2 * c->step;
    out[2] = (float)((double)rest[2] + 0.02 * wi_sin(phase));
}

void cutting_positions(const cutting *c, float (*out)[3])
{
    for (uint32_t v = 0; v < c->vertex_count; v++) deform(c, c->rest[v], out[v]);
}

/* ---- a step ---- */

/* Its number is not known yet; `number` gets it. */
static uint32_t bring_vertex(cutting *c, const cutting_row *row, uint32_t column, uint32_t level,
                             uint32_t *number)
{
    const uint32_t at = c->add_vertex_count++;
    float rest[3], p[3];
    put_vertex(c, c->vertex_count + at, column, (double)row->cells + 0.5, level);
    memcpy(rest, c->rest[c->vertex_count + at], sizeof rest);
    deform(c, rest, p);
    c->add_vertices[at] = (willow_new_vertex){.position = {p[0], p[1], p[2]}};
    c->vertex_targets[at] = (cutting_target){number};
    return WILLOW_NEW_VERTEX + at;
}

static void take_away(cutting *c, uint32_t slot) { c->removed[c->removed_count++] = slot; }

/* The far side leaves the edge. */
static void replace_edge(cutting *c, const cutting_row *row, uint32_t slot, const uint32_t *far)
{
    uint32_t *tri = c->replacements[c->replaced_count];
    memcpy(tri, c->tris[slot], sizeof *c->replacements);
    for (int k = 0; k < 3; k++)
        for (uint32_t level = 0; level <= CUTTING_LEVELS; level++)
            if (tri[k] == row->edge[level]) {
                tri[k] = far[level];
                break;
            }
    c->replaced[c->replaced_count++] = slot;
}

static void split_edge(cutting *c, const cutting_row *row, uint32_t left[2][CUTTING_LEVELS + 1])
{
    for (uint32_t level = 0; level <= CUTTING_LEVELS; level++) {
        left[0][level] = row->edge[level];
        left[1][level] = bring_vertex(c, row, row->tip, level, NULL);
    }
    for (int i = 0; i < 2; i++) replace_edge(c, row, row->last[i], left[1]);
    for (int i = 0; i < 2 * CUTTING_LEVELS; i++) {
        const uint32_t *tri = c->tris[row->cap[i]];
        bool has_edge = false;
        for (int k = 0; k < 3; k++)
            for (uint32_t level = 0; level <= CUTTING_LEVELS; level++)
                has_edge = has_edge || tri[k] == row->edge[level];
        if (has_edge) replace_edge(c, row, row->cap[i], left[1]);
    }
}

/* One cell more: its column on the right has two sides, but for the last one of the step. */
static void cut_cell(cutting *c, cutting_row *row, bool is_last,
                     uint32_t left[2][CUTTING_LEVELS + 1])
{
    uint32_t right[2][CUTTING_LEVELS + 1];
    for (uint32_t level = 0; level <= CUTTING_LEVELS; level++) {
        right[0][level] =
            bring_vertex(c, row, row->tip + 1, level, is_last ? &row->edge[level] : NULL);
        right[1][level] =
            is_last ? right[0][level] : bring_vertex(c, row, row->tip + 1, level, NULL);
    }
    make_caps(c, left, right, is_last ? row->cap : NULL, make_later);
    for (int side = 0; side < 2; side++) {
        const uint32_t level = side == 0 ? 0 : CUTTING_LEVELS;
        const uint32_t m[2] = {left[0][level], left[1][level]};
        const uint32_t n[2] = {right[0][level], right[1][level]};
        make_cut(c, row, row->tip, m, n, side, is_last ? &row->last[side] : NULL, make_later);
    }
    memcpy(left, right, sizeof right);
    row->tip++;
}

/* The cell that the edge stops at, and those ahead, are whole no longer. */
static void clear_way(cutting *c, const cutting_row *row, uint32_t cells)
{
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < 3; k++) take_away(c, row->fan[side][k]);
        for (uint32_t i = row->tip + 1; i <= row->tip + cells; i++) {
            take_away(c, row->whole[side][i]);
            take_away(c, row->whole[side][i] + 1);
        }
    }
}

static bool choose_row(cutting *c)
{
    while (c->row < CUTTING_ROWS && c->rows[c->row].tip + c->step_cells + 1 > c->cells - 1)
        c->row++;
    return c->row < CUTTING_ROWS;
}

bool cutting_next(cutting *c, willow_edit *out)
{
    uint32_t left[2][CUTTING_LEVELS + 1];
    if (!choose_row(c)) return false;
    cutting_row *row = &c->rows[c->row];
    c->step++;
    c->add_vertex_count = c->add_tri_count = c->removed_count = c->replaced_count = 0;
    clear_way(c, row, c->step_cells);
    split_edge(c, row, left);
    for (uint32_t i = 1; i <= c->step_cells; i++) cut_cell(c, row, i == c->step_cells, left);
    for (int side = 0; side < 2; side++)
        make_fan(c, row, row->tip, left[0][side == 0 ? 0 : CUTTING_LEVELS], side, row->fan[side],
                 make_later);
    *out = willow_edit_default();
    out->add_vertices = c->add_vertices;
    out->add_vertex_count = c->add_vertex_count;
    out->add_indices = c->add_tris[0];
    out->add_triangle_count = c->add_tri_count;
    out->remove_triangles = c->removed;
    out->remove_triangle_count = c->removed_count;
    out->replace_triangles = c->replaced;
    out->replace_indices = c->replacements[0];
    out->replace_triangle_count = c->replaced_count;
    return true;
}

static uint32_t known(const cutting *c, uint32_t vertex)
{
    return vertex >= WILLOW_NEW_VERTEX ? c->new_vertices[vertex - WILLOW_NEW_VERTEX] : vertex;
}

/* Slots are used again; vertices never are, since none is removed. */
void cutting_take_numbers(cutting *c)
{
    for (uint32_t i = 0; i < c->removed_count; i++)
        memset(c->tris[c->removed[i]], 0xFF, sizeof *c->tris);
    for (uint32_t i = 0; i < c->replaced_count; i++)
        for (int k = 0; k < 3; k++) c->tris[c->replaced[i]][k] = known(c, c->replacements[i][k]);
    for (uint32_t i = 0; i < c->add_vertex_count; i++)
        if (c->vertex_targets[i].number) *c->vertex_targets[i].number = c->new_vertices[i];
    for (uint32_t i = 0; i < c->add_tri_count; i++) {
        const uint32_t slot = c->new_tris[i];
        for (int k = 0; k < 3; k++) c->tris[slot][k] = known(c, c->add_tris[i][k]);
        if (c->tri_targets[i].number) *c->tri_targets[i].number = slot;
        if (slot >= c->tri_count) c->tri_count = slot + 1;
    }
    c->vertex_count += c->add_vertex_count;
    c->live_count += c->add_tri_count - c->removed_count;
}

/* ---- the blade ---- */

/* From a bit behind the edge to a bit ahead of it, and out of the slab above and below. */
void cutting_blade(const cutting *c, float positions[CUTTING_BLADE_VERTICES][3],
                   uint32_t tris[CUTTING_BLADE_TRIS][3])
{
    static const uint32_t faces[CUTTING_BLADE_TRIS][3] = {
        {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
        {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    const double deep = length_of(c, CUTTING_LEVELS);
    const double low[3] = {-0.04, -0.1 / c->cells, -deep - 0.08};
    const double high[3] = {0.3 / c->cells, 0.1 / c->cells, 0.08};
    for (uint32_t v = 0; v < CUTTING_BLADE_VERTICES; v++)
        for (int axis = 0; axis < 3; axis++)
            positions[v][axis] = (float)((v >> axis & 1) != 0 ? high[axis] : low[axis]);
    memcpy(tris, faces, sizeof faces);
}

static const cutting_row *row_of_blade(const cutting *c)
{
    return &c->rows[c->row < CUTTING_ROWS ? c->row : CUTTING_ROWS - 1];
}

willow_pose cutting_blade_pose_at(const cutting *c, double share)
{
    const cutting_row *row = row_of_blade(c);
    return (willow_pose){
        {(float)length_of(c, share * row->tip), (float)length_of(c, (double)row->cells + 0.5), 0},
        {0, 0, 0, 1}};
}

willow_pose cutting_blade_pose(const cutting *c) { return cutting_blade_pose_at(c, 1.0); }
