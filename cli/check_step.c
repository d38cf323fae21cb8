/* check_step.c - what happens between two samples: bodies may pass through each other there and be
 * apart again in the next one. Way in: check_step. */
#include "cli/check.h"

/* Triangles by the faces of the file. */
static void name_face(const clip_player *p, uint32_t body, willow_feature *feature)
{
    if (feature->kind == WILLOW_FEATURE_FACE) {
        feature->number[0] = check_face(p, body, feature->number[0]);
    }
}

bool check_step(clip_player *p, const clip_frame *to, check_frame *frame)
{
    willow_first_impact first;
    clip_player_prepare(p, to);
    if (!clip_player_aim(p, to, &frame->has_step)) return false;
    if (!frame->has_step) return true;
    willow_result result = willow_time_of_impact(p->world, p->scratch, &p->query, &first);
    if (result != WILLOW_OK) return clip_player_fail_asking(p, result);
    frame->impact.found = first.found;
    if (!first.found) return true;
    frame->impact.body_a = clip_player_number(p, first.body_a);
    frame->impact.body_b = clip_player_number(p, first.body_b);
    frame->impact.impact = first.impact;
    name_face(p, frame->impact.body_a, &frame->impact.impact.a);
    name_face(p, frame->impact.body_b, &frame->impact.impact.b);
    return true;
}
