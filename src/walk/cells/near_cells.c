/* near_cells.c - see near_cells.h. After Rodriguez and Franquesa 2005 (BOCST), sections 4 and 5. */
#include "walk/cells/near_cells.h"

#include <string.h>

#include "base/check.h"
#include "tree/cells/cell_touch.h"
#include "tree/grown/grown.h"

void wi_cells_of_worker_free(wi_memory *memory, wi_cells_of_worker *found)
{
    wi_array_free(memory, &found->cells);
    wi_array_free(memory, &found->slots[0]);
    wi_array_free(memory, &found->slots[1]);
}

/* ---- bodies ---- */

/* A tree without branches of its own may be about to be built, or be none. */
static bool has_branches(const wi_tree *h)
{
    return h->boxes.nodes != NULL && wi_shape_is_grown(h->shape);
}

static wi_box tight_box(const wi_mesh *mesh)
{
    wi_box box = wi_box_empty();
    for (uint32_t slot = 0; slot < mesh->tri_count; slot++)
        for (int corner = 0; corner < 3 && wi_mesh_collides(mesh, slot); corner++) {
            float p[3];
            wi_mesh_model_position(mesh, mesh->tris[slot][corner], p);
            wi_box_add_point(&box, p);
        }
    return box;
}

static wi_cell_grid grid_of(const wi_tree *h)
{
    if (has_branches(h)) return h->shape->grown->grid;
    const wi_box box = tight_box(h->mesh);
    if (wi_box_is_empty(&box)) return (wi_cell_grid){.edge = -1.0};
    return wi_cell_grid_of(&box, h->def.cells);
}

/* The largest coordinates in the frame of the body, and more than those in the world: by the grid
 * and the pose alone, which are the same with any method. */
static double model_size_of(const wi_cell_grid *grid)
{
    double size = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        if (fabs(grid->lower[axis]) > size) size = fabs(grid->lower[axis]);
        if (fabs(grid->upper[axis]) > size) size = fabs(grid->upper[axis]);
    }
    return size;
}

static double world_size_of(const wi_tree *h, double model_size)
{
    const wi_pose *pose = wi_mesh_pose(h->mesh);
    double away = 0.0;
    if (pose == NULL) return model_size;
    for (int axis = 0; axis < 3; axis++)
        if (fabs(pose->translation[axis]) > away) away = fabs(pose->translation[axis]);
    return 2.0 * model_size + away; /* no vector is longer than sqrt(3) times its largest number */
}

/* Of a cube with this side, whose borders are rounded to float32 at coordinates of this size. */
static double widest_radius(double side, double size)
{
    return 0.8660254037844388 * (side + 0x1p-20 * size + 0x1p-140); /* sqrt(3) / 2, and more */
}

/* Vertices are rounded to float32 in the frame of the body, and in the world, where those that
 * leave float32 may be anywhere. */
static double uncertainty_of(double model_size, double world_size)
{
    if (world_size >= (double)FLT_MAX) return (double)INFINITY;
    return 0x1p-22 * (model_size + world_size) + 0x1p-140;
}

wi_cell_body wi_cell_body_of(const wi_tree *h, unsigned depth)
{
    wi_cell_body body = {.h = h, .grid = grid_of(h), .opens = true};
    body.is_empty = body.grid.edge < 0.0;
    if (body.is_empty) return body;
    body.level = wi_cell_level(&body.grid, depth);
    const double unit = wi_cell_unit(&body.grid, body.level);
    const double model = model_size_of(&body.grid), world = world_size_of(h, model);
    body.reach = widest_radius(unit < body.grid.edge ? unit : body.grid.edge, model);
    body.rounding = 0x1p-44 * (model + world);
    body.uncertainty = uncertainty_of(model, world);
    return body;
}

/* A unit is below twice the edge, halved `depth` - 1 times or once more; and the box that is known
 * is not smaller than the tight one. */
double wi_cell_reach(const wi_box *bounds, const wi_box *world_bounds, unsigned depth)
{
    double edge = 0.0;
    WI_ASSERT(depth >= 1 && depth <= WILLOW_MAX_CELL_DEPTH);
    for (int axis = 0; axis < 3; axis++) {
        const double side = (double)bounds->upper[axis] - (double)bounds->lower[axis];
        if (side > edge) edge = side;
    }
    const double side = 2.0 * edge / (double)(UINT32_C(1) << (depth - 1));
    const double size = wi_box_size(bounds) + wi_box_size(world_bounds);
    return 2.0 * widest_radius(side < edge ? side : edge, size) + 0x1p-21 * size + 0x1p-140;
}

/* ---- spheres ---- */

/* The centre goes through the pose in double: products and sums in this order, none fused. */
static void set_sphere(const wi_cell_body *body, wi_near_cell *cell)
{
    const wi_pose *pose = wi_mesh_pose(body->h->mesh);
    const wi_box box = wi_cell_box(&body->grid, cell->cell);
    const wi_sphere sphere = wi_sphere_around(&box);
    const double *c = sphere.centre;
    cell->radius = sphere.radius;
    for (int i = 0; i < 3; i++)
        cell->centre[i] = pose == NULL ? c[i]
                                       : ((pose->column[0][i] * c[0] + pose->column[1][i] * c[1]) +
                                          pose->column[2][i] * c[2]) +
                                             pose->translation[i];
}

