/* packed_update.c - the update of a narrow tree with boxes side by side.
 *
 * Way in: wi_packed_boxes_take for new positions, wi_packed_boxes_update for all else. The tasks of
 * an update are subtrees; the few nodes above them come last. */
#include "update/refit/packed_update.h"

#include "base/check.h"
#include "base/threads.h"
#include "update/parallel_pass.h"

/* A microsecond's work. */
enum { PLACES_PER_TASK = 512, NODES_PER_TASK = 256 };

extern const wi_packed_boxes_kernels wi_packed_boxes_kernels_scalar, wi_packed_boxes_kernels_avx2;

const wi_packed_boxes_kernels *wi_packed_boxes_kernels_for(willow_kernel kernel)
{
    return WI_KERNELS_FOR(kernel, packed_boxes_kernels);
}

/* In wide trees nodes are full, and there are few of them. A borrowed array has no places. */
bool wi_packed_boxes_suits(const willow_tree_def *def, const wi_mesh *mesh)
{
    return def->arity < WI_LANES && !(def->margin > 0.0F) && mesh->positions;
}

/* ---- new positions ---- */

static bool run_places(const wi_parallel_pass *pass, uint32_t first, uint32_t last)
{
    const wi_packed_boxes_kernels *kernels = pass->kernels;
    return kernels->stage(pass->h, wi_packed_boxes_of(pass->h), first, last, pass->source,
                          pass->stored);
}

bool wi_packed_boxes_take(willow_kernel kernel, const willow_tasks *tasks, wi_tree *h,
                          wi_mesh *mesh, wi_source source)
{
    const uint32_t places = wi_packed_boxes_of(h)->place_count;
    WI_ASSERT(mesh->staged && places <= mesh->vertex_count);
    const wi_parallel_pass pass = {.h = h,
                                   .kernels = wi_packed_boxes_kernels_for(kernel),
                                   .source = source,
                                   .stored = mesh->staged,
                                   .run = run_places};
    return wi_refit_stage_rest(h, mesh, source) &&
           wi_parallel_pass_run(&pass, tasks, places, places, PLACES_PER_TASK);
}

/* ---- boxes ---- */

/* A pass over the subtrees of a list, which need not be the one of who acts now. */
typedef struct packed_pass {
    wi_parallel_pass pass;
    const wi_packed_boxes *packed;
} packed_pass;

static bool run_parts(const wi_parallel_pass *pass, uint32_t first, uint32_t last)
{
    const wi_packed_boxes_kernels *kernels = pass->kernels;
    const wi_packed_boxes *c = ((const packed_pass *)pass)->packed;
    WI_ASSERT(first <= last && last <= c->part_count);
    for (uint32_t i = first; i < last; i++) kernels->sweep(pass->h, c, &c->parts[i]);
    return true;
}

static void sweep_parts(const wi_packed_boxes_kernels *kernels, const willow_tasks *tasks,
                        wi_tree *h, const wi_packed_boxes *c)
{
    const packed_pass whole = {{.h = h, .kernels = kernels, .run = run_parts}, c};
    (void)wi_parallel_pass_run(&whole.pass, tasks, c->part_count, c->node_count, NODES_PER_TASK);
    for (uint32_t i = c->above_count; i-- > 0;) kernels->bound_node(h, c, c->above[i]);
}

static void packed_bound_all(const wi_packed_boxes_kernels *kernels, const willow_tasks *tasks,
                             wi_tree *h, const wi_packed_boxes *c)
{
    WI_ASSERT(c->boxes && c->node_count == h->shape->node_count);
    const wi_packed_boxes_part whole = {0, h->shape->node_count, h->shape->leaf_count};
    if (wi_task_count(tasks, h->shape->node_count, NODES_PER_TASK) > 1)
        sweep_parts(kernels, tasks, h, c);
    else
        kernels->sweep(h, c, &whole);
    h->boxes.bounds = wi_padded_box_get(&c->boxes[0]);
}

/* Nodes that are open stay so: they are few, and whoever opened them may come again. */
static size_t bound_touched(const wi_packed_boxes_kernels *kernels, wi_tree *h, uint64_t revision)
{
    const wi_packed_boxes *c = wi_packed_boxes_of(h);
    WI_ASSERT(h->moved && !h->moved->is_all && c->node_count == h->shape->node_count);
    size_t count = 0;
    for (uint32_t node = wi_moved_vertices_next(h->moved, h->shape->node_count); node != UINT32_MAX;
         node = wi_moved_vertices_next(h->moved, node), count++) {
        kernels->bound_node(h, c, node);
        if (!wi_is_open(h, node)) continue;
        kernels->fill_node(h, c, node);
        atomic_store_explicit(&h->boxes.nodes[node].stamp, revision, memory_order_relaxed);
    }
    h->boxes.bounds = wi_padded_box_get(&c->boxes[0]);
    return count;
}

