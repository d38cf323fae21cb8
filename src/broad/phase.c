/* phase.c - the functions of willow/broad.h: a kept broad phase (broad/kept.h) with memory of its
 * own, and what callers hand over checked. */
#include "willow/broad.h"

#include <math.h>
#include <string.h>

#include "base/kernel.h"
#include "base/message.h"
#include "base/names.h"
#include "broad/kept.h"

struct willow_broad_phase {
    wi_memory memory; /* the block of the phase itself included */
    wi_message message;
    wi_kept kept;
};

/* ---- names ---- */

static const char *const names[WILLOW_BROAD_COUNT] = {
#define BROAD_NAME(name, words, what) [WILLOW_BROAD_##name] = words,
    WILLOW_BROADS(BROAD_NAME)
#undef BROAD_NAME
};

const char *willow_broad_name(willow_broad broad)
{
    return (unsigned)broad < WILLOW_BROAD_COUNT ? names[broad] : NULL;
}

bool willow_broad_from_name(const char *name, willow_broad *out)
{
    const int found = wi_name_find(names, WILLOW_BROAD_COUNT, name);
    if (found >= 0) *out = (willow_broad)found;
    return found >= 0;
}

static const char *const upkeep_names[WILLOW_UPKEEP_COUNT] = {
#define UPKEEP_NAME(name, words, what) [WILLOW_UPKEEP_##name] = words,
    WILLOW_UPKEEPS(UPKEEP_NAME)
#undef UPKEEP_NAME
};

const char *willow_upkeep_name(willow_upkeep upkeep)
{
    return (unsigned)upkeep < WILLOW_UPKEEP_COUNT ? upkeep_names[upkeep] : NULL;
}

bool willow_upkeep_from_name(const char *name, willow_upkeep *out)
{
    const int found = wi_name_find(upkeep_names, WILLOW_UPKEEP_COUNT, name);
    if (found >= 0) *out = (willow_upkeep)found;
    return found >= 0;
}

/* ---- making ---- */

willow_broad_def willow_broad_def_default(void)
{
    return (willow_broad_def){.struct_size = sizeof(willow_broad_def)};
}

/* There is no phase yet to ask for the words, so they go to the log only. */
static willow_result check_def(const willow_broad_def *def)
{
    if (def == NULL || def->struct_size != sizeof *def) return WILLOW_BAD_ARGUMENT;
    wi_message message = {.log = def->log};
    if ((def->allocator.alloc == NULL) != (def->allocator.free == NULL))
        return wi_fail(&message, WILLOW_BAD_ARGUMENT, "the allocator has one function of two");
    if ((unsigned)def->broad >= WILLOW_BROAD_COUNT)
        return wi_fail(&message, WILLOW_BAD_ARGUMENT, "%d is no broad phase", (int)def->broad);
    if (def->dimensions != 0 && def->dimensions != 2 && def->dimensions != 3)
        return wi_fail(&message, WILLOW_BAD_ARGUMENT, "boxes in %u dimensions: 2 or 3 are there",
                       def->dimensions);
    if (!(def->cell >= 0.0 && def->cell <= (double)FLT_MAX))
        return wi_fail(&message, WILLOW_BAD_ARGUMENT, "a cell of %g: it is 0 or a length",
                       def->cell);
    if ((unsigned)def->upkeep >= WILLOW_UPKEEP_COUNT)
        return wi_fail(&message, WILLOW_BAD_ARGUMENT, "%d is no upkeep", (int)def->upkeep);
    if ((unsigned)def->kernel >= WILLOW_KERNEL_COUNT)
        return wi_fail(&message, WILLOW_BAD_ARGUMENT, "%d is no kernel", (int)def->kernel);
    if (wi_kernel_choose(def->kernel) == WILLOW_KERNEL_AUTO)
        return wi_fail(&message, WILLOW_UNSUPPORTED, "this build or machine has no %s kernel",
                       willow_kernel_name(def->kernel));
    return WILLOW_OK;
}

willow_result willow_broad_create(const willow_broad_def *def, willow_broad_phase **out)
{
    if (out == NULL) return WILLOW_BAD_ARGUMENT;
    *out = NULL;
    const willow_result result = check_def(def);
    if (result != WILLOW_OK) return result;
    wi_memory memory;
    wi_memory_init(&memory, &def->allocator);
    willow_broad_phase *phase = wi_alloc(&memory, sizeof *phase);
    if (phase == NULL) {
        wi_message message = {.log = def->log};
        return wi_fail_memory(&message, "a broad phase");
    }
    *phase = (willow_broad_phase){.message = {.log = def->log}};
    wi_memory_init(&phase->memory, &def->allocator);
    phase->memory.bytes = sizeof *phase;
    wi_kept_init(&phase->kept, &phase->memory, def->broad, wi_kernel_choose(def->kernel),
                 def->dimensions == 0 ? 3 : def->dimensions);
    phase->kept.cell = def->cell;
    phase->kept.upkeep = def->upkeep;
    *out = phase;
    return WILLOW_OK;
}

