/* check_step.c - what happens between two frames: bodies may pass through each other there and be
 * apart again in the next one. Way in: check_step. */
#include "bench/play/player.h"
#include "cli/check.h"

#include <inttypes.h>
#include <stdio.h>

bool check_step(player *p, float **targets, check_frame *frame)
{
    willow_first_impact first;
    scene_arrays_fill(p->scene, frame->number + 1, targets);
    if (!player_take_targets(p, targets)) return false;
    player_prepare(p, frame->number);
    if (!player_aim(p, frame->number, NULL)) return false;
    willow_result result = willow_time_of_impact(p->world, p->scratch, &p->query, &first);
    if (result != WILLOW_OK) return player_fail_asking(p, result);
    frame->has_step = true;
    frame->impact.found = first.found;
    if (!first.found) return true;
    frame->impact.body_a = first.body_a.index1;
    frame->impact.body_b = first.body_b.index1;
    frame->impact.impact = first.impact;
    return true;
}

const char *check_feature_text(const willow_feature *feature, char out[CHECK_FEATURE_MAX])
{
    static const char *const words[] = {
#define CHECK_FEATURE_ENTRY(name, word, what) word,
        WILLOW_FEATURES(CHECK_FEATURE_ENTRY)
#undef CHECK_FEATURE_ENTRY
    };
    int used =
        snprintf(out, CHECK_FEATURE_MAX, "%s %" PRIu32, words[feature->kind], feature->number[0]);
    if (feature->kind == WILLOW_FEATURE_EDGE) {
        snprintf(out + used, CHECK_FEATURE_MAX - (size_t)used, "-%" PRIu32, feature->number[1]);
    }
    return out;
}
