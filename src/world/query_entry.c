/* query_entry.c - the public questions: is the world up to date, are the options sound, which
 * bodies are meant? The query room does the rest. */
#include "world/query_entry.h"
#include "base/check.h"
#include "base/containers/sort.h"
#include "base/threads.h"

willow_result willow_scratch_create(const willow_world *world, willow_scratch **out)
{
    if (out == NULL) return WILLOW_BAD_ARGUMENT;
    /* Queries change nothing of a world but the count of its bytes, which is atomic. */
    wi_memory *memory = (wi_memory *)&world->memory;
    willow_result result =
        wi_scratch_create(memory, world, world->tasks.worker_count, world->kernel, out);
    if (result == WILLOW_OK) (*out)->message.log = world->message.log;
    return result;
}

/* The list is in order. */
size_t wi_target_number(const willow_world *world, willow_body_id id)
{
    const wi_query_body *targets = world->targets.items;
    size_t low = 0, high = world->targets.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (targets[middle].shown->id.index1 < id.index1)
            low = middle + 1;
        else
            high = middle;
    }
    const bool is_there =
        low < world->targets.count && willow_body_id_equal(targets[low].shown->id, id);
    return is_there ? low : world->targets.count;
}

wi_box wi_target_bounds(const willow_world *world, const wi_body *body)
{
    /* What is shown is compared, not looked at: bodies may be gone since. Its number is that of its
     * index, less those that were not there. */
    size_t number = body->shown.id.index1;
    if (number > world->targets.count) number = world->targets.count;
    if (body->shown.placement == 0) return wi_box_empty();
    while (number > 0 && world->targets.items[number - 1].shown != &body->shown) number--;
    return number > 0 ? world->targets.items[number - 1].bounds : wi_box_empty();
}

/* From now on the copies are the bodies asked about. */
static void use_copies(willow_scratch *scratch)
{
    scratch->chosen = (wi_query_bodies){scratch->copies.items, scratch->copies.count};
}

bool wi_ask_copy(willow_scratch *scratch)
{
    const wi_query_bodies chosen = scratch->chosen;
    if (chosen.items == scratch->copies.items) return true;
    scratch->copies.count = 0;
    if (!wi_array_reserve(scratch->memory, &scratch->copies, chosen.count)) return false;
    for (size_t i = 0; i < chosen.count; i++) scratch->copies.items[i] = chosen.items[i];
    scratch->copies.count = chosen.count;
    use_copies(scratch);
    return true;
}

/* Adds the named bodies, in order and each once, to the copies, where there is room: they are
 * marked among the targets' numbers and read off in order. */
static willow_result choose_named(const willow_world *world, willow_scratch *scratch,
                                  const willow_body_id *bodies, size_t count)
{
    scratch->sort.keys.count = 0;
    for (size_t i = 0; i < count; i++) {
        if (wi_body_get(world, bodies[i], &scratch->message) == NULL) return WILLOW_BAD_HANDLE;
        const uint64_t number = wi_target_number(world, bodies[i]);
        WI_ASSERT(number < world->targets.count); /* the world is not stale */
        if (!wi_array_push(scratch->memory, &scratch->sort.keys, number))
            return wi_fail_memory(&scratch->message, "the bodies asked about");
    }
    if (!wi_array_reserve(scratch->memory, &scratch->sort.spare, scratch->sort.keys.count))
        return wi_fail_memory(&scratch->message, "the bodies asked about");
    wi_sort_u64(scratch->sort.keys.items, scratch->sort.spare.items, scratch->sort.keys.count);
    for (size_t i = 0; i < scratch->sort.keys.count; i++)
        if (i == 0 || scratch->sort.keys.items[i] != scratch->sort.keys.items[i - 1])
            scratch->copies.items[scratch->copies.count++] =
                world->targets.items[scratch->sort.keys.items[i]];
    use_copies(scratch);
    return WILLOW_OK;
}

/* None yet, and room for so many. */
static bool begin_copies(willow_scratch *scratch, size_t most)
{
    scratch->copies.count = 0;
    scratch->choice.selves = WI_SELVES_AS_BODIES_ASK;
    use_copies(scratch);
    return wi_array_reserve(scratch->memory, &scratch->copies, most);
}

