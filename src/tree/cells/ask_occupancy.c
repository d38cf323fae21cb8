/* ask_occupancy.c - see ask_occupancy.h. */
#include "tree/cells/ask_occupancy.h"

#include "base/check.h"

typedef struct surface {
    const wi_mesh *mesh;
    const uint32_t *slots;
} surface;

static void read_corners(const willow_occupancy_question *question, uint32_t triangle,
                         float corners[3][3])
{
    const surface *of = question->surface;
    WI_ASSERT(triangle < question->triangle_count);
    for (int corner = 0; corner < 3; corner++)
        wi_mesh_model_position(of->mesh, of->mesh->tris[of->slots[triangle]][corner],
                               corners[corner]);
}

wi_occupancy_answer wi_occupancy_ask(const willow_occupancy *backend, const wi_cell_touch *touch,
                                     const wi_mesh *mesh, const uint32_t *slots, uint32_t count)
{
    const surface of = {mesh, slots};
    wi_occupancy_answer answer = {.is_asked = true};
    willow_box cells[8];
    uint32_t counts[8] = {0};
    WI_ASSERT(backend->count != NULL && count > 0);
    for (unsigned i = 0; i < touch->count; i++) {
        const wi_box *box = &touch->boxes[i];
        cells[i] = (willow_box){{box->lower[0], box->lower[1], box->lower[2]},
                                {box->upper[0], box->upper[1], box->upper[2]}};
    }
    const willow_occupancy_question question = {.cells = cells,
                                                .cell_count = touch->count,
                                                .triangle_count = count,
                                                .corners = read_corners,
                                                .surface = &of};
    answer.is_refused = !backend->count(backend->context, &question, counts);
    for (unsigned i = 0; i < touch->count; i++) answer.seen |= (uint8_t)((counts[i] > 0) << i);
    return answer;
}

willow_occupancy_stats wi_occupancy_compare(const wi_occupancy_answer *answer, unsigned touched,
                                            unsigned cell_count)
{
    const unsigned all = (1U << cell_count) - 1U, seen = answer->seen;
    WI_ASSERT(answer->is_asked && cell_count <= 8 && (touched & ~all) == 0);
    if (answer->is_refused) return (willow_occupancy_stats){.questions = 1, .refused = 1};
    return (willow_occupancy_stats){
        .questions = 1,
        .seen = (uint64_t)__builtin_popcount(seen & touched),
        .missed = (uint64_t)__builtin_popcount(touched & ~seen),
        .empty = (uint64_t)__builtin_popcount(all & ~touched & ~seen),
        .wrong = (uint64_t)__builtin_popcount(seen & ~touched),
    };
}
