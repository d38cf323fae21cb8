/* skin.c - SKIN: the boxes of a skinned body are those of its joints, moved, and no vertex is
 * computed until a query reaches its leaf.
 *
 * Way in: wi_skin_follow. An update opens the root and no other node, whatever the size of the
 * body. The tree is built where the source has vertices, as the model was bound: limbs are apart
 * there, which in some pose of theirs they are not. It never decays, and is built again only for
 * another skin. A body without a skin is refitted. */
#include "update/skin/skin.h"

#include "base/check.h"
#include "base/kernel.h"
#include "update/bounds.h"
#include "update/refit/bottom_up.h"

extern wi_refresh wi_skin_open_scalar, wi_skin_open_avx2;

/* ---- the tree ---- */

/* What the source says becomes what is stored, for as long as the tree is built. */
static void store_source(wi_update *u)
{
    wi_mesh source = *u->mesh;
    source.motion = WI_MOTION_MORPH;
    source.state.morph = wi_mesh_morph(u->mesh);
    wi_mesh_fill_for(u->kernel)(&source, 0, source.vertex_count);
    u->mesh->stored = WI_STORED_NOW;
    u->is_stored = true;
}

static willow_result skin_build(wi_update *u, wi_skin_boxes *boxes)
{
    wi_tree *h = u->h;
    u->needs_build = true;
    store_source(u);
    willow_result result = wi_update_build_or_renew(u);
    u->mesh->stored = WI_STORED_OLD;
    u->is_stored = false;
    if (result != WILLOW_OK || h->boxes.nodes == NULL) return result;
    if (!wi_skin_boxes_make(u->memory, h, boxes)) return WILLOW_OUT_OF_MEMORY;
    for (uint32_t node = 0; node < h->shape->node_count; node++) /* its boxes are of the source */
        atomic_store_explicit(&h->boxes.nodes[node].stamp, WI_STAMP_NONE, memory_order_relaxed);
    return WILLOW_OK;
}

static bool is_of_another_skin(const wi_tree *h, const wi_skin_boxes *boxes)
{
    return h->boxes.nodes &&
           (boxes->lists == NULL || boxes->number != wi_mesh_skin(h->mesh)->number);
}

willow_result wi_skin_follow(wi_update *u, wi_keeper *keeper)
{
    WI_ASSERT(keeper->ops == &wi_skin_keeper);
    wi_tree *h = u->h;
    wi_openings count = {0};
    wi_skin_boxes *boxes = wi_keeper_reserve(u->memory, keeper, sizeof *boxes);
    if (boxes == NULL) return WILLOW_OUT_OF_MEMORY;
    if (u->needs_build || is_of_another_skin(h, boxes)) {
        willow_result result = skin_build(u, boxes);
        if (result != WILLOW_OK) return result;
    }
    u->mesh->stored = WI_STORED_OLD;
    h->boxes.revision = u->revision;
    if (h->boxes.nodes == NULL) return WILLOW_OK; /* nothing collides, but vertices move */
    wi_tree_act(h, keeper, WI_KERNELS_FOR(u->kernel, skin_open));
    h->boxes.valid_from = u->revision;
    wi_skin_boxes_measure(h, boxes);
    h->boxes.bounds = wi_node_merged(wi_open(h, 0, &count));
    u->nodes_updated += count.refreshed;
    WI_ASSERT_SLOW(wi_tree_validate(h) == NULL);
    return WILLOW_OK;
}

double wi_skin_boxes_per_node(const wi_tree *h)
{
    const wi_skin_boxes *boxes = wi_skin_boxes_of(h);
    return boxes->node_count > 0 ? (double)boxes->boxes.count / (double)boxes->node_count : 0.0;
}

static willow_result skin_update(wi_update *u)
{
    if (wi_skin_suits(u->mesh)) {
        wi_tree_keep_by(u->memory, u->h, &wi_skin_keeper);
        return wi_skin_follow(u, &u->h->keeper);
    }
    wi_update_store_plan(u); /* of a morph or a deformation */
    return wi_refit_update(u);
}

/* ---- the keeper ---- */

static void skin_free(wi_memory *memory, wi_tree *h, void *state)
{
    wi_skin_boxes_free(memory, h, state);
    wi_free(memory, state, sizeof(wi_skin_boxes));
}

static void skin_forget(wi_memory *memory, wi_tree *h, void *state)
{
    wi_skin_boxes_free(memory, h, state);
}

static size_t skin_bytes(const void *state) { return wi_skin_boxes_bytes(state); }

static const char *skin_validate(const wi_tree *h, const void *state)
{
    return wi_skin_boxes_validate(h, state);
}

static bool skin_never_decays(const void *state)
{
    const wi_skin_boxes *boxes = state;
    return boxes->lists != NULL;
}

/* What is known of joints is the same there; where they are is not. */
static void skin_act_at_end(const void *state, wi_tree *end, void *end_state)
{
    const wi_skin_boxes *boxes = state;
    wi_skin_boxes *at_end = end_state;
    WI_ASSERT(boxes->lists && at_end != boxes && boxes->node_count == end->shape->node_count);
    *at_end = *boxes;
    at_end->kept = (wi_leaf_points){0};
    end->keeper = (wi_keeper){&wi_skin_keeper, at_end};
    wi_tree_act(end, &end->keeper, end->boxes.refresh);
    wi_skin_boxes_measure(end, at_end);
}

const wi_keeper_ops wi_skin_keeper = {.name = "skin",
                                      .free = skin_free,
                                      .forget = skin_forget,
                                      .bytes = skin_bytes,
                                      .validate = skin_validate,
                                      .checks_nodes = true,
                                      .never_decays = skin_never_decays,
                                      .act_at_end = skin_act_at_end,
                                      .end_size = sizeof(wi_skin_boxes)};

extern const wi_method_ops wi_skin_ops;
const wi_method_ops wi_skin_ops = {
    .reads_morphs = true, .update = skin_update, .take = wi_refit_take};