static willow_result choose_bodies(const willow_world *world, willow_scratch *scratch,
                                   wi_question *question)
{
    const willow_query_options *options = &question->options;
    const size_t count = world->targets.count;
    if (!begin_copies(scratch, options->bodies ? count : 0))
        return wi_fail_memory(&scratch->message, "the bodies asked about");
    question->index_count = (uint32_t)world->bodies.count;
    question->is_all = options->bodies == NULL;
    if (options->bodies) return choose_named(world, scratch, options->bodies, options->body_count);
    scratch->chosen = (wi_query_bodies){world->targets.items, count};
    return WILLOW_OK;
}

void wi_ask_tree(const willow_world *world, wi_question *question)
{
    if (question->is_all) question->tree = wi_target_tree_ask(world);
}

/* What is kept of the pairs of bodies is about all of them: not worth reading for a few. */
static bool are_most(const willow_world *world, const willow_scratch *scratch)
{
    enum { FEW = 4 }; /* part of all */
    return scratch->chosen.count >= world->targets.count / FEW;
}

/* What can be wrong with a question, but for the bodies; fills `question`. `options` may be NULL.
 */
static willow_result check(const willow_world *world, willow_scratch *scratch,
                           const willow_query_options *options, wi_question *question)
{
    wi_message_clear(&scratch->message);
    if (scratch->world != world)
        return wi_fail(&scratch->message, WILLOW_BAD_HANDLE, "the scratch is of another world");
    *question = (wi_question){.options = options ? *options : willow_query_options_default(),
                              .broad = world->broad,
                              .tasks = wi_serial_tasks()};
    if (question->options.struct_size != sizeof *options)
        return wi_fail(&scratch->message, WILLOW_BAD_ARGUMENT,
                       "the options were not made by willow_query_options_default");
    if (question->options.bodies == NULL && question->options.body_count > 0)
        return wi_fail(&scratch->message, WILLOW_BAD_ARGUMENT,
                       "body_count is %zu and bodies is NULL", question->options.body_count);
    if (world->is_stale)
        return wi_fail(&scratch->message, WILLOW_STALE,
                       "the world was changed: call willow_world_update first");
    if ((unsigned)question->options.descend >= WILLOW_DESCEND_COUNT)
        return wi_fail(&scratch->message, WILLOW_BAD_ARGUMENT, "%d is no way to descend",
                       (int)question->options.descend);
    question->rules =
        (wi_walk_rules){.skip_neighbours = question->options.skip_neighbours,
                        .skip_cracks = question->options.skip_cracks,
                        .test_flat = question->options.test_flat,
                        .descend_larger = question->options.descend == WILLOW_DESCEND_LARGER};
    if (question->options.use_threads) question->tasks = world->tasks;
    WI_ASSERT(scratch->worker_count > 0);
    scratch->workers[0].reader.openings.use_occupancy =
        question->options.use_occupancy && !question->options.use_threads;
    return WILLOW_OK;
}

willow_result wi_ask_begin(const willow_world *world, willow_scratch *scratch,
                           const willow_query_options *options, wi_question *question)
{
    willow_result result = check(world, scratch, options, question);
    return result == WILLOW_OK ? choose_bodies(world, scratch, question) : result;
}

willow_result wi_ask_begin_pairs(const willow_world *world, willow_scratch *scratch,
                                 const willow_query_options *options, wi_question *question)
{
    willow_result result = wi_ask_begin(world, scratch, options, question);
    if (result == WILLOW_OK && are_most(world, scratch)) question->met = wi_target_pairs_ask(world);
    if (result != WILLOW_OK || wi_choose_pairs(question, scratch)) return result;
    return wi_fail_memory(&scratch->message, "pairs of bodies");
}

/* The same for questions that may end before they have seen all: some pairs of bodies at a time.
 * Where many bodies are in one spot these questions need no room for all pairs, so for them alone
 * none are kept. */
static willow_result begin_visit(const willow_world *world, willow_scratch *scratch,
                                 const willow_query_options *options, wi_question *question)
{
    willow_result result = wi_ask_begin(world, scratch, options, question);
    if (result == WILLOW_OK && are_most(world, scratch)) question->met = wi_target_pairs_get(world);
    if (result != WILLOW_OK || wi_choose_first_pairs(question, scratch)) return result;
    return wi_fail_memory(&scratch->message, "pairs of bodies");
}

