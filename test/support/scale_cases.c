/* scale_cases.c - what is expected is counted from a table of flags, without any geometry. */
#include "support/scale_cases.h"

#include <stdlib.h>
#include "support/fixture.h"
#include "support/test.h"
#include "support/test_allocator.h"
#include "willow/willow.h"

/* ---- worlds ---- */

/* Two triangles that cross; the second one may stand elsewhere. */
static const float crossing[2][3][3] = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                                        {{0.25F, 0.25F, -1}, {0.25F, 0.25F, 1}, {0.5F, 0.25F, 0}}};

static willow_body_def tri_def(int which)
{
    static const uint32_t indices[3] = {0, 1, 2};
    willow_body_def def = willow_body_def_default();
    def.mesh = FIXTURE_MESH(crossing[which], 3, indices, 1);
    return def;
}

typedef struct small_world {
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id bodies[2];
} small_world;

static void open_world(small_world *w, test_allocator *allocator)
{
    willow_world_def def = willow_world_def_default();
    def.allocator = test_allocator_functions(allocator);
    w->world = fixture_world(&def);
    w->scratch = fixture_scratch(w->world);
    for (int i = 0; i < 2; i++) {
        willow_body_def body = tri_def(i);
        w->bodies[i] = fixture_body(w->world, &body);
    }
    assert_ok(willow_world_update(w->world, 0.0, NULL));
}

static void ask_world(const small_world *w)
{
    willow_pairs pairs;
    assert_ok(willow_find_pairs(w->world, w->scratch, NULL, &pairs));
    assert_int_equal(pairs.count, 1);
    assert_memory_equal(&pairs.runs[0].body_a, &w->bodies[0], sizeof w->bodies[0]);
    assert_memory_equal(&pairs.runs[0].body_b, &w->bodies[1], sizeof w->bodies[1]);
}

static void close_world(small_world *w) { fixture_close(w->world, w->scratch); }

void scale_worlds_in_a_row(uint32_t count)
{
    test_allocator allocator = {0};
    willow_body_id before = {0};
    for (uint32_t i = 0; i < count; i++) {
        small_world w;
        open_world(&w, &allocator);
        ask_world(&w);
        assert_false(willow_body_is_alive(w.world, before));
        before = w.bodies[0];
        close_world(&w);
        assert_true(test_allocator_is_clean(&allocator));
    }
}

void scale_worlds_at_once(uint32_t count)
{
    test_allocator allocator = {0};
    small_world *worlds = calloc(count, sizeof *worlds);
    for (uint32_t i = 0; i < count; i++) open_world(&worlds[i], &allocator);
    for (uint32_t i = 0; i < count; i++) {
        const small_world *other = &worlds[(i + 1 + i % 7) % count];
        ask_world(&worlds[i]);
        assert_true(willow_body_is_alive(worlds[i].world, worlds[i].bodies[0]));
        assert_false(willow_body_is_alive(other->world, worlds[i].bodies[0]));
    }
    for (uint32_t i = 0; i < count; i++) close_world(&worlds[(i * 7919U) % count]);
    assert_true(test_allocator_is_clean(&allocator));
    free(worlds);
}

void scale_worlds_apart(uint32_t count)
{
    test_allocator allocator = {0};
    small_world first;
    open_world(&first, &allocator);
    for (uint32_t i = 0; i < count; i++) {
        willow_world_def def = willow_world_def_default();
        willow_body_def empty = willow_body_def_default();
        def.allocator = test_allocator_functions(&allocator);
        willow_world *world = fixture_world(&def);
        willow_body_id id = fixture_body(world, &empty);
        assert_int_equal(id.index1, first.bodies[0].index1);
        assert_true(id.world != 0);
        if (willow_body_is_alive(world, first.bodies[0]) || willow_body_is_alive(first.world, id))
            fail_msg("a world takes the body of one made %u worlds earlier", i + 1);
        willow_world_destroy(world);
    }
    ask_world(&first);
    close_world(&first);
    assert_true(test_allocator_is_clean(&allocator));
}

/* ---- bodies ---- */

/* Body i is one half of pair i / 2. It is in its cell, or away from all. */
typedef struct member {
    willow_body_id id;
    bool is_alive, is_away;
} member;

typedef struct crowd {
    test_allocator allocator;
    willow_world *world;
    willow_scratch *scratch;
    member *members;
    uint32_t *order; /* a permutation */
    uint32_t *owner; /* by index1 */
    uint32_t count;
    uint64_t random;
} crowd;

/* Where a member belongs: cells of 3 in a cube, so no two cells meet; or above, apart too. */
static willow_vec3 place_of(uint32_t number, bool is_away)
{
    uint32_t cell = number / 2;
    willow_vec3 at = {3.0F * (float)(cell % 48), 3.0F * (float)(cell / 48 % 48),
                      3.0F * (float)(cell / 48 / 48)};
    if (is_away) at.z = -10.0F - 3.0F * (float)(number % 2) - 6.0F * (float)(cell / 48 / 48);
    return at;
}

