/* check_find.c - asks what meets in a sample, or is near.
 *
 * Way in: check_asker_create, then check_ask after every update. What does not count is left out by
 * a filter, which the library asks about every pair that meets: with --strict pairs that only
 * touch, with --rest those that meet at rest too, which are counted. */
#include "cli/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- pairs that are known ---- */

static int compare(uint64_t a, uint64_t b) { return a < b ? -1 : a > b; }

/* By the bodies' numbers in the clip, which are in the order of those in any world of it. */
static const willow_pair_run *known_run(const check_known *known, uint32_t a, uint32_t b)
{
    size_t low = 0, high = known->run_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const willow_pair_run *run = &known->runs[middle];
        int order = compare(run->user_data_a, a);
        if (order == 0) order = compare(run->user_data_b, b);
        if (order == 0) return run;
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}

static bool is_known(const check_known *known, uint32_t a, uint32_t tri_a, uint32_t b,
                     uint32_t tri_b)
{
    const willow_pair_run *run = known_run(known, a, b);
    if (run == NULL) return false;
    size_t low = run->first, high = run->first + run->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const willow_tri_pair *pair = &known->pairs[middle];
        int order = compare(pair->tri_a, tri_a);
        if (order == 0) order = compare(pair->tri_b, tri_b);
        if (order == 0) return true;
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return false;
}

willow_tri_pair check_found_tris(const check_found *found, size_t i)
{
    if (found->pairs != NULL) return found->pairs[i];
    return (willow_tri_pair){found->near[i].a.number[0], found->near[i].b.number[0]};
}

static bool keep_known(check_known *known, const check_found *found)
{
    known->runs = malloc((found->run_count + 1) * sizeof *known->runs);
    known->pairs = malloc((found->count + 1) * sizeof *known->pairs);
    if (known->runs == NULL || known->pairs == NULL) return false;
    known->run_count = found->run_count;
    known->count = found->count;
    for (size_t i = 0; i < found->run_count; i++) known->runs[i] = found->runs[i];
    for (size_t i = 0; i < found->count; i++) known->pairs[i] = check_found_tris(found, i);
    return true;
}

/* ---- what does not count ---- */

static bool do_cross(const willow_world *world, willow_tri_ref a, willow_tri_ref b)
{
    willow_vec3 corners_a[3], corners_b[3];
    return willow_body_copy_triangles(world, a.body, &a.tri, 1, corners_a) != WILLOW_OK ||
           willow_body_copy_triangles(world, b.body, &b.tri, 1, corners_b) != WILLOW_OK ||
           willow_tri_tri_cross(corners_a, corners_b);
}

/* Triangles of another mesh have other numbers. */
static bool has_mesh_of_rest(const clip_player *p, uint32_t body)
{
    return clip_player_mesh(p, body) == &p->clip->bodies[body].mesh;
}

static bool was_at_rest(const check_asker *a, willow_tri_ref x, willow_tri_ref y)
{
    const uint32_t body_x = clip_player_number(a->play, x.body);
    const uint32_t body_y = clip_player_number(a->play, y.body);
    return has_mesh_of_rest(a->play, body_x) && has_mesh_of_rest(a->play, body_y) &&
           is_known(&a->rest, body_x, x.tri, body_y, y.tri);
}

static bool counts(void *context, willow_tri_ref x, willow_tri_ref y)
{
    check_asker *a = context;
    if (a->options->strict && !do_cross(a->play->world, x, y)) return false;
    if (a->rest.count == 0 || !was_at_rest(a, x, y)) return true;
    a->at_rest++;
    return false;
}

/* ---- asking ---- */

static bool any_self(const clip_player *p)
{
    for (uint32_t i = 0; i < p->clip->body_count; i++) {
        if (p->roles[i].is_played && p->roles[i].self) return true;
    }
    return false;
}

/* Neighbours are always near, and so is what is close by at rest. */
static void prepare_query(check_asker *a)
{
    willow_query_options *query = &a->play->query;
    query->witness = a->options->pairs;
    if (a->options->strict) query->skip_neighbours = true;
    if (a->options->distance > 0) {
        query->near_distance = query->touch_distance = a->options->distance;
        query->skip_neighbours = true;
        query->skip_close_at_rest = any_self(a->play);
    }
    if (!a->options->strict && !a->options->rest) return;
    query->filter = counts;
    query->filter_context = a;
}