willow_result wi_ask_begin_watch(const willow_world *world, willow_scratch *scratch,
                                 const willow_query_options *options, willow_body_id a,
                                 willow_body_id b, wi_question *question)
{
    const willow_body_id both[2] = {a, b};
    willow_result result = check(world, scratch, options, question);
    if (result != WILLOW_OK) return result;
    if (!begin_copies(scratch, 2))
        return wi_fail_memory(&scratch->message, "the bodies asked about");
    result = choose_named(world, scratch, both, 2);
    if (result != WILLOW_OK) return result;
    const bool is_within = scratch->chosen.count == 1;
    scratch->choice.selves = is_within ? WI_SELVES_ALL : WI_SELVES_NONE;
    const bool ok =
        is_within ? wi_choose_selves(scratch, true) : wi_choose_pairs(question, scratch);
    return ok ? WILLOW_OK : wi_fail_memory(&scratch->message, "pairs of bodies");
}

bool wi_ask_is_empty(const willow_scratch *scratch)
{
    const size_t count = scratch->chosen.count;
    return count == 0 || (count == 1 && !scratch->chosen.items[0].shown->self);
}

willow_result wi_ask_fail_place(willow_scratch *scratch)
{
    return wi_fail(&scratch->message, WILLOW_BAD_ARGUMENT, "no place for the answer");
}

willow_result willow_find_pairs(const willow_world *world, willow_scratch *scratch,
                                const willow_query_options *options, willow_pairs *out)
{
    wi_question question;
    if (out == NULL) return wi_ask_fail_place(scratch);
    *out = (willow_pairs){0};
    willow_result result = wi_ask_begin_pairs(world, scratch, options, &question);
    if (result == WILLOW_OK) result = wi_find_pairs(&question, scratch, out);
    out->nothing_asked = result == WILLOW_OK && wi_ask_is_empty(scratch);
    return result;
}

willow_result willow_find_self_pairs(const willow_world *world, willow_scratch *scratch,
                                     const willow_query_options *options, willow_pairs *out)
{
    wi_question question;
    if (out == NULL) return wi_ask_fail_place(scratch);
    *out = (willow_pairs){0};
    willow_result result = wi_ask_begin(world, scratch, options, &question);
    if (result != WILLOW_OK) return result;
    if (!wi_choose_selves(scratch, question.options.bodies != NULL))
        return wi_fail_memory(&scratch->message, "pairs of bodies");
    result = wi_find_pairs(&question, scratch, out);
    out->nothing_asked = result == WILLOW_OK && scratch->pairs.count == 0;
    return result;
}

willow_result willow_visit_pairs(const willow_world *world, willow_scratch *scratch,
                                 const willow_query_options *options, willow_pair_visitor *visit,
                                 void *context)
{
    enum { PAUSE_AT = 256 };
    wi_question question;
    willow_result result = begin_visit(world, scratch, options, &question);
    if (result != WILLOW_OK) return result;
    if (visit == NULL)
        return wi_fail(&scratch->message, WILLOW_BAD_ARGUMENT, "there is no visitor");
    return wi_visit_pairs(&question, scratch, PAUSE_AT, visit, context);
}

bool wi_ask_keep_first(void *first, willow_tri_ref a, willow_tri_ref b)
{
    *(willow_first_pair *)first = (willow_first_pair){.found = true, .a = a, .b = b};
    return false;
}

void wi_ask_add_witness(const willow_world *world, const wi_question *question,
                        willow_first_pair *first)
{
    if (!first->found || !question->options.witness) return;
    WI_ASSERT(first->a.body.index1 - 1 < world->bodies.count &&
              first->b.body.index1 - 1 < world->bodies.count);
    wi_instance room_a, room_b;
    const wi_tree *a = wi_body_see_tree(world->bodies.items[first->a.body.index1 - 1], &room_a);
    const wi_tree *b = wi_body_see_tree(world->bodies.items[first->b.body.index1 - 1], &room_b);
    first->witness = wi_find_witness(a->mesh, first->a.tri, b->mesh, first->b.tri);
}