static double squared_way(const wi_near_cell *a, const wi_near_cell *b)
{
    const double x = a->centre[0] - b->centre[0], y = a->centre[1] - b->centre[1];
    const double z = a->centre[2] - b->centre[2];
    return (x * x + y * y) + z * z;
}

/* All spheres below a cell are around parts of it, and at most as large as any of their level is.
 */
static double reach_below(const wi_cell_body *body, const wi_near_cell *cell)
{
    return cell->radius + body->reach + body->rounding;
}

bool wi_near_cells_meet(const wi_cell_body *body_a, const wi_near_cell *a,
                        const wi_cell_body *body_b, const wi_near_cell *b)
{
    const double radii = a->radius + b->radius;
    if (a->cell.level == body_a->level && b->cell.level == body_b->level)
        return squared_way(a, b) <= radii * radii;
    const double most = reach_below(body_a, a) + reach_below(body_b, b);
    return squared_way(a, b) <= most * most * (1.0 + 0x1p-40);
}

double wi_near_cells_apart(const wi_cell_body *body_a, const wi_near_cell *a,
                           const wi_cell_body *body_b, const wi_near_cell *b)
{
    const double most = sqrt(squared_way(a, b)) + (a->radius + b->radius);
    const double loose =
        (body_a->rounding + body_b->rounding) + (body_a->uncertainty + body_b->uncertainty);
    return most * (1.0 + 0x1p-50) + loose;
}

/* ---- the root ---- */

bool wi_near_cells_root(wi_reader *reader, const wi_cell_body *body, uint32_t number,
                        wi_cells_of_worker *out, unsigned turn)
{
    const wi_mesh *mesh = body->h->mesh;
    wi_slot_list *slots = &out->slots[turn];
    wi_near_cell root = {
        .cell = wi_cell_root(), .body = number, .lists = out->number, .branch = WI_NO_BRANCH};
    WI_ASSERT(!body->is_empty);
    set_sphere(body, &root);
    if (has_branches(body->h)) {
        if (body->opens) root.branch = 0;
        root.lists = WI_LISTS_OF_TREE;
        root.first = body->h->shape->grown->nodes[0].first;
        root.count = body->h->shape->grown->nodes[0].count;
        return wi_array_push(reader->memory, &out->cells, root);
    }
    root.first = slots->count;
    if (!wi_array_reserve(reader->memory, slots, slots->count + mesh->tri_count)) return false;
    for (uint32_t slot = 0; slot < mesh->tri_count; slot++)
        if (wi_mesh_collides(mesh, slot)) slots->items[slots->count++] = slot;
    root.count = slots->count - root.first;
    return wi_array_push(reader->memory, &out->cells, root);
}

/* ---- children by branches ---- */

/* False if the tree ends here: nothing was added, and it has to be computed. */
static bool is_branch(wi_reader *reader, const wi_cell_body *body, const wi_near_cell *cell)
{
    if (cell->branch == WI_NO_BRANCH) return false;
    const wi_grown *g = wi_grown_of(body->h);
    if (cell->cell.level >= g->last_level) return false;
    reader->stats.nodes_opened++;
    (void)wi_open(body->h, cell->branch, &reader->openings);
    return g->nodes[cell->branch].kind == WI_GROWN_BRANCH;
}

static bool add_branches(wi_reader *reader, const wi_cell_body *body, const wi_near_cell *cell,
                         wi_cells_of_worker *out)
{
    const wi_grown *g = wi_grown_of(body->h);
    const wi_grown_cell *above = &g->nodes[cell->branch];
    const wi_node *view = &body->h->boxes.nodes[cell->branch];
    const unsigned count = view->count + (unsigned)above->hidden;
    if (!wi_array_reserve(reader->memory, &out->cells, out->cells.count + count)) return false;
    for (unsigned lane = 0; lane < count; lane++) {
        const bool is_leaf = (above->is_leaf >> lane & 1) != 0;
        const uint32_t number = view->child[lane];
        const wi_grown_cell *below = is_leaf ? &g->leaves[number] : &g->nodes[number];
        wi_near_cell child = {.cell = below->cell,
                              .body = cell->body,
                              .lists = WI_LISTS_OF_TREE,
                              .branch = is_leaf ? (uint32_t)WI_NO_BRANCH : number,
                              .first = below->first,
                              .count = below->count};
        set_sphere(body, &child);
        out->cells.items[out->cells.count++] = child;
    }
    return true;
}

/* ---- children by triangles ---- */

/* Which children each of eight triangles touches. */
typedef struct eight {
    const uint32_t *slots;
    unsigned count;
    uint8_t children[WI_LANES];
} eight;