void willow_broad_destroy(willow_broad_phase *phase)
{
    if (phase == NULL) return;
    wi_kept_free(&phase->kept);
    WI_ASSERT(phase->memory.bytes == sizeof *phase);
    wi_memory memory;
    wi_memory_init(&memory, &phase->memory.allocator);
    memory.bytes = sizeof *phase;
    wi_free(&memory, phase, sizeof *phase);
}

const char *willow_broad_message(const willow_broad_phase *phase)
{
    return phase ? phase->message.text : "";
}

/* ---- updating ---- */

static bool box_is_number(const wi_box *box)
{
    for (int axis = 0; axis < 3; axis++)
        if (isnan(box->lower[axis]) || isnan(box->upper[axis])) return false;
    return true;
}

static willow_result check_array(willow_broad_phase *phase, const wi_kept_input *input,
                                 size_t box_size)
{
    if (input->count > 0 && input->boxes == NULL)
        return wi_fail(&phase->message, WILLOW_BAD_ARGUMENT, "%u boxes without an array",
                       input->count);
    if (input->count > INT32_MAX) /* one bit of a number is taken */
        return wi_fail(&phase->message, WILLOW_BAD_ARGUMENT, "%u boxes are too many", input->count);
    if ((uintptr_t)input->boxes % _Alignof(float) != 0)
        return wi_fail(&phase->message, WILLOW_BAD_ARGUMENT, "boxes are not aligned as floats are");
    if (input->stride < box_size || input->stride % _Alignof(float) != 0)
        return wi_fail(&phase->message, WILLOW_BAD_ARGUMENT,
                       "a stride of %zu bytes: a box has %zu, and floats are aligned",
                       input->stride, box_size);
    return WILLOW_OK;
}

static willow_result check_box(willow_broad_phase *phase, const wi_kept_input *input, uint32_t i)
{
    const wi_box box = wi_kept_read(&phase->kept, input, i);
    if (box_is_number(&box)) return WILLOW_OK;
    return wi_fail(&phase->message, WILLOW_BAD_ARGUMENT, "box %u has a bound that is no number", i);
}

static willow_result check_changed(willow_broad_phase *phase, const wi_kept_input *input)
{
    willow_result result = WILLOW_OK;
    for (uint32_t i = 0; i < input->changed_count && result == WILLOW_OK; i++) {
        if (input->changed[i] >= input->count)
            return wi_fail(&phase->message, WILLOW_BAD_ARGUMENT,
                           "box %u is said to have changed; there are %u", input->changed[i],
                           input->count);
        result = check_box(phase, input, input->changed[i]);
    }
    return result;
}

/* Those that are read. */
static willow_result check_boxes(willow_broad_phase *phase, const wi_kept_input *input)
{
    const uint32_t first = input->changed ? phase->kept.count : 0;
    willow_result result = input->changed ? check_changed(phase, input) : WILLOW_OK;
    for (uint32_t i = first; i < input->count && result == WILLOW_OK; i++)
        result = check_box(phase, input, i);
    return result;
}

willow_result willow_broad_update(willow_broad_phase *phase, const willow_broad_boxes *boxes)
{
    if (phase == NULL) return WILLOW_BAD_ARGUMENT;
    wi_message_clear(&phase->message);
    if (boxes == NULL) return wi_fail(&phase->message, WILLOW_BAD_ARGUMENT, "no boxes are given");
    const size_t box_size = 2 * phase->kept.dimensions * sizeof(float);
    const wi_kept_input input = {boxes->boxes, boxes->stride == 0 ? box_size : boxes->stride,
                                 boxes->count, boxes->changed,
                                 boxes->changed ? boxes->changed_count : 0};
    willow_result result = check_array(phase, &input, box_size);
    if (result == WILLOW_OK) result = check_boxes(phase, &input);
    if (result != WILLOW_OK) return result;
    if (wi_kept_update(&phase->kept, &input)) return WILLOW_OK;
    return wi_fail_memory(&phase->message, "a broad phase");
}

/* ---- asking ---- */

static willow_result give_pairs(const willow_broad_phase *phase, const wi_body_pairs *pairs,
                                willow_broad_pairs *out)
{
    *out = (willow_broad_pairs){0};
    if (wi_kept_is_stale(&phase->kept)) return WILLOW_STALE;
    *out = (willow_broad_pairs){pairs->items, pairs->count};
    return WILLOW_OK;
}

willow_result willow_broad_find_pairs(const willow_broad_phase *phase, willow_broad_pairs *out)
{
    if (phase == NULL || out == NULL) return WILLOW_BAD_ARGUMENT;
    return give_pairs(phase, &phase->kept.pairs, out);
}

