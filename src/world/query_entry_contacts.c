/* query_entry_contacts.c - the public questions about trial steps and about nearness. */
#include "world/query_entry.h"

#include "base/check.h"
#include "prim/moving/toi.h"

static willow_result check_limits(willow_scratch *scratch, const willow_query_options *options,
                                  bool is_about_steps)
{
    const double distance = is_about_steps ? options->touch_distance : options->near_distance;
    const double tolerance = options->tolerance;
    if (!(distance >= 0.0 && distance - distance == 0.0))
        return wi_fail(&scratch->message, WILLOW_BAD_ARGUMENT, "a %s_distance of %g",
                       is_about_steps ? "touch" : "near", distance);
    if (!(tolerance >= 0.0 && tolerance <= 1.0))
        return wi_fail(&scratch->message, WILLOW_BAD_ARGUMENT,
                       "a tolerance of %g; it is a part of the step, from 0 to 1", tolerance);
    return WILLOW_OK;
}

/* Bodies that ask about themselves have a tree of their own. */
static bool has_rest(const wi_shown *shown)
{
    WI_ASSERT(shown->kind == WI_SHOWN_OWN);
    return shown->tree->mesh->rest || shown->tree->mesh->vertex_count == 0;
}

/* Pairs within a body are left out by its rest shape, so there has to be one. */
static willow_result check_rest(willow_scratch *scratch, const willow_query_options *options)
{
    for (size_t i = 0; i < scratch->chosen.count && options->skip_close_at_rest; i++) {
        const wi_query_body *body = &scratch->chosen.items[i];
        if (!body->shown->self || has_rest(body->shown)) continue;
        return wi_fail(&scratch->message, WILLOW_BAD_ARGUMENT,
                       "body %u was made without keep_rest, which skip_close_at_rest needs",
                       body->shown->id.index1);
    }
    return WILLOW_OK;
}

/* What decides about features rounds by less than 2^-40 of the coordinates of both bodies, if
 * things may touch without meeting or go on bent paths. Then each body is wider by twice its own
 * part: those far out and huge ones widen no others. */
static bool is_any_rounded(const wi_question *question, const willow_scratch *scratch)
{
    bool is_rounded = question->rules.distance > 0.0;
    for (size_t i = 0; i < scratch->chosen.count && !is_rounded; i++) {
        const wi_query_body *body = &scratch->chosen.items[i];
        is_rounded = body->shown->thickness > 0.0F || (body->motion && body->motion->bend > 0.0);
    }
    return is_rounded;
}

/* Where a body may be in the course of its step, in the world; `more` is added on all sides. */
static wi_box bounds_on_way(const wi_query_body *body, double more)
{
    wi_box box = body->bounds;
    if (body->motion) wi_box_add_box(&box, &body->motion->end->boxes.world_bounds);
    if (wi_box_is_empty(&box)) return box;
    return wi_box_widened(&box, more + (body->motion ? body->motion->bend : 0.0));
}

/* What the broad phase sees: bodies on their way, each with half of what counts as touching. */
static void bound_chosen(const wi_question *question, willow_scratch *scratch)
{
    const double distance = question->rules.distance;
    const double rounding = is_any_rounded(question, scratch) ? 0x1p-39 : 0.0;
    for (size_t i = 0; i < scratch->chosen.count; i++) {
        wi_query_body *body = &scratch->copies.items[i];
        const double thickness = (double)body->shown->thickness;
        const wi_box box = bounds_on_way(body, thickness);
        const double more = 0.5 * distance + thickness + rounding * (wi_box_size(&box) + distance);
        WI_ASSERT(more >= 0.0);
        body->bounds = bounds_on_way(body, more);
    }
}

static void stand_still(willow_scratch *scratch)
{
    for (size_t i = 0; i < scratch->chosen.count; i++) scratch->copies.items[i].motion = NULL;
}

/* Whether boxes that go straight say all of how the body moves in the step. */
static bool follows_plan(const wi_query_body *body)
{
    return (body->motion == NULL || body->motion->flight) && body->shown->thickness == 0.0F;
}

