/* all_pairs.c - the quadratic broad phase: the best for some tens of bodies, the oracle for all. */
#include "broad/all_pairs.h"

#include "broad/kept.h"

static bool all_pairs_begin(wi_memory *memory, wi_workspace *workspace, const wi_broad_crowd *crowd,
                            wi_broad_search *out)
{
    (void)memory, (void)workspace;
    *out = (wi_broad_search){.bodies = crowd->bodies, .count = crowd->count, .second = 1};
    return true;
}

static bool all_pairs_more(wi_memory *memory, wi_broad_search *s, size_t limit, wi_body_pairs *out)
{
    const wi_broad_body *bodies = s->bodies;
    for (; s->first < s->count; s->first++, s->second = s->first + 1)
        for (; s->second < s->count; s->second++) {
            if (!wi_boxes_meet(&bodies[s->first].box, &bodies[s->second].box) ||
                !wi_bodies_want_each_other(&bodies[s->first], &bodies[s->second]))
                continue;
            if (out->count >= limit) return true;
            const wi_body_pair pair = {s->first, s->second};
            if (!wi_array_push(memory, out, pair)) return false;
        }
    return true;
}

const wi_broad_ops wi_broad_all_pairs = {all_pairs_begin, all_pairs_more, .is_in_order = true};

/* ---- kept: there is nothing to keep ---- */

static bool all_update(wi_kept *kept, const wi_kept_change *change)
{
    (void)kept, (void)change;
    return true;
}

static bool all_pairs(wi_kept *kept, wi_body_pairs *out)
{
    const wi_box *boxes = kept->boxes;
    for (uint32_t a = 0; a < kept->count; a++) {
        if (wi_box_is_empty(&boxes[a])) continue;
        for (uint32_t b = a + 1; b < kept->count; b++) {
            const wi_body_pair pair = {a, b};
            if (!wi_boxes_meet(&boxes[a], &boxes[b]) || wi_box_is_empty(&boxes[b])) continue;
            if (!wi_array_push(kept->memory, out, pair)) return false;
        }
    }
    kept->candidates += (size_t)kept->living * (kept->living - (kept->living > 0)) / 2;
    return true;
}

static bool all_find(const wi_kept *kept, wi_memory *memory, const wi_probe *probe,
                     wi_body_numbers *out)
{
    for (uint32_t i = 0; i < kept->count; i++)
        if (!wi_box_is_empty(&kept->boxes[i]) && wi_probe_meets(probe, &kept->boxes[i]) &&
            !wi_array_push(memory, out, i))
            return false;
    return true;
}

static void all_count(const wi_kept *kept, willow_broad_stats *out) { out->entries = kept->living; }

static const char *all_validate(const wi_kept *kept)
{
    (void)kept;
    return NULL;
}

static void all_free(wi_kept *kept) { (void)kept; }

const wi_kept_ops wi_kept_all_pairs = {.update = all_update,
                                       .pairs = all_pairs,
                                       .find = all_find,
                                       .count = all_count,
                                       .validate = all_validate,
                                       .free = all_free};