static bool ask_near(check_asker *a, check_found *out)
{
    willow_near near;
    clip_player *p = a->play;
    const willow_result result = willow_find_near(p->world, p->scratch, &p->query, &near);
    if (result != WILLOW_OK) return clip_player_fail_asking(p, result);
    *out = (check_found){
        .runs = near.runs, .run_count = near.run_count, .count = near.count, .near = near.items};
    return true;
}

static bool ask_pairs(check_asker *a, check_found *out)
{
    willow_pairs pairs;
    if (!clip_player_find_pairs(a->play, &pairs)) return false;
    *out = (check_found){.runs = pairs.runs,
                         .run_count = pairs.run_count,
                         .count = pairs.count,
                         .pairs = pairs.items,
                         .points = pairs.witnesses};
    return true;
}

bool check_ask(check_asker *a, check_found *out)
{
    a->at_rest = 0;
    const bool fine = a->options->distance > 0 ? ask_near(a, out) : ask_pairs(a, out);
    out->at_rest = a->at_rest;
    return fine;
}

/* ---- at rest ---- */

static bool ask_in_frame(check_asker *a, const clip_frame *frame)
{
    check_found found;
    clip_player at_rest = {0};
    check_asker asker = {.play = &at_rest, .options = a->options};
    const clip_player_def def = {.clip = a->play->clip,
                                 .roles = a->play->roles,
                                 .engine = &a->play->engine,
                                 .keeps_rest = a->play->keeps_rest};
    bool fine = clip_player_create_at_rest(&at_rest, &def, frame);
    if (fine) {
        prepare_query(&asker);
        at_rest.query.skip_close_at_rest = false;
        fine = check_ask(&asker, &found) && keep_known(&a->rest, &found);
    }
    if (!fine) memcpy(a->play->message, at_rest.message, sizeof at_rest.message);
    clip_player_destroy(&at_rest);
    return fine;
}

/* Poses are those of the beginning, whichever frames are played. */
static bool ask_at_rest(check_asker *a)
{
    io_error error;
    clip_player *p = a->play;
    clip_frame *frame = clip_frame_create(p->clip);
    bool fine = frame != NULL || io_fail_memory(&error);
    fine = fine && clip_frame_read(p->clip, clip_first_time(p->clip), frame, &error);
    if (!fine) snprintf(p->message, sizeof p->message, "%.250s", error.text);
    fine = fine && ask_in_frame(a, frame);
    clip_frame_destroy(p->clip, frame);
    return fine;
}

bool check_asker_create(check_asker *a, clip_player *play, const check_options *options)
{
    *a = (check_asker){.play = play, .options = options};
    prepare_query(a);
    return !options->rest || ask_at_rest(a);
}

void check_asker_destroy(check_asker *a)
{
    free(a->rest.runs);
    free(a->rest.pairs);
    a->rest = (check_known){0};
}

/* ---- pairs one by one ---- */

static willow_vec3 midway(const willow_contact *contact)
{
    const willow_vec3 *a = &contact->point_a, *b = &contact->point_b;
    return (willow_vec3){a->x + (b->x - a->x) / 2, a->y + (b->y - a->y) / 2,
                         a->z + (b->z - a->z) / 2};
}

static willow_vec3 find_point(const check_asker *a, const willow_pair_run *run,
                              willow_tri_pair tris)
{
    willow_vec3 x[3], y[3];
    const willow_world *world = a->play->world;
    if (willow_body_copy_triangles(world, run->body_a, &tris.tri_a, 1, x) != WILLOW_OK ||
        willow_body_copy_triangles(world, run->body_b, &tris.tri_b, 1, y) != WILLOW_OK) {
        return (willow_vec3){0, 0, 0};
    }
    return willow_tri_tri_witness(x, y);
}

check_pair check_found_pair(const check_asker *a, const check_found *found,
                            const willow_pair_run *run, size_t i)
{
    const willow_tri_pair tris = check_found_tris(found, i);
    check_pair pair = {.body_a = (uint32_t)run->user_data_a,
                       .body_b = (uint32_t)run->user_data_b,
                       .tri_a = tris.tri_a,
                       .tri_b = tris.tri_b};
    if (found->near != NULL) {
        pair.distance = found->near[i].distance;
        pair.at = midway(&found->near[i].contact);
    } else {
        pair.at = found->points != NULL ? found->points[i] : find_point(a, run, tris);
    }
    return pair;
}

bool check_pair_crosses(const check_asker *a, const check_pair *pair)
{
    const clip_player *p = a->play;
    return do_cross(p->world, (willow_tri_ref){p->bodies[pair->body_a], pair->tri_a},
                    (willow_tri_ref){p->bodies[pair->body_b], pair->tri_b});
}
