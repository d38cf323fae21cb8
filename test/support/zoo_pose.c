/* zoo_pose.c - how the poses of the zoo are made.
 * Way in: zoo_pose_make. Numbers are drawn one per statement: in one list the compiler would choose
 * their order. */
#include "support/zoo_pose.h"

#include <float.h>
#include "base/hash.h"

typedef struct drawing {
    uint64_t key, count;
} drawing;

static uint64_t draw(drawing *d) { return wi_hash_u64(d->key, d->count++); }

static float draw_in(drawing *d, float low, float high)
{
    return low + (high - low) * ((float)(draw(d) >> 40) * 0x1p-24F);
}

/* An eighth from [-1/2, 1/2]. */
static float draw_eighth(drawing *d) { return (float)(draw(d) % 9) / 8.0F - 0.5F; }

static willow_vec3 draw_eighths(drawing *d)
{
    willow_vec3 v;
    v.x = draw_eighth(d);
    v.y = draw_eighth(d);
    v.z = draw_eighth(d);
    return v;
}

static willow_vec3 draw_within(drawing *d, float most)
{
    willow_vec3 v;
    v.x = draw_in(d, -most, most);
    v.y = draw_in(d, -most, most);
    v.z = draw_in(d, -most, most);
    return v;
}

static willow_vec3 add(willow_vec3 a, willow_vec3 b)
{
    return (willow_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

/* Never zero. */
static willow_quat draw_rotation(drawing *d)
{
    willow_quat q;
    q.x = draw_in(d, -1.0F, 1.0F);
    q.y = draw_in(d, -1.0F, 1.0F);
    q.z = draw_in(d, -1.0F, 1.0F);
    q.w = draw_in(d, 0.01F, 1.0F);
    return q;
}

/* The 24 turns that take axes to axes, each with a matrix of whole numbers. */
static willow_quat draw_quarter(drawing *d)
{
    static const willow_quat turns[] = {
        {0, 0, 0, 1},  {1, 0, 0, 0},   {0, 1, 0, 0},   {0, 0, 1, 0},  {1, 0, 0, 1},
        {0, 1, 0, 1},  {0, 0, 1, 1},   {-1, 0, 0, 1},  {0, -1, 0, 1}, {0, 0, -1, 1},
        {1, 1, 0, 0},  {1, -1, 0, 0},  {0, 1, 1, 0},   {0, 1, -1, 0}, {1, 0, 1, 0},
        {1, 0, -1, 0}, {1, 1, 1, 1},   {1, 1, 1, -1},  {1, 1, -1, 1}, {1, -1, 1, 1},
        {-1, 1, 1, 1}, {1, -1, -1, 1}, {-1, 1, -1, 1}, {-1, -1, 1, 1}};
    return turns[draw(d) % (sizeof turns / sizeof turns[0])];
}

static willow_pose make_identity(drawing *place, drawing *d)
{
    static const willow_pose ways[] = {{{0, 0, 0}, {0, 0, 0, 1}},
                                       {{-0.0F, 0, -0.0F}, {0, -0.0F, 0, -1}},
                                       {{0, 0, 0}, {-0.0F, 0, 0, 0x1p-149F}},
                                       {{0, 0, 0}, {0, 0, 0, FLT_MAX}}};
    (void)place;
    return ways[draw(d) % (sizeof ways / sizeof ways[0])];
}

static willow_pose make_shifted(drawing *place, drawing *d)
{
    (void)place;
    return (willow_pose){draw_eighths(d), {0, 0, 0, 1}};
}

static willow_pose make_quarter(drawing *place, drawing *d)
{
    willow_pose pose = {.translation = draw_eighths(d)};
    (void)place;
    pose.rotation = draw_quarter(d);
    return pose;
}

static willow_pose make_half(drawing *place, drawing *d)
{
    willow_pose pose = {.translation = draw_eighths(d)};
    (void)place;
    pose.rotation = draw_rotation(d);
    pose.rotation.w = draw(d) % 2 == 0 ? 0.0F : -0.0F;
    return pose;
}

static willow_pose make_turned(drawing *place, drawing *d)
{
    willow_pose pose = {.translation = draw_within(d, 0.5F)};
    (void)place;
    pose.rotation = draw_rotation(d);
    return pose;
}

static willow_pose make_hardly(drawing *place, drawing *d)
{
    static const float angles[] = {0x1p-149F, 1e-30F, 1e-12F, 1e-7F, 1e-5F};
    const float angle = angles[draw(d) % 5];
    willow_pose pose = {{0, 0, 0}, {0, 0, 0, 1}};
    (void)place;
    pose.rotation.x = angle;
    pose.rotation.y = draw(d) % 2 == 0 ? -angle : 0.0F;
    pose.rotation.z = draw(d) % 2 == 0 ? angle : 0.0F;
    if (draw(d) % 2 == 0) pose.translation = draw_eighths(d);
    return pose;
}

static willow_pose make_long(drawing *place, drawing *d)
{
    static const float lengths[] = {0x1p-149F, 0x1p-127F, 1e-20F, 3.0F, 1e20F, FLT_MAX};
    const float length = lengths[draw(d) % 6];
    willow_pose pose = {.translation = draw_eighths(d)};
    willow_quat *q = &pose.rotation;
    (void)place;
    *q = draw(d) % 2 == 0 ? draw_quarter(d) : draw_rotation(d);
    *q = (willow_quat){q->x * length, q->y * length, q->z * length, q->w * length};
    if (length == 0x1p-149F) q->w = length; /* what was rounded must not be zero */
    return pose;
}

static willow_pose make_near(drawing *place, drawing *d)
{
    static const float distances[] = {0x1p-149F, 0x1p-140F, 1e-38F, 1e-20F, 1e-6F};
    (void)place;
    willow_pose pose = {draw_within(d, 4.0F), {0, 0, 0, 1}};
    const float distance = distances[draw(d) % 5];
    pose.translation.x *= distance;
    pose.translation.y *= distance;
    pose.translation.z *= distance;
    if (draw(d) % 2 == 0) pose.rotation = draw_quarter(d);
    if (draw(d) % 4 == 0) pose.rotation = draw_rotation(d);
    return pose;
}

static willow_quat draw_any_rotation(drawing *d)
{
    const uint64_t which = draw(d) % 3;
    return which == 0 ? (willow_quat){0, 0, 0, 1} : which == 1 ? draw_quarter(d) : draw_rotation(d);
}

static willow_pose draw_there(willow_vec3 there, drawing *d)
{
    willow_pose pose = {.translation = add(there, draw_within(d, 0.25F))};
    pose.rotation = draw_any_rotation(d);
    return pose;
}

static willow_pose make_far(drawing *place, drawing *d)
{
    return draw_there(draw_within(place, 4e6F), d);
}

static willow_pose make_remote(drawing *place, drawing *d)
{
    static const float distances[] = {1e9F, 1e12F, 1e20F, 1e30F};
    return draw_there(draw_within(place, distances[draw(place) % 4]), d);
}

/* The last float but a few, on the axes that the place says. */
static willow_pose make_saturated(drawing *place, drawing *d)
{
    static const float ends[] = {FLT_MAX, -FLT_MAX, 0x1.fffff0p127F, 0.0F};
    willow_pose pose = {{0, 0, 0}, draw_any_rotation(d)};
    pose.translation.x = ends[draw(place) % 3];
    pose.translation.y = ends[draw(place) % 4];
    pose.translation.z = ends[draw(place) % 4];
    return pose;
}

typedef willow_pose make(drawing *place, drawing *d);

static make make_mixed;

static const struct {
    const char *name;
    make *function;
} kinds[ZOO_POSE_COUNT] = {
#define ENTRY(name, function, words) [ZOO_POSE_##name] = {words, make_##function},
    ZOO_POSES(ENTRY)
#undef ENTRY
};

/* Mostly near the origin, where other bodies are. */
static willow_pose make_mixed(drawing *place, drawing *d)
{
    uint64_t kind = draw(d) % (2 * ZOO_POSE_FAR);
    return kinds[kind < ZOO_POSE_MIXED ? kind : kind % ZOO_POSE_FAR].function(place, d);
}

const char *zoo_pose_kind_name(zoo_pose_kind kind) { return kinds[kind].name; }

willow_pose zoo_pose_make(zoo_pose_kind kind, uint64_t place, uint64_t seed)
{
    drawing of_place = {wi_hash_u64(wi_hash_u64(WI_HASH_START, kind), place), 0};
    drawing own = {wi_hash_u64(of_place.key, seed), 0};
    return kinds[kind].function(&of_place, &own);
}

bool zoo_pose_moves(const willow_pose *pose)
{
    const willow_quat *q = &pose->rotation;
    const willow_vec3 *t = &pose->translation;
    return q->x != 0.0F || q->y != 0.0F || q->z != 0.0F || t->x != 0.0F || t->y != 0.0F ||
           t->z != 0.0F;
}