/* A list that knows what may meet in the step of two bodies; NULL if there is none. */
static const wi_separation *find_list(const willow_world *world, const wi_query_body *a,
                                      const wi_query_body *b)
{
    if (!follows_plan(a) || !follows_plan(b)) return NULL;
    for (size_t i = 0; i < world->watches.count; i++) {
        const willow_watch *watch = world->watches.items[i];
        if (watch->a.index1 != a->shown->id.index1 || watch->b.index1 != b->shown->id.index1)
            continue;
        if (wi_watch_has_list(watch) && wi_separation_knows(&watch->list, world->target_time))
            return &watch->list;
    }
    return NULL;
}

/* For all pairs of bodies that were chosen. False if there is no memory. */
static bool find_lists(const willow_world *world, willow_scratch *scratch)
{
    const size_t count = scratch->pairs.count;
    if (world->watches.count == 0 || !(world->target_time > world->time)) return true;
    if (!wi_array_reserve(scratch->memory, &scratch->lists.by_pair, count)) return false;
    for (size_t i = 0; i < count; i++)
        scratch->lists.by_pair.items[scratch->lists.by_pair.count++] =
            find_list(world, &scratch->chosen.items[scratch->pairs.items[i].a],
                      &scratch->chosen.items[scratch->pairs.items[i].b]);
    scratch->lists.until = world->target_time;
    return true;
}

static bool does_any_move(const willow_scratch *scratch)
{
    for (size_t i = 0; i < scratch->chosen.count; i++)
        if (scratch->chosen.items[i].motion) return true;
    return false;
}

/* Pairs of bodies, with the lists that know something of them. The first impact may be found before
 * all pairs of bodies are chosen; with lists they are chosen at once. */
static bool begin_pairs(const willow_world *world, willow_scratch *scratch, wi_question *question)
{
    const wi_wanted wanted = question->rules.wanted;
    const bool is_about_steps = wanted == WI_IMPACTS || wanted == WI_FIRST_IMPACT;
    const bool uses_tree =
        question->broad == WILLOW_BROAD_AUTO || question->broad == WILLOW_BROAD_LINEAR_BVH;
    if (uses_tree) wi_ask_tree(world, question);
    if (wanted == WI_FIRST_IMPACT && world->watches.count == 0)
        return wi_choose_first_pairs(question, scratch);
    const bool uses_lists = is_about_steps && question->rules.distance == 0.0;
    return wi_choose_pairs(question, scratch) && (!uses_lists || find_lists(world, scratch));
}

static willow_result begin_contacts(const willow_world *world, willow_scratch *scratch,
                                    const willow_query_options *options, wi_wanted wanted,
                                    wi_question *question)
{
    willow_result result = wi_ask_begin(world, scratch, options, question);
    const bool is_about_steps = wanted == WI_IMPACTS || wanted == WI_FIRST_IMPACT;
    const willow_query_options *asked = &question->options;
    if (result == WILLOW_OK) result = check_limits(scratch, asked, is_about_steps);
    if (result == WILLOW_OK) result = check_rest(scratch, asked);
    if (result != WILLOW_OK) return result;
    wi_walk_rules *rules = &question->rules;
    const bool are_features = wanted == WI_NEAR_TRIS && asked->features;
    rules->wanted = are_features ? WI_NEAR_FEATURES : wanted;
    rules->distance = is_about_steps ? asked->touch_distance : asked->near_distance;
    rules->skip_rest = asked->skip_close_at_rest;
    rules->tolerance = asked->tolerance > 0.0 ? asked->tolerance : WI_DEFAULT_TOLERANCE;
    rules->max_iterations =
        asked->max_iterations > 0 ? asked->max_iterations : WI_DEFAULT_ITERATIONS;
    if (!wi_ask_copy(scratch)) return wi_fail_memory(&scratch->message, "the bodies asked about");
    if (!is_about_steps) stand_still(scratch);
    bound_chosen(question, scratch);
    return begin_pairs(world, scratch, question)
               ? WILLOW_OK
               : wi_fail_memory(&scratch->message, "pairs of bodies");
}

willow_result willow_find_impacts(const willow_world *world, willow_scratch *scratch,
                                  const willow_query_options *options, willow_impacts *out)
{
    wi_question question;
    if (out == NULL) return wi_ask_fail_place(scratch);
    *out = (willow_impacts){0};
    willow_result result = begin_contacts(world, scratch, options, WI_IMPACTS, &question);
    if (result != WILLOW_OK) return result;
    out->complete = out->nothing_asked = wi_ask_is_empty(scratch) || !does_any_move(scratch);
    return out->nothing_asked ? WILLOW_OK : wi_find_impacts(&question, scratch, out);
}

