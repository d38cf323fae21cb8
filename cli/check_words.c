/* check_words.c - what was found, in words that all outputs have in common. */
#include "cli/check.h"

#include <inttypes.h>
#include <stdio.h>

uint32_t check_face(const clip_player *p, uint32_t body, uint32_t tri)
{
    const clip_mesh *mesh = clip_player_mesh(p, body);
    return mesh->faces != NULL ? mesh->faces[tri] : tri;
}

const char *check_feature_kind(const willow_feature *feature)
{
    static const char *const words[] = {
#define CHECK_FEATURE_ENTRY(name, word, what) word,
        WILLOW_FEATURES(CHECK_FEATURE_ENTRY)
#undef CHECK_FEATURE_ENTRY
    };
    return words[feature->kind];
}

const char *check_feature_number(const willow_feature *feature, char out[CHECK_FEATURE_MAX])
{
    int used = snprintf(out, CHECK_FEATURE_MAX, "%" PRIu32, feature->number[0]);
    if (feature->kind == WILLOW_FEATURE_EDGE) {
        snprintf(out + used, CHECK_FEATURE_MAX - (size_t)used, "-%" PRIu32, feature->number[1]);
    }
    return out;
}

const char *check_feature_words(const willow_feature *feature, char out[2 * CHECK_FEATURE_MAX])
{
    char number[CHECK_FEATURE_MAX];
    snprintf(out, 2 * CHECK_FEATURE_MAX, "%s %s", check_feature_kind(feature),
             check_feature_number(feature, number));
    return out;
}

const char *check_verb(const check_options *options, double distance, char out[CHECK_VERB_MAX])
{
    if (options->distance > 0 && distance > 0) {
        snprintf(out, CHECK_VERB_MAX, "is %.6g from", distance);
        return out;
    }
    return "meets";
}

bool check_has_times(const check_report *report)
{
    return report->target->scene == NULL && report->clip->key_count > 1;
}
