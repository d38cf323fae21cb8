/* step_end.c - makes ghosts: one pass over the goals that stores them in the order of the tree and
 * bounds the leaves, and a merge of the boxes, as for a body whose vertices are set. Along plans
 * the goals are where these lead. */
#include "update/step_end.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/larger.h"
#include "update/bounds.h"

static bool reserve_kept(wi_memory *memory, size_t size, wi_step_end *ghost)
{
    if (ghost->kept_size >= size) return true;
    if (ghost->kept) wi_free(memory, ghost->kept, ghost->kept_size);
    ghost->kept_size = 0;
    ghost->kept = wi_alloc(memory, size);
    if (ghost->kept) ghost->kept_size = size;
    return ghost->kept != NULL;
}

static bool step_end_reserve(wi_memory *memory, const wi_tree *h, wi_step_end *ghost)
{
    const uint32_t nodes = h->boxes.nodes ? h->shape->node_count : 0,
                   vertices = h->mesh->vertex_count;
    if (ghost->vertex_room < vertices) { /* none yet: their number does not change */
        ghost->positions = wi_alloc_array(memory, vertices, sizeof *ghost->positions);
        if (ghost->positions == NULL) return false;
        ghost->vertex_room = vertices;
    }
    if (ghost->node_room >= nodes) return true;
    wi_free_array(memory, ghost->nodes, ghost->node_room, sizeof *ghost->nodes);
    ghost->node_room = 0;
    ghost->nodes = wi_alloc_array(memory, nodes, sizeof *ghost->nodes);
    if (ghost->nodes == NULL) return false;
    ghost->node_room = nodes;
    return true;
}

void wi_step_end_drop(wi_memory *memory, wi_step_end *ghost)
{
    ghost->is_set = false;
    if (ghost->h.shape) wi_shape_release(memory, ghost->h.shape);
    ghost->h.shape = NULL;
}

/* The shape of the body, and as yet its boxes, but for what is kept of where it is now. */
static void share_tree(wi_memory *memory, const wi_tree *h, wi_step_end *ghost)
{
    wi_step_end_drop(memory, ghost);
    ghost->mesh = *h->mesh;
    ghost->h = (wi_tree){.mesh = &ghost->mesh,
                         .shape = wi_shape_share(h->shape),
                         .boxes = h->boxes,
                         .keeper = h->keeper,
                         .def = h->def,
                         .is_self = h->is_self};
    ghost->h.boxes.points = NULL;
    ghost->h.boxes.volumes = NULL;
    WI_ASSERT(!ghost->is_set && ghost->h.shape == h->shape);
}

/* Nodes of its own, with the boxes of the body until they are computed, which nobody else keeps. */
static void own_boxes(wi_step_end *ghost)
{
    wi_tree *h = &ghost->h;
    WI_ASSERT(ghost->nodes != h->boxes.nodes && ghost->node_room >= h->shape->node_count);
    memcpy(ghost->nodes, h->boxes.nodes, h->shape->node_count * sizeof *ghost->nodes);
    h->boxes.nodes = ghost->nodes;
    h->keeper = (wi_keeper){0};
    wi_tree_act(h, &h->keeper, NULL);
}

/* Where the goals of a trial are read: by vertex. */
static wi_source goals_of(const wi_trial *trial)
{
    return (wi_source){(const char *)trial->goals, sizeof *trial->goals};
}

/* Vertices that no leaf has are of no interest to a tree. */
static void step_end_bound(const wi_refit_kernels *kernels, const wi_trial *trial,
                           uint64_t revision, wi_step_end *ghost)
{
    wi_tree *h = &ghost->h;
    WI_ASSERT(ghost->vertex_room >= ghost->mesh.vertex_count);
    own_boxes(ghost);
    const bool is_finite =
        kernels->leaves_from_source(h, 0, h->shape->node_count, goals_of(trial),
                                    ghost->mesh.borrowed ? NULL : ghost->positions);
    WI_ASSERT(is_finite); /* wi_trial_move has seen to it */
    (void)is_finite;
    kernels->merge(h, revision);
}