willow_result willow_find_first_pair(const willow_world *world, willow_scratch *scratch,
                                     const willow_query_options *options, willow_first_pair *out)
{
    wi_question question;
    if (out == NULL) return wi_ask_fail_place(scratch);
    *out = (willow_first_pair){0};
    willow_result result = begin_visit(world, scratch, options, &question);
    if (result != WILLOW_OK) return result;
    result = wi_visit_pairs(&question, scratch, 1, wi_ask_keep_first, out);
    wi_ask_add_witness(world, &question, out);
    out->nothing_asked = result == WILLOW_OK && wi_ask_is_empty(scratch);
    return result;
}

willow_result willow_visit_box(const willow_world *world, willow_scratch *scratch,
                               const willow_box *box, const willow_query_options *options,
                               willow_tri_visitor *visit, void *context)
{
    wi_question question;
    willow_result result = wi_ask_begin(world, scratch, options, &question);
    if (result != WILLOW_OK) return result;
    if (visit == NULL || box == NULL)
        return wi_fail(&scratch->message, WILLOW_BAD_ARGUMENT, "there is no %s",
                       visit ? "box" : "visitor");
    wi_ask_tree(world, &question);
    wi_box b = {{box->lower.x, box->lower.y, box->lower.z},
                {box->upper.x, box->upper.y, box->upper.z}};
    for (int axis = 0; axis < 3; axis++)
        if (!(b.lower[axis] - b.lower[axis] == 0.0F && b.upper[axis] - b.upper[axis] == 0.0F))
            return wi_fail(&scratch->message, WILLOW_BAD_ARGUMENT, "the box is not finite");
    return wi_visit_box(&question, scratch, &b, visit, context);
}

static willow_result check_max_distance(willow_scratch *scratch, const wi_question *question)
{
    if (question->options.max_distance >= 0.0) return WILLOW_OK;
    return wi_fail(&scratch->message, WILLOW_BAD_ARGUMENT, "a max_distance of %g",
                   question->options.max_distance);
}

willow_result willow_closest_point(const willow_world *world, willow_scratch *scratch,
                                   const willow_vec3 *point, const willow_query_options *options,
                                   willow_closest *out)
{
    wi_question question;
    if (out == NULL) return wi_ask_fail_place(scratch);
    *out = (willow_closest){0};
    willow_result result = wi_ask_begin(world, scratch, options, &question);
    if (result == WILLOW_OK) result = check_max_distance(scratch, &question);
    if (result != WILLOW_OK) return result;
    if (point == NULL) return wi_fail(&scratch->message, WILLOW_BAD_ARGUMENT, "there is no point");
    const float p[3] = {point->x, point->y, point->z};
    if (wi_finite_test(p) != 0.0F)
        return wi_fail(&scratch->message, WILLOW_BAD_ARGUMENT, "the point is not finite");
    wi_ask_tree(world, &question);
    return wi_closest_point(&question, scratch, p, out);
}

/* Adds the bodies of a set to those that were chosen. */
static willow_result choose_set(const willow_world *world, willow_scratch *scratch,
                                const willow_body_set *set, const char *name)
{
    if (set == NULL || (set->bodies == NULL && set->count > 0))
        return wi_fail(&scratch->message, WILLOW_BAD_ARGUMENT, "there is no set %s", name);
    return choose_named(world, scratch, set->bodies, set->count);
}

willow_result willow_distance(const willow_world *world, willow_scratch *scratch,
                              const willow_body_set *a, const willow_body_set *b,
                              const willow_query_options *options, willow_closest_pair *out)
{
    wi_question question;
    if (out == NULL) return wi_ask_fail_place(scratch);
    *out = (willow_closest_pair){0};
    willow_result result = check(world, scratch, options, &question);
    if (result == WILLOW_OK) result = check_max_distance(scratch, &question);
    if (result != WILLOW_OK) return result;
    if (!begin_copies(scratch, 2 * world->targets.count))
        return wi_fail_memory(&scratch->message, "the bodies asked about");
    result = choose_set(world, scratch, a, "a");
    const size_t count_a = scratch->chosen.count;
    if (result == WILLOW_OK) result = choose_set(world, scratch, b, "b");
    return result == WILLOW_OK ? wi_closest_pair(&question, scratch, count_a, out) : result;
}
