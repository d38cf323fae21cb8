/* cell_models.c - see cell_models.h. */
#include "support/cell_models.h"

#include <math.h>
#include "base/hash.h"
#include "support/fixture.h"
#include "support/test.h"

enum { SIDE = 24 };

static const float TURN = 6.2831853F;

/* Two triangles for each place of a grid; of a closed one the ends are joined. */
static void make_grid(cell_model *model, bool is_closed)
{
    const uint32_t places = is_closed ? SIDE : SIDE - 1;
    model->vertex_count = CELL_VERTICES;
    for (uint32_t i = 0; i < places; i++)
        for (uint32_t j = 0; j < places; j++) {
            const uint32_t up = (i + 1) % SIDE * SIDE, here = i * SIDE, next = (j + 1) % SIDE;
            const uint32_t two[2][3] = {{here + j, up + j, here + next},
                                        {here + next, up + j, up + next}};
            memcpy(model->tris[model->tri_count], two, sizeof two);
            model->tri_count += 2;
        }
}

static void place_on_ring(uint32_t i, float out[3])
{
    const float a = TURN * (float)(i / SIDE) / SIDE, b = TURN * (float)(i % SIDE) / SIDE;
    const float width = 0.4F + 0.05F * sinf(5.0F * a) * cosf(3.0F * b);
    out[0] = (1.0F + width * cosf(b)) * cosf(a);
    out[1] = (1.0F + width * cosf(b)) * sinf(a);
    out[2] = width * sinf(b);
}

static void place_on_sheet(uint32_t i, float out[3])
{
    out[0] = 0.1F * (float)(i / SIDE);
    out[1] = 0.1F * (float)(i % SIDE);
    out[2] = 0.2F * sinf(3.0F * out[0]) * cosf(2.0F * out[1]);
}

/* Long and thinner than a thousandth of the body. */
static void make_needles(cell_model *model)
{
    enum { NEEDLES = CELL_VERTICES / 3 };
    uint64_t seed = 7;
    model->vertex_count = 3 * NEEDLES;
    model->tri_count = NEEDLES;
    for (uint32_t i = 0; i < NEEDLES; i++) {
        for (uint32_t corner = 0; corner < 3; corner++)
            for (int axis = 0; axis < 3; axis++) {
                const float at = (float)(test_random(&seed) % 1000) / 500.0F;
                model->at[3 * i + corner][axis] =
                    corner < 2 ? at : model->at[3 * i + 1][axis] + 0.0005F * at;
            }
        for (uint32_t corner = 0; corner < 3; corner++) model->tris[i][corner] = 3 * i + corner;
    }
}

void cell_model_make(cell_model *model, cell_shape shape)
{
    memset(model, 0, sizeof *model);
    if (shape == CELL_NEEDLES) {
        make_needles(model);
        return;
    }
    make_grid(model, shape == CELL_RING);
    for (uint32_t i = 0; i < CELL_VERTICES; i++)
        (shape == CELL_RING ? place_on_ring : place_on_sheet)(i, model->at[i]);
}

void cell_pair_open(cell_pair *pair, const cell_model *model, willow_cells cells,
                    const willow_occupancy *backend)
{
    willow_world_def world = willow_world_def_default();
    world.thread_count = 2;
    pair->world = fixture_world(&world);
    pair->scratch = fixture_scratch(pair->world);
    for (int i = 0; i < 2; i++) {
        willow_body_def def = willow_body_def_default();
        def.mesh = FIXTURE_MESH(model->at, model->vertex_count, model->tris, model->tri_count);
        def.tree.method = WILLOW_METHOD_SPHERE;
        def.tree.cells = cells;
        def.tree.leaf_triangles = 8;
        if (backend) def.tree.occupancy = *backend;
        if (i == 1)
            def.pose = (willow_pose){{0.35F, 0.2F, 0.15F}, {0.1305262F, 0.0F, 0.0F, 0.9914449F}};
        pair->bodies[i] = fixture_body(pair->world, &def);
    }
    assert_ok(willow_world_update(pair->world, 0.0, NULL));
}

void cell_pair_close(cell_pair *pair) { fixture_close(pair->world, pair->scratch); }

uint64_t cell_pair_ask(cell_pair *pair, const willow_query_options *options)
{
    uint64_t hash = 0;
    bool is_short;
    do {
        willow_pairs pairs;
        assert_ok(willow_find_pairs(pair->world, pair->scratch, options, &pairs));
        hash = willow_pairs_hash(&pairs);
        is_short = false;
        for (int i = 0; i < 2; i++) {
            willow_body_stats stats;
            assert_ok(willow_body_get_stats(pair->world, pair->bodies[i], &stats));
            is_short = is_short || stats.sphere.pool_exhausted;
        }
        const willow_pose same = {{0, 0, 0}, {0, 0, 0, 1}};
        assert_ok(willow_body_set_pose(pair->world, pair->bodies[0], &same));
        assert_ok(willow_world_update(pair->world, 0.0, NULL));
    } while (is_short);
    return hash;
}

static bool add_node(void *context, const willow_node *node)
{
    uint64_t *hash = context;
    *hash = wi_hash_u64(*hash, (uint64_t)node->number << 32 | node->parent);
    *hash = wi_hash_u64(*hash, (uint64_t)node->depth << 32 | (uint64_t)node->is_leaf << 31 |
                                   (uint64_t)node->was_open << 30 | node->child_count);
    *hash = wi_hash_bytes(*hash, &node->box, sizeof node->box);
    if (node->triangle_count > 0)
        *hash =
            wi_hash_bytes(*hash, node->triangles, node->triangle_count * sizeof *node->triangles);
    return true;
}

uint64_t cell_pair_hash_trees(const cell_pair *pair)
{
    uint64_t hash = WI_HASH_START;
    for (int i = 0; i < 2; i++)
        assert_ok(willow_body_visit_nodes(pair->world, pair->bodies[i], add_node, &hash));
    return hash;
}

willow_occupancy_stats cell_pair_stats(const cell_pair *pair)
{
    willow_occupancy_stats sum = {0};
    for (int i = 0; i < 2; i++) {
        willow_body_stats stats;
        assert_ok(willow_body_get_stats(pair->world, pair->bodies[i], &stats));
        const willow_occupancy_stats *one = &stats.sphere.occupancy;
        sum.questions += one->questions;
        sum.refused += one->refused;
        sum.seen += one->seen;
        sum.missed += one->missed;
        sum.empty += one->empty;
        sum.wrong += one->wrong;
    }
    return sum;
}
