/* step_end.c - makes ends of steps: one pass over the goals that stores them in the order of the
 * tree and bounds the leaves, and a merge of the boxes, as for a body whose vertices are set. Along
 * plans the goals are where these lead. */
#include "update/step_end.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/larger.h"
#include "tree/linked/links.h"
#include "update/bounds.h"
#include "update/sphere/sphere.h"

static bool reserve_kept(wi_memory *memory, size_t size, wi_step_end *end)
{
    if (end->kept_size >= size) return true;
    if (end->kept) wi_free(memory, end->kept, end->kept_size);
    end->kept_size = 0;
    end->kept = wi_alloc(memory, size);
    if (end->kept) end->kept_size = size;
    return end->kept != NULL;
}

static bool step_end_reserve(wi_memory *memory, const wi_tree *h, wi_step_end *end)
{
    const uint32_t nodes = h->boxes.nodes ? h->shape->node_count : 0,
                   vertices = h->mesh->vertex_count;
    if (end->vertex_room < vertices) {
        wi_free_array(memory, end->positions, end->vertex_room, sizeof *end->positions);
        end->vertex_room = 0;
        end->positions = wi_alloc_array(memory, vertices, sizeof *end->positions);
        if (end->positions == NULL) return false;
        end->vertex_room = vertices;
    }
    if (end->node_room >= nodes) return true;
    wi_free_array(memory, end->nodes, end->node_room, sizeof *end->nodes);
    end->node_room = 0;
    end->nodes = wi_alloc_array(memory, nodes, sizeof *end->nodes);
    if (end->nodes == NULL) return false;
    end->node_room = nodes;
    return true;
}

void wi_step_end_drop(wi_memory *memory, wi_step_end *end)
{
    end->is_set = false;
    if (end->h.shape) wi_shape_release(memory, end->h.shape);
    end->h.shape = NULL;
}

/* The shape of the body, and as yet its boxes, but for what is kept of where it is now. */
static void share_tree(wi_memory *memory, const wi_tree *h, wi_step_end *end)
{
    wi_step_end_drop(memory, end);
    end->mesh = *h->mesh;
    end->h = (wi_tree){.mesh = &end->mesh,
                       .shape = wi_shape_share(h->shape),
                       .boxes = h->boxes,
                       .keeper = h->keeper,
                       .def = h->def,
                       .is_self = h->is_self};
    end->h.boxes.points = NULL;
    end->h.boxes.volumes = NULL;
    end->start = h;
    WI_ASSERT(!end->is_set && end->h.shape == h->shape);
}

/* Nodes of its own, with the boxes of the body until they are computed, which nobody else keeps. */
static void own_boxes(wi_step_end *end)
{
    wi_tree *h = &end->h;
    WI_ASSERT(end->nodes != h->boxes.nodes && end->node_room >= h->shape->node_count);
    memcpy(end->nodes, h->boxes.nodes, h->shape->node_count * sizeof *end->nodes);
    h->boxes.nodes = end->nodes;
    h->keeper = (wi_keeper){0};
    wi_tree_act(h, &h->keeper, NULL);
}

/* Where the goals of a trial are read: by vertex. */
static wi_source goals_of(const wi_trial *trial)
{
    return (wi_source){(const char *)trial->goals, sizeof *trial->goals};
}

/* The leaves of a linked tree own no places, so nobody stores them on the way. */
static void store_goals(const wi_trial *trial, wi_step_end *end)
{
    wi_mesh *mesh = &end->mesh;
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++)
        if (wi_mesh_stands_for_itself(mesh, vertex))
            end->positions[mesh->place[vertex]] = trial->goals[vertex];
    mesh->positions = end->positions;
}