static void move_vertices(crowd *c, uint32_t number)
{
    willow_vec3 at = place_of(number, c->members[number].is_away);
    float moved[3][3];
    for (int i = 0; i < 3; i++) {
        moved[i][0] = crossing[0][i][0] + at.x;
        moved[i][1] = crossing[0][i][1] + at.y;
        moved[i][2] = crossing[0][i][2] + at.z;
    }
    assert_ok(willow_body_set_vertices(c->world, c->members[number].id, 0, 3, moved, 0));
}

/* Even ones are moved by their vertices, odd ones by a pose. */
static void move(crowd *c, uint32_t number)
{
    willow_pose pose = willow_pose_identity();
    pose.translation = place_of(number, c->members[number].is_away);
    if (number % 2 == 0)
        move_vertices(c, number);
    else
        assert_ok(willow_body_set_pose(c->world, c->members[number].id, &pose));
}

static void make(crowd *c, uint32_t number)
{
    willow_body_def def = tri_def((int)(number % 2));
    def.user_data = number;
    c->members[number].id = fixture_body(c->world, &def);
    c->members[number].is_alive = true;
    assert_true(c->members[number].id.index1 <= c->count);
    c->owner[c->members[number].id.index1] = number;
    move(c, number);
}

static void shuffle(crowd *c)
{
    for (uint32_t i = 0; i < c->count; i++) c->order[i] = i;
    for (uint32_t i = c->count; i > 1; i--) {
        uint32_t k = (uint32_t)(test_random(&c->random) % i), kept = c->order[i - 1];
        c->order[i - 1] = c->order[k];
        c->order[k] = kept;
    }
}

static bool is_pair(const crowd *c, uint32_t number)
{
    const member *a = &c->members[number & ~1U], *b = &c->members[number | 1U];
    return a->is_alive && b->is_alive && !a->is_away && !b->is_away;
}

/* Every pair of members that are in their cell, and no others. */
static size_t check_crowd(crowd *c)
{
    willow_pairs pairs;
    size_t expected = 0;
    for (uint32_t i = 0; i < c->count; i += 2) expected += is_pair(c, i);
    assert_ok(willow_world_update(c->world, 0.0, NULL));
    assert_ok(willow_find_pairs(c->world, c->scratch, NULL, &pairs));
    assert_int_equal(pairs.count, expected);
    assert_int_equal(pairs.run_count, expected);
    for (size_t i = 0; i < pairs.run_count; i++) {
        uint32_t a = c->owner[pairs.runs[i].body_a.index1];
        uint32_t b = c->owner[pairs.runs[i].body_b.index1];
        assert_true(a / 2 == b / 2 && a != b && is_pair(c, a));
        assert_true(i == 0 || pairs.runs[i - 1].body_a.index1 < pairs.runs[i].body_a.index1);
    }
    return expected;
}

static void run_round(crowd *c)
{
    shuffle(c);
    for (uint32_t i = 0; i < c->count / 5; i++) {
        member *m = &c->members[c->order[i]];
        if (!m->is_alive) continue;
        m->is_away = !m->is_away;
        move(c, c->order[i]);
    }
    (void)check_crowd(c);
    shuffle(c);
    for (uint32_t i = 0; i < c->count / 3; i++) {
        member *m = &c->members[c->order[i]];
        if (!m->is_alive) continue;
        assert_ok(willow_body_destroy(c->world, m->id));
        m->is_alive = false;
    }
    (void)check_crowd(c);
    for (uint32_t i = 0; i < c->count / 2; i++) {
        willow_body_id old = c->members[c->order[i]].id;
        if (c->members[c->order[i]].is_alive) continue;
        make(c, c->order[i]);
        assert_false(willow_body_is_alive(c->world, old));
    }
    size_t found = check_crowd(c);
    print_message("%u bodies: %zu pairs found\n", c->count, found);
    assert_true(found > 0);
    assert_true(willow_world_validate(c->world, NULL, 0));
}

static void end_crowd(crowd *c)
{
    shuffle(c);
    for (uint32_t i = 0; i < c->count; i++)
        if (c->members[c->order[i]].is_alive)
            assert_ok(willow_body_destroy(c->world, c->members[c->order[i]].id));
    for (uint32_t i = 0; i < c->count; i++) c->members[i].is_alive = false;
    assert_int_equal(check_crowd(c), 0);
    assert_int_equal(willow_world_copy_bodies(c->world, NULL, 0), 0);
    fixture_close(c->world, c->scratch);
    assert_true(test_allocator_is_clean(&c->allocator));
    free(c->members);
    free(c->order);
    free(c->owner);
}

void scale_bodies(uint32_t count, uint32_t rounds)
{
    crowd c = {.count = count, .random = count};
    willow_world_def def = willow_world_def_default();
    def.allocator = test_allocator_functions(&c.allocator);
    c.world = fixture_world(&def);
    c.scratch = fixture_scratch(c.world);
    c.members = calloc(count, sizeof *c.members);
    c.order = calloc(count, sizeof *c.order);
    c.owner = calloc((size_t)count + 1, sizeof *c.owner);
    for (uint32_t i = 0; i < count; i++) make(&c, i);
    assert_int_equal(check_crowd(&c), count / 2);
    for (uint32_t i = 0; i < rounds; i++) run_round(&c);
    assert_int_equal(willow_world_bytes(c.world), atomic_load(&c.allocator.bytes));
    end_crowd(&c);
}
