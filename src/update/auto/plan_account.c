/* plan_account.c - keeps the account. */
#include "update/auto/plan_account.h"

#include "base/check.h"
#include "update/auto/auto.h"
#include "update/auto/opened_nodes.h"
#include "update/kinetic/certificates.h"

/* The unit is what a refit does for a vertex: it evaluates, stores and bounds it. A certificate
 * that is made or looked at again compares its rivals, and often moves its event; at keyframes all
 * are looked at in one sweep. From times of `avatar` with 130,000 triangles and `tablecloth` with
 * 16,000, where a refit takes about a nanosecond per vertex. */
enum { PER_CERTIFICATE = 40, PER_RIVAL = 8, PER_QUEUE_OPERATION = 60, PER_SWEPT = 8 };

/* The same without events, where now and then all vertices are bounded, for a while: one that is
 * bounded, and one whose path is another. From the same scenes: bounding takes two to three times
 * as long as HYBRID does for a vertex, and queries meet boxes that are somewhat larger. So a sweep
 * has to serve more than three updates to pay. */
enum { PER_BOUNDED = 4, PER_CHANGE = 64 };

/* One that queries reach, as far as can be told: in a leaf of a node that was opened. Each leaf is
 * read several times, once for each that it meets. From `tablecloth` and `avatar`, whose queries
 * look for pairs within the cloth, too. */
enum { PER_ASKED = 1 };

/* In updates: until the first look at what queries reached, and from look to look. */
enum { FIRST_LOOK = 2, NEXT_LOOK = 8 };

/* Below this neither costs anything to speak of. */
enum { LEAST_VERTICES = 256 };

/* In refits: the credit at first, without events, where a set-up costs less, and at most. */
enum { FIRST_CREDIT = 32, FIRST_CREDIT_STRAIGHT = 8, MOST_CREDIT = 128 };

/* In updates, some times what a set-up costs in refits; the same for calm ones in a row. */
enum { FIRST_WAIT = 256, FIRST_CALM = 8 };

/* An update is calmer with so many times fewer changes, or so many times smaller a step. Changes
 * for less than this part of the vertices cost less than a refit. */
enum { FEWER = 8, SMALLER = 4, PART_OF_NOTE = 1024 };

static int64_t refit_cost(const wi_update *u) { return (int64_t)u->mesh->vertex_count; }

static int64_t kinetic_cost(const wi_update *u)
{
    const wi_kinetic *k = wi_kinetic_found(u->h);
    const wi_kinetic_counts *c = &u->kinetic;
    WI_ASSERT(c->checked >= c->swept);
    if (k && k->straight.from) {
        const size_t changes = c->setups > 0 ? 0 : c->changes; /* nobody looks at these then */
        return PER_BOUNDED * (int64_t)c->bounded + PER_CHANGE * (int64_t)changes;
    }
    return PER_CERTIFICATE * (int64_t)(c->checked - c->swept) + PER_SWEPT * (int64_t)c->swept +
           PER_RIVAL * (int64_t)u->vertices_evaluated + PER_QUEUE_OPERATION * (int64_t)c->queue_ops;
}

static bool is_following(const wi_auto *state) { return state->mode == WILLOW_METHOD_KINETIC_AABB; }

static void plan_begin(const wi_update *u, wi_auto *state)
{
    wi_plan_account *p = &state->plan_account;
    p->has_begun = true;
    p->credit = refit_cost(u) *
                (u->def->events == WILLOW_EVENTS_NONE ? FIRST_CREDIT_STRAIGHT : FIRST_CREDIT);
    p->gain = p->setup = p->asked = 0;
    p->until_look = FIRST_LOOK;
    p->tries.wait = 0; /* a plan that ends is no failure: the next one is followed at once */
    state->mode = WILLOW_METHOD_KINETIC_AABB;
}