/* Vertices that no leaf has are of no interest to a tree. */
static void step_end_bound(const wi_refit_kernels *kernels, const wi_trial *trial,
                           uint64_t revision, wi_step_end *end)
{
    wi_tree *h = &end->h;
    WI_ASSERT(end->vertex_room >= end->mesh.vertex_count);
    own_boxes(end);
    if (wi_shape_is_grown(h->shape)) {
        if (!end->mesh.borrowed) store_goals(trial, end);
        wi_sphere_act_at_end(h, &end->start, revision);
        return;
    }
    if (wi_shape_is_linked(h->shape) && !end->mesh.borrowed) {
        store_goals(trial, end);
        kernels->leaves_from_places(h, 0, h->shape->node_count);
        kernels->merge(h, revision);
        return;
    }
    const bool is_finite = kernels->leaves_from_source(h, 0, h->shape->node_count, goals_of(trial),
                                                       end->mesh.borrowed ? NULL : end->positions);
    WI_ASSERT(is_finite); /* wi_trial_move has seen to it */
    (void)is_finite;
    kernels->merge(h, revision);
}

static void move_vertices(const wi_refit_kernels *kernels, const wi_trial *trial, uint64_t revision,
                          wi_step_end *end)
{
    wi_mesh *mesh = &end->mesh;
    const bool has_tree = end->h.boxes.nodes != NULL;
    wi_mesh_leave_motion(mesh);
    if (mesh->borrowed || !has_tree) {
        memcpy(end->positions, trial->goals, mesh->vertex_count * sizeof *end->positions);
        wi_mesh_borrow(mesh, (wi_source){(const char *)end->positions, sizeof *end->positions});
    }
    if (has_tree)
        step_end_bound(kernels, trial, revision, end);
    else
        end->h.boxes.bounds = wi_mesh_bounds(mesh);
    if (!mesh->borrowed) mesh->positions = end->positions;
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
    const bool has_leaves = h->boxes.nodes && !wi_shape_is_grown(h->shape);
    for (uint32_t leaf = 0; leaf < h->shape->leaf_count && has_leaves; leaf++)
        for (unsigned i = 0; i < h->shape->leaves[leaf].vertex_count; i++)
            farthest = wi_larger(
                farthest,
                way2_of(from, to,
                        h->shape->leaf_vertices[h->shape->leaves[leaf].first_vertex + i]));
    for (uint32_t slot = 0; slot < from->tri_count && !has_leaves; slot++)
        for (int i = 0; i < 3 && wi_mesh_collides(from, slot); i++)
            farthest = wi_larger(farthest, way2_of(from, to, from->tris[slot][i]));
    return sqrt(farthest);
}

/* Of all vertices; r is at most the diagonal of the larger of the two boxes. */
static double step_end_bend_of(const wi_tree *h, const wi_step_end *end)
{
    const double root3 = 1.7320508075688774;
    if (!(end->spin.bend > 0.0)) return 0.0;
    return wi_spin_bend(&end->spin, root3 * wi_larger(h->boxes.size, end->h.boxes.size),
                        farthest_way(h, &end->mesh));
}

/* ---- the end of a morph, and of a deformation ---- */

/* Positions of all vertices, and boxes around them. */
static void store_end(const wi_refit_kernels *kernels, willow_kernel kernel, uint64_t revision,
                      wi_step_end *end)
{
    wi_mesh *mesh = &end->mesh;
    wi_tree *h = &end->h;
    WI_ASSERT(end->vertex_room >= mesh->vertex_count);
    WI_ASSERT(end->vertex_room >= mesh->vertex_count);
    mesh->positions = end->positions;
    wi_mesh_store_plan(mesh, kernel);
    if (h->boxes.nodes == NULL) {
        h->boxes.bounds = wi_mesh_bounds(mesh);
        return;
    }
    own_boxes(end);
    if (wi_shape_is_grown(h->shape)) {
        wi_sphere_act_at_end(h, &end->start, revision);
        return;
    }
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
                       wi_step_end *end)
{
    wi_tree *h = &end->h;
    wi_openings count = {0};
    own_boxes(end);
    for (uint32_t node = 0; node < h->shape->node_count; node++)
        atomic_store_explicit(&h->boxes.nodes[node].stamp, WI_STAMP_NONE, memory_order_relaxed);
    h->boxes.revision = h->boxes.valid_from = revision;
    h->boxes.refresh = refresh;
    WI_ASSERT(acting->state && end->kept_size >= acting->ops->end_size);
    acting->ops->act_at_end(acting->state, h, end->kept);
    h->boxes.bounds = wi_node_merged(wi_open(h, 0, &count));
}