willow_result willow_broad_find_events(const willow_broad_phase *phase, willow_broad_pairs *begun,
                                       willow_broad_pairs *ended)
{
    if (phase == NULL) return WILLOW_BAD_ARGUMENT;
    willow_result result = wi_kept_is_stale(&phase->kept) ? WILLOW_STALE : WILLOW_OK;
    if (begun) result = give_pairs(phase, &phase->kept.begun, begun);
    if (ended) result = give_pairs(phase, &phase->kept.ended, ended);
    return result;
}

/* What every search begins with. */
static willow_result check_search(const willow_broad_phase *phase, double distance, const void *out,
                                  size_t room, size_t *count)
{
    if (count) *count = 0;
    if (phase == NULL || count == NULL || (room > 0 && out == NULL) ||
        !(distance >= 0.0 && distance <= (double)FLT_MAX))
        return WILLOW_BAD_ARGUMENT;
    return wi_kept_is_stale(&phase->kept) ? WILLOW_STALE : WILLOW_OK;
}

willow_result willow_broad_find_near(const willow_broad_phase *phase, double distance,
                                     willow_broad_pair *out, size_t room, size_t *count)
{
    const willow_result result = check_search(phase, distance, out, room, count);
    if (result != WILLOW_OK) return result;
    wi_memory *memory = phase->kept.memory;
    wi_body_pairs found = {0};
    const bool ok = wi_kept_find_near(&phase->kept, memory, distance, &found);
    if (ok) {
        *count = found.count;
        room = found.count < room ? found.count : room;
        if (room > 0) memcpy(out, found.items, room * sizeof *out);
    }
    wi_array_free(memory, &found);
    return ok ? WILLOW_OK : WILLOW_OUT_OF_MEMORY;
}

static willow_result find_numbers(const willow_broad_phase *phase, const wi_probe *probe,
                                  uint32_t *out, size_t room, size_t *count)
{
    wi_memory *memory = phase->kept.memory;
    wi_body_numbers found = {0};
    const bool ok = wi_kept_find(&phase->kept, memory, probe, &found);
    if (ok) {
        *count = found.count;
        room = found.count < room ? found.count : room;
        if (room > 0) memcpy(out, found.items, room * sizeof *out);
    }
    wi_array_free(memory, &found);
    return ok ? WILLOW_OK : WILLOW_OUT_OF_MEMORY;
}

willow_result willow_broad_find_box(const willow_broad_phase *phase, const willow_box *box,
                                    double distance, uint32_t *out, size_t room, size_t *count)
{
    const willow_result result = check_search(phase, distance, out, room, count);
    if (result != WILLOW_OK) return result;
    if (box == NULL) return WILLOW_BAD_ARGUMENT;
    wi_box own = {{box->lower.x, box->lower.y, box->lower.z},
                  {box->upper.x, box->upper.y, box->upper.z}};
    if (phase->kept.dimensions == 2) own.lower[2] = own.upper[2] = 0.0F;
    if (!box_is_number(&own)) return WILLOW_BAD_ARGUMENT;
    const wi_probe probe = wi_probe_box(&own, distance);
    return find_numbers(phase, &probe, out, room, count);
}

static bool ray_is_fine(const wi_ray *ray)
{
    bool has_direction = false;
    for (int axis = 0; axis < 3; axis++) {
        if (!isfinite(ray->origin[axis]) || !isfinite(ray->direction[axis])) return false;
        has_direction = has_direction || ray->direction[axis] != 0.0F;
    }
    return has_direction && isfinite(ray->t_min) && !isnan(ray->t_max);
}

willow_result willow_broad_find_ray(const willow_broad_phase *phase, const willow_ray *ray,
                                    double distance, uint32_t *out, size_t room, size_t *count)
{
    const willow_result result = check_search(phase, distance, out, room, count);
    if (result != WILLOW_OK) return result;
    if (ray == NULL) return WILLOW_BAD_ARGUMENT;
    wi_ray own = {{ray->origin.x, ray->origin.y, ray->origin.z},
                  {ray->direction.x, ray->direction.y, ray->direction.z},
                  ray->t_min,
                  ray->t_max};
    if (phase->kept.dimensions == 2) own.origin[2] = own.direction[2] = 0.0F;
    if (!ray_is_fine(&own)) return WILLOW_BAD_ARGUMENT;
    if (own.t_min > own.t_max) return WILLOW_OK;
    const wi_probe probe = wi_probe_ray(&own, distance);
    return find_numbers(phase, &probe, out, room, count);
}

/* ---- counts and checks ---- */

willow_broad_stats willow_broad_get_stats(const willow_broad_phase *phase)
{
    if (phase == NULL) return (willow_broad_stats){0};
    willow_broad_stats stats = wi_kept_stats(&phase->kept);
    stats.bytes = phase->memory.bytes;
    return stats;
}

const char *willow_broad_validate(const willow_broad_phase *phase)
{
    return phase ? wi_kept_validate(&phase->kept) : NULL;
}
