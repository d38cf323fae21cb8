/* check_csv.c - what was found, for tables: a line per pair, and with --continuous a line for the
 * first impact of every step. */
#include "cli/check.h"

#include <inttypes.h>
#include <stdio.h>

void check_csv_head(void)
{
    puts("what,frame,time,body_a,part_a,number_a,body_b,part_b,number_b,x,y,z,distance");
}

/* In quotes where a table would take it for something else. */
static void print_csv_name(const clip *c, uint32_t body)
{
    const char *name = c->bodies[body].name;
    bool is_plain = true;
    for (const char *at = name; *at != '\0'; at++) {
        is_plain = is_plain && *at != ',' && *at != '"' && *at != '\n' && *at != '\r';
    }
    if (is_plain) {
        printf("%s", name);
        return;
    }
    putchar('"');
    for (const char *at = name; *at != '\0'; at++) {
        if (*at == '"') putchar('"');
        putchar(*at);
    }
    putchar('"');
}

static void print_end(const willow_vec3 *at, double distance)
{
    printf(",%.9g,%.9g,%.9g,%.9g\n", (double)at->x, (double)at->y, (double)at->z, distance);
}

static void print_csv_pair(const check_report *report, const check_sample *sample,
                           const check_pair *pair)
{
    const clip_player *play = sample->asker->play;
    printf("pair,%.9g,%.9g,", sample->frame->number, sample->frame->time);
    print_csv_name(report->clip, pair->body_a);
    printf(",face,%" PRIu32 ",", check_face(play, pair->body_a, pair->tri_a));
    print_csv_name(report->clip, pair->body_b);
    printf(",face,%" PRIu32, check_face(play, pair->body_b, pair->tri_b));
    print_end(&pair->at, pair->distance);
}

static void print_csv_feature(const clip *c, uint32_t body, const willow_feature *feature)
{
    char number[CHECK_FEATURE_MAX];
    print_csv_name(c, body);
    printf(",%s,%s", check_feature_kind(feature), check_feature_number(feature, number));
}

/* On the way from this sample to the next one. */
static void print_csv_impact(const check_report *report, const check_frame *frame)
{
    const willow_impact *impact = &frame->impact.impact;
    printf("impact,%.9g,%.9g,", frame->number + impact->time * (frame->next_number - frame->number),
           frame->time + impact->time * (frame->next_time - frame->time));
    print_csv_feature(report->clip, frame->impact.body_a, &impact->a);
    putchar(',');
    print_csv_feature(report->clip, frame->impact.body_b, &impact->b);
    print_end(&impact->contact.point_a, 0);
}

void check_csv_frame(const check_report *report, const check_sample *sample)
{
    const check_found *found = sample->found;
    const uint32_t limit = report->options->limit;
    for (size_t k = 0; k < found->run_count; k++) {
        const willow_pair_run *run = &found->runs[k];
        for (size_t i = run->first; i < run->first + run->count; i++) {
            if (limit != 0 && i >= limit) break;
            const check_pair pair = check_found_pair(sample->asker, found, run, i);
            print_csv_pair(report, sample, &pair);
        }
    }
    if (sample->frame->impact.found) print_csv_impact(report, sample->frame);
}