/* What vertices are computed from is another at the end. */
static void move_computed(const wi_refit_kernels *kernels, willow_kernel kernel,
                          const wi_trial *trial, uint64_t revision, wi_step_end *end)
{
    const wi_keeper acting = end->h.boxes.acting;
    wi_trial_end_state(trial, &end->motion, &end->mesh);
    if (opens_at_end(&end->h))
        act_at_end(&acting, end->h.boxes.refresh, revision, end);
    else
        store_end(kernels, kernel, revision, end);
}

bool wi_step_end_make(wi_memory *memory, const wi_refit_kernels *kernels, willow_kernel kernel,
                      const wi_tree *h, const willow_pose *pose, const wi_trial *trial,
                      uint64_t placement, wi_step_end *end)
{
    end->is_set = end->is_flight = false;
    WI_ASSERT(placement > h->boxes.placement);
    if (wi_trial_bends(trial) && !step_end_reserve(memory, h, end)) return false;
    if (wi_trial_is_computed(trial) && opens_at_end(h) &&
        !reserve_kept(memory, h->boxes.acting.ops->end_size, end))
        return false;
    if (wi_trial_is_computed(trial) && !wi_mesh_reserve_end(memory, h->mesh, &end->motion))
        return false;
    share_tree(memory, h, end);
    if (trial->bend == WI_BEND_VERTICES) move_vertices(kernels, trial, placement, end);
    if (wi_trial_is_computed(trial)) move_computed(kernels, kernel, trial, placement, end);
    if (trial->moves_pose) wi_mesh_set_pose(&end->mesh, &trial->pose, &end->pose);
    end->spin = wi_spin_between(pose, trial->moves_pose ? &trial->pose : pose);
    wi_tree_place(&end->h, placement);
    end->bend = step_end_bend_of(h, end);
    end->is_set = true;
    return true;
}

bool wi_step_end_follow(wi_memory *memory, const wi_refit_kernels *kernels, willow_kernel kernel,
                        const wi_tree *h, double to, uint64_t placement, wi_step_end *end)
{
    const wi_mesh *mesh = h->mesh;
    end->is_set = false;
    WI_ASSERT(placement > h->boxes.placement && wi_mesh_has_paths(mesh));
    const wi_plan *plan = wi_mesh_plan(mesh);
    if (!wi_flight_make(memory, plan, plan->now.time, to, &end->flight)) return false;
    if (mesh->vertex_count == 0 || wi_flight_stands(plan, &end->flight)) return true;
    if (!step_end_reserve(memory, h, end) || !wi_mesh_reserve_end(memory, mesh, &end->motion))
        return false;
    share_tree(memory, h, end);
    wi_flight_arrive(&end->flight, &end->motion, &end->mesh);
    store_end(kernels, kernel, placement, end);
    wi_tree_place(&end->h, placement);
    end->bend = wi_flight_bend(mesh, &end->flight);
    end->is_set = end->is_flight = true;
    return true;
}

void wi_step_end_free(wi_memory *memory, wi_step_end *end)
{
    if (end == NULL) return;
    wi_step_end_drop(memory, end);
    wi_flight_free(memory, &end->flight);
    wi_free_array(memory, end->positions, end->vertex_room, sizeof *end->positions);
    wi_free_array(memory, end->nodes, end->node_room, sizeof *end->nodes);
    if (end->kept) wi_free(memory, end->kept, end->kept_size);
    wi_end_state_free(memory, &end->motion);
    wi_free(memory, end, sizeof *end);
}