static void move_vertices(const wi_refit_kernels *kernels, const wi_trial *trial, uint64_t revision,
                          wi_step_end *ghost)
{
    wi_mesh *mesh = &ghost->mesh;
    const bool has_tree = ghost->h.boxes.nodes != NULL;
    wi_mesh_leave_motion(mesh);
    if (mesh->borrowed || !has_tree) {
        memcpy(ghost->positions, trial->goals, mesh->vertex_count * sizeof *ghost->positions);
        wi_mesh_borrow(mesh, (wi_source){(const char *)ghost->positions, sizeof *ghost->positions});
    }
    if (has_tree)
        step_end_bound(kernels, trial, revision, ghost);
    else
        ghost->h.boxes.bounds = wi_mesh_bounds(mesh);
    if (!mesh->borrowed) mesh->positions = ghost->positions;
}

static double way2_of(const wi_mesh *from, const wi_mesh *to, uint32_t vertex)
{
    double p[3], q[3], way2 = 0.0;
    wi_mesh_model64(from, vertex, p);
    wi_mesh_model64(to, vertex, q);
    for (int axis = 0; axis < 3; axis++) {
        const double way = q[axis] - p[axis];
        way2 += way * way;
    }
    return way2;
}

/* How far a vertex of a triangle that collides moves at most, in the frame of the body. A tree
 * names these less often than the triangles do. */
static double farthest_way(const wi_tree *h, const wi_mesh *to)
{
    const wi_mesh *from = h->mesh;
    double farthest = 0.0;
    if (wi_mesh_is_still(from, to)) return 0.0;
    for (uint32_t i = 0; i < h->shape->leaf_vertex_count && h->boxes.nodes; i++)
        farthest = wi_larger(farthest, way2_of(from, to, h->shape->leaf_vertices[i]));
    for (uint32_t slot = 0; slot < from->tri_count && h->boxes.nodes == NULL; slot++)
        for (int i = 0; i < 3 && wi_mesh_collides(from, slot); i++)
            farthest = wi_larger(farthest, way2_of(from, to, from->tris[slot][i]));
    return sqrt(farthest);
}

/* Of all vertices; r is at most the diagonal of the larger of the two boxes. */
static double step_end_bend_of(const wi_tree *h, const wi_step_end *ghost)
{
    const double root3 = 1.7320508075688774;
    if (!(ghost->spin.bend > 0.0)) return 0.0;
    return wi_spin_bend(&ghost->spin, root3 * wi_larger(h->boxes.size, ghost->h.boxes.size),
                        farthest_way(h, &ghost->mesh));
}

/* ---- the end of a morph, and of a deformation ---- */

/* Positions of all vertices, and boxes around them. */
static void store_end(const wi_refit_kernels *kernels, willow_kernel kernel, uint64_t revision,
                      wi_step_end *ghost)
{
    wi_mesh *mesh = &ghost->mesh;
    wi_tree *h = &ghost->h;
    WI_ASSERT(ghost->vertex_room >= mesh->vertex_count);
    mesh->positions = ghost->positions;
    wi_mesh_store_plan(mesh, kernel);
    if (h->boxes.nodes == NULL) {
        h->boxes.bounds = wi_mesh_bounds(mesh);
        return;
    }
    own_boxes(ghost);
    kernels->leaves_from_places(h, 0, h->shape->node_count);
    kernels->merge(h, revision);
}

static bool opens_at_end(const wi_tree *h)
{
    return h->boxes.nodes && wi_mesh_is_live(h->mesh) && h->boxes.acting.state &&
           h->boxes.acting.ops->act_at_end;
}

/* A tree whose nodes are bounded when they are opened may be so at the end of the step, too. */
static void act_at_end(const wi_keeper *acting, wi_refresh *refresh, uint64_t revision,
                       wi_step_end *ghost)
{
    wi_tree *h = &ghost->h;
    wi_openings count = {0};
    own_boxes(ghost);
    for (uint32_t node = 0; node < h->shape->node_count; node++)
        atomic_store_explicit(&h->boxes.nodes[node].stamp, WI_STAMP_NONE, memory_order_relaxed);
    h->boxes.revision = h->boxes.valid_from = revision;
    h->boxes.refresh = refresh;
    WI_ASSERT(acting->state && ghost->kept_size >= acting->ops->end_size);
    acting->ops->act_at_end(acting->state, h, ghost->kept);
    h->boxes.bounds = wi_node_merged(wi_open(h, 0, &count));
}