/* HYBRID is what AUTO begins with, and goes on from by what queries open. */
static void plan_end(wi_auto *state, uint32_t changes, double step)
{
    wi_plan_account *p = &state->plan_account;
    WI_ASSERT(p->tries.failures <= WI_MOST_DOUBLINGS);
    if (p->gain > 0) wi_backoff_succeeded(&p->tries);
    wi_backoff_wait(&p->tries, FIRST_WAIT);
    p->calm_needed = wi_backoff_doubled(&p->tries, FIRST_CALM);
    p->calm = 0;
    if (p->gain <= 0) wi_backoff_count_failure(&p->tries);
    p->changes = changes;
    p->step = step;
    state->mode = WILLOW_METHOD_HYBRID;
}

/* A set-up has to be paid before it is made: who changes all paths in every step must not buy one
 * in each. */
static bool is_spent(const wi_tree *h, const wi_auto *state)
{
    const wi_plan_account *p = &state->plan_account;
    const wi_kinetic *k = state->kinetic.state;
    const bool begins_anew = k == NULL || wi_kinetic_begins_anew(h, k);
    return p->credit < 0 || (begins_anew && p->credit < p->setup);
}

/* Time that went back is a larger step than any. */
static bool is_calmer(const wi_update *u, const wi_plan_account *p, uint32_t changes, double step)
{
    const bool has_fewer =
        p->changes > u->mesh->vertex_count / PART_OF_NOTE && changes < p->changes / FEWER;
    const bool is_smaller = p->step < 0.0 || step * SMALLER <= p->step;
    return step > 0.0 && (has_fewer || (is_smaller && changes <= p->changes));
}

/* Whether the while is over, after this update. */
static bool plan_is_over(const wi_update *u, wi_plan_account *p, uint32_t changes, double step)
{
    p->calm = is_calmer(u, p, changes, step) ? p->calm + 1 : 0;
    if (changes > p->changes) p->changes = changes;
    return wi_backoff_step(&p->tries) || p->calm >= p->calm_needed;
}

bool wi_plan_account_follows(wi_update *u, wi_auto *state)
{
    wi_plan_account *p = &state->plan_account;
    const uint32_t changes = state->new_paths;
    const double time = wi_mesh_moment(u->mesh)->time, step = time - p->time;
    state->new_paths = 0;
    p->time = time;
    if (u->mesh->vertex_count < LEAST_VERTICES) return false;
    if (is_following(state)) {
        if (is_spent(u->h, state)) plan_end(state, changes, step);
    } else if (!p->has_begun || plan_is_over(u, p, changes, step)) {
        plan_begin(u, state);
    }
    return is_following(state);
}

static int64_t count_asked(const wi_tree *h, uint64_t since)
{
    int64_t vertices = 0;
    if (!wi_was_opened(h, 0, since)) return 0;
    wi_opened_nodes at = wi_opened_nodes_from_root(h, since);
    do {
        const wi_node *view = &h->boxes.nodes[at.node];
        for (unsigned leaves = view->leaf_mask; leaves != 0; leaves &= leaves - 1)
            vertices += h->shape->leaves[view->child[__builtin_ctz(leaves)]].vertex_count;
    } while (wi_opened_nodes_next(&at));
    return vertices;
}

static void look_at_queries(const wi_update *u, wi_plan_account *p, uint64_t since)
{
    if (u->outcome == WI_OUTCOME_BUILT || u->h->boxes.nodes == NULL || --p->until_look > 0) return;
    p->until_look = NEXT_LOOK;
    p->asked = count_asked(u->h, since);
}

void wi_plan_account_count(wi_update *u, wi_auto *state, uint64_t since)
{
    wi_plan_account *p = &state->plan_account;
    look_at_queries(u, p, since);
    WI_ASSERT(is_following(state) && p->has_begun);
    const int64_t most = MOST_CREDIT * refit_cost(u), cost = kinetic_cost(u);
    const int64_t saved = refit_cost(u) - cost - PER_ASKED * p->asked;
    const bool is_first = p->setup == 0; /* what is lost then is the price of the try */
    if (u->kinetic.setups > 0) p->setup = cost;
    p->gain += saved;
    if (is_first) return;
    p->credit = p->credit + saved < most ? p->credit + saved : most;
}

void wi_plan_account_give_up(wi_auto *state)
{
    state->plan_account.gain = 0;
    plan_end(state, 0, 0.0);
}