static void touch_eight(wi_reader *reader, const wi_cell_touch *touch, const wi_mesh *mesh,
                        const uint32_t *slots, size_t left, eight *e)
{
    e->slots = slots;
    e->count = left < WI_LANES ? (unsigned)left : WI_LANES;
    reader->stats.triangle_tests += (uint64_t)e->count * touch->count;
    wi_cell_touch_tris(touch, mesh, slots, e->count, e->children, &reader->stats.exact_tests);
}

/* On the last level it is enough that a child is touched. */
static void find_touched(wi_reader *reader, const wi_cell_touch *touch, const wi_mesh *mesh,
                         const uint32_t *slots, size_t count, size_t tri_counts[8])
{
    const unsigned all = (1U << touch->count) - 1U;
    unsigned touched = 0;
    for (size_t i = 0; i < count && touched != all; i += WI_LANES) {
        eight e;
        touch_eight(reader, touch, mesh, slots + i, count - i, &e);
        for (unsigned k = 0; k < e.count; k++) touched |= e.children[k];
    }
    for (unsigned child = 0; child < touch->count; child++)
        tri_counts[child] = touched >> child & 1U;
}

/* Which children each triangle touches, a byte each, at the end of the list. */
static void note_touched(wi_reader *reader, const wi_cell_touch *touch, const wi_mesh *mesh,
                         const uint32_t *slots, size_t count, uint8_t *children,
                         size_t tri_counts[8])
{
    memset(tri_counts, 0, 8 * sizeof *tri_counts);
    for (size_t i = 0; i < count; i += WI_LANES) {
        eight e;
        touch_eight(reader, touch, mesh, slots + i, count - i, &e);
        memcpy(children + i, e.children, e.count);
        for (unsigned k = 0; k < e.count; k++)
            for (unsigned all = e.children[k]; all != 0; all &= all - 1)
                tri_counts[__builtin_ctz(all)]++;
    }
}

/* Above it children list triangles. The bytes stay in the list, in front of those of the children.
 * False if there is no memory. */
static bool list_touched(wi_reader *reader, const wi_cell_touch *touch, const wi_mesh *mesh,
                         const uint32_t *slots, size_t count, wi_slot_list *out,
                         size_t tri_counts[8])
{
    const size_t words = (count + 3) / 4, first = out->count;
    if (!wi_array_reserve(reader->memory, out, first + words)) return false;
    note_touched(reader, touch, mesh, slots, count, (uint8_t *)(out->items + first), tri_counts);
    out->count += words;
    size_t next[8], end = out->count;
    for (unsigned child = 0; child < touch->count; child++) {
        next[child] = end;
        end += tri_counts[child];
    }
    if (!wi_array_reserve(reader->memory, out, end)) return false;
    const uint8_t *children = (const uint8_t *)(out->items + first);
    for (size_t i = 0; i < count; i++)
        for (unsigned all = children[i]; all != 0; all &= all - 1)
            out->items[next[__builtin_ctz(all)]++] = slots[i];
    return true;
}

static bool add_touched(wi_reader *reader, const wi_cell_body *body, const wi_near_cell *cell,
                        const uint32_t *slots, wi_cells_of_worker *out, unsigned turn)
{
    const wi_mesh *mesh = body->h->mesh;
    const bool is_last = cell->cell.level + 1U == body->level;
    wi_slot_list *list = &out->slots[turn];
    wi_cell_touch touch;
    size_t tri_counts[8];
    wi_cell_touch_begin(&touch, &body->grid, cell->cell, wi_tris_meet_boxes_for(reader->kernel));
    if (!wi_array_reserve(reader->memory, &out->cells, out->cells.count + touch.count))
        return false;
    if (is_last)
        find_touched(reader, &touch, mesh, slots, cell->count, tri_counts);
    else if (!list_touched(reader, &touch, mesh, slots, cell->count, list, tri_counts))
        return false;
    for (unsigned i = 0; i < touch.count; i++) {
        if (tri_counts[i] == 0) continue;
        wi_near_cell child = {.cell = touch.cells[i],
                              .body = cell->body,
                              .lists = out->number,
                              .branch = WI_NO_BRANCH,
                              .first = list->count,
                              .count = is_last ? 0 : tri_counts[i]};
        list->count += child.count;
        set_sphere(body, &child);
        out->cells.items[out->cells.count++] = child;
    }
    return true;
}

bool wi_near_cells_below(wi_reader *reader, const wi_cell_body *body, wi_near_cell *cell,
                         const uint32_t *lists, wi_cells_of_worker *out, unsigned turn)
{
    const size_t first = out->cells.count;
    WI_ASSERT(cell->cell.level < body->level && cell->count > 0);
    const uint32_t *slots = lists + cell->first;
    const bool ok = is_branch(reader, body, cell)
                        ? add_branches(reader, body, cell, out)
                        : add_touched(reader, body, cell, slots, out, turn);
    cell->worker = out->number;
    cell->first_child = first;
    cell->child_count = (uint32_t)(out->cells.count - first);
    WI_ASSERT(!ok || cell->child_count > 0); /* children cover their parent */
    return ok;
}