/* What vertices are computed from is another at the end. */
static void move_computed(const wi_refit_kernels *kernels, willow_kernel kernel,
                          const wi_trial *trial, uint64_t revision, wi_step_end *ghost)
{
    const wi_keeper acting = ghost->h.boxes.acting;
    wi_trial_end_state(trial, &ghost->motion, &ghost->mesh);
    if (opens_at_end(&ghost->h))
        act_at_end(&acting, ghost->h.boxes.refresh, revision, ghost);
    else
        store_end(kernels, kernel, revision, ghost);
}

bool wi_step_end_make(wi_memory *memory, const wi_refit_kernels *kernels, willow_kernel kernel,
                      const wi_tree *h, const willow_pose *pose, const wi_trial *trial,
                      uint64_t placement, wi_step_end *ghost)
{
    ghost->is_set = ghost->is_flight = false;
    WI_ASSERT(placement > h->boxes.placement);
    if (wi_trial_bends(trial) && !step_end_reserve(memory, h, ghost)) return false;
    if (wi_trial_is_computed(trial) && opens_at_end(h) &&
        !reserve_kept(memory, h->boxes.acting.ops->end_size, ghost))
        return false;
    if (wi_trial_is_computed(trial) && !wi_mesh_reserve_end(memory, h->mesh, &ghost->motion))
        return false;
    share_tree(memory, h, ghost);
    if (trial->bend == WI_BEND_VERTICES) move_vertices(kernels, trial, placement, ghost);
    if (wi_trial_is_computed(trial)) move_computed(kernels, kernel, trial, placement, ghost);
    if (trial->moves_pose) wi_mesh_set_pose(&ghost->mesh, &trial->pose);
    ghost->spin = wi_spin_between(pose, trial->moves_pose ? &trial->pose : pose);
    wi_tree_place(&ghost->h, placement);
    ghost->bend = step_end_bend_of(h, ghost);
    ghost->is_set = true;
    return true;
}

/* The end of the flight: positions, and boxes around them. */
static void arrive(const wi_refit_kernels *kernels, willow_kernel kernel, uint64_t revision,
                   wi_step_end *ghost)
{
    wi_mesh *mesh = &ghost->mesh;
    wi_tree *h = &ghost->h;
    WI_ASSERT(ghost->vertex_room >= mesh->vertex_count);
    mesh->positions = ghost->positions;
    wi_flight_arrive(&ghost->flight, &ghost->motion, mesh);
    wi_mesh_store_plan(mesh, kernel);
    if (h->boxes.nodes == NULL) {
        h->boxes.bounds = wi_mesh_bounds(mesh);
        return;
    }
    own_boxes(ghost);
    kernels->leaves_from_places(h, 0, h->shape->node_count);
    kernels->merge(h, revision);
}

bool wi_step_end_follow(wi_memory *memory, const wi_refit_kernels *kernels, willow_kernel kernel,
                        const wi_tree *h, double to, uint64_t placement, wi_step_end *ghost)
{
    const wi_mesh *mesh = h->mesh;
    ghost->is_set = false;
    WI_ASSERT(placement > h->boxes.placement && wi_mesh_has_paths(mesh));
    const wi_plan *plan = wi_mesh_plan(mesh);
    if (!wi_flight_make(memory, plan, plan->now.time, to, &ghost->flight)) return false;
    if (mesh->vertex_count == 0 || wi_flight_stands(plan, &ghost->flight)) return true;
    if (!step_end_reserve(memory, h, ghost) || !wi_mesh_reserve_end(memory, mesh, &ghost->motion))
        return false;
    share_tree(memory, h, ghost);
    arrive(kernels, kernel, placement, ghost);
    wi_tree_place(&ghost->h, placement);
    ghost->bend = wi_flight_bend(mesh, &ghost->flight);
    ghost->is_set = ghost->is_flight = true;
    return true;
}

void wi_step_end_free(wi_memory *memory, wi_step_end *ghost)
{
    if (ghost == NULL) return;
    wi_step_end_drop(memory, ghost);
    wi_flight_free(memory, &ghost->flight);
    wi_free_array(memory, ghost->positions, ghost->vertex_room, sizeof *ghost->positions);
    wi_free_array(memory, ghost->nodes, ghost->node_room, sizeof *ghost->nodes);
    if (ghost->kept) wi_free(memory, ghost->kept, ghost->kept_size);
    wi_end_state_free(memory, &ghost->motion);
    wi_free(memory, ghost, sizeof *ghost);
}