willow_result willow_time_of_impact(const willow_world *world, willow_scratch *scratch,
                                    const willow_query_options *options, willow_first_impact *out)
{
    wi_question question;
    if (out == NULL) return wi_ask_fail_place(scratch);
    *out = (willow_first_impact){0};
    willow_result result = begin_contacts(world, scratch, options, WI_FIRST_IMPACT, &question);
    if (result != WILLOW_OK) return result;
    out->nothing_asked = wi_ask_is_empty(scratch) || !does_any_move(scratch);
    return out->nothing_asked ? WILLOW_OK : wi_time_of_impact(&question, scratch, out);
}

willow_result willow_find_near(const willow_world *world, willow_scratch *scratch,
                               const willow_query_options *options, willow_near *out)
{
    wi_question question;
    if (out == NULL) return wi_ask_fail_place(scratch);
    *out = (willow_near){0};
    willow_result result = begin_contacts(world, scratch, options, WI_NEAR_TRIS, &question);
    if (result == WILLOW_OK) result = wi_find_near(&question, scratch, out);
    out->nothing_asked = result == WILLOW_OK && wi_ask_is_empty(scratch);
    return result;
}

/* ---- cells ---- */

/* What the broad phase sees: bodies with all spheres of the level. */
static void bound_cells(willow_scratch *scratch, uint32_t depth)
{
    for (size_t i = 0; i < scratch->chosen.count; i++) {
        wi_query_body *body = &scratch->copies.items[i];
        if (!wi_box_is_empty(&body->bounds))
            body->bounds = wi_box_widened(
                &body->bounds, wi_cell_reach(wi_shown_bounds(body->shown), &body->bounds, depth));
    }
}

static willow_result check_depth(willow_scratch *scratch, uint32_t depth)
{
    if (depth >= 1 && depth <= WILLOW_MAX_CELL_DEPTH) return WILLOW_OK;
    return wi_fail(&scratch->message, WILLOW_BAD_ARGUMENT, "a depth of %u: it is 1 to %d", depth,
                   WILLOW_MAX_CELL_DEPTH);
}

static bool begin_cells(const willow_world *world, willow_scratch *scratch, uint32_t depth,
                        wi_question *question)
{
    if (!wi_ask_copy(scratch)) return false;
    bound_cells(scratch, depth);
    if (question->broad == WILLOW_BROAD_AUTO || question->broad == WILLOW_BROAD_LINEAR_BVH)
        wi_ask_tree(world, question);
    return wi_choose_pairs(question, scratch);
}

willow_result willow_find_near_cells(const willow_world *world, willow_scratch *scratch,
                                     uint32_t depth, const willow_query_options *options,
                                     willow_near_cells *out)
{
    wi_question question;
    if (out == NULL) return wi_ask_fail_place(scratch);
    *out = (willow_near_cells){0};
    willow_result result = wi_ask_begin(world, scratch, options, &question);
    if (result == WILLOW_OK) result = check_depth(scratch, depth);
    if (result != WILLOW_OK) return result;
    if (!begin_cells(world, scratch, depth, &question))
        return wi_fail_memory(&scratch->message, "pairs of bodies");
    result = wi_find_near_cells(&question, scratch, depth, out);
    out->nothing_asked = result == WILLOW_OK && scratch->chosen.count < 2;
    return result;
}

willow_result willow_body_measure_cells(const willow_world *world, willow_scratch *scratch,
                                        willow_body_id body, uint32_t depth, willow_cell_error *out)
{
    wi_question question;
    willow_query_options options = willow_query_options_default();
    if (out == NULL) return wi_ask_fail_place(scratch);
    *out = (willow_cell_error){0};
    options.bodies = &body;
    options.body_count = 1;
    willow_result result = wi_ask_begin(world, scratch, &options, &question);
    if (result == WILLOW_OK) result = check_depth(scratch, depth);
    if (result != WILLOW_OK) return result;
    return wi_measure_cells(scratch, depth, out);
}
