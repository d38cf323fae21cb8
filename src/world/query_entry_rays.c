/* query_entry_rays.c - the public questions about rays: are they sound, and which bodies may be
 * hit? The query room does the rest. */
#include "base/check.h"
#include "prim/meet/ray_tri.h"
#include "world/query_entry.h"

static willow_result check_rays(willow_scratch *scratch, const willow_ray *rays, size_t count)
{
    if (rays == NULL && count > 0)
        return wi_fail(&scratch->message, WILLOW_BAD_ARGUMENT, "there are no rays");
    for (size_t i = 0; i < count; i++) {
        const char *fault = wi_ray_fault(&rays[i]);
        if (fault) return wi_fail(&scratch->message, WILLOW_BAD_ARGUMENT, "ray %zu: %s", i, fault);
    }
    return WILLOW_OK;
}

/* Fills *question and scratch->chosen. */
static willow_result begin_rays(const willow_world *world, willow_scratch *scratch,
                                const willow_ray *rays, size_t count,
                                const willow_ray_options *options, wi_ray_question *question)
{
    const willow_ray_options own = options ? *options : willow_ray_options_default();
    wi_question all = {0};
    if (own.struct_size != sizeof own) {
        wi_message_clear(&scratch->message);
        return wi_fail(&scratch->message, WILLOW_BAD_ARGUMENT,
                       "the options were not made by willow_ray_options_default");
    }
    willow_query_options which = willow_query_options_default();
    which.bodies = own.bodies;
    which.body_count = own.body_count;
    which.use_threads = own.use_threads;
    which.use_occupancy = own.use_occupancy;
    willow_result result = wi_ask_begin(world, scratch, &which, &all);
    if (result == WILLOW_OK) result = check_rays(scratch, rays, count);
    if (result == WILLOW_OK) wi_ask_tree(world, &all);
    *question = (wi_ray_question){.options = own,
                                  .tasks = all.tasks,
                                  .tree = all.tree,
                                  .update = all.is_all ? world->update_count : 0,
                                  .rays = rays,
                                  .count = count};
    return result;
}

willow_result willow_cast_rays(const willow_world *world, willow_scratch *scratch,
                               const willow_ray *rays, size_t count,
                               const willow_ray_options *options, willow_casts *out)
{
    wi_ray_question question;
    if (out == NULL) return wi_ask_fail_place(scratch);
    *out = (willow_casts){0};
    const willow_result result = begin_rays(world, scratch, rays, count, options, &question);
    return result == WILLOW_OK ? wi_cast_rays(&question, scratch, out) : result;
}

willow_result willow_block_rays(const willow_world *world, willow_scratch *scratch,
                                const willow_ray *rays, size_t count,
                                const willow_ray_options *options, willow_blocks *out)
{
    wi_ray_question question;
    if (out == NULL) return wi_ask_fail_place(scratch);
    *out = (willow_blocks){0};
    const willow_result result = begin_rays(world, scratch, rays, count, options, &question);
    return result == WILLOW_OK ? wi_block_rays(&question, scratch, out) : result;
}

willow_result willow_pierce_rays(const willow_world *world, willow_scratch *scratch,
                                 const willow_ray *rays, size_t count,
                                 const willow_ray_options *options, willow_pierces *out)
{
    wi_ray_question question;
    if (out == NULL) return wi_ask_fail_place(scratch);
    *out = (willow_pierces){0};
    const willow_result result = begin_rays(world, scratch, rays, count, options, &question);
    return result == WILLOW_OK ? wi_pierce_rays(&question, scratch, out) : result;
}