static willow_result packed_begin(wi_update *u)
{
    const wi_packed_boxes_kernels *kernels = wi_packed_boxes_kernels_for(u->kernel);
    wi_tree *h = u->h;
    if (!wi_packed_boxes_make(u->memory, h, u->packed)) return WILLOW_OUT_OF_MEMORY;
    packed_bound_all(kernels, &u->tasks, h, u->packed);
    u->nodes_updated = h->shape->node_count;
    return WILLOW_OK;
}

willow_result wi_packed_boxes_begin(wi_update *u)
{
    const willow_result result = packed_begin(u);
    if (result != WILLOW_OK) return result;
    wi_packed_boxes_kernels_for(u->kernel)->note_spreads(u->h, u->packed);
    u->h->boxes.valid_from = u->revision;
    return WILLOW_OK;
}

/* All nodes of a tree that was renewed are true, and stay open until the next update. A tree that
 * was kept in another way until now is no fresh one. */
static willow_result packed_go_on(wi_update *u)
{
    const willow_result result = packed_begin(u);
    if (result == WILLOW_OK && !wi_update_is_fresh(u)) u->h->boxes.valid_from = u->revision;
    return result;
}

static willow_result packed_bound(wi_update *u)
{
    const wi_packed_boxes_kernels *kernels = wi_packed_boxes_kernels_for(u->kernel);
    wi_tree *h = u->h;
    if (h->boxes.nodes == NULL) return WILLOW_OK;
    if (u->packed->boxes == NULL) return packed_go_on(u);
    if (wi_update_is_fresh(u)) return WILLOW_OK; /* wi_packed_boxes_begin has done it */
    if (u->known == WI_KNOWN_PARTIAL) {
        u->nodes_updated = bound_touched(kernels, h, u->revision);
        return WILLOW_OK;
    }
    packed_bound_all(kernels, &u->tasks, h, u->packed);
    h->boxes.valid_from = u->revision;
    u->nodes_updated = h->shape->node_count;
    return WILLOW_OK;
}

willow_result wi_packed_boxes_update(wi_update *u)
{
    wi_tree *h = u->h;
    wi_tree_keep_by(u->memory, h, &wi_packed_keeper);
    u->packed = wi_keeper_reserve(u->memory, &h->keeper, sizeof *u->packed);
    if (u->packed == NULL) return WILLOW_OUT_OF_MEMORY;
    willow_result result = wi_update_build_or_renew(u);
    if (result == WILLOW_OK) result = packed_bound(u);
    if (result != WILLOW_OK) return result;
    wi_tree_act(h, &h->keeper, wi_packed_boxes_kernels_for(u->kernel)->refresh);
    WI_ASSERT_SLOW(wi_tree_validate(h) == NULL);
    return WILLOW_OK;
}

/* ---- the keeper ---- */

static void packed_free(wi_memory *memory, wi_tree *h, void *state)
{
    (void)h;
    wi_packed_boxes_free(memory, state);
    wi_free(memory, state, sizeof(wi_packed_boxes));
}

static void packed_forget(wi_memory *memory, wi_tree *h, void *state)
{
    (void)h;
    wi_packed_boxes_free(memory, state);
}

static size_t packed_bytes(const void *state) { return wi_packed_boxes_bytes(state); }

static const char *packed_validate(const wi_tree *h, const void *state)
{
    return wi_packed_boxes_validate(h, state);
}

static const char *packed_validate_node(const wi_tree *h, const void *state, uint32_t node,
                                        const wi_box *box)
{
    const wi_packed_boxes *packed = state;
    const wi_box own = wi_padded_box_get(&packed->boxes[node]);
    (void)h;
    return wi_box_contains(box, &own) ? NULL : "I6: a node sticks out of its box";
}

static wi_survey_hints packed_survey_hints(const void *state)
{
    const wi_packed_boxes *packed = state;
    return (wi_survey_hints){.last_node = packed->last_node, .margin_since = UINT64_MAX};
}

const wi_keeper_ops wi_packed_keeper = {.name = "packed",
                                        .free = packed_free,
                                        .forget = packed_forget,
                                        .bytes = packed_bytes,
                                        .validate = packed_validate,
                                        .validate_node = packed_validate_node,
                                        .refit_node_bytes = sizeof(wi_padded_box),
                                        .survey_hints = packed_survey_hints};
